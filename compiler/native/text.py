"""Lines of C, in the making."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.source import Span


class Text:
    """The body of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self._temps = 0

    def add(self, line: str) -> None:
        """A line."""
        self.lines.append("  " * self.depth + line)

    def temp(self, prefix: str = "t") -> str:
        """A new local."""
        self._temps += 1
        return f"{prefix}{self._temps}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines in braces."""
        self.add(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.add("}")

    @contextmanager
    def detached(self) -> Iterator[list[str]]:
        """Lines that are written apart: the list of them."""
        outer, self.lines = self.lines, []
        inner = self.lines
        self.depth += 1
        yield inner
        self.depth -= 1
        self.lines = outer

    def cite(self, rules: tuple[str, ...], name: str = "") -> None:
        """What follows is said by these rules."""
        said = " ".join(part for part in (", ".join(rules), name) if part)
        if said:
            self.add(f"/* {comment_text(said)} */")


def comment_text(text: str) -> str:
    """*text* as it can stand in a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def source_place(span: Span) -> str:
    """Where something stands in the sources."""
    return comment_text(f"{span.file}:{span.line}") if span.line else ""
