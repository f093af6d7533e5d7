"""Cases as examples: what is given, what is done, what must come of it, with a picture."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias
from xml.etree import ElementTree

from markupsafe import Markup, escape

from grognard import places
from grognard.book.naming import NOTHING, Naming, cited_in
from grognard.book.phrases import TOLD
from grognard.cases.file import Case, CaseError, CaseFile
from grognard.cases.positions import set_up, standing
from grognard.cases.suite import UnreadFile, case_files, read_files
from grognard.cases.words import CaseWords
from grognard.draw.picture import Picture
from grognard.draw.style import Style
from grognard.draw.svg import HEXSIDE, Drawing
from runtime.board import Board
from runtime.data.reader import plain, read_file
from runtime.games.game import Game
from runtime.games.wording import wording_for
from runtime.program import CompiledProgram
from runtime.state import RulesetFault

#: How many sides of hexes around what a case names are drawn.
_AROUND: Final = 1.6
_SVG: Final = "http://www.w3.org/2000/svg"
#: Where an element of a drawing lies.
_PLACE: Final = re.compile(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)")
#: A path of straight strokes, and the points on it.
_STROKES: Final = re.compile(r"(?:M[-\d.,]+(?:L[-\d.,]+)+)+")
_POINT: Final = re.compile(r"(-?[\d.]+),(-?[\d.]+)")
_Box: TypeAlias = tuple[float, float, float, float]
#: A call as cases write it.
_CALL: Final = re.compile(r"(\w+)\((.*)\)$", re.DOTALL)


@dataclass
class Example:
    """A case as an example: what is *given* beside the *picture*, *done*, and comes of it."""

    name: str
    rules: tuple[str, ...]
    notes: Markup = NOTHING
    picture: str = ""
    width: int = 0
    given: list[Markup] = field(default_factory=list)
    done: list[Markup] = field(default_factory=list)
    then: list[Markup] = field(default_factory=list)


def files_of(paths: Iterable[Path]) -> list[CaseFile]:
    """The files of cases at some places; those that cannot be read are left out, as ``grognard
    test`` tells what is wrong with them.
    """
    read = (one for path in paths for _, one in read_files(case_files([path])))
    return [one for one in read if not isinstance(one, UnreadFile)]


class Illustrations:
    """Makes examples of the cases of one ruleset."""

    def __init__(self, naming: Naming, program: CompiledProgram, style: Style) -> None:
        self.naming, self.say = naming, naming.say
        self.program, self.style = program, style
        self._scenarios: dict[str, Mapping[str, Any]] = {}

    def of(self, case: Case, scenario: str) -> Example:
        """A case as an example; without a picture where it has no position of its own."""
        data = case.data
        notes = " ".join(str(data[key]) for key in ("note",) if data.get(key))
        shown = cited_in(notes, self.naming.rules.index) if self.naming.language == "en" else ""
        example = Example(case.name, case.rules, Markup(shown))
        game = self._game(data, scenario)
        if game is not None and data.get("position"):
            example.picture, example.width = self._board_image(game, data)
        example.given = list(self._position_lines(data, game))
        example.done = list(self._action_lines(data))
        example.then = list(self._expectation_lines(data.get("expect") or {}))
        return example

    def _game(self, data: Mapping[str, Any], scenario: str) -> Game | None:
        """The position of a case; None where it cannot be set up, which ``grognard test`` tells."""
        if scenario not in self._scenarios:
            root, _ = read_file(places.scenario_path(scenario), scenario)
            self._scenarios[scenario] = plain(root) if root is not None else {}
        try:
            setup = set_up(data, self._scenarios[scenario], self.program.spec)
            program = self.program.on(setup.board)
            words = CaseWords(program.spec, setup)
            beside = {key: value for key, value in data.items() if key != "dice"}
            return standing(program, setup, beside, words, self.naming.language)
        except (CaseError, RulesetFault, ValueError):
            return None

    # ------------------------------------------------------------------ the picture

    def _board_image(self, game: Game, data: Mapping[str, Any]) -> tuple[str, int]:
        """The part of the board that a case is about, as an address of data, and how wide."""
        state, setup, spec = game.state, game.setup, game.spec
        wording = wording_for(spec, setup, self.naming.language)
        value = self.program.value
        drawing = Drawing(Picture(spec, setup, state, self.style, None, value, wording))
        placed, _ = drawing.picture.tokens()
        hexes = [*placed, *_named_hexes(spec.board, data)]
        if not hexes:
            return "", 0
        return cropped_image(drawing, hexes)

    # ------------------------------------------------------------------ the words

    def _position_lines(self, data: Mapping[str, Any], game: Game | None) -> Iterator[Markup]:
        for name, on in (data.get("switches") or {}).items():
            phrase = TOLD["switched_on"] if on else TOLD["switched_off"]
            yield self.say(phrase, name=self.naming.switch(str(name)))
        for key, value in (data.get("fields") or {}).items():
            yield self._field(str(key), value)
        for key, cards in (data.get("piles") or {}).items():
            yield self._pile(str(key), cards)
        if data.get("effects"):
            names = (self._plain(str(one)) for one in data["effects"])
            yield self.say(TOLD["in_force"], names=", ".join(names))
        dice = data.get("dice")
        if dice:
            yield self.say(TOLD["dice"], dice=self._dice(dice))
        if not data.get("position") and game is not None:
            yield escape(game.setup.title)

    def _dice(self, dice: Any) -> str:
        if isinstance(dice, dict):
            return "; ".join(f"{self._plain(str(k))} {self._dice(v)}" for k, v in dice.items())
        if isinstance(dice, list):
            return ", ".join(self._dice(one) for one in dice if one != "end") or "–"
        return self._word(dice)

    def _field(self, key: str, value: Any) -> Markup:
        """A value of a thing: *foe – blocks: 2*."""
        owner, _, name = key.rpartition(".")
        base, _, member = name.partition("[")
        shown = self.naming.attribute(base)
        if member:
            shown += f" ({self._word(member.rstrip(']'))})"
        what = f"{self._word(owner)} – {shown}" if owner else shown
        return self.say(TOLD["is"], what=what, value=self._word(value))

    def _pile(self, key: str, cards: Any) -> Markup:
        name, _, side = key.partition("[")
        shown = self.naming.text(f"pile.{name}", name.replace("_", " "))
        cards = self._word(cards) or "–"
        if side:
            who = self._word(side.rstrip("]"))
            return self.say(TOLD["pile_of"], pile=shown, side=who, cards=cards)
        return self.say(TOLD["pile"], pile=shown, cards=cards)

    def _word(self, value: Any) -> str:
        """A value that a case gives, in words."""
        naming = self.naming
        if isinstance(value, bool):
            return naming.words("yes") if value else naming.words("no")
        if isinstance(value, list):
            return ", ".join(self._word(one) for one in value)
        if isinstance(value, dict):
            return "; ".join(f"{self._plain(str(k))}: {self._word(v)}" for k, v in value.items())
        text = str(value)
        if text == "none":
            return "–"
        enum = naming.enum_of(text)
        return naming.member(enum, text) if enum else text

    def _plain(self, text: str) -> str:
        """What a case calls by names of the sources, in words."""
        match = _CALL.match(text)
        if match is None:
            return self._word(text).replace("_", " ")
        args = ", ".join(self._word(one.strip()) for one in match[2].split(","))
        return f"{self.naming.call(match[1])} ({args})" if args else self.naming.call(match[1])

    def _option(self, text: str) -> str:
        """An option as cases write it: a word, and what it takes."""
        word, *values = text.split()
        known = self.naming.own_text(f"option.{word}") or self.naming.own_text(f"pass.{word}")
        head = " ".join(re.sub(r"\{[^{}]*\}", " ", known).split()) or word.replace("_", " ")
        return " ".join([head, *(self._word(one) for one in values)])

    def _options(self, given: Any) -> str:
        options = given if isinstance(given, list) else [given]
        return "; ".join(self._option(str(one)) for one in options) or "–"

    def _action_lines(self, data: Mapping[str, Any]) -> Iterator[Markup]:
        run = data.get("run")
        if run is not None and str(run).strip() != "nothing":
            yield escape(self._plain(str(run)))
        for action in data.get("actions") or ():
            if not isinstance(action, dict):
                yield escape(self._option(str(action)))
            elif "expect" in action:
                for line in self._expectation_lines(action["expect"]):
                    yield Markup("→ ") + line
            elif "run" in action:
                yield escape(self._plain(str(action["run"])))
            elif "do" in action:
                option, side = self._option(str(action["do"])), self._word(action.get("by", ""))
                yield self.say(TOLD["by_side"], side=side, option=option)

    def _expectation_lines(self, wanted: Mapping[str, Any]) -> Iterator[Markup]:
        for key, value in wanted.items():
            tell = getattr(self, f"_expect_{key}", None)
            if tell is not None:
                yield from tell(value)

    def _expect_fields(self, value: Mapping[str, Any]) -> Iterator[Markup]:
        yield from (self._field(str(k), v) for k, v in value.items())

    def _expect_decision(self, value: Any) -> Iterator[Markup]:
        if not isinstance(value, dict):
            yield self.say(TOLD["no_question"])
            return
        prompt = str(value.get("prompt", ""))
        question = self.naming.own_text(f"prompt.{prompt}")
        question = "" if "{" in question else question or prompt.replace("_", " ")
        side = self._word(value["side"]) if "side" in value else ""
        if side and question:
            yield self.say(TOLD["asked_what"], side=side, question=question)
        elif side:
            yield self.say(TOLD["asked"], side=side)
        elif question:
            yield self.say(TOLD["question"], question=question)

    def _expect_offered(self, value: Any) -> Iterator[Markup]:
        yield self.say(TOLD["offered"], options=self._options(value))

    def _expect_not_offered(self, value: Any) -> Iterator[Markup]:
        yield self.say(TOLD["not_offered"], options=self._options(value))

    def _expect_options(self, value: Any) -> Iterator[Markup]:
        if value:
            yield self.say(TOLD["options"], options=self._options(value))

    def _expect_taken(self, value: Any) -> Iterator[Markup]:
        if value:
            yield self.say(TOLD["taken"], options=self._options(value))

    def _expect_values(self, value: Mapping[str, Any]) -> Iterator[Markup]:
        for call, what in value.items():
            shown = what.get("is", "") if isinstance(what, dict) else what
            if shown != "":
                yield self.say(TOLD["is"], what=self._plain(str(call)), value=self._word(shown))

    def _expect_refused(self, value: Mapping[str, Any]) -> Iterator[Markup]:
        for call, by in value.items():
            match = _CALL.match(str(call))
            if match is None:
                continue
            args = ", ".join(self._word(one.strip()) for one in match[2].split(","))
            reason = str(by.get("by", "") if isinstance(by, dict) else by)
            parts = {"call": self.naming.call(match[1]), "args": args}
            why = self.naming.own_text(f"why.{reason}") or reason.replace("_", " ")
            if not reason:
                yield self.say(TOLD["refused"], **parts)
            else:
                told = cited_in(why, self.naming.rules.index)
                yield self.say(TOLD["refused_by"], **parts, by=told)

    def _expect_piles(self, value: Mapping[str, Any]) -> Iterator[Markup]:
        yield from (self._pile(str(k), v) for k, v in value.items())

    def _expect_over(self, value: Any) -> Iterator[Markup]:
        yield self.say(TOLD["over"] if value else TOLD["goes_on"])

    def _expect_winner(self, value: Any) -> Iterator[Markup]:
        yield self.say(TOLD["winner"], side=self._word(value))

    def _expect_log(self, value: Any) -> Iterator[Markup]:
        if self.naming.language == "en":
            for text in (
                value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
            ):
                yield self.say(TOLD["noted"], text=str(text))


def _named_hexes(board: Board, data: Mapping[str, Any]) -> Iterator[int]:
    """The hexes that a case names in its actions and hexes."""
    said = [*map(str, (data.get("position") or {}).get("hexes") or ())]
    said += [word for one in data.get("actions") or () for word in str(one).split()]
    for word in said:
        if word in board.labels:
            yield board.labels.index(word)


def cropped_image(drawing: Drawing, hexes: Iterable[int]) -> tuple[str, int]:
    """What lies around some hexes of a drawing, as an address of data, and how wide it is."""
    placed, _ = drawing.picture.tokens()
    points = [drawing.center(h) for h in hexes]
    margin = _AROUND * HEXSIDE
    left, top = min(x for x, _ in points) - margin, min(y for _, y in points) - margin
    right, bottom = max(x for x, _ in points) + margin, max(y for _, y in points) + margin
    left, top = max(left, -10.0), max(top, -10.0)
    right, bottom = min(right, drawing.width + 10), min(bottom, drawing.height + 10)
    board = "\n".join(drawing.draw_board(placed))
    ElementTree.register_namespace("", _SVG)
    defs = "\n".join(drawing.defs())
    root = ElementTree.fromstring(f'<svg xmlns="{_SVG}"><defs>{defs}</defs>{board}</svg>')
    _clear(root, (left - HEXSIDE, top - HEXSIDE, right + HEXSIDE, bottom + HEXSIDE))
    width, height = right - left, bottom - top
    root.set("viewBox", f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}")
    root.set("width", f"{width:.0f}")
    root.set("height", f"{height:.0f}")
    root.set("font-family", "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif")
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = None
    document = ElementTree.tostring(root)
    return "data:image/svg+xml;base64," + b64encode(document).decode("ascii"), round(width)


def _clear(root: ElementTree.Element, box: _Box) -> None:
    """Take out of a drawing what lies outside of a box, and what is defined and not used."""
    ahead = list(root)[1:]
    parents = dict.fromkeys(ahead, root)
    while ahead:
        element = ahead.pop()
        if _outside(element, box):
            parents[element].remove(element)
        elif element.tag == f"{{{_SVG}}}path" and _STROKES.fullmatch(element.get("d", "")):
            strokes = re.findall("M[^M]*", element.get("d", ""))
            near = (one for one in strokes if any(_inside(at, box) for at in _POINT.findall(one)))
            element.set("d", "".join(near))
        elif element.tag == f"{{{_SVG}}}g" and element.get("transform") is None:
            parents |= dict.fromkeys(element, element)
            ahead += element
    used = {element.get("href", "").removeprefix("#") for element in root.iter()}
    for defined in list(root[0]):
        if defined.get("id") not in used:
            root[0].remove(defined)


def _inside(place: tuple[str, ...], box: _Box) -> bool:
    x, y = map(float, place)
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _outside(element: ElementTree.Element, box: _Box) -> bool:
    """Whether an element has a place, and that is outside of a box."""
    match = _PLACE.match(element.get("transform", ""))
    if match is not None:
        return not _inside(match.groups(), box)
    if element.get("x") is not None and element.get("width") is None:
        return not _inside((element.get("x", "0"), element.get("y", "0")), box)
    return False
