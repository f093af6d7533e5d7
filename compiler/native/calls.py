"""Functions, quantities and permissions as functions of C."""

from __future__ import annotations

from collections.abc import Callable

from compiler import ir
from compiler.emit.emission import Emission
from compiler.native.expressions import Expressions
from compiler.native.shapes import Shapes
from compiler.native.steps import Steps
from compiler.native.text import Text, source_place
from compiler.trees import is_tangled, rules_of
from compiler.types import Type


def parameters(shapes: Shapes, params: list[ir.ParamInfo]) -> str:
    """The parameters of a function of C."""
    own = (f", {shapes.value(p.type)} v_{p.name}" for p in params)
    return f"State *s, Context *c{''.join(own)}"


def head(shapes: Shapes, call: ir.Callable, prefix: str = "q_") -> str:
    """The head of a call's function."""
    params = parameters(shapes, call.params)
    return f"static {shapes.value(call.type)} {prefix}{call.name}({params})"


def written_call(program: Emission, shapes: Shapes, call: ir.Callable, prefix: str) -> list[str]:
    """The lines of a call's function."""
    text = Text()
    writer = _Call(program, shapes, text, call)
    text.cite(call.rules)
    text.add("(void)s; (void)c;")
    if call.kind == "quantity":
        writer.quantity()
    elif call.kind == "permission":
        writer.permission()
    else:
        writer.function()
    lines = [
        f"/* {call.kind} {call.name}, {source_place(call.span)} */",
        f"{head(shapes, call, prefix)} {{",
    ]
    return [*lines, *text.lines, "}"]


class _Call:
    def __init__(self, program: Emission, shapes: Shapes, text: Text, call: ir.Callable) -> None:
        self.program, self.shapes, self.w, self.call = program, shapes, text, call
        self.x = Expressions(program, shapes, text)

    def function(self) -> None:
        """The value, by the steps of the function where it has such."""
        call = self.call
        if call.body is not None:
            self.w.add(f"return {self.x.value(call.body, call.type)};")
            return
        declared = {p.name for p in call.params}
        for name, type_ in call.locals:
            if name not in declared:
                self.w.add(f"{self.shapes.value(type_)} v_{name} = {blank(self.shapes, type_)};")
        steps = Steps(self.program, self.shapes, self.w, dict(call.locals), call.type)
        steps.steps(call.steps)
        self.w.add(f'fail(c, "function {call.name} ended without a value");')
        self.w.add(f"return {blank(self.shapes, call.type)};")

    # ------------------------------------------------------------------ rules as a tree

    def where_speaking(self, rule: ir.Rule, then: Callable[[], None]) -> None:
        """Write *then* where a rule speaks."""
        w = self.w
        w.cite(rule.rules, rule.name)
        with w.block(""):
            if rule.when is None and not rule.suspended:
                then()
                return
            holds = w.temp("h")
            w.add(f"num {holds} = {self.x.test(rule.when)};")
            for _, when in rule.suspended:
                with w.block(f"if ({holds})"):
                    w.add(f"if ({self.x.value(when)}) {holds} = 0;")
            with w.block(f"if ({holds})"):
                then()

    def deciding(self, rule: ir.Rule) -> None:
        """The value where a rule speaks: that of an exception which does, else its own."""

        def then() -> None:
            for exception in rule.exceptions:
                self.deciding(exception)
            assert rule.value is not None
            self.w.add(f"value = {self.x.value(rule.value, self.call.type)}; break;")

        self.where_speaking(rule, then)

    def in_force(self, rule: ir.Rule, act: str) -> None:
        """Do something where a rule speaks and no exception of it is in force."""

        def then() -> None:
            if not rule.exceptions:
                self.w.add(act)
                return
            excepted = self.w.temp("e")
            self.w.add(f"char {excepted} = 0;")
            for exception in rule.exceptions:
                with self.w.block(f"if (!{excepted})"):
                    self.in_force(exception, f"{excepted} = 1;")
            self.w.add(f"if (!{excepted}) {{ {act} }}")

        self.where_speaking(rule, then)

    # ------------------------------------------------------------------ rules as a list

    def rule_locals(self) -> dict[int, str]:
        """Locals with whether each rule is reached (below rules that speak) and speaks."""
        rules = rules_of(self.call.roots)
        marks = {id(rule): self.w.temp("r") for rule in rules}
        above: dict[int, list[str]] = {}
        for rule in rules:
            for exception in rule.exceptions:
                above.setdefault(id(exception), []).append(marks[id(rule)])
        tops = {id(rule) for rule in self.call.roots}
        self.w.add(f"char {', '.join(f'{mark} = 0' for mark in marks.values())};")
        for rule in rules:
            mark = marks[id(rule)]
            free = "" if id(rule) in tops else f"if ({' || '.join(above[id(rule)])})"
            with self.w.block(free):
                self.where_speaking(rule, lambda mark=mark: self.w.add(f"{mark} = 1;"))  # type: ignore[misc]
        return marks

    # ------------------------------------------------------------------ quantities, permissions

    def quantity(self) -> None:
        """The value of the rule that decides, modified stage by stage."""
        call, w = self.call, self.w
        w.add(f"{self.shapes.value(call.type)} value = {blank(self.shapes, call.type)};")
        with w.block("do"):
            if is_tangled(call.roots):
                marks = self.rule_locals()
                for rule in reversed(rules_of(call.roots)):
                    assert rule.value is not None
                    with w.block(f"if ({marks[id(rule)]})"):
                        w.add(f"value = {self.x.value(rule.value, self.call.type)}; break;")
            else:
                for rule in call.roots:
                    self.deciding(rule)
            w.add(f'fail(c, "no rule decides {call.kind} {call.name}");')
        w.add("while (0);")
        for stage in call.stages:
            for op in ("by", "most", "least"):
                for modifier in call.modifiers.get(stage, ()):
                    if modifier.op == op:
                        self.modify(modifier)
        w.add("return value;")

    def modify(self, modifier: ir.Modifier) -> None:
        """What a modifier does to the value."""
        w, x = self.w, self.x
        w.cite(modifier.rules, modifier.name)
        with w.block(""):
            w.add(f"num holds = {x.test(modifier.when)};")
            with w.block("if (holds)"):
                value = x.value(modifier.value)
                if modifier.op == "by":
                    w.add(f"value = plus(c, value, {value});")
                else:
                    w.add(
                        f"value = {'lower' if modifier.op == 'most' else 'higher'}(value, {value});"
                    )

    def permission(self) -> None:
        """What is so by default, unless a rule of the other verdict has force."""
        call, w = self.call, self.w
        default = int(call.default == "allow")
        if not is_tangled(call.roots):
            for rule in call.roots:
                self.in_force(rule, f"return {1 - default};")
            w.add(f"return {default};")
            return
        marks, forces = self.rule_locals(), dict[int, str]()
        for rule in reversed(rules_of(call.roots)):
            force = forces[id(rule)] = w.temp("f")
            free = "".join(f" && !{forces[id(e)]}" for e in rule.exceptions)
            w.add(f"char {force} = {marks[id(rule)]}{free};")
        against = " || ".join(forces[id(rule)] for rule in call.roots)
        w.add(f"return ({against}) ? {1 - default} : {default};")


def blank(shapes: Shapes, type_: Type) -> str:
    """A value to begin with."""
    if type_.kind == "set":
        return f"{shapes.value(type_)}_none()"
    return "(roll){0, 0}" if type_.kind == "roll" else "0"
