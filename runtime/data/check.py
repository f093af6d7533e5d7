"""Checks a tree against a shape: every fault with its place, its reason and what helps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Lookup
from collections.abc import Sequence as Items
from itertools import permutations
from typing import Any

from runtime.data.findings import Finding, in_order, suggestion
from runtime.data.reader import MOST_FINDINGS, Mapping, Node, Scalar, Sequence
from runtime.data.shapes import (
    FORM,
    KEY,
    KIND,
    VALUE,
    Either,
    Fault,
    List,
    Number,
    Record,
    Shape,
    Switch,
    Text,
    Truth,
    Word,
)
from runtime.spelling import nearest, plain
from runtime.words.said import OR, join_with_word, said

#: From the outside in.
Path = tuple[str, ...]


def check(
    root: Node, shape: Shape, name: str, codes: Lookup[str, str], path: Path = ()
) -> list[Finding]:
    """What of a tree does not have the shape, in the order of the file.

    *name* is how findings call the file; *codes* has the code of each sort of fault.
    """
    findings: list[Finding] = []
    for fault in faults(root, shape, path):
        node, code, remedy = fault.node, codes.get(fault.sort, fault.sort), fault.remedy
        if fault.stray is not None and isinstance(node, Scalar):
            remedy = _elsewhere(node.text, fault.stray, shape) or remedy
        place = (name, node.line, node.column, fault.severity, remedy)
        findings.append(Finding(code, fault.message, *place))
        if len(findings) >= MOST_FINDINGS:
            break
    return in_order(findings)


def faults(node: Node, shape: Shape, path: Path = ()) -> Iterator[Fault]:
    """What is wrong with a node that stands at a path."""
    all_faults = list(_CHECKS[type(shape)](node, shape, path))
    yield from all_faults
    if shape.also is not None and _fits(node, shape):
        if not all_faults or not isinstance(node, Scalar):
            yield from shape.also(node, path)


def place_in_words(path: Path) -> str:
    """A place in words."""
    return said(" in {path}", path=".".join(path)) if path else ""


def node_in_words(node: Node) -> str:
    """What stands there, in short."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if node.value is None:
        return "nothing"
    text = node.text if len(node.text) <= 40 else node.text[:40] + "…"
    return said("text '{text}'", text=text) if isinstance(node.value, str) else text


def _kind(node: Node, path: Path, want: str, remedy: str = "") -> Fault:
    """That something else is wanted."""
    message = said(
        "{node}{where}: expected {want}",
        node=node_in_words(node),
        where=place_in_words(path),
        want=want,
    )
    return Fault(KIND, message, node, remedy or said("write {want}", want=want))


def _fits(node: Node, shape: Shape) -> bool:
    """Whether a node looks as if the shape was meant."""
    match shape:
        case List():
            return isinstance(node, Sequence)
        case Record() | Switch():
            return isinstance(node, Mapping)
        case Either():
            return any(_fits(node, one) for one in shape.shapes)
        case Text():
            return isinstance(node, Scalar) and type(node.value) in shape.types
        case Number():
            return _whole(node)
        case Truth():
            return isinstance(node, Scalar) and (
                isinstance(node.value, bool) or (bool(shape.words) and isinstance(node.value, str))
            )
        case Word():
            return isinstance(node, Scalar) and isinstance(node.value, str)
    return True


def _whole(node: Node) -> bool:
    value = node.value if isinstance(node, Scalar) else None
    return type(value) is int or (isinstance(value, float) and value.is_integer())


def _anything(node: Node, shape: Shape, path: Path) -> Iterator[Fault]:
    return iter(())


def _either(node: Node, shape: Either, path: Path) -> Iterator[Fault]:
    like = next((one for one in shape.shapes if _fits(node, one)), shape.shapes[0])
    return faults(node, like, path)


def _text(node: Node, shape: Text, path: Path) -> Iterator[Fault]:
    if not isinstance(node, Scalar) or type(node.value) not in shape.types:
        remedy = ""
        if isinstance(node, Scalar) and node.value is not None and str in shape.types:
            remedy = said("put it in quotes: '{text}'", text=node.text)
        yield _kind(node, path, shape.want, remedy)
    elif not shape.blank and not node.text.strip():
        yield Fault(
            FORM,
            said("empty text{where}", where=place_in_words(path)),
            node,
            "write something, or leave the key out",
        )
    elif (shape.pattern and not re.search(shape.pattern, node.text)) or (
        shape.test is not None and not shape.test(node.text)
    ):
        wrong = said(shape.wrong, it=node.text)
        message = said("{0}{1}", **{"0": wrong, "1": place_in_words(path)})
        yield Fault(shape.sort, message, node, shape.remedy)


def _number(node: Node, shape: Number, path: Path) -> Iterator[Fault]:
    if not _whole(node):
        quoted = isinstance(node, Scalar) and isinstance(node.value, str) and node.text.isdecimal()
        remedy = "write the number without quotes and without leading zeros" if quoted else ""
        yield _kind(node, path, "a whole number", remedy)
        return
    assert isinstance(node, Scalar) and isinstance(node.value, int | float)
    if shape.least is not None and node.value < shape.least:
        low = "{node}{where} is less than {least}"
        if shape.least == 0:
            low = "{node}{where} must not be negative"
        message = said(low, node=node_in_words(node), where=place_in_words(path), least=shape.least)
        remedy = said("write {least} or more", least=shape.least)
        yield Fault(FORM, message, node, remedy)
    elif shape.most is not None and node.value > shape.most:
        message = said(
            "{node}{where} is more than {most}",
            node=node_in_words(node),
            where=place_in_words(path),
            most=shape.most,
        )
        yield Fault(FORM, message, node, said("write {most} or less", most=shape.most))


def _truth(node: Node, shape: Truth, path: Path) -> Iterator[Fault]:
    if not isinstance(node, Scalar) or not (
        isinstance(node.value, bool) or node.value in shape.words
    ):
        if isinstance(node, Scalar) and isinstance(node.value, str) and shape.words:
            message = said(
                "unknown value '{text}'{where}", text=node.text, where=place_in_words(path)
            )
            yield Fault(VALUE, message, node, _truth_for(node.text, shape))
        else:
            text = node.text if isinstance(node, Scalar) else ""
            remedy = {"1": "write true", "0": "write false"}.get(text, "")
            yield _kind(node, path, "true or false", remedy or _truth_for(text, shape))


def _truth_for(text: str, shape: Truth) -> str:
    """What to write instead of a text that is no truth value."""
    if text in ("true", "false"):
        return said("write it without quotes: {text}", text=text)
    return suggestion(text, ("true", "false", *shape.words))


def _word(node: Node, shape: Word, path: Path) -> Iterator[Fault]:
    if not isinstance(node, Scalar) or node.value is None:
        none = nearest("null", shape.words) if isinstance(node, Scalar) else None
        remedy = said("write {want}", want=none) if none else suggestion("", shape.words)
        yield _kind(node, path, "text or a whole number" if shape.numbers else "text", remedy)
    elif node.text not in shape.words:
        yield unknown_word(node, shape, path)


def unknown_word(node: Scalar, shape: Word, path: Path = ()) -> Fault:
    """That a word is none of those that are possible."""
    if shape.unknown is not None:
        message, remedy = shape.unknown(node.text)
        return Fault(
            shape.sort, said("{0}{1}", **{"0": message, "1": place_in_words(path)}), node, remedy
        )
    known = said(" for {what}", what=shape.what) if shape.what else ""
    message = (
        said(
            "unknown {noun} '{text}'{known}{where}",
            noun=shape.noun,
            text=node.text,
            known=known,
            where=place_in_words(path),
        )
        if node.text
        else ""
    )
    remedy = _hint(node.text, shape.hints)
    remedy = remedy or _suggestion(node.text, tuple(shape.words), shape.hints)
    return Fault(
        shape.sort,
        message
        or said(
            "no {noun}{known}{where}", noun=shape.noun, known=known, where=place_in_words(path)
        ),
        node,
        remedy,
    )


def _list(node: Node, shape: List, path: Path) -> Iterator[Fault]:
    if not isinstance(node, Sequence):
        remedy = ""
        if isinstance(node, Scalar) and node.value is not None:
            words = re.split(r"[,;\s]+", node.text) if isinstance(shape.item, Word) else [node.text]
            remedy = said("put it in brackets: [{text}]", text=", ".join(words))
        yield _kind(node, path, "a list", remedy)
        return
    count, exactly = len(node.items), shape.least == shape.most
    if not node.items and shape.least:
        remedy = shape.remedy or "leave the key out, or list something"
        yield Fault(
            FORM, said("the list{where} is empty", where=place_in_words(path)), node, remedy
        )
    elif count < shape.least or (shape.most is not None and count > shape.most):
        bound = shape.least if count < shape.least else shape.most
        wanted = "" if exactly else "at least " if count < shape.least else "at most "
        message = said(
            "the list{where} has {count: 1 # item | # items}: expected {wanted}{bound}",
            where=place_in_words(path),
            count=count,
            wanted=wanted,
            bound=bound,
        )
        yield Fault(
            FORM,
            message,
            node,
            shape.remedy or said("give {wanted}{bound}", wanted=wanted, bound=bound),
        )
    seen: set[str] = set()
    for number, item in enumerate(node.items, 1):
        yield from faults(item, shape.item, (*path, str(number)))
        if shape.unique and isinstance(item, Scalar):
            if item.text in seen:
                message = said(
                    "the list{where} names '{text}' twice",
                    where=place_in_words(path),
                    text=item.text,
                )
                yield Fault(FORM, message, node, "name each thing once")
            seen.add(item.text)


def _record(node: Node, shape: Record, path: Path) -> Iterator[Fault]:
    if not isinstance(node, Mapping):
        first = next(iter(shape.keys), None)
        example = f"{{{first}: {_form(shape.keys[first])}}}" if first else ""
        example = _form(shape) if shape.required else example
        remedy = said("write a mapping: {example}", example=example) if first else ""
        yield _kind(node, path, "a mapping", remedy)
        return
    given = {
        key.text: value
        for key, value in node.entries
        if key.text not in shape.keys
        and (shape.rest is None or (shape.pattern and not re.search(shape.pattern, key.text)))
    }
    strangers = [key for key, _ in node.entries if key.text in given]
    unknown = given.keys()
    for key in strangers[:MOST_FINDINGS]:
        yield _unknown_key(key, given[key.text], shape, path)
    for needed in shape.required:
        misspelt = nearest(needed, [key.text for key in strangers[:MOST_FINDINGS]])
        if misspelt is None and node.get(needed) is None:
            remedy = said("add '{needed}: {form}'", needed=needed, form=_form(shape.keys[needed]))
            if words := about(shape.keys[needed]):
                remedy += said(" ({about})", about=words.removeprefix(f"{needed}: "))
            yield Fault(
                shape.lacks,
                said("key '{needed}' is missing{where}", needed=needed, where=place_in_words(path)),
                node,
                remedy,
            )
    if len(node.entries) < shape.least and not shape.required:
        yield Fault(
            FORM,
            said("the mapping{where} is empty", where=place_in_words(path)),
            node,
            "leave the key out, or fill it",
        )
    for key, value in node.entries:
        inner = shape.keys.get(key.text) or (shape.rest if key.text not in unknown else None)
        if inner is not None:
            yield from faults(value, inner, (*path, key.text))


def _unknown_key(key: Scalar, value: Node, shape: Record, path: Path) -> Fault:
    if (reason := shape.refused.get(key.text)) is not None:
        return Fault(
            KEY,
            said("'{text}' cannot be given{where}", text=key.text, where=place_in_words(path)),
            key,
            reason,
        )
    turned = _turned_entry(key, value, shape)
    if shape.pattern and shape.key_remedy:
        message = said(
            "'{text}' cannot be a {noun}{where}",
            text=key.text,
            noun=shape.noun,
            where=place_in_words(path),
        )
        return Fault(shape.sort, message, key, turned or shape.key_remedy)
    known = turned or _hint(key.text, shape.hints) or shape.key_remedy
    return Fault(
        shape.sort,
        said(
            "unknown {noun} '{text}'{where}",
            noun=shape.noun,
            text=key.text,
            where=place_in_words(path),
        ),
        key,
        known or _suggestion(key.text, tuple(shape.keys), shape.hints),
        stray=None if known else value,
    )


def _hint(text: str, hints: Lookup[str, str]) -> str:
    """What helps with a word that is known to be wrong."""
    return hints.get(text) or hints.get(plain(text.replace("_", " ")), "")


def _suggestion(text: str, known: Items[str], hints: Lookup[str, str]) -> str:
    """What helps with another word: it may be a slip of one of those, too."""
    slip = nearest(plain(text), hints) if nearest(text, known) is None else None
    return hints[slip] if slip is not None else suggestion(text, known)


#: Of how many keys and values, one in another, other orders are tried.
_TURNED = 4


def _turned_entry(key: Scalar, value: Node, shape: Record) -> str:
    """How an entry is written whose keys and value would fit in another order."""
    parts, leaf = [key], value
    while isinstance(leaf, Mapping) and leaf.entries:
        inner, leaf = leaf.entries[0]
        parts.append(inner)
    if isinstance(leaf, Sequence) and leaf.items:
        leaf = leaf.items[0]
    if not isinstance(leaf, Scalar) or leaf.value is None or len(parts) >= _TURNED:
        return ""
    for *keys, last in permutations((*parts, leaf)):
        for listed in (False, True):
            if _takes(shape, keys, last, listed):
                written = f"[{last.text}]" if listed else last.text
                for number, one in enumerate(reversed(keys)):
                    written = f"{one.text}: {{{written}}}" if number else f"{one.text}: {written}"
                return said("it is written in another order: {written}", written=written)
    return ""


def _takes(shape: Shape, keys: Items[Scalar], last: Scalar, listed: bool) -> bool:
    """Whether a value, or the list of it, can stand under keys, each in that before."""
    if isinstance(shape, Either):
        return any(_takes(one, keys, last, listed) for one in shape.shapes)
    if not keys:
        inner = shape.item if listed and isinstance(shape, List) else shape
        alone = isinstance(inner, Number | Truth | Word)
        return isinstance(shape, List) == listed and alone and not any(faults(last, inner))
    if not isinstance(shape, Record):
        return False
    under = shape.keys.get(keys[0].text)
    if under is None and shape.pattern and re.search(shape.pattern, keys[0].text):
        under = shape.rest
    return under is not None and _takes(under, keys[1:], last, listed)


#: How many places are named where a key belongs.
_PLACES = 3


def _elsewhere(key: str, value: Node, whole: Shape) -> str:
    """Where in a file of the shape *whole* a key belongs that is not known where it stands."""
    places = list(_places(whole, key))
    fitting = [path for path, _, shape in places if not any(faults(value, shape))]
    fitting = fitting or [path for path, noun, shape in places if _meant(value, noun, shape)]
    if () in fitting:
        return "it belongs at the top of the file"
    depth = min(map(len, fitting), default=0)
    named = dict.fromkeys(f"'{'.'.join(path)}'" for path in fitting if len(path) == depth)
    shown = join_with_word(OR, list(named)[:_PLACES])
    return said("it belongs under {places}", places=shown) if named else ""


def _places(shape: Shape, key: str, path: Path = ()) -> Iterator[tuple[Path, str, Shape]]:
    """The places in a shape where a key is known, each with its noun and the shape of its value."""
    if isinstance(shape, Record):
        if key in shape.keys:
            yield path, shape.noun, shape.keys[key]
        seen: set[int] = set()  # many keys may have values of one shape
        for name, one in shape.keys.items():
            if id(one) not in seen:
                seen.add(id(one))
                yield from _places(one, key, (*path, name))
    elif isinstance(shape, List):
        yield from _places(shape.item, key, path)
    elif isinstance(shape, Either | Switch):
        several = shape.shapes if isinstance(shape, Either) else shape.shapes.values()
        for one in several:
            yield from _places(one, key, path)


def _meant(value: Node, noun: str, shape: Shape) -> bool:
    """Whether what does not fit may be meant as the value of a key called *noun* all the same."""
    if isinstance(value, Mapping):
        return isinstance(shape, Record) and any(key.text in shape.keys for key, _ in value.entries)
    return isinstance(value, Scalar) and value.value is not None and noun != "value"


def _switch(node: Node, shape: Switch, path: Path) -> Iterator[Fault]:
    word = node.get(shape.key) if isinstance(node, Mapping) else None
    inner = shape.shapes.get(word.text) if isinstance(word, Scalar) else None
    if inner is None:
        kinds = Word(words=tuple(shape.shapes), what=shape.what, hints=shape.hints)
        rest = Record(keys={shape.key: kinds}, required=(shape.key,), rest=Shape())
        return faults(node, rest, path)
    return faults(node, inner, path)


def _form(shape: Shape) -> str:
    """What a value must hold at least, as it is written."""
    if isinstance(shape, Either):
        return _form(shape.shapes[0])
    if isinstance(shape, List):
        return "[…]"
    if not isinstance(shape, Record) or not shape.required:
        return "{…}" if isinstance(shape, Record) else "…"
    return f"{{{', '.join(f'{key}: {_form(shape.keys[key])}' for key in shape.required)}}}"


def about(shape: Shape) -> str:
    """The description of a shape that may also be a list of such values."""
    if isinstance(shape, Either) and not shape.about:
        return about(shape.shapes[0])
    return shape.about


_CHECKS: dict[type[Shape], Callable[[Node, Any, Path], Iterator[Fault]]] = {
    Shape: _anything,
    Either: _either,
    Text: _text,
    Number: _number,
    Truth: _truth,
    Word: _word,
    List: _list,
    Record: _record,
    Switch: _switch,
}
