"""An index of rules that cannot be read: why, in plain words, and what helps."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import PREAMBLE, compile_folder, write


@pytest.mark.parametrize("kind", ["a link that leads out", "no text", "too large"])
def test_an_index_that_cannot_be_read(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    write(PREAMBLE.read_text(encoding="utf-8"), folder, "case.grog")
    path = folder / "rulebook.yaml"
    if kind == "no text":
        path.write_bytes(b"X-1: {}\n\xff")
    elif kind == "too large":
        path.write_text("#" * (5 << 20), encoding="utf-8")
    else:
        (tmp_path / "other.yaml").write_text("X-1: {}\n", encoding="utf-8")
        path.symlink_to(tmp_path / "other.yaml")
    found = [d for d in compile_folder(folder).diagnostics if d.code == "C703"]
    assert len(found) == 1 and "Errno" not in found[0].message and "codec" not in found[0].message
    assert ("UTF-8" in found[0].remedy) == (kind == "no text")
