"""Sums of values that people write."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from grognard.explain.arithmetic import is_sum, worth
from runtime.errors import ArgumentError


def called(name: str, words: Sequence[str]) -> int:
    return {"two": 2, "count": len(words)}[name]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two() + 1", 3),
        ("2 * (two() - 5)", -6),
        ("count(4th-Army, B4) / two() - 1 / 3", Fraction(2, 3)),
        ("-two() * -two()", 4),
        ("two() - 1 - 1", 0),
    ],
)
def test_sums(text: str, value: Fraction | int) -> None:
    assert is_sum(text) and worth(text, called) == value


@pytest.mark.parametrize(
    "text", ["two()", "attack F4", "4th-Army 1106", "7", "5 - 2", "order S.HI1", "f(a) or g(b)"]
)
def test_other_texts_are_none(text: str) -> None:
    assert not is_sum(text)


@pytest.mark.parametrize(
    "text", ["two() / (two() - 2)", "two() +", "(two()", "(" * 60 + "two()" + ")" * 60, "two( + 1"]
)
def test_what_cannot_be_worked_out_is_told(text: str) -> None:
    with pytest.raises(ArgumentError):
        worth(text, called)
