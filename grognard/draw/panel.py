"""What stands beside a board: the points, what each side has, the piles, what is in force.

``panel`` of a style says what is worth showing, and its order; without it the fields that are
numbers and members are shown, and no sets.  ``header`` says what of the game stands above every
question, ``track`` what comes in the next turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from grognard.draw.nameable import by_member, on_track
from grognard.draw.scene import Scene
from grognard.draw.text.canvas import paint
from runtime.model import NONE, ColumnSpec, FieldSpec, PileSpec, RulesetSpec, TypeSpec

#: What works out a call of the ruleset for the position shown.
Worked = Callable[[str, Sequence[int]], int]
#: How many members of a track are told where the style does not say.
_AHEAD: Final = 3
#: What stands between entries in one line.
_BETWEEN: Final = "   "
#: What each side has, name and a text for each side, and what else there is.
Content = tuple[list[tuple[str, list[str]]], list[str]]


@dataclass(frozen=True)
class PanelContent:
    """What is told of a position beside a picture: what stands above questions, what each side has
    (name, and a text for each side), and what else there is.
    """

    header: tuple[str, ...]
    sides: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    loose: tuple[str, ...]


@dataclass
class Panel:
    """What is shown of a position; *data* is what a view holds, *worked* works out calls (None:
    they are left out), *scores* are the points where they are known.
    """

    scene: Scene
    data: dict[str, Any]
    worked: Worked | None = None
    scores: Sequence[int] | None = None
    #: the pieces off the board, by side and the text of their group; pictures draw them
    tray: Callable[[], Mapping[tuple[int, str], Sequence[str]]] = dict

    def __post_init__(self) -> None:
        self.spec = self.scene.spec

    # ------------------------------------------------------------------ values

    @cached_property
    def _fields(self) -> dict[str, FieldSpec]:
        """The fields of Side and of Game, by owner and name."""
        owners = ("Side", "Game")
        return {f"{f.owner}.{f.name}": f for owner in owners for f in self.spec.fields_of(owner)}

    @cached_property
    def _by_member(self) -> dict[str, FieldSpec]:
        return by_member(self.spec)

    def of_game(self, name: str) -> str | None:
        """A field or call of the game in words; None where it says nothing."""
        field = self._fields.get(f"Game.{name}")
        if field is not None:
            return self._in_words(field.type, self.data[field.slot])
        if name in self._by_member:
            return self._of_members(self._by_member[name])
        call = self.spec.calls.get(name)
        if call is None or call.params or self.worked is None:
            return None
        return self._in_words(call.type, self.worked(name, ()))

    def _is_bool(self, name: str) -> bool:
        source = self._fields.get(f"Game.{name}") or self.spec.calls.get(name)
        return source is not None and source.type.kind == "bool"

    def _of_members(self, field: FieldSpec) -> str | None:
        """What each member of an enum has, where that is not zero and not none."""
        values = enumerate(self.data[field.slot][: len(self.spec.enums[field.owner])])
        empty = 0 if field.type.kind == "int" else NONE
        member, in_words = self.scene.member, self.scene.in_words
        parts = [
            f"{member(field.owner, i)} {'?' if v is None else in_words(field.type, v)}"
            for i, v in values
            if v != empty
        ]
        return f"{self.scene.field_name(field)}: {', '.join(parts)}" if parts else None

    def of_sides(self, name: str) -> list[str] | None:
        """A field, pile or call of each side in words; None where it says nothing of any, of piles
        that all are empty.
        """
        if name == "score":
            return None if self.scores is None else [str(n) for n in self.scores]
        count = len(self.spec.sides)
        field, pile = self._fields.get(f"Side.{name}"), self.spec.piles.get(name)
        call = self.spec.calls.get(name)
        if field is not None:
            texts = [self._in_words(field.type, v) for v in self.data[field.slot][:count]]
        elif pile is not None and pile.per == "Side":
            sizes = [size(v) for v in self.data[pile.slot][:count]]
            return [str(n) for n in sizes] if any(sizes) else None
        elif call is not None and call.params and self.worked is not None:
            texts = [self._in_words(call.type, self.worked(name, (i,))) for i in range(count)]
        else:
            return None
        return None if all(text is None for text in texts) else [text or "–" for text in texts]

    def _in_words(self, type_: TypeSpec, value: int | None) -> str | None:
        """A value in words; None where it says nothing."""
        if value is None:
            return "?"
        if type_.kind == "set" and not value:
            return None
        if value < 0 and (
            type_.kind in ("enum", "hex", "piece") or (type_.kind == "int" and type_.optional)
        ):
            return None
        return self.scene.in_words(type_, value)

    def _entry_name(self, name: str) -> str:
        """How an entry is called."""
        wording = self.scene.wording
        if name == "score":
            return wording.text("score", default=self.scene.words("points"))
        field = self._fields.get(f"Side.{name}") or self._fields.get(f"Game.{name}")
        if field is not None:
            return self.scene.field_name(field)
        return wording.text(f"{'pile' if name in self.spec.piles else 'value'}.{name}")

    # ------------------------------------------------------------------ lines

    def header(self) -> list[str]:
        """What stands above every question, as parts; of bools the names of those that hold."""
        parts = []
        for name in self.scene.style.names("header"):
            text = self.of_game(name)
            if self._is_bool(name):
                if text not in (None, self.scene.words("no")):
                    parts.append(self._entry_name(name) + (" ?" if text == "?" else ""))
            elif text is not None:
                number = text.removeprefix("-").isdecimal()
                parts.append(f"{self._entry_name(name)} {text}" if number else text)
        return parts

    def picture_content(self) -> PanelContent:
        """What a picture tells."""
        rows, loose = self.content()
        table = tuple((name, tuple(values)) for name, values in rows)
        return PanelContent(tuple(self.header()), tuple(self.scene.side_names), table, tuple(loose))

    def content(self) -> Content:
        """What each side has, and what else there is."""
        names = self.scene.style.names("panel")
        return self._content_of(names) if names else self._default_content()

    def lines(self, to_move: int, color: bool) -> list[str]:
        """The panel."""
        rows, loose = self.content()
        return [*self._table(rows, to_move, color), *loose]

    def brief(self, width: int) -> list[str]:
        """The panel in a line for each side, and what else there is packed into lines; what is too
        long is cut.
        """
        rows, loose = self.content()
        lines = [
            f"{side}: {' · '.join(f'{name} {values[i]}' for name, values in rows)}"
            for i, side in enumerate(self.scene.side_names if rows else ())
        ]
        packed = ""
        for text in loose:
            if packed and len(packed) + len(_BETWEEN) + len(text) > width:
                lines.append(packed)
                packed = ""
            packed += (_BETWEEN if packed else "") + text
        lines.append(packed)
        return [line if len(line) <= width else line[: width - 1] + "…" for line in lines if line]

    def _content_of(self, names: Sequence[str]) -> Content:
        """What has some names: of each side, and what else there is."""
        rows: list[tuple[str, list[str]]] = []
        loose = []
        for name in names:
            pile = self.spec.piles.get(name)
            sides = self.of_sides(name)
            if sides is not None:
                rows.append((self._entry_name(name), sides))
            elif pile is not None and pile.per is None:
                loose.append(self._pile(pile))
            elif name == "effects":
                loose += self._effects()
            elif name == "switches":
                loose += self._switches()
            elif name == "track":
                loose += self._tracks()
            elif name == "tray":
                loose += self._off_board()
            else:
                text = self.of_game(name)
                if text is not None:
                    loose.append(
                        text if name in self._by_member else f"{self._entry_name(name)}: {text}"
                    )
        return rows, loose

    def _default_content(self) -> Content:
        """What a ruleset without a style shows: points, numbers and members, piles, what is in
        force.
        """
        spec, count = self.spec, len(self.spec.sides)
        rows, loose = self._content_of(["score"])
        for field in spec.fields_of("Side"):
            if self._is_worth_showing(field, self.data[field.slot][:count]):
                rows += self._content_of([field.name])[0]
        for pile in spec.piles.values():
            content = self.data[pile.slot]
            if pile.per == "Side":
                rows.append((self._entry_name(pile.name), [str(size(v)) for v in content[:count]]))
            elif pile.per is None and not _is_aside(spec, pile, self.data):
                loose.append(self._pile(pile))
        for field in spec.fields_of("Game"):
            if field.type.name != "Side" and self._is_worth_showing(field, [self.data[field.slot]]):
                text = self.of_game(field.name)
                loose += [] if text is None else [f"{self._entry_name(field.name)}: {text}"]
        return rows, [*loose, *self._effects(), *self._switches()]

    def _is_worth_showing(self, field: FieldSpec, values: Sequence[int | None]) -> bool:
        """Whether a field that no style names is shown."""
        if field.type.kind not in ("int", "enum"):
            return False
        if field.owner == "Side" and field.type.name == "Side" and field.fixed:
            return False  # which side it is itself
        if field.lasts is not None and all(value == field.initial for value in values):
            return False  # what is under way has not come to it
        return field.type.kind == "enum" or field.required or field.setup or any(values)

    def _table(self, rows: list[tuple[str, list[str]]], to_move: int, color: bool) -> list[str]:
        """A column for each side."""
        if not rows:
            return []
        names = self.scene.side_names
        first = max(len(name) for name, _ in rows)
        wide = [
            max(len(name), *(len(values[i]) for _, values in rows)) for i, name in enumerate(names)
        ]
        heads = [
            paint(name.rjust(wide[i]), "1;4" if i == to_move else "1", color)
            for i, name in enumerate(names)
        ]
        lines = [" " * first + "  " + "  ".join(heads)]
        for name, values in rows:
            lines.append(
                name.ljust(first) + "  " + "  ".join(v.rjust(wide[i]) for i, v in enumerate(values))
            )
        return lines

    def _pile(self, pile: PileSpec) -> str:
        content = self.data[pile.slot]
        text = f"{self._entry_name(pile.name)}: {size(content)}"
        if isinstance(content, list) and content and content[-1] is not None and content[-1] >= 0:
            text += self.scene.words(", top {card}", card=self.scene.member(pile.enum, content[-1]))
        return text

    def _effects(self) -> list[str]:
        active = [e.name for e in self.spec.effects if self.data[e.slot]]
        if not active:
            return []
        names = ", ".join(self.scene.wording.text(f"effect.{name}") for name in active)
        return [self.scene.words("in force: {names}", names=names)]

    def _switches(self) -> list[str]:
        words, text = self.scene.words, self.scene.wording.text
        texts = [
            f"{text(f'switch.{name}')} {words('off') if default else words('on')}"
            for name, default in self.spec.switches.items()
            if bool(self.data[f"switch_{name}"]) != default
        ]
        return [words("switched: {names}", names=", ".join(texts))] if texts else []

    def _off_board(self) -> list[str]:
        """The pieces off the board, by side and group."""
        names = self.scene.side_names
        return [
            ": ".join(filter(None, (names[side] if side >= 0 else "", group, ", ".join(pieces))))
            for (side, group), pieces in self.tray().items()
        ]

    def _tracks(self) -> Iterator[str]:
        """What the places of a track bring, from that on which the game is."""
        for name, track in self.scene.style.part("track").items():
            place = self._fields[f"Game.{name}"]
            now = self.data[place.slot]
            if now is not None:
                ahead = int(track.get("ahead", _AHEAD))
                members = range(len(self.spec.enums[place.type.name]))
                for i in members[now : now + ahead + 1]:
                    brings = " · ".join(self._brings(place.type.name, i, track.get("show", ())))
                    yield ": ".join(filter(None, (self.scene.member(place.type.name, i), brings)))

    def _brings(self, enum: str, index: int, shown: Sequence[str]) -> Iterator[str]:
        """What a place of a track brings: what is no, 0 or none is left out."""
        sources = on_track(self.spec, enum)
        for name in shown:
            source = sources[name]
            word = self._entry_name(name)
            if isinstance(source, ColumnSpec):
                value: int | None = source.values[index]
                word = self.scene.wording.text(f"value.{enum}.{name}")
            elif isinstance(source, FieldSpec):
                value = self.data[source.slot][index]
                word = self.scene.field_name(source)
            elif self.worked is not None:
                value = self.worked(name, (index,))
            else:
                continue
            text = self._in_words(source.type, value)
            if source.type.kind == "bool":
                yield from [word] if value else []
            elif source.type.kind == "enum":
                yield from [text] if text is not None else []
            elif value and text is not None:
                yield f"{word} {text}"


def size(content: Any) -> int:
    """How many cards a pile holds."""
    return content if isinstance(content, int) else len(content)


def _is_aside(spec: RulesetSpec, pile: PileSpec, data: dict[str, Any]) -> bool:
    """Whether a pile is a place that cards only pass through, with none there now."""
    first = next(deck.piles[0] for deck in spec.decks if pile in deck.piles)
    return pile is not first and pile.visibility == "hidden" and size(data[pile.slot]) == 0
