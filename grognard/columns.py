"""Lists of options in columns, cut where they are long."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.draw.scene import width_of

#: How many rows of a list are shown at once, and what stands between its columns.
_ROWS, _GAP = 12, 3


def in_columns(items: Sequence[str], width: int, whole: bool = True) -> list[str]:
    """Lines that show *items* in as many columns as fit, read downwards; those much wider than the rest come
    last, each in a line of its own.  Long lists are cut unless *whole*.
    """
    room = max(60, width) - 2
    wide = _usual([width_of(item) for item in items], room)
    count = max(1, min((room + _GAP) // (wide + _GAP), len(items)))
    most = len(items) if whole or len(items) <= count * (_ROWS + 1) else count * _ROWS
    shown = items[:most]
    fitting = [item for item in shown if width_of(item) <= wide]
    rows = -(-len(fitting) // count)
    lines = []
    for row in range(rows):
        line = "".join(item + " " * (wide + _GAP - width_of(item)) for item in fitting[row::rows])
        lines.append(line.rstrip())
    lines += [item for item in shown if width_of(item) > wide]
    if most < len(items):
        lines.append(f"… {len(items) - most} more ('more' shows them)")
    return lines


def _usual(widths: Sequence[int], room: int) -> int:
    """The width of a column that needs the fewest rows, where what is wider has rows of its own."""

    def rows(wide: int) -> int:
        more = sum(w > wide for w in widths)
        count = max(1, (room + _GAP) // (wide + _GAP))
        return more + -(-(len(widths) - more) // count)

    return min(sorted(set(widths), reverse=True), key=rows)
