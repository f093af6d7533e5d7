"""Random set-ups: any legal position of random pieces on a scenario's board.

A position is written as a scenario and read back, so what is legal is what the reader of scenarios
and the ruleset's ``require`` let pass.  Pieces are those of the scenario, some changed in what a
scenario may say of them; how many there are, where they stand, and the other fields that the
scenario may give are left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from runtime.model import NONE, FieldSpec, RulesetSpec, TypeSpec
from runtime.program import CompiledProgram
from runtime.scenario import PieceSetUp, SetUp, dump, load
from runtime.scenario.fields import (
    GAME,
    HEX,
    SIDE,
    members,
    other_owners,
    refers,
    set_fields,
    takes_none,
)
from runtime.scenario.names import Numbers

#: The initial value of a field of a kind that an expression gives, for a piece with certain values.
Initial = Callable[[str, str, Mapping[str, int]], int | None]
#: How many positions are drawn until one is legal.
TRIES = 40


class Positions:
    """Draws positions for one scenario."""

    def __init__(self, program: CompiledProgram, setup: SetUp, initial: Initial) -> None:
        self.program, self.setup, self.initial = program, setup, initial

    def draw(self, rng: Random) -> tuple[SetUp, str] | None:
        """A legal position with its text; None where all that were drawn are refused."""
        spec = self.program.spec
        for _ in range(TRIES):
            text = dump(_Draft(spec, self.setup, rng, self.initial).whole(), spec)
            setup, _ = load(
                text, spec, initial=self.initial, broken=self.program.unmet_requirements
            )
            if setup is not None:
                return setup, text
        return None


class _Draft:
    """One position being drawn."""

    def __init__(self, spec: RulesetSpec, setup: SetUp, rng: Random, initial: Initial) -> None:
        self.spec, self.setup, self.rng, self.initial = spec, setup, rng, initial
        self.counts = {kind: len(setup.pieces.get(kind, ())) for kind in spec.kinds}
        #: how far this position is from the scenario, in each of its parts
        self.wild = {
            part: rng.choice((0.0, 0.1, 0.5, 1.0))
            for part in ("switches", GAME, SIDE, HEX, "pieces", "values")
        }

    def whole(self) -> SetUp:
        """The position."""
        given = {**self.spec.switches, **self.setup.switches}
        switches = {
            name: given[name] ^ (self.chance("switches") and self.rng.random() < 0.5)
            for name in self.spec.switches
        }
        pieces = self.pieces()
        self.counts = {kind: len(group) for kind, group in pieces.items()}
        for parent, kinds in self.spec.parents.items():
            self.counts[parent] = sum(self.counts.get(kind, 0) for kind in kinds)
        pieces = {
            kind: tuple(replace(p, values=self.referring(kind, p.values)) for p in group)
            for kind, group in pieces.items()
        }
        game: dict[str, int] = {}
        for f in set_fields(self.spec, GAME):
            if self.chance(GAME) and self.finite(f.type):
                game[f.name] = self.value(f, self.setup.game.get(f.name))
            elif (known := self.setup.game.get(f.name)) is not None:
                game[f.name] = known
        return replace(
            self.setup,
            title="A random position",
            switches=switches,
            game=game,
            fields=self.fields(),
            pieces=pieces,
        )

    def chance(self, part: str) -> bool:
        """Whether something of a part is left to chance."""
        return self.rng.random() < self.wild[part]

    # ------------------------------------------------------------------ values

    def finite(self, type_: TypeSpec) -> bool:
        """Whether there is a value of the type to choose."""
        return type_.kind != "piece" or self.counts.get(type_.name, 0) > 0

    def value(self, field: FieldSpec, known: int | None) -> int:
        """Any value of a field; numbers are near those that are known."""
        type_, rng = field.type, self.rng
        if type_.kind == "int":
            if type_.optional and rng.random() < 0.2:
                return NONE
            start = known if known is not None else field.initial
            near = start if start is not None and start >= 0 else 2
            return max(0, near + rng.choice((-2, -1, -1, 0, 1, 1, 2, 4)))
        if type_.kind == "set" and type_.of is not None:
            size = self.size(type_.of)
            many = min(size, rng.choice((0, 1, 1, 2, 3)))
            return sum(1 << i for i in rng.sample(range(size), many))
        if type_.kind != "bool" and takes_none(field) and rng.random() < 0.15:
            return NONE
        return rng.randrange(self.size(type_)) if self.size(type_) else NONE

    def size(self, type_: TypeSpec) -> int:
        """How many values there are."""
        if type_.kind == "bool":
            return 2
        if type_.kind == "hex":
            return self.spec.board.size
        if type_.kind == "piece":
            return self.counts.get(type_.name, 0)
        return len(members(self.spec, type_.name))

    # ------------------------------------------------------------------ all that is no piece

    def fields(self) -> dict[str, dict[str, dict[int, int]]]:
        """The fields of all that is no piece."""
        fields: dict[str, dict[str, dict[int, int]]] = {}
        for owner in (SIDE, *other_owners(self.spec), HEX):
            if owner == HEX:
                count, some = self.spec.board.size, self.rng.random() * 0.4
            else:
                count, some = len(members(self.spec, owner)), 1.0 if owner == SIDE else 0.5
            for f in set_fields(self.spec, owner):
                known = self.setup.fields.get(owner, {}).get(f.name, {})
                afresh = owner == HEX and self.chance(HEX) and not f.required
                # of pieces there may be others now
                values = {
                    i: self.value(f, None) if refers(f.type) else value
                    for i, value in ({} if afresh else known).items()
                }
                for i in range(count) if owner != HEX or afresh or f.required else ():
                    part = SIDE if owner == SIDE else HEX
                    if (f.required and i not in values) or (
                        self.rng.random() < some and self.chance(part) and self.finite(f.type)
                    ):
                        values[i] = self.value(f, known.get(i))
                if values:
                    fields.setdefault(owner, {})[f.name] = dict(sorted(values.items()))
        return fields

    # ------------------------------------------------------------------ pieces

    def pieces(self) -> dict[str, tuple[PieceSetUp, ...]]:
        """The pieces; what refers to pieces is left as it is."""
        pieces: dict[str, tuple[PieceSetUp, ...]] = {}
        numbers = Numbers()
        for kind in self.spec.kinds:
            entries = self.entries(kind)
            taken: set[int] = set()
            group: list[PieceSetUp] = []
            pool = NONE
            for number, (values, many) in enumerate(self.sample_entries(entries)):
                changed = self.vary_values(kind, values, taken)
                if many == NONE:
                    name = f"{kind.lower()}-{number}"
                    numbers.taken.add(name)
                    group.append(PieceSetUp(name, changed))
                    continue
                pool += 1
                alone = any(
                    f.place and f.alone and changed.get(f.name, NONE) >= 0
                    for f in self.spec.fields_of(kind)
                )
                times = 1 if alone else self.rng.randint(1, many + 2)
                group += [
                    PieceSetUp(numbers.name(f"{kind.lower()}-{number}x"), changed, pool)
                    for _ in range(times)
                ]
            if group:
                pieces[kind] = tuple(group)
        return pieces

    def entries(self, kind: str) -> list[tuple[dict[str, int], int]]:
        """The values of pieces of a kind, with how many there are (NONE: without ``count``)."""
        entries: list[tuple[dict[str, int], int]] = []
        last = NONE
        for piece in self.setup.pieces.get(kind, ()):
            if piece.pool != NONE and piece.pool == last:
                entries[-1] = entries[-1][0], entries[-1][1] + 1
            else:
                entries.append((dict(piece.values), NONE if piece.pool == NONE else 1))
            last = piece.pool
        return entries

    def sample_entries(
        self, entries: list[tuple[dict[str, int], int]]
    ) -> list[tuple[dict[str, int], int]]:
        """Some of the entries, perhaps several times."""
        if not entries or not self.chance("pieces"):
            return entries
        rng, count = self.rng, len(entries)
        some = rng.randint(1, count), rng.randint(1, count)
        wanted = rng.choice((*some, rng.randint(count, count + 4), min(count, rng.randint(2, 4))))
        chosen = rng.sample(entries, min(wanted, count))
        return chosen + [rng.choice(entries) for _ in range(wanted - len(chosen))]

    def vary_values(self, kind: str, values: dict[str, int], taken: set[int]) -> dict[str, int]:
        """The values of a piece, some of them others."""
        changed = dict(values)
        for f in set_fields(self.spec, kind):
            if f.place and f.type.kind == "hex":
                h = changed.get(f.name, NONE)
                if self.chance("pieces") or (f.alone and h in taken):
                    free = [h for h in range(self.spec.board.size) if not f.alone or h not in taken]
                    h = self.rng.choice(free) if free and self.rng.random() < 0.95 else NONE
                if f.alone and h != NONE:
                    taken.add(h)
                if h != NONE or f.name in changed or f.required:
                    changed[f.name] = h
            elif not refers(f.type) and self.chance("values") and self.rng.random() < 0.15:
                changed[f.name] = self.value(f, changed.get(f.name))
                if f.type.kind == "int" and f.initial is None and not f.required:
                    most = self.initial(kind, f.name, changed)
                    del changed[f.name]
                    if most is not None and most > 0:
                        changed[f.name] = self.rng.randint(1, most)
        return changed

    def referring(self, kind: str, values: dict[str, int]) -> dict[str, int]:
        """The values with what refers to pieces, of which there may be others now."""
        changed = dict(values)
        for f in set_fields(self.spec, kind):
            if refers(f.type) and f.name in changed:
                empty = 0 if f.type.kind == "set" else NONE
                changed[f.name] = self.value(f, None) if self.size(f.type.of or f.type) else empty
        return changed
