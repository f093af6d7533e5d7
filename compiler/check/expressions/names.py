"""Literals, and names that stand by themselves."""

from __future__ import annotations

from compiler import ir
from compiler.check.context import Context, Env
from compiler.check.expressions.base import ExpressionChecker, error_expression
from compiler.check.expressions.services import SERVICES
from compiler.check.parents import known_kind, of_kind
from compiler.types import BAD, BOOL, HEX, INT, LITERAL, NONE_TYPE, Type, set_of
from dsl import nodes as n
from dsl.diagnostics import Unknown
from dsl.language import keywords, value_words
from dsl.source import Span
from runtime.errors import words_of
from runtime.model import NONE
from runtime.words.said import AND_OF, join_with_word, said

#: The directions of all boards, and others that are not there.
_DIRECTIONS = {f"{ns}{ew}" for ns in ("", "north", "south") for ew in ("", "east", "west")} - {""}
_DIRECTIONS |= {"NE", "SE", "SW", "NW"}
#: How that is written which is declared as something, by where it is entered.
_WRITTEN = {
    "travels": "'{name}' is a travel: write 'reach {name}(…)'",
    "effects": "'{name}' is an effect: write 'effect {name}'",
    "procedures": "'{name}' is a procedure: write 'do {name}(…)' as a step",
    "dice": "'{name}' is a die: write 'roll n {name} as r' as a step",
    "matrices": "'{name}' is a matrix: write {name}[row, column]",
    "kinds": "write {name}[…]",
    "parents": "write {name}[…]",
    "piles": "write {name}[…]",
}
_WHOSE = "there is none: say whose it is by the name of a parameter, as in 'u.side'"
#: What stands for things elsewhere that have no name here.
_ELSEWHERE = {
    "self": _WHOSE,
    "this": _WHOSE,
    "game": "fields of the game stand by their names alone",
}


def has_hex_numbers(ctx: Context) -> bool:
    """Whether the hexes of the board have numbers for labels."""
    return ctx.program.board is not None and ctx.program.board.labeling == "numbers"


def hex_called(ctx: Context, node: n.Int) -> ir.Expr:
    """The hex with the number that is written down; a number that no hex has is reported."""
    assert ctx.program.board is not None
    label = f"{node.value:04}"
    try:
        index = ctx.program.board.index(label)
    except ValueError as error:
        remedy = "write the number of a hex as it stands on the board"
        ctx.error("R201", words_of(error), node.span, remedy)
        return error_expression(node)
    if node.span.end - node.span.start < len(label):
        message = said(
            "the number of a hex has {count} digits, not '{value}'",
            count=len(label),
            value=node.value,
        )
        ctx.error("R201", message, node.span, said("write {label}", label=label))
    ctx.labelled.append((label, node.span))
    return ir.Label(index, label, type=HEX, span=node.span)


class Names(ExpressionChecker):
    """Checks literals and names."""

    def _int(self, node: n.Int, env: Env, expected: Type | None) -> ir.Expr:
        if node.measure is None:
            if expected is not None and expected.kind == "hex" and has_hex_numbers(self.ctx):
                return hex_called(self.ctx, node)
            return ir.Const(node.value, type=LITERAL, span=node.span)
        type_, measures = Type("int", node.measure, origin=node.span), self.program.measures
        if node.measure not in measures:
            self.ctx.report_unknown(
                "R203", "measure", n.Ident(node.measure, span=node.span), measures
            )
            type_ = BAD
        self.ctx.use(node.measure, node.span)
        return ir.Const(node.value, type=type_, span=node.span)

    def _bool(self, node: n.Bool, env: Env, expected: Type | None) -> ir.Expr:
        return ir.Const(int(node.value), type=BOOL, span=node.span)

    def _nonelit(self, node: n.NoneLit, env: Env, expected: Type | None) -> ir.Expr:
        return ir.Const(NONE, type=NONE_TYPE, span=node.span)

    def _name(self, node: n.Name, env: Env, expected: Type | None) -> ir.Expr:
        """What a name means: the nearest thing that is called so."""
        value = self._local(node, env)
        if value is None and node.name not in self.ctx.poisoned:
            value = (
                self._of_the_game(node)
                or (self._is_member(node, expected) and self._member(node, expected))
                or self._setting(node)
                or self._member(node, expected)
                or self._several(node)
                or self._labelled_hex(node, expected)
            )
            if value is None:
                self._unknown_name(node, env, expected)
        return value or error_expression(node)

    def _local(self, node: n.Name, env: Env) -> ir.Expr | None:
        local = env.find(node.name)
        if local is None:
            return None
        unique, type_ = local
        self.ctx.use(f"local {unique}", node.span)
        if type_.optional and unique in env.sure:
            type_ = type_.plain()
        kind = known_kind(env, node.name, unique)
        value = ir.Local(unique, type=type_, span=node.span)
        return value if kind is None else of_kind(value, kind, type_.optional)

    def _of_the_game(self, node: n.Name) -> ir.Expr | None:
        """A field of the game."""
        name = node.name
        game = self.program.fields.get(("Game", name))
        if game is not None:
            self.ctx.use(f"Game.{name}", node.span)
            return ir.Get(game, None, type=self.ctx.field_type(game), span=node.span)
        if ("Game", name) in self.program.keyed:
            return self._report_missing_member("Game", node, node.span)
        return None

    def _is_member(self, node: n.Name, expected: Type | None) -> bool:
        """Whether a name is that of a member of the enum that is expected."""
        wanted = expected.of if expected is not None and expected.kind == "set" else expected
        named = wanted is not None and wanted.kind == "enum" and wanted.name
        return bool(named) and named in self.ctx.members.get(node.name, ())

    def _setting(self, node: n.Name) -> ir.Expr | None:
        """A switch or a weight."""
        name = node.name
        if name in self.program.switches:
            self.ctx.use(name, node.span)
            return ir.SwitchOn(name, type=BOOL, span=node.span)
        if name in self.program.weights:
            self.ctx.use(name, node.span)
            place = self.program.weights[name].place
            return ir.Weight(name, place, type=INT, span=node.span)
        return None

    def _several(self, node: n.Name) -> ir.Expr | None:
        """A pile, or all pieces of a kind, members of an enum, hexes of the board."""
        program, name = self.program, node.name
        if name in program.piles:
            pile = program.piles[name]
            if pile.per is not None:
                message = said("there is a pile '{name}' for each {per}", name=name, per=pile.per)
                self.ctx.error("T301", message, node.span, said("say whose: {name}[…]", name=name))
            self.ctx.use(f"pile {name}", node.span)
            return ir.Pile(pile, None, type=Type("pile", pile.enum), span=node.span)
        if name in program.kinds or name in program.parents:
            self.ctx.use(name, node.span)
            return ir.Members(type=set_of(Type("piece", name)), span=node.span)
        if name in program.enums:
            self.ctx.use(name, node.span)
            return ir.Members(type=set_of(Type("enum", name)), span=node.span)
        if name == "Hex":
            self.ctx.use(name, node.span)
            return ir.Members(type=set_of(HEX), span=node.span)
        return None

    def _labelled_hex(self, node: n.Name, expected: Type | None) -> ir.Expr | None:
        """The hex with this label, where one is expected."""
        board = self.program.board
        if expected is None or expected.kind != "hex" or board is None:
            return None
        try:
            at = board.index(node.name)
        except ValueError:
            return None
        self.ctx.labelled.append((node.name, node.span))
        return ir.Label(at, node.name, type=HEX, span=node.span)

    def _unknown_name(self, node: n.Name, env: Env, expected: Type | None) -> None:
        program, name = self.program, node.name
        unsure = expected is not None and expected.wrong
        hint = self.hint(name)
        if expected is not None and expected.kind == "pile":
            self.ctx.report_unknown("R201", "pile", node, program.piles, hint)
            return
        if program.board is not None and name in _DIRECTIONS:
            listed = ", ".join(program.board.directions)
            hint = said("the members of Direction are {words} on this board", words=listed)
            self.ctx.report_unknown("R201", "name", node, (), hint, unsure, expected)
            return
        known = [
            *env.all_names(),
            *(f for o, f in program.fields if o == "Game"),
            *program.switches,
            *(name for name in program.weights if "." not in name),
            *self.ctx.members,
            *program.piles,
            *program.kinds,
            *program.parents,
            *program.enums,
        ]
        if expected is not None and expected.kind != "bad" and name in ("on", "off", "yes", "no"):
            words = ("true", "false") if expected.kind == "bool" else ("none",)
            self.ctx.report_unknown("R201", "name", node, words, "", unsure, expected)
            return
        if name in keywords():
            message = said(
                "a value is expected here, and '{name}' is a word of the language", name=name
            )
            step = said(
                "if '{name}' begins a step of its own, the step before it lacks its value",
                name=name,
            )
            remedy = said("{step}; otherwise choose another name", step=step)
            self.ctx.report_unmatched(
                "R201", message, name, node.span, known, remedy, unsure=unsure
            )
            return
        known = [] if hint else [*known, *value_words()]
        self.ctx.report_unknown("R201", "name", node, known, hint, unsure, expected)

    def hint(self, name: str) -> str:
        """How that is written which is called so and stands in a way that it cannot."""
        program = self.program
        for declared, how in _WRITTEN.items():
            if name in getattr(program, declared):
                return said(how, name=name)
        if name in program.calls:
            kind = program.calls[name].kind
            return said("'{name}' is a {kind}: write {name}(…)", name=name, kind=kind)
        if name in program.decks:
            piles = ", ".join(pile.name for pile in program.decks[name].piles)
            return said(
                "'{name}' is a deck: name one of its piles, {piles}", name=name, piles=piles
            )
        if read := next((c.name for c in program.columns.values() if c.table == name), None):
            return said(
                "'{name}' is a table: its columns are read as x.{column}", name=name, column=read
            )
        having = (*program.fields, *program.keyed, *program.columns)
        if owner := next((owner for owner, field in having if field == name), None):
            return said("'{name}' is a field of {owners}: write x.{name}", name=name, owners=owner)
        if name in SERVICES:
            return said("nothing is called so by itself; there is a function {name}(…)", name=name)
        return _ELSEWHERE.get(name.casefold(), "")

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
            unsure = expected is not None and expected.wrong
            having = said(
                "'{name}' is a member of {enums}",
                name=node.name,
                enums=join_with_word(AND_OF, enums),
            )
            message = said("{having}; it is not clear which is meant", having=having)
            remedy = "compare it with something that has a type, or rename one of the two"
            about = (Unknown(node.name, unsure=True),) if unsure else ()
            self.ctx.error("R204", message, node.span, remedy, about=about)
            return error_expression(node)
        self.ctx.use(f"{enum}.{node.name}", node.span)
        value = self.program.enums[enum].index(node.name)
        return ir.Const(value, type=Type("enum", enum), span=node.span)

    def _report_missing_member(self, owner: str, name: n.Ident | n.Name, span: Span) -> ir.Expr:
        """Report a field kept per member that is named without one."""
        text = name.text if isinstance(name, n.Ident) else name.name
        kind = self.program.parents.get(owner, (owner,))[0]
        family = self.program.keyed[(kind, text)]
        per = family[0].per if family else "member"
        self.ctx.error(
            "T301",
            said("there is a '{text}' for each {per}", text=text, per=per),
            span,
            said("say which: {text}[…]", text=text),
        )
        return ir.Const(0, type=BAD, span=span)
