"""Which rules random games reach.

Games are played by the reference interpreter, which is watched: a rule is reached when its condition held, a
function or procedure when it was called, a column when it was read, an option when it was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from random import Random

from compiler import ir
from compiler.interpreter import Evaluator, InterpretedProgram
from compiler.interpreter.execute import Outcome, Run, Steps
from compiler.interpreter.values import Locals, Value
from compiler.liveness import Liveness
from compiler.trees import rules_of
from runtime.model import BoardSetUp, RulesetSpec
from runtime.scenario.setup import SetUp
from runtime.state import StateBase

#: What cannot be watched: it plays its part in every game.
_ALWAYS = ("enum", "board", "deck", "event", "sides", "scope", "piece")


@dataclass
class Seen:
    """What was used in games: names as :attr:`compiler.ir.Program.citations` has them, and ids of nodes.

    *held* are conditions that held, *run* steps that were run, *read* what was read.
    """

    things: set[str] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    run: set[int] = field(default_factory=set)
    read: set[int] = field(default_factory=set)


class Watching(Evaluator):
    """Evaluates, and notes what was used."""

    def __init__(self, program: ir.Program, state: StateBase, seen: Seen) -> None:
        super().__init__(program, state)
        self.seen = seen

    def holds(self, condition: ir.Expr | None, env: Locals) -> bool:
        """Whether a condition holds."""
        result = super().holds(condition, env)
        if result:
            self.seen.held.add(id(condition))
        return result

    # What is read: each kind of expression by itself, for most are nothing to watch.

    def _get(self, e: ir.Get, env: Locals) -> Value:
        if id(e) not in self.seen.read:
            self.seen.read.add(id(e))
            self.seen.things.add(f"field {e.field.owner}.{e.field.base}")
        return super()._get(e, env)

    def _pick(self, e: ir.Pick, env: Locals) -> Value:
        self.seen.things.add(f"field {e.fields[0].owner}.{e.fields[0].base}")
        return super()._pick(e, env)

    def _col(self, e: ir.Col, env: Locals) -> Value:
        if id(e) not in self.seen.read:
            self.seen.read.add(id(e))
            self.seen.things.update(
                (f"table {e.column.table}", f"column {e.column.name} of {e.column.table}")
            )
        if any(e.column.of_rows):
            self._row(e.column.table, e.column.enum, e.key, env)
        return super()._col(e, env)

    def _cell(self, e: ir.Cell, env: Locals) -> Value:
        self.seen.things.add(f"matrix {e.matrix.name}")
        if any(e.matrix.of_rows):
            self._row(e.matrix.name, e.matrix.row, e.row, env)
        return super()._cell(e, env)

    def _travel(self, name: str) -> None:
        self.seen.things.add(f"travel {self.program.travels[name].via_of or name}")

    def _reach(self, e: ir.Reach, env: Locals) -> Value:
        self._travel(e.travel)
        return super()._reach(e, env)

    def _steps(self, e: ir.Steps, env: Locals) -> Value:
        self._travel(e.travel)
        return super()._steps(e, env)

    def _way(self, e: ir.Way, env: Locals) -> Value:
        self._travel(e.travel)
        return super()._way(e, env)

    def _switchon(self, e: ir.SwitchOn, env: Locals) -> Value:
        self.seen.things.add(f"switch {e.name}")
        return super()._switchon(e, env)

    def _active(self, e: ir.Active, env: Locals) -> Value:
        result = super()._active(e, env)
        if result:
            self.seen.things.add(f"effect {e.effect.name}")
        return result

    def _row(self, table: str, enum: str, key: ir.Expr, env: Locals) -> None:
        at, members = self.number(key, env), self.program.enums[enum]
        if 0 <= at < len(members):
            self.seen.things.add(f"row {members[at]} of {table}")

    def call(self, name: str, args: list[Value]) -> Value:
        """A call."""
        self.seen.things.add(f"{self.program.calls[name].kind} {name}")
        return super().call(name, args)


class WatchedRun(Run):
    """Runs a game, and notes what was done."""

    def __init__(self, program: ir.Program, state: StateBase, seen: Seen, live: Liveness) -> None:
        super().__init__(program, state, live)
        self.x = Watching(program, state, seen)
        self.seen = seen

    def procedure(self, name: str, args: list[Value]) -> Generator[None, None, Value]:
        """Run a procedure."""
        cases = self.program.procedures[name].cases
        self.seen.things.add(f"procedure {cases.get(int(args[0]), name) if cases else name}")
        return (yield from super().procedure(name, args))

    def block(self, stmts: Iterable[ir.Stmt], env: Locals) -> Steps:
        """Run steps."""
        if stmts:
            self.seen.run.add(id(stmts))
        return (yield from super().block(stmts, env))

    def _setfield(self, stmt: ir.SetField, env: Locals) -> Outcome:
        self.seen.things.add(f"field {stmt.field.owner}.{stmt.field.base}")
        return super()._setfield(stmt, env)

    def _roll(self, stmt: ir.Roll, env: Locals) -> Outcome:
        self.seen.things.add(f"die {stmt.die.name}")
        return super()._roll(stmt, env)


class WatchedProgram(InterpretedProgram):
    """The reference interpreter, watched."""

    def __init__(self, program: ir.Program, spec: RulesetSpec) -> None:
        super().__init__(program, spec)
        self.seen = Seen()

    def on(self, board: BoardSetUp | None) -> WatchedProgram:
        """The same on a scenario's board; what is seen there counts as seen."""
        made = super().on(board)
        made.seen = self.seen
        return made

    def begin(self, state: StateBase) -> None:
        """Run to the first decision."""
        state.steps = WatchedRun(self.program, state, self.seen, self._live).play()  # type: ignore[attr-defined]
        self._go_on(state, state.steps)  # type: ignore[attr-defined, arg-type]


def reached(
    program: ir.Program,
    spec: RulesetSpec,
    setups: list[SetUp],
    games: int,
    seed: int,
    tell: Callable[[int, int], None] | None = None,
) -> set[str]:
    """The rule IDs that random games reach."""
    watched = WatchedProgram(program, spec)
    for number in range(games):
        setup = setups[number % len(setups)]
        playing = watched.on(setup.board)
        state = playing.new_state(setup, seed + number)
        rng = Random(seed + number)
        playing.begin(state)
        while not state.over:
            playing.answer(state, state.options[rng.randrange(len(state.options))])
        if tell is not None:
            tell(number + 1, games)
    names = _names(program, watched.seen) if games else set()
    return {
        rule
        for rule, uses in program.citations.items()
        if any(use in names or (games and use.split()[0] in _ALWAYS) for use in uses)
    }


def _names(program: ir.Program, seen: Seen) -> set[str]:
    """What was used, by the names that citations have."""
    names = set(seen.things)
    for call in program.calls.values():
        if f"{call.kind} {call.name}" not in seen.things:
            continue
        reached = {id(rule) for rule in call.roots}
        for rule in rules_of(call.roots):
            if id(rule) not in reached:
                continue
            if rule.when is None or id(rule.when) in seen.held:
                names.add(f"rule {rule.name} of {call.name}")
                reached |= {id(e) for e in rule.exceptions}
            for name, when in rule.suspended:
                if id(when) in seen.held:
                    names |= {f"suspension of {rule.name} of {call.name}", f"suspension {name}"}
        for modifiers in call.modifiers.values():
            names |= {
                f"modifier {m.name} of {call.name}"
                for m in modifiers
                if m.when is None or id(m.when) in seen.held
            }
    for procedure in program.procedures.values():
        if f"procedure {procedure.name}" in names:
            if procedure.case_of == procedure.name:
                names.add(f"reaction {procedure.name.removeprefix('reaction_')}")
            elif procedure.case_of is not None:
                names.add(f"{procedure.name.removeprefix(procedure.case_of + '__')} of {procedure.case_of}")
    for node in program.decision_nodes:
        if isinstance(node, ir.Offer):
            for branch in node.branches:
                if id(branch.body) in seen.run:
                    names.add(f"option {branch.name} of {node.decision.procedure}")
    names |= {f"check {check.name}" for check in program.checks.values() if id(check.when) in seen.held}
    return names
