"""Loops over pieces that ask only for those near a hex: these can be found by what stands there,
instead of by asking every piece.  The conditions of the loop stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler import ir
from compiler.trees import conjuncts, locals_of, walk

#: How far away it may be that pieces are looked for by the hexes around.
_FAR = 3
#: What cannot fail, so that it does not matter whether pieces far away are asked for it.
_SURE = (
    ir.Const
    | ir.Weight
    | ir.Local
    | ir.Get
    | ir.Col
    | ir.Compare
    | ir.Not
    | ir.Logic
    | ir.In
    | ir.Widen
    | ir.At
)
_SURE_SERVICES = ("distance", "adjacent", "row", "column", "opponent", "neighbors")
_FLIPPED = {">=": "<=", ">": "<", "==": "=="}


@dataclass(frozen=True)
class SearchArea:
    """The pieces of a kind that stand at a hex or up to so many hexes away."""

    kind: str
    hex: ir.Expr
    far: int
    #: whether at most one piece stands on a hex, but for what is put off
    alone: bool

    @property
    def worth(self) -> int:
        """The number of pieces above which it costs less than asking all."""
        return 12 + 2 * (1 + 3 * self.far * (self.far + 1))


def search_area(
    program: ir.Program, source: ir.Expr, var: str, where: ir.Expr | None
) -> SearchArea | None:
    """Where all pieces of a kind that pass *where* stand; None where it does not say."""
    kind = source.type.of
    if not isinstance(source, ir.Members) or kind is None or kind.kind != "piece":
        return None
    place = program.place_of(kind.name)
    if place is None or place.fixed or place.seen_by is not None:
        return None
    placed = False
    for condition in conjuncts(where):
        hex, far = _distance_limit(condition, place.name, var)
        if hex is not None and (placed or far == 1):
            return SearchArea(kind.name, hex, far, place.alone)
        if not all(isinstance(part, _SURE) or _is_sure(part) for part in walk(condition)):
            return None
        placed = placed or _is_placed(condition, place.name, var)
    return None


def _is_sure(e: ir.Expr) -> bool:
    return isinstance(e, ir.Service) and e.name in _SURE_SERVICES


def _is_place(e: ir.Expr, place: str, var: str) -> bool:
    return (
        isinstance(e, ir.Get)
        and e.field.name == place
        and isinstance(e.owner, ir.Local)
        and e.owner.name == var
    )


def _is_placed(e: ir.Expr, place: str, var: str) -> bool:
    """Whether a condition says that the piece is on the board."""
    match e:
        case ir.Compare("!=", one, ir.Const(value=-1)) | ir.Compare("!=", ir.Const(value=-1), one):
            return _is_place(one, place, var)
    return False


def _distance_limit(e: ir.Expr, place: str, var: str) -> tuple[ir.Expr | None, int]:
    """The hex near which a condition wants the piece, and how far away it may be."""
    match e:
        case ir.Service(name="adjacent", args=pair):
            far = 1
        case ir.Compare(op, ir.Service(name="distance", args=pair), ir.Const(value=far)):
            pass
        case ir.Compare(turned, ir.Const(value=far), ir.Service(name="distance", args=pair)):
            op = _FLIPPED.get(turned, "")
        case _:
            return None, 0
    if isinstance(e, ir.Compare):
        if op not in ("<=", "<", "=="):
            return None, 0
        far -= op == "<"
        if not 1 <= far <= _FAR:
            return None, 0
    for one, other in (pair, pair[::-1]):
        if _is_place(one, place, var) and _is_plain(other) and var not in locals_of(other):
            # at distance 1 of no hex there is nobody; up to it there is who is off the board
            return other, far
    return None, 0


def _is_plain(e: ir.Expr) -> bool:
    """Whether a hex is found by reading alone."""
    return isinstance(e, ir.Local) or (
        isinstance(e, ir.Get) and isinstance(e.owner, ir.Local | None)
    )
