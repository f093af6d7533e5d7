"""Where rulesets and scenarios are found, and how they are opened.

The folders ``rulesets`` and ``scenarios`` of the current directory come first, then those that came
with the installation (in a checkout: its own).  A ruleset is named by its name or its folder, a
scenario by a path, ``ruleset/name`` or its name alone where only one scenario has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.output.report import Report, shown_path
from compiler.sources.folders import chain
from compiler.sources.folders import is_ruleset as is_ruleset
from grognard.arguments import path_of
from grognard.files import below
from runtime.data.findings import Finding
from runtime.data.reader import Mapping as Tree
from runtime.data.reader import Scalar, parse, read_file
from runtime.errors import LoadError
from runtime.files import entries, read_text, remedy_of
from runtime.spelling import did_you_mean

if TYPE_CHECKING:
    from compiler.ruleset import Ruleset
    from runtime.program import CompiledProgram

RULESETS, SCENARIOS = "rulesets", "scenarios"
_YAML = (".yaml", ".yml")
#: Folders in that of a ruleset.
_PARTS = ("texts", "boards", "cases")
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


def shipped_root() -> Path:
    """Where the rulesets and scenarios are that come with grognard: in a checkout beside this
    package, else in it.
    """
    here = Path(__file__).resolve().parent
    return here / "_games" if (here / "_games").is_dir() else here.parent


def roots(kind: str) -> list[Path]:
    """The folders that are searched, nearest first."""
    folders: list[Path] = []
    for root in (*_first.get(), Path.cwd(), shipped_root()):
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


def head_of(path: Path) -> tuple[str, str]:
    """Ruleset and title of a scenario, read leniently."""
    root, _ = read_file(path, str(path))
    if not isinstance(root, Tree):
        return "", "(cannot be read)"
    nodes = (root.get("ruleset"), root.get("title"))
    ruleset, title = (node.text if isinstance(node, Scalar) else "" for node in nodes)
    return ruleset, title


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


def ruleset_around(path: Path) -> Path | None:
    """The folder of the ruleset that a file belongs to, where it belongs to one: the folder that it
    is in, or of texts, boards and cases the one around that.
    """
    folder = path.absolute().parent
    if folder.name in _PARTS and path.suffix in _YAML and not is_ruleset(folder):
        folder = folder.parent
    return folder.resolve() if is_ruleset(folder) else None


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
    for path, owner in files_of(folder):
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


def files_of(folder: Path) -> list[tuple[Path, Path]]:
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
        if compiled.cache_entry is None:  # what is in the cache was readable when it was compiled
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
    return program


def errors_of(report: Report) -> LoadError:
    """The error that a report tells of."""
    name = ", ".join(report.checked) or "the ruleset"
    return LoadError(f"{name} has errors", findings=report.by_place, checked=report.checked)


def of_findings(findings: list[Finding], name: str) -> LoadError:
    """The error that findings about a file tell of."""
    report = Report()
    report.add_findings(findings, name)
    return errors_of(report)
