"""What the services of the engine are called with and do, as the chapters of the language say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from compiler.check.expressions.services import SERVICES

_CELL = re.compile(r"^\| (`.*?) \| (.*?) \|\s*$", re.MULTILINE)
_CALL = re.compile(r"`((\w+)\(([^`]*)\))`")


@dataclass(frozen=True, slots=True)
class Service:
    """A service: how it is called, its parameters, and what it gives."""

    signature: str
    params: tuple[str, ...]
    text: str


@cache
def services() -> dict[str, Service]:
    """The services by their names; of those that no chapter lists, the name alone."""
    known = {name: Service(f"{name}(…)", (), "") for name in SERVICES}
    chapters = resources.files("dsl").joinpath("spec").iterdir()
    for chapter in sorted(chapters, key=lambda one: one.name):
        if chapter.name.endswith(".md"):
            for calls, text in _CELL.findall(chapter.read_text(encoding="utf-8")):
                for signature, name, params in _CALL.findall(calls):
                    if name in known and not known[name].text:
                        named = tuple(filter(None, (p.strip() for p in params.split(","))))
                        known[name] = Service(signature, named, text)
    return known
