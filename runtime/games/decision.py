"""The pending decision, and what people's texts mean among its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.errors import IllegalOption
from runtime.option import Option, Subject
from runtime.spelling import near

_LISTED = 12


@dataclass(frozen=True, slots=True)
class Decision:
    """The pending decision: who decides, what is asked and about what, all options there are."""

    side: int
    name: str
    prompt: str
    point: int
    options: tuple[Option, ...]
    about: tuple[Subject, ...] = ()

    @property
    def question(self) -> str:
        """The prompt with what it is about, in stable form: ``order(g1)``."""
        return f"{self.prompt}({', '.join(map(str, self.about))})" if self.about else self.prompt

    def find(self, text: str) -> Option:
        """The option that *text* means.

        That is the option with just this text; else, upper and lower case being the same, the only
        one whose words *text* gives, the first perhaps shortened; else the only one of which each
        word begins like that of *text*; else the only one whose value alone is *text*.
        IllegalOption when there is none, or more than one.
        """
        for option in self.options:
            if option.text == text:
                return option
        words = text.casefold().split()
        split = [(option, option.text.casefold().split()) for option in self.options]
        tiers = (
            lambda given: given == words,
            lambda given: (
                len(given) == len(words)
                and given[0].startswith(words[0])
                and given[1:] == words[1:]
            ),
            lambda given: (
                len(given) >= len(words)
                and all(g.startswith(w) for g, w in zip(given, words, strict=False))
            ),
            lambda given: given[1:] == words,
        )
        for fits in tiers if words else ():
            matches = tuple(option for option, given in split if fits(given))
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise IllegalOption(
                    f"'{text}' could mean {len(matches)} options",
                    matches,
                    self.options,
                    f"write one of them: {_option_list(matches)}",
                )
        raise self.refusal(f"'{text}' is not offered", text)

    def refusal(self, message: str, text: str = "", remedy: str = "") -> IllegalOption:
        """The error for what is not offered, with the options that are written like *text*."""
        texts = {option.text.casefold(): option for option in reversed(self.options)}
        alike = tuple(texts[t] for t in near(text.casefold(), texts)[:3])
        question = f"did you mean {' or '.join(repr(o.text) for o in alike)}?" if alike else ""
        remedy = remedy or question or f"there is: {_option_list(self.options)}"
        return IllegalOption(message, (), self.options, remedy, alike)


def _option_list(options: Sequence[Option]) -> str:
    texts = ", ".join(option.text for option in options[:_LISTED])
    return texts if len(options) <= _LISTED else f"{texts} and {len(options) - _LISTED} more"
