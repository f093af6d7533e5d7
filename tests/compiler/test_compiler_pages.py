"""The pages of the compiler's findings keep what they promise: what is wrong is found, what is mended compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corpus_cases import ROOT, compile_folder, write
from other_languages import lacking

from compiler.findings.codes import CODES
from dsl.diagnostics import Diagnostic

FOLDER = ROOT / "docs" / "diagnostics"
_PART = re.compile(
    r"(?:^beside it `([^`\n]+)`:\n\n)?^```(?:grog|yaml)\n(.*?)^```", re.DOTALL | re.MULTILINE
)


def section(text: str, title: str) -> str:
    """What stands below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"no section '{title}'"
    return found.group(1)


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


@pytest.mark.parametrize("code", CODES)
def test_page(code: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{code}.md").read_text(encoding="utf-8")
    assert re.match(rf"# {code} — {re.escape(CODES[code])}\n\n[^#\s]", text)
    wrong = findings(section(text, "Wrong"), tmp_path / "wrong")
    assert code in {d.code for d in wrong}
    assert lacking(*(text for d in wrong for text in (d.message, d.remedy))) == []
    mended = findings(section(text, "Mended"), tmp_path / "mended")
    program = "case.grog"
    assert [
        d for d in mended if d.is_error or (d.code == code and d.span.file.endswith(program))
    ] == []


def test_no_page_without_code() -> None:
    pages = {path.stem for path in FOLDER.glob("*.md") if re.match(r"[RTFQCL]\d|S6", path.stem)}
    assert pages == set(CODES)
