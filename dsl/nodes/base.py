"""What all nodes share."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from dsl.source import NOWHERE, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place in a source."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A name where it is written."""

    text: str

    def __str__(self) -> str:
        return self.text


def children(node: Node) -> list[Node]:
    """The nodes directly below *node*, in source order of its fields."""
    found: list[Node] = []

    def collect(value: Any) -> None:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple | frozenset):
            for item in value:
                collect(item)

    for f in fields(node):
        if f.name != "span":
            collect(getattr(node, f.name))
    return found
