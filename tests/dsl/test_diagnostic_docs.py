"""The pages of the parser's diagnostics keep what they promise."""

from __future__ import annotations

import re

import pytest
import yaml
from diagnostic_pages import PAGES as FOLDER
from diagnostic_pages import documents, meant
from samples import ROOT, read

from dsl.parser import parse
from dsl.source import Source

PAGES = sorted(FOLDER.glob("P*.md"))


def codes() -> set[str]:
    """The codes that the language's modules give."""
    return {
        code
        for path in (ROOT / "dsl").rglob("*.py")
        for code in re.findall(r'"(P\d{3})"', read(path))
    }


def test_every_code_has_a_page() -> None:
    assert {page.stem for page in PAGES} == codes()


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page(page) -> None:  # type: ignore[no-untyped-def]
    text = read(page)
    assert re.match(rf"# {page.stem} — \S.*\n\n[^#\s]", text)
    blocks = re.findall(r"^## (Wrong|Mended)\n\n```grog\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert [title for title, _ in blocks] == ["Wrong", "Mended"]
    wrong, mended = (block for _, block in blocks)
    assert {d.code for d in parse(Source("wrong", wrong)).diagnostics} == {page.stem}
    assert parse(Source("mended", mended)).diagnostics == ()


@pytest.mark.parametrize("code", sorted(page.stem for page in FOLDER.glob("*.md")))
def test_meant(code: str) -> None:
    text = meant(code)
    items = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    begun = re.findall(r"^\* .*(?:\n  .*)*", items, re.MULTILINE)
    assert 1 <= len(begun) <= 4
    for item in begun:
        assert re.match(r"\* \*\*[^*]+\*\*[^–]* – \S", item.replace("\n ", ""))
    for link in re.findall(r"\]\(([^)#]+)", items):
        assert (FOLDER / link).is_file(), link
    for document in documents(code):
        assert isinstance(yaml.safe_load(document), dict)
