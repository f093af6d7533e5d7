"""What a thing does that the ruleset names: a kind of ground or units, a card, what is drawn on the
map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grognard.draw.scene import Scene
from grognard.lexicon.catalogue import ENGLISH
from grognard.table.inspection import names_in, with_text
from runtime.model import NONE, FieldSpec
from runtime.spelling import plain

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer
    from grognard.explain.mentions import Known, Mention, Value

#: How many things of one name are told.
_TOLD = 3
#: How many rule IDs stand behind one statement, and how many at the end.
_CITED, _ALSO = 3, 8
#: How many reasons why something is not possible, and how many chapters of the rulebook.
_REASONS, _TOPICS = 5, 4


@dataclass(frozen=True, slots=True)
class Thing:
    """A member of an enumeration, by its number; or, of *owner* ``Hex``, a field of hexes, by its
    name.
    """

    owner: str
    member: int
    field: str = ""


def things(scene: Scene, text: str) -> Iterator[list[Thing]]:
    """The things that a text names, the likeliest reading first: in full, by how their names begin,
    by a word in them.
    """
    known = [(names, thing) for thing, names in _all(scene)]
    given = plain(text)
    for asked in (given, given.removesuffix("s")):
        for fits in names_in:
            found = [thing for names, thing in known if any(fits(name, asked) for name in names)]
            if asked and found:
                yield found


def in_full(scene: Scene, text: str) -> bool:
    """Whether a text is what a thing is called, and no hex or piece."""
    given = plain(text)
    if scene.hex_named(text) >= 0 or not any(given in names for _, names in _all(scene)):
        return False
    pieces = (piece.name for pieces in scene.setup.pieces.values() for piece in pieces)
    return all(
        given not in (plain(p), plain(p.rpartition(".")[2]), plain(scene.wording.called(p)))
        for p in pieces
    )


def told(scene: Scene, explainer: Explainer, text: str) -> list[str]:
    """What a text names, and what that does; nothing where it names nothing, or too much."""
    for found in things(scene, text):
        answers = [_answer(scene, explainer, thing) for thing in found[: 4 * _TOLD]]
        answers = [lines for lines in answers if lines]
        if len(answers) > _TOLD:
            return []
        if answers:
            return [line for lines in answers for line in lines]
    return []


def of_hex(scene: Scene, explainer: Explainer, data: dict[str, Any], h: int) -> list[str]:
    """What the ground of a hex does, and what else is drawn in it."""
    shown = scene.style.names("about", "Hex")
    lines: list[str] = []
    for field in scene.spec.fields_of("Hex"):
        value = data[field.slot][h]
        if (shown and field.name not in shown) or value is None:
            continue
        if (
            field.type.kind == "enum"
            and value not in (NONE, field.initial)
            and field.type.name != "Side"
        ):
            lines += _answer(scene, explainer, Thing(field.type.name, value))
        elif _drawn(scene, field) and value:
            lines += _answer(scene, explainer, Thing("Hex", NONE, field.base))
    return lines


def _drawn(scene: Scene, field: FieldSpec) -> bool:
    """Whether a field of Hex is a thing on the map: something there, along hexsides, or with a
    label.
    """
    of = field.type.of
    sides = field.type.kind == "set" and of is not None and of.kind == "hex"
    labeled = field.type.kind == "int" and bool(_labels(scene, field))
    return (field.setup or field.values is not None) and (
        field.type.kind == "bool" or sides or labeled
    )


def _labels(scene: Scene, field: FieldSpec) -> list[str]:
    """How the map calls what a field of Hex draws."""
    looks = [scene.style.part("hexsides", field.base)]
    looks += [
        look for look in scene.style.part("hexes", field.base).values() if isinstance(look, dict)
    ]
    return list(
        dict.fromkeys(scene.wording.called(str(look["label"])) for look in looks if "label" in look)
    )


def _all(scene: Scene) -> Iterator[tuple[Thing, set[str]]]:
    """All that has a name, with what it is called."""
    for enum, members in scene.spec.enums.items():
        if enum != "Side":
            for index, member in enumerate(members):
                names = (member.replace("_", " "), scene.member(enum, index))
                yield Thing(enum, index), {plain(name) for name in names}
    for field in scene.spec.fields_of("Hex"):
        if _drawn(scene, field):
            called = {field.base.replace("_", " "), scene.field_name(field), *_labels(scene, field)}
            yield Thing("Hex", NONE, field.base), {plain(name) for name in called}


# ---------------------------------------------------------------------- one thing


def _answer(scene: Scene, explainer: Explainer, thing: Thing) -> list[str]:
    """A thing's name and text, and below it what it does; nothing where nothing is to tell."""
    if thing.owner == "Hex":
        field = next(f for f in scene.spec.fields_of("Hex") if f.base == thing.field)
        name = ", ".join(_labels(scene, field)) or scene.field_name(field)
        text = ""
        known = explainer.mark(thing.field)
    else:
        name, text = (
            scene.member(thing.owner, thing.member),
            scene.card_text(thing.owner, thing.member),
        )
        known = explainer.member(thing.owner, thing.member)
    told = _Told(scene)
    for column, value in _values(scene, known, thing):
        told.say(f"{column}: {with_text(scene, value.type, value.value)}", value.rules)
    refusing = [m for m in known.mentions if m.op == "deny"]
    for mention in known.mentions:
        if mention.op != "deny":
            told.say(_of_quantity(scene, explainer, mention), mention.rules)
    reasons = "; ".join(
        list(dict.fromkeys(filter(None, (_why(scene, explainer, m) for m in refusing))))[:_REASONS]
    )
    why_not = scene.words("reasons why not: {reasons}", reasons=reasons) if reasons else ""
    told.say(why_not, [rule for mention in refusing for rule in mention.rules])
    lines = told.lines(explainer)
    return [f"{name}: {text}" if text else name, *lines] if text or lines else []


class _Told:
    """What is told of a thing, with the rules that are cited for it."""

    def __init__(self, scene: Scene) -> None:
        self._words = scene.words
        self._lines: list[str] = []
        self._cited: list[str] = []
        self._rest: list[str] = []

    def say(self, text: str, rules: Sequence[str]) -> None:
        """Tell a statement; where there are no words for it, only by which rules."""
        if text:
            ids = list(dict.fromkeys(rules))
            self._lines.append(f"  {text} [{_some(ids, _CITED)}]" if ids else f"  {text}")
            self._cited += rules
        else:
            self._rest += rules

    def lines(self, explainer: Explainer) -> list[str]:
        """The statements, the rules that are left, and the chapters of the rulebook."""
        lines = list(self._lines)
        rest = [rule for rule in dict.fromkeys(self._rest) if rule not in self._cited]
        if rest:
            lines.append(
                "  " + self._words("rules that name it: {rules}", rules=_some(rest, _ALSO))
            )
        topics = explainer.topics([*self._cited, *rest]) if self._words.language == ENGLISH else ()
        if topics:
            lines.append(
                "  " + self._words("in the rulebook: {topics}", topics="; ".join(topics[:_TOPICS]))
            )
        return list(dict.fromkeys(lines))


def _values(scene: Scene, known: Known, thing: Thing) -> Iterator[tuple[str, Value]]:
    """What tables hold, with the names of their columns: those that have a text; where none has
    one, and the thing has no text of its own, all.
    """
    keys = {value.column: f"value.{thing.owner}.{value.column}" for value in known.values}
    names = {column: scene.wording.text(key, default="") for column, key in keys.items()}
    if (
        not any(names.values())
        and thing.owner != "Hex"
        and not scene.card_text(thing.owner, thing.member)
    ):
        names = {column: column.replace("_", " ") for column in names}
    for value in known.values:
        if names[value.column] and _telling(value):
            yield names[value.column], value


def _telling(value: Value) -> bool:
    """Whether a value says something: where there is a usual one, that it is another."""
    if value.usual is not None:
        return value.value != value.usual
    return value.value >= 0 if value.type.kind == "enum" else value.value > 0


def _of_quantity(scene: Scene, explainer: Explainer, mention: Mention) -> str:
    """What a rule makes of a quantity, in a player's words; nothing where there are none."""
    name, why = (
        scene.wording.text(f"value.{mention.call}", default=""),
        _why(scene, explainer, mention),
    )
    if not name or not mention.op:
        return f"{name}: {why}" if name and why else why
    amount = f"{mention.amount:+d}" if mention.op == "by" else str(mention.amount)
    if mention.op == "most":
        amount = scene.words("at most {amount}", amount=amount)
    elif mention.op == "least":
        amount = scene.words("at least {amount}", amount=amount)
    return f"{name}: {amount}" + (f" ({why})" if why else "")


def _why(scene: Scene, explainer: Explainer, mention: Mention) -> str:
    """Why: the text ``why.<rule>``; in English else the label of a rule that is in no rulebook."""
    known = any(rule in explainer.index for rule in mention.rules)
    default = "" if known or scene.wording.language != ENGLISH else mention.label.replace("_", " ")
    return scene.wording.text(f"why.{mention.label}", default=default)


def _some(rules: Sequence[str], count: int) -> str:
    return ", ".join(rules[:count]) + (" …" if len(rules) > count else "")
