"""Dice and decks."""

from __future__ import annotations

from compiler.check.context import Context
from dsl import nodes as n
from dsl.diagnostics import Unknown, did_you_mean
from runtime.model import DeckSpec, DieSpec, PileSpec

#: Dice have up to a hundred faces; this leaves room for chances in thousandths.
_MOST_FACES = 1000
#: Decks have a few hundred cards at most.
_MOST_CARDS = 10_000


def check_die(ctx: Context, decl: n.Die) -> None:
    """Enter a die with its faces."""
    ctx.cite(f"die {decl.name}", decl.rules)
    if decl.enum is None:
        faces = tuple(range(decl.low, decl.high + 1)) if decl.high - decl.low < _MOST_FACES else ()
        if decl.high < decl.low:
            ctx.error("F404", "this die has no faces", decl.span, "write the lower number first")
        elif not faces:
            _too_many_faces(ctx, decl, decl.high - decl.low + 1)
        ctx.program.dice[decl.name.text] = DieSpec(decl.name.text, None, faces or (0,))
        return
    members = ctx.program.enums.get(decl.enum.text)
    if members is None:
        ctx.unknown("R203", "enum", decl.enum, ctx.program.enums)
        return
    ctx.used.add(decl.enum.text)
    weights = dict(decl.weights)
    for name in weights:
        if name not in members:
            message = f"'{name}' is not a member of {decl.enum}"
            ctx.strange("F402", message, name, decl.span, members, "")
    total = sum(weights.get(m, 0) for m in members) if weights else len(members)
    if total > _MOST_FACES:
        _too_many_faces(ctx, decl, total)
        weights = {}
    faces = tuple(
        i for i, m in enumerate(members) for _ in range(weights.get(m, 0) if weights else 1)
    )
    ctx.program.dice[decl.name.text] = DieSpec(decl.name.text, decl.enum.text, faces or (0,))


def _too_many_faces(ctx: Context, decl: n.Die, count: int) -> None:
    message = f"a die has at most {_MOST_FACES} faces, this one has {count}"
    ctx.error("F404", message, decl.span, "divide the weights by a common number")


def check_deck(ctx: Context, decl: n.Deck) -> None:
    """Enter a deck with its cards and piles."""
    program = ctx.program
    if decl.enum.text not in program.enums:
        ctx.unknown("R203", "enum", decl.enum, program.enums)
        return
    enum = decl.enum.text
    column = program.columns.get((enum, decl.copies.text))
    if column is None or column.type.kind != "int":
        meant = did_you_mean(decl.copies.text, [c for e, c in program.columns if e == enum])
        others = [
            e
            for (e, c), col in program.columns.items()
            if c == decl.copies.text and col.type.kind == "int"
        ]
        span = decl.copies.span
        if not meant and len(others) == 1:
            (enum,) = others  # what is said of the cards would follow from this
            meant, span = f"did you mean 'deck {decl.name} of {enum}'?", decl.enum.span
        ctx.error(
            "F406",
            f"'{decl.copies}' is not a number column of a table of {decl.enum}",
            span,
            meant or "add such a column",
            about=(Unknown(decl.copies.text),) if column is None else (),
            types=(column.type,) if column is not None else (),
        )
        copies = tuple(1 for _ in program.enums[enum])
    else:
        copies = column.values
        ctx.used.add(f"{enum}.{decl.copies.text}")
        total = sum(copies)
        if total > _MOST_CARDS:
            message = f"a deck has at most {_MOST_CARDS} cards, this one has {total}"
            ctx.error("F404", message, decl.copies.span, "give fewer copies")
            copies = tuple(1 for _ in copies)
    piles: list[PileSpec] = []
    for pile in decl.piles:
        if pile.per is not None and pile.per.text not in program.enums:
            ctx.unknown("R203", "enum", pile.per, program.enums)
            continue
        if pile.name.text in program.piles:
            remedy = "piles have names of their own, whatever deck they belong to"
            ctx.error("R104", f"there is another pile '{pile.name}'", pile.name.span, remedy)
            continue
        per = pile.per.text if pile.per else None
        if pile.visibility == "owner" and (pile.per is None or pile.per.text != "Side"):
            message = f"pile '{pile.name}' has no owner who could see it"
            ctx.error("T301", message, pile.span, f"write: pile {pile.name} per Side owner")
            per = "Side"
        spec = PileSpec(
            decl.name.text, pile.name.text, enum, per, pile.visibility, f"pile_{pile.name.text}"
        )
        piles.append(spec)
        program.piles[pile.name.text] = spec
    if not piles and decl.piles:
        return
    if not piles or decl.piles[0].per is not None:
        ctx.error(
            "F407",
            f"deck {decl.name} needs a first pile that is not kept per side: its cards start there",
            decl.span,
            "add: pile stock hidden",
        )
        return
    ctx.cite(f"deck {decl.name}", decl.rules)
    program.decks[decl.name.text] = DeckSpec(decl.name.text, enum, copies, tuple(piles))


def check_pile_names(ctx: Context, decls: list[n.Decl]) -> None:
    """Report piles that cannot be named, since something else that has a value is called so."""
    program = ctx.program
    for pile in (pile for decl in decls if isinstance(decl, n.Deck) for pile in decl.piles):
        name = pile.name.text
        others = {
            "field of the game": ("Game", name) in program.fields
            or ("Game", name) in program.keyed,
            "switch": name in program.switches,
            "member of " + " and of ".join(ctx.members.get(name, ())): name in ctx.members,
            "kind of pieces": name in program.kinds or name in program.parents,
            "enum": name in program.enums,
        }
        other = next((what for what, there in others.items() if there), None)
        if other is not None and name in program.piles:
            article = "an" if other[0] in "aeiou" else "a"
            del program.piles[name]
            ctx.poisoned.add(name)
            message = f"pile '{name}' is also {article} {other}"
            ctx.error("R104", message, pile.name.span, "rename one of the two")
