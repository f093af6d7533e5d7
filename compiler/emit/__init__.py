"""Emission: a checked, lowered program as one Python module.

The module's text is what a person reads and mypy checks.  For running, its functions are compiled
one by one from their syntax trees with the line numbers of the ``.grog`` sources, so that tracebacks
and profilers point at rules.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import CodeType
from typing import Any

from jinja2 import Environment, StrictUndefined

from compiler import ir
from compiler import lowered as low
from compiler.emit.blocks import emit_blocks
from compiler.emit.calls import emit_callable
from compiler.emit.emission import Emission, Watched
from compiler.emit.frames import kept_locals
from compiler.emit.inline import table_of
from compiler.emit.places import label, written
from compiler.emit.procedures import emit_check, emit_whole
from compiler.emit.travels import emit_travel
from compiler.emit.watching import expressions_for
from compiler.emit.writer import Code, Writer
from compiler.layout import SHAPES, layout
from runtime.bitsets import bits
from runtime.model import TypeSpec, located, zero
from runtime.state import StateBase


@dataclass
class Emitted:
    """A generated module: its head, its functions, its tables of functions."""

    name: str
    head: str
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

    def code(self, folders: dict[str, str]) -> list[CodeType]:
        """Code objects in order; *folders* maps shown file names to real paths."""
        objects = [compile(self.head, f"<{self.name}>", "exec", dont_inherit=True, flags=0)]
        for function in self.functions:
            file = folders.get(function.span.file, function.span.file or f"<{self.name}>")
            objects.append(compile(_with_future(function.tree()), file, "exec", dont_inherit=True))
        objects.append(compile(self.tail, f"<{self.name}>", "exec", dont_inherit=True))
        return objects


def _with_future(module: ast.Module) -> ast.Module:
    statement = ast.ImportFrom(
        "__future__", [ast.alias("annotations", lineno=1, col_offset=0)], 0, lineno=1, col_offset=0
    )
    module.body.insert(0, statement)
    return module


@cache
def _environment() -> Environment:
    return Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)


def emit(checked: ir.Program, lowered: low.Lowered, watched: list[Watched] | None = None) -> Emitted:
    """Emit a program; with *watched* one that notes what it uses, of which that takes the marks."""
    program = Emission.of(checked, watched)
    out = Emitted(program.name, _head(program))
    for name in _by_use(program):
        out.functions.extend(emit_callable(program, program.calls[name]))
        sizes = table_of(program, name)
        if sizes is not None:
            out.functions.append(_table(program.calls[name], sizes))
    for travel in program.travels.values():
        out.functions.extend(emit_travel(program, travel))
    for (owner, name), initial in program.initials.items():
        out.functions.append(_initial(program, program.fields[owner, name].slot, initial))
    for check in program.checks.values():
        out.functions.append(emit_check(program, check))
    for procedure in program.procedures.values():
        if procedure.asks:
            out.functions.extend(emit_blocks(program, lowered, procedure))
        else:
            out.functions.append(emit_whole(program, procedure))
    done = 0
    while done < len(program.variants):
        for variant in list(program.variants.values())[done:]:
            out.functions.extend(emit_callable(program, variant))
            done += 1
    out.tail = _tail(program, lowered)
    return out


def _by_use(program: Emission) -> list[str]:
    """The calls, those worked out into tables first, after what they use."""
    from compiler.check.analysis import call_expressions, direct_reads

    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        for used in sorted(direct_reads(program.place_of, call_expressions(program.calls[name]))[1]):
            if used.startswith("call "):
                visit(used[5:])
        order.append(name)

    static = [name for name in program.calls if table_of(program, name) is not None]
    for name in static:
        visit(name)
    return order + [name for name in program.calls if name not in order]


def _table(call: ir.Callable, sizes: tuple[int, ...]) -> Code:
    """All values of a static function."""
    w = Writer(f"F_{call.name}", call.span)
    shape = "".join(
        f"{'SIZE' if p.type.kind == 'hex' else size}, " for p, size in zip(call.params, sizes, strict=True)
    )
    w.add(f"F_{call.name}: Final[{_nested('int', len(sizes))}] = tabulate(q_{call.name}, ({shape}))")
    if call.type.kind == "set":
        w.add(
            f"L_{call.name}: Final[{_nested('Sequence[int]', len(sizes))}] = tabulate(i_{call.name}, "
            f"({shape}))"
        )
    return w.code


def _nested(inner: str, depth: int) -> str:
    """The type of a table of *depth* dimensions."""
    return inner if depth == 0 else f"tuple[{_nested(inner, depth - 1)}, ...]"


def _initial(program: Emission, slot: str, initial: ir.Expr) -> Code:
    w = Writer(f"initial_{slot}", initial.span)
    w.add(f"def initial_{slot}(s: State, v_it: int) -> int:")
    w.depth = 1
    w.add(f"return {expressions_for(program, w).expr(initial)}")
    return w.code


def _tail(program: Emission, lowered: low.Lowered) -> str:
    lines: list[str] = []
    for procedure in program.procedures.values():
        if not procedure.cases:
            continue
        members = program.enums[procedure.params[0].type.name]
        family = [procedure.cases.get(i, procedure.name) for i in range(len(members))]
        if procedure.asks:
            lines.append(
                f"E_{procedure.name}: Final[tuple[int, ...]] = "
                f"({', '.join(str(lowered.entry[f]) for f in [*family, procedure.name])},)"
            )
        else:
            lines.append(
                f"C_{procedure.name}: Final[tuple[Callable[..., Any], ...]] = "
                f"({', '.join(f'p_{f}' for f in [*family, procedure.name])},)"
            )
    lines.append("BLOCKS: Final[tuple[Callable[[State, list[Any]], bool], ...]] = (")
    lines.extend(f"    b{b.index}_{b.procedure}," for b in lowered.blocks)
    lines.append(")")
    lines.append(f"LIVE: Final[Live] = {_live(program, lowered)!r}")
    initials = ", ".join(f"({o!r}, {n!r}): initial_{program.fields[o, n].slot}" for o, n in program.initials)
    lines.append(f"INITIALS: Final[dict[tuple[str, str], Callable[[State, int], int]]] = {{{initials}}}")
    entries = {
        p.name: (lowered.entry[p.name], lowered.sizes[p.name])
        for p in program.procedures.values()
        if p.asks and p.case_of is None
    }
    families = [p.name for p in program.procedures.values() if p.cases and p.asks]
    whole = [p.name for p in program.procedures.values() if not p.asks and p.case_of is None]
    lines.append(f"ENTRIES: Final[dict[str, tuple[int, int]]] = {entries!r}")
    lines.append(
        "FAMILIES: Final[dict[str, tuple[int, ...]]] = {" + ", ".join(f"{f!r}: E_{f}" for f in families) + "}"
    )
    parts = ", ".join(f"{n!r}: " + (f"C_{n}" if program.procedures[n].cases else f"p_{n}") for n in whole)
    lines.append(f"WHOLE: Final[dict[str, Any]] = {{{parts}}}")
    told = ", ".join(f"{f.name!r}: p_{f.procedure}" for f in program.forecasts.values())
    lines.append(f"FORECASTS: Final[dict[str, Callable[..., Any]]] = {{{told}}}")
    claims = ", ".join(f"{name!r}: q_{call.name}" for name, call in program.requirements.items())
    lines.append(f"REQUIREMENTS: Final[dict[str, Callable[[State], int]]] = {{{claims}}}")
    play = program.procedures.get("play")
    if play is not None and play.asks:
        lines.append(
            f"START: Final[list[int]] = {[lowered.entry['play'], *[0] * (lowered.sizes['play'] - 1)]!r}"
        )
        lines.append("PLAY: Final = None")
    else:
        lines.append("START: Final[list[int]] = []")
        lines.append("PLAY: Final = p_play" if play is not None else "PLAY: Final = None")
    for name in ir.ASKED_BY_ENGINE:
        lines.append(f"{name.upper()}: Final = {f'q_{name}' if name in program.calls else None}")
    return "\n".join(lines) + "\n"


def _live(
    program: Emission, lowered: low.Lowered
) -> dict[int, tuple[tuple[tuple[int, str, bool], ...], tuple[str, ...]]]:
    """By the block with which a frame goes on: what it holds of pieces."""
    table = {}
    kept: dict[str, dict[str, int]] = {}
    for block in lowered.blocks:
        end = block.terminator
        if not isinstance(end, low.Suspend | low.Call):
            continue
        held = end.held if isinstance(end, low.Call) else lowered.live.decisions.get(end.node.decision.index)
        if held is None or not (held.locals or held.kinds):
            continue
        name = block.procedure
        if name not in kept:
            kept[name] = kept_locals(lowered, program.procedures[name])
        places = tuple(
            (kept[name][local], kind, many) for local, kind, many in held.locals if local in kept[name]
        )
        table[end.next] = (places, tuple(sorted(held.kinds)))
    return table


@dataclass
class _Slot:
    name: str
    type: str
    copy: str


def state_slots(program: Emission) -> tuple[list[_Slot], dict[str, list[str]]]:
    """The slots of the state beyond the common ones, and which of them are of which shape."""
    copies = {
        "fixed": "self.{0}",
        "ints": "self.{0}",
        "lists": "self.{0}[:]",
        "nested": "[p[:] for p in self.{0}]",
        "derived": "self.{0}[:]",
    }
    types = {
        "fixed": "list[int]",
        "ints": "int",
        "lists": "list[int]",
        "nested": "list[list[int]]",
        "derived": "list[int]",
    }
    slots: list[_Slot] = []
    shapes: dict[str, list[str]] = {shape: [] for shape in SHAPES}
    for name, shape in layout(program):
        type_ = types[shape]
        if shape == "fixed" and name.startswith(("n_", "o_", "switch_")):
            type_ = "int"
        elif name.startswith("by_"):
            type_ = "list[tuple[int, ...]]"
        slots.append(_Slot(name, type_, copies[shape].format(name)))
        shapes[shape].append(name)
    return slots, shapes


def _row(program: Emission, type_: TypeSpec, values: tuple[int, ...]) -> str:
    """A row of values that the ruleset writes down."""
    return (
        repr(values)
        if not located(type_)
        else "(" + "".join(f"{written(type_, v, program.board)}, " for v in values) + ")"
    )


def _head(program: Emission) -> str:
    slots, shapes = state_slots(program)
    columns: list[dict[str, Any]] = []
    for column in program.columns.values():
        blank = 0 if column.type.kind == "set" else zero(column.type.spec())
        if column.type.optional:
            blank = -1
        lists = None
        values = (*column.values, blank)
        if column.type.kind == "set" and located(column.type.spec()):
            lists = f"tuple(bits(v) for v in T_{column.enum}_{column.name})"
        elif column.type.kind == "set":
            lists = repr(tuple(tuple(bits(v)) for v in (*column.values, 0)))
        columns.append(
            {
                "table": column.table,
                "enum": column.enum,
                "name": column.name,
                "rules": column.rules,
                "data": _row(program, column.type.spec(), values),
                "lists": lists,
            }
        )
    matrices = []
    for matrix in program.matrices.values():
        blank = -1 if matrix.type.optional else zero(matrix.type.spec())
        rows = [(*row, blank) for row in matrix.values]
        rows.append((blank,) * len(rows[0]) if rows else (blank,))
        data = "".join(_row(program, matrix.type.spec(), row) + ", " for row in rows)
        matrices.append({"name": matrix.name, "rules": matrix.rules, "data": f"({data})"})
    places = [
        {"kind": kind.lower(), "slot": place.slot, "alone": place.alone}
        for kind in program.kinds
        if (place := program.place_of(kind)) is not None
    ]
    assert program.board is not None
    count = len(program.sides)
    template = resources.files(__package__).joinpath("module.py.j2").read_text(encoding="utf-8")
    return (
        _environment()
        .from_string(template)
        .render(
            engine=__name__.removesuffix("compiler.emit"),  # an installation has it inside another package
            name=program.name,
            bases=program.bases,
            hash=program.hash,
            board=repr(program.board.spec()),
            labels=[(label(name), name) for name in program.labels],
            opponent=repr((*((i + 1) % count for i in range(count)), -1)) if count else "(-1,)",
            dice=[{"name": d.name, "faces": repr(d.faces)} for d in program.dice.values()],
            columns=columns,
            matrices=matrices,
            slots=slots,
            fixed=repr(tuple(shapes["fixed"])),
            ints=repr(tuple(shapes["ints"])),
            lists=repr(tuple(shapes["lists"])),
            nested=repr(tuple(shapes["nested"])),
            content=(*shapes["ints"], *shapes["lists"], *shapes["nested"]),
            derived=repr(tuple(shapes["derived"])),
            base_ints=(*StateBase._BASE_INTS, "ranks", "result", "about", "pools"),
            places=places,
            held=(1 << low.DUE) - 1,
        )
    )
