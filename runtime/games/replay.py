"""Records played through: the same game again, or where it parts from its record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from runtime.errors import GrognardError, RecordError
from runtime.games.explanation import Library
from runtime.games.game import Game
from runtime.games.record import HASH, Entry, Record, quoted, sealed_entries
from runtime.games.sealing import SEALED, Key, commitment, seal
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario.setup import SetUp

_EDITED = "the record was edited, or the rules have changed"
_LENIENTLY = ", or replay leniently: the hashes of the states still decide"


def check_header(spec: RulesetSpec, setup: SetUp, record: Record) -> None:
    """RecordError unless a record is one of this ruleset and scenario, in this version."""
    if record.ruleset != spec.name:
        played = quoted(record.ruleset)
        message = f"the game was played with ruleset '{played}', this is '{spec.name}'"
        raise RecordError(message, remedy="replay it with its own ruleset")
    if record.ruleset_hash != spec.hash:
        message = f"ruleset '{spec.name}' has changed since the game was played"
        message += f" ({record.ruleset_hash}, now {spec.hash})"
        raise RecordError(message, remedy=f"use the ruleset as it was{_LENIENTLY}")
    if record.setup_hash != setup.hash:
        played = quoted(record.title)
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
    spec = program.spec
    if not lenient:
        check_header(spec, setup, record)
    sealed = record.seed is None
    record, seed, nonce = _opened(record, key)
    game = Game(program, setup, seed, log=log, library=library)
    done = game._entries  # grows while we play
    for position, entry in enumerate(record.entries):
        if entry.side == HASH:
            if position >= len(done) or done[position][0] != HASH:
                raise RecordError("no hash is due here", entry.line, _EDITED)
            expected = _due(game, position, nonce)
            if expected != entry.text:
                message = "the game parts from its record: the state's hash is "
                remedy = "something between this hash and the one before differs"
                raise RecordError(f"{message}{expected}, not {entry.text}", entry.line, remedy)
        elif position < len(done):
            remedy = f"write: # {_due(game, position, nonce)}"
            raise RecordError("a hash is due here", entry.line, remedy)
        else:
            _take(game, entry, position, nonce)
    position = len(record.entries)
    if position < len(done) and record.finished:
        last = record.entries[-1].line if record.entries else 0
        remedy = f"add: # {_due(game, position, nonce)}"
        raise RecordError("the record ends before the hash that is due", last, remedy)
    if record.finished or not game.over:  # a game may have ended before its end was written
        _check_end(game, record, sealed)
    return game


@dataclass(frozen=True, slots=True)
class Retraced:
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
) -> Retraced:
    """Take the decisions of a record one by one, whatever its hashes say.  RecordError when a
    sealed one lacks its *key*.
    """
    record, seed, nonce = _opened(record, key)
    game = Game(program, setup, seed, library=library)
    done = game._entries
    parted: int | None = None
    compared = taken = 0
    for position, entry in enumerate(record.entries):
        due = compared < len(done)
        if entry.side == HASH:
            same = due and _state_as(game, compared, position, nonce) == entry.text
            compared += due
        else:
            same, compared = not due, len(done) + 1
        if not same and parted is None:
            parted = taken
        if entry.side != HASH:
            try:
                _take(game, entry, position, nonce)
            except GrognardError as error:
                return Retraced(game, parted, error)
            taken += 1
    if parted is None and record.finished and game.outcome != record.result:
        parted = taken
    return Retraced(game, parted, None)


def _state_as(game: Game, own: int, place: int, nonce: str | None) -> str:
    """The hash among the entries of a game, its *own* place, as a record shows it at a place."""
    hash = game.entries(own)[0][1]
    return seal(place, hash, nonce) if nonce is not None and game.secret_entries() else hash


def _opened(record: Record, key: Key | None) -> tuple[Record, int, str | None]:
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


def _due(game: Game, place: int, nonce: str | None) -> str:
    """The hash at a place among the entries, as the record shows it."""
    return (game.entries(place) if nonce is None else sealed_entries(game, nonce, place))[0][1]


def _take(game: Game, entry: Entry, place: int, nonce: str | None) -> None:
    decision = game.decision
    if decision is None:
        message = f"the game is over before '{quoted(entry.text)}'"
        raise RecordError(message, entry.line, _EDITED)
    if decision.name != entry.side:
        message = f"'{decision.name}' decides here ({decision.question})"
        raise RecordError(f"{message}, not '{quoted(entry.side)}'", entry.line, _EDITED)
    for option in decision.options:
        if option.text == entry.text or (
            nonce is not None and entry.text == f"{SEALED}{seal(place, option.text, nonce)}"
        ):
            game.play(option.index)
            return
    offered = ", ".join(option.text for option in decision.options[:12])
    message = f"'{quoted(entry.text)}' is not offered here ({decision.question})"
    raise RecordError(message, entry.line, f"offered: {offered}")


def _check_end(game: Game, record: Record, sealed: bool) -> None:
    last = max((entry.line for entry in record.entries), default=0)
    if game.outcome != record.result:
        message = f"the game ends here as '{game.outcome}', the record says '{record.result}'"
        raise RecordError(message, last, f"the result is '{game.outcome}'")
    end = game.state.hash()
    if sealed and game.secret_entries():
        end = seal(len(record.entries), end, record.nonce)
    if record.finished and end != record.end:
        message = f"the last state's hash is {end}, not {record.end}"
        raise RecordError(message, last + 1, "the end differs from the record")
