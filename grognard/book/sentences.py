"""Expressions in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup, escape

from dsl import nodes as n
from grognard.book.naming import Naming, comma_list
from grognard.book.phrases import DENIED, OPERATORS, PARTS, QUANTIFIERS, SERVICES

#: How tightly operators bind; what binds more loosely than what it stands in gets parentheses.
_STRENGTH: Final = {
    "or": 1,
    "and": 2,
    "..": 4,
    "otherwise": 4,
    "/": 4,  # it ends in words, so a sum or a product has it in parentheses
    "mod": 4,
    "+": 5,
    "-": 5,
    "*": 6,
}
_COMPARISON, _ALONE = 3, 9
#: How tightly the operands of a quotient have to bind.
_QUOTIENT: Final = {"/": 6, "mod": 6}


class Sentences:
    """Words expressions; what a name means is known from the checker (:meth:`Naming.meaning`)."""

    def __init__(self, naming: Naming) -> None:
        self.naming, self.program, self.say = naming, naming.program, naming.say

    def __call__(self, e: n.Expr, around: int = 0) -> Markup:
        """An expression in words; in parentheses where it binds more loosely than *around*."""
        word = getattr(self, "_" + type(e).__name__.lower())
        said: Markup = word(e)
        return Markup("({})").format(said) if self._strength(e) < around else said

    @staticmethod
    def _strength(e: n.Expr) -> int:
        match e:
            case n.Binary():
                return _STRENGTH.get(e.op, _COMPARISON)
            case n.Cond() | n.Quant() | n.Allot() | n.Line():
                return 0
        return _ALONE

    def local(self, name: str) -> Markup:
        """A local where it is mentioned."""
        shown = name.replace("_", " ").strip()
        return Markup("<var>{}</var>").format(shown)

    def new_local(self, var: str, source: n.Expr) -> Markup:
        """A new local and what it is one of: *unit u*, *h of the hexes beside …*."""
        if isinstance(source, n.Name) and self.is_kind(source):
            kind = self.naming.kind(source.name)
            return self.say(PARTS["one_of_kind"], kind=kind, name=self.local(var))
        said = self(source, _COMPARISON)
        return self.say(PARTS["one_of"], name=self.local(var), of=said)

    def is_kind(self, name: n.Name) -> bool:
        """Whether a name stands for all things of a kind: pieces, members, hexes."""
        return self.naming.meaning(name) == name.name and self.naming.is_type(name.name)

    # ------------------------------------------------------------------ what stands alone

    def _int(self, e: n.Int) -> Markup:
        return escape(f"{e.value} {e.measure}" if e.measure else str(e.value))

    def _bool(self, e: n.Bool) -> Markup:
        return self.say(PARTS["true"] if e.value else PARTS["false"])

    def _nonelit(self, e: n.NoneLit) -> Markup:
        return self.say(PARTS["none"])

    def _name(self, e: n.Name) -> Markup:
        return self._name_phrase(e, True)

    def _name_phrase(self, e: n.Name, so: bool) -> Markup:
        naming, name, meaning = self.naming, e.name, self.naming.meaning(e)
        owner, _, member = meaning.partition(".")
        if meaning == name and name in self.program.switches:
            phrase = PARTS["switch_on"] if so else PARTS["switch_off"]
            return self.say(phrase, name=naming.link("switch", name, naming.switch(name)))
        if self.is_kind(e):
            return escape(naming.kind(name))
        if owner == "Game":
            shown = naming.link("field", name, naming.attribute(name))
            if naming.is_truth(e):
                return self.say(PARTS["game_so"] if so else PARTS["game_not_so"], name=shown)
            return shown
        if meaning == f"pile {name}":
            return naming.link("pile", name, naming.text(f"pile.{name}", name.replace("_", " ")))
        return escape(naming.member(owner, member)) if member else self.local(name)

    def _attr(self, e: n.Attr) -> Markup:
        return self._attribute(e, True)

    def _attribute(self, e: n.Attr, so: bool) -> Markup:
        naming, name = self.naming, e.name.text
        if isinstance(e.object, n.Name) and e.object.name in self.program.enums:
            return escape(naming.member(e.object.name, name))
        of = self(e.object, _ALONE)
        if naming.is_truth(e.name):
            said = naming.predicate(name, of, so)
            if said is not None:
                return said
            shown = self._attribute_link(name)
            return self.say(PARTS["is_so"] if so else PARTS["is_not_so"], of=of, name=shown)
        phrase = PARTS["of_local"] if isinstance(e.object, n.Name) else PARTS["of"]
        return self.say(phrase, name=self._attribute_link(name), of=of)

    def _attribute_link(self, name: str) -> Markup:
        kind = "field" if ("field", name) in self.naming.anchors else "column"
        return self.naming.link(kind, name, self.naming.attribute(name))

    def _index(self, e: n.Index) -> Markup:
        if isinstance(e.object, n.Name) and e.object.name in self.program.matrices:
            name = e.object.name
            shown = self.naming.link("matrix", name, self.naming.call(name))
            return self.say(PARTS["call"], name=shown, args=comma_list(map(self, e.args)))
        if isinstance(e.object, n.Name) and self.is_kind(e.object):
            kind = self.naming.kind(e.object.name)
            return self.say(PARTS["pieces_at"], kind=kind, hex=self(e.args[0]))
        if isinstance(e.object, n.Name) and e.object.name in self.program.piles:
            return self.say(PARTS["pile_of"], name=self(e.object), of=comma_list(map(self, e.args)))
        key = comma_list(map(self, e.args))
        return self.say(PARTS["kept_for"], name=self(e.object, _ALONE), key=key)

    # ------------------------------------------------------------------ what is made of others

    def _call(self, e: n.Call) -> Markup:
        name = e.name.text
        if name == "show":  # that something is revealed by it is seen at the table
            return self(e.args[0], _ALONE)
        if name in SERVICES:
            return self._service_phrase(e, SERVICES)
        kind = "procedure" if name in self.program.procedures else "call"
        if name in self.program.travels and name not in self.program.calls:
            kind = "travel"
        return self.application(kind, name, e.args)

    def _service_phrase(self, e: n.Call, phrases: Mapping[str, str]) -> Markup:
        """What the engine works out of arguments."""
        args = dict(zip("abc", (self(a, _STRENGTH["+"]) for a in e.args), strict=False))
        return self.say(phrases[e.name.text], **args)

    def application(self, kind: str, name: str, args: tuple[n.Expr, ...]) -> Markup:
        """Something declared, of its arguments."""
        shown = self.naming.link(kind, name, self.naming.call(name))
        if not args:
            return shown
        return self.say(PARTS["call"], name=shown, args=comma_list(map(self, args)))

    def _unary(self, e: n.Unary) -> Markup:
        if e.op == "-":
            return self.say(PARTS["minus"], a=self(e.operand, _ALONE))
        match e.operand:
            case n.Attr() if self.naming.is_truth(e.operand.name):
                return self._attribute(e.operand, False)
            case n.Call() if e.operand.name.text in DENIED:
                return self._service_phrase(e.operand, DENIED)
            case n.Name() if not self.naming.meaning(e.operand).startswith("local "):
                return self._name_phrase(e.operand, False)
        return self.say(PARTS["not"], a=self(e.operand, _COMPARISON))

    def _binary(self, e: n.Binary) -> Markup:
        special = self._existence_phrase(e)
        if special is not None:
            return special
        strength = _QUOTIENT.get(e.op, self._strength(e))
        left, right = self(e.left, strength), self(e.right, strength + 1)
        return self.say(OPERATORS[e.op], a=left, b=right)

    def _existence_phrase(self, e: n.Binary) -> Markup | None:
        """Whether there is something, where a comparison asks that."""
        left, right, op = e.left, e.right, e.op
        if op in ("is", "is not") and isinstance(right, n.NoneLit):
            if isinstance(left, n.Attr) and left.name.text in self.naming.places:
                phrase = PARTS["off_board"] if op == "is" else PARTS["on_board"]
                return self.say(phrase, of=self(left.object, _ALONE))
            phrase = PARTS["there_is_none"] if op == "is" else PARTS["there_is_one"]
            return self.say(phrase, a=self(left, _COMPARISON))
        if op in ("is", "is not") and isinstance(right, n.SetLit) and not right.items:
            phrase = PARTS["empty"] if op == "is" else PARTS["not_empty"]
            return self.say(phrase, a=self(left, _COMPARISON))
        sized = isinstance(left, n.Call) and left.name.text == "size"
        if sized and isinstance(right, n.Int) and right.value == 0 and op in ("is", ">", "is not"):
            phrase = PARTS["nothing_in"] if op == "is" else PARTS["something_in"]
            return self.say(phrase, a=self(left.args[0], _COMPARISON))  # type: ignore[attr-defined]
        return None

    def _cond(self, e: n.Cond) -> Markup:
        then, orelse = self(e.then, 1), self(e.orelse)
        return self.say(PARTS["cond"], then=then, test=self(e.test, 1), orelse=orelse)

    def _quant(self, e: n.Quant) -> Markup:
        who = self.new_local(e.var.text, e.source)
        parts: dict[str, Any] = {"who": who}
        if e.where is not None:
            parts["such"] = self(e.where)
        if e.value is not None:
            parts["value"] = self(e.value, _COMPARISON)
        return self.say(QUANTIFIERS[e.kind + ("_such" if e.where is not None else "")], **parts)

    def _allot(self, e: n.Allot) -> Markup:
        parts = {
            "who": self.new_local(e.var.text, e.source),
            "own": self.new_local(e.own.text, e.among),
        }
        key = "allot"
        if e.limit is not None:
            key, parts["limit"] = "allot_up_to", self(e.limit)
        if e.where is not None:
            key, parts["such"] = f"{key}_such", self(e.where)
        return self.say(PARTS[key], **parts)

    def _line(self, e: n.Line) -> Markup:
        ends = {"a": self(e.start), "b": self(e.end)}
        clear, across = {}, {}
        if e.var is not None and e.obstacle is not None:
            clear = {"var": self.local(e.var.text), "such": self(e.obstacle)}
        if e.leaves is not None and e.enters is not None and e.barrier is not None:
            across = {"leaves": self.local(e.leaves.text), "enters": self.local(e.enters.text)}
            across["barred"] = self(e.barrier)
        key = "line_both" if clear and across else "line_clear" if clear else "line_across"
        return self.say(PARTS[key if clear or across else "line"], **ends, **clear, **across)

    def _reach(self, e: n.Reach) -> Markup:
        travel = self.application("travel", e.call.name.text, e.call.args)
        if e.via is not None:
            return self.say(PARTS["reach_via"], travel=travel, via=self(e.via))
        return self.say(PARTS["reach"], travel=travel)

    def _steps(self, e: n.Steps | n.Way) -> Markup:
        travel = self.application("travel", e.call.name.text, e.call.args)
        phrase = PARTS["steps"] if isinstance(e, n.Steps) else PARTS["way"]
        return self.say(phrase, travel=travel, target=self(e.target))

    _way = _steps

    def _active(self, e: n.Active) -> Markup:
        name = e.effect.text
        shown = self.naming.link("effect", name, self.naming.text(f"effect.{name}", label_of(name)))
        if not e.args:
            return self.say(PARTS["active"], effect=shown)
        return self.say(PARTS["active_for"], effect=shown, args=comma_list(map(self, e.args)))

    def _setlit(self, e: n.SetLit) -> Markup:
        if not e.items:
            return self.say(PARTS["no_members"])
        return comma_list(map(self, e.items))


def label_of(name: str) -> str:
    """A name of the sources in words."""
    return name.replace("_", " ")


def parts_of(e: n.Expr, op: str) -> list[n.Expr]:
    """The operands of a row of ``and`` or ``or``."""
    if isinstance(e, n.Binary) and e.op == op:
        return [*parts_of(e.left, op), *parts_of(e.right, op)]
    return [e]
