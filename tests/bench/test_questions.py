"""Questions counted against decisions at the table."""

from __future__ import annotations

import pytest

import bench.games.questions as questions


def test_a_move_is_one_decision_two_questions_and_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert questions.main(["akragas", "--bots", "random", "--decisions", "120"]) == 0
    last = capsys.readouterr().out.strip().split("\n")[-1]
    table, asked, lines = map(float, last.split("|")[3:6])
    assert 0 < table <= lines < asked
    assert lines <= 1.3 * table


def test_a_slip_in_the_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert questions.main(["nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--games", "0"], ["--games", "x"], ["--decisions", "-1"]])
def test_numbers_that_count_nothing_are_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        questions.main(["akragas", *words])
    assert ended.value.code == 2 and words[0] in capsys.readouterr().err


def test_a_bot_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert questions.main(["akragas", "--bots", "greedy,gredy"]) == 2
    assert "there is no bot 'gredy'" in capsys.readouterr().err
