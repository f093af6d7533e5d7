"""What things of a ruleset are called in a language, and where they stand in the book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from markupsafe import Markup, escape

from compiler import ir
from compiler.types import Type
from dsl import nodes as n
from grognard.book.phrases import TERMS
from grognard.explain.rules import Rules, label
from grognard.lexicon.catalogue import ENGLISH
from runtime.bitsets import bits
from runtime.model import NONE, TypeSpec

NOTHING: Final = Markup()
#: A yes or no that is said by a verb of its own: *has moved*, *may retreat*; what its denial is.
_VERBS: Final = {
    "has": "has not",
    "is": "is not",
    "was": "was not",
    "can": "cannot",
    "may": "may not",
    "must": "must not",
    "will": "will not",
    "had": "had not",
}
#: A verb in the third person: *advances*, *blocks sight*.
_THIRD: Final = re.compile(r"[a-z]{2,}[^s\W]s$")
#: A name that the checker or an author has numbered: *v_2*.
_NUMBERED: Final = re.compile(r"_\d+$")


class Naming:
    """The words of a ruleset in one language."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.program, self.language = rules, rules.program, rules.language
        self.words = rules.plainly
        #: the names of the declarations that have an article, by what leads to it
        self.anchors: dict[tuple[str, str], str] = {}
        self._owners: dict[str, str] = {}
        #: the procedures in which nothing happens: they only tell what comes of something
        self.silent: set[str] = set()
        #: what procedures are called in another language than English, where something tells it
        self.titles: dict[str, str] = {}
        for (enum, name), column in self.program.columns.items():
            self._owners.setdefault(name, enum)
            self.anchors.setdefault(("column", name), f"table.{column.table}")

    def text(self, key: str, default: str = "") -> str:
        """The catalogue's wording for *key* in the language of the book, else in English."""
        texts = self.program.texts
        found = texts.get(self.language, {}).get(key) or texts.get(ENGLISH, {}).get(key)
        return found or default

    def own_text(self, key: str) -> str:
        """The catalogue's wording in the language of the book; nothing where there is none."""
        return self.program.texts.get(self.language, {}).get(key, "")

    def say(self, phrase: str, **parts: object) -> Markup:
        """A phrase in the language of the book, with parts put in, which are escaped or markup."""
        template = str(escape(self.words(phrase)))
        if not parts:
            return Markup(template)
        return Markup(self.words(template, **{k: str(escape(v)) for k, v in parts.items()}))

    def link(self, kind: str, name: str, text: str) -> Markup:
        """A text that leads to the article about something, where there is one."""
        anchor = self.anchors.get((kind, name))
        if anchor is None:
            return escape(text)
        return Markup('<a href="#{}">{}</a>').format(anchor, text)

    # ------------------------------------------------------------------ names

    def call(self, name: str) -> str:
        """How a quantity, permission, function, travel or procedure is called.

        In English by its name, which is English; the texts of values are written to stand in lists.
        """
        if self.language == ENGLISH:
            return label(name)
        return self.own_text(f"value.{name}") or self.titles.get(name, label(name))

    def attribute(self, name: str) -> str:
        """How a field or a column is called within a sentence."""
        own = self.language != ENGLISH and (
            self.own_text(f"field.{name}")
            or self.own_text(f"value.{self._owners.get(name)}.{name}")
        )
        return own or self._term(name.capitalize()) or label(name)

    def _term(self, name: str) -> str:
        """What is often called so, in the language of the book."""
        return self.words(TERMS[name]) if name in TERMS else ""

    def predicate(self, name: str, of: object, so: bool) -> Markup | None:
        """A yes or no of something, said by the verb in its name; None where it has none, or the
        book is not in English.
        """
        said = self.own_text(f"field.{name}") or label(name)
        head, _, rest = said.partition(" ")
        if self.language != ENGLISH:
            return None
        linked = self.anchors.get(("field", name)) or self.anchors.get(("column", name))
        if head in _VERBS:
            said = f"{head if so else _VERBS[head]} {rest}"
        elif head.endswith("ed") or head in ("in", "on", "at", "under"):
            said = f"{'is' if so else 'is not'} {said}"
        elif not _THIRD.fullmatch(head) or not so:
            return None
        verb = Markup('<a href="#{}">{}</a>').format(linked, said) if linked else escape(said)
        return Markup("{} {}").format(of, verb)

    @cached_property
    def _meanings(self) -> dict[tuple[str, int], str]:
        """What names mean, by file and offset (:attr:`compiler.ruleset.Ruleset.uses`)."""
        uses = self.rules.ruleset.uses.items()
        return {(at.file, at.start): meaning for meaning, spans in uses for at in spans}

    def meaning(self, node: n.Node) -> str:
        """What a name means where it stands; empty for a label of the board."""
        return self._meanings.get((node.span.file, node.span.start), "")

    def is_truth(self, name: n.Ident | n.Name) -> bool:
        """Whether what a name means is a field or a column that is a yes or no."""
        owner, _, called = self.meaning(name).partition(".")
        fact = (
            self.program.fields.get((owner, called))
            or next(iter(self.program.keyed.get((owner, called), ())), None)
            or self.program.columns.get((owner, called))
        )
        return fact is not None and fact.type.kind == "bool"

    @cached_property
    def places(self) -> frozenset[str]:
        """The names of the fields that say where pieces are."""
        return frozenset(f.base for f in self.program.fields.values() if f.place)

    def is_type(self, name: str) -> bool:
        """Whether pieces, members or hexes are of a type of this name."""
        program = self.program
        return name in ("Hex", "Side") or any(
            name in known for known in (program.kinds, program.parents, program.enums)
        )

    def kind(self, name: str) -> str:
        """How a type of things is called: a kind of pieces, an enumeration, ``Hex``."""
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
        return self._term(name) or words

    def enum_of(self, member: str) -> str | None:
        """The enumeration that has a member; that with a text for it first."""
        enums = [enum for enum, members in self.program.enums.items() if member in members]
        worded = (enum for enum in enums if self.text(f"{enum}.{member}"))
        return next(worded, enums[0] if enums else None)

    def member(self, enum: str, name: str) -> str:
        """How a member of an enumeration is called."""
        return self.text(f"{enum}.{name}", label(_NUMBERED.sub("", name)))

    def switch(self, name: str) -> str:
        """How an optional rule is called."""
        return self.text(f"switch.{name}", label(name))

    # ------------------------------------------------------------------ values

    def value(self, value: int, type_: Type | TypeSpec) -> str:
        """A value of a table."""
        if type_.kind == "set" and type_.of is not None:
            return ", ".join(self.value(one, type_.of) for one in bits(value)) or "–"
        if type_.kind == "bool":
            return "•" if value else ""
        if value == NONE and type_.kind != "int":
            return "–"
        if type_.kind == "enum":
            members = self.program.enums.get(type_.name, ())
            name = members[value] if value < len(members) else str(value)
            return self.member(type_.name, name)
        if type_.kind == "hex" and self.program.board is not None:
            return self.program.board.label(value)
        return str(value).replace("-", "−")

    def column(self, column: ir.Column) -> str:
        """How a column of a table is headed."""
        remark = self.program.remarks.get(f"column {column.name} of {column.table}", "")
        named = self.text(f"value.{column.enum}.{column.name}")
        if self.language == ENGLISH:
            return remark or named or label(column.name)
        return named or label(column.name)


def comma_list(items: Iterable[object]) -> Markup:
    """Things in a row."""
    return Markup(", ").join(escape(item) for item in items)


def cited_in(text: str, ids: Mapping[str, object]) -> Markup:
    """A text in which the IDs of rules lead to them."""
    parts = re.split(r"([A-Za-z][A-Za-z0-9]*-[A-Za-z0-9.\-]*[A-Za-z0-9])", text)
    return Markup("").join(
        Markup('<a href="#{0}">{0}</a>').format(part) if part in ids else escape(part)
        for part in parts
    )
