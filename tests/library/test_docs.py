"""The guide for Python is run, block by block, and its outputs are compared."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs" / "python.md"
BLOCKS = [
    (m.start(), m.group(1), m.group(2))
    for m in re.finditer(r"^```(\w*)\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
]


def line_of(start: int) -> int:
    return GUIDE.read_text()[:start].count("\n") + 1


def test_the_guide_as_it_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed at a prompt, one block after the other in one session."""
    monkeypatch.chdir(tmp_path)
    parser, names = doctest.DocTestParser(), {}
    typed = [
        (start, text) for start, kind, text in BLOCKS if kind == "python" and text.startswith(">>>")
    ]
    assert len(typed) > 10
    problems: list[str] = []
    for start, text in typed:
        test = parser.get_doctest(
            text, names, f"python.md:{line_of(start)}", str(GUIDE), line_of(start)
        )
        runner = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST)
        runner.run(test, out=problems.append, clear_globs=False)
        names = test.globs
    assert not problems, "".join(problems)


SCRIPTS = [
    i for i, (_, kind, text) in enumerate(BLOCKS) if kind == "python" and not text.startswith(">>>")
]


@pytest.mark.parametrize("number", SCRIPTS, ids=lambda i: f"line{line_of(BLOCKS[i][0])}")
def test_the_scripts_of_the_guide(number: int, tmp_path: Path) -> None:
    """Each prints what stands in the block behind it."""
    (tmp_path / "script.py").write_text(BLOCKS[number][2])
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), **_environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert BLOCKS[number + 1][1] == "text" and done.stdout == BLOCKS[number + 1][2]


def test_the_script_of_the_readme(tmp_path: Path) -> None:
    (script,) = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), **_environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and done.stdout.startswith("('"), done.stderr


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def test_the_first_bot_is_short() -> None:
    script = BLOCKS[SCRIPTS[0]][2]
    assert len([line for line in script.splitlines() if line.strip()]) <= 15


def test_the_list_of_slow_tests_names_files_that_there_are() -> None:
    listed = re.findall(
        r'^    "(\S+\.py)",$', (ROOT / "tests" / "conftest.py").read_text(), re.MULTILINE
    )
    assert (
        len(listed) > 5 and [name for name in listed if not (ROOT / "tests" / name).is_file()] == []
    )
