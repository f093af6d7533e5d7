"""Random edits: what goes wrong is told, and the texts are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import ROOT

from bench.checks import edits
from compiler.check.keeping import CachingChecker

SMALL = str(ROOT / "tests/rulesets/skirmish")


def edited(faults: Path, every: int, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of eight edits, and what is printed."""
    options = ["--edits", "8", "--every", str(every), "--faults", str(faults)]
    code = edits.main([SMALL, *options])
    return code, capsys.readouterr().out


def test_of_sound_checking_nothing_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = edited(tmp_path, 4, capsys)
    assert code == 0 and "8 edits" in printed and "2 compared, 0 faulty" in printed
    assert list(tmp_path.iterdir()) == []


def test_what_is_out_of_date_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CachingChecker, "_holds", lambda *_: True)
    code, printed = edited(tmp_path, 1, capsys)
    assert code == 1 and "0 faulty" not in printed
    kept = [*tmp_path.iterdir()]
    assert kept and all(any(folder.rglob("*.grog")) for folder in kept)


def test_a_crash_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CachingChecker, "_holds", lambda *_: 1 / 0)
    code, printed = edited(tmp_path, 0, capsys)
    assert code == 1 and "ZeroDivisionError" in printed and "8 faulty" in printed
