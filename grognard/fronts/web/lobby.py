"""What the lobby shows: scenarios, games under way, games that are over."""

from __future__ import annotations

import re
import typing
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from grognard import opening, places
from grognard.draw.picture import Picture
from grognard.draw.svg import render
from grognard.files import data_folder, replace, short
from grognard.fronts.web.rooms import LINK, PLAYERS, Rooms
from grognard.lexicon.faults import sayer
from grognard.table.store import GameEntry
from runtime.data.reader import Mapping, Node, Scalar, entries_of, plain, read_file
from runtime.errors import ArgumentError
from runtime.games.wording import wording_for
from runtime.model import NONE
from runtime.view import view

#: How much is told of what is special of a scenario.
_LINES, _LINE = 2, 220


#: The seats of somebody in games under way, by the names of these.
Seats: TypeAlias = typing.Mapping[str, Collection[str]]


def lobby(rooms: Rooms, seats: Seats, language: str) -> dict[str, Any]:
    """All of it, as plain data in a language, for a host, who may have *seats*."""
    return {
        "host": True,
        "links": True,
        **_beginning(language),
        "games": _games(rooms, seats, language),
        "finished": [path.stem for path in finished_records()],
    }


def guests_lobby(
    rooms: Rooms, seats: Seats, over: Collection[str], begins: bool, language: str
) -> dict[str, Any]:
    """What of it concerns who has *seats* in some games, and had in others, which are *over*, by
    their records; *begins*: he may begin games.
    """
    return {
        "host": False,
        "links": True,
        **(_beginning(language) if begins else {"scenarios": [], "players": []}),
        "games": [game for game in _games(rooms, seats, language) if game["name"] in seats],
        "finished": [path.stem for path in finished_records() if path.stem in over],
    }


def _beginning(language: str) -> dict[str, Any]:
    """What can be begun, and who may play."""
    return {"scenarios": list(scenarios(language)), "players": PLAYERS}


def playable_scenarios() -> dict[str, Path]:
    """The scenarios that are found, by their names, and as ``own/…`` those that were sent."""
    own = data_folder() / "scenarios"
    sent = sorted(own.glob("*.yaml")) if own.is_dir() else ()
    return {**places.scenarios(), **{f"own/{path.stem}": path for path in sent}}


def scenario_file(scenario: str) -> Path:
    """The file of a scenario that is playable.  ArgumentError."""
    path = playable_scenarios().get(scenario)
    if path is None:
        raise ArgumentError(f"there is no scenario '{short(scenario)}'")
    return path


def take_in_scenario(content: bytes, language: str) -> tuple[str, list[dict[str, Any]]]:
    """Take in a scenario of somebody's own: the name under which it is playable, none where it has
    errors, and what is found, in a language.  GrognardError.
    """
    findings = opening.findings_in(content, "scenario.yaml", places.program_of)
    say = sayer(language)
    told = [
        {"line": f.line, "message": say(f.message), "remedy": say(f.remedy), "code": f.code}
        for f in findings
    ]
    if any(f.is_error for f in findings):
        return "", told
    folder = data_folder() / "scenarios"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{sha256(content).hexdigest()[:16]}.yaml"
    if path.is_symlink():
        path.unlink()
    replace(path, content, private=True)
    return f"own/{path.stem}", told


def scenarios(language: str) -> Iterator[dict[str, Any]]:
    for name, path in playable_scenarios().items():
        head = _head(path, path.stat().st_mtime_ns, language)
        if head is not None:
            yield {"name": name, **head}


@cache
def _head(path: Path, changed: int, language: str) -> dict[str, Any] | None:
    """What a scenario says of itself, read leniently; None where it cannot be read."""
    root, _ = read_file(path, path.name)
    if not isinstance(root, Mapping):
        return None
    ruleset = _text(root.get("ruleset"))
    texts = _texts(ruleset, language)
    sides: dict[str, str] = {}
    for key, node in entries_of(root.get("sides")):
        side, name = key.text, _text(node.get("name")) if isinstance(node, Mapping) else ""
        sides[side] = texts.get(f"name.{name}", name) or texts.get(f"Side.{side}", side)
    notes = root.get("notes")
    lines = [str(one) for one in plain(notes)] if notes is not None else []
    title, length = _text(root.get("title")), _text(root.get("length"))
    return {
        "title": texts.get(f"name.{title}", title),
        "date": _text(root.get("date")),
        "ruleset": ruleset,
        "game": texts.get("title", ruleset),
        "sides": sides,
        "length": int(length) if length.isdecimal() else 0,
        "lines": [short(line, _LINE) for line in lines[:_LINES]],
    }


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


@cache
def _texts(ruleset: str, language: str) -> dict[str, str]:
    """The texts of a ruleset and of those it extends: English ones where the language has none."""
    folder = places.find(ruleset)
    found: dict[str, str] = {}
    for one in reversed(places.family(folder) if folder is not None else []):
        for code in dict.fromkeys(("en", language)):
            file = one / "texts" / f"{code}.yaml"
            root, _ = read_file(file, file.name) if file.is_file() else (None, [])
            if isinstance(root, Mapping):
                found |= {key: str(value) for key, value in plain(root).items()}
    return found


def _games(rooms: Rooms, seats: Seats, language: str) -> list[dict[str, Any]]:
    """The games under way: first those in which it is the turn of who has the *seats*."""
    games = [game_entry(kept, seats.get(kept.name, ()), language) for kept in rooms.store.games()]
    return sorted(games, key=lambda game: not game["turn"])


def game_entry(kept: GameEntry, seats: Collection[str], language: str) -> dict[str, Any]:
    """A game under way, for who has some *seats* of it."""
    path = kept.scenario
    head = _head(path, path.stat().st_mtime_ns, language) if path.is_file() else None
    sides = head["sides"] if head else {}
    return {
        "name": kept.name,
        "title": kept.title,
        "decides": sides.get(kept.decides, kept.decides),
        "turn": kept.decides in seats and kept.decides != "",
        "sides": sides,
        "away": {side: sides.get(side, side) for side, who in kept.players.items() if who == LINK},
    }


def finished_records() -> list[Path]:
    """The records of games that are over, the latest first."""
    folder = data_folder() / "games"
    records = folder.glob("*.record") if folder.is_dir() else ()
    return sorted(records, key=lambda path: path.stat().st_mtime, reverse=True)


def finished_record(name: str) -> Path | None:
    """The last record of a game of this name that is over."""
    of_it = re.compile(rf"{re.escape(name)}-\d{{8}}-\d{{6}}")
    return next((path for path in finished_records() if of_it.fullmatch(path.stem)), None)


def picture(scenario: str, language: str) -> str:
    """The set-up of a scenario as SVG: what everybody sees of it.  GrognardError."""
    path = scenario_file(scenario)
    return _picture(path, path.stat().st_mtime_ns, language)


@lru_cache(maxsize=200)
def _picture(path: Path, changed: int, language: str) -> str:
    opened = opening.open_scenario(path)
    spec = opened.program.spec
    state = opened.program.new_state(opened.setup, 0)
    wording = wording_for(spec, opened.setup, language)
    seen = view(state, NONE)
    drawn = Picture(spec, opened.setup, state, opened.style(), seen, opened.program.value, wording)
    return render(drawn)
