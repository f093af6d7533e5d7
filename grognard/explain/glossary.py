"""What the words of a game mean: its terms, what can be done, and when a piece can do what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grognard.draw.scene import Scene
from grognard.lexicon.typed import words_of
from runtime.model import RulesetSpec

if TYPE_CHECKING:
    from grognard.explain.explainer import Explainer

#: How many of the things are told that a piece may do in a step.
_HEADS = 4
#: The text of a term ends with the rules that it is from.
_CITED = re.compile(r"\s*\[([^\[\]]+)\]$")


def told_of(scene: Scene, explainer: Explainer, asked: str) -> list[str]:
    """What a term means, and what can be done, whose name is *asked*; nothing where there is no
    such.
    """
    given = {words_of(asked), words_of(asked.removesuffix("s"))}
    lines = []
    for name, called in _terms(scene):
        if any(words_of(one) in given for one in called):
            lines.append(
                f"{called[0]}: {_cited(explainer, scene.wording.text(f'term.{name}.text'))}"
            )
    for word in _acts(scene.spec) if not lines else ():
        text = scene.wording.text(f"help.{word}", default="")
        if text and words_of(head(scene, word)) in given:
            lines.append(f"{head(scene, word)}: {text}")
    return list(dict.fromkeys(lines))


def later(scene: Scene, explainer: Explainer, path: Sequence[tuple[str, str]], kind: str) -> str:
    """What a piece of a kind may be asked to do in the steps behind the innermost of *path*
    (procedure and step) with anything for it: *Movement (move)*; nothing where there is none.
    """
    for procedure, step in reversed(path):
        told: list[str] = []
        known: set[str] = set()
        for name, decisions in explainer.coming(procedure, step):
            words = [
                option.word
                for decision in decisions
                for option in decision.options
                if option.value is not None and option.value.kind == "piece"
                if kind in scene.spec.kinds_of(option.value.name) and decision.menu
                if option.word not in known
            ]
            known.update(words)
            word = scene.wording.text(f"step.{procedure}.{name}", default="")
            heads = list(dict.fromkeys(filter(None, (head(scene, one) for one in words))))
            if word and words:
                told.append(f"{word} ({', '.join(heads[:_HEADS])})" if heads else word)
        if told:
            return ", ".join(told)
    return ""


def head(scene: Scene, word: str) -> str:
    """What an option is called without its values."""
    text = scene.wording.text(f"option.{word}", default="")
    return " ".join(re.sub(r"\{[^{}]*\}", " ", text).split())


def without_head(scene: Scene, words: tuple[str, ...]) -> tuple[str, ...]:
    """Words behind what some option of the game is called: *move 4th* is *4th*."""
    heads = {words_of(head(scene, word)) for word in _acts(scene.spec)} - {()}
    longest = max(
        (len(one) for one in heads if words_of(" ".join(words[: len(one)])) == one), default=0
    )
    return words[longest:] or words


def _terms(scene: Scene) -> Iterator[tuple[str, list[str]]]:
    """The terms of the game with what they are called."""
    for key in scene.spec.texts.get("en", {}):
        kind, _, name = key.partition(".")
        if kind == "term" and "." not in name:
            yield name, [one.strip() for one in scene.wording.text(key).split("|")]


def _acts(spec: RulesetSpec) -> list[str]:
    """The words of all options."""
    return list(dict.fromkeys(o.word for decision in spec.decisions for o in decision.options))


def _cited(explainer: Explainer, text: str) -> str:
    """A text with the rules that it cites as the index of the game calls them: those of a base by
    what it is that they carry out.
    """
    found = _CITED.search(text)
    if found is None:
        return text
    index = explainer.index
    rules: list[str] = []
    for rule in (one.strip() for one in found[1].split(",")):
        own = [name for name, entry in index.items() if rule in entry.by]
        rules += own[:2] if own else [rule]
    return f"{text[: found.start()]} [{', '.join(dict.fromkeys(rules))}]"
