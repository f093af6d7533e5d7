"""Write a game while it is played: a page with the board on its left and the text of the rules on
its right.  A rule that changes changes the game that goes on there.

It prints a link to the page, for this machine alone.  SCENARIO is the one that is on the board;
by default the first of the ruleset.  Ctrl-C ends it; what was not saved is lost then.
"""

from __future__ import annotations

import argparse
import logging
import webbrowser
from contextlib import suppress
from pathlib import Path

from grognard import places
from grognard.fronts.cli.exits import CLEAN
from grognard.fronts.cli.flags import count
from grognard.fronts.cli.listening import HOST, fault_reporter, is_own_name, listen_at
from grognard.lexicon.catalogue import choose_language
from runtime.errors import ArgumentError

#: How large a message of the page may be: it may hold the text of a file.
_LARGEST = 16 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name or folder")
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="the scenario on the board")
    parser.add_argument(
        "--port", metavar="N", type=count, default=0, help="the port (default: one that is free)"
    )
    parser.add_argument("--no-open", action="store_true", help="open no browser")


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        import uvicorn  # start-up: only this command needs these

        from grognard.fronts.lsp.server import make_server  # start-up: the same
        from grognard.fronts.studio.serving import Author, studio  # start-up: the same
        from grognard.fronts.studio.workshop import Workshop  # start-up: the same
    except ModuleNotFoundError as error:
        raise ArgumentError(
            f"the studio needs the library {error.name}, which is not installed",
            "pip install 'grognard[studio]'",
        ) from None
    folder = places.ruleset_folder(args.ruleset)
    scenario = _scenario(folder, args.scenario)
    report = fault_reporter("studio")
    with listen_at(HOST, args.port) as socket:
        port = socket.getsockname()[1]
        address, author = f"http://{HOST}:{port}", Author()
        server = make_server(Path.cwd())
        workshop = Workshop(server, folder, scenario, report, choose_language(None))
        app = studio(
            *(server, workshop, author),
            hosts=lambda host: is_own_name(HOST, host, port),
            cookie=f"grognard_studio_{port}",
            report=report,
            address=address,
        )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            ws_max_size=_LARGEST,
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
        # what fails is reported by the application
        logging.getLogger("uvicorn").addHandler(logging.NullHandler())
        link = f"{address}/enter/{author.key}"
        print(f"The studio of {folder.name}; open this link:\n\n  {link}\n")
        print("Ctrl-C ends it; save first.", flush=True)
        if not args.no_open:
            webbrowser.open(link)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([socket])
    return CLEAN


def _scenario(folder: Path, named: str | None) -> Path | None:
    """The scenario that is named, else the first of the ruleset; None where it has none."""
    all_of = places.scenarios().items()
    own = {key: path for key, path in all_of if places.head_of(path)[0] == folder.name}
    if named is None:
        return next(iter(own.values()), None)
    called = [path for key, path in own.items() if key.rpartition("/")[2] == named]
    path = called[0] if len(called) == 1 else places.scenario_path(named)
    if places.head_of(path)[0] != folder.name:
        raise ArgumentError(
            f"the scenario '{named}' is not one of the ruleset {folder.name}",
            "`grognard list` shows the scenarios of each",
        )
    return path
