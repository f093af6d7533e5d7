"""The tree-sitter grammar takes what the parser takes, refuses what it refuses, and its queries colour every word."""

from __future__ import annotations

import ctypes
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput
from project import ROOT

from dsl.language import grammar, keywords, reserved_words

tree_sitter = pytest.importorskip(
    "tree_sitter", reason="tree-sitter is not installed (the extra 'dev')"
)
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), "")
pytestmark = pytest.mark.skipif(not COMPILER, reason="there is no C compiler")
sys.path.append(str(ROOT / "tests/dsl"))

from programs import write  # noqa: E402

HERE = ROOT / "editors/tree-sitter-grog"
GRAMMAR = json.loads((HERE / "src/grammar.json").read_text(encoding="utf-8"))
PROGRAMS = [p for folder in ("rulesets", "tests") for p in sorted((ROOT / folder).rglob("*.grog"))]
REFUSED = re.compile(r"# E\[P\d+\]|E\[P\d+\]")
#: Refused for what a grammar does not see: a slip that makes a name in a list, and marks that stand behind what they
#: are not about, at the end of its line.
BY_LAYOUT = {"first_column.grog", "trailing.grog"}


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The language, from the C parser that is kept."""
    library = tmp_path_factory.mktemp("tree-sitter") / "grog.so"
    command = [
        COMPILER,
        "-O0",
        "-shared",
        "-fPIC",
        "-I",
        HERE / "src",
        HERE / "src/parser.c",
        "-o",
        library,
    ]
    subprocess.run(command, check=True)
    made = ctypes.CDLL(str(library)).tree_sitter_grog
    made.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
    )
    return tree_sitter.Language(capsule(made(), b"tree_sitter.Language", None))


@pytest.fixture(scope="module")
def parser(language: Any) -> Any:
    return tree_sitter.Parser(language)


def marked(parser: Any, program: bytes) -> bool:
    """Whether an error is marked in the tree of a program."""
    return bool(parser.parse(program).root_node.has_error)


def test_marks_what_the_parser_refuses_and_nothing_else(parser: Any) -> None:
    wrong = []
    for path in PROGRAMS:
        program = path.read_bytes()
        refused = REFUSED.search(program.decode()) is not None and path.name not in BY_LAYOUT
        if marked(parser, program) != refused:
            wrong.append(path.relative_to(ROOT).as_posix())
    assert len(PROGRAMS) > 400 and wrong == []


def refused(program: str) -> bool:
    try:
        grammar().parse(program)
    except UnexpectedInput:
        return True
    return False


def spoilt(chance: random.Random, count: int) -> Iterator[str]:
    """Declarations of good programs, with a word or sign left out, said twice, or in place of another."""
    texts = [
        p.read_text(encoding="utf-8").lstrip("\ufeff")
        for p in (ROOT / "tests/dsl/good").glob("*.grog")
    ]
    declarations = [part for text in sorted(texts) for part in re.split(r"\n(?=[a-z@])", text)]
    for _ in range(count):
        text = chance.choice(declarations)
        tokens = list(re.finditer(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\S', text))
        if tokens:
            at, other = chance.choice(tokens), chance.choice(tokens)
            instead = chance.choice(("", f"{at[0]} {at[0]}", f" {other[0]} "))
            yield text[: at.start()] + instead + text[at.end() :]


def test_agrees_with_the_parser_on_random_programs(parser: Any) -> None:
    chance = random.Random(33)
    for _ in range(150):
        program = write([chance.randrange(2**16) for _ in range(chance.randrange(120))], "decl")
        assert refused(program) or not marked(parser, program.encode()), program


def test_agrees_with_the_parser_on_spoilt_programs(parser: Any) -> None:
    spoilt_programs = list(spoilt(random.Random(33), 400))
    unmarked = [
        text for text in spoilt_programs if refused(text) and not marked(parser, text.encode())
    ]
    assert unmarked == [] and sum(map(refused, spoilt_programs)) > 100


DECLARING = [
    "procedure p() { let %s = 1 }",
    "procedure p() { each %s in S { } }",
    "procedure p() { roll 2 d as %s }",
    "procedure p() { draw %s from p }",
    "procedure p() { choose %s in S by s }",
    "procedure p() { create U as %s { } }",
    "procedure p() { let x = some %s in S where c }",
    "enum E { a, %s }",
    "piece %s { }",
    "function %s(): int = 1",
    "function f(%s: int): int = 1",
]


@pytest.mark.parametrize("program", DECLARING)
def test_marks_reserved_words_where_names_are_declared(parser: Any, program: str) -> None:
    assert not marked(parser, (program % "name").encode())
    assert [
        word for word in reserved_words() if not marked(parser, (program % word).encode())
    ] == []


def test_takes_reserved_words_for_fields(parser: Any) -> None:
    assert not any(
        marked(parser, f"piece U {{ {word}: int }}".encode()) for word in reserved_words()
    )


def strings(rule: Any) -> Iterator[str]:
    """The fixed strings of a rule."""
    if isinstance(rule, dict):
        if rule.get("type") == "STRING":
            yield rule["value"]
        for part in rule.values():
            yield from strings(part)
    elif isinstance(rule, list):
        for part in rule:
            yield from strings(part)


def test_has_the_words_of_the_language() -> None:
    assert {text for text in strings(GRAMMAR["rules"]) if text.isalpha()} == keywords()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_parser_is_made_from_the_grammar() -> None:
    command = ["node", ROOT / "tests/editors/grammar.cjs", HERE / "grammar.js"]
    made = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert made == GRAMMAR["rules"], (
        "tree-sitter generate makes src/ anew (editors/tree-sitter-grog/README.md)"
    )


def captures(language: Any, root: Any) -> dict[Any, set[tuple[str, ...]]]:
    """What highlights.scm says of each node of a tree, by pattern."""
    query = tree_sitter.Query(
        language, (HERE / "queries/highlights.scm").read_text(encoding="utf-8")
    )
    found: dict[Any, dict[int, set[str]]] = {}
    for pattern, names in tree_sitter.QueryCursor(query).matches(root):
        for name, nodes in names.items():
            for node in nodes:
                found.setdefault(node, {}).setdefault(pattern, set()).add(name)
    return {node: {tuple(sorted(names)) for names in of.values()} for node, of in found.items()}


def leaves(node: Any) -> Iterator[Any]:
    if node.child_count == 0:
        yield node
    for child in node.children:
        yield from leaves(child)


def test_colours_all_but_the_names_of_values(language: Any, parser: Any) -> None:
    for path in sorted((ROOT / "tests/dsl/good").glob("*.grog")):
        tree = parser.parse(path.read_bytes())
        found = captures(language, tree.root_node)
        assert all(len(patterns) == 1 for patterns in found.values()), path.name
        bare = {
            n.type for n in leaves(tree.root_node) if not {n, n.parent} & found.keys() and n.text
        }
        assert bare <= {"name", "cell"}, path.name


EXAMPLE = """
@section "Moves" §4
enum Arm §1.1 { foot "on foot" }
table arms of Arm { columns move: Hexes
  | foot | 2 | yes |
}
piece Unit { arm: Arm fixed setup }
quantity pace(u: Unit): Hexes { rule printed §4.1 = u.arm.move when u.arm is foot }
@house "ours"
procedure go(u: Unit) { let n = 2 Hexes  if n > 1 { do rest(u) } }
"""
COLOURS = {
    "Moves": "markup.heading",
    "§4.1": "attribute",
    "@house": "attribute",
    "ours": "string",
    "Arm": "type",
    "on foot": "string",
    "foot": "constant",
    "yes": "boolean",
    "2": "number",
    "2 Hexes": "number",
    "Unit": "type",
    "setup": "keyword.modifier",
    "pace": "function",
    "u": "variable.parameter",
    "printed": "label",
    "arm": "property",
    "is": "keyword.operator",
    "if": "keyword.conditional",
    "rest": "function.call",
    "quantity": "keyword",
}


def test_colours_an_example(language: Any, parser: Any) -> None:
    seen: dict[str, set[str]] = {}
    tree = parser.parse(EXAMPLE.encode())
    for node, patterns in captures(language, tree.root_node).items():
        seen.setdefault(node.text.decode().strip(' "'), set()).update(*patterns)
    assert {
        text: colour for text, colour in COLOURS.items() if colour not in seen.get(text, ())
    } == {}


def test_other_queries_fit_the_grammar(language: Any, parser: Any) -> None:
    tree = parser.parse(EXAMPLE.encode())
    for path in (HERE / "queries").glob("*.scm"):
        query = tree_sitter.Query(language, path.read_text(encoding="utf-8"))
        assert tree_sitter.QueryCursor(query).matches(tree.root_node), path.name
