"""What a ruleset has texts for: the keys of its catalogues, with what their arguments are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler import ir
from compiler.trees import rules_of
from runtime.model import TypeSpec

#: The language that the others follow.
ENGLISH = "en"
#: Keys that every catalogue may have.
_ALWAYS = ("title", "none", "bool.yes", "bool.no")


@dataclass(frozen=True)
class RequiredText:
    """A text that players read: its key, and the types of its arguments (the fewest used)."""

    key: str
    arguments: tuple[TypeSpec, ...] = ()

    @property
    def name(self) -> str:
        """What the rules call it."""
        return self.key.partition(".")[2]


def possible(program: ir.Program) -> set[str]:
    """All keys that a catalogue may have."""
    keys = {*_ALWAYS, *(text.key for text in required_texts(program))}
    for enum, members in program.enums.items():
        for member in members:
            keys |= {f"{enum}.{member}", f"{enum}.{member}.text"}
    for name in (*program.switches, *program.scopes):
        keys |= {f"switch.{name}", f"scope.{name}"}
    keys |= {f"{f.owner}.{f.base}" for f in program.fields.values()}
    keys |= {f"effect.{name}" for name in program.effects}
    keys |= {f"pile.{name}" for name in program.piles}
    keys |= {f"piece.{kind}" for kind in program.kinds}
    keys |= {f"field.{f.base}" for f in program.fields.values()}
    keys |= {f"step.{procedure}.{name}" for procedure, name, _ in program.steps}
    keys |= {f"value.{name}" for name in program.calls}
    for call in program.calls.values():
        modifiers = _names(call)
        if call.kind != "function":
            rules = (rule.name for rule in rules_of(call.roots))
            keys |= {f"why.{name}" for name in (call.name, *rules, *modifiers)}
        if call.name == "standing":
            keys |= {f"worth.{name}" for name in modifiers}
    for decision in program.decisions:
        words = (decision.prompt, decision.passing, *(option.word for option in decision.options))
        keys |= {f"help.{word}" for word in words}
    keys |= {f"value.{enum}.{column}" for enum, column in program.columns}
    keys |= {f"value.{column.table}" for column in program.columns.values()}
    keys |= {f"value.{name}" for name in program.matrices}
    if "score" in program.calls:
        keys.add("score")
    return keys


def _names(call: ir.Callable) -> list[str]:
    """What the modifiers of a quantity are called."""
    return [m.name for stage in call.modifiers.values() for m in stage]


def text_inputs(program: ir.Program) -> list[object]:
    """What the texts of a program hang on: where that is equal, so is all that is found here."""
    calls = [
        (call.name, [rule.name for rule in rules_of(call.roots)], _names(call))
        for call in program.calls.values()
        if call.kind != "function"
    ]
    facts = (
        program.switches,
        program.scopes,
        program.effects,
        program.piles,
        program.columns,
        program.matrices,
    )
    names: tuple[Iterable[object], ...] = (*facts, program.fields, program.requirements)
    asked = [(d.prompt, d.about, d.options, d.passing) for d in program.decisions]
    told = (asked, program.notes, program.note_types, program.outcomes)
    steps = [(procedure, name) for procedure, name, _ in program.steps]
    said = (program.texts, program.enums, program.decks, program.kinds)
    return [*said, list(program.calls), *map(list, names), *told, steps, calls]


def terms(program: ir.Program) -> set[str]:
    """The keys of the terms that the catalogues explain: each has a name and a text."""
    given = {key for texts in program.texts.values() for key in texts}
    named = {key for key in given if key.startswith("term.") and f"{key}.text" in given}
    return named | {f"{key}.text" for key in named}


def numbering(program: ir.Program) -> dict[str, RequiredText]:
    """By key, the texts that make a name of the number of a piece that a set-up numbers."""
    number = (TypeSpec("int"),)
    named = ((enum, member) for enum, members in program.enums.items() for member in members)
    keys = (f"{enum}.{member}/name" for enum, member in named)
    return {key: RequiredText(key, number) for key in keys}


def required_texts(program: ir.Program) -> list[RequiredText]:
    """The texts of questions, options, passes, notes, outcomes and requirements, in order."""
    uses: list[RequiredText] = []
    for decision in program.decisions:
        uses.append(RequiredText(f"prompt.{decision.prompt}", decision.about))
        uses += [
            RequiredText(f"option.{option.word}", option.values) for option in decision.options
        ]
        if decision.passing is not None:
            uses.append(RequiredText(f"pass.{decision.passing}"))
    notes = zip(program.notes, program.note_types, strict=True)
    uses += [RequiredText(f"note.{name}", types) for name, types in notes]
    uses += [RequiredText(f"outcome.{name}", types) for name, types in program.outcomes]
    uses += [RequiredText(f"require.{name}") for name in program.requirements]
    texts: dict[str, RequiredText] = {}
    for use in uses:
        known = texts.get(use.key)
        if known is None or len(use.arguments) < len(known.arguments):
            texts[use.key] = use
    return list(texts.values())


def missing(program: ir.Program, language: str, besides: Iterable[str] = ()) -> list[RequiredText]:
    """The texts that the catalogue of *language* lacks.

    Of an enum that has some texts, those of its other members, too, and the names of all cards;
    what English has, other languages lack, and the keys *besides*, whose identifiers would be
    shown.
    """
    given = program.texts.get(language, {})
    lacking_texts = [] if "title" in given else [RequiredText("title")]
    lacking_texts += [text for text in required_texts(program) if text.key not in given]
    cards = {deck.enum for deck in program.decks.values()}
    for enum, members in program.enums.items():
        for end in ("", ".text"):
            keys = [f"{enum}.{member}{end}" for member in members]
            if (enum in cards and not end) or any(key in given for key in keys):
                lacking_texts += [RequiredText(key) for key in keys if key not in given]
    lacking = {text.key for text in lacking_texts}
    if language == ENGLISH:
        return lacking_texts
    english = program.texts.get(ENGLISH, {})
    shown = dict.fromkeys((*english, *besides))
    return lacking_texts + [
        RequiredText(key) for key in shown if key not in given and key not in lacking
    ]


def ambiguous_options(program: ir.Program) -> dict[str, str]:
    """The keys of options that a branch and a choice with other values share, with their name."""
    branches: dict[str, set[tuple[TypeSpec, ...]]] = {}
    choices: dict[str, set[tuple[TypeSpec, ...]]] = {}
    for decision in program.decisions:
        for option in decision.options:
            chosen = len(decision.options) == 1 and option.word == decision.prompt
            where = choices if chosen else branches
            where.setdefault(option.word, set()).add(option.values)
    both = branches.keys() & choices.keys()
    return {f"option.{word}": word for word in both if branches[word] != choices[word]}


def ambiguous_questions(program: ir.Program) -> set[str]:
    """The keys of questions that decisions with different numbers of arguments share."""
    counts: dict[str, set[int]] = {}
    for decision in program.decisions:
        counts.setdefault(f"prompt.{decision.prompt}", set()).add(len(decision.about))
    return {key for key, uses in counts.items() if len(uses) > 1}
