"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")
from editor_client import Editor
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from grognard.editing.edits import Edit, apply_edits
from grognard.fronts.lsp.text_positions import Places, path_of

ROOT = Path(__file__).parents[2]
CASES = """\
ruleset: skirmish
scenario: meeting.yaml
cases:
  - name: A scout loses a step
    rules: [S-2.1]
    position: {pieces: {Piece: [{side: blue, sort: scout, hex: D2, name: ours}]}}
    run: "hurt(ours, 1)"
    expect: {fields: {ours.steps: 1}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An author's folder: a small game with an index of rules, a scenario and a case."""
    root = tmp_path_factory.mktemp("games").resolve()
    rules = root / "rulesets/skirmish"
    shutil.copytree(ROOT / "tests/rulesets/skirmish", rules)
    (rules / "rulebook.yaml").write_text('S-2.1: {page: 3, topic: "Stacking"}\n')
    source = rules / "skirmish.grog"
    text = source.read_text(encoding="utf-8").replace("measure Dice", "cites S\nmeasure Dice", 1)
    apart = "deny full for may_enter when Piece[h] is not none"
    within = "{\n  deny full §2.1 when Piece[h] is not none\n}"
    source.write_text(text.replace(f" allow\n{apart}", f" allow {within}"))
    (root / "scenarios/skirmish").mkdir(parents=True)
    (rules / "meeting.yaml").rename(root / "scenarios/skirmish/meeting.yaml")
    (root / "tests/cases/skirmish").mkdir(parents=True)
    (root / "tests/cases/skirmish/steps.yaml").write_text(CASES)
    return root


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    editor = Editor(folder)
    editor.open(folder / "rulesets/skirmish/skirmish.grog")
    yield editor
    editor.close()


@pytest.fixture
def source(editor: Editor, folder: Path) -> Iterator[Path]:
    """The open source; what a test types is taken back."""
    path = folder / "rulesets/skirmish/skirmish.grog"
    before = editor.texts[path]
    yield path
    if editor.texts[path] != before:
        editor.type(path, before)


@pytest.fixture
def scenario(folder: Path) -> Path:
    return folder / "scenarios/skirmish/meeting.yaml"


def words(found: t.CompletionList | list[t.CompletionItem] | None) -> list[str]:
    """The words that may stand somewhere, the likeliest first."""
    assert isinstance(found, t.CompletionList)
    return [one.label for one in sorted(found.items, key=lambda one: one.sort_text or "")]


def asked_for(editor: Editor, path: Path, before: str) -> list[str]:
    """The words that may stand behind a text."""
    params = t.CompletionParams(**editor.at(path, before))
    return words(editor.run(editor.client.text_document_completion_async(params)))


def told(hover: t.Hover | None) -> str:
    assert hover is not None and isinstance(hover.contents, t.MarkupContent)
    return hover.contents.value


def pointed_at(editor: Editor, path: Path, before: str, within: str = "") -> str:
    """What is told of the word that stands somewhere."""
    params = t.HoverParams(**editor.at(path, before, within))
    return told(editor.run(editor.client.text_document_hover_async(params)))


# ---------------------------------------------------------------------- findings


def test_findings_come_while_typing_and_go(editor: Editor, source: Path) -> None:
    text = editor.texts[source]
    found = editor.type(source, text.replace("p.sort.dice", "p.sort.dicce"))
    assert [(one.code, one.severity) for one in found] == [("R202", t.DiagnosticSeverity.Error)]
    assert "did you mean 'dice'?" in found[0].message
    assert text.split("\n")[found[0].range.start.line].startswith("rule printed")
    assert editor.type(source, text) == []


def test_of_letters_typed_without_a_pause_the_last_text_counts(
    editor: Editor, source: Path
) -> None:
    text = editor.texts[source]
    for end in range(3, 30, 3):
        editor.write(source, text + "\nfunction more(): int = size(Pieces)"[:end])
    found = editor.type(source, text + "\nfunction more(): int = 3\n")
    assert [one.code for one in found] == ["L803"]


def test_a_finding_beyond_the_basic_plane_is_where_the_editor_shows_it(
    editor: Editor, source: Path
) -> None:
    text = editor.texts[source]
    found = editor.type(source, text + '\nenum Odd { left "🂡🂢", right "b" }  rigth\n')
    assert found and all(one.range.end.character >= one.range.start.character for one in found)


def test_findings_in_a_scenario(editor: Editor, scenario: Path) -> None:
    assert editor.open(scenario) == []
    text = editor.texts[scenario]
    found = editor.type(scenario, text.replace("sort: scout", "sort: scuot", 1))
    assert [one.code for one in found] == ["S114"]
    editor.type(scenario, text)


def test_findings_in_what_is_half_written(editor: Editor, scenario: Path) -> None:
    editor.open(scenario)
    text = editor.texts[scenario]
    assert [one.code for one in editor.type(scenario, f"{text}\nmore: [1\n")] == ["S102"]
    editor.type(scenario, text)


def test_a_scenario_in_braces_is_one(editor: Editor, folder: Path) -> None:
    path = folder / "scenarios/skirmish/braces.yaml"
    path.write_text('{title: In braces, "ruleset": skirmish, unknown: 1}\n')
    assert any("'unknown'" in one.message for one in editor.open(path))
    path.unlink()


def test_findings_in_cases_in_the_folder_of_their_ruleset(editor: Editor, folder: Path) -> None:
    path = folder / "rulesets/skirmish/cases/steps.yaml"
    path.parent.mkdir()
    path.write_text(CASES)
    assert editor.open(path) == []
    found = editor.type(path, CASES.replace("expect:", "expct:"))
    assert any("'expct'" in one.message for one in found)
    editor.type(path, "cases:\n")
    path.unlink()


# ---------------------------------------------------------------------- words


def test_words_behind_a_dot_are_those_of_what_stands_before(editor: Editor, source: Path) -> None:
    editor.type(source, editor.texts[source] + "\nfunction f(p: Piece): int = p.")
    found = asked_for(editor, source, "int = p.")
    assert {"sort", "side", "steps", "braced"} <= set(found)
    assert "dice" not in found and "if" not in found


def test_what_fits_the_type_comes_first(editor: Editor, source: Path) -> None:
    editor.type(source, editor.texts[source] + "\nfunction f(p: Piece): bool = p.sort is ")
    found = asked_for(editor, source, "p.sort is ")
    members = [one for one in found if one in ("scout", "guard", "one", "hit", "blue")]
    assert members[:2] in (["guard", "scout"], ["scout", "guard"])


@pytest.mark.parametrize(
    ("typed", "wanted", "unwanted"),
    [
        ("\nprocedure x(p: Piece) { do ", {"blow", "hurt"}, {"gap", "scout"}),
        ("\nfunction x(p: ", {"Piece", "Sort", "Hex", "int"}, {"scout", "blow"}),
        ("\nfunction x(): int = si", {"size", "gap"}, {"blow"}),
        ("\n", {"function", "procedure", "table"}, {"each", "scout"}),
        ("\nprocedure x() { each p in Piece { ", {"set", "choose", "note"}, {"function"}),
        ('\n@section "More" §', {"2.1"}, {"S-2.1"}),
        ("\n# function p.", set(), {"sort", "function"}),
    ],
)
def test_words_by_what_may_stand_there(
    editor: Editor, source: Path, typed: str, wanted: set[str], unwanted: set[str]
) -> None:
    editor.type(source, editor.texts[source] + typed)
    found = set(asked_for(editor, source, typed))
    assert wanted <= found and not unwanted & found


def test_words_of_a_scenario(editor: Editor, scenario: Path) -> None:
    assert {"scout", "guard"} <= set(asked_for(editor, scenario, "sort: "))
    assert {"sort", "side", "hex"} <= set(asked_for(editor, scenario, "    - {"))


# ---------------------------------------------------------------------- what a name is


def test_what_is_told_of_a_name(editor: Editor, source: Path) -> None:
    found = pointed_at(editor, source, "do hurt(foe", "hurt")
    assert "procedure hurt(p: Piece, n: Steps)" in found and "used" in found
    found = pointed_at(editor, source, "deny full", "full")
    assert "**S-2.1** Stacking, p. 3" in found and "A scout loses a step" in found
    assert "members" in pointed_at(editor, source, "size(back(d))", "size")
    assert "**S-2.1**" in pointed_at(editor, source, "full §2.1", "2.1")


def test_what_a_declaration_says_in_words(editor: Editor, source: Path) -> None:
    found = pointed_at(editor, source, "deny full", "full").split("\n\n")
    assert "* **Full** if there is the piece in h" in found, found
    found = pointed_at(editor, source, "do hurt(foe", "hurt").split("\n\n")
    assert any(one.startswith("* If n is at most 0:\n  * This ends here.") for one in found)


def test_who_reads_and_who_writes_a_field(editor: Editor, source: Path) -> None:
    found = pointed_at(editor, source, "set a.fought", "fought").split("\n\n")
    line = editor.texts[source][: editor.texts[source].index("set a.fought")].count("\n") + 1
    assert f"written by [procedure fight]({source.as_uri()}#L{line})" in found
    assert any(one.startswith("read by [procedure turn](") for one in found), found
    found = pointed_at(editor, source, "rough: bool", "rough").split("\n\n")
    assert "written by no rule" in found  # the scenario gives it
    assert not any("used" in one for one in found)


def test_what_was_proved_of_rules(editor: Editor, source: Path) -> None:
    text = editor.texts[source]
    assert "proved: in every case" in pointed_at(editor, source, "roll dice(", "dice")
    told_of_rule = pointed_at(editor, source, "rule printed", "printed")
    assert "proved" not in told_of_rule
    editor.type(source, text.replace("= p.sort.dice\n", "= p.sort.dice when foe.braced\n"))
    found = pointed_at(editor, source, "roll dice(", "dice")
    assert "[Q501](" in found and "no rule decides dice when not foe.braced" in found
    assert "proved" not in found
    assert "no rule decides dice when" in pointed_at(editor, source, "rule printed", "printed")


def test_what_a_word_of_a_scenario_is(editor: Editor, scenario: Path) -> None:
    assert "enum Sort" in pointed_at(editor, scenario, "sort: scout", "scout")


def test_a_scenario_is_checked_against_the_rules_that_are_open(
    editor: Editor, source: Path, scenario: Path
) -> None:
    assert not editor.open(scenario)
    text = source.read_text(encoding="utf-8")
    editor.open(source)
    editor.type(source, text.replace("scout", "pioneer"))
    known = scenario.read_text(encoding="utf-8")
    assert not editor.type(scenario, known.replace("sort: scout", "sort: pioneer"))
    assert editor.type(scenario, known)


def test_from_a_use_to_the_declaration_and_back(editor: Editor, source: Path) -> None:
    place = editor.at(source, "do hurt(foe", "hurt")
    params = t.DefinitionParams(**place)
    (found,) = editor.run(editor.client.text_document_definition_async(params)) or ()
    assert isinstance(found, t.Location)
    text = editor.texts[source]
    assert text.split("\n")[found.range.start.line].startswith("procedure hurt")
    context = t.ReferenceContext(include_declaration=True)
    used = editor.run(
        editor.client.text_document_references_async(t.ReferenceParams(context, **place))
    )
    here = [one for one in used or () if path_of(one.uri) == source]
    assert len(here) == text.count("hurt(")


def test_where_data_name_something(editor: Editor, source: Path, scenario: Path) -> None:
    """From the rules into scenarios and texts, and from a scenario to all of these."""
    context = t.ReferenceContext(include_declaration=False)
    found = [
        editor.run(
            editor.client.text_document_references_async(
                t.ReferenceParams(context, **editor.at(path, line, "scout"))
            )
        )
        or ()
        for path, line in ((source, "enum Sort { scout"), (scenario, "sort: scout"))
    ]
    for used in found:
        files = {path_of(one.uri) for one in used}
        assert {source, scenario} <= files
    assert len(found[0]) == len(found[1])


def test_a_citation_leads_to_the_index(editor: Editor, source: Path, folder: Path) -> None:
    params = t.DefinitionParams(**editor.at(source, "full §2.1", "2.1"))
    (found,) = editor.run(editor.client.text_document_definition_async(params)) or ()
    assert isinstance(found, t.Location)
    assert path_of(found.uri) == folder / "rulesets/skirmish/rulebook.yaml"


def test_what_a_call_expects(editor: Editor, source: Path) -> None:
    params = t.SignatureHelpParams(**editor.at(source, "do blow(a, "))
    found = editor.run(editor.client.text_document_signature_help_async(params))
    assert found is not None and found.active_parameter == 1
    assert found.signatures[0].label == "blow(p: Piece, foe: Piece, mode: Mode)"


def test_who_calls_and_what_is_called(editor: Editor, source: Path) -> None:
    place = editor.at(source, "procedure hurt", "hurt")
    prepare = t.CallHierarchyPrepareParams(**place)
    (item,) = editor.run(editor.client.text_document_prepare_call_hierarchy_async(prepare)) or ()
    incoming = t.CallHierarchyIncomingCallsParams(item)
    callers = editor.run(editor.client.call_hierarchy_incoming_calls_async(incoming)) or ()
    assert {one.from_.name for one in callers} == {"blow", "shove"}
    (blow,) = (one.from_ for one in callers if one.from_.name == "blow")
    outgoing = t.CallHierarchyOutgoingCallsParams(blow)
    calls = editor.run(editor.client.call_hierarchy_outgoing_calls_async(outgoing)) or ()
    assert {one.to.name for one in calls} == {"hurt", "shove", "dice"}


# ---------------------------------------------------------------------- another name


def renamed(editor: Editor, path: Path, before: str, within: str, new: str) -> dict[Path, str]:
    """The files as they are when something has another name."""
    params = t.RenameParams(new_name=new, **editor.at(path, before, within))
    edit = editor.run(editor.client.text_document_rename_async(params))
    assert edit is not None and edit.document_changes is not None
    after: dict[Path, str] = {}
    for change in edit.document_changes:
        assert isinstance(change, t.TextDocumentEdit)
        file = path_of(change.text_document.uri)
        text = editor.texts.get(file) or file.read_text(encoding="utf-8")
        places = Places(text)
        edits = [
            Edit(places.offset(one.range.start), places.offset(one.range.end), one.new_text)
            for one in change.edits
            if not isinstance(one, t.SnippetTextEdit)
        ]
        after[file] = apply_edits(text, edits)
    return after


def test_a_member_is_renamed_in_rules_texts_scenarios_and_cases(
    editor: Editor, source: Path, folder: Path
) -> None:
    after = renamed(editor, source, "enum Sort { scout", "scout", "ranger")
    names = {path.name for path in after}
    assert {"skirmish.grog", "meeting.yaml", "steps.yaml"} <= names
    for path, text in after.items():
        assert "scout" not in text.replace("A scout loses", ""), path


def test_what_data_names_is_renamed_from_there(
    editor: Editor, scenario: Path, folder: Path
) -> None:
    for path in (scenario, folder / "tests/cases/skirmish/steps.yaml"):
        after = renamed(editor, path, "sort: scout", "scout", "ranger")
        assert {"skirmish.grog", "meeting.yaml", "steps.yaml"} <= {one.name for one in after}


def test_of_a_name_in_data_that_several_things_have_none_is_renamed(
    editor: Editor, folder: Path
) -> None:
    path = folder / "rulesets/skirmish/texts/en.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("option.turn: to turn\n")
    try:
        place = t.PrepareRenameParams(**editor.at(path, "option.turn", "turn"))
        asked = editor.client.text_document_prepare_rename_async(place)
        assert editor.run(asked) is None
    finally:
        path.unlink()


def test_a_local_is_renamed_where_it_is_meant(editor: Editor, source: Path) -> None:
    after = renamed(editor, source, "each x in neighbors(p.hex)", "x", "step_to")
    (text,) = after.values()
    assert "each step_to in neighbors(p.hex) where step_to in open_ground()" in text
    assert text.count("step_to") == 4


@pytest.mark.parametrize(
    ("new", "why"),
    [("fight", "declared twice"), ("set", "word of the language"), ("2b", "no name")],
)
def test_a_name_that_may_not_be(editor: Editor, source: Path, new: str, why: str) -> None:
    with pytest.raises(JsonRpcException, match=why):
        renamed(editor, source, "procedure hurt", "hurt", new)


# ---------------------------------------------------------------------- the rest


def test_a_remedy_is_carried_out(editor: Editor, source: Path) -> None:
    text = editor.texts[source]
    found = editor.type(source, text.replace("p.sort.dice", "p.sort.dicce"))
    document = t.TextDocumentIdentifier(source.as_uri())
    params = t.CodeActionParams(document, found[0].range, t.CodeActionContext(found))
    actions = editor.run(editor.client.text_document_code_action_async(params)) or ()
    assert [one.title for one in actions] == ["Write 'dice'"]
    (action,) = actions
    assert isinstance(action, t.CodeAction) and action.edit and action.edit.changes
    places = Places(editor.texts[source])
    edits = [
        Edit(places.offset(one.range.start), places.offset(one.range.end), one.new_text)
        for one in action.edit.changes[source.as_uri()]
    ]
    assert apply_edits(editor.texts[source], edits) == text


def test_outline_folds_and_margins(editor: Editor, source: Path) -> None:
    document = t.TextDocumentIdentifier(source.as_uri())
    client = editor.client
    outline = editor.run(
        client.text_document_document_symbol_async(t.DocumentSymbolParams(document))
    )
    names = [one.name for one in outline or ()]
    assert {"enum Sort", "procedure hurt", "permission may_enter"} <= set(names)
    folds = editor.run(client.text_document_folding_range_async(t.FoldingRangeParams(document)))
    assert folds
    lenses = editor.run(client.text_document_code_lens_async(t.CodeLensParams(document)))
    commands = [(one.range.start.line, one.command) for one in lenses or () if one.command]
    beside = [line for line, one in commands if one.command == "grognard.explain"]
    titles = {line: one.title for line, one in commands if one.command != "grognard.explain"}
    assert set(beside) == titles.keys() - {0}
    lines = editor.texts[source].split("\n")
    told = {lines[line].strip().partition("(")[0]: title for line, title in titles.items()}
    assert told["deny full §2.1 when Piece[h] is not none"] == "1 case", told
    assert told["permission may_enter"].endswith(" · 1 case"), told  # of what stands in it
    assert told["procedure hurt"].startswith("used") and "case" not in told["procedure hurt"], told


def test_outline_and_folds_of_data(editor: Editor, scenario: Path, folder: Path) -> None:
    editor.open(scenario)
    text = editor.texts[scenario]
    pieces, below = (
        outlined(editor, scenario)["pieces"],
        text.index("    - {side: red, sort: scout"),
    )
    (kind,) = pieces.children or ()
    assert [one.name for one in kind.children or ()][2] == "{side: red, sort: scout, hex: [B2, B5]}"
    document = t.TextDocumentIdentifier(scenario.as_uri())
    folds = editor.run(
        editor.client.text_document_folding_range_async(t.FoldingRangeParams(document))
    )
    lines = text.rstrip().split("\n")
    first = lines.index("pieces:")
    assert (first, len(lines) - 1) in {(one.start_line, one.end_line) for one in folds or ()}
    # what stands before a fault is told of
    editor.type(scenario, f"{text[:below]}    - [1\n")
    (kind,) = outlined(editor, scenario)["pieces"].children or ()
    assert len(kind.children or ()) == 3
    editor.type(scenario, text)
    cases = folder / "tests/cases/skirmish/steps.yaml"
    (case,) = outlined(editor, cases)["cases"].children or ()
    assert case.name == "A scout loses a step"
    assert [one.detail for one in case.children or () if one.name == "rules"] == ["[S-2.1]"]


def test_nothing_is_told_of_data_that_belongs_to_no_game(editor: Editor, folder: Path) -> None:
    path = folder / "other.yaml"
    path.write_text("key: {of: another}\n")
    assert not outlined(editor, path)


def outlined(editor: Editor, path: Path) -> dict[str, t.DocumentSymbol]:
    """The outline of a file, by the names of what stands in it."""
    params = t.DocumentSymbolParams(t.TextDocumentIdentifier(path.as_uri()))
    found = editor.run(editor.client.text_document_document_symbol_async(params)) or ()
    return {one.name: one for one in found if isinstance(one, t.DocumentSymbol)}


def test_types_of_locals(editor: Editor, source: Path) -> None:
    whole = t.Range(t.Position(0, 0), t.Position(999, 0))
    document = t.TextDocumentIdentifier(source.as_uri())
    params = t.InlayHintParams(document, whole)
    found = editor.run(editor.client.text_document_inlay_hint_async(params)) or ()
    assert {": set of Hex", ": Hex?", ": roll of Face"} <= {str(one.label) for one in found}


def test_colours_tell_what_a_name_is(editor: Editor, source: Path) -> None:
    document = t.TextDocumentIdentifier(source.as_uri())
    params = t.SemanticTokensParams(document)
    found = editor.run(editor.client.text_document_semantic_tokens_full_async(params))
    assert found is not None and len(found.data) % 5 == 0
    lines, line, column, named = editor.texts[source].split("\n"), 0, 0, {}
    for step, along, length, kind, _ in zip(*[iter(found.data)] * 5, strict=True):
        line, column = line + step, along if step else column + along
        named[lines[line][column : column + length]] = kind
    assert named["scout"] == named["reply"] != named["hurt"] != named["gap"]


def test_layout(editor: Editor, source: Path) -> None:
    text = editor.texts[source]
    document = t.TextDocumentIdentifier(source.as_uri())
    options = t.FormattingOptions(tab_size=2, insert_spaces=True)
    params = t.DocumentFormattingParams(document, options)
    editor.type(source, text + "\nfunction   f( ): int=3\n")
    (edit,) = editor.run(editor.client.text_document_formatting_async(params)) or ()
    assert edit.new_text.endswith("function f(): int = 3\n")


def test_what_an_editor_is_told_of_the_server(editor: Editor) -> Any:
    assert editor.answer.server_info is not None
    assert editor.answer.server_info.name == "grognard"
    assert editor.client.error is None
