"""Where the reports of commands are printed, and in which language."""

from __future__ import annotations

import sys
from typing import TextIO

from compiler.output.report import Report, wants_color
from grognard.lexicon.faults import sayer_for


def print_report(
    report: Report,
    format: str = "text",
    stream: TextIO | None = None,
    language: str | None = None,
) -> None:
    """Print a report where it belongs, in the given *language*; where none is, people read it in
    the one that the environment prefers, and programs in English.
    """
    out = stream or sys.stdout
    if format == "text" or language is not None:
        report.say = sayer_for(language)
    print(report.render(format, wants_color(out)), file=out)
