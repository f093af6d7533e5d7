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
from runtime.words.said import said

_VALUE: Final = re.compile(r"(?P<name>\w+)(?:\s+of\s+(?P<member>\w+))?\s*=\s*(?P<value>.+)")
_WITHOUT: Final = re.compile(r"without\s+(?P<name>\w+(?:\.\w+)?)")
#: So many lines of a file stand before its declarations.
_HEAD: Final = 2
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

    LoadError where it has errors, ArgumentError for lines that mean or change nothing.
    """
    ruleset = places.readable_ruleset(base)
    called = _ruleset_name(base, name)
    own = folder / called
    own.mkdir(parents=True, exist_ok=True)
    apart: frozenset[str] = frozenset()
    while True:
        written = [(line, line.strip()) for line in difference.text.rstrip().split("\n")]
        if not difference.text:
            written = _Lines(ruleset, apart).declarations(difference.lines)
        text = "\n".join(line for line, _ in written)
        replace(own / "ruleset.grog", f"ruleset {called} extends {base.name}\n\n{text}\n")
        more = apart | _apart(ruleset, places.ruleset(own))
        if more == apart:
            break
        apart = more
    try:
        places.program_of(own)
    except LoadError as error:
        origins = [origin for _, origin in written]
        findings = [_of_origin(found, own, base.name, origins) for found in error.findings]
        raise (places.of_findings(findings, name) if findings else error) from None
    return own


def _of_origin(finding: Finding, own: Path, base: str, origins: list[str]) -> Finding:
    """Told of what somebody has written: a folder in which nothing has been played does not stay.

    *origins* are what the lines of the file come from, below its head.
    """
    labels = tuple(label for label in finding.labels if not _lies_in(label[0].file, own))
    if not _lies_in(finding.file, own):
        return dataclasses.replace(finding, labels=labels)
    at = min(max(finding.line - _HEAD - 1, 0), len(origins) - 1)
    values = {"line": origins[at], "ruleset": base, "message": finding.message}
    message = said("'{line}' in '{ruleset}': {message}", **values)
    more = (finding.severity, finding.remedy)
    return Finding(finding.code, message, base, 0, 0, *more, labels=labels)


def _lies_in(file: str, folder: Path) -> bool:
    return Path(file).parts[-2:-1] == (folder.name,)


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
        self.name, self.program, self.apart = ruleset.name, ruleset.program, apart
        self.tables = [decl for decl in ruleset.resolved.decls if isinstance(decl, n.Table)]
        #: the rows that differ, by table and member, and the lines that say so
        self.rows: dict[str, dict[str, list[str]]] = {}
        self.causes: dict[tuple[str, str], list[str]] = defaultdict(list)

    def declarations(self, lines: Iterable[str]) -> list[tuple[str, str]]:
        """What they say, in the language, line by line, each with what it comes from.
        ArgumentError where one says or changes nothing.
        """
        rules = [(self._read_line(line, at), line) for at, line in enumerate(lines, 1)]
        written = [rule for rule in rules if rule[0]]
        for table, members in self.rows.items():
            causes = [", ".join(self.causes[table, member]) for member in members]
            rows = [f"  | {' | '.join(cells)} |" for cells in members.values()]
            written.append((f"replace rows of {table} {{", causes[0]))
            written += [*zip(rows, causes, strict=True), ("}", causes[-1])]
        return written

    def _refusal(self, line: str, message: str, remedy: str) -> ArgumentError:
        return ArgumentError(f"'{line}' in '{self.name}': {message}", remedy)

    def _read_line(self, line: str, number: int) -> str:
        if match := _WITHOUT.fullmatch(line.strip()):
            return self._removal(line, match["name"])
        match = _VALUE.fullmatch(line.strip())
        if match is None:
            raise ArgumentError(f"'{line}' says nothing about rules", _HELP)
        name, member, value = match["name"], match["member"], match["value"]
        rows = self._rows_with(name)
        if member in rows:
            self._set_cell(line, name, value, rows[member])
            return ""
        call = self.program.calls.get(name)
        if call is None or call.kind != "quantity":
            raise self._unknown(line, name, member, rows)
        what = "" if member is None else self._asked_with(call, member, line)
        rules = [rule for rule in _within(call.roots) if rule.name not in self.apart]
        if rules and all(_same(self._printed(rule.value, member, what), value) for rule in rules):
            raise self._no_difference(line, value)
        excepted = ", ".join(dict.fromkeys(rule.name for rule in rules))
        when = f" when {what} is {member}" if what else ""
        return f"rule what_if_{number} except {excepted} for {name} = {value}{when}"

    def _no_difference(self, line: str, value: str) -> ArgumentError:
        message = f"{value} is the printed value: no game would differ"
        return self._refusal(line, message, "give another value")

    def _printed(self, value: ir.Expr | None, member: str | None, what: str) -> str:
        """The value of a rule where *what* is a member, if it is simply a number."""
        if isinstance(value, ir.Col) and member and _path(value.key) == what:
            members = self.program.enums[value.column.enum]
            return str(value.column.values[members.index(member)])
        return str(value.value) if isinstance(value, ir.Const) else ""

    def _unknown(
        self, line: str, name: str, member: str | None, rows: Iterable[str]
    ) -> ArgumentError:
        """Nothing of this name has a value, or not for this member."""
        if rows and member is None:
            remedy = f"write '{name} of MEMBER = …'; {suggestion('', rows)}"
            return self._refusal(line, f"'{name}' has a value for each row", remedy)
        if rows and member is not None:
            return self._refusal(line, f"'{name}' has no row '{member}'", suggestion(member, rows))
        calls = {call.name: call for call in self.program.calls.values() if call.kind == "quantity"}
        known = list(calls)
        if member is not None:
            columns = dict.fromkeys(c.name.text for table in self.tables for c in table.columns)
            known = [column for column in columns if member in self._rows_with(column)]
            asked = (one for one in calls if member in dict(self._asked_for(calls[one])))
            known += [one for one in asked if one not in columns]
        remedy = suggestion(name, known) if known else f"nothing is asked for '{member}'; {_HELP}"
        return self._refusal(line, f"there is no '{name}' that has a value", remedy)

    def _removal(self, line: str, name: str) -> str:
        known = set(_rules(self.program))
        if name not in known:
            remedy = did_you_mean(name, known) or "name a rule as its file does"
            raise self._refusal(line, f"there is no rule '{name}'", remedy)
        return f"drop rule {name}"

    def _set_cell(
        self, line: str, column: str, value: str, rows: list[tuple[n.Table, n.Row]]
    ) -> None:
        """Note what the cell of a column has now, in the one of *rows*."""
        (table, row), *others = rows
        member = row.cells[0].text
        if others:
            known = ", ".join(table.name.text for table, _ in rows)
            raise self._refusal(
                line,
                f"several tables have the column '{column}' for '{member}': {known}",
                "write it in the language: replace rows of one of them",
            )
        cells = [cell.text for cell in row.cells]
        at = 1 + [c.name.text for c in table.columns].index(column)
        if _same(cells[at], value):
            raise self._no_difference(line, value)
        changed = self.rows.setdefault(table.name.text, {}).setdefault(member, list(cells))
        if changed[at] != cells[at]:
            raise self._refusal(line, "another line gives it another value", "leave one out")
        changed[at] = value
        self.causes[table.name.text, member].append(line)

    def _rows_with(self, column: str) -> dict[str, list[tuple[n.Table, n.Row]]]:
        """The rows that have a column, with their tables, by the members that they are of."""
        rows: dict[str, list[tuple[n.Table, n.Row]]] = defaultdict(list)
        for table in self.tables:
            if any(c.name.text == column for c in table.columns):
                for row in table.rows:
                    rows[row.cells[0].text].append((table, row))
        return rows

    def _asked_with(self, call: ir.Callable, member: str, line: str) -> str:
        """What a quantity is asked with that can be a member: a parameter, or a piece's field."""
        asked: dict[str, str] = {}
        for other, what in self._asked_for(call):
            asked.setdefault(other, what)
        if member not in asked:
            raise self._refusal(
                line,
                f"'{call.name}' is not asked for anything that can be '{member}'",
                suggestion(member, asked)
                if asked
                else f"it is the same for all: write '{call.name} = …'",
            )
        return asked[member]

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


def _same(one: str, other: str) -> bool:
    """Whether two values are written the same, or are the same number."""
    numbers = one.lstrip("-").isdecimal() and other.lstrip("-").isdecimal()
    return int(one) == int(other) if numbers else one == other


def _path(what: ir.Expr) -> str:
    """A local, or a field of one, as it is written."""
    if isinstance(what, ir.Get) and isinstance(what.owner, ir.Local):
        return f"{what.owner.name}.{what.field.name}"
    return what.name if isinstance(what, ir.Local) else ""


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
