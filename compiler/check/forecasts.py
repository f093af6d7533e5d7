"""Forecasts: of which options they are, that they ask nobody, and what they go on with."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.check.context import Context
from compiler.check.rules import parameters
from compiler.trees import bodies_of, statements_of
from compiler.types import VOID
from dsl import nodes as n
from dsl.diagnostics import Label
from runtime.model import PASS, DecisionSpec, TypeSpec


def declare_forecast(ctx: Context, decl: n.Forecast) -> None:
    """Enter a forecast and the procedure that it is."""
    program, name = ctx.program, f"forecast_{decl.name}"
    if decl.name.text in program.procedures:
        labels = (Label(program.procedures[decl.name.text].span, "declared here"),)
        message = f"'{decl.name}' is already a procedure"
        ctx.error("R104", message, decl.name.span, labels=labels)
    params = parameters(ctx, decl.params)
    ctx.add_procedure(decl, name, params, VOID, f"forecast {decl.name}", case_of=name)
    program.forecasts[decl.name.text] = ir.ForecastInfo(decl.name.text, name, span=decl.span)


# ---------------------------------------------------------------------- of which options


def foretold(ctx: Context, decls: list[n.Decl]) -> None:
    """Find the options that forecasts are of."""
    for decl in decls:
        if isinstance(decl, n.Forecast):
            places = [place for option in decl.options for place in _places(ctx, decl, option)]
            ctx.program.forecasts[decl.name.text].at = tuple(dict.fromkeys(places))


def _places(ctx: Context, decl: n.Forecast, option: n.ForetoldOption) -> Iterator[tuple[int, int]]:
    """The decisions, and of each the number of the branch, that an option is of."""
    asked = [d for d in ctx.program.decisions if d.prompt == option.prompt.text]
    if not asked:
        _no_prompt(ctx, option)
        return
    if option.procedure is not None:
        known = dict.fromkeys(d.procedure for d in asked)
        asked = [d for d in asked if d.procedure == option.procedure.text]
        if not asked:
            what = f"procedure with the prompt '{option.prompt}'"
            ctx.unknown("R201", what, option.procedure, known)
            return
    words = dict.fromkeys(word for d in asked for word in _words(d))
    if option.other is not None:
        asked = [d for d in asked if option.other.text in _words(d)]
        if not asked:
            ctx.unknown("R201", f"option of '{option.prompt}'", option.other, words)
            return
    numbers = [(d, number) for d in asked if (number := _option(d, option)) is not None]
    for decision, number in numbers:
        _fits(ctx, decl, option, decision, number)
        yield decision.index, number
    if numbers:
        return
    words = dict.fromkeys(word for d in asked for word in _words(d))
    if option.branch is not None:
        ctx.unknown("R201", f"option of '{option.prompt}'", option.branch, words)
    else:
        message = f"'{option.prompt}' is a menu, of which a forecast names a branch"
        remedy = f"write {option.prompt}.{next(iter(words), 'branch')}"
        ctx.error("S614", message, option.span, remedy)


def _no_prompt(ctx: Context, option: n.ForetoldOption) -> None:
    """Report a prompt that there is not."""
    decisions, text = ctx.program.decisions, option.prompt.text
    menus = [d.prompt for d in decisions if text in _words(d)]
    if menus and not option.branch:
        remedy = f"did you mean '{menus[0]}.{text}'?"
    elif text == "prompt" and option.branch is not None:
        remedy = f"leave it out: write 'of {option.branch}'"
    else:
        ctx.unknown("R201", "prompt", option.prompt, dict.fromkeys(d.prompt for d in decisions))
        return
    ctx.strange("R201", f"unknown prompt '{text}'", text, option.prompt.span, (), remedy, "prompt")


def _words(decision: DecisionSpec) -> list[str]:
    return [*(o.word for o in decision.options), *([decision.passing] if decision.passing else [])]


def _option(decision: DecisionSpec, option: n.ForetoldOption) -> int | None:
    """The number of the branch that is named; ``PASS`` where it is that of passing."""
    words = [o.word for o in decision.options]
    if option.branch is None:
        return 0 if words == [decision.prompt] else None
    if option.branch.text in words:
        return words.index(option.branch.text)
    return PASS if option.branch.text == decision.passing else None


def _fits(
    ctx: Context, decl: n.Forecast, option: n.ForetoldOption, decision: DecisionSpec, number: int
) -> None:
    """Check the parameters against what the question is about and what the option takes."""
    given = (*decision.about, *(decision.options[number].values if number != PASS else ()))
    params = ctx.program.procedures[f"forecast_{decl.name}"].params
    if any((t.of or t).kind == "bad" for t in (*given, *(p.type.spec() for p in params))):
        return
    pairs = zip(params, given, strict=False)
    if len(given) == len(params) and all(_takes(p.type.spec(), t) for p, t in pairs):
        return
    shown = f"this option gives a forecast ({', '.join(map(_shown, given))})"
    message = f"{shown}, which does not fit the parameters of '{decl.name}'"
    remedy = "declare as parameters what the prompt is about and then the values of the option"
    if not given:
        remedy += "; 'prompt p(u)' says what a question is about"
    labels = (Label(ctx.program.decision_nodes[decision.index].span, "asked here"),)
    ctx.error("S614", message, option.span, remedy, labels)


def _takes(param: TypeSpec, given: TypeSpec) -> bool:
    """Whether a parameter of the one type takes values of the other as they are."""
    same = (param.kind, param.of) == (given.kind, given.of)
    named = param.name == given.name or param.kind == "int"
    return same and named and (param.optional or not given.optional or param.kind == "int")


def _shown(type_: TypeSpec) -> str:
    if type_.of is not None:
        return f"{type_.kind} of {_shown(type_.of)}"
    name = "Hex" if type_.kind == "hex" else type_.name or type_.kind
    return name + ("?" if type_.optional else "")


# ---------------------------------------------------------------------- what they may do


def check_forecasts(ctx: Context) -> None:
    """Report forecasts that come to a decision, and those that do more behind another forecast."""
    procedures = ctx.program.procedures
    for forecast in ctx.program.forecasts.values():
        procedure = procedures[forecast.procedure]
        if procedure.asks:
            _asks(ctx, forecast, procedure)
        for stmt in _behind(procedure.body, True):
            last = f"the last thing that forecast '{forecast.name}' does"
            remedy = "put what comes after it before it, or into the other forecast"
            ctx.error("S613", f"'do {stmt.forecast}' is not {last}", stmt.span, remedy)
    _circles(ctx)


def _asks(ctx: Context, forecast: ir.ForecastInfo, procedure: ir.Procedure) -> None:
    for stmt in statements_of(procedure.body):
        what = "here is a decision" if isinstance(stmt, ir.Choose | ir.Offer) else None
        if isinstance(stmt, ir.Do) and ctx.program.procedures[stmt.procedure].asks:
            what = f"procedure {stmt.procedure} makes a decision"
        if what is not None:
            between = ", and " if isinstance(stmt, ir.Do) else ": "
            message = f"forecast '{forecast.name}' asks nobody{between}{what}"
            remedy = (
                "work out here what the forecast needs, or say what would be decided as an outcome"
            )
            ctx.error("S612", message, stmt.span, remedy)
            return


def _behind(stmts: tuple[ir.Stmt, ...], last: bool) -> Iterator[ir.Follow]:
    """What is gone on with although something may come after it."""
    for i, stmt in enumerate(stmts):
        end = last and (i == len(stmts) - 1 or isinstance(stmts[i + 1], ir.Return))
        if isinstance(stmt, ir.Follow):
            if not end:
                yield stmt
        else:
            for body in bodies_of(stmt):
                yield from _behind(body, end and isinstance(stmt, ir.IfStmt))


def _circles(ctx: Context) -> None:
    """Report a forecast that goes on with itself."""
    goes_on: dict[str, dict[str, ir.Follow]] = {}
    for name, forecast in ctx.program.forecasts.items():
        body = ctx.program.procedures[forecast.procedure].body
        goes_on[name] = {s.forecast: s for s in statements_of(body) if isinstance(s, ir.Follow)}
    for name in goes_on:
        ahead, seen = [name], {name}
        while ahead:
            for other, stmt in goes_on.get(ahead.pop(), {}).items():
                if other == name:
                    remedy = "a forecast must come to an end: break the circle"
                    ctx.error("Q507", f"forecast '{name}' goes on with itself", stmt.span, remedy)
                elif other not in seen:
                    seen.add(other)
                    ahead.append(other)
