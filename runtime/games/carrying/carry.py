"""A game that goes on by other rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from runtime.errors import blaming
from runtime.games.carrying.carried_history import CarriedHistory
from runtime.games.carrying.carried_state import CarriedState
from runtime.games.carrying.renamed import with_new_names
from runtime.games.carrying.translation import OTHER, Gone, Loss, Translation
from runtime.games.carrying.under_way import UnderWay
from runtime.games.events import History
from runtime.games.explanation import Library
from runtime.games.game import Game
from runtime.games.play import Past
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: How many stretches of play by earlier rules are remembered.
_REMEMBERED = 4
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CarriedGame:
    """The *game* that goes on, None where nothing of it can; how many answers it went *back*, since
    a procedure under way then, or what it waited for, is gone; what was *lost*, which stands as it
    is set up.  Where it went back, or cannot go on, the first loss is what was under way.
    """

    game: Game | None
    back: int = 0
    lost: tuple[Loss, ...] = ()


def carry_over(
    game: Game,
    program: CompiledProgram,
    setup: SetUp,
    library: Library | None = None,
    names: Mapping[str, str] = _NONE,
) -> CarriedGame:
    """Go on with *game* by other rules, in a set-up of them, from where it stands.  *names*: those
    that were given instead of others, by the old ones.

    The procedures under way go on where they wait.  Where one of them is gone, or what it waits
    for, it goes back to the latest decision at which all can be kept: so far as the game can be
    played again, which one that began from a position cannot.  What no step writes, and whether
    optional rules are on, is as the new rules and their set-up say.  The game has no record then,
    and takes back no further.  *game* stays as it is.  RulesError where the new rules fail.
    """
    program = program.on(setup.board)
    going_on = _GoingOn(game, program, setup, library, names)
    if going_on.translation(game.spec, game.setup).old.sides != program.spec.sides:
        return CarriedGame(None, 0, (Loss("Side", OTHER),))
    past = game.past
    present = _Moment(game.state, game.history, game.folds, past)
    try:
        made, lost = going_on.game_from(present, game.spec, game.setup)
    except Gone as gone:
        missing = gone.loss("play")
    else:
        return CarriedGame(made, 0, lost)
    back = 0
    while past is not None:
        found = _latest(past, UnderWay(going_on.translation(past.program.spec, past.setup)))
        if found is not None:
            made, lost = going_on.game_from(found, past.program.spec, past.setup)
            given = found.past.answers if found.past is not None else ()
            return CarriedGame(made, back + len(past.answers) - len(given), (missing, *lost))
        back += len(past.answers)
        past = past.before
    return CarriedGame(None, 0, (missing,))


@dataclass(frozen=True, slots=True)
class _Moment:
    """A decision: what stood, what had happened, and the *past* with its answers until then."""

    state: StateBase
    history: History
    folds: tuple[int, ...]
    past: Past | None


def _latest(past: Past, under_way: UnderWay) -> _Moment | None:
    """The latest decision before the last one of *past* whose procedures can go on."""
    notes, events = list(past.history.notes), list(past.history.events)
    folds, since = list(past.folds), past.history.since
    state = past.begun(notes, events)
    found: _Moment | None = None
    for number, answer in enumerate(past.answers):
        if under_way.keeps(state):
            history = History(tuple(notes), tuple(events), since)
            given = replace(past, answers=past.answers[:number])
            found = _Moment(state.copy(), history, tuple(folds), given)
        since, checkpoints = (len(notes), len(events)), state.checkpoints
        past.program.answer(state, answer)
        if state.checkpoints != checkpoints:
            folds.append(len(notes))
    return found


def _recent_past(past: Past | None, left: int = _REMEMBERED) -> Past | None:
    """What is remembered of the past: stretches in which something was decided."""
    if past is None or not left:
        return None
    if not past.answers:
        return _recent_past(past.before, left)
    return replace(past, before=_recent_past(past.before, left - 1))


@dataclass(frozen=True, slots=True)
class _GoingOn:
    """Makes of moments of a game, or before it, games that go on from there."""

    game: Game
    program: CompiledProgram
    setup: SetUp
    library: Library | None
    names: Mapping[str, str]

    def translation(self, old: RulesetSpec, old_setup: SetUp) -> Translation:
        """From earlier rules and their set-up to these."""
        new, setup = self.program.spec, self.setup
        return Translation(*with_new_names(old, old_setup, new, setup, self.names), new, setup)

    def game_from(
        self, moment: _Moment, old: RulesetSpec, old_setup: SetUp
    ) -> tuple[Game, tuple[Loss, ...]]:
        """The game, and what was lost.  Raises Gone where it cannot go on from this moment."""
        program, setup, procedure = self.program, self.setup, self.game.run_alone
        translation = self.translation(old, old_setup)
        frames = UnderWay(translation).frames(moment.state)
        with blaming(program.spec.name):
            start = program.new_state(setup, moment.state.seed)
        start.frames = frames
        CarriedState(translation, moment.state, start).carry(procedure)
        history, folds = CarriedHistory(translation).history(moment.history, moment.folds)

        def begun(notes: list[Any], events: list[Any]) -> StateBase:
            state = start.copy()
            state.log, state.events = notes, events
            if frames:
                program.go_on(state)
            return state

        notes = list(history.notes)
        with blaming(program.spec.name):
            if begun(notes, list(history.events)).checkpoints != start.checkpoints:
                folds = (*folds, len(notes))
        past = Past(program, setup, begun, history, folds, (), _recent_past(moment.past))
        made = Game.after(past, procedure, self.game.wording.language, self.library)
        return made, translation.losses
