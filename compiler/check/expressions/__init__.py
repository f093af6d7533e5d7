"""Checking expressions: names, types, measures; the result is typed and resolved."""

from __future__ import annotations

from compiler.check.expressions.calls import Calls
from compiler.check.expressions.operators import Operators
from compiler.check.expressions.reading import Reading
from compiler.check.expressions.sets import Sets


class Expressions(Reading, Calls, Operators, Sets):
    """The checker of all kinds of expressions."""
