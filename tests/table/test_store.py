"""Games under way: committed before they are acknowledged, lost to nobody."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from project import ROOT

from grognard import database, opening
from grognard.database import NotKept
from grognard.scenario import Scenario
from grognard.table.store import GameWriter, PlayedElsewhere, Store
from runtime.games.game import Game
from runtime.games.replay import replay
from runtime.games.sealing import Key


@pytest.fixture(params=["file", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path):
    place: Path | str = tmp_path / "data" / "games.db"
    if request.param == "server":
        place = request.getfixturevalue("database_server").url()
    with Store(place) as made:
        yield made


@pytest.fixture
def file_store(tmp_path: Path):
    with Store(tmp_path / "data" / "games.db") as made:
        yield made


@pytest.fixture(scope="module")
def opened() -> Scenario:
    return opening.open_scenario("cc_ancients/akragas")


@pytest.fixture
def game(opened: Scenario) -> Game:
    return Game(opened.program, opened.setup, 7)


def begin(store: Store, opened: Scenario, game: Game, **more: object) -> GameWriter:
    return store.begin(game, opened.path, {"top": "person"}, **more)  # type: ignore[arg-type]


def again(store: Store, opened: Scenario, name: str) -> Game:
    return replay(opened.program, opened.setup, store.record(name))


def test_what_is_kept_replays_to_the_same_state(store, opened, game) -> None:
    kept = begin(store, opened, game)
    for _ in range(20):
        game.play(0)
        kept.keep(game)
        assert again(store, opened, kept.name).state.hash() == game.state.hash()
    undone = 0
    while not game.can_undo:
        game.play(0)
        kept.keep(game)
    while game.can_undo:
        game.undo()
        kept.keep(game)
        undone += 1
        assert again(store, opened, kept.name).entries() == game.entries()
    assert undone
    game.play(1)
    kept.keep(game)
    assert again(store, opened, kept.name).entries() == game.entries()


def test_what_is_listed(store, opened, game) -> None:
    assert store.games() == []
    first, second = begin(store, opened, game), begin(store, opened, game)
    assert (first.name, second.name) == ("akragas", "akragas-2")
    game.play(0)
    first.keep(game)
    listed = store.games()
    assert [(one.name, one.decisions) for one in listed] == [("akragas", 1), ("akragas-2", 0)]
    assert listed[0].title == opened.setup.title and listed[0].scenario == opened.path.resolve()
    second.discard()
    assert [one.name for one in store.games()] == ["akragas"]
    assert store.forget("akragas") and not store.forget("akragas") and store.games() == []


def test_the_name_of_a_file_finds_its_game(store, opened, game, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    kept = begin(store, opened, game, file=tmp_path / "g.record")
    found = store.find(str(tmp_path / "sub" / ".." / "g.record"))
    assert found is not None and found.name == kept.name and store.find("no\0thing") is None
    rival = begin(store, opened, game, file=tmp_path / "g.record")
    found = store.find(str(tmp_path / "g.record"))
    assert found is not None and found.name == rival.name
    first = store.find(kept.name)  # it stays under its name
    assert first is not None and first.file is None
    game.play(0)
    with pytest.raises(PlayedElsewhere):
        kept.keep(game)


def test_who_answers_too_late_is_refused_and_takes_nothing_away(store, opened, game) -> None:
    kept = begin(store, opened, game)
    other = Store(store.place)
    same = again(store, opened, kept.name)
    rival = other.resume(kept.name, same, {})
    game.play(0)
    kept.keep(game)
    same.play(1)
    with pytest.raises(PlayedElsewhere, match="played on elsewhere"):
        rival.keep(same)
    rival.discard()
    with pytest.raises(PlayedElsewhere):
        rival.finish()
    assert again(store, opened, kept.name).entries() == game.entries()
    kept.discard()
    game.play(0)
    with pytest.raises(PlayedElsewhere):
        kept.keep(game)
    with pytest.raises(PlayedElsewhere):
        store.record("akragas")
    other.close()


def test_two_processes_that_write_many_games_at_once(store, opened, game) -> None:
    begin(store, opened, game)
    code = (
        "import sys; from grognard import opening\n"
        "from grognard.table.store import Store; from runtime.games.game import Game\n"
        "opened = opening.open_scenario('cc_ancients/akragas')\n"
        "store = Store(sys.argv[1]); game = Game(opened.program, opened.setup, 7)\n"
        "kept = store.begin(game, opened.path, {})\n"
        "for _ in range(40): game.play(0); kept.keep(game)\n"
    )
    command = [sys.executable, "-c", code, str(store.place)]
    processes = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]
    assert [process.wait(120) for process in processes] == [0, 0]
    names = [one.name for one in store.games()]
    assert sorted(names) == ["akragas", "akragas-2", "akragas-3"]
    for name in names[:2]:
        assert len(store.record(name).actions) == 40
        again(store, opened, name)


def test_a_process_that_is_killed_loses_nothing_acknowledged(store, opened) -> None:
    code = (
        "import sys; from grognard import opening\n"
        "from grognard.table.store import Store; from runtime.games.game import Game\n"
        "opened = opening.open_scenario('cc_ancients/akragas')\n"
        "store = Store(sys.argv[1]); game = Game(opened.program, opened.setup, 7)\n"
        "kept = store.begin(game, opened.path, {})\n"
        "while True:\n"
        "    game.play(0); kept.keep(game); print(len(game.actions), flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(store.place)], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(25):
        acknowledged = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    assert len(store.record("akragas").actions) >= acknowledged == 25
    again(store, opened, "akragas")


def test_a_full_disk_takes_nothing_away_and_room_mends_it(file_store, opened, game) -> None:
    store = file_store
    database = store.database._open()
    kept = begin(store, opened, game)
    game.play(0)
    kept.keep(game)
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    before = store.record(kept.name)
    with pytest.raises(NotKept, match="full"):
        for _ in range(1000):
            game.play(0)
            kept.keep(game)
    assert store.record(kept.name).entries[: len(before.entries)] == before.entries
    again(store, opened, kept.name)
    database.execute("PRAGMA max_page_count = 1000000")
    kept.keep(game)
    assert again(store, opened, kept.name).entries() == game.entries()


def test_secrets_are_for_the_owner_alone(file_store, opened, game) -> None:
    store = file_store
    key = Key.new(game.seed)
    kept = begin(store, opened, game, key=key)
    record = store.record(kept.name)
    assert (record.seed, record.nonce) == (key.seed, key.nonce)
    for path in store.place.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert stat.S_IMODE(store.place.parent.stat().st_mode) == 0o700


def test_a_server_that_is_started_again_takes_nothing_away(database_server, opened, game) -> None:
    with Store(database_server.url()) as store:
        kept = begin(store, opened, game)
        game.play(0)
        kept.keep(game)
        store.database._pool.timeout = 1.0
        database_server.stop()
        try:
            game.play(0)
            with pytest.raises(NotKept, match="cannot be used"):
                kept.keep(game)
        finally:
            database_server.start()
        assert len(store.record(kept.name).actions) == 1
        kept.keep(game)
        assert again(store, opened, kept.name).entries() == game.entries()


def test_a_password_is_not_told() -> None:
    with Store("postgresql://me:secret@127.0.0.1:9/games") as store:
        store.database._pool.timeout = 0.1  # type: ignore[attr-defined]
        with pytest.raises(NotKept, match=r"127\.0\.0\.1/games cannot be used") as told:
            store.games()
    assert "secret" not in str(told.value)


def test_it_says_who_decides(store, opened, game) -> None:
    kept = begin(store, opened, game)
    for _ in range(12):
        assert store.games()[0].decides == game.spec.sides[game.state.chooser]
        game.play(0)
        kept.keep(game)


def test_tables_of_the_first_version_are_taken_over(tmp_path: Path, opened, game) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        name = begin(store, opened, game).name
    with sqlite3.connect(path) as database:
        for column in ("account", "decides"):
            database.execute(f"ALTER TABLE game DROP COLUMN {column}")
        for table in ("notice", "clock", "seat", "link", "browser", "account"):
            database.execute(f"DROP TABLE {table}")
        database.execute("PRAGMA user_version = 1")
    database.close()
    with Store(path) as store:
        (kept,) = store.games()
        assert (kept.name, kept.decides) == (name, "")
        assert again(store, opened, name).state.hash() == game.state.hash()


@pytest.mark.parametrize("what", ["text", "newer", "folder", "readonly"])
def test_a_database_that_cannot_be_used_is_left_as_it_is(
    tmp_path: Path, opened, game, what: str
) -> None:
    path = tmp_path / "games.db"
    if what == "text":
        path.write_bytes(b"this is no database at all" * 100)
    elif what == "newer":
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
    elif what == "folder":
        path.mkdir()
    else:
        if os.getuid() == 0:
            pytest.skip("nothing is read-only for root")
        path.touch(0o400)
    before = path.read_bytes() if path.is_file() else b""
    with Store(path) as store, pytest.raises(NotKept, match="cannot be used"):
        begin(store, opened, game)
    if path.is_file() and what != "newer":
        assert path.read_bytes() == before


def test_what_is_committed_meanwhile_goes_to_disk_together(file_store, monkeypatch) -> None:
    """Nobody is answered before the disk has what he has written; nobody waits for it who reads."""
    going, written, synced = Event(), Event(), []

    def sync(log: int) -> None:
        synced.append(os.fstat(log).st_size)
        going.set()
        assert written.wait(20)

    def write(number: int) -> None:
        with file_store.database.transaction() as changes:
            changes.change("INSERT INTO link (key) VALUES (?)", str(number))
        kept.append(number)

    assert keys(file_store) == []
    write_log, kept = Path(f"{file_store.place}-wal"), list[int]()
    monkeypatch.setattr(database, "_SYNC", sync)
    first = Thread(target=write, args=(0,))
    first.start()
    assert going.wait(20)
    others = [Thread(target=write, args=(number,)) for number in range(1, 6)]
    for other in others:
        other.start()
    while len(keys(file_store)) < 6:  # all are committed, and none is kept yet
        assert first.is_alive()
    assert kept == []
    size = write_log.stat().st_size
    written.set()
    for thread in (first, *others):
        thread.join(20)
    assert sorted(kept) == list(range(6))
    assert len(synced) == 2 and synced[1] == size > synced[0]


def keys(store: Store) -> list[str]:
    with store.database.transaction(reading=True) as reading:
        return [key for (key,) in reading.rows("SELECT key FROM link")]


def test_what_does_not_come_to_disk_is_not_kept(file_store, opened, game, monkeypatch) -> None:
    kept = begin(file_store, opened, game)

    def fails(log: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(database, "_SYNC", fails)
    game.play(0)
    with pytest.raises(NotKept):
        kept.keep(game)
