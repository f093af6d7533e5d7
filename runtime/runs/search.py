"""A bot that searches: information-set Monte Carlo tree search, open over chance.

Each playout draws a position that could be where the side sees what it sees, follows the tree from
decision to decision by what has been good so far, adds one decision to it, and plays on from there
for a while; what the ruleset's ``standing`` says then is told to all that led there.

One tree for the side that searches, in which options are counted by how often they were there to
choose: P. I. Cowling, E. J. Powley, D. Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE
Transactions on Computational Intelligence and AI in Games 4 (2012).  Which options are tried first
is told by what the position right after each is worth, as in the PUCT rule of D. Silver et al.,
*Mastering the game of Go with deep neural networks and tree search*, Nature 529 (2016).

Where a side decides several times in a row, and its choice leads to the next decision without
chance and without telling it anything, the search goes on with the part of its tree behind that
choice: its positions could be the same ones.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import NamedTuple

from runtime.errors import blaming, number, whole_number
from runtime.games.game import View
from runtime.model import PASS, RulesetSpec
from runtime.option import Option
from runtime.program import Program
from runtime.runs.bots import VICTORY
from runtime.runs.worlds import PlainWorld, World, world_for
from runtime.scenario.setup import SetUp
from runtime.state import RUNNING, RulesetFault, StateBase
from runtime.view import Sight, view

#: Playouts that only find out what positions are worth, and how much that differs; how many of
#: them, and of the others, are made however long they take.
_PILOTS, _LEAST = 24, 8
#: A playout goes on past so many checkpoints from where the search began, but at most so many
#: decisions beyond the tree, each by the best of some options drawn at random.
_CHECKPOINTS, _MOST, _TRIES = 2, 80, 8
#: Where that takes more decisions than the first on average, a playout ends at the next checkpoint,
#: and where this takes more than the second, after half as many: more playouts tell more there.
_LONG_FAR, _LONG_NEAR = 45, 60
#: How much counts what an option promises, beside what has come of it.
_CURIOSITY = 1.0
#: How much worse than those tried an option is taken to be that was not.
_UNTRIED = 0.1
#: Where options are asked for until the side passes, it does so only if it has tried that more than
#: so many times as often as what it has tried most beside it, or if more has come of passing.
_RELUCTANT = 2
#: How often a decision must have come up to stand in the line that is expected.
_FIRM = 4
#: What is worth more than this, or less than its negative, is the end of a game: the standing of
#: one that goes on is smaller.
_ENDED = VICTORY / 32


class _Edge:
    """An option of a *side*: how much it promises (the options of a decision together 1), how often
    it was there and taken, what came of it to whoever took it (each time from 0 to 1), and the
    options of the decision that it leads to; *openly*: over none with one option that not all see.
    """

    __slots__ = ("edges", "openly", "promise", "side", "taken", "there", "total")

    def __init__(self, side: int, promise: float) -> None:
        self.side, self.promise = side, promise
        self.there = self.taken = 0
        self.openly = True
        self.total = 0.0
        self.edges: _Edges | None = None


#: An option: whose it is, the number of the question and its own.
_Key = tuple[int, int, int]
#: The options that were known where a decision is taken: in other positions that could be, and
#: after other dice, something else may be asked, or somebody else.
_Edges = dict[_Key, _Edge]


class Horizon(NamedTuple):
    """How far a playout goes on: past so many *checkpoints* from where the search began, but at
    most so many decisions beyond its tree.
    """

    checkpoints: int
    most: int


@dataclass(frozen=True, slots=True)
class TriedOption:
    """An *option* that was tried so many *times*, and what has come of it on average, each time
    from 0 (a defeat) to 1 (a victory): 0.5 is what usually comes of the position from which the
    search has gone on.
    """

    option: int
    times: int
    value: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search has found: the options, *ranked* by how often they were tried; in which part of
    the playouts with the option *chosen* the side has stood *ahead* of all others at the end (level
    counts half); and the *line* that is expected, which begins with that option: of each decision
    that is no matter of course the side, the question and the option.  So many of them at its
    beginning all can know, *openly*: what is asked and offered follows from what all see.  Playouts
    went on to a *horizon*.
    """

    chosen: int
    ranked: tuple[TriedOption, ...]
    ahead: float
    line: tuple[tuple[int, int, int], ...]
    openly: int
    horizon: Horizon


class SearchBot:
    """Takes what has led to the best positions in *playouts* that it has made.

    It stops earlier when *seconds* are over (0: it does not), but makes a few playouts however long
    they take; then its choice hangs on the speed of the machine.  It stops, too, when none that is
    left could change its choice.  With a chance of *careless* (0 to 1) it takes any option, in
    proportion to how often it has tried it.  *weights* are as those of
    :class:`~runtime.runs.bots.GreedyBot`.  A native build of the ruleset makes it some ten times as
    fast, and changes nothing else.  ArgumentError for numbers that cannot be.

    It keeps what stands behind its choice until it is asked again with the same chance (*rng*), and
    goes on with it where nothing has happened that it did not foresee.
    """

    def __init__(
        self,
        playouts: int = 1000,
        seconds: float = 0.0,
        careless: float = 0.0,
        weights: Mapping[str, int] | None = None,
    ) -> None:
        self.playouts = whole_number("playouts", playouts, 1)
        self.seconds = number("seconds", seconds)
        self.careless = number("careless", careless, 1)
        self.weights = dict(weights or {})
        #: what it has found when it last had a choice
        self.thought: SearchResult | None = None
        self._kept: _KeptTree | None = None

    def __repr__(self) -> str:
        budget = f"playouts={self.playouts}, seconds={self.seconds:g}"
        return f"SearchBot({budget}, careless={self.careless:g})"

    def choose(self, view: View, options: Sequence[Option], rng: Random) -> Option:
        """The best of *options*.  RulesError where the rules fail."""
        with blaming(view.program.spec.name):
            raw = self.search(view.program, view.setup, view.raw, [o.raw for o in options], rng)
        return next(o for o in options if o.raw == raw)

    def search(
        self, program: Program, setup: SetUp, view: Sight, options: Sequence[int], rng: Random
    ) -> int:
        """:meth:`choose` on ints."""
        if len(options) == 1:
            return options[0]
        ends = time.perf_counter() + (self.seconds or float("inf"))
        keys = _keys(view.side, view.decision, options)
        program = program.with_weights(self.weights) if self.weights else program
        world = world_for(program, setup, view, rng)
        kept, self._kept = self._kept, None
        if kept is not None and kept.holds(view, rng):
            tree = kept.tree
            tree.world = world
        else:
            tree = _Tree(world, program.spec)
            tree.measure(ends)
        self._think(tree, ends)
        ranked = tree.ranking(keys)
        chosen = ranked[0].option
        if self.careless and rng.random() < self.careless:
            times = {one.option: 1 + one.times for one in ranked}
            chosen = rng.choices(options, [times[option] for option in options])[0]
        taken = (view.side, view.decision, chosen)
        line = tree.line(taken)
        ahead, openly = tree.ahead(taken), tree.openly(line)
        self.thought = SearchResult(chosen, ranked, ahead, line, openly, tree.horizon)
        foreseen = _next_sight(program, view, chosen)
        if foreseen is not None:
            following = _keys(foreseen.side, foreseen.decision, foreseen.state.options)
            tree.advance(taken, following)
            self._kept = _KeptTree(tree, foreseen, rng)
        return chosen

    def _think(self, tree: _Tree, ends: float) -> None:
        """Make playouts, as many as there are or until the clock *ends* it.  RulesetFault."""
        first = time.perf_counter()
        fault: RulesetFault | None = None
        for made in range(self.playouts):
            if made >= _LEAST:
                now, left = time.perf_counter(), self.playouts - made
                if self.seconds:
                    left = min(left, int(made * (ends - now) / (now - first)))
                if left <= 0 or (not self.careless and tree.is_decided(left)):
                    break
            try:
                tree.grow()
            except RulesetFault as error:
                fault = error
        if fault is not None and not any(edge.taken for edge in tree.first.values()):
            raise fault  # not what was drawn contradicts the rules: they fail


@dataclass(frozen=True, slots=True)
class _KeptTree:
    """What a *tree* knows of the next decision of its side, in the game of a bot with the chance
    *rng*, where the side sees what is *foreseen*.
    """

    tree: _Tree
    foreseen: Sight
    rng: Random

    def holds(self, seen: Sight, rng: Random) -> bool:
        """Whether that is what it sees now; procedures under way, which are its own, included."""
        ours, theirs = self.foreseen.state, seen.state
        under_way = ours.frames == theirs.frames and ours.shelf == theirs.shelf
        return rng is self.rng and under_way and seen == self.foreseen


def _next_sight(program: Program, seen: Sight, option: int) -> Sight | None:
    """What a side sees at its next decision, if an option leads to one without chance and without
    anything that it learns; None where it does not, or may not.
    """
    side, state = seen.side, seen.sample(Random(0))
    try:
        program.answer(state, option)
        while state.over == RUNNING and state.chooser == side and len(state.options) == 1:
            program.answer(state, state.options[0])
    except RulesetFault:  # what was drawn contradicts the rules
        return None
    if state.over != RUNNING or state.chooser != side or state.reveals or any(state.counters):
        return None
    if state.checkpoints != seen.state.checkpoints:  # what is known was rated at another
        return None
    return view(state, side)


def played_on(
    program: Program, view: Sight, option: int, chance: str, horizon: Horizon
) -> StateBase | None:
    """Where a playout ends that takes an option of the side that decides; with the same *chance* it
    begins from the same position.  None where what is drawn contradicts the rules.
    """
    world = PlainWorld(program, view, chance)
    try:
        world.begin()
        until = world.checkpoints + horizon.checkpoints
        world.answer(option)
        world.rollout(_TRIES, until, horizon.most)
    except RulesetFault:
        return None
    return world.state


class _Tree:
    """What is known of the decisions that may come."""

    def __init__(self, world: World, spec: RulesetSpec) -> None:
        self.world, self.spec, self.sides = world, spec, len(spec.sides)
        self.first: _Edges = {}
        #: what positions soon are worth to each side, and how far they are from that, when the tree
        #: was new
        self.usual = [(0.0, 1.0)] * self.sides
        self.horizon = Horizon(_CHECKPOINTS, _MOST)
        #: the options that each playout has taken in the tree, and where it has ended
        self.ends: list[tuple[list[_Edge], Sequence[float]]] = []

    def advance(self, taken: _Key, following: Sequence[_Key]) -> None:
        """Be what is known behind an option of the first decision, where others follow."""
        edge = self.first.get(taken)
        behind = (edge and edge.edges) or {}
        self.first = {key: behind[key] for key in following if key in behind}
        there = set(self.first.values())
        self.ends = [
            (path[1:], worths)
            for path, worths in self.ends
            if len(path) > 1 and path[0] is edge and path[1] in there
        ]

    def ranking(self, keys: Sequence[_Key]) -> tuple[TriedOption, ...]:
        """The options of the first decision, those tried most first."""
        tried = []
        for key in keys:
            edge = self.first.get(key)
            times = edge.taken if edge is not None else 0
            value = edge.total / times if edge is not None and times else 0.0
            tried.append(TriedOption(key[2], times, value))
        # of those tried as often, what has come of them counts
        tried.sort(key=lambda one: (one.times, one.value), reverse=True)
        first, second, *more = tried
        close = _RELUCTANT * second.times >= first.times and second.value >= first.value
        if close and self._reluctant((*keys[0][:2], first.option)):
            first, second = second, first
        return first, second, *more

    def _reluctant(self, key: _Key) -> bool:
        """Whether an option ends what could be gone on with."""
        _, question, option = key
        return option == PASS and self.spec.decisions[question].menu

    def ahead(self, key: _Key) -> float:
        """In which part of the playouts with an option its side has stood ahead at the end; where
        there are none, of all.
        """
        edge = self.first.get(key)
        ends = [one for one in self.ends if one[0][0] is edge] or self.ends
        shares = [_ahead(worths, path[0].side) for path, worths in ends]
        return sum(shares) / len(shares) if shares else 0.5

    def line(self, key: _Key) -> tuple[_Key, ...]:
        """What was tried most behind an option of the first decision, as far as that stands."""
        line: list[_Key] = []
        edge = self.first.get(key)
        while edge is not None:
            line.append(key)
            firm = [one for one in (edge.edges or {}).items() if one[1].taken >= _FIRM]
            key, edge = max(firm, key=lambda one: one[1].taken, default=(key, None))
        return tuple(line)

    def openly(self, line: Sequence[_Key]) -> int:
        """How many decisions at the beginning of a line all can know; the first is taken already,
        and known unless it is secret.
        """
        edges, known = self.first, 0
        for place, key in enumerate(line):
            decision, edge = self.spec.decisions[key[1]], edges[key]
            if decision.secret or (place and not decision.open):
                break
            known += 1
            if not edge.openly or edge.edges is None:
                break
            edges = edge.edges
        return known

    def is_decided(self, left: int) -> bool:
        """Whether the option of the first decision that would be taken stays so, however many of
        the playouts *left* try another.
        """
        tried = sorted((edge.taken, key) for key, edge in self.first.items())
        if len(tried) < 2:
            return False
        (second, _), (most, key) = tried[-2:]
        return most > (second + left) * (_RELUCTANT if self._reluctant(key) else 1)

    def measure(self, ends: float) -> None:
        """Find out how far playouts go, and what positions are worth then; with few looks where a
        quarter of the time until the clock *ends* it is over.
        """
        world, now = self.world, time.perf_counter()
        enough = now + (ends - now) / 4
        near, far = list[Sequence[float]](), list[Sequence[float]]()
        to_near, to_far = list[int](), list[int]()
        for _ in range(_LEAST):
            with suppress(RulesetFault):
                world.begin()
                begun = world.checkpoints
                taken, soon = world.rollout(_TRIES, begun + 1, _MOST)
                more, late = world.rollout(_TRIES, begun + _CHECKPOINTS, _MOST - taken)
                to_near.append(taken)
                to_far.append(taken + more)
                near.append(soon)
                far.append(late)
        found = far
        if spread_of(to_far)[0] > _LONG_FAR:
            long = spread_of(to_near)[0] > _LONG_NEAR
            self.horizon = Horizon(1, _MOST // 2 if long else _MOST)
            found = near
        for _ in range(_PILOTS - _LEAST):
            if time.perf_counter() >= enough:
                break
            with suppress(RulesetFault):
                world.begin()
                until = world.checkpoints + self.horizon.checkpoints
                found.append(world.rollout(_TRIES, until, self.horizon.most)[1])
        for side in range(self.sides):
            usual = [worths[side] for worths in found if abs(worths[side]) < _ENDED]
            self.usual[side] = spread_of(usual)

    def _part(self, side: int, worth: float) -> float:
        """A worth as a part of 1: all for a victory, nothing for a defeat, by the place between."""
        if abs(worth) > _ENDED:
            return max(0.0, min(1.0, (1 + worth / VICTORY) / 2))
        mean, spread = self.usual[side]
        far = max(-30.0, min(30.0, (worth - mean) / (2 * spread)))
        return 0.02 + 0.96 / (1 + exp(-far))

    def grow(self) -> None:
        """Make a playout.  RulesetFault."""
        world, edges, path = self.world, self.first, list[_Edge]()
        world.begin()
        until = world.checkpoints + self.horizon.checkpoints
        while not world.over and world.checkpoints < until:
            options, (question, side) = world.options, world.pending
            if len(options) == 1:
                if path and not self.spec.decisions[question].open:
                    path[-1].openly = False
                world.answer(options[0])
                continue
            keys = _keys(side, question, options)
            if not all(key in edges for key in keys):
                self._know(edges, keys)
            at, edge = _best([edges[key] for key in keys])
            path.append(edge)
            world.answer(options[at])
            if edge.edges is None:
                edge.edges = {}
                break
            edges = edge.edges
        _, worths = world.rollout(_TRIES, until, self.horizon.most)
        if path:
            self.ends.append((path, worths))
        for edge in path:
            edge.taken += 1
            edge.total += self._part(edge.side, worths[edge.side])

    def _know(self, edges: _Edges, keys: Sequence[_Key]) -> None:
        """Add options that are new, with what they promise."""
        worths = self.world.worths()
        most, (_, spread) = max(worths), spread_of(worths)
        promises = [exp(max(-20.0, (worth - most) / spread)) for worth in worths]
        whole = sum(promises)
        for key, promise in zip(keys, promises, strict=True):
            edges.setdefault(key, _Edge(key[0], promise / whole))


def _keys(side: int, question: int, options: Sequence[int]) -> list[_Key]:
    return [(side, question, option) for option in options]


def _ahead(worths: Sequence[float], side: int) -> float:
    """Whether a side stands ahead of all others: 1, or 0.5 where it is level with the best."""
    best = max((worth for other, worth in enumerate(worths) if other != side), default=0.0)
    return 0.5 if worths[side] == best else float(worths[side] > best)


def _best(there: Sequence[_Edge]) -> tuple[int, _Edge]:
    """The option that is best so far, or promises most of those seldom tried, and its place."""
    tried = [edge.total / edge.taken for edge in there if edge.taken]
    untried = (sum(tried) / len(tried) if tried else 0.5) - _UNTRIED
    best, most = 0, -1.0
    for at, edge in enumerate(there):
        edge.there += 1
        value = edge.total / edge.taken if edge.taken else untried
        value += _CURIOSITY * edge.promise * sqrt(edge.there) / (1 + edge.taken)
        if value > most:
            best, most = at, value
    return best, there[best]


def spread_of(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some numbers, and how far they are from it (1 where they are all the same)."""
    if not values:
        return 0.0, 1.0
    mean = sum(values) / len(values)
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / len(values)) or 1.0
