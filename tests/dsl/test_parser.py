"""Good programs are read, bad ones are answered with the right findings, and nothing makes the parser fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import BAD, GOOD, RULESETS, examples, read

from dsl import nodes
from dsl.nodes import children
from dsl.parser import parse
from dsl.source import Source

MARK = re.compile(r"# E\[([PR]\d+)\]: ([^\r\n]*)")


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


@pytest.mark.parametrize("path", GOOD, ids=names(GOOD))
def test_good(path: Path) -> None:
    result = parse(Source(path.name, read(path)))
    assert result.diagnostics == ()
    assert MARK.search(read(path)) is None


@pytest.mark.parametrize("path", RULESETS, ids=names(RULESETS))
def test_rulesets(path: Path) -> None:
    assert parse(Source(path.name, read(path))).diagnostics == ()


@pytest.mark.parametrize("path", BAD, ids=names(BAD))
def test_bad(path: Path) -> None:
    text = read(path)
    wanted = [
        (number, match.group(1), match.group(2))
        for number, line in enumerate(text.split("\n"), 1)
        for match in MARK.finditer(line)
    ]
    result = parse(Source(path.name, text))
    found = [(d.span.line, d.code, d.message) for d in result.diagnostics]
    assert wanted and len(found) == len(wanted), found
    for (line, code, message), (wanted_line, wanted_code, part) in zip(found, wanted, strict=True):
        assert (line, code) == (wanted_line, wanted_code), (message, part)
        assert part in message
    for diagnostic in result.diagnostics:
        assert diagnostic.remedy
        for span in (diagnostic.span, *(label.span for label in diagnostic.labels)):
            assert 0 <= span.start < span.end <= len(text) and span.file == path.name


def test_there_are_enough_bad_lines() -> None:
    assert sum(len(MARK.findall(read(path))) for path in BAD) >= 100


def test_the_rest_is_read_all_the_same() -> None:
    text = read(next(path for path in BAD if path.stem == "statements"))
    module = parse(Source("", text)).module
    assert [d.name.text for d in module.decls if isinstance(d, nodes.Procedure)] == ["good"]


def test_positions_after_recovery() -> None:
    text = "sides a,, b\n\n# ü\nfunction f(): int = abc\n"
    module = parse(Source("x", text)).module
    (function,) = module.decls
    assert isinstance(function, nodes.Function)
    span = function.body.span
    assert text[span.start : span.end] == "abc"
    assert (span.line, span.column, span.file) == (4, 21, "x")


@pytest.mark.parametrize("path", GOOD, ids=names(GOOD))
def test_spans(path: Path) -> None:
    """What a name, a cell and a declaration point at."""
    text = read(path)

    def walk(node: nodes.Node) -> None:
        span = node.span
        if isinstance(node, nodes.Ident | nodes.Name):
            assert text[span.start : span.end] == (
                node.text if isinstance(node, nodes.Ident) else node.name
            )
        if isinstance(node, nodes.Cell):
            assert text[span.start : span.end] == node.text
        if isinstance(node, nodes.Row):
            assert text[span.start] == text[span.end - 1] == "|"
        for child in children(node):
            walk(child)

    walk(parse(Source("", text)).module)


def test_an_unclosed_block_is_shown_with_its_end() -> None:
    text = "procedure a() {\n  each x in S {\n    do b()\n}\n"
    (finding,) = parse(Source("", text)).diagnostics
    assert (finding.span.line, finding.span.column) == (2, 15)
    assert finding.labels[0].span.line == 4


def test_expectations_are_short() -> None:
    for text in (
        "procedure p() { set x = 3 4 }",
        "foo",
        "piece U { a: int, }",
        "function f(): int = )",
    ):
        (finding,) = parse(Source("", text)).diagnostics
        assert len(finding.remedy) < 120


@pytest.mark.parametrize("number", range(len(examples())))
def test_examples_of_the_specification(number: int) -> None:
    assert parse(Source("SPEC", examples()[number])).diagnostics == ()


@settings(max_examples=150, deadline=None)
@given(
    st.text(
        alphabet=st.one_of(st.sampled_from("{}()[]|=<>.,:;@#-+*/ \n\r\tabcrule"), st.characters())
    )
)
def test_no_text_makes_it_fail(text: str) -> None:
    parse(Source("x", text))


WORDS = sorted(
    {word for path in GOOD for word in re.findall(r"@?\w+|[^\w\s]", read(path)) if len(word) < 12}
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from(WORDS), st.sampled_from(["\n", "\n  ", "{", "}", "3 Dice"])),
        max_size=40,
    )
)
def test_no_words_make_it_fail(words: list[str]) -> None:
    parse(Source("x", " ".join(words)))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False), st.sampled_from(WORDS))
def test_no_slip_makes_it_fail(path: Path, random, word: str) -> None:  # type: ignore[no-untyped-def]
    text = read(path)
    start = random.randint(0, len(text))
    text = text[start : start + 600]
    at, length = random.randint(0, len(text)), random.randint(0, 5)
    parse(Source("x", text[:at] + random.choice(["", word, f" {word} "]) + text[at + length :]))
