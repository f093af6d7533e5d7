"""The cookbook and the first game: what the pages show is checked, played, typed and compared."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

import pytest
from native_builds import built, missing
from test_authors import declarations

import grognard
from grognard.fronts.cli.main import main

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs" / "cookbook"
PAGES = sorted(page for page in BOOK.glob("*.md") if page.name != "README.md")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    """What stands in the page's blocks of *language*."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


def ask(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Type what stands behind the prompts of a block, and compare what it is said to print."""
    capsys.readouterr()
    for typed, told in re.findall(r"^\$ grognard (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        assert main(shlex.split(typed)) == 0
        assert capsys.readouterr().out.rstrip() == told.rstrip()


def lay_out(page: Path, desk: Path) -> list[Path]:
    """Write the page's ruleset, its variations and its position below *desk*; the folders of rules."""
    rules, *variations = blocks(page, "grog")
    name = page.stem
    assert rules.startswith(f"ruleset {name}\n")
    sources = {name: rules}
    for number, variation in enumerate(variations, 1):
        other = f"{name}_{number}"
        sources[other] = f"ruleset {other} extends {name}\n\n{variation}"
    for other, source in sources.items():
        (desk / "rulesets" / other).mkdir(parents=True)
        (desk / "rulesets" / other / "ruleset.grog").write_text(source, encoding="utf-8")
    (position,) = blocks(page, "yaml")
    for other in sources:
        (desk / "scenarios" / other).mkdir(parents=True)
        played = position.replace(f"ruleset: {name}\n", f"ruleset: {other}\n")
        (desk / "scenarios" / other / "first.yaml").write_text(played, encoding="utf-8")
    return [desk / "rulesets" / other for other in sources]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    folders = lay_out(page, tmp_path)
    for folder in folders:
        assert not grognard.check(folder), folder.name
        assert main(["fmt", "--check", str(folder)]) == 0, capsys.readouterr().out
    for position in (f"{folder.name}/first" for folder in folders):
        assert not grognard.validate(position)
        for seed in range(3):
            game, rng = grognard.load(position, seed=seed), random.Random(seed)
            for _ in range(1000):
                if game.over:
                    break
                game.play(rng.choice(game.options))
            assert game.ranks
    for block in blocks(page, "console"):
        ask(block, capsys)


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_natively(page: Path, tmp_path: Path) -> None:
    for folder in lay_out(page, tmp_path):
        there = built(folder, tmp_path / "scenarios" / folder.name / "first.yaml")
        assert all(there.play(seed, 300) >= 0 for seed in range(3))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_where_it_is_done_in_full(page: Path) -> None:
    """The files that a page names are there, and hold what it names of them."""
    text = page.read_text(encoding="utf-8").replace("\n", " ")
    named = re.findall(r"`(rulesets/[\w/.]+)`: ((?:`\w+`(?:, )?)+)", text)
    assert named or "No ruleset here" in text
    for path, names in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", names):
            assert re.search(rf"^(?:\w+ )+{name}\b|^ +\w+ {name}\b", source, re.MULTILINE), name


def test_the_list_of_pages_is_whole() -> None:
    listed = re.findall(r"^\* \[(.*)\]\((.*)\)$", (BOOK / "README.md").read_text(), re.MULTILINE)
    assert len(listed) == len(PAGES)
    for title, name in listed:
        assert (BOOK / name).read_text(encoding="utf-8").startswith(f"# {title}\n")


def test_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What its page tells is typed, and what it writes is written, in order."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    rules = tmp_path / "rulesets" / "hills" / "ruleset.grog"
    page = (ROOT / "docs" / "first_game.md").read_text("utf-8")
    for kind, block in _BLOCK.findall(page):
        if kind == "console":
            ask(block, capsys)
        elif kind == "grog":
            made = declarations(rules.read_text("utf-8")) | declarations(block)
            rules.write_text("".join(made.values()), "utf-8")
        else:
            path = tmp_path / block.split()[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = path.read_text("utf-8") if path.is_relative_to(rules.parent) else ""
            path.write_text(kept + block, "utf-8")
    (bots,) = re.findall(r"^`grognard (bots .*)`$", page, re.MULTILINE)
    assert main(shlex.split(bots.replace("--games 100", "--games 2"))) == 0
