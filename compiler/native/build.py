"""Having mypyc compile a module, in a process and a folder of its own.

The C compiler is asked to optimize a little only (1): with more (2) a build takes half as long
again, and games run no faster.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from compiler.emit import Emitted
from compiler.native.kept import Place
from compiler.native.unit import ENGINE, NotNative, unit
from runtime.errors import GrognardError

#: Told of each stage as it begins.
Tell = Callable[[str], None]

#: What the process does: mypyc writes C, which the compiler of this Python's extension modules
#: compiles.  When whoever has started it is gone, it leaves nothing behind: neither files nor a
#: compiler at work.
_SCRIPT = """
import atexit, os, select, shutil, signal, sys, threading, time

def watch():
    while os.read(0, 1):
        pass
    for _ in range(50):
        shutil.rmtree(place, ignore_errors=True)
        if not os.path.exists(place):
            break
        time.sleep(0.02)
    os.killpg(0, signal.SIGKILL)

def leave():  # a compiler whose output nobody reads fails; wait until all is cleared away
    if select.select([0], [], [], 0)[0]:
        watching.join()

place = os.getcwd()
if hasattr(os, "killpg"):
    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    atexit.register(leave)
from mypyc.build import mypycify
from setuptools import Distribution

print("stage: translating to C", flush=True)
words = ["--config-file=", "--follow-imports=silent", sys.argv[1]]
modules = mypycify(words, opt_level=sys.argv[2], debug_level="0")
for module in modules:  # what mypyc takes for an error; a rule may compare a value with itself
    module.extra_compile_args = [word for word in module.extra_compile_args if word != "-Werror"]
print("stage: compiling the C", flush=True)
made = Distribution({"name": "native", "ext_modules": modules}).get_command_obj("build_ext")
made.build_lib, made.build_temp = "out", "temp"
made.ensure_finalized()
made.run()
"""


_OWN = "set GROGNARD_CACHE to a folder of your own"
_PLAIN = "without one, games run in plain Python"


class CannotBuild(GrognardError):
    """A native build is not to be had: why, and what can be done."""


def toolchain() -> str:
    """The version of mypyc that there is.  CannotBuild where it, or a C compiler, is missing."""
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        raise CannotBuild(
            "a native build needs mypyc and setuptools", "pip install 'grognard[native]'"
        )
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.name == "posix" and which(compiler) is None:
        raise CannotBuild(
            f"a native build needs a C compiler; '{compiler}' is not found",
            "install one, or name it in CC",
        )
    return metadata.version("mypy")


def build(text: str, name: str, tell: Tell | None = None, optimize: int = 1) -> bytes:
    """The extension module that comes of the module *text* called *name*.  CannotBuild with the
    reason when none does.
    """
    with TemporaryDirectory(prefix="grognard-build-") as place:
        folder = Path(place)
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        # Where the engine is found by this process, mypy finds it too.
        engine = Path(__file__).resolve().parents[2 + ENGINE.count(".")]
        environment = {
            **os.environ,
            "MYPYPATH": str(engine) if not ENGINE else "",
            "PYTHONUNBUFFERED": "1",
        }
        # what a compiler that is stopped leaves half written goes with the folder
        environment |= dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))
        command = [sys.executable, "-P", "-c", _SCRIPT, f"{name}.py", str(optimize)]
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            text=True,
            errors="replace",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        output: list[str] = []
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("stage: "):
                    if tell is not None:
                        tell(line.removeprefix("stage: ").strip())
                else:
                    output.append(line)
            process.wait()
        finally:
            if process.poll() is None:  # stopped halfway
                _kill(process)
            assert process.stdin is not None
            process.stdin.close()
        built = list((folder / "out").glob(f"{name}.*"))
        if process.returncode or len(built) != 1:
            raise CannotBuild(f"the native build has failed: {_reason(output)}", _PLAIN)
        return built[0].read_bytes()


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process and those that it has started."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def build_at(
    place: Place, emitted: Emitted, maker: str, tell: Tell | None = None, optimize: int = 1
) -> int:
    """Build a generated module natively and keep that at *place*; its size in bytes.

    *optimize* is how hard the C compiler tries, from 0 to 3.  CannotBuild with the reason where it
    fails.
    """
    try:
        place.open()
    except OSError as error:
        raise CannotBuild(f"the native build could not be kept: {error}", _OWN) from None
    try:
        text = unit(emitted.text, emitted.blocks)
    except NotNative as error:
        raise CannotBuild(f"the native build has failed: {error}", _PLAIN) from None
    content = build(text, place.module, tell, optimize)
    try:
        place.store(content, maker)
    except OSError as error:
        raise CannotBuild(f"the native build cannot be kept: {error}", _OWN) from None
    return len(content)


def _reason(output: list[str]) -> str:
    """The first error among what was printed; else the last line."""
    error = next((line for line in output if re.search(r"\berror\b", line)), None)
    last = next((line for line in reversed(output) if line.strip()), "nothing was said")
    return (error or last).strip()[:300]
