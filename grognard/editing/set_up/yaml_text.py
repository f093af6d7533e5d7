"""A text in YAML that is changed place by place: comments and layout stay as they are.

Places are paths of keys and of numbers in lists.  Each change touches the lines of what it is about
and no others; what is written keeps to the style of what stands around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

import yaml
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from grognard.editing.edits import Edit

#: Where a thing stands: keys and numbers from the outermost.
Path = tuple[str | int, ...]
#: A line does not become longer by what is added to a list on it.
_WIDEST = 120
_PLAIN = re.compile(r"(?:-(?=\d))?[\w+./][\w+./'-]*(?: [\w+./'-]+)*\Z")
_READ_OTHERWISE = re.compile(r"(?i:true|false|null|yes|no|none|on|off|y|n|~|[-+.\d][-+.\d_:e]*)\Z")
_GAP = re.compile(r"(?:\s|(?<=\s)#[^\n]*)*")


def quoted_word(word: str, wording: bool = False) -> str:
    """A word as YAML; *wording*: it is to be read as text whatever it looks like."""
    if _PLAIN.match(word) and not (wording and _READ_OTHERWISE.match(word)):
        return word
    signs = (
        "\\" + sign if sign in '"\\' else sign if sign.isprintable() else f"\\U{ord(sign):08x}"
        for sign in word
    )
    return '"' + "".join(signs) + '"'


def end_of(node: Node) -> int:
    """Behind the last character of a node."""
    if isinstance(node, CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return end_of(last[1] if isinstance(node, MappingNode) else last)
    return int(node.end_mark.index)


def flowing(entries: Iterable[tuple[str, str]]) -> str:
    """A mapping on one line, of parts that are YAML."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries) + "}"


def flow_list(items: Iterable[str]) -> str:
    """A list on one line, of items that are YAML."""
    return f"[{', '.join(items)}]"


def entry_of(key: str, value: str) -> str:
    """An entry of a mapping; the value may begin on a line of its own."""
    return f"{quoted_word(key)}:{'' if value.startswith(chr(10)) else ' '}{value}"


@dataclass
class YamlText:
    """A text in YAML that can be read; :attr:`text` is what it has become."""

    before: str
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.before

    # ------------------------------------------------------------------ what stands where

    @cached_property
    def root(self) -> Node:
        """The tree."""
        root = yaml.compose(self.text, Loader=yaml.SafeLoader)
        assert root is not None
        return root

    @cached_property
    def _paths(self) -> dict[tuple[int, int, bool], Path]:
        return {
            (node.start_mark.line + 1, node.start_mark.column + 1, isinstance(node, ScalarNode)): at
            for at, node in _below(self.root, ())
        }

    def path(self, line: int, column: int, scalar: bool) -> Path | None:
        """Where the value stands that begins at a place, counted from 1."""
        return self._paths.get((line, column, scalar))

    def node(self, path: Path) -> Node | None:
        """The node at a place; None where there is none."""
        node: Node | None = self.root
        for step in path:
            node = _child(node, step)
        return node

    def scalars(self) -> list[Path]:
        """Where values stand that are no lists or mappings."""
        return [at for at, node in _below(self.root, ()) if isinstance(node, ScalarNode)]

    def children(self, path: Path) -> list[tuple[str | int, Node]]:
        """What a list or mapping holds; nothing where there is none."""
        node = self.node(path)
        if isinstance(node, MappingNode):
            return [(key.value, value) for key, value in node.value]
        return [*enumerate(node.value)] if isinstance(node, SequenceNode) else []

    def word(self, path: Path) -> str:
        """The text of a scalar; empty where there is none."""
        node = self.node(path)
        return str(node.value) if isinstance(node, ScalarNode) else ""

    def source(self, node: Node, without: Sequence[str] = ()) -> str:
        """A node on one line, its scalars as they are written; of a mapping *without* some keys."""
        if isinstance(node, MappingNode):
            kept = [(k, v) for k, v in node.value if k.value not in without]
            return flowing((self.source(k), self.source(v)) for k, v in kept)
        if isinstance(node, SequenceNode):
            return flow_list(self.source(item) for item in node.value)
        return self.text[node.start_mark.index : node.end_mark.index].strip()

    # ------------------------------------------------------------------ changes

    def edits(self) -> list[Edit]:
        """What has been changed since the beginning: edits of the lines concerned."""
        old, new = self.before.splitlines(keepends=True), self.text.splitlines(keepends=True)
        starts = [0]
        for line in old:
            starts.append(starts[-1] + len(line))
        found = []
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                found.append(Edit(starts[a], starts[b], "".join(new[c:d])))
        return found

    def splice(self, start: int, end: int, text: str) -> None:
        """Write *text* in the place of characters."""
        self.text = f"{self.text[:start]}{text}{self.text[end:]}"
        self.__dict__.pop("root", None)
        self.__dict__.pop("_paths", None)

    def replace(self, path: Path, text: str) -> None:
        """Write *text*, which is YAML on one line, in the place of a value."""
        node, above = self.node(path), self.node(path[:-1])
        assert node is not None and above is not None
        start, end = node.start_mark.index, end_of(node)
        if start == end:  # nothing stands behind the colon
            text = " " + text
        elif node.start_mark.column == above.start_mark.column:  # a list no deeper than its key
            text = "  " + text
        behind = "\n" if self.text[start:end].endswith("\n") else ""
        self.splice(start, end, text + behind)

    def rename(self, path: Path, key: str) -> None:
        """Write another key."""
        node = next(k for k, _ in self._mapping(path[:-1]).value if k.value == path[-1])
        self.splice(node.start_mark.index, node.end_mark.index, key)

    def set(self, path: Path, text: str) -> None:
        """Give the value at a path of keys, with all mappings that it takes."""
        if self.node(path) is not None:
            self.replace(path, text)
            return
        depth = next(n for n in range(len(path), -1, -1) if self.node(path[:n]) is not None)
        above, keys = path[:depth], [str(key) for key in path[depth:]]
        node = self.node(above)
        if not isinstance(node, MappingNode):  # a key without anything below it
            self.replace(above, "{}")
            node = self.node(above)
        if isinstance(node, MappingNode) and not node.flow_style and len(keys) > 1 and depth < 2:
            indent = " " * node.start_mark.column
            lines = [f"{indent}{'  ' * n}{quoted_word(key)}:" for n, key in enumerate(keys)]
            lines[-1] += f" {text}"
            self._add_lines(above, lines)
            return
        for key in reversed(keys[1:]):
            text = flowing([(quoted_word(key), text)])
        self.add(above, entry_of(keys[0], text))

    def spread(self, path: Path, items: list[str]) -> None:
        """Write a list in the place of a value, an item on a line where the text is so."""
        node, above = self.node(path), self._mapping(path[:-1])
        assert node is not None
        if above.flow_style:
            self.replace(path, flow_list(items))
            return
        lead = "\n" + " " * (above.start_mark.column + 2) + "- "
        start = len(self.text[: node.start_mark.index].rstrip())
        self.splice(start, end_of(node), "".join(lead + item for item in items))

    def add(self, path: Path, text: str, at: int | None = None) -> None:
        """Add an item to a list or an entry (``key: value``) to a mapping: as number *at*, or at
        the end.
        """
        node = self.node(path)
        assert isinstance(node, CollectionNode)
        spans = _spans(node)
        at = len(spans) if at is None else at
        if node.flow_style:
            self._add_flowing(node, spans, text, at)
        else:
            dash = "- " if isinstance(node, SequenceNode) else ""
            self._add_lines(path, [" " * node.start_mark.column + dash + text], at)

    def _add_flowing(
        self, node: CollectionNode, spans: list[tuple[int, int]], text: str, at: int
    ) -> None:
        if not spans:
            self.splice(node.start_mark.index + 1, node.start_mark.index + 1, text)
            return
        if at < len(spans):
            self.splice(spans[at][0], spans[at][0], f"{text}, ")
            return
        end = spans[-1][1]
        comma = self._comma(end)
        end = end if comma is None else comma
        heads = [self._line_start(start) for start, _ in spans[-3:]]
        own_lines = len(set(heads)) == 3
        line_end = self._line_end(end)
        width = line_end - self._line_start(end) + len(text) + 2
        first = spans[-1][0] if own_lines else spans[0][0]
        lead = " " * (first - self._line_start(first)) if own_lines else " "
        if own_lines or (width > _WIDEST and len(spans) > 2):
            if not own_lines:
                lead = " " * min(first - self._line_start(first), 60)
            text = f",\n{lead}{text}"
        else:
            text = f", {text}"
        self.splice(end, end + (comma is not None), text)

    def _add_lines(self, path: Path, lines: list[str], at: int | None = None) -> None:
        """Add whole lines to a block, as its number *at*, or at its end."""
        node = self.node(path)
        assert isinstance(node, CollectionNode)
        spans = _spans(node)
        at = len(spans) if at is None else at
        newline = "\r\n" if "\r\n" in self.text else "\n"
        if at == 0:
            start = node.start_mark.index
            head = self.text[self._line_start(start) : start]
            if head.strip():  # the first of a block begins on the line of what holds it
                inner = newline.join(lines).lstrip() + newline + " " * node.start_mark.column
            else:
                start, inner = start - len(head), "".join(line + newline for line in lines)
            self.splice(start, start, inner)
            return
        end = self._line_end(spans[at - 1][1] - (self.text[spans[at - 1][1] - 1] == "\n"))
        self.splice(end, end, "".join(newline + line for line in lines))

    def remove(self, path: Path) -> None:
        """Take out an item or an entry, and what holds nothing without it."""
        while len(path) > 1 and len(self.children(path[:-1])) == 1:
            path = path[:-1]
        node = self.node(path[:-1])
        assert isinstance(node, CollectionNode)
        names = [name for name, _ in self.children(path[:-1])]
        at, spans = names.index(path[-1]), _spans(node)
        start, end = self._flowing_span(spans, at) if node.flow_style else self._lines_of(spans, at)
        self.splice(start, end, "")

    def _lines_of(self, spans: list[tuple[int, int]], at: int) -> tuple[int, int]:
        """What goes with an item of a block."""
        start, end = spans[at]
        head = self._line_start(start)
        if self.text[head:start].strip(" -"):
            return start, end
        if self.text[head:start].replace(" ", "") not in ("", "-"):  # "- - item"
            return (start, spans[at + 1][0]) if at + 1 < len(spans) else (start, end)
        dash = self.text[head:start].strip()
        others = [s for n, (s, _) in enumerate(spans) if n != at]
        if dash and any(not self.text[self._line_start(s) : s].strip() for s in others):
            return start, spans[at + 1][0]  # the first entry of a mapping in a list
        return head, min(self._line_end(end - (self.text[end - 1] == "\n")) + 1, len(self.text))

    def _flowing_span(self, spans: list[tuple[int, int]], at: int) -> tuple[int, int]:
        """What goes with an item between brackets: one comma, and its line where it is alone."""
        start, end = spans[at]
        comma = self._comma(end)
        if comma is None:  # the last
            if at == 0:
                return start, end
            before = self._comma(spans[at - 1][1])
            assert before is not None
            between = self.text[before + 1 : start]
            if "#" in between:  # a comment stays, and the comma before it
                return start, end
            return before, end
        after = comma + 1
        while self.text[after : after + 1] in (" ", "\t"):
            after += 1
        if self.text[after : after + 1] not in ("\n", "\r", "#"):
            return start, after
        head = self._line_start(start)
        if not self.text[head:start].strip():
            if self.text[after : after + 1] == "#":
                return start, after
            return head, self._line_end(after) + 1
        while self.text[start - 1] in " \t":
            start -= 1
        return start, comma + 1

    def _comma(self, at: int) -> int | None:
        gap = _GAP.match(self.text, at)
        assert gap is not None
        return gap.end() if self.text[gap.end() : gap.end() + 1] == "," else None

    def _mapping(self, path: Path) -> MappingNode:
        node = self.node(path)
        assert isinstance(node, MappingNode)
        return node

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        if end < 0:
            return len(self.text)
        return end - 1 if end > at and self.text[end - 1] == "\r" else end


def _below(node: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    """All values at and below a node, with their paths; what is inside before what holds it."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _below(value, (*path, key.value))
    elif isinstance(node, SequenceNode):
        for number, item in enumerate(node.value):
            yield from _below(item, (*path, number))
    yield path, node


def _child(node: Node | None, step: str | int) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step]  # type: ignore[no-any-return]
    return None


def _spans(node: CollectionNode) -> list[tuple[int, int]]:
    """Where the items of a list or the entries of a mapping begin and end."""
    if isinstance(node, MappingNode):
        return [(key.start_mark.index, end_of(value)) for key, value in node.value]
    return [(item.start_mark.index, end_of(item)) for item in node.value]
