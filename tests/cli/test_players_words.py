"""What a player reads is in a player's words: terms, acts, the steps to come; no identifier of the rules is shown where there is a text."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from at_prompt import opened, play
from project import compiled, one_of_each, playable, sampled

from compiler.trees import rules_of
from grognard.explain.explainer import Explainer
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from grognard.table.situation import Whereabouts
from grognard.table.why import LazyExplainer, Why
from runtime.games.game import Game
from runtime.view import view

#: Questions looked at in a game, and things asked at each.
QUESTIONS, ASKED = 25, 3
_IDENTIFIER = re.compile(r"\b[a-z]+_[a-z_]+\b")


@cache
def explainer(ruleset: str, language: str = "en") -> Explainer:
    return Explainer(compiled(ruleset), language=language)


def ask(scenario: str, game: Game, menu: Menu, *asked: str) -> list[str]:
    """The answers to questions at the prompt."""
    decision = game.decision
    assert decision is not None
    ruleset = scenario.split("/")[0]
    why = Why(game, menu, LazyExplainer(lambda: explainer(ruleset, menu.scene.words.language)))
    return [str(line) for one in asked for line in why.line(LineReader(menu.scene), decision, one)]


def labels(ruleset: str) -> set[str]:
    """The labels of rules as words, but for those that a text has, too, and for single words."""
    program = compiled(ruleset).program
    said = " ".join([*program.texts["en"].values(), *program.texts["cs"].values()]).casefold()
    calls = program.calls.values()
    made = [r.name for call in calls for r in rules_of(call.roots)]
    made += [m.name for call in calls for found in call.modifiers.values() for m in found]
    words = {name.replace("_", " ") for name in made if "_" in name}
    return {name for name in words if name not in said}


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "scenario"),
    [*(("en", s) for s in sampled()), *(("cs", s) for s in one_of_each())],
)
def test_no_identifier_is_shown(scenario: str, language: str) -> None:
    rng = Random(2)
    game, menu = opened(scenario, 2, language)
    hidden = labels(scenario.split("/")[0])
    pieces = [piece.name for pieces in game.setup.pieces.values() for piece in pieces]
    asked = 0
    for _ in range(QUESTIONS):
        decision = game.decision
        if decision is None:
            break
        things = [menu.wording(decision, o) for o in rng.sample(decision.options, 1)]
        things += [
            *rng.sample(pieces, min(len(pieces), ASKED - 1)),
            rng.choice(game.spec.board.labels),
        ]
        told = [menu.prompt(decision), *(menu.wording(decision, o) for o in decision.options)]
        place = Whereabouts(game, menu.scene).place(view(game.state, decision.side))
        told += [*place.header, *place.around, *place.steps]
        told += ask(scenario, game, menu, *things)
        asked += len(things)
        for line in told:
            assert not _IDENTIFIER.search(line), line
            assert not [
                label for label in hidden if re.search(rf"(?<!\w){label}(?!\w)", line.casefold())
            ], line
        game.play(rng.choice(decision.options))
    assert asked >= QUESTIONS
    for line in game.log:
        assert not _IDENTIFIER.search(line), line


@pytest.mark.parametrize("game", playable())
def test_terms_cite_rules_that_there_are(game: str) -> None:
    """… and every ruleset explains some."""
    index = explainer(game).index
    texts = compiled(game).program.texts
    terms = [key for key in texts["en"] if key.startswith("term.") and key.endswith(".text")]
    assert len(terms) >= 10
    for language in ("en", "cs"):
        for key in terms:
            for cited in re.findall(r"\[([^\]]*)\]", texts[language][key]):
                assert all(rule.strip() in index for rule in cited.split(",")), key


def test_what_is_asked_for_is_told_in_words() -> None:
    scenario = "cc_ancients/akragas"
    game, menu = opened(scenario, 5)
    card = next(o.text for o in game.decision.options if "order_3_right" in o.text)  # type: ignore[union-attr]
    play(game, menu, card)
    for asked in ("evade", "retreat", "line of sight", "banners"):
        assert len(ask(scenario, game, menu, asked)[0]) > 60, asked
    told = ask(scenario, game, menu, "retreat")[0]
    assert "CCA-" in told and "CORE-" not in told
    told = " ".join(ask(scenario, game, menu, "S.HI1"))
    assert "later in the turn: Movement (" in told and "Battle (fire with, attack with)" in told
    assert "later in the turn" in " ".join(ask(scenario, game, menu, "move S.HI1 to D4"))
    assert "later in the turn" not in " ".join(ask(scenario, game, menu, "C.LI1"))
    play(game, menu, "S.LI1", "done")
    told = " ".join(ask(scenario, game, menu, "S.HI1"))
    assert "move S.HI1: has an order: no" in told
