"""The shape of files of cases: which keys there are, what their values look like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from runtime.data.check import Path, check, faults, place_in_words
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, Scalar, items_of, text_of
from runtime.data.shapes import (
    FORM,
    WORDED,
    Either,
    Fault,
    List,
    Number,
    Record,
    Shape,
    Text,
    Truth,
    Word,
)
from runtime.spelling import nearest
from runtime.words.said import AND, join_with_word, said

#: What is wrong with the keys and values of cases has no code.
_CODES: Final = dict.fromkeys(("key", "missing", "kind", "value", "form"), "")


def _one_or_more(shape: Shape) -> List:
    """A list that says something."""
    return List(item=shape, least=1)


def _named_entries(shape: Shape) -> Record:
    """A mapping with keys that the author chooses."""
    return Record(rest=shape, least=1)


_SHARE: Final = r"(?:0?\.\d+|0|1(?:\.0+)?)"
#: What a case of balance says: ``0.45..0.55, games 400, bots regular, of top``.
BALANCE: Final = re.compile(
    rf"\A(?P<low>{_SHARE})\.\.(?P<high>{_SHARE})(?:, *games +(?P<games>[1-9]\d{{0,5}}))?"
    r"(?:, *bots +(?P<bot>\w+))?(?:, *of +(?P<side>\w+))?\Z"
)
_BALANCED: Final = "write 'LOW..HIGH, games N, bots NAME, of SIDE', all but the first as needed"

_TEXT = Text(types=WORDED)
_VALUE = Text(types=(str, int, bool), want="a name, a whole number, true or false")
_AMOUNT = Text(types=(str, int, bool, float), want="a number, a share such as 70%, or none")
_NUMBER = Number(least=0)
_TEXTS = _one_or_more(_TEXT)
_VALUES = List(item=_VALUE)
_VALUE_OR_LIST = Either(shapes=(_VALUE, _VALUES))
_ROLL = Either(shapes=(_NUMBER, _VALUES))

_SEES = Record(
    keys={
        "fields": _named_entries(_VALUE_OR_LIST),
        "piles": _named_entries(_ROLL),
        "log": _TEXTS,
        "not_log": _TEXTS,
    },
    noun="expectation",
    least=1,
)
_CALL = Record(
    keys={"is": _VALUE_OR_LIST, "rule": _TEXT, "cites": _TEXT, "modifiers": _TEXTS}, least=1
)
_REFUSED = Record(keys={"by": _TEXT, "inner": _TEXT}, least=1)
_DECISION = Record(keys={"side": _TEXT, "prompt": _TEXT, "about": _VALUES}, least=1)

EXPECT: Final = Record(
    keys={
        "fields": _named_entries(_VALUE_OR_LIST),
        "decision": Either(shapes=(_DECISION, Word(words=("none",)))),
        "offered": _TEXTS,
        "not_offered": _TEXTS,
        "options": List(item=_TEXT),
        "values": _named_entries(Either(shapes=(_VALUE, _VALUES, _CALL))),
        "refused": _named_entries(Either(shapes=(_TEXT, _REFUSED))),
        "foreseen": _named_entries(
            _named_entries(Either(shapes=(_AMOUNT, _named_entries(_AMOUNT))))
        ),
        "piles": _named_entries(_VALUES),
        "over": Truth(),
        "winner": Either(shapes=(_TEXT, _TEXTS)),
        "ranks": _named_entries(_NUMBER),
        "log": _TEXTS,
        "not_log": _TEXTS,
        "sees": _named_entries(_SEES),
        "taken": List(item=_TEXT),
        "rolls": List(item=Either(shapes=(*_ROLL.shapes, _named_entries(_ROLL)))),
        "dice_left": Either(shapes=(_NUMBER, _named_entries(_NUMBER))),
    },
    noun="expectation",
    least=1,
)


def _one_action(node: Node, path: Path) -> Iterator[Fault]:
    keys = [key.text for key, _ in node.entries] if isinstance(node, Mapping) else []
    if sum(key in keys for key in ("do", "expect", "run")) != 1:
        remedy = "an action is one of: a text, {do: …, by: …}, {expect: …}, {run: …}"
        message = said(
            "{keys}{where}: expected one action",
            keys=join_with_word(AND, keys or ["nothing"]),
            where=place_in_words(path),
        )
        yield Fault(FORM, message, node, remedy)
    elif "by" in keys and "do" not in keys:
        yield Fault(
            FORM,
            said("'by' without 'do'{where}", where=place_in_words(path)),
            node,
            "write {do: …, by: …}",
        )


_ACTION = Record(
    keys={"do": _TEXT, "by": _TEXT, "expect": EXPECT, "run": _TEXT},
    also=_one_action,
)


#: What else a case of balance may say.
_BESIDE_BALANCE: Final = ("name", "rules", "balance", "switches", "seed", "note")


def _between(node: Node, path: Path) -> Iterator[Fault]:
    """The first share of a balance is the smaller one."""
    text = text_of(node)
    match = BALANCE.match(text)
    if match is not None and float(match["low"]) > float(match["high"]):
        message = said("'{it}': the first share is greater than the second", it=text)
        yield Fault(FORM, message, node, "write the smaller share first")


def _expects(node: Node, path: Path) -> Iterator[Fault]:
    """A case must expect something."""
    if not isinstance(node, Mapping):
        return
    if node.get("balance") is not None:
        for key, _ in node.entries:
            if key.text in _CASE.keys and key.text not in _BESIDE_BALANCE:
                message = said(
                    "'{text}' in a case of balance{where}, which plays whole games",
                    text=key.text,
                    where=place_in_words(path),
                )
                yield Fault(FORM, message, key, "make it a case of its own")
        return
    misspelt = nearest(
        "expect", [key.text for key, _ in node.entries if key.text not in _CASE.keys]
    )
    actions = items_of(node.get("actions"))
    expects = any(isinstance(action, Mapping) and action.get("expect") for action in actions)
    if node.get("expect") is None and misspelt is None and not expects:
        message = "the case expects nothing, so it cannot fail"
        yield Fault(FORM, message, node, "add 'expect:'")


#: What stands in a case elsewhere, or is called otherwise.
_CALLED = {
    "choices": "actions",
    "given": "position",
    "then": "expect",
    "title": "name",
    "when": "run",
}
_SET_UP = dict.fromkeys(
    ("pieces", "hexes", "map", "sides", "game"), "a position is set up under 'position'"
)

_CASE: Final = Record(
    keys={
        "name": _TEXT,
        "rules": _TEXTS,
        "position": _named_entries(Shape()),
        "fields": _named_entries(_VALUE_OR_LIST),
        "piles": _named_entries(_VALUES),
        "effects": _TEXTS,
        "run": _TEXT,
        "dice": Either(shapes=(_VALUES, _named_entries(List(item=_VALUE_OR_LIST)))),
        "actions": _one_or_more(Either(shapes=(_TEXT, _ACTION))),
        "expect": EXPECT,
        "seed": _NUMBER,
        "switches": _named_entries(Truth()),
        "balance": Text(
            pattern=BALANCE.pattern,
            wrong="'{it}' says no balance",
            remedy=_BALANCED,
            also=_between,
        ),
        "note": Shape(),
    },
    required=("name",),
    noun="key",
    hints=_SET_UP
    | {word: said("did you mean '{similar}'?", similar=key) for word, key in _CALLED.items()},
    also=_expects,
)


def _names(node: Node, path: Path) -> Iterator[Fault]:
    """Cases have names of their own."""
    lines: dict[str, int] = {}
    for item in items_of(node):
        name = item.get("name") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar) and lines.setdefault(name.text, name.line) != name.line:
            message = said("a case in line {lines} has the same name", lines=lines[name.text])
            yield Fault(FORM, message, name, "name each case for what it shows")


#: The shape of a file of cases.
FILE: Final = Record(
    keys={
        "ruleset": _TEXT,
        "scenario": _TEXT,
        "cases": List(item=_CASE, least=1, also=_names),
        "notes": Shape(),
        "provenance": Shape(),
    },
    required=("ruleset", "scenario", "cases"),
)
_BESIDE = ("position", "fields", "piles", "effects", "run", "dice", "switches", "seed")
#: What may stand beside a position that is set up outside of a case.
_POSITION: Final = replace(
    _CASE, keys={key: _CASE.keys[key] for key in _BESIDE}, required=(), noun="key", also=None
)


def faults_beside(node: Node) -> list[Fault]:
    """What is wrong with the shape of a position, and of what is given beside it."""
    return list(faults(node, _POSITION))


def check_file(root: Node, name: str) -> list[Finding]:
    """All that is wrong with the shape of a file of cases, in the order of the file."""
    if not isinstance(root, Mapping):
        message = "a file of cases is a mapping with the keys ruleset, scenario and cases"
        return [Finding("", message, name, 1, 1)]
    return check(root, FILE, name, _CODES)
