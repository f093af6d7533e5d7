"""Advice: what is written but never read, read and never written, declared and never used.

Only about the ruleset itself: what a base declares may be there for others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from compiler import ir
from compiler.check.analysis import reads_and_uses, reads_uses_and_writes, travel_expressions
from compiler.check.context import Context
from compiler.sources.files import Report, display_name
from compiler.trees import expressions_of, locals_of, statements_of, walk
from dsl import nodes as n
from dsl.source import NOWHERE, Source, Span
from runtime.words.said import said


def advise(ctx: Context, decls: list[n.Decl]) -> None:
    """Report the loose ends of a ruleset without errors."""
    advice = _Advice(ctx)
    advice.fields()
    advice.heads()
    advice.distances()
    for decl in decls:
        advice.declaration(decl)


_REMOVE = "remove it, or add what should use it"
#: What is said of a declaration that nothing uses: what it is, why, and what to do.
_WHY: dict[type[n.Decl], tuple[str, str, str]] = {
    n.Function: ("function", "nothing asks for it", _REMOVE),
    n.Quantity: ("quantity", "nothing asks for it", _REMOVE),
    n.Permission: ("permission", "nothing asks for it", _REMOVE),
    n.Procedure: ("procedure", "nothing runs it", _REMOVE),
    n.Travel: ("travel", "nothing asks where it leads", _REMOVE),
    n.Effect: ("effect", "nothing starts it", "start it: start {0}(…)"),
    n.Die: ("die", "nothing rolls it", _REMOVE),
    n.Matrix: ("matrix", "nothing reads it", _REMOVE),
    n.Scope: (
        "scope",
        "nothing ends it, so what lasts for it never ends",
        "write: expire {0}; an effect without 'lasts' stays until it is ceased",
    ),
    n.Switch: ("switch", "no condition asks for it", _REMOVE),
    n.Weight: ("weight", "nothing reads it", _REMOVE),
    n.EnumDecl: ("enum", "no type and no value names it", _REMOVE),
    n.Measures: ("measure", "nothing is measured in it", _REMOVE),
    n.Table: ("table", "nothing reads any of its columns", _REMOVE),
}


def _shown_words(ctx: Context) -> frozenset[str]:
    """The words of ``style.yaml`` of the ruleset and its bases."""
    words = frozenset[str]()
    for folder in ctx.folders:
        path = folder / "style.yaml"
        with suppress(OSError, UnicodeDecodeError):
            source = ctx.files.source(display_name(folder, path), ctx.files.text(folder, path))
            words |= ctx.files.content_of(
                source, partial(_words_of, source), ctx.diagnostics.append
            )
    return words


def _words_of(source: Source, _: Report) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", source.text))


class _Advice:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.program = ctx.program
        #: what names mean that are used, and whose they are
        self.used = {meaning for meaning, _ in ctx.used}
        self.owners = {meaning.partition(".")[0] for meaning in self.used}
        #: the words of the files that say what players are shown
        self.shown_words = _shown_words(ctx)
        bodies = [procedure.body for procedure in self.program.procedures.values()]
        bodies += [check.body for check in self.program.checks.values()]
        self.started = set[str]().union(
            *(ctx.trees.result_anywhere(_started_effects, one) for one in bodies)
        )

    def warn(self, code: str, message: str, span: Span, remedy: str) -> None:
        if span.file.startswith(f"{self.program.name}/"):
            self.ctx.warning(code, message, span, remedy)

    # ------------------------------------------------------------------ fields

    def fields(self) -> None:
        """Fields that only one side of reading and writing knows."""
        reads, writes = self._accessed_slots()
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
            own_name = f"{field.owner}.{field.base}"
            parent = program.parent_of(field.owner)
            common = parent if parent and field.base in program.shared[parent] else None
            again = common is not None and field.owner != program.parents[common][0]
            if field.member > 0 or again or field.place:
                continue
            name = f"{common or field.owner}.{field.base}"
            span = self.ctx.field_spans.get(f"{field.owner}.{field.name}", NOWHERE)
            given = field.setup or field.fixed
            is_read = field.slot in reads or own_name in shown or field.base in self.shown_words
            is_written = field.slot in writes
            remedy = "remove it, or add the rule that should read it"
            if is_written and not is_read:
                self.warn(
                    "L801", said("'{name}' is written but never read", name=name), span, remedy
                )
            elif is_read and not is_written and not given:
                remedy = "declare it 'fixed' or 'setup', or add the step that changes it"
                self.warn(
                    "L802", said("'{name}' is read but never written", name=name), span, remedy
                )
            elif not is_read and not is_written:
                self.warn("L803", said("field '{name}' is never used", name=name), span, remedy)

    def _accessed_slots(self) -> tuple[set[str], set[str]]:
        program = self.program
        reads: set[str] = set()
        writes: set[str] = set()
        for call in program.calls.values():
            reads |= call.reads
        for travel in program.travels.values():
            reads |= travel.reads
        for check in program.checks.values():
            reads |= (
                check.reads
                | self.ctx.trees.result_anywhere(reads_uses_and_writes, check.body, program)[0]
            )
            writes |= check.writes
        for procedure in program.procedures.values():
            reads |= procedure.reads
            going_back, changed = self.ctx.trees.result_anywhere(_going_back, procedure.body)
            writes |= procedure.writes - going_back | changed
        for initial in program.initials.values():
            reads |= self.ctx.trees.result_anywhere(reads_and_uses, initial, program)[0]
        return reads, writes

    # ------------------------------------------------------------------ declarations

    def heads(self) -> None:
        """Heads that rename nothing."""
        for signature in self.ctx.repeated:
            message = said("'{name}' has these parameters already", name=signature.name)
            self.warn(
                "L804", message, signature.span, said("leave them out: {name}", name=signature.name)
            )

    def distances(self) -> None:
        """Distances compared on a board with joins, unless it says that they are meant so."""
        board = self.program.board
        if board is None or not board.joins or self.ctx.grid_distances:
            return
        travel = "use a travel where joins matter (steps t(…) to h)"
        remedy = said(
            "{travel}; if the grid is meant, say so in the board: distance grid;", travel=travel
        )
        for e in far_distances(self.ctx):
            message = "distances are those of the grid: the joins of the board do not shorten them"
            self.warn("L805", message, e.span, remedy)

    def declaration(self, decl: n.Decl) -> None:
        """One declaration that nothing uses."""
        if isinstance(decl, n.Measures):
            for one in decl.names:
                self._warn_unless_used(one.text in self.used, decl, one)
        name = getattr(decl, "name", None)
        if type(decl) in _WHY and isinstance(name, n.Ident):
            self._warn_unless_used(self._is_used(decl, name.text), decl, name)
        if isinstance(decl, n.Travel):
            self._check_carried(decl)
        elif isinstance(decl, n.Event):
            self._check_event(decl)

    def _is_used(self, decl: n.Decl, name: str) -> bool:
        """Whether something uses a declaration, or need not."""
        uses = self.used
        match decl:
            case n.Function() | n.Quantity() | n.Permission():
                texts = self.program.texts.values()
                asked = name in ir.ASKED_BY_ENGINE or f"call {name}" in uses
                said_of = name in self.shown_words or any(f"value.{name}" in t for t in texts)
                return asked or said_of
            case n.Procedure():
                return name == "play" or f"do {name}" in uses
            case n.Effect():
                return name in self.started
            case n.Switch() | n.Weight():
                return name in uses
            case n.EnumDecl():
                return name in self.owners
            case n.Table():
                # Single columns may be there for the record; without any read, it is forgotten.
                columns = [f"{decl.enum}.{column.name}" for column in decl.columns]
                return not columns or any(one in uses for one in columns)
        return f"{type(decl).__name__.lower()} {name}" in uses

    def _warn_unless_used(self, used: bool, decl: n.Decl, name: n.Ident) -> None:
        """Report a declaration unless it is used."""
        if not used:
            what, why, remedy = _WHY[type(decl)]
            self._warn_unused(what, name, why, said(remedy, **{"0": name}))

    def _check_carried(self, decl: n.Travel) -> None:
        """Carried values of which a travel knows only one side of reading and writing."""
        travel = self.program.travels[decl.name.text]
        asked = [travel.budget, travel.enter, travel.cost, travel.halt, travel.end]
        asked += [e for s in travel.stays for e in (s.when, s.cost)]
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
                self.warn("L801", said("{name} is carried but never read", name=name), span, remedy)
            elif read and not changed:
                remedy = said("'then {name} = …' is missing at a step or stay", name=carried.name)
                self.warn(
                    "L802", said("{name} is carried but never changed", name=name), span, remedy
                )
            elif not read:
                self.warn(
                    "L803", said("{name} is carried but never used", name=name), span, "remove it"
                )

    def _check_event(self, decl: n.Event) -> None:
        info = self.ctx.events.get(decl.name.text)
        if f"event {decl.name}" not in self.used:
            remedy = said("write: event {name}(…) { … }", name=decl.name)
            self._warn_unused("event", decl.name, "nothing raises it", remedy)
        elif info is not None and not info.reactions:
            remedy = "add a reaction, or write the steps without the event"
            self._warn_unused("event", decl.name, "no reaction answers it", remedy)

    def _warn_unused(self, what: str, name: n.Ident, why: str, remedy: str) -> None:
        self.warn(
            "L803",
            said(
                "{what} '{name}' is declared and never used: {why}", what=what, name=name, why=why
            ),
            name.span,
            remedy,
        )


def far_distances(ctx: Context) -> Iterator[ir.Expr]:
    """Where rules ask more of a distance than whether two hexes are adjacent."""
    program, of = ctx.program, ctx.trees.result
    exprs = [e for asked in ctx.asked.values() for e in asked]
    for travel in program.travels.values():
        exprs += travel_expressions(travel) if travel.via_of is None else ()
    yield from (far for e in exprs for far in of(_far_distances_below, e))
    for procedure in program.procedures.values():
        yield from of(_far_distances_in, procedure.body)
    for check in program.checks.values():
        yield from (*of(_far_distances_below, check.when), *of(_far_distances_in, check.body))


def _far_distances_below(whole: ir.Expr) -> list[ir.Expr]:
    return [e for e in walk(whole) if _is_far_distance(e)]


def _far_distances_in(body: tuple[ir.Stmt, ...]) -> list[ir.Expr]:
    return [far for e in expressions_of(body) for far in _far_distances_below(e)]


def _started_effects(body: tuple[ir.Stmt, ...]) -> set[str]:
    """The effects that steps start."""
    steps = (s for s in statements_of(body) if isinstance(s, ir.SetEffect) and s.on)
    return {s.effect.name for s in steps}


def _going_back(body: tuple[ir.Stmt, ...]) -> tuple[set[str], set[str]]:
    """The slots that steps set to what they were at first, and those that they change."""
    going_back, changed = set[str](), set[str]()
    for s in statements_of(body):
        if isinstance(s, ir.Expire | ir.Renew | ir.SetField):
            slots = changed if isinstance(s, ir.SetField) else going_back
            slots.update(f.slot for f in s.fields)
    return going_back, changed


def _is_far_distance(e: ir.Expr) -> bool:
    if isinstance(e, ir.Compare):
        return _compares_distance(e, e.left, e.right) or _compares_distance(e, e.right, e.left)
    if not isinstance(e, ir.Service) or e.name != "around":
        return False
    return e.args[1] != ir.Const(1, type=e.args[1].type)


def _compares_distance(e: ir.Compare, one: ir.Expr, other: ir.Expr) -> bool:
    """Whether *one* holds a distance that is compared with more than the distance of neighbours."""
    if not any(isinstance(x, ir.Service) and x.name == "distance" for x in walk(one)):
        return False
    if not (isinstance(one, ir.Service) and isinstance(other, ir.Const)):
        return True
    low = 2 if e.op in (("<", ">=") if one is e.left else (">", "<=")) else 1
    return other.value > low
