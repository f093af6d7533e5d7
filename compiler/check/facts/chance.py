"""Dice and decks."""

from __future__ import annotations

from compiler.check.context import Context
from dsl import nodes as n
from dsl.diagnostics import Unknown, did_you_mean
from runtime.model import DeckSpec, DieSpec, PileSpec
from runtime.words.said import AND_OF, join_with_word, said

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
    members = ctx.look_up("enum", decl.enum, ctx.program.enums, "R203")
    if members is None:
        return
    ctx.use(decl.enum.text, decl.enum.span)
    weights = dict(decl.weights)
    for name in weights:
        if name not in members:
            message = said("'{name}' is not a member of {enum}", name=name, enum=decl.enum)
            ctx.report_unmatched("F402", message, name, decl.span, members, "")
    total = sum(weights.get(m, 0) for m in members) if weights else len(members)
    if total > _MOST_FACES:
        _too_many_faces(ctx, decl, total)
        weights = {}
    counts = [weights.get(m, 0) if weights else 1 for m in members]
    faces = tuple(i for i, count in enumerate(counts) for _ in range(count))
    ctx.program.dice[decl.name.text] = DieSpec(decl.name.text, decl.enum.text, faces or (0,))


def _too_many_faces(ctx: Context, decl: n.Die, count: int) -> None:
    message = said(
        "a die has at most {most_faces} faces, this one has {count}",
        most_faces=_MOST_FACES,
        count=count,
    )
    ctx.error("F404", message, decl.span, "divide the weights by a common number")


def _copies(ctx: Context, decl: n.Deck) -> tuple[str, tuple[int, ...]]:
    """The enum of the cards of a deck, and how many there are of each."""
    program, enum, name = ctx.program, decl.enum.text, decl.copies.text
    column = program.columns.get((enum, name))
    if column is not None and column.type.kind == "int":
        ctx.use(f"{enum}.{name}", decl.copies.span)
        total = sum(column.values)
        if total <= _MOST_CARDS:
            return enum, column.values
        message = said(
            "a deck has at most {most_cards} cards, this one has {total}",
            most_cards=_MOST_CARDS,
            total=total,
        )
        ctx.error("F404", message, decl.copies.span, "give fewer copies")
    else:
        near = did_you_mean(name, [c for e, c in program.columns if e == enum])
        numbers = [key for key, col in program.columns.items() if col.type.kind == "int"]
        others = [e for e, c in numbers if c == name]
        span = decl.copies.span
        if not near and len(others) == 1:
            (enum,) = others  # what is said of the cards would follow from this
            near, span = (
                said("did you mean 'deck {name} of {enum}'?", name=decl.name, enum=enum),
                decl.enum.span,
            )
        message = said(
            "'{name}' is not a number column of a table of {enum}", name=name, enum=decl.enum
        )
        about = (Unknown(name),) if column is None else ()
        types = (column.type,) if column is not None else ()
        ctx.error("F406", message, span, near or "add such a column", about=about, types=types)
    return enum, (1,) * len(program.enums[enum])


def check_deck(ctx: Context, decl: n.Deck) -> None:
    """Enter a deck with its cards and piles."""
    program = ctx.program
    if ctx.look_up("enum", decl.enum, program.enums, "R203") is None:
        return
    enum, copies = _copies(ctx, decl)
    piles: list[PileSpec] = []
    for pile in decl.piles:
        if pile.per is not None and ctx.look_up("enum", pile.per, program.enums, "R203") is None:
            continue
        if pile.name.text in program.piles:
            remedy = "piles have names of their own, whatever deck they belong to"
            ctx.error(
                "R104",
                said("there is another pile '{name}'", name=pile.name),
                pile.name.span,
                remedy,
            )
            continue
        per = pile.per.text if pile.per else None
        if pile.visibility == "owner" and (pile.per is None or pile.per.text != "Side"):
            message = said("pile '{name}' has no owner who could see it", name=pile.name)
            ctx.error(
                "T301",
                message,
                pile.span,
                said("write: pile {name} per Side owner", name=pile.name),
            )
            per = "Side"
        name = pile.name.text
        spec = PileSpec(decl.name.text, name, enum, per, pile.visibility, f"pile_{name}")
        piles.append(spec)
        program.piles[name] = spec
    if not piles and decl.piles:
        return
    if not piles or decl.piles[0].per is not None:
        needs = said("deck {name} needs a first pile that is not kept per side", name=decl.name)
        message = said("{needs}: its cards start there", needs=needs)
        ctx.error("F407", message, decl.span, "add: pile stock hidden")
        return
    ctx.cite(f"deck {decl.name}", decl.rules)
    program.decks[decl.name.text] = DeckSpec(decl.name.text, enum, copies, tuple(piles))


def check_pile_names(ctx: Context, decls: list[n.Decl]) -> None:
    """Report piles that cannot be named, since something else that has a value is called so."""
    program = ctx.program
    for pile in (pile for decl in decls if isinstance(decl, n.Deck) for pile in decl.piles):
        name = pile.name.text
        of_game = [field for owner, field in (*program.fields, *program.keyed) if owner == "Game"]
        others = {
            "a field of the game": of_game,
            "a switch": program.switches,
            said(
                "a member of {enums}", enums=join_with_word(AND_OF, ctx.members.get(name, ("",)))
            ): ctx.members,
            "a kind of pieces": (*program.kinds, *program.parents),
            "an enum": program.enums,
        }
        other = next((what for what, names in others.items() if name in names), None)
        if other is not None and name in program.piles:
            del program.piles[name]
            ctx.poisoned.add(name)
            ctx.error(
                "R104",
                said("pile '{name}' is also {other}", name=name, other=other),
                pile.name.span,
            )
