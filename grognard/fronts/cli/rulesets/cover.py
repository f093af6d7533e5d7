"""Say which rules of the rulebook are written, tested and reached.

For each rule ID of the ruleset's rulebook.yaml: whether a declaration cites it, whether a case
names it (tests/cases/<ruleset> and --cases), and whether random games reach what cites it; totals
by chapter. The IDs of a base are counted apart, those marked `mechanic: false` not at all.

--house lists instead what of a ruleset or a scenario is designed here (@house; in scenarios
`provenance`): what it is, where it stands, why it is so, and how an owner of the game enters the
printed values. --published lists likewise what is marked as published.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from grognard import places
from grognard.coverage.rule_coverage import Coverage, IndexCoverage, RuleCoverage, cover
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import count, seed
from grognard.fronts.cli.progress import Bar
from grognard.provenance import MARKS, Mark, marks_of
from runtime.errors import ArgumentError

_KINDS = ("cited", "cases", "reached")
#: How much of a chapter's title is shown.
_TITLE = 48


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    ruleset = "a ruleset's name or folder; with --house or --published a scenario's, too"
    parser.add_argument("ruleset", metavar="RULESET", help=ruleset)
    games = "how many random games (default: 4; 0: none)"
    parser.add_argument("--games", metavar="N", type=count, default=4, help=games)
    parser.add_argument(
        "--seed", metavar="S", type=seed, default=1, help="the seed of the first game (default: 1)"
    )
    parser.add_argument(
        "--cases", metavar="PATH", nargs="+", default=[], help="further files or folders of cases"
    )
    parser.add_argument(
        "--missing", choices=_KINDS, help="list the rules that are not cited, in cases, or reached"
    )
    parser.add_argument("--house", action="store_true", help="list what is designed here, and why")
    parser.add_argument("--published", action="store_true", help="list what is marked as published")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.games < 0:
        raise ArgumentError(f"--games {args.games} must not be negative", "give 0 or more")
    if args.house or args.published:
        return _print_marks(args)
    folder = places.ruleset_folder(args.ruleset)
    bar = Bar(sys.stderr) if sys.stderr.isatty() and args.games else None
    coverage = cover(places.readable_ruleset(folder), args.games, args.seed, args.cases, bar)
    if bar:
        bar.clear()
    if args.games and not coverage.games:
        print(f"no scenario for '{folder.name}' is found: no games are played", file=sys.stderr)
    if args.json:
        print(
            json.dumps(
                {"ruleset": folder.name, "games": coverage.games, **coverage_data(coverage)},
                ensure_ascii=False,
            )
        )
    elif args.missing:
        for rule in coverage.rules().values():
            if rule.mechanic and not getattr(rule, args.missing):
                print(f"{rule.id:14} {rule.topic}")
    else:
        print_coverage(coverage)
    return CLEAN


def _print_marks(args: argparse.Namespace) -> int:
    """List what is marked."""
    wanted = [mark for mark in MARKS if getattr(args, mark)]
    marks = marks_of(args.ruleset, wanted)
    if args.json:
        items = [asdict(mark) for mark in marks]
        print(json.dumps({"name": args.ruleset, "marks": items}, ensure_ascii=False))
        return CLEAN
    for mark in marks:
        print(
            f"{mark.file}:{mark.line}: {mark.what}"
            + (f" ({mark.provenance})" if len(wanted) > 1 else "")
            + (f", under “{mark.section}”" if mark.section else "")
        )
        for label, text in (("is:", mark.value), ("why:", mark.reason or "not said")):
            if text:
                _print_indented(f"    {label:5}", text)
    unsaid = sum(not mark.reason for mark in marks)
    words = {"house": "designed here", "published": "marked as published"}
    what = " or ".join(words[mark] for mark in wanted)
    print(f"{len(marks)} {'part is' if len(marks) == 1 else 'parts are'} {what}", end="")
    print(f", {unsaid} without a reason" if unsaid else "")
    for number, (how, kinds) in enumerate(_marked_kinds(marks)):
        if not number:
            print("To type in your own:")
        _print_indented(f"  {', '.join(kinds)}: ", how, 4)
    return CLEAN


def _marked_kinds(marks: Sequence[Mark]) -> list[tuple[str, list[str]]]:
    """What is done with marked things, and with which kinds of them."""
    ways: dict[str, list[str]] = {}
    for mark in marks:
        kinds = ways.setdefault(mark.how, [])
        if mark.kind not in kinds:
            kinds.append(mark.kind)
    return list(ways.items())


def _print_indented(head: str, text: str, indent: int | None = None) -> None:
    further = " " * (len(head) if indent is None else indent)
    print(textwrap.fill(text, 118, initial_indent=head, subsequent_indent=further))


def print_coverage(found: Coverage) -> None:
    """Print the chapters of all indexes with their counts."""
    tables = [(index, _rows(index)) for index in (found.own, *found.bases)]
    wide = max(len(title) for _, rows in tables for title, _ in [*rows, ("all", ())])
    print(
        f"{'':{wide}}  rules    cited    cases  reached"
        + (f"  ({found.games} games)" if found.games else "")
    )
    for index, rows in tables:
        if index is not found.own:
            print(f"of {index.ruleset}, which it extends:")
        _print_rows(index, rows, wide)


def _rows(index: IndexCoverage) -> list[tuple[str, Sequence[RuleCoverage]]]:
    return [
        (f"{chapter.name}  {chapter.topic}"[:_TITLE], chapter.rules) for chapter in index.chapters
    ]


def _print_rows(
    index: IndexCoverage, rows: list[tuple[str, Sequence[RuleCoverage]]], wide: int
) -> None:
    for title, rules in rows:
        counts = "".join(
            f"{_count_or_all(sum(getattr(r, kind) for r in rules), len(rules)):>9}"
            for kind in _KINDS
        )
        print(f"{title:{wide}}  {len(rules):5}{counts}")
    total = len(index.mechanics)
    sums = [index.count(kind) for kind in _KINDS]
    shares = "".join(f"{100 * n // max(1, total):>8}%" for n in sums)
    print(
        f"{'all':{wide}}  {total:5}{''.join(f'{n:>9}' for n in sums)}\n{'':{wide}}       {shares}"
    )
    rest = len(index.rules) - total
    if rest:
        print(f"{rest} further {'IDs state' if rest > 1 else 'ID states'} no mechanic")


def coverage_data(found: Coverage) -> dict[str, Any]:
    """What is told as JSON: of the ruleset's own index, and of each base under ``bases``."""
    return {**_index(found.own), "bases": {index.ruleset: _index(index) for index in found.bases}}


def _index(index: IndexCoverage) -> dict[str, Any]:
    total = len(index.mechanics)
    totals = {
        "rules": total,
        **{kind: index.count(kind) for kind in _KINDS},
        "no_mechanic": len(index.rules) - total,
    }
    return {
        "totals": totals,
        "rules": {r.id: {kind: getattr(r, kind) for kind in _KINDS} for r in index.rules},
    }


def _count_or_all(count: int, of: int) -> str:
    return "–" if not count else "all" if count == of else str(count)
