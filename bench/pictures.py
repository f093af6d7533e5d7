"""The pictures of README.md, made anew: positions of games between greedy bots, and the page of one
of them.

  python -m bench.pictures [FOLDER]

Needs the extra `png`; the page is taken where chromium is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import grognard
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


def played(scenario: str, seed: int, decisions: int, folder: Path) -> Path:
    """The record of a game between greedy bots, up to a decision."""
    game, rng = grognard.load(scenario, seed=seed), Random(seed)
    bot = grognard.bots.GreedyBot(budget=20)
    while not game.over and len(game.actions) < decisions:
        game.play(bot.choose(game.view(game.side), game.options, rng))
    path = folder / f"{scenario}.record"
    game.save(path)
    return path


def command(*words: str) -> None:
    """Run a command of grognard."""
    subprocess.run([sys.executable, "-m", "grognard", *words], check=True)


def run(folder: Path) -> None:
    """Make the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rough = Path(name)
        for scenario, seed, decisions, zoom in POSITIONS:
            record, drawing = played(scenario, seed, decisions, rough), rough / f"{scenario}.svg"
            command("render", scenario, "--record", str(record), "-o", str(drawing))
            (folder / f"{scenario}.png").write_bytes(
                png_of(drawing.read_text(encoding="utf-8"), zoom)
            )
        browser = shutil.which("chromium")
        if browser is None:
            print("chromium is not installed: the picture of the page stays as it is")
            return
        page = rough / "page.html"
        command("replay", str(rough / f"{PAGE}.record"), "--html", str(page))
        size, target = ",".join(map(str, SIZE)), (folder / "replay.png").resolve()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={size}"]
        place = f"{page.resolve().as_uri()}#{STEP}"
        subprocess.run(
            [browser, *flags, f"--screenshot={target}", place], check=True, capture_output=True
        )


if __name__ == "__main__":
    run(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
