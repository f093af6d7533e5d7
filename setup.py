"""Building: a wheel installs one name, ``grognard``.

A checkout keeps ``dsl``, ``compiler``, ``runtime``, ``rulesets`` and ``scenarios`` beside
``grognard``.  In a wheel the packages stand in ``grognard/_engine`` and the games in
``grognard/_games``, so that nothing is taken from other people's names and no folder called
``runtime`` gets in the way; the imports are rewritten on the way, by syntax.  Everything else is in
pyproject.toml.
"""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

PACKAGES = ("dsl", "compiler", "runtime")
GAMES = ("rulesets", "scenarios")
ENGINE = "grognard._engine"


class Build(build_py):
    """Lays the packages out as a wheel has them; an editable installation is the checkout."""

    def run(self) -> None:
        """Build."""
        if getattr(self, "editable_mode", False):
            super().run()
            return
        root = Path(self.build_lib)
        shutil.rmtree(
            root, ignore_errors=True
        )  # what an earlier build has left must not get into the wheel
        super().run()
        lay_out(root)


class Information(egg_info):
    """Names what a wheel installs, not the folders of the checkout."""

    def run(self) -> None:
        """Write the metadata."""
        super().run()
        (Path(self.egg_info) / "top_level.txt").write_text("grognard\n", encoding="utf-8")


def lay_out(root: Path) -> None:
    """Move the packages and games below *root* into ``grognard``."""
    top = root / "grognard"
    for folder, names in ((top / "_engine", PACKAGES), (top / "_games", GAMES)):
        folder.mkdir()
        for name in names:
            shutil.move(str(root / name), folder / name)
    (top / "_engine" / "__init__.py").write_text(
        '"""The language, the compiler and the engine."""\n', encoding="utf-8"
    )
    for path in sorted(root.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        moved = rewritten(source, path.name)
        if moved != source:
            path.write_text(moved, encoding="utf-8")


def rewritten(source: str, name: str) -> str:
    """A module whose imports of the packages go to where a wheel has them."""
    lines = source.encode().splitlines(keepends=True)  # columns of the syntax tree count bytes
    places: list[tuple[int, int]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _ours(node.module):
            before = lines[node.lineno - 1][: node.col_offset + len("from")]
            rest = lines[node.lineno - 1][len(before) :]
            places.append((node.lineno - 1, len(before) + len(rest) - len(rest.lstrip())))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _ours(alias.name):
                    if alias.asname is None:  # it would bind another name
                        raise SyntaxError(
                            f"{name}:{node.lineno}: write 'from … import …', "
                            f"or 'import {alias.name} as …'"
                        )
                    places.append((alias.lineno - 1, alias.col_offset))
    for line, column in sorted(places, reverse=True):
        text = lines[line]
        if not text[column:].startswith(tuple(package.encode() for package in PACKAGES)):
            raise SyntaxError(
                f"{name}:{line + 1}: an import that is broken over lines is not understood here"
            )
        lines[line] = text[:column] + f"{ENGINE}.".encode() + text[column:]
    return b"".join(lines).decode()


def _ours(module: str | None) -> bool:
    return module is not None and module.split(".")[0] in PACKAGES


if __name__ == "__main__":
    setup(cmdclass={"build_py": Build, "egg_info": Information})
