"""The commands for rulesets."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from project import ROOT

STAGES = ("parsed", "resolved", "checked", "rules", "lowered", "emitted")


def _spoil(desk: Path, old: str, new: str) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_new_is_clean(run, desk: Path) -> None:
    assert run("check", "tiny").code == 0
    assert run("validate", "first").code == 0
    assert run("validate", "tiny/first").code == 0
    assert run("fmt", "--check", "rulesets").code == 0


def test_new_twice(run, desk: Path) -> None:
    done = run("new", "tiny")
    assert done.code == 2 and "is there already" in done.err


@pytest.mark.parametrize("name", ["Tiny", "1up", "a-b", "../x", "", "rule", "a b", "x" * 101])
def test_new_bad_name(run, desk: Path, name: str) -> None:
    done = run("new", name)
    assert done.code == 2 and "cannot be the name" in done.err
    assert sorted(p.name for p in (desk / "rulesets").iterdir()) == ["tiny"]


def test_sides_that_a_new_game_can_have(run, desk: Path) -> None:
    """What is accepted gives a game without errors."""
    for side in ("turns_left", "hex", "x" * 101, "rule"):
        done = run("new", "other", "--sides", f"{side},zz")
        assert done.code == 2 and "cannot be the name of a side" in done.err
    assert run("new", "other", "--sides", f"{'x' * 100},fire").code == 0
    assert run("check", "other").code == 0


def test_new_writes_all_or_nothing(run, desk: Path) -> None:
    (desk / "scenarios/other").write_text("a file")
    done = run("new", "other")
    assert done.code == 2 and "scenarios/other" in done.err
    assert not (desk / "rulesets/other").exists()
    (desk / "scenarios/other").unlink()
    assert run("new", "other").code == 0


def test_list(run, desk: Path) -> None:
    done = run("list")
    assert (
        done.code == 0
        and "rulesets/tiny" in done.out
        and "First skirmish" in done.out
        and "cc_core" in done.out
    )
    data = json.loads(run("list", "--json").out)
    assert {"name": "tiny", "path": str(desk / "rulesets/tiny"), "native": False} in data[
        "rulesets"
    ]
    assert data["scenarios"][0]["title"] == "First skirmish"


def test_check_shows_place_and_remedy(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    done = run("check", "tiny")
    assert done.code == 1
    lines = done.out.splitlines()
    head = next(line for line in lines if "error R202" in line)
    place = head.split(": ")[0]
    assert place.startswith("rulesets/tiny/ruleset.grog:")
    number = int(place.split(":")[1])
    source = (
        (desk / "rulesets/tiny/ruleset.grog").read_text(encoding="utf-8").splitlines()[number - 1]
    )
    at = lines.index(head)
    assert source in lines[at + 1]
    marks = lines[at + 2]
    assert "^" in marks and lines[at + 1][marks.index("^") :].startswith("dise")
    assert any(line.strip() == "remedy: did you mean 'dice'?" for line in lines)
    assert lines[-1] == "tiny: 1 error"


def test_much_that_was_checked_is_counted(run) -> None:
    battles = sorted((ROOT / "scenarios/cc_ancients").glob("*.yaml"))[:8]
    last = run("validate", *battles).out.splitlines()[-1]
    assert last.endswith(" and 3 more: no findings") and last.count(",") == 4
    assert (
        len(json.loads(run("validate", *battles, "--format", "json").out)["summary"]["checked"])
        == 8
    )


def test_check_json(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    done = run("check", "tiny", "--format", "json")
    assert done.code == 1
    data = json.loads(done.out)
    assert (data["format"], data["version"]) == ("grognard-findings", 1)
    assert data["summary"] == {"errors": 1, "warnings": 0, "notes": 0, "checked": ["tiny"]}
    (finding,) = data["findings"]
    assert (
        finding["code"] == "R202"
        and finding["severity"] == "error"
        and finding["file"] == "rulesets/tiny/ruleset.grog"
    )
    assert finding["line"] > 1 and finding["end_column"] == finding["column"] + 4
    assert (
        finding["remedy"] == "did you mean 'dice'?"
        and finding["help"] == "docs/diagnostics/R202.md"
    )


def test_check_sarif(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    done = run("check", "tiny", "--format", "sarif")
    assert done.code == 1
    log = json.loads(done.out)
    assert log["version"] == "2.1.0"
    (tool,) = log["runs"]
    (result,) = tool["results"]
    assert result["ruleId"] == tool["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "R202"
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {
        "uri": "rulesets/tiny/ruleset.grog",
        "uriBaseId": "SRCROOT",
    }
    region = location["region"]
    assert (
        region["startLine"] == region["endLine"]
        and region["endColumn"] - region["startColumn"] == 4
    )


def test_check_sorts_by_place(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    _spoil(desk, "= u.type.move", "= u.type.mofe")
    data = json.loads(run("check", "tiny", "--format", "json").out)
    places = [(f["file"], f["line"], f["column"]) for f in data["findings"]]
    assert len(places) == 2 and places == sorted(places)


def test_check_labels_further_places(run, desk: Path) -> None:
    _spoil(desk, "enum Face { hit, miss }", "enum Face { hit, miss }\nenum Face { a }")
    done = run("check", "tiny")
    assert done.code == 1 and "R104" in done.out and "declared here first" in done.out


def test_check_several(run, desk: Path) -> None:
    done = run("check", "tiny", "cc_core")
    assert done.out.splitlines()[-1].startswith("tiny, cc_core: ")


def test_colours_only_when_wanted(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from compiler.output.report import wants_color

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert not wants_color(Terminal())  # NO_COLOR is set
    monkeypatch.delenv("NO_COLOR")
    assert wants_color(Terminal()) and not wants_color(object())


def test_compile(run, desk: Path) -> None:
    done = run("compile", "tiny")
    assert done.code == 0
    text = (desk / "build/compiled/tiny.py").read_text(encoding="utf-8")
    compile(text, "tiny.py", "exec")
    assert run("compile", "tiny", "-o", "-").out == text
    assert run("compile", "tiny", "-o", "else/where.py").code == 0
    assert (desk / "else/where.py").read_text(encoding="utf-8") == text


def test_compile_with_errors(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    done = run("compile", "tiny")
    assert done.code == 1 and "R202" in done.err and not (desk / "build").exists()


def test_compile_where_nothing_can_be_written(run, desk: Path) -> None:
    (desk / "build").write_text("in the way")
    done = run("compile", "tiny")
    assert done.code == 2 and "cannot be written" in done.err


@pytest.mark.parametrize("stage", STAGES)
def test_dump(run, desk: Path, stage: str) -> None:
    done = run("dump", "tiny", "--stage", stage)
    assert done.code == 0 and len(done.out.splitlines()) > 10
    assert "<" + "Stmt" not in done.out and " object at 0x" not in done.out
    assert run("dump", "tiny", "--stage", stage).out == done.out


def test_dump_shows_rule_trees(run, desk: Path) -> None:
    out = run("dump", "tiny", "--stage", "rules").out
    assert (
        "quantity fire_dice(u: Unit, foe: Unit): Dice  [T-3.2]\n  └─ printed = u.type.dice  [T-3.2]\n  stage terrain\n"
        in out
    )
    assert (
        "    cover by -1 Dice when foe.hex.terrain is forest  [T-3.4]\n" in out
        or "    cover by -1 when" in out
    )


def test_everything_has_words() -> None:
    """The printer knows each kind of expression and step."""
    import inspect

    from compiler import ir
    from compiler import lowered as low
    from compiler.printer import Printer

    for module in (ir, low):
        kinds = [
            k
            for k in vars(module).values()
            if inspect.isclass(k) and k.__module__.startswith(module.__name__)
        ]
        for kind in kinds:
            if issubclass(kind, ir.Expr | ir.Stmt) and kind not in (ir.Expr, ir.Stmt):
                assert Printer.knows(kind), kind


def test_dump_after_errors(run, desk: Path) -> None:
    _spoil(desk, "= u.type.dice", "= u.type.dise")
    assert run("dump", "tiny", "--stage", "parsed").code == 0
    done = run("dump", "tiny", "--stage", "lowered")
    assert done.code == 1 and "R202" in done.err and "not reached" in done.err


def test_dump_unknown_stage(run, desk: Path) -> None:
    done = run("dump", "tiny", "--stage", "cooked")
    assert done.code == 2 and "lowered" in done.err


def test_fmt(run, desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    good = file.read_text(encoding="utf-8")
    file.write_text(
        good.replace("enum Face { hit, miss }", "enum   Face{hit,miss}"), encoding="utf-8"
    )
    assert run("fmt", "--check", file).code == 1
    assert file.read_text(encoding="utf-8") != good
    assert run("fmt", file).code == 0
    assert file.read_text(encoding="utf-8") == good
    assert run("fmt", "--check", file).code == 0


def test_fmt_leaves_files_with_errors(run, desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    file.write_text("enum  {", encoding="utf-8")
    done = run("fmt", "rulesets")
    assert done.code == 1 and "rulesets/tiny/ruleset.grog:1:" in done.err
    assert file.read_text(encoding="utf-8") == "enum  {"


def test_schema(run, desk: Path) -> None:
    done = run("schema", "tiny")
    assert done.code == 0 and json.loads(done.out)["title"] == "Scenario (tiny)"
    assert run("schema", "tiny", "-o", "s.json").code == 0
    assert json.loads((desk / "s.json").read_text(encoding="utf-8")) == json.loads(done.out)


def test_check_lists_the_texts_that_are_missing(run, desk: Path) -> None:
    catalogue = desk / "rulesets/tiny/texts/en.yaml"
    lines = catalogue.read_text(encoding="utf-8").splitlines()
    (gone,) = (line for line in lines if line.startswith("option.move"))
    catalogue.write_text("\n".join(line for line in lines if line != gone) + "\n", encoding="utf-8")
    done = run("check", "--texts", "tiny")
    assert done.code == 1
    assert done.out.splitlines() == [
        "# tiny: texts/en.yaml lacks 1 text",
        'option.move: ""  # {0} Unit',
    ]
    catalogue.write_text(done.out + catalogue.read_text(encoding="utf-8"), encoding="utf-8")
    assert run("check", "--texts", "tiny").code == 0


def test_the_names_of_cards_are_among_them_where_no_card_has_one(run, desk: Path) -> None:
    assert run("new", "rising", "--family", "card_driven").code == 0
    catalogue = desk / "rulesets/rising/texts/en.yaml"
    lines = catalogue.read_text(encoding="utf-8").splitlines()
    names = [line for line in lines if re.match(r"Card\.\w+:", line)]
    rest = [line for line in lines if not line.startswith("Card.")]
    catalogue.write_text("\n".join(rest) + "\n", encoding="utf-8")
    done = run("check", "--texts", "rising")
    assert [line for line in done.out.splitlines() if line.startswith("Card.")] == [
        f'{line.partition(":")[0]}: ""' for line in names
    ]
    assert len(names) > 5


def test_the_readme_breaks_a_rule(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the README shows is what `check` says, word for word."""
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    monkeypatch.chdir(tmp_path)
    units = tmp_path / "rulesets/cc_ancients/units.grog"
    text = units.read_text(encoding="utf-8")
    assert text.count("| HI   | 5 |") == 1
    units.write_text(text.replace("| HI   | 5 |", "| HI   | seven |"), encoding="utf-8")
    done = run("check", "cc_ancients")
    (shown,) = re.findall(
        r"^```\n(rulesets/.*?)^```$",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert done.code == 1 and shown in done.out


def test_a_text_is_a_text(run, desk: Path) -> None:
    texts = desk / "rulesets/tiny/texts/en.yaml"
    for value, what in (("[a, b]", "a list"), ("{a: b}", "a mapping")):
        texts.write_text(f"title: {value}\n", encoding="utf-8")
        done = run("check", "tiny")
        assert (
            done.code == 1
            and f"en.yaml:1:8: error C703: {what} in title: expected text" in done.out
        )


def test_a_word_like_one_that_can_be_given_is_meant(run) -> None:
    done = run("new", "hills", "--family", "card-driven")
    assert done.code == 2 and "did you mean 'card_driven'?" in done.err
