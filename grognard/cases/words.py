"""Values of a state by the names that people use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from grognard.cases.file import CaseError
from runtime.bitsets import bits
from runtime.data.findings import suggestion
from runtime.model import NONE, FieldSpec, PileSpec, RulesetSpec, TypeSpec
from runtime.scenario import SetUp
from runtime.state import StateBase

#: ``name(argument, argument)``
CALL: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$")
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")


def _truth(text: Any) -> int:
    if text in ("true", "yes") or text is True or text == 1:
        return 1
    if text in ("false", "no") or text is False or text == 0:
        return 0
    raise CaseError(f"'{text}' is neither true nor false")


def _number(text: Any) -> int:
    if isinstance(text, bool) or not _NUMBER.fullmatch(str(text)):
        bare = re.fullmatch(r"(-?[0-9]+) [A-Za-z_]\w*", str(text))
        hint = f"; write {bare[1]}, without its measure" if bare else ""
        raise CaseError(f"'{text}' is not a whole number{hint}")
    return int(text)


class Words:
    """Reads and writes values of a state by the names people use."""

    def __init__(self, spec: RulesetSpec, setup: SetUp) -> None:
        self.spec = spec
        self.setup = setup
        self.pieces = {
            piece.name: (kind, i)
            for kind, pieces in setup.pieces.items()
            for i, piece in enumerate(pieces)
        }

    def value(self, type_: TypeSpec | None, text: Any) -> int:
        """The int that a text means as a value of *type_*."""
        assert type_ is not None
        if type_.kind == "bool":
            return _truth(text)
        if type_.kind == "int":
            return _number(text)
        if type_.kind == "set":
            return self._set(type_, text)
        if isinstance(text, list):
            raise CaseError(f"'{', '.join(map(str, text))}' is a list, but there is a single value")
        word = str(text).strip()
        if word == "none":
            return NONE
        if type_.kind == "hex":
            try:
                return self.spec.board.index(word)
            except ValueError as error:
                raise CaseError(str(error)) from None
        if type_.kind == "piece":
            return self._piece(type_, word)
        members = self.spec.enums[type_.name]
        if word not in members:
            raise CaseError(
                f"'{word}' is not a member of {type_.name}; {suggestion(word, members)}"
            )
        return members.index(word)

    def _set(self, type_: TypeSpec, text: Any) -> int:
        items = text if isinstance(text, list) else str(text).split()
        values = [self.value(type_.of, item) for item in items if item != "none"]
        if len(set(values)) != len(values) or (len(values) != len(items) and len(items) > 1):
            raise CaseError(
                f"'{' '.join(map(str, items))}' is not a set: write each member once, or none"
            )
        return sum(1 << value for value in values)

    def _piece(self, type_: TypeSpec, word: str) -> int:
        kind, index = self.pieces.get(word, ("", NONE))
        kinds = self.spec.kinds_of(type_.name)
        if kind not in kinds:
            known = [n for n, (k, _) in self.pieces.items() if k in kinds]
            raise CaseError(f"there is no {type_.name} called '{word}'; {suggestion(word, known)}")
        return self.setup.common_number(kinds, kind, index)

    def name(self, type_: TypeSpec, value: int) -> str:
        """A value as people write it."""
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "set" and type_.of is not None:
            return " ".join(self.name(type_.of, v) for v in bits(value)) or "none"
        if value == NONE and type_.kind in ("hex", "enum", "piece"):
            return "none"
        if type_.kind == "hex":
            return self.spec.board.label(value)
        if type_.kind == "enum":
            return self.spec.enums[type_.name][value]
        if type_.kind == "piece":
            return self.setup.pieces_of(self.spec.kinds_of(type_.name))[value].name
        return str(value)

    def _field(self, key: str) -> tuple[Any, int | None]:
        """The field that ``name.field`` or ``field`` means, and whose it is."""
        owner_text, _, name = key.rpartition(".")
        if not owner_text:
            found = next(
                (f for f in self.spec.fields if f.owner == "Game" and f.name == name), None
            )
            if found is None:
                known = [f.name for f in self.spec.fields if f.owner == "Game" and not f.options]
                raise CaseError(f"the game has no field '{name}'; {suggestion(name, known)}")
            return found, None
        if owner_text in self.pieces:
            owner, index = self.pieces[owner_text]
        else:
            enum = next(
                (
                    e
                    for e, members in self.spec.enums.items()
                    if owner_text in members and any(f.owner == e for f in self.spec.fields)
                ),
                None,
            )
            if enum is not None:
                owner, index = enum, self.spec.enums[enum].index(owner_text)
            else:
                try:
                    owner, index = "Hex", self.spec.board.index(owner_text)
                except ValueError:
                    known = [*self.pieces, *self.spec.sides]
                    raise CaseError(
                        f"'{owner_text}' is not a piece, side, member or hex; {suggestion(owner_text, known)}"
                    ) from None
        found = next((f for f in self.spec.fields if f.owner == owner and f.name == name), None)
        if found is None:
            known = [f.name for f in self.spec.fields if f.owner == owner and not f.options]
            raise CaseError(f"{owner} has no field '{name}'; {suggestion(name, known)}")
        return found, index

    def field(self, key: str) -> tuple[FieldSpec, int | None]:
        """The field that ``name.field`` or ``field`` means, and whose it is."""
        found, index = self._field(key)
        return found, index

    def pile_of(self, key: str) -> tuple[PileSpec, int | None]:
        """The pile that ``pile`` or ``pile[owner]`` means, and whose it is."""
        found, index = self._pile(key)
        return found, index

    def compare(self, state: StateBase, key: str, wanted: Any) -> tuple[int, int, TypeSpec]:
        """Expected value, actual value and their type."""
        found, index = self._field(key)
        column = getattr(state, found.slot)
        return (
            self.value(found.type, wanted),
            int(column if index is None else column[index]),
            found.type,
        )

    def set_field(self, state: StateBase, key: str, wanted: Any) -> None:
        """Give a field a value, keeping the index of places right."""
        found, index = self._field(key)
        value = self.value(found.type, wanted)
        if index is None:
            setattr(state, found.slot, value)
        elif found.place:
            state.place(found, index, value)
        elif found.fixed:
            raise CaseError(f"'{key}' is fixed; say it in the position")
        else:
            column = list(getattr(state, found.slot))
            column[index] = value
            setattr(state, found.slot, column)

    def _pile(self, key: str) -> tuple[Any, int | None]:
        match = re.fullmatch(r"(\w+)(?:\[(\w+)\])?", key)
        pile = self.spec.piles.get(match.group(1)) if match else None
        if pile is None or match is None:
            raise CaseError(f"there is no pile '{key}'; {suggestion(key, self.spec.piles)}")
        if (pile.per is None) != (match.group(2) is None):
            if pile.per is None:
                raise CaseError(f"there is only one pile '{pile.name}'; write it without brackets")
            example = self.spec.enums[pile.per][0]
            raise CaseError(
                f"there is a pile '{pile.name}' for each {pile.per}; say whose: {pile.name}[{example}]"
            )
        return pile, self.value(TypeSpec("enum", pile.per), match.group(2)) if pile.per else None

    def set_pile(self, state: StateBase, key: str, cards: list[Any]) -> None:
        """Give a pile its cards, the last on top."""
        pile, index = self._pile(key)
        values = [self._card(pile, card) for card in cards]
        if pile.visibility == "owner":
            values.sort()
        if index is None:
            setattr(state, pile.slot, values)
        else:
            getattr(state, pile.slot)[index] = values

    def _card(self, pile: PileSpec, card: Any) -> int:
        value = self.value(TypeSpec("enum", pile.enum), card)
        if value == NONE:
            raise CaseError(f"'{card}' is not a card; write [] for no cards")
        return value

    def cards(self, key: str, cards: list[Any]) -> list[str]:
        """Cards that may lie in a pile, as they are called."""
        pile, _ = self._pile(key)
        return [self.spec.enums[pile.enum][self._card(pile, card)] for card in cards]

    def pile(self, state: StateBase, key: str) -> list[str]:
        """The cards of a pile by name."""
        pile, index = self._pile(key)
        content = getattr(state, pile.slot)
        return [
            self.spec.enums[pile.enum][c] for c in (content if index is None else content[index])
        ]

    def call(
        self, text: str, known: Mapping[str, Sequence[tuple[str, TypeSpec]]], what: str
    ) -> tuple[str, list[int]]:
        """The name and the arguments of a call of one of the *known*, which are given with their
        parameters.
        """
        match = CALL.match(text)
        if match is None:
            params = known.get(text.strip())
            form = "name(argument, argument)"
            if params is not None:
                form = f"{text.strip()}({', '.join(name for name, _ in params)})"
            raise CaseError(f"'{text}' is not a call; write {form}")
        name = match.group(1)
        if name not in known:
            raise CaseError(f"unknown {what} '{name}'; {suggestion(name, list(known))}")
        given = [a.strip() for a in match.group(2).split(",")] if match.group(2).strip() else []
        params = known[name]
        if len(given) != len(params):
            count, names = len(params), ", ".join(n for n, _ in params)
            expected = (
                f"{count} argument{'s' if count != 1 else ''}{f' ({names})' if names else ''}"
            )
            raise CaseError(f"{name} expects {expected}, got {len(given)}")
        return name, [
            self.value(type_, text) for text, (_, type_) in zip(given, params, strict=True)
        ]

    def procedure(self, text: str) -> tuple[str, list[int]]:
        """The name and the arguments of the call of a procedure."""
        known = {
            name: tuple(zip(one.names, one.params, strict=True))
            for name, one in self.spec.procedures.items()
        }
        return self.call(text, known, "procedure")
