"""What is read of something: fields and columns after a dot, places, piles and cells in
brackets.
"""

from __future__ import annotations

from functools import partial

from compiler import ir
from compiler.check.context import Env
from compiler.check.expressions.base import error_expression
from compiler.check.expressions.names import Names, has_hex_numbers
from compiler.check.expressions.services import SERVICES
from compiler.check.parents import (
    by_kind,
    pieces_at,
    read_common_field,
    report_uncommon_field,
    shared_families,
    shared_field,
)
from compiler.types import HEX, INT, Type, set_of
from dsl import nodes as n
from dsl.diagnostics import MisfitCall
from runtime.model import PileSpec, names_hexes
from runtime.words.said import said

#: What others call the number of members.
_COUNTED = ("size", "length", "count", "len")
#: How one of several is had.
_PICKED = {
    "roll": "write face(r) for the first die, 'each x in r' for all",
    "set": "a set has no places: write 'first x in S where c'",
}


class Attributes(Names):
    """Checks what stands after a dot or before brackets."""

    def _attr(self, node: n.Attr, env: Env, expected: Type | None) -> ir.Expr:
        program = self.program
        owner = self._owner(node, env)
        t, name = owner.type, node.name.text
        if t.kind == "bad":
            return error_expression(node)
        owner_name = t.owner
        if not owner_name:
            remedy = self._field_remedy(node, owner)
            self.ctx.report_misfit(
                "{0} has no fields", node.name.span, t, remedy=remedy, code="R202"
            )
            return error_expression(node)
        field = program.fields.get((owner_name, name))
        if field is not None:
            self.ctx.use(f"{owner_name}.{name}", node.name.span)
            return ir.Get(field, owner, type=self.ctx.field_type(field), span=node.span)
        if (owner_name, name) in program.keyed or shared_families(program, owner_name, name):
            return self._report_missing_member(owner_name, node.name, node.name.span)
        common = shared_field(program, owner_name, name)
        if common:
            for f in common:
                self.ctx.use(f"{f.owner}.{name}", node.name.span)
            return read_common_field(program, owner, common, node.span)
        if owner_name in program.parents:
            return report_uncommon_field(self.ctx, node, owner_name)
        column = program.columns.get((owner_name, name))
        if column is not None:
            self.ctx.use(f"{owner_name}.{name}", node.name.span)
            settled = column.place is None and not names_hexes(column.type.spec())
            if isinstance(owner, ir.Const) and owner.value >= 0 and settled:
                return ir.Const(column.values[owner.value], type=column.type, span=node.span)
            return ir.Col(column, owner, type=column.type, span=node.span)
        if owner_name in self.ctx.orphans:
            return error_expression(node)
        known = [f.base for f in program.fields.values() if f.owner == owner_name]
        known += [c for e, c in program.columns if e == owner_name]
        what, hint = said("field or column of {owner}", owner=owner_name), ""
        if name not in known:
            hint = self._access_remedy(owner_name, name)
        self.ctx.report_unknown("R202", what, node.name, () if hint else known, hint)
        return error_expression(node)

    def _field_remedy(self, node: n.Attr, owner: ir.Expr) -> str:
        """What may be meant by a field of what has none."""
        t, name = owner.type, node.name.text
        if t.kind in ("set", "pile", "roll") and name in _COUNTED:
            shown = node.object.name if isinstance(node.object, n.Name) else "…"
            return said("write size({shown})", shown=shown)
        if t.kind == "roll":
            return "write tally(r, f) for how many dice show a face, face(r) for the first die"
        if t.kind != "set":
            return "fields belong to pieces, enum members, sides and hexes"
        if t.of is not None and name in self.program.enums.get(t.of.name, ()):
            return said("a member stands by its name alone: {name}", name=name)
        return said("ask about its members: some x in … where x.{name}", name=name)

    def _access_remedy(self, owner: str, name: str) -> str:
        """How that is had of an owner which is no field or column of it."""
        program = self.program
        having = {*program.fields, *program.keyed, *program.columns}
        for f in program.fields.values():
            if (
                f.owner == owner
                and (f.type.name if f.type.kind != "hex" else "Hex", name) in having
            ):
                return said(
                    "it is read by way of '{field}': {field}.{name}", field=f.base, name=name
                )
        for f in program.fields.values():
            called = f.owner.casefold() == name.casefold().rstrip("s")
            if owner == "Hex" and f.place and (called or (f.owner, name) in having):
                return said("what stands there is {kind}[{shown}]", kind=f.owner, shown="…")
            if called and f.type.name == owner and f.owner in program.kinds:
                return self.filter_remedy(f.owner, f.base, "…")
        if name in SERVICES:
            return said("'{name}' is a {kind}: write {name}(…)", name=name, kind="function")
        return self.hint(name) if name in program.calls else ""

    def _owner(self, node: n.Attr, env: Env) -> ir.Expr:
        """What stands before the dot; of members of one name that which has the field or column."""
        if isinstance(node.object, n.Name) and self.ambiguous(node.object, env):
            key = node.name.text
            enums = self.ctx.members[node.object.name]
            known = (self.program.fields, self.program.keyed, self.program.columns)
            having = [e for e in enums if any((e, key) in facts for facts in known)]
            if len(having) == 1:
                return self.check(node.object, env, Type("enum", having[0]))
        if isinstance(node.object, n.Int) and has_hex_numbers(self.ctx):
            return self.check(node.object, env, HEX)
        return self.check(node.object, env)

    def _member_field(
        self, owner: str, object_: ir.Expr | None, name: str, node: n.Index, env: Env
    ) -> ir.Expr:
        """A field kept per member of an enum, at a member."""
        families = shared_families(self.program, owner, name)
        if families and object_ is not None:
            read = partial(self._member_field, name=name, node=node, env=env)
            return by_kind(self.program, object_, read, node.span)
        family = self.program.keyed[(owner, name)]
        self.ctx.use(f"{owner}.{name}", node.object.span)
        if not family:
            return error_expression(node)
        key = self._single(node, env, Type("enum", family[0].per or ""), "the index")
        type_ = self.ctx.field_type(family[0])
        if isinstance(key, ir.Const) and key.type.kind == "enum" and key.value >= 0:
            return ir.Get(family[key.value], object_, type=type_, span=node.span)
        return ir.Pick(family, object_, key, type=type_, span=node.span)

    def _index(self, node: n.Index, env: Env, expected: Type | None) -> ir.Expr:
        if isinstance(node.object, n.Name):
            return self._index_of_name(node, node.object, env, expected)
        if isinstance(node.object, n.Attr):
            value = self._index_of_field(node, node.object, env)
            if value is not None:
                return value
        message = "only kinds, piles, matrices and fields kept per member of an enum take an index"
        remedy = "Unit[h], hand[side], matrix[row, column], u.hits[left]"
        self.ctx.error("T301", message, node.span, remedy)
        return error_expression(node)

    def _index_of_field(self, node: n.Index, attr: n.Attr, env: Env) -> ir.Expr | None:
        """A field of something at a member; None where it is not kept per member."""
        owner, name = self._owner(attr, env), attr.name.text
        whose = owner.type.owner
        if (whose, name) in self.program.keyed or shared_families(self.program, whose, name):
            return self._member_field(whose, owner, name, node, env)
        if self.check(attr, env).type.kind == "bad":
            return error_expression(node)
        return None

    def _index_of_name(
        self, node: n.Index, object_: n.Name, env: Env, expected: Type | None
    ) -> ir.Expr:
        program, name = self.program, object_.name
        if name in self.ctx.poisoned:
            return error_expression(node)
        if env.find(name) is None:
            if ("Game", name) in program.keyed:
                return self._member_field("Game", None, name, node, env)
            if name in program.parents or name in program.kinds:
                self.ctx.use(name, object_.span)
                return self._pieces_at(name, node, env)
        if name in program.piles:
            self.ctx.use(f"pile {name}", object_.span)
            return self._pile_of(program.piles[name], node, env)
        if name in program.matrices:
            return self._matrix_cell(program.matrices[name], node, env)
        if local := env.find(name):
            remedy = _PICKED.get(local[1].kind, "write '.' and the name of what is read of it")
            self.ctx.report_misfit("{0} takes no index", node.span, local[1], remedy=remedy)
            return error_expression(node)
        what, known = "pile", [*program.piles]
        if expected is None or expected.kind != "pile":
            what = "kind, pile or matrix"
            known += [*program.kinds, *program.parents, *program.matrices]
            known += [name for owner, name in program.keyed if owner == "Game"]
        self.ctx.report_unknown("R201", what, object_, known, self.hint(name))
        return error_expression(node)

    def _pieces_at(self, kind: str, node: n.Index, env: Env) -> ir.Expr:
        """The pieces of a kind or parent on a hex; the one where only one can be there."""
        program = self.program
        if kind in program.parents:
            hex_ = self._single(node, env, HEX.maybe(), "the index")
            pieces = pieces_at(program, kind, hex_, node.span)
            if pieces is None:
                message = said("{kind} does not say where its pieces are", kind=kind)
                remedy = said("declare the place in {kind}: hex: Hex place", kind=kind)
                self.ctx.error("T301", message, node.span, remedy)
            return pieces if pieces is not None else error_expression(node)
        place = program.place_of(kind)
        if place is None and kind in self.ctx.orphans:
            return error_expression(node)
        if place is None:
            self.ctx.report_placeless(
                kind, said("{kind} has no place on the board", kind=kind), node.span
            )
            return error_expression(node)
        hex_ = self._single(node, env, HEX.maybe(), "the index")
        if f"{kind}.{place.name}" in self.ctx.suspects:  # nobody knows whether it should be alone
            return error_expression(node)
        piece = Type("piece", kind)
        type_ = piece.maybe() if place.alone else set_of(piece)
        return ir.At(kind, hex_, type=type_, span=node.span)

    def _pile_of(self, pile: PileSpec, node: n.Index, env: Env) -> ir.Expr:
        """The pile of one side."""
        owner = None
        if pile.per is None:
            message = said("there is only one pile '{name}'", name=pile.name)
            self.ctx.error("T301", message, node.span, said("write just {name}", name=pile.name))
        else:
            owner = self._single(node, env, Type("enum", pile.per), "the index")
        return ir.Pile(pile, owner, type=Type("pile", pile.enum), span=node.span)

    def _matrix_cell(self, matrix: ir.MatrixInfo, node: n.Index, env: Env) -> ir.Expr:
        """The value of a matrix in a row and a column."""
        name = matrix.name
        self.ctx.use(f"matrix {name}", node.object.span)
        if len(node.args) != 2:
            message = said("matrix {name} needs a row and a column", name=name)
            remedy = said("{name}[row, column]", name=name)
            self.ctx.error(
                "T303", message, node.span, remedy, about=(MisfitCall(f"matrix {name}"),)
            )
            return error_expression(node)
        scales = (matrix.row, matrix.column)
        types = [INT if " .. " in scale else Type("enum", scale) for scale in scales]
        values = [self.check(arg, env, t) for arg, t in zip(node.args, types, strict=True)]
        if self._are_swapped(values, types):
            message = said("row and column of matrix {name} are exchanged", name=name)
            remedy = said(
                "write {name}[row, column]: rows are of {row}, columns of {column}",
                name=name,
                row=matrix.row,
                column=matrix.column,
            )
            self.ctx.error(
                "T301", message, node.span, remedy, about=(MisfitCall(f"matrix {name}"),)
            )
            return error_expression(node)
        row, column = (
            self._along(value, arg, scale, what)
            for value, arg, scale, what in zip(
                values, node.args, scales, ("the row", "the column"), strict=True
            )
        )
        return ir.Cell(matrix, row, column, type=matrix.type, span=node.span)

    def _along(self, value: ir.Expr, node: n.Expr, scale: str, what: str) -> ir.Expr:
        """Where a matrix is read along a side: at a member, or at a number."""
        type_ = Type("enum", scale)
        if " .. " not in scale:
            return self.require(value, type_, what, node.span)
        self.of_kind(value, "int", said("{what} is a number", what=what), node.span)
        type_ = type_.maybe() if value.type.optional else type_
        low, high = map(int, scale.split(" .. "))
        return ir.Rung(value, low, high, type=type_, span=node.span)

    def _single(self, node: n.Index, env: Env, wanted: Type, what: str) -> ir.Expr:
        if len(node.args) != 1:
            self.ctx.error("T303", "one index is expected here", node.span)
            return error_expression(node)
        return self.of_type(node.args[0], env, wanted, what)
