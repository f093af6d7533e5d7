"""What cites what: rows, columns, blocks and sections."""

from __future__ import annotations

from pathlib import Path

from corpus_cases import compile_folder, write
from project import compiled

from compiler.check import check
from compiler.sources.resolve import resolve
from grognard.explain.explainer import Explainer

PROGRAM = """# preamble
enum Grade { green, tried, old }
table grades of Grade {
  columns nerve: int, @rule C2-3.1 shots: int
  | green | 1 | 1 |
  @rule C2-4.1 | tried | 2 | 1 |
  @rule C2-4.2, C2-4.3 | old | 3 | 2 |
}
@rule C2-5.1
fields of Hex { dry: bool = true  @rule C2-5.2 wet: bool = false }
@section C2-6.1
function first_of(g: Grade): int = g.nerve
@rule C2-6.2
function second_of(g: Grade): int = g.shots
@house
function third_of(g: Grade): int = 3
@section
function fourth_of(g: Grade): int = 4
@rule C2-7.1
effect calm() lasts turn { deny calmed for may_go  @rule C2-7.2 deny at_rest for may_go when u.blocks is 1 }
permission may_go(u: Unit) allow
"""


def citations(folder: Path) -> dict[str, list[str]]:
    program, _ = check(resolve("corpus", folder, lambda name: None))
    return {rule: list(cited) for rule, cited in program.citations.items()}


def test_who_cites(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    write(PROGRAM, folder, "case.grog")
    assert [d for d in compile_folder(folder).diagnostics if d.is_error] == []
    assert citations(folder) == {
        "C2-3.1": ["column shots of grades"],
        "C2-4.1": ["row tried of grades"],
        "C2-4.2": ["row old of grades"],
        "C2-4.3": ["row old of grades"],
        "C2-5.1": ["field Hex.dry"],
        "C2-5.2": ["field Hex.wet"],
        "C2-6.1": ["function first_of"],
        "C2-6.2": ["function second_of"],
        "C2-7.1": ["effect calm", "rule calmed of may_go"],
        "C2-7.2": ["rule at_rest of may_go"],
    }


def test_why_names_the_row() -> None:
    explainer = Explainer(compiled("cc_ancients"))
    column = explainer.program.columns[("Type", "cc")]
    heavy = explainer.program.enums["Type"].index("HI")
    assert column.cited(heavy) == ("CCA-11.23",)
    assert column.rules == ()


def test_what_is_inserted_is_cited_with_its_procedure(tmp_path: Path) -> None:
    text = """# preamble
@rule C2-8.1
procedure march() { step last { note marched() } }
@rule C2-8.1, C2-8.2
insert ahead last of march { note ready() }
"""
    folder = tmp_path / "corpus"
    write(text, folder, "case.grog")
    assert [d for d in compile_folder(folder).diagnostics if d.is_error] == []
    assert citations(folder) == {"C2-8.1": ["procedure march"], "C2-8.2": ["procedure march"]}
