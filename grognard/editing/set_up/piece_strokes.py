"""Strokes on pieces: in lists, in groups, in pools and on the drawing of a set-up.

What is written of one piece alone is divided off from what it shares an entry with, before and
behind it, so that all pieces keep their order and with it their names.
"""

from __future__ import annotations

from dataclasses import dataclass

from yaml.nodes import SequenceNode

from grognard.editing.set_up.painting import Drawing
from grognard.editing.set_up.sheet import Sheet, Words, yaml_of
from grognard.editing.set_up.yaml_text import Path, YamlText, flow_list, flowing, quoted_word
from runtime.data.reader import Scalar
from runtime.errors import ArgumentError
from runtime.model import NONE
from runtime.scenario.fields import (
    AT,
    COUNT,
    GAME,
    KIND,
    NAME,
    NONE_WORD,
    SIDE,
    other_owners,
    place_field,
    refers,
    set_fields,
    side_field,
    sort_field,
)
from runtime.scenario.names import Draft, slug
from runtime.words.said import said


@dataclass
class Pieces:
    """The pieces of a scenario that is written on."""

    sheet: Sheet

    @property
    def yaml(self) -> YamlText:
        """The text."""
        return self.sheet.yaml

    # ------------------------------------------------------------------ strokes

    def change(self, name: str, field: str, value: Words | None) -> None:
        """Give a piece a value, or take it out."""
        draft = self.sheet.draft(name)
        place, sort = (
            place_field(self.sheet.spec, draft.kind),
            sort_field(self.sheet.spec, draft.kind),
        )
        if field != NAME:
            self.sheet.field(draft.kind, field)
        if draft.grouped:
            if place is not None and field == place.name and isinstance(value, str):
                self._move_in_group(draft, value)
            elif sort is not None and field == sort.name:
                self.yaml.replace(self.sheet.path(draft.entry), _required_value(field, value))
            else:
                self._set(self._group_alone(draft), field, value)
            return
        path = self.sheet.path(draft.entry)
        if path[0] == "map":
            self._change_drawn(draft, field, value)
        elif draft.pool != NONE and place is not None and field == place.name:
            self._take_from_pool(path, draft, field, _required_value(field, value))
        elif len(path) > 3 and value is not None and path[3:-1] == self.sheet.steps(field):
            self.yaml.replace(path, yaml_of(value))
        else:
            self._set(path if len(path) == 3 else self._alone(path), field, value)

    def remove(self, name: str) -> None:
        """Take a piece out; of a pool one of those that are alike."""
        draft = self.sheet.draft(name)
        path = self.sheet.path(draft.entry)
        if path[0] == "map":
            self._redraw(draft, None)
        elif draft.grouped:
            self._out_of_group(path)
        elif draft.pool != NONE and self._count(path) > 1:
            self.yaml.replace((*path, COUNT), str(self._count(path) - 1))
        else:
            self.yaml.remove(path)

    def duplicate(self, name: str) -> None:
        """Put a piece like one behind it."""
        draft = self.sheet.draft(name)
        path = self.sheet.path(draft.entry)
        if path[0] == "map":
            self._redraw(draft, draft)
        elif draft.pool != NONE:
            self.yaml.replace((*path, COUNT), str(self._count(path) + 1))
        elif draft.grouped or len(path) > 3:
            node = self.yaml.node(path)
            assert node is not None
            word = self.yaml.source(node)
            if isinstance(path[-1], int):
                self.yaml.add(path[:-1], word, path[-1] + 1)
            else:
                self.yaml.replace(path, flow_list((word, word)))
        else:
            node = self.yaml.node(path)
            assert node is not None and isinstance(path[-1], int)
            self.yaml.add(path[:-1], self.yaml.source(node, [NAME]), path[-1] + 1)

    def place(self, kind: str, fields: dict[str, Words], name: str | None) -> None:
        """A new piece, behind the last of its side."""
        for field in fields:
            self.sheet.field(kind, field)
        there = self.yaml.children(("pieces", kind))
        if there and isinstance(there[0][0], str):
            self._place_in_group(kind, fields, name)
            return
        entry = self._entry(kind, fields, name)
        if not there:
            if self.yaml.node(("pieces", kind)) is not None:
                self.yaml.replace(("pieces", kind), flow_list((entry,)))
            else:
                self.sheet.give(("pieces", kind), f"\n    - {entry}")
            return
        side = side_field(self.sheet.spec, kind)
        word = str(fields.get(side.name, "")) if side is not None else ""
        same = [
            number
            for number, _ in there
            if side and self.yaml.word(("pieces", kind, number, side.name)) == word
        ]
        last = same[-1] if same else there[-1][0]
        assert isinstance(last, int)
        self.yaml.add(("pieces", kind), entry, last + 1)

    def follow(self, gone: str | None = None) -> None:
        """After a stroke, by which *gone* may have gone: who is named elsewhere in the scenario and
        is called otherwise by now, is named so, and nobody is named who has gone.
        """
        now = self.sheet.laid_now()
        if now is None:
            return
        old = [d for d in self.sheet.laid.drafts if d.name != gone]
        new = [*now.drafts]
        if len(new) > len(old):  # one has come: the first that is not as it was
            pairs = zip(old, new, strict=False)
            at = next((n for n, (a, b) in enumerate(pairs) if _look(a) != _look(b)), len(old))
            del new[at]
        named = {a.name: b.name for a, b in zip(old, new, strict=True) if a.name != b.name}
        for path in reversed(self._references() if named or gone else []):
            name = slug(self.yaml.word(path))
            if name == gone:
                self.yaml.remove(path)
            elif name in named:
                self.yaml.replace(path, quoted_word(named[name], True))

    def _references(self) -> list[Path]:
        """Where the values of fields stand that hold pieces."""
        spec = self.sheet.spec
        owners = {"game": (GAME,), "sides": (SIDE,), "fields": other_owners(spec)}
        owners["pieces"] = spec.kinds
        found = []
        for key, some in owners.items():
            fields = {f.base for one in some for f in set_fields(spec, one) if refers(f.type)}
            found += [p for p in self.yaml.scalars() if p[0] == key and fields & {*p[1:]}]
        return found

    # ------------------------------------------------------------------ entries

    def _entry(self, kind: str, fields: dict[str, Words], name: str | None) -> str:
        """An entry of a list: side, sort and place first, the name last."""
        spec = self.sheet.spec
        first = [f.name for f in (side_field(spec, kind), sort_field(spec, kind)) if f is not None]
        first += [f.name for f in (place_field(spec, kind),) if f is not None]
        order = [*dict.fromkeys((*first, *(f.name for f in set_fields(spec, kind))))]
        bases = [*dict.fromkeys(self.sheet.steps(f)[0] for f in order)]
        parts: dict[str, str | dict[str, str]] = {}
        for field in sorted(fields, key=lambda f: bases.index(self.sheet.steps(f)[0])):
            base, *member = self.sheet.steps(field)
            if member:
                inner = parts.setdefault(base, {})
                assert isinstance(inner, dict)
                inner[member[0]] = yaml_of(fields[field])
            else:
                parts[base] = yaml_of(fields[field])
        if name is not None:
            parts[NAME] = quoted_word(name, True)
        return flowing(
            (k, v if isinstance(v, str) else flowing(v.items())) for k, v in parts.items()
        )

    def _set(self, path: Path, field: str, value: Words | None) -> None:
        """Set or take out a field of an entry that is that of the piece alone."""
        steps = (NAME,) if field == NAME else self.sheet.steps(field)
        at = (*path, *steps)
        if value is not None:
            self.yaml.set(at, yaml_of(value, field == NAME))
        elif self.yaml.node(at) is not None:
            self.yaml.remove(at)

    def _count(self, path: Path) -> int:
        return int(float(self.yaml.word((*path, COUNT))))

    def _alone(self, path: Path) -> Path:
        """Divide an entry, of whose list *path* is an item, so that the item has its own."""
        entry, field, number = path[:3], path[3], path[-1]
        assert isinstance(number, int) and isinstance(entry[2], int)
        node = self.yaml.node(entry)
        items = [self.yaml.source(item) for _, item in self.yaml.children(path[:-1])]
        assert node is not None

        def with_(some: list[str]) -> str:
            parts = [(k.value, self.yaml.source(v)) for k, v in node.value]
            text = some[0] if len(some) == 1 else flow_list(some)
            return flowing((k, text if k == field else v) for k, v in parts)

        parts = [part for part in (items[:number], [items[number]], items[number + 1 :]) if part]
        at = 1 if number else 0
        rest = [with_(part) for part in parts[1:]]
        first = parts[0]
        self.yaml.replace(path[:-1], first[0] if len(first) == 1 else flow_list(first))
        for offset, text in enumerate(rest, 1):
            self.yaml.add(entry[:2], text, entry[2] + offset)
        return (*entry[:2], entry[2] + at)

    def _take_from_pool(self, path: Path, draft: Draft, field: str, value: str) -> None:
        """Take the last of a pool's pieces out of it, to another place."""
        count = self._count(path)
        if count == 1:
            self._set(path, field, value)
            return
        node, number = self.yaml.node(path), path[-1]
        assert node is not None and isinstance(number, int)
        parts = {k.value: self.yaml.source(v) for k, v in node.value if k.value != COUNT}
        parts[field] = yaml_of(value)
        if NAME in parts:
            last = [d.name for d in self.sheet.laid.drafts if d.entry is draft.entry][-1]
            parts[NAME] = quoted_word(last, True)
        self.yaml.add(path[:-1], flowing(parts.items()), number + 1)
        self.yaml.replace((*path, COUNT), str(count - 1))

    # ------------------------------------------------------------------ groups

    def _spot(self, path: Path) -> tuple[Path, str, int]:
        """The ``at`` that a piece of a group stands in, its hex there, and its number on it."""
        depth = next(n for n in range(3, len(path)) if path[n] == AT and n in (3, 4))
        number = path[depth + 2] if len(path) > depth + 2 else 0
        assert isinstance(number, int)
        return path[: depth + 1], str(path[depth + 1]), number

    def _out_of_group(self, path: Path) -> None:
        at, key, _ = self._spot(path)
        if len(self.yaml.children(at)) == 1 and len(self._sorts(at, key)) == 1:
            self.yaml.remove(at[:-1])
        else:
            self.yaml.remove(path)

    def _sorts(self, at: Path, key: str) -> list[str]:
        """What stands on a hex of a group."""
        node = self.yaml.node((*at, key))
        if node is None:
            return []
        items = [item for _, item in self.yaml.children((*at, key))] or [node]
        return [self.yaml.source(item) for item in items]

    def _put(self, at: Path, key: str, sorts: list[str], number: int | None = None) -> None:
        """Let sorts stand on a hex of a group."""
        text = sorts[0] if len(sorts) == 1 else flow_list(sorts)
        if self.yaml.node((*at, key)) is not None:
            self.yaml.replace((*at, key), text)
        else:
            self.yaml.add(at, f"{quoted_word(key)}: {text}", number)

    def _move_in_group(self, draft: Draft, to: str) -> None:
        """Move a piece within its group, if all other pieces remain who they are."""
        path = self.sheet.path(draft.entry)
        at, key, number = self._spot(path)
        if to == key:
            return
        before = self.yaml.text
        sorts, keys = self._sorts(at, key), [str(one) for one, _ in self.yaml.children(at)]
        word = sorts[number]
        if len(sorts) == 1 and to not in keys:
            self.yaml.rename((*at, key), quoted_word(to))
        else:
            if to in keys:
                self._put(at, to, [*self._sorts(at, to), word])
            else:
                self._put(at, to, [word], keys.index(key) + (number > 0))
            if len(sorts) == 1:
                self.yaml.remove((*at, key))
            else:
                self.yaml.remove(path)
        if not self._alike_but(draft, to):
            self.yaml.splice(0, len(self.yaml.text), before)
            alone = self._group_alone(draft)
            self.yaml.rename((*alone, AT, key), quoted_word(to))

    def _alike_but(self, draft: Draft, to: str) -> bool:
        """Whether all pieces are what they were, but for the place of one."""
        now, place = self.sheet.laid_now(), place_field(self.sheet.spec, draft.kind)
        assert place is not None
        wanted = {(d.kind, d.name): d.values for d in self.sheet.laid.drafts}
        moved = NONE if to == NONE_WORD else self.sheet.hex(to)
        wanted[draft.kind, draft.name] = {**draft.values, place.name: moved}
        return now is not None and wanted == {(d.kind, d.name): d.values for d in now.drafts}

    def _group_alone(self, draft: Draft) -> Path:
        """Divide a group so that a piece is in one of its own."""
        at, key, number = self._spot(self.sheet.path(draft.entry))
        pieces = [
            (str(one), word)
            for one, _ in self.yaml.children(at)
            for word in self._sorts(at, str(one))
        ]
        if len(pieces) == 1:
            return at[:-1]
        hexes = [one for one, _ in pieces]
        mine = hexes.index(key) + number
        parts = [pieces[:mine], [pieces[mine]], pieces[mine + 1 :]]
        group = at[:-1]
        node = self.yaml.node(group)
        assert node is not None
        common = [(k.value, self.yaml.source(v)) for k, v in node.value if k.value != AT]
        texts = [flowing([*common, (AT, _standing(part))]) for part in parts if part]
        if len(group) == 3:  # a group by itself becomes a list of such
            self.yaml.spread(group, texts)
            return (*group, 1 if mine else 0)
        assert isinstance(group[3], int)
        self.yaml.replace(group, texts[0])
        for offset, text in enumerate(texts[1:], 1):
            self.yaml.add(group[:3], text, group[3] + offset)
        return (*group[:3], group[3] + (1 if mine else 0))

    def _place_in_group(self, kind: str, fields: dict[str, Words], name: str | None) -> None:
        """A new piece in a group that has the same in common, or in a new one."""
        if name is not None:
            message = said("a piece of a group has no name of its own")
            remedy = said("a group says what its pieces have in common")
            raise ArgumentError(message, remedy)
        place, sort = place_field(self.sheet.spec, kind), sort_field(self.sheet.spec, kind)
        assert place is not None and sort is not None
        hex_, word = str(fields.get(place.name, NONE_WORD)), yaml_of(fields[sort.name])
        common = {k: v for k, v in fields.items() if k not in (place.name, sort.name)}
        for group in reversed([*self._groups(kind)]):
            keys = {str(k) for k, _ in self.yaml.children(group)} - {AT}
            shared = {k: self.yaml.word((*group, k)) for k in keys}
            if shared == {k: str(v) for k, v in common.items()}:
                at = (*group, AT)
                self._put(at, hex_, [*self._sorts(at, hex_), word])
                return
        known = [str(k) for k, _ in self.yaml.children(("pieces", kind))]
        label = next(n for n in ("New", *(f"New {k}" for k in range(2, 999))) if n not in known)
        entry = self._entry(kind, common, None)
        text = f"{entry[:-1]}{', ' if common else ''}{AT}: {_standing([(hex_, word)])}}}"
        self.yaml.add(("pieces", kind), f"{label}: {text}")

    def _groups(self, kind: str) -> list[Path]:
        found: list[Path] = []
        for name, node in self.yaml.children(("pieces", kind)):
            group: Path = ("pieces", kind, name)
            if isinstance(node, SequenceNode):
                found += [(*group, number) for number, _ in self.yaml.children(group)]
            else:
                found.append(group)
        return found

    # ------------------------------------------------------------------ the drawing

    def _symbol_of(self, draft: Draft) -> tuple[str, list[dict[str, str]], int]:
        """The hex of a piece that is drawn, what its symbol says, and which of that it is."""
        place = place_field(self.sheet.spec, draft.kind)
        assert place is not None and isinstance(draft.nodes[place.name], Scalar)
        label = self.sheet.spec.board.label(draft.values[place.name])
        drawing = Drawing(self.sheet)
        entries = drawing.entries(drawing.cell(draft.values[place.name])[2])
        here = [
            d
            for d in self.sheet.laid.drafts
            if d.entry is draft.entry and d.values.get(place.name) == draft.values[place.name]
        ]
        of_pieces = [n for n, one in enumerate(entries) if one.get(KIND) in self.sheet.spec.kinds]
        return label, entries, of_pieces[here.index(draft)]

    def _redraw(self, draft: Draft, another: Draft | None) -> None:
        """Take a piece out of the drawing, or draw *another* beside it."""
        label, entries, number = self._symbol_of(draft)
        entry = entries.pop(number)
        if another is not None:
            entries[number:number] = [entry, entry]
        Drawing(self.sheet).draw(label, entries)

    def _change_drawn(self, draft: Draft, field: str, value: Words | None) -> None:
        """Draw a piece elsewhere, or otherwise."""
        label, entries, number = self._symbol_of(draft)
        drawing, place = Drawing(self.sheet), place_field(self.sheet.spec, draft.kind)
        if place is None or field != place.name:
            if value is None:
                entries[number].pop(field, None)
            else:
                entries[number][field] = yaml_of(value, field == NAME)
            drawing.draw(label, entries)
            return
        entry = entries.pop(number)
        drawing.draw(label, entries)
        if value == NONE_WORD:
            words: dict[str, Words] = {k: v for k, v in entry.items() if k not in (KIND, NAME)}
            self.place(draft.kind, {**words, field: NONE_WORD}, entry.get(NAME))
            return
        symbol = drawing.cell(self.sheet.hex(str(value)))[2]
        there = [] if symbol == "." else drawing.entries(symbol)
        drawing.draw(str(value), [*there, entry])


def _look(draft: Draft) -> tuple[str, dict[str, int]]:
    return draft.kind, draft.values


def _required_value(field: str, value: Words | None) -> str:
    """A value that cannot be taken out."""
    if value is None:
        message = said("{field} cannot be left out", field=field)
        remedy = said("write '{none}', or remove the piece", none=NONE_WORD)
        raise ArgumentError(message, remedy)
    return yaml_of(value)


def _standing(pieces: list[tuple[str, str]]) -> str:
    """What stands where, as the ``at`` of a group."""
    sorts: dict[str, list[str]] = {}
    for key, word in pieces:
        sorts.setdefault(key, []).append(word)
    return flowing(
        (quoted_word(k), one[0] if len(one) == 1 else flow_list(one)) for k, one in sorts.items()
    )
