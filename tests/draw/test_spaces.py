"""Maps of spaces that are joined: what stands in a space without being a piece, who holds it, where it leads."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from grognard.fronts.cli.main import main

RULES = """ruleset spaces
sides west, east
enum Mood { calm, angry }
board world { layout odd_r; letters up; file world; }
fields of Hex { influence per Side: int = 0 setup }
fields of Side { me: Side = it fixed  wealth: int = 3 }
fields of Mood { weight: int = 0 setup  rival: Mood? = calm }
fields of Game { round: int = 1  balance: int = -2 }
piece Host { hex: Hex place setup  hurts per Mood: int = 1 setup }
function control(h: Hex): Side? = first s in Side where h.influence[s] > h.influence[opponent(s)]
function held(s: Side): set of Hex = all h in Hex where control(h) is s
function shown_nowhere(): int = 1
function frost(): bool = round > 1
function thaw(): bool = not frost()
procedure play() {
  repeat 3 times {
    choose h in Hex where control(h) is not east by west prompt place pass done
    if h is not none { add 1 to h.influence[west] }
    each m in Mood { set m.weight = m.weight + 1  set m.rival = calm }
    each k in Host { add 1 to k.hurts[calm] }
    add 1 to round
    add round to balance
    add 1 to west.wealth
  }
}
"""
BOARD = """rows: ["a  a", "    ", "a   "]
joins: [[C1, C4], [C1, A1]]
names: {C1: Rhine, C4: Volga, A1: Nile}
"""
SCENARIO = """ruleset: spaces
title: Spaces
provenance: house
hexes: {influence: {west: {2: [C1]}, east: {1: [C4]}}}
fields: {Mood: {weight: {angry: 2}}}
pieces: {Host: [{hex: A1, name: host}]}
"""
STYLE = """header: [round, balance, frost, thaw]
panel: [Mood.weight, Mood.rival]
about: {Hex: [influence, control], Host: [hurts]}
figures: "{influence[west]}:{influence[east]}"
flags: held
pieces: {Host: {fill: "#123456", figures: "{hurts[calm]}"}}
"""


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the ruleset, its style and a scenario."""
    folder = tmp_path / "rulesets" / "spaces"
    (folder / "boards").mkdir(parents=True)
    (folder / "spaces.grog").write_text(RULES)
    (folder / "boards" / "world.yaml").write_text(BOARD)
    (folder / "style.yaml").write_text(STYLE)
    (tmp_path / "scenarios" / "spaces").mkdir(parents=True)
    (tmp_path / "scenarios" / "spaces" / "one.yaml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    return folder


def test_what_a_style_shows_is_read(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spaces"]) == 1
    told = capsys.readouterr().out
    assert "shown_nowhere" in told
    assert "wealth" in told
    assert "3 warnings" in told


def test_figures_and_flags_stand_in_spaces(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "spaces/one", "--text", "board"]) == 0
    text = capsys.readouterr().out
    assert "2:0" in text
    assert "0:1" in text
    assert "0:0" not in text
    assert main(["render", "spaces/one"]) == 0
    picture = capsys.readouterr().out
    assert ">2:0<" in picture
    assert "#123456" in picture
    assert picture.count("v-19h13") == 4  # those of two hexes, and both in the key


def test_at_the_table(
    at: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("look Rhine\nlook host\nquit\n"))
    assert main(["play", "spaces/one", "--plain", "--bot", "east=random"]) == 0
    told = capsys.readouterr().out
    assert "2:0" in told
    assert "round 1 · balance -2 · thaw\n" in told
    assert "weight: angry 2" in told
    assert "rival: calm calm, angry calm" in told
    assert "influence (West): 2" in told or "influence (west): 2" in told
    assert "control: west" in told
    assert "joined with C4 Volga, A1 Nile" in told
    assert "hurts (calm): 1" in told


def test_what_no_side_tells_of_itself(
    at: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (at / "style.yaml").unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", "spaces/one", "--plain", "--bot", "east=random"]) == 0
    told = capsys.readouterr().out
    assert "wealth" in told
    assert "me  " not in told


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "influence[west]}:",
            "influence[wset]}:",
            "unknown field or call of a hex 'influence[wset]'",
        ),
        ("{influence[west]}:", "{influence west}:", "has braces that hold no field"),
        ("flags: held", "flags: hold", "unknown set of hexes of Side 'hold'"),
        ("flags: held", "flags: wealth", "unknown set of hexes of Side 'wealth'"),
        ('fill: "#123456"', 'fill: "#12345"', "there is no field or function of Host '#12345'"),
    ],
)
def test_slips(at: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str) -> None:
    (at / "style.yaml").write_text(STYLE.replace(old, new))
    assert main(["check", "spaces"]) == 1
    assert said in capsys.readouterr().out
