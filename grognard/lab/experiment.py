"""An experiment: what is to be played, as its file says (``docs/lab.md``)."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from grognard import places
from grognard.bots.players import find_bot
from grognard.lab.sequential import fair_share
from grognard.lab.what_if import Difference, write_ruleset
from grognard.opening import open_scenario
from runtime.chance import SEED_BITS
from runtime.data.check import Path as Way
from runtime.data.check import check, place_in_words
from runtime.data.findings import Finding, suggestion
from runtime.data.reader import (
    Mapping,
    Node,
    Scalar,
    entries_of,
    items_of,
    plain,
    read_file,
    text_of,
)
from runtime.data.shapes import (
    FORM,
    WORDED,
    Either,
    Fault,
    List,
    Number,
    Record,
    Shape,
    Text,
    Truth,
)
from runtime.errors import ArgumentError, LoadError
from runtime.runs.series import MOST_GAMES

#: What is as the ruleset and the scenario have it.
PRINTED: Final = "as printed"
#: A unit of work has at most one in so many of the games before it, so that more games can be asked
#: for later.
_GROWTH: Final = 20
_WATCHED: Final = 20
#: How likely a mistake of a sequential test may be.
_ERROR: Final = 0.05
_CODES: Final = dict.fromkeys(("key", "missing", "kind", "value", "form"), "")


@dataclass(frozen=True, slots=True)
class Stop:
    """When an arrangement is decided: with at most an *error* it is known whether the share of the
    first is a half, or *margin* from it.
    """

    margin: float
    error: float


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What games have in common: *number* is its place in the experiment.

    *switches* and *rules* are names of the experiment's, :data:`PRINTED` where nothing differs;
    *bots* has one for each side in order, which change sides where they differ.
    """

    number: int
    scenario: str
    switches: str
    rules: str
    bots: tuple[str, ...]

    @property
    def swap(self) -> bool:
        """Whether the bots go round the sides."""
        return len(set(self.bots)) > 1


@dataclass(frozen=True, slots=True)
class Unit:
    """Games of an arrangement that are played in a row: those from *first*, up to *end*."""

    arrangement: Arrangement
    first: int
    end: int


@dataclass(frozen=True)
class Experiment:
    """What is to be played: *games* of each arrangement at most, the first *watched* of which are
    looked at decision by decision.

    *switches* says which optional rules are on or off, and *rules* what of them is different, both
    by name.
    """

    title: str
    scenarios: tuple[str, ...]
    bots: tuple[tuple[str, ...], ...] = (("greedy", "greedy"),)
    games: int = 200
    watched: int = _WATCHED
    seed: int = 1
    stop: Stop | None = None
    switches: dict[str, dict[str, bool]] = field(default_factory=lambda: {PRINTED: {}})
    rules: dict[str, Difference] = field(default_factory=lambda: {PRINTED: Difference()})

    @cached_property
    def arrangements(self) -> tuple[Arrangement, ...]:
        """All that is compared, in the order of the file."""
        every = product(self.scenarios, self.switches, self.rules, self.bots)
        return tuple(Arrangement(number, *one) for number, one in enumerate(every))

    def units(self, arrangement: Arrangement) -> Iterator[Unit]:
        """The work of an arrangement, in order; but for the last unit the same for any number of
        games.
        """
        first, sides = 0, len(arrangement.bots)
        while first < self.games:
            end = first + max(1, first // (_GROWTH * sides)) * sides
            yield Unit(arrangement, first, min(end, self.games))
            first = end

    def watched_of(self, arrangement: Arrangement) -> int:
        """How many games of an arrangement are looked at closely: whole rounds of its bots."""
        sides = len(arrangement.bots)
        return -(-self.watched // sides) * sides

    def seed_of(self, arrangement: Arrangement, game: int) -> int:
        """The seed of a game; those in which only bots change sides have the same."""
        return self.seed + (game // len(arrangement.bots) if arrangement.swap else game)

    @property
    def test(self) -> Stop:
        """By what the sequential test tells, whether or not it stops anything."""
        return self.stop or Stop(0.1, _ERROR)

    @property
    def data(self) -> dict[str, Any]:
        """As JSON-able data, of which :meth:`of` makes it again."""
        stop = self.stop
        return {
            "title": self.title,
            "scenarios": list(self.scenarios),
            "bots": [list(line) for line in self.bots],
            "games": self.games,
            "watched": self.watched,
            "seed": self.seed,
            "switches": {n: on for n, on in self.switches.items() if n != PRINTED},
            "rules": {n: one.data for n, one in self.rules.items() if n != PRINTED},
            **({"stop": {"margin": stop.margin, "error": stop.error}} if stop else {}),
        }

    @property
    def key(self) -> str:
        """Tells experiments apart that are not the same with another number of games."""
        data = {name: value for name, value in self.data.items() if name != "games"}
        text = json.dumps(data, sort_keys=True, ensure_ascii=False)
        return sha256(text.encode()).hexdigest()[:16]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Experiment:
        """From what its file holds, which has been checked."""
        told: dict[str, Any] = {
            key: data[key] for key in ("games", "watched", "seed") if key in data
        }
        if "bots" in data:
            lines = data["bots"]
            each = [lines] if isinstance(lines[0], str) else lines
            told["bots"] = tuple(dict.fromkeys(map(tuple, each)))
        if "stop" in data:
            told["stop"] = Stop(
                float(data["stop"]["margin"]), float(data["stop"].get("error", _ERROR))
            )
        differences = {name: Difference.of(one) for name, one in data.get("rules", {}).items()}
        return cls(
            str(data["title"]),
            tuple(map(str, data["scenarios"])),
            switches={PRINTED: {}, **data.get("switches", {})},
            rules={PRINTED: Difference(), **differences},
            **told,
        )


# --------------------------------------------------------------------------- files

_TEXT = Text(types=WORDED)


def _share(node: Node, path: Way) -> Iterator[Fault]:
    if isinstance(node, Scalar) and not 0 < float(node.text) < 1:
        message = f"{node.text}{place_in_words(path)}: expected a number between 0 and 1"
        yield Fault(FORM, message, node, "write, for instance, 0.1")


def _not_printed(node: Node, path: Way) -> Iterator[Fault]:
    for key, _ in node.entries if isinstance(node, Mapping) else ():
        if key.text == PRINTED:
            message = f"'{PRINTED}'{place_in_words(path)} is what is always there"
            yield Fault(FORM, message, key, "give it another name")


def _line_ups(node: Node, path: Way) -> Iterator[Fault]:
    """One line-up may stand alone, but not among others."""
    items = items_of(node)
    names = [item for item in items if isinstance(item, Scalar)]
    if 0 < len(names) < len(items):
        message = f"'{names[0].text}'{place_in_words(path)} stands beside whole line-ups"
        yield Fault(FORM, message, names[0], "write each as a list: [[greedy, greedy], …]")


def _meant(scenario: str) -> list[str]:
    """The scenarios that are called so, or, where it has a ``*``, all whose names are like it."""
    return fnmatch.filter(places.scenarios(), scenario) if "*" in scenario else [scenario]


def _scenario(node: Node, path: Way) -> Iterator[Fault]:
    if isinstance(node, Scalar):
        names = _meant(node.text)
        if not names:
            message = f"no scenario has a name like '{node.text}'"
            yield Fault(FORM, message, node, "`grognard list` shows those that are found")
        try:
            for name in names:
                places.scenario_path(name)
        except LoadError as error:
            yield Fault(FORM, error.message, node, error.remedy)


def _bot(node: Node, path: Way) -> Iterator[Fault]:
    if isinstance(node, Scalar):
        try:
            find_bot(node.text)
        except ArgumentError as error:
            yield Fault(FORM, error.message, node, error.remedy)


def _of_the_rules(root: Node, path: Way) -> Iterator[Fault]:
    """Line-ups and switches that a scenario's ruleset does not have, and a margin that no share can
    have.
    """
    specs = {name: open_scenario(name).program.spec for name in _scenarios(root)}
    fair = min(fair_share(len(spec.sides)) for spec in specs.values())
    margin = _part(_part(root, "stop"), "margin")
    if isinstance(margin, Scalar) and float(margin.text) >= fair:
        message = f"{margin.text} for 'margin' is not below {fair:.2g}, the fair share of the first"
        yield Fault(FORM, message, margin, "write, for instance, 0.1")
    for name, spec in specs.items():
        bots = items_of(_part(root, "bots"))
        for line in [_part(root, "bots")] if bots and isinstance(bots[0], Scalar) else bots:
            try:
                check_line_up(len(items_of(line)), name, spec.sides)
            except ArgumentError as error:
                if line is not None:
                    yield Fault(FORM, error.message, line, error.remedy)
        for _, switches in entries_of(_part(root, "switches")):
            for key, _ in entries_of(switches):
                if key.text not in spec.switches:
                    message = f"'{spec.name}' has no switch '{key.text}'"
                    yield Fault(FORM, message, key, suggestion(key.text, spec.switches))


def _scenarios(root: Node) -> Sequence[str]:
    named = map(text_of, items_of(_part(root, "scenarios")))
    return list(dict.fromkeys(name for one in named for name in _meant(one)))


def _of_differences(root: Node, path: Way) -> Iterator[Fault]:
    """Differences that do not fit the ruleset of a scenario."""
    bases = dict.fromkeys(open_scenario(name).folder for name in _scenarios(root))
    for (key, node), base in product(entries_of(_part(root, "rules")), bases):
        yield from _of_a_difference(base, key.text, node)


def _of_a_difference(base: Path, name: str, node: Node) -> Iterator[Fault]:
    """What is wrong with a difference from the ruleset in *base*: in single lines, where it is."""
    whole = list(_wrong(base, name, plain(node), node))
    lines = items_of(node) if whole and not isinstance(node, Scalar) else ()
    yield from [f for line in lines for f in _wrong(base, name, [plain(line)], line)] or whole


def _wrong(base: Path, name: str, data: Any, node: Node) -> Iterator[Fault]:
    """What is wrong with the ruleset that is different so, told of a node."""
    try:
        with TemporaryDirectory() as folder:
            write_ruleset(base, name, Difference.of(data), Path(folder))
    except ArgumentError as error:
        yield Fault(FORM, error.message, node, error.remedy)
    except LoadError as error:
        for found in error.findings:
            yield Fault(FORM, found.message, node, found.remedy, found.severity)


def check_line_up(bots: int, scenario: str, sides: Sequence[str]) -> None:
    """ArgumentError unless there are as many *bots* as sides."""
    if bots != len(sides):
        raise ArgumentError(
            f"'{scenario}' expects {len(sides)} bot{'s' * (len(sides) != 1)}, got {bots}",
            f"name one for each side: {', '.join(sides)}",
        )


def _distinct(names: Iterable[str]) -> list[str]:
    """Each scenario once, by the first of its names."""
    paths = {places.scenario_path(name): name for name in reversed(list(names))}
    return list(reversed(paths.values()))


def _greedy(scenario: str) -> list[str]:
    """A greedy bot for each side."""
    return ["greedy"] * len(open_scenario(scenario).program.spec.sides)


def _part(root: Node | None, key: str) -> Node | None:
    return root.get(key) if isinstance(root, Mapping) else None


_BOT = Text(types=WORDED, also=_bot)
_SHARE = Text(types=(int, float), want="a number between 0 and 1", also=_share)
#: The shape of the file of an experiment.
SHAPE: Final = Record(
    keys={
        "title": _TEXT,
        "scenarios": List(item=Text(types=WORDED, also=_scenario), least=1, unique=True),
        "bots": List(item=Either(shapes=(List(item=_BOT, least=1), _BOT)), least=1, also=_line_ups),
        "games": Number(least=1, most=MOST_GAMES),
        "watched": Number(least=0, most=10_000),
        "seed": Number(least=0, most=(1 << SEED_BITS) - 1),
        "stop": Record(keys={"margin": _SHARE, "error": _SHARE}, required=("margin",)),
        "switches": Record(rest=Record(rest=Truth(), least=1), also=_not_printed),
        "rules": Record(rest=Either(shapes=(_TEXT, List(item=_TEXT, least=1))), also=_not_printed),
        "notes": Shape(),
    },
    required=("scenarios",),
)


def read_experiment(path: Path, name: str) -> Experiment:
    """The experiment in a file, which people know as *name*.  LoadError with what is wrong, with
    its scenarios too.
    """
    root, findings = read_file(path, name, SHAPE.required)
    if root is not None:
        findings = findings_of_experiment(root, name)
    if findings or root is None:
        raise places.of_findings(list(findings), name)
    data = plain(root)
    scenarios = _distinct(_scenarios(root))
    told = {"title": path.stem, "bots": [_greedy(scenarios[0])]} | data
    return Experiment.of({**told, "scenarios": scenarios})


def refuse_differences(path: Path, name: str) -> None:
    """LoadError where differences in the file of an experiment are wrong, with their places.  All
    are compiled for it, so that is asked where one is refused.
    """
    root, _ = read_file(path, name)
    if root is not None and (found := check(root, Shape(also=_of_differences), name, _CODES)):
        raise places.of_findings(list(found), name)


def findings_of_experiment(root: Node, name: str) -> list[Finding]:
    """What is wrong with an experiment."""
    if not isinstance(root, Mapping):
        message = "an experiment is a mapping with the key scenarios, and others"
        return [Finding("", message, name, 1, 1)]
    return check(root, SHAPE, name, _CODES) or check(root, Shape(also=_of_the_rules), name, _CODES)


def what_if(
    scenarios: Sequence[str],
    lines: Sequence[str],
    games: int,
    bots: Sequence[str] | None,
    seed: int,
) -> Experiment:
    """What would be if *lines* were different: played beside the rules as they are printed, without
    *bots* by greedy ones.  LoadError where a scenario is not found.
    """
    scenarios = _distinct(scenarios)
    difference = " and ".join(lines)
    return Experiment(
        title=f"{', '.join(scenarios)}: {difference or 'who wins'}",
        scenarios=tuple(scenarios),
        bots=(tuple(bots or _greedy(scenarios[0])),),
        games=games,
        seed=seed,
        rules={PRINTED: Difference()} | ({difference: Difference(tuple(lines))} if lines else {}),
    )
