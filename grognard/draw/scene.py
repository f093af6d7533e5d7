"""A position as text: the board with its pieces, what each side has, the cards.

What is shown derives from the ruleset's fields alone: a piece shows its sort (its first fixed enum
that is no side) and its strength (its first number that does not begin with a constant); a hex the
members of its enums that are not the usual ones.  Only what a :class:`runtime.view.Sight` gives is
shown.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grognard.draw.areas import areas, unlabelled
from grognard.draw.colors import ansi
from grognard.draw.edges import edges as drawn_edges
from grognard.draw.edges import ways_out
from grognard.draw.figures import figures
from grognard.draw.keys import key_lines
from grognard.draw.markers import markers
from grognard.draw.picture import Picture, Token
from grognard.draw.piles import BEFORE_STRENGTH, Written, fitted, piled, tells_no_more
from grognard.draw.style import Style, StyleError
from grognard.draw.text import (
    CELL_LINES,
    CELL_WIDTH,
    LARGE,
    SIDES,
    Cell,
    draw_map,
    fitted_map,
    paint,
    side_style,
    width_of,
)
from grognard.lexicon.catalogue import Words, words_in
from runtime.bitsets import bits
from runtime.games.wording import Wording
from runtime.model import NONE, FieldSpec, RulesetSpec, TypeSpec
from runtime.scenario.fields import side_field, sort_field
from runtime.scenario.setup import SetUp
from runtime.spelling import plain
from runtime.state import StateBase
from runtime.view import Sight

_GENERATED = re.compile(r"(?:.*\.)?(\D*?)(\d+)\Z")
_PANEL = 30
#: No settings: plain looks.
PLAIN = Style()


def abbreviations(words: Iterable[str], length: int = 3, exact: bool = False) -> dict[str, str]:
    """A short form for each word; different words have different ones as far as can be.

    A word that is a letter longer stays as it is, unless the length is *exact*.
    """
    made: dict[str, str] = {}
    taken: set[str] = set()
    for word in words:
        bare = "".join(c for c in word if c.isalnum())
        options = (
            [bare[:length]]
            + [bare[: length - 1] + c for c in bare[length:]]
            + [bare[: length - 1] + d for d in "23456789"]
        )
        if len(bare) <= length + (not exact):
            options.insert(0, bare)
        short = next((o for o in options if o.casefold() not in taken), options[0])
        taken.add(short.casefold())
        made[word] = short
    return made


class Looks(dict[tuple[str, int], Token]):
    """What the style says of each piece of a position, by kind and number; *picture* is what it is
    from.
    """

    picture: Picture | None = None


@dataclass
class Scene:
    """Shows the positions of one game."""

    spec: RulesetSpec
    setup: SetUp
    wording: Wording
    style: Style = PLAIN
    #: what works out calls of the ruleset in a position; None: what they say of the board is left out
    value: Callable[[StateBase, str, Sequence[int]], int] | None = None

    @cached_property
    def words(self) -> Words:
        """The program's own words in the language of the game."""
        return words_in(self.wording.language)

    # ------------------------------------------------------------------ what there is to show

    def looks(self, seen: Sight, strict: bool = False) -> Looks:
        """What the style says of the board, and of each piece that the view shows, by kind and
        number; of no piece where it has no looks for them.

        Settings that only later positions use may turn out to be wrong: looks are plain from then
        on, but *strict* raises StyleError.
        """
        if not self.style.data:
            return Looks()
        try:
            picture = Picture(
                self.spec, self.setup, seen.state, self.style, seen, self.value, self.wording
            )
            placed, tray = picture.tokens()
        except StyleError:
            if strict:
                raise
            self.style = PLAIN
            return Looks()
        groups = (*placed.values(), *tray.values()) if self.style.part("pieces") else ()
        looks = Looks(((token.kind, token.index), token) for group in groups for token in group)
        looks.picture = picture
        return looks

    @cached_property
    def _sorts(self) -> dict[str, dict[str, str]]:
        """Per kind with a sort, the short forms of its members that occur."""
        made = {}
        for kind in self.spec.kinds:
            field = sort_field(self.spec, kind)
            if field is not None:
                members = self.spec.enums[field.type.name]
                used = {p.values.get(field.name, NONE) for p in self.setup.pieces.get(kind, ())}
                given = {
                    str(m): str(short)[:CELL_WIDTH]
                    for m, short in self.style.part("short", field.type.name).items()
                }
                plain = abbreviations(m for i, m in enumerate(members) if i in used)
                made[kind] = {m: given.get(m, short) for m, short in plain.items()}
        return made

    @cached_property
    def _places(self) -> dict[str, FieldSpec]:
        """Per kind, the field that says where its pieces stand."""
        fields = (
            (kind, f) for kind in self.spec.kinds for f in reversed(self.spec.fields_of(kind))
        )
        return {kind: f for kind, f in fields if f.place and f.type.kind == "hex"}

    def place_of(self, kind: str) -> FieldSpec | None:
        """The field that says where the pieces of a kind stand."""
        return self._places.get(kind)

    def strength_of(self, kind: str) -> FieldSpec | None:
        """The field that is shown as the strength of the pieces of a kind."""
        return next(
            (f for f in self.spec.fields_of(kind) if f.type.kind == "int" and f.initial is None),
            None,
        )

    @cached_property
    def grounds(self) -> list[FieldSpec]:
        """The fields of Hex that show: members that scenarios or boards give, of those that have
        looks.
        """
        styled = self.style.part("hexes")
        return [
            f
            for f in self.spec.fields_of("Hex")
            if (f.setup or f.values is not None)
            and f.type.kind == "enum"
            and f.type.name != "Side"
            and (f.name in styled if styled else f.name not in self.style.part("areas"))
        ]

    @cached_property
    def _ground_words(self) -> dict[str, dict[str, str]]:
        """By field of Hex and member, the short form of the ground in the language of the game."""
        made = {}
        for f in self.grounds:
            told = {
                member: self.member(f.type.name, index)
                for index, member in enumerate(self.spec.enums[f.type.name])
                if index != f.initial
            }
            short = abbreviations(told.values(), exact=True)
            made[f.name] = {member: short[text] for member, text in told.items()}
        return made

    def side_name(self, side: int) -> str:
        """How a side is called."""
        return self.wording.member("Side", side)

    def member(self, enum: str, index: int) -> str:
        """A member in words."""
        if enum == "Side":
            return self.side_name(index)
        return self.wording.text(f"{enum}.{self.spec.enums[enum][index]}")

    def short(self, data: dict[str, Any], kind: str, index: int) -> str:
        """The sort of a piece, or its name, in at most three letters; ``U?`` where the sort is not
        seen.
        """
        field = sort_field(self.spec, kind)
        piece = self.setup.pieces[kind][index]
        sort = data[field.slot][index] if field is not None else NONE
        if sort is None:
            return f"{kind[0]}?"
        if field is not None and sort >= 0:
            member = self.spec.enums[field.type.name][sort]
            return self._sorts[kind].get(member, member[:3])
        match = _GENERATED.match(piece.name)
        if match and match[1].casefold() == kind.casefold():
            return kind[0] + match[2][:2]
        return piece.name.rsplit(".", 1)[-1][:3]

    def describe(self, data: dict[str, Any], kind: str, index: int) -> str:
        """What a piece is, how strong, and where: *auxilia 4 at B3*."""
        return " ".join(filter(None, self.parts(data, kind, index)))

    def parts(self, data: dict[str, Any], kind: str, index: int) -> tuple[str, str, str]:
        """What a piece is, how strong, and where, as far as that is known and seen."""
        field = sort_field(self.spec, kind)
        sort = self.wording.text(f"piece.{kind}", default=kind.lower())
        if field is not None:
            value = data[field.slot][index]
            if value is not None:
                sort = self.member(field.type.name, value) if value >= 0 else ""
        strength = self.strength_of(kind)
        figure = str(data[strength.slot][index] or "") if strength is not None else ""
        place = self.place_of(kind)
        where = data[place.slot][index] if place is not None else None
        if where is None:
            return sort, figure, ""
        if where < 0:
            return sort, figure, self.words("off the board")
        return sort, figure, self.words("at {place}", place=self.wording.place(where))

    def hex_named(self, text: str) -> int:
        """The hex whose label or name a text is; NONE for none."""
        return self._hexes.get(plain(text), NONE)

    @cached_property
    def _hexes(self) -> dict[str, int]:
        """The hexes by what they are called."""
        board = self.spec.board
        found = {plain(label): h for h, label in enumerate(board.labels)}
        for h, name in board.names.items():
            found.setdefault(plain(name), h)
            found.setdefault(plain(self.wording.called(name)), h)
        return found

    def hex_of(self, data: dict[str, Any], kind: str, index: int) -> int:
        """Where a piece stands; NONE when nowhere or unknown."""
        place = self.place_of(kind)
        value = data[place.slot][index] if place is not None else NONE
        return NONE if value is None else int(value)

    def hexes_of(self, data: dict[str, Any], kind: str, index: int) -> list[int]:
        """Where a piece stands; of one whose kind has no places, such as a group, where its pieces
        stand.
        """
        if self.place_of(kind) is not None:
            h = self.hex_of(data, kind, index)
            return [h] if h >= 0 else []
        found = set()
        for other, pieces in self.setup.pieces.items():
            for field in self.spec.fields_of(other):
                if field.setup and (field.type.kind, field.type.name) == ("piece", kind):
                    own = data[field.slot]
                    found |= {
                        self.hex_of(data, other, i) for i in range(len(pieces)) if own[i] == index
                    }
        return sorted(found - {NONE})

    # ------------------------------------------------------------------ the board

    def board(
        self,
        data: dict[str, Any],
        marked: Collection[int] = (),
        color: bool = False,
        width: int | None = None,
        looks: Mapping[tuple[str, int], Token] | None = None,
        height: int | None = None,
    ) -> str:
        """The board with its pieces; hexes in *marked* stand out, as a mapping those of a highlight
        of the style in its way.  *looks* add figures, where pieces face, their marks, what runs
        along hexsides and who holds a place.
        """
        cell = self._cells(data, marked, color, looks)
        return draw_map(
            self.spec.board, cell, marked, color, width, height, self.words, self._hex_called
        )

    def within(
        self,
        data: dict[str, Any],
        marked: Collection[int],
        color: bool,
        looks: Mapping[tuple[str, int], Token],
        width: int,
        height: int,
    ) -> list[str]:
        """As much of the board as there is room for, around the marked hexes, else around the
        pieces.
        """
        focus = set(marked) or {
            self.hex_of(data, kind, i)
            for kind in self.spec.kinds
            for i in range(len(self.setup.pieces[kind]))
        }
        cell = self._cells(data, marked, color, looks)
        return fitted_map(
            self.spec.board,
            cell,
            focus - {NONE},
            color,
            width,
            height,
            self.words,
            self._hex_called,
        ).splitlines()

    def _cells(
        self,
        data: dict[str, Any],
        marked: Collection[int],
        color: bool,
        looks: Mapping[tuple[str, int], Token] | None,
    ) -> Callable[[int], Cell]:
        """What each hex shows."""
        lines = self._lines_by_hex(data, color, looks or {})
        picture = getattr(looks, "picture", None)
        edges = {} if picture is None else drawn_edges(picture)
        flags = {} if picture is None else dict(picture.flags())
        ways = {} if picture is None else ways_out(picture)
        found = [] if picture is None else areas(picture)
        named = {
            h: word for area in found for h, word in area.words(self.spec.board, lines).items()
        }
        plain = unlabelled(found)
        lights = self.style.part("highlights")
        lying: dict[int, list[str]] = {}
        figured = {} if picture is None else figures(picture)

        for marker in markers(picture) if picture is not None else ():
            lying.setdefault(marker.hex, []).append(marker.text)

        def cell(h: int) -> Cell:
            pieces = lines.get(h, [])
            here = piled(pieces)
            brief = pieces[0].line if pieces else ""
            sides = {side for _, side in here}
            side = sides.pop() if len(sides) == 1 else NONE
            style = [side_style(side)] if side >= 0 else []
            if not here and h in flags:
                here, style = self._held(h, flags[h], color), [f"flag{flags[h] % SIDES}"]
            if h in figured:
                here = here or [(self._brief(h), NONE)]
                here = [*here[: CELL_LINES - 1], (fitted(figured[h]), NONE)]
            if h in lying:
                here = here or [(self.spec.board.label(h), NONE)]
                here = [*here[: CELL_LINES - 1], ("".join(lying[h])[:CELL_WIDTH], NONE)]
            if not here and h in plain:
                here = [(named.get(h, " ")[:CELL_WIDTH], NONE)]
            if h in marked:
                style.append("mark")
            look = lights.get(marked[h], {}) if isinstance(marked, Mapping) and h in marked else {}
            lettered, tint, mini = self._grounds_at(data, h), "ground", ""
            grounds = [*lettered]
            if picture is not None:
                of_style = picture.ground(h)
                mini = str(of_style.get("sign", "")).strip()[:1].replace(".", "")
                grounds += [mini] if mini and mini not in lettered.values() else []
                tint = ansi(of_style["ink"]) if "ink" in of_style else tint
            return Cell(
                tuple(text for text, _ in here),
                " ".join(style),
                next(iter(grounds), ""),
                tint,
                tuple((side, sign, ansi(shade)) for side, sign, shade in edges.get(h, ())),
                tuple((side, ansi(shade)) for side, shade in ways.get(h, ())),
                look.get("sign", "*"),
                f"1;{ansi(look['color'])}" if "color" in look else "mark",
                brief,
                mini,
                grounds[1] if len(grounds) > 1 else "",
            )

        return cell

    def _hex_called(self, name: str) -> str:
        """A name of the board in the language of the game."""
        return self.wording.called(name) if name else ""

    def _held(self, h: int, side: int, color: bool) -> list[tuple[str, int]]:
        """The name of a place without pieces, with the sign of the side that holds it."""
        sign = "" if color else ")("[side] if len(self.spec.sides) == 2 else self.initials[side]
        return [(self._brief(h, CELL_WIDTH - len(sign)).casefold() + sign, side)]

    def _brief(self, h: int, room: int = CELL_WIDTH) -> str:
        """The name of a hex, else its label, in a few letters."""
        name = "".join(
            c for c in self._hex_called(self.spec.board.names.get(h, "")) if c.isprintable()
        )
        return (name or self.spec.board.label(h))[:room]

    def _lines_by_hex(
        self, data: dict[str, Any], color: bool, looks: Mapping[tuple[str, int], Token]
    ) -> dict[int, list[Written]]:
        """What is written for the pieces on each hex."""
        lines: dict[int, list[Written]] = {}
        for kind in self.spec.kinds:
            owner = side_field(self.spec, kind)
            strength = self.strength_of(kind)
            for index in range(len(self.setup.pieces.get(kind, ()))):
                at = self.hex_of(data, kind, index)
                if at < 0:
                    continue
                side = data[owner.slot][index] if owner is not None else NONE
                side = NONE if side is None else side
                number = data[strength.slot][index] if strength is not None else None
                figure = str(number) if number else ""
                token = looks.get((kind, index))
                if token is not None and token.figures:
                    figure = re.split(r"\D", token.figures.lstrip("[("))[0] or figure
                text = self._sided(self.short(data, kind, index).replace(" ", ""), side, color)
                signs = (
                    "".join(c for c in token.signs if c.isprintable()) if token is not None else ""
                )
                label = ""
                if token is not None and not tells_no_more(
                    token.label, self.short(data, kind, index)
                ):
                    label = "".join(c for c in token.label if c.isprintable() and c != " ")
                lines.setdefault(at, []).append(Written(text, figure, side, signs, label))
        return lines

    def _sided(self, text: str, side: int, color: bool) -> str:
        """The text of a piece, telling its side: of two the second has small letters; of more each
        has an initial, a capital.
        """
        if len(self.spec.sides) > 2 and side >= 0:
            return (self.initials[side] + text.lower())[:CELL_WIDTH]
        return (text.lower() if side == 1 and not color else text.upper())[:CELL_WIDTH]

    @cached_property
    def initials(self) -> tuple[str, ...]:
        """A letter for each side, different ones as far as can be."""
        taken: list[str] = []
        for i in range(len(self.spec.sides)):
            letters = [
                c.upper()
                for c in self.side_name(i).split()[-1]
                + self.spec.sides[i]
                + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                if c.isalpha()
            ]
            taken.append(next((c for c in letters if c not in taken), letters[0]))
        return tuple(taken)

    def _grounds_at(self, data: dict[str, Any], h: int) -> dict[str, str]:
        """The letters for the ground of a hex, each with the sign of its look."""
        found = {}
        for f in self.grounds:
            value = data[f.slot][h]
            if value is not None and value != f.initial and value >= 0:
                member = self.spec.enums[f.type.name][value]
                word = self._ground_words[f.name].get(member, "")[:3].lower()
                found[word] = self._sign("hexes", f.name, member)
        found.pop("", None)
        return found

    def _sign(self, *path: str) -> str:
        """The sign of a look."""
        return str(self.style.part(*path).get("sign", "")).strip()[:1]

    def legend(self, data: dict[str, Any], color: bool = False, width: int = 80) -> list[str]:
        """What the letters on the board mean."""
        items = []
        for kind, shorts in self._sorts.items():
            field = sort_field(self.spec, kind)
            assert field is not None
            items += [
                f"{short.upper().replace(' ', '')} {self.wording.text(f'{field.type.name}.{member}')}"
                for member, short in shorts.items()
            ]
        items += self._grounds_told(data)
        if any(
            self.strength_of(k) or self.style.part("pieces", k).get("figures") for k in self._sorts
        ):
            items.append(self.words("{sign}4 strength 4", sign=BEFORE_STRENGTH))
        sides = []
        for i in range(len(self.spec.sides)):
            name = self.side_name(i)
            if color:
                sides.append(paint(f" {name} ", side_style(i), color))
            elif len(self.spec.sides) > 2:
                sides.append(f"{name}: {self.initials[i]}…")
            else:
                letters = self.words("small letters") if i else self.words("CAPITALS")
                sides.append(f"{name}: {letters}")
        if self.spec.board.size > LARGE and color:
            items.append(self.words("+ more in the hex"))
        wrapped = textwrap.wrap(
            " · ".join(dict.fromkeys(items)), max(_PANEL, width), break_on_hyphens=False
        )
        row = "  ".join(sides)
        return [
            *([row] if width_of(row) <= width else sides),
            *(paint(line, "dim", color) for line in wrapped),
        ]

    def _grounds_told(self, data: dict[str, Any]) -> Iterator[str]:
        """What the letters of the ground mean, where a large board is sketched also the sign there."""
        sketched = self.spec.board.size > LARGE
        for field in self.grounds:
            used = set(data[field.slot]) - {None}
            for index, member in enumerate(self.spec.enums[field.type.name]):
                if index == field.initial or index not in used:
                    continue
                sign = self._sign("hexes", field.name, member) if sketched else ""
                short = self._ground_words[field.name][member].lower()
                yield f"{sign} {short} {self.member(field.type.name, index)}".strip()

    # ------------------------------------------------------------------ beside the board

    def in_words(self, type_: TypeSpec, value: int) -> str:
        """A value in the words of the catalogue."""
        if type_.kind == "set" and type_.of is not None:
            return ", ".join(self.in_words(type_.of, member) for member in bits(value)) or "–"
        if type_.kind == "bool":
            return self.words("yes") if value else self.words("no")
        if type_.kind == "int":
            return str(value)
        if value < 0:
            return "–"
        if type_.kind == "enum":
            return self.member(type_.name, value)
        if type_.kind == "hex":
            return self.spec.board.label(value)
        return self.wording.called(self.setup.pieces_of(self.spec.kinds_of(type_.name))[value].name)

    def field_name(self, field: FieldSpec) -> str:
        """How a field is called."""
        word = self.wording.text(f"field.{field.base}", default=_words(field.base))
        return word if field.per is None else f"{word} ({self.member(field.per, field.member)})"

    def hand(self, data: dict[str, Any], side: int) -> list[tuple[str, str]]:
        """The cards in the side's own piles: names and texts, equal ones once; behind the name of a
        card that does not lie in the first such pile of its deck, the hand, stands where it lies.
        """
        own = [p for p in self.spec.piles.values() if p.per == "Side" and p.visibility == "owner"]
        first = {pile.enum: pile for pile in reversed(own)}
        made = []
        for pile in own:
            cards = data[pile.slot][side]
            known = (
                [c for c in cards if c is not None and c >= 0] if isinstance(cards, list) else []
            )
            for card, count in sorted(Counter(known).items()):
                name = self.member(pile.enum, card) + (f" (×{count})" if count > 1 else "")
                if pile is not first[pile.enum]:
                    name += (
                        f" ({self.wording.text(f'pile.{pile.name}', default=_words(pile.name))})"
                    )
                made.append((name, self.card_text(pile.enum, card)))
        return made

    def card_text(self, enum: str, card: int) -> str:
        """What a card says."""
        return self.wording.text(f"{enum}.{self.spec.enums[enum][card]}.text", default="")

    # ------------------------------------------------------------------ all together

    def whole(
        self,
        data: dict[str, Any],
        panel: Sequence[str],
        marked: Collection[int],
        color: bool,
        width: int,
        looks: Mapping[tuple[str, int], Token] | None = None,
        height: int | None = None,
        legend: bool = True,
    ) -> str:
        """Board, panel and legend; beside each other where there is room."""
        board = self.board(data, marked, color, width, looks, height).split("\n")
        board += key_lines(self, marked, color, width, getattr(looks, "picture", None))
        wide = max(map(width_of, board), default=0)
        room = width - wide - 4
        # a row of a table that went on in the next line would be read as two
        torn = any(width_of(line) > room and "  " in line.strip() for line in panel)
        if room >= _PANEL and not torn:
            cut = [line for part in panel for line in _fold(part, room)] + [""]
            told = self.legend(data, color, room) if legend else []
            cut += [line for part in told for line in _fold(part, room)]
            if len(cut) <= len(board):
                cut += [""] * (len(board) - len(cut))
                return "\n".join(
                    (b + " " * (wide - width_of(b) + 4) + c).rstrip()
                    for b, c in zip(board, cut, strict=False)
                )
        return "\n".join([*board, "", *panel, *(self.legend(data, color, width) if legend else ())])


def _fold(line: str, width: int) -> list[str]:
    if width_of(line) <= width or "\x1b" in line:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) or [""]


def _words(name: str) -> str:
    return name.replace("_", " ")
