"""Where native builds are kept, and how they are found again.

A build is one entry of the cache, in its folder ``native``, for one board and so many pieces.  A
library is code that will be run: it is loaded only where nobody else can have written it, if it is
whole, and if it was made of just these sources by just this compiler for just this machine.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import platform
import shutil
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from runtime.model import RulesetSpec
from runtime.private_files import STALE, checked_content, fetch, private, store, with_digest

if TYPE_CHECKING:
    from runtime.runs.machine import Library, Shape

#: Says ``no`` when games are to run in Python although there is a native build.
SWITCH = "GROGNARD_NATIVE"
_NO = ("0", "no", "off", "false")
#: How many builds of one ruleset are kept.
_KEPT = 24
#: What has been loaded; None: it cannot be.
_loaded: dict[Path, Library | None] = {}


def builds_enabled() -> bool:
    """Whether native builds are taken where there are any."""
    return os.environ.get(SWITCH, "").strip().lower() not in _NO


@cache
def instructions() -> str:
    """What the processor can do, where the system tells: builds are made for it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("flags", "Features")):
                return line.partition(":")[2].strip()
    return ""


@dataclass(frozen=True)
class Builds:
    """The native builds of a ruleset, as its sources are now."""

    folder: Path
    name: str
    key: str

    @classmethod
    def of(cls, cache: Path, name: str, key: str) -> Builds:
        """Those below *cache*; *key*: of what and by what the ruleset *name* is compiled."""
        made_for = f"{key}\n{platform.system()} {platform.machine()}\n{instructions()}"
        return cls(cache / "native", name, made_for)

    def entry(self, shape: Shape) -> Path:
        """The file of the build for a shape."""
        digest = hashlib.blake2b(f"{self.key}\n{shape}".encode(), digest_size=16).hexdigest()
        return self.folder / f"{self.name}-{digest}.bin"

    def content(self, shape: Shape) -> bytes:
        """The library for a shape.  ValueError or OSError where there is none that is whole."""
        key, content = marshal.loads(checked_content(fetch(self.entry(shape))))
        if key != self.key or not isinstance(content, bytes):
            raise ValueError("it was made of something else")
        return content

    def whole(self, shape: Shape) -> bool:
        """Whether there is one."""
        try:
            return bool(self.content(shape))
        except (OSError, ValueError, EOFError, TypeError):
            return False

    def has_any(self) -> bool:
        """Whether there is one, for any shape."""
        for entry in self.folder.glob(f"{self.name}-*.bin"):
            with suppress(OSError, ValueError, EOFError, TypeError):
                if marshal.loads(checked_content(fetch(entry)))[0] == self.key:
                    return True
        return False

    def open(self) -> None:
        """Make the folder.  OSError when no build can be kept in it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not private(self.folder.lstat()):
            message = f"{self.folder} belongs to somebody else, or others may write there"
            raise PermissionError(message)
        if not os.access(self.folder, os.W_OK):
            raise PermissionError(f"{self.folder} is read-only")

    def store(self, shape: Shape, content: bytes) -> None:
        """Keep a build.  OSError when it cannot be written."""
        entry = with_digest(marshal.dumps((self.key, content)))
        store(self.entry(shape), entry, self.name, _KEPT)
        _loaded.pop(self.entry(shape), None)
        with suppress(OSError):  # copies of processes that were killed while they loaded them
            for left in self.folder.glob("loading-*"):
                if private(left.lstat()) and time.time() - left.lstat().st_mtime > STALE:
                    shutil.rmtree(left, ignore_errors=True)

    def library(self, spec: RulesetSpec, shape: Shape) -> Library | None:
        """The library for games of a shape, where there is one that is wanted and can be loaded."""
        entry = self.entry(shape)
        # where nothing can be looked at, there is none
        if not builds_enabled() or not os.path.lexists(entry):
            return None
        if entry not in _loaded:
            _loaded[entry] = None
            try:
                if find_spec("cffi") is None:
                    raise ValueError("cffi is not installed")
                _loaded[entry] = self._load(spec, shape)
            except (OSError, ValueError, EOFError, TypeError, AttributeError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                message = f"the native build of {self.name} cannot be used: {reason}; Python is"
                remedy = f"`grognard compile {self.name} --native` builds it anew"
                warnings.warn(f"{message} ({remedy})", RuntimeWarning, stacklevel=2)
        return _loaded[entry]

    def _load(self, spec: RulesetSpec, shape: Shape) -> Library:
        from runtime.runs.machine import Library  # start-up: only where there is a build

        content = self.content(shape)
        place = self.folder if os.access(self.folder, os.W_OK) else None
        with TemporaryDirectory(prefix="loading-", dir=place, ignore_cleanup_errors=True) as folder:
            file = Path(folder) / "rules.so"
            file.write_bytes(content)
            return Library(file, spec)
