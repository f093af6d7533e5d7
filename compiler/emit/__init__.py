"""Emission: a checked, lowered program as one Python module.

The module's text is what a person reads and mypy checks.  For running, its functions are compiled
one by one from their syntax trees with the line numbers of the ``.grog`` sources, so that
tracebacks and profilers point at rules.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import chain
from types import CodeType
from typing import Any, TypeAlias

from jinja2 import Environment, StrictUndefined, Template

from compiler import ir
from compiler import lowered as low
from compiler.emit.blocks import emit_blocks
from compiler.emit.calls import emit_callable
from compiler.emit.emission import Emission
from compiler.emit.inline import answer_from_below, called_names, made_variant, variant
from compiler.emit.marks import expressions_for
from compiler.emit.procedures import emit_check, emit_whole
from compiler.emit.queries import Answers
from compiler.emit.remembered import ASKED
from compiler.emit.travels import emit_travel
from compiler.emit.writer import Code, Writer, label, literal, parse_with_lines
from compiler.layout import SHAPES, layout
from runtime.bitsets import bits
from runtime.model import TypeSpec, names_hexes, weighing, zero
from runtime.state import DUE, StateBase

#: The text of a part of a module, the line of each of its lines if they stand for others, its file.
_Part: TypeAlias = "tuple[str, tuple[int, ...] | None, str]"
#: Code objects, by all that they follow from.
_Codes: TypeAlias = "dict[_Part, CodeType]"


@dataclass
class EmissionCache:
    """What is known of the program that was last emitted, of which the next one takes over what
    still holds.
    """

    answers: Answers = field(default_factory=dict)
    codes: _Codes = field(default_factory=dict)

    def emission(self, program: ir.Program, lowered: low.Lowered) -> Emission:
        """The next one."""
        emission = Emission(program, lowered, before=self.answers)
        self.answers = emission.answers
        return emission


def _compile_part(text: str, numbers: tuple[int, ...] | None, file: str) -> CodeType:
    """The code of a part of a module."""
    if numbers is None:
        return compile(text, file, "exec", dont_inherit=True)
    tree = parse_with_lines(text, numbers)
    tree.body[:0] = ast.parse("from __future__ import annotations").body
    return compile(tree, file, "exec", dont_inherit=True)


@dataclass
class GeneratedModule:
    """A generated module: its head, its functions, its tables of functions."""

    name: str
    head: str
    #: the names of the functions of blocks, in order
    blocks: list[str]
    functions: list[Code] = field(default_factory=list)
    tail: str = ""

    @property
    def text(self) -> str:
        """The whole module."""
        return (
            self.head.rstrip()
            + "\n\n\n"
            + "\n\n".join(code.text for code in self.functions)
            + "\n\n"
            + self.tail
        )

    def code(self, folders: dict[str, str], known: _Codes | None = None) -> list[CodeType]:
        """Code objects in order; *folders* maps shown file names to real paths.

        Those that are *known* are taken over, and from then on it knows these and no others.
        """
        name = f"<{self.name}>"
        parts: list[_Part] = [(self.head, None, name)]
        for function in self.functions:
            file = folders.get(function.span.file, function.span.file or name)
            parts.append((function.text, function.numbers, file))
        parts.append((self.tail, None, name))
        old = {} if known is None else known
        new = {part: old.get(part) or _compile_part(*part) for part in parts}
        if known is not None:
            known.clear()
            known.update(new)
        return [new[part] for part in parts]


@cache
def _module() -> Template:
    """What the head of a module is made of."""
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    text = resources.files(__package__).joinpath("module.py.j2").read_text(encoding="utf-8")
    return environment.from_string(text)


def emit(program: Emission) -> GeneratedModule:
    """Emit a program."""
    assert program.lowered is not None
    blocks = [f"b{b.index}_{b.procedure}" for b in program.lowered.blocks]
    answer_from_below(program)
    out = GeneratedModule(program.name, _head(program), blocks)
    written: list[tuple[Any, ...]] = [
        *((_call, name) for name in _by_use(program)),
        *((_travel, name) for name in program.travels),
        *((_initial, *key) for key in program.initials),
        *((_check, name) for name in program.checks),
        *((_procedure, name) for name in program.procedures),
    ]
    variants: set[tuple[Any, ...]] = set()
    for part in written:  # to which the variants that they use are added
        out.functions += program.answer(*part)
        for find, *args in program.dependencies_of(*part):
            if find is made_variant and tuple(args) not in variants:
                variants.add(tuple(args))
                written.append((_variant, *args))
    out.tail = _tail(program, program.lowered, blocks)
    return out


def _call(program: Emission, name: str) -> list[Code]:
    """The functions of a call, and its table."""
    call, sizes = program.calls[name], program.table_of(name)
    return [*emit_callable(program, call), *([] if sizes is None else [_table(call, sizes)])]


def _variant(program: Emission, name: str, kinds: tuple[str, ...]) -> list[Code]:
    return emit_callable(program, variant(program, name, kinds))


def _travel(program: Emission, name: str) -> list[Code]:
    return emit_travel(program, program.travels[name])


def _check(program: Emission, name: str) -> list[Code]:
    return [emit_check(program, program.checks[name])]


def _procedure(program: Emission, name: str) -> list[Code]:
    """The functions of the blocks of a procedure that can ask, or that of another."""
    procedure = program.procedures[name]
    return emit_blocks(program, name) if procedure.asks else [emit_whole(program, procedure)]


def _by_use(program: Emission) -> list[str]:
    """The calls, those worked out into tables first, after what they use."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            for other in called_names(program, name):
                visit(other)
            order[name] = None

    for name in program.calls:
        if program.table_of(name) is not None:
            visit(name)
    return list(order | dict.fromkeys(program.calls))


def _table(call: ir.Callable, sizes: tuple[int, ...]) -> Code:
    """All values of a static function."""
    w = Writer(f"F_{call.name}", call.span)
    shape = "".join(
        f"{'SIZE' if p.type.kind == 'hex' else size}, "
        for p, size in zip(call.params, sizes, strict=True)
    )
    tables = [("F", "q", "int")]
    if call.type.kind == "set":
        tables.append(("L", "i", "Sequence[int]"))
    for table, function, type_ in tables:
        for _ in sizes:
            type_ = f"tuple[{type_}, ...]"
        values = f"tabulate({function}_{call.name}, ({shape}))"
        w.add(f"{table}_{call.name}: Final[{type_}] = {values}")
    return w.code


def _initial(program: Emission, owner: str, name: str) -> list[Code]:
    slot, initial = program.fields[owner, name].slot, program.initials[owner, name]
    w = Writer(f"initial_{slot}", initial.span)
    w.add(f"def initial_{slot}(s: State, v_it: int) -> int:")
    w.depth = 1
    w.add(f"return {expressions_for(program, w).expr(initial)}")
    return [w.code]


def _tail(program: Emission, lowered: low.Lowered, blocks: list[str]) -> str:
    """What is found by name: blocks, procedures, formulas."""
    lines: list[str] = []

    def table(name: str, type_: str, entries: Mapping[Any, str]) -> None:
        items = ", ".join(f"{key!r}: {value}" for key, value in entries.items())
        lines.append(f"{name}: Final[dict[{type_}]] = {{{items}}}")

    procedures = program.procedures
    for procedure in procedures.values():
        if not procedure.cases:
            continue
        members = range(len(program.enums[procedure.params[0].type.name]))
        family = [*(procedure.cases.get(i, procedure.name) for i in members), procedure.name]
        name, type_, entries = (
            f"C_{procedure.name}",
            "Callable[..., Any]",
            [f"p_{f}" for f in family],
        )
        if procedure.asks:
            name, type_ = f"E_{procedure.name}", "int"
            entries = [str(lowered.entry[f]) for f in family]
        lines.append(f"{name}: Final[tuple[{type_}, ...]] = ({', '.join(entries)},)")
    lines.append("BLOCKS: Final[tuple[Callable[[State, list[Any]], bool], ...]] = (")
    lines.extend(f"    {block}," for block in blocks)
    lines.append(")")
    lines.append(f"LIVE: Final[Live] = {_live(program, lowered)!r}")
    table(
        "INITIALS",
        "tuple[str, str], Callable[[State, int], int]",
        {key: f"initial_{program.fields[key].slot}" for key in program.initials},
    )
    first = [p for p in procedures.values() if p.case_of is None]
    table(
        "ENTRIES",
        "str, tuple[int, int]",
        {p.name: f"{lowered.entry[p.name], lowered.sizes[p.name]}" for p in first if p.asks},
    )
    table(
        "FAMILIES",
        "str, tuple[int, ...]",
        {p.name: f"E_{p.name}" for p in procedures.values() if p.cases and p.asks},
    )
    whole = [p for p in first if not p.asks]
    table("WHOLE", "str, Any", {p.name: f"{'C' if p.cases else 'p'}_{p.name}" for p in whole})
    forecasts = {
        f.name: f"{lowered.entry[f.procedure], lowered.sizes[f.procedure]}"
        for f in program.forecasts.values()
    }
    table("FORECASTS", "str, tuple[int, int]", forecasts)
    names = lowered.by_procedure if forecasts else ()
    needed = tuple(chain.from_iterable(map(program.live_places, names)))
    lines.append(f"NEEDED: Final[tuple[tuple[int, ...], ...]] = {needed!r}")
    chance = tuple(int(block.at_once) for block in lowered.blocks) if forecasts else ()
    lines.append(f"CHANCE: Final[tuple[int, ...]] = {chance!r}")
    if program.memos:
        asked = ", ".join(f"q_{name}" for name in program.memos)
        lines.append(f"ASKED: Final[tuple[Callable[..., int], ...]] = ({asked},)")
    play = procedures.get("play")
    start: list[int] = []
    if play is not None and play.asks:
        start = [lowered.entry["play"], *[0] * (lowered.sizes["play"] - 1)]
    lines.append(f"START: Final[list[int]] = {start!r}")
    lines.append(f"PLAY: Final = {'p_play' if play is not None and not play.asks else None}")
    return "\n".join(lines) + "\n"


def _live(
    program: Emission, lowered: low.Lowered
) -> dict[int, tuple[tuple[tuple[int, str, bool], ...], tuple[str, ...]]]:
    """By the block with which a frame goes on: what it holds of pieces."""
    table = {}
    for block, going_on, held in lowered.holding_blocks():
        kept = program.frame_of(block.procedure)
        places = tuple(
            (kept[local], kind, many) for local, kind, many in held.locals if local in kept
        )
        table[going_on] = (places, tuple(sorted(held.kinds)))
    return table


#: How the slots of each shape are copied.
_COPIES = {
    "fixed": "self.{}",
    "ints": "self.{}",
    "lists": "self.{}[:]",
    "nested": "[p[:] for p in self.{}]",
    "derived": "self.{}[:]",
}


def _row(program: Emission, type_: TypeSpec, values: tuple[int, ...]) -> str:
    """A row of values that the ruleset writes down."""
    if not names_hexes(type_):
        return repr(values)
    return "(" + "".join(f"{literal(type_, v, program.board)}, " for v in values) + ")"


def _column(program: Emission, column: ir.Column) -> dict[str, Any]:
    spec = column.type.spec()
    data = _row(program, spec, (*column.values, zero(spec)))
    if column.place is not None:
        first = column.place + 1
        data = f"(*WEIGHTS[{first}:{first + len(column.values)}], 0)"
    lists = None
    if column.type.kind == "set":
        lists = repr(tuple(tuple(bits(v)) for v in (*column.values, 0)))
        if names_hexes(spec):
            lists = f"tuple(bits(v) for v in T_{column.enum}_{column.name})"
    return {
        "table": column.table,
        "enum": column.enum,
        "name": column.name,
        "rules": column.rules,
        "data": data,
        "lists": lists,
    }


def _matrix(program: Emission, matrix: ir.MatrixInfo) -> dict[str, Any]:
    blank = zero(matrix.type.spec())
    rows = [(*row, blank) for row in matrix.values]
    rows.append((blank,) * len(rows[0]) if rows else (blank,))
    data = "".join(_row(program, matrix.type.spec(), row) + ", " for row in rows)
    return {"name": matrix.name, "rules": matrix.rules, "data": f"({data})"}


def _memory(program: Emission, name: str) -> str:
    """The type of a slot with remembered values."""
    if program.blank_of(name) == "UNKNOWN":
        return "list[int | None]"
    return "dict[Any, int]" if name.startswith("K_") else f"dict[Any, tuple[int, {ASKED}]]"


def _head(program: Emission) -> str:
    slots = layout(program)
    shapes = {shape: tuple(s.name for s in slots if s.shape == shape) for shape in SHAPES}
    places = [
        {"kind": kind.lower(), "slot": place.slot, "alone": place.alone}
        for kind in program.kinds
        if (place := program.place_of(kind)) is not None
    ]
    assert program.board is not None
    count = len(program.sides)
    # an installation has the engine inside another package
    engine = __name__.removesuffix("compiler.emit")
    return _module().render(
        engine=engine,
        name=program.name,
        bases=program.bases,
        hash=program.hash,
        board=repr(program.board.spec()),
        labels=[(label(name), name) for name in program.labels],
        opponent=repr((*((i + 1) % count for i in range(count)), -1)) if count else "(-1,)",
        dice=[{"name": d.name, "faces": repr(d.faces)} for d in program.dice.values()],
        weighing=repr(weighing(program.weights)),
        weights=[(w.name, w.place) for w in program.weights.values() if "." not in w.name],
        columns=[_column(program, c) for c in program.columns.values()],
        matrices=[_matrix(program, m) for m in program.matrices.values()],
        memories=[(name, _memory(program, name)) for name in program.memo_slots()],
        rows=tuple(n for n in program.memo_slots() if program.blank_of(n) == "UNKNOWN"),
        hanging={
            slot: names
            for s in slots
            if (names := tuple(program.stale_memo_slots((slot := s.name,))))
        },
        asked=ASKED,
        slots=[(s.name, s.type, _COPIES[s.shape].format(s.name)) for s in slots],
        shapes={shape.upper(): repr(names) for shape, names in shapes.items()},
        content=(*shapes["ints"], *shapes["lists"], *shapes["nested"]),
        base_ints=(*StateBase._BASE_INTS, "ranks", "result", "about", "pools"),
        places=places,
        held=(1 << DUE) - 1,
    )
