"""What a compiled ruleset tells the engine about itself: plain, immutable data.

The engine knows no game.  Everything it needs in order to build a state, show it, hide parts of it,
name options and read scenarios stands in a :class:`RulesetSpec`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from runtime.bitsets import bits, mask_of
from runtime.board import Board

#: ``none`` for every finite type.
NONE = -1
#: How bools are written in tables, boards, scenarios and cases.
TRUTHS = {"true": 1, "false": 0, "yes": 1, "no": 0}


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A type: *kind* is ``int bool enum piece hex set roll``.

    *name* is the enum, piece kind or measure; for ``set`` the kind and name of the members stand in
    *of*.  Values are ints: a number, 0/1, the index of a member, piece or hex; ``NONE`` for none;
    sets are bit masks of indices; rolls tuples of face indices (or numbers).
    """

    kind: str
    name: str = ""
    optional: bool = False
    of: TypeSpec | None = None


def zero(type_: TypeSpec) -> int:
    """What reading a field of ``none`` gives."""
    return NONE if type_.optional or type_.kind in ("enum", "piece", "hex") else 0


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of the state.

    *owner* is a piece kind, an enum (``Side`` among them), ``Hex`` or ``Game``; *slot* the
    attribute of the state: a list with one entry per owner (and a last one for ``none``), or for
    ``Game`` a plain int. *initial* is the constant initial value, or None when the scenario or an
    expression gives it. A field declared ``per`` an enum is one such field for each member, called
    ``hits[left]``: *base* is the name declared, *per* the enum, *member* the member's index.

    *seen_by* names the field that says which side or sides see the values, where not all do.  Where
    such values are chosen secretly, *among* is the slot that keeps the set of what could be chosen
    (0: not chosen), *passes* says whether none was possible too, and *roams* whether it is a secret
    whose value it is.  *options* marks the field that such a slot belongs to.  *rests_on* names the
    fields of its owner from which an expression makes the initial value.
    """

    owner: str
    name: str
    type: TypeSpec
    slot: str
    fixed: bool = False
    setup: bool = False
    required: bool = False
    place: bool = False
    alone: bool = False
    lasts: str | None = None
    seen_by: str | None = None
    initial: int | None = 0
    #: initial values hex by hex, from the board's file
    values: tuple[int, ...] | None = None
    per: str | None = None
    member: int = NONE
    among: str | None = None
    passes: bool = False
    roams: bool = False
    options: bool = False
    rests_on: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The name that the field is declared with."""
        return self.name.partition("[")[0]


@dataclass(frozen=True, slots=True)
class PileSpec:
    """A pile of a deck; *slot* holds a list of card indices (top last), with *per* one for each."""

    deck: str
    name: str
    enum: str
    per: str | None
    visibility: str
    slot: str


def closed_slots(fields: Iterable[FieldSpec], piles: Iterable[PileSpec]) -> frozenset[str]:
    """The slots of the fields and piles that not every side sees."""
    return frozenset(f.slot for f in fields if f.seen_by is not None) | {
        pile.slot for pile in piles if pile.visibility != "open"
    }


@dataclass(frozen=True, slots=True)
class DeckSpec:
    """A deck: the copies of each member of *enum* at the start, in the first pile."""

    name: str
    enum: str
    copies: tuple[int, ...]
    piles: tuple[PileSpec, ...]


@dataclass(frozen=True, slots=True)
class EffectSpec:
    """An effect; *slot* is a bit mask of the parameter values in force (bit 0 without a parameter).

    With several parameters the bit is the number of the values taken together: ``(a * size of b +
    b) * size of c + c``. Of the effects of one *group* at most one is in force, for each value of
    the parameters. Without a *scope* it stays in force until it is ceased.
    """

    name: str
    slot: str
    scope: str
    params: tuple[TypeSpec, ...] = ()
    names: tuple[str, ...] = ()
    group: str = ""

    @property
    def param(self) -> TypeSpec | None:
        """The type of the only parameter; None without one, or with several."""
        return self.params[0] if len(self.params) == 1 else None


def put_aside(
    scope: str, fields: Iterable[FieldSpec], effects: Iterable[EffectSpec]
) -> tuple[tuple[FieldSpec, ...], tuple[EffectSpec, ...]]:
    """What ``within`` a *scope* puts aside, in the order in which a shelf has it: fields that last
    through it, but for places, and effects.
    """
    lasting = tuple(f for f in fields if f.lasts == scope and not f.place)
    return lasting, tuple(effect for effect in effects if effect.scope == scope)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One kind of option of a decision: its word and the types of its values."""

    word: str
    value: TypeSpec | None
    second: TypeSpec | None = None

    @property
    def values(self) -> tuple[TypeSpec, ...]:
        """The types of its values: none, one or two."""
        return tuple(t for t in (self.value, self.second) if t is not None)

    @property
    def count(self) -> int:
        """How many values it has."""
        return (self.value is not None) + (self.second is not None)


@dataclass(frozen=True, slots=True)
class DecisionSpec:
    """A place where a side decides.

    A *veiled* one may be asked with nothing left but to pass; of a *secret* one only the side
    itself learns what it takes. *about* are the types of its arguments: what the question is about
    (``state.about``). An option is an int: ``second << 32 | branch << 16 | value`` (0 for a value
    that there is not); ``PASS`` passes.  A *menu* is asked again after each choice, until the side
    passes. *open*: what is asked and offered follows from what all sides see.
    """

    index: int
    procedure: str
    prompt: str
    options: tuple[OptionSpec, ...]
    passing: str | None
    file: str
    line: int
    rules: tuple[str, ...] = ()
    veiled: bool = False
    secret: bool = False
    about: tuple[TypeSpec, ...] = ()
    menu: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """A column of a table: its values by member, and their type."""

    type: TypeSpec
    values: tuple[int, ...]


#: How large a weight may be.
LARGEST_WEIGHT = 999_999_999


@dataclass(frozen=True, slots=True)
class WeightSpec:
    """A number by which positions are valued: its *value*, the bounds between which it may be tuned
    (None: any), and its *place* among all that executions read.
    """

    name: str
    value: int
    place: int
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class DieSpec:
    """A die: *faces* are member indices (or numbers), repeated by weight."""

    name: str
    enum: str | None
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallSpec:
    """What can be worked out for players: the types of its parameters (at most two) and value."""

    params: tuple[TypeSpec, ...]
    type: TypeSpec


@dataclass(frozen=True, slots=True)
class ProcedureSpec:
    """The types and *names* of its parameters, and the type of its result (None: nothing)."""

    params: tuple[TypeSpec, ...]
    names: tuple[str, ...]
    type: TypeSpec | None


@dataclass(frozen=True, slots=True)
class WaitSpec:
    """A place where a procedure waits: for the answer to a question, or for the end of another.

    *block* is where it goes on, *again* the block that asks again (``NONE``: it waits for a
    procedure), *what* the prompt, or the name of the procedure.  *text* stands for how the question
    or the call is written, *inside* for the stretches around it, *needed* names the locals that can
    still be read.
    """

    block: int
    again: int
    what: str
    text: int
    inside: tuple[str, ...]
    needed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FrameSpec:
    """The frame of a procedure that can ask: its *size*, and of the locals that it keeps name,
    place and type; *waits* are the places where the procedure waits, in the order of its text.
    """

    size: int
    locals: tuple[tuple[str, int, TypeSpec], ...]
    waits: tuple[WaitSpec, ...]


@dataclass(frozen=True, slots=True)
class RequirementSpec:
    """What must hold of every scenario: the *rules* it cites, and the slots that it *reads*."""

    rules: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForecastSpec:
    """A forecast: the types and *names* of its parameters, the options that it is of (*at*: the
    decision and the branch, ``PASS`` for passing), and the slots that what it runs *reads* and
    *writes*.

    *ordered* are the numbers of the dice whose order in a roll can matter.  *assumed* says how
    decisions are answered: places (a decision with a branch, ``PASS``, or None for all of it) and
    ``first``, ``last`` or ``always``, or ``most f`` and ``least f`` of a function, those that come
    first first; *never* is the mask of what is not offered (``state.assumed``).  *takes*: it is
    what comes when the option is taken.
    """

    name: str
    params: tuple[TypeSpec, ...]
    names: tuple[str, ...]
    at: tuple[tuple[int, int], ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    ordered: tuple[int, ...]
    assumed: tuple[tuple[tuple[int, int | None], str], ...] = ()
    never: int = 0
    takes: bool = False


@dataclass(frozen=True, slots=True)
class BoardSetUp:
    """A board that a scenario brings along, with the ``map`` fields of each hex."""

    board: Board
    values: tuple[tuple[str, tuple[int, ...]], ...] = ()


@dataclass(frozen=True)
class RulesetSpec:
    """Everything the engine may know about a ruleset."""

    name: str
    bases: tuple[str, ...]
    hash: str
    sides: tuple[str, ...]
    enums: dict[str, tuple[str, ...]]
    kinds: tuple[str, ...]
    board: Board
    fields: tuple[FieldSpec, ...]
    decks: tuple[DeckSpec, ...]
    dice: tuple[DieSpec, ...]
    effects: tuple[EffectSpec, ...]
    switches: dict[str, bool]
    scopes: tuple[str, ...]
    decisions: tuple[DecisionSpec, ...]
    notes: tuple[str, ...]
    texts: dict[str, dict[str, str]]
    #: what must hold of a scenario's start: name → rule IDs
    requirements: dict[str, RequirementSpec] = field(default_factory=dict)
    #: values of tables that are not known: enum, member, column
    unknown: tuple[tuple[str, int, str], ...] = ()
    #: how many streams of chance there are besides those of dice and decks (pieces are mixed: one)
    streams: int = 0
    #: whether members of sets are drawn at random: that has a stream of chance of its own
    draws: bool = False
    #: the columns of tables, by ``Enum.column``
    columns: dict[str, ColumnSpec] = field(default_factory=dict)
    #: the types of the arguments of each note
    note_types: tuple[tuple[TypeSpec, ...], ...] = ()
    #: the files of boards that scenarios may name: name → text
    boards: dict[str, str] = field(default_factory=dict)
    #: the labels of hexes that rules name, and where one of them does
    labels: dict[str, str] = field(default_factory=dict)
    #: common parents of kinds: the kinds of each, in the order in which their pieces are numbered
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: what can be worked out for a position, or for one member of it
    calls: dict[str, CallSpec] = field(default_factory=dict)
    #: the named steps of each procedure that can ask, in their order
    steps: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: what forecasts say: name and types of the arguments
    outcomes: tuple[tuple[str, tuple[TypeSpec, ...]], ...] = ()
    forecasts: dict[str, ForecastSpec] = field(default_factory=dict)
    #: the procedures that can be run by themselves
    procedures: dict[str, ProcedureSpec] = field(default_factory=dict)
    #: the weights of ``standing``, by name
    weights: dict[str, WeightSpec] = field(default_factory=dict)
    #: the frames of procedures that can ask
    frames: dict[str, FrameSpec] = field(default_factory=dict)
    #: the slots of fields that no step writes
    still: tuple[str, ...] = ()
    #: the checks in order
    checks: tuple[str, ...] = ()
    #: by block in which a frame goes on, the named step under way (``procedure.step``), or nothing
    under_way: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.hash, self.board))

    def on(self, setup: BoardSetUp | None) -> RulesetSpec:
        """The ruleset on another board.  ValueError where rules name a hex that it lacks."""
        if setup is None or (
            setup.board == self.board
            and all(dict(setup.values).get(f.name) == f.values for f in self.map_fields)
        ):
            return self
        for label in self.labels:
            setup.board.index(label)
        values = dict(setup.values)
        fields = []
        for f in self.fields:
            if f.initial is not None and names_hexes(f.type):
                f = replace(f, initial=on_other_board(f.type, f.initial, self.board, setup.board))
            if f.values is not None:
                f = replace(f, values=values[f.name])
            fields.append(f)
        return replace(self, board=setup.board, fields=tuple(fields))

    @cached_property
    def weighing(self) -> tuple[int, ...]:
        """The values of the weights by their places."""
        return weighing(self.weights)

    def steps_of(self, blocks: Iterable[int]) -> tuple[str, ...]:
        """The named steps under way (``procedure.step``) in these blocks, the outermost first."""
        known = self.under_way
        return tuple(known[b] for b in blocks if 0 <= b < len(known) and known[b])

    @cached_property
    def waiting(self) -> dict[int, tuple[str, int]]:
        """By block with which a frame goes on, the procedure, and the number of its wait."""
        return {
            wait.block: (name, number)
            for name, frame in self.frames.items()
            for number, wait in enumerate(frame.waits)
        }

    @property
    def map_fields(self) -> tuple[FieldSpec, ...]:
        """The fields of Hex whose values a board gives."""
        return tuple(f for f in self.fields if f.values is not None)

    @cached_property
    def pieces_named(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """By decision and branch, the types of the pieces that an option names."""

        def piece(type_: TypeSpec | None) -> str:
            return type_.name if type_ is not None and type_.kind == "piece" else ""

        return tuple(
            tuple((piece(o.value), piece(o.second)) for o in d.options) for d in self.decisions
        )

    def kinds_of(self, name: str) -> tuple[str, ...]:
        """The kinds of the pieces of a type: those of a parent, or the kind itself."""
        return self.parents.get(name, (name,))

    def fields_of(self, owner: str) -> tuple[FieldSpec, ...]:
        """The fields of one owner, in order of declaration."""
        return self._fields_by_owner.get(owner, ())

    @cached_property
    def _fields_by_owner(self) -> dict[str, tuple[FieldSpec, ...]]:
        owned: dict[str, list[FieldSpec]] = {}
        for f in self.fields:
            owned.setdefault(f.owner, []).append(f)
        return {owner: tuple(fields) for owner, fields in owned.items()}

    @cached_property
    def piles(self) -> dict[str, PileSpec]:
        """All piles by name."""
        return {pile.name: pile for deck in self.decks for pile in deck.piles}

    @cached_property
    def closed(self) -> frozenset[str]:
        """The slots of what not every side sees."""
        return closed_slots(self.fields, self.piles.values())

    def text(self, key: str, language: str = "en", default: str | None = None) -> str:
        """The catalogue's wording for *key*; without one the default or the key's last part."""
        text = self.texts.get(language, {}).get(key) or self.texts.get("en", {}).get(key)
        if text is not None:
            return text
        return default if default is not None else key.rsplit(".", 1)[-1].replace("_", " ")


def weighing(weights: Mapping[str, WeightSpec]) -> tuple[int, ...]:
    """The values of weights by their places; 0 where a column has its value for none."""
    values = [0] * (1 + max((weight.place for weight in weights.values()), default=-1))
    for weight in weights.values():
        values[weight.place] = weight.value
    return tuple(values)


def names_hexes(type_: TypeSpec) -> bool:
    """Whether values of the type name hexes, so that they mean something on one board only."""
    return type_.kind == "hex" or (type_.of is not None and type_.of.kind == "hex")


def on_other_board(type_: TypeSpec, value: int, old: Board, new: Board) -> int:
    """A hex or set of hexes by the same labels on another board.  ValueError if there are none."""
    if type_.kind == "hex":
        return new.index(old.label(value)) if value >= 0 else value
    return mask_of(new.index(old.label(h)) for h in bits(value))


#: The option that passes.
PASS = -1
#: Options are ``branch << SHIFT | value``; the second value of a pair stands above ``SECOND``.
SHIFT = 16
SECOND = 32
MASK = (1 << SHIFT) - 1
#: The branch of an option and its first value.
HEAD = (1 << SECOND) - 1


def branch_of(option: int) -> int:
    """The number of the branch of an option that does not pass."""
    return option >> SHIFT & MASK
