"""Records that somebody has forged or damaged: told in few words, without a fault, and without steering the terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

Forge = Callable[[str], str]


def put(pattern: str, by: str) -> Forge:
    return lambda text: re.sub(pattern, lambda found: by, text, count=1, flags=re.MULTILINE)


FORGED: dict[str, Forge] = {
    "a version of many digits": put("^grognard: .*", "grognard: " + "9" * 5000),
    "a version in other digits": put("^grognard: .*", "grognard: ²"),
    "a seed of more than 128 bits": lambda text: re.sub("seed: (.*)", lambda m: f"seed: {int(m[1]) + (1 << 128)}", text),
    "a player who steers": put("^players: .*", "players: blue=a\x1b[2Jb"),
    "an option that steers": put("^blue: move", "blue: mo\x1b[2Jve"),
    "an option that turns round": put("^blue: move", "blue: mo\u202eve"),
    "an option without end": put("^blue: move", "blue: mo" + "v" * 200_000),
    "a line without end": put("^blue: move", "blue " + "v" * 200_000),
    "a key without end": put("^players:", "p" * 200_000 + ":"),
    "a ruleset without end": put("^ruleset: tiny", "ruleset: " + "t" * 200_000),
    "a title that steers": put(" First skirmish", " First\x9b2J skirmish"),
    "a NUL": put("^blue: move", "blue: mo\0ve"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FORGED)
def test_forged(kind: str, run: Callable[..., Ran], desk: Path) -> None:
    assert run("bots", "tiny/first", "--games", "1", "--records", "r").code == 0
    good = (desk / "r/first-1.record").read_text(encoding="utf-8")
    text = FORGED[kind](good)
    assert text != good
    (desk / "f.record").write_text(text, encoding="utf-8")
    for command in (
        ("replay", "f.record"),
        ("replay", "f.record", "--verify", "--lenient"),
        ("play", "--resume", "f.record"),
        ("render", "tiny/first", "--record", "f.record"),
        ("explain", "tiny/first", "--record", "f.record"),
    ):
        done = run(*command)
        assert done.code in (1, 2) and ("f.record" in done.err or "no ruleset" in done.err), (
            command,
            done,
        )
        assert len(done.all) < 1500 and not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.all
        )


def test_players_with_long_names_are_cut(run: Callable[..., Ran], desk: Path) -> None:
    assert run("bots", "tiny/first", "--games", "1", "--records", "r").code == 0
    text = (desk / "r/first-1.record").read_text(encoding="utf-8")
    (desk / "f.record").write_text(
        put("^players: .*", "players: blue=" + "x" * 9999)(text), encoding="utf-8"
    )
    done = run("replay", "f.record", "--verify")
    assert done.code == 0 and len(done.out) < 600


@pytest.mark.parametrize("line", ["ruleset", "scenario"])
def test_what_was_sealed_must_be_of_the_same_game(
    line: str, run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n"))
    game = "battles_of_westeros/learning_battle"
    assert run("play", game, "--record", "g.record").code == 0
    assert run("replay", "g.record", "--against", "g.record").code == 0
    text = (desk / "g.record").read_text(encoding="utf-8")
    forged = re.sub(
        rf"^{line}: (.*?)[0-9a-f]{{16}}( |$)",
        rf"{line}: \g<1>0123456789abcdef\2",
        text,
        flags=re.MULTILINE,
    )
    assert forged != text
    (desk / "f.record").write_text(forged, encoding="utf-8")
    done = run("replay", "g.record", "--against", "f.record")
    assert done.code == 1 and f"another {line}" in done.err


def test_the_name_of_a_torn_record_does_not_steer_the_terminal(
    run: Callable[..., Ran], desk: Path
) -> None:
    assert run("bots", "tiny/first", "--games", "1", "--records", "r").code == 0
    text = re.sub(
        "result: .*", "result: unfinished", (desk / "r/first-1.record").read_text(encoding="utf-8")
    )
    name = "t\x1b[2J.record"
    (desk / name).write_text("\n".join(text.splitlines()[:12]) + "\nblue: mo", encoding="utf-8")
    done = run("replay", name)
    assert done.code == 0 and "not written to its end" in done.err and "\x1b" not in done.all


@pytest.mark.parametrize("command", [["replay"], ["report"], ["odds"], ["play", "--resume"]])
@pytest.mark.parametrize(
    "forge", [put("^scenario: ....", "scenario: 0000"), put("^ruleset: tiny", "ruleset: tin")]
)
def test_a_game_of_rules_that_are_not_found_names_its_record(
    command: list[str], forge: Forge, run: Callable[..., Ran], desk: Path
) -> None:
    assert run("bots", "tiny/first", "--games", "1", "--records", "r").code == 0
    text = (desk / "r/first-1.record").read_text(encoding="utf-8")
    (desk / "f.record").write_text(forge(text), encoding="utf-8")
    done = run(*command, "f.record")
    assert done.code == 2 and "f.record: the" in done.err and "remedy: " in done.err
