"""What environments for learning show, kept: python -m bench.checks.observations [--write]

Plays some decisions of every scenario at random, each from the same seed, and tells for a few of
them what each agent observes: a digest of the numbers and of the mask; and by name what the one
that decides sees, the first things of each part, later what has changed.  Compares that with
``tests/golden/observations.txt`` and tells what differs (exit code 1), or writes the file anew.
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.command import command, option, parse_arguments
from grognard import UNSEEN, places
from grognard.envs import aec_env
from grognard.fronts.envs.aec import AEC, Part
from runtime.model import FieldSpec, TypeSpec

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests" / "golden" / "observations.txt"
SEED = 1
#: after how many decisions there is something to tell
MOMENTS = (0, 25, 100)
#: how many things of each part are told
ENTRIES = 4

Numbers = npt.NDArray[Any]


class Reader:
    """Reads observations of an environment: every number by the name of what it stands for."""

    def __init__(self, env: AEC) -> None:
        self.env = env
        self.spec = env.game.spec
        self.known: dict[str, Sequence[str]] = {}
        self.fields = {
            f.name if f.owner == "Game" else f"{f.owner}.{f.name}": f
            for f in self.spec.fields
            if not f.options
        }

    def names(self, type_: TypeSpec) -> Sequence[str]:
        """The values of a type, in order."""
        if type_.kind == "piece":
            if type_.name not in self.known:
                self.known[type_.name] = [p.name for p in self.env.game.position.pieces(type_.name)]
            return self.known[type_.name]
        if type_.kind == "hex":
            return self.env.game.board.hexes
        return self.spec.enums[type_.name] if type_.kind == "enum" else [str(n) for n in range(32)]

    def read(self, observed: Numbers) -> dict[str, Any]:
        """What each part says: values by owner, tuples of what is in sets, counts of cards."""
        parts: dict[str, Any] = {}
        for part in self.env.layout:
            numbers = observed[part.start : part.start + part.size]
            if part.name in self.fields:
                parts[part.name] = self.field(self.fields[part.name], part, numbers)
            elif part.kind == "cards":
                cards = zip(part.owners, map(int, numbers), strict=True)
                parts[part.name] = {card: number for card, number in cards if number}
            elif part.name == "subject":
                parts[part.name] = self.subject(observed, numbers)
            elif part.owners or part.name == "over":
                given = part.owners or ("over",)
                parts[part.name] = tuple(given[i] for i in np.flatnonzero(numbers))
            else:
                parts[part.name] = self.effect(part.name, numbers)
        return parts

    def field(self, field: FieldSpec, part: Part, numbers: Numbers) -> Any:
        """The values of a field by owner; of the game, the value."""
        owners = part.owners if field.owner != "Game" else ("",)
        each = len(numbers) // max(1, len(owners))
        parts = [numbers[i * each : (i + 1) * each] for i in range(len(owners))]
        values = [self.value(field, part.kind, own) for own in parts]
        return dict(zip(owners, values, strict=True)) if field.owner != "Game" else values[0]

    def value(self, field: FieldSpec, kind: str, numbers: Numbers) -> Any:
        if field.seen_by is not None and len(numbers) and (numbers == -2).all():
            return UNSEEN
        if field.type.of is not None and kind == "set":
            return tuple(self.names(field.type.of)[int(i)] for i in np.flatnonzero(numbers))
        (number,) = map(int, numbers)
        if field.type.kind == "bool":
            return bool(number)
        if kind == "count" or field.type.kind == "int":
            return number
        return None if number == -1 else self.names(field.type)[number]

    def subject(self, observed: Numbers, numbers: Numbers) -> tuple[str, ...]:
        """The words of what the question is about."""
        prompt = next(part for part in self.env.layout if part.name == "prompt")
        asked = np.flatnonzero(observed[prompt.start : prompt.start + prompt.size])
        words: list[str] = []
        for type_ in self.spec.decisions[asked[0]].about if len(asked) else ():
            if type_.of is None:
                number, numbers = int(numbers[0]), numbers[1:]
                if type_.kind in ("enum", "hex", "piece"):
                    words.append("none" if number < 0 else self.names(type_)[number])
                else:
                    words.append(("no", "yes")[number] if type_.kind == "bool" else str(number))
            else:
                names = self.names(type_.of)
                for name, number in zip(names, numbers, strict=False):
                    words += [name] * int(number)
                numbers = numbers[len(names) :]
        assert (numbers == -2).all()
        return tuple(words)

    def effect(self, name: str, numbers: Numbers) -> tuple[str, ...]:
        """With which values an effect is in force."""
        (effect,) = (e for e in self.spec.effects if e.name == name)
        texts: list[str] = []
        for number in map(int, np.flatnonzero(numbers)):
            values: list[str] = []
            for param in reversed(effect.params):
                names = self.names(param)
                number, value = divmod(number, len(names))
                values.insert(0, names[value])
            texts.append(f"{name}({', '.join(values)})" if values else name)
        return tuple(texts)


def stepping(env: AEC, decisions: int) -> Iterator[int]:
    """Play at random; before each decision, and at the end, how many have been taken."""
    env.reset(seed=SEED)
    rng = Random(SEED)
    for taken in range(decisions + 1):
        yield taken
        if env.game.over:
            return
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice([int(a) for a in np.flatnonzero(mask)])))


def digest(observed: dict[str, Numbers]) -> str:
    """A short digest of an observation and its mask."""
    digest = hashlib.blake2b(observed["observation"].astype("<f4").tobytes(), digest_size=5)
    digest.update(observed["action_mask"].tobytes())
    return digest.hexdigest()


def entries(content: Any) -> str:
    """The first things that a part says, without what is nought, no or none."""
    between = " "
    if isinstance(content, dict):
        texts = {owner: entries(value) for owner, value in content.items()}
        parts, between = [f"{owner} {text}" for owner, text in texts.items() if text], ", "
    elif isinstance(content, tuple):
        parts = list(content)
    else:
        parts = [] if content in (None, False, 0) else ["yes" if content is True else str(content)]
    more = [f"+{len(parts) - ENTRIES}"] if len(parts) > ENTRIES else []
    return between.join([*parts[:ENTRIES], *more])


def playthrough(scenario: str | Path, env: AEC) -> list[str]:
    """What is kept of a scenario, as lines."""
    lines: list[str] = []
    before: dict[str, str] = {}
    for taken in stepping(env, MOMENTS[-1]):
        if taken == 0:
            actions = env.action_space(env.possible_agents[0]).n
            size = f"{sum(p.size for p in env.layout)} numbers in {len(env.layout)} parts"
            lines.append(f"{scenario}: {size}, {actions} actions")
        if taken not in MOMENTS and not env.game.over:
            continue
        observed = {agent: env.observe(agent) for agent in env.possible_agents}
        digests = ", ".join(f"{agent} {digest(seen)}" for agent, seen in observed.items())
        lines.append(f"  after {taken}: {digests}")
        seen = observed[env.agent_selection]
        if not env.game.over:
            offered = seen["action_mask"].nonzero()[0]
            last = env.action_text(offered[-1])
            lines.append(f"    {len(offered)} actions, the last: {last}")
        parts_read = Reader(env).read(seen["observation"])
        now = {name: entries(value) for name, value in parts_read.items()}
        changed = [name for name, text in now.items() if text != before.get(name, "")]
        line = "; ".join(f"{name}: {now[name] or '-'}" for name in changed)
        wrapper = textwrap.TextWrapper(150, "    ", "      ", break_on_hyphens=False)
        lines += wrapper.wrap(line)
        before = now
    return lines


def kept_lines() -> dict[str, list[str]]:
    """The lines that are kept of each scenario."""
    playthroughs: dict[str, list[str]] = {}
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            scenario = line.partition(":")[0]
        playthroughs.setdefault(scenario, []).append(line)
    return playthroughs


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Tell what differs, or keep it."""
    args = parse_arguments(
        "bench.checks.observations",
        __doc__,
        arguments,
        option("--write", False, "write the file anew"),
    )
    now = {name: playthrough(name, aec_env(name)) for name in sorted(places.scenarios())}
    if args.write:
        KEPT.write_text("\n".join(itertools.chain(*now.values())) + "\n", encoding="utf-8")
        return 0
    before = kept_lines()
    differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    for name in differing:
        both = before.get(name, []), now.get(name, [])
        print("\n".join(difflib.unified_diff(*both, lineterm="", n=1)))
    print(f"{len(differing)} of {len(now)} scenarios differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
