"""The whole file of C: the state, tables, functions, and what a game is played by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import chain

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.layout import layout
from compiler.native import calls, travels
from compiler.native.alike import OptionMerging
from compiler.native.blocks import (
    FIRST,
    Frames,
    whole_head,
    written_blocks,
    written_check,
    written_layouts,
    written_whole,
)
from compiler.native.expressions import Expressions, number
from compiler.native.loops import Room
from compiler.native.samples import Samples
from compiler.native.shapes import Shapes
from compiler.native.text import Text, comment_text, source_place
from compiler.types import Type, from_spec
from runtime.board import Board
from runtime.model import RulesetSpec, TypeSpec, names_hexes, on_other_board, zero

#: How many words may be under way at a time (frames, rolls, options), and how many more for each
#: piece.
_STACK, _OF_A_PIECE = 16384, 128
#: The largest table of what a remembered function gives.
_REMEMBERED = 1 << 16
#: Of what kind the values of a slot are.
NUM, SHORT, BYTE, SET = range(4)


class Module:
    """Writes the file."""

    def __init__(
        self,
        checked: ir.Program,
        lowered: low.Lowered,
        spec: RulesetSpec,
        board: Board,
        pieces: Mapping[str, int],
    ) -> None:
        self.program = Emission(checked, lowered)
        self.lowered, self.spec = lowered, spec
        self.shapes = Shapes(self.program, board, pieces)
        self.frames = Frames(self.program, self.shapes, lowered)
        #: slots of the state: name, kind, count, width
        self.slots: list[tuple[str, int, int, int]] = []
        #: where it is told from which entry pieces came, and how many there may be
        self.pools: list[tuple[str, int]] = []

    def text(self) -> str:
        """All of it."""
        hexes = self.shapes.words(self.shapes.board.size)
        self.shapes.words(64)
        state, functions, tables = (
            list(self._state()),
            list(self._functions()),
            list(self._tables()),
        )
        after = list(self._entry_points())
        widths = sorted(self.shapes.widths)
        parts = [
            [
                f"/* {self.program.name}: compiled by Grognard from its .grog sources.  Do not edit. */"
            ],
            [
                f"#include <{name}.h>"
                for name in ("setjmp", "stddef", "stdint", "stdio", "stdlib", "string", "time")
            ],
            [
                "#if defined(_WIN32)",
                "#define EXPORTED __declspec(dllexport)",
                "#else",
                "#define EXPORTED",
                "#endif",
            ],
            [
                f"#define SIZE {self.shapes.board.size}",
                f"#define STACK {_STACK + _OF_A_PIECE * sum(self.shapes.pieces.values())}",
            ],
            [f"#define SIDES {len(self.program.sides)}", f"#define STREAMS {self._streams()}"],
            _source("engine.c"),
            [f"SET({width})" for width in widths],
            [_FOUND.format(w=width) for width in widths],
            [f"typedef set{hexes} HexSet;", f"#define HexSet(does) set{hexes}_##does"],
            state,
            _source("board.c"),
            tables,
            [f"{head};" for head in self._heads()],
            list(self._families()),
            list(self._places()),
            ["static void merge(State *s, Context *c, int decision);"],
            functions,
            list(OptionMerging(self.program, self.shapes, self.frames, self.spec).lines()),
            _source("alike.c"),
            after,
            _source("game.c"),
            _source("samples.c"),
            list(Samples(self.program, self.shapes, self.spec, self._literal).lines()),
            list(self._bots()),
            _source("bots.c"),
            _source("lanes.c"),
            self._manifest(),
        ]
        return "\n".join(chain.from_iterable([*part, ""] for part in parts))

    def _streams(self) -> int:
        spec = self.spec
        return len(spec.dice) + len(spec.decks) + spec.streams + spec.draws

    # ------------------------------------------------------------------ the state

    def _state(self) -> Iterator[str]:
        program = self.program
        yield "typedef struct {"
        yield from self._slots(fixed=True)
        yield "  num pools;"
        for kind in program.kinds:
            name, count = f"POOL_{kind.lower()}", self.shapes.owners(kind) + 1
            self.pools.append((name, count))
            yield f"  int16_t {name}[{count}];"
        yield "} Given;"
        yield "#define GIVEN ((const Given *)c->given)"
        yield "typedef struct {"
        yield "  num top, frame, depth, shelf, options, abouts;"
        yield "  num chooser, point, answer, over, ranked, checkpoints, deferred, reveals, alone;"
        yield f"  set{self.shapes.check_width} due, checking;"
        yield "  uint64_t seed;"
        yield f"  num ranks[SIDES + 1], counters[STREAMS + 1], result[{self._result()}];"
        yield from self._slots(fixed=False)
        for name in program.memos:
            yield f"  num K_{name};"
        yield "  num stack[STACK];"
        yield "} State;"

    def _slots(self, fixed: bool) -> Iterator[str]:
        """The slots of the ruleset that never change during a game, or those that do."""
        program, shapes = self.program, self.shapes
        known = {f.slot: f for f in program.fields.values()}
        piles = {p.slot: p for p in program.piles.values()}
        effects = {e.slot: e for e in program.effects.values()}
        for slot in layout(program):
            name = slot.name
            if (name in shapes.fixed_slots) != fixed:
                continue
            if name in known:
                field = known[name]
                type_ = from_spec(field.type)
                count = 0 if field.owner == "Game" else shapes.owners(field.owner) + 1
                if count:
                    yield self._slot(name, shapes.column_type(type_), count)
                else:
                    yield self._slot(name, shapes.value(type_), 0)
            elif name in piles:
                size = shapes.cards(piles[name].deck)
                per = piles[name].per
                if per is None:
                    yield f"  int16_t N_{name}, {name}[{size}];"
                else:
                    of = len(program.enums[per]) + 1
                    yield f"  int16_t N_{name}[{of}], {name}[{of}][{size}];"
            elif name in effects:
                effect = effects[name]
                stored = f"set{shapes.effect_width(effect)}" if effect.params else "uint8_t"
                yield self._slot(name, stored, 0)
            elif name.endswith("_at") and slot.shape == "derived":
                kind = next(k for k in program.kinds if f"{k.lower()}_at" == name)
                place = program.place_of(kind)
                assert place is not None
                width = shapes.words(shapes.owners(kind))
                stored = "int16_t" if place.alone else f"set{width}"
                yield self._slot(name, stored, shapes.board.size + 1)
            elif not name.startswith("by_"):
                yield self._slot(name, "num", 0)

    def _slot(self, name: str, stored: str, count: int) -> str:
        kinds = {"num": NUM, "int16_t": SHORT, "uint8_t": BYTE}
        width = 0 if stored in kinds else int(stored.removeprefix("set"))
        self.slots.append((name, kinds.get(stored, SET), count, width))
        return f"  {stored} {name}{f'[{count}]' if count else ''};"

    def _result(self) -> int:
        types = [p.type for p in self.program.procedures.values() if p.asks]
        return max([1, *(self.shapes.words_of(t) for t in types)])

    def _manifest(self) -> Iterable[str]:
        piles = [
            (
                p.slot,
                self.shapes.cards(p.deck),
                0 if p.per is None else len(self.program.enums[p.per]) + 1,
            )
            for p in self.program.piles.values()
        ]
        yield "typedef struct { const char *name; size_t offset; int kind, count, width; } Slot;"
        yield "EXPORTED const Slot SLOTS[] = {"
        head = ["top", "frame", "depth", "shelf", "options", "abouts", "chooser", "point", "answer"]
        head += [
            "over",
            "ranked",
            "checkpoints",
            "deferred",
            "reveals",
            "alone",
        ]
        for name in [*head, "seed"]:
            yield f'  {{"{name}", offsetof(State, {name}), {NUM}, 0, 0}},'
        yield f'  {{"due", offsetof(State, due), {SET}, 0, {self.shapes.check_width}}},'
        yield f'  {{"ranks", offsetof(State, ranks), {NUM}, SIDES, 0}},'
        yield f'  {{"counters", offsetof(State, counters), {NUM}, STREAMS, 0}},'
        yield f'  {{"result", offsetof(State, result), {NUM}, {self._result()}, 0}},'
        yield f'  {{"stack", offsetof(State, stack), {NUM}, STACK, 0}},'
        for name, kind, count, width in self.slots:
            of = "Given" if name in self.shapes.fixed_slots else "State"
            yield f'  {{"{name}", offsetof({of}, {name}), {kind}, {count}, {width}}},'
        yield f'  {{"pools", offsetof(Given, pools), {NUM}, 0, 0}},'
        for name, count in self.pools:
            yield f'  {{"{name}", offsetof(Given, {name}), {SHORT}, {count}, 0}},'
        for slot, size, per in piles:
            yield f'  {{"N_{slot}", offsetof(State, N_{slot}), {SHORT}, {per}, 0}},'
            yield f'  {{"{slot}", offsetof(State, {slot}), {SHORT}, {size}, {per}}},'
        yield "  {0, 0, 0, 0, 0}};"

    # ------------------------------------------------------------------ tables

    def _on_this_board(self, spec: TypeSpec, value: int) -> int:
        home, board = self.program.board, self.shapes.board
        if home is None or home is board or not names_hexes(spec):
            return value
        return on_other_board(spec, value, home, board)

    def _literal(self, type_: Type, value: int) -> str:
        value = self._on_this_board(type_.spec(), value)
        if type_.kind != "set":
            return number(value)
        words = (value >> 64 * i & (1 << 64) - 1 for i in range(self.shapes.width(type_)))
        return "{{" + ", ".join(f"{word:#x}ull" for word in words) + "}}"

    def _tables(self) -> Iterator[str]:
        program, shapes = self.program, self.shapes
        for die in program.dice.values():
            yield f"static const num DIE_{die.name}[] = {{{', '.join(map(number, die.faces))}}};"
        for column in (c for c in program.columns.values() if c.place is None):
            type_, blank = column.type, zero(column.type.spec())
            values = ", ".join(self._literal(type_, v) for v in (blank, *column.values))
            stored = shapes.column_type(type_)
            yield f"static const {stored} T_{column.enum}_{column.name}[] = {{{values}}}; /* {comment_text(', '.join(column.rules))} */"
        for matrix in program.matrices.values():
            type_, blank = matrix.type, zero(matrix.type.spec())
            wide = len(matrix.values[0]) if matrix.values else 0
            rows = [(blank,) * wide, *matrix.values]
            texts = [
                "{" + ", ".join(self._literal(type_, v) for v in (blank, *row)) + "}"
                for row in rows
            ]
            yield f"static const {shapes.column_type(type_)} M_{matrix.name}[][{wide + 1}] = {{{', '.join(texts)}}};"

    # ------------------------------------------------------------------ functions

    def _cells(self, call: ir.Callable) -> int:
        """How many values of a remembered function are kept; 0: none are."""
        if call.name not in self.program.memos or call.type.kind == "roll":
            return 0
        size = 1
        for param in call.params:
            if not (param.type.finite or param.type.kind == "bool"):
                return 0
            size *= self.shapes.size(param.type) + 1
        return size if size <= _REMEMBERED else 0

    def _heads(self) -> Iterator[str]:
        shapes = self.shapes
        for call in self.program.calls.values():
            yield calls.head(shapes, call)
        for travel in self.program.travels.values():
            yield travels.travel_head(shapes, travel)
            if f"travel {travel.name}" in self.program.ways:
                yield travels.way_head(shapes, travel)
        for procedure in self.program.procedures.values():
            if not procedure.asks:
                yield whole_head(shapes, procedure)
        for check in self.program.checks:
            yield f"static void check_{check}(State *s, Context *c)"
        for block in self.lowered.blocks:
            yield f"static int b{block.index}_{block.procedure}(State *s, Context *c)"
        for key in self.program.initials:
            field = self.program.fields[key]
            value = shapes.value(from_spec(field.type))
            yield f"static {value} initial_{field.slot}(State *s, Context *c, num v_it)"

    def _functions(self) -> Iterator[str]:
        program, shapes = self.program, self.shapes
        kept = {name: self._cells(program.calls[name]) for name in program.memos}
        yield "typedef struct {"
        for name, cells in kept.items():
            if cells:
                own = shapes.value(program.calls[name].type)
                yield f"  struct {{ num version; {own} value; }} {name}[{cells}];"
        yield "  char none;"
        yield "} Memory;"
        for call in program.calls.values():
            cells = kept.get(call.name, 0)
            yield from _flat(calls.written_call(program, shapes, call, "w_" if cells else "q_"))
            if cells:
                yield from self._memo_lookup(call)
        for travel in program.travels.values():
            yield from _flat(travels.written_travel(program, shapes, travel))
        for key, initial in program.initials.items():
            field = program.fields[key]
            type_, text = from_spec(field.type), Text()
            x = Expressions(program, shapes, text)
            what = f"field {field.owner}.{field.base}"
            text.cite(tuple(rule for rule, uses in program.citations.items() if what in uses))
            text.add(f"return {x.value(initial, type_)};")
            yield f"/* {what}, {source_place(initial.span)} */"
            yield f"static {shapes.value(type_)} initial_{field.slot}(State *s, Context *c, num v_it) {{"
            yield from _flat(text.lines)
            yield "}"
        for check in program.checks.values():
            yield from _flat(written_check(program, shapes, check))
        for procedure in program.procedures.values():
            if procedure.asks:
                for lines in written_blocks(program, shapes, self.frames, procedure):
                    yield from _flat(lines)
            else:
                yield from _flat(written_whole(program, shapes, procedure))

    def _memo_lookup(self, call: ir.Callable) -> Iterator[str]:
        """The function that looks whether a value is known, before another works it out."""
        yield f"/* {call.kind} {call.name}, {source_place(call.span)}: what is known of it */"
        yield f"{calls.head(self.shapes, call)} {{"
        args = "".join(f", v_{p.name}" for p in call.params)
        at = "0"
        for param in call.params:
            at = f"({at} * {self.shapes.size(param.type) + 1} + v_{param.name} + 1)"
        cell, version = f"((Memory *)c->memory)->{call.name}[{at}]", f"s->K_{call.name}"
        yield f"  if ({cell}.version == {version}) return {cell}.value;"
        yield f"  {self.shapes.value(call.type)} value = w_{call.name}(s, c{args});"
        yield f"  {cell}.version = {version}, {cell}.value = value;"
        yield "  return value;"
        yield "}"

    def _places(self) -> Iterator[str]:
        """Moving pieces, with what stands on each hex."""
        for kind in self.program.kinds:
            place = self.program.place_of(kind)
            if place is None or place.slot in self.shapes.fixed_slots:
                continue
            column, at, n = f"s->{place.slot}", f"s->{kind.lower()}_at", f"GIVEN->n_{kind.lower()}"
            yield f"/* {kind}.{place.name} is set; who stands on each hex is kept beside it */"
            yield f"static void put_{kind.lower()}(State *s, Context *c, num piece, num hex) {{"
            yield f"  num old = {column}[piece + 1];"
            if place.alone:
                fault = f'fail(c, "two pieces of {kind.lower()} on one hex")'
                yield f"  if (old >= 0 && {at}[old + 1] == piece) {{"
                yield f"    {at}[old + 1] = -1;"
                yield "    if (s->deferred)"
                yield f"      for (num i = 0; i < {n}; i++) if (i != piece && {column}[i + 1] == old) {{ {at}[old + 1] = (int16_t)i; break; }}"
                yield "  }"
                yield f"  {column}[piece + 1] = (int16_t)hex;"
                yield "  if (hex < 0) return;"
                yield f"  if ({at}[hex + 1] < 0) {at}[hex + 1] = (int16_t)piece;"
                yield f"  else if (!s->deferred) {fault};"
                yield f"  else if (piece < {at}[hex + 1]) {at}[hex + 1] = (int16_t)piece;"
                yield "}"
                yield f"static void settle_{kind.lower()}(State *s, Context *c) {{"
                yield "  HexSet there = HexSet(none)();"
                yield f"  for (num i = 0; i < {n}; i++) {{"
                yield f"    num hex = {column}[i + 1];"
                yield f"    if (HexSet(has)(there, hex)) {fault};"
                yield "    there = HexSet(with)(there, hex);"
                yield "  }"
                yield "}"
            else:
                set_ = f"set{self.shapes.words(self.shapes.owners(kind))}"
                yield f"  if (old >= 0) {at}[old + 1] = {set_}_without({at}[old + 1], piece);"
                yield f"  {column}[piece + 1] = (int16_t)hex;"
                yield f"  if (hex >= 0) {at}[hex + 1] = {set_}_with({at}[hex + 1], piece);"
                yield "}"
            yield from self._near(kind, place.alone)

    def _near(self, kind: str, alone: bool) -> Iterator[str]:
        """The pieces of a kind at a hex and around it; who stands there, for distance 1."""
        at, set_ = f"s->{kind.lower()}_at", f"set{self.shapes.words(self.shapes.owners(kind))}"
        grown = f"{set_}_{'with' if alone else 'or'}(there, {at}[{{}} + 1])"
        yield f"/* each {kind} within a distance of a hex */"
        yield f"static inline {set_} near_{kind.lower()}(const State *s, Context *c, num hex, num far) {{"
        yield f"  {set_} there = {set_}_none();"
        yield "  if (far == 1) {"
        yield "    for (int i = 0; i < NEIGHBOR_COUNT(hex); i++)"
        yield f"      there = {grown.format('NEIGHBOR(hex, i)')};"
        yield "    return there;"
        yield "  }"
        yield "  HexSet around = HexSet(with)(HexSet(found)(c, AROUND, hex, far), hex);"
        yield "  for (num h = HexSet(next)(&around, -1); h >= 0; h = HexSet(next)(&around, h))"
        yield f"    there = {grown.format('h')};"
        yield "  return there;"
        yield "}"

    def _entry_points(self) -> Iterator[str]:
        """What is found by number, and how a game begins."""
        program, lowered = self.program, self.lowered
        play = program.procedures.get("play")
        asks = play is not None and play.asks
        if not asks:  # one block does all
            does = "" if play is None else "p_play(s, c); "
            yield f"static int b_play(State *s, Context *c) {{ {does}leave(s); return 0; }}"
        yield "static int (*const BLOCKS[])(State *, Context *) = {"
        for block in lowered.blocks:
            yield f"  b{block.index}_{block.procedure},"
        yield f"  {'0' if asks else 'b_play'}}};"
        yield from written_layouts(self.frames, self.shapes)
        yield "static void forget_all(State *s, Context *c) {"
        yield "  (void)s; (void)c;"
        for name in program.memos:
            yield f"  s->K_{name} = ++c->version;"
        yield "}"
        score = program.calls.get("score")
        yield "static int scores(State *s, Context *c, num *points) {"
        yield "  (void)s; (void)c; (void)points;"
        if score is not None:
            yield "  for (int side = 0; side < SIDES; side++) points[side] = q_score(s, c, side);"
        yield f"  return {int(score is not None)};"
        yield "}"
        limit = "q_decision_limit(s, c)" if "decision_limit" in program.calls else "-1"
        yield "static num limit_of(State *s, Context *c) {"
        yield f"  (void)s; (void)c; return {limit};"
        yield "}"
        yield "static int run(State *s, Context *c);"
        yield "static void ended(State *s, Context *c, int how);"
        yield "static int begin(State *s, Context *c) {"
        yield "  s->top = 0, s->frame = -1, s->depth = 0, s->shelf = -1, s->chooser = -1;"
        first = lowered.entry["play"] if asks else len(lowered.blocks)
        yield f"  enter(s, c, {first}, {self.frames.sizes['play'] if asks else FIRST});"
        yield "  return run(s, c);"
        yield "}"

    def _bots(self) -> Iterator[str]:
        """What bots ask of the rules."""
        calls_ = self.program.calls
        yield f"#define SETTLES {int('settled' in calls_)}"
        yield "static num standing_of(State *s, Context *c, num side) {"
        yield "  (void)s; (void)c; (void)side;"
        yield f"  return {'q_standing(s, c, side)' if 'standing' in calls_ else '0'};"
        yield "}"
        yield "static num settled_of(State *s, Context *c) {"
        yield "  (void)s; (void)c;"
        yield f"  return {'q_settled(s, c)' if 'settled' in calls_ else '1'};"
        yield "}"

    def _families(self) -> Iterator[str]:
        """The first blocks of the cases of procedures, by the first argument, none's first."""
        for procedure in self.program.procedures.values():
            if not (procedure.cases and procedure.asks):
                continue
            members = range(len(self.program.enums[procedure.params[0].type.name]))
            own = self.lowered.entry[procedure.name]
            entries = [
                own,
                *(
                    self.lowered.entry[procedure.cases[i]] if i in procedure.cases else own
                    for i in members
                ),
            ]
            yield f"static const num E_{procedure.name}[] = {{{', '.join(map(str, entries))}}};"


_FOUND = (
    "static inline set{w} set{w}_found(Context *c, int what, num a, num b) {{ set{w} given; "
    "memcpy(given.w, found(c, what, a, b), sizeof given.w); return given; }}\n"
    "static inline set{w} set{w}_span(Context *c, num low, num high) {{ set{w} given = set{w}_none(); "
    'if (low < 0 && high >= low) fail(c, "a set cannot hold negative numbers"); '
    'if (high >= low && high >= MOST) fail(c, "a set cannot hold numbers of 4096 and more"); '
    "for (num n = low; n <= high; n++) given = set{w}_with(given, n); return given; }}"
)


def _source(name: str) -> list[str]:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()


def _flat(lines: Iterable[str]) -> Iterator[str]:
    """Lines, with those that were found out later in their places."""
    for line in lines:
        if isinstance(line, Room):
            yield from _flat(line)
        else:
            yield line
