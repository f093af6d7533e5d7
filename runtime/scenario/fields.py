"""The fields that a scenario may give, and the words and keys with which it does."""

from __future__ import annotations

from runtime.model import FieldSpec, RulesetSpec, TypeSpec

SIDE, HEX, GAME = "Side", "Hex", "Game"
#: How ``none`` is written.
NONE_WORD = "none"
#: The keys that stand beside the fields of a piece or a side.
NAME, PREFIX, KIND, COUNT = "name", "prefix", "kind", "count"
#: The key of a group of pieces that says what stands where.
AT = "at"
#: How many pieces one entry may stand for.
MOST = 500
PROVENANCES = ("rulebook", "published", "house")


def set_fields(spec: RulesetSpec, owner: str) -> tuple[FieldSpec, ...]:
    """The fields of *owner* that a scenario may give."""
    return tuple(f for f in spec.fields_of(owner) if f.setup and _sayable(f.type))


def set_names(spec: RulesetSpec, owner: str) -> dict[str, list[FieldSpec]]:
    """The names under which a scenario gives fields of *owner*, each with its field or fields."""
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


def strength_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that says how strong a piece is: the first number that does not begin with a
    constant.
    """
    numbers = (f for f in spec.fields_of(kind) if f.type.kind == "int")
    return next((f for f in numbers if f.initial is None), None)


def side_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that says whose a piece is: the first fixed one of type Side."""
    return next((f for f in _fixed_enums(spec, kind) if f.type.name == SIDE), None)


def sort_field(spec: RulesetSpec, kind: str) -> FieldSpec | None:
    """The field that says what a piece is: of the first other enum that is fixed or hidden."""
    return next(
        (
            f
            for f in set_fields(spec, kind)
            if f.type.kind == "enum" and f.type.name != SIDE and (f.fixed or f.seen_by)
        ),
        None,
    )


def can_be_grouped(spec: RulesetSpec, kind: str) -> bool:
    """Whether pieces of the kind can be given by groups: by what they are and where they stand."""
    return place_field(spec, kind) is not None and sort_field(spec, kind) is not None


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


def refers(type_: TypeSpec) -> bool:
    """Whether values of the type are pieces."""
    return type_.kind == "piece" or (type_.of is not None and type_.of.kind == "piece")
