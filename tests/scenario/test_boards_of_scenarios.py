"""Scenarios with a board of their own, from the compiler to the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import ROOT, program_of, setup_of

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from grognard.cases.file import Case
from grognard.cases.runner import CaseRunner
from grognard.explain.explainer import Explainer
from runtime.data.reader import plain, read_file
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.scenario import load

EVERYTHING = ROOT / "tests/rulesets/everything"


@pytest.fixture(scope="module")
def compilation():
    return Ruleset(EVERYTHING)


@pytest.fixture(scope="module")
def program(compilation):
    return compilation.compiled


def setup(program, name: str):
    made, findings = load(EVERYTHING / f"{name}.yaml", program.spec)
    assert made is not None, findings
    return made


def test_one_program_for_each_board(program) -> None:
    here, there = setup(program, "drill"), setup(program, "elsewhere")
    assert program.on(here.board) is program
    placed = program.on(there.board)
    assert placed is not program and program.on(setup(program, "elsewhere").board) is placed
    assert (program.spec.board.size, placed.spec.board.size) == (38, 69)
    assert placed.spec.hash == program.spec.hash
    with pytest.raises(ValueError, match="brings a board"):
        program.new_state(there, 1)


def test_a_record_of_a_game_on_another_board(program) -> None:
    there = setup(program, "elsewhere")
    game = Game(program.on(there.board), there, 5)
    for _ in range(40):
        if game.over:
            break
        game.take(game.state.options[-1])
    record = Record.parse(Record.of(game).write())
    again = replay(program.on(there.board), there, record)
    assert again.state.hash() == game.state.hash()


def test_the_rulesets_own_board_named_by_a_scenario_is_the_same(program) -> None:
    """Two readers of a board's file, the compiler's and that of scenarios, understand the same."""
    text = (EVERYTHING / "drill.yaml").read_text(encoding="utf-8") + "\nboard: land\n"
    made, findings = load(text, program.spec)
    assert made is not None and made.board is not None, findings
    assert made.board.board == program.spec.board
    assert dict(made.board.values) == {f.name: f.values for f in program.spec.map_fields}
    assert program.on(made.board) is program


def test_the_map_of_a_game_read_by_both() -> None:
    program = program_of("no_retreat")
    assert program.spec.boards
    scenario = ROOT / "scenarios/no_retreat/barbarossa_1941.yaml"
    for file in program.spec.boards:
        made, findings = load(
            scenario.read_text(encoding="utf-8") + f"\nboard: {file}\n", program.spec
        )
        assert made is not None and made.board is not None, findings
        assert dict(made.board.values) == {f.name: f.values for f in program.spec.map_fields}
        assert made.board.board.neighbors == program.spec.board.neighbors


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_case_on_the_board_of_its_scenario_or_its_own(
    compilation, program, interpreted: bool
) -> None:
    runs = InterpretedProgram(compilation.program, program.spec) if interpreted else program
    root, _ = read_file(EVERYTHING / "elsewhere.yaml", "it")
    runner = CaseRunner(compilation.program, runs, plain(root))
    board = program.on(setup(program, "elsewhere").board).spec.board
    far = {
        label: board.distance(board.index(label), board.index("A1"))
        + board.distance(board.index(label), board.index("F7"))
        for label in ("H9", "C4")
    }
    there = Case(
        "it",
        1,
        {
            "name": "there",
            "run": "nothing",
            "expect": {"values": {f"far_off({label})": n for label, n in far.items()}},
        },
    )
    assert runner.run(there).problems == ()
    own = {"name": "square", "rows": ["......."] * 7, "narrow": "none"}
    position = {
        "board": own,
        "pieces": {"Unit": [{"side": "north", "type": "LI", "hex": "G7", "name": "scout"}]},
    }
    expect = {"values": {"far_off(A1)": 9}, "fields": {"scout.hex": "G7"}}
    assert (
        runner.run(
            Case("it", 1, {"name": "own", "position": position, "run": "nothing", "expect": expect})
        ).problems
        == ()
    )
    missing = Case(
        "it",
        1,
        {
            "name": "H9",
            "position": position,
            "run": "nothing",
            "expect": {"fields": {"scout.hex": "H9"}},
        },
    )
    assert "no hex 'H9'" in runner.run(missing).problems[0]


def test_explanations_speak_of_the_scenarios_board(program) -> None:
    there = setup(program, "elsewhere")
    placed = program.on(there.board)
    game = Game(placed, there, 1)
    explainer = Explainer(Ruleset(EVERYTHING), placed.spec.board)
    h = placed.spec.board.index("H9")
    lines = explainer.explain(game.state, "near", [h], game.setup).lines
    assert any("near(H9)" in line.text for line in lines), lines
    assert setup_of("no_retreat/barbarossa_1941").board is None


def test_rules_that_name_a_hex_the_board_lacks(program) -> None:
    text = (EVERYTHING / "drill.yaml").read_text(
        encoding="utf-8"
    ) + "\nboard: {rows: 5, columns: 9}\n"
    made, findings = load(text, program.spec, name="it")
    assert made is None
    assert {f.code for f in findings} == {"S221"}
    assert any("names the hex F7" in f.message and "geometry.grog:" in f.message for f in findings)


def test_commands(tmp_path: Path, capsys, monkeypatch) -> None:
    from grognard.fronts.cli.main import main

    (tmp_path / "rulesets").mkdir()
    for name in ("everything", "everything_base"):
        (tmp_path / "rulesets" / name).symlink_to(ROOT / "tests/rulesets" / name)
    (tmp_path / "scenarios/everything").mkdir(parents=True)
    for name in ("drill", "elsewhere"):
        (tmp_path / "scenarios/everything" / f"{name}.yaml").write_text(
            (EVERYTHING / f"{name}.yaml").read_text(encoding="utf-8"), encoding="utf-8"
        )
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "elsewhere"]) == 0
    assert main(["render", "elsewhere", "-o", "board.svg"]) == 0
    svg = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert ">H9<" in svg and "Gate" in svg
    capsys.readouterr()
    assert main(["render", "elsewhere", "--text", "board"]) == 0
    assert "H" in capsys.readouterr().out
    assert main(["explain", "everything/elsewhere", "near", "H9"]) == 0
    assert "near(H9)" in capsys.readouterr().out
    assert main(["bots", "elsewhere", "--games", "2", "--jobs", "1", "--records", "records"]) == 0
    records = sorted((tmp_path / "records").glob("*"))
    assert len(records) == 2
    for record in records:
        assert main(["replay", str(record)]) == 0
