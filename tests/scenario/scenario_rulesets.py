"""Rulesets made by hand, for the tests of scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.board import Board
from runtime.model import FieldSpec, RulesetSpec, TypeSpec

INT, BOOL, HEX = TypeSpec("int"), TypeSpec("bool"), TypeSpec("hex", "Hex")


def enum(name: str, optional: bool = False) -> TypeSpec:
    """An enum type."""
    return TypeSpec("enum", name, optional)


def field(owner: str, name: str, kind: TypeSpec, **more: Any) -> FieldSpec:
    """A field that a scenario gives; required when it has no initial value."""
    more.setdefault("setup", True)
    more.setdefault("initial", None)
    more.setdefault("required", more["initial"] is None)
    return FieldSpec(owner, name, kind, f"{owner}_{name}".lower(), **more)


def ruleset(
    name: str, board: Board, enums: dict[str, tuple[str, ...]], fields: list[FieldSpec], **more: Any
) -> RulesetSpec:
    """A ruleset of two sides."""
    given: dict[str, Any] = {
        "bases": (),
        "hash": "",
        "sides": ("top", "bottom"),
        "kinds": tuple(
            dict.fromkeys(f.owner for f in fields if f.owner in ("Unit", "Leader", "Marker"))
        ),
        "decks": (),
        "dice": (),
        "effects": (),
        "switches": {},
        "scopes": (),
        "decisions": (),
        "notes": (),
        "texts": {},
    }
    enums = {"Side": ("top", "bottom"), **enums}
    return RulesetSpec(
        name=name, board=board, enums=enums, fields=tuple(fields), **{**given, **more}
    )


SMALL = ruleset(
    "small",
    Board(name="field", layout="odd_r", rows=4, columns=5, narrow="odd", labels="letters_up"),
    {
        "Type": ("LI", "HI", "HC"),
        "Terrain": ("clear", "forest", "hill", "river"),
        "Talent": ("swift", "steady", "stealthy"),
        "Course": ("east", "west"),
    },
    [
        field("Game", "first", enum("Side")),
        field("Game", "rounds", INT, initial=10),
        field("Game", "prize", TypeSpec("hex", "Hex", True), initial=-1),
        field("Game", "round", INT, setup=False, initial=1),
        field("Side", "goal", INT),
        field("Side", "command", INT, initial=4),
        field("Side", "banners", INT, setup=False, initial=0),
        field("Hex", "terrain", enum("Terrain"), initial=0),
        field("Hex", "height", INT, initial=0),
        field("Hex", "walls", TypeSpec("set", of=HEX), initial=0),
        field("Hex", "soil", enum("Terrain"), setup=False, initial=0, values=(0,) * 18),
        field("Hex", "streams", TypeSpec("set", of=HEX), setup=False, initial=0, values=(0,) * 18),
        field("Hex", "crossings", TypeSpec("set", of=enum("Course")), initial=0),
        field("Hex", "depot", TypeSpec("piece", "Unit", True), initial=-1),
        field("Terrain", "cost", INT, initial=1),
        field("Unit", "type", enum("Type"), fixed=True),
        field("Unit", "side", enum("Side"), fixed=True),
        field("Unit", "hex", HEX, place=True, alone=True),
        field("Unit", "blocks", INT, required=False),
        field("Unit", "veteran", BOOL, initial=0),
        field("Unit", "talents", TypeSpec("set", of=enum("Talent")), initial=0),
        field("Unit", "moved", INT, setup=False, initial=0),
        field("Leader", "side", enum("Side"), fixed=True),
        field("Leader", "hex", HEX, place=True, alone=True, required=False, initial=-1),
        field("Leader", "guard", TypeSpec("piece", "Unit", True), initial=-1),
    ],
    switches={"weather": False, "fog": True},
    boards={
        "ford": "rows: 3\ncolumns: 6\nfields: {streams: [[A1, A2]]}\n",
        "odd": "rows: 3\ncolums: 6\n",
    },
    labels={"B2": "small/rules.grog:7"},
    texts={"en": {"Type.LI": "light infantry", "Side.top": "North"}},
)

ANCIENTS = ruleset(
    "cc_ancients",
    Board(name="field", layout="odd_r", rows=9, columns=13, narrow="odd", labels="letters_up"),
    {"Type": ("LI", "LS", "LB", "AUX", "MI", "WAR", "HI", "LC", "MC", "HC", "HCH", "ELE")},
    [
        field("Game", "first_side", enum("Side")),
        field("Side", "command", INT),
        field("Side", "goal", INT),
        field("Unit", "type", enum("Type"), fixed=True),
        field("Unit", "side", enum("Side"), fixed=True),
        field("Unit", "hex", HEX, place=True, alone=True),
        field("Leader", "side", enum("Side"), fixed=True),
        field("Leader", "hex", HEX, place=True, alone=True),
    ],
)


def initial(kind: str, name: str, values: Mapping[str, int]) -> int | None:
    """The initial value of a field of a piece, as a ruleset would compute it."""
    return (4, 3, 2)[values["type"]] if (kind, name) == ("Unit", "blocks") else None
