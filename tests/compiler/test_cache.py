"""Compiled rulesets are kept, and whatever has happened to what was kept, the game played is the one written."""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT

from compiler import cache
from compiler.packing import pack, unpack
from compiler.ruleset import Ruleset
from compiler.sources.files import Files
from compiler.sources.folders import rules_hash
from runtime.board import Board
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.scenario import load

RULESET = ROOT / "tests/rulesets/secrets"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROGNARD_CACHE", str(folder))
        yield folder


@pytest.fixture
def entry(place: Path) -> Path:
    """The one entry of the ruleset, whole."""
    shutil.rmtree(place / "programs", ignore_errors=True)
    assert Ruleset(RULESET).loaded is not None
    [path] = (place / "programs").iterdir()
    return path


def _from_cache() -> CompiledProgram | None:
    """The program, if it came from the cache."""
    ruleset = Ruleset(RULESET)
    assert ruleset.loaded is not None
    return ruleset.loaded if ruleset.cache_entry is not None else None


def _played(program: CompiledProgram) -> list[str]:
    setup, findings = load(RULESET / "duel.yaml", program.spec)
    assert setup is not None, findings
    state = program.new_state(setup, 3)
    program.begin(state)
    rng, trace = random.Random(3), []
    while state.point >= 0:
        trace.append(state.hash())
        program.answer(state, rng.choice(state.options))
    return trace


def test_the_same_game_from_the_cache(entry: Path) -> None:
    fresh = Ruleset(RULESET).compiled
    kept = _from_cache()
    assert kept is not None and fresh is not None
    assert _played(kept) == _played(fresh) and len(_played(kept)) > 3


def test_entries_are_the_users_own(entry: Path) -> None:
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_an_entry_that_others_may_write_is_not_read(entry: Path, mode: int) -> None:
    entry.chmod(mode)
    assert _from_cache() is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_may_write_is_not_read(entry: Path, mode: int) -> None:
    entry.parent.chmod(mode)
    try:
        assert _from_cache() is None
    finally:
        entry.parent.chmod(0o700)


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file away"
)
def test_an_entry_of_somebody_else_is_not_read(entry: Path) -> None:
    os.chown(entry, 65534, -1)
    assert _from_cache() is None


def test_a_link_or_a_pipe_is_not_an_entry(entry: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    entry.rename(aside)
    entry.symlink_to(aside)
    assert _from_cache() is None
    entry.unlink()
    os.mkfifo(entry, 0o600)
    assert _from_cache() is None


def test_damage_of_any_kind_means_compiling_anew(entry: Path) -> None:
    whole = entry.read_bytes()
    assert _from_cache() is not None
    for damaged in (
        b"",
        whole[:1],
        whole[:31],
        whole[:-1],
        whole + b"\0",
        whole[:100] + bytes(50) + whole[150:],
        b"\x80\x04N.",
    ):
        entry.write_bytes(damaged)
        entry.chmod(0o600)
        assert _from_cache() is None
        entry.unlink()


_WHOLE = cache.entry_bytes(
    "this",
    RulesetSpec(
        "n",
        (),
        "",
        ("a", "b"),
        {},
        (),
        Board(name="b", layout="odd_r", rows=2, columns=2),
        (),
        (),
        (),
        (),
        {},
        (),
        (),
        (),
        {},
    ),
    [],
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_damage_is_read(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(_WHOLE) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "drop"]))
    damaged = {
        "flip": _WHOLE[:place]
        + bytes([_WHOLE[place] ^ data.draw(st.integers(1, 255))])
        + _WHOLE[place + 1 :],
        "cut": _WHOLE[:place],
        "insert": _WHOLE[:place] + b"\xff" + _WHOLE[place:],
        "drop": _WHOLE[:place] + _WHOLE[place + 1 :],
    }[kind]
    if damaged != _WHOLE:
        assert cache.read_entry(damaged, "this") is None


def test_the_entry_of_another_ruleset_is_passed_over() -> None:
    assert cache.read_entry(_WHOLE, "this") is not None
    assert cache.read_entry(_WHOLE, "that") is None


def test_what_is_packed_comes_back() -> None:
    program = Ruleset(RULESET).loaded
    assert program is not None
    assert unpack(pack(program.spec)) == program.spec
    with pytest.raises(TypeError):
        pack(object())


@pytest.mark.long
def test_a_killed_compiler_leaves_no_half_entry(tmp_path: Path) -> None:
    """However early or late it is killed, what stands in the cache afterwards is whole."""
    code = "from pathlib import Path\nfrom compiler.ruleset import Ruleset\nRuleset(Path(__import__('sys').argv[1])).loaded"
    environment = {**os.environ, "GROGNARD_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    begin = time.monotonic()
    subprocess.run(
        [sys.executable, "-c", code, str(RULESET)], env=environment, check=True, cwd=ROOT
    )
    span = time.monotonic() - begin
    for part in (0.7, 0.85, 0.95, 1.0):
        shutil.rmtree(tmp_path / "programs")
        running = subprocess.Popen(
            [sys.executable, "-c", code, str(RULESET)], env=environment, cwd=ROOT
        )
        time.sleep(span * part)
        running.kill()
        running.wait()
        for path in (tmp_path / "programs").glob("*.bin"):
            payload = path.read_bytes()
            assert cache.hashlib.blake2b(payload[32:], digest_size=32).digest() == payload[:32]
        (tmp_path / "programs").mkdir(mode=0o700, exist_ok=True)


@pytest.mark.parametrize("how", ["no permission", "a long name", "a circle", "a file"])
def test_where_there_can_be_no_cache_the_ruleset_is_compiled(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 300 if how == "a long name" else "cache")
    monkeypatch.setenv("GROGNARD_CACHE", str(folder))
    if how == "no permission":
        lstat = os.stat

        def stat(path: object, *rest: object, **more: object) -> os.stat_result:
            if str(path).startswith(str(folder)):
                raise PermissionError(13, "Permission denied", str(path))
            return lstat(path, *rest, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "stat", stat)
    elif how == "a circle":
        folder.symlink_to(folder)
    elif how == "a file":
        folder.write_text("x")
    assert _from_cache() is None


def test_old_entries_and_torn_ones_go(entry: Path) -> None:
    for number in range(12):
        other = entry.with_name(f"secrets-{number:032x}.bin")
        other.write_bytes(b"old")
        os.utime(other, (number, number))
    torn = entry.with_name("secrets-1.2.tmp")
    torn.write_bytes(b"half")
    os.utime(torn, (1, 1))
    entry.unlink()
    assert _from_cache() is None
    assert len(list(entry.parent.glob("*.bin"))) == 8 and entry.exists() and not torn.exists()


def test_what_is_changed_while_it_is_compiled_is_not_kept(tmp_path: Path) -> None:
    """Else the rules as they were would be played as they have become."""
    folder = tmp_path / RULESET.name
    shutil.copytree(RULESET, folder)
    more = folder / "more.grog"
    more.write_text("enum Before { before }\n")

    def meanwhile() -> None:
        more.write_text("enum After { after }\n")
        (folder / "texts").mkdir()
        (folder / "texts/xx.yaml").write_text("title: after\n")

    ruleset = Ruleset(folder)
    assert ruleset.cache_entry is None
    meanwhile()
    program = ruleset.loaded
    assert program is not None and "After" in program.spec.enums
    more.write_text("enum Before { before }\n")
    (folder / "texts/xx.yaml").unlink()
    ruleset = Ruleset(folder)
    program = ruleset.loaded
    assert program is not None and ruleset.cache_entry is None and "Before" in program.spec.enums


def test_records_name_rules_by_what_they_say(tmp_path: Path) -> None:
    source = 'ruleset r\n@house "a # b"\nenum E { x, y }   # a comment\nboard f { rows 1 .. 2 }\n'
    laid_out = 'ruleset r\n\n@house "a # b"\nenum E {\n  x,\n  y\n}\nboard f { rows 1..2 }\n'
    hashes = []
    for text in (
        source,
        laid_out,
        source.replace("a # b", "a # c"),
        source.replace("x, y", "y, x"),
    ):
        (tmp_path / "r").mkdir(exist_ok=True)
        (tmp_path / "r" / "a.grog").write_text(text, encoding="utf-8")
        hashes.append(rules_hash(Files(), [tmp_path / "r"]))
    (tmp_path / "r" / "a.grog").write_text(source, encoding="utf-8")
    (tmp_path / "r" / "boards").mkdir()
    for board in (
        'rows: ["..", ".."]\n',
        "# two rows\nrows:\n  - '..'\n  - '..'\n",
        'rows: ["..", "."]\n',
    ):
        (tmp_path / "r" / "boards" / "b.yaml").write_text(board, encoding="utf-8")
        hashes.append(rules_hash(Files(), [tmp_path / "r"]))
    assert hashes[0] == hashes[1] and hashes[4] == hashes[5]
    assert len(set(hashes)) == 5
