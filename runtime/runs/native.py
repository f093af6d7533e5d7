"""Programs that run as machine code: the extension modules that a native build has made.

An extension module has one set of globals, and what is found out about a board stands there; so for
each further board the same file is loaded once more, from a copy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any

from runtime.board import giving
from runtime.model import RulesetSpec
from runtime.program import CompiledProgram
from runtime.state import Over, StateBase

#: On so many boards at most a process runs a ruleset natively; what is loaded stays in memory.
_MOST_BOARDS = 12


class NativeProgram(CompiledProgram):
    """A ruleset compiled to machine code.

    *code* is the same in Python, for boards beyond the most; *module* the name of the extension
    module, *content* gives what it holds.  In *folder* a copy stands while it is loaded, under a
    name that nobody else knows.  ImportError, or what *content* raises, when it cannot be loaded.
    """

    native = True

    def __init__(
        self,
        spec: RulesetSpec,
        code: list[CodeType],
        module: str,
        content: Callable[[], bytes],
        folder: Path,
    ) -> None:
        self._module = module
        self._content = content
        self._folder = folder
        super().__init__(spec, code)
        self.state_class.NATIVE = True
        self._answer: Callable[[StateBase, int], None] = self.names["answer"]
        self._go: Callable[[StateBase], None] = self.names["run"]
        self._playout: Callable[..., int] = self.names["playout"]

    @cached_property
    def plain(self) -> CompiledProgram:
        """The same in Python, whose states can be guarded."""
        return CompiledProgram(self.spec, self._code)

    def _executed(self) -> dict[str, Any]:
        content = self._content()
        # where the cache cannot be written, in the folder for what is passing, closed to others as
        # well
        place = self._folder if os.access(self._folder, os.W_OK) else None
        with TemporaryDirectory(prefix="loading-", dir=place, ignore_cleanup_errors=True) as folder:
            file = Path(folder) / f"{self._module}.so"
            file.write_bytes(content)
            return self._load(file)

    def _load(self, file: Path) -> dict[str, Any]:
        """The names of the extension module in a file, run for the board."""
        loader = ExtensionFileLoader(self._module, str(file))
        described = spec_from_file_location(self._module, file, loader=loader)
        assert described is not None
        with giving(self.spec.board):
            try:
                module = module_from_spec(described)
                sys.modules[self._module] = (
                    module  # dataclasses look there for the names they mention
                )
                loader.exec_module(module)
            finally:
                sys.modules.pop(self._module, None)
        return vars(module)

    def _like(self, spec: RulesetSpec) -> CompiledProgram:
        if len(self._boards) < _MOST_BOARDS:
            with suppress(ImportError, OSError, ValueError):
                return NativeProgram(spec, self._code, self._module, self._content, self._folder)
        return CompiledProgram(spec, self._code)

    def answer(self, state: StateBase, option: int) -> None:
        """Answer the pending decision with one of its options and run on."""
        try:
            self._answer(state, option)
        except (Over, IndexError, RecursionError) as stop:
            self._ended(state, stop)

    def _run(self, state: StateBase) -> None:
        try:
            self._go(state)
        except (Over, IndexError, RecursionError) as stop:
            self._ended(state, stop)

    def playout(self, state: StateBase, random: Callable[[], float], limit: int) -> int:
        """See :func:`runtime.games.game.playout`."""
        try:
            return self._playout(state, random, limit, self._ended)
        except RecursionError as stop:
            self._ended(state, stop)  # which raises
            raise
