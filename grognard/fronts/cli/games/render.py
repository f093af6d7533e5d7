"""Draw a board as SVG or PNG, or as text: a scenario's set-up, or the position at the end of a
record.

How things look is said by the optional file style.yaml in the folder of the ruleset
(docs/style.md).  A file that ends in .png becomes a PNG; that needs the extra `png` (pip install
'grognard[png]').

  grognard render akragas -o akragas.svg
  grognard render akragas -o akragas.png
  grognard render akragas --record game.txt -o end.svg
  grognard render akragas --record game.txt --side carthage
  grognard render akragas --text sketch --around B4
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from shutil import get_terminal_size

from compiler.output.report import wants_color
from grognard import opening
from grognard.draw.art import Art
from grognard.draw.panel import Panel, PanelContent
from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.svg import render
from grognard.draw.svg.png import png_of
from grognard.draw.text.position import TextBoard
from grognard.draw.text.sketch import SKETCH_WIDTH
from grognard.draw.text.windows import window_around
from grognard.files import output
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_art, add_language, add_output, read_art
from grognard.lexicon.catalogue import language_of, words_in
from grognard.lexicon.names import Lexicon
from grognard.records import looks_on
from grognard.scenario import Scenario
from grognard.table.situation import in_short
from grognard.table.store import find_game
from runtime.errors import ArgumentError
from runtime.games.wording import Wording, wording_for
from runtime.model import NONE
from runtime.state import StateBase
from runtime.view import view


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario's file or name")
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="draw the position where this record, or a game under way, ends",
    )
    parser.add_argument(
        "--side",
        metavar="SIDE",
        help="draw only what this side sees (default: all; of an unfinished game, what all see)",
    )
    parser.add_argument(
        "--text",
        choices=("board", "sketch"),
        help="draw with characters: whole hexes, or small ones for large boards",
    )
    parser.add_argument(
        "--around",
        metavar="HEX",
        help="with --text: only what lies around this hex (a label, or a name on the board)",
    )
    add_art(parser)
    add_output(parser)
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """The command."""
    opened = opening.open_scenario(args.scenario)
    wording = _wording(opened, args.language)
    state, caption, side = _position(opened, args.record, args.side, wording)
    picture = make_picture(opened, state, side, wording, read_art(args))
    if args.text:
        document: str | bytes = _text(opened, picture, args)
    else:
        title = wording.display_name(opened.setup.title)
        document = render(picture, title, caption, _panel_content(opened, picture))
    if not args.text and args.output.casefold().endswith(".png"):
        document = png_of(str(document))
    output(args.output, document)
    return CLEAN


def _wording(opened: Scenario, given: str | None) -> Wording:
    """The words of the given language, or of that of the environment."""
    spec = opened.program.spec
    return wording_for(spec, opened.setup, language_of(spec, given))


def _scene(opened: Scenario, picture: Picture) -> Scene:
    """The words of a picture."""
    style, value = picture.style, opened.program.value
    return Scene(picture.spec, opened.setup, picture.wording, style, value)


def _panel_content(opened: Scenario, picture: Picture) -> PanelContent:
    """What stands beside the board: with everything drawn, as far as all sides see it."""
    seen = picture.seen or view(picture.state, NONE)
    value = opened.program.value
    worked = lambda name, args: value(seen.state, name, args)  # noqa: E731
    return Panel(
        _scene(opened, picture), seen.data, worked, seen.scores(opened.program)
    ).picture_content()


def _text(opened: Scenario, picture: Picture, args: argparse.Namespace) -> str:
    """The board in characters, as at the terminal."""
    board, scene = picture.board, _scene(opened, picture)
    width = get_terminal_size((100, 40)).columns
    small = args.text == "sketch"
    window = None
    if args.around:
        h = _place(picture, args.around)
        columns = max(3, (width - 8) // (SKETCH_WIDTH if small else 6 if board.pointy else 7))
        window = window_around(board, [h], 21 if small else 9, columns)
    color = args.output == "-" and wants_color(sys.stdout)
    slots = (field.slot for field in picture.spec.fields)
    data = picture.seen.data if picture.seen else {s: getattr(picture.state, s) for s in slots}
    drawn = TextBoard(scene, data, scene.looks_of(picture), color=color).map
    return (drawn.sketch if small else drawn.full)(width, window) + "\n"


def _place(picture: Picture, text: str) -> int:
    """The hex with a label or name."""
    for h, name in picture.board.names.items():
        if name.casefold() == text.casefold():
            return h
    try:
        return picture.board.index(text)
    except ValueError as error:
        raise ArgumentError(str(error), "give the label of a hex, or a name on the board") from None


def make_picture(
    opened: Scenario,
    state: StateBase,
    side: int | None = None,
    wording: Wording | None = None,
    art: Iterable[Art] = (),
) -> Picture:
    """A position with the style of its ruleset; for a side as much of it as that sees."""
    seen = None if side is None else view(state, side)
    spec, value = opened.program.spec, opened.program.value
    return Picture(spec, opened.setup, state, opened.style(art), seen, value, wording)


def _position(
    opened: Scenario, record_file: str | None, name: str | None, wording: Wording
) -> tuple[StateBase, str, int | None]:
    """The state to be drawn, what it is, and for whom: a side, NONE for what everybody sees, None
    for everything.
    """
    words = words_in(wording.language)
    if record_file is None:
        side = Lexicon.of(wording).side_named(name) if name else None
        return (
            opened.program.new_state(opened.setup, 0),
            " · ".join(filter(None, (wording.display_name(opened.setup.date), words("set-up")))),
            side,
        )

    game = find_game(record_file, "--record")[1].game(opened)
    names = [wording.member("Side", side) for side in range(len(opened.program.spec.sides))]
    result = in_short(game.state, names, words) if game.over else words("unfinished")
    caption = words("after {count: 1 # action | # actions}", count=len(game.actions))
    return game.state, f"{caption} · {result}", looks_on(game, name)
