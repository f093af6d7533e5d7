"""Locals and fields, and the procedures whose values they take."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from compiler import ir
from compiler.check.context import Env
from compiler.check.parents import coerce, set_common_field
from compiler.check.statements.base import StatementChecker
from compiler.types import BAD, Type, fits
from dsl import nodes as n
from runtime.words.said import said


class Assignments(StatementChecker):
    """Checks what gives values to locals and fields, and calls of procedures."""

    def _let(self, stmt: n.Let, env: Env) -> ir.Stmt:
        value = self.exprs.check(stmt.value, env)
        type_ = value.type
        if type_.kind == "none":
            message = "cannot infer the type of this local"
            self.ctx.error("T301", message, stmt.span, "start with a value of its type")
            type_ = BAD
        if type_.kind == "pile":
            message = "a pile cannot be kept in a local"
            self.ctx.error("T301", message, stmt.value.span, "name the pile where it is used")
        return ir.Let(self.exprs.bind(env, stmt.name, type_), value, span=stmt.span)

    def _letdo(self, stmt: n.LetDo, env: Env) -> ir.Stmt:
        procedure = self._procedure_of(stmt.call)
        args = self._do_args(stmt.call, env)
        result = procedure.type if procedure else BAD
        if procedure is not None and result.kind == "void":
            message = said("procedure {name} has no value", name=procedure.name)
            self.ctx.error("S603", message, stmt.span, "write just: do …")
            result = BAD
        name = self.exprs.bind(env, stmt.name, result)
        return ir.Do(stmt.call.name.text, args, name, span=stmt.span)

    def _do(self, stmt: n.Do, env: Env) -> ir.Stmt:
        name = stmt.call.name.text
        forecast = self.program.forecasts.get(name)
        if forecast is not None and name not in self.program.procedures:
            name, what = forecast.procedure, f"forecast {name}"
            params = self.program.procedures[name].params
            args = self.exprs.arguments(stmt.call.args, params, env, what, stmt.call.span)
        else:
            self._procedure_of(stmt.call)
            args = self._do_args(stmt.call, env)
        return ir.Do(name, args, None, span=stmt.span)

    def _procedure_of(self, call: n.Call) -> ir.Procedure | None:
        procedure = self.program.procedures.get(call.name.text)
        if procedure is None or procedure.case_of is not None:
            other, hint = self.program.calls.get(call.name.text), ""
            if other is not None:
                hint = said(
                    "'{name}' is a {kind}: use it in an expression", name=call.name, kind=other.kind
                )
            known = [p.name for p in self.program.procedures.values() if p.case_of is None]
            self.ctx.report_unknown("R201", "procedure", call.name, known, hint)
            return None
        self.ctx.use(f"do {procedure.name}", call.name.span)
        return procedure

    def _do_args(self, call: n.Call, env: Env) -> tuple[ir.Expr, ...]:
        procedure = self.program.procedures.get(call.name.text)
        if procedure is None:
            self.exprs.check_unexpected(call.args, env)
            return ()
        what = f"procedure {procedure.name}"
        return self.exprs.arguments(call.args, procedure.params, env, what, call.span)

    def _assign(self, stmt: n.Assign, env: Env) -> ir.Stmt | list[ir.Stmt]:
        target = stmt.target
        if isinstance(target, n.Name):
            local = env.find(target.name)
            if local is not None:
                unique, type_ = local
                self.ctx.use(f"local {unique}", target.span)
                env.sure.discard(unique)
                value = self.exprs.check(stmt.value, env, type_)
                current = ir.Local(unique, type=type_, span=target.span)
                return ir.Let(unique, self._combined_value(stmt, current, value), span=stmt.span)
        place = self.exprs.check(target, env)
        if isinstance(place, ir.Common):
            change = partial(self._change, stmt, env=env)
            return set_common_field(self.program, env, place, change, stmt.span)
        return self._change(stmt, place, env)

    def _change(self, stmt: n.Assign, place: ir.Expr, env: Env) -> ir.Stmt:
        """The change of what *place* reads."""
        if self.function and isinstance(place, ir.Get | ir.Pick):
            message = said(
                "'{function}' is a function, which changes nothing but its own locals",
                function=self.function,
            )
            remedy = "keep it in a local (let x = …) and return it, or let a procedure change it"
            self.ctx.error("S618", message, stmt.target.span, remedy)
            return self.nothing(env, stmt.span)
        if isinstance(place, ir.Get | ir.Pick):
            field = place.field if isinstance(place, ir.Get) else place.fields[0]
            type_ = self.ctx.field_type(field)
            wanted = type_
            if stmt.op != "=" and type_.kind not in ("int", "set"):
                self._nothing_added(field.base, type_, stmt)
                wanted = BAD
            if stmt.op != "=" and type_.kind == "set" and type_.of is not None:
                value = self.exprs.check(stmt.value, env, type_.of)
                wanted = type_ if value.type.kind == "set" else type_.of.maybe()
                value = self.exprs.require(value, wanted, f"'{field.base}'", stmt.value.span)
            else:
                value = self.exprs.of_type(stmt.value, env, wanted, f"'{field.base}'")
            if field.fixed:
                remedy = "remove 'fixed' from its declaration, or do not change it"
                self.ctx.error(
                    "T305", said("'{base}' is fixed", base=field.base), stmt.target.span, remedy
                )
            self.certain(field, value, stmt.value, env)
            op = stmt.op
            if type_.kind == "set" and op != "=":
                op, value = _joining(op), _as_set(value, type_)
            step = ir.SetField(field, place.owner, op, value, span=stmt.span)
            if isinstance(place, ir.Pick):
                return replace(step, among=place.fields, key=place.key)
            return step
        if place.type.kind != "bad":
            remedy = "set changes locals and fields"
            if isinstance(place, ir.Col):
                remedy = "columns are facts"
            if isinstance(place, ir.Pile):
                remedy = "cards are moved with draw, put, remove and shuffle"
            self.ctx.error("T305", "this cannot be changed", stmt.target.span, remedy)
        self.exprs.check(stmt.value, env)
        return self.nothing(env, stmt.span)

    def _setdo(self, stmt: n.SetDo, env: Env) -> list[ir.Stmt]:
        """Run the procedure, then set what is named to its value, which no name stands for."""
        inner = env.child()
        run = self._letdo(n.LetDo(n.Ident("_given"), stmt.call, span=stmt.span), inner)
        inner.names[" given"] = inner.names.pop("_given")
        given = n.Name(" given", span=stmt.call.span)
        change = self._assign(n.Assign(stmt.target, "=", given, span=stmt.span), inner)
        if isinstance(change, ir.Let):
            env.sure.discard(change.name)
        return [run, *(change if isinstance(change, list) else [change])]

    def _combined_value(self, stmt: n.Assign, current: ir.Local, value: ir.Expr) -> ir.Expr:
        type_ = current.type
        span, what = stmt.value.span, f"'{current.name}'"
        if stmt.op == "=":
            if value.type.optional and not type_.optional and type_.kind != "bad":
                name = stmt.target.name if isinstance(stmt.target, n.Name) else current.name
                began = said("'{name}', which began with a value that never is", name=name)
                remedy = "check it first, or keep it in a local of its own (let x = …)"
                self.ctx.error(
                    "T304",
                    said("this may be none, but {began}, may not", began=began),
                    span,
                    remedy,
                )
            wanted = type_.maybe() if type_.finite else type_
            part = "" if fits(value.type, wanted) else self.exprs.only_part(type_, value.type)
            if part:
                message, remedy = (
                    said("{what} has type {0}; this is {1}", what=what),
                    said("did you mean '{similar}'?", similar=f"{current.name}.{part}"),
                )
                self.ctx.report_misfit(message, span, type_, value.type, remedy=remedy)
                return value
            return self.exprs.require(value, wanted, what, span)
        if type_.kind == "set" and type_.of is not None:
            value = coerce(self.program, value, type_ if value.type.kind == "set" else type_.of)
            value = _as_set(value, type_)
            return ir.Op(_joining(stmt.op), current, value, type=type_, span=stmt.span)
        if type_.kind != "int":
            self._nothing_added(current.name, type_, stmt)
        else:
            self.exprs.require(value, type_, what, span)
        return ir.Op(stmt.op, current, value, type=type_, span=stmt.span)

    def _nothing_added(self, name: str, type_: Type, stmt: n.Assign) -> None:
        message = said("'{name}' is {0}; nothing can be added to it", name=name)
        self.ctx.report_misfit(message, stmt.span, type_, remedy="write: set … = …")


def _joining(op: str) -> str:
    """The operator of sets for adding or taking away."""
    return "|" if op == "+" else "&~"


def _as_set(value: ir.Expr, type_: Type) -> ir.Expr:
    """A set, or a member as a set."""
    if value.type.kind == "set":
        return value
    return ir.SetLit((value,), type=type_, span=value.span)
