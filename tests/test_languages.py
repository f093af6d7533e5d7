"""Languages: every text there is in each, arguments and forms agree, and records do not depend on them."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from project import ROOT, compiled, playable, program_of, setup_of

from compiler.texts import missing
from grognard.book.phrases import GROUPS
from grognard.fronts.cli.main import main
from grognard.fronts.cli.rulesets.check import list_missing, panel_keys
from grognard.fronts.web.page_words import STUDIO
from grognard.fronts.web.page_words import WORDS as AT_THE_TABLE
from grognard.lexicon.catalogue import (
    CATALOGUES,
    ENGLISH,
    Words,
    choose_language,
    languages,
    preferred_languages,
    words_in,
)
from grognard.retelling.labels import WORDS
from runtime.data.reader import as_text, parse
from runtime.games.game import Game
from runtime.spelling import plain
from runtime.words.said import ARGUMENT, fill_wording

OTHERS = [language for language in languages() if language != ENGLISH]
#: Games whose texts are complete in other languages than English.
TRANSLATED = playable()
#: Who says the program's own words.
_SAYERS = {"words", "_words", "plainly"}
#: … where they are given to a function.
_GIVEN = "say"


# ---------------------------------------------------------------------- the program's own words


@cache
def _modules() -> dict[Path, ast.Module]:
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "grognard").rglob("*.py"))
    }


def _constants(tree: ast.AST) -> dict[str, set[str]]:
    """The texts that names are given."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if targets and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for target in targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, set()).add(node.value.value)
    return found


def _said(
    call: ast.Call, known: dict[str, set[str]], shared: dict[str, set[str]]
) -> tuple[bool, set[str]]:
    """Whether a call says something line by line, and the messages that it may say."""
    function = call.func
    by_line = (
        isinstance(function, ast.Attribute)
        and function.attr == "lines"
        and _named(function.value) in _SAYERS
    )
    given = isinstance(function, ast.Name) and function.id == _GIVEN
    if not call.args or not (by_line or given or _named(function) in _SAYERS):
        return False, set()
    first = call.args[0]
    if isinstance(first, ast.Constant):
        return by_line, {str(first.value)}
    if isinstance(first, ast.IfExp):
        return by_line, {
            str(one.value) for one in (first.body, first.orelse) if isinstance(one, ast.Constant)
        }
    name = _named(first)
    return by_line, known.get(name, set()) or shared.get(name, set())


def _named(node: ast.expr) -> str:
    return (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )


def _imported(tree: ast.Module) -> dict[str, set[str]]:
    """The texts that the constants of a module have, and those that it imports."""
    found = _constants(_top(tree))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            source = _modules().get(ROOT / f"{(node.module or '').replace('.', '/')}.py")
            constants = {} if source is None else _constants(_top(source))
            found |= {
                alias.name: constants[alias.name] for alias in node.names if alias.name in constants
            }
    return found


def _top(tree: ast.Module) -> ast.Module:
    return ast.Module(
        [node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))], []
    )


@cache
def messages() -> dict[str, set[str]]:
    """The messages that the program says in the language of the players, and the arguments it gives them."""
    found: dict[str, set[str]] = {}
    for path, tree in _modules().items():
        if path.name == "words.py":
            continue
        shared = _imported(tree)
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        for function in (node for node in ast.walk(tree) if isinstance(node, functions)):
            known = _constants(function)
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                by_line, texts = _said(call, known, shared)
                for line in (
                    line
                    for text in texts
                    for line in (text.split("\n") if by_line else [text])
                    if line
                ):
                    found.setdefault(line, set()).update(k.arg or "" for k in call.keywords)
    for text in _help():
        found.setdefault(text, set())
    of_book = (text for phrases in GROUPS for text in phrases.values())
    for text in (*WORDS.values(), *AT_THE_TABLE.values(), *STUDIO.values(), *of_book):
        found.setdefault(text, set()).update(argument[1] for argument in ARGUMENT.finditer(text))
    return found


def _help() -> Iterator[str]:
    """What commands with help in the language of the players say of themselves."""
    for path, tree in _modules().items():
        if path.parents[1].name == "cli" and "SPOKEN" in {
            _named(t) for n in tree.body if isinstance(n, ast.Assign) for t in n.targets
        }:
            module = import_module(f"grognard.fronts.cli.{path.parent.name}.{path.stem}")
            parser = argparse.ArgumentParser()
            module.configure(parser)
            yield from (
                " ".join(part.split()) for part in (module.__doc__ or "").strip().split("\n\n")
            )
            yield from (
                group.title or "" for group in parser._action_groups if group._group_actions
            )
            yield from (action.help or "" for action in parser._actions)
            yield from (line.rpartition("  ")[2] for line in (parser.epilog or "").splitlines())


def _catalogue(language: str) -> dict[str, dict[str, str]]:
    return as_text(parse((CATALOGUES / f"{language}.yaml").read_text(encoding="utf-8"), "")[0])


def test_the_programs_messages_are_found() -> None:
    assert (
        "taken back" in messages()
        and "no way leads there" in messages()
        and "a scenario's file or name" in messages()
    )
    assert messages()["Winner: {winner}."] == {"winner"} and len(messages()) > 80


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_there_and_none_is_idle(language: str) -> None:
    given = _catalogue(language)["messages"]
    assert sorted(messages().keys() - given.keys()) == [], "messages without a translation"
    assert sorted(given.keys() - messages().keys()) == [], "translations of what nothing says"


@pytest.mark.parametrize("language", OTHERS)
def test_arguments_of_messages_agree(language: str) -> None:
    for message, text in _catalogue(language)["messages"].items():
        asked = {found[1] for found in ARGUMENT.finditer(message)}
        assert {found[1] for found in ARGUMENT.finditer(text)} == asked, message
        assert asked <= messages()[message], f"{message}: arguments that the program does not give"


@pytest.mark.parametrize("language", OTHERS)
def test_typed_words_are_those_of_the_prompt_and_mean_one_thing(language: str) -> None:
    from grognard.fronts.terminal.session import _COMMANDS
    from grognard.table.lines import ALL

    typed = _catalogue(language)["typed"]
    words = [plain(word) for group in typed.values() for word in group]
    assert len(words) == len(set(words)) and not set(words) & {*typed, *_COMMANDS} - set(typed)
    assert typed.keys() <= {*_COMMANDS, ALL, "done", "name", "turn", "yes"}
    assert typed.keys() >= {*_COMMANDS, ALL} - {"exit"}


def test_messages_are_put_together() -> None:
    words = Words(
        "xx",
        {
            "{count: 1 # line | # lines} of {name}": "{name}: {count: 1 # řádek | 2-4 # řádky | # řádků}"
        },
        {},
        ",",
        "\N{NO-BREAK SPACE}",
    )
    said = [
        words("{count: 1 # line | # lines} of {name}", count=n, name="a{b}")
        for n in (0, 1, 2, 4, 5, 22)
    ]
    assert said == [
        f"a{{b}}: {n}" for n in ("0 řádků", "1 řádek", "2 řádky", "4 řádky", "5 řádků", "22 řádků")
    ]
    assert words("unknown {name}", name=1) == "unknown 1"
    assert words.percent(0.256, 1) == "25,6\N{NO-BREAK SPACE}%" and words.number(2.5, 2) == "2,50"
    assert (
        Words()("{count: 1 # line | # lines}", count=1) == "1 line"
        and Words().percent(0.5) == "50%"
    )


def test_words_are_typed_with_accents_or_without() -> None:
    words = words_in("cs")
    assert (
        words.understood("zpět") == words.understood("ZPET") == words.understood("undo") == "undo"
    )
    assert words.understood("Vše") == "all" and words.understood("něco") == "něco"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, []),
        ({"LANG": "cs_CZ.UTF-8"}, ["cs"]),
        ({"LANG": "C.UTF-8"}, []),
        ({"LANG": "cs_CZ.UTF-8", "LC_ALL": "C"}, []),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "cs_CZ"}, ["cs"]),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "de:cs"}, ["de", "cs", "en"]),
        (
            {"LANGUAGE": "cs"},
            [],
        ),  # as gettext has it: without a locale there is nothing to translate
        ({"LANG": "cs_CZ@x", "GROGNARD_LANGUAGE": "en"}, ["en"]),
    ],
)
def test_the_environment_chooses(
    environment: dict[str, str], wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert preferred_languages(environment) == wanted
    for name in ("GROGNARD_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
        if name in environment:
            monkeypatch.setenv(name, environment[name])
    assert choose_language(None) == next((code for code in wanted if code in languages()), "en")
    assert choose_language("cs_CZ.UTF-8") == "cs" and choose_language(None, ("de",)) == next(
        (c for c in wanted if c in {"de", *languages()}), "en"
    )


# ---------------------------------------------------------------------- texts of rulesets


def _texts(game: str, language: str) -> dict[str, str]:
    return compiled(game).program.texts.get(language, {})


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", TRANSLATED)
def test_no_text_is_missing(game: str, language: str) -> None:
    assert [
        text.key for text in missing(compiled(game).program, language, panel_keys(compiled(game)))
    ] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", TRANSLATED)
def test_arguments_of_texts_agree(game: str, language: str) -> None:
    english = _texts(game, ENGLISH)
    for key, text in _texts(game, language).items():
        if key in english and "/" not in key:
            assert {f[1] for f in ARGUMENT.finditer(text)} == {
                f[1] for f in ARGUMENT.finditer(english[key])
            }, key


@pytest.mark.parametrize("game", TRANSLATED)
def test_czech_forms_are_for_one_few_and_many(game: str) -> None:
    for key, text in _texts(game, "cs").items():
        for found in ARGUMENT.finditer(text):
            if found[3] is not None:
                forms = [part.strip() for part in found[3].split("|")]
                assert any(form.startswith("1 ") for form in forms) and any(
                    form.startswith("2-4 ") for form in forms
                ), key
                assert not re.match(r"\d", forms[-1]), f"{key}: no form for all else"


def test_what_a_ruleset_words_anew_in_english_is_not_the_bases_in_another(tmp_path: Path) -> None:
    from compiler.ruleset import Ruleset
    from compiler.sources.folders import find_in

    enum = "enum Side { red, blue }\nfields Game { sort: Sort = one }\nenum Sort { one, two }\ndecision main { }\n"
    for name, head, texts in (
        (
            "low",
            "ruleset low\n" + enum,
            {
                "en": "Sort.one: one\nSort.two: two\n",
                "cs": "Sort.one: jedna\nSort.two: dva\nSort.two/gen: dvou\n",
            },
        ),
        (
            "high",
            "ruleset high extends low\n",
            {"en": "Sort.two: a pair\nSort.one: one\n", "cs": "title: Vysoko\n"},
        ),
    ):
        (tmp_path / name / "texts").mkdir(parents=True)
        (tmp_path / name / "ruleset.grog").write_text(head)
        for language, text in texts.items():
            (tmp_path / name / "texts" / f"{language}.yaml").write_text(text)
    made = Ruleset(tmp_path / "high", find_in(tmp_path)).program.texts
    assert (
        made["cs"] == {"Sort.one": "jedna", "title": "Vysoko"}
        and made["en"]["Sort.two"] == "a pair"
    )


def test_names_and_cases() -> None:
    assert (
        fill_wording("do {0/gen} {1/gen: 1 a | b}", ["Řím", "1"], lambda i, case: f"{case}{i}")
        == "do gen0 b"
    )
    setup = setup_of("cc_ancients/akragas")
    english, czech = (
        Game(program_of("cc_ancients"), setup, 1, language=one).wording for one in ("en", "cs")
    )
    side = SimpleNamespace(kind="enum", name="Side", of=None, optional=False)
    assert [w.word(side, i) for w in (english, czech) for i in (0, 1)] == [
        "Carthage",
        "Syracuse",
        "Kartágo",
        "Syrakusy",
    ]
    section = SimpleNamespace(kind="enum", name="Section", of=None, optional=False)
    assert [czech.fill_template("{0/gen} {0/acc} {0}", [section], [i]) for i in (0,)] == [
        "levého křídla levé křídlo levé křídlo"
    ]
    assert (
        czech.display_name("Nobody") == "Nobody" and english.display_name("Syracuse") == "Syracuse"
    )


# ---------------------------------------------------------------------- at the prompt


@pytest.fixture
def play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Plays lines at the prompt; what was said."""
    import io

    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path))
    for name in ("GROGNARD_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def play(lines: list[str], *arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
        capsys.readouterr()
        assert main(["play", *arguments]) == 0
        return capsys.readouterr().out

    return play


AKRAGAS = ("cc_ancients/akragas", "--bot", "top=greedy", "--seed", "5")


def test_a_game_in_czech_is_the_game_in_english(
    play: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "rozkaz trem jednotkam vpravo",
        "S.LI1",
        "zpět",
        "S.LI1",
        "hotovo",
        "ukaž S.LI1",
        "rada",
        "záznam kolo 1",
        "done",
        "konec",
    ]
    told = play(lines, *AKRAGAS, "--language", "cs", "--record", str(tmp_path / "cs"))
    assert (
        "Syrakusy: Kdo dostane rozkaz?" in told
        and "vzato zpět" in told
        and "počítač by zvolil" in told
    )
    assert (
        "· Syrakusy: hraje se Rozkaz třem jednotkám vpravo" in told
        and "kostek v boji zblízka: 2" in told
    )
    for english in (
        "Which",
        "taken back",
        "banners",
        "at C11",
        "draw deck",
        "small letters",
        "To go on",
    ):
        assert english not in told, english
    lines = ["Order Three Units Right", "S.LI1", "undo", "S.LI1", "done", "done", "quit"]
    play(lines, *AKRAGAS, "--record", str(tmp_path / "en"))
    taken = [
        [
            line
            for line in (tmp_path / name).read_text().splitlines()
            if not line.startswith(("commitment", "#"))
        ]
        for name in ("cs", "en")
    ]
    assert taken[0] == taken[1]
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "cs")]) == 0
    out = capsys.readouterr().out
    assert "Syracuse played Order Three Units Right" in out and "the record holds" in out


def test_why_not_and_help_are_in_czech(play: Callable[..., str]) -> None:
    lines = ["1", "S.LI1", "hotovo", "S.LI1", "? A1", "?", "99", "xyz", "?? A1"]
    told = play(lines, *AKRAGAS, "--language", "cs")
    assert "polí daleko" in told and "'xyz' není na výběr" in told and "volba 99 není" in told
    assert "vzít zpět poslední řádek" in told and "Kterýkoli zvýrazněný hex." in told


def test_help_of_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["play", "--help", "--language", "cs"]) == 0
    assert "zapsat záznam do souboru" in capsys.readouterr().out
    monkeypatch.setenv("GROGNARD_LANGUAGE", "cs")
    assert main(["play", "--help"]) == 0
    assert "zapsat záznam do souboru" in capsys.readouterr().out


def test_an_unknown_language_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "cc_ancients/akragas", "--language", "xx"]) == 2
    assert "there are no texts in the language 'xx'" in capsys.readouterr().err


def test_missing_texts_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_missing([compiled("cc_ancients")], "de") == 1
    out = capsys.readouterr().out
    assert 'prompt.orders: ""  # Who gets an order?' in out and 'field.banners: ""' in out
    assert list_missing([compiled("cc_ancients")], "cs") == 0
