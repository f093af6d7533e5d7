"""Files of cases run one after the other, as ``grognard test`` does: data comes back, nothing is
printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from compiler.interpreter import InterpretedProgram
from compiler.output.report import Report
from compiler.ruleset import Ruleset
from grognard import places
from grognard.cases.file import Case, CaseError, CaseFile, read_cases
from grognard.cases.runner import CaseRunner, Outcome
from grognard.files import below, short
from runtime.data.reader import Mapping as Tree
from runtime.data.reader import plain
from runtime.data.reader import read_tree as read_tree
from runtime.errors import LoadError
from runtime.files import read_bytes, remedy_of
from runtime.program import Program
from runtime.words.said import said


class RulesetErrors(Exception):
    """The ruleset of a file of cases has errors; *report* holds its findings."""

    def __init__(self, report: Report) -> None:
        super().__init__("the ruleset has errors")
        self.report = report


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file of cases that cannot be run because of what is wrong with it."""

    path: Path
    error: CaseError


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A case of balance, which plays many games (:func:`grognard.lab.balance.balances`)."""

    case: Case


@dataclass
class Workbench:
    """What cases are run with, and what was made ready for it.

    *rulesets* are those that have been read, by name; *program* makes of one what plays it; *text*
    gives what a file of cases or a scenario holds, by default that on disk.
    """

    rulesets: dict[str, Ruleset] = field(default_factory=dict)
    program: Callable[[Ruleset], Program] = lambda ruleset: ruleset.compiled
    text: Callable[[Path], str | bytes] = read_bytes
    _runners: dict[tuple[str, str], CaseRunner] = field(default_factory=dict)

    def runner(self, name: str, scenario: str) -> CaseRunner:
        """What runs the cases of one ruleset and scenario, each given by name; see
        :func:`run_files` for errors.
        """
        key = (name, scenario)
        if key not in self._runners:
            self._runners[key] = self._make_runner(name, scenario)
        return self._runners[key]

    def _make_runner(self, name: str, scenario: str) -> CaseRunner:
        folder = places.ruleset_folder(name)
        path = places.scenario_path(scenario)
        # a file of cases has no others read and told of but what its reader has among rulesets and
        # scenarios
        _among("ruleset", name, folder, places.rulesets())
        _among("scenario", scenario, path, places.scenarios())
        if name not in self.rulesets:
            self.rulesets[name] = places.readable_ruleset(folder)
        ruleset = self.rulesets[name]
        if not ruleset.ok:
            report = Report()
            report.add_ruleset(ruleset)
            raise RulesetErrors(report)
        try:
            root, findings = read_tree(self.text(path), str(path))
        except OSError as error:
            message = said(
                "the scenario '{scenario}' cannot be read: {reason}",
                scenario=scenario,
                reason=error.strerror,
            )
            raise LoadError(message, remedy_of(error)) from None
        if not isinstance(root, Tree):
            reason = findings[0].message if findings else "it is not a mapping"
            message = said(
                "the scenario '{scenario}' cannot be read: {reason}",
                scenario=scenario,
                reason=reason,
            )
            raise LoadError(message, "run `grognard validate` on it")
        rules = [rule for index in ruleset.resolved.indexes for rule in index.entries]
        return CaseRunner(ruleset.program, self.program(ruleset), plain(root), rules)


def workbench(interpreted: bool = False) -> Workbench:
    """A workbench for what is on disk; *interpreted*: that runs cases by the reference interpreter
    instead of compiled code.
    """
    if not interpreted:
        return Workbench()
    return Workbench(program=lambda one: InterpretedProgram(one.program, one.spec))


def case_files(arguments: Iterable[str | Path]) -> list[Path]:
    """The files that *arguments* mean: files as they are, folders as all .yaml files below them,
    rulesets, by name or folder, as those about them.

    LoadError when one of them is not there, or holds no such file.
    """
    files: list[Path] = []
    for argument in arguments:
        if not str(argument).strip():
            raise LoadError(
                "an empty name is no file or folder", "give files of cases, or folders with them"
            )
        path = Path(argument)
        ruleset = path if path.exists() else places.rulesets().get(str(argument))
        if ruleset is not None and places.is_ruleset(ruleset):
            about = files_about(ruleset)
            if not about:
                message = said("there are no cases of {name}", name=ruleset.name)
                raise LoadError(message, f"they stand in tests/cases/{ruleset.name}")
            files.extend(about)
        elif path.is_dir():
            files_below = below(path, ".yaml", ".yml")
            if not files_below:
                raise LoadError(f"there are no cases below '{argument}'", "cases are .yaml files")
            files.extend(files_below)
        elif path.is_file():
            files.append(path)
        else:
            raise LoadError(
                f"there is no file, folder or ruleset '{argument}'",
                "check the path; 'grognard list' shows the rulesets",
            )
    return files


def files_about(ruleset: Path) -> list[Path]:
    """The files of cases of the ruleset in a folder: in ``tests/cases`` under its name, here or
    beside the folder of all rulesets, and in its own folder ``cases``.
    """
    named = [
        root / "tests" / "cases" / ruleset.name for root in (Path.cwd(), ruleset.parent.parent)
    ]
    folders = {folder.absolute(): None for folder in (*named, ruleset / "cases") if folder.is_dir()}
    return [path for folder in folders for path in below(folder, ".yaml", ".yml")]


def read_files(
    files: Iterable[Path], text: Callable[[Path], str | bytes] = read_bytes
) -> Iterator[tuple[Path, CaseFile | UnreadFile]]:
    """What stands in each file."""
    for path in files:
        try:
            yield path, read_cases(path, text=text)
        except CaseError as error:
            yield path, UnreadFile(path, error)


def run_files(
    files: Iterable[Path],
    match: str = "",
    only: Callable[[Case], bool] | None = None,
    bench: Workbench | None = None,
) -> Iterator[Outcome | UnreadFile | LeftOut]:
    """Run the cases of *files* and give what came of each as soon as it is known.

    *match*: only cases whose name or rules contain these words, in whatever case; *only*: those of
    which this is true.  *bench*: with what they are run.  Cases of balance are left out.
    RulesetErrors when a ruleset does not compile, LoadError when it or a scenario is missing.
    """
    bench = Workbench() if bench is None else bench
    for path, read in read_files(files, bench.text):
        if isinstance(read, UnreadFile):
            yield read
            continue
        try:
            runner = bench.runner(read.ruleset, read.scenario)
        except LoadError as error:
            raise LoadError(f"{path}: {error.message}", error.remedy) from error
        for case in read.cases:
            if not case.matches(match) or (only is not None and not only(case)):
                continue
            yield LeftOut(case) if "balance" in case.data else runner.run(case)


def _among(what: str, name: str, path: Path, known: Mapping[str, Path]) -> None:
    """LoadError where cases name something that is not found by its name."""
    if path.resolve() not in (one.resolve() for one in known.values()):
        raise LoadError(
            f"'{short(name)}' is not the name of a {what}",
            f"cases are for a {what} that `grognard list` shows",
        )
