"""The report of an experiment: one page that needs nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from typing import Any, Final

import jinja2
from markupsafe import Markup

from grognard.lab import analysis, charts
from grognard.lab.analysis import Contrast, Measure, Outcome, Spread
from grognard.lab.queries import Results
from grognard.lab.ratings import Rating, ratings

#: Of how many arrangements the details are told, and how many rules are drawn.
_DETAILED: Final = 24
_DRAWN: Final = 20
_FEWEST_PLAYED: Final = 5


@dataclass(frozen=True, slots=True)
class Part:
    """A chart, of which *shows* says what it shows, a table, or both; *folded*: shown when it is
    asked for.
    """

    title: str = ""
    note: str = ""
    chart: str = ""
    shows: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Parts under a heading."""

    title: str
    note: str = ""
    parts: list[Part] = field(default_factory=list)


def page_of(results: Results) -> str:
    """The report as HTML."""
    experiment = results.experiment
    found = analysis.outcomes(results)
    games = sum(one.games for one in found)
    watched = results.ask("select count(*) n from (select distinct arrangement, game from sides)")
    left = analysis.games_left(results, found)
    summary = (
        f"{_counted(games, 'game')} in {_counted(len(found), 'arrangement')}, from seed "
        f"{experiment.seed}; {watched[0]['n']:,} of them were watched decision by decision."
        + (f" It is not finished: {_counted(left, 'game')} may follow." if left else "")
    )
    sections = [_wins(results, found)]
    sections += _contrasts(analysis.contrasts(results))
    if rated := ratings(results):
        sections.append(_ratings(rated))
    sections += [_lengths(results), _war(results), *_details(results, found)]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = files("grognard.lab").joinpath("page/results.html.j2").read_text(encoding="utf-8")
    page = environment.from_string(template)
    return page.render(title=experiment.title, summary=summary, sections=sections) + "\n"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _signed_percent(share: float) -> str:
    return f"{_signed(100 * share, 1)} pp"


def _middle(spread: Spread | None) -> str:
    return "–" if spread is None else "{:.1f} ({:.1f} to {:.1f})".format(*spread)


def _chart(chart: charts.Chart) -> Markup:
    return Markup(charts.svg(chart))


def _published(one: Outcome, share: float) -> str:
    """What is published, with its source: a link where it names a page."""
    told = _percent(share) + (f" of {one.published_games}" if one.published_games else "")
    page = re.search(r"https?://([^\s,/]+)[^\s,]*", one.source)
    if page is None:
        return f"{told} ({one.source})"
    link = Markup('<a href="{}" title="{}">{}</a>')
    return Markup("{} ({})").format(told, link.format(page[0], one.source, page[1]))


def _signed(number: float, digits: int) -> str:
    return f"{number:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def _drawn(label: str, spread: Spread) -> dict[str, Any]:
    return {"label": label, **spread._asdict()}


def _wins(results: Results, found: list[Outcome]) -> Section:
    columns: dict[str, Callable[[Outcome], str]] = {
        "": lambda one: one.label,
        "the first": lambda one: one.first,
        "games": lambda one: str(one.games),
        "won": lambda one: _percent(one.share),
        "95% interval": lambda one: f"{_percent(one.low)} to {_percent(one.high)}",
        "found": lambda one: one.verdict,
    }
    test = results.experiment.test
    note = (
        "The first is the first side or, where bots change sides, the first bot. A shared victory "
        "counts in part, and a game that nobody has won as if all had. Lines are 95% intervals "
        "(Wilson), ticks what would be fair. Even, stronger or weaker: a sequential test has "
        f"found, with an error of at most {test.error:.0%}, whether the share is fair or "
        f"{test.margin:.0%} from it."
    )
    if results.experiment.stop is not None:
        note += (
            " What the test has stopped lies a little farther from fair than more games would, and "
            "its interval is a little too narrow."
        )
    if any(one.margin is not None for one in found):
        columns["points ahead"] = lambda one: (
            "–"
            if one.margin is None
            else "{} ({} to {})".format(*(_signed(points, 1) for points in one.margin))
        )
        note += (
            " Points ahead: those of the first at the end, less the most that another has, as the "
            "rules count them; the mean and its 95% interval."
        )
    if any(one.published is not None for one in found):
        columns["between people"] = lambda one: (
            "" if one.published is None else _published(one, one.published)
        )
        note += " Diamonds: games between people, as published."
    drawn = [
        _drawn(f"{one.label} ({one.first})", Spread(one.share, one.low, one.high))
        | {"published": one.published, "fair": one.fair}
        for one in found
    ]
    part = Part(
        chart=_chart(charts.shares(drawn)),
        shows="Share of games won by the first, with its interval",
        heads=list(columns),
        rows=[[told(one) for told in columns.values()] for one in found],
    )
    return Section("Who wins", note, [part])


def _contrasts(found: list[Contrast]) -> Iterator[Section]:
    if not found:
        return
    note = (
        "Games of the same seeds, as printed and with what differs; differences are means over "
        "pairs of games, with 95% intervals (pp: percentage points). Of twenty intervals "
        "where nothing differs, one does not hold zero."
    )
    drawn = [_drawn(one.label, one.share) for one in found]
    title = "difference in the games won by the first"
    parts = [Part(chart=_chart(charts.differences(drawn, title)), shows=title.capitalize())]
    for one in found:
        games = (
            f"{_counted(one.games, 'pair')} of games; of the sides, as far as they were watched."
        )
        figures = [m for topic in ("games", "sides") for m in one.measures.get(topic, ())]
        parts.append(Part(one.label, games, "", "", _COMPARED, _compared(figures)))
        for topic in ("cards", "rules"):
            if measures := one.measures.get(topic):
                uses = "played, times a game" if topic == "cards" else "decisions a game"
                heads = [f"{topic}: {uses}", *_COMPARED[1:]]
                title = f"{len(measures)} {topic}, those that differ most surely first"
                parts.append(Part(title, "", "", "", heads, _compared(measures), folded=True))
    yield Section("What the difference does", note, parts)


#: The columns of a comparison.
_COMPARED: Final = ("", "as printed", "different", "difference", "95% interval")
#: What is told as percentages.
_SHARES: Final = ("games won by the first", ": luck")


def _compared(measures: Sequence[Measure]) -> list[list[str]]:
    """The rows of a comparison."""
    rows = []
    for one in measures:
        share = one.what.endswith(_SHARES)
        plain = _percent if share else "{:.2f}".format
        signed = _signed_percent if share else partial(_signed, digits=2)
        mean, low, high = map(signed, one.change)
        interval = f"{low} to {high}" if one.change.low < one.change.high else "–"
        rows.append([one.what, plain(one.printed), plain(one.different), mean, interval])
    return rows


def _ratings(rated: list[Rating]) -> Section:
    rows = [
        (one.bot, f"{one.rating:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}", str(one.games))
        for one in rated
    ]
    note = (
        "By Bradley and Terry, over all games between different bots, on the scale of Elo: 400 "
        "more is ten wins to one. The mean of all is 0; 95% intervals are from games drawn anew."
    )
    heads = ("bot", "rating", "95% interval", "games")
    return Section("How strong the bots are", note, [Part(heads=heads, rows=rows)])


def _lengths(results: Results) -> Section:
    rows = [
        (one.label, _middle(one.turns), _middle(one.decisions), _middle(one.decisions_a_turn))
        for one in analysis.lengths(results)
    ]
    part = Part(
        chart=_chart(charts.lengths(analysis.turns_played(results))),
        shows="Turns of the games",
        heads=("", "turns", "decisions", "decisions a turn"),
        rows=rows,
    )
    return Section("How long", "A game, on average, and the middle half of the games.", [part])


def _war(results: Results) -> Section:
    rows = [
        (
            analysis.label_of(row),
            row["name"],
            f"{row['moves']:.1f}",
            f"{row['rolls']:.1f}",
            f"{row['lost']:.1f}",
            f"{row['strength_lost']:.1f}",
            "–" if row["chance"] is None else _percent(row["chance"]),
        )
        for row in analysis.war(results)
    ]
    note = (
        "A game, on average. Moves are pieces moved by decisions of their own side; with chance "
        "are its decisions that dice or draws followed. Luck: the share of all changes of its "
        "standing, decision by decision, that chance made."
    )
    heads = ("", "side", "moves", "decisions with chance", "pieces lost", "strength lost", "luck")
    return Section("What the sides did, and luck", note, [Part(heads=heads, rows=rows)])


def _details(results: Results, found: list[Outcome]) -> Iterator[Section]:
    """What was seen in games that were looked at closely, for each arrangement."""
    for one in found[:_DETAILED]:
        parts = [part for part in _parts(results, one) if part.rows or part.chart]
        if parts:
            yield Section(one.label, "", parts)


def _parts(results: Results, one: Outcome) -> Iterator[Part]:
    course = _usual_turns(analysis.course(results, one.number))
    if course:
        note = (
            "The standing of the first side less the others': median, and the middle half; as long "
            "as a quarter of the games go on."
        )
        yield Part("The course", note, _chart(charts.course(course)), "Standing by turn")
    yield _luck(_usual_turns(analysis.luck(results, one.number)))
    yield _cards(analysis.cards(results, one.number))
    yield from _rules(analysis.rules(results, one.number))
    idle = analysis.idle_options(results, one.number)
    idle_rows = [(r["option"], r["question"], str(r["offered"])) for r in idle]
    heads = ("option", "asked", "offered")
    title = f"{_counted(len(idle_rows), 'option')} that nobody took"
    yield Part(title, heads=heads, rows=idle_rows, folded=True)


def _usual_turns(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of turns to which a quarter of the games come."""
    most = max((row["games"] for row in rows), default=0)
    return [row for row in rows if 4 * row["games"] >= most]


def _rules(found: list[dict[str, Any]]) -> Iterator[Part]:
    if not found:
        return
    drawn = [{"label": row["rule"], "amount": row["a_game"]} for row in found[:_DRAWN]]
    title = "decisions a game that the rule decided"
    yield Part("Rules", "", _chart(charts.amounts(drawn, title)), title.capitalize())
    rows = [
        (r["rule"], ", ".join(r["ids"]), _percent(r["games"]), f"{r['a_game']:.1f}") for r in found
    ]
    heads = ("", "IDs", "of games", "decisions a game")
    title = f"{_counted(len(rows), 'rule')} that decided something"
    yield Part(title, heads=heads, rows=rows, folded=True)


def _luck(found: list[dict[str, Any]]) -> Part:
    drawn = [
        {"turn": row["turn"], "cause": cause, "change": row[key]}
        for row in found
        for cause, key in (("decisions", "decision"), ("chance", "chance"))
    ]
    note = (
        "How much a turn changed the standing of the first side less the others', up or down, on "
        "average: by decisions, as far as they could know what comes of them, and by what chance "
        "made of that."
    )
    if not drawn:
        return Part()
    shows = "Change of the standing by turn, by decisions and by chance"
    return Part("Luck and decisions", note, _chart(charts.luck(drawn)), shows)


def _cards(found: list[dict[str, Any]]) -> Part:
    often = [row for row in found if row["players"] >= _FEWEST_PLAYED]
    often.sort(key=lambda row: -row["worth"].mean)
    drawn = [_drawn(row["card"], row["worth"]) for row in often]
    rows = [
        (
            row["card"],
            _percent(row["held"]),
            _percent(row["played"]),
            str(row["times"]),
            *("–" if row[key] is None else _percent(row[key]) for key in ("won", "unplayed")),
        )
        for row in found
    ]
    heads = ("card", "held", "played", "times", "won when played", "won when held only")
    note = (
        "In how many games a side held it and played it, how often it was played in all, and what "
        "share of their games those have won. Drawn is by how much more that is than their sides "
        f"win on average (95%), where {_FEWEST_PLAYED} or more have played it."
    )
    title = "games won by those who played it, more than their sides do"
    chart = _chart(charts.differences(drawn, title)) if drawn else ""
    return Part("Cards", note, chart, title.capitalize(), heads, rows)
