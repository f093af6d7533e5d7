"""The declarations of a ruleset and of those it extends, and the verbs that change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Label, MissingTarget, did_you_mean
from runtime.words.said import said

_NAMED: tuple[type[n.Decl], ...] = (
    *(n.EnumDecl, n.Table, n.Matrix, n.Die, n.Deck, n.Board, n.Piece, n.Fields),
    *(n.Function, n.Quantity, n.Permission, n.Travel, n.Effect, n.RuleDecl),
    *(n.Procedure, n.Event, n.Reaction, n.Check, n.Requirement, n.Forecast),
    *(n.Switch, n.Weight, n.Scope, n.Sides),
)
#: What each kind of declaration that verbs can name is called.
KIND_OF = {kind: kind.__name__.lower().removesuffix("decl") for kind in _NAMED}

Called: TypeAlias = n.Function | n.Quantity | n.Permission | n.Procedure | n.Travel | n.Event
_Key: TypeAlias = tuple[str, str]

#: Parts that may be dropped: the kinds of declarations that have them, where, and an example.
_PARTS = {
    "field": (("piece", "fields"), "fields", "Unit"),
    "column": (("table",), "columns", "units"),
    "member": (("enum",), "members", "Card"),
    "stage": (("quantity",), "stages", "dice"),
}
#: Names that may be dropped from whatever declaration lists them.
_LISTED: dict[str, tuple[type[n.Decl], str]] = {
    "pile": (n.Deck, "piles"),
    "measure": (n.Measures, "names"),
}
#: What may be said of which (``drop rule dice.tired``).
_NAMED_WITHIN = ("rule", "case")
#: How many names a finding lists.
_MOST = 12


def key_of(decl: n.Decl) -> tuple[str, str] | None:
    """What identifies a declaration for verbs and duplicates: its kind and name."""
    if isinstance(decl, n.Case):
        return "case", f"{decl.signature.name}/{decl.name}"
    if isinstance(decl, n.RuleDecl):
        what = "suspend" if decl.kind == "suspend" else "rule"
        return "rule", f"{what}/{decl.signature.name}/{decl.name}"
    if isinstance(decl, n.Sides):
        return "sides", ""
    kind = KIND_OF.get(type(decl))
    name = getattr(decl, "name", None)
    if kind is None or name is None:
        return None
    return kind, name.text


class Family:
    """One list of declarations, to which a ruleset adds its own, and which its verbs change."""

    def __init__(self, report: Callable[[Diagnostic], None]) -> None:
        self.report = report
        self.decls: list[n.Decl] = []
        #: what verbs have put in the place of something with other parameters, by name, with that
        self.reshaped: dict[str, tuple[Called, Called]] = {}
        #: meanwhile, with None for what is gone, and where each kind and name is declared first
        self._all: list[n.Decl | None] = []
        self._places: dict[_Key, int] = {}

    def merge(self, decls: Iterable[n.Decl]) -> None:
        """Add the declarations of a ruleset: what is declared first, then what changes others."""
        self._all, self._places = [*self.decls], {}
        inherited = len(self._all)
        for i, decl in enumerate(self.decls):
            key = key_of(decl)
            if key is not None:
                self._places.setdefault(key, i)
        replaced: dict[_Key, n.Replace] = {}
        verbs: list[n.Decl] = []
        for decl in decls:
            if isinstance(decl, n.Extend | n.Replace | n.Drop | n.Insert):
                verbs.append(decl)
            else:
                self._add(decl, inherited)
        for verb in verbs:
            match verb:
                case n.Extend():
                    self._extend(verb)
                case n.Replace():
                    self._replace(verb, replaced)
                case n.Drop():
                    self._drop(verb)
                case n.Insert():
                    self._insert(verb)
        self.decls = [decl for decl in self._all if decl is not None]

    # ------------------------------------------------------------------ adding and changing

    def _add(self, decl: n.Decl, inherited: int) -> None:
        """Add what is new; the first *inherited* declarations are those of the bases."""
        key = key_of(decl)
        if key is not None and key in self._places and key[0] != "fields":
            other = self._at(self._places[key])
            name = getattr(decl, "name", None)
            remedy = "give one of the two another name, or remove it"
            if self._places[key] < inherited:
                put = "write 'replace' before it to put it in the base's place"
                remedy = said("give it another name, or {put}", put=put)
            self._report_twice(key, "declared", other, name if name is not None else decl, remedy)
            return
        if key is not None:
            self._places[key] = len(self._all)
        self._all.append(decl)

    def _extend(self, verb: n.Extend) -> None:
        if verb.kind == "rows":
            self._replace_rows(verb)
            return
        key = verb.kind, verb.name.text
        if key not in self._places:
            if verb.kind == "fields":
                self._places[key] = len(self._all)
                self._all.append(n.Fields(verb.name, verb.fields, span=verb.span))
            else:
                self._nothing_to_change(verb.kind, verb.name)
            return
        place = self._places[key]
        decl = self._at(place)
        for part in ("members", "rows", "fields"):
            more = getattr(verb, part)
            if more and hasattr(decl, part):
                decl = _with_part(decl, part, getattr(decl, part) + more)
        if isinstance(decl, n.EnumDecl):
            decl = replace(decl, rules=decl.rules + verb.rules)
        self._all[place] = decl

    def _replace(self, verb: n.Replace, replaced: dict[_Key, n.Replace]) -> None:
        """Put a declaration in the place of another, which is *replaced* from now on."""
        decl, key = verb.decl, key_of(verb.decl)
        name = getattr(decl, "name", None)
        named = name if isinstance(name, n.Ident) else n.Ident("?", span=verb.span)
        if key is None or key not in self._places:
            self._nothing_to_change(key[0] if key else "declaration", named)
            return
        if key in replaced:
            self._report_twice(key, "replaced", replaced[key], named, "remove one of the two")
            return
        replaced[key] = verb
        if verb.rules or verb.provenance:
            marks = ("rules", "provenance", "reason")
            own = {mark: getattr(verb, mark) or getattr(decl, mark) for mark in marks}
            decl = replace(decl, **own)
        before = self._at(self._places[key])
        if isinstance(decl, Called) and isinstance(before, Called):
            if [p.type for p in decl.params] != [p.type for p in before.params]:
                self.reshaped[decl.name.text] = (decl, before)
        if isinstance(decl, n.Fields):
            for place in self._fields_of(decl.name):
                self._all[place] = None
        self._all[self._places[key]] = decl

    def _replace_rows(self, verb: n.Extend) -> None:
        """Put rows of a table in the place of those for the same members."""
        place = self._places.get(("table", verb.name.text))
        if place is None:
            self._nothing_to_change("table", verb.name)
            return
        decl = self._at(place)
        assert isinstance(decl, n.Table)
        names = [row.cells[0].text if row.cells else "" for row in decl.rows]
        for row in verb.rows:
            if row.cells and row.cells[0].text not in names:
                member = n.Ident(row.cells[0].text, span=row.cells[0].span)
                message = said(
                    "table '{name}' has no row '{member}' to replace", name=verb.name, member=member
                )
                remedy = said("write new rows behind 'extend table {name}'", name=verb.name)
                self._wrong(message, member, did_you_mean(member.text, names) or remedy)
        rows: list[n.Row] = []
        for row, name in zip(decl.rows, names, strict=True):
            rows += [own for own in verb.rows if own.cells and own.cells[0].text == name] or [row]
        self._all[place] = replace(decl, rows=tuple(rows))

    def _insert(self, verb: n.Insert) -> None:
        place = self._places.get(("procedure", verb.procedure.text))
        if place is None:
            self._nothing_to_change("procedure", verb.procedure)
            return
        target = self._at(place)
        assert isinstance(target, n.Procedure)
        steps: list[str] = []
        done = False

        def walk(body: tuple[n.Stmt, ...]) -> tuple[n.Stmt, ...]:
            nonlocal done
            result: list[n.Stmt] = []
            for stmt in body:
                if not isinstance(stmt, n.Step):
                    result.append(_with_blocks(stmt, walk))
                    continue
                steps.append(stmt.name.text)
                around: list[n.Stmt] = [replace(stmt, body=walk(stmt.body))]
                if stmt.name.text == verb.step.text and not done:
                    done = True
                    new = n.Step(n.Ident("inserted"), verb.body, span=verb.span)
                    around.insert(0 if verb.place == "ahead" else 1, new)
                result += around
            return tuple(result)

        body = walk(target.body)
        if not done:
            message = said(
                "procedure '{procedure}' has no step '{step}'",
                procedure=verb.procedure,
                step=verb.step,
            )
            listed = (
                said("its steps are {steps}", steps=", ".join(steps))
                if steps
                else "it has no steps"
            )
            remedy = did_you_mean(verb.step.text, steps) or listed
            labels, span = (Label(target.name.span, "the procedure"),), verb.step.span
            self.report(Diagnostic("R106", message, span, labels=labels, remedy=remedy))
            return
        cited = (*target.rules, *(rule for rule in verb.rules if rule not in target.rules))
        self._all[place] = replace(target, body=body, rules=cited)

    # ------------------------------------------------------------------ dropping

    def _drop(self, verb: n.Drop) -> None:
        """Take away a declaration, or a part of one."""
        if verb.kind in _PARTS:
            self._drop_part(verb)
        elif verb.of is not None and verb.kind not in _NAMED_WITHIN:
            remedy = said("write: drop {kind} {name}", kind=verb.kind, name=verb.name)
            self._wrong(
                said("a {kind} is not part of '{of}'", kind=verb.kind, of=verb.of), verb.of, remedy
            )
        elif verb.kind in _LISTED:
            self._drop_listed(verb)
        else:
            self._drop_whole(verb)

    def _drop_whole(self, verb: n.Drop) -> None:
        kind = "requirement" if verb.kind == "require" else verb.kind
        hits = [key for key in self._places if key[0] == kind and _is_named(key[1], verb)]
        places = [self._places.pop(hit) for hit in hits]
        if kind == "fields":
            places += self._fields_of(verb.name)
        for place in places:
            self._all[place] = None
        known = [_plain(key) for key in self._places if key[0] == kind]
        if kind == "rule":
            for place, decl in enumerate(self._all):
                if isinstance(decl, n.Effect):
                    known += [rule.name.text for rule in decl.body]
                    keyed = [(f"{rule.signature.name}/{rule.name}", rule) for rule in decl.body]
                    left = tuple(rule for key, rule in keyed if not _is_named(key, verb))
                    if len(left) < len(decl.body):
                        self._all[place] = replace(decl, body=left)
                        places.append(place)
        if not places:
            self._nothing_to_drop(verb, known)

    def _drop_listed(self, verb: n.Drop) -> None:
        """Take a name out of the first declaration that lists it."""
        type_, part = _LISTED[verb.kind]
        known: list[str] = []
        for place, decl in enumerate(self._all):
            if isinstance(decl, type_):
                names = _names(decl, part)
                known += names
                if verb.name.text in names:
                    self._take_out(place, part, verb.name.text)
                    return
        self._nothing_to_drop(verb, known)

    def _drop_part(self, verb: n.Drop) -> None:
        kinds, part, example = _PARTS[verb.kind]
        if verb.of is None:
            message = said(
                "it is not clear whose {kind} '{name}' is", kind=verb.kind, name=verb.name
            )
            self._wrong(
                message,
                verb.name,
                said(
                    "write: drop {kind} {example}.{name}",
                    kind=verb.kind,
                    example=example,
                    name=verb.name,
                ),
            )
            return
        keys = [(kind, verb.of.text) for kind in kinds]
        place = next((self._places[key] for key in keys if key in self._places), None)
        if place is None:
            what = "owner of fields" if verb.kind == "field" else kinds[0]
            known = [key[1] for key in self._places if key[0] in kinds]
            self._missing(
                said("there is no {what} '{of}' here", what=what, of=verb.of), verb.of, known
            )
            return
        places = [place]
        if part == "fields":
            places += [other for other in self._fields_of(verb.of) if other != place]
        decl = self._at(place)
        names = [_names(self._at(one), part) for one in places]
        if not any(verb.name.text in some for some in names):
            self._nothing_to_drop(verb, [name for some in names for name in some])
            return
        for one in places:
            self._take_out(one, part, verb.name.text)
        if isinstance(decl, n.EnumDecl):
            self._drop_with_member(verb.of.text, verb.name.text)
        elif isinstance(decl, n.Table):
            self._take_out_cells(place, names[0].index(verb.name.text) + 1)

    def _drop_with_member(self, enum: str, member: str) -> None:
        """What stands for one member goes with it: rows, columns, faces of dice and cases."""
        procedures = [d for d in self._all if isinstance(d, n.Procedure) and d.params]
        cased = {d.name.text for d in procedures if d.params[0].type.name == enum}

        def others(rows: tuple[n.Row, ...]) -> tuple[n.Row, ...]:
            return tuple(r for r in rows if not (r.cells and r.cells[0].text == member))

        for place, decl in enumerate(self._all):
            match decl:
                case n.Table() if decl.enum.text == enum:
                    self._all[place] = replace(decl, rows=others(decl.rows))
                case n.Matrix():
                    if decl.row.text == enum:
                        rows = (*decl.rows[:1], *others(decl.rows[1:]))
                        self._all[place] = replace(decl, rows=rows)
                    heads = [cell.text for cell in decl.rows[0].cells] if decl.rows else []
                    if decl.column.text == enum and member in heads[1:]:
                        self._take_out_cells(place, heads.index(member, 1))
                case n.Die() if decl.enum is not None and decl.enum.text == enum:
                    weights = tuple(w for w in decl.weights if w[0] != member)
                    self._all[place] = replace(decl, weights=weights)
                case n.Case() if decl.name.text == member and decl.signature.name.text in cased:
                    self._places.pop(("case", f"{decl.signature.name.text}/{member}"), None)
                    self._all[place] = None

    def _take_out(self, place: int, part: str, name: str) -> None:
        """Take what is called *name* out of a part of a declaration."""
        decl = self._at(place)
        items = zip(getattr(decl, part), _names(decl, part), strict=True)
        left = tuple(item for item, own in items if own != name)
        self._all[place] = _with_part(decl, part, left)

    def _take_out_cells(self, place: int, at: int) -> None:
        """Take the cell *at* out of each row."""
        decl: Any = self._at(place)
        rows = (replace(row, cells=row.cells[:at] + row.cells[at + 1 :]) for row in decl.rows)
        self._all[place] = replace(decl, rows=tuple(rows))

    # ------------------------------------------------------------------ helpers

    def _at(self, place: int) -> n.Decl:
        decl = self._all[place]
        assert decl is not None  # what is gone has no place among the names
        return decl

    def _fields_of(self, owner: n.Ident) -> list[int]:
        """Where fields of an owner are declared, which may be in several places."""
        fields = [(i, decl) for i, decl in enumerate(self._all) if isinstance(decl, n.Fields)]
        return [place for place, decl in fields if decl.name.text == owner.text]

    def _report_twice(
        self, key: _Key, done: str, first: n.Node, again: n.Node, remedy: str
    ) -> None:
        shown = f"{key[0]} '{_plain(key)}'" if key[1] else f"'{key[0]}'"
        labels = (Label(first.span, said("{done} here first", done=done)),)
        message = said("{shown} is {done} twice", shown=shown, done=done)
        self.report(Diagnostic("R104", message, again.span, labels=labels, remedy=remedy))

    def _wrong(self, message: str, name: n.Ident, remedy: str, kind: str = "") -> None:
        about = (MissingTarget(kind, name.text),) if kind else ()
        self.report(Diagnostic("R105", message, name.span, remedy=remedy, about=about))

    def _nothing_to_change(self, kind: str, name: n.Ident) -> None:
        known = [_plain(key) for key in self._places if key[0] == kind]
        remedy = "check the name against the base ruleset, or declare it there"
        message = said("there is no {kind} '{name}' here to change", kind=kind, name=name)
        self._wrong(message, name, did_you_mean(name.text, known) or remedy, kind)

    def _nothing_to_drop(self, verb: n.Drop, known: list[str]) -> None:
        shown = f"{verb.of}.{verb.name}" if verb.of is not None else str(verb.name)
        self._missing(
            said("there is no {kind} '{shown}' here to drop", kind=verb.kind, shown=shown),
            verb.name,
            known,
        )

    def _missing(self, message: str, name: n.Ident, known: list[str]) -> None:
        names = list(dict.fromkeys(known))
        listed = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
        remedy = (
            said("what may be dropped: {listed}", listed=listed)
            if names
            else "there is none of this kind"
        )
        self._wrong(message, name, did_you_mean(name.text, names) or remedy)


def _plain(key: _Key) -> str:
    """The name alone in a key (``name``, ``owner/name`` or ``rule/owner/name``)."""
    return key[1].rsplit("/", 1)[-1]


def _is_named(key: str, verb: n.Drop) -> bool:
    """Whether the second part of a key is what the verb names."""
    *owners, name = key.split("/")
    of = verb.of is None or owners[-1:] == [verb.of.text]
    return name == verb.name.text and of


def _names(decl: n.Decl, part: str) -> list[str]:
    return [str(getattr(item, "name", item)) for item in getattr(decl, part)]


def _with_part(decl: Any, part: str, value: object) -> Any:
    return replace(decl, **{part: value})


def _with_blocks(
    stmt: n.Stmt, change: Callable[[tuple[n.Stmt, ...]], tuple[n.Stmt, ...]]
) -> n.Stmt:
    """*stmt* with the blocks in it changed."""
    if isinstance(stmt, n.Offer):
        return replace(stmt, branches=tuple(replace(b, body=change(b.body)) for b in stmt.branches))
    blocks = {name: getattr(stmt, name, None) for name in ("then", "orelse", "body")}
    changes: dict[str, Any] = {name: change(block) for name, block in blocks.items() if block}
    return replace(stmt, **changes) if changes else stmt
