"""What stands beside the rules: the index of the rulebook, which citations name, and the catalogues of texts."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from compiler import ir
from compiler.check.context import Context
from compiler.resolve import Resolved
from dsl.diagnostics import Severity, did_you_mean
from dsl.source import Source, Span

_CITATION = re.compile(r"^[^#\n|]*?@(?:rule|section)[ \t]+([A-Za-z0-9.\-, \t]+)", re.MULTILINE)
_RULE_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*-(?:[A-Za-z0-9.\-]*[A-Za-z0-9])")
_ARGUMENT = re.compile(r"\{(\d+)\}")
_ALWAYS = ("title", "none", "bool.yes", "bool.no")


def check_catalogues(ctx: Context, resolved: Resolved) -> None:
    """Check citations against the index and keys against what has a text; enter the texts into the program."""
    _citations(ctx, resolved)
    keys: set[str] | None = None
    for folder in reversed(resolved.folders):
        for path in sorted(folder.glob("texts/*.yaml")):
            entries = _entries(ctx, resolved, folder, path)
            ctx.program.texts.setdefault(path.stem, {}).update({key: value for key, value, _ in entries})
            if folder == resolved.folders[0] and not any(d.is_error for d in ctx.diagnostics):
                keys = keys if keys is not None else _keys(ctx)
                _texts(ctx, entries, keys)


def _citations(ctx: Context, resolved: Resolved) -> None:
    """Report IDs that no index of the ruleset or its bases knows; without any index nothing is reported."""
    index: set[str] = set()
    found = False
    for folder in resolved.folders:
        path = folder / "rulebook.yaml"
        if path.is_file():
            found = True
            index.update(key for key, _, _ in _entries(ctx, resolved, folder, path))
    if not found:
        return
    for source in list(resolved.sources.values()):
        if not source.name.endswith(".grog"):
            continue
        for citation in _CITATION.finditer(source.text):
            for match in _RULE_ID.finditer(citation.group(1)):
                if match.group() not in index:
                    at = citation.start(1) + match.start()
                    ctx.error(
                        "C701",
                        f"the rulebook index has no rule '{match.group()}'",
                        source.span(at, at + len(match.group())),
                        did_you_mean(match.group(), index) or "cite a rule of rulebook.yaml, or enter the rule there",
                    )


def _entries(ctx: Context, resolved: Resolved, folder: Path, path: Path) -> list[tuple[str, str, Span]]:
    """The keys of a YAML mapping with their values (as text) and places; what cannot be read is reported."""
    shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        ctx.error("C703", f"{shown} cannot be read: {error}", Source(shown, "").span(0, 0), "write it as UTF-8")
        return []
    source = resolved.sources.setdefault(shown, Source(shown, text))
    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = min(mark.index, len(text)) if mark is not None else 0
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        remedy = "write one 'key: value' on each line; put quotes around a value with ':' in it"
        ctx.error("C703", f"this is not YAML: {what}", source.span(at, at), remedy)
        return []
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        ctx.error("C703", "this is not a mapping of keys to values", source.span(0, 0), "write one 'key: value' on each line")
        return []
    entries: list[tuple[str, str, Span]] = []
    seen: set[str] = set()
    for key, value in root.value:
        span = source.span(key.start_mark.index, key.end_mark.index)
        if not isinstance(key, yaml.ScalarNode):
            ctx.error("C703", "a key is a word", span, "write one 'key: value' on each line")
            continue
        if key.value in seen:
            ctx.error("C703", f"'{key.value}' stands here twice; the last one counts", span, "remove one", severity=Severity.WARNING)
        seen.add(key.value)
        entries.append((key.value, value.value if isinstance(value, yaml.ScalarNode) else "", span))
    return entries


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
        uses += [(f"option.{option.word}", int(option.value is not None)) for option in decision.options]
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
