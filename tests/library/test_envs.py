"""The environment for learning: PettingZoo's own tests, masks, observations that tell nothing hidden."""

from __future__ import annotations

import copy
import pickle
import runpy
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from project import one_of_each

import grognard

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from grognard.envs import aec_env  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = one_of_each()


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoos_own_tests(scenario: str) -> None:
    api_test(aec_env(scenario), num_cycles=150)
    seed_test(lambda: aec_env(scenario), num_cycles=40)


def play(env: Any, rng: Random, most: int = 100_000) -> dict[str, float]:
    """Play at random; what each agent was rewarded with in all."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        possible = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(possible)))
    return total


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_actions_are_the_options(scenario: str) -> None:
    env = aec_env(scenario)
    env.reset(seed=4)
    rng = Random(1)
    seen: dict[int, str] = {}
    for _ in range(300):
        if env.game.over:
            break
        options = {option.text for option in env.game.options}
        actions = [int(a) for a in np.flatnonzero(env.observe(env.agent_selection)["action_mask"])]
        assert {env.action_text(a) for a in actions} == options
        assert env.agent_selection == env.game.side
        for agent in env.agents:
            assert agent == env.agent_selection or not env.observe(agent)["action_mask"].any()
        for a in actions:
            assert seen.setdefault(a, env.action_text(a)) == env.action_text(a)
        chosen = rng.choice(actions)
        env.step(chosen)
        last = env.game.actions[-1][1]
        assert last == seen[chosen]


def test_a_whole_game_is_rewarded_at_its_end() -> None:
    env = aec_env("akragas")
    for seed in (1, 2):
        env.reset(seed=seed)
        total = play(env, Random(seed))
        assert env.agents == [] and sorted(total.values()) == [-1.0, 1.0]
        (winner,) = env.game.result.winners
        assert total[winner] == 1.0


def test_observations_do_not_tell_what_is_hidden() -> None:
    """Two positions that a side cannot tell apart give it the same observation."""
    env = aec_env("akragas")
    env.reset(seed=3)
    rng = Random(5)
    different = 0
    for _ in range(60):
        agent = env.agent_selection
        mine = env.observe(agent)["observation"]
        assert mine.shape == env.observation_space(agent)["observation"].shape
        other = env.game.view(agent).sample(rng)
        different += other.position.data != env.game.position.data
        seen = env._observer.observe(other.view(agent).raw)
        assert (mine == seen).all()
        env.step(rng.choice([int(a) for a in np.flatnonzero(env.observe(agent)["action_mask"])]))
    assert different > 30


def test_the_layout_says_what_is_where() -> None:
    env = aec_env("akragas")
    env.reset(seed=3)
    assert (
        sum(part.size for part in env.layout)
        == env.observation_space("top")["observation"].shape[0]
    )
    parts = {part.name: part for part in env.layout}
    seen = env.observe("bottom")["observation"]
    view, board = env.game.view("bottom"), env.game.board

    def read(name: str) -> dict[str, float]:
        part = parts[name]
        return dict(zip(part.owners, seen[part.start : part.start + part.size], strict=True))

    assert read("side") == {"top": 0, "bottom": 1} and read("decides") == {"top": 0, "bottom": 1}
    places = read("Unit.hex")
    assert {name: board.hexes[int(h)] for name, h in places.items()} == {
        p.name: p.hex for p in view.pieces("Unit")
    }
    hand = read("hand[bottom]")
    assert {card for card, n in hand.items() if n} == set(view.piles["hand"]["bottom"])
    assert read("hand[top]")["covered"] == 5
    assert "Unit.type" not in parts  # never changes


def test_limits_and_mistakes() -> None:
    env = aec_env("akragas", limit=5, render_mode="ansi")
    with pytest.raises(grognard.ArgumentError, match="reset"):
        env.game  # noqa: B018
    with pytest.raises(grognard.ArgumentError, match="reset"):
        env.step(0)
    odd: list[Any] = [None, -1, 10**30, 0.5, float("nan"), "x", [], np.array([1, 2]), object()]
    for ask in (env.observe, env.action_space, env.observation_space, env.action_text):
        for wrong in odd:
            with pytest.raises(grognard.ArgumentError):
                ask(wrong)
    env.reset(seed=1)
    before = env.game.hash
    for wrong in odd:
        with pytest.raises(grognard.ArgumentError):
            env.step(wrong)
    assert env.game.hash == before
    impossible = next(
        a for a in range(10_000) if not env.observe(env.agent_selection)["action_mask"][a]
    )
    for wrong in (impossible, -1, 10**9, None):
        with pytest.raises(grognard.ArgumentError):
            env.step(wrong)
    assert "Which card" in env.render()
    total = play(env, Random(1))
    assert len(env.game.actions) == 5 and set(total.values()) == {0.0}
    with pytest.raises(grognard.GameOver):
        env.step(0)
    for arguments in ({"limit": 0}, {"limit": "3"}, {"render_mode": "human"}):
        with pytest.raises(grognard.ArgumentError):
            aec_env("akragas", **arguments)
    with pytest.raises(grognard.LoadError):
        aec_env("akagras")


def test_copies_go_their_own_way_and_share_the_scenario() -> None:
    env = aec_env("akragas", limit=300)
    env.reset(seed=3)
    play(env, Random(1), 20)
    one, other = copy.deepcopy(env), copy.deepcopy(env)
    before = env.game.hash
    assert (
        play(one, Random(2)) == play(other, Random(2))
        and one.game.hash == other.game.hash != before
    )
    assert env.game.hash == before and one._scenario is env._scenario
    agent = env.agent_selection
    assert (
        one.action_space(agent) is not env.action_space(agent)
        and one.action_space(agent) is one.action_spaces[agent]
    )
    env.reset(seed=3)
    one.reset(seed=3)
    assert one.game.seed == env.game.seed
    assert copy.copy(env).game is env.game


def test_an_environment_is_pickled_as_it_was_made() -> None:
    env = aec_env("akragas", switches={"any_way_back": True}, limit=30, render_mode="ansi")
    made = pickle.loads(pickle.dumps(env))
    env.reset(seed=3)
    made.reset(seed=3)
    assert (
        made.game.seed == env.game.seed
        and made.game.switches["any_way_back"]
        and made.render_mode == "ansi"
    )
    assert play(made, Random(2)) == play(env, Random(2)) and made.game.hash == env.game.hash
    with pytest.raises(grognard.ArgumentError, match="once it has been reset"):
        pickle.dumps(env)


def test_before_the_first_reset() -> None:
    env = aec_env("akragas")
    for name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
        with pytest.raises(AttributeError, match=f"no '{name}' yet .call reset first"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="call reset first"):
        env.last()
    assert list(env.agent_iter()) == [] and not hasattr(env, "agents_selection")
    for wrong in (lambda: env.game, lambda: env.observe("top"), lambda: env.step(0)):
        with pytest.raises(grognard.ArgumentError, match="call reset first"):
            wrong()


def test_without_pettingzoo_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "grognard.fronts.envs.aec")
    with pytest.raises(grognard.GrognardError, match=r"grognard\[ai\]"):
        aec_env("akragas")


HIGHER = """ruleset higher
sides a, b
board field { layout odd_r; rows 1; columns 1; }
fields of Side { number: int = 0 }
procedure play() {
  each s in Side {
    choose n in 1 .. 5 by s prompt which
    set s.number = n
  }
  if a.number > b.number { win by a }
  if b.number > a.number { win by b }
}
"""


@pytest.mark.long
def test_the_example_learns(tmp_path: Path) -> None:
    """``docs/examples/train.py``: by chance as many are won as lost, by high numbers many more."""
    pytest.importorskip("sklearn")
    (tmp_path / "higher").mkdir()
    (tmp_path / "higher/higher.grog").write_text(HIGHER)
    main = runpy.run_path(str(ROOT / "docs/examples/train.py"))["main"]
    before, after = main({"ruleset": "higher"}, "a", tmp_path / "higher", 8, 300, 100)
    assert sum(before) == sum(after) == 100
    assert after[0] - after[1] > 25 > before[0] - before[1]


def test_the_example_needs_a_side_and_no_win_at_first(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    (tmp_path / "higher").mkdir()
    never = HIGHER.replace("win by a", "win by b")
    (tmp_path / "higher/higher.grog").write_text(never)
    main = runpy.run_path(str(ROOT / "docs/examples/train.py"))["main"]
    with pytest.raises(SystemExit, match="there is no side 'c': a, b"):
        main({"ruleset": "higher"}, "c", tmp_path / "higher")
    before, after = main({"ruleset": "higher"}, "a", tmp_path / "higher", 2, 3, 4)
    assert before[0] == after[0] == 0
