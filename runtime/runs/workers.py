"""Work that several processes or threads do for one: what comes of it, and how it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")


class _EndRequested(BaseException):
    """A process that works is told to end."""


#: By how much others go before work behind.
_NICE: Final = 10
#: There is nothing more to do.
_NOTHING: Any = object()


class _Work:
    """Whether this process is at work, and whether it was told to end meanwhile."""

    going_on = False
    told = False


def end_with_parent() -> None:
    """In a process that works for another: end when that one does, or says so."""
    parent = parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _request_end)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def begin_behind(name: str, work: Callable[..., object], *args: object) -> BaseProcess:
    """Begin *work* in a process of its own, which ends with this one, lets others go before it, and
    hears no interrupt of the terminal.
    """
    context = get_context("spawn")  # threads of this process may hold locks
    process = context.Process(target=_work_behind, args=(work, args), name=name, daemon=True)
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        process.start()
        return process
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
    return process


def _work_behind(work: Callable[..., object], args: tuple[object, ...]) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    at_work(work, *args)


def _request_end(number: int, frame: FrameType | None) -> None:
    if _Work.going_on:
        _Work.told = True
        raise _EndRequested
    os._exit(1)


def results(
    work: Callable[[_T], _R],
    todo: Iterable[_T],
    jobs: int,
    pool: Callable[[], Executor],
    again: int = 0,
) -> Generator[tuple[_T, _R], None, None]:
    """What *work* makes of each of *todo*, as it comes, each with what it was made of; *jobs* at a
    time in a *pool* that is made for this.  Where processes die it is made anew, and others do
    their work, up to *again* times without anything having come in between.

    The next of *todo* is taken when there is room, so whoever makes them may stop on account of
    what has come.  BrokenProcessPool where processes have died too often.  What *work* raises is
    raised when what is under way is done; whoever closes the iterator ends all processes at once,
    and so does what is no Exception.
    """
    others, crew = set(active_children()), pool()
    left, lost, deaths = iter(todo), list[_T](), 0
    waiting: dict[Future[_R], _T] = {}
    try:
        while True:
            broken = not _work_through(crew, work, waiting, chain(_pop_all(lost), left), jobs)
            if not (waiting or broken):
                return
            for future in wait(waiting, 0 if broken else None, FIRST_COMPLETED).done:
                one = waiting.pop(future)
                try:
                    made = future.result()
                except BrokenProcessPool:
                    lost.append(one)
                    broken = True
                else:
                    deaths = 0
                    yield one, made
            if broken:  # nothing that waits in a broken pool will come
                deaths += 1
                if deaths > again:
                    raise BrokenProcessPool
                lost += waiting.values()
                waiting.clear()
                crew.shutdown(wait=False, cancel_futures=True)
                crew = pool()
    except BaseException as error:
        if not isinstance(error, Exception):  # somebody wants the end at once
            _end(child.pid for child in set(active_children()) - others)
        raise
    finally:
        crew.shutdown(cancel_futures=True)


def _work_through(
    crew: Executor,
    work: Callable[[_T], _R],
    waiting: dict[Future[_R], _T],
    todo: Iterator[_T],
    jobs: int,
) -> bool:
    """Give a crew work for all; False where its processes have died."""
    while len(waiting) < jobs and (one := next(todo, _NOTHING)) is not _NOTHING:
        try:
            waiting[crew.submit(at_work, work, one)] = one
        except BrokenProcessPool:
            waiting[Future()] = one
            return False
    return True


def _pop_all(these: list[_T]) -> Iterator[_T]:
    """What is taken from a list, until it is empty."""
    while these:
        yield these.pop()


def at_work(function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """What *function* returns; told to end meanwhile, what is under way is closed before."""
    try:
        _Work.going_on = True
        return function(*args, **kwargs)
    except _EndRequested:
        os._exit(1)
    finally:
        _Work.going_on = False
        if _Work.told:  # what is raised in a callback of native code, nobody hears
            os._exit(1)


def _end(processes: Iterable[int | None]) -> None:
    """Tell processes that work for this one to end."""
    for process in processes:
        if process is not None:
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)
