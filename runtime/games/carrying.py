"""A game goes on by other rules: a ruleset was changed, and play continues from the same position.

Nothing is played again, since that would change what has happened.  All is found by its stable
name: fields by owner and name, pieces by kind and name, hexes by label, members and cards by name,
procedures by name, the place where each of them waits by what is asked or called there.  Then the
question is asked again, by the new rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runtime.bitsets import bits
from runtime.errors import blaming
from runtime.games.events import History
from runtime.games.explanation import Library
from runtime.games.game import Game
from runtime.games.names import Names
from runtime.games.play import Past
from runtime.model import (
    MASK,
    NONE,
    PASS,
    SECOND,
    SHIFT,
    DeckSpec,
    EffectSpec,
    FieldSpec,
    FrameSpec,
    RulesetSpec,
    TypeSpec,
    WaitSpec,
    branch_of,
    put_aside,
)
from runtime.program import CompiledProgram
from runtime.scenario.setup import SetUp
from runtime.state import DUE, RETURNED, ROLLED, StateBase, Told, reindex, values_of

#: Why something could not be kept; ``{value}`` is what it was.
GONE = "the rules have it no more"
OTHER = "it holds something else now"
NO_VALUE = "{value} is not there any more"
NO_PIECE = "the scenario has it no more"
TAKEN_PLACE = "{value} is taken"
NOT_KNOWN = "{value} has no value yet"

#: How many stretches of play by earlier rules are remembered.
_REMEMBERED = 4
#: How many owners of a value that is lost are named.
_NAMED = 3
#: How many ``together`` are open.
_HELD = (1 << DUE) - 1
#: The number of what is not there any more.
_NOWHERE = -2


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be kept, by its stable name, and why: a sentence with *value* in it."""

    what: str
    why: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.why.format(value=self.value)}"


@dataclass(frozen=True, slots=True)
class Carried:
    """The *game* that goes on, None where nothing of it can; how many answers it went *back*, since
    a procedure under way then, or what it waited for, is gone; what was *lost*, which stands as it
    is set up.  Where it went back, or cannot go on, the first loss is what was under way.
    """

    game: Game | None
    back: int = 0
    lost: tuple[Loss, ...] = ()


def carry_over(
    game: Game, program: CompiledProgram, setup: SetUp, library: Library | None = None
) -> Carried:
    """Go on with *game* by other rules, in a set-up of them, from where it stands.

    The procedures under way go on where they wait.  Where one of them is gone, or what it waits
    for, it goes back to the latest decision at which all can be kept: so far as the game can be
    played again, which one that began from a position cannot.  What no step writes, and whether
    optional rules are on, is as the new rules and their set-up say.  The game has no record then,
    and takes back no further.  *game* stays as it is.  RulesError where the new rules fail.
    """
    program = program.on(setup.board)
    if program.spec.sides != game.spec.sides:
        return Carried(None, 0, (Loss("Side", OTHER),))
    with blaming(program.spec.name):
        carrier = _Carrier(game.spec, game.setup, program, setup)
    moment = _Moment(game.state, game.history, game.folds, 0)
    past, procedure = game.past, game.run_alone
    try:
        frames = carrier.frames(game.state)
    except _Gone as gone:
        missing = gone.loss("play")
    else:
        earlier = past if past is None or past.answers else past.before
        made = carrier.going_on(moment, frames, procedure, earlier, game, library)
        return Carried(made, 0, carrier.lost)
    back = 0
    while past is not None:
        carrier = _Carrier(past.program.spec, past.setup, program, setup)
        found = _latest(past, carrier)
        if found is not None:
            played = past.answers[: found.answers]
            earlier = replace(past, answers=played) if played else past.before
            frames = carrier.frames(found.state)
            made = carrier.going_on(found, frames, procedure, earlier, game, library)
            back += len(past.answers) - found.answers
            return Carried(made, back, (missing, *carrier.lost))
        back += len(past.answers)
        past = past.before
    return Carried(None, 0, (missing,))


@dataclass(frozen=True, slots=True)
class _Moment:
    """A decision: what stood, what had happened, and how many *answers* had been given."""

    state: StateBase
    history: History
    folds: tuple[int, ...]
    answers: int


def _latest(past: Past, carrier: _Carrier) -> _Moment | None:
    """The latest decision before the last one of *past* whose procedures can go on."""
    notes, events = list(past.history.notes), list(past.history.events)
    folds, since = list(past.folds), past.history.since
    state = past.begun(notes, events)
    found: _Moment | None = None
    for number, answer in enumerate(past.answers):
        if carrier.keeps(state):
            history = History(tuple(notes), tuple(events), since)
            found = _Moment(state.copy(), history, tuple(folds), number)
        since, checkpoints = (len(notes), len(events)), state.checkpoints
        past.program.answer(state, answer)
        if state.checkpoints != checkpoints:
            folds.append(len(notes))
    return found


def _shortened(past: Past | None, left: int = _REMEMBERED) -> Past | None:
    """What is remembered of the past."""
    if past is None or not left:
        return None
    return replace(past, before=_shortened(past.before, left - 1))


class _Gone(Exception):
    """Something cannot be kept: why, and its value."""

    def __init__(self, why: str, value: str = "", what: str = "") -> None:
        super().__init__()
        self.why, self.value, self.what = why, value, what

    def loss(self, what: str) -> Loss:
        """As it is told."""
        return Loss(self.what or what, self.why, self.value)


class _Carrier:
    """Carries states of a ruleset over into those of another."""

    def __init__(
        self, old: RulesetSpec, old_setup: SetUp, program: CompiledProgram, setup: SetUp
    ) -> None:
        self.old, self.new = old, program.spec
        self.program, self.setup = program, setup
        self.old_names, self.names = Names(old, old_setup), Names(program.spec, setup)
        self._numbers: dict[tuple[str, str, str], list[int]] = {}
        self._waits: dict[str, dict[int, WaitSpec]] = {}
        #: what is lost, with the owners of which it is
        self._lost: dict[Loss, list[str]] = {}

    @property
    def lost(self) -> tuple[Loss, ...]:
        """What could not be kept so far."""
        return tuple(
            replace(loss, what=f"{loss.what} ({_listed(owners)})") if owners else loss
            for loss, owners in self._lost.items()
        )

    def lose(self, loss: Loss, owner: str = "") -> None:
        """Note what cannot be kept, and of whom."""
        owners = self._lost.setdefault(loss, [])
        if owner:
            owners.append(owner)

    # ------------------------------------------------------------------ values

    def numbers(self, old: TypeSpec, new: TypeSpec) -> list[int]:
        """By numbers of members, hexes or pieces those of the same name."""
        key = (old.kind, old.name, new.name)
        if key not in self._numbers:
            there = {name: i for i, name in enumerate(self.names.all(new))}
            self._numbers[key] = [there.get(n, _NOWHERE) for n in self.old_names.all(old)]
        return self._numbers[key]

    def value(self, old: TypeSpec, value: Any, new: TypeSpec) -> Any:
        """A value of a type as one of another.  Raises _Gone where it means nothing there."""
        if old.kind != new.kind or (old.of is None) != (new.of is None):
            raise _Gone(OTHER)
        if value == NONE:  # a local that takes a set from an answer holds it, too
            return value
        if old.of is not None and new.of is not None:
            if old.kind == "roll":
                return value and type(value)(self.value(old.of, v, new.of) for v in value)
            return sum(1 << self.value(old.of, v, new.of) for v in bits(value))
        if old.kind not in ("enum", "piece", "hex"):
            return value
        numbers = self.numbers(old, new)
        if not numbers:  # a local without a value, of a kind without pieces
            return value
        if numbers[value] == _NOWHERE:
            raise _Gone(NO_VALUE, self.old_names.name(old, value))
        return numbers[value]

    # ------------------------------------------------------------------ what is under way

    def keeps(self, state: StateBase) -> bool:
        """Whether the procedures that are under way can go on."""
        try:
            self.frames(state)
        except _Gone:
            return False
        return True

    def frames(self, state: StateBase) -> list[list[Any]]:
        """The frames; the innermost asks again.  Raises _Gone where they cannot go on."""
        frames: list[list[Any]] = []
        for frame in state.frames:
            procedure, number = self.old.waiting[frame[0]]
            there, asked = self.new.frames.get(procedure), self.old.frames[procedure].waits[number]
            if there is None:
                raise _Gone(GONE, what=procedure)
            wait = self.waits(procedure).get(number)
            if wait is None:
                raise _Gone(GONE, what=f"{procedure}: {asked.what}")
            again = wait.block if wait.again == NONE else wait.again
            frames.append([again, *self._locals(procedure, frame, there, wait)])
        return frames

    def _locals(
        self, procedure: str, frame: Sequence[Any], there: FrameSpec, wait: WaitSpec
    ) -> list[Any]:
        """The locals of a frame."""
        known = {name: (place, type_) for name, place, type_ in self.old.frames[procedure].locals}
        values: list[Any] = [0] * (there.size - 1)
        for name, place, type_ in there.locals:
            try:
                if name not in known:
                    raise _Gone(NOT_KNOWN, name)
                at, old = known[name]
                values[place - 1] = self.value(old, frame[at], type_)
            except _Gone as gone:
                if name in wait.needed:
                    raise _Gone(gone.why, gone.value, f"{procedure}: {name}") from None
        return values

    def waits(self, procedure: str) -> dict[int, WaitSpec]:
        """By the number of a place where a procedure waited, where it waits now."""
        if procedure not in self._waits:
            old, new = self.old.frames[procedure].waits, self.new.frames[procedure].waits
            self._waits[procedure] = {i: new[j] for i, j in _aligned(old, new)}
        return self._waits[procedure]

    # ------------------------------------------------------------------ the game

    def going_on(
        self,
        moment: _Moment,
        frames: list[list[Any]],
        procedure: str,
        earlier: Past | None,
        game: Game,
        library: Library | None,
    ) -> Game:
        """The game that goes on from a moment."""
        program, setup = self.program, self.setup
        with blaming(self.new.name):
            start = self.state(moment.state, frames, procedure)
        history, folds = self.history(moment.history, moment.folds)

        def begun(notes: list[Any], events: list[Any]) -> StateBase:
            state = start.copy()
            state.log, state.events = notes, events
            if frames:
                program.go_on(state)
            return state

        past = Past(program, setup, begun, history, folds, (), _shortened(earlier))
        carried = Game.at(program, setup, start.copy(), game.wording.language, library)
        carried.take_over(past, procedure, program.go_on if frames else None)
        return carried

    def state(self, before: StateBase, frames: list[list[Any]], procedure: str) -> StateBase:
        """The state before the question is asked again."""
        state = self.program.new_state(self.setup, before.seed)
        state.frames = frames
        self._fields(before, state)
        for deck in self.new.decks:
            self._deck(deck, before, state)
        self._effects(before, state)
        self._chance(before, state)
        for slot in ("alone", "checkpoints", "over", "ranks", "reveals"):
            setattr(state, slot, getattr(before, slot))
        due = before.deferred >> DUE
        checks = [self.old.checks[i] for i in bits(due)]
        state.deferred = before.deferred & _HELD
        state.deferred |= sum(1 << DUE + i for i, c in enumerate(self.new.checks) if c in checks)
        state.shelf = [self._shelved(entry, before, state) for entry in before.shelf]
        if before.over == RETURNED:
            state.result = self._result(before, procedure)
        reindex(state)
        return state

    def _result(self, before: StateBase, procedure: str) -> Any:
        old, new = self.old.procedures.get(procedure), self.new.procedures.get(procedure)
        try:
            if old is None or new is None or old.type is None or new.type is None:
                raise _Gone(GONE)
            return self.value(old.type, before.result, new.type)
        except _Gone as gone:
            self.lose(gone.loss(procedure))
            return 0

    # ------------------------------------------------------------------ fields

    def _fields(self, before: StateBase, state: StateBase) -> None:
        new, old = self.new, {(f.owner, f.name): f for f in self.old.fields}
        still = set(self.old.still) & set(new.still)
        together = before.deferred & _HELD
        self._gone()
        for f in new.fields:
            known = old.get((f.owner, f.name))
            if known is None or {f.slot, known.slot} <= still:
                continue
            value, kept = self._carried(known, getattr(before, known.slot), f, state)
            setattr(state, f.slot, value)
            if f.place and f.alone and not together:
                self._apart(f, value, kept)

    def _gone(self) -> None:
        """Tell the fields, kinds and pieces that are gone."""
        old, new = self.old, self.new
        there = {(f.owner, f.name) for f in new.fields}
        owners = {"Game", "Hex", *new.kinds, *new.enums}
        helping = {f.among for f in old.fields}
        for f in old.fields:
            if f.owner not in owners:
                self.lose(Loss(f.owner, GONE))
            elif (f.owner, f.name) not in there and f.slot not in helping:
                self.lose(Loss(f"{f.owner}.{f.name}", GONE))
        for kind in set(old.kinds) & set(new.kinds):
            type_ = TypeSpec("piece", kind)
            for i, number in enumerate(self.numbers(type_, type_)):
                if number == _NOWHERE:
                    self.lose(Loss(f"{kind} {self.old_names.name(type_, i)}", NO_PIECE))

    def _carried(
        self, old: FieldSpec, values: Any, new: FieldSpec, state: StateBase
    ) -> tuple[Any, set[int]]:
        """The value of a field, or its column, where it stands as it is set up; and whose values
        there are kept.
        """
        there = getattr(state, new.slot)
        what = f"{new.owner}.{new.name}"
        if new.owner == "Game":
            try:
                return self.value(old.type, values, new.type), set()
            except _Gone as gone:
                self.lose(gone.loss(what))
                return there, set()
        column, kept = list(there), set()
        owner = _of_owner(self.new, new.owner)
        for i, number in enumerate(self.numbers(owner, owner)):
            if number == _NOWHERE:
                continue
            try:
                column[number] = self.value(old.type, values[i], new.type)
                kept.add(number)
            except _Gone as gone:
                self.lose(gone.loss(what), self.names.name(owner, number))
        return column, kept

    def _apart(self, f: FieldSpec, column: list[int], kept: set[int]) -> None:
        """Take pieces off the board that stand where there is one: those that are set up there."""
        taken: set[int] = set()
        for i in sorted(range(len(column) - 1), key=lambda i: (i not in kept, i)):
            if column[i] >= 0 and column[i] in taken:
                place = self.names.name(f.type, column[i])
                what = f"{f.owner}.{f.name}"
                self.lose(Loss(what, TAKEN_PLACE, place), self.names.all(_piece(f.owner))[i])
                column[i] = NONE
            taken.add(column[i])

    def _shelved(
        self, entry: tuple[Any, ...], before: StateBase, state: StateBase
    ) -> tuple[Any, ...]:
        """What a stretch of a scope has put aside."""
        scope, *values = entry
        fields, effects = put_aside(scope, self.old.fields, self.old.effects)
        names = [*((f.owner, f.name) for f in fields), *(e.name for e in effects)]
        aside: dict[Any, tuple[Any, Any]] = {
            name: (spec, value)
            for name, spec, value in zip(names, (*fields, *effects), values, strict=True)
        }
        fields, effects = put_aside(scope, self.new.fields, self.new.effects)
        made: list[Any] = [scope]
        for f in fields:
            value: Any = getattr(state, f.slot)
            if (f.owner, f.name) in aside:
                old, there = aside[f.owner, f.name]
                value, _ = self._carried(old, there, f, state)
            made.append(value if f.owner == "Game" else tuple(value))
        for e in effects:
            old, there = aside.get(e.name, (e, 0))
            made.append(self._in_force(old, there, e, before, state))
        return tuple(made)

    # ------------------------------------------------------------------ cards

    def _deck(self, deck: DeckSpec, before: StateBase, state: StateBase) -> None:
        """Lay the cards where they lay; new ones lie under the first pile."""
        old = next((d for d in self.old.decks if d.name == deck.name), None)
        if old is None:
            return
        old_cards, cards = TypeSpec("enum", old.enum), TypeSpec("enum", deck.enum)
        numbers = self.numbers(old_cards, cards)
        had: Counter[int] = Counter()
        for card, copies in enumerate(old.copies):
            had[numbers[card]] += copies
        has = Counter(dict(enumerate(deck.copies)))
        fewer, more = had - has, has - had
        content: dict[str, list[Any]] = {
            p.name: [] if p.per is None else [[] for _ in (*self.new.enums[p.per], None)]
            for p in deck.piles
        }
        first = content[deck.piles[0].name]
        for pile in old.piles:
            for part, laid in self._parts(deck, pile.name, pile.per, getattr(before, pile.slot)):
                target = first
                if pile.name in content and part != _NOWHERE:
                    target = content[pile.name] if part == NONE else content[pile.name][part]
                elif laid:
                    self.lose(Loss(f"{deck.name}: {pile.name}", GONE))
                for card in laid:
                    number = numbers[card]
                    if fewer[number]:
                        fewer[number] -= 1
                        name = self.old_names.name(old_cards, card)
                        self.lose(Loss(f"{deck.name}: {name}", GONE))
                    else:
                        target.append(number)
        first[:0] = more.elements()
        for p in deck.piles:
            if p.visibility == "owner":
                for hand in content[p.name] if p.per is not None else [content[p.name]]:
                    hand.sort()
            setattr(state, p.slot, content[p.name])

    def _parts(
        self, deck: DeckSpec, name: str, per: str | None, laid: list[Any]
    ) -> Iterator[tuple[int, list[int]]]:
        """What lies in a pile, with the number of each of its parts now: ``NONE`` for the whole of
        one that has none, ``_NOWHERE`` for what has no place.
        """
        pile = next((p for p in deck.piles if p.name == name), None)
        if per is None:
            yield NONE if pile is not None and pile.per is None else _NOWHERE, laid
            return
        members = [_NOWHERE] * len(self.old.enums[per])
        if pile is not None and pile.per is not None:
            members = self.numbers(TypeSpec("enum", per), TypeSpec("enum", pile.per))
        yield from zip(members, laid, strict=False)

    # ------------------------------------------------------------------ effects and chance

    def _effects(self, before: StateBase, state: StateBase) -> None:
        there = {effect.name: effect for effect in self.new.effects}
        for effect in self.old.effects:
            mask, new = getattr(before, effect.slot), there.get(effect.name)
            if new is not None:
                setattr(state, new.slot, self._in_force(effect, mask, new, before, state))
            elif mask:
                self.lose(Loss(effect.name, GONE))

    def _in_force(
        self, old: EffectSpec, mask: int, new: EffectSpec, before: StateBase, state: StateBase
    ) -> int:
        """The values of an effect that are in force."""
        made = 0
        for bit in bits(mask):
            values: list[int] = []
            for type_ in reversed(old.params):
                bit, value = divmod(bit, values_of(before, type_))
                values.insert(0, value)
            try:
                if len(values) != len(new.params):
                    raise _Gone(OTHER)
                number = 0
                for was, value, type_ in zip(old.params, values, new.params, strict=True):
                    number = number * values_of(state, type_) + self.value(was, value, type_)
                made |= 1 << number
            except _Gone as gone:
                self.lose(gone.loss(new.name))
        return made

    def _chance(self, before: StateBase, state: StateBase) -> None:
        old, new = self.old, self.new
        drawn = dict(zip(_streams(old), before.counters, strict=True))
        state.counters = [drawn.get(stream, 0) for stream in _streams(new)]
        if before.script is None:
            return
        if (old.dice, old.decks, old.enums) == (new.dice, new.decks, new.enums):
            state.script = dict(before.script)
        else:
            self.lose(Loss("dice", OTHER))

    # ------------------------------------------------------------------ what has happened

    def history(self, history: History, folds: Sequence[int]) -> tuple[History, tuple[int, ...]]:
        """What has happened, so far as these rules have words for it, and the checkpoints in it."""
        notes, before = _kept(history.notes, self._note)
        events, earlier = _kept(history.events, lambda event: self._event(event, before))
        since = (before[history.since[0]], earlier[history.since[1]])
        return History(tuple(notes), tuple(events), since), tuple(before[fold] for fold in folds)

    def _note(self, entry: tuple[Any, ...]) -> tuple[Any, ...]:
        number, *values = entry
        told = [values.pop()] if values and isinstance(values[-1], Told) else []
        name = self.old.notes[number]
        if name not in self.new.notes:
            raise _Gone(GONE)
        there = self.new.notes.index(name)
        old, new = self.old.note_types[number], self.new.note_types[there]
        return (there, *self._all(old, values, new), *told)

    def _event(self, event: tuple[Any, ...], notes: Sequence[int]) -> tuple[Any, ...]:
        kind, before, number, *what = event
        if kind == ROLLED:
            die = self.old.dice[number]
            there = next((i for i, d in enumerate(self.new.dice) if d.name == die.name), NONE)
            if there == NONE or (die.enum is None) != (self.new.dice[there].enum is None):
                raise _Gone(GONE)
            old, new = (_face(enum) for enum in (die.enum, self.new.dice[there].enum))
            faces = tuple(self.value(old, face, new) for face in what[0])
            return (kind, notes[before], there, faces)
        side, option = what
        return (kind, notes[before], *self._option(number, side, option))

    def _option(self, number: int, side: int, option: int) -> tuple[int, int, int]:
        """An option that was taken: decision, side and option."""
        old = self.old.decisions[number]
        for new in self.new.decisions:
            words = [o.word for o in new.options]
            if (new.procedure, new.prompt) != (old.procedure, old.prompt):
                continue
            if option == PASS:
                return new.index, side, PASS
            was = old.options[branch_of(option)]
            if was.word not in words:
                continue
            branch = words.index(was.word)
            given = [option & MASK, option >> SECOND][: len(was.values)]
            values = (*self._all(was.values, given, new.options[branch].values), 0, 0)
            return new.index, side, values[1] << SECOND | branch << SHIFT | values[0]
        raise _Gone(GONE)

    def _all(
        self, old: Sequence[TypeSpec], values: Sequence[Any], new: Sequence[TypeSpec]
    ) -> list[Any]:
        if len(old) != len(new):
            raise _Gone(OTHER)
        return [self.value(o, v, n) for o, v, n in zip(old, values, new, strict=True)]


def _listed(owners: Sequence[str]) -> str:
    """Owners by name, not too many."""
    return ", ".join(owners[:_NAMED]) + (", …" if len(owners) > _NAMED else "")


def _piece(kind: str) -> TypeSpec:
    return TypeSpec("piece", kind)


def _face(enum: str | None) -> TypeSpec:
    """The type of the faces of a die."""
    return TypeSpec("int") if enum is None else TypeSpec("enum", enum)


def _of_owner(spec: RulesetSpec, owner: str) -> TypeSpec:
    """The type of the owners of fields."""
    if owner in spec.kinds:
        return _piece(owner)
    return TypeSpec("hex") if owner == "Hex" else TypeSpec("enum", owner)


def _streams(spec: RulesetSpec) -> list[tuple[str, str | int]]:
    """The streams of chance, in the order of their counters."""
    return [
        *(("die", die.name) for die in spec.dice),
        *(("deck", deck.name) for deck in spec.decks),
        *(("mixed", number) for number in range(spec.streams)),
        *([("drawn", 0)] if spec.draws else []),
    ]


def _kept(
    entries: Sequence[tuple[Any, ...]], carried: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> tuple[list[tuple[Any, ...]], list[int]]:
    """The entries that can be carried over, and how many of them stand before each."""
    kept: list[tuple[Any, ...]] = []
    before: list[int] = []
    for entry in entries:
        before.append(len(kept))
        try:
            kept.append(carried(entry))
        except _Gone:
            continue
    return kept, [*before, len(kept)]


def _aligned(old: Sequence[WaitSpec], new: Sequence[WaitSpec]) -> Iterator[tuple[int, int]]:
    """The places where a procedure waits that are the same, by numbers, in the order of its text: a
    longest common subsequence, in which those that are written alike count for more.
    """

    def alike(i: int, j: int) -> int:
        a, b = old[i], new[j]
        if (a.what, a.again == NONE, a.inside) != (b.what, b.again == NONE, b.inside):
            return 0
        return 3 if a.text == b.text else 2

    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            met = alike(i, j)
            both = best[i + 1][j + 1] + met if met else 0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(old) and j < len(new):
        met = alike(i, j)
        if met and best[i][j] == best[i + 1][j + 1] + met:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
