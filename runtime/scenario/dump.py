"""Writes a set-up as a scenario file; loading that gives the same set-up again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from runtime.bitsets import bits
from runtime.model import NONE, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import (
    COUNT,
    GAME,
    HEX,
    NAME,
    NONE_WORD,
    PREFIX,
    SIDE,
    members,
    set_fields,
)
from runtime.scenario.names import Numbers
from runtime.scenario.setup import SetUp


def dump(setup: SetUp, spec: RulesetSpec) -> str:
    """The text of a scenario file."""
    return "\n".join(_Writer(setup, spec).lines()) + "\n"


def _double_quoted(text: str) -> str:
    """A text in double quotes, readable as YAML whatever it holds."""
    signs = []
    for sign in text:
        code = ord(sign)
        if sign in '"\\':
            signs.append("\\" + sign)
        elif 0x20 <= code < 0x7F or (sign.isprintable() and code > 0xA0):
            signs.append(sign)
        else:
            signs.append(f"\\U{code:08x}")
    return '"' + "".join(signs) + '"'


class _Writer:
    """Writes one set-up."""

    def __init__(self, setup: SetUp, spec: RulesetSpec) -> None:
        self.setup = setup
        self.spec = spec.on(setup.board)

    def lines(self) -> list[str]:
        """The lines of the file."""
        setup = self.setup
        lines = [
            f"# yaml-language-server: $schema=../../build/schema/{setup.ruleset}.json",
            f"ruleset: {setup.ruleset}",
            f"title: {_double_quoted(setup.title)}",
        ]
        lines += [f"date: {_double_quoted(setup.date)}"] if setup.date else []
        lines += [f"provenance: {setup.provenance}"] if setup.provenance else []
        for key, texts in (("sources", setup.sources), ("notes", setup.notes)):
            lines += (
                [f"{key}:", *(f"  - {_double_quoted(text)}" for text in texts)] if texts else []
            )
        lines += [f"length: {setup.length}"] if setup.length else []
        lines += self.board()
        if setup.switches:
            lines.append(
                f"switches: {_flow((name, _bool(on)) for name, on in setup.switches.items())}"
            )
        if setup.game:
            lines.append(f"game: {_flow(self.values(GAME, setup.game))}")
        lines += self.sides() + self.enums() + self.hexes() + self.pieces()
        return lines

    def board(self) -> list[str]:
        """The board that the scenario brings along."""
        if self.setup.board is None:
            return []
        board, values = self.setup.board.board, dict(self.setup.board.values)
        block = [f"  name: {_double_quoted(board.name)}"]
        if board.missing:
            lines = [
                "".join("." if board.at(r, c) >= 0 else " " for c in range(board.columns))
                for r in range(board.rows)
            ]
            block += ["  rows:", *(f"    - {_double_quoted(line)}" for line in lines)]
        else:
            block.append(f"  rows: {board.rows}")
        block += [f"  columns: {board.columns}", f"  narrow: {board.narrow or NONE_WORD}"]
        fields = [line for f in self.spec.map_fields for line in self.mapped(f, values[f.name])]
        block += ["  fields:", *fields] if fields else []
        block += (
            [
                "  joins:",
                *(f"    - [{_double_quoted(a)}, {_double_quoted(b)}]" for a, b in board.joins),
            ]
            if board.joins
            else []
        )
        names = [
            (_double_quoted(board.label(h)), _double_quoted(text))
            for h, text in sorted(board.names.items())
        ]
        block += [f"  names: {_flow(names)}"] if names else []
        return ["board:", *block]

    def mapped(self, field: FieldSpec, values: tuple[int, ...]) -> list[str]:
        """A field of the board: value, hexes; of sets of hexes: hex, hexes."""
        places: dict[str, list[str]] = {}
        for h, value in enumerate(values):
            label = _double_quoted(self.spec.board.label(h))
            for word in self.words(field.type, value):
                if field.type.of is not None and field.type.of.kind == "hex":
                    places.setdefault(label, []).append(word)
                else:
                    places.setdefault(word, []).append(label)
        lists = [f"      {key}: [{', '.join(labels)}]" for key, labels in places.items()]
        return [f"    {field.name}:", *lists] if lists else []

    def sides(self) -> list[str]:
        """The sides and their values."""
        lines = ["sides:"]
        fields = self.setup.fields.get(SIDE, {})
        for index, side in enumerate(self.spec.sides):
            parts: list[tuple[str, str]] = []
            if index < len(self.setup.sides):
                info = self.setup.sides[index]
                parts += [(NAME, _double_quoted(info.name)), (PREFIX, _double_quoted(info.prefix))]
            own = {name: given[index] for name, given in fields.items() if index in given}
            parts += self.values(SIDE, own)
            lines.append(f"  {side}: {_flow(parts)}")
        return lines

    def enums(self) -> list[str]:
        """Fields of other enums."""
        lines: list[str] = []
        for owner, fields in self.setup.fields.items():
            if owner in (SIDE, HEX):
                continue
            lines.append(f"  {owner}:")
            names = members(self.spec, owner)
            words = {
                n: _flow((names[i], self.word(self.type(owner, n), v)) for i, v in given.items())
                for n, given in fields.items()
            }
            lines += [f"    {name}: {text}" for name, text in _group_fields(words)]
        return ["fields:", *lines] if lines else []

    def hexes(self) -> list[str]:
        """Fields of hexes: field, value, hexes."""
        lines: list[str] = []
        outer = ""
        for name, given in self.setup.fields.get(HEX, {}).items():
            kind = self.type(HEX, name)
            places: dict[str, list[str]] = {}
            for h, value in given.items():
                for word in self.words(kind, value):
                    places.setdefault(word, []).append(_double_quoted(self.spec.board.label(h)))
            base, _, member = name.rstrip("]").partition("[")
            if base != outer:
                lines.append(f"  {base}:")
            outer, indent = base, "    "
            if member:
                lines.append(f"    {member}:")
                indent = "      "
            lines += [f"{indent}{word}: [{', '.join(labels)}]" for word, labels in places.items()]
        return ["hexes:", *lines] if lines else []

    def pieces(self) -> list[str]:
        """The pieces, each with its name."""
        lines: list[str] = []
        numbers = Numbers()
        for kind, pieces in self.setup.pieces.items():
            if pieces:
                lines.append(f"  {kind}:")
            for pool, alike in groupby(
                pieces, lambda piece: piece.pool if piece.pool != NONE else piece.name
            ):
                group = list(alike)
                name = group[0].name
                head = [(NAME, _double_quoted(name))]
                if isinstance(pool, int):
                    stem = numbers.stem(name)
                    head = [(NAME, _double_quoted(stem)), (COUNT, str(len(group)))]
                    for _ in group:
                        numbers.name(stem)
                else:
                    numbers.taken.add(name)
                lines.append(f"    - {_flow([*head, *self.values(kind, group[0].values)])}")
        return ["pieces:", *lines] if lines else []

    def values(self, owner: str, values: dict[str, int]) -> list[tuple[str, str]]:
        """Fields of an owner with their values in words."""
        return _group_fields(
            {n: self.word(self.type(owner, n), value) for n, value in values.items()}
        )

    def type(self, owner: str, name: str) -> TypeSpec:
        """The type of a field."""
        return next(f.type for f in set_fields(self.spec, owner) if f.name == name)

    def words(self, kind: TypeSpec, value: int) -> list[str]:
        """A value in words, of a set each member."""
        if kind.of is None:
            return [self.word(kind, value)]
        return [self.word(kind.of, bit) for bit in bits(value)]

    def word(self, kind: TypeSpec, value: int) -> str:
        """A value in words."""
        if kind.of is not None:
            return f"[{', '.join(self.words(kind, value))}]"
        if kind.kind == "int":
            return NONE_WORD if kind.optional and value == NONE else str(value)
        if kind.kind == "bool":
            return _bool(bool(value))
        if value == NONE:
            return NONE_WORD
        if kind.kind == "hex":
            return _double_quoted(self.spec.board.label(value))
        if kind.kind == "piece":
            return _double_quoted(self.setup.pieces_of(self.spec.kinds_of(kind.name))[value].name)
        return members(self.spec, kind.name)[value]


def _bool(on: bool) -> str:
    return "true" if on else "false"


def _flow(parts: Iterable[tuple[str, str]]) -> str:
    """A mapping on one line."""
    return "{" + ", ".join(f"{key}: {word}" for key, word in parts) + "}"


def _group_fields(words: dict[str, str]) -> list[tuple[str, str]]:
    """Fields with their words; those kept per member of an enum (``hits[left]``) as one mapping."""
    groups: dict[str, str | dict[str, str]] = {}
    for name, word in words.items():
        base, _, member = name.rstrip("]").partition("[")
        group = groups.setdefault(base, {} if member else word)
        if isinstance(group, dict):
            group[member] = word
    return [
        (name, word if isinstance(word, str) else _flow(word.items()))
        for name, word in groups.items()
    ]
