"""YAML as mappings, lists and text alone, for the files beside the rules: indices, catalogues, boards,
styles.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

from runtime.spelling import steering
from runtime.yaml_errors import PlainError

#: How deep a file may be nested.
DEPTH: Final = 32
#: How many keys, items and values a file may hold.
NODES: Final = 100_000


class PlainLoader(yaml.BaseLoader):
    """Every scalar is text.

    Aliases and deep nesting are errors, so that what is read is as large as what was written, and keys that
    stand twice.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0
        self._nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node and what stands in it."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise PlainError("aliases (*name) are not used in these files", mark)
        if self._depth >= DEPTH:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise PlainError(f"this is nested more than {DEPTH} deep", mark)
        self._nodes += 1
        if self._nodes > NODES:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise PlainError(f"the file holds more than {NODES:,} keys, items and values", mark, "divide it")
        self._depth += 1
        try:
            node = super().compose_node(parent, index)
            if isinstance(node, yaml.ScalarNode) and (said := steering(node.value)):
                raise PlainError(said, node.start_mark, "remove the character")
            return node
        finally:
            self._depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping whose keys differ."""
        made: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise PlainError("a key is one word or text", key_node.start_mark, "put the key in quotes")
            if key_node.value in made:
                wrong = f"the key '{key_node.value[:60]}' stands twice"
                raise PlainError(wrong, key_node.start_mark, "remove one of the two")
            made[key_node.value] = self.construct_object(value_node, deep=deep)
        return made


def load_plain(text: str) -> Any:
    """The content of a file: dicts, lists and text; None when it is empty.  ``yaml.YAMLError``."""
    return yaml.load(text, Loader=PlainLoader)


def compose_plain(text: str) -> yaml.Node | None:
    """The tree of a file, in which nodes know their places.  ``yaml.YAMLError``."""
    return yaml.compose(text, Loader=PlainLoader)
