"""Findings as text, JSON and SARIF.

A :class:`Report` collects the diagnostics of rulesets and the findings about scenarios and prints
them, sorted by place; what stands in English is said by :attr:`Report.say`.

The JSON form is stable; ``version`` changes when a key changes its meaning or disappears::

    {"format": "grognard-findings", "version": 1,
     "findings": [{"code": "R202", "severity": "error",           # error, warning or note
                   "title": "unknown field or column",            # what the code stands for
                   "message": "...", "file": "rulesets/x/units.grog",               # relative to
                   the current directory "line": 3, "column": 7, "end_line": 3, "end_column": 12,
                   # from 1; 0: no place "labels": [{"file", "line", "column", "end_line",
                   "end_column", "message"}], "citation": ["X-1.2"], "remedy": "...", "help":
                   "docs/diagnostics/R202.md"}],
     "summary": {"errors": 1, "warnings": 0, "notes": 0, "checked": ["x"]}}

The end is exclusive: ``end_column`` is the column after the last character.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from compiler.findings.codes import CODES, LOOKS
from dsl.source import NOWHERE, Source, Span
from runtime.data.findings import Finding, Place
from runtime.files import read_text
from runtime.scenario.codes import CODES as SCENARIO_CODES
from runtime.spelling import STEERING, with_words_cut
from runtime.words.said import said

if TYPE_CHECKING:
    from compiler.ruleset import Ruleset
    from dsl.diagnostics import Diagnostic

_WIDEST = 160
#: How many findings the text shows; more bury what matters.
_SHOWN = 100
_RED, _YELLOW, _BLUE, _BOLD, _DIM, _GREEN = "1;31", "1;33", "1;34", "1", "2", "32"
_COUNTED = {
    "error": "{count: 1 # error | # errors}",
    "warning": "{count: 1 # warning | # warnings}",
    "note": "{count: 1 # note | # notes}",
}
_COLORS = {"error": _RED, "warning": _YELLOW, "note": _BLUE}


def titles() -> dict[str, str]:
    """All codes with their titles; those of the parser have theirs on their pages only."""
    return {**CODES, **LOOKS, **SCENARIO_CODES}


def _page(code: str) -> str:
    """The page that explains a code."""
    return f"docs/diagnostics/{code}.md"


#: So many of the things that were checked are named, and the rest counted.
_NAMED = 5
_CONTROL = re.compile(rf"(\x1b\[[0-9;]*m)|{STEERING.pattern}")


def shown_path(path: Path | str) -> str:
    """A path as people want to see it: relative where it lies below; links keep their names."""
    try:
        shown = Path(os.path.abspath(path)).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        shown = str(path)
    return shown.encode(errors="backslashreplace").decode()


def harmless(text: str, color: bool = False) -> str:
    """A text without control characters; with *color*, colours stay."""
    return _CONTROL.sub(
        lambda found: found[0] if color and found[1] else "\N{REPLACEMENT CHARACTER}", text
    )


@dataclass
class Report:
    """Findings, the texts they point into, and what was checked."""

    findings: list[Finding] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    #: says in the language of the reader what findings say in English
    say: Callable[[str], str] = str
    _known: set[Finding] = field(default_factory=set)
    _texts: dict[str, Source] = field(default_factory=dict)

    # ------------------------------------------------------------------ collecting

    def add_ruleset(self, ruleset: Ruleset) -> None:
        """Take the diagnostics of a ruleset."""
        self.checked.append(ruleset.name)
        paths = {name: shown_path(path) for name, path in ruleset.paths.items()}
        self.add_diagnostics(ruleset.diagnostics, ruleset.sources, paths)

    def add_diagnostics(
        self,
        diagnostics: Iterable[Diagnostic],
        sources: dict[str, Source],
        paths: dict[str, str] | None = None,
    ) -> None:
        """Take diagnostics; *paths* maps the names of sources to the paths to be shown."""
        paths = paths or {}
        for name, source in sources.items():
            self._texts.setdefault(paths.get(name, name), source)
        for d in diagnostics:
            place = _place(d.span, paths)
            finding = Finding(
                *(d.code, d.message, place.file, place.line, place.column),
                severity=d.severity.value,
                remedy=d.remedy,
                end_line=place.end_line,
                end_column=place.end_column,
                citation=tuple(d.citation),
                labels=tuple((_place(label.span, paths), label.text) for label in d.labels),
            )
            self._add(finding)

    def add_findings(self, findings: Iterable[Finding], checked: str | None = None) -> None:
        """Take findings about a scenario."""
        if checked is not None:
            self.checked.append(checked)
        for f in findings:
            end = f.column + self._token(f.file, f.line, f.column) if f.line else 0
            self._add(replace(f, end_line=f.line, end_column=end))

    def _add(self, finding: Finding) -> None:
        if finding not in self._known:
            self._known.add(finding)
            self.findings.append(finding)

    # ------------------------------------------------------------------ what there is

    @property
    def by_place(self) -> list[Finding]:
        """The findings by place."""
        return sorted(self.findings, key=lambda f: (f.file, f.line, f.column, f.code, f.message))

    def count(self, severity: str) -> int:
        """How many findings there are of a severity."""
        return sum(e.severity == severity for e in self.findings)

    @property
    def clean(self) -> bool:
        """Whether there is no error and no warning."""
        return not self.count("error") and not self.count("warning")

    def summary(self) -> str:
        """One line."""
        counts = [(self.count(word), _COUNTED[word]) for word in ("error", "warning", "note")]
        shown = [self.say(said(words, count=count)) for count, words in counts if count]
        what, names = ", ".join(shown) or self.say("no findings"), ", ".join(self.checked)
        more = len(self.checked) - _NAMED
        if more > 1:
            first = ", ".join(self.checked[:_NAMED])
            names = self.say(said("{names} and {more} more", names=first, more=more))
        return f"{names}: {what}" if names else what

    # ------------------------------------------------------------------ text

    def render(self, format: str = "text", color: bool = False) -> str:
        """The whole report as ``text``, ``json`` or ``sarif``."""
        if format == "json":
            return json.dumps(self.json(), indent=2, ensure_ascii=False)
        if format == "sarif":
            return json.dumps(self.sarif(), indent=2, ensure_ascii=False)
        return self.text(color)

    def text(self, color: bool = False) -> str:
        """All findings with their source lines, and a summary."""
        blocks = [self._block(finding, color) for finding in self.by_place[:_SHOWN]]
        if len(self.findings) > _SHOWN:
            more = len(self.findings) - _SHOWN
            rest = said("… and {more} more; `--format json` lists them all", more=more)
            blocks.append(self.say(rest))
        worst = _RED if self.count("error") else _YELLOW if self.count("warning") else _GREEN
        text = "\n\n".join([*blocks, _paint(self.summary(), worst, color)])
        return with_words_cut(harmless(text, color))

    def _block(self, found: Finding, color: bool) -> str:
        tint, bar = _COLORS[found.severity], _paint("│", _DIM, color)
        what = _paint(f"{self.say(found.severity)} {found.code}".rstrip(), tint, color)
        message = self.say(found.message)
        lines = [f"{_paint(str(found.place), _BOLD, color)}: {what}: {message}"]
        places = [(found.place, "", "^", tint)]
        places += [(place, self.say(text), "-", _BLUE) for place, text in found.labels]
        shown = [p for p in places if p[0].line]
        margin = max((len(str(p[0].line)) for p in shown), default=1)
        current = found.place.file
        for place, text, mark, style in shown:
            if place.file != current:
                current = place.file
                lines.append(_paint(f"{' ' * margin} → {place}", _DIM, color))
            source = self._line(place.file, place.line)
            if source is None:
                if text:
                    lines.append(f"{' ' * margin}   {place}: {text}")
                continue
            code, pad, width = _cut(source, place)
            number = _paint(str(place.line).rjust(margin), _DIM, color)
            lines.append(f" {number} {bar} {code}".rstrip())
            marks = _paint(f"{mark * width} {text}".rstrip(), style, color)
            lines.append(f" {' ' * margin} {bar} {' ' * pad}{marks}")
        indent = " " * (margin + 4)
        if found.citation:
            rule = _paint(self.say("rule:"), _DIM, color)
            lines.append(f"{indent}{rule} {', '.join(found.citation)}")
        if found.remedy:
            remedy = _paint(self.say("remedy:"), _GREEN, color)
            lines.append(f"{indent}{remedy} {self.say(found.remedy)}")
        return "\n".join(lines)

    def _line(self, file: str, number: int) -> str | None:
        source = self._source(file)
        return source.line(number) if source is not None else None

    def _source(self, file: str) -> Source | None:
        if file not in self._texts:
            try:
                self._texts[file] = Source(file, read_text(Path(file)))
            except (OSError, UnicodeDecodeError, ValueError):
                return None
        return self._texts[file]

    def _token(self, file: str, line: int, column: int) -> int:
        """How many characters the word at a place has."""
        text = (self._line(file, line) or "")[column - 1 :]
        if text.startswith(("'", '"')):
            end = text.find(text[0], 1)
            return end + 1 if end > 0 else 1
        length = 0
        while length < len(text) and not text[length].isspace() and text[length] not in ",:[]{}#":
            length += 1
        return max(1, length)

    # ------------------------------------------------------------------ JSON, SARIF

    def json(self) -> dict[str, Any]:
        """The stable JSON form; see the module's description."""
        known = titles()
        findings = [
            {
                "code": e.code,
                "severity": e.severity,
                "title": known.get(e.code, ""),
                "message": self.say(e.message),
                **e.place.data(),
                "labels": [{**place.data(), "message": self.say(text)} for place, text in e.labels],
                "citation": list(e.citation),
                "remedy": self.say(e.remedy),
                "help": _page(e.code),
            }
            for e in self.by_place
        ]
        words = ("error", "warning", "note")
        summary = {**{f"{word}s": self.count(word) for word in words}, "checked": self.checked}
        head = {"format": "grognard-findings", "version": 1}
        return {**head, "findings": findings, "summary": summary}

    def sarif(self) -> dict[str, Any]:
        """SARIF 2.1.0."""
        codes = sorted({e.code for e in self.findings})
        known = titles()
        rules = []
        for code in codes:
            rule: dict[str, Any] = {"id": code, "properties": {"page": _page(code)}}
            if known.get(code):
                rule["shortDescription"] = {"text": known[code]}
            rules.append(rule)
        results = []
        for e in self.by_place:
            result: dict[str, Any] = {
                "ruleId": e.code,
                "ruleIndex": codes.index(e.code),
                "level": e.severity,
                "message": {
                    "text": "\nRemedy: ".join(filter(None, map(self.say, (e.message, e.remedy))))
                },
                "locations": [_location(e.place)] if e.place.file else [],
            }
            if e.labels:
                result["relatedLocations"] = [
                    {"id": i, **_location(place), "message": {"text": self.say(text)}}
                    for i, (place, text) in enumerate(e.labels, 1)
                ]
            if e.citation:
                result["properties"] = {"citation": list(e.citation)}
            results.append(result)
        driver = {"name": "grognard", "version": _version(), "rules": rules}
        run: dict[str, Any] = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"SRCROOT": {"uri": Path.cwd().as_uri() + "/"}},
            "results": results,
        }
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def wants_color(stream: Any) -> bool:
    """Whether to colour what is written to *stream*: a terminal, and ``NO_COLOR`` unset."""
    terminal = bool(getattr(stream, "isatty", bool)()) and os.environ.get("TERM") != "dumb"
    return terminal and not os.environ.get("NO_COLOR")


def _place(span: Span, paths: dict[str, str]) -> Place:
    if span == NOWHERE:
        return Place("")
    file = paths.get(span.file, span.file)
    return Place(file, span.line, span.column, span.end_line, span.end_column)


def _location(place: Place) -> dict[str, Any]:
    path, artifact = Path(place.file), {"uri": quote(place.file), "uriBaseId": "SRCROOT"}
    if path.is_absolute():
        artifact = {"uri": path.as_uri()}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": max(1, place.column)}
        if (place.end_line, place.end_column) > (place.line, place.column):
            physical["region"].update(endLine=place.end_line, endColumn=max(1, place.end_column))
    return {"physicalLocation": physical}


def _cut(line: str, place: Place) -> tuple[str, int, int]:
    """The line as shown, how many blanks come before the marks, and how many marks there are."""
    line = "".join(ch if ch.isprintable() else " " if ch == "\t" else "·" for ch in line)
    start = min(max(place.column - 1, 0), len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    end = max(start + 1, min(end, max(len(line), start + 1)))
    if len(line) > _WIDEST:
        first = max(0, min(start - 20, len(line) - _WIDEST))
        head, tail = "…" if first else "", "…" if first + _WIDEST < len(line) else ""
        line = head + line[first : first + _WIDEST] + tail
        shift = first - len(head)
        start, end = start - shift, min(end - shift, len(line))
    return line, _columns(line[:start]), max(1, _columns(line[start:end].ljust(end - start)))


def _columns(text: str) -> int:
    """How many columns of a terminal *text* takes."""
    return sum(
        0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1
        for ch in text
    )


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color and text else text


def _version() -> str:
    # start-up: SARIF alone names the version, and the metadata of packages takes 30 ms
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("grognard")
    except PackageNotFoundError:
        return "0"
