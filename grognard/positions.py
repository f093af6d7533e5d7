"""Positions of one's own, and procedures run in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grognard.cases.reading import CaseError
from grognard.cases.schema import beside
from grognard.cases.setting import placed, standing
from grognard.cases.setting import set_up as built
from grognard.cases.words import Words
from grognard.errors import ArgumentError, as_text, given
from grognard.option import Value
from grognard.places import initial_values
from grognard.plain import plain
from grognard.pointing import unplaced, written
from grognard.scenario import Scenario
from grognard.scripting import Script, script_of
from grognard.seeds import seeded
from grognard.translating import failing
from runtime.game import Game as RawGame
from runtime.scenario.tree import tree_of


@dataclass(frozen=True, slots=True)
class Given:
    """What is said of a position, as :func:`grognard.set_up` is given it."""

    position: Mapping[str, Any] | None
    fields: Mapping[str, Any] | None
    piles: Mapping[str, Sequence[str]] | None
    effects: Iterable[str]
    run: str | None
    dice: Script | None
    switches: Mapping[str, bool] | None


def set_up(scenario: Scenario, said: Given, seed: int, requirements: bool) -> tuple[Scenario, dict[str, Any]]:
    """The scenario of a position, of which *scenario* gives what is not *said*, and what :func:`begun` is to
    do with it; see :func:`grognard.set_up`.
    """
    data = _plain(said, scenario)
    data["seed"] = seeded(seed)
    _shaped(data)
    base = {**scenario.said, "switches": scenario.setup.switches}
    program = scenario.program
    try:
        setup = built(
            data,
            base,
            program.spec,
            initial_values(program) if requirements else None,
            program.broken if requirements else None,
        )
        made = replace(
            scenario, program=program.on(setup.board), setup=setup, path=None, content=placed(data, base)
        )
    except CaseError as error:
        raise ArgumentError(_told(error)) from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ArgumentError(str(error)) from None
    return made, data


def begun(scenario: Scenario, data: Mapping[str, Any]) -> RawGame:
    """The game of a position that is set up."""
    try:
        with failing(scenario.program.spec.name):
            words = Words(scenario.program.spec, scenario.setup)
            raw = standing(scenario.program, scenario.setup, data, words, scenario.language)
            raw.unrecorded = "its dice are scripted" if data.get("dice") else "its position was set up"
            call = data.get("run")
            if call is None:
                raw.begin()
            elif call.strip() != "nothing":
                raw.run(*words.procedure(call))
    except CaseError as error:
        raise ArgumentError(_told(error)) from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ArgumentError(str(error)) from None
    return raw


def run(game: RawGame, procedure: str, arguments: Sequence[Value]) -> None:
    """See :meth:`grognard.Game.run`."""
    words = Words(game.spec, game.setup)
    try:
        if not arguments and "(" in as_text(procedure):
            game.run(*words.procedure(as_text(procedure)))
            return
        spec = game.spec.procedures.get(as_text(procedure))
        types = spec.params if spec is not None else ()
        values = [words.value(type_, _word(one)) for type_, one in zip(types, arguments, strict=False)] + [
            0
        ] * (len(arguments) - len(types))
        game.run(as_text(procedure), values)
    except (CaseError, ValueError) as error:
        raise ArgumentError(str(error)) from None


def _word(value: Value) -> Any:
    """An argument as a case would write it."""
    if isinstance(value, list | tuple | set | frozenset):
        return [_word(one) for one in value]
    return "none" if value is None else value if isinstance(value, bool | int) else as_text(value)


def _plain(said: Given, scenario: Scenario) -> dict[str, Any]:
    """What is said as plain data; ArgumentError where it is of the wrong kind."""
    for what in ("position", "fields", "piles", "switches"):
        value = getattr(said, what)
        if value is not None and not isinstance(value, Mapping):
            raise ArgumentError(
                f"{what} is a mapping, not {type(value).__name__}", "docs/cases.md says what it may hold"
            )
    if isinstance(said.effects, str) or not isinstance(said.effects, Iterable):
        raise ArgumentError(f"effects is a list of texts, not {given(said.effects)}", "write ['charge']")
    values = {
        "position": said.position,
        "fields": said.fields,
        "piles": said.piles,
        "effects": list(said.effects),
        "switches": said.switches,
    }
    data: dict[str, Any] = {key: plain(value, key) for key, value in values.items() if value}
    if said.run is not None:
        if not isinstance(said.run, str):
            raise ArgumentError(
                f"run is a text, not {given(said.run)}", "write 'attack_unit(hi, foe, E6, attack)'"
            )
        data["run"] = said.run
    if said.dice is not None:
        data["dice"] = plain(script_of(scenario.program.spec, said.dice), "dice")
    return data


def _told(error: CaseError) -> str:
    """What is wrong, with its place in the arguments."""
    message = str(error)
    if error.path[:1] == ("position",):
        message = unplaced(message.removeprefix("the position: "), error.path[1:])
    return f"{written(error.path)}: {message}" if error.path else message


def _shaped(data: dict[str, Any]) -> None:
    """ArgumentError, with its place, for the first thing that has not the shape that cases demand of it."""
    node, errors, paths = tree_of(data, "position")
    if node is None:
        raise ArgumentError(f"{written(paths[errors[0].line])}: {errors[0].message}", errors[0].remedy)
    for wrong, message, remedy in beside(node):
        raise ArgumentError(f"{written(paths[wrong.line])}: {message}", remedy)
