"""What all claims about expressions stand on: their keys, the atoms for what is not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from compiler import ir
from compiler.printer import Printer
from compiler.prove.search import Atom, Search, Test, branch, mapped
from compiler.trees import bound_locals, locals_of, substitute, walk
from compiler.types import Type
from runtime.model import NONE

#: A member, a mask or a number: an int.
Value = Callable[[], int | None]
#: Names of numbers with their factors, and a constant.
Form = tuple[tuple[tuple[str, int], ...], int]
Number = Callable[[], Form | None]

_V = TypeVar("_V")

_DEEPEST = 8

#: How tightly words bind that stand after 'not', or beside 'is'.
NEGATED, COMPARED = 3, 7


class Claims(Search):
    """The atoms of one quantity or permission.

    What is asked of an expression (whether it holds, is none; which member, set or number it is)
    has a method for each kind of expression in the modules beside this: :meth:`test`,
    :meth:`member`, :meth:`mask` and :meth:`number` look for the one named as the kind is.
    """

    def __init__(self, program: ir.Program, cap: int, work: int) -> None:
        super().__init__(cap, work)
        self.program = program
        self.printer = Printer(program)
        #: the names of the calls that have been looked into
        self.asked: set[str] = set()
        self._depth = 0
        self._methods: dict[tuple[str, type[ir.Expr]], Any] = {}

    def _method(self, question: str, e: ir.Expr) -> Any:
        """The method for *question* and the kind of *e*, or the nearest that it extends."""
        kind = type(e)
        method = self._methods.get((question, kind))
        if method is None:
            names = (f"_{question}_{one.__name__.lower()}" for one in kind.__mro__)
            methods = (getattr(self, name, None) for name in names)
            method = self._methods[question, kind] = next(one for one in methods if one is not None)
        return method

    def _asked(self, question: str, e: ir.Expr) -> Any:
        """What a claim is about that is one of several, or what its method says."""
        ask = partial(self._asked, question)
        match e:
            case ir.Common():
                return ask(e.then)
            case ir.If():
                test, then, orelse = self.test(e.test), ask(e.then), ask(e.orelse)
                return None if then is None or orelse is None else branch(test, then, orelse)
        return self._method(question, e)(e)

    def test(self, e: ir.Expr) -> Test:
        """The condition *e*."""
        test: Test = self._asked("test", e)
        return test

    def member(self, e: ir.Expr) -> Value:
        """A member of an enum."""
        member: Value = self._asked("member", e)
        return member

    def mask(self, e: ir.Expr) -> Value | None:
        """A set of members that the case decides; None when it is the state that decides."""
        if e.type.kind != "set" or e.type.of is None or e.type.of.kind not in ("enum", "none"):
            return None
        mask: Value | None = self._asked("mask", e)
        return mask

    def number(self, e: ir.Expr) -> Number:
        """A number, as a sum of numbers that nothing is known of."""
        number: Number = self._asked("number", e)
        return number

    def none(self, e: ir.Expr) -> Test | None:
        """Whether *e* is none; None when it never is."""
        raise NotImplementedError

    # ------------------------------------------------------------------ what the state decides

    def _key(self, e: ir.Expr) -> str:
        """What is the same for expressions that mean the same."""
        plain = canonical(e, {})
        # Where the wording of a part is not exact, the tree itself has to do.
        inexact = any(isinstance(x, ir.Way | ir.Rung) for x in walk(e))
        return repr(plain) if inexact else self.printer.expr(plain)

    def _opaque(self, e: ir.Expr) -> Atom:
        return self.atom("bool", self._key(e), self.printer.expr(e, NEGATED), (0, 1))

    def _known(self, atom: Atom) -> Test:
        """Whether what *atom* stands for holds."""
        return mapped(lambda: self.ask(atom), bool)

    def _nobodys(self, e: ir.Expr) -> Test | None:
        """Whether a field is read of none, or kept for none; None when that cannot be."""
        parts = [e.owner] if isinstance(e, ir.Get | ir.Pick) else []
        if isinstance(e, ir.Pick):
            parts.append(e.key)
        tests = [test for part in parts if part is not None and (test := self.none(part))]
        return self.any_of(tests) if tests else None

    def _unless(self, missing: Test | None, nothing: _V, value: Callable[[], _V | None]) -> Any:
        """*value*, but *nothing* where something is *missing*."""
        return value if missing is None else branch(missing, lambda: nothing, value)

    # ------------------------------------------------------------------ functions

    def _inlined(self, e: ir.Apply) -> ir.Expr | None:
        """The body of a function with the arguments in it; None when it is better left alone."""
        self.asked.add(e.name)
        call = self.program.calls.get(e.name)
        if call is None or call.body is None or self._depth >= _DEEPEST:
            return None
        if len(call.params) != len(e.args):
            return None
        binding = [x for x in walk(call.body) if isinstance(x, ir.Quant | ir.Allot | ir.Line)]
        bound = {name for x in binding for name in bound_locals(x)}
        if any(not bound.isdisjoint(locals_of(arg)) for arg in e.args):
            return None
        return substitute(call.body, {p.name: a for p, a in zip(call.params, e.args, strict=True)})

    def _ask_body(self, e: ir.Apply, ask: Callable[[ir.Expr], Any]) -> Any:
        """What *ask* says of the body of a function with its arguments; None: it is left alone."""
        body = self._inlined(e)
        if body is None:
            return None
        self._depth += 1
        inner = ask(body)
        self._depth -= 1
        return inner


def constant(value: _V) -> Callable[[], _V | None]:
    """Always *value*."""
    return lambda: value


ALWAYS: Test = constant(True)
NEVER: Test = constant(False)


def zero(type_: Type) -> int:
    """What is read where there is nothing."""
    return NONE if type_.finite or type_.optional else 0


def canonical(e: ir.Expr, names: Mapping[str, str]) -> ir.Expr:
    """*e* with the members that it quantifies over named by their depth."""
    if isinstance(e, ir.Local):
        return replace(e, name=names[e.name]) if e.name in names else e
    inner = names
    changes: dict[str, object] = {}
    if isinstance(e, ir.Quant | ir.Allot | ir.Line):
        inner = {**names, **{name: f"${len(names) + i}" for i, name in enumerate(bound_locals(e))}}
        given = {name: getattr(e, name, "") for name in ("var", "own", "leaves", "enters")}
        changes.update((name, inner[local]) for name, local in given.items() if local)
    for field in e.__dataclass_fields__:
        value = getattr(e, field)
        within = names if field in ("source", "start", "end") else inner
        if isinstance(value, ir.Expr):
            changes[field] = canonical(value, within)
        elif isinstance(value, tuple) and value and isinstance(value[0], ir.Expr):
            changes[field] = tuple(canonical(v, within) for v in value)
    return replace(e, **changes) if changes else e  # type: ignore[arg-type]
