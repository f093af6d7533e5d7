"""What stands beside a record by chance is not lost: locks of other programs, keys of others and of other records."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Ran

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
    assert done.code == 0 and "poetry.lock is no lock of a game" in done.out and "not saved" in done.out
    assert lock.read_text() == FOREIGN and not (desk / "poetry").exists()


def test_a_file_that_is_no_key(play: Callable[..., Ran], desk: Path) -> None:
    (desk / "server.key").write_text(FOREIGN)
    done = play(["1", "quit"], SECRET, "--record", "server")
    assert done.code == 2 and "server.key, but that file is no key" in done.err
    done = play(["1", "save server", "quit"], SECRET)
    assert done.code == 0 and "server.key, but that file is no key" in done.out and "not saved" in done.out
    assert (desk / "server.key").read_text() == FOREIGN and not (desk / "server").exists()


def test_the_key_of_a_record_that_stands_elsewhere(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path
) -> None:
    assert play(["1", "quit"], SECRET, "--record", "g.record").code == 0
    key = (desk / "g.record.key").read_text()
    (desk / "g.record").rename(desk / "sent.record")
    done = play(["1", "quit"], SECRET, "--record", "g.record")
    assert done.code == 2 and "the key of another record" in done.err and not (desk / "g.record").exists()
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
