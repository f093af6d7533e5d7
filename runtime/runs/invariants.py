"""What must hold of every state of every game, whatever the rules: checked after each action in
fuzzing.

Each function returns what is wrong as sentences; an empty list is good news.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from math import prod
from random import Random
from typing import Any

from runtime.errors import IllegalOption, RecordError
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.model import MASK, NONE, PASS, SECOND, TypeSpec, branch_of, zero
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.state import LOST, RUNNING, TIED, StateBase, indices, values_of
from runtime.view import view


def check_state(state: StateBase, signed: Collection[str] = ()) -> list[str]:
    """Everything about a state alone.  *signed* names the measures whose values may be negative."""
    return [
        *check_indices(state),
        *check_fields(state, signed),
        *check_piles(state),
        *check_options(state),
        *check_data(state),
    ]


# ---------------------------------------------------------------------- pieces and fields


def check_indices(state: StateBase) -> list[str]:
    """The indices of pieces agree with their fields."""
    problems = []
    for slot, expected in indices(state).items():
        actual = getattr(state, slot)
        for place, (is_, must) in enumerate(zip(actual, expected, strict=True)):
            if is_ != must:
                problems.append(f"{slot}[{place}] is {is_}, by the fields it is {must}")
    return problems


def _fits(state: StateBase, type_: TypeSpec, value: Any, signed: Collection[str]) -> bool:
    if not isinstance(value, int):
        return False
    if type_.kind == "bool":
        return value in (0, 1)
    if type_.kind in ("enum", "hex", "piece"):
        return NONE <= value < values_of(state, type_)
    if type_.kind == "set" and type_.of is not None:
        finite = type_.of.kind in ("enum", "hex", "piece")
        return value >= 0 and (not finite or value >> values_of(state, type_.of) == 0)
    if type_.optional and value == NONE:
        return True
    return not type_.name or type_.name in signed or value >= 0


def check_fields(state: StateBase, signed: Collection[str] = ()) -> list[str]:
    """Values are of their types, measures not negative, and what ``none`` reads is untouched."""
    spec = state.SPEC
    problems = []
    for field in spec.fields:
        value = getattr(state, field.slot)
        column = [value] if field.owner == "Game" else value[:-1]
        for place, one in enumerate(column):
            if not _fits(state, field.type, one, signed):
                kind = f"{field.type.kind} {field.type.name}"
                problems.append(f"{field.slot}[{place}] is {one}, no value of {kind}")
        if field.owner != "Game" and value[-1] != zero(field.type):
            problems.append(f"the last entry of {field.slot}, which none reads, is {value[-1]}")
    for effect in spec.effects:
        mask = getattr(state, effect.slot)
        size = prod(values_of(state, param) for param in effect.params)
        if mask < 0 or mask >> size:
            problems.append(f"{effect.slot} is {mask}: values in force that there are not")
    return problems


# ---------------------------------------------------------------------- piles


def check_piles(state: StateBase) -> list[str]:
    """All cards are somewhere, none is there twice.

    A card that lies in no pile must be in flight: in a local of a procedure under way, or in a
    field.  What a local means is not known here, so a local that happens to have the card's number
    counts, too.
    """
    spec = state.SPEC
    problems = []
    for deck in spec.decks:
        cards: Counter[int] = Counter()
        for pile in deck.piles:
            content = getattr(state, pile.slot)
            if pile.per is not None and content[-1]:
                problems.append(
                    f"the last part of {pile.slot}, which none reads, holds {content[-1]}"
                )
            for part in content if pile.per is not None else [content]:
                cards.update(part)
                if pile.visibility == "owner" and part != sorted(part):
                    problems.append(f"{pile.slot} is kept by its owner and out of order: {part}")
        names = spec.enums[deck.enum]
        held = _loose_cards(state, deck.enum)
        for card, copies in enumerate(deck.copies):
            there = cards.pop(card, 0)
            if there > copies:
                problems.append(
                    f"{deck.name}: {there} copies of {names[card]}, there are only {copies}"
                )
            elif copies - there > held[card] and state.over == RUNNING:
                problems.append(
                    f"{deck.name}: {copies - there} copies of {names[card]} have vanished"
                )
        if cards:
            problems.append(f"{deck.name}: {sorted(cards)} are no cards")
    return problems


def _loose_cards(state: StateBase, enum: str) -> Counter[int]:
    """What could be cards outside piles: locals under way, fields of the cards' enum."""
    held: Counter[int] = Counter()
    for frame in state.frames:
        for local in frame[1:]:
            held.update(local if isinstance(local, tuple) else (local,))
    for field in state.SPEC.fields:
        if field.type.kind == "enum" and field.type.name == enum:
            value = getattr(state, field.slot)
            held.update([value] if field.owner == "Game" else value[:-1])
    return held


# ---------------------------------------------------------------------- decisions


def check_ranks(state: StateBase) -> list[str]:
    """A game that is over has a rank for each side: one more than there are sides ahead."""
    ranks = state.ranks
    first = 1 + (state.over == LOST)
    right = tuple(first + sum(other < rank for other in ranks) for rank in ranks)
    if (
        len(ranks) != len(state.SPEC.sides)
        or ranks != right
        or (state.over == TIED and set(ranks) != {1})
    ):
        return [f"the game is over with the ranks {ranks}"]
    return []


def check_options(state: StateBase) -> list[str]:
    """A pending decision is a real one; a game that is over asks nothing."""
    spec = state.SPEC
    if state.over != RUNNING:
        problems = (
            ["the game is over and asks on"]
            if state.options or state.frames or state.point != NONE
            else []
        )
        return problems + check_ranks(state)
    if state.ranks:
        return [f"the game goes on, and has the ranks {state.ranks}"]
    if not 0 <= state.point < len(spec.decisions):
        return [f"there is no decision {state.point}"]
    decision = spec.decisions[state.point]
    where = f"decision '{decision.prompt}' ({decision.file}:{decision.line})"
    problems = []
    if not 0 <= state.chooser < len(spec.sides):
        problems.append(f"{where}: side {state.chooser} decides")
    if len(state.options) < 2 and not (decision.veiled and state.options == [PASS]):
        problems.append(f"{where}: only {len(state.options)} options")
    if len(set(state.options)) != len(state.options):
        problems.append(f"{where}: an option is there twice: {sorted(state.options)}")
    return problems + [
        f"{where}: {wrong}" for value in state.options for wrong in _check_option(state, value)
    ]


def _check_option(state: StateBase, value: int) -> Iterator[str]:
    decision = state.SPEC.decisions[state.point]
    if value == PASS:
        if decision.passing is None:
            yield "passing is offered, but not allowed"
        return
    if value < 0 or branch_of(value) >= len(decision.options):
        yield f"{value} is no option"
        return
    option = decision.options[branch_of(value)]
    for type_, index in ((option.value, value & MASK), (option.second, value >> SECOND)):
        if type_ is None:
            fits = index == 0
        else:
            fits = type_.kind not in ("enum", "hex", "piece") or index < values_of(state, type_)
        if not fits:
            yield f"'{option.word}' with value {index}"


def check_texts(game: Game) -> list[str]:
    """Each option has a text of its own and is found by it."""
    decision = game.decision
    if decision is None:
        return []
    problems = []
    texts = Counter(option.text for option in decision.options)
    problems += [f"two options are called '{text}'" for text, times in texts.items() if times > 1]
    for option in decision.options:
        try:
            again = game.find(option.text)
        except IllegalOption as error:
            problems.append(f"'{option.text}' is not found: {error}")
            continue
        if again != option and texts[option.text] == 1:
            problems.append(f"'{option.text}' finds '{again.text}'")
    return problems


# ---------------------------------------------------------------------- as data, as views


def check_data(state: StateBase) -> list[str]:
    """A state survives copying, and being written and read."""
    problems = []
    data = state.to_data()
    if state.copy().to_data() != data:
        problems.append("a copy differs from its state")
    again = type(state).from_data(json.loads(json.dumps(data)))
    if again.to_data() != data:
        problems.append("the state read differs from the state written")
    if again.hash() != state.hash():
        problems.append("the hash changes when the state is written and read")
    return problems


def check_views(state: StateBase, rng: Random) -> list[str]:
    """What a side sees of a state that its view allows is what it sees now."""
    problems = []
    for side, name in enumerate(state.SPEC.sides):
        seen = view(state, side)
        if not seen.own:
            continue
        sample = seen.sample(rng)
        if view(sample, side) != seen:
            problems.append(f"a sample of what {name} sees looks different to {name}")
        problems += [
            f"in a sample of what {name} sees: {line}"
            for line in (*check_indices(sample), *check_piles(sample))
        ]
    return problems


# ---------------------------------------------------------------------- fuzzing


#: Plays the same elsewhere and says what is different there: given the state, the notes of the last
#: action, the action (None: the beginning) and whether to look at everything.
Follow = Callable[[StateBase, Sequence[Any], int | None, bool], list[str]]


@dataclass
class FuzzedGame:
    """A game played at random, and what is wrong; *stopped*: it was not over at the limit."""

    actions: int = 0
    checked: int = 0
    problems: list[str] = attribute(default_factory=list)
    game: Game | None = None
    stopped: bool = False


def fixed_values(state: StateBase) -> dict[str, str]:
    """What of a state no action changes, to be compared later (:func:`check_game`)."""
    return {name: repr(getattr(state, name)) for name in state.FIXED}


def check_game(
    game: Game, begun: dict[str, str], signed: Collection[str], rng: Random
) -> list[str]:
    """Everything about the game as it stands; *begun*: its :func:`fixed_values` at first."""
    now = fixed_values(game.state)
    return [
        *check_state(game.state, signed),
        *check_texts(game),
        *check_views(game.state, rng),
        *(f"{name} has changed" for name, value in begun.items() if now[name] != value),
    ]


def fuzz_game(
    program: Program,
    setup: SetUp,
    seed: int,
    every: int = 1,
    limit: int = 100_000,
    signed: Collection[str] = (),
    follow: Follow | None = None,
) -> FuzzedGame:
    """Play a game at random and check everything after each action (or each *every* actions).

    Actions are taken back and done again where that is allowed; at the end the record must replay
    to the same bytes.  *follow* plays the same game beside it.  What an execution raises is a
    problem, too; problems are told with the number of the action, of the first that has any.
    """
    fuzzed_game = FuzzedGame()
    rng = Random(seed)
    try:
        game = fuzzed_game.game = Game(program, setup, seed)
        begun = fixed_values(game.state)
        problems = follow(game.state, game._notes or (), None, True) if follow is not None else []
        while not problems:
            look = (fuzzed_game.actions + seed) % every == 0 or game.over
            if look:
                fuzzed_game.checked += 1
                problems = check_game(game, begun, signed, rng)
            if problems or game.over:
                break
            if fuzzed_game.actions >= limit:
                fuzzed_game.stopped = True
                fuzzed_game.problems = [f"seed {seed}: not over after {limit} decisions"]
                return fuzzed_game
            notes, checkpoints = game.notes, game.state.checkpoints
            option, problems = _step(game, rng, look)
            fuzzed_game.actions += 1
            if follow is not None and not problems:
                thorough = look or game.over or game.state.checkpoints != checkpoints
                problems = follow(game.state, (game._notes or [])[notes:], option, thorough)
        fuzzed_game.problems = [
            f"seed {seed}, action {fuzzed_game.actions}: {line}" for line in problems
        ] or _check_record(game)
    except Exception as error:
        where = traceback.format_exception(error)
        fuzzed_game.problems = [
            f"seed {seed}, action {fuzzed_game.actions}: {type(error).__name__}: {error}",
            *"".join(where).splitlines(),
        ]
    return fuzzed_game


def _step(game: Game, rng: Random, look: bool) -> tuple[int, list[str]]:
    """One random action, and what is wrong; with *look* perhaps taken back and done again."""
    if not look:
        option = rng.choice(game.state.options)
        game.take(option)
        return option, []
    before, state = game.state.to_data(), game.state
    counters, reveals, checkpoints = list(state.counters), state.reveals, state.checkpoints
    choice = rng.randrange(len(state.options))
    option, entries = state.options[choice], len(game._entries)
    game.play(choice)
    after = game.state
    problems = []
    backwards = any(now < then for now, then in zip(after.counters, counters, strict=True))
    if backwards or after.reveals < reveals or after.checkpoints < checkpoints:
        problems.append("a counter runs backwards")
    if rng.random() < 0.1 and game.can_undo:
        done = after.to_data()
        game.undo()
        if game.state.to_data() != before or len(game._entries) != entries:
            problems.append("taking back does not restore the state")
        game.play(choice)
        if game.state.to_data() != done:
            problems.append("the same action leads elsewhere after taking back")
    return option, problems


def _check_record(game: Game) -> list[str]:
    """A finished game's record is read as written and replays to the same bytes."""
    text = Record.of(game).write()
    try:
        record = Record.parse(text)
        again = replay(game.program, game.setup, record)
    except RecordError as error:
        return [f"seed {game.seed}: the record does not replay: {error}"]
    if record.write() != text or Record.of(again).write() != text:
        return [f"seed {game.seed}: the record changes when it is read or replayed"]
    if again.log != game.log:
        return [f"seed {game.seed}: the log changes when the game is replayed"]
    return []
