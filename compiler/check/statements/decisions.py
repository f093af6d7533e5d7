"""Decisions: who is asked, and what there is to choose."""

from __future__ import annotations

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


class Decisions(StatementChecker):
    """Checks steps that ask a side."""

    def _choose(self, stmt: n.Choose, env: Env) -> list[ir.Stmt]:
        source, member = self.exprs.members(stmt.source, env)
        self._choosable(member, stmt.source.span)
        if isinstance(source, ir.Pile) and source.pile.visibility in ("hidden", "top"):
            remedy = "draw the cards into a pile that the side sees, or make the pile open"
            self.ctx.error(
                "T307",
                f"nobody sees the cards of '{source.pile.name}', so a side cannot choose "
                "among them",
                stmt.source.span,
                remedy,
            )
        by = self.side(stmt.by, env)
        about = self._about(stmt.prompt, env)
        pass_when, veil = self._pass_when(stmt, env), self.veil(stmt.veil, env)
        orelse = self.block(stmt.orelse or (), env)
        # The filter sees the candidate under the chosen name.
        inner = env.child()
        candidate = inner.bind(stmt.var.text, member)
        where = self.exprs.condition(stmt.where, inner) if stmt.where is not None else None
        learn_kinds(self.program, env, where)
        some = (
            stmt.passing is None and where is None and not by.type.optional and never_empty(source)
        )
        skipped = not some and not (orelse and ends(orelse[-1]))
        env.names[stmt.var.text] = (candidate, member.maybe() if skipped else member)
        env.picked.add(candidate)
        word = stmt.prompt.name.text if stmt.prompt else stmt.var.text
        option = OptionSpec(word, member.spec())
        passing = stmt.passing.text if stmt.passing else None
        spec = self.decision(
            word,
            (option,),
            passing,
            stmt.span,
            veiled=veil is not None,
            secret=stmt.secretly,
            about=about,
        )
        result = ir.Choose(
            candidate, source, where, by, spec, orelse, pass_when, veil, about, span=stmt.span
        )
        self.program.decision_nodes[spec.index] = result
        return [result]

    def _choosable(self, member: Type, span: Span) -> None:
        """Report members among which nobody can choose."""
        if not (member.finite or member.kind == "int"):
            message = f"a side cannot choose among {member}"
            self.ctx.error("T307", message, span, types=(member,))

    def _offer(self, stmt: n.Offer, env: Env) -> ir.Stmt:
        by = self.side(stmt.by, env)
        about = self._about(stmt.prompt, env)
        self.loops += 1
        found = [
            self._branch(branch, stmt.branches[:i], env) for i, branch in enumerate(stmt.branches)
        ]
        self.loops -= 1
        branches, options = tuple(b for b, _ in found), tuple(o for _, o in found)
        prompt = stmt.prompt.name.text if stmt.prompt else self.procedure
        rules = tuple(r for b in stmt.branches for r in b.rules)
        veil = self.veil(stmt.veil, env)
        passing = stmt.passing.text if stmt.passing else None
        spec = self.decision(
            prompt,
            options,
            passing,
            stmt.span,
            rules,
            veil is not None,
            about=about,
            menu=not stmt.once,
        )
        result = ir.Offer(
            stmt.once,
            by,
            branches,
            spec,
            (),
            self._pass_when(stmt, env),
            veil,
            about,
            span=stmt.span,
        )
        self.program.decision_nodes[spec.index] = result
        return result

    def _branch(
        self, branch: n.Branch, before: tuple[n.Branch, ...], env: Env
    ) -> tuple[ir.Branch, OptionSpec]:
        """A branch of an offer, and the option that it is."""
        name = branch.name.text
        other = next((b for b in reversed(before) if b.name.text == name), None)
        if other is not None:
            message = f"two branches are called '{name}'"
            labels = (Label(other.span, "the other"),)
            self.ctx.error("S606", message, branch.name.span, "rename one of the two", labels)
        inner = env.child()
        when = self.exprs.condition(branch.when, inner) if branch.when is not None else None
        first = self.ranging(branch.first, inner) if branch.first is not None else None
        second = self.ranging(branch.second, inner) if branch.second is not None else None
        if (
            branch.first is not None
            and branch.second is not None
            and branch.first.var.text == branch.second.var.text
        ):
            message = f"both values of '{name}' are called '{branch.second.var}'"
            labels = (Label(branch.first.var.span, "the other"),)
            self.ctx.error("R104", message, branch.second.var.span, "rename one of the two", labels)
        self.ctx.cite(f"option {name} of {self.procedure}", branch.rules)
        body = self.sequence(branch.body, inner)
        values = [r for r, _ in (found for found in (first, second) if found is not None)]
        var, source, where = (
            (values[0].var, values[0].source, values[0].where) if values else (None, None, None)
        )
        more = values[1] if len(values) > 1 else None
        types = ((found[1].spec() if found is not None else None) for found in (first, second))
        return (
            ir.Branch(name, var, source, where, when, body, branch.span, branch.rules, more),
            OptionSpec(name, *types),
        )

    def decision(
        self,
        prompt: str,
        options: tuple[OptionSpec, ...],
        passing: str | None,
        span: Span,
        rules: tuple[str, ...] = (),
        veiled: bool = False,
        secret: bool = False,
        about: tuple[ir.Expr, ...] = (),
        menu: bool = False,
    ) -> DecisionSpec:
        """Enter a decision."""
        if not self.decisions:
            self.ctx.error(
                "S601",
                "no decision can be made here",
                span,
                "a check acts by itself; put the decision into a procedure of the sequence of play",
            )
        at, types = len(self.program.decisions), tuple(e.type.spec() for e in about)
        spec = DecisionSpec(
            at,
            self.procedure,
            prompt,
            options,
            passing,
            span.file,
            span.line,
            rules or self.rules,
            veiled,
            secret,
            types,
            menu,
        )
        self.program.decisions.append(spec)
        self.program.decision_nodes.append(None)  # type: ignore[arg-type]
        return spec

    def side(self, node: n.Expr, env: Env) -> ir.Expr:
        """The side that decides."""
        return self.exprs.of_type(node, env, Type("enum", "Side").maybe(), "the side that decides")

    def _about(self, prompt: n.Prompt | None, env: Env) -> tuple[ir.Expr, ...]:
        """What a question is about: the arguments of its prompt."""
        args = (
            tuple(self.exprs.check(arg, env) for arg in prompt.args) if prompt is not None else ()
        )
        for arg in args:
            if arg.type.kind == "pile":
                message = "a question cannot be about a pile"
                self.ctx.error("T301", message, arg.span, "name whose pile it is, or a card")
        return args

    def _pass_when(self, stmt: n.Choose | n.Offer, env: Env) -> ir.Expr | None:
        return (
            self.exprs.condition(stmt.passing_when, env) if stmt.passing_when is not None else None
        )

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
        var = env.bind(node.var.text, member)
        where = self.exprs.condition(node.where, env) if node.where is not None else None
        learn_kinds(self.program, env, where)
        return ir.Ranging(var, source, where), member
