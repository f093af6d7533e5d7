"""A position in characters: the board, what its signs mean, and what stands beside it."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grognard.draw.colors import ansi
from grognard.draw.edges import edge_legend
from grognard.draw.highlights import lights
from grognard.draw.scene import Looks, Scene
from grognard.draw.text.canvas import SIDES, paint, side_style, width_of
from grognard.draw.text.cell import BEFORE_STRENGTH
from grognard.draw.text.cells import Cells
from grognard.draw.text.maps import LARGE, Map
from runtime.model import NONE
from runtime.scenario.fields import sort_field

#: How wide the panel is at least.
_PANEL = 30


@dataclass
class TextBoard:
    """A position of a *scene* in characters; *data* is what somebody sees of it.

    *looks* add figures, where pieces face, their marks, what runs along hexsides and who holds a
    place.  Hexes in *marked* stand out, as a mapping those of a highlight of the style in its way.
    """

    scene: Scene
    data: Mapping[str, Any]
    looks: Looks = field(default_factory=Looks)
    marked: Collection[int] = ()
    color: bool = False

    @cached_property
    def map(self) -> Map:
        """The board with its pieces."""
        scene = self.scene
        cells = Cells(scene, self.data, self.looks, self.marked, self.color)
        return Map(scene.spec.board, cells, self.color, scene.words, scene.wording.display_name)

    def board(self, width: int | None = None, height: int | None = None) -> str:
        """The board, as can best be read."""
        return self.map.readable(self.marked, width, height)

    def lines_within(self, width: int, height: int) -> list[str]:
        """As much of the board as there is room for, around the marked hexes, else around the
        pieces.
        """
        scene = self.scene
        focus = set(self.marked) or {
            scene.hex_of(self.data, kind, i)
            for kind in scene.spec.kinds
            for i in range(len(scene.setup.pieces[kind]))
        }
        return self.map.fit(focus - {NONE}, width, height).splitlines()

    def whole(
        self, panel: Sequence[str], width: int, height: int | None = None, legend: bool = True
    ) -> str:
        """Board, panel and legend; beside each other where there is room."""
        board = [*self.board(width, height).split("\n"), *self.signs(width)]
        wide = max(map(width_of, board), default=0)
        room = width - wide - 4
        # a row of a table that went on in the next line would be read as two
        torn = any(width_of(line) > room and "  " in line.strip() for line in panel)
        if room >= _PANEL and not torn:
            texts = [*panel, "", *(self.legend(room) if legend else ())]
            beside = [line for text in texts for line in _fold(text, room)]
            if len(beside) <= len(board):
                beside += [""] * (len(board) - len(beside))
                return "\n".join(
                    (line + " " * (wide - width_of(line) + 4) + other).rstrip()
                    for line, other in zip(board, beside, strict=True)
                )
        return "\n".join([*board, "", *panel, *(self.legend(width) if legend else ())])

    # ------------------------------------------------------------------ what the signs mean

    def signs(self, width: int) -> list[str]:
        """The signs along hexsides, those of the marked hexes and of the marks on pieces, with what
        they stand for, in lines of at most *width* characters.
        """
        lines = [""]
        for item in self._signs():
            if lines[-1] and width_of(lines[-1]) + width_of(item) + 3 > width:
                lines.append("")
            lines[-1:] = _wrap_item(lines[-1] + (" · " if lines[-1] else "") + item, width)
        return [line for line in lines if line]

    def _signs(self) -> Iterator[str]:
        scene, color, picture = self.scene, self.color, self.looks.picture
        if picture is not None:
            for sign, text, shade in edge_legend(picture):
                yield paint("───" if color else sign, ansi(shade), color) + f" {text}"
            if scene.style.data.get("flags"):
                names = [
                    paint(name, f"flag{i % SIDES}", True) if color else f"{sign} {name}"
                    for i, (name, sign) in enumerate(
                        zip(scene.side_names, scene.flag_signs, strict=True)
                    )
                ]
                yield scene.words("held by {names}", names=", ".join(names))
            for sign, text, shade in picture.sign_legend({f.name for f in scene.grounds}):
                yield f"{paint(sign, ansi(shade), color)} {text}"
        marked = set(self.marked.values()) if isinstance(self.marked, Mapping) else {""}
        marked = marked if self.marked else set()
        for name, light in lights(scene).items():
            if name in marked:
                shade = f"1;{ansi(light.color)}" if name else "mark"
                yield f"{paint(light.sign, shade, color)} {light.label}"
        if picture is not None:
            lying = [(m.text, m.label, m.color or "gold") for m in picture.markers()]
            for sign, text, shade in dict.fromkeys([*picture.mark_legend(), *lying]):
                yield f"{paint(sign, f'1;{ansi(shade)}', color)} {text}"

    def legend(self, width: int = 80) -> list[str]:
        """What the letters on the board mean."""
        scene, spec = self.scene, self.scene.spec
        items = []
        for kind, shorts in scene.sorts.items():
            field = sort_field(spec, kind)
            assert field is not None
            for member, short in shorts.items():
                name = scene.wording.text(f"{field.type.name}.{member}")
                items.append(f"{short.upper().replace(' ', '')} {name}")
        items += self._grounds()
        if any(scene.strength_of(kind) or self._has_figures(kind) for kind in scene.sorts):
            items.append(scene.words("{sign}4 strength 4", sign=BEFORE_STRENGTH))
        if spec.board.size > LARGE and self.color:
            items.append(scene.words("+ more in the hex"))
        lines = textwrap.wrap(
            " · ".join(dict.fromkeys(items)), max(_PANEL, width), break_on_hyphens=False
        )
        told = enumerate(scene.side_names if self.color or spec.kinds else ())
        sides = [self._side(side, name) for side, name in told]
        row = "  ".join(sides)
        return [
            *([row] if sides and width_of(row) <= width else sides),
            *(paint(line, "dim", self.color) for line in lines),
        ]

    def _has_figures(self, kind: str) -> bool:
        return bool(self.scene.style.part("pieces", kind).get("figures"))

    def _side(self, side: int, name: str) -> str:
        """How the pieces of a side can be told."""
        words = self.scene.words
        if self.color:
            return paint(f" {name} ", side_style(side), True)
        if len(self.scene.spec.sides) > 2:
            return f"{name}: {self.scene.initials[side]}…"
        return f"{name}: {words('small letters') if side else words('CAPITALS')}"

    def _grounds(self) -> Iterator[str]:
        """What the letters of the ground mean, where a large board is sketched also the sign."""
        scene = self.scene
        sketched = scene.spec.board.size > LARGE
        for f in scene.grounds:
            used = set(self.data[f.slot])
            for index, member in enumerate(scene.spec.enums[f.type.name]):
                if index != f.initial and index in used:
                    sign = scene.ground_sign(f, member) if sketched else ""
                    short = scene.ground_words[f.name][member].lower()
                    yield f"{sign} {short} {scene.member(f.type.name, index)}".strip()


def _wrap_item(item: str, width: int) -> list[str]:
    """An item in lines of at most *width* characters, colours apart, as far as its words let it."""
    lines = [""]
    for word in item.split(" "):
        if lines[-1].strip() and width_of(lines[-1]) + 1 + width_of(word) > width:
            lines.append("  " + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _fold(line: str, width: int) -> list[str]:
    if width_of(line) <= width or "\x1b" in line:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) or [""]
