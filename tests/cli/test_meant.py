"""What is typed is never silently taken for something else: words are whole or begun, what connects them is left out, and what could be several is asked."""

from __future__ import annotations

import io
from functools import cache
from random import Random

import pytest
from at_prompt import opened, play, unkept
from project import ROOT, one_of_each, sampled

from grognard import places
from grognard.explain.explainer import Explainer
from grognard.fronts.terminal.session import Session
from grognard.lexicon.catalogue import words_in
from grognard.table.lines import LineReader, Stuck
from grognard.table.menu import Menu
from grognard.table.refused import Refused
from grognard.table.table import Table
from grognard.table.why import LazyExplainer, Why
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.option import Option
from runtime.spelling import plain
from runtime.view import view

#: Questions looked at in each game, options of each, and short forms of an option.
QUESTIONS, OPTIONS, FORMS = 60, 3, 3
LESSON = ("1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done", "done")


@cache
def explainer(ruleset: str) -> Explainer:
    return Explainer(places.ruleset(ROOT / "rulesets" / ruleset))


def asked(scenario: str, game: Game, menu: Menu, line: str) -> list[str]:
    """The answer to ``? line``."""
    assert game.decision is not None
    why = Why(game, menu, LazyExplainer(lambda: explainer(scenario.split("/")[0])))
    return list(map(str, why.line(LineReader(menu.scene), game.decision, line)))


def refused(scenario: str, game: Game, menu: Menu, line: str) -> str:
    """What is said of a line that is not taken."""
    out = io.StringIO()
    read = lambda: explainer(scenario.split("/")[0])  # noqa: E731
    table = Table(game, {}, read)
    session = Session(table, io.StringIO(), out, False, False, False, unkept(game))
    table.scene.style = menu.scene.style
    table.why.later.get()
    assert game.decision is not None
    with pytest.raises(Refused) as refused:
        table.options_in_line(game.decision, line)
    session.show_refusal(refused.value)
    return out.getvalue()


@pytest.fixture
def chasseurs() -> tuple[Game, Menu]:
    """The chasseurs and their colonel may move."""
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, *LESSON, "done")
    assert game.decision is not None and game.decision.prompt == "moves"
    return game, menu


def test_a_word_of_two_names_is_asked(chasseurs: tuple[Game, Menu]) -> None:
    """*Chasseurs à cheval* and their colonel both ride to D8."""
    _, menu = chasseurs
    with pytest.raises(
        IllegalOption, match="'Chasseurs D8' could mean: Chasseurs à cheval moves to D8, Col"
    ):
        LineReader(menu.scene).read(menu, "Chasseurs D8")
    assert [o.text for o in LineReader(menu.scene).read(menu, "colonel D8")] == [
        "lead F.colonel D8"
    ]


def test_a_name_that_is_not_offered_is_not_taken_for_one_that_has_it_as_a_word(
    chasseurs: tuple[Game, Menu],
) -> None:
    """Only the colonel reaches B6; the name of the battalions ends like that of their leader."""
    game, menu = chasseurs
    with pytest.raises(IllegalOption, match=r"'Chasseurs B6' could mean: .*Chasseurs à cheval"):
        LineReader(menu.scene).read(menu, "Chasseurs B6")
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, *LESSON[:-1], "Taupin B4")
    with pytest.raises(IllegalOption):
        LineReader(menu.scene).read(menu, "Taupin D6")
    assert [o.text for o in LineReader(menu.scene).read(menu, "2nd Taupin D6")] == [
        "move F.2nd-line D6"
    ]


def test_words_that_connect_are_left_out() -> None:
    game, menu = opened("no_retreat/barbarossa_1941", 5)
    read = LineReader(menu.scene).read
    plainly = [option.text for option in read(menu, "4th-Army 1106, 18 1304")]
    assert [
        option.text for option in read(menu, "4th-Army from 1107 to 1106, 18 to 1304")
    ] == plainly
    with pytest.raises(Stuck) as stuck:
        read(menu, "move 18th-Army to 0907")
    assert stuck.value.text == "0907"
    told = asked("no_retreat/barbarossa_1941", game, menu, "move 18th-Army to 0907")
    assert any("needs" in line for line in told) and not any("Sevastopol" in line for line in told)
    told = asked("no_retreat/barbarossa_1941", game, menu, "move West to 0907")
    assert told[0].startswith("move West: ")


def test_what_a_piece_cannot_do_is_told_behind_the_words_that_connect() -> None:
    game, menu = opened("cc_ancients/akragas", 5)
    card = next(o.text for o in game.decision.options if "order_3_right" in o.text)  # type: ignore[union-attr]
    play(game, menu, card, "S.LI1 and S.AUX3 and S.MC1, done")
    assert game.decision is not None and game.decision.prompt == "movement"
    told = asked("cc_ancients/akragas", game, menu, "move S.LI1 to D4")
    assert told[0].startswith("after") and any("D4" in line for line in told[1:])
    told = asked("cc_ancients/akragas", game, menu, "move S.HI1 to D4")
    assert told[0].startswith("move S.HI1: ")
    assert [
        option.text for option in LineReader(menu.scene).read(menu, "move S.MC1 from B11 to D10")
    ] == ["move S.MC1", "destination D10"]


def test_connecting_words_of_the_language() -> None:
    assert {"to", "at"} <= words_in("en").connecting < words_in("cs").connecting
    assert {"do", "na"} <= words_in("cs").connecting


def test_a_number_on_a_counter_that_is_not_offered_is_that_counter() -> None:
    """The 18th has moved: no option has its number."""
    game, menu = opened("no_retreat/barbarossa_1941", 5)
    play(game, menu, "18 1304")
    for line in ("18", "18 0603", "18 to 0603"):
        told = refused("no_retreat/barbarossa_1941", game, menu, line)
        assert "18th-Army: it has moved already" in told and "there is no option" not in told
    assert "there is no option 57" in refused("no_retreat/barbarossa_1941", game, menu, "57")


# ---------------------------------------------------------------------- in all games


def forms(menu: Menu, decision: Decision, option: Option, rng: Random) -> list[str]:
    """Short forms of an option: some of the words of what it is called, in their order."""
    made = []
    for name in (menu.wording(decision, option), option.text):
        words = name.replace(",", " ").split()
        for _ in range(FORMS):
            kept = sorted(rng.sample(range(len(words)), rng.randint(1, len(words))))
            made.append(" ".join(words[i] for i in kept))
    return list(dict.fromkeys(made))


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "scenario"),
    [*(("en", s) for s in sampled()), *(("cs", s) for s in one_of_each())],
)
def test_a_short_form_is_the_option_or_is_asked(scenario: str, language: str) -> None:
    """Unless it is the whole name, or the number, of another."""
    rng = Random(1)
    game, menu = opened(scenario, 1, language)
    taken = 0
    for _ in range(QUESTIONS):
        decision = game.decision
        if decision is None:
            break
        seen = view(game.state, decision.side)
        numbers = menu.numbers(decision)
        for option in rng.sample(decision.options, min(OPTIONS, len(decision.options))):
            for text in forms(menu, decision, option, rng):
                try:
                    found = menu.resolve(decision, text)
                except IllegalOption:
                    continue
                taken += found == option
                whole = plain(text) in menu.aliases(decision, found, seen)
                counter = menu.inscribed(decision, text) == found
                assert found == option or whole or counter or text == str(numbers[found.value]), (
                    text,
                    found.text,
                )
        game.play(rng.choice(decision.options))
    assert taken >= QUESTIONS // 2
