"""Scenario files of one's own: played, refused with what is found, shown as text; whatever is in them."""

from __future__ import annotations

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
