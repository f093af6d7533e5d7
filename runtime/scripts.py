"""Scripts: what chance is to give, by the names that people use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.chance import END
from runtime.model import DeckSpec, DieSpec, RulesetSpec
from runtime.scenario.finding import suggestion
from runtime.scenario.setup import SetUp


def scripted(spec: RulesetSpec, setup: SetUp, script: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """A script as a state keeps it.  ValueError for what chance cannot give.

    By the name of a die its faces, as numbers or names, in the order in which they are rolled before chance
    comes in; ``{"draw": ["red1"]}`` what is drawn from sets.  By the name of a deck, for each shuffle of one
    of its piles the cards that then lie on top, the first to be drawn first; chance gives the order of the
    others.  ``end`` as the last entry says that nothing is rolled, drawn or shuffled after those;
    ``{"shuffle": [0]}`` that shuffling leaves piles as they are.
    """
    made: dict[str, list[Any]] = {}
    dice = {die.name: die for die in spec.dice}
    decks = {deck.name: deck for deck in spec.decks}
    for name, given in script.items():
        if name == "shuffle":
            if [str(face) for face in given] != ["0"]:
                raise ValueError("'shuffle' can only be [0]: piles stay as they are")
            made[name] = [0]
            continue
        drawn = name == "draw" and bool(spec.draws)
        if not drawn and name not in dice and name not in decks:
            decked = f"; decks: {', '.join(decks)}" if decks else ""
            raise ValueError(f"there is no die '{name}'; dice: {', '.join(dice) or 'none'}{decked}")
        made[name] = []
        for place, one in enumerate(given, 1):
            if one == "end" and (name not in dice or "end" not in _faces(spec, dice[name])):
                if place < len(given):
                    what = "draws" if drawn else "faces" if name in dice else "shuffles"
                    raise ValueError(f"'end' stands before other {what} of '{name}'; it can only be the last")
                made[name].append(END)
            elif drawn:
                made[name].append(_drawable(spec, setup, str(one)))
            else:
                made[name].append(
                    _face(spec, dice[name], one) if name in dice else _cards(spec, decks[name], one)
                )
    return made


def _cards(spec: RulesetSpec, deck: DeckSpec, given: Any) -> list[int]:
    """The cards of one shuffle as numbers."""
    if not isinstance(given, list | tuple):
        raise ValueError(
            f"'{given}' is no shuffle of deck '{deck.name}': for each shuffle write a list of cards"
        )
    names = spec.enums[deck.enum]
    wrong = [card for card in given if card not in names]
    if wrong:
        raise ValueError(f"deck '{deck.name}' has no card '{wrong[0]}'; {suggestion(str(wrong[0]), names)}")
    return [names.index(card) for card in given]


def _faces(spec: RulesetSpec, die: DieSpec) -> Sequence[str]:
    return spec.enums[die.enum] if die.enum else ()


def _face(spec: RulesetSpec, die: DieSpec, face: int | str) -> int:
    """A face as a number."""
    names = _faces(spec, die)
    number = names.index(face) if isinstance(face, str) and face in names else face
    if isinstance(number, bool) or number not in die.faces:
        shown = names or tuple(str(f) for f in sorted(set(die.faces)))
        raise ValueError(f"die '{die.name}' has no face '{face}'; faces: {', '.join(shown)}")
    return int(number)


def _drawable(spec: RulesetSpec, setup: SetUp, text: str) -> dict[str, int | str]:
    """What a text can mean where something is drawn: by piece kind, enum, ``Hex`` or, for a number,
    ``""``.
    """
    meant: dict[str, int | str] = {}
    for enum, members in spec.enums.items():
        if text in members:
            meant[enum] = members.index(text)
    if text in spec.board.labels:
        meant["Hex"] = spec.board.labels.index(text)
    if text.lstrip("-").isdecimal():
        meant[""] = int(text)
    for kind, pieces in setup.pieces.items():
        for i, piece in enumerate(pieces):
            if piece.name == text:
                meant[kind] = i
                for parent, kinds in spec.parents.items():
                    if kind in kinds:
                        meant[parent] = setup.common_number(kinds, kind, i)
    if not meant:
        raise ValueError(f"nothing that could be drawn is called '{text}'")
    return {"text": text, **meant}
