"""Compiling a ruleset from end to end, with a cache by content."""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

from compiler import ir
from compiler.check import check
from compiler.emit import Emitted, emit
from compiler.lower import Lowered, lower
from compiler.resolve import Finder, Resolved, resolve
from dsl.diagnostics import Diagnostic
from dsl.source import Source
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram


@dataclass
class Compilation:
    """Everything that compiling a ruleset produced; stages after an error are missing."""

    name: str
    resolved: Resolved
    program: ir.Program
    lowered: Lowered | None = None
    emitted: Emitted | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(d.is_error for d in self.diagnostics)

    @property
    def sources(self) -> dict[str, Source]:
        """All sources by the name shown to people."""
        return self.resolved.sources


def find_in(root: Path) -> Finder:
    """Rulesets are folders beside each other below *root*."""

    def find(name: str) -> Path | None:
        folder = root / name
        return folder if folder.is_dir() and any(folder.glob("*.grog")) else None

    return find


def compile_ruleset(folder: Path, find: Finder | None = None, overlay: dict[str, str] | None = None, emit_code: bool = True) -> Compilation:
    """Compile the ruleset in *folder*; findings are in the result, nothing is raised on what a user wrote."""
    folder = folder.resolve()
    find = find or find_in(folder.parent)
    resolved = resolve(folder.name, folder, find, overlay)
    program, ctx = check(resolved)
    program.hash = content_hash(resolved.folders)
    diagnostics = [*resolved.diagnostics, *ctx.diagnostics]
    result = Compilation(folder.name, resolved, program, diagnostics=diagnostics)
    if not result.ok:
        return result
    from compiler.prove import prove

    result.diagnostics.extend(prove(program))
    if not result.ok or not emit_code:
        return result
    result.lowered = lower(program)
    result.emitted = emit(program, result.lowered)
    return result


def content_hash(folders: list[Path]) -> str:
    """A hash of the sources of a ruleset and its bases (16 hexadecimal digits)."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in folders:
        for path in sorted(folder.glob("*.grog")):
            digest.update(f"{folder.name}/{path.name}\0".encode())
            digest.update(path.read_bytes())
        for path in sorted(folder.glob("boards/*.yaml")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def spec_of(program: ir.Program) -> RulesetSpec:
    """What the engine may know about a checked program."""
    assert program.board is not None
    return RulesetSpec(
        name=program.name,
        bases=program.bases,
        hash=program.hash,
        sides=program.sides,
        enums=dict(program.enums),
        kinds=program.kinds,
        board=program.board,
        fields=tuple(program.fields.values()),
        decks=tuple(program.decks.values()),
        dice=tuple(program.dice.values()),
        effects=tuple(program.effects.values()),
        switches=dict(program.switches),
        scopes=tuple(program.scopes),
        decisions=tuple(program.decisions),
        notes=tuple(program.notes),
        note_types=tuple(program.note_types),
        texts=program.texts,
    )


def load_program(compilation: Compilation) -> CompiledProgram:
    """The compiled program, ready to play."""
    assert compilation.emitted is not None
    return CompiledProgram(spec_of(compilation.program), compilation.emitted.code(_paths(compilation)))


def _paths(compilation: Compilation) -> dict[str, str]:
    parents = {folder.name: folder for folder in compilation.resolved.folders}
    result = {}
    for shown in compilation.sources:
        name, file = shown.split("/", 1)
        if name in parents:
            result[shown] = str(parents[name] / file)
    return result


# --------------------------------------------------------------------------- cache


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


def _chain(folder: Path, find: Finder) -> list[Path]:
    """The folder and those of the rulesets it extends, found by their header lines alone."""
    import re

    folders = [folder]
    seen = {folder.name}
    current = folder
    while True:
        base = None
        for path in sorted(current.glob("*.grog")):
            match = re.search(r"^\s*ruleset\s+\w+\s+extends\s+(\w+)", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
            if match:
                base = match.group(1)
                break
        found = find(base) if base and base not in seen else None
        if found is None:
            return folders
        seen.add(found.name)
        folders.append(found)
        current = found


def cached_program(folder: Path, find: Finder | None = None) -> tuple[CompiledProgram | None, Compilation | None]:
    """The program of the ruleset in *folder*, from the cache when nothing has changed.

    Returns the program (None after errors) and the compilation when one was needed.
    """
    folder = folder.resolve()
    find = find or find_in(folder.parent)
    folders = _chain(folder, find)
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
    compilation = compile_ruleset(folder, find)
    if compilation.emitted is None:
        return None, compilation
    spec = spec_of(compilation.program)
    objects: list[CodeType] = compilation.emitted.code(_paths(compilation))
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


