"""Nobody waits for the processor to be idle: bots think beside, and the tests know when all is still."""

from __future__ import annotations

import asyncio

import pytest


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(*_: float) -> None:
        await asyncio.sleep(0)

    for module in ("app", "pilot"):
        monkeypatch.setattr(f"textual.{module}.wait_for_idle", at_once)
