"""What a game tells that is played again decision by decision: rows for tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from compiler import ir
from compiler.emit.emission import WatchedItem
from compiler.ruleset import Ruleset
from grognard.coverage.watched_games import WatchedProgram, used_names, watching
from runtime.games.wording import wording_for
from runtime.model import NONE, PASS, PileSpec, RulesetSpec, branch_of
from runtime.runs.bots import value_of_end
from runtime.scenario.fields import SIDE, place_field, side_field, strength_field
from runtime.scenario.setup import SetUp
from runtime.state import RulesetFault, StateBase
from runtime.view import view

#: How often a decision that chance followed is taken again, with other chance.
_LOOKS = 16
#: The kinds of what decides: what is named by it is counted.
_DECIDES = ("rule", "modifier", "effect", "check")

Rows = dict[str, list[dict[str, Any]]]


class Watcher:
    """Plays games of a ruleset again, and says what went on in them."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.program: ir.Program = ruleset.program
        self.noting, self.watched = watching(ruleset)
        self.cited: dict[str, list[str]] = {}
        for rule, uses in self.program.citations.items():
            for use in uses:
                self.cited.setdefault(use, []).append(rule)

    def rows(self, setup: SetUp, seed: int, taken: Sequence[int]) -> Rows:
        """What a game of this seed tells, in which these options were taken: rows of the tables
        *turns*, *sides*, *cards*, *options* and *rules*, without what says which game it is.
        """
        program = self.noting.on(setup.board)
        assert isinstance(program, WatchedProgram)
        game = _Game(program, setup, seed, self.watched)
        for option in taken:
            game.take(option)
        return game.rows(self.cited)


@dataclass(frozen=True, slots=True)
class _Kind:
    """Pieces of a kind: whose they are, where they stand and how strong they are."""

    sides: Sequence[int]
    place: str
    strength: str


class _Game:
    """A game that is played again."""

    def __init__(
        self, program: WatchedProgram, setup: SetUp, seed: int, watched: list[WatchedItem]
    ) -> None:
        self.program, self.spec, self.setup, self.watched = program, program.spec, setup, watched
        self.state = program.new_state(setup, seed)
        program.begin(self.state)
        program.marks.clear()
        sides = range(len(self.spec.sides))
        self.kinds = list(_kinds(self.spec, self.state))
        self.piles = _piles(self.spec)
        self.turns: list[dict[str, Any]] = []
        self.offered: Counter[tuple[int, int, int]] = Counter()
        self.chosen: Counter[tuple[int, int, int]] = Counter()
        self.decided: Counter[str] = Counter()
        self.held: dict[tuple[int, str, int], int] = {}
        self.played: Counter[tuple[int, str, int]] = Counter()
        self.figures = [Counter[str]() for _ in sides]
        #: how much the standing of each side has changed, in all and since the last checkpoint
        self.swings = [dict.fromkeys(_CAUSES, 0.0) for _ in sides]
        self.since = [dict.fromkeys(_CAUSES, 0.0) for _ in sides]
        self.decisions = 0
        self._turn()

    def _standings(self, state: StateBase) -> list[float]:
        with self.program.pause_notes():
            sides = range(len(self.spec.sides))
            return [float(self.program.standing(state, side)) for side in sides]

    def _expected_standings(self, before: StateBase, option: int) -> list[float] | None:
        """What the standings are after an option on average, as far as who takes it can know; None
        where nothing that could be agrees with the rules.
        """
        seen, rng, found = view(before, before.chooser), Random(self.decisions), list[list[float]]()
        for _ in range(_LOOKS):
            world = seen.sample(rng)
            with suppress(RulesetFault):
                self.program.answer(world, option)
                found.append(self._standings(world))
        self.program.marks.clear()  # what could have been has decided nothing
        return [sum(values) / len(found) for values in zip(*found, strict=True)] or None

    def _turn(self) -> None:
        """Note how it stands at a checkpoint."""
        state = self.state
        for side, standing in enumerate(self._standings(state)):
            score = self.program.score(state, side)
            row = {"turn": state.checkpoints, "side": self.spec.sides[side], "score": score}
            row |= {"standing": standing, "decisions": self.decisions}
            self.turns.append({**row, **self.since[side]})
            self.since[side] = dict.fromkeys(_CAUSES, 0.0)

    def take(self, option: int) -> None:
        """Take an option, and note what that does."""
        state, side, point = self.state, self.state.chooser, self.state.point
        for branch in {_branch(o) for o in state.options}:
            self.offered[side, point, branch] += 1
        self.chosen[side, point, _branch(option)] += 1
        hands = self._hands()
        for key in hands:
            self.held.setdefault(key, self.decisions)
        before = [list(getattr(state, kind.place)) for kind in self.kinds]
        strengths = self._strengths()
        kept, turn = state.copy(), state.checkpoints
        self.program.answer(state, option)
        self.decisions += 1
        self.decided.update(used_names(self.watched, self.program.marks))
        self.program.marks.clear()
        if side != NONE:
            for key, copies in (hands - self._hands()).items():
                if key[0] == side:
                    self.played[key] += copies
        self._count_moves(side, before)
        for figures, old, new in zip(self.figures, strengths, self._strengths(), strict=True):
            figures["strength_lost"] += max(0, old - new)
        if state.counters != kept.counters and side != NONE:
            self.figures[side]["rolls"] += 1
        self._swung(kept, option)
        if state.checkpoints != turn or state.over:
            self._turn()

    def _swung(self, before: StateBase, option: int) -> None:
        """Count what an option has changed of the standings, and what chance, or what came to
        light, has made of it.
        """
        state = self.state
        was, now = self._standings(before), self._standings(state)
        mean = now
        if (state.counters, state.reveals) != (before.counters, before.reveals):
            mean = self._expected_standings(before, option) or now
        for side in range(len(now)):
            changes = {"by_chance": now[side] - mean[side], "by_decision": mean[side] - was[side]}
            for cause, change in changes.items():
                self.swings[side][cause] += abs(change)
                self.since[side][cause] += change

    def _hands(self) -> Counter[tuple[int, str, int]]:
        """The cards in the piles of sides: side, pile and card."""
        return Counter(
            (side, pile.enum, card)
            for pile in self.piles
            for side, cards in enumerate(getattr(self.state, pile.slot)[: len(self.spec.sides)])
            for card in cards
        )

    def _strengths(self) -> list[int]:
        """The strength of what each side has on the board."""
        found = [0] * len(self.spec.sides)
        for kind in self.kinds:
            places = getattr(self.state, kind.place)
            strengths = getattr(self.state, kind.strength) if kind.strength else None
            for piece, side in enumerate(kind.sides):
                if side != NONE and places[piece] != NONE:
                    found[side] += 1 if strengths is None else max(0, strengths[piece])
        return found

    def _count_moves(self, side: int, before: list[list[int]]) -> None:
        """Count what has moved and what has gone."""
        for kind, old in zip(self.kinds, before, strict=True):
            now = getattr(self.state, kind.place)
            for piece, whose in enumerate(kind.sides):
                if whose == NONE or old[piece] == now[piece]:
                    continue
                if now[piece] == NONE:
                    self.figures[whose]["lost"] += 1
                elif old[piece] == NONE:
                    self.figures[whose]["came"] += 1
                else:
                    self.figures[whose]["moves" if whose == side else "driven"] += 1

    # ---------------------------------------------------------------------- rows

    def rows(self, cited: dict[str, list[str]]) -> Rows:
        """What went on."""
        spec, state = self.spec, self.state
        wording = wording_for(spec, self.setup)
        worths = [value_of_end(state, side) for side in range(len(spec.sides))]
        sides = [
            {
                "side": name,
                "worth": worths[side],
                **{what: self.figures[side][what] for what in _FIGURES},
                **self.swings[side],
            }
            for side, name in enumerate(spec.sides)
        ]
        cards = [
            {
                "side": spec.sides[side],
                "card": spec.enums[enum][card],
                "title": wording.member(enum, card),
                "held_from": since,
                "played": self.played[side, enum, card],
                "worth": worths[side],
            }
            for (side, enum, card), since in sorted(self.held.items())
        ]
        rules = [
            {"rule": name, "ids": cited.get(name, []), "decisions": count}
            for name, count in sorted(self.decided.items())
            if name.split()[0] in _DECIDES
        ]
        return {
            "turns": self.turns,
            "sides": sides,
            "cards": cards,
            "options": [self._option(*key) for key in sorted(self.offered)],
            "rules": rules,
        }

    def _option(self, side: int, point: int, branch: int) -> dict[str, Any]:
        decision = self.spec.decisions[point]
        return {
            "side": self.spec.sides[side],
            "question": decision.prompt,
            "option": (decision.passing or "pass")
            if branch == PASS
            else decision.options[branch].word,
            "offered": self.offered[side, point, branch],
            "taken": self.chosen[side, point, branch],
        }


def _branch(option: int) -> int:
    """The number of an option's branch, PASS for passing."""
    return PASS if option == PASS else branch_of(option)


#: What changes a standing.
_CAUSES = ("by_chance", "by_decision")
#: What is counted of each side.
_FIGURES = ("moves", "driven", "rolls", "lost", "came", "strength_lost")


def _kinds(spec: RulesetSpec, state: StateBase) -> list[_Kind]:
    found = []
    for kind in spec.kinds:
        place, side = place_field(spec, kind), side_field(spec, kind)
        if place is not None and side is not None:
            strength = strength_field(spec, kind)
            sides = getattr(state, side.slot)[:-1]
            found.append(_Kind(sides, place.slot, "" if strength is None else strength.slot))
    return found


def _piles(spec: RulesetSpec) -> list[PileSpec]:
    """The piles that sides have, as hands."""
    return [pile for deck in spec.decks for pile in deck.piles if pile.per == SIDE]
