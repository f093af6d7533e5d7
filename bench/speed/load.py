"""What a server carries: python -m bench.speed.load [SCENARIO] [--games N] [--rate R] [--seconds S]

Begins so many games in a database of its own, starts `grognard serve` on the loopback address, and
has two pages sit at each game, by links, which ask for the odds of what they are asked, as those of
people do, and answer it at random, *--rate* decisions a second in each game.  After a quarter of
the time for games to be opened, it measures the milliseconds from an answer to its reply, until the
other page hears of it, and from a question until its odds are told, and prints the median and the
95th of a hundred, the decisions a second that were taken of those that were due, the memory of the
server, its share of the processor, and how much of that a decision took.  *--blind*: nobody asks
for odds.
``--database URL`` uses a PostgreSQL server, and ``--servers N`` as many processes on one database,
to which games are given in turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.command import command, option, read
from grognard.fronts.web.bounds import allow_many_files
from grognard.fronts.web.rooms import LINK
from grognard.fronts.web.visitors import Visitors
from grognard.opening import open_scenario
from grognard.table.opened import OpenedGame
from grognard.table.store import Store

ADDRESS = "http://load.test"


@dataclass
class Heard:
    """What was measured, in milliseconds."""

    replies: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)
    taken: int = 0
    refused: int = 0
    over: int = 0


def begun(place: Path | str, scenario: str, games: int) -> list[dict[str, tuple[str, str]]]:
    """New games: for each its seats, with the path of the page and the browser's secret."""
    seats = []
    with Store(place) as store:
        visitors = Visitors(store.database)
        opened = open_scenario(scenario)
        for number in range(games):
            game = OpenedGame(opened, opened.begin(number))
            sides = game.game.spec.sides
            kept = game.keep(store, dict.fromkeys(sides, LINK))
            sat = {}
            for side in sides:
                key = visitors.seat_link(kept.name, side)
                entered = None if key is None else visitors.enter(key, None)
                assert entered is not None and entered.secret is not None
                sat[side] = f"/game/{kept.name}/live?seat={side}", entered.secret
            seats.append(sat)
    return seats


class Server:
    """`grognard serve` in a process of its own."""

    def __init__(self, place: Path | str, folder: Path) -> None:
        more = ["--database", place] if isinstance(place, str) else []
        words = ["serve", "--no-open", "--port", "0", "--address", ADDRESS, *more]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grognard", *words],
            env={**os.environ, "GROGNARD_DATA": str(folder), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        while "Ctrl-C" not in (line := self.process.stdout.readline()):
            if not line:
                raise SystemExit("the server does not start")
        self.port = _port(self.process.pid)

    def used(self) -> tuple[float, float]:
        """The memory that it takes now, in MB, and seconds of the processor so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        times = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(times[11]) + int(times[12])
        return int(memory.split()[1]) / 1024, ticks / os.sysconf("SC_CLK_TCK")


def _port(pid: int) -> int:
    """The port at which a process listens."""
    inodes = set()
    for one in Path(f"/proc/{pid}/fd").iterdir():
        target = os.readlink(one)
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and words[9] in inodes:
            return int(words[1].rpartition(":")[2], 16)
    raise SystemExit("the server listens nowhere")


async def _page(port: int, path: str, secret: str) -> ClientConnection:
    return await connect(
        f"ws{ADDRESS[4:]}{path}",
        host="127.0.0.1",
        port=port,
        origin=ADDRESS,  # type: ignore[arg-type]
        additional_headers={"Cookie": f"grognard={secret}"},
        max_size=None,
        open_timeout=120,
        ping_interval=None,
    )


class _Game:
    """A game that is played at its pages."""

    def __init__(self, pages: dict[str, ClientConnection], blind: bool) -> None:
        self.pages, self.blind = pages, blind
        self.shows: dict[str, dict[str, Any]] = {}
        #: the replies that are waited for, the number of the last request, and what was told last
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._news = asyncio.Event()
        self._foretelling: asyncio.Task[None] | None = None
        self._hearing = [asyncio.ensure_future(self._hear(side)) for side in pages]

    async def _hear(self, side: str) -> None:
        async for text in self.pages[side]:
            message = json.loads(text)
            if "id" in message:
                self._replies.pop(message["id"]).set_result(message)
            elif "more" in message or "begin" in message:
                self.shows[side] = message.get("more", message.get("begin"))["show"]
                self._news.set()

    async def ask(self, side: str, **request: Any) -> dict[str, Any]:
        """The reply to a request."""
        self._number += 1
        reply = self._replies[self._number] = asyncio.get_running_loop().create_future()
        await self.pages[side].send(json.dumps({**request, "id": self._number}))
        return await asyncio.wait_for(reply, 60)

    async def told(self, side: str, version: int) -> None:
        """Wait until a page has heard of what came after a version."""
        while side not in self.shows or self.shows[side]["version"] <= version:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)

    @property
    def asked(self) -> str | None:
        """The side that is asked."""
        return next((side for side in self.pages if self.shows[side]["question"]), None)

    def look(self, side: str, heard: Heard) -> None:
        """Ask for the odds of the question of a side, unless those of another are waited for."""
        waiting = self._foretelling is not None and not self._foretelling.done()
        options = self.shows[side]["question"]["options"]
        if not self.blind and not waiting and any(o["foreseen"] for o in options):
            self._foretelling = asyncio.ensure_future(self._foretell(side, heard))

    async def _foretell(self, side: str, heard: Heard) -> None:
        version, began = self.shows[side]["version"], time.monotonic()
        reply = {"reply": "odds", "whole": False}
        while reply["reply"] == "odds" and not reply["whole"]:
            reply = await self.ask(side, do="odds", version=version)
        if reply["reply"] == "odds":
            heard.odds.append(1000 * (time.monotonic() - began))

    async def close(self) -> None:
        """Leave."""
        for task in (*self._hearing, *filter(None, [self._foretelling])):
            task.cancel()
        for page in self.pages.values():
            await page.close()


async def play(
    port: int,
    seats: dict[str, tuple[str, str]],
    rate: float,
    measured: tuple[float, float],
    all_heard: Heard,
    seed: int,
    blind: bool,
) -> None:
    """Play one game at its pages until the time is over."""
    rng = random.Random(seed)
    await asyncio.sleep(rng.random() / rate)
    game = _Game({side: await _page(port, *seat) for side, seat in seats.items()}, blind)
    for side in seats:
        await game.told(side, -1)
    due = time.monotonic()
    while time.monotonic() < measured[1]:
        asked = game.asked
        if asked is None:
            all_heard.over += 1
            break
        heard = all_heard if time.monotonic() > measured[0] else Heard()
        game.look(asked, heard)
        due = max(due + 1 / rate, time.monotonic())
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > measured[1]:
            break
        show, heard = game.shows[asked], all_heard if time.monotonic() > measured[0] else Heard()
        options = [rng.choice(show["question"]["options"])["text"]]
        version, sent = show["version"], time.monotonic()
        reply = await game.ask(asked, do="answer", version=version, options=options, brief=True)
        heard.replies.append(1000 * (time.monotonic() - sent))
        if reply["reply"] != "show":
            heard.refused += 1
            break
        heard.taken += 1
        for side in seats:
            await game.told(side, version)
            if side != asked:
                heard.news.append(1000 * (time.monotonic() - sent))
    await game.close()


async def _all(
    servers: Sequence[Server],
    games: list[dict[str, tuple[str, str]]],
    rate: float,
    measured: tuple[float, float],
    blind: bool,
) -> tuple[Heard, float]:
    """What was measured, and the seconds of the processor that servers took meanwhile."""
    heard = Heard()

    async def busy() -> float:
        took = []
        for moment in measured:
            await asyncio.sleep(moment - time.monotonic())
            took.append(sum(server.used()[1] for server in servers))
        return took[1] - took[0]

    took = asyncio.ensure_future(busy())
    await asyncio.gather(
        *(
            play(servers[number % len(servers)].port, seats, rate, measured, heard, number, blind)
            for number, seats in enumerate(games)
        )
    )
    return heard, await took


def share(values: list[float], of: float) -> float:
    """The value below which a share lies."""
    return sorted(values)[min(len(values) - 1, int(of * len(values)))] if values else float("nan")


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    args = read(
        "bench.speed.load",
        __doc__,
        arguments,
        option("scenario", "cc_ancients/akragas", "the scenario", nargs="?"),
        option("--games", 100, "games", least=1),
        option("--rate", 1.0, "decisions a second in each game"),
        option("--seconds", 40, "how long", least=4),
        option("--blind", False, "nobody asks for odds"),
        option("--servers", 1, "processes, on a database that they share", least=1),
        option("--database", "", "the URL of a PostgreSQL server"),
    )
    allow_many_files()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = args.database or folder / "games.db"
        games = begun(place, args.scenario, args.games)
        servers = [Server(place, folder) for _ in range(args.servers)]
        try:
            began = time.monotonic()
            measured = began + args.seconds / 4, began + args.seconds
            heard, busy = asyncio.run(_all(servers, games, args.rate, measured, args.blind))
            spent = time.monotonic() - began
            memory = sum(server.used()[0] for server in servers)
        finally:
            for server in servers:
                server.process.terminate()
                server.process.wait()
    own = resource.getrusage(resource.RUSAGE_SELF)
    seconds = args.seconds * 3 / 4
    due = args.games * args.rate * seconds
    print(f"{args.games} games of {args.scenario}, {args.rate:g} decisions a second in each")
    for what, values in (
        ("reply", heard.replies),
        ("heard by the other", heard.news),
        ("odds", heard.odds),
    ):
        print(
            f"{what:20} median {share(values, 0.5):6.0f} ms, 95 of 100 within "
            f"{share(values, 0.95):6.0f} ms ({len(values)})"
        )
    print(f"taken {heard.taken} of {due:.0f} due, refused {heard.refused}, over {heard.over}")
    each = f"{1000 * busy / max(1, heard.taken):.1f} ms a decision"
    print(f"memory {memory:.0f} MB, processor {busy / seconds:.0%} of one, {each}")
    print(f"(the pages took {(own.ru_utime + own.ru_stime) / spent:.0%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
