"""Golden games after a change."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from project import placed, setup_of

from bench.checks import golden
from runtime.games.record import Record

SCENARIO = "cc_ancients_greece/leuctra"
PLACE = Path(SCENARIO) / "greedy-1.record"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the golden games of a scenario, where the module looks for them; the path of the record."""
    copy = tmp_path / PLACE
    copy.parent.mkdir(parents=True)
    copy.write_bytes((golden.GOLDEN / PLACE).read_bytes())
    row = golden.kept_table()[SCENARIO]
    monkeypatch.setattr(golden, "GOLDEN", tmp_path)
    monkeypatch.setattr(golden, "TABLE", tmp_path / "games.json")
    golden.write({SCENARIO: row})
    assert golden.kept_table() == {SCENARIO: row} and golden.main([SCENARIO]) == 0
    return copy


def test_other_hashes_alone_are_told_and_kept_anew(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, row = kept.read_text(encoding="utf-8"), golden.kept_table()[SCENARIO]
    kept.write_text(re.sub(r"(?m)^# [0-9a-f]{16}$", "# 0123456789abcdef", text), encoding="utf-8")
    games = {seed: replace(game, hashes="0" + game.hashes[1:]) for seed, game in row.games.items()}
    golden.write({SCENARIO: replace(row, games=games)})
    assert golden.main([SCENARIO]) == 1 and "0123456789abcdef" in kept.read_text(encoding="utf-8")
    assert capsys.readouterr().out.count("only hashes differ") == 3
    assert golden.main([SCENARIO, "--write"]) == 0
    record = Record.parse(kept.read_text(encoding="utf-8"))
    assert record.entries == Record.parse(text).entries and golden.kept_table() == {SCENARIO: row}


def test_other_decisions_are_told_with_their_place_and_played_anew(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, row = kept.read_text(encoding="utf-8"), golden.kept_table()[SCENARIO]
    first = re.search(r"(?m)^\w+: command (\w+)$", text)
    assert first is not None
    line = text[: first.start()].count("\n") + 1
    kept.write_text(text.replace(first[1], "no_such_card", 1), encoding="utf-8")
    other = row.games[1].hashes.split()
    other[3:] = ["0000"] * len(other[3:])
    games = row.games | {1: replace(row.games[1], taken="0" * 16, hashes=" ".join(other))}
    golden.write({SCENARIO: golden.Golden([*row.positions[:-1], 7], games)})
    assert golden.main([SCENARIO]) == 1
    told = capsys.readouterr().out
    assert f"line {line}: " in told and "no_such_card" in told
    assert (
        "positions: " in told
        and "seed 1: decisions differ; the first other hash is that of checkpoint 3" in told
    )
    assert golden.main([SCENARIO, "--write"]) == 0
    played = Record.parse(kept.read_text(encoding="utf-8"))
    assert played.finished and (played.seed, played.players) == (1, Record.parse(text).players)
    assert golden.kept_table() == {SCENARIO: row} and golden.main([SCENARIO]) == 0


def test_a_new_scenario_is_told_and_kept(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = golden.kept_table()[SCENARIO]
    golden.write({})
    assert golden.main([SCENARIO]) == 1 and "is new" in capsys.readouterr().out
    assert golden.main([SCENARIO, "--write"]) == 0 and golden.kept_table() == {SCENARIO: row}
    assert row == golden.Golden.of(placed(SCENARIO), setup_of(SCENARIO))
