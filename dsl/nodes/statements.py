"""The steps of procedures."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.nodes.expressions import Call, Cited, Expr, Ident, Node


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
class SetDo(Stmt):
    """``set p = do q(args)``."""

    target: Expr
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
class Veil(Node):
    """``veiled when c``: where c holds the question is put even when only passing is left."""

    when: Expr | None


@dataclass(frozen=True, slots=True)
class Prompt(Node):
    """``prompt p(args)``: what is asked, and what the question is about."""

    name: Ident
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choose(Stmt):
    """``choose secretly x in s where c by side prompt p(args) pass w veiled else {…}``."""

    secretly: bool
    var: Ident
    source: Expr
    where: Expr | None
    by: Expr
    prompt: Prompt | None
    passing: Ident | None
    passing_when: Expr | None
    veil: Veil | None
    orelse: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Ranging(Node):
    """``u in s where c``: what a branch or a reaction is there for each of."""

    var: Ident
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Branch(Cited):
    """A line of a menu: ``attack(u in s where c, v in t where d) when e {…}``; up to two values."""

    name: Ident
    first: Ranging | None
    second: Ranging | None
    when: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Offer(Stmt):
    """``offer by side {… pass done}``: a menu taken from until passed, or once."""

    once: bool
    by: Expr
    prompt: Prompt | None
    branches: tuple[Branch, ...]
    passing: Ident | None
    passing_when: Expr | None
    veil: Veil | None


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    """``draw c from p``: the top card of a pile; or a random member of a set, which stays in it."""

    name: Ident
    source: Expr
    where: Expr | None


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
class Given(Node):
    """``type: LI``: a field of a piece that is created."""

    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class Create(Stmt):
    """``create K as u { type: LI } else {…}``: a piece off the board comes into play anew."""

    kind: Ident
    var: Ident
    given: tuple[Given, ...]
    orelse: tuple[Stmt, ...] | None


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
class Within(Stmt):
    """``within s {…}``: a stretch of scope *s* in another, whose values are put aside."""

    scope: Ident
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
class Expire(Stmt):
    """``expire s``: what lasts only through scope *s* is over."""

    scope: Ident


@dataclass(frozen=True, slots=True)
class Win(Stmt):
    """``win by s``: the game ends at once; a side or a set of sides has won."""

    sides: Expr


@dataclass(frozen=True, slots=True)
class Lose(Stmt):
    """``lose by s``: the game ends at once; a side or a set of sides comes last, nobody wins."""

    sides: Expr


@dataclass(frozen=True, slots=True)
class Tie(Stmt):
    """``tie``: the game ends at once; all sides are level."""


@dataclass(frozen=True, slots=True)
class Step(Stmt):
    """``step s {…}``: a part of a procedure that expansions can name."""

    name: Ident
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Note(Stmt):
    """``note n(args) to s``: a line for the log, worded by the catalogue; for all, or for *s*."""

    call: Call
    to: Expr | None = None


@dataclass(frozen=True, slots=True)
class Outcome(Stmt):
    """``outcome n(args)``: what a forecast says of the way that chance has taken."""

    call: Call


@dataclass(frozen=True, slots=True)
class Mix(Stmt):
    """``mix S``: the pieces of S exchange at random what not every side sees of them."""

    source: Expr
