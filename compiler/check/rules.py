"""Checking rules: hanging them into the trees of their quantities and permissions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions import Expressions
from compiler.check.expressions.base import assume
from compiler.check.expressions.calls import active
from compiler.check.keeping import CachingChecker
from compiler.trees import locals_of, rules_of, substitute
from compiler.types import BOOL, INT, VOID, Type, from_spec
from dsl import nodes as n
from dsl.diagnostics import Label, Unknown, did_you_mean
from dsl.source import NOWHERE
from runtime.model import EffectSpec
from runtime.words.said import said


def check_rules(ctx: Context, decls: list[n.Decl], keeper: CachingChecker) -> None:
    """Check all rules, those of effects included, and build the exception trees."""
    rules = _Rules()
    for decl, effect in _all_rules(decls):
        target = ctx.program.calls.get(decl.signature.name.text)
        if target is None or target.kind == "function":
            known = [c.name for c in ctx.program.calls.values() if c.kind != "function"]
            hint = "a function has no rules; declare it as a quantity" if target else ""
            ctx.report_unknown("R201", "quantity or permission", decl.signature.name, known, hint)
            continue
        ctx.mention(f"call {target.name}", decl.signature.name.span)
        nodes = (decl,) if effect is None else (decl, effect)
        made = keeper.check(nodes, None, partial(_make_rule, ctx, decl, effect, target))
        _enter(rules, decl, target, made)
    for decl, rule, target in rules.pending:
        _hang(ctx, decl, rule, target, rules.found)
    for call in ctx.program.calls.values():
        if call.roots:
            _cut(ctx, call)
            if call.kind == "quantity":
                _imply(call)
    for decl, target, when in rules.suspensions:
        suspended = rules.found.get((target.name, decl.name.text))
        if suspended is None:
            _no_such_rule(ctx, decl.name, target, rules.found)
            continue
        ctx.mention(f"rule {target.name}.{decl.name}", decl.name.span)
        suspended.suspended.append((decl.name.text, when))


@dataclass
class _Rules:
    """The rules by what they decide and their names, and what must wait until all are known."""

    found: dict[tuple[str, str], ir.Rule] = field(default_factory=dict)
    pending: list[tuple[n.RuleDecl, ir.Rule, ir.Callable]] = field(default_factory=list)
    suspensions: list[tuple[n.RuleDecl, ir.Callable, ir.Expr]] = field(default_factory=list)


def _all_rules(decls: list[n.Decl]) -> list[tuple[n.RuleDecl, n.Effect | None]]:
    result: list[tuple[n.RuleDecl, n.Effect | None]] = []
    for decl in decls:
        if isinstance(decl, n.RuleDecl):
            result.append((decl, None))
        elif isinstance(decl, n.Effect):
            result.extend((rule, decl) for rule in decl.body)
    return result


@dataclass
class _Head:
    """A rule whose head and condition are checked: what it is about, and in which words."""

    decl: n.RuleDecl
    target: ir.Callable
    env: Env
    when: ir.Expr | None
    rules: tuple[str, ...]
    provenance: str | None
    #: the effect that it is a rule of
    effect: str | None = None
    spec: EffectSpec | None = None
    #: the local for what the effect is in force for, and what its parameters are by it
    instance: str | None = None
    parts: dict[str, ir.Expr] = field(default_factory=dict)

    def bind(self, effect: n.Effect, spec: EffectSpec) -> None:
        """Bind the parameters of the effect."""
        types = [from_spec(type_) for type_ in spec.params]
        params = zip(effect.params, types, strict=True)
        names = [self.env.bind(p.name.text, type_) for p, type_ in params]
        if len(names) == 1:
            self.instance = names[0]
        elif names:
            number = ir.Local(self.env.bind(effect.name.text, INT), type=INT)
            self.instance = number.name
            for i, (name, type_) in enumerate(zip(names, types, strict=True)):
                self.parts[name] = ir.Part(spec, i, number, type=type_)

    def read(self, expr: ir.Expr) -> ir.Expr:
        """*expr* with the parameters of the effect found from what it is in force for."""
        return substitute(expr, self.parts) if self.parts else expr

    def asks_instance(self, value: ir.Expr) -> bool:
        """Whether a value hangs on what the effect is in force for."""
        return self.instance is not None and self.instance in locals_of(value)


_MODIFIERS = ("modify", "most", "least")
_VERBS = {"allow": "allows", "deny": "denies"}


def _head(
    ctx: Context, decl: n.RuleDecl, effect: n.Effect | None, target: ir.Callable
) -> _Head | None:
    """Check the head of a rule and its condition."""
    names = ctx.parameter_names(
        decl.signature, [p.name for p in target.params], target.kind, target.span
    )
    if names is None:
        return None
    own = [p.name.text for p in effect.params] if effect is not None else []
    both = [name for name in own if name in names]
    if both:
        message = said(
            "'{both}' is a parameter of the effect and one of {name}",
            both=both[0],
            name=target.name,
        )
        renamed = ", ".join("…" if name in both else name for name in names)
        remedy = said(
            "rename those of the {kind} here: {name}({renamed})",
            kind=target.kind,
            name=target.name,
            renamed=renamed,
        )
        ctx.error("R104", message, decl.signature.span, remedy)
        return None
    if decl.kind in _MODIFIERS and target.kind == "permission":
        message = said("{name} is a permission; it has no value to modify", name=target.name)
        ctx.error("Q505", message, decl.span, "a permission has 'allow' and 'deny' rules")
        return None
    env = Env()
    for ident, param in zip(decl.signature.params, target.params, strict=False):
        ctx.use(f"local {param.name}", ident.span)
    for name, param in zip(names, target.params, strict=True):
        env.names[name] = (param.name, param.type)
        env.taken.add(param.name)
    head = _Head(decl, target, env, None, decl.rules, decl.provenance)
    if effect is not None:
        head.rules = decl.rules or effect.rules
        head.provenance = decl.provenance or effect.provenance
        head.effect = effect.name.text
        head.spec = ctx.program.effects.get(effect.name.text)
        if head.spec is not None:
            head.bind(effect, head.spec)
    if decl.when is not None:
        when = Expressions(ctx).condition(decl.when, env)
        assume(ctx.program, env, when)
        head.when = head.read(when)
    return head


def _make_rule(
    ctx: Context, decl: n.RuleDecl, effect: n.Effect | None, target: ir.Callable
) -> ir.Rule | ir.Modifier | ir.Expr | None:
    """The rule or modifier that a declaration is, or the condition of a suspension."""
    head, exprs = _head(ctx, decl, effect, target), Expressions(ctx)
    if head is None:
        return None
    if decl.kind in _MODIFIERS:
        return _modifier(ctx, head, exprs)
    when = _in_force(head)
    if decl.kind == "suspend":
        ctx.cite(f"suspension of {decl.name} of {target.name}", head.rules)
        return when or ir.Const(1, type=BOOL)
    value = _value(ctx, head, exprs)
    verdict = decl.kind if decl.kind != "rule" else ""
    if not _verdict_fits(ctx, decl, target, verdict):
        return None
    rule = ir.Rule(decl.name.text, when, value, verdict, span=decl.span, effect=head.effect)
    rule.excepts = tuple(i.text for i in decl.excepts)
    rule.rules, rule.provenance = head.rules, head.provenance
    ctx.cite(f"rule {decl.name} of {target.name}", head.rules)
    return rule


def _enter(
    rules: _Rules,
    decl: n.RuleDecl,
    target: ir.Callable,
    made: ir.Rule | ir.Modifier | ir.Expr | None,
) -> None:
    """Enter what a declaration is; what is made is kept, and others hang exceptions on a copy."""
    match made:
        case ir.Rule():
            rule = ir.Rule(**{**vars(made), "exceptions": [], "suspended": []})
            rules.found[(target.name, decl.name.text)] = rule
            rules.pending.append((decl, rule, target))
        case ir.Modifier() if decl.stage is not None:
            target.modifiers.setdefault(decl.stage.text, []).append(ir.Modifier(**vars(made)))
        case ir.Expr():
            rules.suspensions.append((decl, target, made))


def _value(ctx: Context, head: _Head, exprs: Expressions) -> ir.Expr | None:
    """The value that a rule gives."""
    decl, target = head.decl, head.target
    if decl.value is None:
        return None
    wanted = target.type.maybe() if target.type.finite else target.type
    value = exprs.of_type(decl.value, head.env, wanted, f"{target.kind} {target.name}")
    if head.asks_instance(head.read(value)):
        message = "a rule of an effect for several values cannot use the value itself"
        ctx.error("Q505", message, decl.span, "use 'modify', which adds up")
    return value


def _verdict_fits(ctx: Context, decl: n.RuleDecl, target: ir.Callable, verdict: str) -> bool:
    """Whether a rule gives what its target needs: a verdict that changes something, or a value."""
    if (target.kind == "permission") != bool(verdict):
        remedy = "a quantity has 'rule … = value'"
        if target.kind == "permission":
            remedy = "a permission has 'allow' and 'deny' rules"
        ctx.error(
            "Q505",
            said("{name} is a {kind}", name=target.name, kind=target.kind),
            decl.span,
            remedy,
        )
        return False
    if verdict and not decl.excepts and verdict == target.default:
        message = said(
            "{name} is '{verdict}' by default; this rule has no effect",
            name=target.name,
            verdict=verdict,
        )
        ctx.error("Q505", message, decl.span, "name what it excepts, or change the verdict")
        return False
    return True


def _modifier(ctx: Context, head: _Head, exprs: Expressions) -> ir.Modifier | None:
    """A modifier or limit of a stage."""
    decl, target, when = head.decl, head.target, head.when
    assert decl.value is not None and decl.stage is not None
    what = said("a modifier of {name}", name=target.name)
    value = head.read(exprs.of_type(decl.value, head.env, target.type, what))
    stage, span = decl.stage.text, decl.span
    if stage not in target.stages:
        declare = said(
            "declare it: quantity {name}(…): … { stage {stage} }", name=target.name, stage=stage
        )
        remedy = did_you_mean(stage, target.stages) or declare
        ctx.error(
            "Q506",
            said("{name} has no stage '{stage}'", name=target.name, stage=stage),
            decl.stage.span,
            remedy,
        )
        return None
    op = "by" if decl.kind == "modify" else decl.kind
    spec, instance = head.spec, head.instance
    if spec is None or instance is None or not head.asks_instance(value):
        when = _in_force(head)
    else:
        if op != "by":
            remedy = "use 'modify', which adds up, or a field of what the rule speaks about"
            message = "a limit of an effect for several values cannot use the value itself"
            ctx.error("Q505", message, span, remedy)
        source, type_ = active(spec, span), value.type
        value = ir.Quant("sum", instance, source, when, value, type=type_, span=span)
        when = None
    ctx.cite(f"modifier {decl.name} of {target.name}", head.rules)
    origin = (head.rules, head.provenance, span, spec.name if spec else None)
    return ir.Modifier(decl.name.text, op, when, value, *origin)


def _in_force(head: _Head) -> ir.Expr | None:
    """The condition with that the rule's effect, if it is of one, is in force."""
    if head.spec is None:
        return head.when
    started = active(head.spec, NOWHERE)
    if head.instance is not None:
        return ir.Quant("some", head.instance, started, head.when, None, type=BOOL)
    if head.when is None:
        return started
    return ir.Logic("and", started, head.when, type=BOOL, span=head.when.span)


def _no_such_rule(
    ctx: Context, name: n.Ident, target: ir.Callable, found: dict[tuple[str, str], ir.Rule]
) -> None:
    known = [rule for call, rule in found if call == target.name]
    listed = (
        said("its rules are {known}", known=", ".join(known)) if known else "it has no rules yet"
    )
    message = said("{target} has no rule '{name}'", target=target.name, name=name)
    remedy = did_you_mean(name.text, known) or listed
    ctx.error("Q504", message, name.span, remedy, about=(Unknown(name.text),))


def _hang(
    ctx: Context,
    decl: n.RuleDecl,
    rule: ir.Rule,
    target: ir.Callable,
    found: dict[tuple[str, str], ir.Rule],
) -> None:
    if not decl.excepts:
        target.roots.append(rule)
        return
    for ident in decl.excepts:
        parent = found.get((target.name, ident.text))
        if parent is None:
            _no_such_rule(ctx, ident, target, found)
            continue
        ctx.mention(f"rule {target.name}.{ident}", ident.span)
        if parent is rule or _below(rule, parent):
            message = said(
                "rules except each other in a circle: {name}, {ident}", name=rule.name, ident=ident
            )
            ctx.error("Q507", message, ident.span, "let one of them be the general rule")
            continue
        if rule.verdict and parent.verdict == rule.verdict:
            alike = said(
                "'{name}' {verbs} just as '{ident}' does",
                name=rule.name,
                verbs=_VERBS[rule.verdict],
                ident=ident,
            )
            remedy = said(
                "leave out 'except {ident}', or name the rule whose verdict it changes", ident=ident
            )
            message = said("{alike}; an exception changes the verdict", alike=alike)
            labels = (Label(parent.span, "the rule it excepts"),)
            ctx.error("Q505", message, ident.span, remedy, labels)
            continue
        parent.exceptions.append(rule)


#: How many rules may except one another in a row: Python calls no deeper than a thousand.
_LONGEST = 200


def _cut(ctx: Context, call: ir.Callable) -> None:
    """Report a chain of exceptions that is too long, and leave out its end."""
    depth: dict[int, int] = {}
    rules = rules_of(call.roots)
    for rule in rules if len(rules) >= _LONGEST else ():
        here = depth.setdefault(id(rule), 1)
        if here >= _LONGEST and rule.exceptions:
            remedy = "let exceptions except the same rule, with conditions that exclude each other"
            message = said(
                "rules of {name} except each other in a chain of more than {longest}",
                name=call.name,
                longest=_LONGEST,
            )
            ctx.error("Q507", message, rule.exceptions[0].span, remedy)
            for one in rules:
                if depth.get(id(one), 1) >= _LONGEST:
                    one.exceptions.clear()
            return
        for exception in rule.exceptions:
            depth[id(exception)] = max(depth.get(id(exception), 0), here + 1)


def _below(top: ir.Rule, rule: ir.Rule) -> bool:
    return any(child is rule for child in rules_of(top.exceptions))


def _imply(call: ir.Callable) -> None:
    """Hang each rule of a quantity also below what those that it excepts except, if asked anyway.

    Let x except r and t, and t except y, which is asked only where r speaks: then x beats y without
    naming it.
    """
    above: dict[int, list[ir.Rule]] = {}
    rules = rules_of(call.roots)
    for rule in rules:
        above.setdefault(id(rule), [])
        for exception in rule.exceptions:
            above.setdefault(id(exception), []).append(rule)
    implied: list[tuple[ir.Rule, ir.Rule]] = []
    for rule in rules:
        if len(above[id(rule)]) < 2:
            continue
        asked = {id(r): True for r in above[id(rule)]}

        def all_ways(r: ir.Rule, asked: dict[int, bool] = asked) -> bool:
            known = asked.get(id(r))
            if known is None:
                known = asked[id(r)] = bool(above[id(r)]) and all(all_ways(p) for p in above[id(r)])
            return known

        listed = set(asked)
        waiting = list(above[id(rule)])
        seen: set[int] = set()
        while waiting:
            beaten = waiting.pop()
            if id(beaten) in seen:
                continue
            seen.add(id(beaten))
            waiting += above[id(beaten)]
            if id(beaten) not in listed and all_ways(beaten):
                implied.append((beaten, rule))
    for beaten, rule in implied:
        beaten.exceptions.append(rule)


def parameters(ctx: Context, params: tuple[n.Param, ...]) -> list[ir.ParamInfo]:
    """Parameters with their types; names must differ."""
    seen: set[str] = set()
    result = []
    for param in params:
        if param.name.text in seen:
            ctx.error(
                "R104", said("two parameters are called '{name}'", name=param.name), param.name.span
            )
        seen.add(param.name.text)
        ctx.use(f"local {param.name}", param.name.span)
        result.append(ir.ParamInfo(param.name.text, ctx.type_of(param.type)))
    return result


def return_type(ctx: Context, ref: n.TypeRef | None) -> Type:
    """The type of a procedure's value."""
    return ctx.type_of(ref) if ref is not None else VOID
