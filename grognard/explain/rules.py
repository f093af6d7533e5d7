"""A ruleset as explanations need it: its checked rules, their sources, its index of rule IDs;
statements about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from compiler import ir
from compiler.interpreter import Cited
from compiler.printer import Printer
from compiler.ruleset import Ruleset
from compiler.sources.rulebook import Entry
from dsl import nodes as n
from dsl.source import NOWHERE, Span
from grognard.explain.mentions import ThingFacts
from grognard.lexicon.catalogue import ENGLISH, words_in
from runtime.board import Board
from runtime.errors import LoadError
from runtime.games.explanation import Reason, Role
from runtime.model import FieldSpec

#: Said of what cannot be explained to a side.
HIDDEN: Final = "depends on what this side does not see"
#: The same to a player.
UNSEEN: Final = "it depends on what you do not see"
_ORIGIN = {"house": "house rule", "published": "published"}


class Rules:
    """The rules of one ruleset, with the labels of *board* where that is not the ruleset's own."""

    def __init__(
        self, ruleset: Ruleset, board: Board | None = None, language: str = ENGLISH
    ) -> None:
        resolved, name = ruleset.resolved, ruleset.name
        if resolved.abstract:
            message = f"the ruleset '{name}' is abstract: it exists only to be extended"
            raise LoadError(message, "name a ruleset that extends it")
        if not ruleset.sound:
            raise LoadError(
                f"the ruleset '{name}' has errors", f"`grognard check {name}` shows them"
            )
        self.ruleset = ruleset
        self.program = ruleset.program
        #: why rules are as they are that are not the rulebook's, by their places
        self.reasons = {one.span: one.reason for one in _rules_among(resolved.decls) if one.reason}
        #: the language in which players are told why, and its words
        self.language = language
        self.plainly = words_in(language)
        self.sources = ruleset.sources
        self.words = Printer(self.program, board)
        #: the IDs of the ruleset's own index and of those that it extends, in this order
        self.index: dict[str, Entry] = {}
        for index in (*resolved.indexes, *reversed(resolved.indexes)):
            self.index.update(index.entries)
        self._known: dict[tuple[str, int], ThingFacts] = {}

    # ------------------------------------------------------------------ words

    def source(self, span: Span) -> str:
        """The text of a span on one line."""
        source = self.sources.get(span.file)
        if span == NOWHERE or source is None:
            return ""
        lines = [line.split("#")[0] for line in source.text[span.start : span.end].splitlines()]
        return " ".join(" ".join(lines).split())

    def under(self, span: Span) -> str:
        """`` (heading)`` of the section that something stands in; nothing where it is in none."""
        heading = self.ruleset.resolved.heading(span)
        return f" ({heading})" if heading else ""

    def text(self, expr: ir.Expr) -> str:
        """An expression as its author wrote it."""
        return self.source(expr.span) or self.words.expr(expr)

    def cite(self, rules: Sequence[str]) -> str:
        """Citations with their topics in the rulebook."""
        shown: list[str] = []
        before = ""
        for rule in rules:
            entry = self.index.get(rule)
            topic = entry.topic if entry is not None and self.language == ENGLISH else ""
            if entry is not None and entry.page:
                page = self.plainly("p. {page}", page=entry.page)
                topic = f"{topic}, {page}" if topic else page
            shown.append(f"{rule} ({topic})" if topic and topic != before else rule)
            before = topic
        return f"[{', '.join(shown)}]" if shown else ""

    def topics(self, rules: Sequence[str]) -> list[str]:
        """What the chapters of the printed rulebook are called that *rules* stand in, with their
        pages.
        """
        pages: dict[str, set[str]] = {}
        for rule in rules:
            entry = self.index.get(rule)
            if entry is not None and entry.page:
                pages.setdefault(entry.topic, set()).add(str(entry.page))
        return [
            f"{topic}, {self.plainly('p. {page}', page=', '.join(sorted(cited, key=_number)))}"
            for topic, cited in pages.items()
        ]

    # ------------------------------------------------------------------ statements

    def statement(
        self,
        text: str,
        rules: Sequence[str] = (),
        below: Iterable[Reason] = (),
        role: Role = "",
        plain: str = "",
        span: Span = NOWHERE,
    ) -> Reason:
        """A statement that cites *rules*; *span* says so."""
        cited = tuple(rules)
        return Reason(text, cited, self.cite(rules), tuple(below), role, plain, place_of(span))

    def refusal_text(self, permission: str, rule: str = "", cited: Sequence[str] = ()) -> str:
        """Why a permission refuses, in a player's words: the text ``why.<rule>``, where no rule
        does ``why.<permission>``; without one, the chapter of the rulebook that the rules *cited*
        stand in, and where there is none, the rule's label.
        """
        return self._text(f"why.{rule or permission}", "") or self._by_topic(cited) or label(rule)

    def _text(self, key: str, default: str) -> str:
        """The text of a *key* in the language of the players, else in English, else the default."""
        texts = self.program.texts
        return texts.get(self.language, {}).get(key) or texts.get(ENGLISH, {}).get(key) or default

    def _by_topic(self, cited: Sequence[str]) -> str:
        """What is said of a rule that has no words of its own: by which chapter of the rulebook it
        is so.
        """
        topic = next((self.index[rule].topic for rule in cited if rule in self.index), "")
        if not topic or self.language != ENGLISH:
            return self.plainly("so the rules have it") if topic else ""
        return self.plainly("so the rules have it: {topic}", topic=topic[:1].lower() + topic[1:])

    def value_name(self, call: str) -> str:
        """How the value of a call is called: the text ``value.<call>``, else its name."""
        return self._text(f"value.{call}", label(call))

    def field_name(self, field: FieldSpec) -> str:
        """How a field is called: the text ``field.<name>``, else its name."""
        return self._text(f"field.{field.base}", label(field.base))

    def rule_statement(
        self, text: str, rule: Cited, role: Role, below: Iterable[Reason] = (), plain: str = ""
    ) -> Reason:
        """A statement about a rule: with what it cites, the cells that it reads, where it comes
        from.
        """
        notes = [self.cite(rule.citations)]
        notes += [f"{one.label} {self.cite(one.citations)}" for one in rule.cells if one.citations]
        origin = _ORIGIN.get(rule.rule.provenance or "", "")
        reason = self.reasons.get(rule.rule.span, "") if origin else ""
        notes.append(f"{origin}: {reason}" if reason else origin)
        notes.append(f"effect {rule.rule.effect}" if rule.rule.effect else "")
        note = "  ".join(filter(None, notes))
        cited, place = tuple(rule.all_citations), place_of(rule.rule.span)
        return Reason(text, cited, note, tuple(below), role, plain, place)


def _rules_among(decls: Iterable[n.Decl]) -> Iterator[n.RuleDecl]:
    """The rules among declarations, also those of effects."""
    for decl in decls:
        if isinstance(decl, n.RuleDecl):
            yield decl
        elif isinstance(decl, n.Effect):
            yield from decl.body


def _number(page: str) -> tuple[int, str]:
    """Pages in their order: *9*, *10*, *10-11*."""
    first = re.match(r"\d+", page)
    return int(first[0]) if first else 0, page


def place_of(span: Span) -> str:
    """Where something is written, as lines of explanations have it; nothing where nobody knows."""
    return f"{span.file}:{span.line}" if span.file else ""


def label(name: str) -> str:
    """A rule's label in words."""
    return name.replace("_", " ")


def cut(text: str, width: int = 110) -> str:
    """A text, shortened where it is longer than *width*."""
    return text if len(text) <= width else text[: width - 1] + "…"
