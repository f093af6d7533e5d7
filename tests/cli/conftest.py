"""Running commands, and small rulesets to run them on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

from grognard.fronts.cli.main import main


@pytest.fixture(scope="session", autouse=True)
def _plain() -> None:
    patch = pytest.MonkeyPatch()
    patch.setenv("NO_COLOR", "1")
    patch.delenv("GROGNARD_DEBUG", raising=False)


@pytest.fixture(autouse=True)
def _data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test keeps games of its own."""
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command in this process; no traceback may appear, whatever happens."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Ran]) -> Path:
    """An empty folder to work in, with a new ruleset 'tiny' and its scenario 'first'."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "tiny").code == 0
    return tmp_path
