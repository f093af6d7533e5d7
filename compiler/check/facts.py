"""Checking facts: enums, tables, matrices, dice, decks, the board, and the layout of the state."""

from __future__ import annotations

import re
from dataclasses import replace

from compiler import ir
from compiler.check.boards import check_board
from compiler.check.cells import parse_cell
from compiler.check.context import Context, Env
from compiler.check.effects import enter_effect
from compiler.check.expressions import Expressions
from compiler.check.parents import adapted
from compiler.trees import walk
from compiler.types import BAD, HEX, Type, fits, from_spec
from dsl import nodes as n
from dsl.diagnostics import Label, did_you_mean
from dsl.source import NOWHERE, Span
from runtime.board import Board
from runtime.model import NONE, DeckSpec, DieSpec, FieldSpec, PileSpec, located
from runtime.spelling import nearest


def check_names(ctx: Context, decls: list[n.Decl]) -> None:
    """Enter everything that types can name: sides, enums, measures, kinds, scopes, switches, the board."""
    program = ctx.program
    _clashes(ctx, decls)
    for decl in decls:
        if isinstance(decl, n.Sides):
            program.sides = tuple(i.text for i in decl.names)
            _enum(ctx, "Side", decl.names)
            ctx.cite("sides", decl.rules, decl.span)
        elif isinstance(decl, n.EnumDecl):
            _enum(ctx, decl.name.text, decl.members)
            ctx.cite(f"enum {decl.name}", decl.rules, decl.span)
        elif isinstance(decl, n.Measures):
            program.measures += tuple(i.text for i in decl.names)
        elif isinstance(decl, n.Piece):
            if decl.name.text not in program.parents:
                program.kinds += (decl.name.text,)
            ctx.cite(f"piece {decl.name}", decl.rules, decl.span)
        elif isinstance(decl, n.Scope):
            program.scopes[decl.name.text] = decl.checkpoint
            ctx.cite(f"scope {decl.name}", decl.rules, decl.span)
        elif isinstance(decl, n.Switch):
            program.switches[decl.name.text] = decl.default
            ctx.cite(f"switch {decl.name}", decl.rules, decl.span)
        elif isinstance(decl, n.Board):
            check_board(ctx, decl)
            ctx.cite(f"board {decl.name}", decl.rules, decl.span)
    whole = decls[0].span if decls else None
    for present, what in ((program.sides, "sides a, b"), (program.board, "board b { … }")):
        if not present and whole is not None:
            ctx.error("F407", f"the ruleset lacks the declaration '{what}'", whole, "add it")
    if program.board is None:
        program.board = Board(
            name="none", layout="odd_r", rows=1, columns=1, narrow=None, labels="letters_up"
        )


def _clashes(ctx: Context, decls: list[n.Decl]) -> None:
    """Types have one name each, and there is one board."""
    taken: dict[str, tuple[str, Span]] = dict.fromkeys(
        ("int", "bool", "Hex", "Game"), ("type of the language", NOWHERE)
    )
    board: n.Board | None = None
    for decl in decls:
        if isinstance(decl, n.Board):
            if board is not None:
                ctx.error(
                    "R104",
                    "a ruleset has one board",
                    decl.name.span,
                    "remove one",
                    (Label(board.span, "the other"),),
                )
            board = board or decl
            continue
        if isinstance(decl, n.Sides):
            named = [("enum", n.Ident("Side", span=decl.span))]
        elif isinstance(decl, n.EnumDecl | n.Piece):
            named = [("enum" if isinstance(decl, n.EnumDecl) else "piece", decl.name)]
        elif isinstance(decl, n.Measures):
            named = [("measure", name) for name in decl.names]
        else:
            continue
        for kind, name in named:
            if name.text in taken:
                other, span = taken[name.text]
                article = "an" if other[0] in "aeiou" else "a"
                labels = (Label(span, "declared here"),) if span is not NOWHERE else ()
                ctx.error(
                    "R104",
                    f"'{name}' is already {article} {other}",
                    name.span,
                    f"give the {kind} another name",
                    labels,
                )
            taken.setdefault(name.text, (kind, name.span))


#: What a ruleset writes that needs the six directions.
DIRECTION_WORDS = ("Direction", "direction(", "neighbor(", "bearing(")


def check_directions(ctx: Context) -> None:
    """Enter the built-in enum of the six directions, for rulesets that use them."""
    assert ctx.program.board is not None
    if "Direction" in ctx.program.enums:
        return
    ctx.program.enums["Direction"] = ctx.program.board.directions
    for name in ctx.program.board.directions:
        ctx.members.setdefault(name, []).append("Direction")


def _enum(ctx: Context, name: str, members: tuple[n.Ident, ...]) -> None:
    if name in ctx.program.enums:
        return  # reported as declared twice
    seen: dict[str, n.Ident] = {}
    for member in members:
        if member.text in seen:
            ctx.error(
                "R104",
                f"duplicate member '{member}' in enum {name}",
                member.span,
                "remove one of the two",
                (Label(seen[member.text].span, "here first"),),
            )
            continue
        seen[member.text] = member
        ctx.members.setdefault(member.text, []).append(name)
    ctx.program.enums[name] = tuple(seen)


def check_tables(ctx: Context, decls: list[n.Decl]) -> None:
    """Tables, matrices, dice and decks."""
    for decl in decls:
        if isinstance(decl, n.Table):
            _table(ctx, decl)
        elif isinstance(decl, n.Matrix):
            _matrix(ctx, decl)
        elif isinstance(decl, n.Die):
            _die(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Deck):
            _deck(ctx, decl)


def _table(ctx: Context, decl: n.Table) -> None:
    program = ctx.program
    enum = decl.enum.text
    if enum not in program.enums:
        ctx.unknown("R203", "enum", decl.enum, program.enums)
        return
    members = program.enums[enum]
    types = [ctx.type_of(p.type) for p in decl.columns]
    values: list[list[int]] = [[0] * len(members) for _ in types]
    seen: dict[str, n.Row] = {}
    wrong: list[str] = []
    for row in decl.rows:
        if not row.cells or len(row.cells) != len(types) + 1:
            ctx.error(
                "F403",
                f"this row has {len(row.cells)} cells; the table has {len(types) + 1} (the member and its "
                f"{len(types)} columns)",
                row.span,
                f"the cells are: {decl.enum}, {', '.join(p.name.text for p in decl.columns)}",
            )
            if row.cells:
                seen.setdefault(row.cells[0].text, row)
            continue
        key = row.cells[0]
        if key.text not in members:
            wrong.append(key.text)
            ctx.strange(
                "F402",
                f"'{key.text}' is not a member of {enum}",
                key.text,
                key.span,
                members,
                f"add it to enum {enum}",
            )
            continue
        if key.text in seen:
            ctx.error(
                "F402",
                f"a second row for '{key.text}'",
                key.span,
                "remove one of the two",
                (Label(seen[key.text].span, "the other"),),
            )
            continue
        seen[key.text] = row
        at = members.index(key.text)
        for i, (cell, type_) in enumerate(zip(row.cells[1:], types, strict=True)):
            values[i][at] = _cell(ctx, cell, type_)
            if cell.text == "?":
                program.unknown.append((enum, at, decl.columns[i].name.text))
    lacking = [m for m in members if m not in seen]
    meant = {nearest(key, lacking) for key in wrong}
    lacking = [m for m in lacking if m not in meant]
    if lacking:
        ctx.error(
            "F401",
            f"table {decl.name} has no row for {', '.join(lacking)}",
            decl.name.span,
            f"add a row | {lacking[0]} | … | for each",
            citation=decl.rules,
        )
    ctx.cite(f"table {decl.name}", decl.rules, decl.span)
    of_rows = _of_rows(ctx, members, seen, decl.name.text)
    for param, type_, column in zip(decl.columns, types, values, strict=True):
        key2 = (enum, param.name.text)
        if key2 in program.columns:
            ctx.error(
                "R104", f"{enum} has two columns '{param.name}'", param.name.span, "rename one of the two"
            )
            continue
        program.columns[key2] = ir.Column(
            decl.name.text, param.name.text, enum, type_, tuple(column), decl.rules, param.rules, of_rows
        )
        ctx.cite(f"column {param.name} of {decl.name}", param.rules, param.span)


def _of_rows(
    ctx: Context, members: tuple[str, ...], rows: dict[str, n.Row], table: str
) -> tuple[tuple[str, ...], ...]:
    """What the row of each member cites itself."""
    for member, row in rows.items():
        ctx.cite(f"row {member} of {table}", row.rules, row.span)
    return tuple(rows[m].rules if m in rows else () for m in members)


def _cell(ctx: Context, cell: n.Cell, type_: Type) -> int:
    """The value of a cell; hexes that it names are remembered."""
    assert ctx.program.board is not None
    if located(type_.spec()):
        for word in cell.text.split():
            if word in ctx.program.board.labels:
                ctx.program.labels.setdefault(word, cell.span)
    return parse_cell(ctx, cell, type_)


def _scale(ctx: Context, scale: n.Ident | n.Numbers) -> tuple[str, ...] | None:
    """What stands along a side of a matrix; numbers become the members of an enum that has them as its
    name.
    """
    if isinstance(scale, n.Ident):
        if scale.text not in ctx.program.enums:
            ctx.unknown("R203", "enum", scale, ctx.program.enums)
            return None
        return ctx.program.enums[scale.text]
    if not 0 <= scale.high - scale.low < _LONGEST:
        ctx.error(
            "F404",
            f"{scale} are not from 1 to {_LONGEST} numbers",
            scale.span,
            "write the lower number first",
        )
        return None
    return ctx.program.enums.setdefault(scale.text, tuple(str(k) for k in range(scale.low, scale.high + 1)))


def _headed(scale: n.Ident | n.Numbers, members: tuple[str, ...], text: str) -> list[str]:
    """The members that the head of a row or column stands for: itself, or a range of numbers ``2..4``."""
    ends = re.fullmatch(r"(-?\d+)(?:\s*\.\.\s*(-?\d+))?", text) if isinstance(scale, n.Numbers) else None
    if ends is not None:
        found = [str(k) for k in range(int(ends[1]), int(ends[2] or ends[1]) + 1)] if len(text) < 20 else []
        return found if found and found[0] in members and found[-1] in members else []
    return [text] if text in members else []


#: How many numbers may stand along a side of a matrix.
_LONGEST = 1000


def _matrix(ctx: Context, decl: n.Matrix) -> None:
    program = ctx.program
    rows, columns = _scale(ctx, decl.row), _scale(ctx, decl.column)
    if rows is None or columns is None:
        return
    type_ = ctx.type_of(decl.type)
    values = [[0] * len(columns) for _ in rows]
    if not decl.rows:
        ctx.error(
            "F401", f"matrix {decl.name} has no rows", decl.name.span, "the first row names the columns"
        )
        return
    heads = [_headed(decl.column, columns, c.text) for c in decl.rows[0].cells[1:]]
    named: set[str] = set()
    for cell, head in zip(decl.rows[0].cells[1:], heads, strict=True):
        if not head or named.intersection(head):
            problem = "stands twice" if head else f"is not a member of {decl.column}"
            ctx.error("F402", f"'{cell.text}' {problem}", cell.span, did_you_mean(cell.text, columns))
        named.update(head)
    for lacking in [c for c in columns if c not in named]:
        ctx.error(
            "F401",
            f"matrix {decl.name} has no column for {lacking}",
            decl.rows[0].span,
            "add it to the first row",
        )
    seen: dict[str, n.Row] = {}
    for row in decl.rows[1:]:
        key = row.cells[0].text if row.cells else ""
        meant = _headed(decl.row, rows, key)
        if len(row.cells) != len(heads) + 1:
            ctx.error(
                "F403",
                f"this row has {len(row.cells)} cells; the first row has {len(heads) + 1}",
                row.span,
                "give one cell for each column",
            )
            seen.update(dict.fromkeys(meant, row))
            continue
        if not meant or seen.keys() & set(meant):
            ctx.error(
                "F402",
                f"'{key}' is not a member of {decl.row} or stands twice",
                row.cells[0].span,
                did_you_mean(key, rows),
            )
            continue
        seen.update(dict.fromkeys(meant, row))
        for head, cell in zip(heads, row.cells[1:], strict=True):
            value = _cell(ctx, cell, type_)
            for r in meant:
                for c in head:
                    values[rows.index(r)][columns.index(c)] = value
    for member in rows:
        if member not in seen:
            ctx.error(
                "F401",
                f"matrix {decl.name} has no row for {member}",
                decl.name.span,
                f"add a row | {member} | … |",
                citation=decl.rules,
            )
    ctx.cite(f"matrix {decl.name}", decl.rules, decl.span)
    of_rows = _of_rows(ctx, rows, seen, decl.name.text)
    program.matrices[decl.name.text] = ir.MatrixInfo(
        decl.name.text,
        decl.row.text,
        decl.column.text,
        type_,
        tuple(tuple(r) for r in values),
        decl.rules,
        of_rows,
    )


#: Dice have up to a hundred faces; this leaves room for chances in thousandths.
_MOST_FACES = 1000


def _too_many_faces(ctx: Context, decl: n.Die, count: int) -> None:
    message = f"a die has at most {_MOST_FACES} faces, this one has {count}"
    ctx.error("F404", message, decl.span, "divide the weights by a common number")


def _die(ctx: Context, decl: n.Die) -> None:
    ctx.cite(f"die {decl.name}", decl.rules, decl.span)
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
            ctx.error(
                "F402", f"'{name}' is not a member of {decl.enum}", decl.span, did_you_mean(name, members)
            )
    total = sum(weights.get(m, 0) for m in members) if weights else len(members)
    if total > _MOST_FACES:
        _too_many_faces(ctx, decl, total)
        weights = {}
    faces = tuple(i for i, m in enumerate(members) for _ in range(weights.get(m, 0) if weights else 1))
    ctx.program.dice[decl.name.text] = DieSpec(decl.name.text, decl.enum.text, faces or (0,))


def _deck(ctx: Context, decl: n.Deck) -> None:
    program = ctx.program
    if decl.enum.text not in program.enums:
        ctx.unknown("R203", "enum", decl.enum, program.enums)
        return
    column = program.columns.get((decl.enum.text, decl.copies.text))
    if column is None or column.type.kind != "int":
        ctx.error(
            "F406",
            f"'{decl.copies}' is not a number column of a table of {decl.enum}",
            decl.copies.span,
            did_you_mean(decl.copies.text, [c for e, c in program.columns if e == decl.enum.text])
            or "add such a column",
        )
        copies = tuple(1 for _ in program.enums[decl.enum.text])
    else:
        copies = column.values
        ctx.used.add(f"{decl.enum.text}.{decl.copies.text}")
    piles: list[PileSpec] = []
    for pile in decl.piles:
        if pile.per is not None and pile.per.text not in program.enums:
            ctx.unknown("R203", "enum", pile.per, program.enums)
            continue
        if pile.name.text in program.piles:
            ctx.error(
                "R104",
                f"there is another pile '{pile.name}'",
                pile.name.span,
                "piles have names of their own, whatever deck they belong to",
            )
            continue
        if pile.visibility == "owner" and (pile.per is None or pile.per.text != "Side"):
            ctx.error(
                "T301",
                f"pile '{pile.name}' has no owner who could see it",
                pile.span,
                "write: pile hand per Side owner",
            )
        spec = PileSpec(
            decl.name.text,
            pile.name.text,
            decl.enum.text,
            pile.per.text if pile.per else None,
            pile.visibility,
            f"pile_{pile.name.text}",
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
    ctx.cite(f"deck {decl.name}", decl.rules, decl.span)
    program.decks[decl.name.text] = DeckSpec(decl.name.text, decl.enum.text, copies, tuple(piles))


def check_state(ctx: Context, decls: list[n.Decl]) -> None:
    """Fields of pieces, sides, hexes, enums and the game; effects' slots."""
    program = ctx.program
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            owner = decl.name.text
            if owner in program.parents:
                continue
            if isinstance(decl, n.Fields) and owner not in program.enums and owner not in ("Hex", "Game"):
                ctx.unknown("R203", "owner of fields", decl.name, [*program.enums, "Hex", "Game"])
                continue
            for f in decl.fields:
                _field(ctx, owner, f)
        elif isinstance(decl, n.Effect):
            enter_effect(ctx, decl)
    for decl in decls:
        if isinstance(decl, n.Piece | n.Fields):
            for f in decl.fields:
                if (decl.name.text, f.name.text) in program.fields or (
                    decl.name.text,
                    f.name.text,
                ) in program.keyed:
                    _initial(ctx, decl.name.text, f)
                    if f.seen_by is not None:
                        _seen_by(ctx, decl.name.text, f)
    for decl in decls:
        if isinstance(decl, n.Board):
            ctx.chart.check_used(ctx, decl)


def _field(ctx: Context, owner: str, f: n.Field) -> None:
    program = ctx.program
    if (owner, f.name.text) in program.fields or (owner, f.name.text) in program.keyed:
        ctx.error("R104", f"{owner} has two fields '{f.name}'", f.name.span, "rename one of the two")
        return
    type_ = ctx.type_of(f.type)
    if type_.kind == "roll":
        ctx.error(
            "T301",
            "a field cannot be a roll: a roll ends with its procedure",
            f.type.span,
            "keep what matters of it in number fields",
        )
        type_ = BAD
    place = "place" in f.modifiers and f.per is None
    if place:
        if type_.kind == "bad":
            type_ = HEX
        if type_.kind != "hex" or owner not in program.kinds:
            ctx.error("T301", "only a Hex field of a piece can be its place", f.span, "write: hex: Hex place")
            place = False
        elif program.place_of(owner) is not None:
            ctx.error("R104", f"{owner} has two places", f.span, "a piece has one place")
            place = False
        type_ = type_.maybe()
    if f.lasts is not None and f.lasts.text not in program.scopes:
        ctx.unknown("R201", "scope", f.lasts, program.scopes)
    if f.seen_by is not None:
        ctx.used.add(f"{owner}.{f.seen_by.text}")
    initial: int | None = NONE if type_.finite or type_.optional else 0
    if "setup" in f.modifiers and f.default is None:
        initial = None
    spec = FieldSpec(
        owner,
        f.name.text,
        type_.spec(),
        f"{owner.lower()}_{f.name.text}",
        fixed="fixed" in f.modifiers,
        setup="setup" in f.modifiers,
        required="setup" in f.modifiers and f.default is None and not (type_.optional and not place),
        place=place,
        alone="alone" in f.modifiers,
        lasts=f.lasts.text if f.lasts else None,
        seen_by=f.seen_by.text if f.seen_by else None,
        initial=initial,
    )
    ctx.cite(f"field {owner}.{f.name}", f.rules, f.span)
    if f.per is not None:
        _per(ctx, f, f.per, spec)
        return
    program.fields[(owner, f.name.text)] = spec
    if "map" in f.modifiers:
        _from_map(ctx, owner, f, type_)
    ctx.field_spans[f"{owner}.{f.name}"] = f.name.span


def _per(ctx: Context, f: n.Field, per: n.Ident, spec: FieldSpec) -> None:
    """A field kept per member of an enum is one field for each."""
    program = ctx.program
    members = program.enums.get(per.text)
    if members is None:
        ctx.unknown("R203", "enum", per, program.enums)
        members = ()
    if f.modifiers & {"place", "map"}:
        word = "place" if "place" in f.modifiers else "map"
        ctx.error(
            "T301",
            f"a field kept per {per} cannot be '{word}'",
            f.span,
            f"leave out '{word}', or declare a field without 'per'",
        )
        spec = replace(spec, alone=False)
    ctx.used.add(per.text)
    family = tuple(
        replace(spec, name=f"{spec.name}[{member}]", slot=f"{spec.slot}__{member}", per=per.text, member=i)
        for i, member in enumerate(members)
    )
    for one in family:
        program.fields[(one.owner, one.name)] = one
        ctx.field_spans[f"{one.owner}.{one.name}"] = f.name.span
    program.keyed[(spec.owner, spec.name)] = family


def _initial(ctx: Context, owner: str, f: n.Field) -> None:
    program = ctx.program
    key = (owner, f.name.text)
    family = program.keyed[key] if key in program.keyed else (program.fields[key],)
    if not family:
        return
    spec = family[0]
    type_ = from_spec(spec.type)
    if f.default is None:
        if spec.lasts and spec.initial is None:
            ctx.error(
                "S605",
                f"'{f.name}' lasts for a {spec.lasts} but has no value to go back to",
                f.span,
                "give it an initial value: = 0",
            )
        return
    env = Env()
    if owner in program.kinds:
        env.bind("it", Type("piece", owner))
    elif owner in program.enums:
        env.bind("it", Type("enum", owner))
    elif owner == "Hex":
        env.bind("it", Type("hex", "Hex"))
    value = Expressions(ctx).check(f.default, env, type_)
    value = adapted(program, value, type_)
    if not fits(value.type, type_):
        ctx.error(
            "T301",
            f"'{f.name}' has type {type_}, its initial value {value.type}",
            f.default.span,
            "make them agree",
        )
        return
    if isinstance(value, ir.SetLit) and all(isinstance(i, ir.Const) for i in value.items):
        mask = 0
        for item in value.items:
            mask |= 1 << item.value if isinstance(item, ir.Const) and item.value >= 0 else 0
        value = ir.Const(mask, type=type_, span=value.span)
    constant = value.value if isinstance(value, ir.Const) else None
    rests_on: tuple[str, ...] = ()
    if constant is None:
        if spec.lasts and (spec.place or not _settled(value)):
            message = "a field that goes back needs an initial value that never changes"
            remedy = "write a number, a member or true/false, or read only fixed fields of 'it' and columns"
            ctx.error("S605", message, f.default.span, remedy)
        rests_on = tuple(dict.fromkeys(name for e in walk(value) for name in _own_fields(e)))
    family = tuple(replace(one, initial=constant, required=False, rests_on=rests_on) for one in family)
    for one in family:
        program.fields[(owner, one.name)] = one
        if constant is None:
            program.initials[(owner, one.name)] = value
    if key in program.keyed:
        program.keyed[key] = family


def _own_fields(e: ir.Expr) -> list[str]:
    """The fields of ``it`` that an initial value reads at this place."""
    if isinstance(e, ir.Get) and isinstance(e.owner, ir.Local):
        return [e.field.name]
    return [f.name for f in e.fields] if isinstance(e, ir.Pick) and isinstance(e.owner, ir.Local) else []


def _settled(value: ir.Expr) -> bool:
    """Whether an expression has the same value throughout a game: it reads nothing but fixed fields and
    facts.
    """
    moving = ir.At | ir.Pile | ir.Apply | ir.Reach | ir.Steps | ir.Way | ir.Active
    return not any(
        isinstance(e, moving) or (isinstance(e, ir.Get) and not e.field.fixed) or isinstance(e, ir.Pick)
        for e in walk(value)
    )


def _from_map(ctx: Context, owner: str, f: n.Field, type_: Type) -> None:
    program = ctx.program
    if owner != "Hex":
        ctx.error("T301", "only fields of Hex are on the map", f.span, "write: fields of Hex { … }")
        return
    key = (owner, f.name.text)
    values = ctx.chart.values(ctx, f, type_, program)
    program.fields[key] = replace(program.fields[key], values=values, required=False)


def _seen_by(ctx: Context, owner: str, f: n.Field) -> None:
    assert f.seen_by is not None
    seer = ctx.program.fields.get((owner, f.seen_by.text))
    if seer is None:
        known = [name for o, name in ctx.program.fields if o == owner]
        ctx.unknown(
            "R202", f"field of {owner}", f.seen_by, known, "name a field of type Side that says who sees it"
        )
    elif (seer.type.of or seer.type).name != "Side":
        message = f"'{f.seen_by}' is {from_spec(seer.type)}; a field is seen by a Side or a set of Side"
        ctx.error("T301", message, f.seen_by.span, "name a field of type Side or set of Side")
    elif seer.seen_by is not None:
        message = f"who sees '{f.name}' is itself not seen by all: '{f.seen_by}' is seen by '{seer.seen_by}'"
        ctx.error("T301", message, f.seen_by.span, f"let '{f.seen_by}' be open")
