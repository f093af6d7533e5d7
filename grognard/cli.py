"""The command line: ``grognard <command> …``.

Every command is a module of :mod:`grognard.commands` with ``configure(parser)`` and ``run(args) -> int``;
it is imported when it is called, so that starting up costs nothing.

Exit codes: 0 clean, 1 findings, 2 misuse (wrong arguments, missing files), 3 a fault of the program itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from grognard.commands import CLEAN, FAULT, FINDINGS, MISUSE, Found, Misuse, Parser

#: The commands: module and summary, in the order of the help.
COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("listing", "the rulesets and scenarios that are found"),
    "check": ("check", "check rulesets"),
    "compile": ("compile", "write the Python module of a ruleset"),
    "fmt": ("fmt", "put .grog files into canonical layout"),
    "dump": ("dump", "print a stage of the compilation"),
    "schema": ("schema", "print the JSON Schema of a ruleset's scenarios"),
    "cover": ("cover", "which rules of the rulebook are written, tested and reached"),
    "new": ("new", "begin a new ruleset"),
    "validate": ("validate", "check scenarios"),
    "play": ("play", "play in the terminal"),
    "bots": ("bots", "let bots play each other"),
    "replay": ("replay", "play a recorded game again, and verify it"),
    "explain": ("explain", "why a number is what it is, why a thing is not allowed, what a rule ID stands for"),
    "test": ("test", "run test cases of rulesets"),
    "render": ("render", "draw a board with a position as SVG"),
}
_GROUPS = {
    "Rulesets": ("list", "check", "compile", "fmt", "dump", "schema", "cover", "new"),
    "Games": ("validate", "play", "bots", "replay", "explain", "test", "render"),
}
_HELP = ("-h", "--help", "help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as error:  # argparse, after --help or a wrong argument
        return error.code if isinstance(error.code, int) else MISUSE
    except Misuse as error:
        _complain(arguments, error)
        return MISUSE
    except Found:
        return FINDINGS
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader has closed the pipe, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        if error.filename is None or os.environ.get("GROGNARD_DEBUG"):
            raise
        name = str(error.filename)
        shown = name if len(name) <= 200 else f"{name[:100]}…"
        _complain(arguments, Misuse(f"'{shown}' cannot be used: {error.strerror}", "check the path and its permissions"))
        return MISUSE
    except Exception as error:
        if os.environ.get("GROGNARD_DEBUG"):
            raise
        fault = _fault_of_rules(error)
        if fault is not None:
            _complain(arguments, fault)
            return FINDINGS
        _apologise(arguments, error)
        return FAULT


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in _HELP[:2]:
        print(_overview())
        return CLEAN
    name, rest = arguments[0], arguments[1:]
    if name == "--version":
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"grognard {version('grognard')}")
        except PackageNotFoundError:
            print("grognard (not installed)")
        return CLEAN
    if name == "help":
        if not rest:
            print(_overview())
            return CLEAN
        name, rest = rest[0], ["--help"]
    if name not in COMMANDS:
        from dsl.diagnostics import did_you_mean

        what = "option" if name.startswith("-") else "command"
        raise Misuse(f"there is no {what} '{name}'", did_you_mean(name, COMMANDS) or "`grognard --help` lists the commands")
    module_name, summary = COMMANDS[name]
    try:
        module = import_module(f"grognard.commands.{module_name}")
    except ModuleNotFoundError as error:
        if error.name != f"grognard.commands.{module_name}":
            raise
        raise Misuse(f"the command '{name}' is not there yet", "`grognard --help` lists the commands") from None
    parser = Parser(prog=f"grognard {name}", description=(module.__doc__ or summary).strip())
    module.configure(parser)
    result: int = module.run(parser.parse_args(rest))
    return result


def _overview() -> str:
    lines = ["usage: grognard <command> …", "", "A rules compiler for hex-and-card wargames."]
    for title, names in _GROUPS.items():
        lines += ["", f"{title}:"]
        lines += [f"  {name:9} {COMMANDS[name][1]}" for name in names]
    lines += [
        "",
        "`grognard <command> --help` tells more.  Rulesets and scenarios are looked for in ./rulesets and",
        "./scenarios, then among those that come with grognard.",
        "Exit codes: 0 clean, 1 findings, 2 misuse, 3 a fault of grognard itself.",
    ]
    return "\n".join(lines)


def _complain(arguments: list[str], error: Misuse) -> None:
    prefix = "grognard " + arguments[0] if arguments and arguments[0] in COMMANDS else "grognard"
    print(f"{prefix}: {error}", file=sys.stderr)
    if error.remedy:
        print(f"  remedy: {error.remedy}", file=sys.stderr)


def _fault_of_rules(error: Exception) -> Misuse | None:
    """What to say when not the program but the rules it runs have failed."""
    import traceback

    rules = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".grog")]
    if type(error).__name__ == "RulesetFault":  # known by its name, so that nothing need be imported
        message = str(error)
    elif isinstance(error, RecursionError) and rules:
        message = "procedures call each other without end"
    else:
        return None
    where = f"{os.path.relpath(rules[-1].filename)}:{rules[-1].lineno}: " if rules else ""
    return Misuse(f"{where}the rules themselves fail: {message}", "mend the ruleset")


def _apologise(arguments: list[str], error: Exception) -> None:
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())[:300]
    print(f"grognard: internal error: {type(error).__name__}: {text}", file=sys.stderr)
    print(f"  at {os.path.basename(place.filename)}:{place.lineno} in {place.name}", file=sys.stderr)
    print("  This is a fault of grognard, not of what you wrote.", file=sys.stderr)
    print(
        f"  Please report it with the command ({' '.join(['grognard', *arguments])}), the files it reads and\n"
        "  the traceback, which the same command shows with GROGNARD_DEBUG=1 set.",
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.exit(main())
