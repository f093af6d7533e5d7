"""What stands around a question: where the game is, what is worth showing, what has happened."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

from grognard.explain.forecasts import Prospect
from grognard.table.content import Odds
from grognard.table.table import Table
from runtime.spelling import natural

DICE = """\
die d6 of 1 .. 6
fields of Side { won: int = 0 }
function score(s: Side): int = s.won
procedure duels(s: Side) {
  offer by s prompt duel {
    duel(u in Unit where u.side is s and u.hex is not none, v in Unit where v.side is not s and v.hex is not none) {
      roll 1 d6 as r
      if face(r) > 4 { set v.hex = none add 1 to s.won }
      choose n in 0 .. 1 by v.side prompt answer pass none_of_it
    }
    wait { note pitches(s, 1) }
    pass peace
  }
}
"""
RULESET = """\
ruleset hills
sides red, blue
enum Sky { bright, rain }
enum Type { foot, horse }
table types of Type {
  columns pace: int
  | foot  | 1 |
  | horse | 3 |
}
board field { layout odd_r; rows 3; columns 5; letters up; }
scope turn checkpoint
piece Unit {
  type: Type fixed setup
  side: Side fixed setup
  hex: Hex place alone setup
  moved: bool = false lasts turn
  scratch: int = 7
}
fields of Side { camps: int = 2   trail: set of Hex = {} }
fields of Sky { days: int = 0 }
fields of Game { round: int = 1   sky: Sky = bright   counted: int = 5 }
function losses(s: Side): int = count u in Unit where u.side is s and u.hex is none
function tired(u: Unit): bool = u.moved
function mud(): bool = sky is rain
procedure play() {
  repeat 4 times {
    each s in Side { do turn_of(s) }
    expire turn
    add 1 to round
    add 1 to sky.days
  }
}
procedure turn_of(s: Side) {
  step march { do marches(s) }
  step camp {
    offer once by s prompt camp {
      pitch { add 1 to s.camps note pitches(s, s.camps) }
      pass rest
    }
  }
}
procedure marches(s: Side) {
  offer by s prompt march {
    march(u in Unit where u.side is s and u.hex is not none and not u.moved) {
      choose h in neighbors(u.hex) where Unit[h] is none by s prompt march_to(u) else { leave }
      set u.hex = h
      set u.moved = true
      add { h } to s.trail
      note marches(u, h)
    }
    pass enough
  }
}
"""
STYLE = """\
panel: [camps, losses, mud, sky]
header: [round, sky, Sky.days]
about:
  Unit: [type.pace, tired]
"""
TEXTS = """\
title: Hills
step.turn_of.march: The march
step.turn_of.camp: The camp
field.round: Round
value.losses: lost
value.mud: muddy
value.Type.pace: hexes
value.tired: is tired
note.pitches: "{0} has {1: 1 one camp | 2-4 # camps | many camps (#)}"
note.marches: "{0} marches to {1}"
"""
SCENARIO = """\
ruleset: hills
title: Two hills
board: {rows: 3, columns: 5, names: {A1: Ford}}
pieces:
  Unit:
    - {side: red, type: foot, hex: A2, name: Ant}
    - {side: red, type: horse, hex: A4, name: Bee}
    - {side: blue, type: horse, hex: C3, name: Cat}
"""


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path, text in (
        ("rulesets/hills/rules.grog", RULESET),
        ("rulesets/hills/style.yaml", STYLE),
        ("rulesets/hills/texts/en.yaml", TEXTS),
        ("scenarios/hills/two.yaml", SCENARIO),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        return run("play", "two", "--seed", "1", *arguments)

    return play


def test_what_has_a_text_as_a_value_is_used(hills: Path, run: Callable[..., Ran]) -> None:
    checked = run("check", "hills").all
    assert "'losses'" not in checked and "'tired'" not in checked and "error" not in checked
    (hills / "rulesets/hills/texts/en.yaml").write_text("value.nobody: nobody\n", encoding="utf-8")
    assert "'losses'" not in run("check", "hills").all  # the style shows it
    (hills / "rulesets/hills/style.yaml").unlink()
    checked = run("check", "hills").all
    assert "function 'losses' is declared and never used" in checked and "C702" in checked


def test_where_a_question_stands(hills: Path, play: Callable[..., Ran]) -> None:
    done = play(["enough"])
    first, second = done.out.split("red: enough")
    assert "Round 1 · bright\n[The march] › The camp\n" in first
    assert "The march › [The camp]\n" in second


def test_only_what_is_named_stands_in_the_panel(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play([]).out
    rows = {" ".join(line.split()[-3:]) for line in shown.splitlines()}
    assert {"camps 2 2", "lost 0 0"} <= rows
    assert "muddy: no" in shown and "sky: bright" in shown
    assert "counted" not in shown and "trail" not in shown


def test_what_comes_and_who_is_off_the_board(hills: Path, play: Callable[..., Ran]) -> None:
    rules = hills / "rulesets/hills/rules.grog"
    table = "table skies of Sky { columns chill: int, wet: bool\n| bright | 0 | no |\n| rain | 4 | yes |\n}\n"
    rules.write_text(f"{RULESET}{table}", encoding="utf-8")
    style = "panel: [camps, track, tray]\ntray: camp\ntrack: {sky: {show: [chill, wet, days], ahead: 1}}\n"
    (hills / "rulesets/hills/style.yaml").write_text(style, encoding="utf-8")
    dead = SCENARIO.replace("hex: C3", "hex: none")
    (hills / "scenarios/hills/two.yaml").write_text(dead, encoding="utf-8")
    lines = ["enough", "rest", "rest", "board"]
    first, _, last = (part for part in play(lines).out.partition("red: rest"))
    told = [line.split("   ")[-1] for line in first.splitlines()]
    assert {"bright", "rain: chill 4 · wet", "blue: camp: Cat"} <= {line.strip() for line in told}
    assert "bright: days 1" in last


def test_without_a_style_sets_are_not_shown(hills: Path, play: Callable[..., Ran]) -> None:
    (hills / "rulesets/hills/style.yaml").unlink()
    shown = play(["march ant", "B2", "enough"]).out
    assert "camps" in shown and "counted: 5" in shown and "trail" not in shown


def test_what_is_told_of_a_piece(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["look bee", "march ant", "B2", "look ant"]).out
    bee, ant = shown.split("Ant: foot at B2")
    assert "Bee: horse at A4\n  hexes: 3\n  is tired: no\n" in bee
    assert "  hexes: 1\n  is tired: yes\n" in ant and "scratch" not in shown


def test_a_question_tells_of_the_hex_that_it_names(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["? Ford"]).out
    assert "A1 Ford" in shown and "cannot be chosen" not in shown


def test_a_question_tells_of_the_piece_that_many_options_name(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("? Kevan\n"))
    record = tmp_path / "g.record"
    shown = run(
        "play", "battles_of_westeros/learning_battle", "--seed", "9", "--record", record
    ).out
    assert (
        "Kevan: Lannister guards 4 at G5\n  figures: 4" in shown
        and "'Kevan' could mean: token" in shown
    )


def test_forms_for_numbers(hills: Path, play: Callable[..., Ran]) -> None:
    lines = ["enough", "pitch", "enough", "rest"] * 3
    shown = play(lines).out
    assert (
        "red has 3 camps" in shown
        and "red has 4 camps" in shown
        and "red has many camps (5)" in shown
    )


def test_the_log_is_folded_by_turn(hills: Path, play: Callable[..., Ran]) -> None:
    lines = ["enough", "pitch", "enough", "rest"] * 2
    shown = play([*lines, "log", "log turn 1", "log all", "log turn 9", "log what", "log 1"]).out
    tail = shown.split("· red has 4 camps")
    assert "there are turns 1 to 3" in shown and "write 'log', 'log 30'" in shown
    assert tail[-1].count("red has") == 0  # 'log 1' is the last line
    # told when it happened, by 'log turn 1' and by 'log all'; 'log' is of the last two turns
    assert (
        shown.count("red has 3 camps") == 3 and "(1 line before; 'log all', 'log turn 1')" in shown
    )


def test_what_is_a_name_is_no_number(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["march ant", "Ford"]).out
    assert "red: march_to A1" in shown and "· Ant marches to A1 Ford" in shown
    shown = play(["ant", "C3", "7"]).out
    assert (
        "'C3' is not among the options" in shown
        and "there is no option 7; they are numbered 1 to" in shown
    )


def test_options_keep_their_numbers(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["1", "B2", "2"]).out
    assert "1 Ant foot at A2    2 Bee horse at A4" in shown
    assert "red: march Bee" in shown and "  2 Bee horse at A4\n" in shown


def test_options_keep_their_numbers_in_lines_of_several_answers(
    hills: Path, play: Callable[..., Ran]
) -> None:
    shown = play(["1 B2", "1 B4", "2 B4"]).out
    assert "1 (march Ant) is offered no more" in shown
    assert "red: march Bee" in shown and "· Bee marches to B4" in shown


def test_a_piece_by_what_its_counter_says(hills: Path, play: Callable[..., Ran]) -> None:
    (hills / "rulesets/hills/style.yaml").write_text(
        STYLE + "pieces: {Unit: {cases: [{when: {type: horse}, label: '9'}], label: F T}}\n",
        encoding="utf-8",
    )
    shown = play(["FT B2", "9 B4"]).out
    assert "· Ant marches to B2" in shown and "· Bee marches to B4" in shown
    assert "· Ant marches to B2" in play(["f t A2 B2"]).out


def test_a_number_that_also_stands_on_a_counter_means_the_piece_that_can_do_the_rest(
    hills: Path, play: Callable[..., Ran]
) -> None:
    (hills / "rulesets/hills/style.yaml").write_text(
        STYLE + "pieces: {Unit: {cases: [{when: {type: horse}, label: '1'}], label: FT}}\n",
        encoding="utf-8",
    )
    shown = play(["1 B2, 1 B4, enough"]).out
    assert "· Ant marches to B2" in shown and "· Bee marches to B4" in shown
    scenario = next(hills.rglob("two.yaml"))
    scenario.write_text(scenario.read_text(encoding="utf-8").replace("A4", "A3"), encoding="utf-8")
    shown = play(["1 B2", "look ant", "look bee"]).out
    assert "'1' could mean: march Ant (its number here), march Bee (its counter)" in shown
    assert "Ant: foot at A2" in shown and "Bee: horse at A3" in shown


def test_whole_moves_in_one_line(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["ant B2, bee A4 B4, enough"]).out
    assert "· Ant marches to B2\n" in shown and "· Bee marches to B4\n" in shown
    assert "The march › [The camp]" in shown
    lines = [line for line in shown.splitlines() if line.startswith("red: ")]
    # when all have marched there is nothing left to pass: 'enough' says so all the same
    assert lines[1:5] == [
        "red: march Ant",
        "red: march_to B2",
        "red: march Bee",
        "red: march_to B4",
    ]


def test_a_line_is_taken_whole_or_not_at_all(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["ant B2, bee C1", "look ant"]).out
    assert "after 'march Bee'" in shown and "'C1' is not among the options" in shown
    assert "Ant: foot at A2" in shown and "marches" not in shown


def test_a_line_is_taken_back_at_once(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["ant B2, bee B4", "undo", "look ant", "look bee"]).out
    assert "taken back" in shown and "Ant: foot at A2" in shown and "Bee: horse at A4" in shown


def test_nothing_follows_what_another_side_decides(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["enough, rest, enough", "look ant"]).out
    assert "behind 'rest' comes what cannot be taken back" in shown
    assert "[The march] › The camp" in shown.split("behind 'rest'")[0] and "[The camp]" not in shown


def test_an_empty_line_of_orders(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play([" , ;", "!", "ant B2", "undo", "look ant"]).out
    assert (
        "this line names nothing" in shown and "taken back" in shown and "Ant: foot at A2" in shown
    )


def test_all_of_what(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["all"]).out
    assert "not all can be taken: 'march Bee' is not possible after the others" in shown


def test_all_of_one_kind(hills: Path, play: Callable[..., Ran]) -> None:
    rules = RULESET.replace(
        """    march(u in""",
        """    pitch_all(u in Unit where u.side is s and u.hex is not none and u.scratch is 7) {
      set u.scratch = 8
    }
    march(u in""",
    )
    (hills / "rulesets/hills/rules.grog").write_text(rules, encoding="utf-8")
    shown = play(["all", "all w", "all pitch", "options"]).out
    assert shown.count("all of what? There is: pitch all, march") == 2
    assert "red: pitch_all Ant\nred: pitch_all Bee" in shown


def test_why_not_in_a_players_words(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["? cat", "? ant", "?? ant", "?"]).out
    assert "march Cat: of the other side" in shown
    assert "Ant: foot at A2" in shown and "now: march Ant" in shown
    assert shown.count("written in hills/rules.grog") == 1  # only on ??
    assert "march?\n" in shown
    shown = play(["ant B2", "why cat", "? why ant"]).out
    assert "march Cat: of the other side" in shown and "march Ant: moved: yes" in shown


def test_why_not_within_a_line(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["? ant a4"]).out
    assert (
        "after 'march Ant':\nA4\n  Bee: horse at A4\n" in shown
        and "a4: not one of the choices here" in shown
    )


def test_a_hex_is_refused_for_what_bars_the_direct_way(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("? 16th-army 1304\n? 4th-army 1406\n"))
    shown = run("play", "no_retreat/barbarossa_1941", "--seed", "3").out
    assert "to 1304: from one enemy zone straight into another [NR-8.5.3.1]" in shown
    assert "to 1406: needs 9 points, has 3 [" in shown


def test_pieces_that_a_set_up_numbers_may_be_worded(hills: Path, play: Callable[..., Ran]) -> None:
    scenario = SCENARIO.replace("hex: A2, name: Ant}", "hex: A2}").replace(
        "hex: A4, name: Bee}", "hex: A4}"
    )
    (hills / "scenarios/hills/two.yaml").write_text(scenario, encoding="utf-8")
    (hills / "rulesets/hills/texts/en.yaml").write_text(
        TEXTS + 'Type.foot/name: "{0: 1 #st | #th} Foot"\n', encoding="utf-8"
    )
    shown = play(["1st foot B2"]).out
    assert "1st Foot" in shown and "1st Foot marches to B2" in shown and "horse1" in shown


def test_odds_of_a_choice(hills: Path, play: Callable[..., Ran]) -> None:
    rules = RULESET.replace("step camp {", "step camp {\n    do duels(s)") + DICE
    (hills / "rulesets/hills/rules.grog").write_text(rules, encoding="utf-8")
    shown = play(
        [
            "odds ant B2",
            "enough",
            "odds duel ant cat",
            "odds wait",
            "odds",
            "odds nothing",
            "look cat",
        ]
    ).out
    assert (
        "played out: march Ant, march to B2: no chance in it" in shown
        and "Ant: stands elsewhere always" in shown
    )
    found = re.search(r"Cat: leaves the board (\d+)% \((\d+)–(\d+)\)", shown)
    assert found is not None and int(found[2]) <= 33 <= int(found[3])  # two faces of six
    assert (
        re.search(r"red: points \+1 \d+%", shown)
        and "played out: wait: nothing changes on the board, as long as" in shown
    )
    assert "'nothing' is not among the options" in shown
    assert "Cat: horse at C3" in shown and "red: duel Ant" not in shown  # nothing was played


def test_numbers_of_members_stand_above_questions(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["enough", "rest", "enough", "rest"]).out
    assert "Round 1 · bright\n" in shown and "Round 2 · bright · days: bright 1\n" in shown


def test_what_has_a_text_of_its_own_is_told(hills: Path, play: Callable[..., Ran]) -> None:
    texts = TEXTS + "Sky.rain: Heavy rain\nSky.rain.text: Nobody marches in it.\n"
    (hills / "rulesets/hills/texts/en.yaml").write_text(texts, encoding="utf-8")
    shown = play(["look heavy", "? heavy rain", "look snow"]).out
    assert shown.count("Heavy rain: Nobody marches in it.") == 2
    assert "there is no piece, hex or card 'snow'" in shown


def test_hint_and_teaching(hills: Path, play: Callable[..., Ran]) -> None:
    texts = TEXTS + 'help.march: "Each unit marches once."\n'
    (hills / "rulesets/hills/texts/en.yaml").write_text(texts, encoding="utf-8")
    shown = play(["hint", "ant B2", "?"], "--teach").out
    assert "a bot would choose: " in shown and "the next" not in shown  # it has nothing to go by
    # when it comes up first, and where it is asked for
    assert shown.count("Each unit marches once.") == 2


def test_a_hint_says_why(hills: Path, play: Callable[..., Ran]) -> None:
    rules = (
        RULESET
        + """\
quantity standing(s: Side): int { stage score }
rule level for standing = 0
modify camps_pitched for standing stage score by 10 * s.camps
modify hexes_seen for standing stage score by size(s.trail) - 2 * s.camps
"""
    )
    (hills / "rulesets/hills/rules.grog").write_text(rules, encoding="utf-8")
    (hills / "rulesets/hills/texts/en.yaml").write_text(
        TEXTS + "worth.camps_pitched: camps\n", encoding="utf-8"
    )
    shown = " ".join(play(["enough", "hint", "expect", "rest"]).out.split())
    assert re.search(
        r"a bot would choose: pitch of \d+ tries of how it may go on \d+ begin with it, rated \d+%; "
        r"with 'rest', the next, \d+, rated \d+%; for it: camps \+\d+\.\d; "
        r"against it: hexes seen -\d+\.\d",
        shown,
    )
    assert "no bot here looks ahead so far that it expects anything: novice, regular" in shown
    # nothing is secret here: it says, too, what it expects to come
    shown = " ".join(play(["enough", "pitch", "expect"], "--bot", "blue=novice").out.split())
    assert re.search(
        r"stands ahead in \d+% of its \d+ tries of how it may go on expected to", shown
    )


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ("panel: [camp]", "unknown field, pile or call 'camp' in panel"),
        ("panel: camps", "text 'camps' in panel: expected a list"),
        ("header: [losses]", "unknown field or call of Game 'losses' in header"),
        (
            "about: {Unit: [type.gait]}",
            "unknown field, column or call of Unit 'type.gait' in about.Unit",
        ),
        ("about: {Wagon: []}", "unknown kind of piece 'Wagon' in about"),
        ("about: [Unit]", "a list in about: expected a mapping"),
    ],
)
def test_slips_of_a_style(hills: Path, play: Callable[..., Ran], style: str, message: str) -> None:
    (hills / "rulesets/hills/style.yaml").write_text(style + "\n", encoding="utf-8")
    shown = play([]).out
    assert message in shown


def test_options_are_sorted(
    hills: Path, play: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    def odds(self: Table, side: int) -> Odds:
        return Odds({"march Bee": Prospect("odd", 1.0)}, True)

    monkeypatch.setattr(Table, "odds", odds)
    shown = play(["options odds", "options name", "options size"]).out
    assert "2 Bee horse at A4 (odd)   1 Ant foot at A2" in shown.replace("    ", "   ")
    assert "options are sorted by 'options name' or 'options odds'" in shown
    names = ["2nd", "10th", "1st", "Ant"]
    assert sorted(names, key=natural) == ["1st", "2nd", "10th", "Ant"]


def test_done_passes_whatever_it_is_called(hills: Path, play: Callable[..., Ran]) -> None:
    shown = play(["ant B2, done", "done"]).out
    assert "· Ant marches to B2\n" in shown and "red: rest\n" in shown


def test_a_pair_is_named_by_pieces_and_hexes(hills: Path, play: Callable[..., Ran]) -> None:
    rules = RULESET.replace("step camp {", "step camp {\n    do duels(s)") + DICE
    (hills / "rulesets/hills/rules.grog").write_text(rules, encoding="utf-8")
    shown = play(["enough", "A2 cat"]).out
    assert re.search(r"Ant foot at A2, Cat (foot|horse) at \w\d", shown)
    assert "red: duel Ant Cat\n" in shown


def test_pairs_stand_below_what_they_have_first(hills: Path, play: Callable[..., Ran]) -> None:
    rules = RULESET.replace(
        """    march(u in Unit where u.side is s and u.hex is not none and not u.moved) {
      choose h in neighbors(u.hex) where Unit[h] is none by s prompt march_to(u) else { leave }
""",
        """    march(u in Unit where u.side is s and u.hex is not none and not u.moved,
          h in neighbors(u.hex) where Unit[h] is none) {
""",
    )
    assert rules != RULESET
    (hills / "rulesets/hills/rules.grog").write_text(rules, encoding="utf-8")
    shown = play(["march bee b4", "options"]).out
    ant, bee = shown.index("\n  Ant foot at A2\n"), shown.index("\n  Bee horse at A4\n")
    assert ant < shown.index("A1 Ford") < bee and "Ant foot at A2, " not in shown
    assert "red: march Bee B4\n" in shown and "· Bee marches to B4" in shown
