"""Where a game stands, what has happened in it, and how it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grognard.draw.panel import Panel, Worked
from grognard.draw.scene import Scene
from grognard.lexicon.catalogue import Words, words_in
from grognard.lexicon.typed import plain_number
from grognard.table.content import GamePlace
from runtime.games.game import Game
from runtime.model import NONE
from runtime.spelling import natural
from runtime.state import LOST, TIED, StateBase
from runtime.view import Sight

_ENGLISH = Words()


def lenient_call(game: Game, seen: Sight) -> Worked:
    """Works out calls for what a side sees; what it does not see counts as zero and none."""
    return lambda name, args: game.program.value(seen.state, name, args)


def strict_calls(game: Game, seen: Sight) -> Worked:
    """The same, of what is told of one thing: raises :class:`Unseen` where it hangs on what the
    side does not see.
    """
    state = seen.guarded()
    return lambda name, args: game.program.value(state, name, args)


def panel_of(game: Game, scene: Scene, seen: Sight) -> Panel:
    """The panel beside the board."""
    points = seen.scores(game.program)
    return Panel(scene, seen.data, lenient_call(game, seen), points, lambda: off_board(scene, seen))


def off_board(scene: Scene, seen: Sight) -> dict[tuple[int, str], list[str]]:
    """The pieces that somebody sees off the board, by side and the text of their group."""
    picture = scene.looks(seen).picture
    if picture is None:
        return {}
    groups: dict[tuple[int, str], list[str]] = {}
    for text, tokens in picture.tokens()[1].items():
        for token in tokens:
            name = scene.piece_name(token.kind, token.index)
            groups.setdefault((token.side, text), []).append(name)
    return dict(sorted(groups.items(), key=lambda item: (item[0][0], natural(item[0][1]))))


def panel_lines(game: Game, scene: Scene, seen: Sight, side: int, color: bool) -> list[str]:
    """The lines of the panel; the name of *side*, whose turn it is, stands out."""
    return panel_of(game, scene, seen).lines(side, color)


@dataclass
class Whereabouts:
    """Tells where a game stands, in the words of its catalogue."""

    game: Game
    scene: Scene

    def path(self) -> tuple[tuple[str, str], ...]:
        """The named steps under way that have words, the outermost first: procedure and step."""
        state = self.game.state
        steps = self.game.spec.steps_of(frame[0] for frame in state.frames)
        pairs = [(step.partition(".")[0], step.partition(".")[2]) for step in steps]
        return tuple(pair for pair in pairs if self._word(*pair))

    def _word(self, procedure: str, step: str) -> str:
        return self.game.wording.text(f"step.{procedure}.{step}", default="")

    def step(self) -> str:
        """The innermost step in words; nothing where none has any."""
        path = self.path()
        return self._word(*path[-1]) if path else ""

    def place(self, seen: Sight | None = None) -> GamePlace:
        """Where the game stands, with what is worth telling as somebody sees it."""
        header = [] if seen is None else panel_of(self.game, self.scene, seen).header()
        path = self.path()
        around = tuple(self._word(*pair) for pair in path[:-1])
        if not path:
            return GamePlace(tuple(header), around, (), NONE)
        procedure, step = path[-1]
        there = [name for name in self.game.spec.steps[procedure] if self._word(procedure, name)]
        words = tuple(self._word(procedure, name) for name in there)
        return GamePlace(tuple(header), around, words, there.index(step))


#: How many lines `log` shows at most where it is not told how many.
_RECENT = 40


def log_folded(game: Game, side: int, asked: str) -> list[str]:
    """What has happened, as *side* knows it.

    *asked* is what stood behind `log`: nothing (the turn under way and the one before), a number of
    lines, ``turn`` and a number, or ``all``.  Turns are what the ruleset's checkpoints end.
    """
    starts = [0, *game.folds]
    turns = [
        game.log_of(side, start, end)
        for start, end in zip(starts, [*starts[1:], game.notes], strict=True)
    ]
    lines = [line for turn in turns for line in turn]
    words = words_in(game.wording.language)
    if not lines:
        return [words("nothing has happened yet")]
    if words.understood(asked) == "all":
        return lines
    word, _, rest = asked.partition(" ")
    by_turn = words.understood(word) == "turn"
    number = plain_number(rest.strip() if by_turn else asked) if asked else None
    if by_turn and number is not None:
        if not 1 <= number <= len(turns):
            return [words("there are turns 1 to {count}", count=len(turns))]
        return turns[number - 1] or [words("nothing happened in this turn")]
    if asked and number is None:
        return [words("write 'log', 'log 30' for lines, 'log turn 2' or 'log all'")]
    if number is not None:
        return lines[max(0, len(lines) - number) :]
    recent = [line for turn in turns[-2:] for line in turn][-_RECENT:]
    before = len(lines) - len(recent)
    note = words("({count: 1 # line | # lines} before; 'log all', 'log turn 1')", count=before)
    return [note, *recent] if before else recent


def end_sentences(state: StateBase, names: Sequence[str], words: Words = _ENGLISH) -> str:
    """The end of a game as sentences; *names* are those of the sides, in order.

    Those behind the winners are told one by one where that says more than who has won.
    """
    if state.over == TIED:
        return words("The game is tied.")
    winners = _with_rank(state, names, 1)
    if state.over == LOST:
        first = words("Nobody wins.")
    elif len(winners) == 1:
        first = words("Winner: {winner}.", winner=winners[0])
    else:
        first = words("{winners} win together.", winners=_joined(winners, words))
    others = sorted(set(state.ranks) - {1})
    if len(others) < 2:
        return first
    behind = ", ".join(
        f"{rank}. {_joined(_with_rank(state, names, rank), words)}" for rank in others
    )
    return f"{first} {words('Behind: {names}.', names=behind)}"


def in_short(state: StateBase, names: Sequence[str], words: Words = _ENGLISH) -> str:
    """The end of a game in a few words."""
    if state.over == TIED:
        return words("a tie")
    if state.over == LOST:
        return words("won by nobody")
    return words("won by {winners}", winners=_joined(_with_rank(state, names, 1), words))


def _with_rank(state: StateBase, names: Sequence[str], rank: int) -> list[str]:
    return [name for name, own in zip(names, state.ranks, strict=True) if own == rank]


def _joined(names: list[str], words: Words) -> str:
    return words(" and ").join(filter(None, (", ".join(names[:-1]), names[-1])))
