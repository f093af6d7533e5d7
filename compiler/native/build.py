"""Having a C compiler make a library."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from compiler.native.build_cache import Builds, instructions
from runtime.errors import GrognardError
from runtime.model import RulesetSpec
from runtime.runs.machine import Shape

if TYPE_CHECKING:
    from compiler import ir
    from compiler.lowered import Lowered

_PLAIN = "without one, games run in Python"
_OWN = "set GROGNARD_CACHE to a folder of your own"
#: Compilers that are looked for, in order.
_KNOWN = ("cc", "gcc", "clang")


class CannotBuild(GrognardError):
    """A native build is not to be had: why, and what can be done."""


def toolchain() -> list[str]:
    """The command of the C compiler: ``$CC``, one that is installed, or that of the package
    ziglang.  CannotBuild where there is none, or nothing to load a library with.
    """
    if os.name != "posix":
        raise CannotBuild("native builds are made on POSIX systems only", _PLAIN)
    if find_spec("cffi") is None:
        raise CannotBuild("a native build needs cffi", "pip install 'grognard[native]'")
    chosen = os.environ.get("CC", "").split()
    if chosen:
        if which(chosen[0]) is None:
            raise CannotBuild(f"the C compiler '{chosen[0]}' is not found", "name another in CC")
        return chosen
    for name in _KNOWN:
        if which(name) is not None:
            return [name]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise CannotBuild("a native build needs a C compiler", "pip install 'grognard[native]'")


def compile_library(text: str, command: list[str], optimize: int = 3) -> bytes:
    """The library that comes of C; *optimize* is how hard the compiler tries, from 0 to 3.
    CannotBuild with the reason when none does.
    """
    words = ["-std=c11", f"-O{optimize}", "-fPIC", "-shared", "-w"]
    if instructions() and "ziglang" not in command:
        words.append("-march=native")
    with TemporaryDirectory(prefix="grognard-build-") as place:
        source, library = Path(place) / "rules.c", Path(place) / "rules.so"
        source.write_text(text, encoding="utf-8")
        environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), place)}
        try:
            failed, told = _run([*command, *words, "-o", str(library), str(source)], environment)
        except OSError as error:
            raise CannotBuild(f"the C compiler cannot be run: {error}", _PLAIN) from None
        if failed or not library.exists():
            said = [line for line in told.splitlines() if line.strip()] or ["nothing was said"]
            reason = next((line for line in said if "error" in line), said[-1]).strip()[:300]
            raise CannotBuild(f"the native build has failed: {reason}", _PLAIN)
        return library.read_bytes()


def _run(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a command to its end: its exit code, and its standard error.  Whatever interrupts ends
    the processes, too, that it has begun.
    """
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        process_group=0,
    ) as process:
        try:
            _, told = process.communicate()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, told


def build(
    builds: Builds, program: ir.Program, lowered: Lowered, spec: RulesetSpec, shape: Shape
) -> int:
    """Build a ruleset for games of a shape, and keep that; its size in bytes.  CannotBuild with
    the reason where it fails.
    """
    from compiler.native.module import Module  # start-up: many ask only whether one can be built

    command = toolchain()
    try:
        builds.open()
    except OSError as error:
        raise CannotBuild(f"the native build could not be kept: {error}", _OWN) from None
    content = compile_library(
        Module(program, lowered, spec, shape.board, dict(shape.pieces)).text(), command
    )
    try:
        builds.store(shape, content)
    except OSError as error:
        raise CannotBuild(f"the native build cannot be kept: {error}", _OWN) from None
    return len(content)
