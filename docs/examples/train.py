"""Teach a policy to beat who plays at random, by the cross-entropy method: play, learn from the
last moves of the games that were won, and again.

python docs/examples/train.py SCENARIO SIDE [RULESET]
"""

import sys

import numpy as np
from sklearn.neural_network import MLPClassifier

from grognard.envs import aec_env

LAST, RECENT, EPOCHS = 20, 6, 10  # moves of a game, rounds of games, times they are learned from


def play(env, side: str, policy: MLPClassifier | None, rng: np.random.Generator):
    """A game against random: its reward, and for each move of the side what was seen and done."""
    scale = np.concatenate([np.full(part.size, max(part.values, 3)) for part in env.layout])
    end, moves = 0.0, []
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            end += reward * (agent == side)
            env.step(None)
            continue
        mask = odds = observation["action_mask"].astype(float)
        seen = np.concatenate([(observation["observation"] / scale).clip(-1, 3), mask])
        if agent == side and policy is not None:
            odds = mask * (policy.predict_proba([seen])[0] + 1e-9)
        action = rng.choice(mask.size, p=odds / odds.sum())
        moves += [(seen, action)] * (agent == side)
        env.step(action)
    return end, moves


def main(scenario: str, side: str, ruleset: str | None = None, rounds=20, games=200, fresh=500):
    """Won, lost and tied games of who plays at random, and after so many rounds in fresh games."""
    env, rng = aec_env(scenario, ruleset=ruleset), np.random.default_rng(1)
    env.reset(seed=1)
    if side not in env.possible_agents:
        sys.exit(f"there is no side '{side}': {', '.join(env.possible_agents)}")
    policy, won, told = None, [], []
    for count in [fresh, *[games] * (rounds - 1), fresh]:
        played = [play(env, side, policy, rng) for _ in range(count)]
        told.append([sum(np.sign(end) == sign for end, _ in played) for sign in (1, -1, 0)])
        near = 1.96 * ((share := told[-1][0] / count) * (1 - share) / count) ** 0.5
        print("won, lost, tied:", *told[-1], f"({share:.1%} ± {near:.1%} won)", flush=True)
        won = [*won, [move for end, moves in played if end > 0 for move in moves[-LAST:]]][-RECENT:]
        if moves := [move for some in won for move in some]:
            policy = policy or MLPClassifier(hidden_layer_sizes=(64,), random_state=1)
            seen, actions = zip(*moves, strict=True)
            for _ in range(EPOCHS):
                policy.partial_fit(np.array(seen), actions, classes=range(env.action_space(side).n))
    return told[0], told[-1]


if __name__ == "__main__":
    main(*sys.argv[1:])
