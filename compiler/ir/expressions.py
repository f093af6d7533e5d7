"""Typed expressions of the checked tree, and what stands in them without expressions: columns,
matrices, parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.types import Type
from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span
from runtime.model import EffectSpec, FieldSpec, PileSpec


@dataclass(frozen=True)
class Column:
    """A column of a table: one value per member (masks for sets)."""

    table: str
    name: str
    enum: str
    type: Type
    values: tuple[int, ...]
    rules: tuple[str, ...] = ()
    #: what the column itself cites, and each of its rows
    own: tuple[str, ...] = ()
    of_rows: tuple[tuple[str, ...], ...] = ()
    #: where its values are weights: the place of the value for none, behind which they stand
    place: int | None = None

    def weight(self, member: str) -> str:
        """What the weight of a member is called."""
        return f"{self.table}.{member}.{self.name}"

    def citations_at(self, at: int) -> tuple[str, ...]:
        """What the value of member *at* cites itself: its row and its column."""
        return (*(self.of_rows[at] if 0 <= at < len(self.of_rows) else ()), *self.own)


@dataclass(frozen=True)
class MatrixInfo:
    """A matrix, row by row; numbers along a side (``2 .. 12``) are an enum of their own."""

    name: str
    row: str
    column: str
    type: Type
    values: tuple[tuple[int, ...], ...]
    rules: tuple[str, ...] = ()
    #: what each of its rows cites itself
    of_rows: tuple[tuple[str, ...], ...] = ()


@dataclass
class ParamInfo:
    """A parameter; *name* is the local."""

    name: str
    type: Type


class Expr(metaclass=Frozen, kw_only=True):
    """A typed expression."""

    type: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Const(Expr):
    """A constant: a number, 0/1, an index, ``-1`` for none, a mask for a constant set."""

    value: int


class Label(Const):
    """A hex that a rule names; *value* is its index on the ruleset's own board."""

    name: str


class Local(Expr):
    """A local; names are unique within their procedure or function."""

    name: str


class Get(Expr):
    """A field; *owner* is None for a field of the game."""

    field: FieldSpec
    owner: Expr | None


class Pick(Expr):
    """A field kept per member of an enum, at a member found in play: one of *fields*."""

    fields: tuple[FieldSpec, ...]
    owner: Expr | None
    key: Expr


class Col(Expr):
    """A table column at a member."""

    column: Column
    key: Expr


class Cell(Expr):
    """An entry of a matrix."""

    matrix: MatrixInfo
    row: Expr
    column: Expr


class Rung(Expr):
    """The place of a number on a side of a matrix from *low* to *high*; beyond an end, that end."""

    number: Expr
    low: int
    high: int


class At(Expr):
    """The piece or pieces of a kind at a hex."""

    kind: str
    hex: Expr


class Pile(Expr):
    """A pile; *owner* is the index of a pile kept per side."""

    pile: PileSpec
    owner: Expr | None


class Apply(Expr):
    """A function, quantity or permission applied."""

    name: str
    args: tuple[Expr, ...]


class Service(Expr):
    """A built-in service."""

    name: str
    args: tuple[Expr, ...]


class Not(Expr):
    """Negation."""

    operand: Expr


class Op(Expr):
    """``+ - * / mod`` on numbers; *op* ``|`` and ``-`` with set types join and subtract sets."""

    op: str
    left: Expr
    right: Expr


class Gathered(Op):
    """The pieces of a parent at a hex: those of one kind after another."""


class Compare(Expr):
    """``== != < <= > >=``."""

    op: str
    left: Expr
    right: Expr


class Logic(Expr):
    """``and`` / ``or``."""

    op: str
    left: Expr
    right: Expr


class If(Expr):
    """``if test then a else b``."""

    test: Expr
    then: Expr
    orelse: Expr


class Common(If):
    """A field that a parent gives its kinds, of a piece of any of them: that of the kind which the
    piece is of.

    *test* asks for the first kind, *then* reads its field; *orelse* goes on with the next.
    """

    @property
    def owner(self) -> Expr:
        """The piece, as one of the parent."""
        assert isinstance(self.test, In)
        return self.test.item

    @property
    def kind(self) -> str:
        """The kind that *test* asks for."""
        assert isinstance(self.test, In) and isinstance(self.test.source, Widen)
        assert self.test.source.value.type.of is not None
        return self.test.source.value.type.of.name

    @property
    def kinds(self) -> tuple[Expr, ...]:
        """The reading of each kind's field, in order."""
        rest = self.orelse.kinds if isinstance(self.orelse, Common) else (self.orelse,)
        return (self.then, *rest)


class Widen(Expr):
    """A piece, or a set of pieces, as of the parent of its kind."""

    value: Expr


class Narrow(Expr):
    """A piece of a parent as of its own kind, where it is of that; of a set, those that are."""

    value: Expr


class Otherwise(Expr):
    """``a otherwise b``."""

    left: Expr
    right: Expr


class In(Expr):
    """Membership in a set, pile or roll."""

    item: Expr
    source: Expr


class Range(Expr):
    """``a .. b``."""

    low: Expr
    high: Expr


class SetLit(Expr):
    """``{a, b}``."""

    items: tuple[Expr, ...]


class Members(Expr):
    """All members of an enum, all pieces of a kind, all hexes."""


class Quant(Expr):
    """A quantifier; see :class:`dsl.nodes.Quant`."""

    kind: str
    var: str
    source: Expr
    where: Expr | None
    value: Expr | None


class Allot(Expr):
    """Whether each of *source* can have one of *among*, which serves *limit* of them, or one."""

    var: str
    source: Expr
    own: str
    among: Expr
    limit: Expr | None
    where: Expr | None


class Line(Expr):
    """A line of sight, clear of hexes (*var*) or of hexsides crossed from *leaves* to *enters*."""

    start: Expr
    end: Expr
    var: str
    obstacle: Expr | None
    leaves: str = ""
    enters: str = ""
    barrier: Expr | None = None
    #: whether the line moved aside is taken as a whole
    whole: bool = False


class Reach(Expr):
    """The hexes where a travel may end."""

    travel: str
    args: tuple[Expr, ...]


class Steps(Expr):
    """The cost of the cheapest way to a hex, or none."""

    travel: str
    args: tuple[Expr, ...]
    target: Expr


class Way(Expr):
    """The hexes of a cheapest way, in order, without the start and with the end; a sequence like a
    roll.

    Among equally cheap ways the one that, followed back from its end, comes over the lowest hexes.
    """

    travel: str
    args: tuple[Expr, ...]
    target: Expr


class Active(Expr):
    """Whether an effect is in force, or for which values."""

    effect: EffectSpec


class Instance(Expr):
    """The number of these values of an effect with several parameters; none where one is none."""

    effect: EffectSpec
    args: tuple[Expr, ...]


class Part(Expr):
    """The value of a parameter, from such a number."""

    effect: EffectSpec
    index: int
    number: Expr


class SwitchOn(Expr):
    """An optional rule."""

    name: str


class Weight(Expr):
    """A number by which positions are valued; *place*: which of them."""

    name: str
    place: int


class Offered(Expr):
    """That no forecast under way assumes an option (of a decision, the branch) never offered."""

    option: tuple[int, int]
