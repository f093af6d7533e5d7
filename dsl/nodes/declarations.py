"""Declarations: what stands at the top of a file."""

from __future__ import annotations

import re

from dsl.nodes.expressions import Cited, Expr, Ident, Int, Node
from dsl.nodes.statements import Ranging, Stmt, Veil


class TypeRef(Node):
    """A written type; *form* is ``plain``, ``optional``, ``set`` or ``roll``."""

    name: str
    form: str = "plain"

    def __str__(self) -> str:
        forms = {"optional": "{}?", "set": "set of {}", "roll": "roll of {}"}
        return forms.get(self.form, "{}").format(self.name)


class Param(Node):
    """A parameter."""

    name: Ident
    type: TypeRef

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


#: The ID of a rule: a prefix that begins with a letter, then '-' and more.
RULE_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9.\-]*[A-Za-z0-9]")


class Citation(Node):
    """The ID of a rule where it is cited; *short*: by ``§``, without the prefix of its rulebook."""

    rule: str
    short: bool = False


class Decl(Cited):
    """A top-level declaration."""


class Section(Decl):
    """``@section "The attack" §8.1 @house "…"``: a heading, and the marks of what stands below it
    and has none.
    """

    title: str

    @property
    def heads(self) -> bool:
        """Whether it begins or ends what stands under a heading, and is not only a citation."""
        return bool(self.title) or not (self.rules or self.provenance)


class Header(Decl):
    """``ruleset r extends base``; *abstract*: only there to be extended."""

    name: Ident
    abstract: bool
    base: Ident | None


class Sides(Decl):
    """``sides a, b``."""

    names: tuple[Ident, ...]


class Measures(Decl):
    """``measure MP, Dice``."""

    names: tuple[Ident, ...]


class Scope(Decl):
    """``scope turn checkpoint``."""

    name: Ident
    checkpoint: bool


class Switch(Decl):
    """``switch s off``: an optional rule."""

    name: Ident
    default: bool


class Numbers(Node):
    """``2 .. 12``: the numbers along a side of a matrix, or those that a weight may be."""

    low: int
    high: int

    @property
    def text(self) -> str:
        """The numbers as they are written."""
        return f"{self.low} .. {self.high}"

    def __str__(self) -> str:
        return self.text


class Weight(Decl):
    """``weight w = 120 in 0 .. 500``: a number by which positions are valued."""

    name: Ident
    value: Int
    bounds: Numbers | None


class Member(Cited):
    """``a "what it is"``: a member of an enum."""

    text: str
    remark: str = ""

    def __str__(self) -> str:
        return self.text


class EnumDecl(Decl):
    """``enum E { a, b }``."""

    name: Ident
    members: tuple[Member, ...]


class Cell(Node):
    """One cell of a row, as written."""

    text: str


class Row(Cited):
    """``| a | b |`` with what it cites itself, and its provenance."""

    cells: tuple[Cell, ...]


class Column(Cited):
    """``name: type "what it is"`` of a table, with what it cites itself, and its provenance; the
    *bounds* of a column of weights.
    """

    name: Ident
    type: TypeRef
    bounds: Numbers | None = None
    remark: str = ""


class Table(Decl):
    """``table t of E { columns … | … | }``."""

    name: Ident
    enum: Ident
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


class Matrix(Decl):
    """``matrix m of R by C: T { … }``; the first row names the columns."""

    name: Ident
    row: Ident | Numbers
    column: Ident | Numbers
    type: TypeRef
    rows: tuple[Row, ...]


class Die(Decl):
    """``die d of E { face weight }`` or ``die d of 1..6``."""

    name: Ident
    enum: Ident | None
    weights: tuple[tuple[str, int], ...]
    low: int = 0
    high: int = 0


class Pile(Node):
    """``pile hand per Side owner``; *visibility* is ``open``, ``top``, ``hidden`` or ``owner``."""

    name: Ident
    per: Ident | None
    visibility: str


class Deck(Decl):
    """``deck d of Card copies column { pile … }``."""

    name: Ident
    enum: Ident
    copies: Ident
    piles: tuple[Pile, ...]


class Setting(Node):
    """``rows 9;`` inside a board."""

    name: Ident
    values: tuple[str | int, ...]


class Board(Decl):
    """``board b { layout odd_r; rows 9; columns 13; … }``."""

    name: Ident
    settings: tuple[Setting, ...]


class Field(Decl):
    """A field, perhaps ``per`` an enum; *modifiers*: ``fixed``, ``setup``, ``place``, ``alone``."""

    name: Ident
    per: Ident | None
    type: TypeRef
    default: Expr | None
    modifiers: frozenset[str]
    lasts: Ident | None
    seen_by: Ident | None
    remark: str = ""


class Piece(Decl):
    """``piece K of P { … }``: a kind of pieces, with the kind that it is one of."""

    name: Ident
    fields: tuple[Field, ...]
    parent: Ident | None = None


class Fields(Decl):
    """``fields of Side {…}``; the owner is an enum, ``Side``, ``Hex`` or ``Game``."""

    name: Ident
    fields: tuple[Field, ...]


class Function(Decl):
    """``function f(params): T remembered = e``, or with *steps* in a block instead of *body*."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef
    remembered: bool
    body: Expr | None
    steps: tuple[Stmt, ...] = ()


class Quantity(Decl):
    """``quantity q(params): T { stage … }``: decided by rules."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef
    stages: tuple[Ident, ...]


class Permission(Decl):
    """``permission p(params) allow``: the default and the rules against it."""

    name: Ident
    params: tuple[Param, ...]
    default: str


class Carried(Node):
    """``f: Direction = e``: a value that a travel carries along, and what it is at the start."""

    name: Ident
    type: TypeRef
    initial: Expr


class Change(Node):
    """``f = e``: what a carried value becomes."""

    name: Ident
    value: Expr


class Stay(Node):
    """``stay when c then f = e cost n``: a change of carried values without a step."""

    when: Expr | None
    changes: tuple[Change, ...]
    cost: Expr | None


class Travel(Decl):
    """``travel t(params) from h within n carrying f: T = e { step a to b when … then f = … }``."""

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
    carried: tuple[Carried, ...] = ()
    changes: tuple[Change, ...] = ()
    stays: tuple[Stay, ...] = ()


class Signature(Node):
    """``q``: what a head speaks about; ``q(a, b)`` where it renames the parameters."""

    name: Ident
    params: tuple[Ident, ...]


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


class Effect(Decl):
    """``effect e(params) in group lasts scope { rules }``; without a scope until it is ceased."""

    name: Ident
    params: tuple[Param, ...]
    scope: Ident | None
    body: tuple[RuleDecl, ...]
    group: Ident | None = None


class Procedure(Decl):
    """``procedure p(params): T {…}``."""

    name: Ident
    params: tuple[Param, ...]
    type: TypeRef | None
    body: tuple[Stmt, ...]


class Case(Decl):
    """``case m of p {…}``: what *p* does when its first argument is the member *m*."""

    name: Ident
    signature: Signature
    body: tuple[Stmt, ...]


class Event(Decl):
    """``event e(params) from side``: sides are asked in turn order, beginning with *first*."""

    name: Ident
    params: tuple[Param, ...]
    first: Expr | None = None


class Reaction(Decl):
    """``reaction r(u in s where c) before e by side when d veiled {…}``, for each *u*."""

    name: Ident
    ranging: Ranging | None
    timing: str
    signature: Signature
    by: Expr
    when: Expr | None
    veil: Veil | None
    body: tuple[Stmt, ...]


class Check(Decl):
    """``check c when condition {…}``: asked after every change of what it reads."""

    name: Ident
    when: Expr
    body: tuple[Stmt, ...]


class Requirement(Decl):
    """``require r that c``: what must hold of every scenario's start."""

    name: Ident
    claim: Expr


class ForetoldOption(Node):
    """``prompt.branch in procedure beside other``: the options that a forecast is of, or of which
    something is assumed; *branch* may be that of a pass, *other* is a word of another option that
    the same question can offer.
    """

    prompt: Ident
    branch: Ident | None
    procedure: Ident | None
    other: Ident | None


class Assume(Decl):
    """``assume prompt.branch never``: what forecasts take for granted of decisions; *how* is
    ``never``, ``always``, ``first`` or ``last``, or ``most`` or ``least`` of the function *by*.
    """

    option: ForetoldOption
    how: str
    by: Ident | None


class Forecast(Decl):
    """``forecast f(params) of prompt.branch = p(args) {…}``: what comes of options, from here on;
    the call is the last step of the body.
    """

    name: Ident
    params: tuple[Param, ...]
    options: tuple[ForetoldOption, ...]
    assumed: tuple[Assume, ...]
    body: tuple[Stmt, ...]


class Extend(Decl):
    """``extend enum|table|piece|fields x {…}``, and ``replace rows of x {…}`` of the kind rows."""

    kind: str
    name: Ident
    members: tuple[Member, ...] = ()
    rows: tuple[Row, ...] = ()
    fields: tuple[Field, ...] = ()


class Replace(Decl):
    """``replace <declaration>``."""

    decl: Decl


class Drop(Decl):
    """``drop kind name``, or ``drop kind of.name`` for a part of something."""

    kind: str
    name: Ident
    of: Ident | None = None


class Insert(Decl):
    """``insert ahead|behind step of procedure {…}``."""

    place: str
    step: Ident
    procedure: Ident
    body: tuple[Stmt, ...]


class Module(Node):
    """One source file; *citations* are all that stand in it, in order, *sections* its headings, and
    *books* the prefix of the IDs that it cites by ``§``, where it says so itself.
    """

    file: str
    decls: tuple[Decl, ...]
    citations: tuple[Citation, ...] = ()
    sections: tuple[Section, ...] = ()
    books: tuple[Ident, ...] = ()
