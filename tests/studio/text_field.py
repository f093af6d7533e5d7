"""The text that the studio shows, in a browser: what it says, and typing into it."""

from __future__ import annotations

from typing import Any

_FIELD = "const field = document.querySelector('#editor .cm-content').cmTile.view;"
_AT = (
    f"{_FIELD} const [text, behind] = arguments, at = field.state.doc.toString().indexOf(text);"
    "if (at < 0) return false;"
)


def text_of(driver: Any) -> str:
    """The whole text, whatever part of it is in view."""
    return str(driver.execute_script(f"{_FIELD} return field.state.doc.toString();"))


def replaced(driver: Any, old: str, fresh: str) -> bool:
    """Whether the *old* words are there, and have been written over."""
    done: bool = driver.execute_script(
        f"{_AT} field.dispatch({{ changes: {{ from: at, to: at + text.length, insert: behind }}, "
        "userEvent: 'input.type' }); return true;",
        *(old, fresh),
    )
    return done


def put_cursor(driver: Any, text: str, behind: int = 0) -> tuple[int, int]:
    """Put the cursor so many characters behind the beginning of a *text*; where it is then on the
    screen.
    """
    at = driver.execute_script(
        f"{_AT} field.dispatch({{ selection: {{ anchor: at + behind }}, scrollIntoView: true }}); "
        "field.focus(); const { left, top, bottom } = field.coordsAtPos(at + behind); "
        "return [left, (top + bottom) / 2];",
        *(text, behind),
    )
    return round(at[0]), round(at[1])
