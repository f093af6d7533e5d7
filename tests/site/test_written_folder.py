"""What a site is written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.fronts.site import building
from runtime.errors import ArgumentError

MARK = "grognard-site.json"


@pytest.mark.parametrize("beside", [".git", "CNAME", "mine.txt"])
def test_an_older_site_with_something_beside_it_is_left_alone(tmp_path: Path, beside: str) -> None:
    (tmp_path / MARK).write_text("{}")
    (tmp_path / beside).write_text("mine")
    with pytest.raises(ArgumentError, match="something else than a site"):
        building.build(tmp_path, [], None, print)
    assert (tmp_path / beside).read_text() == "mine"


def test_an_older_site_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "public"
    (folder / "en").mkdir(parents=True)
    (folder / MARK).write_text("older")

    def write(site: Path, *_: object) -> None:
        site.mkdir()
        (site / MARK).write_text("newer")

    monkeypatch.setattr(building, "_write", write)
    assert building.build(folder, [], None, print) == 5
    assert [path.name for path in tmp_path.rglob("*")] == ["public", MARK]


def test_what_cannot_be_put_there_leaves_the_older_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / MARK).write_text("older")
    monkeypatch.setattr(building, "_write", lambda *_: None)  # and nothing is there to be put
    with pytest.raises(ArgumentError, match="cannot be written"):
        building.build(folder, [], None, print)
    assert (folder / MARK).read_text() == "older" and len(list(tmp_path.iterdir())) == 1
