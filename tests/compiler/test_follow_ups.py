"""A mistake is told once, where it was made, and not buried under what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from project import ROOT

from compiler.ruleset import Ruleset
from dsl.diagnostics import Diagnostic

GAME = (ROOT / "tests" / "rulesets" / "skirmish" / "skirmish.grog").read_text(encoding="utf-8")


def errors_after(old: str, new: str) -> list[Diagnostic]:
    """The errors of No Retreat! with the first *old* of its combat rules changed."""
    folder = ROOT / "rulesets" / "no_retreat"
    sources = Ruleset(folder).sources
    (shown,) = (name for name in sources if name.endswith("no_retreat/combat.grog"))
    assert old in sources[shown].text
    overlay = {shown: sources[shown].text.replace(old, new, 1)}
    return [d for d in Ruleset(folder, overlay=overlay).diagnostics if d.is_error]


def test_a_brace_left_out_is_one_finding() -> None:
    assert [d.code for d in errors_after("\n}\n", "\n")] == ["P103"]


def test_a_wrong_name_alone_is_still_found() -> None:
    (error,) = errors_after("h in targets", "h in targetz")
    assert error.code == "R201"
    assert "targetz" in error.message


def found_in(tmp_path: Path, text: str) -> list[Diagnostic]:
    """What is said of a ruleset of one file."""
    write(text, tmp_path / "skirmish", "skirmish.grog")
    return compile_folder(tmp_path / "skirmish").diagnostics


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("piece Piece {", "ipece Piece {"),
        ("lasts turn", "matrix turn"),
        ("place alone", "place alnoe"),
        ("side: Side", "side Side"),
        ("fields of Side", "fields fo Side"),
        ("table sorts of Sort", "table sorts fo Sort"),
        ("measure Dice, Hexes", "measure ,Dice Hexes"),
        ("sides ", "sdies "),
        ("board ", "borad "),
        ("procedure play()", "procedrue play()"),
        ("procedure play()", "procedure play("),
        ("effect ", "efefct "),
        ("deck ", "dekc "),
        ("quantity dice(", "quantiyt dice("),
        ("enum Card {", "enum Card "),
    ],
)
def test_nothing_is_said_of_what_could_not_be_read(tmp_path: Path, old: str, new: str) -> None:
    if old not in GAME:
        pytest.skip("the game has no such declaration")
    assert [d.code[0] for d in found_in(tmp_path, GAME.replace(old, new, 1))] == ["P"]


def test_other_mistakes_are_still_found_beside_one_of_syntax(tmp_path: Path) -> None:
    text = GAME.replace("piece Piece {", "ipece Piece {", 1) + "\nfunction remote(): bool = neer\n"
    first, second = found_in(tmp_path, text)
    assert first.code.startswith("P")
    assert (second.code, second.message) == ("R201", "unknown name 'neer'")


def test_a_reserved_word_as_a_name_is_reported_where_it_is_declared_alone(tmp_path: Path) -> None:
    text = (
        GAME
        + "\nfields of Game { count: int = 0 }\nfunction a(): int = count + 1\nfunction b(): bool = 3 > count\n"
    )
    (finding,) = found_in(tmp_path, text)
    assert (finding.code, finding.message) == (
        "P107",
        "'count' is a reserved word and cannot be a name",
    )
    assert text[finding.span.start - 2 : finding.span.end] == "{ count"


def test_syntax_comes_first(tmp_path: Path) -> None:
    text = "enum A { a, a }\n" + GAME + "\nfunction remote(): bool = = 1\n"
    assert [d.code[0] for d in found_in(tmp_path, text)] == ["P", "R"]


def test_the_places_of_a_misspelt_declaration_are_pointed_at(tmp_path: Path) -> None:
    (finding,) = found_in(tmp_path, GAME.replace("piece Piece {", "piece Picee {", 1))
    assert finding.message.startswith("'Picee' is used nowhere; ")
    assert finding.message.endswith(" places write 'Piece'")
    assert (
        GAME.replace("piece Piece {", "piece Picee {", 1)[finding.span.start : finding.span.end]
        == "Picee"
    )
    assert [label.text.split(",")[0] for label in finding.labels] == ["here", "here", "here"]
    assert finding.labels[-1].text.endswith("more places")


def test_a_base_that_is_not_found_is_the_only_finding(tmp_path: Path) -> None:
    write(
        "ruleset night extends skirmihs\nextend enum Card { three }\nfunction f(c: Card): bool = c is one\n",
        tmp_path / "night",
        "night.grog",
    )
    write(GAME, tmp_path / "skirmish", "skirmish.grog")
    (finding,) = compile_folder(tmp_path / "night").diagnostics
    assert finding.code == "R101"


def test_a_broken_extension_of_a_table_lacks_no_rows(tmp_path: Path) -> None:
    write(GAME.replace("ruleset skirmish", "ruleset base", 1), tmp_path / "base", "base.grog")
    wrong = "ruleset more extends base\nextend enum Sort { rider }\nextend table sorts { | rider | 2 | 3 | 2 | }\n"
    write(wrong, tmp_path / "more", "more.grog")
    assert [d.code for d in compile_folder(tmp_path / "more").diagnostics] == ["P103"]


def test_one_wrong_member_in_many_cells_is_one_finding(tmp_path: Path) -> None:
    text = GAME.replace(
        "columns copies: int, orders: int", "columns copies: int, orders: int, mode: Mode"
    )
    for row in ("| one   | 6 | 1 |", "| two   | 5 | 2 |", "| parry | 3 | 1 |"):
        text = text.replace(row, f"{row} blow |")
    (found,) = (d for d in found_in(tmp_path, text) if d.is_error)
    assert (found.code, len(found.labels)) == ("F404", 2)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("rows 5;", "rws 5;", "F405"),
        ("  | scout | 2 | 2 | 2 |", "  || scout | 2 | 2 | 2 |", "F403"),
        ("  | scout | 2 | 2 | 2 |", "  | scout | 2 | 2 |", "F403"),
        ("  | 2..3 | 1 | 2 |", "  | 2..33 | 1 | 2 |", "F402"),
        ("  |   | strike | reply |", "  |   | strkie | reply |", "F402"),
    ],
)
def test_what_is_missing_for_a_slip_is_not_told_beside_it(
    tmp_path: Path, old: str, new: str, code: str
) -> None:
    matrix = "matrix hurt of 1 .. 3 by Mode: int {\n  |   | strike | reply |\n  | 1 | 0 | 1 |\n  | 2..3 | 1 | 2 |\n}\n"
    text = GAME.replace("die fight_die", f"{matrix}die fight_die")
    assert old in text
    assert [d.code for d in found_in(tmp_path, text.replace(old, new, 1)) if d.is_error] == [code]


def test_a_misspelt_declaration_that_one_place_uses_is_pointed_at(tmp_path: Path) -> None:
    text = f"{GAME}\nfunction reemote(): bool = true\nfunction uses(): bool = remote()\n"
    (found,) = (d for d in found_in(tmp_path, text) if d.is_error)
    assert [label.text for label in found.labels] == ["declared here, and used nowhere"]


def test_prompts_and_columns_of_what_could_not_be_read_are_not_missed(tmp_path: Path) -> None:
    rules = """
procedure act(s: Side)
  offer once by s prompt deed { strike { tie } pass hold }
}
forecast swipe() of deed.strike { observe sure() }
"""
    found = found_in(tmp_path, GAME + rules)
    assert [d.code for d in found if d.is_error] == ["P101"]
    table = """
enum Month { may, june }
table calendar of Month {
  | may | no |
}
function cold(m: Month): bool = m.winter
"""
    found = found_in(tmp_path, GAME + table)
    assert [d.code for d in found if d.is_error] == ["P101"]


def test_what_is_declared_twice_in_one_ruleset_is_nothing_to_replace(tmp_path: Path) -> None:
    (error,) = (d for d in found_in(tmp_path, GAME + "\nprocedure play() { tie }\n") if d.is_error)
    assert error.code == "R104" and "replace" not in error.remedy


def test_a_reason_that_is_not_closed_is_told_at_its_quote(tmp_path: Path) -> None:
    (error,) = (
        d for d in found_in(tmp_path, GAME + '\n@house "our own\nenum Odd { one }\n') if d.is_error
    )
    assert (error.code, error.message) == ("P103", "this text is not closed")


def test_a_board_file_that_is_misspelt_is_asked_for(tmp_path: Path) -> None:
    text = GAME.replace("rows ", "file feild; rows ", 1) if "rows " in GAME else GAME
    (tmp_path / "skirmish" / "boards").mkdir(parents=True)
    (tmp_path / "skirmish" / "boards" / "field.yaml").write_text('rows: [".."]\n', encoding="utf-8")
    assert "did you mean 'field'?" in [
        d.remedy for d in found_in(tmp_path, text) if d.code == "F405"
    ]


def test_calls_of_a_function_of_the_wrong_type_are_not_blamed(tmp_path: Path) -> None:
    rules = """
function awake(p: Piece): int = p.hex is not none
function many(): int = count p in Piece where awake(p)
"""
    (error,) = (d for d in found_in(tmp_path, GAME + rules) if d.is_error)
    assert error.code == "T301" and "awake" in error.message


def test_opponents_of_one_side_are_told_once(tmp_path: Path) -> None:
    rules = """
ruleset lonely
sides only
board b { rows 1; columns 2; }
fields of Side { tired: bool = false }
procedure play() { set opponent(only).tired = true  if opponent(only).tired { set opponent(only).tired = false } }
"""
    (error,) = (d for d in found_in(tmp_path, rules) if d.is_error)
    assert error.code == "T308" and len(error.labels) == 2


def test_what_is_declared_with_a_wrong_type_is_not_shown_as_a_remedy(tmp_path: Path) -> None:
    rules = "\nfunction f(p: Peice, n: int): int = n\nfunction g(p: Piece): int = f(p)\n"
    unknown, arguments = (d for d in found_in(tmp_path, GAME + rules) if d.is_error)
    assert (unknown.code, arguments.code) == ("R203", "T303")
    assert arguments.remedy == "give one argument for each parameter"


def test_a_comma_left_out_says_nothing_of_tables(tmp_path: Path) -> None:
    text = GAME.replace("enum Sort {", "enum Sort { Light", 1)
    assert text != GAME
    assert [(d.code, d.message.split(" ")[0]) for d in found_in(tmp_path, text)] == [
        ("P101", "','")
    ]
