"""Whatever one gives to a command: a clear sentence, a remedy, the documented exit code, no traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

RULESET_COMMANDS = (["check"], ["compile"], ["dump", "--stage", "rules"], ["schema"])
GARBAGE = bytes(range(256)) * 8


def _complains(done, *parts: str) -> None:
    assert done.code == 2 and done.out == ""
    assert done.err.startswith("grognard ") and "remedy:" in done.err
    for part in parts:
        assert part in done.err


@pytest.mark.parametrize("command", RULESET_COMMANDS, ids=lambda c: c[0])
class TestRulesets:
    def test_unknown(self, run, desk: Path, command: list[str]) -> None:
        _complains(run(*command, "tinny"), "there is no ruleset 'tinny'", "did you mean 'tiny'?")

    def test_missing_path(self, run, desk: Path, command: list[str]) -> None:
        _complains(run(*command, "no/such/folder"), "no/such/folder")

    def test_a_file(self, run, desk: Path, command: list[str]) -> None:
        _complains(
            run(*command, "rulesets/tiny/ruleset.grog"), "a ruleset is a folder", "rulesets/tiny"
        )

    def test_an_empty_folder(self, run, desk: Path, command: list[str]) -> None:
        (desk / "hollow").mkdir()
        _complains(run(*command, "hollow"), "no .grog files")

    def test_garbage(self, run, desk: Path, command: list[str]) -> None:
        (desk / "rulesets/tiny/noise.grog").write_bytes(GARBAGE)
        _complains(run(*command, "tiny"), "rulesets/tiny/noise.grog:", "not UTF-8 text")

    def test_garbage_that_is_text(self, run, desk: Path, command: list[str]) -> None:
        (desk / "rulesets/tiny/noise.grog").write_text(
            "".join(map(chr, range(1, 127))), encoding="utf-8"
        )
        done = run(*command, "tiny")
        assert done.code == 1 and "rulesets/tiny/noise.grog:" in done.all

    def test_bad_texts(self, run, desk: Path, command: list[str]) -> None:
        for text, wrong in (("a: b: c\n", "not YAML"), ("- a\n", "not a mapping")):
            (desk / "rulesets/tiny/texts/en.yaml").write_text(text, encoding="utf-8")
            done = run(*command, "tiny")
            if command[0] == "check":  # a finding like others
                assert (
                    done.code == 1
                    and "rulesets/tiny/texts/en.yaml:1:" in done.out
                    and wrong in done.out
                )
            else:
                _complains(done, "rulesets/tiny/texts/en.yaml:1:", wrong)

    def test_unreadable(self, run, desk: Path, command: list[str]) -> None:
        file = desk / "rulesets/tiny/ruleset.grog"
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("permissions do not bind this user")
        _complains(run(*command, "tiny"), "cannot be read")

    def test_a_folder_called_like_a_file(self, run, desk: Path, command: list[str]) -> None:
        (desk / "rulesets/tiny/more.grog").mkdir()
        _complains(run(*command, "tiny"), "rulesets/tiny/more.grog cannot be read")


class TestFmt:
    def test_missing(self, run, desk: Path) -> None:
        _complains(run("fmt", "no.grog"), "there is no file 'no.grog'")

    def test_empty_folder(self, run, desk: Path) -> None:
        (desk / "hollow").mkdir()
        _complains(run("fmt", "hollow"), "no .grog files")

    def test_other_file(self, run, desk: Path) -> None:
        _complains(run("fmt", "scenarios/tiny/first.yaml"), "not a .grog file")

    def test_garbage(self, run, desk: Path) -> None:
        (desk / "noise.grog").write_bytes(GARBAGE)
        _complains(run("fmt", "noise.grog"), "noise.grog:", "not UTF-8 text")

    def test_nothing(self, run, desk: Path) -> None:
        _complains(run("fmt"))


class TestScenarios:
    def test_unknown(self, run, desk: Path) -> None:
        _complains(
            run("validate", "frist"), "there is no scenario 'frist'", "did you mean 'first'?"
        )

    def test_missing_file(self, run, desk: Path) -> None:
        _complains(
            run("validate", "scenarios/tiny/frist.yaml"),
            "there is no file 'scenarios/tiny/frist.yaml'",
        )

    def test_folder(self, run, desk: Path) -> None:
        _complains(run("validate", "scenarios/tiny"), "is a folder")

    def test_ambiguous(self, run, desk: Path) -> None:
        run("new", "other")
        _complains(run("validate", "first"), "several scenarios", "other/first", "tiny/first")

    def test_unreadable(self, run, desk: Path) -> None:
        file = desk / "scenarios/tiny/first.yaml"
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("permissions do not bind this user")
        _complains(run("validate", "first"), "cannot be read")

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (GARBAGE, "S101"),
            (b"", "S103"),
            (b"- a\n- b\n", "S104"),
            (b"title: x\n", "S112"),
            (b"ruleset: [tiny]\ntitle: x\n", "S112"),
            (b"ruleset: tinny\ntitle: x\n", "S202"),
            (b"ruleset: tiny\ntitle: x\nsurprise: 1\n", "S111"),
            (b"a: [\n", "S102"),
        ],
    )
    def test_content(self, run, desk: Path, content: bytes, code: str) -> None:
        (desk / "scenarios/tiny/bad.yaml").write_bytes(content)
        done = run("validate", "scenarios/tiny/bad.yaml")
        assert done.code == 1 and "scenarios/tiny/bad.yaml" in done.out and code in done.out

    def test_broken_ruleset(self, run, desk: Path) -> None:
        file = desk / "rulesets/tiny/ruleset.grog"
        file.write_text(
            file.read_text(encoding="utf-8").replace("u.type.dice", "u.type.dise"), encoding="utf-8"
        )
        done = run("validate", "first")
        assert done.code == 1 and "R202" in done.err

    def test_marks_the_word(self, run, desk: Path) -> None:
        file = desk / "scenarios/tiny/first.yaml"
        file.write_text(
            file.read_text(encoding="utf-8").replace("hex: A7", "hex: Z9"), encoding="utf-8"
        )
        lines = run("validate", "first").out.splitlines()
        marks = next(i for i, line in enumerate(lines) if "^^" in line)
        assert lines[marks - 1][lines[marks].index("^") :].startswith("Z9")
        assert lines[-1] == "scenarios/tiny/first.yaml: 1 error"
