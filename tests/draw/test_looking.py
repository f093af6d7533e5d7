"""What `look` tells of a piece."""

from grognard.draw.scene import Scene
from grognard.draw.style import Style
from grognard.table.inspection import look
from grognard.table.situation import strict_calls
from runtime.games.game import Game
from runtime.view import Unseen, view
from tests.project import ROOT, placed, setup_of

BATTLE = "battles_of_westeros/clash_on_the_kingsroad"


def test_members_are_told_with_what_their_texts_say() -> None:
    game = Game(placed(BATTLE), setup_of(BATTLE), 1)
    scene = Scene(game.spec, game.setup, game.wording)
    scene.style = Style.read([ROOT / "rulesets" / "battles_of_westeros"])
    seen = view(game.state, 0)
    lines = list(map(str, look(scene, seen.data, "Maege", strict_calls(game, seen))))
    assert "  what he can do: Holds Ground (Her unit is Stalwart.)" in lines
    stalwart = "Stalwart (may ignore one morale result, and may counterattack)"
    advance = "Advance (may enter the hex of a target that it has destroyed or driven off)"
    assert f"  keywords: {stalwart}, {advance}" in lines
    assert "  rank: blue" in lines


def test_what_hangs_on_something_hidden_is_not_told() -> None:
    game = Game(placed(BATTLE), setup_of(BATTLE), 1)
    scene = Scene(game.spec, game.setup, game.wording)
    scene.style = Style.read([ROOT / "rulesets" / "battles_of_westeros"])

    def unseen(name: str, args: object) -> int:
        raise Unseen

    lines = look(scene, view(game.state, 0).data, "Maege", unseen)
    assert "  keywords: not seen" in map(str, lines)
