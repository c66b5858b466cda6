"""Tables and keys that are found without a language model, and what the guards stop: a part of ``make bench-sql``.

Recall is measured where a choice is made: the tables of all databases are one source, with others that have nothing to
do with the questions, 1,000 in all. A small source is shown whole, so nothing can be missing of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlglot
import yaml
from sqlglot import exp

from bandsmith.services.planner.data.connections import connect
from bandsmith.services.planner.data.inferred_keys import with_inferred_keys
from bandsmith.services.planner.data.recall import is_large, recalled_tables, tables_in
from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

from .results import Result
from .sql_questions import Question

LARGE_TABLES = 1_000
HOSTILE = Path(__file__).parents[1] / "tests" / "validator" / "query" / "hostile.yaml"
DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
_PARTS = ("ledger", "payroll", "machine", "warehouse", "ticket", "budget", "vessel", "tender", "permit", "audit")
_COLUMNS = ("id", "booked_on", "amount", "status", "remark", "created_by", "batch")
LANGUAGES = {"English": 0, "Chinese": 1}
"""The questions are in them by turns."""


def schemas(folder: Path) -> dict[str, SourceSchema]:
    """Return what each SQLite database below a folder holds."""
    files = sorted(folder.rglob("*.sqlite"))
    return {file.stem: connect("", file, "sqlite").describe(file.stem, frozenset()) for file in files}


def measure_tables(folder: Path, asked: Sequence[Question]) -> list[Result]:
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each hostile statement that it cannot parse
    held = schemas(folder)
    return [*_recall(held, asked), *_keys(held.values()), *_guards(held, asked)]


# --- recall ----------------------------------------------------------------------------------------------------------


def _recall(held: dict[str, SourceSchema], asked: Sequence[Question]) -> Iterator[Result]:
    small = [one for one in asked if not is_large(held[one.source])]
    shown = f"{len(small)} of {len(asked)}"
    yield Result("questions whose tables and columns are all shown, of up to 8 tables", shown, ".98", "")
    whole = _joined(held)
    for language, turn in LANGUAGES.items():
        questions = asked[turn::2]
        began = time.monotonic()
        found = sum(_is_recalled(whole, one) for one in questions)
        each = (time.monotonic() - began) / len(questions) * 1000
        yield Result(
            f"questions in {language} whose tables are all shown, of {len(whole.tables):,} tables",
            f"{found} of {len(questions)}", "", f"{each:.0f} ms a question",
        )  # fmt: skip


def _is_recalled(whole: SourceSchema, asked: Question) -> bool:
    shown = recalled_tables(whole, [asked.text])
    needed = {_name(asked.source, table) for table in tables_in(asked.gold, "sqlite")}
    return needed <= {name.casefold() for name in shown}


def _joined(held: dict[str, SourceSchema]) -> SourceSchema:
    """Return the tables of all databases as one source, filled up with tables of other subjects."""
    tables = [_renamed(source, table) for source, schema in held.items() for table in schema.tables]
    columns = [SourceColumn(name=column, type="TEXT") for column in _COLUMNS]
    for number in range(LARGE_TABLES - len(tables)):
        tables.append(SourceTable(name=f"{_PARTS[number % len(_PARTS)]}_{number}", columns=columns, key=["id"]))
    return SourceSchema(source="all", dialect="sqlite", tables=tables)


def _renamed(source: str, table: SourceTable) -> SourceTable:
    """Return a table under the name of its database and its own: several databases have a table of one name."""
    keys = [key.model_copy(update={"table": f"{source}_{key.table}"}) for key in table.foreign_keys]
    return table.model_copy(update={"name": f"{source}_{table.name}", "foreign_keys": keys})


def _name(source: str, table: str) -> str:
    return f"{source}_{table}".casefold()


# --- keys ------------------------------------------------------------------------------------------------------------

Key = tuple[str, str, str]


def _keys(held: Iterable[SourceSchema]) -> Iterator[Result]:
    """Compare the keys that are inferred on copies without foreign keys with the ones that the databases declare."""
    right = inferred = declared = 0
    for schema in held:
        copy = schema.model_copy(
            update={"tables": [table.model_copy(update={"foreign_keys": []}) for table in schema.tables]}
        )
        wanted, found = _key_set(schema), _key_set(with_inferred_keys(copy))
        right, inferred, declared = right + len(wanted & found), inferred + len(found), declared + len(wanted)
    yield Result("keys inferred without declared ones: precision", f"{right} of {inferred}", "", "16 databases")
    yield Result("keys inferred without declared ones: recall", f"{right} of {declared}", "", "16 databases")


def _key_set(schema: SourceSchema) -> set[Key]:
    """Return the keys of one column, by table, column and the table that they refer to."""
    return {
        (table.name.casefold(), key.columns[0].casefold(), key.table.casefold())
        for table in schema.tables
        for key in table.foreign_keys
        if len(key.columns) == 1
    }


# --- guards ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Hostile:
    dialect: str
    sql: str


def _guards(held: dict[str, SourceSchema], asked: Sequence[Question]) -> Iterator[Result]:
    statements = _hostile()
    passed = sum(_passes(one.sql, _SHOP.model_copy(update={"dialect": one.dialect})) for one in statements)
    yield Result("hostile statements stopped", f"{len(statements) - passed} of {len(statements)}", "all", HOSTILE.name)
    refused = sum(not _passes(one.gold, held[one.source], one.text) for one in asked)
    yield Result("right queries refused", f"{refused} of {len(asked)}", "0", "")
    yield from _dropped(held, asked)


def _dropped(held: dict[str, SourceSchema], asked: Sequence[Question]) -> Iterator[Result]:
    """Count the right queries that are refused without their first WHERE, whatever the WHERE says."""
    for language, turn in LANGUAGES.items():
        cases = [
            (tree.sql(dialect="sqlite"), one)
            for one in asked[turn::2]
            if (tree := dropped_filter(sqlglot.parse_one(one.gold, dialect="sqlite"))) is not None
        ]
        refused = sum(not _passes(sql, held[one.source], one.text) for sql, one in cases)
        yield Result(f"queries without their WHERE refused: {language}", f"{refused} of {len(cases)}", "", "")


def dropped_filter(tree: exp.Expr) -> exp.Expr | None:
    """Return a query without its first WHERE; None for a query that has none."""
    where = tree.find(exp.Where)
    if where is None:
        return None
    where.pop()
    return tree


def _hostile() -> list[_Hostile]:
    content = yaml.safe_load(HOSTILE.read_text(encoding="utf-8"))
    return [
        _Hostile(dialect, sql)
        for kinds in content.values()
        for named, given in kinds.items()
        for dialect in (DIALECTS if named == "any" else (named,))
        for sql in given
    ]


def _passes(sql: str, schema: SourceSchema, question: str = "") -> bool:
    try:
        check(sql, schema, question)
    except QueryRefused:
        return False
    return True


def _table(name: str, /, **columns: str) -> SourceTable:
    return SourceTable(name=name, columns=[SourceColumn(name=one, type=kind) for one, kind in columns.items()])


_SHOP = SourceSchema(
    source="shop",
    dialect="sqlite",
    tables=[
        _table("customers", id="INTEGER", name="TEXT", city="TEXT"),
        _table("orders", id="INTEGER", customer_id="INTEGER", amount="NUMERIC", ordered_on="DATE"),
    ],
)
