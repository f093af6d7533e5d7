"""Results read with DuckDB: a view for each table of an experiment's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from grognard.files import reason, short
from grognard.lab.shards import experiment_in, undescribed
from grognard.lab.tables import ARRANGEMENTS, TABLES
from runtime.errors import ArgumentError


class Results:
    """The results in a folder.  ArgumentError where it holds none."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.experiment = folder, experiment_in(folder)
        self.database = duckdb.connect()
        described = folder / "arrangements.parquet"
        if any((folder / "games").glob("*.parquet")):
            try:
                pq.read_table(described)
            except (OSError, pa.ArrowException) as error:
                raise undescribed(described, error) from None
        self._view("arrangements", described, ARRANGEMENTS)
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
        self._execute(view)

    def ask(self, question: str, *values: Any) -> list[dict[str, Any]]:
        """The rows that a question in SQL has as its answer.  ArgumentError where it is none."""
        names, rows = self.table(question, *values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def table(self, question: str, *values: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of its columns, of which several may be the same, and its rows."""
        found = self._execute(question, *values)
        if found is None or found.description is None:
            raise ArgumentError("that asks nothing", "ask with select …")
        return [column[0] for column in found.description], found.fetchall()

    def _execute(self, question: str, *values: Any) -> duckdb.DuckDBPyConnection | None:
        """Ask.  ArgumentError where the question is none, or a file is damaged."""
        try:
            return self.database.execute(question, values)
        except duckdb.Error as error:
            remedy = "write it in the SQL of DuckDB"
            if isinstance(error, duckdb.CatalogException):
                remedy = f"the tables are {', '.join(('arrangements', *TABLES))}"
            elif isinstance(error, duckdb.BinderException):
                remedy = "`describe games` shows the columns of a table"
            else:
                self._refuse_damaged()
            lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
            raise ArgumentError("\n".join(lines), remedy) from None

    def _refuse_damaged(self) -> None:
        """ArgumentError where a file cannot be read."""
        for path in sorted(self.folder.glob("*/*.parquet")):
            try:
                pq.read_table(path)
            except (OSError, pa.ArrowException) as error:
                again = self.folder / "games" / path.name
                raise ArgumentError(
                    f"{short(str(path))} is damaged: {reason(error)}",
                    f"remove {short(str(again))}; the same experiment plays its games again",
                ) from None
