"""What the library tells of a game beyond what the engine can, as data; and who tells it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from runtime.option import Value

__all__ = ["Chance", "Explanation", "Forecast", "Library", "Line", "Outcome", "Reason", "plainly"]


#: What a statement says: which part it plays in an explanation; "" for mere facts.
Role = Literal[
    "",
    "decides",  # the rule that gives the value, or that speaks of a permission
    "beaten",  # a rule that another one excepts
    "suspended",
    "modifier",
    "stage",  # the value after a stage
    "refuses",
    "allows",
    "because",  # the condition of the rule above, or the part of it that fails
    "exception",
    "use",  # a place that cites a rule ID
    "source",  # where it is written
]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an explanation; of one with a *level* the sentences before it say what it
    belongs to.  *place* is where the source says so, as ``file:line``, where one is known.
    """

    text: str
    level: int = 0
    place: str = ""

    def under(self) -> Line:
        """The same a level deeper."""
        return Line(self.text, self.level + 1, self.place)

    def __str__(self) -> str:
        return "  " * self.level + self.text


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement, and below it what stands behind it.

    *rules* are the rule IDs that it cites; *note* is how they are told to people (with their
    topics, house rules marked as such); *role* says which part the statement plays.  *plain* says
    it in a player's words, where it says him something.  *place* is that of :class:`Line`.
    """

    text: str
    rules: tuple[str, ...] = ()
    note: str = ""
    below: tuple[Reason, ...] = ()
    role: Role = ""
    plain: str = ""
    place: str = ""

    def lines(self, level: int = 0) -> list[Line]:
        """The statement and what is below it."""
        text = "  ".join(part for part in (self.text, self.note) if part)
        head = Line(text, level, self.place)
        return [head, *(line for reason in self.below for line in reason.lines(level + 1))]

    def cited(self) -> tuple[str, ...]:
        """The rule IDs that it and all below it cite, each once."""
        below = (rule for reason in self.below for rule in reason.cited())
        return tuple(dict.fromkeys((*self.rules, *below)))


def plainly(reasons: Iterable[Reason]) -> list[Line]:
    """Statements in a player's words, each with the rules it cites: of each branch of the tree the
    deepest that says him something.
    """
    lines: dict[str, Line] = {}
    for reason in reasons:
        told = plainly(reason.below)
        if not told and reason.plain:
            cited = f" [{', '.join(reason.rules)}]" if reason.rules else ""
            told = [Line(reason.plain + cited, 0, reason.place)]
        for line in told:
            lines.setdefault(line.text, line)
    return list(lines.values())


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why: a tree of statements, each with the rules that it cites.

    *text* is its first line (empty where why something is not offered was asked), *reasons* what
    stands behind it: trees of ``text``, ``rules``, ``role`` and what is ``below``.  *value* is what
    is explained, as it is read everywhere; None also where it depends on what a side does not see.
    *number* is the value as the engine has it (of a set a bit mask, 1 and 0 for yes and no, -1 for
    none).  *cited* are the rule IDs of the first line, *note* how they are told to people.
    """

    text: str = ""
    reasons: tuple[Reason, ...] = ()
    number: int | None = None
    cited: tuple[str, ...] = ()
    note: str = ""
    value: Value = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of it, sentence by sentence."""
        if not self.text:
            return tuple(line for reason in self.reasons for line in reason.lines())
        return tuple(Reason(self.text, (), self.note, self.reasons).lines())

    @property
    def rules(self) -> tuple[str, ...]:
        """All rule IDs in it, each once."""
        return Reason("", self.cited, "", self.reasons).cited()

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))

    def __repr__(self) -> str:
        return f"<Explanation: {self.lines[0] if self.lines else 'nothing to say'}>"


@dataclass(frozen=True, slots=True)
class Chance:
    """Values that an outcome can have: *probability* (from 0 to 1), from samples with the 95%
    *interval*.

    *text* is the outcome with these values in the words of the catalogue.
    """

    values: tuple[Value, ...]
    probability: float
    text: str
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that a forecast says: its *name*, how likely it is that it comes to it at all, its
    values.

    *mean* is that of an outcome of one number, where it comes to it; else None.  *depth* is 0 for
    what may come before chance has come in twice, n for what lies behind n further times.
    """

    name: str
    probability: float
    mean: float | None
    chances: tuple[Chance, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A decision at which a forecast ends, as nothing is assumed of it: the *side* that is asked,
    the name of the question, what it is about, and how likely it is that it comes to it; from
    samples with the 95% *interval*.  *text* is the question in words.
    """

    side: str
    prompt: str
    about: tuple[Value, ...]
    probability: float
    text: str
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a forecast says of certain *arguments*.

    *exact* says whether all *ways* of chance were gone; else so many samples were taken.
    *questions* are the decisions at which it ends.  *text* is in short what stands beside an
    option, *lines* are all of it in words, what lies behind further chance at deeper levels.
    """

    name: str
    arguments: tuple[Value, ...]
    outcomes: tuple[Outcome, ...]
    exact: bool
    ways: int
    text: str
    questions: tuple[Question, ...] = ()
    lines: tuple[Line, ...] = ()

    def __getitem__(self, name: str) -> Outcome:
        """The outcome of a name.  KeyError where the forecast does not say it."""
        for outcome in self.outcomes:
            if outcome.name == name:
                return outcome
        raise KeyError(name)

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))

    def __repr__(self) -> str:
        return f"<Forecast {self.name}({', '.join(map(str, self.arguments))}): {self.text}>"


class Library(Protocol):
    """What games of a loaded scenario are given for what needs the compiler, or files.

    Each method is what the one of the same name of :class:`runtime.games.game.Game` says.
    """

    def value(self, game: Any, name: str, arguments: Sequence[Value]) -> Value:
        """See :meth:`Game.value`."""

    def explain(
        self, game: Any, name: str, arguments: Sequence[Value], side: str | None
    ) -> Explanation:
        """See :meth:`Game.explain`."""

    def why_not(self, game: Any, text: str) -> Explanation:
        """See :meth:`Game.why_not`."""

    def forecast(self, game: Any, text: str, side: str | None) -> tuple[Forecast, ...]:
        """See :meth:`Game.forecast`."""

    def set_up(self, *args: Any, **kwargs: Any) -> Any:
        """See :meth:`Game.set_up`."""

    def save(self, record: str, path: str | Path) -> None:
        """See :meth:`Game.save`."""
