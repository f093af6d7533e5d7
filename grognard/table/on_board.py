"""What is on the board, as data: the ground, which does not change, counters and markers."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from grognard.draw.highlights import lights
from grognard.draw.scene import Looks, Scene
from grognard.table.content import Counter, Ground, Hex, Mark
from runtime.games.game import Game
from runtime.model import RulesetSpec
from runtime.view import Sight


def counter_places(game: Game, scene: Scene, seen: Sight, looks: Looks) -> dict[str, str | None]:
    """Where each counter stands that somebody sees; None off the board."""
    places = {}
    for kind, index in looks:
        h = scene.hex_of(seen.data, kind, index)
        name = game.setup.pieces[kind][index].name
        places[name] = game.spec.board.label(h) if h >= 0 else None
    return places


def counters(game: Game, scene: Scene, seen: Sight, looks: Looks) -> Iterator[Counter]:
    """The counters that somebody sees."""
    sides, places = game.spec.sides, counter_places(game, scene, seen, looks)
    for (kind, index), token in looks.items():
        name = game.setup.pieces[kind][index].name
        yield Counter(
            piece=name,
            words=game.wording.called(name),
            side=name_of_side(sides, token.side),
            hex=places[name],
            shape=token.shape,
            size=token.size,
            fill=token.fill,
            ink=token.ink,
            label=token.label,
            figures=token.figures,
            marks=tuple(mark for mark, _ in token.marks),
            facing=token.facing,
        )


def markers(spec: RulesetSpec, looks: Looks) -> Iterator[Mark]:
    """The markers on the board."""
    for one in looks.picture.markers() if looks.picture is not None else ():
        side = name_of_side(spec.sides, one.side)
        yield Mark(spec.board.label(one.hex), one.text, one.label, side, one.color)


def ground(game: Game, scene: Scene, bots: Container[int]) -> Ground:
    """What does not change: the game, its sides and its board."""
    board, sides = game.spec.board, game.spec.sides
    return Ground(
        ruleset=game.spec.name,
        title=game.setup.title,
        words=game.wording.called(game.setup.title),
        date=game.wording.called(game.setup.date),
        language=game.wording.language,
        sides={name: scene.side_name(i) for i, name in enumerate(sides)},
        players={name: "bot" if i in bots else "person" for i, name in enumerate(sides)},
        board=board.name,
        flat=not board.pointy,
        hexes=tuple(
            Hex(label, game.wording.place(h), *(round(n, 3) for n in board.center(h)))
            for h, label in enumerate(board.labels)
        ),
        highlights=lights(scene),
    )


def name_of_side(sides: Sequence[str], side: int) -> str | None:
    """The name of a side in the rules; None for nobody."""
    return sides[side] if side >= 0 else None
