"""What the services of the engine are called with and do, as the chapters of the language say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from compiler.check.expressions.services import SERVICES

#: A row of a table, or a sentence, that says what calls are.
_ROW = re.compile(r"^\| (`.*?`) \| ([^|\[]+) \|$", re.MULTILINE)
_SENTENCE = re.compile(r"(`\w+\([^`]*\)`) is ([^.:]*)[.:]")
_CALL = re.compile(r"`((\w+)\(([^`]*)\))`")


@dataclass(frozen=True, slots=True)
class Service:
    """A service: how it is called, its parameters, what it gives, and the file of the chapter that
    says so.
    """

    signature: str
    params: tuple[str, ...]
    text: str
    chapter: str


@cache
def services() -> dict[str, Service]:
    """The services by their names, in the order of the chapters."""
    known: dict[str, Service] = {}
    chapters = resources.files("dsl").joinpath("spec").iterdir()
    for chapter in sorted(chapters, key=lambda one: one.name):
        if chapter.name.endswith(".md"):
            book = chapter.read_text(encoding="utf-8")
            for calls, text in (*_ROW.findall(book), *_SENTENCE.findall(book)):
                for signature, name, params in _CALL.findall(calls):
                    if name in SERVICES and name not in known:
                        named = tuple(filter(None, (p.strip() for p in params.split(","))))
                        known[name] = Service(signature, named, text.strip(), chapter.name)
    return known
