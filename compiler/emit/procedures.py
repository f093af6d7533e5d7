"""Procedures as Python: whole functions, and blocks of those that can ask."""

from __future__ import annotations

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.emit.places import written
from compiler.emit.text import Number
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer, parameters
from compiler.trees import conjuncts, moved, uncovers
from runtime.model import EffectSpec, FieldSpec
from runtime.services import ENDLESS


class StatementEmitter:
    """Writes steps into one function; *frame* maps kept locals to their place in the frame (blocks only)."""

    def __init__(
        self,
        program: Emission,
        writer: Writer,
        frame: dict[str, int] | None = None,
        lowered: low.Lowered | None = None,
    ) -> None:
        self.program = program
        self.w = writer
        self.x = expressions_for(program, writer)
        self.frame = frame
        self.lowered = lowered
        self.loops = 0
        #: places of the frame with what was chosen secretly, and the decisions at which it is still known
        self.secrets: dict[int, set[int]] = {}

    def assign(self, name: str, value: str) -> None:
        """Give a local its value, in the frame too when it is kept there."""
        kept = self.frame.get(name) if self.frame is not None else None
        self.w.add(f"v_{name} = f[{kept}] = {value}" if kept is not None else f"v_{name} = {value}")

    def steps(self, stmts: tuple[ir.Stmt, ...] | list[ir.Stmt]) -> None:
        """Write steps; an empty block gets ``pass``."""
        mark = self.w.mark()
        for stmt in stmts:
            self.w.place = stmt.span if stmt.span.line else self.w.place
            getattr(self, "_" + type(stmt).__name__.lower())(stmt)
        if self.w.mark() == mark:
            self.w.add("pass")

    # ------------------------------------------------------------------ locals, fields

    def _let(self, stmt: ir.Let) -> None:
        self.assign(stmt.name, self.x.expr(stmt.value))

    def _setfield(self, stmt: ir.SetField) -> None:
        w, field = self.w, stmt.field
        self.x.note(f"field {field.owner}.{field.base}")
        value = self.x.expr(stmt.value)
        if field.type.kind == "bool" and not isinstance(value, Number):
            value = f"int({value})"
        if stmt.key is not None:
            self._set_picked(stmt, value)
            return
        if stmt.owner is None:
            target = f"s.{field.slot}"
            before = self._before(target, field.slot)
            w.add(self._change(target, stmt.op, value))
            self._watch_change(target, before, field.slot)
            return
        owner = self.x.simple(stmt.owner)
        depth = w.depth
        if not isinstance(stmt.owner, ir.Const):
            # Writing to a field of none does nothing; its row holds the zeros that reading gives.
            w.add(f"if {owner} >= 0:")
            w.depth += 1
        target = f"s.{field.slot}[{owner}]"
        before = self._before(target, field.slot)
        if field.place:
            w.add(f"s.put_{field.owner.lower()}({owner}, {value})")
        else:
            w.add(self._change(target, stmt.op, value))
        self._watch_change(target, before, field.slot)
        w.depth = depth

    def _set_picked(self, stmt: ir.SetField, value: str) -> None:
        """Change that one of the fields kept per member which is kept for the key; of none there is none."""
        assert stmt.key is not None
        w, depth = self.w, self.w.depth
        owner = self.x.simple(stmt.owner) if stmt.owner is not None else ""
        key = self.x.simple(stmt.key)
        w.add(f"if {f'{owner} >= 0 and ' if owner else ''}{key} >= 0:")
        w.depth += 1
        columns = tuple(f.slot for f in stmt.fields)
        target = f"({''.join(f's.{slot}, ' for slot in columns)})[{key}]" + (f"[{owner}]" if owner else "")
        before = self._before(target, *columns)
        if owner:
            slots = ", ".join(f"s.{f.slot}" for f in stmt.fields)
            w.add(self._change(f"({slots},)[{key}][{owner}]", stmt.op, value))
        else:
            for i, f in enumerate(stmt.fields):
                w.add(f"{'el' if i else ''}if {key} == {i}:")
                w.add("    " + self._change(f"s.{f.slot}", stmt.op, value))
        self._watch_change(target, before, *columns)
        w.depth = depth

    def _before(self, target: str, *slots: str) -> str:
        """A local with what *target* holds now, where some check reads one of *slots*; else nothing."""
        if all(check.reads.isdisjoint(slots) for check in self.program.checks.values()):
            return ""
        before = self.w.temp()
        self.w.add(f"{before} = {target}")
        return before

    def _watch_change(self, target: str, before: str, *slots: str) -> None:
        """Ask the checks when *target* no longer holds what it held *before*."""
        if before:
            self.w.add(f"if {target} != {before}:")
            self.w.depth += 1
            self.watch(*slots)
            self.w.depth -= 1

    @staticmethod
    def _change(target: str, op: str, value: str) -> str:
        if op == "=":
            return f"{target} = {value}"
        if op == "&~":
            return f"{target} &= ~{value}"
        return f"{target} {op}= {value}"

    def watch(self, *slots: str) -> None:
        """Ask the checks that read one of *slots*; in a ``together`` remember that they are due."""
        due = [
            (i, c.name) for i, c in enumerate(self.program.checks.values()) if not c.reads.isdisjoint(slots)
        ]
        if due:
            self.w.add("if s.deferred:")
            self.w.add(f"    s.deferred |= {sum(1 << low.DUE + i for i, _ in due)}")
            self.w.add("else:")
            for _, name in due:
                self.w.add(f"    check_{name}(s)")

    # ------------------------------------------------------------------ control

    def _ifstmt(self, stmt: ir.IfStmt) -> None:
        self.w.add(f"if {self.x.expr(stmt.test)}:")
        self.w.depth += 1
        self.steps(stmt.then)
        self.w.depth -= 1
        if stmt.orelse:
            self.w.add("else:")
            self.w.depth += 1
            self.steps(stmt.orelse)
            self.w.depth -= 1

    def _each(self, stmt: ir.Each) -> None:
        w = self.w
        depth = w.depth
        source = stmt.source
        if isinstance(source, ir.Quant) and source.kind == "all":
            text, conditions = self._gather(source), conjuncts(stmt.where)
        else:
            text, conditions = self._walked(source, stmt.var, stmt.where)
        w.add(f"for v_{stmt.var} in {text}:")
        w.depth += 1
        for condition in conditions:
            self.x.unless(condition, "continue")
        if self.frame is not None and stmt.var in self.frame:
            self.assign(stmt.var, f"v_{stmt.var}")
        self.loops += 1
        self.steps(stmt.body)
        self.loops -= 1
        w.depth = depth

    def _walked(self, source: ir.Expr, var: str, where: ir.Expr | None) -> tuple[str, list[ir.Expr]]:
        """An iterable that cannot change while it is walked, and what is left of the filter."""
        if source.type.kind == "pile":
            return f"{self.x.expr(source)}[::-1]", conjuncts(where)
        return self.x.iterable(source, var, where)

    def _gather(self, source: ir.Quant) -> str:
        name = self.w.temp()
        self.w.add(f"{name} = []")
        depth = self.w.depth
        self.x.loop(source.var, source.source, source.where)
        self.w.add(f"{name}.append(v_{source.var})")
        self.w.depth = depth
        self.x.leave()
        return name

    def _repeat(self, stmt: ir.Repeat) -> None:
        match stmt.times:
            case None:
                turns = "ENDLESS"
            case ir.Const(value=n) if n <= len(ENDLESS):
                turns = f"range({n})"
            case count:
                turns = f"times({self.x.expr(count)})"
        self.w.add(f"for _ in {turns}:")
        self.w.depth += 1
        self.loops += 1
        self.steps(stmt.body)
        self.loops -= 1
        self.w.depth -= 1
        if stmt.times is None:
            self.w.add("else:")
            self.w.add('    raise RulesetFault("a repetition never stops")')

    def _stop(self, stmt: ir.Stop) -> None:
        self.w.add("break")

    def _goto(self, stmt: low.GoTo) -> None:
        self.w.add(f"f[0] = {stmt.target}")
        self.w.add("return False")

    def _return(self, stmt: ir.Return) -> None:
        if self.frame is None:
            self.w.add("return" if stmt.value is None else f"return {self.x.expr(stmt.value)}")
            return
        self.finish(stmt.value)

    def finish(self, value: ir.Expr | None) -> None:
        """End the procedure whose block this is."""
        if value is not None:
            self.w.add(f"s.result = {self.x.expr(value)}")
        self.w.add("s.frames.pop()")
        self.w.add("return False")

    def _do(self, stmt: ir.Do) -> None:
        call = self.call(stmt)
        if stmt.target is not None:
            self.assign(stmt.target, call)
        else:
            self.w.add(call)

    def call(self, stmt: ir.Do) -> str:
        """The call of a procedure that cannot ask."""
        procedure = self.program.procedures[stmt.procedure]
        args = self.x.args(stmt.args)
        if procedure.cases:
            first = self.x.simple(stmt.args[0])
            return f"C_{procedure.name}[{first}](s, {first}{self.x.args(stmt.args[1:])})"
        return f"p_{stmt.procedure}(s{args})"

    def _together(self, stmt: ir.Together) -> None:
        self._hold(low.Hold(True))
        self.steps(stmt.body)
        self._hold(low.Hold(False, moved(self.program, stmt.body)))

    def _within(self, stmt: ir.Within) -> None:
        self._shelve(low.Shelve(stmt.fields, stmt.effects, True))
        self.steps(stmt.body)
        self._shelve(low.Shelve(stmt.fields, stmt.effects, False))

    def _shelve(self, stmt: low.Shelve) -> None:
        kept = [(f.slot, f.owner != "Game") for f in stmt.fields] + [(e.slot, False) for e in stmt.effects]
        if stmt.on:
            self.w.add(
                "s.shelf.append(("
                + "".join(f"tuple(s.{slot}), " if column else f"s.{slot}, " for slot, column in kept)
                + "))"
            )
            self._reset(stmt.fields, stmt.effects)
        else:
            shelved = self.w.temp()
            self.w.add(f"{shelved} = s.shelf.pop()")
            for i, (slot, column) in enumerate(kept):
                self.w.add(f"s.{slot} = list({shelved}[{i}])" if column else f"s.{slot} = {shelved}[{i}]")
        self.watch(*(slot for slot, _ in kept))

    def _hold(self, stmt: low.Hold) -> None:
        self.w.add(f"s.deferred {'+' if stmt.on else '-'}= 1")
        if not stmt.on and (self.program.checks or stmt.settled):
            due = self.w.temp()
            self.w.add(f"if not s.deferred & {(1 << low.DUE) - 1}:")
            for kind in stmt.settled:
                self.w.add(f"    s.settle_{kind.lower()}()")
            self.w.add(f"    {due} = s.deferred >> {low.DUE}")
            self.w.add("    s.deferred = 0")
            for number, name in enumerate(self.program.checks):
                self.w.add(f"    if {due} & {1 << number}:")
                self.w.add(f"        check_{name}(s)")

    # ------------------------------------------------------------------ chance, cards, effects

    def _roll(self, stmt: ir.Roll) -> None:
        stream = list(self.program.dice).index(stmt.die.name)
        self.x.note(f"die {stmt.die.name}")
        self.assign(stmt.name, f"roll(s, {stream}, {self.x.expr(stmt.count)}, DIE_{stmt.die.name})")

    def _draw(self, stmt: ir.Draw) -> None:
        pile = self.x.simple(stmt.pile)
        if stmt.pile.pile.visibility != "open":
            self.w.add("s.reveals += 1")
        self.assign(stmt.name, f"{pile}.pop() if {pile} else -1")
        self.watch(stmt.pile.pile.slot)

    def _drawfrom(self, stmt: ir.DrawFrom) -> None:
        found = self.w.temp()
        self.w.add(f"{found}: list[int] = []")
        depth = self.w.depth
        self.x.loop(stmt.name, stmt.source, stmt.where)
        self.w.add(f"{found}.append(v_{stmt.name})")
        self.w.depth = depth
        self.x.leave()
        assert stmt.source.type.of is not None
        self.assign(stmt.name, f"draw(s, {found}, {stmt.source.type.of.owner!r})")

    def _put(self, stmt: ir.Put) -> None:
        card = self.x.simple(stmt.card)
        pile = self.x.simple(stmt.pile)
        # A hand has no order.
        put = f"insort({pile}, {card})" if stmt.pile.pile.visibility == "owner" else f"{pile}.append({card})"
        self.w.add(f"if {card} >= 0{self._somebody(stmt.pile)}:")
        self.w.add(f"    {put}")
        self.watch(stmt.pile.pile.slot)

    def _remove(self, stmt: ir.Remove) -> None:
        card, pile = self.x.simple(stmt.card), self.x.simple(stmt.pile)
        self.w.add(f"if {card} in {pile}:")
        self.w.add(f"    {pile}.remove({card})")
        if stmt.pile.pile.visibility == "top":
            self.w.add("    s.reveals += 1")
        self.watch(stmt.pile.pile.slot)

    def _shuffle(self, stmt: ir.Shuffle) -> None:
        stream = len(self.program.dice) + list(self.program.decks).index(stmt.pile.pile.deck)
        pile = self.x.simple(stmt.pile)
        if stmt.into is not None:
            into = self.x.simple(stmt.into)
            self.w.add(f"if {into} is not {pile}{self._somebody(stmt.into)}:")
            self.w.add(f"    {into}.extend({pile})")
            self.w.add(f"    {pile}.clear()")
            pile = into
        if uncovers(stmt):
            self.w.add("s.reveals += 1")
        self.w.add(f"shuffle(s, {stream}, {pile})")
        self.watch(stmt.pile.pile.slot, *([stmt.into.pile.slot] if stmt.into is not None else ()))

    def _somebody(self, pile: ir.Pile) -> str:
        """A further condition: the pile's owner is not none, whose pile takes no cards."""
        if pile.owner is None or isinstance(pile.owner, ir.Const):
            return ""
        return f" and {self.x.simple(pile.owner)} >= 0"

    def _seteffect(self, stmt: ir.SetEffect) -> None:
        slot = f"s.{stmt.effect.slot}"
        before = self._before(slot, stmt.effect.slot)
        if stmt.arg is None:
            self.w.add(f"{slot} = {int(stmt.on)}")
        elif len(stmt.effect.params) > 1:
            number = self.x.simple(stmt.arg)
            self.w.add(f"if {number} >= 0:")
            self.w.add(f"    {slot} |= 1 << {number}" if stmt.on else f"    {slot} &= ~(1 << {number})")
        else:
            bit = f"BIT[{self.x.expr(stmt.arg)}]"
            self.w.add(f"{slot} |= {bit}" if stmt.on else f"{slot} &= ~{bit}")
        self._watch_change(slot, before, stmt.effect.slot)

    def _reset(self, fields: tuple[FieldSpec, ...], effects: tuple[EffectSpec, ...]) -> None:
        for field in fields:
            target = f"s.{field.slot}"
            initial = written(field.type, field.initial or 0, self.program.board)
            if field.place:
                self.w.add(f"for v_ in range(s.n_{field.owner.lower()}):")
                self.w.add(f"    s.put_{field.owner.lower()}(v_, {initial})")
            elif field.initial is None:
                formula = f"initial_{field.slot}"
                game = f"{target} = {formula}(s, -1)"
                column = f"{target} = [{formula}(s, v_) for v_ in range(len({target}) - 1)] + {target}[-1:]"
                self.w.add(game if field.owner == "Game" else column)
            elif field.owner == "Game":
                self.w.add(f"{target} = {initial}")
            elif field.initial == 0 and field.type.kind not in ("enum", "piece", "hex"):
                self.w.add(f"{target} = [0] * len({target})")
            else:
                self.w.add(f"{target} = [{initial}] * (len({target}) - 1) + {target}[-1:]")
        for effect in effects:
            self.w.add(f"s.{effect.slot} = 0")

    def _renew(self, stmt: ir.Renew) -> None:
        owner = self.x.simple(stmt.owner)
        for field in stmt.fields:
            value = written(field.type, -1 if field.initial is None else field.initial, self.program.board)
            if (field.owner, field.name) in self.program.initials:
                value = f"int(initial_{field.slot}(s, {owner}))"
            if field.place:
                self.w.add(f"s.put_{field.owner.lower()}({owner}, {value})")
            else:
                self.w.add(f"s.{field.slot}[{owner}] = {value}")
        self.watch(*(f.slot for f in stmt.fields))
        if not stmt.fields:
            self.w.add("pass")

    def _expire(self, stmt: ir.Expire) -> None:
        self._reset(stmt.fields, stmt.effects)
        if stmt.checkpoint:
            self.w.add("s.checkpoints += 1")
        self.watch(*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects))
        if not (stmt.fields or stmt.effects or stmt.checkpoint):
            self.w.add("pass")

    def _finish(self, stmt: ir.Finish) -> None:
        if stmt.sides is None:
            self.w.add("raise Over(TIED)")
        else:
            self.w.add(f"raise Over({'LOST' if stmt.how == 'lose' else 'WON'}, {self.x.expr(stmt.sides)})")

    def _note(self, stmt: ir.Note) -> None:
        self._told(str(stmt.index), stmt.args, stmt.to)

    def _outcome(self, stmt: ir.Outcome) -> None:
        self._told(str(-1 - stmt.index), stmt.args)

    def _follow(self, stmt: ir.Follow) -> None:
        self._told(repr(stmt.forecast), stmt.args)

    def _told(self, what: str, args: tuple[ir.Expr, ...], to: ir.Expr | None = None) -> None:
        """An entry of the log, where one is kept."""
        self.w.add("if s.log is not None:")
        self.w.depth += 1
        parts = "".join(f", {self.x.expr(a)}" for a in args)
        if to is not None:
            told = self.x.expr(to)
            parts += f", Told({told if to.type.kind == 'set' else f'BIT[{told}]'})"
        self.w.add(f"s.log.append(({what}{parts},))")
        self.w.depth -= 1

    def _reveal(self, stmt: ir.Reveal) -> None:
        self.w.add("s.reveals += 1")

    def _mix(self, stmt: ir.Mix) -> None:
        if isinstance(stmt.source, ir.Quant) and stmt.source.kind == "all":
            pieces = self._gather(stmt.source)
        else:
            pieces = self.w.temp()
            self.w.add(f"{pieces} = list({self.x.iterable(stmt.source, '', None)[0]})")
        columns = "".join(f"s.{field.slot}, " for field in stmt.fields)
        self.w.add(f"mix(s, {len(self.program.dice) + len(self.program.decks)}, {pieces}, ({columns}))")
        self.watch(*(field.slot for field in stmt.fields))

    def _takeresult(self, stmt: low.TakeResult) -> None:
        self.assign(stmt.name, "s.result")

    def _collect(self, stmt: low.Collect) -> None:
        if isinstance(stmt.source, ir.Quant) and stmt.source.kind == "all":
            text = self._gather(stmt.source)
        else:
            text, _ = self._walked(stmt.source, "", None)
        self.assign(stmt.name, f"tuple({text})")


def emit_whole(program: Emission, procedure: ir.Procedure) -> Code:
    """A procedure that cannot ask: one function."""
    w = Writer(f"p_{procedure.name}", procedure.span)
    result = (
        "None"
        if procedure.type.kind == "void"
        else ("tuple[int, ...]" if procedure.type.kind == "roll" else "int")
    )
    w.add(f"def p_{procedure.name}(s: State{parameters(procedure.params)}) -> {result}:")
    w.depth = 1
    if procedure.rules:
        w.add(f"# {', '.join(procedure.rules)}")
    emitter = StatementEmitter(program, w)
    emitter.x.note(f"procedure {procedure.name}")
    emitter.steps(procedure.body)
    if procedure.type.kind != "void":
        w.add(f'raise RulesetFault("procedure {procedure.name} ended without a value")')
    return w.code


def emit_check(program: Emission, check: ir.CheckInfo) -> Code:
    """A check: its condition and its steps."""
    w = Writer(f"check_{check.name}", check.span)
    w.add(f"def check_{check.name}(s: State) -> None:")
    w.depth = 1
    if check.rules:
        w.add(f"# {', '.join(check.rules)}")
    emitter = StatementEmitter(program, w)
    w.place = check.when.span
    bit = 1 << list(program.checks).index(check.name)
    w.add(f"if s.checking & {bit}:")
    w.add("    return")
    w.add(f"if {emitter.x.expr(check.when)}:")
    w.depth += 1
    emitter.x.note(f"check {check.name}")
    w.add(f"s.checking |= {bit}")
    w.add("try:")
    w.depth += 1
    emitter.steps(check.body)
    w.depth -= 1
    w.add("finally:")
    w.add(f"    s.checking &= ~{bit}")
    return w.code
