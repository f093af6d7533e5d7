"""Rules under test: positions of one's own, cases, coverage, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grognard import places
from grognard.cases import Case, CaseError, CaseRunner, RulesetErrors, Unread, case_files, run_files
from grognard.cases.schema import beside
from grognard.coverage import Coverage
from grognard.coverage import cover as covered
from grognard.errors import ArgumentError, LoadError, counted, given
from grognard.explaining import explainer_of
from grognard.game import Game
from grognard.loading import open_scenario, path_of, plain, script_of, searching
from grognard.pointing import paths_of, unplaced, written
from grognard.scenario import Scenario
from grognard.seeds import seeded
from grognard.translating import failing, translated
from runtime.scenario.yaml_text import plain as tree
from runtime.scenario.yaml_text import read, read_file

__all__ = ["CaseResult", "Coverage", "cover", "run_cases", "set_up"]


def set_up(
    scenario: str | Path | Mapping[str, Any],
    position: Mapping[str, Any] | None = None,
    *,
    fields: Mapping[str, Any] | None = None,
    piles: Mapping[str, Sequence[str]] | None = None,
    effects: Iterable[str] = (),
    run: str | None = None,
    dice: Mapping[str, Sequence[int | str]] | Sequence[int | str] | None = None,
    switches: Mapping[str, bool] | None = None,
    seed: int = 1,
    root: str | Path | None = None,
) -> Game:
    """A position of one's own, with scripted chance: for tests of rules.

    *scenario* gives what is not said here.  The rest is as in cases (``docs/cases.md``): *position* in the
    form of a scenario (kinds of pieces that are named replace the scenario's), *fields* that a scenario
    cannot give (``{"hi.blocks": 1}``), *piles* with the last card on top (``{"hand[top]": ["rally"]}``),
    *effects* in force (``["charge", "pinned(hi)"]``).

    *run* is the procedure that is run, ``"attack_unit(hi, foe, E6, attack)"``; the game is over when it has
    ended.  ``"nothing"`` runs nothing: values can be asked.  None begins the whole game from here.  *dice*
    scripts what is rolled first (``game.dice_left`` tells what was not); all other chance comes from *seed*.

    ArgumentError for what names nothing, LoadError for a ruleset or scenario with errors.
    """
    opened = open_scenario(scenario, root=root)
    for what, value in (("position", position), ("fields", fields), ("piles", piles), ("switches", switches)):
        if value is not None and not isinstance(value, Mapping):
            raise ArgumentError(
                f"{what} is a mapping, not {type(value).__name__}", "docs/cases.md says what it may hold"
            )
    if isinstance(effects, str) or not isinstance(effects, Iterable):
        raise ArgumentError(f"effects is a list of texts, not {given(effects)}", "write ['charge']")
    data: dict[str, Any] = {"seed": seeded(seed)}
    values = {
        "position": position,
        "fields": fields,
        "piles": piles,
        "effects": list(effects),
        "switches": switches,
    }
    data |= {key: plain(value, key) for key, value in values.items() if value}
    if run is not None:
        if not isinstance(run, str):
            raise ArgumentError(
                f"run is a text, not {given(run)}", "write 'attack_unit(hi, foe, E6, attack)'"
            )
        data["run"] = run
    if dice is not None:
        data["dice"] = plain(script_of(opened.program.spec, dice), "dice")
    _shaped(data)
    with translated(), searching(root):
        runner = CaseRunner(explainer_of(opened).program, opened.program, _content(scenario, opened))
    return _begun(runner, data, opened)


def _begun(runner: CaseRunner, data: Mapping[str, Any], opened: Scenario) -> Game:
    """The game of a position that is set up; it can be begun again with another seed."""
    try:
        with failing(opened.program.spec.name):
            raw = runner.begin(Case("", 0, dict(data)))
    except CaseError as error:
        raise ArgumentError(_told(error)) from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ArgumentError(str(error)) from None
    raw.unrecorded = raw.unrecorded or "its position was set up"
    made = Scenario(opened.program.on(raw.setup.board), raw.setup, opened.folder)
    return Game(made, raw, lambda seed: _begun(runner, {**data, "seed": seed}, opened))


def _told(error: CaseError) -> str:
    """What is wrong, with its place in the arguments."""
    message = str(error)
    if error.path[:1] == ("position",):
        message = unplaced(message.removeprefix("the position: "), error.path[1:])
    return f"{written(error.path)}: {message}" if error.path else message


def _shaped(data: Mapping[str, Any]) -> None:
    """ArgumentError, with its place, for the first thing that has not the shape that cases demand of it."""
    text = yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=1 << 20)
    node, errors = read(text, "position")
    if node is None:
        raise ArgumentError(errors[0].message, errors[0].remedy)
    keys, values = paths_of(text)
    for wrong, message, remedy in beside(node):
        place = (wrong.line, wrong.column)
        raise ArgumentError(f"{written(values.get(place) or keys.get(place, ()))}: {message}", remedy)


def _content(scenario: str | Path | Mapping[str, Any], opened: Scenario) -> dict[str, Any]:
    """What a scenario says, as its file has it."""
    if isinstance(scenario, Mapping):
        return {"ruleset": opened.program.spec.name, "title": opened.setup.title, **plain(scenario, "")}
    assert opened.path is not None
    root, _ = read_file(opened.path, str(opened.path))
    assert root is not None
    return dict(tree(root))


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case: it held when there are no *problems*.

    *file* and *line* say where it stands, *rules* are the rule IDs that it names; *actions* were taken, and
    *log* is what happened. Of a file that cannot be read there is one result, without a name.
    """

    file: str
    line: int
    name: str
    rules: tuple[str, ...]
    problems: tuple[str, ...]
    actions: tuple[str, ...] = ()
    log: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as expected."""
        return not self.problems


def _paths(given: str | Path | Iterable[str | Path]) -> list[Path]:
    """Files and folders of cases."""
    if isinstance(given, str | Path):
        return [path_of(given, "a file of cases")]
    if not isinstance(given, Iterable):
        raise ArgumentError(f"cases are paths of files or folders, not {type(given).__name__}")
    return [path_of(one, "a file of cases") for one in given]


def run_cases(
    paths: str | Path | Iterable[str | Path],
    *,
    match: str = "",
    interpreted: bool = False,
    root: str | Path | None = None,
) -> list[CaseResult]:
    """Run the cases of files, or of all files below folders; *match*: only those whose name or rules contain
    these words.

    *interpreted*: by the reference interpreter instead of compiled code.  LoadError when files are not there
    or rulesets have errors.
    """
    made: list[CaseResult] = []
    try:
        with translated(), searching(root):
            for outcome in run_files(case_files(_paths(paths)), match, interpreted):
                if isinstance(outcome, Unread):
                    made.append(CaseResult(str(outcome.path), 0, "", (), (str(outcome.error),)))
                else:
                    case = outcome.case
                    problems, actions, log = (
                        tuple(outcome.problems),
                        tuple(outcome.actions),
                        tuple(outcome.log),
                    )
                    made.append(
                        CaseResult(case.file, case.line, case.name, case.rules, problems, actions, log)
                    )
    except RulesetErrors as error:
        raise LoadError("the ruleset has errors", findings=error.report.sorted) from None
    return made


def cover(
    ruleset: str | Path,
    *,
    games: int = 4,
    seed: int = 1,
    cases: Iterable[str | Path] = (),
    root: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Which rules of the rulebook the ruleset cites, cases name, and *games* random games reach.

    ``found.own.rules`` and those of ``found.bases`` have ``id``, ``topic``, ``mechanic``, ``cited``,
    ``cases``, ``reached``. *cases* are files and folders beside ``tests/cases/<ruleset>``.  LoadError when
    the ruleset has errors or no index, RulesError when its rules fail in play, ArgumentError for a number of
    games below 0.
    """
    counted("games", games, 0)
    if progress is not None and not callable(progress):
        raise ArgumentError("progress is called with two numbers: give a function, or None")
    with translated(), searching(root):
        folder = places.ruleset_folder(str(path_of(ruleset, "ruleset")))
        with failing(folder.name):
            return covered(folder, games, seeded(seed), _paths(cases), progress)
