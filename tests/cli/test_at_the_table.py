"""What a player is spared, tried in two games: lists that end, numbers in their order, groups upon the map."""

from __future__ import annotations

import io
from contextlib import suppress
from random import Random

import pytest
from at_prompt import opened, play, unkept

from grognard.draw.picture import Picture
from grognard.draw.text.position import TextBoard
from grognard.explain.explainer import Explainer
from grognard.explain.rollouts import odds_of
from grognard.fronts.terminal.columns import Listing
from grognard.fronts.terminal.console import Console, Ended
from grognard.fronts.terminal.session import Session
from grognard.table.hints import each_alone, figures
from grognard.table.inspection import look
from grognard.table.lines import LineReader
from grognard.table.menu import Menu
from grognard.table.passes import StandingPasses
from grognard.table.table import Table
from runtime.errors import IllegalOption
from runtime.games.explanation import Line
from runtime.games.game import Game
from runtime.view import view


def _no_explainer() -> Explainer:
    raise AssertionError("nothing was asked")


@pytest.fixture
def westeros() -> tuple[Game, Menu]:
    game, menu = opened("battles_of_westeros/learning_battle", 3)
    play(game, menu, "Sellswords First", "no", "F4, G6, G7")
    return game, menu


def test_done_ends_a_list_that_is_called_otherwise_or_has_ended_by_itself(
    westeros: tuple[Game, Menu],
) -> None:
    game, menu = westeros
    copy = game.copy()
    play(copy, menu.for_copy(copy), "G7 D5, done")
    assert copy.decision is not None and copy.decision.name == "stark"
    play(game, menu, "G7 D5, G6 E6, F4 E5, done!")
    assert game.decision is not None and game.decision.name == "stark"


def test_done_behind_what_cannot_be_taken_back_is_left_out(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5", "token green_shield S.war_host2", "C5")
    assert game.decision is not None and game.decision.prompt == "attack"
    taken = LineReader(menu.scene).read(menu, "1, done")
    assert [option.branch for option in taken] == ["attack"]
    with pytest.raises(IllegalOption, match="cannot be taken back"):
        LineReader(menu.scene).read(menu, "1, done, 1")


def test_options_are_numbered_as_they_are_listed(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5")
    decision = game.decision
    assert decision is not None and decision.prompt == "action"
    numbers = menu.numbers(decision)
    assert len(numbers) > 5 and numbers[decision.options[-1].raw] == len(numbers)
    alone = next(o for o in decision.options if o.branch == "raise_morale")
    assert all(numbers[alone.raw] > numbers[o.raw] for o in decision.options if o.branch == "card")


def test_a_list_without_words_of_its_own_has_no_head(westeros: tuple[Game, Menu]) -> None:
    game, menu = westeros
    play(game, menu, "G7 D5, G6 E6, F4 E5", "Out of the Woods")
    assert game.decision is not None and game.decision.prompt == "tactics"
    lines = list(
        Listing(menu.scene.words, False, 100).options(
            Table(game, {}, _no_explainer).question(game.decision, view(game.state, 0)), True
        )
    )
    assert not any(line.strip() == "…" for line in lines)


def test_a_group_is_shown_where_its_units_stand() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    assert game.decision is not None and game.decision.prompt == "token"
    label = game.spec.board.label
    assert {label(h) for h in menu.marks(game.decision, view(game.state, 0))} == {"C4", "C5"}


def test_what_a_line_could_mean_is_said_of_all_its_words() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(
        game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done"
    )
    assert game.decision is not None and game.decision.prompt == "moves"
    with pytest.raises(
        IllegalOption, match=r"'C4 D4' could mean: 1st battalion.* rides to D4$"
    ) as refused:
        LineReader(menu.scene).read(menu, "C4 D4, done")
    assert len(refused.value.matches) == 2


def said_at_a_terminal(game: Game, menu: Menu, *lines: str) -> str:
    """What a player sees who types these lines, wherever they are wrapped."""
    out = io.StringIO()
    session = Session(
        Table(game, {}, _no_explainer),
        io.StringIO("".join(f"{line}\n" for line in lines)),
        out,
        False,
        False,
        True,
        unkept(game),
    )
    session.table.scene.style = menu.scene.style
    with suppress(Ended):
        session.run()
    return " ".join(out.getvalue().split())


def test_what_stands_for_the_time_being_is_wiped() -> None:
    for screen, wiped in ((True, "thinking …\r\x1b[Kdone\nnext\n"), (False, "done\nnext\n")):
        out = io.StringIO()
        console = Console(io.StringIO(), out, False, screen, True)
        console.say_briefly("thinking …")
        for text in ("done", "next"):
            console.say(text)
        assert out.getvalue() == wiped


def test_what_is_undone_is_told_once_for_each_question_where_undo_helps() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay")
    assert game.decision is not None and game.decision.prompt == "formations"
    told = said_at_a_terminal(game, menu, "", "done", "done", "undo", "done")
    assert told.count("Still possible: ") == 1
    assert game.decision.prompt == "moves"


def test_the_number_of_a_pass_is_taken_for_what_it_says_where_undo_helps() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay")
    assert game.decision is not None and game.decision.prompt == "formations"
    told = said_at_a_terminal(game, menu, "", number_of_pass(game, menu))
    assert "Still possible: " not in told and game.decision.prompt == "moves"


def test_the_number_of_a_pass_is_asked_back_where_undo_does_not_help() -> None:
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    assert game.decision is not None and game.decision.prompt == "movement"
    number = number_of_pass(game, menu)
    told = said_at_a_terminal(game, menu, "", number)
    assert told.count(f"'{number}' again ends it") == 1 and game.decision.prompt == "movement"
    told = said_at_a_terminal(game, menu, "", number, number)
    assert told.count("again ends it") == 1 and game.decision.prompt == "targets"
    told = said_at_a_terminal(game, menu, "", "no more")  # its own words are meant
    assert "Still possible: " not in told and game.decision.prompt != "targets"


def number_of_pass(game: Game, menu: Menu) -> str:
    """What one types for the pass by its number."""
    assert game.decision is not None
    return str(menu.numbers(game.decision)[game.decision.options[-1].raw])


def test_a_piece_may_be_called_by_some_of_its_words() -> None:
    game, menu = opened("battles_of_napoleon/first_lesson", 3)
    play(
        game, menu, "1", "attack", "attack", "1", "defence", "defence", "we", "stay", "stay", "done"
    )
    decision = game.decision
    assert decision is not None and decision.prompt == "moves"
    assert menu.resolve(decision, "2nd Taupin D6").text == "move F.2nd-line D6"
    assert menu.resolve(decision, "battalion D6").text == "move F.2nd-line D6"
    with pytest.raises(IllegalOption, match="could mean"):
        menu.resolve(decision, "battalion D5")
    with pytest.raises(IllegalOption, match="not among"):
        menu.resolve(decision, "battalion D1")


def test_the_next_order_ends_the_one_before_it() -> None:
    """An advance that could go on is over where the line goes on with another unit."""
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    play(game, menu, "18 1304, done", "1, done", "done", "4Pz, 16, 18", "2", "3")
    while game.decision is not None and game.decision.prompt in ("commitment", "retreat"):
        play(game, menu, str(len(game.decision.options)))
    assert game.decision is not None and game.decision.prompt == "advance"
    copy = game.copy()
    with pytest.raises(IllegalOption, match="is not among the options"):
        LineReader(menu.scene).read(menu, "4Pz 1204, 8Pz")
    play(copy, menu.for_copy(copy), "4Pz 1204, 16 1305, done, done")
    told = list(copy.log_of(0))
    assert "4th-Panzer advances to 1204" in told and "16th-Army advances to 1305" in told
    assert copy.decision is not None and copy.decision.prompt != "advance"


def test_done_behind_the_last_order_does_not_pass_the_movement() -> None:
    game, menu = opened("cc_napoleonics/rolica_1", 5)
    play(game, menu, "Attack Center", "B6, B7, B8, done")
    assert game.decision is not None and game.decision.name == "bottom"
    assert {option.branch for option in game.decision.options} >= {"move"}
    play(game, menu, "done")
    assert game.decision is None or game.decision.name == "top"


@pytest.fixture
def barbarossa() -> tuple[Game, Menu]:
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    return game, menu


def test_the_rest_of_a_line_tells_which_of_two_options_of_a_piece_is_meant(
    barbarossa: tuple[Game, Menu],
) -> None:
    game, menu = barbarossa
    play(game, menu, "done")
    while game.decision is not None and not (
        game.decision.side and game.decision.prompt == "movement"
    ):
        game.play(game.decision.options[-1])
    decision = game.decision
    assert decision is not None
    with pytest.raises(IllegalOption, match="move Southwest, entrain Southwest"):
        menu.resolve(decision, "sw")
    for line in ("sw 1112", "southwest 1112", "move sw 1112"):
        taken = LineReader(menu.scene).read(menu, line)
        assert [option.branch for option in taken] == ["march", "march_to"]
    assert [o.branch for o in LineReader(menu.scene).read(menu, "entrain sw, nw 1405")] == [
        "entrain",
        "march",
        "march_to",
    ]
    with pytest.raises(IllegalOption, match="after 'move Southwest'"):
        LineReader(menu.scene).read(menu, "sw 1304")


def test_numbers_of_cards_and_of_what_is_offered_no_more(barbarossa: tuple[Game, Menu]) -> None:
    game, menu = barbarossa
    decision = game.decision
    assert decision is not None
    menu.numbers(decision)
    play(game, menu, "3 1106")
    assert game.decision is not None
    with pytest.raises(IllegalOption, match=r"3 \(move 4th-Panzer\) is offered no more"):
        menu.resolve(game.decision, "3")
    play(game, menu, "9th 1106, done", "west, done")
    while game.decision is not None and game.decision.prompt != "commitment":
        play(game, menu, game.decision.options[-1].text)
    decision = game.decision
    assert decision is not None
    option = decision.options[0]
    number = menu.wording(decision, option).removeprefix("commit ").split()[0]
    assert int(number) > len(decision.options)
    assert menu.resolve(decision, number) == option


def test_a_hex_may_be_named_by_the_enemy_in_it_and_all_is_for_lists(
    barbarossa: tuple[Game, Menu],
) -> None:
    game, menu = barbarossa
    play(game, menu, "4pz 1106, 9th 1106, done")
    taken = LineReader(menu.scene).read(menu, "nw, west, attack sw")
    assert [option.text for option in taken] == ["target 1305", "target 1207", "target 1011"]
    play(game, menu, "west, done")
    while game.decision is not None and game.decision.prompt not in ("attacker", "force"):
        play(game, menu, game.decision.options[-1].text)
    play(game, menu, "all")
    decision = game.decision
    assert decision is not None and decision.prompt == "support"
    with pytest.raises(IllegalOption, match="for lists"):
        LineReader(menu.scene).read(menu, "all")


def test_done_behind_an_advance_ends_it_and_the_list(barbarossa: tuple[Game, Menu]) -> None:
    game, menu = barbarossa
    seeds = iter(range(1, 40))
    while game.decision is None or game.decision.prompt != "advance":
        game, menu = opened("no_retreat/barbarossa_1941", next(seeds))
        play(game, menu, "4pz 1106, 9th 1106, done", "west, done")
        while game.decision is not None and game.decision.prompt not in ("advance", "movement"):
            play(
                game,
                menu,
                "all" if game.decision.prompt == "attacker" else game.decision.options[-1].text,
            )
    taken = LineReader(menu.scene).read(menu, "4pz 1207 1307, done")
    assert [option.branch for option in taken] == ["advance", "advance_further", "halt", "halt"]


def test_look_finds_what_counters_and_cards_say(barbarossa: tuple[Game, Menu]) -> None:
    game, menu = barbarossa
    assert game.decision is not None
    seen = view(game.state, game.decision.side)
    looks = menu.scene.looks(seen)

    def looked(text: str) -> str:
        return "\n".join(map(str, look(menu.scene, seen.data, text, looks=looks)))

    assert looked("nw").startswith("Northwest:") and looked("4pz").startswith("4th-Panzer:")
    assert looked("moscow").startswith("Moscow: ") and "2008 Moscow" in looked("moscow")
    assert looked("33").startswith("33 Siege Artillery") and looked("stavka").startswith(
        "STAVKA: Take"
    )
    assert looked("bridgehead").startswith("Bridgehead: ") and "21 Expert" in looked("leaders /")
    assert looked("nowhere") == "there is no piece, hex or card 'nowhere'"


def test_odds_of_options_one_beside_the_other(barbarossa: tuple[Game, Menu]) -> None:
    game, menu = barbarossa
    play(game, menu, "4pz 1106, 9th 1106, done", "nw, west, sw, done")
    while game.decision is not None and game.decision.prompt != "battle":
        play(game, menu, game.decision.options[-1].text)
    decision = game.decision
    assert decision is not None
    with pytest.raises(IllegalOption):
        LineReader(menu.scene).read(menu, "1, 3")
    assert each_alone(menu, decision, "1, 3") == [(decision.options[0],), (decision.options[2],)]
    assert each_alone(menu, decision, "1, 7") == []


def test_below_the_board_stands_what_the_marks_on_counters_mean(
    barbarossa: tuple[Game, Menu], westeros: tuple[Game, Menu]
) -> None:
    game, menu = barbarossa
    units = game.setup.pieces["Unit"]
    one, other = (next(i for i, p in enumerate(units) if p.name == n) for n in ("West", "Central"))

    def key() -> str:
        seen = view(game.state, 0)
        return TextBoard(menu.scene, seen.data, menu.scene.looks(seen)).whole([], 140)

    assert "disorganized" not in key()
    game.state.unit_disorganized[one] = 1
    game.state.unit_unsupplied[other] = 1
    assert "D disorganized" in key() and "U marked unsupplied" in key()
    game, menu = westeros
    # one sign for several commanders stands for what they are
    assert "+ led by" in key() and "b blue" in key()


def test_never_passes_the_same_question_until_the_turn_is_over() -> None:
    game, _ = opened("no_retreat/barbarossa_1941", 7)
    standing, decision = StandingPasses(game), game.decision
    assert decision is not None and decision.prompt == "movement"
    assert standing.answer(decision) is None
    standing.take(decision)
    passing = standing.answer(decision)
    assert passing is not None and passing.passes
    turn = game.state.checkpoints
    while game.state.checkpoints == turn:
        assert game.decision is not None
        assert game.decision.prompt == "movement" or standing.answer(game.decision) is None
        game.play(game.decision.options[-1])
    assert standing.answer(decision) is None
    standing.take(decision)
    standing.drop(1 - decision.side)
    assert standing.answer(decision) is not None
    standing.drop(decision.side)
    assert standing.answer(decision) is None


def test_never_at_the_prompt() -> None:
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    told = said_at_a_terminal(game, menu, "", "4pz", "1106", "never", "never", "no more")
    assert told.count("Still possible") == 1 and game.decision is not None
    assert game.decision.name == "soviet"
    while game.decision is not None and game.decision.prompt != "discard":
        game.play(game.decision.options[-1])
    told = said_at_a_terminal(game, menu, "", "never")
    assert "cannot be passed by" in told


@pytest.mark.parametrize("lines", [("never", "never"), ("never!",)])
def test_never_asks_back_where_undo_does_not_help(lines: tuple[str, ...]) -> None:
    game, menu = opened("no_retreat/barbarossa_1941", 7)
    play(game, menu, "done")
    assert game.decision is not None and game.decision.prompt == "targets"
    told = said_at_a_terminal(game, menu, "", *lines)
    assert (
        told.count("'never' again ends it") == len(lines) - 1 and game.decision.prompt != "targets"
    )


def test_markers_lie_in_hexes(barbarossa: tuple[Game, Menu]) -> None:
    game, menu = barbarossa
    play(game, menu, "4pz 1106, 9th 1106, done", "nw, west, done")
    seen = view(game.state, 0)
    looks = menu.scene.looks(seen)
    there = {
        (marker.hex, marker.text)
        for marker in Picture(game.spec, game.setup, game.state, menu.scene.style).markers()
    }
    board = game.spec.board
    assert there == {(board.index("1305"), "T"), (board.index("1207"), "T")}
    assert Line("to be attacked", 1) in look(menu.scene, seen.data, "1305", looks=looks)
    shown = TextBoard(menu.scene, seen.data, looks).whole([], 140)
    assert "T to be attacked" in shown and "C counterblow" not in shown
    game.state.side_blows[1] = 1 << board.index("1902")
    seen = view(game.state, 0)
    assert Line("counterblow (Soviet Union)", 1) in look(
        menu.scene, seen.data, "leningrad", looks=menu.scene.looks(seen)
    )


def test_odds_tell_what_counters_say_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Card 6 takes a step of the enemy: no field of a unit is its strength, its counter says it."""
    game, menu = opened("no_retreat/barbarossa_1941", 1)
    menu.scene.value = game.program.value
    rng = Random(1)
    while not (mine := [o for o in game.decision.options if o.text == "play c6"]):  # type: ignore[union-attr]
        game.play(rng.choice(game.decision.options))  # type: ignore[union-attr]
    seen = odds_of(game, menu.scene, mine, Random(1), figures(menu.scene), 60).seen
    assert ("18th-Army", "3-4 becomes 3-3") in seen
