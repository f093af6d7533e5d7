"""The book of a ruleset: its chapters in the order of the printed rulebook, with examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from compiler.ruleset import Ruleset
from compiler.sources.rulebook import Entry
from dsl import nodes as n
from grognard import places, provenance
from grognard.book.articles import Article, Articles
from grognard.book.illustrations import Illustrations, files_of
from grognard.book.naming import Naming
from grognard.book.phrases import LABELS
from grognard.coverage.rule_coverage import Coverage, case_paths, cover
from grognard.draw.style import Style
from grognard.explain.rules import Rules
from runtime.spelling import natural

#: What bots are told, which is no rule.
_OF_BOTS: Final = frozenset({"standing", "settled", "decision_limit"})
#: Articles that say what there is, rather than what is done or allowed.
_THINGS: Final = ("fields", "enum", "deck", "die", "switch")
#: The file in which a ruleset begins.
_FIRST: Final = "ruleset"
#: By what the topic of a reading of the rules begins.
_READING: Final = "Reading"


@dataclass
class Section:
    """Articles under a heading, and how many of the rules that they cite cases show."""

    title: str
    anchor: str
    articles: list[Article] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    shown: int = 0
    #: the cases that are not shown as examples
    further: list[str] = field(default_factory=list)


@dataclass
class Chapter:
    """The sections of one file."""

    title: str
    anchor: str
    sections: list[Section] = field(default_factory=list)


@dataclass
class ListedRule:
    """A rule ID: where it stands in the printed rulebook, and where in this book."""

    id: str
    topic: str
    page: str
    mechanic: bool
    #: the article that carries it out first, with its name; empty where none does
    anchor: str
    name: str
    in_cases: bool
    reached: bool
    #: the switches that cite it: anchors and names
    switches: list[tuple[str, str]] = field(default_factory=list)
    #: what else leads to it: the numbers that it begins with, and itself where no article does
    targets: list[str] = field(default_factory=list)


@dataclass
class Book:
    """A rulebook as data."""

    title: str
    ruleset: str
    language: str
    naming: Naming
    bases: list[str] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)
    options: list[Article] = field(default_factory=list)
    readings: list[ListedRule] = field(default_factory=list)
    house: list[provenance.Mark] = field(default_factory=list)
    index: list[tuple[str, list[ListedRule]]] = field(default_factory=list)
    coverage: Coverage | None = None
    #: how the sequence of play goes: the name of a step, how deep it is, the procedure
    sequence: list[tuple[int, str, str]] = field(default_factory=list)
    #: the declarations that are rules of the game
    decls: list[n.Decl] = field(default_factory=list)


def book_of(
    ruleset: Ruleset,
    language: str,
    examples: int = 2,
    games: int = 0,
    cases: Sequence[str | Path] = (),
) -> Book:
    """The book of a ruleset.

    *examples*: how many cases each section shows in full.  *games*: over how many random games it
    is counted which rules come up.  *cases* are files and folders beside those of the ruleset.
    LoadError when the ruleset has errors or is abstract, or *cases* are not there.
    """
    rules = Rules(ruleset, language=language)
    return _Binder(ruleset, rules, language).bound(examples, games, cases)


class _Binder:
    """Puts a book together."""

    def __init__(self, ruleset: Ruleset, rules: Rules, language: str) -> None:
        self.ruleset, self.rules, self.language = ruleset, rules, language
        self.resolved = ruleset.resolved
        self.naming = Naming(rules)
        self.decls = list(in_play(self.resolved.decls))
        self.articles = Articles(self.naming, self.decls)
        title = self.naming.text("title") or ruleset.name.replace("_", " ")
        self.book = Book(title, ruleset.name, language, self.naming, decls=self.decls)
        #: where each rule ID is carried out first
        self.first: dict[str, Article] = {}

    def bound(self, examples: int, games: int, cases: Sequence[str | Path]) -> Book:
        """The whole book."""
        book = self.book
        book.bases = [one.name for one in self.resolved.folders[1:]]
        paths = case_paths(self.resolved.folders, cases)
        if self.rules.index:
            book.coverage = cover(self.ruleset, games, cases=cases)
        book.chapters = self._chapters()
        switches = (d for d in self.decls if isinstance(d, n.Switch))
        book.options = [a for d in switches if (a := self.articles.of(d)) is not None]
        self._find_rules()
        if examples:
            self._illustrate(paths, examples)
        book.house = list(provenance.of_ruleset(self.ruleset.folder))
        self._index()
        book.sequence = list(_sequence(self.naming, self.decls))
        return book

    # ------------------------------------------------------------------ chapters

    def _chapters(self) -> list[Chapter]:
        """The files of the whole family, those of one name as one chapter."""
        chapters: dict[str, dict[str, Section]] = {}
        play = ""
        order = {rule: at for at, rule in enumerate(self.rules.index)}
        places_of: dict[str, list[int]] = {}
        base_first = [one.name for one in reversed(self.resolved.folders)]
        ordered = sorted(
            self.decls,
            key=lambda d: (
                base_first.index(d.span.file.partition("/")[0]),
                d.span.file,
                d.span.line,
            ),
        )
        for decl in ordered:
            article = None if isinstance(decl, n.Switch) else self.articles.of(decl)
            if article is None:
                continue
            stem = Path(decl.span.file).stem
            heading = self.resolved.heading(decl.span)
            sections = chapters.setdefault(stem, {})
            if heading not in sections:
                sections[heading] = Section(heading, f"s.{stem}.{len(sections) + 1}")
            sections[heading].articles.append(article)
            begins = decl.span.file if article.anchor == "procedure.play" else ""
            play = Path(begins).stem or play
            found = [order[rule] for rule in article.all_rules if rule in order]
            places_of.setdefault(stem, []).extend(found)

        def place(stem: str) -> tuple[int, float]:
            if stem in (_FIRST, play):
                return int(stem != _FIRST), 0.0
            found = places_of.get(stem)
            return (2, median(found)) if found else (3, 0.0)

        for section in (s for sections in chapters.values() for s in sections.values()):
            section.articles.sort(key=lambda a: a.kind == "fields")
        return [
            Chapter(self._chapter_title(stem), f"c.{stem}", list(chapters[stem].values()))
            for stem in sorted(chapters, key=place)
        ]

    def _chapter_title(self, stem: str) -> str:
        if stem == _FIRST:
            return self.naming.words(LABELS["game"])
        words = stem.replace("_", " ")
        return words[:1].upper() + words[1:]

    def _sections(self) -> Iterator[Section]:
        for chapter in self.book.chapters:
            yield from chapter.sections

    def _find_rules(self) -> None:
        """Where each rule is carried out, and which rules each section is about."""
        named = self.book.coverage.rules() if self.book.coverage is not None else {}
        articles = [*self.book.options]
        for section in self._sections():
            articles += section.articles
            cited = dict.fromkeys(r for article in section.articles for r in article.all_rules)
            section.rules = [rule for rule in cited if rule in named]
            section.shown = sum(named[rule].cases for rule in section.rules)
        for article in sorted(articles, key=lambda a: a.kind in _THINGS):
            for rule in article.all_rules:
                self.first.setdefault(rule, article)

    # ------------------------------------------------------------------ examples

    def _illustrate(self, paths: Iterable[Path], most: int) -> None:
        """Cases as examples, beside what carries out the first of their rules that anything does;
        those with a position and few actions first.
        """
        home = {id(a): section for section in self._sections() for a in section.articles}
        program = places.program_of(self.ruleset)
        makes = Illustrations(self.naming, program, Style.read(self.resolved.folders))
        files = files_of(paths)
        for file in files:
            known = [
                (case, self.first[rule])
                for case in file.cases
                if "balance" not in case.data
                for rule in [next((r for r in case.rules if r in self.first), "")]
                if rule
            ]
            known.sort(key=lambda one: _plainness(one[0].data))
            for case, article in known:
                section = home.get(id(article))
                shown = sum(len(a.examples) for a in section.articles) if section else most
                if section is None:
                    continue
                if shown < most and not article.examples:
                    article.examples.append(makes.of(case, file.scenario))
                else:
                    section.further.append(case.name)

    # ------------------------------------------------------------------ what stands at the end

    def _index(self) -> None:
        """All rule IDs by topic, and what leads to them."""
        book, used = self.book, set[str]()
        covered = book.coverage.rules() if book.coverage is not None else {}
        topics: dict[str, list[ListedRule]] = {}
        for rule, entry in sorted(self.rules.index.items(), key=lambda one: natural(one[0])):
            article = self.first.get(rule)
            own = covered.get(rule)
            listed = ListedRule(
                rule,
                entry.topic,
                str(entry.page or ""),
                entry.mechanic,
                article.anchor if article else "",
                article.name if article else "",
                bool(own and own.cases),
                bool(own and own.reached),
            )
            targets = [one for one in (*_beginnings(rule), rule) if one not in used]
            used.update(targets)
            (article.targets if article is not None else listed.targets).extend(targets)
            listed.switches = [(a.anchor, a.name) for a in book.options if rule in a.rules]
            if entry.topic.startswith(_READING):
                book.readings.append(listed)
            topics.setdefault(self._topic(entry), []).append(listed)
        for rule, article in self.first.items():
            if rule not in self.rules.index:
                article.targets.append(rule)
        book.index = list(topics.items())

    def _topic(self, entry: Entry) -> str:
        if entry.topic.startswith(_READING):
            return self.naming.words(LABELS["readings"])
        return entry.topic


def _plainness(data: dict[str, object]) -> tuple[bool, bool, int]:
    """How well a case serves as an example: with a position, something done, and short."""
    return not data.get("position"), not data.get("actions"), len(repr(data))


def _beginnings(rule: str) -> list[str]:
    """What a rule's number begins with: *X-10*, *X-10.7* of *X-10.7.0.1*."""
    parts = rule.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


# ---------------------------------------------------------------------- what is a rule of the game


def in_play(decls: Sequence[n.Decl]) -> Iterator[n.Decl]:
    """The declarations that are rules of the game: those that play comes to, and the things that
    they are about; not what only bots and forecasts ask.
    """
    named: dict[str, list[n.Decl]] = {}
    for decl in decls:
        named.setdefault(_belongs(decl), []).append(decl)
    roots = [
        d
        for d in decls
        if isinstance(d, n.Check | n.Requirement)
        or (isinstance(d, n.Procedure) and d.name.text == "play")
    ]
    reached: set[str] = set()
    ahead = [*map(_belongs, roots), "score"]
    while ahead:
        name = ahead.pop()
        if name in reached or name in _OF_BOTS:
            continue
        reached.add(name)
        for decl in named.get(name, ()):
            for node in n.below([decl]):
                ahead += _applied_names(node)
    for decl in decls:
        if isinstance(decl, n.Forecast | n.Assume | n.Weight):
            continue
        if not isinstance(decl, _WHERE_USED) or _belongs(decl) in reached:
            yield decl


#: What is a rule of the game only where something comes to it.
_WHERE_USED: Final = (
    n.Function | n.Quantity | n.Permission | n.RuleDecl | n.Travel | n.Procedure | n.Case
    | n.Effect | n.Event | n.Reaction
)  # fmt: skip


def _belongs(decl: n.Decl) -> str:
    """The name by which what a declaration says is come to."""
    if isinstance(decl, n.RuleDecl | n.Case | n.Reaction):
        return decl.signature.name.text
    name = getattr(decl, "name", None)
    return name.text if isinstance(name, n.Ident) else ""


def _applied_names(node: n.Node) -> list[str]:
    """The names of what a node applies."""
    match node:
        case n.Call() | n.EventStmt():
            return [node.name.text]
        case n.Active():
            return [node.effect.text]
        case n.RuleDecl():
            return [node.signature.name.text]
    return []


# ---------------------------------------------------------------------- the sequence of play


def _sequence(naming: Naming, decls: Sequence[n.Decl]) -> Iterator[tuple[int, str, str]]:
    """The steps of play that have names, with those below them: depth, name, what leads there."""
    procedures = {d.name.text: d for d in decls if isinstance(d, n.Procedure)}
    shown: set[str] = set()

    def steps(name: str, depth: int) -> Iterator[tuple[int, str, str]]:
        decl = procedures.get(name)
        if decl is None or name in shown:
            return
        shown.add(name)
        yield from inside(decl.body, name, depth)

    def inside(body: Sequence[n.Stmt], name: str, depth: int) -> Iterator[tuple[int, str, str]]:
        for stmt in body:
            inner = depth
            if isinstance(stmt, n.Step):
                called = naming.text(f"step.{name}.{stmt.name}")
                if called:
                    target = next(
                        (_called_procedure(s) for s in stmt.body if _called_procedure(s)), name
                    )
                    yield depth, called, f"procedure.{target}"
                    inner = depth + 1
            if isinstance(stmt, n.Do | n.LetDo | n.SetDo) and inner < 4:
                yield from steps(stmt.call.name.text, inner)
            for part in _blocks(stmt):
                yield from inside(part, name, inner)

    yield from steps("play", 0)


def _called_procedure(stmt: n.Stmt) -> str:
    return stmt.call.name.text if isinstance(stmt, n.Do | n.LetDo) else ""


def _blocks(stmt: n.Stmt) -> Iterator[tuple[n.Stmt, ...]]:
    """The steps within a step."""
    for name in ("body", "then", "orelse"):
        block = getattr(stmt, name, None)
        if block and not isinstance(block[-1], n.Leave):  # what is played instead of all else
            yield block
