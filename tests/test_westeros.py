"""Battles of Westeros: what is foreseen of an attack is what comes of it where the same dice are thrown; the
figures of the box."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
import yaml
from project import ROOT

import grognard
from runtime.runs.forecast import arguments, came, of_option
from runtime.view import view

#: Crowds that are looked at, decisions in each, throws of each attack.
CROWDS, DECISIONS, THROWS = 10, 12, 3
SYMBOLS = ("green_shield", "blue_shield", "red_shield", "valor", "morale")
#: Faces of the die, morale more often than it has them.
FACES = (0, 1, 2, 3, 4, 4)
TYPES = {
    "stark": ["war_host", "winterfell_riders", "northern_archers", "kennelmasters"],
    "lannister": ["lannister_guards", "casterly_riders", "west_archers", "heavy_infantry"],
}
LEADERS = {
    "stark": [
        ("war_host", "the_greatjon"),
        ("war_host", "warden_of_the_north"),
        ("winterfell_riders", "lord_of_karhold"),
    ],
    "lannister": [
        ("casterly_riders", "kingslayer"),
        ("heavy_infantry", "the_mountain"),
        ("lannister_guards", "trusted_captain"),
    ],
}

Fate = dict[str, int | bool]


@pytest.mark.parametrize(
    "switches", [(), ("errata_retreat",), ("flanks_engage", "reduced_strength")], ids=" ".join
)
def test_an_attack_comes_to_what_was_foreseen(switches: tuple[str, ...]) -> None:
    rng = Random(1)
    counted: Counter[str] = Counter()
    for _ in range(CROWDS):
        game = grognard.load(
            _crowd(rng), seed=rng.randrange(999), switches=dict.fromkeys(switches, True), root=ROOT
        )
        for _ in range(DECISIONS):
            if game.over:
                break
            attacks = [o for o in game.options if o.branch == "attack"]
            for option, _ in product(attacks, range(THROWS)):
                dice = [rng.choice(FACES) for _ in range(60)]
                told, real = _told(game, option, dice), _played(game, option, dice)
                assert told == real, (
                    option.text,
                    [SYMBOLS[f] for f in dice[:12]],
                    game.position.data["pieces"],
                )
                counted.update(key for key, value in real.items() if value)
            orders = [o for o in game.options if o.branch in ("token", "moved", "stay")]
            game.play(rng.choice(attacks or orders or list(game.options)))
    assert min(counted[key] for key in ("gone", "driven", "lost", "answer")) >= 5, counted


def _crowd(rng: Random) -> dict[str, object]:
    """Units of both Houses in a crowd at the edge."""
    hexes = [f"{row}{column}" for row in "ABCD" for column in range(1, 6)]
    rng.shuffle(hexes)
    units = []
    for side, types in TYPES.items():
        leader, commander = rng.choice(LEADERS[side])
        led = {"type": leader, "commander": commander}
        for kind in [led, *({"type": kind} for kind in rng.sample(2 * types, 6))]:
            unit = {"side": side, "rank": rng.choice(["green", "blue", "red"]), **kind}
            units.append({**unit, "hex": hexes.pop(), "figures": rng.randint(1, 3)})
    return _battle(units)


def _battle(units: list[dict[str, object]]) -> dict[str, object]:
    """The learning battle with other units."""
    path = ROOT / "scenarios" / "battles_of_westeros" / "learning_battle.yaml"
    scenario = yaml.safe_load(path.read_text(encoding="utf-8"))
    scenario["pieces"] = {"Unit": units}
    del scenario["provenance"], scenario["roster"]
    return dict(scenario)


def _told(game: grognard.Game, option: grognard.Option, dice: list[int]) -> Fate:
    """What becomes of attacker and target, by the forecast."""
    spec, point = game.spec, game.state.point
    (forecast,) = of_option(spec, point, option.raw)
    args = arguments(spec, point, option.raw, ())
    seen = view(game.state, game.state.chooser).state
    said = came(game.program, seen, forecast.name, args, {"battle": dice[:]})
    gone = "destroyed" in said or "taken" in said
    made: Fate = {
        "gone": gone,
        "driven": "back" in said and not gone,
        "lost": _lost(game, option.values[1], said["hits"][0], gone),
    }
    if "answer_hits" in said:
        made["answer"] = _lost(game, option.values[0], said["answer_hits"][0])
    return made


def _lost(game: grognard.Game, name: str, hits: int, gone: bool = False) -> int:
    """Figures that so many hits take; a commander stands when his followers have fallen."""
    unit = game.position.piece(name)
    least = 0 if gone or unit.commander is None else 1
    return unit.figures if gone else min(hits, unit.figures - least)


def _played(game: grognard.Game, option: grognard.Option, dice: list[int]) -> Fate:
    """What becomes of them in play: no deed is done; what can be answered or ignored is."""
    game = game.copy()
    game.script({"battle": [SYMBOLS[face] for face in dice]})
    a, t = option.values
    attacker, target = game.position.piece(a), game.position.piece(t)
    game.play(option.text)
    game = _resolved(game, a, t, "ordered_attack")
    end = game.position.piece(t)
    made: Fate = {
        "gone": end.hex is None,
        "driven": end.hex not in (None, target.hex),
        "lost": target.figures - (0 if end.hex is None else end.figures),
    }
    if any(o.text == "counterattack" for o in game.options):
        game.play("counterattack")
        game = _resolved(game, t, a, "counter")
        made["answer"] = attacker.figures - game.position.piece(a).figures
    return made


def _resolved(game: grognard.Game, a: str, t: str, occasion: str) -> grognard.Game:
    """The game when the attack is resolved, or a counterattack is offered; who retreats saves most figures."""
    while game.side is not None and not any(o.text == "counterattack" for o in game.options):
        question = game.decision.question if game.decision else ""
        if question == f"combat({a}, {t}, {occasion})":
            game.play("decline")
        elif question.startswith(f"stalwart({t},"):
            game.play("ignore")
        elif question == f"reroll({a}, {t})":
            shown = game.position.members("Symbol")
            idle = [
                o
                for o in game.options
                if not o.passes and o.value != "morale" and not game.value("strikes", o.value, a, t)
            ]
            game.play(max(idle, key=lambda o: shown[o.value]["shown"]) if idle else "keep")
        elif question in (f"retreat({t})", f"way_back({t})"):
            ways = [game.copy() for _ in game.options]
            for number, way in enumerate(ways):
                way.play(number)
            ways = [_resolved(way, a, t, occasion) for way in ways]
            return max(ways, key=lambda way: way.position.piece(t).figures)
        else:
            break
    return game


def test_a_battle_needs_no_more_figures_than_the_box_holds() -> None:
    heavy = {"side": "lannister", "type": "heavy_infantry", "rank": "red"}
    host = {"side": "stark", "type": "war_host", "rank": "green", "hex": "A1"}
    two, leader, third = (
        {**heavy, "hex": ["G1", "G2"]},
        {**heavy, "hex": "G3", "commander": "the_mountain"},
        {"hex": "G4"},
    )
    assert grognard.load(_battle([host, two, leader]), root=ROOT).side is not None
    assert grognard.load(_battle([host, two, {**heavy, **third}]), root=ROOT).side is not None
    with pytest.raises(grognard.LoadError, match=r"in the box\. \(BOW-1\.7\)"):
        grognard.load(_battle([host, two, leader, {**heavy, **third}]), root=ROOT)
