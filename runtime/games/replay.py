"""Records played through: the same game again, or where it parts from its record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from runtime.errors import GrognardError, RecordError
from runtime.games.explanation import Library
from runtime.games.game import Game
from runtime.games.record import HASH, Entry, Record, excerpt
from runtime.games.sealing import SEALED, Key, commitment, conceals, seal
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario.setup import SetUp

_EDITED = "the record was edited, or the rules have changed"
_LENIENTLY = ", or replay leniently: the hashes of the states still decide"


def check_header(spec: RulesetSpec, setup: SetUp, record: Record) -> None:
    """RecordError unless a record is one of this ruleset and scenario, in this version."""
    if record.ruleset != spec.name:
        played = excerpt(record.ruleset)
        message = f"the game was played with ruleset '{played}', this is '{spec.name}'"
        raise RecordError(message, remedy="replay it with its own ruleset")
    if record.ruleset_hash != spec.hash:
        message = f"ruleset '{spec.name}' has changed since the game was played"
        message += f" ({record.ruleset_hash}, now {spec.hash})"
        raise RecordError(message, remedy=f"use the ruleset as it was{_LENIENTLY}")
    if record.setup_hash != setup.hash:
        played = excerpt(record.title)
        message = f"scenario '{setup.title}' is not the one that was played, '{played}'"
        message += ", or has changed since"
        raise RecordError(message, remedy=f"use the scenario as it was{_LENIENTLY}")


def replay(
    program: Program,
    setup: SetUp,
    record: Record,
    lenient: bool = False,
    log: bool = True,
    key: Key | None = None,
    library: Library | None = None,
) -> Game:
    """Play a record through and check every hash and the result; a game where the record ends.

    An unfinished record gives a game that can be played on; a sealed one needs its *key*.  With
    *lenient* the ruleset and scenario may have changed, so long as the states are the same.
    RecordError says at which line the game parts from its record.
    """
    if not lenient:
        check_header(program.spec, setup, record)
    record, seed, nonce = _unsealed(record, key)
    game = Game(program, setup, seed, log=log, library=library)
    for difference in _walk(game, record, nonce):
        raise difference
    return game


@dataclass(frozen=True, slots=True)
class RetracedRecord:
    """A record played through with other rules than it was played with.

    The *game* stands where a decision of the record is *refused*, else at its end; *parted* is the
    number of decisions after which the states are other ones than they were (None: they are all as
    they were).
    """

    game: Game
    parted: int | None
    refused: GrognardError | None


def retrace(
    program: Program,
    setup: SetUp,
    record: Record,
    key: Key | None = None,
    library: Library | None = None,
) -> RetracedRecord:
    """Take the decisions of a record one by one, whatever its hashes say.  RecordError when a
    sealed one lacks its *key*.
    """
    record, seed, nonce = _unsealed(record, key)
    game = Game(program, setup, seed, library=library)
    parted: int | None = None
    try:
        for _ in _walk(game, record, nonce):
            parted = len(game.actions) if parted is None else parted
    except GrognardError as error:
        return RetracedRecord(game, parted, error)
    return RetracedRecord(game, parted, None)


def _walk(game: Game, record: Record, nonce: str | None) -> Iterator[RecordError]:
    """Take the decisions of a record one by one, and give what differs on the way: whoever goes on
    after that takes all of them.  GrognardError where one is not possible.
    """
    done = game._entries  # grows while we play
    own = 0  # how many of these the record has been held against
    for place, entry in enumerate(record.entries):
        due = _due(game, own, place, nonce)
        if entry.side != HASH:
            if due is not None:
                remedy = f"write: # {due}"
                yield RecordError("a hash is due here", entry.line, remedy)
            own = len(done) + 1
            _take(game, entry, place, nonce)
        elif due is None:
            yield RecordError("no hash is due here", entry.line, _EDITED)
        else:
            own += 1
            if due != entry.text:
                message = "the game parts from its record: the state's hash is "
                remedy = "something between this hash and the one before differs"
                yield RecordError(f"{message}{due}, not {entry.text}", entry.line, remedy)
    due = _due(game, own, len(record.entries), nonce)
    if due is not None and record.finished:
        last = record.entries[-1].line if record.entries else 0
        message = "the record ends before the hash that is due"
        yield RecordError(message, last, f"add: # {due}")
    if record.finished or not game.over:  # a game may have ended before its end was written
        yield from _ends(game, record, nonce)


def _unsealed(record: Record, key: Key | None) -> tuple[Record, int, str | None]:
    """A record with the seed, and the nonce by which its secrets are sealed."""
    sealed = record.seed is None
    if sealed and key is not None:
        record = replace(record, seed=key.seed, nonce=key.nonce)
    if record.seed is None:
        remedy = "give the key, or add the lines 'seed: …' and 'nonce: …' when it is published"
        raise RecordError("the seed is kept secret", remedy=remedy)
    if record.commitment and commitment(record.seed, record.nonce) != record.commitment:
        remedy = "this is not the seed that was promised"
        raise RecordError("seed and nonce do not fit the commitment", remedy=remedy)
    return record, record.seed, record.nonce if sealed else None


def _due(game: Game, own: int, place: int, nonce: str | None) -> str | None:
    """The hash among the entries of a game, its *own* one, as the record shows it at a *place*;
    None where there is none.
    """
    entries = game.entries(own)
    return _shown_hash(game, entries[0][1], place, nonce) if entries else None


def _shown_hash(game: Game, hash: str, place: int, nonce: str | None) -> str:
    """The hash of a state as the record shows it at a place."""
    return seal(place, hash, nonce) if nonce is not None and conceals(game.spec) else hash


def _take(game: Game, entry: Entry, place: int, nonce: str | None) -> None:
    decision = game.decision
    if decision is None:
        message = f"the game is over before '{excerpt(entry.text)}'"
        raise RecordError(message, entry.line, _EDITED)
    if decision.name != entry.side:
        message = f"'{decision.name}' decides here ({decision.question})"
        raise RecordError(f"{message}, not '{excerpt(entry.side)}'", entry.line, _EDITED)
    for option in decision.options:
        if option.text == entry.text or (
            nonce is not None and entry.text == f"{SEALED}{seal(place, option.text, nonce)}"
        ):
            game.play(option.index)
            return
    offered = ", ".join(option.text for option in decision.options[:12])
    message = f"'{excerpt(entry.text)}' is not offered here ({decision.question})"
    raise RecordError(message, entry.line, f"offered: {offered}")


def _ends(game: Game, record: Record, nonce: str | None) -> Iterator[RecordError]:
    """What differs at the end."""
    last = max((entry.line for entry in record.entries), default=0)
    if game.outcome != record.result:
        message = f"the game ends here as '{game.outcome}', the record says '{record.result}'"
        yield RecordError(message, last, f"the result is '{game.outcome}'")
    end = _shown_hash(game, game.state.hash(), len(record.entries), nonce)
    if record.finished and end != record.end:
        message = f"the last state's hash is {end}, not {record.end}"
        yield RecordError(message, last + 1, "the end differs from the record")
