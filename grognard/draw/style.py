"""How a board and its pieces look: the optional file ``style.yaml`` in the folder of a ruleset.

Everything in it is optional; what it does not say has a plain look.  Settings of a base ruleset
hold as well, where the ruleset itself does not say otherwise.  ``docs/style.md`` tells what each
key means; :mod:`grognard.draw.style_shape` finds what is wrong in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from grognard.draw.art import Art
from grognard.draw.style_shape import findings_in
from runtime.data.findings import Finding
from runtime.data.reader import Node, as_text, parse
from runtime.errors import ArgumentError
from runtime.files import read_text, unreadable
from runtime.model import RulesetSpec
from runtime.words.said import said

if TYPE_CHECKING:
    from compiler.sources.files import Files

FILE: Final = "style.yaml"


class StyleError(ArgumentError):
    """A style file cannot be used: what is wrong, and what can be done; the *finding* where it is
    no YAML.
    """

    def __init__(self, message: str, remedy: str = "", finding: Finding | None = None) -> None:
        super().__init__(message, remedy)
        self.finding = finding


@dataclass(frozen=True)
class Style:
    """The settings of ``style.yaml``; without one, plain looks."""

    data: Mapping[str, Any] = field(default_factory=dict)
    #: the files as trees that know their places, by the names shown to people
    trees: tuple[tuple[str, Node | None], ...] = field(default=(), repr=False, compare=False)
    #: pictures of a player's own
    art: Art | None = None
    #: the rulesets that it is known to fit
    _fits: list[RulesetSpec] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def read(cls, folders: Iterable[Path], files: Files | None = None) -> Style:
        """The style of a ruleset, whose own folder comes first and those of its bases after it, by
        what is on disk or *files*.  StyleError where a file has what can be seen to be wrong
        without knowing the ruleset.
        """
        style = cls.of(folders, files)
        _raise_first(style.findings(None))
        return style

    @classmethod
    def of(cls, folders: Iterable[Path], files: Files | None = None) -> Style:
        """The same, with whatever the files hold.  StyleError where they cannot be read."""
        merged: dict[str, Any] = {}
        trees: list[tuple[str, Node | None]] = []
        for folder in reversed(list(folders)):
            path = folder / FILE
            if not (path.is_file() if files is None else files.has(folder, path)):
                continue
            name = f"{folder.name}/{FILE}"
            try:
                read = read_text(path, within=folder) if files is None else files.text(folder, path)
            except (OSError, UnicodeDecodeError) as error:
                reason, remedy = unreadable(error)
                raise StyleError(
                    said("{name} cannot be read: {reason}", name=name, reason=reason), remedy
                ) from None
            tree, wrong = parse(read, name)
            for first in wrong[:1]:
                message = said(
                    "{name}, line {line}: {message}",
                    name=name,
                    line=first.line,
                    message=first.message,
                )
                raise StyleError(message, first.remedy, replace(first, code="V903"))
            trees.append((name, tree))
            data = as_text(tree)
            for key, value in data.items() if isinstance(data, dict) else ():
                old = merged.get(key)
                joined = isinstance(value, dict) and isinstance(old, dict)
                merged[key] = {**(old or {}), **value} if joined else value
        return cls(merged, tuple(trees))

    def part(self, *keys: str) -> Mapping[str, Any]:
        """A mapping inside the settings, empty when it is not there."""
        part: Any = self.data
        for key in keys:
            part = part.get(key, {}) if isinstance(part, Mapping) else {}
        return part if isinstance(part, Mapping) else {}

    def names(self, *keys: str) -> tuple[str, ...]:
        """A list of names inside the settings, empty when it is not there."""
        names = self.part(*keys[:-1]).get(keys[-1], ())
        return tuple(names) if isinstance(names, list) else ()

    def findings(self, spec: RulesetSpec | None) -> list[Finding]:
        """What is wrong with the files, for a ruleset; without one, what they tell alone."""
        return [one for name, tree in self.trees for one in findings_in(tree, name, spec)]

    def check_names(self, spec: RulesetSpec) -> None:
        """Make sure that fields, members and kinds are those of the ruleset.  StyleError."""
        if all(known is not spec for known in self._fits):
            _raise_first(self.findings(spec))
            if self.art is not None:
                self.art.check_names(spec)
            self._fits.append(spec)


def _raise_first(findings: Iterable[Finding]) -> None:
    for one in findings:
        if one.is_error:
            raise StyleError(
                said(
                    "{file}, line {line}: {message}",
                    file=one.file,
                    line=one.line,
                    message=one.message,
                ),
                one.remedy,
            )
