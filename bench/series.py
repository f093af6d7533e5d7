"""Long series: what is to be done goes to several processes."""

from __future__ import annotations

import math
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from itertools import starmap, takewhile
from typing import Any, TypeVar

from runtime.runs import workers
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
    fork = multiprocessing.get_context("fork")  # they have what this process has loaded
    pool = partial(ProcessPoolExecutor, jobs, fork, end_with_parent)
    with closing(workers.results(partial(_apply, work), left, jobs, pool)) as found:
        yield from (made for _, made in found)


def _apply(work: Callable[..., T], given: tuple[Any, ...]) -> T:
    return work(*given)
