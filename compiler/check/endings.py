"""How blocks end: what never goes on, what can leave a repetition, what always gives a value."""

from __future__ import annotations

from compiler import ir
from dsl import nodes as n


def ends(stmt: ir.Stmt) -> bool:
    """Whether nothing runs after *stmt* in its block."""
    if isinstance(stmt, ir.IfStmt):
        return bool(stmt.then and stmt.orelse) and ends(stmt.then[-1]) and ends(stmt.orelse[-1])
    return isinstance(stmt, ir.Return | ir.Stop | ir.Finish)


def can_leave(body: tuple[n.Stmt, ...]) -> bool:
    """Whether a repetition's body holds a step that can end it (or the whole game, through a call)."""
    stack: list[n.Node] = list(body)
    while stack:
        node = stack.pop()
        ended = n.Stop | n.Leave | n.Return | n.Win | n.Lose | n.Tie
        if isinstance(node, ended | n.Do | n.LetDo | n.SetDo):
            return True
        stack.extend(n.children(node))
    return False


def always_returns(body: tuple[ir.Stmt, ...]) -> bool:
    for stmt in body:
        if isinstance(stmt, ir.Return | ir.Finish):
            return True
        if isinstance(stmt, ir.IfStmt) and always_returns(stmt.then) and always_returns(stmt.orelse):
            return True
        if isinstance(stmt, ir.Repeat) and stmt.times is None and not _has_stop(stmt.body):
            return True
    return False


def _has_stop(body: tuple[ir.Stmt, ...]) -> bool:
    for stmt in body:
        if isinstance(stmt, ir.Stop):
            return True
        if isinstance(stmt, ir.IfStmt) and (_has_stop(stmt.then) or _has_stop(stmt.orelse)):
            return True
        if isinstance(stmt, ir.Together) and _has_stop(stmt.body):
            return True
        if isinstance(stmt, ir.Choose) and _has_stop(stmt.orelse):
            return True
    return False
