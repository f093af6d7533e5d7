"""What a side may see of a state.

A view holds a copy of the state from which everything the side may not see has been taken out: hidden piles and
the piles of other sides keep only their size, fields ``seen by`` another side are blank, chance is gone, and the
procedures under way are kept only at the side's own decision.  States that differ only in what a side may
not see give equal views.

Assumption about rulesets: secrets lie in piles and in ``seen by`` fields.  A card in flight, drawn and held in a
local of a procedure, counts as known to the side that decides meanwhile, and as unseen to the others; and who is asked,
and for what, is open (a ruleset that asks a question only when a hidden card allows it tells that there is such a card;
``veiled`` questions do not).  What was chosen secretly is no longer in the procedures under way when another side decides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from runtime.model import NONE, DeckSpec, FieldSpec, PileSpec, RulesetSpec
from runtime.program import Program, scores
from runtime.state import RUNNING, StateBase, zero

__all__ = ["View", "reindex", "view"]


@dataclass(frozen=True)
class _Plan:
    """What of a ruleset's states is not for everybody."""

    spec: RulesetSpec
    #: per deck, its closed piles
    decks: tuple[tuple[DeckSpec, tuple[PileSpec, ...]], ...]
    #: fields with the slot that says who sees them
    fields: tuple[tuple[FieldSpec, str], ...]
    indexed: bool


_PLANS: WeakKeyDictionary[type[StateBase], _Plan] = WeakKeyDictionary()


def _plan(kind: type[StateBase]) -> _Plan:
    found = _PLANS.get(kind)
    if found is None:
        spec = kind.SPEC
        slots = {(f.owner, f.name): f.slot for f in spec.fields}
        fields = tuple((f, slots[f.owner, f.seen_by]) for f in spec.fields if f.seen_by is not None)
        decks = tuple((d, tuple(p for p in d.piles if p.visibility != "open")) for d in spec.decks)
        indexed = any(f.place or (f.fixed and f.type.kind == "enum") for f, _ in fields)
        found = _PLANS[kind] = _Plan(spec, tuple(d for d in decks if d[1]), fields, indexed)
    return found


def _closed(pile: PileSpec, content: Any, side: int) -> list[tuple[list[int], int]]:
    """The parts of a pile that the side does not see: lists of cards, each with how many of its first cards are unseen."""
    parts = [content] if pile.per is None else content
    own = side if pile.visibility == "owner" and pile.per == "Side" else NONE
    seen = 1 if pile.visibility == "top" else 0
    return [(part, max(0, len(part) - seen)) for i, part in enumerate(parts) if i != own]


#: Piles of which every side sees cards.
_SHOWN = ("open", "top")


def _seen(part: list[int]) -> list[int | None]:
    """The cards of a pile that all look at, those under the top one perhaps covered."""
    return [None if card == NONE else card for card in part]


class View:
    """What one side may see; made by :func:`view`.

    *decision* is the index of the pending decision, *options* are its options and *about* what it is about when it is the
    side's own; for other sides' decisions they are ``NONE`` and empty.  Views are equal when they show the same.
    """

    def __init__(self, state: StateBase, side: int) -> None:
        self.side = side
        plan = self._plan = _plan(type(state))
        self.spec = plan.spec
        base = self._base = state.copy()
        base.script = None
        base.seed = 0
        base.counters = [0] * len(base.counters)
        base.answer = NONE
        base.result = 0
        base.reveals = 0
        self.own = state.over == RUNNING and state.chooser == side
        if not self.own:
            base.frames = []
            base.options = []
            base.point = NONE
        if not (self.own and self.spec.decisions[base.point].about):
            base.about = ()
        self.decision = base.point
        self.options = tuple(base.options)
        self.about = base.about
        self._pools: list[list[int]] = []
        for deck, piles in plan.decks:
            pool: list[int] = []
            for pile in piles:
                for part, unseen in _closed(pile, getattr(base, pile.slot), side):
                    pool += part[:unseen]
                    part[:unseen] = [NONE] * unseen
            self._pools.append(sorted(pool) if self.own else self._rest(deck))
        #: the hidden entries of each field that has some: their places, and for fixed fields their values in order
        self._blanks: list[tuple[FieldSpec, list[int], list[int]]] = []
        if plan.fields:
            self._blank(state)

    def _rest(self, deck: DeckSpec) -> list[int]:
        """The cards of a deck without those in sight: at others' decisions cards in flight count as unseen."""
        left = Counter(dict(enumerate(deck.copies)))
        for pile in deck.piles:
            content = getattr(self._base, pile.slot)
            for part in content if pile.per is not None else [content]:
                left.subtract(part)
        return [card for card, copies in enumerate(deck.copies) for _ in range(left[card])]

    def _blank(self, state: StateBase) -> None:
        """Take out of the copy the values of fields that others see."""
        base = self._base
        for field, who in self._plan.fields:
            blank = zero(field.type)
            if field.owner == "Game":
                if getattr(state, who) != self.side:
                    self._blanks.append((field, [NONE], []))
                    setattr(base, field.slot, blank)
                continue
            seers = getattr(state, who)
            column = list(getattr(state, field.slot))
            places = [i for i in range(len(column) - 1) if seers[i] != self.side]
            if places:
                known = sorted(column[i] for i in places) if field.fixed else []
                self._blanks.append((field, places, known))
                for i in places:
                    column[i] = blank
                setattr(base, field.slot, column)
        if self._plan.indexed:
            reindex(base)

    # ------------------------------------------------------------------ what is seen

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything the side sees, as plain data.

        What it does not see is None or, for closed piles, a number of cards.
        """
        base, spec = self._base, self.spec
        made: dict[str, Any] = {
            "side": self.side,
            "over": base.over,
            "ranks": list(base.ranks),
            "checkpoints": base.checkpoints,
            "chooser": base.chooser if base.over == RUNNING else NONE,
            "decision": {"point": self.decision, "options": list(self.options), "about": list(self.about)} if self.own else None,
        }
        for field in spec.fields:
            value = getattr(base, field.slot)
            made[field.slot] = int(value) if field.owner == "Game" else [int(v) for v in value[:-1]]
        for field, places, _ in self._blanks:
            for i in places:
                if i == NONE:
                    made[field.slot] = None
                else:
                    made[field.slot][i] = None
        for deck in spec.decks:
            for pile in deck.piles:
                content = getattr(base, pile.slot)
                if pile.per is None:
                    made[pile.slot] = _seen(content) if pile.visibility in _SHOWN else len(content)
                elif pile.visibility in _SHOWN:
                    made[pile.slot] = [_seen(part) for part in content[:-1]]
                else:
                    sizes: list[Any] = [len(part) for part in content[:-1]]
                    if pile.visibility == "owner" and pile.per == "Side":
                        sizes[self.side] = list(content[self.side])
                    made[pile.slot] = sizes
        for effect in spec.effects:
            made[effect.slot] = getattr(base, effect.slot)
        for name in spec.switches:
            made[f"switch_{name}"] = getattr(base, f"switch_{name}")
        return made

    @property
    def unseen(self) -> dict[str, Counter[int]]:
        """For each deck with closed piles, the cards that the side does not see, wherever they are."""
        return {deck.name: Counter(pool) for (deck, _), pool in zip(self._plan.decks, self._pools, strict=True)}

    def scores(self, program: Program) -> tuple[int, ...] | None:
        """The points of each side, as far as they follow from what is seen; None when the ruleset does not count any."""
        return scores(program, self._base)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.data == other.data and self._pools == other._pools

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------ what could be

    def sample(self, rng: Random) -> StateBase:
        """A whole state that this could be a view of, drawn at random, with chance of its own.

        Unseen cards are dealt anew; hidden values of fixed fields are exchanged among their owners (the scenario is
        known to all), other hidden values are initial ones, or any where there is none.  Only at the side's own decision can
        the state be played on; ValueError otherwise.
        """
        if not self.own:
            raise ValueError("a view can be played on only where its own side decides")
        state = self._base.copy()
        state.seed = rng.getrandbits(64)
        random = rng.random
        for (_, piles), cards in zip(self._plan.decks, self._pools, strict=True):
            # any order is as likely as any other; quicker than rng.shuffle
            pool = sorted(cards, key=lambda _: random())
            at = 0
            for pile in piles:
                for part, unseen in _closed(pile, getattr(state, pile.slot), self.side):
                    dealt = pool[at : at + unseen]
                    part[:unseen] = sorted(dealt) if pile.visibility == "owner" else dealt
                    at += unseen
        for field, places, known in self._blanks:
            values = list(known) or [self._any(field, rng) for _ in places]
            rng.shuffle(values)
            if field.owner == "Game":
                setattr(state, field.slot, values[0])
                continue
            column = list(getattr(state, field.slot))
            for i, value in zip(places, values, strict=True):
                column[i] = value
            setattr(state, field.slot, column)
        if self._plan.indexed:
            reindex(state)
        return state

    def _any(self, field: FieldSpec, rng: Random) -> int:
        if field.initial is not None:
            return field.initial
        if field.type.optional or field.type.kind not in ("enum", "bool"):
            return zero(field.type)
        return rng.randrange(len(self.spec.enums[field.type.name]) if field.type.kind == "enum" else 2)


def view(state: StateBase, side: int) -> View:
    """What *side* may see of *state*, which is not changed and can be played on."""
    return View(state, side)


def reindex(state: StateBase) -> None:
    """Make the indices of pieces by place and by kind anew from the fields."""
    for name, value in indices(state).items():
        setattr(state, name, value)


def indices(state: StateBase) -> dict[str, list[Any]]:
    """What the indices of pieces by place and by fixed fields must be."""
    spec = state.SPEC
    made: dict[str, list[Any]] = {}
    for field in spec.fields:
        if field.owner not in spec.kinds:
            continue
        column = getattr(state, field.slot)[:-1]
        if field.place:
            at = [NONE if field.alone else 0] * (spec.board.size + 1)
            for i, h in enumerate(column):
                if h >= 0:
                    at[h] = i if field.alone else at[h] | 1 << i
            made[f"{field.owner.lower()}_at"] = at
        if field.fixed and field.type.kind == "enum":
            members: list[list[int]] = [[] for _ in spec.enums[field.type.name]]
            for i, value in enumerate(column):
                if value >= 0:
                    members[value].append(i)
            made[f"by_{field.slot}"] = [*(tuple(m) for m in members), ()]
    return made
