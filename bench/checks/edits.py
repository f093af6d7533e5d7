"""Random edits of rulesets, of which nothing must go wrong.

python -m bench.checks.edits [RULESET …] [--edits N] [--every K] [--seed S] [--faults FOLDER]

Edits the files of each ruleset and of its bases at random, one edit after another, most of them in
rules, and takes some back again; after each it is checked by what was known before
(``Ruleset.with_overlay``), as an editor does.  Nothing may crash, and each place that is told must
be one of the texts as they are now.  After every K-th edit all findings, and where all names are
used, are compared with what is found from nothing; where there is no error, so is the program: the
generated module, the lines that it stands for, its code, what the engine knows of the ruleset.
What is drawn follows from the ruleset and the seed.  After a fault the texts are written to FOLDER,
and the next edits begin with the files as they are.  Exit code 1 when there are faults.
"""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.command import command, option, parse_arguments
from compiler.ruleset import Ruleset
from dsl.source import NOWHERE
from grognard.places import ruleset, ruleset_folder, rulesets

Edit = Callable[[str, Random], str]


def _deleted(text: str, chance: Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _twice(text: str, chance: Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def _moved(text: str, chance: Random) -> str:
    lines = text.split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randint(0, len(lines)), line)
    return "\n".join(lines)


def _added(text: str, chance: Random) -> str:
    lines = text.split("\n")
    lines.insert(chance.randint(0, len(lines)), "")
    return "\n".join(lines)


def _declarations(text: str) -> list[str]:
    return re.split(r"(?m)^(?=\w)", text)


def _without(text: str, chance: Random) -> str:
    parts = _declarations(text)
    del parts[chance.randrange(len(parts))]
    return "".join(parts)


def _exchanged(text: str, chance: Random) -> str:
    parts = _declarations(text)
    at = chance.randrange(len(parts))
    return "".join([*parts[at:], *parts[:at]])


def _word(text: str, chance: Random) -> str:
    words = list(re.finditer(r"\w+", text))
    if not words:
        return text
    one, other = chance.choice(words), chance.choice(words)
    new = chance.choice([other[0], one[0] + "x", "7", "none", "rule"])
    return text[: one.start()] + new + text[one.end() :]


def _near(text: str, chance: Random) -> str:
    """A word in the place of another of its declaration, which is often still sound."""
    parts = _declarations(text)
    at = chance.randrange(len(parts))
    words = list(re.finditer(r"\w+", parts[at]))
    if words:
        one, other = chance.choice(words), chance.choice(words)
        parts[at] = parts[at][: one.start()] + other[0] + parts[at][one.end() :]
    return "".join(parts)


def _number(text: str, chance: Random) -> str:
    numbers = list(re.finditer(r"\b\d+\b", text))
    if not numbers:
        return text
    one = chance.choice(numbers)
    return f"{text[: one.start()]}{chance.randrange(9)}{text[one.end() :]}"


_GARBAGE = ("{", "}", "(", "@house ", "§", '"', "|", "\ufeff", "\r\n", "#", " when ", "9 MP", "\n")


def _garbage(text: str, chance: Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(_GARBAGE) + text[at:]


EDITS: tuple[Edit, ...] = (
    *(_deleted, _twice, _moved, _added, _without, _exchanged),
    *(_word, _near, _number, _garbage),
)
#: How many files are edited at once, at the most; before what share of edits another is taken back;
#: what share of them is of files of rules.
_MOST, _BACK, _RULES = 3, 0.5, 0.93


@dataclass
class Editing:
    """A ruleset in which edits are made; *overlay* are the texts that have been edited."""

    folder: Path
    chance: Random
    overlay: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruleset = ruleset(self.folder)
        self.texts = {name: source.text for name, source in self.ruleset.sources.items()}
        self.rules = [name for name in self.texts if name.endswith(".grog")]
        self.others = [name for name in self.texts if name not in self.rules]

    def edit(self) -> str:
        """Make an edit, and say which."""
        chance, taken_back = self.chance, ""
        if self.overlay and (len(self.overlay) >= _MOST or chance.random() < _BACK):
            taken_back = chance.choice(sorted(self.overlay))
            del self.overlay[taken_back]
            taken_back += " as it was, "
        among = self.others if self.others and chance.random() > _RULES else self.rules
        name, edit = chance.choice(among), chance.choice(EDITS)
        self.overlay[name] = edit(self.overlay.get(name, self.texts[name]), chance)
        self.ruleset = self.ruleset.with_overlay(dict(self.overlay))
        return f"{taken_back}{name} {edit.__name__[1:]}"

    def faults(self, compared: bool) -> Iterator[str]:
        """What is wrong with what is found now; *compared* with what is from nothing, too."""
        try:
            yield from stale(self.ruleset)
            if compared:
                yield from differences(self.ruleset)
        except Exception:
            yield traceback.format_exc()


def stale(again: Ruleset) -> Iterator[str]:
    """Findings whose places are none of the texts as they are now."""
    for finding in again.diagnostics:
        for place in (finding.span, *(label.span for label in finding.labels)):
            source = again.sources.get(place.file)
            if place == NOWHERE or source is None:
                continue
            within = 0 <= place.start <= place.end <= len(source.text)
            if not within or source.span(place.start, place.end) != place:
                yield f"stale: {place} {finding.code} {finding.message}"


def differences(again: Ruleset) -> Iterator[str]:
    """What is found otherwise than from nothing."""
    fresh = Ruleset(again.folder, again.find, again.files.overlay)
    now, then = ([(d, d.span, d.labels) for d in one.diagnostics] for one in (again, fresh))
    for what, ones, others in (("too much", now, then), ("lacking", then, now)):
        yield from (f"{what}: {one[1]} {one[0]}" for one in ones if one not in others)
    if now != then:
        yield "findings, or their order"
    if again.uses != fresh.uses:
        yield "where names are used"
    if again.resolved.lost != fresh.resolved.lost:
        yield "names that may be lost"
    if again.emitted is None or fresh.emitted is None:
        if again.emitted is not fresh.emitted:
            yield "whether there is a program"
        return
    if again.emitted.text != fresh.emitted.text:
        yield "the generated module"
    if [f.numbers for f in again.emitted.functions] != [f.numbers for f in fresh.emitted.functions]:
        yield "the lines that the generated module stands for"
    if again.spec != fresh.spec:
        yield "what the engine knows of the ruleset"
    if again.codes != fresh.codes:
        yield "the code"


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Edit, and print what was done and what is wrong."""
    args = parse_arguments(
        "bench.checks.edits",
        __doc__,
        arguments,
        option("rulesets", [], "rulesets", nargs="*"),
        option("--edits", 2000, "edits of each ruleset", least=1),
        option("--every", 10, "after how many edits all is compared; 0: never"),
        option("--seed", 1, "what is drawn"),
        option("--faults", "edits.faults", "where the texts of faults are written"),
    )
    count = 0
    for name in args.rulesets or rulesets():
        begun, compared, sound, faulty = time.process_time(), 0, 0, 0
        chance = Random(f"{name} {args.seed}")
        editing = Editing(ruleset_folder(name), chance)
        for number in range(1, args.edits + 1):
            what = editing.edit()
            now = bool(args.every) and number % args.every == 0
            faults = list(editing.faults(now))
            compared, sound = compared + now, sound + (not faults and editing.ruleset.sound)
            if faults:
                faulty += 1
                _write_texts(
                    Path(args.faults, f"{editing.folder.name}-{args.seed}-{number}"),
                    editing.overlay,
                )
                print(f"{name} {number}: {what}", *faults, sep="\n  ", flush=True)
                editing = Editing(editing.folder, chance)
        took = time.process_time() - begun
        told = f"{args.edits} edits, {sound} sound, {compared} compared, {faulty} faulty"
        print(f"{name}: {told}, {took:.0f} s", flush=True)
        count += faulty
    return 1 if count else 0


def _write_texts(folder: Path, overlay: dict[str, str]) -> None:
    """Write the texts that were edited."""
    for name, text in overlay.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")


if __name__ == "__main__":
    sys.exit(main())
