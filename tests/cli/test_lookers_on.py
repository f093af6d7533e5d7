"""What commands show of a game that goes on does not hang on what any side holds: whoever stands beside the table may read it."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from project import one_of_each
from running import Ran

from grognard import opening, places, records
from grognard.explain.explainer import Explainer
from grognard.fronts.cli.games import explain, odds, play
from grognard.fronts.cli.games import replay as replaying
from runtime.games.game import Game
from runtime.games.record import Record
from runtime.model import NONE
from runtime.runs.forecast import foresee
from runtime.state import reindex
from runtime.view import view

#: Those that are tried each time; the others take minutes.
QUICK = ("cc_ancients/akragas",)
GAMES = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in one_of_each()
]

#: What takes long is done once for all tests here.
OPENED = cache(opening.open_scenario)
RULESET = cache(places.ruleset)
EXPLAINER = cache(Explainer)


def exchange(game: Game, rng: Random) -> None:
    """Deal all cards anew that not all see, those in the hands of both sides too."""
    state: Any = game.state
    for deck in state.SPEC.decks:
        closed = [pile for pile in deck.piles if pile.visibility in ("owner", "hidden")]
        parts = [
            part
            for pile in closed
            for part in (
                getattr(state, pile.slot)[:-1] if pile.per else [getattr(state, pile.slot)]
            )
        ]
        pool = [card for part in parts for card in part]
        rng.shuffle(pool)
        for part in parts:
            part[:] = sorted(pool[: len(part)])
            del pool[: len(part)]
    reindex(state)


def said(ran: Ran) -> tuple[str, str]:
    """What a command has printed, but for the name of a report of rules that fail."""
    return ran.out, re.sub(r"fault-\S+", "fault", ran.err)


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "open_scenario", OPENED)
    monkeypatch.setattr(places, "ruleset", RULESET)
    monkeypatch.setitem(foresee.__kwdefaults__, "seconds", 600.0)  # whatever the machine does
    for command in (explain, odds):
        monkeypatch.setattr(command, "Explainer", EXPLAINER)


@pytest.fixture(params=GAMES)
def game(
    request: pytest.FixtureRequest,
    run: Callable[..., Ran],
    desk: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """The name of a scenario of which g.record is broken off."""
    named = partial(OPENED, request.param)
    for module in (records, replaying):  # not looked for each time
        monkeypatch.setattr(module, "scenario_of", lambda *_: named())
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 40))
    assert run("play", request.param, "--record", "g.record", "--seed", "1").code == 0
    return str(request.param)


def test_nothing_that_is_shown_hangs_on_what_is_held(
    game: str, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = [
        ["replay", "g.record", "--board"],
        ["render", game, "--record", "g.record"],
    ]
    commands.append(["render", game, "--record", "g.record", "--text", "sketch"])
    commands += [
        ["odds", "g.record"],
        ["odds", "g.record", "nothing"],
        ["odds", "g.record", "done", "--json"],
    ]
    opened, there = records.read_named(Path("g.record")).open()
    program = EXPLAINER(places.ruleset(opened.folder)).program
    rng = Random(1)
    for call in rng.sample(list(program.calls.values()), 60):
        choices = [values_of(there, p.type.spec()) for p in call.params]
        for arguments in rng.sample(
            products := list(itertools.islice(itertools.product(*choices), 500)),
            min(1, len(products)),
        ):
            commands.append(["explain", game, call.name, *arguments, "--record", "g.record"])
    for forecast in there.spec.forecasts.values():
        arguments = [rng.choice(values_of(there, type_) or ["none"]) for type_ in forecast.params]
        commands.append(["odds", "g.record", f"{forecast.name}({', '.join(arguments)})"])
    assert len(commands) > 50
    plain = [run(*command) for command in commands]
    assert [done.err for done in plain[:3] if done.code] == []
    assert sum(done.code == 0 for done in plain) > 25
    replay, dealt = records.replay, []

    def replay_otherwise(*arguments: Any, **more: Any) -> Game:
        made = replay(*arguments, **more)
        before = view(made.state, NONE).data
        exchange(made, Random(7))
        assert view(made.state, NONE).data == before
        dealt.append(made)
        return made

    monkeypatch.setattr(records, "replay", replay_otherwise)
    for command, done in zip(commands, plain):
        again = run(*command)
        assert (again.code, *said(again)) == (done.code, *said(done)), command
    assert len(dealt) == len(commands)


def test_odds_tell_a_hand_to_its_owner_alone(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options that are offered for what a side holds are listed where that side is named."""
    monkeypatch.chdir(tmp_path)
    opened = opening.open_scenario("akragas")
    game = Game(opened.program, opened.setup, 1)
    (tmp_path / "g.record").write_text(Record.of(game).write(), encoding="utf-8")
    assert game.decision is not None
    side, option = game.spec.sides[game.decision.side], game.decision.options[0].text
    other = next(s for s in game.spec.sides if s != side)
    for words in (["nothing"], [option], ["nothing", "--side", other], [option, "--side", other]):
        done = run("odds", "g.record", *words)
        assert done.code == 2 and "only" in done.err
        assert not any(
            one.text in done.all.replace(f"odds {option}", "") for one in game.decision.options[1:]
        )
    assert option in run("odds", "g.record", "nothing", "--side", side).err


def values_of(game: Game, type_: Any) -> list[str]:
    """Some values of a type, as they are typed."""
    if type_.kind == "piece":
        return [piece.name for piece in game.setup.pieces.get(type_.name, ())]
    if type_.kind == "hex":
        return list(game.spec.board.labels)
    if type_.kind == "enum":
        return list(game.spec.enums[type_.name])
    return {"bool": ["yes", "no"], "int": ["0", "1", "2"]}.get(type_.kind, [])


@pytest.mark.parametrize("seed", ["1", "7", "136943945547865988216011250340633684867"])
def test_a_side_that_is_named_sees_its_own(
    run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    """What hangs on a hand is told to its owner alone; of an empty hand, which all see, everybody is told the same."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3))
    assert run("play", "barbarossa_1941", "--record", "g.record", "--seed", seed).code == 0
    held: Any = records.read_named(Path("g.record")).open()[1].state
    command = [
        "explain",
        "barbarossa_1941",
        "can_answer",
        "axis",
        "mulligan",
        "--record",
        "g.record",
    ]
    names = run("explain", "barbarossa_1941", "can_answer", "axis", "nothing").err
    moment = names.split("possible: ")[1].split(",")[0].split()[0]
    command[4] = moment
    everybody, own = run(*command), run(*command, "--side", "axis")
    assert everybody.code == own.code == 0
    assert (everybody.out == own.out) == (held.pile_hand[0] == [])
