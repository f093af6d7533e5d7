"""A match: the game of one side, as letters bring it forward.

What a side decides is in a letter before chance decides what comes of it: the seed is made of a
link that its own letter shows and of one that the other side's answer shows, and both were
committed to when the match began.
"""

from __future__ import annotations

from typing import Self

from grognard.files import short
from grognard.post.letters import Letter, LetterError, Sealed
from grognard.post.pledges import Chain, Signer, follows, joint_seed, signed
from grognard.scenario import Scenario
from runtime.chance import new_seed
from runtime.errors import ArgumentError, GrognardError
from runtime.games.game import Game
from runtime.games.sealing import conceals
from runtime.model import RulesetSpec
from runtime.option import Option
from runtime.state import RUNNING

_CHEAT = "ask the other side what has happened, and do not play on"
_RULES = "both sides need the same rules, scenario and version of Grognard"


class Bound(Exception):
    """A side has decided what it can decide: the letter is to be written."""


def check(spec: RulesetSpec) -> None:
    """ArgumentError where games of a ruleset cannot be played by post."""
    if len(spec.sides) != 2:
        why = f"it has {len(spec.sides)} sides, and letters go between two"
    elif conceals(spec):
        secrets = [d.prompt for d in spec.decisions if d.secret]
        what = f"choices ('{secrets[0]}')" if secrets else "cards or fields"
        why = f"it has secret {what}, which letters without a server cannot keep yet"
    else:
        return
    remedy = "`grognard serve` lets two people play it, each at his own browser"
    raise ArgumentError(f"'{spec.name}' cannot be played by post: {why}", remedy)


class PostedGame(Game):
    """A game that *side* plays until chance, or the other side, comes in: then :class:`Bound`."""

    side_here: int
    #: the decision that both sides' links decide
    pending: str = ""

    @classmethod
    def begun(cls, scenario: Scenario, seed: int, side: int) -> Self:
        """A game at its first decision."""
        game = cls(scenario.program, scenario.setup, seed, None, True, scenario.language, scenario)
        game.unrecorded = "its dice are decided by letters"
        game.side_here = side
        game.hide_chance()
        return game

    def hide_chance(self) -> None:
        """Let nothing that is tried out here tell what chance will bring."""
        self.seed = self.state.seed = new_seed()

    @property
    def own(self) -> bool:
        """Whether the side decides that plays here."""
        return self.state.over == RUNNING and self.state.chooser == self.side_here

    def chancy(self, option: Option) -> bool:
        """Whether chance has a part in what comes of an option."""
        tried = self.state.copy()
        self.program.answer(tried, option.raw)
        return tried.counters != self.state.counters

    def play(self, choice: Option | int | str) -> None:
        """See :meth:`Play.play`; Bound where the letter is to be written."""
        option = self.find(choice)
        if self.chancy(option):
            self.pending = option.text
            raise Bound
        super().play(option)
        if not self.own:
            raise Bound

    def replay(self, option: Option, seed: int | None = None) -> None:
        """Take what a letter says; with the *seed* where chance has a part in it."""
        if seed is not None:
            self.state.seed = seed
        try:
            super().play(option)
        finally:
            self.hide_chance()
        if seed is not None:
            self._before.clear()


class Match:
    """A match of one *side*, whose *secret* everything it does secretly comes from."""

    def __init__(self, scenario: Scenario, side: int, secret: bytes, identity: str) -> None:
        check(scenario.program.spec)
        self.scenario, self.side, self.identity = scenario, side, identity
        self.sides = scenario.program.spec.sides
        self._chain, self._signer = Chain(secret), Signer(secret)
        self.letters: list[Sealed] = []
        self.game: PostedGame | None = None
        #: how many entries the game had when this side's turn began
        self.start = 0
        #: the keys of both sides, and the last links that they have shown
        self._keys: dict[str, str] = {}
        self._links: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The side that plays here."""
        return self.sides[self.side]

    @property
    def other(self) -> str:
        """The other side."""
        return self.sides[1 - self.side]

    @property
    def last(self) -> Letter | None:
        """The last letter."""
        return self.letters[-1].letter if self.letters else None

    @property
    def over(self) -> bool:
        """Whether the game has ended, and both sides know it."""
        last = self.last
        return self.game is not None and self.game.over and last is not None and not last.pending

    @property
    def to_write(self) -> bool:
        """Whether the next letter is this side's."""
        return not self.over and (self.last is None or self.last.sender == self.other)

    # ------------------------------------------------------------------ letters

    def open(self) -> None:
        """Go on to where this side decides, or to where its letter is due: what was pending comes
        of the other side's link and of the next own one.
        """
        last = self.last
        if last is not None and last.number >= 2:
            self._resolve(last, self._chain.link((last.number + 1) // 2))
        self.start = self.game.length if self.game is not None else 0

    def compose(self) -> Sealed:
        """The next letter of this side, with all that it has decided."""
        number, game = len(self.letters) + 1, self.game
        spec, setup = self.scenario.program.spec, self.scenario.setup
        letter = Letter(
            game=self.identity,
            number=number,
            sender=self.name,
            before=self.letters[-1].digest if self.letters else "",
            rules=[spec.name, spec.hash] if number == 1 else [],
            scenario=[setup.hash, short(setup.title)] if number == 1 else [],
            key=self._signer.public if number <= 2 else "",
            anchor=self._chain.link(0) if number <= 2 else "",
            link=self._chain.link(number // 2) if number >= 2 else "",
            plays=[text for side, text in game.entries(self.start) if side in self.sides]
            if game is not None
            else [],
            stand=game.state.hash() if game is not None else "",
            pending=game.pending if game is not None else "",
        )
        body = letter.body()
        sealed = Sealed(letter, body, self._signer.sign(body))
        self._note(sealed)
        return sealed

    def taken(self, sealed: Sealed) -> bool:
        """Whether a letter is one of those that are here already.  LetterError where another of the
        same number is, or it belongs elsewhere.
        """
        letter = sealed.letter
        if letter.game != self.identity:
            raise LetterError("the letter belongs to another game", "give the folder of that one")
        if letter.number <= len(self.letters):
            if self.letters[letter.number - 1] == sealed:
                return True
            raise LetterError(
                f"another letter {letter.number} was taken before this one: a side is bound to "
                "what it has sent first",
                _CHEAT,
            )
        return False

    def take(self, sealed: Sealed) -> None:
        """Take the next letter of the other side, or again one of one's own.  LetterError says why
        it cannot be taken; the match then is not to be used any more.
        """
        letter, due = sealed.letter, len(self.letters) + 1
        if letter.number > due:
            raise LetterError(
                f"letter {due} is missing: this is letter {letter.number}",
                f"take letter {due} first; ask for it where it has not come",
            )
        before = self.letters[-1].digest if self.letters else ""
        wanted = self._writer(due, letter)
        if letter.before != before or letter.sender != wanted:
            raise LetterError("the letter answers another one than was sent", _CHEAT)
        if due <= 2:
            self._keys[letter.sender] = letter.key
            self._links[letter.sender] = letter.anchor
        if not signed(sealed.body, sealed.signature, self._keys[letter.sender]):
            raise LetterError("the letter was altered: its signature is wrong", _CHEAT)
        if due >= 2 and not follows(letter.link, self._links[letter.sender]):
            raise LetterError("the letter does not show the link that was promised", _CHEAT)
        if due >= 3:
            self._play(letter)
        elif letter.plays or letter.pending:
            raise LetterError("the letter decides something before the game begins", _CHEAT)
        self._note(sealed)

    def _writer(self, due: int, letter: Letter) -> str:
        """The side that writes the letter that is due."""
        if self.letters:
            first = self.letters[0].letter.sender
            sides = [first, *(side for side in self.sides if side != first)]
            return sides[(due - 1) % 2]
        return letter.sender if letter.sender in self.sides else ""

    def _note(self, sealed: Sealed) -> None:
        letter = sealed.letter
        self.letters.append(sealed)
        if letter.number <= 2:
            self._keys[letter.sender], self._links[letter.sender] = letter.key, letter.anchor
        if letter.link:
            self._links[letter.sender] = letter.link

    # ------------------------------------------------------------------ the game

    def _resolve(self, last: Letter, answer: str) -> None:
        """Let come what both sides' links decide; nothing where that has been done."""
        seed = joint_seed(self.identity, last.number, last.link, answer)
        if last.number == 2:
            if self.game is None:
                self.game = PostedGame.begun(self.scenario, seed, self.side)
        elif last.pending and self.game is not None and self.game.pending:
            text, self.game.pending = self.game.pending, ""
            self.game.replay(self._option(text, last.sender), seed)

    def _option(self, text: str, sender: str) -> Option:
        """The option that a letter names.  LetterError where it is none."""
        assert self.game is not None
        decision = self.game.decision
        if decision is not None and decision.name == sender:
            for option in decision.options:
                if option.text == text:
                    return option
        raise LetterError(f"'{short(text, 40)}' cannot be chosen in the letter's place", _CHEAT)

    def _play(self, letter: Letter) -> None:
        """What a letter decides, and what comes of it."""
        last = self.last
        assert last is not None
        try:
            self._resolve(last, letter.link)
            game = self.game
            assert game is not None
            for text in letter.plays:
                option = self._option(text, letter.sender)
                if game.chancy(option):
                    raise LetterError("the letter leaves out what both sides decide", _CHEAT)
                game.replay(option)
            if letter.stand != game.state.hash():
                raise LetterError("the two sides' games have parted", _RULES)
            if letter.pending:
                if not game.chancy(self._option(letter.pending, letter.sender)):
                    raise LetterError("the letter leaves to chance what needs none", _CHEAT)
                game.pending = letter.pending
            elif not game.over and game.side == letter.sender:
                raise LetterError("the letter does not decide what it should", _CHEAT)
        except LetterError:
            raise
        except GrognardError as error:
            raise LetterError(f"the letter cannot be played: {error.message}", _RULES) from None
