"""What names mean: everything in the sources of all rulesets is known, and known as one thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard import places
from grognard.editing.desk import Desk
from grognard.editing.meanings import Symbols
from grognard.editing.names.renaming import rename

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "tests/rulesets/everything", ROOT / "rulesets/cc_ancients"]
#: Names of what texts and players know, and of what only files do: nothing in the rules is called so.
WORDS = (n.Prompt, n.Branch, n.Note, n.Step, n.Header, n.Board, n.Setting)


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def symbols(request: pytest.FixtureRequest) -> Symbols:
    folder: Path = request.param
    return Symbols(Ruleset(folder, places.finder(folder)))


def test_every_name_that_is_written_is_known(symbols: Symbols) -> None:
    unknown = []
    for decl in symbols.resolved.decls:
        for node in n.below([decl]):
            if isinstance(node, n.Name):
                at = symbols.symbol_at(node.span.file, node.span.start)
                if at is None and symbols.ruleset.program.board is not None:
                    label = node.name in symbols.ruleset.program.labels
                    unknown += [] if label else [f"{node.span}: {node.name}"]
    assert not unknown, "\n".join(unknown)


def test_one_thing_has_one_name(symbols: Symbols) -> None:
    for symbol in symbols.symbols:
        written = {
            symbols.sources[at.file].text[at.start : at.end]
            for at in symbol.places
            if at.file in symbols.sources
        }
        assert len(written) == 1, (symbol.meanings, written)


def test_what_is_declared_is_used_as_often_as_the_checker_says(symbols: Symbols) -> None:
    declared = [one for one in symbols.symbols if one.definitions]
    assert len(declared) > 100
    meant = {m for m in symbols.ruleset.uses if m.startswith(("call ", "do ", "effect "))}
    assert meant <= {m for one in declared for m in one.meanings}


def test_parameters_of_effects_and_what_travels_carry_are_known_where_they_are_written(
    symbols: Symbols,
) -> None:
    for decl in symbols.resolved.decls:
        names: list[n.Ident] = []
        for node in n.below([decl]):
            names += [p.name for p in node.params] if isinstance(node, n.Effect) else []
            names += [node.name] if isinstance(node, n.Change) else []
        assert all(symbols.symbol_at(one.span.file, one.span.start) for one in names), decl
        if isinstance(decl, n.Travel):
            found = [symbols.symbol_at(c.name.span.file, c.name.span.start) for c in decl.carried]
            assert all(one is not None and one[0].is_local for one in found)


def test_what_forecasts_are_of_is_named_by_events_and_reactions() -> None:
    folder = ROOT / "rulesets/cc_ancients"
    found = Symbols(Ruleset(folder, places.finder(folder)))
    for meaning in ("event close_combat", "reaction evade"):
        symbol = found.by_meaning(meaning)
        assert symbol is not None
        assert "cc_core/forecasts.grog" in {one.file for one in symbol.places}, meaning


@pytest.mark.long
def test_what_is_declared_in_a_base_is_renamed_in_all_that_extend_it() -> None:
    desk = Desk(ROOT)
    with desk.searching():
        game = ROOT / "rulesets/cc_ancients"
        terrain = desk.symbols(game).by_meaning("Terrain")
        assert terrain is not None
        renamed = rename(desk, game, terrain, "Ground").edits
        changed = {
            path.relative_to(ROOT / "rulesets").as_posix()
            for path in renamed
            if path.is_relative_to(ROOT / "rulesets")
        }
        assert {
            "cc_core/ruleset.grog",
            "cc_ancients/ground.grog",
            "cc_ancients/texts/cs.yaml",
        } <= changed
        assert any(path.startswith("cc_napoleonics/") for path in changed)
        (head,) = (
            one
            for one in renamed[game / "ground.grog"]
            if desk.text(game / "ground.grog")[: one.start].endswith("extend enum ")
        )
        assert head.text == "Ground"
