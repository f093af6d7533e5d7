"""The pages about the findings: each shows a file that is wrong in just this way, and one that is right."""

from __future__ import annotations

import re

import pytest
from diagnostic_pages import PAGES, documents

from runtime.scenario import CODES

FENCE = re.compile(r"```yaml\n(.*?)```\n", re.DOTALL)
BASE = {
    "ruleset": "ruleset: small\n",
    "title": "title: Two Hills\n",
    "game": "game: {first: top}\n",
    "sides": "sides: {top: {goal: 4}, bottom: {goal: 4}}\n",
}


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


@pytest.mark.parametrize("code", [code for code in CODES if documents(code)])
def test_meant(code: str, loading) -> None:
    for part in documents(code):
        lacking = [line for key, line in BASE.items() if not re.search(f"^{key}:", part, re.M)]
        setup, findings = loading("".join(lacking) + part)
        assert findings == [], part
        assert setup is not None
