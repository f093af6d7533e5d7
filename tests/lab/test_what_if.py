"""Lines that say what of the rules is different, and what they make."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard import places
from grognard.lab.what_if import Difference, write_ruleset
from runtime.errors import ArgumentError, LoadError


def differing(folder: Path, *lines: str, base: str = "cc_ancients", text: str = "") -> Path:
    """The folder of a ruleset in which these lines are different."""
    return write_ruleset(places.ruleset_folder(base), "other", Difference(lines, text), folder)


def source(folder: Path) -> str:
    return (folder / "ruleset.grog").read_text(encoding="utf-8")


@pytest.mark.long
def test_a_cell_of_a_table(tmp_path: Path) -> None:
    told = source(differing(tmp_path, "cc of HI = 4", "cc of MI = 5", "without clash"))
    assert "| HI | 4 |" in told and "| MI | 5 |" in told and "drop rule clash" in told
    assert told.count("replace rows of fighters") == 1
    column = places.ruleset(differing(tmp_path, "cc of HI = 4")).program.columns["Type", "cc"]
    printed = places.ruleset(places.ruleset_folder("cc_ancients")).program
    heavy = printed.enums["Type"].index("HI")
    assert column.values[heavy] == 4 != printed.columns["Type", "cc"].values[heavy]


def test_two_cells_of_a_row(tmp_path: Path) -> None:
    told = source(
        differing(tmp_path, "strength of infantry = 4", "dice of infantry = 1", base="tiny")
    )
    assert "| infantry | 4 | 1 | 2 | 1 |" in told


def test_a_quantity_of_a_member_and_for_all(tmp_path: Path) -> None:
    told = source(differing(tmp_path, "close_dice of HI = 4"))
    assert "for close_dice = 4 when u.type is HI" in told
    assert "elephants_dice" not in told, "elephants are no heavy infantry"
    told = source(differing(tmp_path, "allowance = 2", base="tiny"))
    assert "rule what_if_1 except printed for allowance = 2" in told


def test_a_line_of_its_own_is_one() -> None:
    assert Difference.of("range of infantry = 4") == Difference(("range of infantry = 4",))
    assert Difference.of("without cover\n") == Difference(("without cover",))
    text = "rule other except printed for allowance = 2\n"
    assert Difference.of(text) == Difference(text=text)


def test_declarations(tmp_path: Path) -> None:
    told = differing(tmp_path, base="tiny", text="drop rule cover")
    assert source(told).endswith("drop rule cover\n")
    with pytest.raises(LoadError) as refused:
        differing(tmp_path, base="tiny", text="drop rule covers")
    assert "'drop rule covers' in 'tiny': there is no rule 'covers' here" in str(refused.value)
    with pytest.raises(LoadError) as refused:
        differing(tmp_path, base="tiny", text="drop rule cover\nrule more for allowance = (2\n\n")
    assert "'rule more for allowance = (2' in 'tiny': " in str(refused.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("range of infantry = x", "'x' is not of type Hexes"),
        ("range of infantry = 4 | 5", "this row has 6 cells"),
        ("allowance = many", "unknown name 'many'"),
        ("allowance = 2 when", "this declaration is not finished"),
    ],
)
def test_values_that_are_none(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(LoadError) as refused:
        differing(tmp_path, "without cover", line, base="tiny")
    (finding,) = refused.value.findings
    assert finding.message.startswith(f"'{line}' in 'tiny': {message}")
    assert (finding.file, finding.line) == ("tiny", 0)


def test_names_of_differences_are_anybodys(tmp_path: Path) -> None:
    names = ["a b", "a-b", "Čtyři kostky", "!!", "", "x" * 300]
    base, difference = places.ruleset_folder("tiny"), Difference(("allowance = 2",))
    made = [write_ruleset(base, name, difference, tmp_path) for name in names]
    assert len(set(made)) == len(names)


@pytest.mark.parametrize(
    ("line", "message", "remedy"),
    [
        ("nonsense", "'nonsense' says nothing about rules", "write 'NAME of MEMBER = value'"),
        ("alowance = 2", "there is no 'alowance' that has a value", "did you mean 'allowance'?"),
        ("without covr", "there is no rule 'covr'", "did you mean 'cover'?"),
        ("allowance of flag = 2", "can be 'flag'", "possible: infantry, cavalry, blue, red"),
        ("range of infantri = 3", "'range' has no row 'infantri'", "did you mean 'infantry'?"),
        ("range = 3", "'range' has a value for each row", "write 'range of MEMBER = …'; possible:"),
        ("attack of infantry = 3", "no 'attack' that has a value", "possible: strength, move,"),
        ("foo of bar = 3", "in 'tiny': there is no 'foo'", "nothing is asked for 'bar'; write"),
        ("range of infantry = 2", "2 is the printed value: no game would differ", "another"),
        ("allowance of infantry = 1", "1 is the printed value: no game would differ", "another"),
    ],
)
def test_lines_that_mean_nothing(line: str, message: str, remedy: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as refused:
        differing(tmp_path, line, base="tiny")
    assert message in refused.value.message and remedy in refused.value.remedy


def test_a_cell_has_one_value(tmp_path: Path) -> None:
    lines = ("range of infantry = 3", "range of infantry = 4")
    with pytest.raises(ArgumentError, match="another line gives it another value"):
        differing(tmp_path, *lines, base="tiny")
    with pytest.raises(ArgumentError, match="02 is the printed value"):
        differing(tmp_path, "range of infantry = 02", base="tiny")


@pytest.fixture(autouse=True)
def _desk(desk: Path) -> None:
    """The ruleset 'tiny' is found."""
