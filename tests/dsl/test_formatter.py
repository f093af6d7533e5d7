"""The canonical layout says the same, keeps every comment, and is its own layout."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from programs import programs
from samples import BAD, GOOD, HERE, RULESETS, examples, read

from dsl import parser
from dsl.formatter import format_source
from dsl.source import Source

#: These tests and the formatter read the same texts.
parse = lru_cache(maxsize=4)(parser.parse)


@pytest.fixture(autouse=True, scope="module")
def parsed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dsl.formatter.parse", parse)
        yield


def comments(text: str) -> list[str]:
    """The words of the comments; a # within quotes begins none."""
    return re.findall(r"[^#\s]+", " ".join(re.findall(r'"[^"\n]*"|(#[^\n]*)', text)))


def check(text: str) -> str:
    before = parse(Source("x", text))
    assert before.diagnostics == ()
    formatted = format_source(Source("x", text))
    after = parse(Source("x", formatted))
    assert after.diagnostics == ()
    assert after.module == before.module
    assert comments(formatted) == comments(text)
    assert format_source(Source("x", formatted)) == formatted
    assert formatted == "" or (
        formatted.endswith("\n")
        and not formatted.endswith("\n\n")
        and not formatted.startswith("\n")
    )
    assert "\n\n\n" not in formatted and "\t" not in re.sub(r"[#|][^\n]*", "", formatted)
    assert re.search(r"[ \t\r]$", formatted, re.MULTILINE) is None
    return formatted


@pytest.mark.parametrize("path", GOOD, ids=[path.stem for path in GOOD])
def test_files(path: Path) -> None:
    check(read(path))


@pytest.mark.parametrize("number", range(len(examples())))
def test_examples_of_the_specification(number: int) -> None:
    check(examples()[number])


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_sources_with_errors_stay_as_they_are(path: Path) -> None:
    assert format_source(Source("x", read(path))) == read(path)


def test_the_layout() -> None:
    assert check(read(HERE / "good" / "layout.grog")) == read(HERE / "layout.txt")


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("", ""),
        ("   \n\n", ""),
        ("sides a ,b measure X", "sides a, b\nmeasure X\n"),
        ("  sides a, b", "sides a, b\n"),
        ("@rule A-1\nsides a", "@rule A-1\nsides a\n"),
        ("@rule A-1   sides a", "@rule A-1 sides a\n"),
        ("@rule A-1\n\n\nsides a", "@rule A-1\nsides a\n"),
        (
            "@section  A-1 ,A-2 # c\nsides a\n@section\n",
            "@section A-1, A-2  # c\nsides a\n@section\n",
        ),
        ("sides a\n\n\n\nsides b", "sides a\n\nsides b\n"),
        ("procedure p() { }\nsides b", "procedure p() {}\nsides b\n"),
        ("procedure p() { stop\n}\nsides b", "procedure p() {\n  stop\n}\n\nsides b\n"),
        (
            "sides b\n# why\nprocedure p() {\nstop }",
            "sides b\n\n# why\nprocedure p() {\n  stop\n}\n",
        ),
        ("procedure p() {stop}", "procedure p() { stop }\n"),
        ("procedure p()\n{stop}", "procedure p() { stop }\n"),
        (
            "procedure p() { if x {stop}\nelse\n{ leave } }",
            "procedure p() {\n  if x { stop } else { leave }\n}\n",
        ),
        (
            "function f():int=- a*- ( b+{ 1,2 } ) .c [ 1 ]..g ( - 1,{} ) # x",
            "function f(): int = -a * -(b + {1, 2}).c[1] .. g(-1, {})  # x\n",
        ),
        ("function f(): T ? = x", "function f(): T? = x\n"),
        (
            "table t of E {columns a:int\n|x|1|\n|yy| 10 | # c\n}",
            "table t of E {\n  columns a: int\n  | x  |  1 |\n  | yy | 10 |  # c\n}\n",
        ),
        ("enum E {\n\n a,\n\n\n b # c\n\n}", "enum E {\n  a,\n\n  b  # c\n}\n"),
        ("function f(): int =\n 3\n +\n4", "function f(): int =\n    3\n    +\n    4\n"),
    ],
)
def test_cases(text: str, formatted: str) -> None:
    assert check(text) == formatted


def test_one_line_blocks_that_do_not_fit() -> None:
    body = " ".join(f"do something_{i}(one, two)" for i in range(5))
    formatted = check(f"procedure p() {{ {body} }}")
    assert formatted.count("\n") == 7
    members = ", ".join(f"member_{i}" for i in range(40))
    formatted = check(f"enum E {{ {members} }}")
    assert max(map(len, formatted.split("\n"))) <= 120
    assert formatted.count("\n") < 10


@settings(max_examples=150, deadline=None)
@given(programs())
def test_random_programs(text: str) -> None:
    assume(not parse(Source("x", text)).diagnostics)
    check(text)


#: What may stand between two tokens: also comments that fit no line.
GAPS = [
    " ",
    "\n",
    "\n\n\n",
    "  # so\n",
    "\n  # so\n",
    f"  # {'why ' * 40}\n",
    f"  # see {'x' * 130}\n",
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False))
def test_any_white_space(path: Path, random) -> None:  # type: ignore[no-untyped-def]
    """The same program in another layout."""
    text = read(path)
    spots = [match.start() for match in re.finditer(r"[ \n]", text)]
    for at in sorted(random.sample(spots, min(20, len(spots))), reverse=True):
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if re.search(r"[#|@]|\d\s*$|§[^ ]*,$", line) or line.count('"') % 2:
            continue
        text = text[:at] + random.choice(GAPS) + text[at:]
    assert parse(Source("x", text)).diagnostics == ()
    check(text)


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        (
            "deny d for may_go when "
            + " and ".join(f"the_condition_number_{i}(u)" for i in range(6)),
            "deny d for may_go\n"
            "    when the_condition_number_0(u) and the_condition_number_1(u) and the_condition_number_2(u)\n"
            "    and the_condition_number_3(u) and the_condition_number_4(u) and the_condition_number_5(u)\n",
        ),
        (
            "function which(n: int): int = if n < 10 then 1 else if n < 20 then 2 else if n < 30 then 3 else 4",
            "function which(n: int): int = if n < 10 then 1\n    else if n < 20 then 2\n    else if n < 30 then 3\n    else 4\n",
        ),
        (
            "procedure p() { if a { stop } else\n if b { stop } else { leave } }",
            "procedure p() {\n  if a { stop } else if b { stop } else { leave }\n}\n",
        ),
        (
            "procedure p() { if a { stop } else if b { stop } else if c { leave } }",
            "procedure p() {\n  if a {\n    stop\n  } else if b {\n    stop\n  } else if c {\n    leave\n  }\n}\n",
        ),
        (
            "@rule " + ", ".join(f"CCA-3.{i}" for i in range(20)) + "\nsides a, b",
            "@rule " + ", ".join(f"CCA-3.{i}" for i in range(12)) + "\n"
            "@rule " + ", ".join(f"CCA-3.{i}" for i in range(12, 20)) + "\nsides a, b\n",
        ),
        (
            "sides a, b  # " + "why " * 40,
            "# " + ("why " * 29).strip() + "\n# " + ("why " * 11).strip() + "\nsides a, b\n",
        ),
        (
            "# " + "why " * 30 + "\n# so\nsides a, b",
            "# " + ("why " * 29).strip() + "\n# why so\nsides a, b\n",
        ),
        ("# " + "x" * 200 + "\nsides a, b", "# " + "x" * 200 + "\nsides a, b\n"),
        ("sides a, b  # see " + "x" * 200, "# see\n# " + "x" * 200 + "\nsides a, b\n"),
        (
            "procedure p()  # " + "why " * 35 + "\n{ stop }",
            "# "
            + ("why " * 29).strip()
            + "\n# "
            + ("why " * 6).strip()
            + "\nprocedure p() { stop }\n",
        ),
        (
            "piece Unit {\n  hex  # " + "why " * 35 + "\n: Hex place\n}",
            "piece Unit {\n  # "
            + ("why " * 29).strip()
            + "\n  # "
            + ("why " * 6).strip()
            + "\n  hex: Hex place\n}\n",
        ),
    ],
)
def test_long_lines(text: str, formatted: str) -> None:
    assert check(text) == formatted


@pytest.mark.parametrize("path", RULESETS, ids=[path.stem for path in RULESETS])
def test_the_rulesets_are_in_canonical_layout(path: Path) -> None:
    text = read(path)
    assert parse(Source("x", text)).diagnostics == ()  # it would stay as it is
    assert format_source(Source("x", text)) == text
    assert [
        line for line in text.split("\n") if len(line) > 120 and not line.lstrip().startswith("|")
    ] == []


def test_many_comments_are_laid_out_in_time() -> None:
    start = time.process_time()
    assert format_source(Source("x", "# x\n" * 50_000)) == "# x\n" * 50_000
    assert time.process_time() - start < 10


def test_lists_of_thousands_are_laid_out_in_time() -> None:
    columns = ", ".join(f"c{i}: int" for i in range(3000))
    start = time.process_time()
    made = format_source(
        Source(
            "x",
            f"enum Two {{ a }}\ntable t of Two {{ columns {columns}\n| a |{' 1 |' * 3000}\n}}\n",
        )
    )
    assert made.count("\n") > 100 and time.process_time() - start < 10
