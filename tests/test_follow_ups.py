"""A mistake the parser finds is not buried under names it had to leave undeclared."""

from __future__ import annotations

from project import ROOT

from compiler.api import compile_ruleset
from dsl.diagnostics import Diagnostic


def errors_after(old: str, new: str) -> list[Diagnostic]:
    """The errors of No Retreat! with the first *old* of its combat rules changed."""
    folder = ROOT / "rulesets" / "no_retreat"
    sources = compile_ruleset(folder, emit_code=False).sources
    (shown,) = (name for name in sources if name.endswith("no_retreat/combat.grog"))
    assert old in sources[shown].text
    overlay = {shown: sources[shown].text.replace(old, new, 1)}
    return [d for d in compile_ruleset(folder, overlay=overlay, emit_code=False).diagnostics if d.is_error]


def test_a_brace_left_out_is_one_finding() -> None:
    assert [d.code for d in errors_after("\n}\n", "\n")] == ["P103"]


def test_a_wrong_name_alone_is_still_found() -> None:
    (error,) = errors_after("h in targets", "h in targetz")
    assert error.code == "R201"
    assert "targetz" in error.message
