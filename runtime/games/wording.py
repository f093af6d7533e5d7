"""Words for values, questions and the notes of the log, from the ruleset's catalogue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from runtime.bitsets import bits
from runtime.games.names import Names
from runtime.model import NONE, RulesetSpec, TypeSpec
from runtime.scenario.setup import SetUp
from runtime.state import Told
from runtime.words.said import fill_wording

#: A name that a set-up makes of a member and a number, behind the prefix of the list.
_NUMBERED = re.compile(r"(?:[^.]+\.)?(\w*[^\W\d])(\d+)")


def wording_for(spec: RulesetSpec, setup: SetUp, language: str = "en") -> Wording:
    """The wording of a set-up's games, kept with the set-up: its games share the texts that were
    made.
    """
    kept: dict[tuple[str, str, str], Wording] = setup.__dict__.setdefault("_wordings", {})
    key = (spec.name, spec.hash, language)
    if key not in kept:
        kept[key] = Wording(spec, setup, language)
    return kept[key]


@dataclass
class Wording:
    """Words the values of one game.  Pieces are named by the set-up."""

    spec: RulesetSpec
    setup: SetUp
    language: str = "en"
    names: Names = field(init=False, repr=False)
    _called: dict[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.names = Names(self.spec, self.setup)

    def text(self, key: str, default: str | None = None) -> str:
        """The catalogue's wording for *key* in the language of the game; see
        :meth:`RulesetSpec.text`.
        """
        return self.spec.text(key, self.language, default)

    def display_name(self, name: str, case: str = "") -> str:
        """A name that a set-up or a board gives, in the language of the game: the text
        ``name.<name>``, else what ``<Enum>.<member>/name`` makes of a number where a set-up has
        numbered pieces of a sort (``S.riders2``), else the name itself; in a *case* the text
        ``name.<name>/<case>`` where there is one.
        """
        plain = self.text(f"name.{name}", default="") or self._numbered_name(name)
        return self.text(f"name.{name}/{case}", default=plain) if case else plain

    def _numbered_name(self, name: str) -> str:
        """A name that consists of a member and a number, in words where there are some for it."""
        if name not in self._called:
            match = _NUMBERED.fullmatch(name)
            member, number = match.groups() if match is not None else ("", "")
            enums = (enum for enum, members in self.spec.enums.items() if member in members)
            templates = (self.text(f"{enum}.{member}/name", default="") for enum in enums)
            template = next(filter(None, templates), "")
            self._called[name] = fill_wording(template, (number,)) if template else name
        return self._called[name]

    # ------------------------------------------------------------------ questions and notes

    def prompt(self, point: int, about: tuple[Any, ...] = ()) -> str:
        """What is asked: the catalogue's wording, or the prompt's name and its arguments."""
        decision = self.spec.decisions[point]
        template = self.text(f"prompt.{decision.prompt}", default="")
        if not template:
            count = min(len(decision.about), len(about))
            template = f"{_plainly(decision.prompt, count)}?"
        return self.fill_template(template, decision.about, about)

    def fill_template(self, template: str, types: Sequence[TypeSpec], values: Sequence[Any]) -> str:
        """A text with values of the given types put in, in the cases that it asks for."""
        words = [self.word(type_, value) for type_, value in zip(types, values, strict=False)]
        words += map(str, values[len(words) :])

        def inflected(place: str, case: str) -> str:
            number = int(place)
            if number >= len(types):
                return words[number]
            return self.word(types[number], values[number], case)

        return fill_wording(template, words, inflected)

    def note(self, entry: tuple[Any, ...]) -> str:
        """A note as a sentence: the catalogue's wording, or the note's name and its arguments."""
        number, *values = entry
        if values and isinstance(values[-1], Told):
            values.pop()
        name = self.spec.notes[number]
        types = self.spec.note_types[number] if number < len(self.spec.note_types) else ()
        template = self.text(f"note.{name}", default="") or _plainly(name, len(values))
        return self.fill_template(template, types, values)

    @staticmethod
    def tells(entry: tuple[Any, ...], side: int) -> bool:
        """Whether a note is for *side*, or for all; NONE is somebody who sees what all see."""
        sides = entry[-1] if len(entry) > 1 else None
        return not isinstance(sides, Told) or (side >= 0 and bool(sides >> side & 1))

    def word(self, type_: TypeSpec, value: Any, case: str = "") -> str:
        """A value in the words of the catalogue, in a *case* where that has ``<key>/<case>``."""
        if type_.kind in ("set", "roll"):
            of, values = type_.of, bits(value) if type_.kind == "set" else value
            words = (str(v) if of is None else self.word(of, v, case) for v in values)
            return ", ".join(words) or self.text("none", default="–")
        if type_.kind == "bool":
            return self.text("bool.yes" if value else "bool.no")
        if value == NONE and type_.kind in ("enum", "piece", "hex", "none"):
            return self.text("none", default="–")
        if type_.kind == "enum":
            return self.member(type_.name, value, case)
        if type_.kind == "hex":
            return self.place(value, case)
        name = self.names.name(type_, int(value))
        return self.display_name(name, case) if type_.kind == "piece" else name

    def member(self, enum: str, value: int, case: str = "") -> str:
        """A member in the words of the catalogue; a side as the set-up calls it."""
        if enum == "Side" and value < len(self.setup.sides) and self.setup.sides[value].name:
            return self.display_name(self.setup.sides[value].name, case)
        key = f"{enum}.{self.spec.enums[enum][value]}"
        plain = self.text(key)
        return self.text(f"{key}/{case}", default=plain) if case else plain

    def place(self, h: int, case: str = "") -> str:
        """A hex in words: its label and, where it has one, its name."""
        board = self.spec.board
        name = f" {self.display_name(board.names[h], case)}" if h in board.names else ""
        return f"{board.labels[h]}{name}"


def _plainly(name: str, count: int) -> str:
    """The template of what has none: its name and its arguments."""
    return " ".join([name.replace("_", " "), *(f"{{{i}}}" for i in range(count))])
