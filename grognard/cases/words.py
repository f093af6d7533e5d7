"""Fields and piles of a state by the keys that cases write: ``hi.blocks``, ``hand[top]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grognard.cases.file import CaseError
from runtime.data.findings import suggestion
from runtime.games.names import Names
from runtime.model import NONE, FieldSpec, PileSpec, TypeSpec
from runtime.state import StateBase
from runtime.words.said import said


class CaseWords(Names):
    """The names of a set-up's things, and of fields and piles of its states."""

    def name(self, type_: TypeSpec, value: Any) -> str:
        """The stable name of a value; of an empty set ``none``."""
        return super().name(type_, value) or "none"

    def names_in(self, wanted: Any) -> list[str]:
        """The names that a list or a text holds."""
        items = wanted if isinstance(wanted, list) else [wanted]
        return [name for item in items for name in self.geometry(str(item)).split()]

    # ------------------------------------------------------------------ fields

    def field(self, key: str) -> tuple[FieldSpec, int | None]:
        """The field that ``name.field`` or ``field`` means, and whose it is."""
        name, _, field = key.rpartition(".")
        owner, index = self._owner(self.geometry(name)) if name else ("Game", None)
        fields = self.fields(owner)
        spec = next((f for f in fields if f.name == field), None)
        if spec is None:
            known = suggestion(field, [f.name for f in fields])
            whose = owner if name else "the game"
            raise CaseError(
                said(
                    "{whose} has no field '{field}'; {known}", whose=whose, field=field, known=known
                )
            )
        return spec, index

    def _owner(self, name: str) -> tuple[str, int]:
        """The piece, member or hex of a name: its kind, and its number."""
        if name in self.pieces:
            return self.pieces[name]
        for enum, members in self.spec.enums.items():
            if name in members and self.fields(enum):
                return enum, members.index(name)
        try:
            return "Hex", self.spec.board.index(name)
        except ValueError:
            known = suggestion(name, [*self.pieces, *self.spec.sides])
            message = said(
                "'{name}' is not a piece, side, member or hex; {known}", name=name, known=known
            )
            raise CaseError(message) from None

    def compare(self, state: StateBase, key: str, wanted: Any) -> tuple[int, int, TypeSpec]:
        """Expected value, actual value and their type."""
        field, index = self.field(key)
        column = getattr(state, field.slot)
        actual = column if index is None else column[index]
        return self.value(field.type, wanted), int(actual), field.type

    def take_up(self, state: StateBase, key: str) -> None:
        """Take a piece off the board whose place is given: pieces may change places."""
        field, index = self.field(key)
        if field.place and index is not None:
            state.place(field, index, NONE)

    def set_field(self, state: StateBase, key: str, wanted: Any) -> None:
        """Give a field a value, keeping the index of places right."""
        field, index = self.field(key)
        value = self.value(field.type, wanted)
        if index is None:
            setattr(state, field.slot, value)
        elif field.place:
            state.place(field, index, value)
        elif field.fixed:
            raise CaseError(said("'{key}' is fixed; say it in the position", key=key))
        else:
            column = list(getattr(state, field.slot))
            column[index] = value
            setattr(state, field.slot, column)
        state.forget((field.slot,))

    # ------------------------------------------------------------------ piles

    def pile_of(self, key: str) -> tuple[PileSpec, int | None]:
        """The pile that ``pile`` or ``pile[owner]`` means, and whose it is."""
        match = re.fullmatch(r"(\w+)(?:\[(\w+)\])?", key)
        pile = self.spec.piles.get(match[1]) if match else None
        if pile is None or match is None:
            raise CaseError(
                said(
                    "there is no pile '{key}'; {suggestion}",
                    key=key,
                    suggestion=suggestion(key, self.spec.piles),
                )
            )
        if pile.per is None and match[2] is not None:
            raise CaseError(
                said("there is only one pile '{name}'; write it without brackets", name=pile.name)
            )
        if pile.per is None:
            return pile, None
        if match[2] is None:
            example = f"{pile.name}[{self.spec.enums[pile.per][0]}]"
            message = said(
                "there is a pile '{name}' for each {per}; say whose: {example}",
                name=pile.name,
                per=pile.per,
                example=example,
            )
            raise CaseError(message)
        return pile, self.value(TypeSpec("enum", pile.per), match[2])

    def set_pile(self, state: StateBase, key: str, cards: Sequence[Any]) -> None:
        """Give a pile its cards, the last on top."""
        pile, index = self.pile_of(key)
        values = [self._card(pile, card) for card in cards]
        if pile.visibility == "owner":
            values.sort()
        if index is None:
            setattr(state, pile.slot, values)
        else:
            getattr(state, pile.slot)[index] = values
        state.forget((pile.slot,))

    def _card(self, pile: PileSpec, card: Any) -> int:
        value = self.value(TypeSpec("enum", pile.enum), card)
        if value == NONE:
            raise CaseError(said("'{card}' is not a card; write [] for no cards", card=card))
        return value

    def cards(self, key: str, cards: Sequence[Any]) -> list[str]:
        """Cards that may lie in a pile, as they are called."""
        pile, _ = self.pile_of(key)
        return [self.spec.enums[pile.enum][self._card(pile, card)] for card in cards]

    def pile(self, state: StateBase, key: str) -> list[str]:
        """The cards of a pile by name."""
        pile, index = self.pile_of(key)
        content = getattr(state, pile.slot)
        cards = content if index is None else content[index]
        return [self.spec.enums[pile.enum][card] for card in cards]
