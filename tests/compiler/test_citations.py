"""What cites what: rows, columns, blocks and sections."""

from __future__ import annotations

from pathlib import Path

from corpus_cases import compile_folder, write
from project import compiled

from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard.explain.explainer import Explainer
from grognard.explain.outline import outline

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
    program = Ruleset(folder, lambda name: None).program
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
    assert column.citations_at(heavy) == ("CCA-11.23",)
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


BY_NUMBERS = """# preamble
cites C2

@section "Who goes" @house "ours"

enum Grade { green, §1 tried "after a battle", old }
function unmarked(g: Grade): int = 1
function cited(g: Grade): int §2, 3 = 2

@section "How far" §4

permission may_go(u: Unit) allow {
  deny tired when u.blocks is 1
}
permission may_stay(u: Unit) §5 allow {
  deny restless when u.blocks is 1
  deny driven §6 when u.blocks is 2
}

@section

for may_go { deny wounded §7 when u.blocks is 3  deny unmarked when u.blocks is 0 }
procedure march(u: Unit) §8 {
  §9 add 1 to u.moved
  §10
  step on {
    choose h in neighbors(u.hex) by u.side prompt onward pass halt
    offer by u.side { §11 rest { add 1 to u.moved } wait { } pass halt }
  }
}
"""


def test_by_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    write(BY_NUMBERS, folder, "case.grog")
    ruleset = compile_folder(folder)
    assert [d for d in ruleset.diagnostics if d.is_error] == []
    assert citations(folder) == {
        "C2-1": ["member tried of Grade"],
        "C2-2": ["function cited"],
        "C2-3": ["function cited"],
        "C2-4": ["permission may_go", "rule tired of may_go"],
        "C2-5": ["permission may_stay", "rule restless of may_stay"],
        "C2-6": ["rule driven of may_stay"],
        "C2-7": ["rule wounded of may_go"],
        "C2-8": ["procedure march"],
        "C2-9": ["set of march, line 24"],
        "C2-10": ["step on of march, line 26"],
        "C2-11": ["option rest of march"],
    }
    questions = {spec.prompt: spec.rules for spec in ruleset.program.decisions}
    assert questions == {"onward": ("C2-10",), "march": ("C2-11",)}
    assert ruleset.program.remarks == {"member tried of Grade": "after a battle"}
    functions = {
        decl.name.text: decl for decl in ruleset.resolved.decls if isinstance(decl, n.Function)
    }
    marked = {name: (decl.provenance, decl.reason) for name, decl in functions.items()}
    assert marked["unmarked"] == ("house", "ours") and marked["cited"] == (None, "")
    headings = {name: ruleset.resolved.heading(decl.span) for name, decl in functions.items()}
    assert headings["cited"] == "Who goes"
    assert [(one.title, [item.name for item in one.items]) for one in outline(ruleset.resolved)][
        -3:
    ] == [
        ("Who goes", ["enum Grade", "function unmarked", "function cited"]),
        ("How far", ["permission may_go", "permission may_stay"]),
        ("", ["rules for may_go", "procedure march"]),
    ]


def test_they_are_found(tmp_path: Path) -> None:
    """Where an ID stands by number, in the lines that an explanation names."""
    folder = tmp_path / "corpus"
    write(BY_NUMBERS, folder, "case.grog")
    explainer = Explainer(compile_folder(folder))
    told = [str(explainer.rule(rule)) for rule in ("C2-6", "C2-10", "C2-4")]
    assert "case.grog:17 (How far): deny driven §6 when u.blocks is 2" in told[0]
    assert "case.grog:26: step on {" in told[1]
    assert "rule tired of may_go" in told[2]
    assert "[C2-5] (How far)" in str(explainer.declaration("may_stay").lines)
