"""Set-up mode: what it shows of an open scenario, and what its strokes change in the open texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dsl.nodes import Board
from grognard.draw.style import Style, StyleError
from grognard.editing.desk import Desk
from grognard.editing.edits import Edit
from grognard.editing.set_up import strokes as s
from grognard.fronts.lsp.server import Server
from grognard.fronts.lsp.text_positions import Places, path_of, uri_of
from grognard.fronts.studio.set_up_view import Data, SetUpView, fault
from runtime.data.reader import Mapping, Scalar, read_tree
from runtime.errors import ArgumentError, LoadError


def register(server: Server) -> None:
    """Let a server answer what set-up mode asks."""

    @server.feature("studio/setup")
    async def setup(params: Any) -> Data:
        return await server.ask(set_up_data, server.desk, path_of(params.uri))

    @server.feature("studio/stroke")
    async def stroke(params: Any) -> Data:
        made = parse_stroke(params.stroke)
        return await server.ask(stroke_edits, server.desk, path_of(params.uri), made)


def set_up_data(desk: Desk, path: Path) -> Data:
    """What the mode shows of an open scenario; of one that cannot be read, why.  GrognardError
    where there is no ruleset for it.
    """
    findings = desk.findings(path)[path]
    head: Data = {"uri": uri_of(path), "findings": [fault(one) for one in findings]}
    folder = _folder(desk, path)
    texts, program = _texts(desk, folder, path), desk.program(folder)
    try:
        sheet = texts.sheet
        sheet.laid  # noqa: B018  reads it
    except ArgumentError as error:
        return {**head, "unreadable": str(error)}
    ruleset = desk.ruleset(folder)
    try:
        style = Style.read(ruleset.resolved.folders, ruleset.files)
        return {**head, **SetUpView(sheet, program, style).data(findings)}
    except StyleError:  # the editor says what is wrong with it
        return {**head, **SetUpView(sheet, program, Style()).data(findings)}


def stroke_edits(desk: Desk, path: Path, stroke: s.Stroke) -> Data:
    """What a stroke changes, as edits by file.  GrognardError where it cannot be done."""
    folder = _folder(desk, path)
    texts, board = _texts(desk, folder, path), _board(desk, folder, path)
    of_scenario, of_board = texts.edits(stroke)
    edits = {uri_of(path): _edits(texts.scenario, of_scenario)} if of_scenario else {}
    if of_board and board is not None and texts.board is not None:
        edits[uri_of(board)] = _edits(texts.board, of_board)
    return {"edits": edits}


def _folder(desk: Desk, path: Path) -> Path:
    """The ruleset of a scenario.  LoadError where there is none."""
    folder = desk.folder_of(path)
    if folder is None:
        raise LoadError("the scenario names no ruleset that there is", "begin it with 'ruleset:'")
    return folder


def _texts(desk: Desk, folder: Path, path: Path) -> s.SetUpTexts:
    board = _board(desk, folder, path)
    spec = desk.program(folder).spec
    return s.SetUpTexts(desk.text(path), spec, None if board is None else desk.text(board))


def _board(desk: Desk, folder: Path, path: Path) -> Path | None:
    """The file of the board of a scenario; None where that stands in no file of its own."""
    root, _ = read_tree(desk.text(path), "scenario")
    node = root.get("board") if isinstance(root, Mapping) else None
    names = [node.text] if isinstance(node, Scalar) else []
    if node is None:
        boards = (d for d in desk.ruleset(folder).resolved.decls if isinstance(d, Board))
        names = [
            str(one.values[0]) for d in boards for one in d.settings if one.name.text == "file"
        ]
    files = (member / "boards" / f"{name}.yaml" for name in names for member in desk.family(folder))
    return next((file for file in files if file in desk.texts or file.is_file()), None)


def _edits(text: str, edits: list[Edit]) -> list[Data]:
    """Edits in the terms of the protocol."""
    places = Places(text)

    def at(offset: int) -> Data:
        position = places.position(offset)
        return {"line": position.line, "character": position.character}

    return [
        {"range": {"start": at(one.start), "end": at(one.end)}, "newText": one.text}
        for one in edits
    ]


def parse_stroke(told: Any) -> s.Stroke:
    """A stroke as the page tells it: ``do`` says which."""
    match told.do:
        case "paint":
            return s.Paint(told.field, told.value, tuple(told.hexes))
        case "mark":
            return s.Mark(told.field, told.member, tuple(told.hexes), told.on)
        case "hexside":
            a, b = told.hexes
            return s.Hexside(told.field, (a, b), told.on, told.both)
        case "place":
            return s.Place(told.kind, dict(told.fields))
        case "change":
            return s.Change(told.piece, told.field, told.value)
        case "remove":
            return s.Remove(told.piece)
        case "duplicate":
            return s.Duplicate(told.piece)
        case "give":
            return s.Give(told.owner, told.member, told.field, told.value)
        case _:
            return s.Say(told.key, told.value)
