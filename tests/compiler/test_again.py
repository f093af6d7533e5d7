"""A ruleset whose texts are being changed: what is found again is what is found from nothing."""

from __future__ import annotations

import re
import tempfile
from dataclasses import fields
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT

from bench.checks.edits import EDITS
from compiler.ruleset import Ruleset
from compiler.sources.folders import find_in
from dsl.nodes import below

#: Small rulesets that use most of the language, and the games.
SMALL = ["skirmish", "secrets", "plotted", "spaces"]
GAMES = sorted({path.parent.name for path in (ROOT / "rulesets").glob("*/*.grog")})

Draw = st.DataObject


@cache
def begun(folder: Path) -> tuple[Ruleset, dict[str, str]]:
    ruleset = Ruleset(folder)
    assert not any(d.is_error for d in ruleset.diagnostics)
    return ruleset, {name: source.text for name, source in ruleset.sources.items()}


def assert_as_from_nothing(again: Ruleset, overlay: dict[str, str], program: bool = False) -> None:
    fresh = Ruleset(again.folder, again.find, overlay)
    assert again.diagnostics == fresh.diagnostics
    assert again.resolved.lost == fresh.resolved.lost
    assert again.resolved.citations == fresh.resolved.citations
    assert repr(again.resolved.decls) == repr(fresh.resolved.decls)
    assert spans(again) == spans(fresh)
    if program and fresh.resolved.complete and not fresh.resolved.abstract:
        for part in fields(fresh.program):
            assert repr(getattr(again.program, part.name)) == repr(
                getattr(fresh.program, part.name)
            )
        assert_same_module(again, fresh)


def assert_same_module(again: Ruleset, fresh: Ruleset) -> None:
    assert (again.emitted is None) == (fresh.emitted is None)
    if again.emitted is not None and fresh.emitted is not None:
        assert again.emitted.text == fresh.emitted.text
        assert again.spec == fresh.spec
        codes = zip(again.codes, fresh.codes, strict=True)
        assert all(written_down(one) == written_down(other) for one, other in codes)


def written_down(code: CodeType) -> list[object]:
    """What code does, and the places that it stands for, without what else marks an object."""
    below = [written_down(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    places = (code.co_filename, code.co_firstlineno, *code.co_positions())
    return [code.co_qualname, code.co_code, code.co_exceptiontable, code.co_names, places, below]


def spans(ruleset: Ruleset) -> list[object]:
    """Where all declarations, and what stands in them, are."""
    return [node.span for node in below(ruleset.resolved.decls)]


def _edited(folder: Path, data: Draw, names: tuple[str, ...], steps: int) -> None:
    ruleset, texts = begun(folder)
    own = [name for name in texts if name.endswith(names)]
    overlay: dict[str, str] = {}
    for _ in range(data.draw(st.integers(1, steps), label="steps")):
        name = data.draw(st.sampled_from(own), label="file")
        edit = data.draw(st.sampled_from(EDITS), label="edit")
        chance = data.draw(st.randoms(use_true_random=False))
        overlay = {**overlay, name: edit(overlay.get(name, texts[name]), chance)}
        ruleset = ruleset.with_overlay(overlay)
        assert_as_from_nothing(ruleset, overlay, program=True)
        if data.draw(st.booleans(), label="undone"):
            del overlay[name]
            ruleset = ruleset.with_overlay(overlay)
            assert_as_from_nothing(ruleset, overlay)


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_after_an_edit_the_same_is_found(name: str, data: Draw) -> None:
    _edited(ROOT / "tests/rulesets" / name, data, (".grog",), 3)


@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_after_an_edit_of_another_file_the_same_is_found(data: Draw) -> None:
    _edited(ROOT / "tests/rulesets/skirmish", data, (".yaml",), 2)


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_after_many_edits_the_same_is_found(name: str, data: Draw) -> None:
    _edited(ROOT / "tests/rulesets" / name, data, (".grog", ".yaml"), 6)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_after_an_edit_of_a_game_the_same_is_found(name: str, data: Draw) -> None:
    _edited(ROOT / "rulesets" / name, data, (".grog", ".yaml"), 3)


def test_while_a_declaration_is_typed_the_same_is_found() -> None:
    ruleset, texts = begun(ROOT / "tests/rulesets/secrets")
    name = next(name for name in texts if name.endswith(".grog"))
    typed = "\nfunction twice(n: int): int = n + n\nprocedure again() { do again() }\n"
    first = ruleset
    for length in range(0, len(typed) + 1, 3):
        overlay = {name: typed[:length] + texts[name]}
        ruleset = ruleset.with_overlay(overlay)
        assert_as_from_nothing(ruleset, overlay)
    assert first.with_overlay({}).diagnostics == first.diagnostics


def test_code_is_compiled_again_only_where_it_or_its_place_has_changed() -> None:
    ruleset, texts = begun(ROOT / "tests/rulesets/secrets")
    name = next(name for name in texts if name.endswith(".grog"))
    declarations = list(re.finditer(r"(?m)^(?=procedure )", texts[name]))
    at = declarations[len(declarations) // 2].start()
    first = ruleset.with_overlay({}).codes
    for added, changed in (("", 0.0), ("function added(n: int): int = n\n", 0.9), ("\n\n", 0.9)):
        overlay = {name: texts[name][:at] + added + texts[name][at:]}
        again = ruleset.with_overlay(overlay)
        assert again.codes is not first
        assert_same_module(again, Ruleset(again.folder, again.find, overlay))
        known = set(map(id, first))
        new = [code for code in again.codes if id(code) not in known]
        assert bool(added) == bool(new)
        assert len(new) <= changed * len(first)
        first = ruleset.with_overlay({}).codes


@pytest.mark.parametrize(("name", "count"), [("skirmish", 4), ("secrets", 4)])
def test_after_edits_in_a_row_the_program_is_that_from_nothing(name: str, count: int) -> None:
    folder = ROOT / "tests/rulesets" / name
    ruleset, texts = begun(folder)
    chance, sound = Random(1), 0
    own = sorted(text for text in texts if text.endswith(".grog"))
    overlay: dict[str, str] = {}
    while sound < count:
        edited, edit = chance.choice(own), chance.choice(EDITS)
        new = {**overlay, edited: edit(overlay.get(edited, texts[edited]), chance)}
        if ruleset.with_overlay(new).ok:
            overlay, sound = new, sound + 1
            ruleset = ruleset.with_overlay(overlay)
            assert_as_from_nothing(ruleset, overlay, program=True)


def test_only_what_hangs_on_an_edit_is_written_again() -> None:
    ruleset, texts = begun(ROOT / "tests/rulesets/secrets")
    name = next(name for name in texts if name.endswith(".grog"))
    added = texts[name] + "\nfunction added(n: int): int = n + 1\n"

    def written(before: Ruleset, text: str) -> tuple[Ruleset, list[str]]:
        again = before.with_overlay({name: text})
        assert before.emitted is not None and again.emitted is not None
        known = set(map(id, before.emitted.functions))
        return again, [f.name for f in again.emitted.functions if id(f) not in known]

    more, functions = written(ruleset, added)
    assert functions == ["q_added"]
    other, functions = written(more, added.replace("n + 1\n", "n + 2\n"))
    assert functions == ["q_added"]
    other, functions = written(other, texts[name])
    assert functions == []


FILES = {
    "base/rules.grog": "ruleset base abstract\nsides red, blue\nprocedure play() { win by red }\n"
    "board b { layout odd_r; rows 2; columns 2; }\npiece P { hex: Hex place setup }\n",
    "base/rulebook.yaml": "B-1: {page: 1}\n",
    "game/rules.grog": "ruleset game extends base\n",
    "game/texts/en.yaml": "title: Game\n",
}


def test_all_files_can_be_stood_in_for() -> None:
    with tempfile.TemporaryDirectory() as place:
        for name, text in FILES.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        ruleset = Ruleset(Path(place, "game"), find_in(Path(place)))
        assert ruleset.diagnostics == []
        for name, text, code in (
            ("base/rules.grog", FILES["base/rules.grog"] + "procedure play() { tie }\n", "R104"),
            ("base/rulebook.yaml", "B-1: {pages: 1}\n", "C704"),
            ("game/more.grog", "function f(): int = g()\n", "R201"),
            ("game/texts/en.yaml", "title: Game\nnothing: none\n", "C702"),
            ("game/texts/cs.yaml", "title: [\n", "C703"),
            ("game/boards/new.yaml", "rows\n", "F405"),
            ("game/rulebook.yaml", "1\n", "C703"),
        ):
            again = ruleset.with_overlay({name: text})
            assert [d.code for d in again.diagnostics if d.span.file == name] == [code], name
            assert_as_from_nothing(again, {name: text})
        used = {"game/style.yaml": "f: f\n", "game/more.grog": "function f(): int = 1\n"}
        assert ruleset.with_overlay(used).diagnostics == []
        assert [d.code for d in ruleset.with_overlay(dict([*used.items()][1:])).diagnostics] == [
            "L803"
        ]
        assert ruleset.diagnostics == []


LONGEST = """ruleset longest
sides red, blue
enum Way { a, b }
scope turn
board field { layout odd_r; rows 1; columns 1; }
fields of Game { n: int = 0 }
"""
PLAYED = """
procedure play() { add f1(n) to n choose w in Way by red prompt way win by red }
"""


@pytest.mark.parametrize(
    "one",
    [
        "function f{i}(k: int): int = f{j}(k)",
        "function f{i}(k: int): int = f{j}(k) * n + (count w in Way where k > 1)",
        "quantity f{i}(k: int): int\nrule r{i} for f{i} = f{j}(k)\n"
        "rule s{i} except r{i} for f{i} = 1 when f{j}(n) > 3",
    ],
)
def test_the_longest_chain_is_written_and_written_again(one: str, tmp_path: Path) -> None:
    chain = "\n".join(one.format(i=i, j=i + 1) for i in range(1, 200))
    text = f"{LONGEST}{chain}\nfunction f200(k: int): int = k{PLAYED}"
    (tmp_path / "longest").mkdir()
    (tmp_path / "longest/longest.grog").write_text(text, encoding="utf-8")
    first = Ruleset(tmp_path / "longest")
    assert first.ok and first.codes
    overlay = {"longest/longest.grog": text.replace("int = k", "int = k + 1")}
    assert_as_from_nothing(first.with_overlay(overlay), overlay, program=True)
