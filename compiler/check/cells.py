"""Cells of tables, matrices and board files: from text to values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compiler.types import BAD, Type
from dsl import nodes as n
from dsl.diagnostics import Severity
from runtime.model import NONE

if TYPE_CHECKING:
    from compiler.check.context import Context

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
_NOTHING = ("—", "-", "–")


def parse_cell(ctx: Context, cell: n.Cell, type_: Type) -> int:
    """The value that a cell writes down."""
    text = cell.text
    program = ctx.program
    if type_.kind == "set":
        assert type_.of is not None
        mask = 0
        if text not in _NOTHING and text:
            for word in text.split():
                mask |= 1 << max(0, parse_cell(ctx, n.Cell(word, span=cell.span), type_.of))
        return mask
    if text in _NOTHING:
        if not type_.optional:
            ctx.error(
                "F404",
                f"this column has type {type_} and cannot be empty",
                cell.span,
                f"give a value, or make the column {type_}?",
            )
        return NONE
    if text == "?":
        ctx.error(
            "F408",
            "this value is not known",
            cell.span,
            "a game that needs it cannot be started; replace the '?' when the value is found",
            severity=Severity.WARNING,
        )
        return NONE
    if type_.kind == "int":
        if _NUMBER.fullmatch(text):
            value = int(text)
            if value < 0 and type_.optional:
                ctx.error(
                    "F404",
                    "a column that may be empty must not hold negative numbers",
                    cell.span,
                    "make the column not optional",
                )
            return value
        wanted = "a whole number of at most 15 digits"
    elif type_.kind == "bool":
        if text in ("yes", "true"):
            return 1
        if text in ("no", "false"):
            return 0
        wanted = "yes or no"
    elif type_.kind == "enum":
        members = program.enums[type_.name]
        if text in members:
            return members.index(text)
        ctx.strange(
            "F404",
            f"'{text}' is not of type {type_}",
            text,
            cell.span,
            members,
            f"write one of {', '.join(members[:8])}",
        )
        return 0
    elif type_.kind == "hex":
        assert program.board is not None
        try:
            return program.board.index(text)
        except ValueError as error:
            wanted = str(error)
    else:
        wanted = "another type of column"
    if type_ is not BAD:
        ctx.error("F404", f"'{text}' is not of type {type_}", cell.span, f"write {wanted}")
    return 0
