"""Games between bots that do not end, or break: they stop where the ruleset says, and seed and record are named."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import ROOT, begun

LIMITED = "\nfunction decision_limit(): int = {limit}\n"


def limited(desk: Path, limit: object) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    file.write_text(
        file.read_text(encoding="utf-8") + LIMITED.format(limit=limit), encoding="utf-8"
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_is_stopped_at_the_limit_of_the_ruleset(run, desk: Path, jobs: int) -> None:  # type: ignore[no-untyped-def]
    limited(desk, "turns_left - 23")  # of a field that the scenario gives: 30
    done = run("bots", "first", "--games", "2", "--seed", "41", "--jobs", jobs)
    assert done.code == 1
    assert re.search(
        r"the game of seed 4[12] is not over after 7 decisions, the limit that the ruleset states",
        done.err,
    )
    path = Path(re.search(r"its record is (\S+)", done.err)[1])  # type: ignore[index]
    record = path.read_text(encoding="utf-8")
    assert re.search(r"^seed: 4[12]$", record, re.M) and "result: unfinished" in record
    assert len([line for line in record.splitlines()[8:] if line and not line.startswith("#")]) == 7
    assert run("replay", path, "--verify").code == 0


def test_a_limit_that_no_game_reaches_changes_nothing(run, desk: Path) -> None:  # type: ignore[no-untyped-def]
    before = run("bots", "first", "--games", "3", "--json")
    limited(desk, 100000)
    after = run("bots", "first", "--games", "3", "--json")
    assert (before.code, after.code) == (0, 0)
    assert (
        before.out.split('"elapsed"')[0].split('"thinking')[0]
        == after.out.split('"elapsed"')[0].split('"thinking')[0]
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_records_are_written_as_games_end(run, desk: Path, jobs: int) -> None:  # type: ignore[no-untyped-def]
    """The second game is stopped: the first has its record, the second that of what was played."""
    lengths = {}
    for seed in range(1, 30):
        run("bots", "first", "--games", "1", "--seed", seed, "--records", f"r{seed}")
        text = (desk / f"r{seed}/first-1.record").read_text(encoding="utf-8")
        lengths[seed] = len(
            [
                line
                for line in text.split("\n\n", 1)[1].splitlines()
                if not line.startswith(("#", "="))
            ]
        )
    seed = next(s for s in range(1, 29) if lengths[s] < lengths[s + 1])
    limited(desk, lengths[seed])
    done = run(
        "bots", "first", "--games", "2", "--seed", seed, "--records", "games", "--jobs", jobs
    )
    assert (
        done.code == 1
        and f"seed {seed + 1} is not over after {lengths[seed]} decisions" in done.err
    )
    names = sorted(path.name for path in (desk / "games").iterdir())
    assert (
        names[0] == "first-1.record"
        and names[1].startswith(f"first-{seed + 1}-stopped-")
        and len(names) == 2
    )
    assert "result: unfinished" in (desk / "games" / names[1]).read_text(encoding="utf-8")
    assert run("replay", desk / "games/first-1.record", "--verify").code == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_report_of_rules_that_fail_names_seed_and_record(run, desk: Path, jobs: int) -> None:  # type: ignore[no-untyped-def]
    file = desk / "rulesets/tiny/ruleset.grog"
    dive = "\ncheck sink when some u in Unit where u.hex is none { do dive() }\nprocedure dive() { do dive() }\n"
    file.write_text(file.read_text(encoding="utf-8") + dive, encoding="utf-8")
    done = run("bots", "first", "--games", "20", "--seed", "7", "--jobs", jobs)
    assert done.code == 1 and re.search(r"the game's seed is \d+\n", done.err)
    report = Path(re.search(r"is in (\S+)", done.err)[1]).read_text(encoding="utf-8")  # type: ignore[index]
    record = report.split("record:\n\n", 1)[1]
    assert re.search(r"^seed: \d+$", record, re.M) and len(record.splitlines()) > 10


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_no_process_outlives_the_one_that_began_it(desk: Path, number: int) -> None:
    with begun(
        "bots", "first", "--games", "100000", "--jobs", "2", "--records", "r", cwd=desk
    ) as process:
        wait_for_records(process, desk)
        os.kill(process.pid, number)  # it alone, not those that work for it
        process.communicate(timeout=30)  # returns when nobody has its output open any more
        assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)


def wait_for_records(process: subprocess.Popen[str], desk: Path) -> None:
    """Wait until the first game has its record."""
    while not any((desk / "r").glob("*.record")):
        time.sleep(0.05)
        assert process.poll() is None


@pytest.mark.parametrize(
    ("number", "jobs", "everybody"),
    [
        (signal.SIGINT, "2", True),
        (signal.SIGINT, "2", False),
        (signal.SIGTERM, "2", True),
        (signal.SIGTERM, "2", False),
        (signal.SIGHUP, "1", False),
    ],
)
def test_a_signal_ends_all_soon_and_leaves_whole_records(
    desk: Path, number: int, jobs: str, everybody: bool
) -> None:
    bots = ("--bots", "greedy,greedy", "--jobs", jobs)
    with begun("bots", "first", "--games", "100000", *bots, "--records", "r", cwd=desk) as process:
        wait_for_records(process, desk)
        (os.killpg if everybody else os.kill)(process.pid, number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert (out, err.strip()) == ("", "interrupted" if number == signal.SIGINT else "")
    records = list((desk / "r").iterdir())
    assert len(records) < 50  # those begun are not played to their ends
    for record in records:
        assert record.suffix == ".record" and record.read_text(encoding="utf-8").endswith("\n")
        assert "result: unfinished" not in record.read_text(encoding="utf-8")


def test_a_process_that_is_killed_is_told(desk: Path) -> None:
    """As the system does where memory runs out."""
    file = desk / "killer.py"
    file.write_text(
        "import os\nclass Bot:\n    def choose(self, view, options, rng):\n        os.kill(os.getpid(), 9)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        "-m",
        "grognard",
        "bots",
        "first",
        "--jobs",
        "2",
        "--bots",
        "killer:Bot,random",
    ]
    done = subprocess.run(
        command, cwd=desk, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and "was ended from outside" in done.stderr


def test_numbers_beyond_use(run, desk: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("bots", "first", "--games", "999999999")
    assert done.code == 2 and "at most 1,000,000" in done.err
    last = (1 << 128) - 1
    assert run("bots", "first", "--games", "2", "--seed", last, "--records", "r").code == 0
    for number, seed in ((1, last), (2, 0)):
        path = desk / f"r/first-{number}.record"
        assert f"seed: {seed}\n" in path.read_text(encoding="utf-8")
        assert run("replay", path, "--verify").code == 0


def test_a_fault_of_a_bot_of_ones_own_names_seed_and_record(
    run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    (desk / "mine.py").write_text(
        "class Tired:\n    turns = 0\n    def choose(self, view, options, rng):\n        self.turns += 1\n"
        "        return options[0] if self.turns < 4 else options[99999]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(desk))
    done = run_bot(run)
    assert done.code == 4
    found = re.search(r"the game's seed is 5, its record so far (\S+)", done.err)
    assert found is not None, done.err
    record = Path(found[1]).read_text(encoding="utf-8")
    assert "seed: 5\n" in record and "result: unfinished" in record


def run_bot(run):  # type: ignore[no-untyped-def]
    """A game with the bot that gets tired; the traceback of a bot is its author's own."""
    return run("bots", "first", "--games", "1", "--seed", "5", "--bots", "mine:Tired,random")


def test_an_interrupt_while_the_program_is_loaded(tmp_path: Path) -> None:
    """No traceback, wherever the loading is."""
    code = (
        "import builtins, os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "loads = builtins.__import__\n"
        "def load(name, *more):\n"
        "    if name == sys.argv[1]: os.kill(os.getpid(), signal.SIGINT)\n"
        "    return loads(name, *more)\n"
        "import grognard.__main__ as program\n"
        "builtins.__import__ = load\n"
        "sys.argv[1:] = [sys.argv[1], '--version']\n"
        "program.run()\n"
    )
    for name in ("grognard.fronts.cli.main", "grognard.fronts.cli.streams"):
        done = subprocess.run(
            [sys.executable, "-c", code, name],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
        )
        assert done.returncode == -signal.SIGINT and not done.stdout + done.stderr, done
