"""Lists of options in columns, cut where they are long."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grognard.draw.scene import Scene
from grognard.draw.text import paint, width_of
from grognard.menu import Menu, stands_alone
from grognard.words import Words, words_in
from runtime.game import Decision, Option
from runtime.spelling import plain
from runtime.view import View

#: How many rows of a list are shown at once, and what stands between its columns.
_ROWS, _GAP = 12, 3
#: One in so many may be too wide for its column, and stand below.
_FEW = 4


@dataclass(frozen=True)
class Listing:
    """Shows the options of decisions, and cards."""

    scene: Scene
    color: bool
    width: int

    def options(self, menu: Menu, decision: Decision, seen: View, whole: bool, by: str = "") -> Iterator[str]:
        """Options as lines, grouped by their words; long groups are cut unless *whole*.

        *by* sorts those of a group: by ``name``, or by ``odds``, the best first.
        """
        by = self.scene.words.understood(by)
        if by not in ("", "name", "odds"):
            yield self.scene.words("options are sorted by 'options name' or 'options odds'")
            return
        groups: dict[str, list[tuple[int, Option]]] = {}
        numbers = menu.numbers(decision)
        for option in _sorted(menu, decision, by):
            number = numbers[option.value]
            groups.setdefault("" if stands_alone(option) else option.word, []).append((number, option))
        digits = len(str(max(numbers.values())))
        for word, group in groups.items():
            if not word:
                continue
            head = menu.head(word)
            if len(groups) > 1 and head.strip("… "):
                yield self._paint(head, "4")
            members = [(n, o) for n, o in group if o.kind == "enum" and o.index >= 0]
            cards = [(n, o, self.scene.card_text(menu.kind_of(decision, o), o.index)) for n, o in members]
            if any(text for _, _, text in cards):
                for number, option, text in cards:
                    name = menu.foretold(decision, option, menu.value(decision, option))
                    yield from self.card(str(number).rjust(digits), name, text)
                continue
            yield from self._listed(menu, decision, seen, group, digits, whole)
        for number, option in groups.get("", []):
            text = menu.foretold(decision, option, menu.wording(decision, option))
            yield from folded(f"{self._paint(str(number).rjust(digits), '1')} {text}", self.room, digits + 1)

    def _listed(
        self,
        menu: Menu,
        decision: Decision,
        seen: View,
        group: list[tuple[int, Option]],
        digits: int,
        whole: bool,
    ) -> Iterator[str]:
        """Options of one word, in columns."""
        looks = self.scene.looks(seen)
        for first, block in _blocks(group):
            if first is not None:
                yield menu.parts(decision, first, seen, looks)[0]
            items = []
            for number, option in block:
                if first is None:
                    item = menu.item(decision, option, seen, looks)
                    if option.kind == "int" and not option.second_kind:  # it is its own number
                        item = item.removeprefix(str(number)).lstrip()
                else:
                    second = menu.parts(decision, option, seen, looks)[1]
                    item = menu.foretold(decision, option, second)
                items.append(f"{self._paint(str(number).rjust(digits), '1')} {item}")
            for line in in_columns(items, self.width, whole, self.scene.words):
                yield from folded(line, self.room, digits + 1)

    @property
    def room(self) -> int:
        """How wide a line may be, behind its indent."""
        return max(60, self.width) - 2

    def card(self, number: str, name: str, text: str) -> Iterator[str]:
        """A card with its text."""
        indent = " " * (len(number) + 1)
        room = max(40, min(self.width, 110)) - 2
        told = f"{name}: {text}" if text else name
        lines = textwrap.wrap(told, room, initial_indent=indent, subsequent_indent=indent + "  ")
        first = lines[0].strip()
        bold = self._paint(name, "1") + first[len(name) :] if first.startswith(name) else first
        yield f"{self._paint(number, '1')} {bold}"
        yield from lines[1:]

    def _paint(self, text: str, style: str) -> str:
        return paint(text, style, self.color)


def _blocks(group: list[tuple[int, Option]]) -> list[tuple[Option | None, list[tuple[int, Option]]]]:
    """Options as they are listed: pairs below what they have first, where several have the same; else all of
    them as they are, below none.
    """
    firsts: dict[int, list[tuple[int, Option]]] = {}
    for number, option in group:
        firsts.setdefault(option.index, []).append((number, option))
    if len(group) < 2 * len(firsts) or not all(option.second_kind for _, option in group):
        return [(None, group)]
    return [(block[0][1], block) for block in firsts.values()]


def folded(line: str, room: int, indent: int) -> list[str]:
    """A line, as several where it is wider than there is room; blanks of columns stay."""
    if width_of(line) <= room:
        return [line]
    unseen = len(line) - width_of(line)  # what colours it is at its beginning
    pad = " " * indent
    start = len(line) - len(line.lstrip())
    first = textwrap.wrap(line.strip(), room + unseen - start)[0]
    rest = line.strip()[len(first) :].strip()
    return [line[:start] + first, *textwrap.wrap(rest, room, initial_indent=pad, subsequent_indent=pad)]


def _sorted(menu: Menu, decision: Decision, by: str) -> list[Option]:
    """The options in an order."""
    if by == "name":
        return sorted(decision.options, key=lambda o: _natural(menu.value(decision, o)))
    teller = menu.foreteller
    if by == "odds" and teller is not None:
        return sorted(decision.options, key=lambda o: -teller.weight(decision, o))
    return list(decision.options)


def _natural(text: str) -> list[tuple[bool, int, str]]:
    """What sorts names with numbers by these: *2nd* before *10th*."""
    parts = re.findall(r"\d+|\D+", plain(text))
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def in_columns(items: Sequence[str], width: int, whole: bool = True, words: Words | None = None) -> list[str]:
    """Lines that show *items* in as many columns as fit, read downwards; those much wider than the rest come
    last, each in a line of its own.  Long lists are cut unless *whole*.
    """
    room = max(60, width) - 2
    wide = _usual([width_of(item) for item in items], room)
    count = max(1, min((room + _GAP) // (wide + _GAP), len(items)))
    most = len(items) if whole or len(items) <= count * (_ROWS + 1) else count * _ROWS
    shown = items[:most]
    fitting = [item for item in shown if width_of(item) <= wide]
    rows = -(-len(fitting) // count)
    lines = []
    for row in range(rows):
        line = "".join(item + " " * (wide + _GAP - width_of(item)) for item in fitting[row::rows])
        lines.append(line.rstrip())
    lines += [item for item in shown if width_of(item) > wide]
    if most < len(items):
        words = words or words_in("en")
        lines.append(words("… {count} more ('more' shows them)", count=len(items) - most))
    return lines


def _usual(widths: Sequence[int], room: int) -> int:
    """The width of a column that needs the fewest rows, where what is wider has rows of its own."""

    def rows(wide: int) -> tuple[bool, int]:
        more = sum(w > wide for w in widths)
        count = max(1, (room + _GAP) // (wide + _GAP))
        # many out of their order would be harder to find than a longer list
        return more > len(widths) // _FEW, more + -(-(len(widths) - more) // count)

    return min(sorted(set(widths), reverse=True), key=rows)
