"""What commands raise and report, as errors and findings of the library."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from grognard import places
from runtime.errors import LoadError
from runtime.files import remedy_of


@contextmanager
def translated() -> Iterator[None]:
    """What commands raise, as :class:`LoadError`; nothing is printed."""
    token = places.silent.set(True)
    try:
        yield
    except OSError as error:
        what = _missing() if error.filename is None else str(error.filename)
        raise LoadError(
            f"{what} cannot be read: {error.strerror or error}", remedy_of(error)
        ) from None
    finally:
        places.silent.reset(token)


def _missing() -> str:
    """What cannot be read where no name is told: the current folder, if somebody has removed it."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder"
    return "a file"
