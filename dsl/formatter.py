"""The canonical layout of a source.

The formatter changes white space only (also inside of comments and citations, which are divided where
they are long): it reads the tokens with their place in the tree, decides between which of them a line
ends, and writes them again.
What the author decided and the formatter keeps: comments, line breaks between statements and
inside of long statements, whether a block that fits stands on one line, single blank lines.
No line is longer than WIDTH unless nothing in it can be broken (the rows of a table); of a chain
with several `else if`, each stands on a line of its own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from lark import Lark, Token, Tree

from dsl.language import load
from dsl.parser import parse
from dsl.source import Source
from dsl.wrapping import WIDTH, best_break
from dsl.wrapping import Token as Spot

INDENT = 2
CONTINUATION = 4
FAR = 72  # comments are aligned up to this column


def format_source(source: Source) -> str:
    """*source* in canonical layout; a source with errors as it is."""
    if parse(source).diagnostics:
        return source.text
    text = source.text.removeprefix("\ufeff")
    return _Layout(text).text()


@dataclass(slots=True)
class _Piece:
    """A token or a comment."""

    text: str
    kind: str = ""  # the type of the token; COMMENT, ROW
    rule: str = ""  # the rule of the grammar that it belongs to
    role: str = ""  # item: starts something in a block; soft: follows an attribute; open, close: a block
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


@dataclass(slots=True)
class _Block:
    """A pair of braces with items between."""

    open: int
    close: int = -1
    fill: bool = False
    single: bool = True  # stands on one line
    items: list[int] = field(default_factory=list)


@cache
def _grammar() -> Lark:
    """The grammar with all tokens kept in the tree."""
    return load(keep_all_tokens=True, maybe_placeholders=False)


# What starts an item in the block of which rule: trees of rules, tokens of types.
_ITEM_TREES = {
    "piece": {"field"},
    "fields": {"field"},
    "extend_piece": {"field"},
    "extend_fields": {"field"},
    "quantity": {"stage"},
    "deck": {"pile"},
    "board": {"setting"},
    "die": {"weight"},
    "travel": {"stay"},
    "offer": {"branch"},
    "rows": {"row"},
    "create": {"given"},
}
_ITEM_TOKENS = {
    "table": {"COLUMNS"},
    "travel": {"STEP", "COST", "HALT", "END"},
    "offer": {"PASS"},
}
_ATTRIBUTES = {"cite", "provenance"}
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
_FILL = {"enum", "extend_enum", "die"}
_CALLS = {
    "active",
    "call",
    "function",
    "quantity",
    "permission",
    "travel",
    "effect",
    "procedure",
    "event",
    "signature",
    "branch",
    "prompt",
    "reaction",
    "event_stmt",
}
_TIGHT_BEFORE = {",", ";", ":", ")", "]", "?", ".", "["}
_TIGHT_AFTER = {"(", "[", "."}


def _pieces(tree: Tree[Token]) -> Iterator[tuple[Token, _Piece]]:
    """The tokens of *tree* in order, with what they are."""
    tables = count = 0
    # Trees still to walk: the children left, the rule, the role of the first token, whether it starts a
    # declaration.
    stack: list[tuple[Iterator[Token | Tree[Token]], str, str]] = [(iter(tree.children), str(tree.data), "")]
    levels = [0]
    chains = [0]
    last = ""  # the type of the last token
    forced = cited = False  # whether the next token starts a line; whether the column has a citation
    pending = ""  # the role for the next token
    top = False
    attribute = [False]  # whether the last child of the tree was an attribute
    while stack:
        children, rule, outer = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            levels.pop()
            chains.pop()
            attribute.pop()
            if attribute:
                attribute[-1] = rule in _ATTRIBUTES
            continue
        if isinstance(child, Tree):
            name = str(child.data)
            if rule == "start":
                pending, top = "item", True
            elif attribute[-1] and rule != "column":
                pending = "soft"
            elif (
                name in _ITEM_TREES.get(rule, ())
                or rule == "block"
                or (rule == "effect" and name not in ("params", "decl"))
            ):
                pending = "item"
            if name == "rows":
                tables += 1
            elif name == "columns":
                cited = False
            elif name == "column":
                forced, cited = cited, False
            goes_on = name in _CONDITIONALS and name == rule and last == "ELSE"
            flat = goes_on or (rule in _FLAT and _FLAT[rule] == _FLAT.get(name))
            levels.append(levels[-1] + (not flat))
            if name in _CONDITIONALS:
                count += not goes_on
                chains.append(chains[-1] if goes_on else count)
            else:
                chains.append(chains[-1] if name == "block" and rule == "if_stmt" else 0)
            stack.append((iter(child.children), name, rule))
            attribute.append(False)
            continue
        role, pending = pending, ""
        starts, top = top, False
        kind = str(child.type)
        text = str(child)
        if not role:
            if attribute[-1] and rule != "column":
                role = "soft"
            elif (
                kind in _ITEM_TOKENS.get(rule, ())
                or kind == "ROW"
                or (rule == "names" and outer in _FILL and kind == "NAME")
            ):
                role = "item"
            elif text == "{" and rule != "set_literal":
                role = "open"
            elif text == "}" and rule != "set_literal":
                role = "close"
        attribute[-1] = False
        if kind == "CITE":
            text = "@rule " + ", ".join(part.strip() for part in text[5:].split(","))
        elif kind == "MEASURED":
            text = " ".join(text.split())
        last = kind
        piece = _Piece(text, kind, rule, role, top=starts, table=tables if kind == "ROW" else -1)
        piece.level, piece.chain = levels[-1], chains[-1]
        if kind == "CITE" and outer in ("column", "row"):
            # A citation stands before its row or column, which is alone on its line.
            cited = forced = True
        piece.forced, forced = forced, False
        yield child, piece


class _Layout:
    """The pieces of one text and where their lines end."""

    def __init__(self, text: str) -> None:
        self.pieces: list[_Piece] = []
        self.blocks: list[_Block] = []
        self._read(text)
        self._nest()
        self._break()
        self._unchain()
        self._fit()
        self._separate()
        self._align_rows()

    # ------------------------------------------------------------------ reading

    def _read(self, text: str) -> None:
        """Pieces, with the comments found between the tokens."""
        at = depth = 0
        for token, piece in _pieces(_grammar().parse(text)):
            piece.newlines = self._comments(text[at : token.start_pos])
            depth += (piece.role == "open") - (piece.role == "close")
            self.pieces.append(piece)
            if piece.kind == "CITE" and INDENT * depth + len(piece.text) > WIDTH:
                self._cite(piece, INDENT * depth)
            at = token.end_pos or at
            if piece.kind == "ROW":
                row, hash_, comment = piece.text.partition("#")
                piece.text = row.rstrip()
                if hash_:
                    self.pieces.append(_Piece("#" + comment.rstrip(), "COMMENT"))
        self._comments(text[at:])

    def _cite(self, piece: _Piece, margin: int) -> None:
        """Divide a long citation."""
        first, *more = textwrap.wrap(
            piece.text.removeprefix("@rule "), WIDTH - margin - len("@rule "), break_on_hyphens=False
        )
        piece.text = "@rule " + first.rstrip(",")
        role = "soft" if piece.role else ""
        for part in more:
            self.pieces.append(
                _Piece("@rule " + part.rstrip(","), "CITE", piece.rule, role, 1, forced=piece.forced)
            )

    def _comments(self, gap: str) -> int:
        newlines = 0
        for match in re.finditer(r"#[^\n]*|\n", gap):
            if match.group() == "\n":
                newlines += 1
            else:
                self.pieces.append(_Piece(match.group().rstrip(), "COMMENT", newlines=newlines))
                newlines = 0
        return newlines

    def _nest(self) -> None:
        """Which pieces stand in which block."""
        stack: list[int] = []
        inner = 0
        for i, piece in enumerate(self.pieces):
            bracket = piece.kind != "COMMENT" and not piece.role
            inner -= bracket and piece.text in (")", "]", "}")
            piece.inner = inner
            inner += bracket and piece.text in ("(", "[", "{")
            if piece.role == "close":
                closed = self.blocks[stack.pop()]
                closed.close = i
                closed.single = closed.single and not piece.newlines
            piece.depth = len(stack)
            piece.block = stack[-1] if stack else -1
            if stack and piece.role == "item":
                self.blocks[stack[-1]].items.append(i)
            if piece.newlines or piece.kind in ("COMMENT", "ROW"):
                for around in stack:
                    self.blocks[around].single = False
            if piece.role == "open":
                stack.append(len(self.blocks))
                self.blocks.append(_Block(i, fill=piece.rule in _FILL))
        for block in self.blocks:
            if block.close == block.open + 1:
                block.single = True  # empty

    # ------------------------------------------------------------------ line ends

    def _break(self) -> None:
        """The author's line ends, in canonical places."""
        opened = {block.open: block for block in self.blocks}
        closed = {block.close: block for block in self.blocks}
        for i, piece in enumerate(self.pieces):
            if i == 0 or piece.top or piece.forced:
                piece.line = True
                continue
            last = self.pieces[i - 1]
            if last.kind in ("COMMENT", "ROW") and not (last.kind == "ROW" and piece.kind == "COMMENT"):
                piece.line = True
            elif piece.kind == "COMMENT":
                piece.line = piece.newlines > 0
            elif i - 1 in opened:
                piece.line = not opened[i - 1].single
            elif i in closed:
                piece.line = not closed[i].single
            elif piece.kind == "ROW":
                piece.line = True
            elif piece.role in ("item", "soft"):
                piece.line = piece.newlines > 0 or (i - 1 in closed and not closed[i - 1].single)
            else:
                follows = (piece.kind, last.kind) == ("IF", "ELSE") or (
                    piece.rule == "column" and last.kind == "CITE"
                )
                joined = piece.role == "open" or follows or (piece.kind == "ELSE" and i - 1 in closed)
                hanging = last.text in ("(", "[", "{") and piece.text not in (")", "]", "}")
                piece.line = piece.newlines > 0 and not joined and (hanging or not self._tight(i))

    def _unchain(self) -> None:
        """Each `else if` of a chain with several of them on a line of its own."""
        links: dict[int, list[int]] = {}
        for i, (piece, after) in enumerate(pairwise(self.pieces)):
            if piece.kind == "ELSE" and piece.chain and after.kind == "IF":
                links.setdefault(piece.chain, []).append(i)
        long = {chain for chain, places in links.items() if len(places) > 1}
        for piece in self.pieces:
            if piece.chain in long and piece.rule == "conditional" and piece.kind == "ELSE":
                piece.line = True
                self._open_up(piece.block)
        for number, block in enumerate(self.blocks):
            if self.pieces[block.open].rule == "block" and self.pieces[block.open].chain in long:
                self._open_up(number)

    def _open_up(self, number: int) -> None:
        """Let the block of this number, and those around it, stand on several lines."""
        while number >= 0:
            block = self.blocks[number]
            if block.single and block.close > block.open + 1:
                block.single = False
                for i in (block.open + 1, block.close, *block.items):
                    self.pieces[i].line = True
            number = self.pieces[block.open].block

    def _tight(self, i: int) -> bool:
        """Whether piece *i* directly follows the one before it."""
        last, piece = self.pieces[i - 1], self.pieces[i]
        if last.role == "open":
            return piece.role == "close"
        return (
            piece.text in _TIGHT_BEFORE
            or last.text in _TIGHT_AFTER
            or (piece.text == "(" and piece.rule in _CALLS)
            or (last.text == "-" and last.rule == "neg")
            or (last.text == "{" and last.rule == "set_literal")
            or (piece.text == "}" and piece.rule == "set_literal")
        )

    def _width(self, start: int, end: int) -> int:
        """The width of the pieces from *start* to *end* on a line, without a comment; of what is too wide
        only that it is.
        """
        width = self._indent(start)
        for i in range(start, end):
            if self.pieces[i].kind != "COMMENT":
                width += len(self.pieces[i].text) + (i > start and not self._tight(i))
            if width > WIDTH:
                break
        return width

    def _fit(self) -> None:
        """Break the lines that are too long where that is a matter of layout."""
        opened = {block.open: block for block in self.blocks}
        starts = [i for i, piece in enumerate(self.pieces) if piece.line] + [len(self.pieces)]
        lines = list(pairwise(starts))[::-1]
        while lines:
            start, end = lines.pop()
            if self._width(start, end) <= WIDTH:
                continue
            around = self.pieces[start].block
            cuts = {
                i
                for i in range(start + 1, end)
                if self.pieces[i].role == "item" and self.pieces[i].block == around >= 0
            }
            if cuts and self.blocks[around].fill:
                cuts = self._filled(start, end, sorted(cuts))
            if not cuts:
                for i in range(start, end):
                    if (
                        i in opened
                        and self.pieces[i].block == around
                        and opened[i].single
                        and opened[i].close > i + 1
                    ):
                        block = opened[i]
                        block.single = False
                        cuts |= {i + 1, block.close}
                        if not block.fill:
                            cuts |= set(block.items)
            if not cuts:
                place = best_break(
                    self._spot,
                    (i for i in range(start + 1, end) if self._breakable(i)),
                    end,
                    self._width,
                    start,
                )
                cuts = {place} if place is not None else set()
            for i in cuts:
                self.pieces[i].line = True
            places = [start, *sorted(cuts), end]
            if cuts:
                lines.extend(list(pairwise(places))[::-1])

    def _spot(self, i: int) -> Spot:
        piece = self.pieces[i]
        return Spot(piece.text, piece.rule, piece.level, piece.kind == "NAME")

    def _breakable(self, i: int) -> bool:
        """Whether a line may end before piece *i*."""
        return self.pieces[i].kind != "COMMENT" and self.pieces[i].role != "open" and not self._tight(i)

    def _filled(self, start: int, end: int, items: list[int]) -> set[int]:
        """Where to break a line of many small items."""
        cuts: set[int] = set()
        for item, after in zip(items, [*items[1:], end], strict=True):
            if self._width(start, after) > WIDTH:
                cuts.add(item)
                start = item
        return cuts

    def _separate(self) -> None:
        """Blank lines: the author's, one at a time, and one around large declarations."""
        for i, piece in enumerate(self.pieces):
            if (
                piece.line
                and i
                and piece.newlines > 1
                and self.pieces[i - 1].role != "open"
                and piece.role != "close"
            ):
                piece.blank = piece.role == "item" or (piece.kind == "COMMENT" and self._between(i))
        previous_large = False
        tops = [i for i, piece in enumerate(self.pieces) if piece.top] + [len(self.pieces)]
        for n, (start, end) in enumerate(pairwise(tops)):
            large = any(piece.role == "close" and piece.line for piece in self.pieces[start:end])
            gap = start
            while gap and self.pieces[gap - 1].kind == "COMMENT" and self.pieces[gap - 1].line:
                gap -= 1
            if (
                n
                and (large or previous_large)
                and not any(piece.blank for piece in self.pieces[gap : start + 1])
            ):
                self.pieces[gap].blank = True
            previous_large = large

    def _following(self, i: int) -> int:
        """The first piece from *i* on that is no comment."""
        while i < len(self.pieces) and self.pieces[i].kind == "COMMENT":
            i += 1
        return i

    def _between(self, i: int) -> bool:
        """Whether comment *i* stands between items."""
        follower = self._following(i)
        return follower == len(self.pieces) or self.pieces[follower].role in ("item", "close")

    def _indent(self, i: int) -> int:
        """The indentation of piece *i* at the start of a line."""
        piece = self.pieces[i]
        indent = INDENT * piece.depth
        if piece.kind == "COMMENT":
            if self._between(i):
                return indent
            i = self._following(i)
            piece = self.pieces[i]
        if piece.role or i == 0:
            return indent
        if piece.kind == "ELSE":
            last = i - 1
            while self.pieces[last].kind == "COMMENT":
                last -= 1
            if self.pieces[last].role == "close":
                return indent
        return indent + CONTINUATION + INDENT * piece.inner

    # ------------------------------------------------------------------ writing

    def _align_rows(self) -> None:
        """Make the columns of each table as wide as their widest cell."""
        tables: dict[int, list[tuple[_Piece, list[str]]]] = {}
        for piece in self.pieces:
            if piece.kind == "ROW":
                cells = [cell.strip() for cell in piece.text.split("|")[1:-1]]
                tables.setdefault(piece.table, []).append((piece, cells))
        for rows in tables.values():
            count = max(len(cells) for _, cells in rows)
            widths = [
                max((len(cells[c]) for _, cells in rows if c < len(cells)), default=0) for c in range(count)
            ]
            for piece, cells in rows:
                shown = [
                    cell.rjust(width)
                    if _numeric([other[c] for _, other in rows if c < len(other)], cell)
                    else cell.ljust(width)
                    for c, (cell, width) in enumerate(zip(cells, widths, strict=False))
                ]
                piece.text = "| " + " | ".join(shown) + " |"
            self._lead({id(piece) for piece, _ in rows})

    def _lead(self, table: set[int]) -> None:
        """Put what rows cite before them, in a column of its own."""
        cites = {i + 1: piece for i, piece in enumerate(self.pieces[:-1]) if piece.kind == "CITE"}
        leads = [(row, cites.get(i)) for i, row in enumerate(self.pieces) if id(row) in table]
        width = max((len(cite.text) for _, cite in leads if cite is not None), default=0)
        if not width or max(INDENT * row.depth + width + 1 + len(row.text) for row, _ in leads) > WIDTH:
            return
        for row, cite in leads:
            if cite is None:
                row.text = " " * (width + 1) + row.text
            else:
                cite.text = cite.text.ljust(width)
                row.line = False

    def text(self) -> str:
        """The text in canonical layout."""
        if not self.pieces:
            return ""
        lines: list[tuple[str, str]] = []  # code and the comment after it
        for i, piece in enumerate(self.pieces):
            if piece.line:
                if piece.blank:
                    lines.append(("", ""))
                lines.append((" " * self._indent(i) + piece.text, ""))
            elif piece.kind == "COMMENT":
                lines[-1] = (lines[-1][0], piece.text)
            else:
                lines[-1] = (lines[-1][0] + ("" if self._tight(i) else " ") + piece.text, "")
        return "".join(line + "\n" for line in _with_comments(list(_within_width(lines))))


def _numeric(column: list[str], cell: str) -> bool:
    """Whether *cell* is set to the right: a number, or a dash among numbers."""
    if re.fullmatch(r"-?\d+", cell):
        return True
    return cell in ("—", "-", "–") and any(re.fullmatch(r"-?\d+", other) for other in column)


def _within_width(lines: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines with long comments divided, and moved before the line that they do not fit behind."""
    rest = ""  # of a comment that goes on in the next line
    for (code, comment), after in zip(lines, [*(code for code, _ in lines[1:]), ""], strict=True):
        margin = _margin(code)
        if comment and len(code) + 2 + len(comment) > WIDTH:
            yield from (
                (line, "") for line in _divided(comment, margin + INDENT * code.lstrip().startswith("}"))
            )
            yield code, ""
        elif code.lstrip().startswith("#"):
            text = code.lstrip()
            divided = _divided("# " + rest + text.removeprefix("# ") if rest else text, margin)
            rest = ""
            if (
                len(divided) > 1
                and text[-1] not in ".!?:"
                and re.match(rf" {{{margin}}}# \w", after)
                and "   " not in text + after[margin:]
            ):
                rest = divided.pop().lstrip(" #") + " "
            yield from ((line, "") for line in divided)
        else:
            yield code, comment


def _divided(comment: str, margin: int) -> list[str]:
    """The lines of a comment: divided where it has wide gaps, else between words."""
    start, room = " " * margin, WIDTH - margin
    if len(comment) <= room:
        return [start + comment]
    parts = re.split(r"( {3,})(?=\S)", comment)
    if len(parts) > 1 and len(parts[0]) > 1 and max(map(len, parts)) <= room - 2:
        lines = [parts[0]]
        for gap, part in zip(parts[1::2], parts[2::2], strict=True):
            if len(lines[-1] + gap + part) <= room:
                lines[-1] += gap + part
            else:
                lines.append("# " + part)
        return [start + line for line in lines]
    return textwrap.wrap(
        comment,
        WIDTH,
        initial_indent=start,
        subsequent_indent=start + "# ",
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )


def _with_comments(lines: list[tuple[str, str]]) -> Iterator[str]:
    """The lines with their comments, aligned among neighbours of the same indentation."""
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and lines[end][0] and _margin(lines[end][0]) == _margin(lines[start][0]):
            end += 1
        column = max((len(code) for code, comment in lines[start:end] if comment), default=0)
        if column > FAR:
            column = 0
        for code, comment in lines[start:end]:
            aligned = code.ljust(column) + "  " + comment if comment else code
            yield aligned if len(aligned) <= WIDTH or not comment else code + "  " + comment
        start = end


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
