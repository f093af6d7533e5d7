"""Steps as C: those of functions, of procedures that cannot ask, of checks and of blocks."""

from __future__ import annotations

from collections.abc import Mapping

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.native.expressions import Expressions, number
from compiler.native.shapes import Shapes
from compiler.native.text import Text
from compiler.trees import moved_kinds, uncovers
from compiler.types import Type, from_spec
from runtime.model import EffectSpec, FieldSpec, names_hexes, on_other_board


class Steps:
    """Writes steps into one function.

    *locals* are its locals with their types; *frame* gives those that a frame keeps their places
    (blocks only); *result* is the type of what is returned.
    """

    def __init__(
        self,
        program: Emission,
        shapes: Shapes,
        text: Text,
        locals: Mapping[str, Type],
        result: Type,
        frame: Mapping[str, int] | None = None,
    ) -> None:
        self.program, self.shapes, self.w = program, shapes, text
        self.x = Expressions(program, shapes, text)
        self.locals, self.result, self.frame = locals, result, frame

    def assign(self, name: str, value: str) -> None:
        """Give a local its value, in the frame too when it is kept there."""
        place = self.frame.get(name) if self.frame is not None else None
        if place is None:
            self.w.add(f"v_{name} = {value};")
        elif self.locals[name].kind == "set":
            self.w.add(f"v_{name} = {value}; memcpy(f + {place}, &v_{name}, sizeof v_{name});")
        elif self.locals[name].kind == "roll":
            self.w.add(f"v_{name} = keep_roll(s, c, f + {place}, {value});")
        else:
            self.w.add(f"v_{name} = f[{place}] = {value};")

    def steps(self, stmts: tuple[ir.Stmt, ...]) -> None:
        """Write steps."""
        for stmt in stmts:
            getattr(self, "_" + type(stmt).__name__.lower())(stmt)

    # ------------------------------------------------------------------ locals, fields

    def _let(self, stmt: ir.Let) -> None:
        self.assign(stmt.name, self.x.value(stmt.value, self.locals[stmt.name]))

    def _setfield(self, stmt: ir.SetField) -> None:
        w, field = self.w, stmt.field
        with w.block(""):
            type_ = from_spec(field.type)
            value = self.x.simple(stmt.value, type_)
            owner = "" if stmt.owner is None else self.x.simple(stmt.owner)
            key = "" if stmt.key is None else self.x.simple(stmt.key)
            tests = [f"{one} >= 0" for one in (owner, key) if one]
            with w.block(f"if ({' && '.join(tests)})" if tests else ""):
                for i, one in enumerate(stmt.fields):
                    with w.block(f"if ({key} == {i})" if key else ""):
                        self._change(one, type_, stmt.op, owner, value, stmt.fields)

    def _change(
        self,
        field: FieldSpec,
        type_: Type,
        op: str,
        owner: str,
        value: str,
        among: tuple[FieldSpec, ...],
    ) -> None:
        w, stored = self.w, self.shapes.value(type_)
        target = f"s->{field.slot}" + (f"[{owner} + 1]" if owner else "")
        slots = [f.slot for f in among]
        w.add(f"{stored} before = {target};")
        if type_.kind == "set":
            does = {"|": "or", "+": "or", "-": "less", "&~": "less"}.get(op)
            after = value if does is None else f"{stored}_{does}(before, {value})"
            differs = f"!{stored}_same({target}, before)"
        else:
            does = {"+": "plus", "-": "minus", "|": "plus"}.get(op)
            after = value if does is None else f"{does}(c, before, {value})"
            differs = f"{target} != before"
        if type_.kind == "bool":
            after = f"!!({after})"
        if field.place and len(among) == 1:
            w.add(f"put_{field.owner.lower()}(s, c, {owner}, {after});")
        else:
            w.add(f"{target} = {self.narrow(type_, after)};")
        with w.detached() as lines:
            self.invalidate(*slots)
        if lines:
            w.add(f"if ({differs}) {{")
            w.lines += lines
            w.add("}")
        else:
            w.add("(void)before;")

    def narrow(self, type_: Type, text: str) -> str:
        """A value as a column holds it."""
        stored = self.shapes.column_type(type_)
        return text if stored in ("num", self.shapes.value(type_)) else f"({stored})({text})"

    def invalidate(self, *slots: str) -> None:
        """Forget what was remembered and hangs on one of *slots*, and ask the checks that read one;
        in a ``together`` note that they are due.
        """
        for name in self.program.stale_memo_slots(slots):
            if name.startswith("K_"):
                self.w.add(f"s->{name} = ++c->version;")
        due = self.program.checks_of(slots)
        if due:
            width = self.shapes.check_width
            those = self.x.constant(sum(1 << i for i in due), width)
            self.w.add(f"if (s->deferred) s->due = set{width}_or(s->due, {those});")
            with self.w.block("else"):
                for check in due.values():
                    self.w.add(f"check_{check.name}(s, c);")

    # ------------------------------------------------------------------ control

    def _ifstmt(self, stmt: ir.IfStmt) -> None:
        with self.w.block(""):
            text = self.x.value(stmt.test)
            with self.w.block(f"if ({text})"):
                self.steps(stmt.then)
            if stmt.orelse:
                with self.w.block("else"):
                    self.steps(stmt.orelse)

    def _each(self, stmt: ir.Each) -> None:
        source = stmt.source
        with self.w.block(""):
            if source.type.kind in ("pile", "roll"):
                members, i = self.w.temp(), self.w.temp("i")
                copied = "pile_downwards" if source.type.kind == "pile" else "roll_copy"
                self.w.add(f"roll {members} = {copied}(c, {self.x.value(source)});")
                with self.w.block(f"for (int {i} = 0; {i} < {members}.n; {i}++)"):
                    self.w.add(f"num v_{stmt.var} = {members}.at[{i}];")
                    self._loop_body(stmt, stmt.where)
                return
            with self.x.each(stmt.var, source, None, pure=False):
                self._loop_body(stmt, stmt.where)

    def _loop_body(self, stmt: ir.Each, where: ir.Expr | None) -> None:
        """The body of a loop."""
        self.w.add(f"(void)v_{stmt.var};")
        if where is not None:
            self.w.add(f"if (!{self.x.value(where)}) continue;")
        if self.frame is not None and stmt.var in self.frame:
            self.w.add(f"f[{self.frame[stmt.var]}] = v_{stmt.var};")
        self.steps(stmt.body)

    def _repeat(self, stmt: ir.Repeat) -> None:
        turn = self.w.temp("i")
        with self.w.block(""):
            if stmt.times is None:
                with self.w.block(f"for (int {turn} = 0; ; {turn}++)"):
                    self.w.add(f'if ({turn} == ENDLESS) fail(c, "a repetition never stops");')
                    self.steps(stmt.body)
                return
            times = self.x.simple(stmt.times)
            self.w.add(f'if ({times} > ENDLESS) fail(c, "a repetition of too many times");')
            with self.w.block(f"for (num {turn} = 0; {turn} < {times}; {turn}++)"):
                self.steps(stmt.body)

    def _stop(self, stmt: ir.Stop) -> None:
        self.w.add("break;")

    def _goto(self, stmt: low.GoTo) -> None:
        self.w.add(f"f[1] = {stmt.target}; return 0;")

    def _return(self, stmt: ir.Return) -> None:
        if self.frame is not None:
            self.finish(stmt.value)
        elif stmt.value is None:
            self.w.add("return;")
        else:
            self.w.add(f"return {self.x.value(stmt.value, self.result)};")

    def finish(self, value: ir.Expr | None) -> None:
        """End the procedure whose block this is."""
        if value is not None:
            text = self.x.value(value, self.result)
            if self.result.kind == "roll":
                self.w.add(f"leave_roll(s, c, {text}); return 0;")
                return
            if self.result.kind == "set":
                with self.w.block(""):
                    self.w.add(f"{self.shapes.value(self.result)} result = {text};")
                    self.w.add("memcpy(s->result, &result, sizeof result);")
            else:
                self.w.add(f"s->result[0] = {text};")
        self.w.add("leave(s); return 0;")

    def _do(self, stmt: ir.Do) -> None:
        """The call of a procedure that cannot ask."""
        procedure = self.program.procedures[stmt.procedure]
        types = [p.type for p in procedure.params]
        call = f"p_{stmt.procedure}(s, c{self.x.args(stmt.args, types)})"
        if stmt.target is not None:
            self.assign(stmt.target, call)
        else:
            self.w.add(f"{call};")

    def _together(self, stmt: ir.Together) -> None:
        self._hold(low.Hold(True))
        self.steps(stmt.body)
        self._hold(low.Hold(False, moved_kinds(self.program, stmt.body)))

    def _hold(self, stmt: low.Hold) -> None:
        self.w.add(f"s->deferred {'+' if stmt.on else '-'}= 1;")
        if stmt.on or not (self.program.checks or stmt.settled):
            return
        with self.w.block("if (!s->deferred)"):
            for kind in stmt.settled:
                self.w.add(f"settle_{kind.lower()}(s, c);")
            set_ = f"set{self.shapes.check_width}"
            self.w.add(f"{set_} due = s->due; (void)due;")
            self.w.add(f"s->due = {set_}_none();")
            for i, name in enumerate(self.program.checks):
                self.w.add(f"if ({set_}_has(due, {i})) check_{name}(s, c);")

    def _within(self, stmt: ir.Within) -> None:
        self._shelve(low.Shelve(stmt.scope, stmt.fields, stmt.effects, True))
        self.steps(stmt.body)
        self._shelve(low.Shelve(stmt.scope, stmt.fields, stmt.effects, False))

    def _shelve(self, stmt: low.Shelve) -> None:
        slots = [*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects)]
        size = " + ".join(f"WORDS(s->{slot})" for slot in slots) or "0"
        with self.w.block(""):
            self.w.add(f"num *shelf = {'shelve' if stmt.on else 'unshelve'}(s, c, {size});")
            for slot in slots:
                there, here = "shelf", f"&s->{slot}"
                into, out = (there, here) if stmt.on else (here, there)
                self.w.add(f"memcpy({into}, {out}, sizeof s->{slot}); shelf += WORDS(s->{slot});")
        if stmt.on:
            self._reset(stmt.fields, stmt.effects)
        self.invalidate(*slots)

    # ------------------------------------------------------------------ chance, cards, effects

    def _roll(self, stmt: ir.Roll) -> None:
        stream = self.program.stream_of(die=stmt.die.name)
        faces, count = len(stmt.die.faces), self.x.value(stmt.count)
        self.assign(stmt.name, f"rolled(s, c, {stream}, {count}, DIE_{stmt.die.name}, {faces})")

    def _draw(self, stmt: ir.Draw) -> None:
        with self.w.block(""):
            n, at = self._stack(stmt.pile)
            if stmt.pile.pile.visibility != "open":
                self.w.add("s->reveals += 1;")
            self.assign(stmt.name, f"*{n} ? {at}[--*{n}] : -1")
        self.invalidate(stmt.pile.pile.slot)

    def _stack(self, pile: ir.Pile) -> tuple[str, str]:
        """Locals that point at the length of a pile, and its cards."""
        n, at = self.w.temp("n"), self.w.temp("p")
        if pile.owner is None:
            self.w.add(f"int16_t *{n} = &s->N_{pile.pile.slot}, *{at} = s->{pile.pile.slot};")
        else:
            owner = self.x.simple(pile.owner)
            slot = pile.pile.slot
            self.w.add(f"int16_t *{n} = &s->N_{slot}[{owner} + 1], *{at} = s->{slot}[{owner} + 1];")
        return n, at

    def _drawfrom(self, stmt: ir.DrawFrom) -> None:
        with self.w.block(""):
            members = self.w.temp()
            self.w.add(f"Grown {members} = {{0, 0, 0}};")
            with self.x.each(stmt.name, stmt.source, stmt.where):
                self.w.add(f"grow(c, &{members}, v_{stmt.name});")
            self.assign(stmt.name, f"drawn(s, c, {members}.n, {members}.at)")

    def _put(self, stmt: ir.Put) -> None:
        with self.w.block(""):
            card = self.x.simple(stmt.card)
            n, at = self._stack(stmt.pile)
            there = f" && {self.x.simple(stmt.pile.owner)} >= 0" if stmt.pile.owner else ""
            hand = "insert" if stmt.pile.pile.visibility == "owner" else "lay"
            size = self._capacity(stmt.pile)
            self.w.add(f"if ({card} >= 0{there}) {hand}(c, {n}, {at}, {size}, {card});")
        self.invalidate(stmt.pile.pile.slot)

    def _capacity(self, pile: ir.Pile) -> int:
        return self.shapes.cards(pile.pile.deck)

    def _remove(self, stmt: ir.Remove) -> None:
        shown = int(stmt.pile.pile.visibility == "top")
        with self.w.block(""):
            card = self.x.simple(stmt.card)
            n, at = self._stack(stmt.pile)
            self.w.add(f"if (taken({n}, {at}, {card})) s->reveals += {shown};")
        self.invalidate(stmt.pile.pile.slot)

    def _shuffle(self, stmt: ir.Shuffle) -> None:
        stream = self.program.stream_of(deck=stmt.pile.pile.deck)
        slots = [stmt.pile.pile.slot]
        with self.w.block(""):
            n, at = self._stack(stmt.pile)
            if stmt.into is not None:
                slots.append(stmt.into.pile.slot)
                to_n, to = self._stack(stmt.into)
                owner = stmt.into.owner
                there = f" && {self.x.simple(owner)} >= 0" if owner is not None else ""
                size = self._capacity(stmt.into)
                self.w.add(f"if ({to} != {at}{there}) pour(c, {n}, {at}, {to_n}, {to}, {size});")
                n, at = to_n, to
            if uncovers(stmt):
                self.w.add("s->reveals += 1;")
            self.w.add(f"shuffle(s, c, {stream}, {at}, *{n});")
        self.invalidate(*slots)

    def _seteffect(self, stmt: ir.SetEffect) -> None:
        effect = stmt.effect
        slot = f"s->{effect.slot}"
        with self.w.block(""):
            if stmt.arg is None and effect.params:
                type_ = f"set{self.shapes.effect_width(effect)}"
                self.w.add(f"{type_} before = {slot};")
                self.w.add(
                    f"{slot} = {self.x.constant(int(stmt.on), self.shapes.effect_width(effect))};"
                )
                differs = f"!{type_}_same({slot}, before)"
            elif stmt.arg is None:
                self.w.add(f"uint8_t before = {slot};")
                self.w.add(f"{slot} = {int(stmt.on)};")
                differs = f"{slot} != before"
            else:
                type_ = f"set{self.shapes.effect_width(effect)}"
                arg = self.x.value(stmt.arg)
                self.w.add(f"{type_} before = {slot};")
                self.w.add(f"{slot} = {type_}_{'with' if stmt.on else 'without'}({slot}, {arg});")
                differs = f"!{type_}_same({slot}, before)"
            with self.w.block(f"if ({differs})"):
                self.invalidate(effect.slot)

    def _initial(self, field: FieldSpec, owner: str, renewed: bool) -> str:
        """What a field is at the start."""
        formula = (field.owner, field.name) in self.program.initials
        if formula and (renewed or field.initial is None):
            return f"initial_{field.slot}(s, c, {owner})"
        blank = -1 if renewed else 0
        value = blank if field.initial is None else field.initial
        home, board = self.program.board, self.shapes.board
        if home is not None and home is not board and names_hexes(field.type):
            value = on_other_board(field.type, value, home, board)
        if field.type.kind == "set":
            return self.x.constant(max(0, value), self.shapes.width(from_spec(field.type)))
        return number(value)

    def _reset(self, fields: tuple[FieldSpec, ...], effects: tuple[EffectSpec, ...]) -> None:
        w = self.w
        for field in fields:
            type_ = from_spec(field.type)
            if field.owner == "Game":
                w.add(f"s->{field.slot} = {self._initial(field, '-1', False)};")
                continue
            owner = field.owner
            count = (
                f"GIVEN->n_{owner.lower()}"
                if owner in self.program.kinds
                else self.shapes.owners(owner)
            )
            with w.block(f"for (num i = 0; i < {count}; i++)"):
                value = self._initial(field, "i", False)
                if field.place:
                    w.add(f"put_{owner.lower()}(s, c, i, {value});")
                else:
                    w.add(f"s->{field.slot}[i + 1] = {self.narrow(type_, value)};")
        for effect in effects:
            if effect.params:
                w.add(f"s->{effect.slot} = set{self.shapes.effect_width(effect)}_none();")
            else:
                w.add(f"s->{effect.slot} = 0;")

    def _renew(self, stmt: ir.Renew) -> None:
        with self.w.block(""):
            owner = self.x.simple(stmt.owner)
            self.w.add(f"(void){owner};")
            for field in stmt.fields:
                value = self._initial(field, owner, True)
                if field.place:
                    self.w.add(f"put_{field.owner.lower()}(s, c, {owner}, {value});")
                else:
                    value = self.narrow(from_spec(field.type), value)
                    self.w.add(f"s->{field.slot}[{owner} + 1] = {value};")
        self.invalidate(*(f.slot for f in stmt.fields))

    def _expire(self, stmt: ir.Expire) -> None:
        self._reset(stmt.fields, stmt.effects)
        if stmt.checkpoint:
            self.w.add("s->checkpoints += 1;")
        self.invalidate(*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects))

    def _finish(self, stmt: ir.Finish) -> None:
        if stmt.sides is None:
            self.w.add("finish(c, TIED, 0);")
            return
        how = "LOST" if stmt.how == "lose" else "WON"
        with self.w.block(""):
            self.w.add(f"{self.shapes.value(stmt.sides.type)} those = {self.x.value(stmt.sides)};")
            self.w.add(f"finish(c, {how}, those.w);")

    # ------------------------------------------------------------------ the log

    def _note(self, stmt: ir.Note) -> None:
        """Nothing: who wants a log plays in Python."""

    def _observe(self, stmt: ir.Observe) -> None:
        """Nothing: forecasts are worked out in Python."""

    def _cited(self, stmt: ir.Cited) -> None:
        self.w.cite(stmt.rules)

    def _reveal(self, stmt: ir.Reveal) -> None:
        self.w.add("s->reveals += 1;")

    def _mix(self, stmt: ir.Mix) -> None:
        stream = self.program.stream_of()
        with self.w.block(""):
            members, others, i = self.w.temp(), self.w.temp(), self.w.temp("i")
            self.w.add(f"Grown {members} = {{0, 0, 0}};")
            with self.x.each("_mixed", stmt.source, None):
                self.w.add(f"grow(c, &{members}, v__mixed);")
            self.w.add(f"num *{others} = room(c, ({members}.n + 1) * sizeof(num));")
            self.w.add(f"for (int i = 0; i < {members}.n; i++) {others}[i] = {members}.at[i];")
            self.w.add(f"mingle(s, c, {stream}, {others}, {members}.n);")
            for field in stmt.fields:
                type_ = self.shapes.column_type(from_spec(field.type))
                with self.w.block(""):
                    self.w.add(f"{type_} *values = room(c, ({members}.n + 1) * sizeof({type_}));")
                    column = f"s->{field.slot}"
                    self.w.add(
                        f"for (int {i} = 0; {i} < {members}.n; {i}++) values[{i}] = {column}[{others}[{i}] + 1];"
                    )
                    self.w.add(
                        f"for (int {i} = 0; {i} < {members}.n; {i}++) {column}[{members}.at[{i}] + 1] = values[{i}];"
                    )
        self.invalidate(*(field.slot for field in stmt.fields))

    # ------------------------------------------------------------------ blocks only

    def _takeresult(self, stmt: low.TakeResult) -> None:
        type_ = self.locals[stmt.name]
        if type_.kind == "set":
            name = self.w.temp()
            self.w.add(
                f"{self.shapes.value(type_)} {name}; memcpy(&{name}, s->result, sizeof {name});"
            )
            self.assign(stmt.name, name)
        elif type_.kind == "roll":
            self.assign(stmt.name, "left_roll(s, c)")
        else:
            self.assign(stmt.name, "s->result[0]")

    def _collect(self, stmt: low.Collect) -> None:
        source = stmt.source
        with self.w.block(""):
            if source.type.kind in ("pile", "roll"):
                copied = "pile_downwards" if source.type.kind == "pile" else "roll_copy"
                self.assign(stmt.name, f"{copied}(c, {self.x.value(source)})")
                return
            members = self.w.temp()
            self.w.add(f"Grown {members} = {{0, 0, 0}};")
            with self.x.each("_member", source, None):
                self.w.add(f"grow(c, &{members}, v__member);")
            self.assign(stmt.name, f"(roll){{{members}.n, {members}.at}}")
