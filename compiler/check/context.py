"""What all parts of the checker share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from compiler import ir
from compiler.check.chart import Chart
from compiler.check.tree_cache import TreeCache
from compiler.sources.files import Files
from compiler.sources.rulebook import CarriedCitations
from compiler.types import BAD, BOOL, HEX, INT, Type, from_spec, set_of
from dsl import nodes as n
from dsl.diagnostics import (
    Diagnostic,
    Label,
    MisfitCall,
    Severity,
    Subject,
    Unknown,
    Use,
    did_you_mean,
)
from dsl.source import Source, Span
from runtime.model import FieldSpec, TypeSpec
from runtime.words.said import fill_in, said

_Thing = TypeVar("_Thing")

#: How findings are mended that say no more about it themselves.
_REMEDIES = {
    "R104": "rename one of the two",
    "F402": "write a member of the enum",
    "T301": "write a value of the expected type, or change what expects it",
    "T302": "use numbers of one measure",
    "T303": "give one argument for each parameter",
    "T307": "write a set, a kind, an enum, a pile, a roll or a range a .. b",
    "F405": "make them agree",
}
_WORDS = "a value that is one of several words is a member of an enum; words for players are texts"
_WHOLE = "numbers are whole: 'int', or a measure"
_SET = "several of one type are a 'set of T'"
#: Types of other languages, and what is written for them.
_TYPES = {
    "weight": "it is the type of columns alone, and without '?': weights are read as int",
    "string": _WORDS,
    "str": _WORDS,
    "text": _WORDS,
    "float": _WHOLE,
    "double": _WHOLE,
    "decimal": _WHOLE,
    "list": _SET,
    "array": _SET,
}
#: Types that have no members, where an enum is wanted: what stands for one there.
_NO_ENUMS = {
    "bool": "'bool' has no members: declare an enum of two, and read it with 'if c then … else …'",
    "int": "'int' has no members: numbers stand along a side of a matrix and on a die as 'a .. b'",
    "Hex": "hexes have no rows of their own: declare a field of Hex, or an enum",
}
#: Begins what :attr:`Context.uses` holds under what is only said about something.
ABOUT = "about "
#: With how many names unknown ones are compared: a ruleset with more is no slip of the fingers.
COMPARISONS = 100_000


#: What is noted or observed: its name, and the types of its arguments.
NoteSignature = tuple[str, tuple[TypeSpec, ...]]


def number_of(told: NoteSignature, numbers: dict[NoteSignature, int]) -> int:
    """The number of what is told; the next one where it has none."""
    return numbers.setdefault(told, len(numbers))


@dataclass
class EventInfo:
    """An event with its reactions, in order of declaration, and what they call its parameters."""

    decl: n.Event
    reactions: list[tuple[n.Reaction, tuple[str, ...]]] = field(default_factory=list)


@dataclass
class Context:
    """The program being built, the findings, and what has been used."""

    program: ir.Program
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: declarations that are known to be wrong, by name, and where that has shown: what depends on
    #: them says nothing
    suspects: dict[str, Span] = field(default_factory=dict)
    #: names that mean two things: what they stand for says nothing
    poisoned: set[str] = field(default_factory=set)
    #: kinds of pieces whose parent, which may declare more of their fields, is unknown
    orphans: set[str] = field(default_factory=set)
    #: how many names have been compared with unknown ones
    _compared: int = 0
    events: dict[str, EventInfo] = field(default_factory=dict)
    #: members by name: the enums that have them
    members: dict[str, list[str]] = field(default_factory=dict)
    #: where each field is declared: "Owner.field"
    field_spans: dict[str, Span] = field(default_factory=dict)
    #: where the measures of fields were written down
    measured: dict[str, Span | None] = field(default_factory=dict)
    #: where files that belong to the ruleset are looked for
    folders: list[Path] = field(default_factory=list)
    files: Files = field(default_factory=Files)
    #: all sources by the name shown to people, also those that are read while checking
    sources: dict[str, Source] = field(default_factory=dict)
    #: what follows from trees that have not changed
    trees: TreeCache = field(default_factory=TreeCache)
    #: by the identities of declarations that only stand elsewhere than before: as they were
    moved: dict[int, n.Node] = field(default_factory=dict)
    #: by call, the expressions that it may ask (:func:`compiler.check.analysis.call_expressions`)
    asked: dict[str, list[ir.Expr]] = field(default_factory=dict)
    #: how often something was to be reported, whether it was or not
    complaints: int = 0

    # What checking a declaration adds stands in lists that only grow (:attr:`growing`).

    #: where names are used, each with what it means
    used: list[tuple[str, Span]] = field(default_factory=list)
    #: where two measures were written down that are the same
    alike: list[tuple[Span, Span]] = field(default_factory=list)
    #: what stands for which rule IDs, and what is remarked of it
    cited: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    #: the labels of hexes that rules name
    labelled: list[tuple[str, Span]] = field(default_factory=list)
    #: notes, and what is observed, wherever it is
    notes: list[NoteSignature] = field(default_factory=list)
    observed: list[NoteSignature] = field(default_factory=list)
    #: the measure in which each die is rolled, and where first
    rolled: list[tuple[str, Type, Span]] = field(default_factory=list)
    #: the conditions of veils
    veils: list[ir.Expr] = field(default_factory=list)
    #: the places of what is shown on purpose: ``show(e)``
    shown: list[Span] = field(default_factory=list)
    #: heads that name the parameters as they are declared
    repeated: list[n.Signature] = field(default_factory=list)
    #: the events of which windows are made, with the declarations that these are made of
    raised: list[tuple[str, tuple[n.Decl, ...]]] = field(default_factory=list)
    #: the travels that are asked for over a certain hex, and those whose ways are asked for
    over: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    #: the kinds of pieces of which one is created, which asks for all their fields
    created: list[str] = field(default_factory=list)
    #: something for each mixing of pieces
    mixed_up: list[Span] = field(default_factory=list)
    #: something for each question to which the answer hangs on what was checked before
    numbered: list[Span] = field(default_factory=list)
    #: steps that are called by the number of their line
    lined: list[Span] = field(default_factory=list)

    #: the numbers of notes, and of what is observed
    note_numbers: dict[NoteSignature, int] = field(default_factory=dict)
    outcome_numbers: dict[NoteSignature, int] = field(default_factory=dict)

    #: the file of the board
    chart: Chart = field(default_factory=Chart)
    #: whether the board says that distances are meant to be those of the grid
    grid_distances: bool = False

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        remedy: str = "",
        labels: tuple[Label, ...] = (),
        citation: tuple[str, ...] = (),
        severity: Severity = Severity.ERROR,
        about: tuple[Subject, ...] = (),
        types: tuple[Type, ...] = (),
    ) -> None:
        """Report a finding, once; of *types* of which one is wrong nothing is said."""
        self.complaints += 1
        if (code, message, span) in self._reported or any(t.wrong for t in types):
            return
        self._reported.add((code, message, span))
        remedy = remedy or _REMEDIES.get(code, "")
        self.diagnostics.append(
            Diagnostic(code, message, span, severity, labels, citation, remedy, about)
        )

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        remedy: str = "",
        labels: tuple[Label, ...] = (),
        about: tuple[Subject, ...] = (),
    ) -> None:
        """Report what does not stop compilation."""
        self.error(code, message, span, remedy, labels, (), Severity.WARNING, about)

    def report_misfit(
        self, message: str, span: Span, *types: Type, remedy: str = "", code: str = "T301"
    ) -> None:
        """Report that types do not fit, which *message* names as ``{0}``, ``{1}``."""
        words = {str(number): type_ for number, type_ in enumerate(types)}
        self.error(code, fill_in(message, **words), span, remedy, types=types)

    def require_not_none(
        self, value: ir.Expr, wanted: Type, what: str, span: Span, remedy: str
    ) -> None:
        """Report a value that may be none where one of the type *wanted* may not."""
        certain = wanted.optional or wanted.kind == "bad"
        if value.type.optional and value.type.kind != "none" and not certain:
            self.error(
                "T304", said("this may be none, but {what} may not", what=what), span, remedy
            )

    def report_mixed(
        self,
        message: str,
        span: Span,
        one: Type,
        other: Type,
        remedy: str = "",
        labels: tuple[Label, ...] = (),
    ) -> None:
        """Report that numbers of two measures meet, and where these were written down."""
        pairs = [(a.origin, a, b) for a, b in ((one, other), (other, one)) if a.origin is not None]
        about = tuple(Use(at, str(a.plain()), str(b.plain())) for at, a, b in pairs)
        elsewhere = [use for use in about if not span.holds(use.declared_at)]
        labels += tuple(
            Label(use.declared_at, said("declared as {declared}", declared=use.declared))
            for use in elsewhere
        )
        self.error("T302", message, span, remedy, labels, about=about, types=(one, other))

    def report_placeless(self, kind: str, message: str, span: Span) -> None:
        """Report a kind without a place where one is needed, and suspect a field that may be it."""
        for one in self.program.fields.values():
            if one.owner == kind and one.type.kind == "hex" and not one.per:
                self.suspects.setdefault(f"{kind}.{one.name}", span)
                break
        self.error("T301", message, span, "give it a field: hex: Hex place")

    def agree(self, one: Type, other: Type) -> None:
        """Remember that numbers of one measure meet, where it was written down for both."""
        alike = one.kind == other.kind == "int" and one.name == other.name
        if alike and one.origin and other.origin and one.origin != other.origin:
            self.alike.append((one.origin, other.origin))

    def field_type(self, field: FieldSpec) -> Type:
        """The type of a field, as it was declared."""
        origin = self.measured.get(f"{field.owner}.{field.base}")
        known = self._field_types.get(id(field))
        if known is None or known[1].origin is not origin:
            type_ = replace(from_spec(field.type), origin=origin)
            known = self._field_types[id(field)] = field, type_
        return known[1]

    def window_declarations(self, event: str) -> tuple[n.Decl, ...]:
        """The declarations of which the windows of an event are made."""
        info = self.events.get(event)
        return () if info is None else (info.decl, *(reaction for reaction, _ in info.reactions))

    def use(self, meaning: str, at: Span) -> None:
        """Remember that what stands at a place means something (:attr:`uses`)."""
        self.used.append((meaning, at))

    def mention(self, meaning: str, at: Span) -> None:
        """Remember that something is said about what nothing need use for that: a row, a head."""
        self.use(f"{ABOUT}{meaning}", at)

    def look_up(
        self, what: str, name: n.Ident, things: Mapping[str, _Thing], code: str = "R201"
    ) -> _Thing | None:
        """What is called *name*, which is used by that; None, and a finding, where nothing is."""
        if what == "enum":  # its members are; a table or a scale along it asks none of them
            self.mention(name.text, name.span)
        else:
            self.use(f"{what} {name}", name.span)
        if name.text not in things:
            self.report_unknown(code, what, name, things)
        return things.get(name.text)

    def report_unknown(
        self,
        code: str,
        what: str,
        name: n.Ident | n.Name,
        known: Iterable[str],
        otherwise: str = "",
        unsure: bool = False,
        wanted: Type | None = None,
    ) -> None:
        """Report a name that does not exist, with the nearest that does."""
        text = name.name if isinstance(name, n.Name) else name.text
        remedy = otherwise or said("declare it, or check the spelling of '{text}'", text=text)
        if what == "owner of fields" and text in (*self.program.kinds, *self.program.parents):
            known, remedy = (), said("its fields stand in 'piece {text} { … }'", text=text)
        if text in _NO_ENUMS and what in ("enum", "owner of fields"):
            message = said("'{text}' is a type, but no {what}", text=text, what=what)
            self.report_unmatched(code, message, text, name.span, (), _NO_ENUMS[text])
        else:
            message = said("unknown {what} '{text}'", what=what, text=text)
            self.report_unmatched(
                code, message, text, name.span, known, remedy, what, unsure, wanted
            )

    def report_unmatched(
        self,
        code: str,
        message: str,
        text: str,
        span: Span,
        known: Iterable[str],
        otherwise: str,
        what: str = "",
        unsure: bool = False,
        wanted: Type | None = None,
    ) -> None:
        """Report that nothing *known* is called so; *unsure*: it might, but for another mistake."""
        known = tuple(known)
        self._compared += len(known)
        if self._compared > COMPARISONS:
            known = ()
        near = did_you_mean(text, known)
        type_ = str(wanted) if wanted is not None else ""
        about = Unknown(text, what, bool(near), unsure, known, type_)
        self.error(code, message, span, near or otherwise, about=(about,))

    def cite(self, what: str, rules: tuple[str, ...], remark: str = "") -> None:
        """Remember that *what* stands for these rule IDs, and what is remarked of it."""
        self.cited.append((what, rules, remark))

    @property
    def growing(self) -> tuple[list[Any], ...]:
        """The lists that only grow: what checking a declaration adds is the end of each."""
        program = self.program
        asked = (program.decisions, program.decision_nodes)
        made = (program.steps, program.unknown)
        told = (self.notes, self.observed, self.rolled, self.veils, self.shown, self.repeated)
        met = (self.used, self.alike, self.cited, self.labelled, self.over, self.ways, self.created)
        return (*asked, *made, *told, *met, self.raised, self.mixed_up, self.numbered, self.lined)

    @cached_property
    def uses(self) -> dict[str, list[Span]]:
        """Where names are used, by what they mean, when all is checked: ``call f``, ``do p``,
        ``pile p``, ``local x``, …, a type, switch or weight by its name alone, ``Owner.name`` for
        fields, columns and members.
        """
        uses: dict[str, list[Span]] = {}
        for meaning, at in self.used:
            uses.setdefault(meaning, []).append(at)
        return uses

    @cached_property
    def agreement_counts(self) -> Counter[Span]:
        """Where measures were written down that are met by the same one, and how often they are,
        when all is checked.
        """
        return Counter(chain.from_iterable(self.alike))

    def mark(self, program: ir.Program) -> None:
        """Enter what rules and hexes things stand for."""
        for what, rules, remark in self.cited:
            if remark:
                program.remarks[what] = remark
            for rule in (*rules, *(rules.own if isinstance(rules, CarriedCitations) else ())):
                program.citations.setdefault(rule, []).append(what)
        for label, span in self.labelled:
            program.labels.setdefault(label, span)

    def settle(self) -> None:
        """Enter into the program what has been added."""
        program = self.program
        program.notes += [name for name, _ in self.note_numbers]
        program.note_types += [types for _, types in self.note_numbers]
        program.outcomes += self.outcome_numbers
        program.ways.update(self.ways)
        program.streams = int(bool(self.mixed_up))

    def add_procedure(
        self,
        decl: n.Procedure | n.Case | n.Reaction | n.Forecast,
        name: str,
        params: list[ir.ParamInfo],
        type_: Type,
        cited: str,
        case_of: str | None = None,
    ) -> None:
        """Enter the procedure that a declaration is; its rules stand for *cited*."""
        procedure = ir.Procedure(name, params, type_, case_of=case_of, span=decl.span)
        procedure.rules, procedure.provenance = decl.rules, decl.provenance
        self.program.procedures[name] = procedure
        self.cite(cited, decl.rules)

    def parameter_names(
        self, signature: n.Signature, declared: Sequence[str], what: str, span: Span
    ) -> tuple[str, ...] | None:
        """What a head calls the parameters *declared* at *span*: so, or by names of its own.

        None, and a finding, where it names another number of them.
        """
        names, count = tuple(ident.text for ident in signature.params), len(declared)
        if not names:
            return tuple(declared)
        if len(names) != count:
            remedy = "leave them out"
            if declared:
                remedy += said(
                    ", or rename all: {name}({declared})",
                    name=signature.name,
                    declared=", ".join(declared),
                )
            whose = f"{what} {signature.name}"
            message = said(
                "{whose} has {count: 1 # parameter | # parameters}, this names {named}",
                whose=whose,
                count=count,
                named=len(names),
            )
            about = (MisfitCall(f"head of {whose}", len(names)),)
            labels = (Label(span, "declared here"),)
            self.error("T303", message, signature.span, remedy, labels, about=about)
            return None
        if names == tuple(declared):
            self.repeated.append(signature)
        return names

    #: the names in what forecasts assume
    assumed: set[str] = field(default_factory=set)
    _reported: set[tuple[str, str, Span]] = field(default_factory=set)
    #: by the identities of fields, which are kept with their types
    _field_types: dict[int, tuple[FieldSpec, Type]] = field(default_factory=dict)

    def type_of(self, ref: n.TypeRef) -> Type:
        """The type that a written type means."""
        program = self.program
        named = {
            "": ("int", "bool", "Hex"),
            "enum": program.enums,
            "piece": (*program.kinds, *program.parents),
            "int": program.measures,
        }
        kind = next((kind for kind, names in named.items() if ref.name in names), None)
        if kind is None:
            known = [name for names in named.values() for name in names]
            remedy = _TYPES.get(ref.name.casefold(), "declare it as an enum, measure or piece")
            known = [] if ref.name.casefold() in _TYPES else known
            message = said("unknown type '{name}'", name=ref.name)
            self.report_unmatched("R203", message, ref.name, ref.span, known, remedy, "type")
            return BAD
        base = Type(kind, ref.name) if kind else {"int": INT, "bool": BOOL, "Hex": HEX}[ref.name]
        self.use(ref.name, ref.span)
        if base.kind == "int":
            base = replace(base, origin=ref.span)
        if ref.form == "optional":
            return base.maybe()
        if ref.form == "set":
            return set_of(base)
        if ref.form == "roll":
            return Type("roll", of=base)
        return base


class Env:
    """The locals in sight; unique names are handed out per procedure."""

    def __init__(self, owner: Env | None = None) -> None:
        self.names: dict[str, tuple[str, Type]] = {}
        self.owner = owner
        self.taken: set[str] = owner.taken if owner else set()
        self.order: list[tuple[str, Type]] = owner.order if owner else []
        self.sure: set[str] = set(owner.sure) if owner else set()
        #: the unique names of locals that hold what was chosen or drawn, if there was anything
        self.picked: set[str] = owner.picked if owner else set()
        #: the kinds of which a piece of a parent may still be, by its unique name
        self.kinds: dict[str, frozenset[str]] = dict(owner.kinds) if owner else {}
        #: the names of locals that the procedure changes somewhere
        self.changed: frozenset[str] = owner.changed if owner else frozenset()

    @classmethod
    def of(cls, params: Iterable[ir.ParamInfo]) -> Env:
        """What a body begins with: its parameters."""
        env = cls()
        for param in params:
            env.bind(param.name, param.type)
        return env

    def child(self) -> Env:
        """An inner block."""
        return Env(self)

    def find(self, name: str) -> tuple[str, Type] | None:
        """The local *name* means here: its unique name and type."""
        env: Env | None = self
        while env is not None:
            if name in env.names:
                return env.names[name]
            env = env.owner
        return None

    def bind(self, name: str, type_: Type) -> str:
        """Declare a local in this block; returns its unique name."""
        unique, number = name, 1
        while unique in self.taken:
            number += 1
            unique = f"{name}_{number}"
        self.taken.add(unique)
        self.names[name] = (unique, type_)
        self.order.append((unique, type_))
        return unique

    def all_locals(self) -> list[tuple[str, Type]]:
        """Every local in sight: its unique name and declared type."""
        return [*self.names.values(), *(self.owner.all_locals() if self.owner else [])]

    def all_names(self) -> list[str]:
        """Every name in sight."""
        return [*self.names, *(self.owner.all_names() if self.owner else [])]
