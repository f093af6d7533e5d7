"""What people write who come from other languages, from spreadsheets or from a rulebook: the remedy says what is written
for it here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from other_languages import lacking

MORE = """# preamble
enum Terrain { clear, forest }
fields of Hex { terrain: Terrain = clear }
piece Gun { side: Side fixed setup   hex: Hex place setup   facing: Direction = east }
die d6 of 1 .. 6
enum Card { ambush, rally }
table cards of Card {
  columns copies: int
  | ambush | 2 |
  | rally  | 2 |
}
deck orders of Card copies copies {
  pile supply hidden
  pile hand per Side owner
}
matrix losses of 1 .. 6 by Arm: int {
  |        | foot | mounted |
  | 1 .. 6 | 0    | 1       |
}
function worth(u: Unit): int = 1
"""
VALUES = {
    "size(Unit) > 2 and Unit.length > 2": ("R202", "write size(Unit)"),
    "hand[s].count > 2": ("R202", "write size(…)"),
    "u.type is Type.LI": ("R202", "a member stands by its name alone: LI"),
    "u.range > 1": ("R202", "it is read by way of 'type': type.range"),
    "u.terrain is forest": ("R202", "it is read by way of 'hex': hex.terrain"),
    "u.worth > 1": ("R202", "'worth' is a function: write worth(…)"),
    "h.units is {}": ("R202", "what stands there is Unit[…]"),
    "some x in neighbors(h) where x.side is s": ("R202", "what stands there is Unit[…]"),
    "s.units is {}": ("R202", "write 'x in Unit where x.side is …'"),
    "some x in Unit[h] where x.moved > 0": ("T307", "one alone is no set; the set of it is { … }"),
    "moved(u) > 2": ("R201", "'moved' is a field of Unit: write x.moved"),
    "turn > 2": ("R201", "nothing is called so by itself; there is a function turn(…)"),
    "some Unit x where x.moved > 0": ("P101", "write 'x in Unit'"),
    "len(Unit) > 2": ("R201", "did you mean 'size'?"),
    "abs(n) > 2": ("R201", "write 'max(x, -x)'"),
    "random(6) > 2": ("R201", "chance is a step: 'roll n d6 as r'"),
    "round(n / 2) > 2": ("R201", "'/' rounds down already"),
    "VLOOKUP(u.type, 2) > 2": ("R201", "read behind a point: 'u.type.move'"),
    "types[LI] > 2": ("R201", "'types' is a table: its columns are read as x.arm"),
    "losses(3, foot) > 2": ("R201", "'losses' is a matrix: write losses[row, column]"),
    "losses[foot, 3] > 2": (
        "T301",
        "write losses[row, column]: rows are of 1 .. 6, columns of Arm",
    ),
    "d6 > 2": ("R201", "'d6' is a die: write 'roll n d6 as r' as a step"),
    "Game.active is top": ("R201", "fields of the game stand by their names alone"),
    "self.moved > 0": ("R201", "say whose it is by the name of a parameter"),
    "off": ("R201", "did you mean 'false'?"),
    "size(orders) > 2": ("R201", "name one of its piles, supply, hand"),
    "min(1, 2, 3) > 2": ("T303", "of three write max(a, max(b, c))"),
    "u is LI": ("T301", "write: u.type is LI"),
    "forest is not h": ("T301", "write: forest is not h.terrain"),
    "u is foot": ("T301", "write: u.type.arm is foot"),
    "u.hex is forest": ("T301", "did you mean its 'terrain'?"),
    "Unit[h] is {}": ("T301", "write 'is none'"),
    "u.hex + east is h": ("T301", "write neighbor(h, d)"),
    "u in LI": ("T307", "write u.type is LI"),
    "n in 6": ("T307", "numbers are a range: 1 .. 6"),
    "some x in s where x.moved > 0": ("T307", "write 'x in Unit where x.side is s'"),
    "u.type is LI or HI": ("T306", "each side is a condition of its own: write 'x in { a, b }'"),
    "count(Unit) > 2": ("P101", "write 'count x in S where c', or size(S)"),
    "(count LI in Unit) > 2": ("R104", "write 'x in Unit where x.type is LI'"),
    "(count foot in u.type.foes) > 2": ("R104", "write 'x in … where x is foot'"),
    "max(x.blocks for x in Unit) > 2": ("P101", "write 'most e for x in S'"),
    "n > sum(Unit)": ("R201", "write 'sum e for x in S'"),
    "Unit.filter(n) is {}": ("P101", "write 'all x in S where c'"),
    "some x in Unit with x.moved > 0": ("P101", "did you mean 'where'?"),
    "Unit at h is none": ("P101", "between two values stands an operator"),
    "n between 1 and 6": ("P108", "write 'n in 1 .. 6'"),
    "u.type in [LI, HI]": ("P108", "a set is written with braces: { a, b }"),
    "(u.hex ?? h) is h": ("P108", "write 'a otherwise b'"),
    "u?.moved > 0": ("P108", "what is read of none does no harm"),
    "n ** 2 > 4": ("P108", "there are no powers"),
}
STEPS = {
    "set u.facing = north": ("R202 R201", "the members of Direction are east, southeast"),
    "set u.hex = nowhere": ("R201", "did you mean 'none'?"),
    "set u = h": ("T301", "did you mean 'u.hex'?"),
    "put u on h": ("T301", "a piece is moved with 'set u.hex = h'"),
    "roll 2 d6 as r  let x = r[1]": ("T301", "write face(r) for the first die"),
    "roll 2 battle as r  set u.blocks = count hit in r": ("R104", "write tally(r, hit)"),
    "roll 2 battle as r  let x = r.hit": ("R202", "write tally(r, f)"),
    "move u to h": ("P108", "a piece is moved with 'set u.hex = h'"),
    "end game": ("P108", "the game with 'win by'"),
    "remove u": ("P101", "a piece leaves the board with 'set u.hex = none'"),
    "repeat while u.moved > 0 { stop }": ("P101", "a loop is 'repeat { if … { stop } … }'"),
    "u.rest()": ("P108", "a procedure is run with 'do rest(…)'"),
    "create LI as x { side: top, hex: A1 }": ("R201", "name the kind; what the piece is"),
    "roll 1 d6 as r  let x = losses[r, foot]": ("T301", "write face(r) for what a die shows"),
    "roll 1 d6 as r  take r from u.blocks": ("T301", "'sum x for x in r' for all dice"),
    "if u.moved > 0 { leave } elseif u.moved < 0 { leave }": ("P108", "write 'else if'"),
    "let x = 2d6": ("P101", "write 'roll 2 d6 as r', then use r"),
}
DECLARATIONS = {
    "piece Cart { load: float = 1 }": ("R203", "numbers are whole: 'int', or a measure"),
    "piece Cart { owner: Player? }": ("R203", "did you mean 'Side'?"),
    "fields of Unit { rank: int = 1 }": ("R203", "its fields stand in 'piece Unit { … }'"),
    "piece Cart { load: 4 }": ("P101", "write 'load: int = 4'"),
    "piece Cart { int load }": ("P101", "write 'load: int'"),
    "piece Cart { load: int per Side = 1 }": ("P101", "write 'x per Side: int'"),
    "piece Cart { loads: list of Unit }": ("P101", "write 'set of Unit'"),
    "piece Cart { rider: Unit or none }": ("P101", "ends with '?'"),
    "piece Cart { function f(): int = 3 }": ("P101", "close the block with '}' before it"),
    "quantity pace(u: Unit): int = 3": ("P101", "write 'quantity q(…): int { rule r = … }'"),
    "permission may(u: Unit) allow { deny when u.moved > 0 }": ("P101", "write 'deny name when …'"),
    "permission may(u: Unit) allow { deny a if u.moved > 0 }": ("P101", "is 'when c'"),
    "permission may(u: Unit) allow { deny a unless u.moved > 0 }": ("P101", "write 'when not (…)'"),
    "quantity q(u: Unit): int { stage all rule a = 1 modify b stage all by +1 }": (
        "P101",
        "remove it",
    ),
    "die coin of Face { hit, miss }": ("P101", "write 'hit 1'; without braces"),
    "function f(): int { 3 }": ("P101", "write 'return 3'"),
    "table t of Type {\n  | type | rank |\n}": ("P101", "named by 'columns a: int, b: bool'"),
    "table t of Arm {\n  columns rank: int\n  |---|---|\n  | foot | 1 |\n  | mounted | 2 |\n}\n"
    "function f(a: Arm): int = a.rank": ("F402", "no line between head and rows"),
    "matrix m of 1 .. 6 by Arm: int {\n  | | foot | mounted |\n  | 1-3 | 1 | 2 |\n"
    "  | 4 .. 6 | 1 | 2 |\n}\nfunction f(a: Arm): int = m[1, a]": ("F402", "write 1 .. 3"),
    "quantity q(u: Unit): int { rule a = 1 rule b = 2 when u.moved > 0 except a }": (
        "P101",
        "write 'rule r except a = 2 when c'",
    ),
}
CELLS = {
    "": ("int", "give a value, or make the column int?"),
    "n/a": ("int", "a whole number"),
    "none": ("int?", "write — for nothing"),
    "1/2": ("int", "in a smaller unit, such as halves"),
    "x": ("bool", "write yes"),
    "TRUE": ("bool", "write yes"),
    "off": ("bool", "write no"),
    "foot/mounted": ("set of Arm", "write foot mounted"),
    "—*": ("Arm", "what is printed there is the text of a member"),
}
BOARDS = {
    "layout square; rows 3; columns 3;": "hexes in rows are odd_r or even_r, in columns odd_q",
    "width 3; rows 3;": "did you mean 'columns'?",
    "size 3; rows 3; columns 3;": "possible: layout, rows, columns",
    "distance hexes; rows 3; columns 3;": "write distance grid;",
}


def told(tmp_path: Path, text: str, codes: str, remedy: str) -> None:
    """Findings of these codes, and no others; the last one says the remedy, in every language."""
    write(text, tmp_path / "corpus", "case.grog")
    found = [d for d in compile_folder(tmp_path / "corpus").diagnostics if d.code[:2] != "L8"]
    assert [d.code for d in found] == codes.split(), [(d.message, d.remedy) for d in found]
    assert remedy in found[-1].remedy
    assert lacking(*(part for d in found for part in (d.message, d.remedy))) == []


@pytest.mark.parametrize("value", VALUES)
def test_a_value(tmp_path: Path, value: str) -> None:
    head = "function f(u: Unit, s: Side, h: Hex, n: int): bool"
    told(tmp_path, f"{MORE}{head} = {value}\n", *VALUES[value])


@pytest.mark.parametrize("step", STEPS)
def test_a_step(tmp_path: Path, step: str) -> None:
    told(tmp_path, f"{MORE}procedure p(u: Unit, h: Hex) {{\n  {step}\n}}\n", *STEPS[step])


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_a_declaration(tmp_path: Path, declaration: str) -> None:
    told(tmp_path, f"{MORE}{declaration}\n", *DECLARATIONS[declaration])


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell(tmp_path: Path, cell: str) -> None:
    type_, remedy = CELLS[cell]
    good = {"int": "1", "int?": "1", "bool": "no", "set of Arm": "foot", "Arm": "foot"}[type_]
    rows = f"| LI | {cell} |\n  | HI | {good} |\n  | HC | {good} |"
    table = f"table t of Type {{\n  columns value: {type_}\n  {rows}\n}}\n"
    told(
        tmp_path, f"{MORE}{table}function f(t: Type): bool = t.value is LI.value\n", "F404", remedy
    )


def test_a_column_of_marks(tmp_path: Path) -> None:
    rows = "| LI | x |\n  | HI | TRUE |\n  | HC | |"
    table = f"table t of Type {{\n  columns light: bool\n  {rows}\n}}\n"
    told(tmp_path, f"{MORE}{table}function f(t: Type): bool = t.light\n", "F404", "write yes or no")


@pytest.mark.parametrize("settings", BOARDS)
def test_a_board(tmp_path: Path, settings: str) -> None:
    head = "ruleset corpus\nsides top, bottom\nprocedure play() { tie }\n"
    told(tmp_path, f"{head}board b {{ {settings} }}\n", "F405", BOARDS[settings])


def test_directions_are_named_where_none_is_declared(tmp_path: Path) -> None:
    text = "# preamble\nprocedure p(u: Unit) { set u.moved = east }\n"
    told(tmp_path, text, "R201", "the members of Direction are east, southeast")
