"""Many games at once: the same natively and in Python, and the same as one by one."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from native_builds import missing
from project import ROOT, one_of_each

import grognard

np = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")

from compiler.native import build, build_cache  # noqa: E402
from compiler.ruleset import Ruleset  # noqa: E402
from grognard.envs import aec_env, vector_env  # noqa: E402
from grognard.fronts.envs.lanes import OF_GAMES  # noqa: E402
from grognard.opening import open_scenario  # noqa: E402
from runtime.chance import word  # noqa: E402
from runtime.runs.bots import GreedyBot  # noqa: E402
from runtime.runs.machine import shape_of  # noqa: E402

SMALL = {
    "skirmish": "meeting",
    "everything": "drill",
    "mixture": "field",
    "secrets": "duel",
    "cubes": "table",
    "spaces": "delta",
    "plotted": "passage",
}
#: Those of which games take long.
SLOW = ("mixture", "spaces", "everything")
NATIVE = pytest.mark.skipif(bool(missing()), reason=missing() or "it can")


def small(name: str, count: int, **more: Any) -> Any:
    folder = ROOT / "tests/rulesets" / name
    return vector_env(folder / f"{SMALL[name]}.yaml", count, ruleset=folder, **more)


def actions(observed: Any, rng: Any) -> Any:
    """Any possible action in each game."""
    mask = observed["action_mask"]
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def play(env: Any, steps: int, seed: int = 5) -> list[Any]:
    """All that is told along random games."""
    rng = np.random.default_rng(seed)
    observed, info = env.reset(seed=seed)
    told = [[observed["observation"], observed["action_mask"], info["side"]]]
    for _ in range(steps):
        observed, *rest, info = env.step(actions(observed, rng))
        told.append([observed["observation"], observed["action_mask"], info["side"], *rest])
        if "final_obs" in info:
            last = [one["observation"] for one in info["final_obs"] if one is not None]
            told[-1] += [np.array(last), info["final_info"]["rewards"]]
    return told


def same(one: list[Any], other: list[Any]) -> None:
    assert len(one) == len(other)
    for at, (a, b) in enumerate(zip(one, other, strict=True)):
        assert len(a) == len(b), at
        for x, y in zip(a, b, strict=True):
            assert x.dtype == y.dtype and np.array_equal(x, y), at


def built(name: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a ruleset have a native build, which is made quickly, in a cache of its own."""
    patch.setenv("GROGNARD_CACHE", str(folder))
    patch.setattr(build, "compile_library", partial(build.compile_library, optimize=0))
    if name in SMALL:
        rules = ROOT / "tests/rulesets" / name
        opened = open_scenario(rules / f"{SMALL[name]}.yaml", ruleset=rules)
    else:
        opened = open_scenario(name)
    ruleset, shape = Ruleset(opened.folder), shape_of(opened.program.spec, opened.setup)
    ruleset.build_natively(shape)


@NATIVE
@pytest.mark.parametrize(
    "native", [pytest.param(one, marks=[pytest.mark.long] * (one in SLOW)) for one in SMALL]
)
def test_natively_and_in_python_all_is_the_same(
    native: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(native, tmp_path / "cache", monkeypatch)
    steps = 60 if native == "everything" else 150
    ended = 0
    first = small(native, 1).sides[0]
    greedy = {"side": first, "opponents": GreedyBot(budget=8, depth=3)}
    for more in ({}, {"side": None, "limit": 23}, {"side": first}, greedy):
        monkeypatch.delenv(build_cache.SWITCH, raising=False)
        fast, threads = small(native, 7, **more), small(native, 7, jobs=3, **more)
        monkeypatch.setenv(build_cache.SWITCH, "no")
        plain = small(native, 7, **more)
        assert (fast.native, threads.native, plain.native) == (True, True, False)
        told = play(plain, steps)
        same(play(fast, steps), told)
        same(play(threads, steps), told)
        ended += sum(len(one) > 6 for one in told)
    assert ended > 1


@NATIVE
@pytest.mark.long
@pytest.mark.parametrize("scenario", one_of_each())
def test_so_it_is_in_large_games(
    scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(scenario, tmp_path / "cache", monkeypatch)
    monkeypatch.delenv(build_cache.SWITCH, raising=False)
    fast = vector_env(scenario, 3, limit=120)
    monkeypatch.setenv(build_cache.SWITCH, "no")
    plain = vector_env(scenario, 3, limit=120)
    assert (fast.native, plain.native) == (True, False)
    same(play(fast, 250), play(plain, 250))


@NATIVE
def test_native_steps_leave_the_interpreter_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread runs in the midst of a step, though none is made to give way."""
    built("skirmish", tmp_path / "cache", monkeypatch)
    env = small("skirmish", 2000)
    env.reset(seed=1)
    spans: list[tuple[float, float]] = []
    lanes, told = env._lanes, env._told()

    def step() -> None:
        begun = time.perf_counter()
        lanes.begin(told)
        spans.append((begun, time.perf_counter()))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for _ in range(300):
            thread, moments = threading.Thread(target=step), list[float]()
            thread.start()
            while thread.is_alive():
                moments.append(time.perf_counter())
                time.sleep(0)
            begun, done = spans[-1]
            between = (done - begun) / 4
            if any(begun + between < moment < done - between for moment in moments):
                return
    finally:
        sys.setswitchinterval(before)
    raise AssertionError("no other thread ran during a step")


def test_each_game_is_that_of_the_other_environment() -> None:
    """Observations, masks and rewards, game by game, with the seeds that the games have."""
    folder = ROOT / "tests/rulesets/skirmish"
    one = aec_env(folder / "meeting.yaml", ruleset=folder)
    env = small("skirmish", 3)
    rng = np.random.default_rng(1)
    observed, info = env.reset(seed=[4, 5, 6])
    one.reset(seed=0)
    one._game = one._scenario.begin(word(4, OF_GAMES, 0), log=False)
    one._decide()
    for _ in range(500):
        agent = one.agent_selection
        assert agent == env.sides[info["side"][0]]
        single = one.observe(agent)
        for part in single:
            assert np.array_equal(single[part], observed[part][0])
        chosen = actions(observed, rng)
        one.step(chosen[0])
        observed, rewards, terminated, _, info = env.step(chosen)
        if one.game.over:
            assert terminated[0] and rewards[0] == one.rewards[agent] != 0
            final = info["final_obs"][0]["observation"]
            assert np.array_equal(final, one.observe(agent)["observation"])
            assert list(info["final_info"]["rewards"][0]) == list(one.rewards.values())
            return
        assert not terminated[0] and rewards[0] == 0
    raise AssertionError("it did not end")


def test_one_side_learns_and_the_others_choose_at_random() -> None:
    env = small("skirmish", 6, side="red")
    told = play(env, 200)
    assert all((one[2] == 1).all() for one in told)
    results = [one for one in told if len(one) > 6]
    assert results
    for one in results:
        over = one[4] | one[5]
        assert np.array_equal(one[3][over], one[7][over, 1].astype(float))
        assert (one[3][~over] == 0).all()
    won = {float(reward) for one in told[1:] for reward in one[3]}
    assert won >= {-1.0, 0.0, 1.0}


@NATIVE
def test_opponents_have_weights_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By other weights a greedy opponent plays otherwise, natively as in Python."""
    built("skirmish", tmp_path / "cache", monkeypatch)
    weights = {"lead": -300, "nearer": 0}
    told = []
    for bot in (GreedyBot(budget=8), GreedyBot(budget=8, weights=weights)):
        more = {"side": "blue", "opponents": {"red": bot}}
        monkeypatch.delenv(build_cache.SWITCH, raising=False)
        fast = small("skirmish", 4, **more)
        monkeypatch.setenv(build_cache.SWITCH, "no")
        told.append(play(small("skirmish", 4, **more), 60))
        same(play(fast, 60), told[-1])
    assert any(not np.array_equal(one[0], other[0]) for one, other in zip(*told, strict=True))


def test_greedy_opponents_win_more_than_random_ones() -> None:
    lost = {}
    for name in ("random", "greedy"):
        told = play(small("skirmish", 8, side="blue", opponents=name), 150)
        lost[name] = sum(int((one[3] < 0).sum()) for one in told[1:])
    assert lost["greedy"] > 2 * lost["random"]


def test_seeds_determine_all_that_comes() -> None:
    env = small("skirmish", 3, side="blue")
    same(play(env, 60), play(env, 60))
    first, _ = env.reset(seed=[9, 9, 8])
    lanes = first["observation"]
    assert np.array_equal(lanes[0], lanes[1]) and not np.array_equal(lanes[0], lanes[2])
    later, _ = env.reset()
    assert not np.array_equal(later["observation"], lanes)
    other = small("skirmish", 16)
    assert not np.array_equal(other.reset()[0]["observation"], other.reset()[0]["observation"])
    assert env.observation_space.contains(first) and env.action_space.shape == (3,)


def test_mistakes_are_said_and_change_nothing() -> None:
    env = small("skirmish", 2)
    with pytest.raises(grognard.ArgumentError, match="reset"):
        env.step([0, 0])
    observed, _ = env.reset(seed=1)
    right = actions(observed, np.random.default_rng(1))
    for wrong in ([right[0], -1], [right[0], 10**9], [right[0]], [-1, right[1]]):
        with pytest.raises(grognard.ArgumentError):
            env.step(wrong)
    env.step(right)
    for more in ({"side": "green"}, {"limit": 0}, {"jobs": 0}):
        with pytest.raises(grognard.ArgumentError):
            small("skirmish", 2, **more)
    for opponents, said in (
        ("veteran", "'veteran' cannot be an opponent here"),
        ("gredy", "no bot 'gredy'"),
        ({"blue": "greedy"}, "the other sides are red"),
        ({"green": "greedy"}, "the other sides are red"),
        (GreedyBot(weights={"luck": 1}), "no weight 'luck'"),
    ):
        with pytest.raises(grognard.ArgumentError, match=said):
            small("skirmish", 2, side="blue", opponents=opponents)
    with pytest.raises(grognard.ArgumentError, match="acts for all sides"):
        small("skirmish", 2, opponents="greedy")
    with pytest.raises(grognard.ArgumentError):
        small("skirmish", 0)
    with pytest.raises(grognard.ArgumentError, match="seeds"):
        env.reset(seed=[1])
    with pytest.raises(grognard.ArgumentError, match="no action"):
        env.action_text(10**9)


def test_a_side_that_never_decides_is_told(tmp_path: Path) -> None:
    rules = "ruleset idle\nsides a, b\nboard field { layout odd_r; rows 1; columns 1; }\n"
    rules += "procedure play() { choose n in 1 .. 2 by a prompt which }\n"
    (tmp_path / "idle").mkdir()
    (tmp_path / "idle/idle.grog").write_text(rules)
    env = vector_env({"ruleset": "idle"}, 1, side="b", ruleset=tmp_path / "idle")
    with pytest.raises(grognard.RulesError, match="before the side that learns decides"):
        env.reset(seed=1)
