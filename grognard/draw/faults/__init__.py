"""Slips in ``style.yaml`` as findings with their places: settings that there are not, names that the ruleset
lacks, values of the wrong shape, colours that are none, looks that nothing reaches.

Without a ruleset only what the file alone tells is looked at.
"""

from __future__ import annotations

import yaml

from grognard.draw.faults.file import PATTERNS, File
from grognard.draw.faults.pieces import GLYPHS
from runtime.findings import Finding
from runtime.model import RulesetSpec

__all__ = ["GLYPHS", "PATTERNS", "findings_in"]


def findings_in(root: yaml.Node | None, name: str, spec: RulesetSpec | None = None) -> list[Finding]:
    """What is wrong with a style file, in the order of the file; *name* is how it is shown to people."""
    if root is None:
        return []
    check = File(name, spec)
    check.whole(root)
    return sorted(dict.fromkeys(check.found), key=lambda f: (f.line, f.column, f.code, f.message))
