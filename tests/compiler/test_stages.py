"""No stage writes into what it takes: what came before it is as it was, and running it twice gives the same."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from project import ROOT

from compiler import ir
from compiler.check import check, for_play
from compiler.emit import emit
from compiler.emit.emission import Emission
from compiler.liveness import HeldPieces
from compiler.lower import lower
from compiler.lowered import Lowered
from compiler.prove import prove
from compiler.sources.files import Files
from compiler.sources.folders import find_in
from compiler.sources.resolve import Resolved, resolve
from compiler.types import BOOL

#: Those of the tests, which use all of the language, and those of games, which take long.
RULESETS = [
    pytest.param(folder, id=folder.name, marks=marks)
    for place, marks in (("tests/rulesets", ()), ("rulesets", pytest.mark.long))
    for folder in sorted({path.parent for path in (ROOT / place).glob("*/*.grog")})
    if not any(
        re.search(r"^ruleset \w+.* abstract", p.read_text(), re.M) for p in folder.glob("*.grog")
    )
]


def read(folder: Path) -> Resolved:
    return resolve(folder.name, folder, find_in(folder.parent), Files())


def shown(lowered: Lowered) -> str:
    """All of the blocks; calls are told apart by their steps, not by where these stand in memory."""
    held: list[HeldPieces] = list(lowered.live.calls.values())
    return repr(
        (lowered.blocks, lowered.entry, lowered.slots, lowered.sizes, lowered.live.decisions, held)
    )


@pytest.fixture(scope="module", params=RULESETS)
def checked(request: pytest.FixtureRequest) -> tuple[Resolved, ir.Program]:
    resolved = read(request.param)
    before = repr(resolved)
    program, ctx = check(resolved)
    assert not [d for d in ctx.diagnostics if d.is_error]
    assert repr(resolved) == before
    found = repr(program)
    played = for_play(resolved, ctx)
    assert repr(program) == found
    return resolved, played


def test_checking_twice_gives_the_same(checked: tuple[Resolved, ir.Program]) -> None:
    resolved, program = checked
    assert repr(for_play(resolved, check(resolved)[1])) == repr(program)


def test_the_checked_tree_is_only_read(checked: tuple[Resolved, ir.Program]) -> None:
    _, program = checked
    before = repr(program)
    found = prove(program)
    assert repr(program) == before
    first = lower(program)
    assert repr(program) == before
    assert shown(lower(program)) == shown(first)
    blocks = shown(first)
    emitted = emit(Emission(program, first))
    assert repr(program) == before
    assert shown(first) == blocks
    assert emit(Emission(program, first)).text == emitted.text
    assert prove(program) == found


def test_a_program_is_what_its_draft_was() -> None:
    draft = ir.Program(name="one")
    draft.calls["f"] = call = ir.Callable("function", "f", [], BOOL)
    draft.notes.append("gone")
    draft.texts["en"] = {"title": "One"}
    program = draft.frozen()
    assert {part.name for part in fields(draft)} == {part.name for part in fields(program)}
    assert program.calls["f"] is call and program.notes == ("gone",)
    draft.notes.append("come")
    draft.texts["en"]["title"] = "Two"
    assert program.notes == ("gone",) and program.texts["en"]["title"] == "One"
