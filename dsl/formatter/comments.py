"""Comments at the ends of lines, and those that are too long for theirs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise

from dsl.formatter.pieces import INDENT, WIDTH

FAR = 72  # comments are aligned up to this column


def fits(code: str, comment: str) -> bool:
    """Whether a comment finds room behind a line of code."""
    return not comment or len(code) + 2 + len(comment) <= WIDTH


def within_width(lines: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines with long comments divided, and moved before the line where they do not fit."""
    rest = ""  # of a comment that goes on in the next line
    for (code, comment), (after, _) in pairwise([*lines, ("", "")]):
        margin = _margin(code)
        if not fits(code, comment):
            yield from (
                (line, "")
                for line in _divided(comment, margin + INDENT * code.lstrip().startswith("}"))
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
    first = "# " if comment.startswith("# ") else ""  # a line never ends behind it
    return textwrap.wrap(
        comment.removeprefix(first),
        WIDTH,
        initial_indent=start + first,
        subsequent_indent=start + "# ",
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )


def with_comments(lines: list[tuple[str, str]]) -> Iterator[str]:
    """The lines with their comments, aligned among neighbours of the same indentation."""
    start = 0
    while start < len(lines):
        end = start + 1
        while (
            end < len(lines)
            and lines[end][0]
            and _margin(lines[end][0]) == _margin(lines[start][0])
        ):
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
