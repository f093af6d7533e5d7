"""What is wrong with how a ruleset looks."""

from __future__ import annotations

from dataclasses import replace

from compiler.api import Compilation, spec_of
from compiler.report import shown_path
from grognard.draw.style import FILE, Style, StyleError
from runtime.findings import Finding


def findings_of_looks(compilation: Compilation) -> list[Finding]:
    """What is wrong with the looks of a ruleset and of those that it extends."""
    if not compilation.ok:
        return []
    folders = compilation.resolved.folders
    paths = {f"{folder.name}/{FILE}": shown_path(folder / FILE) for folder in folders}
    try:
        style = Style.of(folders)
    except StyleError as error:
        # A file that is no text is told elsewhere.
        found = [error.finding] if error.finding is not None else []
    else:
        abstract = compilation.resolved.abstract
        found = style.findings(None if abstract else spec_of(compilation.program, compilation.lowered))
    return [replace(one, file=paths[one.file]) for one in found]
