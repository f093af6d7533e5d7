"""The folder of a match: its letters, and what only the own side knows.

A match is played again from its letters whenever it is opened, so that each of them is verified
anew, and whatever ends the program, what was sent and taken is there.
"""

from __future__ import annotations

import base64
import json
import secrets
from contextlib import suppress
from pathlib import Path

from grognard.files import reason, replace, short, shown
from grognard.post.ciphers import own_cipher
from grognard.post.letters import LARGEST_FILE, SAME, LetterError, Sealed, read_letters
from grognard.post.match import Match
from grognard.post.pledges import new_secret
from grognard.records import scenario_of
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, GrognardError
from runtime.files import read_bytes
from runtime.games.record import Record
from runtime.words.said import said

_PRIVATE, _DRAFT = "private.json", "draft.sealed"
_ANOTHER = said("give another --folder")


class LetterBox:
    """The match in a folder, whose *secret* seals what is kept there."""

    def __init__(self, folder: Path, match: Match, secret: bytes) -> None:
        self.folder, self.match = folder, match
        self._cipher = own_cipher(secret)

    @classmethod
    def begin(cls, folder: Path, scenario: Scenario, side: int) -> LetterBox:
        """A new match, as the side that invites the other.  ArgumentError."""
        return cls._made(folder, scenario, side, secrets.token_hex(16))

    @classmethod
    def invited(cls, folder: Path, sealed: Sealed) -> LetterBox:
        """A new match, as the side that a letter invites, which is not kept yet.  GrognardError."""
        head = sealed.head
        scenario = _scenario(head.rules, head.scenario)
        sides = scenario.program.spec.sides
        if head.sender not in sides or len(sides) != 2:
            raise LetterError(said("the letter invites to no game"), said("ask for another"))
        return cls._made(folder, scenario, 1 - sides.index(head.sender), head.game, sealed)

    @classmethod
    def _made(
        cls,
        folder: Path,
        scenario: Scenario,
        side: int,
        identity: str,
        invitation: Sealed | None = None,
    ) -> LetterBox:
        if cls.there(folder):
            raise ArgumentError(
                said("'{folder}' holds a game already", folder=short(str(folder))), _ANOTHER
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
        box = cls(folder, match, secret)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _write_error(folder, error) from None
        box._write(_PRIVATE, json.dumps(private))
        return box

    @staticmethod
    def there(folder: Path) -> bool:
        """Whether a folder holds a match."""
        return (folder / _PRIVATE).exists()

    @classmethod
    def open(cls, folder: Path) -> LetterBox:
        """The match in a folder, after all its letters.  GrognardError."""
        if not cls.there(folder):
            raise ArgumentError(
                said("'{folder}' holds no game by post", folder=short(str(folder))),
                said("`grognard mail begin` or `mail take` makes one; --folder names its folder"),
            )
        try:
            private = json.loads(read_bytes(folder / _PRIVATE))
            secret, side = bytes.fromhex(private["secret"]), int(private["side"])
            identity = str(private["game"])
            rules, played = list(private["rules"]), list(private["scenario"])
            file = str(private["file"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise ArgumentError(
                said("'{file}' was altered or damaged", file=shown(folder / _PRIVATE)),
                said("without it the game cannot go on"),
            ) from None
        match = Match(_scenario(rules, played, file), side, secret, identity)
        for number, path in enumerate(_letters(folder), 1):
            try:
                match.take(read_letters(text_of(path))[0])
            except LetterError as error:
                where = said("letter {number}, {file}", number=number, file=path.name)
                told = said("{where}: {what}", where=where, what=error.message)
                raise LetterError(told, error.remedy) from None
        return cls(folder, match, secret)

    def keep(self, sealed: Sealed, above: list[str]) -> Path:
        """Keep a letter that was written or taken; the file in which it is.  ArgumentError where
        another command has been quicker: what it has written may have been sent.
        """
        name = f"{sealed.head.number:04}-{sealed.head.sender}.letter"
        if (self.folder / name).exists():
            raise ArgumentError(
                said(
                    "letter {number} has been written by another command meanwhile",
                    number=sealed.head.number,
                ),
                said("`grognard mail show` tells how the game stands"),
            )
        self._write(name, sealed.write(above))
        with suppress(OSError):  # one that stays belongs to no letter that is due
            (self.folder / _DRAFT).unlink(missing_ok=True)
        return self.folder / name

    def keep_draft(self) -> None:
        """Keep what has been decided and no letter holds yet."""
        due = len(self.match.letters) + 1
        text = json.dumps([due, *self.match.decided]).encode()
        sealed = self._cipher.seal(text, self.match.identity.encode())
        self._write(_DRAFT, base64.b64encode(sealed).decode() + "\n")

    def resume(self) -> None:
        """Decide again what had been decided for the letter that is due.  ArgumentError where what
        was kept of it was altered.
        """
        path, game = self.folder / _DRAFT, self.match.game
        try:
            sealed = base64.b64decode(read_bytes(path))
            due, *texts = json.loads(self._cipher.open(sealed, self.match.identity.encode()))
            if game is not None and due == len(self.match.letters) + 1:
                for text in texts:
                    game.play(text)
        except FileNotFoundError:
            return
        except (OSError, ValueError, GrognardError):
            raise ArgumentError(
                said("'{file}' was altered or damaged", file=shown(path)),
                said("remove it to decide anew"),
            ) from None

    def letter(self, number: int) -> Path:
        """The file of a letter that is here."""
        return _letters(self.folder)[number - 1]

    def _write(self, name: str, text: str) -> None:
        try:
            replace(self.folder / name, text, private=True)
        except OSError as error:
            raise _write_error(self.folder / name, error) from None


def text_of(path: Path) -> str:
    """The text of a file that may hold letters.  ArgumentError where it cannot be read."""
    try:
        return read_bytes(path, LARGEST_FILE).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise ArgumentError(
            said("'{file}' cannot be read: {reason}", file=short(str(path)), reason=reason(error)),
            said("give the file of a letter"),
        ) from None


def _write_error(path: Path, error: OSError) -> GrognardError:
    what = short(str(path))
    return ArgumentError(
        said("'{file}' cannot be written: {reason}", file=what, reason=reason(error)), _ANOTHER
    )


def _letters(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9][0-9][0-9][0-9]-*.letter"))


def _scenario(rules: list[str], played: list[str], file: str | None = None) -> Scenario:
    """The scenario of these hashes, in a *file* or wherever it is found.  GrognardError where it is
    not.
    """
    if len(rules) != 2 or len(played) != 2:
        raise LetterError(
            said("the letter names no rules"), said("ask for the letter that invites")
        )
    scenario = scenario_of(Record(rules[0], rules[1], played[1], played[0], seed=0), file)
    spec = scenario.program.spec
    if [spec.name, spec.hash, scenario.setup.hash] != [*rules, played[0]]:
        raise LetterError(
            said(
                "the game is played with other rules of '{rules}' than are found here",
                rules=short(rules[0], 40),
            ),
            SAME,
        )
    return scenario
