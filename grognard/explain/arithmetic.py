"""Sums that people write of the values of a ruleset: ``close_dice(S.HI1, F4, attack) + 1``.

There are numbers, calls of quantities, permissions and functions (a permission counts 1 or 0), ``+
- * /`` and brackets.  Nothing is executed: a text is read piece by piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from grognard.files import short
from runtime.errors import ArgumentError

_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"\d{1,15}")
#: How deep brackets may be, and how long a sum.
_DEEP, _LONG = 30, 2000

#: What gives the value of a call: its name and its arguments as they are written.
Called = Callable[[str, Sequence[str]], int]


def is_sum(text: str) -> bool:
    """Whether a text reckons with something: outside brackets of calls stands a sign between
    values.
    """
    if len(text) > _LONG:
        return False
    rest = text.strip()
    while True:  # take calls away, the innermost first
        bare = re.sub(r"[A-Za-z_]\w*\s*\([^()]*\)", "0", rest)
        if bare == rest:
            break
        rest = bare
    return (
        rest != text.strip()
        and re.fullmatch(r"[\d\s()+*/-]+", rest) is not None
        and not rest.isdigit()
    )


def worth(text: str, called: Called) -> Fraction:
    """What a sum is worth.  ArgumentError where it cannot be read, or divides by zero."""
    reader = _Reader(text, called)
    value = reader.terms(0)
    if reader.left():
        raise reader.wrong()
    return value


class _Reader:
    def __init__(self, text: str, called: Called) -> None:
        self.text, self.called, self.place = text, called, 0

    def left(self) -> str:
        """What is not read yet."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1
        return self.text[self.place :]

    def wrong(self) -> ArgumentError:
        here = short(self.left() or "its end", 30)
        return ArgumentError(
            f"the sum cannot be read at {here}", "write for instance 2 * strength(A1) - 1"
        )

    def took(self, signs: str) -> str:
        """The sign of *signs* that stands here, taken; else nothing."""
        sign = self.left()[:1]
        if not sign or sign not in signs:
            return ""
        self.place += 1
        return sign

    def terms(self, depth: int) -> Fraction:
        value = self.factors(depth)
        while sign := self.took("+-"):
            other = self.factors(depth)
            value = value + other if sign == "+" else value - other
        return value

    def factors(self, depth: int) -> Fraction:
        value = self.single(depth)
        while sign := self.took("*/"):
            other = self.single(depth)
            if sign == "/" and not other:
                raise ArgumentError("the sum divides by zero", "give another divisor")
            value = value * other if sign == "*" else value / other
        return value

    def single(self, depth: int) -> Fraction:
        if depth > _DEEP:
            raise ArgumentError("the sum has too many brackets", "write it with fewer")
        if self.took("-"):
            return -self.single(depth + 1)
        if self.took("("):
            value = self.terms(depth + 1)
            if not self.took(")"):
                raise self.wrong()
            return value
        rest = self.left()
        number, name = _NUMBER.match(rest), _NAME.match(rest)
        if number is not None:
            self.place += number.end()
            return Fraction(int(number[0]))
        if name is None:
            raise self.wrong()
        self.place += name.end()
        return Fraction(self.called(name[0], self.arguments()))

    def arguments(self) -> list[str]:
        """The arguments of a call."""
        if not self.took("("):
            return []
        end = self.text.find(")", self.place)
        if end < 0:
            raise self.wrong()
        inner, self.place = self.text[self.place : end], end + 1
        return [word.strip() for word in inner.split(",")] if inner.strip() else []
