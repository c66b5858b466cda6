"""How questions about data fare on real databases: ``make bench-sql``.

The folder holds ``spider_pairs.json`` (questions in English and Chinese with the SQL that answers them) and the SQLite
databases in ``spider/``. Every question goes through the whole system, with the right SQL as the model's reply: what
comes out has to be what the database gives for it. Then the first reply is broken in a known way and the second is
right: a break that is caught is corrected, one that is not gives a wrong answer. What is measured without a model is in
``sql_tables.py``.

    python -m benchmarks.sql FOLDER [--questions N] [--broken N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TypeVar
from unittest import mock

import sqlglot
from sqlglot import exp

from bandsmith.cli.ask import SERVICES
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.events import NodeFinished, QueryChecked, QueryRun, TurnFinished
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.model.source import Asking
from bandsmith.shared.result_tables import from_bytes, table_of
from bandsmith.shared.sources import source_of, write_sources
from bandsmith.shared.telemetry.log import configure

from .results import HEADER, Result
from .sql_questions import SMALL_DATABASE, SMALL_PAIR, Question, questions
from .sql_tables import dropped_filter, measure_tables

AT_ONCE, MANY_AT_ONCE = 2, 100
BROKEN = 60
"""Queries of each kind that are broken, by default."""
MAX_ROWS = 10_000
OTHER_REPLIES = {"judge_query": {"verdict": "answers"}, "assess_question": {"assessment": "analysis"}}
"""What the scripted model says besides queries."""
PROGRESS_STEP = 20
"""How many questions are asked between two lines of progress."""


@dataclass(frozen=True)
class Outcome:
    is_right: bool
    refused: int
    """Queries that a check refused."""
    failed: int
    """Queries that the database refused."""
    seconds: float
    nodes: dict[str, float]
    """Seconds in each node."""


# --- breaking a query ------------------------------------------------------------------------------------------------


def _unknown_column(tree: exp.Expr) -> exp.Expr | None:
    column = next(tree.find_all(exp.Column), None)
    if column is None:
        return None
    column.this.set("this", f"{column.name}_of_no_table")
    return tree


def _unknown_table(tree: exp.Expr) -> exp.Expr | None:
    table = next(tree.find_all(exp.Table), None)
    if table is None:
        return None
    table.this.set("this", f"{table.name}_of_old")
    return tree


def _dropped_join_condition(tree: exp.Expr) -> exp.Expr | None:
    join = next((join for join in tree.find_all(exp.Join) if join.args.get("on")), None)
    if join is None:
        return None
    join.set("on", None)
    return tree


BREAKS: dict[str, Callable[[exp.Expr], exp.Expr | None]] = {
    "unknown column": _unknown_column,
    "unknown table": _unknown_table,
    "dropped filter": dropped_filter,
    "join without a condition": _dropped_join_condition,
}


def broken(gold: str) -> Iterator[tuple[str, str]]:
    """Yield the ways in which a query can be broken, each with the broken query."""
    yield "syntax", gold.replace("FROM", "FORM", 1)
    for kind, change in BREAKS.items():
        if (tree := change(sqlglot.parse_one(gold, dialect="sqlite"))) is not None:
            yield kind, tree.sql(dialect="sqlite")


# --- running ---------------------------------------------------------------------------------------------------------


class Replies:
    """A model that answers each question with the queries that were set for it, one after another.

    As a judge it finds nothing: whether a query is right is measured by its rows.
    """

    def __init__(self) -> None:
        self.queries: dict[str, list[str]] = {}

    def __call__(self, asked: ScriptedRequest) -> ScriptedReply:
        if asked.prompt != "write_query":
            return ScriptedReply(json.dumps(OTHER_REPLIES[asked.prompt]))
        queries = self.queries[asked.fenced[-1].strip()]
        return ScriptedReply(json.dumps({"query": queries.pop(0) if len(queries) > 1 else queries[0]}))


async def ask(client: Client, name: str, question: Question, folder: Path) -> Outcome:
    """Ask a question and compare the rows with the rows that the right query gives."""
    began, refused, failed, rows, nodes = time.monotonic(), 0, 0, None, dict[str, float]()
    async with aclosing(client.turn(name, question.text, asking=Asking(source=question.source))) as events:
        async for event in events:
            match event:
                case QueryChecked(reason=reason) if reason:
                    refused += 1
                case QueryRun(result=None):
                    failed += 1
                case QueryRun():
                    assert event.result is not None
                    rows = from_bytes(await client.fetch(event.result)).to_pylist()
                case NodeFinished(node=node, seconds=seconds):
                    nodes[node] = nodes.get(node, 0) + seconds
                case TurnFinished():
                    break
    return Outcome(rows == _right(folder, question), refused, failed, time.monotonic() - began, nodes)


def _right(folder: Path, question: Question) -> list[dict[str, object]]:
    with closing(sqlite3.connect(folder / "spider" / f"{question.source}.sqlite")) as database:
        database.text_factory = lambda content: content.decode("utf-8", "replace")
        cursor = database.execute(question.gold)
        rows: list[dict[str, object]] = table_of(
            [column[0] for column in cursor.description], cursor, MAX_ROWS
        ).content.to_pylist()
        return rows


async def measure(
    folder: Path, limit: int | None = None, broken_of_a_kind: int = BROKEN, many: int = MANY_AT_ONCE
) -> list[Result]:
    """Return rows for the right queries, each kind of broken query, the nodes, and many questions at once."""
    chosen = _spread(questions(folder), limit)
    replies = Replies()
    with tempfile.TemporaryDirectory() as home, ScriptedModel(replies) as server:
        names = {question.source for question in chosen}
        sources = {name: source_of(name, str(folder / "spider" / f"{name}.sqlite")) for name in names}
        write_sources(Path(home) / "sources.toml", sources)
        settings = server.settings()
        model = {"BANDSMITH_MODEL_URL": str(settings.url), "BANDSMITH_MODEL_NAME": str(settings.name)}
        with mock.patch.dict(os.environ, {"BANDSMITH_HOME": home, **model}):
            async with local(SERVICES) as bus:
                return await _results(Run(Client(bus), replies, folder), chosen, broken_of_a_kind, many)


async def smoke() -> list[Result]:
    """Ask about a database of three rows. Raises ``RuntimeError`` where the right query does not give the answer."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "spider").mkdir()
        with closing(sqlite3.connect(folder / "spider" / "shop.sqlite")) as database:
            database.executescript(SMALL_DATABASE)
        (folder / "spider_pairs.json").write_text(json.dumps([SMALL_PAIR]), encoding="utf-8")
        results = await measure(folder, many=2)
    if results[0].figure != results[0].target:
        raise RuntimeError(f"{results[0].what}: {results[0].figure}")
    return results


T = TypeVar("T")


def _spread(of: list[T], limit: int | None) -> list[T]:
    """Return about so many, evenly from all; all of them for no limit."""
    return of[:: max(1, round(len(of) / limit))] if limit else of


async def _results(run: Run, chosen: Sequence[Question], broken_of_a_kind: int, many: int) -> list[Result]:
    right = await run.outcomes([(question, [question.gold]) for question in chosen], "right")
    results = [_row("right SQL through the whole system", right, f"{len(right)} of {len(right)}"), *_node_rows(right)]
    kinds: dict[str, list[Case]] = {}
    for question in chosen:
        for kind, query in broken(question.gold):
            kinds.setdefault(kind, []).append((question, [query, question.gold]))
    for kind, cases in kinds.items():
        found = await run.outcomes(_spread(cases, broken_of_a_kind), kind)
        caught = sum(outcome.refused + outcome.failed > 0 for outcome in found)
        by = f"by a check: {sum(one.refused > 0 for one in found)}"
        in_the_end = f"{by}, right in the end: {sum(one.is_right for one in found)}"
        results.append(Result(f"broken first: {kind}", f"{caught} of {len(found)} caught", "", in_the_end))
    began = time.monotonic()
    repeated = [(question, [question.gold]) for question in (list(chosen) * many)[:many]]
    at_once = await run.outcomes(repeated, "at once", at_once=many)
    row = _row(f"{many} questions at once", at_once, f"{many} of {many}")
    return [*results, replace(row, details=f"all answered after {time.monotonic() - began:.0f} s")]


def _node_rows(outcomes: Sequence[Outcome]) -> list[Result]:
    """Return the median time of each node. The scripted model answers at once, so this is what the program takes."""
    names = dict.fromkeys(name for outcome in outcomes for name in outcome.nodes)
    medians = {name: median(one.nodes[name] for one in outcomes if name in one.nodes) for name in names}
    rows = [Result(f"node {name}", f"{seconds * 1000:.0f} ms", "", "median") for name, seconds in medians.items()]
    return [*rows, Result("a question", f"{median(one.seconds for one in outcomes):.2f} s", "", "median")]


def _in_letters(number: int) -> str:
    """Return a number in letters, as digits in a question would have to stand in its query."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


Case = tuple[Question, list[str]]
"""A question, and the queries that the model replies with, one after another."""


@dataclass(frozen=True)
class Run:
    """One run of the whole system with a scripted model."""

    client: Client
    replies: Replies
    folder: Path

    async def outcomes(self, cases: Sequence[Case], what: str, at_once: int = AT_ONCE) -> list[Outcome]:
        """Ask the question of each case, some at a time."""
        slots = asyncio.Semaphore(at_once)

        done: list[Outcome] = []

        async def one(number: int, question: Question, queries: list[str]) -> Outcome:
            async with slots:
                text = f"{question.text} ({what} {_in_letters(number)})"
                self.replies.queries[text] = queries
                session = f"{what}-{number}".replace(" ", "-")
                asked = Question(question.source, text, question.gold)
                done.append(await ask(self.client, session, asked, self.folder))
                if len(done) % PROGRESS_STEP == 0:
                    right = sum(outcome.is_right for outcome in done)
                    print(f"{what}: {len(done)} of {len(cases)} asked, {right} right", file=sys.stderr, flush=True)
                return done[-1]

        return await asyncio.gather(*(one(number, *case) for number, case in enumerate(cases)))


def _row(what: str, outcomes: list[Outcome], target: str) -> Result:
    right = sum(outcome.is_right for outcome in outcomes)
    refused = sum(outcome.refused for outcome in outcomes)
    return Result(what, f"{right} of {len(outcomes)}", target, f"refused by a check: {refused}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, help="about how many of the questions; by default all")
    parser.add_argument("--broken", type=int, default=BROKEN, help="about how many queries are broken, of each kind")
    options = parser.parse_args()
    configure()
    print(HEADER, flush=True)
    for result in measure_tables(options.folder, questions(options.folder)):
        print(result, flush=True)
    for result in asyncio.run(measure(options.folder, options.questions, options.broken)):
        print(result, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
