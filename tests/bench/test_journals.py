"""Journals of long commands, damaged in every way: told by file and line, never a fault, never cut unless they are journals."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import balance, fuzz, removals
from bench.balance import Played, read
from bench.fuzz import _TOTALS, Journal, Part, Plan
from bench.journals import alone, append
from bench.removals import Finding, known
from grognard.cli import main as grognard
from grognard.exits import Misuse

ROOT = Path(__file__).resolve().parents[2]
#: Holds a journal until it is ended.
HOLD = """
import time
from pathlib import Path
from bench.journals import alone
with alone(Path("j")):
    print("held", flush=True)
    time.sleep(60)
"""
PART = Part("one.yaml", 0, 4, dict.fromkeys(_TOTALS, 1.0), [2], [])
PLAYED = Played("one", "hash", "random", 1, 2, {"a": 1, "b": 1}, 1, 9, 5)
FINDING = Finding("a rule", "a case", False, 3, 0.5)
#: What reads a journal, and lines of one.
READERS: dict[str, tuple[Callable[[Path], Any], list[dict[str, Any]]]] = {
    "balance": (read, [vars(PLAYED), vars(PLAYED)]),
    "removals": (lambda path: known(path, "key"), [{"of": "key", **vars(FINDING)}] * 2),
    "fuzz": (lambda path: Journal(path, Plan()).parts, [json.loads(PART.line())]),
}
WRONG = [None, -1.5, "x", "\ud800", [], {}, [None], float("nan"), float("inf"), 10**400]


def begun(path: Path, name: str, lines: list[Any]) -> bytes:
    """Write a journal, with its head where it has one."""
    path.unlink(missing_ok=True)
    if name == "fuzz":
        Journal(path, Plan())
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    return path.read_bytes()


@pytest.mark.parametrize("name", READERS)
def test_a_journal_is_read_or_what_is_wrong_is_told(name: str, tmp_path: Path) -> None:
    reader, lines = READERS[name]
    path = tmp_path / "j"
    whole = begun(path, name, lines)
    assert len(reader(path)) == (2 if name == "balance" else 1)
    path.write_bytes(whole + b'{"scen')
    assert reader(path) and path.read_bytes() == whole
    wrong: list[Any] = ["{", "[" * 100_000, "[]", "7", "null", "\x00", '{"a":' * 3_000]
    wrong += [{key: value for key, value in lines[0].items() if key != left} for left in lines[0]]
    for bad in wrong:
        data = begun(path, name, [bad, *lines]) + b"torn"
        path.write_bytes(data)
        with pytest.raises(Misuse, match=r"j:\d: this is no line"):
            reader(path)
        assert path.read_bytes() == data
    for key in lines[0]:
        for value in WRONG:
            begun(path, name, [{**lines[0], key: value}])
            try:
                assert isinstance(reader(path), list | dict)
            except Misuse as error:
                assert "this is no line" in str(error)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_told(name: str, tmp_path: Path) -> None:
    reader, _ = READERS[name]
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(Misuse, match="cannot be read"):
            reader(path)


@pytest.mark.parametrize("place", ["no/such/j", "/proc/j", "."])
def test_a_journal_that_cannot_be_written_is_told(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command, with the exit code of wrong arguments."""
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    commands: dict[Any, list[str]] = {
        fuzz: ["hills/first=1", "--limit", "3"],
        balance: ["hills/first", "--games", "1"],
    }
    for module, words in commands.items():
        monkeypatch.setattr("sys.argv", ["bench", *words, "--journal", place])
        with pytest.raises(SystemExit) as ended:
            module.main()
        told = capsys.readouterr().err
        assert ended.value.code == 2 and re.search(r"cannot be (read|written)", told), told
    with pytest.raises(Misuse, match="cannot be"):
        append(tmp_path / place, "{}")


def test_two_commands_do_not_share_a_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would play the same games, and count them twice; a torn line may be one that is being written."""
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    begun(tmp_path / "j", "fuzz", [json.loads(PART.line())])
    with (tmp_path / "j").open("a") as file:
        file.write('{"scen')
    before = (tmp_path / "j").read_bytes()
    commands: list[tuple[Callable[[], int], list[str]]] = [
        (fuzz.main, ["hills/first=1", "--limit", "3"]),
        (balance.main, ["hills/first", "--games", "1"]),
        (removals.main, ["hills"]),
    ]
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    try:
        assert other.stdout is not None and other.stdout.readline()
        for main, words in commands:
            monkeypatch.setattr("sys.argv", ["bench", *words, "--journal", "j"])
            with pytest.raises((SystemExit, Misuse)) as ended:
                main()
            told = capsys.readouterr().err + str(ended.value) + getattr(ended.value, "remedy", "")
            assert f"j is being written by process {other.pid}" in told and "end that command first" in told
    finally:
        other.kill()
        other.wait()
    assert (tmp_path / "j").read_bytes() == before and (tmp_path / "j.lock").exists()
    with alone(tmp_path / "j"):  # what a killed process leaves is taken over
        pass
    assert not (tmp_path / "j.lock").exists()


def test_no_room_for_a_line_is_told_and_leaves_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "j"
    begun(path, "balance", [vars(PLAYED)])
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, limits[1]))
        with pytest.raises(Misuse, match="j cannot be written: File too large"):
            append(path, json.dumps(vars(PLAYED)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read(path) == [PLAYED] and path.read_bytes() == before


def test_numbers_that_cannot_be_are_told(tmp_path: Path) -> None:
    for change in (
        {"games": 0},
        {"games": -2},
        {"won": {"a": "x"}},
        {"won": {"a": 3}},
        {"greedy": 9},
        {"most": -1},
    ):
        begun(tmp_path / "j", "balance", [{**vars(PLAYED), **change}])
        with pytest.raises(Misuse, match="j:1: this is no line"):
            read(tmp_path / "j")


def test_fuzzing_goes_on_only_where_it_began_alike(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for other in (Plan(every=7), Plan(limit=3)):
        begun(path, "fuzz", [json.loads(PART.line())])
        with pytest.raises(Misuse, match="other figures"):
            Journal(path, other)
    begun(path, "balance", [json.loads(PART.line())])
    with pytest.raises(Misuse, match="other figures"):
        Journal(path, Plan())
