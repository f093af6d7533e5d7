"""Typical errors in whole games: each remedy that an editor is offered takes its finding away."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")
from editor_client import Editor
from lsprotocol import types as t

from grognard.editing.edits import Edit, apply_edits
from grognard.fronts.lsp.text_positions import Places

ROOT = Path(__file__).parents[2]
#: By files: what is written, and what somebody has written instead.
ERRORS = {
    "no_retreat/units.grog": [
        ("then u.counter.kind else", "then u.counter.knd else"),
        ("counter: Counter fixed", "counter: Countr fixed"),
        ("enum Face §2.3.0.3,", "enum Face §2.3.0.33,"),
        ("if u.face is front then u.counter.move", "if u.face is frnt then u.counter.move"),
        ("  unsupplied: bool = false\n", "  unsupplied: bol = false\n"),
    ],
    "battles_of_westeros/units.grog": [
        ("enum Weapon §18.3, 13.6 { melee, bow }", "enum Weapon §18.3, 13.6 { melee, bow, bow }"),
        ("| heavy_infantry    | 12 |", "| heavy_infantri    | 12 |"),
        ("  | west_archers      | 12 |\n", ""),
        ("matrix marches of Type by Rank: Hexes", "matrix marches of Type by Rnk: Hexes"),
        ("      range: Hexes,", "      range: Hexs,"),
    ],
}


@pytest.mark.long
@pytest.mark.parametrize("file", ERRORS)
def test_remedies_that_are_offered_help(file: str) -> None:
    path = ROOT / "rulesets" / file
    editor = Editor(ROOT)
    try:
        editor.open(path)
        right = editor.texts[path]
        offered = 0
        for old, new in ERRORS[file]:
            assert right.count(old) == 1, old
            wrong = right.replace(old, new)
            found = editor.type(path, wrong)
            assert found, new
            for action in actions(editor, path, found):
                assert action.edit is not None and action.edit.changes is not None
                (finding,) = action.diagnostics or ()
                after = editor.type(path, carried_out(wrong, action.edit.changes[path.as_uri()]))
                left = [(one.code, one.message) for one in after]
                assert (finding.code, finding.message) not in left, (new, action.title)
                offered += 1
        assert offered >= len(ERRORS[file]) - 1
    finally:
        editor.close()


def actions(editor: Editor, path: Path, found: list[t.Diagnostic]) -> list[t.CodeAction]:
    """All that is offered for findings."""
    every: list[t.CodeAction] = []
    for one in found:
        document = t.TextDocumentIdentifier(path.as_uri())
        params = t.CodeActionParams(document, one.range, t.CodeActionContext([one]))
        told = editor.run(editor.client.text_document_code_action_async(params))
        every += [action for action in told or () if isinstance(action, t.CodeAction)]
    return every


def carried_out(text: str, edits: object) -> str:
    """A text as it is with edits of an editor."""
    assert isinstance(edits, (list, tuple))
    places = Places(text)
    return apply_edits(
        text,
        [
            Edit(places.offset(one.range.start), places.offset(one.range.end), one.new_text)
            for one in edits
        ],
    )
