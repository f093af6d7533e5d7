"""What the lines of a ruleset cost while games are played: where the Python that it was compiled to
is at work, looked at every millisecond.
"""

from __future__ import annotations

import linecache
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from threading import Event, Thread, get_ident
from types import CodeType, FrameType
from typing import Final, NamedTuple

from compiler import ir
from compiler.output.report import shown_path
from grognard import places
from grognard.bots.players import seat_for
from grognard.scenario import Scenario
from runtime.runs.seats import Seat
from runtime.view import view

#: Seconds between two looks.
_APART: Final = 0.001
#: How a function of generated code is called: what it does, then for what.
_CALLED: Final = re.compile(r"([a-z]+)\d*_(.+)")
_KINDS: Final = {
    "travel": "travel",
    "reach": "travel",
    "way": "travel",
    "check": "check",
    "initial": "initial value",
    "b": "procedure",
    "p": "procedure",
}


@dataclass(frozen=True)
class Cost:
    """What a definition or a line takes, in shares of all time: by itself, and with what it asks
    for.
    """

    what: str
    file: str
    line: int
    own: float
    whole: float


@dataclass(frozen=True)
class Costs:
    """What games have cost; *rules* is the share of the time that lines of rules were at work, the
    rest is the engine's and the bots'.  Both lists begin with what takes most by itself.
    """

    games: int
    decisions: int
    samples: int
    rules: float
    definitions: list[Cost]
    lines: list[Cost]


def costs(opened: Scenario, bots: Sequence[str], seconds: float, seed: int = 1) -> Costs:
    """Play games between *bots*, one for each side in order, for so many seconds, and measure what
    the rules cost.  ArgumentError.
    """
    program, setup = opened.program, opened.setup
    program.libraries = None  # what is looked at is Python
    seats = [seat_for(name, program, setup) for name in bots]
    ruleset = places.ruleset(opened.folder)
    sampler = _Sampler(ruleset.program)
    games = decisions = 0
    with sampler.looking():
        until = time.monotonic() + seconds
        while not games or time.monotonic() < until:
            decisions += _play_game(opened, seats, seed + games, until)
            games += 1
    found = [
        Cost(
            place.what,
            shown_path(place.file),
            place.line,
            sampler.own[place] / sampler.samples,
            n / sampler.samples,
        )
        for place, n in sampler.whole.items()
    ]
    found.sort(key=lambda cost: (-cost.own, -cost.whole, cost.file, cost.line))
    lines = [replace(cost, what=_text(cost)) for cost in found if not cost.what]
    definitions = [cost for cost in found if cost.what]
    rules = sum(cost.own for cost in lines)
    return Costs(games, decisions, sampler.samples, rules, definitions, lines)


def _text(cost: Cost) -> str:
    """What stands in a line."""
    return linecache.getline(cost.file, cost.line).strip()


def _play_game(opened: Scenario, seats: Sequence[Seat], seed: int, until: float) -> int:
    """Play a game, as far as there is time; how many decisions that were."""
    program = opened.program
    state = program.new_state(opened.setup, seed)
    program.begin(state)
    rngs = [Random(f"{seed}:{side}") for side in range(len(seats))]
    decisions = 0
    while not state.over and time.monotonic() < until:
        side = state.chooser
        seat = seats[side]
        sight = None if seat.blind else view(state, side)
        program.answer(state, seat.choose(sight, state.options, rngs[side]))
        decisions += 1
    return decisions


class _Sampler:
    """Looks at the thread that made it, which plays by a program."""

    def __init__(self, program: ir.Program) -> None:
        self._kinds = {name: call.kind for name, call in program.calls.items()}
        self._begin = {
            f"{kind} {name}": span.line
            for kind, name, span in (
                *((call.kind, name, call.span) for name, call in program.calls.items()),
                *(("travel", name, one.span) for name, one in program.travels.items()),
                *(("check", name, one.span) for name, one in program.checks.items()),
                *(("procedure", name, one.span) for name, one in program.procedures.items()),
            )
        }
        self._whose = get_ident()
        self._done = Event()
        self._names: dict[CodeType, _Place] = {}
        self.samples = 0
        #: by place: how often it was at work itself, and how often it or what it had asked for
        self.own: Counter[_Place] = Counter()
        self.whole: Counter[_Place] = Counter()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look as long as this block goes on."""
        interval = sys.getswitchinterval()
        thread = Thread(target=self._look, daemon=True)
        sys.setswitchinterval(_APART / 10)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()
            sys.setswitchinterval(interval)

    def _look(self) -> None:
        while not self._done.wait(_APART):
            frame = sys._current_frames().get(self._whose)
            if frame is not None:
                self._note(frame)

    def _note(self, frame: FrameType) -> None:
        self.samples += 1
        places: dict[_Place, None] = {}
        at: FrameType | None = frame
        while at is not None:
            code = at.f_code
            if code.co_filename.endswith(".grog"):
                here = _Place("", code.co_filename, at.f_lineno or code.co_firstlineno)
                definition = self._definition(code)
                if not places:
                    self.own.update((here, definition))
                places |= {here: None, definition: None}
            at = at.f_back
        self.whole.update(places.keys())

    def _definition(self, code: CodeType) -> _Place:
        known = self._names.get(code)
        if known is None:
            match = _CALLED.fullmatch(code.co_name)
            does, name = match.groups() if match else ("", code.co_name)
            if name not in self._kinds:
                name = name.partition("__")[0]  # of certain pieces, or by an effect
            what = f"{_KINDS.get(does) or self._kinds.get(name, '')} {name}".strip()
            line = self._begin.get(what, code.co_firstlineno)
            known = self._names[code] = _Place(what, code.co_filename, line)
        return known


class _Place(NamedTuple):
    """A definition, or a line, which has no name."""

    what: str
    file: str
    line: int
