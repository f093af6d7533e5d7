"""Where the parts of a scenario, or of a file of a board, come from.

``provenance`` is one word for the whole, or a block: under each word the parts that come from
there, as paths of keys (``sides.top.goal``), and why or whence.  A longer path beats a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runtime.data.findings import Report, suggestion
from runtime.data.reader import Mapping, Node, Scalar, entries_of, text_of
from runtime.scenario.fields import NAME, PREFIX, PROVENANCES
from runtime.words.said import said

KEY = "provenance"
#: What is wording, or says what other parts add up to.
_WORDING = (
    "ruleset",
    "title",
    "date",
    KEY,
    "sources",
    "notes",
    "length",
    "roster",
    "switches",
    "name",
    "names",
)


@dataclass(frozen=True, slots=True)
class Origin:
    """A part of a file and where it comes from.

    *path* are the keys that lead to the part, joined by points (empty: the whole file); *node* is
    its key, *word* where its origin stands.
    """

    path: str
    provenance: str
    reason: str
    node: Node
    word: Scalar


def origins(root: Mapping) -> tuple[Origin, ...]:
    """What the file says of its parts, in its order; parts that it does not have are left out."""
    node = root.get(KEY)
    if isinstance(node, Scalar):
        return (Origin("", node.text, "", root.key(KEY) or root, node),)
    return tuple(
        Origin(key.text, word.text, text_of(why), part, key)
        for word, key, why in _origin_entries(node)
        if (part := _part(root, key.text)) is not None
    )


def overall_origin(root: Mapping) -> str:
    """One word for the whole: of several that which is least sure."""
    node = root.get(KEY)
    words = {key.text for key, _ in entries_of(node)} or {text_of(node)}
    return next((word for word in reversed(PROVENANCES) if word in words), "")


def check_origins(root: Mapping, report: Report, parts: Iterable[str] = ()) -> None:
    """Report paths that lead to nothing, and what of *parts* nothing is said of."""
    node = root.get(KEY)
    if not isinstance(node, Mapping):
        return
    named: dict[str, Scalar] = {}
    for _, key, _ in _origin_entries(node):
        if _part(root, key.text) is None:
            remedy = suggestion(key.text, list(_paths(root, "", 2)))
            message = said(
                "there is no '{text}' here of which it could be said where it comes from",
                text=key.text,
            )
            report("S222", message, key, remedy)
        elif key.text in named:
            message = said("it is said twice where '{text}' comes from", text=key.text)
            remedy = "keep one, or name the parts of it that differ"
            report("S222", message, key, remedy, (named[key.text], "said here first"))
        else:
            named[key.text] = key
    for part in parts:
        below = root.get(part)
        for path, key in _unsaid(part, root.key(part), below, named) if below is not None else ():
            message = said("where '{path}' comes from is not said", path=path)
            remedy = said(
                "name it under 'provenance: house:' (or published, rulebook): {path}: …", path=path
            )
            report("S223", message, key, remedy, severity="warning")


def _origin_entries(node: Node | None) -> Iterator[tuple[Scalar, Scalar, Node]]:
    """The words, the paths below each, and what is said of them."""
    for word, parts in entries_of(node):
        for key, why in entries_of(parts):
            yield word, key, why


def _part(root: Mapping, path: str) -> Node | None:
    """The key that a path leads to."""
    part: Node = root
    key: Node | None = None
    for step in path.split("."):
        key = part.key(step) if isinstance(part, Mapping) else None
        below = part.get(step) if isinstance(part, Mapping) else None
        if key is None or below is None or path.split(".")[0] == KEY:
            return None
        part = below
    return key


def _paths(root: Mapping, before: str, deep: int) -> Iterator[str]:
    """The paths that a file has."""
    for key, below in root.entries:
        if before or key.text not in _WORDING:
            yield before + key.text
            if isinstance(below, Mapping) and deep > 1:
                yield from _paths(below, f"{before}{key.text}.", deep - 1)


def _unsaid(
    path: str, key: Scalar | None, node: Node | None, named: dict[str, Scalar]
) -> Iterator[tuple[str, Scalar]]:
    """The parts of a part of which nothing is said."""
    if path in named or key is None:
        return
    if isinstance(node, Mapping) and any(other.startswith(path + ".") for other in named):
        for inner, below in node.entries:
            if inner.text not in (NAME, PREFIX):
                yield from _unsaid(f"{path}.{inner.text}", inner, below, named)
    else:
        yield path, key
