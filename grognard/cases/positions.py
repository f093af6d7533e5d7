"""The position of a case: the scenario with what the case says, fields, piles and effects; the
script of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from grognard.cases.file import CaseError
from grognard.cases.words import CaseWords
from runtime.data.tree import tree_of
from runtime.errors import words_of
from runtime.games.game import Game
from runtime.model import RulesetSpec
from runtime.program import Program
from runtime.scenario import SetUp, load
from runtime.scenario.build import Initial
from runtime.scenario.setup import Unmet
from runtime.state import StateBase, values_of
from runtime.words.said import said


def set_up(
    data: Mapping[str, Any],
    scenario: Mapping[str, Any],
    spec: RulesetSpec,
    initial: Initial | None = None,
    broken: Callable[[SetUp], list[Unmet]] | None = None,
) -> SetUp:
    """The position of a case as a scenario's: what it says replaces what *scenario* says.

    CaseError where it has errors; what the ruleset requires of scenarios is *broken* only where
    that is given (see :func:`runtime.scenario.load`).
    """
    tree, findings, paths = tree_of(scenario_with_position(data, scenario), "position")
    setup = None
    if tree is not None:
        setup, findings = load(tree, spec, name="position", initial=initial, broken=broken)
    for finding in findings:
        if finding.is_error:
            remedy = said(" ({remedy})", remedy=finding.remedy) if finding.remedy else ""
            path = ("position", *paths[finding.line])
            raise CaseError(
                said("the position: {message}{remedy}", message=finding.message, remedy=remedy),
                path=path,
            )
    assert setup is not None
    return setup


def scenario_with_position(data: Mapping[str, Any], scenario: Mapping[str, Any]) -> dict[str, Any]:
    """What *scenario* would say with the position of a case."""
    left_out = ("provenance", "roster", "map")
    body = {key: value for key, value in scenario.items() if key not in left_out}
    for key, value in (data.get("position") or {}).items():
        if key != "board" and isinstance(value, dict) and isinstance(body.get(key), dict):
            body[key] = {**body[key], **value} if key != "sides" else _merge(body[key], value)
        else:
            body[key] = value
    if data.get("switches"):
        given = body.get("switches")
        body["switches"] = {**(given if isinstance(given, dict) else {}), **data["switches"]}
    return body


def standing(
    program: Program, setup: SetUp, data: Mapping[str, Any], words: CaseWords, language: str = "en"
) -> Game:
    """The game of a position, with what a case says beside it, in which nothing runs yet."""
    state = program.new_state(setup, int(data.get("seed", 1)))
    put_beside(data, words, state)
    game = Game.at(program, setup, state, language)
    with _errors_placed_at("dice"):
        game.script(script_of(data, program.spec))
    return game


def _merge(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Mappings put together, and what they hold in turn; else what the second says."""
    merged = {**base, **more}
    for key in base.keys() & more.keys():
        if isinstance(base[key], dict) and isinstance(more[key], dict):
            merged[key] = {**base[key], **more[key]}
    return merged


def script_of(data: Mapping[str, Any], spec: RulesetSpec) -> Mapping[str, Sequence[Any]]:
    """What chance gives in the case."""
    dice = data.get("dice")
    if isinstance(dice, list):
        if len(spec.dice) != 1:
            known = ", ".join(d.name for d in spec.dice)
            raise CaseError(
                said("'dice' must say which die: {known}", known=known)
                if known
                else "the ruleset has no dice"
            )
        return {spec.dice[0].name: dice}
    return dict(dice or {})


def put_beside(data: Mapping[str, Any], words: CaseWords, state: StateBase) -> None:
    """Give the state what the case says beside its position."""
    for key in data.get("fields") or {}:
        with _errors_placed_at("fields", key):
            words.take_up(state, str(key))
    for key, value in (data.get("fields") or {}).items():
        with _errors_placed_at("fields", key):
            words.set_field(state, str(key), value)
    for key, cards in (data.get("piles") or {}).items():
        with _errors_placed_at("piles", key):
            words.set_pile(state, str(key), cards)
    for i, text in enumerate(data.get("effects") or ()):
        with _errors_placed_at("effects", i):
            _effect(state, str(text), words)


@contextmanager
def _errors_placed_at(*path: str | int) -> Iterator[None]:
    """Says of what goes wrong where in the case it stands."""
    try:
        yield
    except (CaseError, ValueError) as error:
        raise CaseError(words_of(error), path=path) from error


def _effect(state: StateBase, text: str, words: CaseWords) -> None:
    effects = {effect.name: effect for effect in words.spec.effects}
    known = {name: tuple(zip(one.names, one.params, strict=True)) for name, one in effects.items()}
    name, values = words.call(text, (), known, "effect")
    effect, bit = effects[name], 0
    for value, param in zip(values, effect.params, strict=True):
        if not 0 <= value < values_of(state, param):
            raise CaseError(
                said(
                    "effect {name} cannot be in force for '{value}'",
                    name=name,
                    value=words.name(param, value),
                )
            )
        bit = bit * values_of(state, param) + value
    setattr(state, effect.slot, getattr(state, effect.slot) | 1 << bit)
    state.forget((effect.slot,))
