"""What results say: figures with intervals, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

from grognard.lab.experiment import PRINTED
from grognard.lab.queries import Results
from grognard.lab.sequential import EVEN, FIRST, OPEN, SECOND, fair_share, verdict
from runtime.runs.intervals import wilson

#: Half the width of a 95% interval of the normal distribution, in standard errors.
_Z: Final = 1.959964
#: What counts besides in the interval of a share (A. Agresti, B. A. Coull, *Approximate Is Better
#: than "Exact"*, The American Statistician 52, 1998), and in that of a difference between pairs of
#: games (D. G. Bonett, R. M. Price, Journal of Educational and Behavioral Statistics 37, 2012).
_GAMES: Final = (0.5, 0.5, -0.5, -0.5)
_PAIRS: Final = (1.0, -1.0)
#: What never differs between pairs of games but by the same is as sure as can be.
_FAR: Final = 1e6


class Spread(NamedTuple):
    """A mean, and two ends: those of its 95% interval, or of the middle half of the values."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an arrangement went: the *share* of games that the *first* – a side, or a bot where they
    change sides – has won, with its 95% interval (Wilson), what would be *fair*, and what a
    sequential test says of it; *margin*, by how many points it was ahead at the end, where they are
    counted; *left*, how many games are still to be played.
    """

    number: int
    label: str
    first: str
    games: int
    left: int
    fair: float
    share: float
    low: float
    high: float
    decided: str
    margin: Spread | None = None
    published: float | None = None
    published_games: int | None = None
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
class Length:
    """How long the games of an arrangement were: means, and the middle halves."""

    label: str
    turns: Spread
    decisions: Spread
    decisions_a_turn: Spread | None


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured of each game, in the mean as *printed* and *different*, and the mean of the
    difference with its 95% interval.
    """

    what: str
    printed: float
    different: float
    change: Spread


@dataclass(frozen=True, slots=True)
class Contrast:
    """What a variant differs by from the printed rules, over pairs of *games* of the same seeds.

    *measures* are by topic: ``games``, ``sides``, ``cards`` and ``rules``, of which all but the
    first are known of games that are watched; cards and rules begin with those that surely differ.
    """

    label: str
    games: int
    measures: dict[str, list[Measure]]

    @property
    def share(self) -> Spread:
        """The difference in the share of the first."""
        return self.measures["games"][0].change


def outcomes(results: Results) -> list[Outcome]:
    """How each arrangement went, in order; those without a game are left out."""
    rows = results.ask(
        "select a.*, list(first order by game) firsts, list(game order by game) games, "
        "list(margin) margins "
        "from arrangements a join games g using (arrangement) group by all order by arrangement"
    )
    experiment = results.experiment
    test = experiment.test
    found = []
    for row in rows:
        firsts, margins = row["firsts"], [one for one in row["margins"] if one is not None]
        share = sum(firsts) / len(firsts)
        fair, (low, high) = fair_share(len(row["bots"])), wilson(sum(firsts), len(firsts))
        whole = sum(game == place for place, game in enumerate(row["games"]))  # without a gap
        decided = verdict(firsts[:whole], test.margin, test.error, fair)
        enough = experiment.stop is not None and decided != OPEN
        found.append(
            Outcome(
                row["arrangement"],
                label_of(row),
                (row["bots"] if row["swap"] else row["names"])[0],
                len(firsts),
                0 if enough else experiment.games - len(firsts),
                fair,
                share,
                low,
                high,
                decided,
                _spread(margins) if margins else None,
                None if row["swap"] else row["published"],
                row["published_games"],
                row["source"] or "",
            )
        )
    return found


def games_left(results: Results, found: Sequence[Outcome]) -> int:
    """How many games are still to be played, those of arrangements without one, too."""
    experiment = results.experiment
    without = len(experiment.arrangements) - len(found)
    return sum(one.left for one in found) + without * experiment.games


def variant_of(row: dict[str, Any]) -> str:
    """What of an arrangement differs from what is printed."""
    return ", ".join(row[key] for key in ("switches", "rules") if row[key] != PRINTED)


def label_of(row: dict[str, Any]) -> str:
    """An arrangement in few words."""
    bots = " – ".join(row["bots"]) if row["swap"] or row["bots"][0] != "greedy" else ""
    return ", ".join(part for part in (row["title"], bots, variant_of(row)) if part)


#: The cards that sides held in games, by their titles: those of an experiment that was begun before
#: titles were kept have that of any other row.
_HOLDINGS: Final = """
    select arrangement, game, side, sum(played)::int played,
      coalesce(any_value(title) over (partition by arrangement, card), card) as card
    from cards group by arrangement, game, side, card, title
"""
#: What is measured of games: *topic*, *place* among those of the topic, *what* and *value*.
_MEASURED: Final = f"""
    watched as (select distinct arrangement, game from sides),
    named as (select s.*, list_position(a.sides, s.side) seat, a.names[seat] as name
      from sides s join arrangements a using (arrangement)),
    holdings as ({_HOLDINGS}),
    used as (
      select 'cards' topic, card what, arrangement, game, sum(played) times from holdings
      group by all
      union all select 'rules', rule, arrangement, game, decisions from rules
    ),
    measured as (
      select arrangement, game, 'games' topic, unnest([
        {{'place': 1, 'what': 'games won by the first', 'value': first}},
        {{'place': 2, 'what': 'points ahead', 'value': margin::double}},
        {{'place': 3, 'what': 'turns', 'value': turns}},
        {{'place': 4, 'what': 'decisions', 'value': decisions}}], recursive := true)
      from games
      union all select arrangement, game, 'sides', unnest([
        {{'place': 100 + seat, 'what': name || ': moves', 'value': moves::double}},
        {{'place': 200 + seat, 'what': name || ': decisions with chance', 'value': rolls}},
        {{'place': 300 + seat, 'what': name || ': pieces lost', 'value': lost}},
        {{'place': 400 + seat, 'what': name || ': strength lost', 'value': strength_lost}},
        {{'place': 500 + seat, 'what': name || ': luck', 'value':
          by_chance / nullif(by_chance + by_decision, 0)}}], recursive := true)
      from named
      union all select w.arrangement, w.game, u.topic, 0, u.what, coalesce(sum(times), 0)
      from watched w cross join (select distinct topic, what from used) u
        left join used using (arrangement, game, topic, what) group by all
    )
"""


def contrasts(results: Results) -> list[Contrast]:
    """What variants differ by from the same scenario and bots as they are printed."""
    rows = results.ask(
        f"""
        with {_MEASURED}
        select v.*, m.topic, m.what, avg(p.value) printed, avg(m.value) different,
          list(m.value - p.value) changes
        from arrangements v
          join arrangements o on v.scenario = o.scenario and v.bots = o.bots
            and (v.rules != ? or v.switches != ?) and o.rules = ? and o.switches = ?
          join measured m on m.arrangement = v.arrangement
          join measured p on p.arrangement = o.arrangement
            and p.game = m.game and p.topic = m.topic and p.what = m.what
        where m.value is not null and p.value is not null
        group by all
        having count(*) > 1 and (any_value(m.place) > 0 or max(m.value) + max(p.value) > 0)
        order by v.arrangement, min(m.topic) = 'games' desc, any_value(m.place), m.what
        """,
        *[PRINTED] * 4,
    )
    found: dict[int, Contrast] = {}
    for row in rows:
        changes, shares = row["changes"], row["what"] == "games won by the first"
        contrast = found.setdefault(row["arrangement"], Contrast(label_of(row), len(changes), {}))
        change = _of_shares(changes, _PAIRS) if shares else _spread(changes)
        measure = Measure(row["what"], row["printed"], row["different"], change)
        contrast.measures.setdefault(row["topic"], []).append(measure)
    for contrast in found.values():
        for topic in {"cards", "rules"} & contrast.measures.keys():
            contrast.measures[topic].sort(key=lambda one: -_sureness(one.change))
    return list(found.values())


def _sureness(change: Spread) -> float:
    """How far a change is from none, in half widths of its interval."""
    half = (change.high - change.low) / 2
    return abs(change.mean) / half if half else abs(change.mean) * _FAR


def _spread(values: Sequence[float]) -> Spread:
    """The mean of values, and the ends of its 95% interval."""
    count = len(values)
    mean = sum(values) / count
    error = sqrt(sum((v - mean) ** 2 for v in values) / max(1, count - 1) / count)
    half = _student(count - 1) * error
    return Spread(mean, mean - half, mean + half)


def _student(freedom: int) -> float:
    """Half the width of a 95% interval of a mean, in standard errors (M. Abramowitz, I. A. Stegun,
    *Handbook of Mathematical Functions*, 1964, 26.7.5).
    """
    z, n = _Z, max(1, freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def _of_shares(values: Sequence[float], more: Sequence[float]) -> Spread:
    """The mean of differences of shares, and the ends of its 95% interval, in which *more* values
    count: a few games that all went the same way do not tell that all do.
    """
    _, low, high = _spread([*values, *more])
    return Spread(sum(values) / len(values), max(-1.0, low), min(1.0, high))


def cards(results: Results, arrangement: int) -> list[dict[str, Any]]:
    """The cards of an arrangement: in what share of games a side held and played it, how often,
    what share of their games those won that played it or held it without, and how much more than
    the side wins on average those who played it have won, with the 95% interval (*worth*).
    """
    rows = results.ask(
        f"""
        with seats as (
          select side, game, case when list_contains(winners, side) then 1.0 / len(winners)
            when len(winners) = 0 and len(ranks) > 1 then 1.0 / len(ranks) else 0.0 end won
          from sides join games using (arrangement, game) where arrangement = $1
        ),
        usual as (select side, avg(won) won from seats group by side),
        held as (
          select card, game, side, sum(played)::int played from ({_HOLDINGS})
          where arrangement = $1 group by all
        ),
        one as (
          select card, game, played, seats.won, seats.won - usual.won more
          from held join seats using (game, side) join usual using (side)
        )
        select card, count(distinct game) / total held,
          count(distinct game) filter (played > 0) / total played,
          sum(played)::int times, count(*) filter (played > 0) players,
          avg(won) filter (played > 0) won, avg(won) filter (played = 0) unplayed,
          list(more) filter (played > 0) more
        from one, (select count(distinct game) * 1.0 total from seats) group by card, total
        order by card
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
    their own, decisions that dice or draws followed, pieces and strength lost; and what share of
    the changes of its standing in a game chance made.
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
          avg(by_chance / nullif(by_chance + by_decision, 0)) chance
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


def lengths(results: Results) -> list[Length]:
    """How long the games of each arrangement were."""
    rows = results.ask(
        """
        with counted as (
          select arrangement, unnest([
            {'what': 'turns', 'value': turns::double},
            {'what': 'decisions', 'value': decisions},
            {'what': 'decisions_a_turn', 'value': decisions / nullif(turns, 0)}], recursive := true)
          from games
        )
        select a.*, what, avg(value) mean, quantile_cont(value, [0.25, 0.75]) middle
        from counted join arrangements a using (arrangement)
        group by all order by arrangement
        """
    )
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        spread = None if row["mean"] is None else Spread(row["mean"], *row["middle"])
        found.setdefault(row["arrangement"], {"label": label_of(row)})[row["what"]] = spread
    return [Length(**one) for one in found.values()]


def turns_played(results: Results) -> list[dict[str, Any]]:
    """The turns of every game, with the label of its arrangement."""
    rows = results.ask(
        "select a.*, turns from games join arrangements a using (arrangement) "
        "order by arrangement, game"
    )
    return [{"label": label_of(row), "turns": row["turns"]} for row in rows]
