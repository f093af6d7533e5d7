"""The layers of the tests: ``-m smoke`` runs the first, ``-m long`` the last; plain ``pytest`` all but the last."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import postgres
import pytest
from postgres import Postgres

HERE = Path(__file__).resolve().parent

# As most of what is compiled stays, garbage is looked for rarely; each command does so, too.
gc.set_threshold(100_000, 20, 50)

#: The files whose tests take more than some five seconds of processor time each, or of which there are very many; measured with ``--durations``.
LONG = (
    "cli/test_hostile.py",
    "cli/test_saves.py",
    "library/test_types.py",
    "test_agreement.py",
    "cases/test_cases_mutated.py",
    "compiler/test_corpus_mutated.py",
    "compiler/test_emitted.py",
    "bench/test_fuzz.py",
    "test_straight_faces.py",
    "runtime/test_undo.py",
    "table/test_whole_games.py",
)

#: Files that are quick and reach every package.
SMOKE = (
    "bench/test_golden.py",
    "cases/test_foreseen.py",
    "cli/test_at_the_board.py",
    "cli/test_cli_rulesets.py",
    "compiler/test_corpus.py",
    "draw/test_style.py",
    "dsl/test_parser.py",
    "explain/test_nothing_there.py",
    "lexicon/test_names.py",
    "library/test_testing.py",
    "retelling/test_page.py",
    "runtime/test_board.py",
    "runtime/test_game.py",
    "scenario/test_bad.py",
    "table/test_protocol.py",
    "test_modules.py",
    "test_walls.py",
)


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests compile is kept for all workers, apart from what is the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        if "GROGNARD_CACHE" not in os.environ:
            own = tmp_path_factory.getbasetemp()
            shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
            patch.setenv("GROGNARD_CACHE", str(shared / "cache"))
        yield


@pytest.fixture(scope="session")
def database_server() -> Iterator[Postgres]:
    """A PostgreSQL server; skipped where none is installed."""
    programs = postgres.programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed")
    with postgres.postgres(programs) as server:
        yield server


@pytest.fixture(scope="module")
def quick_hints() -> Iterator[None]:
    """Hints by a few short playouts, which no clock ends: they are quick, and always the same."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("REGULAR", 12), ("_SECONDS", 0.0), ("_LOOKS", 2)):
            patch.setattr(f"grognard.table.hints.{name}", value)
        for name, value in (("_PILOTS", 8), ("_MOST", 20), ("_TRIES", 3)):
            patch.setattr(f"runtime.runs.search.{name}", value)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the layers; what the reference interpreter plays besides compiled code is long."""
    for item in items:
        name = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if name in LONG or "interpreted" in item.name:
            item.add_marker(pytest.mark.long)
        elif name in SMOKE and not item.get_closest_marker("long"):
            item.add_marker(pytest.mark.smoke)
