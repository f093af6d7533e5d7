"""Build the site: ``python docs/website/build.py [--playground] FOLDER`` (the extra ``website``).

Its pictures and games to step through are made by ``grognard render``, ``bots`` and ``replay``;
with ``--playground`` the games can be played on it (``grognard site``, which needs Node.js).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import grognard
from grognard.fronts.cli.main import main as run

HERE = Path(__file__).resolve().parent
#: A battle of each game that bots play to its end.
PLAYED = (
    "cc_ancients/akragas",
    "cc_ancients_greece/granicus",
    "cc_napoleonics/vimiero",
    "no_retreat/bagration",
    "battles_of_napoleon/garcia_hernandez",
    "battles_of_westeros/clash_on_the_kingsroad",
)


def call(*arguments: str) -> None:
    """Run a command of grognard; the build ends where it fails."""
    if code := run([*arguments]):
        sys.exit(code)


def gallery(folder: Path) -> None:
    """Draw all battles, let bots play some, and write the page that shows them."""
    lines = ["---", "hide: [toc]", "---", "# Gallery", ""]
    lines += ["Every battle of the rulesets, as `grognard render` draws it. A click enlarges it."]
    ruleset = ""
    for name in sorted(grognard.scenarios()):
        game, _, battle = name.partition("/")
        loaded = grognard.load(name)
        picture = f"{game}_{battle}.svg"
        call("render", name, "-o", str(folder / picture))
        if game != ruleset:
            lines += ["", "</div>"] if ruleset else []
            lines += ["", f"## {loaded.wording.text('title')}", "", *played(game, folder)]
            lines += ['<div class="gallery" markdown>']
            ruleset = game
        title = loaded.setup.title
        lines += [
            "<figure markdown>",
            f"[![{title}]({picture}){{ loading=lazy }}]({picture})",
            f"<figcaption>{title}</figcaption>",
            "</figure>",
        ]
    lines += ["</div>", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")


def played(game: str, folder: Path) -> list[str]:
    """The battles of the game that two bots play, as pages to step through, and links to them."""
    links = []
    for name in (one for one in PLAYED if one.startswith(f"{game}/")):
        page = f"{name.replace('/', '_')}.html"
        with TemporaryDirectory() as records:
            bots = ("--bots", "greedy,greedy", "--games", "1", "--seed", "1")
            call("bots", name, *bots, "--records", records)
            (record,) = Path(records).iterdir()
            call("replay", str(record), "--html", str(folder / page))
        links += [f"[A game between two bots]({page}), to step through.", ""]
    return links


def build(folder: Path, playground: bool) -> None:
    """Write the whole site to *folder*, in the place of an older one."""
    if folder.exists() and not (folder / "search" / "search_index.json").exists():
        if not folder.is_dir() or any(folder.iterdir()):
            sys.exit(f"{folder} is no older site: give an empty folder, or a new one")
    os.chdir(HERE.parents[1])  # the rulesets and scenarios of the repository, and no others
    with TemporaryDirectory() as pictures:
        gallery(Path(pictures))
        environment = os.environ | {"SITE_GALLERY": pictures, "NO_MKDOCS_2_WARNING": "1"}
        if playground:
            environment["SITE_PLAYGROUND"] = "yes"
        mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
        where = ["--config-file", str(HERE / "mkdocs.yml"), "--site-dir", str(folder)]
        subprocess.run([*mkdocs, *where], env=environment, check=True)
    if playground:
        call("site", str(folder / "play"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--playground", action="store_true", help="with the games to play")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the site is written")
    given = parser.parse_args()
    build(given.folder.resolve(), given.playground)
