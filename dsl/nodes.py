"""The syntax tree: frozen, slotted nodes with spans.

Two trees are equal when they say the same, wherever they say it: spans do not take part in
comparison.  Optional parts that are absent are ``None`` or empty tuples.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from dsl.source import NOWHERE, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place in a source."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A name where it is written."""

    text: str

    def __str__(self) -> str:
        return self.text


# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """A total expression."""


@dataclass(frozen=True, slots=True)
class Int(Expr):
    """A number, with a measure (``3 Dice``) or without."""

    value: int
    measure: str | None = None


@dataclass(frozen=True, slots=True)
class Bool(Expr):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class NoneLit(Expr):
    """``none``."""


@dataclass(frozen=True, slots=True)
class Name(Expr):
    """A name used as a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    """``object.name``: a field, a table column or a board attribute."""

    object: Expr
    name: Ident


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """``object[i]``: pieces at a place, a pile of a side, an entry of a matrix."""

    object: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """``name(args)``."""

    name: Ident
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """``not x`` or ``-x``; *op* is ``not`` or ``-``."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """Two operands; *op* is the operator as written (``is not``, ``otherwise``, ``..`` …)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cond(Expr):
    """``if c then a else b``."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Quant(Expr):
    """A question about the members of a set.

    *kind* is one of ``some no every count all first sum most least``; *value* is what ``sum``,
    ``most`` and ``least`` add up or compare; *where* is the filter (for ``every`` the claim).
    """

    kind: str
    var: Ident
    source: Expr
    where: Expr | None
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Line(Expr):
    """``line a to b clear of h where c``: a straight line of sight."""

    start: Expr
    end: Expr
    var: Ident
    obstacle: Expr


@dataclass(frozen=True, slots=True)
class Reach(Expr):
    """``reach t(args)``: the hexes where a travel may end."""

    call: Call


@dataclass(frozen=True, slots=True)
class Steps(Expr):
    """``steps t(args) to h``: what a travel to *h* costs, or none."""

    call: Call
    target: Expr


@dataclass(frozen=True, slots=True)
class Way(Expr):
    """``way t(args) to h``: the hexes of a cheapest way, in order."""

    call: Call
    target: Expr


@dataclass(frozen=True, slots=True)
class Active(Expr):
    """``active e``: whether an effect is in force."""

    effect: Ident


@dataclass(frozen=True, slots=True)
class SetLit(Expr):
    """``{a, b}``."""

    items: tuple[Expr, ...]


# --------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Stmt(Node):
    """A step of a procedure."""


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    """``let x = e``; once bound a local keeps its name until its block ends."""

    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class LetDo(Stmt):
    """``let x = do p(args)``."""

    name: Ident
    call: Call


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """``set p = e``, ``add e to p``, ``take e from p``; *op* is ``=``, ``+`` or ``-``."""

    target: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """``if c {…} else {…}``."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Each(Stmt):
    """``each x in s where c {…}``: the members are fixed when the loop begins."""

    var: Ident
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    """``repeat {…}`` until ``stop``, or ``repeat n times {…}``."""

    times: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """``do p(args)``."""

    call: Call


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    """``return e``."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Leave(Stmt):
    """``leave``: the procedure ends here."""


@dataclass(frozen=True, slots=True)
class Stop(Stmt):
    """``stop``: the innermost ``repeat``, ``each`` or ``offer`` ends here."""


@dataclass(frozen=True, slots=True)
class Roll(Stmt):
    """``roll n die as r``."""

    count: Expr
    die: Ident
    name: Ident


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    """``choose x in s where c by side prompt p pass none_label else {…}``."""

    var: Ident
    source: Expr
    where: Expr | None
    by: Expr
    prompt: Ident | None
    passing: Ident | None
    passing_when: Expr | None
    orelse: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """One line of a menu: ``attack(u in s where c) when d {…}``."""

    name: Ident
    var: Ident | None
    source: Expr | None
    where: Expr | None
    when: Expr | None
    body: tuple[Stmt, ...]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer(Stmt):
    """``offer by side {… pass done}``: a menu taken from until passed, or once."""

    once: bool
    by: Expr
    prompt: Ident | None
    branches: tuple[Branch, ...]
    passing: Ident | None
    passing_when: Expr | None


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    """``draw c from p``: take the top card of a pile."""

    name: Ident
    pile: Expr


@dataclass(frozen=True, slots=True)
class Put(Stmt):
    """``put c on p``."""

    card: Expr
    pile: Expr


@dataclass(frozen=True, slots=True)
class Remove(Stmt):
    """``remove c from p``: take one copy out of a pile."""

    card: Expr
    pile: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Stmt):
    """``shuffle p`` or ``shuffle p into q``: all of *p* joins *q*, which is then shuffled."""

    pile: Expr
    into: Expr | None


@dataclass(frozen=True, slots=True)
class EventStmt(Stmt):
    """``event e(args) {…}``: an act with windows before, instead of and after it."""

    name: Ident
    args: tuple[Expr, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Together(Stmt):
    """``together {…}``: checks wait until the end of the block."""

    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Start(Stmt):
    """``start e(args)``: an effect comes into force."""

    call: Call


@dataclass(frozen=True, slots=True)
class Cease(Stmt):
    """``cease e(args)``: an effect ends."""

    call: Call


@dataclass(frozen=True, slots=True)
class EndScope(Stmt):
    """``end s``: what lasts only through scope *s* is over."""

    scope: Ident


@dataclass(frozen=True, slots=True)
class Win(Stmt):
    """``win by side``: the game ends at once."""

    side: Expr


@dataclass(frozen=True, slots=True)
class Tie(Stmt):
    """``tie``: the game ends at once without a winner."""


@dataclass(frozen=True, slots=True)
class Step(Stmt):
    """``step s {…}``: a part of a procedure that expansions can name."""

    name: Ident
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Note(Stmt):
    """``note n(args)``: a line for the log, worded by the catalogue."""

    call: Call


# --------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class TypeRef(Node):
    """A written type; *form* is ``plain``, ``optional``, ``set`` or ``roll``."""

    name: str
    form: str = "plain"


@dataclass(frozen=True, slots=True)
class Param(Node):
    """A parameter or a column."""

    name: Ident
    type: TypeRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Decl(Node):
    """A top-level declaration with its citations (``@rule``) and its provenance."""

    rules: tuple[str, ...] = ()
    provenance: str | None = None


@dataclass(frozen=True, slots=True)
class Header(Decl):
    """``ruleset r extends base``."""

    name: Ident
    base: Ident | None


@dataclass(frozen=True, slots=True)
class Sides(Decl):
    """``sides a, b``."""

    names: tuple[Ident, ...]


@dataclass(frozen=True, slots=True)
class Measures(Decl):
    """``measure MP, Dice``."""

    names: tuple[Ident, ...]


@dataclass(frozen=True, slots=True)
class Scope(Decl):
    """``scope turn checkpoint``."""

    name: Ident
    checkpoint: bool


@dataclass(frozen=True, slots=True)
class Switch(Decl):
    """``switch s off``: an optional rule."""

    name: Ident
    default: bool


@dataclass(frozen=True, slots=True)
class EnumDecl(Decl):
    """``enum E { a, b }``."""

    name: Ident
    members: tuple[Ident, ...]


@dataclass(frozen=True, slots=True)
class Cell(Node):
    """One cell of a row, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Row(Node):
    """``| a | b |``."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table(Decl):
    """``table t of E { columns … | … | }``."""

    name: Ident
    enum: Ident
    columns: tuple[Param, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Matrix(Decl):
    """``matrix m of R by C: T { … }``; the first row names the columns."""

    name: Ident
    row: Ident
    column: Ident
    type: TypeRef
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Die(Decl):
    """``die d of E { face weight }`` or ``die d of 1..6``."""

    name: Ident
    enum: Ident | None
    weights: tuple[tuple[str, int], ...]
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Pile(Node):
    """``pile hand per Side owner``; *visibility* is ``open``, ``hidden`` or ``owner``."""

    name: Ident
    per: Ident | None
    visibility: str


@dataclass(frozen=True, slots=True)
class Deck(Decl):
    """``deck d of Card copies column { pile … }``."""

    name: Ident
    enum: Ident
    copies: Ident
    piles: tuple[Pile, ...]


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """``rows 9;`` inside a board."""

    name: Ident
    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Board(Decl):
    """``board b { layout odd_r; rows 9; columns 13; … }``."""

    name: Ident
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Field(Decl):
    """A field; *modifiers* holds ``fixed``, ``setup``, ``place``, ``alone``."""

    name: Ident
    type: TypeRef
    default: Expr | None
    modifiers: frozenset[str]
    lasts: Ident | None
    seen_by: Ident | None


@dataclass(frozen=True, slots=True)
class Piece(Decl):
    """``piece K { … }``."""

    name: Ident
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Fields(Decl):
    """``fields of Side {…}``; the owner is an enum, ``Side``, ``Hex`` or ``Game``."""

    name: Ident
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Function(Decl):
    """``function f(params): T = e``."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef
    body: Expr


@dataclass(frozen=True, slots=True)
class Quantity(Decl):
    """``quantity q(params): T { stage … }``: decided by rules."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef
    stages: tuple[Ident, ...]


@dataclass(frozen=True, slots=True)
class Permission(Decl):
    """``permission p(params) allow``: the default and the rules against it."""

    name: Ident
    params: tuple[Param, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Travel(Decl):
    """``travel t(params) from h within n { step a to b when … }``."""

    name: Ident
    params: tuple[Param, ...]
    origin: Expr
    budget: Expr
    here: Ident
    there: Ident
    enter: Expr
    cost: Expr | None
    halt: Expr | None
    end: Expr | None


@dataclass(frozen=True, slots=True)
class Signature(Node):
    """``q(a, b)``: what a rule speaks about, naming its arguments."""

    name: Ident
    params: tuple[Ident, ...]


@dataclass(frozen=True, slots=True)
class RuleDecl(Decl):
    """A labelled rule.

    *kind* is ``rule`` (gives *value*), ``allow``, ``deny``, ``modify`` (adds *value* in *stage*),
    ``most``/``least`` (limits *stage*) or ``suspend`` (takes rule *name* out of force).
    """

    kind: str
    name: Ident
    excepts: tuple[Ident, ...]
    signature: Signature
    when: Expr | None
    value: Expr | None = None
    stage: Ident | None = None


@dataclass(frozen=True, slots=True)
class Effect(Decl):
    """``effect e(params) lasts scope { rules }``."""

    name: Ident
    params: tuple[Param, ...]
    scope: Ident
    body: tuple[RuleDecl, ...]


@dataclass(frozen=True, slots=True)
class Procedure(Decl):
    """``procedure p(params): T {…}``."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Case(Decl):
    """``case m of p(params) {…}``: what *p* does when its first argument is the member *m*."""

    name: Ident
    signature: Signature
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Event(Decl):
    """``event e(params)``."""

    name: Ident
    params: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Reaction(Decl):
    """``reaction r before e(params) by side when c {…}``."""

    name: Ident
    timing: str
    signature: Signature
    by: Expr
    when: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Check(Decl):
    """``check c when condition {…}``: asked after every change of what it reads."""

    name: Ident
    when: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Extend(Decl):
    """``extend enum|table|piece|fields x {…}``."""

    kind: str
    name: Ident
    members: tuple[Ident, ...] = ()
    rows: tuple[Row, ...] = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Replace(Decl):
    """``replace <declaration>``."""

    decl: Decl


@dataclass(frozen=True, slots=True)
class Drop(Decl):
    """``drop kind name``."""

    kind: str
    name: Ident


@dataclass(frozen=True, slots=True)
class Insert(Decl):
    """``insert ahead|behind step of procedure {…}``."""

    place: str
    step: Ident
    procedure: Ident
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Module(Node):
    """One source file."""

    file: str
    decls: tuple[Decl, ...]


def children(node: Node) -> list[Node]:
    """The nodes directly below *node*, in source order of its fields."""
    found: list[Node] = []

    def collect(value: Any) -> None:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple | frozenset):
            for item in value:
                collect(item)

    for f in fields(node):
        if f.name != "span":
            collect(getattr(node, f.name))
    return found
