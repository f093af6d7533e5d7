"""The battles of Napoleonics meet their printed control sums, and whoever breaks one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard import opening, places
from runtime.data.findings import Finding

ROOT = Path(__file__).resolve().parents[2]
BATTLES = sorted((ROOT / "scenarios/cc_napoleonics").glob("*.yaml"))


def findings(path: Path) -> list[Finding]:
    folder = ROOT / "rulesets/cc_napoleonics"
    return opening.load_scenario(path, folder, places.program_of(folder))[1]


@pytest.mark.parametrize("path", BATTLES, ids=lambda p: p.stem)
def test_battles_are_in_order(path: Path) -> None:
    assert findings(path) == []


@pytest.mark.parametrize(
    ("battle", "old", "new", "part"),
    [
        ("rolica_1", "f . . . . ~ f", ". . . . . ~ f", "7 forest of Hex, there are 6"),
        (
            "rolica_1",
            '". ~ . . . . . . . . . . ."',
            '"~ . . . . . . . . . . . ."',
            "straight river tiles",
        ),
        ("rolica_1", "type: FFA, hex: G7", "type: FHA, hex: G7", "1 top FFA Unit, there are 0"),
        ("river_coa", "D5: [D6]", "A1: [D6]", "works lie toward hexes beside"),
        ("vimiero", "taker: {prize_1: top}", "taker: {prize_2: top}", "has a taker and hexes"),
    ],
)
def test_broken_sums(tmp_path: Path, battle: str, old: str, new: str, part: str) -> None:
    text = (ROOT / f"scenarios/cc_napoleonics/{battle}.yaml").read_text(encoding="utf-8")
    path = tmp_path / f"{battle}.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    found = " ".join(f.message for f in findings(path) if f.is_error)
    assert part in found and bool(part) == bool(found), found
