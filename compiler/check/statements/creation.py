"""Creating a piece: one that is off the board comes into play anew (SPEC: procedures)."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Env
from compiler.check.core import Core
from compiler.check.statements.base import StatementChecker
from compiler.types import BAD, Type, from_spec, set_of
from dsl import nodes as n
from dsl.diagnostics import Label
from runtime.model import NONE, FieldSpec
from runtime.words.said import said


def create_steps(
    statements: StatementChecker,
    stmt: n.Create,
    orelse: tuple[ir.Stmt, ...],
    surely: bool,
    env: Env,
) -> list[ir.Stmt]:
    """The core steps of a creation; *surely*: nothing follows *orelse*."""
    ctx, program = statements.ctx, statements.program
    kind = stmt.kind.text
    known = kind in program.kinds
    if kind in program.parents:
        message = said("no piece is only a {kind}", kind=kind)
        remedy = said("name one of its kinds: {parents}", parents=", ".join(program.parents[kind]))
        ctx.error("F409", message, stmt.kind.span, remedy)
    elif not known:
        sort = "name the kind; what the piece is stands in the braces"
        hint = sort if stmt.kind.text in ctx.members else ""
        ctx.report_unknown("R201", "kind of pieces", stmt.kind, () if hint else program.kinds, hint)
    place = program.place_of(kind)
    if known and place is None:
        message = said("{kind} has no place on the board, so none is ever off it", kind=kind)
        ctx.report_placeless(kind, message, stmt.kind.span)
    steps: list[ir.Stmt] = []
    given: dict[str, tuple[FieldSpec, ir.Expr]] = {}
    seen: dict[str, n.Given] = {}
    for entry in stmt.given:
        name = entry.name.text
        if name in seen:
            labels = (Label(seen[name].span, "the other"),)
            ctx.error(
                "R104", said("'{name}' is given twice", name=name), entry.span, "remove one", labels
            )
            continue
        seen[name] = entry
        field = _field(statements, kind, entry) if known else None
        if field is None:
            statements.exprs.check_unexpected((entry.value,), env)
            continue
        type_ = statements.ctx.field_type(field)
        value = statements.exprs.of_type(entry.value, env, type_, f"'{name}'")
        statements.certain(field, value, entry.value, env)
        if not isinstance(value, ir.Const | ir.Local):
            unique = env.bind(f"_{name}", type_)
            steps.append(ir.Let(unique, value, span=entry.span))
            value = ir.Local(unique, type=type_, span=entry.span)
        given[name] = field, value
    piece = Type("piece", kind) if known else BAD
    name = statements.exprs.bind(env, stmt.var, piece if surely or not known else piece.maybe())
    if place is None:
        return [*steps, ir.Let(name, ir.Const(NONE, type=piece), span=stmt.span)]
    ctx.created.append(kind)
    own = [f for f in program.fields.values() if f.owner == kind]
    renewed = tuple(f for f in own if not f.fixed and f.name not in given)
    for f in renewed:
        begins = f.initial is not None or (f.owner, f.name) in program.initials
        if not begins and not f.type.optional and f is not place:
            message = said("'{base}' has no initial value", base=f.base)
            ctx.error("T301", message, stmt.span, said("say what it is: {base}: …", base=f.base))
    core = Core(stmt.span)
    this = core.local(name, piece.maybe())
    where = _all([(f, v) for f, v in given.values() if f.fixed], place, this, stmt)
    members = ir.Members(type=set_of(piece), span=stmt.span)
    first = ir.Quant("first", name, members, where, None, type=piece.maybe(), span=stmt.span)
    steps.append(core.let(name, first))
    changes: list[ir.Stmt] = [
        ir.SetField(f, this, "=", v, span=v.span) for f, v in given.values() if not f.fixed
    ]
    changes.append(ir.Renew(renewed, this, span=stmt.span))
    together = ir.Together(tuple(changes), span=stmt.span)
    none_left = core.equal(this, core.none())
    return [*steps, ir.IfStmt(none_left, orelse, (together,), span=stmt.span)]


def _field(statements: StatementChecker, kind: str, entry: n.Given) -> FieldSpec | None:
    """The field that an entry names."""
    program, ctx = statements.program, statements.ctx
    field = program.fields.get((kind, entry.name.text))
    if field is None and (kind, entry.name.text) in program.keyed:
        remedy = said("set it afterwards: set x.{name}[…] = …", name=entry.name)
        message = said("'{name}' is kept per member of an enum", name=entry.name)
        ctx.error("T301", message, entry.name.span, remedy)
    elif field is None:
        known = [f.base for f in program.fields.values() if f.owner == kind]
        ctx.report_unknown("R202", said("field of {kind}", kind=kind), entry.name, known)
    return field


def _all(
    fixed: list[tuple[FieldSpec, ir.Expr]], place: FieldSpec, this: ir.Expr, stmt: n.Create
) -> ir.Expr:
    """What holds of a piece that can be taken: it is what is wanted, and off the board."""
    core = Core(stmt.span)
    tests = [
        Core(v.span).equal(ir.Get(f, this, type=from_spec(f.type), span=v.span), v)
        for f, v in sorted(fixed, key=lambda pair: pair[0].type.kind != "enum")
    ]
    at = ir.Get(place, this, type=from_spec(place.type), span=stmt.span)
    result = core.equal(at, core.none())
    for test in reversed(tests):
        result = core.and_(test, result)
    return result
