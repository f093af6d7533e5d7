"""The versions of the language and of Grognard.  Both the library's face and the command line tell
them, so nothing slow is imported here.
"""

from __future__ import annotations

#: The version of the language of rulesets.
LANGUAGE_VERSION = "0.1"


def installed_version() -> str:
    """The version of Grognard, as far as it is installed."""
    from importlib.metadata import PackageNotFoundError, version  # start-up: 30 ms

    try:
        return version("grognard")
    except PackageNotFoundError:
        return "(not installed)"
