"""The library's games: what is offered, playing, looking, taking back, records."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from project import ROOT, at_length, sampled, scenarios

import grognard
from grognard import Game, Option


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def loaded() -> Game:
    return grognard.load("akragas", seed=7)


@pytest.fixture
def game(loaded: Game) -> Game:
    return loaded.restart(7)


def play_out(game: Game, seed: int = 1) -> Game:
    rng = Random(seed)
    while not game.over:
        game.play(rng.choice(game.options))
    return game


def test_everything_promised_is_there() -> None:
    for name in grognard.__all__:
        assert getattr(grognard, name) is not None
        assert name in dir(grognard)
    with pytest.raises(AttributeError, match="nonsense"):
        grognard.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_versions(capsys: pytest.CaptureFixture[str]) -> None:
    from grognard.fronts.cli.main import main

    assert main(["--version"]) == 0
    assert (
        capsys.readouterr().out
        == f"grognard {grognard.__version__}, language {grognard.LANGUAGE_VERSION}\n"
    )
    specification = " ".join((ROOT / "dsl" / "SPEC.md").read_text().split())
    assert f"(version {grognard.LANGUAGE_VERSION} of the language)" in specification


@pytest.mark.parametrize("scenario", at_length(scenarios(), sampled()))
def test_every_scenario_is_played_by_name(scenario: str) -> None:
    game = grognard.load(scenario, seed=3)
    assert game.side in game.sides
    for _ in range(40):
        if not game.over:
            assert len(game.options) > 1 or game.options[0].passes
            assert [o.index for o in game.options] == list(range(len(game.options)))
            assert {o.prompt for o in game.options} == {game.prompt}
            game.play(game.options[-1])
    json.dumps([game.position.data, *(game.view(side).data for side in (None, *game.sides))])


def test_an_option_is_taken_by_itself_its_index_or_its_text(game: Game) -> None:
    one, other, third = game.copy(), game.copy(), game.copy()
    option = game.options[3]
    assert isinstance(option, Option)
    assert (option.branch, option.values, option.value) == (
        "command",
        ("leadership_any_section",),
        "leadership_any_section",
    )
    one.play(option)
    other.play(3)
    third.play(option.text)
    assert one.hash == other.hash == third.hash != game.hash
    assert one.actions == [("bottom", "command leadership_any_section")]


@pytest.mark.parametrize(
    "choice", [99, -1, True, 1.5, None, "", "comand", "command", b"x", object(), []]
)
def test_what_is_not_offered_is_refused_and_nothing_happens(game: Game, choice: object) -> None:
    before = game.hash
    with pytest.raises(grognard.IllegalOption) as caught:
        game.play(choice)  # type: ignore[arg-type]
    assert caught.value.options == game.options
    assert game.hash == before
    assert str(caught.value)


def test_a_refusal_names_what_was_meant(game: Game) -> None:
    with pytest.raises(grognard.IllegalOption, match="did you mean 'command double_time'"):
        game.play("comand duoble_time")
    with pytest.raises(grognard.IllegalOption) as caught:
        game.play("command")
    assert caught.value.near == game.options


def test_an_option_of_another_decision_is_refused(game: Game) -> None:
    old = game.options[0]
    game.play(0)
    with pytest.raises(grognard.IllegalOption, match="not offered"):
        game.play(old)


def test_the_same_seed_gives_the_same_game(game: Game) -> None:
    one, other = play_out(game.restart(5)), play_out(game.restart(5))
    assert one.hash == other.hash
    assert one.log == other.log
    assert play_out(game.restart(6)).hash != one.hash


def test_a_game_that_is_over(game: Game) -> None:
    assert game.result is None
    play_out(game)
    result = game.result
    assert result is not None
    assert (
        game.over
        and game.side is None
        and game.options == ()
        and game.prompt == "" == game.question
    )
    assert sorted(result.ranks.values()) == [1, 2] and len(result.winners) == 1 and not result.tie
    (winner,) = result.winners
    assert result.scores == game.scores and result.scores[winner] == 5  # banners
    skirmish = ROOT / "tests/rulesets/skirmish"
    plain = grognard.load(skirmish / "meeting.yaml", seed=3, ruleset=skirmish)
    assert play_out(plain).scores == {}, "its rules count no points"
    for choice in (0, "x"):
        with pytest.raises(grognard.GameOver):
            game.play(choice)
    with pytest.raises(grognard.GameOver):
        game.why_not("x")
    assert game.view("top").over and game.view("top").decides is None


def test_copies_are_independent(game: Game) -> None:
    before = game.hash
    for made in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        made.play(0)
        assert made.hash != before
    assert game.hash == before and game.actions == []


def test_taking_back(game: Game) -> None:
    with pytest.raises(grognard.UndoRefused, match="nothing has been played"):
        game.undo()
    game.play("command order_3_center")
    before = game.hash
    game.play(0)
    assert game.can_undo
    game.undo()
    assert game.hash == before
    play_out(game)
    with pytest.raises(grognard.UndoRefused):
        game.undo()


# --------------------------------------------------------------------------- looking


def test_positions_are_read_by_names(game: Game) -> None:
    position = game.position
    heavy = position.piece("S.HI1")
    assert (heavy.kind, heavy.name, heavy.hex, heavy["type"], str(heavy)) == (
        "Unit",
        "S.HI1",
        "B4",
        "HI",
        "S.HI1",
    )
    assert [p.name for p in position.pieces("Unit", side="top", type="HCH")] == ["C.HCH1", "C.HCH2"]
    assert [p.name for p in position.at("B8")] == ["S.HI4", "Daphnaeus"]
    assert position["S.HI1.hex"] == "B4"
    assert position["top.banners"] == 0
    assert position["active"] in ("top", "bottom")
    assert position["B8.terrain"] == "clear"
    assert position.sides["top"]["goal"] == 5
    assert len(position.piles["hand"]["top"]) == 5
    assert position.effects == ()
    assert game.board.distance("A1", "A4") == 3 and "A2" in game.board.neighbors("A1")
    assert len(game.board) == len(game.board.hexes) == len(set(game.board))


@pytest.mark.parametrize(
    "path",
    ["nobody.hex", "S.HI1.hxe", "bannners", "top.bannners", "Z99.terrain", "", ".", "S.HI1."],
    ids=lambda p: f"'{p}'",
)
def test_what_is_not_there_is_said(game: Game, path: str) -> None:
    with pytest.raises(grognard.ArgumentError):
        game.position[path]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("S.HI11.hex", "no piece, member or hex 'S.HI11' .*did you mean 'S.HI1'"),
        ("nobody.hex", "no piece, member or hex 'nobody'"),
        ("Z99.terrain", "no hex 'Z99'"),
    ],
)
def test_an_owner_that_is_not_there_is_said_by_what_it_could_be(
    game: Game, path: str, said: str
) -> None:
    with pytest.raises(grognard.ArgumentError, match=said):
        game.position[path]


def test_more_that_is_not_there(game: Game) -> None:
    position = game.position
    with pytest.raises(grognard.ArgumentError, match="did you mean 'Unit'"):
        position.pieces("Unti")
    with pytest.raises(grognard.ArgumentError, match="did you mean 'type'"):
        position.pieces("Unit", tpye="HI")
    with pytest.raises(AttributeError, match="did you mean 'hex'"):
        position.piece("S.HI1").hexx  # noqa: B018
    with pytest.raises(grognard.ArgumentError):
        game.view("north")
    with pytest.raises(grognard.ArgumentError):
        game.board.distance("A1", "Q99")


@pytest.mark.parametrize("odd", [None, 3, [], {}, "", "\0", "x" * 5000, b"x", object()])
def test_names_of_odd_kinds(game: Game, odd: object) -> None:
    for ask in (game.position.piece, game.position.members, game.position.at, game.board.center):
        with pytest.raises(grognard.ArgumentError) as told:
            ask(odd)  # type: ignore[arg-type]
        assert len(str(told.value)) < 400


def test_a_position_does_not_change_when_the_game_goes_on(game: Game) -> None:
    position, view = game.position, game.view("bottom")
    hand = list(game.position.piles["hand"]["bottom"])
    play_out(game)
    assert position.piles["hand"]["bottom"] == view.piles["hand"]["bottom"] == hand


def test_a_side_sees_its_own_hand_only(game: Game) -> None:
    whole = game.position.piles["hand"]
    for side in game.sides:
        seen = game.view(side).piles["hand"]
        other = next(s for s in game.sides if s != side)
        assert seen[side] == whole[side]
        assert seen[other] == [grognard.UNSEEN] * len(whole[other])
    assert set(map(len, game.view().piles["hand"].values())) == {5, 6}
    assert grognard.UNSEEN in game.view().piles["hand"]["bottom"]
    view = game.view("bottom")
    counted = sum(view.unseen["command_deck"].values())
    assert counted == len(whole["top"]) + len(game.position.piles["stock"])


def test_only_who_decides_sees_options(game: Game) -> None:
    mine, theirs = game.view("bottom"), game.view("top")
    assert mine.options == game.options and mine.prompt == "command" and mine.decides == "bottom"
    assert theirs.options == () and theirs.prompt == "" and theirs.decides == "bottom"
    assert game.view("Syracuse").side == "bottom"
    assert game.view().side is None


def test_samples_agree_with_what_is_seen(game: Game) -> None:
    view = game.view("bottom")
    made = [view.sample(Random(i)) for i in range(5)]
    assert all(sample.view("bottom") == view for sample in made)
    assert len({tuple(sample.position.piles["hand"]["top"]) for sample in made}) > 1
    play_out(made[0])
    with pytest.raises(grognard.RecordError, match="begins from a position"):
        made[0].record()
    with pytest.raises(grognard.ArgumentError):
        game.view("top").sample(Random(1))


# --------------------------------------------------------------------------- why


def test_values_and_explanations(game: Game) -> None:
    found = game.explain("close_dice", "S.HI1", "H4", "attack")
    assert found.value == 5 == game.value("close_dice", "S.HI1", "H4", "attack")
    assert "CCA-11.23" in str(found) and found.rules == ("CCA-11.23",)
    assert found.reasons[0].role == "decides"
    assert game.explain("close_dice(S.HI1, H4, attack)") == found
    assert game.value("may_enter", "S.HI1", "B5") is True
    for name, arguments in (
        ("close_dice(S.HI1, H4)", ()),
        ("close_dice(S.HI1, H4, attack", ()),
        ("close_dcie", ()),
        ("close_dice", ("S.HI1",)),
        ("close_dice", ("nobody", "H4", "attack")),
        ("march(nobody)", ()),
        ("reach", ()),
    ):
        with pytest.raises(grognard.ArgumentError):
            game.value(name, *arguments)


def test_what_a_notebook_shows(game: Game) -> None:
    assert repr(game.view("top")) == "<View of 'Akragas': what top sees>"
    assert repr(game.view()) == "<View of 'Akragas': what everybody sees>"
    assert repr(game.explain("close_dice", "S.HI1", "H4", "attack")) == (
        "<Explanation: close_dice(S.HI1, H4, attack) = 5 Dice>"
    )
    assert "blocks" in dir(game.position.piece("S.HI1"))
    with pytest.raises(grognard.ArgumentError, match="side is never 'tpo'"):
        game.position.pieces("Unit", side="tpo")


def test_travels_are_asked_as_in_the_rules(game: Game) -> None:
    reached = game.value("march", "S.HI1")
    assert isinstance(reached, tuple) and "C5" in reached
    assert game.value("reach march(S.HI1)") == game.value("reach march S.HI1") == reached
    assert game.value("steps march(S.HI1) to C5") == game.value("march", "S.HI1", "C5") == 1
    assert game.value("steps march(S.HI1) to I9") is None
    assert "does not lead to I9" in str(game.explain("march", "S.HI1", "I9"))


def test_forecasts_of_options_as_they_are_played(game: Game) -> None:
    game = grognard.load("akragas", seed=7)
    rng = Random(3)
    while not any(map(game.forecast, game.options)):
        game.play(rng.choice(game.options))
    number, option = next(one for one in enumerate(game.options) if game.forecast(one[1]))
    assert game.forecast(option) == game.forecast(number) == game.forecast(option.text)
    for wrong in (len(game.options), "fly away", None, 1.5):
        with pytest.raises(grognard.GrognardError):
            game.forecast(wrong)  # type: ignore[arg-type]


def test_why_not(game: Game) -> None:
    assert "rally" in str(game.why_not("command rally"))
    assert game.why_not("command double_time").lines == ()
    with pytest.raises(grognard.ArgumentError):
        game.why_not("fly away")


# --------------------------------------------------------------------------- keeping


def test_records(game: Game, tmp_path: Path) -> None:
    for _ in range(30):
        game.play(0)
    path = tmp_path / "a game.record"
    game.save(path, {"top": "Ann"})
    again = grognard.from_record(path)
    assert (
        again.hash == game.hash
        and again.log == game.log
        and again.record({"top": "Ann"}) == path.read_text()
    )
    path.write_text(path.read_text().replace("command ", "comand ", 1))
    with pytest.raises(grognard.RecordError) as caught:
        grognard.from_record(path)
    assert caught.value.line
    for wrong in ("nowhere.record", tmp_path, "", "README"):
        with pytest.raises(grognard.GrognardError):
            grognard.from_record(wrong)
    with pytest.raises(grognard.RecordError, match="cannot be written"):
        game.save(tmp_path)
    with pytest.raises(grognard.RecordError):
        game.save(tmp_path / "no" / "folder.record")
    with pytest.raises(grognard.RecordError):
        game.record({"north": "Ann"})
    with pytest.raises(grognard.ArgumentError, match="players is a mapping"):
        game.save(tmp_path / "a.record", players="Ann")  # type: ignore[arg-type]
    for wrong in (lambda: game.save(3), lambda: game.record(3), lambda: pickle.dumps(game)):  # type: ignore[arg-type]
        with pytest.raises(grognard.ArgumentError):
            wrong()


def test_what_does_not_change_is_copied_and_not_pickled(game: Game) -> None:
    assert game.side is not None
    view = game.view(game.side)
    for thing in (view, game.position):
        assert copy.copy(thing) is copy.deepcopy(thing) is thing
        with pytest.raises(grognard.ArgumentError, match="cannot be pickled"):
            pickle.dumps(thing)
    for rng in (None, 3, Random):
        with pytest.raises(grognard.ArgumentError, match="drawn by a random"):
            view.sample(rng)  # type: ignore[arg-type]
    piece = next(iter(game.position.pieces("Unit")))
    for field in ("nothing", 3, [], bytearray(b"x")):
        with pytest.raises(grognard.ArgumentError, match="has no field"):
            piece[field]  # type: ignore[index]


def test_a_game_stands_where_a_state_does(game: Game) -> None:
    here = Game.at(game.program, game.setup, game.state.copy())
    assert here.hash == game.hash
    with pytest.raises(grognard.RecordError, match="begins from a position"):
        here.record()
    with pytest.raises(grognard.ArgumentError, match=r"grognard\.load"):
        here.explain("close_dice", "S.HI1", "H4", "attack")


def test_a_game_that_is_begun_again_keeps_a_log_or_none() -> None:
    quiet = grognard.load("akragas", seed=1, log=False).restart(2)
    quiet.play(0)
    assert quiet.log == [] and quiet.restart(3).copy().log == []


def test_positions_and_boards_are_compared_by_what_they_show(game: Game) -> None:
    before = game.position
    assert (
        before == game.position
        and before != game.view()
        and before.board == game.board == game.view("top").board
    )
    assert (
        len({game.board, before.board}) == 1
        and before.board != grognard.load("barbarossa_1941", seed=1).board
    )
    assert pickle.loads(pickle.dumps(game.board)) == game.board
    game.play(0)
    assert before != game.position
    assert game.restart(1).position != grognard.load("zama", seed=1).position
    with pytest.raises(TypeError):
        hash(before)


def test_scripted_dice() -> None:
    game = grognard.load("akragas", seed=1, dice={"battle": ["light", "flag"]})
    with pytest.raises(grognard.RecordError, match="scripted"):
        game.record()
    assert grognard.load("akragas", seed=1, dice=["light"]).dice_left == {"battle": 1}
    for dice in ({"d7": [1]}, {"battle": ["seven"]}, 3, {"battle": 3}, ["seven"]):
        with pytest.raises(grognard.ArgumentError):
            grognard.load("akragas", dice=dice)  # type: ignore[arg-type]


def test_games_in_threads(loaded: Game) -> None:
    alone = [play_out(loaded.restart(seed)).hash for seed in range(6)]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda seed: play_out(loaded.restart(seed)).hash, range(6))) == alone
        loads = list(pool.map(lambda seed: grognard.load("akragas", seed=seed), range(3)))
    assert [play_out(game).hash for game in loads] == alone[:3]


# --------------------------------------------------------------------------- loading


@pytest.mark.parametrize("seed", ["7", 1.0, True, -1, 1 << 128, [], b"1"])
def test_seeds_of_odd_kinds(seed: object) -> None:
    with pytest.raises(grognard.ArgumentError, match="seed"):
        grognard.load("akragas", seed=seed)  # type: ignore[arg-type]


def test_without_a_seed_no_two_games_are_alike(loaded: Game) -> None:
    assert loaded.restart().seed != loaded.restart().seed


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("akagras", "did you mean 'akragas'"),
        ("nowhere/first.yaml", "there is no file"),
        ("", "no name"),
        ("/", "folder"),
        ("a\0b", "no name"),
        (Path("x.yaml"), "there is no file"),
        ({}, "does not say for which ruleset"),
        ({"ruleset": "nothing"}, "there is no ruleset"),
        ({"ruleset": "cc_core"}, "abstract"),
    ],
)
def test_scenarios_that_cannot_be_loaded(scenario: object, said: str) -> None:
    with pytest.raises(grognard.LoadError, match=said):
        grognard.load(scenario)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "scenario", [3, None, 1.5, [], object(), {"ruleset": "cc_ancients", "title": object()}]
)
def test_scenarios_of_odd_kinds(scenario: object) -> None:
    with pytest.raises(grognard.ArgumentError):
        grognard.load(scenario)  # type: ignore[arg-type]


def test_findings_are_values() -> None:
    scenario = {
        "ruleset": "cc_ancients",
        "title": "x",
        "pieces": {"Unit": [{"side": "top", "type": "LI", "hex": "Z99"}]},
    }
    with pytest.raises(grognard.LoadError) as caught:
        grognard.load(scenario)
    found = {f.code: f for f in caught.value.findings}
    assert found["S201"].key == "pieces.Unit[0].hex" and found["S201"].is_error
    assert list(caught.value.findings) == grognard.validate(scenario)
    assert "S201" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.findings == caught.value.findings
    json.dumps(found["S201"].to_data())
    circular: dict[str, object] = {"ruleset": "cc_ancients"}
    circular["game"] = circular
    with pytest.raises(grognard.LoadError, match="deep"):
        grognard.load(circular)


def test_files_with_errors_in_folders_with_blanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    text = (ROOT / "scenarios/cc_ancients/akragas.yaml").read_text()
    (folder / "good one.yaml").write_text(text)
    (folder / "bad one.yaml").write_text(text.replace("hex: G9", "hex: Z9"))
    assert (
        grognard.load(folder / "good one.yaml", seed=7).hash
        == grognard.load("akragas", seed=7).hash
    )
    monkeypatch.chdir(folder)
    assert grognard.load("good one.yaml", seed=7).title == "Akragas"
    with pytest.raises(grognard.LoadError) as caught:
        grognard.load("bad one.yaml")
    (finding,) = (f for f in caught.value.findings if f.is_error)
    assert (finding.code, finding.file) == ("S201", "bad one.yaml") and finding.line > 1
    assert grognard.validate("good one.yaml") == []


def test_languages() -> None:
    assert grognard.load("akragas", seed=1, language="en").question
    for language in ("xx", 3):
        with pytest.raises(grognard.ArgumentError, match="language"):
            grognard.load("akragas", language=language)  # type: ignore[arg-type]


def test_switches(loaded: Game) -> None:
    assert loaded.switches["any_way_back"] is False
    assert (
        grognard.load("akragas", switches={"any_way_back": True}).switches["any_way_back"] is True
    )
    with pytest.raises(grognard.LoadError, match="did you mean 'any_way_back'"):
        grognard.load("akragas", switches={"any_way_bakc": True})
    with pytest.raises(grognard.ArgumentError):
        grognard.load("akragas", switches={"any_way_back": "yes"})  # type: ignore[dict-item]


def test_rulesets_elsewhere(tmp_path: Path) -> None:
    from grognard.fronts.cli.main import main

    assert main(["new", "hills"]) == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "rulesets").rename(elsewhere / "rulesets")
    (tmp_path / "scenarios").rename(elsewhere / "scenarios")
    with pytest.raises(grognard.LoadError, match="hills/first"):
        grognard.load("hills/first")
    assert grognard.load("hills/first", root=elsewhere, seed=1).ruleset == "hills"
    assert grognard.check("hills", root=elsewhere) == []
    assert "hills" in grognard.rulesets(elsewhere) and "hills/first" in grognard.scenarios(
        elsewhere
    )
    assert "hills" not in grognard.rulesets()
    rules = next((elsewhere / "rulesets/hills").glob("*.grog"))
    rules.write_text(rules.read_text() + "\nfunction wrong(): int = nonsense\n")
    (finding, *_) = grognard.check(elsewhere / "rulesets/hills")
    assert finding.is_error and finding.line and finding.message
    with pytest.raises(grognard.LoadError) as caught:
        grognard.load("hills/first", root=elsewhere)
    assert finding.code in {f.code for f in caught.value.findings}
    with pytest.raises(grognard.LoadError):
        grognard.load("akragas", root=tmp_path / "nowhere")
    with pytest.raises(grognard.LoadError):
        grognard.check("hlils", root=elsewhere)


@pytest.mark.parametrize(("file", "code"), [("style.yaml", "V903"), ("rulebook.yaml", "C703")])
@pytest.mark.parametrize("text", ["a: b: c\n", "- a\n"])
def test_what_is_no_mapping_is_the_only_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, code: str, text: str
) -> None:
    from grognard.fronts.cli.main import main

    monkeypatch.chdir(tmp_path)
    assert main(["new", "hills"]) == 0
    (tmp_path / "rulesets/hills" / file).write_text(text, encoding="utf-8")
    (finding,) = grognard.check("hills")
    assert (finding.code, Path(finding.file).name, finding.line) == (
        code,
        file,
        1,
    ) and finding.remedy


def test_a_scenario_for_another_ruleset_than_it_names(loaded: Game) -> None:
    with pytest.raises(grognard.LoadError) as caught:
        grognard.load("akragas", ruleset="no_retreat")
    assert {f.code for f in caught.value.findings} == {"S202"}


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(
        "ruleset: cc_ancients\ntitle: x\npieces: {Unit: [{side: nobody}]}\n"
    )
    for scenario in ("bad.yaml", "nothing", tmp_path):
        with pytest.raises(grognard.LoadError):
            grognard.load(scenario)
    assert capfd.readouterr() == ("", "")
