"""Environments for learning: any scenario for PettingZoo (AEC), many games at once for Gymnasium, a
game of OpenSpiel.  Needs ``pip install 'grognard[ai]'``.

>>> from grognard.envs import aec_env
>>> env = aec_env("akragas")
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

``docs/python.md`` says what actions and observations mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard.opening import open_scenario
from runtime.errors import GrognardError, whole_number

if TYPE_CHECKING:
    from grognard.bots.players import BotLike
    from grognard.fronts.envs.aec import AEC
    from grognard.fronts.envs.openspiel import SpielGame
    from grognard.fronts.envs.vector import Vector

__all__ = ["aec_env", "open_spiel_game", "vector_env"]


@contextmanager
def _library_required() -> Iterator[None]:
    """Say what is to be done where a library is missing."""
    try:
        yield
    except ImportError as error:
        missing = error.name or "a library"
        raise GrognardError(
            f"'{missing}' is not installed", "pip install 'grognard[ai]'"
        ) from error


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
    with _library_required():
        # start-up: PettingZoo and numpy take a second, and need not be there
        from grognard.fronts.envs.aec import AEC
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


def vector_env(
    scenario: str | Path | Mapping[str, Any],
    num_envs: int,
    *,
    side: str | None = None,
    opponents: BotLike | Mapping[str, BotLike] | None = None,
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
    jobs: int = 1,
) -> Vector:
    """*num_envs* games of a scenario as a vector environment of Gymnasium.

    An agent acts for *side*, and *opponents* for the others: a bot for all, or one by side; random
    where none is named.  They are ``"random"``, ``"greedy"``, or a ``GreedyBot`` of another budget,
    depth or weights.  Where *side* is None the agent acts for all sides, each time for who decides.
    A native build plays where there is one, in *jobs* threads, and Python else: the same games.
    The rest is as in :func:`aec_env`.
    """
    with _library_required():
        # start-up: Gymnasium and numpy take a second, and need not be there
        from grognard.fronts.envs.vector import Vector
    opened = open_scenario(scenario, switches, ruleset, root)
    return Vector(opened, num_envs, side, limit, jobs, opponents)


def open_spiel_game(
    scenario: str | Path | Mapping[str, Any],
    *,
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
) -> SpielGame:
    """A scenario as a game of OpenSpiel (``pyspiel.Game``), one player for each side.

    After *limit* decisions, or as many as the ruleset states, a game is a draw.  States can be
    serialized where *scenario* is a name or path and nothing is said of *switches* and *root*; then
    ``pyspiel.load_game("python_grognard", {"scenario": …})`` is the same game.  The rest is as in
    :func:`aec_env`.
    """
    with _library_required():
        # start-up: OpenSpiel and numpy take a second, and need not be there
        from grognard.fronts.envs.openspiel import SpielGame
    params: dict[str, str | int] = (
        {} if limit is None else {"limit": whole_number("limit", limit, 1)}
    )
    if isinstance(scenario, Mapping) or switches or root is not None:
        return SpielGame(params, open_scenario(scenario, switches, ruleset, root))
    return SpielGame({**params, "scenario": str(scenario), "ruleset": str(ruleset or "")})
