"""What covers the screen: an explanation, a small menu, and the veil between two who share it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from grognard.fronts.screen.player import Dialog
from grognard.lexicon.catalogue import Words


class Saying(ModalScreen[int | None]):
    """Says something; what is chosen of its choices, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "let_go", show=False),
        Binding("enter", "let_go", show=False),
    ]

    def __init__(self, say: Dialog, words: Words) -> None:
        super().__init__()
        self._say, self._words = say, words

    def compose(self) -> ComposeResult:
        """Title, lines and choices."""
        with Vertical(id="saying"):
            if self._say.title:
                yield Static(Text(self._say.title, style="bold"))
            if self._say.lines:
                with VerticalScroll():
                    for text, level in self._say.lines:
                        line = Static(Text.from_ansi(text))
                        line.styles.padding = (0, 0, 0, 2 * level)
                        yield line
            close = self._words("Cancel") if self._say.choices else self._words("Close")
            yield OptionList(
                *[option_text(words, note) for words, note, _ in self._say.choices], close
            )

    def on_mount(self) -> None:
        """Enter takes the first choice."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Something is chosen."""
        event.stop()
        chosen = event.option_index
        self.dismiss(chosen if chosen < len(self._say.choices) else None)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """This is no option of the table's."""
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """A click beside it lets it go."""
        if event.widget is self:
            self.dismiss(None)

    def action_let_go(self) -> None:
        """Nothing is chosen."""
        self.dismiss(None)


class Veil(ModalScreen[None]):
    """The screen is handed over; beneath it stands what all may see."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "lift", show=False)]

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Whom it is handed over to."""
        with Vertical(id="saying"):
            for line in self._lines:
                yield Static(Text(line, style="bold"))

    def on_click(self) -> None:
        """Whoever clicks has taken over."""
        self.dismiss(None)

    def action_lift(self) -> None:
        """Whoever presses Enter has taken over."""
        self.dismiss(None)


def option_text(words: str, note: str, card: str = "") -> Text:
    """An option with what comes of it, and what its card says."""
    text = Text(words)
    if note:
        text.append(f"  {note}", style="yellow")
    if card:
        text.append(f"\n{card}", style="dim")
    return text
