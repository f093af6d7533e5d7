"""How a board and its pieces look: the optional file ``style.yaml`` in the folder of a ruleset.

Everything in it is optional; what it does not say has a plain look.  Settings of a base ruleset
hold as well, where the ruleset itself does not say otherwise.  ::

    background: "#a9c6d9"            # where there is no hex
    labels: "#8a8570"                # hex labels; none: not drawn
    hexes:                           # by field of Hex, then by value (yes and no for a bool);
                                     # later fields lie over earlier ones
      terrain:
        forest: {fill: "#b7cf9c", pattern: trees, ink: "#5c7f45", sign: f}
        city: {pattern: houses}
      objective: {yes: {rim: "#b03a2e"}}
    hexsides:                        # fields of Hex that are sets of hexes: lines along the sides
    to them
      rivers: {color: "#4a86c5", width: 4, label: river}
    borders:                         # lines between neighbours that differ in a field
      home: {color: "#b03a2e", width: 2, dash: "8 5"}
    ways:                            # lines through hexes: sets of hexes, or what is true of
    neighbours
      roads: {color: "#e9d9a6", width: 6, rim: "#a98a4e"}
    areas:                           # hexes alike in a field: an outline, and a name instead of
    labels
      region: {color: "#7a6a45"}
    sides: {red: {fill: "#c0392b", ink: white}} flags: holds                     # a field of Side
    that is a set of hexes: each shows the side's flag short:                           #
    abbreviations, by enum
      Type: {heavy_infantry: HI}
    pieces:                          # by kind
      Unit:
        shape: square                # or round
        size: 1.1                    # in hexsides
        fill: type.nation            # a field, call or column of an enum, whose colours stand in
                                     # `colors`; else the side's colour
        colors: {guard: "#333333"}
        label: "{type}"              # fields, columns and calls of the piece, or {name};
                                     # {name:3}: three letters of it
        figures: "{type.attack}-{type.move}"
        symbol: {by: type.arm, foot: cross, mounted: slash, guns: {glyph: dot, fill: black}}
        marks: {tired: {text: T, color: "#d68910"}}
        facing: {by: heading, at: side}
        cases:                       # other settings while fields have these values
          - {when: {face: back}, figures: "{type.weak}-{type.move}"} tray: "{box}"
            # pieces that are off the board stand in groups by this text panel: [score, hand,
            weather]    # what stands beside the board in play: fields, piles and calls of Side
                                     # and Game, ``score``, ``effects``, ``switches``; nothing else
                                     does
    header: [turn, weather]          # fields and calls of Game that stand above every question
    about:                           # by kind, what players are told of a piece: fields, columns,
    calls of it
      Unit: [type.attack, type.move, tired, in_supply]
    odds: [hits_back]                # outcomes that stand beside options also where chance comes
    before them

``docs/style.md`` tells what each key means; :mod:`grognard.draw.shape` finds what is wrong in a
file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dsl.diagnostics import did_you_mean
from grognard.draw.shape import GLYPHS, PATTERNS, findings_in
from runtime.data.findings import Finding
from runtime.data.reader import Node, as_text, parse
from runtime.files import read_text, unreadable
from runtime.model import RulesetSpec, TypeSpec

__all__ = ["FILE", "GLYPHS", "PATTERNS", "Style", "StyleError", "look_up", "mapping", "words_of"]

FILE: Final = "style.yaml"
_WHOLE = re.compile(r"-?\d{1,9}\Z", re.ASCII)


class StyleError(ValueError):
    """A style file cannot be used: what is wrong, and what can be done; the *finding* where it is
    no YAML.
    """

    def __init__(self, message: str, remedy: str = "", finding: Finding | None = None) -> None:
        super().__init__(message)
        self.remedy = remedy
        self.finding = finding


@dataclass(frozen=True)
class Style:
    """The settings of ``style.yaml``; without one, plain looks."""

    data: Mapping[str, Any] = field(default_factory=dict)
    name: str = FILE
    #: the files as trees that know their places, by the names shown to people
    trees: tuple[tuple[str, Node | None], ...] = field(default=(), repr=False, compare=False)
    #: the rulesets that it is known to fit
    _fits: list[RulesetSpec] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def read(cls, folders: Iterable[Path]) -> Style:
        """The style of a ruleset, whose own folder comes first and those of its bases after it.
        StyleError where a file has what can be seen to be wrong without knowing the ruleset.
        """
        style = cls.of(folders)
        _raise_first(style.findings(None))
        return style

    @classmethod
    def of(cls, folders: Iterable[Path]) -> Style:
        """The same, with whatever the files hold.  StyleError where they cannot be read."""
        merged: dict[str, Any] = {}
        trees: list[tuple[str, Node | None]] = []
        for folder in reversed(list(folders)):
            path = folder / FILE
            if not path.is_file():
                continue
            name = f"{folder.name}/{FILE}"
            try:
                text = read_text(path, within=folder)
            except (OSError, UnicodeDecodeError) as error:
                reason, remedy = unreadable(error)
                raise StyleError(f"{name} cannot be read: {reason}", remedy) from None
            tree, wrong = parse(text, name)
            for first in wrong[:1]:
                message = f"{name}, line {first.line}: {first.message}"
                raise StyleError(message, first.remedy, replace(first, code="V903"))
            trees.append((name, tree))
            data = as_text(tree)
            for key, value in data.items() if isinstance(data, dict) else ():
                old = merged.get(key)
                joined = isinstance(value, dict) and isinstance(old, dict)
                merged[key] = {**(old or {}), **value} if joined else value
        return cls(merged, trees[-1][0] if trees else FILE, tuple(trees))

    def part(self, *keys: str) -> Mapping[str, Any]:
        """A mapping inside the settings, empty when it is not there."""
        found: Any = self.data
        for key in keys:
            found = found.get(key, {}) if isinstance(found, Mapping) else {}
        return found if isinstance(found, Mapping) else {}

    def names(self, *keys: str) -> tuple[str, ...]:
        """A list of names inside the settings, empty when it is not there."""
        found = self.part(*keys[:-1]).get(keys[-1], ())
        return tuple(found) if isinstance(found, list) else ()

    def findings(self, spec: RulesetSpec | None) -> list[Finding]:
        """What is wrong with the files, for a ruleset; without one, what they tell alone."""
        return [found for name, tree in self.trees for found in findings_in(tree, name, spec)]

    def check_names(self, spec: RulesetSpec) -> None:
        """Make sure that fields, members and kinds are those of the ruleset.  StyleError."""
        if all(known is not spec for known in self._fits):
            _raise_first(self.findings(spec))
            self._fits.append(spec)


def _raise_first(findings: Iterable[Finding]) -> None:
    for found in findings:
        if found.is_error:
            raise StyleError(f"{found.file}, line {found.line}: {found.message}", found.remedy)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """*value*, which must be a mapping.  StyleError."""
    if not isinstance(value, Mapping):
        raise StyleError(f"{where}: a mapping is wanted", "write {key: value}")
    return value


def look_up(name: str, table: Mapping[str, Any], what: str, where: str) -> Any:
    """What *table* holds under a name.  StyleError, with the names that are alike."""
    if name not in table:
        raise StyleError(
            f"{where}: there is no {what} '{name}'",
            did_you_mean(name, table) or f"known: {', '.join(table)}",
        )
    return table[name]


def words_of(spec: RulesetSpec, type_: TypeSpec, looks: Iterable[str] = ()) -> dict[str, int]:
    """The values of a field as they are written, with their numbers; of numbers those that have
    *looks*.
    """
    inner = type_.of if type_.kind == "set" and type_.of is not None else type_
    if inner.kind == "enum":
        return {
            word: number
            for number, word in enumerate(
                spec.enums.get(inner.name, spec.sides if inner.name == "Side" else ())
            )
        }
    if inner.kind == "int":
        return {word: int(word) for word in looks if _WHOLE.match(word)}
    return {"yes": 1, "no": 0} if inner.kind == "bool" else {}
