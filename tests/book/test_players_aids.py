"""Player's aids fit on two pages; without the library PDF is refused with a remedy."""

from __future__ import annotations

import sys

import pytest
from project import compiled

from grognard.book.printing import PAPERS, aids_page_of, pdf_of
from grognard.book.summary import aids_of
from grognard.book.volume import book_of
from runtime.errors import ArgumentError

GAMES = [
    "cc_ancients",
    "cc_napoleonics",
    "no_retreat",
    "battles_of_napoleon",
    "battles_of_westeros",
]


def fits(game: str, paper: str, language: str) -> None:
    """That the aids of a game print on two pages."""
    weasyprint = pytest.importorskip("weasyprint", exc_type=(ImportError, OSError))
    ruleset = compiled(game)
    aids = aids_of(book_of(ruleset, language, examples=0), ruleset, paper)
    document = weasyprint.HTML(string=aids_page_of(aids, paper)).render()
    assert len(document.pages) == sum(bool(s.wide or s.columns[0]) for s in aids.sheets) <= 2
    assert all(block.grid for block in aids.left_out)  # nothing but tables


def test_aids_fit_on_two_pages() -> None:
    fits("cc_ancients", "Letter", "en")


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("game", GAMES)
def test_the_aids_of_every_game_fit_on_two_pages(game: str, paper: str, language: str) -> None:
    fits(game, paper, language)


def test_what_a_table_tells_of_ground_is_not_told_again() -> None:
    ruleset = compiled("cc_ancients")
    aids = aids_of(book_of(ruleset, "en", examples=0), ruleset, "A4")
    blocks = {b.title: b for s in aids.sheets for b in (*s.wide, *s.columns[0], *s.columns[1])}
    assert blocks["Ground"].grid is not None
    told = " ".join(line for _, line in blocks["Terrain"].lines)
    assert "a hill in between blocks the view" in told
    assert "may be entered" not in told and "a move that enters it ends there" not in told


def test_without_the_library_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(ArgumentError, match="PDF needs WeasyPrint") as caught:
        pdf_of("<p>")
    assert "grognard[book]" in caught.value.remedy
