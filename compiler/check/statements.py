"""Checking procedures: steps, decisions, events."""

from __future__ import annotations

from compiler import ir
from compiler.check.certain import excluded_none, surely_none
from compiler.check.context import Context, Env
from compiler.check.creation import create_steps
from compiler.check.endings import always_returns, can_leave, ends
from compiler.check.expressions import Expressions
from compiler.check.groups import in_its_group
from compiler.check.hiding import mix_each, mixed_fields, reveals, told_sides
from compiler.check.parents import adapted, changed_in, is_parent, learn_kinds, set_shared
from compiler.check.windows import block_of, event_steps
from compiler.trees import bodies_of
from compiler.types import BAD, BOOL, INT, LITERAL, VOID, Type, from_spec, set_of
from dsl import nodes as n
from dsl.diagnostics import Label, Severity
from dsl.source import Span
from runtime.model import DecisionSpec, OptionSpec

_BITS = Type("set", of=INT)


class Statements:
    """Checks the body of one procedure."""

    def __init__(
        self, ctx: Context, procedure: str, result: Type, rules: tuple[str, ...] = (), decisions: bool = True
    ) -> None:
        self.ctx = ctx
        self.program = ctx.program
        self.exprs = Expressions(ctx)
        self.procedure = procedure
        self.result = result
        self.rules = rules
        self.decisions = decisions
        self.loops = 0
        self.held: list[Span] = []

    def block(self, stmts: tuple[n.Stmt, ...], env: Env) -> tuple[ir.Stmt, ...]:
        """Check a block in a scope of its own."""
        return self.sequence(stmts, env.child())

    def sequence(self, stmts: tuple[n.Stmt, ...], env: Env) -> tuple[ir.Stmt, ...]:
        """Check steps one after another in *env*."""
        result: list[ir.Stmt] = []
        for i, stmt in enumerate(stmts):
            result.extend(self.statement(stmt, env))
            if result and ends(result[-1]) and i + 1 < len(stmts):
                self.ctx.error(
                    "S604",
                    "this step never runs",
                    stmts[i + 1].span,
                    "remove it, or the step that ends the block before it",
                    (Label(stmt.span, "the block ends here at the latest"),),
                )
                break
        return tuple(result)

    def statement(self, stmt: n.Stmt, env: Env) -> list[ir.Stmt]:
        """Check one step; some become several."""
        method = getattr(self, "_" + type(stmt).__name__.lower())
        shown = len(self.ctx.shown)
        result = method(stmt, env)
        steps = result if isinstance(result, list) else [result]
        if reveals(self.program, steps[-1] if steps else None) or (
            len(self.ctx.shown) > shown and not bodies_of(steps[-1])
        ):
            return [ir.Reveal(span=stmt.span), *steps]
        return steps

    # ------------------------------------------------------------------ locals and fields

    def _let(self, stmt: n.Let, env: Env) -> ir.Stmt:
        value = self.exprs.check(stmt.value, env)
        type_ = value.type
        if type_.kind == "none":
            self.ctx.error(
                "T301", "cannot infer the type of this local", stmt.span, "start with a value of its type"
            )
            type_ = BAD
        if type_.kind == "pile":
            self.ctx.error(
                "T301", "a pile cannot be kept in a local", stmt.value.span, "name the pile where it is used"
            )
        return ir.Let(env.bind(stmt.name.text, type_), value, span=stmt.span)

    def _letdo(self, stmt: n.LetDo, env: Env) -> ir.Stmt:
        procedure = self._called(stmt.call)
        args = self._do_args(stmt.call, env)
        result = procedure.type if procedure else BAD
        if procedure is not None and result.kind == "void":
            self.ctx.error("S603", f"procedure {procedure.name} has no value", stmt.span, "write just: do …")
            result = BAD
        return ir.Do(stmt.call.name.text, args, env.bind(stmt.name.text, result), span=stmt.span)

    def _do(self, stmt: n.Do, env: Env) -> ir.Stmt:
        self._called(stmt.call)
        return ir.Do(stmt.call.name.text, self._do_args(stmt.call, env), None, span=stmt.span)

    def _called(self, call: n.Call) -> ir.Procedure | None:
        procedure = self.program.procedures.get(call.name.text)
        if procedure is None or procedure.case_of is not None:
            hint = ""
            if call.name.text in self.program.calls:
                hint = (
                    f"'{call.name}' is a {self.program.calls[call.name.text].kind}: use it in an expression"
                )
            known = [p.name for p in self.program.procedures.values() if p.case_of is None]
            self.ctx.unknown("R201", "procedure", call.name, known, hint)
            return None
        self.ctx.used.add(f"do {procedure.name}")
        return procedure

    def _do_args(self, call: n.Call, env: Env) -> tuple[ir.Expr, ...]:
        procedure = self.program.procedures.get(call.name.text)
        if procedure is None:
            for arg in call.args:
                self.exprs.check(arg, env)
            return ()
        return self.exprs.arguments(
            call.args, procedure.params, env, f"procedure {procedure.name}", call.span
        )

    def _assign(self, stmt: n.Assign, env: Env) -> ir.Stmt | list[ir.Stmt]:
        target = stmt.target
        if isinstance(target, n.Name):
            local = env.find(target.name)
            if local is not None:
                unique, type_ = local
                env.sure.discard(unique)
                value = self.exprs.check(stmt.value, env, type_)
                current = ir.Local(unique, type=type_, span=target.span)
                return ir.Let(unique, self._combined(stmt, current, value), span=stmt.span)
        place = self.exprs.check(target, env)
        if isinstance(place, ir.Common):
            return set_shared(self.program, env, place, lambda one: self._change(stmt, one, env), stmt.span)
        return self._change(stmt, place, env)

    def _change(self, stmt: n.Assign, place: ir.Expr, env: Env) -> ir.Stmt:
        """The change of what *place* reads."""
        if isinstance(place, ir.Get | ir.Pick):
            field = place.field if isinstance(place, ir.Get) else place.fields[0]
            type_ = from_spec(field.type)
            wanted = type_
            if stmt.op != "=" and type_.kind not in ("int", "set", "bad"):
                self.ctx.error(
                    "T301",
                    f"'{field.base}' is {type_}; nothing can be added to it",
                    stmt.span,
                    "write: set … = …",
                )
                wanted = BAD
            if stmt.op != "=" and type_.kind == "set" and type_.of is not None:
                probe = self.exprs.check(stmt.value, env, type_.of)
                wanted = type_ if probe.type.kind == "set" else type_.of.maybe()
                value = probe
                value = self.exprs.require(value, wanted, f"'{field.base}'", stmt.value.span)
            else:
                value = self.exprs.of_type(stmt.value, env, wanted, f"'{field.base}'")
            if field.fixed:
                self.ctx.error(
                    "T305",
                    f"'{field.base}' is fixed",
                    stmt.target.span,
                    "remove 'fixed' from its declaration, or do not change it",
                )
            if value.type.optional and not type_.optional and value.type.kind != "none" and type_.finite:
                self.ctx.error(
                    "T304",
                    f"this may be none, but '{field.base}' may not",
                    stmt.value.span,
                    f"check it first, or declare the field as {type_}?",
                )
            if type_.kind == "set" and stmt.op != "=":
                op = "|" if stmt.op == "+" else "&~"
                if value.type.kind != "set":
                    value = ir.SetLit((value,), type=type_, span=value.span)
            else:
                op = stmt.op
            if isinstance(place, ir.Pick):
                return ir.SetField(
                    field, place.owner, op, value, among=place.fields, key=place.key, span=stmt.span
                )
            return ir.SetField(field, place.owner, op, value, span=stmt.span)
        if place.type.kind != "bad":
            remedy = "columns are facts" if isinstance(place, ir.Col) else "set changes locals and fields"
            if isinstance(place, ir.Pile):
                remedy = "cards are moved with draw, put, remove and shuffle"
            self.ctx.error("T305", "this cannot be changed", stmt.target.span, remedy)
        self.exprs.check(stmt.value, env)
        return ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=stmt.span)

    def _setdo(self, stmt: n.SetDo, env: Env) -> list[ir.Stmt]:
        """Run the procedure, then set what is named to its value; no name that can be written stands for the
        value meanwhile.
        """
        inner = env.child()
        run = self._letdo(n.LetDo(n.Ident("_given"), stmt.call, span=stmt.span), inner)
        inner.names[" given"] = inner.names.pop("_given")
        change = self._assign(
            n.Assign(stmt.target, "=", n.Name(" given", span=stmt.call.span), span=stmt.span), inner
        )
        if isinstance(change, ir.Let):
            env.sure.discard(change.name)
        return [run, *(change if isinstance(change, list) else [change])]

    def _combined(self, stmt: n.Assign, current: ir.Local, value: ir.Expr) -> ir.Expr:
        type_ = current.type
        if stmt.op == "=":
            return self.exprs.require(
                value, type_.maybe() if type_.finite else type_, f"'{current.name}'", stmt.value.span
            )
        if type_.kind == "set" and type_.of is not None:
            value = adapted(self.program, value, type_ if value.type.kind == "set" else type_.of)
            if value.type.kind != "set":
                value = ir.SetLit((value,), type=type_, span=value.span)
            return ir.Op("|" if stmt.op == "+" else "&~", current, value, type=type_, span=stmt.span)
        if type_.kind != "int" and type_.kind != "bad":
            self.ctx.error(
                "T301",
                f"'{current.name}' is {type_}; nothing can be added to it",
                stmt.span,
                "write: set … = …",
            )
        else:
            self.exprs.require(value, type_, f"'{current.name}'", stmt.value.span)
        return ir.Op(stmt.op, current, value, type=type_, span=stmt.span)

    # ------------------------------------------------------------------ control

    def _if(self, stmt: n.If, env: Env) -> ir.Stmt:
        test = self.exprs.condition(stmt.test, env)
        inner = env.child()
        inner.sure |= excluded_none(test)
        learn_kinds(self.program, inner, test)
        then = self.sequence(stmt.then, inner)
        other = env.child()
        other.sure |= surely_none(test)
        learn_kinds(self.program, other, test, False)
        orelse = self.sequence(stmt.orelse, other)
        if then and ends(then[-1]):
            env.sure |= surely_none(test)
            learn_kinds(self.program, env, test, False)
        if orelse and ends(orelse[-1]):
            env.sure |= excluded_none(test)
            learn_kinds(self.program, env, test)
        return ir.IfStmt(test, then, orelse, span=stmt.span)

    def _each(self, stmt: n.Each, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        inner = env.child()
        var = inner.bind(stmt.var.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        learn_kinds(self.program, inner, where)
        self.loops += 1
        body = self.block(stmt.body, inner)
        self.loops -= 1
        return ir.Each(var, source, where, body, span=stmt.span)

    def _repeat(self, stmt: n.Repeat, env: Env) -> ir.Stmt:
        times = (
            self.exprs.of_type(stmt.times, env, LITERAL, "the number of times")
            if stmt.times is not None
            else None
        )
        counter = env.bind("_times", LITERAL) if times is not None else ""
        self.loops += 1
        body = self.block(stmt.body, env)
        self.loops -= 1
        if times is None and not can_leave(stmt.body):
            self.ctx.error(
                "S602",
                "this loop never ends",
                stmt.span,
                "write 'stop', 'leave' or 'return' inside, or 'repeat n times'",
                severity=Severity.WARNING,
            )
        return ir.Repeat(times, counter, body, span=stmt.span)

    def _return(self, stmt: n.Return, env: Env) -> ir.Stmt:
        self._not_held(stmt, "return")
        if self.result.kind == "void":
            self.ctx.error(
                "S603",
                "this procedure has no value to return",
                stmt.span,
                "declare its type after the parameters, or write 'leave'",
            )
            self.exprs.check(stmt.value, env)
            return ir.Return(None, span=stmt.span)
        value = self.exprs.of_type(stmt.value, env, self.result, "the value of the procedure")
        return ir.Return(value, span=stmt.span)

    def _leave(self, stmt: n.Leave, env: Env) -> ir.Stmt:
        self._not_held(stmt, "leave")
        if self.result.kind not in ("void", "bad"):
            self.ctx.error(
                "S603", f"this procedure has a value of type {self.result}", stmt.span, "write: return …"
            )
        return ir.Return(None, span=stmt.span)

    def _stop(self, stmt: n.Stop, env: Env) -> ir.Stmt:
        if not self.loops and self.held:
            self._not_held(stmt, "stop")
        elif not self.loops:
            self.ctx.error(
                "S602",
                "there is nothing to stop here",
                stmt.span,
                "'stop' ends a repeat, each or offer; a procedure ends with 'leave'",
            )
        return ir.Stop(span=stmt.span)

    def _step(self, stmt: n.Step, env: Env) -> list[ir.Stmt]:
        return block_of(self.sequence(stmt.body, env), stmt.span)

    def _together(self, stmt: n.Together, env: Env) -> ir.Stmt:
        outside, self.loops = self.loops, 0
        self.held.append(stmt.span)
        body = self.block(stmt.body, env)
        self.held.pop()
        self.loops = outside
        return ir.Together(body, span=stmt.span)

    def _within(self, stmt: n.Within, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        if scope not in self.program.scopes:
            self.ctx.unknown("R201", "scope", stmt.scope, self.program.scopes)
        self.ctx.used.add(f"scope {scope}")
        fields = tuple(f for f in self.program.fields.values() if f.lasts == scope and not f.place)
        effects = tuple(e for e in self.program.effects.values() if e.scope == scope)
        for f in fields:
            if f.seen_by is not None:
                message = (
                    f"field '{f.name}' is seen by one side only, and 'within {scope}' would put it "
                    "aside where others could find it"
                )
                self.ctx.error("S610", message, stmt.span, f"let it last for another scope than '{scope}'")
        outside, self.loops = self.loops, 0
        self.held.append(stmt.span)
        body = self.block(stmt.body, env)
        self.held.pop()
        self.loops = outside
        return ir.Within(scope, fields, effects, body, span=stmt.span)

    def _not_held(self, stmt: n.Stmt, word: str) -> None:
        if self.held:
            self.ctx.error(
                "S607",
                f"'{word}' leaves a 'together' or 'within' block before its end",
                stmt.span,
                "end the block first; keep in a local what decides about going on",
                (Label(self.held[-1], "what it holds back or puts aside is restored at its end"),),
            )

    # ------------------------------------------------------------------ chance and cards

    def _roll(self, stmt: n.Roll, env: Env) -> ir.Stmt:
        count = self.exprs.check(stmt.count, env)
        if count.type.kind not in ("int", "bad"):
            self.ctx.error("T301", f"the number of dice must be a number, not {count.type}", stmt.count.span)
        die = self.program.dice.get(stmt.die.text)
        if die is None:
            self.ctx.unknown("R201", "die", stmt.die, self.program.dice)
            env.bind(stmt.name.text, BAD)
            return ir.Let(env.bind("_", BAD), count, span=stmt.span)
        self.ctx.used.add(f"die {die.name}")
        self._measure_of(die.name, count)
        face = Type("enum", die.enum) if die.enum else INT
        return ir.Roll(count, die, env.bind(stmt.name.text, Type("roll", of=face)), span=stmt.span)

    def _measure_of(self, die: str, count: ir.Expr) -> None:
        """Dice of one kind are counted in one measure."""
        if count.type.kind != "int" or count.type.name in ("", "?"):
            return
        measure, span = self.ctx.rolled.setdefault(die, (count.type.plain(), count.span))
        if measure.name != count.type.name:
            self.ctx.error(
                "T302",
                f"elsewhere '{die}' is rolled in {measure}, here in {count.type.plain()}",
                count.span,
                "use the right column or quantity; a plain number can be rolled anywhere",
                (Label(span, f"rolled in {measure} here"),),
            )

    def _pile(self, node: n.Expr, env: Env) -> ir.Pile | None:
        pile = self.exprs.check(node, env)
        if isinstance(pile, ir.Pile):
            self.ctx.used.add(f"pile {pile.pile.name}")
            return pile
        if pile.type.kind != "bad":
            self.ctx.error("T301", f"this is {pile.type}, not a pile", node.span, "name a pile of a deck")
        return None

    def _draw(self, stmt: n.Draw, env: Env) -> ir.Stmt:
        source, member = self.exprs.members(stmt.source, env)
        if isinstance(source, ir.Pile):
            self.ctx.used.add(f"pile {source.pile.name}")
            if stmt.where is not None:
                remedy = (
                    "a random one of those for which a condition holds is drawn from a set: draw c "
                    "from (all x in … where …)"
                )
                self.ctx.error(
                    "T307", "of a pile the top card is taken, whatever it is", stmt.where.span, remedy
                )
            return ir.Draw(env.bind(stmt.name.text, member.maybe()), source, span=stmt.span)
        if source.type.kind == "roll":
            remedy = "draw from a set, a kind, an enum or a range a .. b"
            self.ctx.error("T307", "nothing can be drawn from a roll", stmt.source.span, remedy)
        # The filter sees the candidate under the name of what is drawn.
        inner = env.child()
        name = inner.bind(stmt.name.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        env.names[stmt.name.text] = (name, member.maybe())
        learn_kinds(self.program, env, where)
        return ir.DrawFrom(name, source, where, span=stmt.span)

    def _card_to(self, card: n.Expr, pile: n.Expr, env: Env) -> tuple[ir.Expr, ir.Pile] | None:
        where = self._pile(pile, env)
        if where is None:
            self.exprs.check(card, env)
            return None
        return self.exprs.of_type(card, env, Type("enum", where.pile.enum).maybe(), "the card"), where

    def _put(self, stmt: n.Put, env: Env) -> ir.Stmt:
        found = self._card_to(stmt.card, stmt.pile, env)
        return (
            ir.Put(*found, span=stmt.span)
            if found
            else ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=stmt.span)
        )

    def _remove(self, stmt: n.Remove, env: Env) -> ir.Stmt:
        found = self._card_to(stmt.card, stmt.pile, env)
        return (
            ir.Remove(*found, span=stmt.span)
            if found
            else ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=stmt.span)
        )

    def _shuffle(self, stmt: n.Shuffle, env: Env) -> ir.Stmt:
        pile = self._pile(stmt.pile, env)
        into = self._pile(stmt.into, env) if stmt.into is not None else None
        if pile is not None and into is not None and into.pile.deck != pile.pile.deck:
            self.ctx.error(
                "T301",
                f"'{pile.pile.name}' and '{into.pile.name}' are piles of different decks",
                stmt.span,
                "cards stay in their deck",
            )
        if pile is None:
            return ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=stmt.span)
        return ir.Shuffle(pile, into, span=stmt.span)

    # ------------------------------------------------------------------ effects, scopes, the end

    def _effect(self, call: n.Call, on: bool, env: Env, span: Span) -> ir.Stmt:
        effect = self.program.effects.get(call.name.text)
        if effect is None:
            self.ctx.unknown("R201", "effect", call.name, self.program.effects)
            return ir.Let(env.bind("_", BAD), ir.Const(0, type=BAD), span=span)
        self.ctx.used.add(f"effect {effect.name}")
        if not call.args and (not on or not effect.params):
            return ir.SetEffect(effect, on, None, span=span)
        arg = self.exprs.instance(effect, call.args, env, call.span)
        return ir.SetEffect(effect, on, arg, span=span)

    def _start(self, stmt: n.Start, env: Env) -> ir.Stmt | list[ir.Stmt]:
        started = self._effect(stmt.call, True, env, stmt.span)
        return (
            in_its_group(self.program, env, started)
            if isinstance(started, ir.SetEffect) and started.effect.group
            else started
        )

    def _cease(self, stmt: n.Cease, env: Env) -> ir.Stmt:
        return self._effect(stmt.call, False, env, stmt.span)

    def _expire(self, stmt: n.Expire, env: Env) -> ir.Stmt:
        scope = stmt.scope.text
        if scope not in self.program.scopes:
            self.ctx.unknown("R201", "scope", stmt.scope, self.program.scopes)
        self.ctx.used.add(f"scope {scope}")
        fields = tuple(f for f in self.program.fields.values() if f.lasts == scope)
        effects = tuple(e for e in self.program.effects.values() if e.scope == scope)
        return ir.Expire(scope, self.program.scopes.get(scope, False), fields, effects, span=stmt.span)

    def _win(self, stmt: n.Win, env: Env) -> ir.Stmt:
        return ir.Finish("win", self._sides(stmt.sides, env, "the winner"), span=stmt.span)

    def _lose(self, stmt: n.Lose, env: Env) -> ir.Stmt:
        return ir.Finish("lose", self._sides(stmt.sides, env, "the loser"), span=stmt.span)

    def _tie(self, stmt: n.Tie, env: Env) -> ir.Stmt:
        return ir.Finish("tie", None, span=stmt.span)

    def _sides(self, node: n.Expr, env: Env, what: str) -> ir.Expr:
        """A side or a set of sides, as a set; none is the empty set."""
        side = Type("enum", "Side")
        value = self.exprs.check(node, env, set_of(side) if isinstance(node, n.SetLit) else side)
        if value.type.kind == "set":
            self.exprs.require(value, set_of(side), what, node.span)
            return value
        if value.type.kind == "none":
            return ir.SetLit((), type=set_of(side), span=node.span)
        self.exprs.require(value, side.maybe(), what, node.span)
        return ir.SetLit((value,), type=set_of(side), span=node.span)

    def _note(self, stmt: n.Note, env: Env) -> ir.Stmt:
        args = tuple(self.exprs.check(a, env) for a in stmt.call.args)
        told = told_sides(self.exprs, stmt.to, env) if stmt.to is not None else None
        # One entry for each name with arguments of the same types: the engine words them by their types.
        entry = (stmt.call.name.text, tuple(a.type.spec() for a in args))
        known = list(zip(self.program.notes, self.program.note_types, strict=True))
        if entry not in known:
            self.program.notes.append(entry[0])
            self.program.note_types.append(entry[1])
            known.append(entry)
        return ir.Note(known.index(entry), args, told, span=stmt.span)

    def _mix(self, stmt: n.Mix, env: Env) -> ir.Stmt | list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        if is_parent(self.program, member):
            return mix_each(self.ctx, source, stmt.source.span, stmt.span)
        return ir.Mix(source, mixed_fields(self.ctx, member, stmt.source.span), span=stmt.span)

    # ------------------------------------------------------------------ decisions

    def _decision(
        self,
        prompt: str,
        options: tuple[OptionSpec, ...],
        passing: str | None,
        span: Span,
        rules: tuple[str, ...] = (),
        veiled: bool = False,
        secret: bool = False,
        about: tuple[ir.Expr, ...] = (),
    ) -> DecisionSpec:
        if not self.decisions:
            self.ctx.error(
                "S601",
                "no decision can be made here",
                span,
                "a check acts by itself; put the decision into a procedure of the sequence of play",
            )
        at, types = len(self.program.decisions), tuple(e.type.spec() for e in about)
        spec = DecisionSpec(
            at,
            self.procedure,
            prompt,
            options,
            passing,
            span.file,
            span.line,
            rules or self.rules,
            veiled,
            secret,
            types,
        )
        self.program.decisions.append(spec)
        self.program.decision_nodes.append(None)  # type: ignore[arg-type]
        return spec

    def _side(self, node: n.Expr, env: Env) -> ir.Expr:
        return self.exprs.of_type(node, env, Type("enum", "Side").maybe(), "the side that decides")

    def _choose(self, stmt: n.Choose, env: Env) -> list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        if not (member.finite or member.kind in ("int", "bad")):
            self.ctx.error("T307", f"a side cannot choose among {member}", stmt.source.span)
        if isinstance(source, ir.Pile) and source.pile.visibility in ("hidden", "top"):
            remedy = "draw the cards into a pile that the side sees, or make the pile open"
            self.ctx.error(
                "T307",
                f"nobody sees the cards of '{source.pile.name}', so a side cannot choose among them",
                stmt.source.span,
                remedy,
            )
        by = self._side(stmt.by, env)
        about = self._about(stmt.prompt, env)
        pass_when, veil = self._pass_when(stmt, env), self.veil(stmt.veil, env)
        orelse = self.block(stmt.orelse or (), env)
        # The filter sees the candidate under the chosen name.
        inner = env.child()
        candidate = inner.bind(stmt.var.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        learn_kinds(self.program, env, where)
        passed = stmt.passing is not None and not (orelse and ends(orelse[-1]))
        env.names[stmt.var.text] = (candidate, member.maybe() if passed else member)
        word = stmt.prompt.name.text if stmt.prompt else stmt.var.text
        option = OptionSpec(word, member.spec())
        passing = stmt.passing.text if stmt.passing else None
        spec = self._decision(
            word, (option,), passing, stmt.span, veiled=veil is not None, secret=stmt.secretly, about=about
        )
        result = ir.Choose(candidate, source, where, by, spec, orelse, pass_when, veil, about, span=stmt.span)
        self.program.decision_nodes[spec.index] = result
        return [result]

    def _about(self, prompt: n.Prompt | None, env: Env) -> tuple[ir.Expr, ...]:
        """What a question is about: the arguments of its prompt."""
        args = tuple(self.exprs.check(arg, env) for arg in prompt.args) if prompt is not None else ()
        for arg in args:
            if arg.type.kind == "pile":
                self.ctx.error(
                    "T301", "a question cannot be about a pile", arg.span, "name whose pile it is, or a card"
                )
        return args

    def _pass_when(self, stmt: n.Choose | n.Offer, env: Env) -> ir.Expr | None:
        return self.exprs.condition(stmt.passing_when, env) if stmt.passing_when is not None else None

    def veil(self, veil: n.Veil | None, env: Env) -> ir.Expr | None:
        """When a question is put even though only passing is left; None: never."""
        if veil is None:
            return None
        if veil.when is None:
            return ir.Const(1, type=BOOL, span=veil.span)
        return self.exprs.condition(veil.when, env)

    def _offer(self, stmt: n.Offer, env: Env) -> ir.Stmt:
        by = self._side(stmt.by, env)
        about = self._about(stmt.prompt, env)
        branches: list[ir.Branch] = []
        options: list[OptionSpec] = []
        seen: dict[str, n.Branch] = {}
        self.loops += 1
        for branch in stmt.branches:
            if branch.name.text in seen:
                self.ctx.error(
                    "S606",
                    f"two branches are called '{branch.name}'",
                    branch.name.span,
                    "rename one of the two",
                    (Label(seen[branch.name.text].span, "the other"),),
                )
            seen[branch.name.text] = branch
            inner = env.child()
            when = self.exprs.condition(branch.when, inner) if branch.when is not None else None
            first = self.ranging(branch.first, inner) if branch.first is not None else None
            second = self.ranging(branch.second, inner) if branch.second is not None else None
            if (
                branch.first is not None
                and branch.second is not None
                and branch.first.var.text == branch.second.var.text
            ):
                message = f"both values of '{branch.name}' are called '{branch.second.var}'"
                self.ctx.error(
                    "R104",
                    message,
                    branch.second.var.span,
                    "rename one of the two",
                    (Label(branch.first.var.span, "the other"),),
                )
            self.ctx.cite(f"option {branch.name} of {self.procedure}", branch.rules, branch.span)
            body = self.sequence(branch.body, inner)
            values = [r for r, _ in (found for found in (first, second) if found is not None)]
            var, source, where = (
                (values[0].var, values[0].source, values[0].where) if values else (None, None, None)
            )
            more = values[1] if len(values) > 1 else None
            branches.append(
                ir.Branch(branch.name.text, var, source, where, when, body, branch.span, branch.rules, more)
            )
            options.append(
                OptionSpec(
                    branch.name.text,
                    *((found[1].spec() if found is not None else None) for found in (first, second)),
                )
            )
        self.loops -= 1
        prompt = stmt.prompt.name.text if stmt.prompt else self.procedure
        rules = tuple(r for b in stmt.branches for r in b.rules)
        veil = self.veil(stmt.veil, env)
        passing = stmt.passing.text if stmt.passing else None
        spec = self._decision(
            prompt, tuple(options), passing, stmt.span, rules, veiled=veil is not None, about=about
        )
        result = ir.Offer(
            stmt.once, by, tuple(branches), spec, (), self._pass_when(stmt, env), veil, about, span=stmt.span
        )
        self.program.decision_nodes[spec.index] = result
        return result

    def _create(self, stmt: n.Create, env: Env) -> list[ir.Stmt]:
        orelse = self.block(stmt.orelse or (), env)
        return create_steps(self, stmt, orelse, bool(orelse) and ends(orelse[-1]), env)

    def ranging(self, node: n.Ranging, env: Env) -> tuple[ir.Ranging, Type]:
        """What a branch or a reaction is there for each of, and the type of that; *env* gets to know it."""
        source, member = self.exprs.members(node.source, env)
        if not (member.finite or member.kind in ("int", "bad")):
            self.ctx.error("T307", f"a side cannot choose among {member}", node.source.span)
        var = env.bind(node.var.text, member)
        where = self.exprs.condition(node.where, env) if node.where is not None else None
        learn_kinds(self.program, env, where)
        return ir.Ranging(var, source, where), member

    def _eventstmt(self, stmt: n.EventStmt, env: Env) -> list[ir.Stmt]:
        return event_steps(self, stmt, env)


def check_procedure(
    ctx: Context, procedure: ir.Procedure, names: tuple[str, ...], body: tuple[n.Stmt, ...]
) -> None:
    """Check the body of *procedure*, whose parameters are called *names* here."""
    env = Env()
    env.changed = changed_in(body)
    for name, param in zip(names, procedure.params, strict=True):
        param.name = env.bind(name, param.type)
    statements = Statements(ctx, procedure.case_of or procedure.name, procedure.type, procedure.rules)
    procedure.body = statements.sequence(body, env)
    procedure.locals = env.order
    if (
        procedure.type is not VOID
        and not (procedure.body and ends(procedure.body[-1]))
        and procedure.type.kind != "bad"
    ):
        if not always_returns(procedure.body):
            ctx.error(
                "S603",
                f"procedure {procedure.name} can end without a value",
                procedure.span,
                "end it with 'return …'",
            )
