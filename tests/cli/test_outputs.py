"""What is written where: nothing that somebody wrote or played is lost to a slip in a command line, and nothing waits for ever."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from project import at_length
from running import ROOT, Ran

from grognard import files

WRITERS = [
    ("compile", "tiny"),
    ("schema", "tiny"),
    ("render", "tiny/first"),
    ("render", "tiny/first", "--text", "board"),
]


@pytest.mark.parametrize("words", WRITERS)
def test_sources_scenarios_and_records_are_not_overwritten(
    run: Callable[..., Ran], desk: Path, words: tuple[str, ...]
) -> None:
    assert run("bots", "first", "--games", "1", "--records", "games").code == 0
    kept = [
        "rulesets/tiny/ruleset.grog",
        "rulesets/tiny/texts/en.yaml",
        "scenarios/tiny/first.yaml",
        "games/first-1.record",
        "game",
    ]
    (desk / "game").write_bytes((desk / "games/first-1.record").read_bytes())
    (desk / "link").symlink_to("game")
    for name in (*kept, "link"):
        before = (desk / name).read_bytes()
        done = run(*words, "-o", name)
        assert done.code == 2 and "is not overwritten" in done.err and "remedy" in done.err
        assert (desk / name).read_bytes() == before
    (desk / "other").write_text("of an earlier time", encoding="utf-8")
    (desk / "empty.yaml").touch()
    assert run(*words, "-o", "other").code == run(*words, "-o", "empty.yaml").code == 0


@pytest.mark.parametrize("words", WRITERS)
def test_to_the_standard_output(
    run: Callable[..., Ran], desk: Path, words: tuple[str, ...]
) -> None:
    assert run(*words, "-o", "x").code == 0
    assert (
        run(*words, "-o", "-").out == (desk / "x").read_text(encoding="utf-8")
        and not (desk / "-").exists()
    )


def test_records_of_bots_replace_none(run: Callable[..., Ran], desk: Path) -> None:
    command = ("bots", "first", "--games", "2", "--records", "games")
    (desk / "games").mkdir()
    (desk / "games/first-2.record").write_text("mine", encoding="utf-8")
    done = run(*command)
    assert done.code == 2 and "first-2.record is there already" in done.err
    assert [p.name for p in (desk / "games").iterdir()] == ["first-2.record"]


def test_links_in_a_circle_stay(run: Callable[..., Ran], desk: Path) -> None:
    (desk / "circle").symlink_to("circle")
    assert run("render", "first", "-o", "circle").code == 2
    assert (desk / "circle").is_symlink()


@pytest.mark.parametrize(
    "words",
    [
        ("compile", "tiny", "-o"),
        ("render", "first", "-o"),
        ("play", "first", "--record"),
        ("replay",),
    ],
)
def test_the_name_of_a_folder(run: Callable[..., Ran], desk: Path, words: tuple[str, ...]) -> None:
    for name in ("new/", "rulesets/"):
        done = run(*words, name)
        assert done.code == 2 and "folder" in done.err and "remedy" in done.err
    assert not (desk / "new").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--resume", ""),
        ("replay", ""),
        ("replay", "g", "--against", ""),
        ("explain", "first", "--record", ""),
        ("render", "first", "--record", ""),
    ],
)
def test_empty_names(run: Callable[..., Ran], desk: Path, words: tuple[str, ...]) -> None:
    assert run("bots", "first", "--games", "1", "--records", ".").code == 0
    (desk / "first-1.record").rename(desk / "g")
    done = run(*words)
    assert done.code == 2 and "empty file name" in done.err


@pytest.mark.parametrize(
    "words", [("test",), ("fmt",), ("fmt", "--check"), ("cover", "tiny", "--games", "0", "--cases")]
)
def test_folders_that_hold_too_much(
    run: Callable[..., Ran], desk: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = ".yaml" if words[0] == "test" else ".grog"  # a folder of rules means their cases
    (desk / "disk").mkdir()
    for i in range(20):
        (desk / f"disk/{i}{ending}").write_text("enum   E{x}", encoding="utf-8")
    monkeypatch.setattr(files, "_MOST_BELOW", 15)
    done = run(*words, "disk")
    assert done.code == 2 and "holds more than 15 files" in done.err
    assert (desk / f"disk/3{ending}").read_text(encoding="utf-8") == "enum   E{x}"


def _powerless() -> None:
    """Give up what lets root write where nobody may."""
    with contextlib.suppress(OSError, AttributeError):
        for capability in range(41):
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def _command(desk: Path, *words: str, **more: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments: dict[str, object] = {"stdin": subprocess.DEVNULL, "preexec_fn": _powerless, **more}
    words = (sys.executable, "-m", "grognard", *words)
    return subprocess.run(
        words, cwd=desk, env=environment, capture_output=True, text=True, timeout=60, **arguments
    )  # type: ignore[call-overload,no-any-return]


def test_what_is_read_only_is_not_replaced(desk: Path) -> None:
    for name in ("precious", "rulesets/tiny/a.grog"):
        (desk / name).write_text("enum   E{x}\n", encoding="utf-8")
        (desk / name).chmod(0o444)
    for words in (("render", "first", "-o", "precious"), ("fmt", "rulesets/tiny")):
        done = _command(desk, *words)
        assert done.returncode == 2 and "read-only" in done.stderr, done.stderr
    assert (
        (desk / "precious").read_text(encoding="utf-8")
        == (desk / "rulesets/tiny/a.grog").read_text(encoding="utf-8")
        == "enum   E{x}\n"
    )


@pytest.mark.parametrize("call", ["open", "fchmod", "fsync", "replace"])
def test_an_interruption_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Also one that comes while the file is made, before anybody has its name."""
    original = getattr(os, call)

    def interrupted(*args: object, **options: object) -> None:
        if call != "replace":
            original(*args, **options)
        raise KeyboardInterrupt

    file = tmp_path / "kept"
    file.write_text("before", encoding="utf-8")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, call, interrupted)
        files.replace(file, "after")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["before"]


def test_a_record_that_is_read_only_is_not_resumed(desk: Path) -> None:
    done = _command(desk, "play", "first", "--record", "g.record", stdin=None, input="1\n")
    assert done.returncode == 0
    before = (desk / "g.record").read_bytes()
    (desk / "g.record").chmod(0o444)
    done = _command(desk, "play", "--resume", "g.record", stdin=None, input="1\n")
    assert done.returncode == 2 and "read-only" in done.stderr
    assert (desk / "g.record").read_bytes() == before


@pytest.mark.parametrize("words", [("fmt", "-"), ("play",), ("play", "first")])
def test_input_without_end(desk: Path, words: tuple[str, ...]) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

    with open("/dev/zero", "rb") as zero:
        done = _command(desk, *words, stdin=zero, preexec_fn=limited)
    assert (
        done.returncode in (0, 2) and "memory" not in done.stderr and "Traceback" not in done.stderr
    )


@pytest.mark.parametrize(
    "home", at_length(["~", "~nobody", "", "relative", "/dev/null", "/proc/x"], ["~"])
)
def test_a_home_that_is_none(desk: Path, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROGNARD_DATA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("TMPDIR", str(desk))
    done = _command(desk, "play", "first", stdin=None, input="1\n1\n")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert not (desk / "~").exists() and not (desk / "relative").exists()


@pytest.mark.parametrize(
    "words", [("list",), ("check", "nothing"), ("--version",), ("play", "first")]
)
def test_full_streams(desk: Path, words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "grognard", *words]
        done = subprocess.run(
            command,
            cwd=desk,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=full,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert done.returncode == 2


def test_no_lock_is_left_on_a_full_disk(desk: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = _command(desk, "play", "first", "--record", "g.record", preexec_fn=full)
    assert done.returncode == 2 and "cannot be written" in done.stderr
    assert not list(desk.glob("*g.record*"))


def test_save_overwrites_no_source(desk: Path) -> None:
    for name in ("rulesets/tiny/ruleset.grog", "scenarios/tiny/first.yaml"):
        before = (desk / name).read_bytes()
        done = _command(desk, "play", "first", stdin=None, input=f"1\n1\nsave {name}\nyes\n")
        assert (
            done.returncode == 0
            and "is not overwritten" in done.stdout
            and "not saved" in done.stdout
        )
        assert (desk / name).read_bytes() == before


def test_a_pipe_that_does_not_wait(desk: Path) -> None:
    """All is written to a reader who takes his time, whatever the pipe says."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    began = subprocess.Popen(
        [sys.executable, "-m", "grognard", "compile", "tiny", "-o", "-"],
        cwd=desk,
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    os.close(writing)
    time.sleep(3)
    with open(reading, "rb") as pipe:
        text = pipe.read()
    _, told = began.communicate(timeout=60)
    assert began.returncode == 0, told
    assert len(text) > 1 << 16 or text.endswith(b"\n")
    compile(text, "tiny", "exec")


@pytest.mark.parametrize(
    "words",
    [("list",), ("check", "cc_core"), ("play", "first"), ("new", "other"), ("report", "g.record")],
)
def test_a_current_folder_that_is_gone(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = run(*words)
    assert done.code in (0, 2) and "internal error" not in done.err
    if done.code:
        assert any(what in done.err for what in ("the current folder", words[-1])), done.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_record_of_bots_for_which_there_is_no_room_is_named(
    run: Callable[..., Ran], desk: Path, jobs: int
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
        done = run("bots", "first", "--games", "2", "--records", "games", "--jobs", jobs)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    # of two that play, either may be the first to find no room
    which = "1" if jobs == 1 else "[12]"
    found = rf"games/first-{which}\.record cannot be written: File too large"
    assert done.code == 2 and re.search(found, done.err)
    assert "make room" in done.err and not list((desk / "games").iterdir())


def test_two_series_do_not_replace_each_others_records(
    run: Callable[..., Ran], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begun at the same time, neither finds a record when it looks."""
    monkeypatch.setattr("grognard.fronts.cli.games.bots._check_folder", lambda *_: None)
    assert run("bots", "first", "--games", "1", "--seed", "1", "--records", "games").code == 0
    before = (desk / "games/first-1.record").read_bytes()
    done = run("bots", "first", "--games", "1", "--seed", "2", "--records", "games")
    assert done.code == 2 and "first-1.record is there already" in done.err
    assert (desk / "games/first-1.record").read_bytes() == before
