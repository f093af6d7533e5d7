"""Whatever stands in the files, compiling yields findings and never raises."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

from corpus_cases import PREAMBLE, cases, compile_folder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.findings.codes import CODES

_TOKEN = re.compile(r"\|[^\n]*\n?|\w+|\.\.|[<>]=|[^\w\s]|\s+")
_SPARE = (
    *(
        "none",
        "true",
        "0",
        "3",
        "x",
        "u",
        "LI",
        "top",
        "Unit",
        "Side",
        "Hex",
        "int",
        "Unit?",
        "Dice",
        "set of Type",
        "is",
        "not",
        "in",
        "and",
    ),
    *(
        "when",
        "where",
        "except",
        "lasts turn",
        "fixed",
        "setup",
        "place",
        "it",
        "stop",
        "leave",
        "do p()",
        "{",
        "}",
        "(",
        ")",
        "=",
        ",",
        ".",
        "[",
        "]",
    ),
)


@cache
def programs() -> tuple[tuple[str, ...], ...]:
    """The programs of the corpus that are single files, as tokens."""
    files = [case for kind in ("good", "bad") for case in cases(kind) if case.is_file()]
    texts = [case.read_text(encoding="utf-8") for case in files]
    texts = [
        PREAMBLE.read_text(encoding="utf-8") + text if text.startswith("# preamble") else text
        for text in texts
    ]
    return tuple(tuple(_TOKEN.findall(re.sub(r"#[^\n]*", "", text))) for text in texts)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A program with some tokens gone, doubled, exchanged or replaced."""
    tokens = list(draw(st.sampled_from(programs())))
    places = st.integers(0, len(tokens) - 1)
    for _ in range(draw(st.integers(1, 4))):
        at = min(draw(places), len(tokens) - 1)
        change = draw(st.sampled_from(("delete", "double", "replace", "foreign", "swap")))
        if change == "delete":
            del tokens[at]
        elif change == "double":
            tokens.insert(at, tokens[at])
        elif change == "replace":
            tokens[at] = f" {draw(st.sampled_from(_SPARE))} "
        elif change == "foreign":
            other = draw(st.sampled_from(programs()))
            tokens[at] = other[draw(st.integers(0, len(other) - 1))]
        else:
            to = min(draw(places), len(tokens) - 1)
            tokens[at], tokens[to] = tokens[to], tokens[at]
        if not tokens:
            break
    return "".join(tokens)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(mutated())
def test_nothing_makes_the_compiler_raise(text: str) -> None:
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "corpus"
        folder.mkdir()
        (folder / "case.grog").write_text(text, encoding="utf-8")
        compilation = compile_folder(folder)
        assert compilation.ok == (compilation.emitted is not None)
        for diagnostic in compilation.diagnostics:
            assert diagnostic.message
            assert diagnostic.code in CODES or diagnostic.code.startswith("P")
