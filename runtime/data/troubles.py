"""What is wrong with a text that is not YAML, in plain words: those of the YAML library are not
shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from runtime.spelling import odd
from runtime.words.said import join_with_sign, said


@dataclass(frozen=True)
class Trouble:
    """What is wrong, what helps, and where (from 1; 0: no place)."""

    message: str
    remedy: str
    line: int = 0
    column: int = 0


_DASH = re.compile(r"\s*-[^\s-]")
_COLON = "a key is followed by ': ' and its value"
_QUOTES = "put the text in quotes"
_HOLDS_COLON = "put text that holds ': ' in quotes, and check the indentation"
_ESCAPE = "use single quotes, or write '\\\\' for '\\'"
_COMMA = "put a comma between the"
_OWN_LINE = "begin the list on a line of its own, below its key"
_INDENTATION = "check the indentation, and quote texts with special characters"
_NEXT_LINE = "begin the text on the next line, or quote it"
_MISFIT = "this line does not fit what stands above it"
#: A key whose ':' was forgotten before a mapping, a list or a quoted text.
_KEY_ALONE = re.compile(r"\s*(?:- )?[\w.-]+(?=\s*[{\[\"'])")

# A piece of the library's words (the problem, then its context), what is said instead, and what
# helps.
_WORDS: tuple[tuple[str, str, str], ...] = (
    ("found character '\\t'", "a tab stands where spaces are needed", "indent with spaces"),
    ("cannot start any token", "a text cannot begin with this character", _QUOTES),
    ("mapping values are not allowed", "': ' stands where no key can be", _HOLDS_COLON),
    ("could not find expected ':'", "this line has no ':' after its key", _COLON),
    ("unexpected end of stream", "the quote that opens here is not closed", "close the quote"),
    ("document separator", "'---' stands inside a quoted text", "close the quote before it"),
    ("unknown escape", "there is no such escape in a text in double quotes", _ESCAPE),
    ("escape sequence", "this escape in a text in double quotes is not complete", _ESCAPE),
    (
        "',' or ']'",
        "this list has no ',' or ']' here",
        said("close the bracket, or {comma} items", comma=_COMMA),
    ),
    (
        "',' or '}'",
        "this mapping has no ',' or '}' here",
        said("close the brace, or {comma} entries", comma=_COMMA),
    ),
    ("sequence entries are not allowed", "'- ' stands where no list can begin", _OWN_LINE),
    ("mapping keys are not allowed", "'? ' stands where no key can be", _QUOTES),
    ("<block end>", _MISFIT, "give lines that belong together the same indentation"),
    ("<document start>", "something follows the end of the content", _INDENTATION),
    ("expected the node content", "a value is missing here", "write the value, or quote it"),
    ("block scalar", "after '|' or '>' the text begins on the next line", _NEXT_LINE),
    ("chomping", "after '|' or '>' the text begins on the next line", _NEXT_LINE),
    ("directive", "a line cannot begin with '%'", _QUOTES),
    ("alias", "a text cannot begin with '*'", _QUOTES),
    ("anchor", "a text cannot begin with '&'", _QUOTES),
    ("tag", "a text cannot begin with '!'", _QUOTES),
)
_OTHERWISE = "check indentation, colons, brackets and quotes before this place"


def place_behind(before: str) -> tuple[int, int]:
    """Line and column (from 1) of what follows *before* in a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def trouble_of(error: yaml.YAMLError, text: str) -> Trouble:
    """What the library's *error* about *text* means."""
    if isinstance(error, yaml.reader.ReaderError):
        return Trouble(
            said(
                "the character U+{ord} must not stand in a file",
                ord=f"{ord(text[error.position]):04X}",
            ),
            "remove the character",
            *place_behind(text[: error.position]),
        )
    if not isinstance(error, yaml.MarkedYAMLError):
        return Trouble("this is not YAML", "write one 'key: value' on each line")
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    known = [words for part in (problem, context) for words in _WORDS if words[0] in part]
    reason, remedy = known[0][1:] if known else ("it cannot be read from here on", _OTHERWISE)
    message = said("not YAML: {reason}", reason=reason)
    lines = text.splitlines()
    if "unexpected end of stream" in problem or "could not find expected ':'" in problem:
        mark = error.context_mark or mark  # where the quote or key is, not where reading ended
    elif "mapping values are not allowed" in problem and mark is not None:
        key = _KEY_ALONE.match(lines[mark.line]) if mark.line < len(lines) else None
        if key is not None and key.end() < mark.column:
            return Trouble(
                "not YAML: this line has no ':' after its key", _COLON, mark.line + 1, key.end() + 1
            )
    elif re.search(r"',' or '[\]}]'", problem) and error.context_mark is not None:
        message += said(
            " (the bracket was opened in line {line})", line=error.context_mark.line + 1
        )
    if "<block end>" in problem + context and mark is not None and mark.line < len(lines):
        misfit = _misfit(lines, mark)
        if misfit is not None:
            return misfit
    if mark is None:
        return Trouble(message, remedy)
    near = lines[max(0, mark.line - 1) : mark.line + 1]
    strange = odd("".join(near))
    return Trouble(
        message,
        join_with_sign("; ", (strange, remedy)) if strange else remedy,
        mark.line + 1,
        mark.column + 1,
    )


def _misfit(lines: list[str], mark: yaml.Mark) -> Trouble | None:
    """Why a line does not fit what stands above it, where that can be told."""
    opened, place = _open_quote(lines, mark), (mark.line + 1, mark.column + 1)
    if opened is not None:
        return Trouble(
            "not YAML: the quote that opens here is not closed", "close the quote", *opened
        )
    if _DASH.match(lines[mark.line]):
        return Trouble(
            "not YAML: no blank stands after this '-'", "an item is written '- item'", *place
        )
    if _among_items(lines, mark):
        remedy = "an item of the list begins with '- '; what belongs to one is indented further"
        return Trouble(said("not YAML: {misfit}", misfit=_MISFIT), remedy, *place)
    return None


def _open_quote(lines: list[str], mark: yaml.Mark) -> tuple[int, int] | None:
    """Where a quote opens that ends only in the line of *mark*, where the next one opens."""
    before = lines[mark.line][: mark.column]
    if before.count('"') % 2 == 0:
        return None
    odd_ones = [at for at in range(mark.line) if lines[at].count('"') % 2]
    return (odd_ones[-1] + 1, lines[odd_ones[-1]].rfind('"') + 1) if odd_ones else None


def _among_items(lines: list[str], mark: yaml.Mark) -> bool:
    """Whether the line before that of *mark* begins an item of a list in the same column."""
    before = [line for line in lines[: mark.line] if line.strip()][-1:]
    return any(re.match(rf" {{{mark.column}}}- ", line) for line in before)
