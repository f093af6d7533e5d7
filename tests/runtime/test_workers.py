"""Work that processes do for one: how much at a time, what comes of it, and how it ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from functools import partial
from multiprocessing import Process, active_children
from pathlib import Path

import pytest

from runtime.runs.workers import at_work, end_with_parent, results

PROCESSES = partial(ProcessPoolExecutor, 2, initializer=end_with_parent)
THREADS = partial(ThreadPoolExecutor, 2)


def square(number: int) -> int:
    return number * number


def dies(folder: Path, times: int, number: int) -> int:
    """Ends its process, the first *times* that it is given 3."""
    if number == 3 and len(list(folder.iterdir())) < times:
        (folder / str(time.monotonic_ns())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fails(number: int) -> int:
    if number == 3:
        raise ValueError(number)
    return number


def sleeps(folder: Path, number: int) -> int:
    """Says when it has been told to end."""
    try:
        (folder / f"begun {number}").touch()
        time.sleep(number and 60)
    finally:
        (folder / f"ended {number}").touch()
    return number


def swallows(folder: Path) -> None:
    """Is told to end where nobody hears it, as in a callback of native code, and waits for more."""
    end_with_parent()

    def work() -> None:
        (folder / "begun").touch()
        with suppress(BaseException):
            time.sleep(60)
        (folder / "goes on").touch()

    at_work(work)
    time.sleep(60)


def test_a_process_that_did_not_hear_it_ends_all_the_same(tmp_path: Path) -> None:
    """Else it would wait for work, and whoever closes the pool for it."""
    process = Process(target=swallows, args=(tmp_path,))
    process.start()
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    process.terminate()
    process.join(20)
    ended = not process.is_alive()
    process.kill()
    assert ended and (tmp_path / "goes on").exists()


@pytest.mark.parametrize("pool", [PROCESSES, THREADS])
def test_all_comes_with_what_it_is_of(pool: Callable[[], Executor]) -> None:
    assert sorted(results(square, range(20), 2, pool)) == [(n, n * n) for n in range(20)]
    assert list(results(square, [], 2, pool)) == []


def test_no_more_is_taken_than_there_is_room_for() -> None:
    taken: list[int] = []

    def todo() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    for came, _ in enumerate(results(square, todo(), 2, THREADS)):
        assert len(taken) <= came + 2


def test_processes_that_die_are_replaced(tmp_path: Path) -> None:
    work = partial(dies, tmp_path, 2)
    assert sorted(results(work, range(8), 2, PROCESSES, again=2)) == [(n, n) for n in range(8)]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("again", [0, 2])
def test_processes_that_die_too_often_are_told_of(tmp_path: Path, again: int) -> None:
    with pytest.raises(BrokenProcessPool):
        list(results(partial(dies, tmp_path, 99), [3], 2, PROCESSES, again))
    assert len(list(tmp_path.iterdir())) == again + 1


@pytest.mark.parametrize("pool", [PROCESSES, THREADS])
def test_what_the_work_raises_is_raised(pool: Callable[[], Executor]) -> None:
    with pytest.raises(ValueError, match="3"):
        list(results(fails, range(8), 2, pool))


@pytest.mark.parametrize("interrupted", [False, True])
def test_who_stops_early_ends_the_processes(tmp_path: Path, interrupted: bool) -> None:
    """At once, and what they were at is closed."""
    begun, others = time.monotonic(), set(active_children())

    def todo() -> Iterator[int]:
        yield from (0, 1)
        while not (tmp_path / "begun 1").exists():
            time.sleep(0.01)
        if interrupted:
            raise KeyboardInterrupt
        yield 2

    with closing(results(partial(sleeps, tmp_path), todo(), 2, PROCESSES)) as found:
        assert next(found) == (0, 0)
        if interrupted:
            with pytest.raises(KeyboardInterrupt):
                next(found)
        else:
            while not (tmp_path / "begun 1").exists():
                time.sleep(0.01)
    assert (tmp_path / "ended 1").exists() and time.monotonic() - begun < 30
    assert set(active_children()) <= others
