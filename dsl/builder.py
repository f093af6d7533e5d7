"""From lark's tree to the nodes of :mod:`dsl.nodes`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, NamedTuple

from lark import Token, Tree
from lark.tree import Meta

from dsl import nodes as n
from dsl.source import Span
from dsl.tokens import Tokens, split_attributes
from runtime.words.said import said

#: How many constructs may stand inside one another.
DEEPEST = 120


class TooDeep(Exception):
    """The source is nested more deeply than anything later could walk; *span* is where."""

    def __init__(self, span: Span) -> None:
        super().__init__(str(span))
        self.span = span


def _conversion(type_: str) -> Callable[[Any], Any] | None:
    """What makes a field of a type from what the grammar gives."""
    if type_ == "bool":
        return lambda item: item is not None and item != "off"
    if type_ == "str":
        return str
    if type_.startswith("tuple[") and not type_.endswith("None"):
        return lambda item: item or ()
    return None


class _Maker:
    """How the children of a rule of the grammar become a node.

    *order* names the fields that they are, in turn; ``*`` stands before the one that takes all that
    the others leave.  Without it they are the fields of the node in their order.  *always* are
    fields with one value.
    """

    def __init__(self, node: type[n.Node], order: str = "", **always: Any) -> None:
        types = {f.name: str(f.type) for f in fields(node) if not f.kw_only}
        names = order.split() or list(types)
        star = next((i for i, name in enumerate(names) if name[0] == "*"), len(names))
        self.node, self.always = node, always
        converted = [(name, _conversion(types[name.strip("*")])) for name in names]
        self.first, self.last = converted[:star], converted[star + 1 :]
        self.rest = names[star][1:] if star < len(names) else None

    def __call__(self, items: list[Any], span: Span) -> n.Node:
        values = dict(self.always)
        pairs = list(zip(self.first, items, strict=False))
        if self.rest is not None:
            end = len(items) - len(self.last)
            values[self.rest] = tuple(i for i in items[len(self.first) : end] if i is not None)
            pairs += zip(self.last, items[end:], strict=True)
        for (name, convert), item in pairs:
            values[name] = item if convert is None else convert(item)
        return self.node(**values, span=span)


_M = _Maker
#: What a rule is for that stands in the block of it, until the block is built.
_OF_BLOCK = n.Signature(n.Ident(""), ())


def _rules(rule: str, order: str, **always: Any) -> dict[str, _Maker]:
    """How a rule is made that says what it is for, and one in a block, which does not."""
    inner = order.replace("signature ", "")
    return {
        rule: _M(n.RuleDecl, order, **always),
        f"inner_{rule}": _M(n.RuleDecl, inner, signature=_OF_BLOCK, **always),
    }


#: Rules that are called otherwise than their node, or whose children are not its fields in order.
_MAKERS: dict[str, _Maker] = {
    # declarations
    "enum": _M(n.EnumDecl),
    "number_scale": _M(n.Numbers),
    "bounds": _M(n.Numbers),
    "die": _M(n.Die, "name enum *weights"),
    "number_die": _M(n.Die, "name low high", enum=None, weights=()),
    "deck": _M(n.Deck, "name enum copies *piles"),
    "board": _M(n.Board, "name *settings"),
    "piece": _M(n.Piece, "name parent *fields"),
    "fields": _M(n.Fields, "name *fields"),
    "set_type": _M(n.TypeRef, "name", form="set"),
    "roll_type": _M(n.TypeRef, "name", form="roll"),
    "function": _M(n.Function, "name params type remembered body"),
    "stepped": _M(n.Function, "name params type remembered steps", body=None),
    "travel": _M(
        n.Travel,
        "name params origin budget carried here there enter changes cost *stays halt end",
    ),
    **_rules("base_rule", "name excepts signature value when", kind="rule"),
    **_rules("verdict_rule", "kind name excepts signature when"),
    **_rules("modify", "name signature stage value when", kind="modify", excepts=()),
    **_rules("limit", "name signature stage kind value when", excepts=()),
    **_rules("suspend", "name signature when", kind="suspend", excepts=()),
    "extend_enum": _M(n.Extend, "name members", kind="enum"),
    "extend_table": _M(n.Extend, "name rows", kind="table"),
    "replace_rows": _M(n.Extend, "name rows", kind="rows"),
    "extend_piece": _M(n.Extend, "name *fields", kind="piece"),
    "extend_fields": _M(n.Extend, "name *fields", kind="fields"),
    # steps
    "set": _M(n.Assign, "target value", op="="),
    "add": _M(n.Assign, "value target", op="+"),
    "take": _M(n.Assign, "value target", op="-"),
    "return_stmt": _M(n.Return),
    "offer": _M(n.Offer, "once by prompt *branches passing passing_when veil"),
    "create": _M(n.Create, "kind var *given orelse"),
    "start_effect": _M(n.Start),
    # expressions
    "not_": _M(n.Unary, "operand", op="not"),
    "neg": _M(n.Unary, "operand", op="-"),
    "compare": _M(n.Binary, "left op right"),
    "int_": _M(n.Int),
    "true_": _M(n.Bool, value=True),
    "false_": _M(n.Bool, value=False),
    "none_": _M(n.NoneLit),
    "attribute": _M(n.Attr),
    "conditional": _M(n.Cond),
    "set_literal": _M(n.SetLit),
}
_BINARY = {
    **dict.fromkeys(("or_", "and_", "is_", "in_", "mod_", "otherwise")),
    "is_not": "is not",
    "not_in": "not in",
    "range_": "..",
    "add_": "+",
    "sub_": "-",
    "mul_": "*",
    "div_": "/",
}
for _rule, _op in _BINARY.items():
    _MAKERS[_rule] = _M(n.Binary, "left right", op=_op or _rule.strip("_"))
for _rule in ("some", "no_", "every", "count", "all_", "first"):
    _MAKERS[_rule] = _M(n.Quant, "var source where", kind=_rule.strip("_"))
for _rule in ("sum_", "most", "least"):
    _MAKERS[_rule] = _M(n.Quant, "value var source where", kind=_rule.strip("_"))
for _node in filter(
    lambda one: isinstance(one, type) and issubclass(one, n.Node), vars(n).values()
):
    _MAKERS.setdefault(re.sub(r"\B(?=[A-Z])", "_", _node.__name__).lower(), _M(_node))

#: A comma behind a member, with its remark.
_COMMA = re.compile(r'\s*("[^"]*"\s*)?,')

#: Rules that are what stands in them, and those that are the list of it.
_PASSED = {"call_expr", "enum_scale", "upward", "stage", "short"}
_LISTS = {
    *("names", "args", "params", "block", "carrying", "changes", "rows", "columns", "foretold"),
    *("clear", "across"),
}


class _Ruled(NamedTuple):
    """What a block of rules stands in: a declaration, or no more than the marks of the block."""

    head: n.Cited
    rules: tuple[n.RuleDecl, ...]


def _inheriting(rule: n.RuleDecl, head: n.Cited) -> n.RuleDecl:
    """*rule* with the marks of what its block is of, where it has none itself."""
    if rule.rules or rule.provenance == "house":
        return rule
    if rule.provenance:
        return replace(rule, rules=head.rules)
    return replace(rule, rules=head.rules, provenance=head.provenance, reason=head.reason)


class Builder(Tokens):
    """Builds nodes: by the method that is named like the rule where there is one, else as the
    tables above say, else with the children as the fields of the node called like the rule.
    """

    def module(self, tree: Tree[Token]) -> n.Module:
        """The module that *tree* (of the rule ``start``) stands for."""
        decls: list[n.Decl] = []
        for child in tree.children:
            if isinstance(child, Tree):
                decls.extend(self._build(child, 1))
        span, cited = self._span(tree.meta), tuple(self.citations)
        return n.Module(self.source.name, tuple(decls), cited, (), tuple(self.books), span=span)

    def _build(self, tree: Tree[Token], depth: int) -> Any:
        if depth > DEEPEST:
            raise TooDeep(self._span(tree.meta))
        rule = str(tree.data)
        items: list[Any] = [
            self._build(child, depth + 1) if isinstance(child, Tree) else self._token(child, rule)
            for child in tree.children
        ]
        if rule in _LISTS:
            return tuple(item for item in items if item is not None)
        if rule in _PASSED:
            return items[0]
        method = getattr(self, rule, None)
        if method is not None:
            return method(tree.meta, items)
        attributes, items = split_attributes(items)
        node = _MAKERS[rule](items, self._span(tree.meta))
        return self._cited(node, attributes) if isinstance(node, n.Cited) else node

    def _token(self, token: Token | None, rule: str) -> Any:
        """What a token of a *rule* stands for; itself where it is a word or a sign."""
        if token is None:
            return None
        if token.type == "SHORT":
            return self._section_citation(token, ahead=rule == "short")
        read = self.readers.get(token.type)
        return token if read is None else read(token)

    def decl(self, meta: Meta, items: list[Any]) -> tuple[n.Decl, ...]:
        """A declaration, and the rules that stand in its block."""
        *attributes, item = items
        head, rules = item if isinstance(item, _Ruled) else (item, ())
        head = self._cited(head, attributes)
        inner = tuple(_inheriting(rule, head) for rule in rules)
        return (head, *inner) if isinstance(head, n.Decl) else inner

    def section(self, meta: Meta, items: list[Token]) -> tuple[n.Decl, ...]:
        return (self._section(items[0]),)

    def cites(self, meta: Meta, items: list[n.Ident]) -> tuple[n.Decl, ...]:
        """Nothing but the name of a rulebook, which is remembered."""
        self.books += items
        return ()

    def row(self, meta: Meta, items: list[Any]) -> Any:
        return self._cited(items[-1], items[:-1])

    cited_stmt = ruled = row

    def member(self, meta: Meta, items: list[Any]) -> n.Member:
        attributes, (name,) = split_attributes(items)
        return self._cited(n.Member(name.text, span=name.span), attributes)

    def members(self, meta: Meta, items: list[n.Member]) -> tuple[n.Member, ...]:
        """The members of an enum: between any two on a line a comma, or none on any."""
        pairs = list(pairwise(items))
        gaps = [self.source.text[a.span.end : b.span.start] for a, b in pairs]
        if any(_COMMA.match(gap) for gap in gaps):
            for (one, other), gap in zip(pairs, gaps, strict=True):
                if not gap.strip(" \t"):
                    names = {"one": one.text, "other": other.text}
                    message = said("',' is missing between '{one}' and '{other}'", **names)
                    remedy = said("write a ',', or as one name: {one}_{other}", **names)
                    self._found("P101", message, other.span, remedy)
        return tuple(items)

    # ------------------------------------------------------------------ blocks of rules

    def permission(self, meta: Meta, items: list[Any]) -> _Ruled:
        attributes, (name, params, verdict, *rules) = split_attributes(items)
        decl = n.Permission(name, params, str(verdict), span=self._span(meta))
        return self._ruled(
            self._cited(decl, attributes), n.Signature(name, (), span=name.span), rules
        )

    def quantity(self, meta: Meta, items: list[Any]) -> _Ruled:
        attributes, (name, params, type_, *inner) = split_attributes(items)
        stages = tuple(item for item in inner if isinstance(item, n.Ident))
        decl = n.Quantity(name, params, type_, stages, span=self._span(meta))
        return self._ruled(
            self._cited(decl, attributes), n.Signature(name, (), span=name.span), inner
        )

    def rule_block(self, meta: Meta, items: list[Any]) -> _Ruled:
        attributes, (target, *rules) = split_attributes(items)
        marks = n.Cited(span=self._span(meta))
        return self._ruled(self._cited(marks, attributes), target, rules)

    def _ruled(self, head: n.Cited, target: n.Signature, items: list[Any]) -> _Ruled:
        """The rules among *items*, with what their block is of as their target."""
        rules = [item for item in items if isinstance(item, n.RuleDecl)]
        return _Ruled(head, tuple(replace(rule, signature=target) for rule in rules))

    def effect(self, meta: Meta, items: list[Any]) -> n.Effect:
        attributes, (name, params, group, scope, *inner) = split_attributes(items)
        body: list[n.RuleDecl] = []
        for item in inner:
            if isinstance(item, _Ruled):
                body += (_inheriting(rule, item.head) for rule in item.rules)
            else:
                body.append(item)
        effect = n.Effect(name, params, scope, tuple(body), group, span=self._span(meta))
        return self._cited(effect, attributes)

    def replace(self, meta: Meta, items: list[Any]) -> Any:
        decl: tuple[n.Decl, tuple[n.RuleDecl, ...]] | n.Decl = items[0]
        head, rules = decl if isinstance(decl, tuple) else (decl, ())
        marks = {name: getattr(head, name) for name in ("rules", "provenance", "reason")}
        inner: n.Decl = replace(head, rules=(), provenance=None, reason="")
        return _Ruled(n.Replace(inner, span=self._span(meta), **marks), rules)

    def downward(self, meta: Meta, items: list[int]) -> int:
        return -items[0]

    def face(self, meta: Meta, items: list[Any]) -> tuple[str, int]:
        return items[0].text, items[1]

    def amount(self, meta: Meta, items: list[int]) -> n.Int:
        return n.Int(items[0], span=self._span(meta))

    def setting(self, meta: Meta, items: list[Any]) -> n.Setting:
        values = tuple(v.text if isinstance(v, n.Ident) else v for v in items[1:])
        return n.Setting(items[0], values, span=self._span(meta))

    def field(self, meta: Meta, items: list[Any]) -> n.Field:
        attributes, (name, per, type_, default, *modifiers) = split_attributes(items)
        words = frozenset(w for m in modifiers if isinstance(m, str) for w in m.split())
        named: dict[str, n.Ident] = dict(m for m in modifiers if isinstance(m, tuple))
        lasts, seen = named.get("lasts"), named.get("seen_by")
        span = self._span(meta)
        field = n.Field(name, per, type_, default, words, lasts, seen, span=span)
        return self._cited(field, attributes)

    def plain_modifier(self, meta: Meta, items: list[Any]) -> str:
        return str(items[0])

    def place(self, meta: Meta, items: list[Any]) -> str:
        return "place alone" if items[0] else "place"

    def lasts(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "lasts", items[0]

    def seen_by(self, meta: Meta, items: list[Any]) -> tuple[str, n.Ident]:
        return "seen_by", items[0]

    def named_type(self, meta: Meta, items: list[Any]) -> n.TypeRef:
        return n.TypeRef(items[0].text, "optional" if items[1] else "plain", span=self._span(meta))

    def foretelling(self, meta: Meta, items: list[Any]) -> tuple[list[Any], list[Any]]:
        assumed = [item for item in items if isinstance(item, n.Assume)]
        return assumed, items[len(assumed) :]

    def assume(self, meta: Meta, items: list[Any]) -> n.Assume:
        option, how, *by = items
        return n.Assume(option, str(how), by[0] if by else None, span=self._span(meta))

    def forecast(self, meta: Meta, items: list[Any]) -> n.Forecast:
        attributes, (name, params, options, call, block) = split_attributes(items)
        assumed, steps = block or ([], [])
        last = [n.Do(call, span=call.span)] if call is not None else []
        body = (*steps, *last)
        span = self._span(meta)
        forecast = n.Forecast(name, params, options or (), tuple(assumed), body, span=span)
        return self._cited(forecast, attributes)

    def drop(self, meta: Meta, items: list[Any]) -> n.Drop:
        attributes, (kind, name, part) = split_attributes(items)
        owned = (name, None) if part is None else (part, name)
        return self._cited(n.Drop(str(kind), *owned, span=self._span(meta)), attributes)

    def if_stmt(self, meta: Meta, items: list[Any]) -> n.If:
        test, then, orelse = items
        orelse = (orelse,) if isinstance(orelse, n.If) else orelse or ()
        return n.If(test, then, orelse, span=self._span(meta))

    def measured(self, meta: Meta, items: list[Token]) -> n.Int:
        return n.Int(self._number(items[0]), items[0].split()[1], span=self._span(meta))

    def line(self, meta: Meta, items: list[Any]) -> n.Line:
        start, end, whole, *conditions = items
        var, obstacle = next((c for c in conditions if len(c) == 2), (None, None))
        leaves, enters, barrier = next((c for c in conditions if len(c) == 3), (None, None, None))
        span, aside = self._span(meta), whole is not None
        return n.Line(start, end, var, obstacle, leaves, enters, barrier, aside, span=span)

    line_across = line
