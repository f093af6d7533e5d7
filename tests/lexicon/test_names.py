"""What things are called, and what typed names mean."""

from __future__ import annotations

import pytest
from project import placed, setup_of

from grognard.lexicon.names import Lexicon
from grognard.lexicon.typed import name_and_arguments
from grognard.lexicon.values import parse_arguments, parse_value
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


def test_arguments_are_worked_out_by_geometry() -> None:
    hexes, number = TypeSpec("hex", "Hex"), TypeSpec("int")
    name, words = name_and_arguments("steps march(S.HI1) to neighbor(c4, east)")
    assert (name, words) == ("march", ["S.HI1", "neighbor(c4, east)"])
    wanted = [("h", hexes), ("n", number)]
    values = parse_arguments(
        lexicon(), None, "f(h, n)", wanted, ["neighbor(C4, east)", "distance(C4, C8)"]
    )
    assert values == [lexicon().hex_named("C5"), 4]
    with pytest.raises(ArgumentError, match=r"there is no Hex 'B1 A2' .for h"):
        parse_arguments(lexicon(), None, "f(h, n)", wanted[:1], ["around(A1, 1)"])


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
        ("f(neighbor(A1, turn(east, 2)), b)", ("f", ["neighbor(A1, turn(east, 2))", "b"])),
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


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("neighbor(C4, east)", "C5"),
        ("destination neighbor(neighbor(C4, east), turn(east, 2))", "destination B4"),
        ("neighbor(A1, west)", "none"),
        ("around(A1, 1)", "B1 A2"),
        ("neighbors(none)", "none"),
        ("turn(direction(C4, C5), -1) distance(C4, C8)", "northeast 4"),
        ("bearing(C4, E5)", "northeast"),
        ("my_neighbor(C4, east)", "my_neighbor(C4, east)"),
    ],
)
def test_geometry_is_worked_out_in_names(text: str, result: str) -> None:
    names = Names(placed(AKRAGAS).spec, setup_of(AKRAGAS))
    assert names.geometry(text) == result


def test_geometry_stands_for_values_and_members_of_sets() -> None:
    names = Names(placed(AKRAGAS).spec, setup_of(AKRAGAS))
    hexes = TypeSpec("set", of=TypeSpec("hex", "Hex"))
    assert names.value(hexes.of, "neighbor(C4, east)") == names.hex("C5")
    for word in ("C4 neighbor(C4, east)", ["C4", "neighbor(C4, east)"]):
        assert names.value(hexes, word) == 1 << names.hex("C4") | 1 << names.hex("C5")
    assert names.value(hexes, ["around(C4, 1)"]) == names.value(hexes, "neighbors(C4)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("neighbor(C4)", r"neighbor expects 2 arguments \(h, d\), got 1"),
        ("neighbor(C4, est)", "'est' is not a direction .did you mean 'east'"),
        ("distance(C4, Z99)", "no hex 'Z99' on board"),
        ("around(C4, far)", "'far' is not a whole number"),
    ],
)
def test_geometry_that_cannot_be_worked_out_is_told(text: str, message: str) -> None:
    names = Names(placed(AKRAGAS).spec, setup_of(AKRAGAS))
    with pytest.raises(ArgumentError, match=message):
        names.geometry(text)
