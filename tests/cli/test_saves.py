"""A game is never lost: whatever ends `play`, what was decided is there (docs/records.md)."""

from __future__ import annotations

import errno
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest
from at_play import GAME, actions, at_most, left, playing, type_in, until
from at_prompt import opened, unkept
from running import Ran

from grognard.database import NotKept
from grognard.fronts.terminal.console import Ended
from grognard.fronts.terminal.session import Session
from grognard.table.store import Store
from grognard.table.table import Table
from runtime.games.game import Game
from runtime.games.record import Record

MINE = ["move B.infantry1", "destination C4"]
RECORDED = (*GAME, "--record", "g.record")


@pytest.fixture(autouse=True)
def data(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for data, empty at first."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    return desk / "data"


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `play` with some lines of input."""

    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", *arguments)

    return play


def kept() -> dict[str, list[str]]:
    """The actions of the games under way, the last played first."""
    with Store() as store:
        return {
            game.name: [entry.text for entry in store.record(game.name).actions]
            for game in store.games()
        }


def refuse(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# --------------------------------------------------------------------------- how it ends


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_signals(
    desk: Path, run: Callable[..., Ran], play: Callable[..., Ran], number: int
) -> None:
    with playing(desk, *RECORDED) as process:
        type_in(process, "move b3", "c4")
        until(process.stdout, "destination C4")
        until(process.stdout, "What do you do?")
        process.send_signal(number)
        code = process.wait(60)
        said = process.stderr.read().decode() if process.stderr else ""
    if number == signal.SIGKILL:
        assert code == -number and actions(desk / "g.record") == []
        assert kept()["first"][:2] == MINE
        assert "first " in run("list").out.partition("Games under way")[2]
    else:
        assert code == 128 + number and kept() == {}
        assert "grognard play --resume g.record" in said
        assert actions(desk / "g.record")[:2] == MINE
    assert run("replay", "g.record", "--verify").code == 0
    assert play(["quit"], "--resume", "g.record").code == 0
    assert actions(desk / "g.record")[:2] == MINE and kept() == {}
    assert left(desk / "g.record") == []


def test_what_is_taken_back_is_taken_back_on_disk(desk: Path) -> None:
    with playing(desk, *GAME) as process:
        type_in(process, "move b3", "undo", "move b5", "undo", "undo", "move B.cavalry1")
        until(process.stdout, "move B.cavalry1")
        until(process.stdout, "Where to?")
        process.kill()
        process.wait()
    assert kept() == {"first": ["move B.cavalry1"]}


def test_broken_pipe_and_full_output(desk: Path) -> None:
    with playing(desk, *RECORDED) as process:
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


def test_a_game_of_which_nothing_was_played_leaves_nothing(
    desk: Path, play: Callable[..., Ran]
) -> None:
    assert play(["quit"], *RECORDED).code == 0
    with (
        open("/dev/full", "wb") as full,
        playing(desk, *RECORDED, stdout=full) as process,
    ):
        assert process.wait(60) == 2
    assert not list(desk.glob("*g.record*")) and kept() == {}


def test_the_end_of_a_game(
    desk: Path, data: Path, play: Callable[..., Ran], run: Callable[..., Ran]
) -> None:
    """Its record is in the file that was named, else in one of its own."""
    done = play(["1"] * 300, *RECORDED)
    assert done.code == 0 and "recorded in g.record" in done.out and kept() == {}
    assert Record.parse((desk / "g.record").read_text(encoding="utf-8")).finished
    assert run("replay", "g.record", "--verify").code == 0 and left(desk / "g.record") == []
    done = play(["1"] * 300, *GAME)
    (own,) = (data / "games").iterdir()
    assert done.code == 0 and f"recorded in {own}" in done.out and kept() == {}
    assert own.read_bytes() == (desk / "g.record").read_bytes()


# --------------------------------------------------------------------------- names


def test_games_are_called_like_their_scenarios(
    desk: Path, play: Callable[..., Ran], run: Callable[..., Ran]
) -> None:
    for name in ("first", "first-2", "first-3"):
        done = play(["move b3"], *GAME)
        assert done.out.rstrip().endswith(f"grognard play --resume {name}")
    assert list(kept()) == ["first-3", "first-2", "first"]
    listed = json.loads(run("list", "--json").out)["games"]
    assert [(game["name"], game["decisions"]) for game in listed] == [
        ("first-3", 1), ("first-2", 1), ("first", 1)
    ]  # fmt: skip
    assert play(["c4"], "--resume", "first-2").code == 0
    assert play(["undo"], "--resume").code == 0  # the last one played
    assert {name: len(found) for name, found in kept().items()}["first-3"] == 1
    assert next(iter(kept())) == "first-2"
    assert run("play", "--forget", "first").out == "first: forgotten\n"
    assert sorted(kept()) == ["first-2", "first-3"]
    done = run("play", "--forget", "first")
    assert done.code == 2 and "there is: " in done.err and "first-2" in done.err
    assert play(["move b3"], *GAME).out.rstrip().endswith("--resume first")


@pytest.mark.parametrize(
    "command",
    [
        ["replay", "first-2"],
        ["replay", "first-2", "--verify"],
        ["report", "first-2"],
        ["explain", "first", "allowance", "B.infantry1", "--record", "first-2"],
        ["odds", "first-2"],
        ["odds", "first", "--record", "first"],
        ["render", "first", "--record", "first-2", "--text", "board"],
    ],
)
def test_commands_take_the_name_of_a_game(
    desk: Path, play: Callable[..., Ran], run: Callable[..., Ran], command: list[str]
) -> None:
    for _ in range(2):
        play(["move b3", "c4", "save x.record", "yes"], *GAME)
    done = run(*command)
    assert done.code == 0, done.err
    file = [{"first-2": "x.record"}.get(word, word) for word in command]
    if command[-1] == "first":
        file[-1] = "x.record"
    assert run(*file).out.replace("x.record", "first-2") == done.out


def _decisions(run: Callable[..., Ran], name: str) -> set[int]:
    """How many decisions the game has that each command takes for what is called so."""
    told = [run("replay", name), run("upgrade", name)]
    assert [done.code for done in told] == [0, 0], told
    return {int(n) for done in told for n in re.findall(r"(\d+) (?:action|decision)s?\b", done.out)}


def test_which_game_is_meant_by_a_name(
    desk: Path, play: Callable[..., Ran], run: Callable[..., Ran]
) -> None:
    """Its own file, which it goes on from; a file; a name: in this order."""
    play(["move b3"], *GAME)
    play(["move b3", "c4", "save x.record"], *GAME)
    (desk / "first").mkdir()
    assert _decisions(run, "first") == {1}  # a folder hides no game
    (desk / "first").rmdir()
    (desk / "x.record").rename(desk / "first")
    many = len(actions(desk / "first"))
    assert _decisions(run, "first") == {many} and many > 1
    resumed = play([], "--resume", "first")
    assert resumed.code == 0 and "B.infantry1 3 at C4" in resumed.out
    assert len(kept()["first"]) == 1 and len(actions(desk / "first")) == many
    (desk / "first").rename(desk / "x.record")
    with playing(desk, *RECORDED) as process:
        type_in(process, "move b3")
        until(process.stdout, "Where to?")
        assert actions(desk / "g.record") == []
        assert _decisions(run, "g.record") == {1}
        (desk / "g.record").write_bytes((desk / "x.record").read_bytes())
        assert _decisions(run, "g.record") == {many}
        process.kill()


def test_what_no_game_is_called(run: Callable[..., Ran], play: Callable[..., Ran]) -> None:
    done = run("play", "--resume")
    assert done.code == 2 and "no game is under way" in done.err
    for command in (["replay", "first"], ["play", "--resume", "first"]):
        done = run(*command)
        assert done.code == 2 and "there is no file 'first'" in done.err and "list" in done.err


def test_a_file_that_is_named_when_a_game_goes_on(desk: Path, play: Callable[..., Ran]) -> None:
    play(["move b3"], *GAME)
    assert play(["c4"], "--resume", "first", "--record", "g.record").code == 0
    assert actions(desk / "g.record")[:2] == MINE and kept() == {}
    assert play([], "--resume", "g.record", "--record", "h.record").code == 0
    assert actions(desk / "h.record")[:2] == MINE
    done = play([], "--resume", "g.record", "--record", "h.record")
    assert done.code == 2 and "such a file already" in done.err


def test_secrets_of_a_game_are_not_told(play: Callable[..., Ran], run: Callable[..., Ran]) -> None:
    assert "seed" not in play(["1", "1"], "akragas").out
    with Store() as store:
        record = store.record("akragas")
    assert record.seed is not None and record.nonce
    for command in (["list"], ["list", "--json"], ["replay", "akragas", "--board"]):
        done = run(*command)
        assert done.code == 0 and str(record.seed) not in done.all and record.nonce not in done.all
    assert "save s.record" and play(["save s.record"], "--resume", "akragas").code == 0
    sealed = Path("s.record").read_text(encoding="utf-8")
    assert str(record.seed) not in sealed and record.nonce not in sealed


# --------------------------------------------------------------------------- no room, no database


def test_a_full_disk(desk: Path, run: Callable[..., Ran], play: Callable[..., Ran]) -> None:
    """What was decided before is there; where there is room for a file, that holds all."""
    with playing(desk, *GAME, preexec_fn=at_most(180_000)) as process:
        type_in(process, *["1"] * 200)
        assert process.wait(60) == 2
        said = process.stderr.read().decode() if process.stderr else ""
    assert "games.db cannot be used" in said and "What was decided before is in first" in said
    before = kept()["first"]
    assert len(before) > 2
    assert run("replay", "first", "--verify").code == 0
    assert play(["1"] * 300, "--resume", "first").code == 0 and kept() == {}
    with playing(desk, *RECORDED, preexec_fn=at_most(180_000)) as process:
        type_in(process, *["1"] * 200)
        assert process.wait(60) == 2
        said = process.stderr.read().decode() if process.stderr else ""
    assert "games.db cannot be used" in said and "--resume g.record" in said
    assert len(actions(desk / "g.record")) > 2
    assert run("replay", "g.record", "--verify").code == 0


def no_explainer() -> NoReturn:
    raise RuntimeError("nothing is asked")


def test_at_a_terminal_somebody_can_make_room() -> None:
    game, _ = opened("cc_ancients/akragas", 1)
    calls: list[int] = []

    def keep(game: Game, durable: bool) -> None:
        calls.append(len(game.actions))
        if len(calls) == 2:
            raise NotKept("games.db cannot be used: database or disk is full")

    out = io.StringIO()
    table = Table(game, {}, no_explainer, keep)
    session = Session(table, io.StringIO("\n1\n\n"), out, False, False, True, unkept(game))
    with suppress(Ended):
        session.run()
    assert "Make room and press Enter to try again" in out.getvalue()
    assert calls[1] == calls[2]


def test_a_record_is_there_whole_or_not_at_all(
    desk: Path, play: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("grognard.files.os.fsync", refuse)
        done = play(["move b3"], *RECORDED)
        assert done.code == 2 and "g.record cannot be written: No space left" in done.err
        assert not list(desk.glob("*g.record*")) and kept() == {}
    assert play(["move b3"], *RECORDED).code == 0
    before = (desk / "g.record").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("grognard.files.os.fsync", refuse)
        assert play(["c4"], "--resume", "g.record").code == 2
        assert (desk / "g.record").read_bytes() == before and left(desk / "g.record") == []
    assert play(["c4"], "--resume", "g.record").code == 0
    assert actions(desk / "g.record")[:2] == MINE


@pytest.mark.parametrize("how", ["no folder", "damaged", "newer"])
def test_a_database_that_cannot_be_used(
    desk: Path,
    data: Path,
    play: Callable[..., Ran],
    run: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    """The game can be played and saved; what is there is left as it is."""
    database = data / "games.db"
    data.mkdir()
    if how == "no folder":
        monkeypatch.setenv("GROGNARD_DATA", "/proc/no")
    elif how == "damaged":
        database.write_bytes(b"this is no database at all" * 100)
    else:
        with Store() as store, store.database.transaction() as connection:
            connection.change("PRAGMA user_version = 99")
    before = database.read_bytes() if database.exists() else b""
    done = play(["move b3", "save g.record", "quit"], *GAME)
    assert done.code == 0 and "the game is not kept: " in done.err
    assert "games.db cannot be used" in done.err
    assert actions(desk / "g.record") == ["move B.infantry1"]
    done = play(["c4"], "--resume", "g.record")
    assert done.code == 0 and actions(desk / "g.record")[:2] == MINE
    if how != "no folder":
        for command in (["play", "--resume"], ["play", "--resume", "first"], ["replay", "first"]):
            done = run(*command)
            assert done.code == 2 and "games.db cannot be used" in done.err and done.out == ""
        done = run("list")
        assert done.code == 0 and "games.db cannot be used" in done.err and "tiny/first" in done.out
    assert (database.read_bytes() if database.exists() else b"") == before


# --------------------------------------------------------------------------- two at one game


@pytest.mark.parametrize("decides", [True, False])
def test_two_processes_at_one_game(desk: Path, play: Callable[..., Ran], decides: bool) -> None:
    """Who comes too late takes nothing away, whether they decide once more or leave."""
    with playing(desk, *RECORDED) as process:
        type_in(process, "move b3")
        until(process.stdout, "Where to?")
        (desk / "link.record").symlink_to("g.record")
        done = play(["c4", "quit"], "--resume", "link.record")
        assert done.code == 0 and actions(desk / "g.record")[:2] == MINE
        before = (desk / "g.record").read_bytes()
        type_in(process, "b4" if decides else "quit")
        assert process.wait(60) == 2
        assert process.stderr is not None and process.stdout is not None
        said = (process.stdout.read() + process.stderr.read()).decode()
    assert "has been played on elsewhere" in said and kept() == {}
    assert (desk / "g.record").read_bytes() == before


def test_a_game_that_has_not_begun_takes_nothing_away(desk: Path, play: Callable[..., Ran]) -> None:
    with playing(desk, *RECORDED) as process:
        until(process.stdout, "What do you do?")
        assert play(["move b3", "c4"], "--resume", "g.record").code == 0
        type_in(process, "quit")
        assert process.wait(60) == 0
    assert actions(desk / "g.record")[:2] == MINE


def test_of_two_that_begin_at_once_neither_is_lost(desk: Path) -> None:
    with playing(desk, *RECORDED) as one, playing(desk, *RECORDED) as two:
        codes = []
        for process in (one, two):
            _, err = process.communicate(b"move b3\n", timeout=60)
            codes.append(process.returncode)
            refused = b"played on elsewhere" in err or b"such a file already" in err
            assert (process.returncode == 2) == refused
    assert sorted(codes) == [0, 2] and actions(desk / "g.record") == ["move B.infantry1"]


@pytest.mark.parametrize("how", ["written over", "renamed", "linked", "removed", "emptied"])
def test_what_somebody_puts_in_the_place_of_a_record_is_not_lost(
    desk: Path, play: Callable[..., Ran], how: str
) -> None:
    path = desk / "g.record"
    with playing(desk, *RECORDED) as process:
        type_in(process, "move b3")
        until(process.stdout, "Where to?")
        other = path.read_text(encoding="utf-8") + "blue: wait\n"
        if how == "written over":
            path.write_text(other, encoding="utf-8")
        elif how == "emptied":
            path.write_text("", encoding="utf-8")
        else:
            (desk / "o.record").write_text(other, encoding="utf-8")
            path.unlink()
            if how == "renamed":
                (desk / "o.record").rename(path)
            elif how == "linked":
                path.symlink_to("o.record")
        out, _ = process.communicate(b"c4\nquit\n", timeout=60)
        code, said = process.returncode, out.decode()
    if how in ("removed", "emptied"):
        assert code == 0 and actions(path)[:2] == MINE and kept() == {}
        return
    assert code == 2 and "g.record holds something else by now" in said
    assert "grognard play --resume first" in said and kept()["first"][:2] == MINE
    assert path.read_text(encoding="utf-8") == other
    assert play([], "--resume", "g.record").code == 0  # the other game
    assert actions(path)[0] == "wait" and kept()["first"][:2] == MINE
    before = path.read_bytes()
    done = play([], "--resume", "first")  # this one, which has no file any more
    assert done.code == 0 and done.out.rstrip().endswith("grognard play --resume first")
    assert path.read_bytes() == before and kept()["first"][:2] == MINE


# --------------------------------------------------------------------------- torn records


def test_a_torn_last_line_is_dropped_and_said(
    desk: Path, play: Callable[..., Ran], run: Callable[..., Ran]
) -> None:
    lines = ["move b3", "c4", "wait", "wait", "wait", "move B.cavalry1"]
    play(lines, "first", "--seed", "1", "--record", "g.record")
    whole = (desk / "g.record").read_bytes()
    tails = [b"\x00" * 300, b"\xff", "blue: übe".encode()[:-1], b"blue: mo"]
    for data in [whole[:-cut] for cut in range(1, 40)] + [whole + tail for tail in tails]:
        (desk / "t.record").write_bytes(data)
        done = run("replay", "t.record", "--verify")
        assert done.code == 0, done.err
        if data.endswith(b"\n"):
            assert done.err == ""
        else:
            assert re.fullmatch(r"t\.record:\d+: the last line was not written .*\n", done.err)


def test_the_whole_game_is_kept_even_where_its_end_is_not(
    desk: Path, run: Callable[..., Ran]
) -> None:
    run("bots", "first", "--games", "1", "--seed", "3", "--records", "games")
    text = (desk / "games/first-1.record").read_text(encoding="utf-8")
    text = re.sub("(?m)^= .*\n", "", re.sub("(?m)^result:.*", "result: unfinished", text))
    (desk / "t.record").write_text(text, encoding="utf-8")
    assert run("replay", "t.record", "--verify").code == 0


# --------------------------------------------------------------------------- targets


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
        assert (desk / "rulesets/tiny/ruleset.grog").stat().st_size > 100
        assert not Path("/dev/null").is_file()

    def test_fifos_and_loops(self, run: Callable[..., Ran], desk: Path) -> None:
        os.mkfifo(desk / "fifo")
        (desk / "loop").symlink_to("loop")
        assert run("play", "first", "--record", "fifo").code == 2
        assert run("play", "first", "--record", "loop").code == 2
        assert run("play", "--resume", "loop").code == 2

    def test_folders_without_permission(self, run: Callable[..., Ran], desk: Path) -> None:
        if os.geteuid() == 0:
            pytest.skip("all may write everywhere here")
        (desk / "closed").mkdir(mode=0o500)
        assert run("play", *GAME, "--record", "closed/g.record").code == 2


class TestSave:
    def test_asks_before_it_overwrites(self, desk: Path, play: Callable[..., Ran]) -> None:
        (desk / "other.record").write_text("precious\n", encoding="utf-8")
        done = play(["move b3", "save other.record", "no", "save other.record", ""], *GAME)
        assert "is there already" in done.out and done.out.count("not saved") == 2
        assert (desk / "other.record").read_text(encoding="utf-8") == "precious\n"
        assert play(["move b3", "save other.record", "yes"], *GAME).code == 0
        assert actions(desk / "other.record") == ["move B.infantry1"]

    def test_answers_what_cannot_be_written(self, play: Callable[..., Ran]) -> None:
        names = ("/dev/null", "scenarios", "a\0b", "x" * 300, "/proc/g", "no/g")
        done = play([f"save {name}" for name in names], *GAME)
        assert done.code == 0 and done.out.count("not saved") == len(names)

    def test_to_its_own_record(self, desk: Path, play: Callable[..., Ran]) -> None:
        done = play(["move b3", "save g.record", "c4"], *RECORDED)
        assert "--resume g.record" in done.out and "is there already" not in done.out
        assert actions(desk / "g.record")[:2] == MINE

    def test_overwrites_no_key(self, desk: Path, play: Callable[..., Ran]) -> None:
        """Without its key a sealed record cannot be read."""
        assert play(["1"], "akragas", "--record", "g.record").code == 0
        (desk / "link.key").symlink_to("g.record.key")
        before = (desk / "g.record.key").read_bytes()
        done = play(["1", "save g.record.key", "yes", "save link.key", "yes"], "akragas")
        assert done.code == 0 and done.out.count("is the key of a record") == 2
        assert (desk / "g.record.key").read_bytes() == before


# --------------------------------------------------------------------------- a shared terminal


@pytest.mark.parametrize(
    ("plain", "term"), [(True, "xterm"), (False, "xterm"), (False, "dumb"), (False, "")]
)
def test_at_a_terminal_people_hand_over(
    desk: Path, plain: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is shown that not all may see; also without clearing of the screen: what was
    shown to one has scrolled away.
    """
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
