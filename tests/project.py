"""What several tests share: the project's rulesets and scenarios, compiled once."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.mark.structures import ParameterSet

from compiler.interpreter import InterpretedProgram
from compiler.ruleset import Ruleset
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, load

ROOT = Path(__file__).resolve().parent.parent


@cache
def compiled(name: str) -> Ruleset:
    """The compilation of one of the project's rulesets."""
    return Ruleset(ROOT / "rulesets" / name)


@cache
def program_of(name: str) -> CompiledProgram:
    """The program of one of the project's rulesets."""
    program = compiled(name).loaded
    assert program is not None, [
        f"{d.span} {d.code} {d.message}" for d in compiled(name).diagnostics
    ]
    return program


@cache
def setup_of(scenario: str) -> SetUp:
    """One of the project's scenarios, as ``ruleset/name``."""
    setup, findings = load(
        ROOT / "scenarios" / f"{scenario}.yaml", program_of(scenario.split("/")[0]).spec
    )
    assert setup is not None, [str(f) for f in findings]
    return setup


def placed(scenario: str) -> CompiledProgram:
    """The program of one of the project's scenarios, on its board."""
    return program_of(scenario.split("/")[0]).on(setup_of(scenario).board)


@cache
def written(rules: str, scenario: str) -> tuple[CompiledProgram, InterpretedProgram, SetUp]:
    """Both programs of a ruleset that a test holds as text, and a scenario of it."""
    with TemporaryDirectory() as root:
        folder = Path(root) / rules.split()[1]
        folder.mkdir()
        (folder / "rules.grog").write_text(rules, encoding="utf-8")
        ruleset = Ruleset(folder)
        assert ruleset.ok, [(d.code, d.message, str(d.span)) for d in ruleset.diagnostics]
        program = ruleset.compiled
        setup, findings = load(scenario, program.spec)
        assert setup is not None, [str(f) for f in findings]
        return program, InterpretedProgram(ruleset.program, program.spec), setup


def scenarios() -> list[str]:
    """All scenarios of the project."""
    return sorted(
        p.relative_to(ROOT / "scenarios").with_suffix("").as_posix()
        for p in (ROOT / "scenarios").rglob("*.yaml")
    )


def playable() -> list[str]:
    """The rulesets that can be played: those with a scenario."""
    return sorted({s.split("/")[0] for s in scenarios()})


def one_of_each() -> list[str]:
    """A scenario of each game; an expansion asks what its game asks."""
    games = [game for game in playable() if game != "cc_ancients_greece"]
    return [next(s for s in sampled() if s.startswith(f"{game}/")) for game in games]


#: Of games with many scenarios those that stand for all: one of open ground, one of all kinds of ground, one of special rules.
SAMPLES = {
    "battles_of_westeros": ("learning_battle", "raid_in_the_riverlands"),
    "battles_of_napoleon": ("first_lesson", "garcia_hernandez"),
    "cc_ancients": ("akragas", "metaurus", "castulo"),
    "cc_ancients_greece": ("asculum",),
    "cc_napoleonics": ("redinha", "rolica_1", "river_coa"),
    "no_retreat": ("barbarossa_1941", "na_berlin"),
}


def sampled() -> list[str]:
    """The scenarios for tests that take long: some of each game, or all where ``GROGNARD_ALL_SCENARIOS`` is set."""
    if os.environ.get("GROGNARD_ALL_SCENARIOS"):
        return scenarios()
    parts = (scenario.split("/") for scenario in scenarios())
    return [f"{game}/{name}" for game, name in parts if name in SAMPLES.get(game, (name,))]


def at_length(names: Iterable[str], plain: Collection[str]) -> list[ParameterSet]:
    """Parameters of a test: *names*, of which all but the *plain* ones are tried in the long layer."""
    return [pytest.param(name, marks=() if name in plain else pytest.mark.long) for name in names]
