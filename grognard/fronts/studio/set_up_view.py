"""What set-up mode shows of a scenario, as plain data: the board as it is drawn at the table, what
can be put on it, what stands there, and what is found wrong, each with its place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grognard.draw.edges import LINE
from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.editing.set_up.sheet import Sheet
from grognard.retelling.frames import Frames
from runtime.bitsets import bits
from runtime.data.findings import Finding
from runtime.data.reader import Node
from runtime.games.wording import wording_for
from runtime.model import NONE, FieldSpec, TypeSpec, zero
from runtime.program import CompiledProgram
from runtime.scenario.fields import (
    GAME,
    HEX,
    NAME,
    PREFIX,
    SIDE,
    members,
    other_owners,
    place_field,
    set_fields,
    side_field,
    sort_field,
    takes_none,
)
from runtime.scenario.names import Draft
from runtime.scenario.setup import PieceSetUp, SetUp

Data = dict[str, Any]
_LINE = "M-14,0L14,0"
_WORD = re.compile(r"[\w.-]*\w")


@dataclass
class SetUpView:
    """A scenario that can be read, with the *program* of its rules and the *style* of its looks."""

    sheet: Sheet
    program: CompiledProgram
    style: Style

    def __post_init__(self) -> None:
        self.setup = self.sheet.laid.setup
        self.program = self.program.on(self.setup.board)
        self.spec = self.program.spec
        wording = wording_for(self.spec, self.setup)
        self.scene = Scene(self.spec, self.setup, wording, self.style, self.program.value)
        self.frames = Frames(self.scene)
        self.numbers: dict[str, list[Draft]] = {
            kind: [d for d in self.sheet.laid.drafts if d.kind == kind] for kind in self.spec.kinds
        }

    def data(self, findings: Iterable[Finding]) -> Data:
        """All of it.  StyleError."""
        moment = _moment_data(self.frames, self.program, self.setup)
        self._drawn = self.frames.drawing
        grounds = [*self._grounds()]  # before the drawing is told, to which they may add patterns
        return {
            "title": self.setup.title,
            "length": self.setup.length,
            "drawing": {**self.frames.data(), "moment": moment},
            "neighbors": self._neighbors(),
            "sides": [
                {"side": side, "words": name, "fill": self._fill(number)}
                for number, (side, name) in enumerate(
                    zip(self.spec.sides, self.scene.side_names, strict=True)
                )
            ],
            "pieces": [self._piece(draft) for draft in self.sheet.laid.drafts],
            "hexes": self._hexes(),
            "grounds": grounds,
            "kinds": [self._kind(kind) for kind in self.spec.kinds],
            "owners": [*self._owners()],
            "switches": [
                {
                    "name": name,
                    "words": self._words(f"switch.{name}", name),
                    "on": self.setup.switches.get(name, usual),
                }
                for name, usual in self.spec.switches.items()
            ],
            "findings": [self._finding(one) for one in findings],
        }

    def _words(self, key: str, name: str) -> str:
        return self.scene.wording.text(key, default=name.replace("_", " "))

    def _fill(self, side: int) -> str:
        return self._drawn.picture.side_fill(side)

    # ------------------------------------------------------------------ the board

    def _neighbors(self) -> dict[str, list[str]]:
        """By hex those that touch it, or are joined to it."""
        board = self.spec.board
        return {
            board.label(h): [board.label(other) for other in board.neighbors[h]]
            for h in range(board.size)
        }

    def _hexes(self) -> dict[str, dict[str, Any]]:
        """The values of hexes by field and label, where they are not the usual ones."""
        found: dict[str, dict[str, Any]] = {}
        for f in self._hex_fields:
            blank = self.sheet.blank(f)
            values = ((h, self.sheet.value_on(f, h)) for h in range(self.spec.board.size))
            found[f.name] = {
                self.spec.board.label(h): self.word(f.type, value)
                for h, value in values
                if value != blank
            }
        return found

    # ------------------------------------------------------------------ what can be put there

    @cached_property
    def _hex_fields(self) -> list[FieldSpec]:
        fields = (*set_fields(self.spec, HEX), *self.spec.map_fields)
        return [*{f.name: f for f in fields}.values()]

    def _grounds(self) -> Iterator[Data]:
        """The fields of hexes with what they look like."""
        styled = {f.name for f in self._drawn.picture.hex_fields()}
        for f in self._hex_fields:
            inner = f.type.of or f.type
            hexsides = f.type.kind == "set" and inner.kind == "hex"
            field = self._field(f)
            if hexsides:
                field["swatch"] = self._line(f.name)
            elif f.name in styled:
                for option in field["options"]:
                    look = self._drawn.picture.look(f, option["word"])
                    option["swatch"] = self._drawn.swatch(look) if look else ""
            in_board = f.values is not None
            yield {**field, "hexsides": hexsides, "map": in_board}

    def _line(self, name: str) -> str:
        """A bit of the line that a field draws."""
        for section, draw in (("hexsides", self._drawn.line), ("ways", self._drawn.way)):
            look = self.style.part(section).get(name)
            if look is not None:
                return draw(_LINE, look)
        return self._drawn.line(_LINE, {"color": LINE, "dash": "3 3"})

    def _field(self, f: FieldSpec) -> Data:
        """A field: what it is called, and what it can hold."""
        inner = f.type.of or f.type
        options = []
        if inner.kind == "enum":
            words = members(self.spec, inner.name)
            options = [
                {"word": word, "words": self.scene.member(inner.name, number)}
                for number, word in enumerate(words)
            ]
        return {
            "field": f.name,
            "words": self.scene.field_name(f),
            "type": inner.kind,
            "set": f.type.kind == "set",
            "options": options,
            "kinds": list(self.spec.kinds_of(inner.name)) if inner.kind == "piece" else [],
            "none": takes_none(f) and inner.kind != "piece",
            "required": f.required,
            "usual": None if f.initial is None else self.word(f.type, f.initial),
        }

    def _kind(self, kind: str) -> Data:
        """A kind of pieces: its fields, and a counter for each sort of each side."""
        spec = self.spec
        known = (place_field(spec, kind), side_field(spec, kind), sort_field(spec, kind))
        place, side, sort = (None if f is None else f.name for f in known)
        facing = self.style.part("pieces", kind).get("facing")
        turned = facing.get("by") if isinstance(facing, dict) else facing
        fields = set_fields(spec, kind)
        return {
            "kind": kind,
            "words": self._words(f"piece.{kind}", kind.lower()),
            "place": place,
            "side": side,
            "sort": sort,
            "facing": turned if turned in {f.name for f in fields} else None,
            "fields": [self._field(f) for f in fields],
            "grouped": any(d.grouped for d in self.numbers[kind]),
            **self._templates(kind),
        }

    def _templates(self, kind: str) -> Data:
        """A counter for each sort of each side: the values that it has, and how it looks."""
        spec = self.spec
        side, sort = side_field(spec, kind), sort_field(spec, kind)
        sides = range(len(spec.sides)) if side is not None else (NONE,)
        sorts = range(len(members(spec, sort.type.name))) if sort is not None else (NONE,)
        drafts, pieces, templates = self.numbers[kind], [], []
        for number in sides:
            of_side = [d for d in drafts if side is None or d.values.get(side.name) == number]
            for one in sorts:
                alike = [d for d in of_side if sort is None or d.values.get(sort.name) == one]
                values = self._values(kind, [*alike, *of_side, *drafts])
                if side is not None:
                    values[side.name] = number
                if sort is not None:
                    values[sort.name] = one
                name = kind if sort is None else self.scene.member(sort.type.name, one)
                pieces.append(PieceSetUp(name, values))
                fields = [
                    [f.name, self.word(f.type, values[f.name])]
                    for f in _given_fields(spec, kind, values)
                ]
                said = {"side": number, "words": name, "used": bool(alike), "fields": fields}
                templates.append(said)
        setup = replace(self.setup, pieces={**dict.fromkeys(spec.kinds, ()), kind: tuple(pieces)})
        if place_field(spec, kind) is None:
            return {"templates": templates, "looks": [], "defs": []}
        wording = wording_for(spec, setup)
        frames = Frames(replace(self.scene, setup=setup, wording=wording))
        for slot, look, *_ in _moment_data(frames, self.program, setup)["p"]:
            templates[slot]["look"] = look
        told = frames.growing()
        return {"templates": templates, "looks": told["looks"], "defs": told["defs"]}

    def _values(self, kind: str, models: list[Draft]) -> dict[str, int]:
        """What must be given of a new piece: as the first of its models has it."""
        place = place_field(self.spec, kind)
        values = {}
        for f in set_fields(self.spec, kind):
            if f is place:
                values[f.name] = NONE
            elif f.required:
                first = 0 if f.type.kind in ("int", "enum", "bool", "set") else NONE
                known = (d.values[f.name] for d in models if f.name in d.values)
                values[f.name] = next(known, first)
        return values

    # ------------------------------------------------------------------ what there is

    def word(self, kind: TypeSpec, value: int) -> Any:
        """A value as scenarios write it; of a set the words of its members."""
        if kind.kind == "set" and kind.of is not None:
            return [self.word(kind.of, member) for member in bits(value)]
        if kind.kind == "piece" and value >= 0:
            return self.setup.pieces_of(self.spec.kinds_of(kind.name))[value].name
        return self.sheet.word(kind, value)

    def _written_values(self, owner: str, values: dict[str, int]) -> Data:
        fields = {f.name: f for f in set_fields(self.spec, owner)}
        return {name: self.word(fields[name].type, value) for name, value in values.items()}

    def _piece(self, draft: Draft) -> Data:
        """A piece, with its place in the text."""
        place = place_field(self.spec, draft.kind)
        h = draft.values.get(place.name, NONE) if place is not None else NONE
        own = self.numbers[draft.kind].index(draft)
        return {
            "name": draft.name,
            "words": self.scene.piece_name(draft.kind, own),
            "kind": draft.kind,
            "hex": self.spec.board.label(h) if h >= 0 else None,
            "fields": self._written_values(draft.kind, draft.values),
            "named": NAME in draft.nodes,
            "grouped": draft.grouped,
            "pool": draft.pool,
            "line": draft.entry.line,
        }

    def _owners(self) -> Iterator[Data]:
        """What the game, the sides and members of other enums have, beside pieces and hexes."""
        game = [self._field(f) for f in set_fields(self.spec, GAME)]
        if game:
            values = self._written_values(GAME, self.setup.game)
            whole = [{"member": "", "words": "", "values": values}]
            yield {"owner": GAME, "words": "Game", "fields": game, "members": whole}
        for owner in (SIDE, *other_owners(self.spec)):
            given = self.setup.fields.get(owner, {})
            fields = set_fields(self.spec, owner)
            kept = []
            for number, member in enumerate(members(self.spec, owner)):
                values = {
                    f.name: given[f.name][number] for f in fields if number in given.get(f.name, {})
                }
                said = self._written_values(owner, values)
                if owner == SIDE:
                    for key in (NAME, PREFIX):
                        said[key] = self.sheet.yaml.word(("sides", member, key))
                kept.append(
                    {"member": member, "words": self.scene.member(owner, number), "values": said}
                )
            yield {
                "owner": owner,
                "words": owner,
                "fields": [*(_TEXTS if owner == SIDE else ()), *map(self._field, fields)],
                "members": kept,
            }

    # ------------------------------------------------------------------ what is found

    @cached_property
    def _places(self) -> dict[tuple[int, int], list[tuple[str, str]]]:
        """What the places of the text are about: pieces and hexes."""
        found: dict[tuple[int, int], list[tuple[str, str]]] = {}

        def keep(node: Node, sort: str, name: str) -> None:
            about = found.setdefault((node.line, node.column), [])
            if (sort, name) not in about:
                about.append((sort, name))

        for draft in self.sheet.laid.drafts:
            for node in (draft.entry, *draft.nodes.values()):
                keep(node, "pieces", draft.name)
        for (_, h, _), node in self.sheet.laid.hex_nodes.items():
            keep(node, "hexes", self.spec.board.label(h))
        return found

    def _finding(self, finding: Finding) -> Data:
        """A finding, with the pieces and hexes that it is about."""
        about = [*self._places.get((finding.line, finding.column), ())]
        for place, _ in finding.labels:
            about += self._places.get((place.line, place.column), ())
        named = set(_WORD.findall(finding.message))
        names = [d.name for d in self.sheet.laid.drafts if d.name in named]
        return {
            **fault(finding),
            "pieces": [*dict.fromkeys([n for sort, n in about if sort == "pieces"] + names)],
            "hexes": [*dict.fromkeys(n for sort, n in about if sort == "hexes")],
        }


_TEXTS = [
    {"field": NAME, "words": "called", "type": "text", "set": False, "usual": None},
    {"field": PREFIX, "words": "prefix", "type": "text", "set": False, "usual": None},
]


def fault(finding: Finding) -> Data:
    """A finding by itself."""
    return {
        "text": finding.message,
        "remedy": finding.remedy,
        "severity": finding.severity,
        "line": finding.line,
        "pieces": [],
        "hexes": [],
    }


def _given_fields(spec: Any, kind: str, values: dict[str, int]) -> list[FieldSpec]:
    """The fields that a new piece is given, but its place."""
    place = place_field(spec, kind)
    return [f for f in set_fields(spec, kind) if f.name in values and f is not place]


def _moment_data(frames: Frames, program: CompiledProgram, setup: SetUp) -> Data:
    """A set-up as the one moment of a drawing, as the pages at the table take it."""
    below, edges, above, spots = frames.frame(
        program.new_state(_completed(program, setup), 0), None
    )
    moved = [[slot, *spot] for slot, spot in spots.items()]
    return {"b": below, "e": edges, "v": above, "p": moved}


def _completed(program: CompiledProgram, setup: SetUp) -> SetUp:
    """A set-up in which nothing is missing that must be given."""
    pieces = {
        kind: tuple(replace(one, values={**_zeros(program, kind), **one.values}) for one in some)
        for kind, some in setup.pieces.items()
    }
    return replace(setup, pieces=pieces)


def _zeros(program: CompiledProgram, kind: str) -> dict[str, int]:
    return {f.name: zero(f.type) for f in set_fields(program.spec, kind) if f.required}
