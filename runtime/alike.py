"""Options that nobody could tell apart are one.

Pieces are alike that come from one entry of the scenario with ``count``, agree in all fields and are referred to nowhere: by no
field, no effect, and no local that is still read.  Of options that differ only in such pieces the first is offered.  Of a kind
with fields hidden from somebody all pieces differ, for an option less would tell what is hidden; and so do all while values
are put aside (``within``), for these may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runtime.model import MASK, NONE, PASS, SECOND, RulesetSpec, TypeSpec, branch_of
from runtime.state import StateBase

#: By block: the places of the frame that hold a piece or a set (kind, whether it is a set), and the kinds being walked through.
Live = Mapping[int, tuple[tuple[tuple[int, str, bool], ...], tuple[str, ...]]]


@dataclass(frozen=True)
class _Plan:
    """Where the pieces of a kind have their values, and where they may be referred to: slots, and whether these hold sets."""

    hidden: bool
    own: tuple[str, ...]
    columns: tuple[tuple[str, bool], ...]
    single: tuple[tuple[str, bool], ...]
    #: effects of several values together, among them pieces of the kind
    several: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def _plan_of(key: _Key) -> _Plan:
    spec, kind = key.spec, key.kind

    def names(type_: TypeSpec | None) -> bool:
        member = type_.of if type_ is not None and type_.kind == "set" else type_
        return member is not None and member.kind == "piece" and member.name == kind

    fields = spec.fields_of(kind)
    referring = [f for f in spec.fields if names(f.type)]
    single = [(f.slot, f.type.kind == "set") for f in referring if f.owner == "Game"]
    single += [(e.slot, True) for e in spec.effects if names(e.param)]
    columns = tuple((f.slot, f.type.kind == "set") for f in referring if f.owner != "Game")
    several = tuple(e.slot for e in spec.effects if e.param is None and any(names(t) for t in e.params))
    return _Plan(any(f.seen_by is not None for f in fields), tuple(f.slot for f in fields), columns, tuple(single), several)


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
    """The pieces of each kind that locals of the procedures under way refer to, as masks; −1 for all of a kind."""
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


def _referred(s: StateBase, plan: _Plan) -> int:
    """The pieces that fields and effects refer to; −1 for all, while an effect of several values is in force."""
    if any(getattr(s, slot) for slot in plan.several):
        return -1
    mask = 0
    for slot, many in plan.single:
        mask |= mask_of_local(getattr(s, slot), many)
    for slot, many in plan.columns:
        for value in getattr(s, slot)[:-1]:
            mask |= mask_of_local(value, many)
    return mask


def _classes(s: StateBase, kind: str, known: int) -> dict[int, tuple[int, ...]]:
    """What the pieces of a kind are alike in that may be alike; the others are not there."""
    pools = (s.pools or {}).get(kind)
    plan = _plan_of(_Key(s.SPEC, kind))
    if pools is None or plan.hidden or s.shelf:
        return {}
    apart = known | _referred(s, plan)
    columns = [getattr(s, slot) for slot in plan.own]
    return {i: (pool, *(column[i] for column in columns)) for i, pool in enumerate(pools) if pool != NONE and not apart >> i & 1}


def merged(s: StateBase, options: Sequence[int], point: int, known: Mapping[str, int]) -> list[int]:
    """*options* of the decision *point* without those that are like an earlier one; *known*: see :func:`told_apart`."""
    decision = s.SPEC.decisions[point]
    kinds = {t.name for option in decision.options for t in option.values if t.kind == "piece"}
    classes = {kind: found for kind in kinds if (found := _classes(s, kind, known.get(kind, 0)))}
    if not classes:
        return list(options)
    kept: list[int] = []
    seen: set[object] = set()
    for option in options:
        if option == PASS:
            kept.append(option)
            continue
        branch = branch_of(option)
        values = (option & MASK, option >> SECOND)
        types = decision.options[branch].values
        parts = [
            classes.get(type_.name, {}).get(value, value) if type_.kind == "piece" else value
            for type_, value in zip(types, values, strict=False)
        ]
        # Of a pair it matters whether both are the same piece.
        key = (branch, *parts, len(types) == 2 and types[0] == types[1] and values[0] == values[1])
        if key not in seen:
            seen.add(key)
            kept.append(option)
    return kept


def stands_for(s: StateBase, kind: str, piece: int, others: Iterable[int]) -> int:
    """One of *others* that agrees in all with a piece which could be alike; none where there is none."""
    classes = _classes(s, kind, 0)
    return next((other for other in others if piece in classes and other != piece and classes.get(other) == classes[piece]), NONE)
