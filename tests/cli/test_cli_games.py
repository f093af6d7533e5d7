"""The commands that play: on the little game that `new` writes."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import Ran

from compiler.ruleset import Ruleset
from grognard import records
from grognard.fronts.cli import native_build
from grognard.opening import open_scenario
from runtime.program import CompiledProgram


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `play` with lines as its input, as from a pipe."""

    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        return run("play", *arguments)

    return play


class TestPlay:
    def test_shows_board_sides_and_options(self, play, desk: Path) -> None:
        done = play([], "first", "--bot", "red=random", "--seed", "1")
        assert done.code == 0
        assert "INF·3" in done.out and "inf·3" in done.out and "for" in done.out
        assert "What do you do?" in done.out and "B.infantry1 3 at B3" in done.out
        assert "INF infantry · CAV cavalry · for forest" in done.out
        assert "\x1b" not in done.out

    def test_a_whole_game(self, play, desk: Path) -> None:
        done = play(
            ["1"] * 200, "first", "--bot", "red=random", "--seed", "1", "--record", "game.record"
        )
        assert done.code == 0 and "recorded in game.record" in done.out
        assert "Winner: " in done.out or "tied." in done.out
        record = (desk / "game.record").read_text(encoding="utf-8")
        assert "players: blue=person, red=random" in record

    def test_by_number_text_and_place(self, play, desk: Path) -> None:
        done = play(["move b3", "c4", "w"], "first", "--bot", "red=random", "--seed", "1")
        assert (
            "blue: move B.infantry1" in done.out
            and "blue: destination C4" in done.out
            and "blue: wait" in done.out
        )
        done = play(["MOVE   B.infantry1", "1"], "first", "--bot", "red=random", "--seed", "1")
        assert "blue: move B.infantry1" in done.out and "blue: destination" in done.out

    def test_unclear_choices(self, play, desk: Path) -> None:
        done = play(["move", "99", "fly", ""], "first", "--bot", "red=random", "--seed", "1")
        assert "'move' could mean: move B.infantry1" in done.out
        assert "there is no option 99; they are numbered 1 to 4" in done.out
        assert "'fly' is not among the options" in done.out

    def test_commands(self, play, desk: Path) -> None:
        lines = [
            "?",
            "help",
            "move b3",
            "undo",
            "undo",
            "board",
            "options",
            "hand",
            "log",
            "log x",
            "save",
            "save s.record",
            "quit",
            "1",
        ]
        done = play(lines, "first", "--bot", "red=random", "--seed", "1")
        assert done.code == 0
        assert done.out.count("Choose by number") == 2
        assert "taken back" in done.out and "cannot be taken back" in done.out
        assert "blue: no cards" in done.out and "nothing has happened yet" in done.out
        assert "write 'save' and the name of a file" in done.out and (desk / "s.record").is_file()
        assert done.out.rstrip().endswith("Good-bye.")

    def test_look(self, play, desk: Path) -> None:
        lines = ["look R.infantry1", "look cavalry", "look c5", "look red-x", "look", "quit"]
        done = play(lines, "first", "--bot", "red=random", "--seed", "1")
        assert (
            "R.infantry1: infantry 3 at F4\n  type: infantry\n  side: red\n  strength: 3\n"
            in done.out
        )
        assert (
            "'cavalry' could mean: B.cavalry1, R.cavalry1" in done.out
            or "could mean: B.cavalry, R.cavalry" in done.out
        )
        assert "C5\n  terrain: forest\n" in done.out
        assert (
            "there is no piece, hex or card 'red-x'" in done.out
            and "write 'look' and the name" in done.out
        )

    def test_look_off_the_board(self, play, desk: Path) -> None:
        scenario = desk / "scenarios/tiny/first.yaml"
        scenario.write_text(
            scenario.read_text(encoding="utf-8").replace("hex: G2", "hex: [G2, none]"),
            encoding="utf-8",
        )
        done = play(["look r.cavalry2"], "first", "--bot", "red=random", "--seed", "1")
        assert "R.cavalry2: cavalry 2 off the board\n" in done.out

    def test_four_people(self, play, run, desk: Path) -> None:
        assert run("new", "quartet", "--sides", "north,east,south,west").code == 0
        assert run("check", "quartet").out == "quartet: no findings\n"
        assert run("fmt", "--check", "rulesets/quartet").code == 0
        done = play(["wait", "wait", "wait", "wait", "quit"], "quartet/first", "--seed", "1")
        for side in ("north", "east", "south", "west"):
            assert f"=== To decide: {side} ===" in done.out
        assert (
            "north: N…  east: E…  south: S…  west: W…" in done.out
            and "Ninf3" in done.out
            and "Wcav2" in done.out
        )
        bots = run(
            "bots",
            "quartet/first",
            "--games",
            "8",
            "--swap",
            "--bots",
            "greedy,random,random,random",
            "--json",
        )
        data = json.loads(bots.out.splitlines()[-1])
        assert [sum(one["ranks"]) for one in data["bots"]] == [8, 8, 8, 8]

    def test_cannot_save(self, play, desk: Path) -> None:
        done = play(["save no/such/place"], "first", "--bot", "red=random", "--seed", "1")
        assert done.code == 0 and "there is no folder 'no/such': not saved" in done.out

    def test_end_of_input_saves(self, play, run, desk: Path) -> None:
        done = play(
            ["move b3", "c4"],
            "first",
            "--bot",
            "red=random",
            "--seed",
            "1",
            "--record",
            "game.record",
        )
        assert done.code == 0 and "grognard play --resume game.record" in done.out
        again = play(["log", "board"], "--resume", "game.record")
        assert again.code == 0 and "What do you do?" in again.out
        first = run("replay", "game.record", "--verify")
        assert first.code == 0 and "unfinished" in first.out

    def test_end_of_input_saves_somewhere(self, play, desk: Path) -> None:
        done = play(["move b3"], "first", "--bot", "red=random", "--seed", "1")
        line = done.out.rstrip().splitlines()[-1]
        assert "grognard play --resume first" in line
        again = play([], "--resume", line.split("--resume ")[1])
        assert again.code == 0 and "Where to?" in again.out

    def test_why_not(self, play, desk: Path) -> None:
        lines = ["?? fire b3", "?? move f4", "move b3", "?? b5", "?? g9", "?? c4", "?? nonsense"]
        done = play(lines, "first", "--bot", "red=random", "--seed", "1")
        assert "fire with B.infantry1: not possible\n  target_of(B.infantry1) is not so" in done.out
        assert (
            "move R.infantry1: not possible\n  does not hold: u.side is s\n    here u.side is red, s is blue\n"
            in done.out
        )
        assert (
            "to G9: not possible" in done.out
            and "goes as far as 1" in done.out
            and "hexes away" in done.out
        )
        assert "to C4\n" in done.out and "written in tiny/ruleset.grog:" in done.out
        assert "'nonsense' cannot be chosen here" in done.out

    def test_why_not_in_a_players_words(self, play, desk: Path) -> None:
        lines = ["? fire b3", "? move f4", "move b3", "? b3", "? g9", "? c4"]
        done = play(lines, "first", "--bot", "red=random", "--seed", "1")
        assert "move R.infantry1: of the other side\n" in done.out
        assert re.search(r"to G9: \d hexes away, goes 1 at most( \[|\n)", done.out), done.out.split(
            "to G9"
        )[1][:80]
        assert "to B3: it stands there" in done.out
        # neither names of functions nor sources
        assert not [
            word
            for word in ("target_of", "u.side", "written in", "goes as far")
            if word in done.out
        ]

    def test_why_not_by_a_permission(self, play, desk: Path) -> None:
        scenario = desk / "scenarios/tiny/first.yaml"
        scenario.write_text(
            scenario.read_text(encoding="utf-8").replace("[B3, B5]", "[B3, B4]"), encoding="utf-8"
        )
        done = play(["move b3", "?? b4", "? b4"], "first", "--bot", "red=random", "--seed", "1")
        assert "refused: occupied  [T-2.2 (Movement, p. 1)]" in done.out
        assert "to B4: somebody stands there [T-2.2]\n" in done.out

    def test_why_a_travel_that_carries_values_does_not_end_there(self, play, desk: Path) -> None:
        rules = desk / "rulesets/tiny/ruleset.grog"
        text = rules.read_text(encoding="utf-8")
        start = text.index("travel march")
        carrying = """travel march(u: Unit) from u.hex within 2 Hexes carrying f: Direction = northeast {
  step a to b when direction(a, b) in { f, turn(f, 1) } and may_enter(u, b) then f = direction(a, b) otherwise f
  end when f is northeast
}
"""
        rules.write_text(
            text[:start] + carrying + text[text.index("}", start) + 2 :], encoding="utf-8"
        )
        done = play(["move b3", "?? c3", "?? b4"], "first", "--bot", "red=random", "--seed", "1")
        assert "no step from B3 to C3 with f northeast:\n" in done.out
        assert (
            "it may not end in B4:\n" in done.out and "does not hold: f is northeast\n" in done.out
        )
        assert "f_2" not in done.out

    def test_two_people(self, play, desk: Path) -> None:
        done = play(["move b3", "c4", "move f4", "e4"], "first", "--seed", "1")
        assert "=== To decide: blue ===" in done.out and "=== To decide: red ===" in done.out

    def test_two_bots(self, play, desk: Path) -> None:
        done = play([], "first", "--bot", "red=random", "--bot", "blue=random", "--seed", "1")
        assert done.code == 0 and ("Winner: " in done.out or "tied." in done.out)

    def test_offers_what_there_is(self, play, desk: Path) -> None:
        done = play(["99", "tiny"], "--seed", "1")
        assert (
            done.code == 0
            and "What would you like to play?" in done.out
            and "tiny/first" in done.out
            and "What do you do?" in done.out
        )
        assert play([]).code == 2

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (["first", "--bot", "red"], "does not say which side"),
            (["first", "--bot", "rde=random"], "did you mean 'red'?"),
            (["first", "--bot", "red=gredy"], "did you mean 'greedy'?"),
            (["first", "--seed", "x"], "is not a seed"),
            (["first", "--record", "no/such/game"], "there is no folder"),
            (["first", "--resume", "nothing"], "there is no file 'nothing'"),
            (["first", "--resume", "scenarios"], "is a folder"),
            (["first", "--resume", "x", "--seed", "1"], "do not go together"),
            (["frist"], "did you mean 'first'?"),
        ],
    )
    def test_misuse(self, play, desk: Path, arguments: list[str], part: str) -> None:
        done = play([], *arguments)
        assert done.code == 2 and part in done.err


@pytest.mark.parametrize(
    ("bots", "least"),
    [
        (["random", "random"], 500),
        (["random", "greedy"], 10),
        (["greedy", "novice"], 2),
    ],
)
def test_a_series_that_is_worth_it_is_built_first(
    bots: list[str], least: int, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[object] = []
    monkeypatch.setenv("GROGNARD_NATIVE", "yes")
    monkeypatch.setattr(native_build, "toolchain", lambda: ["cc"])
    monkeypatch.setattr(Ruleset, "build_natively", lambda *given: built.append(given))
    opened = open_scenario("first")
    native_build.build_for(opened, bots, least - 1)
    assert built == []
    native_build.build_for(opened, bots, least)
    assert len(built) == 1


class TestBots:
    def test_text(self, run, desk: Path) -> None:
        done = run("bots", "first", "--games", "3", "--seed", "1", "--bots", "greedy,random")
        assert done.code == 0 and "First skirmish: 3 games" in done.out
        assert "bot  greedy" in done.out and "side blue" in done.out and "games/s" in done.out

    def test_json(self, run, desk: Path) -> None:
        done = run(
            "bots",
            "first",
            "--games",
            "4",
            "--seed",
            "1",
            "--bots",
            "random,random",
            "--swap",
            "--json",
        )
        data = json.loads(done.out.splitlines()[-1])
        assert (
            data["games"] == 4 and sum(data["wins"]) + data["ties"] == 4 and data["decisions"] > 0
        )
        assert data["decisions_per_second"] > 0 and data["games_per_second"] > 0
        assert {one["name"] for one in data["sides"]} == {"blue", "red"}

    def test_points(self, run, desk: Path) -> None:
        data = json.loads(
            run("bots", "barbarossa_1941", "--games", "3", "--bots", "random,random", "--json").out
        )
        assert [set(one) for one in data["scores"]] == [{"mean", "low", "median", "high"}] * 2
        assert sum(one["mean"] for one in data["scores"]) <= 34
        done = run("bots", "barbarossa_1941", "--games", "1", "--bots", "random,random")
        assert "points of Soviet Union in the end: " in done.out
        assert json.loads(run("bots", "first", "--games", "1", "--json").out)["scores"] is None

    def test_processes_change_nothing(self, run, desk: Path) -> None:
        def games(jobs: int) -> tuple[object, ...]:
            data = json.loads(run("bots", "first", "--games", "6", "--jobs", jobs, "--json").out)
            return data["wins"], data["ties"], data["decisions"]

        assert games(1) == games(2)

    def test_records(self, run, desk: Path) -> None:
        done = run("bots", "first", "--games", "2", "--seed", "5", "--records", "games")
        assert done.code == 0
        files = sorted((desk / "games").iterdir())
        assert [f.name for f in files] == ["first-1.record", "first-2.record"]
        for file in files:
            assert run("replay", file, "--verify").code == 0

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (["first", "--games", "0"], "at least one game"),
            (["first", "--jobs", "-1"], "must not be negative"),
            (["first", "--bots", "random"], "one bot for 2 sides"),
            (["first", "--bots", "random,gredy"], "did you mean 'greedy'?"),
            (["first", "--records", "scenarios/tiny/first.yaml"], "cannot be made"),
            (["second"], "there is no scenario"),
            ([], "required"),
        ],
    )
    def test_misuse(self, run, desk: Path, arguments: list[str], part: str) -> None:
        done = run("bots", *arguments)
        assert done.code == 2 and part in done.err


class TestReplay:
    @pytest.fixture
    def record(self, run, desk: Path) -> Path:
        run("bots", "first", "--games", "1", "--seed", "3", "--records", "games")
        return desk / "games/first-1.record"

    def test_log(self, run, record: Path) -> None:
        done = run("replay", record, "--board")
        assert (
            done.code == 0 and "· " in done.out and "INF" in done.out and "hashes agree" in done.out
        )

    def test_a_changed_action(self, run, record: Path) -> None:
        lines = record.read_text(encoding="utf-8").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("blue: "))
        lines[at] = "blue: fly"
        record.write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = run("replay", record, "--verify")
        assert (
            done.code == 1
            and f"first-1.record:{at + 1}:" in done.err
            and "'fly' is not offered here" in done.err
        )

    def test_a_changed_scenario(self, run, desk: Path, record: Path) -> None:
        scenario = desk / "scenarios/tiny/first.yaml"
        scenario.write_text(
            scenario.read_text(encoding="utf-8").replace("A7", "A8"), encoding="utf-8"
        )
        done = run("replay", record)
        assert done.code == 2 and "has changed since" in done.err

    @pytest.mark.parametrize(
        ("content", "part"),
        [(b"\xff\xfe", "not UTF-8 text"), (b"hello\n", "no record of a game"), (b"", "no record")],
    )
    def test_no_record(self, run, desk: Path, content: bytes, part: str) -> None:
        (desk / "x.record").write_bytes(content)
        done = run("replay", "x.record")
        assert done.code == 2 and part in done.err

    def test_missing(self, run, desk: Path) -> None:
        assert run("replay", "nothing").code == 2
        assert run("replay", "scenarios").code == 2


class TestExplain:
    def test_quantity(self, run, desk: Path) -> None:
        done = run("explain", "first", "fire_dice", "B.infantry1", "R.infantry1")
        assert done.code == 0
        assert done.out.startswith(
            "fire_dice(B.infantry1, R.infantry1) = 2 Dice\n  2 Dice by rule 'printed'  [T-3.2 (Fire, p. 1)]"
        )

    def test_modifier(self, run, desk: Path) -> None:
        scenario = desk / "scenarios/tiny/first.yaml"
        scenario.write_text(
            scenario.read_text(encoding="utf-8").replace("D3, D6, C5", "F4"), encoding="utf-8"
        )
        out = run("explain", "first", "fire_dice", "B3", "F4").out
        assert (
            out.startswith("fire_dice(B.infantry1, R.infantry1) = 1 Dice")
            and "-1 'cover' in stage terrain  [T-3.4" in out
        )

    def test_permission(self, run, desk: Path) -> None:
        done = run("explain", "first", "may_fire", "B.infantry1", "R.infantry1")
        assert (
            done.code == 0
            and "refused: out of range  [T-3.1" in done.out
            and "distance(u.hex, foe.hex) is 4" in done.out
        )
        assert "allowed" in run("explain", "first", "may_enter", "B.infantry1", "C4").out

    def test_options_may_stand_among_the_words(self, run, desk: Path, play) -> None:
        play(
            ["move b3", "c4"], "first", "--bot", "red=random", "--seed", "1", "--record", "g.record"
        )
        done = run("explain", "first", "--record", "g.record", "may_enter", "B5", "C4")
        assert done.code == 0 and "refused: occupied" in done.out

    def test_a_permission_names_the_rule_that_allows(self, run, desk: Path) -> None:
        source = desk / "rulesets/tiny/ruleset.grog"
        text = (
            "permission may_boast(u: Unit) deny\nallow young for may_boast when u.hex is not none\n"
        )
        source.write_text(source.read_text(encoding="utf-8") + text, encoding="utf-8")
        done = run("explain", "first", "may_boast", "B.infantry1")
        assert done.out.startswith("may_boast(B.infantry1): allowed\n  allowed: young"), (
            done.out + done.err
        )

    def test_travel(self, run, desk: Path) -> None:
        name = (
            next(
                line
                for line in run("explain", "first").out.split("Travels")[1].splitlines()
                if "(" in line
            )
            .split("(")[0]
            .strip()
        )
        out = run("explain", "first", name, "B.infantry1").out
        assert out.startswith(f"{name}(B.infantry1) leads to "), out
        reached = out.split("leads to ")[1].split(" (")[0]
        assert (
            f"to {reached} costs 1: by {reached}"
            in run("explain", "first", name, "B.infantry1", reached).out
        )
        assert "does not lead to" in run("explain", "first", name, "B.infantry1", "F4").out
        assert run("explain", "tiny", name).out.startswith(f"travel {name}(")

    def test_function(self, run, desk: Path) -> None:
        assert run("explain", "first", "target_of", "B3").out.startswith(
            "target_of(B.infantry1) = false"
        )

    def test_after_a_record(self, run, desk: Path, play) -> None:
        play(
            ["move b3", "c4"], "first", "--bot", "red=random", "--seed", "1", "--record", "g.record"
        )
        done = run("explain", "first", "may_enter", "B5", "C4", "--record", "g.record")
        assert "refused: occupied" in done.out

    def test_rule_id(self, run, desk: Path) -> None:
        for arguments in (["T-2.2"], ["tiny", "T-2.2"], ["first", "T-2.2"]):
            done = run("explain", *arguments)
            assert done.code == 0 and "rule occupied of may_enter" in done.out
            assert "tiny/ruleset.grog:" in done.out and "deny occupied §2.2 when" in done.out
        assert run("explain", "T-9.9").code == 1
        assert run("explain", "tiny", "T-9.9").code == 1

    def test_catalogue(self, run, desk: Path) -> None:
        for subject in ("tiny", "first"):
            assert "fire_dice(u: Unit, foe: Unit): Dice" in run("explain", subject).out
        assert "cover by -1" in run("explain", "tiny", "fire_dice").out

    @pytest.mark.parametrize(
        ("arguments", "part"),
        [
            (["first", "fire_dise", "B3", "F4"], "did you mean 'fire_dice'?"),
            (["tiny", "fire_dise"], "did you mean 'fire_dice'?"),
            (["first", "fire_dice", "B3"], "expects 2 arguments"),
            (["first", "fire_dice", "B3", "nobody"], "there is no Unit 'nobody' (for foe)"),
            (["nowhere"], "there is no scenario"),
        ],
    )
    def test_misuse(self, run, desk: Path, arguments: list[str], part: str) -> None:
        done = run("explain", *arguments)
        assert done.code == 2 and part in done.err


class TestCover:
    def test_table(self, run, desk: Path) -> None:
        done = run("cover", "tiny", "--games", "5")
        assert done.code == 0
        lines = done.out.splitlines()
        assert lines[0].split() == ["rules", "cited", "cases", "reached", "(5", "games)"]
        assert "T-2  Movement" in done.out and lines[-1].split()[0] == "100%"

    def test_json(self, run, desk: Path) -> None:
        data = json.loads(run("cover", "tiny", "--games", "0", "--json").out)
        assert data["totals"] == {
            "rules": 11,
            "cited": 11,
            "cases": 0,
            "reached": 0,
            "no_mechanic": 0,
        }
        assert data["bases"] == {}

    def test_cases(self, run, desk: Path) -> None:
        (desk / "c.yaml").write_text("cases:\n  - rules: [T-1.1, T-3.2]\n", encoding="utf-8")
        data = json.loads(run("cover", "tiny", "--games", "0", "--json", "--cases", "c.yaml").out)
        assert data["totals"]["cases"] == 2 and data["rules"]["T-3.2"] == {
            "cited": True,
            "cases": True,
            "reached": False,
        }
        assert (
            "T-1.1"
            not in run(
                "cover", "tiny", "--games", "0", "--cases", "c.yaml", "--missing", "cases"
            ).out
        )

    def test_misuse(self, run, desk: Path) -> None:
        assert run("cover", "tiny", "--games", "-1").code == 2
        assert run("cover", "tiny", "--cases", "nothing").code == 2
        (desk / "rulesets/tiny/rulebook.yaml").unlink()
        assert run("cover", "tiny").code in (1, 2)


def test_rules_that_fail(run, desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    text = file.read_text(encoding="utf-8").replace(
        "    do turn(active)\n", "    do turn(active)\n    do dive()\n"
    )
    file.write_text(text + "\nprocedure dive() { do dive() }\n", encoding="utf-8")
    done = run("bots", "first", "--games", "1")
    assert (
        done.code == 1
        and "rulesets/tiny/ruleset.grog:" in done.err
        and "the rules themselves fail" in done.err
    )
    file.write_text(
        text.replace("do dive()\n", "")
        + "\ncheck sink when some u in Unit where u.hex is not none { do dive() }\nprocedure dive() { do dive() }\n",
        encoding="utf-8",
    )
    done = run("bots", "first", "--games", "1")
    assert (
        "check sink → procedure dive" in done.err
        and "the game's seed is" in done.err
        and "record so far" in done.err
    )


def test_an_abstract_ruleset(run, desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    file.write_text(
        file.read_text(encoding="utf-8").replace("ruleset tiny", "ruleset tiny abstract"),
        encoding="utf-8",
    )
    assert run("check", "tiny").code == 0
    assert run("dump", "tiny", "--stage", "parsed").code == 0
    for arguments in (
        ["compile", "tiny"],
        ["dump", "tiny", "--stage", "rules"],
        ["explain", "tiny"],
        ["bots", "first"],
        ["cover", "tiny"],
    ):
        done = run(*arguments)
        assert done.code == 2 and "abstract" in done.err


def test_opening_a_record_loads_its_scenario_alone(
    run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk / "scenarios/tiny/first.yaml"
    text = first.read_text(encoding="utf-8")
    title = re.search(r'^title: "?(.*?)"?$', text, re.MULTILINE)
    assert title
    for name in ("aaa", "another"):
        first.with_name(f"{name}.yaml").write_text(text.replace(title[1], name), encoding="utf-8")
    assert run("bots", "first", "--games", "1", "--seed", "3", "--records", "kept").code == 0
    record = next(Path("kept").iterdir())
    loaded: list[str] = []
    load = records.load_scenario

    def counted(path: Path, folder: Path, program: CompiledProgram) -> Any:
        loaded.append(path.stem)
        return load(path, folder, program)

    monkeypatch.setattr(records, "load_scenario", counted)
    assert run("replay", record, "--verify").code == 0
    assert loaded == ["first"]
    first.unlink()  # then any with the same content will do
    assert run("replay", record, "--verify").code == 0 and loaded[1:] == ["aaa"]
