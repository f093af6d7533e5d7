"""The JSON Schema of a ruleset's scenarios, generated from the compiled ruleset.

Editors complete and check with it, and :mod:`runtime.scenario.shape` validates with it, so the two
never differ.  ``$comment`` marks what a list of words is (``hex``, an enum …) for the messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from runtime.model import TRUTHS, FieldSpec, RulesetSpec, TypeSpec

SIDE, HEX, GAME = "Side", "Hex", "Game"
#: How ``none`` is written.
NONE_WORD = "none"
#: The keys that stand beside the fields of a piece or a side.
NAME, PREFIX, KIND, COUNT = "name", "prefix", "kind", "count"
#: How many pieces one entry may stand for.
MOST = 500

PROVENANCES = ("rulebook", "published", "house")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INT = re.compile(r"(?:0|[1-9][0-9]*)\Z")
_LINE = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"

#: The labels of all boards.
_LABEL = r"^(([A-Z])\2*[1-9][0-9]{0,2}|[0-9]{4})$"

Schema = dict[str, Any]

_BOOL: Schema = {"anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["yes", "no"]}]}


def set_fields(spec: RulesetSpec, owner: str) -> tuple[FieldSpec, ...]:
    """The fields of *owner* that a scenario may give."""
    return tuple(f for f in spec.fields_of(owner) if f.setup and _sayable(f.type))


def set_names(spec: RulesetSpec, owner: str) -> dict[str, list[FieldSpec]]:
    """The names under which a scenario gives fields of *owner*: one field, or one for each member of the enum
    that it is kept per.
    """
    names: dict[str, list[FieldSpec]] = {}
    for f in set_fields(spec, owner):
        names.setdefault(f.base, []).append(f)
    return names


def other_owners(spec: RulesetSpec) -> tuple[str, ...]:
    """The enums other than Side that own fields a scenario may give."""
    known = {SIDE, HEX, GAME, *spec.kinds}
    owners = dict.fromkeys(f.owner for f in spec.fields if f.owner not in known)
    return tuple(owner for owner in owners if set_fields(spec, owner))


def members(spec: RulesetSpec, enum: str) -> tuple[str, ...]:
    """The members of an enum, of the sides too."""
    return spec.sides if enum == SIDE else spec.enums[enum]


def place_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that a map fills: where a piece of the kind stands."""
    return next((f for f in set_fields(spec, kind) if f.place and f.type.kind == "hex"), None)


def side_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that says whose a piece is: the first fixed one of type Side."""
    return next((f for f in _fixed_enums(spec, kind) if f.type.name == SIDE), None)


def sort_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that says what a piece is: the first one of another enum that is fixed, or that not every
    side sees.
    """
    return next(
        (
            f
            for f in set_fields(spec, kind)
            if f.type.kind == "enum" and f.type.name != SIDE and (f.fixed or f.seen_by)
        ),
        None,
    )


def counted_by_field(spec: RulesetSpec, kind: str) -> bool:
    """Whether ``count`` is a field of the kind, and says nothing of how many pieces there are."""
    return COUNT in set_names(spec, kind)


def counted_fields(spec: RulesetSpec) -> tuple[FieldSpec, ...]:
    """The fields of hexes whose members a roster may count."""
    return tuple(f for f in set_fields(spec, HEX) if f.type.kind == "enum" and f.per is None)


def takes_none(field: FieldSpec) -> bool:
    """Whether the word ``none`` may be given: for optional types, and off the board."""
    return field.type.optional or field.place


def _fixed_enums(spec: RulesetSpec, kind: str) -> list[FieldSpec]:
    return [f for f in set_fields(spec, kind) if f.fixed and f.type.kind == "enum"]


def _sayable(kind: TypeSpec) -> bool:
    """Whether a value of the type can be written in a scenario."""
    if kind.kind == "set":
        return kind.of is not None and kind.of.kind in {"enum", "hex", "piece"}
    return kind.kind in {"int", "bool", "enum", "hex", "piece"}


def schema_for(spec: RulesetSpec, any_board: bool = False) -> Schema:
    """The JSON Schema (2020-12) of scenarios for the ruleset on its board, or with *any_board* on whatever
    board they name.
    """
    return _Maker(spec, any_board).whole()


def _object(properties: Schema, required: list[str] | None = None, **more: Any) -> Schema:
    """A mapping with these keys and no others."""
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    if required:
        made["required"] = required
    return made


def _provenance() -> Schema:
    """One word for the whole, or the parts that come from each place and why."""
    word: Schema = {"type": "string", "enum": list(PROVENANCES), "$comment": "provenance"}
    why: Schema = {"type": "string", "pattern": _LINE}
    parts: Schema = {"type": "object", "additionalProperties": why}
    described = {key: {**parts, "description": f"Parts that are {key}: path, why."} for key in PROVENANCES}
    return {
        "anyOf": [word, _object(described)],
        "description": "Where the scenario comes from: the whole of it, or its parts.",
    }


class _Maker:
    """Makes the schema of one ruleset."""

    def __init__(self, spec: RulesetSpec, any_board: bool) -> None:
        self.spec = spec
        self.any_board = any_board
        self.defs: Schema = {}

    def whole(self) -> Schema:
        """The whole schema."""
        spec = self.spec
        line: Schema = {"type": "string", "pattern": _LINE}
        lines: Schema = {"type": "array", "items": line}
        properties: Schema = {
            "ruleset": {
                "type": "string",
                "enum": [spec.name],
                "description": "The ruleset this scenario is for.",
            },
            "title": {**line, "description": "The scenario's title."},
            "date": {"type": ["string", "integer"], "description": "The date of what it shows."},
            "provenance": _provenance(),
            "sources": {**lines, "description": "Where its numbers were taken from."},
            "notes": {**lines, "description": "Remarks."},
            "switches": _object(
                {name: {**_BOOL, "default": on} for name, on in spec.switches.items()},
                description="Optional rules to turn on or off.",
            ),
        }
        properties["board"] = self.board()
        required = ["ruleset", "title"]
        if set_fields(spec, GAME):
            properties["game"] = self.record(GAME, {}, "Values of the game.")
            required += ["game"] if self.needs(GAME) else []
        properties["sides"] = _object(
            {side: self.side(side) for side in spec.sides},
            list(spec.sides) if self.needs(SIDE) else None,
            description="The sides: their names and values.",
        )
        required += ["sides"] if self.needs(SIDE) else []
        others = other_owners(spec)
        if others:
            needed = [owner for owner in others if self.needs(owner)]
            properties["fields"] = _object(
                {owner: self.enum_fields(owner) for owner in others},
                needed,
                description="Values of enum members.",
            )
            required += ["fields"] if needed else []
        if set_fields(spec, HEX):
            properties["hexes"] = self.hexes()
        if spec.kinds:
            properties["pieces"] = self.pieces()
            properties["roster"] = self.roster()
        properties["map"] = self.map()
        made = _object(properties, required, description=f"A scenario for {spec.name}.")
        return {"$schema": _DIALECT, "title": f"Scenario ({spec.name})", **made, "$defs": self.defs}

    def board(self) -> Schema:
        """The board, where it is not the ruleset's."""
        number = {"type": "integer", "minimum": 1, "maximum": 999}
        rows = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        given = {
            f.name: {"type": ["array", "object"], "description": f"{f.name}: {self.words(f)}"}
            for f in self.spec.map_fields
        }
        fields = _object(given, description="Values of the map fields of hexes: value, list of hexes.")
        meaning = _object(
            {f.name: {"description": f"{f.name}: {self.words(f)}"} for f in self.spec.map_fields}
        )
        legend = {
            "type": "object",
            "additionalProperties": meaning,
            "description": "Characters of the rows, and what they stand for.",
        }
        properties: Schema = {
            "name": {"type": "string", "pattern": _LINE, "description": "What the board is called."},
            "rows": {
                "anyOf": [number, rows],
                "description": "How many rows, or one text per row; a blank has no hex.",
            },
            "columns": {**number, "description": "How many columns."},
            "narrow": {
                "type": "string",
                "enum": ["odd", "even", NONE_WORD],
                "description": "The rows that are one hex shorter.",
            },
            "legend": legend,
            "fields": fields,
            "joins": {"type": "array", "description": "Pairs of hexes that are adjacent without touching."},
            "names": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Names of hexes, by label.",
            },
        }
        for key in ("sources", "notes"):
            properties[key] = {"type": ["string", "array"]}
        properties["provenance"] = _provenance()
        drawn = _object(properties, ["rows"])
        named = [{"type": "string", "enum": list(self.spec.boards)}] if self.spec.boards else []
        return {
            "anyOf": [drawn, *named],
            "description": "The board: a file of the ruleset's boards, or rows and columns.",
        }

    def needs(self, owner: str) -> list[str]:
        """The fields of the owner that must be given."""
        return list(dict.fromkeys(f.base for f in set_fields(self.spec, owner) if f.required))

    def each(self, owner: str, value: Callable[[FieldSpec], Schema]) -> Schema:
        """The fields of an owner by name; those kept per member of an enum with a value for each member."""
        made: Schema = {}
        for name, family in set_names(self.spec, owner).items():
            if family[0].per is None:
                made[name] = value(family[0])
                continue
            names = members(self.spec, family[0].per)
            made[name] = _object(
                {names[f.member]: value(f) for f in family},
                list(names) if family[0].required and owner != HEX else None,
            )
            made[name]["$comment"] = family[0].per
        return made

    def side(self, side: str) -> Schema:
        """The schema of a side."""
        name = {"type": "string", "pattern": _LINE, "description": "How the side is called."}
        prefix = {
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,15}$",
            "description": "What the names of its pieces start with.",
        }
        return self.record(SIDE, {NAME: name, PREFIX: prefix}, f"The side {side}.")

    def record(self, owner: str, properties: Schema, description: str) -> Schema:
        """An owner's fields, each with its value."""
        return _object(
            {**properties, **self.each(owner, self.value)}, self.needs(owner), description=description
        )

    def enum_fields(self, owner: str) -> Schema:
        """Fields of an enum: field, member, value."""
        names = members(self.spec, owner)
        properties = self.each(
            owner, lambda f: _object({m: self.value(f) for m in names}, list(names) if f.required else None)
        )
        return _object(properties, self.needs(owner), description=f"Values of each {owner}.")

    def hexes(self) -> Schema:
        """Fields of hexes: field, value, hexes."""
        return _object(
            self.each(HEX, self.hex_lists), description="Values of hexes: field, value, list of hexes."
        )

    def hex_lists(self, field: FieldSpec) -> Schema:
        """The values of a field of hexes, each with its hexes."""
        hexes = {"type": "array", "items": self.word_ref(HEX, False)}
        kind = field.type.of if field.type.kind == "set" and field.type.of else field.type
        made: Schema = {"type": "object", "$comment": "values", "additionalProperties": False}
        if kind.kind == "int":
            made["patternProperties"] = {"^-?(0|[1-9][0-9]{0,14})$": hexes}
        elif kind.kind == "piece":
            made["additionalProperties"] = hexes
        else:
            words = {"bool": TRUTHS, "hex": self.spec.board.labels}.get(kind.kind)
            words = tuple(words) if words is not None else members(self.spec, kind.name)
            none = (NONE_WORD,) if takes_none(field) and kind is field.type else ()
            made["properties"] = dict.fromkeys((*words, *none), hexes)
            if kind.kind == "hex" and self.any_board:
                made["patternProperties"] = {_LABEL: hexes}
        if kind is not field.type and kind.kind == "hex":
            pairs = {
                "type": "array",
                "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": self.word_ref(HEX, False)},
            }
            made = {"anyOf": [made, pairs]}
        return {**made, "description": f"{field.name}: {self.words(field)}"}

    def pieces(self) -> Schema:
        """The pieces of each kind."""
        properties = {
            kind: {"type": "array", "items": self.entry(kind, False), "description": f"Pieces: {kind}."}
            for kind in self.spec.kinds
        }
        return _object(
            properties, description="The pieces. One field of an entry may be a list: one piece for each."
        )

    def entry(self, kind: str, mapped: bool) -> Schema:
        """An entry of a piece list, or of the legend (*mapped*: the map gives the place)."""
        place = place_field(self.spec, kind) if mapped else None
        properties: Schema = {KIND: True} if mapped else {}
        properties[NAME] = {"type": "string", "pattern": _LINE, "description": "The piece's own name."}
        if not mapped:
            description = "How many such pieces there are, all alike."
            properties[COUNT] = {"type": "integer", "minimum": 1, "maximum": MOST, "description": description}
        own = self.each(
            kind,
            lambda f: self.value(f) if mapped or f.type.kind == "set" or f.per else self.many(self.value(f)),
        )
        required = self.needs(kind)
        if place is not None:
            del own[place.name]
            required = [name for name in required if name != place.name]
        return _object({**properties, **own}, required)

    def many(self, value: Schema) -> Schema:
        """A value or a list of such values."""
        listed = {
            "type": "array",
            "minItems": 1,
            "items": {k: v for k, v in value.items() if k != "description"},
        }
        return {"anyOf": [value, listed]}

    def map(self) -> Schema:
        """The map: a legend and rows."""
        kinds = [kind for kind in self.spec.kinds if place_field(self.spec, kind)]
        cases = {kind: self.entry(kind, True) for kind in kinds}
        if set_fields(self.spec, HEX):
            cases[HEX] = self.record(HEX, {KIND: True}, "Values of the hex itself.")
            cases[HEX].pop("required", None)
        entry = {
            "type": "object",
            "properties": {KIND: {"type": "string", "enum": list(cases), "$comment": "kind"}},
            "required": [KIND],
            "allOf": [
                {"if": {"properties": {KIND: {"const": kind}}, "required": [KIND]}, "then": then}
                for kind, then in cases.items()
            ],
        }
        legend = {
            "type": "object",
            "propertyNames": {"type": "string", "pattern": r"^[^\s.\x00-\x1f\x7f][^\s\x00-\x1f\x7f]*$"},
            "additionalProperties": {"anyOf": [entry, {"type": "array", "minItems": 1, "items": entry}]},
            "description": (
                "What each symbol stands for: one entry or a list of them. '.' stands for nothing."
            ),
        }
        rows = {
            "type": "array",
            "items": {"type": "string"},
            "description": "One text per row of the board, its cells separated by spaces.",
        }
        return _object(
            {"legend": legend, "rows": rows}, ["legend", "rows"], description="A map of the set-up."
        )

    def roster(self) -> Schema:
        """Control sums of each kind."""
        properties = {}
        for kind in self.spec.kinds:
            sums: Schema = {"type": "integer", "minimum": 0}
            for f in (sort_field(self.spec, kind), side_field(self.spec, kind)):
                if f is not None:
                    sums = {
                        **_object(dict.fromkeys(members(self.spec, f.type.name), sums)),
                        "$comment": "values",
                    }
            properties[kind] = {**sums, "description": f"How many pieces of {kind} there are."}
        number: Schema = {"type": "integer", "minimum": 0}
        counted = {
            f.name: {**_object(dict.fromkeys(members(self.spec, f.type.name), number)), "$comment": "values"}
            for f in counted_fields(self.spec)
        }
        if counted:
            properties[HEX] = _object(counted, description="How many hexes of each sort there are.")
        return _object(properties, description="Totals for checking: they must agree with the pieces.")

    def value(self, field: FieldSpec) -> Schema:
        """A value of a field."""
        return {
            **self.type(field.type, takes_none(field)),
            "description": f"{field.name}: {self.words(field)}",
        }

    def type(self, kind: TypeSpec, none: bool) -> Schema:
        """A value of a type."""
        if kind.kind == "set" and kind.of is not None:
            return {"type": "array", "items": self.type(kind.of, False), "uniqueItems": True}
        if kind.kind == "int":
            number = {"type": "integer"}
            return {"anyOf": [number, {"type": "string", "enum": [NONE_WORD]}]} if none else number
        if kind.kind == "bool":
            return _BOOL
        if kind.kind == "piece":
            return {"type": "string"}
        return self.word_ref(HEX if kind.kind == "hex" else kind.name, none)

    def word_ref(self, name: str, none: bool) -> Schema:
        """A reference to the list of hexes or of the members of an enum."""
        key = name + ("OrNone" if none else "")
        if key not in self.defs:
            labels = tuple(self.spec.board.labels) if name == HEX else members(self.spec, name)
            words: list[str | int] = [*labels, *([NONE_WORD] if none else [])]
            # a label such as 1213 is a number to YAML
            numbers = [int(label) for label in labels if _INT.match(label)]
            made: Schema = {"type": ["string", "integer"] if numbers else "string", "enum": words + numbers}
            made["$comment"] = "hex" if name == HEX else name
            if name == HEX and self.any_board:
                made = {"anyOf": [made, {"type": made["type"], "pattern": _LABEL}], "$comment": "hex"}
            if name != HEX:
                made["description"] = ", ".join(self.gloss(name, member) for member in labels[:60])
            self.defs[key] = made
        return {"$ref": f"#/$defs/{key}"}

    def gloss(self, enum: str, member: str) -> str:
        """A member with its wording, where that says more."""
        text = self.spec.text(f"{enum}.{member}", default=member)
        return member if text == member else f"{member} ({text})"

    def words(self, field: FieldSpec) -> str:
        """The type of a field in words."""
        kind = field.type.of if field.type.kind == "set" and field.type.of is not None else field.type
        word = {"int": kind.name or "whole number", "bool": "true or false", "hex": "hex"}.get(
            kind.kind, kind.name
        )
        word = f"list of {word}" if kind is not field.type else word
        return word + (f", or {NONE_WORD}" if takes_none(field) else "")
