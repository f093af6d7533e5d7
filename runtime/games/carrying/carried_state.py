"""What stands in a state, in other rules: fields, cards, effects, chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from runtime.bitsets import bits
from runtime.games.carrying.translation import (
    GONE,
    NO_PIECE,
    NOWHERE,
    OTHER,
    TAKEN_PLACE,
    Gone,
    Loss,
    Translation,
)
from runtime.model import NONE, DeckSpec, EffectSpec, FieldSpec, RulesetSpec, TypeSpec, put_aside
from runtime.state import DUE, RETURNED, StateBase, reindex, values_of

#: How many ``together`` are open.
_HELD = (1 << DUE) - 1


class CarriedState:
    """Carries what stands *before* over into a *state* of other rules, which is as it is set up."""

    def __init__(self, translation: Translation, before: StateBase, state: StateBase) -> None:
        self.translation, self.before, self.state = translation, before, state
        self.old, self.new = translation.old, translation.new

    def carry(self, procedure: str) -> None:
        """Carry all over but the procedures under way; *procedure* was run by itself last."""
        before, state = self.before, self.state
        self._fields()
        for deck in self.new.decks:
            self._deck(deck)
        self._effects()
        self._chance()
        for slot in ("alone", "checkpoints", "chooser", "over", "ranks", "reveals"):
            setattr(state, slot, getattr(before, slot))
        due = before.deferred >> DUE
        checks = [self.old.checks[i] for i in bits(due)]
        state.deferred = before.deferred & _HELD
        state.deferred |= sum(1 << DUE + i for i, c in enumerate(self.new.checks) if c in checks)
        state.shelf = [self._carried_shelf(entry) for entry in before.shelf]
        if before.over == RETURNED:
            state.result = self._result(procedure)
        reindex(state)

    def _result(self, procedure: str) -> Any:
        old, new = self.old.procedures.get(procedure), self.new.procedures.get(procedure)
        try:
            if old is None or new is None or old.type is None or new.type is None:
                raise Gone(GONE)
            return self.translation.value(old.type, self.before.result, new.type)
        except Gone as gone:
            self.translation.lose(gone.loss(procedure))
            return 0

    # ------------------------------------------------------------------ fields

    def _fields(self) -> None:
        before, state = self.before, self.state
        new, old = self.new, {(f.owner, f.name): f for f in self.old.fields}
        still = set(self.old.still) & set(new.still)
        together = before.deferred & _HELD
        self._gone()
        for f in new.fields:
            known = old.get((f.owner, f.name))
            if known is None or {f.slot, known.slot} <= still:
                continue
            value, kept = self._carried_values(known, getattr(before, known.slot), f)
            setattr(state, f.slot, value)
            if f.place and f.alone and not together:
                self._apart(f, value, kept)

    def _gone(self) -> None:
        """Tell the fields, kinds and pieces that are gone."""
        old, new = self.old, self.new
        there = {(f.owner, f.name) for f in new.fields}
        owners = {"Game", "Hex", *new.kinds, *new.enums}
        helping = {f.among for f in old.fields}
        for f in old.fields:
            if f.owner not in owners:
                self.translation.lose(Loss(f.owner, GONE))
            elif (f.owner, f.name) not in there and f.slot not in helping:
                self.translation.lose(Loss(f"{f.owner}.{f.name}", GONE))
        for kind in set(old.kinds) & set(new.kinds):
            type_ = TypeSpec("piece", kind)
            for i, number in enumerate(self.translation.numbers(type_, type_)):
                if number == NOWHERE:
                    self.translation.lose(
                        Loss(f"{kind} {self.translation.old_names.name(type_, i)}", NO_PIECE)
                    )

    def _carried_values(self, old: FieldSpec, values: Any, new: FieldSpec) -> tuple[Any, set[int]]:
        """The value of a field, or its column, where it stands as it is set up; and whose values
        there are kept.
        """
        there = getattr(self.state, new.slot)
        what = f"{new.owner}.{new.name}"
        taken_over = self.translation.remaining if new.options else self.translation.value
        if new.owner == "Game":
            try:
                return taken_over(old.type, values, new.type), set()
            except Gone as gone:
                self.translation.lose(gone.loss(what))
                return there, set()
        column, kept = list(there), set()
        owner = _of_owner(self.new, new.owner)
        for i, number in enumerate(self.translation.numbers(owner, owner)):
            if number == NOWHERE:
                continue
            try:
                column[number] = taken_over(old.type, values[i], new.type)
                kept.add(number)
            except Gone as gone:
                self.translation.lose(gone.loss(what), self.translation.names.name(owner, number))
        return column, kept

    def _apart(self, f: FieldSpec, column: list[int], kept: set[int]) -> None:
        """Take pieces off the board that stand where there is one: those that are set up there."""
        taken: set[int] = set()
        for i in sorted(range(len(column) - 1), key=lambda i: (i not in kept, i)):
            if column[i] >= 0 and column[i] in taken:
                place = self.translation.names.name(f.type, column[i])
                what = f"{f.owner}.{f.name}"
                self.translation.lose(
                    Loss(what, TAKEN_PLACE, place), self.translation.names.all(_piece(f.owner))[i]
                )
                column[i] = NONE
            taken.add(column[i])

    def _carried_shelf(self, entry: tuple[Any, ...]) -> tuple[Any, ...]:
        """What a stretch of a scope has put aside."""
        scope, *values = entry
        fields, effects = put_aside(scope, self.old.fields, self.old.effects)
        names = [*((f.owner, f.name) for f in fields), *(e.name for e in effects)]
        aside: dict[Any, tuple[Any, Any]] = {
            name: (spec, value)
            for name, spec, value in zip(names, (*fields, *effects), values, strict=True)
        }
        fields, effects = put_aside(scope, self.new.fields, self.new.effects)
        made: list[Any] = [scope]
        for f in fields:
            value: Any = getattr(self.state, f.slot)
            if (f.owner, f.name) in aside:
                old, there = aside[f.owner, f.name]
                value, _ = self._carried_values(old, there, f)
            made.append(value if f.owner == "Game" else tuple(value))
        for e in effects:
            old, there = aside.get(e.name, (e, 0))
            made.append(self._in_force(old, there, e))
        return tuple(made)

    # ------------------------------------------------------------------ cards

    def _deck(self, deck: DeckSpec) -> None:
        """Lay the cards where they lay; new ones lie under the first pile."""
        old = next((d for d in self.old.decks if d.name == deck.name), None)
        if old is None:
            return
        old_cards, cards = TypeSpec("enum", old.enum), TypeSpec("enum", deck.enum)
        numbers = self.translation.numbers(old_cards, cards)
        had: Counter[int] = Counter()
        for card, copies in enumerate(old.copies):
            had[numbers[card]] += copies
        has = Counter(dict(enumerate(deck.copies)))
        fewer, more = had - has, has - had
        content: dict[str, list[Any]] = {
            p.name: [] if p.per is None else [[] for _ in (*self.new.enums[p.per], None)]
            for p in deck.piles
        }
        first = content[deck.piles[0].name]
        for pile in old.piles:
            for part, laid in self._parts(
                deck, pile.name, pile.per, getattr(self.before, pile.slot)
            ):
                target = first
                if pile.name in content and part != NOWHERE:
                    target = content[pile.name] if part == NONE else content[pile.name][part]
                elif laid:
                    self.translation.lose(Loss(f"{deck.name}: {pile.name}", GONE))
                for card in laid:
                    number = numbers[card]
                    if fewer[number]:
                        fewer[number] -= 1
                        name = self.translation.old_names.name(old_cards, card)
                        self.translation.lose(Loss(f"{deck.name}: {name}", GONE))
                    else:
                        target.append(number)
        first[:0] = more.elements()
        for p in deck.piles:
            if p.visibility == "owner":
                for hand in content[p.name] if p.per is not None else [content[p.name]]:
                    hand.sort()
            setattr(self.state, p.slot, content[p.name])

    def _parts(
        self, deck: DeckSpec, name: str, per: str | None, laid: list[Any]
    ) -> Iterator[tuple[int, list[int]]]:
        """What lies in a pile, with the number of each of its parts now: ``NONE`` for the whole of
        one that has none, ``NOWHERE`` for what has no place.
        """
        pile = next((p for p in deck.piles if p.name == name), None)
        if per is None:
            yield NONE if pile is not None and pile.per is None else NOWHERE, laid
            return
        members = [NOWHERE] * len(self.old.enums[per])
        if pile is not None and pile.per is not None:
            members = self.translation.numbers(TypeSpec("enum", per), TypeSpec("enum", pile.per))
        yield from zip(members, laid, strict=False)

    # ------------------------------------------------------------------ effects and chance

    def _effects(self) -> None:
        there = {effect.name: effect for effect in self.new.effects}
        for effect in self.old.effects:
            mask, new = getattr(self.before, effect.slot), there.get(effect.name)
            if new is not None:
                setattr(self.state, new.slot, self._in_force(effect, mask, new))
            elif mask:
                self.translation.lose(Loss(effect.name, GONE))

    def _in_force(self, old: EffectSpec, mask: int, new: EffectSpec) -> int:
        """The values of an effect that are in force."""
        made = 0
        for bit in bits(mask):
            values: list[int] = []
            for type_ in reversed(old.params):
                bit, value = divmod(bit, len(self.translation.old_names.all(type_)))
                values.insert(0, value)
            try:
                if len(values) != len(new.params):
                    raise Gone(OTHER)
                number = 0
                for was, value, type_ in zip(old.params, values, new.params, strict=True):
                    number = number * values_of(self.state, type_) + self.translation.value(
                        was, value, type_
                    )
                made |= 1 << number
            except Gone as gone:
                self.translation.lose(gone.loss(new.name))
        return made

    def _chance(self) -> None:
        before, state = self.before, self.state
        old, new = self.old, self.new
        drawn = dict(zip(_streams(old), before.counters, strict=True))
        state.counters = [drawn.get(stream, 0) for stream in _streams(new)]
        if before.script is None:
            return
        if (old.dice, old.decks, old.enums) == (new.dice, new.decks, new.enums):
            state.script = dict(before.script)
        else:
            self.translation.lose(Loss("dice", OTHER))


def _piece(kind: str) -> TypeSpec:
    return TypeSpec("piece", kind)


def _of_owner(spec: RulesetSpec, owner: str) -> TypeSpec:
    """The type of the owners of fields."""
    if owner in spec.kinds:
        return _piece(owner)
    return TypeSpec("hex") if owner == "Hex" else TypeSpec("enum", owner)


def _streams(spec: RulesetSpec) -> list[tuple[str, str | int]]:
    """The streams of chance, in the order of their counters."""
    return [
        *(("die", die.name) for die in spec.dice),
        *(("deck", deck.name) for deck in spec.decks),
        *(("mixed", number) for number in range(spec.streams)),
        *([("drawn", 0)] if spec.draws else []),
    ]
