"""Pictures of one's own: what stands in a folder, what is wrong with it, and where it goes in a drawing."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hidden_games import exchanged, hiding
from project import ROOT, placed, setup_of

from grognard.draw.art import Art, ArtError, identifier
from grognard.draw.picture import Picture
from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.draw.svg import Drawing, render
from grognard.places import family
from grognard.retelling.moments import Course
from grognard.retelling.telling import Telling
from runtime.games.game import Game
from runtime.view import view

SCENARIO = "no_retreat/barbarossa_1941"


def png(path: Path, width: int = 4, height: int = 4) -> None:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


def jpeg(path: Path, width: int, height: int) -> None:
    """As much of a JPEG as says how large it is."""
    path.write_bytes(
        b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08"
        + struct.pack(">HH", height, width)
        + bytes(30)
    )


def drawing(art: Art | None = None, state: Any = None) -> Drawing:
    game = Game(placed(SCENARIO), setup_of(SCENARIO), 1)
    style = replace(Style.read(family(ROOT / "rulesets/no_retreat")), art=art)
    shown = game.state if state is None else state
    return Drawing(Picture(game.spec, game.setup, shown, style, None, game.program.value))


def centers() -> dict[str, tuple[float, float]]:
    made = drawing()
    return {label: made.center(h) for h, label in enumerate(made.board.labels)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a map whose pixels are half the units of a drawing, moved by (50, 20)."""
    made = tmp_path / "mine"
    png(made / "map.png", 900, 800)
    places = {label: centers()[label] for label in ("1601", "2222", "0112")}
    lines = [f'  "{label}": [{x / 2 + 50}, {y / 2 + 20}]' for label, (x, y) in places.items()]
    (made / "art.yaml").write_text("ruleset: no_retreat\nhexes:\n" + "\n".join(lines) + "\n")
    return made


def test_a_map_lies_under_the_hexes(folder: Path) -> None:
    art = Art.read(folder)
    a, b, c, d, e, f = art.transform(centers()) or (0.0,) * 6
    for x, y in centers().values():
        px, py = x / 2 + 50, y / 2 + 20
        assert a * px + c * py + e == pytest.approx(x) and b * px + d * py + f == pytest.approx(y)
    text, plain = render(drawing(art).picture), render(drawing().picture)
    assert 'transform="matrix(2.00000,' in text and text.count("data:image/png;base64,") == 1
    # what is printed on a map is not drawn over it; what changes is
    assert text.count('href="#hex"') < plain.count('href="#hex"') / 10
    assert "Leningrad" in plain and "Leningrad" not in text.partition("</svg>")[0]
    flags = re.compile(r"v-19h13")
    assert len(flags.findall(text)) == len(flags.findall(plain)) > 10


def test_counters_are_found_by_name_sort_and_kind(folder: Path) -> None:
    (folder / "art.yaml").write_text('ruleset: no_retreat\ncounters: {Unit: "{counter}-{face}"}\n')
    (folder / "map.png").unlink()
    for name in ("panzer_4-front", "army_16", "18th-Army", "Unit"):
        png(folder / "counters" / f"{name}.png")
    made = drawing(Art.read(folder))
    placed_, tray = made.picture.tokens()
    of = {t.name: t.picture for group in (*placed_.values(), *tray.values()) for t in group}
    assert of["18th-Army"] == "counters/18th-Army.png"
    assert of["16th-Army"] == "counters/army_16.png"
    assert of["4th-Panzer"] == "counters/panzer_4-front.png"
    assert of["9th-Army"] == "counters/Unit.png"
    text = render(made.picture)
    assert text.count("<image ") == 4  # once each, however many counters have it
    assert text.count(f'href="#{identifier("counters/Unit.png")}"') == sum(
        file == "counters/Unit.png" for file in of.values()
    )
    # the back of a counter is another picture
    game = Game(placed(SCENARIO), setup_of(SCENARIO), 1)
    unit = [piece.name for piece in game.setup.pieces["Unit"]].index("4th-Panzer")
    game.state.unit_face[unit] = 1  # type: ignore[attr-defined]
    assert drawing(Art.read(folder), game.state).picture.token("Unit", unit).picture == (
        "counters/Unit.png"
    )


def test_addresses_and_files(folder: Path) -> None:
    png(folder / "cards" / "c1.png")
    (folder / "counters").mkdir()
    jpeg(folder / "counters" / "a b.jpg", 60, 40)
    art = Art.read(folder)
    assert art.with_base("/art/0").address("counters/a b.jpg") == "/art/0/counters/a%20b.jpg"
    assert art.files == {"map.png", "cards/c1.png", "counters/a b.jpg"}
    assert art.content("cards/c1.png")[1] == "image/png"
    for file in ("art.yaml", "../mine/map.png", "/etc/hostname", ""):
        with pytest.raises(ArtError):
            art.content(file)
    assert art.fits(["no_retreat"], "barbarossa_1941") and not art.fits(["cc_ancients"], "akragas")
    assert not replace(art, scenarios=("berlin",)).fits(["no_retreat"], "barbarossa_1941")


def test_cards_have_their_pictures(folder: Path) -> None:
    for number in range(1, 55):
        png(folder / "cards" / f"c{number}.png")
    game = Game(placed(SCENARIO), setup_of(SCENARIO), 1)
    style = Style.read(family(ROOT / "rulesets/no_retreat"))
    for art, size in ((None, 2), (Art.read(folder).with_base("/art/0"), 3)):
        telling = Telling(Course(game, Scene.of_game(game, replace(style, art=art)), None))
        telling.follow(game)
        cards = telling.data["cards"]
        assert cards and all(len(card) == size for card in cards)
    assert all(re.fullmatch(r"/art/0/cards/c\d+\.png", card[2]) for card in cards)


@pytest.mark.parametrize("name", ["blocks", "concealed"])
def test_what_is_not_seen_chooses_no_picture(name: str, tmp_path: Path) -> None:
    """Every piece and everything that it may be has a picture; a side sees the same ones when what it does not see is
    exchanged.
    """
    hidden, kind = hiding(name), "block" if name == "blocks" else "squad"
    spec = hidden.program.spec
    kinds = [k for k in spec.kinds if k.casefold() == kind]
    for piece in hidden.setup.pieces[kinds[0]]:
        png(tmp_path / "counters" / f"{piece.name}.png")
    for members in spec.enums.values():
        for member in members:
            png(tmp_path / "counters" / f"{member}.png")
    (tmp_path / "art.yaml").write_text(f"ruleset: {name}\n")
    style = Style(art=Art.read(tmp_path))
    by_name = 0
    for seed in range(6):
        game, rng = hidden.game(seed, 30), Random(seed)
        for side in (0, 1):
            other = exchanged(name, game.state, side, rng)
            shown = []
            for state in (game.state, other):
                seen = view(state, side)
                picture = Picture(spec, hidden.setup, state, style, seen, hidden.program.value)
                shown.append(
                    [
                        picture.token(kinds[0], i).picture
                        for i in range(len(hidden.setup.pieces[kinds[0]]))
                    ]
                )
            assert shown[0] == shown[1]
            by_name += sum(bool(file) for file in shown[0])
    assert by_name  # those that are seen have some


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "mine/art.yaml holds no keys"),
        ("ruleset: no_retreat\nhexs: {}", "line 2: there is no key 'hexs'"),
        ("hexes: {}", "does not say for what its pictures are"),
        ("ruleset: x\nhexes: {A1: [1, 2], A2: [3, 4]}", "three hexes say where the map lies"),
        ("ruleset: x\nhexes: {A1: [1, 2], A2: [3, 4], A3: [x, y]}", "here are 2"),
        ("ruleset: x\nhexes: {A: [0, 0], B: [50, 50], C: [300, 301]}", "in one line on the picture"),
        ("ruleset: x\nhexes: {A: [0, 0], B: [50, 0], C: [0, 9000]}", "hex 'C' is far beside"),
        ("ruleset: x\nmap: none.png", "mine/none.png cannot be read"),
        ("ruleset: x\nmap: ../map.png", "is no picture in this folder"),
        ("ruleset: x\nmap: map.gif", "is no picture in this folder"),
        ("ruleset: [", "mine/art.yaml, line"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(folder: Path, content: str, message: str) -> None:
    (folder / "art.yaml").write_text(content)
    with pytest.raises(ArtError) as raised:
        Art.read(folder)
    assert message in raised.value.message and raised.value.remedy


@pytest.mark.parametrize(
    ("hexes", "message"),
    [
        ('{"1601": [0, 0], "2222": [400, 700], "9912": [0, 700]}', "the board has no hex '9912'"),
        ('{"1601": [0, 0], "1701": [400, 10], "2001": [0, 300]}', "in one line on the board"),
        ('{"1601": [60, 700], "2222": [700, 780], "0112": [400, 60]}', "seen in a mirror"),
        ('{"1601": [690, 50], "2222": [890, 800], "0112": [600, 400]}', "pulled out of shape"),
    ],
)
def test_a_map_that_does_not_fit(folder: Path, hexes: str, message: str) -> None:
    (folder / "art.yaml").write_text(f"ruleset: no_retreat\nhexes: {hexes}\n")
    with pytest.raises(ArtError, match=message):
        drawing(Art.read(folder))


def test_pictures_that_are_none(folder: Path) -> None:
    (folder / "counters").mkdir()
    for name, content, message in (
        ("a.png", b"<svg/>", "is neither PNG nor JPEG"),
        ("a.jpg", (folder / "map.png").read_bytes(), "not what its name says"),
    ):
        (folder / "counters" / name).write_bytes(content)
        with pytest.raises(ArtError, match=message):
            Art.read(folder)
        (folder / "counters" / name).unlink()
    png(folder / "counters" / "a.png")
    jpeg(folder / "counters" / "a.jpg", 1, 1)
    with pytest.raises(ArtError, match="have one name"):
        Art.read(folder)
    (folder / "counters" / "a.jpg").unlink()
    (folder / "counters" / "a.png").unlink()
    (folder / "counters" / "a.png").symlink_to("/etc/hostname")
    with pytest.raises(ArtError, match="leads out of the folder"):
        Art.read(folder)
    for missing in (folder / "nothing", folder / "map.png"):
        with pytest.raises(ArtError, match="there is no folder"):
            Art.read(missing)


@pytest.mark.parametrize(
    ("counters", "message"),
    [
        ("[a, b]", "given by kinds of pieces"),
        ("{Ship: a}", "there is no kind of pieces 'Ship'"),
        ('{Unit: "{typ}"}', "there is no field or function of Unit 'typ'"),
    ],
)
def test_templates_name_fields(folder: Path, counters: str, message: str) -> None:
    (folder / "map.png").unlink()
    (folder / "art.yaml").write_text(f"ruleset: no_retreat\ncounters: {counters}\n")
    with pytest.raises(ArtError, match=re.escape(message)):
        drawing(Art.read(folder))
