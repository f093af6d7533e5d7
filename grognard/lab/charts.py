"""The plots of a report, by Altair (Vega-Lite), as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import vl_convert

_WIDE: Final = 560
_INK, _FIRST, _RED, _CHANCE = "#33414c", "#2f6f8f", "#b3392f", "#c07f1e"
Rows = Sequence[dict[str, Any]]
Chart = alt.Chart | alt.LayerChart | alt.FacetChart


def svg(chart: Chart) -> str:
    """A chart as SVG, to stand within a page."""
    configured = chart.configure(
        background="transparent", padding={"left": 30, "right": 10, "top": 5, "bottom": 5}
    ).configure_view(strokeOpacity=0)
    configured = configured.configure_axis(labelLimit=320, labelColor=_INK, titleColor=_INK)
    text = vl_convert.vegalite_to_svg(configured.to_dict())
    return str(text[text.index("<svg") :])


def shares(rows: Rows) -> Chart:
    """Shares with their intervals: *label*, *share*, *low*, *high* and *fair*, what would be fair,
    in each row, and *published* where there is one.
    """
    base = alt.Chart(alt.InlineData(values=list(rows)))
    y = alt.Y("label:N", sort=None, title=None)
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    fair = base.mark_tick(color=_INK, thickness=1, size=12).encode(
        y=y, x=alt.X("fair:Q", scale=scale)
    )
    bars = base.mark_rule(strokeWidth=2.5, color=_FIRST).encode(
        y=y, x=alt.X("low:Q", scale=scale, axis=axis, title="games won by the first"), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=70, color=_FIRST, opacity=1).encode(y=y, x="share:Q")
    layers = [fair, bars, dots]
    if any(row.get("published") is not None for row in rows):
        told = base.mark_point(shape="diamond", size=90, color=_RED).encode(y=y, x="published:Q")
        layers.append(told)
    return alt.layer(*layers).properties(width=_WIDE, height=alt.Step(24))


def contrasts(rows: Rows) -> Chart:
    """Differences with their intervals: *label*, *mean*, *low*, *high* in each row."""
    base = alt.Chart(alt.InlineData(values=list(rows)))
    y = alt.Y("label:N", sort=None, title=None)
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3])
    axis = alt.Axis(format="+%")
    title = "difference in the games won by the first"
    bars = base.mark_rule(strokeWidth=2.5, color=_FIRST).encode(
        y=y, x=alt.X("low:Q", axis=axis, title=title), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=70, color=_FIRST, opacity=1).encode(y=y, x="mean:Q")
    return alt.layer(zero.encode(x="zero:Q"), bars, dots).properties(
        width=_WIDE, height=alt.Step(24)
    )


def course(rows: Rows) -> Chart:
    """The standing by turn: *turn*, *median*, *low*, *high* in each row."""
    base = alt.Chart(alt.InlineData(values=list(rows)))
    x = alt.X("turn:Q", title="turn")
    band = base.mark_area(opacity=0.2, color=_FIRST).encode(
        x=x, y=alt.Y("low:Q", title="ahead"), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2.2, color=_FIRST).encode(x=x, y="median:Q")
    level = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3])
    return alt.layer(level.encode(y="zero:Q"), band, line).properties(width=_WIDE, height=150)


def luck(rows: Rows) -> Chart:
    """How much turns have changed the standing: *turn*, *cause*, *change* in each row."""
    colors = alt.Scale(domain=["decisions", "chance"], range=[_FIRST, _CHANCE])
    drawn: Chart = (
        alt.Chart(alt.InlineData(values=list(rows)))
        .mark_line(strokeWidth=2.2, point=True)
        .encode(
            x=alt.X("turn:Q", title="turn"),
            y=alt.Y("change:Q", title="change of standing"),
            color=alt.Color("cause:N", scale=colors, title=None),
        )
        .properties(width=_WIDE, height=150)
    )
    return drawn


def lengths(rows: Rows) -> Chart:
    """How long games were: *label*, *turns* in each row."""
    labels = list(dict.fromkeys(row["label"] for row in rows))
    y = alt.Y("label:N", sort=labels, title=None)
    drawn: Chart = (
        alt.Chart(alt.InlineData(values=list(rows)))
        .mark_boxplot(size=12, color=_FIRST, ticks=True)
        .encode(x=alt.X("turns:Q", title="turns"), y=y)
        .properties(width=_WIDE, height=alt.Step(24))
    )
    return drawn


def cards(rows: Rows) -> Chart:
    """What cards are worth: *card*, *worth*, *low*, *high* in each row."""
    base = alt.Chart(alt.InlineData(values=list(rows)))
    y = alt.Y("card:N", sort=None, title=None)
    axis = alt.Axis(format="+%")
    bars = base.mark_rule(strokeWidth=2, color=_INK).encode(
        y=y,
        x=alt.X(
            "low:Q", axis=axis, title="games won by those who played it, more than their sides do"
        ),
        x2="high:Q",
    )
    dots = base.mark_point(filled=True, size=50, color=_FIRST, opacity=1).encode(y=y, x="worth:Q")
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3])
    return alt.layer(zero.encode(x="zero:Q"), bars, dots).properties(
        width=_WIDE, height=alt.Step(16)
    )
