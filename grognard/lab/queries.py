"""Results read with DuckDB: a view for each table of an experiment's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from grognard.files import reason
from grognard.lab.shards import experiment_in
from grognard.lab.tables import ARRANGEMENTS, TABLES
from runtime.errors import ArgumentError


class Results:
    """The results in a folder.  ArgumentError where it holds none."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.experiment = folder, experiment_in(folder)
        self.database = duckdb.connect()
        self._view("arrangements", folder / "arrangements.parquet", ARRANGEMENTS)
        for name, schema in TABLES.items():
            self._view(name, folder / name / "*.parquet", schema)

    def _view(self, name: str, path: Path, schema: Any) -> None:
        """A view of the files that a pattern matches; without rows where there are none, without
        values in columns that files of an earlier version do not have.
        """
        self.database.register(f"no_{name}", schema.empty_table())
        view = f"create view {name} as from no_{name}"
        if any(path.parent.glob(path.name)):
            quoted = str(path).replace("'", "''")
            view += f" union all by name from read_parquet('{quoted}', union_by_name = true)"
        self.database.execute(view)

    def ask(self, question: str, *values: Any) -> list[dict[str, Any]]:
        """The rows that a question in SQL has as its answer.  ArgumentError where it is none."""
        names, rows = self.table(question, *values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def table(self, question: str, *values: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of its columns, of which several may be the same, and its rows."""
        try:
            found = self.database.execute(question, values)
            return [column[0] for column in found.description], found.fetchall()
        except duckdb.Error as error:
            lines = [line for line in reason(error).splitlines() if line.strip()]
            known = ", ".join(("arrangements", *TABLES))
            raise ArgumentError("\n".join(lines), f"the tables are {known}") from None
