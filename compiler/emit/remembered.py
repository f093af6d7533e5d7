"""Remembered functions: ``q_f`` looks for a value before ``w_f`` works it out.

``K_f`` of the state holds the values that are known, by the arguments: a dict, or where the only
argument is a member of an enum a list, with None for what is not known and a last entry for none.
Copies share it, and a state in which something was written that they hang on gets another.  ``B_f``
holds the last value with what it was worked out from: while a function is at work, ``asked`` takes
what others that are remembered give it, and as long as these give the same, the value stays.
"""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.writer import Code, Writer, arguments, parameters

#: The type of what values were worked out from: the number of a function with arguments, its value.
ASKED = "dict[tuple[int, tuple[int, ...]], int]"


def key_of(args: list[str]) -> str:
    """By what the values of a function are kept: its argument, or a tuple of several."""
    return args[0] if len(args) == 1 else f"({', '.join(args)})" if args else "0"


def memo_lookup(program: Emission, function: str, key: str) -> str:
    """The value that is known, or None."""
    if program.memo_row_size(function):
        return f"s.K_{function}[{key}]"
    return f"s.K_{function}.get({key})"


def emit_recall(program: Emission, call: ir.Callable) -> Code:
    """What is asked for the value of a remembered function."""
    name, kept = call.name, program.memo_of(call.name)
    assert kept is not None
    given = [f"v_{p.name}" for p in call.params]
    w = Writer(f"q_{name}", call.span)
    w.add(f"def q_{name}(s: State{parameters(call.params)}) -> int:")
    w.depth = 1
    w.add(f"key = {key_of(given)}")
    w.add(f"value = {memo_lookup(program, name, 'key')}")
    with w.block("if value is None:"):
        work = f"value = w_{name}(s{arguments(call.params)})"
        if not kept.asks:
            w.add(work)
        else:
            w.add("outer = s.asked")
            w.add("s.asked = None")
            with w.block("try:"):
                w.add(f"basis = s.B_{name}.get(key)")
                w.when("basis is not None and unchanged(s, basis[1])", "value = basis[0]")
                with w.block("else:"):
                    w.add(f"asked: {ASKED} = {{}}")
                    w.add("s.asked = asked")
                    w.add(work)
                    w.when(f"s.B_{name} is NOTHING", f"s.B_{name} = {{}}")
                    w.add(f"s.B_{name}[key] = (value, asked)")
            with w.block("finally:"):
                w.add("s.asked = outer")
        if size := program.memo_row_size(name):
            w.when(f"s.K_{name} is UNKNOWN", f"s.K_{name} = [None] * {size}")
        else:
            w.when(f"s.K_{name} is NOTHING", f"s.K_{name} = {{}}")
        w.add(f"s.K_{name}[key] = value")
    passed = "".join(f"{arg}, " for arg in given)
    w.when("s.asked is not None", f"s.asked[{kept.number}, ({passed})] = value")
    w.add("return value")
    return w.code
