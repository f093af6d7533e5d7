"""How the modules and the docs are laid out."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from project import ROOT
from test_walls import circles, modules

FOLDERS = ("grognard", "compiler", "runtime", "dsl")
MOST_MODULES, MOST_LINES, WIDEST = 16, 600, 120


def holds(rule: str, broken: Iterable[str], remedy: str) -> None:
    """That nothing breaks a rule."""
    assert not (found := sorted(set(broken))), f"{rule}: {found}: {remedy}"


def sources() -> list[Path]:
    """All modules of the engine and the library."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_a_name_stands_for_one_module() -> None:
    names = Counter(p.stem for p in (ROOT / "grognard").rglob("*.py") if "__" not in p.stem)
    twice = [name for name, number in names.items() if number > 1]
    holds("one name, one module", twice, "name one of them otherwise")


def imported(tree: ast.AST, known: Iterable[str]) -> set[str]:
    """The modules among *known* that a tree imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & set(known)) or {node.module}
    return found & set(known)


def test_no_circle_runs_through_the_modules_and_folders_of_a_folder() -> None:
    known = modules()
    arrows = {name: imported(ast.parse(path.read_text()), known) for name, path in known.items()}
    found = []
    for folder in sorted({name for name, path in known.items() if path.name == "__init__.py"}):

        def room(module: str, folder: str = folder) -> str:
            """The module or folder in *folder* in which a module stands."""
            return module.removeprefix(folder).lstrip(".").partition(".")[0]

        inside = [name for name in arrows if name == folder or name.startswith(f"{folder}.")]
        leads: dict[str, set[str]] = {room(name): set() for name in inside}
        for name in inside:
            ends = {room(end) for end in arrows[name] & set(inside)}
            leads[room(name)] |= ends - {room(name)}
        found += [
            f"{folder}: {' '.join(sorted(one or '__init__' for one in circle))}"
            for circle in circles(leads)
        ]
    holds("no circle in a folder", found, "move what both need into a module of its own")


def test_imports_stand_at_the_top() -> None:
    """Start-up time alone excuses one in a function; the line, or the one before, says so."""
    found = []
    for path in sources():
        lines = path.read_text().splitlines()
        for outer in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(outer):
                    if isinstance(node, ast.Import | ast.ImportFrom) and not re.search(
                        "# start-up: ", "\n".join(lines[max(node.lineno - 2, 0) : node.end_lineno])
                    ):
                        found.append(short(path))
    holds("imports stand at the top", found, "move them up, or say '# start-up: …' why not")


def test_docs_are_narrow() -> None:
    """Lines outside tables and headings; of code those of the pages of findings."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    pages += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "dsl").rglob("*.md")]
    found = []
    for page in pages:
        text = page.read_text()
        if page.parent.name != "diagnostics":
            text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
        lines = [line for line in text.splitlines() if not line.lstrip().startswith(("|", "#"))]
        found += [f"{short(page)}: {line[:40]}" for line in lines if len(line) > WIDEST]
    holds("docs are narrow", found, f"wrap at {WIDEST} characters")


def test_folders_are_small() -> None:
    modules_in = Counter(short(p.parent) for p in sources() if p.name != "__init__.py")
    large = [folder for folder, number in modules_in.items() if number > MOST_MODULES]
    holds("folders are small", large, f"at most {MOST_MODULES} modules beside __init__")


def test_modules_are_small_enough_to_be_read() -> None:
    long = [short(path) for path in sources() if len(path.read_text().splitlines()) > MOST_LINES]
    holds("modules are small", long, f"at most {MOST_LINES} lines")
