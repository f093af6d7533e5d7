"""The pages of the compiler's findings keep what they promise: what is wrong is found, what is mended compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from diagnostic_pages import PAGES, programs, section
from other_languages import lacking

from compiler.findings.codes import CODES
from dsl.diagnostics import Diagnostic

_PART = re.compile(
    r"(?:^beside it `([^`\n]+)`:\n\n)?^```(?:grog|yaml)\n(.*?)^```", re.DOTALL | re.MULTILINE
)


def findings(part: str, root: Path) -> list[Diagnostic]:
    """What compiling the program of a section yields; the preamble is added unless it is a whole ruleset."""
    blocks = _PART.findall(part)
    assert blocks and not blocks[0][0]
    program = blocks[0][1]
    whole = re.search(r"^(ruleset|sides)\b", program, re.MULTILINE)
    write(program if whole else f"# preamble\n{program}", root / "corpus", "case.grog")
    for name, body in blocks[1:]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
    return compile_folder(root / "corpus").diagnostics


def told(found: list[Diagnostic], code: str) -> list[Diagnostic]:
    """The errors, and the findings of a code in the program itself."""
    return [
        d for d in found if d.is_error or (d.code == code and d.span.file.endswith("case.grog"))
    ]


@pytest.mark.parametrize("code", CODES)
def test_page(code: str, tmp_path: Path) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert re.match(rf"# {code} — {re.escape(CODES[code])}\n\n[^#\s]", text)
    wrong = findings(section(text, "Wrong"), tmp_path / "wrong")
    assert code in {d.code for d in wrong}
    assert lacking(*(text for d in wrong for text in (d.message, d.remedy))) == []
    assert told(findings(section(text, "Mended"), tmp_path / "mended"), code) == []


@pytest.mark.parametrize(
    "code", [page.stem for page in sorted(PAGES.glob("*.md")) if programs(page.stem)]
)
def test_meant(code: str, tmp_path: Path) -> None:
    for number, program in enumerate(programs(code)):
        assert told(findings(program, tmp_path / str(number)), code) == [], program


def test_no_page_without_code() -> None:
    pages = {path.stem for path in PAGES.glob("*.md") if re.match(r"[RTFQCL]\d|S6", path.stem)}
    assert pages == set(CODES)
