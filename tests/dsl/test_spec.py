"""The examples of the specification compile together, and what the text beside them says is true of both executions.

The examples of ``dsl/spec`` form one game, but for those that begin with a header of their own; those of the chapters up
to *play* are a game by themselves.  ``spec/probes.grog`` is compiled with them: small functions and procedures that ask
what the text claims.  The cases stand beside it, a file for each chapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from samples import CHAPTERS, ROOT, example_file, examples, read

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from compiler.sources.folders import find_in
from grognard.cases.file import Case
from grognard.cases.runner import CaseRunner
from runtime.games.game import Game
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.runs.forecast import foresee
from runtime.scenario import SetUp, load
from runtime.view import view

HEADER = "ruleset skirmish\ncites X\n"

SPEC = Path(__file__).parent / "spec"
PROBES = read(SPEC / "probes.grog")
SCENARIO = read(SPEC / "scenario.yaml")
#: The chapters whose examples are a game by themselves.
SMALL_GAME = ("facts", "pieces", "rules", "play")
#: Chapter, what is tried, and the case, run by both executions.
SAYS: list[tuple[str, str, dict[str, Any]]] = [
    (path.stem, what, case)
    for path in sorted(SPEC.glob("*.yaml"))
    if path.stem in CHAPTERS
    for what, case in yaml.safe_load(path.read_text(encoding="utf-8")).items()
]
#: The chapters that no case tries: what they say is not about play, or has a test below.
WITHOUT_CASES = {"first-game", "citations", "boards", "forecasts", "design"}


def lay_out(root: Path, more: str = "", blocks: Sequence[str] = ()) -> Path:
    """Write the rulesets of the specification below *root*, or those of *blocks* alone; the folder of the base."""
    base = root / "skirmish"
    (base / "texts").mkdir(parents=True)
    (base / "ruleset.grog").write_text(HEADER, encoding="utf-8")
    if not blocks:
        (base / "probes.grog").write_text(PROBES, encoding="utf-8")
        (base / "texts" / "en.yaml").write_text(example_file("texts/en.yaml"), encoding="utf-8")
    (base / "more.grog").write_text(more, encoding="utf-8")
    numbers = re.findall(r"(?:\bX-|§)([0-9.]*[0-9])\b", "".join(examples()))
    cited = sorted({f"X-{number}" for number in numbers})
    index = "".join(f"{rule}: {{source: house, page: 1, topic: Example}}\n" for rule in cited)
    (base / "rulebook.yaml").write_text(index, encoding="utf-8")
    for number, block in enumerate(blocks or examples()):
        if block.startswith("ruleset "):
            folder = root / block.split()[1]
            (folder / "boards").mkdir(parents=True)
            (folder / "rules.grog").write_text(block, encoding="utf-8")
            (folder / "rulebook.yaml").write_text(index, encoding="utf-8")
            if name := re.search(r"\bfile (\w+);", block):
                board = f"boards/{name[1]}.yaml"
                (folder / board).write_text(example_file(board), encoding="utf-8")
        else:
            (base / f"example_{number:02}.grog").write_text(block, encoding="utf-8")
    return base


def compiled(folder: Path) -> Ruleset:
    """Compile a folder; there is no error."""
    compilation = Ruleset(folder, find_in(folder.parent))
    assert compilation.ok, "\n".join(
        f"{d.span} {d.code} {d.message}" for d in compilation.diagnostics if d.is_error
    )
    return compilation


@cache
def built(
    root: Path, name: str
) -> tuple[Ruleset, RulesetSpec, SetUp, dict[str, Any], tuple[Program, Program]]:
    """A ruleset of the specification with its scenario and both executions."""
    compilation = compiled(root / name)
    program = compilation.compiled
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
        outcome = CaseRunner(compilation.program, program, scenario).run(Case("SPEC", 1, case))
        assert outcome.ok, (type(program).__name__, outcome.problems, outcome.log)


@pytest.mark.parametrize(
    ("chapter", "what", "case"), SAYS, ids=[f"{c}: {what}" for c, what, _ in SAYS]
)
def test_what_the_specification_says(
    root: Path, chapter: str, what: str, case: dict[str, Any]
) -> None:
    run(root, "skirmish_camels" if chapter == "families" else "skirmish", case)


def test_all_chapters_are_tried() -> None:
    assert {chapter for chapter, _, _ in SAYS} == CHAPTERS.keys() - WITHOUT_CASES
    others = {path.stem for path in SPEC.glob("*.yaml")} - CHAPTERS.keys()
    assert others == {"scenario"}


# ------------------------------------------------------------------ the book


def test_the_contents_list_every_chapter() -> None:
    links = re.findall(
        r"^\| (\d+) \[([a-z-]+)\]\(spec/(\S+)\)", read(ROOT / "dsl" / "SPEC.md"), re.MULTILINE
    )
    assert links == [
        (str(number), name, path.name) for number, (name, path) in enumerate(CHAPTERS.items(), 1)
    ]
    for (number, _, _), path in zip(links, CHAPTERS.values()):
        assert path.name.startswith(f"{int(number):02}-")
        assert read(path).startswith(f"# {number} ")


def test_chapters_are_short() -> None:
    assert {n: size for n, path in CHAPTERS.items() if (size := read(path).count("\n")) > 125} == {}


def test_chapters_begin_with_an_example() -> None:
    begun = {name: read(path).partition("\n## ")[0] for name, path in CHAPTERS.items()}
    assert {name for name, text in begun.items() if "\n```" not in text} == {"design"}


@cache
def committed_texts() -> dict[Path, str]:
    """The text files of the project that may speak of the specification."""
    folders = ("bench", "compiler", "docs", "dsl", "grognard", "rulesets", "runtime", "tests")
    paths = [*ROOT.glob("*.md"), *(path for name in folders for path in (ROOT / name).rglob("*"))]
    kinds = {".grog", ".j2", ".lark", ".md", ".py", ".yaml"}
    return {path: read(path) for path in paths if path.suffix in kinds and path.is_file()}


def test_references_to_chapters() -> None:
    """``SPEC: name`` and links name chapters that there are; nothing counts sections any more."""
    wrong = []
    for path, text in committed_texts().items():
        wrong += [(path, m[0]) for m in re.finditer(r"SPEC(\.md`?)? §", text)]
        for name in re.findall(r"\bSPEC: ([a-z-]+)", text):
            wrong += [(path, name)] if name not in {*CHAPTERS, "name"} else []
        if path.suffix == ".md":
            links = re.findall(r"\]\(((?:[\w./-]*/)?\d\d-[a-z-]+\.md|[^)\s:]*SPEC\.md)", text)
            wrong += [(path, link) for link in links if not (path.parent / link).is_file()]
    assert wrong == []


# ------------------------------------------------------------------ what is reported


def findings(tmp_path: Path, more: str) -> list[str]:
    """The codes of what is found when *more* is added to the example; advice left out."""
    folder = lay_out(tmp_path, more)
    return [
        d.code for d in Ruleset(folder, find_in(tmp_path)).diagnostics if not d.code.startswith("L")
    ]


#: Chapter, code, what makes the compiler report it.
REPORTED = [
    ("citations", "C701", "@rule X-99.9\nfunction f(): int = 1"),
    ("first-game", "R102", "ruleset skirmish"),
    ("values", "T302", "function f(u: Unit): bool = u.type.cc > u.type.move"),
    ("values", "T302", "function f(u: Unit): Points = u.type.move + 1"),
    (
        "values",
        "T304",
        "procedure p(u: Unit) { set u.blocks = 1 }\nprocedure q(h: Hex) { do p(Unit[h]) }",
    ),
    ("values", "R204", "procedure p() { let x = hit }"),
    ("values", "Q507", "function f(n: int): int = g(n)\nfunction g(n: int): int = f(n)"),
    ("facts", "F401", "table faces of Face { columns n: int\n | hit | 1 |\n | miss | 2 |\n}"),
    (
        "facts",
        "F404",
        "table faces of Face { columns n: int\n | hit | 1 |\n | miss | — |\n | flag | 2 |\n}",
    ),
    (
        "tables",
        "F408",
        "table faces of Face { columns n: int\n | hit | 1 |\n | miss | ? |\n | flag | 2 |\n}",
    ),
    ("facts", "R104", "sides left, right"),
    ("cards", "F407", "deck other of Card copies count { pile stock per Side hidden }"),
    ("pieces", "S605", "fields of Side { y: int = 0 x: int = it.y lasts turn }"),
    (
        "kinds",
        "F409",
        "procedure p() { create Marker as m { side: top } else { leave } note made(m) }",
    ),
    ("kinds", "F409", "piece Barrow of Wagon { }"),
    ("kinds", "R104", "piece Barrow of Marker { spent: bool = false }"),
    ("kinds", "R202", "function f(m: Marker): int = m.stores"),
    ("kinds", "R202", "function f(m: Marker): int = if m in Scout then m.stores else 0"),
    (
        "kinds",
        "R202",
        "procedure p(m: Marker, o: Marker) { if m in Wagon { set m = o  take 1 from m.stores } }",
    ),
    ("kinds", "T301", "procedure p(w: Wagon) { leave }\nprocedure q(m: Marker) { do p(m) }"),
    ("kinds", "T301", "function f(w: Wagon, s: Scout): bool = w is s"),
    ("expressions", "P101", "function f(): int = 1 + count u in Unit"),
    ("stages", "Q501", "quantity q(t: Type): int\nrule r for q = 1 when t is LI"),
    ("stages", "Q502", "quantity q(t: Type): int\nrule r for q = 1\nrule s for q = 2 when t is LI"),
    (
        "stages",
        "Q503",
        "quantity q(t: Type): int\nrule r for q = 1 when t is LI\nrule o for q = 2 when t is not LI\n"
        "rule s except r for q = 2 when t is HC",
    ),
    ("stages", "Q506", "modify m for nested stage s by 1"),
    ("procedures", "S607", "procedure p() { within combat { leave } }"),
    ("procedures", "S607", "procedure p() { together { leave } }"),
    ("procedures", "S615", "procedure p() { together { do q() } }\nprocedure q() { win by top }"),
    ("procedures", "T301", "fields of Game { kept: roll of Face }"),
    ("procedures", "S602", "procedure p() { stop }"),
    ("effects", "T303", "effect e(a: Unit, b: Unit) lasts turn { }\nfunction f(): bool = effect e"),
    (
        "end",
        "S601",
        "check c when round > 3 { choose s in Side by top else { leave } set active = s }",
    ),
    ("families", "R105", "replace function nothing_here(): int = 1"),
    ("families", "R104", "function allowance(u: Unit): Hexes = 1"),
    ("families", "R106", "insert ahead nothing of play { }"),
]


@pytest.mark.parametrize(("chapter", "code", "more"), REPORTED)
def test_what_is_reported(tmp_path: Path, chapter: str, code: str, more: str) -> None:
    assert code in findings(tmp_path, more)


def test_reports_belong_to_chapters() -> None:
    assert {chapter for chapter, _, _ in REPORTED} <= CHAPTERS.keys()


def test_nothing_is_reported_on_the_examples(tmp_path: Path) -> None:
    assert findings(tmp_path, "") == []


def test_dice(root: Path) -> None:
    spec = built(root, "skirmish")[1]
    assert {d.name: d.faces for d in spec.dice} == {
        "battle": (0, 0, 1, 1, 1, 2),
        "d6": (1, 2, 3, 4, 5, 6),
    }


def test_labels(root: Path) -> None:
    board = built(root, "skirmish")[1].board
    assert (board.row_of[board.index("A1")], board.column_of[board.index("A1")]) == (8, 0)
    assert "I13" in board.labels and "H12" in board.labels and "H13" not in board.labels


def test_board_from_a_file(root: Path) -> None:
    compilation = compiled(root / "charted")
    program = compilation.compiled
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
    case = Case("SPEC", 1, {"run": "play()", "expect": {"values": values}})
    assert (
        CaseRunner(compilation.program, program, {"ruleset": "charted", "title": "x"})
        .run(case)
        .problems
        == ()
    )
    assert program.spec.board.names[program.spec.board.index("0303")] == "Far Corner"


def test_setup_without_an_initial_value_must_be_given(root: Path) -> None:
    setup, found = load(
        SCENARIO.replace("bottom: {goal: 3}", "bottom: {}"), built(root, "skirmish")[1]
    )
    assert setup is None
    assert any("goal" in f.message for f in found)


def test_a_scenario_that_does_not_meet_a_requirement_is_refused(root: Path) -> None:
    program = built(root, "skirmish")[0].compiled
    setup, found = load(
        SCENARIO.replace("bottom: {goal: 3}", "bottom: {goal: 0}"),
        program.spec,
        broken=program.unmet_requirements,
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
    plan, knower = (
        next(f.slot for f in spec.fields if f.name == name) for name in ("plan", "knower")
    )
    for seen_by, sides in ((-1, ()), (0, (0,)), (1, (1,))):
        one, two = (program.new_state(setup, 1) for _ in range(2))
        for s, value in ((one, 0), (two, 1)):
            setattr(
                s, knower, [-1, seen_by, -1]
            )  # columns that nothing changes are shared between states
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
        path
        for path in folder.glob("*.grog")
        if "  distance grid;" in path.read_text(encoding="utf-8")
    )
    meant = path.read_text(encoding="utf-8").replace(
        "  distance grid;", "  file joined;  distance grid;"
    )
    codes = []
    for text in (meant, meant.replace("distance grid;", "")):
        path.write_text(text, encoding="utf-8")
        found = Ruleset(folder, find_in(tmp_path)).diagnostics
        assert not [d for d in found if d.is_error]
        codes.append({d.code for d in found} & {"L805"})
    assert codes == [set(), {"L805"}]


def test_checkpoints(root: Path) -> None:
    _, _, setup, _, programs = built(root, "skirmish")
    for program in programs:
        state = program.new_state(setup, 1)
        program.start(state, "tire", [0])
        assert state.checkpoints == 1


def play_by_both(programs: tuple[Program, Program], setup: SetUp) -> None:
    """A game to its end, by chance, in both executions alike."""
    games = [Game(program, setup, 5) for program in programs]
    chance = Random(5)
    while not games[0].over:
        assert [o.text for o in games[0].decision.options] == [
            o.text for o in games[1].decision.options
        ]  # type: ignore[union-attr]
        choice = chance.randrange(len(games[0].state.options))
        for game in games:
            game.play(choice)
    assert games[0].log == games[1].log and games[0].ranks == games[1].ranks


@pytest.mark.parametrize("name", ["skirmish", "skirmish_camels"])
def test_a_game_to_its_end(root: Path, name: str) -> None:
    _, _, setup, _, programs = built(root, name)
    play_by_both(programs, setup)


@pytest.mark.parametrize("chapters", [("first-game",), SMALL_GAME])
def test_the_games_of_the_first_chapters(tmp_path: Path, chapters: tuple[str, ...]) -> None:
    blocks = examples(*chapters)
    lay_out(tmp_path, blocks=blocks)
    name = "skirmish" if chapters is SMALL_GAME else "pebbles"
    compilation = compiled(tmp_path / name)
    program = compilation.compiled
    assert [d.code for d in compilation.diagnostics if not d.code.startswith("L")] == []
    scenario = example_file("scenarios/skirmish/first.yaml")
    setup, found = load(
        scenario if name == "skirmish" else "ruleset: pebbles\ntitle: Eleven stones\n",
        program.spec,
    )
    assert setup is not None, found
    play_by_both((program, InterpretedProgram(compilation.program, program.spec)), setup)


def test_what_comes_of_a_duel(root: Path) -> None:
    """The forecasts of its chapter, against all throws."""
    _, spec, setup, _, programs = built(root, "skirmish")
    names = [piece.name for piece in setup.pieces["Unit"]]
    u, v = names.index("hi"), names.index("hc")
    for program in programs:
        state = program.new_state(setup, 1)
        found = foresee(program, view(state, 0), spec.forecasts["duel"], (u, v))
        quarrel = foresee(program, view(state, 0), spec.forecasts["quarrel"], (u, v))
        assert quarrel.outcomes[0].name == "may_be_reached"
        assert quarrel.outcomes[1:] == found.outcomes
        told = {o.name: o for o in reversed(found.outcomes)}
        dice = told["dice"].alternatives[0].values[0]
        hits = [0] * (dice + 1)
        for throw in product((0, 0, 1, 1, 1, 2), repeat=dice):
            hits[throw.count(0)] += 1
        assert [a.chance * 6**dice for a in told["hits"].alternatives] == hits
        blocks = 3  # of the horsemen
        destroyed = {a.values: a.chance for a in told["destroyed"].alternatives}
        assert destroyed[v,] == Fraction(sum(hits[blocks:]), 6**dice)
        assert told["hits_back"].chance == 1 - destroyed[v,] and told["hits_back"].depth == 1
