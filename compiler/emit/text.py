"""What is known of a Python text that stands for a value; of a plain ``str`` nothing is.

Put into other text these are what they say, and the result is a plain ``str`` again.
"""

from __future__ import annotations


class Number(str):
    """A whole number."""

    __slots__ = ()


class Name(str):
    """A name or a constant of Python: it can be said again at no cost."""

    __slots__ = ()


class Local(Name):
    """The Python local of a ruleset's local, whose name is *name*."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Local:
        made = super().__new__(cls, f"v_{name}")
        made.name = name
        return made


class Slot(str):
    """A field of the state that is a single value."""

    __slots__ = ()


class Negation(str):
    """``(not …)`` of what is said by *operand*."""

    __slots__ = ("operand",)
    operand: str

    def __new__(cls, operand: str) -> Negation:
        made = super().__new__(cls, f"(not {operand})")
        made.operand = operand
        return made
