"""Steps of the checked tree."""

from __future__ import annotations

from dataclasses import field

from compiler.ir.expressions import Expr, Pile
from dsl.frozen import Frozen
from dsl.source import NOWHERE, Span
from runtime.model import DecisionSpec, DieSpec, EffectSpec, FieldSpec


class Stmt(metaclass=Frozen, kw_only=True):
    """A step."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Let(Stmt):
    """Bind or change a local."""

    name: str
    value: Expr


class SetField(Stmt):
    """Change a field; *op* is ``=``, ``+``, ``-`` or, for sets, ``|`` and ``&~``.

    *checks* are the checks that read the field.  With a *key*, it is that one of *among* which is
    kept for the key, and *field* the first of them.
    """

    field: FieldSpec
    owner: Expr | None
    op: str
    value: Expr
    checks: tuple[str, ...] = ()
    among: tuple[FieldSpec, ...] = ()
    key: Expr | None = None

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """The fields of which one is changed."""
        return self.among or (self.field,)


class IfStmt(Stmt):
    """``if``."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class Each(Stmt):
    """``each``."""

    var: str
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


class Repeat(Stmt):
    """``repeat``; *times* None: until stopped.  *counter* is the hidden local that counts."""

    times: Expr | None
    counter: str
    body: tuple[Stmt, ...]


class Do(Stmt):
    """Run a procedure; *target* names the local that takes its value."""

    procedure: str
    args: tuple[Expr, ...]
    target: str | None


class Return(Stmt):
    """End the procedure, with a value or without."""

    value: Expr | None


class Stop(Stmt):
    """End the innermost loop or menu."""


class Roll(Stmt):
    """Roll dice."""

    count: Expr
    die: DieSpec
    name: str


class Choose(Stmt):
    """Ask for one member *about* something; while *veil* holds, even where only passing is left."""

    var: str
    source: Expr
    where: Expr | None
    by: Expr
    decision: DecisionSpec
    orelse: tuple[Stmt, ...]
    pass_when: Expr | None = None
    veil: Expr | None = None
    about: tuple[Expr, ...] = ()


class Ranging(metaclass=Frozen):
    """The second value of a branch that chooses a pair; *source* and *where* may ask the first."""

    var: str
    source: Expr
    where: Expr | None


class Branch(metaclass=Frozen):
    """A kind of option of a menu."""

    name: str
    var: str | None
    source: Expr | None
    where: Expr | None
    when: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    rules: tuple[str, ...]
    second: Ranging | None = None

    @property
    def variables(self) -> tuple[str, ...]:
        """The locals that take the values of an option."""
        second = (self.second.var,) if self.second is not None else ()
        return tuple(v for v in (self.var, *second) if v is not None)

    @property
    def option_expressions(self) -> tuple[Expr, ...]:
        """The expressions by which options are found."""
        more = (self.second.source, self.second.where) if self.second is not None else ()
        return tuple(e for e in (self.source, self.where, self.when, *more) if e is not None)


class Offer(Stmt):
    """A menu; *on_pass* runs when a side passes (windows use it)."""

    once: bool
    by: Expr
    branches: tuple[Branch, ...]
    decision: DecisionSpec
    on_pass: tuple[Stmt, ...] = ()
    pass_when: Expr | None = None
    veil: Expr | None = None
    about: tuple[Expr, ...] = ()


class Draw(Stmt):
    """Take the top card."""

    name: str
    pile: Pile


class DrawFrom(Stmt):
    """A random member of *source* for which *where* holds; none where there is none."""

    name: str
    source: Expr
    where: Expr | None


class Put(Stmt):
    """Lay a card on a pile."""

    card: Expr
    pile: Pile


class Remove(Stmt):
    """Take one copy of a card out of a pile."""

    card: Expr
    pile: Pile


class Shuffle(Stmt):
    """Shuffle a pile, or move it to another and shuffle that."""

    pile: Pile
    into: Pile | None


class Together(Stmt):
    """Hold checks back until the end."""

    body: tuple[Stmt, ...]


class Within(Stmt):
    """A stretch of a scope inside another: *fields* and *effects* are put aside and come back."""

    scope: str
    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]
    body: tuple[Stmt, ...]


class SetEffect(Stmt):
    """An effect starts or ceases."""

    effect: EffectSpec
    on: bool
    arg: Expr | None


class Renew(Stmt):
    """*fields* of a piece get the values they have at the start; the piece must exist."""

    fields: tuple[FieldSpec, ...]
    owner: Expr


class Expire(Stmt):
    """A scope ends: *fields* go back, *effects* cease."""

    scope: str
    checkpoint: bool
    fields: tuple[FieldSpec, ...]
    effects: tuple[EffectSpec, ...]


class Finish(Stmt):
    """The game ends; *how*: ``win``, ``lose`` or ``tie``; *sides* win or lose (None: a tie)."""

    how: str
    sides: Expr | None


class Note(Stmt):
    """A line for the log."""

    index: int
    args: tuple[Expr, ...]
    #: the side or sides that are told, where not all are
    to: Expr | None = None


class Observe(Stmt):
    """That it comes to this: forecasts tell it."""

    index: int
    args: tuple[Expr, ...]


class Cited(Stmt):
    """The next step cites *rules*; *what* it is stands for them among the citations of a ruleset.
    Nothing happens.
    """

    what: str
    rules: tuple[str, ...]


class Reveal(Stmt):
    """Somebody may learn something by the next step: what was done before is not taken back."""


class Mix(Stmt):
    """Pieces exchange the values of *fields* at random, each piece's together."""

    source: Expr
    fields: tuple[FieldSpec, ...]
