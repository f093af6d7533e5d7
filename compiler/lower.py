"""Lowering: procedures that can reach a decision become basic blocks (:mod:`compiler.lowered`).

Steps that cannot reach a decision stay as they are within a block.  The checked tree is read, never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from compiler import ir
from compiler.liveness import Held, Liveness, liveness
from compiler.lowered import (
    BasicBlock,
    Branch,
    Call,
    Collect,
    GoTo,
    Hold,
    Iterate,
    Jump,
    Lowered,
    Resume,
    Return,
    Shelve,
    Suspend,
    TakeResult,
    Terminator,
)
from compiler.trees import moved, statements_of
from compiler.types import INT, Type
from dsl.source import NOWHERE, Span


@dataclass
class _Draft:
    """A block that is being filled."""

    index: int
    procedure: str
    body: list[ir.Stmt] = field(default_factory=list)
    terminator: Terminator = field(default_factory=lambda: Return(None))
    span: Span = NOWHERE


def lower(program: ir.Program) -> Lowered:
    """Lower all procedures that can reach a decision."""
    drafts: list[_Draft] = []
    entry: dict[str, int] = {}
    slots: dict[str, dict[str, int]] = {}
    live = liveness(program)
    asking = [procedure for procedure in program.procedures.values() if procedure.asks]
    for procedure in asking:
        lowerer = _Lowerer(program, procedure, drafts, live)
        entry[procedure.name] = lowerer.run()
        slots[procedure.name] = {name: place for place, name in enumerate(lowerer.locals, start=1)}
    sizes = {name: len(places) + 1 for name, places in slots.items()}
    for procedure in asking:
        if procedure.cases:  # cases share the frame of their family
            family = [procedure.name, *procedure.cases.values()]
            sizes.update(dict.fromkeys(family, max(sizes[name] for name in family)))
    kept = _joined(drafts, set(entry.values()))
    number = {draft.index: i for i, draft in enumerate(kept)}
    blocks = tuple(_numbered(draft, number) for draft in kept)
    return Lowered(blocks, {name: number[index] for name, index in entry.items()}, slots, sizes, live)


def _targets(end: Terminator) -> list[int]:
    match end:
        case Jump():
            return [end.target]
        case Branch():
            return [end.then, end.orelse]
        case Call():
            return [end.next]
        case Iterate():
            return [end.body, end.done]
        case Suspend():
            return [end.next, end.empty]
        case Resume():
            return [*end.targets, end.passed]
        case Return():
            return []


def _gotos(draft: _Draft) -> list[int]:
    return [s.target for s in statements_of(draft.body) if isinstance(s, GoTo)]


def _joined(drafts: list[_Draft], entries: set[int]) -> list[_Draft]:
    """The blocks that can be reached, those joined that always follow each other."""
    sources: dict[int, int] = {}
    for draft in drafts:
        for target in (*_targets(draft.terminator), *_gotos(draft)):
            sources[target] = sources.get(target, 0) + 1
    gone: set[int] = set()
    for draft in drafts:
        if draft.index in gone:
            continue
        while isinstance(draft.terminator, Jump):
            follower = drafts[draft.terminator.target]
            alone = sources[follower.index] == 1 and follower.index not in entries
            if not alone or follower is draft or isinstance(follower.terminator, Resume):
                break
            draft.body.extend(follower.body)
            draft.terminator = follower.terminator
            gone.add(follower.index)
    reached: set[int] = set()
    waiting = list(entries)
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            waiting.extend((*_targets(drafts[index].terminator), *_gotos(drafts[index])))
    return [draft for draft in drafts if draft.index in reached]


def _numbered(draft: _Draft, number: dict[int, int]) -> BasicBlock:
    """The finished block; *number* tells the index that each draft has among the finished ones."""

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        match stmt:
            case GoTo():
                return replace(stmt, target=number[stmt.target])
            case ir.IfStmt():
                return replace(
                    stmt, then=tuple(map(statement, stmt.then)), orelse=tuple(map(statement, stmt.orelse))
                )
            case ir.Together() | ir.Within():
                return replace(stmt, body=tuple(map(statement, stmt.body)))
        return stmt

    end = draft.terminator
    match end:
        case Jump():
            end = Jump(number[end.target])
        case Branch():
            end = replace(end, then=number[end.then], orelse=number[end.orelse])
        case Call():
            end = replace(end, next=number[end.next])
        case Iterate():
            end = replace(end, body=number[end.body], done=number[end.done])
        case Suspend():
            end = replace(end, next=number[end.next], empty=number[end.empty])
        case Resume():
            end = replace(end, targets=tuple(number[t] for t in end.targets), passed=number[end.passed])
    return BasicBlock(
        number[draft.index], draft.procedure, tuple(map(statement, draft.body)), end, draft.span
    )


class _Lowerer:
    """Lowers one procedure into *drafts*; *locals* are its own and the hidden ones that loops need."""

    def __init__(
        self, program: ir.Program, procedure: ir.Procedure, drafts: list[_Draft], live: Liveness
    ) -> None:
        self.program = program
        self.procedure = procedure
        self.drafts = drafts
        self.live = live
        self.locals = [name for name, _ in procedure.locals]
        self.stops: list[int] = []
        self.hidden = 0

    def run(self) -> int:
        """Lower the procedure; the index of its first block."""
        first = self.block(self.procedure.span)
        self.steps(self.procedure.body, first)
        return first.index

    def block(self, span: Span) -> _Draft:
        draft = _Draft(len(self.drafts), self.procedure.name, span=span)
        self.drafts.append(draft)
        return draft

    def local(self, name: str) -> str:
        self.hidden += 1
        unique = f"_{name}{self.hidden}"
        self.locals.append(unique)
        return unique

    def asks(self, stmts: tuple[ir.Stmt, ...]) -> bool:
        """Whether some step among *stmts* can reach a decision."""
        return any(
            isinstance(s, ir.Choose | ir.Offer)
            or (isinstance(s, ir.Do) and self.program.procedures[s.procedure].asks)
            for s in statements_of(stmts)
        )

    def steps(self, stmts: tuple[ir.Stmt, ...], block: _Draft | None) -> _Draft | None:
        """Lower *stmts* into *block* and those after it; None when nothing runs after them."""
        for stmt in stmts:
            if block is None:
                return None
            if isinstance(stmt, ir.Return):
                block.terminator = Return(stmt.value)
                return None
            if isinstance(stmt, ir.Stop):
                block.terminator = Jump(self.stops[-1])
                return None
            if not self.asks((stmt,)):
                block.body.append(self.whole(stmt))
                continue
            block = self.step(stmt, block)
        return block

    def whole(self, stmt: ir.Stmt) -> ir.Stmt:
        """A step that stays whole; a ``stop`` in it that ends a lowered loop becomes a jump."""
        if isinstance(stmt, ir.Stop):
            return GoTo(self.stops[-1], span=stmt.span) if self.stops else stmt
        if isinstance(stmt, ir.IfStmt):
            return replace(
                stmt, then=tuple(map(self.whole, stmt.then)), orelse=tuple(map(self.whole, stmt.orelse))
            )
        if isinstance(stmt, ir.Together | ir.Within):
            return replace(stmt, body=tuple(map(self.whole, stmt.body)))
        return stmt

    def step(self, stmt: ir.Stmt, block: _Draft) -> _Draft | None:
        """Lower one step that can reach a decision, by the method named as its kind is."""
        lowered: _Draft | None = getattr(self, type(stmt).__name__.lower())(stmt, block)
        return lowered

    def do(self, stmt: ir.Do, block: _Draft) -> _Draft | None:
        after = self.block(stmt.span)
        block.terminator = Call(stmt.procedure, stmt.args, after.index, self.live.calls.get(id(stmt), Held()))
        if stmt.target is not None:
            after.body.append(TakeResult(stmt.target, span=stmt.span))
        return after

    def ifstmt(self, stmt: ir.IfStmt, block: _Draft) -> _Draft | None:
        then, after = self.block(stmt.span), self.block(stmt.span)
        orelse = self.block(stmt.span) if stmt.orelse else after
        block.terminator = Branch(stmt.test, then.index, orelse.index)
        ends = [self.steps(stmt.then, then)]
        if stmt.orelse:
            ends.append(self.steps(stmt.orelse, orelse))
        for end in ends:
            if end is not None:
                end.terminator = Jump(after.index)
        if stmt.orelse and all(end is None for end in ends):
            after.terminator = Return(None)
            return None
        return after

    def together(self, stmt: ir.Together, block: _Draft) -> _Draft | None:
        block.body.append(Hold(True, span=stmt.span))
        last = self.steps(stmt.body, block)
        if last is not None:
            last.body.append(Hold(False, moved(self.program, stmt.body), span=stmt.span))
        return last

    def within(self, stmt: ir.Within, block: _Draft) -> _Draft | None:
        block.body.append(Shelve(stmt.fields, stmt.effects, True, span=stmt.span))
        last = self.steps(stmt.body, block)
        if last is not None:
            last.body.append(Shelve(stmt.fields, stmt.effects, False, span=stmt.span))
        return last

    def repeat(self, stmt: ir.Repeat, block: _Draft) -> _Draft | None:
        head, after = self.block(stmt.span), self.block(stmt.span)
        body = head
        if stmt.times is not None:
            block.body.append(ir.Let(stmt.counter, stmt.times, span=stmt.span))
            body = self.block(stmt.span)
            counter = ir.Local(stmt.counter, type=INT, span=stmt.span)
            more = ir.Compare(">", counter, ir.Const(0, type=INT), type=Type("bool"), span=stmt.span)
            head.terminator = Branch(more, body.index, after.index)
            body.body.append(
                ir.Let(
                    stmt.counter,
                    ir.Op("-", counter, ir.Const(1, type=INT), type=INT, span=stmt.span),
                    span=stmt.span,
                )
            )
        block.terminator = Jump(head.index)
        return self._around(stmt.body, head, body, after)

    def _around(self, steps: tuple[ir.Stmt, ...], head: _Draft, body: _Draft, after: _Draft) -> _Draft:
        """The body of a loop, which leads back to its head; ``stop`` leads on after it."""
        self.stops.append(after.index)
        last = self.steps(steps, body)
        self.stops.pop()
        if last is not None:
            last.terminator = Jump(head.index)
        return after

    def each(self, stmt: ir.Each, block: _Draft) -> _Draft | None:
        items, position = self.local("items"), self.local("next")
        head, body, after = self.block(stmt.span), self.block(stmt.span), self.block(stmt.span)
        block.body.append(Collect(items, stmt.source, span=stmt.span))
        block.body.append(ir.Let(position, ir.Const(0, type=INT), span=stmt.span))
        block.terminator = Jump(head.index)
        head.terminator = Iterate(items, position, stmt.var, stmt.where, body.index, after.index)
        return self._around(stmt.body, head, body, after)

    def choose(self, stmt: ir.Choose, block: _Draft) -> _Draft | None:
        answer, after = self.block(stmt.span), self.block(stmt.span)
        none = self.block(stmt.span)
        none.body.append(ir.Let(stmt.var, ir.Const(-1, type=INT), span=stmt.span))
        block.terminator = Suspend(stmt, answer.index, none.index)
        answer.terminator = Resume(stmt, (after.index,), none.index)
        last = self.steps(stmt.orelse, none)
        if last is not None:
            last.terminator = Jump(after.index)
        return after

    def offer(self, stmt: ir.Offer, block: _Draft) -> _Draft | None:
        answer, after = self.block(stmt.span), self.block(stmt.span)
        head = block
        if not stmt.once or block.body:
            head = self.block(stmt.span)
            block.terminator = Jump(head.index)
        passed = after.index
        if stmt.on_pass:
            on_pass = self.block(stmt.span)
            passed = on_pass.index
            last = self.steps(stmt.on_pass, on_pass)
            if last is not None:
                last.terminator = Jump(after.index)
        head.terminator = Suspend(stmt, answer.index, after.index)
        targets: list[int] = []
        self.stops.append(after.index)
        for branch in stmt.branches:
            body = self.block(branch.span)
            targets.append(body.index)
            last = self.steps(branch.body, body)
            if last is not None:
                last.terminator = Jump(after.index if stmt.once else head.index)
        self.stops.pop()
        answer.terminator = Resume(stmt, tuple(targets), passed)
        return after
