"""The files in YAML beside the rules: reading them as part of a ruleset's sources."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compiler.sources.files import Files, Report, display_name
from dsl.diagnostics import Diagnostic, Severity
from dsl.source import Source, Span
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, Scalar
from runtime.data.shapes import Fault
from runtime.files import unreadable
from runtime.words.said import said

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


def parse_data_file(files: Files, source: Source, code: str, report: Report) -> Mapping | None:
    """The content of a file: None where it holds nothing, or what is wrong with it is reported."""
    root, findings = files.tree(source)
    for one in findings:
        report(Diagnostic(code, one.message, span_of(source, one), remedy=one.remedy))
    if root is None or isinstance(root, Mapping):
        return root
    remedy = "write one 'key: value' on each line"
    report(Diagnostic(code, "the file is not a mapping", source.span(0, 0), remedy=remedy))
    return None


def read_mapping(
    files: Files, folder: Path, path: Path, sources: dict[str, Source], code: str, report: Report
) -> tuple[Source, Mapping]:
    """The content of a file in the folder of a ruleset, which is entered into *sources*; an empty
    mapping where it cannot be read, which is reported.
    """
    name = display_name(folder, path)
    nothing = Mapping((), 1, 1)
    try:
        text = files.text(folder, path)
    except (OSError, UnicodeDecodeError) as error:
        reason, remedy = unreadable(error)
        message = said("{name} cannot be read: {reason}", name=name, reason=reason)
        source = Source(name, "")
        report(Diagnostic(code, message, source.span(0, 0), remedy=remedy))
        return source, nothing
    source = sources.setdefault(name, files.source(name, text))
    return source, parse_data_file(files, source, code, report) or nothing
