"""What tables and matrices hold, and what is said of their cells."""

from __future__ import annotations

from pathlib import Path

from corpus_cases import compile_folder, write


def test_what_is_not_known_is_in_no_set(tmp_path: Path) -> None:
    text = "# preamble\ntable more of Arm {\n  columns likes: set of Type\n  | foot | ? |\n  | mounted | HI |\n}\n"
    write(text, tmp_path / "corpus", "case.grog")
    compilation = compile_folder(tmp_path / "corpus")
    assert [d.code for d in compilation.diagnostics if d.code[0] == "F"] == ["F408"]
    assert compilation.program.columns["Arm", "likes"].values == (0, 2)


def test_a_column_that_stands_twice_is_to_be_removed(tmp_path: Path) -> None:
    text = "# preamble\nmatrix worth of Arm by Type: int {\n  | | LI | HI | HI | HC |\n"
    text += "  | foot | 1 | 2 | 2 | 3 |\n  | mounted | 1 | 2 | 2 | 3 |\n}\n"
    write(text, tmp_path / "corpus", "case.grog")
    (finding,) = (d for d in compile_folder(tmp_path / "corpus").diagnostics if d.is_error)
    assert (finding.message, finding.remedy) == ("'HI' stands twice", "remove one of the two")
