"""Checking expressions: names, types, measures; the result is typed and resolved."""

from __future__ import annotations

from compiler.check.expressions.attributes import Attributes
from compiler.check.expressions.calls import Calls
from compiler.check.expressions.operators import Operators
from compiler.check.expressions.sets import Sets
from compiler.check.expressions.travels import Travels


class Expressions(Attributes, Calls, Operators, Sets, Travels):
    """The checker of all kinds of expressions."""
