"""Native builds: the same games as in Python, from files that nobody else can have written, and never needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from native_builds import built, maker, missing
from project import ROOT, playable

from compiler.native import build, build_cache
from compiler.native.build_cache import Builds
from compiler.native.side_by_side import FollowedNatively, NativeParts
from compiler.ruleset import Ruleset
from grognard.bots import background_build
from grognard.bots.background_build import build_meanwhile
from grognard.bots.players import seat_for
from grognard.opening import open_scenario
from runtime.program import CompiledProgram
from runtime.runs.bots import GreedyBot
from runtime.runs.machine import machine_for, plays, shape_of
from runtime.runs.seats import make_bot
from runtime.runs.series import MatchResult, play_match, run_series
from runtime.scenario import SetUp, load

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "it can")

#: Rulesets of the tests, with a scenario each.
SMALL = {
    "everything": "drill",
    "mixture": "field",
    "secrets": "duel",
    "cubes": "table",
    "spaces": "delta",
    "plotted": "passage",
    "masses": "meadow",
}
#: Those in which more than cards is hidden.
HIDING = {
    "everything": "drill",
    "mixture": "field",
    "secrets": "duel",
    "plotted": "passage",
    "blocks": "fords",
    "concealed": "village",
}
#: Of each game a scenario that has much in it.
LARGE = {
    "cc_ancients": "trebbia",
    "cc_ancients_greece": "hydaspes",
    "cc_napoleonics": "salamanca_1",
    "no_retreat": "campaign",
    "battles_of_westeros": "raid_in_the_riverlands",
    "battles_of_napoleon": "los_arapiles",
}


@pytest.mark.parametrize("name", SMALL)
def test_small_games_are_the_same(name: str) -> None:
    folder = ROOT / "tests/rulesets" / name
    there = built(folder, folder / f"{SMALL[name]}.yaml")
    assert sum(there.play(seed, 300) for seed in range(5)) > 20


@pytest.mark.parametrize("name", ["mixture", "secrets", "plotted"])
def test_a_search_finds_the_same(name: str) -> None:
    folder = ROOT / "tests/rulesets" / name
    there, seen = built(folder, folder / f"{SMALL[name]}.yaml"), set[int]()
    for seed in range(2):
        seen |= there.search(seed, 60)
    assert len(seen) > 1


@pytest.mark.parametrize("name", HIDING)
def test_what_is_hidden_is_drawn_alike(name: str) -> None:
    folder = ROOT / "tests/rulesets" / name
    there = built(folder, folder / f"{HIDING[name]}.yaml")
    assert sum(there.samples(seed, 60) for seed in range(3)) > 20


class _Signal(BaseException):
    """What a signal raises wherever Python is at work."""


def test_a_signal_that_comes_while_the_board_is_asked_ends_the_game() -> None:
    folder = ROOT / "tests/rulesets/everything"
    there = built(folder, folder / "drill.yaml")

    class Signalled:
        def __getattr__(self, _: str) -> None:
            raise _Signal

    there.machine.library.board = Signalled()  # type: ignore[assignment]
    with pytest.raises(_Signal):
        for seed in range(20):
            there.play(seed, 300)
    assert there.machine.library.interruption is None


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_games_are_the_same(name: str) -> None:
    scenario = ROOT / "scenarios" / name / f"{LARGE[name]}.yaml"
    there = built(ROOT / "rulesets" / name, scenario, 1)
    assert sum(there.play(seed, 1500) for seed in range(3)) > 400
    assert all(there.samples(seed, 200) >= 0 for seed in range(2))


def test_every_game_has_one() -> None:
    assert set(LARGE) == set(playable())


def test_more_cards_than_a_deck_has_are_not_taken_over() -> None:
    folder = ROOT / "tests/rulesets/everything"
    there = built(folder, folder / "drill.yaml")
    state = there.program.new_state(there.setup, 1)
    there.program.begin(state)
    there.machine.load(state)
    pile = next(p for p in state.SPEC.decks[0].piles if p.per is None)
    cards = getattr(state, pile.slot)
    cards += [0] * sum(state.SPEC.decks[0].copies)
    with pytest.raises(ValueError, match="more cards on a pile than its deck has"):
        there.machine.load(state)


def test_what_parts_is_told() -> None:
    folder = ROOT / "tests/rulesets/everything"
    there = built(folder, folder / "drill.yaml")
    program = FollowedNatively(there.program, maker(folder), alone=False)
    state = program.new_state(there.setup, 1)
    program.begin(state)
    with pytest.raises(NativeParts, match="a native build parts from Python"):
        for _ in range(300):
            state.counters[0] += 1
            program.answer(state, state.options[0])
    assert program.followed > 0


# --------------------------------------------------------------------------- one build, used by the tests below


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small ruleset with a native build in a cache of its own."""
    base = tmp_path_factory.mktemp("native")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROGNARD_CACHE", str(base / "cache"))
        patch.delenv(build_cache.SWITCH, raising=False)
        made = base / "skirmish"
        shutil.copytree(ROOT / "tests/rulesets/skirmish", made)
        ruleset = Ruleset(made)
        program, setup = loaded(made)
        assert ruleset.lowered is not None and machine_for(program, setup) is None
        shape = shape_of(program.spec, setup)
        size = ruleset.build_natively(shape)
        assert size > 10_000 and ruleset.native.whole(shape) and ruleset.native.has_any()
        yield made


@pytest.fixture
def builds(folder: Path) -> Iterator[Builds]:
    """The builds; put back as they were."""
    there = Ruleset(folder).native
    aside = folder.parent / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    shutil.copytree(there.folder, aside)
    build_cache._loaded.clear()
    yield there
    shutil.rmtree(there.folder, ignore_errors=True)
    shutil.copytree(aside, there.folder)
    there.folder.chmod(0o700)
    build_cache._loaded.clear()


def loaded(folder: Path) -> tuple[CompiledProgram, SetUp]:
    program = Ruleset(folder).loaded
    assert program is not None
    setup, findings = load(folder / "meeting.yaml", program.spec)
    assert setup is not None, findings
    return program.on(setup.board), setup


def entry_of(folder: Path, builds: Builds) -> Path:
    program, setup = loaded(folder)
    return builds.entry(shape_of(program.spec, setup))


def told(match: MatchResult) -> tuple[object, ...]:
    return match.ranks, match.decisions, match.turns, match.result, match.scores


def test_one_is_made_while_a_bot_that_searches_is_played_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path))
    monkeypatch.delenv(build_cache.SWITCH, raising=False)
    rules = ROOT / "tests/rulesets/skirmish"
    scenario = open_scenario(rules / "meeting.yaml", ruleset=rules)
    program, setup = scenario.program, scenario.setup
    build_meanwhile(scenario, [seat_for("greedy", program, setup)])
    assert background_build._building is None
    build_meanwhile(scenario, [seat_for("veteran", program, setup)])
    building = background_build._building
    assert building is not None and machine_for(program, setup) is None
    build_meanwhile(scenario, [seat_for("novice", program, setup)])
    assert background_build._building is building
    building.join(120)
    assert machine_for(program, setup) is not None  # in the game that is under way
    build_meanwhile(scenario, [seat_for("veteran", program, setup)])
    assert background_build._building is building


@pytest.mark.parametrize("bots", ["random,random", "greedy,random", "greedy,greedy"])
def test_series_are_the_same(folder: Path, bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native, setup = loaded(folder)
    assert machine_for(native, setup) is not None
    monkeypatch.setenv(build_cache.SWITCH, "no")
    plain, _ = loaded(folder)
    assert machine_for(plain, setup) is None
    for seed in range(4):
        players = [make_bot(name) for name in bots.split(",")]
        assert told(play_match(native, setup, players, seed)) == told(
            play_match(plain, setup, players, seed)
        )


def test_other_bots_seeds_and_records_are_left_to_python(folder: Path) -> None:
    native, setup = loaded(folder)

    class Own(GreedyBot):
        """Somebody's own."""

    bots = [make_bot("random"), make_bot("greedy")]
    assert plays(bots, 1)
    assert not plays([Own(), make_bot("random")], 1)
    assert not plays(bots, 1 << 64)
    assert play_match(native, setup, bots, 1, record=True).record is not None
    assert told(play_match(native, setup, bots, 1 << 100)) == told(
        play_match(Ruleset(folder).compiled, setup, bots, 1 << 100)
    )


def test_a_series_in_threads_is_the_same(folder: Path) -> None:
    loaded_once = loaded(folder)
    begun: list[int] = []

    def series(jobs: int) -> list[object]:
        found = run_series(
            loaded_once,
            ("random", "greedy"),
            24,
            jobs=jobs,
            progress=lambda done, _: begun.append(threading.active_count()),
        )
        return [(game.seats, told(game.match)) for game in found.games]

    alone, at_once = series(1), series(4)
    assert at_once == alone
    assert max(begun[-24:]) > begun[0]


def test_a_game_without_end_is_told_as_in_python(folder: Path) -> None:
    native, setup = loaded(folder)
    bots = [make_bot("random"), make_bot("random")]
    with pytest.raises(Exception, match="is not over after 3 decisions") as stopped:
        play_match(native, setup, bots, 1, limit=3)
    assert stopped.value.__dict__["broken_game"].record


def test_it_can_be_left_aside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("no", "0", "off", "No"):
        monkeypatch.setenv(build_cache.SWITCH, word)
        program, setup = loaded(folder)
        assert machine_for(program, setup) is None


def test_changed_sources_are_not_what_was_built(folder: Path, builds: Builds) -> None:
    more = folder / "more.grog"
    more.write_text("enum More { more }\n")
    try:
        program, setup = loaded(folder)
        assert machine_for(program, setup) is None
    finally:
        more.unlink()


@pytest.mark.parametrize("harm", ["cut", "changed", "another", "group", "folder", "link"])
def test_what_is_damaged_or_not_ones_own_is_not_loaded(
    folder: Path, builds: Builds, harm: str
) -> None:
    entry = entry_of(folder, builds)
    content = entry.read_bytes()
    match harm:
        case "cut":
            entry.write_bytes(content[: len(content) // 2])
        case "changed":
            entry.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
        case "another":
            program, setup = loaded(folder)
            shape = shape_of(program.spec, setup)
            other = Builds(builds.folder, builds.name, builds.key + "x")
            other.store(shape, builds.content(shape))
            other.entry(shape).replace(entry)
        case "group":
            entry.chmod(0o620)
        case "folder":
            builds.folder.chmod(0o777)
        case "link":
            entry.rename(builds.folder / "aside.bin")
            entry.symlink_to(builds.folder / "aside.bin")
    program, setup = loaded(folder)
    with pytest.warns(RuntimeWarning, match="cannot be used: .*compile skirmish --native"):
        assert machine_for(program, setup) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        program, setup = loaded(folder)
        assert machine_for(program, setup) is None


def test_a_cache_that_cannot_be_written(
    folder: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build in it is used, and none is begun that could not be kept."""
    held = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and held(path, mode))
    before = sorted(builds.folder.iterdir())
    program, setup = loaded(folder)
    assert machine_for(program, setup) is not None
    assert sorted(builds.folder.iterdir()) == before
    monkeypatch.setattr(build, "compile_library", lambda *_: pytest.fail("it is begun"))
    ruleset = Ruleset(folder)
    assert ruleset.lowered is not None
    shape = shape_of(program.spec, setup)
    with pytest.raises(build.CannotBuild, match="is read-only"):
        build.build(builds, ruleset.program, ruleset.lowered, ruleset.spec, shape)


def test_what_killed_processes_have_left_is_cleared_away(folder: Path, builds: Builds) -> None:
    for name, age in (("loading-old", 2 * build_cache.STALE), ("loading-new", 0)):
        (builds.folder / name).mkdir(mode=0o700)
        os.utime(builds.folder / name, (time.time() - age, time.time() - age))
    program, setup = loaded(folder)
    builds.store(shape_of(program.spec, setup), b"")
    assert [path.name for path in builds.folder.glob("loading-*")] == ["loading-new"]


def test_what_several_keep_at_once_is_one_of_them(folder: Path, builds: Builds) -> None:
    program, setup = loaded(folder)
    shape = shape_of(program.spec, setup)
    other = Builds(builds.folder, "several", "key")
    code = (
        "import sys\nfrom pathlib import Path\nfrom compiler.native.build_cache import Builds\n"
        "for i in range(40): Builds(Path(sys.argv[1]), 'several', 'key').store(sys.argv[3], sys.argv[2].encode() * 9999)"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, builds.folder, letter, str(shape)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for letter in "ab"
    ]
    while any(one.poll() is None for one in running):
        with suppress(OSError):  # not there yet, or just being replaced
            assert len(set(other.content(shape))) == 1
    assert [one.wait() for one in running] == [0, 0]
    assert other.content(shape) in (b"a" * 9999, b"b" * 9999)


# --------------------------------------------------------------------------- what is missing


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "nothing-of-the-kind -m64")
    with pytest.raises(build.CannotBuild, match="'nothing-of-the-kind' is not found"):
        build.toolchain()
    monkeypatch.delenv("CC")
    monkeypatch.setattr(build, "which", lambda name: None)
    monkeypatch.setattr(build, "find_spec", lambda name: name == "cffi" or None)
    with pytest.raises(build.CannotBuild, match="needs a C compiler"):
        build.toolchain()
    monkeypatch.setattr(build, "find_spec", lambda name: True)
    assert build.toolchain() == [sys.executable, "-m", "ziglang", "cc"]
    monkeypatch.setattr(build, "find_spec", lambda name: None)
    with pytest.raises(build.CannotBuild, match="needs cffi"):
        build.toolchain()


def test_what_the_compiler_says(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(build.CannotBuild, match="error:"):
        build.compile_library("int nonsense(", build.toolchain())


def test_each_thread_keeps_its_machine(folder: Path) -> None:
    """However many there are."""
    program, setup = loaded(folder)
    assert machine_for(program, setup) is not None
    ready = threading.Barrier(20)
    same: list[bool] = []

    def ask() -> None:
        first = machine_for(program, setup)
        ready.wait()
        same.append(first is not None and machine_for(program, setup) is first)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 20
