"""The language: grammar, nodes, parser and formatter of ``.grog`` sources."""

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.formatter import format_source
from dsl.parser import ParseResult, parse
from dsl.source import Source, Span

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
