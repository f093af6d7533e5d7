"""The file of a board: which positions exist, what lies on each hex, what is joined.

``boards/<file>.yaml`` in the folder of the ruleset:

* ``rows``: one string per row, one character per column; a blank is a position without a hex;
* ``fields``: values of the fields of Hex declared with ``map``: for an enum ``member: [labels]``,
  for a bool a list of labels, for a number ``value: [labels]``, for a set of hexes a list of pairs
  (both directions) or ``label: [labels]``;
* ``legend``: characters of ``rows`` and the fields they stand for: ``f: {terrain: forest}``;
* ``joins``: pairs of labels that are adjacent without touching; ``names``: names by label.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from compiler.check.chart import Chart
from compiler.check.context import Context
from compiler.check.facts.tables import parse_cell
from compiler.sources.data_files import parse_data_file, report_faults
from compiler.sources.files import Report, display_name
from compiler.types import Type
from dsl import nodes as n
from dsl.diagnostics import did_you_mean
from dsl.source import Source
from runtime.data.check import faults
from runtime.data.reader import Mapping, Node, Scalar, entries_of, items_of, text_of
from runtime.errors import words_of
from runtime.files import unreadable
from runtime.scenario.boards import field_values, gaps, said_of, sign_at, unexplained_signs
from runtime.scenario.shape import board_shape
from runtime.words.said import said

_SHAPE: Final = board_shape(None)


def read_chart(ctx: Context, decl: n.Board, file: str) -> Chart:
    """Read ``boards/<file>.yaml``."""
    for folder in ctx.folders:
        path = folder / "boards" / f"{file}.yaml"
        if not ctx.files.has(folder, path):
            continue
        name = f"{folder.name}/boards/{file}.yaml"
        try:
            source = ctx.files.source(name, ctx.files.text(folder, path))
        except (OSError, UnicodeDecodeError) as error:
            reason, remedy = unreadable(error)
            ctx.error(
                "F405",
                said("{name} cannot be read: {reason}", name=name, reason=reason),
                decl.span,
                remedy,
            )
            return Chart(name=name)
        root = _content(ctx, source)
        usable = partial(_usable, source, root)
        return Chart(ctx.files.content_of(source, usable, ctx.diagnostics.append), name, source)
    there = [path.stem for folder in ctx.folders for path in _boards(ctx, folder)]
    remedy = did_you_mean(file, there) or "put it into the folder of the ruleset"
    ctx.error("F405", said("there is no file boards/{file}.yaml", file=file), decl.span, remedy)
    return Chart()


def _usable(source: Source, root: Mapping, report: Report) -> Mapping:
    """What of a file can be used; what is wrong with the other entries is reported."""
    usable: list[tuple[Scalar, Node]] = []
    for entry in root.entries:
        wrong = list(faults(Mapping((entry,), 1, 1), _SHAPE))
        report_faults(source, wrong, "F405", report)
        usable += [] if wrong else [entry]
    return Mapping(tuple(usable), root.line, root.column)


def board_files(ctx: Context, own: object) -> dict[str, str]:
    """The texts of all files of boards, by name; a ruleset's own come before those of its bases.

    What is no mapping is reported, but of its *own* board where that is read.
    """
    texts: dict[str, str] = {}
    for folder in ctx.folders:
        for path in _boards(ctx, folder):
            try:
                text = ctx.files.text(folder, path)
            except (OSError, UnicodeDecodeError):
                continue  # reported where it is read, or where a scenario asks for it
            if path.stem not in texts and path.stem != own:
                _content(ctx, ctx.files.source(display_name(folder, path), text))
            texts.setdefault(path.stem, text)
    return texts


def _boards(ctx: Context, folder: Path) -> list[Path]:
    return ctx.files.entries(folder, ".yaml", "boards")


def _content(ctx: Context, source: Source) -> Mapping:
    """The content of a board's file; empty, and reported, where it is no mapping."""
    ctx.sources.setdefault(source.name, source)
    before = len(ctx.diagnostics)
    root = parse_data_file(ctx.files, source, "F405", ctx.diagnostics.append)
    if root is None and len(ctx.diagnostics) == before:
        remedy = said("write a mapping with the keys {keys}", keys=", ".join(_SHAPE.keys))
        ctx.error("F405", said("{name} is empty", name=source.name), source.span(0, 0), remedy)
    return root or Mapping((), 1, 1)


def board_arguments(
    ctx: Context, chart: Chart, decl: n.Board, rows: int, columns: int
) -> dict[str, Any]:
    """The arguments of :class:`runtime.board.Board` that the file gives."""
    drawn, root = chart.rows, chart.root
    if drawn and len(drawn) != rows:
        message = said(
            "{name} draws {count} rows, the board has {rows}",
            name=chart.name,
            count=len(drawn),
            rows=rows,
        )
        ctx.error("F405", message, chart.span_of_key(decl.span, "rows"), "make them agree")
    for number, row in enumerate(items_of(root.get("rows")) if drawn else ()):
        if number < rows and (width := len(text_of(row).rstrip())) > columns:
            drawn_as = said(
                "row {number} of {name} has {width} characters",
                number=number + 1,
                name=chart.name,
                width=width,
            )
            message = said(
                "{drawn_as}, the board {columns} columns", drawn_as=drawn_as, columns=columns
            )
            ctx.error("F405", message, chart.span(row), "make them agree")
    if not root.entries:
        return {}
    return {
        "missing": gaps(drawn, rows, columns) if drawn else [],
        "joins": [tuple(map(text_of, items_of(pair))) for pair in items_of(root.get("joins"))],
        "names": {key.text: text_of(value) for key, value in entries_of(root.get("names"))},
    }


def check_shape(ctx: Context, chart: Chart, decl: n.Board, shape: dict[str, Any]) -> None:
    """What the file says of its size for scenarios must be what the declaration says."""
    for key in ("columns", "narrow"):
        given = chart.root.get(key)
        if given is not None and text_of(given) != str(shape[key] or "none"):
            message = said(
                "{name} has {key}: {given}, the board {shape}",
                name=chart.name,
                key=key,
                given=text_of(given),
                shape=shape[key] or "none",
            )
            ctx.error("F405", message, chart.span_of_key(decl.span, key), "make them agree")
    chart.unused = {key.text for key, _ in chart.mapping("fields").entries}


def check_used(ctx: Context, decl: n.Board) -> None:
    """Report values for fields not declared with ``map``, and signs that nothing explains."""
    chart, fields = ctx.chart, ctx.program.fields.values()
    known = [f.name for f in fields if f.owner == "Hex" and f.values is not None]
    given = [("fields", name) for name in sorted(chart.unused)]
    nested = [
        ("legend", sign.text, key.text)
        for sign, meaning in chart.mapping("legend").entries
        for key, _ in entries_of(meaning)
        if key.text not in known
    ]
    for *keys, name in (*given, *nested):
        message = said(
            "{file} gives values for '{name}', which is not a map field of Hex",
            file=chart.name,
            name=name,
        )
        place = chart.span_of_key(decl.span, *keys, name)
        otherwise = said("declare it: fields of Hex { {name}: … map }", name=name)
        ctx.report_unmatched("F405", message, name, place, known, otherwise)
    for number, sign in unexplained_signs(chart.root):
        message = said(
            "{name}: the legend does not say what '{sign}' is (row {number})",
            name=chart.name,
            sign=sign,
            number=number + 1,
        )
        place = chart.span(items_of(chart.root.get("rows"))[number])
        ctx.error(
            "F405", message, place, said("write {sign}: {field: value} in the legend", sign=sign)
        )
    if not any(d.span.file == chart.name for d in ctx.diagnostics):
        for f in chart.owed:
            _check_given(ctx, f)


def map_values(ctx: Context, f: n.Field, type_: Type) -> tuple[int, ...]:
    """The value of a ``map`` field for every hex."""
    board, chart, name = ctx.program.board, ctx.chart, f.name.text
    assert board is not None
    blank = -1 if type_.finite else 0
    if f.default is not None and isinstance(f.default, n.Name | n.Int | n.Bool):
        text = f.default.name if isinstance(f.default, n.Name) else str(f.default.value).lower()
        blank = parse_cell(ctx, n.Cell(text, span=f.default.span), type_)
    chart.unused.discard(name)
    if f.default is None and chart.root.entries and type_.kind == "enum" and not type_.optional:
        chart.owed.append(f)

    def hex_of(node: Node) -> int | None:
        try:
            return board.index(text_of(node))
        except ValueError as error:
            message = said(
                "{file}, field '{name}': {error}",
                file=chart.name,
                name=name,
                error=words_of(error),
            )
            ctx.error("F404", message, chart.span(node), "use a label of the board")
            return None

    def misfit(node: Node) -> None:
        message = said(
            "{file} gives '{name}' in a form that does not fit {type}",
            file=chart.name,
            name=name,
            type=type_,
        )
        remedy = "value: [labels], or a list of labels"
        ctx.error("F404", message, chart.span(node), remedy, types=(type_,))

    kind = (type_.kind, type_.of.kind if type_.of is not None else "")
    return field_values(
        chart.root, name, kind, board, blank, lambda node: _value(ctx, node, type_), hex_of, misfit
    )


def _value(ctx: Context, node: Node, type_: Type) -> int:
    """A value that the file writes down; what is wrong with it names the file."""
    before = len(ctx.diagnostics)
    text = " ".join(text_of(item) for item in items_of(node))
    value = parse_cell(ctx, n.Cell(text, span=ctx.chart.span(node)), type_)
    for at, diagnostic in enumerate(ctx.diagnostics[before:], before):
        message = said("{file}: {message}", file=ctx.chart.name, message=diagnostic.message)
        ctx.diagnostics[at] = replace(diagnostic, message=message)
    return value


def _check_given(ctx: Context, f: n.Field) -> None:
    """Report hexes to which the file gives no value of a field that has no initial one."""
    board, chart, name = ctx.program.board, ctx.chart, f.name.text
    assert board is not None
    legend = {sign for sign, _ in said_of(chart.root, name)}
    listed = {
        text_of(label)
        for _, labels in entries_of(chart.mapping("fields").get(name))
        for label in items_of(labels)
    }
    signs = {h: sign_at(chart.rows, board, h) for h in range(board.size)}
    lacking = [h for h in signs if signs[h] not in legend and board.labels[h] not in listed]
    if lacking:
        some = ", ".join(board.labels[h] for h in lacking[:3]) + " …" * (len(lacking) > 3)
        place = chart.span_of_key(f.name.span, "legend", signs[lacking[0]])
        remedy = said("give it there, or declare what holds otherwise: {name}: … = …", name=name)
        ctx.error(
            "F405",
            said(
                "{file} gives no '{name}' for {some}",
                file=chart.name,
                name=name,
                some=some,
            ),
            place,
            remedy,
        )
