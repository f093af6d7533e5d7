"""What every part of the builder stands on: the walk over the tree, places, numbers, plain rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, quoted
from dsl.source import NOWHERE, Source, Span

# Rules whose node is simply its children in order.
_PLAIN: dict[str, type[n.Node]] = {
    "param": n.Param,
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
    "outcome": n.Outcome,
    "foretold_option": n.ForetoldOption,
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


# How many constructs may stand inside one another, and how large a number may be.
DEEPEST = 120

LARGEST = 999_999_999
#: The most characters of a name.
_LONGEST_NAME = 100


class TooDeep(Exception):
    """The source is nested more deeply than anything later could walk; *span* is where."""

    def __init__(self, span: Span) -> None:
        super().__init__(str(span))
        self.span = span


class TreeBuilder:
    """Builds nodes; *shift* corrects offsets when only a part of the source was parsed.

    Each rule of the grammar has a method of its name in the modules of this folder, or a line in the tables
    above.  What is wrong but can be read all the same is collected in *findings*.
    """

    def __init__(self, source: Source, shift: int = 0) -> None:
        self.source = source
        self.shift = shift
        self.findings: list[Diagnostic] = []
        self.citations: list[n.Citation] = []
        self._makers: dict[str, Callable[[Meta, list[Any]], Any]] = {}

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
                items.append(self._name(child))
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

    def _name(self, token: Token) -> n.Ident:
        span = self._token_span(token)
        if len(token) > _LONGEST_NAME:
            self.findings.append(
                Diagnostic(
                    "P107",
                    f"this name has {len(token):,} characters; names have at most {_LONGEST_NAME}",
                    span,
                    remedy="choose a shorter name; what players read stands in texts/",
                )
            )
        return n.Ident(str(token), span=span)

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

    @staticmethod
    def _part(span: Span, start: int, length: int) -> Span:
        """*length* characters from *start* within a *span* on one line."""
        at, column = span.start + start, span.column + start
        return Span(span.file, at, at + length, span.line, column, span.line, column + length)

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
                    f"this row has something after its last '|': {quoted(rest)}",
                    self._part(span, text.index(rest, end + 1), len(rest)),
                    remedy="'}' belongs on a line of its own"
                    if rest == "}"
                    else "a row ends with '|', as in '| a | b |'",
                )
            )
            if rest != "}":
                cells.append(n.Cell(rest, span=self._part(span, text.index(rest, end + 1), len(rest))))
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

    def names(self, meta: Meta, items: list[n.Ident]) -> tuple[n.Ident, ...]:
        return tuple(items)

    args = names

    block = names

    carrying = names

    changes = names

    rows = names

    columns = names

    foretold = names

    def _found(self, code: str, message: str, span: Span, remedy: str) -> None:
        self.findings.append(Diagnostic(code, message, span, remedy=remedy))
