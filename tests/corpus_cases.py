"""The corpus of small rulesets: what each is expected to yield, and how one is compiled.

A case is a file or a folder.  A file that starts with ``# preamble`` is compiled together with
``corpus/preamble.grog``.  Findings are expected where comments say so: ``# E[R201]: part of the message`` (an
error; ``W[…]`` a warning), several on a line one after another.  Advice (L8xx) counts only in files that expect some.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from compiler.ruleset import Ruleset
from dsl.diagnostics import Diagnostic

ROOT = Path(__file__).parent.parent
CORPUS = Path(__file__).parent / "corpus"
PREAMBLE = CORPUS / "preamble.grog"
_MARK = re.compile(r"([EW])\[([A-Z]\d{3})\](?::[ ]?(.*?))?(?=\s+[EW]\[|$)")

Expected = tuple[str, int, str, str, str]


def cases(kind: str) -> list[Path]:
    """The cases of all features of a kind (``good`` or ``bad``)."""
    return sorted(p for p in CORPUS.glob(f"*/{kind}/*") if p.is_dir() or p.suffix == ".grog")


def families() -> list[Path]:
    """The families: folders with a base and what extends it."""
    return sorted(p for p in (CORPUS / "families").iterdir() if p.is_dir())


def name_of(case: Path) -> str:
    """What a case is called."""
    return case.relative_to(CORPUS).with_suffix("").as_posix()


def lay_out(case: Path, root: Path) -> Path:
    """Put *case* as a ruleset of its own below *root*; returns its folder."""
    folder = root / "corpus"
    if case.is_dir():
        shutil.copytree(case, folder)
        return folder
    text = case.read_text(encoding="utf-8")
    write(text, folder, "case.grog")
    return folder


def write(text: str, folder: Path, name: str) -> None:
    """Write a program, with the preamble beside it when it asks for it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    if text.startswith("# preamble"):
        shutil.copy(PREAMBLE, folder / "a_preamble.grog")


def compile_folder(folder: Path) -> Ruleset:
    """A ruleset; others are looked for beside it."""
    return Ruleset(folder)


def expected_in(folders: list[Path]) -> list[Expected]:
    """What the comments in *folders* promise: file, line, severity, code, part of the message."""
    found: list[Expected] = []
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".grog", ".yaml")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                _, sign, comment = line.partition("#")
                for severity, code, message in _MARK.findall(comment) if sign else ():
                    found.append(
                        (
                            f"{folder.name}/{path.relative_to(folder).as_posix()}",
                            number,
                            severity,
                            code,
                            message.strip(),
                        )
                    )
    return found


def differences(found: list[Diagnostic], expected: list[Expected]) -> list[str]:
    """What was found and not expected, and what was expected and not found."""
    advised = {file for file, _, _, code, _ in expected if code.startswith("L")}
    left = [d for d in found if d.span.file in advised or not d.code.startswith("L")]
    lines: list[str] = []
    for file, number, severity, code, message in expected:
        hit = next(
            (
                d
                for d in left
                if (d.span.file, d.span.line, d.code) == (file, number, code)
                and message in d.message
                and d.is_error == (severity == "E")
            ),
            None,
        )
        if hit is None:
            lines.append(f"lacking: {file}:{number} {severity}[{code}]: {message}")
        else:
            left.remove(hit)
    lines.extend(
        f"surplus: {d.span} {'E' if d.is_error else 'W'}[{d.code}]: {d.message}" for d in left
    )
    return lines
