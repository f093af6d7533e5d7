"""The plots of a report, by Altair (Vega-Lite), as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import vl_convert

_WIDE: Final = 480
#: Colors of the page, light or dark.
_INK, _LINE, _FIRST, _SECOND, _MARK = (
    f"var(--{name})" for name in ("ink", "line", "first", "second", "mark")
)
Rows = Sequence[dict[str, Any]]
Chart = alt.Chart | alt.LayerChart | alt.FacetChart


def svg(chart: Chart) -> str:
    """A chart as SVG, to stand within a page."""
    configured = chart.configure(
        background="transparent", padding={"left": 30, "right": 10, "top": 5, "bottom": 5}
    ).configure_view(strokeOpacity=0)
    configured = configured.configure_axis(
        labelLimit=320,
        labelFontSize=11,
        labelColor=_INK,
        titleColor=_INK,
        domainColor=_INK,
        tickColor=_INK,
        gridColor=_LINE,
    ).configure_legend(labelColor=_INK, titleColor=_INK)
    text = vl_convert.vegalite_to_svg(configured.to_dict())
    return str(text[text.index("<svg") :])


def shares(rows: Rows) -> Chart:
    """Shares with their intervals: *label*, *mean*, *low*, *high* and *fair*, what would be fair,
    in each row, and *published* where there is one.
    """
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    x = alt.X("low:Q", scale=alt.Scale(domain=[0, 1]), axis=axis, title="games won by the first")
    base, y = _base(rows), _labels()
    layers = [base.mark_tick(color=_INK, thickness=1, size=12).encode(y=y, x="fair:Q")]
    layers += _intervals(base, x, y)
    if any(row.get("published") is not None for row in rows):
        told = base.mark_point(shape="diamond", size=90, color=_MARK).encode(y=y, x="published:Q")
        layers.append(told)
    return alt.layer(*layers).properties(width=_WIDE, height=alt.Step(24))


def differences(rows: Rows, title: str) -> Chart:
    """Differences of shares with their intervals: *label*, *mean*, *low*, *high* in each row."""
    x = alt.X("low:Q", axis=alt.Axis(format="+%", tickCount=6), title=title)
    zero = _zero().encode(x="zero:Q")
    return alt.layer(zero, *_intervals(_base(rows), x, _labels())).properties(
        width=_WIDE, height=alt.Step(20)
    )


def _base(rows: Rows) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=list(rows)))


def _labels() -> alt.Y:
    return alt.Y("label:N", sort=None, title=None)


def _zero() -> alt.Chart:
    rule: alt.Chart = _base([{"zero": 0}]).mark_rule(strokeDash=[4, 3], color=_INK)
    return rule


def _intervals(base: alt.Chart, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """A line from *low* to *high*, and a dot at the *mean*."""
    return [
        base.mark_rule(strokeWidth=2.5, color=_FIRST).encode(y=y, x=x, x2="high:Q"),
        base.mark_point(filled=True, size=70, color=_FIRST, opacity=1).encode(y=y, x="mean:Q"),
    ]


def course(rows: Rows) -> Chart:
    """The standing by turn: *turn*, *median*, *low*, *high* in each row."""
    base = _base(rows)
    x = alt.X("turn:Q", title="turn")
    band = base.mark_area(opacity=0.25, color=_FIRST).encode(
        x=x, y=alt.Y("low:Q", title="ahead"), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2.2, color=_FIRST).encode(x=x, y="median:Q")
    return alt.layer(_zero().encode(y="zero:Q"), band, line).properties(width=_WIDE, height=150)


def luck(rows: Rows) -> Chart:
    """How much turns have changed the standing: *turn*, *cause*, *change* in each row."""
    colors = alt.Scale(domain=["decisions", "chance"], range=[_FIRST, _SECOND])
    drawn: Chart = (
        _base(rows)
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
    ink, line = alt.MarkConfig(color=_INK), alt.MarkConfig(color=_LINE)
    drawn: Chart = (
        _base(rows)
        .mark_boxplot(size=12, color=_FIRST, rule=ink, ticks=ink, median=line)
        .encode(x=alt.X("turns:Q", title="turns"), y=y)
        .properties(width=_WIDE, height=alt.Step(24))
    )
    return drawn


def amounts(rows: Rows, title: str) -> Chart:
    """How much there was: *label*, *amount* in each row."""
    drawn: Chart = (
        _base(rows)
        .mark_bar(color=_FIRST, size=11)
        .encode(x=alt.X("amount:Q", title=title), y=_labels())
        .properties(width=_WIDE, height=alt.Step(18))
    )
    return drawn
