"""The pages of the findings, and what their section *What was meant* holds."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).parent.parent / "docs" / "diagnostics"
_YAML = re.compile(r"(?<!:\n\n)^```yaml\n(.*?)^```", re.DOTALL | re.MULTILINE)
_GROG = re.compile(
    r"^```grog\n.*?^```\n(?:\nbeside it `[^`\n]+`:\n\n```(?:grog|yaml)\n.*?^```\n)*",
    re.DOTALL | re.MULTILINE,
)


def section(text: str, title: str) -> str:
    """What stands below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"no section '{title}'"
    return found.group(1)


def meant(code: str) -> str:
    """What a page says of the intentions that lead to its finding."""
    return section((PAGES / f"{code}.md").read_text(encoding="utf-8"), "What was meant")


def programs(code: str) -> list[str]:
    """The fragments of rules in that, each with the files that stand beside it."""
    return _GROG.findall(meant(code))


def documents(code: str) -> list[str]:
    """The fragments of YAML in that which stand alone."""
    return _YAML.findall(meant(code))
