"""Values of one ruleset and set-up as those of another, by their stable names; and what is lost."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from runtime.bitsets import bits
from runtime.games.names import Names
from runtime.model import NONE, RulesetSpec, TypeSpec
from runtime.scenario.setup import SetUp

#: Why something could not be kept; ``{value}`` is what it was.
GONE = "the rules have it no more"
OTHER = "it holds something else now"
NO_VALUE = "{value} is not there any more"
NO_PIECE = "the scenario has it no more"
TAKEN_PLACE = "{value} is taken"
NOT_KNOWN = "{value} has no value yet"

#: How many owners of a value that is lost are named.
_NAMED = 3
#: The number of what is not there any more.
NOWHERE = -2


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be kept, by its stable name, and why: a sentence with *value* in it."""

    what: str
    why: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.why.format(value=self.value)}"


class Gone(Exception):
    """Something cannot be kept: why, and its value."""

    def __init__(self, why: str, value: str = "", what: str = "") -> None:
        super().__init__()
        self.why, self.value, self.what = why, value, what

    def loss(self, what: str) -> Loss:
        """As it is told."""
        return Loss(self.what or what, self.why, self.value)


class Translation:
    """Takes values of a ruleset over into those of another, and notes what is lost."""

    def __init__(self, old: RulesetSpec, old_setup: SetUp, new: RulesetSpec, setup: SetUp) -> None:
        self.old, self.new = old, new
        self.old_names, self.names = Names(old, old_setup), Names(new, setup)
        self._numbers: dict[tuple[str, str, str], list[int]] = {}
        #: what is lost, with the owners of which it is
        self._lost: dict[Loss, list[str]] = {}

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be kept so far."""
        return tuple(
            replace(loss, what=f"{loss.what} ({_owner_list(owners)})") if owners else loss
            for loss, owners in self._lost.items()
        )

    def lose(self, loss: Loss, owner: str = "") -> None:
        """Note what cannot be kept, and of whom."""
        owners = self._lost.setdefault(loss, [])
        if owner:
            owners.append(owner)

    def numbers(self, old: TypeSpec, new: TypeSpec) -> list[int]:
        """By numbers of members, hexes or pieces those of the same name."""
        key = (old.kind, old.name, new.name)
        if key not in self._numbers:
            there = {name: i for i, name in enumerate(self.names.all(new))}
            self._numbers[key] = [there.get(n, NOWHERE) for n in self.old_names.all(old)]
        return self._numbers[key]

    def value(self, old: TypeSpec, value: Any, new: TypeSpec) -> Any:
        """A value of a type as one of another.  Raises Gone where it means nothing there."""
        unlike = old.kind != new.kind or (old.of is None) != (new.of is None)
        if unlike or (value == NONE and old.optional and not new.optional):
            raise Gone(OTHER)
        if value == NONE:  # a local that takes a set from an answer holds it, too
            return value
        if old.of is not None and new.of is not None:
            if old.kind == "roll":
                return value and type(value)(self.value(old.of, v, new.of) for v in value)
            return sum(1 << self.value(old.of, v, new.of) for v in bits(value))
        if old.kind not in ("enum", "piece", "hex"):
            return value
        numbers = self.numbers(old, new)
        if not numbers:  # a local without a value, of a kind without pieces
            return value
        if numbers[value] == NOWHERE:
            raise Gone(NO_VALUE, self.old_names.name(old, value))
        return numbers[value]

    def remaining(self, old: TypeSpec, value: int, new: TypeSpec) -> int:
        """Of what there was to choose, a set, what there still is."""
        assert old.of is not None and new.of is not None
        there = 0
        for member in bits(value):
            with suppress(Gone):
                there |= 1 << self.value(old.of, member, new.of)
        return there

    def values(
        self, old: Sequence[TypeSpec], values: Sequence[Any], new: Sequence[TypeSpec]
    ) -> list[Any]:
        """Several values.  Raises Gone where there are others now."""
        if len(old) != len(new):
            raise Gone(OTHER)
        return [self.value(o, v, n) for o, v, n in zip(old, values, new, strict=True)]


def _owner_list(owners: Sequence[str]) -> str:
    """Owners by name, not too many."""
    return ", ".join(owners[:_NAMED]) + (", …" if len(owners) > _NAMED else "")
