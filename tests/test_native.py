"""Native builds: the same games as in plain Python, from files that nobody else can have written, and never needed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from project import ROOT, playable

from compiler.native import build, kept
from compiler.native.kept import Place
from compiler.native.unit import unit
from compiler.ruleset import Ruleset
from grognard import places
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.games.replay import replay
from runtime.program import CompiledProgram
from runtime.runs.bots import make_bot
from runtime.runs.forecast import arguments, foresee, of_option
from runtime.runs.playout import playout
from runtime.runs.series import play_match
from runtime.scenario import SetUp, load
from runtime.state import RulesetFault
from runtime.view import view

#: What is added to the ruleset: calls that never end.
FALL = """
procedure fall() { do fall() }
forecast strike(d: Piece) of target
assume ward never
assume back first
"""


def missing() -> str:
    """Why nothing can be built here; nothing when it can."""
    try:
        build.toolchain()
    except build.CannotBuild as error:
        return str(error)
    return ""


# --------------------------------------------------------------------------- what is compiled


@pytest.mark.parametrize(
    "folder",
    [
        ROOT / "tests/rulesets/everything",
        *(pytest.param(ROOT / "rulesets" / n, marks=pytest.mark.long) for n in playable()),
    ],
    ids=lambda folder: folder.name,
)
def test_one_module_in_which_each_name_is_said_once(folder: Path) -> None:
    emitted = Ruleset(folder).emitted
    assert emitted is not None
    tree = ast.parse(unit(emitted.text, emitted.blocks))
    names = Counter(n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef))
    assert {"State", "StateBase", "roll", "block", "run", "answer", "playout"} <= set(names)
    assert "RulesetFault" not in names and "Over" not in names, (
        "the engine would not catch its own copies"
    )
    assert set(names.values()) == {1}


def test_truth_values_are_numbers_in_locals_that_are() -> None:
    text = unit(
        "class State(StateBase):\n    pass\n\n\n"
        "def q_seen(s: State, v_a: int) -> int:\n    t1: int\n    t2: int = f[1]\n    if v_a > 1:\n        t1 = v_a > 2\n"
        "    else:\n        t1 = True\n    t2 = t1 and v_a\n    return t1\n\n\n"
        "BLOCKS: Final = ()\n",
        [],
    )
    assert (
        "t1 = (v_a > 2) + 0" in text and "t1 = True + 0" in text and "t2 = (t1 and v_a) + 0" in text
    )
    assert "t2: int = f[1]\n" in text


def test_calls_in_circles_are_counted(tmp_path: Path) -> None:
    text = unit(
        "class State(StateBase):\n    pass\n\n\n"
        "def p_one(s: State, v_n: int) -> None:\n    p_two(s, v_n)\n\n\n"
        "def p_two(s: State, v_n: int) -> None:\n    p_one(s, v_n)\n    p_three(s)\n\n\n"
        "def p_three(s: State) -> None:\n    pass\n\n\n"
        "BLOCKS: Final = ()\n",
        [],
    )
    assert "def again_p_one(s: State, v_n: int) -> None:\n    deeper()" in text
    assert "again_p_two(s, v_n)" in text and "again_p_three" not in text


# --------------------------------------------------------------------------- one build, used by the tests below


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small ruleset with a native build in a cache of its own."""
    base = tmp_path_factory.mktemp("native")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROGNARD_CACHE", str(base / "cache"))
        patch.delenv(kept.SWITCH, raising=False)
        made = base / "skirmish"
        shutil.copytree(ROOT / "tests/rulesets/skirmish", made)
        (made / "fall.grog").write_text(FALL)
        compilation = Ruleset(made)
        assert compilation.ok, compilation.diagnostics
        stages: list[str] = []
        assert compilation.emitted is not None
        size = build.build_at(
            compilation.native, compilation.emitted, build.toolchain(), stages.append, optimize=0
        )
        assert size > 10_000 and stages == ["translating to C", "compiling the C"]
        yield made


@pytest.fixture
def place(folder: Path) -> Iterator[Place]:
    """Where the build is; put back as it was."""
    there = Ruleset(folder).native
    aside = folder.parent / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    shutil.copytree(there.folder, aside)
    kept._loaded.clear()
    yield there
    shutil.rmtree(there.folder, ignore_errors=True)
    shutil.copytree(aside, there.folder)
    there.folder.chmod(0o700)
    kept._loaded.clear()


def programs(
    folder: Path, scenario: str = "meeting.yaml"
) -> tuple[CompiledProgram, CompiledProgram, SetUp]:
    """The native program, the plain one, and a scenario."""
    native = Ruleset(folder).loaded
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kept.SWITCH, "no")
        plain = Ruleset(folder).loaded
    assert native is not None and plain is not None
    assert native.native and not plain.native
    setup, findings = load(folder / scenario, plain.spec)
    assert setup is not None, findings
    return native.on(setup.board), plain.on(setup.board), setup


def played(program: CompiledProgram, setup: SetUp, seed: int) -> list[object]:
    """Every state of a random game: hashes, and all there is in some; of copies, and read back from data."""
    state = program.new_state(setup, seed)
    state.log = []
    program.begin(state)
    rng, trace = Random(seed), list[object]()
    while not state.over and len(trace) < 2000:
        option = rng.choice(state.options)
        if len(trace) % 7 == 0:
            twin = program.state_class.from_data(json.loads(json.dumps(state.to_data())))
            assert twin == state and twin == state.copy()
            program.answer(twin, option)
            trace.append(twin.hash())
        program.answer(state, option)
        trace += [state.hash(), state.point, state.chooser, tuple(state.options), state.about]
    return [
        *trace,
        state.to_data(),
        state.log,
        state.ranks,
        program.standing(state, 0),
        program.score(state, 1),
    ]


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
class TestBuilt:
    """What a built ruleset does."""

    def test_whole_games_are_the_same(self, folder: Path) -> None:
        native, plain, setup = programs(folder)
        for seed in range(12):
            assert played(native, setup, seed) == played(plain, setup, seed)

    def test_playouts_and_bots_play_the_same(self, folder: Path) -> None:
        native, plain, setup = programs(folder)
        ends = []
        for program in (native, plain):
            state = program.new_state(setup, 5)
            program.begin(state)
            first = playout(program, state, Random(5), 7)
            ends.append(
                (first, state.hash(), playout(program, state, Random(6)), state.hash(), state.over)
            )
            bots = [make_bot("greedy"), make_bot("random")]
            result = play_match(program, setup, bots, 9, names=("greedy", "random"))
            ends[-1] += (result.decisions, result.ranks)  # type: ignore[assignment]
        assert ends[0] == ends[1] and ends[0][0] == 7

    def test_records_of_either_are_played_by_the_other(self, folder: Path) -> None:
        native, plain, setup = programs(folder)
        for one, other in ((native, plain), (plain, native)):
            game = Game(one, setup, 3)
            rng = Random(3)
            while not game.over:
                assert game.decision is not None
                game.play(rng.choice(game.decision.options))
            record = Record.parse(Record.of(game).write())
            again = replay(other, setup, record)
            assert again.state.hash() == game.state.hash() and again.log == game.log

    def test_forecasts_say_the_same(self, folder: Path) -> None:
        native, plain, setup = programs(folder)
        told = 0
        for seed in range(6):
            states = [program.new_state(setup, seed) for program in (native, plain)]
            rng = Random(seed)
            native.begin(states[0])
            plain.begin(states[1])
            while not states[0].over:
                state = states[0]
                for option in state.options:
                    for forecast in of_option(plain.spec, state.point, option):
                        args = arguments(plain.spec, state.point, option, state.about)
                        one, other = (
                            foresee(p, view(s, s.chooser), forecast, args, Random(1), times=20)
                            for p, s in zip((native, plain), states, strict=True)
                        )
                        assert one == other
                        told += bool(one.outcomes)
                option = rng.choice(state.options)
                native.answer(states[0], option)
                plain.answer(states[1], option)
        assert told

    def test_another_board(self, folder: Path) -> None:
        text = (folder / "meeting.yaml").read_text()
        (folder / "narrow.yaml").write_text(text + "board: {rows: 5, columns: 5}\n")
        native, plain, setup = programs(folder, "narrow.yaml")
        assert native.native and native.spec.board.columns == 5
        meeting = programs(folder)
        for seed in range(3):
            assert played(native, setup, seed) == played(plain, setup, seed)
            assert played(meeting[0], meeting[2], seed) == played(meeting[1], meeting[2], seed)

    def test_endless_calls_are_a_fault_of_the_rules(self, folder: Path) -> None:
        for program in programs(folder)[:2]:
            state = program.new_state(programs(folder)[2], 1)
            for _ in range(2):
                with pytest.raises((RulesetFault, RecursionError)):
                    program.start(state, "fall", [])

    def test_it_can_be_left_aside(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for word in ("no", "0", "off", "No"):
            monkeypatch.setenv(kept.SWITCH, word)
            program = Ruleset(folder).loaded
            assert program is not None and not program.native and not program.fault

    def test_changed_sources_are_not_what_was_built(self, folder: Path, place: Place) -> None:
        (folder / "fall.grog").write_text(FALL + "# a remark\n")
        try:
            program = Ruleset(folder).loaded
            assert program is not None and not program.native and not program.fault
        finally:
            (folder / "fall.grog").write_text(FALL)

    @pytest.mark.parametrize("harm", ["cut", "changed", "another", "group", "folder", "link"])
    def test_what_is_damaged_or_not_ones_own_is_not_loaded(
        self, folder: Path, place: Place, harm: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        content = place.entry.read_bytes()
        match harm:
            case "cut":
                place.entry.write_bytes(content[: len(content) // 2])
            case "changed":
                place.entry.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
            case "another":
                other = Place(place.folder, place.name, place.key + "x")
                other.store(place.content(), place.maker())
                other.entry.replace(place.entry)
            case "group":
                place.entry.chmod(0o620)
            case "folder":
                place.folder.chmod(0o777)
            case "link":
                place.entry.rename(place.folder / "aside.bin")
                place.entry.symlink_to(place.folder / "aside.bin")
        program = Ruleset(folder).loaded
        assert program is not None and not program.native and place.name in program.fault
        places.program_of(folder)
        places.program_of(folder)
        said = capsys.readouterr().err
        assert said.count("plain Python is used") <= 1 and not place.maker()

    @pytest.mark.skipif(
        not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away"
    )
    def test_what_belongs_to_somebody_else_is_not_loaded(self, folder: Path, place: Place) -> None:
        os.chown(place.entry, 65534, -1)
        program = Ruleset(folder).loaded
        assert program is not None and not program.native and program.fault

    def test_a_build_that_was_interrupted_is_none(self, folder: Path, place: Place) -> None:
        place.entry.rename(place.entry.with_suffix(".tmp"))  # it is moved to its place when whole
        program = Ruleset(folder).loaded
        assert program is not None and not program.native and not program.fault

    def test_a_cache_that_cannot_be_written(
        self, folder: Path, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A build in it is used, and none is begun that could not be kept."""
        held = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and held(path, mode))
        before = sorted(place.folder.iterdir())
        program = Ruleset(folder).loaded
        assert program is not None and program.native and not program.fault
        assert sorted(place.folder.iterdir()) == before
        monkeypatch.setattr(build, "build", lambda *_: pytest.fail("it is begun"))
        ruleset = Ruleset(folder)
        assert ruleset.emitted is not None
        with pytest.raises(build.CannotBuild, match="is read-only"):
            build.build_at(ruleset.native, ruleset.emitted, "0")

    def test_only_the_latest_builds_stay(self, folder: Path, place: Place) -> None:
        for number in range(4):
            Place(place.folder, place.name, f"{number}").store(b"x" * 10, "0")
        Place(place.folder, f"{place.name}-other", "0").store(b"x", "0")
        names = [p.name for p in place.folder.iterdir()]
        assert sum(name.startswith(f"{place.name}-other-") for name in names) == 1
        assert len(names) == 3
        assert Place(place.folder, place.name, "3").content() == b"x" * 10

    def test_what_several_keep_at_once_is_one_of_them(self, folder: Path, place: Place) -> None:
        other = Place(place.folder, "several", "key")
        code = (
            "import sys\nfrom pathlib import Path\nfrom compiler.native.kept import Place\n"
            "for i in range(40): Place(Path(sys.argv[1]), 'several', 'key').store(sys.argv[2].encode() * 9999, '0')"
        )
        running = [
            subprocess.Popen(
                [sys.executable, "-c", code, place.folder, letter],
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            for letter in "ab"
        ]
        while any(one.poll() is None for one in running):
            with suppress(OSError):  # not there yet, or just being replaced
                assert len(set(other.content())) == 1
        assert [one.wait() for one in running] == [0, 0]
        assert other.content() in (b"a" * 9999, b"b" * 9999)


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
def test_a_value_compared_with_itself() -> None:
    # Rules say that when they are worked out for given arguments; C compilers warn of it.
    assert build.build("def same(a: int) -> bool:\n    return a != a\n", "grognard_same")


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no groups of processes")
@pytest.mark.parametrize("stage", ["translating", "compiling"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_build_that_is_stopped_leaves_nothing(tmp_path: Path, number: int, stage: str) -> None:
    """Neither files nor a compiler at work."""
    code = (
        "import sys, os\nfrom compiler.native.build import build\nfrom grognard.fronts.cli.signals import stopped_by_signals\n"
        "text = '\\n'.join(f'def f{i}(x: int) -> int:\\n    return x + {i}' for i in range(1000))\n"
        "with stopped_by_signals(): build(text, 'slow', lambda stage: print(stage, flush=True))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as one:
        assert one.stdout is not None
        one.stdout.readline()
        assert any(tmp_path.iterdir())
        end = time.monotonic() + 60
        while stage == "compiling" and not any(tmp_path.rglob("cc*.s")) and time.monotonic() < end:
            time.sleep(0.01)  # until the C compiler writes files of its own
        assert one.poll() is None
        one.send_signal(number)
        one.wait(60)
    end = time.monotonic() + 60
    while any(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(tmp_path.iterdir())
