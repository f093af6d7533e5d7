"""What is said, from a template and what is put into it, so that other languages can say it.

English is what a template says; a finding keeps both, and a catalogue of another language
(:mod:`grognard.lexicon.faults`) says the same with its own template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Final

#: An argument of a text, perhaps in a case or with forms: ``{0}``, ``{0/gen}``,
#: ``{0: 1 once | # times}``.
ARGUMENT: Final = re.compile(r"\{(\w+)(?:/(\w+))?(?::([^{}]*))?\}")
#: A form for a number or a range of them, and one for numbers with a fraction.
_FORM = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?\s+(.*)", re.DOTALL)
_BROKEN, _FRACTION = re.compile(r"\.\s+(.*)", re.DOTALL), re.compile(r"\d+[.,]\d+")
#: What begins like a form for numbers.
_BEGUN = re.compile(r"\d+(?:-\d+)?(?:\s.*)?", re.DOTALL)


class SaidText(str):
    """A text in English that knows the *template* it was made of, and the *values* put in: texts of
    the same sort, or words that no language changes.
    """

    template: str
    values: Mapping[str, str]

    def __new__(cls, template: str, values: Mapping[str, str]) -> SaidText:
        """The text that is made of both."""
        made = super().__new__(cls, fill_wording(template, values))
        made.template, made.values = template, values
        return made

    def __reduce__(self) -> tuple[type[SaidText], tuple[str, Mapping[str, str]]]:
        """What a copy is made of."""
        return SaidText, (self.template, self.values)

    def __add__(self, other: str) -> SaidText:
        """The text with another behind it."""
        return SaidText("{0}{1}", {"0": self, "1": other}) if other else self

    def __radd__(self, other: str) -> SaidText:
        """The text with another before it."""
        return SaidText("{0}{1}", {"0": other, "1": self}) if other else self


def said(template: str, /, **values: object) -> str:
    """``said("unknown {what} '{name}'", what=what, name=name)``: a template with values put in, by
    name; it may have forms, as the texts of rulesets do (:func:`fill_wording`).
    """
    words = {k: value if isinstance(value, str) else str(value) for k, value in values.items()}
    return SaidText(template, words)


def fill_in(text: str, **values: object) -> str:
    """A text with more put in, where its template asks for it."""
    template, known = (text.template, text.values) if isinstance(text, SaidText) else (text, {})
    return said(template, **known, **values)


#: How two things are linked, and more of them one behind the other.
AND: Final = "{0} and {1}"
AND_OF: Final = "{0} and of {1}"
OR: Final = "{0} or {1}"


def join_with_word(words: str, texts: Iterable[str]) -> str:
    """Texts with *words* between them, as :data:`OR`; nothing where there are none."""
    whole = list(texts)
    if not whole:
        return ""
    return reduce(lambda left, right: said(words, **{"0": left, "1": right}), whole)


def join_with_sign(sign: str, texts: Iterable[str]) -> str:
    """Texts with a *sign* between them."""
    whole = list(texts)
    if not any(isinstance(text, SaidText) or " " in text for text in whole):
        return sign.join(whole)
    template = sign.join(f"{{{number}}}" for number in range(len(whole)))
    return SaidText(template, {str(number): text for number, text in enumerate(whole)})


def fill_wording(
    template: str,
    words: Sequence[str] | Mapping[str, str],
    inflected: Callable[[str, str], str] | None = None,
) -> str:
    """A wording with its arguments put in; an argument that is not there stays as it is written.

    ``{0: 1 one card | 2-4 # cards | # cards}`` has forms for numbers and, last, for all else, ``. #
    of a card`` among them one for fractions; ``{0/gen}`` asks *inflected* for the argument in a
    case.
    """

    known = words if isinstance(words, Mapping) else {str(i): w for i, w in enumerate(words)}

    def put(found: re.Match[str]) -> str:
        word = known.get(found[1])
        if word is None:
            return found[0]
        if found[2] is not None and inflected is not None:
            word = inflected(found[1], found[2])
        return word if found[3] is None else _form_for(found[3], word)

    return ARGUMENT.sub(put, template)


def formless(forms: str) -> str:
    """The first of the *forms* of an argument that is for no value: a number without words, with
    too many digits, or a range that ends before it begins; nothing where there is none.
    """
    for part in (part.strip() for part in forms.split("|")):
        form = _FORM.match(part)
        if _BEGUN.fullmatch(part) and (form is None or int(form[2] or form[1]) < int(form[1])):
            return part
    return ""


def _form_for(forms: str, word: str) -> str:
    """The form that goes with a value; ``#`` in it is the value."""
    parts = [part.strip() for part in forms.split("|")]
    for part in parts:
        form, broken = _FORM.match(part), _BROKEN.match(part)
        if broken is not None:
            if _FRACTION.fullmatch(word):
                return broken[1].replace("#", word)
            continue
        if form is None:
            return part.replace("#", word)
        least, most = int(form[1]), int(form[2] or form[1])
        if word.isdecimal() and least <= int(word) <= most:
            return form[3].replace("#", word)
    return word
