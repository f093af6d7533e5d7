"""Which rules of a rulebook a ruleset cites, its cases name, and random games reach.

>>> found = cover(folder, games=4)
>>> [rule.id for rule in found.own.rules if rule.mechanic and not rule.cases]
"""

from grognard.coverage.counting import (
    Chapter,
    Coverage,
    IndexCoverage,
    RuleCoverage,
    cover,
    in_cases,
)
from grognard.coverage.watching import reached

__all__ = ["Chapter", "Coverage", "IndexCoverage", "RuleCoverage", "cover", "in_cases", "reached"]
