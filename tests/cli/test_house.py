"""``grognard cover --house``: what of a ruleset or a scenario is designed here, where it stands, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import grognard

RULES = """
@rule T-3.1
table charts of Arm {
  columns weight: int, @house "scaled from the example of page 4" pace: int, @published "the box's lid" cost: int
  | infantry | 1 | 2 | 3 |
  @house "no chart of cavalry is known;"
  @house "as fast again"
  | cavalry | 2 | 4 | 5 |
}
@house
function unexplained(): int = 1
@house "dropped by what extends it"
function gone(): int = 1
"""
MORE = """ruleset more extends tiny
drop function gone
@house "slower at night"
replace function unexplained(): int = 2
@house "men of our own"
extend piece Unit { zeal: int = 0 }
"""


@pytest.fixture
def marked(desk: Path) -> Path:
    """The ruleset ``tiny`` with marks, and ``more`` that extends it."""
    tiny = desk / "rulesets/tiny"
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted(tiny.glob("*.grog")))
    enum = next(
        line.split()[1]
        for line in text.splitlines()
        if line.startswith("enum") and "infantry" in line
    )
    (tiny / "charts.grog").write_text(RULES.replace("Arm", enum), encoding="utf-8")
    index = tiny / "rulebook.yaml"
    index.write_text(index.read_text(encoding="utf-8").replace("source: house", "source: leaflet"))
    more = desk / "rulesets/more"
    more.mkdir()
    (more / "ruleset.grog").write_text(MORE, encoding="utf-8")
    return desk


def marks(run, *words: str) -> dict[str, dict[str, str]]:
    done = run("cover", *words, "--json")
    assert done.code == 0, done.err
    return {mark["what"]: mark for mark in json.loads(done.out)["marks"]}


def test_marks_of_a_ruleset(run, marked: Path) -> None:
    found = {
        what: m
        for what, m in marks(run, "--house", "tiny").items()
        if m["file"].endswith("charts.grog")
    }
    assert {what: mark["reason"] for what, mark in found.items()} == {
        "column pace of table charts": "scaled from the example of page 4",
        "row cavalry of table charts": "no chart of cavalry is known; as fast again",
        "function unexplained": "",
        "function gone": "dropped by what extends it",
    }
    row = found["row cavalry of table charts"]
    lines = (marked / row["file"]).read_text(encoding="utf-8").splitlines()
    assert lines[row["line"] - 1].split() == ["|", "cavalry", "|", "2", "|", "4", "|", "5", "|"]
    assert row["value"] == "| cavalry | 2 | 4 | 5 |" and row["kind"] == "row"
    column = found["column pace of table charts"]
    assert column["value"] == "infantry 2, cavalry 4" and "weight: int" in lines[column["line"] - 1]
    assert all(mark["how"] and mark["provenance"] == "house" for mark in found.values())


def test_published(run, marked: Path) -> None:
    found = marks(run, "--published", "tiny")
    assert [(what, mark["reason"]) for what, mark in found.items()] == [
        ("column cost of table charts", "the box's lid")
    ]
    both = run("cover", "tiny", "--house", "--published").out
    assert "column cost of table charts (published)" in both and "function gone (house)" in both


def test_only_what_is_in_force(run, marked: Path) -> None:
    found = marks(run, "--house", "more")
    assert "function gone" not in found
    assert found["function unexplained"]["reason"] == "slower at night"
    assert found["function unexplained"]["file"] == "rulesets/more/ruleset.grog"
    assert found["more of piece Unit"]["value"] == "extend piece Unit { zeal: int = 0 }"


def test_ids_of_the_house(run, desk: Path) -> None:
    found = marks(run, "--house", "tiny")
    assert found["rule printed for fire_dice"]["reason"].startswith("T-3.")


def test_text(run, marked: Path) -> None:
    out = run("cover", "tiny", "--house").out
    assert "    why: no chart of cavalry is known; as fast again\n" in out
    assert "    is:  infantry 2, cavalry 4\n" in out
    assert "    why: not said\n" in out and "without a reason" in out
    assert "To type in your own:" in out and max(map(len, out.splitlines())) <= 118


def test_scenario_of_one_word(run, desk: Path) -> None:
    found = marks(run, "--house", "tiny/first")
    assert [mark["kind"] for mark in found.values()] == ["file"]
    assert not marks(run, "--published", "tiny/first")


def test_parts_of_a_scenario(run, desk: Path) -> None:
    path = desk / "scenarios/tiny/first.yaml"
    block = "provenance:\n  published: {pieces: The leaflet.}\n  house:\n"
    block += "    hexes.terrain.forest: The map is lost.\n    game: As long as an evening.\n"
    text = path.read_text(encoding="utf-8").replace("provenance: house\n", block)
    path.write_text(text, encoding="utf-8")
    assert run("validate", "tiny/first").code == 0, run("validate", "tiny/first").out
    found = marks(run, "--house", "first")
    assert {what: mark["reason"] for what, mark in found.items()} == {
        "hexes.terrain.forest": "The map is lost.",
        "game": "As long as an evening.",
    }
    place = found["hexes.terrain.forest"]
    assert text.splitlines()[place["line"] - 1].strip().startswith("forest:")
    assert list(marks(run, "--published", str(path))) == ["pieces"]


def test_cases_on_a_scenario_that_says_what_is_whose(run, desk: Path) -> None:
    path = desk / "scenarios/tiny/first.yaml"
    block = "provenance: {house: {roster: Ours., pieces: Ours., hexes: Ours., game: Ours.}}\n"
    text = path.read_text(encoding="utf-8").replace("provenance: house\n", block)
    path.write_text(text + "roster: {Unit: {blue: {infantry: 2, cavalry: 1}}}\n", encoding="utf-8")
    case = "ruleset: tiny\nscenario: tiny/first\ncases:\n  - name: x\n    run: nothing\n"
    case += "    position: {pieces: {Unit: [{side: blue, type: infantry, hex: B3}]}}\n    expect: {over: false}\n"
    (desk / "c.yaml").write_text(case, encoding="utf-8")
    assert run("test", "c.yaml").code == 0, run("test", "c.yaml").out


def test_library(run, marked: Path) -> None:
    found = grognard.house("tiny")
    assert {m.reason for m in found if m.what == "function gone"} == {"dropped by what extends it"}
    assert grognard.house("more", marks=["published"])[0].what == "column cost of table charts"
    with pytest.raises(grognard.ArgumentError):
        grognard.house("tiny", marks="house")
    with pytest.raises(grognard.LoadError):
        grognard.house("nothing")


def test_reason_in_explanations(run, marked: Path) -> None:
    path = marked / "rulesets/tiny/charts.grog"
    extra = '\n@house "the leaflet forgot it"\nmodify forgotten for fire_dice stage terrain by 1 when true\n'
    path.write_text(path.read_text(encoding="utf-8") + extra, encoding="utf-8")
    done = run("explain", "tiny/first", "fire_dice", "B.infantry1", "R.infantry1")
    assert "house rule: the leaflet forgot it" in done.out


@pytest.mark.parametrize(
    "said",
    [
        "hose",
        "[house]",
        "{hose: {game: x}}",
        "{house: game}",
        "{house: {gaem: x}}",
        "{house: {game: x}, published: {game: y}}",
    ],
)
def test_what_is_said_wrongly_is_a_finding(run, desk: Path, said: str) -> None:
    """A part whose mark cannot be read would be missing in the list."""
    path = desk / "scenarios/tiny/first.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("provenance: house", f"provenance: {said}"),
        encoding="utf-8",
    )
    for words in (["--house"], ["--published"], ["--house", "--json"]):
        done = run("cover", *words, str(path))
        assert done.code == 1 and "error S" in done.err and not done.out, done.all
    assert run("validate", str(path)).code == 1


def test_a_sign_of_comments_within_quotes(run, marked: Path) -> None:
    path = marked / "rulesets/tiny/charts.grog"
    extra = (
        '\n@house "a"\npiece Sign {  # of wood\n @published "board # 2"\n x: int = 1  # one\n}\n'
    )
    path.write_text(path.read_text(encoding="utf-8") + extra, encoding="utf-8")
    assert (
        marks(run, "--house", "tiny")["piece Sign"]["value"]
        == 'piece Sign { @published "board # 2" x: int = 1 }'
    )
