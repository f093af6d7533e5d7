"""A game is never lost: whatever ends `play`, what was decided is in its record."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from at_play import GAME, actions, at_most, left, playing, type_in, until
from running import Ran

import grognard
from grognard.fronts.cli.exits import Misuse
from grognard.table.journal import Journal, NotKept
from grognard.table.locks import Lock
from runtime.games.record import Record
from runtime.games.sealing import Key


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_signals(desk: Path, run: Callable[..., Ran], number: int) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3", "c4")
        until(process.stdout, "destination C4")
        process.send_signal(number)
        code = process.wait(60)
        said = process.stderr.read().decode() if process.stderr else ""
    assert actions(desk / "g.record")[:2] == ["move B.infantry1", "destination C4"]
    if number == signal.SIGKILL:
        assert code == -number and left(desk / "g.record") == ["g.record.lock"]
    else:
        assert code == 128 + number and left(desk / "g.record") == []
        assert "grognard play --resume g.record" in said
    again = run("replay", "g.record", "--verify")
    assert again.code == 0 and "unfinished" in again.out
    with playing(
        desk, "--resume", "g.record"
    ) as process:  # the lock of a process that has ended is no obstacle
        type_in(process, "quit")
        assert process.wait(60) == 0
    assert left(desk / "g.record") == []


def test_broken_pipe_and_full_output(desk: Path) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        until(process.stdout, "wait")
        assert process.stdout is not None
        process.stdout.close()
        type_in(process, "move b3", "c4", "quit")
        assert process.wait(60) == 2
        assert process.stderr is not None and "--resume g.record" in process.stderr.read().decode()
    assert actions(desk / "g.record") == ["move B.infantry1"]
    with (
        open("/dev/full", "wb") as full,
        playing(desk, "--resume", "g.record", stdout=full) as process,
    ):
        type_in(process, "c4")
        assert process.wait(60) == 2
        assert process.stderr is not None and "No space left" in process.stderr.read().decode()
    assert actions(desk / "g.record") == ["move B.infantry1"]


def test_end_of_input_without_a_name(desk: Path) -> None:
    saved = []
    for _ in range(3):
        with playing(desk, *GAME) as process:
            type_in(process, "move b3")
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            text = process.stdout.read().decode()
            assert process.wait(60) == 0
        saved.append(Path(text.rstrip().rsplit(" ", 1)[1]))
    assert len(set(saved)) == 3  # of the same scenario, the same seed, in the same second
    for path in saved:
        assert actions(path) == ["move B.infantry1"]


def test_a_full_disk_in_the_middle_of_a_game(desk: Path, run: Callable[..., Ran]) -> None:
    with playing(desk, *GAME, "--record", "g.record", preexec_fn=at_most(500)) as process:
        type_in(process, *["1"] * 300)
        assert process.wait(60) == 2
        said = process.stderr.read().decode() if process.stderr else ""
    assert "g.record cannot be written: File too large" in said
    text = (desk / "g.record").read_text(encoding="utf-8")
    assert text.endswith("\n") and len(text) <= 500 and len(actions(desk / "g.record")) > 2
    assert left(desk / "g.record") == []
    done = run("replay", "g.record", "--verify")
    assert done.code == 0, done.err
    before = (desk / "g.record").read_bytes()
    with playing(
        desk, "--resume", "g.record", preexec_fn=at_most(300)
    ) as process:  # what is there is not cut either
        process.wait(60)
        assert process.returncode == 2
    assert (desk / "g.record").read_bytes() == before


@pytest.mark.parametrize("fails", ["the lock", "the record", "every file"])
@pytest.mark.parametrize("named", [False, True])
def test_a_file_that_was_never_written_is_not_left(
    desk: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, fails: str, named: bool
) -> None:
    """Nor does it keep the game from being written when there is room again."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    game = grognard.load("akragas", seed=1)
    key = Key.new(1)
    journal = Journal(desk / "g.record" if named else None, {}, key, "first")
    for _ in range(3):
        game.play(0)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(desk.rglob("*"))
    with monkeypatch.context() as patch:
        if fails == "the lock":
            patch.setattr("grognard.table.locks.os.pwrite", full)
        else:
            patch.setattr(
                "grognard.files.os.fsync"
                if fails == "the record"
                else "grognard.table.journal.os.open",
                full,
            )
        with pytest.raises(Misuse if named else NotKept, match="No space left on device"):
            if named:
                journal.begin(game)
            else:
                journal.keep(game)
        assert [p for p in sorted(desk.rglob("*")) if p.is_file() and p not in before] == []
    journal.keep(game)
    assert journal.path is not None and len(actions(journal.path)) == 3
    journal.close()


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_torn_last_line_is_dropped_and_said(
    desk: Path, run: Callable[..., Ran], cut: int
) -> None:
    if not hasattr(test_a_torn_last_line_is_dropped_and_said, "data"):
        with playing(desk, "first", "--seed", "1", "--record", "g.record") as process:
            type_in(process, "move b3", "c4", "wait", "wait", "wait", "move B.cavalry1")
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)
        test_a_torn_last_line_is_dropped_and_said.data = (desk / "g.record").read_bytes()  # type: ignore[attr-defined]
    data = test_a_torn_last_line_is_dropped_and_said.data[:-cut]  # type: ignore[attr-defined]
    (desk / "t.record").write_bytes(data)
    done = run("replay", "t.record", "--verify")
    assert done.code == 0, done.err
    assert ("was not written to its end" in done.err) == (not data.endswith(b"\n"))


def test_garbage_at_the_end_is_dropped(desk: Path, run: Callable[..., Ran]) -> None:
    run("bots", "first", "--games", "1", "--seed", "3", "--records", "games")
    lines = re.sub(
        rb"result: .*", b"result: unfinished", (desk / "games/first-1.record").read_bytes()
    )
    data = b"".join(lines.splitlines(keepends=True)[:15])
    for tail in (b"\x00" * 300, b"\xff", "blue: übe".encode()[:-1], b"blue: mo"):
        (desk / "t.record").write_bytes(data + tail)
        done = run("replay", "t.record", "--verify")
        assert done.code == 0 and "was not written to its end" in done.err


def test_the_whole_game_is_kept_even_where_its_end_is_not(
    desk: Path, run: Callable[..., Ran]
) -> None:
    run("bots", "first", "--games", "1", "--seed", "3", "--records", "games")
    lines = (desk / "games/first-1.record").read_text(encoding="utf-8").splitlines()
    lines = [
        "result: unfinished" if line.startswith("result:") else line
        for line in lines
        if not line.startswith("= ")
    ]
    (desk / "t.record").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run("replay", "t.record", "--verify").code == 0


def test_two_processes_on_one_record(desk: Path, run: Callable[..., Ran]) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3")
        until(process.stdout, "move B.infantry1")
        (desk / "link.record").symlink_to("g.record")
        before = (desk / "g.record").read_bytes()
        for arguments in (
            ["--resume", "g.record"],
            ["--resume", "link.record"],
            ["--resume", "./games/../g.record"],
        ):
            (desk / "games").mkdir(exist_ok=True)
            done = run("play", *arguments)
            assert done.code == 2 and f"is being written by process {process.pid}" in done.err
        assert (desk / "g.record").read_bytes() == before
        assert run("replay", "g.record", "--verify").code == 0  # reading is open to all
        type_in(process, "quit")
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    "holder",
    [
        "",
        "x",
        "999999999 5 here",
        "1",
        f"{os.getpid()} 1 {os.uname().nodename}",
        "\x00\x00\x00",
        "٣ ٣ ٣",
        "9" * 5000,
    ],
    ids=[
        "empty",
        "a word",
        "a process that is not",
        "one number",
        "this process, before",
        "NUL",
        "other digits",
        "5,000 digits",
    ],
)
def test_stale_locks_are_taken_over(tmp_path: Path, holder: str) -> None:
    (tmp_path / "g.record.lock").write_text(holder, encoding="utf-8")
    lock = Lock(tmp_path / "g.record")
    assert (tmp_path / "g.record.lock").read_text(encoding="utf-8").split()[0] == str(os.getpid())
    lock.release()
    assert not (tmp_path / "g.record.lock").exists()


def test_a_process_that_lives_holds_its_lock_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grognard.fronts.cli.common import Misuse
    from grognard.table import locks

    monkeypatch.setattr(locks, "_locked", lambda descriptor: True)
    with subprocess.Popen(["sleep", "30"]) as other:
        try:
            (tmp_path / "g.record.lock").write_text(
                f"{other.pid} {locks.began(other.pid)} {os.uname().nodename}\n", encoding="utf-8"
            )
            with pytest.raises(Misuse, match=f"written by process {other.pid}"):
                Lock(tmp_path / "g.record")
        finally:
            other.kill()
    Lock(tmp_path / "g.record").release()


class TestTargets:
    @pytest.mark.parametrize(
        ("name", "part"),
        [
            ("", "--record is an empty file name"),
            ("  ", "--record is an empty file name"),
            ("scenarios", "is a folder"),
            (".", "is a folder"),
            ("no/such/g.record", "there is no folder 'no/such'"),
            ("/dev/null", "not a regular file"),
            ("/dev/full", "not a regular file"),
            ("/proc/g.record", "cannot be written"),
            ("x" * 300, "cannot be written: File name too long"),
            ("a\0b", "cannot contain NUL"),
            ("rulesets/tiny/ruleset.grog", "there is such a file already"),
            ("rulesets/tiny/ruleset.grog/x", "Not a directory"),
        ],
    )
    def test_that_cannot_be_written_are_found_at_the_start(
        self, run: Callable[..., Ran], desk: Path, name: str, part: str
    ) -> None:
        done = run("play", "first", "--record", name)
        assert done.code == 2 and part in done.err and "What do you do?" not in done.out
        assert (desk / "rulesets/tiny/ruleset.grog").stat().st_size > 100 and not Path(
            "/dev/null"
        ).is_file()

    def test_fifos_and_loops(self, run: Callable[..., Ran], desk: Path) -> None:
        os.mkfifo(desk / "fifo")
        (desk / "loop").symlink_to("loop")
        assert run("play", "first", "--record", "fifo").code == 2
        assert run("play", "first", "--record", "loop").code == 2
        assert run("play", "--resume", "loop").code == 2

    def test_folders_without_permission(self, desk: Path) -> None:
        if os.geteuid() == 0:
            pytest.skip("all may write everywhere here")
        (desk / "closed").mkdir(mode=0o500)
        with playing(desk, *GAME, "--record", "closed/g.record") as process:
            assert process.wait(60) == 2

    def test_a_game_that_cannot_keep_itself_says_so(
        self, desk: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GROGNARD_DATA", "/proc/no")
        with playing(desk, *GAME) as process:
            type_in(process, "move b3", "save g.record", "quit")
            assert process.wait(60) == 0
            assert (
                process.stderr is not None
                and "the game is not kept" in process.stderr.read().decode()
            )
        assert actions(desk / "g.record") == ["move B.infantry1"]


class TestSave:
    def typed(self, desk: Path, *lines: str, arguments: tuple[object, ...] = GAME) -> str:
        with playing(desk, *arguments) as process:
            out, err = process.communicate(
                "".join(f"{line}\n" for line in lines).encode(), timeout=60
            )
            assert process.returncode == 0, err
            return out.decode()

    def test_asks_before_it_overwrites(self, desk: Path) -> None:
        (desk / "other.record").write_text("precious\n", encoding="utf-8")
        out = self.typed(desk, "move b3", "save other.record", "no", "save other.record", "")
        assert "is there already" in out and out.count("not saved") == 2
        assert (desk / "other.record").read_text(encoding="utf-8") == "precious\n"
        out = self.typed(desk, "move b3", "save other.record", "yes")
        assert actions(desk / "other.record") == ["move B.infantry1"]

    def test_answers_what_cannot_be_written(self, desk: Path) -> None:
        out = self.typed(
            desk,
            "save /dev/null",
            "save scenarios",
            "save a\0b",
            f"save {'x' * 300}",
            "save /proc/g",
            "save no/g",
        )
        assert out.count("not saved") == 6

    def test_a_game_that_is_being_written_by_another_is_not_written_over(self, desk: Path) -> None:
        with playing(desk, *GAME, "--record", "g.record") as process:
            type_in(process, "move b3")
            until(process.stdout, "move B.infantry1")
            out = self.typed(desk, "save g.record", "yes")
            assert "is being written by process" in out and "not saved" in out
        assert actions(desk / "g.record") == ["move B.infantry1"]

    def test_to_its_own_record(self, desk: Path, run: Callable[..., Ran]) -> None:
        out = self.typed(
            desk, "move b3", "save g.record", "c4", arguments=(*GAME, "--record", "g.record")
        )
        assert "--resume g.record" in out and "is there already" not in out
        assert actions(desk / "g.record")[:2] == ["move B.infantry1", "destination C4"]


def test_what_is_taken_back_is_taken_back_on_disk(desk: Path, run: Callable[..., Ran]) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3", "undo", "move b5", "undo", "undo", "move B.cavalry1")
        until(process.stdout, "move B.cavalry1")
        process.kill()
        process.wait()
    assert actions(desk / "g.record") == ["move B.cavalry1"]
    assert run("replay", "g.record", "--verify").code == 0


def test_a_record_that_somebody_removes_is_written_anew(
    desk: Path, run: Callable[..., Ran]
) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3")
        until(process.stdout, "move B.infantry1")
        (desk / "g.record").unlink()
        type_in(process, "c4")
        until(process.stdout, "destination C4")
        time.sleep(0.2)
        process.kill()
        process.wait()
    assert actions(desk / "g.record")[:2] == ["move B.infantry1", "destination C4"]


def test_a_game_without_a_decision_leaves_nothing(desk: Path) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "quit")
        assert process.wait(60) == 0
    assert not list(desk.glob("*g.record*"))


def test_a_game_that_nobody_sees_leaves_nothing(desk: Path) -> None:
    with (
        open("/dev/full", "wb") as full,
        playing(desk, *GAME, "--record", "g.record", stdout=full) as process,
    ):
        assert process.wait(60) == 2
    assert not list(desk.glob("*g.record*"))


def test_of_two_that_begin_at_once_one_is_refused(desk: Path) -> None:
    with (
        playing(desk, *GAME, "--record", "g.record") as one,
        playing(desk, *GAME, "--record", "g.record") as two,
    ):
        codes = []
        for process in (one, two):
            _, err = process.communicate(b"move b3\n", timeout=60)
            codes.append(process.returncode)
            assert (process.returncode == 2) == (
                b"is being written by" in err or b"such a file already" in err
            )
    assert sorted(codes) == [0, 2] and actions(desk / "g.record") == ["move B.infantry1"]


def test_the_end_of_a_game_is_written(desk: Path, run: Callable[..., Ran]) -> None:
    with playing(desk, *GAME, "--record", "g.record") as process:
        out, _ = process.communicate(b"1\n" * 300, timeout=60)
        assert process.returncode == 0 and b"recorded in g.record" in out
    assert Record.parse((desk / "g.record").read_text(encoding="utf-8")).finished
    assert run("replay", "g.record", "--verify").code == 0 and left(desk / "g.record") == []


@pytest.mark.parametrize(
    ("plain", "term"), [(True, "xterm"), (False, "xterm"), (False, "dumb"), (False, "")]
)
def test_at_a_terminal_people_hand_over(
    desk: Path, plain: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is shown that not all may see; also without clearing of the screen: what was shown to one
    has scrolled away.
    """
    import fcntl
    import pty
    import select
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    monkeypatch.setenv("LINES", "24")  # what the environment says may be stale
    monkeypatch.setenv("TERM", term)
    cleared = not plain and term == "xterm"  # others do not know how
    arguments = ["first", "--seed", "1", "--record", "g.record", *(["--plain"] if plain else [])]
    with playing(desk, *arguments, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""

        def await_(text: bytes) -> bytes:
            nonlocal shown
            end = time.monotonic() + 30
            while text not in shown:
                assert time.monotonic() < end, shown[-500:]
                shown += os.read(master, 65536)
            before, _, shown = shown.partition(text)
            return before

        await_(b"press Enter to go on. ")
        os.write(master, b"\n")
        await_("blue › ".encode())
        os.write(master, b"wait\n\nhand\n")  # what is typed ahead does not take over for the other
        await_(b"Now to decide: red.")  # all that is asked follows from what both see
        await_("red › ".encode())
        time.sleep(1)
        assert not select.select([master], [], [], 0)[0]
        os.write(master, b"hand\n")  # what only red may see
        handed = await_(b"press Enter to go on. ")
        assert b"red" in handed and b"What do you do?" not in handed  # nothing of red's yet
        assert (b"\x1b[2J" in handed) == cleared
        assert cleared or (b"\x1b" not in handed.replace(b"\r", b"") and handed.count(b"\n") >= 30)
        os.write(master, b"\n")
        await_("red › ".encode())
        os.close(master)  # the terminal is closed
        assert process.wait(60) in (0, 2, 129)
    assert actions(desk / "g.record")[0] == "wait"


def test_a_disk_that_fails_on_closing_loses_nothing(
    desk: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was synced before is there."""
    import io

    def close(descriptor: int) -> None:
        real(descriptor)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    real = os.close
    monkeypatch.setattr("sys.stdin", io.StringIO("move b3\nundo\nmove b5\nquit\n"))
    monkeypatch.setattr("grognard.table.journal.os.close", close)
    done = run("play", *GAME, "--record", "g.record")
    monkeypatch.undo()
    assert done.code == 0 and actions(desk / "g.record") == ["move B.infantry2"]
