"""The strict reader of YAML."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.data.reader import Mapping, Scalar, Sequence, plain, read_file, read_tree
from runtime.spelling import steering

WORDS = [
    "E5",
    "1e3",
    "1E5",
    "0101",
    "007",
    "on",
    "off",
    "yes",
    "no",
    "y",
    "n",
    "Null",
    "True",
    "~",
    "0x1F",
]
WORDS += ["0o17", "0b1", "1_000", "12:30", "2024-01-01", ".5", "5.", "+3", "-", "=", "inf"]
WORDS += [".inf", ".nan", "NaN", "--1", "1-", "a b"]


@pytest.mark.parametrize("word", WORDS)
def test_stays_text(word: str) -> None:
    root, found = read_tree(f"[{word}]" if word != "-" else "['-']", "it")
    assert not found
    assert root is not None
    assert plain(root) == [word]


PLAIN = ["true", "false", "null", "0", "-0", "7", "-12", "1213", "1.5", "-0.25", "1.5e3", "2.0E-2"]


@pytest.mark.parametrize("word", PLAIN)
def test_read_as_json(word: str) -> None:
    root, found = read_tree(f"a: {word}", "it")
    assert not found
    assert root is not None
    value = plain(root)["a"]
    assert (value, type(value)) == (json.loads(word), type(json.loads(word)))


def test_quotes_make_text() -> None:
    root, _ = read_tree("""a: ["1", 'true', "null"]\nb: |\n  12\n""", "it")
    assert root is not None
    assert plain(root) == {"a": ["1", "true", "null"], "b": "12\n"}


def test_nothing_is_null() -> None:
    root, _ = read_tree("a:\nb: [x]\n", "it")
    assert root is not None
    assert plain(root) == {"a": None, "b": ["x"]}


def test_places() -> None:
    root, _ = read_tree("# first\na: 1\nb:\n  - x\n  - {c: [d]}\n", "it")
    assert isinstance(root, Mapping)
    assert (root.line, root.column) == (2, 1)
    key, items = root.key("b"), root.get("b")
    assert isinstance(key, Scalar)
    assert isinstance(items, Sequence)
    assert (key.line, key.column) == (3, 1)
    assert (items.items[0].line, items.items[0].column) == (4, 5)
    inner = items.items[1]
    assert isinstance(inner, Mapping)
    place = inner.get("c")
    assert place is not None
    assert (place.line, place.column) == (5, 9)


def test_keys_are_text() -> None:
    root, _ = read_tree("1: a\ntrue: b\n", "it")
    assert root is not None
    assert plain(root) == {"1": "a", "true": "b"}


def test_byte_order_mark() -> None:
    for source in ("\ufeffa: 1", "\ufeffa: 1".encode()):
        root, found = read_tree(source, "it")
        assert not found
        assert root is not None
        assert plain(root) == {"a": 1}


def test_not_utf8() -> None:
    root, found = read_tree(b"a: 1\nb: \xff", "it")
    assert root is None
    assert [(f.code, f.line, f.column) for f in found] == [("S101", 2, 4)]


def test_control_character() -> None:
    root, found = read_tree("a: 1\nb: \x07", "it")
    assert root is None
    assert [(f.code, f.line, f.column) for f in found] == [("S101", 2, 4)]


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\0b")):
        root, found = read_file(path, "it")
        assert root is None
        assert [f.code for f in found] == ["S101"]


def test_all_faults_at_once() -> None:
    _, found = read_tree("a: &x 1\na: !y 2\nc: 12345678901234567890\n", "it")
    assert [(f.code, f.line) for f in found] == [("S106", 1), ("S107", 2), ("S106", 2), ("S110", 3)]


def test_deep_and_odd() -> None:
    version = "%YAML " + "9" * 5000 + ".1\n---\na"
    for source in ("[" * 100_000, "{a: " * 1000, version, '"\\UFFFFFFFF"', "a: 1.0e999"):
        root, found = read_tree(source, "it")
        assert root is None
        assert found


KEYS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=6)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.text(st.characters(codec="utf-8"), max_size=8).filter(lambda text: not steering(text)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_json_reads_as_json(value: object) -> None:
    # beyond the basic plane JSON writes two halves of a character, which YAML cannot
    text = json.dumps({"a": value, "b": 1}, ensure_ascii=True)
    root, found = read_tree(text, "it")
    if "\\ud8" in text or "\\ud9" in text or "\\uda" in text or "\\udb" in text:
        assert [f.code for f in found] != []
    else:
        assert not found
        assert root is not None
        assert plain(root) == {"a": value, "b": 1}


@pytest.mark.parametrize(
    "text",
    ["rows:\n" + "- ....\n" * 120_000, "a: [" + "1," * 120_000 + "1]\n"],
    ids=["rows", "values"],
)
def test_a_file_without_end_is_refused_where_it_is_too_much(text: str) -> None:
    root, found = read_tree(text, "large.yaml")
    assert root is None and [f.code for f in found] == ["S101"] and "100,000" in found[0].message
    assert found[0].line > 0


def test_of_many_faults_the_first_hundred_are_told() -> None:
    root, found = read_tree("".join(f"k{i}: &x{i} 1\n" for i in range(20_000)), "anchors.yaml")
    assert root is None and len(found) == 100 and found[-1].line == 100
