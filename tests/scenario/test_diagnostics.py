"""The pages about the findings: each shows a file that is wrong in just this way, and one that is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runtime.scenario import CODES

PAGES = Path(__file__).parents[2] / "docs" / "diagnostics"
FENCE = re.compile(r"```yaml\n(.*?)```\n", re.DOTALL)


@pytest.mark.parametrize("code", CODES)
def test_page(code: str, loading) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {code} — {CODES[code]}\n")
    wrong, mended = text.split("## Wrong")[1].split("## Mended")
    assert [f.code for f in loading(FENCE.search(wrong)[1])[1]] == [code]
    setup, findings = loading(FENCE.search(mended)[1])
    assert findings == []
    assert setup is not None


def test_no_other_pages() -> None:
    assert {path.stem for path in PAGES.glob("S[12]*.md")} == set(CODES)
