"""What a decision offers, in the words of people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from grognard.draw.highlights import Highlights
from grognard.draw.scene import Scene
from grognard.draw.text.cells import tells_no_more
from grognard.explain.forecasts import Foreteller
from grognard.table.content import Choice, Part
from grognard.table.inspection import pieces_on
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.games.wording import filled
from runtime.model import NONE, PASS, TypeSpec, branch_of
from runtime.option import Option
from runtime.scenario.fields import side_field
from runtime.spelling import plain
from runtime.view import Sight

#: What values are in an option, by kind or enum.
_ROLES = {
    "piece": "piece",
    "hex": "hex",
    "int": "number",
    "bool": "truth",
    "Side": "side",
    "Direction": "direction",
}
#: How many of the options are named that somebody passes by.
_LEFT = 3


class Options:
    """The options of a game's decisions in the words of its catalogue."""

    def __init__(self, game: Game, scene: Scene) -> None:
        self.game = game
        self.scene = scene
        #: what stands beside options of what comes of them; None where nothing shall
        self.foreteller: Foreteller | None = Foreteller(
            game, scene.words, lambda: scene.style.names("odds")
        )
        #: by point, what was asked when its options got their numbers, and these
        self._numbers: dict[int, tuple[tuple[object, ...], dict[int, int]]] = {}
        self._lights: Highlights | None = None

    def over(self, game: Game) -> Self:
        """The same over a copy of the game: options keep the numbers they have here."""
        menu = type(self)(game, self.scene)
        menu._numbers = {
            point: (scope, dict(numbers)) for point, (scope, numbers) in self._numbers.items()
        }
        return menu

    def marks(self, decision: Decision, seen: Sight) -> dict[int, str]:
        """The hexes that options name, and where the pieces stand that they name; with what lets
        them stand out (:mod:`grognard.draw.highlights`), empty for nothing.
        """
        marked: dict[int, str] = {}
        lights = self.highlights(decision, seen)
        for option in decision.options:
            for type_, value in self.values_of(decision, option):
                for h in self.places_of(type_, value, seen):
                    marked[h] = marked.get(h) or lights.of(option, h)
        marked.pop(NONE, None)
        return marked or dict.fromkeys(self._asked_about(decision, seen), "")

    def _asked_about(self, decision: Decision, seen: Sight) -> Iterator[int]:
        """The hexes that a question is about, and where the pieces stand that it is about."""
        about = self.game.state.about  # not the view's: who looks on knows it of an open question
        types = self.game.spec.decisions[decision.point].about
        for type_, value in zip(types, about, strict=False):
            yield from self.places_of(type_, value, seen)

    def places_of(self, type_: TypeSpec, value: int, seen: Sight) -> Iterator[int]:
        """The hexes where a value is."""
        if type_.kind == "hex" and value >= 0:
            yield value
        elif type_.kind == "piece" and value >= 0:
            yield from self.scene.hexes_of(seen.data, *self.piece(type_.name, value))

    def highlights(self, decision: Decision, seen: Sight) -> Highlights:
        """The highlights of a decision; made once, as long as the style is the same."""
        looks, lights = self.scene.style.part("highlights"), self._lights
        names = {name: look.get("for") for name, look in looks.items()}
        if lights is None or lights.decision is not decision or lights.names != names:
            lights = self._lights = Highlights(self.game, names, decision, seen)
        return lights

    def piece(self, type_: str, number: int) -> tuple[str, int]:
        """The kind and the number there of a piece of a type."""
        return self.game.setup.own_number(self.game.spec.kinds_of(type_), number)

    def piece_of(self, decision: Decision, option: Option) -> tuple[str, int]:
        """The kind and number of the piece that an option names first."""
        type_, value = self.values_of(decision, option)[0]
        return self.piece(type_.name, value)

    def values_of(self, decision: Decision, option: Option) -> list[tuple[TypeSpec, int]]:
        """The values of an option with their types."""
        if option.passes:
            return []
        branch = self.game.spec.decisions[decision.point].options[branch_of(option.raw)]
        return list(zip(branch.values, (option.number, option.second), strict=False))

    def prompt(self, decision: Decision) -> str:
        """What is asked, in the catalogue's words."""
        if not decision.prompt:
            return self.scene.words("what now?")
        return self.game.wording.prompt(decision.point, self.game.state.about)

    def value(self, decision: Decision, option: Option) -> str:
        """The value of an option in words; of a pair both."""
        return " ".join(self.value_of(*value) for value in self.values_of(decision, option))

    def value_of(self, type_: TypeSpec, value: int) -> str:
        """A value as options show it: members in words, pieces by their names, hexes by their
        labels.
        """
        if type_.kind == "enum" and value >= 0:
            return self.scene.member(type_.name, value)
        name = self.game.names.name(type_, value)
        return self.game.wording.called(name) if type_.kind == "piece" else name

    def wording(self, decision: Decision, option: Option) -> str:
        """An option in the catalogue's words."""
        text = self.game.wording.text
        if option.passes:
            return text(f"pass.{option.branch}", default=option.branch.replace("_", " "))
        values = self.values_of(decision, option)
        words = [self.value_of(*value) for value in values]
        template = text(f"option.{option.branch}", default="")
        if not template:
            return " ".join([option.branch.replace("_", " "), *words])
        return filled(template, words, lambda n, case: self.game.wording.word(*values[n], case))

    def head(self, word: str) -> str:
        """What stands above the options of one word."""
        return filled(
            self.game.wording.text(f"option.{word}", default=word.replace("_", " ")), ("…", "…")
        )

    def choices(self, decision: Decision, seen: Sight) -> tuple[Choice, ...]:
        """The options as they are shown to the side that is asked."""
        shown, numbers = _Shown(self, decision, seen), self.numbers(decision)
        return tuple(shown.choice(option, numbers[option.raw]) for option in decision.options)

    # ------------------------------------------------------------------ passing

    def left(self, decision: Decision) -> str:
        """What with pieces and hexes is left to do, in words: of each piece one option, of many the
        first.
        """
        options = [o for o in decision.options if {o.kind, o.second_kind} & {"piece", "hex"}]
        each: dict[tuple[str, int], Option] = {}
        for option in options:
            each.setdefault((option.branch, option.number), option)
        told = [self.wording(decision, option) for option in list(each.values())[:_LEFT]]
        return ", ".join([*told, "…"] if len(told) < len(options) else told)

    def returns(self, option: Option) -> bool:
        """Whether what an option does could be taken back."""
        copy = self.game.copy()
        copy.play(option)
        return copy.can_undo

    # ------------------------------------------------------------------ numbers

    def numbers(self, decision: Decision) -> dict[int, int]:
        """The number of each option, by its value.  While a side works through a list, its options
        keep their numbers.
        """
        state = self.game.state
        scope = (state.checkpoints, decision.side, str(decision.question), decision.prompt)
        known = self._numbers.get(decision.point)
        values = [option.raw for option in listed(decision.options)]
        same = known is not None and known[0] == scope
        if known is None or not same or not any(v in known[1] for v in values if v != PASS):
            known = self._numbers[decision.point] = scope, {}
        numbers = known[1]
        if all(o.kind == "int" or o.passes for o in decision.options):  # called as they are
            numbers.update({o.raw: o.number for o in decision.options if not o.passes})
        for value in values:
            if value not in numbers:
                numbers[value] = max(numbers.values(), default=0) + 1
        return {value: numbers[value] for value in values}


class _Shown:
    """The options of a decision as they are shown to a side that sees *seen*."""

    def __init__(self, options: Options, decision: Decision, seen: Sight) -> None:
        self.options, self.decision, self.seen = options, decision, seen
        self.game, self.scene = options.game, options.scene
        self.looks = self.scene.looks(seen)

    def choice(self, option: Option, number: int) -> Choice:
        """An option with all that is shown of it."""
        options, decision, teller = self.options, self.decision, self.options.foreteller
        values = options.values_of(decision, option)
        items = tuple(self._item(option, *value) for value in values)
        card = ""
        if option.kind == "enum" and option.number >= 0:
            card = self.scene.card_text(values[0][0].name, option.number)
        return Choice(
            number=number,
            text=option.text,
            words=options.wording(decision, option),
            word=option.branch,
            head=options.head(option.branch),
            passes=option.passes,
            parts=tuple(self._part(*value, place > 0) for place, value in enumerate(values)),
            item=", ".join(items),
            items=items if len(items) > 1 else (),
            card=card,
            forecast=teller.beside(decision, option) if teller is not None else "",
            weight=teller.weight(decision, option) if teller is not None else 0.0,
        )

    def _part(self, type_: TypeSpec, value: int, second: bool) -> Part:
        """A value of an option; of a pair perhaps the *second*."""
        options, spec, seen = self.options, self.game.spec, self.seen
        role = _ROLES.get(type_.kind, "member")
        if type_.kind == "enum":
            cards = {deck.enum for deck in spec.decks}
            role = "card" if type_.name in cards else _ROLES.get(type_.name, "member")
        elif type_.kind == "piece" and value >= 0:
            kind, index = options.piece(type_.name, value)
            owner = side_field(spec, kind)
            other = owner is not None and seen.data[owner.slot][index] != self.decision.side
            role = "target" if second or other else "piece"
        hexes = tuple(map(spec.board.label, options.places_of(type_, value, seen)))
        name = self.game.names.name(type_, value)
        return Part(role, name, options.value_of(type_, value), hexes)

    def _item(self, option: Option, type_: TypeSpec, value: int) -> str:
        """A value of an option with what helps to find it: *18th-Army 4-3 at 1204*, *1106
        (4th-Army)*.
        """
        if type_.kind == "piece" and value >= 0:
            return self._piece(*self.options.piece(type_.name, value))
        if type_.kind == "hex" and value >= 0:  # with who stands there and what would come of going
            there, sign = self._standing(value), ""
            light = self.options.highlights(self.decision, self.seen).of(option, value)
            if light:
                sign = str(self.scene.style.part("highlights", light).get("sign", "*"))
            there = f"({there})" if there else ""
            return " ".join(filter(None, (self.game.wording.place(value), there, sign)))
        return self.options.value_of(type_, value)

    def _piece(self, kind: str, index: int) -> str:
        """A piece with its sort, where the name does not tell it, its figures and its place."""
        name = self.game.wording.called(self.game.setup.pieces[kind][index].name)
        sort, figures, place = self.scene.parts(self.seen.data, kind, index)
        token = self.looks.get((kind, index))
        if token is not None and token.figures:
            figures = token.figures
        if sort and _alike(name, sort):
            sort = ""
        if self.scene.place_of(kind) is None:
            hexes = self.scene.hexes_of(self.seen.data, kind, index)
            places = ", ".join(self.game.wording.place(h) for h in hexes[:_LEFT])
            places += "…" if len(hexes) > _LEFT else ""
            place = self.scene.words("at {place}", place=places) if places else place
        return " ".join(filter(None, (name, sort, figures, place)))

    def _standing(self, h: int) -> str:
        """What stands in a hex, as map and counters say it: by sort, label and figures, else by
        name.
        """
        names = []
        for kind, index in pieces_on(self.scene, self.seen.data, h):
            token = self.looks.get((kind, index))
            parts = [token.label, token.figures] if token is not None else []
            sort = self.scene.short(self.seen.data, kind, index)
            if parts and not (parts[0] and tells_no_more(parts[0], sort)):
                parts.insert(0, sort.upper())
            name = self.game.setup.pieces[kind][index].name
            names.append(" ".join(filter(None, parts)) or self.game.wording.called(name))
        return ", ".join(names)


def pass_of(decision: Decision) -> Option | None:
    """The option that passes a question by; None where there is none."""
    return next((option for option in decision.options if option.passes), None)


def listed(options: Iterable[Option]) -> list[Option]:
    """Options in the order in which they are listed: word by word, behind these those that stand
    alone.
    """
    words: dict[str, list[Option]] = {}
    alone: list[Option] = []
    for option in options:
        (alone if option.kind in ("", "pass") else words.setdefault(option.branch, [])).append(
            option
        )
    return [*(option for group in words.values() for option in group), *alone]


def _alike(name: str, sort: str) -> bool:
    """Whether the name of a piece tells its sort; a number behind it tells pieces apart."""
    one, other = (
        "".join(c for c in plain(text) if c.isalnum()) for text in (name.rsplit(".", 1)[-1], sort)
    )
    stem = one.rstrip("0123456789")
    return one in other or other in one or (stem in other and 2 * len(stem) >= len(other))
