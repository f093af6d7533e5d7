"""What is explained, as lines of text; a line that begins with a blank belongs to the one before
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grognard.explain.glossary import Entry
from grognard.explain.rollouts import Odds, Share
from grognard.lexicon.catalogue import Words

#: How many rule IDs stand behind one statement, and how many at the end.
_CITED, _OTHERS = 3, 8
#: How many chapters of the rulebook are named, and how many of the things that a piece may do.
_TOPICS, _ACTS = 4, 4


def entry_lines(words: Words, entries: Iterable[Entry]) -> list[str]:
    """Entries with their statements below them."""
    return [line for entry in entries for line in dict.fromkeys(_entry(words, entry))]


def _entry(words: Words, entry: Entry) -> Iterator[str]:
    yield f"{entry.name}: {entry.text}" if entry.text else entry.name
    for statement in entry.statements:
        rules = list(dict.fromkeys(statement.rules))
        cited = f" [{_first(rules, _CITED)}]" if rules else ""
        yield f"  {statement.text}{cited}"
    if entry.others:
        yield f"  {words('rules that name it: {rules}', rules=_first(entry.others, _OTHERS))}"
    if entry.topics:
        topics = "; ".join(entry.topics[:_TOPICS])
        yield f"  {words('in the rulebook: {topics}', topics=topics)}"


def _first(rules: Sequence[str], count: int) -> str:
    return ", ".join(rules[:count]) + (" …" if len(rules) > count else "")


def steps_line(steps: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Steps with what can be done in them: *Movement (move), Combat*."""
    return ", ".join(
        f"{step} ({', '.join(acts[:_ACTS])})" if acts else step for step, acts in steps
    )


def odds_lines(words: Words, odds: Odds) -> list[str]:
    """A line for each subject, with shares and their 95% intervals."""
    return [
        f"{subject}: {', '.join(_share(words, one) for one in shares)}"
        for subject, shares in odds.shares().items()
    ]


def _share(words: Words, one: Share) -> str:
    if one.share == 1:
        return f"{one.what} {words('always')}"
    low, high = (words.number(100 * end) for end in one.interval)
    return f"{one.what} {words.percent(one.share)} ({low}–{high})"
