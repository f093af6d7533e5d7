"""Finding a case in which a claim holds, or knowing that there is none.

A claim is a closure that answers true, false, or "not known yet" under a partial assignment of
*atoms*: members of enums, yes-or-no facts, and bounds on differences of numbers.  The search
assigns the atom that the claim asked for first, so only what matters is enumerated, and no case is
entered whose bounds no numbers keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from compiler.types import BOOL, Type

#: Answers under the current assignment; None: it depends on an atom that has no value yet.
Test = Callable[[], bool | None]


_A = TypeVar("_A")
_B = TypeVar("_B")


class TooMany(Exception):
    """The search was given up."""


@dataclass(slots=True, eq=False)
class Atom:
    """Something that has one of a few values.

    *kind* is ``enum``, ``bool``, ``none`` (whether a thing is none), ``same`` (whether two things
    are the same), ``one`` (which of several, worded by *names*; the last for none of them) or
    ``bound`` (whether a difference is at most *limit*).
    """

    kind: str
    text: str
    domain: tuple[int, ...]
    form: tuple[tuple[str, int], ...] = ()
    limit: int = 0
    type: Type = BOOL
    names: tuple[str, ...] = ()


class Search:
    """Atoms, their values, and the search for values under which a claim holds."""

    def __init__(self, cap: int, work: int) -> None:
        self.cap = cap
        #: what all searches together may still do, in atoms asked and bounds compared
        self.left = work
        self.atoms: dict[tuple[object, ...], Atom] = {}
        self.values: dict[Atom, int] = {}
        self.least: dict[str, int] = {}
        self.wanted: Atom | None = None
        self.nodes = 0
        #: counts the changes of values
        self.stamp = 0

    def find(self, claim: Test) -> dict[Atom, int] | None:
        """A smallest assignment under which *claim* holds; None when there is none."""
        self.forget()
        self.nodes = 0
        if self.left <= 0:
            raise TooMany
        if not self._search(claim):
            self.forget()
            return None
        order = dict(self.values)
        for atom in list(order)[::-1]:
            kept = self.values.pop(atom)
            self.stamp += 1
            if claim() is not True:
                self.values[atom] = kept
                self.stamp += 1
        needed = {atom: value for atom, value in order.items() if atom in self.values}
        self.forget()
        return needed

    def forget(self) -> None:
        """Assume nothing."""
        self.values.clear()
        self.stamp += 1

    def _search(self, claim: Test) -> bool:
        self.wanted = None
        held = claim()
        if held is not None:
            return held
        atom = self.wanted
        assert atom is not None
        for value in atom.domain:
            self.nodes += 1
            if self.nodes > self.cap or self.left <= 0:
                raise TooMany
            self.values[atom] = value
            self.stamp += 1
            if (atom.kind != "bound" or self._possible()) and self._search(claim):
                return True
        del self.values[atom]
        self.stamp += 1
        return False

    def _possible(self) -> bool:
        """Whether there are numbers within all bounds assumed (the graph of differences has no
        negative circle).
        """
        edges: list[tuple[str, str, int]] = []
        names: set[str] = set()
        for atom, value in self.values.items():
            if atom.kind != "bound":
                continue
            high, low = ends_of(atom.form)
            edges.append((high, low, atom.limit) if value else (low, high, -atom.limit - 1))
            names |= {high, low}
        edges.extend(("", name, -self.least[name]) for name in names if name in self.least)
        distance = dict.fromkeys(names | {""}, 0)
        for _ in range(len(distance) + 1):
            self.left -= len(edges)
            changed = False
            for high, low, limit in edges:
                if distance[low] + limit < distance[high]:
                    distance[high] = distance[low] + limit
                    changed = True
            if not changed:
                return True
        return False

    def ask(self, atom: Atom) -> int | None:
        """The value of *atom*; without one it is what is looked for next."""
        self.left -= 1
        value = self.values.get(atom)
        if value is None and self.wanted is None:
            self.wanted = atom
        return value

    def atom(
        self, kind: str, key: object, text: str, domain: tuple[int, ...], **more: object
    ) -> Atom:
        """The atom of a kind for *key*."""
        full = (kind, key)
        atom = self.atoms.get(full)
        if atom is None:
            atom = self.atoms[full] = Atom(kind, text, domain, **more)  # type: ignore[arg-type]
        return atom

    def all_of(self, claims: Iterable[Test]) -> Test:
        """All of *claims*."""
        return self.several(tuple(claims), False)

    def any_of(self, claims: Iterable[Test]) -> Test:
        """One of *claims* at least."""
        return self.several(tuple(claims), True)

    def several(self, claims: tuple[Test, ...], decisive: bool) -> Test:
        """One of *claims* decides all by being *decisive*."""
        if len(claims) == 1:
            return claims[0]

        def test() -> bool | None:
            wanted = self.wanted
            result: bool | None = not decisive
            for claim in claims:
                held = claim()
                if held is decisive:
                    self.wanted = wanted
                    return held
                if held is None:
                    result = None
            return result

        return test

    def memoized(self, claim: Test) -> Test:
        """*claim*, asked once under each assignment however many claims hold it."""
        stamp = -1
        held: bool | None = None
        wish: Atom | None = None

        def test() -> bool | None:
            nonlocal stamp, held, wish
            if stamp != self.stamp:
                before, self.wanted = self.wanted, None
                held = claim()
                wish, self.wanted, stamp = self.wanted, before, self.stamp
            if held is None and self.wanted is None:
                self.wanted = wish
            return held

        return test


def branch(
    test: Test, then: Callable[[], _A | None], orelse: Callable[[], _A | None]
) -> Callable[[], _A | None]:
    """What *then* answers where *test* holds, and *orelse* where it does not."""

    def answer() -> _A | None:
        held = test()
        return None if held is None else then() if held else orelse()

    return answer


def mapped(ask: Callable[[], _A | None], follows: Callable[[_A], _B]) -> Callable[[], _B | None]:
    """What follows from the answer of *ask* once it is known."""

    def answer() -> _B | None:
        value = ask()
        return None if value is None else follows(value)

    return answer


def negated(claim: Test) -> Test:
    """That *claim* does not hold."""
    return mapped(claim, lambda held: not held)


def ends_of(form: tuple[tuple[str, int], ...]) -> tuple[str, str]:
    """The two numbers whose difference *form* is (``""`` is zero), or it as a number of its own."""
    if len(form) == 1 and form[0][1] == 1:
        return form[0][0], ""
    if len(form) == 2 and [factor for _, factor in form] == [1, -1]:
        return form[0][0], form[1][0]
    return sum_of(form), ""


def sum_of(form: tuple[tuple[str, int], ...]) -> str:
    """A sum in the author's words."""
    parts: list[str] = []
    for name, factor in sorted(form, key=lambda part: part[1] < 0):
        term = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        parts.append((" - " if factor < 0 else " + ") + term)
    return "".join(parts).removeprefix(" + ").strip()
