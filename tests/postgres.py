"""A PostgreSQL server for tests: of its own, in a folder that goes with it, reached by a socket there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from runtime.errors import GrognardError


def programs() -> Path | None:
    """The folder of the server's programs; None where there is none."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in folders if (one / "initdb").is_file()), None)


class Postgres:
    """A running server; *url* makes a new, empty database."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder, self._bin, self._names = folder, bin, count()
        # it refuses to run as root
        self._as: dict[str, Any] = {"user": "postgres"} if os.getuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", "data", "-U", "tester", "-A", "trust", "--no-sync")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / program, *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,  # the server would hold a pipe open
            stderr=subprocess.DEVNULL,
            timeout=60,
            **self._as,
        )
        if done.returncode:
            raise GrognardError(f"{program} ends with {done.returncode}")

    def url(self) -> str:
        """The URL of a new database."""
        name = f"games{next(self._names)}"
        at = ("-h", str(self.folder), "-U", "tester")
        self._run("createdb", *at, name)
        return f"postgresql://tester@/{name}?host={self.folder}"

    def stop(self) -> None:
        """End the server, as a crash would."""
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")

    def start(self) -> None:
        """Start it."""
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")


@contextmanager
def postgres(bin: Path) -> Iterator[Postgres]:
    """A server that does not outlive the block."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))  # a short path: it holds a socket
    try:
        server = Postgres(folder, bin)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
