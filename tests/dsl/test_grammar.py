"""The grammar itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Token
from lark.grammar import Rule
from samples import GOOD, read, spec_text

from dsl.language import (
    declaration_words,
    grammar,
    keywords,
    load,
    reserved_words,
    spellings,
    statement_words,
    value_words,
)
from dsl.mistakes.place import FRIENDLY


def test_the_grammar_is_lalr_without_collisions() -> None:
    grammar = load(strict=True)
    assert grammar.options.parser == "lalr"


#: A grammar whose tables are made quickly.
SMALL = 'start: item+\nitem: WORD\nWORD: /[a-z]+/\n%ignore " "\n'


def made(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the tables of the parser are made anew; what is parsed with them must be the same."""
    calls: list[None] = []
    monkeypatch.setattr("dsl.language._text", lambda: SMALL)

    def loading(**options: bool) -> object:
        calls.append(None)
        return load(**options)

    monkeypatch.setattr("dsl.language.load", loading)
    assert grammar.__wrapped__().parse("some words") == load().parse("some words")
    return bool(calls)


def test_the_tables_of_the_parser_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path))
    assert made(monkeypatch)
    assert not made(monkeypatch)
    (entry,) = (tmp_path / "parser").iterdir()
    content = entry.read_bytes()
    entry.write_bytes(content[:5000] + b"x" + content[5001:])
    assert made(monkeypatch)
    entry.write_bytes(entry.read_bytes()[:-1])
    assert made(monkeypatch)
    entry.chmod(0o666)
    assert made(monkeypatch)  # others may have written it


def test_words() -> None:
    assert {"procedure", "event", "rule", "allow", "extend"} <= declaration_words()
    assert {"let", "event", "set", "tie"} <= statement_words()
    assert {"some", "true", "not", "if"} <= value_words()
    assert declaration_words() | statement_words() | value_words() <= keywords()
    assert spellings()["BOUND"] == ("most", "least")


def test_the_specification_lists_the_reserved_words() -> None:
    listed = re.search(r"Reserved words, [^`]*`([a-z\s]+)`", spec_text())
    assert listed is not None
    assert listed.group(1).split() == sorted(reserved_words())


def test_the_specification_shows_every_word() -> None:
    shown = re.findall(r"```grog\n.*?```|`[^`\n]+`", spec_text(), re.DOTALL)
    words = set(re.findall(r"[a-z]+", " ".join(shown)))
    assert keywords() - words == set()


def test_every_terminal_has_a_name_for_people() -> None:
    terminals = {t.name for t in grammar().terminals}
    named = terminals & spellings().keys() | FRIENDLY.keys()
    assert terminals - named - {"COMMENT", "__IGNORE_0"} == set()


def missing(rules: list[Rule], seen: set[Rule]) -> list[str]:
    """The alternatives among *rules* that *seen* lacks, and the optional parts never seen, or never left out."""
    groups: dict[tuple[str, str | None], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.origin.name, rule.alias), []).append(rule)
    found: list[str] = []
    for group in groups.values():
        parts = {symbol for rule in group for symbol in rule.expansion}
        hits = [rule for rule in group if rule in seen]
        if not hits:
            found += map(str, group)
        for part in parts:
            for there in (True, False):
                if any((part in rule.expansion) is there for rule in group) and not any(
                    (part in rule.expansion) is there for rule in hits
                ):
                    found.append(
                        f"{group[0].origin.name}: {part.name} {'there' if there else 'left out'}"
                    )
    return found


def test_good_programs_use_every_alternative_of_the_grammar() -> None:
    grammar = load(maybe_placeholders=True)
    parser = grammar.parser.parser.parser  # type: ignore[attr-defined]
    seen: set[Rule] = set()

    def noting(rule, callback):  # type: ignore[no-untyped-def]
        def called(children: list[object]) -> object:
            seen.add(rule)
            return callback(children)

        return called

    parser.callbacks = {rule: noting(rule, callback) for rule, callback in parser.callbacks.items()}
    terminals: set[str] = set()
    for path in GOOD:
        text = read(path).removeprefix("\ufeff")
        tree = grammar.parse(text)
        terminals |= {
            token.type for token in tree.scan_values(lambda value: isinstance(value, Token))
        }
    assert missing(list(parser.callbacks), seen) == []
    named = {terminal.name for terminal in grammar.terminals if not terminal.name.startswith("__")}
    kept = {name for name in named if name not in spellings() or len(spellings()[name]) > 1}
    assert kept - terminals <= {"COMMENT"}


def test_every_spelling_of_a_terminal_occurs_in_the_good_programs() -> None:
    words = set()
    for path in GOOD:
        words |= set(read(path).split())
    for name in ("SWITCH", "VISIBILITY", "MODIFIER", "VERDICT", "BOUND", "TIMING", "PLACE", "KIND"):
        assert set(spellings()[name]) <= words, name
