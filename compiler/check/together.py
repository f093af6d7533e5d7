"""No ``together`` ends the game: what happens at once is complete before anybody has won."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.check.context import Context
from compiler.check.draft import Draft
from compiler.trees import statements_of
from dsl.diagnostics import Label
from dsl.source import Span


def check_together(ctx: Context) -> None:
    """Report the steps that end the game in a ``together``, or in what is run there; each once."""
    program = ctx.program
    bodies = {name: procedure.body for name, procedure in program.procedures.items()}
    bodies |= {f"check {name}": check.body for name, check in program.checks.items()}
    told: set[Span] = set()
    for name, body in bodies.items():
        for stmt in statements_of(body):
            if not isinstance(stmt, ir.Together):
                continue
            for path, finish in _ends(program, name, stmt):
                if finish.span not in told:
                    told.add(finish.span)
                    _report(ctx, path, finish, stmt)


def _ends(program: Draft, name: str, together: ir.Together) -> Iterator[tuple[tuple[str, ...], ir.Finish]]:
    """The steps that end the game in a ``together`` of *name*, each with the shortest way there."""
    ahead: list[tuple[tuple[str, ...], tuple[ir.Stmt, ...]]] = [((name,), together.body)]
    seen: set[str] = set()
    for path, body in ahead:  # grows on the way
        for stmt in statements_of(body):
            if isinstance(stmt, ir.Finish):
                yield path, stmt
            elif isinstance(stmt, ir.Do) and stmt.procedure in program.procedures:
                for run in (stmt.procedure, *program.procedures[stmt.procedure].cases.values()):
                    if run not in seen:
                        seen.add(run)
                        ahead.append(((*path, run), program.procedures[run].body))


def _report(ctx: Context, path: tuple[str, ...], finish: ir.Finish, together: ir.Together) -> None:
    way = "" if len(path) == 1 else f": {' → '.join(_shown(ctx.program, name) for name in path)}"
    ctx.error(
        "S615",
        f"the game would end inside a 'together'{way}",
        finish.span,
        "set a field here, and let a check that reads it end the game: checks wait for the end of 'together'",
        (Label(together.span, "all that happens here happens at once"),),
    )


def _shown(program: Draft, name: str) -> str:
    """What a procedure, a case, a reaction, a forecast or a check is called where it is declared."""
    procedure = program.procedures.get(name)
    if procedure is None or procedure.case_of is None:
        return name
    if procedure.case_of != name:
        return f"{name.removeprefix(f'{procedure.case_of}__')} of {procedure.case_of}"
    return name.replace("_", " ", 1)
