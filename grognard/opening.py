"""Scenarios made ready to be played: from files, by name, or from what a file would hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compiler.output.report import shown_path
from grognard import places
from grognard.arguments import message_without_place, path_in_words, path_of, plain
from grognard.scenario import Scenario, initial_values
from runtime.data.findings import Finding, suggestion
from runtime.data.reader import Mapping as Tree
from runtime.data.reader import Node, Scalar, read_file, read_tree
from runtime.data.reader import plain as plain_of
from runtime.data.tree import tree_of
from runtime.errors import ArgumentError, LoadError, value_in_words
from runtime.files import read_bytes, remedy_of
from runtime.program import CompiledProgram
from runtime.scenario import SetUp, board_of, load
from runtime.spelling import did_you_mean
from runtime.words.said import said

if TYPE_CHECKING:
    from compiler.ruleset import Ruleset


def open_scenario(
    scenario: str | Path | Mapping[str, Any],
    switches: Mapping[str, bool] | None = None,
    ruleset: str | Path | None = None,
    root: str | Path | None = None,
    language: str = "en",
    required: bool = True,
) -> Scenario:
    """A scenario ready to be played; see :func:`grognard.load`.  Whether it meets what the ruleset
    requires is looked at only where that is *required*.
    """
    with places.searching(root):
        opened, findings = read_scenario(scenario, ruleset, required)
        if opened is None:
            name = "the scenario" if isinstance(scenario, Mapping) else str(scenario)
            raise places.of_findings(findings, name)
        known = sorted({"en", *opened.program.spec.texts})
        if language not in known:
            raise ArgumentError(
                f"there are no texts in the language {value_in_words(language)}",
                f"there is: {', '.join(known)}",
            )
        opened = replace(opened, language=language)
        return _with_switches(opened, switches) if switches else opened


def _with_switches(scenario: Scenario, switches: Mapping[str, bool]) -> Scenario:
    """A scenario with other optional rules."""
    spec = scenario.program.spec
    if not isinstance(switches, Mapping):
        raise ArgumentError(
            f"switches is a mapping from names to bools, not {type(switches).__name__}"
        )
    for name, on in switches.items():
        if name not in spec.switches:
            known = (
                f"there is: {', '.join(spec.switches)}"
                if spec.switches
                else f"'{spec.name}' has no switches"
            )
            raise LoadError(
                f"'{spec.name}' has no switch {value_in_words(name)}",
                did_you_mean(str(name), spec.switches) or known,
            )
        if not isinstance(on, bool):
            raise ArgumentError(
                f"the switch '{name}' is on or off: give True or False, not {value_in_words(on)}"
            )
    setup = replace(scenario.setup, switches={**scenario.setup.switches, **switches})
    unmet = scenario.program.unmet_requirements(setup)
    if unmet:
        raise LoadError(f"with these switches {unmet[0]}", "change the switches, or the scenario")
    return replace(scenario, setup=setup)


def read_scenario(
    scenario: str | Path | Mapping[str, Any],
    ruleset: str | Path | None = None,
    required: bool = True,
) -> tuple[Scenario | None, list[Finding]]:
    """A scenario, None when it has errors, and what is found."""
    folder = None if ruleset is None else places.ruleset_folder(str(path_of(ruleset, "ruleset")))
    if isinstance(scenario, Mapping):
        return _from_mapping(scenario, folder, required)
    path = places.scenario_path(str(path_of(scenario, "scenario")))
    owner = folder if folder is not None else ruleset_of(path)
    if isinstance(owner, list):
        return None, owner
    return load_scenario(path, owner, places.program_of(owner), required)


def ruleset_of(path: Path) -> Path | list[Finding]:
    """The folder of the ruleset that a scenario is for, or what prevents it from being known."""
    shown = shown_path(path)
    try:
        read_bytes(path)
    except OSError as error:
        raise LoadError(f"{shown} cannot be read: {error.strerror}", remedy_of(error)) from None
    root, findings = read_file(path, shown)
    return findings if root is None else ruleset_named(root, shown)


def ruleset_named(root: Node, shown: str) -> Path | list[Finding]:
    """The folder of the ruleset that a file, *shown* under a name, says it is for, or what prevents
    it from being known.
    """
    known = places.rulesets()

    def missing(code: str, message: str, node: Node, remedy: str) -> list[Finding]:
        return [Finding(code, message, shown, node.line, node.column, remedy=remedy)]

    if not isinstance(root, Tree):
        remedy = "start with 'ruleset:' and 'title:'"
        return missing("S104", "the file is not a mapping of keys", root, remedy)
    node = root.get("ruleset")
    if not isinstance(node, Scalar):
        remedy = said("add a line like 'ruleset: {name}'", name=next(iter(known), "name"))
        return missing("S112", "the key 'ruleset' is missing", node or root, remedy)
    folder = places.find(node.text)
    if folder is None:
        message = said("there is no ruleset '{name}'", name=node.text)
        return missing("S202", message, node, suggestion(node.text, known))
    return folder


def load_scenario(
    path: Path,
    folder: Path,
    program: CompiledProgram,
    required: bool = True,
    text: str | None = None,
    ruleset: Ruleset | None = None,
) -> tuple[Scenario | None, list[Finding]]:
    """Load a scenario's file for the program of the ruleset in a folder: None when it has errors,
    and the findings; what the ruleset demands of it is among these only where it is *required*.

    A *text* stands in for what is in the file; *ruleset* is that of the program where it is not
    what is on disk.
    """
    shown, source, content = shown_path(path), None, None
    if text is not None:
        source, findings = read_tree(text, shown)
        if source is None:
            return None, findings
        content = plain_of(source)
    program, setup, findings = _set_up(source or path, program, shown, required)
    if setup is None:
        return None, findings
    made = Scenario(program, setup, folder, path=path, content=content, ruleset=ruleset)
    return made, findings


def _set_up(
    source: Path | Node, program: CompiledProgram, name: str, required: bool
) -> tuple[CompiledProgram, SetUp | None, list[Finding]]:
    """The program on the board of a scenario, and the set-up with what is found."""
    program = program.on(board_of(source, program.spec, name))
    broken = program.unmet_requirements if required else None
    initial = initial_values(program)
    return program, *load(source, program.spec, name=name, initial=initial, broken=broken)


def findings_in(
    text: str | bytes, shown: str, program_of: Callable[[Path], CompiledProgram]
) -> list[Finding]:
    """What is found in a text that would be a scenario's file, *shown* under a name, by the program
    of its ruleset's folder.  LoadError where its ruleset has errors.
    """
    root, findings = read_tree(text, shown)
    owner = findings if root is None else ruleset_named(root, shown)
    if root is None or isinstance(owner, list):
        return owner if isinstance(owner, list) else findings
    return _set_up(root, program_of(owner), shown, True)[2]


def _from_mapping(
    content: Mapping[str, Any], folder: Path | None, required: bool
) -> tuple[Scenario | None, list[Finding]]:
    """A scenario from what its file would hold."""
    data = plain(content, "")
    if folder is None:
        name = data.get("ruleset")
        if not isinstance(name, str):
            raise LoadError(
                "the scenario does not say for which ruleset it is",
                "give the key 'ruleset', or the argument",
            )
        folder = places.ruleset_folder(name)
    data.setdefault("ruleset", folder.name)
    data.setdefault("title", "untitled")
    program = places.program_of(folder)
    tree, diagnostics, paths = tree_of(data, "scenario")
    setup = None
    if tree is not None:
        program, setup, diagnostics = _set_up(tree, program, "scenario", required)
    findings = []
    for f in diagnostics:
        path = paths[f.line]
        message = message_without_place(f.message, path)
        findings.append(
            Finding(
                f.code,
                message,
                "scenario",
                severity=f.severity,
                remedy=f.remedy,
                key=path_in_words(path),
            )
        )
    return None if setup is None else Scenario(program, setup, folder, content=data), findings
