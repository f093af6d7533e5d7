"""Common parents of piece kinds (SPEC: kinds): the fields that kinds share, and pieces taken for
what they are more or less of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from compiler import ir
from compiler.check.context import Context, Env
from compiler.types import BAD, BOOL, Type, from_spec, join, set_of
from dsl import nodes as n
from dsl.diagnostics import Label
from dsl.source import Span
from runtime.model import FieldSpec
from runtime.words.said import AND, join_with_word, said

_Fact = TypeVar("_Fact")


def check_parents(ctx: Context, decls: list[n.Decl]) -> list[n.Decl]:
    """Enter the parents; gives the declarations with what kinds have from them, these first."""
    pieces = {decl.name.text: decl for decl in reversed(decls) if isinstance(decl, n.Piece)}
    families: dict[str, list[str]] = {}
    for decl in reversed(pieces.values()):
        if decl.parent is None:
            continue
        parent = pieces.get(decl.parent.text)
        if parent is None:
            ctx.orphans.add(decl.name.text)
            known = [name for name in pieces if name != decl.name.text]
            ctx.report_unknown("R203", "kind of pieces", decl.parent, known)
        elif parent.parent is not None:
            message = said("{name} is of itself", name=decl.name)
            labels: tuple[Label, ...] = ()
            if parent is not decl:
                message = said(
                    "{name} is of {parent_name}, which is of {parent}",
                    name=decl.name,
                    parent_name=parent.name,
                    parent=parent.parent,
                )
                labels = (
                    Label(parent.name.span, said("{name} is declared here", name=parent.name)),
                )
            remedy = "a parent cannot have a parent: give all these kinds the same one"
            ctx.error("F409", message, decl.parent.span, remedy, labels)
        else:
            families.setdefault(parent.name.text, []).append(decl.name.text)
    program = ctx.program
    program.parents = {name: tuple(families[name]) for name in reversed(pieces) if name in families}
    program.shared = {
        name: tuple(f.name.text for f in pieces[name].fields) for name in program.parents
    }
    return [
        _with_shared(ctx, decl, pieces) if isinstance(decl, n.Piece) else decl for decl in decls
    ]


def _with_shared(ctx: Context, decl: n.Piece, pieces: dict[str, n.Piece]) -> n.Piece:
    parent = next(
        (pieces[p] for p, kinds in ctx.program.parents.items() if decl.name.text in kinds), None
    )
    if parent is None:
        return decl
    given = {f.name.text: f for f in parent.fields}
    for f in decl.fields:
        if f.name.text in given:
            labels = (Label(given[f.name.text].name.span, "declared here"),)
            message = said(
                "{name} has '{field}' from {parent_name} already",
                name=decl.name,
                field=f.name,
                parent_name=parent.name,
            )
            ctx.error("R104", message, f.name.span, "remove it, or rename it", labels)
    own = tuple(f for f in decl.fields if f.name.text not in given)
    return replace(decl, fields=parent.fields + own)


def is_parent(program: ir.Program, type_: Type | None) -> bool:
    """Whether a type is that of the pieces of a parent."""
    return type_ is not None and type_.kind == "piece" and type_.name in program.parents


# ---------------------------------------------------------------------- pieces as of their parent


def _member(type_: Type) -> Type:
    return type_.of if type_.kind == "set" and type_.of is not None else type_


def coerce(program: ir.Program, value: ir.Expr, wanted: Type) -> ir.Expr:
    """*value* as one of type *wanted*, where that is of the parent of its kind."""
    own, other = _member(value.type), _member(wanted)
    pieces = value.type.kind in ("piece", "set") and own.kind == "piece"
    if not pieces or value.type.kind != wanted.kind:
        return value
    if own.name not in program.parents.get(other.name, ()):
        return value
    type_ = other.maybe() if own.optional else other.plain()
    if wanted.kind == "set":
        type_ = set_of(other)
    return ir.Widen(value, type=type_, span=value.span)


def unify(
    program: ir.Program, left: ir.Expr, right: ir.Expr, siblings: bool = True
) -> tuple[ir.Expr, ir.Expr, Type | None]:
    """Two values as of one type, and the type; *siblings*: it may be that of a common parent."""
    left, right = coerce(program, left, right.type), coerce(program, right, left.type)
    a, b = _member(left.type), _member(right.type)
    pieces = left.type.kind == right.type.kind and a.kind == b.kind == "piece"
    if siblings and pieces and a.name != b.name:
        parent = program.parent_of(a.name)
        if parent is not None and parent == program.parent_of(b.name):
            common = Type("piece", parent)
            wanted = set_of(common) if left.type.kind == "set" else common
            left, right = coerce(program, left, wanted), coerce(program, right, wanted)
    return left, right, join(left.type, right.type)


# ---------------------------------------------------------------------- what is known of a piece


def base_of(e: ir.Expr) -> ir.Expr:
    """A piece as it was named, before it was taken for one of its parent or of a kind."""
    while isinstance(e, ir.Widen | ir.Narrow):
        e = e.value
    return e


def learn_kinds(program: ir.Program, env: Env, test: ir.Expr | None, holds: bool = True) -> None:
    """Remember in *env* of which kinds pieces must be where *test* holds, or does not."""
    if test is None:
        return
    if isinstance(test, ir.Not):
        learn_kinds(program, env, test.operand, not holds)
    elif isinstance(test, ir.Logic) and (test.op == "and") == holds:
        learn_kinds(program, env, test.left, holds)
        learn_kinds(program, env, test.right, holds)
    elif isinstance(test, ir.In) and isinstance(test.source, ir.Widen):
        whole = isinstance(test.source.value, ir.Members)
        if holds or whole:
            _learn(program, env, test.item, _member(test.source.value.type).name, holds)
    elif isinstance(test, ir.Compare) and test.op in ("==", "!=") and (test.op == "==") == holds:
        for one, other in ((test.left, test.right), (test.right, test.left)):
            if isinstance(other, ir.Widen) and not other.value.type.optional:
                _learn(program, env, one, other.value.type.name, True)


def _learn(program: ir.Program, env: Env, item: ir.Expr, kind: str, is_one: bool) -> None:
    local = base_of(item)
    parent = program.parent_of(kind)
    if not isinstance(local, ir.Local) or parent is None or local.type.name != parent:
        return
    known = env.kinds.get(local.name, frozenset(program.parents[parent]))
    env.kinds[local.name] = known & {kind} if is_one else known - {kind}


def known_kind(env: Env, name: str, unique: str) -> str | None:
    """The one kind of which a piece must be; none of locals that are changed somewhere."""
    kinds = env.kinds.get(unique, frozenset())
    return next(iter(kinds)) if len(kinds) == 1 and name not in env.changed else None


def of_kind(e: ir.Expr, kind: str, optional: bool) -> ir.Narrow:
    """A piece of a parent as one of a kind."""
    return ir.Narrow(e, type=Type("piece", kind, optional), span=e.span)


def narrowed_members(program: ir.Program, env: Env, var: str, found: ir.Expr) -> ir.Expr:
    """What a quantifier finds, as of the kind of which it must be."""
    member = _member(found.type)
    kinds = env.kinds.get(var, frozenset())
    if not is_parent(program, member) or len(kinds) != 1:
        return found
    kind = Type("piece", next(iter(kinds)), member.optional)
    type_ = set_of(kind) if found.type.kind == "set" else kind
    return ir.Narrow(found, type=type_, span=found.span)


def changed_locals(body: tuple[n.Stmt, ...]) -> frozenset[str]:
    """The names of locals that steps change."""
    return frozenset(
        node.target.name
        for node in n.below(body, n.Expr)
        if isinstance(node, n.Assign | n.SetDo) and isinstance(node.target, n.Name)
    )


# ---------------------------------------------------------------------- the fields of a parent


def is_of_kind(program: ir.Program, piece: ir.Expr, kind: str, span: Span) -> ir.Expr:
    """Whether a piece of a parent is of a kind."""
    parent = set_of(Type("piece", program.parent_of(kind) or ""))
    members = ir.Members(type=set_of(Type("piece", kind)), span=span)
    return ir.In(piece, ir.Widen(members, type=parent, span=span), type=BOOL, span=span)


def by_kind(
    program: ir.Program, piece: ir.Expr, read: Callable[[str, ir.Expr], ir.Expr], span: Span
) -> ir.Expr:
    """What *read* gives for the kind which a piece of a parent is of."""
    *others, last = program.parents[piece.type.name]
    result = read(last, of_kind(piece, last, piece.type.optional))
    for kind in reversed(others):
        value = read(kind, of_kind(piece, kind, piece.type.optional))
        test = is_of_kind(program, piece, kind, span)
        result = ir.Common(test, value, result, type=value.type, span=span)
    return result


def shared_field(program: ir.Program, parent: str, name: str) -> tuple[FieldSpec, ...]:
    """The fields by which kinds have the field *name* of *parent*, if it is not kept per member."""
    return tuple(_shared(program, program.fields, parent, name).values())


def shared_families(
    program: ir.Program, parent: str, name: str
) -> dict[str, tuple[FieldSpec, ...]]:
    """The same of a field that is kept per member of an enum: by kind."""
    return _shared(program, program.keyed, parent, name)


def _shared(
    program: ir.Program, facts: Mapping[tuple[str, str], _Fact], parent: str, name: str
) -> dict[str, _Fact]:
    """What the kinds of *parent* have of its field, by kind; nothing where one lacks it."""
    if name not in program.shared.get(parent, ()):
        return {}
    kinds = program.parents[parent]
    by_owner = {kind: facts[kind, name] for kind in kinds if (kind, name) in facts}
    return by_owner if len(by_owner) == len(kinds) else {}


def read_common_field(
    program: ir.Program, piece: ir.Expr, fields: tuple[FieldSpec, ...], span: Span
) -> ir.Expr:
    """A field of a parent, of one of its pieces."""
    specs = {f.owner: f for f in fields}

    def read(kind: str, own: ir.Expr) -> ir.Expr:
        return ir.Get(specs[kind], own, type=from_spec(specs[kind].type), span=span)

    return by_kind(program, piece, read, span)


def make_sure_of(kind: str) -> str:
    """How to make sure that a piece is of a kind."""
    how = said("make sure of it first: if x in {kind} { … }", kind=kind)
    return said("{how}, where x is a parameter or local that no step changes", how=how)


def report_uncommon_field(ctx: Context, node: n.Attr, parent: str) -> ir.Expr:
    """Report a field that not every piece of a parent has."""
    program, name = ctx.program, node.name.text
    having = [
        kind
        for kind in program.parents[parent]
        if any((kind, name) in facts for facts in (program.fields, program.keyed))
    ]
    if having:
        message = said(
            "not every {parent} has '{name}', only {having}",
            parent=parent,
            name=name,
            having=join_with_word(AND, having),
        )
        ctx.error("R202", message, node.name.span, make_sure_of(having[0]))
    else:
        ctx.report_unknown(
            "R202", said("field of {parent}", parent=parent), node.name, program.shared[parent]
        )
    return ir.Const(0, type=BAD, span=node.span)


def pieces_at(program: ir.Program, parent: str, hex_: ir.Expr, span: Span) -> ir.Expr | None:
    """The pieces of a parent at a hex; None where it does not say where they are."""
    places = [program.place_of(kind) for kind in program.parents[parent]]
    if not all(place is not None and place.name in program.shared[parent] for place in places):
        return None
    wanted = set_of(Type("piece", parent))
    result: ir.Expr | None = None
    for place in places:
        assert place is not None
        piece = Type("piece", place.owner)
        type_ = piece.maybe() if place.alone else set_of(piece)
        pieces: ir.Expr = ir.At(place.owner, hex_, type=type_, span=span)
        if place.alone:
            pieces = ir.SetLit((pieces,), type=set_of(piece), span=span)
        one = ir.Widen(pieces, type=wanted, span=span)
        result = one if result is None else ir.Gathered("|", result, one, type=wanted, span=span)
    return result


def set_common_field(
    program: ir.Program,
    env: Env,
    place: ir.Common,
    change: Callable[[ir.Expr], ir.Stmt],
    span: Span,
) -> list[ir.Stmt]:
    """The change of a field of a parent: that of the kind which the piece is of."""
    if isinstance(base_of(place.owner), ir.Local):
        return [_change_of(place, change, span)]
    name = env.bind("_piece", place.owner.type)
    once = ir.Local(name, type=place.owner.type, span=place.owner.span)
    changed = _change_of(_of_piece(place, once), change, span)
    return [ir.Let(name, place.owner, span=span), changed]


def _of_piece(place: ir.Expr, piece: ir.Expr) -> ir.Expr:
    """The same field of another piece."""
    if isinstance(place, ir.Common):
        assert isinstance(place.test, ir.In)
        test = replace(place.test, item=piece)
        then, orelse = _of_piece(place.then, piece), _of_piece(place.orelse, piece)
        return replace(place, test=test, then=then, orelse=orelse)
    assert isinstance(place, ir.Get | ir.Pick) and isinstance(place.owner, ir.Narrow)
    return replace(place, owner=replace(place.owner, value=piece))


def _change_of(place: ir.Expr, change: Callable[[ir.Expr], ir.Stmt], span: Span) -> ir.Stmt:
    if not isinstance(place, ir.Common):
        return change(place)
    orelse = (_change_of(place.orelse, change, span),)
    return ir.IfStmt(place.test, (change(place.then),), orelse, span=span)
