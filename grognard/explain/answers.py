"""What is explained, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grognard.explain.glossary import Entry
from grognard.explain.rollouts import Odds, Share
from grognard.lexicon.catalogue import Words
from runtime.games.explanation import Line

#: How many rule IDs stand behind one statement, and how many at the end.
_CITED, _OTHERS = 3, 8
#: How many chapters of the rulebook are named, and how many of the things that a piece may do.
_TOPICS, _ACTS = 4, 4


def entry_lines(words: Words, entries: Iterable[Entry]) -> list[Line]:
    """Entries with their statements below them."""
    return [line for entry in entries for line in dict.fromkeys(_entry(words, entry))]


def _entry(words: Words, entry: Entry) -> Iterator[Line]:
    yield Line(f"{entry.name}: {entry.text}" if entry.text else entry.name)
    for statement in entry.statements:
        rules = list(dict.fromkeys(statement.rules))
        cited = f" [{_first(rules, _CITED)}]" if rules else ""
        yield Line(f"{statement.text}{cited}", 1)
    if entry.others:
        rules_named = _first(entry.others, _OTHERS)
        yield Line(words("rules that name it: {rules}", rules=rules_named), 1)
    if entry.topics:
        topics = "; ".join(entry.topics[:_TOPICS])
        yield Line(words("in the rulebook: {topics}", topics=topics), 1)


def _first(rules: Sequence[str], count: int) -> str:
    return ", ".join(rules[:count]) + (" …" if len(rules) > count else "")


def steps_line(steps: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Steps with what can be done in them: *Movement (move), Combat*."""
    return ", ".join(
        f"{step} ({', '.join(acts[:_ACTS])})" if acts else step for step, acts in steps
    )


def odds_lines(words: Words, odds: Odds) -> list[Line]:
    """A line for each subject, with shares and their 95% intervals."""
    return [
        Line(f"{subject}: {', '.join(_share(words, one) for one in shares)}", 1)
        for subject, shares in odds.shares().items()
    ]


def _share(words: Words, one: Share) -> str:
    if one.share == 1:
        return f"{one.what} {words('always')}"
    low, high = (words.number(100 * end) for end in one.interval)
    return f"{one.what} {words.percent(one.share)} ({low}–{high})"
