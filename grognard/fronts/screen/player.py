"""Who plays at a screen: what is asked, what is chosen and not given yet, and what comes of
pointing, choosing and typing.  Nothing here knows how it is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from grognard.draw.text.canvas import width_of
from grognard.draw.text.located import Drawing
from grognard.fronts.room import Chair, Room
from grognard.table.passes import NEVER
from runtime.model import NONE

#: So wide that a panel in brief is not cut; it is folded as it is shown.
_UNCUT: Final = 1000
#: An option, a question, a reply as the protocol has them.
Option: TypeAlias = dict[str, Any]
Reply: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Dialog:
    """Something to be said: its lines with how deep they stand, and the *choices* that follow, each
    with its words, a note, and what it does.
    """

    title: str
    lines: Sequence[tuple[str, int]] = ()
    choices: Sequence[tuple[str, str, Callable[[], Dialog | None]]] = ()


@dataclass
class Gesture:
    """Options that are chosen and not given yet, and what is asked behind them."""

    options: list[Option] = field(default_factory=list)
    question: Reply | None = None
    prompts: list[str] = field(default_factory=list)

    def holds(self, pieces: Sequence[str]) -> bool:
        """Whether one of the pieces is part of it."""
        return any(_names_piece(option, pieces) for option in self.options)


def _has_forecast(option: Option) -> bool:
    return bool(option["foreseen"])


def _names_piece(option: Option, pieces: Sequence[str]) -> bool:
    return any(part["name"] in pieces for part in option["parts"])


class Player:
    """Somebody at a screen in a *room*, or several who hand it over to each other.

    *teaching*: each kind of question is explained when it first comes up.  To be called with the
    lock of the table, in a thread: it may take its time.
    """

    def __init__(self, room: Room, teaching: bool = False) -> None:
        self.room, self.table = room, room.table
        self.words = room.table.words
        people = room.table.people
        self.chair = Chair(room, people[0] if len(people) == 1 else NONE, brief=False)
        self.ground = self.chair.request({"do": "table"})
        self.called = {one["hex"]: one["words"] for one in self.ground["hexes"]}
        self.gesture = Gesture()
        self.show: Reply = {}
        #: the odds of the question, as far as they are known, of what they are, and whether all are
        self._odds: tuple[dict[str, Reply], tuple[object, ...], bool] = ({}, (), True)
        #: the side that the screen is to be handed over to
        self.handover: int | None = None
        self.fault = ""
        #: how many lines of the log there were when it was decided last
        self.known = 0
        self._taught: set[str] | None = set() if teaching else None

    # ------------------------------------------------------------------ what is seen

    def look(self) -> Dialog | None:
        """See how the game stands; where another person of this screen is asked, only what all see
        is seen from then on.  What is to be taught of the question.
        """
        if self.show and self.table.unkept:  # what is not kept is not told
            self.fault = self.room.fault
            return None
        told = self.chair.show_data()
        several = len(self.table.people) > 1
        if "handover" in told or (several and self.chair.side == NONE):
            self.chair = Chair(self.room, NONE, brief=False)
            told = self.chair.show_data()
        show = told["show"]
        self.fault = told.get("fault", "")
        self.handover = None
        if several and self.chair.side == NONE and show["waits"]:
            self.handover = list(self.ground["sides"]).index(show["decides"])
        if not self.show or self.show["version"] != show["version"]:
            self.gesture = Gesture()
        self.show = show
        return self._teach()

    def sit_down(self) -> Dialog | None:
        """Take the screen over."""
        if self.handover is not None:
            self.chair = Chair(self.room, self.handover, brief=False)
        return self.look()

    def _teach(self) -> Dialog | None:
        question = self.show["question"]
        if self._taught is None or question is None or question["prompt"] in self._taught:
            return None
        self._taught.add(question["prompt"])
        told = _lines(self._request("why").get("lines", ()))[1:]
        return Dialog(question["words"], told) if told else None

    @property
    def question(self) -> Reply | None:
        """What is asked: behind what is chosen, else of the game."""
        asked: Reply | None = self.gesture.question or self.show["question"]
        return asked

    def odds_of(self, option: Option) -> str:
        """What may come of an option of the question, as far as it is known."""
        odds, of, _ = self._odds
        return odds[option["text"]]["words"] if of == self._now and option["text"] in odds else ""

    @property
    def _now(self) -> tuple[object, ...]:
        return (self.show["version"], *(one["text"] for one in self.gesture.options))

    def foretell(self) -> bool:
        """Have more of the odds of the question worked out; whether there is more to come."""
        asked, now = self.question, self._now
        if self._odds[1] != now:
            self._odds = {}, now, asked is None or not any(map(_has_forecast, asked["options"]))
        if not self._odds[2]:
            reply = self._request("odds", options=[one["text"] for one in self.gesture.options])
            self._odds = reply.get("odds", {}), now, reply.get("whole", True)
        return not self._odds[2]

    def drawing(self, width: int, height: int, large: bool = False) -> Drawing:
        """The board, as large as fits into so much room, else small; or as *large* as it can be."""
        label = {name: h for h, name in enumerate(self.called)}
        lit = self.question["hexes"] if self.question else {}
        seen = self.table.sight_of(self.chair.side)
        board = self.table.board(seen, {label[h]: light for h, light in lit.items()}, True)
        for drawing in board.map.drawings():
            if large or (drawing.width <= width and drawing.height <= height):
                break
        return drawing

    def key(self, width: int) -> list[str]:
        """What the signs on the board mean, as lines with colours."""
        board = self.table.board(self.table.sight_of(self.chair.side), {}, True)
        return [*board.signs(width), *board.legend(width)]

    def panel(self, width: int) -> list[str]:
        """What stands beside the board, as lines with colours: a table, where it is no wider."""
        panel = self.table.panel(self.table.sight_of(self.chair.side))
        lines = panel.lines(self.chair.side, True)
        table = [line for line in lines if "  " in line.strip()]
        fits = all(width_of(line) <= width for line in table)
        return lines if fits else panel.brief(_UNCUT)

    def hand(self) -> list[tuple[str, str]]:
        """The cards of the seat, each with its text."""
        cards = self.chair.request({"do": "hand"}).get("cards", ())
        return [(card["words"], card["text"]) for card in cards]

    def log(self) -> list[str]:
        """What has happened."""
        lines: list[str] = self.chair.request({"do": "log", "line": "all"}).get("lines", [])
        return lines

    def pieces_at(self, place: str) -> list[tuple[str, str]]:
        """The pieces that are seen in a hex: names and words."""
        counters = self.show["counters"]
        return [(one["piece"], one["words"]) for one in counters if one["hex"] == place]

    def about(self, place: str) -> str:
        """A hex in a line: what stands there, and what would come of choosing it."""
        there = [words for _, words in self.pieces_at(place)]
        told = self.called[place] + (f": {', '.join(there)}" if there else "")
        meant = self._options_at(self.question, place)
        odds = [(option["item"] or option["words"], self.odds_of(option)) for option in meant]
        foreseen = [f"{words} ({prospect})" for words, prospect in odds if prospect]
        return " · ".join([told, *(foreseen or [option["words"] for option in meant][:3])])

    # ------------------------------------------------------------------ choosing

    def point(self, place: str) -> Dialog | None:
        """Point at a hex: what it means is chosen, or it is said why nothing can be."""
        pieces, options = self._piece_names(place), self._options_at(self.question, place)
        if not options and self.gesture.options:
            if self.gesture.holds(pieces):
                self.drop()  # who points at what is chosen lets it go
                return None
            options = self._options_at(self.show["question"], place)
            if options:
                self.drop()
        return self._offer(options) if options else self._why_not(place)

    def _piece_names(self, place: str) -> list[str]:
        return [name for name, _ in self.pieces_at(place)]

    def _options_at(self, question: Reply | None, place: str) -> list[Option]:
        """The options that are meant by a hex: those that name a piece in it, else the hex."""
        options: list[Option] = question["options"] if question else []
        pieces = self._piece_names(place)
        return [option for option in options if _names_piece(option, pieces)] or [
            option for option in options if any(place in part["hexes"] for part in option["parts"])
        ]

    def _offer(self, options: list[Option]) -> Dialog | None:
        """Choose the only option; of several, or where something is foreseen, ask first."""
        while any(map(_has_forecast, options)) and self.foretell():
            pass
        if len(options) > 1:
            return Dialog(
                self.words("What do you mean?"),
                choices=[(o["words"], self.odds_of(o), partial(self.choose, o)) for o in options],
            )
        (option,) = options
        if not self.odds_of(option):
            return self.choose(option)
        lines = [(self.odds_of(option), 0)]
        return Dialog(
            option["words"], lines, [(self.words("Do it"), "", partial(self.choose, option))]
        )

    def choose(self, option: Option) -> Dialog | None:
        """Choose an option: it is kept until piece, hex and target are known, then all is given."""
        asked, gesture = self.question, self.gesture
        if asked is None or option not in asked["options"]:
            return None
        options, prompts = [*gesture.options, option], [*gesture.prompts, asked["prompt"]]
        texts = [one["text"] for one in options]
        own = asked["side"] == self.show["seat"]
        if option["passes"] or not option["parts"] or not own:
            return self._commit(texts)
        reply = self._request("after", options=texts)
        if reply["reply"] == "error":
            self.drop()
            return self._refusal(reply)
        following = reply["question"]
        named = {part["name"] for one in options for part in one["parts"]}
        if (
            following is None
            or following["prompt"] in prompts
            or named.isdisjoint(following["about"])
        ):
            return self._commit(texts)
        self.gesture = Gesture(options, following, prompts)
        return None

    def drop(self) -> None:
        """Let go what is chosen."""
        self.gesture = Gesture()

    def _commit(self, texts: list[str], careful: bool = True) -> Dialog | None:
        self.drop()
        return self._change("answer", partial(self._commit, texts, False), careful, options=texts)

    def _change(
        self, do: str, again: Callable[[], Dialog | None], careful: bool, **more: Any
    ) -> Dialog | None:
        """Ask for what changes the game; *again* does it where one is asked whether one is sure."""
        self.known = len(self.log())
        reply = self._request(do, careful=careful, **more)
        return self._refusal(reply, again) if reply["reply"] == "error" else None

    def _request(self, do: str, **more: Any) -> Reply:
        """A request at the version that is shown; what is done with it is seen in a later look."""
        return self.chair.request({"do": do, "version": self.show["version"], **more})

    def _refusal(
        self, reply: Reply, again: Callable[[], Dialog | None] | None = None
    ) -> Dialog | None:
        if reply["kind"] == "version":
            return None
        message = ": ".join(filter(None, (reply["where"], reply["message"])))
        lines = [*_lines(reply["reasons"])]
        if reply["kind"] == "sure" and again is not None:
            return Dialog(message, lines, [(self.words("Do it all the same"), "", again)])
        return Dialog(message, [*lines, *([(reply["remedy"], 0)] if reply["remedy"] else [])])

    # ------------------------------------------------------------------ asking and telling

    def _why_not(self, place: str) -> Dialog | None:
        """Why nothing can be done with a hex; what is seen there, where nobody is asked."""
        line = next(iter(self._piece_names(place)), place)
        behind = [option["text"] for option in self.gesture.options]
        question = self.show["question"]
        if question is not None and question["side"] == self.show["seat"]:
            more = {"options": behind} if behind else {}
            reply = self._request("why_not", line=place if behind else line, **more)
            if told := _lines(reply.get("lines", ())):
                return Dialog(self.words("That is not possible"), told)
            reply = self._request("why", line=line)
            if told := _lines(reply.get("lines", ())):
                return Dialog(line, told)
        return self.look_at(line)

    def look_at(self, line: str) -> Dialog:
        """What is seen of a piece, hex or card."""
        reply = self.chair.request({"do": "look", "line": line})
        return self._explanation(line, reply)

    def _explanation(self, title: str, reply: Reply) -> Dialog:
        """An explanation."""
        if reply["reply"] == "error":
            return self._refusal(reply) or Dialog(reply["message"])
        lines = [line for lines in reply.get("forecasts", ()) for line in lines]
        return Dialog(title, _lines([*reply.get("lines", ()), *lines]))

    def why(self, option: Option | None = None) -> Dialog:
        """What stands behind an option, or the question."""
        question = self.question
        behind = [one["text"] for one in self.gesture.options]
        if option is None:
            return self._explanation(question["words"] if question else "", self._request("why"))
        if behind:
            reply = self._request("forecast", options=[*behind, option["text"]])
        else:
            reply = self._request("why", line=option["text"])
        return self._explanation(option["words"], reply)

    def hint(self) -> Dialog:
        """What a bot would choose."""
        reply = self._request("hint")
        if reply["reply"] == "error":
            return self._explanation("", reply)
        question = self.show["question"]
        options = [o for o in question["options"] if o["text"] == reply["option"]]

        def follow() -> Dialog | None:
            self.drop()
            return self.choose(options[0])

        choices = [(self.words("Do it"), "", follow)] if options else []
        return Dialog(self.words("Hint"), _lines(reply["lines"]), choices)

    def expect(self) -> Dialog:
        """How the bots take the game to stand."""
        return self._explanation(
            self.words("What it expects"), self.chair.request({"do": "expect"})
        )

    def undo(self) -> Dialog | None:
        """Take back: what is chosen, else the last answer."""
        if self.gesture.options:
            self.drop()
            return None
        reply = self._request("undo")
        return self._refusal(reply) if reply["reply"] == "error" else None

    def go_by(self, standing: bool = False, careful: bool = True) -> Dialog | None:
        """Pass; *standing*: whenever the same is asked again in this turn."""
        asked = self.question
        passes = [one for one in asked["options"] if one["passes"]] if asked else []
        if passes and not standing:
            return self.choose(passes[0])
        self.drop()
        again = partial(self.go_by, standing, False)
        return self._change("pass", again, careful, standing=standing)

    def take_line(self, line: str, careful: bool = True) -> Dialog | None:
        """Take what somebody has typed as the prompt does, commands among it."""
        word, _, rest = line.partition(" ")
        word, rest = self.words.understood(word), rest.strip()
        own = self.words.understood(line.removesuffix("!"))
        decision = self.table.decision
        if decision is not None and self.table.menu.begins_option(decision, line):
            word = own = ""
        if line.startswith("?"):
            asked, source = line.lstrip("?").strip(), line.startswith("??")
            return self._explanation(asked, self._request("why", line=asked, source=source))
        if own in ("undo", "hint", "expect"):
            return {"undo": self.undo, "hint": self.hint, "expect": self.expect}[own]()
        if own == NEVER:
            return self.go_by(standing=True)
        if rest and word == "look":
            return self.look_at(rest)
        if rest and word == "odds":
            return self._explanation(rest, self._request("forecast", line=rest))
        if word == "log":
            reply = self.chair.request({"do": "log", "line": rest})
            return Dialog(line, [(one, 0) for one in reply["lines"]])
        self.drop()
        return self._change("answer", partial(self.take_line, line, False), careful, line=line)

    def matching_options(self, text: str) -> list[Option]:
        """The options that a text can mean: the one of that number, else those that hold it."""
        options: list[Option] = self.question["options"] if self.question else []
        wanted = text.casefold().split()
        numbered = [option for option in options if str(option["number"]) == text.strip()]
        return numbered or [
            option
            for option in options
            if all(
                one in f"{option['words']} {option['item']} {option['text']}".casefold()
                for one in wanted
            )
        ]


def _lines(lines: Sequence[Reply]) -> list[tuple[str, int]]:
    return [(line["text"], line["level"]) for line in lines]
