"""Actions: a fixed number for everything that can ever be chosen in a scenario."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.games.names import Names
from runtime.model import MASK, PASS, SECOND, OptionSpec, TypeSpec, branch_of

#: Numbers that are chosen have an action each up to this one.
INTS = 32
#: Actions for what has no number of its own: larger numbers that are chosen.
SPARE = 32


class Numbering:
    """Numbers options: ``march red1`` is the same action whenever it is offered, whatever else is.

    There is a block for each word of an option and the types of its values, in the order of the
    ruleset's decisions: one action without a value, one for each piece, hex, member, or number
    below 32, one for each pair where a pair is taken.  Then one for each word that passes.  The
    last 32 are spare: options without a number of their own take them, in their order, at one
    decision.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        spec = names.spec
        self._blocks: dict[
            tuple[str, tuple[tuple[str, str], ...]], tuple[int, tuple[int, ...]]
        ] = {}
        self._words: list[tuple[int, str, tuple[TypeSpec, ...]]] = []
        self._passes: dict[str, int] = {}
        size = 0
        for decision in spec.decisions:
            for option in decision.options:
                key = (option.word, tuple((t.kind, t.name) for t in option.values))
                if key not in self._blocks:
                    domains = tuple(self.domain(t) for t in option.values)
                    self._blocks[key] = (size, domains)
                    self._words.append((size, option.word, option.values))
                    for domain in domains:
                        size += 0 if domain else 1
                    count = 1
                    for domain in domains:
                        count *= domain
                    size += count
        for decision in spec.decisions:
            word = decision.passing or "pass"
            if word not in self._passes:
                self._passes[word] = size
                size += 1
        self.spare = size
        self.size = size + SPARE
        self._numbers: dict[tuple[int, int], int] = {}

    def domain(self, type_: TypeSpec) -> int:
        """How many values of a type have a number."""
        spec = self._names.spec
        if type_.kind == "piece":
            return len(self._names.setup.pieces_of(spec.kinds_of(type_.name)))
        if type_.kind == "hex":
            return spec.board.size
        if type_.kind == "enum":
            return len(spec.enums[type_.name])
        return 2 if type_.kind == "bool" else INTS

    def passing(self, point: int) -> int:
        """The action that passes at a decision."""
        return self._passes[self._names.spec.decisions[point].passing or "pass"]

    def block(self, option: OptionSpec) -> tuple[int, tuple[int, ...]]:
        """The first action of an option's block, and how many values there are of each that it
        takes.
        """
        return self._blocks[option.word, tuple((t.kind, t.name) for t in option.values)]

    def number(self, point: int, option: int) -> int:
        """The action of an option of a decision; -1 when it has no number of its own."""
        key = (point, option)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._number(point, option)
        return number

    def _number(self, point: int, option: int) -> int:
        decision = self._names.spec.decisions[point]
        if option == PASS:
            return self.passing(point)
        start, domains = self.block(decision.options[branch_of(option)])
        offset = 0
        for domain, value in zip(domains, (option & MASK, option >> SECOND), strict=False):
            if value >= domain:
                return -1
            offset = offset * domain + value
        return start + offset

    def actions(self, point: int, options: Sequence[int]) -> dict[int, int]:
        """The options of a decision by their actions."""
        raws: dict[int, int] = {}
        left: list[int] = []
        for option in options:
            number = self.number(point, option)
            if number < 0 or number in raws:
                left.append(option)
            else:
                raws[number] = option
        for number, option in enumerate(left[:SPARE], self.spare):
            raws[number] = option
        return raws

    def text(self, action: int) -> str:
        """What an action is, as the text of an option; ``spare`` for the last ones.  IndexError
        when there is no such action.
        """
        if not 0 <= action < self.size:
            raise IndexError(f"there are actions from 0 to {self.size - 1}")
        if action >= self.spare:
            return f"spare {action - self.spare + 1}"
        for word, number in self._passes.items():
            if number == action:
                return word
        start, word, types = next(block for block in reversed(self._words) if block[0] <= action)
        rest = action - start
        values: list[str] = []
        for type_ in reversed(types):
            rest, value = divmod(rest, max(1, self.domain(type_)))
            values.insert(0, self._names.name(type_, value))
        return " ".join([word, *values])
