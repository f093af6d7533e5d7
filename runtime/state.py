"""The state of a game: plain data at every decision.

A generated class ``State`` derives from :class:`StateBase` and adds one slot per field, pile and
effect (``docs/ARCHITECTURE.md`` lists them).  All values are ints, lists of ints or lists of such
lists, so a state can be copied, compared, hashed, written as JSON and read back in the middle of
anything.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from runtime.errors import RulesError
from runtime.model import NONE, FieldSpec, RulesetSpec, TypeSpec, zero
from runtime.scenario.setup import SetUp

#: How a game stands: it goes on, has been won (by one side or several), is tied, is over and nobody
#: has won; or only the procedure that was run by itself has ended.
RUNNING, WON, TIED, LOST, RETURNED = 0, 1, 2, 3, 4
#: What stands among the events of a game: dice that were rolled, an option taken without asking.
ROLLED, TAKEN = 0, 1
#: ``state.deferred``: below this bit how many ``together`` are open, above it which checks are due.
DUE = 16


class Over(Exception):
    """The game has ended (*how*: ``WON``, ``TIED``, ``LOST``; *sides*: a mask); unwinds all."""

    def __init__(self, how: int, sides: int = 0) -> None:
        super().__init__()
        self.how = how
        self.sides = sides


class RulesetFault(RulesError, RuntimeError):
    """The rules themselves failed: no rule decides, or procedures call each other endlessly."""


class Told(int):
    """At the end of a note that not all sides are told: the set of those that are."""

    __slots__ = ()


#: Nothing that is remembered, by any argument or by a member of a small enum; what is to be
#: remembered is put elsewhere.
NOTHING: Final[dict[Any, Any]] = {}
UNKNOWN: Final[list[Any]] = [None] * 16


class StateBase:
    """What every state has: the procedures under way, the pending decision, chance, the result."""

    __slots__ = (
        "about",
        "alone",
        "answer",
        "asked",
        "assumed",
        "checking",
        "checkpoints",
        "chooser",
        "counters",
        "deferred",
        "events",
        "frames",
        "log",
        "observed",
        "options",
        "over",
        "point",
        "pools",
        "ranks",
        "result",
        "reveals",
        "script",
        "seed",
        "shelf",
        "unseen",
    )
    SPEC: ClassVar[RulesetSpec]
    #: slots of the ruleset whose content never changes during a game
    FIXED: ClassVar[tuple[str, ...]] = ()
    #: slots with plain ints, with lists, and with lists of lists
    INTS: ClassVar[tuple[str, ...]] = ()
    LISTS: ClassVar[tuple[str, ...]] = ()
    NESTED: ClassVar[tuple[str, ...]] = ()
    #: lists that follow from others: which pieces are on each hex
    DERIVED: ClassVar[tuple[str, ...]] = ()
    #: what makes the initial values of fields, by owner and name, from the state and the owner
    INITIALS: ClassVar[Mapping[tuple[str, str], Callable[[Any, int], int]]] = {}

    #: slots that hold what is remembered, and those that hang on each slot
    KEPT: ClassVar[tuple[str, ...]] = ()
    HANGING: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: those that hold a list with an entry for each member of an enum
    ROWS: ClassVar[tuple[str, ...]] = ()

    frames: list[list[Any]]
    chooser: int
    point: int
    options: list[int]
    #: what the pending decision is about, where it has arguments; left as it is by those without
    about: tuple[Any, ...]
    answer: int
    result: Any
    seed: int
    counters: list[int]
    #: what is rolled and drawn before chance comes in: faces as numbers; for ``draw`` what each
    #: text means, by kind
    script: dict[str, list[Any]] | None
    over: int
    #: the rank of each side, 1 for who has won; empty while the game goes on
    ranks: tuple[int, ...]
    checkpoints: int
    deferred: int
    #: what remembered functions give while one is at work that asks them
    asked: dict[tuple[int, tuple[int, ...]], int] | None
    #: the checks that are running, a bit each; at a decision none is
    checking: int
    #: values put aside by stretches of a scope inside another, behind the scope's name
    shelf: list[tuple[Any, ...]]
    reveals: int
    #: by kind, the number of the pool that each piece came from; None where there are no pools
    pools: dict[str, list[int]] | None
    #: whether a procedure runs by itself instead of the whole game
    alone: int
    log: list[tuple[Any, ...]] | None
    #: beside a log: what happened that is no note, each with how many notes there were before it;
    #: ``(ROLLED, notes, die, faces)`` and ``(TAKEN, notes, decision, side, option)``
    events: list[tuple[Any, ...]] | None

    #: in a forecast: what was observed, the number of the outcome with its values; else None
    observed: list[tuple[Any, ...]] | None
    #: in a forecast that does not see all cards: by deck, those that lie unseen; else None
    unseen: tuple[tuple[int, ...], ...] | None
    #: in a forecast: the options that are assumed not to be offered, a bit each; else 0
    assumed: int

    def copy(self) -> Self:
        """An independent state equal to this one (what is noted of its play is not copied)."""
        raise NotImplementedError

    def forget(self, slots: Iterable[str] | None = None) -> None:
        """Forget what is remembered and hangs on *slots*, or all: these were written otherwise than
        by the rules.
        """
        if slots is None:
            names = set(self.KEPT)
        else:
            names = {name for slot in slots for name in self.HANGING.get(slot, ())}
        for name in names:
            setattr(self, name, UNKNOWN if name in self.ROWS else NOTHING)

    def begin(self, seed: int) -> None:
        """Give the common slots their values at the start of a game."""
        self.forget()
        self.frames = []
        self.chooser = self.point = self.answer = NONE
        self.options = []
        self.about = ()
        self.result = 0
        self.seed = seed & ((1 << 128) - 1)
        spec = self.SPEC
        self.counters = [0] * (len(spec.dice) + len(spec.decks) + spec.streams + spec.draws)
        self.script = None
        self.over = RUNNING
        self.ranks = ()
        self.checkpoints = self.deferred = self.reveals = self.checking = self.alone = 0
        self.shelf = []
        self.log = self.events = self.asked = self.observed = None
        self.assumed = 0
        self.unseen = None

    def rolled(self, stream: int, faces: tuple[int, ...]) -> None:
        """Dice were rolled: an event, where these are kept."""
        if self.events is not None:
            self.events.append((ROLLED, len(self.log or ()), stream, faces))

    def took(self, decision: int, side: int) -> None:
        """The answer was the only option, taken without asking: an event, where these are kept."""
        if self.events is not None:
            self.events.append((TAKEN, len(self.log or ()), decision, side, self.answer))

    def end(self, how: int, sides: int = 0, points: Sequence[int] | None = None) -> None:
        """The game is over: won by *sides* (``WON``), tied, or lost by them without a winner
        (``LOST``).

        Ranks are 1 plus the number of those ahead, so whoever is level shares one.  Winners are
        ahead of all others, losers behind them; between them *points* decide, the more the better.
        A place nobody has won stays empty: ranks begin at 2.  A procedure that has ended
        (``RETURNED``) ranks nobody.
        """
        count = len(self.SPEC.sides)
        if how == WON and not sides:
            how = LOST
        self.over = how
        if how == RETURNED:
            self.ranks = ()
            return
        if how == TIED:
            self.ranks = (1,) * count
            return
        level = [(0, 0) if how == WON else (2, 0)] * count
        for side in range(count):
            if not sides >> side & 1:
                level[side] = (1, -points[side] if points is not None else 0)
        self.ranks = tuple(1 + (how == LOST) + sum(other < own for other in level) for own in level)

    def place(self, field: FieldSpec, piece: int, hex: int) -> None:
        """Put a piece on a hex (or off the board), keeping the index of pieces by hex right."""
        column, at = getattr(self, field.slot), getattr(self, f"{field.owner.lower()}_at")
        old = column[piece]
        if old >= 0:
            at[old] = (
                (NONE if at[old] == piece else at[old]) if field.alone else at[old] & ~(1 << piece)
            )
        column[piece] = hex
        if hex >= 0:
            if field.alone and at[hex] not in (NONE, piece):
                raise RulesetFault(
                    f"two pieces of {field.owner} on hex {self.SPEC.board.label(hex)}"
                )
            at[hex] = piece if field.alone else at[hex] | 1 << piece
        self.forget((field.slot,))

    # ------------------------------------------------------------------ as data

    _BASE_INTS: ClassVar[tuple[str, ...]] = (
        "alone", "answer", "checkpoints", "chooser", "deferred", "over", "point", "reveals", "seed",
    )  # fmt: skip

    _BASE_LISTS: ClassVar[tuple[str, ...]] = (
        "about", "counters", "frames", "options", "pools", "ranks", "result", "script", "shelf",
    )  # fmt: skip

    def to_data(self) -> dict[str, Any]:
        """The state as JSON-able data."""
        names = (*self._BASE_INTS, *self._BASE_LISTS, *self.INTS, *self.LISTS)
        names += (*self.NESTED, *self.DERIVED, *self.FIXED)
        return {name: _plain(getattr(self, name)) for name in names}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The state that :meth:`to_data` wrote."""
        state = cls.__new__(cls)
        for name in (*cls._BASE_INTS, *cls.INTS, "script", "pools"):
            setattr(state, name, data[name])
        for name in ("options", "counters", *cls.LISTS, *cls.DERIVED):
            setattr(state, name, list(data[name]))
        for name in cls.NESTED:
            setattr(state, name, [list(v) for v in data[name]])
        for name in cls.FIXED:
            value = data[name]
            setattr(state, name, value if isinstance(value, int) else list(_fixed(value)))
        state.frames = [list(_fixed(frame)) for frame in data["frames"]]
        state.shelf = [_fixed(entry) for entry in data["shelf"]]
        state.about, state.ranks = _fixed(data["about"]), tuple(data["ranks"])
        result = data["result"]
        state.result = tuple(result) if isinstance(result, list) else result
        state.log = state.events = state.asked = state.observed = None
        state.checking = state.assumed = 0
        state.unseen = None
        state.forget()
        return state

    def hash(self) -> str:
        """A stable hash (16 hexadecimal digits) of all that rules see, and of the decision."""
        pending: tuple[Any, ...] = (self.over, self.ranks, self.chooser, NONE, [])
        if self.over == RUNNING:
            pending = (RUNNING, NONE, self.chooser, self.point, sorted(self.options))
        # Version 2 of the format knows only plain values and is the same everywhere.
        content = marshal.dumps((pending, self.counters, self.content()), 2)
        return hashlib.blake2b(content, digest_size=8).hexdigest()

    def content(self) -> tuple[Any, ...]:
        """The values of the ruleset's slots that can change."""
        return tuple([getattr(self, name) for name in (*self.INTS, *self.LISTS, *self.NESTED)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateBase) or self.SPEC.hash != other.SPEC.hash:
            return NotImplemented
        return self.to_data() == other.to_data()

    def __hash__(self) -> int:
        raise TypeError("states change: they have no hash for sets and dicts")


def _fixed(values: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(v) if isinstance(v, list) else v for v in values)


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def values_of(state: StateBase, type_: TypeSpec) -> int:
    """How many values a finite type has."""
    if type_.kind == "piece":
        return int(getattr(state, f"n_{type_.name.lower()}"))
    return state.SPEC.board.size if type_.kind == "hex" else len(state.SPEC.enums[type_.name])


def owners(spec: RulesetSpec, owner: str, setup: SetUp) -> int:
    """How many pieces, members or hexes have the fields of *owner*."""
    if owner in spec.kinds:
        return len(setup.pieces.get(owner, ()))
    return spec.board.size if owner == "Hex" else len(spec.enums[owner])


def fill(
    state: StateBase, spec: RulesetSpec, setup: SetUp, seed: int
) -> list[tuple[FieldSpec, int]]:
    """Give every slot its value at the start of a game.

    Returns the fields (with the index of their owner) whose initial value an expression must give.
    """
    if setup.board is not None and spec.on(setup.board) is not spec:
        raise ValueError("the scenario brings a board: begin with program.on(setup.board)")
    state.begin(seed)
    pools = {kind: [piece.pool for piece in pieces] for kind, pieces in setup.pieces.items()}
    state.pools = {
        kind: own for kind, own in pools.items() if max(own, default=NONE) > NONE
    } or None
    pending: list[tuple[FieldSpec, int]] = []
    _count_pieces(state, spec, setup)
    for field in spec.fields:
        if field.owner == "Game":
            value = setup.game.get(field.name, field.initial)
            setattr(state, field.slot, NONE if value is None else value)
            if value is None and not field.setup:
                pending.append((field, NONE))
            continue
        column = _initial(spec, setup, field)
        pending += [(field, i) for i, value in enumerate(column) if value is None]
        setattr(state, field.slot, [*(value or 0 for value in column), zero(field.type)])
    reindex(state)
    for deck in spec.decks:
        cards = [card for card, copies in enumerate(deck.copies) for _ in range(copies)]
        for number, pile in enumerate(deck.piles):
            content: Any = cards if number == 0 else []
            if pile.per is not None:
                content = [[] for _ in (*spec.enums[pile.per], None)]
            setattr(state, pile.slot, content)
    for effect in spec.effects:
        setattr(state, effect.slot, 0)
    for name, default in spec.switches.items():
        setattr(state, f"switch_{name}", int(setup.switches.get(name, default)))
    return pending


def _count_pieces(state: StateBase, spec: RulesetSpec, setup: SetUp) -> None:
    for kind in spec.kinds:
        setattr(state, f"n_{kind.lower()}", len(setup.pieces.get(kind, ())))
    for parent, kinds in spec.parents.items():
        counts = [len(setup.pieces.get(kind, ())) for kind in kinds]
        setattr(state, f"n_{parent.lower()}", sum(counts))
        for i, kind in enumerate(kinds[1:], 1):
            setattr(state, f"o_{kind.lower()}", sum(counts[:i]))


def _initial(spec: RulesetSpec, setup: SetUp, field: FieldSpec) -> list[int | None]:
    """The values with which a field begins, by owner; None where an expression must give it."""
    count = owners(spec, field.owner, setup)
    if field.owner in spec.kinds:
        return [
            setup.pieces[field.owner][i].values.get(field.name, field.initial) for i in range(count)
        ]
    given = setup.fields.get(field.owner, {}).get(field.name, {})
    printed = field.values if field.values is not None else (field.initial,) * count
    return [given.get(i, printed[i]) for i in range(count)]


# ---------------------------------------------------------------------- indices


def reindex(state: StateBase) -> None:
    """Make the indices of pieces by place and by kind anew from the fields."""
    for name, value in indices(state).items():
        setattr(state, name, value)
    state.forget()


def indices(state: StateBase) -> dict[str, list[Any]]:
    """What the indices of pieces by place and by fixed fields must be."""
    spec = state.SPEC
    indices: dict[str, list[Any]] = {}
    for field in spec.fields:
        if field.owner not in spec.kinds:
            continue
        column = getattr(state, field.slot)[:-1]
        if field.place:
            at = [NONE if field.alone else 0] * (spec.board.size + 1)
            for i, h in enumerate(column):
                if h >= 0:
                    at[h] = at[h] | 1 << i if not field.alone else i if at[h] < 0 else at[h]
            indices[f"{field.owner.lower()}_at"] = at
        if field.fixed and field.type.kind == "enum":
            members: list[list[int]] = [[] for _ in spec.enums[field.type.name]]
            for i, value in enumerate(column):
                if value >= 0:
                    members[value].append(i)
            indices[f"by_{field.slot}"] = [*(tuple(m) for m in members), ()]
    return indices
