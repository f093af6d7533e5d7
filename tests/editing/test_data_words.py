"""What may stand at a place of a file in YAML, by how far it has been written."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.check.expressions.services import SERVICES
from grognard.editing.built_in import services
from grognard.editing.data_words import data_proposals, keys_at
from grognard.editing.desk import Desk
from grognard.editing.edits import apply_edits
from grognard.editing.mending import mendings

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rulesets/cc_ancients"


@pytest.mark.parametrize(
    ("text", "keys", "value"),
    [
        ("pie", [], False),
        ("title: ", ["title"], True),
        ("pieces:\n  Unit:\n    - {side: top, ", ["pieces", "Unit", "-"], False),
        ("pieces:\n  Unit:\n    - {side: top, type: ", ["pieces", "Unit", "-", "type"], True),
        ("pieces:\n  Unit:\n    - side: top\n      ty", ["pieces", "Unit", "-"], False),
        ("sides:\n  top: {name: X}\n  bo", ["sides"], False),
        ("sides:\n  top:\n    prefix: C\ngame: {", ["game"], False),
        ("# note\ncases:\n  - name: x\n    expect:\n      fi", ["cases", "-", "expect"], False),
    ],
)
def test_the_keys_that_lead_to_a_place(text: str, keys: list[str], value: bool) -> None:
    assert keys_at(text, len(text)) == (keys, value)


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (RULES / "style.yaml", "hig", {"highlights", "background"}),
        (RULES / "texts/xx.yaml", "Terr", {"Terrain.hill", "title"}),
        (ROOT / "balance.yaml", "scenarios: [cc_ancients/akragas]\nga", {"games", "stop"}),
        (ROOT / "akragas.yaml", "ruleset: cc_ancients\ntitle: x\npi", {"pieces", "hexes"}),
        (ROOT / "new.yaml", "ruleset: cc_", {"cc_ancients", "no_retreat"}),
        (ROOT / "steps.yaml", "ruleset: cc_ancients\ncases:\n  - na", {"name", "rules", "run"}),
    ],
)
def test_words_of_files_that_are_begun(path: Path, text: str, wanted: set[str]) -> None:
    desk = Desk(ROOT)
    with desk.searching():
        desk.write(path, text)
        assert wanted <= {one.word for one in data_proposals(desk, path, len(text)).words}


def test_what_is_found_in_an_experiment() -> None:
    desk, path = Desk(ROOT), ROOT / "balance.yaml"
    with desk.searching():
        desk.write(path, "scenarios: [cc_ancients/akragsa]\n")
        (finding,) = desk.findings(path)[path]
        assert finding.line == 1 and "did you mean 'cc_ancients/akragas'?" in finding.remedy


def test_the_language_says_what_each_service_does() -> None:
    assert services().keys() == SERVICES.keys()
    assert services()["distance"].params == ("a", "b")


def test_the_text_of_a_member_is_mended_into_its_name() -> None:
    desk, path = Desk(ROOT), ROOT / "akragas.yaml"
    text = "ruleset: cc_ancients\ntitle: x\npieces: {Unit: [{side: top, type: Light Infantry, hex: A1}]}\n"
    with desk.searching():
        desk.write(path, text)
        (finding,) = (f for f in desk.findings(path)[path] if f.code == "S114")
        (mending,) = mendings(desk, finding)
    assert apply_edits(text, mending.edits) == text.replace("Light Infantry", "LI")
