"""The shapes of scenarios, of boards, and of what says where their parts come from.

``grognard schema`` prints the shape of a ruleset's scenarios for editors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Sequence as Items
from dataclasses import replace
from functools import lru_cache

from runtime.data.json_schema import Schema, json_schema
from runtime.data.shapes import (
    FORM,
    LINE,
    VALUE,
    WORDED,
    Either,
    List,
    Number,
    Record,
    Shape,
    Switch,
    Text,
    Truth,
    Word,
)
from runtime.model import TRUTHS, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import (
    AT,
    COUNT,
    GAME,
    HEX,
    KIND,
    MOST,
    NAME,
    NONE_WORD,
    PREFIX,
    PROVENANCES,
    SIDE,
    can_be_grouped,
    counted_fields,
    members,
    other_owners,
    place_field,
    set_fields,
    set_names,
    side_field,
    sort_field,
    takes_none,
)
from runtime.spelling import did_you_mean, odd, plain
from runtime.words.said import OR, join_with_sign, join_with_word, said

#: The code of each sort of fault in a scenario; all of a board have one code.
CODES = {"key": "S111", "missing": "S112", "kind": "S113", "value": "S114", "form": "S115"}
BOARD_CODES = dict.fromkeys(CODES, "S220")

#: The labels of all boards.
_LABEL = r"^(([A-Z])\2*[1-9][0-9]{0,2}|[0-9]{4})$"
_LINE = Text(pattern=LINE)
_LINES = List(item=_LINE)
_COUNT = Number(least=0)
_SHARE = Text(
    types=(int, float),
    pattern=r"^(0|1|[01]?\.[0-9]+)$",
    want="a share from 0 to 1",
    wrong="{it} is no share from 0 to 1",
    remedy="write 0.55 for 55 of 100",
)
#: What others call the keys of a scenario.
_CALLED = {
    "name": "title",
    "description": "notes",
    "author": "sources",
    "units": "pieces",
    "players": "sides",
}
#: Owners of fields that have a key of their own.
_OWN_KEYS = {GAME: "game", SIDE: "sides", HEX: "hexes"}
#: What a board of a scenario takes from that of the ruleset.
_DECLARED = ("layout", "letters", "numbers")
_NOT_SET = "the rules set it; a field that scenarios give is declared with 'setup'"
_MAPPED = "the board's file gives it (or 'board: …' here)"


def schema_for(spec: RulesetSpec, any_board: bool = False) -> Schema:
    """The JSON Schema of scenarios on the ruleset's board, or with *any_board* on any."""
    return json_schema(scenario_shape(spec, any_board), f"Scenario ({spec.name})")


@lru_cache(maxsize=8)
def scenario_shape(spec: RulesetSpec, any_board: bool = False) -> Record:
    """The shape of scenarios for a ruleset on its board; with *any_board* any label is a hex."""
    return _Maker(spec, any_board).whole()


def provenance_shape() -> Shape:
    """One word for the whole, or the parts that come from each place and why."""
    parts = {
        key: Record(rest=_LINE, about=f"Parts that are {key}: path, why.") for key in PROVENANCES
    }
    return Either(
        shapes=(Word(words=PROVENANCES, what="provenance"), Record(keys=parts)),
        about="Where the scenario comes from: the whole of it, or its parts.",
    )


def board_shape(fields: dict[str, str] | None) -> Record:
    """The shape of a board, as a scenario draws it or a file gives it.

    *fields* are the fields of Hex declared with ``map``, each with its type in words; None: any.
    """
    label = Text(types=WORDED, want="the label of a hex")
    labels = Either(shapes=(List(item=label), label))
    pair = List(item=label, least=2, most=2, remedy="write pairs of hexes: [[A1, C6]]")
    given = Either(shapes=(Record(rest=labels), List(item=Either(shapes=(label, pair)))))
    value = Text(types=(str, int, bool), want="a value")
    word_or_list = Either(shapes=(value, List(item=value)))

    def each(shape: Shape, about: str = "") -> Record:
        if fields is None:
            return Record(rest=shape, about=about)
        keys = {f: replace(shape, about=f"{f}: {words}") for f, words in fields.items()}
        return Record(keys=keys, noun="map field of Hex", about=about)

    number = Number(least=1, most=999)
    rows = List(item=Text(blank=True, want="a line of text"), least=1)
    texts = Either(shapes=(Text(), List(item=Text())))
    return Record(
        keys={
            "name": Text(pattern=LINE, about="What the board is called."),
            "rows": Either(
                shapes=(number, rows),
                about="How many rows, or one text per row; a blank has no hex.",
            ),
            "columns": Number(least=1, most=999, about="How many columns."),
            "narrow": Word(
                words=("odd", "even", NONE_WORD), about="The rows that are one hex shorter."
            ),
            "legend": Record(
                rest=each(word_or_list),
                pattern="^.$",
                noun="sign of a legend",
                key_remedy="write a sign of the rows and what it stands for: f: {field: value}",
                about="Characters of the rows, and what they stand for.",
            ),
            "fields": each(given, "Values of the map fields of hexes: value, list of hexes."),
            "joins": List(item=pair, about="Pairs of hexes that are adjacent without touching."),
            "names": Record(rest=_LINE, about="Names of hexes, by label."),
            "sources": texts,
            "provenance": provenance_shape(),
            "notes": texts,
        },
        required=("rows",) if fields is not None else (),
        refused=dict.fromkeys(_DECLARED, "the ruleset says it where it declares its board"),
    )


class _Maker:
    """Makes the shape of one ruleset's scenarios."""

    def __init__(self, spec: RulesetSpec, any_board: bool) -> None:
        self.spec = spec
        self.any_board = any_board
        self.lists: dict[tuple[str, bool], Word] = {}

    def whole(self) -> Record:
        """The whole shape; its keys in the order in which scenarios are written."""
        spec = self.spec
        keys: dict[str, Shape] = {
            "ruleset": Word(words=(spec.name,), about="The ruleset this scenario is for."),
            "title": Text(pattern=LINE, about="The scenario's title."),
            "date": Text(types=WORDED, about="The date of what it shows."),
            "length": Number(
                least=1, most=100_000, about="About how many decisions a game takes, of all sides."
            ),
            "provenance": provenance_shape(),
            "sources": List(item=_LINE, about="Where its numbers were taken from."),
            "notes": List(item=_LINE, about="Remarks."),
            "published": Record(
                keys={
                    "won": Record(
                        keys=dict.fromkeys(spec.sides, _SHARE),
                        noun="side",
                        least=1,
                        about="By side, the share of games that it won, from 0 to 1.",
                    ),
                    "games": Number(least=1, about="How many games that were."),
                    "source": _LINE,
                },
                required=("won", "source"),
                about="Results of games between people, with where they were published.",
            ),
            "switches": Record(
                keys={
                    name: Truth(words=("yes", "no"), default=on)
                    for name, on in spec.switches.items()
                },
                noun="switch",
                sort="S203",
                about="Optional rules to turn on or off.",
            ),
            "board": self.board(),
        }
        required = ["ruleset", "title"]
        if set_fields(spec, GAME):
            keys["game"] = self.record(GAME, {}, "Values of the game.")
            required += ["game"] if self.needs(GAME) else []
        keys["sides"] = Record(
            keys={side: self.side(side) for side in spec.sides},
            required=spec.sides if self.needs(SIDE) else (),
            hints=self.titles(SIDE),
            about="The sides: their names and values.",
        )
        required += ["sides"] if self.needs(SIDE) else []
        if others := other_owners(spec):
            needed = tuple(owner for owner in others if self.needs(owner))
            keys["fields"] = Record(
                keys={owner: self.enum_fields(owner) for owner in others},
                required=needed,
                refused={
                    owner: said("its fields stand under '{key}'", key=key)
                    for owner, key in _OWN_KEYS.items()
                },
                about="Values of enum members.",
            )
            required += ["fields"] if needed else []
        refused = {}
        if set_fields(spec, HEX):
            keys["hexes"] = Record(
                keys=self.field_shapes(HEX, self.hex_lists),
                refused=self.refusals(HEX),
                about="Values of hexes: field, value, list of hexes.",
            )
        elif by_board := ", ".join(f.base for f in spec.map_fields):
            refused["hexes"] = said(
                "the board's file gives the fields of hexes: {by_board}", by_board=by_board
            )
        keys["map"] = self.map()
        if spec.kinds:
            keys["pieces"] = self.pieces()
            keys["roster"] = self.roster()
        about = f"A scenario for {spec.name}."
        hints = {
            word: said("did you mean '{similar}'?", similar=key) for word, key in _CALLED.items()
        }
        return Record(
            keys=keys, required=tuple(required), refused=refused, hints=hints, about=about
        )

    def board(self) -> Shape:
        """The board, where it is not the ruleset's."""
        drawn = board_shape({f.name: type_words(f) for f in self.spec.map_fields})
        named = (Word(words=tuple(self.spec.boards)),) if self.spec.boards else ()
        about = "The board: a file of the ruleset's boards, or rows and columns."
        return Either(shapes=(drawn, *named), about=about)

    def needs(self, owner: str) -> tuple[str, ...]:
        """The fields of the owner that must be given."""
        return tuple(dict.fromkeys(f.base for f in set_fields(self.spec, owner) if f.required))

    def refusals(self, owner: str) -> dict[str, str]:
        """Why a scenario does not give the other fields of an owner."""
        known = set_names(self.spec, owner)
        others = (f for f in self.spec.fields if f.owner == owner and f.base not in known)
        return {f.base: _NOT_SET if f.values is None else _MAPPED for f in others}

    def field_shapes(self, owner: str, value: Callable[[FieldSpec], Shape]) -> dict[str, Shape]:
        """The fields of an owner by name; those per member with a value for each member."""
        shapes: dict[str, Shape] = {}
        for name, family in set_names(self.spec, owner).items():
            if family[0].per is None:
                shapes[name] = value(family[0])
                continue
            names = members(self.spec, family[0].per)
            shapes[name] = Record(
                keys={names[f.member]: value(f) for f in family},
                required=names if family[0].required and owner != HEX else (),
                lacks="S218",
            )
        return shapes

    def side(self, side: str) -> Record:
        """The shape of a side."""
        prefix = Text(
            pattern="^[A-Za-z][A-Za-z0-9_-]{0,15}$",
            wrong="'{it}' cannot be a prefix",
            remedy="a prefix is of letters and digits, a letter first, 16 at most",
            about="What the names of its pieces start with.",
        )
        name = Text(pattern=LINE, about="How the side is called.")
        return self.record(SIDE, {NAME: name, PREFIX: prefix}, f"The side {side}.")

    def record(self, owner: str, keys: dict[str, Shape], about: str) -> Record:
        """An owner's fields, each with its value."""
        return Record(
            keys={**keys, **self.field_shapes(owner, self.value)},
            required=self.needs(owner),
            lacks="S218",
            refused=self.refusals(owner),
            about=about,
        )

    def enum_fields(self, owner: str) -> Record:
        """Fields of an enum: field, member, value."""
        names = members(self.spec, owner)

        def of_each(f: FieldSpec) -> Record:
            keys = {member: self.value(f) for member in names}
            return Record(keys=keys, required=names if f.required else (), lacks="S218")

        keys, about = self.field_shapes(owner, of_each), f"Values of each {owner}."
        return Record(keys=keys, required=self.needs(owner), about=about)

    def hex_lists(self, field: FieldSpec) -> Shape:
        """The values of a field of hexes, each with its hexes."""
        hex_ = self.word(HEX, False)
        hexes = List(item=hex_)
        kind = field.type.of if field.type.kind == "set" and field.type.of else field.type
        about = f"{field.name}: {type_words(field)}"
        if kind.kind == "int":
            return Record(
                rest=hexes,
                pattern="^-?(0|[1-9][0-9]{0,14})$",
                noun="value",
                sort=VALUE,
                key_remedy="write a whole number",
                about=about,
            )
        if kind.kind == "piece":
            return Record(rest=hexes, about=about)
        words = {"bool": TRUTHS, "hex": self.spec.board.labels}.get(kind.kind)
        words = tuple(words) if words is not None else members(self.spec, kind.name)
        none = (NONE_WORD,) if takes_none(field) and kind is field.type else ()
        other = kind.kind == "hex" and self.any_board
        by_value = Record(
            keys=dict.fromkeys((*words, *none), hexes),
            hints=self.titles(kind.name),
            rest=hexes if other else None,
            pattern=_LABEL if other else "",
            noun="value",
            sort=VALUE,
            about=about,
        )
        if kind is field.type or kind.kind != "hex":
            return by_value
        pair = List(item=hex_, least=2, most=2, remedy="write pairs of hexes: [[A1, C6]]")
        return Either(shapes=(by_value, List(item=pair)), about=about)

    def pieces(self) -> Record:
        """The pieces of each kind."""
        about = "The pieces. One field of an entry may be a list: one piece for each."
        kinds = {kind: self.pieces_of(kind) for kind in self.spec.kinds}
        return Record(keys=kinds, hints=self.parents(), about=about)

    def pieces_of(self, kind: str) -> Shape:
        """The pieces of a kind: a list of entries, or groups by name."""
        about = f"Pieces: {kind}."
        entries = List(item=self.entry(kind, False), about=about)
        if not can_be_grouped(self.spec, kind):
            return entries
        group = self.group(kind)
        one_or_several = Either(shapes=(group, List(item=group, least=1)))
        named = Record(rest=one_or_several, pattern=LINE, noun="name of a group")
        return Either(shapes=(entries, named), about=about)

    def group(self, kind: str) -> Record:
        """A group of pieces: what they have in common, and what stands where."""
        place, sort = place_field(self.spec, kind), sort_field(self.spec, kind)
        assert place is not None and sort is not None
        own = self.field_shapes(kind, self.value)
        required = [name for name in self.needs(kind) if name not in (place.name, sort.name)]
        of_sort = self.value(sort)
        several = Either(shapes=(of_sort, List(item=of_sort, least=1)))
        hexes = (*self.spec.board.labels, NONE_WORD)
        at = Record(
            keys=dict.fromkeys(hexes, several),
            rest=several if self.any_board else None,
            pattern=_LABEL if self.any_board else "",
            noun="hex",
            sort="S201",
            about=f"What stands where: each hex with one {sort.name} or a list of them.",
        )
        why = said("a group says it under '{at}'", at=AT)
        refused = {place.name: why, sort.name: why, **self.refusals(kind)}
        for name in (place.name, sort.name):
            del own[name]
        return Record(keys={**own, AT: at}, required=(*required, AT), lacks="S218", refused=refused)

    def parents(self) -> dict[str, str]:
        """What to write for the common parents of kinds."""
        return {
            name: said(
                "no piece is only a {name}: write {kinds}",
                name=name,
                kinds=join_with_word(OR, kinds),
            )
            for name, kinds in self.spec.parents.items()
        }

    def entry(self, kind: str, mapped: bool) -> Record:
        """An entry of a piece list, or of the legend (*mapped*: the map gives the place)."""
        place = place_field(self.spec, kind) if mapped else None
        keys: dict[str, Shape] = {KIND: Shape()} if mapped else {}
        keys[NAME] = Text(pattern=LINE, about="The piece's own name.")
        if not mapped:
            about = "How many such pieces there are, all alike."
            keys[COUNT] = Number(least=1, most=MOST, about=about)

        def one_or_many(f: FieldSpec) -> Shape:
            value = self.value(f)
            if mapped or f.type.kind == "set" or f.per:
                return value
            return Either(shapes=(value, List(item=value, least=1)))

        own = self.field_shapes(kind, one_or_many)
        required = self.needs(kind)
        if place is not None:
            del own[place.name]
            required = tuple(name for name in required if name != place.name)
        refused = self.refusals(kind)
        return Record(keys={**keys, **own}, required=required, lacks="S218", refused=refused)

    def map(self) -> Record:
        """The map: a legend and rows."""
        kinds = [kind for kind in self.spec.kinds if place_field(self.spec, kind)]
        cases = {kind: self.entry(kind, True) for kind in kinds}
        if set_fields(self.spec, HEX):
            keys = {KIND: Shape(), **self.field_shapes(HEX, self.value)}
            cases[HEX] = Record(keys=keys, refused=self.refusals(HEX), about="Values of the hex.")
        entry = Switch(key=KIND, what="kind", shapes=cases, hints=self.parents())
        legend = Record(
            rest=Either(shapes=(entry, List(item=entry, least=1))),
            pattern=r"^[^\s.\x00-\x1f\x7f][^\s\x00-\x1f\x7f]*$",
            noun="map symbol",
            sort=FORM,
            key_remedy="a symbol has no spaces and does not start with '.'",
            about="What each symbol stands for: an entry or a list of them. '.' is for nothing.",
        )
        rows = List(
            item=Text(blank=True),
            about="One text per row of the board, its cells separated by spaces.",
        )
        keys_of_map: dict[str, Shape] = {"legend": legend, "rows": rows}
        required = ("legend", "rows")
        return Record(keys=keys_of_map, required=required, about="A map of the set-up.")

    def roster(self) -> Record:
        """Control sums of each kind."""

        def by_member(enum: str, shape: Shape) -> Record:
            return Record(
                keys=dict.fromkeys(members(self.spec, enum), shape), noun="value", sort=VALUE
            )

        keys: dict[str, Shape] = {}
        for kind in self.spec.kinds:
            sums: Shape = _COUNT
            for f in (sort_field(self.spec, kind), side_field(self.spec, kind)):
                sums = sums if f is None else by_member(f.type.name, sums)
            keys[kind] = replace(sums, about=f"How many pieces of {kind} there are.")
        counted = {f.name: by_member(f.type.name, _COUNT) for f in counted_fields(self.spec)}
        if counted:
            keys[HEX] = Record(keys=counted, about="How many hexes of each sort there are.")
        about = "Totals for checking: they must agree with the pieces."
        return Record(keys=keys, hints=self.parents(), about=about)

    def value(self, field: FieldSpec) -> Shape:
        """A value of a field."""
        about = f"{field.name}: {type_words(field)}"
        return self.type(field.type, takes_none(field), about)

    def type(self, kind: TypeSpec, none: bool, about: str = "") -> Shape:
        """A value of a type."""
        if kind.kind == "set" and kind.of is not None:
            return List(item=self.type(kind.of, False), unique=True, about=about)
        if kind.kind == "int":
            number = Number(about=about)
            return (
                Either(shapes=(number, Word(words=(NONE_WORD,))), about=about) if none else number
            )
        if kind.kind == "bool":
            return Truth(words=("yes", "no"), about=about)
        if kind.kind == "piece":
            return Text(about=about)
        return Either(
            shapes=(self.word(HEX if kind.kind == "hex" else kind.name, none),), about=about
        )

    def word(self, name: str, none: bool) -> Word:
        """A hex, or a member of an enum."""
        if (name, none) in self.lists:
            return self.lists[name, none]
        labels = tuple(self.spec.board.labels) if name == HEX else members(self.spec, name)
        words = (*labels, NONE_WORD) if none else labels
        word = Word(
            words=dict.fromkeys(words),
            what=name,
            # a label such as 1213 is a number to YAML
            numbers=any(label.isdecimal() for label in labels),
            name=name + ("OrNone" if none else ""),
            sort="S201" if name == HEX else VALUE,
            unknown=(lambda text: no_hex(text, labels, none)) if name == HEX else None,
            hints=self.titles(name),
            pattern=_LABEL if name == HEX and self.any_board else "",
            about=", ".join(self.gloss(name, m) for m in labels[:60]) if name != HEX else "",
        )
        self.lists[name, none] = word
        return word

    def titles(self, enum: str) -> dict[str, str]:
        """What to write for the members of an enum where somebody writes what players read."""
        names = self.spec.enums.get(enum, ())
        return {
            plain(text): said("did you mean '{similar}'?", similar=member)
            for texts in self.spec.texts.values()
            for member in names
            if (text := texts.get(f"{enum}.{member}"))
        }

    def gloss(self, enum: str, member: str) -> str:
        """A member with its wording, where that says more."""
        text = self.spec.text(f"{enum}.{member}", default=member)
        return member if text == member else f"{member} ({text})"


def type_words(field: FieldSpec) -> str:
    """The type of a field in words."""
    of = field.type.of if field.type.kind == "set" else None
    kind = of or field.type
    words = {"int": kind.name or "whole number", "bool": "true or false", "hex": "hex"}
    word = words.get(kind.kind, kind.name)
    return (
        ("list of " if of else "")
        + word
        + (said(", or {none_word}", none_word=NONE_WORD) if takes_none(field) else "")
    )


def no_hex(text: str, labels: Items[str], none: bool = False) -> tuple[str, str]:
    """That a board has no such hex, and what to write."""
    nearest = nearest_hex(text, labels)
    known = (
        said("the nearest is {nearest}", nearest=nearest)
        if nearest
        else said("hexes are {first} to {last}", first=labels[0], last=labels[-1])
    )
    if none:
        known += said(", or {none_word} for nowhere", none_word=NONE_WORD)
        known = did_you_mean(text, [NONE_WORD]) or known
    several = re.split(r"[\s,;]+|[-–:]|\.\.", text)
    if len(several) > 1 and set(several) <= set(labels):
        each = ", ".join(several)
        known = said("name each hex, with commas between them: [{each}]", each=each)
    remedy = join_with_sign("; ", filter(None, (odd(text), known)))
    return said("there is no hex {text} on the board", text=text or "(nothing)"), remedy


_LETTERS = re.compile(r"([A-Za-z]+)[-. ]?0*([0-9]+)\Z")
_TURNED = re.compile(r"([0-9]+)[-. ]?([A-Za-z]+)\Z")


def nearest_hex(text: str, labels: Items[str]) -> str | None:
    """The label that was most probably meant."""
    if turned := _TURNED.match(text):
        text = turned[2] + turned[1]
    folded = {label.casefold(): label for label in labels}
    if text.casefold() in folded:
        return folded[text.casefold()]
    if text.isdecimal() and not any(label.isdecimal() for label in labels):
        return None
    pairs = {label: pair for label in labels if (pair := _pair(label, len(label)))}
    width = max((len(label) for label in labels), default=0)
    sought = _pair(text.zfill(width) if text.isdecimal() else text, width)
    if sought is None or not pairs:
        return None

    def far(label: str) -> tuple[int, str]:
        """How far a label is from the one sought; its first half is trusted more."""
        first, second = pairs[label]
        return abs(first - sought[0]) * 2 + abs(second - sought[1]), label

    return min(pairs, key=far)


def _pair(label: str, width: int) -> tuple[int, int] | None:
    """A label as two numbers."""
    if match := _LETTERS.match(label):
        rank = 0
        for letter in match[1].upper()[:4]:
            rank = rank * 26 + ord(letter) - ord("A") + 1
        return rank, int(match[2][:9])
    if label.isascii() and label.isdecimal() and width >= 2:
        half = width // 2
        return int(label[:half]), int(label[half:][:9])
    return None
