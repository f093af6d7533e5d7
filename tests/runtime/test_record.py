"""Records: written, read, replayed, resumed; and what is said of those that are not in order."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skirmish_game import load_game, new_game, play_random, position

from runtime.errors import RecordError
from runtime.games.game import Game
from runtime.games.record import Entry, Record
from runtime.games.replay import replay, retrace
from runtime.games.sealing import commitment


def finished(seed: int = 3) -> Game:
    """A whole game."""
    game = new_game(seed)
    play_random(game, Random(seed))
    return game


PROGRAM, SETUP = load_game()
TEXT = Record.of(finished(), {"red": "Ann", "blue": "random"}).write()
LINES = TEXT.splitlines()
FIRST = LINES.index("") + 1  # where the entries begin, counted from 0


def test_a_record_reads_as_it_should() -> None:
    assert LINES[:2] == ["grognard: 2", f"ruleset: skirmish {PROGRAM.spec.hash}"]
    assert "players: blue=random, red=Ann" in LINES
    assert LINES[FIRST].startswith("# ")
    assert LINES[FIRST + 1].startswith("blue: card ")
    assert LINES[-1].startswith("= ")
    assert TEXT.endswith("\n")


@given(st.integers(0, 2**64 - 1), st.integers(0, 200))
@settings(max_examples=25, deadline=None)
def test_records_replay_to_the_same_bytes(seed: int, steps: int) -> None:
    game = position(seed, steps)
    text = Record.of(game).write()
    record = Record.parse(text)
    assert record == Record.of(game)
    assert record.write() == text
    again = replay(PROGRAM, SETUP, record)
    assert Record.of(again).write() == text
    assert again.state == game.state
    assert again.log == game.log


_words = st.text(st.characters(codec="utf-8"), max_size=30)


@given(_words, st.dictionaries(st.sampled_from(["blue", "red"]), _words), _words)
@settings(deadline=None)
def test_whatever_people_are_called_a_record_is_read_as_written(
    title: str, players: dict[str, str], nonce: str
) -> None:
    game = new_game()
    game.setup = replace(SETUP, title=title)
    record = Record.of(game, players, nonce)
    text = record.write()
    assert Record.parse(text) == record
    assert Record.parse(text).write() == text
    assert Record.parse(text.replace("\n", "\r\n")) == record


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from([*LINES[:20], "# 12", "= red", "x", "x: y", ""])).map("\n".join)
)
@settings(deadline=None)
def test_reading_raises_nothing_but_record_errors(text: str) -> None:
    try:
        record = Record.parse(text)
    except RecordError as error:
        assert error.remedy
        assert error.line >= 1
    else:
        assert Record.parse(record.write()) == record


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_tampered_record_is_found_out_at_its_line(data: st.DataObject) -> None:
    lines = LINES[:]
    at = data.draw(st.integers(FIRST, len(lines) - 1))
    how = data.draw(st.sampled_from(["drop", "change", "double"]))
    if how == "drop":
        del lines[at]
    elif how == "double":
        lines.insert(at, lines[at])
    else:
        lines[at] = data.draw(
            st.sampled_from([line for line in LINES[FIRST:] if line != lines[at]])
        )
    if lines == LINES:
        return
    try:
        record = Record.parse("\n".join(lines) + "\n")
        replay(PROGRAM, SETUP, record)
    except RecordError as error:
        assert error.remedy
        # never later than the next hash; the end belongs to the header too
        following = [
            n for n, line in enumerate(lines, 1) if n > at + 1 and line.startswith(("#", "="))
        ]
        assert 1 <= error.line <= (following[0] if following else len(lines)) + 1
    else:
        # Two steps that commute, or the like, may be exchanged: then all hashes agree nevertheless.
        assert record.end in LINES[-1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("grognard: 2", "grognard: 3", "use a newer version"),
        (
            "grognard: 2",
            "grognard: 1",
            "older format 1; since format 2 the result is a rank for each side",
        ),
        ("grognard: 2\n", "", "no record"),
        ("seed: 3", "seed: x", "'seed' must be a number"),
        ("seed: 3\n", "", "neither seed nor commitment"),
        ("seed: 3", "seed: 3\nseed: 3", "given twice"),
        ("seed: 3", "sede: 3", "not a line of a header"),
        ("seed: 3", "seed: 4", "parts from its record"),
        ("players: blue=random", "players: blue", "names no player"),
        ("result: tie", "result: blue=2, red=1", "the end of the record 'tie'"),
        ("result: tie", "result: red", "'result' must be the rank of each side"),
        ("ruleset: skirmish", "ruleset: chess", "played with ruleset 'chess'"),
        ("ruleset: skirmish ", "ruleset: skirmish 0", "has changed since"),
        ("scenario: 5", "scenario: 4", "is not the one"),
        ("blue: card one", "blue: card nine", "'card nine' is not offered"),
        ("blue: card one", "red: card one", "'blue' decides here"),
        ("blue: card one", "blue card one", "not a line of a record"),
    ],
)
def test_errors_say_what_is_wrong(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(RecordError, match=message) as caught:
        replay(PROGRAM, SETUP, Record.parse(TEXT.replace(old, new, 1)))
    assert caught.value.remedy


def test_a_changed_ruleset_may_be_replayed_leniently() -> None:
    record = replace(Record.parse(TEXT), ruleset_hash="0" * 16, setup_hash="0" * 64)
    with pytest.raises(RecordError, match="has changed since"):
        replay(PROGRAM, SETUP, record)
    assert replay(PROGRAM, SETUP, record, lenient=True).over


def test_a_record_parts_at_the_hash_after_the_change() -> None:
    at = next(n for n, line in enumerate(LINES) if n > FIRST and line.startswith("# "))
    lines = [*LINES[:at], "# 0123456789abcdef", *LINES[at + 1 :]]
    with pytest.raises(RecordError, match="parts from its record") as caught:
        replay(PROGRAM, SETUP, Record.parse("\n".join(lines)))
    assert caught.value.line == at + 1


def test_where_a_record_parts_from_its_game_it_goes_on() -> None:
    """Whoever retraces it hears of the first difference only, and takes all decisions."""
    record = Record.parse(TEXT)
    hashes = [n for n, entry in enumerate(record.entries) if entry.side == "#"]
    other = [replace(e, text="0" * 16) if e.side == "#" else e for e in record.entries]
    changed = {
        None: record,
        0: replace(record, entries=record.entries[1:]),
        hashes[2] - 2: replace(record, entries=(*record.entries[: hashes[2]], *other[hashes[2] :])),
        len(record.actions): replace(record, end="0" * 16),
    }
    for parted, one in changed.items():
        retraced = retrace(PROGRAM, SETUP, one)
        assert (retraced.parted, retraced.refused) == (parted, None)
        assert Record.of(retraced.game).entries == record.entries


def test_an_unfinished_game_is_resumed() -> None:
    whole = finished(11)
    part = new_game(11)
    for _, text in whole.actions[: len(whole.actions) // 2]:
        part.play(text)
    record = Record.parse(Record.of(part).write())
    assert not record.finished
    resumed = replay(PROGRAM, SETUP, record)
    assert resumed.state == part.state
    for _, text in whole.actions[len(whole.actions) // 2 :]:
        resumed.play(text)
    assert Record.of(resumed) == Record.of(whole)


def test_what_was_taken_back_is_not_in_the_record() -> None:
    straight, wavering = new_game(3), new_game(3)
    rng = Random(3)
    while not straight.over:
        choice = rng.randrange(len(straight.state.options))
        straight.play(choice)
        wavering.play(choice)
        if wavering.can_undo:
            wavering.undo()
            wavering.play(0)
            if not wavering.can_undo:
                return
            wavering.undo()
            wavering.play(choice)
    assert Record.of(wavering).write() == Record.of(straight).write()


def test_a_seed_can_be_promised_and_published_later() -> None:
    game = finished()
    secret = Record.parse(Record.of(game, nonce="rosebud", reveal=False).write())
    assert secret.seed is None
    assert secret.commitment == commitment(3, "rosebud")
    assert "rosebud" not in secret.write()
    with pytest.raises(RecordError, match="kept secret"):
        replay(PROGRAM, SETUP, secret)
    published = Record.parse(Record.of(game, nonce="rosebud").write())
    assert published.commitment == secret.commitment
    assert replay(PROGRAM, SETUP, published).state == game.state
    with pytest.raises(RecordError, match="do not fit the commitment"):
        replay(PROGRAM, SETUP, replace(published, nonce="sled"))
    with pytest.raises(RecordError, match="needs a nonce"):
        Record.of(game, reveal=False)


def test_only_real_games_have_records() -> None:
    with pytest.raises(RecordError, match="its dice are scripted"):
        Record.of(new_game(script={"fight_die": [0]}))
    with pytest.raises(RecordError, match="no side 'green'"):
        Record.of(new_game(), {"green": "Ann"})


def test_entries_know_their_lines() -> None:
    for entry in Record.of(finished(), {"red": "Ann", "blue": "random"}).entries:
        assert LINES[entry.line - 1] in (f"# {entry.text}", f"{entry.side}: {entry.text}")
    assert Entry("red", "done", 3) == Entry("red", "done", 4)
