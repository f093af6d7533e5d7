"""Hexes in a line: where the piece goes that was chosen last, and by which way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from grognard.table.lines.trial import Trial
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.model import NONE
from runtime.option import Option
from runtime.view import view

#: How many steps a hex that is named at once may be away.
_STEPS = 6


def names_former_hex(trial: Trial, word: str) -> bool:
    """Whether a word names the hex where the piece stood that was chosen last."""
    return trial.stood >= 0 and trial.scene.hex_named(word) == trial.stood


def names_current_hex(trial: Trial, word: str) -> bool:
    """Whether a word names the hex where the piece that was chosen last has gone unasked."""
    named, decision = trial.scene.hex_named(word), trial.decision
    if trial.piece is None or decision is None or named < 0 or trial.stood in (NONE, named):
        return False
    return trial.scene.hex_of(view(trial.game.state, decision.side).data, *trial.piece) == named


def path_length(trial: Trial, words: Sequence[str]) -> int:
    """How many first words are hexes of a way, from the piece chosen last to the hex of the last
    word; none where no hex is asked for: hexes side by side then name the pieces there.
    """
    hexes = [trial.scene.hex_named(word) for word in words]
    if len(hexes) < 2 or NONE in hexes or trial.stood < 0 or not _hex_options(trial):
        return 0
    way = hexes if hexes[0] == trial.stood else [trial.stood, *hexes]
    neighbors = trial.game.spec.board.neighbors
    return len(hexes) - 1 if all(b in neighbors[a] for a, b in pairwise(way)) else 0


def follow_path(trial: Trial, h: int) -> Trial | None:
    """What comes of the steps of the shortest way to a hex, each asked for by the same question;
    None where the question asks for no steps, or none leads there.  IllegalOption where it matters
    which way is taken.
    """
    asked = trial.open
    if h < 0 or asked is None or trial.in_list:
        return None
    reached, passed = [trial], {option.number for option in _hex_options(trial)}
    for _ in range(_STEPS):
        ahead = [after for before in reached for after in _steps(before, asked)]
        ends = [after.after(o) for after in ahead for o in _hex_options(after) if o.number == h]
        if len({after.game.state.hash() for after in ends}) > 1:
            name = trial.game.spec.board.label(h)
            message = "several ways lead to {hex}: name a hex on the way"
            raise IllegalOption(trial.scene.words(message, hex=name))
        if ends:
            return ends[0]
        places = {option.number for after in ahead for option in _hex_options(after)}
        if places <= passed:
            return None
        reached, passed = ahead, passed | places
    return None


def _steps(trial: Trial, asked: Decision) -> Iterator[Trial]:
    """What comes of each hex on offer, where the same question follows."""
    for option in _hex_options(trial):
        after = trial.after(option)
        again = after.decision
        if (
            again is not None
            and (again.point, again.side) == (asked.point, asked.side)
            and after.goes_on
        ):
            yield after


def _hex_options(trial: Trial) -> list[Option]:
    """The options of what is asked that are hexes."""
    return [option for option in trial.offered if option.kind == "hex" and not option.second_kind]
