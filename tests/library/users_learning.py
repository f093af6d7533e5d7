"""What a user might write who teaches a program to play, with annotations: it is checked by mypy --strict, and run."""

from __future__ import annotations

import copy

import numpy

from grognard.envs import aec_env, open_spiel_game, vector_env


def main(scenario: str = "akragas") -> float:
    """Play at random, each decision first on a copy."""
    env = aec_env(scenario, limit=40)
    width = sum(part.size for part in env.layout)
    env.reset(seed=7)
    total = 0.0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total += reward
        if observation is None or terminated or truncated:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert observation["observation"].shape == (width,) and mask.shape == (
            env.action_space(agent).n,
        )
        ahead = copy.deepcopy(env)
        ahead.step(int(numpy.flatnonzero(mask)[0]))
        env.step(env.action_space(agent).sample(mask))
    return total + at_once(scenario) + by_openspiel(scenario)


def at_once(scenario: str) -> float:
    """Some steps of several games."""
    env = vector_env(scenario, 3, side="top", limit=60, jobs=2)
    observation, info = env.reset(seed=[1, 2, 3])
    rewards = numpy.zeros(3)
    for _ in range(5):
        first = observation["action_mask"].argmax(axis=1)
        observation, rewards, _, _, info = env.step(first)
        assert (info["side"] == env.sides.index("top")).all()
    return float(rewards.sum())


def by_openspiel(scenario: str) -> float:
    """A game at random, seen from the second player's side."""
    game = open_spiel_game(scenario, limit=20)
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = (
            [a for a, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        state.apply_action(actions[0])
    return float(state.returns()[1])


if __name__ == "__main__":
    print(main())
