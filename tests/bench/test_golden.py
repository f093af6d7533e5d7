"""Golden records after a change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import golden
from runtime.record import RecordError

PLACE = Path("cc_ancients/zama/random-1.record")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a golden record, where the module looks for them."""
    monkeypatch.setattr(golden, "GOLDEN", tmp_path)
    copy = tmp_path / PLACE
    copy.parent.mkdir(parents=True)
    copy.write_bytes((golden.ROOT / "tests/golden" / PLACE).read_bytes())
    return copy


def test_other_hashes_alone_are_written_anew(kept: Path) -> None:
    text = kept.read_text(encoding="utf-8")
    assert golden.again(kept) is None
    kept.write_text(re.sub(r"(?m)^# [0-9a-f]{16}$", "# 0123456789abcdef", text), encoding="utf-8")
    assert golden.main([]) == 0 and "0123456789abcdef" in kept.read_text(encoding="utf-8")
    assert golden.main(["--write"]) == 0
    entries = [line for line in text.splitlines() if not line.startswith("ruleset:")]
    assert [
        line for line in kept.read_text(encoding="utf-8").splitlines() if not line.startswith("ruleset:")
    ] == entries


def test_other_decisions_are_not(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = kept.read_text(encoding="utf-8")
    first = re.search(r"(?m)^\w+: command (\w+)$", text)
    assert first is not None
    kept.write_text(text.replace(first[1], "no_such_card", 1), encoding="utf-8")
    with pytest.raises((RecordError, ValueError), match="no_such_card"):
        golden.again(kept)
    changed = kept.read_bytes()
    assert golden.main(["--write"]) == 1 and kept.read_bytes() == changed
    assert "the game has changed" in capsys.readouterr().out


def test_damaged_records_are_told(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = kept.read_text(encoding="utf-8")
    sealed = re.sub(r"(?m)^seed: .*$", f"commitment: {'0' * 64}", text)
    kinds = [
        b"",
        b"\xff" + text.encode(),
        text[:200].encode(),
        text[:-9].encode(),
        bytes(500),
        sealed.encode(),
    ]
    for content in kinds:
        kept.write_bytes(content)
        assert golden.main(["--write"]) == 1 and kept.read_bytes() == content
        assert str(PLACE) in capsys.readouterr().out
    kept.unlink()
    kept.mkdir()
    nowhere = kept.parent.parent / "nowhere" / "random-1.record"
    nowhere.parent.mkdir()
    nowhere.write_text(text, encoding="utf-8")
    assert golden.main(["--write"]) == 1
    told = capsys.readouterr().out
    assert str(PLACE) in told and "nowhere" in told
