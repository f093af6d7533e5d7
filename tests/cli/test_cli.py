"""The command line as a whole: help, dispatch, exit codes, faults."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest
from project import at_length
from running import ROOT

import grognard.fronts.cli.main
from grognard import places
from grognard.fronts.cli import crash as faults
from grognard.fronts.cli.main import COMMANDS
from runtime.errors import ArgumentError, Finding, LoadError, RulesError


def _shell(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "grognard.fronts.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=60, **more)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    "error, code, told",
    [
        (
            ArgumentError("no such thing", "name another"),
            2,
            "no such thing\n  remedy: name another",
        ),
        (LoadError("no such file"), 2, "grognard list: no such file\n"),
        (
            LoadError("x has errors", findings=[Finding("S101", "odd", "x")], checked=["x"]),
            1,
            "x: error S101: odd\n\nx: 1 error\n",
        ),
        (RulesError("no rule decides"), 1, "the rules themselves fail: no rule decides\n"),
    ],
)
def test_errors_of_the_library_end_a_command(
    run, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, told: str
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(places, "rulesets", fail)
    done = run("list")
    assert done.code == code and told in done.err, done.err


def test_help_lists_all_commands(run) -> None:
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        done = run(*arguments)
        assert done.code == 0
        for name, (_, summary) in COMMANDS.items():
            assert name in done.out and summary in done.out


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "test"])
def test_each_command_has_help(run, name: str) -> None:
    done = run(name, "--help")
    assert done.code == 0 and done.out.startswith(f"usage: grognard {name}")
    assert run("help", name).out == done.out


def test_help_imports_nothing_slow() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "grognard.fronts.cli.main", "--help"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60,
    )  # fmt: skip
    modules = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if "|" in line}
    slow = {
        "lark",
        "yaml",
        "jinja2",
        "jsonschema",
        "sqlite3",
        "compiler",
        "dsl",
        "runtime.games.game",
    }
    assert not modules & slow


def test_starting_is_quick() -> None:
    best = 1e9
    for _ in range(5):
        begin = time.perf_counter()
        _shell("--help")
        best = min(best, time.perf_counter() - begin)
    assert (
        best < 1
    )  # 0.05 s on the slowest machine it was tried on; this only catches an import gone astray


def test_unknown_command(run) -> None:
    done = run("chek")
    assert (
        done.code == 2
        and "there is no command 'chek'" in done.err
        and "did you mean 'check'?" in done.err
    )
    done = run("--quiet")
    assert done.code == 2 and "there is no option '--quiet'" in done.err


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "test"])
def test_unknown_option(run, name: str) -> None:
    done = run(name, "--no-such-option")
    assert done.code == 2
    assert done.err.startswith(f"grognard {name}: ") and "remedy:" in done.err


def test_version(run) -> None:
    assert run("--version").out.startswith("grognard")


def test_a_fault_of_the_program_is_reported(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(arguments: list[str]) -> int:
        raise KeyError("what a\nsurprise")

    monkeypatch.setattr(grognard.fronts.cli.main, "_dispatch", broken)
    done = run("list", "it's")
    assert done.code == 3
    assert done.err.count("\n") == 1 and "internal error: KeyError" in done.err
    report = Path(done.err.split("report it with ")[1].strip()).read_text(encoding="utf-8")
    for part in (
        "grognard: ",
        "python: 3",
        "system: ",
        """command: grognard list 'it'"'"'s'""",
        "KeyError",
        "in broken",
    ):
        assert part in report, part


def test_the_report_of_a_fault_holds_the_game(
    run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("what a surprise")

    monkeypatch.setattr("grognard.table.table.Table._play", broken)
    done = run("play", "first", "--bot", "red=random", "--bot", "blue=random", "--seed", "77")
    assert done.code == 3
    report = Path(done.err.split("report it with ")[1].strip()).read_text(encoding="utf-8")
    assert "seed: 77\n" in report and "command: grognard play first --bot red=random" in report
    record = report.split("record:\n\n")[1]
    (desk / "fault.record").write_text(record, encoding="utf-8")
    assert run("replay", "fault.record", "--verify").code == 0


def test_a_report_that_finds_no_room_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "other"))
    opened = os.fdopen

    def full(descriptor: int, *arguments: str, **more: str) -> IO[str]:
        if not (tmp_path / "other").exists():
            os.dup2(os.open("/dev/full", os.O_WRONLY), descriptor)
        return opened(descriptor, *arguments, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("os.fdopen", full)
    path = faults.write_crash_file(["list"], KeyError("broken"))
    assert path is not None and path.parent == tmp_path / "other" and "KeyError" in path.read_text()
    assert list((tmp_path / "data/faults").iterdir()) == []


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("list >&-", 2, "the standard output cannot be written: it is closed"),
        ("list > /dev/full", 2, "the standard output cannot be written: No space left on device"),
        ("--help > /dev/full", 2, "No space left on device"),
        ("nothing 2>&-", 2, ""),
        ("list 2>&- > /dev/full", 2, ""),
        ("fmt - <&-", 0, ""),
        ("check nothing 2> /dev/full", 2, ""),
        ("render akragas -o /dev/full", 2, "/dev/full cannot be written: No space left on device"),
    ],
)
def test_streams_that_are_closed_or_full(command: str, code: int, said: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m grognard.fronts.cli.main {command}"],
        capture_output=True,
        text=True,
        env=env,
        timeout=60,
    )
    assert done.returncode == code and said in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


def test_devices_are_written_not_replaced() -> None:
    done = _shell("render", "akragas", "-o", "/dev/null")
    assert done.returncode == 0 and not Path("/dev/null").is_file()


@pytest.mark.parametrize("encoding", at_length(["ascii", "latin-1", "cp437"], ["ascii"]))
def test_terminals_of_few_characters(encoding: str, tmp_path: Path) -> None:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": encoding,
        "LC_ALL": "C",
        "NO_COLOR": "1",
    }
    command = [
        sys.executable,
        "-m",
        "grognard.fronts.cli.main",
        "play",
        "akragas",
        "--bot",
        "Syracuse=random",
        "--seed",
        "1",
    ]
    done = subprocess.run(
        command,
        input="²\n1\n".encode() + b"\xff\xfe\n? 1\n",
        capture_output=True,
        env=env,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Turn 1: Syracuse" in done.stdout.decode(encoding) and b"Traceback" not in done.stderr
    done = subprocess.run(
        [*command[:3], "render", "akragas", "--text", "board"],
        capture_output=True,
        env=env,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_in_a_process(tmp_path: Path) -> None:
    assert _shell("new", "tiny", cwd=tmp_path).returncode == 0
    done = _shell("check", "tiny", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "tiny: no findings\n", "")
    done = _shell("check", "nothing", cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    done = _shell("fmt", "-", cwd=tmp_path, input="enum   E{a,b}\n")
    assert (done.returncode, done.stdout) == (0, "enum E { a, b }\n")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("dump cc_core --stage parsed", 0),
        ("check rulesets/ford", 1),
        ("play akragas --bot top=random --bot bottom=random", 2),
    ],
)
def test_a_reader_that_leaves_changes_no_status(command: str, code: int, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "GROGNARD_DATA": str(tmp_path)}
    (tmp_path / "rulesets/ford").mkdir(parents=True)
    (tmp_path / "rulesets/ford/ruleset.grog").write_text(
        "".join(f"enum {c} {{ a, a }}\n" for c in "ABCDE")
    )
    piped = (
        f"{sys.executable} -m grognard.fronts.cli.main {command} | true; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", piped], capture_output=True, text=True, env=env, cwd=tmp_path, timeout=60
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
