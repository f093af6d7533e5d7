"""Records of games with secrets are sealed until they are over; seeds are not to be guessed, nor shown."""

from __future__ import annotations

import io
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from project import one_of_each
from running import Ran

from grognard.records import read_named
from runtime.chance import new_seed, word
from runtime.games.record import Record
from runtime.games.sealing import Key

GAMES = one_of_each()


@pytest.fixture
def play(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs `play` with lines as its input, as from a pipe."""

    def play(lines: list[str], *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        return run("play", *arguments)

    return play


def read(path: Path) -> Record:
    return Record.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(params=GAMES)
def sealed(
    request: pytest.FixtureRequest, play: Callable[..., Ran], desk: Path
) -> tuple[Path, str, str]:
    """A game between two people that has been broken off: its record, its seed, all that was printed."""
    done = play(["1"] * 25, request.param, "--record", "g.record")
    assert done.code == 0, done.err
    key = Key.parse((desk / "g.record.key").read_text(encoding="utf-8"))
    assert key is not None
    return desk / "g.record", str(key.seed), done.all


def test_nothing_tells_the_seed_of_a_game_that_goes_on(
    sealed: tuple[Path, str, str], run: Callable[..., Ran]
) -> None:
    path, seed, said = sealed
    text = path.read_text(encoding="utf-8")
    assert len(seed) > 36 and seed not in said + text and "seed" not in text and "nonce" not in text
    assert stat.S_IMODE(Path(f"{path}.key").stat().st_mode) == 0o600
    for arguments in (["replay", path], ["replay", path, "--board"], ["replay", path, "--verify"]):
        done = run(*arguments)
        assert done.code == 0 and seed not in done.all


def test_hashes_are_commitments(sealed: tuple[Path, str, str], run: Callable[..., Ran]) -> None:
    """The same position has the same hash; sealed, it has another at every place and in every game."""
    path, seed, _ = sealed
    record = read(path)
    assert run("bots", "first", "--games", "1").code == 0
    source = read_named(path)
    _, game = source.open()
    key = source.key
    assert key is not None and str(game.seed) == seed
    plain = {entry.text for entry in Record.of(game).entries if entry.side == "#"}
    assert plain and not plain & {entry.text for entry in record.entries}


def test_a_sealed_game_goes_on_and_is_revealed_at_its_end(
    sealed: tuple[Path, str, str], play: Callable[..., Ran], run: Callable[..., Ran], desk: Path
) -> None:
    path, seed, _ = sealed
    (desk / "early.record").write_bytes(path.read_bytes())
    sides = read(path).players
    bots = [word for side, _ in sides for word in ("--bot", f"{side}=random")]
    done = play([], "--resume", path, *bots)
    assert done.code == 0, done.err
    record = read(path)
    assert (
        record.finished
        and str(record.seed) == seed
        and record.nonce
        and not Path(f"{path}.key").exists()
    )
    assert record.commitment == read(desk / "early.record").commitment
    assert run("replay", path, "--verify").code == 0
    done = run("replay", path, "--verify", "--against", "early.record")
    assert done.code == 0 and "what was sealed before" in done.out
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub("nonce: .", "nonce: x", text), encoding="utf-8")
    done = run("replay", path, "--verify")
    assert done.code == 1 and "do not fit the commitment" in done.err
    path.write_text(text, encoding="utf-8")
    early = (desk / "early.record").read_text(encoding="utf-8")
    (desk / "early.record").write_text(re.sub(r"\n# ....", "\n# 0123", early), encoding="utf-8")
    done = run("replay", path, "--verify", "--against", "early.record")
    assert done.code == 1 and "parts from it in line" in done.err


@pytest.mark.parametrize("damage", ["", "grognard key: 1\n", "x" * 1000, "\udcff"])
def test_without_its_key_nobody_reads_a_sealed_record(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path, damage: str
) -> None:
    assert play(["1"] * 5, GAMES[0], "--record", "g.record").code == 0
    before = (desk / "g.record").read_bytes()
    (desk / "g.record.key").write_text(damage, encoding="utf-8", errors="surrogateescape")
    for arguments in (
        ["replay", "g.record"],
        ["play", "--resume", "g.record"],
        ["explain", GAMES[0], "--record", "g.record"],
    ):
        done = run(*arguments)
        assert done.code == 2 and "is sealed, and its key" in done.err
    (desk / "g.record.key").unlink()
    assert run("play", "--resume", "g.record").code == 2
    play(["1"] * 5, GAMES[0], "--record", "h.record")
    (desk / "h.record.key").rename(desk / "g.record.key")
    done = run("play", "--resume", "g.record")
    assert done.code == 2 and "belongs to another record" in done.err
    assert (desk / "g.record").read_bytes() == before


def test_what_is_saved_is_sealed_too(play: Callable[..., Ran], desk: Path) -> None:
    done = play(["1", "1", "save s.record", "quit"], GAMES[0])
    assert (
        done.code == 0
        and read(desk / "s.record").seed is None
        and (desk / "s.record.key").is_file()
    )
    assert "seed" not in done.out


def test_games_without_secrets_are_open(play: Callable[..., Ran], desk: Path) -> None:
    done = play(["1", "1"], "first", "--record", "g.record")
    seed = read(desk / "g.record").seed
    assert (
        seed is not None
        and seed >> 127 == 1
        and f"seed {seed}" in done.out
        and not (desk / "g.record.key").exists()
    )


def test_seeds_are_long_and_from_the_system() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100 and all(seed.bit_length() == 128 for seed in seeds)
    assert (
        len({seed & (1 << 64) - 1 for seed in seeds}) == len({seed >> 64 for seed in seeds}) == 100
    )


def test_all_bits_of_a_seed_count() -> None:
    seed = new_seed()
    words = {word(seed ^ 1 << bit, 0, 0) for bit in range(127)}
    assert len(words) == 127 and word(seed, 0, 0) not in words
    assert (
        len({word(seed, stream, counter) for stream in range(20) for counter in range(20)}) == 400
    )


@pytest.mark.parametrize(
    "seed", ["", "x", "-1", "1.5", "²", "٣", "1_000", str(1 << 128), "9" * 5000, "0x10"]
)
@pytest.mark.parametrize("command", ["play", "bots", "explain"])
def test_seeds_that_are_none(run: Callable[..., Ran], desk: Path, command: str, seed: str) -> None:
    done = run(command, "first", f"--seed={seed}")
    assert done.code == 2 and "is not a seed" in done.err and len(done.err) < 500


def test_the_longest_seed(play: Callable[..., Ran], run: Callable[..., Ran], desk: Path) -> None:
    seed = (1 << 128) - 1
    assert (
        play(
            ["1"] * 200, "first", "--bot", "red=random", "--seed", seed, "--record", "g.record"
        ).code
        == 0
    )
    assert read(desk / "g.record").seed == seed and run("replay", "g.record", "--verify").code == 0
    assert run("bots", "first", "--games", "2", "--seed", seed - 1, "--records", "r").code == 0


SECRET = "battles_of_westeros/learning_battle"


def test_a_file_that_is_no_key_stays(play: Callable[..., Ran], desk: Path) -> None:
    foreign = '# @generated\n[[package]]\nname = "ours"\n'
    (desk / "server.key").write_text(foreign)
    done = play(["1", "quit"], SECRET, "--record", "server")
    assert done.code == 2 and "server.key, but that file is no key" in done.err
    done = play(["1", "save server", "quit"], SECRET)
    assert done.code == 0 and "server.key, but that file is no key" in done.out
    assert "not saved" in done.out
    assert (desk / "server.key").read_text() == foreign and not (desk / "server").exists()


def test_the_key_of_a_record_that_stands_elsewhere_stays(
    play: Callable[..., Ran], run: Callable[..., Ran], desk: Path
) -> None:
    assert play(["1", "quit"], SECRET, "--record", "g.record").code == 0
    key = (desk / "g.record.key").read_text()
    (desk / "g.record").rename(desk / "sent.record")
    done = play(["1", "quit"], SECRET, "--record", "g.record")
    assert done.code == 2 and "the key of another record" in done.err
    assert not (desk / "g.record").exists() and (desk / "g.record.key").read_text() == key
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
