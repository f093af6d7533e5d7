"""Events: an act with windows, made of core steps (SPEC: windows)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from compiler import ir
from compiler.check.context import Env, EventInfo
from compiler.check.core import Core
from compiler.check.statements.decisions import Decisions, Prompt
from compiler.trees import substitute
from compiler.types import BOOL, INT, Type, set_of
from dsl import nodes as n
from dsl.source import Span
from runtime.model import OptionSpec

_BITS = Type("set", of=INT)
_SIDE = Type("enum", "Side")
_SIDES = set_of(_SIDE)


def block_of(steps: tuple[ir.Stmt, ...], span: Span) -> list[ir.Stmt]:
    """The steps of a block that does not count as one; where something is chosen secretly in it, it
    does, for the secret ends with it.
    """
    if any(isinstance(step, ir.Choose) and step.decision.secret for step in steps):
        return [Core(span).if_then(Core(span).truth(True), *steps)]
    return list(steps)


def event_steps(statements: Decisions, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
    """The steps of an event: the windows before, the act, the windows after."""
    event = statements.ctx.look_up("event", stmt.name, statements.ctx.events)
    if event is None:
        return list(statements.block(stmt.body, env))
    declared, what = event.decl, f"event {stmt.name}"
    statements.ctx.raised.append(
        (stmt.name.text, statements.ctx.window_declarations(stmt.name.text))
    )
    params = [ir.ParamInfo(p.name.text, statements.ctx.type_of(p.type)) for p in declared.params]
    args = statements.exprs.arguments(stmt.args, params, env, what, stmt.span)
    inner, core = env.child(), Core(stmt.span)
    result: list[ir.Stmt] = []
    bound: list[ir.Expr] = []
    for param, arg in zip(params, args, strict=True):
        if not isinstance(arg, ir.Local | ir.Const):
            name = inner.bind(f"_{param.name}", param.type)
            result.append(core.let(name, arg))
            arg = core.local(name, param.type)
        bound.append(arg)
    early = [r for r in event.reactions if r[0].timing != "after"]
    late = [r for r in event.reactions if r[0].timing == "after"]
    cancelled = inner.bind("_cancelled", BOOL)
    window = _Window(statements, event, tuple(bound), inner, cancelled, core)
    result.append(core.let(cancelled, ir.Const(0, type=BOOL)))
    if early:
        result.extend(window.steps(early))
    body = block_of(statements.block(stmt.body, inner), stmt.span)
    if late:
        body.extend(window.steps(late))
    if any(r.timing == "instead" for r, _ in early):
        return [*result, core.if_then(core.not_(core.local(cancelled, BOOL)), *body)]
    return [*result, *body]


@dataclass
class _Possibility:
    """A reaction in a window: its side, when it can be taken, and when its side is asked.

    One that ranges over members has the local *var* for each of them, in *source*, of the type
    *member*; then the three expressions ask it.  *taken* is the local with what has been taken:
    members, or the numbers of reactions.
    """

    number: int
    reaction: n.Reaction
    by: ir.Expr
    possible: ir.Expr
    asks: ir.Expr
    taken: str
    var: str = ""
    source: ir.Expr | None = None
    member: Type | None = None


@dataclass
class _Window:
    """The windows of an event: its arguments, and the local that tells whether it is called off."""

    statements: Decisions
    event: EventInfo
    bound: tuple[ir.Expr, ...]
    env: Env
    cancelled: str
    core: Core
    #: the locals with the reactions taken, the sides that have passed, the side that is asked
    taken: str = field(default="", init=False)
    passed: str = field(default="", init=False)
    who: str = field(default="", init=False)

    def steps(self, known: list[tuple[n.Reaction, tuple[str, ...]]]) -> list[ir.Stmt]:
        """Ask the side of the first possible reaction until nobody reacts any more.

        The reactions *known* come with what they call the parameters.
        """
        core, env = self.core, self.env
        self.taken, self.passed = env.bind("_taken", _BITS), env.bind("_passed", _BITS)
        self.who = env.bind("_who", _SIDE.maybe())
        possibilities = [
            self._possibility(i, reaction, names) for i, (reaction, names) in enumerate(known)
        ]
        asked = core.local(self.who, _SIDE.maybe())
        first = self.event.decl.first
        offer = self._offer(possibilities, asked)
        possibilities = [self._assumable(p, offer) for p in possibilities]
        asking = (
            self._as_declared(possibilities)
            if first is None
            else self._in_turn(possibilities, first)
        )
        nobody = core.equal(asked, core.none(_SIDE.maybe()))
        body = [*asking, core.if_then(nobody, ir.Stop(span=core.span)), offer]
        if any(p.reaction.timing == "instead" for p in possibilities):
            called_off = core.local(self.cancelled, BOOL)
            body.append(core.if_then(called_off, ir.Stop(span=core.span)))
        kept = [(p.taken, set_of(p.member)) for p in possibilities if p.member is not None]
        empty = [(self.taken, _BITS), *kept, (self.passed, _BITS)]
        begin = [core.let(name, ir.Const(0, type=type_, span=core.span)) for name, type_ in empty]
        return [*begin, ir.Repeat(None, "", tuple(body), span=core.span)]

    def _offer(self, found: list[_Possibility], asked: ir.Local) -> ir.Offer:
        """The menu of the side that is asked; it can only pass where none is possible."""
        core, about = self.core, self.bound
        branches = tuple(self._branch(p, asked) for p in found)
        options = tuple(
            OptionSpec(p.reaction.name.text, p.member.spec() if p.member is not None else None)
            for p in found
        )
        rules = tuple(r for p in found for r in p.reaction.rules)
        veiled = any(p.reaction.veil is not None for p in found)
        prompt = Prompt(self.event.decl.name.text, "decline", rules, veiled, about=about)
        spec = self.statements.decision(prompt, options, core.span)
        passed = core.union(core.local(self.passed, _BITS), core.set_with(asked, type_=_BITS))
        on_pass, veil = (core.let(self.passed, passed),), core.truth(True) if veiled else None
        offer = ir.Offer(True, asked, branches, spec, on_pass, None, veil, about, span=core.span)
        return self.statements.asks(offer)

    def _assumable(self, p: _Possibility, offer: ir.Offer) -> _Possibility:
        """A reaction that forecasts may assume not to be offered: then nobody is asked for it."""
        words = {self.event.decl.name.text, p.reaction.name.text}
        if words.isdisjoint(self.statements.ctx.assumed):
            return p
        place = (offer.decision.index, p.number)
        offered = ir.Offered(place, type=BOOL, span=p.asks.span)
        return replace(p, asks=self.core.and_(offered, p.asks))

    def _possibility(
        self, number: int, reaction: n.Reaction, names: tuple[str, ...]
    ) -> _Possibility:
        """What a reaction looks like in this window."""
        statements, core = self.statements, self.core
        inner = self.env.child()
        renamed: dict[str, ir.Expr] = {}
        for name, value in zip(names, self.bound, strict=True):
            renamed[inner.bind(name, value.type)] = value
        var, taken, source, where, member = "", self.taken, None, None, None
        item: ir.Expr = ir.Const(number, type=INT)
        if reaction.ranging is not None:
            ranging, member = statements.ranging(reaction.ranging, inner)
            var, source = ranging.var, substitute(ranging.source, renamed)
            where = substitute(ranging.where, renamed) if ranging.where is not None else None
            item, taken = core.local(var, member), self.env.bind("_taken", set_of(member))
        by = substitute(statements.side(reaction.by, inner), renamed)
        open_ = self._open(item, by, taken)
        if where is not None:
            open_ = core.and_(where, open_)
        possible = asks = open_
        if reaction.when is not None:
            when = substitute(statements.exprs.condition(reaction.when, inner), renamed)
            possible = asks = core.and_(open_, when)
        veil = statements.veil(reaction.veil, inner)
        if veil is not None:
            asks = core.or_(possible, core.and_(open_, substitute(veil, renamed)))
        return _Possibility(number, reaction, by, possible, asks, taken, var, source, member)

    def _open(self, item: ir.Expr, by: ir.Expr, taken: str) -> ir.Expr:
        """Whether a reaction or one of its members has not been taken, and its side not passed."""
        core = self.core
        kind = set_of(item.type) if item.type.finite else _BITS
        fresh = core.not_(core.is_in(item, core.local(taken, kind)))
        result = core.and_(fresh, core.not_(core.is_in(by, core.local(self.passed, _BITS))))
        # Nobody can be asked where the side is none; others still can.
        return result if isinstance(by, ir.Const) else core.and_(core.not_none(by), result)

    def _as_declared(self, found: list[_Possibility]) -> list[ir.Stmt]:
        """Whom to ask: the side of the first reaction, or of its first member."""
        core, side = self.core, _SIDE.maybe()
        steps: list[ir.Stmt] = []
        value: ir.Expr = core.none(side)
        for p in reversed(found):
            asks, by = p.asks, p.by
            if p.member is not None and p.source is not None:
                type_ = p.member.maybe()
                one = core.local(self.env.bind("_first", type_), type_)
                first = ir.Quant("first", p.var, p.source, p.asks, None, type=type_, span=core.span)
                steps.append(core.let(one.name, first))
                asks, by = core.not_none(one), substitute(p.by, {p.var: one})
            value = core.if_else(asks, by, value, side)
        return [*steps, core.let(self.who, value)]

    def _in_turn(self, found: list[_Possibility], begins: n.Expr) -> list[ir.Stmt]:
        """Whom to ask: of the sides with a reaction the first in turn order; which *begins*."""
        core, inner = self.core, self.env.child()
        params = zip(self.event.decl.params, self.bound, strict=True)
        renamed = {inner.bind(p.name.text, value.type): value for p, value in params}
        first = substitute(self.statements.side(begins, inner), renamed)
        asking, begin = self.env.bind("_asking", _SIDES), self.env.bind("_begin", _SIDE)
        every: ir.Expr | None = None
        for p in found:
            mine = core.set_with(p.by, type_=_SIDES)
            if p.source is not None:
                mine = ir.Quant("sum", p.var, p.source, p.asks, mine, type=_SIDES, span=core.span)
            else:
                mine = core.if_else(p.asks, mine, core.set_with(type_=_SIDES), _SIDES)
            every = mine if every is None else core.union(every, mine)
        assert every is not None
        value: ir.Expr = core.none(_SIDE.maybe())
        count = len(self.statements.program.sides)
        for place in reversed(range(count)):
            turn: ir.Expr = core.local(begin, _SIDE)
            for op, by in (("+", place), ("mod", count)) if place else ():
                turn = ir.Op(op, turn, ir.Const(by, type=INT), type=_SIDE, span=core.span)
            asked = core.is_in(turn, core.local(asking, _SIDES))
            value = core.if_else(asked, turn, value, _SIDE.maybe())
        start = ir.Otherwise(first, ir.Const(0, type=_SIDE), type=_SIDE, span=core.span)
        return [core.let(begin, start), core.let(asking, every), core.let(self.who, value)]

    def _branch(self, p: _Possibility, asked: ir.Local) -> ir.Branch:
        """The option of a reaction, for the side that is asked."""
        core, name, span = self.core, p.reaction.name.text, p.reaction.span
        mine = core.and_(p.possible, core.equal(p.by, asked))
        kind, args = _BITS, self.bound
        added: ir.Expr = ir.Const(1 << p.number, type=_BITS)
        if p.member is not None:
            kind, one = set_of(p.member), core.local(p.var, p.member)
            added, args = core.set_with(one), (one, *args)
        body: list[ir.Stmt] = [
            core.let(p.taken, core.union(ir.Local(p.taken, type=kind), added)),
            ir.Do(f"reaction_{p.reaction.name}", args, None, span=span),
        ]
        if p.reaction.timing == "instead":
            body.append(core.let(self.cancelled, ir.Const(1, type=BOOL)))
        steps, rules = tuple(body), p.reaction.rules
        if p.source is not None:
            return ir.Branch(name, p.var, p.source, mine, None, steps, span, rules)
        return ir.Branch(name, None, None, None, mine, steps, span, rules)
