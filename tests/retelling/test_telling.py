"""A telling that follows a game, with decisions that are taken back, tells what one of the whole game tells."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from project import ROOT, placed, setup_of
from retold import GAMES, positions

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.places import family
from grognard.retelling.moments import Course
from grognard.retelling.telling import Telling
from runtime.games.carrying import carry_over
from runtime.games.game import Game
from runtime.model import NONE

#: How many decisions are followed.
DECISIONS = 60


def telling(game: Game, side: int | None) -> Telling:
    ruleset = ROOT / "rulesets" / game.spec.name
    return Telling(Course(game, Scene.of_game(game, Style.read(family(ruleset))), side))


def plain(data: Any) -> Any:
    """Data as it comes out of JSON."""
    return json.loads(json.dumps(data))


def grown(data: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Data with what has come, as a page takes it in."""
    made = {**data}
    if "kept" in more:
        kept = more["kept"]
        made["steps"] = data["steps"][:kept] + more["steps"]
        made["log"] = [line for line in data["log"] if line[0] < kept] + more["log"]
    for name, value in more.items():
        if name.startswith("+"):
            made[name[1:]] = data[name[1:]] + value
        elif name not in ("kept", "steps", "log"):
            made[name] = grown(data[name], value) if isinstance(value, dict) else value
    return made


def told(data: dict[str, Any]) -> list[Any]:
    """The moments of a telling, whatever numbers their texts and looks have."""
    looks, texts = data["drawing"]["looks"], data["texts"]
    layers = {}
    for key, name in (("b", "below"), ("e", "edges"), ("v", "above")):
        lines: list[int] = []
        layers[key] = []
        for change in data["drawing"][name]["versions"]:
            lines = lines[:]
            if "put" in change:
                for place, line in zip(change["put"][::2], change["put"][1::2], strict=True):
                    lines[place] = line
            else:
                lines[change["at"] : change["at"] + change["drop"]] = change["add"]
            layers[key].append([data["drawing"][name]["lines"][n] for n in lines])
    made = []
    for step, now in zip(data["steps"], positions(data), strict=True):
        pieces = {
            slot: (
                looks[spot[0]],
                spot[1:] if len(spot) > 2 else data["drawing"]["groups"][spot[1]],
            )
            for slot, spot in now["pieces"].items()
            if spot
        }
        rows = {data["rows"][row]: values for row, values in now["rows"].items() if values}
        parts = [layers[key][now[key]] for key in layers]
        hands = [[data["cards"][card] for card in hand] for hand in now["x"]]
        words = [texts[n] for n in (now["h"], *now["l"])] + [
            texts[step[k]] for k in "qa" if k in step
        ]
        dice = [[texts[n] for n in roll] for roll in step.get("d", ())]
        made.append([pieces, rows, parts, hands, words, dice, data["strips"][now["w"]], now["c"]])
    return [made, data["log"], data["turns"]]


@pytest.mark.parametrize("scenario", GAMES)
@pytest.mark.parametrize("side", [0, NONE, None])
def test_following_tells_what_the_whole_game_tells(scenario: str, side: int | None) -> None:
    game, rng = Game(placed(scenario), setup_of(scenario), 5), Random(5)
    following = telling(game, side)
    following.follow(game)
    mark, held = following.mark, plain(following.data)
    undone = 0
    while len(game.choices) < DECISIONS and not game.over:
        assert game.decision is not None
        game.play(rng.choice(game.decision.options))
        if rng.random() < 0.5:
            following.follow(game)
        while game.can_undo and rng.random() < 0.3:
            game.undo()
            undone += 1
        following.follow(game)
        if rng.random() < 0.5:
            more, mark = following.since(mark)
            held = grown(held, plain(more))
            assert held == plain(following.data)
    assert undone
    whole = telling(game, side)
    whole.follow(game)
    assert told(plain(following.data)) == told(plain(whole.data))


@pytest.mark.parametrize("scenario", GAMES)
def test_a_game_that_other_rules_have_led_to_is_told_from_there(scenario: str) -> None:
    program, setup = placed(scenario), setup_of(scenario)
    game, rng = Game(program, setup, 5), Random(5)
    for _ in range(20):
        game.play(rng.choice(game.options))
    carried = carry_over(game, program, setup).game
    assert carried is not None
    following = telling(carried, None)
    following.follow(carried)
    assert len(following.steps) == 1 and len(following.lines) > 0
    for _ in range(20):
        option = rng.choice(game.options)
        game.play(option)
        carried.play(option.text)
        following.follow(carried)
        assert following.course.game.hash == carried.hash == game.hash
    assert len(following.steps) == 21
    assert carried.rewound().log == carried.log[: carried.rewound().notes]


def test_what_is_taken_back_beyond_memory_is_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.retelling.telling._BACK", 1)
    game = Game(placed("cc_ancients/akragas"), setup_of("cc_ancients/akragas"), 7)
    following = telling(game, None)
    game.play("command order_3_center")
    for _ in range(2):
        assert game.decision is not None
        game.play(game.decision.options[0])
    following.follow(game)
    mark, held = following.mark, plain(following.data)
    for _ in range(3):
        game.undo()
    following.follow(game)
    assert len(following.steps) == 1 and following.since(mark)[0]["kept"] == 0
    assert grown(held, plain(following.since(mark)[0]))["steps"] == plain(following.steps)
