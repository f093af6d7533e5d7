"""Findings in other languages: every template has its words in each, and none is left over."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from other_languages import OTHERS, worded
from project import ROOT

from grognard.lexicon.catalogue import chosen_for
from grognard.lexicon.faults import Sayer, sayer, sayer_for
from runtime.errors import ArgumentError
from runtime.words.said import ARGUMENT, OR, SaidText, fill_in, join_with_sign, join_with_word, said

#: What makes findings of texts, and the names under which texts wait for it.
_MAKERS = {"error", "warning", "report_misfit", "warn", "finding", "report", "Label"}
_MAKERS |= {"Diagnostic", "CaseError", "_report", "_found", "report_mixed", "report_placeless"}
_MAKERS |= {"Fault", "Finding", "_wrong"}
_NAMES = {"message", "remedy"}
#: Where faults of sources, scenarios, boards, looks and cases are found.
_FOLDERS = ("dsl", "compiler/check", "compiler/prove", "compiler/findings", "compiler/sources")
_FOLDERS += ("runtime/data", "runtime/scenario", "grognard/cases")
#: What these say is why a command refuses, which is no finding.
_REFUSING = {"made_case.py", "written_case.py"}


@cache
def _trees() -> dict[Path, ast.Module]:
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for folder in ("dsl", "compiler", "runtime", "grognard")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def _name(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _plain(node: ast.AST | None) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_plain(node.body), *_plain(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for value in node.values for text in _plain(value))


@cache
def templates() -> dict[str, set[str]]:
    """The texts that findings are made of, and the values that are put in there."""
    found: dict[str, set[str]] = {}
    for path, tree in _trees().items():
        here = path.relative_to(ROOT).as_posix().startswith(_FOLDERS)
        here = here and path.name not in _REFUSING
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) == "said":
                for text in _plain(node.args[0]):
                    found.setdefault(text, set()).update(k.arg or "0 1" for k in node.keywords)
            elif here and isinstance(node, ast.Call) and _name(node.func) in _MAKERS:
                for value in (*node.args, *(k.value for k in node.keywords)):
                    for text in _plain(value):
                        if " " in text:
                            found.setdefault(text, set())
            elif here and isinstance(node, ast.Assign) and _name(node.targets[0]) in _NAMES:
                for text in _plain(node.value):
                    found.setdefault(text, set())
    return {text: values for text, values in found.items() if worded(text)}


def test_the_templates_are_found() -> None:
    found = templates()
    assert found["unknown {what} '{text}'"] == {"what", "text"} and "write 'is not'" not in found
    assert "remove it, or rename it" in found and len(found) > 800


@pytest.mark.parametrize("language", OTHERS)
def test_every_template_is_there_and_none_is_idle(language: str) -> None:
    given = sayer(language).messages
    assert sorted(templates().keys() - given.keys()) == [], "texts without a translation"
    written = {
        node.value
        for tree in _trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert sorted(given.keys() - written) == [], "translations of what nothing says"


@pytest.mark.parametrize("language", OTHERS)
def test_values_agree(language: str) -> None:
    for message, text in sayer(language).messages.items():
        asked = {found[1] for found in ARGUMENT.finditer(message)}
        assert {found[1] for found in ARGUMENT.finditer(text)} == asked, message


def test_a_text_keeps_what_it_is_made_of() -> None:
    inner = said("{count: 1 # line | # lines}", count=2)
    text = said("'{name}' has {what}", name="{x}", what=inner) + "; " + inner
    assert text == "'{x}' has 2 lines; 2 lines"
    assert fill_in("{0} of {1}", **{"0": 1, "1": "a"}) == "1 of a"
    assert join_with_word(OR, "abc") == "a or b or c" and join_with_word(OR, []) == ""
    assert (
        join_with_sign(", ", ["a", inner]) == "a, 2 lines"
        and type(join_with_sign(", ", ["a", "b"])) is str
    )
    for other in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert isinstance(other, SaidText) and (other, other.values) == (text, text.values)


def test_a_text_is_said_in_another_language() -> None:
    say = Sayer(
        {
            "{what} '{name}' has {rest}": "'{name}' ({what/nom}) má {rest}",
            "{count: 1 # line | # lines}": "{count: 1 # řádek | 2-4 # řádky | # řádků}",
            "a name": "jméno",
        },
        {"function": "funkce"},
    )
    rest = said("{count: 1 # line | # lines}", count=3)
    text = said("{what} '{name}' has {rest}", what="function", name="function", rest=rest)
    assert say(text) == "'function' (funkce) má 3 řádky"
    assert say(said("{a}; {b}", a="a name", b=rest)) == "jméno; 3 řádky"
    assert say("a name") == "jméno" and say("another") == "another"


def test_languages_of_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROGNARD_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert sayer_for("cs") is sayer("cs") and sayer_for(None)("remedy:") == "remedy:"
    with pytest.raises(ArgumentError, match="no findings in the language 'xx'"):
        sayer_for("xx")
    assert [chosen_for(one) for one in ("cs-CZ", "cs", "en-us", "de", None)] == [
        *("cs", "cs", "en", "en", "en")
    ]
    monkeypatch.setenv("GROGNARD_LANGUAGE", "cs")
    assert chosen_for("en") == "cs"
