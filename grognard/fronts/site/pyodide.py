"""Python for browsers: Pyodide, and Node, which runs it when a site is built."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final

from grognard.files import short
from runtime.errors import ArgumentError
from runtime.private_files import cache_folder

VERSION: Final = "314.0.7"
#: The digest of the package of that version (SHA-512).
_DIGEST: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
#: What of it a site holds.
FILES: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
_REMEDY: Final = "install Node.js with npm, or unpack the package and give its folder: --pyodide"
#: Seconds to wait for the registry.
_PATIENCE: Final = 300.0


def distribution(given: Path | None) -> Path:
    """The folder of Pyodide: as *given*, else of the package, which npm fetches once.
    ArgumentError where it is not there.
    """
    if given is None:
        folder = cache_folder() / f"pyodide-{VERSION}"
        if not folder.is_dir():
            _fetch(folder)
        return folder
    missing = [name for name in FILES if not (given / name).is_file()]
    if missing:
        raise ArgumentError(
            f"--pyodide {short(str(given))}: there is no {missing[0]}",
            f"give the unpacked package `pyodide` of npm, version {VERSION}",
        )
    return given


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(dir=folder.parent) as made:
        command = ("npm", "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", made)
        run(command, "Pyodide cannot be fetched", lambda line: None)
        package = next(Path(made).glob("*.tgz"), None)
        content = b"" if package is None else package.read_bytes()
        if package is None or hashlib.sha512(content).digest() != b64decode(_DIGEST):
            raise ArgumentError("what npm has fetched is not the package of Pyodide", _REMEDY)
        unpacked = Path(made) / "files"
        unpacked.mkdir()
        with tarfile.open(package) as archive:
            for name in FILES:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                (unpacked / name).write_bytes(member.read())
        unpacked.rename(folder)


def compile_site(engine: Path, say: Callable[[str], object]) -> bytes:
    """What is compiled of the site whose *engine* is in a folder, by the Python that is there: an
    archive, kept by what it was made of.  *say* is told of each ruleset.  ArgumentError where there
    is no Node, or it fails.
    """
    pages = Path(__file__).parent / "page"
    digest = hashlib.blake2b(digest_size=16)
    for part in (
        engine / "grognard.zip",
        engine / "pyodide.asm.wasm",
        *sorted(pages.glob("*.mjs")),
    ):
        digest.update(part.read_bytes())
    kept = cache_folder() / "sites" / f"{digest.hexdigest()}.zip"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryDirectory(dir=kept.parent) as made:
            archive = Path(made) / "compiled.zip"
            command = ("node", str(pages / "compile.mjs"), str(engine), str(archive))
            run(command, "the rules cannot be compiled for browsers", say)
            archive.replace(kept)
    return kept.read_bytes()


def run(command: tuple[str, ...], failure: str, say: Callable[[str], object]) -> None:
    """Run a program, and *say* its lines.  ArgumentError."""
    if shutil.which(command[0]) is None:
        raise ArgumentError(f"{failure}: {command[0]} is not there", _REMEDY)
    with (
        TemporaryFile("w+", errors="replace") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace"
        ) as running,
    ):
        assert running.stdout is not None
        try:
            for line in running.stdout:
                say(line.strip())
        except BaseException:  # whoever ends this does not wait for that
            running.kill()
            raise
        if running.wait():
            errors.seek(0)
            lines = [line.strip() for line in errors]
            said = short(next(filter(None, reversed(lines)), "nothing"), 300)
            raise ArgumentError(f"{failure}: {command[0]} says '{said}'", _REMEDY)
