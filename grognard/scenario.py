"""A scenario that is loaded: what its games share, and what they are given that needs more than the
engine (explanations, positions of one's own, files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grognard.arguments import message_without_place, path_in_words, plain
from grognard.cases.case_shape import faults_beside
from grognard.cases.file import CaseError
from grognard.cases.positions import scenario_with_position, standing
from grognard.cases.positions import set_up as built
from grognard.cases.words import CaseWords
from grognard.files import reason
from grognard.files import replace as write_whole
from grognard.places import family
from grognard.places import ruleset as ruleset_in
from runtime.data.reader import plain as plain_node
from runtime.data.reader import read_file
from runtime.data.tree import tree_of
from runtime.errors import ArgumentError, RecordError, value_in_words
from runtime.games.explanation import Explanation, Forecast
from runtime.games.game import Game
from runtime.games.names import Names
from runtime.games.scripts import Script, engine_seed, script_of
from runtime.games.wording import wording_for
from runtime.option import Value
from runtime.program import CompiledProgram
from runtime.scenario.setup import PieceSetUp, SetUp

if TYPE_CHECKING:
    from compiler.ruleset import Ruleset
    from grognard.draw.art import Art
    from grognard.draw.style import Style


@dataclass(frozen=True, eq=False)
class Scenario:
    """A scenario that is loaded; the :class:`runtime.games.explanation.Library` of its games.

    *folder* is that of its ruleset, *path* its own file.
    """

    program: CompiledProgram
    setup: SetUp
    folder: Path
    language: str = "en"
    path: Path | None = None
    #: what it says, as plain data; None where that is in its file
    content: dict[str, Any] | None = None
    #: its ruleset, where that is not what is on disk
    ruleset: Ruleset | None = None

    @cached_property
    def data(self) -> dict[str, Any]:
        """What it says, as plain data: what its file holds, or what it was made of."""
        if self.content is not None:
            return self.content
        root, _ = read_file(self.path, str(self.path)) if self.path is not None else (None, [])
        return {} if root is None else dict(plain_node(root))

    @property
    def file(self) -> Path:
        """Its file, where it was loaded from one."""
        assert self.path is not None
        return self.path

    @property
    def rules(self) -> Ruleset:
        """Its ruleset."""
        return ruleset_in(self.folder) if self.ruleset is None else self.ruleset

    @property
    def names(self) -> Names:
        """The stable names of its things."""
        return wording_for(self.program.spec, self.setup, self.language).names

    def style(self, art: Iterable[Art] = ()) -> Style:
        """How the ruleset looks, with the first pictures of one's own that are for this scenario.
        :class:`grognard.draw.style.StyleError` when its file cannot be used.
        """
        from grognard.draw.style import Style  # start-up: only what draws needs it

        folders = family(self.folder)
        rulesets, name = [folder.name for folder in folders], self.path.stem if self.path else ""
        own = next((one for one in art if one.fits(rulesets, name)), None)
        files = None if self.ruleset is None else self.ruleset.files
        return replace(Style.read(folders, files), art=own)

    def begin(self, seed: int, dice: Script | None = None, log: bool = True) -> Game:
        """A new game."""
        return Game(self.program, self.setup, seed, dice, log, self.language, self)

    # ------------------------------------------------------------------ what games ask

    def value(self, game: Game, name: str, arguments: Sequence[Value]) -> Value:
        """See :meth:`Game.value`."""
        from grognard.explain.library import value_of  # start-up: imports the compiler

        return value_of(game, self.folder, name, arguments)

    def explain(
        self, game: Game, name: str, arguments: Sequence[Value], side: str | None
    ) -> Explanation:
        """See :meth:`Game.explain`."""
        from grognard.explain.library import explain  # start-up: imports the compiler

        return explain(game, self.folder, name, arguments, side)

    def why_not(self, game: Game, text: str) -> Explanation:
        """See :meth:`Game.why_not`."""
        from grognard.explain.library import why_not  # start-up: imports the compiler

        return why_not(game, self.folder, text)

    def forecast(self, game: Game, text: str, side: str | None) -> tuple[Forecast, ...]:
        """See :meth:`Game.forecast`."""
        from grognard.explain.library import forecasts  # start-up: imports the compiler

        return forecasts(game, text, side)

    def save(self, record: str, path: str | Path) -> None:
        """See :meth:`Game.save`."""
        try:
            write_whole(Path(path), record)
        except (OSError, ValueError) as error:
            message = f"{path} cannot be written: {reason(error)}"
            raise RecordError(message, remedy="give another path") from None

    # ------------------------------------------------------------------ positions of one's own

    def set_up(
        self,
        position: Mapping[str, Any] | None = None,
        *,
        fields: Mapping[str, Any] | None = None,
        piles: Mapping[str, Sequence[str]] | None = None,
        effects: Iterable[str] = (),
        run: str | None = None,
        dice: Script | None = None,
        switches: Mapping[str, bool] | None = None,
        seed: int | None = 1,
        requirements: bool = False,
    ) -> Game:
        """See :func:`grognard.set_up`."""
        mappings = {"position": position, "fields": fields, "piles": piles, "switches": switches}
        data = _plain(mappings, effects, run)
        if dice is not None:
            data["dice"] = plain(script_of(self.program.spec, dice), "dice")
        number = data["seed"] = engine_seed(seed)
        _check_shape(data)
        base = {**self.data, "switches": self.setup.switches}
        program = self.program
        try:
            setup = built(
                data,
                base,
                program.spec,
                initial_values(program) if requirements else None,
                program.unmet_requirements if requirements else None,
            )
            on_board, content = program.on(setup.board), scenario_with_position(data, base)
        except CaseError as error:
            raise _argument_error(error) from None
        except (ValueError, TypeError, AttributeError) as error:
            raise ArgumentError(str(error)) from None
        scenario = replace(self, program=on_board, setup=setup, path=None, content=content)
        return scenario.begin_position(data, number)

    def begin_position(self, data: Mapping[str, Any], seed: int) -> Game:
        """The game of a position that is set up as *data* say."""
        try:
            words = CaseWords(self.program.spec, self.setup)
            data = {**data, "seed": seed}
            game = standing(self.program, self.setup, data, words, self.language)
            game.library = self
            game.again = lambda number: self.begin_position(data, number)
            game.unrecorded = (
                "its dice are scripted" if data.get("dice") else "its position was set up"
            )
            call = data.get("run")
            if call is None:
                game.begin()
            elif call.strip() != "nothing":
                game.start(*words.procedure(call))
        except CaseError as error:
            raise _argument_error(error) from None
        return game


def initial_values(program: CompiledProgram) -> Callable[[str, str, Mapping[str, int]], int | None]:
    """What knows the initial values of fields of pieces that come from expressions."""

    def initial(kind: str, name: str, values: Mapping[str, int]) -> int | None:
        rest = {key: value for key, value in values.items() if key != name}
        setup = SetUp(program.spec.name, "", pieces={kind: (PieceSetUp("x", rest),)})
        field = next(f for f in program.spec.fields_of(kind) if f.name == name)
        try:
            value = getattr(program.new_state(setup, 0), field.slot)[0]
        except (RuntimeError, LookupError):
            return None
        return int(value)

    return initial


def _plain(
    mappings: Mapping[str, Mapping[str, Any] | None], effects: Iterable[str], run: str | None
) -> dict[str, Any]:
    """What is said of a position as plain data; ArgumentError where it is of the wrong kind."""
    for what, value in mappings.items():
        if value is not None and not isinstance(value, Mapping):
            raise ArgumentError(
                f"{what} is a mapping, not {type(value).__name__}",
                "docs/cases.md says what it may hold",
            )
    if isinstance(effects, str) or not isinstance(effects, Iterable):
        raise ArgumentError(
            f"effects is a list of texts, not {value_in_words(effects)}", "write ['charge']"
        )
    if run is not None and not isinstance(run, str):
        raise ArgumentError(
            f"run is a text, not {value_in_words(run)}", "write 'attack_unit(hi, foe, E6, attack)'"
        )
    values = {**mappings, "effects": list(effects)}
    data: dict[str, Any] = {key: plain(value, key) for key, value in values.items() if value}
    return data if run is None else {**data, "run": run}


def _check_shape(data: dict[str, Any]) -> None:
    """ArgumentError, with its place, for the first thing that has not the shape that cases demand
    of it.
    """
    node, errors, paths = tree_of(data, "position")
    if node is None:
        raise ArgumentError(
            f"{path_in_words(paths[errors[0].line])}: {errors[0].message}", errors[0].remedy
        )
    for fault in faults_beside(node):
        path = paths[fault.node.line]
        message = message_without_place(message_without_place(fault.message, path), path[:-1])
        raise ArgumentError(f"{path_in_words(path)}: {message}", fault.remedy)


def _argument_error(error: CaseError) -> ArgumentError:
    """What is wrong, with its place in the arguments."""
    message = str(error)
    if error.path[:1] == ("position",):
        message = message_without_place(message.removeprefix("the position: "), error.path[1:])
    return ArgumentError(f"{path_in_words(error.path)}: {message}" if error.path else message)
