"""How long findings and the program take after an edit: python -m bench.speed.editing [RULESET …]

Each file of rules is edited in ``--edits`` places of each kind, drawn at random, and checked again
by what was known before (``Ruleset.again``), with the collector of garbage frozen, as a process
does that waits for the next edit.  Printed are, for each kind of edit, the median and the longest
time of the processor in milliseconds until there are findings, and, of those after which there is
no error, until there is the program that games run; before them those from nothing and of no
change.
"""

from __future__ import annotations

import gc
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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


#: Until there are findings; until there is a program, if there is one.
Times = tuple[float, float | None]


def spent(of: Ruleset) -> Times:
    """The time that a ruleset takes, in milliseconds of the processor."""
    begun = time.process_time()
    assert of.diagnostics is not None
    found = 1000 * (time.process_time() - begun)
    if of.emitted is None:
        return found, None
    assert of.compiled is not None
    return found, 1000 * (time.process_time() - begun)


def times(first: Ruleset, edit: Edit, count: int, chance: random.Random) -> Iterator[Times]:
    """The times of one kind of edit in all files of rules that are the ruleset's own."""
    texts = {name: source.text for name, source in first.sources.items()}
    own = [name for name in texts if name.startswith(f"{first.name}/") and name.endswith(".grog")]
    for name in own:
        for _ in range(count):
            text = edit(texts[name], chance.randrange(len(texts[name])))
            yield spent(first.again({name: text}))


def told(what: str, times: Iterable[Times]) -> None:
    """Print a line: the median and the longest of the times to findings, and to a program."""
    found, compiled = zip(*times, strict=True)
    parts = [found, [t for t in compiled if t is not None]]
    numbers = "".join(f"   {median(p):6.0f} {max(p):6.0f}" for p in parts if p)
    print(f"  {what:<22}{numbers}", flush=True)


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
        print(f"{name}: findings, program (median, longest)")
        told("from nothing", [spent(ruleset(first.folder))])
        gc.collect()
        gc.freeze()
        gc.disable()
        told("no change", [spent(first.again({})) for _ in range(5)])
        for what, edit in EDITS.items():
            told(what, times(first, edit, args.edits, random.Random(args.seed)))
            gc.collect()
        gc.enable()
    return 0


if __name__ == "__main__":
    sys.exit(main())
