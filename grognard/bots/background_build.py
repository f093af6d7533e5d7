"""A native build that is made while somebody plays against a bot that searches: natively it sees
some ten times as much in its time.  It does from the decision on at which the build is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from compiler.native.build import CannotBuild, toolchain
from compiler.native.build_cache import builds_enabled
from grognard import places
from grognard.scenario import Scenario
from runtime.runs.machine import Shape, shape_of
from runtime.runs.search import SearchBot
from runtime.runs.seats import Seat
from runtime.runs.workers import begin_behind

#: The process that builds, or has built last.
_building: BaseProcess | None = None


def build_meanwhile(scenario: Scenario, seats: Iterable[Seat]) -> None:
    """Begin to build a scenario's ruleset natively, if one of the seats is that of a bot that
    searches and there is no build yet.

    It is built by a process of low priority that ends with this one; one at a time, and nobody is
    told whether it can be: without a build all goes on in Python.
    """
    global _building
    searching = any(isinstance(seat.engines, SearchBot) for seat in seats)
    if not searching or not builds_enabled() or scenario.ruleset is not None:
        return
    if _building is not None and _building.is_alive():
        return
    shape = shape_of(scenario.program.spec, scenario.setup)
    if scenario.rules.native.whole(shape):
        return
    with suppress(CannotBuild, OSError):  # or there is no room for another process
        toolchain()
        _building = begin_behind("building", _build, scenario.folder, shape)


def _build(folder: Path, shape: Shape) -> None:
    with suppress(Exception):  # `grognard compile --native` tells what is wrong
        places.ruleset(folder).build_natively(shape)
