"""Of a text that is not YAML, plain words say what is wrong and where; the library's words are not shown."""

from __future__ import annotations

import re

import pytest
import yaml

from runtime.yaml_errors import explained
from runtime.yaml_plain import load_plain

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
    "a: *x": "aliases",
    "a: &": "'&'",
    "a: *": "'*'",
    "a: !<x": "'!'",
    "a: - b": "'- ' stands where no list can begin",
    "a: ]": "a value is missing here",
    "a: |x\n  b": "next line",
    "a: |\n b\n---\nc: 1": "more than one document",
    "a: 'x\n---\n": "'---'",
    "a: \x01": "U+0001",
    "[a]: {b": "no ',' or '}'",
    "- a\nb: 1": "does not fit",
    "a: 'x' y": "does not fit",
}
LIBRARY = re.compile(r"<|token|scalar|stream|expected|mapping values|simple key|block|flow|node|found")


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=map(str, range(len(WRONG))))
def test_plain_words(text: str, said: str) -> None:
    with pytest.raises(yaml.YAMLError) as caught:
        load_plain(text)
    trouble = explained(caught.value, text)
    assert said in trouble.message
    assert trouble.remedy
    assert 1 <= trouble.line <= text.count("\n") + 1 and trouble.column >= 1
    assert LIBRARY.search(trouble.message + trouble.remedy) is None
