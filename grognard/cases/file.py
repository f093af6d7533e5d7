"""Reading files of cases: what is written, with its places, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grognard.cases.case_shape import FILE, check_file
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, Sequence, plain, read_tree
from runtime.files import read_bytes
from runtime.words.said import join_with_sign, said


class CaseError(Exception):
    """A case cannot be read or set up: what is wrong and where.

    *findings* are what is wrong with a file; empty when it is about a single case that is run.
    *path* leads to the place in that case, where it is known better than what the case is doing.
    """

    def __init__(
        self, message: str, findings: Iterable[Finding] = (), path: tuple[str | int, ...] = ()
    ) -> None:
        super().__init__(message)
        self.findings = tuple(findings)
        self.path = path


@dataclass(frozen=True, slots=True)
class Case:
    """One case as read: its file and line, its keys and values as plain data, and, where it was
    read, its node.
    """

    file: str
    line: int
    data: dict[str, Any]
    node: Node | None = None

    @property
    def name(self) -> str:
        """What the case is called."""
        return str(self.data.get("name", f"case at line {self.line}"))

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule IDs it shows."""
        return tuple(str(r) for r in self.data.get("rules", ()))

    @property
    def only_asks(self) -> bool:
        """Whether nothing is run: of the position values are asked."""
        return str(self.data.get("run")).strip() == "nothing"

    def matches(self, words: str) -> bool:
        """Whether its name or rules contain *words*, in whatever case."""
        return words.lower() in " ".join((self.name, *self.rules)).lower()

    def line_of(self, path: Iterable[str | int]) -> int:
        """The line where *path*, keys and places in lists, leads; 0 when the case was not read from
        a file.
        """
        node, line = self.node, self.node.line if self.node is not None else 0
        for step in path:
            if isinstance(node, Mapping):
                key = node.key(str(step))
                line = key.line if key is not None else line
                node = node.get(str(step))
            elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
                line = node.line
            else:
                break
        return line


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A file of cases."""

    path: str
    ruleset: str
    scenario: str
    cases: tuple[Case, ...]


def read_cases(
    path: Path, name: str | None = None, text: Callable[[Path], str | bytes] = read_bytes
) -> CaseFile:
    """Read a file of cases; :class:`CaseError` says all that is wrong with it and where.

    *text* gives what it holds, by default that on disk.
    """
    shown = name or str(path)
    try:
        content = text(path)
    except OSError as error:
        raise CaseError(
            said("{shown}: cannot be read ({reason})", shown=shown, reason=error.strerror)
        ) from None
    root, errors = read_tree(content, shown, FILE.required)
    findings = check_file(root, shown) if root is not None else errors
    if findings or not isinstance(root, Mapping):
        raise CaseError(join_with_sign("\n", map(_line, findings)), findings)
    cases = root.get("cases")
    assert isinstance(cases, Sequence)
    read_ones = tuple(Case(shown, node.line, plain(node), node) for node in cases.items)
    return CaseFile(shown, _text(root, "ruleset"), _text(root, "scenario"), read_ones)


def _text(root: Mapping, key: str) -> str:
    node = root.get(key)
    assert node is not None
    return str(plain(node))


def _line(finding: Finding) -> str:
    """A finding in a file of cases, on one line."""
    text = join_with_sign(": ", filter(None, (str(finding.place), finding.code, finding.message)))
    return join_with_sign("; ", filter(None, (text, finding.remedy)))
