"""Charts of what has been measured, for the documentation (SVG; the extra ``dev`` has Altair)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import quantiles

import altair as alt

_WIDE, _HIGH = 680, 300
Drawn = alt.Chart | alt.LayerChart | alt.FacetChart
_COLORS = ("#4d5a63", "#b3392f", "#2f6f8f", "#8f6f2f")


def course(
    title: str, lines: Sequence[tuple[str, list[list[int]]]], turns: Sequence[str], games: int
) -> Drawn:
    """What is held by turn: a line for the median, a band for the middle half of the games."""
    last = max(turn for _, rows in lines for turn, row in enumerate(rows) if row)
    on = [max(len(rows[turn]) for _, rows in lines) for turn in range(last + 1)]
    values = []
    for words, rows in lines:
        for turn, row in enumerate(rows):
            if row:
                low, median, high = _middle(row)
                spread = {"low": low, "median": median, "high": high}
                values.append({"what": words, "turn": f"{turns[turn]} ({on[turn]})", **spread})
    order = [f"{turns[turn]} ({on[turn]})" for turn in range(last + 1)]
    x = alt.X("turn:O", sort=order, title="turn (games)", axis=alt.Axis(labelAngle=-60))
    color = _colored("what:N")
    dash = alt.StrokeDash("what:N", legend=None)
    base = alt.Chart(alt.InlineData(values=values))
    band = base.mark_area(opacity=0.2).encode(
        x=x, y=alt.Y("low:Q", title="held"), y2="high:Q", color=color
    )
    median = base.mark_line(strokeWidth=2.5).encode(x=x, y="median:Q", color=color, strokeDash=dash)
    note = f"{games} games; line: median, band: middle half"
    return alt.layer(band, median).properties(
        title=alt.Title(title, subtitle=note), width=_WIDE, height=_HIGH
    )


def growth(title: str, found: Iterable[tuple[float, Mapping[str, float]]]) -> Drawn:
    """What something costs by size, both on scales of powers: *found* is the size, and the
    microseconds of each way to do it.
    """
    values = [
        {"pieces": size, "what": name, "cost": cost}
        for size, costs in found
        for name, cost in costs.items()
    ]
    drawn: Drawn = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("pieces:Q", scale=alt.Scale(type="log"), title="pieces"),
            y=alt.Y("cost:Q", scale=alt.Scale(type="log"), title="µs a decision"),
            color=_colored("what:N"),
            strokeDash=alt.StrokeDash("what:N", legend=None),
        )
        .properties(title=title, width=_WIDE, height=_HIGH)
    )
    return drawn


def save(chart: Drawn, path: Path) -> None:
    """Write a chart as SVG."""
    chart.configure(background="#fff").save(path, format="svg")


def _colored(field: str) -> alt.Color:
    return alt.Color(
        field, scale=alt.Scale(range=list(_COLORS)), legend=alt.Legend(title=None, orient="bottom")
    )


def _middle(row: list[int]) -> tuple[float, float, float]:
    """The ends of the middle half of some numbers, and the median between them."""
    low, median, high = quantiles(row, method="inclusive") if len(row) > 1 else row * 3
    return low, median, high
