"""A seat of a table as named JSON, both ways; ``docs/protocol.md`` describes it.

A front binds whoever sits there to a :class:`Seat`, passes on what comes as it is, and sends back
the reply.  What the seat may not see is in none of its replies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from grognard.table.content import Show, TakenOption
from grognard.table.lines import DONE
from grognard.table.on_board import counter_places
from grognard.table.passes import NEVER
from grognard.table.refused import Refused
from grognard.table.table import Table
from runtime.errors import value_in_words
from runtime.games.explanation import Line
from runtime.model import NONE
from runtime.spelling import unsteering
from runtime.state import RulesetFault

#: The version of the protocol, which every reply to ``table`` names.
PROTOCOL: Final = 1
#: How many characters a request, and a text in it, may have, and how many options it may name.
_LONGEST, _TEXT, _OPTIONS = 100_000, 2_000, 60
#: Seconds after which no further odds are worked out for one reply: what is asked meanwhile waits.
_TOGETHER: Final = 0.03
#: What each request may say; with ``!`` what it must say.
_REQUESTS: Final[dict[str, dict[str, type]]] = {
    "table": {},
    "show": {"since": int, "brief": bool},
    "answer": {"version!": int, "options": list, "line": str, "careful": bool, "brief": bool},
    "pass": {"version!": int, "standing": bool, "careful": bool, "brief": bool},
    "undo": {"version!": int, "brief": bool},
    "after": {"version": int, "options!": list},
    "odds": {"version!": int, "options": list},
    "hint": {"version": int},
    "expect": {},
    "why": {"version": int, "line": str, "source": bool},
    "why_not": {"version": int, "line!": str, "source": bool, "options": list},
    "forecast": {"version": int, "options": list, "line": str},
    "look": {"line!": str},
    "hand": {},
    "log": {"line": str},
}
#: What a brief ``show`` leaves out.
_AT_LENGTH: Final = ("position", "unseen", "counters", "markers")
#: Values that JSON has as they are.
_PLAIN: Final = (str, int, bool, float, type(None))
_NAMES: Final[dict[type, tuple[str, ...]]] = {}
_KINDS: Final = {int: "a number", str: "a text", bool: "true or false", list: "a list of texts"}


class Seat:
    """The seat of a *side* at a table (NONE: of somebody who looks on)."""

    def __init__(self, table: Table, side: int) -> None:
        self.table = table
        self.side = side
        #: the version that was shown last
        self._looked: int | None = None
        #: where pieces stood then
        self._stood: dict[str, str | None] = {}
        #: what was shown last, and whether briefly: as long as nothing happens, it stays the same
        self._shown: tuple[int, bool, dict[str, Any]] | None = None

    def receive(self, text: str) -> str:
        """The reply to a request, both as JSON."""
        try:
            if len(text) > _LONGEST:
                raise ValueError("it is too long")
            request = json.loads(text)
        except (ValueError, RecursionError) as error:
            return json.dumps(self._error({}, "request", f"this is no JSON: {error}"))
        return json.dumps(self.request(request), ensure_ascii=False)

    def stream(self, push: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """From now on *push* a ``show`` after each entry and whatever is taken back; what ends that
        is returned.
        """

        def heard(taken: TakenOption | None) -> None:
            push(self.request({"do": "show"}))

        self.table.heard.append(heard)
        return lambda: self.table.heard.remove(heard)

    def request(self, request: Any) -> dict[str, Any]:
        """The reply to a request, an ``error`` also where the rules fail or the game cannot be
        kept: nothing that is not kept is acknowledged.
        """
        wrong = _request_error(request)
        if wrong:
            return self._error(request, "request", wrong)
        with self.table.lock:
            try:
                if self.table.unkept:
                    self.table.ensure_kept()
                reply = self._reply(request)
            except Refused as refused:
                return self._error(request, refused.kind, refused.message, refused)
            except RulesetFault as fault:
                return self._error(request, "rules", str(fault))
            except Exception as error:
                if not self.table.unkept:
                    raise
                return self._error(request, "store", str(error))
        return {**self._head(request, reply.pop("reply")), **reply}

    def _reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request.get("version", self.table.version) != self.table.version:
            raise Refused("version", "the game has gone on since", "ask for 'show'")
        if request["do"] in ("answer", "pass", "undo"):
            self._take(request)
            return self._show(None, request.get("brief", False))
        return self._told(request)

    def _take(self, request: Mapping[str, Any]) -> None:
        """Take an answer, or take one back."""
        table, careful = self.table, request.get("careful", False)
        if request["do"] == "undo":
            table.undo(self.side)
        elif request["do"] == "pass":
            table.pass_by(self.side, NEVER if request.get("standing") else DONE, careful)
        elif "options" in request:
            table.choose(self.side, request["options"], careful)
        else:
            table.answer(self.side, request["line"], careful)

    def _told(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to what changes nothing."""
        table, side = self.table, self.side
        line, source = request.get("line", ""), request.get("source", False)
        match request["do"]:
            case "table":
                return {"reply": "table", "protocol": PROTOCOL, **_json(table.ground())}
            case "after":
                return {"reply": "after", **_json(table.after(side, request["options"]))}
            case "odds":
                odds = table.odds(side, request.get("options", ()), _TOGETHER)
                return {"reply": "odds", **_json(odds)}
            case "hint":
                option, lines = table.hint(side)
                return {"reply": "hint", "option": option, "lines": _json(lines)}
            case "expect":
                return {"reply": "lines", "lines": _json(table.expectations())}
            case "why":
                return {"reply": "lines", "lines": self._lines(table.explain(side, line, source))}
            case "why_not":
                behind = request.get("options", ())
                why_not = table.why_not(side, line, source, behind)
                return {"reply": "lines", "lines": self._lines(why_not)}
            case "look":
                return {"reply": "lines", "lines": _json(table.look(side, line))}
            case "forecast":
                forecasts = table.forecast(side, request.get("options", line))
                return {"reply": "forecast", "forecasts": _json(forecasts)}
            case "hand":
                cards = [{"words": words, "text": text} for words, text in table.hand(side)]
                return {"reply": "hand", "cards": cards}
            case "log":
                return {"reply": "log", "lines": table.log(side, line)}
            case _:
                return self._show(request.get("since"), request.get("brief", False))

    def _show(self, since: int | None, brief: bool = False) -> dict[str, Any]:
        since = self._looked if since is None else since
        if self._shown is not None and self._shown[:2] == (self.table.version, brief):
            news = _json(self.table.news(self.side, since))
            return {"reply": "show", **self._shown[2], "news": news, "moves": []}
        show = self.table.show(self.side, since, brief)
        self._looked = show.version
        left_out = _AT_LENGTH if brief else ()
        told = {
            name: _json(getattr(show, name)) for name in _field_names(Show) if name not in left_out
        }
        self._shown = show.version, brief, told
        seen, scene = self.table.sight_of(self.side), self.table.scene
        stood = self._stood
        self._stood = counter_places(self.table.game, scene, seen, scene.looks(seen))
        moves = [
            {"piece": piece, "from": stood.get(piece), "to": self._stood.get(piece)}
            for piece in {**stood, **self._stood}
            if stood and stood.get(piece) != self._stood.get(piece)
        ]
        return {"reply": "show", **told, "moves": moves}

    def _lines(self, lines: Iterable[Line]) -> list[dict[str, Any]]:
        """Lines, at an author's table with their places."""
        return [
            {**_json(line), **({"place": line.place} if self.table.places and line.place else {})}
            for line in lines
        ]

    def _head(self, request: Any, reply: str) -> dict[str, Any]:
        known = request.get("id") if isinstance(request, Mapping) else None
        if isinstance(known, str):  # JSON can name what no text can hold
            known = known.encode("utf-8", "replace").decode("utf-8")
        named = {"id": known} if isinstance(known, str | int) else {}
        return {"reply": reply, **named, "version": self.table.version}

    def _error(
        self, request: Any, kind: str, message: str, refused: Refused | None = None
    ) -> dict[str, Any]:
        return {
            **self._head(request, "error"),
            "kind": kind,
            "message": unsteering(message),
            "remedy": refused.remedy if refused else "",
            "reasons": self._lines(refused.reasons) if refused else [],
            "where": refused.where if refused else "",
            "matches": list(refused.matches) if refused else [],
            "text": refused.text if refused else "",
        }


def _request_error(request: Any) -> str:
    """What is wrong with a request; nothing where it can be read."""
    if not isinstance(request, Mapping):
        return "a request is an object"
    do = request.get("do")
    if not isinstance(do, str) or do not in _REQUESTS:
        return f"'do' is one of {', '.join(_REQUESTS)}, not {value_in_words(do)}"
    known = {name.rstrip("!"): kind for name, kind in _REQUESTS[do].items()}
    for name, value in request.items():
        if name in ("do", "id"):
            continue
        if name not in known:
            return f"'{do}' has no field {value_in_words(name)}"
        if type(value) is not known[name] or (isinstance(value, list) and not _are_texts(value)):
            return f"'{name}' is {_KINDS[known[name]]}, not {value_in_words(value)}"
        if isinstance(value, str) and len(value) > _TEXT:
            return f"'{name}' is too long"
    missing = [n for n in _REQUESTS[do] if n.endswith("!") and n.rstrip("!") not in request]
    if missing:
        return f"'{do}' lacks '{missing[0].rstrip('!')}'"
    if do in ("answer", "forecast") and ("options" in request) == ("line" in request):
        return f"'{do}' has either 'options' or a 'line'"
    return ""


def _are_texts(values: list[Any]) -> bool:
    return len(values) <= _OPTIONS and all(isinstance(v, str) and len(v) <= _TEXT for v in values)


def _json(value: Any) -> Any:
    """A value of :mod:`grognard.table.content` as JSON has it."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [_json(one) for one in value]
    if isinstance(value, Line):  # players are not told where the rules stand
        return {"text": value.text, "level": value.level}
    if is_dataclass(value):
        return {name: _json(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): _json(one) for key, one in value.items()}
    return value


def _field_names(kind: type) -> tuple[str, ...]:
    """The names of what a value of a class of content has."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind))
    return _NAMES[kind]


def seats(table: Table) -> dict[str | None, Seat]:
    """A seat for each side that people play, by its name, and one for who looks on (None)."""
    sides = [*table.people, NONE]
    return {table.game.spec.sides[n] if n >= 0 else None: Seat(table, n) for n in sides}
