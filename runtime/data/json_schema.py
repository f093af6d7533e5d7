"""Shapes as JSON Schema (2020-12), with which editors complete and check."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from runtime.data.shapes import Either, List, Number, Record, Shape, Switch, Text, Truth, Word

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_INT = re.compile(r"(?:0|[1-9][0-9]*)\Z")
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def json_schema(shape: Shape, title: str) -> Schema:
    """The JSON Schema of files of a shape."""
    defs: Schema = {}
    return {"$schema": _DIALECT, "title": title, **_schema(shape, defs), "$defs": defs}


def _schema(shape: Shape, defs: Schema) -> Schema:
    """The schema of a shape; lists of words that have a name are kept in *defs*."""
    schema = _SCHEMAS[type(shape)](shape, defs)
    return (
        {**schema, "description": shape.about} if shape.about and "$ref" not in schema else schema
    )


def _without_empty(made: Schema) -> Schema:
    """The keys that have a value."""
    return {key: value for key, value in made.items() if value is not None}


def _text(shape: Text, defs: Schema) -> Schema:
    types = [_TYPES[type_] for type_ in shape.types]
    return _without_empty(
        {"type": types if types[1:] else types[0], "pattern": shape.pattern or None}
    )


def _number(shape: Number, defs: Schema) -> Schema:
    return _without_empty({"type": "integer", "minimum": shape.least, "maximum": shape.most})


def _truth(shape: Truth, defs: Schema) -> Schema:
    schema: Schema = {"type": "boolean"}
    if shape.words:
        schema = {"anyOf": [schema, {"type": "string", "enum": list(shape.words)}]}
    return _without_empty({**schema, "default": shape.default})


def _word(shape: Word, defs: Schema) -> Schema:
    if shape.name in defs:
        return {"$ref": f"#/$defs/{shape.name}"}
    numbers = [int(word) for word in shape.words if shape.numbers and _INT.match(word)]
    types = ["string", "integer"] if numbers else "string"
    schema: Schema = {"type": types, "enum": [*shape.words, *numbers]}
    if shape.pattern:
        schema = {"anyOf": [schema, {"type": types, "pattern": shape.pattern}]}
    if not shape.name:
        return schema
    defs[shape.name] = _without_empty({**schema, "description": shape.about or None})
    return {"$ref": f"#/$defs/{shape.name}"}


def _list(shape: List, defs: Schema) -> Schema:
    limits = {"minItems": shape.least or None, "maxItems": shape.most}
    unique = True if shape.unique else None
    items = _schema(shape.item, defs)
    return _without_empty({"type": "array", "items": items, **limits, "uniqueItems": unique})


def _record(shape: Record, defs: Schema) -> Schema:
    keys = {key: _schema(value, defs) for key, value in shape.keys.items()}
    rest = _schema(shape.rest, defs) if shape.rest is not None else False
    return _without_empty(
        {
            "type": "object",
            "properties": keys,
            "patternProperties": {shape.pattern: rest} if shape.pattern else None,
            "additionalProperties": False if shape.pattern else rest,
            "required": list(shape.required) or None,
        }
    )


def _switch(shape: Switch, defs: Schema) -> Schema:
    def such(word: str) -> Schema:
        return {"properties": {shape.key: {"const": word}}, "required": [shape.key]}

    return {
        "type": "object",
        "properties": {shape.key: {"type": "string", "enum": list(shape.shapes)}},
        "required": [shape.key],
        "allOf": [
            {"if": such(word), "then": _schema(inner, defs)} for word, inner in shape.shapes.items()
        ],
    }


_SCHEMAS: dict[type[Shape], Callable[[Any, Schema], Schema]] = {
    Shape: lambda shape, defs: {},
    Either: lambda shape, defs: {"anyOf": [_schema(one, defs) for one in shape.shapes]},
    Text: _text,
    Number: _number,
    Truth: _truth,
    Word: _word,
    List: _list,
    Record: _record,
    Switch: _switch,
}
