"""Which browsers may play here: each gets a secret of its own, by a link that works once."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from grognard.files import replace

#: How many browsers are remembered, the latest.
_MOST = 50


class Browsers:
    """The browsers that may play, remembered in a *file* of the user's own.

    Only digests of their secrets are kept; links that have not been followed are forgotten when
    the server ends.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = Lock()
        self._links: set[str] = set()
        self._known = self._read()

    def _read(self) -> list[str]:
        """The digests in the file."""
        with suppress(OSError, ValueError, RecursionError):
            read = json.loads(self.file.read_text(encoding="utf-8"))
            if isinstance(read, list):
                return [one for one in read if isinstance(one, str)]
        return []

    def link(self) -> str:
        """The key of a new link: who follows it first is let in."""
        key = secrets.token_urlsafe(24)
        with self._lock:
            self._links.add(_digest(key))
        return key

    def enter(self, key: str) -> str | None:
        """The secret of the browser that follows a link; None where the link is not, or no more,
        good.
        """
        with self._lock:
            if _digest(key) not in self._links:
                return None
            self._links.discard(_digest(key))
            secret = secrets.token_urlsafe(32)
            # another server may have let others in
            others = [one for one in self._read() if one not in self._known]
            self._known = [*self._known, *others, _digest(secret)][-_MOST:]
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace(self.file, json.dumps(self._known), private=True)
        return secret

    def knows(self, secret: str | None) -> bool:
        """Whether a browser with this secret has been let in."""
        return secret is not None and _digest(secret) in self._known


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
