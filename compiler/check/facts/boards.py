"""Checking the board: its settings, its file, its size."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from compiler.check.chart import Chart
from compiler.check.context import Context
from compiler.check.facts.board_file import (
    board_arguments,
    board_files,
    check_shape,
    read_chart,
)
from dsl import nodes as n
from dsl.diagnostics import Label
from runtime.board import MOST_HEXES, Board
from runtime.errors import words_of
from runtime.spelling import nearest
from runtime.words.said import said

_SETTINGS: dict[str, type[int] | tuple[str, ...]] = {
    "layout": ("odd_r", "even_r", "odd_q", "even_q"),
    "rows": int,
    "columns": int,
    "narrow": ("odd", "even"),
    "letters": ("up", "down"),
    "numbers": (),
    "distance": ("grid",),
    "file": (),
}
_LAYOUTS = (
    "hexes in rows are odd_r or even_r, in columns odd_q or even_q: which of them are shifted"
)


#: How many rows and columns labels of two digits can tell apart.
_NUMBERED = 99


def _settings(ctx: Context, decl: n.Board) -> tuple[dict[str, str | int], set[str | None]]:
    """The settings that can be used, and the names of all that are meant, also of wrong ones."""
    values: dict[str, str | int] = {}
    named: set[str | None] = set()
    given: dict[str, n.Setting] = {}
    for setting in decl.settings:
        allowed = _SETTINGS.get(setting.name.text)
        if allowed is None:
            possible = said("possible: {words}", words=", ".join(_SETTINGS))
            ctx.report_unknown("F405", "setting of a board", setting.name, _SETTINGS, possible)
            named.add(nearest(setting.name.text, _SETTINGS))
            continue
        if setting.name.text in given:
            other = (Label(given[setting.name.text].span, "here first"),)
            ctx.error(
                "F405",
                said("'{name}' is given twice", name=setting.name),
                setting.span,
                "remove one",
                other,
            )
        given[setting.name.text] = setting
        value = setting.values[0] if setting.values else ""
        if len(setting.values) > 1:
            remedy = "write: {name} {value};"
            if setting.values[1] in _SETTINGS:
                remedy = "write ';' after each setting: {name} {value};"
            message = said(
                "'{name}' has one value, not {count}", name=setting.name, count=len(setting.values)
            )
            remedy = said(remedy, name=setting.name, value=value)
            ctx.error("F405", message, setting.span, remedy)
        if isinstance(allowed, tuple):
            good = not allowed or value in allowed
            wanted = said("one of {allowed}", allowed=", ".join(allowed))
        else:
            good = isinstance(value, int) and 0 < value < 1000
            wanted = "a number from 1 to 999"
        if not good:
            message = said("'{name}' cannot be '{value}'", name=setting.name, value=value)
            remedy = said("write {wanted}", wanted=wanted)
            if setting.name.text == "layout":
                remedy = _LAYOUTS
            elif isinstance(allowed, tuple) and len(allowed) == 1:
                remedy = said("write {wanted}", wanted=f"{setting.name} {allowed[0]};")
            ctx.error("F405", message, setting.span, remedy)
            continue
        values[setting.name.text] = value
    return values, {*given, *named}


def _board(arguments: dict[str, Any]) -> Board:
    """A board, which nobody changes: the very one of before where all is as it was.

    ValueError where the arguments do not describe one.
    """
    values = {name: _in_order(value) for name, value in arguments.items()}
    return _made(tuple(values.items()))


def _in_order(value: Any) -> Any:
    match value:
        case dict():
            return tuple(value.items())
        case list():
            return tuple(value)
    return value


@lru_cache(maxsize=8)
def _made(values: tuple[tuple[str, Any], ...]) -> Board:
    arguments = dict(values)
    return Board(**{**arguments, "names": dict(arguments.get("names", ()))})


def check_board(ctx: Context, decl: n.Board) -> None:
    """Enter the board with its settings and its file."""
    values, named = _settings(ctx, decl)
    ctx.program.boards = board_files(ctx, values.get("file"))
    chart = read_chart(ctx, decl, str(values["file"])) if "file" in values else Chart()
    size = {
        "rows": len(chart.rows),
        "columns": max((len(row.rstrip()) for row in chart.rows), default=0),
    }
    for needed, drawn in size.items():
        if needed not in values:
            if needed not in named and not drawn and ("file" not in values or chart.root.entries):
                ctx.error(
                    "F405",
                    said("the board lacks '{needed}'", needed=needed),
                    decl.span,
                    said("add: {needed} 9;", needed=needed),
                )
            values[needed] = drawn or 1
    if int(values["rows"]) * int(values["columns"]) > MOST_HEXES:
        message = said(
            "{rows} rows of {columns} columns are too many",
            rows=values["rows"],
            columns=values["columns"],
        )
        ctx.error(
            "F405",
            message,
            decl.span,
            said("a board has {most} hexes at most", most=MOST_HEXES),
        )
        values["rows"] = values["columns"] = 1
    ctx.chart = chart
    ctx.grid_distances = "distance" in values
    labels = "numbers" if "numbers" in values else f"letters_{values.get('letters', 'up')}"
    if labels == "numbers" and max(int(values["rows"]), int(values["columns"])) > _NUMBERED:
        message = said(
            "labels of two digits reach to {numbered} rows and columns", numbered=_NUMBERED
        )
        ctx.error("F405", message, decl.span, "leave out 'numbers', or make the board smaller")
        labels = "letters_up"
    shape: dict[str, Any] = {
        "name": decl.name.text,
        "layout": str(values.get("layout", "odd_r")),
        "rows": int(values["rows"]),
        "columns": int(values["columns"]),
        "narrow": str(values["narrow"]) if "narrow" in values else None,
        "labels": labels,
    }
    more = board_arguments(ctx, chart, decl, shape["rows"], shape["columns"])
    # Blanks where a narrow row or column ends are no gaps.
    plain = _board(shape)
    more["missing"] = [place for place in more.get("missing", ()) if plain.at(*place) >= 0]
    try:
        ctx.program.board = _board({**shape, **more})
    except ValueError as error:
        gone = {plain.labels[plain.at(*place)] for place in more["missing"]}
        used = [*more["names"], *(label for pair in more["joins"] for label in pair)]
        known = set(plain.labels) - gone
        word = next((label for label in used if label not in known), None)
        place, message = (
            chart.span_of_key(decl.span, word=word),
            said("{file}: {message}", file=chart.name, message=words_of(error)),
        )
        ctx.error("F405", message, place, "correct the board's file")
        ctx.program.board = plain
    check_shape(ctx, chart, decl, shape)
