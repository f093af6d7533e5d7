"""What the interpreter records about quantities and permissions: the answers to *why* and *why
not*.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler import ir
from dsl.frozen import Frozen
from dsl.source import Span


class CitedCell(metaclass=Frozen):
    """An entry of a table or matrix that was read: in words (``cc of HI``), and what it cites."""

    label: str
    citations: tuple[str, ...]


class Cited(metaclass=Frozen):
    """A rule or modifier, and the entries of tables that it took its value or condition from."""

    rule: ir.Rule | ir.Modifier
    cells: tuple[CitedCell, ...] = ()

    @property
    def label(self) -> str:
        """What it is called."""
        return self.rule.name

    @property
    def citations(self) -> tuple[str, ...]:
        """What it cites itself."""
        return self.rule.rules

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.rule.span

    @property
    def all_citations(self) -> tuple[str, ...]:
        """What the rule and the entries that it read cite, each once."""
        return tuple(
            dict.fromkeys((*self.citations, *(c for cell in self.cells for c in cell.citations)))
        )


class Applied(metaclass=Frozen):
    """A modifier or limit whose condition held; *op* is ``by``, ``most`` or ``least``, *amount* its
    value.
    """

    rule: Cited
    op: str
    amount: int


class StageTrace(metaclass=Frozen):
    """One stage: what applied in it, and the value after it."""

    name: str
    applied: tuple[Applied, ...]
    value: int


class QuantityTrace(metaclass=Frozen):
    """How a quantity got its value.

    *decided* is the deciding rule, *base* its value; *beaten* are the rules it beat, the most
    general first; *suspended* the rules out of force that would have spoken, each with the name of
    a rule that suspends it.
    """

    name: str
    args: tuple[int, ...]
    decided: Cited
    base: int
    beaten: tuple[Cited, ...]
    suspended: tuple[tuple[Cited, str], ...]
    stages: tuple[StageTrace, ...]
    value: int


class PermissionTrace(metaclass=Frozen):
    """What a permission answered.

    *refusing* are the ``deny`` rules in force when it refuses: none when it refuses because nothing
    allows.  *excepted* are rules that spoke and were beaten, with the exceptions that beat them;
    *suspended* as in :class:`QuantityTrace`; *allowing* are the ``allow`` rules in force when it
    allows: none when it does so because nothing refuses.
    """

    name: str
    args: tuple[int, ...]
    default: str
    allowed: bool
    refusing: tuple[Cited, ...]
    excepted: tuple[tuple[Cited, tuple[Cited, ...]], ...]
    suspended: tuple[tuple[Cited, str], ...]
    allowing: tuple[Cited, ...] = ()


@dataclass
class Tracer:
    """Collects traces in the order in which evaluations end: what a value depends on comes before
    it.

    *outer* are the quantities that no other quantity or permission has asked.
    """

    quantities: list[QuantityTrace] = field(default_factory=list)
    permissions: list[PermissionTrace] = field(default_factory=list)
    outer: list[QuantityTrace] = field(default_factory=list)
    #: how many quantities and permissions are under way
    depth: int = 0
