"""Trees of YAML files beside the rules, read with as little ado as possible."""

from __future__ import annotations

from collections.abc import Iterator

import yaml


def entries(node: yaml.Node | None) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    """The entries of a mapping; nothing of anything else."""
    if isinstance(node, yaml.MappingNode):
        yield from node.value


def get(node: yaml.Node | None, key: str) -> yaml.Node | None:
    """The value of a key of a mapping; None where there is none."""
    return next((value for name, value in entries(node) if name.value == key), None)


def text(node: yaml.Node | None) -> str:
    """A text; empty for anything else."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def called(node: yaml.Node) -> str:
    """What a node is, in a word."""
    if isinstance(node, yaml.ScalarNode):
        return "a text" if node.value else "nothing"
    return "a mapping" if isinstance(node, yaml.MappingNode) else "a list"


def items(node: yaml.Node | None) -> list[yaml.Node]:
    """The items of a list; nothing of anything else."""
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
