"""What a user might write who teaches a program to play, with annotations: it is checked by mypy --strict, and run."""

from __future__ import annotations

import copy

import numpy

from grognard.envs import aec_env


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
    return total


if __name__ == "__main__":
    print(main())
