"""Words for values: the stable texts of options, and the notes of the log.

The text of an option is made of identifiers and the names of the set-up (``move red1``, ``to B4``); it is
what records hold and does not depend on a language.  Notes are worded by the ruleset's catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from runtime.bitsets import bits
from runtime.model import MASK, NONE, PASS, SECOND, RulesetSpec, TypeSpec, branch_of
from runtime.scenario.setup import PieceSetUp, SetUp
from runtime.state import Told

#: An argument of a text, perhaps in a case or with forms: ``{0}``, ``{0/gen}``, ``{0: 1 once | # times}``.
ARGUMENT: Final = re.compile(r"\{(\w+)(?:/(\w+))?(?::([^{}]*))?\}")
#: A form for a number or a range of them, and one for numbers with a fraction.
_FORM = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?\s+(.*)", re.DOTALL)
_BROKEN, _FRACTION = re.compile(r"\.\s+(.*)", re.DOTALL), re.compile(r"\d+[.,]\d+")
#: What begins like a form for numbers.
_BEGUN = re.compile(r"\d+(?:-\d+)?(?:\s.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a decision.

    *value* is what the program is answered with, *text* the stable form: the branch's *word* and the
    value.  *kind* says what the value is (``int bool enum piece hex``, ``""`` for an option without a
    value, ``pass``), *index* is the value itself (a number, or the index of a member, piece or hex).
    Where a pair is chosen, *second_kind* and *second* are the same of its second value.
    """

    value: int
    text: str
    word: str
    kind: str
    index: int
    second_kind: str = ""
    second: int = NONE

    @property
    def passes(self) -> bool:
        """Whether this is the option that passes."""
        return self.value == PASS

    def __str__(self) -> str:
        return self.text


#: A name that a set-up makes of a member and a number, behind the prefix of the list.
_NUMBERED = re.compile(r"(?:[^.]+\.)?(\w*[^\W\d])(\d+)")


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the things that a question is about.

    *kind* is that of its type (``int bool enum piece hex set roll``), *value* the value itself: a number, an
    index, a mask for a set, a tuple for a roll; *text* is its stable form, the names of a set or roll one
    after another.
    """

    kind: str
    value: Any
    text: str

    def __str__(self) -> str:
        return self.text


def wording_for(spec: RulesetSpec, setup: SetUp, language: str = "en") -> Wording:
    """The wording of a set-up's games, kept with the set-up: its games share the texts that were made."""
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
    _options: dict[tuple[int, int], Option] = field(default_factory=dict, repr=False)
    _called: dict[str, str] = field(default_factory=dict, repr=False)
    _families: dict[str, tuple[PieceSetUp, ...]] = field(default_factory=dict, repr=False)

    def text(self, key: str, default: str | None = None) -> str:
        """The catalogue's wording for *key* in the language of the game; see :meth:`RulesetSpec.text`."""
        return self.spec.text(key, self.language, default)

    def called(self, name: str, case: str = "") -> str:
        """A name that a set-up or a board gives, in the language of the game: the text ``name.<name>``, else
        what ``<Enum>.<member>/name`` makes of a number where a set-up has numbered pieces of a sort
        (``S.riders2``), else the name itself; in a *case* the text ``name.<name>/<case>`` where there is one.
        """
        plain = self.text(f"name.{name}", default="") or self._numbered(name)
        return self.text(f"name.{name}/{case}", default=plain) if case else plain

    def _numbered(self, name: str) -> str:
        """A name that consists of a member and a number, in words where there are some for it."""
        if name not in self._called:
            found = _NUMBERED.fullmatch(name)
            member, number = found.groups() if found is not None else ("", "")
            enums = (enum for enum, members in self.spec.enums.items() if member and member in members)
            templates = (self.text(f"{enum}.{member}/name", default="") for enum in enums)
            template = next(filter(None, templates), "")
            self._called[name] = filled(template, (number,)) if template else name
        return self._called[name]

    # ------------------------------------------------------------------ stable texts

    def name(self, type_: TypeSpec, value: int) -> str:
        """The stable name of a value: piece name, hex label, member name, number, ``yes`` or ``no``."""
        if type_.kind == "bool":
            return "yes" if value else "no"
        if value == NONE and type_.kind in ("enum", "piece", "hex"):
            return "none"
        if type_.kind == "enum":
            return self.spec.enums[type_.name][value]
        if type_.kind == "piece":
            return self._pieces(type_.name)[value].name
        if type_.kind == "hex":
            return self.spec.board.labels[value]
        return str(value)

    def _pieces(self, name: str) -> tuple[PieceSetUp, ...]:
        """The pieces of a kind or a parent."""
        found = self.setup.pieces.get(name) if name not in self.spec.parents else self._families.get(name)
        if found is None:
            found = self._families[name] = self.setup.pieces_of(self.spec.kinds_of(name))
        return found

    def subjects(self, point: int, about: tuple[Any, ...]) -> tuple[Subject, ...]:
        """What the question of the decision *point* is about, when the values are *about*."""
        types = self.spec.decisions[point].about
        return tuple(
            Subject(t.kind, value, self._stable(t, value)) for t, value in zip(types, about, strict=False)
        )

    def _stable(self, type_: TypeSpec, value: Any) -> str:
        if type_.of is None:
            return self.name(type_, int(value))
        return " ".join(self.name(type_.of, v) for v in (value if type_.kind == "roll" else bits(value)))

    def option(self, point: int, value: int) -> Option:
        """The option *value* of the decision *point*."""
        found = self._options.get((point, value))
        if found is None:
            found = self._options[point, value] = self._make(point, value)
        return found

    def _make(self, point: int, value: int) -> Option:
        decision = self.spec.decisions[point]
        if value == PASS:
            word = decision.passing or "pass"
            return Option(value, word, word, "pass", NONE)
        branch = decision.options[branch_of(value)]
        if branch.value is None:
            return Option(value, branch.word, branch.word, "", 0)
        index = value & MASK
        text = f"{branch.word} {self.name(branch.value, index)}"
        if branch.second is None:
            return Option(value, text, branch.word, branch.value.kind, index)
        second = value >> SECOND
        text = f"{text} {self.name(branch.second, second)}"
        return Option(value, text, branch.word, branch.value.kind, index, branch.second.kind, second)

    def prompt(self, point: int, about: tuple[Any, ...] = ()) -> str:
        """What is asked: the catalogue's wording, or the prompt's name and its arguments."""
        decision = self.spec.decisions[point]
        template = self.spec.text(f"prompt.{decision.prompt}", self.language, default="")
        if not template:
            words = [self.word(type_, value) for type_, value in zip(decision.about, about, strict=False)]
            return " ".join([decision.prompt.replace("_", " "), *words]) + "?"
        return self.put(template, decision.about, about)

    def put(self, template: str, types: Sequence[TypeSpec], values: Sequence[Any]) -> str:
        """A text with values of the given types put in, in the cases that it asks for."""
        words = [self.word(type_, value) for type_, value in zip(types, values, strict=False)]
        words += [str(value) for value in values[len(words) :]]

        def inflected(number: int, case: str) -> str:
            return self.word(types[number], values[number], case) if number < len(types) else words[number]

        return filled(template, words, inflected)

    # ------------------------------------------------------------------ the log

    def note(self, entry: tuple[Any, ...]) -> str:
        """A note as a sentence: the catalogue's wording, or the note's name and its arguments."""
        number, *values = entry
        if values and isinstance(values[-1], Told):
            values.pop()
        name = self.spec.notes[number]
        types = self.spec.note_types[number] if number < len(self.spec.note_types) else ()
        template = self.spec.text(f"note.{name}", self.language, default="")
        if not template:
            template = " ".join([name.replace("_", " "), *(f"{{{i}}}" for i in range(len(values)))])
        return self.put(template, types, values)

    @staticmethod
    def tells(entry: tuple[Any, ...], side: int) -> bool:
        """Whether a note is for *side*, or for all; NONE is somebody who sees what all see."""
        told = entry[-1] if len(entry) > 1 else None
        return not isinstance(told, Told) or (side >= 0 and bool(told >> side & 1))

    def word(self, type_: TypeSpec, value: Any, case: str = "") -> str:
        """A value in the words of the catalogue; in a *case* where that has it (``<key>/<case>``)."""
        if type_.kind == "roll":
            return ", ".join(self._member(type_.of, v, case) for v in value) or self._none()
        if type_.kind == "set":
            return ", ".join(self._member(type_.of, v, case) for v in bits(value)) or self._none()
        return self._member(type_, int(value), case)

    def _member(self, type_: TypeSpec | None, value: int, case: str) -> str:
        if type_ is None:
            return str(value)
        if type_.kind == "bool":
            return self.spec.text("bool.yes" if value else "bool.no", self.language)
        if value == NONE and type_.kind in ("enum", "piece", "hex", "none"):
            return self._none()
        if type_.kind == "enum":
            return self.member(type_.name, value, case)
        if type_.kind == "hex":
            return self.place(value, case)
        name = self.name(type_, value)
        return self.called(name, case) if type_.kind == "piece" else name

    def member(self, enum: str, value: int, case: str = "") -> str:
        """A member in the words of the catalogue; a side as the set-up calls it."""
        if enum == "Side" and value < len(self.setup.sides) and self.setup.sides[value].name:
            return self.called(self.setup.sides[value].name, case)
        key = f"{enum}.{self.spec.enums[enum][value]}"
        plain = self.spec.text(key, self.language)
        return self.spec.text(f"{key}/{case}", self.language, default=plain) if case else plain

    def place(self, h: int, case: str = "") -> str:
        """A hex in words: its label and, where it has one, its name."""
        board = self.spec.board
        return (
            f"{board.labels[h]} {self.called(board.names[h], case)}" if h in board.names else board.labels[h]
        )

    def _none(self) -> str:
        return self.spec.text("none", self.language, default="–")


def filled(
    template: str,
    words: Sequence[str] | Mapping[str, str],
    inflected: Callable[[int, str], str] | None = None,
) -> str:
    """A wording with its arguments put in; an argument that is not there stays as it is written.

    ``{0: 1 one card | 2-4 # cards | # cards}`` has forms for numbers and, last, for all else, ``. # of a
    card`` among them one for fractions; ``{0/gen}`` asks *inflected* for the argument in a case.
    """

    def put(found: re.Match[str]) -> str:
        if isinstance(words, Mapping):
            word = words.get(found[1])
        else:
            word = words[int(found[1])] if found[1].isdecimal() and int(found[1]) < len(words) else None
        if word is None:
            return found[0]
        if found[2] is not None and inflected is not None:
            word = inflected(int(found[1]), found[2])
        return word if found[3] is None else _formed(found[3], word)

    return ARGUMENT.sub(put, template)


def formless(forms: str) -> str:
    """The first of the *forms* of an argument that is for no value: a number without words, with too many
    digits, or a range that ends before it begins; nothing where there is none.
    """
    for part in (part.strip() for part in forms.split("|")):
        form = _FORM.match(part)
        if _BEGUN.fullmatch(part) and (form is None or int(form[2] or form[1]) < int(form[1])):
            return part
    return ""


def _formed(forms: str, word: str) -> str:
    """The form that goes with a value; ``#`` in it is the value."""
    parts = [part.strip() for part in forms.split("|")]
    for part in parts:
        form, broken = _FORM.match(part), _BROKEN.match(part)
        if broken is not None:
            if _FRACTION.fullmatch(word):
                return broken[1].replace("#", word)
            continue
        if form is None:
            return part.replace("#", word)
        least, most = int(form[1]), int(form[2] or form[1])
        if word.isdecimal() and least <= int(word) <= most:
            return form[3].replace("#", word)
    return word
