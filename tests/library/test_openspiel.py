"""Scenarios as games of OpenSpiel: its own tests, what players see, samples, search."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from project import ROOT

import grognard

np = pytest.importorskip("numpy")
pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from grognard.envs import aec_env, open_spiel_game  # noqa: E402

SMALL = ("skirmish/meeting", "secrets/duel", "mixture/field", "plotted/passage", "everything/drill")
PEBBLES = """\
ruleset pebbles
sides south, north
board table { layout odd_r;  rows 1;  columns 1; }
fields of Game { heap: int = 10   active: Side = south }
procedure play() {
  repeat {
    choose n in 1 .. 3 where n <= heap by active prompt take else { leave }
    take n from heap
    if heap is 0 { win by active }
    set active = next(active)
  }
}
"""


def small(name: str = "skirmish/meeting", **more: Any) -> Any:
    folder = ROOT / "tests/rulesets" / name.partition("/")[0]
    path = ROOT / "tests/rulesets" / f"{name}.yaml"
    return open_spiel_game(path, ruleset=folder, **more)


def begun(game: Any, rng: Random, decisions: int = 0) -> Any:
    """A state after some random decisions."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    for _ in range(decisions):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", SMALL)
def test_openspiels_own_tests(name: str) -> None:
    pyspiel.random_sim_test(small(name, limit=200), num_sims=2, serialize=True, verbose=False)


def test_a_large_game_passes_them_too() -> None:
    game = open_spiel_game("akragas", limit=60)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_it_is_the_game_that_others_play() -> None:
    """Who decides, actions, tensors and returns are those of the other environment."""
    folder = ROOT / "tests/rulesets/skirmish"
    env = aec_env(folder / "meeting.yaml", ruleset=folder)
    env.reset(seed=0)
    ends = {along(small(), env, seed) for seed in (0, 1, 21)}
    assert ends == {(0.0, 0.0), (1.0, -1.0), (-1.0, 1.0)}


def along(game: Any, env: Any, number: int) -> tuple[float, ...]:
    """The returns of a game that is played in both."""
    rng = Random(number)
    state = begun(game, rng)
    seed = int.from_bytes(bytes(state.history()[:8]), "big")
    env.reset(seed=0)
    env._game = env._scenario.begin(seed, log=False)
    env._decide()
    while not state.is_terminal():
        agent = env.agent_selection
        assert env.possible_agents[state.current_player()] == agent
        for player, name in enumerate(env.possible_agents):
            observed = env.observe(name)
            assert np.array_equal(state.observation_tensor(player), observed["observation"])
        mask = env.observe(agent)["action_mask"]
        assert state.legal_actions() == np.flatnonzero(mask).tolist()
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action) == env.action_text(action)
        state.apply_action(action)
        env.step(action)
    assert state.returns() == list(env.rewards.values()) and sum(state.returns()) == 0
    return tuple(state.returns())


@pytest.mark.parametrize("name", SMALL)
def test_a_sample_looks_the_same_to_who_decides(name: str) -> None:
    game, rng, differ = small(name), Random(1), 0
    for seed in range(6):
        state = begun(game, Random(seed), 5 + 4 * seed)
        if state.is_terminal():
            continue
        player = state.current_player()
        for _ in range(5):
            sample = state.resample_from_infostate(player, rng.random)
            assert sample.information_state_string() == state.information_state_string()
            assert sample.observation_tensor() == state.observation_tensor()
            assert sample.legal_actions() == state.legal_actions()
            assert sample.history() == state.history()
            differ += sample.at.state != state.at.state
    assert differ > 5


def test_dice_of_samples_are_their_own_and_those_of_clones_are_the_same() -> None:
    state, rng = begun(small(), Random(1)), Random(2)
    player = state.current_player()

    def ends(one: Any) -> tuple[int, ...]:
        chooser = Random(5)
        while not one.is_terminal():
            one.apply_action(chooser.choice(one.legal_actions()))
        return tuple(one.history()[8:])

    assert len({ends(state.clone()) for _ in range(5)}) == 1
    samples = {ends(state.resample_from_infostate(player, rng.random)) for _ in range(5)}
    assert len(samples) == 5
    with pytest.raises(grognard.ArgumentError, match="does not decide"):
        state.resample_from_infostate(1 - player, rng.random)


def test_players_remember_what_they_have_seen_and_done_and_nothing_else() -> None:
    """Strings do not hang on when they are asked for, nor on what a player does not see."""
    game = small()
    often, seldom = begun(game, Random(4)), begun(game, Random(4))
    rng, copied = Random(7), None
    for taken in range(40):
        for player in (0, 1):
            often.information_state_string(player)
        if taken == 20:
            copied = seldom.clone()
        action = rng.choice(often.legal_actions())
        for one in (often, seldom, copied):
            if one is not None:
                one.apply_action(action)
    for player in (0, 1):
        strings = {s.information_state_string(player) for s in (often, seldom, copied)}
        assert len(strings) == 1
        assert strings != {often.observation_string(player)}
        assert pickle.loads(pickle.dumps(often.at)).knowledge_key(player) in strings.pop()
    one, other = begun(game, Random(4)), begun(game, Random(4))
    player = one.current_player()
    first, second = one.legal_actions()[:2]
    one.apply_action(first)
    other.apply_action(second)
    assert one.information_state_string(player) != other.information_state_string(player)


def test_strings_and_tensors_do_not_tell_what_is_hidden() -> None:
    state = begun(small(), Random(4))
    hand = state.at.state.pile_hand
    hidden = state.clone()
    foe = 1 - state.current_player()
    hidden.at.state.pile_hand[foe], hidden.at.state.pile_draw = (
        hidden.at.state.pile_draw[: len(hand[foe])],
        [*hand[foe], *hidden.at.state.pile_draw[len(hand[foe]) :]],
    )
    player = state.current_player()
    assert hidden.at.state != state.at.state
    assert hidden.observation_string(player) == state.observation_string(player)
    assert hidden.observation_tensor(player) == state.observation_tensor(player)
    public = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = make_observation(state.get_game(), public)
    observer.set_from(state, player)
    nobody = observer.tensor.copy()
    observer.set_from(hidden, foe)
    assert np.array_equal(nobody, observer.tensor)
    assert not np.array_equal(nobody, state.observation_tensor(player))
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(grognard.ArgumentError, match="a player sees"):
        make_observation(state.get_game(), everything)


@pytest.mark.parametrize("strings", [False, True])
def test_openspiels_search_runs_on_it(strings: bool) -> None:
    game = small(limit=150)
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, random),
        2.0,
        20,
        random_state=random,
        use_observation_string=strings,
    )
    state, taken = begun(game, Random(2)), 0
    while not state.is_terminal() and taken < 12:
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        taken += 1
    assert taken == 12


def test_without_chance_or_secrets_all_is_open(tmp_path: Path) -> None:
    (tmp_path / "pebbles").mkdir()
    (tmp_path / "pebbles/pebbles.grog").write_text(PEBBLES)
    game = open_spiel_game({"ruleset": "pebbles"}, ruleset=tmp_path / "pebbles")
    kind = game.get_type()
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    value, best = minimax.alpha_beta_search(game)
    assert value == 1 and game.new_initial_state().action_to_string(best) == "take 2"
    assert small().get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    with pytest.raises(grognard.LoadError):  # it has no name by which it could be found again
        pickle.loads(pickle.dumps(game.new_initial_state().at))


def test_limits_and_mistakes() -> None:
    game = small(limit=4)
    assert game.max_game_length() == 4 and game.max_chance_nodes_in_history() == 8
    state = begun(game, Random(1), 4)
    assert state.is_terminal() and state.returns() == [0, 0]
    with pytest.raises(grognard.GameOver):
        state.apply_action(0)
    fresh = small().new_initial_state()
    for action in (-2, 256):
        with pytest.raises(ValueError, match=f"action {action} is not possible now") as refused:
            fresh.apply_action(action)
    assert "legal_actions(): 0, 1, 2, 3, 4, 5, 6, 7 …" in str(refused.value)
    state = begun(small(), Random(1))
    with pytest.raises(ValueError, match="action 100000 is not possible") as refused:
        state.apply_action(100_000)
    assert f"legal_actions(): {state.legal_actions()[0]}" in str(refused.value)
    for limit in (0, -1, "3"):
        with pytest.raises(grognard.ArgumentError):
            small(limit=limit)
    with pytest.raises(grognard.LoadError):
        open_spiel_game("akagras")
    again = pyspiel.load_game(str(game))
    assert again.max_game_length() == 4
    assert "bytes of its seed" in str(again.new_initial_state())
    assert str(begun(again, Random(1))) == str(begun(game, Random(1)))
