"""At their limits numbers, sets, rolls, calls and boards are the same in all three executions, or a build leaves them to
Python: never does it give something else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from native_builds import Built, missing
from project import written

from compiler.interpreter import InterpretedProgram
from compiler.lower import lower
from compiler.native.side_by_side import LibraryMaker
from runtime.program import CompiledProgram
from runtime.runs.machine import Machine
from runtime.scenario import SetUp
from runtime.state import RulesetFault, StateBase

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "it can")

#: 2^61, the largest power of two that a native number can be.
GROWN = "let x = 1  repeat 61 times { set x = x + x }"
#: What is tried: steps that put what they find into a, b and c.
TRIALS = {
    "grown": f"{GROWN} set a = x set b = 0 - x set c = x - 1 + x",
    "grown_further": f"{GROWN} set a = x + x",
    "smallest": f"{GROWN} let y = 0 - x - x let m = 0 - 1 set a = (y - x - x) / m",
    "smallest_rest": f"{GROWN} let y = 0 - x - x let m = 0 - 1 set a = (y - x - x) mod m",
    "smallest_twice": f"{GROWN} let y = 0 - x - x set a = (y - x - x) * 2",
    "scaled": f"{GROWN} set a = x * 2",
    "scaled_far": "let n = 999999999 set a = (n * 999999999) * 999999999",
    "negative": "let m = 0 - 7 let k = 3 set a = m mod k set b = m / k set c = 7 mod (0 - k)",
    "by_nothing": "let k = 0 set a = 7 / k set b = 7 mod k set c = 5 - 0 / k",
    "range_of_all": f"{GROWN} let y = 0 - x - x let z = y - x - x set a = count n in z .. x + x - 1 + x + x",
    "range_at_the_end": f"{GROWN} let z = x - 1 + x + x + x set a = count n in z - 3 .. z",
    "members_of_a_wide_range": f"{GROWN} if 5 in 0 - x .. x {{ set a = 1 }}",
    "shifted_far": f"{GROWN} set p = shift(p3, x - 1 + x + x + x) set q = shift(p3, 0 - x - x - x - x)",
    "turned_far": f"{GROWN} set heading = turn(direction(0202, 0203), x - 1 + x + x + x)",
    "far_around": "set a = size(around(0202, 0)) set b = size(around(0202, 16777216))",
    "farther_around": "set a = size(around(0202, 900000000 * 5)) set b = size(around(0202, 0 - 2))",
    "dear_travel": "set a = size(reach going(0101, 999999999)) set b = steps going(0101, 999999999 * 9) to 0103 otherwise 0",
    "deep": "do down(300)",
    "too_deep": "do down(1500)",
    "endless": "do down(0 - 1)",
    "deep_with_sets": "set a = do gathered(1500, {1})",
    "last_check": "set c = 59 set a = d",
    "last_checks_at_once": "together { set c = 58 set a = 3 } set b = d set c = 3",
    "none_in_a_set": "let m = 0 - 1 let s = {m, 3} set a = size(s) set b = sum n for n in {m, 3} if m in s { set c = 1 }",
    "negative_in_a_set": "let m = 0 - 2 let s = {m, 3} set a = size(s)",
    "negative_walked": "let m = 0 - 2 set a = sum n for n in {m, 3}",
    "large_in_a_set": "let m = 5000 let s = {m, 3} set a = size(s)",
    "large_written_down": "let s = {999999999, 3} set a = size(s)",
    "too_large_by_one": "let m = 4096 add m to s",
    "large_enough": "let m = 4095 add m to s set a = size(s) take m from s set b = size(s)",
    "negative_taken": "let m = 0 - 2 take m from s",
    "among_numbers": "add 4094 to s add 4095 to s let m = 0 - 2 if m in s { set a = 1 } let n = 5000 if n in s { set b = 1 }",
    "among_those_written": "let m = 0 - 2 if m in {m, 3} { set a = 1 } if 0 - 1 in {m, 0 - 1} { set b = 1 }",
    "all_negative": "each n in (all n in -3 .. 3 where n mod 2 is 0) { add n to a add 1 to b }",
    "all_counted": "set a = count n in (all n in -3 .. 3 where n mod 2 is 0) set b = sum n for n in (all n in -3 .. 3 where n > -3)",
    "all_negative_kept": "let s = all n in -3 .. 3 where n mod 2 is 0 set a = size(s)",
    "all_negative_sized": "set a = size(all n in -3 .. 3 where n < 3)",
    "all_large": "let s = all n in 4000 .. 4100 where n mod 2 is 0 set a = size(s)",
    "among_all": "if -2 in (all n in -3 .. 3 where n < 2) { set a = 1 }",
    "range_sized": "set a = size(-3 .. 3) set b = size(4090 .. 4100)",
    "chosen_negative": "choose k in -1 .. 0 by blue prompt dice set a = k",
    "chosen_largest": "choose k in 65534 .. 65535 by blue prompt dice set a = k",
    "chosen_too_large": "choose k in 65535 .. 65536 by blue prompt dice set a = k",
    "offered_negative": "offer once by blue prompt dice { pair(n in 1 .. 2, m in 0 - n .. 0 - n) { set a = m } }",
    "offered_too_large": "offer once by blue prompt dice { one(n in 65535 .. 65536) { set a = n } other { set b = 1 } }",
    "offered_largest": "offer once by blue prompt dice { other { set b = 1 } one(n in 65535 .. 65535) { set a = n } }",
    "filtered_rolls": "roll 9 coin as r set a = count f in (all f in r where true) set b = sum 1 for f in (all g in (all f in r where f is miss) where true) each f in (all f in r where f is miss) { add 1 to c }",
    "filtered_dice": "roll 9 six as r each n in (all n in r where n > 1) { set a = a * 10 + n } if 1 in (all n in r where n > 1) { set b = 1 } set c = size(all n in r where n > 2)",
    "left_check": "set e = 9 set e = 9 set e = 9 set a = b",
    "returned": "let r = do thrown(9) set a = tally(r, hit) set b = size(r)",
}  # fmt: skip
RULES = f"""ruleset limits
sides blue, red
enum Pip {{ p1, p2, p3, p4 }}
enum Face {{ hit, miss }}
die coin of Face {{ hit 1, miss 2 }}
die six of 1 .. 6
board field {{ layout odd_r; rows 9; columns 9; numbers; }}
enum Trial {{ {", ".join(TRIALS)} }}
fields of Game {{ a: int b: int c: int d: int e: int s: set of int p: Pip = p2 q: Pip = p2 heading: Direction? }}
travel going(h: Hex, n: int) from h within 999999999 * 99 {{ step p to q when true cost n }}
procedure down(n: int) {{ add 1 to a if n is not 0 {{ do down(n - 1) }} }}
procedure gathered(n: int, s: set of int): int {{
  let t = s + {{n}}
  if n is 0 {{ return size(t) }}
  let rest = do gathered(n - 1, t)
  return rest + size(t - s)
}}
procedure thrown(n: int): roll of Face {{
  choose k in 1 .. 2 by blue prompt dice
  roll n * k coin as r
  return r
}}
procedure tried(t: Trial) {{}}
{"".join(f"case {name} of tried {{ {steps} }}" + chr(10) for name, steps in TRIALS.items())}
procedure play() {{
  repeat 3 times {{
    choose t in Trial by blue prompt trial
    do tried(t)
  }}
  tie
}}
check leaves when e > 3 {{ set e = 0 if b < 9 {{ add 1 to b leave }} set b = 100 }}
{"".join(f"check at_{i} when c is {i} {{ set d = d + {i} set c = 0 }}" + chr(10) for i in range(1, 60))}
"""
SCENARIO = """ruleset: limits
title: Trials
sides: {blue: {name: Blue}, red: {name: Red}}
"""


@cache
def made() -> tuple[CompiledProgram, InterpretedProgram, SetUp, Machine]:
    """The rules in all three executions."""
    program, interpreted, setup = written(RULES, SCENARIO)
    rules = interpreted.program
    library = LibraryMaker(rules, lower(rules), program.spec).library(program.spec, setup)
    return program, interpreted, setup, Machine(library, program, setup)


#: What a build leaves to Python.
LEFT = {
    "grown_further", "smallest", "smallest_rest", "smallest_twice", "range_of_all", "range_at_the_end", "shifted_far",
    "turned_far", "scaled", "scaled_far", "dear_travel", "too_deep", "endless", "deep_with_sets", "all_negative",
}  # fmt: skip
SLOTS = ("game_s", "game_a", "game_b", "game_c", "game_d", "game_p", "game_q", "game_heading")


def tried(program: CompiledProgram | InterpretedProgram, setup: SetUp, trial: int) -> Any:
    """What a trial comes to in Python; what is said where the rules fail."""
    state = program.new_state(setup, 1)
    program.begin(state)
    return outcome(lambda option: program.answer(state, option), lambda: state, trial)


def outcome(answer: Callable[[int], None], position: Callable[[], StateBase], trial: int) -> Any:
    try:
        answer(trial)
        while len(position().options) == 2:
            answer(position().options[1])
    except RulesetFault as fault:
        return fault.message
    return [getattr(position(), slot) for slot in SLOTS]


@pytest.mark.parametrize("name", TRIALS)
def test_trials(name: str) -> None:
    program, interpreted, setup, machine = made()
    trial = list(TRIALS).index(name)
    expected = tried(program, setup, trial)
    machine.begin(1)
    found = outcome(machine.answer, machine.position, trial)
    if name in LEFT:
        assert isinstance(found, str)
    else:
        assert found == expected
    if name not in ("too_deep", "deep_with_sets"):  # calls nest deeper than in Python
        assert tried(interpreted, setup, trial) == expected


#: Each of 183 hexes is beside all others.
NAMES = [f"{number // 14 + 1:02}{number % 14 + 1:02}" for number in range(183)]
JOINS = [[one, other] for i, one in enumerate(NAMES) for other in NAMES[:i]]
#: Rules with names that C might confuse, and a board on which hexes have more neighbours than a map has; each with what
#: a scenario adds.
ODD = {
    "names": (
        """ruleset names
sides blue, red
enum Card { one, two }
table cards of Card {
  columns count: int
  | one | 3 |
  | two | 2 |
}
deck plans of Card copies count { pile hand hidden  pile hand_n open }
board field { layout odd_r; rows 5; columns 5; }
piece Unit { side: Side fixed setup  hex: Hex? place setup }
piece Pool { unit: int = 3  side: Side fixed setup }
piece Mark { at: Hex? place setup  n: int }
piece N { mark: int = 3 }
procedure play() {
  shuffle hand
  repeat 4 times {
    draw c from hand
    if c is not none { put c on hand_n }
    choose u in Unit by blue prompt which
    if size(hand_n) > 1 { set u.hex = none }
    each p in Pool { add 1 to p.unit }
    each m in Mark where m.at is u.hex { set m.n = m.n + size(Mark[m.at])  set m.at = none }
    each x in N { add size(Mark) to x.mark }
  }
  tie
}
""",
        "pieces: {Unit: [{side: blue, hex: A1, count: 2}, {side: red, hex: A2}], Pool: [{side: red}], Mark: [{at: A1}, {at: A2}], N: [{}]}",
    ),
    "many": (
        """ruleset many
sides blue, red
board field { layout odd_r; rows 40; columns 40; numbers; }
piece Unit { side: Side fixed setup  hex: Hex place setup }
procedure play() {
  repeat 4 times {
    offer once by blue prompt which { go(u in Unit, h in around(u.hex, 5)) { set u.hex = h }  pass stay }
  }
  tie
}
""",
        f"pieces: {{Unit: [{{side: blue, hex: [{', '.join(f'{n % 20 + 10}{n // 20 + 10}' for n in range(200))}]}}]}}",
    ),
    "joined": (
        """ruleset joined
sides blue, red
board field { layout odd_r; rows 15; columns 15; numbers; }
piece Unit { side: Side fixed setup  hex: Hex place setup }
travel going(u: Unit) from u.hex within 1 { step p to q when true }
procedure play() {
  repeat 5 times {
    choose u in Unit by blue prompt which
    choose h in reach going(u) by blue prompt where_to
    if h is not none { set u.hex = h }
  }
  tie
}
""",
        f"board: {{rows: 15, columns: 15, joins: {JOINS}}}\npieces: {{Unit: [{{side: blue, hex: 0101}}, {{side: red, hex: 0302}}]}}",
    ),
}


PLAYERS = [f"p{number}" for number in range(70)]
CROWD = f"""ruleset crowd
sides {", ".join(PLAYERS)}
board field {{ layout odd_r; rows 3; columns 3; }}
fields of Side {{ got: int }}
procedure play() {{
  each s in Side {{
    choose k in 1 .. 3 by s prompt which
    set s.got = k
  }}
  win by all s in Side where s.got > 2
}}
"""
BRIEF = """ruleset brief
sides blue, red
enum Face { hit, miss }
die coin of Face { hit 1, miss 1 }
board field { layout odd_r; rows 3; columns 3; }
procedure play() {
  roll 1 coin as r
  if face(r) is hit { win by red }
  choose n in 1 .. 2 by blue prompt which
  tie
}
"""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "joined")) for name in ODD]
)
def test_odd_rules(name: str) -> None:
    rules, more = ODD[name]
    assert (
        sum(
            in_both(rules, SCENARIO.replace("limits", name) + more).play(seed, 100)
            for seed in range(3)
        )
        > 9
    )


def test_games_that_nobody_decides() -> None:
    there = in_both(BRIEF, SCENARIO.replace("limits", "brief"))
    assert {there.play(seed, 9) for seed in range(9)} == {0, 1}
    never = BRIEF.replace("  choose n in 1 .. 2 by blue prompt which\n", "")
    there = in_both(never, SCENARIO.replace("limits", "brief"))
    assert [there.play(seed, 9) for seed in range(9)] == [0] * 9


def test_many_sides() -> None:
    sides = ", ".join(f"{player}: {{name: {player.upper()}}}" for player in PLAYERS)
    there = in_both(CROWD, f"ruleset: crowd\ntitle: A crowd\nsides: {{{sides}}}\n")
    assert [there.play(seed, 99) for seed in range(2)] == [70, 70]
    assert there.machine.ranks[64:].count(1) > 0


def in_both(rules: str, scenario: str) -> Built:
    """A scenario in Python and natively."""
    program, interpreted, setup = written(rules, scenario)
    program, checked = program.on(setup.board), interpreted.program
    library = LibraryMaker(checked, lower(checked), program.spec).library(program.spec, setup)
    return Built(program, setup, Machine(library, program, setup))


@pytest.mark.parametrize("where", ["field", "local"])
@pytest.mark.parametrize("number", [1 << 62, -(1 << 62), 1 << 64])
def test_positions_with_larger_numbers_are_left_to_python(where: str, number: int) -> None:
    program, _, setup, machine = made()
    state = program.new_state(setup, 1)
    program.begin(state)
    machine.load(state)
    if where == "field":
        state.game_a = number  # type: ignore[attr-defined]
    else:
        state.frames[-1][1] = number
    with pytest.raises(ValueError, match="a number is too large"):
        machine.load(state)
