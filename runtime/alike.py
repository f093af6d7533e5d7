"""Options that nobody could tell apart are one.

Pieces are alike that come from one entry of the scenario with ``count``, agree in all fields and
are referred to nowhere: by no field, no effect, and no local that is still read.  Of options that
differ only in such pieces the first is offered.  Of a kind with fields hidden from somebody all
pieces differ, for an option less would tell what is hidden; and so do all while values are put
aside (``within``), for these may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runtime.model import HEAD, MASK, NONE, PASS, SECOND, SHIFT, RulesetSpec, TypeSpec, branch_of
from runtime.state import StateBase

#: By block: the places of the frame that hold a piece or a set (kind, whether it is a set), and the
#: kinds being walked through.
Live = Mapping[int, tuple[tuple[tuple[int, str, bool], ...], tuple[str, ...]]]


@dataclass(frozen=True)
class _Plan:
    """Where the pieces of a kind have their values, and where they may be referred to."""

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

    def referring(of_game: bool) -> list[tuple[str, bool, bool]]:
        fields = [f for f in spec.fields if names(f.type) and (f.owner == "Game") == of_game]
        return [(f.slot, f.type.kind == "set", named(f.type) != kind) for f in fields]

    fields, effects = spec.fields_of(kind), spec.effects
    single = [(e.slot, True, named(e.param) != kind) for e in effects if names(e.param)]
    several = [e.slot for e in effects if e.param is None and any(map(names, e.params))]
    return _Plan(
        any(f.seen_by is not None for f in fields),
        tuple(f.slot for f in fields),
        tuple(referring(of_game=False)),
        (*referring(of_game=True), *single),
        tuple(several),
    )


class _Key:
    """A ruleset and a kind, compared by identity and name."""

    def __init__(self, spec: RulesetSpec, kind: str) -> None:
        self.spec, self.kind = spec, kind

    def __hash__(self) -> int:
        return hash((id(self.spec), self.kind))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.spec is other.spec and self.kind == other.kind


def told_apart(s: StateBase, live: Live) -> dict[str, int]:
    """By kind the mask of the pieces that procedures under way refer to; −1 for all of a kind."""
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


def _referred_pieces(s: StateBase, plan: _Plan, first: int) -> int:
    """The pieces that fields and effects refer to; −1 for all."""
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


def _kind_and_number(s: StateBase, name: str, value: int) -> tuple[str, int]:
    """The kind of a piece of a type, given by its name, and its number there."""
    kinds = s.SPEC.parents.get(name)
    if kinds is not None:
        for kind in reversed(kinds):
            first = _first(s, kind)
            if value >= first:
                return kind, value - first
    return name, value


def _alike(s: StateBase, kind: str, known: Mapping[str, int], among: set[int]) -> dict[int, int]:
    """For those *among* the pieces of a kind that are like others of them the first of these."""
    pools = (s.pools or {}).get(kind)
    if pools is None or s.shelf or len(among) < 2:
        return {}
    plan = _plan_of(_Key(s.SPEC, kind))
    if plan.hidden:
        return {}
    groups = _split([[i for i in sorted(among) if pools[i] != NONE]], pools)
    for slot in plan.own:
        if not groups:
            return {}
        groups = _split(groups, getattr(s, slot))
    if not groups:
        return {}
    apart = _known_pieces(s, kind, known) | _referred_pieces(s, plan, _first(s, kind))
    groups = [[i for i in group if not apart >> i & 1] for group in groups]
    return {i: group[0] for group in groups for i in group}


def _split(groups: list[list[int]], column: Sequence[int]) -> list[list[int]]:
    """The parts of *groups* that agree in a column, but for parts of one."""
    smaller: list[list[int]] = []
    for group in groups:
        parts: dict[int, list[int]] = {}
        for i in group:
            parts.setdefault(column[i], []).append(i)
        smaller += [part for part in parts.values() if len(part) > 1]
    return smaller


def merged(s: StateBase, options: Sequence[int], point: int, known: Mapping[str, int]) -> list[int]:
    """*options* of a decision without those like earlier ones; *known*: as :func:`told_apart`."""
    branches = s.SPEC.pieces_named[point]
    firsts = _firsts(s, options, branches, known)
    if not firsts:
        return list(options)
    kept: list[int] = []
    seen: set[tuple[int, bool]] = set()
    for option in options:
        if option != PASS:
            branch = branch_of(option)
            one, other = branches[branch]
            first, second = option & MASK, option >> SECOND
            # Of a pair it matters whether both are the same piece.
            same = bool(one and other) and _kind_and_number(s, one, first) == _kind_and_number(
                s, other, second
            )
            first = firsts.get((one, first), first)
            second = firsts.get((other, second), second)
            key = (second << SECOND | branch << SHIFT | first, same)
            if key in seen:
                continue
            seen.add(key)
        kept.append(option)
    return kept


def _firsts(
    s: StateBase,
    options: Sequence[int],
    branches: Sequence[tuple[str, str]],
    known: Mapping[str, int],
) -> dict[tuple[str, int], int]:
    """By type and number of a piece, the first of those in *options* that are like it."""
    offered: dict[str, set[int]] = {}
    for head in {option & HEAD for option in options if option != PASS}:
        one = branches[head >> SHIFT][0]
        if one:
            offered.setdefault(one, set()).add(head & MASK)
    if any(other for _, other in branches):
        for tail in {option >> SHIFT for option in options if option != PASS}:
            other = branches[tail & MASK][1]
            if other:
                offered.setdefault(other, set()).add(tail >> SHIFT)
    owned = [
        (name, value, *_kind_and_number(s, name, value))
        for name, values in offered.items()
        for value in values
    ]
    among: dict[str, set[int]] = {}
    for _, _, kind, index in owned:
        among.setdefault(kind, set()).add(index)
    alike = {kind: _alike(s, kind, known, indices) for kind, indices in among.items()}
    return {
        (name, value): value - index + alike[kind][index]
        for name, value, kind, index in owned
        if index in alike[kind]
    }


def _known_pieces(s: StateBase, kind: str, known: Mapping[str, int]) -> int:
    """The pieces of a kind that are told apart, as such and as pieces of its parent."""
    mask = known.get(kind, 0)
    for parent, kinds in s.SPEC.parents.items():
        if kind in kinds:
            mask |= known.get(parent, 0) >> _first(s, kind)
    return mask


def stands_for(s: StateBase, type_: TypeSpec, piece: int, others: Iterable[int]) -> int:
    """One of *others* that agrees in all with a piece; none where there is none."""
    kind, index = _kind_and_number(s, type_.name, piece)
    owned = {other: _kind_and_number(s, type_.name, other) for other in others}
    among = {index, *(number for its, number in owned.values() if its == kind)}
    alike = _alike(s, kind, {}, among)
    for other, (its, number) in owned.items():
        if index in alike and other != piece and its == kind and alike.get(number) == alike[index]:
            return other
    return NONE
