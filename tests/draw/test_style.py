"""Slips in style.yaml are found where they stand, each as one finding; `grognard check` tells them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project import ROOT, playable, scenarios

from compiler.findings.codes import LOOKS
from compiler.ruleset import Ruleset
from grognard import opening
from grognard.draw.colors import ansi, is_color, rgb
from grognard.draw.style import Style
from grognard.fronts.cli.main import main
from runtime.data.findings import Finding
from runtime.model import RulesetSpec

PAGES = ROOT / "docs" / "diagnostics"
PREAMBLE = (ROOT / "tests" / "corpus" / "preamble.grog").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looks") / "corpus"
    folder.mkdir()
    (folder / "rules.grog").write_text(PREAMBLE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def spec(small: Path) -> RulesetSpec:
    return Ruleset(small).spec


def findings(small: Path, spec: RulesetSpec | None, text: str) -> list[Finding]:
    (small / "style.yaml").write_text(text, encoding="utf-8")
    return Style.of([small]).findings(spec)


@pytest.mark.parametrize("code", LOOKS)
def test_page(small: Path, spec: RulesetSpec, code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {code} — {LOOKS[code]}\n\n")
    wrong, mended, *meant = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert [f.code for f in findings(small, spec, wrong)] == [code]
    for right in (mended, *meant):
        assert findings(small, spec, right) == [], right


def test_every_page_has_a_code() -> None:
    assert {page.stem for page in PAGES.glob("V*.md")} == set(LOOKS)


@pytest.mark.parametrize(
    ("text", "code", "line", "message"),
    [
        ("names: red\nlabels: '#12345'\n", "V904", 2, "'#12345' is not a colour"),
        (
            "hexsides:\n  terrain: {}\n",
            "V902",
            2,
            "unknown set of hexes of Hex 'terrain' in hexsides",
        ),
        (
            "borders:\n  terrain: {}\n",
            "V902",
            2,
            "unknown field of Hex, or function of a hex, 'terrain'",
        ),
        (
            "pieces: {Unit: {symbol: {by: type, LX: dot}}}",
            "V902",
            1,
            "unknown value of Type 'LX' in pieces.Unit.symbol",
        ),
        (
            "pieces: {Unit: {symbol: {by: type, LI: hart}}}",
            "V902",
            1,
            "unknown glyph 'hart' in pieces.Unit.symbol.LI",
        ),
        (
            "pieces: {Unit: {facing: {at: side}}}",
            "V903",
            1,
            "key 'by' is missing in pieces.Unit.facing",
        ),
        ("pieces: {Unit: {facing: type}}", "V902", 1, "has not six directions"),
        (
            "pieces: {Unit: {facing: {at: front}}}",
            "V905",
            1,
            "unknown value 'front' in pieces.Unit.facing.at",
        ),
        ("pieces: {Unit: {figures: '{blocks'}}", "V903", 1, "braces that hold no field"),
        ("pieces: {Unit: {size: 7}}", "V905", 1, "too large"),
        (
            "pieces: {Unit: {cases: [{when: {blocks: few}}]}}",
            "V902",
            1,
            "'few' cannot be a whole number in pieces.Unit.cases.1.when",
        ),
        (
            "pieces: {Unit: {cases: [{when: {type: LI}, ink: red}, {when: {type: LI}, ink: blue}]}}",
            "V906",
            1,
            "same conditions",
        ),
        ("short: {Arm: {foot: ft}}", "V906", 1, "abbreviations of Arm stand nowhere"),
        ("short: {Type: {HI: heavyinfantry}}", "V907", 1, "does not fit"),
        ("panel: [score, score]", "V906", 1, "stands twice"),
        ("panel: {a: b}", "V903", 1, "a mapping in panel: expected a list"),
        ("header: [Face.flags]", "V902", 1, "unknown field or call of Game 'Face.flags' in header"),
        ("track: {nothing: {show: [x]}}", "V902", 1, "'nothing' in track"),
        ("odds: [hitz]", "V902", 1, "unknown outcome 'hitz' in odds"),
        ("header: [winter]", "V902", 1, "unknown field or call of Game 'winter'"),
        ("about: {Unit: [type.range, type.rang]}", "V902", 1, "'type.rang'"),
        ("sides: {top: {fil: red}}", "V901", 1, "unknown setting of a side 'fil' in sides.top"),
        ("flags: goal", "V902", 1, "unknown set of hexes of Side 'goal' in flags"),
        ("tray: '{blcks}'", "V902", 1, "no field or function of Unit 'blcks'"),
        ("highlights: {nowhere: {sign: x}}", "V902", 1, "'nowhere'"),
        ("markers: {goal: {text: x}}", "V902", 1, "'goal'"),
        (
            "pieces: {Unit: {edges: {type: {color: red}}}}",
            "V902",
            1,
            "unknown set of hexes of Unit",
        ),
        ("- a\n- b\n", "V903", 1, "a list: expected a mapping"),
    ],
)
def test_slips(
    small: Path, spec: RulesetSpec, text: str, code: str, line: int, message: str
) -> None:
    found = findings(small, spec, text)
    assert any(message in f.message and (f.code, f.line) == (code, line) for f in found), found
    assert all(f.remedy and f.column for f in found)


def test_the_shape_is_seen_without_a_ruleset(small: Path) -> None:
    assert (
        findings(small, None, "pieces: {Any: {label: '{any}', fill: what, colors: {x: red}}}") == []
    )
    assert [f.code for f in findings(small, None, "pieces: {Any: {size: x}}\nhexs: {}")] == [
        "V905",
        "V901",
    ]


def test_check_tells_them(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "style.yaml").write_text("sides:\n  top: {fill: rot}\n", encoding="utf-8")
    assert main(["check", str(small)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"style\.yaml:2:15: error V904: 'rot' is not a colour in sides.top.fill", out)
    (small / "style.yaml").write_text("", encoding="utf-8")
    main(["check", str(small)])
    assert "V9" not in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", playable())
def test_the_games_have_none(ruleset: str) -> None:
    first = next(name for name in scenarios() if name.startswith(f"{ruleset}/"))
    opened = opening.open_scenario(first)
    assert opened.style().findings(opened.program.spec) == []


def test_colours() -> None:
    assert is_color("#abc") and is_color("white") and not is_color("wite") and not is_color("#abcd")
    assert rgb("#f00") == (255, 0, 0) and rgb("navy") == (0, 0, 128)
    assert ansi("#808080") == "38;5;244"
    assert len({ansi("black"), ansi("white"), ansi("red"), ansi("blue"), ansi("#5c7f45")}) == 5
