"""What a side sees of one piece or hex, wherever it is: the answers to `look`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from grognard.draw.panel import Worked
from grognard.draw.scene import Scene
from grognard.draw.tokens import Token
from grognard.files import short
from grognard.lexicon.names import NAME_FITS
from runtime.games.explanation import Line
from runtime.model import NONE, FieldSpec, TypeSpec
from runtime.spelling import plain, solid
from runtime.view import Unseen

#: What an author remarks of a field, or of a column of an enum: of its owner and name.
Remark: TypeAlias = Callable[[str, str], str]

#: How many pieces are listed when a text could mean several.
_LISTED = 12


def look(
    scene: Scene,
    data: dict[str, Any],
    text: str,
    worked: Worked | None = None,
    looks: Mapping[tuple[str, int], Token] | None = None,
) -> list[Line]:
    """Lines about the piece, hex or card that *text* names; *data* is what the side's view holds,
    *worked* works out calls, and may raise Unseen, *looks* are those of the pieces.

    A piece is found by its name, by what its counter says, or by a part of its name that no other
    has; a hex by its label or name.  A town and a piece of one name are both told.  What has a text
    of its own, such as a card, is found by its name or how that begins, or by its words, wherever
    it is.
    """
    pieces = pieces_found(scene, text, looks)
    h = scene.hex_named(text)
    if len(pieces) == 1:
        lines = about_piece(scene, data, *pieces[0], worked)
        return [*lines, *about_hex(scene, data, h, looks, worked)] if h >= 0 else lines
    if h >= 0:
        return about_hex(scene, data, h, looks, worked)
    if pieces:
        names = ", ".join(scene.setup.pieces[kind][i].name for kind, i in pieces[:_LISTED])
        count = len(pieces) - _LISTED
        more = scene.words(" and {count} more", count=count) if count > 0 else ""
        sentence = scene.words("'{text}' could mean: {names}", text=short(text), names=names)
        return [Line(sentence + more)]
    return texts_of(scene, text) or [
        Line(scene.words("there is no piece, hex or card '{text}'", text=short(text)))
    ]


def texts_of(scene: Scene, text: str) -> list[Line]:
    """The cards, and whatever else has a text of its own, that a text names in full, else by how
    their names, or words in them, begin; each with what it says, nothing where they are too many.
    """
    given = plain(text)
    texts = [
        (plain(scene.member(enum, index)), f"{scene.member(enum, index)}: {words}")
        for enum, members in scene.spec.enums.items()
        for index in range(len(members))
        if (words := scene.card_text(enum, index))
    ]
    exact = [line for name, line in texts if name == given]
    for fits in NAME_FITS[1:] if given else ():
        exact = exact or [line for name, line in texts if fits(name, given)]
    return list(map(Line, dict.fromkeys(exact))) if len(exact) <= _LISTED else []


def by_counter(
    scene: Scene, text: str, looks: Mapping[tuple[str, int], Token]
) -> list[tuple[str, int]]:
    """The pieces whose counters say a text; none where it is the name of a piece or hex."""
    given = plain(text)
    if scene.hex_named(text) >= 0 or any(
        given == plain(p.name) for ps in scene.setup.pieces.values() for p in ps
    ):
        return []
    wanted = solid(text)
    return [piece for piece, token in looks.items() if wanted and solid(token.label) == wanted]


def pieces_found(
    scene: Scene, text: str, looks: Mapping[tuple[str, int], Token] | None = None
) -> list[tuple[str, int]]:
    """The pieces that a text can mean: that of this name, else those whose counters say it
    (*looks*), else those that have its words in their names, in full or begun.
    """
    pieces = by_counter(scene, text, looks or {})
    return pieces if len(pieces) == 1 else scene.pieces_named(text)


def pieces_on(scene: Scene, data: dict[str, Any], h: int) -> Iterator[tuple[str, int]]:
    """The pieces that stand on a hex, by kind and number."""
    for kind in scene.spec.kinds:
        for index in range(len(scene.setup.pieces.get(kind, ()))):
            if scene.hex_of(data, kind, index) == h:
                yield kind, index


def place_of(
    scene: Scene,
    data: dict[str, Any],
    text: str,
    looks: Mapping[tuple[str, int], Token] | None = None,
) -> int:
    """The hex that a text names, or where the one piece stands that it names; NONE for none."""
    h = scene.hex_named(text)
    pieces = pieces_found(scene, text, looks) if h < 0 else []
    return scene.hex_of(data, *pieces[0]) if len(pieces) == 1 else h


def about_piece(
    scene: Scene,
    data: dict[str, Any],
    kind: str,
    index: int,
    worked: Worked | None = None,
    remark: Remark | None = None,
) -> list[Line]:
    """What a side sees of a piece: what the style names as worth telling, else all its fields; what
    has no text is called as its *remark* says.
    """
    name = scene.wording.called(scene.setup.pieces[kind][index].name)
    lines = [Line(f"{name}: {scene.describe(data, kind, index)}")]
    fields = scene.style.names("about", kind)
    if fields:
        parts = [
            part
            for path in fields
            for part in _entry(scene, data, kind, index, path, worked, remark)
        ]
        return [*lines, *(Line(part, 1) for part in parts)]
    for field in scene.spec.fields_of(kind):
        if not field.place:
            parts = _line(scene, field, data[field.slot][index], remark)
            lines += [Line(part, 1) for part in parts]
    return lines


def _entry(
    scene: Scene,
    data: dict[str, Any],
    kind: str,
    index: int,
    path: str,
    worked: Worked | None,
    remark: Remark | None,
) -> list[str]:
    """One of the things that the style names: a field, a column of one, or a call; left out where
    it says nothing.
    """
    first, _, rest = path.partition(".")
    kept = [f for f in scene.spec.fields_of(kind) if first in (f.name, f.base) and not f.options]
    if kept and not rest:
        return [line for f in kept for line in _line(scene, f, data[f.slot][index], remark)]
    field = next(iter(kept), None)
    if field is not None:
        member, column = data[field.slot][index], scene.spec.columns[f"{field.type.name}.{rest}"]
        if member is None or member < 0:
            return []
        type_, value = column.type, column.values[member]
        default = (remark(field.type.name, rest) if remark else "") or rest.replace("_", " ")
        name = scene.wording.text(f"value.{field.type.name}.{rest}", default=default)
    else:
        params = scene.spec.calls[path].params
        number = scene.setup.common_number(scene.spec.kinds_of(params[0].name), kind, index)
        return _of_call(scene, path, number, worked)
    return _named_value(scene, name, type_, value)


def _of_call(scene: Scene, path: str, number: int, worked: Worked | None) -> list[str]:
    """What a function, quantity or permission of a piece or hex says of it."""
    if worked is None:
        return []
    name = scene.wording.text(f"value.{path}", default=path.replace("_", " "))
    try:
        return _named_value(scene, name, scene.spec.calls[path].type, worked(path, (number,)))
    except Unseen:
        return [f"{name}: {scene.words('not seen')}"]


def _named_value(scene: Scene, name: str, type_: TypeSpec, value: int) -> list[str]:
    """A value with its name, left out where it says nothing."""
    if (type_.kind == "set" and not value) or (
        type_.kind not in ("bool", "int", "set") and value < 0
    ):
        return []
    return [f"{name}: {scene.with_text(type_, value)}"]


def about_hex(
    scene: Scene,
    data: dict[str, Any],
    h: int,
    looks: Mapping[tuple[str, int], Token] | None,
    worked: Worked | None = None,
) -> list[Line]:
    """What a side sees of a hex."""
    lines: list[str] = []
    fields = scene.style.names("about", "Hex")
    for field in scene.spec.fields_of("Hex"):
        if field.options or (fields and field.name not in fields and field.base not in fields):
            continue
        if field.type.kind == "int" and data[field.slot][h] == 0:  # no points, no fire
            continue
        lines += _line(scene, field, data[field.slot][h])
    for name in (name for name in fields if name in scene.spec.calls):
        lines += _of_call(scene, name, h, worked)
    joined = [n for n in scene.spec.board.neighbors[h] if n not in scene.spec.board.toward[h]]
    if joined:
        places = ", ".join(scene.wording.place(n) for n in joined)
        lines.append(scene.words("joined with {places}", places=places))
    picture = getattr(looks, "picture", None)
    for marker in picture.markers() if picture is not None else ():
        if marker.hex != h:
            continue
        owner = f" ({scene.side_name(marker.side)})" if marker.side >= 0 else ""
        lines.append(f"{marker.label}{owner}")
    for kind, index in pieces_on(scene, data, h):
        name = scene.wording.called(scene.setup.pieces[kind][index].name)
        lines.append(f"{name}: {scene.describe(data, kind, index)}")
    return [Line(scene.wording.place(h)), *(Line(line, 1) for line in lines)]


def _line(
    scene: Scene, field: FieldSpec, value: int | None, remark: Remark | None = None
) -> list[str]:
    """A field with its value, left out where it is what it always is in the beginning and says
    nothing.
    """
    if value is not None and not value and field.type.kind in ("bool", "set"):
        return []
    if value is not None and value == NONE and field.type.kind != "int":
        return []
    text = scene.words("not seen") if value is None else scene.with_text(field.type, value)
    return [f"{scene.field_name(field, remark(field.owner, field.base) if remark else '')}: {text}"]
