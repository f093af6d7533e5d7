"""A game by post: two commands in two folders, with letters that come as they are, or altered."""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from correspondence import by_mail
from project import ROOT

from grognard.fronts.cli.main import main
from grognard.opening import open_scenario

pytest.importorskip("cryptography")

from grognard.post.ciphers import Agreement, Cipher
from grognard.post.letter_box import LetterBox
from grognard.post.letters import Content, LetterError, Sealed, read_letters
from grognard.post.match import Match
from grognard.post.pledges import Chain, Signer, is_next_link, is_signed, joint_seed
from runtime.errors import GrognardError

SIDES = {"blue": "a", "red": "b"}


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where both sides have their folders."""
    monkeypatch.setenv("GROGNARD_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    assert main(["new", "tiny"]) == 0
    return tmp_path


def mail(*arguments: str) -> int:
    return main(["mail", *arguments])


def letters(folder: str) -> list[Path]:
    return sorted(Path(folder).glob("*.letter"))


def begun(number: int) -> Path:
    """A game as far as this letter, which is written and not taken."""
    assert mail("begin", "tiny/first", "--side", "blue", "--folder", "a") == 0
    while True:
        folder, other = ("a", "b") if len(letters("a")) > len(letters("b")) else ("b", "a")
        last = letters(folder)[-1]
        if len(letters(folder)) == number:
            return last
        assert mail("take", str(last), "--folder", other, "--bot", "random") == 0


def taker(letter: Path) -> str:
    return "b" if letter.parent.name == "a" else "a"


def test_nobody_hands_over_at_a_terminal(room: Path) -> None:
    """The other side sits elsewhere."""
    letter = begun(2)
    here, there = pty.openpty()
    os.write(here, b"quit\n")
    words = ["-m", "grognard", "mail", "take", str(letter), "--folder", "a"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *words],
        stdin=there,
        stdout=there,
        stderr=there,
        env=environment,
        timeout=60,
    )
    os.close(there)
    said = ""
    with suppress(OSError):  # at the end
        while part := os.read(here, 1 << 16):
            said += part.decode(errors="replace")
    os.close(here)
    assert done.returncode == 0 and "saved" in said
    assert "looks away" not in said


def test_a_whole_game_ends_alike_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert mail("begin", "tiny/first", "--side", "blue", "--folder", "a") == 0
    folder, other = "a", "b"
    while True:
        before = len(letters(folder))
        assert mail("take", str(letters(folder)[-1]), "--folder", other, "--bot", "greedy") == 0
        folder, other = other, folder
        if len(letters(folder)) == before:
            break
        assert len(letters(folder)[-1].read_bytes()) < 4096
    texts = []
    for side in "ab":
        capsys.readouterr()
        assert mail("show", "--folder", side) == 0
        texts.append(capsys.readouterr().out.partition("\n")[2])
    assert texts[0] == texts[1] and "verified" in texts[0]
    games = [LetterBox.open(Path(side)).match.game for side in "ab"]
    assert games[0] and games[1] and games[0].over
    assert games[0].state.hash() == games[1].state.hash()
    assert games[0].entries() == games[1].entries()


def test_mail_programs_may_wrap_and_quote() -> None:
    letter = begun(3)
    text = letter.read_text()
    wrapped = re.sub(r"(?m)^([A-Za-z0-9+/]{40})([A-Za-z0-9+/]+)$", r"\1\n\2", text)
    quoted = "On Monday somebody wrote:\r\n" + "".join(f"> {x}\r\n" for x in wrapped.split("\n"))
    Path("quoted.txt").write_text(quoted, newline="")
    assert mail("take", "quoted.txt", "--folder", taker(letter), "--bot", "random") == 0
    assert letters("b")[2].name == letter.name


def refused(letter: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Why a letter is not taken; the folder stays as it was, and takes the true one."""
    folder = taker(letter)
    before = [path.read_bytes() for path in letters(folder)]
    capsys.readouterr()
    assert mail("take", "forged.letter", "--folder", folder, "--bot", "random") == 2
    told = capsys.readouterr().err
    assert "remedy: " in told
    assert [path.read_bytes() for path in letters(folder)] == before
    assert mail("take", str(letter), "--folder", folder, "--bot", "random") == 0
    return told


def forge(letter: Path, signing: bool = True, **changes: object) -> None:
    """A letter that says something else; signed and encrypted again by its writer, or only changed
    on the way."""
    match = LetterBox.open(letter.parent).match
    sealed, content = match.letters[-1], match.contents[-1]
    of_content = {key: value for key, value in changes.items() if hasattr(content, key)}
    of_head = {key: value for key, value in changes.items() if key not in of_content}
    head = replace(sealed.head, **of_head)  # type: ignore[arg-type]
    encrypted = sealed.encrypted
    if signing and match.contents[-1] != Content():
        changed = replace(content, **of_content)  # type: ignore[arg-type]
        encrypted = match._ciphers[match.name].seal(changed.encoded(), head.encoded())
    forged = Sealed(head, encrypted, sealed.signature)
    if signing:
        forged = replace(forged, signature=match._signer.sign(forged.body))
    Path("forged.letter").write_text(forged.write([]))


def test_who_alters_a_letter_on_the_way_is_found_out(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(5)
    sealed = read_letters(letter.read_text())[0]
    encrypted = sealed.encrypted[:-1] + bytes([sealed.encrypted[-1] ^ 1])
    Path("forged.letter").write_text(replace(sealed, encrypted=encrypted).write([]))
    assert "its signature is wrong" in refused(letter, capsys)


def test_a_damaged_letter_is_asked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(4)
    lines = letter.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if "BEGIN" in line) + 2
    lines[at] = lines[at][::-1]
    Path("forged.letter").write_text("\n".join(lines))
    assert "damaged on the way" in refused(letter, capsys)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"link": "ab" * 32}, "link that was promised"),
        ({"before": "cd" * 32}, "answers another one"),
        ({"stand": "0" * 16}, "have parted"),
        ({"number": 7}, "is missing"),
        ({"game": "another"}, "another game"),
        ({"plays": ["fly away"]}, "cannot be chosen"),
        ({"pending": "fly away"}, "cannot be chosen"),
        ({"pending": ""}, "ends before it should"),
    ],
)
def test_a_side_that_cheats_is_found_out(
    changes: dict[str, object], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = begun(5)
    forge(letter, **changes)
    assert why in refused(letter, capsys)


def test_a_side_is_bound_to_what_it_has_sent_first(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(4)
    other = taker(letter)
    assert mail("take", str(letter), "--folder", other, "--bot", "random") == 0
    forge(letter, stand="0" * 16)
    capsys.readouterr()
    assert mail("take", "forged.letter", "--folder", other) == 2
    assert "sent first" in capsys.readouterr().err
    assert mail("take", str(letter), "--folder", other) == 0
    assert "taken already" in capsys.readouterr().out


def test_a_forged_invitation_leaves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(1)
    forge(letter, signing=False, game="another")
    capsys.readouterr()
    assert mail("take", "forged.letter", "--folder", "b") == 2
    assert "its signature is wrong" in capsys.readouterr().err and not Path("b").exists()
    assert mail("take", str(letter), "--folder", "b") == 0


def test_a_letter_that_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(3)
    first = letters("a")[0]
    capsys.readouterr()
    assert mail("take", str(letter), "--folder", "c") == 2
    assert "begins none" in capsys.readouterr().err
    assert mail("take", str(first), "--folder", "c") == 0


def test_dice_come_of_both_links_and_no_letter_shows_the_next() -> None:
    chains = [Chain(b"a" * 32), Chain(b"b" * 32)]
    links = [chains[0].link(n) for n in range(50)]
    assert all(is_next_link(after, before) for before, after in pairwise(links))
    assert not is_next_link(links[2], links[0]) and not is_next_link("x" * 64, links[0])
    seeds = {
        joint_seed("g", 4, mine, other)
        for mine in links[:5]
        for other in (chains[1].link(1), chains[1].link(2))
    }
    assert len(seeds) == 10 and all(seed >> 127 == 1 for seed in seeds)


def rolls(match: Match) -> bool:
    """Whether dice are rolled for the decision that the last letter ends with."""
    assert match.game is not None
    tried = match.game.copy()
    if match.pending:
        tried.play(match.pending)
    return tried.state.counters != match.game.state.counters


def test_who_decides_is_bound_before_chance_is_known() -> None:
    """Whatever the other's chain is, the letter with the decision is the same: it knows nothing."""
    number, letter = 3, begun(3)
    while not rolls(match := LetterBox.open(letter.parent).match):
        if match.is_over:
            shutil.rmtree("a")
            shutil.rmtree("b")
            number, letter = 3, begun(3)
        folder = taker(letter)
        assert mail("take", str(letter), "--folder", folder, "--bot", "random") == 0
        number, letter = number + 1, letters(folder)[-1]
    box, answer = LetterBox.open(letter.parent), LetterBox.open(Path(taker(letter)))
    said = box.match.contents[-1]
    next_link = answer.match._chain.link((number + 1) // 2)
    shown = "".join(path.read_text() for path in letters(str(box.folder)))
    private = (box.folder / "private.json").read_text() + shown
    assert next_link not in private
    assert all(next_link not in str(one) for one in box.match.contents)
    hashes = set()
    for other in (bytes([byte]) * 32 for byte in range(40)):  # a shot misses often
        assert box.match.game is not None
        game = box.match.game.copy()
        game.state.seed = joint_seed("g", number, said.link, Chain(other).link(1))
        game.play(said.pending)
        hashes.add(str(game.entries()) + game.state.hash())
    assert len(hashes) > 1


def test_a_killed_program_goes_on_where_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    letter = begun(3)
    for path in list(Path("b").glob("*")):
        (Path("c") / path.name).parent.mkdir(exist_ok=True)
        (Path("c") / path.name).write_bytes(path.read_bytes())
    sealed = read_letters(letter.read_text())[0]
    box = LetterBox.open(Path("c"))
    box.match.take(sealed)
    box.keep(sealed, [])  # and the program is killed before it answers
    capsys.readouterr()
    assert mail("show", "--folder", "c") == 0
    assert "mail play" in capsys.readouterr().out
    assert mail("play", "--folder", "c", "--bot", "random") == 0
    assert len(letters("c")) == 4


def test_of_two_commands_in_a_folder_one_writes_the_letter(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What the first has written may be with the other side: the second does not replace it."""
    letter = begun(3)
    assert mail("take", str(letter), "--folder", "b") == 0  # stopped at the prompt
    second = LetterBox.open(Path("b"))
    assert mail("play", "--folder", "b", "--bot", "random") == 0
    written = letters("b")[-1]
    sent = written.read_bytes()
    capsys.readouterr()
    with pytest.raises(GrognardError, match="another command") as refused:
        by_mail(second, "random").go_on()
    assert "mail show" in str(refused.value.remedy) and written.read_bytes() == sent
    assert mail("take", str(written), "--folder", "a", "--bot", "random") == 0


@pytest.mark.long
def test_hostile_letters_never_crash() -> None:
    letter = begun(5)
    box, folder = LetterBox.open(letter.parent), Path(taker(letter))
    sealed, content = box.match.letters[-1], box.match.contents[-1]
    cipher, signer = box.match._ciphers[box.match.name], box.match._signer
    values: list[object] = [
        "",
        "x" * 3000,
        [],
        {},
        None,
        -1,
        5,
        [[]],
        "ff" * 32,
        ["move"],
        1 << 70,
        True,
    ]
    heads = ("number", "before", "sender", "game", "rules", "key", "exchange", "anchor")
    for name in (*heads, "link", "plays", "stand", "pending"):
        for value in values:
            head, said = sealed.head, content
            if name in heads:
                head = replace(head, **{name: value})  # type: ignore[arg-type]
            else:
                said = replace(said, **{name: value})  # type: ignore[arg-type]
            made = Sealed(head, cipher.seal(said.encoded(), head.encoded()), b"")
            text = replace(made, signature=signer.sign(made.body)).write([])
            match = LetterBox.open(folder).match
            try:
                (one,) = read_letters(text)
                if not match.has_letter(one):
                    match.take(one)
            except GrognardError:
                continue
            assert match.contents[-1] == content
    for junk in ("", "-----BEGIN GROGNARD LETTER-----", "[" * 100_000, "\0" * 50):
        with pytest.raises(LetterError):
            read_letters(junk)
    for data in (b"", b"[" * 100_000, b'{"plays": 5}', b'{"fly": ""}', b"\xff"):
        with pytest.raises(LetterError):
            Content.read(data + b" " * (-len(data) % 1024) if data else data)


def test_signatures_are_of_their_keys_alone() -> None:
    ours, theirs = Signer(b"a" * 32), Signer(b"b" * 32)
    signature = ours.sign(b"text")
    assert is_signed(b"text", signature, ours.public)
    assert not is_signed(b"text", signature, theirs.public)
    assert not is_signed(b"texts", signature, ours.public)
    assert not is_signed(b"text", b"", "zz")


def test_only_the_two_sides_agree_on_their_keys() -> None:
    ours, theirs, others = (Agreement(name * 32) for name in (b"a", b"b", b"c"))
    one = ours.ciphers(theirs.public, "game", ("red", "blue"))
    two = theirs.ciphers(ours.public, "game", ("red", "blue"))
    sealed = one["red"].seal(b"text", b"head")
    assert two["red"].open(sealed, b"head") == b"text"
    strangers: list[tuple[Cipher, bytes]] = [
        (two["blue"], b"head"),
        (two["red"], b"another head"),
        (theirs.ciphers(ours.public, "another game", ("red",))["red"], b"head"),
        (others.ciphers(ours.public, "game", ("red",))["red"], b"head"),
    ]
    for cipher, beside in strangers:
        with pytest.raises(ValueError, match="altered"):
            cipher.open(sealed, beside)
    for key in ("", "zz", "00" * 32):
        with pytest.raises(ValueError):
            ours.ciphers(key, "game", ("red",))


def test_what_is_not_sent_yet_is_kept_sealed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = begun(3)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    assert mail("take", str(letter), "--folder", taker(letter)) == 0
    box = LetterBox.open(Path(taker(letter)))
    box.match.open()
    box.resume()
    draft = box.folder / "draft.sealed"
    assert box.match.decided and box.match.decided[0] not in draft.read_text()
    kept = draft.read_text()
    draft.write_text(kept[:8] + ("A" if kept[8] != "A" else "B") + kept[9:])
    capsys.readouterr()
    assert mail("play", "--folder", str(box.folder), "--bot", "random") == 2
    assert "altered or damaged" in capsys.readouterr().err
    draft.unlink()
    assert mail("play", "--folder", str(box.folder), "--bot", "random") == 0
    assert not draft.exists()


def test_a_ruleset_of_other_than_two_sides_is_refused(room: Path) -> None:
    assert main(["new", "crowd", "--sides", "a,b,c"]) == 0
    with pytest.raises(GrognardError, match="cannot be played by post"):
        Match(open_scenario("crowd/first"), 0, b"x" * 32, "game")
