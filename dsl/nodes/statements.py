"""The steps of procedures."""

from __future__ import annotations

from dsl.nodes.expressions import Call, Cited, Expr, Ident, Node


class Stmt(Cited):
    """A step of a procedure, with what it cites itself."""


class Let(Stmt):
    """``let x = e``; once bound a local keeps its name until its block ends."""

    name: Ident
    value: Expr


class LetDo(Stmt):
    """``let x = do p(args)``."""

    name: Ident
    call: Call


class SetDo(Stmt):
    """``set p = do q(args)``."""

    target: Expr
    call: Call


class Assign(Stmt):
    """``set p = e``, ``add e to p``, ``take e from p``; *op* is ``=``, ``+`` or ``-``."""

    target: Expr
    op: str
    value: Expr


class If(Stmt):
    """``if c {…} else {…}``."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class Each(Stmt):
    """``each x in s where c {…}``: the members are fixed when the loop begins."""

    var: Ident
    source: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


class Repeat(Stmt):
    """``repeat {…}`` until ``stop``, or ``repeat n times {…}``."""

    times: Expr | None
    body: tuple[Stmt, ...]


class Do(Stmt):
    """``do p(args)``."""

    call: Call


class Return(Stmt):
    """``return e``."""

    value: Expr


class Leave(Stmt):
    """``leave``: the procedure ends here."""


class Stop(Stmt):
    """``stop``: the innermost ``repeat``, ``each`` or ``offer`` ends here."""


class Roll(Stmt):
    """``roll n die as r``."""

    count: Expr
    die: Ident
    name: Ident


class Veil(Node):
    """``veiled when c``: where c holds the question is put even when only passing is left."""

    when: Expr | None


class Prompt(Node):
    """``prompt p(args)``: what is asked, and what the question is about."""

    name: Ident
    args: tuple[Expr, ...]


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


class Ranging(Node):
    """``u in s where c``: what a branch or a reaction is there for each of."""

    var: Ident
    source: Expr
    where: Expr | None


class Branch(Cited):
    """A line of a menu: ``attack(u in s where c, v in t where d) when e {…}``; up to two values."""

    name: Ident
    first: Ranging | None
    second: Ranging | None
    when: Expr | None
    body: tuple[Stmt, ...]


class Offer(Stmt):
    """``offer by side {… pass done}``: a menu taken from until passed, or once."""

    once: bool
    by: Expr
    prompt: Prompt | None
    branches: tuple[Branch, ...]
    passing: Ident | None
    passing_when: Expr | None
    veil: Veil | None


class Draw(Stmt):
    """``draw c from p``: the top card of a pile; or a random member of a set, which stays in it."""

    name: Ident
    source: Expr
    where: Expr | None


class Put(Stmt):
    """``put c on p``."""

    card: Expr
    pile: Expr


class Remove(Stmt):
    """``remove c from p``: take one copy out of a pile."""

    card: Expr
    pile: Expr


class Shuffle(Stmt):
    """``shuffle p`` or ``shuffle p into q``: all of *p* joins *q*, which is then shuffled."""

    pile: Expr
    into: Expr | None


class Given(Node):
    """``type: LI``: a field of a piece that is created."""

    name: Ident
    value: Expr


class Create(Stmt):
    """``create K as u { type: LI } else {…}``: a piece off the board comes into play anew."""

    kind: Ident
    var: Ident
    given: tuple[Given, ...]
    orelse: tuple[Stmt, ...] | None


class EventStmt(Stmt):
    """``event e(args) {…}``: an act with windows before, instead of and after it."""

    name: Ident
    args: tuple[Expr, ...]
    body: tuple[Stmt, ...]


class Together(Stmt):
    """``together {…}``: checks wait until the end of the block."""

    body: tuple[Stmt, ...]


class Within(Stmt):
    """``within s {…}``: a stretch of scope *s* in another, whose values are put aside."""

    scope: Ident
    body: tuple[Stmt, ...]


class Start(Stmt):
    """``start e(args)``: an effect comes into force."""

    call: Call


class Cease(Stmt):
    """``cease e(args)``: an effect ends."""

    call: Call


class Expire(Stmt):
    """``expire s``: what lasts only through scope *s* is over."""

    scope: Ident


class Win(Stmt):
    """``win by s``: the game ends at once; a side or a set of sides has won."""

    sides: Expr


class Lose(Stmt):
    """``lose by s``: the game ends at once; a side or a set of sides comes last, nobody wins."""

    sides: Expr


class Tie(Stmt):
    """``tie``: the game ends at once; all sides are level."""


class Step(Stmt):
    """``step s {…}``: a part of a procedure that expansions can name."""

    name: Ident
    body: tuple[Stmt, ...]


class Note(Stmt):
    """``note n(args) to s``: a line for the log, worded by the catalogue; for all, or for *s*."""

    call: Call
    to: Expr | None = None


class Observe(Stmt):
    """``observe n(args)``: that it comes to this, which forecasts tell; at play nothing."""

    call: Call


class Mix(Stmt):
    """``mix S``: the pieces of S exchange at random what not every side sees of them."""

    source: Expr
