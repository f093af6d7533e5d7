"""The command line: ``grognard <command> …``.

Every command is a module with ``configure(parser)`` and ``run(args) -> int``; it is imported when
it is called, so that starting up costs nothing.

Exit codes: 0 no findings, 1 findings, 2 misuse (wrong arguments; what cannot be read or written), 3
a fault of the program itself, of which a report is written; 4 a fault of a bot of the user's own;
128 and its number when a signal ended the program (130: interrupted).
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from grognard import LANGUAGE_VERSION
from grognard.files import short
from grognard.fronts.cli.exits import BOT, CLEAN, FAULT, FINDINGS, INTERRUPTED, MISUSE
from grognard.fronts.cli.streams import OutputError, give_up, prepare
from runtime.errors import (
    ArgumentError,
    BotError,
    GrognardError,
    LoadError,
    RulesError,
    broken_game,
)
from runtime.spelling import did_you_mean, with_words_cut

if TYPE_CHECKING:
    from runtime.games.game import Game

#: How often what refers to itself is looked for: rarely, as most of what commands make stays.
_COLLECTING = (20_000, 20, 20)
#: What argparse says of a word that is none of those that can be given.
_CHOICE = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)")
#: By name, the module below this folder and what the overview says of it; in the overview's order.
COMMANDS: dict[str, tuple[str, str]] = {
    "list": (
        "rulesets.listing",
        "list the rulesets and scenarios that Grognard finds, and the games under way",
    ),
    "check": ("rulesets.check", "check rulesets"),
    "compile": ("rulesets.compile", "write the Python module of a ruleset"),
    "fmt": ("rulesets.fmt", "put .grog files into canonical layout"),
    "dump": ("rulesets.dump", "print a stage of the compilation"),
    "schema": ("rulesets.schema", "print the JSON Schema of a ruleset's scenarios"),
    "cover": ("rulesets.cover", "which rules of the rulebook are written, tested and reached"),
    "book": ("rulesets.book", "write the rulebook that the rules make, or player's aids"),
    "diff": ("rulesets.diff", "list what an expansion changes in the ruleset that it extends"),
    "new": ("rulesets.new", "begin a new ruleset"),
    "watch": ("rulesets.watch", "tell at each change of a ruleset what it does"),
    "lsp": ("rulesets.lsp", "serve an editor: findings, completion, what names mean, renaming"),
    "studio": ("rulesets.studio", "write a ruleset while its game goes on beside the text"),
    "validate": ("games.validate", "check scenarios"),
    "play": ("games.play", "play in the terminal"),
    "serve": ("games.serve", "play in a browser"),
    "mail": ("games.by_mail", "play by post: two sides, letters, and no server"),
    "site": ("games.site", "write a site on which games are played without a server"),
    "bots": ("games.bots", "let bots play each other"),
    "lab": ("games.lab", "carry out experiments: who wins, and what a difference of rules does"),
    "tune": ("games.tune", "tune the weights by which bots value positions, by self-play"),
    "profile": ("games.profile", "where the time goes: what rules and lines cost"),
    "replay": (
        "games.replay",
        "replay a recorded game, verify it, or write it as a page to step through",
    ),
    "upgrade": (
        "games.upgrade",
        "what rules that have changed do to a recorded game, and let it go on with them",
    ),
    "report": ("games.report", "tell a recorded game in prose and tables"),
    "explain": (
        "games.explain",
        "why a number is what it is, why a thing is not allowed, what a rule ID stands for",
    ),
    "odds": ("games.odds", "what comes of an option, how likely it is, and by which rules"),
    "test": ("games.test", "run test cases of rulesets"),
    "render": ("games.render", "draw a board with a position as SVG"),
}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in our own form."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Complain and end."""
        remedy = f"`{self.prog} --help` tells what can be given"
        choice = _CHOICE.search(message)
        if choice is not None:
            remedy = did_you_mean(choice[1], re.findall(r"[\w-]+", choice[2])) or remedy
        with suppress(OSError):
            print(f"{self.prog}: {short(message, 300)}", file=sys.stderr)
            print(f"  remedy: {remedy}", file=sys.stderr)
        self.exit(MISUSE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(*_COLLECTING)
    # without a reader the others go on, so that their status tells what they have found
    restore = prepare(needed=arguments[:1] in (["play"], ["bots"]))
    try:
        with _plain_warnings():
            code = _run(arguments)
        if code in (CLEAN, FINDINGS):
            sys.stdout.flush()
        return code
    except OutputError as error:
        return _report_lost_output(arguments, error)
    finally:
        restore()


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """What is warned of in this block is one line on the standard error."""

    def print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
        with suppress(OSError):
            print(_printable(str(message)), file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = print_warning
        yield


def _run(arguments: list[str]) -> int:
    try:
        return _dispatch(arguments)
    except SystemExit as error:  # argparse, after --help or a wrong argument
        return error.code if isinstance(error.code, int) else MISUSE
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    except OutputError:
        raise
    except MemoryError:
        remedy = "give smaller files, or the program more memory"
        _complain(arguments, "there is not enough memory", remedy)
        return MISUSE
    except (BotError, RulesError) as error:
        return _report_failure(arguments, error)
    except GrognardError as error:
        return _report_refusal(arguments, error)
    except Exception as error:
        return _report_failure(arguments, error)


def _report_refusal(arguments: list[str], error: GrognardError) -> int:
    """Tell an error of the library about what was given to it."""
    if isinstance(error, LoadError) and error.findings:
        from compiler.output.report import Report  # start-up: only where there are findings
        from grognard.fronts.cli import reporting  # start-up: only where there are findings

        reporting.print_report(Report(list(error.findings), list(error.checked)), stream=sys.stderr)
        return FINDINGS
    _complain(arguments, error.message, error.remedy)
    return MISUSE


def _report_failure(arguments: list[str], error: Exception) -> int:
    """What no command has foreseen: say whose fault it is."""
    if isinstance(error, BotError):
        lines = [str(error), error.trace.rstrip(), _broken_off(error)]
        _complain(arguments, "\n".join(line for line in lines if line))
        return BOT
    fault = _fault_of_rules(arguments, error)
    if fault:
        _complain(arguments, fault, "correct the ruleset")
        return FINDINGS
    if os.environ.get("GROGNARD_DEBUG"):
        raise error
    if isinstance(error, OSError):
        what = f"{short(str(error.filename))}: " if error.filename is not None else _folder_note()
        remedy = "check the path, its permissions and the space on the disk"
        _complain(arguments, f"{what}{error.strerror or error}", remedy)
        return MISUSE
    _apologise(arguments, error)
    return FAULT


def _folder_note() -> str:
    """Where there is nothing, if it is the current folder that somebody has removed."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder: "
    return ""


def _report_lost_output(arguments: list[str], error: OutputError) -> int:
    """The standard output cannot be written."""
    give_up()
    if error.errno == errno.EPIPE and arguments[:1] == ["bots"]:
        return CLEAN  # the reader has read enough, as `| head` does
    reason = "it is closed" if error.errno == errno.EPIPE else error.strerror
    _complain(arguments, f"the standard output cannot be written: {reason}")
    return MISUSE


def _dispatch(arguments: list[str]) -> int:
    name, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if name == "help" and rest:
        name, rest = rest[0], ["--help"]
    if name in ("help", "-h", "--help"):
        print(_overview())
        return CLEAN
    if name == "--version":
        from grognard import __version__  # start-up: it is looked up in the installation

        print(f"grognard {__version__}, language {LANGUAGE_VERSION}")
        return CLEAN
    if name not in COMMANDS:
        what = "option" if name.startswith("-") else "command"
        raise ArgumentError(
            f"there is no {what} '{name}'",
            did_you_mean(name, COMMANDS) or "`grognard --help` lists the commands",
        )
    path, summary = COMMANDS[name]
    module = import_module(f"grognard.fronts.cli.{path}")
    parser = Parser(prog=f"grognard {name}", description=(module.__doc__ or summary).strip())
    module.configure(parser)
    if getattr(module, "SPOKEN", False):
        from grognard.fronts.cli.flags import translate  # start-up: few commands need it

        translate(parser, rest)
    parse = parser.parse_intermixed_args if getattr(module, "MIXED", False) else parser.parse_args
    result: int = module.run(parse(rest))
    return result


def _overview() -> str:
    lines = ["usage: grognard <command> …", "", "A rules compiler for hex-and-card wargames."]
    for group in ("rulesets", "games"):
        lines += ["", f"{group.capitalize()}:"]
        lines += [
            f"  {name:9} {summary}"
            for name, (module, summary) in COMMANDS.items()
            if module.startswith(group)
        ]
    lines += [
        "",
        "`grognard <command> --help` tells more, `grognard --version` which this is.  Rulesets and",
        "scenarios are looked for in ./rulesets and ./scenarios, then among those that come with",
        "grognard.  Exit codes: 0 no findings, 1 findings, 2 misuse or what cannot be read or "
        "written,",
        "3 a fault of grognard itself, 4 a fault of a bot of one's own.",
    ]
    return "\n".join(lines)


def _complain(arguments: list[str], message: str, remedy: str = "") -> None:
    prefix = "grognard " + arguments[0] if arguments and arguments[0] in COMMANDS else "grognard"
    with suppress(OSError):
        print(_printable(f"{prefix}: {message}"), file=sys.stderr)
        if remedy:
            print(_printable(f"  remedy: {remedy}"), file=sys.stderr)


def _printable(text: str) -> str:
    """Text that steers no terminal: names of files may hold anything."""
    return "".join(
        c if c in "\n\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for c in with_words_cut(text)
    )


def _fault_of_rules(arguments: list[str], error: Exception) -> str:
    """What to say when not the program but the rules it runs have failed; else nothing."""
    # another process's traceback, as a cause, is no error that was raised
    cause = error.__cause__
    if isinstance(error, RulesError) and isinstance(cause, Exception) and cause.__traceback__:
        error = cause  # it knows where
    frames = traceback.extract_tb(error.__traceback__)
    rules = [frame for frame in frames if frame.filename.endswith(".grog")]
    if isinstance(error, RulesError):
        message = error.message
    elif isinstance(error, RecursionError) and rules:
        message = "procedures call each other endlessly"
    else:
        return ""
    where = f"{os.path.relpath(rules[-1].filename)}:{rules[-1].lineno}: " if rules else ""
    lines = [f"{where}the rules themselves fail: {message}"]
    if len(rules) > 1:
        lines.append(f"  on the way: {' → '.join(_call_chain([frame.name for frame in rules]))}")
    # start-up: only where something failed
    from grognard.fronts.cli.crash import watched_game, write_crash_file

    seed = _failed_seed(error, watched_game())
    if seed is not None:
        lines.append(f"  the game's seed is {seed}")
    path = write_crash_file(arguments, error)
    if path is not None:
        lines.append(f"  the record so far, where there is one, is in {path}")
    return "\n".join(lines)


_CALLED = {
    "check": "check",
    "q": "rules",
    "base": "rules",
    "i": "function",
    "travel": "travel",
    "reach": "travel",
}
_LONGEST = 10


def _call_chain(names: list[str]) -> list[str]:
    """What was called on the way, in the words of the ruleset; the middle of a long way is left
    out.
    """
    shown: list[str] = []
    for name in names:
        kind, _, rest = name.partition("_")
        block = kind[:1] == "b" and kind[1:].isdigit()
        if block or kind == "p":
            text = f"procedure {rest}"
        else:
            text = f"{_CALLED[kind]} {rest}" if rest and kind in _CALLED else name
        if not shown or shown[-1] != text:
            shown.append(text)
    if len(shown) > _LONGEST:
        shown[_LONGEST // 2 : -_LONGEST // 2] = ["…"]
    return shown


def _broken_off(error: BotError) -> str:
    """Seed and record of the game that an error has ended, where it is known."""
    from grognard.fronts.cli.crash import keep_record  # start-up: only where something failed

    game = broken_game(error)
    if game is None:
        return ""
    path = keep_record(f"seed-{game.seed}", game.record) if game.record else None
    record = "" if path is None else f", its record so far {path}"
    return f"  the game's seed is {game.seed}{record}"


def _failed_seed(error: Exception, watched: Game | None) -> int | None:
    """The seed of the game whose rules have failed."""
    game = broken_game(error) or watched
    if game is not None:
        return game.seed
    trace = error.__traceback__
    while trace is not None:
        seed = getattr(trace.tb_frame.f_locals.get("s"), "seed", None)
        if trace.tb_frame.f_code.co_filename.endswith(".grog") and isinstance(seed, int):
            return seed or None  # what a side sees has none
        trace = trace.tb_next
    return None


def _apologise(arguments: list[str], error: Exception) -> None:
    from grognard.fronts.cli.crash import write_crash_file  # start-up: only where something failed

    path = write_crash_file(arguments, error)
    how = "the traceback that GROGNARD_DEBUG=1 shows" if path is None else path
    with suppress(OSError):
        what = f"internal error: {type(error).__name__}, a fault of grognard itself"
        print(f"grognard: {what}; please report it with {how}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
