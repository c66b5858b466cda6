"""What a layer hides stays hidden, and a large result is cut, on each kind of real database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bandsmith.services.planner.data.source_process import describe, run
from bandsmith.services.validator.query.check import check
from bandsmith.shared.result_tables import from_bytes
from bandsmith.shared.semantic_layer import SemanticLayer, applied
from bandsmith.shared.sources import Source

pytestmark = pytest.mark.slow  # a process for each query
LAYER = SemanticLayer.model_validate({
    "tables": {
        "customers": {"rows": "city = 'Leeds'", "columns": {"email": {"masked": True}}},
        "orders": {"rows": "amount < 10"},
    }
})  # fmt: skip
SECRETS = ("海宁百货", "嘉兴", "example.com", "12.5", "99")
"""A customer of another city, the addresses, and the amounts of the orders that the rule hides."""
WORDINGS = {
    "star": ("SELECT * FROM customers", 1),
    "alias": ("SELECT x.name, x.email FROM customers AS x", 1),
    "cte": ("WITH c AS (SELECT * FROM customers), d AS (SELECT * FROM c) SELECT d.* FROM d", 1),
    "union": ("SELECT name FROM customers UNION ALL SELECT email FROM customers", 2),
    "subquery": ("SELECT * FROM (SELECT * FROM (SELECT * FROM customers) AS a) AS b", 1),
    "condition": ("SELECT amount FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE id = 2)", 0),
    "value": ("SELECT (SELECT MAX(c.name) FROM customers AS c WHERE c.id = 2) AS name FROM orders AS o", 1),
    "join": ("SELECT c.name, o.amount FROM orders AS o LEFT JOIN customers AS c ON o.customer_id = c.id", 1),
    "self join": ("SELECT a.name FROM customers AS a JOIN customers AS b ON a.id = b.id", 1),
    "or": ("SELECT name FROM customers WHERE 1 = 1 OR city = '嘉兴'", 1),
    "filter": ("SELECT name FROM customers WHERE email LIKE '%example.com'", 0),
    "exists": ("SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM customers AS c WHERE c.id = 2)", 0),
}
MILLION = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
MAX_ROWS = 10_000


async def test_rules_hold_on_every_database_however_a_query_is_worded(shop: Source):
    schema = applied(await describe(shop), LAYER)
    for name, (sql, count) in WORDINGS.items():
        answer = await run(shop, check(sql, schema).permitted, seconds=30, max_rows=100)
        found = from_bytes(answer.table).to_pylist()
        assert len(found) == count, f"{name}: {found}"
        assert not [secret for secret in SECRETS if secret in str(found)], f"{name}: {found}"


async def test_of_a_million_rows_the_first_are_read_and_the_rest_is_said(shop: Source):
    answer = await run(shop, f"{MILLION} SELECT a.i FROM n AS a CROSS JOIN n AS b", seconds=60, max_rows=MAX_ROWS)
    assert answer.is_cut and from_bytes(answer.table).num_rows == MAX_ROWS


def test_a_million_rows_take_no_more_memory_than_those_that_are_read(shop: Source, tmp_path: Path):
    few = peak_of(shop, f"{MILLION} SELECT a.i FROM n AS a CROSS JOIN n AS b WHERE b.i <= 10", tmp_path)
    many = peak_of(shop, f"{MILLION} SELECT a.i FROM n AS a CROSS JOIN n AS b", tmp_path)
    assert many < few * 1.25, f"{few} and {many} kB"


def peak_of(source: Source, sql: str, folder: Path, **more: object) -> int:
    """Return the most memory that the process of one query held, in kB."""
    request = {
        "source": source.name, "address": source.address, "path": str(source.path or ""), "dialect": source.dialect,
        "sensitive": [], "sql": sql, "seconds": 60, "max_rows": MAX_ROWS, **more,
    }  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request))
    command = [sys.executable, "-m", "bandsmith.services.planner.data.worker", str(os.getpid())]
    with (folder / "request.json").open() as asked, (folder / "answer").open("wb") as said:
        process = subprocess.Popen(command, stdin=asked, stdout=said)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    with (folder / "answer").open("rb") as answer:
        head = json.loads(answer.readline())
    assert process.returncode == 0 and "error" not in head, head
    return used.ru_maxrss
