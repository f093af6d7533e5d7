"""What the pieces of a scenario must agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Lookup

from runtime.data.findings import Report
from runtime.data.reader import Mapping, Node, Scalar, text_of
from runtime.model import NONE, FieldSpec, RulesetSpec
from runtime.scenario.fields import (
    HEX,
    NONE_WORD,
    counted_fields,
    members,
    set_fields,
    side_field,
    sort_field,
)
from runtime.scenario.names import Draft
from runtime.words.said import said


def check_pieces(
    spec: RulesetSpec,
    drafts: Iterable[Draft],
    report: Report,
    initial: Callable[[str, str, Lookup[str, int]], int | None] | None,
) -> None:
    """Places that are taken, numbers that a piece cannot have."""
    taken: dict[tuple[str, str, int], Draft] = {}
    for draft in drafts:
        for field in set_fields(spec, draft.kind):
            node = draft.nodes.get(field.name)
            value = draft.values.get(field.name)
            if node is None or value is None:
                continue
            if field.place and field.alone and value != NONE:
                other = taken.setdefault((draft.kind, field.name, value), draft)
                if other is not draft:
                    where = _word(spec, field, value)
                    message = said(
                        "{name} stands on {where}, where {other} of line {line} stands",
                        name=draft.name,
                        where=where,
                        other=other.name,
                        line=other.entry.line,
                    )
                    remedy = said("a place holds one {kind}: move one of them", kind=draft.kind)
                    report("S204", message, node, remedy)
            if (
                initial is not None
                and field.type.kind == "int"
                and field.initial is None
                and not field.required
            ):
                most = initial(draft.kind, field.name, draft.values)
                if most is not None and not 0 < value <= most:
                    message = said(
                        "{name} cannot have {field_name} {value}",
                        name=draft.name,
                        field_name=field.name,
                        value=value,
                    )
                    remedy = said(
                        "give a number from 1 to {most}, or leave it out for {most}", most=most
                    )
                    report("S206", message, node, remedy)


def _word(spec: RulesetSpec, field: FieldSpec, value: int) -> str:
    """A place in words."""
    if field.type.kind == "hex":
        return spec.board.label(value)
    return members(spec, field.type.name)[value] if field.type.kind == "enum" else str(value)


def check_sides(spec: RulesetSpec, drafts: Iterable[Draft], root: Mapping, report: Report) -> None:
    """Warn where one side has pieces of a kind and another none."""
    pieces = root.get("pieces")
    for kind in spec.kinds:
        owner = side_field(spec, kind)
        if owner is None:
            continue
        present = {draft.values.get(owner.name, NONE) for draft in drafts if draft.kind == kind}
        key = (pieces.key(kind) if isinstance(pieces, Mapping) else None) or pieces or root
        for index, side in enumerate(spec.sides):
            if index not in present and any(other >= 0 for other in present):
                message = said("side {side} has no {kind}, another side has", side=side, kind=kind)
                remedy = "if this is intended, nothing needs to be done; otherwise add them"
                report("S209", message, key, remedy, severity="warning")


def check_roster(
    spec: RulesetSpec, drafts: Iterable[Draft], roster: Node | None, report: Report
) -> None:
    """The control sums: sides that are not named are not counted, sorts left out are 0."""
    for kind, sums in roster.entries if isinstance(roster, Mapping) else ():
        if kind.text not in spec.kinds:
            continue
        side, sort = side_field(spec, kind.text), sort_field(spec, kind.text)
        levels = [f for f in (side, sort) if f is not None]
        counts = Counter(
            tuple(_member(spec, f, draft.values.get(f.name, NONE)) for f in levels)
            for draft in drafts
            if draft.kind == kind.text
        )
        wanted: dict[tuple[str, ...], tuple[int, Node]] = {}
        groups: dict[tuple[str, ...], Node] = {} if side else {(): kind}
        _read_sums(sums, (), wanted, groups)
        for path in counts:
            place = groups.get(path[:1] if side and sort else path[:0])
            if path not in wanted and place is not None:
                wanted[path] = 0, place
        for path, (number, node) in wanted.items():
            if counts[path] != number:
                what = " ".join((*path, kind.text))
                message = said(
                    "the roster says {number} {what}, there are {counts}",
                    number=number,
                    what=what,
                    counts=counts[path],
                )
                remedy = "correct the pieces or the roster"
                report("S208", message, node, remedy)


def check_tiles(
    spec: RulesetSpec, hexes: Lookup[str, Lookup[int, int]], roster: Node | None, report: Report
) -> None:
    """The control sums of hexes: of each field that is named, how many hexes were given each
    member.

    A member that is left out counts as 0, but the one that all other hexes have.
    """
    sums = roster.get(HEX) if isinstance(roster, Mapping) else None
    for field in counted_fields(spec):
        below = sums.get(field.name) if isinstance(sums, Mapping) else None
        if not isinstance(below, Mapping):
            continue
        words = members(spec, field.type.name)
        counts = Counter(words[value] for value in hexes.get(field.name, {}).values() if value >= 0)
        key = sums.key(field.name) if isinstance(sums, Mapping) else None
        wanted: dict[str, tuple[int, Node]] = {
            word: (0, key or below)
            for word in counts
            if field.initial is None or word != words[field.initial]
        }
        wanted |= {word.text: (int(float(text_of(node))), node) for word, node in below.entries}
        for word, (number, node) in wanted.items():
            if counts[word] != number:
                message = said(
                    "the roster says {number} {word} of {hex}, there are {counts}",
                    number=number,
                    word=word,
                    hex=HEX,
                    counts=counts[word],
                )
                remedy = "correct the hexes or the roster"
                report("S208", message, node, remedy)


def _read_sums(
    node: Node,
    path: tuple[str, ...],
    wanted: dict[tuple[str, ...], tuple[int, Node]],
    groups: dict[tuple[str, ...], Node],
) -> None:
    """Collect the numbers of a roster, and the keys that have numbers below them."""
    if isinstance(node, Scalar):
        wanted[path] = int(float(node.text)), node
    for key, below in node.entries if isinstance(node, Mapping) else ():
        if isinstance(below, Mapping):
            groups[(*path, key.text)] = key
        _read_sums(below, (*path, key.text), wanted, groups)


def _member(spec: RulesetSpec, field: FieldSpec, value: int) -> str:
    return members(spec, field.type.name)[value] if value >= 0 else NONE_WORD
