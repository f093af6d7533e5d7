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
from runtime.spelling import split_call

#: A call with its brackets, a number, a name, or a sign.
_TOKEN = re.compile(r"\s*([A-Za-z_]\w*\s*\([^()]*\)|\d{1,15}|[A-Za-z_]\w*|[-+*/()])")
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
    reckons = re.fullmatch(r"[\d\s()+*/-]+", rest) is not None and not rest.isdigit()
    return reckons and rest != text.strip()


def worth(text: str, called: Called) -> Fraction:
    """What a sum is worth.  ArgumentError where it cannot be read, or divides by zero."""
    reader = _Reader(text, called)
    value = reader.terms(0)
    if reader.token:
        raise reader.wrong()
    return value


class _Reader:
    """Reads a sum token by token; *token* is the one that stands here, empty at the end."""

    def __init__(self, text: str, called: Called) -> None:
        self.text, self.called, self.token, self.place = text, called, "", 0
        self.take()

    def take(self) -> str:
        """The token that stands here; goes on to the next."""
        taken, self.begin = self.token, self.place
        match = _TOKEN.match(self.text, self.place)
        self.token = match[1] if match is not None else self.text[self.place :].strip()
        self.place = match.end() if match is not None else len(self.text)
        return taken

    def wrong(self) -> ArgumentError:
        here = short(self.text[self.begin :].strip() or "its end", 30)
        remedy = "write for instance 2 * strength(A1) - 1"
        return ArgumentError(f"the sum cannot be read at {here}", remedy)

    def terms(self, depth: int) -> Fraction:
        value = self.factors(depth)
        while self.token in ("+", "-"):
            sign, other = self.take(), self.factors(depth)
            value = value + other if sign == "+" else value - other
        return value

    def factors(self, depth: int) -> Fraction:
        value = self.single(depth)
        while self.token in ("*", "/"):
            sign, other = self.take(), self.single(depth)
            if sign == "/" and not other:
                raise ArgumentError("the sum divides by zero", "give another divisor")
            value = value * other if sign == "*" else value / other
        return value

    def single(self, depth: int) -> Fraction:
        if depth > _DEEP:
            raise ArgumentError("the sum has too many brackets", "write it with fewer")
        if self.token == "-":
            self.take()
            return -self.single(depth + 1)
        if self.token == "(":
            self.take()
            value = self.terms(depth + 1)
            if self.token != ")":
                raise self.wrong()
            self.take()
            return value
        name, arguments = split_call(self.token) or (self.token, [])
        if name.isdecimal():
            value = Fraction(int(name))
        elif name.isidentifier():
            value = Fraction(self.called(name, arguments))
        else:
            raise self.wrong()
        self.take()
        return value
