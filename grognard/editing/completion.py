"""What may stand at a place of a source.

The language itself is asked: which of its words may follow what stands before, and, with a name
that nobody has put there, which names the checker knows that could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from lark import UnexpectedInput

from compiler.ruleset import Ruleset
from compiler.types import from_spec
from dsl.diagnostics import Diagnostic
from dsl.language import grammar, next_terminals, spellings, value_words
from dsl.parser import chunks
from grognard.editing.built_in import services
from grognard.editing.desk import Desk

#: A name that no author gives.
_HERE = "completed__here"
_IN_COMMENT = re.compile(r'^(?:[^"#\n]|"[^"\n]*")*#')
_CITING = re.compile(r"(?:§|@rule\s+(?:[\w.\-]+\s*,\s*)*)([\w.\-]*)$")
_CLOSING = {"{": "}", "(": ")", "[": "]"}
_ANY_NAME = "NAME"
#: What may have to follow a name, and what a declaration that is begun, for it to be read.
_AFTER_NAMES = ("", "()", " = 0", " {}", " by 1", ": int")
_LAST = ("", " = 0", ": int = 0", " {}", " by 1")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word that may stand there: what it is (``keyword``, ``function``, …), more about it, what
    is written where that is more than the word, and its rank, the lowest first.
    """

    word: str
    kind: str
    about: str = ""
    written: str = ""
    rank: int = 5


@dataclass(frozen=True, slots=True)
class Proposals:
    """What may stand in the place of the characters from *start* to *end* of a text."""

    start: int
    end: int
    words: tuple[Proposal, ...] = ()


def proposals(desk: Desk, path: Path, offset: int) -> Proposals:
    """What may stand at *offset* of a source, in place of the word that is begun there."""
    text = desk.text(path)
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    folder = desk.folder_of(path)
    begun = re.search(r"\w*$", line)
    start = offset - len(begun[0] if begun else "")
    if folder is None or _IN_COMMENT.match(line):
        return Proposals(offset, offset)
    citing = _CITING.search(line)
    if citing is not None:
        return Proposals(
            offset - len(citing[1]), offset, tuple(_citations(desk, folder, path, line))
        )
    rest = re.match(r"\w*", text[offset:])
    end = offset + len(rest[0] if rest else "")
    words = _language(text, start)
    names: list[Proposal] = []
    if words is None or any(one.word == _ANY_NAME for one in words):
        names = list(_names(desk, folder, path, start, end))
    keywords = [one for one in words or () if one.word != _ANY_NAME]
    unique = {one.word: one for one in (*keywords, *names)}
    return Proposals(start, end, tuple(unique.values()))


def _language(text: str, start: int) -> list[Proposal] | None:
    """The words of the language that may follow, and whether a name may; None where what stands
    before is wrong.
    """
    before = _declaration_before(text, start)
    try:
        terminals = next_terminals(before)
    except UnexpectedInput:
        return None
    found = [
        Proposal(word, "keyword", rank=6)
        for terminal in terminals
        for word in spellings().get(terminal, ())
        if word.isalpha()
    ]
    if _ANY_NAME in terminals:
        found.append(Proposal(_ANY_NAME, ""))
    return sorted(found, key=lambda one: one.word)


def _declaration_before(text: str, end: int) -> str:
    """What stands before *end* of the declaration that it is in."""
    before = text[:end]
    parts = list(chunks(before))
    return parts[-1][1] if parts else ""


# ---------------------------------------------------------------------- citations


def _citations(desk: Desk, folder: Path, path: Path, line: str) -> Iterator[Proposal]:
    resolved = desk.ruleset(folder).resolved
    book = resolved.books.get(f"{folder.name}/{path.name}") or next(
        iter(resolved.books.values()), None
    )
    short = "§" in line and not line.rstrip().endswith("@rule")
    for index in resolved.indexes:
        for rule, entry in index.entries.items():
            word = rule
            if short:
                if book is None or not rule.startswith(f"{book.text}-"):
                    continue
                word = rule.removeprefix(f"{book.text}-")
            yield Proposal(word, "citation", entry.topic)


# ---------------------------------------------------------------------- names


def _names(desk: Desk, folder: Path, path: Path, start: int, end: int) -> Iterator[Proposal]:
    """The names that the checker would know at a place."""
    text = desk.text(path)
    for shaped in _with_a_name(text, start, end):
        game = desk.games_of(folder)[0]
        made = desk.ruleset(game).with_overlay(desk.overlay(game, {path: shaped}))
        asked = [d for d in made.diagnostics if d.unknown and d.unknown.name == _HERE]
        if asked:
            yield from _similar_names(made, asked)
            return
    if start > 0 and text[start - 1] == ".":
        return
    yield from _of_all(desk.ruleset(folder))


def _with_a_name(text: str, start: int, end: int) -> Iterator[str]:
    """*text* with a name at the place: as it is, and with what is open there closed."""
    yield f"{text[:start]}{_HERE}{text[end:]}"
    before = _declaration_before(text, start)
    behind = text[start:]
    following = next((at for at, _ in chunks(behind) if at > 0), len(behind))
    closing = _closing_brackets(before)
    for after, last in product(_AFTER_NAMES, _LAST):
        finished = f"{before}{_HERE}{after}{closing}{last}"
        if before and _is_whole(finished):
            yield f"{text[: start - len(before)]}{finished}\n\n{behind[following:]}"
            return


def _is_whole(declaration: str) -> bool:
    """Whether a declaration can be read."""
    try:
        grammar().parse(declaration)
    except UnexpectedInput:
        return False
    return True


def _closing_brackets(before: str) -> str:
    """What closes the brackets that are open at the end of *before*."""
    stack: list[str] = []
    for mark in re.findall(r'#[^\n]*|"[^"\n]*"|[({\[\])}]', before):
        if mark in _CLOSING:
            stack.append(_CLOSING[mark])
        elif stack and mark == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _similar_names(made: Ruleset, asked: Iterable[Diagnostic]) -> Iterator[Proposal]:
    """What could be meant by an unknown name, by what is looked for there."""
    program = made.program
    for finding in asked:
        unknown = finding.unknown
        assert unknown is not None
        for name in unknown.known:
            yield _proposal(made, name, unknown.what, unknown.wanted)
        if unknown.what == "name":
            for call in program.calls.values():
                if "require_" not in call.name:
                    yield _call(call.name, call.kind, str(call.type), unknown.wanted)
            for name, service in services().items():
                yield Proposal(name, "service", service.text, f"{name}(", 5)


def _call(name: str, kind: str, type_: str, wanted: str) -> Proposal:
    fits = bool(wanted) and type_.rstrip("?") == wanted.rstrip("?")
    return Proposal(name, kind, type_, f"{name}(", 2 if fits else 4)


def _proposal(made: Ruleset, name: str, what: str, wanted: str) -> Proposal:
    """What a known name is."""
    program = made.program
    if what != "name":
        field = what.startswith("field or column of ")
        owner = what.removeprefix("field or column of ")
        type_ = ""
        if field and (owner, name) in program.fields:
            type_ = str(from_spec(program.fields[owner, name].type))
        elif field and (owner, name) in program.columns:
            type_ = str(program.columns[owner, name].type)
        kind = "field" if field else what.partition(",")[0].partition(" or ")[0]
        if kind in ("procedure", "function", "travel"):
            return Proposal(name, kind, "", f"{name}(", 2)
        return Proposal(name, kind, type_, rank=2)
    for enum, members in program.enums.items():
        if name in members:
            return Proposal(name, "member", enum, rank=1 if enum == wanted.rstrip("?") else 4)
    groups = (
        (program.enums, "enum"),
        (program.kinds, "piece"),
        (program.parents, "piece"),
        (program.piles, "pile"),
        (program.switches, "switch"),
        (program.weights, "weight"),
    )
    for group, kind in groups:
        if name in group:
            return Proposal(name, kind, rank=4)
    if ("Game", name) in program.fields:
        type_ = str(from_spec(program.fields["Game", name].type))
        return Proposal(name, "field", type_, rank=3)
    return Proposal(name, "keyword" if name in value_words() else "local", rank=1)


def _of_all(ruleset: Ruleset) -> Iterator[Proposal]:
    """All names, where nothing more can be said: what stands around cannot be read."""
    program = ruleset.program
    for call in program.calls.values():
        yield _call(call.name, call.kind, str(call.type), "")
    for group, kind in (
        (program.enums, "enum"),
        (program.kinds, "piece"),
        (program.measures, "measure"),
        (program.procedures, "procedure"),
    ):
        for name in group:
            if "__" not in name:
                yield Proposal(name, kind)
