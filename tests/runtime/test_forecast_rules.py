"""Forecasts that run the rules themselves: decisions on the way, and what is assumed of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from project import written

from compiler.interpreter import InterpretedProgram
from runtime.model import PASS
from runtime.program import CompiledProgram
from runtime.runs.forecast import ForecastResult, arguments, came, foresee, of_option
from runtime.state import RulesetFault, StateBase
from runtime.view import view

RULES = """
ruleset field
sides red, blue
enum Face { hit, flag, miss }
die battle of Face { hit 2, flag 1, miss 3 }
enum Card { parry, plain }
table cards of Card {
  columns copies: int
  | parry | 2 |
  | plain | 4 |
}
deck pack of Card copies copies {
  pile draw_pile hidden
  pile discard open
  pile hand per Side owner
}
board plain { layout odd_r; numbers down; rows 3; columns 3; }
scope combat
switch veils off
piece Unit {
  side: Side fixed setup
  hex: Hex? place alone setup
  blocks: int = 3 setup
  helped: bool = false lasts combat
}
procedure play() {
  shuffle draw_pile
  each s in Side { repeat 2 times { draw c from draw_pile   put c on hand[s] } }
  repeat 40 times { do turn(red) }
}
procedure turn(s: Side) {
  offer once by s prompt deeds {
    attack(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    charge(u in Unit where u.side is s) {
      choose v in Unit where v.side is not u.side by s prompt target(u) else { leave }
      do fight(u, v)
    }
    taken(u in Unit where u.side is s, v in Unit where v.side is not s) {
      do fight(u, v)
      observe afterwards()
    }
    hard(u in Unit where u.side is s) { observe hard() }
    soft(u in Unit where u.side is s) { observe soft() }
    cautious(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    eager(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    open(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    whole(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    kept(u in Unit where u.side is s, v in Unit where v.side is not s) { do fight(u, v) }
    endless(u in Unit where u.side is s) { leave }
    pass done
  }
}
event combat(u: Unit, v: Unit)
reaction parry before combat by v.side when parry in hand[v.side] veiled when veils and size(hand[v.side]) > 0 {
  remove parry from hand[v.side]
  put parry on discard
  set v.helped = true
}
reaction back after combat by v.side when v.blocks > 0 { do strike(v, u) }
procedure fight(u: Unit, v: Unit) {
  within combat {
    event combat(u, v) { do strike(u, v) }
  }
}
procedure strike(u: Unit, v: Unit) {
  roll u.blocks battle as r
  let hits = if v.helped then 0 else tally(r, hit)
  if u.side is red { observe hits(hits) } else { observe hits_back(hits) }
  take min(hits, v.blocks) from v.blocks
  if v.blocks is 0 {
    observe destroyed(v)
    set v.hex = none
    leave
  }
  if tally(r, flag) > 0 { do fall_back(v) }
}
procedure fall_back(v: Unit) {
  choose h in neighbors(v.hex) where Unit[h] is none by v.side prompt retreat(v) pass stands else { leave }
  observe went(h)
  set v.hex = h
}
function to_the_south(v: Unit, h: Hex): int = row(h) - row(v.hex)
forecast southward(u: Unit, v: Unit) = fight(u, v) { assume back never assume retreat most to_the_south }
forecast northward(u: Unit, v: Unit) = fight(u, v) { assume back never assume retreat least to_the_south }
forecast thrown_again(u: Unit, v: Unit) {
  roll 1 battle as r
  let hits = tally(r, hit)
  if hits is 0 {
    roll 1 battle as again
    set hits = tally(again, hit)
  }
  observe hits(hits)
  roll 1 battle as more
  observe left(tally(more, hit))
}
procedure brace(v: Unit) { if parry in hand[v.side] { set v.helped = true } }
forecast in_sight(u: Unit, v: Unit) { do brace(v)   do strike(u, v) }
forecast unseen(u: Unit, v: Unit) { assume brace never do brace(v)   do strike(u, v) }
procedure shield(v: Unit): Card? {
  if parry not in hand[v.side] { return none }
  set v.helped = true
  return parry
}
procedure behind_it(u: Unit, v: Unit) {
  let c = do shield(v)
  if c is none { observe bare() }
  do strike(u, v)
}
forecast in_sight_of_it(u: Unit, v: Unit) = behind_it(u, v)
forecast without_it(u: Unit, v: Unit) = behind_it(u, v) { assume shield never }
assume parry never
assume retreat first
forecast attack(u: Unit, v: Unit) of deeds.attack = fight(u, v) { assume back never }
forecast charge(u: Unit) of deeds.charge
forecast either(u: Unit) of deeds.hard, deeds.soft
forecast blow_back(u: Unit, v: Unit) of combat.back
forecast taken(u: Unit, v: Unit) of deeds.taken { assume combat.back always }
forecast cautious(u: Unit, v: Unit) of deeds.cautious = fight(u, v) { assume combat never assume stands always }
forecast eager(u: Unit, v: Unit) of deeds.eager = fight(u, v) { assume back always assume retreat last }
forecast open(u: Unit, v: Unit) of deeds.open = fight(u, v)
forecast whole(u: Unit, v: Unit) of deeds.whole { do strike(u, v)   do strike(v, u)   observe left(u.blocks, v.blocks) }
forecast kept(u: Unit, v: Unit) of deeds.kept = fight(u, v) { assume parry first assume back never }
forecast endless(u: Unit) of deeds.endless {
  repeat { roll 1 battle as r   if tally(r, hit) > 1 { stop } }
}
"""
SCENARIO = """
ruleset: field
title: In the field
sides: {red: {name: Red}, blue: {name: Blue}}
pieces:
  Unit:
    - {side: red, hex: "0101", name: r1, blocks: 2}
    - {side: red, hex: "0303", name: r2, blocks: 1}
    - {side: blue, hex: "0202", name: b1, blocks: 2}
    - {side: blue, hex: "0302", name: b2, blocks: 1}
"""
#: Of two dice: no hit, one, two; and with a flag among them.
HITS = {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
FLAG = {0: Fraction(7, 36), 1: Fraction(1, 9)}


def _programs() -> tuple[CompiledProgram, InterpretedProgram, Any]:
    return written(RULES, SCENARIO)


def _state() -> StateBase:
    program, _, setup = _programs()
    state = program.new_state(setup, 1)
    program.begin(state)
    return state


def _asked(state: StateBase, branch: str) -> tuple[Any, tuple[Any, ...], int]:
    """The forecast of the first option of a branch, its arguments, and the option."""
    spec, point = state.SPEC, state.point
    words = [o.word for o in spec.decisions[point].options]
    option = next(o for o in state.options if o != PASS and words[o >> 16 & 0xFFFF] == branch)
    (forecast,) = of_option(spec, point, option)
    return forecast, arguments(spec, point, option, state.about), option


def _told(branch: str, state: StateBase | None = None, **limits: Any) -> ForecastResult:
    state = _state() if state is None else state
    forecast, args, _ = _asked(state, branch)
    return foresee(_programs()[0], view(state, state.chooser), forecast, args, **limits)


def _chances(found: ForecastResult, name: str, depth: int = 0) -> dict[Any, Fraction]:
    for outcome in found.outcomes:
        if (outcome.name, outcome.depth) == (name, depth):
            return {
                a.values[0] if len(a.values) == 1 else a.values: a.chance
                for a in outcome.alternatives
            }
    return {}


def _label(state: StateBase, h: int) -> str:
    return "none" if h < 0 else state.SPEC.board.label(h)


# ---------------------------------------------------------------------- what is assumed


def test_what_is_never_offered_is_not_looked_at() -> None:
    found = _told("attack")
    assert found.exact  # although the hand of the other side is hidden
    assert _chances(found, "hits") == HITS and not found.questions
    assert {o.name for o in found.outcomes} == {"hits", "destroyed", "went"}
    (went,) = _chances(found, "went").items()
    assert went[1] == sum(FLAG.values())  # always the first hex


def test_first_and_last() -> None:
    state = _state()
    program = _programs()[0]
    forecast, args, _ = _asked(state, "attack")
    (first,) = _chances(foresee(program, view(state, 0), forecast, args), "went")
    free = [h for h in state.SPEC.board.neighbors[state.unit_hex[args[1]]] if state.unit_at[h] < 0]
    assert first == min(free) and max(free) in _chances(_told("eager"), "went")


def test_a_reaction_that_is_always_taken_strikes_back() -> None:
    found = _told("eager")
    assert found.exact
    back = _chances(found, "hits_back", 1)
    assert sum(back.values()) == 1 - HITS[2]  # unless it is destroyed
    one, two = ({0: Fraction(2, 3), 1: Fraction(1, 3)}, HITS)
    assert back == {n: HITS[1] * one.get(n, 0) + HITS[0] * two.get(n, 0) for n in range(3)}


def test_of_a_whole_window_nothing_is_offered_and_a_pass_is_always_taken() -> None:
    found = _told("cautious")
    assert found.exact and _chances(found, "hits") == HITS
    assert "hits_back" not in {o.name for o in found.outcomes}
    assert "went" not in {o.name for o in found.outcomes}


def test_a_forecast_says_more_than_what_is_declared() -> None:
    found = _told("kept", times=300, rng=Random(2))
    assert not found.exact  # it hangs on a hand that is not seen
    hits = _chances(found, "hits")
    assert hits[0] > HITS[0]


def test_what_nothing_is_assumed_of_ends_the_way() -> None:
    found = _told("open")
    assert found.exact and [o.name for o in found.outcomes] == ["hits", "destroyed", "went"]
    (question,) = found.questions
    spec = _programs()[0].spec
    assert spec.decisions[question.decision].prompt == "combat"
    assert question.side == 1 and question.chance == 1 - HITS[2]
    assert len(question.about) == 2


def test_the_option_that_a_function_values_most_or_least() -> None:
    state, program = _state(), _programs()[0]
    _, (u, v), _ = _asked(state, "attack")
    seen, here = view(state, 0), state.unit_hex
    rows = {}
    for name in ("southward", "northward"):
        found = foresee(program, seen, program.spec.forecasts[name], (u, v))
        rows[name] = {_label(state, h)[2:] for h in _chances(found, "went")}
    assert _label(state, here[v])[2:] == "02"
    assert rows == {"southward": {"03"}, "northward": {"01"}}
    state.unit_hex[v] = next(h for h in range(9) if _label(state, h) == "0203")
    found = foresee(program, view(state, 0), program.spec.forecasts["southward"], (u, v))
    assert not _chances(found, "went")  # worth no more than passing


def test_what_is_thrown_again_is_of_the_same_time() -> None:
    state, program = _state(), _programs()[0]
    for limits in ({}, {"most": 0, "times": 2000}, {"follow": False}):
        forecast = program.spec.forecasts["thrown_again"]
        found = foresee(program, view(state, 0), forecast, (0, 2), Random(3), **limits)
        assert [(o.name, o.depth) for o in found.outcomes][:1] == [("hits", 0)]
        assert abs(_chances(found, "hits")[1] - Fraction(5, 9)) < 0.04
        assert bool(_chances(found, "left", 1)) is (limits != {"follow": False})


def test_a_procedure_that_reads_what_is_not_seen_can_be_left_out() -> None:
    state = _state()
    _, args, _ = _asked(state, "attack")
    program, seen = _programs()[0], view(state, 0)
    forecasts = program.spec.forecasts
    one = foresee(program, seen, forecasts["in_sight"], args, times=50)
    other = foresee(program, seen, forecasts["unseen"], args)
    assert not one.exact and other.exact
    assert _chances(other, "hits") == HITS
    reads = [any("hand" in slot for slot in forecasts[f].reads) for f in ("in_sight", "unseen")]
    assert reads == [True, False]


def test_a_procedure_that_is_left_out_gives_none() -> None:
    state = _state()
    _, args, _ = _asked(state, "attack")
    for program in _programs()[:2]:
        forecasts = program.spec.forecasts
        other = foresee(program, view(state, 0), forecasts["without_it"], args)
        assert other.exact and _chances(other, "hits") == HITS
        assert [o.chance for o in other.outcomes if o.name == "bare"] == [1]
    one = foresee(program, view(state, 0), forecasts["in_sight_of_it"], args, times=50)
    assert not one.exact


# ---------------------------------------------------------------------- options taken


def test_an_option_is_taken_and_play_goes_on() -> None:
    found, same = _told("taken"), _told("eager")
    assert found.exact and not found.questions  # the next turn is none of its questions
    assert _chances(found, "hits_back", 1) == _chances(same, "hits_back", 1)


def test_behind_an_option_its_own_questions_end_it() -> None:
    found = _told("charge")
    assert found.outcomes == ()
    (question,) = found.questions
    assert _programs()[0].spec.decisions[question.decision].prompt == "target"
    assert question.chance == 1 and question.side == 0


def test_an_option_that_is_not_offered_has_no_forecast() -> None:
    state = _state()
    forecast, args, _ = _asked(state, "taken")
    with pytest.raises(KeyError):
        foresee(_programs()[0], view(state, 0), forecast, args[::-1])


def test_of_two_options_with_the_same_arguments_the_one_is_taken_that_is_asked_of() -> None:
    state, program = _state(), _programs()[0]
    for branch in ("hard", "soft"):
        forecast, args, option = _asked(state, branch)
        found = foresee(program, view(state, 0), forecast, args, option=option)
        assert [o.name for o in found.outcomes] == [branch]


def test_an_option_within_a_scope_is_played_on_to_its_end() -> None:
    program, _, setup = _programs()
    assert "afterwards" in {o.name for o in _told("taken").outcomes}
    for seed in range(20):
        state = program.new_state(setup, seed)
        program.begin(state)
        program.answer(state, _asked(state, "taken")[2])
        while state.chooser == 1 and state.SPEC.decisions[state.point].options[0].word != "back":
            program.answer(state, PASS if PASS in state.options else state.options[0])
        if state.chooser == 1:
            break
    forecast, args, option = _asked(state, "back")
    found = foresee(program, view(state, 1), forecast, args, option=option)
    assert {o.name for o in found.outcomes} >= {"hits_back"}
    assert "afterwards" not in {o.name for o in found.outcomes}


# ---------------------------------------------------------------------- steps, ways


def test_steps_may_come_behind_procedures_that_ask() -> None:
    found = _told("whole")
    # behind one roll where that destroys whom it strikes, else behind two
    left = [_chances(found, "left", depth).values() for depth in (0, 1)]
    assert found.exact and sum(map(sum, left)) == 1
    assert found.ways < 40


def test_ways_to_the_same_are_one() -> None:
    # two dice: six throws; behind them 0 or 1 hits, with or without a flag, and six or three throws
    assert _told("eager").ways <= 6 + 4 * 6


def test_only_the_first_throw() -> None:
    found = _told("eager", follow=False, most=14)
    assert (
        found.exact and {o.depth for o in found.outcomes} == {0} and _chances(found, "hits") == HITS
    )


def test_what_goes_on_without_end_is_a_fault_of_the_rules() -> None:
    with pytest.raises(RulesetFault, match="goes on without end"):
        _told("endless", most=300, times=3)


@pytest.mark.parametrize("veils", [0, 1])
def test_samples_and_ways_say_the_same(veils: int) -> None:
    state = _state()
    state.switch_veils = veils  # type: ignore[attr-defined]
    exact = _told("eager", state)
    sampled = _told("eager", state, most=0, times=4000, rng=Random(3))
    assert exact.exact and not sampled.exact
    outside = total = 0
    for one, other in zip(exact.outcomes, sampled.outcomes, strict=True):
        known = {a.values: a.chance for a in one.alternatives}
        for alternative in other.alternatives:
            assert alternative.interval is not None
            low, high = alternative.interval
            outside += not low <= known[alternative.values] <= high
            total += 1
    assert total >= 6 and outside <= 2


def test_both_executions_agree() -> None:
    state = _state()
    for branch in ("attack", "cautious", "eager", "open", "whole", "kept"):
        forecast, args, _ = _asked(state, branch)
        seen = view(state, 0)
        one, other = (
            foresee(p, seen, forecast, args, Random(7), times=40) for p in _programs()[:2]
        )
        if one.exact:
            one, other = replace(one, ways=0), replace(other, ways=0)
        assert one == other, branch


def test_what_was_thrown_drives_the_rules() -> None:
    state = _state()
    program = _programs()[0]

    def said(branch: str, *dice: int) -> dict[str, tuple[Any, ...]]:
        forecast, args, _ = _asked(state, branch)
        return came(program, state, forecast.name, args, {"battle": list(dice)})

    assert said("eager", 0, 2) == {"hits": (1,)}
    assert said("eager", 0, 2, 0) == {"hits": (1,), "hits_back": (1,)}
    assert said("taken", 2, 2, 0, 0)["hits_back"] == (2,)
    with pytest.raises(RulesetFault, match="1 dice were thrown"):
        said("eager", 0)


def test_the_game_stays_as_it_is() -> None:
    state = _state()
    before = state.to_data()
    for branch in ("attack", "charge", "taken", "eager", "open", "kept"):
        _told(branch, state, times=20)
    assert state.to_data() == before and state.observed is None and state.assumed == 0


# ---------------------------------------------------------------------- at play


def test_at_play_everything_is_offered() -> None:
    program, _, setup = _programs()
    offered: set[str] = set()
    for seed in range(12):
        state = program.new_state(setup, seed)
        program.begin(state)
        state.observed = []
        program.answer(state, _asked(state, "attack")[2])
        while state.chooser == 1:
            decision = state.SPEC.decisions[state.point]
            offered |= {decision.options[o >> 16].word for o in state.options if o != PASS}
            program.answer(state, state.options[0])
        assert "hits" in {program.spec.outcomes[number][0] for number, *_ in state.observed}
    assert offered == {"parry", "back", "retreat"}
