"""The reference interpreter beside a case: what an execution does without asking, which its decisions do not
show.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Self

from compiler import ir
from compiler.interpreter import InterpretedProgram
from compiler.interpreter.execute import Run
from compiler.interpreter.values import Locals, Value
from compiler.liveness import Liveness
from runtime.model import BoardSetUp, RulesetSpec
from runtime.state import StateBase


class Watch:
    """What was seen: *taken* holds options taken without asking as (decision, option), and *returned* says
    whether the procedure that was started has come to its end (and not the game)."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, int]] = []
        self.returned = False


class _WatchedRun(Run):
    def __init__(self, program: ir.Program, state: StateBase, live: Liveness, watch: Watch) -> None:
        super().__init__(program, state, live)
        self.watch = watch

    def alone(self, name: str, args: list[Value]) -> Generator[None, None, None]:
        """Run one procedure."""
        self.watch.returned = False
        yield from super().alone(name, args)
        self.watch.returned = True

    def _ask(self, node: ir.Choose | ir.Offer, env: Locals) -> Generator[None, None, int | None]:
        before = self.asked
        answer = yield from super()._ask(node, env)
        if answer is not None and self.asked == before:
            self.watch.taken.append((node.decision.index, answer))
        return answer


class ShadowProgram(InterpretedProgram):
    """The reference interpreter, watched."""

    def __init__(self, program: ir.Program, spec: RulesetSpec, watch: Watch) -> None:
        super().__init__(program, spec)
        self.watch = watch

    def on(self, board: BoardSetUp | None) -> Self:
        """The same; it was made for the board that it is on."""
        return self

    def begin(self, state: StateBase) -> None:
        """Run to the first decision."""
        state.steps = _WatchedRun(self.program, state, self._live, self.watch).play()  # type: ignore[attr-defined]
        self._go_on(state, state.steps)  # type: ignore[attr-defined, arg-type]

    def start(self, state: StateBase, procedure: str, args: list[int]) -> None:
        """Run one procedure to its first decision or its end."""
        state.steps = _WatchedRun(self.program, state, self._live, self.watch).alone(procedure, args)  # type: ignore[attr-defined]
        self._go_on(state, state.steps)  # type: ignore[attr-defined, arg-type]
