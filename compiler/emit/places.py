"""Values that name hexes, as Python: found by their labels, on whatever board the module is run."""

from __future__ import annotations

from compiler import ir
from compiler.emit.text import Name
from runtime.bitsets import bits
from runtime.board import Board
from runtime.model import TypeSpec, located


def label(name: str) -> Name:
    """The constant of the module that holds the hex called *name*."""
    return Name(f"H_{name}")


def constant(e: ir.Expr) -> bool:
    """Whether *e* is a constant on every board."""
    return isinstance(e, ir.Const) and not isinstance(e, ir.Label)


def written(type_: TypeSpec, value: int, board: Board | None) -> str:
    """A value that the ruleset writes down; *board* is the ruleset's own."""
    if board is None or value < 0 or not located(type_):
        return str(value)
    if type_.kind == "hex":
        return label(board.label(value))
    return "(" + " | ".join(f"BIT[{label(board.label(h))}]" for h in bits(value)) + ")" if value else "0"
