"""Values in words."""

from __future__ import annotations

from compiler import ir
from compiler.types import Type
from runtime.bitsets import bits
from runtime.board import Board


class ValuePrinter:
    """Writes values of one program."""

    def __init__(self, program: ir.Program, board: Board | None = None) -> None:
        self.program = program
        #: the board whose labels are used: the ruleset's, unless another is given
        self.board = board or program.board

    def value(self, value: int, type_: Type, names: dict[str, list[str]] | None = None) -> str:
        """A value of a type; *names* holds the names of pieces by kind."""
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "set" and type_.of is not None:
            members = [self.value(v, type_.of, names) for v in bits(value)]
            return "{" + ", ".join(members) + "}"
        if type_.kind == "none" or (value < 0 and (type_.finite or type_.optional)):
            return "none"
        if type_.finite:
            return self._member(value, type_, names or {})
        return f"{value} {type_.name}" if type_.name.strip("?") else str(value)

    def _member(self, value: int, type_: Type, names: dict[str, list[str]]) -> str:
        """A member of an enum, a hex or a piece."""
        if type_.kind == "hex":
            if self.board is None:
                return f"{value} {type_.name}"
            return self.board.label(value) if value < self.board.size else f"Hex#{value}"
        if type_.kind == "enum":
            known = list(self.program.enums.get(type_.name, ()))
        else:
            kinds = self.program.parents.get(type_.name, (type_.name,))
            known = [name for kind in kinds for name in names.get(kind, [])]
        return known[value] if value < len(known) else f"{type_.name}#{value}"
