"""What the emission knows of loops: facts of a turn, columns in locals, travels of which only an end matters."""

from __future__ import annotations

from random import Random

from project import compiled

from compiler import ir
from compiler.emit.inline import simplified
from compiler.emit.loops import Loop, apply_facts
from compiler.emit.writer import Room
from compiler.types import BOOL, INT
from grognard.opening import open_scenario

A, B, C = (ir.Local(name, type=BOOL) for name in "abc")


def learned(condition: ir.Expr) -> list[Loop]:
    """A loop in which a condition has held."""
    loop = Loop(Room(), set())
    loop.learn(condition)
    return [loop]


def test_what_has_held_is_not_asked_again() -> None:
    loops = learned(ir.Logic("and", A, ir.Not(B, type=BOOL), type=BOOL))
    assert apply_facts(ir.Logic("and", A, C, type=BOOL), loops) == C
    assert apply_facts(ir.Logic("or", B, C, type=BOOL), loops) == C
    assert apply_facts(C, loops) == C


def test_of_an_or_that_failed_neither_part_holds() -> None:
    either = ir.Logic("or", A, B, type=BOOL)
    loops = learned(ir.Not(either, type=BOOL))
    assert apply_facts(ir.Logic("or", A, C, type=BOOL), loops) == C
    assert apply_facts(ir.Logic("or", A, C, type=BOOL), learned(either)) == ir.Logic(
        "or", A, C, type=BOOL
    )


def test_other_comparisons_are_still_asked() -> None:
    x = ir.Local("x", type=INT)
    one, two = (ir.Compare(op, x, ir.Const(1, type=INT), type=BOOL) for op in ("==", ">="))
    assert apply_facts(two, learned(one)) == two
    assert apply_facts(one, learned(two)) == one


def test_what_is_known_is_not_asked_whether_it_is_none() -> None:
    x, none, five = ir.Local("x", type=INT), ir.Const(-1, type=INT), ir.Const(5, type=INT)
    assert simplified(ir.Otherwise(five, x, type=INT)) == five
    assert simplified(ir.Otherwise(none, x, type=INT)) == x
    assert simplified(ir.Otherwise(x, five, type=INT)) == ir.Otherwise(x, five, type=INT)


def test_columns_are_found_before_loops() -> None:
    emitted = compiled("cc_ancients").emitted
    assert emitted is not None
    text = next(code.text for code in emitted.functions if code.name == "q_beside_enemy_unit")
    assert "c_unit_at = s.unit_at" in text.split("for v_n in")[0]
    assert "s.unit_at[" not in text


def test_a_travel_that_is_asked_for_any_end_finds_one_where_there_is_one() -> None:
    program = compiled("cc_ancients").compiled
    setup = open_scenario("akragas").setup
    program = program.on(setup.board)
    march, rng, found = program.names["travel_march"], Random(3), set()
    state = program.new_state(setup, 3)
    program.begin(state)
    for _ in range(120):
        if state.over:
            break
        for unit, hex in enumerate(state.unit_hex[:-1]):  # type: ignore[attr-defined]
            if hex >= 0:
                every, some = march(state, unit), march(state, unit, target=-2)
                assert bool(every) == bool(some)
                assert some.items() <= every.items()
                found.add(bool(every))
        program.answer(state, rng.choice(state.options))
    assert found == {False, True}
