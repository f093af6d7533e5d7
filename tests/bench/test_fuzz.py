"""Long fuzzing: what is done is kept and gone on from, faults can be played again, positions are legal and any."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from native_builds import missing

import bench.checks.fuzz as fuzz
from compiler.agreement import Follower
from runtime.runs.invariants import check_indices, fuzz_game
from runtime.runs.machine import Machine
from runtime.scenario import dump, load

ROOT = Path(__file__).resolve().parents[2]
TABLES = [
    ROOT / "tests/rulesets" / name
    for name in ("skirmish/meeting.yaml", "cubes/table.yaml", "everything/elsewhere.yaml")
]
MEETING = str(TABLES[0])


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("signal.signal", lambda number, handler: None)
    return fuzz.main(words)


def lines(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_text().splitlines()[1:]]


def totals(journal: Path) -> dict[str, float]:
    return {
        key: sum(line["totals"][key] for line in lines(journal))
        for key in ("games", "decisions", "random", "compared", "checked")
    }


@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
def test_a_native_build_plays_them_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (f"{MEETING}=6", "--native", "--every", "0", "--compared", "0", "--recorded", "0")
    assert run(monkeypatch, tmp_path, *words, "--journal", "same") == 0
    counted = totals(tmp_path / "same")
    assert counted["games"] == 6 and counted["decisions"] > 0 and counted["checked"] == 0
    monkeypatch.setattr(Machine, "options", property(lambda _: []))
    assert run(monkeypatch, tmp_path, *words, "--journal", "other") == 1
    assert "fault: " in capsys.readouterr().out
    told = next((tmp_path / "other.faults").glob("*.txt")).read_text(encoding="utf-8")
    assert "and natively" in told and "a native build parts from Python" in told
    assert "--native" in told and "options: in Python" in told


def test_interrupted_while_rulesets_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(path: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzz, "table", interrupted)
    assert run(monkeypatch, tmp_path, f"{MEETING}=8", "--journal", "none") == 1
    assert "before any game was played" in capsys.readouterr().err


def test_what_is_done_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--every", "9", "--compared", "0.5", "--batch", "3", "--journal")
    assert run(monkeypatch, tmp_path, f"{MEETING}=12", *words, "whole") == 0
    assert "all" in capsys.readouterr().out
    assert totals(tmp_path / "whole")["games"] == 12
    assert (
        0 < totals(tmp_path / "whole")["compared"] < 12 and totals(tmp_path / "whole")["random"] > 0
    )
    # As if killed in the middle of a line, after the first: the rest is played, the same games.
    kept = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    (tmp_path / "torn").write_bytes(b"".join(kept[:2]) + kept[2][:30])
    assert run(monkeypatch, tmp_path, f"{MEETING}=12", *words, "torn") == 0
    assert totals(tmp_path / "torn") == totals(tmp_path / "whole")
    assert sorted((line["first"], line["end"]) for line in lines(tmp_path / "torn")) == [
        (0, 3),
        (3, 6),
        (6, 9),
        (9, 12),
    ]
    before = (tmp_path / "torn").read_bytes()
    assert run(monkeypatch, tmp_path, f"{MEETING}=12", *words, "torn") == 0
    assert (tmp_path / "torn").read_bytes() == before
    assert run(monkeypatch, tmp_path, f"{MEETING}=12", "--every", "2", "--journal", "torn") == 2
    assert "begun with other figures" in capsys.readouterr().err


def test_processes_change_nothing_but_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (f"{MEETING}=9", "--every", "9", "--compared", "0.3", "--batch", "3", "--journal")
    assert (
        run(monkeypatch, tmp_path, *words, "one")
        == run(monkeypatch, tmp_path, *words, "two", "--jobs", "2")
        == 0
    )
    assert totals(tmp_path / "one") == totals(tmp_path / "two")


@pytest.mark.parametrize("recorded", ["0", "1"])
def test_a_fault_is_written_and_can_be_played_again(
    recorded: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(state: Any, signed: Any = ()) -> list[str]:
        return ["too far"] if state.checkpoints > 3 else []

    monkeypatch.setattr("runtime.runs.invariants.check_state", broken)
    words = ("--compared", "0", "--recorded", recorded, "--every", "4")
    assert run(monkeypatch, tmp_path, f"{MEETING}=11", *words, "--journal", "j") == 1
    assert "meeting.yaml game 10" in capsys.readouterr().out
    told = (tmp_path / "j.faults/skirmish-meeting-10.txt").read_text()
    assert "too far" in told and "--only 10" in told
    record = (tmp_path / "j.faults/skirmish-meeting-10.record").read_text()
    assert record.count("#") >= 4
    text = tmp_path / "j.faults/skirmish-meeting-10.yaml"
    assert text.exists() == bool(fuzz.setup_of(MEETING, 10)[1])
    again = told.split("python -m bench.checks.fuzz ")[1].splitlines()[0].split()
    assert run(monkeypatch, tmp_path, *again) == 1
    assert "too far" in capsys.readouterr().out
    assert (tmp_path / "fuzz.faults/skirmish-meeting-10.record").read_text() == record


@pytest.mark.parametrize("recorded", ["0", "1"])
def test_games_that_do_not_end_are_stopped(
    recorded: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--compared", "0", "--recorded", recorded, "--limit")
    assert run(monkeypatch, tmp_path, f"{MEETING}=3", *words, "30", "--journal", "j") == 0
    assert [line["stopped"] for line in lines(tmp_path / "j")] == [[0, 1, 2]]
    capsys.readouterr()
    # without the end of a turn in the last half of them, it is a fault
    assert run(monkeypatch, tmp_path, f"{MEETING}=1", *words, "2") == 1
    assert (
        "not over after 2 decisions, the last half without a checkpoint"
        in (tmp_path / "fuzz.faults/skirmish-meeting-0.txt").read_text()
    )


def test_a_quick_game_that_raises_is_a_fault_with_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    here = fuzz.table(MEETING)
    answer = here.compiled.answer

    def raises(state: Any, option: int) -> None:
        if state.checkpoints == 5:
            raise KeyError("broken")
        answer(state, option)

    monkeypatch.setattr(here.compiled, "answer", raises)
    made, stands = fuzz.quick(here.compiled, here.setup, 3, 1000, 50_000, ())
    assert "KeyError" in made.problems[0] and not stands
    assert made.game is not None and made.game.state.checkpoints == 5


@pytest.mark.parametrize("path", TABLES, ids=lambda p: p.parent.name)
def test_positions_are_legal_and_many(path: Path) -> None:
    here = fuzz.table(str(path))
    spec = here.compiled.spec
    seen, counts, switched = set(), set(), set()
    for number in range(24):
        drawn = here.positions.draw(Random(number))
        assert drawn is not None
        setup, text = drawn
        again, findings = load(text, spec)
        assert again is not None and not [f for f in findings if f.is_error]
        assert again.hash == setup.hash
        assert load(dump(setup, spec), spec)[0] == setup
        for f in spec.fields:
            if f.place and f.alone:
                places = [p.values.get(f.name, -1) for p in setup.pieces.get(f.owner, ())]
                there = [h for h in places if h >= 0]
                assert len(there) == len(set(there))
        seen.add(setup.hash)
        counts.add(sum(len(pieces) for pieces in setup.pieces.values()))
        switched.add(tuple(sorted(setup.switches.items())))
    assert len(seen) > 6 and len(counts) > 2
    assert len(switched) > 1 or not spec.switches


def test_sides_name_pieces_that_are_there() -> None:
    here = fuzz.table(str(ROOT / "scenarios/cc_ancients_greece/asculum.yaml"))
    drawn = [
        found for number in range(24) if (found := here.positions.draw(Random(number))) is not None
    ]
    assert len(drawn) > 4
    for setup, _ in drawn:
        for named in setup.fields["Side"]["to_place"].values():
            assert named < 1 << len(setup.pieces["Leader"])


def test_the_one_that_follows_notices_where_the_executions_part() -> None:
    here = fuzz.table(MEETING)
    fair = Follower(here.interpreted, here.setup, 3)
    assert fuzz_game(here.compiled, here.setup, 3, every=20, follow=fair.follow).problems == []
    other = Follower(here.interpreted, here.setup, 3)
    count = 0

    def follow(state: Any, told: Any, option: int | None, thorough: bool) -> list[str]:
        nonlocal count
        count += 1
        if count == 7:
            other.state.piece_steps[0] += 1  # type: ignore[attr-defined]
        return other.follow(state, told, option, True)

    problems = fuzz_game(here.compiled, here.setup, 3, every=1000, follow=follow).problems
    assert any("the two executions part" in line for line in problems) and any(
        "piece_steps" in line for line in problems
    )


def test_what_an_execution_raises_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    here = fuzz.table(MEETING)

    def follow(*_: Any) -> list[str]:
        raise KeyError("broken")

    made = fuzz_game(here.compiled, here.setup, 3, follow=follow)
    assert "KeyError" in made.problems[0]


def test_indices_know_fields_whose_initial_value_is_worked_out() -> None:
    here = fuzz.table(str(TABLES[2]))
    for program in (here.compiled, here.interpreted):
        state = program.new_state(here.setup, 1)
        assert check_indices(state) == []
        assert state.by_unit_arm[1] != ()  # type: ignore[attr-defined]
