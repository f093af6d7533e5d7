"""The game of the ruleset that is written: it goes on by each text that has no errors, and its
cases run again.

All but the cases is done in the thread of the desk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from compiler.ruleset import Ruleset
from grognard import places
from grognard.cases.file import Case
from grognard.cases.made_case import made_case
from grognard.cases.runner import Outcome
from grognard.cases.suite import (
    LeftOut,
    RulesetErrors,
    UnreadFile,
    Workbench,
    files_about,
    run_files,
)
from grognard.cases.written_case import case_insertion, new_file
from grognard.editing.differences import case_filter
from grognard.fronts.lsp.server import Server
from grognard.fronts.lsp.text_positions import Places, uri_of
from grognard.fronts.room import Report, Room
from grognard.fronts.web.rooms import PERSON, checked_players, make_room
from grognard.opening import load_scenario
from grognard.scenario import Scenario
from grognard.table.opened import OpenedGame, table_of
from grognard.table.protocol import Seat
from grognard.table.store import GameWriter
from grognard.table.table import Table
from runtime.chance import new_seed
from runtime.errors import ArgumentError, GrognardError, RulesError
from runtime.games.carrying import CarriedGame, carry_over
from runtime.games.game import Game
from runtime.runs.seats import BOTS
from runtime.state import RulesetFault
from runtime.words.said import said

#: What the game may do when its texts change.
GOES_ON: Final = "goes on"
WENT_BACK: Final = "went back"
BEGUN_ANEW: Final = "begun anew"
STANDS_STILL: Final = "stands still"
#: Who may play a side.
PLAYERS: Final = (PERSON, *BOTS)


@dataclass
class _CaseInProgress:
    """A case that is being made: the game as it was, how many answers it had."""

    begun: Game
    answers: int


@dataclass
class _CaseResult:
    """What came of a case, which stands at a line, counted from 0, and says *data*; *old*: before
    the last change.
    """

    name: str
    uri: str
    line: int
    problems: list[str]
    data: dict[str, Any] | None = None
    old: bool = False

    @property
    def page_data(self) -> dict[str, Any]:
        """As the page is told of it."""
        told = {"name": self.name, "uri": self.uri, "line": self.line}
        return {**told, "held": not self.problems, "problems": self.problems, "old": self.old}


class Workshop:
    """The game of the ruleset in a *folder*, and of a *scenario* where there is one, as its texts
    stand on the desk of a *server*.
    """

    def __init__(
        self, server: Server, folder: Path, scenario: Path | None, report: Report, language: str
    ) -> None:
        self._server, self._desk = server, server.desk
        self.folder, self.scenario, self._report, self._language = (
            folder,
            scenario,
            report,
            language,
        )
        self._players: dict[str, str] = {}
        self._room: Room | None = None
        self._opened: Scenario | None = None
        #: the rules and the scenario before the last change
        self._before: Scenario | None = None
        #: the game before it went back, while nothing has been decided since
        self._ahead: Game | None = None
        #: the texts that the game goes on by
        self._by: list[str] = []
        self._versions = 0
        self._making: _CaseInProgress | None = None
        self._running = ThreadPoolExecutor(1, "cases")
        self._tested: Ruleset | None = None
        self._cases: dict[tuple[str, str], _CaseResult] = {}
        self._round, self._set_up = 0, ""
        #: the texts by which cases ran last
        self._ran: list[str] = []
        server.followers.append(self._follow)

    @property
    def game_room(self) -> Room | None:
        """The room of the game as it is now; None before it has begun."""
        return self._room

    @property
    def is_making_case(self) -> bool:
        """Whether a case is being made."""
        return self._making is not None

    def close(self) -> None:
        """End the game, and cases that are running."""
        self._round += 1
        self._running.shutdown(wait=False, cancel_futures=True)
        if self._room is not None:
            self._room.close()

    def seats(self) -> dict[str, Any]:
        """Who plays which side, and who could."""
        if self._room is None:
            return {"sides": {}, "players": {}, "bots": list(BOTS)}
        table, names = self._room.table, self._room.table.game.spec.sides
        sides = {name: table.side_name(side) for side, name in enumerate(names)}
        return {"sides": sides, "players": dict(self._room.kept.players), "bots": list(BOTS)}

    # ------------------------------------------------------------------ beginning

    def begin(self, seed: int | None = None) -> None:
        """Begin the game anew.  GrognardError where the texts have errors."""
        if self.scenario is None:
            return
        opened = self._current_scenario()
        if opened is None:
            raise ArgumentError(said("the texts have errors"), said("correct them first"))
        self._seat(opened, opened.begin(new_seed() if seed is None else seed))
        self._before, self._ahead, self._making, self._by = None, None, None, self.texts()

    def begin_if_possible(self) -> None:
        """Begin the game where it has not begun and its texts have no errors."""
        if self._room is None:
            with suppress(GrognardError, RulesetFault):
                self.begin()

    def play(self, scenario: Path) -> None:
        """Begin the game of another scenario.  GrognardError."""
        before, self.scenario = self.scenario, scenario
        try:
            self.begin()
        except GrognardError:
            self.scenario = before
            raise

    def seat(self, players: dict[str, str]) -> None:
        """Who plays which side from now on.  ArgumentError."""
        if self._room is None or self._opened is None:
            return
        game = self._room.table.game
        self._players = checked_players(game, {**self._players, **players}, PLAYERS)
        self._seat(self._opened, game)

    def texts(self) -> list[str]:
        """All that the game hangs on."""
        files = [path for path, _ in places.files_of(self.folder)]
        return [self._desk.text(path) for path in (*files, self.scenario) if path is not None]

    def all_texts(self) -> list[str]:
        """All that the game and the cases hang on."""
        return [*self.texts(), *map(self._desk.text, files_about(self.folder))]

    def _current_scenario(self) -> Scenario | None:
        """The scenario by the texts as they stand; None where they have errors."""
        assert self.scenario is not None
        ruleset = self._desk.ruleset(self.folder)
        if not ruleset.ok or ruleset.resolved.abstract:
            return None
        opened, _ = load_scenario(
            *(self.scenario, self.folder, ruleset.compiled),
            text=self._desk.text(self.scenario),
            ruleset=ruleset,
        )
        return opened

    def _seat(self, opened: Scenario, game: Game) -> None:
        """Let a game go on in a room of its own."""
        known = {side: who for side, who in self._players.items() if side in game.spec.sides}
        players = checked_players(game, known, PLAYERS)
        self._versions += 1_000_000  # what was sent before fits nothing that comes after
        kept = GameWriter(None, "studio", game, players, None, None, revision=self._versions)
        room = make_room(OpenedGame(opened, game), kept, self._language, self._report)
        room.table.places = True
        before, self._room, self._opened = self._room, room, opened
        self._players = players
        if before is not None:
            before.stop()
        room.begin()

    # ------------------------------------------------------------------ going on

    async def _follow(self) -> None:
        """A text has changed."""
        await self._server.ask(self._tell_change)
        await self._server.ask(self._test)

    def _tell_change(self) -> None:
        """Go on by the texts, and tell what has come of it: even where the next text has come by
        now, and nobody waits for it.
        """
        told = self._apply_texts()
        if told is not None:
            self._server.protocol.notify("studio/game", {**told, "making": self.is_making_case})

    def _apply_texts(self) -> dict[str, Any] | None:
        """Go on by the texts as they stand; what there is to be told of it, None where they are as
        they were.
        """
        if self.scenario is None:
            return None
        texts = self.texts()
        if texts == self._by:
            return None
        began = perf_counter()
        opened = self._current_scenario()
        if opened is None:
            self._by = []  # so that it is told when the texts are again as they were
            return {"state": STANDS_STILL, "words": "", "lost": [], "seconds": 0}
        self._by = texts
        try:
            state, lost = self._go_on(opened)
        except RulesError as error:
            return {"state": STANDS_STILL, "words": str(error), "lost": [], "seconds": 0}
        seconds = perf_counter() - began
        return {"state": state, "words": "", "lost": lost, "seconds": seconds}

    def _go_on(self, opened: Scenario) -> tuple[str, list[dict[str, str]]]:
        if self._room is None:
            self._seat(opened, opened.begin(new_seed()))
            return BEGUN_ANEW, []
        before, room = self._opened, self._room
        with room.table.lock:
            carried = self._carry_over(room.table.game, opened)
            lost = [
                {"what": one.what, "why": self._server.say(said(one.why, value=one.value))}
                for one in carried.lost
            ]
            game = carried.game or opened.begin(new_seed())
            self._seat(opened, game)
        self._before, self._making = before, None
        state = BEGUN_ANEW if carried.game is None else WENT_BACK if carried.back else GOES_ON
        return state, lost

    def _carry_over(self, game: Game, opened: Scenario) -> CarriedGame:
        """The game by other rules; where it went back for a while, again as it was before if these
        rules have all that it waited for.
        """
        if game.choices:
            self._ahead = None
        if self._ahead is not None:
            carried = self._with_rules_of(opened, self._ahead)
            if carried.game is not None and not carried.back:
                self._ahead = None
                return carried
        carried = self._with_rules_of(opened, game)
        if (carried.game is None or carried.back) and self._ahead is None:
            self._ahead = game
        return carried

    def _with_rules_of(self, opened: Scenario, game: Game) -> CarriedGame:
        """The game by the rules of a scenario."""
        return carry_over(game, opened.program, opened.setup, opened, names=self._server.renamed)

    # ------------------------------------------------------------------ cases

    def _test(self) -> None:
        """Run the cases that are about what has changed.  What comes of all others is found out
        when nothing is typed for a while (:meth:`take_outcomes`).
        """
        ruleset = self._desk.ruleset(self.folder)
        if not ruleset.ok or ruleset.resolved.abstract:
            return
        texts = self.all_texts()
        if texts == self._ran:
            self._running.submit(self._tell_cases, False)  # to a page that has just come
            return
        self._ran = texts
        self._round += 1
        text = "" if self.scenario is None else self._desk.text(self.scenario)
        before = self._tested if text == self._set_up else None
        self._set_up = text
        self._running.submit(self._run, ruleset, before, self._round)

    def _run(self, ruleset: Ruleset, before: Ruleset | None, round: int) -> None:
        seen: set[tuple[str, str]] = set()
        with self._desk.searching():
            bench = Workbench({self.folder.name: ruleset}, text=self._desk.text)
            wanted = case_filter(before, ruleset)
            for case in self._cases.values():
                case.old = True
            self._tell_cases(True)
            try:
                for path in files_about(self.folder):
                    for outcome in run_files(
                        [path], only=self._needs_run(path, wanted, seen), bench=bench
                    ):
                        if round != self._round:
                            return  # the next begins where this one did
                        if not isinstance(outcome, LeftOut):
                            key, told = _case_result(path, outcome)
                            seen.add(key)
                            self._cases[key] = told
            except (GrognardError, RulesetErrors, RulesetFault) as error:
                key = "", ""
                seen.add(key)
                self._cases[key] = _CaseResult(str(error), uri_of(self.folder), 0, [str(error)])
        self._cases = {key: case for key, case in self._cases.items() if key in seen}
        self._tested = ruleset
        self._tell_cases(False)

    def take_outcomes(self, outcomes: Sequence[tuple[Path, Outcome]]) -> None:
        """Tell what came of all cases, by the texts as they stand."""
        self._running.submit(self._take, outcomes)

    def _take(self, outcomes: Sequence[tuple[Path, Outcome]]) -> None:
        self._cases |= dict(_case_result(path, outcome) for path, outcome in outcomes)
        self._tell_cases(False)

    def _needs_run(
        self, path: Path, wanted: Callable[[Case], bool], seen: set[tuple[str, str]]
    ) -> Callable[[Case], bool]:
        """Says whether a case of a file is to run: it is about what has changed, or has changed
        itself.  Those that are there are added to the *seen*.
        """

        def anew(case: Case) -> bool:
            key = str(path), case.name
            seen.add(key)
            known = self._cases.get(key)
            if known is not None:
                known.line = case.line - 1
            return known is None or known.data != case.data or wanted(case)

        return anew

    def _tell_cases(self, running: bool) -> None:
        told = {"running": running, "cases": [one.page_data for one in self._cases.values()]}
        self._server.protocol.notify("studio/cases", told)

    # ------------------------------------------------------------------ what is asked of it

    def _table(self) -> Table:
        if self._room is None:
            raise ArgumentError(said("no game is going on"), said("make a scenario first"))
        return self._room.table

    def why(self, line: str) -> list[dict[str, Any]]:
        """Why something is as it is, or cannot be done; of nothing: what is asked.  Each line with
        its place in the texts, where it has one.
        """
        table = self._table()
        with table.lock:
            decision = table.decision
            seat = Seat(table, decision.side if decision is not None else 0)
            for what in ("why_not", "why", "look") if line else ("why",):
                told = seat.request(
                    {"do": what, "version": table.version, **({"line": line} if line else {})}
                )
                if told["reply"] == "lines" and told["lines"]:
                    return [self._line_data(one) for one in told["lines"]]
        if told["reply"] == "error":
            raise ArgumentError(told["message"], told["remedy"])
        return []

    def _line_data(self, line: dict[str, Any]) -> dict[str, Any]:
        told = {"text": line["text"], "level": line["level"]}
        file, _, number = str(line.get("place", "")).rpartition(":")
        path = self._desk.ruleset(self.folder).paths.get(file)
        if path is not None and number.isdigit():
            told |= {"uri": uri_of(Path(path)), "line": int(number) - 1}
        return told

    def odds(self) -> list[dict[str, Any]]:
        """Of each option now asked its forecast by the rules before the last change, and now."""
        table = self._table()
        now = _odds(table)
        before: dict[str, tuple[str, str]] = {}
        if self._before is not None:
            opened = self._before
            with table.lock:
                carried = self._with_rules_of(opened, table.game)
            if carried.game is not None and not carried.back:
                before = _odds(table_of(opened, carried.game, {}))
        else:
            before = now
        return [
            {
                "option": option,
                "words": words,
                "after": after or None,
                "before": before.get(option, ("", ""))[1] or None,
            }
            for option, (words, after) in now.items()
            if after or before.get(option, ("", ""))[1]
        ]

    # ------------------------------------------------------------------ a case of what is played

    def begin_case(self) -> None:
        """Begin a case with what is on the board.  ArgumentError."""
        table = self._table()
        with table.lock:
            game = table.game
            self._making = _CaseInProgress(game.copy(), len(game.actions))

    def drop_case(self) -> None:
        """Make none of it."""
        self._making = None

    def end_case(self, name: str) -> dict[str, Any]:
        """The edits that put a case of what was played since into a file.  ArgumentError."""
        table, making = self._table(), self._making
        if making is None or self._opened is None or self.scenario is None:
            message = said("the rules have changed since the case was begun")
            raise ArgumentError(message, said("begin it again"))
        with table.lock:
            answers = [option for _, option in table.game.actions[making.answers :]]
        ruleset, path = self._desk.ruleset(self.folder), self.scenario
        bench = Workbench({self.folder.name: ruleset}, text=self._desk.text)
        runner = bench.runner(self.folder.name, f"{self.folder.name}/{path.stem}")
        case = made_case(making.begun, answers, runner, name)
        self._making = None
        file = self._case_file()
        text = self._desk.text(file)
        offset, insertion = (
            case_insertion(text, case)
            if text.strip()
            else (0, new_file(self.folder.name, f"{self.folder.name}/{path.stem}", case))
        )
        at = Places(text).position(offset)
        where = {"line": at.line, "character": at.character}
        edit = {"range": {"start": where, "end": where}, "newText": insertion}
        return {"uri": uri_of(file), "edits": [edit]}

    def _case_file(self) -> Path:
        """The file of cases for made ones, of the scenario on the board."""
        assert self.scenario is not None
        home = next((path.parent for path in files_about(self.folder)), self.folder / "cases")
        return home / f"made_{self.scenario.stem}.yaml"


def _case_result(path: Path, outcome: Outcome | UnreadFile) -> tuple[tuple[str, str], _CaseResult]:
    """What came of a case, with its file and its name."""
    if isinstance(outcome, UnreadFile):
        return (str(path), ""), _CaseResult(path.name, uri_of(path), 0, [str(outcome.error)])
    case = outcome.case
    tested = _CaseResult(case.name, uri_of(path), case.line - 1, list(outcome.problems), case.data)
    return (str(path), case.name), tested


def _odds(table: Table) -> dict[str, tuple[str, str]]:
    """The options that are asked, with their words and what stands beside them."""
    with table.lock:
        decision = table.decision
        if decision is None or decision.side in table.bots:
            return {}
        question = table.question(decision, table.sight_of(decision.side))
        odds = table.odds(decision.side).odds
    return {
        one.text: (one.words, odds[one.text].words if one.text in odds else "")
        for one in question.options
    }
