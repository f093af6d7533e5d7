"""The options of a decision with all that is shown of them."""

from __future__ import annotations

from grognard.draw.text.cells import is_redundant
from grognard.table.content import Choice, Part
from grognard.table.inspection import pieces_on
from grognard.table.menu import Menu
from runtime.games.decision import Decision
from runtime.model import TypeSpec
from runtime.option import Option
from runtime.runs.forecast import of_option
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
#: How many of the hexes are named that a piece fills.
_PLACES = 3


def choices(menu: Menu, decision: Decision, seen: Sight) -> tuple[Choice, ...]:
    """The options as they are shown to the side that is asked."""
    shown, numbers = _ChoiceMaker(menu, decision, seen), menu.numbers(decision)
    return tuple(shown.choice(option, numbers[option.raw]) for option in decision.options)


class _ChoiceMaker:
    """The options of a decision as they are shown to a side that sees *seen*."""

    def __init__(self, menu: Menu, decision: Decision, seen: Sight) -> None:
        self.menu, self.decision, self.seen = menu, decision, seen
        self.game, self.scene = menu.game, menu.scene
        self.looks = self.scene.looks(seen)

    def choice(self, option: Option, number: int) -> Choice:
        """An option with all that is shown of it."""
        menu, decision = self.menu, self.decision
        values = menu.values_of(decision, option)
        items = tuple(self._item(option, *value) for value in values)
        card = ""
        if option.kind == "enum" and option.number >= 0:
            card = self.scene.card_text(values[0][0].name, option.number)
        return Choice(
            number=number,
            text=option.text,
            words=menu.wording(decision, option),
            word=option.branch,
            head=menu.head(option.branch),
            passes=option.passes,
            parts=tuple(
                self._part(*value, place > 0 and values[0][0].kind == "piece")
                for place, value in enumerate(values)
            ),
            item=", ".join(items),
            items=items if len(items) > 1 else (),
            card=card,
            foreseen=menu.foretells and any(of_option(self.game.spec, decision.point, option.raw)),
        )

    def _part(self, type_: TypeSpec, value: int, second: bool) -> Part:
        """A value of an option; of a pair of pieces perhaps the *second*."""
        menu, spec, seen = self.menu, self.game.spec, self.seen
        role = _ROLES.get(type_.kind, "member")
        if type_.kind == "enum":
            cards = {deck.enum for deck in spec.decks}
            role = "card" if type_.name in cards else _ROLES.get(type_.name, "member")
        elif type_.kind == "piece" and value >= 0:
            kind, index = menu.piece(type_.name, value)
            owner = side_field(spec, kind)
            other = owner is not None and seen.data[owner.slot][index] != self.decision.side
            role = "target" if second or other else "piece"
        hexes = tuple(map(spec.board.label, menu.places_of(type_, value, seen)))
        name = self.game.names.name(type_, value)
        return Part(role, name, menu.value_of(type_, value), hexes)

    def _item(self, option: Option, type_: TypeSpec, value: int) -> str:
        """A value of an option with what helps to find it: *18th-Army 4-3 at 1204*, *1106
        (4th-Army)*.
        """
        if type_.kind == "piece" and value >= 0:
            return self._piece(*self.menu.piece(type_.name, value))
        if type_.kind == "hex" and value >= 0:  # with who stands there and what would come of going
            there, sign = self._hex_occupants(value), ""
            light = self.menu.highlights(self.decision, self.seen).of(option, value)
            if light:
                sign = str(self.scene.style.part("highlights", light).get("sign", "*"))
            there = f"({there})" if there else ""
            return " ".join(filter(None, (self.game.wording.place(value), there, sign)))
        return self.menu.value_of(type_, value)

    def _piece(self, kind: str, index: int) -> str:
        """A piece with its sort, where the name does not tell it, its figures and its place."""
        name = self.game.wording.display_name(self.game.setup.pieces[kind][index].name)
        sort, figures, place = self.scene.parts(self.seen.data, kind, index)
        token = self.looks.get((kind, index))
        if token is not None and token.figures:
            figures = token.figures
        if sort and _tells_sort(name, sort):
            sort = ""
        if self.scene.place_of(kind) is None:
            hexes = self.scene.hexes_of(self.seen.data, kind, index)
            places = ", ".join(self.game.wording.place(h) for h in hexes[:_PLACES])
            places += "…" if len(hexes) > _PLACES else ""
            place = self.scene.words("at {place}", place=places) if places else place
        return " ".join(filter(None, (name, sort, figures, place)))

    def _hex_occupants(self, h: int) -> str:
        """What stands in a hex, as map and counters say it: by sort, label and figures, else by
        name.
        """
        names = []
        for kind, index in pieces_on(self.scene, self.seen.data, h):
            token = self.looks.get((kind, index))
            parts = [token.label, token.figures] if token is not None else []
            sort = self.scene.short(self.seen.data, kind, index)
            if parts and not (parts[0] and is_redundant(parts[0], sort)):
                parts.insert(0, sort.upper())
            name = self.game.setup.pieces[kind][index].name
            names.append(" ".join(filter(None, parts)) or self.game.wording.display_name(name))
        return ", ".join(names)


def _tells_sort(name: str, sort: str) -> bool:
    """Whether the name of a piece tells its sort; a number behind it tells pieces apart."""
    one, other = (
        "".join(c for c in plain(text) if c.isalnum()) for text in (name.rsplit(".", 1)[-1], sort)
    )
    stem = one.rstrip("0123456789")
    return one in other or other in one or (stem in other and 2 * len(stem) >= len(other))
