"""Long series: what is to be done goes to several processes."""

from __future__ import annotations

import math
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice, starmap, takewhile
from typing import Any, TypeVar

from runtime.runs.workers import end_with_parent

T = TypeVar("T")


def results(
    work: Callable[..., T], todo: Iterable[tuple[Any, ...]], jobs: int, until: float = math.inf
) -> Iterator[T]:
    """What *work* makes of each of *todo*, as it comes; none is begun after *until*."""
    left = takewhile(lambda _: time.monotonic() < until, todo)
    if jobs == 1:
        yield from starmap(work, left)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _leave_signals)
    try:
        waiting = {pool.submit(work, *one) for one in islice(left, jobs)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(work, *one) for one in islice(left, len(done))}
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_signals() -> None:
    """In processes that work: interrupting is up to the one that keeps the journal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
