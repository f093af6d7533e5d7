"""The checked tree in words: expressions and steps as one would write them, for dumps and explanations."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler import lowered as low
from compiler.trees import walk
from compiler.types import Type
from runtime.bitsets import bits
from runtime.board import Board

_LOOSE = {
    "or": 1,
    "and": 2,
    "not": 3,
    "compare": 4,
    "range": 5,
    "otherwise": 6,
    "+": 7,
    "-": 7,
    "|": 7,
    "*": 8,
    "/": 8,
    "mod": 8,
}
_SHOWN = {"==": "is", "!=": "is not", "|": "+", "&~": "-"}
_TIGHT = 10


class Wording:
    """Writes expressions and steps of one program."""

    def __init__(self, program: ir.Program, board: Board | None = None) -> None:
        self.program = program
        #: the board whose labels are used: the ruleset's, unless another is given
        self.board = board or program.board

    # ------------------------------------------------------------------ values

    def value(self, value: int, type_: Type, names: dict[str, list[str]] | None = None) -> str:
        """A value of a type; *names* holds the names of pieces by kind."""
        program = self.program
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "set" and type_.of is not None:
            members = [self.value(v, type_.of, names) for v in bits(value)]
            return "{" + ", ".join(members) + "}"
        if type_.kind == "none" or (value < 0 and (type_.finite or type_.optional)):
            return "none"
        if type_.kind == "enum":
            members_ = program.enums.get(type_.name, ())
            return members_[value] if value < len(members_) else f"{type_.name}#{value}"
        if type_.kind == "hex" and self.board is not None:
            return self.board.label(value) if value < self.board.size else f"Hex#{value}"
        if type_.kind == "piece":
            known = [
                name
                for kind in program.parents.get(type_.name, (type_.name,))
                for name in (names or {}).get(kind, [])
            ]
            return known[value] if value < len(known) else f"{type_.name}#{value}"
        return f"{value} {type_.name}" if type_.name.strip("?") else str(value)

    # ------------------------------------------------------------------ expressions

    def expr(self, e: ir.Expr, around: int = 0) -> str:
        """An expression; in parentheses when it binds more loosely than *around*."""
        text, strength = self._expr(e)
        return f"({text})" if strength < around else text

    def _travel(self, e: ir.Reach | ir.Steps | ir.Way) -> str:
        """A travel with its arguments, and the hex it goes over."""
        travel = self.program.travels.get(e.travel)
        if travel is None or travel.via_of is None:
            return f"{e.travel}({', '.join(map(self.expr, e.args))})"
        return (
            f"{travel.via_of}({', '.join(map(self.expr, e.args[:-1]))}) via {self.expr(e.args[-1], _TIGHT)}"
        )

    def _expr(self, e: ir.Expr) -> tuple[str, int]:
        x = self.expr
        match e:
            case ir.Label():
                return e.name, _TIGHT
            case ir.Const():
                return self.value(e.value, e.type), _TIGHT if e.value >= 0 or e.type.kind != "int" else 9
            case ir.Local():
                return e.name, _TIGHT
            case ir.Get():
                return (e.field.name if e.owner is None else f"{x(e.owner, _TIGHT)}.{e.field.name}"), _TIGHT
            case ir.Rung():
                return self._expr(e.number)
            case ir.Pick():
                name = f"{e.fields[0].base}[{x(e.key)}]"
                return (name if e.owner is None else f"{x(e.owner, _TIGHT)}.{name}"), _TIGHT
            case ir.Col():
                return f"{x(e.key, _TIGHT)}.{e.column.name}", _TIGHT
            case ir.Cell():
                return f"{e.matrix.name}[{x(e.row)}, {x(e.column)}]", _TIGHT
            case ir.At():
                return f"{e.kind}[{x(e.hex)}]", _TIGHT
            case ir.Pile():
                return (e.pile.name if e.owner is None else f"{e.pile.name}[{x(e.owner)}]"), _TIGHT
            case ir.Apply() | ir.Service():
                return f"{e.name}({', '.join(map(x, e.args))})", _TIGHT
            case ir.Not():
                return f"not {x(e.operand, 3)}", 3
            case ir.Gathered():
                at = next(one for one in walk(e) if isinstance(one, ir.At))
                return f"{e.type.of}[{x(at.hex)}]", _TIGHT
            case ir.Op(op="-", left=ir.Const(value=0)):
                return f"-{x(e.right, 9)}", 9
            case ir.Op():
                strength = _LOOSE.get(_SHOWN.get(e.op, e.op), 7)
                return f"{x(e.left, strength)} {_SHOWN.get(e.op, e.op)} {x(e.right, strength + 1)}", strength
            case ir.Compare():
                return f"{x(e.left, 5)} {_SHOWN.get(e.op, e.op)} {x(e.right, 5)}", 4
            case ir.Logic():
                strength = _LOOSE[e.op]
                return f"{x(e.left, strength)} {e.op} {x(e.right, strength)}", strength
            case ir.Common(then=ir.Get(field=field)):
                return f"{x(e.owner, _TIGHT)}.{field.name}", _TIGHT
            case ir.Common(then=ir.Pick() as pick):
                return f"{x(e.owner, _TIGHT)}.{pick.fields[0].base}[{x(pick.key)}]", _TIGHT
            case ir.Widen() | ir.Narrow():
                return self._expr(e.value)
            case ir.If():
                return f"if {x(e.test)} then {x(e.then)} else {x(e.orelse)}", 0
            case ir.Otherwise():
                return f"{x(e.left, 6)} otherwise {x(e.right, 6)}", 6
            case ir.In(item=ir.Instance(args=args), source=ir.Active(effect=effect)):
                return f"effect {effect.name}({', '.join(map(x, args))})", _TIGHT
            case ir.In():
                return f"{x(e.item, 5)} in {x(e.source, 5)}", 4
            case ir.Range():
                return f"{x(e.low, 6)} .. {x(e.high, 6)}", 5
            case ir.SetLit():
                return "{" + ", ".join(map(x, e.items)) + "}", _TIGHT
            case ir.Members():
                inner = e.type.of or e.type
                return inner.name or inner.kind, _TIGHT
            case ir.Quant():
                word = {"every": "has"}.get(e.kind, "where")
                what = f"{x(e.value)} for {e.var}" if e.value is not None else e.var
                where = f" {word} {x(e.where)}" if e.where is not None else ""
                return f"{e.kind} {what} in {x(e.source, 5)}{where}", 0
            case ir.Allot():
                limit = f" up to {x(e.limit, 5)}" if e.limit is not None else ""
                where = f" where {x(e.where)}" if e.where is not None else ""
                return (
                    f"every {e.var} in {x(e.source, 5)} has its own {e.own} in {x(e.among, 5)}{limit}{where}",
                    0,
                )
            case ir.Line():
                parts = [f"line {x(e.start, _TIGHT)} to {x(e.end, _TIGHT)}" + (" whole" if e.whole else "")]
                if e.obstacle is not None:
                    parts.append(f"clear of {e.var} where {x(e.obstacle, 0 if e.barrier is None else 1)}")
                if e.barrier is not None:
                    parts.append(f"across {e.leaves} to {e.enters} where {x(e.barrier)}")
                return " ".join(parts), 0
            case ir.Reach():
                return f"reach {self._travel(e)}", _TIGHT
            case ir.Steps():
                return f"steps {self._travel(e)} to {x(e.target, _TIGHT)}", _TIGHT
            case ir.Way():
                return f"way {self._travel(e)} to {x(e.target, _TIGHT)}", _TIGHT
            case ir.Part():
                return f"{x(e.number, _TIGHT)}.{e.effect.names[e.index]}", _TIGHT
            case ir.Instance():
                return f"({', '.join(map(x, e.args))})", _TIGHT
            case ir.Active():
                return f"effect {e.effect.name}", _TIGHT
            case ir.SwitchOn():
                return e.name, _TIGHT
        return f"<{type(e).__name__}>", _TIGHT  # pragma: no cover - all nodes are above

    # ------------------------------------------------------------------ steps

    def steps(self, stmts: tuple[ir.Stmt, ...] | list[ir.Stmt], depth: int = 1) -> Iterator[str]:
        """Steps as indented lines."""
        for stmt in stmts:
            yield from self.step(stmt, depth)

    def step(self, s: ir.Stmt, depth: int) -> Iterator[str]:
        """One step as indented lines."""
        pad = "  " * depth
        x = self.expr
        match s:
            case ir.IfStmt():
                yield f"{pad}if {x(s.test)}"
                yield from self.steps(s.then, depth + 1)
                if s.orelse:
                    yield f"{pad}else"
                    yield from self.steps(s.orelse, depth + 1)
            case ir.Each():
                yield f"{pad}each {s.var} in {x(s.source, 5)}{self.where(s.where)}"
                yield from self.steps(s.body, depth + 1)
            case ir.Repeat():
                yield f"{pad}repeat{f' {x(s.times)} times' if s.times is not None else ''}"
                yield from self.steps(s.body, depth + 1)
            case ir.Together():
                yield f"{pad}together"
                yield from self.steps(s.body, depth + 1)
            case ir.Within():
                yield f"{pad}within {s.scope}"
                yield from self.steps(s.body, depth + 1)
            case ir.Choose():
                yield f"{pad}{self.question(s)}"
                if s.orelse:
                    yield f"{pad}else"
                    yield from self.steps(s.orelse, depth + 1)
            case ir.Offer():
                yield f"{pad}{self.question(s)}"
                for branch in s.branches:
                    yield f"{pad}  {self.branch(branch)}"
                    yield from self.steps(branch.body, depth + 2)
                if s.on_pass:
                    yield f"{pad}  passed"
                    yield from self.steps(s.on_pass, depth + 2)
            case _:
                yield pad + self.plain(s)

    def where(self, condition: ir.Expr | None, word: str = "where") -> str:
        """`` where c``, or nothing."""
        return f" {word} {self.expr(condition)}" if condition is not None else ""

    def question(self, s: ir.Choose | ir.Offer) -> str:
        """The head of a choice or menu."""
        d = s.decision
        passing = f" pass {d.passing}{self.where(s.pass_when, 'when')}" if d.passing is not None else ""
        veil = f" veiled{self.where(s.veil, 'when')}" if s.veil is not None else ""
        about = f"({', '.join(map(self.expr, s.about))})" if s.about else ""
        tail = f" by {self.expr(s.by)} prompt {d.prompt}{about}{passing}{veil}  [decision {d.index}]"
        if isinstance(s, ir.Choose):
            return (
                f"choose {'secretly ' if d.secret else ''}{s.var} in "
                f"{self.expr(s.source, 5)}{self.where(s.where)}{tail}"
            )
        return f"offer{' once' if s.once else ''}{tail}"

    def branch(self, b: ir.Branch) -> str:
        """The head of a branch of a menu."""
        ranges = [f"{b.var} in {self.expr(b.source, 5)}{self.where(b.where)}"] if b.source is not None else []
        if b.second is not None:
            ranges.append(f"{b.second.var} in {self.expr(b.second.source, 5)}{self.where(b.second.where)}")
        value = f"({', '.join(ranges)})" if ranges else ""
        rules = f"  [{', '.join(b.rules)}]" if b.rules else ""
        return f"{b.name}{value}{self.where(b.when, 'when')}{rules}"

    def plain(self, s: ir.Stmt) -> str:
        """A step without others inside it."""
        x = self.expr
        match s:
            case ir.Let():
                return f"let {s.name} = {x(s.value)}"
            case ir.SetField():
                name = s.field.name if s.key is None else f"{s.field.base}[{x(s.key)}]"
                target = name if s.owner is None else f"{x(s.owner, _TIGHT)}.{name}"
                checks = f"  [then check {', '.join(s.checks)}]" if s.checks else ""
                if s.op in ("+", "|"):
                    return f"add {x(s.value)} to {target}{checks}"
                if s.op in ("-", "&~"):
                    return f"take {x(s.value)} from {target}{checks}"
                return f"set {target} = {x(s.value)}{checks}"
            case ir.Do():
                let = f"let {s.target} = " if s.target is not None else ""
                return f"{let}do {s.procedure}({', '.join(map(x, s.args))})"
            case ir.Return():
                return f"return {x(s.value)}" if s.value is not None else "leave"
            case ir.Stop():
                return "stop"
            case ir.Roll():
                return f"roll {x(s.count)} {s.die.name} as {s.name}"
            case ir.Draw():
                return f"draw {s.name} from {x(s.pile)}"
            case ir.DrawFrom():
                return f"draw {s.name} from {x(s.source, 5)}{self.where(s.where)}"
            case ir.Put():
                return f"put {x(s.card)} on {x(s.pile)}"
            case ir.Remove():
                return f"remove {x(s.card)} from {x(s.pile)}"
            case ir.Shuffle():
                return f"shuffle {x(s.pile)}" + (f" into {x(s.into)}" if s.into is not None else "")
            case ir.SetEffect():
                arg = f"({x(s.arg)})" if s.arg is not None else "()"
                return f"{'start' if s.on else 'cease'} {s.effect.name}{arg}"
            case ir.Renew():
                return f"renew {x(s.owner)}: {', '.join(f.name for f in s.fields) or 'nothing'}"
            case ir.Expire():
                gone = [*(f"{f.owner}.{f.name}" for f in s.fields), *(f"effect {e.name}" for e in s.effects)]
                return (
                    f"expire {s.scope}"
                    + (f"  [{', '.join(gone)}]" if gone else "")
                    + ("  [checkpoint]" if s.checkpoint else "")
                )
            case ir.Finish():
                return f"{s.how} by {x(s.sides)}" if s.sides is not None else "tie"
            case ir.Note():
                told = f" to {x(s.to)}" if s.to is not None else ""
                return f"note {self.program.notes[s.index]}({', '.join(map(x, s.args))}){told}"
            case ir.Reveal():
                return "something is revealed"
            case ir.Mix():
                return f"mix {x(s.source)}  [{', '.join(f.name for f in s.fields)}]"
            case low.TakeResult():
                return f"let {s.name} = the result"
            case low.Collect():
                return f"collect {s.name} from {x(s.source)}"
            case low.Hold():
                return "hold checks back" if s.on else "catch up with checks"
            case low.Shelve():
                kept = [*(f"{f.owner}.{f.name}" for f in s.fields), *(f"effect {e.name}" for e in s.effects)]
                return f"{'put aside' if s.on else 'bring back'} {', '.join(kept)}"
            case low.GoTo():
                return f"go to {s.target}"
        return f"<{type(s).__name__}>"  # pragma: no cover - all nodes are above
