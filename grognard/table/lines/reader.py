"""Reading a line of several answers.

A line has parts, divided by commas; a part has words, read from the left.  What has been read so
far is a :class:`Trial`.  From it, the next words lead on as

* ``all``: every option of a word, one after another (only at the beginning of a part);
* ``done``: the end of the list that something was taken from last;
* hexes of a way to the hex behind them, which say nothing more than that one;
* an option, in as many words as mean one, and with as many as the rest makes sense behind it;
* the hex where the piece is that was chosen last.

Where none does, what is asked is passed by, if that can be taken back, and the part is read again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grognard.draw.scene import Scene
from grognard.files import short
from grognard.lexicon.typed import plain_number
from grognard.table.lines.trial import ANSWERS, Stuck, Trial, better_reason, refused, too_much
from grognard.table.lines.ways import follow_path, names_current_hex, names_former_hex, path_length
from grognard.table.menu import Menu
from runtime.errors import IllegalOption
from runtime.model import NONE
from runtime.option import Option
from runtime.spelling import plain

ALL, DONE = "all", "done"
#: How many words one option may take.
_WORDS = 6
#: How many options of one piece a text may mean, to see which of them the rest of the line fits.
_ALIKE = 4
#: The kinds of values that a hex may name.
_PLACED = {"hex", "piece"}


class LineReader:
    """Reads lines of several answers."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def read(self, menu: Menu, line: str) -> tuple[Option, ...]:
        """The options of a menu's game that a line takes one after another; numbers are those of
        the menu.  IllegalOption when it cannot be taken whole.
        """
        trial, begun = Trial.of(menu), NONE
        parts = self._parts(line)
        for number, words in enumerate(parts, 1):
            asked = trial.decision
            if self._is_command(words[0], ALL):
                trial = _take_every(trial, " ".join(words[1:]))
            else:
                if len(words) == 1 and self._is_command(words[0], DONE):
                    trial = _back_at(trial, begun)
                trial = _take_part(trial, words, last=number == len(parts))
            begun = NONE if asked is None else asked.point
        if not trial.taken:
            raise IllegalOption(self.scene.words("this line names nothing"))
        return trial.taken

    def several(self, menu: Menu, line: str) -> tuple[Option, ...] | Stuck:
        """The options of a line that takes several, or where it cannot be taken behind its first
        answers; none where it says one thing, or nothing that can be read.
        """
        if menu.is_name(line) or len(line.split()) < 2:
            return ()
        try:
            options = self.read(menu, line)
        except Stuck as stuck:
            return stuck
        except IllegalOption:
            return ()
        return options if len(options) > 1 else ()

    def _parts(self, line: str) -> list[list[str]]:
        """The words of each part of a line.  IllegalOption where there are too many."""
        if len(line.split()) > _WORDS * ANSWERS:
            raise too_much(self.scene)
        parts = [words for part in re.split(r"[,;]", line) if (words := part.split())]
        for words in parts:
            word = words[-1].removesuffix("!")
            if self._is_command(word, DONE):
                words[-1] = word  # within a line nobody asks again
        return parts

    def _is_command(self, word: str, command: str) -> bool:
        return self.scene.words.understood(word) == command


# ---------------------------------------------------------------------- a part


def _take_part(trial: Trial, words: Sequence[str], last: bool) -> Trial:
    """What comes of a part, the *last* of its line or not; words that only connect are left out
    where it cannot be taken with them.  IllegalOption when it cannot be taken whole.
    """
    spare = trial.menu.spare(words)
    try:
        return _take_here_or_behind(trial, words, last)
    except IllegalOption:
        if len(spare) == len(words):
            raise
    return _take_here_or_behind(trial, spare, last)


def _take_here_or_behind(trial: Trial, words: Sequence[str], last: bool) -> Trial:
    """What comes of a part where it is read, else behind what is asked there: it may end what the
    part before it has begun, or a list, if that can be taken back.
    """
    try:
        return _take_words(trial, words, last)
    except IllegalOption as error:
        trouble = error
    before = trial
    for passed in trial.passes():
        of_list = before.in_list or not before.taken
        before = passed
        try:
            after = _take_words(passed, words, last)
        except IllegalOption as error:
            if _is_unable(error) and not _is_unable(trouble):
                trouble = error
            continue
        if after.goes_on or not of_list:
            return after
    raise trouble


def _take_words(trial: Trial, words: Sequence[str], last: bool) -> Trial:
    """What comes of the words that are left of a part."""
    if not words:
        return trial
    if _says_done(trial, " ".join(words)):
        trial = _back_at_list(trial)
        if trial.open is None:
            # What others are asked must not matter: at the end of a line 'done' is left out also
            # where nobody can know yet whether the list is asked again, as a refusal would tell it.
            if last or trial.foreseen:
                return trial
        elif not trial.at(trial.worked):
            return trial.with_no_list()  # it has come to its end by itself
    passed_by = path_length(trial, words)
    if passed_by:
        try:
            return _take_words(trial, words[passed_by:], last)
        except IllegalOption:
            pass  # they are several answers then
    either = _number_or_counter(trial, words)
    if either is not None:
        return _take_fitting(trial, either.matches, words[1:], last, either)
    return _take_option(trial, words, last)


def _take_option(trial: Trial, words: Sequence[str], last: bool) -> Trial:
    """What comes of words of which the first mean an option, or where the last piece is."""
    trouble: IllegalOption | None = None
    for count in range(min(_WORDS, len(words)), 0, -1):
        text, rest = " ".join(words[:count]), words[count:]
        try:
            after = _take_text(trial, text)
        except IllegalOption as error:
            if rest and 1 < len(error.matches) <= _ALIKE and _is_one_piece(trial, error.matches):
                # the first of them is the one that a refusal speaks of
                return _take_fitting(trial, error.matches[::-1], rest, last, error)
            trouble = better_reason(trouble, error)
            continue
        try:
            return _take_words(after, rest, last)
        except IllegalOption as error:
            trouble = better_reason(trouble, error)
    if (len(words) > 1 and names_former_hex(trial, words[0])) or names_current_hex(trial, words[0]):
        return _take_words(trial, words[1:], last)
    assert trouble is not None
    raise _stuck_piece(trial, words) or trouble


def _take_fitting(
    trial: Trial,
    options: Sequence[Option],
    rest: Sequence[str],
    last: bool,
    unclear: IllegalOption,
) -> Trial:
    """What comes of that of several options with which the *rest* makes sense.  IllegalOption where
    it does with none; *unclear* where it does with more than one.
    """
    fitting: list[Trial] = []
    trouble: IllegalOption | None = None
    for option in options:
        try:
            fitting.append(_take_words(trial.after(option), rest, last))
        except IllegalOption as error:
            trouble = better_reason(trouble, error)
    if len(fitting) == 1:
        return fitting[0]
    raise unclear if fitting or trouble is None else trouble


# ---------------------------------------------------------------------- done


def _says_done(trial: Trial, text: str) -> bool:
    """Whether a text says that the list is done that something was taken from last."""
    word = trial.game.spec.decisions[trial.worked].passing if trial.worked >= 0 else None
    if word is None:
        return False
    names = (word, word.replace("_", " "), trial.game.wording.text(f"pass.{word}"))
    # whatever it is called here
    return trial.scene.words.understood(text) == DONE or plain(text) in map(plain, names)


def _back_at_list(trial: Trial) -> Trial:
    """Where the list is asked again that something was taken from last, if passing by what follows
    from that leads there; else as it is.
    """
    if not trial.in_list:
        for passed in trial.passes():
            if passed.at(trial.worked):
                return passed
            if passed.in_list:
                break
    return trial


def _back_at(trial: Trial, begun: int) -> Trial:
    """Where the list at the point *begun* is asked again, from which the part before was taken, if
    passing by what is asked leads there; else as it is.
    """
    if begun == NONE or trial.at(begun):
        return trial
    passed = trial.passed()
    return passed if passed is not None and passed.at(begun) else trial


# ---------------------------------------------------------------------- all


def _take_every(trial: Trial, of: str) -> Trial:
    """What comes of all options of one word: the only one there is, or what *of* names or begins.
    IllegalOption when not all can be taken.
    """
    words, decision = trial.scene.words, trial.open
    if decision is None:
        raise trial.closed()
    wanted = _options_of_word(trial, plain(of))
    if len(wanted) == 1 and not trial.in_list:
        refusal = words("'all' is for lists: here one is chosen")
        raise IllegalOption(refusal, (), decision.options)
    for option in wanted:
        now = trial.open
        if now is None:
            raise trial.closed()
        # the first of several may be asked for by a question of its own
        if now.side != decision.side or option.text not in {o.text for o in now.options}:
            message = "not all can be taken: '{option}' is not possible after the others"
            refusal = words(message, option=trial.menu.wording(decision, option))
            raise IllegalOption(refusal, (), decision.options)
        trial = _take_text(trial, option.text)
    return trial


def _options_of_word(trial: Trial, of: str) -> list[Option]:
    """The options of the only word there is, or of what *of* names or begins.  IllegalOption."""
    options, menu = trial.offered, trial.menu
    wanted = [option for option in options if not option.passes]
    heads = {
        option.branch: (
            plain(option.branch.replace("_", " ")),
            plain(menu.head(option.branch).rstrip("… ")),
        )
        for option in wanted
    }
    fitting = [word for word, names in heads.items() if of in names] or [
        word for word, names in heads.items() if any(name.startswith(of) for name in names)
    ]
    if len(fitting) == 1:
        return [option for option in wanted if option.branch == fitting[0]]
    names = ", ".join(menu.head(word) for word in fitting or heads)
    message = menu.scene.words("all of what? There is: {names}", names=names)
    raise IllegalOption(message, (), options)


# ---------------------------------------------------------------------- options


def _take_text(trial: Trial, text: str) -> Trial:
    """What comes of what a text means; a hex that is reached by several steps, each asked for by
    the same question, may be named at once.  IllegalOption.
    """
    decision = trial.open
    if decision is None:
        raise trial.closed()
    like = trial.taken[-1].branch if trial.taken else ""  # a list goes on with what it began with
    try:
        option = trial.menu.resolve(decision, text, like)
    except IllegalOption as error:
        way = None if error.matches else follow_path(trial, trial.scene.hex_named(text))
        if way is None:
            raise refused(error, trial, text) from None
        return way
    return trial.after(option)


def _number_or_counter(trial: Trial, words: Sequence[str]) -> IllegalOption | None:
    """That a number with more behind it could mean the option with this number, or that of another
    piece which bears it on its counter; None where it can mean but one.
    """
    decision = trial.open
    if len(words) < 2 or plain_number(words[0]) is None or decision is None:
        return None
    try:
        numbered = trial.menu.resolve(decision, words[0])
        inscribed = trial.menu.inscribed(decision, words[0])
    except IllegalOption:
        return None
    if inscribed in (None, numbered):
        return None
    message = trial.scene.words(
        "'{text}' could mean: {numbered} (its number here), {inscribed} (its counter)",
        text=words[0],
        numbered=trial.menu.wording(decision, numbered),
        inscribed=trial.menu.wording(decision, inscribed),
    )
    return refused(IllegalOption(message, (numbered, inscribed), decision.options), trial, words[0])


def _is_one_piece(trial: Trial, options: Sequence[Option]) -> bool:
    """Whether all options are of one piece: to move it, or to let it go by train."""
    pieces = {(option.kind, option.number) for option in options}
    return trial.goes_on and len(pieces) == 1 and options[0].kind == "piece"


# ---------------------------------------------------------------------- what cannot be done


def _is_unable(error: IllegalOption) -> bool:
    """Whether it is said of a piece what it cannot do."""
    return isinstance(error, Stuck) and error.acting


def _stuck_piece(trial: Trial, words: Sequence[str]) -> Stuck | None:
    """Where the first words name one piece, and the next nothing that it can do, that this is not
    offered; else None.
    """
    decision = trial.open
    if decision is None:
        return None
    for count in range(min(_WORDS, len(words) - 1), 0, -1):
        matches = _could_mean(trial, " ".join(words[:count]))
        if len(matches) == 1:
            return None
        pairs = [option for option in matches if option.second_kind and option.kind == "piece"]
        acting = {trial.menu.piece_of(decision, option) for option in pairs}
        if len(acting) != 1 or len(pairs) < len(matches):
            continue
        placed = {option.second_kind for option in matches} & _PLACED
        text = " ".join(words[: count + 1])
        # where nothing is done here with hexes, a hex says nothing of it
        if (trial.scene.hex_named(words[count]) >= 0 and not placed) or _could_mean(trial, text):
            return None
        message = trial.scene.words("'{text}' is not among the options", text=short(text, 40))
        return Stuck(IllegalOption(message, (), decision.options), trial, text, acting=True)
    return None


def _could_mean(trial: Trial, text: str) -> tuple[Option, ...]:
    """The options of what is asked that a text could mean."""
    decision = trial.open
    if decision is None:
        return ()
    try:
        return (trial.menu.resolve(decision, text),)
    except IllegalOption as error:
        return error.matches
