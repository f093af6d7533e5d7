"""The pages: what of them does not change while they are open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jinja2
from markupsafe import Markup

from grognard.fronts.web.page_words import table_words
from grognard.retelling.page import MODULES, UNSAFE, digest
from grognard.retelling.page import environment as retelling


def imports(static: str, way: str) -> str:
    """Where the modules are that scripts import: below the address *static*, and the *way* to
    whoever plays the game.
    """
    return json.dumps(
        {
            "imports": {
                **{f"board/{name}": f"{static}board/{name}.js" for name in MODULES},
                "preact": f"{static}vendor/preact.js",
                "preact/hooks": f"{static}vendor/hooks.js",
                "htm": f"{static}vendor/htm.js",
                "table/html": f"{static}html.js",
                "table/connection": f"{static}connection.js",
                "way": f"{static}{way}",
            }
        }
    )


#: What leads the pages of the server on: to one another, to what does not change, to the server.
#: What they may do, the server says.
_IMPORTS: Final = imports("/static/", "way.js")
_SERVER: Final = {"lobby": "/", "static": "/static/", "imports": _IMPORTS, "policy": ""}
#: What pages with forms may do: send them to this server, and no more; they run no scripts.
FORMS: Final = (
    "default-src 'none'; style-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
#: What pages may do: run this server's scripts, talk to it, and no more.
POLICY: Final = (
    f"default-src 'none'; script-src 'self' '{digest(_IMPORTS)}'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def environment() -> jinja2.Environment:
    """Reads the templates of this folder, and those of the page of a record, which they extend."""
    own = retelling()
    beside = own.loader

    def source(name: str) -> str | None:
        path = files(__package__).joinpath("page", name)
        return path.read_text(encoding="utf-8") if path.is_file() else None

    assert beside is not None
    own.loader = jinja2.ChoiceLoader([jinja2.FunctionLoader(source), beside])
    return own


def lobby_page(language: str, ways: Mapping[str, str] = _SERVER) -> str:
    """The page on which games are begun and gone on with.  *ways* lead to the ``lobby``, to what is
    ``static``, and of modules to their places (:func:`imports`), with the ``policy`` of a page that
    says itself what it may do; so for all pages.
    """
    return _render_page("lobby.html.j2", language, ways, title="Grognard")


def game_page(language: str, ways: Mapping[str, str] = _SERVER) -> str:
    """The page of a game under way; what is seen of it comes later."""
    return _render_page(
        *("game.html.j2", language, ways),
        title="Grognard",
        date="",
        players=[],
        outcome="",
        shown="",
        folds=[],
    )


def message_page(language: str, message: str, remedy: str = "") -> str:
    """A page that says something, and leads to the lobby."""
    return _message_page(language, message=message, remedy=remedy)


def enter_page(language: str) -> str:
    """The page of a link, on which one agrees to be let in by it."""
    return _message_page(language, "enter.html.j2")


def forward_page(language: str, to: str) -> str:
    """A page that leads on by itself."""
    return _message_page(language, forward=to)


def sign_in_page(language: str, to: str, recovers: bool, name: str = "", wrong: str = "") -> str:
    """The page on which one signs in, or makes an account, and is led on *to* somewhere then;
    *recovers*: a new password can be sent for.
    """
    told = {"to": to, "recovers": recovers, "name": name, "wrong": wrong}
    return _message_page(language, "sign_in.html.j2", **told)


def forgotten_page(language: str, wrong: str = "", asked: bool = False) -> str:
    """The page on which one asks for a new password, or has *asked*."""
    return _message_page(language, "recover.html.j2", key="", wrong=wrong, asked=asked)


def recover_page(language: str, key: str, wrong: str = "") -> str:
    """The page on which somebody chooses a new password, with the *key* that he was sent."""
    return _message_page(language, "recover.html.j2", key=key, wrong=wrong, asked=False)


def account_page(
    language: str,
    name: str,
    wrong: str = "",
    done: str = "",
    notices: tuple[str, bool] | None = None,
) -> str:
    """The page of the account of this *name*: what was *wrong* with what was sent, or is *done*,
    and the address for *notices*, if there are any, and whether somebody there has agreed.
    """
    told = {"wrong": wrong, "done": done, "notices": notices}
    return _message_page(language, "account.html.j2", title=name, **told)


def confirm_page(language: str, key: str, agreed: bool) -> str:
    """The page on which somebody agrees to get notices, with the *key* that he was sent, or has."""
    return _message_page(language, "confirm.html.j2", key=key, agreed=agreed)


def _message_page(language: str, template: str = "message.html.j2", **values: Any) -> str:
    """A page that says something."""
    common = {"title": "Grognard", "message": "", "remedy": "", "forward": ""}
    return _render_page(template, language, _SERVER, **{**common, **values})


def _render_page(template: str, language: str, ways: Mapping[str, str], **values: Any) -> str:
    words = table_words(language)
    return (
        environment()
        .get_template(template)
        .render(
            language=language,
            word=lambda key: words[key],
            words=Markup(json.dumps(words, ensure_ascii=False).translate(UNSAFE)),
            **{**ways, "imports": Markup(ways["imports"])},
            **values,
        )
    )
