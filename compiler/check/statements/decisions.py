"""Decisions: who is asked, and what there is to choose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import never_empty
from compiler.check.parents import learn_kinds
from compiler.check.statements.base import StatementChecker, ends
from compiler.types import BOOL, Type
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.model import DecisionSpec, OptionSpec
from runtime.words.said import said

_Asking = TypeVar("_Asking", ir.Choose, ir.Offer)


@dataclass(frozen=True)
class Prompt:
    """How a question is put: its name and that of passing, its rules, what it is *about*."""

    name: str
    passing: str | None
    rules: tuple[str, ...] = ()
    veiled: bool = False
    secret: bool = False
    about: tuple[ir.Expr, ...] = ()
    menu: bool = False


class Decisions(StatementChecker):
    """Checks steps that ask a side."""

    def _choose(self, stmt: n.Choose, env: Env) -> list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        self._choosable(member, stmt.source.span)
        if isinstance(source, ir.Pile) and source.pile.visibility in ("hidden", "top"):
            remedy = "draw the cards into a pile that the side sees, or make the pile open"
            unseen = said("nobody sees the cards of '{name}'", name=source.pile.name)
            message = said("{unseen}, so a side cannot choose among them", unseen=unseen)
            self.ctx.error("T307", message, stmt.source.span, remedy)
        by = self.side(stmt.by, env)
        about = self._question_arguments(stmt.prompt, env)
        pass_when, veil = self.exprs.where(stmt.passing_when, env), self.veil(stmt.veil, env)
        orelse = self.block(stmt.orelse or (), env)
        # The filter sees the candidate under the chosen name.
        inner = env.child()
        candidate = self.exprs.bind(inner, stmt.var, member)
        where = self.exprs.where(stmt.where, inner)
        learn_kinds(self.program, env, where)
        certain = stmt.passing is None and where is None and not by.type.optional
        some = certain and never_empty(source)
        skipped = not some and not (orelse and ends(orelse[-1]))
        env.names[stmt.var.text] = (candidate, member.maybe() if skipped else member)
        env.picked.add(candidate)
        word = stmt.prompt.name.text if stmt.prompt else stmt.var.text
        passing = stmt.passing.text if stmt.passing else None
        prompt = Prompt(word, passing, (), veil is not None, stmt.secretly, about)
        spec = self.decision(prompt, (OptionSpec(word, member.spec()),), stmt.span)
        chosen = (candidate, source, where, by, spec)
        return [self.asks(ir.Choose(*chosen, orelse, pass_when, veil, about, span=stmt.span))]

    def asks(self, node: _Asking) -> _Asking:
        """Enter the step that a decision is, for explanations."""
        self.program.decision_nodes[node.decision.index] = node
        return node

    def _choosable(self, member: Type, span: Span) -> None:
        """Report members among which nobody can choose."""
        if not (member.finite or member.kind == "int"):
            self.ctx.report_misfit("a side cannot choose among {0}", span, member, code="T307")

    def _offer(self, stmt: n.Offer, env: Env) -> ir.Stmt:
        by = self.side(stmt.by, env)
        about = self._question_arguments(stmt.prompt, env)
        self.loops += 1
        pairs = [
            self._branch(branch, stmt.branches[:i], env) for i, branch in enumerate(stmt.branches)
        ]
        self.loops -= 1
        branches, options = tuple(b for b, _ in pairs), tuple(o for _, o in pairs)
        name = stmt.prompt.name.text if stmt.prompt else self.procedure
        rules = (*stmt.rules, *(r for b in stmt.branches for r in b.rules))
        veil = self.veil(stmt.veil, env)
        passing = stmt.passing.text if stmt.passing else None
        prompt = Prompt(name, passing, rules, veil is not None, about=about, menu=not stmt.once)
        spec = self.decision(prompt, options, stmt.span)
        pass_when = self.exprs.where(stmt.passing_when, env)
        asked = (by, branches, spec, (), pass_when)
        return self.asks(ir.Offer(stmt.once, *asked, veil, about, span=stmt.span))

    def _branch(
        self, branch: n.Branch, before: tuple[n.Branch, ...], env: Env
    ) -> tuple[ir.Branch, OptionSpec]:
        """A branch of an offer, and the option that it is."""
        name = branch.name.text
        other = next((b for b in reversed(before) if b.name.text == name), None)
        if other is not None:
            message, labels = (
                said("two branches are called '{name}'", name=name),
                (Label(other.span, "the other"),),
            )
            self.ctx.error("S606", message, branch.name.span, "rename one of the two", labels)
        inner = env.child()
        when = self.exprs.where(branch.when, inner)
        parts = [part for part in (branch.first, branch.second) if part is not None]
        ranges = [self.ranging(part, inner) for part in parts]
        if len({part.var.text for part in parts}) < len(parts):
            one, other_one = (part.var for part in parts)
            message = said("both values of '{name}' are called '{word}'", name=name, word=other_one)
            labels = (Label(one.span, "the other"),)
            self.ctx.error("R104", message, other_one.span, labels=labels)
        self.ctx.cite(f"option {name} of {self.procedure}", branch.rules)
        body = self.sequence(branch.body, inner)
        values = [ranging for ranging, _ in ranges]
        more = values[1] if len(values) > 1 else None
        given = (when, body, branch.span, branch.rules, more)
        option = ir.Branch(name, None, None, None, *given)
        if values:
            first, where = values[0], values[0].where
            option = replace(option, var=first.var, source=first.source, where=where)
        types = [*(member.spec() for _, member in ranges), None]
        return option, OptionSpec(name, *types[:2])

    def decision(self, prompt: Prompt, options: tuple[OptionSpec, ...], span: Span) -> DecisionSpec:
        """Enter a decision."""
        if not self.decisions:
            message = "no decision can be made here"
            remedy = (
                "a check acts by itself; put the decision into a procedure of the sequence of play"
            )
            self.ctx.error("S601", message, span, remedy)
        self.ctx.numbered.append(span)
        head = (len(self.program.decisions), self.procedure, prompt.name, options, prompt.passing)
        rules, about = prompt.rules or self.rules, tuple(e.type.spec() for e in prompt.about)
        kinds = (prompt.veiled, prompt.secret, about, prompt.menu)
        spec = DecisionSpec(*head, span.file, span.line, rules, *kinds)
        self.program.decisions.append(spec)
        self.program.decision_nodes.append(None)  # type: ignore[arg-type]
        return spec

    def side(self, node: n.Expr, env: Env) -> ir.Expr:
        """The side that decides."""
        return self.exprs.of_type(node, env, Type("enum", "Side").maybe(), "the side that decides")

    def _question_arguments(self, prompt: n.Prompt | None, env: Env) -> tuple[ir.Expr, ...]:
        """What a question is about: the arguments of its prompt."""
        args = tuple(self.exprs.check(arg, env) for arg in (prompt.args if prompt else ()))
        for arg in args:
            if arg.type.kind == "pile":
                message = "a question cannot be about a pile"
                self.ctx.error("T301", message, arg.span, "name whose pile it is, or a card")
        return args

    def veil(self, veil: n.Veil | None, env: Env) -> ir.Expr | None:
        """When a question is put even though only passing is left; None: never."""
        if veil is None:
            return None
        if veil.when is None:
            return ir.Const(1, type=BOOL, span=veil.span)
        return self.exprs.condition(veil.when, env)

    def ranging(self, node: n.Ranging, env: Env) -> tuple[ir.Ranging, Type]:
        """What a branch or reaction is there for each of, and its type; *env* gets to know it."""
        source, member = self.exprs.members(node.source, env)
        self._choosable(member, node.source.span)
        var = self.exprs.bind(env, node.var, member)
        where = self.exprs.where(node.where, env)
        learn_kinds(self.program, env, where)
        return ir.Ranging(var, source, where), member
