"""The command line as a whole: help, dispatch, exit codes, faults."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import ROOT

import grognard.cli
from grognard.cli import COMMANDS


def _shell(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "grognard.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=60, **more)  # type: ignore[call-overload,no-any-return]


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
        [sys.executable, "-X", "importtime", "-m", "grognard.cli", "--help"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60,
    )  # fmt: skip
    modules = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert not modules & {"lark", "yaml", "jinja2", "jsonschema", "compiler", "runtime", "dsl"}


def test_starting_is_quick() -> None:
    best = 1e9
    for _ in range(5):
        begin = time.perf_counter()
        _shell("--help")
        best = min(best, time.perf_counter() - begin)
    assert best < 1  # 0.05 s on the slowest machine it was tried on; this only catches an import gone astray


def test_unknown_command(run) -> None:
    done = run("chek")
    assert done.code == 2 and "there is no command 'chek'" in done.err and "did you mean 'check'?" in done.err
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

    monkeypatch.setattr(grognard.cli, "_dispatch", broken)
    done = run("list")
    assert done.code == 3
    assert "internal error: KeyError" in done.err and "report" in done.err and "GROGNARD_DEBUG" in done.err


def test_in_a_process(tmp_path: Path) -> None:
    assert _shell("new", "tiny", cwd=tmp_path).returncode == 0
    done = _shell("check", "tiny", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "tiny: no findings\n", "")
    done = _shell("check", "nothing", cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    done = _shell("fmt", "-", cwd=tmp_path, input="enum   E{a,b}\n")
    assert (done.returncode, done.stdout) == (0, "enum E { a, b }\n")


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m grognard.cli dump cc_core --stage parsed | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=env, timeout=60)
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
