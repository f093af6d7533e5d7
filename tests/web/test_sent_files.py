"""Scenario files of one's own: played, refused with what is found, shown as text; whatever is in them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from project import ROOT
from served import OWN, Served

SCENARIO = (ROOT / "scenarios/cc_ancients/akragas.yaml").read_text(encoding="utf-8")
TITLE = next(line for line in SCENARIO.splitlines() if line.startswith("title:"))


def send(served: Served, content: str | bytes):
    return served.own.post("/scenarios", content=content, headers=OWN)


def sent(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "data/scenarios").glob("*"))


def test_one_that_is_right_is_played(served: Served, tmp_path: Path) -> None:
    reply = send(served, SCENARIO)
    assert reply.status_code == 201 and reply.json()["scenario"].startswith("own/")
    name = reply.json()["scenario"]
    assert name in {one["name"] for one in served.own.get("/lobby.json").json()["scenarios"]}
    assert "<svg" in served.own.get(f"/picture/{name}.svg").text
    assert served.begin(name) and send(served, SCENARIO).json()["scenario"] == name
    assert len(sent(tmp_path)) == 1


def test_names_with_markup_are_text(served: Served) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    reply = send(served, SCENARIO.replace(TITLE, f'title: "{evil}"'))
    assert reply.status_code == 201, reply.text
    name = served.begin(reply.json()["scenario"])
    page = served.own.get(f"/game/{name}", headers={"accept": "text/html"})
    assert page.status_code == 200 and "onerror" not in page.text  # a script fills it in, as text
    lobby = served.own.get("/lobby.json")
    assert lobby.headers["content-type"] == "application/json"
    assert any(one["title"] == evil for one in lobby.json()["scenarios"])
    assert "<img" not in served.own.get(f"/picture/{reply.json()['scenario']}.svg").text
    assert "<img" not in served.own.get("/").text


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\0",
        b"\xff\xfe\x00",
        "ruleset: none",
        "ruleset: ../../tests/rulesets/blocks\ntitle: x",
        "ruleset: /etc\ntitle: x",
        "- 1\n- 2",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c, *c]",
        "a: " + "[" * 20_000,
        "a: {" * 10_000,
        "!!python/object/apply:os.system ['true']",
        "ruleset: cc_ancients\ntitle: x\nboard: ../../../../etc/passwd",
        SCENARIO.replace(TITLE, TITLE + "\n<script>: 1"),
    ],
)
def test_hostile_ones_are_refused(served: Served, tmp_path: Path, content: str | bytes) -> None:
    reply = send(served, content)
    assert reply.status_code in (400, 422), reply.text
    told = reply.json()
    assert told.get("findings") or told.get("message")
    assert sent(tmp_path) == [] and "Traceback" not in reply.text


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A scenario whose ruleset requires something of every ten of its pieces."""
    blocks, folder = ROOT / "tests/rulesets/blocks", tmp_path / "rulesets/endless"
    shutil.copytree(blocks / "texts", folder / "texts")
    rules = (blocks / "ruleset.grog").read_text(encoding="utf-8")
    names = "abcdefghij"
    every = " ".join(f"every {name} in Block has" for name in names)
    (folder / "ruleset.grog").write_text(
        rules.replace("ruleset blocks", "ruleset endless", 1)
        + f"require endless that ({every} {' + '.join(f'{name}.steps' for name in names)} > 0)\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    text = (blocks / "fords.yaml").read_text(encoding="utf-8")
    return text.replace("ruleset: blocks", "ruleset: endless", 1)


def at_work() -> str:
    """The processes that check for this one."""
    command = ["pgrep", "-P", str(os.getpid()), "-f", "anyio.to_process"]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_one_whose_check_does_not_end_stops_nobody(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endless: str
) -> None:
    name = send(served, SCENARIO).json()["scenario"].removeprefix("own/")
    with ThreadPoolExecutor(1) as other, monkeypatch.context() as soon:
        soon.setattr("grognard.fronts.web.bounds.CHECKING", 5.0)
        sending = other.submit(send, served, endless)
        assert served.own.get("/lobby.json").status_code == 200
        reply = sending.result(timeout=60)
    assert reply.status_code == 400 and "was ended" in reply.json()["message"]
    assert reply.json()["remedy"] and sent(tmp_path) == [f"{name}.yaml"]
    assert not at_work()
    assert send(served, SCENARIO).status_code == 201  # the next one is checked


def test_whose_server_was_killed_checks_no_longer_than_it_may(tmp_path: Path, endless: str) -> None:
    (tmp_path / "endless.yaml").write_text(endless, encoding="utf-8")
    script = """
from pathlib import Path
from grognard.fronts.web import bounds, lobby
bounds.CHECKING = 1.0
bounds.run_bounded(lobby.take_in_scenario, Path("endless.yaml").read_bytes(), "en")
"""
    command = [sys.executable, "-c", script]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(command, env=env, timeout=120).returncode == -signal.SIGXCPU


def test_a_check_takes_no_more_memory_than_it_may() -> None:
    script = "from grognard.fronts.web import bounds; bounds.run_bounded(bytearray, 3 * 1024**3)"
    command = [sys.executable, "-c", script]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "MemoryError" in done.stderr


def test_large_ones_are_refused_before_they_are_read(served: Served, tmp_path: Path) -> None:
    reply = send(served, "#" * 300_001)
    assert reply.status_code == 413 and reply.json()["message"] == "That is too large."
    assert sent(tmp_path) == []


def test_links_in_the_folder_are_not_written_through(served: Served, tmp_path: Path) -> None:
    """A file of the folder that is a link out of it keeps what it leads to."""
    folder, other = tmp_path / "data/scenarios", tmp_path / "precious"
    folder.mkdir(parents=True)
    other.write_text("mine")
    name = send(served, SCENARIO).json()["scenario"].removeprefix("own/")
    path = folder / f"{name}.yaml"
    path.unlink()
    path.symlink_to(other)
    send(served, SCENARIO)
    assert other.read_text() == "mine"
