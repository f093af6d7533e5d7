"""A server with an empty folder for data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    made = Served()
    with made.own:
        yield made
    assert not made.faults
