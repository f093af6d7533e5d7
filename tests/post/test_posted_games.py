"""Games with secrets by post: both sides come to the same, and nothing tells one what the other holds."""

from __future__ import annotations

import ast
import base64
import io
import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hidden_games import GAMES as SMALL
from hidden_games import dealt, exchanged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from other_languages import lacking
from project import ROOT

pytest.importorskip("cryptography")

from correspondence import Correspondence, by_mail, game_of

from grognard.explain import rollouts
from grognard.fronts.cli.games import by_mail as by_mail_module
from grognard.fronts.cli.main import main
from grognard.opening import open_scenario
from grognard.post import letter_box, match
from grognard.post.letter_box import LetterBox
from grognard.post.letters import LetterError, Sealed, read_letters
from grognard.post.match import is_binding
from grognard.scenario import Scenario
from runtime.runs.forecast import foresee
from runtime.view import view

#: A short scenario of each game, and whether all of it is played each time.
GAMES = {
    "battles_of_westeros/learning_battle": True,
    "battles_of_napoleon/first_lesson": False,
    "cc_ancients/akragas": False,
    "cc_napoleonics/rolica_1": False,
    "no_retreat/bagration": False,
}
WHOLE = [
    name if quick else pytest.param(name, marks=pytest.mark.long) for name, quick in GAMES.items()
]
_ARMOUR = re.compile(r"-----BEGIN GROGNARD LETTER-----\n(.*?)-----END", re.DOTALL)


@pytest.fixture(autouse=True)
def _alone(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game each time, and odds that no clock ends."""
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(foresee.__kwdefaults__, "seconds", 600.0)
    monkeypatch.setattr(rollouts, "_TIMES", 20)
    monkeypatch.setattr(rollouts, "_LEAST", 20)
    rng = Random(request.node.name)
    monkeypatch.setattr(letter_box, "new_secret", lambda: rng.randbytes(32))
    monkeypatch.setattr(letter_box.secrets, "token_hex", lambda size: rng.randbytes(size).hex())
    monkeypatch.setattr(match, "new_seed", lambda: rng.getrandbits(128))


@cache
def opened(name: str) -> Scenario:
    return open_scenario(ROOT / "scenarios" / f"{name}.yaml")


def small(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A game of the tests, where commands find it."""
    source, title = ROOT / "tests" / "rulesets" / name, SMALL[name]
    shutil.copytree(source, folder / "rulesets" / name)
    (folder / "scenarios" / name).mkdir(parents=True)
    shutil.copy(source / f"{title}.yaml", folder / "scenarios" / name / f"{title}.yaml")
    monkeypatch.chdir(folder)
    return open_scenario(f"{name}/{title}")


@pytest.fixture
def plotted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A game whose sides choose in secret."""
    return small("plotted", tmp_path, monkeypatch)


def bytes_of(folder: Path) -> bytes:
    """All that the files of a folder hold, and what is in base64 there."""
    found = b""
    for path in sorted(folder.iterdir()):
        found += path.read_bytes()
        for armour in _ARMOUR.findall(path.read_text()):
            found += base64.b64decode(armour.replace("\n", "") + "===")
        if path.suffix == ".sealed":
            found += base64.b64decode(path.read_text())
    return found


def telling(scenario: Scenario, match: Any) -> set[bytes]:
    """What would tell something of the game, if a file held it: names of cards, what was decided."""
    spec = scenario.program.spec
    texts = {member for deck in spec.decks for member in spec.enums[deck.enum]}
    texts |= {text for content in match.contents for text in [*content.plays, content.pending]}
    texts |= {one for content in match.contents for one in (content.link, content.stand)}
    return {text.encode() for text in texts if len(text) > 5}


def play_out(scenario: Scenario, folder: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """A whole game: both sides agree in every hash, and neither output nor files tell a side what
    is not for it; the notes that some side was not told.
    """
    both = Correspondence(scenario, folder)
    told = {both.first.match.side: "", both.second.match.side: ""}
    while not both.over:
        reader = both.reader
        capsys.readouterr()
        both.step()
        by_mail(reader).show()
        told[reader.match.side] += capsys.readouterr().out
        if len(both.first.match.letters) >= 3:
            assert game_of(both.first).hash == game_of(both.second).hash
    games = [game_of(both.reopened(box)) for box in (both.first, both.second)]
    assert games[0].over and games[0].hash == games[1].hash
    assert games[0].entries() == games[1].entries() == game_of(both.first).entries()
    kept: set[str] = set()
    for side, said in told.items():
        kept |= (others := set(games[0].log) - set(games[0].log_of(side)))
        assert [note for note in others if f"· {note}" in said.splitlines()] == []
    for box in (both.first, both.second):
        held = bytes_of(box.folder)
        assert [text for text in telling(scenario, box.match) if text in held] == []
    return kept


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_is_the_same_on_both_sides(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_out(opened(name), tmp_path, capsys)


@pytest.mark.parametrize("name", SMALL)
def test_a_small_game_with_secrets_is_the_same_on_both_sides(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = play_out(small(name, tmp_path, monkeypatch), tmp_path, capsys)
    assert kept or name != "concealed"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_begins_with_bots_that_think(name: str, tmp_path: Path) -> None:
    both = Correspondence(opened(name), tmp_path, "greedy")
    both.go_on(5)
    boxes = [both.reopened(box) for box in (both.first, both.second)]
    assert game_of(boxes[0]).hash == game_of(boxes[1]).hash
    assert game_of(boxes[0]).actions


def test_what_has_been_seen_is_never_decided_upon_in_the_same_letter() -> None:
    """A card drawn, dice, who is asked: the letter ends before, as taking back does."""
    game, rng, ended = opened("no_retreat/bagration").begin(3), Random(3), 0
    while not game.over:
        side, state = game.state.chooser, game.state
        option = rng.choice(game.options)
        bound = is_binding(game, option)
        before, counters = view(state, side).unseen_cards, list(state.counters)
        game.play(option)
        if not bound:
            assert game.state.chooser == side and game.state.counters == counters
            after = view(game.state, side).unseen_cards
            assert not any(cards - after[deck] for deck, cards in before.items())
        elif game.state.counters == counters and game.state.chooser == side:
            ended += 1  # nothing but what was seen
    assert ended


# ---------------------------------------------------------------------- what a side is shown


def lines_for(box: LetterBox, thinking: bool, rng: Random) -> list[str]:
    """What somebody may type who wants to know more than he should, and then decides."""
    decision = game_of(box).decision
    assert decision is not None
    pieces = [one.name for ones in game_of(box).setup.pieces.values() for one in ones]
    lines = ["board", "hand", "log all", "?", "expect", "undo"]
    lines += ["? 1", "odds 1", "odds 2", "hint"] if thinking else []
    words = ("look", "?") if thinking else ("look",)
    lines += [f"{word} {piece}" for piece in rng.sample(pieces, 3) for word in words]
    lines += [rng.choice(decision.options).text for _ in range(2)] + ["nonsense", "save x.record"]
    return [*lines, *(str(rng.randrange(1, 4)) for _ in range(30)), "quit"]


def printed(
    box: LetterBox,
    state: Any,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[list[str], list[int]]:
    """All that a side is told where its game stands so; and how long its letters are."""
    game = box.match.game = game_of(box).copy()
    game.state, game._decision = state.copy(), None
    game.state.log, game.state.events = game._notes, game._events
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    capsys.readouterr()
    by_mail(box).show()
    by_mail(box).go_on()
    told = capsys.readouterr()
    return [told.out, told.err], [len(sealed.encrypted) for sealed in box.match.letters]


def compare(
    box: LetterBox,
    states: list[Any],
    thinking: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """That a side cannot tell apart the states that look the same to it."""
    monkeypatch.setattr(letter_box, "_scenario", lambda *_: box.match.scenario)  # read only once
    side, rng = box.match.side, Random(len(box.match.letters))
    boxes = [LetterBox.open(box.folder) for _ in states]
    for one in boxes:
        one.match.open()
    lines = lines_for(boxes[0], thinking, rng)
    told = []
    for one, state in zip(boxes, states, strict=True):
        assert view(state, side) == view(states[0], side)
        told.append(printed(one, state, lines, monkeypatch, capsys))
        for letter in box.folder.glob("*.letter"):  # those that have just been written
            if int(letter.name[:4]) > len(box.match.letters):
                letter.unlink()
        (box.folder / "draft.sealed").unlink(missing_ok=True)
    for (out, err), lengths in told[1:]:
        assert out.splitlines() == told[0][0][0].splitlines()
        assert err == told[0][0][1] and lengths == told[0][1]


@pytest.mark.usefixtures("quick_hints")
@pytest.mark.parametrize(
    ("name", "thinking"),
    [
        ("cc_ancients/akragas", False),
        pytest.param("cc_ancients/akragas", True, marks=pytest.mark.long),
        pytest.param("no_retreat/barbarossa_1941", True, marks=pytest.mark.long),
    ],
)
def test_the_other_hand_shows_nowhere(
    name: str,
    thinking: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever is typed: what is printed hangs on nothing that the other side holds."""
    monkeypatch.chdir(tmp_path)
    both, compared = Correspondence(opened(name), tmp_path), 0
    for letters in (3, 4, 3):
        both.go_on(letters)
        box = both.reopened(both.reader)
        box.match.open()
        if not box.match.own:
            continue
        compared += 1
        state, side = game_of(box).state, box.match.side
        others = [dealt(state, side, Random(n)) for n in range(2)]
        assert any(other.hash() != state.hash() for other in others)
        for option in game_of(box).options:
            assert len({is_binding(at(box, one), option) for one in (state, *others)}) == 1
        compare(both.reader, [state, *others], thinking, monkeypatch, capsys)
    assert compared


def at(box: LetterBox, state: Any) -> Any:
    """The game of a box in another state."""
    game = game_of(box).copy()
    game.state, game._decision = state.copy(), None
    return game


@pytest.mark.usefixtures("quick_hints")
def test_secret_choices_show_nowhere(
    plotted: Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    both, compared = Correspondence(plotted, tmp_path), 0
    while compared < 3:
        both.step()
        box = both.reopened(both.reader)
        box.match.open()
        if box.match.own:
            state, side = game_of(box).state, box.match.side
            others = [exchanged("plotted", state, side, Random(n)) for n in range(2)]
            compared += any(other.hash() != state.hash() for other in others)
            compare(both.reader, [state, *others], True, monkeypatch, capsys)
        assert not both.over


def test_what_was_chosen_in_secret_is_not_told_who_takes_the_letter(
    plotted: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two letters that differ in nothing but that: same length, same answer of the command."""
    both = Correspondence(plotted, tmp_path)
    both.go_on(1)
    told, lengths = set(), set()
    for number in range(3):
        writer = both.reopened(both.reader)
        writer.match.open()
        options = game_of(writer).options
        assert len(options) > 3 and game_of(writer).prompt == "goal"
        while True:
            option = game_of(writer).options[number]
            if is_binding(game_of(writer), option):
                break
            game_of(writer).play(option)
        writer.match.pending = option.text
        sealed = writer.match.compose()
        lengths.add(len(sealed.encrypted))
        reader = both.reopened(both.writer)
        reader.match.take(sealed)
        reader.match.open()
        capsys.readouterr()
        by_mail(reader).show()
        told.add(capsys.readouterr().out)
    assert len(told) == len(lengths) == 1


# ---------------------------------------------------------------------- altered, exchanged, again


@pytest.fixture(scope="module")
def correspondence(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A match of a few letters, of which the last is not read yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROGNARD_DATA", str(tmp_path_factory.mktemp("data")))
        both = Correspondence(opened("cc_ancients/akragas"), tmp_path_factory.mktemp("match"))
        both.go_on(4)
    return both


def unread(both: Correspondence) -> tuple[Path, Sealed]:
    """The last letter."""
    return both.writer.letter(len(both.writer.match.letters)), both.writer.match.letters[-1]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_file_that_is_altered_in_a_byte_is_refused_or_says_the_same(
    data: st.DataObject, correspondence: Correspondence
) -> None:
    path, sealed = unread(correspondence)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    try:
        assert read_letters(content.decode("utf-8", "replace")) == [sealed]
    except LetterError as error:
        assert error.remedy


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_letter_that_is_altered_in_a_byte_and_made_whole_again_is_found_out(
    data: st.DataObject, correspondence: Correspondence
) -> None:
    """By somebody on the way, who can work out checksums."""
    _, sealed = unread(correspondence)
    match = correspondence.reader.match
    match.letters.pop()
    match.contents.pop()
    kept = list(match.letters)
    try:
        part = data.draw(st.sampled_from(["encrypted", "signature", "game", "before", "sender"]))
        if part in ("encrypted", "signature"):
            whole = getattr(sealed, part)
            at = data.draw(st.integers(0, len(whole) - 1))
            changed = (
                whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
            )
            altered = replace(sealed, **{part: changed})
        else:
            whole = getattr(sealed.head, part)
            at = data.draw(st.integers(0, len(whole) - 1))
            changed = whole[:at] + chr(ord(whole[at]) ^ 1) + whole[at + 1 :]
            altered = replace(sealed, head=replace(sealed.head, **{part: changed}))
        (read,) = read_letters(altered.write([]))
        with pytest.raises(LetterError) as told:
            match.has_letter(read)
            match.take(read)
        assert told.value.remedy and match.letters == kept
    finally:
        match.letters.append(sealed)
        match.contents.append(correspondence.writer.match.contents[-1])


def test_a_letter_that_was_altered_in_a_folder_is_found(
    correspondence: Correspondence, tmp_path: Path
) -> None:
    folder = tmp_path / "copied"
    shutil.copytree(correspondence.reader.folder, folder)
    path = sorted(folder.glob("*.letter"))[2]
    (sealed,) = read_letters(path.read_text())
    changed = sealed.encrypted[:40] + bytes([sealed.encrypted[40] ^ 1]) + sealed.encrypted[41:]
    path.write_text(replace(sealed, encrypted=changed).write([]))
    with pytest.raises(LetterError, match=rf"letter 3, {path.name}: .*signature is wrong"):
        LetterBox.open(folder)


def test_letters_that_belong_elsewhere_are_refused(
    correspondence: Correspondence, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer, reader = correspondence.writer, correspondence.reader
    other = Correspondence(opened("cc_ancients/akragas"), tmp_path)
    other.go_on(len(writer.match.letters) - 1)
    with pytest.raises(LetterError, match="belongs to another game"):
        reader.match.has_letter(other.writer.match.letters[-1])
    # as if it were of this match
    strange = other.writer.match.letters[-1]
    head = replace(strange.head, game=reader.match.identity, number=len(reader.match.letters) + 1)
    with pytest.raises(LetterError, match="answers another one than was sent"):
        reader.match.take(replace(strange, head=head))
    # again, and one's own
    assert all(writer.match.has_letter(sealed) for sealed in writer.match.letters)
    capsys.readouterr()
    by_mail(writer).report_known_letter(writer.match.letters[-1])
    by_mail(writer).report_known_letter(writer.match.letters[-2])
    told = capsys.readouterr().out
    assert "this letter is your own" in told and "the letter was taken already" in told


def test_a_side_cannot_write_for_the_other(correspondence: Correspondence, tmp_path: Path) -> None:
    """A letter with the other's name on it, encrypted with the other's key, and signed with one's own."""
    reader = LetterBox.open(correspondence.reader.folder)
    forger = LetterBox.open(correspondence.reader.folder).match
    head = replace(
        forger.letters[-1].head,
        number=len(forger.letters) + 1,
        before=forger.letters[-1].digest,
        sender=forger.name,
    )
    stolen = replace(head, sender=forger.other)
    content = forger.contents[-1]
    for one in (head, stolen):
        sealed = forger._ciphers[one.sender].seal(content.encoded(), one.encoded())
        made = Sealed(one, sealed, b"")
        made = replace(made, signature=forger._signer.sign(made.body))
        match = LetterBox.open(correspondence.writer.folder).match
        with pytest.raises(LetterError):
            match.take(made)
    assert reader.match.letters[-1] == correspondence.writer.match.letters[-1]


def test_what_a_letter_is_refused_for_has_czech_words() -> None:
    modules = [*(ROOT / "grognard" / "post").glob("*.py"), Path(by_mail_module.__file__)]
    calls = [
        node
        for module in modules
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said"
    ]
    texts = [call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)]
    assert len(texts) == len(calls) > 30
    assert lacking(*map(str, texts)) == []


def test_a_side_may_be_called_as_the_scenario_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = str(ROOT / "scenarios" / "cc_ancients" / "akragas.yaml")
    assert main(["mail", "begin", scenario, "--side", "Carthage"]) == 0
    assert Path("mail/0001-top.letter").is_file()


def test_messages_are_in_czech(
    correspondence: Correspondence,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    by_mail(correspondence.reopened(correspondence.writer), language="cs").show()
    told = capsys.readouterr().out
    assert "Akragas: hrajete za: " in told and "čeká na odpověď" in told
    Path("noise.letter").write_text("noise")
    assert main(["mail", "take", "noise.letter", "--language", "cs"]) == 2
    assert "není tu žádný dopis hry" in capsys.readouterr().err
