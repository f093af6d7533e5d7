"""The checked tree in words: expressions and steps as one would write them, for dumps and explanations."""

from __future__ import annotations

from compiler.printer.statements import StatementPrinter


class Printer(StatementPrinter):
    """Writes values, expressions and steps of one program."""
