"""A position of a game in the words of its catalogue: what there is to show of pieces and hexes.

What is shown derives from the ruleset's fields alone: a piece shows its sort (its first fixed enum
that is no side) and its strength (its first number that does not begin with a constant); a hex the
members of its enums that are not the usual ones.  Only what a :class:`runtime.view.Sight` gives is
shown.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from grognard.draw.picture import Picture
from grognard.draw.style import Style, StyleError
from grognard.draw.tokens import Token, Value
from grognard.lexicon.names import Lexicon
from runtime.games.play import Play
from runtime.model import NONE, FieldSpec
from runtime.scenario.fields import sort_field, strength_field
from runtime.state import StateBase
from runtime.view import Sight

_GENERATED = re.compile(r"(?:.*\.)?(\D*?)(\d+)\Z")
#: How many letters a short form given by a style may have.
_SHORT = 5
#: No settings: plain looks.
PLAIN = Style()


def abbreviations(words: Iterable[str], length: int = 3, exact: bool = False) -> dict[str, str]:
    """A short form for each word; different words have different ones as far as can be.

    A word that is a letter longer stays as it is, unless the length is *exact*.
    """
    shorts: dict[str, str] = {}
    taken: set[str] = set()
    for word in words:
        bare = "".join(c for c in word if c.isalnum())
        ends = [*bare[length:], *"23456789"]
        options = [bare[:length], *(bare[: length - 1] + end for end in ends)]
        if len(bare) <= length + (not exact):
            options.insert(0, bare)
        short = next((o for o in options if o.casefold() not in taken), options[0])
        taken.add(short.casefold())
        shorts[word] = short
    return shorts


class Looks(dict[tuple[str, int], Token]):
    """What the style says of each piece of a position, by kind and number; *picture* is what it is
    from.
    """

    picture: Picture | None = None


@dataclass
class Scene(Lexicon):
    """Tells of the positions of one game."""

    style: Style = PLAIN
    #: what works out calls of the ruleset in a position; without it, what they say is left out
    value: Value | None = None

    def __post_init__(self) -> None:
        #: the looks of the views that were looked at last
        self._known: deque[tuple[Sight, Style, Looks]] = deque(maxlen=4)
        #: the picture from which others are made
        self._picture: Picture | None = None

    @classmethod
    def of_game(cls, game: Play, style: Style = PLAIN) -> Self:
        """The scene of a game."""
        return cls(game.spec, game.setup, game.wording, style, game.program.value)

    # ------------------------------------------------------------------ looks

    def labels(self, field: FieldSpec) -> list[str]:
        """How the map calls what it shows of a field of Hex."""
        looks = [self.style.part("hexsides", field.base)]
        looks += self.style.part("hexes", field.base).values()
        labels = (str(o["label"]) for o in looks if isinstance(o, dict) and "label" in o)
        return list(dict.fromkeys(map(self.wording.display_name, labels)))

    def looks(self, seen: Sight, strict: bool = False) -> Looks:
        """What the style says of the board, and of each piece that the view shows, by kind and
        number; of no piece where it has no looks for them.

        Settings that only later positions use may turn out to be wrong: looks are plain from then
        on, but *strict* raises StyleError.
        """
        if not self.style.data:
            return Looks()
        for last, style, looks in self._known:
            if last is seen and style is self.style:
                return looks
        try:
            looks = self.looks_of(self.picture(seen.state, seen))
        except StyleError:
            if strict:
                raise
            self.style = PLAIN
            return Looks()
        self._known.append((seen, self.style, looks))
        return looks

    def picture(self, state: StateBase, seen: Sight | None = None) -> Picture:
        """What is to be drawn of a position.  StyleError."""
        first = self._picture
        if first is None or first.style is not self.style:
            first = self._picture = Picture(
                self.spec, self.setup, state, self.style, seen, self.value, self.wording
            )
        return first.at(state, seen)

    def looks_of(self, picture: Picture) -> Looks:
        """The looks of the pieces in a picture.  StyleError."""
        placed, tray = picture.tokens()
        groups = (*placed.values(), *tray.values()) if self.style.part("pieces") else ()
        looks = Looks(((token.kind, token.index), token) for group in groups for token in group)
        looks.picture = picture
        return looks

    @cached_property
    def sorts(self) -> dict[str, dict[str, str]]:
        """Per kind with a sort, the short forms of its members that occur."""
        shorts = {}
        for kind in self.spec.kinds:
            field = sort_field(self.spec, kind)
            if field is not None:
                members = self.spec.enums[field.type.name]
                used = {p.values.get(field.name, NONE) for p in self.setup.pieces.get(kind, ())}
                given = self.style.part("short", field.type.name)
                usual = abbreviations(m for i, m in enumerate(members) if i in used)
                shorts[kind] = {m: str(given.get(m, s))[:_SHORT] for m, s in usual.items()}
        return shorts

    @cached_property
    def grounds(self) -> list[FieldSpec]:
        """The fields of Hex that show: members that scenarios or boards give, of those that have
        looks.
        """
        styled = self.style.part("hexes")
        return [
            f
            for f in self.spec.fields_of("Hex")
            if (f.setup or f.values is not None)
            and f.type.kind == "enum"
            and f.type.name != "Side"
            and (f.name in styled if styled else f.name not in self.style.part("areas"))
        ]

    @cached_property
    def ground_words(self) -> dict[str, dict[str, str]]:
        """By field of Hex and member, the short form of the ground in the language of the game."""
        words = {}
        for f in self.grounds:
            names = {
                member: self.member(f.type.name, index)
                for index, member in enumerate(self.spec.enums[f.type.name])
                if index != f.initial
            }
            short = abbreviations(names.values(), exact=True)
            words[f.name] = {member: short[name] for member, name in names.items()}
        return words

    def ground_sign(self, field: FieldSpec, member: str) -> str:
        """The sign of the look of a ground."""
        return str(self.style.part("hexes", field.name, member).get("sign", "")).strip()[:1]

    # ------------------------------------------------------------------ sides

    @property
    def side_names(self) -> list[str]:
        """How the sides are called."""
        return [self.side_name(side) for side in range(len(self.spec.sides))]

    @cached_property
    def initials(self) -> tuple[str, ...]:
        """A letter for each side, different ones as far as can be."""
        taken: list[str] = []
        for name, member in zip(self.side_names, self.spec.sides, strict=True):
            words = f"{name.split()[-1]}{member}ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            letters = [c.upper() for c in words if c.isalpha()]
            taken.append(next((c for c in letters if c not in taken), letters[0]))
        return tuple(taken)

    @property
    def flag_signs(self) -> Sequence[str]:
        """What stands for the flags of the sides where there is no colour."""
        return ")(" if len(self.spec.sides) == 2 else self.initials

    # ------------------------------------------------------------------ pieces

    @cached_property
    def _places(self) -> dict[str, FieldSpec]:
        """Per kind, the field that says where its pieces stand."""
        fields = (f for kind in self.spec.kinds for f in reversed(self.spec.fields_of(kind)))
        return {f.owner: f for f in fields if f.place and f.type.kind == "hex"}

    def place_of(self, kind: str) -> FieldSpec | None:
        """The field that says where the pieces of a kind stand."""
        return self._places.get(kind)

    def strength_of(self, kind: str) -> FieldSpec | None:
        """The field that is shown as the strength of the pieces of a kind."""
        return strength_field(self.spec, kind)

    def short(self, data: Mapping[str, Any], kind: str, index: int) -> str:
        """The sort of a piece, or its name, in at most three letters; ``U?`` where the sort is not
        seen.
        """
        field = sort_field(self.spec, kind)
        piece = self.setup.pieces[kind][index]
        sort = data[field.slot][index] if field is not None else NONE
        if sort is None:
            return f"{kind[0]}?"
        if field is not None and sort >= 0:
            member = self.spec.enums[field.type.name][sort]
            return self.sorts[kind].get(member, member[:3])
        match = _GENERATED.match(piece.name)
        if match and match[1].casefold() == kind.casefold():
            return kind[0] + match[2][:2]
        return piece.name.rsplit(".", 1)[-1][:3]

    def describe(self, data: Mapping[str, Any], kind: str, index: int) -> str:
        """What a piece is, how strong, and where: *auxilia 4 at B3*."""
        return " ".join(filter(None, self.parts(data, kind, index)))

    def parts(self, data: Mapping[str, Any], kind: str, index: int) -> tuple[str, str, str]:
        """What a piece is, how strong, and where, as far as that is known and seen."""
        field = sort_field(self.spec, kind)
        sort = self.wording.text(f"piece.{kind}", default=kind.lower())
        if field is not None:
            value = data[field.slot][index]
            if value is not None:
                sort = self.member(field.type.name, value) if value >= 0 else ""
        strength = self.strength_of(kind)
        figure = str(data[strength.slot][index] or "") if strength is not None else ""
        place = self.place_of(kind)
        where = data[place.slot][index] if place is not None else None
        if where is None:
            return sort, figure, ""
        if where < 0:
            return sort, figure, self.words("off the board")
        return sort, figure, self.words("at {place}", place=self.wording.place(where))

    def hex_of(self, data: Mapping[str, Any], kind: str, index: int) -> int:
        """Where a piece stands; NONE when nowhere or unknown."""
        place = self.place_of(kind)
        value = data[place.slot][index] if place is not None else NONE
        return NONE if value is None else int(value)

    def hexes_of(self, data: Mapping[str, Any], kind: str, index: int) -> list[int]:
        """Where a piece stands; of one whose kind has no places, such as a group, where its pieces
        stand.
        """
        if self.place_of(kind) is not None:
            h = self.hex_of(data, kind, index)
            return [h] if h >= 0 else []
        places = set()
        for other, pieces in self.setup.pieces.items():
            for field in self.spec.fields_of(other):
                if field.setup and (field.type.kind, field.type.name) == ("piece", kind):
                    own = data[field.slot]
                    places |= {
                        self.hex_of(data, other, i) for i in range(len(pieces)) if own[i] == index
                    }
        return sorted(places - {NONE})

    def hand(self, data: Mapping[str, Any], side: int) -> list[tuple[str, str]]:
        """The cards in the side's own piles: names and texts, equal ones once; behind the name of a
        card that does not lie in the first such pile of its deck, the hand, stands where it lies.
        """
        own = [p for p in self.spec.piles.values() if p.per == "Side" and p.visibility == "owner"]
        first = {pile.enum: pile for pile in reversed(own)}
        hand = []
        for pile in own:
            cards = data[pile.slot][side]
            known = (
                [c for c in cards if c is not None and c >= 0] if isinstance(cards, list) else ()
            )
            for card, count in sorted(Counter(known).items()):
                name = self.member(pile.enum, card) + (f" (×{count})" if count > 1 else "")
                if pile is not first[pile.enum]:
                    name += f" ({self.wording.text(f'pile.{pile.name}')})"
                hand.append((name, self.card_text(pile.enum, card)))
        return hand
