"""Listening at an address of this machine, for the commands that serve browsers."""

from __future__ import annotations

import errno
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from grognard.files import reason, short
from grognard.fronts.cli.crash import fault_message
from grognard.fronts.room import Report
from runtime.errors import ArgumentError

#: Where they listen where nobody says otherwise.
HOST = "127.0.0.1"
_LOCAL, _ALL = ("localhost", "127.0.0.1", "::1"), ("0.0.0.0", "::")


def listen_at(host: str, port: int) -> socket.socket:
    """What listens there.  ArgumentError where nothing can."""
    if not 0 <= port < 65536:
        raise ArgumentError(f"--port {port}: there is no such port", "give 1024 to 65535")
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except (OSError, ValueError) as error:
        listening.close()
        raise ArgumentError(
            f"{short(host)}:{port} cannot be listened at: {reason(error)}",
            "give another --port, or end what listens there"
            if getattr(error, "errno", None) == errno.EADDRINUSE
            else "give another --host or --port",
        ) from None
    return listening


def browser_host(host: str) -> str:
    """The address under which browsers reach the server."""
    if host in _ALL:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
            way.connect(("192.0.2.1", 9))  # which sends nothing, but tells the way
            return str(way.getsockname()[0])
        return HOST
    return f"[{host}]" if ":" in host else host


def is_own_name(host: str, asked: str, port: int) -> bool:
    """Whether the server that listens at *host* is meant by the name that is *asked* for.

    A name of somebody else's may lead to this machine; an address cannot.
    """
    try:
        parts = urlsplit(f"//{asked}")
        name, given = parts.hostname or "", parts.port or 80
    except ValueError:
        return False
    if given != port:
        return False
    if name in (*_LOCAL, browser_host(host).strip("[]").casefold()):
        return True
    if host not in _ALL:
        return False
    with suppress(ValueError):
        ip_address(name)
        return True
    return name == socket.gethostname().casefold()


def fault_reporter(command: str) -> Report:
    """Reports a fault of the program in a file, and tells of it where the *command* was started."""

    def report(error: Exception) -> str:
        where = fault_message(command, error)
        print(f"grognard {command}: internal error: {where}", file=sys.stderr)
        name = type(error).__name__
        return f"a fault of grognard itself ({name}); the server says where its report is"

    return report
