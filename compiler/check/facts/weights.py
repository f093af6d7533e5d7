"""Weights: the numbers by which positions are valued."""

from __future__ import annotations

from compiler.check.context import Context
from dsl import nodes as n
from dsl.source import Span
from runtime.model import WeightSpec
from runtime.words.said import said


def enter_weight(
    ctx: Context, name: str, value: int, span: Span, bounds: n.Numbers | None, gap: int = 0
) -> None:
    """Enter a weight, behind a *gap* of places."""
    if bounds is not None and not bounds.low <= value <= bounds.high:
        message = said(
            "the weight {value} is not from {low} to {high}",
            value=value,
            low=bounds.low,
            high=bounds.high,
        )
        remedy = "change the weight, or its bounds"
        if bounds.low > bounds.high:
            message = said("no number is from {low} to {high}", low=bounds.low, high=bounds.high)
            remedy = said(
                "the lower bound stands first: in {high} .. {low}", high=bounds.high, low=bounds.low
            )
            span = bounds.span
        ctx.error("F410", message, span, remedy)
    weights = ctx.program.weights
    place = gap + 1 + max((w.place for w in weights.values()), default=-1)
    within = None if bounds is None else (bounds.low, bounds.high)
    weights[name] = WeightSpec(name, value, place, within)
    ctx.program.weight_spans[name] = span
