"""What checking a declaration has given, kept until it changes, or something that it hangs on.

A declaration is checked by the signatures of all others, never by their bodies.  So what it gives
follows from its nodes, from what all declarations may hang on (kinds, fields, enums …), and from
the signatures of what it names.  These are compared; places are not, for what has something to
report, and so may tell the place of another declaration, is not kept; and where other numbers have
been given before (of decisions, notes), it is copied with those of now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, KeysView
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from compiler import ir
from compiler.check.context import Context, NoteSignature, number_of
from compiler.check.expressions.travels import enter_via
from compiler.check.secrecy.leaks import LeakCache
from compiler.check.tree_cache import RecentCache, TreeCache
from compiler.types import Type
from dsl import nodes as n
from dsl.moving import Move
from dsl.source import Span
from runtime.model import DecisionSpec

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Environment:
    """What declarations are checked by: *common* by all of it, *named* only where they name it; the
    names are the last words of its keys.
    """

    common: tuple[object, ...] = ()
    named: dict[tuple[str, ...], object] = field(default_factory=dict)

    @classmethod
    def of_names(cls, ctx: Context) -> Environment:
        """What tables and signatures are checked by: the names that have been entered."""
        p = ctx.program
        names = (p.enums, p.measures, p.kinds, p.parents, p.board, ctx.poisoned, ctx.orphans)
        return cls(tuple(map(_snapshot, names)))

    @classmethod
    def of(cls, ctx: Context) -> Environment:
        """What the declarations say whose signatures have been entered."""
        p = ctx.program
        weights = {name: weight.place for name, weight in p.weights.items()}
        values = (p.bases, p.sides, p.enums, p.measures, p.switches, p.scopes, weights)
        things = (p.dice, p.decks, p.piles, p.board, p.effects)
        anywhere = tuple(f for f in p.fields.values() if f.place or f.seen_by)
        pieces = (p.kinds, p.parents, p.shared, anywhere)
        words = (ctx.poisoned, ctx.orphans, ctx.members)
        common = (*values, *things, *pieces, *words)
        named: dict[tuple[str, ...], Any] = {("assumed", word): True for word in ctx.assumed}
        for key, f in p.fields.items():
            begun = f, key in p.initials
            named.setdefault(("field", f.owner, f.base), []).append(begun)
            named.setdefault(("fields", all_fields_key(f.owner)), []).append(begun)
            if f.lasts:
                named.setdefault(("lasting", f.lasts), []).append(f)
        for call in p.calls.values():
            head = call.kind, _types(call.params), call.type
            named["call", call.name] = (*head, call.default, call.stages)
        for procedure in p.procedures.values():
            named["do", procedure.name] = signature(procedure)
        for forecast in p.forecasts.values():
            named["forecast", forecast.name] = signature(p.procedures[forecast.procedure])
        for key, column in p.columns.items():
            named["column", *key] = column
        for name, matrix in p.matrices.items():
            named["matrix", name] = matrix
        for suspect in ctx.suspects:
            for word in re.findall(r"\w+", suspect):
                named["suspect", suspect, word] = True
        return cls(tuple(map(_snapshot, common)), named).with_travels(ctx)

    def with_travels(self, ctx: Context) -> Environment:
        """The same with the travels as they are entered now."""
        named = dict(self.named)
        for travel in ctx.program.travels.values():
            named["travel", travel.name] = _types(travel.params), travel.budget.type, travel.via_of
        return Environment(self.common, named)

    def changed_since(self, before: Environment) -> frozenset[str] | None:
        """The names of what is no longer what it was; None where that may concern all."""
        if self.common != before.common:
            return None
        if self.named == before.named:
            return frozenset()
        keys = self.named.keys() | before.named.keys()
        return frozenset(k[-1] for k in keys if self.named.get(k) != before.named.get(k))


def _snapshot(value: Any) -> object:
    """What nobody changes, equal where *value* is, and in the same order."""
    match value:
        case dict():
            return tuple((key, _snapshot(item)) for key, item in value.items())
        case list():
            return tuple(value)
        case set() | KeysView():
            return frozenset(value)
    return value


def _types(params: Iterable[ir.ParamInfo]) -> tuple[tuple[str, object], ...]:
    return tuple((param.name, param.type) for param in params)


def signature(procedure: ir.Procedure) -> tuple[object, ...]:
    """What others know of a procedure."""
    return procedure.name, _types(procedure.params), procedure.type, procedure.case_of


@dataclass(frozen=True)
class Numbers:
    """What has been numbered: so many decisions, notes, and what is observed; and the measures in
    which *dice* are rolled.
    """

    decisions: int
    notes: tuple[NoteSignature, ...]
    outcomes: tuple[NoteSignature, ...]
    dice: tuple[tuple[str, Type], ...]


@dataclass
class CheckedPart:
    """What checking some *nodes* has given: its *result*, and what it has *added* to the lists of
    the context, by their places among these.  It hangs on what was *given*, and on the measures of
    dice; numbers begin with the *numbers* where that is not None.
    """

    environment: Environment
    nodes: tuple[n.Node, ...]
    given: object
    result: Any
    added: tuple[tuple[int, list[Any]], ...]
    raised: list[tuple[str, tuple[n.Decl, ...]]]
    over: list[str]
    created: list[str]
    lined: list[Span]
    notes: list[NoteSignature]
    observed: list[NoteSignature]
    numbers: Numbers | None

    @cached_property
    def words(self) -> frozenset[str]:
        """All words in the nodes, and in the declarations that are looked into besides; and that
        all fields of a kind are asked for.
        """
        inner = [decl for _, decls in self.raised for decl in decls]
        return frozenset(_words_in((*self.nodes, *inner))).union(map(all_fields_key, self.created))


def all_fields_key(kind: str) -> str:
    """What stands among names for all fields of the pieces of a kind."""
    return f"all of {kind}"


def _words_in(nodes: Iterable[n.Node]) -> Iterator[str]:
    for node in n.below(nodes):
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            if isinstance(value, str):
                yield value
            elif isinstance(value, tuple):
                yield from (item for item in value if isinstance(item, str))


#: What declarations gave, by the identities of their nodes, which are kept with it.
CheckedParts = RecentCache[tuple[int, ...], CheckedPart]


@dataclass
class CheckCache:
    """What is kept between texts of a ruleset: of tables and signatures, of all fields together, of
    travels, of bodies.
    """

    #: whether a text has been checked
    begun: bool = False
    heads: CheckedParts = field(default_factory=RecentCache)
    fields: CheckedParts = field(default_factory=RecentCache)
    travels: CheckedParts = field(default_factory=RecentCache)
    bodies: CheckedParts = field(default_factory=RecentCache)
    #: the texts, and what they hang on, where there was nothing to report of them
    texts: object = None
    trees: TreeCache = field(default_factory=TreeCache)
    tight: LeakCache = field(default_factory=LeakCache)


class CachingChecker:
    """Checks declarations of one text, or takes over what is *known* of them from others."""

    def __init__(self, ctx: Context, known: CheckedParts, environment: Environment) -> None:
        self.ctx = ctx
        self.known = known
        known.begin_text()
        self.environment = environment
        self.suspects = len(ctx.suspects)
        self.lists = ctx.growing
        #: by the identity of an environment, what has changed since
        self._changed: dict[int, frozenset[str] | None] = {}

    def check(
        self, nodes: tuple[n.Node, ...], given: object, check: Callable[[], _Result]
    ) -> _Result:
        """What *check* gives, which looks at *nodes* and at what is *given*, and changes nothing
        but the lists of the context.
        """
        ctx, key = self.ctx, tuple(map(id, nodes))
        part = self._cached(nodes, given)
        if part is not None:
            for number, added in part.added:
                self.lists[number].extend(added)
            for name in part.over:
                enter_via(ctx.program, name)
            for told in part.notes:
                number_of(told, ctx.note_numbers)
            for told in part.observed:
                number_of(told, ctx.outcome_numbers)
            part.environment = self.environment
            self.known.enter(key, part)
            result: _Result = part.result
            return result
        sizes, numbers = list(map(len, self.lists)), self._numbers()
        complaints = ctx.complaints
        result = check()
        if ctx.complaints == complaints and len(ctx.suspects) == self.suspects:
            self.known.enter(key, self._new_part(nodes, given, result, sizes, numbers))
        return result

    def _cached(self, nodes: tuple[n.Node, ...], given: object) -> CheckedPart | None:
        """What is known of *nodes*, if it still holds; taken along where they stood elsewhere."""
        for part in self.known.recent(tuple(map(id, nodes))):
            if self._holds(part, given):
                return self._relocated(part, nodes, nodes)
        moved = self.ctx.moved
        before = tuple(moved.get(id(node), node) for node in nodes)
        for part in self.known.recent(tuple(map(id, before))):
            if self._holds(part, given):
                return self._relocated(part, before, nodes)
        return None

    def _relocated(
        self, part: CheckedPart, before: tuple[n.Node, ...], nodes: tuple[n.Node, ...]
    ) -> CheckedPart | None:
        """What is known of the nodes of *before*, where they stand now, and with the numbers of
        now; None where it matters where they stand.
        """
        ctx = self.ctx
        inner = (
            zip(decls, ctx.window_declarations(event), strict=True) for event, decls in part.raised
        )
        pairs = chain(zip(before, nodes, strict=True), *inner)
        moves = [(old, new) for old, new in pairs if old is not new]
        numbers = self._numbers() if part.numbers is not None else None
        if not moves and numbers == part.numbers:
            return part
        if part.lined and any(old.span.line != new.span.line for old, new in moves):
            return None
        move = Move(moves, _changes(part, numbers))
        result, added, raised = move(part.result), move(part.added), move(part.raised)
        ctx.trees.record_moves(move.made.values())
        part = replace(part, nodes=nodes, result=result, added=added, raised=raised)
        part.numbers = numbers
        return part

    def _new_part(
        self,
        nodes: tuple[n.Node, ...],
        given: object,
        result: object,
        sizes: list[int],
        numbers: Numbers,
    ) -> CheckedPart:
        ctx = self.ctx
        own = {id(all_): all_[size:] for all_, size in zip(self.lists, sizes, strict=True)}
        added = [(i, more) for i, all_ in enumerate(self.lists) if (more := own[id(all_)])]
        return CheckedPart(
            *(self.environment, nodes, given, result, tuple(added)),
            raised=own[id(ctx.raised)],
            over=own[id(ctx.over)],
            created=own[id(ctx.created)],
            lined=own[id(ctx.lined)],
            notes=own[id(ctx.notes)],
            observed=own[id(ctx.observed)],
            numbers=numbers if own[id(ctx.numbered)] else None,
        )

    def _holds(self, part: CheckedPart, given: object) -> bool:
        """Whether the same would be found."""
        ctx = self.ctx
        if part.given != given or len(ctx.suspects) != self.suspects:
            return False
        if part.numbers is not None and part.numbers.dice != self._dice():
            return False
        if not all(
            self._are_same(decls, ctx.window_declarations(event)) for event, decls in part.raised
        ):
            return False
        changed = self._changed_since(part.environment)
        return changed is not None and (not changed or changed.isdisjoint(part.words))

    def _changed_since(self, before: Environment) -> frozenset[str] | None:
        if id(before) not in self._changed:
            self._changed[id(before)] = self.environment.changed_since(before)
        return self._changed[id(before)]

    def _numbers(self) -> Numbers:
        """What has been numbered until now."""
        ctx = self.ctx
        told = tuple(ctx.note_numbers), tuple(ctx.outcome_numbers)
        return Numbers(len(ctx.program.decisions), *told, self._dice())

    def _dice(self) -> tuple[tuple[str, Type], ...]:
        return tuple((die, type_) for die, type_, _ in self.ctx.rolled)

    def _are_same(self, before: tuple[n.Decl, ...], now: tuple[n.Decl, ...]) -> bool:
        """Whether declarations are the very ones of before, wherever they stand."""
        moved = self.ctx.moved
        pairs = zip(before, now, strict=False)
        return len(before) == len(now) and all(
            old is new or moved.get(id(new)) is old for old, new in pairs
        )


def _changes(part: CheckedPart, numbers: Numbers | None) -> dict[type, Callable[[Any], Any]]:
    """What there is to change in what a part has given where numbers begin with other ones."""
    before = part.numbers
    if before is None or numbers is None or before == numbers:
        return {}
    further = numbers.decisions - before.decisions
    notes = _renumbered(part.notes, before.notes, numbers.notes)
    outcomes = _renumbered(part.observed, before.outcomes, numbers.outcomes)
    return {
        DecisionSpec: lambda spec: replace(spec, index=spec.index + further),
        ir.Offered: lambda e: replace(e, option=(e.option[0] + further, e.option[1])),
        ir.Note: lambda note: replace(note, index=notes[note.index]),
        ir.Observe: lambda observe: replace(observe, index=outcomes[observe.index]),
    }


def _renumbered(
    own: Iterable[NoteSignature], before: Iterable[NoteSignature], now: Iterable[NoteSignature]
) -> dict[int, int]:
    """By the number that each of *own* had, where others had numbers *before*, the one of now."""
    own = tuple(own)
    numbers = {one: number for number, one in enumerate(dict.fromkeys((*now, *own)))}
    old = enumerate(dict.fromkeys((*before, *own)))
    return {number: numbers[one] for number, one in old if one in numbers}
