"""Processes that work for another one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import parent_process
from types import FrameType
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Told(BaseException):
    """A process that works is told to end."""


class _Work:
    """Whether this process is at work."""

    going_on = False


def end_with_parent() -> None:
    """In a process that works for another: end when that one does, or says so."""
    parent = parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _told)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _told(number: int, frame: FrameType | None) -> None:
    if _Work.going_on:
        raise _Told
    os._exit(1)


def at_work(function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """What *function* returns; told to end meanwhile, what is under way is closed before."""
    try:
        _Work.going_on = True
        return function(*args, **kwargs)
    except _Told:
        os._exit(1)
    finally:
        _Work.going_on = False


def end(processes: Iterable[int | None]) -> None:
    """Tell processes that work for this one to end."""
    for process in processes:
        if process is not None:
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)
