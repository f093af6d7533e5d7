"""What commands raise and report, as errors and findings of the library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grognard.errors import LoadError
from grognard.exits import Found, Misuse


@contextmanager
def translated() -> Iterator[None]:
    """What commands raise, as :class:`LoadError`."""
    try:
        yield
    except Misuse as error:
        raise LoadError(str(error), error.remedy) from None
    except Found as error:
        found = error.report.sorted if error.report is not None else []
        name = ", ".join(error.report.checked) if error.report is not None else ""
        raise LoadError(f"{name or 'the ruleset'} has errors", findings=found) from None
    except OSError as error:
        what = "the current folder" if error.filename is None else str(error.filename)  # as os.getcwd has it
        raise LoadError(
            f"{what} cannot be read: {error.strerror or error}", "check the path and its permissions"
        ) from None
