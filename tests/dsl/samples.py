"""Sources that several tests of the language use."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def read(path: Path) -> str:
    """The text of *path* with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


#: The chapters of the specification by their names, in order.
CHAPTERS = {
    path.stem.partition("-")[2]: path for path in sorted((ROOT / "dsl" / "spec").glob("*.md"))
}


def spec_text() -> str:
    """The specification: its contents, then its chapters."""
    return "\n".join(map(read, (ROOT / "dsl" / "SPEC.md", *CHAPTERS.values())))


def examples(*chapters: str) -> list[str]:
    """The examples of these chapters of the specification, or of all."""
    texts = "\n".join(read(CHAPTERS[name]) for name in chapters or CHAPTERS)
    return re.findall(r"^```grog\n(.*?)^```", texts, re.DOTALL | re.MULTILINE)


def example_file(name: str) -> str:
    """What the specification shows as the file *name*."""
    (text,) = re.findall(
        rf"^```yaml\n# {re.escape(name)}\n(.*?)^```", spec_text(), re.DOTALL | re.MULTILINE
    )
    return text


GOOD = sorted((HERE / "good").glob("*.grog"))
BAD = sorted((HERE / "bad").glob("*.grog"))
RULESETS = sorted((ROOT / "rulesets").rglob("*.grog"))
