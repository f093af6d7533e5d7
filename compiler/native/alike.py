"""Options that nobody could tell apart are one: as :mod:`runtime.alike` has it, in C."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.liveness import HeldPieces
from compiler.native.blocks import Frames
from compiler.native.shapes import Shapes
from compiler.types import Type, from_spec
from runtime.model import RulesetSpec


class OptionMerging:
    """Writes what is asked where options may be merged."""

    def __init__(
        self, program: Emission, shapes: Shapes, frames: Frames, spec: RulesetSpec
    ) -> None:
        self.program, self.shapes, self.frames, self.spec = program, shapes, frames, spec
        #: the types that pieces of options can have: kinds, then parents
        self.types = [*program.kinds, *program.parents]

    def lines(self) -> Iterator[str]:
        """The functions and tables."""
        kinds = self.program.kinds
        for kind in kinds:
            yield from self._equality(kind)
            yield from self._mark_referred(kind)
        most = max([1, *(self.shapes.owners(kind) for kind in kinds)])
        yield f"#define KINDS {len(kinds)}"
        yield f"#define MOST_PIECES {most}"
        functions = ", ".join(f"{{alike_{k.lower()}, apart_{k.lower()}}}" for k in kinds)
        yield "typedef struct { int (*alike)(const State *, Context *, num, num); void (*apart)(State *, Context *, char *); } Kind;"
        yield f"static const Kind EACH_KIND[] = {{{functions or '{0, 0}'}}};"
        yield "/* the kind of a piece of a type, which is given its number there */"
        yield "static int own_kind(Context *c, int type, num *piece) {"
        yield "  (void)c; (void)piece;"
        yield "  switch (type) {"
        for number, name in enumerate(self.program.parents, len(kinds)):
            yield f"  case {number}:"
            for kind in reversed(self.program.parents[name]):
                at = kinds.index(kind)
                first = self.shapes.first_number(kind)
                yield f"    if (*piece >= {first}) {{ *piece -= {first}; return {at}; }}"
        yield "  }"
        yield "  return type;"
        yield "}"
        yield "/* by decision and branch, the types of the pieces that an option names; -1 for none */"
        yield "static const int16_t NAMED[][2] = {"
        starts = [0]
        for branches in self.spec.pieces_named:
            for one, other in branches:
                yield f"  {{{self._number(one)}, {self._number(other)}}},"
            starts.append(starts[-1] + len(branches))
        yield "  {-1, -1}};"
        yield f"static const int NAMED_FROM[] = {{{', '.join(map(str, starts))}}};"

    def _number(self, name: str) -> int:
        return self.types.index(name) if name else -1

    def _equality(self, kind: str) -> Iterator[str]:
        """Whether two pieces agree in all."""
        yield f"/* whether one {kind} is as good as another, in all fields */"
        yield f"static int alike_{kind.lower()}(const State *s, Context *c, num i, num j) {{"
        yield "  (void)s;"
        fields = self.spec.fields_of(kind)
        if any(field.seen_by is not None for field in fields):
            yield "  (void)c; (void)i; (void)j; return 0;"
            yield "}"
            return
        pool = f"GIVEN->POOL_{kind.lower()}"
        tests = [f"{pool}[i + 1] >= 0", f"{pool}[i + 1] == {pool}[j + 1]"]
        for field in fields:
            slot = self.shapes.slot(field.slot)
            if field.type.kind == "set":
                set_ = self.shapes.value(from_spec(field.type))
                tests.append(f"{set_}_same({slot}[i + 1], {slot}[j + 1])")
            else:
                tests.append(f"{slot}[i + 1] == {slot}[j + 1]")
        yield f"  return {' && '.join(tests)};"
        yield "}"

    def _mark_referred(self, kind: str) -> Iterator[str]:
        """Mark the pieces of a kind that something refers to."""
        yield f"static void apart_{kind.lower()}(State *s, Context *c, char *apart) {{"
        yield "  (void)s; (void)c; (void)apart;"
        yield "  for (num at = s->frame; at >= 0; at = s->stack[at]) {"
        yield "    const num *f = s->stack + at;"
        yield "    switch (f[1]) {"
        for block, going_on, held in self.frames.lowered.holding_blocks():
            lines = list(self._by_frames(kind, block, held))
            if lines:
                yield f"    case {going_on}:"
                yield from (f"      {line}" for line in lines)
                yield "      break;"
        yield "    }"
        yield "  }"
        for field in self.spec.fields:
            slot, type_ = self.shapes.slot(field.slot), from_spec(field.type)
            if field.owner == "Game":
                yield from self._mark(kind, slot, type_)
            elif self._names(kind, type_):
                count = str(self.shapes.owners(field.owner))
                if field.owner in self.program.kinds:
                    count = f"GIVEN->n_{field.owner.lower()}"
                yield f"  for (num owner = 0; owner < {count}; owner++)"
                yield from self._mark(kind, f"{slot}[owner + 1]", type_)
        for effect in self.spec.effects:
            types = [from_spec(one) for one in effect.params]
            if len(types) == 1:
                yield from self._mark(kind, f"s->{effect.slot}", Type("set", of=types[0]))
            elif any(self._names(kind, one) for one in types):
                set_ = f"set{self.shapes.effect_width(effect)}"
                yield f"  if ({set_}_any(s->{effect.slot})) {self._mark_all(kind)}"
        yield "}"

    def _by_frames(self, kind: str, block: low.BasicBlock, held: HeldPieces) -> Iterator[str]:
        """Mark those that a procedure under way refers to."""
        places = self.frames.places[block.procedure]
        for local, name, many in held.locals:
            if local in self.frames.kept[block.procedure]:
                piece, text = Type("piece", name), f"f[{places[local]}]"
                if many:
                    piece = Type("set", of=piece)
                    text = f"*(const {self.shapes.value(piece)} *)(f + {places[local]})"
                yield from self._mark(kind, text, piece)
        if not held.kinds.isdisjoint({kind, self.program.parent_of(kind)}):
            yield self._mark_all(kind)

    def _mark_all(self, kind: str) -> str:
        return f"memset(apart, 1, {max(1, self.shapes.owners(kind))});"

    def _names(self, kind: str, type_: Type) -> str:
        """The kind, or its parent, where values of a type are pieces of it, or sets of such."""
        member = type_.of if type_.kind == "set" else type_
        known = (kind, self.program.parent_of(kind))
        return member.name if member and member.kind == "piece" and member.name in known else ""

    def _mark(self, kind: str, text: str, type_: Type) -> Iterator[str]:
        """Mark what a value refers to."""
        name = self._names(kind, type_)
        if not name:
            return
        first = self.shapes.first_number(kind) if name != kind else "0"
        n = f"GIVEN->n_{kind.lower()}"
        if type_.kind == "set":
            set_ = self.shapes.value(type_)
            yield f"{{ {set_} held = {text}; for (num i = 0; i < {n}; i++) if ({set_}_has(held, i + {first})) apart[i] = 1; }}"
        else:
            yield f"{{ num held = {text}; if (held >= {first} && held < {first} + {n}) apart[held - {first}] = 1; }}"
