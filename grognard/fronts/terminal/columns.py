"""Lists of options in columns, cut where they are long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grognard.draw.text.canvas import paint, width_of
from grognard.explain.forecasts import Prospect
from grognard.lexicon.catalogue import Words
from grognard.table.content import Choice, Question
from runtime.spelling import natural

#: How many rows of a list are shown at once, and what stands between its columns.
_ROWS, _GAP = 12, 3
#: One in so many may be too wide for its column, and stand below.
_FEW = 4


@dataclass(frozen=True)
class _Block:
    """Options that are listed together, below *heads*: each in a line, with *digits* for its
    number; as *cards* with their texts; *alone*: those of no group.
    """

    heads: list[str]
    items: list[str]
    digits: int
    cards: list[str] = field(default_factory=list)
    alone: bool = False


@dataclass(frozen=True)
class Listing:
    """Shows the options of questions with the *odds* of each, and cards, in the program's own
    *words*.
    """

    words: Words
    color: bool
    width: int
    odds: Mapping[str, Prospect] = field(default_factory=dict)

    def options(self, question: Question, whole: bool, by: str = "") -> Iterator[str]:
        """Options as lines, grouped by their words; long groups are cut unless *whole*.

        *by* sorts those of a group: by ``name``, or by ``odds``, the best first.
        """
        by = self.words.understood(by)
        if by not in ("", "name", "odds"):
            yield self.words("options are sorted by 'options name' or 'options odds'")
            return
        for block in self._blocks(question, by):
            yield from self._block_lines(block, len(block.items) if whole else _ROWS)

    def lines_within(self, question: Question, rows: int) -> list[str]:
        """Options in at most so many lines: cards without their texts and long lists cut, where
        need be.
        """
        blocks = list(self._blocks(question, ""))
        for most in (None, *range(_ROWS, 0, -1)):
            shown = [
                line
                for b in blocks
                for line in self._block_lines(b, most or _ROWS, brief=most is not None)
            ]
            if len(shown) <= rows:
                return shown
        last = [line for b in blocks if b.alone for line in self._block_lines(b, 1)][
            -max(1, rows - 2) :
        ]
        listed: list[str] = []
        left = 0
        for block in blocks:
            lines = [] if block.alone else self._block_lines(block, 1, brief=True)
            if not left and len(listed) + len(lines) + len(last) < rows:
                listed += lines
            elif lines:
                left += len(block.items)
        return [*listed, *([self._more_line(left)] if left else []), *last]

    def _blocks(self, question: Question, by: str) -> Iterator[_Block]:
        """Options as they are listed together; those that stand alone come last."""
        groups: dict[str, list[Choice]] = {}
        for choice in self._in_order(question.options, by):
            groups.setdefault("" if choice.alone else choice.word, []).append(choice)
        digits = len(str(max(choice.number for choice in question.options)))

        def item(choice: Choice, text: str) -> str:
            number = self._paint(str(choice.number).rjust(digits), "1")
            return f"{number} {self._with_odds(choice, text)}"

        for word, group in groups.items():
            if not word:
                continue
            head = group[0].head
            heads = [self._paint(head, "4")] if len(groups) > 1 and head.strip("… ") else []
            if any(choice.card for choice in group):
                cards = [
                    line
                    for c in group
                    for line in self.card(
                        str(c.number).rjust(digits), self._with_odds(c, _value(c)), c.card
                    )
                ]
                yield _Block(heads, [item(c, _value(c)) for c in group], digits, cards)
                continue
            for first, block in _grouped_pairs(group):
                if first:
                    items = [item(c, c.items[1]) for c in block]
                else:  # a number is its own
                    items = [
                        item(c, c.item.removeprefix(str(c.number)).lstrip())
                        if len(c.parts) == 1 and c.parts[0].role == "number"
                        else item(c, c.item)
                        for c in block
                    ]
                yield _Block([*heads, *([first] if first else [])], items, digits)
                heads = []
        alone = [item(choice, choice.words) for choice in groups.get("", [])]
        if alone:
            yield _Block([], alone, digits, alone=True)

    def _block_lines(self, block: _Block, rows: int, brief: bool = False) -> list[str]:
        """The lines of a block, its list of at most so many rows; *brief*: cards without their
        texts, and what stands alone in columns, too.
        """
        if block.cards and not brief:
            return [*block.heads, *block.cards]
        if block.alone and not brief:
            return [
                line
                for item in block.items
                for line in fold_line(item, self.room, block.digits + 1)
            ]
        lines, left = in_columns(block.items, self.width, len(block.items) if block.alone else rows)
        lines = [part for line in lines for part in fold_line(line, self.room, block.digits + 1)]
        return [*block.heads, *lines, *([self._more_line(left)] if left else [])]

    def _more_line(self, count: int) -> str:
        return self.words("… {count} more ('more' shows them)", count=count)

    @property
    def room(self) -> int:
        """How wide a line may be, behind its indent."""
        return max(60, self.width) - 2

    def card(self, number: str, name: str, text: str) -> Iterator[str]:
        """A card with its text."""
        indent = " " * (len(number) + 1)
        room = max(40, min(self.width, 110)) - 2
        line = f"{name}: {text}" if text else name
        lines = textwrap.wrap(line, room, initial_indent=indent, subsequent_indent=indent + "  ")
        first = lines[0].strip()
        bold = self._paint(name, "1") + first[len(name) :] if first.startswith(name) else first
        yield f"{self._paint(number, '1')} {bold}"
        yield from lines[1:]

    def _paint(self, text: str, style: str) -> str:
        return paint(text, style, self.color)

    def _with_odds(self, choice: Choice, text: str) -> str:
        """A text for an option, with what may come of the option."""
        prospect = self.odds.get(choice.text)
        return text if prospect is None else f"{text} ({prospect.words})"

    def _in_order(self, options: Sequence[Choice], by: str) -> list[Choice]:
        """The options in an order."""
        if by == "name":
            return sorted(options, key=lambda choice: natural(_value(choice)))
        if by == "odds":
            weights = {text: prospect.weight for text, prospect in self.odds.items()}
            return sorted(options, key=lambda choice: -weights.get(choice.text, 0.0))
        return list(options)


def _value(choice: Choice) -> str:
    """The value of an option alone."""
    return " ".join(part.words for part in choice.parts)


def _grouped_pairs(group: list[Choice]) -> list[tuple[str, list[Choice]]]:
    """Options as they are listed: pairs below what they have first, where several have the same;
    else all of them as they are, below nothing.
    """
    firsts: dict[str, list[Choice]] = {}
    for choice in group:
        firsts.setdefault(choice.parts[0].name, []).append(choice)
    if len(group) < 2 * len(firsts) or not all(choice.items for choice in group):
        return [("", group)]
    return [(block[0].items[0], block) for block in firsts.values()]


def fold_line(line: str, room: int, indent: int) -> list[str]:
    """A line, as several where it is wider than there is room; blanks of columns stay."""
    if width_of(line) <= room:
        return [line]
    unseen = len(line) - width_of(line)  # what colours it is at its beginning
    pad = " " * indent
    start = len(line) - len(line.lstrip())
    first = textwrap.wrap(line.strip(), room + unseen - start)[0]
    rest = line.strip()[len(first) :].strip()
    return [
        line[:start] + first,
        *textwrap.wrap(rest, room, initial_indent=pad, subsequent_indent=pad),
    ]


def in_columns(items: Sequence[str], width: int, rows: int) -> tuple[list[str], int]:
    """Lines that show *items* in as many columns as fit, read downwards; those much wider than the
    rest come last, each in a line of its own.  Of more than so many *rows* the rest is left out; it
    is counted.
    """
    room = max(60, width) - 2
    wide = _column_width([width_of(item) for item in items], room)
    count = max(1, min((room + _GAP) // (wide + _GAP), len(items)))
    most = len(items) if len(items) <= count * (rows + 1) else count * rows
    shown = items[:most]
    fitting = [item for item in shown if width_of(item) <= wide]
    high, lines = -(-len(fitting) // count), []
    for row in range(high):
        line = "".join(item + " " * (wide + _GAP - width_of(item)) for item in fitting[row::high])
        lines.append(line.rstrip())
    return [*lines, *(item for item in shown if width_of(item) > wide)], len(items) - most


def _column_width(widths: Sequence[int], room: int) -> int:
    """The width of a column that needs the fewest rows, where what is wider has rows of its own."""

    def rows(wide: int) -> tuple[bool, int]:
        more = sum(w > wide for w in widths)
        count = max(1, (room + _GAP) // (wide + _GAP))
        # many out of their order would be harder to find than a longer list
        return more > len(widths) // _FEW, more + -(-(len(widths) - more) // count)

    return min(sorted(set(widths), reverse=True), key=rows)
