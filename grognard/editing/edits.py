"""Changes of texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Characters *start* to *end* of a text, and what is to stand there instead."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """*text* after edits, which do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = f"{text[: edit.start]}{edit.text}{text[edit.end :]}"
    return text
