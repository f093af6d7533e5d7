"""The sketches of ``dsl/DEMANDS.md`` compile: each is a small ruleset, with what it takes for granted written here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import ROOT, read

from compiler.ruleset import Ruleset

DEMANDS = ROOT / "dsl" / "DEMANDS.md"

_BOARD = """
board field { layout odd_r;  rows 9;  columns 13; }
scope turn checkpoint
scope phase
scope combat
"""

#: No Retreat!
_FRONT = (
    _BOARD
    + """
sides axis, soviet
measure MP, Strength
enum Arm { foot, armor }
enum Ground { open_ground, wood, area }
table ground of Ground {
  columns armor: MP, others: MP
  | open_ground | 1 | 1 |
  | wood        | 2 | 1 |
  | area        | 1 | 1 |
}
fields of Hex { terrain: Ground = open_ground setup   city: bool = false setup   control: Side?   edge: Side? }
fields of Game { mover: Side = axis   initiative: Side = axis   event_vp: int = 0 }
function in_zone(h: Hex, s: Side): bool = some v in Unit where v.side is s and adjacent(v.hex, h)
"""
)
_COUNTER = """
piece Unit {
  side: Side fixed setup
  hex: Hex place setup
  arm: Arm fixed setup
  mp: MP fixed setup
  printed: Strength fixed setup
  fort: bool = false fixed setup
"""
_CARDS = """
enum Card { c1, c2, c3 }
table cards of Card {
  columns count: int, axis_half: Event, soviet_half: Event
  | c1 | 1 | manstein      | new_conscripts |
  | c2 | 1 | gott_mit_uns  | interference   |
  | c3 | 1 | luftwaffe     | interference   |
}
function half(c: Card, s: Side): Event = if s is axis then c.axis_half else c.soviet_half
"""

#: Commands & Colors: Ancients
_ANCIENTS = (
    _BOARD
    + """
sides top, bottom
measure Dice, Blocks
enum Type { LI, HI, EL }
enum Arm { foot, mounted }
enum Face { light, heavy, flag, swords_face }
die battle of Face
table unit_types of Type {
  columns arm: Arm, face: Face, cc: Dice, blocks: Blocks, retreat: int
  | LI | foot    | light | 2 | 4 | 2 |
  | HI | foot    | heavy | 5 | 4 | 1 |
  | EL | mounted | heavy | 4 | 2 | 2 |
}
piece Unit {
  type: Type fixed setup
  side: Side fixed setup
  hex: Hex place alone setup
  blocks: Blocks = it.type.blocks
  fresh: bool = false lasts combat
  ordered: bool = false lasts turn
  advanced: bool = false lasts combat
}
piece Leader { side: Side fixed setup   hex: Hex place alone setup }
"""
)
#: What a sketch takes for granted.
PREAMBLES = {
    "S1": _FRONT
    + _COUNTER
    + """}
function allowance(u: Unit): MP = u.mp
procedure play() { each u in Unit { choose h in reach march(u) by u.side prompt march pass stay else { leave }   set u.hex = h } }
""",
    "S2": _FRONT
    + _COUNTER
    + """  unsupplied: bool = false lasts turn
}
function sea_supply(u: Unit): bool = u.hex.city
procedure play() { do supply_phase()   expire turn }
""",
    "S3": _FRONT
    + _COUNTER
    + """}
enum Mode { regular, counter }
fields of Side { support_committed: bool = false lasts combat }
fields of Game { die_shown: Pip = p1 }
matrix soviet_crt of Pip by Odds: Result {
  |    | below | o1_3  | o1_2  | o1_1  | o3_2  | o2_1 | o3_1 | o4_1 | o5_1 | o6_1 |
  | p1 | CA    | CA    | CA    | CA    | CA    | CA   | CB   | EX   | DR   | DR   |
  | p2 | CA    | CA    | CA    | CA    | none_ | CB   | EX   | DR   | DR   | DS   |
  | p3 | CA    | CA    | CA    | none_ | CB    | EX   | DR   | DR   | DS   | DS   |
  | p4 | CA    | CA    | none_ | CB    | EX    | DR   | DR   | DS   | DS   | DS   |
  | p5 | CA    | none_ | CB    | EX    | DR    | DR   | DS   | DS   | DS   | DD   |
  | p6 | none_ | CB    | EX    | DR    | DR    | DS   | DS   | DS   | DD   | DD   |
}
event rolled(s: Side)
function strength_of(s: Side, mode: Mode): Strength = sum u.printed for u in Unit where u.side is s and (mode is regular or not u.fort)
function uses_axis_table(s: Side): bool = s is axis
procedure commitments(s: Side) { offer once by s prompt support { support { set s.support_committed = true } pass none_given } }
procedure apply_result(s: Side, r: Result) { if r is DR { each u in Unit where u.side is not s { set u.hex = none } } }
procedure play() { do battle(axis)   note final(final_result(first h in Hex, DR)) }
""",
    "S4": _FRONT
    + """
enum Mark { no_mark, voluntary, counterblow }
enum Card { c1, c2 }
table cards of Card { columns copies_of: int
  | c1 | 1 |
  | c2 | 1 |
}
deck events_deck of Card copies copies_of { pile supply hidden   pile hand per Side owner   pile discard open }
extend piece Unit { side: Side fixed setup   hex: Hex place setup   disorganized: bool = false }
function attackable(t: Hex): bool = t.aimed is no_mark and (some u in Unit where u.side is mover and adjacent(u.hex, t))
  and (some v in Unit[t] where v.side is not mover)
function may_counterblow(t: Hex): bool = t.aimed is no_mark and (some u in Unit where u.side is mover and adjacent(u.hex, t))
function markers_left(s: Side): int = 4 - (count h in Hex where h.aimed is voluntary)
procedure pay_card(s: Side) { choose c in hand[s] by s prompt pay else { leave }   remove c from hand[s]   put c on discard }
procedure resolve_battle() { each h in Hex where h.in_battle { set h.fought = true }   each u in Unit where u.picked { set u.engaged = true } }
procedure play() { do combat_phase()   expire phase }
""",
    "S5": _FRONT
    + _COUNTER
    + """  picked: bool = false lasts combat
}
scope player_turn
"""
    + _CARDS
    + """
quantity strength(u: Unit): Strength { stage events }
rule as_printed for strength = u.printed
permission may_cancel(s: Side, e: Event) deny
allow soviet_interference for may_cancel when s is soviet and interference in cancelling() and e.side is axis
function cancelling(): set of Event = { interference }
procedure play() {
  do ask_cards(initiative, commitment)
  do ask_cards(opponent(initiative), own_organization)
  do ask_cards(axis, anytime_now)
  do red_orchestra()
  expire player_turn
}
""",
    "S6": _FRONT
    + _COUNTER
    + """  unsupplied: bool = false   emergency: bool = false   box: Box?   arrives: Turn?
}
piece City { hex: Hex place setup }
enum Turn { t1, t2, t3, t28 }
fields of Game { now: Turn = t1   oil_turn: Turn?   ploesti: City? }
procedure romania_leaves() { each u in Unit where u.fort { do eliminate(u, supply) } }
procedure play() { each u in Unit { do eliminate(u, step_loss) }   do upkeep_oil() }
""",
    "S7": _ANCIENTS
    + """
enum Card { first_strike, rally }
table cards of Card { columns copies_of: int
  | first_strike | 1 |
  | rally        | 2 |
}
deck command of Card copies copies_of { pile supply hidden   pile hand per Side owner   pile discard open }
fields of Game { struck_first: bool = false lasts combat }
quantity cc_dice(u: Unit, foe: Unit, mode: Mode): Dice
rule printed for cc_dice = u.type.cc
rule at_most_one except printed for cc_dice = 1 when mode is bonus
function may_evade(d: Unit, a: Unit): bool = d.type is LI and a.type is not LI
function may_reply(d: Unit, a: Unit): bool = d.blocks > 0 and adjacent(d.hex, a.hex)
function may_advance(a: Unit, h: Hex): bool = Unit[h] is none and adjacent(a.hex, h)
function may_bonus(a: Unit): bool = a.type.arm is mounted
procedure evade_from(d: Unit, a: Unit) {
  choose h in neighbors(d.hex) where Unit[h] is none and not adjacent(h, a.hex) by d.side prompt evade else { leave }
  set d.hex = h
}
procedure one_roll(a: Unit, d: Unit, mode: Mode) {
  roll cc_dice(a, d, mode) battle as r
  take tally(r, d.type.face) from d.blocks
  if d.blocks <= 0 { set d.hex = none }
}
procedure bonus_at(a: Unit, t: Hex) {
  let d = Unit[t]
  if d is not none { do close_combat(a, d, bonus) }
}
procedure play() {
  each a in Unit { each d in Unit where d.side is not a.side and adjacent(a.hex, d.hex) { do close_combat(a, d, attack) } }
}
""",
    "S8": _ANCIENTS.replace(": Blocks", ": int").replace(": Dice", ": int")
    + """
enum Mode { attack, reply }
function cc_dice(u: Unit, foe: Unit, mode: Mode): int = if mode is attack then u.type.cc else 1
function ignored_swords(u: Unit, e: Unit): int = if u.type.arm is e.type.arm then 1 else 0
procedure play() {
  each e in Unit where e.type is EL {
    each u in Unit {
      let hits = do elephant_roll(e, u)
      take hits from u.blocks
    }
  }
}
""",
    "S9": _ANCIENTS.replace("retreat: int", "retreat: Hexes").replace(
        "measure Dice", "measure Hexes, Dice"
    )
    + """
quantity ignorable(u: Unit): int { stage support }
rule none_by_itself for ignorable = 0
modify leader_here for ignorable stage support by 1 when some l in Leader where l.hex is u.hex and l.side is u.side
modify supported for ignorable stage support by 1 when (count v in Unit where v.side is u.side and adjacent(v.hex, u.hex)) >= 2
permission may_fall_back(u: Unit, h: Hex) allow
deny occupied for may_fall_back when Unit[h] is not none
function rear(s: Side, a: Hex, b: Hex): bool = if s is bottom then row(b) > row(a) else row(b) < row(a)
function lone_leader(h: Hex): Leader? = if Unit[h] is none then Leader[h] else none
function lone_leader_here(h: Hex): bool = Leader[h] is not none
procedure lose_blocks(u: Unit, n: Hexes) {
  repeat n times { take 1 from u.blocks }
  if u.blocks <= 0 { set u.hex = none }
}
procedure play() { each u in Unit { do take_flags(u, 2) } }
""",
    "S10": _ANCIENTS
    + """
enum Card { out_flanked, counter_attack, line_command, other_card }
fields of Section { orders: int = 0 lasts turn }
fields of Game { last_card: Card?   last_turned: bool }
function orderable(u: Unit, s: Side): bool = u.side is s and u.hex is not none and not u.ordered
function orderable_foot(h: Hex, s: Side): bool = orderable(Unit[h], s) and Unit[h].type.arm is foot
procedure play() {
  each s in Side {
    choose c in Card by s prompt card else { leave }
    do give_orders(c, s, false)
    set last_card = c
    set last_turned = mirrored(left) is left
    expire turn
  }
}
""",
    "S11": _BOARD
    + """
sides top, bottom
enum Color { black, red, green, blue }
enum Symbol { sword, shield, valor }
enum Card { captain, banner }
table cards of Card { columns copies_of: int
  | captain | 2 |
  | banner  | 2 |
}
deck leaders of Card copies copies_of { pile supply hidden   pile hand per Side owner   pile discard open }
die battle of Symbol
piece Unit { side: Side fixed setup   hex: Hex place alone setup   ready: bool = true }
fields of Side { passed: bool = false lasts turn }
fields of Symbol { shown: int = 0 lasts combat }
fields of Game { marker: Space = middle   first_player: Side = top }
function may_order(u: Unit, s: Side): bool = u.side is s and u.ready
function affordable(c: Card, s: Side): bool = cards(hand[s], c) > 0
function attack_dice(u: Unit, t: Unit): int = max(0, 3 - size(t.hex.tokens_top))
function foe_of(u: Unit): Unit = (first v in Unit where v.side is not u.side and adjacent(v.hex, u.hex)) otherwise u
procedure order_unit(u: Unit) {
  set u.ready = false
  event moving(u) {
    choose h in neighbors(u.hex) where Unit[h] is none by u.side prompt to else { leave }
    set u.hex = h
  }
}
procedure play_leader_card(c: Card, s: Side) {
  remove c from hand[s]
  put c on discard
  do shift_morale(s, 1)
}
procedure play() {
  repeat 5 times {
    each s in Side { draw c from supply   put c on hand[s] }
    do play_round()
    expire turn
  }
}
""",
    "S12": _BOARD
    + """
sides french, allied
scope segment
enum Order { charge_order, advance_order, hold }
enum Attack { fire, melee }
enum Arc { front_arc, flank_arc, rear_arc }
fields of Hex { woods: bool = false setup   hedges: set of Hex = {} setup }
enum Formation { line_formation, column_formation, square_formation }
switch switch_withdrawal on
die cannon of 1 .. 6
fields of Game { first_side: Side = french }
function has_target(u: Regiment): bool = some t in Regiment where may_fire(u, t)
function may_fire(u: Regiment, t: Regiment): bool =
  t.side is not u.side and t.hex is not none and distance(u.hex, t.hex) <= 2 and sees(u.hex, t.hex, fire)
function may_square(t: Regiment, u: Regiment): bool = u.cavalry and not t.cavalry and t.formation is not square_formation
function guns_bear(t: Regiment, u: Regiment): bool = in_front(t, u.hex) and not t.disordered
function near_cavalry(u: Regiment, b: Hex): bool =
  not u.cavalry and (some v in Regiment where v.side is not u.side and v.cavalry and adjacent(v.hex, b))
function allowance(u: Regiment): int = if u.cavalry then 4 else 2
function step_cost(u: Regiment, b: Hex): int = if u.formation is column_formation then 1 else 2
function in_zone(h: Hex, s: Side): bool = some v in Regiment where v.side is not s and in_front(v, h)
permission may_step(u: Regiment, b: Hex) allow
deny occupied for may_step when Regiment[b] is not none
deny square_stands for may_step when u.formation is square_formation
procedure activate(g: Group) {
  each u in Regiment where u.group is g { do walk(u) }
  do declare_and_resolve(g)
}
procedure resolve_fire(u: Regiment) { if u.aim is not none { do shoot_at(u, u.aim) } }
procedure shoot_at(u: Regiment, t: Regiment?) {
  roll 2 cannon as r
  add (count x in r where x > 4) to t.losses_due
  if t is not none and (u.helps is t or arc_hit(u.hex, t) is not front_arc or not behind_hedge(u.hex, t)) { add 1 to t.losses_due }
}
procedure apply_losses(u: Regiment) {
  if u.losses_due > 2 { set u.disordered = true }
  set u.losses_due = 0
}
procedure to_square(t: Regiment) { set t.formation = square_formation }
procedure withdraw_cavalry(u: Regiment, b: Hex) {
  each v in Regiment where v.cavalry and v.side is not u.side and adjacent(v.hex, b) { set v.disordered = true }
}
procedure charge(u: Regiment, t: Regiment) { event charging(u, t) { if u.kind is melee { set t.disordered = true } } }
procedure play() {
  do activations()
  each u in Regiment where u.cavalry {
    choose t in Regiment where can_charge(u, t) by u.side prompt charge pass no_charge else { leave }
    do ride_at(u, t)
    do charge(u, t)
  }
}
""",
}


def sketches() -> dict[str, str]:
    """The sketches by their numbers."""
    found = re.findall(
        r"^### (S\d+) [^\n]*\n+```grog\n(.*?)^```", read(DEMANDS), re.DOTALL | re.MULTILINE
    )
    return dict(found)


@pytest.mark.parametrize("name", PREAMBLES)
def test_sketch(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "sketch"
    folder.mkdir()
    (folder / "ruleset.grog").write_text("ruleset sketch\n" + PREAMBLES[name], encoding="utf-8")
    (folder / "sketch.grog").write_text(sketches()[name], encoding="utf-8")
    compilation = Ruleset(folder)
    assert [f"{d.span} {d.code} {d.message}" for d in compilation.diagnostics if d.is_error] == []
    assert compilation.emitted is not None


def test_every_sketch_is_compiled() -> None:
    assert sorted(sketches()) == sorted(PREAMBLES)
    assert read(DEMANDS).count("```grog\n") == len(PREAMBLES)
