"""What stands beside the rules: the catalogues of texts."""

from __future__ import annotations

import re
from pathlib import Path

from compiler import ir
from compiler.check.context import COMPARISONS, Context
from compiler.check.keeping import CheckCache
from compiler.sources.data_files import read_mapping, report_faults, span_of
from compiler.sources.files import Report
from compiler.sources.resolve import Resolved
from compiler.texts import (
    ENGLISH,
    RequiredText,
    ambiguous_options,
    ambiguous_questions,
    missing,
    numbering,
    possible,
    required_texts,
    terms,
    text_inputs,
)
from dsl import nodes as n
from dsl.diagnostics import Label, did_you_mean
from dsl.source import Span
from runtime.data.check import faults
from runtime.data.reader import text_of
from runtime.data.shapes import SCALAR
from runtime.spelling import near, nearest, odd
from runtime.words.said import AND, ARGUMENT, formless, join_with_word, said

#: The keys that a catalogue may have.
_FORMS = (
    "; keys are title, prompt.…, option.…, pass.…, note.…, outcome.…, require.…, step.…, "
    "field.…, pile.…, "
    "value.…, effect.…, switch.…, piece.<Kind>, name.…, help.<prompt, option or pass>, why.<rule>, "
    "term.<name> with term.<name>.text, <Enum>.<member>, <Enum>.<member>.text and "
    "<Enum>.<member>/name"
)
_ARGUMENT = re.compile(r"\{(\d+)(?:/\w+)?(?::[^{}]*)?\}")
#: What looks like an argument and is none.
_BRACES = re.compile(r"\{[^{}]*\}?|\}")


def check_catalogues(ctx: Context, resolved: Resolved, kept: CheckCache) -> None:
    """Check keys against what has a text; enter the texts into the program."""
    read: dict[str, _Entries] = {}
    for folder in reversed(resolved.folders):
        paths = resolved.files.entries(folder, ".yaml", "texts")
        read = {path.stem: _entries(ctx, folder, path) for path in paths}
        given = {name: {key: text for key, text, _ in own} for name, own in read.items()}
        _join(ctx.program.texts, given)
    basis, complaints = (read, text_inputs(ctx.program)), ctx.complaints
    if any(d.is_error for d in (*resolved.diagnostics, *ctx.diagnostics)) or kept.texts == basis:
        return
    unused: dict[str, list[tuple[Span, str]]] = {}
    uses = _Uses(ctx.program)
    for language in sorted(read, key=lambda language: language != ENGLISH):
        _texts(ctx, uses, read[language], unused)
        _slips(ctx, resolved, uses, language)
    _report_unused(ctx, unused)
    kept.texts = basis if ctx.complaints == complaints else None


#: The keys of a catalogue with their texts and places.
_Entries = list[tuple[str, str, Span]]


def _join(texts: dict[str, dict[str, str]], own: dict[str, dict[str, str]]) -> None:
    """Put a ruleset's own texts over those of its base; what only English words anew goes."""
    english = texts.get(ENGLISH, {})
    changed = {key for key, text in own.get(ENGLISH, {}).items() if english.get(key, text) != text}
    for language in texts.keys() - {ENGLISH}:
        for key in [k for k in texts[language] if k.partition("/")[0] in changed]:
            del texts[language][key]
    for language, given in own.items():
        texts.setdefault(language, {}).update(given)


def _entries(ctx: Context, folder: Path, path: Path) -> _Entries:
    """The keys of a YAML mapping with their values (as text) and places."""
    report = ctx.diagnostics.append
    source, root = read_mapping(ctx.files, folder, path, ctx.sources, "C703", report)

    def read(report: Report) -> _Entries:
        for key, value in root.entries:
            report_faults(source, faults(value, SCALAR, (key.text,)), "C703", report)
        return [(key.text, text_of(value), span_of(source, key)) for key, value in root.entries]

    return ctx.files.content_of(source, read, report)


class _Uses:
    """What a program has texts for."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.keys = possible(program) | terms(program)
        self.wanted = required_texts(program)
        self.uses = {use.key: use for use in self.wanted} | numbering(program)
        self.shared = ambiguous_options(program)
        self.questions = ambiguous_questions(program)


def _texts(
    ctx: Context,
    of: _Uses,
    entries: _Entries,
    unused: dict[str, list[tuple[Span, str]]],
) -> None:
    """Check the texts of a catalogue; *unused* gets the keys that nothing uses, with a remedy."""
    keys, uses, shared, questions = of.keys, of.uses, of.shared, of.questions
    given = {key for key, _, _ in entries}
    for key, text, span in entries:
        if key in shared:
            two = said("a menu branch and a choice with 'prompt {shared}'", shared=shared[key])
            message = said(
                "{two} share the text '{key}', and their values differ", two=two, key=key
            )
            ctx.warning("C708", message, span, "give the prompt or the branch another name")
        elif key in questions:
            message = said(
                "questions with different numbers of arguments share the text '{key}'", key=key
            )
            window = "the question of a window has the name of its event"
            ctx.warning(
                "C708",
                message,
                span,
                said("give one of them another name ({window})", window=window),
            )
        elif key in uses:
            _arguments(ctx, uses[key], text, span)
        elif key in keys and (braces := _BRACES.search(text)) is not None:
            message = said(
                "the text '{key}' has no arguments: '{braces}' is told as it stands",
                key=key,
                braces=braces[0],
            )
            ctx.warning("C707", message, span, "remove the braces")
        elif not _is_used(key, keys):
            unused.setdefault(key, []).append((span, _remedy_for(key, keys.union(uses) - given)))


def _report_unused(ctx: Context, unused: dict[str, list[tuple[Span, str]]]) -> None:
    """Report the keys that nothing uses, each once for all languages."""
    for key, places in unused.items():
        (span, remedy), *others = places
        labels = tuple(Label(other, "and here") for other, _ in others)
        message = said("nothing uses the text '{key}'", key=key)
        ctx.warning("C702", message, span, remedy, labels)


def _remedy_for(key: str, known: set[str]) -> str:
    """What to do about a key that is not *known*; of those that begin like it the rest counts."""
    begins, _, rest = key.partition(".")
    alike = {other.partition(".")[2]: other for other in known if other.partition(".")[0] == begins}
    if not rest or not alike or odd(key):
        return did_you_mean(key, known) or said("remove it{forms}", forms=_FORMS)
    same = (other for other in known if other.partition(".")[2] == rest)
    near_key = alike.get(nearest(rest, alike) or "") or min(same, default="")
    return said("did you mean '{similar}'?", similar=near_key) if near_key else "remove it"


def _is_used(key: str, keys: set[str]) -> bool:
    """Whether something uses a text: a key, a key in a case, or what set-ups call a thing."""
    return key.partition("/")[0] in keys or key.startswith("name.")


def _arguments(ctx: Context, use: RequiredText, text: str, span: Span) -> None:
    """Check the arguments that a text asks for."""
    braces = next((part for part in _BRACES.findall(_ARGUMENT.sub("", text))), "")
    if braces:
        message = said(
            "'{braces}' in the text '{key}' is no argument, and is told as it stands",
            braces=braces,
            key=use.key,
        )
        remedy = "arguments are {0}, {1} …, with forms {0: 1 one card | # cards}"
        ctx.warning("C707", message, span, remedy)
        return
    wrong = next((form for _, _, forms in ARGUMENT.findall(text) if (form := formless(forms))), "")
    if wrong:
        message = said(
            "the form '{wrong}' in the text '{key}' is for no value", wrong=wrong, key=use.key
        )
        remedy = "a form is a number or a range, and words: {0: 1 one card | 2-4 # cards | # cards}"
        ctx.warning("C707", message, span, remedy)
        return
    places = {int(place) for place in _ARGUMENT.findall(text)}
    count = len(use.arguments)
    if places and max(places) >= count:
        has = said(
            "'{name}' is used with {count: 1 # argument | # arguments}", name=use.name, count=count
        )
        message = said(
            "the text '{key}' asks for {argument}, but {has}",
            key=use.key,
            argument=f"{{{max(places)}}}",
            has=has,
        )
        give = "give the argument where the rules use the name, or remove it here"
        ctx.warning(
            "C707", message, span, said("arguments are numbered from {0}; {give}", give=give)
        )
        return
    lacking = join_with_word(AND, [f"{{{i}}}" for i in range(count) if i not in places])
    what, value = "pieces", "number of the piece"
    option = use.key.startswith("option.")
    if option:
        what, value = "options", "value of the option"
    if lacking and (option or use.key.endswith("/name")):
        message = said(
            "the text '{key}' does not show {lacking}: its {what} all read alike",
            key=use.key,
            lacking=lacking,
            what=what,
        )
        remedy = said("write it with {lacking}, the {value}", lacking=lacking, value=value)
        ctx.warning("C706", message, span, remedy)


def _slips(ctx: Context, resolved: Resolved, of: _Uses, language: str) -> None:
    """Report names without a text that are like one with a text, and so perhaps misspelt."""
    program = of.program
    given = program.texts.get(language, {})
    english = program.texts.get(ENGLISH, {}) if language != ENGLISH else {}
    known: dict[str, list[str]] = {"prompt": [], "pass": [], "note": [], "outcome": []}
    for other in of.wanted:
        sort = other.key.partition(".")[0]
        if other.key in given and sort in known:
            known[sort].append(other.name)
    compared = 0
    for use in missing(program, language):
        sort, _, name = use.key.partition(".")
        compared += len(known.get(sort, ()))
        if sort not in known or compared > COMPARISONS or use.key in english:
            continue
        like = next(iter(near(name, known[sort], parts=False)), None)
        if like is None:
            continue
        place = _span_of(ctx, resolved.decls, sort, name)
        if place is not None:
            message = said(
                "the {sort} '{name}' has no text in '{language}', and '{like}' has one",
                sort=sort,
                name=name,
                language=language,
                like=like,
            )
            remedy = said(
                "did you mean '{like}'? Otherwise add '{key}' to texts/{language}.yaml",
                like=like,
                key=use.key,
                language=language,
            )
            ctx.warning("C705", message, place, remedy)


def _span_of(ctx: Context, decls: list[n.Decl], sort: str, name: str) -> Span | None:
    """Where something is called so: first in the ruleset itself, then in its bases."""
    idents = (_name_of(node, sort) for node in n.below(decls))
    spans = [ident.span for ident in idents if ident is not None and ident.text == name]
    files = list(ctx.sources)
    return min(spans, key=lambda span: (files.index(span.file), span.start), default=None)


def _name_of(node: n.Node, sort: str) -> n.Ident | None:
    """The name of the prompt, pass, note or outcome that a node is or has."""
    if sort == "prompt":
        return node.name if isinstance(node, n.Prompt) else None
    if sort in ("note", "outcome"):
        return node.call.name if isinstance(node, n.Note if sort == "note" else n.Observe) else None
    return node.passing if isinstance(node, n.Choose | n.Offer) else None
