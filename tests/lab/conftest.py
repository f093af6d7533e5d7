"""A folder to work in, with a small game."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.fronts.cli.main import main


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a new ruleset 'tiny' and its scenario 'first'."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["new", "tiny"]) == 0
    return tmp_path
