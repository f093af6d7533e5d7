"""Cases in the author's words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from compiler import ir
from compiler.printer import Printer
from compiler.prove.search import Atom, sum_of


def describe(program: ir.Program, call: ir.Callable, case: Mapping[Atom, int]) -> str:
    """A case in the author's words: members first, in the order of the parameters."""
    places = {param.name: i for i, param in enumerate(call.params)}

    def place(atom: Atom) -> tuple[bool, int]:
        first = re.split(r"\W", atom.text, maxsplit=1)[0]
        return atom.kind != "enum", places.get(first, len(places))

    case = {atom: case[atom] for atom in sorted(case, key=place)}
    printer = Printer(program)
    parts: list[str] = []
    bounds: dict[tuple[tuple[str, int], ...], list[int | None]] = {}
    for atom, value in case.items():
        if atom.kind == "enum":
            parts.append(f"{atom.text} is {printer.value(value, atom.type)}")
        elif atom.kind == "one":
            parts.append(atom.names[value])
        elif atom.kind == "bound":
            at = bounds.setdefault(atom.form, [None, None])
            if value:
                at[1] = atom.limit if at[1] is None else min(at[1], atom.limit)
            else:
                at[0] = atom.limit + 1 if at[0] is None else max(at[0], atom.limit + 1)
        else:
            parts.append(atom.text if value else _not(atom.text))
    for form, (low, high) in bounds.items():
        parts.append(_range(form, low, high))
    return " and ".join(parts)


def _not(text: str) -> str:
    head, found, tail = text.rpartition(" is ")
    if found and " " not in tail and "(" not in tail:
        return f"{head} is not {tail}"
    if text.startswith("(some ") and text.endswith(")"):
        return f"(no {text[6:]}"
    return f"not {text}"


def _range(form: tuple[tuple[str, int], ...], low: int | None, high: int | None) -> str:
    left, right = sum_of(form), ""
    if len(form) == 2 and [factor for _, factor in form] == [1, -1]:
        left, right = form[0][0], form[1][0]

    def side(n: int) -> str:
        if not right:
            return str(n)
        return right if n == 0 else f"{right} {'+' if n > 0 else '-'} {abs(n)}"

    if low is not None and high is not None:
        if low == high:
            return f"{left} is {side(low)}"
        return f"{left} >= {side(low)} and {left} <= {side(high)}"
    if low is not None:
        return f"{left} > {side(low - 1)}" if right and low == 1 else f"{left} >= {side(low)}"
    assert high is not None
    return f"{left} < {side(high + 1)}" if right and high == -1 else f"{left} <= {side(high)}"
