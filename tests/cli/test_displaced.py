"""What people and other programs do to the files of a game while it is played loses neither game."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from at_play import GAME, actions, at_most, left, playing, type_in, until

import grognard
from grognard.table.journal import Journal
from runtime.games.record import Record


@pytest.mark.parametrize(
    "how", ["written over", "renamed to", "linked to", "removed", "emptied", "torn"]
)
def test_what_somebody_puts_in_the_place_of_a_record_is_not_lost(
    desk: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The game goes to a file of its own; where nothing else stands there, to its own again."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    path = desk / "g.record"
    with playing(desk, *GAME, "--record", "g.record") as process:
        type_in(process, "move b3")
        until(process.stdout, "move B.infantry1")
        other = path.read_text(encoding="utf-8").replace("B.infantry1", "B.infantry2")
        time.sleep(0.05)  # a file system's clock may go in steps
        if how == "written over":
            path.write_text(other, encoding="utf-8")
        elif how == "emptied":
            path.write_text("", encoding="utf-8")
        elif how == "torn":
            path.write_text(path.read_text(encoding="utf-8")[:-5], encoding="utf-8")
        else:
            (desk / "o.record").write_text(other, encoding="utf-8")
            path.unlink()
            if how == "renamed to":
                (desk / "o.record").rename(path)
            elif how == "linked to":
                path.symlink_to("o.record")
        type_in(process, "c4", "quit")
        code = process.wait(60)
        said = process.stderr.read().decode() if process.stderr else ""
    mine = ["move B.infantry1", "destination C4"]
    if how in ("removed", "emptied", "torn"):
        assert code == 0 and actions(path)[:2] == mine
        return
    assert code == 2 and "something else has been put in its place" in said
    assert path.read_text(encoding="utf-8") == other
    (kept,) = (desk / "data/games").glob("*.record")
    assert actions(kept)[:2] == mine and kept.name in said
    assert kept.stat().st_mode & 0o777 == 0o600


def test_two_games_on_one_record_whose_lock_was_removed(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither writes over what the other has decided, nor takes its lock away."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    with playing(desk, *GAME, "--record", "g.record") as one:
        type_in(one, "move b3")
        until(one.stdout, "move B.infantry1")
        (desk / "g.record.lock").unlink()
        with playing(desk, "--resume", "g.record") as other:
            type_in(other, "c4")
            until(other.stdout, "destination C4")
            type_in(one, "b4")
            assert one.wait(60) == 2
            assert left(desk / "g.record") == ["g.record.lock"]  # the other's
            type_in(other, "quit")
            assert other.wait(60) == 0
    (kept,) = (desk / "data/games").glob("*.record")
    assert actions(desk / "g.record")[:2] == ["move B.infantry1", "destination C4"]
    assert actions(kept)[:2] == ["move B.infantry1", "destination B4"]


def test_a_game_that_is_killed_before_it_is_written_leaves_no_record(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record is there whole or not at all."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    game = grognard.load("akragas", seed=1)
    journal, another = (Journal(None, {}, None, "first") for _ in range(2))
    for _ in range(3):
        game.play(0)
    with monkeypatch.context() as patch:
        patch.setattr("grognard.files.os.replace", killed)
        with pytest.raises(Killed):
            journal.keep(game)
        assert not list((desk / "data/games").glob("*.record"))
    another.keep(game)  # meanwhile, in the same second
    journal.keep(game)
    assert another.path != journal.path and len(list((desk / "data/games").glob("*.record"))) == 2
    for one in (journal, another):
        assert one.path is not None and len(actions(one.path)) == 3
        one.close()


def test_a_disk_without_room_is_found_at_the_start(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there is room for a name."""
    monkeypatch.setenv("GROGNARD_DATA", str(desk / "data"))
    (desk / "data/games").mkdir(parents=True)
    with playing(desk, *GAME, preexec_fn=at_most(100)) as process:
        type_in(process, "move b3", "quit")
        assert process.wait(60) == 0
        assert (
            process.stderr is not None and "the game is not kept" in process.stderr.read().decode()
        )
    assert not list((desk / "data/games").iterdir())


def test_saving_overwrites_neither_keys_nor_locks(desk: Path) -> None:
    """Without its key a sealed record cannot be read, without its lock two games write to one."""
    names = (
        "g.record.key",
        "link.key",
        "g.record.lock",
        "./games/../g.record.lock",
        "none.record.lock",
    )
    (desk / "games").mkdir()
    (desk / "link.key").symlink_to("g.record.key")
    with playing(desk, "akragas", "--seed", "1", "--record", "g.record") as process:
        lines = [line for name in names for line in (f"save {name}", "yes")]
        until(process.stdout, "Command")
        before = {name: (desk / name).read_bytes() for name in names[:-1]}
        type_in(process, "1", *lines, "save last.record")
        until(process.stdout, "last.record")
        assert {name: (desk / name).read_bytes() for name in names[:-1]} == before
        type_in(process, "quit")
        assert process.wait(60) == 0
    assert Record.parse((desk / "none.record.lock").read_text(encoding="utf-8")).actions
