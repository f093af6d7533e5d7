"""The guide for authors: its examples, added to what ``grognard new`` writes, make a game that is checked and played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grognard
from grognard.fronts.cli.main import main

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")


def examples(language: str) -> list[str]:
    """The guide's examples in *language*."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def declarations(source: str) -> dict[str, str]:
    """The declarations of a source by what they declare; marks and comments before one belong to it."""
    found: dict[str, str] = {}
    before = key = ""
    for line in source.splitlines(keepends=True):
        if line[0] in "@#\n":
            before += line
        elif re.match("[a-z]", line):
            key = re.split(r"\s*(?:[({:=§]|\bwhen\b)", line)[0]
            found[key] = before + line
            before = ""
        else:
            found[key] += before + line
            before = ""
    return found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what an author has made who followed the guide."""
    desk = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(desk)
        assert main(["new", "hills"]) == 0
    rules = desk / "rulesets" / "hills" / "ruleset.grog"
    made = declarations(rules.read_text(encoding="utf-8"))
    for block in examples("grog"):
        if block.startswith("ruleset "):
            folder = desk / "rulesets" / block.split()[1]
            folder.mkdir()
            (folder / "ruleset.grog").write_text(block, encoding="utf-8")
        else:
            made |= declarations(block)
    rules.write_text("".join(made.values()), encoding="utf-8")
    for block in examples("yaml"):
        if named := re.match(r"# (\S+)\n", block):
            path = desk / named[1]
            if named[1].startswith("texts/"):
                path = rules.parent / named[1]
                kept = [
                    line
                    for line in path.read_text(encoding="utf-8").splitlines()
                    if f"\n{line.partition(':')[0]}:" not in block
                ]
                block = "\n".join([*kept, block])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")
    return desk


@pytest.mark.parametrize(
    "command",
    [
        "validate hills/first",
        "test tests/cases/hills",
        "bots hills/first --games 2",
        "odds hills/first",
        "diff hills hills_night",
        "explain hills/first fire_dice B3 F4",
        "explain H-3.4",
        "cover --house hills",
    ],
)
def test_what_the_guide_makes(
    desk: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    assert main(command.split()) == 0, capsys.readouterr()


def test_the_guide_has_no_error(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings remain: it shows declarations that its game does not use."""
    monkeypatch.chdir(desk)
    main(["check", "hills", "hills_night"])
    told = capsys.readouterr().out
    assert set(re.findall(r": (?:error|warning) (\w+):", told)) <= {"L801", "L802", "L803"}, told


def test_a_game_of_the_guide(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    game = grognard.load("hills/first", seed=1)
    while not game.over:
        game.play(game.options[0])
    assert game.ranks


def test_what_stands_beside_rulebooks_is_in_the_rulesets() -> None:
    shown = examples("text")
    assert len(shown) == 3
    for block in shown:
        head, _, text = block.partition("\n")
        path = head.removeprefix("# ").split(";")[0]
        source = (ROOT / path).read_text(encoding="utf-8")
        assert all(part.strip() in source for part in text.split("\n\n"))
