"""Fields that not every side sees: which they are in a state, and what they could be.

Owners with hidden values form groups whose members could be each other: pieces of one kind that
agree in what all see of them for good, and that stand alike on the board or off it.  The hidden
values of one owner belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from runtime.bitsets import bits
from runtime.model import NONE, FieldSpec, PileSpec, RulesetSpec, zero
from runtime.state import RulesetFault, StateBase, reindex

#: By slot, the owners whose value is not seen; NONE stands for the game.
Blanks = Mapping[str, frozenset[int]]
#: A group: its fields, its owners, and the values of its owners, in an order that does not tell
#: whose they are.
Group = tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]


class Unseen(Exception):
    """Something was read that a side does not see."""


@dataclass(frozen=True)
class _Field:
    """A hidden field, with who sees it: the slot of a side or of a set of sides."""

    spec: FieldSpec
    seers: str
    many: bool


class HiddenFields:
    """The hidden fields of a ruleset."""

    def __init__(self, spec: RulesetSpec) -> None:
        self.spec = spec
        named = {(f.owner, f.name): f for f in spec.fields}
        seers = [(f, named[f.owner, f.seen_by]) for f in spec.fields if f.seen_by is not None]
        self.fields = tuple(_Field(f, by.slot, by.type.kind == "set") for f, by in seers)
        self.by_slot = {f.spec.slot: f.spec for f in self.fields}
        self.owners = tuple(dict.fromkeys(f.spec.owner for f in self.fields))
        #: where the options stand from which the value of a field was chosen, by its slot
        #: in the order of the choices, as one may hang on another
        kept = {f.among: f.slot for f in self.by_slot.values() if f.among is not None}
        self.among = {kept[f.slot]: f.slot for f in spec.fields if f.slot in kept}
        self.indexed = any(
            f.place or (f.fixed and f.type.kind == "enum") for f in self.by_slot.values()
        )

    # ------------------------------------------------------------------ taking out

    def blanks(self, state: StateBase, side: int) -> Blanks:
        """What *side* does not see."""
        blanks: dict[str, frozenset[int]] = {}
        for f in self.fields:
            seers = getattr(state, f.seers)
            by_owner = {NONE: seers}.items() if f.spec.owner == "Game" else enumerate(seers[:-1])
            hidden = frozenset(i for i, seer in by_owner if not _sees(seer, f.many, side))
            if hidden:
                blanks[f.spec.slot] = hidden
        return blanks

    def blank(self, state: StateBase, blanks: Blanks) -> None:
        """Take the values out of a state."""
        for slot, places in blanks.items():
            field = self.by_slot[slot]
            nothing = zero(field.type)
            if field.owner == "Game":
                setattr(state, slot, nothing)
                continue
            column = list(getattr(state, slot))
            for i in places:
                column[i] = nothing
            setattr(state, slot, column)
        if self.indexed:
            reindex(state)
        state.forget(blanks)

    # ------------------------------------------------------------------ groups

    def loose(self, state: StateBase, blanks: Blanks) -> tuple[Group, ...]:
        """The groups of owners with hidden values, and what these values are."""
        groups: list[Group] = []
        for owner in self.owners:
            fields = [f for f in self.spec.fields if f.owner == owner and f.slot in blanks]
            if owner == "Game" or not fields:
                continue
            alike: dict[tuple[Any, ...], list[int]] = {}
            for i in sorted(frozenset().union(*(blanks[f.slot] for f in fields))):
                for f in fields:
                    if f.among is not None and not f.roams and i in blanks[f.slot]:
                        both = (f.slot, f.among)
                        groups.append((both, (i,), (self._values(state, both, i),)))
                hidden = tuple(f for f in fields if i in blanks[f.slot] and self._is_exchanged(f))
                if hidden:
                    kind = self._kind(state, owner, hidden, i, blanks)
                    alike.setdefault((tuple(f.slot for f in hidden), kind), []).append(i)
            for (slots, _), members in sorted(alike.items(), key=lambda item: item[1]):
                values = sorted(self._values(state, slots, i) for i in members)
                groups.append((slots, tuple(members), tuple(values)))
        return tuple(groups)

    def _values(self, state: StateBase, slots: tuple[str, ...], i: int) -> tuple[int, ...]:
        """The hidden values of an owner; of what was chosen secretly, what there was to choose."""
        values = {slot: int(getattr(state, slot)[i]) for slot in slots}
        for slot, among in self.among.items():
            if slot in values and values.get(among):
                values[slot] = NONE
                if self._anew(state, among) is not None:
                    values[among] = 1  # that something was chosen is seen, from what is not
        return tuple(values.values())

    def _anew(self, state: StateBase, among: str) -> Callable[[Any, int], int] | None:
        """What finds what there was to choose where that hangs on what not all see."""
        field = self.by_slot[among]
        return state.INITIALS.get((field.owner, field.name))

    def _is_exchanged(self, field: FieldSpec) -> bool:
        """Whether owners exchange their values of a field, and do not each choose it anew."""
        if field.owner == "Side" and not (field.fixed or field.setup):
            return False
        return field.roams or (field.among is None and not field.options)

    def _kind(
        self, state: StateBase, owner: str, hidden: Iterable[FieldSpec], i: int, blanks: Blanks
    ) -> tuple[int, ...]:
        """What an owner must share with others to be one of their group."""
        fields = [f for f in self.spec.fields_of(owner) if i not in blanks.get(f.slot, ())]
        given = any(f.fixed or f.setup for f in hidden)
        needed = {name for f in hidden for name in f.rests_on}
        key: list[int] = []
        for f in fields:
            value = getattr(state, f.slot)[i]
            if owner not in self.spec.kinds:
                if f.type.kind == "bool" or f.type.name == "Side":
                    key.append(value)
            elif f.place:
                key.append(int(value >= 0))
            elif f.fixed and (given or f.type.name == "Side" or f.name in needed):
                key.append(value)
        return tuple(key)

    # ------------------------------------------------------------------ putting in

    def fill(self, state: StateBase, blanks: Blanks, groups: Iterable[Group], rng: Random) -> None:
        """Put values into a state from which they were taken out: any that could be there."""
        for slot in blanks:
            if self.by_slot[slot].owner != "Game":
                setattr(state, slot, list(getattr(state, slot)))
        for slots, members, values in groups:
            dealt = list(values)
            rng.shuffle(dealt)
            for at, slot in enumerate(slots):
                column = getattr(state, slot)
                for i, value in zip(members, dealt, strict=True):
                    column[i] = value[at]
        self._choose(state, blanks, rng)
        known = {(slot, i) for slots, members, _ in groups for slot in slots for i in members}
        self._initial(state, blanks, known, rng)
        if self.indexed:
            reindex(state)
        state.forget(blanks)

    def _choose(self, state: StateBase, blanks: Blanks, rng: Random) -> None:
        """Choose again what was chosen secretly; where pieces stand alone, no place twice."""
        for slot, among in self.among.items():
            field = self.by_slot[slot]
            if field.owner == "Game":
                continue
            column, options = getattr(state, slot), getattr(state, among)
            chosen = [i for i in sorted(blanks.get(slot, ())) if options[i]]
            rng.shuffle(chosen)
            taken = set(column[:-1]) - {NONE} if field.alone else set()
            anew = self._anew(state, among)
            if anew is not None:
                for i in chosen:
                    column[i] = zero(field.type)
            for i in chosen:
                if anew is not None:
                    options[i] = _guess(anew, state, i) or self._all_values(state, field)
                every = bits(options[i])
                free = [value for value in every if value not in taken] or every
                column[i] = rng.choice([*free, NONE] if field.passes else free)
                if field.alone:
                    taken.add(column[i])

    def _all_values(self, state: StateBase, field: FieldSpec) -> int:
        """All that a field could hold, where nothing that it could have been is left to choose."""
        spec, name = self.spec, field.type.name
        if field.type.kind == "enum":
            count = len(spec.enums[name])
        elif field.type.kind == "piece":
            kinds = [spec.fields_of(kind) for kind in spec.kinds_of(name)]
            count = sum(len(getattr(state, fields[0].slot)) - 1 for fields in kinds if fields)
        else:
            count = spec.board.size if field.type.kind == "hex" else 1
        return (1 << count) - 1

    def _initial(
        self, state: StateBase, blanks: Blanks, known: set[tuple[str, int]], rng: Random
    ) -> None:
        """Values of the beginning for what is not exchanged; those that are computed last."""
        computed: list[tuple[FieldSpec, int]] = []
        for slot, places in blanks.items():
            field = self.by_slot[slot]
            for i in sorted(places):
                if (slot, i) in known:
                    continue
                if field.initial is None and (field.owner, field.name) in state.INITIALS:
                    computed.append((field, i))
                else:
                    _put_value(state, slot, i, self._initial_value(field, rng))
        for field, i in computed:
            _put_value(state, field.slot, i, int(state.INITIALS[field.owner, field.name](state, i)))

    def _initial_value(self, field: FieldSpec, rng: Random) -> int:
        """A value with which a field could begin."""
        if field.initial is not None:
            return field.initial
        if field.type.optional or field.type.kind not in ("enum", "bool"):
            return zero(field.type)
        enum = field.type.kind == "enum"
        return rng.randrange(len(self.spec.enums[field.type.name]) if enum else 2)


def _sees(seers: int, many: bool, side: int) -> bool:
    """Whether *side* is the one that sees something, or among those that do."""
    return side >= 0 and (bool(seers >> side & 1) if many else seers == side)


def _guess(anew: Callable[[Any, int], int], state: StateBase, owner: int) -> int:
    """What there is to choose in a sample; nothing where no rule decides what was guessed."""
    state.forget()
    try:
        return anew(state, owner)
    except RulesetFault:
        return 0


def _put_value(state: StateBase, slot: str, owner: int, value: int) -> None:
    if owner == NONE:
        setattr(state, slot, value)
    else:
        getattr(state, slot)[owner] = value
    state.forget((slot,))


# ---------------------------------------------------------------------- states that do not tell


class _Column(list[Any]):
    """The values of a field, some of which are not to be read; so are those of a copy."""

    hidden: frozenset[int] = frozenset()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            values = super().__getitem__(at)
            return self.of(values, self.hidden) if at == slice(None) else values
        if at in self.hidden:
            raise Unseen
        return super().__getitem__(at)

    @classmethod
    def of(cls, values: list[Any], hidden: frozenset[int]) -> _Column:
        """Values of which those of *hidden* owners are not to be read."""
        column = cls(values)
        column.hidden = hidden
        return column


class Cards(list[Any]):
    """A pile of which cards are not seen; a slice (a copy of a state) is another."""

    @classmethod
    def of(cls, cards: list[Any]) -> Cards:
        """The same cards, guarded; cards that are guarded already are not looked at."""
        return cards if isinstance(cards, cls) else cls(cards)

    def __getitem__(self, at: Any) -> Any:
        value = super().__getitem__(at)
        if isinstance(at, slice):
            return Cards.of(value)
        if value == NONE:
            raise Unseen
        return value

    def __iter__(self) -> Any:
        if NONE in [list.__getitem__(self, i) for i in range(len(self))]:
            raise Unseen
        return super().__iter__()

    def __contains__(self, card: object) -> bool:
        return card in list(iter(self))

    def count(self, card: Any) -> int:
        """How many copies of a card there are."""
        return list(iter(self)).count(card)

    def remove(self, card: Any) -> None:
        """Take away one copy of a card."""
        del self[list(iter(self)).index(card)]


def guard(state: StateBase, blanks: Blanks, piles: Iterable[PileSpec]) -> StateBase:
    """Make reading what is not there raise :class:`Unseen`; returns *state* or its stand-in."""
    absent: dict[str, Any] = {"__slots__": ()}
    state.forget(blanks)  # what was worked out by somebody who sees more, or from zeros
    for slot, places in blanks.items():
        if NONE in places:
            absent[slot] = property(_raise_unseen)
        else:
            setattr(state, slot, _Column.of(getattr(state, slot), places))
    for pile in piles:
        content = getattr(state, pile.slot)
        guarded = Cards.of(content) if pile.per is None else [Cards.of(part) for part in content]
        setattr(state, pile.slot, guarded)
        state.forget((pile.slot,))
    if len(absent) > 1:
        state.__class__ = type("Guarded", (type(state),), {**absent, "copy": _copy})
    return state


def _copy(state: StateBase) -> StateBase:
    """A copy that is guarded as well."""
    guarded: Any = type(state)
    state.__class__ = guarded.__base__
    try:
        other = state.copy()
    finally:
        state.__class__ = guarded
    other.__class__ = guarded
    return other


def _raise_unseen(state: StateBase) -> Any:
    raise Unseen
