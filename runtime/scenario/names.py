"""The names of sides and pieces."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import count

from runtime.data.findings import Report
from runtime.data.reader import Mapping, Node, Scalar
from runtime.model import NONE, RulesetSpec
from runtime.scenario.fields import NAME, PREFIX, SIDE, members, side_field, sort_field
from runtime.scenario.setup import SideInfo
from runtime.spelling import invisible_character
from runtime.words.said import said

#: Words that mean something else wherever games are played, and that no piece may be called.
COMMANDS = frozenset((
    "help", "options", "more", "board", "hand", "log", "look", "odds", "hint", "expect", "why",
    "undo", "never", "save", "quit", "exit", "all", "done",
))  # fmt: skip
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f]+")


def slug(name: str) -> str:
    """A name fit for option texts: without spaces."""
    return _BREAKS.sub("-", name.strip())


def name_sides(spec: RulesetSpec, sides: Node | None, report: Report) -> tuple[SideInfo, ...]:
    """What the sides are called, and the prefixes of their pieces.

    Without a prefix a side takes the first letter of its display name; where another side has or
    would take the same, the name of its member.
    """
    names: dict[str, str] = {}
    given: dict[str, Scalar] = {}
    for side in spec.sides:
        node = sides.get(side) if isinstance(sides, Mapping) else None
        entry = node if isinstance(node, Mapping) else Mapping((), 0, 0)
        name, prefix = entry.get(NAME), entry.get(PREFIX)
        for part in (name, prefix):
            if isinstance(part, Scalar) and (
                fault := invisible_character(" ".join(part.text.split()))
            ):
                report(
                    "S115", said("in this name {fault}", fault=fault), part, "remove the character"
                )
        wording = spec.text(f"{SIDE}.{side}", default=side)
        names[side] = " ".join(name.text.split()) if isinstance(name, Scalar) else wording
        if isinstance(prefix, Scalar):
            other = next((s for s, known in given.items() if known.text == prefix.text), None)
            if other is not None:
                message = said(
                    "prefix '{text}' is already that of side {other}", text=prefix.text, other=other
                )
                report("S215", message, prefix, "give each its own")
            given[side] = prefix
    letters = {side: _first_letter(names[side]) for side in spec.sides if side not in given}
    taken = [prefix.text for prefix in given.values()] + list(letters.values())
    infos = []
    for side in spec.sides:
        if side in given:
            prefix_text = given[side].text
        else:
            letter = letters[side]
            prefix_text = letter if letter and taken.count(letter) == 1 else side
        infos.append(SideInfo(names[side], prefix_text))
    return tuple(infos)


def _first_letter(name: str) -> str:
    return next((sign.upper() for sign in name if sign.isalpha()), "")


@dataclass(slots=True)
class Draft:
    """A piece before it has its name: what its entry says, as nodes and encoded."""

    kind: str
    entry: Node
    nodes: dict[str, Node]
    values: dict[str, int]
    name: str = ""
    pool: int = NONE
    #: Whether it comes from a group.
    grouped: bool = False


class Numbers:
    """Numbers the pieces of pools: each takes the next number under which nobody else is known."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def next(self, stem: str) -> int:
        """The first number that is free after a stem."""
        numbers = count(self.last.get(stem, 0) + 1)
        return next(k for k in numbers if f"{stem}{k}" not in self.taken)

    def name(self, stem: str) -> str:
        """The name of the next piece of a pool called *stem*."""
        number = self.last[stem] = self.next(stem)
        self.taken.add(f"{stem}{number}")
        return f"{stem}{number}"

    def stem(self, name: str) -> str:
        """What a pool is called whose first piece has this *name*."""
        digits = len(name) - len(name.rstrip("0123456789"))
        for length in range(1, digits + 1):
            stem = name[:-length]
            if self.next(stem) == int(name[-length:]):
                return stem
        return name


def name_pieces(
    spec: RulesetSpec, drafts: list[Draft], sides: tuple[SideInfo, ...], report: Report
) -> dict[str, Draft]:
    """Give every piece its name; the pieces by name.

    Without a name of its own a piece is called after its side, its sort (or kind) and a running
    number: ``T.red1``; those of a pool after the pool, with the next numbers that are free; one of
    a group that is alone of its sort as the texts call that.  What not every side sees gives no
    name.
    """
    numbers: dict[str, int] = {}
    called = {id(draft): _sort_name(spec, draft) for draft in drafts if draft.grouped}
    alone = Counter(called.values())
    named: dict[str, Draft] = {}
    pools = Numbers()
    for draft in drafts:
        node = draft.nodes.get(NAME)
        if isinstance(node, Scalar):
            draft.name = slug(node.text)
            place: Node = node
            if fault := invisible_character(draft.name):
                report(
                    "S115", said("in this name {fault}", fault=fault), node, "remove the character"
                )
            if draft.pool != NONE:
                draft.name = pools.name(draft.name)
        elif (name := called.get(id(draft), "")) and alone[name] == 1:
            draft.name = name
            place = draft.entry
        else:
            stem = _stem(spec, draft, sides)
            numbers[stem] = numbers.get(stem, 0) + 1
            draft.name = f"{stem}{numbers[stem]}"
            place = draft.entry
        if means := _meaning(spec, draft.name):
            message = said(
                "a piece cannot be called '{name}', which {means}", name=draft.name, means=means
            )
            report("S115", message, place, "choose another name")
        if draft.name in named:
            _report_taken(draft.name, named[draft.name], place, report)
        named.setdefault(draft.name, draft)
        pools.taken.add(draft.name)
    return named


def _meaning(spec: RulesetSpec, name: str) -> str:
    """What *name* means already wherever pieces are named: in rules, cases and at the prompt."""
    word = name.casefold()
    if word == "none":
        return "means no piece"
    if word in spec.sides:
        return "is a side"
    if word in COMMANDS:
        return "is a word of the prompt"
    if name.isdecimal():
        return "would be the number of an option"
    sign = next((sign for sign in "?,!" if sign in name), "")
    return said("holds '{sign}', a sign of the prompt", sign=sign) if sign else ""


def _report_taken(name: str, other: Draft, place: Node, report: Report) -> None:
    """That the name at *place* is that of *other* already."""
    first = other.nodes.get(NAME) or other.entry
    if first is place:
        message = said(
            "'{name}' would be the name of several pieces: this entry makes one for each "
            "item of its list",
            name=name,
        )
        remedy = "leave the name out, and they are numbered; or write an entry for each"
        report("S214", message, place, remedy)
    else:
        message = said("the name '{name}' belongs to another piece already", name=name)
        remedy = "give each its own name; pieces without a name are numbered"
        report("S214", message, place, remedy, (first, "that piece") if first.line else None)


def _sort_name(spec: RulesetSpec, draft: Draft) -> str:
    """What the texts call the sort of a piece; empty where not every side sees it."""
    sort = sort_field(spec, draft.kind)
    rank = draft.values.get(sort.name, NONE) if sort and sort.seen_by is None else NONE
    if sort is None or rank < 0:
        return ""
    word = members(spec, sort.type.name)[rank]
    return slug(spec.text(f"{sort.type.name}.{word}", default=word))


def _stem(spec: RulesetSpec, draft: Draft, sides: tuple[SideInfo, ...]) -> str:
    """A piece's name without its number."""
    side, sort = side_field(spec, draft.kind), sort_field(spec, draft.kind)
    owner = draft.values.get(side.name, NONE) if side and side.seen_by is None else NONE
    rank = draft.values.get(sort.name, NONE) if sort and sort.seen_by is None else NONE
    word = members(spec, sort.type.name)[rank] if sort and rank >= 0 else draft.kind
    return f"{sides[owner].prefix}.{word}" if owner >= 0 else word
