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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from grognard.draw.scene import Scene
from grognard.lexicon.catalogue import Words
from runtime.games.game import Game
from runtime.model import NONE, PASS, FieldSpec
from runtime.option import Option
from runtime.program import scores
from runtime.runs.intervals import wilson
from runtime.state import RulesetFault, StateBase
from runtime.view import view

#: How often a choice is played, and at least; how long that may take, in seconds.
_TIMES, _LEAST, _SECONDS = 400, 40, 4.0
#: After how many decisions a choice is taken as done.
_DECISIONS = 80


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

    def lines(self, words: Words) -> list[str]:
        """A line for each subject, with shares and their 95% intervals."""
        subjects: dict[str, list[tuple[int, str]]] = {}
        for (subject, what), count in self.seen.items():
            subjects.setdefault(subject, []).append((count, what))
        made = []
        for subject, found in subjects.items():
            found.sort(key=lambda one: (-one[0], one[1]))
            made.append(
                f"{subject}: "
                + ", ".join(f"{what} {self._share(count, words)}" for count, what in found)
            )
        return made

    def _share(self, count: int, words: Words) -> str:
        if count == self.times:
            return words("always")
        low, high = wilson(count, self.times)
        interval = f"{words.number(100 * low)}–{words.number(100 * high)}"
        return f"{words.percent(count / self.times)} ({interval})"


def odds_of(
    game: Game, scene: Scene, options: Sequence[Option], rng: Random, times: int = _TIMES
) -> Odds:
    """Play *options*, the next decisions of the side that decides, and what they begin, many times
    over.
    """
    decision = game.decision
    assert decision is not None
    seen = view(game.state, decision.side)
    depth = len(game.state.frames)
    found = Odds()
    until = time.monotonic() + _SECONDS
    tried = 0
    while tried < times and (tried < _LEAST or time.monotonic() < until):
        tried += 1
        state = seen.sample(rng)
        before = state.copy()
        if _played(game, state, options, depth, rng):
            found.times += 1
            found.seen.update(set(_changes(game, scene, before, state)))
    return found


def _played(
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


def _changes(
    game: Game, scene: Scene, before: StateBase, after: StateBase
) -> list[tuple[str, str]]:
    """What has changed, in words."""
    found: list[tuple[str, str]] = []
    for kind in game.spec.kinds:
        place, strength = scene.place_of(kind), _strength(scene, kind)
        for index, piece in enumerate(game.setup.pieces.get(kind, ())):
            changes = _of_piece(scene.words, place, strength, index, before, after)
            found += [(scene.wording.called(piece.name), text) for text in changes]
        if strength is None:
            found += _figures(scene, kind, before, after)
    one, other = scores(game.program, before), scores(game.program, after)
    for side, (had, has) in enumerate(zip(one or (), other or (), strict=True)):
        if had != has:
            points = scene.wording.text("score", scene.words("points"))
            found.append((scene.side_name(side), f"{points} {has - had:+d}"))
    return found


def _strength(scene: Scene, kind: str) -> FieldSpec | None:
    """The number that is the strength of pieces of a kind; None where their counters say something
    else.
    """
    strength, said = (
        scene.strength_of(kind),
        str(scene.style.part("pieces", kind).get("figures", "")),
    )
    return strength if strength is None or not said or f"{{{strength.name}" in said else None


def _figures(
    scene: Scene, kind: str, before: StateBase, after: StateBase
) -> Iterator[tuple[str, str]]:
    """What counters without a number for the strength say before and after: 3-4, then 2-4."""
    slots = [f.slot for f in scene.spec.fields_of(kind) if not f.place]
    if all(getattr(before, slot) == getattr(after, slot) for slot in slots):
        return
    old, new = (scene.looks(view(state, after.chooser)) for state in (before, after))
    for piece, token in old.items():
        shown = new.get(piece)
        if piece[0] == kind and shown is not None and shown.figures != token.figures:
            name = scene.wording.called(scene.setup.pieces[kind][piece[1]].name)
            yield (
                name,
                scene.words("{before} becomes {after}", before=token.figures, after=shown.figures),
            )


def _of_piece(
    words: Words,
    place: FieldSpec | None,
    strength: FieldSpec | None,
    index: int,
    before: StateBase,
    after: StateBase,
) -> list[str]:
    """What has become of a piece."""
    if place is not None:
        was, now = getattr(before, place.slot)[index], getattr(after, place.slot)[index]
        if was != NONE and now == NONE:
            return [words("leaves the board")]
        if was == NONE and now == NONE:
            return []
        if was == NONE:
            return [words("comes on")]
    texts = []
    if strength is not None:
        lost = getattr(before, strength.slot)[index] - getattr(after, strength.slot)[index]
        if lost:
            texts.append(
                words("loses {count}", count=lost)
                if lost > 0
                else words("gains {count}", count=-lost)
            )
    if place is not None and was != now:
        texts.append(words("stands elsewhere"))
    return texts
