"""The hooks for pre-commit: their entries are commands that work on the files they are given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from grognard.fronts.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}


def run(name: str, files: list[Path]) -> int:
    """Run a hook as pre-commit does: its entry, with the files that its pattern takes."""
    command, *arguments = shlex.split(HOOKS[name]["entry"])
    assert command == "grognard" and HOOKS[name]["language"] == "python"
    taken = [file.as_posix() for file in files if re.search(HOOKS[name]["files"], file.as_posix())]
    assert taken
    return main([*arguments, *taken])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A new game in a folder with a blank in its name."""
    desk = tmp_path / "my games"
    desk.mkdir()
    monkeypatch.chdir(desk)
    assert main(["new", "hills"]) == 0
    return sorted(p.relative_to(desk) for p in desk.rglob("*") if p.is_file())


def test_three_hooks() -> None:
    assert set(HOOKS) == {"grognard-check", "grognard-fmt", "grognard-validate"}


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_hooks_pass_what_is_in_order(files: list[Path], name: str) -> None:
    assert run(name, files) == 0


def test_check_finds_errors_from_any_file_of_the_ruleset(
    files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    rules = next(p for p in files if p.suffix == ".grog")
    rules.write_text(rules.read_text() + "\nfunction wrong(): int = nonsense\n")
    texts = next(p for p in files if p.name == "en.yaml")
    assert run("grognard-check", [rules, texts]) == 1
    assert capsys.readouterr().out.count(": error R201") == 1  # the ruleset is checked once
    assert run("grognard-check", [texts]) == 1
    Path("rulesets/alone.yaml").write_text("a: b\n")
    assert run("grognard-check", [Path("rulesets/alone.yaml")]) == 2


def test_fmt_puts_files_in_order(files: list[Path]) -> None:
    rules = next(p for p in files if p.suffix == ".grog")
    before = rules.read_text()
    rules.write_text(before.replace("  ", "     "))
    assert run("grognard-fmt", files) == 0
    assert rules.read_text() == before


def test_validate_finds_errors(files: list[Path]) -> None:
    scenario = next(p for p in files if p.parts[0] == "scenarios")
    scenario.write_text(scenario.read_text() + "\nnonsense: 1\n")
    assert run("grognard-validate", files) == 1
