"""What the names in the sources of a ruleset mean: where each thing is declared and used.

The checker has found out what names mean (``Ruleset.uses``); here it is laid out by files.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from compiler.check.context import ABOUT
from compiler.ruleset import Ruleset
from compiler.sources.family import KIND_OF
from dsl import nodes as n
from dsl.source import Span

_WORD = re.compile(r"\w+")
#: The declarations whose locals are their own.
_LOCAL = "local "
_RULED = n.Quantity | n.Permission
#: The meanings of what is declared, its kind, its name, and where that stands.
_Declared: TypeAlias = tuple[tuple[str, ...], str, str, Span]


@dataclass(frozen=True, slots=True)
class Definition:
    """Where something is declared: its *kind* (``procedure``, ``field``, …), its name and the place
    of that, and the declaration that it is or stands in.
    """

    kind: str
    name: str
    at: Span
    decl: n.Decl


@dataclass(slots=True)
class Symbol:
    """One thing that is named: its *meanings* in the checker's words, where it is declared, and
    every place where its name stands.
    """

    meanings: set[str]
    definitions: list[Definition] = field(default_factory=list)
    places: list[Span] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name, as it is declared."""
        if self.definitions:
            return self.definitions[0].name
        return _name_in(min(self.meanings))

    @property
    def kind(self) -> str:
        """What it is: ``procedure``, ``field``, ``local``, ``param``, …; else nothing."""
        if self.definitions:
            return self.definitions[0].kind
        first = min(self.meanings)
        return first.partition(" ")[0] if " " in first else ""

    @property
    def is_local(self) -> bool:
        """Whether it is a local of a declaration, or a parameter."""
        return self.kind in ("local", "param")


class Symbols:
    """The symbols of a ruleset and of those that it extends, by the places of their names."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.resolved = ruleset.resolved
        self.sources = ruleset.sources
        self._parents = ruleset.program.parents
        self._homes = _Homes(self.resolved.written)
        self.symbols: list[Symbol] = []
        self._by_meaning: dict[str, Symbol] = {}
        self._by_file: dict[str, list[tuple[int, int, Symbol]]] = defaultdict(list)
        self._join(self._definitions(), self._uses())

    # ------------------------------------------------------------------ questions

    def symbol_at(self, file: str, offset: int) -> tuple[Symbol, Span] | None:
        """What the name at *offset* of a file means, and the place of that name."""
        named = self._by_file.get(file, [])
        after = bisect_right(named, offset, key=lambda one: one[0])
        for start, end, symbol in reversed(named[max(0, after - 2) : after]):
            if start <= offset <= end:
                return symbol, self.sources[file].span(start, end)
        return None

    def in_file(self, file: str) -> Iterator[tuple[Span, Symbol]]:
        """All names of a file with what they mean, in order."""
        for start, end, symbol in self._by_file.get(file, ()):
            yield self.sources[file].span(start, end), symbol

    def by_meaning(self, meaning: str) -> Symbol | None:
        """The symbol of a meaning (``do attack``, ``Unit.hex``)."""
        return self._by_meaning.get(meaning)

    def by_name(self, name: str) -> list[Symbol]:
        """What is declared under a name, but for locals."""
        return [one for one in self.symbols if one.definitions and one.name == name]

    def around(self, at: Span) -> n.Decl | None:
        """The declaration that a place stands in; of those in an effect, the rule."""
        return self._homes.around(at)

    # ------------------------------------------------------------------ making

    def _join(
        self,
        defined: Iterable[tuple[tuple[str, ...], Definition]],
        used: Iterable[tuple[str, Span]],
    ) -> None:
        """Enter definitions and uses; what stands at one place is one symbol."""
        at: dict[tuple[str, int], Symbol] = {}
        for meanings, definition in defined:
            symbol = self._symbol(meanings, at.get((definition.at.file, definition.at.start)))
            symbol.definitions.append(definition)
            at[definition.at.file, definition.at.start] = symbol
            symbol.places.append(definition.at)
        for meaning, span in used:
            here = (span.file, span.start)
            symbol = at[here] = self._symbol((meaning,), at.get(here))
            symbol.places.append(span)
        unique = {id(symbol): symbol for symbol in self._by_meaning.values()}
        self.symbols = list(unique.values())
        for symbol in self.symbols:
            places = {(one.file, one.start): one for one in symbol.places}
            symbol.places = [places[key] for key in sorted(places)]
            for one in symbol.places:
                self._by_file[one.file].append((one.start, one.end, symbol))
        for named in self._by_file.values():
            named.sort(key=lambda one: one[:2])

    def _symbol(self, meanings: tuple[str, ...], there: Symbol | None) -> Symbol:
        """The symbol that has these meanings, and is what stands *there*."""
        known = [self._by_meaning[one] for one in meanings if one in self._by_meaning]
        known += [there] if there is not None else []
        symbol = known[0] if known else Symbol(set())
        for other in known[1:]:
            if other is not symbol:
                symbol.meanings |= other.meanings
                symbol.definitions += other.definitions
                symbol.places += other.places
                self._by_meaning.update(dict.fromkeys(other.meanings, symbol))
        symbol.meanings.update(meanings)
        self._by_meaning.update(dict.fromkeys(meanings, symbol))
        return symbol

    def _uses(self) -> Iterator[tuple[str, Span]]:
        """What the checker has found names to mean, with the places of the names alone."""
        for meaning, spans in self.ruleset.uses.items():
            thing = meaning.removeprefix(ABOUT)
            name = _name_in(thing)
            for span in dict.fromkeys(spans):
                local = thing.startswith(_LOCAL)
                exact = self._exact(span, None if local else name)
                if exact is not None:
                    yield (self._homes.local(thing, exact) if local else thing), exact
        for decl in self.resolved.written:
            for meaning, ident in _changed_by(decl):
                yield meaning, ident.span

    def _exact(self, span: Span, name: str | None) -> Span | None:
        """The place of a name in a place that may hold more; None where it is not written there."""
        source = self.sources.get(span.file)
        if source is None:
            return None
        text = source.text[span.start : span.end]
        if _WORD.fullmatch(text):
            return span if name is None or text == name else None
        found = [one for one in _WORD.finditer(text) if one[0] == name]
        if not found:
            return None
        return source.span(span.start + found[-1].start(), span.start + found[-1].end())

    def _definitions(self) -> Iterator[tuple[tuple[str, ...], Definition]]:
        for decl in self.resolved.written:
            for meanings, kind, name, span in self._declares(decl):
                at = self._exact(span, name)
                if at is not None:
                    yield meanings, Definition(kind, name, at, decl)

    def _declares(self, decl: n.Decl) -> Iterator[_Declared]:
        """What a declaration declares: its meanings, its kind, its name, and where that stands."""
        match decl:
            case n.Replace():
                yield from self._declares(decl.decl)
            case n.Extend():
                yield from self._parts(decl, decl.name.text)
            case n.Sides():
                for one in decl.names:
                    yield (f"Side.{one}",), "side", one.text, one.span
            case n.Measures():
                for one in decl.names:
                    yield (one.text,), "measure", one.text, one.span
            case n.Fields() | n.Case() | n.Header() | n.RuleDecl(kind="suspend"):
                pass
            case n.RuleDecl():
                meaning = f"rule {decl.signature.name}.{decl.name}"
                yield (meaning,), "rule", decl.name.text, decl.name.span
            case _:
                name = getattr(decl, "name", None)
                kind = KIND_OF.get(type(decl), type(decl).__name__.lower())
                if isinstance(name, n.Ident):
                    meaning = _MEANT.get(type(decl), f"{kind} {{}}").format(name)
                    yield (meaning,), kind, name.text, name.span
        if isinstance(decl, n.Effect):
            yield from (one for rule in decl.body for one in self._declares(rule))
        if isinstance(decl, n.Fields | n.Piece | n.EnumDecl | n.Table | n.Deck):
            yield from self._parts(
                decl, (decl.enum if isinstance(decl, n.Table) else decl.name).text
            )

    def _parts(self, decl: n.Decl, owner: str) -> Iterator[_Declared]:
        """The fields, members, columns and piles of a declaration."""
        owners = (owner, *self._parents.get(owner, ()))
        for member in getattr(decl, "members", ()):
            yield (f"{owner}.{member.text}",), "member", member.text, member.span
        for kind in ("fields", "columns"):
            for part in getattr(decl, kind, ()):
                meanings = tuple(f"{one}.{part.name}" for one in owners)
                yield meanings, kind[:-1], part.name.text, part.name.span
        for pile in getattr(decl, "piles", ()):
            yield (f"pile {pile.name}",), "pile", pile.name.text, pile.name.span


def _changed_by(decl: n.Decl) -> Iterator[tuple[str, n.Ident]]:
    """What verbs and further fields name that is declared elsewhere."""
    match decl:
        case n.Replace(decl=n.Fields(name=name)) | n.Fields(name=name):
            yield name.text, name
        case n.Insert():
            yield f"do {decl.procedure}", decl.procedure
        case n.Extend():
            yield _meaning("table" if decl.kind == "rows" else decl.kind, decl.name), decl.name
        case n.Drop(of=None):
            yield _meaning(decl.kind, decl.name), decl.name
        case n.Drop(kind="rule", of=n.Ident() as of):
            yield f"rule {of}.{decl.name}", decl.name
            yield f"call {of}", of
        case n.Drop(kind="field" | "column" | "member", of=n.Ident() as of):
            yield f"{of}.{decl.name}", decl.name
            yield of.text, of


def _meaning(kind: str, name: n.Ident) -> str:
    """The checker's word for what a verb calls by its kind and name."""
    kinds = {**{KIND_OF[decl]: meant for decl, meant in _MEANT.items()}, "fields": "{}"}
    return kinds.get(kind, "{}" if kind == "measure" else f"{kind} {{}}").format(name)


#: What stands in the checker's words for declarations that it calls otherwise than by their kind.
_MEANT: dict[type[n.Decl], str] = {
    n.Function: "call {}",
    n.Quantity: "call {}",
    n.Permission: "call {}",
    n.Procedure: "do {}",
    n.Switch: "{}",
    n.Weight: "{}",
    n.EnumDecl: "{}",
    n.Piece: "{}",
}


class _Homes:
    """Where locals are at home: in the declaration that they stand in, but for the parameters of
    quantities, permissions and effects, which their rules share.
    """

    def __init__(self, written: Iterable[n.Decl]) -> None:
        self._by_file: dict[str, list[n.Decl]] = defaultdict(list)
        self._params: dict[str, set[str]] = {}
        self._effects: dict[int, n.Effect] = {}
        for decl in written:
            whole = decl.decl if isinstance(decl, n.Replace) else decl
            self._by_file[decl.span.file].append(whole)
            if isinstance(whole, _RULED):
                self._params[whole.name.text] = {p.name.text for p in whole.params}
            if isinstance(whole, n.Effect):
                self._by_file[decl.span.file] += whole.body
                self._effects.update((id(rule), whole) for rule in whole.body)
        for decls in self._by_file.values():
            decls.sort(key=lambda one: (one.span.start, -one.span.end))
        self._starts = {
            file: [one.span.start for one in decls] for file, decls in self._by_file.items()
        }

    def around(self, at: Span) -> n.Decl | None:
        """The innermost declaration that a place stands in."""
        decls = self._by_file.get(at.file, [])
        i = bisect_right(self._starts.get(at.file, []), at.start) - 1
        while i >= 0 and not decls[i].span.holds(at):
            i -= 1
        return decls[i] if i >= 0 else None

    def local(self, meaning: str, at: Span) -> str:
        """The meaning of a local at a place, with the declaration that it belongs to."""
        unique = meaning.removeprefix(_LOCAL)
        home = self.around(at)
        if home is None:
            return meaning
        if isinstance(home, n.RuleDecl):
            effect, target = self._effects.get(id(home)), home.signature.name.text
            if unique in self._params.get(target, ()):
                if not home.signature.params:
                    return f"param {target}.{unique}"
            elif effect is not None:  # a number follows where the head has taken the name
                own = {p.name.text for p in effect.params}
                name = unique if unique in own else re.sub(r"_\d+$", "", unique)
                home, unique = (effect, name) if name in own else (home, unique)
        elif isinstance(home, _RULED):
            return f"param {home.name}.{unique}"
        return f"{_LOCAL}{home.span.file}:{home.span.start}.{unique}"


def _name_in(meaning: str) -> str:
    """The name in a meaning: behind what it is, and whose."""
    return meaning.rpartition(" ")[2].rpartition(".")[2]
