"""What the tests of scenarios share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scenario_rulesets import SMALL, initial

from runtime.scenario import Finding, SetUp, load
from runtime.scenario.setup import Unmet
from runtime.words.said import said

Loader = Callable[[Any], tuple[SetUp | None, list[Finding]]]


@pytest.fixture(scope="session")
def loading() -> Loader:
    """Load a path or text for the small ruleset."""
    return lambda source: load(source, SMALL, name="it", initial=initial, broken=broken)


def broken(setup: SetUp) -> list[Unmet]:
    """The only requirement of the small ruleset: no side needs more than its command."""
    sides = setup.fields.get("Side", {})
    within = all(
        goal <= sides.get("command", {}).get(side, 4)
        for side, goal in sides.get("goal", {}).items()
    )
    reads = ("side_goal", "side_command")
    return (
        []
        if within
        else [
            Unmet(
                said("the ruleset requires: {what}{cited}", what="goal within reach", cited=""),
                reads,
            )
        ]
    )
