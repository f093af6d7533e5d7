"""Records: a whole game as a text file that replays to the same states.

::

    grognard: 2
    ruleset: demo 02714ed9f2549d68
    scenario: 5a0c… At the ford
    seed: 42
    players: north=Ann, south=greedy
    result: north=1, south=2

    # 7be2f1c09d3a4455
    north: move red1
    north: to B4
    # 0d9c6a51e2b37f18
    = north=1, south=2 4f1d0a7c55e6b392

First the header, then an action a line, with a line of the state's hash at the start and after each
action that passed a checkpoint; at the end the result with the hash of the last state.  The result
is the rank of each side (1: has won; those who are level share a rank; where nobody has won, ranks
begin at 2), ``tie`` or ``unfinished``.  A record names no time and no machine: the same game always
gives the same bytes.  With a secret seed the header shows ``commitment: sha256("<seed>:<nonce>")``
during the game and the seed and nonce besides afterwards.  Meanwhile what was chosen secretly is
sealed, and in games with secrets the hashes are too (from a hash and a few guesses a secret could
be found out): a digest of place, text and nonce stands for each.  Who has seed and nonce, the key,
can replay it (:mod:`runtime.games.sealing`).

A record that says ``unfinished`` may end after any line: it is written as the game goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from runtime.chance import SEED_BITS
from runtime.errors import RecordError
from runtime.games.sealing import SEALED, commitment, seal
from runtime.model import RulesetSpec
from runtime.scenario.setup import SetUp
from runtime.spelling import STEERING, steering
from runtime.state import StateBase

FORMAT = 2
#: In a list of entries: not an action but the hash of the state.
HASH = "#"
#: What a record says of games without ranks, and what is said of a procedure run by itself.
UNFINISHED, TIE, ENDED = "unfinished", "tie", "procedure ended"
#: The most lines that a record may have.
MOST_LINES = 1_000_000
_KEYS = ("grognard", "ruleset", "scenario", "commitment", "nonce", "seed", "players", "result")
_ACTION = re.compile(r"(\w+): (\S.*)\Z")
_HASH = re.compile(r"# ([0-9a-f]{16})\Z")
_RESULT = rf"(?:{UNFINISHED}|{TIE}|\w+=[0-9]+(?:, \w+=[0-9]+)*)\Z"
_END = re.compile(r"= (\w+(?:=[0-9]+(?:, \w+=[0-9]+)*)?) ([0-9a-f]{16})\Z")
_BAD_PLAYER = re.compile(r"[,=]")
#: How much of a line is quoted.
_QUOTED = 80


class RecordedGame(Protocol):
    """A game of which there is a record (:class:`runtime.games.play.Play`)."""

    spec: RulesetSpec
    setup: SetUp
    state: StateBase
    seed: int
    #: why it has no record; empty where it has one
    unrecorded: str

    @property
    def over(self) -> bool:
        """Whether it has ended."""

    @property
    def outcome(self) -> str:
        """How it stands."""

    def entries(self, first: int = 0) -> list[tuple[str, str]]:
        """What its record holds, from the *first* on."""

    def secret_entries(self) -> set[int]:
        """The places of the entries that tell a secret."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An action (*side*, *text*), or the hash of a state (``#``, hash); *line*: where it stands."""

    side: str
    text: str
    line: int = field(default=0, compare=False)


def excerpt(text: str) -> str:
    """As much of what a record says as is told of it."""
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def _line(text: str) -> str:
    return " ".join(STEERING.sub(" ", text).split())


@dataclass(frozen=True)
class Record:
    """A game on paper.  *seed*: None while it is secret; *end*: the hash of the last state."""

    ruleset: str
    ruleset_hash: str
    title: str
    setup_hash: str
    seed: int | None
    players: tuple[tuple[str, str], ...] = ()
    result: str = UNFINISHED
    entries: tuple[Entry, ...] = ()
    end: str = ""
    commitment: str = ""
    nonce: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", _line(self.title))
        object.__setattr__(self, "nonce", _line(self.nonce))
        players = tuple((side, _line(_BAD_PLAYER.sub(" ", name))) for side, name in self.players)
        object.__setattr__(self, "players", players)

    @property
    def finished(self) -> bool:
        """Whether the game came to its end."""
        return self.result != UNFINISHED

    @property
    def actions(self) -> list[Entry]:
        """The actions alone."""
        return [entry for entry in self.entries if entry.side != HASH]

    @classmethod
    def of(
        cls,
        game: RecordedGame,
        players: Mapping[str, str] | None = None,
        nonce: str = "",
        reveal: bool = True,
    ) -> Record:
        """The record of a game as far as it has come.

        With a *nonce* the header shows the commitment to the seed, and unless *reveal* is set,
        neither the seed nor what was chosen secretly.  Whoever has the revealed record can replay
        it and compare its unrevealed form with what he was given.
        """
        if game.unrecorded:
            remedy = "a record is of a game that begins as its scenario does, with dice of its own"
            raise RecordError(f"the game has no record: {game.unrecorded}", remedy=remedy)
        nonce = _line(nonce)
        if not nonce and not reveal:
            remedy = "give a nonce that nobody can guess"
            raise RecordError("a secret seed needs a nonce", remedy=remedy)
        spec, named = game.spec, players or {}
        unknown = [side for side in named if side not in spec.sides]
        if unknown:
            remedy = f"sides: {', '.join(spec.sides)}"
            raise RecordError(f"there is no side '{unknown[0]}'", remedy=remedy)
        entries = game.entries() if reveal else sealed_entries(game, nonce)
        end = game.state.hash() if game.over else ""
        if end and not reveal and game.secret_entries():
            end = seal(len(entries), end, nonce)
        record = cls(
            ruleset=spec.name,
            ruleset_hash=spec.hash,
            title=game.setup.title,
            setup_hash=game.setup.hash,
            seed=game.seed if reveal else None,
            players=tuple((side, named[side]) for side in spec.sides if side in named),
            result=game.outcome,
            end=end,
            commitment=commitment(game.seed, nonce) if nonce else "",
            nonce=nonce if reveal else "",
        )
        first = len(record.header()) + 2  # the entries follow the header and an empty line
        numbered = enumerate(entries, first)
        placed = tuple(Entry(side, text, line) for line, (side, text) in numbered)
        return replace(record, entries=placed)

    # ------------------------------------------------------------------ as text

    def header(self) -> list[str]:
        """The lines of the header."""
        header = {
            "grognard": str(FORMAT),
            "ruleset": f"{self.ruleset} {self.ruleset_hash}",
            "scenario": f"{self.setup_hash} {self.title}".rstrip(),
            "commitment": self.commitment,
            "nonce": self.nonce,
            "seed": "" if self.seed is None else str(self.seed),
            "players": ", ".join(f"{side}={name}" for side, name in self.players),
            "result": self.result,
        }
        return [f"{key}: {header[key]}" for key in _KEYS if header[key]]

    def lines(self) -> list[str]:
        """The lines of its entries."""
        return [_entry_line(entry.side, entry.text) for entry in self.entries]

    def write(self) -> str:
        """The text of the record."""
        lines = [*self.header(), ""]
        lines += self.lines()
        if self.finished:
            lines.append(f"= {self.result} {self.end}")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record.  RecordError when it is none."""
        return _Reader(text).record()


def entry_lines(game: RecordedGame, first: int, nonce: str | None = None) -> list[str]:
    """The lines of a record from an entry on; with a *nonce* sealed while the game goes on."""
    open_ = nonce is None or game.over
    entries = game.entries(first) if open_ else sealed_entries(game, nonce or "", first)
    return [_entry_line(side, text) for side, text in entries]


def _entry_line(side: str, text: str) -> str:
    return f"{HASH} {text}" if side == HASH else f"{side}: {text}"


def sealed_entries(game: RecordedGame, nonce: str, first: int = 0) -> list[tuple[str, str]]:
    """The entries of a game, sealed where they tell a secret."""
    secret = game.secret_entries()
    return [
        (side, seal(i, text, nonce) if side == HASH else f"{SEALED}{seal(i, text, nonce)}")
        if i in secret
        else (side, text)
        for i, (side, text) in enumerate(game.entries(first), first)
    ]


class _Reader:
    """Reads one record."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff")
        if text.count("\n") > MOST_LINES:
            message = f"it has more than {MOST_LINES:,} lines"
            raise RecordError(message, MOST_LINES, "no game is as long as that")
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
            if wrong := steering(line):
                remedy = "no record holds such characters: it was edited, or damaged"
                raise RecordError(wrong.replace("this", "this line", 1), number, remedy)
        self.lines = [line.rstrip() for line in text.split("\n")]
        self.header: dict[str, tuple[str, int]] = {}

    def record(self) -> Record:
        start = self.read_header()
        ruleset, ruleset_hash = self.pair(
            "ruleset", r"(\w+) ([0-9a-f]{1,64})\Z", "the name and the hash of the ruleset"
        )
        setup_hash, title = self.pair(
            "scenario", r"([0-9a-f]{64})((?: .*)?)\Z", "the hash and the title of the scenario"
        )
        seed = self.value("seed", r"[0-9]{1,39}\Z", "a number of at most 39 digits")
        promised = self.value("commitment", r"[0-9a-f]{64}\Z", "64 hexadecimal digits")
        result = self.value(
            "result", _RESULT, f"the rank of each side, '{TIE}' or '{UNFINISHED}'", required=True
        )
        if not seed and not promised:
            message = "the header has neither seed nor commitment"
            raise RecordError(message, 1, "add the line 'seed: …'")
        entries, ended, end = self.read_entries(start)
        ended = ended or UNFINISHED
        if ended != result:
            message = f"the header says '{result}', the end of the record '{ended}'"
            raise RecordError(message, self.header["result"][1], "make the two agree")
        number = int(seed) if seed else None
        if number is not None and number >> SEED_BITS:
            message = f"the seed has more than {SEED_BITS} bits"
            raise RecordError(message, self.header["seed"][1], "no game has such a seed")
        return Record(
            ruleset=ruleset,
            ruleset_hash=ruleset_hash,
            title=title,
            setup_hash=setup_hash,
            seed=number,
            players=self.players(),
            result=result,
            entries=entries,
            end=end,
            commitment=promised,
            nonce=self.header.get("nonce", ("", 0))[0],
        )

    def read_header(self) -> int:
        first = next((line for line in self.lines if line), "")
        if not re.match(r"grognard: ", first):
            remedy = f"a record begins with 'grognard: {FORMAT}'"
            raise RecordError("this is no record of a game", 1, remedy)
        number = 0
        for number, line in enumerate(self.lines, 1):
            if not line and self.header:
                break
            if not line:
                continue
            key, colon, value = line.partition(":")
            if not colon or key not in _KEYS:
                remedy = f"known: {', '.join(_KEYS)}; an empty line ends the header"
                raise RecordError(f"'{excerpt(line)}' is not a line of a header", number, remedy)
            if key in self.header:
                raise RecordError(f"'{key}' is given twice", number, "remove one")
            self.header[key] = (value.strip(), number)
        version, place = self.header["grognard"]
        if re.match(r"[0-9]{1,9}\Z", version) and int(version) < FORMAT:
            message = f"the record has the older format {version}"
            message += "; since format 2 the result is a rank for each side"
            raise RecordError(
                message, place, "replay it with the version of Grognard that wrote it"
            )
        if version != str(FORMAT):
            message = f"the record has format '{excerpt(version)}', this program reads {FORMAT}"
            raise RecordError(message, place, "use a newer version")
        return number

    def value(self, key: str, pattern: str, what: str, required: bool = False) -> str:
        text, line = self.header.get(key, ("", 0))
        if not text and not required:
            return ""
        if re.match(pattern, text) is None:
            message = f"'{key}' must be {what}" if line else f"the header has no '{key}'"
            raise RecordError(message, line or 1, f"write: {key}: …")
        return text

    def pair(self, key: str, pattern: str, what: str) -> tuple[str, str]:
        match = re.match(pattern, self.value(key, pattern, what, required=True))
        assert match is not None
        return match[1], match[2]

    def players(self) -> tuple[tuple[str, str], ...]:
        text, line = self.header.get("players", ("", 0))
        players = []
        for part in text.split(",") if text else ():
            side, equals, name = part.strip().partition("=")
            if not equals or re.match(r"\w+\Z", side) is None:
                message = f"'{excerpt(part.strip())}' names no player"
                raise RecordError(message, line, "write: players: side=name, side=name")
            players.append((side, name))
        return tuple(players)

    def read_entries(self, start: int) -> tuple[tuple[Entry, ...], str, str]:
        entries: list[Entry] = []
        for number, line in enumerate(self.lines[start:], start + 1):
            if not line:
                continue
            if match := _HASH.match(line):
                entries.append(Entry(HASH, match[1], number))
            elif match := _END.match(line):
                following = enumerate(self.lines[number:], number + 1)
                if rest := next((place for place, text in following if text), 0):
                    message = "something follows the end of the game"
                    raise RecordError(message, rest, "remove it, or the line with '='")
                return tuple(entries), match[1], match[2]
            elif match := _ACTION.match(line):
                entries.append(Entry(match[1], match[2], number))
            else:
                message = f"'{excerpt(line)}' is not a line of a record"
                remedy = "write 'side: option', '# hash' or '= result hash'"
                raise RecordError(message, number, remedy)
        return tuple(entries), "", ""
