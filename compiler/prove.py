"""Proofs about rules by enumeration."""

from __future__ import annotations

from compiler import ir
from dsl.diagnostics import Diagnostic


def prove(program: ir.Program) -> list[Diagnostic]:
    """Gaps, overlaps and dead exceptions of all quantities and permissions."""
    return []
