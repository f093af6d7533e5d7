"""Forecasts: exact chances, the same of both executions, and nothing hidden in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from project import written

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.explain.explainer import Explainer
from runtime.program import CompiledProgram, Program
from runtime.runs import forecast as engine
from runtime.runs.forecast import ForecastResult, arguments, foresee, of_option
from runtime.state import StateBase
from runtime.view import view

RULES = """
ruleset table

sides red, blue
enum Face { hit, flag, miss }
die battle of Face { hit 2, flag 1, miss 3 }
die d6 of 1 .. 6
enum Card { low, high }
table cards of Card {
  columns copies: int, worth: int
  | low  | 3 | 1 |
  | high | 3 | 5 |
}
deck pack of Card copies copies {
  pile draw_pile hidden
  pile hand per Side owner
}
board field { layout odd_r; numbers down; rows 3; columns 3; }
piece Unit {
  side: Side fixed setup
  hex: Hex place alone setup
  blocks: int = 3 setup
  nerve: int = 2 setup seen by side
}
procedure play() {
  each s in Side { repeat 2 times { draw c from draw_pile   put c on hand[s] } }
  repeat 9 times {
    choose u in Unit where u.side is red by red prompt who
    if u is not none { do fight(u) }
  }
}
procedure fight(u: Unit) {
  offer once by red prompt fight(u) {
    strike(v in Unit where v.side is blue) { take 1 from v.blocks }
    sum_up { leave }
    peek { leave }
    pair { leave }
    look { leave }
    onward { leave }
    mine { leave }
    mixed { leave }
    many { leave }
    ordered { leave }
    pass done
  }
}
function dice(u: Unit): int = u.blocks + 1
forecast strike(u: Unit, v: Unit) of fight.strike {
  roll dice(u) battle as r
  let hits = tally(r, hit)
  observe hits(hits)
  if tally(r, flag) > 1 { observe flees() leave }
  take min(hits, v.blocks) from v.blocks
  if v.blocks > 0 { do back(v, u) }
}
forecast back(v: Unit, u: Unit) {
  roll v.blocks + 1 battle as r
  draw w from Unit where w.side is red
  observe back(tally(r, hit), w is u)
}
forecast sum_up(u: Unit) of fight.sum_up { roll 2 d6 as r   observe sum(sum x for x in r) }
forecast peek(u: Unit) of fight.peek { draw c from draw_pile   observe worth(c.worth) }
forecast pair(u: Unit) of fight.pair { draw c from draw_pile   draw d from draw_pile   observe both(c.worth + d.worth) }
forecast look(u: Unit) of fight.look { observe nerve(most v.nerve for v in Unit where v.side is blue) }
forecast mine(u: Unit) of fight.mine { observe worth(sum c.worth for c in hand[red])   observe nerve(u.nerve) }
forecast mixed(u: Unit) of fight.mixed { shuffle draw_pile   observe top(top(draw_pile)) }
forecast many(u: Unit) of fight.many { roll 40 d6 as r   observe sum(sum x for x in r) }
forecast ordered(u: Unit) of fight.ordered {
  roll 2 d6 as r
  observe first(face(r))
  roll 2 battle as q
  observe hits(tally(q, hit))
}
forecast unasked() { observe nothing() }
forecast onward(u: Unit) of fight.onward {
  observe dice(dice(u))
  do throw(u)
}
forecast throw(u: Unit) { roll dice(u) battle as r   observe hits(tally(r, hit)) }
"""
SCENARIO = """
ruleset: table
title: At the table
sides: {red: {name: Red}, blue: {name: Blue}}
pieces:
  Unit:
    - {side: red, hex: "0101", name: r1, nerve: 1}
    - {side: red, hex: "0102", name: r2, blocks: 2, nerve: 4}
    - {side: blue, hex: "0201", name: b1, nerve: 2}
    - {side: blue, hex: "0202", name: b2, blocks: 2, nerve: 6}
"""


def _programs() -> tuple[CompiledProgram, InterpretedProgram, Any]:
    return written(RULES, SCENARIO)


def _at_fight(seed: int = 1) -> StateBase:
    """The question of the first unit's fight."""
    program, _, setup = _programs()
    state = program.new_state(setup, seed)
    program.begin(state)
    program.answer(state, state.options[0])
    return state


def _forecasts(state: StateBase) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    spec = state.SPEC
    for option in state.options:
        for forecast in of_option(spec, state.point, option):
            yield forecast, arguments(spec, state.point, option, state.about)


def _told(
    state: StateBase, name: str, program: Program | None = None, **more: Any
) -> ForecastResult:
    forecast, args = next(one for one in _forecasts(state) if one[0].name == name)
    return foresee(program or _programs()[0], view(state, state.chooser), forecast, args, **more)


def _chances(foreseen: ForecastResult, name: str) -> dict[tuple[Any, ...], Fraction]:
    found = next(o for o in foreseen.outcomes if o.name == name)
    return {a.values: a.chance for a in found.alternatives}


# ---------------------------------------------------------------------- exactness


def _brute() -> dict[str, Counter[tuple[Any, ...]]]:
    """The strike of r1 (3 blocks) at b1 (3 blocks), throw by throw."""
    faces = (0, 0, 1, 2, 2, 2)
    said: dict[str, Counter[tuple[Any, ...]]] = {
        "hits": Counter(),
        "flees": Counter(),
        "back": Counter(),
    }
    left: Counter[int] = Counter()
    for dice in product(faces, repeat=4):
        said["hits"][dice.count(0),] += Fraction(1, 6**4)
        if dice.count(1) > 1:
            said["flees"][()] += Fraction(1, 6**4)
        elif dice.count(0) < 3:
            left[3 - dice.count(0)] += 1
    for blocks, throws in left.items():
        for dice in product(faces, repeat=blocks + 1):
            for mine in (0, 1):
                said["back"][dice.count(0), mine] += Fraction(throws, 6**4 * 6 ** (blocks + 1) * 2)
    return said


def test_chances_are_those_of_all_throws() -> None:
    found = _told(_at_fight(), "strike")
    assert found.exact
    assert {
        o.name: {a.values: a.chance for a in o.alternatives} for o in found.outcomes
    } == _brute()
    assert [o.depth for o in found.outcomes] == [0, 0, 1]  # a roll and a draw are one time
    hits = found.outcomes[0]
    assert hits.mean == Fraction(4, 3) and hits.chance == 1
    assert (
        found.ways < 100
    )  # the throws with the same faces, and the ways to the same position, are one


def test_samples_agree_with_what_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = _told(_at_fight(), "strike")
    sampled = _told(_at_fight(), "strike", most=3, rng=Random(4))
    assert not sampled.exact and sampled.ways == engine.TIMES
    outside = total = 0
    assert [o.name for o in exact.outcomes] == [o.name for o in sampled.outcomes]
    for other in sampled.outcomes:
        for alternative in other.alternatives:
            assert alternative.interval is not None
            low, high = alternative.interval
            total += 1
            outside += not low <= _chances(exact, other.name)[alternative.values] <= high
    assert total > 10 and outside <= 2


def test_the_order_of_dice_is_gone_through_where_it_matters() -> None:
    found = _told(_at_fight(), "ordered")
    assert _chances(found, "first") == {(n,): Fraction(1, 6) for n in range(1, 7)}
    assert _chances(found, "hits") == {
        (0,): Fraction(4, 9),
        (1,): Fraction(4, 9),
        (2,): Fraction(1, 9),
    }
    assert found.ways == 36 * 6  # of the other die it does not
    sums = _chances(_told(_at_fight(), "sum_up"), "sum")
    assert sums == {(n,): Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}


def test_where_all_ways_are_too_many_what_comes_first_is_told() -> None:
    found = _told(_at_fight(), "strike", follow=False, most=20)
    assert found.exact and [o.name for o in found.outcomes] == ["hits", "flees"]


def test_too_many_ways_and_shuffles_are_sampled() -> None:
    many = _told(_at_fight(), "many", times=200)
    assert not many.exact and many.ways == 200
    assert 130 < many.outcomes[0].mean < 150
    assert not _told(_at_fight(), "mixed", times=50).exact


def test_both_executions_agree() -> None:
    state = _at_fight()
    for forecast, args in _forecasts(state):
        seen = view(state, state.chooser)
        found = [foresee(p, seen, forecast, args, Random(7), times=40) for p in _programs()[:2]]
        # the interpreter joins no ways
        one, other = (replace(f, ways=0) if f.exact else f for f in found)
        assert one == other, forecast.name


def test_the_game_stays_as_it_is() -> None:
    state = _at_fight()
    before = state.to_data()
    for forecast, args in _forecasts(state):
        foresee(_programs()[0], view(state, 0), forecast, args, times=20)
    assert state.to_data() == before


# ---------------------------------------------------------------------- what is hidden


def test_nothing_hidden_changes_a_forecast() -> None:
    state, other = _at_fight(), _at_fight()
    hand, pile = (state.SPEC.piles[name].slot for name in ("hand", "draw_pile"))
    nerve = next(f.slot for f in state.SPEC.fields if f.name == "nerve")
    for s, cards, blue in ((state, ([0, 1], [0, 1]), [2, 6]), (other, ([1, 1], [0, 0]), [6, 2])):
        getattr(s, hand)[:2] = [[0, 1], cards[0]]
        getattr(s, pile)[:] = cards[1]
        setattr(s, nerve, [*getattr(s, nerve)[:2], *blue, *getattr(s, nerve)[4:]])
    assert view(state, 0) == view(other, 0)
    for (forecast, args), (_, same) in zip(_forecasts(state), _forecasts(other), strict=True):
        assert args == same
        one, two = (
            foresee(_programs()[0], view(s, 0), forecast, args, Random(5), times=60)
            for s in (state, other)
        )
        assert one == two, forecast.name


def test_what_a_side_sees_itself_is_exact() -> None:
    found = _told(_at_fight(), "mine")
    assert found.exact and _chances(found, "nerve") == {(1,): Fraction(1)}
    look = _told(_at_fight(), "look", times=400)
    assert not look.exact and set(_chances(look, "nerve")) == {(6,)}  # whichever has it


def test_a_card_drawn_unseen_is_any_of_those_not_seen() -> None:
    state = _at_fight()
    seen, rng = view(state, state.chooser), Random(1)
    peek, pair = _told(state, "peek"), _told(state, "pair")
    assert peek.exact and pair.exact
    piles = [seen.sample(rng).pile_draw_pile for _ in range(4000)]
    worth = (1, 5)  # of Card.low, Card.high
    tops = Counter((worth[pile[-1]],) for pile in piles)
    pairs = Counter((worth[pile[-1]] + worth[pile[-2]],) for pile in piles)
    for chances, counts in ((_chances(peek, "worth"), tops), (_chances(pair, "both"), pairs)):
        assert set(chances) == set(counts)
        for values, chance in chances.items():
            assert abs(float(chance) - counts[values] / 4000) < 0.05


def test_what_stands_behind_a_card_drawn_unseen_can_be_explained(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    worth = "quantity value(c: Card): int { stage all }\nrule printed for value = c.worth\n"
    worth += "modify dear for value stage all by 1\n"
    rules = (
        RULES.replace("observe worth(c.worth) }", "let v = value(c)   observe worth(v) }", 1)
        + worth
    )
    (tmp_path / "table/rules.grog").write_text(rules, encoding="utf-8")
    explainer = Explainer(Ruleset(tmp_path / "table"))
    state = _at_fight()
    told = explainer.forecast(view(state, state.chooser), "peek", [0], _programs()[2])
    assert told and any("dear" in str(one) for one in told)


def test_a_script_of_a_case_is_not_a_way() -> None:
    state = _at_fight()
    state.script = {"battle": [2, 2]}
    assert _told(state, "sum_up").exact


def test_what_came_of_known_dice() -> None:
    state = _at_fight()
    forecast, args = next(one for one in _forecasts(state) if one[0].name == "strike")
    said = engine.came(_programs()[0], state, forecast.name, args, {"battle": [0, 0, 1, 2]})
    assert said == {"hits": (2,)}


def test_what_is_gone_on_with_before_chance_stands_beside_the_option() -> None:
    for limits in ({}, {"follow": False}, {"most": 1, "times": 30}):
        found = _told(_at_fight(), "onward", **limits)
        assert [(o.name, o.depth) for o in found.outcomes] == [("dice", 0), ("hits", 0)]
