"""Where rulesets and scenarios are found, and how they are opened.

The folders ``rulesets`` and ``scenarios`` of the current directory come first, then those that came
with the installation (in a checkout: its own).  A ruleset is named by its name or its folder, a
scenario by a path, ``ruleset/name`` or its name alone where only one scenario has it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from compiler.output.report import Report, shown_path, wants_color
from compiler.sources.folders import chain
from compiler.sources.folders import is_ruleset as is_ruleset
from grognard.arguments import path_of
from grognard.files import below
from runtime.data.findings import Finding, suggestion
from runtime.data.reader import Mapping as Tree
from runtime.data.reader import Node, Scalar, parse, read_file
from runtime.errors import ArgumentError, LoadError
from runtime.files import entries, read_bytes, read_text, remedy_of
from runtime.spelling import did_you_mean

if TYPE_CHECKING:
    from compiler.ruleset import Ruleset
    from grognard.draw.style import Style
    from runtime.model import RulesetSpec
    from runtime.program import CompiledProgram
    from runtime.scenario import SetUp

RULESETS, SCENARIOS = "rulesets", "scenarios"
_YAML = (".yaml", ".yml")
#: Folders that are searched before all others.
_first: ContextVar[tuple[Path, ...]] = ContextVar("first", default=())


@contextmanager
def searching(root: str | Path | None = None) -> Iterator[None]:
    """Look for rulesets and scenarios below *root* first; what cannot be read is a LoadError."""
    before = _first.get()
    try:
        if root is not None:
            _first.set((_root(root),))
        yield
    except OSError as error:
        # no name is told where somebody has removed the current folder
        name = "the current folder" if error.filename is None else str(error.filename)
        message = f"{name} cannot be read: {error.strerror or error}"
        raise LoadError(message, remedy_of(error)) from None
    finally:
        _first.set(before)


def _root(root: str | Path) -> Path:
    folder = path_of(root, "root")
    if not folder.is_dir():
        raise LoadError(
            f"there is no folder '{root}'", "give the folder that holds 'rulesets' and 'scenarios'"
        )
    return folder.resolve()


def installed() -> Path:
    """Where the rulesets and scenarios are that come with grognard: in a checkout beside this
    package, else in it.
    """
    here = Path(__file__).resolve().parent
    return here / "_games" if (here / "_games").is_dir() else here.parent


def roots(kind: str) -> list[Path]:
    """The folders that are searched, nearest first."""
    folders: list[Path] = []
    for root in (*_first.get(), Path.cwd(), installed()):
        folder = (root / kind).resolve()
        if folder.is_dir() and folder not in folders:
            folders.append(folder)
    return folders


def rulesets() -> dict[str, Path]:
    """All rulesets found, by name."""
    known: dict[str, Path] = {}
    for root in roots(RULESETS):
        for folder in sorted(root.iterdir()):
            if is_ruleset(folder):
                known.setdefault(folder.name, folder)
    return known


def scenarios() -> dict[str, Path]:
    """All scenarios found, by ``ruleset/name``, without links that lead out of their folder."""
    known: dict[str, Path] = {}
    for root in roots(SCENARIOS):
        for path in below(root, *_YAML, all_own=False):
            if path.is_file():
                known.setdefault(path.relative_to(root).with_suffix("").as_posix(), path)
    return known


def ruleset_folder(argument: str) -> Path:
    """The folder of a ruleset given by name or folder."""
    path = Path(argument)
    known = rulesets()
    if argument in known and not is_ruleset(path):
        return known[argument]
    if path.is_dir():
        if is_ruleset(path):
            return path.resolve()
        raise LoadError(
            f"'{argument}' is not a ruleset: the folder has no .grog files",
            "give the folder that holds them, or a ruleset's name",
        )
    if path.is_file():
        remedy = (
            f"try '{path.parent}'"
            if is_ruleset(path.parent)
            else "`grognard list` shows the rulesets that are found"
        )
        raise LoadError(f"'{argument}' is a file; a ruleset is a folder", remedy)
    raise LoadError(
        f"there is no ruleset '{argument}'",
        did_you_mean(argument, known)
        or (f"there are {', '.join(known)}" if known else "begin one with `grognard new NAME`"),
    )


def find(name: str, near: Path | None = None) -> Path | None:
    """The folder of the ruleset that another extends."""
    if near is not None and is_ruleset(near / name):
        return near / name
    return rulesets().get(name)


def finder(folder: Path) -> Callable[[str], Path | None]:
    """Finds the rulesets that the one in a folder extends: beside it, else among all."""
    return lambda name: find(name, folder.parent)


def family(folder: Path) -> list[Path]:
    """The folder of a ruleset and those of the rulesets that it extends."""
    return chain(folder, finder(folder))


def scenario_path(argument: str) -> Path:
    """The file of a scenario given by path or name."""
    path = Path(argument)
    if path.is_file():
        return path
    known = scenarios()
    name = argument.removesuffix(".yaml").removesuffix(".yml")
    if name in known:
        return known[name]
    hits = [key for key in known if key.rsplit("/", 1)[-1] == name]
    if len(hits) == 1:
        return known[hits[0]]
    if hits:
        raise LoadError(
            f"several scenarios are called '{argument}'", f"say which: {', '.join(hits)}"
        )
    if path.is_dir():
        raise LoadError(
            f"'{argument}' is a folder; a scenario is a file", "give one of the .yaml files in it"
        )
    if path.suffix in _YAML or ("/" in argument and not did_you_mean(name, known)):
        raise LoadError(
            f"there is no file '{argument}'", "`grognard list` shows the scenarios that are found"
        )
    names = [*known, *(key.rsplit("/", 1)[-1] for key in known)]
    raise LoadError(
        f"there is no scenario '{argument}'",
        did_you_mean(name, names) or "`grognard list` shows those that are found",
    )


# --------------------------------------------------------------------------- compiling


def readable(folder: Path, *, parsed: bool = True) -> None:
    """Make sure that the files of a ruleset and its bases can be read as text, and where that is
    asked for (*parsed*) those of YAML as mappings.
    """
    for path, owner in _files(folder):
        shown = shown_path(path)
        try:
            text = read_text(path, within=owner)
        except OSError as error:
            raise LoadError(f"{shown} cannot be read: {error.strerror}", remedy_of(error)) from None
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            message = f"{shown}:{line}: this is not UTF-8 text (byte {error.start})"
            raise LoadError(message, "save the file as UTF-8, or take it away") from None
        if parsed and path.suffix == ".yaml":
            content, findings = parse(text, shown)
            if findings:
                raise LoadError(f"{findings[0].place}: {findings[0].message}", findings[0].remedy)
            if content is not None and not isinstance(content, Tree):
                raise LoadError(
                    f"{shown}:1: this is not a mapping of keys to texts",
                    "write lines of the form 'key: text'",
                )


def _files(folder: Path) -> list[tuple[Path, Path]]:
    """The files of a ruleset and its bases, each with the folder of the ruleset it belongs to."""
    try:
        folders = family(folder)
    except OSError:
        folders = [folder]
    kinds = (("", (".grog", ".yaml")), ("texts", (".yaml",)), ("boards", (".yaml",)))
    return [
        (path, one)
        for one in folders
        for part, suffixes in kinds
        for path in entries(one / part, *suffixes)
    ]


def ruleset(folder: Path) -> Ruleset:
    """The ruleset in a folder, those that it extends beside it or among all."""
    from compiler.ruleset import Ruleset  # start-up: helps and lists do not wait for the engine

    return Ruleset(folder, finder(folder))


def readable_ruleset(folder: Path, *, abstract: bool = False) -> Ruleset:
    """The ruleset in a folder, whose files can be read; LoadError where one cannot, or where it is
    *abstract* and this is not asked for.
    """
    # who takes it as it is wants what is no YAML among the findings
    readable(folder, parsed=not abstract)
    compiled = ruleset(folder)
    if not abstract:
        _whole(compiled)
    return compiled


def _whole(made: Ruleset) -> None:
    if made.resolved.abstract and made.ok:
        raise LoadError(
            f"the ruleset '{made.name}' is abstract: it exists only to be extended",
            "name a ruleset that extends it",
        )


def program_of(of: Path | Ruleset) -> CompiledProgram:
    """The program of a ruleset, or of the one in a folder, from the cache if nothing has changed.
    LoadError after errors.
    """
    compiled = ruleset(of) if isinstance(of, Path) else of
    try:
        if compiled.cached is None:  # what is in the cache was readable when it was compiled
            readable(compiled.folder)
        program = compiled.loaded
    except OSError:
        readable(compiled.folder)
        raise
    if program is None:
        _whole(compiled)
        report = Report()
        report.add_ruleset(compiled)
        raise errors_of(report)
    if program.fault:
        remedy = f"`grognard compile {compiled.name} --native` builds it anew"
        message = f"{program.fault}; plain Python is used ({remedy})"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    return program


def errors_of(report: Report) -> LoadError:
    """The error that a report tells of."""
    name = ", ".join(report.checked) or "the ruleset"
    return LoadError(f"{name} has errors", findings=report.sorted, checked=report.checked)


def of_findings(findings: list[Finding], name: str) -> LoadError:
    """The error that findings about a file tell of."""
    report = Report()
    report.add_findings(findings, name)
    return errors_of(report)


def print_report(report: Report, format: str = "text", stream: TextIO | None = None) -> None:
    """Print a report where it belongs."""
    out = stream or sys.stdout
    print(report.render(format, wants_color(out)), file=out)


# --------------------------------------------------------------------------- scenarios


def side_of(spec: RulesetSpec, setup: SetUp, name: str) -> int:
    """The side with a name: that of the ruleset, or what the scenario calls it."""
    wanted = name.casefold()
    for side, member in enumerate(spec.sides):
        shown = setup.sides[side].name if side < len(setup.sides) else member
        if wanted in (member.casefold(), shown.casefold()):
            return side
    raise ArgumentError(
        f"there is no side '{name}'",
        did_you_mean(name, spec.sides) or f"the sides are {', '.join(spec.sides)}",
    )


@dataclass(frozen=True)
class Opened:
    """A scenario ready to be played."""

    path: Path
    folder: Path
    program: CompiledProgram
    setup: SetUp
    findings: list[Finding]

    def style(self) -> Style:
        """How the ruleset looks.  :class:`grognard.draw.style.StyleError` when its file cannot be
        used.
        """
        from grognard.draw.style import Style  # start-up: only what draws needs it

        return Style.read(family(self.folder))


def ruleset_of(path: Path) -> Path | list[Finding]:
    """The folder of the ruleset that a scenario is for, or what prevents it from being known."""
    shown = shown_path(path)
    try:
        read_bytes(path)
    except OSError as error:
        raise LoadError(f"{shown} cannot be read: {error.strerror}", remedy_of(error)) from None
    root, findings = read_file(path, shown)
    if root is None:
        return findings
    known = rulesets()

    def missing(code: str, message: str, node: Node, remedy: str) -> list[Finding]:
        return [Finding(code, message, shown, node.line, node.column, remedy=remedy)]

    if not isinstance(root, Tree):
        remedy = "start with 'ruleset:' and 'title:'"
        return missing("S104", "the file is not a mapping of keys", root, remedy)
    node = root.get("ruleset")
    if not isinstance(node, Scalar):
        remedy = f"add a line like 'ruleset: {next(iter(known), 'name')}'"
        return missing("S112", "the key 'ruleset' is missing", node or root, remedy)
    folder = find(node.text)
    if folder is None:
        message = f"there is no ruleset '{node.text}'"
        return missing("S202", message, node, suggestion(node.text, known))
    return folder


def load_scenario(
    path: Path, program: CompiledProgram, required: bool = True
) -> tuple[CompiledProgram, SetUp | None, list[Finding]]:
    """Load a scenario for a program: the program on its board, the set-up (None when there are
    errors), the findings; what the ruleset demands of it is among these only where it is
    *required*.
    """
    from runtime.scenario import board_of, load  # start-up: helps and lists do without

    shown = shown_path(path)
    program = program.on(board_of(path, program.spec, shown))
    return program, *load(
        path,
        program.spec,
        name=shown,
        initial=initial_values(program),
        broken=program.broken if required else None,
    )


def initial_values(program: CompiledProgram) -> Callable[[str, str, Mapping[str, int]], int | None]:
    """What knows the initial values of fields of pieces that come from expressions."""
    from runtime.scenario.setup import PieceSetUp, SetUp  # start-up: helps and lists do without

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


def open_scenario(argument: str) -> Opened:
    """Open a scenario for play; LoadError, with the findings, when it has errors."""
    path = scenario_path(argument)
    folder = ruleset_of(path)
    if isinstance(folder, list):
        raise of_findings(folder, argument)
    program = program_of(folder)
    program, setup, findings = load_scenario(path, program)
    if setup is None:
        raise of_findings(findings, argument)
    return Opened(path, folder, program, setup, findings)


def loaded(path: str) -> tuple[CompiledProgram, SetUp]:
    """Program and set-up of a scenario's file: for processes that start with nothing."""
    opened = open_scenario(path)
    return opened.program, opened.setup
