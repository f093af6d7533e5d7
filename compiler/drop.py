"""The verb ``drop``: declarations, and parts of declarations, that a ruleset takes away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, did_you_mean

#: Where each declaration stands in the list, by its kind and name.
Places: TypeAlias = dict[tuple[str, str], int]
Report: TypeAlias = Callable[[Diagnostic], None]

#: Parts, with what they are parts of.
_PARTS = {"field": ("piece", "fields"), "column": ("table",), "member": ("enum",), "stage": ("quantity",)}
#: What may be said of which (``drop rule dice.tired``).
_NAMED_WITHIN = ("rule", "case")
_LISTED = 12


def drop(verb: n.Drop, decls: list[n.Decl], places: Places, gone: n.Decl, report: Report) -> None:
    """Put *gone* in the place of what *verb* drops, or change the declaration that it is a part of."""
    _Drop(verb, decls, places, gone, report).run()


def _changed(decl: Any, **parts: Any) -> Any:
    return replace(decl, **parts)


class _Drop:
    def __init__(
        self, verb: n.Drop, decls: list[n.Decl], places: Places, gone: n.Decl, report: Report
    ) -> None:
        self.verb = verb
        self.decls = decls
        self.places = places
        self.gone = gone
        self.report = report

    def run(self) -> None:
        verb = self.verb
        if verb.kind in _PARTS:
            self._part()
        elif verb.of is not None and verb.kind not in _NAMED_WITHIN:
            self._wrong(
                f"a {verb.kind} is not part of '{verb.of}'", verb.of, f"write: drop {verb.kind} {verb.name}"
            )
        elif verb.kind == "pile":
            self._listed(n.Deck, "piles", "pile")
        elif verb.kind == "measure":
            self._listed(n.Measures, "names", "measure")
        else:
            self._declaration()

    # ------------------------------------------------------------------ whole declarations

    def _declaration(self) -> None:
        verb = self.verb
        kind = "requirement" if verb.kind == "require" else verb.kind
        hits = [key for key in self.places if key[0] == kind and self._names(key[1])]
        found = bool(hits)
        for hit in hits:
            self.decls[self.places.pop(hit)] = self.gone
        if kind == "fields":  # those of one owner may be declared in several places
            for place, decl in enumerate(self.decls):
                if isinstance(decl, n.Fields) and str(decl.name) == str(verb.name):
                    self.decls[place] = self.gone
        if verb.kind == "rule":
            found = self._rules_of_effects() or found
        if not found:
            known = [key[1].rsplit("/", 1)[-1] for key in self.places if key[0] == kind]
            if verb.kind == "rule":
                known += [rule.name.text for d in self.decls if isinstance(d, n.Effect) for rule in d.body]
            self._missing(f"there is no {verb.kind} '{self._shown()}' here to drop", verb.name, known)

    def _names(self, key: str) -> bool:
        """Whether a key (``name``, ``owner/name`` or ``rule/owner/name``) is what the verb names."""
        parts = key.split("/")
        if parts[-1] != self.verb.name.text:
            return False
        return self.verb.of is None or (len(parts) > 1 and parts[-2] == self.verb.of.text)

    def _rules_of_effects(self) -> bool:
        verb, found = self.verb, False
        for place, decl in enumerate(self.decls):
            if isinstance(decl, n.Effect):
                left = tuple(
                    rule
                    for rule in decl.body
                    if rule.name.text != verb.name.text
                    or (verb.of is not None and rule.signature.name.text != verb.of.text)
                )
                if len(left) < len(decl.body):
                    self.decls[place] = replace(decl, body=left)
                    found = True
        return found

    def _listed(self, type_: type[n.Deck] | type[n.Measures], field: str, what: str) -> None:
        """Take a name out of the declarations that hold such names."""
        known: list[str] = []
        for place, decl in enumerate(self.decls):
            if not isinstance(decl, type_):
                continue
            items = getattr(decl, field)
            names = [str(item.name) if isinstance(item, n.Pile) else str(item) for item in items]
            known += names
            if self.verb.name.text in names:
                left = tuple(
                    item for item, name in zip(items, names, strict=True) if name != self.verb.name.text
                )
                self.decls[place] = _changed(decl, **{field: left})
                return
        self._missing(f"there is no {what} '{self.verb.name}' here to drop", self.verb.name, known)

    # ------------------------------------------------------------------ parts

    def _part(self) -> None:
        verb = self.verb
        owners = _PARTS[verb.kind]
        if verb.of is None:
            example = {"field": "Unit", "column": "units", "member": "Card", "stage": "dice"}[verb.kind]
            self._wrong(
                f"it is not clear whose {verb.kind} '{verb.name}' is",
                verb.name,
                f"write: drop {verb.kind} {example}.{verb.name}",
            )
            return
        place = next(
            (self.places[kind, verb.of.text] for kind in owners if (kind, verb.of.text) in self.places), None
        )
        if place is None:
            known = [key[1] for key in self.places if key[0] in owners]
            what = "owner of fields" if verb.kind == "field" else owners[0]
            self._missing(f"there is no {what} '{verb.of}' here", verb.of, known)
            return
        decl = self.decls[place]
        if isinstance(decl, n.Piece | n.Fields):
            self._from(place, "fields", [str(f.name) for f in decl.fields])
            self._later_fields(place)
        elif isinstance(decl, n.Quantity):
            self._from(place, "stages", [str(s) for s in decl.stages])
        elif isinstance(decl, n.EnumDecl):
            if self._from(place, "members", [str(m) for m in decl.members]):
                self._with_the_member(decl.name.text, verb.name.text)
        elif isinstance(decl, n.Table):
            names = [str(c.name) for c in decl.columns]
            if self._from(place, "columns", names):
                at = names.index(verb.name.text) + 1
                self._cells(place, decl, at)

    def _from(self, place: int, field: str, names: list[str]) -> bool:
        """Take the named part out of a tuple of parts; whether it was there."""
        if self.verb.name.text not in names:
            others = [
                str(f.name)
                for d in self.decls
                if isinstance(d, n.Fields) and str(d.name) == str(self.verb.of)
                for f in d.fields
            ]
            if field != "fields" or self.verb.name.text not in others:
                self._missing(
                    f"there is no {self.verb.kind} '{self._shown()}' here to drop",
                    self.verb.name,
                    names + others,
                )
            return False
        decl = self.decls[place]
        left = tuple(
            part
            for part, name in zip(getattr(decl, field), names, strict=True)
            if name != self.verb.name.text
        )
        self.decls[place] = _changed(decl, **{field: left})
        return True

    def _later_fields(self, place: int) -> None:
        """The fields of one owner may be declared in several places."""
        for other, decl in enumerate(self.decls):
            if other != place and isinstance(decl, n.Fields) and str(decl.name) == str(self.verb.of):
                left = tuple(f for f in decl.fields if f.name.text != self.verb.name.text)
                if len(left) < len(decl.fields):
                    self.decls[other] = replace(decl, fields=left)

    def _cells(self, place: int, decl: n.Table | n.Matrix, at: int, since: int = 0) -> None:
        """Take the cell *at* out of each row from row *since* on."""
        rows = tuple(
            replace(row, cells=row.cells[:at] + row.cells[at + 1 :]) if number >= since else row
            for number, row in enumerate(decl.rows)
        )
        self.decls[place] = _changed(self.decls[place], rows=rows)

    def _with_the_member(self, enum: str, member: str) -> None:
        """What stands for one member goes with it: rows, columns of matrices, faces of dice and cases."""
        cased = {
            d.name.text
            for d in self.decls
            if isinstance(d, n.Procedure) and d.params and d.params[0].type.name == enum
        }
        for place, decl in enumerate(self.decls):
            if isinstance(decl, n.Table) and decl.enum.text == enum:
                self.decls[place] = replace(
                    decl, rows=tuple(r for r in decl.rows if not (r.cells and r.cells[0].text == member))
                )
            elif isinstance(decl, n.Matrix):
                if decl.row.text == enum:
                    kept = tuple(
                        r
                        for number, r in enumerate(decl.rows)
                        if not number or not (r.cells and r.cells[0].text == member)
                    )
                    decl = replace(decl, rows=kept)
                    self.decls[place] = decl
                heads = [cell.text for cell in decl.rows[0].cells] if decl.rows else []
                if decl.column.text == enum and member in heads[1:]:
                    self._cells(place, decl, heads.index(member, 1))
            elif isinstance(decl, n.Die) and decl.enum is not None and decl.enum.text == enum:
                self.decls[place] = replace(decl, weights=tuple(w for w in decl.weights if w[0] != member))
            elif isinstance(decl, n.Case) and decl.name.text == member and decl.signature.name.text in cased:
                self.places.pop(("case", f"{decl.signature.name.text}/{member}"), None)
                self.decls[place] = self.gone

    # ------------------------------------------------------------------ findings

    def _shown(self) -> str:
        return f"{self.verb.of}.{self.verb.name}" if self.verb.of is not None else str(self.verb.name)

    def _missing(self, message: str, name: n.Ident, known: list[str]) -> None:
        names = list(dict.fromkeys(known))
        listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
        remedy = did_you_mean(name.text, names) or (
            f"what may be dropped: {listed}" if names else "there is none of this kind"
        )
        self.report(Diagnostic("R105", message, name.span, remedy=remedy))

    def _wrong(self, message: str, name: n.Ident, remedy: str) -> None:
        self.report(Diagnostic("R105", message, name.span, remedy=remedy))
