"""Native builds for what is measured."""

from __future__ import annotations

import time

from grognard.places import readable_ruleset
from grognard.scenario import Scenario
from runtime.runs.machine import shape_of


def built(opened: Scenario) -> float:
    """Build a scenario's ruleset natively where it is not built yet: the seconds that it took."""
    ruleset, shape = (
        readable_ruleset(opened.folder),
        shape_of(opened.program.spec, opened.setup),
    )
    if ruleset.native.whole(shape):
        return 0.0
    assert ruleset.lowered is not None
    begun = time.perf_counter()
    ruleset.build_natively(shape)
    return time.perf_counter() - begun
