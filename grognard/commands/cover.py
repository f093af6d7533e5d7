"""Say which rules of the rulebook are written, tested and reached.

For each rule ID of the ruleset's rulebook.yaml: whether a declaration cites it, whether a case names it
(tests/cases/<ruleset> and --cases), and whether random games reach what cites it; totals by chapter.
The IDs of a base are counted apart, those marked `mechanic: false` not at all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard import places
from grognard.commands import CLEAN, Misuse
from grognard.typed import count, seed

if TYPE_CHECKING:
    from compiler.rulebook import Index
    from runtime.scenario.setup import SetUp

_KINDS = ("cited", "cases", "reached")


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument("--games", metavar="N", type=count, default=4, help="how many random games (default: 4; 0: none)")
    parser.add_argument("--seed", metavar="S", type=seed, default=1, help="the seed of the first game (default: 1)")
    parser.add_argument("--cases", metavar="PATH", nargs="+", default=[], help="further files or folders of cases")
    parser.add_argument("--missing", choices=_KINDS, help="list the rules that are not cited, in cases, or reached")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """The command."""
    if args.games < 0:
        raise Misuse(f"--games {args.games} is less than none", "give 0 or more")
    folder = places.ruleset_folder(args.ruleset)
    from compiler.rulebook import carriers
    from grognard.commands.bots import Bar
    from grognard.coverage import in_cases, reached
    from grognard.explain import Explainer

    explainer = Explainer(folder)
    program = explainer.program
    if not explainer.index:
        raise Misuse(f"the ruleset '{folder.name}' has no rulebook.yaml", "write an index of its rule IDs")
    setups = _setups(folder) if args.games else []
    if args.games and not setups:
        print(f"no scenario for '{folder.name}' is found: no games are played", file=sys.stderr)
    bar = Bar(sys.stderr) if sys.stderr.isatty() and setups else None
    played = args.games if setups else 0
    hit = reached(program, places.program_of(folder).spec, setups, played, args.seed, bar) if played else set()
    if bar:
        bar.clear()
    named = in_cases(explainer.index, _cases(explainer.folders, args.cases))
    carried = carriers(explainer.indexes)
    found = {
        "cited": {rule for rule in explainer.index if rule in program.citations},
        "cases": named | {rule for rule, by in carried.items() if any(r in named for r in by)},
        "reached": hit & set(explainer.index),
    }
    if args.json:
        print(json.dumps({"ruleset": folder.name, "games": played, **_data(explainer.indexes, found)}, ensure_ascii=False))
        return CLEAN
    if args.missing:
        for rule, entry in explainer.index.items():
            if entry.mechanic and rule not in found[args.missing]:
                print(f"{rule:14} {entry.topic}")
        return CLEAN
    tables = [(index, _rows(index)) for index in explainer.indexes]
    wide = max(len(title) for _, rows in tables for title, _ in [*rows, ("all", [])])
    print(f"{'':{wide}}  rules    cited    cases  reached" + (f"  ({played} games)" if played else ""))
    for index, rows in tables:
        if index.ruleset != folder.name:
            print(f"of {index.ruleset}, which it extends:")
        _print(index, rows, wide, found)
    return CLEAN


def _rows(index: Index) -> list[tuple[str, list[str]]]:
    """The chapters of an index, each with the IDs that state a mechanic."""
    chapters: dict[str, list[str]] = {}
    for rule, entry in index.entries.items():
        if entry.mechanic:
            chapters.setdefault(_chapter(rule), []).append(rule)
    ordered = sorted(chapters.items(), key=lambda item: _natural(item[0]))
    return [(f"{name}  {index.entries[rules[0]].topic}"[:48], rules) for name, rules in ordered]


def _print(index: Index, rows: list[tuple[str, list[str]]], wide: int, found: dict[str, set[str]]) -> None:
    for title, rules in rows:
        counts = "".join(f"{_part(sum(rule in found[kind] for rule in rules), len(rules)):>9}" for kind in _KINDS)
        print(f"{title:{wide}}  {len(rules):5}{counts}")
    counted = _counted(index)
    sums = {kind: len(found[kind] & counted) for kind in _KINDS}
    shares = "".join(f"{100 * sums[kind] // max(1, len(counted)):>8}%" for kind in _KINDS)
    print(f"{'all':{wide}}  {len(counted):5}{''.join(f'{sums[kind]:>9}' for kind in _KINDS)}\n{'':{wide}}       {shares}")
    rest = len(index.entries) - len(counted)
    if rest:
        print(f"{rest} further {'IDs state' if rest > 1 else 'ID states'} no mechanic")


def _data(indexes: list[Index], found: dict[str, set[str]]) -> dict[str, Any]:
    """What is told as JSON: of the ruleset's own index, and of each base under ``bases``."""
    data: list[dict[str, Any]] = []
    for index in indexes:
        counted = _counted(index)
        totals = {"rules": len(counted), **{kind: len(found[kind] & counted) for kind in _KINDS}}
        totals["no_mechanic"] = len(index.entries) - len(counted)
        data.append({"totals": totals, "rules": {rule: {kind: rule in found[kind] for kind in _KINDS} for rule in index.entries}})
    return {**data[0], "bases": {index.ruleset: part for index, part in zip(indexes[1:], data[1:], strict=True)}}


def _counted(index: Index) -> set[str]:
    return {rule for rule, entry in index.entries.items() if entry.mechanic}


def _chapter(rule: str) -> str:
    """The chapter that a rule ID belongs to: up to its first number."""
    match = re.match(r"(.*?\d+)(?:[.\-]|$)", rule)
    return match.group(1) if match else rule


def _part(count: int, of: int) -> str:
    return "–" if not count else "all" if count == of else str(count)


def _natural(text: str) -> list[tuple[int, int | str]]:
    """Numbers in a name sorted as numbers."""
    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"(\d+)", text) if part]


def _setups(folder: Path) -> list[SetUp]:
    program = places.program_of(folder)
    found = []
    for path in places.scenarios().values():
        if places.ruleset_of(path) == folder:
            _, setup, _ = places.load_scenario(path, program)
            if setup is not None:
                found.append(setup)
    return found


def _cases(folders: list[Path], more: list[str]) -> list[Path]:
    paths = []
    for folder in folders:
        for root in dict.fromkeys((Path.cwd(), folder.parent.parent)):
            path = root / "tests" / "cases" / folder.name
            if path.is_dir():
                paths.append(path)
    for text in more:
        if not Path(text).exists():
            raise Misuse(f"there is no file or folder '{text}'", "give files of cases, or folders with such files")
        paths.append(Path(text))
    return paths
