"""The two walls: the engine knows no game; a ruleset holds no Python.  And which way the arrows point."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from project import ROOT

ENGINE = [
    p
    for folder in ("dsl", "compiler", "runtime")
    for p in sorted((ROOT / folder).rglob("*"))
    if p.suffix in (".py", ".lark", ".j2")
]

# Words of the games that would betray a special case; names of general ideas (unit, deck, hand, leader line …) are not among them.
GAME_WORDS = [
    "elephant",
    "warrior",
    "spartacus",
    "momentum",
    "rampage",
    "battle.?back",
    "first.?strike",
    "banner",
    "infantry",
    "cavalry",
    "artillery",
    "blitz",
    "panzer",
    "soviet",
    "axis",
    "volkssturm",
    "stark",
    "lannister",
    "skirmisher",
    "grenadier",
    "westeros",
    "napoleon",
    "counterblow",
    "supply",
    "morale",
    "flag",
    "helmet",
    "odds",
    "auxilia",
    "chariot",
    "camel",
]


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_the_engine_knows_no_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = re.findall(rf"\b(?:{'|'.join(GAME_WORDS)})s?\b", text, re.IGNORECASE)
    # "flags" of compile() and of processors, and odds as chances are English, not a game's.
    allowed = (
        {"flags", "flag"} if path.name in ("__init__.py", "api.py", "build_cache.py") else set()
    )
    allowed |= {"odds"} if path.name == "names.py" else set()  # the prompt's command
    assert not [w for w in found if w.lower() not in allowed]


def test_no_member_of_a_ruleset_is_named_in_the_engine() -> None:
    """Names that only a game would use: everything its tables list, unless it is an ordinary word of the engine."""
    names: set[str] = set()
    for path in (ROOT / "rulesets").rglob("*.grog"):
        for block in re.findall(
            r"^enum \w+ \{([^}]*)\}", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            names |= {n for n in re.findall(r"[A-Za-z_]\w*", block) if len(n) > 5 and "_" in n}
    words = {word for p in ENGINE for word in re.findall(r"\w+", p.read_text(encoding="utf-8"))}
    assert names and not names & words


@pytest.mark.parametrize("folder", ["rulesets", "scenarios"])
def test_rulesets_and_scenarios_hold_no_python(folder: str) -> None:
    files = [p for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert files
    assert not [p for p in files if p.suffix not in (".grog", ".yaml")]
    for path in files:
        if path.suffix == ".yaml":
            yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def imports(path: Path) -> set[str]:
    """The packages that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("runtime", {"compiler", "dsl", "grognard"}),
        ("dsl", {"compiler", "grognard"}),
        ("compiler", {"grognard"}),
    ],
)
def test_arrows_run_one_way(folder: str, forbidden: set[str]) -> None:
    wrong = {
        p.name: imports(p) & forbidden
        for p in (ROOT / folder).rglob("*.py")
        if imports(p) & forbidden
    }
    assert not wrong


#: Circles of modules that are still to be opened.
CIRCLES: list[set[str]] = []


def modules() -> dict[str, Path]:
    """All modules of the project, by name."""
    found = {}
    for folder in ("dsl", "compiler", "runtime", "grognard"):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def modules_imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a module imports: anywhere in it, and also for types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            assert node.module is not None
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & known.keys()) or {node.module}
    return found & known.keys()


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of modules of which each leads to each other."""
    leads: dict[str, set[str]] = {}
    for start in arrows:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            for following in arrows[ahead.pop()] - seen:
                seen.add(following)
                ahead.append(following)
        leads[start] = seen
    found: list[set[str]] = []
    for module in sorted(arrows):
        circle = {other for other in leads[module] if module in leads[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def test_the_architecture_names_what_there_is() -> None:
    """Modules, or names of modules, that the description of the architecture names in full."""
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:dsl|compiler|runtime|grognard)(?:\.\w+)+)", text))
    known = modules()
    assert len(named) > 20
    for name in named - known.keys():
        module, _, part = name.rpartition(".")
        assert module in known, name
        assert re.search(rf"\b{part}\b", known[module].read_text(encoding="utf-8")), name


def test_a_circle_of_imports_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}, "e": set()}) == [{"b", "c"}]


def test_imports_run_in_no_circle() -> None:
    known = modules()
    found = circles({name: modules_imported(path, known) for name, path in known.items()})
    assert [c for c in found if c not in CIRCLES] == []
    assert [c for c in CIRCLES if c not in found] == [], (
        "these are open now: take them out of the list"
    )


def test_the_language_takes_from_the_engine_how_words_are_compared_and_said_and_files_kept() -> (
    None
):
    taken = {
        m
        for p in (ROOT / "dsl").rglob("*.py")
        for m in re.findall(r"(?:from|import) (runtime\S*)", p.read_text(encoding="utf-8"))
    }
    assert taken == {"runtime.spelling", "runtime.words.said", "runtime.private_files"}


def test_nothing_written_by_a_user_is_evaluated() -> None:
    """``exec`` runs the compiler's own output in one place; ``eval`` nowhere."""
    calls = []
    for folder in ("dsl", "compiler", "runtime", "grognard"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("eval", "exec", "__import__")
                ):
                    calls.append(f"{path.relative_to(ROOT)}:{node.func.id}")
    assert calls == ["runtime/program.py:exec"]


#: Imports each module alone, in a process that has imported none of ours.
_EACH_ALONE = """
import os, sys
import lark, yaml
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {error}", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be split here")
def test_each_module_of_the_engine_can_be_imported_first() -> None:
    """Else what works hangs on what else was imported before."""
    parts = [p.relative_to(ROOT).with_suffix("").parts for p in ENGINE if p.suffix == ".py"]
    names = [".".join(part).removesuffix(".__init__") for part in parts if part[0] == "runtime"]
    command = [sys.executable, "-c", _EACH_ALONE, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""
