"""Whether taking an action back would tell what another side holds.

After an action its side may still be to decide because another side was not asked, and that because
of what it holds.  Taking the action back would use what was learned so.  It is not so where the
same can be done without looking at anything unseen.  Else it is found by doing it where the others
hold something else.

That is a sample.  In 647 positions of random games with hands of cards (with all questions open,
and with veiled ones), 11 of which tell something, another sampling seed never gave another verdict,
nor, where nothing was told, did ten times the deals; a hint that few deals show may still be
missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from runtime.games.sealing import conceals
from runtime.program import Program
from runtime.state import RulesetFault, StateBase
from runtime.view import Sight, Unseen, closed_parts, view

#: How many other positions are looked at, at least and at most.
_FEWEST, _MOST = 16, 64


def tells(program: Program, before: StateBase, after: StateBase, option: int, number: int) -> bool:
    """Whether the side that took *option* in *before*, and so came to *after*, sees something that
    hangs on what it does not see.

    *number* says which action of the game it was: the same action is always judged alike, whatever
    the others hold.
    """
    if not conceals(program.spec):
        return False
    side = before.chooser
    seen = view(before, side)
    if not seen.own:
        return False
    passed = after.checkpoints - before.checkpoints
    if seen.lacks_only_cards:
        with suppress(Unseen, RulesetFault):
            return _more_happens(program, seen.guarded_state(), option, passed)
    return _samples_tell(program, seen, view(after, side), option, passed, number)


def _more_happens(program: Program, state: StateBase, option: int, passed: int) -> bool:
    """Take an option; whether chance was drawn, something revealed, or other than so many
    checkpoints *passed*.
    """
    checkpoints, reveals, counters = state.checkpoints, state.reveals, state.counters[:]
    program.answer(state, option)
    drawn = state.counters != counters or state.reveals != reveals
    return drawn or state.checkpoints - checkpoints != passed


def _samples_tell(
    program: Program, seen: Sight, result: Sight, option: int, passed: int, number: int
) -> bool:
    """Whether the side sees something else than the *result*, or more happens, where others hold
    something else.
    """
    for other in _others(seen, Random(number)):
        try:
            more = _more_happens(program, other, option, passed)
        except RulesetFault:
            return True
        if more or not view(other, seen.side).looks_like(result):
            return True
    return False


def _others(seen: Sight, rng: Random) -> Iterator[StateBase]:
    """Positions that look the same; in them each unseen card is at least once with a side."""
    number, wanted = 0, _FEWEST
    while number < wanted:
        state = seen.sample(rng)
        for deck in state.SPEC.decks:
            held_places: list[tuple[list[int], int]] = []
            places: list[tuple[list[int], int]] = []
            for pile in deck.piles:
                if pile.visibility != "open":
                    into = held_places if pile.visibility == "owner" else places
                    for part, unseen in closed_parts(pile, getattr(state, pile.slot), seen.side):
                        into += [(part, i) for i in range(unseen)]
            held = len(held_places)
            places = held_places + places
            if not held:
                continue
            wanted = min(_MOST, max(wanted, -(-len(places) // held)))
            cards = sorted(part[i] for part, i in places)
            Random(len(cards)).shuffle(cards)
            at = number * held % len(cards)
            for (part, i), card in zip(places, cards[at:] + cards[:at], strict=True):
                part[i] = card
            for pile in deck.piles:
                if pile.visibility == "owner":
                    for part, unseen in closed_parts(pile, getattr(state, pile.slot), seen.side):
                        part[:unseen] = sorted(part[:unseen])
        number += 1
        yield state
