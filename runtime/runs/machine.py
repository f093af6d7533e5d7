"""Games played by a native build: a library of machine code, over flat memory.

A library is built for a :class:`Shape`.  It plays whole games between bots without a call into
Python, with the same options, dice and chance as the program in Python; :mod:`runtime.runs.series`
uses it where there is one.
"""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha512
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from runtime.board import Board
from runtime.model import NONE, RulesetSpec, TypeSpec, closed_slots, put_aside
from runtime.program import CompiledProgram, spec_with_weights
from runtime.runs.bots import Bot, GreedyBot, RandomBot
from runtime.scenario.setup import SetUp
from runtime.state import DUE, RulesetFault, StateBase

_API = """
typedef struct State State; typedef struct Context Context;
typedef struct { const char *name; size_t offset; int kind, count, width; } Slot;
typedef struct {
  int thinks, budget, depth, rounds;
  double reluctance;
  const int64_t *weights;
  const uint32_t *key;
  int length;
  double seconds;
} Player;
extern const Slot SLOTS[];
extern const int32_t LAYOUTS[];
extern const int32_t LAYOUT_OF[];
Context *game_context(int (*find)(int, int, int, int64_t *, int));
void game_discard(Context *c);
void *game_given(Context *c);
void game_weights(Context *c, const int64_t *weights);
void game_chance(Context *c, int (*chance)(void *, int64_t, int64_t *));
size_t game_given_size(void);
const char *game_fault(const Context *c);
size_t game_taken(const Context *c, const int64_t **options);
void game_board(const int16_t *near, const int32_t *start, const uint16_t *distances,
                const int16_t *rows, const int16_t *columns, const int16_t *toward);
size_t game_size(const State *s);
int game_begin(State *s, Context *c, uint64_t seed);
void game_loaded(State *s, Context *c);
int game_answer(State *s, Context *c, int64_t option);
int64_t game_options(State *s, const int64_t **options);
int game_scores(State *s, Context *c, int64_t *points);
int64_t game_limit(State *s, Context *c);
int64_t game_greedy(State *s, Context *c, const Player *p, uint32_t *words, int *at);
int64_t game_of_bots(State *s, Context *c, Player *players, int64_t limit);
size_t game_random_size(void);
void game_random(void *r, const uint32_t *key, int length);
int game_sampled(State *world, const State *s, Context *c, int64_t side, void *chance);
int game_worths(const State *s, State *spare, Context *c, double *worths);
int64_t game_rollout(State *s, State *spare, State *best, Context *c, void *chance,
                     int tries, int64_t until, int64_t most, double *worths);
typedef struct {
  int what, given, kind, width, start, count, each, single;
  int hidden, many, seers_given, seers_kind, seers_width, owner, seen;
  size_t at, seers;
} Part;
typedef struct { int start, values, sizes[2]; } Block;
typedef struct { int block, passes, about, abouts; } Asked;
typedef struct { int what, size, width; } About;
typedef struct {
  int size, actions, spare, side, decides, over, prompt, subject, subjects, parts;
  const Part *part; const Block *block; const Asked *asked; const About *about;
} Form;
typedef struct {
  float *observed, *last, *results;
  int8_t *mask, *sides;
  double *rewards;
  uint8_t *terminated, *truncated;
} Told;
typedef struct Lanes Lanes;
Lanes *lanes_made(const Form *form, int count, int side, const Player *players, int64_t limit,
                  const char *first, size_t size);
void lanes_discard(Lanes *g);
void lanes_seeded(Lanes *g, int i, uint64_t seed);
int lanes_begun(Lanes *g, Context *c, int from, int to, const Told *t);
int lanes_chosen(Lanes *g, const int64_t *actions);
int lanes_stepped(Lanes *g, Context *c, int from, int to, const Told *t);
"""

#: Of what kind the values of a slot are, and their formats.
_NUM, _SHORT, _BYTE, _SET = range(4)
_FORMATS: tuple[Literal["q", "h", "B", "Q"], ...] = ("q", "h", "B", "Q")
_SIZES = {"q": 8, "h": 2, "B": 1, "Q": 8}
_WORD = (1 << 64) - 1
#: What a bot takes where the rules have failed.
_FAILED = -2
#: The largest set of plain numbers.
_NUMBERS = 4096
#: Every number of a native game is less than this: see ``engine.c``.
_GREATEST = 1 << 62
#: Of how many scenarios a program keeps machines in a thread.
_MACHINES = 16
#: For how many pieces more there is always room.
_SPARE = 32
#: What a library asks Python for, once for each pair: sets, and ways of lines.
_MASKS = ("around_mask", "entries_mask", "crossed_mask", "bearing_mask")


class Shape(NamedTuple):
    """For what games a library is built: the board, and room for so many pieces of each kind."""

    board: Board
    pieces: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{self.board.spec()} {self.pieces}"


def shape_of(spec: RulesetSpec, setup: SetUp) -> Shape:
    """The shape of a scenario's games."""
    counts = {kind: len(setup.pieces.get(kind, ())) for kind in spec.kinds}
    room = tuple((kind, -(-count // _SPARE) * _SPARE) for kind, count in counts.items())
    return Shape(spec.board, room)


def set_width(spec: RulesetSpec, shape: Shape, of: TypeSpec) -> int:
    """How many words a set of things of a type takes in a build."""
    pieces = dict(shape.pieces)
    size = _NUMBERS
    if of.kind == "hex":
        size = shape.board.size
    elif of.kind == "piece":
        size = sum(pieces[kind] for kind in spec.kinds_of(of.name))
    elif of.kind == "enum":
        size = len(spec.enums[of.name])
    elif of.kind == "bool":
        size = 2
    return max(1, -(-size // 64))


class Library:
    """A library in a file, and where its states have what."""

    def __init__(self, path: Path, spec: RulesetSpec) -> None:
        self.spec, self.board = spec, spec.board
        from cffi import FFI  # start-up: and it may be missing where there is no build

        self.ffi = FFI()
        self.ffi.cdef(_API)
        self.c: Any = self.ffi.dlopen(str(path))
        self.slots: dict[str, tuple[int, int, int, int]] = {}
        for number in range(1 << 16):
            slot = self.c.SLOTS[number]
            if slot.name == self.ffi.NULL:
                break
            name = self.ffi.string(slot.name).decode()
            self.slots[name] = (slot.offset, slot.kind, slot.count, slot.width)
        self.size = int(self.c.game_size(self.ffi.NULL))
        self._tell_board()
        #: what has ended a callback, such as a signal: C cannot pass it on
        self.interruption: BaseException | None = None
        self.find = self.callback("int(int, int, int, int64_t *, int)", self._found, -1)

    def callback(self, kind: str, function: Callable[..., int], ended: int) -> Any:
        """A function for C to call; it returns *ended* where an exception ends it."""

        def interrupted(_: object, error: BaseException, __: object) -> None:
            self.interruption = error

        return self.ffi.callback(kind, function, error=ended, onerror=interrupted)

    def _tell_board(self) -> None:
        board, new = self.board, self.ffi.new
        places = [NONE, *range(board.size)]
        start = [0]
        for h in places:
            start.append(start[-1] + len(board.neighbors[h]))
        distances = array("H")
        for h in places:
            row = board.distance_rows[h]
            distances.append(row[NONE])
            distances.extend(row[:NONE])
        self.c.game_board(
            new("int16_t[]", [n for h in places for n in board.neighbors[h]]),
            new("int32_t[]", start),
            self.ffi.from_buffer("uint16_t[]", distances),
            new("int16_t[]", [board.row_of[h] for h in places]),
            new("int16_t[]", [board.column_of[h] for h in places]),
            new("int16_t[]", [board.toward[h][d] for h in places for d in (NONE, *range(6))]),
        )

    def _found(self, what: int, a: int, b: int, values: Any, most: int) -> int:
        """The geometry of a pair, as numbers; how many."""
        if what < len(_MASKS):
            mask = getattr(self.board, _MASKS[what])(a, b)
            words = max(1, (self.board.size + 63) // 64)
            told = [_to_signed(mask >> 64 * i & _WORD) for i in range(words)]
        else:
            lines = self.board.passages if what == len(_MASKS) else self.board.wholes
            passages = lines(a, b)
            told = [len(passages)]
            for passage in passages:
                told.append(len(passage))
                for way in passage:
                    told += [len(way), *(h for step in way for h in step)]
        if len(told) > most:
            return -1
        values[0 : len(told)] = told
        return len(told)


def _numbers(values: Iterable[int]) -> array[int]:
    return array("q", values)


def _checked_numbers(values: list[int]) -> list[int]:
    """Some numbers of the rules.  ValueError where one is too large for a native game."""
    if max(map(abs, values), default=0) >= _GREATEST:
        raise ValueError("a number is too large")
    return values


def _to_signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


class Machine:
    """The memory of one game of a scenario, and what the library works with."""

    def __init__(self, library: Library, program: CompiledProgram, setup: SetUp) -> None:
        self.library, self.program, self.setup = library, program, setup
        ffi, c = library.ffi, library.c
        self.context = c.game_context(library.find)
        if self.context == ffi.NULL:
            raise MemoryError("there is no memory left for a native game")
        # not when the last reference goes: the library might go first
        weakref.finalize(self, _discard, library, self.context)
        self.memory = ffi.new("char[]", library.size)
        self.state = ffi.cast("State *", self.memory)
        self._at = ffi.new("const int64_t **")
        self._view = memoryview(ffi.buffer(self.memory))
        self._given = memoryview(ffi.buffer(c.game_given(self.context), c.game_given_size()))
        pools = {f"POOL_{kind.lower()}": pieces for kind, pieces in setup.pieces.items()}
        kind = program.state_class
        still = {*kind.FIXED, "pools", *pools}
        #: the slots that all states share: samples hold something else of what is hidden
        self.fixed = still - closed_slots(program.spec.fields, ())
        apart = (name for name in kind.FIXED if name not in self.fixed)
        self._moving = (*kind.INTS, *kind.LISTS, *kind.NESTED, *kind.DERIVED, *apart)
        first = program.new_state(setup, 0)
        self.take_over(first, (*self._moving, *first.FIXED))
        for name, pieces in pools.items():
            self._put(name, [*(piece.pool for piece in pieces), NONE])
            if any(piece.pool != NONE for piece in pieces):
                self._put("pools", 1)
        self._weights = ffi.new("int64_t[]", [*program.spec.weighing, 0])
        c.game_weights(self.context, self._weights)
        #: a state before anything has happened, as far as its stack
        self.first = bytes(self._view[: library.slots["stack"][0]])

    def array(self, name: str) -> memoryview[int]:
        """The values of a slot, as they lie in memory."""
        offset, kind, count, width = self.library.slots[name]
        code = _FORMATS[kind]
        end = offset + max(1, count) * max(1, width) * _SIZES[code]
        memory = self._given if name in self.fixed else self._view
        return memory[offset:end].cast(code)

    # ------------------------------------------------------------------ states of Python

    def take_over(self, state: StateBase, names: Iterable[str]) -> None:
        """Take over what a state holds in some slots."""
        slots = self.library.slots
        for name in names:
            if f"N_{name}" in slots:
                self._put_pile(name, getattr(state, name))
            elif name in slots:
                self._put(name, getattr(state, name))

    def _put(self, name: str, value: Any) -> None:
        _, kind, count, width = self.library.slots[name]
        # the value for none stands first, and where no piece is
        values = [value] if not count else [value[-1], *value[:-1]]
        values += [values[0]] * (count - len(values))
        if kind == _NUM:
            values = _checked_numbers(values)
        if kind == _SET:
            values = [one >> 64 * j & _WORD for one in values for j in range(width)]
        self.array(name)[:] = array(_FORMATS[kind], values)

    def _put_pile(self, name: str, value: Any) -> None:
        _, _, size, per = self.library.slots[name]
        lengths, cards = self.array(f"N_{name}"), self.array(name)
        for i, pile in enumerate([value[-1], *value[:-1]] if per else [value]):
            if len(pile) > size:
                raise ValueError("there are more cards on a pile than its deck has")
            lengths[i] = len(pile)
            for j, card in enumerate(pile):
                cards[i * size + j] = card

    def load(self, state: StateBase) -> None:
        """Go on with a game of the scenario from a decision that Python has come to.  ValueError
        where that cannot be: chance is scripted or of a seed of more than 64 bits, a number is too
        large, or there is more than there is room for: procedures under way, or cards on a pile
        than its deck has.
        """
        if state.script is not None or not 0 <= state.seed <= _WORD:
            raise ValueError("the game cannot be gone on with natively")
        self._view[: len(self.first)] = self.first
        top, shelf = self._shelves(state.shelf)
        top, frame = self._stack(state.frames, top)
        self.array("stack")[top : top + len(state.options)] = _numbers(state.options)
        self.take_over(state, self._moving)
        numbers = {"top": top, "frame": frame, "depth": len(state.frames), "shelf": shelf}
        numbers |= {"options": len(state.options), "answer": NONE, "ranked": int(bool(state.ranks))}
        for name in ("chooser", "point", "over", "checkpoints", "reveals", "alone"):
            numbers[name] = getattr(state, name)
        numbers["deferred"] = state.deferred & (1 << DUE) - 1
        self._put("due", state.deferred >> DUE)
        for name, number in numbers.items():
            self.array(name)[0] = number
        self.array("seed").cast("B").cast("Q")[0] = state.seed
        for name in ("counters", "ranks"):
            values = getattr(state, name)
            self.array(name)[: len(values)] = _numbers(values)
        self.library.c.game_loaded(self.state, self.context)

    def _shelves(self, shelf: Sequence[Sequence[Any]]) -> tuple[int, int]:
        """Put what is put aside at the bottom of the stack, where it stays: how high it is then,
        and where the last begins.
        """
        spec, stack = self.program.spec, self.array("stack")
        top, last = 0, NONE
        for scope, *values in shelf:
            fields, effects = put_aside(scope, spec.fields, spec.effects)
            slots = [f.slot for f in fields] + [effect.slot for effect in effects]
            words = array("q")
            for slot, value in zip(slots, values, strict=True):
                self._put(slot, value)
                raw = bytes(self.array(slot).cast("B"))
                words.frombytes(raw + bytes(-len(raw) % 8))
            words[0:0] = _numbers([last, len(words)])
            stack[top : top + len(words)] = words
            top, last = top + len(words), top
        return top, last

    def _stack(self, frames: Sequence[Sequence[Any]], top: int) -> tuple[int, int]:
        """Put procedures that are under way on the stack: its height, and where the last begins."""
        stack, c = self.array("stack"), self.library.c
        below = NONE
        for frame in frames:
            at = c.LAYOUT_OF[frame[0]]
            size, count = c.LAYOUTS[at], c.LAYOUTS[at + 1]
            words = [below, frame[0], *[0] * (size - 2)]
            for local in range(at + 2, at + 2 + 3 * count, 3):
                place, here, width = c.LAYOUTS[local : local + 3]
                value = frame[place]
                if width > 0:
                    words[here : here + width] = [
                        _to_signed(value >> 64 * j & _WORD) for j in range(width)
                    ]
                elif width < 0:
                    words[here : here + 1] = _checked_numbers([value])
                elif value:
                    words[here : here + 3] = top + len(words), len(value), len(value)
                    words += value
            stack[top : top + len(words)] = _numbers(words)
            top, below = top + len(words), top
        return top, below

    def position(self) -> StateBase:
        """The game as a state of Python, but for the procedures under way."""
        state = self.program.new_state(self.setup, self.number("seed") & _WORD)
        slots = self.library.slots
        for name in self._moving:
            if f"N_{name}" in slots:
                setattr(state, name, self._pile(name))
            elif name in slots:
                setattr(state, name, self._value(name, getattr(state, name)))
        state.counters = list(self.array("counters"))[: len(state.counters)]
        for name in ("chooser", "point", "over", "checkpoints", "reveals"):
            setattr(state, name, self.number(name))
        state.deferred = self.number("deferred") | self._value("due", 0) << DUE
        sides = self.sides
        state.ranks = tuple(self.array("ranks")[:sides]) if self.number("ranked") else ()
        state.options = self.options
        state.forget()
        return state

    def _value(self, name: str, like: Any) -> Any:
        _, _, count, width = self.library.slots[name]
        words = self.array(name).tolist()
        if width > 1:
            words = [
                sum(words[at + j] << 64 * j for j in range(width))
                for at in range(0, len(words), width)
            ]
        return [*words[1 : len(like)], words[0]] if count else words[0]

    def _pile(self, name: str) -> Any:
        _, _, size, per = self.library.slots[name]
        lengths, cards = self.array(f"N_{name}"), self.array(name)
        piles = [list(cards[i * size : i * size + lengths[i]]) for i in range(max(1, per))]
        return [*piles[1:], piles[0]] if per else piles[0]

    # ------------------------------------------------------------------ play

    def _held(self, done: int) -> None:
        if done <= 0:
            raise self.failure()

    def failure(self) -> BaseException:
        """What has ended the last call into the library: the RulesetFault of the rules, or what has
        ended a callback.
        """
        library = self.library
        interruption, library.interruption = library.interruption, None
        fault = library.ffi.string(library.c.game_fault(self.context)).decode()
        return interruption or RulesetFault(str(fault))

    @property
    def sides(self) -> int:
        """How many sides there are."""
        return len(self.program.spec.sides)

    def begin(self, seed: int) -> None:
        """Begin a game, and run to the first decision.  RulesetFault."""
        self._view[: len(self.first)] = self.first
        self._held(self.library.c.game_begin(self.state, self.context, seed))

    def answer(self, option: int) -> None:
        """Answer the pending decision, and run on.  RulesetFault."""
        self._held(self.library.c.game_answer(self.state, self.context, option))

    def number(self, name: str) -> int:
        """A single number."""
        return int(self.array(name)[0])

    @property
    def options(self) -> list[int]:
        """The options of the pending decision."""
        at = self._at
        count = self.library.c.game_options(self.state, at)
        return list(at[0][0:count])

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each side; empty while the game goes on."""
        sides = self.sides
        return tuple(self.array("ranks")[:sides]) if self.number("ranked") else ()

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The points of each side; None where the ruleset counts none."""
        sides = self.sides
        points = self.library.ffi.new("int64_t[]", sides + 1)
        counted = self.library.c.game_scores(self.state, self.context, points)
        return tuple(points[0:sides]) if counted > 0 else None

    @property
    def options_taken(self) -> list[int]:
        """The options that bots took when they played last."""
        at = self.library.ffi.new("const int64_t **")
        count = self.library.c.game_taken(self.context, at)
        return list(at[0][0:count])

    def play(self, bots: Sequence[Bot], seed: int, limit: int) -> tuple[int, tuple[float, ...]]:
        """Let bots (see :func:`plays`) play a game: how many decisions they took, at most *limit*
        or as many as the ruleset allows, and the seconds that each side has thought.  RulesetFault.
        """
        self.begin(seed)
        spec = self.program.spec
        ffi, c = self.library.ffi, self.library.c
        stated = c.game_limit(self.state, self.context)
        players, kept = self.players(bots)
        for side, player in enumerate(players):
            words = seed_words(f"{seed}:{spec.sides[side]}")
            key = ffi.new("uint32_t[]", words)
            player.key, player.length = key, len(words)
            kept.append(key)
        most = min(limit, stated) if stated >= 0 else limit
        done = c.game_of_bots(self.state, self.context, players, most)
        if done < 0:
            self._held(-1)
        return int(done), tuple(player.seconds for player in players)

    def players(self, bots: Sequence[Bot]) -> tuple[Any, list[Any]]:
        """Bots (see :func:`plays`) as C asks them, and what must be kept as long as they play."""
        players = self.library.ffi.new("Player[]", len(bots))
        pairs = zip(players, bots, strict=True)
        return players, [self._thinks(p, b) for p, b in pairs if isinstance(b, GreedyBot)]

    def _thinks(self, player: Any, bot: GreedyBot) -> Any:
        """Let a player be this bot; what must be kept as long as it plays."""
        weighing = spec_with_weights(self.program.spec, bot.weights).weighing
        weights = player.weights = self.library.ffi.new("int64_t[]", [*weighing, 0])
        player.thinks, player.budget, player.depth = 1, bot.budget, bot.depth
        player.rounds, player.reluctance = bot.rounds, bot.reluctance
        return weights

    def greedy(self, bot: GreedyBot, rng: Random) -> int:
        """What a bot takes at the pending decision; *rng* goes on as if it had been asked in
        Python.  RulesetFault, with *rng* as it was.
        """
        ffi, c = self.library.ffi, self.library.c
        player = ffi.new("Player *")
        kept = self._thinks(player, bot)
        version, words, normal = rng.getstate()
        chance, at = ffi.new("uint32_t[]", words[:624]), ffi.new("int *", words[624])
        option = int(c.game_greedy(self.state, self.context, player, chance, at))
        del kept
        if option == _FAILED:
            raise self.failure()
        rng.setstate((version, (*chance[0:624], at[0]), normal))
        return option


def _discard(library: Library, context: Any) -> None:
    library.c.game_discard(context)


def seed_words(text: str) -> list[int]:
    """The words by which ``Random(text)`` seeds its generator."""
    raw = text.encode()
    number = int.from_bytes(raw + sha512(raw).digest(), "big")
    return [number >> 32 * i & 0xFFFFFFFF for i in range((number.bit_length() + 31) // 32)]


def plays(bots: Sequence[Bot], seed: int) -> bool:
    """Whether a library can play a game: between bots that it knows, with a seed of 64 bits."""
    known = all(type(bot) in (RandomBot, GreedyBot) for bot in bots)
    return known and 0 <= seed <= _WORD


def library_for(program: CompiledProgram, setup: SetUp) -> Library | None:
    """The build for games of a scenario, where there is one."""
    if program.libraries is None:
        return None
    found: Library | None = program.libraries(program.spec, shape_of(program.spec, setup))
    return found


def machine_for(program: CompiledProgram, setup: SetUp) -> Machine | None:
    """What plays games of a scenario natively in this thread, where there is a build for them; it
    may be made while they are played.
    """
    machines, key = vars(program.machines), str(id(setup))
    if key in machines and machines[key][0] is setup:
        found_before: Machine | None = machines[key][1]
        return found_before
    found = library_for(program, setup)
    if found is None:
        return None
    if len(machines) >= _MACHINES:
        machines.clear()
    machine: Machine | None = None
    with suppress(ValueError):  # the scenario has a number that is too large
        machine = Machine(found, program, setup)
    machines[key] = (setup, machine)
    return machine


__all__ = [
    "Library",
    "Machine",
    "Shape",
    "library_for",
    "machine_for",
    "plays",
    "seed_words",
    "set_width",
    "shape_of",
]
