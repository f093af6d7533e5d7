"""The lowered program: basic blocks of steps, each with a terminator, and the layout of frames.

A block runs without interruption.  Between blocks everything that matters lies in the frame
``[block, local, local …]``, so a game can stand still, be copied and go on at any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from compiler import ir
from compiler.liveness import HeldPieces, Liveness
from compiler.trees import statements_of
from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span
from runtime.model import EffectSpec, FieldSpec


class Terminator(metaclass=Frozen):
    """What comes at the end of a block."""


class Jump(Terminator):
    """Go on with another block."""

    target: int


class Branch(Terminator):
    """Go on with one of two blocks."""

    test: ir.Expr
    then: int
    orelse: int


class Call(Terminator):
    """Run a procedure in a frame of its own, then go on with *next*."""

    procedure: str
    args: tuple[ir.Expr, ...]
    next: int
    held: HeldPieces


class Iterate(Terminator):
    """Take the next member of ``items`` (a local) that passes *where*; none left: *done*."""

    items: str
    position: str
    var: str
    where: ir.Expr | None
    body: int
    done: int


class Suspend(Terminator):
    """Find the options of a choice or menu and ask; block *next* resumes with the answer.

    *empty* is where to go when there is nothing to ask.
    """

    node: ir.Choose | ir.Offer
    next: int
    empty: int


class Resume(Terminator):
    """Read an answer: *targets* are the blocks of the branches, *passed* the one after a pass."""

    node: ir.Choose | ir.Offer
    targets: tuple[int, ...]
    passed: int


class Return(Terminator):
    """The procedure ends."""

    value: ir.Expr | None


class TakeResult(ir.Stmt):
    """A local takes the value of the procedure that has just ended."""

    name: str


class Collect(ir.Stmt):
    """A hidden local takes all members of a source, in order."""

    name: str
    source: ir.Expr


class Hold(ir.Stmt):
    """Checks are held back (*on*) or caught up with; then the kinds *settled* stand one a place."""

    on: bool
    settled: tuple[str, ...] = ()


class Shelve(ir.Stmt):
    """What lasts through a scope is put aside (*on*) or comes back."""

    scope: str
    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]
    on: bool


class GoTo(ir.Stmt):
    """Leave the block in the middle: used for ``stop`` inside steps that stay whole."""

    target: int


class BasicBlock(metaclass=Frozen):
    """Steps without interruption, and what comes then; *chance*: there may be chance in them;
    *at_once*: in steps that are always run.
    """

    index: int
    procedure: str
    body: tuple[ir.Stmt, ...]
    terminator: Terminator
    span: Span = NOWHERE
    chance: bool = False
    at_once: bool = False


class Block(Protocol):
    """A block, or one in the making."""

    @property
    def body(self) -> Sequence[ir.Stmt]:
        """Its steps."""

    @property
    def terminator(self) -> Terminator:
        """What comes then."""


@dataclass(frozen=True)
class Lowered:
    """All blocks of a program; *entry* names the first block of each procedure that can ask."""

    blocks: tuple[BasicBlock, ...]
    entry: Mapping[str, int]
    #: frame layout: the place of each local, by procedure
    slots: Mapping[str, Mapping[str, int]]
    #: the length of each procedure's frame
    sizes: Mapping[str, int]
    #: what procedures hold of pieces while the game stands still
    live: Liveness
    #: by block behind a question or a call, the stretches (``within``, ``together``) around it
    inside: Mapping[int, tuple[str, ...]]

    @cached_property
    def by_procedure(self) -> dict[str, list[BasicBlock]]:
        """The blocks of each procedure, in order."""
        blocks: dict[str, list[BasicBlock]] = {}
        for block in self.blocks:
            blocks.setdefault(block.procedure, []).append(block)
        return blocks

    def holding_blocks(self) -> Iterator[tuple[BasicBlock, int, HeldPieces]]:
        """The blocks behind which a game stands still or another procedure runs while something is
        held of pieces; each with the block with which its frame goes on then, and what is held.
        """
        for block in self.blocks:
            end, held = block.terminator, None
            if isinstance(end, Call):
                held = end.held
            elif isinstance(end, Suspend):
                held = self.live.decisions.get(end.node.decision.index)
            if isinstance(end, Call | Suspend) and held and (held.locals or held.kinds):
                yield block, end.next, held


def retargeted(end: Terminator, target: Callable[[int], int]) -> Terminator:
    """A terminator that goes on with what *target* gives for each of its blocks."""
    match end:
        case Jump():
            return Jump(target(end.target))
        case Branch():
            return replace(end, then=target(end.then), orelse=target(end.orelse))
        case Call():
            return replace(end, next=target(end.next))
        case Iterate():
            return replace(end, body=target(end.body), done=target(end.done))
        case Suspend():
            return replace(end, next=target(end.next), empty=target(end.empty))
        case Resume():
            return replace(end, targets=tuple(map(target, end.targets)), passed=target(end.passed))
    return end


def followers(block: Block) -> list[int]:
    """The blocks with which one may go on."""
    followers = [s.target for s in statements_of(block.body) if isinstance(s, GoTo)]

    def note(index: int) -> int:
        followers.append(index)
        return index

    retargeted(block.terminator, note)
    return followers
