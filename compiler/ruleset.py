"""A ruleset from its folder to its program: the stages of its compilation, each worked out once.

Nothing of the compiler itself is imported unless something must be compiled: a game that starts
from the cache does not wait for the grammar.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from compiler.cache import fetch_entry, keep_entry, key_of
from compiler.native.build_cache import Builds
from compiler.sources.files import Files
from compiler.sources.folders import Finder, find_in
from runtime.model import RulesetSpec
from runtime.private_files import cache_folder
from runtime.program import CompiledProgram

if TYPE_CHECKING:
    from compiler import ir
    from compiler.check.context import Context
    from compiler.check.keeping import CheckCache
    from compiler.emit import EmissionCache, GeneratedModule
    from compiler.emit.emission import Emission
    from compiler.lowered import Lowered
    from compiler.prove import Proof
    from compiler.sources.resolve import Resolved
    from dsl.diagnostics import Diagnostic
    from dsl.source import Source, Span
    from runtime.runs.machine import Shape

__all__ = ["Ruleset"]


class Ruleset:
    """The ruleset in *folder*; *find* finds those that it extends (default: beside it).

    Findings are kept in :attr:`diagnostics`; nothing is raised on what a user wrote.  *overlay*
    maps names of files, as people are shown them, to texts that stand in for what is on disk.
    """

    def __init__(
        self, folder: Path, find: Finder | None = None, overlay: dict[str, str] | None = None
    ) -> None:
        self.folder = folder.resolve()
        self.name = self.folder.name
        self.find = find or find_in(self.folder.parent)
        self.files = Files(overlay)
        self._proved: dict[str, Proof] = {}

    def with_overlay(self, overlay: dict[str, str]) -> Ruleset:
        """The same ruleset with these texts standing in for the files; what has not changed since
        this one, or another that it was made from, was worked out, is taken over.
        """
        result = Ruleset(self.folder, self.find)
        result.files = Files(overlay, self.files.memory)
        result._check_cache = self._check_cache
        result._proved = self._proved
        result._emission_cache = self._emission_cache
        return result

    # ------------------------------------------------------------------ stages

    @cached_property
    def resolved(self) -> Resolved:
        """The declarations of the ruleset and of those that it extends."""
        # start-up: the grammar takes 0.1 s, and a game that starts from the cache needs none
        from compiler.sources.resolve import resolve

        return resolve(self.name, self.folder, self.find, self.files)

    @cached_property
    def _check_cache(self) -> CheckCache:
        """What checking keeps between texts."""
        from compiler.check.keeping import CheckCache  # start-up: see resolved

        return CheckCache()

    @cached_property
    def _emission_cache(self) -> EmissionCache:
        """What is known of the program that was last compiled."""
        from compiler.emit import EmissionCache  # start-up: checking does without

        return EmissionCache()

    @cached_property
    def _check_result(self) -> tuple[ir.Program, Context] | None:
        """The checked program, as far as findings need it; None where it is abstract: it makes
        sense together with a ruleset that extends it.
        """
        from compiler.check import check  # start-up: see resolved

        return None if self.resolved.abstract else check(self.resolved, self._check_cache)

    @cached_property
    def _findings(self) -> list[Diagnostic]:
        """What is found by reading and checking."""
        from compiler.findings.follow_ups import findings  # start-up: see resolved

        if self._check_result is None:
            return self.resolved.diagnostics
        return findings(self.resolved, self._check_result[1])

    @cached_property
    def program(self) -> ir.Program:
        """The checked program; incomplete where there are errors."""
        from compiler import ir  # start-up: see resolved
        from compiler.check import for_play  # start-up: see resolved

        if self._check_result is None:
            return ir.Program(name=self.name)
        return for_play(self.resolved, self._check_result[1])

    @property
    def sources(self) -> dict[str, Source]:
        """All sources, by the names shown to people."""
        return (
            self.resolved.sources if self._check_result is None else self._check_result[1].sources
        )

    @property
    def uses(self) -> dict[str, list[Span]]:
        """Where names are used, by what they mean (:attr:`compiler.check.context.Context.uses`)."""
        return {} if self._check_result is None else self._check_result[1].uses

    @property
    def sound(self) -> bool:
        """Whether checking has found no error."""
        return not any(d.is_error for d in self._findings)

    @cached_property
    def proofs(self) -> list[Diagnostic]:
        """What is found by going through the cases that rules distinguish.

        That a rule of an abstract base never applies is none: no game need use all of them.
        """
        if self._check_result is None or not self.sound:
            return []
        from compiler.prove import prove  # start-up: see resolved

        unused = self.resolved.abstracts
        return [
            d
            for d in prove(self._check_result[0], known=self._proved)
            if d.code != "Q503" or Path(d.span.file).parent.name not in unused
        ]

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything that is found."""
        return [*self._findings, *self.proofs]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.sound and not any(d.is_error for d in self.proofs)

    @cached_property
    def lowered(self) -> Lowered:
        """The procedures that can ask, as blocks; only of a sound ruleset."""
        from compiler.lower import lower  # start-up: checking does without

        return lower(self.program)

    @cached_property
    def _emission(self) -> Emission:
        """The program while it is emitted; only of a sound ruleset."""
        return self._emission_cache.emission(self.program, self.lowered)

    @cached_property
    def emitted(self) -> GeneratedModule | None:
        """The generated module; None where there are errors, or where it is abstract."""
        if self.resolved.abstract or not self.ok:
            return None
        from compiler.emit import emit  # start-up: checking does without

        return emit(self._emission)

    # ------------------------------------------------------------------ programs

    @cached_property
    def spec(self) -> RulesetSpec:
        """What the engine may know of it; only of a sound ruleset."""
        from compiler.ruleset_spec import spec_of  # start-up: checking does without

        return spec_of(self._emission)

    @cached_property
    def codes(self) -> list[CodeType]:
        """The code of the generated module; only where there is no error."""
        assert self.emitted is not None
        return self.emitted.code(self.paths, self._emission_cache.codes)

    @property
    def compiled(self) -> CompiledProgram:
        """The program as it has been compiled just now; only where there is no error."""
        return CompiledProgram(self.spec, self.codes)

    @property
    def paths(self) -> dict[str, str]:
        """The real paths of the sources, by the names shown to people."""
        folders = {folder.name: folder for folder in self.resolved.folders}
        parts = ((shown, *shown.split("/", 1)) for shown in self.sources)
        return {shown: str(folders[name] / file) for shown, name, file in parts if name in folders}

    # ------------------------------------------------------------------ the cache

    @cached_property
    def key(self) -> str:
        """Says of what, and by what, it is compiled.  OSError where a file cannot be read."""
        return key_of(self.folder, self.find)

    @cached_property
    def native(self) -> Builds:
        """Its native builds."""
        return Builds.of(cache_folder(), self.name, self.key)

    def build_natively(self, shape: Shape) -> int:
        """Build it natively for games of a shape, and keep that; its size in bytes.  CannotBuild
        with the reason where it fails.
        """
        from compiler.native.build import build  # start-up: hardly anybody builds

        assert self.lowered is not None  # its errors are told before
        return build(self.native, self.program, self.lowered, self.spec, shape)

    @cached_property
    def cache_entry(self) -> tuple[RulesetSpec, list[CodeType]] | None:
        """What the cache holds of it; None where it must be compiled."""
        return fetch_entry(self.name, self.key)

    @cached_property
    def loaded(self) -> CompiledProgram | None:
        """The program as games run it: from the cache where nothing has changed, with its native
        builds; None where there are errors.
        """
        if self.cache_entry is not None:
            return CompiledProgram(*self.cache_entry, libraries=self.native.library)
        if self.emitted is None:
            return None
        if key_of(self.folder, self.find) != self.key:  # changed meanwhile: not what the key says
            return self.compiled
        keep_entry(self.name, self.key, self.spec, self.codes)
        return CompiledProgram(self.spec, self.codes, libraries=self.native.library)
