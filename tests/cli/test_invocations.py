"""The exit codes of the command line, as a table (invocations.txt): 0, 1 or 2, and never a fault."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from odd_streams import Odd, variants
from odd_streams import run as run_oddly

from grognard.fronts.cli.main import main
from grognard.places import scenarios

#: `play` lists them all when it asks for one.
SCENARIOS = len(scenarios())
#: Every how manieth row is run with odd streams.
EVERY = 7
TABLE = Path(__file__).with_name("invocations.txt")
CASE = """ruleset: tiny
scenario: tiny/first
cases:
  - name: dice of infantry
    run: nothing
    expect: {{values: {{"fire_dice(B.infantry1, R.infantry1)": {dice}}}}}
"""


def rows() -> Iterator[tuple[int, str, list[str]]]:
    """The table: exit code, command line, lines typed."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            code, command, *typed = (part.strip() for part in line.split("|"))
            yield int(code), command, typed[0].split(";") if typed and typed[0] else []


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the commands run: a ruleset 'tiny' and one with errors, scenarios and records, good and bad."""
    folder = tmp_path_factory.mktemp("room")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["new", "tiny"]) == 0 and main(["new", "broken"]) == 0
        assert main(["bots", "tiny/first", "--games", "1", "--seed", "7", "--records", "."]) == 0
        rules = folder / "rulesets/broken/ruleset.grog"
        rules.write_text(
            rules.read_text(encoding="utf-8").replace("u.type.dice", "u.type.dise"),
            encoding="utf-8",
        )
        (folder / "scenarios/broken/first.yaml").unlink()
        scenario = (folder / "scenarios/tiny/first.yaml").read_text(encoding="utf-8")
        record = (folder / "first-1.record").read_text(encoding="utf-8")
        part = "\n".join(re.sub("result: .*", "result: unfinished", record).splitlines()[:12])
        texts = {
            "bad.yaml": scenario.replace("A7", "Z99"),
            "hose.yaml": scenario.replace("provenance: house", "provenance: hose"),
            "empty.yaml": "",
            "untidy.grog": "enum   E{a,b}\n",
            "syntax.grog": "enum enum\n",
            "torn.record": f"{part}\nblue: mo",
            "wrong.record": re.sub("\n# ....", "\n# 0000", record),
            "future.record": re.sub("grognard: .*", "grognard: 99", record),
            "cases/good.yaml": CASE.format(dice=2),
            "failing/bad.yaml": CASE.format(dice=7),
        }
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "noise.yaml").write_bytes(bytes(range(256)) * 8)
        yield folder


def test_invocations(
    room: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """One after the other: what some write, others read; some with odd streams before."""
    monkeypatch.chdir(room)
    wrong = []
    for number, ((code, command, typed), (name, odd)) in enumerate(
        zip(rows(), variants(), strict=False)
    ):
        if number % EVERY == 0 and " cc_" not in command and hasattr(os, "fork"):
            wrong += [
                f"{name}: {text}"
                for text in oddly(code, command, typed, odd, room, tmp_path / "twin")
            ]
        lines = "".join(f"{line}\n" for line in typed).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
        capsys.readouterr()
        found = main(shlex.split(command))
        out, err = capsys.readouterr()
        good = found == code and "Traceback" not in out + err and "internal error" not in err
        if code == 2:
            good = good and err.startswith("grognard") and out.count("\n") < 40 + SCENARIOS
        if not good or any(len(line) >= 600 for line in err.splitlines()):
            wrong.append(f"{command}: {found} instead of {code}\n  {out[-300:]}{err[-600:]}")
    assert not wrong, "\n".join(wrong)


def oddly(code: int, command: str, typed: list[str], odd: Odd, room: Path, twin: Path) -> list[str]:
    """What is wrong with a command under odd streams, in a copy of the room.

    The codes are the same; who cannot be heard may say 2.  Who is no longer listened to, as behind `| head`,
    says what it would have said; but play needs a reader, and bots need not go on without one.
    """
    shutil.copytree(room, twin)
    try:
        done = run_oddly(shlex.split(command), typed, odd, twin)
    finally:
        shutil.rmtree(twin)
    left = {"play": (2,), "bots": (0,)}.get(command.split()[0], ()) if 1 in odd.broken else None
    good = {code, *(((2,) if odd.unheard else ()) if left is None else left)}
    if done.code in good and "Traceback" not in done.all and "internal error" not in done.all:
        return []
    return [f"{command}: {done.code} instead of {code}\n  {done.all[-600:]}"]


def test_the_table_is_long_enough() -> None:
    table = list(rows())
    assert (
        len(table) >= 200 and len({(command, tuple(typed)) for _, command, typed in table}) >= 200
    )


def test_devices_are_as_they_were() -> None:
    for device in ("/dev/null", "/dev/full"):
        assert Path(device).is_char_device()
