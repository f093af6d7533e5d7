"""Observations mean what the view says: read by their layout, value by value, along random games of every scenario; and those that are kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from project import ROOT, at_length, sampled, scenarios

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

from bench.checks import observations  # noqa: E402
from grognard import UNSEEN  # noqa: E402
from grognard.envs import aec_env  # noqa: E402

#: every scenario of the project; those that do not stand for others only in a whole run
EVERY = at_length(scenarios(), sampled())
SMALL = sorted(
    p for p in (ROOT / "tests" / "rulesets").glob("*/*.yaml") if p.parent.name != "everything_base"
)


def shown(env: Any, agent: str) -> dict[str, Any]:
    """What the view of an agent says, by the names of the parts of an observation."""
    view = env.game.view(agent)
    data, made = view.data, {}

    def enter(prefix: str, owner: str | None, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            for member, each in value.items() if isinstance(value, dict) else (("", value),):
                part = f"{prefix}{name}[{member}]" if member else f"{prefix}{name}"
                if owner is None:
                    made[part] = each
                else:
                    made.setdefault(part, {})[owner] = each

    enter("", None, data["fields"])
    for owner, things in {**data["pieces"], "Hex": data["hexes"], **data["members"]}.items():
        for name, fields in things.items():
            enter(f"{owner}.", name, fields)
    for name, content in data["piles"].items():
        for owner, cards in content.items() if isinstance(content, dict) else (("", content),):
            count = Counter("covered" if card == UNSEEN else card for card in cards)
            made[f"{name}[{owner}]" if owner else name] = dict(count)
    for effect in env.game.spec.effects:
        made[effect.name] = tuple(e for e in data["effects"] if e.partition("(")[0] == effect.name)
    made["side"] = (agent,)
    made["decides"] = (view.decides,) if view.decides is not None else ()
    made["over"] = ("over",) if view.over else ()
    made["prompt"] = (view.prompt,) if view.prompt else ()
    made["subject"] = " ".join(view.subject)
    return made


def agrees(kind: str, read: Any, said: Any) -> bool:
    """Whether a value that was read from an observation is the one that the view says."""
    if kind == "count" and said != UNSEEN:
        return bool(read == len(said))
    if isinstance(said, int) and not isinstance(said, bool):
        return bool(read == max(-32767, min(said, 32767)))
    return bool(read == said and type(read) is type(said))


def compare(env: Any, agent: str, first: dict[str, Any]) -> None:
    """What an agent observes against what its view says; what is not observed has not changed since *first*."""
    said = shown(env, agent)
    read = observations.Reader(env).read(env.observe(agent)["observation"])
    assert sorted(read["subject"]) == sorted(said["subject"].split())
    for part in env.layout:
        if part.name == "subject":
            continue
        one, other = read[part.name], said.get(part.name, {})
        if isinstance(other, dict):  # empty for a kind without pieces
            assert one.keys() == other.keys(), part.name
            for owner in other:
                assert agrees(part.kind, one[owner], other[owner]), (
                    part.name,
                    owner,
                    one[owner],
                    other[owner],
                )
        else:
            assert agrees(part.kind, one, other), (part.name, one, other)
    for name in said.keys() - read.keys():
        assert said[name] == first[name], name
        assert UNSEEN not in (
            said[name].values() if isinstance(said[name], dict) else (said[name],)
        ), name


def play(env: Any, most: int = 100, every: int = 10) -> None:
    """Compare what all agents observe along a random game; each option is an action of its own name."""
    first: dict[str, dict[str, Any]] = {}
    for taken in observations.stepping(env, most):
        if taken == 0:
            first = {agent: shown(env, agent) for agent in env.possible_agents}
            assert [part.start for part in env.layout] == list(
                np.cumsum([0, *(part.size for part in env.layout)])[:-1]
            )
        if taken % every == 0 or env.game.over:
            for agent in env.possible_agents:
                compare(env, agent, first[agent])
        mask = env.observe(env.agent_selection)["action_mask"]
        assert {env.action_text(a) for a in np.flatnonzero(mask)} == {
            o.text for o in env.game.options
        }


@pytest.mark.parametrize("scenario", EVERY)
def test_observations_say_what_the_view_says(scenario: str) -> None:
    env = aec_env(scenario)
    play(env)
    assert observations.kept_lines()[scenario] == observations.playthrough(scenario, env)


@pytest.mark.parametrize("scenario", SMALL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_so_they_do_in_small_rulesets(scenario: Path) -> None:
    play(aec_env(scenario, ruleset=scenario.parent), most=200, every=4)


COUNTERS = """\
ruleset counters
sides red, blue
board field { layout odd_r; rows 2; columns 2; letters up; }
fields of Side { taken: set of int = {} }
fields of Game { picked: set of int = {} last: int = 0 }
procedure play() {
  repeat 6 times {
    choose n in (29 .. 35) - picked by red prompt number else { stop }
    add n to picked
    add n to blue.taken
    set last = n
  }
}
"""


def test_numbers_without_an_entry_spoil_no_other_part(tmp_path: Path) -> None:
    folder = tmp_path / "counters"
    folder.mkdir()
    (folder / "ruleset.grog").write_text(COUNTERS, encoding="utf-8")
    (folder / "one.yaml").write_text("ruleset: counters\ntitle: One\n", encoding="utf-8")
    env = aec_env(folder / "one.yaml", ruleset=folder)
    for _ in observations.stepping(env, 6):
        read = observations.Reader(env).read(env.observe("red")["observation"])
        picked, last = (env.game.position[name] for name in ("picked", "last"))
        below = tuple(str(n) for n in picked if n < 32)
        assert (read["picked"], read["Side.taken"], read["last"]) == (
            below,
            {"red": (), "blue": below},
            last,
        )
    assert len(picked) == 6


def test_nothing_is_kept_of_scenarios_that_are_not_there() -> None:
    assert observations.kept_lines().keys() == set(scenarios())
