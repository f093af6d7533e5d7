"""What is wrong with how a ruleset looks: apart from ``style``, since it needs the compiler."""

from __future__ import annotations

from dataclasses import replace

from compiler.output.report import shown_path
from compiler.ruleset import Ruleset
from grognard.draw.style import FILE, Style, StyleError
from runtime.data.findings import Finding


def look_findings(ruleset: Ruleset) -> list[Finding]:
    """What is wrong with the looks of a ruleset and of those that it extends."""
    if not ruleset.ok:
        return []
    folders = ruleset.resolved.folders
    paths = {f"{folder.name}/{FILE}": shown_path(folder / FILE) for folder in folders}
    try:
        style = Style.of(folders, ruleset.files)
    except StyleError as error:
        # A file that is no text is told elsewhere.
        findings = [error.finding] if error.finding is not None else []
    else:
        findings = style.findings(None if ruleset.resolved.abstract else ruleset.spec)
    return [replace(one, file=paths[one.file]) for one in findings]
