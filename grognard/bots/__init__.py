"""Bots: players that are programs, and series of games between them."""

from grognard.bots.players import Bot, BotLike, GreedyBot, RandomBot, SearchBot, find_bot

__all__ = ["Bot", "BotLike", "GreedyBot", "RandomBot", "SearchBot", "find_bot"]
