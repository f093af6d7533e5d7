"""What a line has taken so far, on a copy of the game; and why it cannot be taken on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from grognard.draw.scene import Scene
from grognard.table.menu import Menu, passing_option
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.games.undo import tells
from runtime.model import NONE
from runtime.option import Option
from runtime.view import view

#: How many answers a line may give, and how many may be tried.
ANSWERS, _TRIED = 60, 400
#: How many lists or questions an order may end before it.
_PASSES = 3


@dataclass(frozen=True, eq=False)
class Trial:
    """A game after some answers of a line.  Nothing changes it: each answer is tried on a copy."""

    game: Game
    menu: Menu
    #: counts the answers that are tried for one line
    tries: Iterator[int] = field(default_factory=count)
    #: where the last answer was taken; None where nothing has been
    before: Trial | None = None
    taken: tuple[Option, ...] = ()
    #: the piece that was chosen last, by kind and number, and where it stood then
    piece: tuple[str, int] | None = None
    stood: int = NONE
    #: the list that something was taken from last, by its point; NONE where it was passed
    worked: int = NONE

    @classmethod
    def of(cls, menu: Menu) -> Trial:
        """The beginning of a line for a menu's game."""
        game = menu.game.copy()
        return cls(game, menu.for_copy(game))

    @property
    def scene(self) -> Scene:
        """The scene of the game."""
        return self.menu.scene

    @property
    def decision(self) -> Decision | None:
        """What is asked now."""
        return self.game.decision

    @property
    def offered(self) -> tuple[Option, ...]:
        """The options of what is asked now."""
        return () if self.decision is None else self.decision.options

    @property
    def in_list(self) -> bool:
        """Whether a list is asked that one works through, and not what follows from something
        taken.
        """
        return self.decision is not None and self.game.spec.decisions[self.decision.point].menu

    def at(self, point: int) -> bool:
        """Whether the decision at a point is asked."""
        return self.decision is not None and self.decision.point == point

    @cached_property
    def goes_on(self) -> bool:
        """Whether what was taken can be taken back, so that more may follow."""
        return self.before is None or self.game.can_undo

    @property
    def foreseen(self) -> bool:
        """Whether it followed from what the side saw before who decides now.

        What dice, or the hands of others, have made of it must not be told by a line that is not
        taken.
        """
        if self.before is None or self.goes_on:
            return True
        before, after = self.before.game, self.game.state
        if after.counters != before.state.counters or after.reveals != before.state.reveals:
            return False
        return not tells(self.game.program, before.state, after, self.taken[-1].raw, before.length)

    @property
    def open(self) -> Decision | None:
        """What is asked now, if more may follow; else None."""
        return self.decision if self.goes_on else None

    @property
    def last_wording(self) -> str:
        """What was taken last, in words."""
        before = self.before
        assert before is not None and before.decision is not None
        return before.menu.wording(before.decision, self.taken[-1])

    def closed(self) -> IllegalOption:
        """Why nothing may follow here."""
        if self.before is None:
            return IllegalOption(self.scene.words("the game is over: nothing is to be decided"))
        message = (
            "behind '{option}' comes what cannot be taken back: give the line up to there first"
        )
        return Halfway(self.scene.words(message, option=self.last_wording))

    def after(self, option: Option) -> Trial:
        """What comes of an option.  IllegalOption where a line says too much."""
        if len(self.taken) >= ANSWERS or next(self.tries) >= _TRIED:
            raise too_much(self.scene)
        decision = self.decision
        assert decision is not None
        piece, stood, worked = self.piece, self.stood, self.worked
        if option.kind == "piece" and not option.second_kind:
            piece = self.menu.piece_of(decision, option)
            stood = self.scene.hex_of(view(self.game.state, decision.side).data, *piece)
        if self.in_list:
            worked = NONE if option.passes else decision.point
        game = self.game.copy()
        menu = self.menu.for_copy(game)
        game.play(option)
        return Trial(game, menu, self.tries, self, (*self.taken, option), piece, stood, worked)

    def passed(self) -> Trial | None:
        """What comes of passing by what is asked; None where one cannot, where that cannot be taken
        back, or where somebody else decides then.
        """
        decision = self.open
        passing = None if decision is None else passing_option(decision)
        if decision is None or passing is None:
            return None
        after = self.after(passing)
        asked = after.decision
        return (
            after if asked is not None and asked.side == decision.side and after.goes_on else None
        )

    def passes(self) -> Iterator[Trial]:
        """What comes of passing by what is asked once, twice, and so on."""
        trial = self
        for _ in range(_PASSES):
            passed = trial.passed()
            if passed is None:
                return
            yield passed
            trial = passed

    def with_no_list(self) -> Trial:
        """The same; *done* has been said of the list that something was taken from."""
        return replace(self, worked=NONE)


class Halfway(IllegalOption):
    """A line cannot be taken on behind its first answers."""


class Unread(IllegalOption):
    """A line cannot be taken for what it says first: *text*."""

    def __init__(self, error: IllegalOption, text: str) -> None:
        super().__init__(str(error), error.matches, error.options)
        self.text = text


class Stuck(Halfway):
    """A line cannot be taken for what it says, mostly after its first answers.

    *game* and *menu* stand where it is stuck, *decision* is what is asked there, *text* what is no
    answer; *where* names the answer before it, or nothing; *acting* says whether *text* names a
    piece and what it cannot do.
    """

    def __init__(self, error: IllegalOption, trial: Trial, text: str, acting: bool = False) -> None:
        decision = trial.decision
        assert decision is not None
        self.where = (
            trial.scene.words("after '{option}'", option=trial.last_wording) if trial.taken else ""
        )
        message = (
            f"{self.where} ({trial.menu.prompt(decision)}): {error}" if self.where else str(error)
        )
        super().__init__(message, error.matches, error.options)
        self.game, self.menu, self.decision, self.text = trial.game, trial.menu, decision, text
        self.acting = acting


def refused(error: IllegalOption, trial: Trial, text: str) -> Unread | Stuck:
    """Why a text is no answer to what is asked."""
    return Stuck(error, trial, text) if trial.taken else Unread(error, text)


def too_much(scene: Scene) -> IllegalOption:
    """Why a line without end is not taken."""
    return IllegalOption(scene.words("this line says too much at once: give it in parts"))


def better_reason(one: IllegalOption | None, other: IllegalOption) -> IllegalOption:
    """Of two reasons the one that says more: what came further; what could be several, the fewer
    before the more; else the later.
    """
    if one is None:
        return other
    rank = [(isinstance(e, Halfway), bool(e.matches), -len(e.matches)) for e in (one, other)]
    return one if rank[0] > rank[1] else other
