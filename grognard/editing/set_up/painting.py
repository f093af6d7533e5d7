"""Painting of hexes: values in lists of hexes, in the drawing of a set-up, on drawn boards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from string import ascii_letters, digits
from typing import Any

from yaml.nodes import ScalarNode, SequenceNode

from grognard.editing.edits import Edit
from grognard.editing.set_up.sheet import Sheet
from grognard.editing.set_up.yaml_text import (
    Path,
    YamlText,
    end_of,
    flow_list,
    flowing,
    quoted_word,
)
from runtime.bitsets import bits
from runtime.data.reader import Mapping, parse
from runtime.errors import ArgumentError
from runtime.model import TRUTHS, FieldSpec, TypeSpec
from runtime.scenario.boards import drawn_rows, sign_at
from runtime.scenario.fields import HEX, KIND
from runtime.words.said import said


def _member_type(f: FieldSpec) -> TypeSpec:
    return f.type.of if f.type.of is not None else f.type


def _parts(f: FieldSpec, value: int) -> list[int]:
    """What of a value is listed by itself: of a set each member."""
    return [*bits(value)] if f.type.kind == "set" else [value]


@dataclass
class Painter:
    """Paints the hexes of a scenario; *board* is the text of its board's file, if it has one."""

    sheet: Sheet
    board: str | None

    @cached_property
    def board_yaml(self) -> YamlText:
        """The text in which the board stands: its own, or the scenario's."""
        if self.sheet.yaml.children(("board",)):
            return self.sheet.yaml
        assert self.board is not None
        return YamlText(self.board)

    def edits(self) -> list[Edit]:
        """What has changed in the board's file."""
        known = self.__dict__.get("board_yaml")
        return [] if known is None or known is self.sheet.yaml else known.edits()

    def paint(self, name: str, wanted: dict[str, int]) -> None:
        """Give hexes, by label, the values of a field."""
        f = self.sheet.field(HEX, name)
        now = {label: self.sheet.value_on(f, self.sheet.hex(label)) for label in wanted}
        changed = {label: value for label, value in wanted.items() if value != now[label]}
        if not changed:
            return
        both = [(a, b) for a in changed for b in self._others(f, now[a] ^ changed[a])]
        yaml = self.sheet.yaml if f.values is None else self.board_yaml
        prefix: Path = ("hexes",)
        if f.values is not None:
            prefix = ("board", "fields") if yaml is self.sheet.yaml else ("fields",)
        if _Lists(self.sheet, yaml, (*prefix, *self.sheet.steps(f.name)), f).pairs() and any(
            (b, a) not in both for a, b in both
        ):
            message = said("{field} stands between hexes, at both of them", field=f.name)
            remedy = said("write in the text, by hex, what only one of them has")
            raise ArgumentError(message, remedy)
        if f.values is not None:
            BoardPainter(self.sheet, yaml, prefix[:-1]).paint(f, now, changed)
        else:
            SetUpPainter(self.sheet).paint(f, now, changed)

    def _others(self, f: FieldSpec, hexes: int) -> list[str]:
        """The hexes of a set, of a field that holds those."""
        hexsides = f.type.kind == "set" and _member_type(f).kind == "hex"
        return [self.sheet.spec.board.label(h) for h in bits(hexes)] if hexsides else []


def _number(path: Path) -> int:
    return path[-1] if isinstance(path[-1], int) else -1


@dataclass
class _Lists:
    """A field given as lists of hexes: by value, by hex, or as pairs."""

    sheet: Sheet
    yaml: YamlText
    path: Path
    field: FieldSpec

    def take(self, places: Iterable[Path]) -> None:
        """Take out what stands at these places."""
        for path in sorted(places, key=_number, reverse=True):
            self.yaml.remove(path)

    def pairs(self) -> bool:
        """Whether hexsides are given as pairs of hexes, which is also how they begin."""
        node = self.yaml.node(self.path)
        hexsides = _member_type(self.field).kind == "hex" and self.field.type.kind == "set"
        return hexsides and (node is None or isinstance(node, SequenceNode))

    def add_hex(self, word: str, label: str) -> None:
        """Add a hex to the list of a value."""
        node = self.yaml.node(self.path)
        if isinstance(node, SequenceNode):  # of a bool: those for which it is true
            self.yaml.add(self.path, quoted_word(label))
            return
        key = next((k for k, _ in self.yaml.children(self.path) if self._same(str(k), word)), word)
        path = (*self.path, key)
        found = self.yaml.node(path)
        if isinstance(found, SequenceNode):
            self.yaml.add(path, quoted_word(label))
        elif isinstance(found, ScalarNode) and found.value:
            self.yaml.replace(path, flow_list((self.yaml.source(found), quoted_word(label))))
        elif self.yaml is self.sheet.yaml:
            self.sheet.give(tuple(str(one) for one in path), f"[{quoted_word(label)}]")
        else:
            self.yaml.set(path, f"[{quoted_word(label)}]")

    def _same(self, key: str, word: str) -> bool:
        return key == word or (key in TRUTHS and TRUTHS[key] == TRUTHS.get(word))

    def put_pair(self, a: str, b: str) -> None:
        """Add a hexside to the pairs."""
        pair = flow_list((quoted_word(a), quoted_word(b)))
        if self.yaml.node(self.path) is not None:
            self.yaml.add(self.path, pair)
        elif self.yaml is self.sheet.yaml:
            self.sheet.give(tuple(str(one) for one in self.path), f"[{pair}]")
        else:
            self.yaml.set(self.path, f"[{pair}]")


@dataclass
class SetUpPainter:
    """Paints fields that a scenario gives: under ``hexes``, and in its drawing."""

    sheet: Sheet

    def paint(self, f: FieldSpec, now: dict[str, int], wanted: dict[str, int]) -> None:
        """Give hexes their values."""
        sheet, nodes = self.sheet, self.sheet.laid.hex_nodes
        lists = _Lists(sheet, sheet.yaml, ("hexes", *sheet.steps(f.name)), f)
        drawn, gone, added = [], set(), []
        for label, value in wanted.items():
            h, is_set = sheet.hex(label), f.type.kind == "set"
            before = _parts(f, now[label]) if is_set else [-1]
            places = {
                part: sheet.path(node)
                for part in before
                if (node := nodes.get((f.name, h, part))) is not None
            }
            if any(path[0] == "map" for path in places.values()) or (not places and self._draws(f)):
                drawn.append((label, value))
                continue
            after = _parts(f, value) if is_set or value != sheet.blank(f) else []
            gone |= {path for part, path in places.items() if not is_set or part not in after}
            added += [(label, part) for part in after if not is_set or part not in before]
        for label, value in drawn:
            Drawing(sheet).redraw(label, f, value)
        self._add(lists, f, added)
        lists.take(gone)

    def _draws(self, f: FieldSpec) -> bool:
        """Whether the drawing shows the field."""
        legend = self.sheet.yaml.children(("map", "legend"))
        return any(f"{f.name}:" in self.sheet.yaml.source(node) for _, node in legend)

    def _add(self, lists: _Lists, f: FieldSpec, added: list[tuple[str, int]]) -> None:
        inner = _member_type(f)
        words = [(label, self.sheet.word(inner, part)) for label, part in added]
        if lists.pairs():
            for a, b in words:
                if (b, a) > (a, b):
                    lists.put_pair(a, b)
            return
        for label, word in words:
            lists.add_hex(word, label)


@dataclass
class Drawing:
    """The drawing of a set-up: symbols in rows, and a legend."""

    sheet: Sheet

    def cell(self, h: int) -> tuple[int, int, str]:
        """Where the symbol of a hex stands in the text, and the symbol."""
        board, yaml = self.sheet.spec.board, self.sheet.yaml
        row = board.row_of[h]
        node = yaml.node(("map", "rows", row))
        assert node is not None
        number = sum(board.at(row, column) >= 0 for column in range(board.column_of[h]))
        start, end = node.start_mark.index, end_of(node)
        if yaml.text[start] in "\"'":
            start, end = start + 1, end - 1
        found = [*re.finditer(r"\S+", yaml.text[start:end])][number]
        return start + found.start(), start + found.end(), found[0]

    def entries(self, symbol: str) -> list[dict[str, str]]:
        """What a symbol stands for, each as YAML by key."""
        yaml = self.sheet.yaml
        node = yaml.node(("map", "legend", symbol))
        items = node.value if isinstance(node, SequenceNode) else [node]
        return [
            {key.value: yaml.source(value) for key, value in item.value}
            for item in items
            if item is not None
        ]

    def redraw(self, label: str, f: FieldSpec, value: int) -> None:
        """Draw another value of a hex."""
        sheet = self.sheet
        _, _, symbol = self.cell(sheet.hex(label))
        entries = [] if symbol == "." else self.entries(symbol)
        whole = [one for one in entries if one.get(KIND) == HEX]
        about: dict[str, str] = {}
        for one in whole:
            about |= {k: v for k, v in one.items() if k not in (KIND, f.name)}
        if f.name != f.base:
            raise ArgumentError(
                said("{field} is drawn", field=f.name), said("change it in the text")
            )
        if f.type.kind == "set":
            if value:
                about[f.name] = flow_list(sheet.word(_member_type(f), one) for one in bits(value))
        elif value != sheet.blank(f):
            about[f.name] = quoted_word(sheet.word(f.type, value))
        entries = [one for one in entries if one.get(KIND) != HEX]
        if about:
            entries.append({KIND: HEX, **about})
        self.draw(label, entries)

    def draw(self, label: str, entries: list[dict[str, str]]) -> None:
        """Draw what stands on a hex, with a symbol of the legend or a new one."""
        symbol = self._symbol(entries)
        start, end, _ = self.cell(self.sheet.hex(label))
        self.sheet.yaml.splice(start, end, symbol)

    def _symbol(self, entries: list[dict[str, str]]) -> str:
        if not entries:
            return "."
        yaml = self.sheet.yaml
        known = [str(key) for key, _ in yaml.children(("map", "legend"))]
        for symbol in known:
            if _alike(self.entries(symbol)) == _alike(entries):
                return symbol
        entries = sorted(entries, key=lambda one: one.get(KIND) == HEX)
        likely = "".join(v for one in entries for k, v in one.items() if k != KIND)
        free = (one for one in likely + ascii_letters + digits if one.isalnum())
        symbol = next(one for one in free if one not in known)
        meanings = [flowing(one.items()) for one in entries]
        meaning = meanings[0] if len(meanings) == 1 else flow_list(meanings)
        yaml.add(("map", "legend"), f"{quoted_word(symbol, True)}: {meaning}")
        return symbol


def _alike(entries: list[dict[str, str]]) -> list[list[tuple[str, str]]]:
    """Entries for comparison: pieces in their order, then what is said of the hex."""
    return [sorted(one.items()) for one in sorted(entries, key=lambda one: one.get(KIND) == HEX)]


@dataclass
class BoardPainter:
    """Paints fields that a board gives: by signs of its rows, and under ``fields``."""

    sheet: Sheet
    yaml: YamlText
    prefix: Path

    @property
    def root(self) -> Mapping:
        """What the board says by now."""
        root: Any = parse(self.yaml.text, "board")[0]
        for step in self.prefix:
            root = root.get(str(step))
        assert isinstance(root, Mapping)
        return root

    def paint(self, f: FieldSpec, now: dict[str, int], wanted: dict[str, int]) -> None:
        """Give hexes their values."""
        lists = _Lists(self.sheet, self.yaml, (*self.prefix, "fields", f.name), f)
        if f.type.kind == "set":
            self._sets(lists, f, now, wanted)
            return
        gone = [path for path, label, _ in self._entries_of(lists, f) if label in wanted]
        lists.take(gone)
        for label, value in wanted.items():
            if self._by_sign(f, label) != value and not self._draw(f, label, value):
                lists.add_hex(self.sheet.word(f.type, value), label)

    def _sets(
        self, lists: _Lists, f: FieldSpec, now: dict[str, int], wanted: dict[str, int]
    ) -> None:
        inner, sheet = _member_type(f), self.sheet
        gone: set[Path] = set()
        added = []
        for label, value in wanted.items():
            lost = {sheet.word(inner, bit) for bit in bits(now[label] & ~value)}
            found = {
                path
                for path, at, word in self._entries_of(lists, f)
                if at == label and word in lost
            }
            if len(lost) > len(found):
                message = said("{field} of {hex} is drawn", field=f.name, hex=label)
                raise ArgumentError(message, said("change it in the text"))
            gone |= found
            added += [(label, sheet.word(inner, bit)) for bit in bits(value & ~now[label])]
        pairs = lists.pairs()
        lists.take(gone)
        for a, b in added:
            if not pairs:
                # of hexsides the key is the hex, of other sets the member
                lists.add_hex(*((a, b) if inner.kind == "hex" else (b, a)))
            elif (a, b) < (b, a):
                lists.put_pair(a, b)

    def _entries_of(self, lists: _Lists, f: FieldSpec) -> list[tuple[Path, str, str]]:
        """What is listed: where it stands, for which hex, and the value."""
        node, found = self.yaml.node(lists.path), []
        hexsides = f.type.kind == "set" and _member_type(f).kind == "hex"
        for key, below in self.yaml.children(lists.path):
            path = (*lists.path, key)
            if isinstance(node, SequenceNode):
                if isinstance(below, SequenceNode):
                    a, b = (one.value for one in below.value)
                    found += [(path, a, b), (path, b, a)]
                else:
                    found.append((path, below.value, "true"))
                continue
            listed_here = [((*path, number), item) for number, item in self.yaml.children(path)]
            for place, item in listed_here or [(path, below)]:
                if hexsides:
                    found.append((place, str(key), item.value))
                else:
                    found.append((place, item.value, str(key)))
        return found

    def _by_sign(self, f: FieldSpec, label: str) -> int:
        """The value that the sign in the rows gives."""
        sign = self._sign(label)
        word = self.yaml.word((*self.prefix, "legend", sign, f.name))
        if not word:
            return self.sheet.blank(f)
        return self.sheet.value(f, f.type, word)

    def _sign(self, label: str) -> str:
        return sign_at(drawn_rows(self.root), self.sheet.spec.board, self.sheet.hex(label))

    def _draw(self, f: FieldSpec, label: str, value: int) -> bool:
        """Draw a sign that differs from the one of the hex by the value; whether there is one."""
        if not drawn_rows(self.root):
            return False
        yaml, at = self.yaml, (*self.prefix, "legend")

        def meant(sign: str) -> dict[str, str]:
            return {str(k): yaml.source(v) for k, v in yaml.children((*at, sign))}

        about = {k: v for k, v in meant(self._sign(label)).items() if k != f.name}
        full = {**about, f.name: quoted_word(self.sheet.word(f.type, value))}
        signs = [str(sign) for sign, _ in yaml.children(at)]
        likely = [s for s in signs if meant(s) == full]
        if value == self.sheet.blank(f):
            likely += [s for s in (*signs, ".") if meant(s) == about]
        if not likely:
            if about or not signs:
                return False
            word = self.sheet.word(f.type, value)
            free = (s for s in word + ascii_letters + digits if s.isalnum() and s not in signs)
            sign = next(free)
            yaml.add(at, f"{quoted_word(sign, True)}: {flowing(full.items())}")
            likely = [sign]
        self._write(label, likely[0])
        return True

    def _write(self, label: str, sign: str) -> None:
        board, h = self.sheet.spec.board, self.sheet.hex(label)
        node = self.yaml.node((*self.prefix, "rows", board.row_of[h]))
        assert node is not None
        start = node.start_mark.index + (self.yaml.text[node.start_mark.index] in "\"'")
        source = self.yaml.text[start : start + board.column_of[h] + 1]
        if source != node.value[: board.column_of[h] + 1]:
            message = said("this row is drawn with signs written as '\\…'")
            raise ArgumentError(message, said("write it plainly"))
        at = start + board.column_of[h]
        self.yaml.splice(at, at + 1, sign)
