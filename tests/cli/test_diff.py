"""What an expansion does to its base, told by `diff`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

MORE = """\
ruleset more extends tiny

@house
enum Weather { dry, wet }
extend enum Terrain { bog }
extend table ground {
  | bog | 2 |
}
extend piece Unit { tired: bool = false }
@house
drop rule cover
@house
replace rule printed for fire_dice = 3
@house
deny tired for may_fire when u.tired
@house
allow close_by except no_sight for may_fire when distance(u.hex, foe.hex) is 1
@house
insert ahead loss of fire { note more(u) }
"""


def expansion(desk: Path) -> None:
    base = desk / "rulesets/tiny/ruleset.grog"
    text = base.read_text(encoding="utf-8")
    assert "procedure fire(u: Unit)" in text
    (desk / "rulesets/more").mkdir()
    (desk / "rulesets/more/ruleset.grog").write_text(MORE, encoding="utf-8")


def test_each_verb_is_told_with_what_it_cites(run, desk: Path) -> None:
    expansion(desk)
    done = run("diff", "tiny", "more", "--json")
    assert done.code == 0
    data = json.loads(done.out)
    assert (data["base"], data["expansion"]) == ("tiny", "more")
    assert [(c["verb"], c["what"]) for c in data["changes"]] == [
        ("adds", "enum Weather"),
        ("extends", "enum Terrain: bog"),
        ("extends", "table ground: bog"),
        ("extends", "piece Unit: tired"),
        ("drops", "rule cover"),
        ("replaces", "rule printed for fire_dice"),
        ("changes", "refusal tired for may_fire"),
        ("excepts", "no_sight by allowance close_by for may_fire"),
        ("inserts", "before step loss of procedure fire"),
    ]
    assert data["changes"][0] == {
        "verb": "adds",
        "what": "enum Weather",
        "rules": [],
        "file": "more/ruleset.grog",
        "line": 4,
    }


def test_it_is_grouped_for_people(run) -> None:
    done = run("diff", "cc_ancients", "cc_ancients_greece")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "cc_ancients_greece extends cc_ancients"
    heads = [line.split(" (")[0] for line in lines if line and not line.startswith(" ")][1:]
    assert heads == ["excepts", "changes", "extends", "inserts", "adds"]
    (one,) = [line for line in lines if "satraps_beside" in line]
    assert "leader_near by refusal satraps_beside for strikes  (CCA-X1-14.10)" in one
    assert re.search(r"cc_ancients_greece/ruleset\.grog:\d+$", one)


def test_a_base_of_the_base_counts_all_that_lies_between(run) -> None:
    near = json.loads(run("diff", "cc_ancients", "cc_ancients_greece", "--json").out)["changes"]
    far = json.loads(run("diff", "cc_core", "cc_ancients_greece", "--json").out)["changes"]
    assert len(far) > len(near) and {c["file"].split("/")[0] for c in far} == {
        "cc_ancients",
        "cc_ancients_greece",
    }


def test_what_does_not_extend_the_base_is_refused(run, desk: Path) -> None:
    done = run("diff", "cc_ancients", "tiny")
    assert done.code == 2 and "'tiny' does not extend 'cc_ancients'" in done.err
    done = run("diff", "tiny", "nothing")
    assert done.code == 2 and "nothing" in done.err


def test_errors_of_syntax_are_left_to_check(run, desk: Path) -> None:
    expansion(desk)
    path = desk / "rulesets/more/ruleset.grog"
    path.write_text(MORE + "enum enum\n", encoding="utf-8")
    done = run("diff", "tiny", "more")
    assert (
        done.code == 2
        and "more/ruleset.grog has errors" in done.err
        and "grognard check more" in done.err
    )


@pytest.mark.parametrize(
    "kind", ["no text", "a pipe", "a link to a device", "a link that leads out", "nothing"]
)
def test_files_that_cannot_be_read_are_named(run, desk: Path, tmp_path: Path, kind: str) -> None:
    expansion(desk)
    path = desk / "rulesets/more/odd.grog"
    if kind == "no text":
        path.write_bytes(b"enum \xff")
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        (tmp_path / "secret").write_text("enum hunter2 { hunter3")
        path.symlink_to(
            {"a link to a device": "/dev/zero", "nothing": "nowhere"}.get(kind, tmp_path / "secret")
        )
    for words in (("tiny", "more"), ("tiny", "more", "--json")):
        done = run("diff", *words)
        assert done.code == 2 and "odd.grog" in done.err and "hunter" not in done.all
