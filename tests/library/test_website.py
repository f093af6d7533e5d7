"""The site: all its links lead somewhere, it asks nothing of anybody else, and it colours sources."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from project import ROOT
from pygments.token import Error, Keyword

WEBSITE = ROOT / "docs" / "website"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without its gallery; a warning ends the build."""
    folder = tmp_path_factory.mktemp("site")
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    subprocess.run([*mkdocs, "-f", WEBSITE / "mkdocs.yml"], check=True)
    return folder


@pytest.mark.long
def test_everything_has_its_page(site: Path) -> None:
    pages = {page.parent.name for page in site.rglob("index.html")}
    for folder in ("docs", "docs/cookbook", "docs/diagnostics", "dsl/spec"):
        wanted = {page.stem for page in (ROOT / folder).glob("*.md")} - {"README"}
        assert wanted <= pages, wanted - pages
    colours = (site / "docs" / "cookbook" / "retreats" / "index.html").read_text("utf-8")
    assert '<span class="kd">travel</span>' in colours
    linked = (site / "docs" / "python" / "index.html").read_text("utf-8")
    assert '<a href="../cases/"><code>docs/cases.md</code></a>' in linked


@pytest.mark.long
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loads = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>")
    found = [tag for page in site.rglob("*.html") for tag in loads.findall(page.read_text("utf-8"))]
    assert not found
    sheets = [sheet.read_text("utf-8") for sheet in site.rglob("*.css")]
    assert not any(re.search(r"url\([\"']?(?:https?:)?//", sheet) for sheet in sheets)


@pytest.mark.long
def test_all_links_lead_somewhere(site: Path) -> None:
    """Also those to pages of the repository that the site leaves out, of which MkDocs says nothing."""
    broken = []
    for page in site.rglob("index.html"):
        for link in re.findall(r'<a\b[^>]*\bhref="([^"#?]+)', page.read_text("utf-8")):
            to = (page.parent / unquote(link)).resolve()
            if "://" not in link and not link.startswith("mailto:") and not to.exists():
                broken.append((page.relative_to(site).as_posix(), link))
    assert not broken


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With the modules of the site to be imported."""
    monkeypatch.syspath_prepend(WEBSITE)
    yield


@pytest.mark.usefixtures("beside")
def test_all_sources_can_be_coloured() -> None:
    from grog_lexer import GrogLexer

    lexer = GrogLexer()
    for source in (ROOT / "rulesets").rglob("*.grog"):
        tokens = list(lexer.get_tokens(source.read_text("utf-8")))
        assert not [text for kind, text in tokens if kind is Error]
        assert any(kind in Keyword for kind, _ in tokens)
