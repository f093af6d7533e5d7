"""Loops that change nothing: what is found before them, and what holds in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from compiler import ir
from compiler.emit.inline import FALSE, TRUE, simplified
from compiler.emit.writer import Room, Writer
from compiler.trees import conjuncts, disjuncts, rebuilt, walk

_COLUMN = re.compile(r"\bs\.(\w+)\[")
#: How often lines are come to, roughly: those of a loop, those under an ``if``, those after a ``continue``;
#: and how often a column must be read to be kept in a local.
_TURNS, _OFTEN, _STAYS, _WORTH = 8.0, 0.5, 0.7, 6.0


@dataclass
class Loop:
    """A loop that changes nothing: what does not mention its locals is found once, before it."""

    room: Room
    bound: set[str]
    kept: dict[str, str] = field(default_factory=dict)
    #: expressions of which it is known by now what they are in this turn of the loop
    facts: list[tuple[ir.Expr, ir.Expr]] = field(default_factory=list)

    def learn(self, condition: ir.Expr, holds: bool = True) -> None:
        """From here to the end of the turn the condition holds, or does not."""
        if isinstance(condition, ir.Not):
            self.learn(condition.operand, not holds)
            return
        parts = conjuncts(condition) if holds else disjuncts(condition)
        if len(parts) > 1:
            for part in parts:
                self.learn(part, holds)
        elif not isinstance(condition, ir.Const):
            self.facts.append((condition, TRUE if holds else FALSE))
            if holds and isinstance(condition, ir.Compare) and condition.op == "==":
                self.equate(condition)

    def equate(self, condition: ir.Compare) -> None:
        """A field is what it was compared with."""
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, ir.Get) and isinstance(other, ir.Local | ir.Const) and one.type == other.type:
                self.facts.append((one, other))


def settled(e: ir.Expr, loops: Iterable[Loop]) -> ir.Expr:
    """*e* with the conditions replaced of which the loops know what they are."""
    facts = [fact for loop in loops for fact in loop.facts]
    if not facts or not any(part == known for part in walk(e) for known, _ in facts):
        return e

    def change(part: ir.Expr) -> ir.Expr:
        for known, value in facts:
            if part == known:
                return value
        # the test of a field of a parent must stay one
        return part if isinstance(part, ir.Common) else rebuilt(part, change)

    return simplified(change(e))


def keep_columns(w: Writer, room: Room, slots: frozenset[str]) -> None:
    """Columns that are often read in the loop after *room*, kept in locals from before it."""
    code = w.code
    start = next(i for i in reversed(range(len(code.raw))) if code.raw[i] is room) + 1
    reads: dict[str, float] = {}
    for line, often in _weighed(code.raw[start:]):
        for position, slot in enumerate(_COLUMN.findall(line)):
            # what stands later in a condition is often not come to
            reads[slot] = reads.get(slot, 0.0) + often * (1.0 if position < 2 else _OFTEN)
    for slot in sorted(reads):
        if slot in slots and reads[slot] >= _WORTH:
            for i in range(start, len(code.raw)):
                code.raw[i] = _renamed(code.raw[i], slot)
            room.lines.insert(0, f"{room.indent}c_{slot} = s.{slot}")


def _renamed(entry: str | Room, slot: str) -> str | Room:
    if isinstance(entry, Room):
        entry.lines = [str(_renamed(line, slot)) for line in entry.lines]
        return entry
    return re.sub(rf"\bs\.{slot}\[", f"c_{slot}[", entry)


def _weighed(entries: Sequence[str | Room]) -> Iterator[tuple[str, float]]:
    """The lines, each with how often it is come to, roughly."""
    #: the lines that what follows stands under: their indentation and how often it is come to
    under: list[tuple[int, float]] = [(-1, 1.0)]
    for entry in entries:
        for line in entry.lines if isinstance(entry, Room) else (entry,):
            text = line.lstrip()
            indent = len(line) - len(text)
            while under[-1][0] >= indent:
                under.pop()
            often = under[-1][1]
            yield line, often
            if text.startswith(("for ", "while ")):
                under.append((indent, often * _TURNS))
            elif text.startswith(("if ", "else:")):
                under.append((indent, often * _OFTEN))
            elif text == "continue" and len(under) > 1:
                under[-2] = (under[-2][0], under[-2][1] * _STAYS)
