"""What the checked tree is in words is the language: it parses again, and says what the source says."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from project import compiled, playable

from compiler.output.dump import tree
from compiler.printer import Printer
from compiler.trees import child_expressions, rules_of, statements_of
from dsl import nodes as n
from dsl.parser import parse
from dsl.source import Source


def parsed(text: str) -> n.Expr:
    """An expression from its text."""
    result = parse(Source("x", f"function f(): int = {text}\n"))
    assert not result.diagnostics, text
    (function,) = result.module.decls
    assert isinstance(function, n.Function)
    return function.body


def meant(part: object) -> object:
    """A part of a tree without places; a local is called the same where it covers another of its name, and a
    difference from 0 is what it means.
    """
    if isinstance(part, str):
        return re.sub(r"(\w)_[2-9]$", r"\1", part)
    if isinstance(part, tuple):
        return tuple(map(meant, part))
    if isinstance(part, n.Binary) and part.op == "-" and part.left == n.Int(0):
        return meant(n.Unary("-", part.right))
    if isinstance(part, n.Node):
        return (
            type(part),
            *(meant(getattr(part, f.name)) for f in fields(part) if f.name != "span"),
        )
    return part


@pytest.mark.parametrize("name", playable())
def test_functions_are_printed_as_they_are_written(name: str) -> None:
    compilation = compiled(name)
    printer = Printer(compilation.program)
    for decl in compilation.resolved.decls:
        if isinstance(decl, n.Function):
            body = compilation.program.calls[decl.name.text].body
            if body is None:  # it has steps
                continue
            assert meant(parsed(printer.expr(body))) == meant(decl.body), decl.name


@pytest.mark.parametrize("name", playable())
def test_what_steps_and_rules_say_parses_again(name: str) -> None:
    program = compiled(name).program
    printer = Printer(program)
    bodies = [part.body for part in (*program.procedures.values(), *program.checks.values())]
    exprs = [e for body in bodies for step in statements_of(body) for e in child_expressions(step)]
    rules = [rule for call in program.calls.values() for rule in rules_of(call.roots)]
    exprs += [e for rule in rules for e in (rule.when, rule.value) if e is not None]
    for text in {printer.expr(e) for e in exprs}:
        parsed(text)


def test_what_rows_cite_is_dumped() -> None:
    (table,) = parse(
        Source(
            "x", 'table t of E { columns n: int\n@rule X-1 @house "so"\n| a | 1 |\n| b | 2 |\n}\n'
        )
    ).module.decls
    text = "\n".join(tree(table))
    assert "(Row | a | 1 | rules=[X-1] provenance=house reason=so)" in text and "| b | 2 |" in text
