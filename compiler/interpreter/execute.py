"""Procedures (SPEC: procedures): the steps of one game, standing still at each decision.

Steps are run by generators.  One that comes to a decision writes it into the state and yields;
``Program.answer`` writes the answer into the state and lets it go on.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Generator, Iterable
from typing import TypeAlias, cast

from compiler import ir
from compiler.interpreter.evaluate import OPERATORS, Evaluator
from compiler.interpreter.rules import bind
from compiler.interpreter.steps import Outcome, Returned, Stopped
from compiler.interpreter.values import Locals, Value, set_of
from compiler.layout import DEEPEST
from compiler.liveness import HeldPieces, Liveness
from compiler.trees import uncovers
from compiler.types import from_spec
from runtime.alike import mask_of_local, merged
from runtime.chance import draw, drawn, roll, shuffle
from runtime.model import MASK, NONE, PASS, SECOND, EffectSpec, FieldSpec, branch_of
from runtime.services import ENDLESS
from runtime.state import DUE, LOST, TIED, WON, Over, RulesetFault, StateBase, Told

#: What ``set``, ``add`` and ``take`` make of a field's value.
CHANGES: dict[str, Callable[[int, int], int]] = {**OPERATORS, "=": lambda old, value: value}

Steps: TypeAlias = Generator[None, None, Outcome]


class Execution:
    """One game under way in one state."""

    def __init__(self, program: ir.Program, state: StateBase, live: Liveness) -> None:
        self.program = program
        #: what procedures hold of pieces while the game stands still
        self.live = live
        self.state = state
        self.x = Evaluator(program, state)
        self.depth = 0
        #: how many decisions were asked
        self.asked = 0
        #: what the procedures that wait for another one hold of pieces, with their locals
        self.waiting: list[tuple[HeldPieces, Locals]] = []

    def play(self) -> Generator[None, None, None]:
        """The whole game; ends by :class:`~runtime.state.Over`, or when play runs out."""
        yield from self.procedure("play", [])

    def run_alone(self, name: str, args: list[int]) -> Generator[None, None, None]:
        """One procedure by itself; what it returns is then the state's result."""
        self.state.result = yield from self.procedure(name, list(args))

    # ------------------------------------------------------------------ procedures and blocks

    def procedure(self, name: str, args: list[Value]) -> Generator[None, None, Value]:
        """Run a procedure, or its case for the first argument; the value is what it returns."""
        procedure = self.program.procedures[name]
        if procedure.cases and args[0] in procedure.cases:
            procedure = self.program.procedures[procedure.cases[args[0]]]
        self.depth += procedure.asks
        if self.depth > DEEPEST:
            raise RulesetFault(f"procedure {name} calls itself without end")
        outcome = yield from self.block(procedure.body, bind(procedure.params, args))
        self.depth -= procedure.asks
        if isinstance(outcome, Returned):
            return outcome.value
        if procedure.type.kind != "void":
            raise RulesetFault(f"procedure {procedure.name} ended without a value")
        return 0

    def block(self, stmts: Iterable[ir.Stmt], env: Locals) -> Steps:
        """Run steps one after another."""
        for stmt in stmts:
            name = type(stmt).__name__.lower()
            act = getattr(self, f"_{name}", None)
            self.x.known = {}
            outcome: Outcome
            if act is not None:
                outcome = act(stmt, env)
            else:
                outcome = yield from getattr(self, f"_run_{name}")(stmt, env)
            if outcome is not None:
                return outcome
        return None

    # ------------------------------------------------------------------ control

    def _stop(self, stmt: ir.Stop, env: Locals) -> Outcome:
        return Stopped()

    def _return(self, stmt: ir.Return, env: Locals) -> Outcome:
        return Returned(0 if stmt.value is None else self.x.value(stmt.value, env))

    def _finish(self, stmt: ir.Finish, env: Locals) -> Outcome:
        if stmt.sides is None:
            raise Over(TIED)
        raise Over(LOST if stmt.how == "lose" else WON, self.x.number(stmt.sides, env))

    def _run_ifstmt(self, stmt: ir.IfStmt, env: Locals) -> Steps:
        body = stmt.then if self.x.holds(stmt.test, env) else stmt.orelse
        return (yield from self.block(body, env))

    def _run_each(self, stmt: ir.Each, env: Locals) -> Steps:
        for member in self.x.sequence(stmt.source, env):
            env[stmt.var] = member
            if not self.x.holds(stmt.where, env):
                continue
            outcome = yield from self.block(stmt.body, env)
            if isinstance(outcome, Stopped):
                break
            if outcome is not None:
                return outcome
        return None

    def _run_repeat(self, stmt: ir.Repeat, env: Locals) -> Steps:
        left = None if stmt.times is None else self.x.number(stmt.times, env)
        asked, silent = self.asked, 0
        while left is None or left > 0:
            left = None if left is None else left - 1
            asked, silent = (asked, silent + 1) if asked == self.asked else (self.asked, 0)
            if silent > len(ENDLESS):
                raise RulesetFault("a repetition never stops")
            outcome = yield from self.block(stmt.body, env)
            if isinstance(outcome, Stopped):
                break
            if outcome is not None:
                return outcome
        return None

    def _run_do(self, stmt: ir.Do, env: Locals) -> Steps:
        self.waiting.append((self.live.calls.get(id(stmt), HeldPieces()), env))
        args = [self.x.value(a, env) for a in stmt.args]
        result = yield from self.procedure(stmt.procedure, args)
        self.waiting.pop()
        if stmt.target is not None:
            env[stmt.target] = result
        return None

    # ------------------------------------------------------------------ decisions

    def _ask(self, node: ir.Choose | ir.Offer, env: Locals) -> Generator[None, None, int | None]:
        """The answer to a decision; None when there is nothing to decide among.

        A single option is taken without asking; that passing is all there is, is asked behind a
        veil only.
        """
        state = self.state
        options = self.x.all_options(node, env)
        if state.pools is not None:
            held = self.live.decisions.get(node.decision.index, HeldPieces())
            options = merged(state, options, node.decision.index, self._held_pieces(held, env))
        side = self.x.number(node.by, env) if options else NONE
        if side == NONE:
            return None
        if len(options) == 1 and options[0] != PASS:
            state.answer = options[0]
            state.took(node.decision.index, side)
        else:
            state.chooser = side
            state.point = node.decision.index
            state.options = options
            if node.about:
                state.about = tuple(self.x.value(e, env) for e in node.about)
            self.asked += 1
            yield
            self.x.known = {}
        return state.answer

    def _held_pieces(self, held: HeldPieces, env: Locals) -> dict[str, int]:
        """The pieces that locals still read refer to, by kind."""
        masks: dict[str, int] = {}
        for what, locals_ in (*self.waiting, (held, env)):
            for name, kind, many in what.locals:
                value = cast(int, locals_[name])
                masks[kind] = masks.get(kind, 0) | mask_of_local(value, many)
            masks.update((kind, -1) for kind in what.kinds)
        return masks

    def _run_choose(self, stmt: ir.Choose, env: Locals) -> Steps:
        answer = yield from self._ask(stmt, env)
        if answer is None or answer == PASS:
            env[stmt.var] = NONE
            return (yield from self.block(stmt.orelse, env))
        env[stmt.var] = answer
        return None

    def _run_offer(self, stmt: ir.Offer, env: Locals) -> Steps:
        while True:
            answer = yield from self._ask(stmt, env)
            if answer is None:
                return None
            if answer == PASS:
                return (yield from self.block(stmt.on_pass, env))
            branch = stmt.branches[branch_of(answer)]
            if branch.var is not None:
                env[branch.var] = answer & MASK
            if branch.second is not None:
                env[branch.second.var] = answer >> SECOND
            outcome = yield from self.block(branch.body, env)
            if isinstance(outcome, Returned):
                return outcome
            if stmt.once or isinstance(outcome, Stopped):
                return None

    # ------------------------------------------------------------------ checks

    def _watch(self, *slots: str) -> None:
        """*slots* have changed: ask the checks that read them, or remember that they are due."""
        self.x.known = {}
        for number, check in self.program.checks_of(slots).items():
            if self.state.deferred:
                self.state.deferred |= 1 << DUE + number
            else:
                self._check(check)

    def _check(self, check: ir.CheckInfo) -> None:
        """Ask a check, unless it is running: what its own steps change does not ask it again."""
        bit = 1 << list(self.program.checks).index(check.name)
        if self.state.checking & bit or not self.x.holds(check.when, {}):
            return
        self.state.checking |= bit
        try:
            for _ in self.block(check.body, {}):
                raise RulesetFault(f"check {check.name} came to a decision")
        finally:
            self.state.checking &= ~bit

    def _run_together(self, stmt: ir.Together, env: Locals) -> Steps:
        self.state.deferred += 1
        outcome = yield from self.block(stmt.body, env)
        self.state.deferred -= 1
        if not self._is_holding():
            self._settle()
            due = self.state.deferred >> DUE
            self.state.deferred = 0
            for number, check in enumerate(self.program.checks.values()):
                if due >> number & 1:
                    self._check(check)
        return outcome

    def _is_holding(self) -> bool:
        """Whether a ``together`` is open."""
        return bool(self.state.deferred & ((1 << DUE) - 1))

    def _settle(self) -> None:
        """Pieces that are alone on their places have to be so again."""
        for field in self.program.fields.values():
            if not (field.place and field.alone):
                continue
            there = [h for h in getattr(self.state, field.slot)[:-1] if h >= 0]
            if len(there) > len(set(there)):
                raise RulesetFault(f"two pieces of {field.owner} on one hex")

    def _run_within(self, stmt: ir.Within, env: Locals) -> Steps:
        state = self.state
        slots = [*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects)]
        values = [getattr(state, slot) for slot in slots]
        aside = (tuple(v) if isinstance(v, list) else v for v in values)
        state.shelf.append((stmt.scope, *aside))
        for slot, value in zip(slots, values, strict=True):  # the shelf's own are not changed
            setattr(state, slot, list(value) if isinstance(value, list) else value)
        self._go_back(stmt.fields, stmt.effects)
        self._watch(*slots)
        outcome = yield from self.block(stmt.body, env)
        for slot, value in zip(slots, state.shelf.pop()[1:], strict=True):
            setattr(state, slot, list(value) if isinstance(value, tuple) else value)
        self._watch(*slots)
        return outcome

    # ------------------------------------------------------------------ locals and fields

    def _let(self, stmt: ir.Let, env: Locals) -> Outcome:
        env[stmt.name] = self.x.value(stmt.value, env)
        return None

    def _setfield(self, stmt: ir.SetField, env: Locals) -> Outcome:
        value = self.x.number(stmt.value, env)
        key = self.x.number(stmt.key, env) if stmt.key is not None else 0
        if key < 0:
            return None
        field = stmt.fields[key]
        old = getattr(self.state, field.slot)
        if stmt.owner is None:
            value = CHANGES[stmt.op](old, value)
            setattr(self.state, field.slot, value)
        else:
            owner = self.x.number(stmt.owner, env)
            if owner < 0:
                return None
            old = old[owner]
            value = CHANGES[stmt.op](old, value)
            self._set_value(field, owner, value)
        if value != old:
            self._watch(*(f.slot for f in stmt.fields))
        return None

    def _move(self, field: FieldSpec, piece: int, hex_: int) -> None:
        """Move a piece and keep the index of the pieces on each hex."""
        column = getattr(self.state, field.slot)
        at = getattr(self.state, f"{field.owner.lower()}_at")
        old = column[piece]
        column[piece] = hex_
        for h in (old, hex_):
            if h < 0:
                continue
            there = [p for p, where in enumerate(column[:-1]) if where == h]
            if field.alone and len(there) > 1 and not self._is_holding():
                raise RulesetFault(f"two pieces of {field.owner} on one hex")
            at[h] = sum(1 << p for p in there) if not field.alone else there[0] if there else NONE

    def _note(self, stmt: ir.Note, env: Locals) -> Outcome:
        return self._log(stmt.index, stmt.args, env, stmt.to)

    def _observe(self, stmt: ir.Observe, env: Locals) -> Outcome:
        if self.state.observed is not None:
            values = (self.x.value(a, env) for a in stmt.args)
            self.state.observed.append((stmt.index, *values))
        return None

    def _log(
        self, what: int, args: tuple[ir.Expr, ...], env: Locals, to: ir.Expr | None = None
    ) -> Outcome:
        """An entry of the log, where one is kept; *to* are the sides that are told."""
        if self.state.log is not None:
            entry = (what, *(self.x.value(a, env) for a in args))
            if to is not None:
                sides = self.x.number(to, env)
                entry += (Told(sides if to.type.kind == "set" else set_of([sides])),)
            self.state.log.append(entry)
        return None

    def _cited(self, stmt: ir.Cited, env: Locals) -> Outcome:
        return None

    def _reveal(self, stmt: ir.Reveal, env: Locals) -> Outcome:
        self.state.reveals += 1
        return None

    def _mix(self, stmt: ir.Mix, env: Locals) -> Outcome:
        """Each piece gets all the values of another, or keeps its own."""
        pieces = self.x.members(stmt.source, env)
        others = list(pieces)
        shuffle(self.state, self.program.stream_of(), others)
        for field in stmt.fields:
            column = getattr(self.state, field.slot)
            values = [column[other] for other in others]
            for piece, value in zip(pieces, values, strict=True):
                column[piece] = value
        self._watch(*(field.slot for field in stmt.fields))
        return None

    # ------------------------------------------------------------------ chance and cards

    def _roll(self, stmt: ir.Roll, env: Locals) -> Outcome:
        stream = self.program.stream_of(die=stmt.die.name)
        env[stmt.name] = roll(self.state, stream, self.x.number(stmt.count, env), stmt.die.faces)
        return None

    def _draw(self, stmt: ir.Draw, env: Locals) -> Outcome:
        pile = self.x.pile(stmt.pile, env)
        if stmt.pile.pile.visibility == "open":
            env[stmt.name] = pile.pop() if pile else NONE
        else:
            self.state.reveals += 1
            deck = list(self.program.decks).index(stmt.pile.pile.deck)
            env[stmt.name] = drawn(self.state, pile, deck) if pile else NONE
        self._watch(stmt.pile.pile.slot)
        return None

    def _drawfrom(self, stmt: ir.DrawFrom, env: Locals) -> Outcome:
        """A random member, which stays where it is."""
        assert stmt.source.type.of is not None
        members = list(self.x.chosen(stmt.name, stmt.source, stmt.where, env))
        env[stmt.name] = draw(self.state, members, stmt.source.type.of.owner)
        return None

    def _put(self, stmt: ir.Put, env: Locals) -> Outcome:
        """Lay a card on top; a hand (a pile that only its owner sees) is kept in order."""
        card, pile = self.x.number(stmt.card, env), self.x.pile(stmt.pile, env)
        if card >= 0 and pile is not None:
            if stmt.pile.pile.visibility == "owner":
                insort(pile, card)
            else:
                pile.append(card)
        self._watch(stmt.pile.pile.slot)
        return None

    def _remove(self, stmt: ir.Remove, env: Locals) -> Outcome:
        """Take out one copy, the lowest."""
        card, pile = self.x.number(stmt.card, env), self.x.pile(stmt.pile, env)
        if pile is not None and card in pile:
            pile.remove(card)
            if stmt.pile.pile.visibility == "top":
                self.state.reveals += 1
        self._watch(stmt.pile.pile.slot)
        return None

    def _shuffle(self, stmt: ir.Shuffle, env: Locals) -> Outcome:
        stream = self.program.stream_of(deck=stmt.pile.pile.deck)
        pile = self.x.pile(stmt.pile, env)
        slots = [stmt.pile.pile.slot]
        if stmt.into is not None:
            into = self.x.pile(stmt.into, env)
            slots.append(stmt.into.pile.slot)
            if pile is not None and into is not None and into is not pile:
                into.extend(pile)
                pile.clear()
            pile = into
        if pile is not None:
            self.state.reveals += uncovers(stmt)
            shuffle(self.state, stream, pile)
        self._watch(*slots)
        return None

    # ------------------------------------------------------------------ effects and scopes

    def _seteffect(self, stmt: ir.SetEffect, env: Locals) -> Outcome:
        slot = stmt.effect.slot
        old = getattr(self.state, slot)
        if stmt.arg is None:
            # Without an argument: the whole effect.
            value = int(stmt.on)
        else:
            arg, value = self.x.number(stmt.arg, env), getattr(self.state, slot)
            if arg >= 0:
                value = value | 1 << arg if stmt.on else value & ~(1 << arg)
        setattr(self.state, slot, value)
        if value != old:
            self._watch(slot)
        return None

    def _renew(self, stmt: ir.Renew, env: Locals) -> Outcome:
        """A piece is what it is at the start, as far as nothing else was said of it."""
        owner = self.x.number(stmt.owner, env)
        for field in stmt.fields:
            self._set_value(field, owner, self._initial(field, owner, renewed=True))
        self._watch(*(f.slot for f in stmt.fields))
        return None

    def _expire(self, stmt: ir.Expire, env: Locals) -> Outcome:
        """Everything that lasts only through the scope goes back at once; then checks are asked."""
        self._go_back(stmt.fields, stmt.effects)
        self.state.checkpoints += stmt.checkpoint
        self._watch(*(f.slot for f in stmt.fields), *(e.slot for e in stmt.effects))
        return None

    def _initial(self, field: FieldSpec, owner: int, renewed: bool = False) -> int:
        """What a field is at the start; of a renewed piece by its formula, where it has one."""
        formula = self.program.initials.get((field.owner, field.name))
        if formula is not None and (renewed or field.initial is None):
            self.x.known = {}
            return self.x.number(formula, {"it": owner})
        blank = NONE if renewed else 0
        return self.x.on_this_board(
            from_spec(field.type), blank if field.initial is None else field.initial
        )

    def _go_back(self, fields: tuple[FieldSpec, ...], effects: tuple[EffectSpec, ...]) -> None:
        """Fields get the values they have at the start, effects cease."""
        for field in fields:
            if field.owner == "Game":
                setattr(self.state, field.slot, self._initial(field, NONE))
                continue
            column = getattr(self.state, field.slot)
            for owner in range(len(column) - 1):
                self._set_value(field, owner, self._initial(field, owner))
        for effect in effects:
            setattr(self.state, effect.slot, 0)

    def _set_value(self, field: FieldSpec, owner: int, value: int) -> None:
        """Give a field of a piece or member a value."""
        if field.place:
            self._move(field, owner, value)
        else:
            getattr(self.state, field.slot)[owner] = value
