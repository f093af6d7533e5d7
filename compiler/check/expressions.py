"""Checking expressions: names, types, measures; the result is typed and resolved."""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check import quantifiers, sights
from compiler.check.certain import excluded_none, surely_none
from compiler.check.context import Context, Env
from compiler.check.parents import (
    adapted,
    by_kind,
    is_parent,
    known_kind,
    learn_kinds,
    not_of_every,
    of_kind,
    read_shared,
    shared_families,
    shared_field,
    there,
    unified,
)
from compiler.check.services import SERVICES
from compiler.check.values import hex_called, never_none, numbered
from compiler.types import BAD, BOOL, HEX, INT, LITERAL, NONE_TYPE, Type, fits, from_spec, join, set_of
from dsl import nodes as n
from dsl.language import keywords, value_words
from dsl.source import Span
from runtime.model import NONE, EffectSpec, located

_COMPARE = {"is": "==", "is not": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Expressions:
    """Turns syntax into checked expressions; every problem becomes a finding and a ``bad`` type."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.program = ctx.program

    # ------------------------------------------------------------------ entry points

    def check(self, node: n.Expr, env: Env, expected: Type | None = None) -> ir.Expr:
        """Check *node*; *expected* helps to tell members of the same name apart."""
        method = getattr(self, "_" + type(node).__name__.lower())
        result = method(node, env, expected)
        assert isinstance(result, ir.Expr)
        return result

    def condition(self, node: n.Expr, env: Env) -> ir.Expr:
        """Check a condition."""
        value = self.check(node, env, BOOL)
        if value.type.kind not in ("bool", "bad"):
            remedy = "write 'x > 0' or 'x is not none'" if value.type.kind != "set" else "write 'some x in …'"
            self.ctx.error(
                "T306", f"a condition must be true or false; this is {value.type}", node.span, remedy
            )
        return value

    def of_type(self, node: n.Expr, env: Env, wanted: Type, what: str) -> ir.Expr:
        """Check *node* and that it fits *wanted*."""
        return self.require(self.check(node, env, wanted), wanted, what, node.span)

    def require(self, value: ir.Expr, wanted: Type, what: str, span: Span) -> ir.Expr:
        """*value* as one of type *wanted*; a finding where it does not fit."""
        value = adapted(self.program, value, wanted)
        if fits(value.type, wanted):
            if value.type.kind == "none" and not wanted.optional and wanted.kind != "bad":
                self.ctx.error(
                    "T304", f"{what} has type {wanted} and cannot be none", span, f"declare it as {wanted}?"
                )
            return value
        if value.type.kind == "int" and wanted.kind == "int":
            self.ctx.error(
                "T302",
                f"{what} is measured in {wanted}; this is in {value.type}",
                span,
                "numbers of different measures do not mix; use the right column, or a plain int",
            )
        else:
            self.ctx.error(
                "T301",
                f"{what} has type {wanted.plain()}; this is {value.type}",
                span,
                self._instead(value, wanted),
            )
        return value

    def _instead(self, value: ir.Expr, wanted: Type) -> str:
        """What of *value* has the type that is wanted, as a question."""
        if wanted.name in self.program.parents.get(value.type.name, ()):
            return (
                f"make sure of it first: if x in {wanted.name} {{ … }}, where x is a parameter or local "
                "that no step changes"
            )
        owner = {"piece": value.type.name, "enum": value.type.name, "hex": "Hex"}.get(value.type.kind)
        fields = [(f.name, from_spec(f.type)) for f in self.program.fields.values() if f.owner == owner]
        columns = [(c.name, c.type) for c in self.program.columns.values() if c.enum == owner]
        found = [
            name
            for name, type_ in fields + columns
            if type_.kind != "int" and type_.kind == wanted.kind and fits(type_, wanted)
        ]
        return f"did you mean its '{found[0]}'?" if len(found) == 1 else ""

    def members(self, node: n.Expr, env: Env, expected: Type | None = None) -> tuple[ir.Expr, Type]:
        """Check a source of members; returns it with the type of the members."""
        value = self.check(node, env, expected)
        t = value.type
        if t.kind in ("set", "roll"):
            assert t.of is not None
            return value, t.of if t.of.kind != "none" else BAD
        if t.kind == "pile":
            return value, Type("enum", t.name)
        if t.kind != "bad":
            self.ctx.error(
                "T307",
                f"this is {t}, not a set",
                node.span,
                "write a set, a kind, an enum, a pile, a roll or a range a .. b",
            )
        return value, BAD

    # ------------------------------------------------------------------ literals and names

    def _int(self, node: n.Int, env: Env, expected: Type | None) -> ir.Expr:
        if node.measure is None and expected is not None and expected.kind == "hex" and numbered(self.ctx):
            return hex_called(self.ctx, node)
        if node.measure is None:
            return ir.Const(node.value, type=LITERAL, span=node.span)
        if node.measure not in self.program.measures:
            self.ctx.unknown("R203", "measure", n.Ident(node.measure, span=node.span), self.program.measures)
            return ir.Const(node.value, type=BAD, span=node.span)
        self.ctx.used.add(node.measure)
        return ir.Const(node.value, type=Type("int", node.measure), span=node.span)

    def _bool(self, node: n.Bool, env: Env, expected: Type | None) -> ir.Expr:
        return ir.Const(int(node.value), type=BOOL, span=node.span)

    def _nonelit(self, node: n.NoneLit, env: Env, expected: Type | None) -> ir.Expr:
        return ir.Const(NONE, type=NONE_TYPE, span=node.span)

    def _name(self, node: n.Name, env: Env, expected: Type | None) -> ir.Expr:
        program, name = self.program, node.name
        local = env.find(name)
        if local is not None:
            unique, type_ = local
            if type_.optional and unique in env.sure:
                type_ = type_.plain()
            kind, value = known_kind(env, name, unique), ir.Local(unique, type=type_, span=node.span)
            return value if kind is None else of_kind(value, kind, type_.optional)
        game = program.fields.get(("Game", name))
        if game is not None:
            self.ctx.used.add(f"Game.{name}")
            return ir.Get(game, None, type=from_spec(game.type), span=node.span)
        if ("Game", name) in program.keyed:
            return self._whose("Game", node, node.span)
        if name in program.switches:
            self.ctx.used.add(name)
            return ir.SwitchOn(name, type=BOOL, span=node.span)
        member = self._member(node, expected)
        if member is not None:
            return member
        if name in program.piles:
            pile = program.piles[name]
            if pile.per is not None:
                self.ctx.error(
                    "T301",
                    f"there is a pile '{name}' for each {pile.per}",
                    node.span,
                    f"say whose: {name}[…]",
                )
            return ir.Pile(pile, None, type=Type("pile", pile.enum), span=node.span)
        if name in program.kinds or name in program.parents:
            return ir.Members(type=set_of(Type("piece", name)), span=node.span)
        if name in program.enums:
            self.ctx.used.add(name)
            return ir.Members(type=set_of(Type("enum", name)), span=node.span)
        if name == "Hex":
            return ir.Members(type=set_of(HEX), span=node.span)
        if expected is not None and expected.kind == "hex" and program.board is not None:
            try:
                at = program.board.index(name)
            except ValueError:
                pass
            else:
                program.labels.setdefault(name, node.span)
                return ir.Label(at, name, type=HEX, span=node.span)
        known = [
            *env.all_names(),
            *(f for o, f in program.fields if o == "Game"),
            *program.switches,
            *self.ctx.members,
            *program.piles,
            *program.kinds,
            *program.parents,
            *program.enums,
        ]
        if name in keywords():
            message = f"a value is expected here, and '{name}' is a word of the language"
            remedy = (
                f"if '{name}' begins a step of its own, the step before it lacks its value; otherwise "
                "choose another name"
            )
            self.ctx.strange("R201", message, name, node.span, known, remedy)
        else:
            self.ctx.unknown("R201", "name", node, [*known, *value_words()], self._callable_hint(name))
        return ir.Const(0, type=BAD, span=node.span)

    def _whose(self, owner: str, name: n.Ident | n.Name, span: Span) -> ir.Expr:
        """Report a field kept per member that is named without one."""
        text = name.text if isinstance(name, n.Ident) else name.name
        kind = self.program.parents.get(owner, (owner,))[0]
        per = self.program.keyed[(kind, text)][0].per if self.program.keyed[(kind, text)] else "member"
        self.ctx.error("T301", f"there is a '{text}' for each {per}", span, f"say which: {text}[…]")
        return ir.Const(0, type=BAD, span=span)

    def _kept_per(self, owner: str, object_: ir.Expr | None, name: str, node: n.Index, env: Env) -> ir.Expr:
        """A field kept per member of an enum, at a member."""
        families = shared_families(self.program, owner, name)
        if families and object_ is not None:
            return by_kind(
                self.program, object_, lambda kind, own: self._kept_per(kind, own, name, node, env), node.span
            )
        family = self.program.keyed[(owner, name)]
        self.ctx.used.add(f"{owner}.{name}")
        if not family:
            return ir.Const(0, type=BAD, span=node.span)
        key = self._single(node, env, Type("enum", family[0].per or ""), "the index")
        type_ = from_spec(family[0].type)
        if isinstance(key, ir.Const) and key.type.kind == "enum" and key.value >= 0:
            return ir.Get(family[key.value], object_, type=type_, span=node.span)
        return ir.Pick(family, object_, key, type=type_, span=node.span)

    def _callable_hint(self, name: str) -> str:
        if name in self.program.calls:
            return f"'{name}' is a {self.program.calls[name].kind}: write {name}(…)"
        if name in self.program.effects:
            return f"'{name}' is an effect: write 'effect {name}'"
        return ""

    def _member(self, node: n.Name, expected: Type | None) -> ir.Expr | None:
        enums = self.ctx.members.get(node.name)
        if not enums:
            return None
        wanted = expected.of if expected is not None and expected.kind == "set" else expected
        if wanted is not None and wanted.kind == "enum" and wanted.name in enums:
            enum = wanted.name
        elif len(enums) == 1:
            enum = enums[0]
        else:
            self.ctx.error(
                "R204",
                f"'{node.name}' is a member of {' and of '.join(enums)}; it is not clear which is meant",
                node.span,
                "compare it with something that has a type, or rename one of the two",
            )
            return ir.Const(0, type=BAD, span=node.span)
        self.ctx.used.update((enum, f"{enum}.{node.name}"))
        value = self.program.enums[enum].index(node.name)
        return ir.Const(value, type=Type("enum", enum), span=node.span)

    # ------------------------------------------------------------------ fields, columns, places

    def _attr(self, node: n.Attr, env: Env, expected: Type | None) -> ir.Expr:
        program = self.program
        owner = self._owner(node, env)
        t, name = owner.type, node.name.text
        if t.kind == "bad":
            return ir.Const(0, type=BAD, span=node.span)
        owner_name = {"piece": t.name, "enum": t.name, "hex": "Hex"}.get(t.kind)
        if owner_name is None:
            what = f"{t} has no fields"
            remedy = (
                "ask about its members: some x in … where x." + name
                if t.kind == "set"
                else "fields belong to pieces, enum members, sides and hexes"
            )
            self.ctx.error("R202", what, node.name.span, remedy)
            return ir.Const(0, type=BAD, span=node.span)
        field = program.fields.get((owner_name, name))
        if field is not None:
            self.ctx.used.add(f"{owner_name}.{name}")
            return ir.Get(field, owner, type=from_spec(field.type), span=node.span)
        if (owner_name, name) in program.keyed or shared_families(program, owner_name, name):
            return self._whose(owner_name, node.name, node.name.span)
        common = shared_field(program, owner_name, name)
        if common:
            self.ctx.used.update(f"{f.owner}.{name}" for f in common)
            return read_shared(program, owner, common, node.span)
        if owner_name in program.parents:
            return not_of_every(self.ctx, node, owner_name)
        column = program.columns.get((owner_name, name))
        if column is not None:
            self.ctx.used.add(f"{owner_name}.{name}")
            if isinstance(owner, ir.Const) and owner.value >= 0 and not located(column.type.spec()):
                return ir.Const(column.values[owner.value], type=column.type, span=node.span)
            return ir.Col(column, owner, type=column.type, span=node.span)
        known = [f.base for f in program.fields.values() if f.owner == owner_name] + [
            c for e, c in program.columns if e == owner_name
        ]
        self.ctx.unknown("R202", f"field or column of {owner_name}", node.name, known)
        return ir.Const(0, type=BAD, span=node.span)

    def _owner(self, node: n.Attr, env: Env) -> ir.Expr:
        """What stands before the dot; of members of one name that one that has the field or column."""
        if isinstance(node.object, n.Name) and self._ambiguous(node.object, env):
            key = node.name.text
            enums = self.ctx.members[node.object.name]
            known = (self.program.fields, self.program.keyed, self.program.columns)
            having = [e for e in enums if any((e, key) in facts for facts in known)]
            if len(having) == 1:
                return self.check(node.object, env, Type("enum", having[0]))
        if isinstance(node.object, n.Int) and numbered(self.ctx):
            return self.check(node.object, env, HEX)
        return self.check(node.object, env)

    def _index(self, node: n.Index, env: Env, expected: Type | None) -> ir.Expr:
        program = self.program
        if isinstance(node.object, n.Attr):
            owner = self._owner(node.object, env)
            whose = {"piece": owner.type.name, "enum": owner.type.name, "hex": "Hex"}.get(owner.type.kind, "")
            if (whose, node.object.name.text) in program.keyed or shared_families(
                program, whose, node.object.name.text
            ):
                return self._kept_per(whose, owner, node.object.name.text, node, env)
            if self.check(node.object, env).type.kind == "bad":
                return ir.Const(0, type=BAD, span=node.span)
        name = node.object.name if isinstance(node.object, n.Name) else None
        if name is not None and ("Game", name) in program.keyed and env.find(name) is None:
            return self._kept_per("Game", None, name, node, env)
        if name in program.parents and name is not None and env.find(name) is None:
            found = there(program, name, self._single(node, env, HEX.maybe(), "the index"), node.span)
            if found is None:
                remedy = f"declare the place in {name}: hex: Hex place"
                self.ctx.error("T301", f"{name} does not say where its pieces are", node.span, remedy)
            return found if found is not None else ir.Const(0, type=BAD, span=node.span)
        if name in program.kinds and name is not None and env.find(name) is None:
            place = program.place_of(name)
            if place is None:
                self.ctx.error(
                    "T301", f"{name} has no place on the board", node.span, "give it a field: hex: Hex place"
                )
                return ir.Const(0, type=BAD, span=node.span)
            hex_ = self._single(node, env, HEX.maybe(), "the index")
            piece = Type("piece", name)
            return ir.At(name, hex_, type=piece.maybe() if place.alone else set_of(piece), span=node.span)
        if name in program.piles and name is not None:
            pile = program.piles[name]
            if pile.per is None:
                self.ctx.error("T301", f"there is only one pile '{name}'", node.span, f"write just {name}")
                return ir.Pile(pile, None, type=Type("pile", pile.enum), span=node.span)
            owner = self._single(node, env, Type("enum", pile.per), "the index")
            return ir.Pile(pile, owner, type=Type("pile", pile.enum), span=node.span)
        if name in program.matrices and name is not None:
            matrix = program.matrices[name]
            self.ctx.used.add(f"matrix {name}")
            if len(node.args) != 2:
                self.ctx.error(
                    "T303", f"matrix {name} needs a row and a column", node.span, f"{name}[row, column]"
                )
                return ir.Const(0, type=BAD, span=node.span)
            row = self._along(node.args[0], env, matrix.row, "the row")
            column = self._along(node.args[1], env, matrix.column, "the column")
            return ir.Cell(matrix, row, column, type=matrix.type, span=node.span)
        if isinstance(node.object, n.Name):
            known = [*program.kinds, *program.parents, *program.piles, *program.matrices]
            known += [name for owner, name in program.keyed if owner == "Game"]
            self.ctx.unknown("R201", "kind, pile or matrix", node.object, known)
        else:
            message = "only kinds, piles, matrices and fields kept per member of an enum take an index"
            self.ctx.error(
                "T301", message, node.span, "Unit[h], hand[side], table[row, column], u.hits[left]"
            )
        return ir.Const(0, type=BAD, span=node.span)

    def _along(self, node: n.Expr, env: Env, scale: str, what: str) -> ir.Expr:
        """Where a matrix is read along a side: at a member, or at a number."""
        type_ = Type("enum", scale)
        if " .. " not in scale:
            return self.of_type(node, env, type_, what)
        value = self.check(node, env, INT)
        if value.type.kind not in ("int", "bad"):
            self.ctx.error("T301", f"{what} is a number; this is {value.type}", node.span)
        low, high = scale.split(" .. ")
        return ir.Rung(
            value, int(low), int(high), type=type_.maybe() if value.type.optional else type_, span=node.span
        )

    def _single(self, node: n.Index, env: Env, wanted: Type, what: str) -> ir.Expr:
        if len(node.args) != 1:
            self.ctx.error("T303", "one index is expected here", node.span)
            return ir.Const(0, type=BAD, span=node.span)
        return self.of_type(node.args[0], env, wanted, what)

    # ------------------------------------------------------------------ calls

    def _call(self, node: n.Call, env: Env, expected: Type | None) -> ir.Expr:
        name = node.name.text
        called = self.program.calls.get(name)
        if called is None:
            service = SERVICES.get(name)
            if service is not None:
                return service(self, node, env)
            known = [*self.program.calls, *SERVICES]
            hint = (
                f"'{name}' is a procedure: write 'do {name}(…)' as a step"
                if name in self.program.procedures
                else ""
            )
            self.ctx.unknown("R201", "function, quantity or permission", node.name, known, hint)
            for arg in node.args:
                self.check(arg, env)
            return ir.Const(0, type=BAD, span=node.span)
        self.ctx.used.add(f"call {name}")
        args = self.arguments(node.args, called.params, env, f"{called.kind} {name}", node.span, lenient=True)
        return ir.Apply(name, args, type=called.type, span=node.span)

    def arguments(
        self,
        nodes: tuple[n.Expr, ...],
        params: list[ir.ParamInfo],
        env: Env,
        what: str,
        span: Span,
        lenient: bool = False,
    ) -> tuple[ir.Expr, ...]:
        """Check arguments against parameters; *lenient*: ``none`` may be passed (it is harmless in pure
        code).
        """
        if len(nodes) != len(params):
            wanted = ", ".join(f"{p.name}: {p.type}" for p in params)
            self.ctx.error(
                "T303",
                f"{what} expects {len(params)} argument{'s' * (len(params) != 1)}, got {len(nodes)}",
                span,
                f"it is declared with ({wanted})",
            )
            for arg in nodes:
                self.check(arg, env)
            return tuple(ir.Const(0, type=BAD) for _ in params)
        result = []
        for arg, param in zip(nodes, params, strict=True):
            wanted_type = param.type.maybe() if lenient else param.type
            value = self.of_type(arg, env, wanted_type, f"'{param.name}' of {what}")
            if (
                not lenient
                and value.type.optional
                and value.type.kind != "none"
                and not param.type.optional
                and param.type.kind != "bad"
            ):
                self.ctx.error(
                    "T304",
                    f"this may be none, but '{param.name}' of {what} may not",
                    arg.span,
                    f"check it first (if … is not none), or declare the parameter as {param.type}?",
                )
            result.append(value)
        return tuple(result)

    def _reach(self, node: n.Reach, env: Env, expected: Type | None) -> ir.Expr:
        return sights.reach(self, node, env)

    def _steps(self, node: n.Steps, env: Env, expected: Type | None) -> ir.Expr:
        return sights.steps(self, node, env)

    def _way(self, node: n.Way, env: Env, expected: Type | None) -> ir.Expr:
        return sights.way(self, node, env)

    def _active(self, node: n.Active, env: Env, expected: Type | None) -> ir.Expr:
        effect = self.program.effects.get(node.effect.text)
        if effect is None:
            self.ctx.unknown("R201", "effect", node.effect, self.program.effects)
            return ir.Const(0, type=BAD, span=node.span)
        self.ctx.used.add(f"effect {effect.name}")
        if not node.args:
            if len(effect.params) > 1:
                message = f"effect {effect.name} is in force for several values together"
                self.ctx.error(
                    "T303", message, node.span, f"write effect {effect.name}({', '.join(effect.names)})"
                )
                return ir.Const(0, type=BAD, span=node.span)
            return active(effect, node.span)
        item = self.instance(effect, node.args, env, node.span)
        return (
            ir.Const(0, type=BAD, span=node.span)
            if item is None
            else ir.In(item, active(effect, node.span), type=BOOL, span=node.span)
        )

    def instance(self, effect: EffectSpec, nodes: tuple[n.Expr, ...], env: Env, span: Span) -> ir.Expr | None:
        """For which values an effect starts, ceases or is asked about: the value, or the number of several;
        None when they do not fit.
        """
        if len(nodes) != len(effect.params):
            wanted = f"{len(effect.params)} argument{'s' if len(effect.params) != 1 else ''}"
            self.ctx.error("T303", f"effect {effect.name} expects {wanted}, got {len(nodes)}", span)
            for node in nodes:
                self.check(node, env)
            return None
        args = tuple(
            self.of_type(a, env, from_spec(t), "the effect's argument")
            for a, t in zip(nodes, effect.params, strict=True)
        )
        return args[0] if len(args) == 1 else ir.Instance(effect, args, type=INT, span=span)

    # ------------------------------------------------------------------ operators

    def _unary(self, node: n.Unary, env: Env, expected: Type | None) -> ir.Expr:
        if node.op == "not":
            return ir.Not(self.condition(node.operand, env), type=BOOL, span=node.span)
        value = self.check(node.operand, env, expected)
        if value.type.kind not in ("int", "bad"):
            self.ctx.error("T301", f"'-' needs a number; this is {value.type}", node.span)
            return ir.Const(0, type=BAD, span=node.span)
        if isinstance(value, ir.Const):
            return replace(value, value=-value.value)
        return ir.Op("-", ir.Const(0, type=value.type), value, type=value.type, span=node.span)

    def _binary(self, node: n.Binary, env: Env, expected: Type | None) -> ir.Expr:
        op = node.op
        if op in ("and", "or"):
            return self._logic(node, env)
        if op in _COMPARE:
            return self._comparison(node, env)
        if op in ("in", "not in"):
            # Members of a written set take their meaning from what is looked for.
            hint = None
            if isinstance(node.right, n.SetLit) and not self._ambiguous(node.left, env):
                hint = set_of(self.check(node.left, env).type)
            source, member = self.members(node.right, env, hint)
            item = self.check(node.left, env, member.maybe() if member.kind != "int" else member)
            if is_parent(self.program, item.type):
                source = adapted(self.program, source, set_of(item.type))
                member = (
                    source.type.of if source.type.kind == "set" and source.type.of is not None else member
                )
            item = self.require(
                item,
                member.maybe() if member.kind != "int" else member,
                "a member of this set",
                node.left.span,
            )
            inside = ir.In(item, source, type=BOOL, span=node.span)
            return inside if op == "in" else ir.Not(inside, type=BOOL, span=node.span)
        left = self.check(node.left, env, expected)
        right = self.check(node.right, env, expected if expected is not None else left.type)
        if op == "..":
            number = self._numbers(left, right, node)
            return ir.Range(
                left, right, type=Type("set", of=INT if number.name == "?" else number), span=node.span
            )
        if op == "otherwise":
            left, right, joined = unified(self.program, left, right)
            if joined is None:
                self.ctx.error(
                    "T301",
                    f"both sides of 'otherwise' must have the same type, not {left.type} and {right.type}",
                    node.span,
                )
                joined = BAD
            result = joined if right.type.optional else joined.plain()
            return ir.Otherwise(left, right, type=result, span=node.span)
        if left.type.kind == "set" or right.type.kind == "set":
            left, right, joined = unified(self.program, left, right)
            if joined is None or op not in ("+", "-"):
                self.ctx.error(
                    "T301",
                    f"'{op}' does not combine {left.type} and {right.type}",
                    node.span,
                    "sets of the same members: a + b, a - b",
                )
                joined = BAD
            return ir.Op("|" if op == "+" else "&~", left, right, type=joined, span=node.span)
        return self._arithmetic(node, left, right)

    def _numbers(self, left: ir.Expr, right: ir.Expr, node: n.Binary) -> Type:
        if left.type.kind == "bad" or right.type.kind == "bad":
            return BAD
        for value in (left, right):
            if value.type.kind != "int":
                self.ctx.error("T301", f"'{node.op}' needs numbers; this is {value.type}", value.span)
                return BAD
        joined = join(left.type.plain(), right.type.plain())
        if joined is None:
            self.ctx.error(
                "T302",
                f"'{node.op}' does not mix {left.type} and {right.type}",
                node.span,
                "both sides must have the same measure",
            )
            return BAD
        return joined

    def _arithmetic(self, node: n.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        op = node.op
        plain = {"int", "bad"}
        if op in ("*", "/") and left.type.kind in plain and right.type.kind in plain:
            factors = [t for t in (left.type, right.type) if t.kind == "int" and t.name not in ("", "?")]
            if op == "/" and len(factors) == 2 and factors[0].name == factors[1].name:
                type_ = INT
            elif len(factors) == 2 or (
                op == "/" and len(factors) == 1 and factors[0] is right.type and left.type.name == ""
            ):
                self.ctx.error(
                    "T302",
                    f"{left.type} {op} {right.type} has no measure",
                    node.span,
                    "multiply or divide by a plain number",
                )
                type_ = BAD
            else:
                type_ = (
                    factors[0] if factors else (INT if "" in (left.type.name, right.type.name) else LITERAL)
                )
            type_ = type_.plain()
        else:
            type_ = self._numbers(left, right, node)
        if (
            isinstance(left, ir.Const)
            and isinstance(right, ir.Const)
            and (op not in ("/", "mod") or right.value)
        ):
            folded = {
                "+": left.value + right.value,
                "-": left.value - right.value,
                "*": left.value * right.value,
            }
            if op in folded:
                return ir.Const(folded[op], type=type_, span=node.span)
        return ir.Op(op, left, right, type=type_, span=node.span)

    def _logic(self, node: n.Binary, env: Env) -> ir.Expr:
        left = self.condition(node.left, env)
        inner = env
        if node.op == "and":
            inner = env.child()
            inner.sure |= excluded_none(left)
        else:
            inner = env.child()
        learn_kinds(self.program, inner, left, node.op == "and")
        right = self.condition(node.right, inner)
        return ir.Logic(node.op, left, right, type=BOOL, span=node.span)

    def _ambiguous(self, node: n.Expr, env: Env) -> bool:
        """Whether *node* is the bare name of a member of several enums."""
        return (
            isinstance(node, n.Name)
            and env.find(node.name) is None
            and len(self.ctx.members.get(node.name, ())) > 1
        )

    def _comparison(self, node: n.Binary, env: Env) -> ir.Expr:
        # A bare member on the left, or the number of a hex, takes its meaning from the right.
        if self._ambiguous(node.left, env) or (isinstance(node.left, n.Int) and numbered(self.ctx)):
            right = self.check(node.right, env)
            left = self.check(node.left, env, right.type)
        else:
            left = self.check(node.left, env)
            right = self.check(node.right, env, left.type)
        if node.op in ("is", "is not"):
            left, right, joined = unified(self.program, left, right, siblings=False)
            if "none" in (left.type.kind, right.type.kind):
                never_none(self.ctx, left if right.type.kind == "none" else right, node.span, env)
            elif joined is None:
                code = "T302" if left.type.kind == right.type.kind == "int" else "T301"
                self.ctx.error(
                    code,
                    f"{left.type} and {right.type} are never the same",
                    node.span,
                    "compare things of one type",
                )
        else:
            ordered = left.type.kind == "enum" and left.type.name == right.type.name
            if not ordered:
                self._numbers(left, right, node)
        return ir.Compare(_COMPARE[node.op], left, right, type=BOOL, span=node.span)

    def _cond(self, node: n.Cond, env: Env, expected: Type | None) -> ir.Expr:
        test = self.condition(node.test, env)
        inner = env.child()
        inner.sure |= excluded_none(test)
        learn_kinds(self.program, inner, test)
        then = self.check(node.then, inner, expected)
        other = env.child()
        other.sure |= surely_none(test)
        learn_kinds(self.program, other, test, False)
        orelse = self.check(node.orelse, other, expected if expected is not None else then.type)
        then, orelse, joined = unified(self.program, then, orelse)
        if joined is None:
            self.ctx.error(
                "T301", f"both branches must have the same type, not {then.type} and {orelse.type}", node.span
            )
            joined = BAD
        return ir.If(test, then, orelse, type=joined, span=node.span)

    # ------------------------------------------------------------------ sets, quantifiers, lines

    def _setlit(self, node: n.SetLit, env: Env, expected: Type | None) -> ir.Expr:
        wanted = expected.of if expected is not None and expected.kind == "set" else None
        items: list[ir.Expr] = []
        member: Type = Type("none")
        joined: Type | None
        for item in node.items:
            value = self.check(item, env, wanted or (member if member.kind != "none" else None))
            if wanted is not None:
                value = adapted(self.program, value, wanted)
            if not (value.type.finite or value.type.kind in ("int", "bad")):
                self.ctx.error("T301", f"a set cannot have members of type {value.type}", item.span)
            joined = value.type
            if items and member.kind != "none":
                _, value, joined = unified(self.program, replace(items[0], type=member), value)
                items = [adapted(self.program, i, value.type if joined is None else joined) for i in items]
            if joined is None:
                self.ctx.error(
                    "T301",
                    f"the members of a set must have the same type, not {member} and {value.type}",
                    item.span,
                )
                joined = BAD
            member = joined
            items.append(value)
        type_ = Type("set", of=member.plain() if member.kind != "none" else (wanted or member))
        return ir.SetLit(tuple(items), type=type_, span=node.span)

    def _quant(self, node: n.Quant, env: Env, expected: Type | None) -> ir.Expr:
        return quantifiers.quant(self, node, env, expected)

    def _allot(self, node: n.Allot, env: Env, expected: Type | None) -> ir.Expr:
        return quantifiers.allot(self, node, env)

    def _line(self, node: n.Line, env: Env, expected: Type | None) -> ir.Expr:
        return sights.line(self, node, env)


def active(effect: EffectSpec, span: Span) -> ir.Active:
    """Whether an effect is in force, or the set of what it is in force for."""
    member = from_spec(effect.param) if effect.param is not None else INT
    return ir.Active(effect, type=set_of(member) if effect.params else BOOL, span=span)
