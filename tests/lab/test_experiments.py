"""Experiments carried out: what is played, how it is kept, and that nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow.parquet as pq
import pytest
from project import ROOT

import grognard
from grognard import places
from grognard.fronts.cli.main import main
from grognard.lab import analysis
from grognard.lab.experiment import PRINTED, Experiment, read_experiment, refuse_differences
from grognard.lab.queries import Results
from grognard.lab.results_page import page_of
from grognard.lab.running import Processes, carry_out
from grognard.lab.sequential import SECOND
from grognard.lab.shards import Store
from grognard.lab.watching import Watcher
from grognard.lab.what_if import Difference
from grognard.lab.work import Workplace
from grognard.opening import open_scenario
from grognard.scenario import Scenario
from runtime.errors import ArgumentError, LoadError

FILE = """
title: Longer ranges
scenarios: [first]
bots: [[greedy, greedy], [greedy, random]]
games: 24
watched: 4
rules:
  far: [range of infantry = 4]
"""
#: All that games tell but for how long they took.
ALL = """
select arrangement, game, seed, seats, winners, first, result, ranks, decisions, turns, record
from games order by arrangement, game
"""


def played(folder: Path, experiment: Experiment, jobs: int = 1) -> Results:
    """The results of an experiment that is carried out."""
    with Store(folder, experiment) as store:
        place = Workplace(experiment, folder)
        carry_out(store, place, Processes(experiment, folder, jobs), lambda *_: None)
    return Results(folder)


def set_down(desk: Path, ruleset: str, rules: str, scenario: str) -> None:
    """Write a ruleset and an empty scenario of it."""
    for folder, file, text in (
        ("rulesets", "ruleset.grog", rules),
        ("scenarios", f"{scenario}.yaml", f"title: {scenario}\nruleset: {ruleset}\n"),
    ):
        (desk / folder / ruleset).mkdir()
        (desk / folder / ruleset / file).write_text(text, encoding="utf-8")


@pytest.fixture
def experiment(desk: Path) -> Experiment:
    (desk / "e.yaml").write_text(FILE, encoding="utf-8")
    return read_experiment(desk / "e.yaml", "e.yaml")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of that experiment, for reading."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["new", "tiny"]) == 0
        Path("e.yaml").write_text(FILE, encoding="utf-8")
        played(folder / "out", read_experiment(Path("e.yaml"), "e.yaml"))
    return folder / "out"


@pytest.fixture
def out(whole: Path, desk: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, desk / "out"))


def test_scenarios_by_what_their_names_are_like(desk: Path) -> None:
    (desk / "e.yaml").write_text("scenarios: [no_retreat/b*, 'tiny/*']", encoding="utf-8")
    experiment = read_experiment(desk / "e.yaml", "e.yaml")
    assert experiment.scenarios[0] == "no_retreat/bagration"
    assert "no_retreat/barbarossa_1941" in experiment.scenarios
    assert "tiny/first" in experiment.scenarios and "no_retreat/citadel" not in experiment.scenarios
    assert Experiment.of(json.loads(json.dumps(experiment.data))) == experiment


def test_the_file_that_the_page_shows(desk: Path) -> None:
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    shown = [text.split("```")[0] for text in page.split("```yaml\n")[1:]]
    text = next(text for text in shown if text.startswith("title:"))
    (desk / "e.yaml").write_text(text, encoding="utf-8")
    experiment = read_experiment(desk / "e.yaml", "e.yaml")
    refuse_differences(desk / "e.yaml", "e.yaml")
    assert len(experiment.rules) == 3, "as printed, and two differences"


def test_games_are_those_of_series(whole: Path, desk: Path) -> None:
    results = Results(whole)
    games = results.ask("select * from games where arrangement = 1 order by game")
    series = grognard.play_series("first", ["greedy", "random"], 24, swap=True)
    assert [(g["game"], g["seats"], g["decisions"]) for g in games] == [
        (one.number, list(one.bots.values()), one.decisions) for one in series.games
    ]
    assert sum(g["first"] for g in games) == series.wins["greedy"] + series.ties / 2
    different = results.ask("select seed, decisions from games where arrangement = 2 order by game")
    printed = results.ask("select seed, decisions from games where arrangement = 0 order by game")
    assert [g["seed"] for g in different] == [g["seed"] for g in printed] and different != printed


def test_watched_games_tell_what_happened(whole: Path) -> None:
    results = Results(whole)
    (counts,) = results.ask(
        "select count(*) n, count(distinct (arrangement, game)) games from sides"
    )
    assert counts == {"n": 4 * 4 * 2, "games": 16}
    for row in results.ask(
        "select g.decisions, g.turns, g.record, sum(o.taken) taken, max(t.turn) last, max(t.decisions) "
        "done from games g join turns t using (arrangement, game) join (select arrangement, game, "
        "sum(taken) taken from options group by all) o using (arrangement, game) group by all"
    ):
        assert row["done"] == row["decisions"] and row["last"] == row["turns"]
        assert row["record"].startswith("grognard: ")
    (total,) = results.ask(
        "select sum(taken) taken, (select sum(decisions) from games where game < 4) decisions from options"
    )
    assert total["taken"] == total["decisions"]
    (lost,) = results.ask("select sum(lost) lost, sum(came) came, sum(driven) driven from sides")
    assert lost["lost"] > 0 and lost["came"] == lost["driven"] == 0
    rules = {row["rule"] for row in results.ask("select distinct rule from rules")}
    assert {"rule printed of allowance", "modifier cover of fire_dice"} <= rules


#: One side throws a die or takes three, the other takes one or nothing, three times.
DICEY = """
ruleset dicey
sides a, b
enum Way { dare, wait }
scope turn checkpoint
board field { layout odd_r; rows 1; columns 1; }
die d6 of 1 .. 6
fields of Side { points: int = 0 }
function standing(s: Side): int = 10 * (s.points - opponent(s).points)
procedure play() {
  repeat 3 times {
    choose w in Way by a prompt way
    if w is dare { roll 1 d6 as r  add face(r) to a.points } else { add 3 to a.points }
    choose v in Way by b prompt way
    if v is wait { add 1 to b.points }
    expire turn
  }
  choose last in Way by a prompt way
  if last is wait { add 1 to a.points }
  win by a
}
"""


@pytest.fixture
def dicey(desk: Path) -> Scenario:
    set_down(desk, "dicey", DICEY, "throws")
    return open_scenario("throws")


def test_what_chance_makes_of_a_decision_is_told_from_it(dicey: Scenario) -> None:
    dare, wait = 0, 1
    taken = [dare, wait, wait, dare, dare, dare, wait]
    rows = Watcher(places.ruleset(dicey.folder)).rows(dicey.setup, 7, taken)["turns"]
    first = [row for row in rows if row["side"] == "a"]
    before = 0.0
    for row, dared in zip(first[1:], (True, False, True, False), strict=True):
        assert row["by_chance"] + row["by_decision"] == row["standing"] - before
        assert (row["by_chance"] != 0) == dared
        before = row["standing"]
    assert [row["by_decision"] for row in first if not row["by_chance"]] == [0, 30, 10]
    # a die gives three and a half on average; of sixteen throws the mean is within one of that
    for row, other in ((first[1], -10), (first[3], 0)):
        assert abs(row["by_decision"] - other - 35) < 10
    others = [row["by_chance"] for row in rows if row["side"] == "b"]
    assert others == [-row["by_chance"] for row in first]


def test_course_and_luck_go_to_the_end_of_games(dicey: Scenario, desk: Path) -> None:
    bots = (("random", "random"),)
    experiment = Experiment("throws", ("throws",), bots, games=5, watched=5)
    results = played(desk / "out", experiment)
    stood = results.ask(
        "select arg_max(standing, decisions) ends, arg_min(standing, decisions) begins, "
        "sum(by_chance + by_decision) changed from turns where side = 'a' group by game"
    )
    assert all(row["changed"] == row["ends"] - row["begins"] for row in stood)
    course, luck = analysis.course(results, 0), analysis.luck(results, 0)
    assert [row["turn"] for row in course] == [0, 1, 2, 3]
    assert course[-1]["median"] == 2 * median(row["ends"] for row in stood)
    assert [(row["turn"], row["games"]) for row in luck] == [(1, 5), (2, 5), (3, 5)]
    assert all(row["decision"] > 0 for row in luck) and any(row["chance"] > 0 for row in luck)
    assert page_of(results).count("Luck and decisions") == 1
    for file in (desk / "out/turns").iterdir():  # as they were before luck was told by turn
        pq.write_table(pq.read_table(file).drop_columns(["by_chance", "by_decision"]), file)
    earlier = Results(desk / "out")
    assert analysis.course(earlier, 0) == course and analysis.luck(earlier, 0) == []
    assert "Luck and decisions" not in page_of(earlier)


@pytest.mark.parametrize("jobs", [2, pytest.param(3, marks=pytest.mark.long)])
def test_more_processes_change_nothing(
    jobs: int, whole: Path, experiment: Experiment, desk: Path
) -> None:
    assert Results(whole).ask(ALL) == played(desk / "b", experiment, jobs).ask(ALL)


def test_it_stops_at_the_same_game(desk: Path) -> None:
    data = {"title": "t", "scenarios": ["first"], "bots": [["greedy", "random"]]}
    data |= {"games": 400, "watched": 0}
    experiment = Experiment.of({**data, "stop": {"margin": 0.3, "error": 0.05}})
    alone, together = played(desk / "a", experiment), played(desk / "b", experiment, 3)
    games = alone.ask(ALL)
    assert 4 <= len(games) < 100 and games == together.ask(ALL)
    assert played(desk / "a", experiment).ask(ALL) == games, "there is nothing left to do"


@pytest.mark.long
@pytest.mark.usefixtures("experiment")
def test_killed_at_any_time_it_goes_on(whole: Path, desk: Path) -> None:
    command = [sys.executable, "-m", "grognard", "lab", "e.yaml", "-o", "out", "--jobs", "2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for wait in (1, 3, 8):
        begun = subprocess.Popen(command, cwd=desk, env=environment, start_new_session=True)
        until = time.monotonic() + 60
        while begun.poll() is None and time.monotonic() < until:
            if len(list((desk / "out/games").glob("*.parquet"))) >= wait:
                break
            time.sleep(0.02)
        os.killpg(begun.pid, signal.SIGKILL)
        begun.wait()
    assert main(["lab", "e.yaml", "-o", "out"]) == 0
    results = Results(desk / "out")
    assert results.ask(ALL) == Results(whole).ask(ALL)
    (twice,) = results.ask("select count(*) - count(distinct (arrangement, game)) n from games")
    (rows,) = results.ask(
        "select count(*) - count(distinct (arrangement, game, side)) n from sides"
    )
    assert twice["n"] == rows["n"] == 0


def test_workers_that_die_are_replaced(whole: Path, experiment: Experiment, desk: Path) -> None:
    killed: list[int] = []

    def kill(done: int, of: int) -> None:
        if len(killed) < 2 and done > 4 * len(killed):
            workers = subprocess.run(
                ["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False
            )
            for pid in workers.stdout.split()[:1]:
                os.kill(int(pid), signal.SIGKILL)
                killed.append(int(pid))

    with Store(desk / "out", experiment) as store:
        place = Workplace(experiment, desk / "out")
        carry_out(store, place, Processes(experiment, desk / "out", 2), lambda *_: None, kill)
    assert killed and Results(desk / "out").ask(ALL) == Results(whole).ask(ALL)


@pytest.mark.parametrize("more", [25, pytest.param(40, marks=pytest.mark.long)])
def test_more_games_are_asked_for(out: Path, experiment: Experiment, desk: Path, more: int) -> None:
    kept = {path: path.stat().st_mtime_ns for path in (out / "games").iterdir()}
    larger = Experiment.of({**experiment.data, "games": more})
    results = played(out, larger)
    assert results.ask(ALL) == played(desk / "larger", larger).ask(ALL)
    # those of the last units alone are played again
    again = [path for path, then in kept.items() if path.stat().st_mtime_ns != then]
    assert len(again) <= len(experiment.arrangements)
    with pytest.raises(ArgumentError, match="fewer"):
        played(out, experiment)


def test_what_is_not_in_the_folder_is_told(
    out: Path, experiment: Experiment, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ArgumentError, match="results of another experiment"):
        played(out, Experiment.of({**experiment.data, "seed": 2}))
    with Store(out, experiment):
        assert main(["lab", "e.yaml", "-o", "out"]) == 2
        assert "another command is writing out" in capsys.readouterr().err
    for words, told in (
        (["query", "nowhere"], "nowhere holds no results"),
        (["query", "out", "select nothing from games"], "nothing"),
        (["query", "out", ";"], "that asks nothing"),
        (["report", "out", "more"], "the report is written into its folder"),
        (["query", "out", "select * from game"], "the tables are arrangements, games"),
        (["none.yaml"], "there is no file none.yaml"),
        (["first"], "first is a scenario: --balance plays it"),
        (["--balance", "nosuch"], "there is no scenario 'nosuch'"),
        (["--balance", "first", "--bots", "greedy", "-o", "x"], "'first' expects 2 bots, got 1"),
    ):
        assert main(["lab", *words]) == 2, words
        assert told in capsys.readouterr().err, words
    assert not (desk / "x").exists() and not list(desk.glob("*.lab"))  # what fails leaves nothing


def test_a_difference_is_measured_in_pairs_of_games(whole: Path) -> None:
    results = Results(whole)
    alone, against = analysis.contrasts(results)
    assert alone.label == "First skirmish, far" and alone.games == against.games == 24
    games = {one.what: one for one in alone.measures["games"]}
    assert next(iter(games)) == "games won by the first" and alone.share.low < alone.share.mean
    (means,) = results.ask(
        "select avg(turns) filter (arrangement = 0) printed, avg(turns) filter (arrangement = 2) "
        "different from games"
    )
    turns = games["turns"]
    assert (turns.printed, turns.different) == (means["printed"], means["different"])
    assert turns.change.mean == pytest.approx(turns.different - turns.printed)
    assert {one.what for one in alone.measures["sides"]} >= {"blue: moves", "red: strength lost"}
    rules = {one.what: one for one in alone.measures["rules"]}
    (used,) = results.ask(
        "select sum(decisions) n from rules where arrangement = 0 and rule = 'modifier cover of fire_dice'"
    )
    assert rules["modifier cover of fire_dice"].printed == used["n"] / 4, "of four watched games"


def test_damaged_files_are_named(
    out: Path, experiment: Experiment, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, rules = Results(out).ask(ALL), Results(out).ask("select count(*) n from rules")
    file = sorted((desk / "out/rules").iterdir())[0]
    file.write_bytes(file.read_bytes()[:50])
    assert main(["lab", "query", "out", "select count(*) from rules"]) == 2
    told = capsys.readouterr().err
    assert f"{file.relative_to(desk)} is damaged: " in told
    assert f"remove out/games/{file.name}; the same experiment" in told
    (desk / "out/games" / file.name).write_text("PAR1", encoding="utf-8")
    assert played(desk / "out", experiment).ask(ALL) == whole, "its games are played again"
    assert main(["lab", "query", "out", "select count(*) from rules"]) == 0
    (desk / "out/rules" / file.name).unlink()
    assert played(desk / "out", experiment).ask("select count(*) n from rules") == rules
    for damage in ("PAR1", ""):
        (desk / "out/arrangements.parquet").unlink()
        if damage:
            (desk / "out/arrangements.parquet").write_text(damage, encoding="utf-8")
        with pytest.raises(ArgumentError, match=r"arrangements\.parquet, which says what was"):
            played(desk / "out", experiment)
        assert main(["lab", "report", "out"]) == 2
    (desk / "out/experiment.json").write_text('{"title": ', encoding="utf-8")
    assert main(["lab", "query", "out"]) == 2
    assert "out/experiment.json is damaged: " in capsys.readouterr().err


def test_what_is_ended_early_says_so(
    out: Path, experiment: Experiment, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "e.yaml", "-o", "none", "--minutes", "0"]) == 0
    assert "nothing has been played yet" in capsys.readouterr().out
    for file in sorted((desk / "out/games").iterdir())[-2:]:
        file.unlink()
    assert main(["lab", "query", "out"]) == 0
    left = sum(experiment.games for _ in experiment.arrangements) - len(
        Results(desk / "out").ask(ALL)
    )
    assert f"not finished: {left} games may follow" in capsys.readouterr().out
    assert main(["lab", "query", "out", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sum(row["left"] for row in rows) == left and rows[0]["first"] == "blue"


def test_answers_in_other_forms(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def asked(question: str, form: str) -> str:
        assert main(["lab", "query", str(whole), question, "--format", form]) == 0
        return capsys.readouterr().out

    question = "select 1 n, 2 n, 'infinity'::double a, ['x', 'y'] b, [1 / 3] c"
    (row,) = json.loads(asked(question, "json"))
    assert row["n"] == 1 and row["n_1"] == 2 and row["a"] is None and row["b"] == ["x", "y"]
    assert asked(question, "csv").splitlines()[1] == '1,2,inf,"[""x"", ""y""]",[0.333333]'
    lines = asked("select game, record from games where game < 2", "text").splitlines()
    assert len(lines) == 9, "a line for each of the four arrangements' games, and the heads"


def test_other_rules_are_not_mixed_in(out: Path, experiment: Experiment, desk: Path) -> None:
    rules = desk / "rulesets/tiny/ruleset.grog"
    text = rules.read_text(encoding="utf-8").replace("| infantry | 3 |", "| infantry | 4 |")
    rules.write_text(text, encoding="utf-8")
    with pytest.raises(ArgumentError, match="rules, scenarios or weights have changed since"):
        played(out, experiment)


def test_the_command(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["first", "--what-if", "range of infantry = 4", "--games", "12", "-o", "out"]
    assert main(["lab", *words, "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "First skirmish, range of infantry = 4: " in out and "over 12 pairs of games" in out
    page = (desk / "out/report.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4 and "What the difference does" in page
    assert not [word for word in ("<script", "<link", 'src="http', 'href="http') if word in page]
    assert main(["lab", "query", "out", "select count(*) n from games", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"n": 24}]
    assert main(["lab", "query", "out", "select 1.5 a, null b", "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == ["a,b", "1.5,"]
    asked = "select game n, arrangement n from games where game > 99"
    assert main(["lab", "query", "out", asked, "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == ["n,n"]


def test_what_is_published_stands_beside(desk: Path) -> None:
    file = desk / "scenarios/tiny/first.yaml"
    text = file.read_text(encoding="utf-8")
    assert main(["lab", "--balance", "first", "--games", "2", "-o", "none"]) == 0
    assert "between people" not in (desk / "none/report.html").read_text(encoding="utf-8")
    told = "published: {won: {blue: 0.45}, games: 300, source: a club's table}\n"
    file.write_text(text + told, encoding="utf-8")
    assert main(["lab", "--balance", "first", "--games", "4", "-o", "out"]) == 0
    page = (desk / "out/report.html").read_text(encoding="utf-8")
    assert "45.0% of 300 (a club&#39;s table)" in page and page.count('"var(--mark)"') == 1
    file.write_text(text + told.replace("blue: 0.45", "red: 0.55"), encoding="utf-8")
    assert main(["lab", "--balance", "first", "--games", "4", "-o", "other"]) == 0
    (share,) = Results(desk / "other").ask("select published from arrangements")
    assert share["published"] == pytest.approx(0.45)
    page = told.replace("a club's table", "'https://[example.org/a?b=1, as of 2024'")
    file.write_text(text + page, encoding="utf-8")
    assert main(["lab", "--balance", "first", "--games", "4", "-o", "linked"]) == 0
    page = (desk / "linked/report.html").read_text(encoding="utf-8")
    assert '<a href="https://[example.org/a?b=1" title=' in page and ">[example.org</a>)" in page
    file.write_text(text + told.replace("0.45", "45"), encoding="utf-8")
    assert main(["validate", "first"]) == 1


#: One of three sides wins alone or with another, or nobody does.
THREE = """
ruleset trio
sides a, b, c
enum Way { alone, shared, nobody }
board field { layout odd_r; rows 1; columns 1; }
fields of Side { points: int = 0 }
procedure play() {
  choose w in Way by a prompt way
  if w is alone { win by a }
  if w is shared { win by all s in Side where s is not c }
  tie
}
"""


def test_of_three_sides_a_third_is_fair(desk: Path) -> None:
    set_down(desk, "trio", THREE, "trio")
    results = played(desk / "out", Experiment("Trio", ("trio",), (("random",) * 3,), games=30))
    asked = "select distinct winners, first from games order by 2"
    firsts = {tuple(row["winners"]): row["first"] for row in results.ask(asked)}
    assert firsts == {(): 1 / 3, ("a", "b"): 0.5, ("a",): 1.0}
    (one,) = analysis.outcomes(results)
    assert one.fair == 1 / 3 and page_of(results)
    assert replace(one, decided=SECOND).verdict == "a is weaker"


#: Of three sides two are called the same, and of three cards two; who is ahead hangs on the cards.
TWINS = """
ruleset twins
sides a, b, c
enum Card { storm, flood, calm }
table cards of Card {
  columns count: int
  | storm | 4 |
  | flood | 4 |
  | calm | 8 |
}
deck weather of Card copies count { pile stock hidden  pile hand per Side owner  pile gone open }
board field { layout odd_r; rows 1; columns 1; }
fields of Side { points: int = 0 }
function score(s: Side): int = s.points
function standing(s: Side): int = s.points
procedure play() {
  shuffle stock
  each s in Side { repeat 2 times { draw c from stock  if c is not none { put c on hand[s] } } }
  each s in Side {
    choose c in hand[s] by s prompt card
    remove c from hand[s]
    put c on gone
    if c is storm { add 3 to s.points }
    if c is flood { add 1 to s.points }
  }
  win by all s in Side where every o in Side has s.points >= o.points
}
"""
NAMES = "Side.a: Alone\nSide.b: Twin\nSide.c: Twin\nCard.storm: Weather\nCard.flood: Weather\n"


def test_figures_of_sides_and_cards_of_the_same_name(desk: Path) -> None:
    set_down(desk, "twins", TWINS, "twins")
    (desk / "rulesets/twins/texts").mkdir()
    (desk / "rulesets/twins/texts/en.yaml").write_text(NAMES, encoding="utf-8")
    rules = {PRINTED: Difference(), "same": Difference(text="enum Other { one }")}
    bots = (("greedy", "greedy", "random"),)
    experiment = Experiment("Twins", ("twins",), bots, games=30, watched=30, rules=rules)
    results = played(desk / "out", experiment)
    (one, _), (same,) = analysis.outcomes(results), analysis.contrasts(results)
    games = results.ask("select * from games where arrangement = 0 order by game")
    margins = []
    for number, game in enumerate(games):
        first = -number % 3  # the first bot goes round the sides
        assert game["seats"][first] == "greedy"
        others = [points for side, points in enumerate(game["scores"]) if side != first]
        margins.append(game["scores"][first] - max(others))
    assert one.margin is not None and one.margin.mean == pytest.approx(sum(margins) / 30)
    assert one.margin.low == pytest.approx(2 * one.margin.mean - one.margin.high)
    moves = [measure for measure in same.measures["sides"] if measure.what.endswith("moves")]
    assert [m.what for m in moves] == ["Alone: moves", "Twin (b): moves", "Twin (c): moves"]
    every = [m for topic in same.measures.values() for m in topic[:1] + topic[2:] if topic]
    assert all(m.change.mean == 0 for m in every) and same.games == 30
    weather = next(row for row in analysis.cards(results, 0) if row["card"] == "Weather")
    held = results.ask("select game, side, card, played from cards where arrangement = 0")
    seats = {(r["game"], r["side"]) for r in held if r["card"] != "calm"}
    won = {
        (number, side): (side in game["winners"]) / len(game["winners"])
        for number, game in enumerate(games)
        for side in "abc"
    }
    used = {(r["game"], r["side"]) for r in held if r["card"] != "calm" and r["played"]}
    watched = {row["game"] for row in held}
    assert weather["held"] == len({game for game, _ in seats}) / len(watched)
    assert weather["won"] == pytest.approx(sum(won[seat] for seat in used) / len(used))
    assert weather["times"] == len(used) == weather["players"]


def test_nothing_is_counted_twice(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["first", "tiny/first", "first", "--what-if", "range of infantry = 4", "--games", "6"]
    assert main(["lab", *words, "-o", "out"]) == 0
    told = capsys.readouterr().out
    assert told.count("over 6 pairs of games") == 1 and "not finished" not in told
    text = "scenarios: [first, tiny/first]\nbots: [[greedy, greedy], [greedy, greedy]]\n"
    (desk / "e.yaml").write_text(text, encoding="utf-8")
    experiment = read_experiment(desk / "e.yaml", "e.yaml")
    assert experiment.scenarios == ("first",) and len(experiment.bots) == 1


def test_scenarios_with_one_title_are_told_apart(desk: Path) -> None:
    assert main(["new", "other"]) == 0
    text = "scenarios: [tiny/first, other/first]\ngames: 2\nwatched: 0\n"
    (desk / "e.yaml").write_text(text, encoding="utf-8")
    results = played(desk / "out", read_experiment(desk / "e.yaml", "e.yaml"))
    labels = [one.label for one in analysis.outcomes(results)]
    assert labels == ["First skirmish (tiny/first)", "First skirmish (other/first)"]


def test_few_games_that_go_the_same_way_leave_room(dicey: Scenario, desk: Path) -> None:
    rules = {PRINTED: Difference(), "another": Difference(text="enum Other { one }")}
    experiment = Experiment("Sure", ("throws",), games=4, watched=0, rules=rules)
    (one,) = analysis.contrasts(played(desk / "out", experiment))
    mean, low, high = one.share
    assert mean == 0 and low < -0.3 and high > 0.3, "side a has won all of them"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("scenarios: []", "e.yaml:1:12"),
        ("scenario: [first]", "did you mean 'scenarios'"),
        ("scenarios: [first]\nstop: {margin: 2}", "expected a number between 0 and 1"),
        ("scenarios: [first]\nstop: {margin: 0.5}", "e.yaml:2:16: error: 0.5 for 'margin' is not"),
        ("scenarios: [first]\nbots: [greedy, [greedy, greedy]]", "stands beside whole line-ups"),
        ("scenarios: [first]\nbots: 3", "expected a list"),
        ("scenarios: [first]\ngames: none", "expected a whole number"),
        ("scenarios: [first]\nrules: {as printed: [allowance = 2]}", "'as printed' in rules"),
        ("[first]", "an experiment is a mapping"),
        ("", "e.yaml"),
        ("scenarios:\n- first\n- frist", "e.yaml:3:3: error: there is no scenario 'frist'"),
        ("scenarios: ['firts*']", "no scenario has a name like 'firts*'"),
        ("scenarios: [first]\nbots: [greedy, gready]", "e.yaml:2:16"),
        (
            "scenarios: [first]\nbots: [[greedy]]",
            "e.yaml:2:8: error: 'first' expects 2 bots, got 1",
        ),
        ("scenarios: [first]\nbots: [greedy]", "e.yaml:2:7: error: 'first' expects 2 bots, got 1"),
        (
            "scenarios: [first]\nswitches: {a: {b: true}}",
            "e.yaml:2:16: error: 'tiny' has no switch",
        ),
        ("# nothing", "e.yaml:1:1: error S103: the file is empty (start with 'scenarios:')"),
    ],
)
def test_files_with_faults(text: str, told: str, desk: Path) -> None:
    (desk / "e.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(LoadError) as refused:
        read_experiment(desk / "e.yaml", "e.yaml")
    assert told in str(refused.value)


def test_a_margin_is_told_of_once(desk: Path) -> None:
    (desk / "e.yaml").write_text("scenarios: [first, akragas]\nstop: {margin: 0.5}\n")
    with pytest.raises(LoadError) as refused:
        read_experiment(desk / "e.yaml", "e.yaml")
    assert len(refused.value.findings) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "scenarios: [first]\nrules:\n  a: [allowance = 2, without covr]",
            "e.yaml:3:22: error: 'without covr' in 'tiny': there is no rule 'covr' (did you mean",
        ),
        (
            "scenarios: [first]\nrules:\n  a: without covr",
            "e.yaml:3:6: error: 'without covr' in 'tiny': there is no rule 'covr'",
        ),
        (
            "scenarios: [first]\nrules:\n  a:\n  - allowance = 2\n  - range of infantry = x",
            "e.yaml:5:5: error: 'range of infantry = x' in 'tiny': 'x' is not of type Hexes",
        ),
        (
            "scenarios: [first]\nrules:\n  a: |\n    drop rule cover\n    drop rule covr",
            "e.yaml:3:6: error: 'drop rule covr' in 'tiny': there is no rule 'covr' here to drop",
        ),
        (
            "scenarios: [first]\nrules:\n  a: [without cover, without cover]",
            "e.yaml:3:6: error: ",
        ),
    ],
)
def test_differences_with_faults(
    text: str, told: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "e.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(LoadError) as refused:
        refuse_differences(desk / "e.yaml", "e.yaml")
    assert told in str(refused.value)
    assert main(["lab", "e.yaml", "-o", "out"]) == 1
    assert capsys.readouterr().err.startswith(told.partition(" error")[0])
    assert not list(desk.glob("out/games/*"))


def test_one_line_up_may_stand_alone(desk: Path) -> None:
    (desk / "e.yaml").write_text("scenarios: [first]\nbots: [greedy, random]", encoding="utf-8")
    assert read_experiment(desk / "e.yaml", "e.yaml").bots == (("greedy", "random"),)


def test_data_makes_the_experiment_again(experiment: Experiment) -> None:
    again: Any = Experiment.of(json.loads(json.dumps(experiment.data)))
    assert again == experiment and again.key == experiment.key
