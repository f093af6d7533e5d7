"""How hexes on offer stand out: by what would come of going there, as ``highlights`` of a style
declares.

A highlight is named like the option that offers the hex, like a function, quantity or permission of
a hex (alone, or together with the piece that is asked about or the side that decides), or like a
field of Side that is a set of hexes: then it holds in those of the other sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from grognard.draw.nameable import is_hex_call
from grognard.draw.scene import Scene
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.model import NONE, TypeSpec, branch_of
from runtime.option import Option
from runtime.view import Sight


@dataclass(frozen=True, slots=True)
class Light:
    """How hexes stand out: a colour, a sign of one character, and what they are."""

    color: str
    sign: str
    label: str


def lights(scene: Scene) -> dict[str, Light]:
    """The highlights of a style by their names; the empty name is that of hexes on offer of which
    nothing more is to be said.
    """
    known = {"": Light("gold", "*", scene.words("on offer"))}
    for name, look in scene.style.part("highlights").items():
        label = scene.wording.display_name(look.get("label", name.replace("_", " ")))
        known[name] = Light(look.get("color", "gold"), look.get("sign", "*"), label)
    return known


@dataclass(frozen=True)
class Highlights:
    """The highlights of a style, for one decision as its side sees it: *names*, with the words of
    the options that each is for, None for all.
    """

    game: Game
    names: Mapping[str, Collection[str] | None]
    decision: Decision
    seen: Sight
    _known: dict[tuple[int, int], str] = field(default_factory=dict, repr=False)

    def of(self, option: Option, h: int) -> str:
        """The first highlight that holds for a hex that an option names; empty where none does."""
        known = self._known.get((option.raw, h))
        if known is None:
            wanted = (
                name
                for name, words in self.names.items()
                if words is None or option.branch in words
            )
            holding = (
                name for name in wanted if option.branch == name or self._holds(option, h, name)
            )
            known = self._known[option.raw, h] = next(holding, "")
        return known

    def _types(self, option: Option) -> list[tuple[TypeSpec, int]]:
        """The types of an option's values, with these."""
        offered = self.game.spec.decisions[self.decision.point].options
        types = () if option.passes else offered[branch_of(option.raw)].values
        return list(zip(types, (option.number, option.second), strict=False))

    def _holds(self, option: Option, h: int, name: str) -> bool:
        offered, spec = self._types(option), self.game.spec
        if h < 0 or all(type_.kind != "hex" for type_, _ in offered):
            return False  # where a piece is offered, its own hex is no place to go
        own = next((f for f in spec.fields_of("Side") if f.name == name), None)
        if own is not None:
            column = getattr(self.seen.state, own.slot)
            others = (side for side in range(len(spec.sides)) if side != self.decision.side)
            return any(column[side] >> h & 1 for side in others)
        call = spec.calls.get(name)
        if call is None or not is_hex_call(call):
            return False
        about = zip(spec.decisions[self.decision.point].about, self.game.state.about, strict=False)
        args = [self._argument(type_, h, [*offered, *about]) for type_ in call.params]
        known = [value for value in args if value is not None]
        return len(known) == len(args) and self.game.program.value(self.seen.state, name, known) > 0

    def _argument(
        self, wanted: TypeSpec, h: int, values: Iterable[tuple[TypeSpec, int]]
    ) -> int | None:
        """The hex, the side that decides, or the piece that goes: of the option, or asked about."""
        if wanted.kind == "hex":
            return h
        if wanted.name == "Side":
            return self.decision.side
        spec, setup = self.game.spec, self.game.setup
        kinds = spec.kinds_of(wanted.name)
        for type_, value in values:
            if type_.kind == "piece" and value != NONE:
                kind, index = setup.own_number(spec.kinds_of(type_.name), value)
                if kind in kinds:
                    return setup.common_number(kinds, kind, index)
        return None
