"""Games played by a library of machine code that a ruleset was compiled to, over flat memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha512
from pathlib import Path
from typing import Any

from cffi import FFI

from runtime.board import Board
from runtime.model import NONE
from runtime.state import RUNNING, RulesetFault, StateBase

_API = """
typedef struct State State; typedef struct Context Context;
typedef struct { const char *name; size_t offset; int kind, count, width; } Slot;
extern const Slot SLOTS[];
Context *game_context(int (*find)(int, int, int, int64_t *, int));
void game_discard(Context *c);
void *game_given(Context *c);
size_t game_given_size(void);
const char *game_fault(const Context *c);
void game_keeps(Context *c, int keeps);
size_t game_noted(const Context *c, const int64_t **words);
void game_board(const int16_t *near, const int16_t *start, const uint16_t *distances, const int16_t *rows,
                const int16_t *columns, const int16_t *toward);
size_t game_size(const State *s);
void game_copy(State *to, const State *from);
void game_fresh(State *s, Context *c);
int game_begin(State *s, Context *c, uint64_t seed);
int game_answer(State *s, Context *c, int64_t option);
int64_t game_options(State *s, const int64_t **options);
int64_t game_of_bots(State *s, Context *c, const int *greedily, const uint32_t *keys, const int *lengths, int64_t limit,
                     int64_t *taken, double *seconds);
int64_t game_playout(State *s, Context *c, const uint32_t *key, int length, int64_t limit);
"""

#: Of what kind the values of a slot are.
_NUM, _SHORT, _BYTE, _SET = range(4)
_FORMATS = {_NUM: "q", _SHORT: "h", _BYTE: "B", _SET: "Q"}
_ALL = (1 << 64) - 1


class Library:
    """A library that was built for a board, and what its states consist of."""

    def __init__(self, path: Path, board: Board, fixed: Iterable[str]) -> None:
        self.ffi = FFI()
        self.ffi.cdef(_API)
        self.c: Any = self.ffi.dlopen(str(path))
        self.board = board
        #: the slots that never change during a game
        self.fixed = frozenset(fixed)
        self.slots: dict[str, tuple[int, int, int, int]] = {}
        number = 0
        while self.c.SLOTS[number].name != self.ffi.NULL:
            slot = self.c.SLOTS[number]
            name = self.ffi.string(slot.name).decode()
            self.slots[name] = (slot.offset, slot.kind, slot.count, slot.width)
            number += 1
        self.size = int(self.c.game_size(self.ffi.NULL))
        self._board()
        self.find = self.ffi.callback("int(int, int, int, int64_t *, int)")(self._found)

    def _board(self) -> None:
        """Tell the library the geometry of its board."""
        board, new = self.board, self.ffi.new
        places = [NONE, *range(board.size)]
        near = [n for h in places for n in board.neighbors[h]]
        start = [0]
        for h in places:
            start.append(start[-1] + len(board.neighbors[h]))
        rows = board.distance_rows
        distances = [rows[a][b] for a in places for b in places]
        toward = [board.toward[h][d] for h in places for d in (NONE, *range(6))]
        self.c.game_board(
            new("int16_t[]", near),
            new("int16_t[]", start),
            new("uint16_t[]", distances),
            new("int16_t[]", [board.row_of[h] for h in places]),
            new("int16_t[]", [board.column_of[h] for h in places]),
            new("int16_t[]", toward),
        )

    def _found(self, what: int, a: int, b: int, values: Any, most: int) -> int:
        """Geometry that the library asks for once: sets of hexes, directions, ways of lines."""
        board = self.board
        if what < 4:
            find = (board.around_mask, board.entries_mask, board.crossed_mask, board.bearing_mask)
            mask, words = find[what](a, b), max(1, (board.size + 63) // 64)
            for i in range(words):
                values[i] = _signed(mask >> 64 * i & _ALL)
            return words
        passages = board.passages(a, b) if what == 4 else board.wholes(a, b)
        told = [len(passages)]
        for passage in passages:
            told.append(len(passage))
            for way in passage:
                told += [len(way), *(h for step in way for h in step)]
        for i, value in enumerate(told):
            values[i] = value
        return len(told)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


class Machine:
    """One game under way in a library's memory, and the memory to work with."""

    def __init__(self, library: Library) -> None:
        self.library = library
        ffi, c = library.ffi, library.c
        self.context = ffi.gc(c.game_context(library.find), c.game_discard)
        self.memory = ffi.new("char[]", library.size)
        self.state = ffi.cast("State *", self.memory)
        self.view = memoryview(ffi.buffer(self.memory))
        self.given = memoryview(ffi.buffer(c.game_given(self.context), c.game_given_size()))

    def array(self, name: str) -> memoryview:
        """The values of a slot, as they lie in memory."""
        offset, kind, count, width = self.library.slots[name]
        number = max(1, count) * max(1, width)
        format_ = _FORMATS[kind]
        size = {"q": 8, "h": 2, "B": 1, "Q": 8}[format_]
        memory = self.given if name in self.library.fixed else self.view
        return memory[offset : offset + number * size].cast(format_)

    def number(self, name: str) -> int:
        """A single number."""
        return int(self.array(name)[0])

    # ------------------------------------------------------------------ states of Python

    def take(self, state: StateBase) -> None:
        """Become what a state holds that has not begun."""
        assert not state.frames and state.script is None
        self.view[:] = bytes(len(self.view))
        for name in (*state.INTS, *state.FIXED, *state.LISTS, *state.DERIVED):
            if name.startswith("by_"):
                continue
            if name in self.library.slots and f"{name}_n" not in self.library.slots:
                self._put(name, getattr(state, name))
        for name in (*state.LISTS, *state.NESTED):
            if f"{name}_n" in self.library.slots:
                self._put_pile(name, getattr(state, name))
        self.array("pools")[0] = int(state.pools is not None)

    def _put(self, name: str, value: Any) -> None:
        _, kind, count, width = self.library.slots[name]
        array = self.array(name)
        values = [value] if not count else [value[-1], *value[:-1]]
        for i, one in enumerate(values):
            if kind == _SET:
                for j in range(width):
                    array[i * width + j] = one >> 64 * j & _ALL
            else:
                array[i] = one
        if count:
            for i in range(len(values), count):
                if kind != _SET:
                    array[i] = values[0]

    def _put_pile(self, name: str, value: Any) -> None:
        _, _, size, per = self.library.slots[name]
        piles = [value] if not per else [value[-1], *value[:-1]]
        lengths, cards = self.array(f"{name}_n"), self.array(name)
        for i, pile in enumerate(piles):
            lengths[i] = len(pile)
            for j, card in enumerate(pile):
                cards[i * size + j] = card

    def give(self, state: StateBase) -> None:
        """Let a state hold what stands here, but for what is under way."""
        slots = self.library.slots
        for name in (*state.INTS, *state.LISTS, *state.DERIVED, *state.NESTED):
            if f"{name}_n" in slots:
                setattr(state, name, self._pile(name))
            elif name in slots:
                setattr(state, name, self._value(name, getattr(state, name)))
        state.counters = list(self.array("counters"))
        for name in ("chooser", "point", "answer", "over", "checkpoints", "deferred", "reveals", "alone"):
            setattr(state, name, self.number(name))
        sides = len(state.SPEC.sides)
        state.ranks = tuple(self.array("ranks")[:sides]) if self.number("ranked") else ()
        state.options = self.options
        state.forget()

    def _value(self, name: str, like: Any) -> Any:
        _, kind, count, width = self.library.slots[name]
        array = self.array(name)

        def one(i: int) -> int:
            if kind != _SET:
                return int(array[i])
            return sum(int(array[i * width + j]) << 64 * j for j in range(width))

        if not count:
            return one(0)
        return [*(one(i + 1) for i in range(len(like) - 1)), one(0)]

    def _pile(self, name: str) -> Any:
        _, _, size, per = self.library.slots[name]
        lengths, cards = self.array(f"{name}_n"), self.array(name)
        piles = [list(cards[i * size : i * size + lengths[i]]) for i in range(max(1, per))]
        return piles[0] if not per else [*piles[1:], piles[0]]

    # ------------------------------------------------------------------ play

    def _checked(self, done: int) -> int:
        if done < 0 or (done == 0):
            fault = self.library.ffi.string(self.library.c.game_fault(self.context)).decode()
            raise RulesetFault(fault)
        return done

    def begin(self, seed: int) -> None:
        """Run to the first decision.  RulesetFault."""
        self._checked(self.library.c.game_begin(self.state, self.context, seed))

    def answer(self, option: int) -> None:
        """Answer the pending decision, and run on.  RulesetFault."""
        self._checked(self.library.c.game_answer(self.state, self.context, option))

    @property
    def options(self) -> list[int]:
        """The options of the pending decision."""
        ffi = self.library.ffi
        at = ffi.new("const int64_t **")
        count = self.library.c.game_options(self.state, at)
        return list(at[0][0:count])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.number("over") != RUNNING

    def played(
        self, greedily: Sequence[bool], keys: Sequence[Sequence[int]], limit: int
    ) -> tuple[list[int], tuple[float, ...]]:
        """Play on between random and greedy bots with these seeds (:func:`seed_words`), until the
        game is over or so many decisions are taken: the options taken, the seconds that each side
        has thought.  RulesetFault.
        """
        ffi = self.library.ffi
        seconds = ffi.new("double[]", len(keys))
        taken = ffi.new("int64_t[]", limit) if limit < 1 << 16 else ffi.NULL
        done = self.library.c.game_of_bots(
            self.state,
            self.context,
            ffi.new("int[]", list(map(int, greedily))),
            ffi.new("uint32_t[]", [word for key in keys for word in key]),
            ffi.new("int[]", [len(key) for key in keys]),
            limit,
            taken,
            seconds,
        )
        if done < 0:
            self._checked(-1)
        return list(taken[0:done]) if taken else [0] * done, tuple(seconds)


def seed_words(text: str) -> list[int]:
    """The words by which ``Random(text)`` seeds its generator."""
    raw = text.encode()
    number = int.from_bytes(raw + sha512(raw).digest(), "big")
    return [number >> 32 * i & 0xFFFFFFFF for i in range((number.bit_length() + 31) // 32)] or [0]


