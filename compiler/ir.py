"""The checked tree: resolved names, types on every expression, nothing left to look up.

Both executions start here: the reference interpreter walks this tree, the lowering turns it into
blocks.  All nodes are frozen; declarations that refer to each other (procedures, quantities) are
plain objects filled in while checking.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compiler.types import Type
from dsl.source import NOWHERE, Span
from runtime.board import Board
from runtime.model import DecisionSpec, DeckSpec, DieSpec, EffectSpec, FieldSpec, PileSpec, TypeSpec

if TYPE_CHECKING:
    from compiler.travel import TravelInfo

#: Functions and quantities that the engine asks for each side, where a ruleset declares them: what a position is worth, the points.
ASKED_BY_ENGINE = ("standing", "score")

# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """A typed expression."""

    type: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A constant: a number, 0/1, an index, ``-1`` for none, a mask for a constant set."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(Expr):
    """A local; names are unique within their procedure or function."""

    name: str


@dataclass(frozen=True, slots=True)
class Get(Expr):
    """A field; *owner* is None for a field of the game."""

    field: FieldSpec
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class Col(Expr):
    """A table column at a member."""

    column: Column
    key: Expr


@dataclass(frozen=True, slots=True)
class Cell(Expr):
    """An entry of a matrix."""

    matrix: MatrixInfo
    row: Expr
    column: Expr


@dataclass(frozen=True, slots=True)
class At(Expr):
    """The piece or pieces of a kind at a hex."""

    kind: str
    hex: Expr


@dataclass(frozen=True, slots=True)
class Pile(Expr):
    """A pile; *owner* is the index of a pile kept per side."""

    pile: PileSpec
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class Apply(Expr):
    """A function, quantity or permission applied."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Service(Expr):
    """A built-in service."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """Negation."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Op(Expr):
    """``+ - * / mod`` on numbers; *op* ``|`` and ``-`` with set types join and subtract sets."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """``== != < <= > >=``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """``and`` / ``or``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class If(Expr):
    """``if test then a else b``."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Otherwise(Expr):
    """``a otherwise b``."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class In(Expr):
    """Membership in a set, pile or roll."""

    item: Expr
    source: Expr


@dataclass(frozen=True, slots=True)
class Range(Expr):
    """``a .. b``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetLit(Expr):
    """``{a, b}``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Members(Expr):
    """All members of an enum, all pieces of a kind, all hexes."""


@dataclass(frozen=True, slots=True)
class Quant(Expr):
    """A quantifier; see :class:`dsl.nodes.Quant`."""

    kind: str
    var: str
    source: Expr
    where: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Line(Expr):
    """A line of sight: clear of hexes (*var*) and of hexsides crossed from *leaves* to *enters*; either may not be asked about."""

    start: Expr
    end: Expr
    var: str
    obstacle: Expr | None
    leaves: str = ""
    enters: str = ""
    barrier: Expr | None = None


@dataclass(frozen=True, slots=True)
class Reach(Expr):
    """The hexes where a travel may end."""

    travel: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Steps(Expr):
    """The cost of the cheapest way to a hex, or none."""

    travel: str
    args: tuple[Expr, ...]
    target: Expr


@dataclass(frozen=True, slots=True)
class Way(Expr):
    """The hexes of a cheapest way, in order, without the start and with the end; a sequence like a roll.

    Among equally cheap ways the one that, followed back from its end, comes over the lowest hexes.
    """

    travel: str
    args: tuple[Expr, ...]
    target: Expr


@dataclass(frozen=True, slots=True)
class Active(Expr):
    """Whether an effect is in force, or for which values."""

    effect: EffectSpec


@dataclass(frozen=True, slots=True)
class SwitchOn(Expr):
    """An optional rule."""

    name: str


# --------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Stmt:
    """A step."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    """Bind or change a local."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SetField(Stmt):
    """Change a field; *op* is ``=``, ``+``, ``-`` or, for sets, ``|`` and ``&~``.

    *checks* are the checks that read the field.
    """

    field: FieldSpec
    owner: Expr | None
    op: str
    value: Expr
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IfStmt(Stmt):
    """``if``."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Each(Stmt):
    """``each``."""

    var: str
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    """``repeat``; *times* None: until stopped.  *counter* is the hidden local that counts."""

    times: Expr | None
    counter: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """Run a procedure; *target* names the local that takes its value."""

    procedure: str
    args: tuple[Expr, ...]
    target: str | None


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    """End the procedure, with a value or without."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Stop(Stmt):
    """End the innermost loop or menu."""


@dataclass(frozen=True, slots=True)
class Roll(Stmt):
    """Roll dice."""

    count: Expr
    die: DieSpec
    name: str


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    """Ask for one member; while *veil* holds, even where only passing is left."""

    var: str
    source: Expr
    where: Expr | None
    by: Expr
    decision: DecisionSpec
    orelse: tuple[Stmt, ...]
    pass_when: Expr | None = None
    veil: Expr | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A kind of option of a menu."""

    name: str
    var: str | None
    source: Expr | None
    where: Expr | None
    when: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer(Stmt):
    """A menu; *on_pass* runs when a side passes (windows use it)."""

    once: bool
    by: Expr
    branches: tuple[Branch, ...]
    decision: DecisionSpec
    on_pass: tuple[Stmt, ...] = ()
    pass_when: Expr | None = None
    veil: Expr | None = None


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    """Take the top card."""

    name: str
    pile: Pile


@dataclass(frozen=True, slots=True)
class Put(Stmt):
    """Lay a card on a pile."""

    card: Expr
    pile: Pile


@dataclass(frozen=True, slots=True)
class Remove(Stmt):
    """Take one copy of a card out of a pile."""

    card: Expr
    pile: Pile


@dataclass(frozen=True, slots=True)
class Shuffle(Stmt):
    """Shuffle a pile, or move it to another and shuffle that."""

    pile: Pile
    into: Pile | None


@dataclass(frozen=True, slots=True)
class Together(Stmt):
    """Hold checks back until the end."""

    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Within(Stmt):
    """A stretch of a scope inside another: *fields* and *effects* are put aside and come back."""

    scope: str
    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class SetEffect(Stmt):
    """An effect starts or ceases."""

    effect: EffectSpec
    on: bool
    arg: Expr | None


@dataclass(frozen=True, slots=True)
class EndScope(Stmt):
    """A scope ends: *fields* go back, *effects* cease."""

    scope: str
    checkpoint: bool
    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]


@dataclass(frozen=True, slots=True)
class Win(Stmt):
    """The game ends; *side* None: tied."""

    side: Expr | None


@dataclass(frozen=True, slots=True)
class Note(Stmt):
    """A line for the log."""

    index: int
    args: tuple[Expr, ...]


# --------------------------------------------------------------------------- declarations


@dataclass(frozen=True)
class Column:
    """A column of a table: one value per member (masks for sets)."""

    table: str
    name: str
    enum: str
    type: Type
    values: tuple[int, ...]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class MatrixInfo:
    """A matrix: values by row member, then column member."""

    name: str
    row: str
    column: str
    type: Type
    values: tuple[tuple[int, ...], ...]
    rules: tuple[str, ...] = ()


@dataclass
class ParamInfo:
    """A parameter; *name* is the local."""

    name: str
    type: Type


@dataclass
class Rule:
    """A rule of a quantity or permission.

    *verdict* is ``allow``/``deny`` for permissions; *exceptions* narrow it; *suspended* are the
    conditions under which it has no force, with the names of the suspending rules.
    """

    name: str
    when: Expr | None
    value: Expr | None
    verdict: str = ""
    exceptions: list[Rule] = field(default_factory=list)
    suspended: list[tuple[str, Expr]] = field(default_factory=list)
    excepts: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    effect: str | None = None


@dataclass
class Modifier:
    """*op* is ``by``, ``most`` or ``least``."""

    name: str
    op: str
    when: Expr | None
    value: Expr
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    effect: str | None = None


@dataclass
class Callable:
    """A function, quantity or permission (*kind*)."""

    kind: str
    name: str
    params: list[ParamInfo]
    type: Type
    body: Expr | None = None
    default: str = ""
    stages: tuple[str, ...] = ()
    roots: list[Rule] = field(default_factory=list)
    modifiers: dict[str, list[Modifier]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    #: filled by the analysis: slots it reads (through calls too), whether it reads no state at all
    reads: frozenset[str] = frozenset()


@dataclass
class Procedure:
    """A procedure or one case of it.

    *locals* lists all locals in order (parameters first); *secrets* those that follow from secret choices, each with the
    decisions at which it is still known; *asks* tells whether it can reach a decision; *cases* maps the index of a member of
    the first parameter's enum to the procedure to run instead.
    """

    name: str
    params: list[ParamInfo]
    type: Type
    body: tuple[Stmt, ...] = ()
    cases: dict[int, str] = field(default_factory=dict)
    case_of: str | None = None
    locals: list[tuple[str, Type]] = field(default_factory=list)
    secrets: dict[str, set[int]] = field(default_factory=dict)
    asks: bool = False
    rules: tuple[str, ...] = ()
    provenance: str | None = None
    span: Span = NOWHERE
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


@dataclass
class CheckInfo:
    """A condition watched over."""

    name: str
    when: Expr
    body: tuple[Stmt, ...]
    locals: list[tuple[str, Type]]
    rules: tuple[str, ...]
    span: Span
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


@dataclass
class Program:
    """A checked ruleset."""

    name: str = ""
    bases: tuple[str, ...] = ()
    hash: str = ""
    sides: tuple[str, ...] = ()
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    switches: dict[str, bool] = field(default_factory=dict)
    scopes: dict[str, bool] = field(default_factory=dict)
    columns: dict[tuple[str, str], Column] = field(default_factory=dict)
    matrices: dict[str, MatrixInfo] = field(default_factory=dict)
    dice: dict[str, DieSpec] = field(default_factory=dict)
    decks: dict[str, DeckSpec] = field(default_factory=dict)
    piles: dict[str, PileSpec] = field(default_factory=dict)
    board: Board | None = None
    kinds: tuple[str, ...] = ()
    fields: dict[tuple[str, str], FieldSpec] = field(default_factory=dict)
    #: initial values given by an expression over ``it``: (owner, field) → expression
    initials: dict[tuple[str, str], Expr] = field(default_factory=dict)
    calls: dict[str, Callable] = field(default_factory=dict)
    travels: dict[str, TravelInfo] = field(default_factory=dict)
    effects: dict[str, EffectSpec] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    checks: dict[str, CheckInfo] = field(default_factory=dict)
    decisions: list[DecisionSpec] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: the types of the arguments of each note
    note_types: list[tuple[TypeSpec, ...]] = field(default_factory=list)
    #: the node of each decision, for explanations
    decision_nodes: list[Choose | Offer] = field(default_factory=list)
    #: expressions that calls stand for, found while emitting
    inlined: dict[str, Expr | None] = field(default_factory=dict)
    #: what must hold of a scenario's start: name → the function that tells (``require_name``)
    requirements: dict[str, Callable] = field(default_factory=dict)
    #: values of tables that are not known: enum, member, column
    unknown: list[tuple[str, int, str]] = field(default_factory=list)
    #: functions worked out into tables: their sizes
    tabulated: dict[str, tuple[int, ...] | None] = field(default_factory=dict)
    #: travels whose ways are asked for (``travel x``)
    ways: set[str] = field(default_factory=set)
    #: citations: rule ID → names of the things that cite it
    citations: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def place_of(self, kind: str) -> FieldSpec | None:
        """The place field of a piece kind."""
        return next((f for f in self.fields.values() if f.owner == kind and f.place), None)
