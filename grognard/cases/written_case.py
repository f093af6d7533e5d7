"""Where a new case stands in a file of cases, and its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from runtime.data.reader import Mapping as Tree
from runtime.data.reader import Node, Sequence, read_tree
from runtime.errors import ArgumentError

#: How wide a line is.
_WIDTH = 110


def case_text(case: Mapping[str, Any], indent: int = 0) -> str:
    """A case as an item of a list, in lines that begin with so many spaces."""
    text = yaml.safe_dump(
        [dict(case)], sort_keys=False, default_flow_style=None, width=_WIDTH, allow_unicode=True
    )
    return "".join(" " * indent + line for line in text.splitlines(keepends=True))


def new_file(ruleset: str, scenario: str, case: Mapping[str, Any]) -> str:
    """The text of a file with one case."""
    head = yaml.safe_dump({"ruleset": ruleset, "scenario": scenario}, sort_keys=False)
    return f"{head}cases:\n{case_text(case, 2)}"


def case_insertion(text: str, case: Mapping[str, Any]) -> tuple[int, str]:
    """Where a case goes in the text of a file, behind the last one, and what is put there.

    Nothing else in the text changes.  ArgumentError where the file has no list of cases, its list
    is not written line by line, or it has a case of that name.
    """
    root, findings = read_tree(text, "cases")
    cases = root.get("cases") if isinstance(root, Tree) else None
    if findings or not isinstance(root, Tree) or not isinstance(cases, Sequence) or not cases.items:
        raise ArgumentError("this is no file of cases that can be read", "correct it first")
    if case["name"] in [_name(item) for item in cases.items]:
        message = f"the file has a case called '{case['name']}' already"
        raise ArgumentError(message, "give it another name")
    lines = text.splitlines(keepends=True)
    first = lines[cases.items[0].line - 1]
    indent = len(first) - len(first.lstrip(" "))
    if not first[indent:].startswith("-"):
        message = "the cases of this file do not stand in a list with a line for each"
        raise ArgumentError(message, "begin each with '- name:'")
    behind = (key.line for key, _ in root.entries if key.line > cases.line)
    stop = min((line - 1 for line in behind if line >= cases.items[-1].line), default=len(lines))
    last = cases.items[-1].line - 1
    for number in range(last, stop):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) > indent:
            last = number
    apart = "\n" if len(cases.items) > 1 and _blank_before(lines, cases.items[-1]) else ""
    offset = sum(map(len, lines[: last + 1]))
    ended = lines[last].endswith("\n")
    return offset, ("" if ended else "\n") + apart + case_text(case, indent)


def _name(item: Node) -> Any:
    named = item.get("name") if isinstance(item, Tree) else None
    return getattr(named, "text", None)


def _blank_before(lines: list[str], item: Node) -> bool:
    """Whether a line without text stands before an item."""
    return item.line > 1 and not lines[item.line - 2].strip()
