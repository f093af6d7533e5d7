"""Environments for learning; :mod:`grognard.envs` makes them."""
