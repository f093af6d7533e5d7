"""Experiments: many games between bots, over scenarios, switches and differences of rules."""
