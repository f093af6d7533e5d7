"""Teach a policy to beat who plays at random: an actor and a critic, both linear, in NumPy alone.

python docs/examples/train.py SCENARIO SIDE [--ruleset FOLDER] [--updates N] [--games N]
"""

import argparse

import numpy as np

from grognard.envs import vector_env

LANES, STEPS, DISCOUNT, TRACE, ENTROPY, RATE = 256, 32, 0.997, 0.95, 0.01, 0.003


def encoder(layout):
    """What is an index becomes one-hot (with -2 and -1), all else stays, down to about 1."""
    many = np.concatenate([np.full(part.size, part.values) for part in layout])
    wide, plain = np.flatnonzero(many > 2), np.flatnonzero(many <= 2)
    starts = len(plain) + 1 + np.cumsum([0, *(many[wide] + 2)])

    def encode(seen):
        x = np.zeros((len(seen), starts[-1]), np.float32)
        x[:, 0], x[:, 1 : len(plain) + 1] = 1, seen[:, plain].clip(-2, 10) / 3
        x[np.arange(len(seen))[:, None], starts[:-1] + seen[:, wide].astype(int) + 2] = 1
        return x

    return encode, starts[-1]


def act(weights, x, mask, rng):
    """Actions drawn from the policy, the probabilities of all, and what positions are worth."""
    out = x @ weights
    odds = np.exp(
        np.where(mask, out[:, :-1] - out[:, :-1].max(1, keepdims=True), -np.inf).clip(-60)
    )
    odds = odds * mask / (odds * mask).sum(1, keepdims=True)
    noise = rng.exponential(size=odds.shape) + 1e-12
    return (odds / noise).argmax(1), odds, out[:, -1]


def train(env, encode, weights, updates, rng):
    """Play STEPS in each game, then take one step of Adam, by turns."""
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    seen, _ = env.reset(seed=1)
    for update in range(1, updates + 1):
        played = []
        for _ in range(STEPS):
            x, mask = encode(seen["observation"]), seen["action_mask"]
            action, odds, worth = act(weights, x, mask, rng)
            seen, reward, over, cut, _ = env.step(action)
            played.append((x, odds, action, worth, reward, over | cut))
        after = act(weights, encode(seen["observation"]), seen["action_mask"], rng)[2]
        gain, slope = 0, np.zeros_like(weights)
        for x, odds, action, worth, reward, over in reversed(played):  # generalized advantages
            gain = reward + ~over * DISCOUNT * (after + TRACE * gain) - worth
            after = worth
            log = np.log(odds + 1e-9)
            push = (
                ENTROPY * odds * (log - (odds * log).sum(1, keepdims=True)) + gain[:, None] * odds
            )
            push[np.arange(LANES), action] -= gain
            slope += x.T @ np.column_stack([push, -0.5 * gain]).astype(np.float32) / LANES / STEPS
        first += 0.1 * (slope - first)
        second += 0.001 * (slope**2 - second)
        step = first / (1 - 0.9**update) / (np.sqrt(second / (1 - 0.999**update)) + 1e-8)
        weights -= RATE * step


def match(env, encode, weights, games, rng):
    """How many games the policy wins, loses and ties; the same number in each lane."""
    ends, left = [], np.full(LANES, -(-games // LANES))
    seen, _ = env.reset(seed=10**6)
    while left.any():
        action, *_ = act(weights, encode(seen["observation"]), seen["action_mask"], rng)
        seen, reward, over, cut, _ = env.step(action)
        done = (over | cut) & (left > 0)
        ends, left = [*ends, *np.sign(reward[done])], left - done
    return tuple(ends.count(sign) for sign in (1, -1, 0))


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("side")
    parser.add_argument("--ruleset")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--games", type=int, default=1024)
    args = parser.parse_args(words)
    env, rng = (
        vector_env(args.scenario, LANES, side=args.side, ruleset=args.ruleset),
        np.random.default_rng(1),
    )
    encode, inputs = encoder(env.layout)
    weights = np.zeros((inputs, env.single_action_space.n + 1), np.float32)
    before = match(env, encode, weights, args.games, rng)
    print("won {}, lost {}, tied {} at random".format(*before), flush=True)
    train(env, encode, weights, args.updates, rng)
    after = match(env, encode, weights, args.games, rng)
    print(
        "won {}, lost {}, tied {} after {} decisions".format(*after, args.updates * LANES * STEPS)
    )
    return before, after


if __name__ == "__main__":
    main()
