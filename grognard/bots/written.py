"""Weights in the sources of a ruleset: which can be changed there, and what they look like then."""

from __future__ import annotations

from collections.abc import Mapping

from compiler.output.report import shown_path
from compiler.ruleset import Ruleset
from dsl.formatter import format_source
from dsl.source import Source, Span


def tunable(ruleset: Ruleset) -> list[str]:
    """The weights that can be given other values in a ruleset's own files: those of its tables, and
    all that stand by themselves, for which those of bases are replaced.
    """
    program = ruleset.program
    own = f"{ruleset.name}/"
    spans = program.weight_spans
    return [name for name in program.weights if "." not in name or spans[name].file.startswith(own)]


def files_with_weights(ruleset: Ruleset, weights: Mapping[str, int]) -> dict[str, str]:
    """The files, by the names shown to people, with other weights in their places; comments and
    layout stay.  A weight of a base is replaced in the file with the ruleset's own weights.
    """
    spans, own = ruleset.program.weight_spans, f"{ruleset.name}/"
    places: dict[str, list[tuple[Span, int]]] = {}
    replaced = []
    for name, value in weights.items():
        if spans[name].file.startswith(own):
            places.setdefault(spans[name].file, []).append((spans[name], value))
        else:
            replaced.append(f"replace weight {name} = {value}\n")
    if replaced:
        places.setdefault(_home(ruleset), [])
    texts = {}
    for file, changed in places.items():
        text = ruleset.sources[file].text
        tidy = format_source(Source(file, text)) == text
        for span, value in sorted(changed, key=lambda one: -one[0].start):
            text = f"{text[: span.start]}{value}{text[span.end :]}"
        if replaced and file == _home(ruleset):
            heading = "@section\n\n" if "@section" in text else ""
            text = f"{text.rstrip()}\n\n{heading}{''.join(replaced)}"
        texts[file] = format_source(Source(file, text)) if tidy else text
    return texts


def changes(ruleset: Ruleset, weights: Mapping[str, int]) -> list[str]:
    """Other values of weights, each with the file and line where the weight stands."""
    places, lines = ruleset.program.weight_spans, []
    for name, value in sorted(weights.items(), key=lambda one: places[one[0]].start):
        place, before = places[name], ruleset.spec.weights[name].value
        path = shown_path(ruleset.paths[place.file])
        lines.append(f"{path}:{place.line}: {name} {before} → {value}")
    return lines


def _home(ruleset: Ruleset) -> str:
    """The file of a ruleset that holds its own weights, or its first."""
    own = f"{ruleset.name}/"
    files = [span.file for span in ruleset.program.weight_spans.values()]
    known = [file for file in (*files, *ruleset.sources) if file.startswith(own)]
    return next(file for file in known if file.endswith(".grog"))
