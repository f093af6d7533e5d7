"""The built-in services (SPEC: functions), each in its plainest form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from compiler import ir
from compiler.interpreter.values import Evaluation, Locals, Value, members_of, set_of
from runtime.board import Board
from runtime.lines import sides
from runtime.model import NONE


def call(x: Evaluation, e: ir.Service, env: Locals) -> Value:
    """The value of a service."""
    if e.name == "size":  # members of a set, dice of a roll, cards in a pile
        source = e.args[0]
        if isinstance(source, ir.Range):
            return len(x.members(source, env))
        value = x.value(source, env)
        return int(value).bit_count() if source.type.kind == "set" else len(value)
    return _SERVICES[e.name](x, e, *(x.value(a, env) for a in e.args))


def linked(board: Board, start: int, within: int) -> int:
    """The hexes of *within* that can be reached from *start* over hexes of *within*."""
    reached: set[int] = set()
    edge = members_of(start)
    while edge:
        here = edge.pop()
        for there in board.neighbors[here]:
            if within >> there & 1 and there not in reached:
                reached.add(there)
                edge.append(there)
    return set_of(reached) | start & within


def clear_line(x: Evaluation, e: ir.Line, env: Locals) -> bool:
    """Whether some way round each passage of a line is free; there is none off the board."""
    start, end = x.number(e.start, env), x.number(e.end, env)
    passages = x.board.wholes(start, end) if e.whole else x.board.passages(start, end)
    return all(
        any(not any(line_stop(x, e, env, step, end) for step in way) for way in passage)
        for passage in passages
    )


def line_stop(x: Evaluation, e: ir.Line, env: Locals, step: tuple[int, int], end: int) -> str:
    """What stops a line to *end* on a step: ``barrier``, ``obstacle`` or nothing."""
    p, q = step
    if e.barrier is not None and x.holds(e.barrier, {**env, e.leaves: p, e.enters: q}):
        return "barrier"
    open_ = e.obstacle is None or q == end or not x.holds(e.obstacle, {**env, e.var: q})
    return "" if open_ else "obstacle"


def cut_between(board: Board, start: int, end: int) -> Iterator[int]:
    """The hexes between two others that the line runs through, not only along."""
    dq, dr = board.vector(start, end)
    for h in range(board.size):
        q, r = board.vector(start, h)
        # In the frame of three axes the inside of a hex is where each coordinate differs by less
        # than 1 from its middle's.
        enters, leaves = Fraction(0), Fraction(1)
        for slope, middle in zip(sides(dq, dr), sides(q, r), strict=True):
            if slope:
                first, last = sorted((Fraction(middle - 1, slope), Fraction(middle + 1, slope)))
                enters, leaves = max(enters, first), min(leaves, last)
            elif abs(middle) >= 1:
                leaves = Fraction(0)
        if enters < leaves and h not in (start, end) and NONE not in (start, end):
            yield h


def bearing(board: Board, start: int, end: int) -> Iterator[int]:
    """The directions of a way to *end* along one direction and then the next, and by no other."""
    q, r = board.vector(start, end)
    steps = board.steps
    for d, (aq, ar) in enumerate(steps):
        bq, br = steps[(d + 1) % 6]
        unit = aq * br - ar * bq
        first, second = (q * br - r * bq) * unit, (aq * r - ar * q) * unit
        if first > 0 and second >= 0:
            yield d
            if second > 0:
                yield (d + 1) % 6


def around(board: Board, start: int, far: int) -> Iterator[int]:
    """The other hexes no farther than *far*."""
    return (h for h in range(board.size) if start >= 0 and 1 <= board.distance(start, h) <= far)


def entries(board: Board, start: int, end: int) -> Iterator[int]:
    """The hexes next to *end* by which a line enters it."""
    return (way[-1][0] for passage in board.passages(start, end)[-1:] for way in passage)


def neighbor(board: Board, h: int, direction: int) -> int:
    """The hex beside another in a direction."""
    beside = [
        n for n in range(board.size) if h != NONE and board.direction(h, n) == direction != NONE
    ]
    return beside[0] if beside else NONE


def shifted(x: Evaluation, e: ir.Service, member: int, by: int) -> int:
    """The member so far along its enum, at most the first or the last."""
    last = len(x.program.enums[e.type.name]) - 1
    return NONE if member == NONE else min(last, max(0, member + by))


def next_member(member: int, count: int) -> int:
    """The member after another, in a circle."""
    return NONE if member == NONE else (member + 1) % count


#: What each service gives for the values of its arguments.
_SERVICES: dict[str, Callable[..., Value]] = {
    "neighbors": lambda x, e, h: set_of(x.board.neighbors[h]),
    "distance": lambda x, e, a, b: x.board.distance(a, b),
    "adjacent": lambda x, e, a, b: int(x.board.distance(a, b) == 1),
    "around": lambda x, e, h, far: set_of(around(x.board, h, far)),
    "entries": lambda x, e, a, b: set_of(entries(x.board, a, b)),
    "crossed": lambda x, e, a, b: set_of(cut_between(x.board, a, b)),
    "bearing": lambda x, e, a, b: set_of(bearing(x.board, a, b)),
    "row": lambda x, e, h: x.board.row_of[h],
    "column": lambda x, e, h: x.board.column_of[h],
    "linked": lambda x, e, start, within: linked(x.board, start, within),
    "min": lambda x, e, a, b: min(a, b),
    "max": lambda x, e, a, b: max(a, b),
    "tally": lambda x, e, roll, face: list(roll).count(face),
    "cards": lambda x, e, pile, card: list(pile).count(card),
    "face": lambda x, e, roll: roll[0] if roll else NONE,
    "top": lambda x, e, pile: pile[-1] if pile else NONE,
    "both": lambda x, e, a, b: set_of(m for m in members_of(a) if b >> m & 1),
    "neighbor": lambda x, e, h, d: neighbor(x.board, h, d),
    "direction": lambda x, e, a, b: x.board.direction(a, b) if a != NONE else NONE,
    "turn": lambda x, e, d, by: NONE if d == NONE else (d + by) % 6,
    "rank": lambda x, e, member: member,
    "shift": shifted,
    "next": lambda x, e, member: next_member(member, len(x.program.enums[e.type.name])),
    "opponent": lambda x, e, side: next_member(side, len(x.program.sides)),
}
