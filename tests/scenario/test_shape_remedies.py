"""What is said of a value of the wrong shape shows the right one, and of a word or key what was meant."""

from __future__ import annotations

import pytest
from other_languages import lacking
from scenario_rulesets import SMALL

from runtime.scenario import load

GAME = "game: {first: top}"
SIDES = "sides: {top: {goal: 4}, bottom: {goal: 4}}"
UNIT = "pieces: {Unit: [{side: top, type: LI, hex: A1}, {side: bottom, type: LI, hex: D1}]}"
PARTS = (GAME, SIDES, UNIT)
MEANT = {
    "switches: {weather: on}": "did you mean 'true'? possible: true, false, yes, no",
    "switches: {weather: off}": "did you mean 'false'?",
    "switches: {weather: 'true'}": "write it without quotes: true",
    "weather: on": "it belongs under 'switches'",
    "terrain: {forest: [A1]}": "it belongs under 'hexes'",
    "goal: 4": "it belongs under 'sides.top' or 'sides.bottom'",
    "hexes: {forest: [A1]}": "it belongs under 'hexes.terrain'",
    "map: {legend: {f: {kind: Hex}}, rows: [f], first: top}": "it belongs under 'game'",
    "roster: {hexes: {}}": "it belongs at the top of the file",
    "fields: {Hex: {terrain: {forest: [A1]}}}": "its fields stand under 'hexes'",
    "name: Two Hills": "did you mean 'title'?",
    "hexes: {terrain: {A1: forest}}": "it is written in another order: forest: [A1]",
    "hexes: {height: {A1: 2}}": "it is written in another order: 2: [A1]",
    "hexes: {A1: {terrain: forest}}": "it is written in another order: terrain: {forest: [A1]}",
    "sides: {goal: {top: 4, bottom: 4}}": "it is written in another order: top: {goal: 4}",
    "fields: {Terrain: {forest: {cost: 2}}}": "it is written in another order: cost: {forest: 2}",
    "pieces: {Unit: {Left: {side: top, at: {LI: A1}}}}": "written in another order: A1: LI",
    UNIT.replace("LI", "Light Infantry", 1): "did you mean 'LI'?",
    UNIT.replace("LI", "light_infantri", 1): "did you mean 'LI'?",
    UNIT.replace("side: top", "side: North"): "did you mean 'top'?",
    UNIT.replace("hex: A1", "hex: off"): "did you mean 'none'?",
    UNIT.replace("hex: A1", "hex: null"): "write none",
    UNIT.replace("hex: A1", "hex: reserve"): "hexes are D1 to A4, or none for nowhere",
    UNIT.replace("hex: A1", "hex: 'A1, A2'"): "name each hex, with commas between them: [A1, A2]",
    UNIT.replace("side: top", "player: top"): "did you mean 'side'?",
    "hexes: {terrain: {forest: A1 A2}}": "put it in brackets: [A1, A2]",
    "hexes: {terrain: {forest: [A1-A3]}}": "name each hex, with commas between them: [A1, A3]",
    "sides: [top, bottom]": "write a mapping: {top: {goal: …}, bottom: {goal: …}}",
    "board: {layout: odd_q, rows: 4, columns: 5}": "the ruleset says it where it declares its board",
    "board: {width: 4, rows: 5}": "did you mean 'columns'?",
}


@pytest.mark.parametrize("part", MEANT)
def test_what_was_meant_is_said(part: str) -> None:
    others = [one for one in PARTS if not part.startswith(one.partition(":")[0] + ":")]
    _, found = load("\n".join(("ruleset: small", "title: X", *others, part, "")), SMALL)
    remedies = [f.remedy for f in found if MEANT[part] in f.remedy]
    assert remedies, [(f.message, f.remedy) for f in found]
    assert lacking(*(text for f in found for text in (f.message, f.remedy))) == []


def test_a_list_where_values_have_hexes_shows_how_it_is_written() -> None:
    _, found = load("ruleset: small\ntitle: X\nhexes: {terrain: [A1]}\n", SMALL)
    remedies = {f.message: f.remedy for f in found}
    remedy = remedies["a list in hexes.terrain: expected a mapping"]
    assert remedy.startswith("write a mapping: {") and remedy.endswith(": […]}")
