"""Play in a browser: a server for this machine, which prints the link to it.

The link lets one browser in, and works once; in the lobby there is another for the next.  Games
are kept as `grognard play` keeps them, so what is begun here can be gone on with there.  Ctrl-C
ends the server; nothing is lost.
"""

from __future__ import annotations

import argparse
import socket
import sys
import webbrowser

from grognard.files import data_folder, reason
from grognard.fronts.cli.crash import report
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import add_art, art_of, count
from runtime.errors import ArgumentError

#: Where it listens where nobody says otherwise.
_HOST, _PORT = "127.0.0.1", 8137
_LOCAL, _ALL = ("localhost", "127.0.0.1", "[::1]"), ("0.0.0.0", "::")


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
    add_art(parser)
    parser.add_argument("--no-open", action="store_true", help="open no browser")


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        import uvicorn  # start-up: only this command needs it

        from grognard.fronts.web.app import app  # start-up: only this command needs it
        from grognard.fronts.web.browsers import Browsers
        from grognard.fronts.web.rooms import Rooms  # start-up: the same
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"the server needs the library {error.name}, which is not installed",
            "pip install 'grognard[web]'",
        ) from None
    if not 0 < args.port < 65536:
        raise ArgumentError(f"--port {args.port}: there is no such port", "give 1024 to 65535")
    art = art_of(args)
    browsers = Browsers(data_folder() / "browsers.json")
    made = app(
        Rooms(art=art),
        browsers,
        hosts={f"{name}:{args.port}" for name in _names(args.host)},
        cookie=f"grognard_{args.port}",
        report=_reported,
    )
    link = f"http://{_HOST if args.host in _ALL else args.host}:{args.port}"
    config = uvicorn.Config(
        made,
        host=args.host,
        port=args.port,
        log_config=None,
        access_log=False,
        ws_max_size=128 * 1024,
        ws="websockets-sansio",
        timeout_graceful_shutdown=3,
    )
    _listening(args.host, args.port)
    address = f"{link}/enter/{browsers.link()}"
    print(f"Grognard listens at {link}; open this link, it works once:\n\n  {address}\n")
    print("Ctrl-C ends it; games are kept.", flush=True)
    if not args.no_open:
        webbrowser.open(address)
    uvicorn.Server(config).run()
    return CLEAN


def _listening(host: str, port: int) -> None:
    """ArgumentError where one cannot listen there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise ArgumentError(
                f"{host}:{port} cannot be listened at: {reason(error)}",
                "give another --port, or end what listens there",
            ) from None


def _names(host: str) -> set[str]:
    """The names that the server answers to."""
    own = socket.gethostbyname_ex(socket.gethostname()) if host in _ALL else ("", [], [])
    return {*_LOCAL, host, own[0], *own[1], *own[2]}


def _reported(error: Exception) -> str:
    """A fault of the program, reported in a file."""
    path = report(["serve"], error)
    where = "" if path is None else f"; please report it with {path}"
    print(f"grognard serve: internal error: {type(error).__name__}{where}", file=sys.stderr)
    return (
        f"a fault of grognard itself ({type(error).__name__}); the server says where its report is"
    )
