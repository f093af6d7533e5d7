"""Everything that types can name: sides, enums, measures, kinds, scopes, switches, the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from compiler.check.context import Context
from compiler.check.facts.boards import check_board
from compiler.check.facts.weights import enter_weight
from dsl import nodes as n
from dsl.diagnostics import Label, Unknown
from dsl.source import NOWHERE, Span
from runtime.board import Board
from runtime.words.said import said


def check_names(ctx: Context, decls: list[n.Decl]) -> None:
    """Enter everything that types can name."""
    program = ctx.program
    _clashes(ctx, decls)
    for decl in decls:
        enter = _ENTER.get(type(decl))
        if enter is not None:
            enter(ctx, decl)
    whole = decls[0].span if decls else None
    for present, what, names in (
        (program.sides, "sides a, b", ("sides", "a", "b")),
        (program.board, "board b { … }", ("board", "b")),
    ):
        if not present and whole is not None:
            message = said("the ruleset lacks the declaration '{what}'", what=what)
            ctx.error("F407", message, whole, "add it", about=tuple(map(Unknown, names)))
    if program.board is None:
        program.board = Board(
            name="none", layout="odd_r", rows=1, columns=1, narrow=None, labels="letters_up"
        )


def _sides(ctx: Context, decl: n.Sides) -> None:
    ctx.program.sides = tuple(i.text for i in decl.names)
    _enum(ctx, "Side", decl.names)
    ctx.cite("sides", decl.rules)


def _enum_of(ctx: Context, decl: n.EnumDecl) -> None:
    _enum(ctx, decl.name.text, decl.members)
    ctx.cite(f"enum {decl.name}", decl.rules)


def _measures(ctx: Context, decl: n.Measures) -> None:
    ctx.program.measures += tuple(i.text for i in decl.names)


def _kind(ctx: Context, decl: n.Piece) -> None:
    if decl.name.text not in ctx.program.parents:
        ctx.program.kinds += (decl.name.text,)
    ctx.cite(f"piece {decl.name}", decl.rules)


def _scope(ctx: Context, decl: n.Scope) -> None:
    ctx.program.scopes[decl.name.text] = decl.checkpoint
    ctx.cite(f"scope {decl.name}", decl.rules)


def _switch(ctx: Context, decl: n.Switch) -> None:
    ctx.program.switches[decl.name.text] = decl.default
    ctx.cite(f"switch {decl.name}", decl.rules)


def _weight(ctx: Context, decl: n.Weight) -> None:
    enter_weight(ctx, decl.name.text, decl.value.value, decl.value.span, decl.bounds)
    ctx.cite(f"weight {decl.name}", decl.rules)


def _board(ctx: Context, decl: n.Board) -> None:
    check_board(ctx, decl)
    ctx.cite(f"board {decl.name}", decl.rules)


_ENTER: dict[type[n.Decl], Callable[[Context, Any], None]] = {
    n.Sides: _sides,
    n.EnumDecl: _enum_of,
    n.Measures: _measures,
    n.Piece: _kind,
    n.Scope: _scope,
    n.Switch: _switch,
    n.Weight: _weight,
    n.Board: _board,
}


def _clashes(ctx: Context, decls: list[n.Decl]) -> None:
    """Types have one name each, and there is one board."""
    taken: dict[str, tuple[str, Span]] = dict.fromkeys(
        ("int", "bool", "weight", "Hex", "Game"), ("type of the language", NOWHERE)
    )
    board: n.Board | None = None
    for decl in decls:
        if isinstance(decl, n.Board):
            if board is not None:
                first = (Label(board.span, "the other"),)
                ctx.error("R104", "a ruleset has one board", decl.name.span, "remove one", first)
            board = board or decl
            continue
        if isinstance(decl, n.Sides):
            named = [("enum", n.Ident("Side", span=decl.span))]
        elif isinstance(decl, n.EnumDecl | n.Piece):
            named = [("enum" if isinstance(decl, n.EnumDecl) else "piece", decl.name)]
        elif isinstance(decl, n.Measures):
            named = [("measure", name) for name in decl.names]
        else:
            continue
        for kind, name in named:
            if name.text in taken:
                other, span = taken[name.text]
                labels = (Label(span, "declared here"),) if span is not NOWHERE else ()
                message = "'{name}' is already a {other}"
                if other == "enum":
                    message = "'{name}' is already an {other}"
                message = said(message, name=name, other=other)
                ctx.error(
                    "R104",
                    message,
                    name.span,
                    said("give the {kind} another name", kind=kind),
                    labels,
                )
            taken.setdefault(name.text, (kind, name.span))


#: What a ruleset writes that needs the six directions.
DIRECTION_WORDS = ("Direction", "direction(", "neighbor(", "bearing(")


def check_directions(ctx: Context) -> None:
    """Enter the built-in enum of the six directions, for rulesets that use them."""
    assert ctx.program.board is not None
    if "Direction" in ctx.program.enums:
        return
    ctx.program.enums["Direction"] = ctx.program.board.directions
    for name in ctx.program.board.directions:
        ctx.members.setdefault(name, []).append("Direction")


def _enum(ctx: Context, name: str, members: Sequence[n.Ident | n.Member]) -> None:
    if name in ctx.program.enums:
        return  # reported as declared twice
    seen: dict[str, n.Ident | n.Member] = {}
    for member in members:
        if member.text in seen:
            labels = (Label(seen[member.text].span, "here first"),)
            message = said("duplicate member '{member}' in enum {name}", member=member, name=name)
            ctx.error("R104", message, member.span, "remove one of the two", labels)
            continue
        seen[member.text] = member
        if isinstance(member, n.Member):
            ctx.cite(f"member {member} of {name}", member.rules, member.remark)
        ctx.members.setdefault(member.text, []).append(name)
    ctx.program.enums[name] = tuple(seen)
