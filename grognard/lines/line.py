"""A line of several answers."""

from __future__ import annotations

import re

from grognard.draw.scene import Scene
from grognard.lines.every import every
from grognard.lines.order import ALL, DONE, WORDS, Order
from grognard.lines.trial import ANSWERS, Stuck, Trial, too_much
from grognard.menu import Menu
from runtime.game import ChoiceError, Option
from runtime.model import NONE


class Lines:
    """Reads lines of several answers."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def read(self, menu: Menu, line: str) -> tuple[Option, ...]:
        """The options of a menu's game that a line takes one after another; numbers are those of the menu.
        ChoiceError when it cannot be taken whole.
        """
        trial, begun = Trial.of(menu), NONE
        parts = self._parts(line)
        for number, words in enumerate(parts, 1):
            asked = trial.decision
            if self._means(words[0], ALL):
                trial = every(trial, " ".join(words[1:]))
            else:
                if len(words) == 1 and self._means(words[0], DONE):
                    trial = _back_at(trial, begun)
                trial = Order(words, last=number == len(parts)).read(trial)
            begun = NONE if asked is None else asked.point
        if not trial.taken:
            raise ChoiceError(self.scene.words("this line names nothing"))
        return trial.taken

    def stuck(self, menu: Menu, line: str) -> Stuck | None:
        """Where a line cannot be taken behind its first answers; None where it can, or says one thing."""
        if not menu.named(line) and len(line.split()) > 1:
            try:
                self.read(menu, line)
            except Stuck as stuck:
                return stuck
            except ChoiceError:
                pass
        return None

    def several(self, menu: Menu, line: str) -> tuple[Option, ...]:
        """The options of a line that takes several; none where it says one thing, or cannot be taken."""
        if menu.named(line) or len(line.split()) < 2:
            return ()
        try:
            options = self.read(menu, line)
        except ChoiceError:
            return ()
        return options if len(options) > 1 else ()

    def _parts(self, line: str) -> list[list[str]]:
        """The words of each part of a line.  ChoiceError where there are too many."""
        if len(line.split()) > WORDS * ANSWERS:
            raise too_much(self.scene)
        parts = [words for part in re.split(r"[,;]", line) if (words := part.split())]
        for words in parts:
            word = words[-1].removesuffix("!")
            if self._means(word, DONE):
                words[-1] = word  # within a line nobody asks again
        return parts

    def _means(self, word: str, command: str) -> bool:
        return self.scene.words.understood(word) == command


def _back_at(trial: Trial, begun: int) -> Trial:
    """Where the list at the point *begun* is asked again, from which the part before was taken, if passing by
    what is asked leads there; else as it is.
    """
    if begun == NONE or trial.at(begun):
        return trial
    passed = trial.passed()
    return passed if passed is not None and passed.at(begun) else trial
