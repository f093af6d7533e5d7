"""Several answers in one line: ``S.HI2 D6``, ``9th 1106 1107, 4th 1207, done``, ``all``.

A line is tried on a copy of the game and taken as a whole, or not at all.  Only its last answer may do what
cannot be taken back: roll dice, show something, let another side decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grognard.draw.scene import Scene
from grognard.files import short
from grognard.menu import Menu, pass_of
from grognard.typed import plain_number
from runtime.game import ChoiceError, Decision, Game, Option
from runtime.model import NONE
from runtime.spelling import plain
from runtime.state import StateBase
from runtime.undo import tells
from runtime.view import view

#: Words that one option may take, answers that a line may give, and how many may be tried.
_STEPS = 6
_WORDS, _ANSWERS, _TRIED = 6, 60, 400
#: How many lists or questions an order may end before it.
_LISTS = 3
#: How many options of one piece a text may mean, to see which of them the rest of the line fits.
_ALIKE = 4
ALL, DONE = "all", "done"
#: The kinds of values that a hex may name.
_PLACED = {"hex", "piece"}


@dataclass
class _Trial:
    """What has been taken so far on a copy of the game; *here* is where the piece stands that was chosen
    last.
    """

    game: Game
    menu: Menu
    taken: tuple[Option, ...] = ()
    here: int = NONE
    #: whether what was taken can be taken back; None where the game knows
    free: bool | None = True
    #: the last menu that something was taken from, unless that was to pass
    point: int = NONE
    #: the position before what was taken last, that option, and which action of the game it was
    last: tuple[StateBase, int, int] | None = None
    #: what was taken last, in words
    told: str = ""
    #: the piece that was chosen last, by kind and number
    piece: tuple[str, int] | None = None

    @property
    def decision(self) -> Decision | None:
        """What is asked now."""
        return self.game.decision

    def copy(self) -> _Trial:
        """The same, to go on from in another way."""
        game = self.game.copy()
        menu = self.menu.over(game)
        free = self.goes_on()
        return _Trial(game, menu, self.taken, self.here, free, self.point, self.last, self.told, self.piece)

    def goes_on(self) -> bool:
        """Whether what was taken can be taken back, so that more may follow."""
        if self.free is None:
            self.free = self.game.can_undo
        return self.free

    def foreseen(self) -> bool:
        """Whether it followed from what the side saw before who decides now.

        What dice, or the hands of others, have made of it must not be told by a line that is not taken.
        """
        if self.last is None or self.goes_on():
            return True
        before, option, number = self.last
        after = self.game.state
        if after.counters != before.counters or after.reveals != before.reveals:
            return False
        return not tells(self.game.program, before, after, option, number)

    def behind(self) -> Halfway:
        """Why nothing may follow what was taken."""
        message = "behind '{option}' comes what cannot be taken back: give the line up to there first"
        return Halfway(self.menu.scene.words(message, option=self.told))


class Halfway(ChoiceError):
    """A line cannot be taken on behind its first answers."""


class Unread(ChoiceError):
    """A line cannot be taken for what it says first: *text*."""

    def __init__(self, error: ChoiceError, text: str) -> None:
        super().__init__(str(error), error.matches, error.offered)
        self.text = text


class Stuck(Halfway):
    """A line cannot be taken for what it says, mostly after its first answers.

    *game* and *menu* stand where it is stuck, *decision* is what is asked there, *text* what is no answer;
    *where* names the answer before it, or nothing; *acting* says whether *text* names a piece and what it
    cannot do.
    """

    def __init__(self, error: ChoiceError, trial: _Trial, text: str, acting: bool = False) -> None:
        decision = trial.decision
        assert decision is not None
        self.where = trial.menu.scene.words("after '{option}'", option=trial.told) if trial.taken else ""
        message = f"{self.where} ({trial.menu.prompt(decision)}): {error}" if self.where else str(error)
        super().__init__(message, error.matches, error.offered)
        self.game, self.menu, self.decision, self.text = trial.game, trial.menu, decision, text
        self.acting = acting


class Lines:
    """Reads lines of several answers for one game at a time."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._tried = 0
        #: whether what is read is the last part of a line
        self._last = False

    def read(self, menu: Menu, line: str) -> tuple[Option, ...]:
        """The options of a menu's game that a line takes one after another; numbers are those of the menu.
        ChoiceError when it cannot be taken whole.
        """
        self._tried = 0
        copy = menu.game.copy()
        trial = _Trial(copy, menu.over(copy))
        if len(line.split()) > _WORDS * _ANSWERS:
            raise self._too_much()
        parts = [words for part in re.split(r"[,;]", line) if (words := part.split())]
        begun = NONE
        for number, words in enumerate(parts, 1):
            self._last = number == len(parts)
            if self.scene.words.understood(words[-1].removesuffix("!")) == DONE:
                words[-1] = words[-1].removesuffix("!")  # within a line nobody asks again
            every = self.scene.words.understood(words[0]) == ALL
            before = trial.decision
            if every:
                trial = self._all(trial, " ".join(words[1:]))
            else:
                alone = len(words) == 1 and self.scene.words.understood(words[0]) == DONE
                trial = self._order(self._back(trial, begun) if alone else trial, words)
            begun = before.point if before is not None else NONE
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

    def _too_much(self) -> ChoiceError:
        return ChoiceError(self.scene.words("this line says too much at once: give it in parts"))

    # ------------------------------------------------------------------ one order

    def _order(self, trial: _Trial, words: list[str]) -> _Trial:
        """Take a part of a line; where what the part before it began goes on, it may end that first; where it
        says what the next list offers, it ends what is asked, if that can be taken back.
        """
        try:
            return self._part(trial, words)
        except ChoiceError as error:
            trouble = error
        before: _Trial | None = trial
        for _ in range(_LISTS):
            listed = before is not None and (self._lists(before) or not trial.taken)
            before = self._ended(before) if before is not None else None
            if before is None:
                break
            try:
                after = self._part(before.copy(), words)
            except ChoiceError as error:
                trouble = error if _impossible(error) and not _impossible(trouble) else trouble
                continue
            if not listed or after.goes_on():
                return after
        raise trouble

    def _lists(self, trial: _Trial) -> bool:
        """Whether a list is asked that one works through, and not what follows from something taken."""
        return trial.decision is not None and self.scene.spec.decisions[trial.decision.point].menu

    def _ended(self, trial: _Trial) -> _Trial | None:
        """A copy that has passed in a list, or in a question which follows from what was taken; None where it
        is none, does not let one pass, or somebody else decides then.
        """
        decision = trial.decision
        if decision is None or not trial.goes_on():
            return None
        passing = pass_of(decision)
        if passing is None:
            return None
        after = trial.copy()
        self._take(after, passing)
        then = after.decision
        return after if then is not None and then.side == decision.side and after.goes_on() else None

    def _back(self, trial: _Trial, begun: int) -> _Trial:
        """Where the order that was given last goes on: a copy that has ended it, if the list at the point
        *begun*, from which it was given, is asked again.
        """
        if begun == NONE or trial.decision is None or trial.decision.point == begun:
            return trial
        ended = self._ended(trial)
        again = ended is not None and ended.decision is not None and ended.decision.point == begun
        return ended if ended is not None and again else trial

    def _part(self, trial: _Trial, words: list[str]) -> _Trial:
        """Take all *words*, which say one thing."""
        if not words:
            return trial
        trial = self._through(trial, " ".join(words))
        if self._closed(trial, " ".join(words)):
            return trial
        on_the_way = self._waypoints(trial, words)
        if on_the_way:
            try:
                return self._part(trial, words[on_the_way:])
            except ChoiceError:
                pass  # they are several answers then
        either = self._either(trial, words)
        if either:
            return self._fitting(trial, words, either)
        trouble: ChoiceError | None = None
        for count in range(min(_WORDS, len(words)), 0, -1):
            try:
                after = self._answered(trial, " ".join(words[:count]))
            except ChoiceError as error:
                if 1 < len(error.matches) <= _ALIKE and count < len(words) and self._alike(trial, error):
                    # the first of them is the one that a refusal speaks of
                    return self._fitting(trial, words, error.matches[::-1], count)
                trouble = _better(trouble, error)
                continue
            try:
                return self._part(after, words[count:])
            except ChoiceError as error:
                trouble = _better(trouble, error)
        if (len(words) > 1 and self._stood(trial, words[0])) or self._went(trial, words[0]):
            return self._part(trial, words[1:])
        assert trouble is not None
        raise self._impossible(trial, words) or trouble

    def _impossible(self, trial: _Trial, words: list[str]) -> Stuck | None:
        """Where the first words name one piece, and the next nothing that it can do, that this is not
        offered; else None.
        """
        decision = trial.decision
        if decision is None or not trial.goes_on():
            return None
        for count in range(min(_WORDS, len(words) - 1), 0, -1):
            try:
                trial.menu.resolve(decision, " ".join(words[:count]))
                return None
            except ChoiceError as error:
                matches = error.matches
            acting = {(option.kind, trial.menu.kind_of(decision, option), option.index) for option in matches}
            if len(acting) != 1 or not all(o.second_kind and o.kind == "piece" for o in matches):
                continue
            if self.scene.hex_named(words[count]) >= 0 and not {o.second_kind for o in matches} & _PLACED:
                return None  # nothing is done here with hexes
            text = " ".join(words[: count + 1])
            told = self.scene.words("'{text}' is not among the options", text=short(text, 40))
            return Stuck(ChoiceError(told, (), decision.options), trial, text, acting=True)
        return None

    def _either(self, trial: _Trial, words: list[str]) -> tuple[Option, ...]:
        """The option of a number with more behind it, and that of another piece with this number on its
        counter; nothing where it can mean but one.
        """
        decision = trial.decision
        if len(words) < 2 or plain_number(words[0]) is None or decision is None or not trial.goes_on():
            return ()
        try:
            numbered = trial.menu.resolve(decision, words[0])
            inscribed = trial.menu.inscribed(decision, words[0])
        except ChoiceError:
            return ()
        return () if inscribed in (None, numbered) else (numbered, inscribed)

    def _alike(self, trial: _Trial, error: ChoiceError) -> bool:
        """Whether all that a text could mean is of one piece: to move it, or to let it go by train."""
        pieces = {(option.kind, option.index) for option in error.matches}
        return trial.goes_on() and len(pieces) == 1 and error.matches[0].kind == "piece"

    def _fitting(self, trial: _Trial, words: list[str], either: Sequence[Option], count: int = 1) -> _Trial:
        """What is taken when the first *count* words mean that of several options with which the others make
        sense.  ChoiceError where they do with more than one, or with none.
        """
        fitting: list[_Trial] = []
        trouble: ChoiceError | None = None
        for option in either:
            after = trial.copy()
            self._take(after, option)
            try:
                fitting.append(self._part(after, words[count:]))
            except ChoiceError as error:
                trouble = _better(trouble, error)
        if len(fitting) == 1:
            return fitting[0]
        if trouble is not None and not fitting:
            raise trouble
        decision = trial.decision
        assert decision is not None
        told = [trial.menu.wording(decision, option) for option in either]
        text = " ".join(words[:count])
        if count == 1 and plain_number(text) is not None:
            message = "'{text}' could mean: {numbered} (its number here), {inscribed} (its counter)"
            why = self.scene.words(message, text=text, numbered=told[0], inscribed=told[1])
        else:
            why = self.scene.words("'{text}' could mean: {names}", text=text, names=", ".join(told))
        raise ChoiceError(why, tuple(either), decision.options)

    def _answered(self, trial: _Trial, text: str) -> _Trial:
        """A copy that has taken what a text means; a hex that is reached by several steps, each asked for by
        the same question, may be named at once.
        """
        after = trial.copy()
        try:
            self._take(after, self._one(after, text))
            return after
        except ChoiceError as error:
            way = None if error.matches else self._along(trial, self.scene.hex_named(text))
            if way is None:
                raise
            return way

    def _along(self, trial: _Trial, h: int) -> _Trial | None:
        """A copy that has taken the steps of the shortest way to a hex; None where the question asks for no
        steps, or none leads there.  ChoiceError where it matters which way is taken.
        """
        decision = trial.decision
        if h < 0 or decision is None or not trial.goes_on() or self.scene.spec.decisions[decision.point].menu:
            return None
        reached, passed = [trial], {option.index for option in decision.options if option.kind == "hex"}
        for _ in range(_STEPS):
            ahead = [after for before in reached for after in self._steps(before, decision)]
            ends = [(after, o) for after in ahead for o in _hexes(after.decision) if o.index == h]
            for after, option in ends:
                self._take(after, option)
            if ends:
                if len({after.game.state.hash() for after, _ in ends}) > 1:
                    name = self.scene.spec.board.label(h)
                    raise ChoiceError(
                        self.scene.words("several ways lead to {hex}: name a hex on the way", hex=name)
                    )
                return ends[0][0]
            places = {o.index for after in ahead for o in _hexes(after.decision)}
            if places <= passed:
                return None
            reached, passed = ahead, passed | places
        return None

    def _steps(self, trial: _Trial, asked: Decision) -> Iterator[_Trial]:
        """Copies that have taken one of the hexes on offer, where the same question comes again."""
        for option in _hexes(trial.decision):
            after = trial.copy()
            self._take(after, option)
            again = after.decision
            if (
                again is not None
                and (again.point, again.side) == (asked.point, asked.side)
                and after.goes_on()
            ):
                yield after

    def _one(self, trial: _Trial, text: str) -> Option:
        """The option that a text means now."""
        decision = trial.decision
        if decision is None or not trial.goes_on():
            raise trial.behind()
        like = trial.taken[-1].word if trial.taken else ""  # a list goes on with what it began with
        try:
            return trial.menu.resolve(decision, text, like)
        except ChoiceError as error:
            if not trial.taken:
                raise Unread(error, text) from None
            raise Stuck(error, trial, text) from None

    def _take(self, trial: _Trial, option: Option) -> None:
        """Take an option on the copy."""
        self._tried += 1
        if len(trial.taken) >= _ANSWERS or self._tried > _TRIED:
            raise self._too_much()
        decision = trial.decision
        assert decision is not None
        if option.kind == "piece" and not option.second_kind:
            seen = view(trial.game.state, decision.side)
            piece = trial.menu.piece(trial.menu.kind_of(decision, option), option.index)
            trial.here, trial.piece = self.scene.hex_of(seen.data, *piece), piece
        if self.scene.spec.decisions[decision.point].menu:
            trial.point = NONE if option.passes else decision.point
        trial.last = (trial.game.state.copy(), option.value, trial.game.length)
        trial.told = trial.menu.wording(decision, option)
        trial.game.play(option)
        trial.free = None
        trial.taken = (*trial.taken, option)

    def _ends(self, trial: _Trial, text: str) -> bool:
        """Whether a text says that the menu is done that something was taken from last."""
        spec = self.scene.spec.decisions[trial.point] if trial.point >= 0 else None
        if spec is None or spec.passing is None:
            return False
        words = {
            spec.passing,
            spec.passing.replace("_", " "),
            trial.game.wording.text(f"pass.{spec.passing}"),
        }
        done = self.scene.words.understood(text) == DONE  # whatever it is called here
        return done or plain(text) in {plain(word) for word in words}

    def _through(self, trial: _Trial, text: str) -> _Trial:
        """A copy that has passed in what follows from something taken of a menu, if the menu is asked again
        behind it and *text* says that this is done; else the same.
        """
        before: _Trial | None = trial
        if self._ends(trial, text):
            for _ in range(_LISTS):
                if before is None or before.decision is None or self._lists(before):
                    break
                before = self._ended(before)
            if before is not None and before.decision is not None and before.decision.point == trial.point:
                return before
        return trial

    def _closed(self, trial: _Trial, text: str) -> bool:
        """Whether a text passes in a menu that has come to its end by itself.

        At the end of a line it is left out also where nobody can know yet whether the menu is asked again: a
        refusal would tell it.
        """
        if not self._ends(trial, text):
            return False
        decision = trial.decision
        if decision is None or not trial.goes_on():  # what others are asked must not matter
            return self._last or trial.foreseen()
        if decision.point == trial.point:
            return False
        trial.point = NONE  # said once, it is of the list that has ended, and not of the next
        return True

    def _stood(self, trial: _Trial, word: str) -> bool:
        """Whether a word names the hex where the piece stood that was chosen last."""
        return trial.here >= 0 and self.scene.hex_named(word) == trial.here

    def _went(self, trial: _Trial, word: str) -> bool:
        """Whether a word names the hex where the piece that was chosen last has gone unasked."""
        named, decision = self.scene.hex_named(word), trial.decision
        if trial.piece is None or decision is None or named < 0 or trial.here in (NONE, named):
            return False
        return self.scene.hex_of(view(trial.game.state, decision.side).data, *trial.piece) == named

    def _waypoints(self, trial: _Trial, words: list[str]) -> int:
        """How many first words are hexes of a way, from the piece chosen last to the hex of the last word."""
        hexes = [self.scene.hex_named(word) for word in words]
        if len(hexes) < 2 or NONE in hexes or trial.here < 0:
            return 0
        way = hexes if hexes[0] == trial.here else [trial.here, *hexes]
        neighbors = self.scene.spec.board.neighbors
        steps = pairwise(way)
        return len(hexes) - 1 if all(b in neighbors[a] for a, b in steps) else 0

    # ------------------------------------------------------------------ all

    def _of_one_word(self, menu: Menu, decision: Decision, of: str) -> list[Option]:
        """The options of the only word there is, or of the one that *of* names or begins."""
        wanted = [option for option in decision.options if not option.passes]
        words = list(dict.fromkeys(option.word for option in wanted))
        heads = {word: (plain(word.replace("_", " ")), plain(menu.head(word).rstrip("… "))) for word in words}
        named = [word for word in words if of in heads[word]]
        fitting = named or [word for word in words if any(head.startswith(of) for head in heads[word])]
        if len(fitting) == 1:
            return [option for option in wanted if option.word == fitting[0]]
        names = ", ".join(menu.head(word) for word in fitting or words)
        told = self.scene.words("all of what? There is: {names}", names=names)
        raise ChoiceError(told, (), decision.options)

    def _all(self, trial: _Trial, of: str) -> _Trial:
        """Take all options there are, of one word: the only one, or what *of* begins."""
        if not trial.goes_on():
            raise trial.behind()
        decision = trial.decision
        if decision is None:
            raise ChoiceError(self.scene.words("the game is over: nothing is to be decided"))
        wanted = self._of_one_word(trial.menu, decision, plain(of))
        if len(wanted) == 1 and not self.scene.spec.decisions[decision.point].menu:
            raise ChoiceError(
                self.scene.words("'all' is for lists: here one is chosen"), (), decision.options
            )
        for option in wanted:
            if not trial.goes_on():
                raise trial.behind()
            now = trial.decision
            # the first of several may be asked for by a question of its own
            if now is None or now.side != decision.side or option.text not in {o.text for o in now.options}:
                message = "not all can be taken: '{option}' is not possible after the others"
                told = self.scene.words(message, option=trial.menu.wording(decision, option))
                raise ChoiceError(told, (), decision.options)
            self._take(trial, self._one(trial, option.text))
        return trial


def _hexes(decision: Decision | None) -> list[Option]:
    """The options of a question that are hexes."""
    return [] if decision is None else [o for o in decision.options if o.kind == "hex" and not o.second_kind]


def _impossible(error: ChoiceError) -> bool:
    """Whether it is said of a piece what it cannot do."""
    return isinstance(error, Stuck) and error.acting


def _better(one: ChoiceError | None, other: ChoiceError) -> ChoiceError:
    """Of two reasons the one that says more: what came further; what could be several, the fewer before the
    more; else the later.
    """
    if one is None:
        return other
    rank = [(isinstance(e, Halfway), bool(e.matches), -len(e.matches)) for e in (one, other)]
    return one if rank[0] > rank[1] else other
