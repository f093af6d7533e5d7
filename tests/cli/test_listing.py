"""Lists of options in columns."""

from __future__ import annotations

from grognard.listing import in_columns


def test_columns_are_read_downwards() -> None:
    assert in_columns(list("abcde"), 0) == ["a   b   c   d   e"]
    lines = in_columns([f"item {n:2}" for n in range(20)], 80)
    assert lines[0].split("   ")[:2] == ["item  0", "item  3"] and len(lines) == 3


def test_one_long_item_leaves_the_others_their_columns() -> None:
    items = [f"{n:2} 1{n:03}" for n in range(30)]
    items[7] += " Novorossiysk (1st Panzer Army, 2nd Panzer Army)"
    lines = in_columns(items, 80)
    assert len(lines) == 5 and lines[-1] == items[7]
    assert sorted(" ".join(lines).split()) == sorted(" ".join(items).split())


def test_long_lists_are_cut() -> None:
    items = [f"an option of some length, number {n:3}" for n in range(60)]
    lines = in_columns(items, 80, whole=False)
    assert len(lines) == 13 and lines[-1] == "… 36 more ('more' shows them)"
    assert len(in_columns(items, 80)) == 30
    assert in_columns(items[:25], 80, whole=False) == in_columns(items[:25], 80)
