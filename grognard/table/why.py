"""Questions at the prompt: what stands behind an option, what a piece can do, why a thing is not
possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from threading import Thread
from typing import TYPE_CHECKING

from grognard.explain.answers import entry_lines, steps_line
from grognard.explain.glossary import entries, in_full, later, meanings, of_hex, without_head
from grognard.files import short
from grognard.table.inspection import (
    about_hex,
    about_piece,
    by_counter,
    look,
    pieces_found,
    texts_of,
)
from grognard.table.lines import LineReader, Stuck
from grognard.table.menu import Menu
from grognard.table.situation import Whereabouts, strict_calls
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.explanation import Explanation, Line, plainly
from runtime.games.game import Game
from runtime.option import Option
from runtime.scenario.fields import side_field
from runtime.view import Sight, view

if TYPE_CHECKING:
    from grognard.explain.decisions import Target
    from grognard.explain.explainer import Explainer

#: How many of the things that a piece may do are listed.
_LISTED = 6


class LazyExplainer:
    """What explains the rules, which takes a while to read: made when it is asked for, or ahead of
    that.
    """

    def __init__(self, make: Callable[[], Explainer]) -> None:
        self._make = make
        self._made: Explainer | None = None
        self._thread: Thread | None = None

    def begin(self) -> None:
        """Begin to read the rules beside whatever else happens."""
        if self._thread is None and self._made is None:
            self._thread = Thread(target=self._make_ahead, daemon=True)
            self._thread.start()

    def _make_ahead(self) -> None:
        try:
            self._made = self._make()
        except Exception:  # it is told when somebody asks
            self._made = None

    @property
    def ready(self) -> bool:
        """Whether it can be asked at once."""
        return self._made is not None

    def get(self) -> Explainer:
        """What explains; waits for it."""
        if self._thread is not None:
            self._thread.join()
        if self._made is None:
            self._made = self._make()
        return self._made


class Why:
    """Answers, sentence by sentence."""

    def __init__(self, game: Game, menu: Menu, later: LazyExplainer) -> None:
        self.game = game
        self.menu = menu
        self.later = later
        self._words = menu.scene.words

    # ------------------------------------------------------------------ the question itself

    def question(self, decision: Decision) -> list[Line]:
        """What is asked, by which rules, and what the ruleset says of it."""
        text = self.game.wording.text(f"help.{decision.prompt}", default="")
        rules = self.game.spec.decisions[decision.point].rules
        cited = ""
        place = self.later.get().asked_at(decision) if self.later.ready else ""
        if rules:
            cited = self.later.get().cite(rules) if self.later.ready else f"[{', '.join(rules)}]"
        return [
            line
            for line in (Line(self.menu.prompt(decision), 0, place), Line(text, 1), Line(cited, 1))
            if line.text
        ]

    # ------------------------------------------------------------------ options and other things

    def answer(self, decision: Decision, asked: str, source: bool = False) -> list[Line]:
        """What stands behind what a text names; with *source* all that the rules say."""
        try:
            option = self.menu.resolve(decision, asked)
        except IllegalOption as error:
            if error.matches:
                return [*self._meaning(asked), *self._named(decision, asked), Line(str(error))]
            return self._about_not_offered(decision, short(asked, 60), source)
        return self.option(decision, option, source)

    def line(
        self, lines: LineReader, decision: Decision, asked: str, source: bool = False
    ) -> list[Line]:
        """The same of a line, which may say several answers: of the last, or of where it cannot be
        taken.
        """
        read = lines.several(self.menu, asked)
        if isinstance(read, Stuck):
            answer = Why(read.game, read.menu, self.later).answer(read.decision, read.text, source)
            return [Line(f"{read.where}:"), *answer] if read.where else answer
        return self._about_last(read, source) if read else self.answer(decision, asked, source)

    def _about_last(self, options: Sequence[Option], source: bool = False) -> list[Line]:
        """What stands behind the last of several options that a side takes one after another."""
        game = self.game.copy()
        for option in options[:-1]:
            game.play(option)
        assert game.decision is not None
        return Why(game, self.menu.for_copy(game), self.later).option(
            game.decision, options[-1], source
        )

    def option(self, decision: Decision, option: Option, source: bool = False) -> list[Line]:
        """What stands behind an option."""
        lines = [Line(self.menu.wording(decision, option))]
        text = self._help(decision, option)
        lines += [Line(text, 1)] if text else []
        if option.kind == "piece":
            lines += self._piece(decision, *self.menu.piece_of(decision, option))
        elif option.kind == "hex":
            lines += self._hex(decision, option.number)
        reasons = self.later.get().option(self.game, option).reasons
        shown = tuple(r for r in reasons if source or r.role != "source")
        return [*lines, *(line.under() for line in Explanation(reasons=shown).lines)]

    def _piece(self, decision: Decision, kind: str, index: int) -> list[Line]:
        """What is known of a piece, and what it may do now."""
        seen = view(self.game.state, decision.side)
        scene, worked = self.menu.scene, strict_calls(self.game, seen)
        lines = about_piece(scene, seen.data, kind, index, worked, self.later.get().remark)
        may = [
            self.menu.wording(decision, option)
            for option in decision.options
            if option.kind == "piece" and self.menu.piece_of(decision, option) == (kind, index)
        ]
        more = " …" if len(may) > _LISTED else ""
        known = [Line(line.text, 1) for line in lines]
        if not may:
            return [*known, *self._later(decision, seen, kind, index)]
        now = self._words("now: {options}", options=", ".join(may[:_LISTED]) + more)
        return [*known, Line(now, 1)]

    def _later(self, decision: Decision, seen: Sight, kind: str, index: int) -> list[Line]:
        """In which steps that come later in the turn a piece of the side may do something."""
        scene = self.menu.scene
        owner = side_field(self.game.spec, kind)
        if owner is None or seen.data[owner.slot][index] != decision.side:
            return []
        path = Whereabouts(self.game, scene).path()
        steps = steps_line(later(scene, self.later.get(), path, kind) if path else [])
        return [Line(self._words("later in the turn: {steps}", steps=steps), 1)] if steps else []

    def _about_not_offered(self, decision: Decision, asked: str, source: bool) -> list[Line]:
        """What is to be said of something that is not offered."""
        for text in self._readings(asked):
            if meaning := self._meaning(text):
                return meaning
            lines = self._about_terms(text) if in_full(self.menu.scene, text) else []
            lines = lines or self._named(decision, text) or self._about_terms(text)
            lines += self.refused(decision, text, source)
            if lines:
                return lines
        example = self.menu.wording(decision, decision.options[0])
        message = "'{text}' cannot be chosen here; '? {example}' is a question, '?' alone helps"
        return [Line(self._words(message, text=asked, example=example))]

    def _readings(self, asked: str) -> list[str]:
        """How a text can be read: as it is, without the words that only connect, without the hexes
        to which somebody shall go, without what he shall do.
        """
        words = self.menu.spare(asked.split())
        readings = [asked, " ".join(words)]
        while len(words) > 1 and self.menu.scene.hex_named(words[-1]) >= 0:
            words = words[:-1]
            readings.append(" ".join(words))
        readings.append(" ".join(without_head(self.menu.scene, words)))
        return list(dict.fromkeys(readings))

    def _meaning(self, asked: str) -> list[Line]:
        """What a term means, or something that can be done."""
        terms = meanings(self.menu.scene, self.later.get(), asked)
        return entry_lines(self._words, terms)

    def _help(self, decision: Decision, option: Option) -> str:
        """What the ruleset says of an option, else of its question."""
        text = self.game.wording.text(f"help.{option.branch}", default="")
        return text or self.game.wording.text(f"help.{decision.prompt}", default="")

    def _named(self, decision: Decision, asked: str) -> list[Line]:
        """What is to be told of the one piece or hex that a text names."""
        scene, seen = self.menu.scene, view(self.game.state, decision.side)
        looks = scene.looks(seen)
        pieces = pieces_found(scene, asked, looks)
        if len(pieces) == 1:
            lines = self._piece(decision, *pieces[0])
            return [Line(lines[0].text), *lines[1:]]
        if pieces or not self.menu.is_name(asked):
            return []
        lines = look(scene, seen.data, asked, strict_calls(self.game, seen), looks)
        h = scene.hex_named(asked)
        return [*lines, *self._ground(seen, h)] if h >= 0 else lines

    def _hex(self, decision: Decision, h: int) -> list[Line]:
        """What is in a hex, and what its ground does."""
        scene, seen = self.menu.scene, view(self.game.state, decision.side)
        there = about_hex(scene, seen.data, h, scene.looks(seen))[1:]
        return [*there, *(line.under() for line in self._ground(seen, h))]

    def _ground(self, seen: Sight, h: int) -> list[Line]:
        """What the ground of a hex does."""
        shown = self.menu.scene.style.names("about", "Hex")
        effects = of_hex(self.menu.scene, self.later.get(), seen.data, h, shown)
        return entry_lines(self._words, effects)

    def _about_terms(self, asked: str) -> list[Line]:
        """What is to be told of what the ruleset names: a kind of ground or units, a card."""
        scene = self.menu.scene
        named = entries(scene, self.later.get(), asked)
        return entry_lines(self._words, named) or texts_of(scene, asked)

    def refused(self, decision: Decision, asked: str, source: bool = False) -> list[Line]:
        """Why what a text names is not offered; nothing where it names nothing that could be."""
        explainer = self.later.get()
        asked = self._with_piece_names(decision, asked)
        lines: list[Line] = []
        named = False
        offered = {option.raw: option for option in decision.options}
        for target in explainer.targets(self.game, asked):
            if target.option in offered:
                lines += self.option(decision, offered[target.option], source)
            else:
                reasons = self._target_refusal(explainer, decision, target, source)
                lines += reasons
                named = named or (not reasons)
        if named and not lines:
            lines = [Line(f"{asked}: {self._words('not one of the choices here')}")]
        return list(dict.fromkeys(lines))

    def _with_piece_names(self, decision: Decision, asked: str) -> str:
        """A text with the names of pieces in place of what their counters say: *move 4pz 1107*."""
        scene, words = self.menu.scene, asked.split()
        looks = scene.looks(view(self.game.state, decision.side))
        for at, count in product(range(len(words)), (2, 1)):
            pieces = by_counter(scene, " ".join(words[at : at + count]), looks)
            if len(pieces) == 1:
                kind, index = pieces[0]
                return " ".join(
                    [*words[:at], scene.setup.pieces[kind][index].name, *words[at + count :]]
                )
        return asked

    def _target_refusal(
        self, explainer: Explainer, decision: Decision, target: Target, source: bool
    ) -> list[Line]:
        """What is not offered and, as far as the rules tell it, why."""
        option = self.game.names.option(decision.point, target.option)
        reasons = explainer.why_not(self.game, target)
        name = self.menu.wording(decision, option)
        if source:
            statements = Explanation(reasons=reasons).lines or (
                Line(self._words("the rules do not say why")),
            )
            head = Line(f"{name}: {self._words('not possible')}")
            return [head, *(line.under() for line in statements)]
        told = plainly(reasons)
        return [
            Line(line.text if number else f"{name}: {line.text}", min(number, 1), line.place)
            for number, line in enumerate(told)
        ]
