"""Long fuzzing: what is done is kept and gone on from, faults can be played again, positions are legal and any."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bench.fuzz as fuzz
from compiler.agreement import Follower
from runtime.invariants import check_indices, fuzzed
from runtime.scenario import dump, load

ROOT = Path(__file__).resolve().parents[2]
TABLES = [
    ROOT / "tests/rulesets" / name
    for name in ("skirmish/meeting.yaml", "cubes/table.yaml", "everything/elsewhere.yaml")
]
MEETING = str(TABLES[0])


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["bench.fuzz", *words])
    monkeypatch.setattr("signal.signal", lambda number, handler: None)
    return fuzz.main()


def lines(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_text().splitlines()[1:]]


def totals(journal: Path) -> dict[str, float]:
    return {
        key: sum(line[key] for line in lines(journal))
        for key in ("games", "decisions", "random", "compared", "checked")
    }


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
    assert run(monkeypatch, tmp_path, f"{MEETING}=8", *words, "whole") == 0
    assert "all" in capsys.readouterr().out
    assert totals(tmp_path / "whole")["games"] == 8
    assert 0 < totals(tmp_path / "whole")["compared"] < 8 and totals(tmp_path / "whole")["random"] > 0
    # As if killed in the middle of a line, after the first: the rest is played, the same games.
    kept = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    (tmp_path / "torn").write_bytes(b"".join(kept[:2]) + kept[2][:30])
    assert run(monkeypatch, tmp_path, f"{MEETING}=8", *words, "torn") == 0
    assert totals(tmp_path / "torn") == totals(tmp_path / "whole")
    assert sorted((line["first"], line["end"]) for line in lines(tmp_path / "torn")) == [
        (0, 3),
        (3, 6),
        (6, 8),
    ]
    before = (tmp_path / "torn").read_bytes()
    assert run(monkeypatch, tmp_path, f"{MEETING}=8", *words, "torn") == 0
    assert (tmp_path / "torn").read_bytes() == before
    with pytest.raises(SystemExit):
        run(monkeypatch, tmp_path, f"{MEETING}=8", "--every", "2", "--journal", "torn")
    assert "begun with other figures" in capsys.readouterr().err


def test_processes_change_nothing_but_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (f"{MEETING}=9", "--every", "9", "--compared", "0.3", "--batch", "3", "--journal")
    assert (
        run(monkeypatch, tmp_path, *words, "one")
        == run(monkeypatch, tmp_path, *words, "two", "--jobs", "2")
        == 0
    )
    assert totals(tmp_path / "one") == totals(tmp_path / "two")


def test_a_fault_is_written_and_can_be_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, f"{MEETING}=5", "--limit", "3", "--journal", "j") == 1
    assert "meeting.yaml game 4" in capsys.readouterr().out
    told = (tmp_path / "j.faults/skirmish-meeting-4.txt").read_text()
    assert "not over after 3 decisions" in told and "--only 4" in told
    record = (tmp_path / "j.faults/skirmish-meeting-4.record").read_text()
    text = tmp_path / "j.faults/skirmish-meeting-4.yaml"
    assert text.exists() == bool(fuzz.setup_of(MEETING, 4)[1])
    again = told.split("python -m bench.fuzz ")[1].splitlines()[0].split()
    assert run(monkeypatch, tmp_path, *again) == 1
    assert "not over after 3 decisions" in capsys.readouterr().out
    assert (tmp_path / "fuzz.faults/skirmish-meeting-4.record").read_text() == record


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
    drawn = [found for number in range(24) if (found := here.positions.draw(Random(number))) is not None]
    assert len(drawn) > 4
    for setup, _ in drawn:
        for named in setup.fields["Side"]["to_place"].values():
            assert named < 1 << len(setup.pieces["Leader"])


def test_the_one_that_follows_notices_where_the_executions_part() -> None:
    here = fuzz.table(MEETING)
    fair = Follower(here.interpreted, here.setup, 3)
    assert fuzzed(here.compiled, here.setup, 3, every=20, follow=fair.follow).problems == []
    other = Follower(here.interpreted, here.setup, 3)
    count = 0

    def follow(state: Any, told: Any, option: int | None, thorough: bool) -> list[str]:
        nonlocal count
        count += 1
        if count == 7:
            other.state.piece_steps[0] += 1  # type: ignore[attr-defined]
        return other.follow(state, told, option, True)

    problems = fuzzed(here.compiled, here.setup, 3, every=1000, follow=follow).problems
    assert any("the two executions part" in line for line in problems) and any(
        "piece_steps" in line for line in problems
    )


def test_what_an_execution_raises_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    here = fuzz.table(MEETING)

    def follow(*_: Any) -> list[str]:
        raise KeyError("broken")

    made = fuzzed(here.compiled, here.setup, 3, follow=follow)
    assert "KeyError" in made.problems[0]


def test_indices_know_fields_whose_initial_value_is_worked_out() -> None:
    here = fuzz.table(str(TABLES[2]))
    for program in (here.compiled, here.interpreted):
        state = program.new_state(here.setup, 1)
        assert check_indices(state) == []
        assert state.by_unit_arm[1] != ()  # type: ignore[attr-defined]
