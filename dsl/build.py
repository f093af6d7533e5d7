"""From lark's tree to the nodes of :mod:`dsl.nodes`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.source import NOWHERE, Source, Span

# Rules whose node is simply its children in order.
_PLAIN: dict[str, type[n.Node]] = {
    "param": n.Param,
    "header": n.Header,
    "stage": n.Ident,
    "let": n.Let,
    "let_do": n.LetDo,
    "set_do": n.SetDo,
    "given": n.Given,
    "do": n.Do,
    "return_stmt": n.Return,
    "leave": n.Leave,
    "stop": n.Stop,
    "roll": n.Roll,
    "ranging": n.Ranging,
    "draw": n.Draw,
    "put": n.Put,
    "remove": n.Remove,
    "shuffle": n.Shuffle,
    "together": n.Together,
    "within": n.Within,
    "start_effect": n.Start,
    "cease": n.Cease,
    "expire": n.Expire,
    "win": n.Win,
    "lose": n.Lose,
    "tie": n.Tie,
    "step": n.Step,
    "note": n.Note,
    "mix": n.Mix,
    "allot": n.Allot,
    "conditional": n.Cond,
    "attribute": n.Attr,
    "index": n.Index,
    "reach": n.Reach,
    "steps": n.Steps,
    "way": n.Way,
    "none_": n.NoneLit,
    "carried": n.Carried,
    "change": n.Change,
    "stay": n.Stay,
    "case": n.Case,
    "signature": n.Signature,
    "check": n.Check,
    "requirement": n.Requirement,
}
_BINARY = {
    "or_": "or",
    "and_": "and",
    "is_": "is",
    "is_not": "is not",
    "in_": "in",
    "not_in": "not in",
    "range_": "..",
    "otherwise": "otherwise",
    "add_": "+",
    "sub_": "-",
    "mul_": "*",
    "div_": "/",
    "mod_": "mod",
}
_QUANT = {"some": "some", "no_": "no", "every": "every", "count": "count", "all_": "all", "first": "first"}
_MEASURED_QUANT = {"sum_": "sum", "most": "most", "least": "least"}


class _Attribute:
    """A citation or a provenance on its way to a declaration."""

    def __init__(self, rules: tuple[str, ...] = (), provenance: str | None = None) -> None:
        self.rules = rules
        self.provenance = provenance


def _gather(attributes: list[_Attribute]) -> tuple[tuple[str, ...], str | None]:
    rules = tuple(rule for attribute in attributes for rule in attribute.rules)
    provenance = next((a.provenance for a in attributes if a.provenance), None)
    return rules, provenance


#: The ID of a rule: a prefix that begins with a letter, then '-' and more.
_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9.\-]*[A-Za-z0-9]")

# How many constructs may stand inside one another, and how large a number may be.
DEEPEST = 120
LARGEST = 999_999_999


class TooDeep(Exception):
    """The source is nested more deeply than anything later could walk; *span* is where."""

    def __init__(self, span: Span) -> None:
        super().__init__(str(span))
        self.span = span


class Builder:
    """Builds nodes; *shift* corrects offsets when only a part of the source was parsed.

    Each rule of the grammar has a method of its name, or a line in the tables above.  What is
    wrong but can be read all the same is collected in *findings*.
    """

    def __init__(self, source: Source, shift: int = 0) -> None:
        self.source = source
        self.shift = shift
        self.findings: list[Diagnostic] = []
        self._makers: dict[str, Callable[[Meta, list[Any]], Any]] = {}

    def module(self, tree: Tree[Token]) -> n.Module:
        """The module that *tree* (of the rule ``start``) stands for."""
        module = self._build(tree, 0)
        assert isinstance(module, n.Module)
        return module

    def _build(self, tree: Tree[Token], depth: int) -> Any:
        if depth > DEEPEST:
            raise TooDeep(self._span(tree.meta))
        items: list[Any] = []
        for child in tree.children:
            if isinstance(child, Tree):
                items.append(self._build(child, depth + 1))
            elif child is None:
                items.append(None)
            elif child.type == "NAME":
                items.append(n.Ident(str(child), span=self._token_span(child)))
            elif child.type == "INT":
                items.append(self._number(child, str(child)))
            elif child.type == "ROW":
                items.append(self._row(child))
            else:
                items.append(child)
        name = str(tree.data)
        maker = self._makers.get(name)
        if maker is None:
            maker = getattr(self, name, None) or partial(self._plain, name)
            self._makers[name] = maker
        return maker(tree.meta, items)

    # ------------------------------------------------------------------ places and names

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return NOWHERE
        return Span(
            self.source.name,
            meta.start_pos + self.shift,
            meta.end_pos + self.shift,
            meta.line,
            meta.column,
            meta.end_line,
            meta.end_column,
        )

    def _token_span(self, token: Token) -> Span:
        start, end = token.start_pos or 0, token.end_pos or 0
        return Span(
            self.source.name,
            start + self.shift,
            end + self.shift,
            token.line or 0,
            token.column or 0,
            token.end_line or 0,
            token.end_column or 0,
        )

    def _number(self, token: Token, digits: str) -> int:
        if len(digits.lstrip("0")) > len(str(LARGEST)):
            self.findings.append(
                Diagnostic(
                    "P106",
                    f"the number {digits[:12]}… is too large",
                    self._token_span(token),
                    remedy=f"numbers are at most {LARGEST}",
                )
            )
            return 0
        return int(digits)

    def _row(self, token: Token) -> n.Row:
        text = str(token).split("#", 1)[0].rstrip()
        span = self._token_span(token)
        cells: list[n.Cell] = []
        end = 0
        for match in re.finditer(r"\|([^|]*)(?=\|)", text):
            raw = match.group(1)
            content = raw.strip()
            lead = len(raw) - len(raw.lstrip()) if content else 0
            cells.append(n.Cell(content, span=self._part(span, match.start(1) + lead, len(content))))
            end = match.end()
        if end != len(text) - 1:
            rest = text[end + 1 :].strip()
            self.findings.append(
                Diagnostic(
                    "P105",
                    f"this row has something after its last '|': {_short(rest)}",
                    self._part(span, text.index(rest, end + 1), len(rest)),
                    remedy="'}' belongs on a line of its own"
                    if rest == "}"
                    else "a row ends with '|', as in '| a | b |'",
                )
            )
        elif not cells:
            self.findings.append(
                Diagnostic(
                    "P105",
                    "this row has no cell",
                    self._part(span, 0, 1),
                    remedy="write the cells: '| a | b |'",
                )
            )
        return n.Row(tuple(cells), span=self._part(span, 0, len(text)))

    @staticmethod
    def _part(span: Span, start: int, length: int) -> Span:
        """*length* characters from *start* within a *span* on one line."""
        at, column = span.start + start, span.column + start
        return Span(span.file, at, at + length, span.line, column, span.line, column + length)

    # ------------------------------------------------------------------ generic rules

    def _plain(self, name: str, meta: Meta, items: list[Any]) -> Any:
        span = self._span(meta)
        if name in _PLAIN:
            return _PLAIN[name](*items, span=span)
        if name in _BINARY:
            return n.Binary(_BINARY[name], items[0], items[1], span=span)
        if name in _QUANT:
            return n.Quant(_QUANT[name], items[0], items[1], items[2], span=span)
        if name in _MEASURED_QUANT:
            return n.Quant(_MEASURED_QUANT[name], items[1], items[2], items[3], items[0], span=span)
        raise AssertionError(f"no builder for {name}")

    def start(self, meta: Meta, items: list[n.Decl]) -> n.Module:
        return n.Module(self.source.name, tuple(items), span=self._span(meta))

    def decl(self, meta: Meta, items: list[Any]) -> Any:
        *attributes, decl = items
        if not attributes:
            return decl
        rules, provenance = _gather(attributes)
        return _with(decl, rules, provenance)

    def cite(self, meta: Meta, items: list[Token]) -> _Attribute:
        return _Attribute(rules=self._cited(items[0], "@rule"))

    def section(self, meta: Meta, items: list[Token]) -> n.Section:
        return n.Section(rules=self._cited(items[0], "@section"), span=self._span(meta))

    def provenance(self, meta: Meta, items: list[Token]) -> _Attribute:
        text = str(items[0])
        name = text.split(maxsplit=1)[0].rstrip(",")
        if name not in ("@house", "@published"):
            self._wrong_attribute(items[0], name)
            return _Attribute()
        if text != name:
            remedy = f"write '@rule{text[len(name) :]}' for what is cited"
            self._found(
                "P110",
                f"'{name}' cites nothing",
                self._part(self._token_span(items[0]), 0, len(text)),
                remedy,
            )
        return _Attribute(provenance=name[1:])

    def _wrong_attribute(self, token: Token, name: str) -> None:
        known = ("@rule", "@house", "@published", "@section")
        remedy = did_you_mean(name, known) or "there are '@rule …', '@section …', '@house' and '@published'"
        self._found(
            "P102",
            f"there is no attribute '{name}'",
            self._part(self._token_span(token), 0, len(name)),
            remedy,
        )

    def _found(self, code: str, message: str, span: Span, remedy: str) -> None:
        self.findings.append(Diagnostic(code, message, span, remedy=remedy))

    def _cited(self, token: Token, word: str) -> tuple[str, ...]:
        """The IDs of a citation; what has not the form of one is reported and left out."""
        span, text = self._token_span(token), str(token)
        found: list[str] = []
        for match in re.finditer(r"[^\s,]+", text[len(word) :]):
            rule, at = match.group(), len(word) + match.start()
            place = self._part(span, at, len(rule))
            if _ID.fullmatch(rule) is None:
                remedy = "an ID is letters and digits, '-', then letters, digits, '.' and '-', as in CCA2-3.1"
                self._found("P110", f"{_short(rule)} is not the ID of a rule", place, remedy)
                continue
            if found and "," not in text[:at].rstrip(" \t")[-1:]:
                self._found("P110", "',' is missing between two IDs", place, f"write '{found[-1]}, {rule}'")
            found.append(rule)
        if text.rstrip().endswith(","):
            remedy = "remove it; what goes on in the next line begins with '@rule' again"
            self._found(
                "P110",
                "an ID is missing after the last ',' of this citation",
                self._part(span, len(text.rstrip()) - 1, 1),
                remedy,
            )
        elif word == "@rule" and not text[len(word) :].strip():
            remedy = "write the IDs of the rulebook: '@rule CCA-8.2, CCA-8.3'"
            self._found("P110", "this citation names no rule", self._part(span, 0, len(word)), remedy)
        return tuple(found)

    def names(self, meta: Meta, items: list[n.Ident]) -> tuple[n.Ident, ...]:
        return tuple(items)

    carrying = names
    changes = names
    rows = names
    columns = names

    def column(self, meta: Meta, items: list[Any]) -> n.Column:
        *attributes, name, type_ = items
        return n.Column(name, type_, _gather(attributes)[0], span=self._span(meta))

    def row(self, meta: Meta, items: list[Any]) -> n.Row:
        attributes, row = items[:-1], items[-1]
        assert isinstance(row, n.Row)
        return replace(row, rules=_gather(attributes)[0])

    args = names
    block = names

    def signature(self, meta: Meta, items: list[Any]) -> n.Signature:
        return n.Signature(items[0], items[1] or (), span=self._span(meta))

    def params(self, meta: Meta, items: list[Any]) -> tuple[n.Param, ...]:
        return tuple(item for item in items if item is not None)

    # ------------------------------------------------------------------ declarations

    def header(self, meta: Meta, items: list[Any]) -> n.Header:
        return n.Header(items[0], items[1] is not None, items[2], span=self._span(meta))

    def sides(self, meta: Meta, items: list[Any]) -> n.Sides:
        return n.Sides(items[0], span=self._span(meta))

    def measures(self, meta: Meta, items: list[Any]) -> n.Measures:
        return n.Measures(items[0], span=self._span(meta))

    def scope(self, meta: Meta, items: list[Any]) -> n.Scope:
        return n.Scope(items[0], items[1] is not None, span=self._span(meta))

    def switch(self, meta: Meta, items: list[Any]) -> n.Switch:
        return n.Switch(items[0], str(items[1]) == "on", span=self._span(meta))

    def enum(self, meta: Meta, items: list[Any]) -> n.EnumDecl:
        return n.EnumDecl(items[0], items[1], span=self._span(meta))

    def table(self, meta: Meta, items: list[Any]) -> n.Table:
        return n.Table(items[0], items[1], items[2] or (), items[3], span=self._span(meta))

    def matrix(self, meta: Meta, items: list[Any]) -> n.Matrix:
        return n.Matrix(*items, span=self._span(meta))

    def enum_scale(self, meta: Meta, items: list[Any]) -> n.Ident:
        return items[0]  # type: ignore[no-any-return]

    def number_scale(self, meta: Meta, items: list[Any]) -> n.Numbers:
        return n.Numbers(items[0], items[1], span=self._span(meta))

    def upward(self, meta: Meta, items: list[Any]) -> int:
        return items[0]  # type: ignore[no-any-return]

    def downward(self, meta: Meta, items: list[Any]) -> int:
        return -items[0]  # type: ignore[no-any-return]

    def die(self, meta: Meta, items: list[Any]) -> n.Die:
        weights = tuple(item for item in items[2:] if item is not None)
        return n.Die(items[0], items[1], weights, span=self._span(meta))

    def number_die(self, meta: Meta, items: list[Any]) -> n.Die:
        return n.Die(items[0], None, (), items[1], items[2], span=self._span(meta))

    def weight(self, meta: Meta, items: list[Any]) -> tuple[str, int]:
        return items[0].text, items[1]

    def deck(self, meta: Meta, items: list[Any]) -> n.Deck:
        return n.Deck(items[0], items[1], items[2], tuple(items[3:]), span=self._span(meta))

    def pile(self, meta: Meta, items: list[Any]) -> n.Pile:
        return n.Pile(items[0], items[1], str(items[2]), span=self._span(meta))

    def board(self, meta: Meta, items: list[Any]) -> n.Board:
        return n.Board(items[0], tuple(items[1:]), span=self._span(meta))

    def setting(self, meta: Meta, items: list[Any]) -> n.Setting:
        values = tuple(v.text if isinstance(v, n.Ident) else v for v in items[1:])
        return n.Setting(items[0], values, span=self._span(meta))

    def piece(self, meta: Meta, items: list[Any]) -> n.Piece:
        return n.Piece(items[0], tuple(items[2:]), items[1], span=self._span(meta))

    def fields(self, meta: Meta, items: list[Any]) -> n.Fields:
        return n.Fields(items[0], tuple(items[1:]), span=self._span(meta))

    def field(self, meta: Meta, items: list[Any]) -> n.Field:
        attributes = [item for item in items if isinstance(item, _Attribute)]
        rest = [item for item in items if not isinstance(item, _Attribute)]
        name, per, type_, default, *modifiers = rest
        words: set[str] = set()
        lasts = seen = None
        for kind, value in modifiers:
            if kind == "lasts":
                lasts = value
            elif kind == "seen":
                seen = value
            else:
                words |= value
        rules, provenance = _gather(attributes)
        return n.Field(
            name,
            per,
            type_,
            default,
            frozenset(words),
            lasts,
            seen,
            rules=rules,
            provenance=provenance,
            span=self._span(meta),
        )

    def plain_modifier(self, meta: Meta, items: list[Any]) -> tuple[str, set[str]]:
        return "words", {str(items[0])}

    def lasts(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "lasts", items[0]

    def place(self, meta: Meta, items: list[Any]) -> tuple[str, set[str]]:
        return "words", {"place"} | ({"alone"} if items[0] else set())

    def seen_by(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "seen", items[0]

    def named_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "optional" if items[1] else "plain", span=self._span(meta))

    def set_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "set", span=self._span(meta))

    def roll_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "roll", span=self._span(meta))

    def function(self, meta: Meta, items: list[Any]) -> n.Function:
        return n.Function(*items, span=self._span(meta))

    def quantity(self, meta: Meta, items: list[Any]) -> n.Quantity:
        name, params, type_, *stages = items
        return n.Quantity(
            name, params, type_, tuple(s for s in stages if s is not None), span=self._span(meta)
        )

    def stage(self, meta: Meta, items: list[Any]) -> n.Ident:
        return items[0]  # type: ignore[no-any-return]

    def permission(self, meta: Meta, items: list[Any]) -> n.Permission:
        return n.Permission(items[0], items[1], str(items[2]), span=self._span(meta))

    def travel(self, meta: Meta, items: list[Any]) -> n.Travel:
        stays = tuple(item for item in items if isinstance(item, n.Stay))
        name, params, origin, budget, carried, *step, changes, cost, halt, end = (
            i for i in items if not isinstance(i, n.Stay)
        )
        here, there, enter = step
        body = n.Travel(
            name, params, origin, budget, here, there, enter, cost, halt, end, span=self._span(meta)
        )
        return replace(body, carried=carried or (), changes=changes or (), stays=stays)

    def effect(self, meta: Meta, items: list[Any]) -> n.Effect:
        name, params, group, scope, *rest = items
        body: list[n.RuleDecl] = []
        attributes: list[_Attribute] = []
        for item in rest:
            if isinstance(item, _Attribute):
                attributes.append(item)
            else:
                rules, provenance = _gather(attributes)
                body.append(_with(item, rules, provenance) if attributes else item)
                attributes = []
        return n.Effect(name, params, scope, tuple(body), group, span=self._span(meta))

    def base_rule(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, excepts, signature, value, when = items
        return n.RuleDecl("rule", name, excepts or (), signature, when, value, span=self._span(meta))

    def verdict_rule(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        verdict, name, excepts, signature, when = items
        return n.RuleDecl(str(verdict), name, excepts or (), signature, when, span=self._span(meta))

    def modify(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, stage, value, when = items
        return n.RuleDecl("modify", name, (), signature, when, value, stage, span=self._span(meta))

    def limit(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, stage, bound, value, when = items
        return n.RuleDecl(str(bound), name, (), signature, when, value, stage, span=self._span(meta))

    def suspend(self, meta: Meta, items: list[Any]) -> n.RuleDecl:
        name, signature, when = items
        return n.RuleDecl("suspend", name, (), signature, when, span=self._span(meta))

    def procedure(self, meta: Meta, items: list[Any]) -> n.Procedure:
        return n.Procedure(*items, span=self._span(meta))

    def event(self, meta: Meta, items: list[Any]) -> n.Event:
        return n.Event(*items, span=self._span(meta))

    def reaction(self, meta: Meta, items: list[Any]) -> n.Reaction:
        name, ranging, timing, *rest = items
        return n.Reaction(name, ranging, str(timing), *rest, span=self._span(meta))

    def extend_enum(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("enum", items[0], members=items[1], span=self._span(meta))

    def extend_table(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("table", items[0], rows=items[1], span=self._span(meta))

    def extend_piece(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("piece", items[0], fields=tuple(items[1:]), span=self._span(meta))

    def extend_fields(self, meta: Meta, items: list[Any]) -> n.Extend:
        return n.Extend("fields", items[0], fields=tuple(items[1:]), span=self._span(meta))

    def replace(self, meta: Meta, items: list[Any]) -> n.Replace:
        return n.Replace(items[0], span=self._span(meta))

    def drop(self, meta: Meta, items: list[Any]) -> n.Drop:
        kind, name, part = items
        return n.Drop(str(kind), *((name, None) if part is None else (part, name)), span=self._span(meta))

    def insert(self, meta: Meta, items: list[Any]) -> n.Insert:
        return n.Insert(str(items[0]), *items[1:], span=self._span(meta))

    # ------------------------------------------------------------------ statements

    def set(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[0], "=", items[1], span=self._span(meta))

    def add(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[1], "+", items[0], span=self._span(meta))

    def take(self, meta: Meta, items: list[Any]) -> n.Assign:
        return n.Assign(items[1], "-", items[0], span=self._span(meta))

    def if_stmt(self, meta: Meta, items: list[Any]) -> n.If:
        test, then, orelse = items
        if isinstance(orelse, n.If):
            orelse = (orelse,)
        return n.If(test, then, orelse or (), span=self._span(meta))

    def each(self, meta: Meta, items: list[Any]) -> n.Each:
        return n.Each(*items, span=self._span(meta))

    def repeat(self, meta: Meta, items: list[Any]) -> n.Repeat:
        return n.Repeat(items[0], items[1], span=self._span(meta))

    def choose(self, meta: Meta, items: list[Any]) -> n.Choose:
        secretly, *rest = items
        return n.Choose(secretly is not None, *rest, span=self._span(meta))

    def prompt(self, meta: Meta, items: list[Any]) -> n.Prompt:
        return n.Prompt(items[0], items[1] or (), span=self._span(meta))

    def veil(self, meta: Meta, items: list[Any]) -> n.Veil:
        return n.Veil(items[0], span=self._span(meta))

    def offer(self, meta: Meta, items: list[Any]) -> n.Offer:
        once, by, prompt, *branches, passing, passing_when, veil = items
        return n.Offer(
            once is not None, by, prompt, tuple(branches), passing, passing_when, veil, span=self._span(meta)
        )

    def branch(self, meta: Meta, items: list[Any]) -> n.Branch:
        attributes = [item for item in items if isinstance(item, _Attribute)]
        rest = [item for item in items if not isinstance(item, _Attribute)]
        name, first, second, when, body = rest
        return n.Branch(name, first, second, when, body, _gather(attributes)[0], span=self._span(meta))

    def create(self, meta: Meta, items: list[Any]) -> n.Create:
        kind, var, *given, orelse = items
        return n.Create(kind, var, tuple(g for g in given if g is not None), orelse, span=self._span(meta))

    def event_stmt(self, meta: Meta, items: list[Any]) -> n.EventStmt:
        return n.EventStmt(items[0], items[1] or (), items[2], span=self._span(meta))

    # ------------------------------------------------------------------ expressions

    def call(self, meta: Meta, items: list[Any]) -> n.Call:
        return n.Call(items[0], items[1] or (), span=self._span(meta))

    def call_expr(self, meta: Meta, items: list[Any]) -> n.Call:
        return items[0]  # type: ignore[no-any-return]

    def active(self, meta: Meta, items: list[Any]) -> n.Active:
        return n.Active(items[0], items[1] or (), span=self._span(meta))

    def compare(self, meta: Meta, items: list[Any]) -> n.Binary:
        return n.Binary(str(items[1]), items[0], items[2], span=self._span(meta))

    def not_(self, meta: Meta, items: list[Any]) -> n.Unary:
        return n.Unary("not", items[0], span=self._span(meta))

    def neg(self, meta: Meta, items: list[Any]) -> n.Unary:
        return n.Unary("-", items[0], span=self._span(meta))

    def int_(self, meta: Meta, items: list[Any]) -> n.Int:
        return n.Int(items[0], span=self._span(meta))

    def measured(self, meta: Meta, items: list[Token]) -> n.Int:
        number, measure = str(items[0]).split()
        return n.Int(self._number(items[0], number), measure, span=self._span(meta))

    def true_(self, meta: Meta, items: list[Any]) -> n.Bool:
        return n.Bool(True, span=self._span(meta))

    def false_(self, meta: Meta, items: list[Any]) -> n.Bool:
        return n.Bool(False, span=self._span(meta))

    def name(self, meta: Meta, items: list[Any]) -> n.Name:
        return n.Name(items[0].text, span=self._span(meta))

    def clear(self, meta: Meta, items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    across = clear

    def line(self, meta: Meta, items: list[Any]) -> n.Line:
        start, end, whole, (var, obstacle), *across = items
        leaves, enters, barrier = across[0] if across else (None, None, None)
        return n.Line(
            start, end, var, obstacle, leaves, enters, barrier, whole=whole is not None, span=self._span(meta)
        )

    def line_across(self, meta: Meta, items: list[Any]) -> n.Line:
        start, end, whole, (leaves, enters, barrier) = items
        return n.Line(
            start, end, None, None, leaves, enters, barrier, whole=whole is not None, span=self._span(meta)
        )

    def set_literal(self, meta: Meta, items: list[Any]) -> n.SetLit:
        return n.SetLit(items[0] or (), span=self._span(meta))


def _with(decl: Any, rules: tuple[str, ...], provenance: str | None) -> Any:
    return replace(decl, rules=rules, provenance=provenance)


def _short(text: str) -> str:
    """*text* in quotes, cut where it is long."""
    return f"'{text}'" if len(text) < 30 else f"'{text[:27]}…'"
