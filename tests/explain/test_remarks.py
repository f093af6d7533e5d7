"""What an author says of a member, a column or a field, beside what it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.draw.scene import PLAIN, Scene
from grognard.explain.explainer import Explainer
from grognard.explain.glossary import entries
from grognard.fronts.cli.main import main
from grognard.lexicon.names import Lexicon
from grognard.opening import open_scenario
from grognard.places import ruleset
from grognard.table.inspection import about_piece
from runtime.games.game import Game
from runtime.games.wording import wording_for
from runtime.view import view

MORE = """
table grounds of Terrain {
  columns cover: int "dice less at who stands there", §3.4 name: int
  | clear  | 0 | 0 |
  | forest | 1 | 0 |
}
"""


def test_they_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "hills"]) == 0
    rules = tmp_path / "rulesets" / "hills" / "ruleset.grog"
    text = rules.read_text(encoding="utf-8")
    old = "enum Terrain { clear, forest }"
    assert old in text
    new = 'enum Terrain { clear, §3.3 forest "woods"  "of any kind" }'
    rules.write_text(text.replace(old, new) + MORE, encoding="utf-8")
    opened = open_scenario("hills/first")
    explainer = Explainer(ruleset(opened.folder), opened.setup.board)
    known = explainer.member("Terrain", 1)
    assert (known.remark, known.rules) == ("woods of any kind", ("H-3.3",))
    lexicon = Lexicon.of(wording_for(opened.program.spec, opened.setup))
    (entry,) = entries(lexicon, explainer, "forest")
    told = {one.text: one.rules for one in entry.statements}
    assert told["woods of any kind"] == ("H-3.3",)
    assert any(text.startswith("dice less at who stands there: 1") for text in told)
    rule = explainer.rule("H-3.3")
    assert rule is not None
    assert any("member forest of Terrain: woods of any kind" in str(line) for line in rule.lines)


def test_of_a_piece_they_stand_where_a_field_has_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "hills"]) == 0
    rules = tmp_path / "rulesets" / "hills" / "ruleset.grog"
    text = rules.read_text(encoding="utf-8")
    old = "strength: int = it.type.strength"
    assert old in text
    rules.write_text(text.replace(old, f'{old} "steps left"'), encoding="utf-8")
    opened = open_scenario("hills/first")
    game = Game(opened.program, opened.setup, 1)
    scene = Scene(game.spec, game.setup, game.wording, PLAIN)
    for language, told in (("en", "steps left: 3"), ("cs", "strength: 3")):
        explainer = Explainer(ruleset(opened.folder), opened.setup.board, language)
        lines = about_piece(scene, view(game.state, 0).data, "Unit", 0, None, explainer.remark)
        assert told in [line.text for line in lines]
