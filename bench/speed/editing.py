"""How long the findings of a ruleset take after an edit: python -m bench.speed.editing [RULESET …]

Each file of rules is edited in ``--edits`` places of each kind, drawn at random, and checked again
by what was known before (``Ruleset.again``), with the collector of garbage frozen, as a process
does that waits for the next edit.  Printed are, for each kind of edit, the median and the longest
time of the processor in milliseconds, and before them that from nothing and that of no change.
"""

from __future__ import annotations

import gc
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from bench.command import command, option, read
from compiler.ruleset import Ruleset
from grognard.places import ruleset, ruleset_folder, rulesets

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


EDITS: dict[str, Edit] = {
    "a blank": _typed,
    "a letter more in a word": _letter,
    "a line more": _new_line,
    "a line less": _without_line,
    "a comment": _remark,
    "a declaration begun": _begun,
}


def spent(of: Ruleset) -> float:
    """The time that the findings of a ruleset take, in milliseconds of the processor."""
    begun = time.process_time()
    assert of.diagnostics is not None
    return 1000 * (time.process_time() - begun)


def times(first: Ruleset, edit: Edit, count: int, chance: random.Random) -> Iterator[float]:
    """The times of one kind of edit in all files of rules that are the ruleset's own."""
    texts = {name: source.text for name, source in first.sources.items()}
    own = [name for name in texts if name.startswith(f"{first.name}/") and name.endswith(".grog")]
    for name in own:
        for _ in range(count):
            text = edit(texts[name], chance.randrange(len(texts[name])))
            yield spent(first.again({name: text}))


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    args = read(
        "bench.speed.editing",
        __doc__,
        arguments,
        option("rulesets", [], "rulesets", nargs="*"),
        option("--edits", 2, "edits of each kind in each file", least=1),
        option("--seed", 1, "what is drawn"),
    )
    for name in args.rulesets or rulesets():
        first = ruleset(ruleset_folder(name))
        spent(first)
        print(f"{name}: {spent(ruleset(first.folder)):.0f} from nothing", flush=True)
        gc.collect()
        gc.freeze()
        gc.disable()
        unchanged = median(spent(first.again({})) for _ in range(5))
        print(f"  {'no change':<24} {unchanged:6.0f}")
        for what, edit in EDITS.items():
            found = list(times(first, edit, args.edits, random.Random(args.seed)))
            print(f"  {what:<24} {median(found):6.0f} {max(found):6.0f}", flush=True)
            gc.collect()
        gc.enable()
    return 0


if __name__ == "__main__":
    sys.exit(main())
