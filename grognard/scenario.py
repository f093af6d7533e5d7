"""A scenario that is loaded: its program, its set-up and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grognard.option import Option
from grognard.reading import Names
from runtime.model import PASS, branch_of
from runtime.program import CompiledProgram
from runtime.scenario.setup import SetUp
from runtime.scenario.yaml_text import plain, read_file
from runtime.wording import Wording, wording_for


@dataclass
class Scenario:
    """A scenario that is loaded: what all its games share."""

    program: CompiledProgram
    setup: SetUp
    folder: Path
    language: str = "en"
    path: Path | None = None
    #: what it says, as plain data; None where that is in its file
    content: dict[str, Any] | None = None

    @cached_property
    def said(self) -> dict[str, Any]:
        """What it says, as plain data: what its file holds, or what it was made of."""
        if self.content is not None:
            return self.content
        root, _ = read_file(self.path, str(self.path)) if self.path is not None else (None, [])
        return {} if root is None else dict(plain(root))

    @cached_property
    def names(self) -> Names:
        """The names of its things."""
        return Names(self.wording)

    @cached_property
    def wording(self) -> Wording:
        """Its words."""
        return wording_for(self.program.spec, self.setup, self.language)


def options_of(names: Names, point: int, values: Sequence[int], about: tuple[Any, ...]) -> tuple[Option, ...]:
    """The options of a decision for people."""
    spec = names.spec.decisions[point]
    subject = tuple(s.text for s in names.wording.subjects(point, about)) if spec.about else ()
    known = names.options
    made = []
    for index, raw in enumerate(values):
        words = known.get((point, raw))
        if words is None:
            option = names.wording.option(point, raw)
            types = () if raw == PASS else spec.options[branch_of(raw)].values
            taken = tuple(
                names.read(t, v) for t, v in zip(types, (option.index, option.second), strict=False)
            )
            words = known[point, raw] = (option.text, option.word, taken, raw == PASS, spec.prompt)
        made.append(Option(*words, subject, index, raw))
    return tuple(made)
