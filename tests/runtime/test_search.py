"""The bot that searches."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from project import placed
from skirmish_game import load_game, position

from runtime.errors import ArgumentError
from runtime.model import PASS
from runtime.runs import search
from runtime.runs.bots import VICTORY, RandomBot
from runtime.runs.search import SearchBot, SearchResult
from runtime.runs.series import play_match
from runtime.runs.worlds import PlainWorld
from runtime.state import RUNNING, RulesetFault
from runtime.view import view

PROGRAM, SETUP = load_game()


def choice(bot: SearchBot, seed: int, chance: int = 1) -> int:
    state = position(seed, 7 * seed).state
    return bot.search(PROGRAM, SETUP, view(state, state.chooser), state.options, Random(chance))


def thought(bot: SearchBot) -> SearchResult:
    assert bot.thought is not None
    return bot.thought


def test_the_same_chance_gives_the_same_choice() -> None:
    bots = SearchBot(playouts=20), SearchBot(playouts=20)
    for seed in range(5):
        assert choice(bots[0], seed) == choice(bots[1], seed)
        assert bots[0].thought == bots[1].thought


def test_it_stops_when_its_time_is_over() -> None:
    hurried = SearchBot(playouts=1_000_000, seconds=0.01)
    assert choice(hurried, 3) in position(3, 21).state.options
    assert 8 <= sum(one.times for one in thought(hurried).ranked) < 100_000


@pytest.mark.parametrize(
    ("far", "near", "horizon"), [(9, 9, (2, 80)), (3, 9, (1, 80)), (3, 1, (1, 40))]
)
def test_playouts_that_are_long_end_sooner(
    far: int, near: int, horizon: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []
    rollout = PlainWorld.rollout

    def noted(world: PlainWorld, tries: int, until: int, most: int) -> tuple[int, Sequence[float]]:
        asked.append((until - begun, most))
        return rollout(world, tries, until, most)

    monkeypatch.setattr(PlainWorld, "rollout", noted)
    monkeypatch.setattr(search, "_LONG_FAR", far)
    monkeypatch.setattr(search, "_LONG_NEAR", near)
    bot, begun = SearchBot(playouts=3), position(1, 7).state.checkpoints
    choice(bot, 1)
    assert thought(bot).horizon == horizon and asked[-3:] == [horizon] * 3


def test_what_is_rated_is_rated_at_the_same_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    part = search._Tree._part

    def noted(tree: search._Tree, side: int, worth: float) -> float:
        ended.append(tree.world.checkpoints)
        return part(tree, side, worth)

    monkeypatch.setattr(search._Tree, "_part", noted)
    passes = 0
    for seed in range(6):
        ended.clear()
        bot, state = SearchBot(playouts=40), position(seed, 7 * seed).state
        choice(bot, seed)
        passes += any(one.times for one in thought(bot).ranked if one.option == PASS)
        most = state.checkpoints + thought(bot).horizon.checkpoints
        assert max(ended) == most
    assert passes, "no option ends a turn"


@pytest.mark.parametrize(
    ("value", "part"), [(1, 1.0), (1 / 2, 0.75), (1 / 3, 2 / 3), (-1 / 4, 3 / 8), (-1, 0.0)]
)
def test_ends_are_rated_by_the_place(value: float, part: float) -> None:
    tree = search._Tree(None, PROGRAM.spec)  # type: ignore[arg-type]
    for standing in (-900, 900):
        assert tree._part(0, standing + VICTORY * value) == pytest.approx(part, abs=0.001)


def test_it_stops_when_nothing_can_change_its_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[int] = []
    grow = search._Tree.grow

    def counted(tree: search._Tree) -> None:
        grown[-1] += 1
        grow(tree)

    monkeypatch.setattr(search._Tree, "grow", counted)
    early = []
    for seed in range(8):
        grown.append(0)
        early.append(choice(SearchBot(playouts=60), seed))
    spared = [count < 60 for count in grown]
    monkeypatch.setattr(search._Tree, "is_decided", lambda tree, left: False)
    for seed, taken in enumerate(early):
        grown.append(0)
        assert choice(SearchBot(playouts=60), seed) == taken
    assert any(spared) and grown[8:] == [60] * 8


def test_it_goes_on_with_what_stands_behind_its_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    known: set[tuple[int, int, int]] = set()
    think = SearchBot._think

    def noted(bot: SearchBot, tree: search._Tree, ends: float) -> None:
        known.update(key for key, edge in tree.first.items() if edge.taken)
        assert sum(edge.taken for edge in tree.first.values()) == len(tree.ends)
        think(bot, tree, ends)

    monkeypatch.setattr(SearchBot, "_think", noted)
    bot, rng, gone_on, last = SearchBot(playouts=30), Random(1), 0, (-1, [0])
    for seed in range(3):
        state = PROGRAM.new_state(SETUP, seed)
        PROGRAM.begin(state)
        for _ in range(40):
            if state.over != RUNNING:
                break
            known.clear()
            now = state.chooser, list(state.counters)
            chosen = bot.search(PROGRAM, SETUP, view(state, state.chooser), state.options, rng)
            if known:
                gone_on += 1
                assert now == last, "there was chance, or another side has decided"
                assert known <= {(state.chooser, state.point, option) for option in state.options}
            last = now
            PROGRAM.answer(state, chosen)
    assert gone_on > 5


def test_what_it_knows_holds_for_its_next_decision_in_this_game_alone() -> None:
    bot, rng, met = SearchBot(playouts=30), Random(1), set[str]()
    for seed in range(12):
        state = position(seed, 7 * seed).state.copy()
        seen = view(state, state.chooser)
        if len(state.options) == 1:
            continue
        PROGRAM.answer(state, bot.search(PROGRAM, SETUP, seen, state.options, rng))
        kept, now = bot._kept, view(state, seen.side)
        if kept is None:
            met.add("nothing follows")
        elif kept.holds(now, rng):
            met.add("goes on")
            assert not kept.holds(now, Random(1)) and not kept.holds(seen, rng)
    assert met == {"nothing follows", "goes on"}


def test_games_are_the_same_whatever_a_bot_has_played_before() -> None:
    used = SearchBot(playouts=15)
    for seed in (3, 4, 3):
        fresh = [SearchBot(playouts=15), SearchBot(playouts=15)]
        again = play_match(PROGRAM, SETUP, [used, used], seed, record=True)
        assert again.record == play_match(PROGRAM, SETUP, fresh, seed, record=True).record


def test_a_careless_one_takes_others_too() -> None:
    careful, careless = SearchBot(playouts=5), SearchBot(playouts=5, careless=1.0)
    best, others = [], []
    for chance in range(20):
        best.append(choice(careful, 3, chance) == thought(careful).ranked[0].option)
        others.append(choice(careless, 3, chance) == thought(careless).ranked[0].option)
    assert all(best) and not all(others)


def test_what_it_expects_begins_with_its_choice_and_can_be_played() -> None:
    lengths = []
    for seed in range(6):
        bot, state = SearchBot(playouts=80), position(seed, 7 * seed).state
        chosen = bot.search(PROGRAM, SETUP, view(state, state.chooser), state.options, Random(2))
        found = thought(bot)
        assert found.chosen == chosen and found.line[0] == (state.chooser, state.point, chosen)
        assert sorted(one.option for one in found.ranked) == sorted(state.options)
        assert 0 <= found.ahead <= 1 and all(0 <= one.value <= 1 for one in found.ranked)
        state, left = state.copy(), list(found.line)
        while left and state.over == RUNNING:  # dice may bring another question
            side, question, option = left[0]
            if len(state.options) > 1 or state.options == [option]:
                if (state.chooser, state.point) != (side, question) or option not in state.options:
                    break
                left.pop(0)
            PROGRAM.answer(state, option if option in state.options else state.options[0])
        lengths.append(len(found.line) - len(left))
    assert max(lengths) > 1


def test_who_has_nothing_left_to_lose_expects_no_victory(monkeypatch: pytest.MonkeyPatch) -> None:
    bot, aheads = SearchBot(playouts=20), []
    for best in (0, 1):
        monkeypatch.setattr(PROGRAM, "standing", lambda state, side, best=best: 9 * (side == best))
        state = position(3, 12).state
        bot.search(PROGRAM, SETUP, view(state, state.chooser), state.options, Random(1))
        aheads.append(thought(bot).ahead)
    assert sorted(aheads) == [0.0, 1.0]


def test_it_passes_only_where_that_was_tried_clearly_more_or_did_better() -> None:
    spec = placed("cc_ancients/akragas").spec
    menu = next(d.index for d in spec.decisions if d.menu and d.prompt == "orders")
    once = next(d.index for d in spec.decisions if not d.menu and d.prompt == "command")
    options = [3, 5, PASS]

    def first(question: int, *taken: int, passed: float = 0.5) -> tuple[int, bool]:
        tree = search._Tree(None, spec)  # type: ignore[arg-type]
        for option, times in zip(options, taken):
            edge = tree.first[0, question, option] = search._Edge(0, 1 / 3)
            edge.taken, edge.total = times, times * (passed if option == PASS else 0.5)
        return tree.ranking(search._keys(0, question, options))[0].option, tree.is_decided(2)

    assert first(menu, 10, 2, 20) == (3, False) and first(once, 10, 2, 20) == (PASS, True)
    assert first(menu, 10, 2, 20, passed=0.4) == (3, False)
    assert first(menu, 10, 2, 20, passed=0.6) == (PASS, False)
    assert first(menu, 7, 2, 20) == (PASS, True) and first(menu, 9, 2, 20) == (PASS, False)
    assert first(menu, 20, 2, 10) == (3, True) and first(menu, 20, 2, 19) == (3, False)


def test_rules_that_always_fail_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> int:
        raise RulesetFault("a product is larger than 10^15")

    monkeypatch.setattr(PROGRAM, "standing", fails)
    with pytest.raises(RulesetFault, match="a product"):
        choice(SearchBot(playouts=5), 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("playouts", 0),
        ("seconds", -1.0),
        ("seconds", float("inf")),
        ("seconds", float("nan")),
        ("careless", 1.5),
        ("careless", "never"),
    ],
)
def test_numbers_that_cannot_be_are_refused(name: str, value: object) -> None:
    with pytest.raises(ArgumentError, match=f"{name} is a "):
        SearchBot(**{name: value})  # type: ignore[arg-type]


@pytest.mark.long
def test_it_beats_chance() -> None:
    bot, other, won = SearchBot(playouts=40), RandomBot(), 0
    for seed in range(5):
        for side in range(2):
            seats = [bot, other] if side == 0 else [other, bot]
            won += side in play_match(PROGRAM, SETUP, seats, seed).winners
    assert won >= 8
