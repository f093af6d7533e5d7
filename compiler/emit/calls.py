"""Functions, quantities, permissions and travels as Python functions."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.emit.carrying import begin_travel, emit_carrying
from compiler.emit.emission import Emission
from compiler.emit.expressions import ExpressionEmitter
from compiler.emit.inline import fold_calls, mentions, reads_no_state
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer
from compiler.ir.travels import TravelInfo
from compiler.trees import conjuncts, rules_of, tangled


def parameters(params: list[ir.ParamInfo]) -> str:
    """Parameters after the state."""
    return "".join(f", v_{p.name}: int" for p in params)


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


def speaks(rule: ir.Rule, x: ExpressionEmitter) -> str | None:
    """Python text for whether a rule speaks; None: always."""
    x.w.place = rule.when.span if rule.when is not None and rule.when.span.line else rule.span
    parts = []
    if rule.when is not None:
        parts.append(rule.when)
    result = None
    for condition in parts:
        result = x.holding(condition, x.expr(condition))
    for _, when in rule.suspended:
        text = f"not {x.holding(when, x.expr(when))}"
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
        w.add(f"value = {x.expr(single.value)}")
    else:
        base, bx = _head(program, call, "base_")
        _rules(call, call.roots, base, bx)
        codes.append(base.code)
        w.add(f"value = base_{call.name}{call.suffix}(s{''.join(f', v_{p.name}' for p in call.params)})")
    for stage in call.stages:
        _stage(call.modifiers.get(stage, []), w, x)
    w.place = call.span
    w.add("return value")
    codes.append(w.code)
    return codes


def _stage(modifiers: list[ir.Modifier], w: Writer, x: ExpressionEmitter) -> None:
    for op in ("by", "most", "least"):
        for modifier in modifiers:
            if modifier.op != op:
                continue
            w.place = modifier.span
            w.add(label(modifier.name, modifier.rules))
            depth = w.depth
            for condition in conjuncts(modifier.when):
                w.add(f"if {x.expr(condition)}:")
                w.depth += 1
            x.note(modifier.when)
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
        _listed(roots, w, x)
    for rule in roots if not listed else ():
        closed = _returning(rule, w, x)
        if closed:
            break
    if not closed:
        w.place = call.span
        w.add(f'raise RulesetFault("no rule decides {call.kind} {call.name}")')


def _returning(rule: ir.Rule, w: Writer, x: ExpressionEmitter) -> bool:
    """Emit one rule and its exceptions; True when nothing after it can be reached."""
    w.place = rule.span
    w.add(label(rule.name, rule.rules))
    test = speaks(rule, x)
    depth = w.depth
    if test is not None:
        w.add(f"if {test}:")
        w.depth += 1
    closed = False
    for exception in rule.exceptions:
        closed = _returning(exception, w, x)
        if closed:
            break
    if not closed:
        assert rule.value is not None
        w.place = rule.value.span
        w.add(f"return {x.expr(rule.value)}")
    w.depth = depth
    return test is None


def _listed(roots: list[ir.Rule], w: Writer, x: ExpressionEmitter) -> None:
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
        test = speaks(rule, x) or "True"
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
        stands = " and ".join([speaks(rule, x) or "True", *(f"not {marks[id(e)]}" for e in rule.exceptions)])
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
        _standing(rule, w, x)
        w.add(f"return {not default}")
        w.depth = depth
    w.place = call.span
    w.add(f"return {default}")
    return w.code


def _standing(rule: ir.Rule, w: Writer, x: ExpressionEmitter) -> None:
    """Open the ``if`` in which *rule* has force: it speaks and none of its exceptions does."""
    w.place = rule.span
    for condition in conjuncts(rule.when):
        w.place = condition.span if condition.span.line else rule.span
        w.add(f"if {x.expr(condition)}:")
        w.depth += 1
    x.note(rule.when)
    for _, when in rule.suspended:
        w.add(f"if not {x.holding(when, x.expr(when))}:")
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
        _standing(exception, w, x)
        w.add(f"{excepted} = True")
        w.depth = depth
    w.add(f"if not {excepted}:")
    w.depth += 1


def emit_travel(program: Emission, travel: TravelInfo) -> list[Code]:
    """A travel: ``travel_t`` gives the cost of every hex where it may end, ``reach_t`` those hexes.

    Asked for a *target* the first may leave out all other hexes, and asked for −2 all but one.
    """
    if travel.carried:
        return emit_carrying(program, travel, parameters(travel.params), travel.name in ways_used(program))
    travel = _folded(program, travel)
    w = Writer(f"travel_{travel.name}", travel.span)
    x = expressions_for(program, w)
    ways = travel.name in ways_used(program)
    inside = ", inside: dict[int, int] | None = None" if ways else ""
    begin_travel(travel, w, x, parameters(travel.params) + inside)
    w.add("ends: dict[int, int] = {}")
    if any(e is not None and mentions(e, travel.here) for e in (travel.halt, travel.end)):
        (_every_step if travel.cost is None else _every_arrival)(travel, w, x, ways)
    elif travel.cost is None:
        _breadth_first(travel, w, x, ways)
    else:
        _cheapest_first(travel, w, x, ways)
    w.depth = 1
    w.add("return ends")
    r = Writer(f"reach_{travel.name}", travel.span)
    r.add(f"def reach_{travel.name}(s: State{parameters(travel.params)}) -> list[int]:")
    r.depth = 1
    r.add(f"return sorted(travel_{travel.name}(s{''.join(f', v_{p.name}' for p in travel.params)}))")
    return [w.code, r.code, _way(program, travel)] if ways else [w.code, r.code]


def _folded(program: Emission, travel: TravelInfo) -> TravelInfo:
    """*travel* without what this ruleset leaves always the same: a permission that no rule speaks of."""

    def known(e: ir.Expr | None, idle: int) -> ir.Expr | None:
        found = None if e is None else fold_calls(program, e)
        return None if isinstance(found, ir.Const) and found.value == idle else found

    enter = fold_calls(program, travel.enter)
    return replace(travel, enter=enter, halt=known(travel.halt, 0), end=known(travel.end, 1))


def ways_used(program: Emission) -> set[str]:
    """The travels whose ways some rule asks for."""
    return {used.split(" ", 1)[1] for used in program.ways}


def _way(program: Emission, travel: TravelInfo) -> Code:
    """The hexes of a cheapest way, found by following the costs back from its end."""
    w = Writer(f"way_{travel.name}", travel.span)
    x = expressions_for(program, w)
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add(f"def way_{travel.name}(s: State{parameters(travel.params)}, target: int) -> tuple[int, ...]:")
    w.depth = 1
    w.add("inside: dict[int, int] = {}")
    w.add(f"ends = travel_{travel.name}(s{''.join(f', v_{p.name}' for p in travel.params)}, inside)")
    w.add("if target not in ends:")
    w.add("    return ()")
    w.add("found = [target]")
    w.add("cost = ends[target]")
    w.add(f"{there} = target")
    w.add("while cost > 0:")
    w.depth += 1
    w.add(f"for {here} in NEIGHBORS[{there}]:")
    w.depth += 1
    w.add(f"if {here} not in inside:")
    w.add("    continue")
    _refuse(travel, w, x)
    # Where it matters from where one comes, not every step at the right cost is one to end with or to go on
    # from.
    if travel.end is not None and mentions(travel.end, travel.here):
        w.add(f"if cost == ends[target] and not {x.expr(travel.end)}:")
        w.add("    continue")
    if travel.halt is not None and mentions(travel.halt, travel.here):
        w.add(f"if cost != ends[target] and {x.expr(travel.halt)}:")
        w.add("    continue")
    step = "1" if travel.cost is None else x.simple(travel.cost)
    if travel.cost is not None:
        step = f"({step} if {step} > 0 else 1)"
    w.add(f"if inside[{here}] + {step} == cost:")
    w.add("    break")
    w.depth -= 1
    w.add("else:")
    w.add("    break")
    w.add(f"cost = inside[{here}]")
    w.add(f"{there} = {here}")
    w.add("if cost > 0:")
    w.add(f"    found.append({there})")
    w.depth = 1
    w.add("found.reverse()")
    w.add("return tuple(found)")
    return w.code


def _begin_steps(travel: TravelInfo, known: str, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Open the loops of a search that goes a step further at each turn; the start is *known*."""
    w.add(f"{known} = {{start}}")
    if ways:
        _remember("start", "0", w)
    w.add("edge = [start]")
    w.add("steps = 0")
    x.enter([travel.here, travel.there])
    w.add("while edge and steps < budget:")
    w.depth += 1
    w.add("steps += 1")
    w.add("beyond: list[int] = []")
    w.add(f"for v_{travel.here} in edge:")
    w.depth += 1
    w.add(f"for v_{travel.there} in NEIGHBORS[v_{travel.here}]:")
    w.depth += 1


def _end_steps(w: Writer, x: ExpressionEmitter) -> None:
    w.depth = 2
    w.add("edge = beyond")
    x.leave()


def _breadth_first(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    there = f"v_{travel.there}"
    # A refusal that does not depend on where one comes from holds for good.
    once = not mentions(travel.enter, travel.here)
    _begin_steps(travel, "seen", w, x, ways)
    w.add(f"if {there} in seen:")
    w.add("    continue")
    if once:
        w.add(f"seen.add({there})")
    _refuse(travel, w, x)
    if not once:
        w.add(f"seen.add({there})")
    _arrive(travel, "steps", w, x)
    _go_on(travel, f"beyond.append({there})", w, x, "steps" if ways else "")
    _end_steps(w, x)


def _every_step(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Breadth first where it matters from where one comes: a hex is looked at again until one may go on
    from it.
    """
    there = f"v_{travel.there}"
    # What holds from wherever one comes is settled at the first look.
    once = not any(e is not None and mentions(e, travel.here) for e in (travel.enter, travel.end))
    _begin_steps(travel, "passed", w, x, ways)
    if once:
        w.add(f"if {there} in passed:")
        w.add("    continue")
        w.add(f"passed.add({there})")
    else:
        w.add(f"if {there} == start or {there} in passed and {there} in ends:")
        w.add("    continue")
    _refuse(travel, w, x)
    depth = w.depth
    w.add(f"if {there} not in ends:")
    w.depth += 1
    _arrive(travel, "steps", w, x)
    w.depth = depth
    w.add("if steps == budget:" if once else f"if steps == budget or {there} in passed:")
    w.add("    continue")
    if travel.halt is not None:
        w.place = travel.halt.span
        w.add(f"if {x.expr(travel.halt)}:")
        if once:
            w.add(f"    passed.discard({there})")
        w.add("    continue")
    if not once:
        w.add(f"passed.add({there})")
    w.add(f"beyond.append({there})")
    if ways:
        _remember(there, "steps", w)
    _end_steps(w, x)


def _refuse(travel: TravelInfo, w: Writer, x: ExpressionEmitter) -> None:
    """Turn to the next hex when this step is not allowed."""
    for condition in conjuncts(travel.enter):
        w.place = condition.span
        x.unless(condition, "continue")


def _arrive(travel: TravelInfo, cost: str, w: Writer, x: ExpressionEmitter) -> None:
    depth = w.depth
    if travel.end is not None:
        w.place = travel.end.span
        w.add(f"if {x.expr(travel.end)}:")
        w.depth += 1
    w.add(f"ends[v_{travel.there}] = {cost}")
    if cost == "steps":  # the first way found is a shortest one
        w.add(f"if target != -1 and (target == v_{travel.there} or target == -2):")
        w.add("    return ends")
    w.depth = depth


def _remember(hex: str, cost: str, w: Writer) -> None:
    w.add("if inside is not None:")
    w.add(f"    inside[{hex}] = {cost}")


def _go_on(travel: TravelInfo, action: str, w: Writer, x: ExpressionEmitter, remember: str = "") -> None:
    depth = w.depth
    # A step costs 1 at least: who has spent all goes no further.
    conditions = ["cost < budget"] if travel.cost is not None else []
    if travel.halt is not None:
        w.place = travel.halt.span
        conditions.append(f"not {x.expr(travel.halt)}")
    if conditions:
        w.add(f"if {' and '.join(conditions)}:")
        w.depth += 1
    w.add(action)
    if remember:
        _remember(f"v_{travel.there}", remember, w)
    w.depth = depth


def _cheapest_first(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add("best = {start: 0}")
    if ways:
        _remember("start", "0", w)
    w.add("waiting: dict[int, list[int]] = {0: [start]}")
    w.add("beyond = budget + 1")
    x.enter([travel.here, travel.there])
    w.add("while waiting:")
    w.depth += 1
    w.add("spent = min(waiting)")
    w.add("least = spent + 1")
    w.add(f"for {here} in waiting.pop(spent):")
    w.depth += 1
    w.add(f"if best[{here}] < spent:")
    w.add("    continue")
    w.add(f"for {there} in NEIGHBORS[{here}]:")
    w.depth += 1
    # A step costs 1 at least, so what is known to cost no more than that needs no second look.
    w.add(f"known = best.get({there}, beyond)")
    w.add("if known <= least:")
    w.add("    continue")
    # What costs too much is found out sooner than what is not allowed.
    _cost(travel, w, x)
    w.add("if cost >= known:")
    w.add("    continue")
    _refuse(travel, w, x)
    w.add(f"best[{there}] = cost")
    _arrive(travel, "cost", w, x)
    _go_on(travel, f"waiting.setdefault(cost, []).append({there})", w, x, "cost" if ways else "")
    x.leave()


def _cost(travel: TravelInfo, w: Writer, x: ExpressionEmitter) -> None:
    """What it costs to come to a hex from here; a step costs 1 at least."""
    assert travel.cost is not None
    w.place = travel.cost.span
    step = x.simple(travel.cost)
    w.add(f"cost = spent + ({step} if {step} > 0 else 1)")


def _every_arrival(travel: TravelInfo, w: Writer, x: ExpressionEmitter, ways: bool) -> None:
    """Cheapest first where it matters from where one comes: the cheapest arrival may not be one to end with
    or to go on from.
    """
    here, there = f"v_{travel.here}", f"v_{travel.there}"
    w.add("best = {start: 0}")
    if ways:
        _remember("start", "0", w)
    w.add("queue: list[tuple[int, int]] = [(0, start)]")
    w.add("closed: set[int] = set()")
    x.enter([travel.here, travel.there])
    w.add("while queue:")
    w.depth += 1
    w.add(f"spent, {here} = heappop(queue)")
    w.add(f"if {here} in closed:")
    w.add("    continue")
    w.add(f"closed.add({here})")
    w.add(f"for {there} in NEIGHBORS[{here}]:")
    w.depth += 1
    w.add(f"if {there} == start:")
    w.add("    continue")
    _refuse(travel, w, x)
    _cost(travel, w, x)
    w.add("if cost > budget:")
    w.add("    continue")
    depth = w.depth
    w.add(f"if cost < ends.get({there}, budget + 1):")
    w.depth += 1
    _arrive(travel, "cost", w, x)
    w.depth = depth
    w.add(f"if {there} in closed or cost >= best.get({there}, budget):")
    w.add("    continue")
    if travel.halt is not None:
        w.place = travel.halt.span
        w.add(f"if {x.expr(travel.halt)}:")
        w.add("    continue")
    w.add(f"best[{there}] = cost")
    w.add(f"heappush(queue, (cost, {there}))")
    if ways:
        _remember(there, "cost", w)
    x.leave()
