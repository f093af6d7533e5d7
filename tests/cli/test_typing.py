"""Typing cannot break `play`: many lines of anything on each game, and kinds of lines that once did."""

from __future__ import annotations

import io
import os
import string
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from project import compiled, one_of_each, program_of
from running import Ran

import grognard.explain.explainer
import grognard.explain.rollouts
from grognard import opening, places
from grognard.draw.scene import Looks, Scene
from grognard.draw.text.maps import Map
from grognard.fronts.cli.games import play as playing
from grognard.fronts.cli.main import main
from grognard.fronts.terminal.console import read_line
from grognard.records import key_of, read_record
from runtime.errors import ArgumentError
from runtime.games.game import Game
from runtime.games.replay import replay

GAMES = one_of_each()
EXPLAINER = cache(grognard.explain.explainer.Explainer)
#: Lines in a run, and runs.
LINES, RUNS = 150, 1
COMMANDS = (
    "?",
    "? ",
    "help",
    "options",
    "board",
    "hand",
    "log",
    "log ",
    "undo",
    "save",
    "look",
    "look ",
    "odds ",
    "odds all",
    "hint",
    "more",
    "map",
    "table",
    "view",
    "? to ",
)
ODD = (
    "²", "log ²", "9" * 5000, "log " + "9" * 5000, "-1", "0", "1e9", "٣", "½", "\0", "save a\0b", "save .", "save ..", "save \t", "? \0", "? 99999999999999999999",
    "\x1b[2J", "\ufeff1", "a\u0301", "İ", "ß", "\u2028", "save " + "x" * 300, "? " + "x " * 500, "{0}", "{", "%s", "\\", "'", "? -", "? none", "? .", "🂡", "log -5",
)  # fmt: skip


class Anybody(io.TextIOBase):
    """Somebody who types: what is offered, commands, and anything."""

    def __init__(self, rng: Random, odd: list[bytes], lines: int) -> None:
        self.rng = rng
        self.odd = odd
        self.left = lines
        self.game: Game | None = None

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if self.left == 0:
            return ""
        self.left -= 1
        return self.line() + "\n"

    def isatty(self) -> bool:
        return False

    def line(self) -> str:
        """One line."""
        rng, kind = self.rng, self.rng.random()
        decision = self.game.decision if self.game is not None else None
        if kind < 0.5 and decision is not None:
            option = rng.choice(decision.options)
            text = rng.choice(
                [
                    str(decision.options.index(option) + 1),
                    option.text,
                    option.text[: rng.randrange(9)],
                    option.text.split()[-1],
                ]
            )
        elif kind < 0.7:
            text = rng.choice(COMMANDS)
        elif kind < 0.8:
            text = rng.choice(ODD)
        elif kind < 0.95 or not self.odd:
            text = "".join(rng.choice(string.printable) for _ in range(rng.randrange(20)))
        else:
            text = rng.choice(self.odd).decode("utf-8", "replace")
        if rng.random() < 0.1:
            text = f"{rng.choice(COMMANDS)}{text}"
        if rng.random() < 0.05:
            text = f"{text} {''.join(rng.choice(string.printable) for _ in range(3))}"
        text = (
            text.replace("\n", " ").replace("\r", " ").replace("/", "?")
        )  # files are written in this folder alone
        return "board" if text.casefold().split()[:1] in (["q"], ["quit"], ["exit"]) else text


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to play in, where what takes long is done once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    # as other tests have them
    monkeypatch.setattr(places, "program_of", lambda folder: program_of(folder.name))
    monkeypatch.setattr(places, "ruleset", lambda folder: compiled(folder.name))
    monkeypatch.setattr(playing, "open_scenario", cache(opening.open_scenario))
    monkeypatch.setattr(grognard.explain.explainer, "Explainer", EXPLAINER)
    yield tmp_path


@pytest.mark.parametrize(
    "scenario", [GAMES[0], *(pytest.param(game, marks=pytest.mark.long) for game in GAMES[1:])]
)
def test_anything_may_be_typed(scenario: str, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = 0
    drawing, drawn = Map.readable, []
    looking, seen = Scene.looks, []

    def readable(*arguments: object) -> str:
        """The board, drawn anew at times: that takes longest, with all that is drawn beside a new one."""
        if len(drawn) % 80 == 0:
            drawn[:] = [drawing(*arguments)]  # type: ignore[arg-type]
        drawn.append("")
        return f"{drawn[0]}{len(drawn) // 8}"

    def looks(scene: Scene, *arguments: Any, **more: Any) -> Any:
        """What pieces look like, found out anew at times."""
        if len(seen) % 8 == 0:
            seen[:] = [looking(scene, *arguments, **more)]
        seen.append(Looks())
        return seen[0]

    monkeypatch.setattr(Map, "readable", readable)
    monkeypatch.setattr(Scene, "looks", looks)
    monkeypatch.setattr(grognard.explain.rollouts, "_TIMES", 3)
    monkeypatch.setattr(grognard.explain.rollouts, "_LEAST", 1)

    @settings(
        max_examples=RUNS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32), st.lists(st.binary(max_size=40), max_size=8))
    def types(seed: int, odd: list[bytes]) -> None:
        nonlocal typed
        anybody = Anybody(Random(seed), odd, LINES)
        monkeypatch.setattr(
            "grognard.fronts.cli.games.play.watch_game", lambda game: setattr(anybody, "game", game)
        )
        while anybody.left:
            for path in room.iterdir():
                path.unlink()
            one_game(anybody)
        typed += LINES

    def one_game(anybody: Anybody) -> None:
        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", anybody)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setenv("GROGNARD_DEBUG", "1")  # a fault is shown here
            assert main(["play", scenario, "--record", "g.record"]) == 0
        assert "Traceback" not in out.getvalue() + err.getvalue()
        assert "\x1b" not in out.getvalue() and "\0" not in out.getvalue()
        assert anybody.game is not None
        if anybody.game.actions:
            record = read_record(room / "g.record")
            again = replay(
                anybody.game.program,
                anybody.game.setup,
                record,
                key=key_of(room / "g.record", record),
            )
            assert again.entries() == anybody.game.entries()

    types()
    assert typed == LINES * RUNS


@pytest.fixture
def play(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, room: Path
) -> Callable[..., Ran]:
    """Runs `play` with bytes as its input."""

    def play(data: bytes, *arguments: object) -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        return run("play", *arguments)

    return play


@pytest.mark.parametrize("before", ["", "? ", "log ", "save ", "look "])
def test_odd_lines(play: Callable[..., Ran], before: str) -> None:
    lines = "\n".join(f"{before}{line}" for line in ODD)
    done = play(f"{lines}\n".encode("utf-8", "surrogateescape"), GAMES[0], "--seed", "1")
    assert done.code == 0 and "internal" not in done.err
    assert all(len(shown) < 400 for shown in done.out.splitlines())
    assert not set(done.all) & {chr(c) for c in (*range(10), *range(11, 32), 127, *range(128, 160))}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\x00",
        b"\xc3\n1\n",
        b"\xed\xa0\x80\n",
        bytes(range(256)),
        b"\x00" * 1000,
        b"1" * 100_000,
    ],
)
def test_bytes_that_are_no_text(play: Callable[..., Ran], data: bytes) -> None:
    assert play(data, GAMES[0], "--seed", "1").code == 0
    done = play(data)  # where the scenario is asked for
    assert done.code in (0, 2) and "Traceback" not in done.err


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_an_encoding_that_has_no_sign_for_what_it_cannot_read(encoding: str) -> None:
    with pytest.raises(ArgumentError, match=encoding):
        read_line(
            io.TextIOWrapper(io.BytesIO(b"quit\n\n\n\n"), encoding=encoding, errors="replace")
        )
