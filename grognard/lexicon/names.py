"""What the things of a game are called in its language, and which of them a typed name means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from grognard.files import short
from grognard.lexicon.catalogue import Words, words_in
from grognard.lexicon.typed import among, begins, heads, words_of
from runtime.bitsets import bits
from runtime.errors import ArgumentError
from runtime.games.wording import Wording
from runtime.model import NONE, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.setup import SetUp
from runtime.spelling import did_you_mean, plain

#: How a text can name something, the likeliest first: in full, by how it begins (with the number
#: of a card), by how a word of it begins.
NAME_FITS: Final[tuple[Callable[[str, str], bool], ...]] = (
    str.__eq__,
    lambda name, typed: name.startswith(f"{typed} "),
    str.startswith,
    lambda name, typed: len(typed) > 2 and f" {typed}" in name,
)
#: How words can name a piece, the likeliest first.
_PIECE_FITS: Final[tuple[Callable[[tuple[str, ...], tuple[str, ...]], bool], ...]] = (
    tuple.__eq__,
    lambda typed, name: heads(typed, name, str.__eq__),
    lambda typed, name: among(typed, name, str.__eq__),
    lambda typed, name: among(typed, name, begins),
)


@dataclass
class Lexicon:
    """The names of one game's things, both ways."""

    spec: RulesetSpec
    setup: SetUp
    wording: Wording

    @classmethod
    def of(cls, wording: Wording) -> Self:
        """The names in a wording."""
        return cls(wording.spec, wording.setup, wording)

    @cached_property
    def words(self) -> Words:
        """The program's own words in the language of the game."""
        return words_in(self.wording.language)

    # ------------------------------------------------------------------ what things are called

    def side_name(self, side: int) -> str:
        """How a side is called."""
        return self.wording.member("Side", side)

    def member(self, enum: str, index: int) -> str:
        """A member in words."""
        return self.wording.member(enum, index)

    def piece_name(self, kind: str, index: int) -> str:
        """How a piece is called."""
        return self.wording.display_name(self.setup.pieces[kind][index].name)

    def piece_names(self, kind: str, index: int) -> tuple[str, str, str]:
        """What a piece may be called: its name, that in the language, and that without the prefix
        of its list.
        """
        name = self.setup.pieces[kind][index].name
        return name, self.wording.display_name(name), name.rpartition(".")[2]

    def field_name(self, field: FieldSpec, remark: str = "") -> str:
        """How a field is called; where the texts do not say it, by what is remarked of it."""
        default = remark or field.base.replace("_", " ")
        word = self.wording.text(f"field.{field.base}", default=default)
        return word if field.per is None else f"{word} ({self.member(field.per, field.member)})"

    def labels(self, field: FieldSpec) -> list[str]:
        """How the map calls what it shows of a field of Hex; nothing where it has no names."""
        return []

    def card_text(self, enum: str, card: int) -> str:
        """What a card, or another member, says."""
        return self.wording.text(f"{enum}.{self.spec.enums[enum][card]}.text", default="")

    def in_words(self, type_: TypeSpec, value: int) -> str:
        """A value in the words of the catalogue."""
        if type_.kind == "set" and type_.of is not None:
            return ", ".join(self.in_words(type_.of, member) for member in bits(value)) or "–"
        if type_.kind == "bool":
            return self.words("yes") if value else self.words("no")
        if type_.kind == "int":
            return str(value)
        if value < 0:
            return "–"
        if type_.kind == "enum":
            return self.member(type_.name, value)
        if type_.kind == "hex":
            return self.spec.board.label(value)
        return self.wording.display_name(self.wording.names.name(type_, value))

    def with_text(self, type_: TypeSpec, value: int) -> str:
        """A value in words, a member of an enum with what its text says."""
        if type_.kind == "set" and type_.of is not None and type_.of.kind == "enum":
            return ", ".join(self.with_text(type_.of, member) for member in bits(value)) or "–"
        name = self.in_words(type_, value)
        text = self.card_text(type_.name, value) if type_.kind == "enum" and value >= 0 else ""
        return f"{name} ({text})" if text else name

    # ------------------------------------------------------------------ what names mean

    def side_named(self, text: str) -> int:
        """The side with a name: that of the ruleset, that of the scenario, or either in the
        language of the game.  ArgumentError when there is none.
        """
        for side, member in enumerate(self.spec.sides):
            names = [member, self.side_name(side)]
            names += [own.name for own in self.setup.sides[side : side + 1]]
            if plain(text) in map(plain, names):
                return side
        known = f"the sides are {', '.join(self.spec.sides)}"
        remedy = did_you_mean(text, self.spec.sides) or known
        raise ArgumentError(f"there is no side '{short(text)}'", remedy)

    def hexes_named(self, text: str) -> Sequence[int]:
        """The hexes whose label, else whose name, a text is."""
        return self._hexes.get(plain(text), ())

    def hex_named(self, text: str) -> int:
        """The first hex of :meth:`hexes_named`; NONE for none."""
        return next(iter(self.hexes_named(text)), NONE)

    @cached_property
    def _hexes(self) -> dict[str, list[int]]:
        board = self.spec.board
        labels = {plain(label): [h] for h, label in enumerate(board.labels)}
        names: dict[str, list[int]] = {}
        for h, name in board.names.items():
            for called in dict.fromkeys((plain(name), plain(self.wording.display_name(name)))):
                names.setdefault(called, []).append(h)
        return names | labels

    def pieces_named(self, text: str) -> list[tuple[str, int]]:
        """The pieces, by kind and number, whose names a text is, else those that have its words in
        their names, in full or begun; where it is a hex, only the first.
        """
        typed = words_of(text)
        for fits in _PIECE_FITS:
            pieces = [
                piece
                for piece, names in self._pieces.items()
                if any(fits(typed, name) for name in names)
            ]
            if pieces or self.hex_named(text) >= 0:
                return pieces
        return []

    @cached_property
    def _pieces(self) -> dict[tuple[str, int], set[tuple[str, ...]]]:
        """The words of what each piece is called."""
        return {
            (kind, index): set(map(words_of, self.piece_names(kind, index)))
            for kind in self.spec.kinds
            for index in range(len(self.setup.pieces.get(kind, ())))
        }
