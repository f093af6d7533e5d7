"""A ruleset in a folder of its own, and the studio on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from project import ROOT

from grognard.fronts.cli.main import main

sys.path.append(str(ROOT / "tests/web"))  # how a browser is led


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder with the ruleset *hills*, as `grognard new` writes it."""
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    with chdir(tmp_path):
        assert main(["new", "hills"]) == 0
        yield tmp_path
