"""How often games and cases reach the rules that are being written, and which cases hold: found out
in a process of its own, since what plays would keep whoever types waiting.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic
from traceback import format_exc
from typing import Any

from compiler.ruleset import Ruleset
from grognard.cases.runner import Outcome
from grognard.cases.suite import RulesetErrors, Workbench, files_about, run_files
from grognard.coverage.watched_games import (
    Counts,
    WatchedProgram,
    counts,
    play_at_random,
    watching,
)
from grognard.editing.desk import Desk
from grognard.opening import load_scenario
from runtime.errors import GrognardError
from runtime.games.game import Game
from runtime.runs.workers import begin_behind
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault


@dataclass(frozen=True)
class ReplayableGame:
    """A game as it can be played again: by its seed, or from the state that it *began* with where
    other rules had led there; and the options that were taken.
    """

    seed: int
    began: dict[str, Any] | None
    answers: tuple[int, ...]

    @classmethod
    def of(cls, game: Game) -> ReplayableGame | None:
        """A game as it stands; None where it cannot be played again."""
        past = game.past
        if past is None:
            return None
        began = past.begun([], []).to_data() if game.unrecorded else None
        return cls(game.seed, began, past.answers)


@dataclass(frozen=True)
class Work:
    """What is to be counted of the ruleset in a *folder*, with open *texts* below *root*: a *game*
    of the first of the *scenarios*, the cases, and games at random for so many *seconds*.
    """

    root: Path
    folder: Path
    texts: Mapping[Path, str]
    scenarios: tuple[Path, ...]
    game: ReplayableGame | None
    seconds: float


@dataclass(frozen=True)
class CountedRun:
    """How often rules of the ruleset in a *folder* were reached, and what came of its cases, each
    with its file.
    """

    folder: Path
    counts: Counts
    outcomes: tuple[tuple[Path, Outcome], ...]


def count(work: Work, desk: Desk, going_on: Callable[[], bool] = lambda: True) -> CountedRun | None:
    """What is found out; None where that is not *going_on* to the end, or the ruleset has errors.
    What is known on the *desk* is taken over.
    """
    desk.texts = dict(work.texts)
    desk.forget_disk()
    with desk.searching():
        ruleset = desk.ruleset(work.folder)
        if ruleset.resolved.abstract or not ruleset.sound:
            return None
        program, watched = watching(ruleset)
        with program.pause_notes():
            setups = list(_setups(work, desk, ruleset, program))
        if work.game is not None and setups:
            _play_again(program, setups[0], work.game, going_on)
        outcomes = tuple(_run_cases(program, ruleset, desk, going_on))
    until, number = monotonic() + work.seconds, 0
    while setups and going_on() and monotonic() < until:
        with suppress(RulesetFault):
            setup = setups[number % len(setups)]
            play_at_random(program, setup, number, lambda: going_on() and monotonic() < until)
        number += 1
    return CountedRun(work.folder, counts(watched, program.marks), outcomes) if going_on() else None


def _setups(work: Work, desk: Desk, ruleset: Ruleset, program: WatchedProgram) -> Iterator[SetUp]:
    """The set-ups of the scenarios, those with errors left out."""
    for path in work.scenarios:
        opened, _ = load_scenario(
            *(path, work.folder, program), False, text=desk.text(path), ruleset=ruleset
        )
        if opened is not None:
            yield opened.setup


def _play_again(
    program: WatchedProgram, setup: SetUp, game: ReplayableGame, going_on: Callable[[], bool]
) -> None:
    playing = program.on(setup.board)
    with suppress(RulesetFault):
        if game.began is not None:
            state = playing.state_class.from_data(game.began)
        else:
            state = playing.new_state(setup, game.seed)
            playing.begin(state)
        for answer in game.answers:
            if not going_on():
                return
            playing.answer(state, answer)


def _run_cases(
    program: WatchedProgram, ruleset: Ruleset, desk: Desk, going_on: Callable[[], bool]
) -> Iterator[tuple[Path, Outcome]]:
    bench = Workbench(
        {ruleset.name: ruleset},
        lambda one: program if one is ruleset else one.compiled,
        desk.text,
    )
    for path in files_about(ruleset.folder):
        with suppress(GrognardError, RulesetErrors, RulesetFault):
            for outcome in run_files([path], bench=bench):
                if not going_on():
                    return
                if isinstance(outcome, Outcome):
                    yield path, replace(outcome, log=(), actions=())


class CountingProcess:
    """The process that counts, one thing at a time; it begins with the first, and keeps what it
    knows of rulesets for the next.
    """

    def __init__(self) -> None:
        self._context = get_context("spawn")  # as the process itself
        #: the number of what was asked for last
        self._latest = self._context.Value("L", 0, lock=False)
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False

    def next(self) -> int:
        """Stop what is under way; a number for what is asked for next."""
        self._latest.value += 1
        return int(self._latest.value)

    def count(self, number: int, work: Work) -> CountedRun | None:
        """What :func:`count` says, once it is known; None where it was stopped before."""
        if self._closed or number != self._latest.value:
            return None
        try:
            if self._process is None or self._pipe is None or not self._process.is_alive():
                self._pipe = self._begun()
            self._pipe.send((number, work))
            told = self._pipe.recv()
        except (EOFError, OSError):  # it was ended
            return None
        if isinstance(told, str):
            logging.getLogger(__name__).error("%s", told)
            return None
        return told  # type: ignore[no-any-return]

    def _begun(self) -> Connection:
        here, there = self._context.Pipe()
        self._process = begin_behind("counting", _serve, there, self._latest)
        there.close()
        return here

    def close(self) -> None:
        """End it: nothing is counted any more."""
        self._closed = True
        self.next()
        if self._process is not None:
            self._process.terminate()
            self._process.join()


def _serve(pipe: Connection, latest: Any) -> None:
    """Count what comes, as long as it comes."""
    desks: dict[Path, Desk] = {}
    with suppress(EOFError, OSError):
        while True:
            number, work = pipe.recv()
            desk = desks.setdefault(work.root, Desk(work.root))
            told: CountedRun | str | None
            try:
                told = count(work, desk, partial(_is, latest, number))
            except Exception:  # it is for the log of whoever asked
                told = format_exc()
            pipe.send(told)


def _is(latest: Any, number: int) -> bool:
    return bool(latest.value == number)
