"""Ask questions about databases with the configured model, for a person to judge: ``make measure-sql``.

The model may be a person who answers through an OpenAI-compatible address, so several questions wait at the same time.
Each question of the file has its database and, for the judge, what a right answer has to be:

    - database: shop.sqlite
      question: which customers bought nothing in May?
      gold: SELECT ...       # optional: the rows are compared with those of this query
      wanted: ...            # optional: what the judge has to look for

    python -m benchmarks.sql_by_hand QUESTIONS DATABASES --out FOLDER [--at-once 8] [--only 1-10]
    python -m benchmarks.sql_by_hand --judged FOLDER

For each question, the folder gets ``NN.md``, and ``cases.json`` has all of them. The judge writes ``verdicts.yaml``
beside it, a line ``NN: right`` or ``NN: wrong, because ...`` for each; the second command counts them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import sqlglot
import yaml

from bandsmith.cli.ask import SERVICES
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import QueryChecked, QueryRun, TurnFinished
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.source import Asking
from bandsmith.shared.result_tables import from_bytes, table_of
from bandsmith.shared.sources import source_of, write_sources
from bandsmith.shared.telemetry.log import configure

from .tasks import numbers

MAX_ROWS, MAX_SHOWN_ROWS = 10_000, 50
DECIMALS = 6
"""Decimals to which figures of two queries have to agree."""


class Asked(Value):
    """A question of the file."""

    database: str
    question: str
    gold: str = ""
    wanted: str = ""


class Case(Value):
    """What became of a question."""

    number: int
    asked: Asked
    reply: str = ""
    query: str = ""
    refused: list[str] = []
    """Why earlier queries were refused or failed."""
    rows: list[list[str]] | None = None
    """The names of the columns, then the first rows; None: the question was not answered."""
    row_count: int = 0
    gold_rows: list[list[str]] | None = None
    is_equal: bool | None = None
    """Whether the rows are those of the gold query; None without one."""
    calls: int = 0
    tokens: int = 0


async def measure(asked: Sequence[Asked], databases: Path, only: range, at_once: int, out: Path) -> list[Case]:
    """Ask each question in a session of its own, `at_once` at a time, and write what a judge needs."""
    names = {name: f"db{number}" for number, name in enumerate(sorted({one.database for one in asked}), 1)}
    sources = {names[name]: source_of(names[name], str(databases / name)) for name in names}
    write_sources(Path(os.environ["BANDSMITH_HOME"]) / "sources.toml", sources)
    places = asyncio.Semaphore(at_once)
    async with local(SERVICES, store=Path(os.environ["BANDSMITH_HOME"]) / "bus") as bus:
        client = Client(bus)

        async def one(number: int, question: Asked) -> Case:
            async with places:
                case = await ask(client, number, question, names[question.database], databases)
            (out / f"{number:02d}.md").write_text(_page(case), "utf-8")
            print(f"{number}: {'answered' if case.rows is not None else 'not answered'}", flush=True)
            return case

        cases = await asyncio.gather(*(one(n, question) for n, question in enumerate(asked, 1) if n in only))
    (out / "cases.json").write_text(_as_json([case.model_dump() for case in cases]), "utf-8")
    return cases


async def ask(client: Client, number: int, question: Asked, source: str, databases: Path) -> Case:
    """Ask one question. A turn that fails is a question that was not answered."""
    found: dict[str, Any] = {"number": number, "asked": question}
    refused: list[str] = []
    rows: list[list[Any]] | None = None
    names: list[str] = []
    try:
        turn = client.turn(f"question-{number}", question.question, asking=Asking(source=source))
        async with aclosing(turn) as events:
            async for event in events:
                match event:
                    case QueryChecked(reason=reason) | QueryRun(reason=reason) if reason:
                        refused.append(reason)
                    case QueryChecked():
                        found["query"] = event.query
                    case QueryRun(result=result) if result is not None:
                        table = from_bytes(await client.fetch(result))
                        names, rows = table.column_names, [list(row.values()) for row in table.to_pylist()]
                    case TurnFinished():
                        found |= {"reply": event.reply, "calls": event.usage.calls, "tokens": event.usage.tokens}
                        break
    except BandsmithError as error:
        found["reply"] = str(error)
    found["refused"] = refused
    if rows is not None:
        found |= {"rows": _shown(names, rows), "row_count": len(rows)}
    if question.gold:
        gold_names, gold = _gold(databases / question.database, question.gold)
        found |= {"gold_rows": _shown(gold_names, gold)}
        found["is_equal"] = rows is not None and is_equal(rows, gold, ordered=_is_ordered(question.gold))
    return Case(**found)


def _gold(database: Path, query: str) -> tuple[list[str], list[list[Any]]]:
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        cursor = connection.execute(query)
        table = table_of([column[0] for column in cursor.description], cursor, MAX_ROWS).content
        return table.column_names, [list(row.values()) for row in table.to_pylist()]


def is_equal(rows: Sequence[Sequence[Any]], gold: Sequence[Sequence[Any]], *, ordered: bool) -> bool:
    """Return whether two results have the same rows: figures rounded, and the order only where the question has one."""
    found, wanted = ([tuple(map(_plain, row)) for row in table] for table in (rows, gold))
    return found == wanted if ordered else sorted(found) == sorted(wanted)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    try:
        return format(round(float(str(value)), DECIMALS), "g")
    except ValueError:
        return str(value)


def _is_ordered(query: str) -> bool:
    return sqlglot.parse_one(query, dialect="sqlite").args.get("order") is not None and not query.count("LIMIT 1")


def _shown(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    return [list(names), *([str(value) for value in row] for row in rows[:MAX_SHOWN_ROWS])]


def _page(case: Case) -> str:
    """Return what a judge reads of a question."""
    asked = case.asked
    parts = [f"# {case.number}: {asked.question}", f"Database: {asked.database}"]
    parts += [f"Wanted: {asked.wanted}"] if asked.wanted else []
    parts += ["## Query", f"```sql\n{case.query}\n```", f"## {case.row_count} rows", _table(case.rows)]
    if case.gold_rows is not None:
        parts += ["## Wanted query", f"```sql\n{asked.gold}\n```", _table(case.gold_rows)]
        parts += [f"The rows are {'the same' if case.is_equal else 'NOT the same'}."]
    parts += ["## Reply", case.reply or "None."]
    parts += ["## Refused before", *case.refused] if case.refused else []
    return "\n\n".join(parts) + "\n"


def _table(rows: list[list[str]] | None) -> str:
    if rows is None:
        return "Not answered."
    return "\n".join(["| " + " | ".join(rows[0]) + " |", "|---" * len(rows[0]) + "|",
                      *("| " + " | ".join(row) + " |" for row in rows[1:])])  # fmt: skip


def summary(cases: Sequence[Case], verdicts: dict[int, str]) -> list[str]:
    """Return the counts: of what was answered, of what equals the gold rows, and of the judge's verdicts."""
    count = max(1, len(cases))
    judged = [case for case in cases if case.number in verdicts]
    right = [case for case in judged if verdicts[case.number].casefold().startswith("right")]
    compared = [case for case in cases if case.is_equal is not None]
    lines = [
        f"questions {len(cases)}, answered {sum(case.rows is not None for case in cases)}",
        f"queries refused or failed {sum(len(case.refused) for case in cases)}",
        f"calls a question {sum(case.calls for case in cases) / count:.1f}",
        f"tokens a question {sum(case.tokens for case in cases) / count:,.0f}",
    ]
    if compared:
        lines.append(f"rows of the gold query {sum(bool(case.is_equal) for case in compared)} of {len(compared)}")
    if judged:
        lines.append(f"right, as judged {len(right)} of {len(judged)} ({len(right) / len(judged):.2f})")
    return lines


def read_verdicts(file: Path) -> dict[int, str]:
    given = yaml.safe_load(file.read_text("utf-8")) if file.exists() else {}
    return {int(number): str(verdict) for number, verdict in (given or {}).items()}


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="?", help="YAML file of the questions")
    parser.add_argument("databases", type=Path, nargs="?", help="folder of the SQLite databases")
    parser.add_argument("--out", type=Path, default=Path("out/sql-by-hand"), metavar="FOLDER")
    parser.add_argument("--only", type=numbers, default=range(1, 1000), help="a question, or the first and last: 1-10")
    parser.add_argument("--at-once", type=int, default=8, metavar="N", help="questions that wait at the same time")
    parser.add_argument("--judged", type=Path, metavar="FOLDER", help="count the verdicts in this folder")
    given = parser.parse_args()
    if given.judged:
        cases = [Case(**case) for case in json.loads((given.judged / "cases.json").read_text("utf-8"))]
        print("\n".join(summary(cases, read_verdicts(given.judged / "verdicts.yaml"))))
        return 0
    if given.questions is None or given.databases is None:
        parser.error("name the file of the questions and the folder of the databases")
    configure()
    asked = [Asked(**one) for one in yaml.safe_load(given.questions.read_text("utf-8"))]
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["BANDSMITH_HOME"] = home
        cases = asyncio.run(measure(asked, given.databases, given.only, given.at_once, given.out))
    print("\n".join(summary(cases, {})))
    return 0


if __name__ == "__main__":
    sys.exit(main())
