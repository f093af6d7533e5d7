"""What a side may see of a state.

A view holds a copy of the state from which everything the side may not see has been taken out:
hidden piles and the piles of other sides keep only their size, fields ``seen by`` other sides are
blank, chance is gone, and the procedures under way are kept only at the side's own decision.  This
is the one place that knows what a side sees: whatever shows something to a side shows it from a
view.

Assumption about rulesets: secrets lie in piles and in ``seen by`` fields.  A card in flight, drawn
and held in a local of a procedure, counts as known to the side that decides meanwhile, and as
unseen to the others; and who is asked, and for what, is open (a ruleset that asks a question only
when a hidden card allows it tells that there is such a card; ``veiled`` questions do not).  What
was chosen secretly is no longer in the procedures under way when another side decides. How many
there are of what counts as known, of hidden pieces as of cards; which of them is which does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from runtime.hidden import HiddenFields, Unseen, guard
from runtime.model import NONE, DeckSpec, PileSpec, RulesetSpec
from runtime.program import Program, scores
from runtime.state import RUNNING, StateBase

__all__ = ["Unseen", "Sight", "view"]


@dataclass(frozen=True)
class _Plan:
    """What of a ruleset's states is not for everybody."""

    spec: RulesetSpec
    #: per deck, its closed piles
    decks: tuple[tuple[DeckSpec, tuple[PileSpec, ...]], ...]
    hidden: HiddenFields
    #: of the slots, those that are shown as far as they are seen
    shown: tuple[str, ...]


_PLANS: WeakKeyDictionary[type[StateBase], _Plan] = WeakKeyDictionary()


def _plan(kind: type[StateBase]) -> _Plan:
    plan = _PLANS.get(kind)
    if plan is None:
        spec = kind.SPEC
        decks = tuple((d, tuple(p for p in d.piles if p.visibility != "open")) for d in spec.decks)
        shown = (
            *(field.slot for field in spec.fields),
            *(pile.slot for deck in spec.decks for pile in deck.piles),
            *(effect.slot for effect in spec.effects),
            *(f"switch_{name}" for name in spec.switches),
        )
        plan = _PLANS[kind] = _Plan(
            spec, tuple(d for d in decks if d[1]), HiddenFields(spec), shown
        )
    return plan


def closed_parts(pile: PileSpec, content: Any, side: int) -> list[tuple[list[int], int]]:
    """The parts of a pile that the side does not see, each with how many cards from the first."""
    parts = [content] if pile.per is None else content
    own = side if pile.visibility == "owner" and pile.per == "Side" else NONE
    seen = 1 if pile.visibility == "top" else 0
    return [(part, max(0, len(part) - seen)) for i, part in enumerate(parts) if i != own]


#: Piles of which every side sees cards.
_SHOWN = ("open", "top")


def _seen_cards(part: list[int]) -> list[int | None]:
    """The cards of a pile that all look at, those under the top one perhaps covered."""
    return [None if card == NONE else card for card in part]


class Sight:
    """What one side may see; made by :func:`view`.

    *decision* is the index of the pending decision, *options* are its options and *about* what it
    is about when it is the side's own; for other sides' decisions they are ``NONE`` and empty.
    Views are equal when they show the same.
    """

    def __init__(self, state: StateBase, side: int) -> None:
        self.side = side
        plan = self._plan = _plan(type(state))
        self.spec = plan.spec
        base = self._base = state.copy()
        base.script, base.counters = None, [0] * len(base.counters)
        base.seed = base.result = base.reveals = 0
        base.answer = NONE
        #: the side that decides; NONE when the game is over, or nothing runs
        self.decides = state.chooser if state.over == RUNNING and state.point >= 0 else NONE
        self.own = state.over == RUNNING and state.chooser == side
        if not self.own:
            base.frames, base.options, base.point = [], [], NONE
        if base.point == NONE or not self.spec.decisions[base.point].about:
            base.about = ()
        self.decision = base.point
        self.options = tuple(base.options)
        self.about = base.about
        self._pools: list[list[int]] = []
        for deck, piles in plan.decks:
            pool: list[int] = []
            for pile in piles:
                for part, unseen in closed_parts(pile, getattr(base, pile.slot), side):
                    pool += part[:unseen]
                    part[:unseen] = [NONE] * unseen
            base.forget(pile.slot for pile in piles)
            self._pools.append(sorted(pool) if self.own else self._rest(deck))
        #: by slot, the owners whose value of a field is not seen (NONE for a field of the game)
        self._blanks = plan.hidden.blanks(state, side)
        #: what is not seen, without telling whose it is
        self._loose = plan.hidden.loose(state, self._blanks) if self._blanks else ()
        if self._blanks:
            plan.hidden.blank(base, self._blanks)

    def _rest(self, deck: DeckSpec) -> list[int]:
        """The cards of a deck without those in sight; at others' decisions cards in flight too."""
        left = Counter(dict(enumerate(deck.copies)))
        for pile in deck.piles:
            content = getattr(self._base, pile.slot)
            for part in content if pile.per is not None else [content]:
                left.subtract(part)
        return [card for card, copies in enumerate(deck.copies) for _ in range(left[card])]

    # ------------------------------------------------------------------ what is seen

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything the side sees; what it does not see is None, or a number of cards."""
        base, spec = self._base, self.spec
        asked = {"point": self.decision, "options": list(self.options), "about": list(self.about)}
        data: dict[str, Any] = {
            "side": self.side,
            "over": base.over,
            "ranks": list(base.ranks),
            "checkpoints": base.checkpoints,
            "chooser": self.decides,
            "decision": asked if self.decision != NONE else None,
        }
        for field in spec.fields:
            value = getattr(base, field.slot)
            data[field.slot] = int(value) if field.owner == "Game" else list(map(int, value[:-1]))
        for slot, places in self._blanks.items():
            for i in places:
                if i == NONE:
                    data[slot] = None
                else:
                    data[slot][i] = None
        for deck in spec.decks:
            for pile in deck.piles:
                content = getattr(base, pile.slot)
                if pile.per is None:
                    data[pile.slot] = (
                        _seen_cards(content) if pile.visibility in _SHOWN else len(content)
                    )
                elif pile.visibility in _SHOWN:
                    data[pile.slot] = [_seen_cards(part) for part in content[:-1]]
                else:
                    sizes: list[Any] = [len(part) for part in content[:-1]]
                    if pile.visibility == "owner" and pile.per == "Side" and self.side >= 0:
                        sizes[self.side] = list(content[self.side])
                    data[pile.slot] = sizes
        switches = (f"switch_{name}" for name in spec.switches)
        for slot in (*(effect.slot for effect in spec.effects), *switches):
            data[slot] = getattr(base, slot)
        return data

    def looks_like(self, other: Sight) -> bool:
        """Whether both are of one side and have the same :attr:`data`, which need not be made."""
        ours, theirs = self._base, other._base
        slots = ("over", "ranks", "checkpoints", *self._plan.shown)
        return (
            (self.side, self.decides, self.decision) == (other.side, other.decides, other.decision)
            and (self.options, self.about) == (other.options, other.about)
            and self._blanks == other._blanks
            and all(getattr(ours, slot) == getattr(theirs, slot) for slot in slots)
        )

    @property
    def state(self) -> StateBase:
        """The state with zeros for what the side does not see.  It is not to be changed."""
        return self._base

    def shows(self, slot: str, owner: int = NONE) -> bool:
        """Whether the side sees the value of a field for an owner (NONE: a field of the game)."""
        return owner not in self._blanks.get(slot, ())

    @property
    def lacks_only_cards(self) -> bool:
        """Whether all that the side does not see are cards."""
        return not self._blanks

    def guarded_state(self) -> StateBase:
        """The state; reading what is not seen, in copies too, raises :class:`Unseen`."""
        piles = [pile for _, piles in self._plan.decks for pile in piles]
        state = guard(self._base.copy(), self._blanks, piles)
        by_deck = {
            deck.name: tuple(pool)
            for (deck, _), pool in zip(self._plan.decks, self._pools, strict=True)
        }
        state.unseen = tuple(by_deck.get(deck.name, ()) for deck in self.spec.decks)
        return state

    def hides(self, slots: Iterable[str]) -> bool:
        """Whether the side does not see all that *slots* hold."""
        named = set(slots)
        return not named.isdisjoint(self._blanks) or any(
            unseen
            for _, piles in self._plan.decks
            for pile in piles
            if pile.slot in named
            for _, unseen in closed_parts(pile, getattr(self._base, pile.slot), self.side)
        )

    @property
    def unseen_cards(self) -> dict[str, Counter[int]]:
        """For each deck with closed piles, the cards that the side does not see, wherever."""
        return {
            deck.name: Counter(pool)
            for (deck, _), pool in zip(self._plan.decks, self._pools, strict=True)
        }

    def scores(self, program: Program) -> tuple[int, ...] | None:
        """The points of each side, as far as they follow from what is seen; None: not counted."""
        return scores(program, self._base)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sight):
            return NotImplemented
        unseen = self._pools == other._pools and self._loose == other._loose
        return unseen and self.looks_like(other)

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------ what could be

    def sample(self, rng: Random) -> StateBase:
        """A whole state that this could be a view of, drawn at random, with chance of its own.

        Unseen cards are dealt anew.  Pieces that could be each other exchange all that is hidden of
        them; what was chosen secretly is chosen again from what there was to choose (as far as all
        see that: else from what there would be in the sample); other hidden values are what they
        are in the beginning.  What is seen stays. Only at the side's own decision can the state be
        played on; ValueError otherwise.
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
                for part, unseen in closed_parts(pile, getattr(state, pile.slot), self.side):
                    dealt = pool[at : at + unseen]
                    part[:unseen] = sorted(dealt) if pile.visibility == "owner" else dealt
                    at += unseen
            state.forget(pile.slot for pile in piles)
        if self._blanks:
            self._plan.hidden.fill(state, self._blanks, self._loose, rng)
        return state


def view(state: StateBase, side: int) -> Sight:
    """What *side* (NONE: everybody) may see of *state*, which can be played on."""
    return Sight(state, side)
