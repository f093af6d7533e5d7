"""A match: the game of one side, as letters bring it forward.

A side decides alone as long as it could take back what it decides.  The decision with which that
ends goes to the other side before anything comes of it: the seed of what comes is made of a link
that its own letter shows and of one that the answer shows, and both were committed to when the
match began.
"""

from __future__ import annotations

from grognard.files import short
from grognard.post.ciphers import Agreement, Cipher
from grognard.post.letters import SAME, Content, Head, LetterError, Sealed, malformed
from grognard.post.pledges import Chain, Signer, is_next_link, is_signed, joint_seed
from grognard.scenario import Scenario
from runtime.chance import new_seed
from runtime.errors import ArgumentError, GrognardError
from runtime.games.game import Game
from runtime.model import RulesetSpec
from runtime.option import Option
from runtime.words.said import said

_CHEAT = said("ask the other side what has happened, and do not play on")


class TurnEnded(Exception):
    """A side has decided what it can decide: the letter is to be written."""


def check(spec: RulesetSpec) -> None:
    """ArgumentError where games of a ruleset cannot be played by post."""
    if len(spec.sides) != 2:
        raise ArgumentError(
            f"'{spec.name}' cannot be played by post: it has {len(spec.sides)} sides, and letters "
            "go between two",
            "`grognard serve` lets several people play it, each at his own browser",
        )


def is_binding(game: Game, option: Option) -> bool:
    """Whether an option cannot be taken back: chance has a part in it, it shows something, its side
    learns from it what the other holds, or does not decide after it.

    All who look at a position as the side that decides does find the same, whatever the other side
    holds (as far as :mod:`runtime.games.undo` finds it), and so do both sides' programs.
    """
    tried = game.copy()
    tried.play(option)
    return not tried.can_undo


class Match:
    """A match of one *side*, whose *secret* everything it does secretly comes from."""

    def __init__(self, scenario: Scenario, side: int, secret: bytes, identity: str) -> None:
        check(scenario.program.spec)
        self.scenario, self.side, self.identity = scenario, side, identity
        self.sides = scenario.program.spec.sides
        self._chain, self._signer, self._agreement = (
            Chain(secret),
            Signer(secret),
            Agreement(secret),
        )
        self.letters: list[Sealed] = []
        #: what the letters say
        self.contents: list[Content] = []
        self.game: Game | None = None
        #: the decision that ends a side's turn, of which nothing has come yet
        self.pending = ""
        #: how many entries the game had when this side's turn began
        self.start = 0
        #: how many notes there were when this side wrote last
        self.told = 0
        #: the keys of both sides, and the last links that they have shown
        self._keys: dict[str, str] = {}
        self._links: dict[str, str] = {}
        self._ciphers: dict[str, Cipher] = {}

    @property
    def name(self) -> str:
        """The side that plays here."""
        return self.sides[self.side]

    @property
    def other(self) -> str:
        """The other side."""
        return self.sides[1 - self.side]

    @property
    def own(self) -> bool:
        """Whether the side decides that plays here."""
        return self.game is not None and not self.pending and self.game.side == self.name

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, and both sides know it."""
        return self.game is not None and self.game.over and not self.contents[-1].pending

    @property
    def to_write(self) -> bool:
        """Whether the next letter is this side's."""
        return not self.is_over and (not self.letters or self.letters[-1].head.sender == self.other)

    # ------------------------------------------------------------------ letters

    def open(self) -> None:
        """Go on to where this side decides, or to where its letter is due: what was pending comes
        of the other side's link and of the next own one.
        """
        if len(self.letters) >= 2:
            self._resolve(self._chain.link((len(self.letters) + 1) // 2))
        self.start = self.game.length if self.game is not None else 0

    def decides(self, option: Option) -> None:
        """This side is about to take an option.  Bound where that ends its letter: then it is not
        taken yet.
        """
        assert self.game is not None
        if is_binding(self.game, option):
            self.pending = option.text
            raise TurnEnded

    @property
    def decided(self) -> list[str]:
        """What this side has decided since its turn began."""
        if self.game is None:
            return []
        return [text for side, text in self.game.entries(self.start) if side in self.sides]

    def compose(self) -> Sealed:
        """The next letter of this side, with all that it has decided."""
        number, game = len(self.letters) + 1, self.game
        spec, setup = self.scenario.program.spec, self.scenario.setup
        head = Head(
            game=self.identity,
            number=number,
            sender=self.name,
            before=self.letters[-1].digest if self.letters else "",
            rules=[spec.name, spec.hash] if number == 1 else [],
            scenario=[setup.hash, short(setup.title)] if number == 1 else [],
            key=self._signer.public if number <= 2 else "",
            exchange=self._agreement.public if number <= 2 else "",
            anchor=self._chain.link(0) if number <= 2 else "",
        )
        content, encrypted = Content(), b""
        if number >= 2:
            content = Content(
                link=self._chain.link(number // 2),
                plays=self.decided,
                stand=game.state.hash() if game is not None else "",
                pending=self.pending,
            )
            encrypted = self._ciphers[self.name].seal(content.encoded(), head.encoded())
        self._note_keys(head)
        unsigned = Sealed(head, encrypted, b"")
        sealed = Sealed(head, encrypted, self._signer.sign(unsigned.body))
        self._note(sealed, content)
        return sealed

    def has_letter(self, sealed: Sealed) -> bool:
        """Whether a letter is one of those that are here already.  LetterError where another of the
        same number is, or it belongs elsewhere.
        """
        head = sealed.head
        if head.game != self.identity:
            raise LetterError(
                said("the letter belongs to another game"), said("give the folder of that one")
            )
        if head.number > len(self.letters):
            return False
        if self.letters[head.number - 1] == sealed:
            return True
        raise LetterError(
            said(
                "this is another letter {number} than the one that is here: a side is bound to "
                "what it has sent first",
                number=head.number,
            ),
            _CHEAT,
        )

    def take(self, sealed: Sealed) -> None:
        """Take the next letter of the other side, or again one of one's own.  LetterError says why
        it cannot be taken; the match then is not to be used any more.
        """
        head, due = sealed.head, len(self.letters) + 1
        if head.number > due:
            raise LetterError(
                said(
                    "letter {due} is missing: this is letter {number}", due=due, number=head.number
                ),
                said("take letter {due} first; ask for it where it has not come", due=due),
            )
        before = self.letters[-1].digest if self.letters else ""
        if head.before != before or head.sender != self._writer(due, head):
            raise LetterError(said("the letter answers another one than was sent"), _CHEAT)
        key = self._keys.get(head.sender, head.key)
        if not is_signed(sealed.body, sealed.signature, key):
            raise LetterError(said("the letter was altered: its signature is wrong"), _CHEAT)
        self._note_keys(head)
        content = self._content(sealed)
        if due >= 2 and not is_next_link(content.link, self._links[head.sender]):
            raise LetterError(said("the letter does not show the link that was promised"), _CHEAT)
        if due >= 3:
            self._play(head.sender, content)
        elif content.plays or content.pending:
            raise LetterError(said("the letter decides something before the game begins"), _CHEAT)
        self._note(sealed, content)

    def _writer(self, due: int, head: Head) -> str:
        """The side that writes the letter that is due."""
        if self.letters:
            first = self.letters[0].head.sender
            sides = [first, *(side for side in self.sides if side != first)]
            return sides[(due - 1) % 2]
        return head.sender if head.sender in self.sides else ""

    def _note_keys(self, head: Head) -> None:
        """Note the keys and the anchor that the first letter of a side brings."""
        if head.number > 2:
            return
        self._keys[head.sender], self._links[head.sender] = head.key, head.anchor
        if head.sender == self.other:
            try:
                made = self._agreement.ciphers(head.exchange, self.identity, self.sides)
            except ValueError:
                raise malformed() from None
            self._ciphers = made

    def _content(self, sealed: Sealed) -> Content:
        """What a letter says.  LetterError where it cannot be read."""
        head = sealed.head
        if head.number == 1:
            if sealed.encrypted:
                raise malformed()
            return Content()
        try:
            data = self._ciphers[head.sender].open(sealed.encrypted, head.encoded())
        except ValueError:
            raise LetterError(
                said("the letter cannot be opened: it was encrypted with another key"), _CHEAT
            ) from None
        return Content.read(data)

    def _note(self, sealed: Sealed, content: Content) -> None:
        """A letter is written, or taken."""
        head = sealed.head
        self.letters.append(sealed)
        self.contents.append(content)
        if content.link:
            self._links[head.sender] = content.link
        if head.sender == self.name and self.game is not None:
            self.told = self.game.notes

    # ------------------------------------------------------------------ the game

    def _resolve(self, answer: str) -> None:
        """Let come what the last letter's link and that of its answer decide; nothing where that
        has been done, or nothing is pending.
        """
        number, link = len(self.letters), self.contents[-1].link
        seed = joint_seed(self.identity, number, link, answer)
        if number == 2 and self.game is None:
            self.game = self.scenario.begin(seed)
            self.game.unrecorded = "its dice are decided by letters"
        elif self.pending and self.game is not None:
            option = self._option(self.pending, self.letters[-1].head.sender)
            self.game.state.seed = seed
            self.game.play(option)
            self.game = self.game.copy()  # which takes nothing of it back
            self.pending = ""
        if self.game is not None:  # nothing that is tried out tells what chance will bring
            self.game.seed = self.game.state.seed = new_seed()

    def _option(self, text: str, sender: str) -> Option:
        """The option that a letter names.  LetterError where it is none."""
        assert self.game is not None
        decision = self.game.decision
        if decision is not None and decision.name == sender:
            for option in decision.options:
                if option.text == text:
                    return option
        raise LetterError(said("the letter chooses what cannot be chosen in its place"), _CHEAT)

    def _play(self, sender: str, content: Content) -> None:
        """What a letter decides, and what comes of it."""
        try:
            self._resolve(content.link)
            game = self.game
            assert game is not None
            for text in content.plays:
                option = self._option(text, sender)
                if sender == self.other and is_binding(game, option):
                    raise LetterError(
                        said("the letter goes on behind what cannot be taken back"), _CHEAT
                    )
                game.play(option)
            if content.stand != game.state.hash():
                raise LetterError(said("the two sides' games have parted"), SAME)
            if content.pending:
                option = self._option(content.pending, sender)
                if sender == self.other and not is_binding(game, option):
                    raise LetterError(said("the letter ends before it should"), _CHEAT)
            elif game.side == sender:
                raise LetterError(said("the letter ends before it should"), _CHEAT)
            self.pending = content.pending
        except LetterError:
            raise
        except GrognardError:
            raise LetterError(said("the rules fail in what the letter decides"), SAME) from None
