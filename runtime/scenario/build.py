"""From a tree of the right shape to a :class:`SetUp`: encodes and checks what the values say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass

from runtime.data.findings import Finding, Report, suggestion
from runtime.data.reader import Mapping, Node, Scalar, Sequence, entries_of, items_of, text_of
from runtime.model import NONE, TRUTHS, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.checks import check_pieces, check_roster, check_sides, check_tiles
from runtime.scenario.fields import (
    AT,
    COUNT,
    GAME,
    HEX,
    KIND,
    NONE_WORD,
    SIDE,
    counted_by_field,
    members,
    other_owners,
    place_field,
    refers,
    set_fields,
    sort_field,
    takes_none,
)
from runtime.scenario.names import Draft, name_pieces, name_sides, slug
from runtime.scenario.origins import check_origins, overall_origin
from runtime.scenario.setup import PieceSetUp, SetUp, SideInfo
from runtime.words.said import said

#: The keys of a scenario that say how a game begins.
_SET_UP = ("board", "game", "sides", "fields", "hexes", "pieces", "map")

#: The initial value of a field of a piece, from its kind, the field's name and its other values;
#: None: not known.
Initial = Callable[[str, str, Lookup[str, int]], int | None]


@dataclass(frozen=True)
class Built:
    """A set-up, and what of the tree it was made from: each piece with the nodes that give its
    values, and by field, hex and member of a set (NONE for others) where a value of a hex stands.
    """

    setup: SetUp
    drafts: tuple[Draft, ...]
    hex_nodes: Lookup[tuple[str, int, int], Node]
    findings: list[Finding]


def build(root: Mapping, spec: RulesetSpec, file: str, initial: Initial | None) -> Built:
    """Build the set-up of a tree that has passed the check of its shape."""
    builder = _Builder(root, spec, file, initial)
    setup = builder.setup()
    return Built(setup, tuple(builder.drafts), builder.hex_nodes, builder.report.findings)


def _flat(spec: RulesetSpec, owner: str, node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """The entries of a mapping of fields; those per member as fields of their own."""
    kept = {f.base for f in set_fields(spec, owner) if f.per is not None}
    for key, value in entries_of(node):
        if key.text not in kept:
            yield key, value
            continue
        for member, inner in entries_of(value):
            name = f"{key.text}[{member.text}]"
            yield Scalar(name, name, member.line, member.column), inner


class _Builder:
    """Builds one set-up."""

    def __init__(
        self, root: Mapping, spec: RulesetSpec, file: str, initial: Initial | None
    ) -> None:
        self.root = root
        self.spec = spec
        self.initial = initial
        self.report = Report(file)
        #: Whether all pieces could be read, so that it makes sense to count them.
        self.complete = True
        self.drafts: list[Draft] = []
        #: The number of the last pool of each kind.
        self.pools: dict[str, int] = {}
        self.named: dict[str, Draft] = {}
        self.indices: dict[int, int] = {}
        self.sides: tuple[SideInfo, ...] = ()
        #: Fields of hexes: field → hex → value, and where each was said.
        self.hexes: dict[str, dict[int, int]] = {}
        self.hex_nodes: dict[tuple[str, int, int], Node] = {}

    def setup(self) -> SetUp:
        """The set-up."""
        spec, root = self.spec, self.root
        self.sides = name_sides(spec, root.get("sides"), self.report)
        for kind, entries in entries_of(root.get("pieces")):
            for _, groups in entries_of(entries):
                for group in items_of(groups):
                    self.group(kind.text, group)
            for entry in entries.items if isinstance(entries, Sequence) else ():
                self.expand(kind.text, entry)
        legend = self.map()
        self.name_pieces()
        for key, node in _flat(spec, HEX, root.get("hexes")):
            self.hex_field(self.field(HEX, key.text), node)
        for hexes, node in legend:
            self.hex_entry(hexes, node)
        self.hexes_complete()
        check_pieces(spec, self.drafts, self.report, self.initial)
        check_origins(root, self.report, _SET_UP)
        if self.complete:
            check_sides(spec, self.drafts, root, self.report)
            check_roster(spec, self.drafts, root.get("roster"), self.report)
        check_tiles(spec, self.hexes, root.get("roster"), self.report)
        given = entries_of(root.get("switches"))
        switches = spec.switches | {key.text: bool(TRUTHS[text_of(on)]) for key, on in given}
        return SetUp(
            ruleset=text_of(root.get("ruleset")),
            title=text_of(root.get("title")),
            switches=switches,
            game=self.values(GAME, root.get("game")),
            fields=self.fields(),
            pieces={
                kind: tuple(
                    PieceSetUp(d.name, d.values, d.pool) for d in self.drafts if d.kind == kind
                )
                for kind in spec.kinds
            },
            sides=self.sides,
            date=text_of(root.get("date")),
            provenance=overall_origin(root),
            sources=tuple(text_of(item) for item in items_of(root.get("sources"))),
            notes=tuple(text_of(item) for item in items_of(root.get("notes"))),
            length=int(text_of(root.get("length")) or 0),
        )

    # ------------------------------------------------------------------ values

    def field(self, owner: str, name: str) -> FieldSpec:
        """A field by name; the check of the shape has made sure of it."""
        return next(f for f in set_fields(self.spec, owner) if f.name == name)

    def encode(self, field: FieldSpec, node: Node) -> int:
        """The value of a field as an int."""
        return self.value(field.type, node, takes_none(field))

    def value(self, kind: TypeSpec, node: Node, none: bool) -> int:
        """A value of a type as an int."""
        if kind.kind == "set" and kind.of is not None:
            mask = 0
            for item in items_of(node):
                index = self.value(kind.of, item, False)
                mask |= 1 << index if index >= 0 else 0
            return mask
        text = text_of(node)
        if none and text == NONE_WORD and kind.kind != "piece":
            return NONE
        match kind.kind:
            case "int":
                return int(float(text)) if "." in text else int(text)
            case "bool":
                return TRUTHS[text]
            case "hex":
                return self.spec.board.index(text)
            case "piece":
                return self.piece(kind, node, text, none)
            case _:
                return members(self.spec, kind.name).index(text)

    def piece(self, kind: TypeSpec, node: Node, text: str, none: bool) -> int:
        """The index of a piece, by its name."""
        draft = self.named.get(slug(text))
        kinds = self.spec.kinds_of(kind.name)
        if draft is not None and draft.kind in kinds:
            before = kinds[: kinds.index(draft.kind)]
            return self.indices[id(draft)] + sum(other.kind in before for other in self.drafts)
        if none and text == NONE_WORD:
            return NONE
        known = [name for name, other in self.named.items() if other.kind in kinds]
        message = said("there is no piece '{text}' of kind {name}", text=text, name=kind.name)
        self.report("S216", message, node, suggestion(text, known + ([NONE_WORD] if none else [])))
        return NONE

    def values(self, owner: str, node: Node | None) -> dict[str, int]:
        """The fields of one owner: a mapping of fields to values."""
        given = {f.name: f for f in set_fields(self.spec, owner)}
        return {
            key.text: self.encode(given[key.text], value)
            for key, value in _flat(self.spec, owner, node)
            if key.text in given
        }

    def fields(self) -> dict[str, dict[str, dict[int, int]]]:
        """The fields of sides, other enums and hexes."""
        by_owner: dict[str, dict[str, dict[int, int]]] = {}
        for key, node in entries_of(self.root.get("sides")):
            index = self.spec.sides.index(key.text)
            for name, value in self.values(SIDE, node).items():
                by_owner.setdefault(SIDE, {}).setdefault(name, {})[index] = value
        fields = self.root.get("fields")
        for owner in other_owners(self.spec):
            names = members(self.spec, owner)
            given = fields.get(owner) if isinstance(fields, Mapping) else None
            for key, node in _flat(self.spec, owner, given):
                field = self.field(owner, key.text)
                for member, value_node in entries_of(node):
                    values = by_owner.setdefault(owner, {}).setdefault(key.text, {})
                    values[names.index(member.text)] = self.encode(field, value_node)
        if self.hexes:
            by_owner[HEX] = {
                name: dict(sorted(values.items())) for name, values in self.hexes.items()
            }
        return by_owner

    # ------------------------------------------------------------------ pieces

    def expand(self, kind: str, entry: Node) -> None:
        """An entry of a piece list: one piece, or one for each item of its list."""
        nodes = {key.text: node for key, node in _flat(self.spec, kind, entry)}
        times = None if counted_by_field(self.spec, kind) else nodes.pop(COUNT, None)
        sets = {f.name for f in set_fields(self.spec, kind) if f.type.kind == "set"}
        lists = [
            name for name, node in nodes.items() if isinstance(node, Sequence) and name not in sets
        ]
        if len(lists) > 1:
            message = said(
                "both '{first}' and '{second}' are lists", first=lists[0], second=lists[1]
            )
            remedy = "one field may be a list; write two entries"
            self.report("S205", message, nodes[lists[1]], remedy)
            self.complete = False
        elif lists:
            for item in items_of(nodes[lists[0]]):
                self.several(kind, item, {**nodes, lists[0]: item}, times)
        else:
            self.several(kind, entry, nodes, times)

    def group(self, kind: str, group: Node) -> None:
        """A group: a piece for each sort at each place."""
        place, sort = place_field(self.spec, kind), sort_field(self.spec, kind)
        assert place is not None and sort is not None
        nodes = {key.text: node for key, node in _flat(self.spec, kind, group)}
        for hex_, sorts in entries_of(nodes.pop(AT)):
            for one in items_of(sorts):
                self.draft(kind, one, {**nodes, sort.name: one, place.name: hex_})
                self.drafts[-1].grouped = True

    def several(self, kind: str, entry: Node, nodes: dict[str, Node], times: Node | None) -> None:
        """Keep a piece, or as many alike as the entry's ``count`` says."""
        if times is None:
            self.draft(kind, entry, nodes)
            return
        pool = self.pools[kind] = self.pools.get(kind, NONE) + 1
        for _ in range(int(float(text_of(times)))):
            self.draft(kind, entry, nodes)
            self.drafts[-1].pool = pool

    def draft(self, kind: str, entry: Node, nodes: dict[str, Node]) -> None:
        """Keep a piece; what refers to other pieces is encoded when all have names."""
        values = {}
        for field in set_fields(self.spec, kind):
            if field.name in nodes and not refers(field.type):
                values[field.name] = self.encode(field, nodes[field.name])
        self.drafts.append(Draft(kind, entry, nodes, values))

    def name_pieces(self) -> None:
        """Name all pieces, then encode what refers to them."""
        self.named = name_pieces(self.spec, self.drafts, self.sides, self.report)
        numbers: dict[str, int] = {}
        for draft in self.drafts:
            self.indices[id(draft)] = numbers.get(draft.kind, 0)
            numbers[draft.kind] = self.indices[id(draft)] + 1
        for draft in self.drafts:
            for field in set_fields(self.spec, draft.kind):
                if field.name in draft.nodes and refers(field.type):
                    draft.values[field.name] = self.encode(field, draft.nodes[field.name])

    # ------------------------------------------------------------------ hexes and the map

    def hex_field(self, field: FieldSpec, node: Node) -> None:
        """A field of hexes: each value with its hexes."""
        inner = field.type.of or field.type
        if isinstance(node, Sequence):  # pairs: what lies between them is entered on both sides
            for pair in node.items:
                a, b = (self.spec.board.index(text_of(end)) for end in items_of(pair))
                self.say_hex(field, a, b, pair)
                self.say_hex(field, b, a, pair)
            return
        for key, labels in entries_of(node):
            value = self.value(inner, key, takes_none(field) and inner is field.type)
            for label in items_of(labels):
                self.say_hex(field, self.spec.board.index(text_of(label)), value, label)

    def say_hex(self, field: FieldSpec, h: int, value: int, node: Node) -> None:
        """A hex has a value, or for a set, a member."""
        member = value if field.type.kind == "set" else NONE
        before = self.hex_nodes.get((field.name, h, member))
        if before is not None:
            label = self.spec.board.label(h)
            message = said("{name} of {label} was given before", name=field.name, label=label)
            remedy = said("name {label} once under {name}", label=label, name=field.name)
            self.report("S217", message, node, remedy, (before, "given here first"))
            return
        self.hex_nodes[field.name, h, member] = node
        values = self.hexes.setdefault(field.name, {})
        if field.type.kind == "set":
            values[h] = values.get(h, 0) | (1 << value if value >= 0 else 0)
        else:
            values[h] = value

    def hex_entry(self, h: int, entry: Node) -> None:
        """A legend entry of kind Hex, at a hex."""
        for key, node in _flat(self.spec, HEX, entry):
            if key.text == KIND:
                continue
            field = self.field(HEX, key.text)
            if field.type.kind == "set" and field.type.of is not None:
                for item in items_of(node):
                    self.say_hex(field, h, self.value(field.type.of, item, False), item)
            else:
                self.say_hex(field, h, self.encode(field, node), node)

    def hexes_complete(self) -> None:
        """Fields of hexes without initial value need a value everywhere."""
        board = self.spec.board
        hexes = self.root.get("hexes")
        for field in set_fields(self.spec, HEX):
            given = self.hexes.get(field.name, {})
            if field.required and len(given) < board.size:
                key = hexes.key(field.base) if isinstance(hexes, Mapping) else None
                missing = [label for h, label in enumerate(board.labels) if h not in given]
                some = ", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")
                message = said(
                    "{name} is missing for {count} hexes ({some})",
                    name=field.name,
                    count=len(missing),
                    some=some,
                )
                remedy = "it has no initial value: give it for each hex"
                self.report("S218", message, key or hexes or self.root, remedy)

    def map(self) -> list[tuple[int, Node]]:
        """Read the map: its pieces become drafts; entries of hexes are returned with their hex."""
        node = self.root.get("map")
        if not isinstance(node, Mapping):
            return []
        legend = {key.text: (key, value) for key, value in entries_of(node.get("legend"))}
        rows = items_of(node.get("rows"))
        board = self.spec.board
        if len(rows) != board.rows:
            message = said(
                "the map has {count} rows, the board {rows}", count=len(rows), rows=board.rows
            )
            remedy = "write one text per row, '.' for an empty hex"
            self.report("S210", message, node.key("rows") or node, remedy)
            self.complete = False
            return []
        hexes: list[tuple[int, Node]] = []
        used: set[str] = set()
        for number, row in enumerate(rows):
            places = [h for column in range(board.columns) if (h := board.at(number, column)) >= 0]
            cells = text_of(row).split()
            if len(cells) != len(places):
                given = said(
                    "map row {number} has {count} cells", number=number + 1, count=len(cells)
                )
                message = said(
                    "{given}, the board's row {count} hexes", given=given, count=len(places)
                )
                remedy = "separate the cells with spaces; '.' for an empty hex"
                self.report("S211", message, row, remedy)
                self.complete = False
                continue
            for h, symbol in zip(places, cells, strict=False):
                if symbol == ".":
                    continue
                if symbol not in legend:
                    message = said(
                        "unknown symbol '{symbol}' at {label}", symbol=symbol, label=board.label(h)
                    )
                    self.report("S212", message, row, suggestion(symbol, legend) + ", or '.'")
                    self.complete = False
                    continue
                used.add(symbol)
                for entry in items_of(legend[symbol][1]):
                    self.mapped(h, entry, row, hexes)
        for symbol, (key, _) in legend.items():
            if symbol not in used and self.complete:
                message = said("the symbol '{symbol}' does not occur on the map", symbol=symbol)
                remedy = "remove it, or put it on the map"
                self.report("S213", message, key, remedy, severity="warning")
        return hexes

    def mapped(self, h: int, entry: Node, row: Node, hexes: list[tuple[int, Node]]) -> None:
        """A legend entry at a hex of the map."""
        kind = text_of(entry.get(KIND)) if isinstance(entry, Mapping) else ""
        flat = _flat(self.spec, kind, entry)
        nodes = {key.text: value for key, value in flat if key.text != KIND}
        if kind == HEX:
            hexes.append((h, entry))
        elif place := place_field(self.spec, kind):
            label = self.spec.board.label(h)
            self.draft(kind, row, {**nodes, place.name: Scalar(label, label, row.line, row.column)})
