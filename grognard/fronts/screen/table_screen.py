"""The table on a whole screen: the board always in sight; beside it the question and its options,
the panel, the hand; below it what has happened, and a line to type into.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, TypeVar

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option as Line

from grognard.draw.text.located import Drawing
from grognard.fronts.room import Room
from grognard.fronts.screen.field import Field
from grognard.fronts.screen.player import Dialog, Option, Player
from grognard.fronts.screen.sayings import Saying, Veil, option_text

#: From this width on all stands beside the board, this wide; below it, in tabs.
_WIDE, _BESIDE, _MOST = 100, 38, 64
#: How many lines stand around the board at least: beside and below.
_LINES, _BELOW = 9, 13
#: How many lines of what has happened stand there; `log` tells all.
_LATELY: Final = 60

HELP = """\
A click on a piece or hex, or Enter at the cursor, takes the option that names it.
A piece, its hex and its target are one gesture: nothing is taken before it is whole.
What is not possible says why. In the list, ↑ ↓ and Enter choose; typing finds options.
The line takes all that the prompt takes: 'S.HI2 D6, done', '? hill', 'look X', 'odds X', 'log 30'.
"""
#: Seconds within which what has come is seen together.
_TOGETHER: Final = 0.02
_T = TypeVar("_T")
#: The keys that are commands, and not typed into the line, and what they do.
_KEYS: Final = {
    "u": "take('undo')",
    "h": "take('hint')",
    "p": "take('go_by')",
    "n": "never",
    "w": "why",
    "z": "zoom",
    "t": "turn_tab",
    "question_mark": "help",
    "q": "leave",
}


@dataclass(frozen=True)
class Sidebar:
    """What is drawn beside the question."""

    drawing: Drawing
    panel: list[str]
    hand: list[tuple[str, str]]
    log: list[str]
    #: how many lines of the log were known when the player decided last
    known: int

    def lately(self) -> Text:
        """The end of the log; what has come since stands out."""
        first = max(0, len(self.log) - _LATELY)
        lines = enumerate(self.log[first:], first)
        return Text("\n").join(Text(one, "dim" if n < self.known else "") for n, one in lines)


class TableScreen(App[None]):
    """The screen of whoever plays in a *room*; its bots begin when it is there."""

    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("escape", "let_go", show=False),
        Binding("slash", "type", show=False),
        *(Binding(key, action, show=False) for key, action in _KEYS.items()),
    ]
    CSS = """
    #head { height: 1; background: $panel; }
    #table { height: 1fr; layout: horizontal; }
    #map { width: 1fr; }
    #where { height: 1; color: $text-muted; }
    #log { height: 1fr; min-height: 3; border-top: solid $panel; }
    #asked { height: 1fr; }
    #question { height: auto; max-height: 50%; }
    #options { height: 1fr; border: none; padding: 0; }
    #panel, #hand { height: auto; max-height: 30%; border-top: solid $panel; }
    VerticalScroll, OptionList, Field { scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }
    .empty { display: none; }
    #foot { height: 1; background: $panel; link-style: none; link-color: $text; }
    #line { border: none; height: 1; padding: 0; }
    #tabs { display: none; height: 1; }
    #tabs Underline { display: none; }
    .-narrow #table { layout: vertical; }
    .-narrow #map { height: auto; width: 100%; }
    .-narrow #beside { height: 1fr; }
    .-narrow #tabs { display: block; }
    .-narrow #beside > *, .-narrow #log { display: none; height: 1fr; max-height: 100%; border: none; }
    .-narrow #beside > .open, .-narrow #log.open { display: block; }
    .-narrow .at-log #map { height: 1fr; }
    .-narrow .at-log #beside { display: none; }
    Saying, Veil { align: center middle; background: $background 40%; }
    #saying { width: 70%; min-width: 50; max-width: 90; height: auto; max-height: 80%; border: round $primary; padding: 0 1; background: $surface; }
    #saying VerticalScroll { height: auto; max-height: 24; }
    #saying OptionList { height: auto; max-height: 12; border: none; background: $surface; margin-top: 1; }
    """  # noqa: E501 - rules of style, each a line

    class Heard(Message):
        """The game has gone on."""

    def __init__(self, room: Room, teaching: bool = False) -> None:
        super().__init__()
        self.room, self.player, self.words = room, Player(room, teaching), room.table.words
        #: the signal that has ended it
        self.stopped = 0
        #: the fault of the program that has ended it
        self.failed: Exception | None = None
        self._large = False
        #: the version at which the cursor was led to what is asked
        self._led = -1
        self._listed: list[Option | None] = []
        #: what was drawn last, by the names of the parts
        self._drawn: dict[str, Text] = {}

    def compose(self) -> ComposeResult:
        """What there is."""
        words = self.words
        yield Static(id="head")
        yield Tabs(
            Tab(words("options").capitalize(), id="at-asked"),
            Tab(words("Table"), id="at-panel"),
            Tab(words("Hands"), id="at-hand"),
            Tab(words("Log"), id="at-log"),
            id="tabs",
        )
        with Container(id="table"):
            with Vertical(id="map"):
                yield Field()
                yield Static(id="where")
                yield VerticalScroll(Static(), id="log")
            with Vertical(id="beside"):
                with Vertical(id="asked", classes="open"):
                    yield VerticalScroll(Static(), id="question", can_focus=False)
                    yield OptionList(id="options")
                yield VerticalScroll(Static(), id="panel")
                yield VerticalScroll(Static(), id="hand")
        asked = words("Or write what you want to do")
        yield Input(id="line", placeholder=asked, compact=True, select_on_focus=False)
        yield Static(self._footer(), id="foot")

    def _footer(self) -> Content:
        """The keys, which can be clicked."""
        words = self.words
        said = (
            words("Undo"),
            words("Hint"),
            words("Pass"),
            words("Not again"),
            words("Why?"),
            words("Size"),
            words("Tab"),
            words("Help"),
            words("Quit"),
        )
        keys = [(key.replace("question_mark", "?"), action) for key, action in _KEYS.items()]
        return Content("  ").join(
            Content.from_markup(f"[@click=app.{action}][b $accent]{key}[/] {word}[/]")
            for (key, action), word in zip(keys, said, strict=True)
        )

    # ------------------------------------------------------------------ the game goes on

    async def on_mount(self) -> None:
        """Begin to play."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(NotImplementedError, RuntimeError, AttributeError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._stop, number)
        self.query_one(Field).focus()
        self.room.listeners.add(self._hear)
        self.room.begin()
        self.query_one("#log", VerticalScroll).anchor()
        self.see()

    def _stop(self, number: int) -> None:
        self.stopped = number
        self.exit()

    def _hear(self) -> None:
        self.post_message(self.Heard())

    def on_table_screen_heard(self) -> None:
        """See what has come."""
        if self.room.closed:
            self.exit()
        self.see()

    @work(exclusive=True, group="see")
    async def see(self) -> None:
        """See how the game stands, and hand over where somebody else is asked."""
        await asyncio.sleep(_TOGETHER)  # what comes at once is seen at once
        await self._look(self.player.look)
        side = self.player.handover
        if side is not None and not isinstance(self.screen, Veil):
            self.veil(side)

    async def _look(self, look: Callable[[], Dialog | None]) -> None:
        """See, draw, and teach what there is to be taught."""
        taught = await self._in_thread(look)
        await self.paint()
        self.foretell()
        self._to_offer()
        if taught is not None:
            self.do(lambda: taught)

    @work(exclusive=True, group="foretell")
    async def foretell(self) -> None:
        """Put odds beside the options, as they are worked out."""
        more = True
        while more:
            more = await self._in_thread(self.player.foretell)
            self._show_odds()

    async def _in_thread(self, what: Callable[[], _T]) -> _T:
        """Do what may take its time; one thing at a time, and nothing is taken meanwhile."""

        def alone() -> _T:
            with self.room.table.lock:
                return what()

        try:
            return await asyncio.to_thread(alone)
        except Exception as error:
            self.failed = error
            self.exit()
            raise asyncio.CancelledError from error

    def _to_offer(self) -> None:
        """Lead the cursor to what is asked, once."""
        question, version = self.player.question, self.player.show["version"]
        led, self._led = self._led, version
        if question and question["hexes"] and led != version:
            labels = list(self.player.called)
            lit = [labels.index(h) for h in question["hexes"]]
            field = self.query_one(Field)
            if field.cursor not in lit:
                field.put(lit[0])

    @work(exclusive=True, group="veil")
    async def veil(self, side: int) -> None:
        """Cover the screen until another has taken it over."""
        name, people = self.room.table.side_name(side), len(self.room.table.people)
        self.query_one(Input).value = ""
        if isinstance(self.screen, Saying):
            self.screen.dismiss(None)
        await self.push_screen_wait(Veil([self._handing_over(name, people)]))
        await self._look(self.player.sit_down)

    def _handing_over(self, name: str, people: int) -> str:
        several = "To decide: {side}. The other players look away; press Enter to go on."
        one = "To decide: {side}. The other player looks away; press Enter to go on."
        return self.words(one, side=name) if people == 2 else self.words(several, side=name)

    @work(exclusive=True, group="do")
    async def do(self, what: Callable[[], Dialog | None]) -> None:
        """Do something, and say what comes of it; what is chosen then is done, too."""
        asked: Callable[[], Dialog | None] | None = what
        while asked is not None:
            self._write("where", Text("…"))
            say = await self._in_thread(asked)
            asked = None
            if say is not None and self.player.handover is None:
                chosen = await self.push_screen_wait(Saying(say, self.words))
                asked = None if chosen is None else say.choices[chosen][2]
        self.see()

    # ------------------------------------------------------------------ what is drawn

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= _WIDE

    @property
    def _room(self) -> tuple[int, int]:
        """How many columns and lines there are for the board."""
        width, height = self.size
        return (width - _BESIDE, height - _LINES) if self._is_wide else (width, height - _BELOW)

    def _sidebar(self) -> Sidebar:
        player = self.player
        drawing = player.drawing(*self._room, self._large)
        panel = player.panel(self._sidebar_width(drawing))
        return Sidebar(drawing, panel, player.hand(), player.log(), player.known)

    def _sidebar_width(self, drawing: Drawing) -> int:
        """How wide that is which stands beside the board."""
        spare = self.size.width - drawing.width
        return max(_BESIDE, min(_MOST, spare)) if self._is_wide else self.size.width

    async def paint(self) -> None:
        """Draw all anew."""
        seen = await self._in_thread(self._sidebar)
        if not self.query(Field):  # the program has ended meanwhile
            raise asyncio.CancelledError
        drawing, (width, height) = seen.drawing, self._room
        field = self.query_one(Field)
        field.styles.height = min(drawing.height + (drawing.width > width), height)
        self.query_one("#beside").styles.width = self._sidebar_width(drawing)
        field.draw(drawing, self._chosen_hexes())
        self._paint_question()
        for name, text in (
            ("panel", Text.from_ansi("\n".join(seen.panel))),
            ("hand", Text("\n").join(option_text(title, "", text) for title, text in seen.hand)),
            ("log", seen.lately()),
        ):
            if self._write(name, text):
                self.query_one(f"#{name}").set_class(not text.plain, "empty")
        self._show_hex(field.cursor)

    def _write(self, name: str, text: Text) -> bool:
        """Write a text into a part of the screen; whether it is another one."""
        if self._drawn.get(name) == text:
            return False
        self._drawn[name] = text
        part = self.query_one(f"#{name}")
        (part if isinstance(part, Static) else part.query_one(Static)).update(text)
        return True

    def _chosen_hexes(self, option: Option | None = None) -> set[int]:
        """The hexes of what is chosen, and of an option."""
        labels = list(self.player.called)
        options = [*self.player.gesture.options, *([option] if option else [])]
        return {labels.index(h) for one in options for part in one["parts"] for h in part["hexes"]}

    def _paint_question(self) -> None:
        player, words = self.player, self.words
        show, question = player.show, player.question
        place, name = show["place"], self.player.ground["words"]
        head = " · ".join([name, *place["header"], *place["around"]])
        self._write("head", Text(head, style="bold"))
        text = Text(overflow="fold")
        steps = [f"[{s}]" if n == place["step"] else s for n, s in enumerate(place["steps"])]
        if steps:
            text.append(" › ".join(steps) + "\n", style="dim")
        if player.fault:
            told_of = words("The game cannot go on: {0}", **{"0": player.fault})
            text.append(f"{told_of}\n", style="bold red")
        text.append(self._question_text(), style="bold")
        for option in player.gesture.options:
            text.append(f"\n› {option['words']}")
        self._write("question", text)
        self._list(question["options"] if question else [])

    def _question_text(self) -> str:
        """What is asked, whom one waits for, or how it has ended."""
        show, question, words = self.player.show, self.player.question, self.words
        if question is not None:
            return f"{self.player.ground['sides'][question['side']]}: {question['words']}"
        if show["decides"] is None:
            return str(show["end"])
        name = self.player.ground["sides"][show["decides"]]
        if show["waits"]:
            return words("It is for {0} to decide.", **{"0": name})
        return words("{0} is thinking …", **{"0": name})

    def _list(self, options: Sequence[Option]) -> None:
        """List options, grouped by what is done; those that stand alone come last."""
        groups: dict[str, list[Option]] = {}
        for option in options:
            groups.setdefault(option["head"] if option["parts"] else "", []).append(option)
        alone = groups.pop("", [])
        lines: list[Line] = []
        listed: list[Option | None] = []
        for head, group in [*groups.items(), *([("", alone)] if alone else [])]:
            if any(c.isalpha() for c in head):
                lines.append(Line(Text(head, style="underline"), disabled=True))
                listed.append(None)
            lines += [Line(self._line(option)) for option in group]
            listed += group
        if listed == self._listed:
            self._show_odds()
            return
        self._listed = listed
        shown = self.query_one(OptionList)
        shown.set_options(lines)
        if options:
            shown.highlighted = listed.index(next(o for o in listed if o))

    def _line(self, option: Option) -> Text:
        """An option as it is listed, with its odds as far as they are known."""
        item = option["item"] if option["parts"] and option["head"] else option["words"]
        number = Text(f"{option['number']:>2} ", style="dim")
        return number + option_text(item, self.player.odds_of(option), option["card"])

    def _show_odds(self) -> None:
        """Put the odds into the list, which stays where it is."""
        for shown in self.query("#options").results(OptionList):  # it may be gone already
            for at, option in enumerate(self._listed):
                if option is not None and option["foreseen"]:
                    shown.replace_option_prompt_at_index(at, self._line(option))
        for field in self.query(Field):
            self._show_hex(field.cursor)

    def _option(self, at: int | None) -> Option | None:
        """The option in a line of the list."""
        return self._listed[at] if at is not None and at < len(self._listed) else None

    def _show_hex(self, h: int) -> None:
        place = list(self.player.called)[h]
        self._write("where", Text(self.player.about(place), no_wrap=True))

    # ------------------------------------------------------------------ what is done

    def on_field_pointed(self, event: Field.Pointed) -> None:
        """Somebody points at a hex."""
        self.do(partial(self.player.point, list(self.player.called)[event.hex]))

    def on_field_over(self, event: Field.Over) -> None:
        """The cursor or the mouse has come to a hex."""
        self._show_hex(event.hex)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The hexes of an option stand out while it is looked at."""
        looked = self._option(event.option_index) if event.option_list.has_focus else None
        for field in self.query(Field):  # it may be gone already when the program ends
            field.stand_out(self._chosen_hexes(looked))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An option is chosen from the list."""
        if (option := self._option(event.option_index)) is not None:
            self.do(partial(self.player.choose, option))

    def on_input_changed(self, event: Input.Changed) -> None:
        """What is typed finds options."""
        question = self.player.question if self.player.show else None
        self._list(self.player.matching_options(event.value) if question else [])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line is typed: the one option that it finds, else what the prompt understands."""
        line, found = event.value.strip(), self.player.matching_options(event.value)
        self.query_one(Input).value = ""
        self._turn_to(self.query_one(Field))
        if self.words.understood(line) in ("quit", "exit"):
            self.action_leave()
        elif self.words.understood(line) in ("?", "help"):
            self.action_help()
        elif not line:
            return
        elif len(found) == 1:
            self.do(partial(self.player.choose, found[0]))
        else:
            self.do(partial(self.player.take_line, line))

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """On a small screen one thing stands below the board."""
        wanted = str(event.tab.id).removeprefix("at-")
        for name in ("asked", "panel", "hand", "log"):
            self.query_one(f"#{name}").set_class(name == wanted, "open")
        self.query_one("#table").set_class(wanted == "log", "at-log")

    async def on_resize(self) -> None:
        """There is more room, or less."""
        if self.player.show:
            await self.paint()

    def on_key(self, event: events.Key) -> None:
        """What is no command is typed into the line."""
        character = event.character or ""
        if self.screen.is_modal or not character.isprintable() or event.key in _KEYS:
            return
        line = self.query_one(Input)
        if line.has_focus or not character:
            return
        self._turn_to(line)
        line.insert_text_at_cursor(character)

    def _turn_to(self, part: Widget) -> None:
        """Lead the keys to a part at once: the next may have been pressed already."""
        self.screen.set_focus(part)

    def action_take(self, what: str) -> None:
        """Do something of the player's."""
        self.do(getattr(self.player, what))

    def action_never(self) -> None:
        """Pass, whenever the same is asked in this turn."""
        self.do(partial(self.player.go_by, True))

    def action_why(self) -> None:
        """Explain the option that is looked at in the list, else the question."""
        listed = self.query_one(OptionList)
        option = self._option(listed.highlighted) if listed.has_focus else None
        self.do(partial(self.player.why, option))

    async def action_zoom(self) -> None:
        """The board as large as it can be, or as fits."""
        self._large = not self._large
        await self.paint()

    def action_turn_tab(self) -> None:
        """Show the next of what stands below the board."""
        self.query_one(Tabs).action_next_tab()

    def action_type(self) -> None:
        """Type a line."""
        self._turn_to(self.query_one(Input))

    def action_let_go(self) -> None:
        """Let go what is typed, else what is chosen."""
        self.query_one(Input).value = ""
        self._turn_to(self.query_one(Field))
        if self.player.gesture.options:
            self.do(self.player.drop)

    def action_help(self) -> None:
        """Tell how one plays here, and what the signs on the board mean."""
        lines = [(line, 0) for line in self.words.lines(HELP).split("\n")]
        self.do(lambda: Dialog(self.words("Help"), lines + [(k, 0) for k in self.player.key(60)]))

    def action_leave(self) -> None:
        """Leave; the game is kept."""
        self.exit()
