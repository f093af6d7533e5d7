"""Command lines: how options are given, and how what is wrong is said."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from runtime.errors import GrognardError, LoadError

Main = Callable[..., int]
#: Exit codes: a file has errors, what was given cannot be.
_ERRORS, _MISUSE = 1, 2


def option(name: str, default: Any, help: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """An option or argument: its type is that of the default; a number is not below ``least``."""
    if isinstance(default, bool):
        return name, {"action": "store_true", "help": help, **more}
    if isinstance(default, int | float):
        more["type"] = functools.partial(_number, type(default), more.pop("least", 0))
        help += " (default: %(default)s)"
    return name, {"default": default, "help": help, **more}


def _number(kind: type[int] | type[float], least: float, text: str) -> float:
    try:
        number = kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
    if not number >= least:
        raise argparse.ArgumentTypeError(f"{text} is less than {least}")
    return number


def parse_arguments(
    module: str,
    doc: str | None,
    arguments: Sequence[str] | None,
    *options: tuple[str, dict[str, Any]],
) -> argparse.Namespace:
    """The arguments of ``python -m bench.<module>``, those of the process where none are given."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"python -m {module}", description=doc, formatter_class=layout)
    for name, how in options:
        parser.add_argument(name, **how)
    return parser.parse_args(arguments)


def command(main: Main) -> Main:
    """*main*, saying what the user has done wrong; exit code 2, or 1 where a file has errors."""

    @functools.wraps(main)
    def run(arguments: Sequence[str] | None = None) -> int:
        try:
            return main(arguments)
        except LoadError as error:
            print(f"{error.message}; {error.remedy or 'see `grognard validate`'}", file=sys.stderr)
            return _ERRORS if error.findings else _MISUSE
        except GrognardError as error:
            print(f"{error.args[0]}; {error.remedy}", file=sys.stderr)
            return _MISUSE

    return run
