"""Names: what values, options and pieces are called in texts that do not depend on a language.

They are made of identifiers of the ruleset and the names of the set-up (``move red1``, ``to B4``);
records, cases and programs use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from runtime.bitsets import bits
from runtime.data.findings import suggestion
from runtime.errors import ArgumentError, value_in_words, words_of
from runtime.games.geometry import worked_out
from runtime.model import MASK, NONE, PASS, SECOND, FieldSpec, RulesetSpec, TypeSpec, branch_of
from runtime.option import Option, Subject, Value
from runtime.scenario.setup import SetUp
from runtime.spelling import did_you_mean, split_call, words_in
from runtime.words.said import said

_NUMBER = re.compile(r"-?[0-9]{1,15}")
_LISTS = (list, tuple, set, frozenset)
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")
#: What of an option is the same at all decisions of its point: all up to its prompt.
_Choice = tuple[str, str, tuple[Value, ...], tuple[str, ...], bool, str]


def known_names(name: str, known: Iterable[str]) -> str:
    """A remedy for a name that is not *known*: what was meant, or what there is."""
    return did_you_mean(str(name), known) or said(
        "there is: {known}", known=", ".join(known) or "nothing"
    )


class Names:
    """The names of a set-up's things, both ways: values by name, names by value and type."""

    def __init__(self, spec: RulesetSpec, setup: SetUp) -> None:
        self.spec = spec
        self.setup = setup
        #: the kind and the number of each piece
        self.pieces = {
            piece.name: (kind, i)
            for kind, pieces in setup.pieces.items()
            for i, piece in enumerate(pieces)
        }
        self._called: dict[str, tuple[str, ...]] = {}
        self._choices: dict[tuple[int, int], _Choice] = {}
        self._fields: dict[str, tuple[FieldSpec, ...]] = {}

    # ------------------------------------------------------------------ names of values

    def all(self, type_: TypeSpec) -> Sequence[str]:
        """The names of all members, hexes or pieces of a type, by their numbers; none of others."""
        if type_.kind == "enum":
            return self.spec.enums[type_.name]
        if type_.kind == "hex":
            return self.spec.board.labels
        if type_.kind != "piece":
            return ()
        if type_.name not in self._called:
            pieces = self.setup.pieces_of(self.spec.kinds_of(type_.name))
            self._called[type_.name] = tuple(piece.name for piece in pieces)
        return self._called[type_.name]

    def name(self, type_: TypeSpec, value: Any) -> str:
        """The stable name of a value: piece name, hex label, member name, number, ``yes`` or
        ``no``; those of a set or roll one after another.
        """
        if type_.of is not None:
            values = value if type_.kind == "roll" else bits(value)
            return " ".join(self.name(type_.of, v) for v in values)
        if type_.kind == "bool":
            return "yes" if value else "no"
        if type_.kind not in ("enum", "piece", "hex"):
            return str(value)
        return "none" if value == NONE else self.all(type_)[value]

    def read(self, type_: TypeSpec, value: Any) -> Value:
        """A value of the engine as programs read it (see :mod:`runtime.games.position`)."""
        if type_.kind == "int":
            return int(value)
        if type_.kind == "bool":
            return bool(value)
        if type_.of is not None:
            values = value if type_.kind == "roll" else bits(value)
            return tuple(self.read(type_.of, v) for v in values)
        return None if value == NONE else self.name(type_, value)

    # ------------------------------------------------------------------ values of names

    def value(self, type_: TypeSpec, word: Value) -> int:
        """The value of a type that a name means, or what :meth:`read` has made of it; of a set a
        list of such.  A name may be worked out, see :meth:`geometry`.  ArgumentError where there is
        none.
        """
        if type_.kind in ("set", "roll") and type_.of is not None:
            return self._set(type_.of, word)
        if isinstance(word, _LISTS):
            text = ", ".join(map(str, word))
            raise ArgumentError(said("'{text}' is a list, but there is a single value", text=text))
        text = "none" if word is None else self.geometry(str(word).strip())
        if type_.kind == "bool":
            return self._truth(text)
        if type_.kind == "int":
            return self._number(word, text)
        if text == "none":
            return NONE
        if type_.kind == "hex":
            return self.hex(text)
        if type_.kind == "piece":
            kind, index = self.pieces.get(text, ("", NONE))
            kinds = self.spec.kinds_of(type_.name)
            if kind in kinds:
                return self.setup.common_number(kinds, kind, index)
            what = said("there is no {name} called '{text}'", name=type_.name, text=text)
        else:
            if text in self.spec.enums[type_.name]:
                return self.spec.enums[type_.name].index(text)
            what = said("'{text}' is not a member of {name}", text=text, name=type_.name)
        raise ArgumentError(what, suggestion(text, self.all(type_)))

    @staticmethod
    def _truth(text: str) -> int:
        if text.lower() not in (*_TRUE, *_FALSE):
            raise ArgumentError(said("'{text}' is neither true nor false", text=text))
        return int(text.lower() in _TRUE)

    @staticmethod
    def _number(word: Value, text: str) -> int:
        if isinstance(word, bool) or not _NUMBER.fullmatch(text):
            bare = re.fullmatch(r"(-?[0-9]+) [A-Za-z_]\w*", text)
            hint = said("write {bare}, without its measure", bare=bare[1]) if bare else ""
            raise ArgumentError(said("'{text}' is not a whole number", text=text), hint)
        return int(text)

    def _set(self, of: TypeSpec, word: Value) -> int:
        if isinstance(word, _LISTS):
            items = list(word)
        else:
            items = [] if word is None else words_in(str(word))
        items = [name for item in items for name in self._items(item)]
        values = [self.value(of, item) for item in items if item != "none"]
        if len(set(values)) != len(values) or (len(values) != len(items) and len(items) > 1):
            text = " ".join(map(str, items))
            raise ArgumentError(
                said("'{text}' is not a set", text=text), "write each member once, or none"
            )
        return sum(1 << value for value in values)

    def _items(self, item: Value) -> Sequence[Value]:
        """An item of a set, or the items that it is worked out to."""
        return self.geometry(item).split() if isinstance(item, str) and "(" in item else [item]

    def geometry(self, text: str) -> str:
        """*text* with ``neighbor(C4, east)`` and the like worked out
        (:mod:`runtime.games.geometry`).
        """
        return worked_out(text, self.spec.board, self.value) if "(" in text else text

    def procedure(self, name: str, arguments: Sequence[Value] = ()) -> tuple[str, list[int]]:
        """The name and the arguments of a procedure's call; see :meth:`call`."""
        known = {
            known: tuple(zip(spec.names, spec.params, strict=True))
            for known, spec in self.spec.procedures.items()
        }
        return self.call(name, arguments, known, "procedure")

    def call(
        self,
        name: str,
        arguments: Sequence[Value],
        known: Mapping[str, Sequence[tuple[str, TypeSpec]]],
        what: str,
    ) -> tuple[str, list[int]]:
        """The name and the arguments of a call of one of the *known*, which are given with their
        parameters; without arguments they may stand in the *name*: ``take_turn(top)``.
        ArgumentError where there is no such, or they do not fit it.
        """
        text = str(name)
        if not arguments:
            text, arguments = split_call(text) or (text.strip(), ())
        params = known.get(text)
        if params is None:
            raise ArgumentError(
                said("there is no {what} {text}", what=what, text=value_in_words(text)),
                suggestion(text, known),
            )
        if len(arguments) != len(params):
            names = ", ".join(name for name, _ in params)
            expected = said("{count: 1 # argument | # arguments}", count=len(params))
            expected += f" ({names})" if names else ""
            raise ArgumentError(
                said(
                    "{text} expects {expected}, got {count}",
                    text=text,
                    expected=expected,
                    count=len(arguments),
                )
            )
        return text, [self.value(t, one) for (_, t), one in zip(params, arguments, strict=True)]

    def side(self, name: str) -> int:
        """The number of a side, by its name in the ruleset or in the set-up."""
        if isinstance(name, str):
            wanted = name.casefold()
            for side, member in enumerate(self.spec.sides):
                shown = self.setup.sides[side].name if side < len(self.setup.sides) else member
                if wanted in (member.casefold(), shown.casefold()):
                    return side
        remedy = did_you_mean(str(name), self.spec.sides)
        sides = said("the sides are {sides}", sides=", ".join(self.spec.sides))
        raise ArgumentError(
            said("there is no side {name}", name=value_in_words(name)), remedy or sides
        )

    def hex(self, label: str) -> int:
        """The number of a hex, by its label or its name on the board."""
        grid, text = self.spec.board, str(label)
        for h, name in grid.names.items():
            if name == text:
                return h
        try:
            return grid.index(text)
        except ValueError as error:
            raise ArgumentError(words_of(error)) from None

    # ------------------------------------------------------------------ decisions

    def choice(self, point: int, raw: int) -> _Choice:
        """What of an option does not depend on where it stands among others: text, branch, values,
        kinds, whether it passes, prompt.
        """
        named = self._choices.get((point, raw))
        if named is None:
            named = self._choices[point, raw] = self._choice(point, raw)
        return named

    def _choice(self, point: int, raw: int) -> _Choice:
        decision = self.spec.decisions[point]
        if raw == PASS:
            word = decision.passing or "pass"
            return word, word, (), (), True, decision.prompt
        option = decision.options[branch_of(raw)]
        numbers = (raw & MASK, raw >> SECOND)
        typed = list(zip(option.values, numbers, strict=False))
        text = " ".join([option.word, *(self.name(type_, n) for type_, n in typed)])
        values = tuple(self.read(type_, n) for type_, n in typed)
        return text, option.word, values, tuple(t.kind for t, _ in typed), False, decision.prompt

    def text(self, point: int, raw: int) -> str:
        """The text of an option."""
        return self.choice(point, raw)[0]

    def option(self, point: int, raw: int, subject: tuple[str, ...] = (), index: int = 0) -> Option:
        """The option *raw* of a decision."""
        return Option(*self.choice(point, raw), subject, index, raw)

    def options(
        self, point: int, raws: Sequence[int], subject: tuple[str, ...]
    ) -> tuple[Option, ...]:
        """The options of a decision; *subject* is what it is about."""
        choice = self.choice
        return tuple(Option(*choice(point, raw), subject, i, raw) for i, raw in enumerate(raws))

    def subjects(self, point: int, about: Sequence[Any]) -> tuple[Subject, ...]:
        """What the question of the decision *point* is about, when the values are *about*."""
        types = self.spec.decisions[point].about
        return tuple(
            Subject(t.kind, value, self.name(t, value))
            for t, value in zip(types, about, strict=False)
        )

    # ------------------------------------------------------------------ fields and tables

    def fields(self, owner: str) -> tuple[FieldSpec, ...]:
        """The fields of one owner, without those that only the engine reads."""
        if owner not in self._fields:
            self._fields[owner] = tuple(f for f in self.spec.fields_of(owner) if not f.options)
        return self._fields[owner]

    @cached_property
    def tables(self) -> dict[str, dict[str, dict[str, Value]]]:
        """The columns of tables, by enum and member; None for what is not known."""
        tables: dict[str, dict[str, dict[str, Value]]] = {}
        for name, column in self.spec.columns.items():
            enum, _, label = name.partition(".")
            members = self.spec.enums[enum]
            rows = tables.setdefault(enum, {member: {} for member in members})
            for number, (member, value) in enumerate(zip(members, column.values, strict=True)):
                known = (enum, number, label) not in self.spec.unknown
                rows[member][label] = self.read(column.type, value) if known else None
        return tables
