"""What stands beside a record by chance is not lost: locks of other programs, keys of others and of other records."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

from grognard.table.locks import Lock
from runtime.kept import STALE

FOREIGN = '# @generated\n[[package]]\nname = "ours"\n'
SECRET = "battles_of_westeros/learning_battle"


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `play` with some lines of input."""

    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", *arguments)

    return play


def test_the_lock_of_another_program(play: Callable[..., Ran], desk: Path) -> None:
    lock = desk / "poetry.lock"
    lock.write_text(FOREIGN)
    done = play(["move b3", "quit"], "first", "--record", "poetry")
    assert done.code == 2 and "poetry.lock is no lock of a game" in done.err
    done = play(["move b3", "save poetry", "quit"], "first")
    assert (
        done.code == 0
        and "poetry.lock is no lock of a game" in done.out
        and "not saved" in done.out
    )
    assert lock.read_text() == FOREIGN and not (desk / "poetry").exists()


def test_a_file_that_is_no_key(play: Callable[..., Ran], desk: Path) -> None:
    (desk / "server.key").write_text(FOREIGN)
    done = play(["1", "quit"], SECRET, "--record", "server")
    assert done.code == 2 and "server.key, but that file is no key" in done.err
    done = play(["1", "save server", "quit"], SECRET)
    assert (
        done.code == 0
        and "server.key, but that file is no key" in done.out
        and "not saved" in done.out
    )
    assert (desk / "server.key").read_text() == FOREIGN and not (desk / "server").exists()


def test_the_key_of_a_record_that_stands_elsewhere(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path
) -> None:
    assert play(["1", "quit"], SECRET, "--record", "g.record").code == 0
    key = (desk / "g.record.key").read_text()
    (desk / "g.record").rename(desk / "sent.record")
    done = play(["1", "quit"], SECRET, "--record", "g.record")
    assert (
        done.code == 2
        and "the key of another record" in done.err
        and not (desk / "g.record").exists()
    )
    assert (desk / "g.record.key").read_text() == key
    (desk / "g.record.key").rename(desk / "sent.record.key")
    assert run("replay", "sent.record", "--verify").code == 0


def test_a_record_is_replaced_with_its_key(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path
) -> None:
    assert play(["1", "quit"], SECRET, "--record", "g.record").code == 0
    before = (desk / "g.record.key").read_text()
    assert "saved" in play(["1", "save g.record", "yes", "quit"], SECRET).out
    assert (desk / "g.record.key").read_text() != before
    assert run("replay", "g.record", "--verify").code == 0


OLD = time.time() - 2 * STALE


def left(folder: Path, *names: str, when: float = OLD) -> None:
    """Files as a process leaves them that is killed as it writes them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("half")
        os.utime(folder / name, (when, when))


def test_what_was_left_half_written_is_cleared_away(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the file that is written, when it is old; a key that was half written holds the seed."""
    mine = (".g.record.abcd_123.part", ".g.record.key.00000000.part")
    others = (
        ".h.record.abcd_123.part",
        ".g.record.part",
        ".g.record.abcd123.part",
        "g.record.abcd_123.part",
        ".g.record.ABCDEFGH.part",
    )
    left(desk, *mine, *others)
    left(desk, ".g.record.now_____.part", when=time.time())
    (desk / ".g.record.link____.part").symlink_to(desk / "rulesets")
    assert play(["1", "quit"], SECRET, "--record", "g.record").code == 0
    assert not any((desk / name).exists() for name in mine)
    assert all(
        (desk / name).exists()
        for name in (*others, ".g.record.now_____.part", ".g.record.link____.part")
    )
    left(desk, *mine)
    assert play(["1", "quit"], "--resume", "g.record").code == 0
    assert not any((desk / name).exists() for name in mine)
    left(desk / "games", ".first-1.record.abcd_123.part", ".second-1.record.abcd_123.part")
    assert run("bots", "first", "--games", "1", "--records", "games").code == 0
    assert sorted(path.name for path in (desk / "games").iterdir()) == [
        ".second-1.record.abcd_123.part",
        "first-1.record",
    ]
    long = "x" * 60
    left(desk, f".{long[:40]}.abcd_123.part")
    assert play(["1", "quit"], "first", "--record", long).code == 0
    assert not (desk / f".{long[:40]}.abcd_123.part").exists()


def test_locks_of_games_that_are_gone_are_cleared_away(
    play: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    games = desk / "data" / "games"
    left(games, "a.record.lock", "b.record", "b.record.lock", "own.lock", ".c.record.abcd_123.part")
    left(games, "new.record.lock", when=time.time())
    (games / "many.record.lock").write_text(FOREIGN)
    os.utime(games / "many.record.lock", (OLD, OLD))
    held = Lock(games / "held.record")
    os.utime(games / "held.record.lock", (OLD, OLD))
    assert play(["quit"], "first").code == 0
    held.release()
    assert sorted(path.name for path in games.iterdir()) == [
        "b.record", "b.record.lock", "many.record.lock", "new.record.lock", "own.lock"
    ]  # fmt: skip
