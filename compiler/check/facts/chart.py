"""The file of a board: which positions exist, what lies on each hex, what is joined.

``boards/<file>.yaml`` in the folder of the ruleset:

* ``rows``: one string per row, one character per column; a blank is a position without a hex;
* ``fields``: values of the fields of Hex declared with ``map``: for an enum ``member: [labels]``, for a bool
  a list of labels, for a number ``value: [labels]``, for a set of hexes a list of pairs (both directions) or
  ``label: [labels]``;
* ``legend``: characters of ``rows`` and the fields they stand for: ``f: {terrain: forest}``;
* ``joins``: pairs of labels that are adjacent without touching; ``names``: names by label.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import yaml

from compiler.check.context import Context
from compiler.check.facts.cells import parse_cell
from compiler.check.facts.chart_shape import Chart, Report, shaped, shortened
from compiler.types import Type
from dsl import nodes as n
from dsl.diagnostics import did_you_mean
from dsl.source import Source
from runtime.files import entries, read_text, unreadable
from runtime.scenario.boards import KEYS, unexplained
from runtime.yaml_errors import explained
from runtime.yaml_plain import load_plain


def board_arguments(ctx: Context, chart: Chart, decl: n.Board, rows: int, columns: int) -> dict[str, Any]:
    """The arguments of :class:`runtime.board.Board` that the file gives."""
    drawn = chart.drawn
    missing: list[tuple[int, int]] = []
    if drawn:
        if len(drawn) != rows:
            ctx.error(
                "F405",
                f"{chart.name} draws {len(drawn)} rows, the board has {rows}",
                chart.place(decl.span, "rows"),
                "make them agree",
            )
        for r in range(rows):
            line = drawn[r] if r < len(drawn) else ""
            missing.extend((r, c) for c in range(columns) if c >= len(line) or line[c] == " ")
            if len(line.rstrip()) > columns:
                ctx.error(
                    "F405",
                    f"row {r + 1} of {chart.name} has {len(line.rstrip())} characters, the board "
                    f"{columns} columns",
                    chart.place(decl.span, "rows", word=line),
                    "make them agree",
                )
    joins = [tuple(str(x) for x in pair) for pair in chart.data.get("joins", [])]
    names = {str(k): str(v) for k, v in chart.data.get("names", {}).items()}
    return {"missing": missing, "joins": joins, "names": names} if chart.data else {}


def check_shape(ctx: Context, chart: Chart, decl: n.Board, shape: dict[str, Any]) -> None:
    """What the file says of its size for scenarios must be what the declaration says."""
    for key in ("columns", "narrow"):
        if key in chart.data and str(chart.data[key]) != str(shape[key] or "none"):
            message = f"{chart.name} has {key}: {chart.data[key]}, the board {shape[key] or 'none'}"
            ctx.error("F405", message, chart.place(decl.span, key), "make them agree")


def check_keys(ctx: Context, chart: Chart, decl: n.Board) -> None:
    """Report keys that the file should not have."""
    for key in chart.data:
        if key not in KEYS:
            remedy = did_you_mean(key, KEYS) or f"known: {', '.join(KEYS)}"
            place = chart.place(decl.span, str(key))
            ctx.error("F405", f"{chart.name} has the unknown key '{shortened(key)}'", place, remedy)
    chart.unused = {str(key) for key in chart.data.get("fields", {})}


def check_used(ctx: Context, decl: n.Board) -> None:
    """Report values for fields that are not declared with ``map``, and signs that nothing explains."""
    chart = ctx.chart
    known = [f.name for f in ctx.program.fields.values() if f.owner == "Hex" and f.values is not None]
    legend = chart.data.get("legend", {})
    given: list[tuple[str, ...]] = [("fields", name) for name in sorted(chart.unused)]
    given += [("legend", sign, name) for sign, said in legend.items() for name in said if name not in known]
    for *keys, name in given:
        message = f"{chart.name} gives values for '{name}', which is not a map field of Hex"
        place = chart.place(decl.span, *keys, name)
        ctx.strange("F405", message, name, place, known, f"declare it: fields of Hex {{ {name}: … map }}")
    for number, sign in unexplained(chart.drawn, legend) if legend else ():
        message = f"{chart.name}: the legend does not say what '{sign}' is (row {number + 1})"
        place = chart.place(decl.span, "rows", word=chart.drawn[number])
        ctx.error("F405", message, place, f"write {sign}: {{field: value}} in the legend")
    if not any(d.span.file == chart.name for d in ctx.diagnostics):
        for f in chart.owed:
            _check_given(ctx, f)


def map_values(ctx: Context, f: n.Field, type_: Type) -> tuple[int, ...]:
    """The value of a ``map`` field for every hex."""
    board, chart = ctx.program.board, ctx.chart
    assert board is not None
    blank = -1 if type_.finite else 0
    if f.default is not None and isinstance(f.default, n.Name | n.Int | n.Bool):
        text = f.default.name if isinstance(f.default, n.Name) else str(f.default.value).lower()
        blank = parse_cell(ctx, n.Cell(text, span=f.default.span), type_)
    result = [blank] * board.size
    drawn = chart.drawn
    for sign, meaning in chart.data.get("legend", {}).items():
        if f.name.text not in meaning:
            continue
        value = _value(ctx, f, str(meaning[f.name.text]), type_)
        for h in range(board.size):
            r, c = board.row_of[h], board.column_of[h]
            if r < len(drawn) and c < len(drawn[r]) and drawn[r][c] == str(sign):
                result[h] = value
    chart.unused.discard(f.name.text)
    given = chart.data.get("fields", {}).get(f.name.text)
    if given is not None:
        _enter_given(ctx, f, type_, given, result)
    if f.default is None and chart.data and type_.kind == "enum" and not type_.optional:
        chart.owed.append(f)
    return tuple(result)


def _check_given(ctx: Context, f: n.Field) -> None:
    """Report hexes to which the file gives no value of a field that has no initial one."""
    board, chart, name = ctx.program.board, ctx.chart, f.name.text
    assert board is not None
    given = chart.data.get("fields", {}).get(name)
    legend = {sign for sign, meaning in chart.data.get("legend", {}).items() if name in meaning}
    listed = {label for labels in given.values() for label in labels} if isinstance(given, dict) else set()

    def sign_of(h: int) -> str:
        r, c = board.row_of[h], board.column_of[h]
        return chart.drawn[r][c] if r < len(chart.drawn) and c < len(chart.drawn[r]) else ""

    lacking = [h for h in range(board.size) if sign_of(h) not in legend and board.labels[h] not in listed]
    if lacking:
        shown = ", ".join(board.labels[h] for h in lacking[:3]) + (" …" if len(lacking) > 3 else "")
        ctx.error(
            "F405",
            f"{chart.name} gives no '{name}' for {shown}",
            chart.place(f.name.span, "legend", sign_of(lacking[0])),
            f"give it there, or declare what holds otherwise: {name}: … = …",
        )


def _enter_given(ctx: Context, f: n.Field, type_: Type, given: Any, result: list[int]) -> None:
    """Enter what the file gives under ``fields``, by the form that belongs to the type."""
    if type_.kind == "bool" and isinstance(given, list):
        for h in _hexes(ctx, f, given):
            result[h] = 1
    elif type_.kind == "set" and type_.of is not None and type_.of.kind == "hex":
        _enter_pairs(ctx, f, given, result)
    elif isinstance(given, dict):
        for text, labels in given.items():
            value = _value(ctx, f, str(text), type_)
            for h in _hexes(ctx, f, labels):
                result[h] = value if type_.kind != "set" else result[h] | value
    else:
        ctx.error(
            "F404",
            f"{ctx.chart.name} gives '{f.name}' in a form that does not fit {type_}",
            ctx.chart.place(f.span, "fields", f.name.text),
            "value: [labels], or a list of labels",
        )


def _enter_pairs(ctx: Context, f: n.Field, given: Any, result: list[int]) -> None:
    """Enter pairs of hexes: of a list in both directions, of a mapping in that which it says."""
    pairs = (
        [(a, b) for a, more in given.items() for b in more]
        if isinstance(given, dict)
        else [tuple(p) for p in given]
    )
    for a, b in pairs:
        ends = _hexes(ctx, f, [a, b])
        if len(ends) == 2:
            result[ends[0]] |= 1 << ends[1]
            if isinstance(given, list):
                result[ends[1]] |= 1 << ends[0]


def _value(ctx: Context, f: n.Field, text: str, type_: Type) -> int:
    """A value that the file writes down; what is wrong with it names the file."""
    before = len(ctx.diagnostics)
    key = "fields" if f.name.text in ctx.chart.data.get("fields", {}) else "legend"
    place = ctx.chart.place(f.span, key, word=text)
    value = parse_cell(ctx, n.Cell(text, span=place), type_)
    for at, found in enumerate(ctx.diagnostics[before:], before):
        ctx.diagnostics[at] = replace(found, message=f"{ctx.chart.name}: {shortened(found.message)}")
        if found in ctx.unknowns:
            ctx.unknowns[ctx.diagnostics[at]] = ctx.unknowns.pop(found)
    return value


def _hexes(ctx: Context, f: n.Field, labels: Any) -> list[int]:
    """The hexes of the labels, or the label, that the file gives; a label that no hex has is reported."""
    board = ctx.program.board
    assert board is not None
    found = []
    for label in labels if isinstance(labels, list) else [labels]:
        try:
            found.append(board.index(str(label)))
        except ValueError as error:
            ctx.error(
                "F404",
                f"{ctx.chart.name}, field '{f.name}': {shortened(str(error))}",
                ctx.chart.place(f.span, "fields", f.name.text, word=str(label)),
                "use a label of the board",
            )
    return found


def board_files(ctx: Context, own: object) -> dict[str, str]:
    """The texts of all files of boards, by name; a ruleset's own come before those of its bases.

    What is no mapping is reported, but not of the board that the ruleset itself names, its *own*.
    """
    found: dict[str, str] = {}
    for folder in ctx.folders:
        for path in entries(folder / "boards", ".yaml"):
            try:
                text = read_text(path, within=folder)
            except (OSError, UnicodeDecodeError):
                # the ruleset's own board is reported where it is read, another where a scenario asks for it
                continue
            if path.stem not in found and path.stem != own:
                _content(ctx, Source(f"{folder.name}/boards/{path.name}", text))
            found.setdefault(path.stem, text)
    return found


def _content(ctx: Context, source: Source) -> dict[Any, Any]:
    """The content of a board's file; empty, and reported, where it is no mapping."""
    ctx.sources.setdefault(source.name, source)
    try:
        data = load_plain(source.text)
    except yaml.YAMLError as error:
        trouble = explained(error, source.text)
        at = source.at(trouble.line, trouble.column)
        ctx.error("F405", trouble.message, source.span(at, at), trouble.remedy)
        return {}
    if not isinstance(data, dict) or not data:
        wrong = "is empty" if not data else "is not a mapping"
        ctx.error(
            "F405",
            f"{source.name} {wrong}",
            source.span(0, 0),
            f"write a mapping with the keys {', '.join(KEYS)}",
        )
        return {}
    return data


def _report(ctx: Context, decl: n.Board, chart: Chart, key: str) -> Report:
    """Reports what is wrong with the part of a file that a key has."""

    def report(wrong: str, remedy: str, word: str | None = None) -> None:
        ctx.error("F405", wrong, chart.place(decl.span, key, word=word), remedy)

    return report


def read_chart(ctx: Context, decl: n.Board, file: str) -> Chart:
    """Read ``boards/<file>.yaml``."""
    for folder in ctx.folders:
        path = folder / "boards" / f"{file}.yaml"
        if not path.is_file():
            continue
        name = f"{folder.name}/boards/{file}.yaml"
        try:
            text = read_text(path, within=folder)
        except (OSError, UnicodeDecodeError) as error:
            reason, remedy = unreadable(error)
            ctx.error("F405", f"{name} cannot be read: {reason}", decl.span, remedy)
            return Chart({}, name)
        source = Source(name, text)
        chart = Chart({}, name, source=source)
        chart.data = shaped(_content(ctx, source), name, partial(_report, ctx, decl, chart))
        return chart
    there = [path.stem for folder in ctx.folders for path in entries(folder / "boards", ".yaml")]
    remedy = did_you_mean(file, there) or "put it into the folder of the ruleset"
    ctx.error("F405", f"there is no file boards/{file}.yaml", decl.span, remedy)
    return Chart()
