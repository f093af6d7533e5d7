"""The position of a case: the scenario with what the case says, fields, piles and effects; the script of
chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import yaml

from grognard.cases.reading import Case, CaseError
from grognard.cases.words import CALL, Words
from grognard.pointing import path_at
from runtime.model import RulesetSpec
from runtime.scenario import SetUp, load
from runtime.scenario.finding import suggestion
from runtime.state import StateBase, values_of


def set_up(case: Case, scenario: Mapping[str, Any], spec: RulesetSpec) -> SetUp:
    """The case's position as a scenario's: what it says replaces what *scenario* says."""
    body = {key: value for key, value in scenario.items() if key not in ("provenance", "roster", "map")}
    for key, value in (case.data.get("position") or {}).items():
        if key != "board" and isinstance(value, dict) and isinstance(body.get(key), dict):
            body[key] = {**body[key], **value} if key != "sides" else _merged(body[key], value)
        else:
            body[key] = value
    if case.data.get("switches"):
        given = body.get("switches")
        body["switches"] = {**(given if isinstance(given, dict) else {}), **case.data["switches"]}
    text = yaml.safe_dump(_quoted(body), allow_unicode=True, sort_keys=False)
    setup, findings = load(text, spec, name="position")
    for finding in findings:
        if finding.is_error:
            remedy = f" ({finding.remedy})" if finding.remedy else ""
            path = path_at(text, finding.code, (finding.line, finding.column))
            raise CaseError(f"the position: {finding.message}{remedy}", path=("position", *path))
    assert setup is not None
    return setup


def _merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for key in {**base, **more}:
        parts = [part[key] for part in (base, more) if key in part]
        made[key] = {**parts[0], **parts[-1]} if all(isinstance(part, dict) for part in parts) else parts[-1]
    return made


def _quoted(value: Any) -> Any:
    """Plain data that the strict reader reads back as it is (hex labels and words stay text)."""
    if isinstance(value, dict):
        return {str(k): _quoted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_quoted(v) for v in value]
    return value


def script_of(case: Case, spec: RulesetSpec) -> Mapping[str, Sequence[int | str]]:
    """What chance gives in the case."""
    dice = case.data.get("dice")
    if isinstance(dice, list):
        if len(spec.dice) != 1:
            known = ", ".join(d.name for d in spec.dice)
            raise CaseError(f"'dice' must say which die: {known}" if known else "the ruleset has no dice")
        return {spec.dice[0].name: dice}
    return dict(dice or {})


def prepare(case: Case, words: Words, state: StateBase) -> None:
    """Give the state what the case says beside its position."""
    for key, value in (case.data.get("fields") or {}).items():
        with _placed("fields", key):
            words.set_field(state, str(key), value)
    for key, cards in (case.data.get("piles") or {}).items():
        with _placed("piles", key):
            words.set_pile(state, str(key), cards)
    for i, text in enumerate(case.data.get("effects") or ()):
        with _placed("effects", i):
            _effect(state, str(text), words)


@contextmanager
def _placed(*path: str | int) -> Iterator[None]:
    """Says of what goes wrong where in the case it stands."""
    try:
        yield
    except (CaseError, ValueError) as error:
        raise CaseError(str(error), path=path) from error


def _effect(state: StateBase, text: str, words: Words) -> None:
    match = CALL.match(text)
    name = match.group(1) if match else text
    effects = words.spec.effects
    effect = next((e for e in effects if e.name == name), None)
    if effect is None:
        raise CaseError(f"unknown effect '{name}'; {suggestion(name, [e.name for e in effects])}")
    inside = match.group(2).strip() if match else ""
    given = [word.strip() for word in inside.split(",")] if inside else []
    if len(given) != len(effect.params):
        wanted = f"write {name}({', '.join(effect.names)})"
        raise CaseError(f"effect {name} is given {len(given)} of {len(effect.params)} arguments; {wanted}")
    bit = 0
    for word, param in zip(given, effect.params, strict=True):
        value = words.value(param, word)
        if not 0 <= value < values_of(state, param):
            raise CaseError(f"effect {name} cannot be in force for '{word}'")
        bit = bit * values_of(state, param) + value
    setattr(state, effect.slot, getattr(state, effect.slot) | 1 << bit)
