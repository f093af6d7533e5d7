"""Procedures as Python: whole functions, and the steps of blocks of those that can ask."""

from __future__ import annotations

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.emit.marks import expressions_for
from compiler.emit.writer import Code, Number, Writer, literal, parameters
from compiler.trees import conjuncts, is_filter, moved_kinds, uncovers
from runtime.model import EffectSpec, FieldSpec
from runtime.services import ENDLESS
from runtime.state import DUE

#: What changes a field, by the operator.
_CHANGES = {"=": "{} = {}", "&~": "{} &= ~{}", "+": "{} += {}", "-": "{} -= {}", "|": "{} |= {}"}


class StatementEmitter:
    """Writes steps into one function; *frame* gives kept locals their place (blocks only)."""

    def __init__(
        self, program: Emission, writer: Writer, frame: dict[str, int] | None = None
    ) -> None:
        self.program = program
        self.w = writer
        self.x = expressions_for(program, writer)
        self.frame = frame

    def assign(self, name: str, value: str) -> None:
        """Give a local its value, in the frame too when it is kept there."""
        kept = self.frame.get(name) if self.frame is not None else None
        self.w.add(f"v_{name} = {value}" if kept is None else f"v_{name} = f[{kept}] = {value}")

    def steps(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Write steps; an empty block gets ``pass``."""
        mark, marked = self.w.mark(), 0
        for stmt in stmts:
            self.w.place = stmt.span if stmt.span.line else self.w.place
            getattr(self, "_" + type(stmt).__name__.lower())(stmt)
            marked += isinstance(stmt, ir.Cited)
        if self.w.mark() == mark or marked == len(stmts):
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
        owner = "" if stmt.owner is None else self.x.simple(stmt.owner)
        key = "" if stmt.key is None else self.x.simple(stmt.key)
        # Writing to a field of none does nothing; its row holds the zeros that reading gives.
        tests = [f"{key} >= 0"] if key else []
        if owner and (key or not isinstance(stmt.owner, ir.Const)):
            tests.insert(0, f"{owner} >= 0")
        with w.indented():
            if tests:
                w.open(f"if {' and '.join(tests)}:")
            slots = [f.slot for f in stmt.fields]
            target = f"s.{field.slot}"
            if key:
                target = f"({', '.join(f's.{slot}' for slot in slots)},)[{key}]"
            if owner:
                target += f"[{owner}]"
            before = self._old_value(target, *slots)
            change = _CHANGES[stmt.op]
            if key and not owner:
                for i, slot in enumerate(slots):
                    w.add(f"{'el' if i else ''}if {key} == {i}:")
                    w.add("    " + change.format(f"s.{slot}", value))
            elif field.place and not key:
                w.add(f"s.put_{field.owner.lower()}({owner}, {value})")
            else:
                w.add(change.format(target, value))
            self._watch_change(target, before, *slots)

    def _old_value(self, target: str, *slots: str) -> str:
        """A local with what *target* holds now where something hangs on one of *slots*, else ''."""
        if not (self.program.checks_of(slots) or self.program.stale_memo_slots(slots)):
            return ""
        before = self.w.temp()
        self.w.add(f"{before} = {target}")
        return before

    def _watch_change(self, target: str, before: str, *slots: str) -> None:
        """Act on it when *target* no longer holds what it held *before*."""
        if before:
            with self.w.block(f"if {target} != {before}:"):
                self.invalidate(*slots)

    def invalidate(self, *slots: str) -> None:
        """Forget what was remembered and hangs on one of *slots*, and ask the checks that read one;
        in a ``together`` note that they are due.
        """
        for nothing, names in self.program.stale_memo_slots_by_blank(slots).items():
            self.w.add(" = ".join([*(f"s.{name}" for name in names), nothing]))
        due = self.program.checks_of(slots)
        if due:
            self.w.when("s.deferred", f"s.deferred |= {sum(1 << DUE + i for i in due)}")
            self.w.add("else:")
            for check in due.values():
                self.w.add(f"    check_{check.name}(s)")

    # ------------------------------------------------------------------ control

    def _ifstmt(self, stmt: ir.IfStmt) -> None:
        with self.w.block(f"if {self.x.expr(stmt.test)}:"):
            self.steps(stmt.then)
        if stmt.orelse:
            with self.w.block("else:"):
                self.steps(stmt.orelse)

    def _each(self, stmt: ir.Each) -> None:
        text, conditions = self._stable_iterable(stmt.source, stmt.var, stmt.where)
        with self.w.block(f"for v_{stmt.var} in {text}:"):
            for condition in conditions:
                self.x.skip_unless(condition)
            if self.frame is not None and stmt.var in self.frame:
                self.assign(stmt.var, f"v_{stmt.var}")
            self.steps(stmt.body)

    def _stable_iterable(
        self, source: ir.Expr, var: str = "", where: ir.Expr | None = None
    ) -> tuple[str, list[ir.Expr]]:
        """An iterable that cannot change while it is walked, and what is left of the filter."""
        if is_filter(source):
            name = self.w.temp()
            self.w.add(f"{name} = []")
            self.x.gather(source.var, source.source, source.where, name)
            return name, conjuncts(where)
        if source.type.kind == "pile":
            return f"{self.x.expr(source)}[::-1]", conjuncts(where)
        return self.x.iterable(source, var, where)

    def _repeat(self, stmt: ir.Repeat) -> None:
        match stmt.times:
            case None:
                turns = "ENDLESS"
            case ir.Const(value=n) if n <= len(ENDLESS):
                turns = f"range({n})"
            case count:
                turns = f"times({self.x.expr(count)})"
        with self.w.block(f"for _ in {turns}:"):
            self.steps(stmt.body)
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
        """The call of a procedure that cannot ask."""
        args = self.x.args(stmt.args)
        call = f"p_{stmt.procedure}(s{args})"
        if self.program.procedure_info(stmt.procedure).cases:
            first = self.x.simple(stmt.args[0])
            call = f"C_{stmt.procedure}[{first}](s, {first}{self.x.args(stmt.args[1:])})"
        if stmt.target is not None:
            self.assign(stmt.target, call)
        else:
            self.w.add(call)

    def _together(self, stmt: ir.Together) -> None:
        self._hold(low.Hold(True))
        self.steps(stmt.body)
        self._hold(low.Hold(False, moved_kinds(self.program, stmt.body)))

    def _within(self, stmt: ir.Within) -> None:
        self._shelve(low.Shelve(stmt.scope, stmt.fields, stmt.effects, True))
        self.steps(stmt.body)
        self._shelve(low.Shelve(stmt.scope, stmt.fields, stmt.effects, False))

    def _shelve(self, stmt: low.Shelve) -> None:
        #: the slots, and whether they are columns
        kept = {f.slot: f.owner != "Game" for f in stmt.fields}
        kept |= {e.slot: False for e in stmt.effects}
        if stmt.on:
            values = (f"tuple(s.{slot})" if many else f"s.{slot}" for slot, many in kept.items())
            self.w.add(f"s.shelf.append(({', '.join([repr(stmt.scope), *values])},))")
            self._reset(stmt.fields, stmt.effects)
        else:
            shelved = self.w.temp()
            self.w.add(f"{shelved} = s.shelf.pop()")
            for i, (slot, many) in enumerate(kept.items(), start=1):
                value = f"{shelved}[{i}]"
                self.w.add(f"s.{slot} = list({value})" if many else f"s.{slot} = {value}")
        self.invalidate(*kept)

    def _hold(self, stmt: low.Hold) -> None:
        self.w.add(f"s.deferred {'+' if stmt.on else '-'}= 1")
        if stmt.on or not (self.program.checks or stmt.settled):
            return
        due = self.w.temp()
        with self.w.block(f"if not s.deferred & {(1 << DUE) - 1}:"):
            for kind in stmt.settled:
                self.w.add(f"s.settle_{kind.lower()}()")
            self.w.add(f"{due} = s.deferred >> {DUE}")
            self.w.add("s.deferred = 0")
            for number, name in enumerate(self.program.checks):
                self.w.when(f"{due} & {1 << number}", f"check_{name}(s)")

    # ------------------------------------------------------------------ chance, cards, effects

    def _roll(self, stmt: ir.Roll) -> None:
        stream = self.program.stream_of(die=stmt.die.name)
        self.x.note(f"die {stmt.die.name}")
        self.assign(stmt.name, f"roll(s, {stream}, {self.x.expr(stmt.count)}, DIE_{stmt.die.name})")

    def _draw(self, stmt: ir.Draw) -> None:
        if stmt.pile.pile.visibility == "open":
            pile = self.x.simple(stmt.pile)
            self.assign(stmt.name, f"{pile}.pop() if {pile} else -1")
        else:
            deck = list(self.program.decks).index(stmt.pile.pile.deck)
            self.w.add("s.reveals += 1")
            self.assign(stmt.name, f"drawn(s, {self.x.expr(stmt.pile)}, {deck})")
        self.invalidate(stmt.pile.pile.slot)

    def _drawfrom(self, stmt: ir.DrawFrom) -> None:
        members = self.w.temp()
        self.w.add(f"{members}: list[int] = []")
        self.x.gather(stmt.name, stmt.source, stmt.where, members)
        assert stmt.source.type.of is not None
        self.assign(stmt.name, f"draw(s, {members}, {stmt.source.type.of.owner!r})")

    def _put(self, stmt: ir.Put) -> None:
        card = self.x.simple(stmt.card)
        pile = self.x.simple(stmt.pile)
        # A hand has no order.
        hand = stmt.pile.pile.visibility == "owner"
        put = f"insort({pile}, {card})" if hand else f"{pile}.append({card})"
        self.w.when(f"{card} >= 0{self._somebody(stmt.pile)}", put)
        self.invalidate(stmt.pile.pile.slot)

    def _remove(self, stmt: ir.Remove) -> None:
        card, pile = self.x.simple(stmt.card), self.x.simple(stmt.pile)
        shown = ["s.reveals += 1"] if stmt.pile.pile.visibility == "top" else []
        self.w.when(f"{card} in {pile}", f"{pile}.remove({card})", *shown)
        self.invalidate(stmt.pile.pile.slot)

    def _shuffle(self, stmt: ir.Shuffle) -> None:
        stream = self.program.stream_of(deck=stmt.pile.pile.deck)
        pile = self.x.simple(stmt.pile)
        slots = [stmt.pile.pile.slot]
        if stmt.into is not None:
            into = self.x.simple(stmt.into)
            slots.append(stmt.into.pile.slot)
            moves = f"{into}.extend({pile})", f"{pile}.clear()"
            self.w.when(f"{into} is not {pile}{self._somebody(stmt.into)}", *moves)
            pile = into
        if uncovers(stmt):
            self.w.add("s.reveals += 1")
        self.w.add(f"shuffle(s, {stream}, {pile})")
        self.invalidate(*slots)

    def _somebody(self, pile: ir.Pile) -> str:
        """A further condition: the pile's owner is not none, whose pile takes no cards."""
        if pile.owner is None or isinstance(pile.owner, ir.Const):
            return ""
        return f" and {self.x.simple(pile.owner)} >= 0"

    def _seteffect(self, stmt: ir.SetEffect) -> None:
        slot = f"s.{stmt.effect.slot}"
        before = self._old_value(slot, stmt.effect.slot)
        change = _CHANGES["|" if stmt.on else "&~"]
        if stmt.arg is None:
            self.w.add(f"{slot} = {int(stmt.on)}")
        elif len(stmt.effect.params) > 1:
            number = self.x.simple(stmt.arg)
            bit = f"1 << {number}" if stmt.on else f"(1 << {number})"
            self.w.when(f"{number} >= 0", change.format(slot, bit))
        else:
            self.w.add(change.format(slot, f"BIT[{self.x.expr(stmt.arg)}]"))
        self._watch_change(slot, before, stmt.effect.slot)

    def _reset(self, fields: tuple[FieldSpec, ...], effects: tuple[EffectSpec, ...]) -> None:
        for field in fields:
            target, kind = f"s.{field.slot}", field.owner.lower()
            initial = literal(field.type, field.initial or 0, self.program.board)
            each = f"[{initial}] * (len({target}) - 1)"
            if field.place:
                self.w.add(f"for v_ in range(s.n_{kind}):")
                self.w.add(f"    s.put_{kind}(v_, {initial})")
                continue
            if field.initial is None:
                formula = f"initial_{field.slot}"
                initial = f"{formula}(s, -1)"
                each = f"[{formula}(s, v_) for v_ in range(len({target}) - 1)]"
            if field.owner == "Game":
                self.w.add(f"{target} = {initial}")
            elif field.initial == 0 and field.type.kind not in ("enum", "piece", "hex"):
                self.w.add(f"{target} = [0] * len({target})")
            else:
                self.w.add(f"{target} = {each} + {target}[-1:]")
        for effect in effects:
            self.w.add(f"s.{effect.slot} = 0")

    def _renew(self, stmt: ir.Renew) -> None:
        owner = self.x.simple(stmt.owner)
        for field in stmt.fields:
            initial = -1 if field.initial is None else field.initial
            value = literal(field.type, initial, self.program.board)
            if (field.owner, field.name) in self.program.initials:
                value = f"int(initial_{field.slot}(s, {owner}))"
            if field.place:
                self.w.add(f"s.put_{field.owner.lower()}({owner}, {value})")
            else:
                self.w.add(f"s.{field.slot}[{owner}] = {value}")
        self.invalidate(*(f.slot for f in stmt.fields))
        if not stmt.fields:
            self.w.add("pass")

    def _expire(self, stmt: ir.Expire) -> None:
        self._reset(stmt.fields, stmt.effects)
        if stmt.checkpoint:
            self.w.add("s.checkpoints += 1")
        self.invalidate(*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects))
        if not (stmt.fields or stmt.effects or stmt.checkpoint):
            self.w.add("pass")

    def _finish(self, stmt: ir.Finish) -> None:
        if stmt.sides is None:
            self.w.add("raise Over(TIED)")
        else:
            how = "LOST" if stmt.how == "lose" else "WON"
            self.w.add(f"raise Over({how}, {self.x.expr(stmt.sides)})")

    # ------------------------------------------------------------------ the log

    def _note(self, stmt: ir.Note) -> None:
        with self.w.block("if s.log is not None:"):
            parts = self.x.args(stmt.args)
            if stmt.to is not None:
                sides = self.x.expr(stmt.to)
                parts += f", Told({sides if stmt.to.type.kind == 'set' else f'BIT[{sides}]'})"
            self.w.add(f"s.log.append(({stmt.index}{parts},))")

    def _observe(self, stmt: ir.Observe) -> None:
        with self.w.block("if s.observed is not None:"):
            self.w.add(f"s.observed.append(({stmt.index}{self.x.args(stmt.args)},))")

    def _cited(self, stmt: ir.Cited) -> None:
        self.w.cite(stmt.rules)
        self.x.note(stmt.what, stmt.span)

    def _reveal(self, stmt: ir.Reveal) -> None:
        self.w.add("s.reveals += 1")

    def _mix(self, stmt: ir.Mix) -> None:
        pieces, _ = self._stable_iterable(stmt.source)
        if not is_filter(stmt.source):
            pieces, members = self.w.temp(), pieces
            self.w.add(f"{pieces} = list({members})")
        stream = self.program.stream_of()
        columns = "".join(f"s.{field.slot}, " for field in stmt.fields)
        self.w.add(f"mix(s, {stream}, {pieces}, ({columns}))")
        self.invalidate(*(field.slot for field in stmt.fields))

    # ------------------------------------------------------------------ blocks only

    def _takeresult(self, stmt: low.TakeResult) -> None:
        self.assign(stmt.name, "s.result")

    def _collect(self, stmt: low.Collect) -> None:
        self.assign(stmt.name, f"tuple({self._stable_iterable(stmt.source)[0]})")


def emit_whole(program: Emission, procedure: ir.Procedure) -> Code:
    """A procedure that cannot ask: one function."""
    w = Writer(f"p_{procedure.name}", procedure.span)
    result = {"void": "None", "roll": "tuple[int, ...]"}.get(procedure.type.kind, "int")
    w.add(f"def p_{procedure.name}(s: State{parameters(procedure.params)}) -> {result}:")
    w.depth = 1
    w.cite(procedure.rules)
    emitter = StatementEmitter(program, w)
    emitter.x.note(f"procedure {procedure.name}", procedure.span)
    emitter.steps(procedure.body)
    if procedure.type.kind != "void":
        w.add(f'raise RulesetFault("procedure {procedure.name} ended without a value")')
    return w.code


def emit_check(program: Emission, check: ir.CheckInfo) -> Code:
    """A check: its condition and its steps."""
    w = Writer(f"check_{check.name}", check.span)
    w.add(f"def check_{check.name}(s: State) -> None:")
    w.depth = 1
    w.cite(check.rules)
    emitter = StatementEmitter(program, w)
    w.place = check.when.span
    bit = 1 << list(program.checks).index(check.name)
    w.when(f"s.checking & {bit}", "return")
    w.open(f"if {emitter.x.expr(check.when)}:")
    emitter.x.note(f"check {check.name}", check.span)
    w.add(f"s.checking |= {bit}")
    with w.block("try:"):
        emitter.steps(check.body)
    w.add("finally:")
    w.add(f"    s.checking &= ~{bit}")
    return w.code
