"""How long findings and the game take after an edit: python -m bench.speed.editing [RULESET …]

Each file of rules is edited in ``--edits`` places of each kind, drawn at random, and checked again
by what was known before (``Ruleset.with_overlay``), with the collector of garbage frozen, as a
process does that waits for the next edit.  Printed are, for each kind of edit, the median and the
longest time of the processor in milliseconds until there are findings, and, of those after which
there is no error, until a game of the ruleset's first scenario goes on by the new rules; before
them those from nothing and of no change.
"""

from __future__ import annotations

import gc
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

from bench.command import command, option, parse_arguments
from compiler.ruleset import Ruleset
from grognard.opening import load_scenario
from grognard.places import ruleset, ruleset_folder, rulesets, scenarios
from grognard.scenario import Scenario
from runtime.games.carrying import carry_over

Edit = Callable[[str, int], str]


def _typed(text: str, at: int) -> str:
    return f"{text[:at]} {text[at:]}"


def _letter(text: str, at: int) -> str:
    word = re.compile(r"\w+").search(text, at)
    return text if word is None else f"{text[: word.end()]}x{text[word.end() :]}"


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _new_line(text: str, at: int) -> str:
    end = _line_end(text, at)
    return f"{text[:end]}\n{text[end:]}"


def _without_line(text: str, at: int) -> str:
    return text[: text.rfind("\n", 0, at) + 1] + text[_line_end(text, at) + 1 :]


def _remark(text: str, at: int) -> str:
    end = _line_end(text, at)
    return f"{text[:end]} # x{text[end:]}"


def _begun(text: str, at: int) -> str:
    end = _line_end(text, at)
    return f"{text[:end]}\nprocedure begun() {{\n  let x = {text[end:]}"


def _number(text: str, at: int) -> str:
    numbers = re.compile(r"(?m)^[^#@\n]*?(?<![\w.])(\d+)\b")
    found = numbers.search(text, text.rfind("\n", 0, at) + 1)
    if found is None:
        return text
    return f"{text[: found.start(1)]}{int(found[1]) + 1}{text[found.end(1) :]}"


def _function(text: str, at: int) -> str:
    return f"{text}\nfunction one_more(n: int): int = n + 1\n"


EDITS: dict[str, Edit] = {
    "a blank": _typed,
    "a letter more in a word": _letter,
    "a line more": _new_line,
    "a line less": _without_line,
    "a comment": _remark,
    "another number": _number,
    "a function more": _function,
    "a declaration begun": _begun,
}


#: Until there are findings; until the game goes on, if it does.
Times = tuple[float, float | None]


class OpenedGame:
    """A game of a ruleset's first scenario; None where it has no scenario."""

    def __init__(self, name: str, first: Ruleset) -> None:
        paths = (path for key, path in scenarios().items() if key.startswith(f"{name}/"))
        self.path = next(paths, None)
        opened = self._opened(first)
        self.game = None if opened is None else opened.begin(1)

    def _opened(self, of: Ruleset) -> Scenario | None:
        if self.path is None:
            return None
        return load_scenario(self.path, of.folder, of.compiled, ruleset=of)[0]

    def go_on(self, of: Ruleset) -> bool:
        """Go on by a ruleset; whether that can be."""
        opened = self._opened(of)
        if opened is None or self.game is None:
            return False
        return carry_over(self.game, opened.program, opened.setup, opened).game is not None


def measure(of: Ruleset, played: OpenedGame | None = None) -> Times:
    """The time that a ruleset takes, in milliseconds of the processor."""
    begun = time.process_time()
    assert of.diagnostics is not None
    found = 1000 * (time.process_time() - begun)
    if not of.ok or of.resolved.abstract or played is None or not played.go_on(of):
        return found, None
    return found, 1000 * (time.process_time() - begun)


def times(
    first: Ruleset, played: OpenedGame | None, edit: Edit, count: int, chance: random.Random
) -> Iterator[Times]:
    """The times of one kind of edit in all files of rules that are the ruleset's own."""
    texts = {name: source.text for name, source in first.sources.items()}
    own = [name for name in texts if name.startswith(f"{first.name}/") and name.endswith(".grog")]
    for name in own:
        for _ in range(count):
            text = edit(texts[name], chance.randrange(len(texts[name])))
            yield measure(first.with_overlay({name: text}), played)


def print_times(what: str, times: Iterable[Times]) -> None:
    """Print a line: the median and the longest of the times to findings, and to the game."""
    found, going_on = zip(*times, strict=True)
    parts = [found, [t for t in going_on if t is not None]]
    numbers = "".join(f"   {median(p):6.0f} {max(p):6.0f}" for p in parts if p)
    print(f"  {what:<22}{numbers}", flush=True)


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    args = parse_arguments(
        "bench.speed.editing",
        __doc__,
        arguments,
        option("rulesets", [], "rulesets", nargs="*"),
        option("--edits", 2, "edits of each kind in each file", least=1),
        option("--seed", 1, "what is drawn"),
    )
    for name in args.rulesets or rulesets():
        first = ruleset(ruleset_folder(name))
        measure(first)
        played = OpenedGame(name, first) if first.ok and not first.resolved.abstract else None
        print(f"{name}: findings, the game goes on (median, longest)")
        print_times("from nothing", [measure(ruleset(first.folder), played)])
        gc.collect()
        gc.freeze()
        gc.disable()
        print_times("no change", [measure(first.with_overlay({}), played) for _ in range(5)])
        for what, edit in EDITS.items():
            print_times(what, times(first, played, edit, args.edits, random.Random(args.seed)))
            gc.collect()
        gc.enable()
    return 0


if __name__ == "__main__":
    sys.exit(main())
