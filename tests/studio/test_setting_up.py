"""Set-up mode over scenarios of each game: what it shows, and what its strokes leave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types as t
from project import ROOT, one_of_each

from grognard.editing.desk import Desk
from grognard.editing.edits import Edit, apply_edits
from grognard.fronts.lsp.text_positions import Places, path_of, uri_of
from grognard.fronts.studio.setting_up import parse_stroke, set_up_data, stroke_edits
from runtime.errors import ArgumentError

SCENARIOS = sorted(
    [
        *(ROOT / f"scenarios/{name}.yaml" for name in one_of_each()),
        *ROOT.glob("grognard/beginnings/*/scenarios/new_game/*.yaml"),
    ]
)
DESKS: dict[Path, Desk] = {}


def desk_of(path: Path) -> Desk:
    root = path.parents[2]
    desk = DESKS.setdefault(root, Desk(root))
    desk.texts.clear()
    desk.write(path, path.read_text(encoding="utf-8"))
    return desk


def drawn(desk: Desk, path: Path) -> dict[str, Any]:
    with desk.searching():
        return set_up_data(desk, path)


def stroke(desk: Desk, path: Path, **told: Any) -> dict[str, Any]:
    """Do a stroke in the open texts, and see what is shown then."""
    with desk.searching():
        edits = stroke_edits(desk, path, parse_stroke(SimpleNamespace(**told)))["edits"]
    assert edits
    for uri, some in edits.items():
        text = desk.text(path_of(uri))
        places = Places(text)
        changes = [
            Edit(
                *(places.offset(t.Position(**one["range"][end])) for end in ("start", "end")),
                one["newText"],
            )
            for one in some
        ]
        desk.write(path_of(uri), apply_edits(text, changes))
    return drawn(desk, path)


def others(view: dict[str, Any], *but: str) -> Iterator[Any]:
    return ((p["kind"], p["hex"], p["fields"]) for p in view["pieces"] if p["name"] not in but)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_a_scenario_is_shown_and_a_stroke_of_each_kind_leaves_one(path: Path) -> None:
    desk = desk_of(path)
    view = drawn(desk, path)
    drawing = view["drawing"]
    assert view["findings"] == [] and set(drawing["names"]) == {p["name"] for p in view["pieces"]}
    on_board = {drawing["names"][slot] for slot, *spot in drawing["moment"]["p"] if len(spot) == 4}
    assert on_board == {p["name"] for p in view["pieces"] if p["hex"]}
    taken = {p["hex"] for p in view["pieces"]}
    kind = next(k for k in view["kinds"] if k["place"] and any(x["used"] for x in k["templates"]))
    piece = next(p for p in view["pieces"] if p["kind"] == kind["kind"] and p["pool"] < 0)
    free = next(label for label in reversed(view["neighbors"]) if label not in taken)

    placed = stroke(desk, path, do="change", piece=piece["name"], field=kind["place"], value=free)
    assert next(p for p in placed["pieces"] if p["name"] == piece["name"])["hex"] == free
    assert [*others(placed, piece["name"])] == [*others(view, piece["name"])]
    template = next(one for one in kind["templates"] if one["used"])
    fields = [*template["fields"], [kind["place"], "none"]]
    more = stroke(desk, path, do="place", kind=kind["kind"], fields=fields)
    assert len(more["pieces"]) == len(view["pieces"]) + 1 and "unreadable" not in more
    told = stroke(desk, path, do="say", key="title", value="Another: day")
    assert told["title"] == "Another: day"
    field = next(
        (f for f in view["grounds"] if not f["set"] and f["options"] and not f["map"]), None
    )
    if field is not None:
        word = next(o["word"] for o in field["options"] if o["word"] != field["usual"])
        hexes = [h for h in view["neighbors"] if view["hexes"][field["field"]].get(h) != word][:2]
        painted = stroke(desk, path, do="paint", field=field["field"], value=word, hexes=hexes)
        assert all(painted["hexes"][field["field"]][h] == word for h in hexes)


TREBBIA = ROOT / "scenarios/cc_ancients/trebbia.yaml"


def test_what_is_wrong_stands_at_its_piece_and_hex() -> None:
    desk = desk_of(TREBBIA)
    view = stroke(desk, TREBBIA, do="change", piece="C.LS1", field="hex", value="G7")
    first, *_ = view["findings"]
    assert first["pieces"] == ["C.LS2", "C.LS1"] and first["line"] == 28
    assert first["severity"] == "error"


def test_a_text_that_cannot_be_read_says_why() -> None:
    desk = desk_of(TREBBIA)
    desk.write(TREBBIA, desk.text(TREBBIA).replace("pieces:", "pieces: ["))
    view = drawn(desk, TREBBIA)
    assert "the scenario cannot be read" in view["unreadable"] and view["findings"]


def test_what_the_texts_have_no_place_for_is_refused() -> None:
    desk = desk_of(TREBBIA)
    with pytest.raises(ArgumentError, match="there is no piece Nobody"):
        stroke(desk, TREBBIA, do="remove", piece="Nobody")


def test_a_map_is_painted_in_its_own_file() -> None:
    path = ROOT / "scenarios/no_retreat/citadel.yaml"
    desk = desk_of(path)
    view = drawn(desk, path)
    field = next(f for f in view["grounds"] if f["map"] and f["options"] and not f["set"])
    word = field["options"][-1]["word"]
    hexes = [h for h in view["neighbors"] if view["hexes"][field["field"]].get(h) != word][:1]
    painted = stroke(desk, path, do="paint", field=field["field"], value=word, hexes=hexes)
    assert painted["hexes"][field["field"]][hexes[0]] == word
    board = ROOT / "rulesets/no_retreat/boards/ostfront.yaml"
    assert uri_of(board) in {uri_of(one) for one in desk.texts}
