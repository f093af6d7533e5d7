"""Queries about a program: what is taken over of another one, and what is asked again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from compiler import ir
from compiler.emit.queries import QueriedProgram, deep_equal, query
from compiler.types import INT
from dsl.source import Span

#: What has been asked, in order, and not been taken over.
ASKED: list[str] = []


@contextmanager
def asking(*expected: str) -> Iterator[None]:
    ASKED.clear()
    yield
    assert tuple(ASKED) == expected


@query
def size(program: QueriedProgram, enum: str) -> int:
    ASKED.append(f"size {enum}")
    return len(program.enums[enum])


@query
def sizes(program: QueriedProgram) -> int:
    ASKED.append("sizes")
    return sum(size(program, name) for name in program.enums)


@query
def twice(program: QueriedProgram, enum: str) -> int:
    ASKED.append(f"twice {enum}")
    return 2 * size(program, enum)


@query
def place(program: QueriedProgram) -> tuple[str, int]:
    ASKED.append("place")
    return program.name, len(program.labels)


def program(**enums: str) -> ir.Program:
    return ir.Program(name="x", enums={name: tuple(text) for name, text in enums.items()}).frozen()


def test_a_query_is_answered_once() -> None:
    with asking("twice A", "size A"):
        asked = QueriedProgram(program(A="ab"))
        assert twice(asked, "A") == twice(asked, "A") == 2 * size(asked, "A") == 4


def test_only_what_hangs_on_a_change_is_asked_again() -> None:
    first = QueriedProgram(program(A="ab", B="abc"))
    assert (twice(first, "A"), twice(first, "B"), place(first)) == (4, 6, ("x", 0))
    with asking("size B", "twice B"):
        second = QueriedProgram(program(A="ab", B="abcd"), first.answers)
        assert (twice(second, "A"), twice(second, "B"), place(second)) == (4, 8, ("x", 0))


def test_what_comes_to_the_same_changes_nothing_else() -> None:
    first = QueriedProgram(program(A="ab"))
    assert twice(first, "A") == 4
    with asking("size A"):
        assert twice(QueriedProgram(program(A="ba"), first.answers), "A") == 4


def test_what_went_through_all_is_asked_again_where_there_is_another() -> None:
    first = QueriedProgram(program(A="ab"))
    assert sizes(first) == 2
    with asking("sizes", "size B"):
        assert sizes(QueriedProgram(program(A="ab", B="c"), first.answers)) == 3
    with asking("sizes"):
        assert sizes(QueriedProgram(program(), first.answers)) == 0


def test_what_has_moved_is_not_the_same() -> None:
    spans = [Span("a.grog", at, at + 1, line, 1, line, 2) for at, line in ((0, 1), (5, 2))]
    here, there = ([ir.Const(1, type=INT, span=span)] for span in spans)
    assert here == there
    assert deep_equal(here, list(here)) and not deep_equal(here, there)
    assert not deep_equal(here, tuple(here)) and not deep_equal({"a": here}, {"b": here})
