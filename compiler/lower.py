"""Lowering: procedures that can reach a decision become blocks.

A block runs without interruption.  Between blocks everything that matters lies in the frame
``[block, local, local …]``, so a game can stand still, be copied and go on at any of them.  Steps
that cannot reach a decision stay as they are within a block.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler import ir
from compiler.check.analysis import written
from compiler.liveness import Held, liveness
from compiler.trees import statements_of
from compiler.types import INT, Type, set_of
from dsl.source import NOWHERE, Span
from runtime.model import EffectSpec, FieldSpec

#: ``state.deferred``: below this bit how many ``together`` are open, above it which checks are due.
DUE = 16


@dataclass
class Jump:
    """Go on with another block."""

    target: int


@dataclass
class Fork:
    """Go on with one of two blocks."""

    test: ir.Expr
    then: int
    orelse: int


@dataclass
class Invoke:
    """Run a procedure in a frame of its own, then go on with *next*."""

    procedure: str
    args: tuple[ir.Expr, ...]
    next: int
    held: Held


@dataclass
class Walk:
    """Take the next member of ``items`` (a local) that passes *where*; none left: *done*."""

    items: str
    position: str
    var: str
    where: ir.Expr | None
    body: int
    done: int


@dataclass
class Ask:
    """Find the options of a choice or menu and ask; the answer is read by block *next*.

    *empty* is where to go when there is nothing to ask.
    """

    node: ir.Choose | ir.Offer
    next: int
    empty: int


@dataclass
class Answer:
    """Read an answer: *targets* are the blocks of the branches, *passed* the one after a pass."""

    node: ir.Choose | ir.Offer
    targets: list[int]
    passed: int


@dataclass
class Finish:
    """The procedure ends."""

    value: ir.Expr | None


End = Jump | Fork | Invoke | Walk | Ask | Answer | Finish


@dataclass(frozen=True, slots=True)
class TakeResult(ir.Stmt):
    """A local takes the value of the procedure that has just ended."""

    name: str


@dataclass(frozen=True, slots=True)
class Collect(ir.Stmt):
    """A hidden local takes all members of a source, in order."""

    name: str
    source: ir.Expr


@dataclass(frozen=True, slots=True)
class Hold(ir.Stmt):
    """Checks are held back (*on*) or caught up with; then no place of the kinds in *settled* may hold two pieces any more."""

    on: bool
    settled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelve(ir.Stmt):
    """What lasts through a scope is put aside (*on*) or comes back."""

    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]
    on: bool


@dataclass(frozen=True, slots=True)
class GoTo(ir.Stmt):
    """Leave the block in the middle: used for ``stop`` inside steps that stay whole."""

    target: int


@dataclass
class Block:
    """Steps without interruption, and what comes then."""

    index: int
    procedure: str
    body: list[ir.Stmt] = field(default_factory=list)
    end: End | None = None
    span: Span = NOWHERE


@dataclass
class Lowered:
    """All blocks of a program; *entry* names the first block of each procedure that can ask."""

    blocks: list[Block] = field(default_factory=list)
    entry: dict[str, int] = field(default_factory=dict)
    #: frame layout: the local's place, for each procedure
    slots: dict[str, dict[str, int]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


def lower(program: ir.Program) -> Lowered:
    """Lower all procedures that can reach a decision."""
    out = Lowered()
    for procedure in program.procedures.values():
        if procedure.asks:
            _Lowerer(program, procedure, out).run()
    _merge(out)
    # Cases share the frame of their family.
    for procedure in program.procedures.values():
        if procedure.asks and procedure.cases:
            family = [procedure.name, *procedure.cases.values()]
            size = max(out.sizes[name] for name in family)
            for name in family:
                out.sizes[name] = size
    return out


def moved(program: ir.Program, body: tuple[ir.Stmt, ...]) -> tuple[str, ...]:
    """The kinds, alone on their places, whose pieces may be moved by steps and by what they run."""
    slots: set[str] = set()
    seen: set[str] = set()

    def look(steps: tuple[ir.Stmt, ...]) -> None:
        slots.update(written(steps))
        for stmt in statements_of(steps):
            if isinstance(stmt, ir.Do) and stmt.procedure not in seen:
                seen.add(stmt.procedure)
                procedure = program.procedures[stmt.procedure]
                for name in (procedure.name, *procedure.cases.values()):
                    look(program.procedures[name].body)

    look(body)
    return tuple(f.owner for f in program.fields.values() if f.place and f.alone and f.slot in slots)


def _targets(end: End | None) -> list[int]:
    if isinstance(end, Jump):
        return [end.target]
    if isinstance(end, Fork):
        return [end.then, end.orelse]
    if isinstance(end, Invoke):
        return [end.next]
    if isinstance(end, Walk):
        return [end.body, end.done]
    if isinstance(end, Ask):
        return [end.next, end.empty]
    if isinstance(end, Answer):
        return [*end.targets, end.passed]
    return []


def _gotos(block: Block) -> list[int]:
    return [s.target for s in statements_of(block.body) if isinstance(s, GoTo)]


def _merge(out: Lowered) -> None:
    """Join blocks that always follow each other, drop those nobody reaches, number the rest anew."""
    blocks = out.blocks
    sources: dict[int, int] = {}
    for block in blocks:
        for target in (*_targets(block.end), *_gotos(block)):
            sources[target] = sources.get(target, 0) + 1
    entries = set(out.entry.values())
    gone: set[int] = set()
    for block in blocks:
        if block.index in gone:
            continue
        while isinstance(block.end, Jump):
            follower = blocks[block.end.target]
            if follower.index in entries or sources[follower.index] != 1 or follower is block or isinstance(follower.end, Answer):
                break
            block.body.extend(follower.body)
            block.end = follower.end
            gone.add(follower.index)
    reached: set[int] = set()
    waiting = list(entries)
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            waiting.extend((*_targets(blocks[index].end), *_gotos(blocks[index])))
    _renumber(out, [b for b in blocks if b.index in reached])


def _renumber(out: Lowered, kept: list[Block]) -> None:
    from dataclasses import replace

    number = {block.index: i for i, block in enumerate(kept)}

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, GoTo):
            return replace(stmt, target=number[stmt.target])
        if isinstance(stmt, ir.IfStmt):
            return replace(stmt, then=tuple(map(statement, stmt.then)), orelse=tuple(map(statement, stmt.orelse)))
        if isinstance(stmt, ir.Together | ir.Within):
            return replace(stmt, body=tuple(map(statement, stmt.body)))
        return stmt

    for block in kept:
        block.index = number[block.index]
        block.body = [statement(s) for s in block.body]
        end = block.end
        if isinstance(end, Jump):
            block.end = Jump(number[end.target])
        elif isinstance(end, Fork):
            block.end = Fork(end.test, number[end.then], number[end.orelse])
        elif isinstance(end, Invoke):
            block.end = Invoke(end.procedure, end.args, number[end.next], end.held)
        elif isinstance(end, Walk):
            block.end = Walk(end.items, end.position, end.var, end.where, number[end.body], number[end.done])
        elif isinstance(end, Ask):
            block.end = Ask(end.node, number[end.next], number[end.empty])
        elif isinstance(end, Answer):
            block.end = Answer(end.node, [number[t] for t in end.targets], number[end.passed])
    out.blocks = kept
    out.entry = {name: number[index] for name, index in out.entry.items()}


class _Lowerer:
    def __init__(self, program: ir.Program, procedure: ir.Procedure, out: Lowered) -> None:
        self.program = program
        self.procedure = procedure
        self.out = out
        self.stops: list[int] = []
        self.hidden = 0
        self.live = liveness(program)

    def run(self) -> None:
        procedure, out = self.procedure, self.out
        first = self.block(procedure.span)
        out.entry[procedure.name] = first.index
        last = self.steps(procedure.body, first)
        if last is not None:
            last.end = Finish(None)
        out.slots[procedure.name] = {name: i + 1 for i, (name, _) in enumerate(procedure.locals)}
        out.sizes[procedure.name] = len(procedure.locals) + 1

    def block(self, span: Span) -> Block:
        block = Block(len(self.out.blocks), self.procedure.name, span=span)
        self.out.blocks.append(block)
        return block

    def local(self, name: str, type_: Type) -> str:
        self.hidden += 1
        unique = f"_{name}{self.hidden}"
        self.procedure.locals.append((unique, type_))
        return unique

    def asks(self, stmts: tuple[ir.Stmt, ...]) -> bool:
        """Whether some step among *stmts* can reach a decision."""
        return any(
            isinstance(s, ir.Choose | ir.Offer) or (isinstance(s, ir.Do) and self.program.procedures[s.procedure].asks)
            for s in statements_of(stmts)
        )

    def steps(self, stmts: tuple[ir.Stmt, ...], block: Block | None) -> Block | None:
        """Lower *stmts* into *block* and those after it; None when nothing runs after them."""
        for stmt in stmts:
            if block is None:
                return None
            if isinstance(stmt, ir.Return):
                block.end = Finish(stmt.value)
                return None
            if isinstance(stmt, ir.Stop):
                block.end = Jump(self.stops[-1])
                return None
            if not self.asks((stmt,)):
                block.body.append(self.whole(stmt))
                continue
            block = self.step(stmt, block)
        return block

    def whole(self, stmt: ir.Stmt) -> ir.Stmt:
        """A step that stays whole; a ``stop`` in it that ends a lowered loop becomes a jump."""
        from dataclasses import replace

        if isinstance(stmt, ir.Stop):
            return GoTo(self.stops[-1], span=stmt.span) if self.stops else stmt
        if isinstance(stmt, ir.IfStmt):
            return replace(stmt, then=tuple(map(self.whole, stmt.then)), orelse=tuple(map(self.whole, stmt.orelse)))
        if isinstance(stmt, ir.Together | ir.Within):
            return replace(stmt, body=tuple(map(self.whole, stmt.body)))
        return stmt

    def step(self, stmt: ir.Stmt, block: Block) -> Block | None:
        """Lower one step that can reach a decision."""
        if isinstance(stmt, ir.Do):
            after = self.block(stmt.span)
            block.end = Invoke(stmt.procedure, stmt.args, after.index, self.live.calls.get(id(stmt), Held()))
            if stmt.target is not None:
                after.body.append(TakeResult(stmt.target, span=stmt.span))
            return after
        if isinstance(stmt, ir.IfStmt):
            then, after = self.block(stmt.span), self.block(stmt.span)
            orelse = self.block(stmt.span) if stmt.orelse else after
            block.end = Fork(stmt.test, then.index, orelse.index)
            ends = [self.steps(stmt.then, then)]
            if stmt.orelse:
                ends.append(self.steps(stmt.orelse, orelse))
            for end in ends:
                if end is not None:
                    end.end = Jump(after.index)
            if stmt.orelse and all(end is None for end in ends):
                after.end = Finish(None)
                return None
            return after
        if isinstance(stmt, ir.Repeat):
            return self.repeat(stmt, block)
        if isinstance(stmt, ir.Each):
            return self.each(stmt, block)
        if isinstance(stmt, ir.Choose):
            return self.choose(stmt, block)
        if isinstance(stmt, ir.Offer):
            return self.offer(stmt, block)
        if isinstance(stmt, ir.Together):
            block.body.append(Hold(True, span=stmt.span))
            last = self.steps(stmt.body, block)
            if last is not None:
                last.body.append(Hold(False, moved(self.program, stmt.body), span=stmt.span))
            return last
        if isinstance(stmt, ir.Within):
            block.body.append(Shelve(stmt.fields, stmt.effects, True, span=stmt.span))
            last = self.steps(stmt.body, block)
            if last is not None:
                last.body.append(Shelve(stmt.fields, stmt.effects, False, span=stmt.span))
            return last
        raise AssertionError(f"{type(stmt).__name__} cannot ask")

    def repeat(self, stmt: ir.Repeat, block: Block) -> Block | None:
        head, after = self.block(stmt.span), self.block(stmt.span)
        body = head
        if stmt.times is not None:
            block.body.append(ir.Let(stmt.counter, stmt.times, span=stmt.span))
            body = self.block(stmt.span)
            counter = ir.Local(stmt.counter, type=INT, span=stmt.span)
            more = ir.Compare(">", counter, ir.Const(0, type=INT), type=Type("bool"), span=stmt.span)
            head.end = Fork(more, body.index, after.index)
            body.body.append(ir.Let(stmt.counter, ir.Op("-", counter, ir.Const(1, type=INT), type=INT, span=stmt.span), span=stmt.span))
        block.end = Jump(head.index)
        return self._around(stmt.body, head, body, after)

    def _around(self, steps: tuple[ir.Stmt, ...], head: Block, body: Block, after: Block) -> Block:
        """The body of a loop, which leads back to its head; ``stop`` leads on after it."""
        self.stops.append(after.index)
        last = self.steps(steps, body)
        self.stops.pop()
        if last is not None:
            last.end = Jump(head.index)
        return after

    def each(self, stmt: ir.Each, block: Block) -> Block | None:
        items, position = self.local("items", set_of(INT)), self.local("next", INT)
        head, body, after = self.block(stmt.span), self.block(stmt.span), self.block(stmt.span)
        block.body.append(Collect(items, stmt.source, span=stmt.span))
        block.body.append(ir.Let(position, ir.Const(0, type=INT), span=stmt.span))
        block.end = Jump(head.index)
        head.end = Walk(items, position, stmt.var, stmt.where, body.index, after.index)
        return self._around(stmt.body, head, body, after)

    def choose(self, stmt: ir.Choose, block: Block) -> Block | None:
        answer, after = self.block(stmt.span), self.block(stmt.span)
        none = self.block(stmt.span)
        none.body.append(ir.Let(stmt.var, ir.Const(-1, type=INT), span=stmt.span))
        block.end = Ask(stmt, answer.index, none.index)
        answer.end = Answer(stmt, [after.index], none.index)
        last = self.steps(stmt.orelse, none)
        if last is not None:
            last.end = Jump(after.index)
        return after

    def offer(self, stmt: ir.Offer, block: Block) -> Block | None:
        answer, after = self.block(stmt.span), self.block(stmt.span)
        head = block
        if not stmt.once or block.body:
            head = self.block(stmt.span)
            block.end = Jump(head.index)
        passed = after.index
        if stmt.on_pass:
            on_pass = self.block(stmt.span)
            passed = on_pass.index
            last = self.steps(stmt.on_pass, on_pass)
            if last is not None:
                last.end = Jump(after.index)
        head.end = Ask(stmt, answer.index, after.index)
        targets: list[int] = []
        self.stops.append(after.index)
        for branch in stmt.branches:
            body = self.block(branch.span)
            targets.append(body.index)
            last = self.steps(branch.body, body)
            if last is not None:
                last.end = Jump(after.index if stmt.once else head.index)
        self.stops.pop()
        answer.end = Answer(stmt, targets, passed)
        return after
