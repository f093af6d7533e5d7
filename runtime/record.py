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

First the header, then an action a line, with a line of the state's hash at the start and after each action
that passed a checkpoint; at the end the result with the hash of the last state.  The result is the rank of
each side (1: has won; those who are level share a rank; where nobody has won, ranks begin at 2), ``tie`` or
``unfinished``.  A record names no time and no machine: the same game always gives the same bytes.  With a
secret seed the header shows ``commitment: sha256("<seed>:<nonce>")`` during the game and the seed and nonce
besides afterwards.  Meanwhile what was chosen secretly is sealed, and in games with secrets the hashes are
too (from a hash and a few guesses a secret could be found out): a digest of place, text and nonce stands for
each.  Who has seed and nonce, the key, can replay it (:mod:`runtime.sealing`).

A record that says ``unfinished`` may end after any line: it is written as the game goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from runtime.chance import SEED_BITS
from runtime.game import HASH, TIE, UNFINISHED, Game
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario.setup import SetUp
from runtime.sealing import SEALED, Key, commitment, seal
from runtime.spelling import STEERING, steering

FORMAT = 2
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


class RecordError(ValueError):
    """A record cannot be read or replayed: what is wrong, in which line, and what can be done."""

    def __init__(self, message: str, line: int = 0, remedy: str = "") -> None:
        place = f"line {line}: " if line else ""
        super().__init__(f"{place}{message}" + (f" ({remedy})" if remedy else ""))
        self.message = message
        self.line = line
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Entry:
    """An action (*side*, *text*), or the hash of a state (``#``, hash); *line* is where it stands."""

    side: str
    text: str
    line: int = field(default=0, compare=False)


def _quoted(text: str) -> str:
    """As much of what a record says as is told of it."""
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def _line(text: str) -> str:
    return " ".join(STEERING.sub(" ", text).split())


@dataclass(frozen=True)
class Record:
    """A game on paper.  *seed* is None while it is kept secret; *end* is the hash of the last state."""

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
        cls, game: Game, players: Mapping[str, str] | None = None, nonce: str = "", reveal: bool = True
    ) -> Record:
        """The record of a game as far as it has come.

        With a *nonce* the header shows the commitment to the seed, and unless *reveal* is set, neither the
        seed nor what was chosen secretly.  Whoever has the revealed record can replay it and compare its
        unrevealed form with what he was given.
        """
        if game.unrecorded:
            raise RecordError(
                f"the game has no record: {game.unrecorded}",
                remedy="a record is that of a game which begins as its scenario does, with dice of its own",
            )
        nonce = _line(nonce)
        if not nonce and not reveal:
            raise RecordError("a secret seed needs a nonce", remedy="give a nonce that nobody can guess")
        spec = game.spec
        unknown = [side for side in players or {} if side not in spec.sides]
        if unknown:
            raise RecordError(f"there is no side '{unknown[0]}'", remedy=f"sides: {', '.join(spec.sides)}")
        made = cls(
            spec.name,
            spec.hash,
            game.setup.title,
            game.setup.hash,
            game.seed if reveal else None,
            tuple((side, players[side]) for side in spec.sides if side in players) if players else (),
            game.result,
            (),
            game.state.hash() if game.over else "",
            commitment(game.seed, nonce) if nonce else "",
            nonce if reveal else "",
        )
        first = len(made.header()) + 2  # the entries follow the header and an empty line
        entries = game.entries() if reveal else _sealed(game, nonce)
        if made.end and not reveal and game.secret_entries():
            made = replace(made, end=seal(len(entries), made.end, nonce))
        return replace(
            made, entries=tuple(Entry(side, text, line) for line, (side, text) in enumerate(entries, first))
        )

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

    def write(self) -> str:
        """The text of the record."""
        lines = [*self.header(), ""]
        lines += [_entry_line(e.side, e.text) for e in self.entries]
        if self.finished:
            lines.append(f"= {self.result} {self.end}")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record.  RecordError when it is none."""
        return _Reader(text).record()


def entry_lines(game: Game, first: int, nonce: str | None = None) -> list[str]:
    """The lines of a record from the *first* entry on; with a *nonce* sealed while the game goes on."""
    entries = game.entries(first) if nonce is None or game.over else _sealed(game, nonce, first)
    return [_entry_line(side, text) for side, text in entries]


def _entry_line(side: str, text: str) -> str:
    return f"{HASH} {text}" if side == HASH else f"{side}: {text}"


def _sealed(game: Game, nonce: str, first: int = 0) -> list[tuple[str, str]]:
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
            raise RecordError(
                f"it has more than {MOST_LINES:,} lines", MOST_LINES, "no game is as long as that"
            )
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
            if not (said := steering(line)):
                continue
            raise RecordError(
                said.replace("this", "this line", 1),
                number,
                "no record holds such characters: it was edited, or damaged",
            )
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
            raise RecordError("the header has neither seed nor commitment", 1, "add the line 'seed: …'")
        entries, ended, end = self.read_entries(start)
        if (ended or UNFINISHED) != result:
            line = self.header["result"][1]
            raise RecordError(
                f"the header says '{result}', the end of the record '{ended or UNFINISHED}'",
                line,
                "make the two agree",
            )
        nonce = self.header.get("nonce", ("", 0))[0]
        number = int(seed) if seed else None
        if number is not None and number >> SEED_BITS:
            raise RecordError(
                f"the seed has more than {SEED_BITS} bits", self.header["seed"][1], "no game has such a seed"
            )
        return Record(
            ruleset,
            ruleset_hash,
            title,
            setup_hash,
            number,
            self.players(),
            result,
            entries,
            end,
            promised,
            nonce,
        )

    def read_header(self) -> int:
        first = next((line for line in self.lines if line), "")
        if not re.match(r"grognard: ", first):
            raise RecordError("this is no record of a game", 1, f"a record begins with 'grognard: {FORMAT}'")
        number = 0
        for number, line in enumerate(self.lines, 1):
            if not line and self.header:
                break
            if not line:
                continue
            key, colon, value = line.partition(":")
            if not colon or key not in _KEYS:
                raise RecordError(
                    f"'{_quoted(line)}' is not a line of a header",
                    number,
                    f"known: {', '.join(_KEYS)}; an empty line ends the header",
                )
            if key in self.header:
                raise RecordError(f"'{key}' is given twice", number, "remove one")
            self.header[key] = (value.strip(), number)
        version = self.header["grognard"][0]
        if version != str(FORMAT):
            place = self.header["grognard"][1]
            if re.match(r"[0-9]{1,9}\Z", version) and int(version) < FORMAT:
                message = (
                    f"the record has the older format {version}; since format 2 the result is a rank "
                    "for each side"
                )
                raise RecordError(message, place, "replay it with the version of Grognard that wrote it")
            raise RecordError(
                f"the record has format '{_quoted(version)}', this program reads {FORMAT}",
                place,
                "use a newer version",
            )
        return number

    def value(self, key: str, pattern: str, what: str, required: bool = False) -> str:
        text, line = self.header.get(key, ("", 0))
        if not text and not required:
            return ""
        if re.match(pattern, text) is None:
            raise RecordError(
                f"'{key}' must be {what}" if line else f"the header has no '{key}'",
                line or 1,
                f"write: {key}: …",
            )
        return text

    def pair(self, key: str, pattern: str, what: str) -> tuple[str, str]:
        match = re.match(pattern, self.value(key, pattern, what, required=True))
        assert match is not None
        return match[1], match[2]

    def players(self) -> tuple[tuple[str, str], ...]:
        text, line = self.header.get("players", ("", 0))
        made = []
        for part in text.split(",") if text else ():
            side, equals, name = part.strip().partition("=")
            if not equals or re.match(r"\w+\Z", side) is None:
                raise RecordError(
                    f"'{_quoted(part.strip())}' names no player", line, "write: players: side=name, side=name"
                )
            made.append((side, name))
        return tuple(made)

    def read_entries(self, start: int) -> tuple[tuple[Entry, ...], str, str]:
        entries: list[Entry] = []
        for number, line in enumerate(self.lines[start:], start + 1):
            if not line:
                continue
            if found := _HASH.match(line):
                entries.append(Entry(HASH, found[1], number))
            elif found := _END.match(line):
                rest = next((n for n, more in enumerate(self.lines[number:], number + 1) if more), 0)
                if rest:
                    raise RecordError(
                        "something follows the end of the game", rest, "remove it, or the line with '='"
                    )
                return tuple(entries), found[1], found[2]
            elif found := _ACTION.match(line):
                entries.append(Entry(found[1], found[2], number))
            else:
                raise RecordError(
                    f"'{_quoted(line)}' is not a line of a record",
                    number,
                    "write 'side: option', '# hash' or '= result hash'",
                )
        return tuple(entries), "", ""


# ---------------------------------------------------------------------- replaying


def check_header(spec: RulesetSpec, setup: SetUp, record: Record) -> None:
    """Whether a record is one of this ruleset and scenario, in this version.  RecordError when not."""
    if record.ruleset != spec.name:
        message = f"the game was played with ruleset '{_quoted(record.ruleset)}', this is '{spec.name}'"
        raise RecordError(message, remedy="replay it with its own ruleset")
    if record.ruleset_hash != spec.hash:
        message = (
            f"ruleset '{spec.name}' has changed since the game was played ({record.ruleset_hash}, "
            f"now {spec.hash})"
        )
        raise RecordError(
            message,
            remedy="use the ruleset as it was, or replay leniently: the hashes of the states still decide",
        )
    if record.setup_hash != setup.hash:
        played = _quoted(record.title)
        message = f"scenario '{setup.title}' is not the one that was played, '{played}', or has changed since"
        raise RecordError(
            message,
            remedy="use the scenario as it was, or replay leniently: the hashes of the states still decide",
        )


def replay(
    program: Program,
    setup: SetUp,
    record: Record,
    lenient: bool = False,
    log: bool = True,
    key: Key | None = None,
) -> Game:
    """Play a record through and check every hash and the result; a game where the record ends.

    An unfinished record gives a game that can be played on; a sealed one needs its *key*.  With *lenient* the
    ruleset and scenario may have changed, so long as the states are the same.  RecordError says at which line
    the game parts from its record.
    """
    spec = program.spec
    if not lenient:
        check_header(spec, setup, record)
    sealed = record.seed is None
    if sealed and key is not None:
        record = replace(record, seed=key.seed, nonce=key.nonce)
    if record.seed is None:
        raise RecordError(
            "the seed is kept secret",
            remedy="give the key, or add the lines 'seed: …' and 'nonce: …' when it is published",
        )
    if record.commitment and commitment(record.seed, record.nonce) != record.commitment:
        raise RecordError(
            "seed and nonce do not fit the commitment", remedy="this is not the seed that was promised"
        )
    game = Game(program, setup, record.seed, log=log)
    done = game._entries  # grows while we play
    nonce = record.nonce if sealed else None
    position = 0
    for entry in record.entries:
        if entry.side == HASH:
            if position >= len(done) or done[position][0] != HASH:
                raise RecordError(
                    "no hash is due here", entry.line, "the record was edited, or the rules have changed"
                )
            expected = _due(game, position, nonce)
            if expected != entry.text:
                message = f"the game parts from its record: the state's hash is {expected}, not {entry.text}"
                raise RecordError(
                    message, entry.line, "something between this hash and the one before differs"
                )
        else:
            if position < len(done):
                raise RecordError("a hash is due here", entry.line, f"write: # {_due(game, position, nonce)}")
            _take(game, entry, position, nonce)
        position += 1
    if position < len(done) and record.finished:
        last = record.entries[-1].line if record.entries else 0
        raise RecordError(
            "the record ends before the hash that is due", last, f"add: # {_due(game, position, nonce)}"
        )
    if record.finished or not game.over:  # a game may have ended before its end was written
        _check_end(game, record, sealed)
    return game


def _due(game: Game, place: int, nonce: str | None) -> str:
    """The hash at a place among the entries, as the record shows it."""
    return (game.entries(place) if nonce is None else _sealed(game, nonce, place))[0][1]


def _take(game: Game, entry: Entry, place: int, nonce: str | None) -> None:
    decision = game.decision
    if decision is None:
        raise RecordError(
            f"the game is over before '{_quoted(entry.text)}'",
            entry.line,
            "the record was edited, or the rules have changed",
        )
    if decision.name != entry.side:
        message = f"'{decision.name}' decides here ({decision.question}), not '{_quoted(entry.side)}'"
        raise RecordError(message, entry.line, "the record was edited, or the rules have changed")
    for option in decision.options:
        if option.text == entry.text or (
            nonce is not None and entry.text == f"{SEALED}{seal(place, option.text, nonce)}"
        ):
            game.play(option)
            return
    offered = ", ".join(option.text for option in decision.options[:12])
    raise RecordError(
        f"'{_quoted(entry.text)}' is not offered here ({decision.question})",
        entry.line,
        f"offered: {offered}",
    )


def _check_end(game: Game, record: Record, sealed: bool) -> None:
    last = max((entry.line for entry in record.entries), default=0)
    if game.result != record.result:
        message = f"the game ends here as '{game.result}', the record says '{record.result}'"
        raise RecordError(message, last, f"the result is '{game.result}'")
    end = game.state.hash()
    if sealed and game.secret_entries():
        end = seal(len(record.entries), end, record.nonce)
    if record.finished and end != record.end:
        raise RecordError(
            f"the last state's hash is {end}, not {record.end}", last + 1, "the end differs from the record"
        )
