"""Reading files of cases: what is written, with its places, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grognard.cases.schema import CASE_KEYS, EXPECT_KEYS, FILE_KEYS
from runtime.files import read_bytes
from runtime.scenario.finding import suggestion
from runtime.scenario.yaml_text import Mapping as YamlMapping
from runtime.scenario.yaml_text import Node, plain, read


class CaseError(Exception):
    """A case cannot be read or set up: what is wrong and where."""


@dataclass
class Case:
    """One case as read, with its place."""

    file: str
    line: int
    data: dict[str, Any]

    @property
    def name(self) -> str:
        """What the case is called."""
        return str(self.data.get("name", f"case at line {self.line}"))

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule IDs it shows."""
        return tuple(str(r) for r in self.data.get("rules", ()))


@dataclass
class CaseFile:
    """A file of cases."""

    path: str
    ruleset: str
    scenario: str
    cases: list[Case]


def read_cases(path: Path, name: str | None = None) -> CaseFile:
    """Read a file of cases; :class:`CaseError` says what is wrong with it and where."""
    shown = name or str(path)
    try:
        text = read_bytes(path)
    except OSError as error:
        raise CaseError(f"{shown}: cannot be read ({error.strerror})") from None
    root, findings = read(text, shown)
    for finding in findings:
        raise CaseError(str(finding))
    if not isinstance(root, YamlMapping):
        raise CaseError(
            f"{shown}:1:1: a file of cases is a mapping with the keys ruleset, scenario and cases"
        )
    for key, _ in root.entries:
        if key.text not in FILE_KEYS:
            raise CaseError(
                f"{shown}:{key.line}:{key.column}: unknown key '{key.text}'; {suggestion(key.text, FILE_KEYS)}"
            )
    for needed in ("ruleset", "scenario", "cases"):
        if root.get(needed) is None:
            raise CaseError(f"{shown}:1:1: the key '{needed}' is missing")
    nodes = getattr(root.get("cases"), "items", None)
    if nodes is None:
        raise CaseError(f"{shown}:{root.get('cases').line}:1: 'cases' is a list")  # type: ignore[union-attr]
    return CaseFile(
        shown,
        str(plain(_get(root, "ruleset"))),
        str(plain(_get(root, "scenario"))),
        [_case(shown, node) for node in nodes],
    )


def _get(root: YamlMapping, key: str) -> Node:
    node = root.get(key)
    assert node is not None
    return node


def _case(file: str, node: Node) -> Case:
    data = plain(node)
    if not isinstance(data, dict) or not isinstance(node, YamlMapping):
        raise CaseError(
            f"{file}:{node.line}:{node.column}: a case is a mapping with a name and what to expect"
        )
    for key, value in node.entries:
        if key.text not in CASE_KEYS:
            raise CaseError(
                f"{file}:{key.line}:{key.column}: unknown key '{key.text}' of a case; {suggestion(key.text, CASE_KEYS)}"
            )
        if key.text == "expect" and isinstance(value, YamlMapping):
            for inner, _ in value.entries:
                if inner.text not in EXPECT_KEYS:
                    raise CaseError(
                        f"{file}:{inner.line}:{inner.column}: unknown expectation '{inner.text}'; {suggestion(inner.text, EXPECT_KEYS)}"
                    )
    if not data.get("expect") and not any(
        isinstance(a, dict) and a.get("expect") for a in data.get("actions") or ()
    ):
        raise CaseError(
            f"{file}:{node.line}:{node.column}: the case expects nothing, so it cannot fail; add 'expect:'"
        )
    return Case(file, node.line, data)
