"""Every stage of a compilation as text: readable, and the same for the same input."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import fields

from compiler import ir
from compiler import lowered as low
from compiler.ir.travels import TravelInfo
from compiler.printer import Printer
from compiler.ruleset import Ruleset
from compiler.sources.resolve import Resolved
from compiler.types import from_spec
from dsl import nodes as n
from dsl.parser import parse
from runtime.model import FieldSpec, WeightSpec

STAGES = ("parsed", "resolved", "checked", "rules", "lowered", "emitted")
WIDTH = 118


class NotReached(Exception):
    """The stage was not reached because of errors before it."""


def dump(ruleset: Ruleset, stage: str) -> str:
    """One stage as text.  :class:`NotReached` when errors came before it."""
    if stage == "parsed":
        return _text(_parsed(ruleset))
    if stage == "resolved":
        return _text(_resolved(ruleset))
    if not ruleset.ok:
        raise NotReached(stage)
    if stage == "checked":
        return _text(_checked(ruleset.program))
    if stage == "rules":
        return _text(rule_trees(ruleset.program))
    if ruleset.emitted is None:
        raise NotReached(stage)
    if stage == "lowered":
        return _text(_lowered(ruleset.program, ruleset.lowered))
    return ruleset.emitted.text


def _text(lines: Iterable[str]) -> str:
    return "\n".join(part for line in lines for part in _wrapped(line.rstrip())) + "\n"


def _wrapped(line: str) -> list[str]:
    """The line, broken where it is too long; what follows is indented."""
    if len(line) <= WIDTH:
        return [line]
    body = line.lstrip(" │├└─")
    indent = " " * (len(line) - len(body) + 6)
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# --------------------------------------------------------------------------- syntax trees


def _parsed(ruleset: Ruleset) -> Iterator[str]:
    for name, source in sorted(ruleset.sources.items()):
        yield f"; {name}"
        for decl in parse(source).module.decls:
            yield from tree(decl)
        yield ""


def _resolved(ruleset: Ruleset) -> Iterator[str]:
    resolved = ruleset.resolved
    yield f"; {_head(resolved)}"
    for decl in resolved.decls:
        yield from tree(decl, files=True)


def _head(of: Resolved | ir.Program) -> str:
    """What a ruleset is called and extends."""
    return " extends ".join([f"ruleset {of.name}", *reversed(of.bases)])


def tree(node: n.Node, depth: int = 0, label: str = "", files: bool = False) -> Iterator[str]:
    """A syntax tree: on one line where it fits, else a part a line."""
    pad = "  " * depth + label
    inline = _inline(node)
    if isinstance(node, n.Decl | n.Stmt | n.Branch | n.Field):
        where = f"{node.span.file}:{node.span.line}" if files and not depth else node.span.line
        inline = f"({type(node).__name__} @{where}" + inline[len(type(node).__name__) + 1 :]
    if len(pad) + len(inline) <= WIDTH:
        yield pad + inline
        return
    flat: list[str] = []
    below: list[tuple[str, object]] = []
    for f in fields(node):
        if f.name == "span":
            continue
        value = getattr(node, f.name)
        parts = value if isinstance(value, tuple) else (value,)
        if any(isinstance(v, n.Node) and not isinstance(v, n.Ident) for v in parts):
            below.append((f.name, value))
        elif not _empty(value):
            flat.append(f"{f.name}={_inline(value)}")
    head = inline.split(" ", 2)
    start = " ".join(head[:2]) if len(head) > 1 and head[1].startswith("@") else head[0]
    yield f"{pad}{start}{''.join(' ' + part for part in flat)}" + ("" if below else ")")
    for name, value in below:
        if isinstance(value, n.Node):
            yield from tree(value, depth + 1, f"{name}: ")
        elif isinstance(value, tuple):
            yield "  " * (depth + 1) + f"{name}:"
            for item in value:
                yield from tree(item, depth + 2)
    if below:
        yield "  " * depth + ")"


def _empty(value: object) -> bool:
    return value is None or value is False or value in ("", (), frozenset())


def _inline(value: object) -> str:
    if isinstance(value, n.Ident):
        return value.text
    if isinstance(value, n.Cell):
        return value.text or "''"
    if isinstance(value, n.Row):
        cells = f"| {' | '.join(cell.text for cell in value.cells)} |"
        marks = {name: getattr(value, name) for name in ("rules", "provenance", "reason")}
        shown = [f"{name}={_inline(mark)}" for name, mark in marks.items() if mark]
        return f"(Row {' '.join([cells, *shown])})" if shown else cells
    if isinstance(value, n.Name):
        return value.name
    if isinstance(value, n.Int):
        return f"{value.value} {value.measure}" if value.measure else str(value.value)
    if isinstance(value, n.TypeRef | n.Param):
        return str(value)
    if isinstance(value, n.Node):
        parts = [
            part if f.name in ("object", "left", "right", "operand", "test") else f"{f.name}={part}"
            for f in fields(value)
            if f.name != "span"
            and not _empty(getattr(value, f.name))
            and (part := _inline(getattr(value, f.name)))
        ]
        return f"({' '.join([type(value).__name__, *parts])})"
    if isinstance(value, frozenset):
        return "[" + " ".join(sorted(map(str, value))) + "]"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value)


# --------------------------------------------------------------------------- the checked program


def _checked(program: ir.Program) -> Iterator[str]:
    w = Printer(program)
    yield _head(program)
    yield f"sides {', '.join(program.sides)}"
    yield from _names(program)
    yield ""
    yield from _tables(program, w)
    yield from _chance(program)
    yield from _board(program)
    yield ""
    yield from _state(program, w)
    yield from _functions(program, w)
    yield from _travels(program, w)
    yield ""
    yield from rule_trees(program)
    yield from _procedures(program, w)
    yield from _checks(program, w)


def _names(program: ir.Program) -> Iterator[str]:
    if program.measures:
        yield f"measures {', '.join(program.measures)}"
    yield from (f"switch {name} {'on' if on else 'off'}" for name, on in program.switches.items())
    for weight in (w for w in program.weights.values() if "." not in w.name):
        yield f"weight {weight.name} = {weight.value}{_bounded(weight)}"
    for name, checkpoint in program.scopes.items():
        yield f"scope {name}{' checkpoint' if checkpoint else ''}"
    yield ""
    for name, members in program.enums.items():
        yield f"enum {name} {{ {', '.join(members)} }}"


def _bounded(weight: WeightSpec) -> str:
    return "" if weight.bounds is None else f" in {weight.bounds[0]} .. {weight.bounds[1]}"


def _tables(program: ir.Program, w: Printer) -> Iterator[str]:
    for column in program.columns.values():
        values = (w.value(v, column.type) for v in column.values)
        pairs = zip(program.enums[column.enum], values, strict=False)
        shown = ", ".join(f"{member} {value}" for member, value in pairs)
        type_ = str(column.type)
        if column.place is not None:
            first = column.weight(program.enums[column.enum][0])
            type_ = f"weight{_bounded(program.weights[first])}"
        head = f"column {column.table}.{column.name} of {column.enum}: {type_}"
        yield f"{head} = {shown}{_cited(column.own or column.rules)}"
    for matrix in program.matrices.values():
        head = f"matrix {matrix.name} of {matrix.row} by {matrix.column}: {matrix.type}"
        yield f"{head}{_cited(matrix.rules)}"
        for member, row in zip(program.enums[matrix.row], matrix.values, strict=False):
            yield f"  {member}: {', '.join(w.value(v, matrix.type) for v in row)}"


def _chance(program: ir.Program) -> Iterator[str]:
    for die in program.dice.values():
        names = program.enums[die.enum] if die.enum else None
        yield f"die {die.name}: {', '.join(names[f] if names else str(f) for f in die.faces)}"
    for deck in program.decks.values():
        yield f"deck {deck.name} of {deck.enum}: {sum(deck.copies)} cards"
        for pile in deck.piles:
            yield f"  pile {pile.name}{f' per {pile.per}' if pile.per else ''} {pile.visibility}"


def _board(program: ir.Program) -> Iterator[str]:
    if program.board is not None:
        b, last = program.board, program.board.size - 1
        size = f"{b.rows} rows, {b.columns} columns, {b.size} hexes"
        yield f"board: {size}, {b.label(0)} to {b.label(last)}"


def _state(program: ir.Program, w: Printer) -> Iterator[str]:
    for field in program.fields.values():
        if field.member <= 0:
            yield f"field {_field(program, w, field)}"
    for effect in program.effects.values():
        lasting = f" lasts {effect.scope}" if effect.scope else ""
        yield f"effect {effect.name}({', '.join(t.name for t in effect.params)}){lasting}"


def _functions(program: ir.Program, w: Printer) -> Iterator[str]:
    for call in program.calls.values():
        if call.kind == "function":
            yield ""
            kept = " remembered" if call.remembered else ""
            head = f"{_signature(call.name, call.params)}: {call.type}{kept}"
            yield f"function {head}{_cited(call.rules)}"
            if call.steps:
                yield from w.steps(call.steps)
            else:
                yield f"  = {w.expr(call.body) if call.body is not None else '?'}"
            yield f"  reads {_slots(call.reads)}"


def _travels(program: ir.Program, w: Printer) -> Iterator[str]:
    for travel in (t for t in program.travels.values() if t.via_of is None):
        yield ""
        limits = f"from {w.expr(travel.origin)} within {w.expr(travel.budget)}"
        yield f"travel {_signature(travel.name, travel.params)} {limits}{_cited(travel.rules)}"
        for c in travel.carried:
            yield f"  carrying {c.before}: {c.type} = {w.expr(c.initial)}  [{c.after} after a move]"
        step = f"step {travel.here} to {travel.there} when {w.expr(travel.enter)}"
        yield f"  {step}{_changes(w, travel, travel.then)}"
        if travel.cost is not None:
            yield f"  cost {w.expr(travel.cost)}"
        for stay in travel.stays:
            cost = f" cost {w.expr(stay.cost)}" if stay.cost is not None else ""
            yield f"  stay{w.where(stay.when, 'when')}{_changes(w, travel, stay.then)}{cost}"
        for word, part in (("halt when", travel.halt), ("end when", travel.end)):
            if part is not None:
                yield f"  {word} {w.expr(part)}"
        yield f"  reads {_slots(travel.reads)}"


def _procedures(program: ir.Program, w: Printer) -> Iterator[str]:
    for procedure in program.procedures.values():
        yield ""
        type_ = f": {procedure.type}" if procedure.type.kind != "void" else ""
        asks = "  [can ask]" if procedure.asks else ""
        head = f"procedure {_signature(procedure.name, procedure.params)}"
        yield f"{head}{type_}{asks}{_cited(procedure.rules)}"
        for index, target in sorted(procedure.cases.items()):
            yield f"  case {program.enums[procedure.params[0].type.name][index]} → {target}"
        yield from w.steps(procedure.body)
        if procedure.writes:
            yield f"  writes {_slots(procedure.writes)}"


def _checks(program: ir.Program, w: Printer) -> Iterator[str]:
    for check in program.checks.values():
        yield ""
        yield f"check {check.name} when {w.expr(check.when)}{_cited(check.rules)}"
        yield from w.steps(check.body)
        yield f"  reads {_slots(check.reads)}"


def _field(program: ir.Program, w: Printer, field: FieldSpec) -> str:
    type_, marks = from_spec(field.type), ("fixed", "place", "alone", "setup", "required")
    initial = program.initials.get((field.owner, field.name))
    value = "?" if field.initial is None else w.value(field.initial, type_)
    if initial is not None:
        value = w.expr(initial)
    per = f" per {field.per}" if field.per is not None else ""
    words = [f"{field.owner}.{field.base}{per}: {type_} = {value}"]
    words += [name for name in marks if getattr(field, name)]
    words += [f"lasts {field.lasts}"] if field.lasts else []
    words += [f"seen by {field.seen_by}"] if field.seen_by else []
    return " ".join(words)


def _signature(name: str, params: list[ir.ParamInfo]) -> str:
    return f"{name}({', '.join(f'{p.name}: {p.type}' for p in params)})"


def _changes(w: Printer, travel: TravelInfo, then: tuple[ir.Expr, ...]) -> str:
    """`` then f = e`` for what changes, or nothing."""
    changed = [
        f"{c.after} = {w.expr(e)}"
        for c, e in zip(travel.carried, then, strict=True)
        if not (isinstance(e, ir.Local) and e.name == c.before)
    ]
    return f" then {', '.join(changed)}" if changed else ""


def _cited(rules: tuple[str, ...]) -> str:
    return f"  [{', '.join(rules)}]" if rules else ""


def _slots(slots: frozenset[str]) -> str:
    return ", ".join(sorted(slots)) or "nothing"


# --------------------------------------------------------------------------- rule trees


def rule_trees(program: ir.Program) -> Iterator[str]:
    """Quantities and permissions: their rules with exceptions below them, then the stages."""
    w = Printer(program)
    first = True
    for call in program.calls.values():
        if call.kind == "function":
            continue
        if not first:
            yield ""
        first = False
        kind = f" {call.default}" if call.kind == "permission" else f": {call.type}"
        yield f"{call.kind} {_signature(call.name, call.params)}{kind}{_cited(call.rules)}"
        shown: set[int] = set()
        for i, rule in enumerate(call.roots):
            yield from _rule(w, rule, "  ", i == len(call.roots) - 1, shown)
        if not call.roots:
            yield "  (no rules)"
        for stage in call.stages:
            yield f"  stage {stage}"
            for m in call.modifiers.get(stage, []):
                what = {"by": "by", "most": "at most", "least": "at least"}[m.op]
                text = f"{m.name} {what} {w.expr(m.value)}{w.where(m.when, 'when')}"
                yield f"    {text}{_of_effect(m.effect)}{_cited(m.rules)}"


def _of_effect(effect: str | None) -> str:
    return f"  (effect {effect})" if effect else ""


def _rule(w: Printer, rule: ir.Rule, pad: str, last: bool, shown: set[int]) -> Iterator[str]:
    value = f" = {w.expr(rule.value)}" if rule.value is not None else ""
    name = f"{rule.verdict} {rule.name}".strip()
    head = f"{pad}{'└─' if last else '├─'} {name}"
    again = id(rule) in shown
    shown.add(id(rule))
    if again and rule.exceptions:
        yield f"{head} (with its exceptions as above)"
        return
    applies = w.where(rule.when, "when")
    yield f"{head}{value}{applies}{_of_effect(rule.effect)}{_cited(rule.rules)}"
    inner = pad + ("   " if last else "│  ")
    for name, when in rule.suspended:
        yield f"{inner}suspended by {name} when {w.expr(when)}"
    for i, exception in enumerate(rule.exceptions):
        yield from _rule(w, exception, inner, i == len(rule.exceptions) - 1, shown)


# --------------------------------------------------------------------------- blocks


def _lowered(program: ir.Program, lowered: low.Lowered) -> Iterator[str]:
    w = Printer(program)
    current = ""
    for block in lowered.blocks:
        if block.procedure != current:
            current = block.procedure
            slots = ", ".join(f"{place} {name}" for name, place in lowered.slots[current].items())
            yield ""
            yield f"procedure {current}: frame of {lowered.sizes[current]} [{slots}]"
        entry = " entry" if lowered.entry[current] == block.index else ""
        yield f"  block {block.index}{entry}  {block.span}"
        yield from w.steps(block.body, 2)
        yield from (f"    {line}" for line in _end(w, block.terminator))


def _end(w: Printer, end: low.Terminator) -> Iterator[str]:
    match end:
        case low.Jump():
            yield f"→ {end.target}"
        case low.Branch():
            yield f"→ {end.then} if {w.expr(end.test)}, else → {end.orelse}"
        case low.Call():
            yield f"call {end.procedure}({', '.join(map(w.expr, end.args))}) → {end.next}"
        case low.Iterate():
            item = f"{end.var} of {end.items} (at {end.position}){w.where(end.where)}"
            yield f"next {item} → {end.body}, none left → {end.done}"
        case low.Suspend():
            yield f"ask {w.question(end.node)} → {end.next}, nothing to ask → {end.empty}"
            if isinstance(end.node, ir.Offer):
                yield from (f"  {w.branch(b)}" for b in end.node.branches)
        case low.Resume():
            what = f"{end.node.var} → {end.targets[0]}" if isinstance(end.node, ir.Choose) else ""
            if isinstance(end.node, ir.Offer):
                what = ", ".join(
                    f"{b.name} → {t}" for b, t in zip(end.node.branches, end.targets, strict=True)
                )
            yield f"answered: {what}, passed → {end.passed}"
        case low.Return():
            yield "finish" + (f" with {w.expr(end.value)}" if end.value is not None else "")
