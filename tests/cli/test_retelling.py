"""`replay --html` and `report`: what is written where, what records of all kinds give, and that nothing hidden is told."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from running import Ran
from test_lookers_on import exchange

from grognard.retelling import luck
from grognard.retelling.moments import Course, Moment
from runtime.games.game import Game
from runtime.model import NONE
from runtime.view import view

#: Games whose records are told while they go on.
ALL = ("akragas", "learning_battle", "river_coa")
EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _few_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "_MOST", 24)


@pytest.fixture
def played(run: Callable[..., Ran], desk: Path) -> Path:
    """The record of a game of 'tiny'."""
    assert run("bots", "first", "--games", "1", "--seed", "7", "--records", "games").code == 0
    return desk / "games/first-1.record"


def data_of(text: str) -> dict[str, Any]:
    """What the script of a page reads."""
    found = re.search(r'id="game">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_page_and_a_report(run: Callable[..., Ran], played: Path, desk: Path) -> None:
    done = run("replay", played, "--html", "game.html")
    assert done.code == 0 and "the record holds" in done.out and "fires at" not in done.out
    page = (desk / "game.html").read_text(encoding="utf-8")
    assert "<h1>First skirmish</h1>" in page and "fires at" in page
    assert run("replay", played, "--html", "-").out == page
    done = run("report", played)
    assert (
        done.code == 0
        and done.out.startswith("# First skirmish\n")
        and "## Turn by turn" in done.out
    )
    assert run("report", played, "-o", "game.md").code == 0
    assert (desk / "game.md").read_text(encoding="utf-8") == done.out
    html = run("report", played, "--html").out
    assert html.startswith("<!doctype html>") and "<h2>Turn by turn</h2>" in html


def test_nothing_is_written_over(run: Callable[..., Ran], played: Path, desk: Path) -> None:
    for name in ("rulesets/tiny/ruleset.grog", "scenarios/tiny/first.yaml", "games/first-1.record"):
        before = (desk / name).read_bytes()
        for words in (("replay", played, "--html", name), ("report", played, "-o", name)):
            done = run(*words)
            assert done.code == 2 and "is not overwritten" in done.err and words[-2] in done.err
        assert (desk / name).read_bytes() == before
    for words in (("replay", played, "--html"), ("report", played, "-o")):
        assert (
            run(*words, "").code == run(*words, "games").code == run(*words, "/dev/full").code == 2
        )


def test_texts_are_only_texts(run: Callable[..., Ran], desk: Path) -> None:
    """Whatever a ruleset, a scenario or a record says is shown, not done."""
    scenario = desk / "scenarios/tiny/first.yaml"
    text = scenario.read_text(encoding="utf-8").replace("title: First skirmish", f'title: "{EVIL}"')
    text = text.replace("hex: A7}", f'hex: A7, name: "{EVIL}"}}')
    text = text.replace("game: {", f'date: "{EVIL}"\nsides: {{blue: {{name: "{EVIL}"}}}}\ngame: {{')
    scenario.write_text(text, encoding="utf-8")
    texts = desk / "rulesets/tiny/texts/en.yaml"
    for line in ("prompt.action", "option.move", "note.fired", "Terrain.forest", "pass.wait"):
        wording = re.sub(
            rf'({re.escape(line)}: )"?([^"\n]*)"?',
            rf'\1"\2 {EVIL} [x](javascript:x) |"',
            texts.read_text(encoding="utf-8"),
        )
        texts.write_text(wording, encoding="utf-8")
    style = desk / "rulesets/tiny/style.yaml"
    style.write_text(
        f'hexes: {{terrain: {{forest: {{label: "{EVIL}"}}}}}}\npieces: {{Unit: {{label: "{EVIL}", marks: {{type: {{text: "<b"}}}}}}}}\n',
        encoding="utf-8",
    )
    assert run("bots", "tiny/first", "--games", "1", "--seed", "7", "--records", "games").code == 0
    path = desk / "games/first-1.record"
    path.write_text(
        path.read_text(encoding="utf-8").replace("blue=random", f"blue={EVIL.replace('=', '')}"),
        encoding="utf-8",
    )
    page = run("replay", path, "--html", "-")
    assert page.code == 0, page.err
    assert page.out.count("<script") == page.out.count("</script>") == 3 and "<img" not in page.out
    data = data_of(page.out)
    assert any(EVIL in text for text in data["texts"])
    assert any(EVIL.replace(" ", "-") in name for name in data["drawing"]["names"]), data[
        "drawing"
    ]["names"]
    drawn = [*data["drawing"]["looks"], *data["drawing"]["below"]["lines"], data["drawing"]["defs"]]
    assert not any("<img" in text or "<script" in text for text in drawn)
    report = run("report", path).out
    assert r"\<img" in report and not re.search(r"(?<!\\)(<|\]\()", report)
    assert "<img" not in run("report", path, "--html").out


def test_torn_foreign_and_wrong_records(run: Callable[..., Ran], played: Path, desk: Path) -> None:
    text = played.read_text(encoding="utf-8")
    begun = re.sub("result: .*", "result: unfinished", text).splitlines(keepends=True)
    (desk / "torn").write_text("".join(begun[:20]) + "blue: mo", encoding="utf-8")
    for words in (("replay", "torn", "--html", "-"), ("report", "torn")):
        done = run(*words)
        assert done.code == 0 and "goes on" in done.out and "not written to its end" in done.err
    (desk / "start").write_text("".join(begun[:9]), encoding="utf-8")
    assert run("replay", "start", "--html", "-").code == run("report", "start").code == 0
    (desk / "wrong").write_text(re.sub("\n# ....", "\n# 0000", text), encoding="utf-8")
    (desk / "foreign").write_text(text.replace("ruleset: tiny", "ruleset: other"), encoding="utf-8")
    (desk / "later").write_text(text.replace("grognard: 2", "grognard: 99"), encoding="utf-8")
    for name, code in (
        ("wrong", 1),
        ("foreign", 2),
        ("later", 2),
        ("nothing", 2),
        ("scenarios", 2),
    ):
        done = run("replay", name, "--html", "game.html")
        assert done.code == code and done.err and not (desk / "game.html").exists()
        assert run("report", name, "-o", "game.md").code == 2 and not (desk / "game.md").exists()


@pytest.fixture
def sealed(run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with secrets, broken off."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 60))
    assert run("play", "akragas", "--record", "g.record", "--seed", "1").code == 0
    return desk / "g.record"


@pytest.mark.parametrize("scenario", ALL)
def test_a_game_that_goes_on_tells_nothing_hidden(
    run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch, scenario: str
) -> None:
    """Pages and reports are the same whatever cards the sides hold at each moment."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 60))
    assert run("play", scenario, "--record", "g.record", "--seed", "1").code == 0
    words = (["replay", "g.record", "--html", "-"], ["report", "g.record"])
    plain = [run(*command) for command in words]
    assert all(done.code == 0 for done in plain) and "What everybody sees" in plain[0].out
    data = data_of(plain[0].out)
    assert not data["cards"] and not any("q" in step for step in data["steps"])
    told = Course.moments

    def otherwise(self: Course) -> Iterator[Moment]:
        for moment in told(self):
            before = view(moment.after, NONE).data
            game = Game.at(self.program, self.setup, moment.after.copy())
            exchange(game, Random(moment.number))
            assert view(game.state, NONE).data == before
            yield replace(moment, after=game.state)

    monkeypatch.setattr(Course, "moments", otherwise)
    assert [run(*command) for command in words] == plain


def test_a_side_sees_its_own(run: Callable[..., Ran], sealed: Path) -> None:
    page = run("replay", sealed, "--side", "syracuse", "--html", "-")
    assert page.code == 0 and "What Syracuse sees" in page.out
    data = data_of(page.out)
    hands = [step["x"] for step in data["steps"] if "x" in step]
    assert all(hand[1] and not hand[0] for hand in hands) and data["cards"]
    asked = {step.get("s") for step in data["steps"] if "q" in step}
    assert asked == {1}
    assert run("replay", sealed, "--side", "rome").code == 2
    (sealed.parent / "g.record.key").unlink()
    for words in (["replay", sealed, "--html", "-"], ["report", sealed]):
        done = run(*words)
        assert done.code == 2 and "is sealed, and its key" in done.err


def test_what_all_are_told_is_told_at_the_end(run: Callable[..., Ran], sealed: Path) -> None:
    """Once the game is over its record tells everything, both hands too."""
    bots = ["--bot", "top=random", "--bot", "bottom=random"]
    assert run("play", "--resume", sealed, *bots).code == 0
    data = data_of(run("replay", sealed, "--html", "-").out)
    assert all(all(step["x"]) for step in data["steps"][:1]) and data["cards"]
