"""Differences of rules: a small ruleset that extends the printed one, made of lines as

* ``close_dice of HI = 4`` – a cell of a table's column, or the value of a quantity for pieces of a
  member; ``hand_limit = 6``, the value of a quantity for all;
* ``without charge`` – what goes: a rule, a modifier, an allowance or a refusal;

or of declarations in the language itself.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from compiler import ir
from compiler.ruleset import Ruleset
from dsl import nodes as n
from grognard import places
from grognard.files import replace
from runtime.data.findings import Finding, suggestion
from runtime.errors import ArgumentError, LoadError
from runtime.spelling import did_you_mean

_VALUE: Final = re.compile(r"(?P<name>\w+)(?:\s+of\s+(?P<member>\w+))?\s*=\s*(?P<value>.+)")
_WITHOUT: Final = re.compile(r"without\s+(?P<name>\w+(?:\.\w+)?)")
#: So many characters of a name a folder has.
_LONGEST: Final = 60
_HELP: Final = "write 'NAME of MEMBER = value', 'NAME = value' or 'without NAME'"


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different: *lines*, or a text in the language."""

    lines: tuple[str, ...] = ()
    text: str = ""

    @property
    def data(self) -> str | list[str]:
        """As an experiment's file has it."""
        return self.text or list(self.lines)

    @classmethod
    def of(cls, data: Any) -> Difference:
        """From what an experiment's file has: lines, one line, or a text."""
        if isinstance(data, list):
            return cls(tuple(map(str, data)))
        text = str(data).strip()
        line = _VALUE.fullmatch(text) or _WITHOUT.fullmatch(text)
        return cls((text,)) if line else cls(text=str(data))

    def __bool__(self) -> bool:
        return bool(self.lines or self.text)


def write_ruleset(base: Path, name: str, difference: Difference, folder: Path) -> Path:
    """The folder of the ruleset that is different from the one in *base*, written into *folder*.

    LoadError where it has errors, ArgumentError for lines that mean nothing.
    """
    ruleset = places.readable_ruleset(base)
    called = _ruleset_name(base, name)
    own = folder / called
    own.mkdir(parents=True, exist_ok=True)
    apart: frozenset[str] = frozenset()
    while True:
        text = difference.text or _Lines(ruleset, apart).declarations(difference.lines)
        replace(own / "ruleset.grog", f"ruleset {called} extends {base.name}\n\n{text.rstrip()}\n")
        more = apart | _apart(ruleset, places.ruleset(own))
        if more == apart:
            break
        apart = more
    try:
        places.program_of(own)
    except LoadError as error:
        findings = [_with_source_line(finding, own) for finding in error.findings]
        raise LoadError(error.message, error.remedy, findings, error.checked) from None
    return own


def _with_source_line(finding: Finding, own: Path) -> Finding:
    """With the line that it is about: a folder in which nothing has been played does not stay."""
    if not finding.line or Path(finding.file).parts[-2:-1] != (own.name,):
        return finding
    line = (own / "ruleset.grog").read_text(encoding="utf-8").splitlines()[finding.line - 1]
    return dataclasses.replace(finding, message=f"{finding.message}: {line.strip()}")


def _ruleset_name(base: Path, name: str) -> str:
    """What a ruleset is called that differs by what a *name* says: names that share their letters
    and numbers are told apart by the end.
    """
    words = "_".join(re.findall(r"[a-z0-9]+", f"{base.name} {name}".lower()))
    return f"{words[:_LONGEST]}_{blake2b(name.encode(), digest_size=2).hexdigest()}"


def _apart(base: Ruleset, made: Ruleset) -> frozenset[str]:
    """The rules of the base to which one of ours can be no exception, as the two never hold
    together.
    """
    if not made.sound:
        return frozenset()
    spans = {label.span for d in made.proofs if d.code == "Q503" for label in d.labels}
    quantities = [call for call in base.program.calls.values() if call.kind == "quantity"]
    rules = (rule for call in quantities for rule in _within(call.roots))
    return frozenset(rule.name for rule in rules if rule.span in spans)


class _Lines:
    """Turns lines into declarations; rules *apart* are none to which there can be an exception."""

    def __init__(self, ruleset: Ruleset, apart: frozenset[str]) -> None:
        self.program, self.apart = ruleset.program, apart
        self.tables = [decl for decl in ruleset.resolved.decls if isinstance(decl, n.Table)]
        #: the rows that differ, by table and member
        self.rows: dict[str, dict[str, list[str]]] = {}

    def declarations(self, lines: Iterable[str]) -> str:
        """What they say, in the language.  ArgumentError where one says nothing."""
        rules = [self._read_line(line, number) for number, line in enumerate(lines, 1)]
        parts = [rule for rule in rules if rule]
        for table, members in self.rows.items():
            rows = "".join(f"  | {' | '.join(cells)} |\n" for cells in members.values())
            parts.append(f"replace rows of {table} {{\n{rows}}}")
        return "\n".join(parts)

    def _read_line(self, line: str, number: int) -> str:
        if match := _WITHOUT.fullmatch(line.strip()):
            return self._removal(line, match["name"])
        match = _VALUE.fullmatch(line.strip())
        if match is None:
            raise ArgumentError(f"'{line}' says nothing about rules", _HELP)
        name, member, value = match["name"], match["member"], match["value"]
        rows = {} if member is None else self._rows_with(name)
        if member in rows:
            self._set_cell(line, name, value, rows[member])
            return ""
        call = self.program.calls.get(name)
        if call is None or call.kind != "quantity":
            if rows:
                raise ArgumentError(
                    f"'{line}': '{name}' has no row '{member}'", suggestion(member, rows)
                )
            raise ArgumentError(
                f"'{line}': there is no '{name}' that has a value", self._similar_names(name)
            )
        when = "" if member is None else f" when {self._condition(call, member, line)}"
        names = [rule.name for rule in _within(call.roots) if rule.name not in self.apart]
        excepted = ", ".join(dict.fromkeys(names))
        return f"rule what_if_{number} except {excepted} for {name} = {value}{when}"

    def _similar_names(self, name: str) -> str:
        """What may have been meant."""
        known = {column.name.text for table in self.tables for column in table.columns}
        known |= {name for name, call in self.program.calls.items() if call.kind == "quantity"}
        return did_you_mean(name, known) or _HELP

    def _removal(self, line: str, name: str) -> str:
        known = set(_rules(self.program))
        if name not in known:
            remedy = did_you_mean(name, known) or "name a rule as its file does"
            raise ArgumentError(f"'{line}': there is no rule '{name}'", remedy)
        return f"drop rule {name}"

    def _set_cell(
        self, line: str, column: str, value: str, rows: list[tuple[n.Table, n.Row]]
    ) -> None:
        """Note what the cell of a column has now, in the one of *rows*."""
        (table, row), *others = rows
        member = row.cells[0].text
        if others:
            known = ", ".join(table.name.text for table, _ in rows)
            raise ArgumentError(
                f"'{line}': several tables have the column '{column}' for '{member}': {known}",
                "write it in the language: replace rows of one of them",
            )
        cells = [cell.text for cell in row.cells]
        changed = self.rows.setdefault(table.name.text, {}).setdefault(member, cells)
        changed[1 + [c.name.text for c in table.columns].index(column)] = value

    def _rows_with(self, column: str) -> dict[str, list[tuple[n.Table, n.Row]]]:
        """The rows that have a column, with their tables, by the members that they are of."""
        rows: dict[str, list[tuple[n.Table, n.Row]]] = defaultdict(list)
        for table in self.tables:
            if any(c.name.text == column for c in table.columns):
                for row in table.rows:
                    rows[row.cells[0].text].append((table, row))
        return rows

    def _condition(self, call: ir.Callable, member: str, line: str) -> str:
        """That a quantity is asked for a member: of a parameter's enum, or of a piece's field."""
        asked: dict[str, str] = {}
        for other, what in self._asked_for(call):
            asked.setdefault(other, what)
        if member not in asked:
            remedy = f"it is the same for all: write '{call.name} = …'"
            raise ArgumentError(
                f"'{line}': '{call.name}' is not asked for anything that can be '{member}'",
                suggestion(member, asked) if asked else remedy,
            )
        return f"{asked[member]} is {member}"

    def _asked_for(self, call: ir.Callable) -> Iterator[tuple[str, str]]:
        """The members for which a quantity can be asked, each with what is that member."""
        for param in call.params:
            kind = param.type
            if kind.kind == "enum":
                yield from ((member, param.name) for member in self.program.enums[kind.name])
            for (owner, name), field in self.program.fields.items():
                if kind.kind == "piece" and owner == kind.name and field.type.kind == "enum":
                    members = self.program.enums[field.type.name]
                    yield from ((member, f"{param.name}.{name}") for member in members)


def _rules(program: ir.Program) -> Iterable[str]:
    """The names of all rules, alone and with what they are of."""
    for call in program.calls.values():
        names = [rule.name for rule in _within(call.roots)]
        names += [one.name for stage in call.modifiers.values() for one in stage]
        for name in names:
            yield name
            yield f"{call.name}.{name}"


def _within(rules: Iterable[ir.Rule]) -> Iterator[ir.Rule]:
    """Rules and the exceptions to them."""
    for rule in rules:
        yield rule
        yield from _within(rule.exceptions)
