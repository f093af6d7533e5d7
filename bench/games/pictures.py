"""The pictures of README.md, made anew: positions of games between greedy bots, the page of one of
them, and the table in the browser and on the screen of a terminal.

  python -m bench.games.pictures [FOLDER]

Needs the extras `png`, `tui`, `web` and `browser`; pages are taken where chromium is installed.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import grognard
from bench.command import command, option, parse_arguments
from grognard.draw.svg.png import png_of

FOLDER = Path("docs/pictures")
#: Scenario, seed, how many decisions are played, pixels for each unit of the drawing.
POSITIONS = (
    ("akragas", 4, 150, 0.85),
    ("barbarossa_1941", 4, 60, 0.5),
    ("clash_on_the_kingsroad", 4, 110, 0.85),
)
#: Of which game the page is shown, at which step, and how large.
PAGE, STEP, SIZE = "akragas", 91, (1200, 760)
#: Takes what is offered first until a unit may move, and takes that up.
FIRST = """
const [done] = arguments;
const shown = (one) => one.getClientRects().length > 0;
const all = (what) => [...document.querySelectorAll(what)].filter(shown);
localStorage.setItem('explain', 'no');
const step = () => {
  const [option] = all('.option, .pass'), busy = all('.asked[aria-busy="true"]').length;
  const moves = all('.asked h3').some((one) => one.textContent.startsWith('move'));
  if (option && !busy) option.click();
  if (option && !busy && moves) setTimeout(done, 5000);
  else setTimeout(step, 300);
};
setTimeout(step, 3000);
"""


def play_record(scenario: str, seed: int, decisions: int, folder: Path) -> Path:
    """The record of a game between greedy bots, up to a decision."""
    game, rng = grognard.load(scenario, seed=seed), Random(seed)
    bot = grognard.bots.GreedyBot(budget=20)
    while not game.over and len(game.actions) < decisions:
        game.play(bot.choose(game.view(game.side), game.options, rng))
    path = folder / f"{scenario}.record"
    game.save(path)
    return path


def run_grognard(*words: str) -> None:
    """Run a command of grognard."""
    subprocess.run([sys.executable, "-m", "grognard", *words], check=True)


def run(folder: Path) -> None:
    """Make the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rough = Path(name)
        for scenario, seed, decisions, zoom in POSITIONS:
            record, drawing = (
                play_record(scenario, seed, decisions, rough),
                rough / f"{scenario}.svg",
            )
            run_grognard("render", scenario, "--record", str(record), "-o", str(drawing))
            (folder / f"{scenario}.png").write_bytes(
                png_of(drawing.read_text(encoding="utf-8"), zoom)
            )
        asyncio.run(draw_screen(folder / "screen.png"))
        browser = shutil.which("chromium")
        if browser is None:
            print("chromium is not installed: the picture of the page stays as it is")
            return
        page = rough / "page.html"
        run_grognard("replay", str(rough / f"{PAGE}.record"), "--html", str(page))
        size, target = ",".join(map(str, SIZE)), (folder / "replay.png").resolve()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={size}"]
        place = f"{page.resolve().as_uri()}#{STEP}"
        subprocess.run(
            [browser, *flags, f"--screenshot={target}", place], check=True, capture_output=True
        )
    table(folder, rough)


async def draw_screen(path: Path) -> None:
    """The screen of a terminal, where a unit is about to move."""
    from grognard.bots.players import seat_for
    from grognard.fronts.room import Room
    from grognard.fronts.screen.table_screen import TableScreen
    from grognard.opening import open_scenario
    from grognard.table.opened import table_of
    from grognard.table.store import GameWriter

    opened = open_scenario(PAGE)
    game, rng = opened.begin(4), Random(4)
    bot = grognard.bots.GreedyBot(budget=20)
    while len(game.actions) < STEP or game.prompt != "movement":
        game.play(bot.choose(game.view(game.side), game.options, rng))
    other = next(side for side in game.spec.sides if side != game.side)
    made = table_of(
        opened, game, {game.spec.sides.index(other): seat_for("greedy", game.program, game.setup)}
    )
    made.dress(opened.style)
    app = TableScreen(Room(made, GameWriter(None, PAGE, game, {}, None, None), str))
    async with app.run_test(size=(124, 42)) as pilot:
        await pilot.pause(2)
        await pilot.press("enter")
        await pilot.pause(1)
        drawn = app.export_screenshot(title=f"grognard play {PAGE} --screen")
    path.write_bytes(png_of(drawn.replace("Fira Code", "DejaVu Sans Mono"), 0.9))


def table(folder: Path, data: Path) -> None:
    """The table in the browser, where a unit is about to move."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait

    command_line = [sys.executable, "-m", "grognard", "serve", "--no-open", "--port", "0"]
    server = subprocess.Popen(
        command_line,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "GROGNARD_DATA": str(data)},
    )
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,860"):
        options.add_argument(word)
    options.binary_location = str(shutil.which("chromium"))
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        assert server.stdout is not None
        link = next(line.strip() for line in server.stdout if "/enter/" in line)
        driver.get(link)
        driver.find_element("css selector", "#enter button").click()
        WebDriverWait(driver, 30).until(lambda _: "/enter/" not in driver.current_url)
        driver.set_script_timeout(120)
        game = driver.execute_async_script(
            "const [body, done] = arguments;"
            "fetch('/games', {method: 'POST', body}).then((r) => r.json()).then(done)",
            json.dumps({"scenario": "cc_ancients/akragas", "players": {"top": "greedy"}}),
        )["game"]
        driver.get(f"{link.split('/enter/')[0]}/game/{game}")
        driver.execute_async_script(FIRST)
        driver.save_screenshot(str(folder / "table.png"))
    finally:
        driver.quit()
        server.terminate()


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    args = parse_arguments(
        "bench.games.pictures",
        __doc__,
        arguments,
        option("folder", str(FOLDER), "where they are written", metavar="FOLDER", nargs="?"),
    )
    run(Path(args.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
