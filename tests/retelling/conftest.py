"""Odds of pages and reports are sampled with few throws here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grognard.retelling import luck


@pytest.fixture(scope="package", autouse=True)
def _few_throws() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setattr(luck, "_MOST", 24)
    yield
    patch.undo()
