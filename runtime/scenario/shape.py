"""Checks the shape of a scenario with the generated JSON Schema, in the words of a scenario's author."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Items
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from runtime.findings import Finding
from runtime.model import RulesetSpec
from runtime.scenario.finding import in_order, suggestion
from runtime.scenario.schema import KIND, NONE_WORD, PREFIX, schema_for
from runtime.scenario.yaml_text import TOLD, Mapping, Node, Scalar, Sequence, plain
from runtime.spelling import nearest, odd

_SHAPES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _enum(validator: Any, enums: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """One of some values: as the library does it, but quicker for a text among many (labels of hexes)."""
    if not (isinstance(instance, str) and instance in enums):
        yield from Draft202012Validator.VALIDATORS["enum"](validator, enums, instance, schema)


_Validator = extend(Draft202012Validator, {"enum": _enum})  # type: ignore[no-untyped-call]


def check_shape(root: Node, spec: RulesetSpec, name: str) -> list[Finding]:
    """Everything in the tree that the schema does not allow."""
    validator = _Validator(schema_for(spec))
    errors = [leaf for error in validator.iter_errors(plain(root)) for leaf in _leaves(error)]
    # a value of the wrong kind is no unknown value as well
    wrong = {tuple(error.absolute_path) for error in errors if error.validator == "type"}
    checker = _Checker(root, spec, name)
    for error in errors:
        if (
            error.validator == "type"
            or error.validator == "required"
            or tuple(error.absolute_path) not in wrong
        ):
            checker.take(error)
    return in_order(checker.found)


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors that matter of an error: of alternatives, those of the one that was meant."""
    if error.validator != "anyOf":
        yield error
        return
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    meant = [
        found for found in branches.values() if not any(e.validator == "type" and not e.path for e in found)
    ]
    for inner in (meant or list(branches.values()))[0]:
        yield from _leaves(inner)


def _limit(validator: str, wanted: Any, node: Node, where: str) -> tuple[str, str]:
    """What is wrong with a value that has the right form, and what can be done."""
    match validator:
        case "minItems":
            return f"the list{where} is empty", "leave the key out, or list something"
        case "maxItems":
            return f"the list{where} has more than {wanted} items", f"give {wanted} at most"
        case "minimum":
            low = "must not be negative" if wanted == 0 else f"is less than {wanted}"
            return f"{_shown(node)}{where} {low}", f"write {wanted} or more"
        case "maximum":
            return f"{_shown(node)}{where} is more than {wanted}", f"write {wanted} or less"
        case "uniqueItems":
            return f"the list{where} names something twice", "name each thing once"
    return f"this value is not possible{where}", "compare it with docs/scenarios.md"


#: Whose fields stand under which key.
_OWNERS = {"game": "Game", "sides": "Side", "hexes": "Hex"}


class _Checker:
    """Turns errors of the schema into findings."""

    def __init__(self, root: Node, spec: RulesetSpec, name: str) -> None:
        self.root = root
        self.spec = spec
        self.name = name
        self.found: list[Finding] = []

    def report(self, code: str, message: str, node: Node, remedy: str) -> None:
        """Keep a finding."""
        self.found.append(Finding(code, message, self.name, node.line, node.column, remedy=remedy))

    def take(self, error: ValidationError) -> None:
        """One error of the schema."""
        path = list(error.absolute_path)
        node = _walk(self.root, path)
        where = _where(path)
        schema: Any = error.schema
        wanted: Any = error.validator_value
        match error.validator:
            case "additionalProperties":
                self.unknown_keys(node, path, schema)
            case "required":
                missing = [key for key in wanted if isinstance(node, Mapping) and node.get(key) is None]
                for key in missing:
                    self.missing(key, node, path, schema)
            case "type" if "enum" in schema and isinstance(node, Scalar) and node.value is not None:
                self.unknown_value(node, where, schema)
            case "type":
                self.wrong_kind(node, where, wanted, schema)
            case "enum":
                self.unknown_value(node, where, schema)
            case "pattern":
                self.pattern(error, node, where)
            case _:
                message, remedy = _limit(str(error.validator), wanted, node, where)
                self.report("S115", message, node, remedy)

    @staticmethod
    def strangers(node: Node, schema: Any) -> list[Scalar]:
        """The keys of a mapping that its schema does not know."""
        known = schema.get("properties", ())
        patterns = list(schema.get("patternProperties", ()))
        keys = [key for key, _ in node.entries] if isinstance(node, Mapping) else []
        return [
            key
            for key in keys
            if key.text not in known and not any(re.search(pattern, key.text) for pattern in patterns)
        ]

    def unknown_keys(self, node: Node, path: Items[str | int], schema: Any) -> None:
        """Keys that nobody knows; a key that is missing was probably meant."""
        patterns = list(schema.get("patternProperties", ()))
        required = [
            key for key in schema.get("required", ()) if isinstance(node, Mapping) and node.get(key) is None
        ]
        for key in self.strangers(node, schema)[:TOLD]:
            meant = nearest(key.text, required)
            known = list(schema.get("properties", ()))
            remedy = suggestion(key.text, known) if known or not patterns else "write a whole number"
            if meant is not None:
                remedy = "; ".join(part for part in (odd(key.text), f"did you mean '{meant}'?") if part)
            remedy = self.kinds_of(key.text) or remedy
            own = self.own(key.text, path)
            if own:
                self.report("S111", f"'{key.text}' is nothing that a scenario gives{_where(path)}", key, own)
                continue
            if path and path[0] == "switches":
                self.report("S203", f"the ruleset has no switch '{key.text}'", key, remedy)
            elif schema.get("$comment") == "values":
                self.report("S114", f"unknown value '{key.text}'{_where(path)}", key, remedy)
            else:
                self.report("S111", f"unknown key '{key.text}'{_where(path)}", key, remedy)

    def own(self, key: str, path: Items[str | int]) -> str:
        """Why a field of this name is none that a scenario gives; nothing where there is no such field."""
        owner = _OWNERS.get(str(path[0])) if path else "Hex" if key == "hexes" else None
        if path and path[0] == "pieces" and len(path) > 1:
            owner = str(path[1])
        by_board = [f.base for f in self.spec.map_fields]
        if owner == "Hex" and not path and by_board:
            return f"no field of hexes is a scenario's to give; the board's file gives {', '.join(by_board)}"
        field = next((f for f in self.spec.fields if f.owner == owner and f.base == key), None)
        if field is None:
            return ""
        if field.values is not None:
            return "the board's file gives it (or 'board: …' here)"
        return "the rules set it; a field that scenarios give is declared with 'setup'"

    def missing(self, key: str, node: Node, path: Items[str | int], schema: Any) -> None:
        """A key that must be there."""
        if nearest(key, [other.text for other in self.strangers(node, schema)[:TOLD]]) is not None:
            return  # misspelt: reported as an unknown key
        in_frame = not path or path[0] == "map" or (len(path) == 1 and path[0] in ("sides", "fields"))
        if not in_frame or (len(path) > 2 and key != KIND):
            about = schema.get("properties", {}).get(key)
            words = _description(about).removeprefix(f"{key}: ")
            remedy = f"add '{key}: …'" + (f" ({words})" if words else "")
            self.report("S218", f"'{key}' must be given{_where(path)}", node, remedy)
        else:
            form = _form(schema.get("properties", {}).get(key))
            self.report("S112", f"key '{key}' is missing{_where(path)}", node, f"add '{key}: {form}'")

    def wrong_kind(self, node: Node, where: str, wanted: str | Iterable[str], schema: Any) -> None:
        """Text for a number, and the like."""
        names = [wanted] if isinstance(wanted, str) else list(wanted)
        want = " or ".join(_SHAPES.get(name, name) for name in names)
        remedy = f"write {want}"
        keys = schema.get("properties") if names == ["object"] and isinstance(schema, dict) else None
        if keys:
            held = "[…]" if isinstance(node, Sequence) else "…"
            remedy = f"write {want}: {{{next(iter(keys))}: {held}}}"
        if isinstance(node, Scalar) and "string" in names and node.value is not None:
            remedy = f"put it in quotes: '{node.text}'"
        elif isinstance(node, Scalar) and "boolean" in names and node.text == "1":
            remedy = "write true"
        elif isinstance(node, Scalar) and "boolean" in names and node.text == "0":
            remedy = "write false"
        elif isinstance(node, Scalar) and "array" in names and node.value is not None:
            remedy = f"put it in brackets: [{node.text}]"
        elif (
            isinstance(node, Scalar)
            and "integer" in names
            and isinstance(node.value, str)
            and node.text.isdecimal()
        ):
            remedy = "write the number without quotes and without leading zeros"
        self.report("S113", f"{_shown(node)}{where}: expected {want}", node, remedy)

    def unknown_value(self, node: Node, where: str, schema: Any) -> None:
        """A word that is not among those that are possible."""
        text = node.text if isinstance(node, Scalar) else ""
        words = [word for word in schema["enum"] if isinstance(word, str)]
        kind = schema.get("$comment")
        if kind == "hex":
            labels = self.spec.board.labels
            label = nearest_hex(text, labels)
            remedy = odd(text) + "; " * bool(odd(text))
            remedy += f"the nearest is {label}" if label else f"hexes are called {labels[0]} to {labels[-1]}"
            remedy += f", or {NONE_WORD}" if NONE_WORD in words else ""
            self.report("S201", f"there is no hex {text or '(nothing)'} on the board{where}", node, remedy)
        else:
            said = f"'{text}'" if text else "nothing"
            known = f" for {kind}" if kind else ""
            self.report(
                "S114",
                f"unknown value {said}{known}{where}",
                node,
                self.kinds_of(text) or suggestion(text, words),
            )

    def kinds_of(self, name: str) -> str:
        """What to write for the common parent of kinds."""
        kinds = self.spec.parents.get(name)
        return f"no piece is only a {name}: write {' or '.join(kinds)}" if kinds else ""

    def pattern(self, error: ValidationError, node: Node, where: str) -> None:
        """Text that cannot be used."""
        if "propertyNames" in error.absolute_schema_path and isinstance(node, Mapping):
            key = node.key(str(error.instance)) or node
            message = f"'{error.instance}' cannot be a map symbol"
            self.report("S115", message, key, "a symbol has no spaces and does not start with '.'")
        elif isinstance(node, Scalar) and not node.text.strip():
            self.report("S115", f"empty text{where}", node, "write something, or leave the key out")
        elif where.endswith("." + PREFIX):
            remedy = "a prefix is of letters and digits, a letter first, 16 at most"
            self.report("S115", f"'{error.instance}'{where} cannot be used", node, remedy)
        else:
            self.report(
                "S115", f"the text{where} cannot be used", node, "write one line without control characters"
            )


def _walk(root: Node, path: Iterable[str | int]) -> Node:
    """The node at a path."""
    node = root
    for step in path:
        inner: Node | None = None
        if isinstance(node, Mapping):
            inner = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int):
            inner = node.items[step]
        if inner is None:
            return node
        node = inner
    return node


def _form(about: Any) -> str:
    """What a value must hold at least, as it is written."""
    required = about.get("required", ()) if isinstance(about, dict) else ()
    if not required:
        return "…"
    inner = (f"{key}: {_form(about.get('properties', {}).get(key))}" for key in required)
    return f"{{{', '.join(inner)}}}"


def _where(path: Iterable[str | int]) -> str:
    """The path in words."""
    words = ".".join(str(step) if isinstance(step, str) else f"{step + 1}" for step in path)
    return f" in {words}" if words else ""


def _shown(node: Node) -> str:
    """What was found, in short."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if node.value is None:
        return "nothing"
    text = node.text if len(node.text) <= 40 else node.text[:40] + "…"
    return f"text '{text}'" if isinstance(node.value, str) else text


def _description(schema: Any) -> str:
    """The description of a value that may also be a list of values."""
    if not isinstance(schema, dict):
        return ""
    if "anyOf" in schema and "description" not in schema:
        return _description(schema["anyOf"][0])
    return str(schema.get("description", ""))


_LETTERS = re.compile(r"([A-Za-z]+)[-. ]?0*([0-9]+)\Z")
_TURNED = re.compile(r"([0-9]+)[-. ]?([A-Za-z]+)\Z")


def nearest_hex(text: str, labels: Items[str]) -> str | None:
    """The label that was most probably meant."""
    if turned := _TURNED.match(text):
        text = turned[2] + turned[1]
    folded = {label.casefold(): label for label in labels}
    if text.casefold() in folded:
        return folded[text.casefold()]
    if text.isdecimal() and not any(label.isdecimal() for label in labels):
        return None
    pairs = {label: pair for label in labels if (pair := _pair(label, len(label)))}
    width = max((len(label) for label in labels), default=0)
    sought = _pair(text.zfill(width) if text.isdecimal() else text, width)
    if sought is None or not pairs:
        return None

    def far(label: str) -> tuple[int, str]:
        """How far a label is from the one sought; its first half is trusted more."""
        first, second = pairs[label]
        return abs(first - sought[0]) * 2 + abs(second - sought[1]), label

    return min(pairs, key=far)


def _pair(label: str, width: int) -> tuple[int, int] | None:
    """A label as two numbers."""
    if found := _LETTERS.match(label):
        rank = 0
        for letter in found[1].upper()[:4]:
            rank = rank * 26 + ord(letter) - ord("A") + 1
        return rank, int(found[2][:9])
    if label.isascii() and label.isdecimal() and width >= 2:
        half = width // 2
        return int(label[:half]), int(label[half:][:9])
    return None
