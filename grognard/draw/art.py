"""Pictures of one's own: a folder with a map, counters and cards for a ruleset.

``docs/art.md`` tells what stands in it.  Pictures go into a drawing in place of what is drawn
otherwise; what changes in play is drawn over them.
"""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path
from typing import Final
from urllib.parse import quote

from grognard.draw.nameable import SLOT, path_of
from runtime.data.reader import Mapping as Tree
from runtime.data.reader import Node, Scalar, entries_of, items_of, parse, text_of
from runtime.errors import ArgumentError
from runtime.files import entries, read_bytes, read_text, unreadable
from runtime.model import RulesetSpec
from runtime.spelling import nearest
from runtime.words.said import said

FILE: Final = "art.yaml"
#: The folders of pictures by name.
COUNTERS, CARDS = "counters", "cards"
#: Pictures, by the ends of their names.
KINDS: Final = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
#: The most bytes that a picture may have.
LARGEST: Final = 32 << 20
_KEYS: Final = ("ruleset", "scenarios", "map", "hexes", "counters")
#: What of a triangle of hexes may be, in pixels: so far from a line.
_FLAT: Final = 8.0
#: A map that is so many times wider or higher than the board is a slip of the pen.
_STRETCHED: Final = 1.6

Pixel = tuple[float, float]
#: x and y of a picture become a x + c y + e, b x + d y + f.
Transform = tuple[float, float, float, float, float, float]


class ArtError(ArgumentError):
    """A folder of pictures cannot be used: where and why, and what can be done."""


@dataclass(frozen=True)
class Map:
    """The picture of a board: its file in the folder, how large it is, and where the middles of
    three hexes lie on it.
    """

    file: str
    width: int
    height: int
    hexes: tuple[tuple[str, Pixel], ...]
    #: where these are written
    line: int

    def transform(self, centers: Mapping[str, Pixel], where: str) -> Transform:
        """What puts the picture under a drawing, by the middles of hexes there.  ArtError."""
        for label, _ in self.hexes:
            if label not in centers:
                near = nearest(label, centers)
                raise ArtError(
                    said(
                        "{where}, line {line}: the board has no hex '{label}'",
                        where=where,
                        line=self.line,
                        label=label,
                    ),
                    said("did you mean '{near}'?", near=near)
                    if near
                    else "give labels of hexes of this board",
                )
        (x1, y1), (x2, y2), (x3, y3) = (at for _, at in self.hexes)
        (u1, v1), (u2, v2), (u3, v3) = (centers[label] for label, _ in self.hexes)
        area = (x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)

        def along(w1: float, w2: float, w3: float) -> tuple[float, float, float]:
            by_x = ((w2 - w1) * (y3 - y1) - (w3 - w1) * (y2 - y1)) / area
            by_y = ((w3 - w1) * (x2 - x1) - (w2 - w1) * (x3 - x1)) / area
            return by_x, by_y, w1 - by_x * x1 - by_y * y1

        if (u2 - u1) * (v3 - v1) == (u3 - u1) * (v2 - v1):
            raise self._wrong(where, "these three hexes lie in one line on the board")
        (a, c, e), (b, d, f) = along(u1, u2, u3), along(v1, v2, v3)
        if a * d - b * c < 0:
            raise self._wrong(where, "the map would be seen in a mirror")
        both, apart = hypot(a + d, b - c), hypot(a - d, b + c)  # of its two scales
        if both + apart > _STRETCHED * (both - apart):
            raise self._wrong(where, "the map would be pulled out of shape")
        return a, b, c, d, e, f

    def _wrong(self, where: str, message: str) -> ArtError:
        return ArtError(
            said("{where}, line {line}: {message}", where=where, line=self.line, message=message),
            "for three hexes far from each other, not in one line, write label: [x, y], "
            "in pixels from the upper left corner of the picture to the middle of the hex",
        )


@dataclass(frozen=True)
class Art:
    """A folder of pictures for a *ruleset*; of its *scenarios* where it names some.

    *counters* and *cards* are files by the names that they have without their ends; *templates*
    make, by kinds, the names of counters from the fields of a piece.  *base* is the address under
    which the folder is found; without one, pictures are put in where they are named.
    """

    folder: Path
    ruleset: str
    scenarios: tuple[str, ...] = ()
    map: Map | None = None
    counters: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    base: str = ""
    _held: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, folder: Path) -> Art:
        """What stands in a folder.  ArtError."""
        if not folder.is_dir():
            raise ArtError(
                said("there is no folder '{folder}'", folder=folder),
                "give the folder of your pictures",
            )
        where = f"{folder.name}/{FILE}"
        try:
            text = read_text(folder / FILE, within=folder)
        except (OSError, UnicodeDecodeError) as error:
            reason, remedy = unreadable(error)
            if isinstance(error, FileNotFoundError):
                remedy = "write it, with the line ruleset: NAME at the least (docs/art.md)"
            raise ArtError(
                said("{where} cannot be read: {reason}", where=where, reason=reason), remedy
            ) from None
        tree, wrong = parse(text, where)
        for first in wrong[:1]:
            raise ArtError(
                said(
                    "{where}, line {line}: {message}",
                    where=where,
                    line=first.line,
                    message=first.message,
                ),
                first.remedy,
            )
        if not isinstance(tree, Tree):
            raise ArtError(
                said("{where} holds no keys", where=where), "begin with ruleset: NAME (docs/art.md)"
            )
        for key, _ in tree.entries:
            if key.text not in _KEYS:
                near = nearest(key.text, _KEYS)
                raise ArtError(
                    said(
                        "{where}, line {line}: there is no key '{text}'",
                        where=where,
                        line=key.line,
                        text=key.text,
                    ),
                    said("did you mean '{near}'?", near=near)
                    if near
                    else said("keys: {keys}", keys=", ".join(_KEYS)),
                )
        if not text_of(tree.get("ruleset")):
            raise ArtError(
                said("{where} does not say for what its pictures are", where=where),
                "write ruleset: no_retreat",
            )
        named = tree.get("counters")
        if named is not None and not isinstance(named, Tree):
            raise ArtError(
                said(
                    "{where}, line {line}: the names of counters are given by kinds of pieces",
                    where=where,
                    line=named.line,
                ),
                'write counters: {Unit: "{type}-{steps}"}',
            )
        return cls(
            folder,
            text_of(tree.get("ruleset")),
            tuple(map(text_of, items_of(tree.get("scenarios")))),
            _map(folder, where, tree),
            _pictures(folder, COUNTERS),
            _pictures(folder, CARDS),
            {kind.text: (text_of(template), kind.line) for kind, template in entries_of(named)},
        )

    def with_base(self, base: str) -> Art:
        """The same, found under an address."""
        return replace(self, base=base)

    def fits(self, rulesets: Sequence[str], scenario: str) -> bool:
        """Whether these are pictures for a scenario of a ruleset and its bases."""
        return self.ruleset in rulesets and (not self.scenarios or scenario in self.scenarios)

    def check_names(self, spec: RulesetSpec) -> None:
        """Make sure that kinds and fields are those of the ruleset.  ArtError."""
        where = f"{self.folder.name}/{FILE}"
        for kind, (template, line) in self.templates.items():
            if kind not in spec.kinds:
                raise ArtError(
                    said(
                        "{where}, line {line}: there is no kind of pieces '{kind}'",
                        where=where,
                        line=line,
                        kind=kind,
                    ),
                    said("kinds: {kinds}", kinds=", ".join(spec.kinds)),
                )
            for slot in SLOT.finditer(template):
                wrong = "" if slot[1] == "name" else path_of(spec, kind, slot[1])
                if isinstance(wrong, str) and wrong:
                    raise ArtError(
                        said("{where}, line {line}: {wrong}", where=where, line=line, wrong=wrong),
                        said("write fields of {kind} in braces, {type}, or {name}", kind=kind),
                    )

    def transform(self, centers: Mapping[str, Pixel]) -> Transform | None:
        """What puts the map under a drawing; None without a map.  ArtError."""
        where = f"{self.folder.name}/{FILE}"
        return None if self.map is None else self.map.transform(centers, where)

    def address(self, file: str) -> str:
        """Where a picture is found.  ArtError."""
        if self.base:
            return f"{self.base}/{quote(file)}"
        if file not in self._held:
            content, kind = _content(self.folder, file), KINDS[Path(file).suffix.lower()]
            self._held[file] = f"data:{kind};base64,{b64encode(content).decode('ascii')}"
        return self._held[file]

    @property
    def files(self) -> frozenset[str]:
        """All files that may be asked for."""
        own = () if self.map is None else (self.map.file,)
        return frozenset((*own, *self.counters.values(), *self.cards.values()))

    def content(self, file: str) -> tuple[bytes, str]:
        """A picture and its media type.  ArtError."""
        if file not in self.files:
            raise ArtError(
                said("there is no picture '{file}' in {name}", file=file, name=self.folder.name)
            )
        return _content(self.folder, file), KINDS[Path(file).suffix.lower()]


def _map(folder: Path, where: str, tree: Tree) -> Map | None:
    """The picture of the board.  ArtError."""
    given, hexes = text_of(tree.get("map")), tree.get("hexes")
    found = [path.name for path in entries(folder, *KINDS) if path.stem == "map"]
    file = given or next(iter(found), "")
    if not file:
        if hexes is not None:
            raise ArtError(
                said(
                    "{where}, line {line}: hexes are given, but there is no map",
                    where=where,
                    line=hexes.line,
                ),
                said("put map.png beside {file}, or name it: map: FILE", file=FILE),
            )
        return None
    if "/" in file or Path(file).suffix.lower() not in KINDS:
        raise ArtError(
            said("{where}: '{file}' is no picture in this folder", where=where, file=file),
            said("names end in {kinds}", kinds=", ".join(KINDS)),
        )
    width, height = _size(folder, file)
    line = 1 if hexes is None else hexes.line
    made = Map(file, width, height, tuple(_hexes(hexes)), line)
    if len(made.hexes) != 3:
        raise made._wrong(where, f"three hexes say where the map lies, here are {len(made.hexes)}")
    for label, (x, y) in made.hexes:
        if not (-width <= x <= 2 * width and -height <= y <= 2 * height):
            size = f"{width} × {height}"
            raise made._wrong(where, f"hex '{label}' is far beside the picture, which has {size}")
    (x1, y1), (x2, y2), (x3, y3) = (at for _, at in made.hexes)
    area = abs((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1))
    longest = max(hypot(x2 - x1, y2 - y1), hypot(x3 - x1, y3 - y1), hypot(x3 - x2, y3 - y2))
    if area < _FLAT * max(longest, 1.0):
        raise made._wrong(where, "these three places lie in one line on the picture")
    return made


def _hexes(node: Node | None) -> list[tuple[str, Pixel]]:
    """The hexes whose places are numbers."""
    hexes = []
    for label, place in entries_of(node):
        values = [one.value for one in items_of(place) if isinstance(one, Scalar)]
        numbers = [float(v) for v in values if isinstance(v, int | float)]
        if len(numbers) == len(values) == 2:
            hexes.append((label.text, (numbers[0], numbers[1])))
    return hexes


def _pictures(folder: Path, part: str) -> dict[str, str]:
    """The pictures of a part of the folder, by their names.  ArtError."""
    found: dict[str, str] = {}
    for path in entries(folder / part, *KINDS, *(end.upper() for end in KINDS)):
        file = f"{part}/{path.name}"
        if path.stem in found:
            raise ArtError(
                said(
                    "{name}: {found} and {file} have one name",
                    name=folder.name,
                    found=found[path.stem],
                    file=file,
                ),
                "remove one of them",
            )
        _size(folder, file)
        found[path.stem] = file
    return found


def _content(folder: Path, file: str) -> bytes:
    """A picture.  ArtError."""
    try:
        return read_bytes(folder / file, LARGEST, within=folder)
    except OSError as error:
        reason, remedy = unreadable(error)
        raise ArtError(
            said(
                "{name}/{file} cannot be read: {reason}", name=folder.name, file=file, reason=reason
            ),
            remedy,
        ) from None


def _size(folder: Path, file: str) -> tuple[int, int]:
    """How wide and high a picture is.  ArtError where it is none."""
    content = _content(folder, file)
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) > 24:
        kind, (width, height) = ".png", struct.unpack(">II", content[16:24])
    else:
        kind, (width, height) = ".jpg", _jpeg_size(content)
    if not width or not height:
        raise ArtError(
            said("{name}/{file} is neither PNG nor JPEG", name=folder.name, file=file),
            "save it in one of these formats",
        )
    if KINDS[kind] != KINDS[Path(file).suffix.lower()]:
        raise ArtError(
            said(
                "{name}/{file} is {kinds}, not what its name says",
                name=folder.name,
                file=file,
                kinds=KINDS[kind],
            ),
            said("let its name end in {kind}", kind=kind),
        )
    return width, height


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """How wide and high a JPEG is; zeros where it is none."""
    if content[:2] != b"\xff\xd8":
        return 0, 0
    place = 2
    while place + 9 < len(content) and content[place] == 0xFF:
        marker, (length,) = content[place + 1], struct.unpack(">H", content[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[place + 5 : place + 9])
            return width, height
        place += 1 if marker == 0xFF else 2 + length
    return 0, 0


def identifier(file: str) -> str:
    """A name for a picture within a drawing."""
    return "art-" + re.sub(r"[^A-Za-z0-9]", lambda found: f"_{ord(found[0]):x}_", file)
