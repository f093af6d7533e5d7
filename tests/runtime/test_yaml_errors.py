"""Of a text that is not YAML, plain words say what is wrong and where; the library's words are not shown."""

from __future__ import annotations

import random
import re

import pytest
from project import ROOT

from runtime.data import reader
from runtime.data.reader import parse

WRONG = {
    "a: b: c": "': ' stands where no key can be",
    "a: 1\n\tb: 2": "tab",
    "a: [1, 2": "no ',' or ']'",
    "a: {b: 1": "no ',' or '}'",
    "a: 'b": "quote that opens here is not closed",
    'a: "\\q"': "no such escape",
    'a: "\\x1"': "not complete",
    "a: 1\nb\nc: 1": "no ':' after its key",
    "a: 1\n  b: 2": "': ' stands where no key can be",
    "a:\n   b: 1\n  c: 2": "does not fit",
    "a: @x": "cannot begin with this character",
    "a: `x": "cannot begin with this character",
    "a: %x": "cannot begin with this character",
    "%x\na: 1": "not YAML",
    "a: *x": "alias '*x'",
    "a: &": "'&'",
    "a: *": "'*'",
    "a: !<x": "'!'",
    "a: - b": "'- ' stands where no list can begin",
    "a: ]": "a value is missing here",
    "a: |x\n  b": "next line",
    "a: |\n b\n---\nc: 1": "second document",
    "a: 'x\n---\n": "'---'",
    "a: \x01": "U+0001",
    "[a]: {b": "a list or mapping stands as a key",
    "- a\nb: 1": "does not fit",
    "a: 'x' y": "does not fit",
}
LIBRARY = re.compile(
    r"<|token|scalar|stream|expected|mapping values|simple key|block|flow|node|found"
)


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=map(str, range(len(WRONG))))
def test_plain_words(text: str, said: str) -> None:
    trouble = parse(text, "")[1][0]
    assert said in trouble.message
    assert trouble.remedy
    assert 1 <= trouble.line <= text.count("\n") + 1 and trouble.column >= 1
    assert LIBRARY.search(trouble.message + trouble.remedy) is None


ITEMS = {
    "a:\n  - b: 1\n  -{c: 1}": "no blank stands after this '-'",
    "a:\n  - b\n  c: 1": "does not fit",
}


@pytest.mark.parametrize(("text", "said"), ITEMS.items())
def test_of_items_the_remedy_says_how_they_begin(text: str, said: str) -> None:
    trouble = parse(text, "")[1][0]
    assert trouble.line == 3 and said in trouble.message and "'- " in trouble.remedy


MISPLACED = {
    "a: 1\nb\nc: 1": (2, 1),
    "a: 1\nprovenance house\ngame: {b: 1}": (2, 1),
    "x: 1\nW-1.1 {source: house, page: 1}": (2, 6),
    "a:\n  - b {c: d, e: f}": (2, 6),
    'a: 1\nb "c: d": e': (2, 2),
}


@pytest.mark.parametrize(("text", "place"), MISPLACED.items())
def test_a_colon_that_is_missing_is_told_where_it_is_missing(
    text: str, place: tuple[int, int]
) -> None:
    trouble = parse(text, "")[1][0]
    assert (trouble.line, trouble.column) == place
    assert "no ':' after" in trouble.message


def test_a_quote_that_is_not_closed_is_told_where_it_opens() -> None:
    text = 'a: "one"\nb: "two\nc: "three"\n'
    trouble = parse(text, "")[1][0]
    assert (trouble.message, trouble.line, trouble.column) == (
        "not YAML: the quote that opens here is not closed",
        2,
        4,
    )


#: What is put into texts: what YAML gives a meaning, and what its readers disagree about.
PUT_IN = (*":-,[]{}#&*!|>'\"%@?\n \t\ufeffé", "? ", "- ", ": ", "\r\n", "\u2028", "---\n", "\\x41")


@pytest.mark.skipif(reader._QUICK is None, reason="PyYAML has no libyaml here")
def test_libyaml_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever libyaml is let read has the tree and the places that PyYAML itself gives it."""
    chance = random.Random(1)
    whole = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("scenarios/*/*.yaml"))]
    quick = 0
    for number in range(800):
        text = chance.choice(whole)
        at = chance.randrange(len(text))
        text = text[max(0, at - 150) : at + 150]
        for _ in range(number % 4):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(PUT_IN) + text[at + chance.choice((0, 0, 1)) :]
        read = reader._quickly(text, "")
        if read is not None:
            quick += 1
            monkeypatch.setattr(reader, "_QUICK", None)
            parse.cache_clear()
            assert parse(text, "") == (read.root, ()), text
            monkeypatch.undo()
    assert quick > 30
