"""The folder of a match: its letters, and what only the own side knows.

A match is played again from its letters whenever it is opened, so that each of them is verified
anew, and whatever ends the program, what was sent and taken is there.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from grognard.files import reason, replace, short
from grognard.post.letters import LARGEST_FILE, LetterError, Sealed, read_letters
from grognard.post.match import Match
from grognard.post.pledges import new_secret
from grognard.records import scenario_of
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, GrognardError
from runtime.files import read_bytes
from runtime.games.record import Record

_PRIVATE, _DRAFT = "private.json", "draft.json"


class LetterBox:
    """The match in a folder; *texts* are decisions of this side that no letter holds yet."""

    def __init__(self, folder: Path, match: Match, texts: list[str]) -> None:
        self.folder, self.match, self.texts = folder, match, texts

    @classmethod
    def begin(cls, folder: Path, scenario: Scenario, side: int) -> LetterBox:
        """A new match, as the side that invites the other.  ArgumentError."""
        return cls._made(folder, scenario, side, secrets.token_hex(16))

    @classmethod
    def invited(cls, folder: Path, sealed: Sealed) -> LetterBox:
        """A new match, as the side that a letter invites, which is not kept yet.  GrognardError."""
        letter = sealed.letter
        scenario = _scenario(letter.rules, letter.scenario)
        sides = scenario.program.spec.sides
        if letter.sender not in sides or len(sides) != 2:
            raise LetterError("the letter invites to no game", "ask for another")
        return cls._made(folder, scenario, 1 - sides.index(letter.sender), letter.game, sealed)

    @classmethod
    def _made(
        cls,
        folder: Path,
        scenario: Scenario,
        side: int,
        identity: str,
        invitation: Sealed | None = None,
    ) -> LetterBox:
        if (folder / _PRIVATE).exists():
            raise ArgumentError(
                f"'{short(str(folder))}' holds a game already", "give another --folder"
            )
        secret = new_secret()
        match = Match(scenario, side, secret, identity)
        if invitation is not None:
            match.take(invitation)  # before anything of it is kept
        spec, setup = scenario.program.spec, scenario.setup
        private = {
            "side": side,
            "secret": secret.hex(),
            "game": identity,
            "rules": [spec.name, spec.hash],
            "scenario": [setup.hash, setup.title],
            "file": str(scenario.file.resolve()),
        }
        box = cls(folder, match, [])
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _unwritten(folder, error) from None
        box._write(_PRIVATE, json.dumps(private))
        return box

    @classmethod
    def open(cls, folder: Path) -> LetterBox:
        """The match in a folder, after all its letters.  GrognardError."""
        if not (folder / _PRIVATE).is_file():
            raise ArgumentError(
                f"'{short(str(folder))}' holds no game by post",
                "`grognard mail begin` or `mail take` makes one; --folder names its folder",
            )
        try:
            private = json.loads(read_bytes(folder / _PRIVATE))
            secret, side = bytes.fromhex(private["secret"]), int(private["side"])
            identity = str(private["game"])
            rules, played = list(private["rules"]), list(private["scenario"])
            file = str(private["file"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise ArgumentError(
                f"'{_PRIVATE}' in '{short(str(folder))}' was altered or damaged",
                "without it the game cannot go on",
            ) from None
        match = Match(_scenario(rules, played, file), side, secret, identity)
        for number, path in enumerate(_letters(folder), 1):
            try:
                match.take(read_letters(text_of(path))[0])
            except LetterError as error:
                told = f"letter {number}, {path.name}: {error.message}"
                raise LetterError(told, error.remedy) from None
        return cls(folder, match, _draft(folder))

    def keep(self, sealed: Sealed, head: list[str]) -> Path:
        """Keep a letter that was written or taken; the file in which it is."""
        letter = sealed.letter
        name = f"{letter.number:04}-{letter.sender}.letter"
        self._write(name, sealed.write(head))
        self.keep_draft([])
        return self.folder / name

    def keep_draft(self, texts: list[str]) -> None:
        """Keep decisions that no letter holds yet."""
        self.texts = texts
        self._write(_DRAFT, json.dumps(texts))

    def letter(self, number: int) -> Path:
        """The file of a letter that is here."""
        return _letters(self.folder)[number - 1]

    def _write(self, name: str, text: str) -> None:
        try:
            replace(self.folder / name, text, private=True)
        except OSError as error:
            raise _unwritten(self.folder / name, error) from None


def text_of(path: Path) -> str:
    """The text of a file that may hold letters.  ArgumentError where it cannot be read."""
    try:
        return read_bytes(path, LARGEST_FILE).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"'{short(str(path))}' cannot be read: {reason(error)}", "give the file of a letter"
        ) from None


def _unwritten(path: Path, error: OSError) -> GrognardError:
    return ArgumentError(
        f"'{short(str(path))}' cannot be written: {reason(error)}", "give another --folder"
    )


def _letters(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9][0-9][0-9][0-9]-*.letter"))


def _draft(folder: Path) -> list[str]:
    """Decisions that were kept before a letter; none where nothing sensible is kept."""
    try:
        texts = json.loads(read_bytes(folder / _DRAFT))
    except (OSError, ValueError, RecursionError):
        return []
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def _scenario(rules: list[str], played: list[str], file: str | None = None) -> Scenario:
    """The scenario of these hashes, in a *file* or wherever it is found.  GrognardError where it is
    not.
    """
    if len(rules) != 2 or len(played) != 2:
        raise LetterError("the letter names no rules", "ask for the letter that invites")
    scenario = scenario_of(Record(rules[0], rules[1], played[1], played[0], seed=0), file)
    spec = scenario.program.spec
    if [spec.name, spec.hash, scenario.setup.hash] != [*rules, played[0]]:
        raise LetterError(
            f"the game is played with other rules of '{short(rules[0], 40)}' than are found here",
            "both sides need the same rules and scenario as long as the game lasts",
        )
    return scenario
