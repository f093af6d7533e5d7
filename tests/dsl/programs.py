"""Random programs of the grammar, as a strategy."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from lark.grammar import NonTerminal, Rule

from dsl.language import grammar, spellings

_TEXTS = {
    "NAME": ("a", "foo", "Unit", "b2", "_x", "a_rather_long_name_for_a_thing", "setup_done"),
    "INT": ("0", "7", "12"),
    "MEASURED": ("3 Dice", "10 \t Hexes"),
    "ROW": ("| a | b |\n", "|x|12| 3 | # comment\n", "| — | - | foot   mounted | \t\n", "||\n"),
    "CITE": ("@rule A-1", "@rule X-1.1 , CCA-S-2.b"),
    "SHORT": ("§1.1", "§ 1.1 ,AMB-2", "§1,§2.b"),
    "TEXT": ('"what it is"', '"a  b, | #1 {so}"'),
    "SECTION": (
        "@section A-1",
        "@section X2-1.1 , CCA-S-2.b",
        '@section "The attack"  §1.1, 2 @house "why"',
        '@section "a #1  b" @rule X-1 ,X-2',
    ),
    "PROVENANCE": (
        "@house",
        "@published",
        '@house "why,  | #1 {so}"',
        f'@published "{"long " * 30}"',
    ),
    "COMPARE": ("<", "<=", ">", ">="),
}
_GAPS = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n\n",
    "\t",
    " # why\n",
    "\n# a line of comment\n",
    "\r\n",
    "\n\n  # b\n\n",
)


@cache
def _rules() -> dict[str, list[Rule]]:
    rules: dict[str, list[Rule]] = {}
    for rule in grammar().rules:
        rules.setdefault(rule.origin.name, []).append(rule)
    return rules


@cache
def _sizes() -> dict[str, int]:
    """The least depth of a derivation of each rule."""
    sizes: dict[str, int] = {}
    while len(sizes) < len(_rules()):
        for name, rules in _rules().items():
            found = [
                1 + _size(rule, sizes)
                for rule in rules
                if all(_known(symbol, sizes) for symbol in rule.expansion)
            ]
            if found and name not in sizes:
                sizes[name] = min(found)
    return sizes


def _known(symbol: object, sizes: dict[str, int]) -> bool:
    return not isinstance(symbol, NonTerminal) or symbol.name in sizes


def _size(rule: Rule, sizes: dict[str, int]) -> int:
    return max(
        (sizes[symbol.name] for symbol in rule.expansion if isinstance(symbol, NonTerminal)),
        default=0,
    )


def write(choices: list[int], goal: str = "start") -> str:
    """The program that *choices* lead to; when they are used up, the shortest way to its end."""
    left = iter(choices)
    parts: list[str] = []
    todo: list[object] = [goal]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            rules = _rules()[item]
            choice = next(left, None)
            if choice is None or len(todo) > 60:
                rule = min(rules, key=lambda rule: _size(rule, _sizes()))
            else:
                rule = rules[choice % len(rules)]
            todo.extend(
                symbol.name if isinstance(symbol, NonTerminal) else symbol
                for symbol in reversed(rule.expansion)
            )
        else:
            name = str(item.name)  # type: ignore[attr-defined]
            texts = _TEXTS.get(name) or spellings()[name]
            choice = next(left, 0)
            parts.append(texts[choice % len(texts)])
            parts.append(_GAPS[choice // 7 % len(_GAPS)])
    return "".join(parts)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Programs that follow the grammar, in any layout."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        found.append(write(draw(st.lists(st.integers(0, 2**16), max_size=150)), "decl"))
    return "\n".join(found)
