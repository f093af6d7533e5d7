"""Play in a browser: a server, which prints the link to it.

The link lets one browser in as the host's, and works once; in the lobby there is another for the
next, and links for the seats of games.  Games are kept as `grognard play` keeps them, so what is
begun here can be gone on with there.  Ctrl-C ends the server; nothing is lost.
"""

from __future__ import annotations

import argparse
import errno
import logging
import socket
import sys
import webbrowser
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from grognard.files import reason, short
from grognard.fronts.cli.crash import reported
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_art, art_of, count
from grognard.table.store import Store
from runtime.errors import ArgumentError

#: Where it listens where nobody says otherwise.
_HOST, _PORT = "127.0.0.1", 8137
_LOCAL, _ALL = ("localhost", "127.0.0.1", "::1"), ("0.0.0.0", "::")


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "--port", metavar="N", type=count, default=_PORT, help=f"the port (default: {_PORT})"
    )
    parser.add_argument(
        "--host",
        default=_HOST,
        help="the address to listen at; other machines can reach no other than this one's own",
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        help="where browsers reach it, http(s)://NAME[:PORT], if something stands before it",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="keep games on a PostgreSQL server, postgresql://…, which several servers may share "
        "(default: a file of one's own)",
    )
    parser.add_argument(
        "--accounts", action="store_true", help="whoever comes may make an account, and begin games"
    )
    parser.add_argument(
        "--notices",
        metavar="FILE",
        help="the mail server by which accounts are told that it is their turn",
    )
    add_art(parser)
    parser.add_argument("--no-open", action="store_true", help="open no browser")


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        import uvicorn  # start-up: only this command needs these

        from grognard.fronts.web.app import app  # start-up: the same
        from grognard.fronts.web.bounds import (  # start-up: the same
            ImpatientProtocol,
            allow_many_files,
        )
        from grognard.fronts.web.rooms import Rooms  # start-up: the same
        from grognard.fronts.web.visitors import Visitors  # start-up: the same

        if args.accounts:
            from grognard.fronts.web.accounts import Accounts  # start-up: the same
        from grognard.fronts.web.mail import read_mail  # start-up: the same
        from grognard.fronts.web.notices import Notices  # start-up: the same
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"the server needs the library {error.name}, which is not installed",
            f"pip install 'grognard[{'server' if args.accounts else 'web'}]'",
        ) from None
    if not 0 <= args.port < 65536:
        raise ArgumentError(f"--port {args.port}: there is no such port", "give 1024 to 65535")
    if args.notices is not None and not args.accounts:
        raise ArgumentError("--notices are sent to accounts", "give --accounts, too")
    mail = None if args.notices is None else read_mail(Path(args.notices), args.notices)
    allow_many_files()
    art = art_of(args)
    named = _name_in(args.address)
    with _listening(args.host, args.port) as listening:
        port = listening.getsockname()[1]
        link = args.address or f"http://{_reached(args.host)}:{port}"
        store = Store(args.database)
        visitors = Visitors(store.database)
        made = app(
            Rooms(_reported, store, art),
            visitors,
            hosts=lambda host: host.casefold() == named or _answers(args.host, host, port),
            cookie="grognard" if args.address else f"grognard_{port}",
            report=_reported,
            address=link,
            accounts=Accounts(store.database) if args.accounts else None,
            notices=None if mail is None else Notices(store, mail, link, _logged),
        )
        config = uvicorn.Config(
            made,
            log_config=None,
            access_log=False,
            server_header=False,
            http=ImpatientProtocol,
            ws_max_size=128 * 1024,
            ws="websockets-sansio",
            timeout_graceful_shutdown=3,
        )
        # what fails is reported by the application
        logging.getLogger("uvicorn").addHandler(logging.NullHandler())
        address = f"{link}/enter/{visitors.link()}"
        print(f"Grognard listens at {link}; open this link, it works once:\n\n  {address}\n")
        print("Ctrl-C ends it; games are kept.", flush=True)
        if not args.no_open:
            webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([listening])
    return CLEAN


def _name_in(address: str | None) -> str | None:
    """The name, and the port where it says one, by which browsers call an address, if there is one.
    ArgumentError where it is none.
    """
    if address is None:
        return None
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or address != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise ArgumentError(
            f"--address {short(address)}: that is no address of a server",
            "give http:// or https://, a name and, if need be, a port: https://games.example.org",
        )
    return parts.netloc.casefold()


def _listening(host: str, port: int) -> socket.socket:
    """What listens there.  ArgumentError where nothing can."""
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


def _reached(host: str) -> str:
    """The address under which browsers reach the server."""
    if host in _ALL:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
            way.connect(("192.0.2.1", 9))  # which sends nothing, but tells the way
            return str(way.getsockname()[0])
        return _HOST
    return f"[{host}]" if ":" in host else host


def _answers(host: str, asked: str, port: int) -> bool:
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
    if name in (*_LOCAL, _reached(host).strip("[]").casefold()):
        return True
    if host not in _ALL:
        return False
    with suppress(ValueError):
        ip_address(name)
        return True
    return name == socket.gethostname().casefold()


def _logged(what: str) -> None:
    print(f"grognard serve: {what}", file=sys.stderr, flush=True)


def _reported(error: Exception) -> str:
    """A fault of the program, reported in a file and told of where the server was started."""
    where = reported("serve", error)
    print(f"grognard serve: internal error: {where}", file=sys.stderr)
    return (
        f"a fault of grognard itself ({type(error).__name__}); the server says where its report is"
    )
