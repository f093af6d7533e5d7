"""A crew on a Ray cluster.

Each node needs the same Grognard, rulesets and scenarios, and, for rules that differ, the folder of
results in the same place.
"""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Generator, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import ray
from ray.exceptions import RayError, RayTaskError

from grognard.lab.experiment import Experiment, Unit
from grognard.lab.watching import Rows
from grognard.lab.work import Workplace
from runtime.errors import ArgumentError, GrognardError, RulesError

#: How often a unit is begun again when its worker has died.
_AGAIN = 5
LOCAL = "local"
_PLACE: Final = re.compile(r"(?:ray://)?(?P<host>[\w.\-]+):(?P<port>\d{1,5})")
#: Seconds for a connection.
_PATIENCE: Final = 10


class Cluster:
    """Plays on the Ray cluster at an *address*, or on one of this machine; *jobs* units at once,
    0: as many as there are processors.

    Ray begins units anew whose workers die, on others.
    """

    def __init__(self, experiment: Experiment, folder: Path, address: str, jobs: int = 0) -> None:
        self.experiment, self.folder, self.jobs = experiment, folder.resolve(), jobs
        try:
            if match := _PLACE.fullmatch(address):  # Ray would go on trying for a long time
                socket.create_connection((match["host"], int(match["port"])), _PATIENCE).close()
            if not ray.is_initialized():
                where = {"num_cpus": jobs or None} if address == LOCAL else {"address": address}
                ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, RayError, ValueError, RuntimeError) as error:
            message = f"there is no Ray cluster at {address}: {error}"
            raise ArgumentError(
                message, "begin one with `ray start --head`, or give 'local'"
            ) from None

    def results(self, units: Iterator[Unit]) -> Generator[tuple[Unit, Rows], None, None]:
        """See :class:`grognard.lab.running.Crew`.  RulesError where workers die again and again."""
        told = json.dumps(self.experiment.data), str(self.folder)
        play: Any = ray.remote(max_retries=_AGAIN)(_play)
        waiting: dict[Any, Unit] = {}
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        room = self.jobs or max(1, int(resources.get("CPU", 1)))
        try:
            while True:
                while len(waiting) < room and (unit := next(units, None)) is not None:
                    waiting[play.remote(*told, unit)] = unit
                if not waiting:
                    return
                ready, _ = ray.wait(list(waiting), num_returns=1)
                for reference in ready:
                    yield waiting.pop(reference), _result_of(reference)
        finally:
            for reference in waiting:
                ray.cancel(reference, force=True)


def _result_of(reference: Any) -> Rows:
    try:
        rows: Rows = ray.get(reference)
        return rows
    except RayTaskError as error:
        if isinstance(error.cause, GrognardError):
            raise error.cause from None
        raise
    except RayError as error:
        remedy = "look at the cluster; the same command goes on from here"
        raise RulesError(f"workers of the cluster died: {error}", remedy) from None


@lru_cache(maxsize=1)
def _place(text: str, folder: str) -> Workplace:
    return Workplace(Experiment.of(json.loads(text)), Path(folder))


def _play(text: str, folder: str, unit: Unit) -> Rows:
    """In a worker."""
    return _place(text, folder).play(unit)
