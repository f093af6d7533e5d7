"""Writing a game to a file while it is played."""

from __future__ import annotations

from collections.abc import Callable

from grognard.exits import Misuse
from grognard.files import kept_for_good, reason, short, target
from grognard.journal import Journal, shown
from grognard.words import Words
from runtime.game import Game


def saved(
    game: Game,
    journal: Journal,
    words: Words,
    rest: str,
    say: Callable[[str], None],
    ask: Callable[[str], str],
) -> None:
    """Write the game so far to the file *rest*; what there is to tell is said, what must be sure is asked."""
    if not rest:
        say(words("write 'save' and the name of a file"))
        return
    try:
        path = target(rest)
        try:
            what = kept_for_good(path, records=False)
        except OSError as error:
            raise Misuse(f"{short(rest)} cannot be written: {reason(error)}") from None
        if what:
            raise Misuse(f"{short(rest)} is {what}, and is not overwritten", "give another file")
        if path.exists() and path.stat().st_size and not journal.writes(path):
            message = "{file} is there already; 'yes' overwrites it, anything else does not"
            say(words(message, file=short(rest)))
            if words.understood(ask(f"{words('Overwrite it?')} ")) not in ("y", "yes"):
                say(words("not saved"))
                return
        journal.copy(game, path)
    except Misuse as error:
        say(f"{error}: {words('not saved')}")
        return
    say(words("saved; go on with: {command}", command=f"grognard play --resume {shown(path)}"))
