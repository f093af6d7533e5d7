"""The page of a record: what it holds, that it is closed in itself, and how large it is."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from random import Random

import pytest
from retold import GAMES, course_of, data_of, page, positions, record_of

from grognard.retelling.frames import Layer, _difference
from grognard.retelling.page import page_of
from runtime.model import NONE


class Reader(HTMLParser):
    """Elements of a page, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inner: dict[str, list[str]] = {}
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in = tag

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        self.inner.setdefault(self._in, []).append(data)


@pytest.fixture(params=GAMES, scope="module")
def scenario(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_nothing_comes_from_outside(scenario: str) -> None:
    """One file, whose policy lets in nothing but its own script and style, and these are what the policy names."""
    reader = Reader(page(scenario))
    policy = next(
        a["content"] for t, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None and policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert "data:" not in policy.partition("script-src")[2].partition(";")[0]

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    imports, script = reader.inner["script"][-2:]
    assert f"script-src 'sha256-{digest(imports)}' 'sha256-{digest(script)}'" in policy
    assert f"style-src 'sha256-{digest(reader.inner['style'][0])}'" in policy
    assert not [
        a
        for _, a in reader.tags
        if "src" in a or "style" in a or any(k.startswith("on") for k in a)
    ]
    addresses = {a["href"] for _, a in reader.tags if a.get("href")}
    assert all(re.fullmatch(r"#\w+|data:,", str(address)) for address in addresses)
    assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)|@import|url\(", page(scenario))


def test_every_step_is_there_and_in_the_log(scenario: str) -> None:
    text, data = page(scenario), data_of(page(scenario))
    assert len(data["steps"]) == len(record_of(scenario).actions) + 1
    course = course_of(scenario)
    told = list(re.findall(r'<li><a href="#(\d+)">', text))
    assert len(told) == course.played.notes and max(map(int, told)) < len(data["steps"])
    assert data["turns"] == sorted(data["turns"]) and len(data["turns"]) == text.count("<details")


def test_pieces_stand_where_they_stood(scenario: str) -> None:
    data, course = data_of(page(scenario)), course_of(scenario)
    shown = positions(data)
    kinds = [
        (kind, i) for kind in course.setup.pieces for i in range(len(course.setup.pieces[kind]))
    ]
    places = {kind: course.scene.place_of(kind) for kind in course.setup.pieces}
    for moment, now in zip(course.moments(), shown, strict=True):
        for slot, (kind, i) in enumerate(kinds):
            place = places[kind]
            on_board = place is not None and getattr(moment.after, place.slot)[i] != NONE
            assert (len(now["pieces"].get(slot, ())) == 4) == on_board, (moment.number, kind, i)
        assert now["n"] == (NONE if moment.after.over else moment.after.chooser)
        assert len(now["x"]) == 2 and [len(hand) for hand in now["x"]] == [
            len(hand) for hand in course.hands(moment.after)
        ]
    assert max(spot[0] for now in shown for spot in now["pieces"].values()) < len(
        data["drawing"]["looks"]
    )


def test_dice_and_their_odds(scenario: str) -> None:
    """What was rolled is told with what could have come of it; of forecasts too, which of that came."""
    data = data_of(page(scenario))
    rolled = [step for step in data["steps"] if "d" in step]
    assert rolled and all("d" in step for step in data["steps"] if "k" in step)
    for title, shares, note in (one for step in rolled for one in step.get("k", ())):
        assert all(text and 0 <= share <= 100 for text, share, _ in shares) and (
            title or len(shares)
        )
        if note:
            assert sum(came for _, _, came in shares) == 1
            assert sum(share for _, share, _ in shares) == pytest.approx(100, abs=0.1 * len(shares))
    if scenario == "cc_ancients/akragas":
        hits = [
            shares
            for step in rolled
            for title, shares, _ in step.get("k", ())
            if "hits" in title and "back" not in title
        ]
        assert len(hits) > 10 and all(sum(came for _, _, came in shares) == 1 for shares in hits)


def test_size_and_sameness(scenario: str) -> None:
    """A game of 2,000 decisions stays far below a megabyte or two; the same record gives the same bytes."""
    text = page(scenario)
    assert len(text.encode()) < 360_000 + 400 * len(record_of(scenario).actions)
    if scenario == "battles_of_westeros/learning_battle":
        assert page_of(course_of(scenario), record_of(scenario)) == text


def test_labels_for_those_who_do_not_see(scenario: str) -> None:
    reader = Reader(page(scenario))
    assert next(a for t, a in reader.tags if t == "html")["lang"] == "en"
    named = [a for t, a in reader.tags if t == "button" and a.get("role") != "tab"]
    assert len(named) > 8 and all(
        a.get("aria-label") and a["aria-label"] == a.get("title") for a in named
    )
    assert all(a.get("aria-label") for t, a in reader.tags if t == "input")
    ids = [a["id"] for _, a in reader.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    tabs = {a["aria-controls"] for _, a in reader.tags if a.get("role") == "tab"}
    assert tabs == {a["id"] for _, a in reader.tags if a.get("role") == "tabpanel"} <= set(ids)


def test_layers_are_kept_by_what_differs() -> None:
    rng = Random(1)
    for _ in range(200):
        before = [rng.randrange(5) for _ in range(rng.randrange(8))]
        after = [rng.randrange(5) for _ in range(rng.randrange(8))]
        change, made = _difference(before, after), list(before)
        if "put" in change:
            for place, line in zip(change["put"][::2], change["put"][1::2], strict=True):
                made[place] = line
        else:
            made[change["at"] : change["at"] + change["drop"]] = change["add"]
        assert made == after
    layer = Layer()
    assert [layer.version(text) for text in ("a\nb", "a", "a\nb\n")] == [0, 1, 0]
    assert layer.lines == ["a", "b"]
