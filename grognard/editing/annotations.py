"""What is shown between the lines of a source: the types of locals, and how much a declaration is
used and tested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler import ir
from compiler.types import Type
from dsl import nodes as n
from dsl.source import Span
from grognard.editing.descriptions import cases_about
from grognard.editing.meanings import Symbol, Symbols


@dataclass(frozen=True, slots=True)
class Hint:
    """A text to be shown behind a place."""

    at: Span
    text: str


@dataclass(frozen=True, slots=True)
class Lens:
    """What is said above a declaration: how often it is used, the cases about it (None: it cites no
    rule that a case could name), how often it was *reached*, where that is known, and which symbol
    it is.
    """

    at: Span
    uses: int
    cases: list[str] | None
    reached: int | None
    symbol: Symbol


def hints(symbols: Symbols, file: str) -> Iterator[Hint]:
    """The types, with their measures, of the locals that steps of a file declare."""
    for decl in symbols.resolved.written:
        if decl.span.file != file:
            continue
        types = _locals(symbols.ruleset.program, decl)
        for name in _untyped_names(decl):
            found = symbols.symbol_at(file, name.span.start)
            if found is None:
                continue
            unique = _unique(found[0])
            type_ = types.get(unique)
            if type_ is not None and type_.kind != "bad":
                yield Hint(name.span, f": {type_}")


def _untyped_names(decl: n.Decl) -> Iterator[n.Ident]:
    """The names that steps of a declaration give to values whose type is not written down."""
    for node in n.below([decl]):
        if isinstance(node, n.Let | n.LetDo | n.Roll | n.Draw):
            yield node.name
        elif isinstance(node, n.Choose | n.Each):
            yield node.var


def _unique(symbol: Symbol) -> str:
    """The name of a local that is unique in its procedure."""
    return min(symbol.meanings).rpartition(".")[2]


def _locals(program: ir.Program, decl: n.Decl) -> Mapping[str, Type]:
    """The types of the locals of what a declaration is, by their unique names."""
    whole = decl.decl if isinstance(decl, n.Replace) else decl
    found: ir.Procedure | ir.Callable | ir.CheckInfo | None = None
    match whole:
        case n.Procedure():
            found = program.procedures.get(whole.name.text)
        case n.Case():
            found = program.procedures.get(f"{whole.signature.name}__{whole.name}")
        case n.Reaction():
            found = program.procedures.get(f"reaction_{whole.name}")
        case n.Function():
            found = program.calls.get(whole.name.text)
        case n.Check():
            found = program.checks.get(whole.name.text)
    return dict(found.locals) if found is not None and found.span == whole.span else {}


_LENSED = (n.Function, n.Quantity, n.Permission, n.Procedure, n.RuleDecl, n.Effect, n.Event)
_LENSED_TOO = (n.Travel, n.Reaction, n.Check, n.Case, n.Requirement)


def lenses(
    symbols: Symbols, file: str, cases: Mapping[str, list[str]], reached: Mapping[int, int]
) -> Iterator[Lens]:
    """What is said above the declarations of a file; *cases* are names of cases by rule IDs,
    *reached* says of lines how often what stands there was.
    """
    for symbol in symbols.symbols:
        for one in symbol.definitions:
            if one.at.file != file or not isinstance(one.decl, (*_LENSED, *_LENSED_TOO)):
                continue
            about = cases_about(symbols, one, cases)
            uses = len(symbol.places) - len(symbol.definitions)
            yield Lens(one.at, uses, about, reached.get(one.at.line), symbol)


_OPEN = re.compile(r"(\w+)\s*\($")


def open_call(text: str, offset: int) -> tuple[str, int] | None:
    """The name before the innermost bracket open at *offset*, and how many commas follow."""
    depth = commas = 0
    for at in range(offset - 1, max(-1, offset - 2000), -1):
        mark = text[at]
        if mark in ")]}":
            depth += 1
        elif mark in "[{" or mark == "(":
            if depth == 0:
                found = _OPEN.search(text[max(0, at - 80) : at + 1])
                return (found[1], commas) if mark == "(" and found else None
            depth -= 1
        elif mark == "," and depth == 0:
            commas += 1
    return None


def parameters(symbols: Symbols, name: str) -> tuple[str, ...] | None:
    """The parameters of what is called by a name, as they are declared; None: it is not called."""
    for meaning in ("call", "do", "travel", "event", "effect", "forecast"):
        symbol = symbols.by_meaning(f"{meaning} {name}")
        for one in symbol.definitions if symbol is not None else ():
            decl = one.decl.decl if isinstance(one.decl, n.Replace) else one.decl
            params = getattr(decl, "params", None)
            if params is not None:
                return tuple(map(str, params))
    return None
