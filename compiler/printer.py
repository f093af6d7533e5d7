"""The checked tree in words, as one would write it, for dumps and explanations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from compiler import ir
from compiler import lowered as low
from compiler.trees import walk
from compiler.types import Type
from runtime.bitsets import bits
from runtime.board import Board
from runtime.model import EffectSpec, FieldSpec

#: What binds more tightly than any operator: what is read of something, and what stands alone.
TIGHT, ALONE = 10, 11
_STRENGTHS = {"or": 1, "and": 2, "+": 7, "-": 7, "*": 8, "/": 8, "mod": 8}
_SHOWN = {"==": "is", "!=": "is not", "|": "+", "&~": "-"}
_OF_SETS = {"+": "add", "|": "add", "-": "take", "&~": "take"}

#: A text, and how tightly its outermost operator binds.
Printed = tuple[str, int]

#: Nodes that are written part by part: ``{field}`` stands for a part, ``{field:n}`` for one in
#: parentheses where it binds more loosely than n; what stands in ``<…>`` is left out where a part
#: of it is None.  Expressions have the strength of their outermost operator.
_EXPRESSIONS: dict[type[ir.Expr], Printed] = {
    ir.Label: ("{name}", ALONE),
    ir.Local: ("{name}", ALONE),
    ir.SwitchOn: ("{name}", ALONE),
    ir.Weight: ("{name}", ALONE),
    ir.Offered: ("true", ALONE),
    ir.Cell: ("{matrix}[{row}, {column}]", TIGHT),
    ir.At: ("{kind}[{hex}]", TIGHT),
    ir.Instance: ("({args})", ALONE),
    ir.Active: ("effect {effect}", ALONE),
    ir.Apply: ("{name}({args})", ALONE),
    ir.Service: ("{name}({args})", ALONE),
    ir.If: ("if {test} then {then} else {orelse}", 0),
    ir.Otherwise: ("{left:7} otherwise {right:7}", 6),
    ir.Range: ("{low:6} .. {high:6}", 5),
    ir.Allot: (
        "every {var} in {source:5} has its own {own} in {among:5}< up to {limit:5}>"
        "< where {where}>",
        0,
    ),
}
#: Steps that hold no others.
_STEPS: dict[type[ir.Stmt], str] = {
    ir.Let: "let {name} = {value}",
    ir.Do: "<let {target} = >do {procedure}({args})",
    ir.Stop: "stop",
    ir.Roll: "roll {count} {die} as {name}",
    ir.Draw: "draw {name} from {pile}",
    ir.DrawFrom: "draw {name} from {source:5}< where {where}>",
    ir.Put: "put {card} on {pile}",
    ir.Remove: "remove {card} from {pile}",
    ir.Shuffle: "shuffle {pile}< into {into}>",
    ir.Reveal: "something is revealed",
    ir.Mix: "mix {source}  [{fields}]",
    low.TakeResult: "let {name} = the result",
    low.Collect: "collect {name} from {source}",
    low.GoTo: "go to {target}",
}
#: The heads of steps that hold others in ``body``.
_BLOCKS: dict[type[ir.Stmt], str] = {
    ir.Each: "each {var} in {source:5}< where {where}>",
    ir.Repeat: "repeat< {times} times>",
    ir.Together: "together",
    ir.Within: "within {scope}",
}
_GROUP = re.compile(r"<([^>]*)>|([^<]+)")
_PART = re.compile(r"\{(\w+)(?::(\d+))?\}")


class Printer:
    """Writes values, expressions and steps of one program.

    A node that no template above describes has a method, named as its kind is: ``_kind`` for an
    expression, ``_step_kind`` and, where it holds others, ``_block_kind`` for a step.
    """

    def __init__(self, program: ir.Program, board: Board | None = None) -> None:
        self.program = program
        #: the board whose labels are used: the ruleset's, unless another is given
        self.board = board or program.board

    @staticmethod
    def knows(kind: type[ir.Expr | ir.Stmt]) -> bool:
        """Whether there are words for a kind of expressions or steps."""
        name = kind.__name__.lower()
        return kind in {*_EXPRESSIONS, *_STEPS, *_BLOCKS} or any(
            hasattr(Printer, prefix + name) for prefix in ("_", "_step_", "_block_")
        )

    def _filled(self, template: str, node: Any) -> str:
        """A template with the parts of a node."""

        def part(match: re.Match[str]) -> str:
            value = getattr(node, match[1])
            if isinstance(value, ir.Expr):
                return self.expr(value, int(match[2] or 0))
            if isinstance(value, tuple):
                return self._all(value)
            return str(getattr(value, "name", value))

        texts = []
        for optional, always in _GROUP.findall(template):
            given = (getattr(node, name) is not None for name, _ in _PART.findall(optional))
            if always or all(given):
                texts.append(_PART.sub(part, always or optional))
        return "".join(texts)

    def _all(self, items: Sequence[Any]) -> str:
        return ", ".join(
            self.expr(item) if isinstance(item, ir.Expr) else item.name for item in items
        )

    def where(self, condition: ir.Expr | None, word: str = "where") -> str:
        """`` where c``, or nothing."""
        return f" {word} {self.expr(condition)}" if condition is not None else ""

    # ------------------------------------------------------------------ values

    def value(self, value: int, type_: Type, names: dict[str, list[str]] | None = None) -> str:
        """A value of a type; *names* holds the names of pieces by kind."""
        if type_.kind == "bool":
            return "true" if value else "false"
        if type_.kind == "set" and type_.of is not None:
            members = [self.value(v, type_.of, names) for v in bits(value)]
            return "{" + ", ".join(members) + "}"
        if type_.kind == "none" or (value < 0 and (type_.finite or type_.optional)):
            return "none"
        if type_.finite:
            return self._member(value, type_, names or {})
        return f"{value} {type_.name}" if type_.name.strip("?") else str(value)

    def _member(self, value: int, type_: Type, names: dict[str, list[str]]) -> str:
        """A member of an enum, a hex or a piece."""
        if type_.kind == "hex":
            if self.board is None:
                return f"{value} {type_.name}"
            return self.board.label(value) if value < self.board.size else f"Hex#{value}"
        if type_.kind == "enum":
            known = list(self.program.enums.get(type_.name, ()))
        else:
            kinds = self.program.parents.get(type_.name, (type_.name,))
            known = [name for kind in kinds for name in names.get(kind, [])]
        return known[value] if value < len(known) else f"{type_.name}#{value}"

    # ------------------------------------------------------------------ expressions

    def expr(self, e: ir.Expr, around: int = 0) -> str:
        """An expression; in parentheses when it binds more loosely than *around*."""
        text, strength = self._printed(e)
        return f"({text})" if strength < around else text

    def _printed(self, e: ir.Expr) -> Printed:
        template = _EXPRESSIONS.get(type(e))
        if template is not None:
            return self._filled(template[0], e), template[1]
        method: Callable[[Any], Printed] = getattr(self, "_" + type(e).__name__.lower())
        return method(e)

    def _const(self, e: ir.Const) -> Printed:
        return self.value(e.value, e.type), ALONE if e.value >= 0 or e.type.kind != "int" else 9

    def _of(self, owner: ir.Expr | None, name: str) -> Printed:
        """What is read of *owner*, or of the game."""
        return (name, ALONE) if owner is None else (f"{self.expr(owner, TIGHT)}.{name}", TIGHT)

    def _get(self, e: ir.Get) -> Printed:
        return self._of(e.owner, e.field.name)

    def _pick(self, e: ir.Pick) -> Printed:
        return self._of(e.owner, f"{e.fields[0].base}[{self.expr(e.key)}]")

    def _common(self, e: ir.Common) -> Printed:
        if isinstance(e.then, ir.Get):
            return self._of(e.owner, e.then.field.name)
        if isinstance(e.then, ir.Pick):
            return self._of(e.owner, f"{e.then.fields[0].base}[{self.expr(e.then.key)}]")
        return self._filled(_EXPRESSIONS[ir.If][0], e), 0

    def _col(self, e: ir.Col) -> Printed:
        return self._of(e.key, e.column.name)

    def _part(self, e: ir.Part) -> Printed:
        return self._of(e.number, e.effect.names[e.index])

    def _rung(self, e: ir.Rung) -> Printed:
        return self._printed(e.number)

    def _widen(self, e: ir.Widen | ir.Narrow) -> Printed:
        return self._printed(e.value)

    _narrow = _widen

    def _gathered(self, e: ir.Gathered) -> Printed:
        at = next(one for one in walk(e) if isinstance(one, ir.At))
        return f"{e.type.of}[{self.expr(at.hex)}]", TIGHT

    def _pile(self, e: ir.Pile) -> Printed:
        if e.owner is None:
            return e.pile.name, ALONE
        return f"{e.pile.name}[{self.expr(e.owner)}]", TIGHT

    def _not(self, e: ir.Not) -> Printed:
        if isinstance(e.operand, ir.In) and not isinstance(e.operand.source, ir.Active):
            return self._filled("{item:5} not in {source:5}", e.operand), 4
        return f"not {self.expr(e.operand, 3)}", 3

    def _op(self, e: ir.Op) -> Printed:
        if e.op == "-" and isinstance(e.left, ir.Const) and e.left.value == 0:
            return f"-{self.expr(e.right, 9)}", 9
        shown = _SHOWN.get(e.op, e.op)
        strength = _STRENGTHS.get(shown, 7)
        return f"{self.expr(e.left, strength)} {shown} {self.expr(e.right, strength + 1)}", strength

    def _compare(self, e: ir.Compare) -> Printed:
        return f"{self.expr(e.left, 5)} {_SHOWN.get(e.op, e.op)} {self.expr(e.right, 5)}", 4

    def _logic(self, e: ir.Logic) -> Printed:
        strength = _STRENGTHS[e.op]
        return f"{self.expr(e.left, strength)} {e.op} {self.expr(e.right, strength)}", strength

    def _in(self, e: ir.In) -> Printed:
        if isinstance(e.source, ir.Active):
            args = e.item.args if isinstance(e.item, ir.Instance) else (e.item,)
            return f"effect {e.source.effect.name}({self._all(args)})", ALONE
        return self._filled("{item:5} in {source:5}", e), 4

    def _setlit(self, e: ir.SetLit) -> Printed:
        return "{" + self._all(e.items) + "}", ALONE

    def _members(self, e: ir.Members) -> Printed:
        inner = e.type.of or e.type
        return inner.name or inner.kind, ALONE

    def _quant(self, e: ir.Quant) -> Printed:
        word = "has" if e.kind == "every" else "where"
        template = "{kind}< {value:5} for> {var} in {source:5}< " + word + " {where}>"
        return self._filled(template, e), 0

    def _line(self, e: ir.Line) -> Printed:
        whole = " whole" if e.whole else ""
        clear = "< clear of {var} where {obstacle:" + ("0" if e.barrier is None else "1") + "}>"
        across = "< across {leaves} to {enters} where {barrier}>"
        return self._filled("line {start:10} to {end:10}" + whole + clear + across, e), 0

    def _travel(self, e: ir.Reach | ir.Steps | ir.Way) -> Printed:
        """A travel with its arguments, the hex it goes over and that where it ends."""
        travel = self.program.travels.get(e.travel)
        text = f"{type(e).__name__.lower()} "
        if travel is None or travel.via_of is None:
            text += f"{e.travel}({self._all(e.args)})"
        else:
            text += f"{travel.via_of}({self._all(e.args[:-1])}) via {self.expr(e.args[-1], ALONE)}"
        if not isinstance(e, ir.Reach):
            text += f" to {self.expr(e.target, ALONE)}"
        return text, ALONE

    _reach = _steps = _way = _travel

    # ------------------------------------------------------------------ steps

    def steps(self, stmts: Sequence[ir.Stmt], depth: int = 1) -> Iterator[str]:
        """Steps as indented lines."""
        for stmt in stmts:
            yield from self.step(stmt, depth)

    def step(self, s: ir.Stmt, depth: int) -> Iterator[str]:
        """One step as indented lines."""
        head = _BLOCKS.get(type(s))
        block: Callable[[Any, int], Iterator[str]] | None
        block = getattr(self, "_block_" + type(s).__name__.lower(), None)
        if head is not None:
            assert isinstance(s, ir.Each | ir.Repeat | ir.Together | ir.Within)
            yield from self._under(self._filled(head, s), depth, s.body)
        elif block is not None:
            yield from block(s, depth)
        else:
            yield "  " * depth + self.plain(s)

    def plain(self, s: ir.Stmt) -> str:
        """A step without others inside it."""
        template = _STEPS.get(type(s))
        if template is not None:
            return self._filled(template, s)
        text: str = getattr(self, "_step_" + type(s).__name__.lower())(s)
        return text

    def _under(self, head: str, depth: int, body: Sequence[ir.Stmt]) -> Iterator[str]:
        """A line, and steps below it."""
        yield "  " * depth + head
        yield from self.steps(body, depth + 1)

    def _block_ifstmt(self, s: ir.IfStmt, depth: int) -> Iterator[str]:
        yield from self._under(f"if {self.expr(s.test)}", depth, s.then)
        if s.orelse:
            yield from self._under("else", depth, s.orelse)

    def _block_choose(self, s: ir.Choose, depth: int) -> Iterator[str]:
        yield "  " * depth + self.question(s)
        if s.orelse:
            yield from self._under("else", depth, s.orelse)

    def _block_offer(self, s: ir.Offer, depth: int) -> Iterator[str]:
        yield "  " * depth + self.question(s)
        for branch in s.branches:
            yield from self._under(self.branch(branch), depth + 1, branch.body)
        if s.on_pass:
            yield from self._under("passed", depth + 1, s.on_pass)

    def question(self, s: ir.Choose | ir.Offer) -> str:
        """The head of a choice or menu."""
        d = s.decision
        if isinstance(s, ir.Choose):
            secretly = "secretly " if d.secret else ""
            head = self._filled(f"choose {secretly}{{var}} in {{source:5}}< where {{where}}>", s)
        else:
            head = f"offer{' once' if s.once else ''}"
        about = f"({self._all(s.about)})" if s.about else ""
        passing = f" pass {d.passing}{self.where(s.pass_when, 'when')}" if d.passing else ""
        veil = f" veiled{self.where(s.veil, 'when')}" if s.veil is not None else ""
        by = self.expr(s.by)
        return f"{head} by {by} prompt {d.prompt}{about}{passing}{veil}  [decision {d.index}]"

    def branch(self, b: ir.Branch) -> str:
        """The head of a branch of a menu."""
        values = [v for v in (b if b.source is not None else None, b.second) if v is not None]
        ranges = [self._filled("{var} in {source:5}< where {where}>", v) for v in values]
        value = f"({', '.join(ranges)})" if ranges else ""
        rules = f"  [{', '.join(b.rules)}]" if b.rules else ""
        return f"{b.name}{value}{self.where(b.when, 'when')}{rules}"

    def _step_setfield(self, s: ir.SetField) -> str:
        name = s.field.name if s.key is None else f"{s.field.base}[{self.expr(s.key)}]"
        target, _ = self._of(s.owner, name)
        checks = f"  [then check {', '.join(s.checks)}]" if s.checks else ""
        verb, value = _OF_SETS.get(s.op, "set"), self.expr(s.value)
        if verb == "set":
            return f"set {target} = {value}{checks}"
        return f"{verb} {value} {'to' if verb == 'add' else 'from'} {target}{checks}"

    def _step_return(self, s: ir.Return) -> str:
        return f"return {self.expr(s.value)}" if s.value is not None else "leave"

    def _step_seteffect(self, s: ir.SetEffect) -> str:
        arg = self.expr(s.arg) if s.arg is not None else ""
        return f"{'start' if s.on else 'cease'} {s.effect.name}({arg})"

    def _step_renew(self, s: ir.Renew) -> str:
        return f"renew {self.expr(s.owner)}: {self._all(s.fields) or 'nothing'}"

    def _step_expire(self, s: ir.Expire) -> str:
        gone = _named(s.fields, s.effects)
        notes = (f"[{gone}]" if gone else "", "[checkpoint]" if s.checkpoint else "")
        return "  ".join((f"expire {s.scope}", *filter(None, notes)))

    def _step_finish(self, s: ir.Finish) -> str:
        return f"{s.how} by {self.expr(s.sides)}" if s.sides is not None else "tie"

    def _step_observe(self, s: ir.Observe) -> str:
        return f"observe {self.program.outcomes[s.index][0]}({self._all(s.args)})"

    def _step_note(self, s: ir.Note) -> str:
        return self._filled(f"note {self.program.notes[s.index]}({{args}})< to {{to}}>", s)

    def _step_cited(self, s: ir.Cited) -> str:
        return f"# {', '.join(s.rules)}"

    def _step_hold(self, s: low.Hold) -> str:
        return "hold checks back" if s.on else "catch up with checks"

    def _step_shelve(self, s: low.Shelve) -> str:
        return f"{'put aside' if s.on else 'bring back'} {_named(s.fields, s.effects)}"


def _named(fields: Sequence[FieldSpec], effects: Sequence[EffectSpec]) -> str:
    """Fields and effects in one row."""
    return ", ".join(
        [*(f"{f.owner}.{f.name}" for f in fields), *(f"effect {e.name}" for e in effects)]
    )
