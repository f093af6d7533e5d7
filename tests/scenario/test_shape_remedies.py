"""What is said of a value of the wrong shape shows the right one."""

from __future__ import annotations

from scenario_rulesets import SMALL

from runtime.scenario import load


def test_a_list_where_values_have_hexes_shows_how_it_is_written() -> None:
    _, found = load("ruleset: small\ntitle: X\nhexes: {terrain: [A1]}\n", SMALL)
    remedies = {f.message: f.remedy for f in found}
    remedy = remedies["a list in hexes.terrain: expected a mapping"]
    assert remedy.startswith("write a mapping: {") and remedy.endswith(": […]}")
