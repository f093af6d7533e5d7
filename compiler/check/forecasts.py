"""Forecasts: of which options they are, and what they assume of decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from compiler import ir
from compiler.check.context import Context
from compiler.check.rules import parameters
from compiler.types import BAD, BOOL, VOID, Type
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.model import NONE, PASS, DecisionSpec, TypeSpec
from runtime.words.said import join_with_sign, said


def declare_forecast(ctx: Context, decl: n.Forecast) -> None:
    """Enter a forecast and the procedure that it is."""
    program, name = ctx.program, f"forecast_{decl.name}"
    if decl.name.text in program.procedures:
        labels = (Label(program.procedures[decl.name.text].span, "declared here"),)
        message = said("'{name}' is already a procedure", name=decl.name)
        ctx.error("R104", message, decl.name.span, labels=labels)
    params = parameters(ctx, decl.params)
    ctx.add_procedure(decl, name, params, VOID, f"forecast {decl.name}", case_of=name)
    takes = not decl.body
    if takes and not decl.options:
        message = said("forecast '{name}' is of no option, and has no steps", name=decl.name)
        remedy = "write of which option it is ('of target'), or what it runs ('= strike(u, v)')"
        ctx.error("S614", message, decl.name.span, remedy)
    program.forecasts[decl.name.text] = ir.ForecastInfo(
        decl.name.text, name, takes=takes, span=decl.span
    )


# ---------------------------------------------------------------------- of which options


def find_forecast_options(ctx: Context, decls: list[n.Decl]) -> None:
    """Find the options that forecasts are of."""
    for decl in decls:
        if isinstance(decl, n.Forecast):
            places = [
                place for option in decl.options for place in _option_indices(ctx, decl, option)
            ]
            ctx.program.forecasts[decl.name.text].at = tuple(dict.fromkeys(places))


def _option_indices(
    ctx: Context, decl: n.Forecast, option: n.ForetoldOption
) -> Iterator[tuple[int, int]]:
    """The decisions, and of each the number of the branch, that an option is of."""
    asked = _decisions_of(ctx, option)
    numbers = [(d, number) for d in asked if (number := _option(d, option)) is not None]
    for decision, number in numbers:
        _fits(ctx, decl, option, decision, number)
        yield decision.index, number
    if numbers or not asked:
        return
    words = dict.fromkeys(word for d in asked for word in _words(d))
    if option.branch is not None:
        ctx.report_unknown(
            "R201", said("option of '{prompt}'", prompt=option.prompt), option.branch, words
        )
    else:
        message = said(
            "'{prompt}' is a menu, of which a forecast names a branch", prompt=option.prompt
        )
        remedy = said(
            "write {prompt}.{next}", prompt=option.prompt, next=next(iter(words), "branch")
        )
        ctx.error("S614", message, option.span, remedy)


def _decisions_of(ctx: Context, option: n.ForetoldOption) -> list[DecisionSpec]:
    """The decisions that an option is of; none, and a finding, where there are none."""
    asked = [d for d in ctx.program.decisions if d.prompt == option.prompt.text]
    if not asked:
        _no_prompt(ctx, option)
        return []
    _speak_of(ctx, option)
    if option.procedure is not None:
        known = dict.fromkeys(d.procedure for d in asked)
        asked = [d for d in asked if d.procedure == option.procedure.text]
        if not asked:
            what = said("procedure with the prompt '{prompt}'", prompt=option.prompt)
            ctx.report_unknown("R201", what, option.procedure, known)
            return []
    words = dict.fromkeys(word for d in asked for word in _words(d))
    if option.other is not None:
        asked = [d for d in asked if option.other.text in _words(d)]
        if not asked:
            ctx.report_unknown(
                "R201", said("option of '{prompt}'", prompt=option.prompt), option.other, words
            )
    return asked


def _speak_of(ctx: Context, option: n.ForetoldOption) -> None:
    """Remember what an option is named by: its procedure, or its event and its reaction."""
    if option.procedure is not None:
        ctx.mention(f"do {option.procedure}", option.procedure.span)
    event = ctx.events.get(option.prompt.text)
    if event is not None:
        ctx.mention(f"event {option.prompt}", option.prompt.span)
        reactions = {reaction.name.text for reaction, _ in event.reactions}
        for word in (option.branch, option.other):
            if word is not None and word.text in reactions:
                ctx.mention(f"reaction {word}", word.span)


def _no_prompt(ctx: Context, option: n.ForetoldOption) -> None:
    """Report a prompt that there is not."""
    decisions, text = ctx.program.decisions, option.prompt.text
    menus = [d.prompt for d in decisions if text in _words(d)]
    if menus and not option.branch:
        remedy = said("did you mean '{menus}.{text}'?", menus=menus[0], text=text)
    elif text == "prompt" and option.branch is not None:
        remedy = said("leave it out: write 'of {branch}'", branch=option.branch)
    else:
        ctx.report_unknown(
            "R201", "prompt", option.prompt, dict.fromkeys(d.prompt for d in decisions)
        )
        return
    ctx.report_unmatched(
        "R201",
        said("unknown prompt '{text}'", text=text),
        text,
        option.prompt.span,
        (),
        remedy,
        "prompt",
    )


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
    given = _option_types(decision, number)
    params = [p.type.spec() for p in ctx.program.procedures[f"forecast_{decl.name}"].params]
    if _take(params, given):
        return
    shown = said("this option gives a forecast ({given})", given=", ".join(map(_shown, given)))
    message = said(
        "{shown}, which does not fit the parameters of '{name}'", shown=shown, name=decl.name
    )
    remedy = "declare as parameters what the prompt is about and then the values of the option"
    if not given:
        remedy = join_with_sign("; ", (remedy, "'prompt p(u)' says what a question is about"))
    labels = (Label(ctx.program.decision_nodes[decision.index].span, "asked here"),)
    ctx.error("S614", message, option.span, remedy, labels)


def _option_types(decision: DecisionSpec, number: int) -> tuple[TypeSpec, ...]:
    """What a question is about, and the values of an option."""
    return (*decision.about, *(decision.options[number].values if number != PASS else ()))


def _take(params: Sequence[TypeSpec], given: Sequence[TypeSpec]) -> bool:
    """Whether parameters take values as they are, or something about them is reported already."""
    if any((t.of or t).kind == "bad" for t in (*given, *params)):
        return True
    return len(given) == len(params) and all(map(_takes, params, given))


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


# ---------------------------------------------------------------------- what they assume


def assumed_words(decl: n.Assume | n.Forecast) -> set[str]:
    """The names in what is assumed: of questions and of options."""
    assumptions = decl.assumed if isinstance(decl, n.Forecast) else (decl,)
    options = [assumption.option for assumption in assumptions]
    return {i.text for option in options for i in (option.prompt, option.branch) if i is not None}


#: A place of which something is assumed: a decision, and a branch, a pass or (None) all of it; or a
#: procedure (``ir.omission_place``).
_Place: TypeAlias = tuple[int, int | None]


def assume(ctx: Context, decls: list[n.Decl]) -> None:
    """Find what each forecast assumes: what itself says comes first, then what is declared, of a
    ruleset before that of its bases.
    """
    declared = [
        one for decl in decls if isinstance(decl, n.Assume) for one in _assumed_options(ctx, decl)
    ]
    declared.reverse()
    never: dict[tuple[int, int], set[str]] = {}
    for decl in decls:
        if not isinstance(decl, n.Forecast):
            continue
        info = ctx.program.forecasts[decl.name.text]
        own = [one for assumption in decl.assumed for one in _assumed_options(ctx, assumption)]
        first: dict[_Place, str] = {}
        for place, how in (*own, *declared):
            first.setdefault(place, how)
        info.assumed = tuple(first.items())
        for (decision, branch), how in info.assumed:
            if how == "never" and branch is not None:
                never.setdefault((decision, branch), set()).add(info.name)
    bits: dict[frozenset[str], int] = {}  # what the same forecasts assume has one bit
    for option, forecasts in never.items():
        ctx.program.never[option] = 1 << bits.setdefault(frozenset(forecasts), len(bits))
    for place in never:
        _leave_out(ctx, place)


def _leave_out(ctx: Context, place: tuple[int, int]) -> None:
    """Let a procedure with its cases do nothing, and give none, where forecasts assume so."""
    name = ir.omitted_procedure(ctx.program.procedures, place)
    if name is None:
        return
    procedure = ctx.program.procedures[name]
    for one in (procedure, *(ctx.program.procedures[case] for case in procedure.cases.values())):
        one.body = ctx.trees.result(_Omission(place, one.type, one.span), one.body)


@dataclass(frozen=True)
class _Omission:
    """Makes of the steps of a procedure those that do nothing, and give none, where it is left out
    at a *place*.
    """

    place: tuple[int, int]
    type: Type
    span: Span

    def __call__(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """The steps."""
        test = ir.Offered(self.place, type=BOOL, span=self.span)
        instead: tuple[ir.Stmt, ...] = ()
        if self.type.optional:
            instead = (ir.Return(ir.Const(NONE, type=self.type), span=self.span),)
        return (ir.IfStmt(test, body, instead, span=self.span),)


def _assumed_options(ctx: Context, decl: n.Assume) -> Iterator[tuple[_Place, str]]:
    """The places of which something is assumed, and what."""
    inherited = decl.span.file.partition("/")[0] in ctx.program.bases
    procedure = _procedure(ctx, decl.option)
    if procedure is not None:
        yield from _left_out_procedure(ctx, decl, procedure)
        return
    if inherited and not any(_offers(d, decl.option) for d in ctx.program.decisions):
        return  # what extends the ruleset has done without it
    option = _with_question(ctx, decl.option)
    if option is None:
        return
    asked = _decisions_of(ctx, option)
    if option.branch is not None:
        yield from _assumed_of_branch(ctx, decl, option, option.branch, asked)
        return
    if decl.by is not None:
        found = [(d, 0) for d in asked if [o.word for o in d.options] == [d.prompt]]
        if asked and not found:
            branch = _words(asked[0])[0]
            message = said(
                "'{prompt}' is a menu, of which no function tells options apart",
                prompt=option.prompt,
            )
            ctx.error(
                "S616",
                message,
                option.span,
                said("name a branch: {prompt}.{branch}", prompt=option.prompt, branch=branch),
            )
        yield from _valued_options(ctx, decl, decl.by, found)
        return
    for decision in asked:
        whole = _words(decision)[0] != decision.prompt or len(decision.options) > 1
        if decl.how == "always":
            message = said(
                "'{prompt}' is a question, of which an option can be taken always",
                prompt=option.prompt,
            )
            example = (
                said("{prompt}.{words} always", prompt=option.prompt, words=_words(decision)[0])
                if whole
                else ""
            )
            remedy = said("write '{prompt} first'", prompt=option.prompt) + (
                said(", or '{example}'", example=example) if example else ""
            )
            ctx.error("S616", message, option.span, remedy)
            return
        if decl.how == "never":
            yield from (((decision.index, i), "never") for i in range(len(decision.options)))
        else:
            yield (decision.index, None), decl.how


def _procedure(ctx: Context, option: n.ForetoldOption) -> ir.Procedure | None:
    """The procedure that is named, where no question or option is called so."""
    whole = option.branch is None and option.procedure is None and option.other is None
    if not whole or any(_offers(d, option) for d in ctx.program.decisions):
        return None
    return ctx.program.procedures.get(option.prompt.text)


def _left_out_procedure(
    ctx: Context, decl: n.Assume, procedure: ir.Procedure
) -> Iterator[tuple[_Place, str]]:
    """The place of a procedure that is not run."""
    labels = (Label(procedure.span, "declared here"),)
    if decl.how != "never":
        message = said(
            "'{name}' is a procedure, which a forecast can only leave out", name=procedure.name
        )
        remedy = said(
            "write 'assume {name} never', or name a question or an option", name=procedure.name
        )
        ctx.error("S616", message, decl.option.span, remedy, labels)
    elif procedure.type not in (VOID, BAD) and not procedure.type.optional:
        message = said(
            "'{name}' returns a value, without which nothing goes on", name=procedure.name
        )
        remedy = "name a procedure that returns nothing, or what may be none"
        ctx.error("S616", message, decl.option.span, remedy, labels)
    else:
        yield ir.omission_place(ctx.program.procedures, procedure.name), decl.how


def _assumed_of_branch(
    ctx: Context,
    decl: n.Assume,
    option: n.ForetoldOption,
    branch: n.Ident,
    asked: Sequence[DecisionSpec],
) -> Iterator[tuple[_Place, str]]:
    """The same of one option of menus."""
    numbers = [(d, _option(d, option)) for d in asked]
    found = [(d, number) for d, number in numbers if number is not None]
    if asked and not found:
        words = dict.fromkeys(word for d in asked for word in _words(d))
        ctx.report_unknown(
            "R201", said("option of '{prompt}'", prompt=option.prompt), branch, words
        )
    if decl.by is not None:
        yield from _valued_options(ctx, decl, decl.by, found)
        return
    for decision, number in found:
        if number == PASS and decl.how in ("first", "last"):
            message = said("passing is one option, of which none is the {how}", how=decl.how)
            ctx.error("S616", message, option.span, "write 'always' or 'never'")
            return
        yield (decision.index, number), decl.how


def _valued_options(
    ctx: Context, decl: n.Assume, by: n.Ident, found: Sequence[tuple[DecisionSpec, int]]
) -> Iterator[tuple[_Place, str]]:
    """The options of which the one is taken that a function values most or least."""
    call = ctx.program.calls.get(by.text)
    if call is None:
        ctx.report_unknown("R201", "function", by, dict.fromkeys(ctx.program.calls))
        return
    ctx.use(f"call {by}", by.span)
    params = [p.type.spec() for p in call.params]
    for decision, number in found:
        given = _option_types(decision, number)
        if number == PASS or not _take(params, given) or call.type.kind not in ("int", "bad"):
            message = said(
                "'{by}' is no number of ({given})", by=by, given=", ".join(map(_shown, given))
            )
            remedy = "its parameters are what the prompt is about and then the values of an option"
            ctx.error("S616", message, by.span, remedy, (Label(call.span, "declared here"),))
            return
        yield (decision.index, number), f"{decl.how} {by}"


def _offers(decision: DecisionSpec, option: n.ForetoldOption) -> bool:
    """Whether a decision, or an option of it, is called so."""
    words, branch = _words(decision), option.branch
    if branch is None:
        called = option.prompt.text in (decision.prompt, *words)
    else:
        called = option.prompt.text == decision.prompt and branch.text in words
    asking = option.procedure is None or option.procedure.text == decision.procedure
    return called and asking and (option.other is None or option.other.text in words)


def _with_question(ctx: Context, option: n.ForetoldOption) -> n.ForetoldOption | None:
    """An option with its question, where only its word is written; None where that is open."""
    text, decisions = option.prompt.text, ctx.program.decisions
    if option.branch is not None or any(d.prompt == text for d in decisions):
        return option
    questions = dict.fromkeys(d.prompt for d in decisions if text in _words(d))
    if len(questions) > 1:
        message = said("'{text}' is an option of several questions", text=text)
        known = ", ".join(f"'{question}.{text}'" for question in questions)
        ctx.error("S616", message, option.span, said("write which: {known}", known=known))
        return None
    if not questions:
        words = dict.fromkeys(word for d in decisions for word in (d.prompt, *_words(d)))
        ctx.report_unknown("R201", "question or option", option.prompt, words)
        return None
    question = n.Ident(next(iter(questions)), span=option.prompt.span)
    return replace(option, prompt=question, branch=option.prompt)
