"""Facing, marks and labels in the terminal and in pictures, for any number of sides: on three fleets of their own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from running import Ran

RULESET = """\
ruleset fleets
sides red, green, blue
enum Class { brig, frigate }
enum Corner { one, two, three, four, five, six }
table classes of Class {
  columns guns: int
  | brig    | 8 |
  | frigate | 24 |
}
board sea { layout odd_r; rows 4; columns 7; letters up; }
scope turn
piece Ship {
  class: Class fixed setup
  side: Side fixed setup
  hex: Hex place setup
  heading: Direction = east setup
  corner: Corner? setup
  holed: bool = false setup
  secret: bool = true seen by side
}
fields of Game { active: Side = red }
procedure play() {
  repeat 9 times {
    offer once by active {
      veer(s in Ship where s.side is active) { set s.heading = turn(s.heading, 1)   set s.holed = s.class.guns > 9   set s.secret = false }
      sink(s in Ship where s.side is active) { set s.hex = none   set s.corner = none }
      pass hold
    }
    set active = next(active)
    expire turn
  }
}
"""
STYLE = """\
short: {Class: {brig: Bg, frigate: Fr}}
sides: {blue: {fill: "#0000aa"}}
pieces:
  Ship:
    shape: round
    label: "{class}"
    figures: "{class.guns}"
    facing: {by: heading, at: side}
    marks: {holed: {text: H}, secret: {text: S}}
    cases:
      - {when: {class: frigate}, facing: {by: corner, at: vertex}}
"""
SCENARIO = """\
ruleset: fleets
title: Three fleets
pieces:
  Ship:
    - {side: red, class: brig, hex: B2, name: Ant, heading: southwest}
    - {side: green, class: frigate, hex: C4, name: Bee, corner: six, holed: true}
    - {side: blue, class: frigate, hex: A6, name: Cat, corner: one}
    - {side: blue, class: brig, hex: D1, name: Dog, heading: none}
    - {side: blue, class: brig, hex: none, name: Eel}
"""


@pytest.fixture
def fleets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path, text in (
        ("rulesets/fleets/rules.grog", RULESET),
        ("rulesets/fleets/style.yaml", STYLE),
        ("scenarios/fleets/sea.yaml", SCENARIO.replace("heading: none", "heading: northwest")),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        return run("play", *arguments)

    return play


def test_in_a_picture(fleets: Path, run: Callable[..., Ran]) -> None:
    done = run("render", "sea")
    assert done.code == 0
    turns = [
        e.get("transform")
        for e in ElementTree.fromstring(done.out).iter("{http://www.w3.org/2000/svg}polygon")
        if e.get("transform")
    ]
    # one by one: southwest of the sides; the sixth corner, the first; northwest; east off the board
    assert sorted(turns) == sorted(
        ["rotate(120)", "rotate(330)", "rotate(30)", "rotate(240)", "rotate(0)"]
    )
    assert "#0000aa" in done.out and done.out.count(">H<") == 2  # and in the key


def test_in_characters(fleets: Path, run: Callable[..., Ran]) -> None:
    done = run("render", "sea", "--text", "board")
    assert done.code == 0
    lines = done.out.splitlines()
    for text in ("Rbg·8", "Gfr24", "↙S", "↗HS", "↘S", "↖S"):
        assert any(text in line for line in lines), text
    sketch = run("render", "sea", "--text", "sketch")
    assert "Rbg" in sketch.out and "Gfr" in sketch.out


def test_at_the_terminal(fleets: Path, play: Callable[..., Ran]) -> None:
    done = play(["look eel", "veer ant", "hold"], "sea", "--bot", "blue=random", "--seed", "1")
    assert done.code == 0
    assert "Rbg" in done.out and "Gfr" in done.out and "Bbg" in done.out
    assert "red: R…  green: G…  blue: B…" in done.out
    assert "Eel: brig off the board" in done.out and "secret: not seen" in done.out
    first, second = done.out.split("=== To decide: green ===")
    # each sees the marks that are for its own side alone
    assert "↙S" in first and "↗H" in first and "↗HS" not in first
    assert "↗HS" in second and "←" in second and "←S" not in second


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("facing: {by: class}", "'class' of Ship has not six directions"),
        ("facing: holed", "'holed' of Ship has not six directions"),
        ("facing: {by: heading, at: edge}", "unknown value 'edge' in pieces.Ship.facing.at"),
        ("facing: {at: side}", "key 'by' is missing in pieces.Ship.facing"),
        ("facing: {by: head}", "there is no field or function of Ship 'head'"),
        ("facing: [heading]", "a list in pieces.Ship.facing: expected text"),
    ],
)
def test_what_is_wrong(
    fleets: Path, run: Callable[..., Ran], play: Callable[..., Ran], setting: str, message: str
) -> None:
    (fleets / "rulesets/fleets/style.yaml").write_text(
        f"pieces: {{Ship: {{{setting}}}}}\n", encoding="utf-8"
    )
    done = run("render", "sea")
    assert done.code == 2 and message in done.err and "remedy" in done.err
    played = play(["hold"], "sea", "--seed", "1")
    assert (
        played.code == 0 and "plain looks are used, since" in played.out and message in played.out
    )
