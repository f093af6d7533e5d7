"""Requirements that a scenario does not meet, told where it gives what they rest on."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, Scalar, entries_of
from runtime.model import FieldSpec, RulesetSpec
from runtime.scenario.setup import Unmet
from runtime.words.said import said

#: How many values are named.
_NAMED = 4


def finding_of(unmet: Unmet, root: Mapping, spec: RulesetSpec, file: str) -> Finding:
    """The finding about what is not met: at the first value that the scenario gives for it."""
    fields = [f for f in spec.fields if f.setup and f.slot in unmet.reads]
    named = dict.fromkeys((f.owner, f.base) for f in fields)
    given = [place for owner, base in named for place in _given_values(root, spec, owner, base)]
    if not given:
        left = ", ".join(dict.fromkeys(_path(f) for f in fields[:_NAMED]))
        remedy = "change the scenario, or the ruleset"
        if left:
            remedy = said(
                "it rests on {left}, which the scenario does not give: give it, or change the "
                "ruleset",
                left=left,
            )
        return Finding("S219", unmet.sentence, file, root.line, root.column, remedy=remedy)
    given.sort(key=lambda one: (not isinstance(one[1], Scalar), one[1].line, one[1].column))
    first = given[:_NAMED]
    shown = [f"{path}: {n.text}" if isinstance(n, Scalar) else path for path, n in first]
    more = ", …" if len(given) > _NAMED else ""
    place = given[0][1]
    remedy = said(
        "change what it rests on ({shown}{more}), or the ruleset", shown=", ".join(shown), more=more
    )
    return Finding("S219", unmet.sentence, file, place.line, place.column, remedy=remedy)


def _path(f: FieldSpec) -> str:
    return f"{ {'Game': 'game', 'Side': 'sides', 'Hex': 'hexes'}.get(f.owner, f.owner) }.{f.base}"


def _given_values(
    root: Mapping, spec: RulesetSpec, owner: str, field: str
) -> Iterator[tuple[str, Node]]:
    """What the scenario gives of a field: where, and the value, or the key of a part."""
    if owner == "Game":
        yield from _below(root, "game", field)
    elif owner == "Side":
        for side in spec.sides:
            yield from _below(root, "sides", side, field)
    elif owner == "Hex":
        yield from _part_with_key(root, "hexes", field)
    elif owner in spec.enums:
        yield from _below(root, "fields", owner, field)
    else:
        yield from _part_with_key(root, "pieces", owner)


def _below(root: Mapping, *keys: str) -> Iterator[tuple[str, Node]]:
    """The values below some keys: one, or one for each member."""
    node: Node | None = root
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    path = ".".join(keys)
    if isinstance(node, Scalar):
        yield path, node
    for member, value in entries_of(node):
        yield f"{path}.{member.text}", value


def _part_with_key(root: Mapping, part: str, name: str) -> Iterator[tuple[str, Node]]:
    """The part of a scenario that lists values of many hexes or pieces, at its key."""
    within = root.get(part)
    if isinstance(within, Mapping) and (key := within.key(name)) is not None:
        yield f"{part}.{name}", Mapping((), key.line, key.column)
