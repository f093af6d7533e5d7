"""Declarations in words, as the book of the ruleset has them (:mod:`grognard.book`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard.book.articles import Articles
from grognard.book.instructions import Line
from grognard.book.naming import Naming
from grognard.explain.rules import Rules

#: How many lines are told of one declaration.
_LINES: Final = 12
#: What is told in words; of others their source says as much.
_WORDED: Final = (
    *(n.Quantity, n.Permission, n.Function, n.Travel, n.Procedure, n.Case, n.Reaction),
    *(n.Effect, n.Check, n.Requirement),
)


def in_words(ruleset: Ruleset, language: str, decl: n.Decl) -> str:
    """A declaration in Markdown; of long ones the beginning.  Nothing of what is not told in words,
    and while the ruleset has errors.
    """
    if not ruleset.sound or ruleset.resolved.abstract:
        return ""
    whole = decl.decl if isinstance(decl, n.Replace) else decl
    articles = _articles(ruleset, language)
    if isinstance(whole, n.RuleDecl):
        # the rules of effects are told with these
        known = any(one is whole for one in articles.rules_of.get(whole.signature.name.text, ()))
        return "\n".join(_list_items([articles.rule(whole)], 0)) if known else ""
    article = articles.of(whole) if isinstance(whole, _WORDED) else None
    if article is None:
        return ""
    about = (article.about, article.opening)
    opening = " ".join(text for one in about if (text := one.striptags()))
    lines = [*_list_items(article.lines, 0)]
    lines = [*lines[:_LINES], "* …"] if len(lines) > _LINES else lines
    return "\n\n".join(filter(None, (opening, "\n".join(lines))))


@lru_cache(maxsize=1)
def _articles(ruleset: Ruleset, language: str) -> Articles:
    """What writes articles about a sound ruleset as it stands."""
    resolved = ruleset.resolved
    return Articles(Naming(Rules(ruleset, language=language)), resolved.decls)


def _list_items(lines: Sequence[Line], depth: int) -> Iterator[str]:
    for line in lines:
        name = f"**{line.name}** " if line.name else ""
        text = f"{name}{line.text.striptags()}".strip()
        if text:
            yield f"{'  ' * depth}* {text}"
        yield from _list_items(line.below, depth + 1 if text else depth)
