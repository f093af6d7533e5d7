"""The keys that files of cases have."""

from __future__ import annotations

from typing import Final

FILE_KEYS: Final = ("ruleset", "scenario", "cases", "notes", "provenance")
CASE_KEYS: Final = (
    "name",
    "rules",
    "position",
    "fields",
    "piles",
    "effects",
    "run",
    "dice",
    "actions",
    "expect",
    "seed",
    "switches",
    "note",
)
EXPECT_KEYS: Final = (
    "fields",
    "decision",
    "offered",
    "not_offered",
    "options",
    "values",
    "refused",
    "piles",
    "over",
    "winner",
    "ranks",
    "log",
    "not_log",
    "sees",
)
DECISION_KEYS: Final = ("side", "prompt", "about")
