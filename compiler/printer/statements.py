"""Steps as indented lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from compiler import ir
from compiler import lowered as low
from compiler.printer.expressions import TIGHT, ExpressionPrinter
from runtime.model import EffectSpec, FieldSpec


class StatementPrinter(ExpressionPrinter):
    """Writes steps: one method for each kind, named as the kind is after ``_block_`` (a step that holds
    others: its lines) or ``_step_`` (any other: its text).
    """

    def steps(self, stmts: Sequence[ir.Stmt], depth: int = 1) -> Iterator[str]:
        """Steps as indented lines."""
        for stmt in stmts:
            yield from self.step(stmt, depth)

    def step(self, s: ir.Stmt, depth: int) -> Iterator[str]:
        """One step as indented lines."""
        block: Callable[[Any, int], Iterator[str]] | None
        block = getattr(self, "_block_" + type(s).__name__.lower(), None)
        if block is None:
            yield "  " * depth + self.plain(s)
        else:
            yield from block(s, depth)

    def plain(self, s: ir.Stmt) -> str:
        """A step without others inside it."""
        text: str = getattr(self, "_step_" + type(s).__name__.lower())(s)
        return text

    # ------------------------------------------------------------------ steps that hold others

    def _under(self, head: str, depth: int, body: Sequence[ir.Stmt]) -> Iterator[str]:
        """A line, and steps below it."""
        yield "  " * depth + head
        yield from self.steps(body, depth + 1)

    def _block_ifstmt(self, s: ir.IfStmt, depth: int) -> Iterator[str]:
        yield from self._under(f"if {self.expr(s.test)}", depth, s.then)
        if s.orelse:
            yield from self._under("else", depth, s.orelse)

    def _block_each(self, s: ir.Each, depth: int) -> Iterator[str]:
        return self._under(f"each {s.var} in {self.expr(s.source, 5)}{self.where(s.where)}", depth, s.body)

    def _block_repeat(self, s: ir.Repeat, depth: int) -> Iterator[str]:
        times = f" {self.expr(s.times)} times" if s.times is not None else ""
        return self._under(f"repeat{times}", depth, s.body)

    def _block_together(self, s: ir.Together, depth: int) -> Iterator[str]:
        return self._under("together", depth, s.body)

    def _block_within(self, s: ir.Within, depth: int) -> Iterator[str]:
        return self._under(f"within {s.scope}", depth, s.body)

    def _block_choose(self, s: ir.Choose, depth: int) -> Iterator[str]:
        yield "  " * depth + self.question(s)
        if s.orelse:
            yield from self._under("else", depth, s.orelse)

    def _block_offer(self, s: ir.Offer, depth: int) -> Iterator[str]:
        yield "  " * depth + self.question(s)
        for branch in s.branches:
            yield from self._under(self.branch(branch), depth + 1, branch.body)
        if s.on_pass:
            yield from self._under("passed", depth + 1, s.on_pass)

    def question(self, s: ir.Choose | ir.Offer) -> str:
        """The head of a choice or menu."""
        d = s.decision
        passing = f" pass {d.passing}{self.where(s.pass_when, 'when')}" if d.passing is not None else ""
        veil = f" veiled{self.where(s.veil, 'when')}" if s.veil is not None else ""
        about = f"({self._all(s.about)})" if s.about else ""
        tail = f" by {self.expr(s.by)} prompt {d.prompt}{about}{passing}{veil}  [decision {d.index}]"
        if isinstance(s, ir.Choose):
            return (
                f"choose {'secretly ' if d.secret else ''}{s.var} in "
                f"{self.expr(s.source, 5)}{self.where(s.where)}{tail}"
            )
        return f"offer{' once' if s.once else ''}{tail}"

    def branch(self, b: ir.Branch) -> str:
        """The head of a branch of a menu."""
        ranges = [f"{b.var} in {self.expr(b.source, 5)}{self.where(b.where)}"] if b.source is not None else []
        if b.second is not None:
            ranges.append(f"{b.second.var} in {self.expr(b.second.source, 5)}{self.where(b.second.where)}")
        value = f"({', '.join(ranges)})" if ranges else ""
        rules = f"  [{', '.join(b.rules)}]" if b.rules else ""
        return f"{b.name}{value}{self.where(b.when, 'when')}{rules}"

    # ------------------------------------------------------------------ locals, fields, procedures

    def _step_let(self, s: ir.Let) -> str:
        return f"let {s.name} = {self.expr(s.value)}"

    def _step_setfield(self, s: ir.SetField) -> str:
        name = s.field.name if s.key is None else f"{s.field.base}[{self.expr(s.key)}]"
        target = name if s.owner is None else f"{self.expr(s.owner, TIGHT)}.{name}"
        checks = f"  [then check {', '.join(s.checks)}]" if s.checks else ""
        if s.op in ("+", "|"):
            return f"add {self.expr(s.value)} to {target}{checks}"
        if s.op in ("-", "&~"):
            return f"take {self.expr(s.value)} from {target}{checks}"
        return f"set {target} = {self.expr(s.value)}{checks}"

    def _step_do(self, s: ir.Do) -> str:
        let = f"let {s.target} = " if s.target is not None else ""
        return f"{let}do {s.procedure}({self._all(s.args)})"

    def _step_return(self, s: ir.Return) -> str:
        return f"return {self.expr(s.value)}" if s.value is not None else "leave"

    def _step_stop(self, s: ir.Stop) -> str:
        return "stop"

    # ------------------------------------------------------------------ dice and cards

    def _step_roll(self, s: ir.Roll) -> str:
        return f"roll {self.expr(s.count)} {s.die.name} as {s.name}"

    def _step_draw(self, s: ir.Draw) -> str:
        return f"draw {s.name} from {self.expr(s.pile)}"

    def _step_drawfrom(self, s: ir.DrawFrom) -> str:
        return f"draw {s.name} from {self.expr(s.source, 5)}{self.where(s.where)}"

    def _step_put(self, s: ir.Put) -> str:
        return f"put {self.expr(s.card)} on {self.expr(s.pile)}"

    def _step_remove(self, s: ir.Remove) -> str:
        return f"remove {self.expr(s.card)} from {self.expr(s.pile)}"

    def _step_shuffle(self, s: ir.Shuffle) -> str:
        return f"shuffle {self.expr(s.pile)}" + (f" into {self.expr(s.into)}" if s.into is not None else "")

    # ------------------------------------------------------------------ what lasts, ends and is told

    def _step_seteffect(self, s: ir.SetEffect) -> str:
        arg = f"({self.expr(s.arg)})" if s.arg is not None else "()"
        return f"{'start' if s.on else 'cease'} {s.effect.name}{arg}"

    def _step_renew(self, s: ir.Renew) -> str:
        return f"renew {self.expr(s.owner)}: {', '.join(f.name for f in s.fields) or 'nothing'}"

    def _step_expire(self, s: ir.Expire) -> str:
        gone = _named(s.fields, s.effects)
        notes = (f"[{gone}]" if gone else "", "[checkpoint]" if s.checkpoint else "")
        return "  ".join((f"expire {s.scope}", *(note for note in notes if note)))

    def _step_finish(self, s: ir.Finish) -> str:
        return f"{s.how} by {self.expr(s.sides)}" if s.sides is not None else "tie"

    def _step_outcome(self, s: ir.Outcome) -> str:
        return f"outcome {self.program.outcomes[s.index][0]}({self._all(s.args)})"

    def _step_follow(self, s: ir.Follow) -> str:
        return f"do {s.forecast}({self._all(s.args)})"

    def _step_note(self, s: ir.Note) -> str:
        told = f" to {self.expr(s.to)}" if s.to is not None else ""
        return f"note {self.program.notes[s.index]}({self._all(s.args)}){told}"

    def _step_reveal(self, s: ir.Reveal) -> str:
        return "something is revealed"

    def _step_mix(self, s: ir.Mix) -> str:
        return f"mix {self.expr(s.source)}  [{', '.join(f.name for f in s.fields)}]"

    # ------------------------------------------------------------------ steps that only lowering makes

    def _step_takeresult(self, s: low.TakeResult) -> str:
        return f"let {s.name} = the result"

    def _step_collect(self, s: low.Collect) -> str:
        return f"collect {s.name} from {self.expr(s.source)}"

    def _step_hold(self, s: low.Hold) -> str:
        return "hold checks back" if s.on else "catch up with checks"

    def _step_shelve(self, s: low.Shelve) -> str:
        return f"{'put aside' if s.on else 'bring back'} {_named(s.fields, s.effects)}"

    def _step_goto(self, s: low.GoTo) -> str:
        return f"go to {s.target}"


def _named(fields: Sequence[FieldSpec], effects: Sequence[EffectSpec]) -> str:
    """Fields and effects in one row."""
    return ", ".join([*(f"{f.owner}.{f.name}" for f in fields), *(f"effect {e.name}" for e in effects)])
