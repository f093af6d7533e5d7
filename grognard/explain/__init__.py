"""Why: which rules gave a number, why a thing is not allowed, what stands behind an option or a rule ID.

>>> explainer = Explainer(folder)
>>> found = explainer.explain(game.state, "close_dice", explainer.arguments(game, "close_dice", words),
game.setup)
>>> found.value, found.cited(), found.lines

Everything comes back as data (:class:`Explanation`, a tree of :class:`Reason`); nothing is printed.
"""

from grognard.explain.citations import Explainable
from grognard.explain.explainer import Explainer
from grognard.explain.explanation import Explanation, Reason, Role, Target, lines_of, plainly
from grognard.explain.values import parse_value

__all__ = [
    "Explainable",
    "Explainer",
    "Explanation",
    "Reason",
    "Role",
    "Target",
    "lines_of",
    "parse_value",
    "plainly",
]
