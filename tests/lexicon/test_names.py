"""What things are called, and what typed names mean."""

from __future__ import annotations

import pytest
from project import placed, setup_of

from grognard.lexicon.names import Lexicon
from grognard.lexicon.values import parse_value
from runtime.errors import ArgumentError
from runtime.games.names import Names
from runtime.games.wording import Wording
from runtime.model import NONE, TypeSpec
from runtime.spelling import split_call

AKRAGAS = "cc_ancients/akragas"


def lexicon(language: str = "en") -> Lexicon:
    return Lexicon.of(Wording(placed(AKRAGAS).spec, setup_of(AKRAGAS), language))


def test_pieces_and_hexes_are_found_by_what_they_are_called() -> None:
    names = lexicon()
    ((kind, index),) = names.pieces_named("S.HI1")
    assert names.setup.pieces[kind][index].name == "S.HI1"
    assert len(names.pieces_named("s.hi")) > 1 and names.pieces_named("nobody") == []
    assert names.spec.board.label(names.hex_named("c4")) == "C4" and names.hex_named("Z99") == NONE


def test_values_are_read_in_the_words_of_the_language() -> None:
    names = lexicon("cs")
    sections = TypeSpec("enum", "Section")
    for number, member in enumerate(names.spec.enums["Section"]):
        for text in (member, names.member("Section", number)):
            assert parse_value(names, None, sections, text) == [number]
    assert names.in_words(TypeSpec("set", of=sections), 0) == "–"


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("march(S.HI1)", ("march", ["S.HI1"])),
        (" f ( a , b ) ", ("f", ["a", "b"])),
        ("f()", ("f", [])),
        ("f", None),
        ("f(a) b", None),
    ],
)
def test_calls_are_split(text: str, call: tuple[str, list[str]] | None) -> None:
    assert split_call(text) == call


def test_what_fits_no_procedure_is_told_with_a_remedy() -> None:
    names = Names(placed(AKRAGAS).spec, setup_of(AKRAGAS))
    with pytest.raises(ArgumentError, match=r"there is no procedure 'atack_unit' .did you mean"):
        names.procedure("atack_unit(S.HI1)")
    with pytest.raises(ArgumentError, match=r"attack_unit expects 4 arguments \(.*\), got 0"):
        names.procedure("attack_unit")
