"""Which rules do the cases not notice?  python -m bench.checks.removals RULESET [--journal FILE]

Takes every ``deny``, ``allow``, ``modify``, ``limit``, ``suspend`` and every rule with ``except``
out of a ruleset, one after the other, runs the cases of ``tests/cases/RULESET`` (or of the files
and folders given with --cases) without it, and names those whose loss no case notices: each of
these needs a case, or is redundant.  What excepts a rule goes with it.  Cases that play something
are run before those that run nothing and only ask for values; among them first those that name an
ID of the rule, and the first that fails ends the search.  Rules that only cases notice which run
nothing are told apart: in the positions that these describe the rule speaks, but no case shows that
play comes there.

With --journal what was found is appended to a file; the same command goes on where it stopped, as
long as neither the ruleset nor its cases have changed.  ``--only WORDS`` takes out those rules
whose name holds the words, ``--own`` those that the ruleset adds to what it extends.  ``--values
N`` makes N small changes instead, chosen at random (``--seed``) among all of rules and tables: see
:mod:`bench.checks.changes`; some of them change nothing that could be noticed.  Exit code 1 when
there is something that no case notices.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.checks.changes import Change, apply_change, changes
from bench.command import command, option, parse_arguments
from bench.series import results
from compiler import ir
from compiler.emit import emit
from compiler.emit.emission import Emission
from compiler.lower import lower
from compiler.ruleset_spec import spec_of
from compiler.trees import rules_of
from grognard import places
from grognard.cases.file import Case, read_cases
from grognard.cases.runner import CaseRunner
from grognard.cases.suite import Workbench, case_files
from grognard.journal import Journal
from runtime.errors import ArgumentError
from runtime.program import CompiledProgram

ROOT = Path(__file__).resolve().parents[2]
_WORDS = {"by": "modify", "most": "limit", "least": "limit"}


@dataclass(frozen=True)
class Removal:
    """A rule to be taken out: its sort (*word*), and the quantity or permission it is of."""

    word: str
    name: str
    owner: str
    place: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.word} {self.owner}.{self.name}"

    @property
    def description(self) -> str:
        """The rule with what it cites and its place."""
        return f"{self} ({', '.join(self.rules) or 'no ID'}; {self.place})"


@dataclass(frozen=True)
class Finding:
    """The case that noticed a removal, if any; *asked*: it runs nothing; *of*: digest of it all."""

    of: str
    removal: str
    noticed: str
    asked: bool
    tried: int
    seconds: float


def removals(program: ir.Program) -> list[Removal]:
    """What can be taken out of a program: everything but the rules that speak generally."""
    removals = []
    for owner in program.calls.values():

        def add(word: str, name: str, rule: ir.Rule | ir.Modifier, of: str = owner.name) -> None:
            place = f"{rule.span.file}:{rule.span.line}"
            removals.append(Removal(word, name, of, place, rule.rules))

        for rule in rules_of(owner.roots):
            if rule.verdict or rule.excepts:
                add(rule.verdict or "except", rule.name, rule)
            for by, _ in rule.suspended:
                add("suspend", f"{rule.name}.{by}", rule)
        for modifier in (m for modifiers in owner.modifiers.values() for m in modifiers):
            add(_WORDS[modifier.op], modifier.name, modifier)
    return removals


@contextmanager
def without_rule(program: ir.Program, removal: Removal) -> Iterator[None]:
    """The program without the rule, for a while."""
    undo: list[tuple[list[Any], list[Any]]] = []

    def thin(members: list[Any], stays: Callable[[Any], bool]) -> None:
        if not all(map(stays, members)):
            undo.append((members, list(members)))
            members[:] = filter(stays, members)

    owner = program.calls[removal.owner]
    rules = rules_of(owner.roots)
    if removal.word == "suspend":
        whose, by = removal.name.split(".")
        for rule in rules:
            if rule.name == whose:
                thin(rule.suspended, lambda pair: pair[0] != by)
    elif removal.word in ("modify", "limit"):
        for modifiers in owner.modifiers.values():
            thin(modifiers, lambda m: m.name != removal.name or _WORDS[m.op] != removal.word)
    else:
        for members in [owner.roots, *(rule.exceptions for rule in rules)]:
            thin(members, lambda rule: rule.name != removal.name)
    try:
        assert undo, f"{removal} is not there"
        yield
    finally:
        for members, whole in undo:
            members[:] = whole


class Bench:
    """A ruleset and its cases, ready to have rules taken out."""

    def __init__(self, ruleset: str, files: Sequence[Path]) -> None:
        self.ruleset = places.readable_ruleset(places.ruleset_folder(ruleset))
        if self.ruleset.emitted is None:
            raise ArgumentError(
                f"the ruleset '{ruleset}' has errors", f"run `grognard check {ruleset}`"
            )
        self.program = self.ruleset.program
        self.removals = removals(self.program)
        self.changes = changes(self.program)
        self.cases: list[tuple[str, Case]] = []
        self.runners: dict[str, CaseRunner] = {}
        digest = hashlib.blake2b(self.program.hash.encode(), digest_size=8)
        for path in files:
            digest.update(path.read_bytes())
            content = read_cases(path)
            if content.ruleset == ruleset:
                self.cases.extend((content.scenario, case) for case in content.cases)
                if content.scenario not in self.runners:
                    self.runners[content.scenario] = Workbench().runner(ruleset, content.scenario)
        #: What the findings depend on.
        self.key = digest.hexdigest()

    def failing(self) -> list[str]:
        """The cases that fail as it is: with them nothing could be said."""
        return [case.name for name, case in self.cases if not self.runners[name].run(case).ok]

    def take_out(self, removal: Removal | Change) -> Finding:
        """Run the cases without a rule, or with a change, until one notices it."""
        start, tried = time.perf_counter(), 0

        def finding(noticed: str = "", asked: bool = False) -> Finding:
            seconds = round(time.perf_counter() - start, 2)
            return Finding(self.key, str(removal), noticed, asked, tried, seconds)

        with (
            apply_change(removal)
            if isinstance(removal, Change)
            else without_rule(self.program, removal)
        ):
            emission = Emission(self.program, lower(self.program))
            code = emit(emission).code(self.ruleset.paths)
            program = CompiledProgram(spec_of(emission), code)
            for scenario, case in sorted(
                self.cases,
                key=lambda pair: (pair[1].only_asks, not set(pair[1].rules) & set(removal.rules)),
            ):
                full = self.runners[scenario]
                tried += 1
                if not CaseRunner(self.program, program, full.scenario, full.index).run(case).ok:
                    return finding(case.name, case.only_asks)
        return finding()


#: What is examined, for the processes that do it.
_bench: Bench


def _take_out(name: str) -> Finding:
    known: tuple[Removal | Change, ...] = (*_bench.removals, *_bench.changes)
    return _bench.take_out(next(removal for removal in known if str(removal) == name))


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Take rules out, or make changes, and say which of them nothing noticed."""
    global _bench
    args = parse_arguments(
        "bench.checks.removals",
        __doc__,
        arguments,
        option("ruleset", None, "a ruleset"),
        option("--cases", None, "files or folders of cases", nargs="+", metavar="PATH"),
        option("--jobs", 1, "processes", least=1),
        option("--journal", None, "keep what is found; go on from it", type=Path, metavar="FILE"),
        option("--only", "", "only rules whose name holds these words", metavar="WORDS"),
        option("--values", None, "N changes of values instead", type=int, metavar="N"),
        option("--seed", 1, "which changes"),
        option("--own", False, "only rules of the ruleset's own folder"),
    )
    with Journal(args.journal, Finding) as journal:
        _bench = Bench(
            args.ruleset, case_files(args.cases or [ROOT / "tests/cases" / args.ruleset])
        )
        if failing := _bench.failing():
            message = f"{len(failing)} cases fail as it is, first '{failing[0]}'"
            raise ArgumentError(message, "mend them before")
        all_of: Iterable[Removal | Change] = _bench.removals
        if args.values is not None:
            all_of = {str(change): change for change in _bench.changes}.values()
        own = f"{args.ruleset}/" if args.own else ""
        wanted = [r for r in all_of if args.only in str(r) and r.place.startswith(own)]
        if args.values is not None:
            wanted = Random(args.seed).sample(wanted, min(args.values, len(wanted)))
        findings = {one.removal: one for one in journal.entries if one.of == _bench.key}
        missing = [(str(removal),) for removal in wanted if str(removal) not in findings]
        what = "rules" if args.values is None else "changes"
        known = len(wanted) - len(missing)
        print(f"{len(wanted)} {what}, {len(_bench.cases)} cases; {known} known from the journal")
        for finding in results(_take_out, missing, args.jobs):
            findings[finding.removal] = finding
            journal.add(finding)
    return _report([(removal, findings[str(removal)]) for removal in wanted])


def _report(found: list[tuple[Removal | Change, Finding]]) -> int:
    """Print what no case notices, and what only those that run nothing; the exit code."""
    unnoticed = [removal for removal, finding in found if not finding.noticed]
    for removal in unnoticed:
        print(f"no case notices: {removal.description}")
    asked = [(removal, finding) for removal, finding in found if finding.asked]
    for removal, finding in asked:
        print(f"only a case that runs nothing notices: {removal.description}: {finding.noticed}")
    only = f", {len(asked)} only by cases that run nothing" if asked else ""
    print(f"{len(found) - len(unnoticed)} of {len(found)} noticed{only}")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
