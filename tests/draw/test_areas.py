"""Ways that lead through hexes, and areas of several hexes, in pictures and at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.fronts.cli.main import main

RULES = """ruleset lands
sides west, east
enum Region { north, south_march }
board world { layout odd_r; rows 4; columns 4; letters up; }
fields of Hex {
  region: Region? = none fixed setup
  rails: set of Hex = {} fixed setup
  wild: bool = false fixed setup
}
piece Host { hex: Hex place setup }
function paved(h: Hex): bool = h.wild
procedure play() { tie }
"""
SCENARIO = """ruleset: lands
title: Lands
provenance: house
hexes:
  region: {north: [D1, D2, C1], south_march: [A3, A4]}
  rails: {C2: [B3], B3: [C2, A2]}
  wild: {true: [D3, D4, B1]}
pieces: {Host: [{hex: D1, name: host}]}
"""
STYLE = """areas: {region: {color: "#aa0000", label: border of a region}}
ways:
  rails: {color: white, width: 4, dash: "6 6", rim: "#222222", label: railway}
  paved: {color: "#c0a060", label: road}
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


def test_at_the_terminal(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "lands"]) == 0
    capsys.readouterr()
    assert main(["render", "lands/one", "--text", "board"]) == 0
    assert capsys.readouterr().out == (
        r"""
     1     2     3     4
    : :   : :   / \   / \
   :   : :   : /   \ /   \
D : HOS  north: D3  - D4  |
   :         : \   / \   / \
    :       :   \ /   \ /   \
C    :     : C2  | C3  | C4  |
    / :   : \   \ \   / \   /
   /   : :   \ \   \ /   \ /
B | B1  | B2  | B3  | B4  |
   \   / \   / /   : :   : :
    \ /   \ /   / :   : :   :
A    | A1  | A2  :south march:
      \   / \   / :   : :   :
       \ /   \ /   : :   : :
        1     2     3     4
""".lstrip("\n")
    )


def test_in_pictures(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "lands/one"]) == 0
    picture = capsys.readouterr().out
    for told in (">railway<", ">road<", ">border of a region<", ">north<", ">south march<"):
        assert told in picture
    assert ">D1<" not in picture and ">A4<" not in picture and ">D3<" in picture


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "  rails: {",
            "  region: {",
            "unknown set of hexes of Hex, or field or function of a hex that is",
        ),
        ("rim: ", "rmi: ", "unknown setting of a way 'rmi'"),
        (
            "areas: {region",
            "areas: {regoin",
            "unknown field of Hex, or function of a hex, 'regoin'",
        ),
    ],
)
def test_slips(at: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str) -> None:
    (at / "style.yaml").write_text(STYLE.replace(old, new))
    assert main(["check", "lands"]) == 1
    assert said in capsys.readouterr().out
