"""The language: grammar, nodes, parser and formatter of ``.grog`` sources.

``parse`` and ``format_source`` are brought in when they are first asked for: reading the grammar
takes time that a command which finds a compiled ruleset should not spend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.source import Source, Span

if TYPE_CHECKING:
    from dsl.formatter import format_source
    from dsl.parser import ParseResult, parse

__all__ = [
    "Diagnostic",
    "Label",
    "ParseResult",
    "Severity",
    "Source",
    "Span",
    "format_source",
    "parse",
]


def __getattr__(name: str) -> Any:
    if name == "format_source":
        from dsl.formatter import format_source  # start-up: reads the grammar

        return format_source
    if name in ("ParseResult", "parse"):
        from dsl import parser  # start-up: reads the grammar

        return getattr(parser, name)
    raise AttributeError(name)
