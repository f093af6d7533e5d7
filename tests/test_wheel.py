"""What a source archive holds and a wheel installs: one name, which works from everywhere."""

from __future__ import annotations

import ast
import email
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent

NAMES = ("compiler", "dsl", "runtime", "rulesets", "scenarios")


@pytest.fixture(scope="module")
def building() -> ModuleType:
    """setup.py as a module."""
    spec = importlib.util.spec_from_file_location("grognard_setup", ROOT / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_imports_are_rewritten_by_syntax(building: ModuleType) -> None:
    source = (
        '"""from runtime.x import y — ü"""\n'
        "from __future__ import annotations\n"
        "import runtime.board as board, sys\n"
        "from runtime import model; text = 'ü'; from  compiler.ir import (\n    a,\n)\n"
        "from runtimes import b\n"
        "def f():\n    from dsl.x import c  # from dsl.x\n    return 'import runtime'\n"
    )
    expected = (
        '"""from runtime.x import y — ü"""\n'
        "from __future__ import annotations\n"
        "import grognard._engine.runtime.board as board, sys\n"
        "from grognard._engine.runtime import model; text = 'ü'; from  grognard._engine.compiler.ir import (\n    a,\n)\n"
        "from runtimes import b\n"
        "def f():\n    from grognard._engine.dsl.x import c  # from dsl.x\n    return 'import runtime'\n"
    )
    assert building.rewritten(source, "x.py") == expected
    assert building.rewritten("from . import runtime\n", "x.py") == "from . import runtime\n"
    for wrong in ("import runtime.board\n", "from \\\n  runtime import x\n"):
        with pytest.raises(SyntaxError):
            building.rewritten(wrong, "x.py")


@pytest.mark.parametrize("folder", ["grognard", "dsl", "compiler", "runtime"])
def test_every_module_can_be_rewritten(building: ModuleType, folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        tree = ast.parse(building.rewritten(path.read_text(), path.name))
        for node in ast.walk(tree):
            module = node.module if isinstance(node, ast.ImportFrom) and node.level == 0 else None
            assert (module or "").split(".")[0] not in NAMES, path


# --------------------------------------------------------------------------- the wheel itself


def built(hook: str, source: Path, into: Path) -> Path:
    """What a hook of the build backend makes of a source tree."""
    call = f"import setuptools.build_meta as b; b.{hook}({str(into)!r})"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = into.iterdir()
    return made


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, made in a copy of the checkout in which an earlier build has left something."""
    folder = tmp_path_factory.mktemp("archive")
    source = folder / "source"
    passing = (
        ".git",
        ".venv",
        ".cache",
        ".*_cache",
        ".hypothesis",
        "build",
        "dist",
        "*.egg-info",
        "__pycache__",
    )
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*passing), symlinks=True)
    left = source / "build" / "lib" / "compiler"
    left.mkdir(parents=True)
    (left / "__init__.py").write_text("")
    (folder / "made").mkdir()
    return built("build_sdist", source, folder / "made")


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made of the source archive alone."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    (folder / "made").mkdir()
    return built("build_wheel", source, folder / "made")


@pytest.mark.long
def test_the_source_archive_holds_what_it_takes_to_read_and_test(archive: Path) -> None:
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {
        "docs/python.md",
        "dsl/SPEC.md",
        "dsl/spec/04-rules.md",
        "tests/project.py",
        "bench/checks/fuzz.py",
        "CHANGELOG.md",
        "NOTICE",
    } <= names
    for folder in (
        "docs",
        "tests",
        "bench",
        "rulesets",
        "scenarios",
        "grognard",
        "dsl",
        "compiler",
        "runtime",
    ):
        there = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert there <= names, sorted(there - names)[:5]


@pytest.mark.long
def test_the_wheel_installs_one_name_and_says_so(archive: Path, wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel)
    about = wheel.name.split("-py3")[0] + ".dist-info"
    assert {name.split("/")[0] for name in packed.namelist()} == {"grognard", about}
    assert packed.read(f"{about}/top_level.txt").decode().split() == ["grognard"]
    told = email.message_from_bytes(packed.read(f"{about}/METADATA"))
    assert "Programming Language :: Python :: 3.11" in told.get_all("Classifier", [])
    assert (
        told["Requires-Python"] == ">=3.11"
        and told["License-Expression"] == "MIT"
        and told["Keywords"]
    )
    again = archive.parent.parent / "again"
    again.mkdir()
    other = zipfile.ZipFile(built("build_wheel", archive.parent.parent / "source", again))
    assert {name: packed.read(name) for name in packed.namelist() if "RECORD" not in name} == {
        name: other.read(name) for name in other.namelist() if "RECORD" not in name
    }


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare environment with nothing but the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    venv = folder / "a venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    python = venv / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    site = Path(
        subprocess.run(
            [str(python), "-c", "import site; print(site.getsitepackages()[0])"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    assert {p.name.split("-")[0] for p in site.iterdir()} - {
        "pip",
        "setuptools",
        "pkg_resources",
        "_distutils_hack",
        "distutils",
    } == {"grognard"}
    # what it depends on comes from the environment of the tests, without an index
    depends = folder / "depends"
    depends.mkdir()
    for name in ("lark", "yaml", "_yaml", "jinja2", "markupsafe", "typing_extensions.py"):  # fmt: skip
        module = importlib.util.find_spec(name.removesuffix(".py"))
        if module is not None and module.origin is not None:
            origin = Path(module.origin)
            (depends / name).symlink_to(origin if name.endswith(".py") else origin.parent)
    (site / "depends.pth").write_text(f"{depends}\n")
    return venv


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder to work in, which holds folders of the same names, with junk in them."""
    folder = tmp_path / "my desk"
    folder.mkdir()
    for name in ("compiler", "dsl", "runtime"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise RuntimeError('not this one')\n")
    (folder / "bench.py").write_text("raise RuntimeError('not this one')\n")
    return folder


def run(venv: Path, desk: Path, *arguments: str, code: int = 0) -> str:
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "GROGNARD", "MYPY"))
    }
    variables = {
        **clean,
        "GROGNARD_CACHE": str(desk.parent / "cache"),
        "GROGNARD_DATA": str(desk.parent / "data"),
    }
    program, *rest = arguments
    done = subprocess.run(
        [str(venv / "bin" / program), *rest],
        cwd=desk,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


SCRIPT = """
import sys
import grognard
game = grognard.load("akragas", seed=7)
while not game.over:
    game.play(game.options[0])
print(game.result)
assert grognard.load("akragas", seed=7).explain("close_dice", "S.HI1", "H4", "attack").value == 5
assert not {"compiler", "dsl", "runtime"} & set(sys.modules)
"""


@pytest.mark.long
def test_an_installed_grognard_works_from_everywhere(environment: Path, desk: Path) -> None:
    assert "language" in run(environment, desk, "grognard", "--version")
    assert "akragas" in run(environment, desk, "grognard", "list")
    assert "1 game" in run(environment, desk, "grognard", "bots", "akragas", "--games", "1")
    assert "2 games" in run(
        environment,
        desk,
        "python",
        "-m",
        "grognard",
        "bots",
        "akragas",
        "--games",
        "2",
        "--jobs",
        "2",
    )
    assert "no findings" in run(environment, desk, "grognard", "check", "cc_ancients")
    assert "CCA-11.23" in run(
        environment, desk, "grognard", "explain", "akragas", "close_dice", "S.HI1", "H4", "attack"
    )
    (desk / "script.py").write_text(SCRIPT)
    assert run(environment, desk, "python", "script.py") == "top=1, bottom=2\n"
    (desk / "cases.yaml").write_text(
        "ruleset: cc_ancients\nscenario: akragas\ncases:\n- name: none\n  run: nothing\n  expect: {fields: {top.banners: 0}}\n"
    )
    assert "1 passed" in run(environment, desk, "grognard", "test", "cases.yaml")
    run(environment, desk, "grognard", "new", "hills")
    run(environment, desk, "grognard", "check", "hills")
    assert "hills/first" in run(environment, desk, "grognard", "list")
    assert "<svg" in run(environment, desk, "grognard", "render", "hills/first")
    compiled = run(environment, desk, "grognard", "compile", "hills", "-o", "-")
    assert "from grognard._engine.runtime.board import" in compiled
    (desk / "my_bot.py").write_text(
        "class First:\n    def choose(self, view, options, rng):\n        return options[0]\n"
    )
    assert "my_bot:First" in run(
        environment,
        desk,
        "grognard",
        "bots",
        "akragas",
        "--games",
        "1",
        "--bots",
        "my_bot:First,random",
    )
