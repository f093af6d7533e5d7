"""Say which rules of the rulebook are written, tested and reached.

For each rule ID of the ruleset's rulebook.yaml: whether a declaration cites it, whether a case names it
(tests/cases/<ruleset> and --cases), and whether random games reach what cites it; totals by chapter.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grognard import places
from grognard.commands import CLEAN, Misuse
from grognard.typed import count, seed

if TYPE_CHECKING:
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
    from grognard.commands.bots import Bar
    from grognard.coverage import chapter, in_cases, reached
    from grognard.explain import Explainer

    explainer = Explainer(folder)
    index, program = explainer.index, explainer.program
    if not index:
        raise Misuse(f"the ruleset '{folder.name}' has no rulebook.yaml", "write an index of its rule IDs")
    setups = _setups(folder) if args.games else []
    if args.games and not setups:
        print(f"no scenario for '{folder.name}' is found: no games are played", file=sys.stderr)
    bar = Bar(sys.stderr) if sys.stderr.isatty() and setups else None
    played = args.games if setups else 0
    hit = reached(program, places.program_of(folder).spec, setups, played, args.seed, bar) if played else set()
    if bar:
        bar.clear()
    found = {
        "cited": {rule for rule in index if rule in program.citations},
        "cases": in_cases(index, _cases(explainer.folders, args.cases)),
        "reached": hit & set(index),
    }
    if args.json:
        each = {rule: {kind: rule in found[kind] for kind in _KINDS} for rule in index}
        totals = {"rules": len(index), **{kind: len(found[kind]) for kind in _KINDS}}
        print(json.dumps({"ruleset": folder.name, "games": played, "totals": totals, "rules": each}, ensure_ascii=False))
        return CLEAN
    if args.missing:
        for rule, entry in index.items():
            if rule not in found[args.missing]:
                print(f"{rule:14} {entry.get('topic', '')}")
        return CLEAN
    chapters: dict[str, list[str]] = {}
    for rule in index:
        chapters.setdefault(chapter(rule), []).append(rule)
    ordered = sorted(chapters.items(), key=lambda item: _natural(item[0]))
    rows = [(f"{name}  {index[rules[0]].get('topic', '')}"[:48], rules) for name, rules in ordered]
    wide = max(len(title) for title, _ in rows)
    print(f"{'':{wide}}  rules    cited    cases  reached" + (f"  ({played} games)" if played else ""))
    for title, rules in rows:
        counts = "".join(f"{_part(sum(rule in found[kind] for rule in rules), len(rules)):>9}" for kind in _KINDS)
        print(f"{title:{wide}}  {len(rules):5}{counts}")
    shares = "".join(f"{100 * len(found[kind]) // len(index):>8}%" for kind in _KINDS)
    totals_ = "".join(f"{len(found[kind]):>9}" for kind in _KINDS)
    print(f"{'all':{wide}}  {len(index):5}{totals_}\n{'':{wide}}       {shares}")
    return CLEAN


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
            setup, _ = places.load_scenario(path, program)
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
