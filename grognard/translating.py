"""What commands and the engine raise and report, as errors and findings of the library."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from grognard import places
from grognard.errors import LoadError, RulesError
from grognard.exits import Found, Misuse
from runtime.chance import ScriptError
from runtime.files import remedy_of
from runtime.state import RulesetFault


@contextmanager
def translated() -> Iterator[None]:
    """What commands raise, as :class:`LoadError`; nothing is printed."""
    token = places.silent.set(True)
    try:
        yield
    except Misuse as error:
        raise LoadError(str(error), error.remedy) from None
    except Found as error:
        found = error.report.sorted if error.report is not None else []
        name = ", ".join(error.report.checked) if error.report is not None else ""
        raise LoadError(f"{name or 'the ruleset'} has errors", findings=found) from None
    except OSError as error:
        what = _missing() if error.filename is None else str(error.filename)
        raise LoadError(f"{what} cannot be read: {error.strerror or error}", remedy_of(error)) from None
    finally:
        places.silent.reset(token)


@contextmanager
def failing(ruleset: str) -> Iterator[None]:
    """What the rules raise that fail, as :class:`RulesError`."""
    try:
        yield
    except RulesetFault as fault:
        script = isinstance(fault, ScriptError)
        remedy = "script what the rules roll and draw" if script else f"correct the ruleset: {ruleset}"
        raise RulesError(str(fault), remedy) from fault


def _missing() -> str:
    """What cannot be read where no name is told: the current folder, if somebody has removed it."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder"
    return "a file"
