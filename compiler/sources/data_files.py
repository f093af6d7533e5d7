"""The files in YAML beside the rules: reading them as part of a ruleset's sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from dsl.diagnostics import Diagnostic, Severity
from dsl.source import Source, Span
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, Scalar, parse
from runtime.data.shapes import Fault
from runtime.files import read_text, unreadable

Report = Callable[[Diagnostic], None]
_SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}


def span_of(source: Source, node: Node | Finding) -> Span:
    """Where a node or finding is in the text it was read from."""
    start = source.at(node.line, node.column)
    end = source.at(node.line, node.end) if isinstance(node, Scalar) and node.end else start + 1
    return source.span(start, min(max(start, end), len(source.text)))


def report_faults(source: Source, faults: Iterable[Fault], code: str, report: Report) -> None:
    """Report faults of one file, with one code."""
    for fault in faults:
        severity = _SEVERITIES[fault.severity]
        span = span_of(source, fault.node)
        report(Diagnostic(code, fault.message, span, severity, remedy=fault.remedy))


def parsed(source: Source, code: str, report: Report) -> Mapping | None:
    """The content of a file: None where it holds nothing, or what is wrong with it is reported."""
    root, findings = parse(source.text, source.name)
    for one in findings:
        report(Diagnostic(code, one.message, span_of(source, one), remedy=one.remedy))
    if root is None or isinstance(root, Mapping):
        return root
    remedy = "write one 'key: value' on each line"
    report(Diagnostic(code, "the file is not a mapping", source.span(0, 0), remedy=remedy))
    return None


def read_mapping(
    folder: Path, path: Path, sources: dict[str, Source], code: str, report: Report
) -> tuple[Source, Mapping]:
    """The content of a file in the folder of a ruleset, which is entered into *sources*; an empty
    mapping where it cannot be read, which is reported.
    """
    shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    nothing = Mapping((), 1, 1)
    try:
        text = read_text(path, within=folder)
    except (OSError, UnicodeDecodeError) as error:
        reason, remedy = unreadable(error)
        message = f"{shown} cannot be read: {reason}"
        source = Source(shown, "")
        report(Diagnostic(code, message, source.span(0, 0), remedy=remedy))
        return source, nothing
    source = sources.setdefault(shown, Source(shown, text))
    return source, parsed(source, code, report) or nothing
