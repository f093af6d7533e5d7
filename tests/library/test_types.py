"""Types are shipped: mypy --strict takes a user's script and finds a user's mistakes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
pytest.importorskip("mypy")


def mypy(tmp_path: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Check a file as somebody does who works elsewhere."""
    (tmp_path / name).write_text((HERE / name).read_text())
    call = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--follow-imports=silent",  # as of what is installed, only the script is reported on
        "--config-file=",
        "--cache-dir",
        str(ROOT / ".mypy_cache/user"),
        name,
    ]
    variables = {**os.environ, "MYPYPATH": str(ROOT)}
    return subprocess.run(
        call, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", ["users_script.py", "users_learning.py"])
def test_a_users_script_has_no_errors(tmp_path: Path, name: str) -> None:
    if name == "users_learning.py":
        pytest.importorskip("pettingzoo")
    assert (ROOT / "grognard" / "py.typed").is_file()
    done = mypy(tmp_path, name)
    assert done.returncode == 0, done.stdout


def test_a_users_mistakes_are_found(tmp_path: Path) -> None:
    lines = [
        line
        for line in mypy(tmp_path, "users_mistakes.py").stdout.splitlines()
        if ": error:" in line
    ]
    found = {int(line.split(":")[1]): line for line in lines}
    assert set(found) == {5, 6, 7, 8, 9}, lines
    assert "sed" in found[5] and "laod" in found[7] and any("winners" in line for line in lines)


def test_a_users_script_runs() -> None:
    from users_script import main

    assert " against " in main()


def test_a_learners_script_runs() -> None:
    pytest.importorskip("pettingzoo")
    from users_learning import main

    assert main() == 0
