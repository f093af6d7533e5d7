"""The shape of files of cases: which keys there are, what their values look like; findings for all that is
otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from runtime.findings import Finding
from runtime.scenario.finding import suggestion
from runtime.scenario.yaml_text import Mapping as YamlMapping
from runtime.scenario.yaml_text import Node, Scalar
from runtime.scenario.yaml_text import Sequence as YamlSequence
from runtime.spelling import nearest


def said(finding: Finding) -> str:
    """A finding in a file of cases, on one line."""
    text = ": ".join(filter(None, (str(finding.place), finding.code, finding.message)))
    return f"{text}; {finding.remedy}" if finding.remedy else text


#: A fault of a node: the node, what is wrong, what to do.
Fault = tuple[Node, str, str]
#: Finds the faults of a node; *what* is how messages call it.
Shape = Callable[[Node, str], Iterator[Fault]]


# ---------------------------------------------------------------------- shapes


def anything(node: Node, what: str) -> Iterator[Fault]:
    """No demands."""
    return iter(())


def text(node: Node, what: str) -> Iterator[Fault]:
    """A text that is not empty; numbers are texts as they were written."""
    if not isinstance(node, Scalar):
        yield node, f"{what} must be a text, not {_kind(node)}", "write one value"
    elif node.value is None or not node.text.strip():
        yield node, f"{what} is empty", "write a text, or leave it out"
    elif isinstance(node.value, bool | float):
        yield (
            node,
            f"{what} must be a text, not {_kind(node)}",
            "write a text, in quotes where it looks like a number",
        )


def value(node: Node, what: str) -> Iterator[Fault]:
    """A single value: a name, a whole number, true or false."""
    if not isinstance(node, Scalar):
        yield node, f"{what} must be a single value, not {_kind(node)}", "write one value"
    elif node.value is None or not node.text.strip():
        yield node, f"{what} is empty", "write a value; 'none' where there is none"
    elif isinstance(node.value, float):
        yield node, f"{what} must not be a fraction", "write a whole number"


def amount(node: Node, what: str) -> Iterator[Fault]:
    """A number, perhaps a fraction, or a share as ``70%``, or none."""
    if not isinstance(node, Scalar) or not isinstance(node.value, float):
        yield from value(node, what)


def amount_or_shares(node: Node, what: str) -> Iterator[Fault]:
    """An amount, or how likely each of some values is."""
    yield from (named(amount) if isinstance(node, YamlMapping) else amount)(node, what)


def value_or_list(node: Node, what: str) -> Iterator[Fault]:
    """A single value, or a list of them (a set)."""
    if isinstance(node, YamlSequence):
        yield from many(value, empty=True)(node, what)
    else:
        yield from value(node, what)


def truth(node: Node, what: str) -> Iterator[Fault]:
    """``true`` or ``false``."""
    if not isinstance(node, Scalar) or not isinstance(node.value, bool):
        yield node, f"{what} must be true or false, not {_kind(node)}", "write true or false"


def number(node: Node, what: str) -> Iterator[Fault]:
    """A whole number, not negative."""
    if not isinstance(node, Scalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
        yield node, f"{what} must be a whole number, not {_kind(node)}", "write a whole number"
    elif node.value < 0:
        yield node, f"{what} must not be negative", "write 0 or more"


def many(item: Shape, empty: bool = False) -> Shape:
    """A list of items; an empty one only where that says something."""

    def check(node: Node, what: str) -> Iterator[Fault]:
        if not isinstance(node, YamlSequence):
            yield (
                node,
                f"{what} must be a list, not {_kind(node)}",
                "write [one, two], or each item on a line after '- '",
            )
        elif not node.items and not empty:
            yield node, f"{what} is empty, so it says nothing", "add an item, or leave it out"
        else:
            for i, one in enumerate(node.items, 1):
                yield from item(one, f"item {i} of {what}" if len(node.items) > 1 else f"the item of {what}")

    return check


def named(item: Shape) -> Shape:
    """A mapping with keys that the author chooses, and at least one."""

    def check(node: Node, what: str) -> Iterator[Fault]:
        if not isinstance(node, YamlMapping):
            yield node, f"{what} must be a mapping, not {_kind(node)}", "write {key: value}"
        elif not node.entries:
            yield node, f"{what} is empty, so it says nothing", "add an entry, or leave it out"
        else:
            for key, inner in node.entries:
                yield from item(inner, f"'{key.text}' in {what}")

    return check


def keyed(
    shapes: Mapping[str, Shape], needed: tuple[str, ...] = (), unknown: str = "unknown key '{0}' of {1}"
) -> Shape:
    """A mapping with known keys, and at least one."""

    def check(node: Node, what: str) -> Iterator[Fault]:
        if not isinstance(node, YamlMapping):
            yield (
                node,
                f"{what} must be a mapping with keys, not {_kind(node)}",
                f"possible: {', '.join(shapes)}",
            )
            return
        strangers = [key.text for key, _ in node.entries if key.text not in shapes]
        for key in needed:
            # a misspelt key is told as unknown
            if node.get(key) is None and nearest(key, strangers) is None:
                yield node, f"the key '{key}' is missing in {what}", f"add '{key}: …'"
        if not node.entries and not needed:
            yield node, f"{what} is empty, so it says nothing", f"possible: {', '.join(shapes)}"
        for key_node, inner in node.entries:
            shape = shapes.get(key_node.text)
            if shape is None:
                yield key_node, unknown.format(key_node.text, what), suggestion(key_node.text, shapes)
            else:
                yield from shape(inner, f"'{key_node.text}'")

    return check


def either(scalar: Shape, sequence: Shape | None = None, mapping: Shape | None = None) -> Shape:
    """Different shapes for a single value, a list, a mapping."""

    def check(node: Node, what: str) -> Iterator[Fault]:
        shape = (
            sequence
            if isinstance(node, YamlSequence)
            else mapping
            if isinstance(node, YamlMapping)
            else scalar
        )
        yield from (shape or scalar)(node, what)

    return check


def _kind(node: Node) -> str:
    if isinstance(node, YamlSequence):
        return "a list"
    if isinstance(node, YamlMapping):
        return "a mapping"
    if node.value is None or not node.text.strip():
        return "nothing"
    return f"'{node.text[:40]}'"


# ---------------------------------------------------------------------- what cases hold

_TEXTS = many(text)
_SEES = keyed(
    {
        "fields": named(value_or_list),
        "piles": named(either(number, many(value, empty=True))),
        "log": _TEXTS,
        "not_log": _TEXTS,
    },
    unknown="unknown expectation '{0}' in {1}",
)
_VALUE = keyed({"is": value_or_list, "rule": text, "cites": text, "modifiers": _TEXTS})
_REFUSED = keyed({"by": text, "inner": text})
_DECISION_SHAPES: Final[dict[str, Shape]] = {"side": text, "prompt": text, "about": many(value, empty=True)}
DECISION_KEYS: Final = tuple(_DECISION_SHAPES)
_DECISION = keyed(_DECISION_SHAPES)
_FACES = many(value, empty=True)
_ROLL = either(number, _FACES, named(either(number, _FACES)))


def _decision(node: Node, what: str) -> Iterator[Fault]:
    if isinstance(node, YamlMapping):
        yield from _DECISION(node, what)
    elif not isinstance(node, Scalar) or node.value != "none":
        yield node, f"{what} is a mapping, or none", "write {side: …, prompt: …, about: […]}, or none"


EXPECT: Final[dict[str, Shape]] = {
    "fields": named(value_or_list),
    "decision": _decision,
    "offered": _TEXTS,
    "not_offered": _TEXTS,
    "options": many(text, empty=True),
    "values": named(either(value, value_or_list, _VALUE)),
    "refused": named(either(text, None, _REFUSED)),
    "foreseen": named(named(amount_or_shares)),
    "piles": named(many(value, empty=True)),
    "over": truth,
    "winner": either(text, _TEXTS),
    "ranks": named(number),
    "log": _TEXTS,
    "not_log": _TEXTS,
    "sees": named(_SEES),
    "taken": many(text, empty=True),
    "rolls": many(_ROLL, empty=True),
    "dice_left": either(number, None, named(number)),
}
_EXPECT = keyed(EXPECT, unknown="unknown expectation '{0}'")
_ACTIONS: Final[dict[str, Shape]] = {"do": text, "by": text, "expect": _EXPECT, "run": text}


def _action(node: Node, what: str) -> Iterator[Fault]:
    if not isinstance(node, YamlMapping):
        yield from text(node, what)
        return
    faults = list(keyed(_ACTIONS, unknown="unknown key '{0}' of an action")(node, what))
    yield from faults
    given = [key.text for key, _ in node.entries]
    if not faults and sum(key in given for key in ("do", "expect", "run")) != 1:
        yield (
            node,
            f"{what} has {' and '.join(given)}",
            "an action is one of: a text, {do: …, by: …}, {expect: …}, {run: …}",
        )
    elif not faults and "by" in given and "do" not in given:
        yield node, f"{what} has 'by' without 'do'", "write {do: …, by: …}"


def _position(node: Node, what: str) -> Iterator[Fault]:
    if not isinstance(node, YamlMapping) or not node.entries:
        yield node, f"{what} must be a mapping like a scenario, not {_kind(node)}", "see docs/scenarios.md"


def _dice(node: Node, what: str) -> Iterator[Fault]:
    if isinstance(node, Scalar):
        yield (
            node,
            f"{what} must be a list of faces, or of faces by die",
            "write [hit, miss], or {battle: [hit], d6: [4]}",
        )
    else:
        yield from either(value, _FACES, named(many(value_or_list, empty=True)))(node, what)


CASE: Final[dict[str, Shape]] = {
    "name": text,
    "rules": _TEXTS,
    "position": _position,
    "fields": named(value_or_list),
    "piles": named(many(value, empty=True)),
    "effects": _TEXTS,
    "run": text,
    "dice": _dice,
    "actions": many(_action),
    "expect": _EXPECT,
    "seed": number,
    "switches": named(truth),
    "note": anything,
}
_CASE = keyed(CASE, needed=("name",), unknown="unknown key '{0}' of a case")


#: What may stand beside a position that is set up outside of a case.
_BESIDE = keyed(
    {key: CASE[key] for key in ("position", "fields", "piles", "effects", "run", "dice", "switches", "seed")}
)


def beside(node: Node) -> list[Fault]:
    """What is wrong with the shape of a position, and of what is given beside it."""
    return list(_BESIDE(node, "the position"))


def case(node: Node, what: str) -> Iterator[Fault]:
    """A case, which must expect something."""
    if not isinstance(node, YamlMapping):
        yield node, "a case is a mapping with a name and what to expect", f"possible keys: {', '.join(CASE)}"
        return
    yield from _CASE(node, "a case")
    actions = node.get("actions")
    inner = actions.items if isinstance(actions, YamlSequence) else ()
    meant = nearest("expect", [key.text for key, _ in node.entries if key.text not in CASE])
    expects = any(isinstance(a, YamlMapping) and a.get("expect") for a in inner)
    if node.get("expect") is None and meant is None and not expects:
        yield node, "the case expects nothing, so it cannot fail", "add 'expect:'"


def _cases(node: Node, what: str) -> Iterator[Fault]:
    if not isinstance(node, YamlSequence):
        yield node, "'cases' is a list", "write each case after '- '"
    elif not node.items:
        yield node, "the file holds no case", "add a case after '- '"
    else:
        names: dict[str, int] = {}
        for item in node.items:
            yield from case(item, "a case")
            name = item.get("name") if isinstance(item, YamlMapping) else None
            if isinstance(name, Scalar) and names.setdefault(name.text, name.line) != name.line:
                yield (
                    name,
                    f"a case in line {names[name.text]} has the same name",
                    "name each case for what it shows",
                )


_FILE: Final[dict[str, Shape]] = {
    "ruleset": text,
    "scenario": text,
    "cases": _cases,
    "notes": anything,
    "provenance": anything,
}


def check_file(root: Node, name: str) -> list[Finding]:
    """All that is wrong with the shape of a file of cases, in the order of the file."""
    if not isinstance(root, YamlMapping):
        message = "a file of cases is a mapping with the keys ruleset, scenario and cases"
        return [Finding("", message, name, 1, 1)]
    shape = keyed(_FILE, needed=("ruleset", "scenario", "cases"), unknown="unknown key '{0}'")
    found = [
        Finding("", message, name, n.line, n.column, remedy=remedy)
        for n, message, remedy in shape(root, "the file")
    ]
    return sorted(found, key=lambda f: (f.line, f.column))
