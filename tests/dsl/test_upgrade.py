"""What is upgraded says the same, and loses no comment: the rulesets, the corpus, random programs."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from corpus_cases import CORPUS
from hypothesis import assume, given, settings
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

FOLDERS = sorted(path for path in (ROOT / "rulesets").iterdir() if path.is_dir())
SMALL = sorted({*CORPUS.rglob("*.grog"), *GOOD, *(ROOT / "tests" / "rulesets").rglob("*.grog")})


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
    before, after = parse(Source("x", text), book), parse(Source("x", new), book)
    assert after.diagnostics == ()
    assert after.module.decls == before.module.decls
    assert {c.rule for c in after.module.citations} == {c.rule for c in before.module.citations}
    assert comments(new) == comments(text.replace("\r", ""))
    assert upgraded(Source("x", new), book) == new == format_source(Source("x", new))
    return new


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


@settings(max_examples=100, deadline=None)
@given(programs())
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
        "other": "@rule Y-1\nfunction f(): int = 1\n",
        "more": "@rule X-2, Y-2, X-3\nfunction g(): int = 1\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.grog").write_text(text, encoding="utf-8")
    assert main(["fmt", "--upgrade", str(tmp_path)]) == 0
    new = {name: read(tmp_path / f"{name}.grog") for name in texts}
    assert new["ruleset"] == "ruleset r\ncites X\nsides a, b §1\n"
    assert new["other"] == "cites Y\n\nfunction f(): int §1 = 1\n"
    assert new["more"] == "@rule X-2, Y-2, X-3\nfunction g(): int = 1\n"
    assert main(["fmt", "--upgrade", "--check", str(tmp_path)]) == 0
    assert "3 files, 0 would change" in capsys.readouterr().out


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All rulesets, upgraded in a copy."""
    root = tmp_path_factory.mktemp("upgraded") / "rulesets"
    shutil.copytree(ROOT / "rulesets", root)
    assert main(["fmt", "--upgrade", str(root)]) == 0
    return root


@pytest.mark.long
@pytest.mark.parametrize("name", [path.name for path in FOLDERS])
def test_they_compile_to_the_same(name: str, converted: Path) -> None:
    """The checked tree, the compiled text without its line numbers, citations, provenance."""
    old, new = (Ruleset(root / name, find_in(root)) for root in (ROOT / "rulesets", converted))
    assert [d.message for d in new.diagnostics] == [d.message for d in old.diagnostics]
    assert new.program.citations == old.program.citations
    assert dump(new, "checked") == dump(old, "checked")
    if not old.resolved.abstract:
        assert without_lines(dump(new, "emitted")) == without_lines(dump(old, "emitted"))
    marks = [
        {(one.what, one.provenance, one.reason) for one in of_ruleset(root / name, MARKS)}
        for root in (ROOT / "rulesets", converted)
    ]
    assert marks[0] == marks[1]


def without_lines(text: str) -> str:
    """Emitted text without the numbers of lines, and without what hashes hold of sources."""
    return re.sub(r"\.grog', \d+", ".grog', 0", re.sub(r"'[0-9a-f]{16,}'", "", text))
