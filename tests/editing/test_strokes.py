"""Strokes on scenarios of each game: they change what they say, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from project import ROOT, one_of_each

from grognard.editing.edits import apply_edits
from grognard.editing.set_up.sheet import Sheet
from grognard.editing.set_up.strokes import (
    Change,
    Duplicate,
    Give,
    Hexside,
    Mark,
    Paint,
    Place,
    Remove,
    Say,
    SetUpTexts,
    Stroke,
)
from grognard.places import program_of
from runtime.bitsets import bits
from runtime.errors import ArgumentError
from runtime.model import NONE, FieldSpec, RulesetSpec
from runtime.scenario.fields import GAME, HEX, SIDE, members, refers, set_fields

SCENARIOS = sorted(
    [
        *(ROOT / f"scenarios/{name}.yaml" for name in one_of_each()),
        *ROOT.glob("grognard/beginnings/*/scenarios/new_game/*.yaml"),
    ]
)


@cache
def spec_of(scenario: Path) -> RulesetSpec:
    name = scenario.parent.name
    folder = ROOT / "rulesets" / name
    if name == "new_game":
        folder = scenario.parents[2] / "rulesets/new_game"
    return program_of(folder).spec


def texts_of(scenario: Path) -> SetUpTexts:
    spec = spec_of(scenario)
    return SetUpTexts(scenario.read_text(), spec, next(iter(spec.boards.values()), None))


Values = dict[tuple[str, ...], object]


def said(texts: SetUpTexts, by_name: bool = True) -> Values:
    """All that a scenario says, by the names of things; pieces in fields also by what they are."""
    sheet = Sheet(texts.scenario, texts.spec)
    setup, spec = sheet.laid.setup, sheet.spec
    told: Values = {("title",): setup.title, ("length",): setup.length}
    told |= {("switch", name): on for name, on in setup.switches.items()}
    told |= {(GAME, "", f.name): setup.game.get(f.name) for f in set_fields(spec, GAME)}
    for owner, fields in setup.fields.items():
        names = spec.board.labels if owner == HEX else members(spec, owner)
        for field, values in fields.items():
            blank = sheet.blank(sheet.field(owner, field)) if owner == HEX else None
            told |= {(owner, names[i], field): v for i, v in values.items() if v != blank}
    for f in spec.map_fields:
        for h, value in enumerate(f.values or ()):
            if value != sheet.blank(f):
                told[HEX, spec.board.label(h), f.name] = value
    assert len({d.name for d in sheet.laid.drafts}) == len(sheet.laid.drafts)

    def referred(f: FieldSpec, value: int) -> list[str]:
        type_ = f.type.of or f.type
        numbers = bits(value) if f.type.of else [value] if value >= 0 else []
        pieces = setup.pieces_of(spec.kinds_of(type_.name))
        return [pieces[n].name if by_name else str(pieces[n].values) for n in numbers]

    for kind, pieces in setup.pieces.items():
        told |= {("piece", kind, piece.name): {**piece.values} for piece in pieces}
    for (owner, who, what), value in [(k, v) for k, v in told.items() if len(k) == 3]:
        kind = str(who) if owner == "piece" else str(owner)
        for f in set_fields(spec, kind) if owner != HEX else ():
            if refers(f.type) and owner == "piece" and isinstance(value, dict) and f.name in value:
                value[f.name] = referred(f, value[f.name])
            elif refers(f.type) and what == f.name and isinstance(value, int):
                told[owner, who, what] = referred(f, value)
    return {key: value for key, value in told.items() if value is not None}


def struck(texts: SetUpTexts, stroke: Stroke) -> SetUpTexts:
    """The texts after a stroke, whose comments are there, and whose other lines are as they were."""
    scenario, board = texts.edits(stroke)
    after = replace(texts, scenario=apply_edits(texts.scenario, scenario))
    for text, edits in ((texts.scenario, scenario), (texts.board or "", board)):
        gone = "".join(text[edit.start : edit.end] for edit in edits)
        assert len(gone.splitlines()) <= 2 + 2 * len(getattr(stroke, "hexes", "-"))
        assert not any(line.lstrip().startswith("#") for line in gone.splitlines())
    if board:
        assert texts.board is not None
        text = apply_edits(texts.board, board)
        name = next(iter(texts.spec.boards))
        named = after.scenario + ("" if "\nboard:" in after.scenario else f"\nboard: {name}\n")
        spec = replace(texts.spec, boards={name: text})
        return replace(after, scenario=named, spec=spec, board=text)
    return after


def values_for(f: FieldSpec, sheet: Sheet) -> st.SearchStrategy[str]:
    kind = f.type.of if f.type.kind == "set" and f.type.of else f.type
    if kind.kind == "int":
        return st.integers(0, 9).map(str)
    if kind.kind == "bool":
        return st.sampled_from(["true", "false"])
    if kind.kind == "hex":
        return st.sampled_from([*sheet.spec.board.labels])
    return st.sampled_from([*members(sheet.spec, kind.name)])


def hex_fields(sheet: Sheet) -> list[FieldSpec]:
    return [*dict.fromkeys((*set_fields(sheet.spec, HEX), *sheet.spec.map_fields))]


def hexes(sheet: Sheet, most: int = 6) -> st.SearchStrategy[list[str]]:
    return st.lists(
        st.sampled_from([*sheet.spec.board.labels]), min_size=1, max_size=most, unique=True
    )


HYPOTHESIS = settings(
    deadline=None, max_examples=4, suppress_health_check=[*HealthCheck], print_blob=True
)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@HYPOTHESIS
@given(data=st.data())
def test_hexes_are_painted(path: Path, data: st.DataObject) -> None:
    texts = texts_of(path)
    sheet = texts.sheet
    fields = [f for f in hex_fields(sheet) if f.type.kind not in ("set", "piece")]
    if not fields:
        return
    f = data.draw(st.sampled_from(fields))
    labels = data.draw(hexes(sheet))
    word = data.draw(values_for(f, sheet))
    value = sheet.value(f, f.type, word)
    try:
        after = struck(texts, Paint(f.name, word, tuple(labels)))
    except ArgumentError as error:
        assert "is drawn" in str(error)
        return
    before, now = said(texts), said(after)
    for label in labels:
        if value == sheet.blank(f):
            before.pop((HEX, label, f.name), None)
        else:
            before[HEX, label, f.name] = value
    assert now == before
    for label in labels:
        old = sheet.value_on(f, sheet.hex(label))
        after = struck(after, Paint(f.name, sheet.word(f.type, old), (label,)))
    assert said(after) == said(texts)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@HYPOTHESIS
@given(data=st.data())
def test_hexsides_and_sets_are_marked(path: Path, data: st.DataObject) -> None:
    texts = texts_of(path)
    sheet = texts.sheet
    fields = [f for f in hex_fields(sheet) if f.type.kind == "set"]
    if not fields:
        return
    f = data.draw(st.sampled_from(fields))
    assert f.type.of is not None
    if f.type.of.kind == "hex":
        board = sheet.spec.board
        a = data.draw(st.sampled_from(range(board.size)))
        b = data.draw(st.sampled_from([n for n in board.around(a, 1) if n != a]))
        pair = board.label(a), board.label(b)
        on = not sheet.value_on(f, a) >> b & 1
        before = sheet.value_on(f, a) >> b & 1, sheet.value_on(f, b) >> a & 1
        try:
            after = struck(texts, Hexside(f.name, pair, on, both=before[0] == before[1]))
        except ArgumentError as error:
            assert "at both of them" in str(error)
            return
        now = Sheet(after.scenario, after.spec)
        assert bool(now.value_on(now.field(HEX, f.name), a) >> b & 1) is on
        back = struck(after, Hexside(f.name, pair, not on, both=before[0] == before[1]))
    else:
        label, word = data.draw(hexes(sheet, 1))[0], data.draw(values_for(f, sheet))
        bit = 1 << sheet.value(f, f.type.of, word)
        old = sheet.value_on(f, sheet.hex(label))
        after = struck(texts, Mark(f.name, word, (label,), not old & bit))
        now = Sheet(after.scenario, after.spec)
        assert now.value_on(now.field(HEX, f.name), now.hex(label)) == old ^ bit
        back = struck(after, Mark(f.name, word, (label,), bool(old & bit)))
    assert said(back) == said(texts)
    changed = {key for key, _ in said(after).items() ^ said(texts).items()}
    assert all(key[0] == HEX and key[2] == f.name for key in changed)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@HYPOTHESIS
@given(data=st.data())
def test_a_piece_is_changed(path: Path, data: st.DataObject) -> None:
    """It is moved, turned or given another value; all others remain who they are."""
    texts = texts_of(path)
    sheet = texts.sheet
    drafts = [d for d in sheet.laid.drafts if d.pool == NONE]
    draft = data.draw(st.sampled_from(drafts))
    fields = [
        f
        for f in set_fields(sheet.spec, draft.kind)
        if f.type.kind in ("int", "bool", "enum", "hex") and not f.fixed and f.name == f.base
    ]
    f = data.draw(st.sampled_from(fields))
    word = data.draw(values_for(f, sheet))
    after = struck(texts, Change(draft.name, f.name, word))
    before, now = said(texts), said(after)
    key = ("piece", draft.kind, draft.name)
    old = before[key]
    assert isinstance(old, dict)
    before[key] = {**old, f.name: sheet.value(f, f.type, word)}
    assert now == before
    back = sheet.word(f.type, old[f.name]) if f.name in old else None
    assert said(struck(after, Change(draft.name, f.name, back))) == said(texts)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@HYPOTHESIS
@given(data=st.data())
def test_pieces_come_and_go(path: Path, data: st.DataObject) -> None:
    """By number and values: who has no name of his own is numbered anew."""

    def counted(texts: SetUpTexts) -> list[str]:
        return sorted(str((k[1], v)) for k, v in said(texts, False).items() if k[0] == "piece")

    def rest(texts: SetUpTexts) -> Values:
        return {k: v for k, v in said(texts, False).items() if k[0] != "piece"}

    texts = texts_of(path)
    laid = texts.sheet.laid.drafts
    # who is named elsewhere would be missed
    drafts = [d for d in laid if texts.scenario.count(d.name) <= ("name" in d.nodes)]
    draft = data.draw(st.sampled_from(drafts))
    alike = said(texts, False)["piece", draft.kind, draft.name]
    twice = struck(texts, Duplicate(draft.name))
    one = str((draft.kind, alike))
    assert counted(twice) == sorted([*counted(texts), one]) and rest(twice) == rest(texts)
    without = struck(texts, Remove(draft.name))
    fewer = counted(texts)
    fewer.remove(one)
    assert counted(without) == fewer and rest(without) == rest(texts)
    words = {
        f.name: texts.sheet.word(f.type, draft.values[f.name])
        for f in set_fields(texts.spec, draft.kind)
        if f.name in draft.values and f.type.kind in ("enum", "hex", "int", "bool")
    }
    if len(words) == len(draft.values):
        again = struck(without, Place(draft.kind, words, None if draft.grouped else "Somebody"))
        assert counted(again) == counted(texts) and rest(again) == rest(texts)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
@HYPOTHESIS
@given(data=st.data())
def test_values_of_the_whole(path: Path, data: st.DataObject) -> None:
    texts = texts_of(path)
    spec = texts.sheet.spec
    owners = [(GAME, f, "") for f in set_fields(spec, GAME)]
    owners += [(SIDE, f, side) for f in set_fields(spec, SIDE) for side in spec.sides]
    owners = [one for one in owners if one[1].type.kind in ("int", "enum", "bool")]
    owner, f, member = data.draw(st.sampled_from(owners))
    word = data.draw(values_for(f, texts.sheet))
    after = struck(texts, Give(owner, member, f.name, word))
    wanted = said(texts)
    old = wanted.get((owner, member, f.name))
    wanted[owner, member, f.name] = texts.sheet.value(f, f.type, word)
    assert said(after) == wanted
    back = texts.sheet.word(f.type, old) if isinstance(old, int) else None
    assert said(struck(after, Give(owner, member, f.name, back))) == said(texts)
    titled = struck(texts, Say("title", '12: "Yes", no # nothing'))
    assert said(titled) == {**said(texts), ("title",): '12: "Yes", no # nothing'}


SKIRMISH = ROOT / "grognard/beginnings/skirmish"
HEAD = "ruleset: new_game\ntitle: Drill  # a comment\ngame: {turns_left: 30}\n\n"
DRAWN = """\
map:  # as seen from the south
  legend:
    i: {kind: Unit, side: blue, type: infantry}
    f: {kind: Hex, terrain: forest}
    B: [{kind: Unit, side: red, type: infantry}, {kind: Hex, terrain: forest}]
  rows:
"""
LISTED = """\
hexes:
  terrain:
    forest:
      - D3   # the copse
      - D6
pieces:
  Unit:
    # the vanguard
    - side: blue
      type: infantry
      hex:
        - B3
        - B5
    - side: red   # one man
      type: cavalry
      hex: G2
      name: Red Baron
"""


def skirmish(body: str) -> SetUpTexts:
    return SetUpTexts(HEAD + body, program_of(SKIRMISH / "rulesets/new_game").spec)


def after(texts: SetUpTexts, *strokes: Stroke) -> str:
    for stroke in strokes:
        texts = struck(texts, stroke)
    return texts.scenario


def drawing(*changes: tuple[str, str]) -> str:
    """The drawing of a set-up with nothing but some hexes, by label."""
    board = skirmish("").spec.board
    cells = dict(changes)
    rows = []
    for row in range(board.rows):
        places = [h for column in range(board.columns) if (h := board.at(row, column)) >= 0]
        rows.append(" ".join(cells.get(board.label(h), ".") for h in places))
    return DRAWN + "".join(f'    - "{row}"\n' for row in rows)


def test_a_drawing_is_drawn_again() -> None:
    texts = skirmish(drawing(("B3", "i"), ("D3", "f"), ("F4", "B")))
    assert after(texts, Paint("terrain", "forest", ("C4",))) == HEAD + drawing(
        ("B3", "i"), ("C4", "f"), ("D3", "f"), ("F4", "B")
    )
    moved = after(texts, Change("B.infantry1", "hex", "C3"))
    assert moved == HEAD + drawing(("C3", "i"), ("D3", "f"), ("F4", "B"))
    gone = after(texts, Remove("R.infantry1"))
    assert gone == HEAD + drawing(("B3", "i"), ("D3", "f"), ("F4", "f"))
    into = after(texts, Change("B.infantry1", "hex", "D3"))
    new = "    b: [{kind: Unit, side: blue, type: infantry}, {kind: Hex, terrain: forest}]\n"
    assert into == (HEAD + drawing(("D3", "b"), ("F4", "B"))).replace("  rows:", new + "  rows:")


def test_lists_in_lines_stay_so() -> None:
    texts = skirmish(LISTED)
    painted = after(texts, Paint("terrain", "forest", ("C5",)))
    assert painted == HEAD + LISTED.replace("- D6\n", "- D6\n      - C5\n")
    cleared = after(texts, Paint("terrain", None, ("D6",)))
    assert cleared == HEAD + LISTED.replace("      - D6\n", "")
    moved = after(texts, Change("B.infantry2", "hex", "B4"))
    assert moved == HEAD + LISTED.replace("- B5", "- B4")
    named = after(texts, Change("B.infantry2", "name", "Old Guard"))
    entry = "    - {side: blue, type: infantry, hex: B5, name: Old Guard}\n"
    red = "    - side: red "
    wanted = LISTED.replace("      hex:\n        - B3\n        - B5\n", "      hex:\n        B3\n")
    assert named == HEAD + wanted.replace(red, entry + red)
    plain = after(texts, Change("Red-Baron", "name", None))
    assert plain == HEAD + LISTED.replace("      name: Red Baron\n", "")


def test_a_list_may_stand_no_deeper_than_its_key() -> None:
    flat = LISTED.replace("        - B3\n        - B5\n", "      - B3\n      - B5  # behind\n")
    named = after(skirmish(flat), Change("B.infantry2", "name", "Old Guard"))
    entry = "    - {side: blue, type: infantry, hex: B5, name: Old Guard}\n"
    wanted = flat.replace("      - B3\n      - B5  # behind\n", "        B3  # behind\n")
    assert named == HEAD + wanted.replace("    - side: red ", entry + "    - side: red ")


def test_one_is_taken_out_of_a_pool() -> None:
    pool = (
        "pieces:\n  Unit:\n    - {side: blue, type: infantry, hex: none, count: 3, name: Guard}\n"
    )
    texts = skirmish(pool)
    one = "    - {side: blue, type: infantry, hex: B3, name: Guard3}\n"
    placed = after(texts, Change("Guard1", "hex", "B3"))
    assert placed == HEAD + pool.replace("count: 3", "count: 2") + one
    assert after(texts, Remove("Guard2")) == HEAD + pool.replace("count: 3", "count: 2")
    assert after(texts, Duplicate("Guard2")) == HEAD + pool.replace("count: 3", "count: 4")


def test_who_is_renamed_or_numbered_anew_is_named_so_elsewhere() -> None:
    trebbia = texts_of(ROOT / "scenarios/cc_ancients/trebbia.yaml")
    gone = after(trebbia, Remove("C.WAR1"))
    assert "reserve: [C.MC3, C.WAR1, Mago]" in gone
    called = after(trebbia, Change("Mago", "name", "Mago Barca"))
    assert "reserve: [C.MC3, C.WAR1, C.WAR2, Mago-Barca]" in called


def test_what_makes_a_set_up_impossible_is_written_and_found() -> None:
    texts = skirmish(LISTED)
    changed = struck(texts, Change("B.infantry2", "hex", "B3"))
    assert [f.code for f in changed.sheet.laid.findings if f.is_error] == ["S204"]


@pytest.mark.parametrize(
    ("stroke", "told"),
    [
        (Change("Nobody", "hex", "A1"), "there is no piece Nobody"),
        (Paint("terrain", "lava", ("A1",)), "terrain cannot be 'lava'"),
        (Paint("terrain", "forest", ("Q99",)), "there is no hex Q99"),
        (Paint("altitude", "1", ("A1",)), "no scenario gives a field altitude"),
        (Give(GAME, "", "turn", None), "no scenario gives a field turn"),
        (Say("length", None), "length is not given"),
    ],
)
def test_what_is_not_there_is_refused(stroke: Stroke, told: str) -> None:
    with pytest.raises(ArgumentError, match=told):
        skirmish(LISTED).edits(stroke)


def test_a_text_that_cannot_be_read_is_not_changed() -> None:
    with pytest.raises(ArgumentError, match="the scenario cannot be read"):
        skirmish("pieces: [").edits(Say("length", 3))
