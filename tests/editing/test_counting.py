"""How often rules are reached: exactly, in games that are played again and in cases, and told by the language server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")
from editor_client import Editor
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from grognard.coverage.watched_games import Counts
from grognard.editing.counting import CountingProcess, ReplayableGame, Work, count
from grognard.editing.desk import Desk
from grognard.editing.reached_rules import ReachedRules
from grognard.fronts.lsp import assistance, navigation
from grognard.fronts.lsp.reaching import COMMAND
from grognard.lexicon.faults import sayer
from grognard.opening import load_scenario
from grognard.scenario import Scenario
from runtime.games.carrying import carry_over
from runtime.games.game import Game

RULES = """\
ruleset walk
sides top, bottom
board b { rows 1; columns 9; }
piece Unit { side: Side fixed setup  hex: Hex place alone setup  tired: bool = false setup }
fields of Game { gone: int = 0  waited: int = 0 }

quantity pace(u: Unit): int {
  stage more
  rule printed = 1
  rule weary except printed
      = 0 when u.tired
  modify fresh stage more by 1 when not u.tired and waited is 0
}

function far(): bool = gone >= 5

procedure go(u: Unit) { add pace(u) to gone }

procedure play() {
  repeat 4 times {
    offer once by top prompt what {
      move(u in Unit where u.side is top) { do go(u) }
      rest { add 1 to waited }
    }
  }
  tie
}

check arrived when far() { win by top }
"""
SCENARIO = """\
ruleset: walk
title: A walk
sides: {top: {name: Top}, bottom: {name: Bottom}}
pieces:
  Unit:
    - {side: top, hex: A1, name: ann}
    - {side: top, hex: A3, name: bob, tired: true}
"""
CASES = """\
ruleset: walk
scenario: walk
cases:
  - {name: who is tired stays, run: go(bob), expect: {fields: {gone: 0}}}
"""
#: What is counted of the rules, by the beginnings of lines.
_PARTS = ("quantity", "rule printed", "rule weary", "modify", "function", "procedure go")
_PARTS += ("procedure play", "move", "rest", "check")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An author's folder with the ruleset *walk*."""
    for name, text in {
        "rulesets/walk/walk.grog": RULES,
        "rulesets/walk/texts/en.yaml": "{}\n",
        "scenarios/walk/walk.yaml": SCENARIO,
        "tests/cases/walk/walk.yaml": CASES,
    }.items():
        path = tmp_path.resolve() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path.resolve()


def opened(desk: Desk) -> Scenario:
    with desk.searching():
        folder = desk.root / "rulesets/walk"
        ruleset = desk.ruleset(folder)
        path = desk.root / "scenarios/walk/walk.yaml"
        made, findings = load_scenario(path, folder, ruleset.compiled, ruleset=ruleset)
    assert made is not None, findings
    return made


def work(root: Path, game: Game | None, seconds: float = 0) -> Work:
    scenario = root / "scenarios/walk/walk.yaml"
    played = None if game is None else ReplayableGame.of(game)
    return Work(root, root / "rulesets/walk", {}, (scenario,), played, seconds)


def counts_of(root: Path, game: Game | None = None) -> Counts:
    found = count(work(root, game), Desk(root))
    assert found is not None
    return found.counts


def counted(root: Path, game: Game | None) -> dict[str, int]:
    """How often each part of the rules was reached, by how its line begins."""
    counts = counts_of(root, game)
    assert {file for file, _ in counts} == {"walk/walk.grog"}
    lines = RULES.split("\n")
    found = {lines[line - 1].strip(): count for (_, line), count in counts.items()}
    by_part = {
        part: number for part in _PARTS for text, number in found.items() if text.startswith(part)
    }
    assert len(by_part) == len(found)
    return by_part


def test_a_game_that_is_played_again_is_counted_exactly(root: Path) -> None:
    (root / "tests/cases/walk/walk.yaml").unlink()
    game = opened(Desk(root)).begin(1)
    for option in ("move ann", "rest", "move bob"):
        game.play(option)
    assert counted(root, game) == {
        "quantity": 2,
        "rule printed": 2,
        "rule weary": 1,
        "modify": 1,
        "procedure go": 2,
        "procedure play": 1,
        "move": 2,
        "rest": 1,
        "check": 0,
        "function": 1,  # bob's going changes nothing, so nothing is checked
    }


def test_what_was_played_by_other_rules_does_not_count(root: Path) -> None:
    (root / "tests/cases/walk/walk.yaml").unlink()
    desk = Desk(root)
    game = opened(desk).begin(1)
    game.play("move ann")
    desk.write(root / "rulesets/walk/walk.grog", RULES.replace("gone >= 5", "gone >= 2"))
    now = opened(desk)
    carried = carry_over(game, now.program, now.setup, now).game
    assert carried is not None
    carried.play("rest")
    carried.play("move ann")
    assert carried.state.game_gone == 3
    found = counted(root, carried)
    assert (found["move"], found["rest"], found["procedure play"]) == (1, 1, 0)


def test_cases_count_too(root: Path) -> None:
    found = counted(root, None)
    assert found["procedure go"] == found["rule weary"] == found["quantity"] == 1
    assert found["modify"] == found["move"] == 0


def test_counts_go_with_their_declarations(root: Path) -> None:
    desk = Desk(root)
    counts = counts_of(root)
    with desk.searching():
        folder, path = root / "rulesets/walk", root / "rulesets/walk/walk.grog"
        known = ReachedRules.of(desk.ruleset(folder), counts)
        before = known.lines(desk.ruleset(folder))["walk/walk.grog"]
        assert before == {line: number for (_, line), number in counts.items()}
        desk.write(path, "\n\n" + RULES.replace("add pace(u) to gone", "add 2 to gone"))
        after = known.lines(desk.ruleset(folder))["walk/walk.grog"]
    gone = 1 + RULES[: RULES.index("procedure go")].count("\n")
    assert after == {line + 2: number for line, number in before.items() if line != gone}


def test_it_is_counted_in_another_process_until_more_is_asked_for(root: Path) -> None:
    process = CountingProcess()
    with closing(process), ThreadPoolExecutor(1) as thread:
        known = count(work(root, None), Desk(root))
        assert known is not None
        assert [(path.name, one.ok) for path, one in known.outcomes] == [("walk.yaml", False)]
        assert process.count(process.next(), work(root, None)) == known
        long = thread.submit(process.count, process.next(), work(root, None, 600))
        time.sleep(0.3)
        assert not long.done()
        number = process.next()
        assert long.result(20) is None
        assert process.count(number, work(root, None)) == known
        (there,) = (one for one in active_children() if one.name == "counting")
        there.kill()
        there.join()
        assert process.count(process.next(), work(root, None)) == known  # in another
    assert process.count(process.next(), work(root, None)) is None
    assert not any(one.name == "counting" for one in active_children())


def test_numbers_are_said_in_the_language_of_the_author(root: Path) -> None:
    desk, path, say = Desk(root), root / "rulesets/walk/walk.grog", sayer("cs")
    counts = counts_of(root)
    with desk.searching():
        folder = path.parent
        desk.reached[folder] = ReachedRules.of(desk.ruleset(folder), counts)
        lenses = navigation.code_lenses(desk, path, say, False)
        titles = [one.command.title for one in lenses if one.command is not None]
        shown = assistance.hover(desk, path, t.Position(14, 10), say)
    assert titles[0] == "spočítat, kolikrát se pravidla ve hře použijí"
    assert "v textu použito jednou · ve hře použito jednou" in titles
    assert "ve hře použito jednou" in titles
    assert shown is not None and isinstance(shown.contents, t.MarkupContent)
    assert "v textu použito jednou\n\nve hře nepoužito" in shown.contents.value


# ---------------------------------------------------------------------- an editor


@pytest.fixture
def editor(root: Path) -> Iterator[Editor]:
    editor = Editor(root)
    yield editor
    editor.close()


def lenses(editor: Editor, path: Path) -> list[t.Command]:
    params = t.CodeLensParams(t.TextDocumentIdentifier(path.as_uri()))
    found = editor.run(editor.client.text_document_code_lens_async(params)) or ()
    return [one.command for one in found if one.command is not None]


def _counts(editor: Editor, path: Path) -> list[str]:
    """What lenses count, but for the first, which offers to."""
    return [one.title for one in lenses(editor, path)[1:] if one.title != "explain"]


def test_an_editor_is_told(editor: Editor, root: Path) -> None:
    path = root / "rulesets/walk/walk.grog"
    editor.open(path)
    first = lenses(editor, path)
    assert first[0].title == "count how often rules are reached"
    assert not any("reached" in one.title for one in first[1:])
    asked = t.ExecuteCommandParams(first[0].command, first[0].arguments)
    told: Any = editor.run(editor.client.workspace_execute_command_async(asked))
    lines = told[path.as_uri()]
    assert min(lines.values()) > 0
    everywhere = t.ExecuteCommandParams(first[0].command)
    told = editor.run(editor.client.workspace_execute_command_async(everywhere))
    assert told[path.as_uri()].keys() == lines.keys()
    lines = told[path.as_uri()]
    titles = _counts(editor, path)
    assert all("reached" in title for title in titles) and len(titles) == 8
    hover = t.HoverParams(**editor.at(path, "procedure go", "go"))
    shown = editor.run(editor.client.text_document_hover_async(hover))
    number = 1 + RULES[: RULES.index("procedure go")].count("\n")
    assert shown is not None and isinstance(shown.contents, t.MarkupContent)
    assert f"reached {lines[str(number - 1)]} times" in shown.contents.value

    editor.type(path, RULES.replace("{ add pace(u) to gone }", "{ add 2 to gone  add 1 to gone }"))
    titles = [title for title in _counts(editor, path) if "reached" not in title]
    assert titles == ["used once"]


def test_an_editor_may_leave_while_it_is_counted(root: Path) -> None:
    editor, path = Editor(root), root / "rulesets/walk/walk.grog"
    editor.open(path)

    async def begin() -> None:
        asked = t.ExecuteCommandParams(COMMAND, [path.as_uri()])
        task = asyncio.ensure_future(editor.client.workspace_execute_command_async(asked))
        task.add_done_callback(lambda _: told.append(task.result()))
        await asyncio.sleep(2)

    told: list[Any] = []
    editor.run(begin())
    assert not told
    editor.close()
    assert told == [{}]


def test_no_counts_of_rules_with_errors(editor: Editor, root: Path) -> None:
    path = root / "rulesets/walk/walk.grog"
    editor.open(path)
    editor.type(path, RULES.replace("gone >= 5", "gonne >= 5"))
    command = lenses(editor, path)[0]
    asked = t.ExecuteCommandParams(command.command, command.arguments)
    with pytest.raises(JsonRpcException, match="the rules have errors"):
        editor.run(editor.client.workspace_execute_command_async(asked))
