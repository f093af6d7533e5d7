"""Values that people write, as the engine has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dsl.diagnostics import did_you_mean
from runtime.errors import ArgumentError
from runtime.games.wording import Wording
from runtime.model import NONE, TRUTHS, TypeSpec
from runtime.spelling import plain
from runtime.state import StateBase


def parse_arguments(
    wording: Wording,
    state: StateBase | None,
    signature: str,
    wanted: Sequence[tuple[str, TypeSpec]],
    words: Sequence[str],
) -> list[int]:
    """The arguments of what has a *signature*, by the names and types *wanted*.

    ArgumentError when there are too many or too few, or one names nothing, or several things.
    """
    if len(words) != len(wanted):
        count = f"{len(wanted)} argument{'s' if len(wanted) != 1 else ''}"
        name = signature.partition("(")[0]
        raise ArgumentError(f"{name} expects {count}, got {len(words)}", f"write: {signature}")
    made = []
    for (name, type_), word in zip(wanted, words, strict=True):
        values = parse_value(wording, state, type_, word)
        if len(values) != 1:
            raise _not_one(wording, name, type_, word, len(values))
        made.append(values[0])
    return made


def written(type_: TypeSpec) -> str:
    """A type as rulesets write it."""
    if type_.of is not None:
        return f"set of {written(type_.of)}"
    return (type_.name or type_.kind) + ("?" if type_.optional else "")


def _not_one(wording: Wording, name: str, type_: TypeSpec, word: str, count: int) -> ArgumentError:
    """What is wrong with a *word* for the argument *name* that means *count* values and not one."""
    known = _known(wording, type_ if type_.of is None else type_.of)
    examples = f"possible: {', '.join(known[:12])}{' …' if len(known) > 12 else ''}"
    if not known:
        examples = "write numbers"
    what = f"'{word}' could be several"
    if type_.of is not None:
        what = what if count else f"'{word}' is not a {written(type_)}"
        remedy = f"write its members one after another, or none; {examples}"
    elif known:
        what = what if count else f"there is no {written(type_)} '{word}'"
        remedy = did_you_mean(word, known) or examples
    else:
        what, remedy = f"'{word}' is not a number", "write a number"
    return ArgumentError(f"{what} (for {name})", remedy)


def _known(wording: Wording, type_: TypeSpec) -> list[str]:
    """The names of the values of a type; none of numbers."""
    spec = wording.spec
    if type_.kind == "piece":
        return [piece.name for piece in wording.setup.pieces_of(spec.kinds_of(type_.name))]
    if type_.kind == "hex":
        return list(spec.board.labels)
    if type_.kind == "enum":
        return list(spec.enums[type_.name])
    return ["yes", "no"] if type_.kind == "bool" else []


def parse_value(wording: Wording, state: StateBase | None, type_: TypeSpec, text: str) -> list[int]:
    """The values of a type that *text* names, as identifiers or in the words of a language; several
    when it is short for several.
    """
    given = plain(text)
    if type_.kind == "int":
        return [int(text)] if re.fullmatch(r"-?[0-9]{1,18}", text) else []
    if type_.kind == "bool":
        return [TRUTHS[given]] if given in TRUTHS else []
    if type_.of is not None and type_.kind == "set":
        return _set(wording, state, type_.of, text)
    if type_.kind == "roll":
        return []
    if given == "none":
        return [NONE]
    if type_.kind == "hex":
        return _hexes(wording, given)
    if type_.kind == "enum":
        return _members(wording, type_.name, given)
    if type_.kind == "piece":
        return _pieces(wording, state, type_.name, given)
    return []


def _set(wording: Wording, state: StateBase | None, of: TypeSpec, text: str) -> list[int]:
    """A set is written as its members, one after another; ``none`` is the empty one."""
    found = 0
    for word in [] if plain(text) == "none" else text.split():
        members = parse_value(wording, state, of, word)
        if len(members) != 1 or members[0] < 0:
            return []
        found |= 1 << members[0]
    return [found]


def _hexes(wording: Wording, given: str) -> list[int]:
    board = wording.spec.board
    exact = [h for h, label in enumerate(board.labels) if plain(label) == given]
    return exact or [
        h for h, name in board.names.items() if given in (plain(name), plain(wording.called(name)))
    ]


def _members(wording: Wording, enum: str, given: str) -> list[int]:
    spec = wording.spec
    names = []
    for i, m in enumerate(spec.enums[enum]):
        texts = (m, m.replace("_", " "), spec.text(f"{enum}.{m}"), wording.member(enum, i))
        names.append({plain(text) for text in texts})
    exact = [i for i, known in enumerate(names) if given in known]
    if enum == "Side":
        sides = enumerate(wording.setup.sides)
        exact += [i for i, side in sides if plain(side.name) == given and i not in exact]
    return exact or [
        i for i, known in enumerate(names) if any(word.startswith(given) for word in known)
    ]


def _pieces(wording: Wording, state: Any, kind: str, given: str) -> list[int]:
    spec, setup = wording.spec, wording.setup
    kinds = spec.kinds_of(kind)
    pieces = [plain(p.name) for p in setup.pieces_of(kinds)]
    called = [plain(wording.called(p.name)) for p in setup.pieces_of(kinds)]
    exact = [i for i, names in enumerate(zip(pieces, called, strict=True)) if given in names]
    if exact:
        return exact
    places = {
        own: f for own in kinds for f in spec.fields_of(own) if f.place and f.type.kind == "hex"
    }
    hexes = _hexes(wording, given)
    if hexes and places and state is not None:
        there = [
            (own, i)
            for own, f in places.items()
            for i, h in enumerate(getattr(state, f.slot)[:-1])
            if h == hexes[0]
        ]
        return [setup.common_number(kinds, own, i) for own, i in there]
    return [i for i, name in enumerate(pieces) if name.rsplit(".", 1)[-1] == given]
