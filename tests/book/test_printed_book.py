"""The book of a ruleset: what is told, what leads where, nothing from outside."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from project import ROOT

from compiler.check.expressions.services import SERVICES as KNOWN
from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard.book.instructions import Instructions, tells
from grognard.book.phrases import SERVICES
from grognard.book.printing import page_of
from grognard.book.sentences import Sentences
from grognard.book.volume import Book, book_of

RULES = """ruleset forest
cites X
sides red, blue
switch fog §2.1 off
piece Unit {
  side: Side setup
  hex: Hex? place alone setup
  moved: bool = false
  strength: int = 4
}
piece Cart {
  hex: Hex? place
  moved: int = 0
}
enum Ground { plain, wood }
table grounds of Ground { columns cover: int "dice less for who fires in"
  §1.3 | plain | 0 |
  §1.3 | wood  | 1 |
}
fields of Hex { ground: Ground = plain setup }
enum Trade { carter, wood }
table trades of Trade { columns moved: bool
  | carter | yes |
  | wood   | no  |
}
piece Worker { trade: Trade fixed setup }
fields of Game { far: bool = false }
die d6 of 1..6
board field { layout odd_r; rows 4; columns 4; }

@section "Fire"

# Not twice, and not from the dark.
permission may_fire(u: Unit, foe: Unit) §1.1 allow {
  deny has_moved §1.2 when u.moved
  allow at_hand except has_moved when adjacent(u.hex, foe.hex)
  deny in_fog §2.1 when fog and far and not adjacent(u.hex, foe.hex)
}
quantity dice(u: Unit, foe: Unit): int {
  stage ground
  rule strong §1.3 = u.strength
  @house "There is nothing printed."
  modify in_cover stage ground by -1 when foe.hex.ground is wood
  modify tired stage ground by -((u.strength + 1) / 2 - (u.strength + 2) mod 3)
      when some c in Cart where c.moved > 0
  modify helped stage ground by 1 when some w in Worker where w.trade is wood and not w.trade.moved
  limit one stage ground at least 1
}
procedure play() {
  repeat { each s in Side { do turn(s) } }
}
procedure turn(s: Side) §1.1 {
  choose u in Unit where u.side is s and u.hex is not none by s prompt shooter pass wait
  if u is none { leave }
  choose foe in Unit where foe.side is not s and may_fire(u, foe) by s prompt target else { leave }
  roll dice(u, foe) d6 as r
  if (count f in r where f >= 5) > 0 { set foe.hex = none }
  set u.moved = true
  note fired(u, foe)
}
check over when no u in Unit where u.side is red and u.hex is not none { win by blue }
function standing(s: Side): int = for_bots(s)
function for_bots(s: Side): int = count u in Unit where u.side is s
"""
INDEX = """X-1.1: {topic: "Fire", page: 3}
X-1.2: {topic: "Fire"}
X-1.3: {topic: "Ground"}
X-2.1: {topic: "Reading: 1.1"}
X-9.1: {topic: "Advice", mechanic: false}
"""
SCENARIO = """ruleset: forest
title: In the wood
pieces:
  Unit:
    - {side: red, hex: A1, name: r}
    - {side: blue, hex: A3, name: b}
"""
CASES = """ruleset: forest
scenario: forest/wood
cases:
  - name: Whoever has moved does not fire
    rules: [X-1.2]
    position: {pieces: {Unit: [{side: red, hex: A1, name: r}, {side: blue, hex: A4, name: far}]}}
    fields: {r.moved: true}
    run: nothing
    expect: {refused: {"may_fire(r, far)": X-1.2}}
"""


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The book of a small game."""
    root = tmp_path_factory.mktemp("forest")
    for path, text in (
        ("rulesets/forest/ruleset.grog", RULES),
        ("rulesets/forest/rulebook.yaml", INDEX),
        ("rulesets/forest/texts/en.yaml", "Trade.wood: wood cutter\n"),
        ("scenarios/forest/wood.yaml", SCENARIO),
        ("tests/cases/forest/fire.yaml", CASES),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        return book_of(Ruleset(root / "rulesets/forest"), "en")


def plain(html: object) -> str:
    """The text of a page, on one line."""
    text = re.sub(r"<style>.*?</style>", "", str(html), flags=re.DOTALL)
    text = re.sub(r"</?(?:var|a|b|i)(?: [^>]*)?>", "", text)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_rules_are_told_in_words(forest: Book) -> None:
    told = plain(page_of(forest))
    for sentence in (
        "Not twice, and not from the dark. Allowed, unless one of these forbids it:",
        "Has moved. if u is moved X-1.2",
        "At hand. except, allowed: if u’s hex is beside foe’s hex",
        "In fog. if all of this is so: X-2.1 the option “fog” is in force “far” is so u’s hex is not beside foe’s hex",
        "Then (ground): In cover. −1 if the ground of foe’s hex is wood House rule: There is nothing printed.",
        "Tired. −(((u’s strength + 1) / 2, rounded down) − (the remainder of (u’s strength + 2) / 3)) "
        "if there is cart c such that c’s moved is more than 0",
        "Helped. +1 if there is worker w such that w’s trade is wood cutter and w’s trade is not moved",
        "One. at least 1",
        "s chooses unit u such that u’s side is s and u is on the board.",
        "It need not choose any.",
        "Roll dice (u, foe) × d6: r.",
        "If (the number of f of r such that f is at least 5) is more than 0: foe leaves the board.",
        "From now on u is moved.",
        "As soon as there is no unit u such that u’s side is red and u is on the board: The game ends: blue wins.",
        "dice less for who fires in plain 0 X-1.3 wood 1 X-1.3",
    ):
        assert sentence in told, sentence
    assert "for bots" not in told and "fired" not in told


def test_a_case_is_an_example_beside_the_rule_that_it_shows(forest: Book) -> None:
    articles = (a for c in forest.chapters for s in c.sections for a in s.articles)
    ((anchor, example),) = ((a.anchor, one) for a in articles for one in a.examples)
    assert (anchor, example.name) == ("call.may_fire", "Whoever has moved does not fire")
    assert example.picture.startswith("data:image/svg+xml;base64,")
    assert [plain(one) for one in example.given] == ["r – moved: yes"]
    assert [plain(one) for one in example.then] == ["not allowed: may fire (r, far) – X-1.2"]


def test_what_is_doubtful_leads_to_its_switch_and_back(forest: Book) -> None:
    (reading,) = forest.readings
    assert reading.id == "X-2.1" and reading.switches == [("switch.fog", "Fog")]
    (option,) = forest.options
    assert [plain(note) for note in option.notes] == ["It changes: may fire."]


def test_coverage_stands_with_each_section_and_each_rule(forest: Book) -> None:
    (fire,) = (s for c in forest.chapters for s in c.sections if s.title == "Fire")
    assert (fire.rules, fire.shown) == (["X-1.1", "X-1.2", "X-2.1", "X-1.3"], 1)
    listed = {one.id: one for _, rules in forest.index for one in rules}
    assert listed["X-1.2"].in_cases and not listed["X-1.1"].in_cases
    assert not listed["X-9.1"].mechanic


def test_numbers_of_rules_lead_to_what_carries_them_out(forest: Book) -> None:
    page = page_of(forest)
    for number in ("X-1", "X-1.1", "X-1.2", "X-1.3", "X-2.1", "X-9.1"):
        assert page.count(f'id="{number}"') == 1, number
    before = page[: page.index('id="X-1.2"')]
    assert before.rindex('id="call.may_fire"') > before.rindex("</article>")


def test_the_book_speaks_czech(tmp_path: Path) -> None:
    (tmp_path / "ruleset.grog").write_text(RULES, encoding="utf-8")
    (tmp_path / "rulebook.yaml").write_text(INDEX, encoding="utf-8")
    told = plain(page_of(book_of(Ruleset(tmp_path), "cs", examples=0)))
    assert "s zvolí jednotka u, že strana u je s a u je na plánu." in told
    assert "Smí se, nezakazuje-li to něco z tohoto:" in told and "It is" not in told


@pytest.mark.parametrize("name", ["everything", "skirmish"])
def test_all_links_lead_somewhere_and_nothing_comes_from_outside(name: str) -> None:
    page = page_of(book_of(Ruleset(ROOT / "tests/rulesets" / name), "en", examples=0))
    ids = Counter(re.findall(r' id="([^"]*)"', page))
    assert [one for one, count in ids.items() if count > 1] == []
    assert set(re.findall(r'href="#([^"]*)"', page)) <= ids.keys()
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page) == []
    assert not re.search(r"\{\w+\}", plain(page))


def _kinds(base: type) -> list[str]:
    return sorted({kind.__name__.lower() for kind in base.__subclasses__()})


def test_every_kind_of_expression_and_step_has_words() -> None:
    assert [one for one in _kinds(n.Expr) if not hasattr(Sentences, f"_{one}")] == []
    lacking = [one for one in _kinds(n.Stmt) if not hasattr(Instructions, f"_step_{one}")]
    assert lacking == ["note", "observe", "step"]  # left out, and a name of what stands in it
    assert KNOWN.keys() - SERVICES.keys() == {"show"}


def test_steps_that_only_tell_are_left_out() -> None:
    note = n.Note(n.Call(n.Ident("fired"), ()))
    assert tells(n.If(n.Bool(True), (note,), ()), ())
    assert not tells(n.If(n.Bool(True), (note,), (n.Stop(),)), ())
