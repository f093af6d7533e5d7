"""What a site is written over."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from project import ROOT

from grognard.fronts.cli.main import main
from grognard.fronts.site import building, pyodide
from runtime.errors import ArgumentError, LoadError

MARK = "grognard-site.json"


@pytest.mark.parametrize("beside", [".git", "CNAME", "mine.txt"])
def test_an_older_site_with_something_beside_it_is_left_alone(tmp_path: Path, beside: str) -> None:
    (tmp_path / MARK).write_text("{}")
    (tmp_path / beside).write_text("mine")
    with pytest.raises(ArgumentError, match="something else than a site"):
        building.build(tmp_path, [], None, print)
    assert (tmp_path / beside).read_text() == "mine"


def test_an_older_site_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "public"
    (folder / "en").mkdir(parents=True)
    (folder / MARK).write_text("older")

    def write(site: Path, *_: object) -> None:
        site.mkdir()
        (site / MARK).write_text("newer")

    monkeypatch.setattr(building, "_write", write)
    assert building.build(folder, [], None, print) == 5
    assert [path.name for path in tmp_path.rglob("*")] == ["public", MARK]


@pytest.mark.parametrize("older", [False, True])
def test_what_a_killed_build_has_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, older: bool
) -> None:
    folder, left, mine = (tmp_path / name for name in ("public", ".public-a1b2c3", ".public-mine"))
    (left / "site/en").mkdir(parents=True)
    if older:  # it was killed when the older site was not in its place any more
        (left / "before").mkdir()
        (left / "before" / MARK).write_text("older")
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    monkeypatch.setattr(building, "_write", lambda *_: None)
    with pytest.raises(ArgumentError, match="cannot be written"):
        building.build(folder, [], None, print)
    assert not left.exists() and (mine / "notes.txt").read_text() == "mine"
    assert folder.exists() == older and (not older or (folder / MARK).read_text() == "older")


def test_a_build_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    script = """
import sys
from grognard.fronts.cli.main import main
from grognard.fronts.site import building, pyodide

def write(site, *_):
    site.mkdir()
    command = ("sh", "-c", "echo begun; exec sleep 100")
    pyodide.run(command, "it fails", lambda line: print(line, flush=True))

building._write = write
sys.exit(main(["site", "public"]))
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, env=env) as made:
        assert made.stdout is not None and made.stdout.readline() == b"begun\n"
        assert list(tmp_path.iterdir())
        made.send_signal(signal.SIGTERM)
        assert made.wait(30) == 128 + signal.SIGTERM
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_put_there_leaves_the_older_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / MARK).write_text("older")
    monkeypatch.setattr(building, "_write", lambda *_: None)  # and nothing is there to be put
    with pytest.raises(ArgumentError, match="cannot be written"):
        building.build(folder, [], None, print)
    assert (folder / MARK).read_text() == "older" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "was", "wrong", "code"),
    [
        ("rulesets/mine/ruleset.grog", "", "\nweight bold = 1.5\n", "P101"),
        ("scenarios/mine/first.yaml", "title: ", "title: [x] # ", "S113"),
    ],
)
def test_a_mistake_of_the_author_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, was: str, wrong: str, code: str
) -> None:
    """And not by the Python of browsers, which is not asked."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine"]) == 0
    monkeypatch.setattr(pyodide, "distribution", lambda given: tmp_path)
    file = tmp_path / name
    text = file.read_text()
    file.write_text(text.replace(was, wrong, 1) if was else text + wrong)
    with pytest.raises(LoadError) as told:
        building.build(tmp_path / "public", ["mine"], None, print)
    (finding,) = told.value.findings
    assert finding.code == code and finding.file.endswith(file.name) and finding.line > 1
    assert not (tmp_path / "public").exists()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_of_a_program_that_fails_the_last_line_is_told() -> None:
    script = "console.log('one'); console.error('much\\nthis is why'); process.exit(3)"
    said: list[str] = []
    with pytest.raises(ArgumentError, match="node says 'this is why'"):
        pyodide.run(("node", "-e", script), "it cannot be compiled", said.append)
    assert said == ["one"]
