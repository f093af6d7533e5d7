"""Chance as programs give it: seeds, and scripts of what is rolled, by names."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.chance import END, SEED_BITS, new_seed
from runtime.data.findings import suggestion
from runtime.errors import ArgumentError, value_in_words
from runtime.model import DeckSpec, DieSpec, RulesetSpec
from runtime.scenario.setup import SetUp
from runtime.words.said import said

#: What chance is to give: by the name of a die its faces, by that of a deck the top cards of each
#: shuffle, by ``draw`` what is drawn; a list alone is for the only die.
Script = Mapping[str, Sequence[Any]] | Sequence[int | str]
_EXAMPLE = "write {'d6': [6, 1]}"


def engine_seed(seed: Any) -> int:
    """A seed as the engine takes it; for None a new one that nobody can guess."""
    if seed is None:
        return new_seed()
    try:
        if isinstance(seed, bool):
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        message = said("a seed is a whole number or None, not {name}", name=type(seed).__name__)
        raise ArgumentError(message, "give a number such as 7") from None
    if not 0 <= number < 1 << SEED_BITS:
        remedy = said(
            "a seed has at most {seed_bits} bits and is not negative", seed_bits=SEED_BITS
        )
        raise ArgumentError(
            said("the seed {number} is out of range", number=value_in_words(number)), remedy
        )
    return number


def script_of(spec: RulesetSpec, dice: Any) -> dict[str, list[Any]]:
    """A script by the names of dice and decks, as plain data."""
    if isinstance(dice, list | tuple):
        if len(spec.dice) != 1:
            known = ", ".join(die.name for die in spec.dice)
            raise ArgumentError(
                said("the dice must say which die they are: {known}", known=known), _EXAMPLE
            )
        dice = {spec.dice[0].name: dice}
    lists = isinstance(dice, Mapping) and all(isinstance(f, list | tuple) for f in dice.values())
    if not lists:
        message = said(
            "dice are lists of faces by the name of the die, not {dice}", dice=value_in_words(dice)
        )
        raise ArgumentError(message, _EXAMPLE)
    return {
        str(name): [
            [_plain(card) for card in one] if isinstance(one, list | tuple) else _plain(one)
            for one in entries
        ]
        for name, entries in dice.items()
    }


def _plain(face: Any) -> int | str:
    """A face of a die, a card, or what is drawn, as it may be written in a script."""
    try:
        return face if isinstance(face, str) else operator.index(face)
    except TypeError:
        message = said("a face is a number or a name, not {face}", face=value_in_words(face))
        raise ArgumentError(message, _EXAMPLE) from None


def script_for_state(spec: RulesetSpec, setup: SetUp, script: Script) -> dict[str, list[Any]]:
    """A script as a state keeps it.  ArgumentError for what chance cannot give.

    By the name of a die its faces, as numbers or names, in the order in which they are rolled
    before chance comes in; ``{"draw": ["red1"]}`` what is drawn from sets.  By the name of a deck,
    for each shuffle of one of its piles the cards that then lie on top, the first to be drawn
    first; chance gives the order of the others.  ``end`` as the last entry says that nothing is
    rolled, drawn or shuffled after those; ``{"shuffle": [0]}`` that shuffling leaves piles as they
    are.
    """
    queues: dict[str, list[Any]] = {}
    dice = {die.name: die for die in spec.dice}
    decks = {deck.name: deck for deck in spec.decks}
    for name, entries in script_of(spec, script).items():
        if name == "shuffle":
            if [str(face) for face in entries] != ["0"]:
                raise ArgumentError("'shuffle' can only be [0]: piles stay as they are")
            queues[name] = [0]
            continue
        drawn = name == "draw" and bool(spec.draws)
        if not drawn and name not in dice and name not in decks:
            decked = said("; decks: {decks}", decks=", ".join(decks)) if decks else ""
            known = said("dice: {dice}{decked}", dice=", ".join(dice) or "none", decked=decked)
            raise ArgumentError(said("there is no die '{name}'; {known}", name=name, known=known))
        queues[name] = []
        for place, one in enumerate(entries, 1):
            if one == "end" and (name not in dice or "end" not in _faces(spec, dice[name])):
                if place < len(entries):
                    what = "draws" if drawn else "faces" if name in dice else "shuffles"
                    message = said(
                        "'end' stands before other {what} of '{name}'", what=what, name=name
                    )
                    raise ArgumentError(said("{message}; it can only be the last", message=message))
                queues[name].append(END)
            elif drawn:
                queues[name].append(_drawable(spec, setup, str(one)))
            elif name in dice:
                queues[name].append(_face(spec, dice[name], one))
            else:
                queues[name].append(_cards(spec, decks[name], one))
    return queues


def _cards(spec: RulesetSpec, deck: DeckSpec, cards: Any) -> list[int]:
    """The cards of one shuffle as numbers."""
    if not isinstance(cards, list | tuple):
        message = said("'{cards}' is no shuffle of deck '{name}'", cards=cards, name=deck.name)
        raise ArgumentError(
            said("{message}: for each shuffle write a list of cards", message=message)
        )
    names = spec.enums[deck.enum]
    wrong = [card for card in cards if card not in names]
    if wrong:
        remedy = suggestion(str(wrong[0]), names)
        raise ArgumentError(
            said(
                "deck '{name}' has no card '{wrong}'; {remedy}",
                name=deck.name,
                wrong=wrong[0],
                remedy=remedy,
            )
        )
    return [names.index(card) for card in cards]


def _faces(spec: RulesetSpec, die: DieSpec) -> Sequence[str]:
    return spec.enums[die.enum] if die.enum else ()


def _face(spec: RulesetSpec, die: DieSpec, face: int | str) -> int:
    """A face as a number."""
    names = _faces(spec, die)
    number = names.index(face) if isinstance(face, str) and face in names else face
    if isinstance(number, bool) or number not in die.faces:
        shown = names or tuple(str(f) for f in sorted(set(die.faces)))
        raise ArgumentError(
            said(
                "die '{name}' has no face '{face}'; faces: {shown}",
                name=die.name,
                face=face,
                shown=", ".join(shown),
            )
        )
    return int(number)


def _drawable(spec: RulesetSpec, setup: SetUp, text: str) -> dict[str, int | str]:
    """What a text can mean where something is drawn: by kind (``""``: a number)."""
    readings: dict[str, int | str] = {}
    for enum, members in spec.enums.items():
        if text in members:
            readings[enum] = members.index(text)
    if text in spec.board.labels:
        readings["Hex"] = spec.board.labels.index(text)
    if text.lstrip("-").isdecimal():
        readings[""] = int(text)
    for kind, pieces in setup.pieces.items():
        for i, piece in enumerate(pieces):
            if piece.name == text:
                readings[kind] = i
                for parent, kinds in spec.parents.items():
                    if kind in kinds:
                        readings[parent] = setup.common_number(kinds, kind, i)
    if not readings:
        raise ArgumentError(said("nothing that could be drawn is called '{text}'", text=text))
    return {"text": text, **readings}
