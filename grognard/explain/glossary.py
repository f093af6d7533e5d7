"""What the words of a game mean: its terms, what can be done, and when a piece can do what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grognard.explain.things import Entry
from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import words_of

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: The text of a term ends with the rules that it is from.
_CITED = re.compile(r"\s*\[([^\[\]]+)\]$")


def meanings(lexicon: Lexicon, explainer: Explainer, asked: str) -> list[Entry]:
    """What a term means, and what can be done, whose name is *asked*; nothing where there is no
    such.
    """
    typed = {words_of(asked), words_of(asked.removesuffix("s"))}
    text = lexicon.wording.text
    found = [
        Entry(called[0], _cited(explainer, text(f"term.{name}.text")))
        for name, called in _terms(lexicon)
        if any(words_of(one) in typed for one in called)
    ]
    for word in () if found else _acts(lexicon):
        about = text(f"help.{word}", default="")
        if about and words_of(head(lexicon, word)) in typed:
            found.append(Entry(head(lexicon, word), about))
    return list(dict.fromkeys(found))


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


def _cited(explainer: Explainer, text: str) -> str:
    """A text with the rules that it cites as the index of the game calls them: those of a base by
    what it is that they carry out.
    """
    found = _CITED.search(text)
    if found is None:
        return text
    rules: list[str] = []
    for rule in (one.strip() for one in found[1].split(",")):
        own = [name for name, entry in explainer.index.items() if rule in entry.by]
        rules += own[:2] or [rule]
    return f"{text[: found.start()]} [{', '.join(dict.fromkeys(rules))}]"
