"""Loads scenarios: reads, checks the shape, checks the sense, builds the set-up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from runtime.data.check import check
from runtime.data.findings import Finding, in_order
from runtime.data.reader import Mapping, Node, Scalar, read_file, read_tree
from runtime.model import BoardSetUp, RulesetSpec
from runtime.scenario.boards import read_board
from runtime.scenario.build import Built, Initial, build
from runtime.scenario.setup import SetUp, Unmet
from runtime.scenario.shape import CODES as SHAPE_CODES
from runtime.scenario.shape import scenario_shape
from runtime.scenario.unmet import finding_of
from runtime.spelling import nearest
from runtime.words.said import said


def load(
    source: Path | str | bytes | Node,
    spec: RulesetSpec,
    *,
    name: str | None = None,
    initial: Initial | None = None,
    broken: Callable[[SetUp], list[Unmet]] | None = None,
) -> tuple[SetUp | None, list[Finding]]:
    """Load a scenario for a ruleset: the set-up, or None when there are errors, and all findings.

    *source* is a path, or a text: a ``str`` of one line that ends in ``.yaml`` or ``.yml`` is a
    path too; or the tree of one that has been read.  *name* is how the findings call it.  *initial*
    knows the initial values of fields of pieces that come from expressions, *broken* says which
    demands of the ruleset a set-up does not meet.  *spec* may be on the scenario's board already,
    or on the ruleset's own.  Nothing is raised.
    """
    built, findings = lay_out(source, spec, name=name, initial=initial)
    if built is None:
        return None, findings
    root, file, _ = _tree(source, name)
    if broken is not None and not any(f.is_error for f in findings):
        assert isinstance(root, Mapping)
        findings += [finding_of(unmet, root, spec, file) for unmet in broken(built.setup)]
    return (None if any(f.is_error for f in findings) else built.setup), in_order(findings)


def lay_out(
    source: Path | str | bytes | Node,
    spec: RulesetSpec,
    *,
    name: str | None = None,
    initial: Initial | None = None,
) -> tuple[Built | None, list[Finding]]:
    """As :func:`load`, but also of a scenario whose form alone is right: its set-up may be
    impossible, as the findings say.  None where the form is not right.
    """
    root, file, findings = _tree(source, name)
    if root is None:
        return None, findings
    if not isinstance(root, Mapping):
        remedy = "start with 'ruleset:' and 'title:'"
        message, place = "the file is not a mapping of keys to values", (root.line, root.column)
        return None, [Finding("S104", message, file, *place, remedy=remedy)]
    findings = _other_ruleset(root.get("ruleset"), spec, file)
    if findings:
        return None, findings
    board, findings = read_board(root, spec, file)
    if not findings:
        spec = spec.on(board)
        findings = check(root, scenario_shape(spec), file, SHAPE_CODES)
    if findings:
        return None, findings
    built = build(root, spec, file, initial)
    return replace(built, setup=replace(built.setup, board=board)), [*built.findings]


def board_of(
    source: Path | str | bytes | Node, spec: RulesetSpec, name: str | None = None
) -> BoardSetUp | None:
    """The board that a scenario brings along; None where there is none, or it is not in order."""
    root, file, _ = _tree(source, name)
    if not isinstance(root, Mapping) or _other_ruleset(root.get("ruleset"), spec, file):
        return None
    return read_board(root, spec, file)[0]


def _tree(
    source: Path | str | bytes | Node, name: str | None
) -> tuple[Node | None, str, list[Finding]]:
    """What a file or text says, what findings call it, and those."""
    if isinstance(source, str) and "\n" not in source and source.endswith((".yaml", ".yml")):
        source = Path(source)
    file = name if name is not None else str(source) if isinstance(source, Path) else "scenario"
    if isinstance(source, Node):
        return source, file, []
    root, findings = (
        read_file(source, file) if isinstance(source, Path) else read_tree(source, file)
    )
    return root, file, findings


def _other_ruleset(node: Node | None, spec: RulesetSpec, file: str) -> list[Finding]:
    """A scenario for another ruleset: everything else said about it would be misleading."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.value == spec.name:
        return []
    message = said(
        "the scenario is for ruleset '{text}', this is '{name}'", text=node.text, name=spec.name
    )
    if node.text in spec.bases:
        remedy = said(
            "'{name}' extends it: copy the scenario with 'ruleset: {name}'", name=spec.name
        )
    elif nearest(node.text, [spec.name]) is not None:
        remedy = said(
            "did you mean '{name}'? Otherwise load it with its own ruleset", name=spec.name
        )
    else:
        remedy = "load it with its own ruleset, or change the key 'ruleset'"
    return [Finding("S202", message, file, node.line, node.column, remedy=remedy)]
