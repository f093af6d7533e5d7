"""Which values of a type a typed name means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grognard.lexicon.names import Lexicon
from runtime.errors import ArgumentError
from runtime.model import NONE, TRUTHS, TypeSpec
from runtime.spelling import did_you_mean, plain
from runtime.state import StateBase

#: How many examples are given of what could be written.
_EXAMPLES = 12


def parse_arguments(
    lexicon: Lexicon,
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
    values = []
    geometry = lexicon.wording.names.geometry
    for (name, type_), given in zip(wanted, words, strict=True):
        word = geometry(given)
        value = parse_value(lexicon, state, type_, word)
        if len(value) != 1:
            raise _not_one(lexicon, name, type_, word, len(value))
        values += value
    return values


def type_text(type_: TypeSpec) -> str:
    """A type as rulesets write it."""
    if type_.of is not None:
        return f"set of {type_text(type_.of)}"
    return (type_.name or type_.kind) + ("?" if type_.optional else "")


def _not_one(lexicon: Lexicon, name: str, type_: TypeSpec, word: str, count: int) -> ArgumentError:
    """What is wrong with a *word* for the argument *name* that means *count* values and not one."""
    of = type_ if type_.of is None else type_.of
    known = ["yes", "no"] if of.kind == "bool" else list(lexicon.wording.names.all(of))
    examples = f"possible: {', '.join(known[:_EXAMPLES])}{' …' if len(known) > _EXAMPLES else ''}"
    what = f"'{word}' could be several"
    if type_.of is not None:
        what = what if count else f"'{word}' is not a {type_text(type_)}"
        examples = examples if known else "write numbers"
        remedy = f"write its members one after another, or none; {examples}"
    elif known:
        what = what if count else f"there is no {type_text(type_)} '{word}'"
        remedy = did_you_mean(word, known) or examples
    else:
        what, remedy = f"'{word}' is not a number", "write a number"
    return ArgumentError(f"{what} (for {name})", remedy)


def parse_value(lexicon: Lexicon, state: StateBase | None, type_: TypeSpec, text: str) -> list[int]:
    """The values of a type that *text* names, as identifiers or in the words of a language; several
    when it is short for several.
    """
    typed = plain(text)
    if type_.kind == "int":
        return [int(text)] if re.fullmatch(r"-?[0-9]{1,18}", text) else []
    if type_.kind == "bool":
        return [TRUTHS[typed]] if typed in TRUTHS else []
    if type_.of is not None and type_.kind == "set":
        return _set(lexicon, state, type_.of, text)
    if type_.kind == "roll":
        return []
    if typed == "none":
        return [NONE]
    if type_.kind == "hex":
        return list(lexicon.hexes_named(text))
    if type_.kind == "enum":
        return _members(lexicon, type_.name, typed)
    return _pieces(lexicon, state, type_.name, typed) if type_.kind == "piece" else []


def _set(lexicon: Lexicon, state: StateBase | None, of: TypeSpec, text: str) -> list[int]:
    """A set is written as its members, one after another; ``none`` is the empty one."""
    mask = 0
    for word in [] if plain(text) == "none" else text.split():
        members = parse_value(lexicon, state, of, word)
        if len(members) != 1 or members[0] < 0:
            return []
        mask |= 1 << members[0]
    return [mask]


def _members(lexicon: Lexicon, enum: str, typed: str) -> list[int]:
    names = []
    for i, m in enumerate(lexicon.spec.enums[enum]):
        texts = (m, m.replace("_", " "), lexicon.spec.text(f"{enum}.{m}"), lexicon.member(enum, i))
        names.append({plain(text) for text in texts})
    exact = [i for i, known in enumerate(names) if typed in known]
    if enum == "Side":
        sides = enumerate(lexicon.setup.sides)
        exact += [i for i, side in sides if plain(side.name) == typed and i not in exact]
    return exact or [
        i for i, known in enumerate(names) if any(word.startswith(typed) for word in known)
    ]


def _pieces(lexicon: Lexicon, state: StateBase | None, kind: str, typed: str) -> list[int]:
    """Pieces by name, else those on a hex, else by the name without its prefix."""
    spec, setup = lexicon.spec, lexicon.setup
    kinds = spec.kinds_of(kind)
    names = [piece.name for piece in setup.pieces_of(kinds)]
    exact = [
        i
        for i, name in enumerate(names)
        if typed in (plain(name), plain(lexicon.wording.display_name(name)))
    ]
    if exact:
        return exact
    places = {
        own: f for own in kinds for f in spec.fields_of(own) if f.place and f.type.kind == "hex"
    }
    hexes = lexicon.hexes_named(typed)
    if hexes and places and state is not None:
        return [
            setup.common_number(kinds, own, i)
            for own, f in places.items()
            for i, h in enumerate(getattr(state, f.slot)[:-1])
            if h == hexes[0]
        ]
    return [i for i, name in enumerate(names) if plain(name).rsplit(".", 1)[-1] == typed]
