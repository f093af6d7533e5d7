"""Advice: what is written but never read, read and never written, declared and never used.

Only about the ruleset itself: what a base declares may be there for others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from compiler import ir
from compiler.check.analysis import call_expressions, direct_reads, travel_expressions
from compiler.check.context import Context
from compiler.check.draft import Draft
from compiler.trees import expressions_of, locals_of, statements_of, walk, written
from dsl import nodes as n
from dsl.source import NOWHERE, Span
from runtime.files import read_text


def advise(ctx: Context, decls: list[n.Decl]) -> None:
    """Report the loose ends of a ruleset without errors."""
    advice = _Advice(ctx)
    advice.fields()
    advice.heads()
    advice.distances()
    for decl in decls:
        advice.declaration(decl)


def _styles(ctx: Context) -> Iterator[str]:
    """The texts of ``style.yaml`` of the ruleset and its bases."""
    for folder in ctx.folders:
        with suppress(OSError, UnicodeDecodeError):
            yield read_text(folder / "style.yaml", within=folder)


class _Advice:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.program = ctx.program
        bodies = [p.body for p in self.program.procedures.values()] + [
            c.body for c in self.program.checks.values()
        ]
        steps = [s for body in bodies for s in statements_of(body)]
        #: the words of the files that say what players are shown
        self.shown_words = {word for text in _styles(ctx) for word in re.findall(r"\w+", text)}
        self.started = {s.effect.name for s in steps if isinstance(s, ir.SetEffect) and s.on}

    def warn(self, code: str, message: str, span: Span, remedy: str) -> None:
        if span.file.startswith(f"{self.program.name}/"):
            self.ctx.warning(code, message, span, remedy)

    # ------------------------------------------------------------------ fields

    def fields(self) -> None:
        """Fields that only one side of reading and writing knows."""
        reads, writes = self._touched()
        program = self.program
        shown = {f"{f.owner}.{f.seen_by}" for f in program.fields.values() if f.seen_by}
        families = [{f.slot for f in family} for family in program.keyed.values()]
        for name, bases in program.shared.items():
            own = [f for f in program.fields.values() if f.owner in program.parents[name]]
            families += [{f.slot for f in own if f.base == base} for base in bases]
        for slots in families:  # what is done with one of them is done with all
            for known in (reads, writes):
                known |= slots if slots & known else set()
        for field in program.fields.values():
            parent = program.parent_of(field.owner)
            common = parent is not None and field.base in program.shared[parent]
            if field.member > 0 or (
                common and parent is not None and field.owner != program.parents[parent][0]
            ):
                continue
            name = f"{parent if common else field.owner}.{field.base}"
            span = self.ctx.field_spans.get(f"{field.owner}.{field.name}", NOWHERE)
            given = field.setup or field.fixed
            is_read = (
                field.slot in reads
                or f"{field.owner}.{field.base}" in shown
                or field.base in self.shown_words
            )
            is_written = field.slot in writes
            if field.place:
                continue
            if is_written and not is_read:
                remedy = "remove it, or add the rule that should read it"
                self.warn("L801", f"'{name}' is written but never read", span, remedy)
            elif is_read and not is_written and not given:
                remedy = "declare it 'fixed' or 'setup', or add the step that changes it"
                self.warn("L802", f"'{name}' is read but never written", span, remedy)
            elif not is_read and not is_written:
                remedy = "remove it, or add the rule that should read it"
                self.warn("L803", f"field '{name}' is never used", span, remedy)

    def _touched(self) -> tuple[set[str], set[str]]:
        program = self.program
        reads: set[str] = set()
        writes: set[str] = set()
        for call in program.calls.values():
            reads |= call.reads
        for travel in program.travels.values():
            reads |= travel.reads
        for check in program.checks.values():
            reads |= check.reads | direct_reads(program.place_of, expressions_of(check.body))[0]
            writes |= set(written(check.body))
        for procedure in program.procedures.values():
            reads |= procedure.reads
            going_back = {
                f.slot
                for s in statements_of(procedure.body)
                if isinstance(s, ir.Expire | ir.Renew)
                for f in s.fields
            }
            changed = {
                f.slot
                for s in statements_of(procedure.body)
                if isinstance(s, ir.SetField)
                for f in s.fields
            }
            writes |= procedure.writes - going_back | changed
        for initial in program.initials.values():
            reads |= direct_reads(program.place_of, [initial])[0]
        return reads, writes

    # ------------------------------------------------------------------ declarations

    def heads(self) -> None:
        """Heads that rename nothing."""
        for signature in self.ctx.repeated:
            message = f"'{signature.name}' has these parameters already"
            self.warn("L804", message, signature.span, f"leave them out: {signature.name}")

    def distances(self) -> None:
        """Distances compared on a board with joins, unless it says that they are meant so."""
        board = self.program.board
        if board is None or not board.joins or self.ctx.grid_distances:
            return
        remedy = (
            "use a travel where joins matter (steps t(…) to h); if the grid is meant, "
            "say so in the "
            "board: distance grid;"
        )
        for e in far_distances(self.program):
            message = "distances are those of the grid: the joins of the board do not shorten them"
            self.warn("L805", message, e.span, remedy)

    def declaration(self, decl: n.Decl) -> None:
        """One declaration that nothing uses."""
        method = getattr(self, "_" + type(decl).__name__.lower(), None)
        if method is not None:
            method(decl)

    def _callable(self, decl: n.Function | n.Quantity | n.Permission) -> None:
        shown = any(f"value.{decl.name}" in texts for texts in self.program.texts.values())
        if decl.name.text not in ir.ASKED_BY_ENGINE and not shown:
            self._never(
                f"call {decl.name}", decl.name, type(decl).__name__.lower(), "nothing asks for it"
            )

    _function = _quantity = _permission = _callable

    def _procedure(self, decl: n.Procedure) -> None:
        if decl.name.text != "play":
            self._never(f"do {decl.name}", decl.name, "procedure", "nothing runs it")

    def _travel(self, decl: n.Travel) -> None:
        self._never(f"travel {decl.name}", decl.name, "travel", "nothing asks where it leads")
        self._carried(decl)

    def _effect(self, decl: n.Effect) -> None:
        if decl.name.text not in self.started:
            self._unused(
                "effect", decl.name, "nothing starts it", f"start it: start {decl.name}(…)"
            )

    def _die(self, decl: n.Die) -> None:
        self._never(f"die {decl.name}", decl.name, "die", "nothing rolls it")

    def _matrix(self, decl: n.Matrix) -> None:
        self._never(f"matrix {decl.name}", decl.name, "matrix", "nothing reads it")

    def _scope(self, decl: n.Scope) -> None:
        why = "nothing ends it, so what lasts for it never ends"
        remedy = f"write: expire {decl.name}; an effect without 'lasts' stays until it is ceased"
        self._never(f"scope {decl.name}", decl.name, "scope", why, remedy)

    def _switch(self, decl: n.Switch) -> None:
        self._never(decl.name.text, decl.name, "switch", "no condition asks for it")

    def _enumdecl(self, decl: n.EnumDecl) -> None:
        name = decl.name.text
        if not any(u == name or u.startswith(f"{name}.") for u in self.ctx.used):
            self._unused("enum", decl.name, "no type and no value names it")

    def _measures(self, decl: n.Measures) -> None:
        for name in decl.names:
            self._never(name.text, name, "measure", "nothing is measured in it")

    def _table(self, decl: n.Table) -> None:
        # Single columns may be there for the record; a table of which nothing is read is forgotten.
        read = any(f"{decl.enum}.{column.name}" in self.ctx.used for column in decl.columns)
        if decl.columns and not read:
            self._unused("table", decl.name, "nothing reads any of its columns")

    def _carried(self, decl: n.Travel) -> None:
        """Carried values of which a travel knows only one side of reading and writing."""
        travel = self.program.travels[decl.name.text]
        asked = [
            travel.budget,
            travel.enter,
            travel.cost,
            travel.halt,
            travel.end,
            *(e for s in travel.stays for e in (s.when, s.cost)),
        ]
        moves = [travel.then, *(s.then for s in travel.stays)]
        spans = {c.name.text: c.name.span for c in decl.carried}
        for i, carried in enumerate(travel.carried):
            locals_ = {carried.before, carried.after}
            # What only becomes of itself is not asked for.
            read = any(
                locals_ & locals_of(e)
                for e in (*asked, *(e for then in moves for j, e in enumerate(then) if j != i))
                if e is not None
            )
            changed = any(then[i] != ir.Local(carried.before, type=carried.type) for then in moves)
            name, span = f"'{carried.name}'", spans[carried.name]
            if changed and not read:
                remedy = "remove it, or add the condition that should read it"
                self.warn("L801", f"{name} is carried but never read", span, remedy)
            elif read and not changed:
                remedy = f"'then {carried.name} = …' is missing at a step or stay"
                self.warn("L802", f"{name} is carried but never changed", span, remedy)
            elif not read:
                self.warn("L803", f"{name} is carried but never used", span, "remove it")

    def _event(self, decl: n.Event) -> None:
        info = self.ctx.events.get(decl.name.text)
        if f"event {decl.name}" not in self.ctx.used:
            self._unused(
                "event", decl.name, "nothing raises it", f"write: event {decl.name}(…) {{ … }}"
            )
        elif info is not None and not info.reactions:
            self._unused(
                "event",
                decl.name,
                "no reaction answers it",
                "add a reaction, or write the steps without the event",
            )

    def _never(self, key: str, name: n.Ident, what: str, why: str, remedy: str = "") -> None:
        if key not in self.ctx.used and not (
            key.startswith("call ") and name.text in self.shown_words
        ):
            self._unused(what, name, why, remedy)

    def _unused(self, what: str, name: n.Ident, why: str, remedy: str = "") -> None:
        remedy = remedy or "remove it, or add what should use it"
        self.warn("L803", f"{what} '{name}' is declared and never used: {why}", name.span, remedy)


def far_distances(program: Draft) -> Iterator[ir.Expr]:
    """Where rules ask more of a distance than whether two hexes are adjacent."""
    for expr in _all(program):
        yield from (e for e in walk(expr) if _far(e))


def _far(e: ir.Expr) -> bool:
    if isinstance(e, ir.Compare):
        return _bounded(e, e.left, e.right) or _bounded(e, e.right, e.left)
    return (
        isinstance(e, ir.Service)
        and e.name == "around"
        and e.args[1] != ir.Const(1, type=e.args[1].type)
    )


def _bounded(e: ir.Compare, one: ir.Expr, other: ir.Expr) -> bool:
    """Whether *one* holds a distance that is compared with more than the distance of neighbours."""
    if not any(isinstance(x, ir.Service) and x.name == "distance" for x in walk(one)):
        return False
    if not (isinstance(one, ir.Service) and isinstance(other, ir.Const)):
        return True
    low = 2 if e.op in (("<", ">=") if one is e.left else (">", "<=")) else 1
    return other.value > low


def _all(program: Draft) -> Iterator[ir.Expr]:
    for call in program.calls.values():
        yield from call_expressions(call)
    for travel in program.travels.values():
        if travel.via_of is None:
            yield from travel_expressions(travel)
    for procedure in program.procedures.values():
        yield from expressions_of(procedure.body)
    for check in program.checks.values():
        yield check.when
        yield from expressions_of(check.body)
