"""A client of the language server, as editors are: the server is a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

_Told = TypeVar("_Told")


class Editor:
    """An editor with one folder open; *root* holds rulesets and scenarios."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.loop = asyncio.new_event_loop()
        self.texts: dict[Path, str] = {}
        self._versions: dict[Path, int] = {}
        command = [sys.executable, "-m", "grognard", "lsp", "--stdio"]
        config = ClientServerConfig(server_command=command)
        self.client: LanguageClient = self.run(config.start())
        self.answer = self.run(
            self.client.initialize_session(
                t.InitializeParams(
                    capabilities=client_capabilities("visual-studio-code"),
                    workspace_folders=[t.WorkspaceFolder(root.as_uri(), root.name)],
                    root_uri=root.as_uri(),
                )
            )
        )

    def run(self, asked: Coroutine[Any, Any, _Told]) -> _Told:
        """Wait for an answer."""
        return self.loop.run_until_complete(asyncio.wait_for(asked, 120))

    def open(self, path: Path) -> list[t.Diagnostic]:
        """Open a file; the findings."""
        self.texts[path] = path.read_text(encoding="utf-8")
        self._versions[path] = 1
        document = t.TextDocumentItem(path.as_uri(), "grog", 1, self.texts[path])
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(document))
        return self.findings(path)

    def type(self, path: Path, text: str) -> list[t.Diagnostic]:
        """Replace the text of an open file; the findings."""
        self.write(path, text)
        return self.findings(path)

    def write(self, path: Path, text: str) -> None:
        """Replace the text of an open file, and wait for nothing."""
        self.texts[path] = text
        self._versions[path] += 1
        document = t.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        change = t.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(document, [change]))

    def findings(self, path: Path) -> list[t.Diagnostic]:
        """The next findings that are told of a file as it is now."""
        while True:
            asked = self.client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            told = self.run(asked)
            if told.uri == path.as_uri() and told.version == self._versions.get(path):
                return list(told.diagnostics)

    def at(self, path: Path, before: str, within: str = "") -> dict[str, Any]:
        """Where, in a file, *within* begins to stand in the first text like *before*, or its end."""
        text = self.texts.get(path) or path.read_text(encoding="utf-8")
        start = text.index(before) + (before.index(within) if within else len(before))
        line = text.count("\n", 0, start)
        character = start - (text.rfind("\n", 0, start) + 1)
        document = t.TextDocumentIdentifier(path.as_uri())
        return {"text_document": document, "position": t.Position(line, character)}

    def close(self) -> None:
        """End the server."""
        self.run(self.client.shutdown_session())
        self.run(self.client.stop())
        self.loop.close()
