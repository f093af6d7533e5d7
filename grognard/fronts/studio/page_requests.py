"""What the page asks of the workshop and of the files, as requests of the language server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grognard.fronts.lsp.server import Server
from grognard.fronts.lsp.text_positions import path_of, uri_of
from grognard.fronts.studio.sources import Sources
from grognard.fronts.studio.workshop import Workshop


def answer_about_files(server: Server, workshop: Workshop, sources: Sources, game: str) -> None:
    """Have the server answer for the files; *game* is where the page of the game is."""

    def begun() -> dict[str, Any]:
        workshop.begin_if_possible()
        scenario = workshop.scenario
        return {
            "ruleset": workshop.folder.name,
            "files": sources.files(),
            "scenarios": sources.scenarios(),
            "scenario": None if scenario is None else uri_of(scenario),
            "game": game,
            "making": workshop.is_making_case,
            **workshop.seats(),
        }

    def created(name: str) -> Path:
        """A new file; a scenario begins as what is on the board."""
        scenario, text = workshop.scenario, ""
        if name.startswith("scenarios/") and scenario is not None:
            text = server.desk.text(scenario)
        return sources.create(name, text)

    @server.feature("studio/begin")
    async def begin(_: Any) -> dict[str, Any]:
        return await server.ask(begun)

    @server.feature("studio/text")
    async def text(asked: Any) -> dict[str, str | None]:
        return await server.ask(sources.text, path_of(asked.uri))

    @server.feature("studio/save")
    async def save(asked: Any) -> dict[str, bool]:
        path, over = path_of(asked.uri), bool(getattr(asked, "over", False))
        saved = await server.ask(sources.save, path, over)
        if saved:
            server.check_soon(path)
        return {"saved": saved}

    @server.feature("studio/create")
    async def create(asked: Any) -> dict[str, str]:
        return {"uri": uri_of(await server.ask(created, str(asked.name)))}


def answer_about_game(server: Server, workshop: Workshop) -> None:
    """Have the server answer for the game."""

    @server.feature("studio/scenario")
    async def scenario(asked: Any) -> None:
        await server.ask(workshop.play, path_of(asked.uri))

    @server.feature("studio/again")
    async def again(asked: Any) -> None:
        await server.ask(workshop.begin, getattr(asked, "seed", None))

    @server.feature("studio/players")
    async def players(asked: Any) -> None:
        await server.ask(workshop.seat, asked._asdict())

    @server.feature("studio/odds")
    async def odds(_: Any) -> list[dict[str, Any]]:
        return await server.ask(workshop.odds)

    @server.feature("studio/why")
    async def why(asked: Any) -> list[dict[str, Any]]:
        return await server.ask(workshop.why, str(getattr(asked, "line", "")))

    @server.feature("studio/case")
    async def case(asked: Any) -> dict[str, Any] | None:
        if asked.do == "end":
            return await server.ask(workshop.end_case, str(asked.name))
        await server.ask(workshop.begin_case if asked.do == "begin" else workshop.drop_case)
        return None
