"""Sources that several tests of the language use."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def read(path: Path) -> str:
    """The text of *path* with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


def spec_blocks() -> list[str]:
    """The examples in the specification."""
    return re.findall(
        r"^```grog\n(.*?)^```", read(ROOT / "dsl" / "SPEC.md"), re.DOTALL | re.MULTILINE
    )


GOOD = sorted((HERE / "good").glob("*.grog"))
BAD = sorted((HERE / "bad").glob("*.grog"))
RULESETS = sorted((ROOT / "rulesets").rglob("*.grog"))
