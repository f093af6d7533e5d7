"""Giving things other names."""
