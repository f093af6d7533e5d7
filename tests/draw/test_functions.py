"""Looks of pieces that the rules work out: functions, quantities and permissions of one piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard import opening
from grognard.draw.scene import Scene
from grognard.draw.tokens import Token
from grognard.fronts.cli.games.render import make_picture
from grognard.fronts.cli.main import main
from grognard.retelling.frames import Frames

RULES = """ruleset lands
sides west, east
enum Order { hold, march, charge }
table orders of Order {
  columns pace: int, fast: bool
  | hold   | 0 | no  |
  | march  | 2 | no  |
  | charge | 3 | yes |
}
board world { layout odd_r; rows 4; columns 4; letters up; }
piece Host {
  side: Side fixed setup
  hex: Hex place setup
  men: int = 3 setup
  order: Order = hold setup seen by side
}
function planned(k: Host): Order = if k.men <= 1 then hold else k.order
function beset(k: Host): bool = some o in Host where o.side is not k.side and adjacent(o.hex, k.hex)
function power(k: Host): int = k.men + (if beset(k) then 0 else 1)
function heading(k: Host): Direction = if k.order is march then east else west
function foes(k: Host): set of Host = all o in Host where o.side is not k.side
function between(k: Host, o: Host): int = distance(k.hex, o.hex)
procedure play() { tie }
"""
SCENARIO = """ruleset: lands
title: Lands
provenance: house
pieces:
  Host:
    - {side: west, hex: A1, name: grey, order: march}
    - {side: east, hex: A2, name: gold, order: charge}
    - {side: east, hex: D4, name: blue, order: charge, men: 1}
"""
STYLE = """short: {Order: {march: mar, charge: cha}}
pieces:
  Host:
    label: "{planned}{planned.pace}"
    figures: "{power}"
    fill: planned
    colors: {march: "#0000aa", charge: "#aa0000"}
    symbol: {by: planned.fast, yes: star, no: dot}
    marks: {beset: {text: b}}
    facing: heading
    cases: [{when: {power: 2}, size: 0.7}]
"""


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "rulesets" / "lands"
    folder.mkdir(parents=True)
    (folder / "lands.grog").write_text(RULES)
    (folder / "style.yaml").write_text(STYLE)
    (tmp_path / "scenarios" / "lands").mkdir(parents=True)
    (tmp_path / "scenarios" / "lands" / "one.yaml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    return folder


def tokens(side: int | None) -> list[Token]:
    """The pieces as a side sees them, in the order of their names; as they are for None."""
    opened = opening.open_scenario("lands/one")
    placed, _ = make_picture(opened, opened.program.new_state(opened.setup, 0), side).tokens()
    return sorted(
        (token for tokens in placed.values() for token in tokens), key=lambda token: token.name
    )


def test_pieces_show_what_is_worked_out_of_them(at: Path) -> None:
    blue, gold, grey = tokens(None)
    assert [t.label for t in (blue, gold, grey)] == ["hold0", "cha3", "mar2"]
    assert [t.figures for t in (blue, gold, grey)] == ["2", "3", "3"]
    assert (gold.fill, grey.fill) == ("#aa0000", "#0000aa")
    assert [t.glyphs for t in (blue, gold, grey)] == [("dot",), ("star",), ("dot",)]
    assert [t.marks for t in (blue, gold)] == [(), (("b", "#d68910"),)]
    assert (gold.facing, grey.facing) == (180, 0)
    assert (blue.size, gold.size) == (0.7, 1.1)


def test_what_hangs_on_the_unseen_is_not_shown(at: Path) -> None:
    """Zeros stand for what is not seen: they are taken for no order."""
    blue, gold, grey = tokens(0)
    assert [t.label for t in (blue, gold, grey)] == ["hold0", "??", "mar2"]
    assert gold.fill not in ("#aa0000", "#0000aa")
    assert gold.glyphs == ()
    assert gold.facing is None
    assert gold.figures == "3"  # hangs on nothing unseen
    assert gold.marks == (("b", "#d68910"),)


def test_the_key_names_marks(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (at / "texts").mkdir()
    (at / "texts" / "en.yaml").write_text("value.beset: next to a foe\n")
    assert main(["render", "lands/one"]) == 0
    assert ">next to a foe<" in capsys.readouterr().out


def test_functions_of_looks_are_used(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "lands"])
    told = capsys.readouterr().out
    assert "'foes'" in told
    assert "planned" not in told and "power" not in told


def test_pages_work_out_looks_of_each_moment(at: Path) -> None:
    """What a function says of a piece changes with what stands around it, not only with the piece."""
    opened = opening.open_scenario("lands/one")
    state = opened.program.new_state(opened.setup, 0)
    frames = Frames(Scene.of_game(opened.begin(0), opened.style()))
    gold = frames.frame(state, None)[3][1]
    later = state.copy()
    later.host_hex[0] = opened.program.spec.board.index("D1")
    alone = frames.frame(later, None)[3][1]
    assert gold[0] != alone[0] and gold[1:] == alone[1:]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{power}", "{powr}", "there is no field or function of Host 'powr'"),
        ("{power}", "{between}", "'between' has not one Host as its only parameter"),
        ("{power}", "{foes}", "the value of 'foes' cannot be shown on a piece: it is a set"),
        ("facing: heading", "facing: planned", "'planned' of Host has not six directions"),
        ("{power: 2}", "{power: much}", "'much' cannot be a whole number"),
        ("yes: star", "charge: star", "unknown value of bool 'charge' in pieces.Host.symbol"),
        ("{planned.pace}", "{planned.peace}", "Order has no column 'peace'"),
    ],
)
def test_slips(at: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str) -> None:
    (at / "style.yaml").write_text(STYLE.replace(old, new))
    assert main(["check", "lands"]) == 1
    assert said in capsys.readouterr().out
