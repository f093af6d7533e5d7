"""The examples of the specification compile together, and what the text beside them says is true of both executions.

The blocks of ``dsl/SPEC.md`` form one ruleset, that of section 13 extends it.  ``PROBES`` is compiled with them: small
functions and procedures that ask what the text claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from samples import spec_blocks

from compiler.api import Compilation, compile_ruleset, find_in, load_program
from compiler.interpreter import InterpretedProgram
from grognard.cases import Case, CaseRunner
from runtime.forecast import foresee
from runtime.game import Game
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.view import view

HEADER = "ruleset skirmish\n"

PROBES = """
enum Echo { hit, echo }
measure Points
fields of Side { plan: Card? seen by knower   knower: Side? }
function side_at(h: Hex): Side? = Unit[h].side
function blocks_at(h: Hex): Blocks = Unit[h].blocks
function none_is_none(): bool = none is none
function half(n: Dice): Dice = n / 2 + 3 Dice - 3
function the_hit(): Face = hit
function least_type(): Type? = first t in { HC, LI, HI }
function all_units(): int = count u in Unit
function all_hexes(): int = count h in Hex
procedure write_at(h: Hex) { set Unit[h].blocks = 1 }

function moves(u: Unit): Hexes = u.type.move
function no_range(u: Unit): bool = u.type.range is none
function foes_of(t: Type): set of Arm = t.foes
function crt(p: Pip, o: Odds): Result = combat_results[p, o]
function by_number(n: int, o: Odds): Blocks = hits_by[n, o]
function further(o: Odds, n: int): Odds = shift(o, n)

function markers_at(h: Hex): set of Marker = Marker[h]
function all_markers(): set of Marker = Wagon + Scout
function of_two_kinds(b: bool): Marker? = if b then (first w in Wagon) else (first s in Scout)
function wagons_among(h: Hex): set of Wagon = all m in Marker[h] where m in Wagon
quantity worn(m: Marker): int { stage more }
rule worn_wagon for worn = m.stores when m in Wagon
rule worn_scout for worn = worth(m.rider) when m in Scout
modify wagons_wear for worn stage more by 10 when m in wagons_among(m.hex) and m.spent
modify scouts_wear for worn stage more by 20 when m not in Wagon and m.spent
function unit_at(h: Hex): Unit? = Unit[h]
procedure tire(u: Unit) { set u.moved = 2   set u.ordered = true   set u.fresh = true   expire turn }
procedure fill() { put first_strike on hand[top]   put rally_horns on hand[top]   put first_strike on discard   put rally_horns on discard }
function top_of_hand(): Card? = top(hand[top])
function top_of_discard(): Card? = top(discard)

function quotient(a: int, b: int): int = a / b
function rest(a: int, b: int): int = a mod b
function precedence(): bool = not 1 + 2 * 3 is 9 and 2 in 1 .. 3 or false
function or_else(h: Hex): Side = Unit[h].side otherwise bottom
function joined(): set of Type = { LI, HI } + { HC } - { HI }
function test_some(): bool = some u in Unit where u.type is HC
function test_no(): bool = no u in Unit where u.type is HC
function test_every(): bool = every u in Unit has u.blocks > 2
function test_all(): set of Unit = all u in Unit where u.type is LI
function test_first(): Unit? = first u in Unit where u.type is HC
function test_sum(): Blocks = sum u.blocks for u in Unit
function test_most(s: Side): Blocks = most u.blocks for u in Unit where u.side is s and u.type is HC
function test_least(): Hexes = least u.type.move for u in Unit
function kinds_of_cards(): int = count c in draw_pile
function ring(h: Hex): int = size(neighbors(h))
function disc(h: Hex, n: int): int = size(around(h, n))
function far(a: Hex, b: Hex): int = distance(a, b)
function next_to(a: Hex, b: Hex): bool = adjacent(a, b)
function row_of(h: Hex): int = row(h)
function column_of(h: Hex): int = column(h)
function shared(a: Hex, b: Hex): set of Hex = both(neighbors(a), neighbors(b))
function beside_all(a: Hex, b: Hex): int = size(sum neighbors(h) for h in { a, b })
function woods(h: Hex): set of Hex = linked({ h }, all x in Hex where x.terrain is forest)
function smaller(a: int, b: int): int = min(a, b)
function larger(a: int, b: int): int = max(a, b)
function copies(c: Card): int = cards(draw_pile, c)
function deck_size(): int = size(draw_pile)
function number_of(t: Type): int = rank(t)
function other(s: Side): Side = opponent(s)
function after(s: Side?): Side? = next(s)
function type_after(t: Type): Type = next(t)
procedure ruin(s: Side) { set s.ruined = true }
procedure ruin_both() { together { do ruin(top)   do ruin(bottom) } }
procedure nobody_loses() { lose by {} }
function beside(h: Hex, d: Direction): Hex? = neighbor(h, d)
function toward(a: Hex, b: Hex): Direction? = direction(a, b)
function turned(d: Direction, n: int): Direction? = turn(d, n)
procedure throw() {
  roll 3 battle as r
  set round = size(r) * 100 + tally(r, miss) * 10 + (if face(r) is flag then 1 else 0)
}
procedure throw_number() { roll 2 d6 as r   set round = sum x for x in r }

quantity bounded(n: int): int { stage early stage late }
rule plain for bounded = n
limit five for bounded stage early at most 5
limit three for bounded stage early at most 3
limit four for bounded stage early at least 4
modify seven for bounded stage late by 7 when n > 100
modify ten for bounded stage late by 10 when n > 100
quantity nested(t: Type): int
rule one for nested = 1
rule two except one for nested = 2 when t is not LI
rule three except two for nested = 3 when t is HC
suspend three for nested when weather
permission only(u: Unit) deny
allow light_ones for only when u.type.light

function reached(u: Unit): set of Hex = reach march(u)
function reached_count(u: Unit): int = size(reach march(u))
function cost_to(u: Unit, h: Hex): Hexes = (steps march(u) to h) otherwise 99
function there_is_no_way(u: Unit, h: Hex): bool = (steps march(u) to h) is none
function way_length(u: Unit, h: Hex): int = size(way march(u) to h)
function by_way_of(u: Unit, v: Hex): set of Hex = reach march(u) via v
function cost_by(u: Unit, v: Hex, h: Hex): Hexes = (steps march(u) via v to h) otherwise 99
function length_by(u: Unit, v: Hex, h: Hex): int = size(way march(u) via v to h)
function trots(u: Unit): set of Hex = reach trot(u)
function rides(u: Unit, d: Direction): set of Hex = reach ride(u, d, none)
function ride_cost(u: Unit, d: Direction, h: Hex): Hexes = (steps ride(u, d, none) to h) otherwise 99
function ride_cost_facing(u: Unit, d: Direction, h: Hex, last: Direction): Hexes = (steps ride(u, d, last) to h) otherwise 99
function faces_at(u: Unit, d: Direction, h: Hex): set of Direction = all x in Direction where h in reach ride(u, d, x)
function ride_length(u: Unit, d: Direction, h: Hex): int = size(way ride(u, d, none) to h)
function over_no_wall(a: Hex, b: Hex): bool = line a to b across p to q where q in p.walls
function come_from(a: Hex, b: Hex): set of Hex = entries(a, b)
procedure walk(u: Unit, h: Hex) { each x in way march(u) to h { set u.hex = x   note step_to(x) } }

procedure walk_fixed() {
  each u in Unit where u.blocks > 1 {
    each v in Unit { set v.blocks = 1 }
    add 1 to round
  }
}
procedure loops() {
  repeat 3 times { add 1 to round }
  repeat { add 10 to round   if round > 30 { stop } }
  each s in Side { if s is bottom { stop }   add 100 to round }
}
procedure cards_about() {
  remove rally_horns from draw_pile
  draw c from discard
  if c is none { put rally_horns on discard }
  shuffle discard into draw_pile
}
procedure any_number() { draw n from 1 .. 6   set round = n otherwise 0   draw h from neighbors(A1)   note any_place(h) }
procedure lay_out() { put rally_horns on discard   put first_strike on discard   put rally_horns on discard   put clash_of_shields on discard }
procedure laid_out() {
  do lay_out()
  each c in discard { set round = round * 10 + rank(c)   remove c from discard }
}
procedure recounted() { do lay_out()   do recount(top) }
event uproar(u: Unit)
reaction join_in(w in Unit where w.hex is not none) before uproar by w.side when adjacent(w.hex, u.hex) { note joins(w, u) }
procedure stir(u: Unit) { event uproar(u) { note stirred(u) } }
procedure hurt_all(m: Mode?) { each u in Unit { add 1 to u.hurts[m] }   add 5 to wagons[test_unit(HC).side]   set round = do all_hurts(test_unit(HI)) }
procedure hurt_by_none() { do hurt_all(none) }
function hurts_of(u: Unit, m: Mode?): int = u.hurts[m]
function wagons_of(s: Side): int = wagons[s]
function wagons_of_nobody(): int = wagons[Unit[A1].side]
procedure reinforced() { set gone_one().blocks = 1   set gone_one().moved = 2   do reinforce(bottom, A1)   do reinforce(bottom, A2)   do reinforce(top, A3) }
function gone_one(): Unit = (first u in Unit where u.hex is none) otherwise (first u in Unit)
function own_cards(n: int): bool = every i in 1 .. n has its own c in draw_pile up to cards(draw_pile, c) where c is not first_strike
function own_modes(u: Unit): bool = every t in Type has its own m in Mode
function own_dice(n: int): bool = every i in 1 .. n has its own f in Face up to rank(f)
function fleeing(): bool = can_all_flee(all u in Unit where u.hex is not none)
procedure swap(u: Unit, v: Unit) { together { let h = u.hex   set u.hex = v.hex   set round = rank(Unit[v.hex].type)   set v.hex = h } }
procedure crowd(u: Unit, v: Unit) { together { set u.hex = v.hex } }
procedure early_out(): int { each s in Side { return rank(s) + 7 }   return 0 }
procedure use_early_out() { let x = do early_out()   set round = x }
procedure inner_scope(u: Unit) {
  set u.fresh = true
  within combat { if not u.fresh { set round = 10 }   set u.fresh = false   start shaken() }
  if u.fresh and not effect shaken { add 5 to round }
}
effect shaken() lasts combat { deny shaken_now for may_move }

procedure pick(s: Side) {
  choose u in Unit where u.side is s and u.hex is not none by s prompt one
  if u is not none { set u.ordered = true }
}
procedure pick_cavalry() { choose u in Unit where u.type is HC by bottom prompt rider   if u is not none { set u.ordered = true } }
procedure pick_nobody() { choose u in Unit where u.blocks > 9 by top prompt giant pass nobody else { set round = 50 } }
procedure pass_or_not(u: Unit) {
  choose m in Mode by top prompt mode pass neither when u.fresh else { set round = 60 }
  if m is reply { set round = 61 }
}
piece Cube { side: Side fixed setup   turned: bool = false }
procedure muster(s: Side) {
  repeat 2 times {
    choose c in Cube where c.side is s by s prompt muster pass nobody else { stop }
    set c.turned = true
  }
}
procedure menu() {
  offer by top prompt menu {
    mark(u in Unit where not u.ordered and u.side is top) { set u.ordered = true }
    plain when round < 3 { add 1 to round }
    pass enough when round > 1
  }
}
procedure menu_once() { offer once by top prompt menu { plain { add 1 to round }  other_one { }  pass enough } }

procedure charge_now(u: Unit) { set u.ordered = true   start charge()   start pinned(u) }
procedure charge_over() { expire turn }
procedure ally() { start alliance(top)   expire turn }
procedure march_order(u: Unit, v: Unit) { start rest(v)   start trot(u)   start trot(v)   start rest(u)   start rest(u) }
procedure pin(u: Unit, v: Unit) { start pinned(u)   start pinned(v)   cease pinned(u) }
procedure mark_them(u: Unit, v: Unit) { start marked(u, top)   start marked(u, bottom)   start marked(v, top)   cease marked(u, bottom)   start marked(Unit[A1], top) }
procedure unmark(u: Unit, v: Unit) { do mark_them(u, v)   cease marked() }
function marked_by(u: Unit, s: Side): bool = effect marked(u, s)
function marked_at_all(): int = count u in Unit where effect marked(u, top) or effect marked(u, bottom)
function charging(): bool = effect charge
function pinned_now(): set of Unit = effect pinned
function pinned_units(): int = count u in Unit where u in effect pinned

require some_goal that every s in Side has s.goal > 0
check first_watch when round is 77 { set round = 78   note watched(1) }
check second_watch when round is 77 { note watched(2) }
procedure tell() { note told(rally_horns, clash_of_shields, top) }
procedure to_77() { set round = 77 }
procedure both_lose() { together { do remove_unit(test_unit(HI))   do remove_unit(test_unit(HC)) } }
procedure one_loses() { do remove_unit(test_unit(HI))   do remove_unit(test_unit(HC)) }
function test_unit(t: Type): Unit = (first u in Unit where u.type is t) otherwise (first u in Unit)
"""

TEXTS = """
title: Skirmish
prompt.card: "Which card?"
prompt.destination: "Where does {0} go?"
prompt.close_combat: "{0} falls upon {1}: what now?"
option.card: "play {0}"
pass.stay: hold
note.struck: "{0} strikes {1}: {2}"
note.told: "told {0}, {1}, {2}"
Card.rally_horns: Rally Horns
Card.rally_horns.text: "Order all light units."
"""

SCENARIO = """
ruleset: skirmish
title: The specification's example
sides: {top: {goal: 3, name: North, prefix: N}, bottom: {goal: 3}}
hexes: {terrain: {forest: [G7, G8, F8, A1]}}
pieces:
  Unit:
    - {side: top, type: HI, hex: E5, name: hi}
    - {side: top, type: LI, hex: G5, name: li}
    - {side: bottom, type: HC, hex: E6, name: hc, hurts: {attack: 2}}
    - {side: bottom, type: LI, hex: C5, name: skirmisher}
    - {side: bottom, type: HI, hex: none, name: gone}
  Wagon:
    - {side: top, hex: B1, name: cart}
    - {side: bottom, hex: B2, name: train}
  Scout:
    - {side: top, hex: B1, name: rider, rider: train}
    - {side: bottom, hex: I1, name: spy}
"""

#: Section, what is tried, and the case (docs/cases.md), run by both executions.
SAYS: list[tuple[int, str, dict[str, Any]]] = [
    (
        2,
        "none is harmless",
        {
            "run": "write_at(A1)",
            "expect": {
                "decision": "none",
                "values": {"side_at(A1)": "none", "blocks_at(A1)": 0, "none_is_none()": True},
                "fields": {"hi.blocks": 4, "hc.blocks": 3, "gone.blocks": 4},
            },
        },
    ),
    (
        2,
        "values and names",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "half(5)": 2,
                    "the_hit()": "hit",
                    "least_type()": "LI",
                    "all_units()": 5,
                    "all_hexes()": 113,
                }
            },
        },
    ),
    (
        3,
        "facts are read like fields",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "moves(hc)": 3,
                    "no_range(hi)": True,
                    "no_range(li)": False,
                    "foes_of(LI)": "foot mounted",
                    "foes_of(HI)": "none",
                    "crt(p2, o2_1)": "exchange",
                    "crt(p3, o2_1)": "retreat",
                    "by_number(5, o2_1)": 1,
                    "by_number(6, o2_1)": 2,
                    "by_number(-3, o2_1)": 1,
                    "by_number(40, o1_1)": 2,
                    "further(o1_1, 1)": "o2_1",
                    "further(o1_1, 9)": "o2_1",
                    "further(o1_1, -9)": "o1_2",
                    "row_of(A1)": 8,
                    "column_of(A1)": 0,
                    "row_of(I13)": 0,
                }
            },
        },
    ),
    (
        4,
        "initial values, places, what lasts",
        {
            "fields": {"hi.moved": 1},
            "run": "tire(hi)",
            "expect": {
                "fields": {
                    "hi.moved": 0,
                    "hi.ordered": False,
                    "hi.fresh": True,
                    "hc.blocks": 3,
                    "gone.hex": "none",
                    "E5.terrain": "clear",
                },
                "values": {"unit_at(E5)": "hi", "unit_at(E4)": "none"},
            },
        },
    ),
    (
        4,
        "what kinds share",
        {
            "run": "raid(B1, top)",
            "fields": {"spy.rider": "rider"},
            "expect": {
                "values": {
                    "markers_near(A1)": 2,
                    "worth(cart)": 4,
                    "worth(spy)": 1,
                    "markers_at(B1)": "cart rider",
                    "all_markers()": "cart train rider spy",
                    "of_two_kinds(true)": "cart",
                    "of_two_kinds(false)": "rider",
                    "wagons_among(B1)": "cart",
                    "worn(cart)": 12,
                    "worn(rider)": 21,
                },
                "fields": {
                    "cart.stores": 2,
                    "train.stores": 3,
                    "rider.rider": "rider",
                    "spy.rider": "rider",
                    "train.spent": False,
                },
            },
        },
    ),
    (
        4,
        "a field per member",
        {
            "fields": {"hi.hurts[reply]": 3},
            "run": "hurt_all(attack)",
            "expect": {
                "fields": {
                    "hi.hurts[attack]": 1,
                    "hi.hurts[reply]": 3,
                    "wagons[top]": 2,
                    "wagons[bottom]": 7,
                    "round": 4,
                },
                "values": {"hurts_of(hc, attack)": 3, "wagons_of(bottom)": 7, "wagons_of_nobody()": 0},
            },
        },
    ),
    (
        4,
        "a field at no member",
        {"run": "hurt_by_none()", "expect": {"fields": {"hi.hurts[attack]": 0, "hi.hurts[reply]": 0}}},
    ),
    (
        4,
        "cards start in the first pile",
        {
            "run": "nothing",
            "expect": {
                "piles": {
                    "draw_pile": ["rally_horns", "rally_horns", "clash_of_shields", "first_strike"],
                    "hand[top]": [],
                    "discard": [],
                }
            },
        },
    ),
    (
        4,
        "the last card is on top, a hand is kept in order",
        {
            "run": "fill()",
            "expect": {"values": {"top_of_hand()": "first_strike", "top_of_discard()": "rally_horns"}},
        },
    ),
    (
        5,
        "operators",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "quotient(7, 2)": 3,
                    "quotient(-7, 2)": -4,
                    "quotient(7, 0)": 0,
                    "rest(-7, 2)": 1,
                    "rest(7, 0)": 0,
                    "precedence()": True,
                    "or_else(E5)": "top",
                    "or_else(E4)": "bottom",
                    "joined()": "LI HC",
                }
            },
        },
    ),
    (
        5,
        "quantifiers",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "test_some()": True,
                    "test_no()": False,
                    "test_every()": True,
                    "test_all()": "li skirmisher",
                    "test_first()": "hc",
                    "test_sum()": 19,
                    "test_most(bottom)": 3,
                    "test_most(top)": 0,
                    "test_least()": 1,
                    "kinds_of_cards()": 3,
                    "foes_near(hi)": "hc",
                    "weaker(hc)": True,
                    "weaker(hi)": False,
                }
            },
        },
    ),
    (
        5,
        "each its own: no two the same, or as many as there is room for",
        {
            "fields": {"li.hex": "A2", "skirmisher.hex": "B2"},
            "run": "nothing",
            "expect": {
                "values": {
                    "own_cards(3)": True,
                    "own_cards(4)": False,
                    "own_modes(hi)": False,
                    "own_dice(3)": True,
                    "own_dice(4)": False,
                    "fleeing()": True,
                }
            },
        },
    ),
    (
        5,
        "two with one and the same way out",
        {
            "fields": {
                "li.hex": "A2",
                "skirmisher.hex": "B2",
                "A3.terrain": "forest",
                "B1.terrain": "forest",
                "B3.terrain": "forest",
                "C2.terrain": "forest",
                "C3.terrain": "forest",
                "C1.terrain": "forest",
                "A1.terrain": "clear",
            },
            "run": "nothing",
            "expect": {"values": {"fleeing()": False}},
        },
    ),
    (
        5,
        "services of the board",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "ring(E5)": 6,
                    "ring(A1)": 2,
                    "disc(E5, 2)": 18,
                    "far(E5, G5)": 2,
                    "far(A1, I13)": 16,
                    "next_to(E5, E6)": True,
                    "woods(G7)": "G7 G8 F8",
                    "woods(E5)": "none",
                    "shared(E5, E6)": "F5 D5",
                    "beside_all(E5, E6)": 10,
                    "beside(E5, east)": "E6",
                    "beside(A1, west)": "none",
                    "toward(E5, E6)": "east",
                    "toward(E5, G5)": "none",
                    "turned(east, 1)": "southeast",
                    "turned(east, -1)": "northeast",
                    "behind(hi)": "F4",
                }
            },
        },
    ),
    (
        5,
        "a line along a hexside is stopped by both hexes beside it",
        {
            "fields": {"F4.terrain": "forest"},
            "run": "nothing",
            "expect": {"values": {"sees(E5, G5)": True, "sees(E4, G4)": True}},
        },
    ),
    (
        5,
        "and by a hex it goes through",
        {
            "fields": {"F4.terrain": "forest", "F5.terrain": "forest", "E5.terrain": "forest"},
            "run": "nothing",
            "expect": {"values": {"sees(E5, G5)": False, "sees(E5, E7)": True, "sees(E4, E6)": False}},
        },
    ),
    (
        5,
        "a hexside crossed stops a line, in the direction in which it does",
        {
            "fields": {"E5.walls": "E6", "E7.walls": "E8"},
            "run": "nothing",
            "expect": {
                "values": {
                    "over_no_wall(E5, E6)": False,
                    "over_no_wall(E5, E7)": False,
                    "over_no_wall(E7, E5)": True,
                    "over_no_wall(E5, E5)": True,
                    "aims(E5, E7)": True,
                    "aims(E5, E8)": True,
                    "aims(E5, E9)": False,
                    "aims(E6, E9)": False,
                }
            },
        },
    ),
    (
        5,
        "along a hexside: one way round is enough",
        {
            "fields": {"E5.walls": "F4", "F4.walls": "F5", "F5.walls": "F4", "G5.walls": "F5"},
            "run": "nothing",
            "expect": {
                "values": {
                    "over_no_wall(E5, G5)": True,
                    "over_no_wall(G5, E5)": True,
                    "covered(E5, G5)": True,
                    "covered(G5, E5)": True,
                }
            },
        },
    ),
    (
        5,
        "both ways round are blocked",
        {
            "fields": {"E5.walls": "F4", "F5.walls": "G5"},
            "run": "nothing",
            "expect": {
                "values": {"over_no_wall(E5, G5)": False, "aims(E5, G5)": True, "covered(E5, G5)": False}
            },
        },
    ),
    (
        5,
        "a hex may block the one and a hexside the other",
        {
            "fields": {"D4.terrain": "forest", "D5.walls": "E5"},
            "run": "nothing",
            "expect": {"values": {"aims(C5, G5)": False, "sees(C5, G5)": True, "over_no_wall(C5, G5)": True}},
        },
    ),
    (
        5,
        "each place is judged by itself",
        {
            "fields": {"D5.walls": "E5", "F4.terrain": "forest"},
            "run": "nothing",
            "expect": {"values": {"aims(C5, G5)": True}},
        },
    ),
    (
        5,
        "as a whole, what stands on the left here and on the right there stops a line along two hexsides",
        {
            "fields": {"D4.terrain": "forest", "F5.terrain": "forest"},
            "run": "nothing",
            "expect": {
                "values": {
                    "sees(C5, G5)": True,
                    "spies(C5, G5)": False,
                    "spies(C5, E5)": True,
                    "spies(E5, G5)": True,
                    "woods_between(C5, G5)": 0,
                    "woods_between(D3, D6)": 1,
                }
            },
        },
    ),
    (
        5,
        "on one hand only",
        {
            "fields": {"D4.terrain": "forest", "F4.terrain": "forest"},
            "run": "nothing",
            "expect": {"values": {"spies(C5, G5)": True}},
        },
    ),
    (
        5,
        "where a hex lies",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "in_arc(E5, east, E9)": True,
                    "in_arc(E5, east, D6)": True,
                    "in_arc(E5, east, F6)": False,
                    "in_arc(E5, northwest, G5)": True,
                    "in_arc(E5, west, G5)": False,
                    "in_arc(E5, east, E5)": False,
                }
            },
        },
    ),
    (
        5,
        "through a corner: directly, or over the third hex",
        {
            "fields": {"E5.walls": "E6", "F5.terrain": "forest"},
            "run": "nothing",
            "expect": {"values": {"over_no_wall(E4, F8)": True, "aims(E4, F8)": False, "sees(E4, F8)": True}},
        },
    ),
    (
        5,
        "neither way round the corner",
        {
            "fields": {"E5.walls": "E6", "F5.walls": "E6"},
            "run": "nothing",
            "expect": {"values": {"over_no_wall(E4, F8)": False, "aims(E4, F8)": False}},
        },
    ),
    (
        5,
        "a hex that is missing is no way round",
        {
            "fields": {"I1.walls": "H1"},
            "run": "nothing",
            "expect": {"values": {"over_no_wall(I1, G1)": False, "over_no_wall(G1, I1)": True}},
        },
    ),
    (
        5,
        "where a line comes in",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "come_from(E5, G5)": "F4 F5",
                    "come_from(E5, E7)": "E6",
                    "come_from(E5, E6)": "E5",
                    "come_from(E4, F8)": "F7",
                    "come_from(I1, G1)": "H1",
                    "come_from(E5, E5)": "none",
                }
            },
        },
    ),
    (
        5,
        "services of numbers, cards, enums",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "smaller(2, 3)": 2,
                    "larger(2, 3)": 3,
                    "copies(rally_horns)": 2,
                    "deck_size()": 4,
                    "number_of(HC)": 2,
                    "other(top)": "bottom",
                }
            },
        },
    ),
    (
        5,
        "rolls",
        {
            "run": "throw()",
            "dice": {"battle": ["flag", "miss", "miss"]},
            "expect": {"fields": {"round": 321}},
        },
    ),
    (5, "number dice", {"run": "throw_number()", "dice": {"d6": [6, 3]}, "expect": {"fields": {"round": 9}}}),
    (
        6,
        "the deciding rule",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "cc_dice(hi, hc, attack)": {"is": 5, "rule": "printed_dice", "cites": "X-11.1"},
                    "cc_dice(hi, hc, reply)": {"is": 4, "rule": "reply_dice", "cites": "X-11.2"},
                }
            },
        },
    ),
    (
        6,
        "stages in their order: the limit of one, then the modifier of the next",
        {
            "fields": {"E5.terrain": "forest", "hi.fresh": True},
            "run": "nothing",
            "expect": {
                "values": {
                    "cc_dice(hi, hc, attack)": {
                        "is": 3,
                        "cites": "X-11.3",
                        "modifiers": ["in_the_woods", "full_strength"],
                    }
                }
            },
        },
    ),
    (
        6,
        "limits of a stage, modifiers add up",
        {
            "run": "nothing",
            "expect": {"values": {"bounded(9)": 4, "bounded(1)": 4, "bounded(200)": 21}},
        },
    ),
    (
        6,
        "exceptions to exceptions",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "nested(LI)": {"is": 1, "rule": "one"},
                    "nested(HI)": {"is": 2, "rule": "two"},
                    "nested(HC)": {"is": 3, "rule": "three"},
                }
            },
        },
    ),
    (
        6,
        "a suspended exception does not speak",
        {
            "switches": {"weather": True},
            "run": "nothing",
            "expect": {"values": {"nested(HC)": {"is": 2, "rule": "two"}}},
        },
    ),
    (
        6,
        "permissions",
        {
            "run": "nothing",
            "expect": {
                "refused": {"may_enter(hi, E6)": "X-8.8", "may_enter(hc, E5)": "occupied"},
                "values": {
                    "may_enter(hi, E4)": True,
                    "may_enter(li, E5)": True,
                    "may_enter(li, E6)": False,
                    "only(li)": True,
                    "only(hi)": False,
                },
            },
        },
    ),
    (
        7,
        "where a march may end, and what it costs",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "reached(hi)": "F4 F5 E4 D4 D5",
                    "cost_to(skirmisher, D5)": 1,
                    "cost_to(skirmisher, B4)": 1,
                    "there_is_no_way(hi, E6)": True,
                    "there_is_no_way(hi, E5)": True,
                    "reached_count(skirmisher)": 16,
                    "way_length(skirmisher, A5)": 2,
                    "way_length(hi, E6)": 0,
                }
            },
        },
    ),
    (
        7,
        "over a certain hex",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "by_way_of(skirmisher, B4)": "C4 B3 B4 B5 A4 A5",
                    "by_way_of(skirmisher, C5)": "E4 D3 D4 D5 D6 C3 C4 C6 C7 B3 B4 B5 B6 A4 A5 A6",
                    "by_way_of(skirmisher, E5)": "none",
                    "cost_by(skirmisher, B4, C4)": 2,
                    "cost_by(skirmisher, C4, C4)": 1,
                    "cost_by(skirmisher, B4, D5)": 99,
                    "length_by(skirmisher, B4, C4)": 2,
                    "length_by(skirmisher, E5, C4)": 0,
                }
            },
        },
    ),
    (
        7,
        "how far it goes depends on the way",
        {
            "fields": {"C6.terrain": "forest", "B5.terrain": "forest"},
            "run": "nothing",
            "expect": {
                "values": {
                    "trots(skirmisher)": "F3 F4 F5 F6 E3 E4 E6 E7 D2 D3 D4 D5 D6 D7 C2 C3 C4 C6 C7 B2 B3 B4 B5 A3 A4 A5 A6"
                }
            },
        },
    ),
    (
        7,
        "a halt ends the march",
        {
            "fields": {"D4.terrain": "forest", "D5.terrain": "forest"},
            "run": "nothing",
            "expect": {
                "values": {
                    "cost_to(skirmisher, D4)": 1,
                    "there_is_no_way(skirmisher, E4)": True,
                    "reached_count(skirmisher)": 15,
                }
            },
        },
    ),
    (
        7,
        "a ride with its facing: steps ahead, turns on the spot",
        {
            "run": "nothing",
            "expect": {
                "values": {
                    "rides(skirmisher, east)": "D5 C6 C7 B4 B5 B6 A6",
                    "ride_cost(skirmisher, east, B4)": 2,
                    "ride_cost(skirmisher, east, C6)": 1,
                    "ride_cost(skirmisher, east, C5)": 99,
                    "faces_at(skirmisher, east, C6)": "east southeast northeast",
                    "faces_at(skirmisher, east, D5)": "northeast",
                    "ride_cost_facing(skirmisher, east, C6, east)": 1,
                    "ride_cost_facing(skirmisher, east, C6, southeast)": 2,
                    "ride_length(skirmisher, east, B4)": 1,
                    "ride_length(skirmisher, east, A6)": 2,
                }
            },
        },
    ),
    (
        7,
        "beset: no turn, and no step to another hex beside an enemy",
        {
            "fields": {"skirmisher.hex": "D5"},
            "run": "nothing",
            "expect": {
                "values": {
                    "rides(skirmisher, east)": "D6 D7 C6 C7 B6",
                    "faces_at(skirmisher, east, D6)": "east southeast northeast",
                    "rides(skirmisher, west)": "none",
                }
            },
        },
    ),
    (
        7,
        "what is entered halts, and then there is no turn either",
        {
            "fields": {"C6.terrain": "forest", "C5.terrain": "forest"},
            "run": "nothing",
            "expect": {
                "values": {
                    "rides(skirmisher, east)": "D5 C6 B4 B5 B6 A6",
                    "faces_at(skirmisher, east, C6)": "east northeast",
                }
            },
        },
    ),
    (
        7,
        "a way is walked in its order",
        {
            "run": "walk(skirmisher, A4)",
            "expect": {"fields": {"skirmisher.hex": "A4"}, "log": ["step to B4\nstep to A4"]},
        },
    ),
    (
        8,
        "do, set, add",
        {
            "run": "remove_unit(hi)",
            "expect": {"fields": {"hi.hex": "none", "bottom.banners": 1, "top.banners": 0}},
        },
    ),
    (
        8,
        "a procedure with a value, a roll as argument",
        {
            "run": "strike(hi, hc, attack)",
            "dice": {"battle": ["hit", "hit", "miss", "flag", "miss", "miss"]},
            "expect": {"fields": {"hc.blocks": 1, "hi.fresh": True}, "log": ["hi strikes hc: 2"]},
        },
    ),
    (
        8,
        "a card in general",
        {
            "run": "give_orders(rally_horns, top)",
            "expect": {"fields": {"li.ordered": True, "hi.ordered": False}, "values": {"charging()": False}},
        },
    ),
    (
        8,
        "the case of a card",
        {
            "run": "give_orders(clash_of_shields, top)",
            "expect": {"fields": {"li.ordered": False, "hi.ordered": True}, "values": {"charging()": True}},
        },
    ),
    (
        8,
        "each: members are fixed, where is asked in turn",
        {"run": "walk_fixed()", "expect": {"fields": {"round": 2}}},
    ),
    (
        8,
        "create: anew, the first that is off the board and agrees; else nothing",
        {
            "run": "reinforced()",
            "expect": {
                "fields": {"gone.hex": "A1", "gone.blocks": 4, "gone.moved": 0, "gone.ordered": True},
                "values": {"unit_at(A2)": "none", "unit_at(A3)": "none"},
            },
        },
    ),
    (
        8,
        "each: of a pile every card, the top one first",
        {"run": "laid_out()", "expect": {"fields": {"round": 11020}, "piles": {"discard": []}}},
    ),
    (
        8,
        "together: pieces change places",
        {
            "run": "swap(hc, hi)",
            "expect": {
                "fields": {"hi.hex": "E6", "hc.hex": "E5", "round": 1},
                "values": {"unit_at(E6)": "hi", "unit_at(E5)": "hc"},
            },
        },
    ),
    (8, "set … = do", {"run": "recounted()", "expect": {"fields": {"top.banners": 2}}}),
    (8, "repeat and stop", {"run": "loops()", "expect": {"fields": {"round": 134}}}),
    (
        8,
        "cards",
        {
            "run": "cards_about()",
            "expect": {
                "piles": {
                    "draw_pile": ["rally_horns", "clash_of_shields", "first_strike", "rally_horns"],
                    "discard": [],
                }
            },
        },
    ),
    (8, "return ends the procedure", {"run": "use_early_out()", "expect": {"fields": {"round": 7}}}),
    (
        8,
        "within: put aside and brought back",
        {
            "run": "inner_scope(hi)",
            "expect": {"fields": {"round": 15, "hi.fresh": True}, "values": {"may_move(hi)": True}},
        },
    ),
    (
        8,
        "a procedure that ends by itself does not end the game",
        {"run": "throw_number()", "expect": {"over": False, "decision": "none"}},
    ),
    (
        8,
        "a random member of a set, which a case may name",
        {
            "run": "stray_shot(F5)",
            "dice": {"draw": ["hc"]},
            "expect": {"fields": {"hi.blocks": 4, "hc.blocks": 2, "li.blocks": 4}},
        },
    ),
    (
        8,
        "a random member where there is one only",
        {"run": "stray_shot(B4)", "expect": {"fields": {"skirmisher.blocks": 3}}},
    ),
    (
        8,
        "a random member of nothing is none",
        {
            "run": "stray_shot(A1)",
            "expect": {"decision": "none", "fields": {"hi.blocks": 4, "gone.blocks": 4}},
        },
    ),
    (
        8,
        "a random number and a random hex",
        {
            "run": "any_number()",
            "dice": {"draw": ["5", "A2"]},
            "expect": {"fields": {"round": 5}, "log": ["any place A2"]},
        },
    ),
    (
        9,
        "choosing",
        {
            "run": "pick(top)",
            "expect": {"decision": {"side": "top", "prompt": "one"}, "options": ["one hi", "one li"]},
        },
    ),
    (
        9,
        "a single option is taken without asking",
        {
            "run": "pick_cavalry()",
            "expect": {"decision": "none", "fields": {"hc.ordered": True}},
        },
    ),
    (
        9,
        "nothing to choose: else runs",
        {"run": "pick_nobody()", "expect": {"decision": "none", "fields": {"round": 50}}},
    ),
    (
        9,
        "pass",
        {
            "fields": {"hi.fresh": True},
            "run": "pass_or_not(hi)",
            "actions": ["neither"],
            "expect": {"fields": {"round": 60}},
        },
    ),
    (
        9,
        "pass only when",
        {
            "run": "pass_or_not(hi)",
            "actions": [{"expect": {"options": ["mode attack", "mode reply"]}}, "mode reply"],
            "expect": {"fields": {"round": 61}},
        },
    ),
    (
        9,
        "a menu is asked until it is passed or empty",
        {
            "run": "menu()",
            "actions": [
                {"expect": {"options": ["mark hi", "mark li", "plain"]}},
                "plain",
                {"expect": {"options": ["mark hi", "mark li", "plain", "enough"]}},
                "plain",
                {"expect": {"options": ["mark hi", "mark li", "enough"]}},
                "mark li",
                "mark hi",
            ],
            "expect": {"decision": "none", "fields": {"li.ordered": True, "round": 3}},
        },
    ),
    (
        9,
        "options that nobody could tell apart are one",
        {
            "position": {
                "pieces": {
                    "Cube": [
                        {"side": "top", "count": 3, "name": "a"},
                        {"side": "top", "count": 2, "name": "b"},
                        {"side": "bottom", "count": 2, "name": "c"},
                    ]
                }
            },
            "run": "muster(top)",
            "actions": [
                {"expect": {"options": ["muster a1", "muster b1", "nobody"]}},
                "muster b1",
                {"expect": {"options": ["muster a1", "muster b1", "muster b2", "nobody"]}},
            ],
            "expect": {"decision": {"side": "top"}},
        },
    ),
    (
        9,
        "a question is about the arguments of its prompt",
        {
            "run": "battle(hc, bottom)",
            "expect": {
                "decision": {"side": "bottom", "prompt": "destination", "about": ["hc"]},
                "offered": ["destination F4"],
            },
        },
    ),
    (
        9,
        "a pair",
        {
            "fields": {"hc.fresh": True, "skirmisher.fresh": True, "skirmisher.hex": "F4"},
            "run": "duels(top)",
            "dice": {"battle": ["miss"] * 6},
            "actions": [
                {"expect": {"options": ["duel hi hc", "duel hi skirmisher", "duel li skirmisher", "peace"]}},
                "duel hi hc",
            ],
            "expect": {
                "log": ["hi strikes hc"],
                "decision": {"side": "bottom", "prompt": "close_combat", "about": ["hi", "hc"]},
            },
        },
    ),
    (
        9,
        "once",
        {"run": "menu_once()", "actions": ["plain"], "expect": {"decision": "none", "fields": {"round": 2}}},
    ),
    (
        9,
        "the example: pass stays, no rule against cited",
        {
            "run": "battle(hc, bottom)",
            "actions": [{"by": "bottom", "do": "destination F4"}, {"expect": {"fields": {"hc.moved": 2}}}],
            "expect": {
                "offered": ["charge hi", "charge li", "done"],
                "refused": {"may_fire(hc, hi)": "X-10.2", "may_fire(li, hi)": "X-10.1"},
            },
        },
    ),
    (
        9,
        "without a veil nothing is asked where only passing is left",
        {
            "piles": {"hand[top]": ["first_strike"], "draw_pile": []},
            "run": "show_strength(top)",
            "expect": {"decision": "none"},
        },
    ),
    (
        9,
        "a veil: passing is asked for",
        {
            "switches": {"straight_faces": True},
            "piles": {"hand[top]": ["first_strike"], "draw_pile": []},
            "run": "show_strength(top)",
            "actions": [{"expect": {"options": ["silence"]}}, "silence"],
            "expect": {"decision": "none", "not_log": ["boasts"]},
        },
    ),
    (
        9,
        "a veil covers only what its condition says",
        {
            "switches": {"straight_faces": True},
            "run": "show_strength(top)",
            "expect": {"decision": "none"},
        },
    ),
    (
        9,
        "with a choice, a veiled question is as any other",
        {
            "switches": {"straight_faces": True},
            "piles": {"hand[top]": ["first_strike", "rally_horns"], "draw_pile": []},
            "run": "show_strength(top)",
            "actions": [{"expect": {"options": ["boast rally_horns", "silence"]}}, "rally_horns"],
            "expect": {"decision": "none", "log": ["boasts Rally Horns"]},
        },
    ),
    (
        9,
        "a secret choice is kept in a field that only its side sees",
        {
            "run": "take_aim(bottom)",
            "actions": [{"by": "bottom", "do": "aim C7"}],
            "expect": {"decision": "none", "fields": {"skirmisher.aim": "C7", "li.aim": "none"}},
        },
    ),
    (
        9,
        "who sees it is told, until the combat ends",
        {
            "run": "look_at(hi, bottom)",
            "expect": {
                "sees": {
                    "top": {"fields": {"hi.nerve": 2, "hc.nerve": "unseen"}, "log": ["hi 2"]},
                    "bottom": {
                        "fields": {"hi.nerve": 2, "li.nerve": "unseen", "hc.nerve": 2},
                        "log": ["hi 2"],
                    },
                }
            },
        },
    ),
    (
        9,
        "what is mixed moves together, and stays where it is when nothing is shuffled",
        {
            "fields": {"hi.nerve": 1, "li.nerve": 5},
            "dice": {"shuffle": [0]},
            "run": "rally(F5)",
            "expect": {"decision": "none", "fields": {"hi.nerve": 1, "li.nerve": 5, "hi.type": "HI"}},
        },
    ),
    (
        9,
        "and can be shown",
        {"fields": {"li.aim": "G6"}, "run": "reveal()", "expect": {"log": ["aims li G6"]}},
    ),
    (
        9,
        "else leaves",
        {
            "run": "battle(hc, bottom)",
            "actions": ["stay"],
            "expect": {"decision": "none", "fields": {"hc.hex": "E6"}},
        },
    ),
    (
        10,
        "before and instead are one window of the side concerned",
        {
            "fields": {"skirmisher.hex": "E4"},
            "piles": {"hand[bottom]": ["first_strike"], "draw_pile": []},
            "run": "fight(hi, skirmisher)",
            "expect": {
                "decision": {"side": "bottom", "prompt": "close_combat"},
                "options": ["evade", "first_blow", "decline"],
            },
        },
    ),
    (
        10,
        "instead: neither the act nor what comes after",
        {
            "fields": {"skirmisher.hex": "E4"},
            "run": "fight(hi, skirmisher)",
            "actions": ["evade"],
            "expect": {
                "decision": "none",
                "fields": {"skirmisher.hex": "D4", "skirmisher.blocks": 4},
                "not_log": ["strikes"],
            },
        },
    ),
    (
        10,
        "before, the act, after",
        {
            "piles": {"hand[bottom]": ["first_strike"], "draw_pile": []},
            "run": "fight(hi, hc)",
            "dice": {"battle": ["miss"] * 5 + ["miss"] * 6 + ["hit", "hit", "miss", "miss"]},
            "actions": ["first_blow", "battle_back"],
            "expect": {
                "piles": {"discard": ["first_strike"]},
                "fields": {"hi.blocks": 2},
                "log": ["hc strikes hi: 0\nhi strikes hc: 0\nhc strikes hi: 2"],
            },
        },
    ),
    (
        10,
        "who passes is not asked again",
        {
            "piles": {"hand[bottom]": ["first_strike"], "draw_pile": []},
            "run": "fight(hi, hc)",
            "dice": {"battle": ["hit"] * 6},
            "actions": ["decline"],
            "expect": {
                "decision": "none",
                "fields": {"bottom.banners": 0, "top.banners": 1, "hc.hex": "none"},
            },
        },
    ),
    (
        10,
        "a veiled reaction: its side is asked, to pass",
        {
            "switches": {"straight_faces": True},
            "piles": {"hand[bottom]": ["rally_horns"], "draw_pile": []},
            "run": "fight(hi, hc)",
            "dice": {"battle": ["hit"] * 6},
            "actions": [
                {
                    "expect": {
                        "decision": {"side": "bottom", "prompt": "close_combat"},
                        "options": ["decline"],
                    }
                },
                "decline",
            ],
            "expect": {"decision": "none", "fields": {"top.banners": 1}},
        },
    ),
    (
        10,
        "a veiled reaction that was taken seems possible no more",
        {
            "switches": {"straight_faces": True},
            "piles": {"hand[bottom]": ["rally_horns", "first_strike"], "draw_pile": []},
            "run": "fight(hi, hc)",
            "dice": {"battle": ["miss"] * 5 + ["hit"] * 6},
            "actions": [{"expect": {"options": ["first_blow", "decline"]}}, "first_blow"],
            "expect": {"decision": "none", "fields": {"top.banners": 1}},
        },
    ),
    (
        11,
        "an effect brings its rules",
        {
            "run": "charge_now(hi)",
            "expect": {
                "values": {
                    "charging()": True,
                    "cc_dice(hi, hc, attack)": {"is": 6, "cites": "X-18.45"},
                    "cc_dice(hc, hi, attack)": 4,
                },
                "refused": {"may_move(hi)": "pinned_down"},
            },
        },
    ),
    (
        11,
        "and ends with its scope",
        {
            "fields": {"hi.ordered": True},
            "effects": ["charge", "pinned(hi)"],
            "run": "charge_over()",
            "expect": {"values": {"charging()": False, "cc_dice(hi, hc, attack)": 5, "may_move(hi)": True}},
        },
    ),
    (
        11,
        "without a scope until it is ceased",
        {
            "run": "ally()",
            "expect": {"refused": {"may_fire(hc, hi)": "allied"}},
        },
    ),
    (
        11,
        "of a group one at most",
        {
            "run": "march_order(hi, li)",
            "expect": {
                "values": {
                    "pace(hi)": {"is": 0, "rule": "resting"},
                    "pace(li)": {"is": 3, "rule": "trotting"},
                    "pace(hc)": 2,
                }
            },
        },
    ),
    (
        11,
        "in force for several values",
        {
            "run": "pin(hi, li)",
            "effects": ["pinned(hc)"],
            "expect": {
                "values": {
                    "pinned_now()": "li hc",
                    "pinned_units()": 2,
                    "may_move(hi)": True,
                    "may_move(li)": False,
                }
            },
        },
    ),
    (
        11,
        "in force for several values together",
        {
            "run": "mark_them(hc, skirmisher)",
            "effects": ["marked(li, bottom)"],
            "expect": {
                "values": {
                    "cc_dice(hi, hc, attack)": 6,
                    "cc_dice(hi, li, attack)": 5,
                    "cc_dice(skirmisher, hc, attack)": 2,
                    "marked_by(hc, top)": True,
                    "marked_by(hc, bottom)": False,
                    "marked_by(li, bottom)": True,
                    "marked_at_all()": 3,
                }
            },
        },
    ),
    (
        11,
        "ends for all",
        {"run": "unmark(hc, skirmisher)", "expect": {"decision": "none", "values": {"marked_at_all()": 0}}},
    ),
    (
        10,
        "one reaction for each member, the sides in turn order",
        {
            "fields": {
                "hc.blocks": 1,
                "li.blocks": 1,
                "li.hex": "F5",
                "skirmisher.blocks": 1,
                "skirmisher.hex": "D5",
            },
            "run": "flee(hi)",
            "actions": [
                {"expect": {"decision": {"side": "bottom", "prompt": "rout", "about": ["hi"]}}},
                {"expect": {"options": ["cheer hc", "cheer skirmisher", "decline"], "log": ["flees"]}},
                "cheer hc",
                {"expect": {"decision": {"side": "bottom"}, "options": ["cheer skirmisher", "decline"]}},
                "decline",
                {"expect": {"decision": {"side": "top"}, "options": ["cheer li", "decline"]}},
                "cheer li",
            ],
            "expect": {
                "fields": {"hc.blocks": 2, "li.blocks": 2, "skirmisher.blocks": 1},
                "decision": "none",
            },
        },
    ),
    (
        10,
        "without an order the first member's side begins",
        {
            "fields": {"li.hex": "F5"},
            "run": "stir(hi)",
            "actions": [
                {"expect": {"decision": {"side": "top"}, "options": ["join_in li", "decline"]}},
                "join_in li",
                {"expect": {"decision": {"side": "bottom"}, "options": ["join_in hc", "decline"]}},
                "decline",
            ],
            "expect": {"log": ["joins li hi", "stirred hi"], "decision": "none"},
        },
    ),
    (
        12,
        "a check ends the game at once",
        {
            "fields": {"top.banners": 2, "bottom.banners": 2},
            "run": "one_loses()",
            "expect": {"over": True, "winner": "bottom"},
        },
    ),
    (
        12,
        "together: it waits",
        {
            "fields": {"top.banners": 2, "bottom.banners": 2},
            "run": "both_lose()",
            "expect": {"over": True, "winner": "tie"},
        },
    ),
    (
        12,
        "lose: last, nobody has won",
        {"run": "ruin(top)", "expect": {"over": True, "winner": "none", "ranks": {"bottom": 2, "top": 3}}},
    ),
    (
        12,
        "win by none",
        {"run": "ruin_both()", "expect": {"over": True, "winner": "none", "ranks": {"bottom": 2, "top": 2}}},
    ),
    (
        12,
        "win by a set",
        {
            "switches": {"weather": True},
            "run": "ruin(top)",
            "expect": {"winner": ["bottom"], "ranks": {"bottom": 1, "top": 2}},
        },
    ),
    (
        12,
        "nobody comes last",
        {"run": "nobody_loses()", "expect": {"winner": "none", "ranks": {"bottom": 2, "top": 2}}},
    ),
    (
        5,
        "next",
        {
            "expect": {
                "values": {
                    "after(top)": "bottom",
                    "after(bottom)": "top",
                    "after(none)": "none",
                    "type_after(HC)": "LI",
                }
            }
        },
    ),
    (
        12,
        "checks in order, each asked when its turn comes",
        {
            "run": "to_77()",
            "expect": {"fields": {"round": 78}, "log": ["watched 1"], "not_log": ["watched 2"]},
        },
    ),
    (
        14,
        "the catalogue words the log; without a key the identifier stands",
        {
            "run": "tell()",
            "expect": {"log": ["told Rally Horns, clash of shields, North"]},
        },
    ),
    (
        14,
        "options keep their stable form",
        {
            "run": "play()",
            "piles": {"draw_pile": ["rally_horns", "rally_horns"]},
            "expect": {
                "decision": {"side": "top", "prompt": "card"},
                "options": ["card rally_horns", "no_card"],
            },
        },
    ),
]


def lay_out(root: Path, more: str = "", only: Callable[[str], bool] = lambda block: True) -> Path:
    """Write the rulesets of the specification below *root*; the folder of the base, or that of what extends it."""
    base = root / "skirmish"
    base.mkdir(parents=True)
    (base / "ruleset.grog").write_text(HEADER, encoding="utf-8")
    (base / "probes.grog").write_text(PROBES, encoding="utf-8")
    (base / "more.grog").write_text(more, encoding="utf-8")
    (base / "texts").mkdir()
    (base / "texts" / "en.yaml").write_text(TEXTS, encoding="utf-8")
    cited = sorted(set(re.findall(r"\bX-[0-9]+\.[0-9]+\b", "".join(spec_blocks()))))
    index = "".join(f"{rule}: {{source: house, page: 1, topic: Example}}\n" for rule in cited)
    (base / "rulebook.yaml").write_text(index, encoding="utf-8")
    for number, block in enumerate(spec_blocks()):
        if block.startswith("ruleset "):
            name = block.split()[1]
            (root / name).mkdir()
            (root / name / "rules.grog").write_text(block, encoding="utf-8")
            (root / name / "rulebook.yaml").write_text(index, encoding="utf-8")
        elif only(block):
            (base / f"example_{number:02}.grog").write_text(block, encoding="utf-8")
    return base


def compiled(folder: Path) -> Compilation:
    """Compile a folder; there is no error."""
    compilation = compile_ruleset(folder, find_in(folder.parent))
    assert compilation.ok, "\n".join(
        f"{d.span} {d.code} {d.message}" for d in compilation.diagnostics if d.is_error
    )
    return compilation


@cache
def built(
    root: Path, name: str
) -> tuple[Compilation, RulesetSpec, SetUp, dict[str, Any], tuple[Program, Program]]:
    """A ruleset of the specification with its scenario and both executions."""
    compilation = compiled(root / name)
    program = load_program(compilation)
    text = SCENARIO.replace("ruleset: skirmish", f"ruleset: {name}")
    setup, findings = load(text, program.spec)
    assert setup is not None, findings
    return (
        compilation,
        program.spec,
        setup,
        yaml.safe_load(text),
        (program, InterpretedProgram(compilation.program, program.spec)),
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rulesets of the specification lie."""
    made = tmp_path_factory.mktemp("spec")
    lay_out(made)
    return made


def run(root: Path, name: str, case: dict[str, Any]) -> None:
    """Run a case by both executions."""
    compilation, _, _, scenario, programs = built(root, name)
    for program in programs:
        outcome = CaseRunner(compilation.program, program, scenario).run(Case("SPEC.md", 1, case))
        assert outcome.ok, (type(program).__name__, outcome.problems, outcome.log)


@pytest.mark.parametrize(("section", "what", "case"), SAYS, ids=[f"{s} {what}" for s, what, _ in SAYS])
def test_what_the_specification_says(root: Path, section: int, what: str, case: dict[str, Any]) -> None:
    run(root, "skirmish", case)


def test_all_sections_are_tried() -> None:
    assert {section for section, _, _ in SAYS} >= set(range(2, 13))


# ------------------------------------------------------------------ 1 to 4: files, names, facts, state


def findings(tmp_path: Path, more: str) -> list[str]:
    """The codes of what is found when *more* is added to the example; advice left out."""
    folder = lay_out(tmp_path, more)
    return [
        d.code for d in compile_ruleset(folder, find_in(tmp_path)).diagnostics if not d.code.startswith("L")
    ]


#: Section, code, what makes the compiler report it.
REPORTED = [
    (1, "C701", "@rule X-99.9\nfunction f(): int = 1"),
    (1, "R102", "ruleset skirmish"),
    (2, "T302", "function f(u: Unit): bool = u.type.cc > u.type.move"),
    (2, "T302", "function f(u: Unit): Points = u.type.move + 1"),
    (2, "T304", "procedure p(u: Unit) { set u.blocks = 1 }\nprocedure q(h: Hex) { do p(Unit[h]) }"),
    (2, "R204", "procedure p() { let x = hit }"),
    (2, "Q507", "function f(n: int): int = g(n)\nfunction g(n: int): int = f(n)"),
    (3, "F401", "table faces of Face { columns n: int\n | hit | 1 |\n | miss | 2 |\n}"),
    (3, "F404", "table faces of Face { columns n: int\n | hit | 1 |\n | miss | — |\n | flag | 2 |\n}"),
    (3, "F408", "table faces of Face { columns n: int\n | hit | 1 |\n | miss | ? |\n | flag | 2 |\n}"),
    (3, "R104", "sides left, right"),
    (4, "F407", "deck other of Card copies count { pile stock per Side hidden }"),
    (4, "S605", "fields of Side { y: int = 0 x: int = it.y lasts turn }"),
    (4, "F409", "procedure p() { create Marker as m { side: top } else { leave } note made(m) }"),
    (4, "F409", "piece Barrow of Wagon { }"),
    (4, "R104", "piece Barrow of Marker { spent: bool = false }"),
    (4, "R202", "function f(m: Marker): int = m.stores"),
    (4, "R202", "function f(m: Marker): int = if m in Scout then m.stores else 0"),
    (4, "R202", "procedure p(m: Marker, o: Marker) { if m in Wagon { set m = o  take 1 from m.stores } }"),
    (4, "T301", "procedure p(w: Wagon) { leave }\nprocedure q(m: Marker) { do p(m) }"),
    (4, "T301", "function f(w: Wagon, s: Scout): bool = w is s"),
    (5, "P101", "function f(): int = 1 + count u in Unit"),
    (6, "Q501", "quantity q(t: Type): int\nrule r for q = 1 when t is LI"),
    (6, "Q502", "quantity q(t: Type): int\nrule r for q = 1\nrule s for q = 2 when t is LI"),
    (
        6,
        "Q503",
        "quantity q(t: Type): int\nrule r for q = 1 when t is LI\nrule o for q = 2 when t is not LI\n"
        "rule s except r for q = 2 when t is HC",
    ),
    (6, "Q506", "modify m for nested stage s by 1"),
    (8, "S607", "procedure p() { within combat { leave } }"),
    (8, "S607", "procedure p() { together { leave } }"),
    (8, "T301", "fields of Game { kept: roll of Face }"),
    (8, "S602", "procedure p() { stop }"),
    (11, "T303", "effect e(a: Unit, b: Unit) lasts turn { }\nfunction f(): bool = effect e"),
    (12, "S601", "check c when round > 3 { choose s in Side by top else { leave } set active = s }"),
    (13, "R105", "replace function nothing_here(): int = 1"),
    (13, "R104", "function allowance(u: Unit): Hexes = 1"),
    (13, "R106", "insert ahead nothing of play { }"),
]


@pytest.mark.parametrize(("section", "code", "more"), REPORTED)
def test_what_is_reported(tmp_path: Path, section: int, code: str, more: str) -> None:
    assert code in findings(tmp_path, more)


def test_nothing_is_reported_on_the_examples(tmp_path: Path) -> None:
    assert findings(tmp_path, "") == []


def test_dice(root: Path) -> None:
    spec = built(root, "skirmish")[1]
    assert {d.name: d.faces for d in spec.dice} == {"battle": (0, 0, 1, 1, 1, 2), "d6": (1, 2, 3, 4, 5, 6)}


def test_labels(root: Path) -> None:
    board = built(root, "skirmish")[1].board
    assert (board.row_of[board.index("A1")], board.column_of[board.index("A1")]) == (8, 0)
    assert "I13" in board.labels and "H12" in board.labels and "H13" not in board.labels


CHART = """
rows: ["aa.", "a f", "..."]
legend: {f: {land: forest}, a: {land: clear}}
fields:
  wet: [[0101, 0201]]
  height: {3: [0303]}
joins: [[0103, 0303]]
names: {0303: Far Corner}
"""
CHARTED = """
ruleset charted
sides top, bottom
enum Terrain { clear, forest, plain }
board field { layout odd_r;  rows 3;  columns 3;  numbers;  file front; }
fields of Hex { land: Terrain = plain fixed map   wet: set of Hex fixed map   height: int fixed map }
function land_at(h: Hex): Terrain = h.land
function wet_at(h: Hex): set of Hex = h.wet
function height_at(h: Hex): int = h.height
function meets(a: Hex, b: Hex): bool = adjacent(a, b)
function all_hexes(): int = count h in Hex
procedure play() { note seen(size(Hex)) }
"""


def test_board_from_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "charted"
    (folder / "boards").mkdir(parents=True)
    (folder / "charted.grog").write_text(CHARTED, encoding="utf-8")
    (folder / "boards" / "front.yaml").write_text(CHART, encoding="utf-8")
    compilation = compiled(folder)
    program = load_program(compilation)
    values = {
        "all_hexes()": 8,
        "land_at(0302)": "forest",
        "land_at(0101)": "clear",
        "land_at(0103)": "plain",
        "wet_at(0101)": "0201",
        "wet_at(0201)": "0101",
        "height_at(0303)": 3,
        "height_at(0203)": 0,
        "meets(0103, 0303)": True,
        "meets(0101, 0303)": False,
    }
    case = Case("SPEC.md", 1, {"run": "play()", "expect": {"values": values}})
    assert (
        CaseRunner(compilation.program, program, {"ruleset": "charted", "title": "x"}).run(case).problems
        == ()
    )
    assert program.spec.board.names[program.spec.board.index("0303")] == "Far Corner"


def test_setup_without_an_initial_value_must_be_given(root: Path) -> None:
    setup, found = load(SCENARIO.replace("bottom: {goal: 3}", "bottom: {}"), built(root, "skirmish")[1])
    assert setup is None
    assert any("goal" in f.message for f in found)


def test_a_scenario_that_does_not_meet_a_requirement_is_refused(root: Path) -> None:
    program = load_program(built(root, "skirmish")[0])
    setup, found = load(
        SCENARIO.replace("bottom: {goal: 3}", "bottom: {goal: 0}"), program.spec, broken=program.broken
    )
    assert setup is None
    assert [f.code for f in found] == ["S219"]


def test_who_sees_what(root: Path) -> None:
    _, spec, setup, _, (program, _) = built(root, "skirmish")
    state = program.new_state(setup, 1)
    hand, draw = spec.piles["hand"].slot, spec.piles["draw_pile"].slot
    getattr(state, hand)[1].append(0)
    other = state.copy()
    getattr(other, hand)[1][:] = [1]
    other_draw = getattr(other, draw)
    other_draw[0], other_draw[-1] = other_draw[-1], other_draw[0]
    assert view(state, 0) == view(other, 0)
    assert view(state, 1) != view(other, 1)
    plan, knower = (next(f.slot for f in spec.fields if f.name == name) for name in ("plan", "knower"))
    for seen_by, sides in ((-1, ()), (0, (0,)), (1, (1,))):
        one, two = (program.new_state(setup, 1) for _ in range(2))
        for s, value in ((one, 0), (two, 1)):
            setattr(s, knower, [-1, seen_by, -1])  # columns that nothing changes are shared between states
            setattr(s, plan, [-1, value, -1])
        assert tuple(side for side in (0, 1) if view(one, side) != view(two, side)) == sides


def test_what_a_section_cites(root: Path) -> None:
    compilation = built(root, "skirmish")[0]
    cited = compilation.program.citations["X-4.1"]
    assert {"field Side.goal", "field Hex.walls", "field Game.wagons"} <= set(cited)
    assert not any("Marker" in what or "command" in what for what in cited)


def test_distances_are_meant_as_those_of_the_grid(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, "")
    (folder / "boards").mkdir()
    (folder / "boards" / "joined.yaml").write_text("joins: [[A1, A9]]\n", encoding="utf-8")
    path = next(
        path for path in folder.glob("*.grog") if "  distance grid;" in path.read_text(encoding="utf-8")
    )
    meant = path.read_text(encoding="utf-8").replace("  distance grid;", "  file joined;  distance grid;")
    codes = []
    for text in (meant, meant.replace("distance grid;", "")):
        path.write_text(text, encoding="utf-8")
        found = compile_ruleset(folder, find_in(tmp_path)).diagnostics
        assert not [d for d in found if d.is_error]
        codes.append({d.code for d in found} & {"L805"})
    assert codes == [set(), {"L805"}]


def test_checkpoints(root: Path) -> None:
    _, _, setup, _, programs = built(root, "skirmish")
    for program in programs:
        state = program.new_state(setup, 1)
        program.start(state, "tire", [0])
        assert state.checkpoints == 1


def test_a_game_to_its_end(root: Path) -> None:
    _, _, setup, _, programs = built(root, "skirmish")
    games = [Game(program, setup, 5) for program in programs]
    chance = Random(5)
    while not games[0].over:
        assert [o.text for o in games[0].decision.options] == [o.text for o in games[1].decision.options]  # type: ignore[union-attr]
        choice = chance.randrange(len(games[0].state.options))
        for game in games:
            game.play(choice)
    assert games[0].log == games[1].log and games[0].ranks == games[1].ranks


# ------------------------------------------------------------------ 13: what extends the example

CAMELS: list[tuple[str, dict[str, Any]]] = [
    (
        "more of an enum and its table, a rule excepts what the base declares",
        {
            "position": {
                "pieces": {
                    "Unit": [
                        {"side": "top", "type": "CA", "hex": "E5", "name": "ca"},
                        {"side": "bottom", "type": "HC", "hex": "E6", "name": "hc"},
                    ]
                }
            },
            "run": "nothing",
            "expect": {
                "values": {
                    "cc_dice(hc, ca, attack)": {"is": 2, "rule": "camels_scare", "cites": "X-30.2"},
                    "cc_dice(ca, hc, attack)": 3,
                    "allowance(ca)": 4,
                }
            },
        },
    ),
    (
        "a member dropped",
        {"run": "nothing", "expect": {"values": {"further(o1_1, 9)": "o1_1", "crt(p1, o1_1)": "exchange"}}},
    ),
    (
        "a rule dropped",
        {
            "fields": {"hi.fresh": True},
            "run": "nothing",
            "expect": {"values": {"cc_dice(hi, hc, attack)": 5}},
        },
    ),
    (
        "replaced, with steps before and after",
        {
            "run": "fight(hi, hc)",
            "dice": {"battle": ["miss"] * 5},
            "expect": {"fields": {"hc.thirst": 1, "top.water": 2, "bottom.water": 3}, "decision": "none"},
        },
    ),
    (
        "the rest is the base's",
        {
            "run": "remove_unit(hi)",
            "expect": {"fields": {"bottom.banners": 1}, "refused": {"may_enter(hi, E6)": "X-8.8"}},
        },
    ),
]


@pytest.mark.parametrize(("what", "case"), CAMELS, ids=[what for what, _ in CAMELS])
def test_what_extends_the_example(root: Path, what: str, case: dict[str, Any]) -> None:
    run(root, "skirmish_camels", case)


def test_what_comes_of_a_duel(root: Path) -> None:
    """The forecast of section 9, against all throws."""
    _, spec, setup, _, programs = built(root, "skirmish")
    names = [piece.name for piece in setup.pieces["Unit"]]
    u, v = names.index("hi"), names.index("hc")
    for program in programs:
        state = program.new_state(setup, 1)
        found = foresee(program, view(state, 0), spec.forecasts["duel"], (u, v))
        told = {o.name: o for o in found.outcomes}
        dice = told["dice"].alternatives[0].values[0]
        hits = [0] * (dice + 1)
        for throw in product((0, 0, 1, 1, 1, 2), repeat=dice):
            hits[throw.count(0)] += 1
        assert [a.chance * 6**dice for a in told["hits"].alternatives] == hits
        blocks = 3  # of the horsemen
        assert told["destroyed"].chance == Fraction(sum(hits[blocks:]), 6**dice)
        assert told["hits_back"].chance == 1 - told["destroyed"].chance and told["hits_back"].depth == 1
