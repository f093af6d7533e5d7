"""Games between bots, counted; the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

import bench.balance as balance
from bench.series import Journal
from grognard.fronts.cli.main import main as grognard


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    return tmp_path


def run(*words: str) -> int:
    return balance.main(["hills/first", "--journal", "games", *words])


def kept(path: Path) -> list[balance.Played]:
    return Journal(path, balance.Played).read()


def test_it_goes_on_where_it_stopped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run("--games", "2", "--batch", "1") == 0
    first = kept(folder / "games")
    assert [(one.kind, one.seed, one.games) for one in first] == [
        ("greedy", 1, 1), ("random", 1, 2), ("greedy", 2, 1),
    ]  # fmt: skip
    assert "| `hills/first` | 2 | " in capsys.readouterr().out
    assert run("--games", "4") == 0
    assert kept(folder / "games")[:3] == first
    assert "| `hills/first` | 4 | " in capsys.readouterr().out
    with (folder / "games").open("a") as file:
        file.write('{"torn')
    rules = next((folder / "rulesets" / "hills").glob("*.grog"))
    assert run("--games", "0") == 0
    assert "| `hills/first` | 4 | " in capsys.readouterr().out
    rules.write_text(rules.read_text() + "\nfunction more(): int = 1\n")
    assert run("--games", "0") == 0
    assert "hills/first" not in capsys.readouterr().out


def test_shares_have_intervals() -> None:
    assert balance.share(10, 27) == "37% (22 to 56)"
    assert balance.share(0, 0) == ""
