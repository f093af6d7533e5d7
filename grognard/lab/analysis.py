"""What results say: figures with intervals, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from grognard.lab.experiment import PRINTED
from grognard.lab.queries import Results
from grognard.lab.sequential import EVEN, FIRST, OPEN, SECOND, fair_share, verdict
from runtime.runs.intervals import wilson

#: Half the width of a 95% interval, in standard errors.
_Z: Final = 1.959964
#: What counts besides in the interval of a share (A. Agresti, B. A. Coull, *Approximate Is Better
#: than "Exact"*, The American Statistician 52, 1998), and in that of a difference between pairs of
#: games (D. G. Bonett, R. M. Price, Journal of Educational and Behavioral Statistics 37, 2012).
_GAMES: Final = (0.5, 0.5, -0.5, -0.5)
_PAIRS: Final = (1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an arrangement went: the *share* of games that the *first* – a side, or a bot where they
    change sides – has won, with its 95% interval (Wilson), what would be *fair*, and what a
    sequential test says of it.
    """

    number: int
    label: str
    first: str
    games: int
    fair: float
    share: float
    low: float
    high: float
    decided: str
    decisions: float
    turns: float
    published: float | None = None
    source: str = ""

    @property
    def verdict(self) -> str:
        """What the sequential test says, in words."""
        words = {
            EVEN: "even",
            FIRST: f"{self.first} is stronger",
            SECOND: f"{self.first} is weaker",
            OPEN: "open",
        }
        return words[self.decided]


@dataclass(frozen=True, slots=True)
class Contrast:
    """What a variant differs by from the printed rules, over the games of the same seeds: mean and
    95% interval of the difference in the share of the first, and in the length.
    """

    label: str
    games: int
    share: tuple[float, float, float]
    decisions: tuple[float, float, float]


def outcomes(results: Results) -> list[Outcome]:
    """How each arrangement went, in order; those without a game are left out."""
    rows = results.ask(
        "select a.*, list(first order by game) firsts, avg(decisions) decisions, avg(turns) turns "
        "from arrangements a join games using (arrangement) group by all order by arrangement"
    )
    test = results.experiment.test
    found = []
    for row in rows:
        firsts = row["firsts"]
        share = sum(firsts) / len(firsts)
        fair, (low, high) = fair_share(len(row["bots"])), wilson(sum(firsts), len(firsts))
        found.append(
            Outcome(
                row["arrangement"],
                label_of(row),
                (row["bots"] if row["swap"] else row["names"])[0],
                len(firsts),
                fair,
                share,
                low,
                high,
                verdict(firsts, test.margin, test.error, fair),
                row["decisions"],
                row["turns"],
                None if row["swap"] else row["published"],
                row["source"] or "",
            )
        )
    return found


def variant_of(row: dict[str, Any]) -> str:
    """What of an arrangement differs from what is printed."""
    return ", ".join(row[key] for key in ("switches", "rules") if row[key] != PRINTED)


def label_of(row: dict[str, Any]) -> str:
    """An arrangement in few words."""
    bots = " – ".join(row["bots"]) if row["swap"] or row["bots"][0] != "greedy" else ""
    return ", ".join(part for part in (row["title"], bots, variant_of(row)) if part)


def contrasts(results: Results) -> list[Contrast]:
    """What variants differ by from the same scenario and bots as they are printed."""
    rows = results.ask(
        """
        select v.*, list(g.first - p.first) shares,
          list(g.decisions::double - p.decisions) decisions
        from arrangements v
          join arrangements o on v.scenario = o.scenario and v.bots = o.bots
            and (v.rules != ? or v.switches != ?) and o.rules = ? and o.switches = ?
          join games g on g.arrangement = v.arrangement
          join games p on p.arrangement = o.arrangement and p.game = g.game
        group by all having count(*) > 1 order by v.arrangement
        """,
        *[PRINTED] * 4,
    )
    return [
        Contrast(
            label_of(row),
            len(row["shares"]),
            _of_shares(row["shares"], _PAIRS),
            _spread(row["decisions"]),
        )
        for row in rows
    ]


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of values, and the ends of its 95% interval."""
    count = len(values)
    mean = sum(values) / count
    error = sqrt(sum((v - mean) ** 2 for v in values) / max(1, count - 1) / count)
    return mean, mean - _Z * error, mean + _Z * error


def _of_shares(values: Sequence[float], more: Sequence[float]) -> tuple[float, float, float]:
    """The mean of differences of shares, and the ends of its 95% interval, in which *more* values
    count: a few games that all went the same way do not tell that all do.
    """
    _, low, high = _spread([*values, *more])
    return sum(values) / len(values), max(-1.0, low), min(1.0, high)


def cards(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """The cards of an arrangement: in what share of games a side held and played it, how often,
    what share of their games those won that played it or held it without, and how much more than
    the side wins on average those who played it have won, with the 95% interval (*worth*).
    """
    rows = results.ask(
        """
        with usual as (
          select side, count(*) * 1.0 games, avg((worth + 1) / 2) won
          from sides where arrangement = $1 group by side
        ),
        one as (
          select card, played, (worth + 1) / 2 won, (worth + 1) / 2 - usual.won more
          from cards join usual using (side) where arrangement = $1
        )
        select card, count(*) / total held, count(*) filter (played > 0) / total played,
          sum(played)::int times, count(*) filter (played > 0) players,
          avg(won) filter (played > 0) won, avg(won) filter (played = 0) unplayed,
          list(more) filter (played > 0) more
        from one, (select sum(games) total from usual) group by card, total order by card
        """,
        arrangement,
    )
    for row in rows:
        more = row.pop("more")
        row["worth"] = _of_shares(more, _GAMES) if more else None
    return rows


def rules(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """The rules of an arrangement that decided anything: in what share of games, and how often in
    such a game.
    """
    return results.ask(
        """
        select rule, any_value(ids) ids, count(*) * 1.0 / n.games games,
          sum(decisions) * 1.0 / n.games a_game
        from rules, (select count(distinct game) games from sides where arrangement = $1) n
        where arrangement = $1 group by rule, n.games order by a_game desc, rule
        """,
        arrangement,
    )


def idle_options(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """Options that were offered and never taken."""
    return results.ask(
        """
        select question, option, sum(offered) offered from options where arrangement = ?
        group by all having sum(taken) = 0 order by offered desc, question, option
        """,
        arrangement,
    )


def war(results: Results) -> list[dict[str, Any]]:
    """What the sides did in a game of each arrangement, on average: moves of pieces by decisions of
    their own, decisions that dice or draws followed, pieces and strength lost; and the share of
    what changed the standing that was chance.
    """
    return results.ask(
        """
        with placed as (
          select s.*, a.* exclude (arrangement), list_position(a.sides, side) place
          from sides s join arrangements a using (arrangement)
        )
        select arrangement, title, switches, rules, bots, swap, names[place] name,
          count(*) games, avg(moves) moves, avg(rolls) rolls, avg(lost) lost,
          avg(strength_lost) strength_lost,
          sum(by_chance) / nullif(sum(by_chance) + sum(by_decision), 0) chance
        from placed group by all order by arrangement, any_value(place)
        """
    )


def course(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """The standing of the first side less that of the others by turn: the median, the middle half,
    and how many games were still going on.
    """
    return results.ask(
        """
        with stood as ( -- the last turn may be told twice: at its checkpoint, and at the end
          select game, turn, side, arg_max(standing, decisions) standing, max(decisions) decisions
          from turns where arrangement = $1 group by all
        ),
        ahead as (
          select game, turn, sum(if(side = a.sides[1], standing, -standing / (len(a.sides) - 1)))
            ahead, max(decisions) decisions
          from stood, arrangements a where arrangement = $1 group by 1, 2
        )
        select turn, median(ahead) median, quantile_cont(ahead, 0.25) low,
          quantile_cont(ahead, 0.75) high, count(*) games, avg(decisions) decisions
        from ahead group by turn order by turn
        """,
        arrangement,
    )


def luck(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """How much a turn has changed the standing of the first side less that of the others, on
    average over the games that came to it: by chance and by decisions, and how many games those
    are.
    """
    return results.ask(
        """
        with ahead as (
          select game, turn,
            sum(if(side = a.sides[1], by_chance, -by_chance / (len(a.sides) - 1))) chance,
            sum(if(side = a.sides[1], by_decision, -by_decision / (len(a.sides) - 1))) decision
          from turns join arrangements a using (arrangement)
          where arrangement = ? and decisions > 0 group by 1, 2
        )
        select turn, avg(abs(chance)) chance, avg(abs(decision)) decision, count(*) games
        from ahead group by turn having chance + decision > 0 order by turn
        """,
        arrangement,
    )


def lengths(results: Results) -> list[dict[str, Any]]:
    """Turns and decisions of every game."""
    return results.ask("select arrangement, turns, decisions from games order by arrangement, game")
