"""The checker: from one list of declarations to a checked program."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from compiler import ir
from compiler.check.advice import advise
from compiler.check.analysis import analyse
from compiler.check.catalogues import check_catalogues
from compiler.check.context import Context, Env, EventInfo
from compiler.check.expressions import Expressions
from compiler.check.expressions.travels import check_via
from compiler.check.facts.chance import check_pile_names
from compiler.check.facts.effects import check_effects, check_groups
from compiler.check.facts.names import DIRECTION_WORDS, check_directions, check_names
from compiler.check.facts.state import check_state
from compiler.check.facts.tables import check_tables
from compiler.check.forecasts import assume, assumed_words, declare_forecast, find_forecast_options
from compiler.check.functions import check_function, check_remembered
from compiler.check.keeping import CachingChecker, CheckCache, CheckedParts, Environment, signature
from compiler.check.parents import changed_locals, check_parents
from compiler.check.rules import check_rules, parameters, return_type
from compiler.check.secrecy.companions import remember_choices
from compiler.check.secrecy.leaks import check_leaks, learn_openness
from compiler.check.secrecy.secrets import check_secrets
from compiler.check.statements import Body, Statements, check_procedure
from compiler.check.statements.control import check_together
from compiler.check.travels import check_travel
from compiler.check.weights import check_weights
from compiler.ir.travels import TravelInfo
from compiler.sources.folders import rules_hash
from compiler.sources.resolve import Resolved
from compiler.types import BAD, BOOL, VOID, Type
from dsl import nodes as n
from dsl.diagnostics import Label, Unknown, Use
from dsl.source import Span
from runtime.words.said import said

#: How often a ruleset is checked anew, each time with what has shown to be declared wrongly.
_ROUNDS = 3


def check(resolved: Resolved, kept: CheckCache | None = None) -> tuple[ir.Program, Context]:
    """Check a resolved ruleset; the context holds the findings.

    What is *kept* of another text, and still holds, is taken over.  Where a declaration turns out
    to be wrong, all is checked anew, knowing that: it is reported, and nothing that depends on it.
    """
    suspects: dict[str, Span] = {}
    kept = kept or CheckCache()
    takes_over, kept.begun = kept.begun, True
    for _ in range(_ROUNDS):
        before = len(suspects)
        program, ctx = _check_round(resolved, suspects, kept)
        if len(suspects) == before:
            break
    if takes_over and any(isinstance(about, Use) for d in ctx.diagnostics for about in d.about):
        return check(resolved)  # they count where measures agree, and such places may have moved
    return program, ctx


def _check_round(
    resolved: Resolved, suspects: dict[str, Span], kept: CheckCache
) -> tuple[ir.Program, Context]:
    """The ruleset as it is checked with these *suspects*, to which it adds what it finds."""
    program = ir.Program(name=resolved.name, bases=resolved.bases)
    ctx = Context(
        program,
        folders=list(resolved.folders),
        files=resolved.files,
        sources=dict(resolved.sources),
        suspects=suspects,
        trees=kept.trees,
        moved=resolved.moved,
    )
    kept.trees.begin_text()
    decls = check_parents(ctx, resolved.decls)
    check_names(ctx, decls)
    if any(word in source.text for source in ctx.sources.values() for word in DIRECTION_WORDS):
        check_directions(ctx)
    heads = CachingChecker(ctx, kept.heads, Environment.of_names(ctx))
    check_tables(ctx, decls, heads)
    check_effects(ctx, decls)
    fields = CachingChecker(ctx, kept.fields, Environment.of(ctx))
    check_state(ctx, decls, resolved.decls, fields)
    check_pile_names(ctx, decls)
    check_groups(ctx, decls)
    _declare(ctx, decls, heads)
    travels = _check_travels(ctx, decls, kept.travels)
    keeper = CachingChecker(ctx, kept.bodies, travels.environment.with_travels(ctx))
    _check_functions(ctx, decls, keeper)
    check_rules(ctx, decls, keeper)
    _check_procedures(ctx, decls, keeper)
    play = program.procedures.get("play")
    if play is None and decls:
        message = "the ruleset lacks 'procedure play()', which starts play"
        about = (Unknown("procedure"), Unknown("play"))
        ctx.error("F407", message, decls[0].span, "add it", about=about)
    elif play is not None and play.params:
        message = "'procedure play' takes no arguments"
        ctx.error("T303", message, play.span, "write: procedure play() { … }")
    _check_asked_by_engine(ctx)
    find_forecast_options(ctx, decls)
    assume(ctx, decls)
    check_via(program)
    ctx.settle()
    analyse(ctx)
    check_remembered(ctx)
    check_weights(ctx)
    check_together(ctx)
    check_secrets(ctx)
    if _is_sound(resolved, ctx):
        check_leaks(ctx, kept.tight)
    check_catalogues(ctx, resolved, kept)
    if _is_sound(resolved, ctx):
        advise(ctx, decls)
    return program.frozen(), ctx


def for_play(resolved: Resolved, ctx: Context) -> ir.Program:
    """The program that was checked with what findings do not need, but play does."""
    program = ctx.program.copy()
    ctx.mark(program)
    program.hash = rules_hash(resolved.files, resolved.folders, program.weight_spans.values())
    if _is_sound(resolved, ctx):
        remember_choices(program)
        learn_openness(program, set(ctx.shown), ctx.trees)
    return program.frozen()


def _is_sound(resolved: Resolved, ctx: Context) -> bool:
    return not any(d.is_error for d in (*resolved.diagnostics, *ctx.diagnostics))


def _check_asked_by_engine(ctx: Context) -> None:
    """What the engine asks must be of the right type, of a side where it asks for each side."""
    for name, (params, kind) in ir.ASKED_BY_ENGINE.items():
        call = ctx.program.calls.get(name)
        if call is None or "bad" in (call.type.kind, *(p.type.kind for p in call.params)):
            continue
        right = call.type.kind == kind and not call.type.optional
        if not right or tuple(p.type.name for p in call.params) != params:
            word = {"int": "a number", "bool": "a bool"}[kind]
            what = said("'{name}', which must be {word} without parameters", name=name, word=word)
            if params:
                wanted = said("which must be {word} with one parameter of type Side", word=word)
                what = said("'{name}' of each side, {wanted}", name=name, wanted=wanted)
            example = f"{call.kind} {name}({'s: Side' if params else ''}): {kind}"
            remedy = said("write {example}, or choose another name", example=example)
            ctx.error("T303", said("the engine asks for {what}", what=what), call.span, remedy)


#: What is called by arguments.
_Called = n.Function | n.Quantity | n.Permission | n.Procedure


def _declare(ctx: Context, decls: list[n.Decl], keeper: CachingChecker) -> None:
    """Enter all signatures, so that bodies may refer to each other."""
    for decl in decls:
        if isinstance(decl, n.Function | n.Quantity | n.Permission):
            _declare_call(ctx, decl, keeper)
        elif isinstance(decl, n.Procedure):
            params, type_ = keeper.check((decl,), None, partial(_signature, ctx, decl))
            ctx.add_procedure(decl, decl.name.text, params, type_, f"procedure {decl.name}")
        elif isinstance(decl, n.Event):
            ctx.events[decl.name.text] = EventInfo(decl)
            ctx.cite(f"event {decl.name}", decl.rules)
    for decl in decls:
        if isinstance(decl, n.Case):
            _declare_case(ctx, decl)
        elif isinstance(decl, n.Reaction):
            _declare_reaction(ctx, decl, keeper)
        elif isinstance(decl, n.Forecast):
            declare_forecast(ctx, decl)
        if isinstance(decl, n.Assume | n.Forecast):
            ctx.assumed |= assumed_words(decl)


def _signature(ctx: Context, decl: _Called) -> tuple[list[ir.ParamInfo], Type]:
    """The parameters and the type of what is called."""
    type_ = BOOL if isinstance(decl, n.Permission) else return_type(ctx, decl.type)
    return parameters(ctx, decl.params), type_


def _declare_call(
    ctx: Context, decl: n.Function | n.Quantity | n.Permission, keeper: CachingChecker
) -> None:
    kind = type(decl).__name__.lower()
    if decl.name.text in ctx.program.calls:
        other = ctx.program.calls[decl.name.text]
        message = said("'{name}' is already a {kind}", name=decl.name, kind=other.kind)
        ctx.error("R104", message, decl.name.span, labels=(Label(other.span, "declared here"),))
        return
    params, type_ = keeper.check((decl,), None, partial(_signature, ctx, decl))
    if f"{kind} {decl.name}" in ctx.suspects:
        type_ = BAD
    call = ir.Callable(kind, decl.name.text, params, type_)
    call.rules, call.provenance, call.span = decl.rules, decl.provenance, decl.span
    if isinstance(decl, n.Permission):
        call.default = decl.default
    if isinstance(decl, n.Quantity):
        call.stages = tuple(s.text for s in decl.stages)
    ctx.program.calls[decl.name.text] = call
    ctx.cite(f"{kind} {decl.name}", decl.rules)


def _declare_reaction(ctx: Context, decl: n.Reaction, keeper: CachingChecker) -> None:
    info = ctx.events.get(decl.signature.name.text)
    if info is None:
        ctx.report_unknown("R201", "event", decl.signature.name, ctx.events)
        return
    event = info.decl
    ctx.mention(f"event {event.name}", decl.signature.name.span)
    names = ctx.parameter_names(
        decl.signature, [p.name.text for p in event.params], "event", event.span
    )
    if names is None:
        return
    info.reactions.append((decl, names))
    name = f"reaction_{decl.name}"
    params = keeper.check((decl, event), None, partial(parameters, ctx, event.params))
    ctx.add_procedure(decl, name, params, VOID, f"reaction {decl.name}", case_of=name)


def _declare_case(ctx: Context, decl: n.Case) -> None:
    program = ctx.program
    target = program.procedures.get(decl.signature.name.text)
    if target is None:
        ctx.report_unknown("R201", "procedure", decl.signature.name, program.procedures)
        return
    ctx.mention(f"do {target.name}", decl.signature.name.span)
    first = target.params[0].type if target.params else VOID
    if first.kind == "bad":
        return
    if first.kind != "enum":
        message = said(
            "the first parameter of {name} is not an enum, so it has no cases", name=target.name
        )
        ctx.error("T301", message, decl.signature.span, "cases tell members apart")
        return
    members = program.enums[first.name]
    if decl.name.text not in members:
        for p in target.params[1:]:
            if p.type.kind == "enum" and decl.name.text in program.enums[p.type.name]:
                message = said(
                    "cases of {name} go by its first parameter, which is of {type}",
                    name=target.name,
                    type=first.name,
                )
                remedy = said("let '{name}: {type}' come first", name=p.name, type=p.type.name)
                ctx.error("R201", message, decl.name.span, remedy)
                return
        ctx.report_unknown("R201", said("member of {name}", name=first.name), decl.name, members)
        return
    if (
        ctx.parameter_names(
            decl.signature, [p.name for p in target.params], "procedure", target.span
        )
        is None
    ):
        return
    name = f"{target.name}__{decl.name}"
    ctx.use(f"{first.name}.{decl.name}", decl.name.span)
    target.cases[members.index(decl.name.text)] = name
    params = [ir.ParamInfo(p.name, p.type) for p in target.params]
    ctx.add_procedure(decl, name, params, target.type, f"{decl.name} of {target.name}", target.name)


def _check_travels(ctx: Context, decls: list[n.Decl], known: CheckedParts) -> CachingChecker:
    """Check travels, which are entered first with placeholders, since they may use one another."""
    program = ctx.program
    exprs = Expressions(ctx)
    for decl in decls:
        if isinstance(decl, n.Travel):
            name, blank = decl.name.text, ir.Const(0, type=BAD)
            limits = (blank, blank, "", "", blank, None, None, None)
            params = parameters(ctx, decl.params)
            program.travels[name] = TravelInfo(name, params, *limits, decl.rules, decl.span)
            ctx.cite(f"travel {decl.name}", decl.rules)
    keeper = CachingChecker(ctx, known, Environment.of(ctx))
    for decl in decls:
        if isinstance(decl, n.Travel):
            checked = [travel.budget.type for travel in program.travels.values()]
            travel = keeper.check((decl,), checked, partial(check_travel, ctx, decl, exprs))
            program.travels[decl.name.text] = replace(travel)
    return keeper


def _check_functions(ctx: Context, decls: list[n.Decl], keeper: CachingChecker) -> None:
    """Check functions and requirements."""
    program = ctx.program
    exprs = Expressions(ctx)
    for decl in decls:
        if isinstance(decl, n.Requirement):
            name = f"require_{decl.name}"
            claim = keeper.check((decl,), None, partial(exprs.condition, decl.claim, Env()))
            call = ir.Callable("function", name, [], BOOL, claim)
            call.rules, call.provenance, call.span = decl.rules, decl.provenance, decl.span
            program.calls[name] = program.requirements[decl.name.text] = call
            ctx.cite(f"requirement {decl.name}", decl.rules)
        if isinstance(decl, n.Function):
            call = program.calls[decl.name.text]
            if call.kind != "function" or call.span != decl.span:
                continue
            call.remembered = decl.remembered
            said_by = keeper.check((decl,), None, partial(check_function, ctx, decl, call))
            if isinstance(said_by, Body):
                call.steps, call.locals = said_by.steps, list(said_by.locals)
            else:
                call.body = said_by


#: Parameters by name and type.
_Params = list[tuple[str, Type]]


def _check_reaction(
    ctx: Context, decl: n.Reaction, params: _Params, reaction: ir.Procedure
) -> _Params:
    """Check who reacts and when; gives all parameters.

    What a reaction ranges over is the first parameter of its procedure.
    """
    env = Env()
    for name, type_ in params:
        env.bind(name, type_)
    exprs = Expressions(ctx)
    if decl.ranging is not None:
        var = decl.ranging.var
        if any(var.text == name for name, _ in params):
            message = said("'{var}' is already a parameter of the event", var=var)
            ctx.error("R104", message, var.span, "choose another name")
        _, member = Statements(ctx, reaction.name, VOID).ranging(decl.ranging, env)
        params = [(var.text, member), *params]
    exprs.of_type(decl.by, env, Type("enum", "Side").maybe(), "the side that decides")
    exprs.where(decl.when, env)
    veiled = exprs.where(decl.veil.when, env) if decl.veil is not None else None
    ctx.veils += [veiled] if veiled is not None else []
    return params


def _own_parameters(ctx: Context, decl: _Running, procedure: ir.Procedure) -> _Params:
    """The parameters of *procedure*, as its declaration calls them."""
    declared = [(param.name, param.type) for param in procedure.params]
    if not isinstance(decl, n.Case | n.Reaction):
        return declared
    for ident in decl.signature.params:
        ctx.use(f"local {ident}", ident.span)
    names = [ident.text for ident in decl.signature.params] or [name for name, _ in declared]
    return [(name, type_) for name, (_, type_) in zip(names, declared, strict=True)]


#: The declarations of what can be run.
_Running = n.Procedure | n.Case | n.Reaction | n.Forecast


def _procedure_of(program: ir.Program, decl: _Running) -> ir.Procedure | None:
    """The procedure that a declaration is; None where it could not be entered."""
    match decl:
        case n.Case():
            return program.procedures.get(f"{decl.signature.name}__{decl.name}")
        case n.Reaction():
            return program.procedures.get(f"reaction_{decl.name}")
        case n.Forecast():
            return program.procedures[program.forecasts[decl.name.text].procedure]
    return program.procedures[decl.name.text]


def _check_body(ctx: Context, decl: _Running, procedure: ir.Procedure) -> Body:
    params = _own_parameters(ctx, decl, procedure)
    if isinstance(decl, n.Reaction):
        params = _check_reaction(ctx, decl, params, procedure)
    return check_procedure(ctx, procedure, params, decl.body)


def _check_first(ctx: Context, decl: n.Event) -> None:
    """Check which side an event asks first."""
    if decl.first is not None:
        params = [ir.ParamInfo(p.name.text, ctx.type_of(p.type)) for p in decl.params]
        what, side = "the side that is asked first", Type("enum", "Side").maybe()
        Expressions(ctx).of_type(decl.first, Env.of(params), side, what)


def _check_watch(ctx: Context, decl: n.Check) -> ir.CheckInfo:
    """Check what is watched over, and what is done then."""
    env = Env()
    env.changed = changed_locals(decl.body)
    when = Expressions(ctx).condition(decl.when, env)
    statements = Statements(ctx, f"check {decl.name}", VOID, decl.rules, decisions=False)
    body = statements.sequence(decl.body, env)
    ctx.cite(f"check {decl.name}", decl.rules)
    return ir.CheckInfo(decl.name.text, when, body, env.order, decl.rules, decl.span)


def _check_procedures(ctx: Context, decls: list[n.Decl], keeper: CachingChecker) -> None:
    program = ctx.program
    for decl in decls:
        if isinstance(decl, _Running):
            procedure = _procedure_of(program, decl)
            if procedure is not None:
                check = partial(_check_body, ctx, decl, procedure)
                body = keeper.check((decl,), signature(procedure), check)
                procedure.params = [ir.ParamInfo(*param) for param in body.params]
                procedure.body, procedure.locals = body.steps, list(body.locals)
        elif isinstance(decl, n.Event):
            keeper.check((decl,), None, partial(_check_first, ctx, decl))
        elif isinstance(decl, n.Check):
            watched = keeper.check((decl,), None, partial(_check_watch, ctx, decl))
            program.checks[decl.name.text] = replace(watched, locals=list(watched.locals))
