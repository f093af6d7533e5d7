"""What will come of a choice: the rest of what it begins is played many times over, with dice of
its own.

Each time begins from a position that agrees with what the side sees
(:meth:`runtime.view.View.sample`), so nothing hidden is told.  Behind the choice every side passes
where it may, and else takes anything, until the procedure that asked goes on.  What is counted is
what changes of the board: strength lost or won, pieces that leave the board or stand elsewhere,
points.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from grognard.lexicon.catalogue import Words
from grognard.lexicon.names import Lexicon
from runtime.games.game import Game
from runtime.model import NONE, PASS, FieldSpec, RulesetSpec
from runtime.option import Option
from runtime.program import scores
from runtime.runs.intervals import wilson
from runtime.scenario.fields import place_field, strength_field
from runtime.state import RulesetFault, StateBase
from runtime.view import view

#: How often a choice is played, and at least; how long that may take, in seconds.
_TIMES, _LEAST, _SECONDS = 400, 40, 4.0
#: After how many decisions a choice is taken as done.
_DECISIONS = 80


@dataclass(frozen=True, slots=True)
class Figures:
    """Pieces whose counters say something else for their strength than a number of theirs: the
    *kinds*, and what gives the figures, by kind and number, that a side sees in a position.
    """

    kinds: Collection[str]
    of: Callable[[StateBase, int], Mapping[tuple[str, int], str]]

    def changes(
        self, spec: RulesetSpec, before: StateBase, after: StateBase
    ) -> dict[tuple[str, int], tuple[str, str]]:
        """What counters say before and after, where that differs: 3-4, then 2-4."""
        slots = [f.slot for kind in self.kinds for f in spec.fields_of(kind) if not f.place]
        if all(getattr(before, slot) == getattr(after, slot) for slot in slots):
            return {}
        old, new = self.of(before, after.chooser), self.of(after, after.chooser)
        return {
            piece: (old[piece], new[piece])
            for piece in old
            if piece[0] in self.kinds and new.get(piece, old[piece]) != old[piece]
        }


#: No such pieces.
NO_FIGURES = Figures((), lambda state, side: {})


@dataclass(frozen=True, slots=True)
class Share:
    """*what* happens, in which *share* of all times, with the 95% *interval*."""

    what: str
    share: float
    interval: tuple[float, float]


@dataclass
class Odds:
    """What has come of a choice: how often each change was seen in *times* goes.

    A change is a subject (a piece, or a side's points) and what happens to it.  *chance* says
    whether anything differed from one time to another.
    """

    times: int = 0
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def chance(self) -> bool:
        """Whether not the same came of it every time."""
        return any(count != self.times for count in self.seen.values())

    def shares(self) -> dict[str, list[Share]]:
        """By subject what happens to it, the likeliest first."""
        subjects: dict[str, list[Share]] = {}
        for (subject, what), count in sorted(self.seen.items(), key=_likeliest):
            share = Share(what, count / self.times, wilson(count, self.times))
            subjects.setdefault(subject, []).append(share)
        order = dict.fromkeys(subject for subject, _ in self.seen)
        return {subject: subjects[subject] for subject in order}


def _likeliest(seen: tuple[tuple[str, str], int]) -> tuple[int, str]:
    (_, what), count = seen
    return -count, what


def odds_of(
    game: Game,
    lexicon: Lexicon,
    options: Sequence[Option],
    rng: Random,
    figures: Figures = NO_FIGURES,
    times: int = _TIMES,
) -> Odds:
    """Play *options*, the next decisions of the side that decides, and what they begin, many times
    over; *figures* say how strong pieces are that show no number of their own.
    """
    decision = game.decision
    assert decision is not None
    seen, depth = view(game.state, decision.side), len(game.state.frames)
    odds = Odds()
    until = time.monotonic() + _SECONDS
    tried = 0
    while tried < times and (tried < _LEAST or time.monotonic() < until):
        tried += 1
        state = seen.sample(rng)
        before = state.copy()
        if _play_choice(game, state, options, depth, rng):
            odds.times += 1
            odds.seen.update(dict.fromkeys(_changes(game, lexicon, figures, before, state), 1))
    return odds


def _play_choice(
    game: Game, state: StateBase, options: Sequence[Option], depth: int, rng: Random
) -> bool:
    """Play a choice and what it begins; whether it could be played."""
    answer = game.program.answer
    try:
        for option in options:
            if state.over or option.raw not in state.options:
                return False
            answer(state, option.raw)
        for _ in range(_DECISIONS):
            if state.over or len(state.frames) <= depth:
                break
            answer(state, PASS if PASS in state.options else rng.choice(state.options))
    except RulesetFault:
        return False
    return True


# ---------------------------------------------------------------------- what has changed


def _changes(
    game: Game, lexicon: Lexicon, figures: Figures, before: StateBase, after: StateBase
) -> Iterator[tuple[str, str]]:
    """What has changed, in words."""
    figured = figures.changes(game.spec, before, after)
    for kind in game.spec.kinds:
        place = place_field(game.spec, kind)
        strength = None if kind in figures.kinds else strength_field(game.spec, kind)
        for index in range(len(game.setup.pieces.get(kind, ()))):
            name = lexicon.piece_name(kind, index)
            for text in _of_piece(lexicon.words, place, strength, index, before, after):
                yield name, text
            if (kind, index) in figured:
                was, now = figured[kind, index]
                yield name, lexicon.words("{before} becomes {after}", before=was, after=now)
    one, other = scores(game.program, before), scores(game.program, after)
    points = lexicon.wording.text("score", lexicon.words("points"))
    for side, (had, has) in enumerate(zip(one or (), other or (), strict=True)):
        if had != has:
            yield lexicon.side_name(side), f"{points} {has - had:+d}"


def _of_piece(
    words: Words,
    place: FieldSpec | None,
    strength: FieldSpec | None,
    index: int,
    before: StateBase,
    after: StateBase,
) -> list[str]:
    """What has become of a piece."""
    was = now = NONE
    if place is not None:
        was, now = getattr(before, place.slot)[index], getattr(after, place.slot)[index]
        if now == NONE:
            return [words("leaves the board")] if was != NONE else []
        if was == NONE:
            return [words("comes on")]
    texts = []
    lost = 0
    if strength is not None:
        lost = getattr(before, strength.slot)[index] - getattr(after, strength.slot)[index]
    if lost:
        texts.append(words("loses {count}" if lost > 0 else "gains {count}", count=abs(lost)))
    if was != now:
        texts.append(words("stands elsewhere"))
    return texts
