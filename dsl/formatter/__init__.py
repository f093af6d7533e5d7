"""The canonical layout of a source.

The formatter changes white space only (also inside of comments and citations, which are divided
where they are long): it reads the tokens with their place in the tree, decides between which of
them a line ends, and writes them again. What the author decided and the formatter keeps: comments,
line breaks between statements and inside of long statements, whether a block that fits stands on
one line, single blank lines. No line is longer than WIDTH unless nothing in it can be broken (the
rows of a table); of a chain with several `else if`, each stands on a line of its own.
"""

from __future__ import annotations

from dsl.formatter.comments import fits, with_comments, within_width
from dsl.formatter.layout import Layout
from dsl.parser import parse
from dsl.source import Source

__all__ = ["format_source"]


def format_source(source: Source) -> str:
    """*source* in canonical layout; a source with errors as it is."""
    if parse(source).diagnostics:
        return source.text
    text = source.text.removeprefix("\ufeff")
    while True:
        lines = Layout(text).lines()
        text = "".join(line + "\n" for line in with_comments(list(within_width(lines))))
        if all(fits(code, comment) for code, comment in lines):
            return text
        # a comment that is moved away no longer ends the line that it stood behind
