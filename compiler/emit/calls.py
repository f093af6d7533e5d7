"""Functions, quantities and permissions as Python functions."""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.marks import expressions_for
from compiler.emit.procedures import StatementEmitter
from compiler.emit.remembered import emit_recall
from compiler.emit.writer import Code, Writer, arguments, parameters
from compiler.trees import conjuncts, is_filter, is_tangled, rules_of


def emit_callable(program: Emission, call: ir.Callable) -> list[Code]:
    """The Python of a function, quantity or permission; of a set also as a list (``i_…``)."""
    value = _CallEmitter(program, call, "w_" if call.remembered else "q_")
    match call.kind:
        case "function" if call.remembered:
            value.function_body()
            return [value.w.code, emit_recall(program, call)]
        case "function" if call.body is None:
            value.function_body()
        case "function":
            assert call.body is not None
            value.w.place = call.body.span
            value.w.add(f"return {value.x.expr(call.body)}")
            if call.type.kind == "set":
                listing = _CallEmitter(program, call, "i_", "Sequence[int]")
                listing.list_of(call.body)
                return [value.w.code, listing.w.code]
        case "permission":
            value.permission()
        case _ if any(call.modifiers.get(stage) for stage in call.stages):
            return value.quantity()
        case _:
            value.chain()
    return [value.w.code]


class _CallEmitter:
    """Writes one function for a call."""

    def __init__(
        self, program: Emission, call: ir.Callable, prefix: str, result: str = "int"
    ) -> None:
        name = f"{prefix}{call.name}{call.suffix}"
        self.program = program
        self.call = call
        self.w = w = Writer(name, call.span)
        self.x = expressions_for(program, w)
        # functions that read no state are called before there is one
        state = "Any" if program.stateless(call) else "State"
        w.add(f"def {name}(s: {state}{parameters(call.params)}) -> {result}:")
        w.depth = 1
        w.cite(call.rules)
        if prefix != "base_":  # the beginning of another
            self.x.note(f"{call.kind} {call.name}", call.span)

    def function_body(self) -> None:
        """The value of a function, by its steps where it has such."""
        if self.call.body is not None:
            self.w.place = self.call.body.span
            self.w.add(f"return {self.x.expr(self.call.body)}")
            return
        steps = StatementEmitter(self.program, self.w)
        steps.steps(self.call.steps)
        self.w.place = self.call.span
        if not isinstance(self.call.steps[-1], ir.Return):
            self.w.add(f'raise RulesetFault("function {self.call.name} ended without a value")')

    def list_of(self, body: ir.Expr) -> None:
        """A set as an ascending list, for walking through it."""
        w, x = self.w, self.x
        w.place = body.span
        if isinstance(body, ir.If):
            with w.block(f"if {x.expr(body.test)}:"):
                self.list_of(body.then)
            self.list_of(body.orelse)
        elif is_filter(body):
            members = w.temp()
            w.add(f"{members}: list[int] = []")
            x.gather(body.var, body.source, body.where, members)
            w.add(f"return {members}")
        else:
            w.add(f"return {x.iterable(body)[0]}")

    def begin(self, rule: ir.Rule) -> None:
        """The place and the name of a rule."""
        self.w.place = rule.span
        self.w.cite(rule.rules, rule.name)

    def suspension(self, rule: ir.Rule, when: ir.Expr) -> str:
        """Whether what suspends a rule does not hold."""
        what = f"suspension of {rule.name} of {self.call.name}"
        return f"not {self.x.holding(what, self.x.expr(when), when.span)}"

    def speaks(self, rule: ir.Rule) -> str | None:
        """Python text for whether a rule speaks; None: always."""
        self.w.place = rule.span
        if rule.when is not None and rule.when.span.line:
            self.w.place = rule.when.span
        what = f"rule {rule.name} of {self.call.name}"
        result = None
        if rule.when is None:
            self.x.note(what, rule.span)
        else:
            result = self.x.holding(what, self.x.expr(rule.when), rule.span)
        for _, when in rule.suspended:
            free = self.suspension(rule, when)
            result = f"({result} and {free})" if result is not None else free
        return result

    # ------------------------------------------------------------------ quantities

    def quantity(self) -> list[Code]:
        """A quantity with modifiers; rules of more than a line stand in a function of their own."""
        call, w = self.call, self.w
        codes = [w.code]
        match call.roots:
            case [ir.Rule(when=None, suspended=[], exceptions=[]) as single]:
                self.begin(single)
                self.x.note(f"rule {single.name} of {call.name}", single.span)
                assert single.value is not None
                w.add(f"value = {self.x.expr(single.value)}")
            case _:
                base = _CallEmitter(self.program, call, "base_")
                base.chain()
                codes.insert(0, base.w.code)
                w.add(f"value = base_{call.name}{call.suffix}(s{arguments(call.params)})")
        for stage in call.stages:
            modifiers = call.modifiers.get(stage, ())
            for op in ("by", "most", "least"):
                for modifier in modifiers:
                    if modifier.op == op:
                        self.modify(modifier)
        w.place = call.span
        w.add("return value")
        return codes

    def modify(self, modifier: ir.Modifier) -> None:
        """What a modifier does to the value."""
        w, x = self.w, self.x
        w.place = modifier.span
        w.cite(modifier.rules, modifier.name)
        with w.indented():
            for condition in conjuncts(modifier.when):
                w.open(f"if {x.expr(condition)}:")
            x.note(f"modifier {modifier.name} of {self.call.name}", modifier.span)
            if modifier.op == "by":
                w.add(f"value += {x.expr(modifier.value)}")
            else:
                bound = x.simple(modifier.value)
                sign = ">" if modifier.op == "most" else "<"
                w.when(f"value {sign} {bound}", f"value = {bound}")

    def chain(self) -> None:
        """The rules of a quantity as a chain of returns."""
        call = self.call
        if is_tangled(call.roots) and self.program.watched is None:
            self.rule_list()
        elif any(map(self.returning, call.roots)):
            return
        self.w.place = call.span
        self.w.add(f'raise RulesetFault("no rule decides {call.kind} {call.name}")')

    def returning(self, rule: ir.Rule) -> bool:
        """Emit one rule and its exceptions; True when nothing after it can be reached."""
        self.begin(rule)
        test = self.speaks(rule)
        with self.w.indented():
            if test is not None:
                self.w.open(f"if {test}:")
            if not any(map(self.returning, rule.exceptions)):
                assert rule.value is not None
                self.w.place = rule.value.span
                self.w.add(f"return {self.x.expr(rule.value)}")
        return test is None

    def rule_list(self) -> None:
        """Rules as a list: which are reached; the first of these decides, exceptions first."""
        w = self.w
        rules = rules_of(self.call.roots)
        marks = {id(rule): w.temp() for rule in rules}
        above: dict[int, list[str]] = {}
        for rule in rules:
            for exception in rule.exceptions:
                above.setdefault(id(exception), []).append(marks[id(rule)])
        tops = {id(rule) for rule in self.call.roots}
        for rule in rules:
            w.cite(rule.rules, rule.name)
            test = self.speaks(rule) or "True"
            if id(rule) not in tops:
                test = f"({' or '.join(above[id(rule)])}) and {test}"
            w.add(f"{marks[id(rule)]} = {test}")
        for rule in reversed(rules):
            assert rule.value is not None
            w.place = rule.value.span
            with w.block(f"if {marks[id(rule)]}:"):
                w.add(f"return {self.x.expr(rule.value)}")

    # ------------------------------------------------------------------ permissions

    def permission(self) -> None:
        """What is so by default, unless a rule of the other verdict has force."""
        call, w = self.call, self.w
        default = call.default == "allow"
        if is_tangled(call.roots) and self.program.watched is None:
            self.listed_permission()
            return
        for rule in call.roots:
            self.begin(rule)
            with w.indented():
                self.stand(rule)
                w.add(f"return {not default}")
        w.place = call.span
        w.add(f"return {default}")

    def stand(self, rule: ir.Rule) -> None:
        """Open the ``if`` in which *rule* has force: it speaks and none of its exceptions does."""
        w, x = self.w, self.x
        w.place = rule.span
        for condition in conjuncts(rule.when):
            w.place = condition.span if condition.span.line else rule.span
            w.open(f"if {x.expr(condition)}:")
        x.note(f"rule {rule.name} of {self.call.name}", rule.span)
        for _, when in rule.suspended:
            w.open(f"if {self.suspension(rule, when)}:")
        if not rule.exceptions:
            if rule.when is None and not rule.suspended:
                w.open("if True:")
            return
        excepted = w.temp()
        w.add(f"{excepted} = False")
        for number, exception in enumerate(rule.exceptions):
            w.cite(exception.rules, exception.name)
            with w.indented():
                if number:
                    w.open(f"if not {excepted}:")
                self.stand(exception)
                w.add(f"{excepted} = True")
        w.open(f"if not {excepted}:")

    def listed_permission(self) -> None:
        """Rules as a list, exceptions first: each has force unless one of its exceptions has."""
        call, w = self.call, self.w
        marks: dict[int, str] = {}
        for rule in reversed(rules_of(call.roots)):
            w.cite(rule.rules, rule.name)
            marks[id(rule)] = w.temp()
            free = [f"not {marks[id(e)]}" for e in rule.exceptions]
            stands = " and ".join([self.speaks(rule) or "True", *free])
            w.add(f"{marks[id(rule)]} = {stands}")
        against = " or ".join(marks[id(rule)] for rule in call.roots)
        w.place = call.span
        w.add(f"return not ({against})" if call.default == "allow" else f"return bool({against})")
