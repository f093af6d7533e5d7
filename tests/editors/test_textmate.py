"""The extension for VS Code: its grammar is made of the language's words and tells them from names, its snippets parse."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from project import ROOT

from dsl.language import grammar, keywords
from dsl.parser import parse
from dsl.source import Source
from editors import textmate

EXTENSION = ROOT / "editors/vscode"
MODULES = EXTENSION / "node_modules"
#: Scopes of words of the language.
WORDS = (
    "keyword.other",
    "keyword.control",
    "keyword.operator.word",
    "storage",
    "constant.language",
    "support.type",
)
#: How many of a thousand words may be taken for names, or names for words: a TextMate grammar only sees a line.
WRONG = 1

reads_textmate = pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "vscode-textmate").is_dir(),
    reason="node or vscode-textmate is not installed (.ci/run gets it from npm)",
)


def test_grammar_is_made_of_the_language() -> None:
    assert textmate.TARGET.read_text(encoding="utf-8") == textmate.text(), (
        "python -m editors.textmate makes it anew"
    )


def test_grammar_names_no_word_that_there_is_not() -> None:
    named = {
        *textmate.IN_PHRASES,
        *chain.from_iterable(words.split() for words in textmate.DECLARED.values()),
    }
    assert named <= keywords()


def scopes(paths: list[Path]) -> dict[str, dict[tuple[int, int], str]]:
    """The innermost scope of each character, by line (from 1) and column (from 0), in each file."""
    command = ["node", ROOT / "tests/editors/scopes.cjs", MODULES, textmate.TARGET, *paths]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {
        path: {
            (line, column): scope.rpartition(" ")[2].removesuffix(".grog")
            for line, start, end, scope in tokens
            for column in range(start, end)
        }
        for path, tokens in found.items()
    }


@reads_textmate
def test_words_and_names_are_told_apart() -> None:
    folders = ("rulesets/cc_core", "rulesets/cc_ancients", "tests/dsl/good")
    paths = [path for folder in folders for path in sorted((ROOT / folder).glob("*.grog"))]
    found = scopes(paths)
    seen, wrong = 0, []
    for path in paths:
        text = path.read_text(encoding="utf-8").replace("\ufeff", " ")
        for token in grammar(True).parse(text).scan_values(lambda _: True):
            if str(token).isidentifier():
                seen += 1
                scope = found[str(path)][token.line, token.column - 1]
                if scope.startswith(WORDS) != (token.type != "NAME"):
                    wrong.append(f"{path.name}:{token.line}: {token} is {scope}")
    assert seen > 10_000 and len(wrong) * 1000 <= seen * WRONG, wrong


EXAMPLE = """\
@section "Moves" §4, 5.1
enum Arm §1.1 { foot "on foot", first }  # all
table arms of Arm {
  columns move: Hexes
  @house "ours"
  §1.2 | foot | 7 | yes | — |
}
@rule X-1.1
procedure go(u: Unit, to: Hex): int {
  let n = 2 Hexes
  if n > 1 and u.step is none { do rest(u) }
  deny far §4.1 when distance(u.hex, to) > 3
"""
EXPECTED = [
    (1, "@section", "keyword.control.section"),
    (1, '"Moves"', "entity.name.section"),
    (1, "§4, 5.1", "constant.other.citation"),
    (2, "enum", "storage.type"),
    (2, "Arm", "entity.name.type"),
    (2, "§1.1", "constant.other.citation"),
    (2, '"on foot"', "string.quoted.double"),
    (2, "first", "variable.other.enummember"),
    (2, "# all", "comment.line.number-sign"),
    (3, "arms", "variable.other.constant"),
    (4, "columns", "keyword.other"),
    (4, "Hexes", "entity.name.type"),
    (5, "@house", "storage.type.annotation"),
    (6, "|", "punctuation.separator.cell"),
    (6, "foot", "variable.other.enummember"),
    (6, "7", "constant.numeric"),
    (6, "yes", "constant.language.boolean"),
    (6, "—", "constant.language.none"),
    (8, "@rule", "storage.type.annotation"),
    (8, "X-1.1", "constant.other.citation"),
    (9, "procedure", "storage.type"),
    (9, "go", "entity.name.function"),
    (9, "to", "variable.parameter"),
    (9, "int", "entity.name.type"),
    (10, "let", "keyword.other"),
    (10, "2", "constant.numeric"),
    (10, "Hexes", "support.type.measure"),
    (11, "if", "keyword.control"),
    (11, "and", "keyword.operator.word"),
    (11, "step", "variable.other.property"),
    (11, "none", "constant.language"),
    (11, "rest", "entity.name.function"),
    (12, "deny", "storage.type"),
    (12, "far", "entity.name.function.rule"),
    (12, "distance", "support.function"),
]


@reads_textmate
def test_scopes_of_an_example(tmp_path: Path) -> None:
    path = tmp_path / "example.grog"
    path.write_text(EXAMPLE, encoding="utf-8")
    found = scopes([path])[str(path)]
    lines = EXAMPLE.split("\n")
    wrong = [
        (line, text, scope, found[line, lines[line - 1].index(text)])
        for line, text, scope in EXPECTED
        if found[line, lines[line - 1].index(text)] != scope
    ]
    assert wrong == []


@cache
def manifest() -> dict[str, object]:
    read: dict[str, object] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return read


def test_extension_has_the_files_it_names() -> None:
    named = re.findall(
        r'"path": "\./([^"]+)"|"configuration": "\./([^"]+)"', json.dumps(manifest())
    )
    assert named and all(
        (EXTENSION / path).is_file() for path in chain.from_iterable(named) if path
    )


#: Where a snippet may stand.
PLACES = (
    "%s",
    "%s\nsides a, b",
    "procedure p() {\n%s\n}",
    "permission p() allow {\n%s\n}",
    "quantity q(): int {\n%s\n}",
)
SNIPPETS = json.loads((EXTENSION / "snippets/grog.json").read_text(encoding="utf-8"))


def written(body: list[str], last: str) -> str:
    """The text of a snippet with what it proposes, and *last* where the cursor comes to rest."""
    text = "\n".join(body).replace("$0", last)
    names = dict(re.findall(r"\$\{(\d+):([^{}$]*)\}", text))
    while (less := re.sub(r"\$\{\d+(?::([^{}]*)|\|([^,}]*)[^}]*)\}", r"\1\2", text)) != text:
        text = less
    return re.sub(r"\$\{?(\d+)\}?", lambda match: names[match[1]], text)


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_are_programs(name: str) -> None:
    texts = [
        place % written(SNIPPETS[name]["body"], last)
        for place in PLACES
        for last in ("", "true", "= 1")
    ]
    assert any(not parse(Source("snippet.grog", text), "X").diagnostics for text in texts), texts[1]
