"""The proofs about rules agree with trying all cases."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from corpus_cases import compile_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.prove import prove

HEADER = """ruleset corpus
sides top, bottom
board b { rows 1; columns 1; }
enum Kind { k0, k1, k2 }
table kinds of Kind {
  columns size: int, likes: set of Kind, odd: bool
  | k0 | 1 | k1    | no  |
  | k1 | 2 | k0 k2 | yes |
  | k2 | 2 | —     | no  |
}
procedure play() { tie }
"""
SIZE, LIKES, ODD = (1, 2, 2), ({1}, {0, 2}, set()), (False, True, False)
Case = tuple[int, int, int, int]
Condition = tuple[str, Callable[[Case], bool]]
CASES: list[Case] = [
    (k, j, n, m)
    for k, j in product(range(3), repeat=2)
    for n, m in product(range(-9, 14), repeat=2)
]


def atoms() -> st.SearchStrategy[Condition]:
    """Conditions about members k and j and numbers n and m."""
    member, small = st.integers(0, 2), st.integers(0, 4)
    return st.one_of(
        member.map(lambda i: (f"k is k{i}", lambda c: c[0] == i)),
        member.map(lambda i: (f"j is not k{i}", lambda c: c[1] != i)),
        st.just(("k is j", lambda c: c[0] == c[1])),
        st.just(("k < j", lambda c: c[0] < c[1])),
        st.just(("j in k.likes", lambda c: c[1] in LIKES[c[0]])),
        st.just(("k.odd", lambda c: ODD[c[0]])),
        small.map(lambda i: (f"k.size + n > {i}", lambda c: SIZE[c[0]] + c[2] > i)),
        small.map(lambda i: (f"n is {i}", lambda c: c[2] == i)),
        small.map(lambda i: (f"m <= {i}", lambda c: c[3] <= i)),
        small.map(lambda i: (f"n < m + {i}", lambda c: c[2] < c[3] + i)),
        st.tuples(small, small).map(
            lambda p: (f"m in {p[0]} .. {p[1]}", lambda c: p[0] <= c[3] <= p[1])
        ),
        st.just(("n is m", lambda c: c[2] == c[3])),
        small.map(
            lambda i: (
                f"(if k.odd then n else m) >= {i}",
                lambda c: (c[2] if ODD[c[0]] else c[3]) >= i,
            )
        ),
        small.map(lambda i: (f"max(n, m) > {i}", lambda c: max(c[2], c[3]) > i)),
    )


def joined(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    """Conditions joined to others."""
    return st.one_of(
        inner.map(lambda a: (f"(not {a[0]})", lambda c: not a[1](c))),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]} and {p[1][0]})", lambda c: p[0][1](c) and p[1][1](c))
        ),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]} or {p[1][0]})", lambda c: p[0][1](c) or p[1][1](c))
        ),
    )


conditions = st.recursive(atoms(), joined, max_leaves=4)


def found(rules: str) -> dict[tuple[str, str], str]:
    """The proved findings of some rules: by code and the first name in quotes, the message."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "corpus"
        folder.mkdir()
        (folder / "case.grog").write_text(
            HEADER + "quantity q(k: Kind, j: Kind, n: int, m: int): int\n" + rules, encoding="utf-8"
        )
        compilation = compile_folder(folder)
        diagnostics = compilation.diagnostics
    assert {d.code[0] for d in diagnostics} <= {"Q", "L"}, [d.message for d in diagnostics]
    names = [
        (d.code, re.findall(r"'(\w+)'", d.message), d.message) for d in prove(compilation.program)
    ]
    return {(code, names[0] if names else ""): message for code, names, message in names}


@settings(max_examples=40, deadline=None)
@given(st.lists(conditions, min_size=3, max_size=3))
def test_findings_are_those_of_trying_all_cases(parts: list[Condition]) -> None:
    (a, speaks_a), (b, speaks_b), (x, speaks_x) = parts
    messages = found(
        f"rule a for q = 1 when {a}\nrule b for q = 2 when {b}\nrule x except a for q = 2 when {x}\n"
    )
    holds = [(speaks_a(c), speaks_b(c), speaks_x(c)) for c in CASES]
    assert (("Q501", "") in messages) == any(not in_a and not in_b for in_a, in_b, _ in holds)
    assert (("Q502", "a") in messages) == any(
        in_a and in_b and not in_x for in_a, in_b, in_x in holds
    )
    assert ("Q502", "x") not in messages  # x and b agree
    assert (("Q503", "a") in messages) == (not any(in_a for in_a, _, _ in holds))
    if any(in_a for in_a, _, _ in holds):
        assert (("Q503", "x") in messages) == (not any(in_a and in_x for in_a, _, in_x in holds))


@settings(max_examples=40, deadline=None)
@given(conditions)
def test_a_witness_is_a_case_of_its_own(part: Condition) -> None:
    """The witness of a gap, taken as the condition of another rule, speaks where the first does not."""
    text, speaks = part
    message = found(f"rule a for q = 1 when {text}\n").get(("Q501", ""))
    if message is None:
        assert all(speaks(c) for c in CASES)
    elif " when " in message:
        case = message.partition(" when ")[2]
        assert ("Q502", "a") not in found(
            f"rule a for q = 1 when {text}\nrule w for q = 2 when {case}\n"
        )
