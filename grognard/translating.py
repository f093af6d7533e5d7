"""What commands raise and report, as errors and findings of the library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.report import Report
from grognard.errors import Finding, LoadError
from grognard.exits import Found, Misuse


@contextmanager
def translated() -> Iterator[None]:
    """What commands raise, as :class:`LoadError`."""
    try:
        yield
    except Misuse as error:
        raise LoadError(str(error), error.remedy) from None
    except Found as error:
        found = findings_of(error.report) if error.report is not None else []
        name = ", ".join(error.report.checked) if error.report is not None else ""
        raise LoadError(f"{name or 'the ruleset'} has errors", findings=found) from None
    except OSError as error:
        what = f"{error.filename} " if error.filename is not None else ""
        raise LoadError(
            f"{what}cannot be read: {error.strerror or error}", "check the path and its permissions"
        ) from None


def findings_of(report: Report) -> list[Finding]:
    """The findings of a report, in order of place."""
    return [
        Finding(
            e.code,
            e.severity,
            e.message,
            e.place.file,
            e.place.line,
            e.place.column,
            e.place.end_line,
            e.place.end_column,
            e.remedy,
            e.citation,
        )
        for e in report.sorted
    ]
