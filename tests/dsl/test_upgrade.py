"""What is upgraded says the same, and loses no comment: the rulesets, the corpus, random programs."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from corpus_cases import CORPUS
from hypothesis import assume, example, given, settings
from programs import programs
from samples import GOOD, ROOT, read

from compiler.output.dump import dump
from compiler.ruleset import Ruleset
from compiler.sources.folders import find_in
from dsl.formatter import format_source
from dsl.parser import parse
from dsl.source import Source
from dsl.upgrade import books, upgraded
from grognard.fronts.cli.main import main
from grognard.provenance import MARKS, of_ruleset

FOLDERS = sorted(
    p for of in ("", "tests") for p in (ROOT / of / "rulesets").iterdir() if p.is_dir()
)
SMALL = sorted({*CORPUS.rglob("*.grog"), *GOOD})


def comments(text: str) -> Counter[str]:
    """The words of all comments, headings aside."""
    found = re.findall(r'^(?:"[^"\n]*"|[^"#\n])*?#([^\n]*)', text, re.MULTILINE)
    return Counter(
        word
        for one in found
        if not re.match(r"\s*---", one)
        for word in one.replace("#", " ").split()
    )


def same(text: str, book: str, tell: bool) -> str:
    """The upgraded *text*, which says what it said."""
    new = upgraded(Source("x", text), book, tell)
    if new == text:  # as most are: nothing is left to compare
        return new
    before, after = parse(Source("x", text), book), parse(Source("x", new), book)
    assert after.diagnostics == ()
    assert after.module.decls == before.module.decls
    assert {c.rule for c in after.module.citations} == {c.rule for c in before.module.citations}
    assert comments(new) == comments(text.replace("\r", ""))
    assert upgraded(Source("x", new), book) == new == format_source(Source("x", new))
    return new


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS, ids=[path.name for path in FOLDERS])
def test_the_rulesets(folder: Path) -> None:
    texts = {path: read(path) for path in folder.glob("*.grog")}
    for path, (book, tell) in books(texts, texts).items():
        same(texts[path], book, tell)


@pytest.mark.parametrize("path", SMALL, ids=[path.stem for path in SMALL])
def test_small_programs(path: Path) -> None:
    text = read(path).removeprefix("\ufeff")
    if not parse(Source("x", text)).diagnostics:
        ((book, tell),) = books({"x": text}, ["x"]).values()
        same(text, book, tell)


#: Its head finds room only as it is laid out.
SPREAD = (
    "@rule A-1 procedure a_rather_long_name_for_a_thing"
    "( a : a ? # why\n, a : a ? , a : a ? , a : a ? , a : a ? , a : a ? ) : a ? { }"
)


@settings(max_examples=100, deadline=None)
@given(programs())
@example(SPREAD)
def test_random_programs(text: str) -> None:
    assume(not parse(Source("x", text)).diagnostics)
    ((book, tell),) = books({"x": text}, ["x"]).values()
    same(text, book, tell)


OLD = """# A game.
ruleset old
sides a, b

# ---- who goes

@rule X-1.1
permission may_go(u: Unit) allow

@rule X-1.2
deny tired for may_go when u.tired  # after a march

# Only on roads.
@house "a guess"
@rule X-1.3, X-1.4
deny off_the_road for may_go
    when not u.on_road

deny unmarked for may_go when u.lost

@section X-2.1

# ---- how far

@rule Y-7
quantity pace(u: Unit): int { stage road }
@rule Y-8
rule slow for pace = 1
modify fast for other stage road by 1
limit most for other stage road at most 3

@rule X-3.1
effect rain() lasts turn {
  @rule X-3.2
  deny mud for may_go when u.heavy
  deny deep_mud for may_go when u.cart
}
fields of Game {
  # how often
  @rule X-4.1
  @house "ours"
  times: int = 0
}
"""
NEW = """# A game.
ruleset old
cites X
sides a, b

@section "Who goes"

permission may_go(u: Unit) §1.1 allow {
  deny tired §1.2 when u.tired  # after a march
  # Only on roads.
  @house "a guess"
  deny off_the_road §1.3, 1.4 when not u.on_road
}

deny unmarked for may_go when u.lost

@section "How far" §2.1

@rule Y-7
quantity pace(u: Unit): int {
  stage road
  @rule Y-8
  rule slow = 1
}

for other {
  modify fast stage road by 1
  limit most stage road at most 3
}

effect rain() §3.1 lasts turn {
  for may_go {
    deny mud §3.2 when u.heavy
    deny deep_mud when u.cart
  }
}

fields of Game {
  # how often
  @house "ours"
  §4.1 times: int = 0
}
"""


def test_how_it_looks() -> None:
    assert same(OLD, "X", True) == NEW


def test_which_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file with the header names the book of most; a file that cites another names that."""
    texts = {
        "ruleset": "ruleset r\n@rule X-1\nsides a, b\n",
        "other": "@rule Y-1\nforecast f() of target { outcome hits(1) }  # outcome of it\n",
        "more": "@rule X-2, Y-2, X-3\nfunction g(): int = 1\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.grog").write_text(text, encoding="utf-8")
    assert main(["fmt", "--upgrade", str(tmp_path)]) == 0
    new = {name: read(tmp_path / f"{name}.grog") for name in texts}
    assert new["ruleset"] == "ruleset r\ncites X\nsides a, b §1\n"
    assert new["other"] == (
        "cites Y\n\nforecast f() §1 of target { observe hits(1) }  # outcome of it\n"
    )
    assert new["more"] == "@rule X-2, Y-2, X-3\nfunction g(): int = 1\n"
    whole = '@section "a-1 b-2" §7\n@rule Y-1, Y-2\nfunction h(): int = 1\n'
    (tmp_path / "whole.grog").write_text(whole, encoding="utf-8")
    assert main(["fmt", "--upgrade", str(tmp_path / "whole.grog")]) == 0
    assert "cites" not in read(tmp_path / "whole.grog")
    capsys.readouterr()
    assert main(["fmt", "--upgrade", "--check", str(tmp_path)]) == 0
    assert "4 files, 0 would change" in capsys.readouterr().out


@pytest.mark.long
def test_it_compiles_to_the_same(tmp_path: Path) -> None:
    """The checked tree, the compiled text without its line numbers, citations, provenance."""
    root = ROOT / "tests" / "rulesets"
    for name in ("everything_base", "everything"):
        shutil.copytree(root / name, tmp_path / name)
    assert main(["fmt", "--upgrade", str(tmp_path)]) == 0
    old, new = (Ruleset(one / "everything", find_in(one)) for one in (root, tmp_path))
    assert [d.message for d in new.diagnostics] == [d.message for d in old.diagnostics]
    assert without_lines(str(new.program.citations)) == without_lines(str(old.program.citations))
    assert dump(new, "checked") == dump(old, "checked")
    assert without_lines(dump(new, "emitted")) == without_lines(dump(old, "emitted"))
    marks = [
        {(one.what, one.provenance, one.reason) for one in of_ruleset(where / "everything", MARKS)}
        for where in (root, tmp_path)
    ]
    assert marks[0] == marks[1]


def without_lines(text: str) -> str:
    """Emitted text without the numbers of lines, and without the hash of its sources."""
    text = re.sub(r"\b[0-9a-f]{16}\b", "", text)
    return re.sub(r"(\.grog', |, line )\d+", r"\1", text)
