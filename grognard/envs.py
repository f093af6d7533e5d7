"""Environments for learning: any scenario as a PettingZoo AEC environment.  Needs ``pip install
'grognard[ai]'``.

>>> from grognard.envs import aec_env
>>> env = aec_env("akragas")
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

``docs/python.md`` says what actions and observations mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard.opening import open_scenario
from runtime.errors import GrognardError

if TYPE_CHECKING:
    from grognard.fronts.envs.aec import AEC

__all__ = ["aec_env"]


def aec_env(
    scenario: str | Path | Mapping[str, Any],
    *,
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
    render_mode: str | None = None,
) -> AEC:
    """A scenario as an AEC environment, one agent for each side.

    After *limit* decisions, or as many as the ruleset states as its ``decision_limit``, a game is
    truncated. *render_mode* is None or ``"ansi"``.  The rest is as in :func:`grognard.load`, which
    says what is raised, too; GrognardError where PettingZoo is not installed.
    """
    try:
        # start-up: PettingZoo and numpy take a second, and need not be there
        from grognard.fronts.envs.aec import AEC
    except ImportError as error:
        missing = error.name or "pettingzoo"
        raise GrognardError(
            f"'{missing}' is not installed", "pip install 'grognard[ai]'"
        ) from error
    maker = partial(
        aec_env,
        scenario,
        switches=switches,
        ruleset=ruleset,
        root=root,
        limit=limit,
        render_mode=render_mode,
    )
    return AEC(open_scenario(scenario, switches, ruleset, root), limit, render_mode, maker)
