"""Functions, quantities and permissions as Python functions."""

from __future__ import annotations

from compiler import ir
from compiler.emit.emission import Emission
from compiler.emit.expressions import ExpressionEmitter
from compiler.emit.inline import reads_no_state
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer, arguments, parameters
from compiler.trees import conjuncts, rules_of, tangled


def emit_callable(program: Emission, call: ir.Callable) -> list[Code]:
    """The Python of a function, quantity or permission; set-valued ones also as a list (``i_…``)."""
    if call.kind == "function":
        codes = [_function(program, call)]
        if call.type.kind == "set":
            codes.append(_listing(program, call))
        return codes
    if call.kind == "permission":
        return [_permission(program, call)]
    return _quantity(program, call)


def _head(
    program: Emission, call: ir.Callable, prefix: str, result: str = "int"
) -> tuple[Writer, ExpressionEmitter]:
    w = Writer(f"{prefix}{call.name}{call.suffix}", call.span)
    known = call.kind == "function" and call.body is not None and reads_no_state(program, call.body)
    state = "Any" if known else "State"  # such functions are called before there is a state
    w.add(f"def {prefix}{call.name}{call.suffix}(s: {state}{parameters(call.params)}) -> {result}:")
    w.depth = 1
    if call.rules:
        w.add(f"# {', '.join(call.rules)}")
    x = expressions_for(program, w)
    x.note(f"{call.kind} {call.name}")
    return w, x


def _function(program: Emission, call: ir.Callable) -> Code:
    w, x = _head(program, call, "q_")
    assert call.body is not None
    w.place = call.body.span
    w.add(f"return {x.expr(call.body)}")
    return w.code


def _listing(program: Emission, call: ir.Callable) -> Code:
    """A set-valued function as an ascending list, for walking through it."""
    w, x = _head(program, call, "i_", "Sequence[int]")
    assert call.body is not None
    _list_of(call.body, w, x)
    return w.code


def _list_of(body: ir.Expr, w: Writer, x: ExpressionEmitter) -> None:
    w.place = body.span
    if isinstance(body, ir.If):
        w.add(f"if {x.expr(body.test)}:")
        w.depth += 1
        _list_of(body.then, w, x)
        w.depth -= 1
        _list_of(body.orelse, w, x)
        return
    if isinstance(body, ir.Quant) and body.kind == "all":
        found = w.temp()
        w.add(f"{found}: list[int] = []")
        depth = w.depth
        x.loop(body.var, body.source, body.where)
        w.add(f"{found}.append(v_{body.var})")
        w.depth = depth
        x.leave()
        w.add(f"return {found}")
        return
    text, _ = x.iterable(body, "", None)
    w.add(f"return {text}")


def label(name: str, rules: tuple[str, ...]) -> str:
    """A rule's name and citations for a comment."""
    return f"# {name}" + (f" ({', '.join(rules)})" if rules else "")


def speaks(call: ir.Callable, rule: ir.Rule, x: ExpressionEmitter) -> str | None:
    """Python text for whether a rule speaks; None: always."""
    x.w.place = rule.when.span if rule.when is not None and rule.when.span.line else rule.span
    what = f"rule {rule.name} of {call.name}"
    result = None
    if rule.when is None:
        x.note(what)
    else:
        result = x.holding(what, x.expr(rule.when))
    for _, when in rule.suspended:
        text = f"not {x.holding(f'suspension of {rule.name} of {call.name}', x.expr(when))}"
        result = f"({result} and {text})" if result is not None else text
    return result


def _quantity(program: Emission, call: ir.Callable) -> list[Code]:
    staged = any(call.modifiers.get(stage) for stage in call.stages)
    if not staged:
        w, x = _head(program, call, "q_")
        _rules(call, call.roots, w, x)
        return [w.code]
    codes = []
    w, x = _head(program, call, "q_")
    single = call.roots[0] if len(call.roots) == 1 else None
    if (
        single is not None
        and single.when is None
        and not single.suspended
        and not single.exceptions
        and single.value is not None
    ):
        w.place = single.span
        w.add(label(single.name, single.rules))
        x.note(f"rule {single.name} of {call.name}")
        w.add(f"value = {x.expr(single.value)}")
    else:
        base, bx = _head(program, call, "base_")
        _rules(call, call.roots, base, bx)
        codes.append(base.code)
        w.add(f"value = base_{call.name}{call.suffix}(s{arguments(call.params)})")
    for stage in call.stages:
        _stage(call, stage, w, x)
    w.place = call.span
    w.add("return value")
    codes.append(w.code)
    return codes


def _stage(call: ir.Callable, stage: str, w: Writer, x: ExpressionEmitter) -> None:
    for op in ("by", "most", "least"):
        for modifier in call.modifiers.get(stage, ()):
            if modifier.op != op:
                continue
            w.place = modifier.span
            w.add(label(modifier.name, modifier.rules))
            depth = w.depth
            for condition in conjuncts(modifier.when):
                w.add(f"if {x.expr(condition)}:")
                w.depth += 1
            x.note(f"modifier {modifier.name} of {call.name}")
            if op == "by":
                w.add(f"value += {x.expr(modifier.value)}")
            else:
                bound = x.simple(modifier.value)
                w.add(f"if value {'>' if op == 'most' else '<'} {bound}:")
                w.depth += 1
                w.add(f"value = {bound}")
            w.depth = depth


def _rules(call: ir.Callable, roots: list[ir.Rule], w: Writer, x: ExpressionEmitter) -> None:
    """The rules of a quantity as a chain of returns."""
    closed = False
    listed = tangled(roots) and x.program.watched is None
    if listed:
        _listed(call, roots, w, x)
    for rule in roots if not listed else ():
        closed = _returning(call, rule, w, x)
        if closed:
            break
    if not closed:
        w.place = call.span
        w.add(f'raise RulesetFault("no rule decides {call.kind} {call.name}")')


def _returning(call: ir.Callable, rule: ir.Rule, w: Writer, x: ExpressionEmitter) -> bool:
    """Emit one rule and its exceptions; True when nothing after it can be reached."""
    w.place = rule.span
    w.add(label(rule.name, rule.rules))
    test = speaks(call, rule, x)
    depth = w.depth
    if test is not None:
        w.add(f"if {test}:")
        w.depth += 1
    closed = False
    for exception in rule.exceptions:
        closed = _returning(call, exception, w, x)
        if closed:
            break
    if not closed:
        assert rule.value is not None
        w.place = rule.value.span
        w.add(f"return {x.expr(rule.value)}")
    w.depth = depth
    return test is None


def _listed(call: ir.Callable, roots: list[ir.Rule], w: Writer, x: ExpressionEmitter) -> None:
    """Emit rules as a list: which are reached, then, exceptions first, what the first of these says."""
    rules = rules_of(roots)
    marks = {id(rule): w.temp() for rule in rules}
    above: dict[int, list[str]] = {}
    for rule in rules:
        for exception in rule.exceptions:
            above.setdefault(id(exception), []).append(marks[id(rule)])
    tops = {id(rule) for rule in roots}
    for rule in rules:
        w.add(label(rule.name, rule.rules))
        test = speaks(call, rule, x) or "True"
        w.add(
            f"{marks[id(rule)]} = {test}"
            if id(rule) in tops
            else f"{marks[id(rule)]} = ({' or '.join(above[id(rule)])}) and {test}"
        )
    for rule in reversed(rules):
        assert rule.value is not None
        w.place = rule.value.span
        w.add(f"if {marks[id(rule)]}:")
        w.add(f"    return {x.expr(rule.value)}")


def _listed_permission(call: ir.Callable, w: Writer, x: ExpressionEmitter) -> None:
    """Emit rules as a list, exceptions first: each has force when it speaks and none of its exceptions
    has.
    """
    marks: dict[int, str] = {}
    for rule in reversed(rules_of(call.roots)):
        w.add(label(rule.name, rule.rules))
        marks[id(rule)] = w.temp()
        stands = " and ".join(
            [speaks(call, rule, x) or "True", *(f"not {marks[id(e)]}" for e in rule.exceptions)]
        )
        w.add(f"{marks[id(rule)]} = {stands}")
    against = " or ".join(marks[id(rule)] for rule in call.roots)
    w.place = call.span
    w.add(f"return not ({against})" if call.default == "allow" else f"return bool({against})")


def _permission(program: Emission, call: ir.Callable) -> Code:
    w, x = _head(program, call, "q_")
    default = call.default == "allow"
    if tangled(call.roots) and program.watched is None:
        _listed_permission(call, w, x)
        return w.code
    for rule in call.roots:
        w.place = rule.span
        w.add(label(rule.name, rule.rules))
        depth = w.depth
        _standing(call, rule, w, x)
        w.add(f"return {not default}")
        w.depth = depth
    w.place = call.span
    w.add(f"return {default}")
    return w.code


def _standing(call: ir.Callable, rule: ir.Rule, w: Writer, x: ExpressionEmitter) -> None:
    """Open the ``if`` in which *rule* has force: it speaks and none of its exceptions does."""
    w.place = rule.span
    for condition in conjuncts(rule.when):
        w.place = condition.span if condition.span.line else rule.span
        w.add(f"if {x.expr(condition)}:")
        w.depth += 1
    x.note(f"rule {rule.name} of {call.name}")
    for _, when in rule.suspended:
        held = x.holding(f"suspension of {rule.name} of {call.name}", x.expr(when))
        w.add(f"if not {held}:")
        w.depth += 1
    if not rule.exceptions:
        if rule.when is None and not rule.suspended:
            w.add("if True:")
            w.depth += 1
        return
    excepted = w.temp()
    w.add(f"{excepted} = False")
    for number, exception in enumerate(rule.exceptions):
        w.add(label(exception.name, exception.rules))
        depth = w.depth
        if number:
            w.add(f"if not {excepted}:")
            w.depth += 1
        _standing(call, exception, w, x)
        w.add(f"{excepted} = True")
        w.depth = depth
    w.add(f"if not {excepted}:")
    w.depth += 1
