"""Lists of options in columns."""

from __future__ import annotations

from grognard.fronts.terminal.columns import fold_line, in_columns


def test_columns_are_read_downwards() -> None:
    assert in_columns(list("abcde"), 0, 12)[0] == ["a   b   c   d   e"]
    lines, left = in_columns([f"item {n:2}" for n in range(20)], 80, 12)
    assert lines[0].split("   ")[:2] == ["item  0", "item  3"] and len(lines) == 3
    assert not left


def test_one_long_item_leaves_the_others_their_columns() -> None:
    items = [f"{n:2} 1{n:03}" for n in range(30)]
    items[7] += " Novorossiysk (1st Panzer Army, 2nd Panzer Army)"
    lines, _ = in_columns(items, 80, 12)
    assert len(lines) == 5 and lines[-1] == items[7]
    assert sorted(" ".join(lines).split()) == sorted(" ".join(items).split())


def test_long_lists_are_cut() -> None:
    items = [f"an option of some length, number {n:3}" for n in range(60)]
    lines, left = in_columns(items, 80, 12)
    assert len(lines) == 12 and left == 36
    assert len(in_columns(items, 80, 60)[0]) == 30
    assert in_columns(items[:25], 80, 12) == in_columns(items[:25], 80, 60)


def test_what_is_wider_than_the_terminal_is_folded_behind_its_number() -> None:
    item = " 7 4th-Army 4-4 at 1107 (4:4 = 1:1, no effect 17%, counterattack 17%, exchange 33%, retreat 33%)"
    lines = fold_line(item, 60, 3)
    assert len(lines) == 2 and all(len(line) <= 60 for line in lines)
    assert (
        lines[0].startswith(" 7 4th")
        and lines[1].startswith("   ")
        and " ".join(map(str.strip, lines)) == item.strip()
    )
    assert fold_line(item, 200, 3) == [item]
