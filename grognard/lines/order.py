"""One part of a line: words that mean options one after another."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.files import short
from grognard.lines.trial import Stuck, Trial, better, refused
from grognard.lines.ways import along, on_the_way, stood, went
from grognard.typed import plain_number
from runtime.game import ChoiceError, Option
from runtime.spelling import plain

ALL, DONE = "all", "done"
#: How many words one option may take.
WORDS = 6
#: How many options of one piece a text may mean, to see which of them the rest of the line fits.
_ALIKE = 4
#: The kinds of values that a hex may name.
_PLACED = {"hex", "piece"}


class Order:
    """Reads the words of one part, from the left; of several beginnings the longest of which the rest makes
    sense.
    """

    def __init__(self, words: Sequence[str], last: bool) -> None:
        self.words = words
        #: whether it is the last part of its line
        self.last = last

    def read(self, trial: Trial) -> Trial:
        """What comes of it.  ChoiceError when it cannot be taken whole.

        Where what the part before it began goes on, it may end that first; where it says what the next list
        offers, it ends what is asked, if that can be taken back.  Words that only connect are left out where
        it cannot be taken with them.
        """
        plainly = trial.menu.short.spare(self.words)
        try:
            return self._all(trial, self.words)
        except ChoiceError:
            if len(plainly) == len(self.words):
                raise
        return self._all(trial, plainly)

    def _all(self, trial: Trial, words: Sequence[str]) -> Trial:
        """What comes of all *words*.  ChoiceError."""
        try:
            return self._rest(trial, words)
        except ChoiceError as error:
            trouble = error
        before = trial
        for passed in trial.passes():
            of_list = before.in_list or not before.taken
            before = passed
            try:
                after = self._rest(passed, words)
            except ChoiceError as error:
                if _is_unable(error) and not _is_unable(trouble):
                    trouble = error
                continue
            if after.goes_on or not of_list:
                return after
        raise trouble

    def _rest(self, trial: Trial, words: Sequence[str]) -> Trial:
        """What comes of *words*, the last of the part."""
        if not words:
            return trial
        if _says_done(trial, " ".join(words)):
            trial = _back_at_list(trial)
            ended = self._ended(trial)
            if ended is not None:
                return ended
        passed_by = on_the_way(trial, words)
        if passed_by:
            try:
                return self._rest(trial, words[passed_by:])
            except ChoiceError:
                pass  # they are several answers then
        either = _number_or_counter(trial, words)
        if either is not None:
            return self._fitting(trial, either.matches, words[1:], either)
        return self._options(trial, words)

    def _options(self, trial: Trial, words: Sequence[str]) -> Trial:
        """What comes of words of which the first mean an option, or where the piece chosen last is."""
        trouble: ChoiceError | None = None
        for count in range(min(WORDS, len(words)), 0, -1):
            text, rest = " ".join(words[:count]), words[count:]
            try:
                after = answered(trial, text)
            except ChoiceError as error:
                if rest and 1 < len(error.matches) <= _ALIKE and _of_one_piece(trial, error.matches):
                    # the first of them is the one that a refusal speaks of
                    return self._fitting(trial, error.matches[::-1], rest, error)
                trouble = better(trouble, error)
                continue
            try:
                return self._rest(after, rest)
            except ChoiceError as error:
                trouble = better(trouble, error)
        if (len(words) > 1 and stood(trial, words[0])) or went(trial, words[0]):
            return self._rest(trial, words[1:])
        assert trouble is not None
        raise _unable(trial, words) or trouble

    def _fitting(
        self, trial: Trial, options: Sequence[Option], rest: Sequence[str], unclear: ChoiceError
    ) -> Trial:
        """What comes of that of several options with which the *rest* makes sense.  ChoiceError where it does
        with none; *unclear* where it does with more than one.
        """
        fitting: list[Trial] = []
        trouble: ChoiceError | None = None
        for option in options:
            try:
                fitting.append(self._rest(trial.after(option), rest))
            except ChoiceError as error:
                trouble = better(trouble, error)
        if len(fitting) == 1:
            return fitting[0]
        raise unclear if fitting or trouble is None else trouble

    def _ended(self, trial: Trial) -> Trial | None:
        """What comes of *done* where the list that is meant has come to its end by itself; None where it has
        not.

        At the end of a line it is left out also where nobody can know yet whether the list is asked again: a
        refusal would tell it.
        """
        if trial.open is None:  # what others are asked must not matter
            return trial if self.last or trial.foreseen else None
        return None if trial.at(trial.worked) else trial.with_no_list()


# ---------------------------------------------------------------------- done


def _says_done(trial: Trial, text: str) -> bool:
    """Whether a text says that the list is done that something was taken from last."""
    spec = trial.game.spec.decisions[trial.worked] if trial.worked >= 0 else None
    if spec is None or spec.passing is None:
        return False
    names = (
        spec.passing,
        spec.passing.replace("_", " "),
        trial.game.wording.text(f"pass.{spec.passing}"),
    )
    # whatever it is called here
    return trial.scene.words.understood(text) == DONE or plain(text) in map(plain, names)


def _back_at_list(trial: Trial) -> Trial:
    """Where the list is asked again that something was taken from last, if passing by what follows from that
    leads there; else as it is.
    """
    if not trial.in_list:
        for passed in trial.passes():
            if passed.at(trial.worked):
                return passed
            if passed.in_list:
                break
    return trial


# ---------------------------------------------------------------------- options


def answered(trial: Trial, text: str) -> Trial:
    """What comes of what a text means; a hex that is reached by several steps, each asked for by the same
    question, may be named at once.  ChoiceError.
    """
    decision = trial.open
    if decision is None:
        raise trial.closed()
    like = trial.taken[-1].word if trial.taken else ""  # a list goes on with what it began with
    try:
        option = trial.menu.resolve(decision, text, like)
    except ChoiceError as error:
        way = None if error.matches else along(trial, trial.scene.hex_named(text))
        if way is None:
            raise refused(error, trial, text) from None
        return way
    return trial.after(option)


def _number_or_counter(trial: Trial, words: Sequence[str]) -> ChoiceError | None:
    """That a number with more behind it could mean the option with this number, or that of another piece
    which bears it on its counter; None where it can mean but one.
    """
    decision = trial.open
    if len(words) < 2 or plain_number(words[0]) is None or decision is None:
        return None
    try:
        numbered = trial.menu.resolve(decision, words[0])
        inscribed = trial.menu.inscribed(decision, words[0])
    except ChoiceError:
        return None
    if inscribed in (None, numbered):
        return None
    told = trial.scene.words(
        "'{text}' could mean: {numbered} (its number here), {inscribed} (its counter)",
        text=words[0],
        numbered=trial.menu.wording(decision, numbered),
        inscribed=trial.menu.wording(decision, inscribed),
    )
    return refused(ChoiceError(told, (numbered, inscribed), decision.options), trial, words[0])


def _of_one_piece(trial: Trial, options: Sequence[Option]) -> bool:
    """Whether all options are of one piece: to move it, or to let it go by train."""
    pieces = {(option.kind, option.index) for option in options}
    return trial.goes_on and len(pieces) == 1 and options[0].kind == "piece"


# ---------------------------------------------------------------------- what cannot be done


def _is_unable(error: ChoiceError) -> bool:
    """Whether it is said of a piece what it cannot do."""
    return isinstance(error, Stuck) and error.acting


def _unable(trial: Trial, words: Sequence[str]) -> Stuck | None:
    """Where the first words name one piece, and the next nothing that it can do, that this is not offered;
    else None.
    """
    decision = trial.open
    if decision is None:
        return None
    for count in range(min(WORDS, len(words) - 1), 0, -1):
        matches = _could_mean(trial, " ".join(words[:count]))
        if len(matches) == 1:
            return None
        acting = {(option.kind, trial.menu.kind_of(decision, option), option.index) for option in matches}
        if len(acting) != 1 or not all(o.second_kind and o.kind == "piece" for o in matches):
            continue
        if trial.scene.hex_named(words[count]) >= 0 and not {o.second_kind for o in matches} & _PLACED:
            return None  # nothing is done here with hexes
        text = " ".join(words[: count + 1])
        if _could_mean(trial, text):
            return None
        told = trial.scene.words("'{text}' is not among the options", text=short(text, 40))
        return Stuck(ChoiceError(told, (), decision.options), trial, text, acting=True)
    return None


def _could_mean(trial: Trial, text: str) -> tuple[Option, ...]:
    """The options of what is asked that a text could mean."""
    decision = trial.open
    if decision is None:
        return ()
    try:
        return (trial.menu.resolve(decision, text),)
    except ChoiceError as error:
        return error.matches
