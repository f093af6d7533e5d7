"""Play in a browser: a server, which prints the link to it.

The link lets one browser in as the host's, and works once; in the lobby there is another for the
next, and links for the seats of games.  Games are kept as `grognard play` keeps them, so what is
begun here can be gone on with there.  Ctrl-C ends the server; nothing is lost.
"""

from __future__ import annotations

import argparse
import logging
import sys
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from grognard.files import short
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_art, count, read_art
from grognard.fronts.cli.listening import HOST, browser_host, fault_reporter, is_own_name, listen_at
from grognard.table.store import Store
from runtime.errors import ArgumentError

#: The port at which it listens where nobody says otherwise.
_PORT = 8137


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "--port", metavar="N", type=count, default=_PORT, help=f"the port (default: {_PORT})"
    )
    parser.add_argument(
        "--host",
        default=HOST,
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


#: Seconds that who replies waits at most for each time that another thread computes.
_SWITCHING: Final = 0.0005


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        import uvicorn  # start-up: only this command needs these

        from grognard.fronts.web.app import app  # start-up: the same
        from grognard.fronts.web.bounds import (  # start-up: the same
            ImpatientProtocol,
            allow_many_files,
        )
        from grognard.fronts.web.guard import Refusals  # start-up: the same
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
    if args.notices is not None and not args.accounts:
        raise ArgumentError("--notices are sent to accounts", "give --accounts, too")
    mail = None if args.notices is None else read_mail(Path(args.notices), args.notices)
    allow_many_files()
    sys.setswitchinterval(_SWITCHING)
    report, refusals = fault_reporter("serve"), Refusals(_log)
    art = read_art(args)
    named = _name_in(args.address)
    with listen_at(args.host, args.port) as listening:
        port = listening.getsockname()[1]
        link = args.address or f"http://{browser_host(args.host)}:{port}"
        store = Store(args.database)
        visitors = Visitors(store.database)
        made = app(
            Rooms(report, store, art),
            visitors,
            hosts=lambda host: host.casefold() == named or is_own_name(args.host, host, port),
            cookie="grognard" if args.address else f"grognard_{port}",
            report=report,
            address=link,
            accounts=Accounts(store.database) if args.accounts else None,
            notices=None if mail is None else Notices(store, mail, link, _log),
            refusals=refusals,
        )
        config = uvicorn.Config(
            made,
            log_config=None,
            access_log=False,
            server_header=False,
            http=partial(ImpatientProtocol, refused=refusals.tell),  # type: ignore[arg-type]
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


def _log(what: str) -> None:
    with suppress(OSError):  # nobody reads it
        print(f"grognard serve: {what}", file=sys.stderr, flush=True)
