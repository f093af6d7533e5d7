"""Findings about a scenario file, as values.

A finding has a stable code (``docs/diagnostics/<code>.md`` explains it with an example), a message, a
place and a remedy.  ``S1xx`` is about the file as YAML and its shape, ``S2xx`` about what it says.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.findings import Finding
from runtime.spelling import nearest, odd

#: Every code with its short title.
CODES: dict[str, str] = {
    "S101": "the file cannot be read",
    "S102": "not YAML",
    "S103": "the file is empty",
    "S104": "the file is not a mapping",
    "S105": "more than one document",
    "S106": "anchor, alias, tag or merge key",
    "S107": "key given twice",
    "S108": "key is not plain text",
    "S109": "nested too deeply",
    "S110": "number too large",
    "S111": "unknown key",
    "S112": "missing key",
    "S113": "value of the wrong kind",
    "S114": "unknown value",
    "S115": "value of the wrong form",
    "S201": "hex off the board",
    "S202": "written for another ruleset",
    "S203": "unknown switch",
    "S204": "two pieces on one hex",
    "S205": "more than one list in an entry",
    "S206": "number does not fit the piece",
    "S208": "roster does not add up",
    "S209": "a side without pieces",
    "S210": "wrong number of map rows",
    "S211": "wrong number of cells in a map row",
    "S212": "unknown map symbol",
    "S213": "map symbol not used",
    "S214": "name used twice",
    "S215": "prefix used twice",
    "S216": "unknown piece",
    "S217": "hex listed twice",
    "S218": "field not given",
    "S219": "a requirement of the ruleset is not met",
    "S220": "not a board",
    "S221": "the board lacks a hex that the rules name",
    "S222": "the provenance of what is not there",
    "S223": "where a part comes from is not said",
}


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in the order of the file, each once."""
    return sorted(dict.fromkeys(findings), key=lambda f: (f.line, f.column, f.code, f.message))


def suggestion(word: str, known: Iterable[str], most: int = 16) -> str:
    """A remedy for the unknown *word*: what was probably meant, and what is possible."""
    words = list(dict.fromkeys(known))
    meant = nearest(word, words)
    parts = [f"{odd(word)};"] if odd(word) else []
    if meant is not None:
        parts.append(f"did you mean '{meant}'?")
    if not words:
        parts.append("there is none")
    elif len(words) <= most:
        parts.append("possible: " + ", ".join(words))
    elif meant is None:
        parts.append("possible: " + ", ".join(words[:most]) + ", …")
    return " ".join(parts)
