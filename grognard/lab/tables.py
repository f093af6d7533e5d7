"""The tables of results: their columns."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

_WHICH = [("arrangement", pa.int32()), ("game", pa.int32())]
_WORDS, _NUMBERS = pa.list_(pa.string()), pa.list_(pa.int64())

#: What is played, a row for each arrangement.
ARRANGEMENTS: Final = pa.schema(
    [
        ("arrangement", pa.int32()),
        ("scenario", pa.string()),
        ("title", pa.string()),
        ("switches", pa.string()),
        ("rules", pa.string()),
        ("bots", _WORDS),
        ("sides", _WORDS),
        ("names", _WORDS),
        ("swap", pa.bool_()),
        ("rules_hash", pa.string()),
        ("published", pa.float64()),
        ("published_games", pa.int64()),
        ("source", pa.string()),
    ]
)
#: A row for each game, and of those that are watched rows by turn and side, by side, by card that a
#: side held, by option that was offered, by rule that decided something.
TABLES: Final = {
    "games": pa.schema(
        [
            *_WHICH,
            ("seed", pa.string()),
            ("seats", _WORDS),
            ("winners", _WORDS),
            ("first", pa.float64()),
            ("margin", pa.int64()),
            ("result", pa.string()),
            ("ranks", _NUMBERS),
            ("scores", _NUMBERS),
            ("decisions", pa.int32()),
            ("turns", pa.int32()),
            ("seconds", pa.list_(pa.float64())),
            ("ruleset", pa.string()),
            ("record", pa.string()),
        ]
    ),
    "turns": pa.schema(
        [
            *_WHICH,
            ("turn", pa.int32()),
            ("decisions", pa.int32()),
            ("side", pa.string()),
            ("standing", pa.float64()),
            ("score", pa.int64()),
            ("by_chance", pa.float64()),
            ("by_decision", pa.float64()),
        ]
    ),
    "sides": pa.schema(
        [
            *_WHICH,
            ("side", pa.string()),
            ("worth", pa.float64()),
            *((name, pa.int32()) for name in ("moves", "driven", "rolls", "lost", "came")),
            ("strength_lost", pa.int32()),
            ("by_chance", pa.float64()),
            ("by_decision", pa.float64()),
        ]
    ),
    "cards": pa.schema(
        [
            *_WHICH,
            ("side", pa.string()),
            ("card", pa.string()),
            ("title", pa.string()),
            ("held_from", pa.int32()),
            ("played", pa.int32()),
            ("worth", pa.float64()),
        ]
    ),
    "options": pa.schema(
        [
            *_WHICH,
            ("side", pa.string()),
            ("question", pa.string()),
            ("option", pa.string()),
            ("offered", pa.int32()),
            ("taken", pa.int32()),
        ]
    ),
    "rules": pa.schema(
        [*_WHICH, ("rule", pa.string()), ("ids", _WORDS), ("decisions", pa.int32())]
    ),
}
