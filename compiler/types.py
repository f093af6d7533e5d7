"""The types of the language."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dsl.source import Span
from runtime.model import TypeSpec


@dataclass(frozen=True, slots=True)
class Type:
    """A type: *kind* is ``int bool enum piece hex set roll pile none void bad``.

    *name* is the measure of a number (or ``""``; ``"?"`` for a literal, which takes the measure it
    meets), the enum, the piece kind or the deck's enum; *of* is the type of a set's or roll's
    members.  *origin* is where the measure of a number was written down; it makes no difference
    between types.
    """

    kind: str
    name: str = ""
    optional: bool = False
    of: Type | None = None
    origin: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        if self.kind == "set":
            return f"set of {self.of}"
        if self.kind == "roll":
            return f"roll of {self.of}"
        if self.kind == "pile":
            return f"pile of {self.name}"
        base = {"int": self.name.strip("?") or "int", "hex": "Hex", "bad": "?"}.get(
            self.kind, self.name or self.kind
        )
        return base + ("?" if self.optional else "")

    @property
    def wrong(self) -> bool:
        """Whether this is the type of something wrong, or of members of it."""
        return self.kind == "bad" or (self.of is not None and self.of.wrong)

    @property
    def finite(self) -> bool:
        """Whether values are indices of a finite thing (so that ``none`` is −1)."""
        return self.kind in ("enum", "piece", "hex")

    @property
    def of_numbers(self) -> bool:
        """Whether the members of this are numbers."""
        return self.of is not None and self.of.kind == "int"

    @property
    def owner(self) -> str:
        """Whose fields values have: the piece kind, the enum or ``Hex``; ``""`` where nobody's."""
        return "Hex" if self.kind == "hex" else self.name if self.finite else ""

    def plain(self) -> Type:
        """The same type without ``none``."""
        return replace(self, optional=False) if self.optional else self

    def maybe(self) -> Type:
        """The same type with ``none``."""
        return self if self.optional else replace(self, optional=True)

    def spec(self) -> TypeSpec:
        """The type as the engine knows it."""
        return TypeSpec(
            self.kind, self.name.strip("?"), self.optional, self.of.spec() if self.of else None
        )


def from_spec(spec: TypeSpec) -> Type:
    """The checker's type for an engine's type."""
    return Type(spec.kind, spec.name, spec.optional, from_spec(spec.of) if spec.of else None)


INT = Type("int")
LITERAL = Type("int", "?")
BOOL = Type("bool")
HEX = Type("hex", "Hex")
NONE_TYPE = Type("none", optional=True)
VOID = Type("void")
BAD = Type("bad")


def set_of(member: Type) -> Type:
    """The type of sets of *member*."""
    return Type("set", of=member.plain())


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value of type *value* may stand where *wanted* is expected (``none`` apart)."""
    if value.kind == "bad" or wanted.kind == "bad":
        return True
    if value.kind == "none":
        return wanted.optional or wanted.finite
    if value.kind != wanted.kind:
        return False
    if value.kind == "int":
        return "?" in (value.name, wanted.name) or value.name == wanted.name
    if value.kind in ("set", "roll"):
        assert value.of is not None and wanted.of is not None
        return value.of.kind == "none" or fits(value.of, wanted.of)
    return value.name == wanted.name


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is an *a* or a *b*; None when they have nothing in common."""
    if a.kind == "bad":
        return b
    if a.kind == "none":
        return b.maybe() if b.kind != "none" else b
    if b.kind == "none":
        return a.maybe()
    if not (fits(a, b) or fits(b, a)):
        return None
    wider = b if a.name == "?" or (a.of is not None and a.of.kind == "none") else a
    return wider.maybe() if a.optional or b.optional else wider
