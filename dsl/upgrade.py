"""Sources as they were written before, in the language's surface of today.

Rules stand in the block of what they are for, the rules of one rulebook are cited by ``§``, rulers
of dashes are headings.  Nothing changes in what a source means; no comment is lost; what is written
so already stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TypeVar

from lark import Token, Tree, UnexpectedInput

from dsl.formatter import format_source
from dsl.formatter.pieces import INDENT, WIDTH
from dsl.language import grammar
from dsl.parser import book_of, book_of_folder, has_header, parse
from dsl.source import Source

#: A text, a comment, or a word of before where a statement began with it.
_WORDS = re.compile(r'"[^"\n]*"|#[^\n]*|(?<![\w.])outcome(?=[ \t]+\w+[ \t]*\()')
_Name = TypeVar("_Name")
_ID = re.compile(r"([A-Za-z][A-Za-z0-9]*)-([A-Za-z0-9.\-]*[A-Za-z0-9])")
_CITED = re.compile(r"@(?:rule|section)\b([^\n#]*)")
#: What in such a line is no ID in full: a text, a citation by ``§``.
_UNCITED = re.compile(r'"[^"]*"|§[^"@\n]*')
#: A citation by ``§``, outside of texts and comments.
_SHORT = re.compile(r'^(?:"[^"\n]*"|[^"#\n])*?§', re.MULTILINE)
_RULER = re.compile(r"#\s*-{3,}\s*(\S.*?)[\s-]*\Z")
_RULES = {"base_rule", "verdict_rule", "modify", "limit", "suspend"}
_RULED = {"permission", "quantity"}
#: What cites rules before it.
_MARKS = {"cite", "short", "provenance"}
_PARTS = {"member", "column", "row", "field", "branch", "cited_stmt"}


# ---------------------------------------------------------------------- which rulebook


def books(texts: Mapping[_Name, str], chosen: Iterable[_Name]) -> dict[_Name, tuple[str, bool]]:
    """For each *chosen* file of a folder, of whose sources *texts* are the content by their names:
    the rulebook that it cites by ``§`` from now on, and whether it has to say so itself.
    """
    wanted = set(chosen)
    named = book_of_folder(texts.values())
    common = named or _most_cited(texts.values())
    headers = [name for name, text in texts.items() if has_header(text)]
    told = bool(named) or any(name in wanted for name in headers)
    plan: dict[_Name, tuple[str, bool]] = {}
    for name in wanted:
        own, most = book_of(texts[name]), _most_cited([texts[name]])
        if own or (named and _SHORT.search(texts[name])):  # it cites so already
            plan[name] = own or named, False
        elif name in headers:
            plan[name] = common, bool(common)
        elif most in ("", common) and told:
            plan[name] = common, False
        else:
            plan[name] = most, bool(most)
    return plan


def _most_cited(texts: Iterable[str]) -> str:
    """The prefix of more than half of the IDs cited in full, if there is one."""
    prefixes = Counter(
        one[1]
        for text in texts
        for cited in _CITED.finditer(text)
        for one in _ID.finditer(_UNCITED.sub("", cited[1]))
    )
    most = prefixes.most_common(1)
    return most[0][0] if most and 2 * most[0][1] > prefixes.total() else ""


# ---------------------------------------------------------------------- what a file consists of


@dataclass
class _Part:
    """A declaration, a heading, or a comment by itself.

    *lead* are the comments directly above it, *marks* those before it that stay there, *code* what
    follows them, *behind* the comment at its end.  A rule has a *target*, and *inner*, which is its
    code in the block of that.  What has rules names in *block* the target of them.  *marked* says
    what it has of its own: ``cites``, ``house``, ``published``; *ruler*, that it was a comment;
    *near*, that no blank line stands before it.
    """

    kind: str
    lead: str = ""
    marks: str = ""
    code: str = ""
    behind: str = ""
    inner: str = ""
    target: str = ""
    block: str = ""
    marked: frozenset[str] = frozenset()
    title: str = ""
    cited: str = ""
    ruler: bool = False
    near: bool = False
    rules: list[_Part] = field(default_factory=list)

    def text(self) -> str:
        """The part as source."""
        code, behind = self.code, self.behind
        if self.kind == "comment":
            return self.lead
        if self.kind == "section":
            title = f'"{self.title}"' if self.title else ""
            code = " ".join(filter(None, ("@section", title, self.cited)))
        elif self.rules:
            head = code[: code.rindex("}")].rstrip() if code.endswith("}") else f"{code} {{"
            body = "\n".join(rule.in_block() for rule in self.rules)
            code, behind = f"{head}{self.behind}\n{body}\n}}", ""
        return _lines(self.lead, self.marks, code + behind)

    def in_block(self) -> str:
        """A rule, or a comment, as it stands in a block."""
        if self.kind == "comment":
            return f"\n{self.lead}\n"
        return _lines(self.lead, self.marks, self.inner + self.behind)

    def takes(self, rule: _Part) -> bool:
        """Whether a *rule* may stand in the block of this, and cites what it does by itself."""
        unmarked = not rule.marked & {"cites", "house"}
        return rule.target == self.block and not (unmarked and self.marked)


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, parts))


def reworded(text: str) -> str:
    """A source with the words of today in place of those of before."""
    return _WORDS.sub(lambda match: "observe" if match[0] == "outcome" else match[0], text)


def upgraded(source: Source, book: str, tell: bool = False) -> str:
    """*source* in the surface of today, laid out; a source with errors as it is.

    *book* is the prefix of the IDs that ``§`` stands for; *tell*: the source says so itself.
    """
    if parse(source).diagnostics:
        return source.text
    text = format_source(source)  # what finds room is measured as it will stand
    parts = _grouped(_headed(list(_parts(text, book))))
    if tell:
        at = next((i for i, one in enumerate(parts) if one.code.startswith("ruleset ")), None)
        if at is None:
            at = len(list(takewhile(lambda one: one.kind == "comment", parts)))
            parts[at].near = False
            parts.insert(at, _Part("cites", code=f"cites {book}"))
        else:
            parts[at].behind += f"\ncites {book}"
    joined = "".join(f"\n{'' if one.near else chr(10)}{one.text()}" for one in parts)
    return format_source(Source(source.name, joined.strip() + "\n"))


def _parts(text: str, book: str) -> Iterator[_Part]:
    """What a file consists of, in order."""
    tree, done = grammar(every_token=True).parse(text), 0
    for child in tree.children:
        assert isinstance(child, Tree)
        start, end = child.meta.start_pos, child.meta.end_pos
        *free, lead = _comments(text[done:start])
        blank = re.search(r"\n[ \t]*\n", text[done:start]) is not None
        yield from free
        behind = re.compile(r"[ \t]*#[^\n]*").match(text, end)
        done = behind.end() if behind else end
        comment = "  " + behind.group().strip() if behind else ""
        if child.data == "section":
            part = _section(text[start:end], book)
        else:
            part = _declaration(child, text, book, comment)
        yield replace(part, lead=lead.lead, near=not free and not blank)
    *free, _ = _comments(text[done:] + "\n\n")
    yield from free


def _comments(gap: str) -> list[_Part]:
    """The comments, and the rulers, between two declarations; last the one that belongs to what
    follows, which may be none.
    """
    parts = [_Part("comment")]
    for line in gap.split("\n")[:-1]:
        words = line.strip()
        ruler = _RULER.match(words)
        if ruler is not None:
            title = ruler[1].replace('"', "'")
            parts[-1:] = [
                *_said(parts[-1]),
                _Part("section", title=title[0].upper() + title[1:], ruler=True),
            ]
            parts.append(_Part("comment"))
        elif words:
            before = parts[-1].lead
            parts[-1].lead = f"{before}\n{words}" if before else words
        elif parts[-1].lead:
            parts.append(_Part("comment"))
    return parts


def _said(part: _Part) -> list[_Part]:
    return [part] if part.lead else []


# ---------------------------------------------------------------------- citations


def _numbers(ids: list[str], book: str) -> str:
    """IDs of one rulebook as a citation by ``§``; nothing where one is of another."""
    own = [match for one in ids if (match := _ID.fullmatch(one)) and match[1] == book]
    if not own or len(own) < len(ids):
        return ""
    numbers = [match[2] for match in own]
    more = (one if re.search(r"\d", one) else f"§{one}" for one in numbers[1:])
    return "§" + ", ".join((numbers[0], *more))


def _section(text: str, book: str) -> _Part:
    """A heading that stands as one already, or what the declarations below it cite."""
    title = re.search(r'"([^"]*)"', text)
    if title is not None or "§" in text or "@" in text[1:]:
        words = text.removeprefix("@section").strip()
        cited = words.removeprefix(f'"{title[1]}"').strip() if title is not None else words
        return _Part("section", title=title[1] if title is not None else "", cited=cited)
    ids = re.findall(r"[^\s,]+", text.removeprefix("@section"))
    cited = _numbers(ids, book) or (f"@rule {', '.join(ids)}" if ids else "")
    return _Part("section", cited=cited)


def _headed(parts: list[_Part]) -> list[_Part]:
    """*parts* with the citation of a section repeated below the headings in it."""
    headed: list[_Part] = []
    cited = ""
    for part in parts:
        if part.kind != "section":
            headed.append(part)
            continue
        last = headed[-1] if headed else None
        joined = last is not None and last.kind == "section" and not part.lead
        if part.ruler:
            part.cited = cited
        cited = part.cited
        if joined and last is not None and not part.title:  # a citation directly below a heading
            last.cited = part.cited
            continue
        if joined and last is not None and not last.title:  # or above it, for what stood between
            headed.pop()
        headed.append(part)
    return headed


# ---------------------------------------------------------------------- declarations


@dataclass
class _Edits:
    """Changes of a text: what stands from one place to another, and what takes its place."""

    text: str
    made: list[tuple[int, int, str]] = field(default_factory=list)

    def change(self, start: int, end: int, new: str) -> None:
        """Put *new* in the place of what stands from *start* to *end*."""
        self.made.append((start, end, new))

    def remove(self, start: int, end: int) -> None:
        """Take a mark out, and its line where it has one."""
        rest = re.compile(r"[ \t]*\n?[ \t]*").match(self.text, end)
        self.change(start, rest.end() if rest else end, "")

    def applied(self, start: int, end: int, more: Iterable[tuple[int, int, str]] = ()) -> str:
        """What stands from *start* to *end* with the changes, and some *more*."""
        text, at = "", start
        for begin, stop, new in sorted([*self.made, *more], key=lambda one: one[:2]):
            if start <= begin and stop <= end:
                text += self.text[at:begin] + new
                at = stop
        return text + self.text[at:end]


def _declaration(tree: Tree[Token], text: str, book: str, behind: str) -> _Part:
    """A declaration with what it cites behind its name; *behind* is the comment at its end."""
    start, end = _span(tree)
    if tree.data == "cites":
        return _Part("cites", code=text[start:end], behind=behind)
    *marks, bare = (one for one in tree.children if isinstance(one, Tree))
    edits = _Edits(text)
    for below in bare.iter_subtrees():
        if below.data in _PARTS:
            for mark in _cites(below.children):
                _shorten(mark, below, edits, book)
        elif below.data == "ruled":
            *before, rule = (one for one in below.children if isinstance(one, Tree))
            _move_marks(before, rule, edits, book)
    if bare.data == "effect":
        _block_up(bare, edits)
    _move_marks(marks, bare, edits, book)
    begin = _span(bare)[0]
    left = (line.strip() for line in edits.applied(start, begin).splitlines())
    part = _Part(
        "declaration", marks=_lines(*left), behind=behind, marked=_marked(marks, bare, text)
    )
    part.code = edits.applied(begin, end)
    inner = _replaced(bare)
    if inner.data in _RULED:
        part.block = _name(inner)
    elif bare.data in _RULES and (aim := _aim(bare, text)) is not None:
        part.target, cut = aim
        part.inner = _on_one_line(edits.applied(begin, end, [cut]), INDENT)
        part.code = _on_one_line(part.code, 0)
    return part


def _shorten(mark: Tree[Token], part: Tree[Token], edits: _Edits, book: str) -> None:
    """Cite by ``§`` before a part of a declaration, on the line of that where it finds room."""
    start, end = _span(mark)
    numbers = _numbers(_ids(edits.text[start:end]), book)
    if not numbers:
        return
    own = next(one for one in part.children if not (isinstance(one, Tree) and one.data in _MARKS))
    at = own.meta.start_pos if isinstance(own, Tree) else own.start_pos or 0
    line = edits.text[at : _span(part)[1]].partition("\n")[0]
    margin = at - edits.text.rfind("\n", 0, at) - 1
    room = WIDTH - margin - len(line) > len(numbers)
    edits.remove(start, end)
    edits.change(at, at, f"{numbers} " if room else f"{numbers}\n")


def _span(tree: Tree[Token]) -> tuple[int, int]:
    return tree.meta.start_pos, tree.meta.end_pos


def _ids(text: str) -> list[str]:
    return re.findall(r"[^\s,]+", text)[1:]


def _cites(children: Iterable[Token | Tree[Token]]) -> list[Tree[Token]]:
    return [one for one in children if isinstance(one, Tree) and one.data == "cite"]


def _replaced(bare: Tree[Token]) -> Tree[Token]:
    """A declaration without the word ``replace``."""
    trees = [one for one in bare.children if isinstance(one, Tree)]
    return trees[0] if bare.data == "replace" else bare


def _name(bare: Tree[Token]) -> str:
    return str(next(one for one in bare.children if isinstance(one, Token) and one.type == "NAME"))


def _marked(marks: list[Tree[Token]], bare: Tree[Token], text: str) -> frozenset[str]:
    """What marks a declaration has of its own."""
    short = any(isinstance(one, Token) and one.type == "SHORT" for one in _replaced(bare).children)
    found = {"cites"} if short or _cites(marks) else set[str]()
    for mark in ("house", "published"):
        if any(text.startswith(f"@{mark}", _span(one)[0]) for one in marks):
            found.add(mark)
    return frozenset(found)


def _move_marks(marks: list[Tree[Token]], bare: Tree[Token], edits: _Edits, book: str) -> None:
    """Write what is cited before a declaration behind its name, where it is all of one book and
    finds room.
    """
    cites = _cites(marks)
    ids = [one for mark in cites for one in _ids(edits.text[slice(*_span(mark))])]
    numbers, place = _numbers(ids, book), _place(bare) if ids else None
    if not numbers or place is None:
        return
    head = " ".join(edits.text[_span(bare)[0] : place].split())
    if INDENT + len(head) + 1 + len(numbers) + 2 <= WIDTH:  # else they stay above it
        edits.change(place, place, f" {numbers}")
        for mark in cites:
            edits.remove(*_span(mark))


def _place(bare: Tree[Token]) -> int | None:
    """Where ``§`` may stand in the head of a declaration: behind what is declared."""
    parser = grammar().parse_interactive("")
    place, depth = None, 0
    for token in bare.scan_values(lambda one: isinstance(one, Token)):
        if token.type == "SHORT" or (not depth and token.type in ("LBRACE", "EQUAL")):
            return None if token.type == "SHORT" else place
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        try:
            parser.feed_token(token)
            if not depth:
                parser.copy().feed_token(Token("SHORT", "§1"))  # type: ignore[no-untyped-call]
                place = token.end_pos
        except UnexpectedInput:
            continue
    return place


def _aim(rule: Tree[Token], text: str) -> tuple[str, tuple[int, int, str]] | None:
    """What a rule is for, and the change that takes it out of the rule."""
    signature = next(
        one for one in rule.children if isinstance(one, Tree) and one.data == "signature"
    )
    word = next(one for one in rule.children if isinstance(one, Token) and one.type == "FOR")
    start, end = word.start_pos, _span(signature)[1]
    assert start is not None
    if "#" in text[start:end]:
        return None
    target = " ".join(text[slice(*_span(signature))].split())
    rest = re.compile(r"\s*").match(text, end)
    return target, (start, min(rest.end() if rest else end, _span(rule)[1]), "")


def _on_one_line(code: str, margin: int) -> str:
    """A rule on one line, where it finds room there."""
    joined = " ".join(code.split())
    return joined if "#" not in code and margin + len(joined) <= WIDTH else code


# ---------------------------------------------------------------------- blocks of rules


def _block_up(effect: Tree[Token], edits: _Edits) -> None:
    """Several rules of an effect one after another that are for the same, in a block for it."""
    run: list[tuple[Tree[Token], tuple[int, int, str]]] = []
    target = ""
    for child in [*effect.children, None]:
        ruled = isinstance(child, Tree) and child.data == "ruled"
        aim = _aim(child.children[-1], edits.text) if ruled else None  # type: ignore
        if run and (aim is None or aim[0] != target):
            if len(run) > 1:
                first, last = _span(run[0][0])[0], _span(run[-1][0])[1]
                behind = re.compile(r"[ \t]*#[^\n]*\n").match(edits.text, last)
                last = behind.end() if behind else last
                edits.made += [cut for _, cut in run]
                edits.change(first, first, f"for {target} {{\n")
                edits.change(last, last, "\n}")
            run = []
        if aim is not None and isinstance(child, Tree):
            target = aim[0]
            run.append((child, aim[1]))


def _grouped(parts: list[_Part]) -> list[_Part]:
    """*parts* with rules that follow what they are for, or one another, in blocks."""
    grouped: list[_Part] = []
    ahead = list(parts)
    while ahead:
        part = ahead.pop(0)
        if part.block:
            part.rules = _taken(ahead, part)
        elif part.target:
            block = _Part("declaration", code=f"for {part.target}", block=part.target)
            rules = _taken(ahead, block)
            if rules:
                block.rules = [part, *rules]
                part = block
        grouped.append(part)
    return grouped


def _taken(ahead: list[_Part], block: _Part) -> list[_Part]:
    """Take the rules from the beginning of *ahead* that may stand in a *block*, with comments
    between them.
    """
    count = 0
    for i, part in enumerate(ahead):
        if part.target and block.takes(part):
            count = i + 1
        elif part.kind != "comment":
            break
    rules, ahead[:count] = ahead[:count], []
    return rules
