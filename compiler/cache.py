"""The cache of compiled rulesets, by content.

Nothing of the compiler itself is imported unless something must be compiled: a game that starts from the
cache does not wait for the grammar.

An entry is code that will be run, so it is read only where nobody else can have written it: file and folder
belong to the user, and others may not write there.  It begins with the key of what it was made from and a
digest of all that follows; an entry that is damaged, cut short or another ruleset's is passed over, and the
ruleset compiled anew.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from compiler.folders import Finder, chain, content_hash, find_in
from compiler.native.kept import Place
from compiler.packing import pack, unpack
from runtime.files import entries, read_bytes
from runtime.kept import cache_folder, checked, fetch, keep, with_digest
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram

if TYPE_CHECKING:
    from compiler.api import Compilation

#: How many entries of one ruleset are kept.
_KEPT = 8


def _compiler_stamp() -> str:
    """Changes whenever the compiler or the engine does."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=16)
    root = Path(__file__).resolve().parent.parent
    for package in ("dsl", "compiler", "runtime"):
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".lark", ".j2"):
                content = path.read_bytes()
                digest.update(f"{path.relative_to(root)}:{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()


def cached_program(
    folder: Path, find: Finder | None = None, before: Callable[[], None] | None = None
) -> tuple[CompiledProgram | None, Compilation | None]:
    """The program of the ruleset in *folder*, from the cache when nothing has changed.

    Returns the program (None after errors) and the compilation when one was needed; *before* is called before
    compiling.
    """
    folder = folder.resolve()
    find = find or find_in(folder.parent)
    key = key_of(folder, find)
    native = Place.of(cache_folder(), folder.name, key)
    path = (
        cache_folder()
        / "programs"
        / f"{folder.name}-{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.bin"
    )
    found = _read(path, key)
    if found is not None:
        return native.program(*found), None
    if before is not None:
        before()
    from compiler.api import compile_ruleset, source_paths, spec_of

    compilation = compile_ruleset(folder, find)
    if compilation.emitted is None:
        return None, compilation
    spec = spec_of(compilation.program, compilation.lowered)
    objects: list[CodeType] = compilation.emitted.code(source_paths(compilation))
    if key_of(folder, find) != key:  # a source was changed meanwhile: this is not what the key says
        return CompiledProgram(spec, objects), compilation
    keep(path, entry_bytes(key, spec, objects), folder.name, _KEPT)
    return native.program(spec, objects), compilation


def key_of(folder: Path, find: Finder) -> str:
    """Says of what, and by what, the ruleset in *folder* is compiled."""
    folders = chain(folder, find)
    texts = hashlib.blake2b(digest_size=16)
    for one in folders:
        for path in (
            *entries(one / "texts", ".yaml"),
            *(path for path in entries(one, ".yaml") if path.name == "rulebook.yaml"),
        ):
            texts.update(f"{one.name}/{path.name}\0".encode(errors="surrogateescape"))
            texts.update(read_bytes(path, within=one))
    return "\n".join((folder.name, str(folder), content_hash(folders), texts.hexdigest(), _compiler_stamp()))


def entry_bytes(key: str, spec: RulesetSpec, codes: list[CodeType]) -> bytes:
    """An entry: a digest, then the key and what was compiled."""
    return with_digest(marshal.dumps((key, pack(spec), codes)))


def read_entry(payload: bytes, key: str) -> tuple[RulesetSpec, list[CodeType]] | None:
    """What an entry holds; None when it is damaged or was not made for *key*."""
    try:
        made_for, spec, codes = marshal.loads(checked(payload))
        return (unpack(spec), codes) if made_for == key else None
    except (ValueError, EOFError, TypeError):
        return None


def _read(path: Path, key: str) -> tuple[RulesetSpec, list[CodeType]] | None:
    try:
        return read_entry(fetch(path), key)
    except OSError:
        return None
