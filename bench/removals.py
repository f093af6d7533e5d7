"""Which rules do the cases not notice? ``python -m bench.removals RULESET [--jobs J] [--journal FILE]``.

Takes every ``deny``, ``allow``, ``modify``, ``limit``, ``suspend`` and every rule with ``except`` out of a
ruleset, one after the other, runs the cases of ``tests/cases/RULESET`` (or of the files and folders given
with --cases) without it, and names those whose loss no case notices: each of these needs a case, or is
redundant.  What excepts a rule goes with it.  Cases that play something are run before those that run nothing
and only ask for values; among them first those that name an ID of the rule, and the first that fails ends the
search.  Rules that only cases notice which run nothing are told apart: in the positions that these describe
the rule speaks, but no case shows that play comes there.

With --journal what was found is appended to a file; the same command goes on where it stopped, as long as
neither the ruleset nor its cases have changed.  ``--only WORDS`` takes out those rules whose name holds the
words, ``--own`` those that the ruleset adds to what it extends.  ``--values N`` makes N small changes
instead, chosen at random (``--seed``) among all of rules and tables: see :mod:`bench.changes`; some of them
change nothing that could be noticed.  Exit code 1 when there is something that no case notices.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.changes import Change, changed, changes
from bench.journals import alone, append, entries, of
from compiler import ir
from compiler.api import Compilation, load_program
from compiler.emit import emit
from compiler.lower import lower
from dsl.source import Span
from grognard import places
from grognard.cases.reading import Case, read_cases
from grognard.cases.running import CaseRunner
from grognard.cases.suite import case_files, runner_for
from grognard.exits import Misuse

ROOT = Path(__file__).resolve().parent.parent
_WORDS = {"by": "modify", "most": "limit", "least": "limit"}


@dataclass(frozen=True)
class Removal:
    """A rule to be taken out: *word* says of what sort it is, *owner* of what quantity or permission."""

    word: str
    name: str
    owner: str
    place: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.word} {self.owner}.{self.name}"

    @property
    def told(self) -> str:
        """The rule with what it cites and its place."""
        return f"{self} ({', '.join(self.rules) or 'no ID'}; {self.place})"


@dataclass(frozen=True)
class Finding:
    """What came of a removal: the case that noticed it, none if *noticed* is empty; *asked*: one that runs
    nothing.
    """

    removal: str
    noticed: str
    asked: bool
    tried: int
    seconds: float


def all_rules(callable_: ir.Callable) -> Iterator[ir.Rule]:
    """Every rule of a quantity or permission once."""
    seen: set[int] = set()
    waiting = list(callable_.roots)
    while waiting:
        rule = waiting.pop(0)
        if id(rule) not in seen:
            seen.add(id(rule))
            yield rule
            waiting.extend(rule.exceptions)


def removals(program: ir.Program) -> list[Removal]:
    """What can be taken out of a program: everything but the rules that speak generally."""
    found = []
    for owner in program.calls.values():

        def entry(word: str, name: str, span: Span, rules: tuple[str, ...], of: str = owner.name) -> Removal:
            return Removal(word, name, of, f"{span.file}:{span.line}", rules)

        for rule in all_rules(owner):
            if rule.verdict or rule.excepts:
                found.append(entry(rule.verdict or "except", rule.name, rule.span, rule.rules))
            found.extend(
                entry("suspend", f"{rule.name}.{by}", rule.span, rule.rules) for by, _ in rule.suspended
            )
        for modifiers in owner.modifiers.values():
            found.extend(entry(_WORDS[m.op], m.name, m.span, m.rules) for m in modifiers)
    return found


@contextmanager
def without(program: ir.Program, removal: Removal) -> Iterator[None]:
    """The program without the rule, for a while."""
    undo: list[tuple[list[Any], list[Any]]] = []

    def thin(members: list[Any], stays: Callable[[Any], bool]) -> None:
        if not all(map(stays, members)):
            undo.append((members, list(members)))
            members[:] = filter(stays, members)

    owner = program.calls[removal.owner]
    if removal.word == "suspend":
        whose, by = removal.name.split(".")
        for rule in list(all_rules(owner)):
            if rule.name == whose:
                thin(rule.suspended, lambda pair: pair[0] != by)
    elif removal.word in ("modify", "limit"):
        for modifiers in owner.modifiers.values():
            thin(modifiers, lambda m: m.name != removal.name or _WORDS[m.op] != removal.word)
    else:
        for rule in list(all_rules(owner)):
            thin(rule.exceptions, lambda other: other.name != removal.name)
        thin(owner.roots, lambda rule: rule.name != removal.name)
    try:
        if not undo:
            raise AssertionError(f"{removal} is not there")
        yield
    finally:
        for members, whole in undo:
            members[:] = whole


class Bench:
    """A ruleset and its cases, ready to have rules taken out."""

    def __init__(self, ruleset: str, files: Iterable[Path]) -> None:
        self.compilation: Compilation = places.compile_folder(places.ruleset_folder(ruleset))
        if self.compilation.emitted is None:
            raise Misuse(f"the ruleset '{ruleset}' has errors", f"run `grognard check {ruleset}`")
        self.program = self.compilation.program
        self.removals = removals(self.program)
        self.changes = changes(self.program)
        self.cases: list[tuple[str, Case]] = []
        self.runners: dict[str, CaseRunner] = {}
        for path in files:
            read = read_cases(path)
            if read.ruleset == ruleset:
                self.cases.extend((read.scenario, case) for case in read.cases)
                if read.scenario not in self.runners:
                    self.runners[read.scenario] = runner_for(ruleset, read.scenario)

    def failing(self) -> list[str]:
        """The cases that fail as it is: with them nothing could be said."""
        return [case.name for scenario, case in self.cases if not self.runners[scenario].run(case).ok]

    def take_out(self, removal: Removal | Change) -> Finding:
        """Run the cases without a rule, or with a change, until one notices it."""
        start = time.perf_counter()
        noticed, tried, asked = "", 0, False
        with changed(removal) if isinstance(removal, Change) else without(self.program, removal):
            self.compilation.lowered = lower(self.program)
            self.compilation.emitted = emit(self.program, self.compilation.lowered)
            program = load_program(self.compilation)
            for scenario, case in sorted(
                self.cases,
                key=lambda pair: (pair[1].only_asks, not set(pair[1].rules) & set(removal.rules)),
            ):
                full = self.runners[scenario]
                tried += 1
                if not CaseRunner(self.program, program, full.scenario, full.index).run(case).ok:
                    noticed, asked = case.name, case.only_asks
                    break
        return Finding(str(removal), noticed, asked, tried, round(time.perf_counter() - start, 2))


_bench: Bench


def _ready(ruleset: str, files: list[Path]) -> None:
    global _bench
    _bench = Bench(ruleset, files)


def _take_out(name: str) -> Finding:
    known: tuple[Removal | Change, ...] = (*_bench.removals, *_bench.changes)
    return _bench.take_out(next(removal for removal in known if str(removal) == name))


def content(bench: Bench, files: Iterable[Path]) -> str:
    """The hash of what the findings depend on."""
    digest = hashlib.blake2b(bench.program.hash.encode(), digest_size=8)
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def known(journal: Path | None, key: str) -> dict[str, Finding]:
    """What the journal tells of this ruleset with these cases."""
    lines = [] if journal is None else entries(journal, lambda line: (line.pop("of"), of(Finding)(line)))
    return {finding.removal: finding for made_for, finding in lines if made_for == key}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench.removals", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("ruleset")
    parser.add_argument("--cases", nargs="+", metavar="PATH", help="files or folders of cases")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep what was found; go on from there")
    parser.add_argument("--only", default="", metavar="WORDS", help="only rules whose name holds these words")
    parser.add_argument("--values", type=int, metavar="N", help="N changes of values instead of removals")
    parser.add_argument("--seed", type=int, default=1, help="which changes (default: 1)")
    parser.add_argument("--own", action="store_true", help="only rules of the ruleset's own folder")
    return parser.parse_args()


def main() -> int:
    """Take the rules out and say which of them nothing noticed."""
    args = arguments()
    with alone(args.journal):
        return examine(args)


def examine(args: argparse.Namespace) -> int:
    """Take rules out, or make changes, one after the other, and tell."""
    files = case_files(args.cases or [ROOT / "tests" / "cases" / args.ruleset])
    _ready(args.ruleset, files)
    failing = _bench.failing()
    if failing:
        raise Misuse(f"{len(failing)} cases fail as it is, first '{failing[0]}'", "mend them before")
    key = content(_bench, files)
    own = f"{args.ruleset}/" if args.own else ""
    known_of: Iterable[Removal | Change] = _bench.removals if args.values is None else _bench.changes
    wanted = [r for r in known_of if args.only in str(r) and r.place.startswith(own)]
    if args.values is not None:
        wanted = list({str(r): r for r in wanted}.values())
        wanted = Random(args.seed).sample(wanted, min(args.values, len(wanted)))
    found = {name: finding for name, finding in known(args.journal, key).items() if finding}
    missing = [removal for removal in wanted if str(removal) not in found]
    what = "rules" if args.values is None else "changes"
    there = len(wanted) - len(missing)
    print(f"{len(wanted)} {what}, {len(_bench.cases)} cases; {there} known from the journal")

    def tell(finding: Finding) -> None:
        found[finding.removal] = finding
        if args.journal is not None:
            append(args.journal, json.dumps({"of": key, **asdict(finding)}))

    if args.jobs > 1:
        with ProcessPoolExecutor(args.jobs, initializer=_ready, initargs=(args.ruleset, files)) as pool:
            for done in as_completed([pool.submit(_take_out, str(removal)) for removal in missing]):
                tell(done.result())
    else:
        for removal in missing:
            tell(_bench.take_out(removal))
    unnoticed = [removal for removal in wanted if not found[str(removal)].noticed]
    for removal in unnoticed:
        print(f"no case notices: {removal.told}")
    asked = [removal for removal in wanted if found[str(removal)].asked]
    for removal in asked:
        print(f"only a case that runs nothing notices: {removal.told}: {found[str(removal)].noticed}")
    print(
        f"{len(wanted) - len(unnoticed)} of {len(wanted)} noticed"
        + (f", {len(asked)} only by cases that run nothing" if asked else "")
    )
    return 1 if unnoticed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Misuse as error:
        print(f"bench.removals: {error}; {error.remedy}", file=sys.stderr)
        sys.exit(2)
