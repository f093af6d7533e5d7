"""Lowering: procedures that can reach a decision become basic blocks (:mod:`compiler.lowered`).

Steps that cannot reach a decision stay as they are within a block.  The checked tree is read, never
changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from compiler import ir
from compiler import lowered as low
from compiler.liveness import HeldPieces, Liveness, liveness
from compiler.trees import moved_kinds, statements_of
from compiler.types import BOOL, INT
from dsl.source import NOWHERE, Span

#: How ``together`` is called among the stretches around a step, which have the names of scopes.
TOGETHER = "together"


@dataclass
class _Draft:
    """A block that is being filled."""

    index: int
    procedure: str
    body: list[ir.Stmt] = field(default_factory=list)
    terminator: low.Terminator = field(default_factory=lambda: low.Return(None))
    span: Span = NOWHERE


def lower(program: ir.Program) -> low.Lowered:
    """Lower all procedures that can reach a decision."""
    drafts: list[_Draft] = []
    entry: dict[str, int] = {}
    slots: dict[str, dict[str, int]] = {}
    inside: dict[int, tuple[str, ...]] = {}
    live = liveness(program)
    by_chance = chance_in(program)
    asking = [procedure for procedure in program.procedures.values() if procedure.asks]
    for procedure in asking:
        lowerer = _Lowerer(program, procedure, drafts, live, by_chance)
        entry[procedure.name] = lowerer.run()
        inside |= lowerer.inside
        slots[procedure.name] = {name: place for place, name in enumerate(lowerer.locals, start=1)}
    sizes = {name: len(places) + 1 for name, places in slots.items()}
    for procedure in asking:
        if procedure.cases:  # cases share the frame of their family
            family = [procedure.name, *procedure.cases.values()]
            sizes.update(dict.fromkeys(family, max(sizes[name] for name in family)))
    kept = _joined(drafts, set(entry.values()))
    number = {draft.index: i for i, draft in enumerate(kept)}
    at_once = chance_in(program, nested=False)
    blocks = tuple(_numbered(draft, number, by_chance, at_once) for draft in kept)
    first = {name: number[index] for name, index in entry.items()}
    around = {number[index]: names for index, names in inside.items() if index in number}
    return low.Lowered(blocks, first, slots, sizes, live, around)


def _within(stmt: ir.Stmt, change: Callable[[ir.Stmt], ir.Stmt]) -> ir.Stmt:
    """*stmt* with the steps changed that stay whole in it."""
    match stmt:
        case ir.IfStmt():
            then, orelse = (tuple(map(change, body)) for body in (stmt.then, stmt.orelse))
            return replace(stmt, then=then, orelse=orelse)
        case ir.Together() | ir.Within():
            return replace(stmt, body=tuple(map(change, stmt.body)))
    return stmt


def _joined(drafts: list[_Draft], entries: set[int]) -> list[_Draft]:
    """The blocks that can be reached, those joined that always follow each other."""
    sources: dict[int, int] = {}
    for draft in drafts:
        for target in low.followers(draft):
            sources[target] = sources.get(target, 0) + 1
    gone: set[int] = set()
    for draft in drafts:
        if draft.index in gone:
            continue
        while isinstance(draft.terminator, low.Jump):
            follower = drafts[draft.terminator.target]
            alone = sources[follower.index] == 1 and follower.index not in entries
            if not alone or follower is draft or isinstance(follower.terminator, low.Resume):
                break
            if draft.body and isinstance(follower.terminator, low.Suspend):
                break  # what comes before a question is not done again when it is asked again
            draft.body.extend(follower.body)
            draft.terminator = follower.terminator
            gone.add(follower.index)
    reached: set[int] = set()
    waiting = list(entries)
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            waiting += low.followers(drafts[index])
    return [draft for draft in drafts if draft.index in reached]


def _numbered(
    draft: _Draft, number: dict[int, int], by_chance: set[str], at_once: set[str]
) -> low.BasicBlock:
    """The finished block; *number* tells the index that each draft has among the finished ones."""
    chance = any(_by_chance(stmt, by_chance) for stmt in statements_of(draft.body))
    begins = any(
        _by_chance(stmt, at_once) or (chance and isinstance(stmt, ir.Repeat | ir.Each))
        for stmt in draft.body
    )

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, low.GoTo):
            return replace(stmt, target=number[stmt.target])
        return _within(stmt, statement)

    body, end = (
        tuple(map(statement, draft.body)),
        low.retargeted(draft.terminator, number.__getitem__),
    )
    at, name, span = number[draft.index], draft.procedure, draft.span
    return low.BasicBlock(at, name, body, end, span, chance, begins)


def chance_in(program: ir.Program, nested: bool = True) -> set[str]:
    """The procedures in which there may be chance, or in what they run; not *nested*: whenever they
    are run.
    """
    found: set[str] = set()
    runners: dict[str, list[str]] = {}  # by procedure: those in which there is chance if it has it
    for procedure in program.procedures.values():
        steps = list(statements_of(procedure.body)) if nested else procedure.body
        run = [step.procedure for step in steps if isinstance(step, ir.Do)]
        for name in (*run, *(procedure.cases.values() if nested else ())):
            runners.setdefault(name, []).append(procedure.name)
        if any(_by_chance(step, found) for step in steps):
            found.add(procedure.name)
    ahead = list(found)
    while ahead:
        further = set(runners.get(ahead.pop(), ())) - found
        found |= further
        ahead += further
    return found


def _by_chance(stmt: ir.Stmt, procedures: set[str]) -> bool:
    """Whether chance comes in with a step, or with the procedure that it runs."""
    if isinstance(stmt, ir.Do):
        return stmt.procedure in procedures
    if isinstance(stmt, ir.Draw):
        return stmt.pile.pile.visibility != "open"
    return isinstance(stmt, ir.Roll | ir.DrawFrom | ir.Shuffle | ir.Mix)


class _Lowerer:
    """Lowers one procedure into *drafts*; *locals* are its own and the hidden ones of loops."""

    def __init__(
        self,
        program: ir.Program,
        procedure: ir.Procedure,
        drafts: list[_Draft],
        live: Liveness,
        by_chance: set[str],
    ) -> None:
        self.program = program
        self.by_chance = by_chance
        self.procedure = procedure
        self.drafts = drafts
        self.live = live
        self.locals = [name for name, _ in procedure.locals]
        self.stops: list[int] = []
        #: the stretches around the step that is being lowered
        self.around: tuple[str, ...] = ()
        #: by draft behind a question or a call, the stretches around it
        self.inside: dict[int, tuple[str, ...]] = {}

    def run(self) -> int:
        """Lower the procedure; the index of its first block."""
        first = self.block(self.procedure.span)
        self.steps(self.procedure.body, first)
        return first.index

    def block(self, span: Span) -> _Draft:
        draft = _Draft(len(self.drafts), self.procedure.name, span=span)
        self.drafts.append(draft)
        return draft

    def waiting(self, span: Span) -> _Draft:
        """The block behind a question or a call."""
        draft = self.block(span)
        self.inside[draft.index] = self.around
        return draft

    def asking(self, stmt: ir.Choose | ir.Offer, block: _Draft, again: bool = False) -> _Draft:
        """The block that asks; it does nothing else, so that the question can be asked again."""
        if not block.body and not again:
            return block
        head = self.block(stmt.span)
        block.terminator = low.Jump(head.index)
        return head

    def asks(self, stmts: tuple[ir.Stmt, ...]) -> bool:
        """Whether some step among *stmts* can reach a decision."""
        return any(
            isinstance(s, ir.Choose | ir.Offer)
            or (isinstance(s, ir.Do) and self.program.procedures[s.procedure].asks)
            for s in statements_of(stmts)
        )

    def forks(self, stmt: ir.Stmt) -> bool:
        """Whether it hangs on a condition that there is chance, so that most ways have none."""
        return isinstance(stmt, ir.IfStmt) and any(
            _by_chance(s, self.by_chance) for s in statements_of((stmt,))
        )

    def steps(self, stmts: tuple[ir.Stmt, ...], block: _Draft | None) -> _Draft | None:
        """Lower *stmts* into *block* and those after it; None when nothing runs after them."""
        for stmt in stmts:
            if block is None:
                return None
            if isinstance(stmt, ir.Return):
                block.terminator = low.Return(stmt.value)
                return None
            if isinstance(stmt, ir.Stop):
                block.terminator = low.Jump(self.stops[-1])
                return None
            if not self.asks((stmt,)) and not self.forks(stmt):
                block.body.append(self.whole(stmt))
                continue
            block = self.step(stmt, block)
        return block

    def whole(self, stmt: ir.Stmt) -> ir.Stmt:
        """A step that stays whole; a ``stop`` in it that ends a lowered loop becomes a jump."""
        if isinstance(stmt, ir.Stop):
            return low.GoTo(self.stops[-1], span=stmt.span) if self.stops else stmt
        return _within(stmt, self.whole)

    def step(self, stmt: ir.Stmt, block: _Draft) -> _Draft | None:
        """Lower one step that can reach a decision, by the method named as its kind is."""
        end: _Draft | None = getattr(self, type(stmt).__name__.lower())(stmt, block)
        return end

    def do(self, stmt: ir.Do, block: _Draft) -> _Draft | None:
        after = self.waiting(stmt.span)
        held = self.live.calls.get(id(stmt), HeldPieces())
        block.terminator = low.Call(stmt.procedure, stmt.args, after.index, held)
        if stmt.target is not None:
            after.body.append(low.TakeResult(stmt.target, span=stmt.span))
        return after

    def ifstmt(self, stmt: ir.IfStmt, block: _Draft) -> _Draft | None:
        then, after = self.block(stmt.span), self.block(stmt.span)
        orelse = self.block(stmt.span) if stmt.orelse else after
        block.terminator = low.Branch(stmt.test, then.index, orelse.index)
        ends = [self._lead(stmt.then, then, after)]
        if stmt.orelse:
            ends.append(self._lead(stmt.orelse, orelse, after))
        if stmt.orelse and all(end is None for end in ends):
            after.terminator = low.Return(None)
            return None
        return after

    def together(self, stmt: ir.Together, block: _Draft) -> _Draft | None:
        back = low.Hold(False, moved_kinds(self.program, stmt.body), span=stmt.span)
        return self._between(low.Hold(True, span=stmt.span), stmt, back, block)

    def within(self, stmt: ir.Within, block: _Draft) -> _Draft | None:
        aside = low.Shelve(stmt.scope, stmt.fields, stmt.effects, True, span=stmt.span)
        return self._between(aside, stmt, replace(aside, on=False), block)

    def _between(
        self, first: ir.Stmt, stmt: ir.Together | ir.Within, last: ir.Stmt, block: _Draft
    ) -> _Draft | None:
        """The body of *stmt*, with a step before and one after it."""
        block.body.append(first)
        outside = self.around
        self.around += (stmt.scope if isinstance(stmt, ir.Within) else TOGETHER,)
        end = self.steps(stmt.body, block)
        self.around = outside
        if end is not None:
            end.body.append(last)
        return end

    def repeat(self, stmt: ir.Repeat, block: _Draft) -> _Draft | None:
        head, after = self.block(stmt.span), self.block(stmt.span)
        body = head
        if stmt.times is not None:
            block.body.append(ir.Let(stmt.counter, stmt.times, span=stmt.span))
            body = self.block(stmt.span)
            counter = ir.Local(stmt.counter, type=INT, span=stmt.span)
            zero, one = (ir.Const(n, type=INT) for n in (0, 1))
            more = ir.Compare(">", counter, zero, type=BOOL, span=stmt.span)
            less = ir.Op("-", counter, one, type=INT, span=stmt.span)
            head.terminator = low.Branch(more, body.index, after.index)
            body.body.append(ir.Let(stmt.counter, less, span=stmt.span))
        block.terminator = low.Jump(head.index)
        return self._around(stmt.body, head, body, after)

    def _around(
        self, steps: tuple[ir.Stmt, ...], head: _Draft, body: _Draft, after: _Draft
    ) -> _Draft:
        """The body of a loop, which leads back to its head; ``stop`` leads on after it."""
        self.stops.append(after.index)
        self._lead(steps, body, head)
        self.stops.pop()
        return after

    def _lead(self, steps: tuple[ir.Stmt, ...], block: _Draft, on: _Draft) -> _Draft | None:
        """Lower *steps* into *block* and those after it, which go *on* with another."""
        last = self.steps(steps, block)
        if last is not None:
            last.terminator = low.Jump(on.index)
        return last

    def each(self, stmt: ir.Each, block: _Draft) -> _Draft | None:
        items, position = f"_items_{stmt.var}", f"_next_{stmt.var}"
        self.locals += [items, position]
        head, body, after = (self.block(stmt.span) for _ in range(3))
        block.body.append(low.Collect(items, stmt.source, span=stmt.span))
        block.body.append(ir.Let(position, ir.Const(0, type=INT), span=stmt.span))
        block.terminator = low.Jump(head.index)
        goes_on = (body.index, after.index)
        head.terminator = low.Iterate(items, position, stmt.var, stmt.where, *goes_on)
        return self._around(stmt.body, head, body, after)

    def choose(self, stmt: ir.Choose, block: _Draft) -> _Draft | None:
        head, answer = self.asking(stmt, block), self.waiting(stmt.span)
        after, none = self.block(stmt.span), self.block(stmt.span)
        none.body.append(ir.Let(stmt.var, ir.Const(-1, type=INT), span=stmt.span))
        head.terminator = low.Suspend(stmt, answer.index, none.index)
        answer.terminator = low.Resume(stmt, (after.index,), none.index)
        self._lead(stmt.orelse, none, after)
        return after

    def offer(self, stmt: ir.Offer, block: _Draft) -> _Draft | None:
        head = self.asking(stmt, block, again=not stmt.once)
        answer, after = self.waiting(stmt.span), self.block(stmt.span)
        passed = after.index
        if stmt.on_pass:
            on_pass = self.block(stmt.span)
            passed = on_pass.index
            self._lead(stmt.on_pass, on_pass, after)
        head.terminator = low.Suspend(stmt, answer.index, after.index)
        targets: list[int] = []
        self.stops.append(after.index)
        for branch in stmt.branches:
            body = self.block(branch.span)
            targets.append(body.index)
            self._lead(branch.body, body, after if stmt.once else head)
        self.stops.pop()
        answer.terminator = low.Resume(stmt, tuple(targets), passed)
        return after
