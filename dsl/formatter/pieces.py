"""The tokens of a source, with what layout has to know of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from dsl.language import grammar

WIDTH = 120  # of a line at most
INDENT = 2


@dataclass(slots=True)
class Piece:
    """A token or a comment."""

    text: str
    kind: str = ""  # the type of the token; COMMENT, ROW
    rule: str = ""  # the rule of the grammar that it belongs to
    #: item: starts something in a block; soft: follows an attribute; open, close: a block
    role: str = ""
    newlines: int = 0  # line ends that the author put before it
    top: bool = False  # starts a declaration
    depth: int = 0
    level: int = 0  # how deep in the tree
    chain: int = 0  # the chain of conditionals that it belongs to
    inner: int = 0  # open brackets around it that are no blocks
    block: int = -1  # the innermost block around it
    table: int = -1  # rows of the same table are aligned
    forced: bool = False  # always starts a line
    line: bool = False  # starts a line
    blank: bool = False  # after a blank line
    ruled: bool = False  # begins a rule in a block


@dataclass(slots=True)
class Block:
    """A pair of braces with items between."""

    open: int
    close: int = -1
    fill: bool = False
    single: bool = True  # stands on one line
    items: list[int] = field(default_factory=list)


# What starts an item in the block of which rule: trees of rules, tokens of types.
_ITEM_TREES = {
    "piece": {"field"},
    "fields": {"field"},
    "extend_piece": {"field"},
    "extend_fields": {"field"},
    "permission": {"ruled"},
    "quantity": {"stage", "ruled"},
    "effect": {"ruled", "rule_block"},
    "rule_block": {"ruled"},
    "members": {"member"},
    "deck": {"pile"},
    "board": {"setting"},
    "die": {"weight"},
    "travel": {"stay"},
    "offer": {"branch"},
    "rows": {"row"},
    "create": {"given"},
}
_ITEM_TOKENS = {"table": {"COLUMNS"}, "travel": {"STEP", "COST", "HALT", "END"}, "offer": {"PASS"}}
_ATTRIBUTES = {"cite", "short", "provenance"}
# What continues itself does not stand deeper.
_FLAT = {
    "or_": "or",
    "and_": "and",
    "add_": "sum",
    "sub_": "sum",
    "mul_": "term",
    "div_": "term",
    "mod_": "term",
}
_CONDITIONALS = {"conditional", "if_stmt"}
FILL = {"enum", "extend_enum", "die", "quantity", "board"}


@dataclass(slots=True)
class _Frame:
    """A tree whose children are being walked."""

    children: Iterator[Token | Tree[Token]]
    rule: str
    outer: str  # the rule of the tree around it
    level: int = 0
    chain: int = 0
    attribute: bool = False  # whether the last child was an attribute


class _Walk:
    """A walk over a tree that tells what its tokens are."""

    def __init__(self, tree: Tree[Token]) -> None:
        self.stack = [_Frame(iter(tree.children), str(tree.data), "")]
        self.tables = self.conditionals = 0
        self.last = ""  # the type of the last token
        self.role = ""  # the role of the next token, where the tree before it says so
        self.top = False  # whether the next token starts a declaration
        self.ruled = False  # whether the next token begins a rule in a block
        self.forced = False  # whether the next token starts a line
        self.cited = False  # whether the column has a citation

    def pieces(self) -> Iterator[tuple[Token, Piece]]:
        """The tokens in order, with what they are."""
        while self.stack:
            frame = self.stack[-1]
            child = next(frame.children, None)
            if isinstance(child, Tree):
                self.enter(frame, child)
            elif child is not None:
                yield child, self.piece(frame, child)
            else:
                self.stack.pop()
                if self.stack:
                    self.stack[-1].attribute = frame.rule in _ATTRIBUTES

    def enter(self, frame: _Frame, tree: Tree[Token]) -> None:
        """Go on with the children of *tree*."""
        name, rule = str(tree.data), frame.rule
        if rule == "start":
            self.role, self.top = "item", True
        elif frame.attribute and rule != "column":
            self.role = "soft"
        elif _begins_item(name, rule):
            self.role, self.ruled = "item", name == "ruled"
        if name == "rows":
            self.tables += 1
        elif name == "columns":
            self.cited = False
        elif name == "column":
            self.forced, self.cited = self.cited, False
        goes_on = name in _CONDITIONALS and name == rule and self.last == "ELSE"
        flat = goes_on or (rule in _FLAT and _FLAT[rule] == _FLAT.get(name))
        chain = frame.chain if name == "block" and rule == "if_stmt" else 0
        if name in _CONDITIONALS:
            self.conditionals += not goes_on
            chain = frame.chain if goes_on else self.conditionals
        self.stack.append(_Frame(iter(tree.children), name, rule, frame.level + (not flat), chain))

    def piece(self, frame: _Frame, token: Token) -> Piece:
        """What *token* is."""
        kind, rule = str(token.type), frame.rule
        role, self.role = self.role, ""
        piece = Piece(_text(token), kind, rule, role or _role(frame, token), top=self.top)
        piece.ruled, self.ruled = self.ruled, False
        self.top = frame.attribute = False
        piece.table = self.tables if kind == "ROW" else -1
        piece.level, piece.chain = frame.level, frame.chain
        short = kind == "SHORT" and frame.outer == "row"
        if short or (kind in ("CITE", "PROVENANCE") and frame.outer in ("column", "row")):
            # What is cited stands before its row or column, which is alone on its line.
            self.cited = self.forced = True
        piece.forced, self.forced = self.forced, False
        self.last = kind
        return piece


def _begins_item(name: str, rule: str) -> bool:
    """Whether a tree of the rule *name* starts an item in one of *rule*."""
    return rule in ("block", "foretelling") or name in _ITEM_TREES.get(rule, ())


def _role(frame: _Frame, token: Token) -> str:
    """The role of a token that the tree before it does not give one."""
    kind, rule = str(token.type), frame.rule
    if frame.attribute and rule != "column":
        return "soft"
    if kind == "ROW" or kind in _ITEM_TOKENS.get(rule, ()):
        return "item"
    if rule == "set_literal":
        return ""
    return {"{": "open", "}": "close"}.get(str(token), "")


def _text(token: Token) -> str:
    """The text of a token with the white space within it that the canonical layout has."""
    if token.type == "SHORT":
        return re.sub(r"\s*,\s*", ", ", re.sub(r"§\s+", "§", token)).rstrip(", ")
    if token.type == "CITE" or (token.type == "SECTION" and not re.search('["@§]', token[1:])):
        mark, *cited = re.split(r"[\s,]+", token.strip())
        return f"{mark} {', '.join(cited)}".rstrip()
    if token.type == "PROVENANCE" and '"' in token:
        mark, reason, _ = token.split('"')
        return f'{mark.strip()} "{" ".join(reason.split())}"'
    whole = token.type not in ("MEASURED", "SECTION", "TEXT")
    return str(token) if whole else " ".join(token.split())


def pieces(text: str) -> Iterator[tuple[Token, Piece]]:
    """The tokens of *text* in order, with what they are."""
    return _Walk(grammar(every_token=True).parse(text)).pieces()
