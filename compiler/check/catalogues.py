"""What stands beside the rules: the catalogues of texts."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from compiler import ir
from compiler.check.context import Context
from compiler.resolve import Resolved
from compiler.rulebook import keyed
from dsl.diagnostics import Severity, did_you_mean
from dsl.source import Span
from runtime.files import entries

_ARGUMENT = re.compile(r"\{(\d+)\}")
_ALWAYS = ("title", "none", "bool.yes", "bool.no")


def check_catalogues(ctx: Context, resolved: Resolved) -> None:
    """Check keys against what has a text; enter the texts into the program."""
    keys: set[str] | None = None
    for folder in reversed(resolved.folders):
        for path in entries(folder / "texts", ".yaml"):
            texts = _entries(ctx, resolved, folder, path)
            ctx.program.texts.setdefault(path.stem, {}).update({key: value for key, value, _ in texts})
            if folder == resolved.folders[0] and not any(d.is_error for d in (*resolved.diagnostics, *ctx.diagnostics)):
                keys = keys if keys is not None else _keys(ctx)
                _texts(ctx, texts, keys)


def _entries(ctx: Context, resolved: Resolved, folder: Path, path: Path) -> list[tuple[str, str, Span]]:
    """The keys of a YAML mapping with their values (as text) and places; what cannot be read is reported."""
    found = keyed(folder, path, resolved.sources, ctx.diagnostics.append)
    return [(key, value.value if isinstance(value, yaml.ScalarNode) else "", span) for key, value, _, span in found]


def _keys(ctx: Context) -> set[str]:
    """All keys that a catalogue of this ruleset may have."""
    program = ctx.program
    keys = set(_ALWAYS)
    for enum, members in program.enums.items():
        for member in members:
            keys |= {f"{enum}.{member}", f"{enum}.{member}.text"}
    for name in (*program.switches, *program.scopes):
        keys |= {f"switch.{name}", f"scope.{name}"}
    keys |= {f"{f.owner}.{f.base}" for f in program.fields.values()}
    keys |= {f"note.{name}" for name in program.notes}
    keys |= {f"require.{name}" for name in program.requirements}
    keys |= {f"effect.{name}" for name in program.effects} | {f"pile.{name}" for name in program.piles}
    keys |= {f"field.{f.base}" for f in program.fields.values()}
    if "score" in program.calls:
        keys.add("score")
    for decision in program.decisions:
        keys.add(f"prompt.{decision.prompt}")
        keys |= {f"option.{option.word}" for option in decision.options}
        if decision.passing is not None:
            keys.add(f"pass.{decision.passing}")
    return keys


def _arguments(program: ir.Program) -> dict[str, int]:
    """How many arguments the texts of questions, options and notes have; the fewest where a name is used in several ways."""
    uses = [(f"note.{name}", len(types)) for name, types in zip(program.notes, program.note_types, strict=True)]
    for decision in program.decisions:
        uses.append((f"prompt.{decision.prompt}", len(decision.about)))
        uses += [(f"option.{option.word}", len(option.values)) for option in decision.options]
    found: dict[str, int] = {}
    for key, count in uses:
        found[key] = min(count, found.get(key, count))
    return found


def _texts(ctx: Context, entries: list[tuple[str, str, Span]], keys: set[str]) -> None:
    arguments = _arguments(ctx.program)
    for key, text, span in entries:
        places = [int(place) for place in _ARGUMENT.findall(text)] if key in arguments else []
        if places and max(places) >= arguments[key]:
            has = f"{arguments[key]} argument{'s' if arguments[key] != 1 else ''}"
            message = f"the text '{key}' asks for {{{max(places)}}}, but '{key.split('.', 1)[1]}' is used with {has}"
            remedy = "arguments are numbered from {0}; give the argument where the rules use the name, or remove it here"
            ctx.error("C707", message, span, remedy, severity=Severity.WARNING)
        if key not in keys:
            near = did_you_mean(key, keys)
            ctx.error(
                "C702",
                f"nothing uses the text '{key}'",
                span,
                near or "remove it; keys are title, prompt.…, option.…, pass.…, note.…, <Enum>.<member> and <Enum>.<member>.text",
                severity=Severity.WARNING,
            )
