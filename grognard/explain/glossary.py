"""What the words of a game mean: its terms, what can be done and when, and what a thing does that
the ruleset names: a kind of ground or units, a card, what is drawn on the map.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grognard.lexicon.catalogue import ENGLISH
from grognard.lexicon.names import NAME_FITS, Lexicon
from grognard.lexicon.typed import words_of
from runtime.model import NONE, FieldSpec
from runtime.spelling import plain

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer
    from grognard.explain.mentions import Mention, ThingFacts, Value

#: How many things of one name are told.
_MOST = 3
#: How many reasons why something is not possible.
_REASONS = 5
#: The text of a term ends with the rules that it is from.
_CITED = re.compile(r"\s*\[([^\[\]]+)\]$")


@dataclass(frozen=True, slots=True)
class Thing:
    """A member of an enumeration, by its number; or, of *owner* ``Hex``, a field of hexes, by its
    name.
    """

    owner: str
    member: int
    field: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is so, and the rules by which it is."""

    text: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be told under a *name*: its *text*, what the rules make of it, the *others* that
    name it, and the *topics* of the rulebook that all these stand in.
    """

    name: str
    text: str = ""
    statements: tuple[Statement, ...] = ()
    others: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


def things(lexicon: Lexicon, text: str) -> Iterator[list[Thing]]:
    """The things that a text names, the likeliest reading first: in full, by how their names begin,
    by a word in them.
    """
    known = list(_things(lexicon))
    typed = plain(text)
    for asked in (typed, typed.removesuffix("s")):
        for fits in NAME_FITS:
            matching = [thing for thing, names in known if any(fits(name, asked) for name in names)]
            if asked and matching:
                yield matching


def in_full(lexicon: Lexicon, text: str) -> bool:
    """Whether a text is what a thing is called, and no hex or piece."""
    typed = plain(text)
    if lexicon.hex_named(text) >= 0 or not any(typed in names for _, names in _things(lexicon)):
        return False
    return all(
        typed not in map(plain, lexicon.piece_names(kind, index))
        for kind, pieces in lexicon.setup.pieces.items()
        for index in range(len(pieces))
    )


def entries(lexicon: Lexicon, explainer: Explainer, text: str) -> list[Entry]:
    """What a text names, and what that does; nothing where it names nothing, or too much."""
    for named in things(lexicon, text):
        described = (entry_of(lexicon, explainer, thing) for thing in named[: 4 * _MOST])
        entries = [entry for entry in described if entry is not None]
        if entries:
            return entries if len(entries) <= _MOST else []
    return []


def of_hex(
    lexicon: Lexicon,
    explainer: Explainer,
    data: Mapping[str, Any],
    h: int,
    shown: Collection[str] = (),
) -> list[Entry]:
    """What the ground of a hex does, and what else is drawn in it; of the fields *shown*, or of
    all.
    """
    grounds = []
    for field in lexicon.spec.fields_of("Hex"):
        value, type_ = data[field.slot][h], field.type
        if (shown and field.name not in shown) or value is None:
            continue
        if type_.kind == "enum" and type_.name != "Side" and value not in (NONE, field.initial):
            grounds.append(entry_of(lexicon, explainer, Thing(type_.name, value)))
        elif _is_on_map(lexicon, field) and value:
            grounds.append(entry_of(lexicon, explainer, Thing("Hex", NONE, field.base)))
    return [entry for entry in grounds if entry is not None]


def _is_on_map(lexicon: Lexicon, field: FieldSpec) -> bool:
    """Whether a field of Hex is a thing on the map: something there, along hexsides, or with a
    label.
    """
    if not field.setup and field.values is None:
        return False
    type_, of = field.type, field.type.of
    sides = type_.kind == "set" and of is not None and of.kind == "hex"
    return type_.kind == "bool" or sides or (type_.kind == "int" and bool(lexicon.labels(field)))


def _things(lexicon: Lexicon) -> Iterator[tuple[Thing, set[str]]]:
    """All that has a name, with what it is called."""
    for enum, members in lexicon.spec.enums.items():
        if enum != "Side":
            for index, member in enumerate(members):
                names = {member.replace("_", " "), lexicon.member(enum, index)}
                yield Thing(enum, index), set(map(plain, names))
    for field in lexicon.spec.fields_of("Hex"):
        if _is_on_map(lexicon, field):
            names = {field.base.replace("_", " "), lexicon.field_name(field)}
            names.update(lexicon.labels(field))
            yield Thing("Hex", NONE, field.base), set(map(plain, names))


# ---------------------------------------------------------------------- one thing


def entry_of(
    lexicon: Lexicon, explainer: Explainer, thing: Thing, values: bool = True
) -> Entry | None:
    """A thing's name and text, and what it does; None where nothing is to tell.  Without *values*
    nothing that stands in tables.
    """
    if thing.owner == "Hex":
        field = next(f for f in lexicon.spec.fields_of("Hex") if f.base == thing.field)
        name, text = ", ".join(lexicon.labels(field)) or lexicon.field_name(field), ""
        known = explainer.mark(thing.field)
    else:
        name = lexicon.member(thing.owner, thing.member)
        text = lexicon.card_text(thing.owner, thing.member)
        known = explainer.member(thing.owner, thing.member)
    english = lexicon.words.language == ENGLISH
    statements = [Statement(known.remark if english else "", known.rules)]
    statements += [
        Statement(f"{column}: {lexicon.with_text(value.type, value.value)}", value.rules)
        for column, value in (_values(lexicon, known, thing, text) if values else ())
    ]
    refusing = [m for m in known.mentions if m.op == "deny"]
    statements += [
        Statement(_of_quantity(lexicon, explainer, m), m.rules)
        for m in known.mentions
        if m.op != "deny"
    ]
    reasons = dict.fromkeys(filter(None, (_reason_text(lexicon, explainer, m) for m in refusing)))
    why_not = "; ".join(list(reasons)[:_REASONS])
    if why_not:
        why_not = lexicon.words("reasons why not: {reasons}", reasons=why_not)
    statements.append(Statement(why_not, tuple(rule for m in refusing for rule in m.rules)))
    worded = tuple(dict.fromkeys(one for one in statements if one.text))
    cited = dict.fromkeys(rule for one in worded for rule in one.rules)
    bare = dict.fromkeys(rule for one in statements if not one.text for rule in one.rules)
    others = tuple(rule for rule in bare if rule not in cited)
    if not (text or worded or others):
        return None
    topics = explainer.topics([*cited, *others]) if english else ()
    return Entry(name, text, worded, others, tuple(topics))


def _values(
    lexicon: Lexicon, known: ThingFacts, thing: Thing, text: str
) -> Iterator[tuple[str, Value]]:
    """What tables hold, with the names of their columns: those that have a text; where none has
    one, and the thing has no *text* of its own, all.
    """
    english = lexicon.words.language == ENGLISH
    for named in (True, False):
        pairs = []
        for value in known.values:
            default = "" if named else value.column.replace("_", " ")
            default = (value.remark if english else "") or default
            key = f"value.{thing.owner}.{value.column}"
            pairs.append((lexicon.wording.text(key, default=default), value))
        if any(name for name, _ in pairs) or text or thing.owner == "Hex":
            break
    yield from ((name, value) for name, value in pairs if name and _telling(value))


def _telling(value: Value) -> bool:
    """Whether a value says something: where there is a usual one, that it is another."""
    if value.usual is not None:
        return value.value != value.usual
    return value.value >= 0 if value.type.kind == "enum" else value.value > 0


def _of_quantity(lexicon: Lexicon, explainer: Explainer, mention: Mention) -> str:
    """What a rule makes of a quantity, in a player's words; nothing where there are none."""
    name = lexicon.wording.text(f"value.{mention.call}", default="")
    why = _reason_text(lexicon, explainer, mention)
    if not name or not mention.op:
        return f"{name}: {why}" if name and why else why
    amount = f"{mention.amount:+d}" if mention.op == "by" else str(mention.amount)
    if mention.op == "most":
        amount = lexicon.words("at most {amount}", amount=amount)
    elif mention.op == "least":
        amount = lexicon.words("at least {amount}", amount=amount)
    return f"{name}: {amount}" + (f" ({why})" if why else "")


def _reason_text(lexicon: Lexicon, explainer: Explainer, mention: Mention) -> str:
    """Why: the text ``why.<rule>``; in English else the label of a rule that is in no rulebook."""
    known = any(rule in explainer.index for rule in mention.rules)
    english = lexicon.wording.language == ENGLISH
    default = "" if known or not english else mention.label.replace("_", " ")
    return lexicon.wording.text(f"why.{mention.label}", default=default)


# ---------------------------------------------------------------------- terms and acts


def meanings(lexicon: Lexicon, explainer: Explainer, asked: str) -> list[Entry]:
    """What a term means, and what can be done, whose name is *asked*; nothing where there is no
    such.
    """
    typed = {words_of(asked), words_of(asked.removesuffix("s"))}
    text = lexicon.wording.text
    terms = [
        Entry(called[0], _with_index_names(explainer, text(f"term.{name}.text")))
        for name, called in _terms(lexicon)
        if any(words_of(one) in typed for one in called)
    ]
    for word in () if terms else _acts(lexicon):
        about = text(f"help.{word}", default="")
        if about and words_of(head(lexicon, word)) in typed:
            terms.append(Entry(head(lexicon, word), about))
    return list(dict.fromkeys(terms))


def later(
    lexicon: Lexicon, explainer: Explainer, path: Sequence[tuple[str, str]], kind: str
) -> list[tuple[str, list[str]]]:
    """The steps in which a piece of a kind may be asked to do something, with what that is called,
    behind the innermost of *path* (procedure and step) with anything for it.
    """
    for procedure, step in reversed(path):
        steps: list[tuple[str, list[str]]] = []
        known: set[str] = set()
        for name, decisions in explainer.coming(procedure, step):
            words = [
                option.word
                for decision in decisions
                for option in decision.options
                if option.value is not None and option.value.kind == "piece"
                if kind in lexicon.spec.kinds_of(option.value.name) and decision.menu
                if option.word not in known
            ]
            known.update(words)
            called = lexicon.wording.text(f"step.{procedure}.{name}", default="")
            heads = dict.fromkeys(filter(None, (head(lexicon, word) for word in words)))
            if called and words:
                steps.append((called, list(heads)))
        if steps:
            return steps
    return []


def head(lexicon: Lexicon, word: str) -> str:
    """What an option is called without its values."""
    text = lexicon.wording.text(f"option.{word}", default="")
    return " ".join(re.sub(r"\{[^{}]*\}", " ", text).split())


def without_head(lexicon: Lexicon, words: tuple[str, ...]) -> tuple[str, ...]:
    """Words behind what some option of the game is called: *move 4th* is *4th*."""
    heads = {words_of(head(lexicon, word)) for word in _acts(lexicon)} - {()}
    fitting = (len(one) for one in heads if words_of(" ".join(words[: len(one)])) == one)
    return words[max(fitting, default=0) :] or words


def _terms(lexicon: Lexicon) -> Iterator[tuple[str, list[str]]]:
    """The terms of the game with what they are called."""
    for key in lexicon.spec.texts.get("en", {}):
        kind, _, name = key.partition(".")
        if kind == "term" and "." not in name:
            yield name, [one.strip() for one in lexicon.wording.text(key).split("|")]


def _acts(lexicon: Lexicon) -> list[str]:
    """The words of all options."""
    decisions = lexicon.spec.decisions
    return list(dict.fromkeys(o.word for decision in decisions for o in decision.options))


def _with_index_names(explainer: Explainer, text: str) -> str:
    """A text with the rules that it cites as the index of the game calls them: those of a base by
    what it is that they carry out.
    """
    match = _CITED.search(text)
    if match is None:
        return text
    rules: list[str] = []
    for rule in (one.strip() for one in match[1].split(",")):
        own = [name for name, entry in explainer.index.items() if rule in entry.by]
        rules += own[:2] or [rule]
    return f"{text[: match.start()]} [{', '.join(dict.fromkeys(rules))}]"
