"""The server: what it offers, and the thread in which the desk is asked.

All that reads or changes the desk runs in one thread, in the order in which it came; the loop that
talks to the editor never waits for it.  Findings are looked for when nothing has been typed for a
moment.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from compiler.ruleset import Ruleset
from grognard.editing.counting import CountedRun, CountingProcess, Work
from grognard.editing.desk import GROG, Desk
from grognard.editing.reached_rules import ReachedRules
from grognard.fronts.lsp import assistance, navigation
from grognard.fronts.lsp.protocol_kinds import TOKEN_TYPES
from grognard.fronts.lsp.reaching import COMMAND, Counts, known_counts, open_ruleset_files, work_for
from grognard.fronts.lsp.text_positions import path_of, uri_of
from grognard.lexicon.catalogue import choose_language, chosen_for
from grognard.lexicon.faults import sayer
from grognard.versions import installed_version
from runtime.errors import GrognardError, words_of

#: For so long nothing must have been typed before findings are looked for, in seconds.
PAUSE: Final = 0.08
#: And for so long before what takes longer is looked for.
LONGER_PAUSE: Final = 0.7
_LEGEND = t.SemanticTokensLegend(list(TOKEN_TYPES), ["declaration"])
_WATCHED = ("**/*.grog", "**/*.yaml")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Server(LanguageServer):
    """A language server for the games of one folder."""

    def __init__(self, root: Path) -> None:
        super().__init__("grognard", installed_version())
        self.desk = Desk(root)
        #: says findings in the language of the editor
        self.say = sayer(choose_language(None))
        self._thread = ThreadPoolExecutor(1, "desk")
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        #: the files of which the editor shows findings
        self._marked: set[Path] = set()
        #: of the open texts, as the desk has them
        self.versions: dict[Path, int | None] = {}
        #: are called when nothing more is typed, and findings have been told
        self.followers: list[Callable[[], Awaitable[None]]] = []
        self._settled = False
        #: the names that were given instead of others; both ways, since it may be undone
        self.renamed: dict[str, str] = {}
        self.counting = CountingProcess()
        #: whether it is counted by itself how often rules are reached
        self.counts = False
        self._counter = ThreadPoolExecutor(1, "counting")

    async def ask(
        self, answer: Callable[_Given, _Result], *given: _Given.args, **named: _Given.kwargs
    ) -> _Result:
        """What *answer* gives, asked in the thread of the desk.  What cannot be had is an answer of
        the protocol, too.
        """

        def asked() -> _Result:
            with self.desk.searching():
                return answer(*given, **named)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, asked)
        except GrognardError as error:
            raise JsonRpcInvalidParams(self.say(words_of(error))) from None

    def check_soon(self, path: Path) -> None:
        """Look for findings when nothing more is typed."""
        waiting = self._waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        self._waiting[path] = asyncio.get_running_loop().create_task(self._check(path))

    async def _check(self, path: Path) -> None:
        await asyncio.sleep(PAUSE)
        if path.suffix == GROG:
            await self._publish_findings(path, False)
        for follow in self.followers:
            await follow()
        if path.suffix == GROG:
            await asyncio.sleep(LONGER_PAUSE)
        await self._publish_findings(path, True)
        self._waiting.pop(path, None)
        await self.ask(gc.collect)
        if not self._settled:  # what is known by now stays: it need not be looked through again
            self._settled = True
            gc.freeze()

    async def count(self, asked: Callable[[], tuple[Ruleset, Work] | None]) -> CountedRun | None:
        """Count how often rules are reached, and stop what is being counted; None where the next
        stops it, or nothing is *asked* for.
        """
        number = self.counting.next()
        given = await self.ask(asked)
        if given is None:
            return None
        ruleset, work = given
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._counter, self.counting.count, number, work)
        if found is None:
            return None
        self.desk.reached[work.folder] = ReachedRules.of(ruleset, found.counts)
        lenses = getattr(self.client_capabilities.workspace, "code_lens", None)
        if lenses is not None and lenses.refresh_support:
            self.workspace_code_lens_refresh(None)
        return found

    async def stop_counting(self) -> None:
        """End what is being counted, and wait until that was answered."""
        self.counting.close()
        await asyncio.get_running_loop().run_in_executor(self._counter, lambda: None)

    def shutdown(self) -> None:
        """End it, and what counts, where the editor has not said that it ends."""
        self.counting.close()
        super().shutdown()  # type: ignore[no-untyped-call]

    async def _publish_findings(self, path: Path, looks: bool) -> None:
        """Look for findings, without *looks* for none of styles, and tell the editor of them."""
        versions = dict(self.versions)
        found = await self.ask(assistance.diagnostics, self.desk, path, looks, self.say)
        for file, diagnostics in found.items():
            if diagnostics or file in self._marked or file in self.desk.texts:
                self.text_document_publish_diagnostics(
                    t.PublishDiagnosticsParams(uri_of(file), diagnostics, versions.get(file))
                )
                (self._marked.add if diagnostics else self._marked.discard)(file)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults of the server are for its log, and not for the author."""
        if isinstance(error, JsonRpcInternalError):  # it stands for what was raised
            told = "".join((error.data or {}).get("traceback", ()))
            logging.getLogger(__name__).error("%s\n%s", error, told)
        elif not isinstance(error, JsonRpcException):  # what was refused has been answered
            logging.getLogger(__name__).error("%s", error, exc_info=error)


def make_server(root: Path) -> Server:
    """A server for the games of the folder *root*, until the editor names another."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs what is refused as a fault
    gc.disable()  # it is done when nothing is typed
    server = Server(root)
    _watch_texts(server)
    _answer_about_texts(server)
    _answer_about_names(server)
    _answer_about_play(server)
    return server


def _watch_texts(server: Server) -> None:
    """Let the desk know what is open, what is typed and what changes on disk."""

    @server.feature(t.INITIALIZE)
    def initialize(params: t.InitializeParams) -> None:
        server.say = sayer(chosen_for(params.locale))

    @server.feature(t.INITIALIZED)
    async def initialized(_: t.InitializedParams) -> None:
        folders = server.workspace.folders
        for folder in list(folders.values())[:1]:
            server.desk.root = path_of(folder.uri)
        capability = server.client_capabilities.workspace
        watching = capability.did_change_watched_files if capability is not None else None
        if watching is not None and watching.dynamic_registration:
            watchers = [t.FileSystemWatcher(one) for one in _WATCHED]
            options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = t.Registration("files", t.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(t.RegistrationParams([registration]))

    async def changed(uri: str) -> None:
        path = path_of(uri)
        document = server.workspace.get_text_document(uri)
        server.versions[path] = document.version
        await server.ask(server.desk.write, path, document.source)
        server.check_soon(path)

    @server.feature(t.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: t.DidOpenTextDocumentParams) -> None:
        await changed(params.text_document.uri)

    @server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    async def typed(params: t.DidChangeTextDocumentParams) -> None:
        await changed(params.text_document.uri)

    @server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: t.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        server.versions.pop(path, None)
        await server.ask(server.desk.close, path)
        server.check_soon(path)

    @server.feature(t.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: t.DidSaveTextDocumentParams) -> None:
        await server.ask(server.desk.forget_disk)
        server.check_soon(path_of(params.text_document.uri))

    @server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(_: t.DidChangeWatchedFilesParams) -> None:
        await server.ask(server.desk.forget_disk)
        for path in [*server.desk.texts]:
            server.check_soon(path)


def _answer_about_texts(server: Server) -> None:
    """What is asked about a place or a text."""
    desk = server.desk

    @server.feature(
        t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[".", "§", "|"])
    )
    async def completion(params: t.CompletionParams) -> t.CompletionList:
        return await server.ask(assistance.completions, desk, *_path_and_position(params))

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    async def hover(params: t.HoverParams) -> t.Hover | None:
        return await server.ask(assistance.hover, desk, *_path_and_position(params), server.say)

    @server.feature(
        t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    async def signature(params: t.SignatureHelpParams) -> t.SignatureHelp | None:
        return await server.ask(assistance.signature, desk, *_path_and_position(params))

    @server.feature(t.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: t.DocumentFormattingParams) -> list[t.TextEdit]:
        return await server.ask(
            assistance.formatting_edits, desk, path_of(params.text_document.uri)
        )

    @server.feature(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions([t.CodeActionKind.QuickFix]))
    async def action(params: t.CodeActionParams) -> list[t.CodeAction]:
        path = path_of(params.text_document.uri)
        return await server.ask(assistance.code_actions, desk, path, params.range, server.say)

    @server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: t.InlayHintParams) -> list[t.InlayHint]:
        path = path_of(params.text_document.uri)
        return await server.ask(navigation.inlay_hints, desk, path, params.range)

    @server.feature(t.TEXT_DOCUMENT_CODE_LENS)
    async def lens(params: t.CodeLensParams) -> list[t.CodeLens]:
        path = path_of(params.text_document.uri)
        return await server.ask(navigation.code_lenses, desk, path, server.say, server.counts)

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    async def tokens(params: t.SemanticTokensParams) -> t.SemanticTokens:
        return await server.ask(navigation.semantic_tokens, desk, path_of(params.text_document.uri))

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: t.FoldingRangeParams) -> list[t.FoldingRange]:
        return await server.ask(navigation.folding_ranges, desk, path_of(params.text_document.uri))

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
        return await server.ask(navigation.outline, desk, path_of(params.text_document.uri))


def _answer_about_play(server: Server) -> None:
    """What is asked about games."""

    @server.feature(t.SHUTDOWN)
    async def ended(_: None) -> None:
        await server.stop_counting()

    @server.command(COMMAND)
    async def count(*uris: str) -> Counts:
        paths = [*map(path_of, uris)] or await server.ask(open_ruleset_files, server.desk)
        found: Counts = {}
        for path in paths:
            counted = await server.count(partial(work_for, server.desk, path))
            if counted is not None:
                found |= await server.ask(known_counts, server.desk, counted.folder)
        return found


def _answer_about_names(server: Server) -> None:
    """What is asked about a name."""
    desk = server.desk

    @server.feature(t.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: t.DefinitionParams) -> list[t.Location]:
        return await server.ask(navigation.definition, desk, *_path_and_position(params))

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    async def references(params: t.ReferenceParams) -> list[t.Location]:
        declared = params.context.include_declaration
        return await server.ask(navigation.references, desk, *_path_and_position(params), declared)

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
        return await server.ask(navigation.highlights, desk, *_path_and_position(params))

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    async def nameable(params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
        return await server.ask(navigation.renameable, desk, *_path_and_position(params))

    @server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    async def rename(params: t.RenameParams) -> t.WorkspaceEdit | None:
        named = await server.ask(navigation.renameable, desk, *_path_and_position(params))
        edit = await server.ask(
            navigation.rename_edit, desk, *_path_and_position(params), params.new_name
        )
        if named is not None:
            old, new = named.placeholder, params.new_name
            server.renamed |= {old: new, new: old}
        return edit

    @server.feature(t.WORKSPACE_SYMBOL)
    async def everywhere(params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
        return await server.ask(navigation.workspace_symbols, desk, params.query)

    @server.feature(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def hierarchy(params: t.CallHierarchyPrepareParams) -> list[t.CallHierarchyItem]:
        return await server.ask(navigation.callable_at, desk, *_path_and_position(params))

    @server.feature(t.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(
        params: t.CallHierarchyIncomingCallsParams,
    ) -> list[t.CallHierarchyIncomingCall]:
        return await server.ask(navigation.callers, desk, params.item)

    @server.feature(t.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(
        params: t.CallHierarchyOutgoingCallsParams,
    ) -> list[t.CallHierarchyOutgoingCall]:
        return await server.ask(navigation.calls_from, desk, params.item)


def _path_and_position(
    params: t.CompletionParams
    | t.HoverParams
    | t.SignatureHelpParams
    | t.DefinitionParams
    | t.ReferenceParams
    | t.DocumentHighlightParams
    | t.PrepareRenameParams
    | t.RenameParams
    | t.CallHierarchyPrepareParams,
) -> tuple[Path, t.Position]:
    """The file and the position that something is asked about."""
    return path_of(params.text_document.uri), params.position
