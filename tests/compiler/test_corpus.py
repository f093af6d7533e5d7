"""Small rulesets: the good compile, the bad yield exactly the findings that they announce."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_cases import (
    CORPUS,
    cases,
    compile_folder,
    differences,
    expected_in,
    families,
    lay_out,
    name_of,
)
from native_builds import missing
from other_languages import lacking

from compiler.findings.codes import CODES
from compiler.native.build import compile_library, toolchain
from compiler.native.module import Module


@pytest.mark.parametrize("case", cases("good"), ids=name_of)
def test_good(case: Path, tmp_path: Path) -> None:
    folder = lay_out(case, tmp_path)
    compilation = compile_folder(folder)
    assert differences(compilation.diagnostics, []) == []
    assert compilation.emitted is not None


@pytest.mark.long
@pytest.mark.skipif(bool(missing()), reason=missing() or "it can")
@pytest.mark.parametrize("case", cases("good"), ids=name_of)
def test_good_in_c(case: Path, tmp_path: Path) -> None:
    """By C11, without extensions of a compiler."""
    made = compile_folder(lay_out(case, tmp_path))
    assert made.spec.board is not None
    room = dict.fromkeys(made.spec.kinds, 8)
    module = Module(made.program, made.lowered, made.spec, made.spec.board, room)
    assert compile_library(module.text(), [*toolchain(), "-pedantic-errors"], 0)


@pytest.mark.parametrize("case", cases("bad"), ids=name_of)
def test_bad(case: Path, tmp_path: Path) -> None:
    folder = lay_out(case, tmp_path)
    expected = expected_in([folder])
    assert expected, "a bad case says what is expected"
    compilation = compile_folder(folder)
    assert differences(compilation.diagnostics, expected) == []
    for diagnostic in compilation.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.span.file, diagnostic
        assert diagnostic.remedy, diagnostic
        texts = (diagnostic.message, diagnostic.remedy, *(one.text for one in diagnostic.labels))
        assert lacking(*texts) == []


@pytest.mark.parametrize("family", families(), ids=name_of)
def test_family(family: Path) -> None:
    folders = sorted(p for p in family.iterdir() if p.is_dir())
    compilation = compile_folder(family / "child")
    expected = expected_in(folders)
    assert differences(compilation.diagnostics, expected) == []
    assert (compilation.emitted is not None) == (
        not any(severity == "E" for _, _, severity, _, _ in expected)
    )


def test_every_code_occurs() -> None:
    folders = [p.parent for p in CORPUS.rglob("*.grog")]
    seen = {code for folder in set(folders) for _, _, _, code, _ in expected_in([folder])}
    assert set(CODES) - seen == set()


def test_there_are_enough() -> None:
    assert len(cases("bad")) >= 60
    features = {case.parent.parent.name for case in cases("bad")}
    assert features <= {case.parent.parent.name for case in cases("good")}
