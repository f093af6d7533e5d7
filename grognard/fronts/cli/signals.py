"""Signals that end the program: turned into an exception, so that what is under way is closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """A signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """In this block, the first signal to end raises :class:`Stopped`; others are ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [
        n for name in ("SIGTERM", "SIGHUP") if (n := getattr(signal, name, None)) is not None
    ]
    before = {n: signal.getsignal(n) for n in numbers}
    mine = [n for n in numbers if before[n] is not signal.SIG_IGN]

    def stop(number: int, frame: FrameType | None) -> None:
        for one in mine:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    for n in mine:
        signal.signal(n, stop)
    try:
        yield
    finally:
        for n in mine:
            signal.signal(n, before[n])
