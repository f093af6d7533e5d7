"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")
from client import Editor
from lsprotocol import types as t

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the skirmish."""
    root = tmp_path_factory.mktemp("games")
    shutil.copytree(ROOT / "tests/rulesets/skirmish", root / "rulesets/skirmish")
    return root


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    editor = Editor(folder)
    yield editor
    editor.close()


def test_try(editor: Editor, folder: Path) -> None:
    path = next((folder / "rulesets/skirmish").glob("*.grog"))
    assert editor.open(path) == []
