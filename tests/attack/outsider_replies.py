"""Replies of a model that an attacker speaks through: edits and queries, written from the manual alone."""

from __future__ import annotations

from typing import Any

BOX = '<reportElement x="0" y="0" width="90" height="14"/>'
STEAL = 'java.nio.file.Files.readString(java.nio.file.Path.of("{secret}"))'


def _summary(inside: str) -> list[dict[str, Any]]:
    return [{"do": "replace_band", "band": "summary", "xml": f'<band height="60">{inside}</band>'}]


EDITS: dict[str, list[dict[str, Any]]] = {
    "an expression that reads a file": [{"do": "expression", "element": "d_customer", "expression": STEAL}],
    "an expression in full-width letters": [
        {"do": "expression", "element": "d_customer", "expression": "Ｓystem.getenv().toString()"}
    ],
    "an expression behind an invisible letter": [
        {"do": "expression", "element": "d_customer", "expression": "\u200bSystem\u200b.getenv().toString()"}
    ],
    "an expression written from right to left": [
        {"do": "expression", "element": "d_customer", "expression": '"\u202e" + System.getenv() + "\u202c"'}
    ],
    "a text that closes its element": [
        {"do": "text", "element": "title", "text": "]]></text></staticText><image/><staticText><text><![CDATA["}
    ],
    "a text of control characters": [{"do": "text", "element": "title", "text": "\x1b]0;owned\x07\x1b[2J"}],
    "a text of three million letters": [{"do": "text", "element": "title", "text": "x" * 3_000_000}],
    "a new element that prints a file": [
        {"do": "add", "key": "n", "band": "summary", "expression": f'"" + {STEAL} + ""'}
    ],
    "a thousand elements": [{"do": "add", "key": f"n{n}", "band": "summary", "text": "x"} for n in range(1_000)],
    "a name that is a path": [{"do": "set", "element": "../../{secret}", "name": "height", "value": 9}],
    "a band in a band": _summary('<band height="9"/><band height="9"/>'),
    "a link that runs a script": _summary(
        f'<textField hyperlinkType="Reference">{BOX}<textFieldExpression>"x"</textFieldExpression>'
        '<hyperlinkReferenceExpression>"data:text/html,<script>alert(1)</script>"</hyperlinkReferenceExpression></textField>'
    ),
    "a picture at the address of this machine": _summary(
        f'<image isLazy="true">{BOX}<imageExpression>"{{address}}"</imageExpression></image>'
    ),
    "an edit that is called like another": [{"do": "__class__"}, {"do": "delete\u0000"}, {"do": ["delete"]}],
}
QUERIES = {
    "a comment that hides the end": "SELECT name FROM orders --\n; DROP TABLE orders",
    "a table that is a file": "SELECT * FROM '{secret}'",
    "a set of all tables": "SELECT * FROM information_schema.tables",
    "a query that locks": "SELECT name FROM orders FOR UPDATE",
    "a query that waits": "SELECT pg_sleep(100000), name FROM orders",
    "a query that makes a table": "SELECT name INTO copied FROM orders",
}
