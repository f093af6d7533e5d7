"""Rules in webs of exceptions: long chains end, and what need not be listed is beaten all the same."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

import pytest
from agreement import Pair, pair
from corpus_cases import compile_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.trees import is_tangled

#: For each rule, the earlier rules that it excepts.
Web = tuple[tuple[int, ...], ...]

CHAIN = tuple((i - 1,) if i else () for i in range(24))
#: Each excepts all before it.
FULL = tuple(tuple(range(i)) for i in range(24))


def program(web: Web) -> str:
    """A ruleset with a quantity: rule i speaks when field i holds."""
    flags = " ".join(f"b{i}: bool = false" for i in range(len(web)))
    lines = [
        "ruleset web",
        "sides top, bottom",
        "board b { rows 1; columns 1; }",
        f"fields of Game {{ {flags} }}",
        "procedure play() { tie }",
        "quantity standing(s: Side): int",
        "rule r0 for standing = 0",
    ]
    for i, excepted in enumerate(web[1:], 1):
        names = ", ".join(f"r{j}" for j in excepted)
        lines.append(f"rule r{i} except {names} for standing = {i} when b{i}")
    return "\n".join(lines) + "\n"


def compiled(web: Web, root: Path) -> Pair:
    folder = root / "web"
    folder.mkdir()
    (folder / "web.grog").write_text(program(web), encoding="utf-8")
    (root / "plain.yaml").write_text(
        "ruleset: web\ntitle: A web\nsides: {top: {name: Top}, bottom: {name: Bottom}}\n",
        encoding="utf-8",
    )
    return pair(folder, root / "plain.yaml")


@cache
def shared(name: str) -> Pair:
    """The long webs, compiled once."""
    with tempfile.TemporaryDirectory() as root:
        return compiled({"chain": CHAIN, "full": FULL}[name], Path(root))


def expected(web: Web, holds: list[bool]) -> int:
    """The rule that decides: the last one that is asked and speaks, where each excepts its forerunners."""
    reached = [True]
    for i, excepted in enumerate(web[1:], 1):
        reached.append(holds[i] and any(reached[j] for j in excepted))
    return max(i for i, r in enumerate(reached) if r)


def standing(both: Pair, holds: list[bool]) -> set[int]:
    """What the two executions say."""
    found = set()
    for execution in (both.compiled, both.interpreted):
        state = execution.new_state(both.setup, 1)
        for i, held in enumerate(holds):
            setattr(state, f"game_b{i}", int(held))
        found.add(execution.standing(state, 0))
    return found


@pytest.mark.parametrize("name", ["chain", "full"])
def test_long_chains_are_proved_and_written_out_briefly(name: str) -> None:
    both = shared(name)
    assert not [d for d in both.compilation.diagnostics if d.code.startswith("Q")]
    assert both.compilation.emitted is not None
    assert len(both.compilation.emitted.text.splitlines()) < 400


@pytest.mark.parametrize("name", ["chain", "full"])
def test_long_chains_mean_what_they_say(name: str) -> None:
    both, web = shared(name), {"chain": CHAIN, "full": FULL}[name]
    chance = random.Random(3)
    for _ in range(60):
        holds = [chance.random() < chance.choice((0.3, 0.97)) for _ in web]
        assert standing(both, holds) == {expected(web, holds)}


def test_a_web_is_not_written_out_as_a_tree() -> None:
    roots = shared("full").compilation.program.calls["standing"].roots
    assert is_tangled(roots)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_webs_agree(data: st.DataObject) -> None:
    """In any web without a finding the two executions say the same, and a fault is one in neither."""
    web: list[tuple[int, ...]] = [()]
    for i in range(1, data.draw(st.integers(3, 9))):
        web.append(tuple(sorted(data.draw(st.sets(st.integers(0, i - 1), min_size=1)))))
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "web"
        folder.mkdir()
        (folder / "web.grog").write_text(program(tuple(web)), encoding="utf-8")
        if not compile_folder(folder).ok:
            return
    with tempfile.TemporaryDirectory() as root:
        both = compiled(tuple(web), Path(root))
        for _ in range(8):
            holds = data.draw(st.lists(st.booleans(), min_size=len(web), max_size=len(web)))
            assert len(standing(both, holds)) == 1


def test_what_an_exception_excepts_need_not_be_listed(tmp_path: Path) -> None:
    """r3 excepts r0 and r2, and r2 excepts r1: where r3 and r1 speak, r3 decides."""
    both = compiled(((), (0,), (0, 1), (0, 2)), tmp_path)
    for number in range(16):
        holds = [bool(number >> i & 1) for i in range(4)]
        last = max([i for i in range(1, 4) if holds[i]], default=0)
        assert standing(both, holds) == {last}


def test_an_exception_is_still_asked_only_where_what_it_names_speaks(tmp_path: Path) -> None:
    """r2 excepts r1 alone: without r1 it is not asked, although r1 excepts r0."""
    both = compiled(((), (0,), (1,)), tmp_path)
    assert standing(both, [False, False, True]) == {0}
    assert standing(both, [False, True, True]) == {2}
