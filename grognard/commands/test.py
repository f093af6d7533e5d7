"""Run test cases of rulesets.

Cases are YAML files (docs/cases.md); a folder stands for all files below it.  Exit code 1 when a case fails.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grognard import places
from grognard.commands import CLEAN, FINDINGS, Found, Misuse


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("cases", metavar="CASES", nargs="+", help="files of cases, or folders of them")
    parser.add_argument("-k", "--match", metavar="WORDS", help="only cases whose name or rules contain these words")
    parser.add_argument("--interpreted", action="store_true", help="run them with the reference interpreter")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the cases that hold, too")


def run(args: argparse.Namespace) -> int:
    """The command."""
    files = case_files(args.cases)
    from grognard.cases import CaseError, CaseRunner, read_cases

    runners: dict[tuple[str, str], CaseRunner] = {}
    passed = failed = 0
    for path in files:
        try:
            read = read_cases(path)
        except CaseError as error:
            print(error)
            failed += 1
            continue
        key = (read.ruleset, read.scenario)
        if key not in runners:
            runners[key] = runner_for(read.ruleset, read.scenario, args.interpreted)
        for case in read.cases:
            if args.match and args.match.lower() not in " ".join((case.name, *case.rules)).lower():
                continue
            outcome = runners[key].run(case)
            if outcome.ok:
                passed += 1
                if args.verbose:
                    print(f"ok    {case.name}")
                continue
            failed += 1
            print(f"{case.file}:{case.line}: {case.name}" + (f" ({', '.join(case.rules)})" if case.rules else ""))
            for problem in outcome.problems:
                print(f"    {problem}")
            if outcome.actions:
                print(f"  played: {', '.join(outcome.actions)}")
            if outcome.log:
                print("  log:")
                for line in outcome.log:
                    print(f"    {line}")
    print(f"{passed} passed, {failed} failed")
    return FINDINGS if failed else CLEAN


def case_files(arguments: list[str]) -> list[Path]:
    """The files that the arguments mean."""
    files: list[Path] = []
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix in (".yaml", ".yml"))
            if not found:
                raise Misuse(f"there are no cases below '{argument}'", "cases are .yaml files")
            files.extend(found)
        elif path.is_file():
            files.append(path)
        else:
            raise Misuse(f"there is no file or folder '{argument}'", "check the path")
    return files


def runner_for(ruleset: str, scenario: str, interpreted: bool) -> Any:
    """A runner for the cases of one ruleset and scenario."""
    from compiler.api import load_program, spec_of
    from compiler.interpreter import InterpretedProgram
    from grognard.cases import CaseRunner
    from runtime.scenario.yaml_text import plain, read_file

    compilation = places.compile_folder(places.ruleset_folder(ruleset))
    if compilation.emitted is None:
        from compiler.report import Report

        report = Report()
        report.add_compilation(compilation)
        places.print_report(report)
        raise Found
    path = places.scenario_path(scenario)
    root, findings = read_file(path, str(path))
    if root is None:
        raise Misuse(f"the scenario '{scenario}' cannot be read: {findings[0].message}", "run `grognard validate` on it")
    program = InterpretedProgram(compilation.program, spec_of(compilation.program)) if interpreted else load_program(compilation)
    return CaseRunner(compilation.program, program, plain(root))
