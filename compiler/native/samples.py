"""What could be where a side does not see all: as :mod:`runtime.hidden` has it, in C."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler.emit.emission import Emission
from compiler.native.shapes import Shapes
from compiler.types import Type, from_spec
from runtime.model import FieldSpec, PileSpec, RulesetSpec, closed_slots, zero


class Samples:
    """Writes how what a side does not see is drawn anew.

    In what is written, *s* is the position as it is and *world* what is made of it; *written* gives
    a value of a type as C.
    """

    def __init__(
        self,
        program: Emission,
        shapes: Shapes,
        spec: RulesetSpec,
        written: Callable[[Type, int], str],
    ) -> None:
        self.program, self.shapes, self.spec, self.written = program, shapes, spec, written
        self.fields = [f for f in spec.fields if f.seen_by is not None]
        by_slot = {f.slot: f for f in self.fields}
        #: by the slots of fields that are chosen secretly, what keeps what there was to choose
        self.among = {f.slot: by_slot[f.among] for f in self.fields if f.among is not None}
        #: the places that not all see
        self.placed = [f for f in self.fields if f.place]

    def lines(self) -> Iterator[str]:
        """The functions."""
        for field in self.fields:
            yield from self._hidden(field)
        owners = dict.fromkeys(f.owner for f in self.fields if self._is_exchanged(f))
        for owner in owners:
            yield from self._exchange(owner)
        if self.placed:
            yield from self._piece_index()
        yield "/* without what a side does not see; then with what could be there */"
        yield "static void guessed(State *world, const State *s, Context *c, num side, Random *chance) {"
        yield "  (void)world; (void)s; (void)c; (void)side; (void)chance;"
        for deck in self.spec.decks:
            yield from self._dealt([p for p in deck.piles if p.visibility != "open"])
        for field in self.fields:
            yield from self._for_each_hidden(
                field, f"{self._value_at(field)} = {self._zero(field)};"
            )
        if self.placed:
            yield "  indexed(world, c);"
        for field in self.fields:
            yield from self._own_choices(field)
        for owner in owners:
            name, count = owner.lower(), self._count(owner)
            yield f"  exchanged(world, s, c, side, chance, &EXCHANGE_{name}, {count});"
        yield "}"
        for field in (f for f in self.fields if self._found_anew(f)):
            yield from self._guess(field)
        yield "/* what was chosen secretly is chosen again */"
        yield "static void chosen_again(State *world, const State *s, Context *c, num side, Random *chance) {"
        yield "  (void)world; (void)s; (void)c; (void)side; (void)chance;"
        for among in (f for f in self.fields if f.options and f.owner != "Game"):
            field = next(f for f in self.fields if f.among == among.slot)
            yield from self._choose(field, among)
        yield "}"
        yield from self._initial()

    # ------------------------------------------------------------------ what is hidden

    def _hidden(self, field: FieldSpec) -> Iterator[str]:
        """Whether a side does not see the value of an owner."""
        by = next(f for f in self.spec.fields if (f.owner, f.name) == (field.owner, field.seen_by))
        seers = self._value_at(by, "s")
        sees = f"{seers} == side"
        if by.type.kind == "set":
            sees = f"{self.shapes.value(from_spec(by.type))}_has({seers}, side)"
        yield f"/* whether a side does not see {field.owner}.{field.name} of an owner */"
        yield f"static inline int hidden_{field.slot}(const State *s, Context *c, num side, num i) {{"
        yield f"  (void)s; (void)c; (void)i; return !({sees});"
        yield "}"

    def _value_at(self, field: FieldSpec, state: str = "world") -> str:
        """The value of owner *i* in a state."""
        slot = self.shapes.slot(field.slot).replace("s->", f"{state}->", 1)
        return slot if field.owner == "Game" else f"{slot}[i + 1]"

    def _count(self, owner: str) -> str:
        if owner in self.program.kinds:
            return f"GIVEN->n_{owner.lower()}"
        return str(self.shapes.owners(owner))

    def _for_each_hidden(self, field: FieldSpec, does: str) -> Iterator[str]:
        """Do something for each owner whose value is hidden."""
        hidden = f"if (hidden_{field.slot}(s, c, side, i)) {does}"
        if field.owner == "Game":
            yield f"  {{ num i = -1; {hidden} }}"
        else:
            yield f"  for (num i = 0; i < {self._count(field.owner)}; i++) {hidden}"

    def _zero(self, field: FieldSpec) -> str:
        return self._constant(field, zero(field.type))

    def _constant(self, field: FieldSpec, value: int) -> str:
        type_ = from_spec(field.type)
        text = self.written(type_, value)
        return f"({self.shapes.value(type_)}){text}" if type_.kind == "set" else text

    def _has_members(self, field: FieldSpec, state: str = "world") -> str:
        """Whether the set that a field holds has members."""
        return f"{self.shapes.value(from_spec(field.type))}_any({self._value_at(field, state)})"

    def _found_anew(self, field: FieldSpec) -> bool:
        """Whether what there was to choose hangs on what not all see: it is found anew."""
        return field.options and (field.owner, field.name) in self.program.initials

    def _piece_index(self) -> Iterator[str]:
        """The pieces on each hex, where not all see where they are."""
        yield "static void indexed(State *s, Context *c) {"
        yield "  (void)s; (void)c;"
        for field in self.placed:
            kind = field.owner.lower()
            at, column = f"s->{kind}_at", f"s->{field.slot}[i + 1]"
            set_ = f"set{self.shapes.words(self.shapes.owners(field.owner))}"
            blank = "-1" if field.alone else f"{set_}_none()"
            yield f"  for (int h = 0; h <= SIZE; h++) {at}[h] = {blank};"
            yield f"  for (num i = 0; i < GIVEN->n_{kind}; i++)"
            yield f"    if ({column} >= 0)"
            there = f"{at}[{column} + 1]"
            if field.alone:
                yield f"      {there} = {there} < 0 ? (int16_t)i : {there};"
            else:
                yield f"      {there} = {set_}_with({there}, i);"
        yield "}"

    # ------------------------------------------------------------------ cards

    def _dealt(self, closed: list[PileSpec]) -> Iterator[str]:
        """The closed piles of a deck are dealt anew."""
        if not closed:
            return
        parts = sum(1 if p.per is None else len(self.program.enums[p.per]) + 1 for p in closed)
        yield "  {"
        yield f"    Covered piles[{parts}];"
        yield "    int count = 0;"
        for pile in closed:
            hand, top = int(pile.visibility == "owner"), int(pile.visibility == "top")
            n, cards = f"world->N_{pile.slot}", f"world->{pile.slot}"
            if pile.per is None:
                yield f"    piles[count++] = (Covered){{{cards}, (int)higher(0, {n} - {top}), {hand}}};"
                continue
            members = len(self.program.enums[pile.per])
            skip = " if (i != side)" if hand and pile.per == "Side" else ""
            yield f"    for (int i = 0; i < {members}; i++){skip}"
            yield f"      piles[count++] = (Covered){{{cards}[i + 1], (int)higher(0, {n}[i + 1] - {top}), {hand}}};"
        yield "    deal(c, chance, piles, count);"
        yield "  }"

    # ------------------------------------------------------------------ owners that could be each other

    def _is_exchanged(self, field: FieldSpec) -> bool:
        """Whether owners exchange their values: see ``HiddenFields._is_exchanged``."""
        if field.owner == "Game":
            return False
        if field.owner == "Side" and not (field.fixed or field.setup):
            return False
        return field.roams or (field.among is None and not field.options)

    def _width(self, field: FieldSpec) -> int:
        type_ = from_spec(field.type)
        return self.shapes.width(type_) if type_.kind == "set" else 1

    def _append_value(self, field: FieldSpec) -> str:
        """The step that puts the value of an owner in a row."""
        value = self._value_at(field, "s")
        if field.type.kind == "set":
            return f"to = row_set(to, {value}.w, {self._width(field)});"
        return f"to = row_number(to, {value});"

    def _exchange(self, owner: str) -> Iterator[str]:
        """See ``Exchange`` in samples.c."""
        name, fields = owner.lower(), [f for f in self.spec.fields if f.owner == owner]
        moving = [f for f in self.fields if f.owner == owner and self._is_exchanged(f)]
        unseen = {f.slot: f"hidden_{f.slot}(s, c, side, i)" for f in moving}
        head = f"_{name}(const State *s, Context *c, num side, num i, uint64_t *to) {{"
        yield f"static uint64_t *shared{head}"
        yield f"  if (!({' || '.join(unseen.values())})) return to;"
        yield from (f"  to = row_number(to, {hidden});" for hidden in unseen.values())
        for field in fields:
            yield from self._append_shared(field, moving, unseen)
        yield "  return to;"
        yield "}"
        yield f"static uint64_t *values{head}"
        yield from (
            f"  {line}" for f in moving for line in self._append_exchanged(f, moving, unseen)
        )
        yield "  return to;"
        yield "}"
        yield f"static void put_back_{name}(State *world, const State *s, Context *c, num side, num i, const uint64_t *from) {{"
        for field in moving:
            into = f"{self._value_at(field)} = number_in(&from);"
            if field.type.kind == "set":
                into = f"set_in(&from, {self._value_at(field)}.w, {self._width(field)});"
            yield f"  if ({unseen[field.slot]}) {into}"
        yield "}"
        most = len(moving) + sum(map(self._width, fields))
        functions = f"shared_{name}, values_{name}, put_back_{name}"
        yield f"static const Exchange EXCHANGE_{name} = {{{most}, {functions}}};"

    def _append_shared(
        self, field: FieldSpec, moving: list[FieldSpec], unseen: dict[str, str]
    ) -> Iterator[str]:
        """What of a field an owner must share with others to be one of them: see ``HiddenFields._kind``."""
        told, when = self._append_value(field), list[str]()
        if field.seen_by is not None:
            when.append(f"!hidden_{field.slot}(s, c, side, i)")
        if field.owner not in self.program.kinds:
            if not (field.type.kind == "bool" or field.type.name == "Side"):
                return
        elif field.place:
            told = f"to = row_number(to, {self._value_at(field, 's')} >= 0);"
        elif not field.fixed:
            return
        elif field.type.name != "Side":
            needing = [f for f in moving if f.fixed or f.setup or field.name in f.rests_on]
            if not needing:
                return
            when.append(f"({' || '.join(unseen[f.slot] for f in needing)})")
        test = f"if ({' && '.join(when)}) " if when else ""
        yield f"  {test}{told}"

    def _append_exchanged(
        self, field: FieldSpec, moving: list[FieldSpec], unseen: dict[str, str]
    ) -> Iterator[str]:
        """Tell a value that is exchanged; of what was chosen secretly, that it was."""
        told, hidden = self._append_value(field), unseen[field.slot]
        among = self.among.get(field.slot)
        if among in moving:
            assert among is not None
            was = f"{unseen[among.slot]} && {self._has_members(among, 's')}"
            told = f"{{ if ({was}) to = row_number(to, -1); else {told} }}"
        elif self._found_anew(field):
            set_ = self.shapes.value(from_spec(field.type))
            one = f"{{ {set_} one = {set_}_up_to(1); to = row_set(to, one.w, {self._width(field)}); }}"
            told = f"{{ if ({self._has_members(field, 's')}) {one} else {told} }}"
        yield f"if ({hidden}) {told}"

    # ------------------------------------------------------------------ what was chosen secretly

    def _own_choices(self, field: FieldSpec) -> Iterator[str]:
        """Of what each owner has chosen for himself, what there was to choose, and that he has."""
        among = self.among.get(field.slot)
        if among is None or field.roams or field.owner == "Game":
            return
        known = f"{self._value_at(among)} = {self._value_at(among, 's')};"
        if self._found_anew(among):
            set_ = self.shapes.value(from_spec(among.type))
            known = f"{self._value_at(among)} = {self._has_members(among, 's')} ? {set_}_up_to(1) : {set_}_none();"
        own = f"{self._value_at(field)} = {self._has_members(among, 's')} ? -1 : {self._value_at(field, 's')};"
        yield from self._for_each_hidden(field, f"{{ {own} {known} }}")

    def _guess(self, among: FieldSpec) -> Iterator[str]:
        """What there is to choose in a sample; nothing where no rule decides what was guessed."""
        set_ = self.shapes.value(from_spec(among.type))
        yield f"static {set_} guess_{among.slot}(State *world, Context *c, num i) {{"
        yield f"  if (setjmp(c->out)) return {set_}_none();"
        yield "  forget_all(world, c);"
        yield f"  return initial_{among.slot}(world, c, i);"
        yield "}"

    def _choose(self, field: FieldSpec, among: FieldSpec) -> Iterator[str]:
        """See ``HiddenFields._choose``."""
        set_, count = self.shapes.value(from_spec(among.type)), self._count(field.owner)
        own, options = self._value_at(field), self._value_at(among)
        yield "  {"
        yield f"    num all[{self.shapes.owners(field.owner) + 1}];"
        yield "    int n = 0;"
        yield f"    for (num i = 0; i < {count}; i++)"
        yield f"      if (hidden_{field.slot}(s, c, side, i) && {self._has_members(among)}) all[n++] = i;"
        yield "    mixed(chance, all, n);"
        yield f"    {set_} taken = {set_}_none();"
        if field.alone:
            yield f"    for (num i = 0; i < {count}; i++) taken = {set_}_with(taken, {own});"
        if self._found_anew(among):
            yield f"    for (int k = 0; k < n; k++) {{ num i = all[k]; {own} = {self._zero(field)}; }}"
        yield "    for (int k = 0; k < n; k++) {"
        yield "      num i = all[k];"
        if self._found_anew(among):
            type_ = from_spec(among.type).of
            assert type_ is not None
            every = self.shapes.count(type_) if type_.kind in ("enum", "piece", "hex") else "1"
            yield f"      {options} = guess_{among.slot}(world, c, i);"
            yield f"      if (!{self._has_members(among)}) {options} = {set_}_up_to({every});"
        yield f"      {set_} free = {set_}_less({options}, taken);"
        yield f"      if (!{set_}_any(free)) free = {options};"
        yield f"      int size = (int){set_}_size(free), at = random_below(chance, size + {int(field.passes)});"
        yield "      num value = -1;"
        yield f"      if (at < size) do value = {set_}_next(&free, value); while (at--);"
        yield f"      {own} = value;"
        if field.alone:
            yield f"      taken = {set_}_with(taken, value);"
        yield "    }"
        yield "  }"

    # ------------------------------------------------------------------ the rest

    def _initial(self) -> Iterator[str]:
        """Values of the beginning for what is neither exchanged nor chosen; computed ones last."""
        left = [f for f in self.fields if self._is_left(f)]
        computed = [
            f for f in left if f.initial is None and (f.owner, f.name) in self.program.initials
        ]
        yield "/* and the rest is what it is in the beginning */"
        yield "static void begun_again(State *world, const State *s, Context *c, num side, Random *chance) {"
        yield "  (void)world; (void)s; (void)c; (void)side; (void)chance;"
        for field in (f for f in left if f not in computed):
            yield from self._for_each_hidden(
                field, f"{self._value_at(field)} = {self._beginning(field)};"
            )
        for field in computed:
            put = f"{self._value_at(field)} = initial_{field.slot}(world, c, i);"
            yield from self._for_each_hidden(field, f"{{ forget_all(world, c); {put} }}")
        if self.placed:
            yield "  indexed(world, c);"
            yield "  forget_all(world, c);"
        else:
            for name in self.program.stale_memo_slots(
                tuple(closed_slots(self.spec.fields, self.spec.piles.values()))
            ):
                if name.startswith("K_"):
                    yield f"  world->{name} = ++c->version;"
        yield "}"

    def _is_left(self, field: FieldSpec) -> bool:
        """Whether a value is neither exchanged nor chosen."""
        chosen = (field.among is not None or field.options) and not field.roams
        return field.owner == "Game" or not (self._is_exchanged(field) or chosen)

    def _beginning(self, field: FieldSpec) -> str:
        """A value with which a field could begin: see ``HiddenFields._initial_value``."""
        type_ = from_spec(field.type)
        if field.initial is not None:
            return self._constant(field, field.initial)
        if field.type.optional or type_.kind not in ("enum", "bool"):
            return self._zero(field)
        return f"random_below(chance, {self.shapes.size(type_)})"
