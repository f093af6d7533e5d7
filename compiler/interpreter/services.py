"""The built-in services (SPEC §5), each in its plainest form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from compiler import ir
from compiler.interpreter.values import Evaluation, Locals, Value, members_of, set_of
from runtime.board import Board
from runtime.lines import sides
from runtime.model import NONE


def call(x: Evaluation, e: ir.Service, env: Locals) -> Value:
    """The value of a service."""
    if e.name == "size":
        return size(x, e.args[0], env)
    args = [x.value(a, env) for a in e.args]
    match e.name:
        case "neighbors":
            return set_of(x.board.neighbors[args[0]])
        case "distance":
            return x.board.distance(args[0], args[1])
        case "adjacent":
            return int(x.board.distance(args[0], args[1]) == 1)
        case "around":
            return set_of(
                h
                for h in range(x.board.size)
                if args[0] >= 0 and 1 <= x.board.distance(args[0], h) <= args[1]
            )
        case "entries":
            return set_of(
                way[-1][0] for passage in x.board.passages(args[0], args[1])[-1:] for way in passage
            )
        case "crossed":
            return set_of(cut_between(x.board, args[0], args[1]))
        case "bearing":
            return set_of(bearing(x.board, args[0], args[1]))
        case "row":
            return x.board.row_of[args[0]]
        case "column":
            return x.board.column_of[args[0]]
        case "linked":
            return linked(x.board, args[0], args[1])
        case "min":
            return min(args)
        case "max":
            return max(args)
        case "tally" | "cards":
            return list(args[0]).count(args[1])
        case "face":
            return args[0][0] if args[0] else NONE
        case "top":
            return args[0][-1] if args[0] else NONE
        case "both":
            return set_of(m for m in members_of(args[0]) if args[1] >> m & 1)
        case "neighbor":
            h, d = args
            beside = [n for n in range(x.board.size) if h != NONE and x.board.direction(h, n) == d != NONE]
            return beside[0] if beside else NONE
        case "direction":
            return x.board.direction(args[0], args[1]) if args[0] != NONE else NONE
        case "turn":
            return NONE if args[0] == NONE else (args[0] + args[1]) % 6
        case "rank":
            return args[0]
        case "shift":
            last = len(x.program.enums[e.type.name]) - 1
            return NONE if args[0] == NONE else min(last, max(0, args[0] + args[1]))
        case "next":
            return NONE if args[0] == NONE else (args[0] + 1) % len(x.program.enums[e.type.name])
        case "opponent":
            return NONE if args[0] == NONE else (args[0] + 1) % len(x.program.sides)
    raise AssertionError(e.name)


def size(x: Evaluation, source: ir.Expr, env: Locals) -> int:
    """Members of a set, dice of a roll, cards in a pile."""
    return len(x.members(source, env)) if source.type.kind == "set" else len(x.value(source, env))


def linked(board: Board, start: int, within: int) -> int:
    """The hexes of *within* that can be reached from *start* over hexes of *within*."""
    found: set[int] = set()
    edge = members_of(start)
    while edge:
        here = edge.pop()
        for there in board.neighbors[here]:
            if within >> there & 1 and there not in found:
                found.add(there)
                edge.append(there)
    return set_of(found) | start & within


def clear_line(x: Evaluation, e: ir.Line, env: Locals) -> bool:
    """Whether on every passage of the line some way round is free of obstacles and barriers; off the board
    there is no way.
    """
    start, end = x.number(e.start, env), x.number(e.end, env)

    def free(p: int, q: int) -> bool:
        if e.barrier is not None and x.holds(e.barrier, {**env, e.leaves: p, e.enters: q}):
            return False
        return e.obstacle is None or q == end or not x.holds(e.obstacle, {**env, e.var: q})

    passages = x.board.wholes(start, end) if e.whole else x.board.passages(start, end)
    return all(any(all(free(p, q) for p, q in way) for way in passage) for passage in passages)


def cut_between(board: Board, start: int, end: int) -> Iterator[int]:
    """The hexes between two others whose middle is less far from the line than the line is from running along
    their sides.
    """
    dq, dr = board.vector(start, end)
    for h in range(board.size):
        q, r = board.vector(start, h)
        # In the frame of three axes the inside of a hex is where each coordinate differs by less than 1 from
        # its middle's.
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
    """The directions of a way to *end* that goes so far in one direction and so far in the next, and by no
    other.
    """
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
