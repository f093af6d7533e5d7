"""A sequential test errs as seldom as it says, and does not change its mind."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.lab.sequential import EVEN, FIRST, OPEN, SECOND, verdict

SERIES, LONG = 400, 4000


def verdicts(share: float, margin: float, error: float) -> dict[str, int]:
    """What is said of series in which the first wins so often."""
    found = dict.fromkeys((OPEN, EVEN, FIRST, SECOND), 0)
    for number in range(SERIES):
        rng = Random(number)
        results = (float(rng.random() < share) for _ in range(LONG))
        found[verdict(results, margin, error)] += 1
    return found


@pytest.mark.parametrize(("margin", "error"), [(0.1, 0.05), (0.2, 0.1)])
def test_it_errs_no_oftener_than_it_says(margin: float, error: float) -> None:
    slack = 3 * (error * (1 - error) / SERIES) ** 0.5
    even = verdicts(0.5, margin, error)
    assert even[OPEN] == 0 and even[FIRST] + even[SECOND] <= SERIES * (error + slack)
    for share, told in ((0.5 + margin, FIRST), (0.5 - margin, SECOND)):
        found = verdicts(share, margin, error)
        assert found[told] >= SERIES * (1 - error - slack) and found[OPEN] == 0


def test_of_three_a_third_is_fair() -> None:
    rng, won = Random(1), {EVEN: 0, FIRST: 0, SECOND: 0, OPEN: 0}
    for _ in range(100):
        results = [float(rng.random() < 1 / 3) for _ in range(2000)]
        won[verdict(results, 0.1, 0.05, 1 / 3)] += 1
    assert won[EVEN] >= 85 and won[OPEN] == 0
    assert verdict([1.0, 0.0] * 400, 0.1, 0.05, 1 / 3) == FIRST


def test_a_longer_series_takes_longer_for_a_smaller_margin() -> None:
    results = [1.0, 0.0] * 200
    assert verdict(results[:100], 0.2, 0.05) == EVEN and verdict(results[:100], 0.05, 0.05) == OPEN
    assert verdict([1.0] * 40, 0.1, 0.05) == FIRST and verdict([0.0] * 40, 0.1, 0.05) == SECOND
    assert verdict([], 0.1, 0.05) == OPEN and verdict([0.5] * 400, 0.1, 0.05) == EVEN


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=150), st.floats(0.01, 0.45))
def test_it_keeps_what_it_has_said(results: list[float], margin: float) -> None:
    told = [verdict(results[:end], margin, 0.05) for end in range(len(results) + 1)]
    decided = [one for one in told if one != OPEN]
    assert len(set(decided)) <= 1 and told[len(told) - len(decided) :] == decided
