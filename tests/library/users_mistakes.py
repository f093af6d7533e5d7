"""Mistakes of a user that mypy finds; never run."""

import grognard

game = grognard.load("akragas", sed=3)
game.play(None)
grognard.laod("akragas")
winners: list[str] = game.result.winners
bot: grognard.bots.Bot = object()
