"""The report of an experiment: one page that needs nothing from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

import jinja2
from markupsafe import Markup

from grognard.lab import analysis, charts
from grognard.lab.analysis import Outcome
from grognard.lab.queries import Results
from grognard.lab.ratings import Rating, ratings

#: Of how many arrangements the details are told, and how many rows tables have that are not folded.
_DETAILED: Final = 24
_FEWEST_PLAYED: Final = 5


@dataclass(frozen=True, slots=True)
class Part:
    """A chart, a table, or both; *folded*: shown when it is asked for."""

    title: str = ""
    note: str = ""
    chart: str = ""
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
    summary = (
        f"{games:,} games in {len(found)} arrangements, from seed {experiment.seed}; "
        f"{watched[0]['n']:,} of them looked at decision by decision."
    )
    sections = [_wins(results, found)]
    if differences := analysis.contrasts(results):
        sections.append(_contrasts(differences))
    if rated := ratings(results):
        sections.append(_ratings(rated))
    sections += [_lengths(results, found), _war(results), *_details(results, found)]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = files("grognard.lab").joinpath("page/results.html.j2").read_text(encoding="utf-8")
    page = environment.from_string(template)
    return page.render(title=experiment.title, summary=summary, sections=sections) + "\n"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _signed_percent(share: float) -> str:
    return f"{100 * share:+.1f}%"


def _chart_markup(chart: charts.Chart) -> Markup:
    return Markup(charts.svg(chart))


def _wins(results: Results, found: list[Outcome]) -> Section:
    rows = [
        (
            one.label,
            one.first,
            str(one.games),
            _percent(one.share),
            f"{_percent(one.low)} to {_percent(one.high)}",
            one.verdict,
            "" if one.published is None else f"{_percent(one.published)} ({one.source})",
        )
        for one in found
    ]
    drawn = [
        {
            "label": f"{one.label} ({one.first})",
            "share": one.share,
            "low": one.low,
            "high": one.high,
            "published": one.published,
            "fair": one.fair,
        }
        for one in found
    ]
    test = results.experiment.test
    note = (
        "The first is the first side, or the first bot where bots change sides; a game that "
        "several have won is shared by them, one that nobody has by all. Bars are 95% intervals "
        "(Wilson), the dashes a fair share. Even: a sequential test has found, with at most "
        f"{test.error:.0%} of error, that the share is fair rather than {test.margin:.0%} from it. "
        "Between people: as published; a red mark."
    )
    heads = ("", "the first", "games", "won", "95% interval", "found", "between people")
    return Section(
        "Who wins", note, [Part(chart=_chart_markup(charts.shares(drawn)), heads=heads, rows=rows)]
    )


def _contrasts(differences: list[analysis.Contrast]) -> Section:
    drawn = [
        dict(zip(("mean", "low", "high"), one.share, strict=True)) | {"label": one.label}
        for one in differences
    ]
    rows = [
        (
            one.label,
            str(one.games),
            "{} ({} to {})".format(*map(_signed_percent, one.share)),
            f"{one.decisions[0]:+.1f} ({one.decisions[1]:+.1f} to {one.decisions[2]:+.1f})",
        )
        for one in differences
    ]
    heads = ("", "pairs of games", "games won by the first", "decisions a game")
    note = "Games of the same seeds, as printed and with what differs; 95% intervals of the mean."
    return Section(
        "What the difference does",
        note,
        [Part(chart=_chart_markup(charts.contrasts(drawn)), heads=heads, rows=rows)],
    )


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


def _lengths(results: Results, found: list[Outcome]) -> Section:
    labels = {one.number: one.label for one in found}
    drawn = [
        {"label": labels[row["arrangement"]], "turns": row["turns"]}
        for row in analysis.lengths(results)
    ]
    rows = [
        (one.label, f"{one.turns:.1f}", f"{one.decisions:.0f}", _ratio(one.decisions, one.turns))
        for one in found
    ]
    heads = ("", "turns", "decisions", "decisions a turn")
    return Section(
        "How long", "", [Part(chart=_chart_markup(charts.lengths(drawn)), heads=heads, rows=rows)]
    )


def _ratio(a: float, b: float) -> str:
    return f"{a / b:.1f}" if b else "–"


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
    course = analysis.course(results, one.number)
    if course:
        note = "The standing of the first side less the others': median, and the middle half."
        yield Part("The course", note, _chart_markup(charts.course(course)))
    yield _luck(analysis.luck(results, one.number))
    yield _cards(analysis.cards(results, one.number))
    rules = analysis.rules(results, one.number)
    rows = [
        (r["rule"], ", ".join(r["ids"]), _percent(r["games"]), f"{r['a_game']:.1f}") for r in rules
    ]
    heads = ("", "IDs", "of games", "decisions a game")
    yield Part(f"{len(rows)} rules that decided something", "", "", heads, rows, folded=True)
    idle = analysis.idle_options(results, one.number)
    idle_rows = [(r["option"], r["question"], str(r["offered"])) for r in idle]
    yield Part(
        f"{len(idle_rows)} options that nobody took",
        "",
        "",
        ("option", "asked", "offered"),
        idle_rows,
        True,
    )


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
    return Part("Luck and decisions", note, _chart_markup(charts.luck(drawn))) if drawn else Part()


def _cards(found: list[dict[str, Any]]) -> Part:
    drawn = []
    for row in found:
        if row["players"] >= _FEWEST_PLAYED:
            mean, low, high = row["worth"]
            drawn.append({"card": row["card"], "worth": mean, "low": low, "high": high})
    drawn.sort(key=lambda row: -row["worth"])
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
    chart = _chart_markup(charts.cards(drawn)) if drawn else ""
    return Part("Cards", note, chart, heads, rows)
