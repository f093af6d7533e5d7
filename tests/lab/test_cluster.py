"""An experiment on a local Ray cluster, whose workers are killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from grognard.lab.experiment import Experiment
from grognard.lab.queries import Results
from grognard.lab.running import Crew, Processes, carry_out
from grognard.lab.shards import Store
from grognard.lab.work import Workplace
from runtime.errors import ArgumentError

pytestmark = pytest.mark.long
ray = pytest.importorskip("ray")

GAMES = "select arrangement, game, seats, winners, decisions, record from games order by all"


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    ray.shutdown()


def played(folder: Path, experiment: Experiment, crew: Crew) -> list[dict[str, object]]:
    with Store(folder, experiment) as store:
        carry_out(store, Workplace(experiment, folder), crew, lambda *_: None)
    return Results(folder).ask(GAMES)


def workers() -> list[int]:
    """The processes that are playing."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"ray::_play" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_workers_are_killed(desk: Path) -> None:
    from grognard.lab.cluster import LOCAL, Cluster

    rules = {"far": ["range of infantry = 4"]}
    data = {"title": "t", "scenarios": ["first"], "games": 60, "watched": 60, "rules": rules}
    experiment = Experiment.of(data)
    expected = played(desk / "here", experiment, Processes(experiment, desk / "here", 1))
    killed: set[int] = set()
    done = False

    def kill() -> None:
        while not done and len(killed) < 3:
            for pid in workers()[:1]:
                if pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            time.sleep(0.05)

    thread = Thread(target=kill)
    thread.start()
    try:
        found = played(desk / "there", experiment, Cluster(experiment, desk / "there", LOCAL, 2))
    finally:
        done = True
        thread.join()
    assert killed and found == expected


def test_no_cluster(desk: Path) -> None:
    from grognard.lab.cluster import Cluster

    experiment = Experiment.of({"title": "t", "scenarios": ["first"]})
    with pytest.raises(ArgumentError, match=r"there is no Ray cluster at 127\.0\.0\.1:1"):
        Cluster(experiment, desk, "127.0.0.1:1")
