"""What may stand at a place of a file in YAML: keys, and values that are words.

Where the place is follows from how far lines are indented, as a file that is being written is
seldom whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from compiler.texts import ENGLISH, possible
from grognard import places
from grognard.cases.case_shape import FILE
from grognard.draw.style import FILE as STYLE
from grognard.draw.style_shape import style_shape
from grognard.editing.completion import Proposal, Proposals
from grognard.editing.desk import CASES, EXPERIMENT, RULES, Desk, kind_of
from grognard.lab.experiment import SHAPE
from runtime.data.shapes import Either, List, Record, Shape, Switch, Truth, Word
from runtime.scenario.shape import scenario_shape

_KEY = re.compile(r"^(?P<margin>\s*(?:- +)*)(?P<key>[\w.\-/]+):(?P<value>.*)$")
_FLOW = re.compile(r"[{,]\s*(?P<key>[\w.\-/]+):\s*[^,{}]*$")
#: The key of an item of a list.
_ITEM = "-"
#: The folder of catalogues.
TEXTS = "texts"


def data_proposals(desk: Desk, path: Path, offset: int) -> Proposals:
    """What may stand at *offset* of a file in YAML."""
    text = desk.text(path)
    begun = re.search(r"[\w.\-]*$", text[text.rfind("\n", 0, offset) + 1 : offset])
    start = offset - len(begun[0].lstrip("-") if begun else "")
    keys, value = keys_at(text, start)
    if path.parent.name == TEXTS and not value:
        return Proposals(start, offset, tuple(_texts(desk, path)))
    shape = _shape(desk, path, text)
    for key in keys:
        shape = _below(shape, key)
    words = [] if shape is None else _values(shape) if value else _keys(shape)
    return Proposals(start, offset, tuple(words))


def _shape(desk: Desk, path: Path, text: str) -> Shape | None:
    """The shape of a file, as far as it can be told from what stands in it by now."""
    kind = kind_of(path, text)
    if kind == RULES:
        return style_shape() if path.name == STYLE else None
    if kind == CASES:
        return FILE
    if kind == EXPERIMENT:
        return SHAPE
    return _scenario(desk, path)


def _texts(desk: Desk, path: Path) -> Iterator[Proposal]:
    """The keys that a catalogue can have, and has not yet."""
    folder = desk.folder_of(path)
    if folder is None:
        return
    program = desk.ruleset(desk.games_of(folder)[0]).program
    there = set(re.findall(r"^([^\s:#]+):", desk.text(path), re.MULTILINE))
    for key in possible(program):
        if key not in there:
            yield Proposal(key, "field", program.texts.get(ENGLISH, {}).get(key, ""), f"{key}: ")


def _scenario(desk: Desk, path: Path) -> Shape | None:
    """The shape of the scenarios of the ruleset that a file names."""
    folder = desk.folder_of(path)
    if folder is None:
        named = [Proposal(name, "ruleset") for name in places.rulesets()]
        return Record(keys={"ruleset": Word(words=[one.word for one in named])})
    made = desk.ruleset(folder)
    return scenario_shape(made.spec) if made.ok and not made.resolved.abstract else None


def keys_at(text: str, offset: int) -> tuple[list[str], bool]:
    """The keys that lead to a place, those of items as ``-``, and whether a value stands there."""
    lines = text[:offset].split("\n")
    current = lines[-1]
    bare = current.lstrip(" ")
    own = _KEY.match(current)
    flow = _FLOW.search(current) if current.count("{") > current.count("}") else None
    inside = current.count("{") > current.count("}")
    keys = [one["key"] for one in (own, flow) if one is not None]
    value = flow is not None or (own is not None and not inside)
    margin = len(current) - len(bare) if bare else len(current)
    if bare.startswith("- "):
        keys.insert(0, _ITEM)
    for line in reversed(lines[:-1]):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        content = len(line) - len(line.lstrip(" -"))
        match = _KEY.match(line)
        if match is not None and content < margin and not match["value"].split("#")[0].strip():
            keys.insert(0, match["key"])
            margin = content
        if line.lstrip().startswith("- ") and indent < margin:
            keys.insert(0, _ITEM)
            margin = indent
    return keys, value


def _below(shape: Shape | None, key: str) -> Shape | None:
    """The shape of what stands under a key."""
    match shape:
        case List():
            return shape.item if key == _ITEM else _below(shape.item, key)
        case Record():
            return shape.keys.get(key, shape.rest)
        case Switch():
            found = (one.keys.get(key, one.rest) for one in shape.shapes.values())
            return next((one for one in found if one is not None), None)
        case Either():
            below = (_below(one, key) for one in shape.shapes)
            return next((one for one in below if one is not None), None)
    return None


def _keys(shape: Shape) -> list[Proposal]:
    match shape:
        case List():
            return _keys(shape.item)
        case Record():
            wanted = set(shape.required)
            return [
                Proposal(key, "field", below.about, f"{key}: ", 1 if key in wanted else 3)
                for key, below in shape.keys.items()
            ]
        case Switch():
            return [one for below in shape.shapes.values() for one in _keys(below)]
        case Either():
            return [one for below in shape.shapes for one in _keys(below)]
    return list(_values(shape))


def _values(shape: Shape) -> Iterator[Proposal]:
    match shape:
        case Word():
            for word in shape.words:
                yield Proposal(word, "member", shape.what or shape.noun)
        case Truth():
            for word in ("true", "false"):
                yield Proposal(word, "keyword", shape.about)
        case List():
            yield from _values(shape.item)
        case Either():
            for below in shape.shapes:
                yield from _values(below)
