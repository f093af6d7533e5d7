"""Options that nobody could tell apart are one.

Pieces are alike that come from one entry of the scenario with ``count``, agree in all fields and are referred
to nowhere: by no field, no effect, and no local that is still read.  Of options that differ only in such
pieces the first is offered.  Of a kind with fields hidden from somebody all pieces differ, for an option less
would tell what is hidden; and so do all while values are put aside (``within``), for these may differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runtime.model import MASK, NONE, PASS, SECOND, RulesetSpec, TypeSpec, branch_of
from runtime.state import StateBase

#: By block: the places of the frame that hold a piece or a set (kind, whether it is a set), and the kinds
#: being walked through.
Live = Mapping[int, tuple[tuple[tuple[int, str, bool], ...], tuple[str, ...]]]


@dataclass(frozen=True)
class _Plan:
    """Where the pieces of a kind have their values, and where they may be referred to.

    That are slots, whether these hold sets, and whether pieces are there those of the parent of the kind.
    """

    hidden: bool
    own: tuple[str, ...]
    columns: tuple[tuple[str, bool, bool], ...]
    single: tuple[tuple[str, bool, bool], ...]
    #: effects of several values together, among them pieces of the kind
    several: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def _plan_of(key: _Key) -> _Plan:
    spec, kind = key.spec, key.kind

    def named(type_: TypeSpec | None) -> str:
        member = type_.of if type_ is not None and type_.kind == "set" else type_
        return member.name if member is not None and member.kind == "piece" else ""

    def names(type_: TypeSpec | None) -> bool:
        return kind in spec.kinds_of(named(type_))

    fields = spec.fields_of(kind)
    referring = [f for f in spec.fields if names(f.type)]
    single = [(f.slot, f.type.kind == "set", named(f.type) != kind) for f in referring if f.owner == "Game"]
    single += [(e.slot, True, named(e.param) != kind) for e in spec.effects if names(e.param)]
    columns = tuple(
        (f.slot, f.type.kind == "set", named(f.type) != kind) for f in referring if f.owner != "Game"
    )
    several = tuple(e.slot for e in spec.effects if e.param is None and any(names(t) for t in e.params))
    return _Plan(
        any(f.seen_by is not None for f in fields),
        tuple(f.slot for f in fields),
        columns,
        tuple(single),
        several,
    )


class _Key:
    """A ruleset and a kind, compared by identity and name."""

    def __init__(self, spec: RulesetSpec, kind: str) -> None:
        self.spec = spec
        self.kind = kind

    def __hash__(self) -> int:
        return hash((id(self.spec), self.kind))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.spec is other.spec and self.kind == other.kind


def told_apart(s: StateBase, live: Live) -> dict[str, int]:
    """The pieces of each kind that locals of the procedures under way refer to, as masks; −1 for all of a
    kind.
    """
    masks: dict[str, int] = {}
    for frame in s.frames:
        held, walked = live.get(frame[0], ((), ()))
        for slot, kind, many in held:
            masks[kind] = masks.get(kind, 0) | mask_of_local(frame[slot], many)
        for kind in walked:
            masks[kind] = -1
    return masks


def mask_of_local(value: int, many: bool) -> int:
    """What a local refers to: a set, or a single piece."""
    return value if many else 0 if value < 0 else 1 << value


def _referred(s: StateBase, plan: _Plan, first: int) -> int:
    """The pieces that fields and effects refer to; −1 for all, while an effect of several values is in
    force.
    """
    if any(getattr(s, slot) for slot in plan.several):
        return -1
    mask = 0
    for slot, many, common in plan.single:
        mask |= mask_of_local(getattr(s, slot), many) >> (first if common else 0)
    for slot, many, common in plan.columns:
        for value in getattr(s, slot)[:-1]:
            mask |= mask_of_local(value, many) >> (first if common else 0)
    return mask


def _first(s: StateBase, kind: str) -> int:
    """The number which the first piece of a kind has among those of its parent."""
    return int(getattr(s, f"o_{kind.lower()}", 0))


def _own(s: StateBase, type_: TypeSpec, value: int) -> tuple[str, int]:
    """The kind of a piece of a type, and its number there."""
    for kind in reversed(s.SPEC.kinds_of(type_.name)):
        first = _first(s, kind) if kind != type_.name else 0
        if value >= first:
            return kind, value - first
    return type_.name, value


def _classes(s: StateBase, kind: str, known: int, among: set[int]) -> dict[int, tuple[int, ...]]:
    """What those *among* the pieces of a kind are alike in that may be alike; the others are not there, nor
    is one that is the only of its pool.
    """
    pools = (s.pools or {}).get(kind)
    plan = _plan_of(_Key(s.SPEC, kind))
    if pools is None or plan.hidden or s.shelf:
        return {}
    of_pools = Counter(pools[i] for i in among)
    several = [i for i in among if pools[i] != NONE and of_pools[pools[i]] > 1]
    if not several:
        return {}
    apart = known | _referred(s, plan, _first(s, kind))
    columns = [getattr(s, slot) for slot in plan.own]
    return {i: (pools[i], *[column[i] for column in columns]) for i in several if not apart >> i & 1}


def merged(s: StateBase, options: Sequence[int], point: int, known: Mapping[str, int]) -> list[int]:
    """*options* of the decision *point* without those that are like an earlier one; *known*: see
    :func:`told_apart`.
    """
    types = [option.values for option in s.SPEC.decisions[point].options]
    things: list[list[tuple[str, int]]] = []
    offered: dict[str, set[int]] = {}
    for option in options:
        here: list[tuple[str, int]] = []
        if option != PASS:
            for t, value in zip(types[branch_of(option)], (option & MASK, option >> SECOND), strict=False):
                if t.kind == "piece":
                    kind, value = _own(s, t, value)
                    offered.setdefault(kind, set()).add(value)
                    here.append((kind, value))
                else:
                    here.append((t.name, value))
        things.append(here)
    classes = {
        kind: found
        for kind, among in offered.items()
        if len(among) > 1 and (found := _classes(s, kind, _known(s, kind, known), among))
    }
    if not classes:
        return list(options)
    kept: list[int] = []
    seen: set[object] = set()
    for option, here in zip(options, things, strict=True):
        if option == PASS:
            kept.append(option)
            continue
        parts = [(kind, classes.get(kind, {}).get(value, value)) for kind, value in here]
        # Of a pair it matters whether both are the same piece.
        of = types[branch_of(option)]
        key = (branch_of(option), *parts, len(of) == 2 and of[0].kind == of[1].kind and here[0] == here[1])
        if key not in seen:
            seen.add(key)
            kept.append(option)
    return kept


def _known(s: StateBase, kind: str, known: Mapping[str, int]) -> int:
    """The pieces of a kind that are told apart, as such and as pieces of its parent."""
    mask = known.get(kind, 0)
    for parent, kinds in s.SPEC.parents.items():
        if kind in kinds:
            mask |= known.get(parent, 0) >> _first(s, kind)
    return mask


def stands_for(s: StateBase, type_: TypeSpec, piece: int, others: Iterable[int]) -> int:
    """One of *others* that agrees in all with a piece of a type which could be alike; none where there is
    none.
    """
    kind, index = _own(s, type_, piece)
    owned = {other: _own(s, type_, other) for other in others}
    among = {index, *(number for its, number in owned.values() if its == kind)}
    classes = _classes(s, kind, 0, among)
    for other, (its, number) in owned.items():
        if index in classes and other != piece and its == kind and classes.get(number) == classes[index]:
            return other
    return NONE
