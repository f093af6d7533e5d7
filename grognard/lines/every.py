"""``all`` in a line: all options there are, of one word."""

from __future__ import annotations

from grognard.lines.order import answered
from grognard.lines.trial import Trial
from grognard.menu import Menu
from runtime.game import ChoiceError, Decision, Option
from runtime.spelling import plain


def every(trial: Trial, of: str) -> Trial:
    """What comes of all options of one word: the only one there is, or what *of* names or begins.
    ChoiceError when not all can be taken.
    """
    decision = trial.open
    if decision is None:
        raise trial.closed()
    wanted = _of_one_word(trial.menu, decision, plain(of))
    if len(wanted) == 1 and not trial.in_list:
        told = trial.scene.words("'all' is for lists: here one is chosen")
        raise ChoiceError(told, (), decision.options)
    for option in wanted:
        now = trial.open
        if now is None:
            raise trial.closed()
        # the first of several may be asked for by a question of its own
        if now.side != decision.side or option.text not in {o.text for o in now.options}:
            message = "not all can be taken: '{option}' is not possible after the others"
            told = trial.scene.words(message, option=trial.menu.wording(decision, option))
            raise ChoiceError(told, (), decision.options)
        trial = answered(trial, option.text)
    return trial


def _of_one_word(menu: Menu, decision: Decision, of: str) -> list[Option]:
    """The options of the only word there is, or of the one that *of* names or begins.  ChoiceError."""
    wanted = [option for option in decision.options if not option.passes]
    words = list(dict.fromkeys(option.word for option in wanted))
    heads = {word: (plain(word.replace("_", " ")), plain(menu.head(word).rstrip("… "))) for word in words}
    named = [word for word in words if of in heads[word]]
    fitting = named or [word for word in words if any(head.startswith(of) for head in heads[word])]
    if len(fitting) == 1:
        return [option for option in wanted if option.word == fitting[0]]
    names = ", ".join(menu.head(word) for word in fitting or words)
    told = menu.scene.words("all of what? There is: {names}", names=names)
    raise ChoiceError(told, (), decision.options)
