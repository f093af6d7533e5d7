"""The cache of compiled rulesets, by content.

Nothing of the compiler itself is imported unless something must be compiled: a game that starts from the cache does
not wait for the grammar.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import sys
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from compiler.folders import Finder, chain, content_hash, find_in
from runtime.program import CompiledProgram

if TYPE_CHECKING:
    from compiler.api import Compilation


def cache_folder() -> Path:
    """Where compiled rulesets are kept: ``$GROGNARD_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("GROGNARD_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "grognard"


def _compiler_stamp() -> str:
    """Changes whenever the compiler or the engine does."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=8)
    root = Path(__file__).resolve().parent.parent
    for package in ("dsl", "compiler", "runtime"):
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".lark", ".j2"):
                stat = path.stat()
                digest.update(f"{path.relative_to(root)}:{stat.st_size}:{stat.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def cached_program(folder: Path, find: Finder | None = None) -> tuple[CompiledProgram | None, Compilation | None]:
    """The program of the ruleset in *folder*, from the cache when nothing has changed.

    Returns the program (None after errors) and the compilation when one was needed.
    """
    folder = folder.resolve()
    find = find or find_in(folder.parent)
    folders = chain(folder, find)
    texts = hashlib.blake2b(digest_size=8)
    for one in folders:
        for path in sorted(one.glob("texts/*.yaml")):
            texts.update(path.read_bytes())
    key = f"{folder.name}-{content_hash(folders)}-{texts.hexdigest()}-{_compiler_stamp()}"
    path = cache_folder() / f"{key}.bin"
    try:
        payload = path.read_bytes()
        spec, codes = pickle.loads(payload)  # our own file, named by our own hash
        return CompiledProgram(spec, [marshal.loads(c) for c in codes]), None
    except (OSError, ValueError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, TypeError):
        pass
    from compiler.api import compile_ruleset, source_paths, spec_of

    compilation = compile_ruleset(folder, find)
    if compilation.emitted is None:
        return None, compilation
    spec = spec_of(compilation.program)
    objects: list[CodeType] = compilation.emitted.code(source_paths(compilation))
    _store(path, pickle.dumps((spec, [marshal.dumps(c) for c in objects])), folder.name)
    return CompiledProgram(spec, objects), compilation


def _store(path: Path, payload: bytes, name: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in sorted(path.parent.glob(f"{name}-*.bin"), key=lambda p: p.stat().st_mtime)[:-7]:
            old.unlink(missing_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(payload)
        temporary.replace(path)
    except OSError:
        pass  # a cache that cannot be written costs time, nothing else
