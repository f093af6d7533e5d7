"""Games of the project's own scenarios, and lines that are typed at them."""

from __future__ import annotations

from project import ROOT, placed, setup_of

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.lexicon.catalogue import speak
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from grognard.table.store import GameWriter
from runtime.games.game import Game


def opened(scenario: str, seed: int, language: str = "en") -> tuple[Game, Menu]:
    """A new game in the looks of its ruleset and in a language, and its menu."""
    game = Game(placed(scenario), setup_of(scenario), seed)
    speak(game, language)
    style = Style.read([ROOT / "rulesets" / scenario.split("/")[0]])
    return game, Menu(game, Scene(game.spec, game.setup, game.wording, style))


def unkept(game: Game) -> GameWriter:
    """A game of which nothing is kept."""
    return GameWriter(None, "", game, {}, None, None)


def play(game: Game, menu: Menu, *lines: str) -> None:
    """Take lines one after another."""
    for line in lines:
        for option in LineReader(menu.scene).read(menu, line):
            game.play(option)
