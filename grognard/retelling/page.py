"""The page of a record: one HTML file, without anything from outside, to step through a game."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from typing import Final

import jinja2
from markupsafe import Markup

from grognard.retelling.labels import page_words
from grognard.retelling.moments import Course
from grognard.retelling.telling import Telling
from grognard.table.situation import end_sentences
from runtime.games.record import Record

#: The modules of pages with a board; scripts import them as ``board/name``.
MODULES: Final = ("dom", "moments", "board", "panels", "course")
#: Begins the script of a page of a record: what an element that a script has made imports, may run
#: as well, and addresses of data need not be let in for anybody.
_ENTRY: Final = """
const script = document.createElement("script");
script.type = "module";
script.src = import.meta.resolve("board/replay");
document.head.append(script);
"""
#: The characters that could end a script or a comment, or break a line of one.
UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&'\u2028\u2029"}


@dataclass
class _Fold:
    """A turn of the log: its title and its lines, each with its step and whether it says no more
    than what was decided.
    """

    title: str
    lines: list[tuple[int, str, bool]] = field(default_factory=list)


def page_of(course: Course, record: Record) -> str:
    """The page of a game as text.  StyleError where the ruleset's style cannot be used."""
    telling = Telling(course)
    for moment in course.moments():
        telling.add(moment)
    state, language = course.game.state, course.game.wording.language
    data = telling.data
    folds = [_Fold(title) for _, title in data["turns"]]
    for step, turn, text, taken in telling.lines:
        folds[turn].lines.append((step, text, taken))
    style, imports = asset("page.css"), _imports()
    policy = (
        f"default-src 'none'; script-src '{digest(imports)}' '{digest(_ENTRY)}' 'strict-dynamic'; "
        f"style-src '{digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    held = {**data, "words": page_words(language)}
    written = json.dumps(held, ensure_ascii=False, separators=(",", ":")).translate(UNSAFE)
    words = course.scene.words
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            language=language,
            title=course.setup.title,
            date=course.scene.wording.called(course.setup.date),
            players=[
                (course.sides[course.spec.sides.index(side)], name)
                for side, name in record.players
                if side in course.spec.sides
            ],
            outcome=end_sentences(state, course.sides, words)
            if state.over
            else course.word("unfinished"),
            shown=course.shown_to("", "seen_by_all", "seen_by"),
            folds=folds,
            word=course.word,
            policy=policy,
            script=Markup(_ENTRY),
            style=Markup(style),
            imports=Markup(imports),
            data=Markup(written),
        )
    )


def _imports() -> str:
    """Where the modules of the page are: in the page."""
    urls = {
        f"board/{name}": "data:text/javascript;base64,"
        + b64encode(asset(f"{name}.js").encode()).decode()
        for name in (*MODULES, "replay")
    }
    return json.dumps({"imports": urls})


def environment() -> jinja2.Environment:
    """Reads the templates that stand beside this module; whatever is put in is escaped in HTML."""
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=lambda name: bool(name and ".html" in name),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def asset(name: str) -> str:
    """A template, style or script of the pages."""
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """What a policy for content knows a script or style by."""
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
