"""How hexes on offer stand out: by what would come of going there, as ``highlights`` of a style declares.

A highlight is named like the option that offers the hex, like a function, quantity or permission of a hex
(alone, or together with the piece that is asked about or the side that decides), or like a field of Side that
is a set of hexes: then it holds in those of the other sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.draw.naming import of_hex
from runtime.model import NONE, CallSpec, TypeSpec

if TYPE_CHECKING:
    from grognard.menu import Menu
    from runtime.game import Decision, Option
    from runtime.view import View


def highlight(menu: Menu, decision: Decision, option: Option, h: int, seen: View) -> str:
    """The first highlight that holds for a hex that an option names; empty where none does."""
    for name in menu.scene.style.part("highlights"):
        if option.word == name or (h >= 0 and _holds(menu, decision, option, h, seen, name)):
            return name
    return ""


def _holds(menu: Menu, decision: Decision, option: Option, h: int, seen: View, name: str) -> bool:
    spec = menu.game.spec
    types = menu.types_of(decision, option)
    if all(type_.kind != "hex" for type_ in types):
        return False  # a piece is offered: its own hex is no place to go
    field = next((f for f in spec.fields_of("Side") if f.name == name), None)
    if field is not None:
        column = getattr(seen.state, field.slot)
        return any(column[side] >> h & 1 for side in range(len(spec.sides)) if side != decision.side)
    call = spec.calls.get(name)
    if call is None or not of_hex(call):
        return False
    args = [_argument(menu, decision, option, type_, h) for type_ in call.params]
    return None not in args and _works(menu, seen, name, [a for a in args if a is not None], call)


def _works(menu: Menu, seen: View, name: str, args: list[int], call: CallSpec) -> bool:
    value = menu.game.program.value(seen.state, name, args)
    return value > 0 if call.type.kind == "int" else bool(value)


def _argument(menu: Menu, decision: Decision, option: Option, wanted: TypeSpec, h: int) -> int | None:
    """The hex, the side that decides, or the piece that goes: of the option, or asked about."""
    if wanted.kind == "hex":
        return h
    if wanted.name == "Side":
        return decision.side
    spec, setup = menu.game.spec, menu.game.setup
    offered = zip(menu.types_of(decision, option), (option.index, option.second), strict=False)
    about = zip(spec.decisions[decision.point].about, menu.game.state.about, strict=False)
    for type_, value in (*offered, *about):
        if type_.kind == "piece" and value != NONE:
            kind, index = setup.own_number(spec.kinds_of(type_.name), value)
            if kind in spec.kinds_of(wanted.name):
                return setup.common_number(spec.kinds_of(wanted.name), kind, index)
    return None
