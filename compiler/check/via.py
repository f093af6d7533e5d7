"""Travels that go over a certain hex (``reach t(…) via v``): as those declared, carrying along whether they
have been there.
"""

from __future__ import annotations

from dataclasses import replace

from compiler import ir
from compiler.check.draft import Draft
from compiler.ir.travels import Carried
from compiler.types import BOOL, HEX, NONE_TYPE
from runtime.model import NONE


def enter_via(program: Draft, name: str) -> str:
    """The name of the travel that is as the one called *name* and goes over a certain hex; :func:`check_via`
    makes it.
    """
    known = next((t.name for t in program.travels.values() if t.via_of == name), None)
    if known is None:
        known = f"{name}__via"
        while known in program.travels:
            known += "_"
        plain = program.travels[name]
        taken = {p.name for p in plain.params}
        hex_ = next(f"via{'_' * n}" for n in range(2, 99) if f"via{'_' * n}" not in taken)
        program.travels[known] = replace(
            plain, name=known, params=[*plain.params, ir.ParamInfo(hex_, HEX.maybe())], via_of=name
        )
    return known


def check_via(program: Draft) -> None:
    """Make the travels that go over a certain hex: they carry along whether they have been there, and end
    only then.
    """
    for travel in list(program.travels.values()):
        if travel.via_of is None:
            continue
        plain, over = program.travels[travel.via_of], ir.Local(travel.params[-1].name, type=HEX.maybe())
        been = Carried("via", BOOL, _there(plain.origin, over), f"{over.name}before", f"{over.name}after")
        before, after = (ir.Local(name, type=BOOL) for name in (been.before, been.after))
        there = _there(ir.Local(plain.there, type=HEX), over)
        travel.origin, travel.budget, travel.here, travel.there = (
            plain.origin,
            plain.budget,
            plain.here,
            plain.there,
        )
        travel.enter, travel.cost, travel.halt = plain.enter, plain.cost, plain.halt
        travel.end = (
            after if plain.end is None else ir.Logic("and", after, plain.end, type=BOOL, span=plain.end.span)
        )
        travel.carried = (*plain.carried, been)
        travel.then = (*plain.then, ir.Logic("or", before, there, type=BOOL))
        travel.stays = tuple(replace(stay, then=(*stay.then, before)) for stay in plain.stays)


def _there(hex: ir.Expr, over: ir.Expr) -> ir.Expr:
    """Whether a hex is the one to go over, which may be none."""
    somewhere = ir.Compare("!=", over, ir.Const(NONE, type=NONE_TYPE), type=BOOL)
    return ir.Logic("and", somewhere, ir.Compare("==", hex, over, type=BOOL), type=BOOL)
