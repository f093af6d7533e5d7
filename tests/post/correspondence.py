"""Two sides of a match by post, in one process."""

from __future__ import annotations

import argparse
from pathlib import Path

from grognard.fronts.cli.games.by_mail import ByMail
from grognard.post.letter_box import LetterBox
from grognard.scenario import Scenario
from runtime.games.game import Game


def by_mail(box: LetterBox, bot: str | None = None, language: str = "en") -> ByMail:
    """The command for a side, for whom a bot may decide."""
    return ByMail(box, argparse.Namespace(bot=bot, language=language))


class Correspondence:
    """A match of which all letters arrive; *writer* has written the last one."""

    def __init__(self, scenario: Scenario, folder: Path, bot: str = "random") -> None:
        self.bot = bot
        self.first = LetterBox.begin(folder / "a", scenario, 0)
        by_mail(self.first).send()
        invitation = self.first.match.letters[0]
        self.second = LetterBox.invited(folder / "b", invitation)
        by_mail(self.second).keep(invitation)
        self.writer, self.reader = self.first, self.second

    @property
    def over(self) -> bool:
        """Whether both sides know that the game has ended."""
        return self.writer.match.is_over and self.reader.match.is_over

    def step(self) -> None:
        """The reader writes the next letter, and it is taken."""
        by_mail(self.reader, self.bot).go_on()
        self.writer, self.reader = self.reader, self.writer
        letter = self.writer.match.letters[-1]
        self.reader.match.take(letter)
        by_mail(self.reader).keep(letter)

    def go_on(self, letters: int) -> None:
        """As many letters more, or to the end."""
        for _ in range(letters):
            if self.over:
                return
            self.step()

    def reopened(self, box: LetterBox) -> LetterBox:
        """What is in the folder of a side."""
        return LetterBox.open(box.folder)


def game_of(box: LetterBox) -> Game:
    """The game as far as a side knows it."""
    assert box.match.game is not None
    return box.match.game
