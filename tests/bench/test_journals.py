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

from bench.checks import fuzz, removals
from bench.checks.fuzz import _TOTALS, Part, Plan
from bench.checks.removals import Finding
from grognard.fronts.cli.main import main as grognard
from grognard.journal import Journal
from runtime.errors import ArgumentError

ROOT = Path(__file__).resolve().parents[2]
#: Holds a journal until it is ended.
HOLD = """
import time
from pathlib import Path
from grognard.journal import Journal
class Held(Journal):
    def read(self):
        return []
with Held(Path("j"), dict):
    print("held", flush=True)
    time.sleep(60)
"""
PART = Part("one.yaml", 0, 4, dict.fromkeys(_TOTALS, 1.0), [2], [])
FINDING = Finding("key", "a rule", "a case", False, 3, 0.5)
#: A journal of each command at a path, and a line of it.
JOURNALS: dict[str, tuple[Callable[[Path], Journal[Any]], dict[str, Any]]] = {
    "removals": (lambda path: Journal(path, Finding), vars(FINDING)),
    "fuzz": (lambda path: Plan().journal(path), vars(PART)),
}


def begun(path: Path, name: str, lines: list[Any]) -> bytes:
    """Write a journal, with its head where it has one."""
    path.unlink(missing_ok=True)
    JOURNALS[name][0](path).read()
    with path.open("a", encoding="utf-8") as file:
        file.writelines(
            f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines
        )
    return path.read_bytes()


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_is_read_or_what_is_wrong_is_told(name: str, tmp_path: Path) -> None:
    opened, line = JOURNALS[name]
    path = tmp_path / "j"
    whole = begun(path, name, [line, line])
    assert len(opened(path).read()) == 2
    path.write_bytes(whole + b'{"scen')
    assert opened(path).read() and path.read_bytes() == whole
    wrong: list[Any] = ["{", "[" * 100_000, "[]", "7", "null", "\x00", '{"a":' * 3_000]
    optional = {"totals", "faults", "stopped"}
    wrong += [
        {key: value for key, value in line.items() if key != left}
        for left in line
        if left not in optional
    ]
    for bad in wrong:
        data = begun(path, name, [bad, line]) + b"torn"
        path.write_bytes(data)
        with pytest.raises(ArgumentError, match=r"j:\d: this is no line"):
            opened(path).read()
        assert path.read_bytes() == data


@pytest.mark.parametrize("name", JOURNALS)
def test_what_is_no_file_is_told(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ArgumentError, match="cannot be read"), JOURNALS[name][0](path):
            pass


@pytest.mark.parametrize("place", ["no/such/j", "/proc/j", "."])
def test_a_journal_that_cannot_be_written_is_told(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command, with the exit code of wrong arguments."""
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    commands: dict[Any, list[str]] = {
        fuzz: ["hills/first=1", "--limit", "3"],
    }
    for module, words in commands.items():
        assert module.main([*words, "--journal", place]) == 2
        told = capsys.readouterr().err
        assert re.search(r"cannot be (read|written)", told), told
    with pytest.raises(ArgumentError, match="cannot be"):
        Journal(tmp_path / place, Finding).add(FINDING)


def test_two_commands_do_not_share_a_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would play the same games, and count them twice; a torn line may be one that is being written."""
    monkeypatch.chdir(tmp_path)
    assert grognard(["new", "hills"]) == 0
    begun(tmp_path / "j", "fuzz", [vars(PART)])
    with (tmp_path / "j").open("a") as file:
        file.write('{"scen')
    before = (tmp_path / "j").read_bytes()
    commands: list[tuple[Callable[..., int], list[str]]] = [
        (fuzz.main, ["hills/first=1", "--limit", "3"]),
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
            assert main([*words, "--journal", "j"]) == 2
            told = capsys.readouterr().err
            assert "another command is writing j" in told and "wait until it has ended" in told
    finally:
        other.kill()
        other.wait()
    assert (tmp_path / "j").read_bytes() == before
    with Plan().journal(tmp_path / "j"):  # a killed process leaves no lock
        pass


def test_no_room_for_a_line_is_told_and_leaves_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "j"
    begun(path, "removals", [vars(FINDING)])
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, limits[1]))
        with pytest.raises(ArgumentError, match="j cannot be written: File too large"):
            Journal(path, Finding).add(FINDING)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert Journal(path, Finding).read() == [FINDING] and path.read_bytes() == before


def test_fuzzing_goes_on_only_where_it_began_alike(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for other in (Plan(every=7), Plan(limit=3)):
        begun(path, "fuzz", [vars(PART)])
        with pytest.raises(ArgumentError, match="other figures"):
            other.journal(path).read()
    begun(path, "removals", [vars(PART)])
    with pytest.raises(ArgumentError, match="other figures"):
        Plan().journal(path).read()
