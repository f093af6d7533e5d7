"""The cache of compiled rulesets, by content.

An entry is code that will be run, so it is read only where nobody else can have written it: file
and folder belong to the user, and others may not write there.  It begins with the key of what it
was made from and a digest of all that follows; an entry that is damaged, cut short or another
ruleset's is passed over, and the ruleset compiled anew.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from pathlib import Path
from types import CodeType

from compiler.packing import pack, unpack
from compiler.sources.folders import Finder, chain, content_hash
from runtime.files import entries, read_bytes
from runtime.model import RulesetSpec
from runtime.private_files import cache_folder, checked_content, fetch, keep, with_digest

#: How many entries of one ruleset are kept.
_KEPT = 8


def _compiler_stamp() -> str:
    """Changes whenever the compiler or the engine does."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=16)
    root = Path(__file__).resolve().parent.parent
    for package in ("dsl", "compiler", "runtime"):
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".lark", ".j2", ".c"):
                content = path.read_bytes()
                digest.update(f"{path.relative_to(root)}:{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()


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
    return "\n".join(
        (folder.name, str(folder), content_hash(folders), texts.hexdigest(), _compiler_stamp())
    )


def entry_bytes(key: str, spec: RulesetSpec, codes: list[CodeType]) -> bytes:
    """An entry: a digest, then the key and what was compiled."""
    return with_digest(marshal.dumps((key, pack(spec), codes)))


def read_entry(payload: bytes, key: str) -> tuple[RulesetSpec, list[CodeType]] | None:
    """What an entry holds; None when it is damaged or was not made for *key*."""
    try:
        made_for, spec, codes = marshal.loads(checked_content(payload))
        return (unpack(spec), codes) if made_for == key else None
    except (ValueError, EOFError, TypeError):
        return None


def fetch_entry(name: str, key: str) -> tuple[RulesetSpec, list[CodeType]] | None:
    """What the cache holds of the ruleset *name* that *key* tells of; None where nothing."""
    try:
        return read_entry(fetch(_path(name, key)), key)
    except OSError:
        return None


def keep_entry(name: str, key: str, spec: RulesetSpec, codes: list[CodeType]) -> None:
    """Keep what was compiled of the ruleset *name*, where that can be."""
    keep(_path(name, key), entry_bytes(key, spec, codes), name, _KEPT)


def _path(name: str, key: str) -> Path:
    digest = hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
    return cache_folder() / "programs" / f"{name}-{digest}.bin"
