"""Every wrong file is found out, at the right place, and nothing else is said about it.

Each file of ``bad/`` starts with lines ``# expect: CODE line:column part of the message``, one for each finding.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from other_languages import lacking

from runtime.scenario import CODES

FILES = sorted((Path(__file__).parent / "bad").glob("*.yaml"))
EXPECT = re.compile(r"# expect: (S\d{3}) (\d+):(\d+) (.+)")


def expected(path: Path) -> list[tuple[str, int, int, str]]:
    """What the file's first lines announce."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not (match := EXPECT.fullmatch(line)):
            break
        found.append((match[1], int(match[2]), int(match[3]), match[4]))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bad(path: Path, loading) -> None:
    wanted = expected(path)
    assert wanted, "the file says nothing about what is wrong with it"
    setup, findings = loading(path)
    assert [(f.code, f.line, f.column) for f in findings] == [w[:3] for w in wanted], [
        str(f) for f in findings
    ]
    for finding, (_, _, _, part) in zip(findings, wanted):
        assert part in finding.message
        assert finding.remedy
        assert lacking(finding.message, finding.remedy) == []
        assert finding.file == "it"
    assert (setup is None) == any(f.is_error for f in findings)


def test_strange_characters_are_named_by_code_point(loading) -> None:
    for stem, said in (
        ("look_alike_key", "U+0456"),
        ("look_alike_hex", "U+0410"),
        ("invisible_in_value", "U+200B"),
        ("no_break_space", "U+00A0"),
    ):
        _, findings = loading(Path(__file__).parent / "bad" / f"{stem}.yaml")
        assert [said in f.remedy for f in findings] == [True], findings


def test_every_code_has_a_bad_file() -> None:
    assert {code for path in FILES for code, *_ in expected(path)} == set(CODES)
