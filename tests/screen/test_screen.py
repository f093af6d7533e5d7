"""The table on the whole screen of a terminal, by mouse and keys."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("textual")

from at_screen import Hand, at_screen, at_terminal, room
from textual.widgets import OptionList

from grognard.database import NotKept
from grognard.fronts.screen.field import Field
from grognard.fronts.screen.player import Player
from grognard.fronts.screen.sayings import Saying, Veil

AKRAGAS, LESSON = "cc_ancients/akragas", "battles_of_westeros/learning_battle"
Played = Callable[[], Awaitable[None]]


async def acts(hand: Hand, rng: Random) -> None:
    """Do something that is offered: on the board, in the list, or in a menu."""
    over = hand.screen.screen
    if isinstance(over, Veil):
        await hand.press("enter")
    elif isinstance(over, Saying):
        choices = over.query_one(OptionList).option_count - 1
        await hand.press(*["down"] * rng.randrange(max(1, choices)), "enter")
    else:
        option = rng.choice(hand.options)
        places = [h for part in option["parts"] for h in part["hexes"]]
        if places and rng.random() < 0.6:
            await hand.click(rng.choice(places))
        else:
            await hand.type(str(option["number"]))


def test_a_whole_battle_is_played_by_clicks_and_keys() -> None:
    async def battle() -> None:
        rng = Random(5)
        async with at_screen(room(LESSON, 4, lannister="random"), (80, 24)) as hand:
            while not hand.table.game.over:
                await acts(hand, rng)
            await hand.quiet()
            assert hand.table.end and hand.table.end in hand.text
            assert hand.options == []

    asyncio.run(battle())


def test_a_hint_is_followed_and_a_bot_says_what_it_expects() -> None:
    async def ask() -> None:
        async with at_screen(room(AKRAGAS, 7, top="novice")) as hand:
            await hand.type("expect")
            assert "no bot says yet what it expects" in hand.said
            await hand.press("escape", "h")
            assert "a bot would choose: play " in hand.said and "begin with it, rated" in hand.said
            await hand.press("enter")
            ((_, taken),) = hand.table.game.actions
            assert taken.startswith("command ")
            while hand.table.bots[0].thought is None:
                await hand.type("done!" if "done" in hand.options[-1]["text"] else "1")
            await hand.type("expect")
            assert re.search(r"stands ahead in \d+% of its \d+ tries", hand.said)

    asyncio.run(ask())


def test_a_click_chooses_a_piece_and_its_hex_as_one() -> None:
    async def move() -> None:
        async with at_screen(room(AKRAGAS, 7, top="random")) as hand:
            game = hand.table.game
            await hand.type("order_3_center")
            await hand.click("C7")  # its archers are ordered
            assert game.log[-1] == "S.LB2 is ordered"
            await hand.click("B2")
            assert "it stands in another section" in hand.said and "CCA-7.5" in hand.said
            await hand.press("escape")
            await hand.type("S.LC1")
            assert "it stands in another section" in hand.said
            await hand.press("x", "down", "enter")
            await hand.type("done!")
            assert game.decision is not None and game.decision.prompt == "movement"
            before = len(game.actions)
            await hand.click("C7")
            assert "Where does S.LB2 go?" in hand.text and len(game.actions) == before
            await hand.click("C7")  # let go
            assert "Where does S.LB2 go?" not in hand.text
            await hand.click("C7")
            await hand.press("escape")
            assert not hand.player.gesture.options
            await hand.click("C7")
            await hand.click("D7")
            assert game.log[-1] == "S.LB2 moves to D7" and len(game.actions) == before + 2
            await hand.press("u")
            assert len(game.actions) == before

    asyncio.run(move())


def test_nothing_hidden_stands_below_the_veil() -> None:
    async def hand_over() -> None:
        async with at_screen(room(AKRAGAS, 7)) as hand:
            table = hand.table

            def shows(side: int) -> bool:
                """Whether a card stands anywhere that only a side holds, and nobody has played."""
                public = "\n".join(table.said_openly(99))
                other = {name for name, _ in table.hand(1 - side)}
                own = [card for card in table.hand(side) if card[0] not in other]
                closed = [card for card in own if card[0] not in public]
                assert closed
                return any(text in hand.text for card in closed for text in card)

            assert isinstance(hand.screen.screen, Veil) and "Syracuse" in hand.text
            assert not shows(0) and not shows(1)
            await hand.press("enter")
            assert shows(1) and not shows(0)
            while table.decision is not None and table.decision.side == 1:
                await hand.type(str(hand.options[-1]["number"]))
            assert isinstance(hand.screen.screen, Veil) and "Carthage" in hand.text
            assert not shows(0) and not shows(1)
            await hand.press("enter")
            assert shows(0) and not shows(1)

    asyncio.run(hand_over())


def test_it_speaks_czech_on_a_small_screen_and_teaches() -> None:
    async def czech() -> None:
        made = room(AKRAGAS, 7, "cs", top="random")
        async with at_screen(made, (80, 24), teaching=True) as hand:
            assert "Zpět" in hand.text and "Nápověda" in hand.text
            assert "CCA-" in hand.said  # what such a question means
            await hand.press("enter")
            board, options = hand.screen.query_one(Field), hand.screen.query_one("#options")
            assert board.drawing is not None and board.size.height >= board.drawing.height
            assert options.size.height >= 3 and options.region.bottom <= 24
            await hand.press("t", "t")
            assert hand.screen.query_one("#hand").display and not options.is_on_screen
            await hand.type("zpět")
            assert hand.said

    asyncio.run(czech())


def test_what_cannot_be_kept_is_not_shown_as_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    made = room(AKRAGAS, 7, top="random")
    player = Player(made)
    player.look()
    before = player.show
    with monkeypatch.context() as patch:

        def full(*_: object) -> None:
            raise NotKept("there is no room", "make some")

        patch.setattr(made.kept, "keep", full)
        said = player.choose(before["question"]["options"][0])
        assert said is not None and "there is no room" in said.title
        player.look()
        assert player.show is before
        assert "there is no room" in player.undo().title  # type: ignore[union-attr]
    player.look()
    assert player.show is before  # it is kept with what is asked next
    assert player.undo() is None  # which comes too late: this is told first
    player.look()
    assert player.show["version"] == before["version"] + 1


def test_at_a_terminal_it_is_left_and_gone_on_with(tmp_path: Path) -> None:
    said = at_terminal(tmp_path, ["akragas", "--bot", "top=random"], "1\r", "q")
    (name,) = re.findall(r"grognard play --resume (\S+)", said)
    assert "Good-bye." in at_terminal(tmp_path, ["--resume", name], "u", "q")  # as if never begun
