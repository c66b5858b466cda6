"""What a query means in MySQL, and hardly anywhere else: it would run and give something else than was meant."""

from __future__ import annotations

from typing import NamedTuple

from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import TokenError
from sqlglot.tokens import TokenType

from bandsmith.shared.model.source import SourceSchema


class Pitfall(NamedTuple):
    """The code of the text that says it, and the name that it is about."""

    code: str
    name: str = ""


def mysql_pitfall(sql: str, schema: SourceSchema) -> Pitfall | None:
    """Return why a query does not mean what it says: ``||`` joins no texts, and double quotes hold no name."""
    names = {
        name.casefold() for table in schema.tables for name in (table.own_name, *(one.name for one in table.columns))
    }
    try:
        tokens = MySQL().tokenize(sql)
    except TokenError:  # the parser says so
        return None
    for token in tokens:
        if token.token_type == TokenType.DPIPE:
            return Pitfall("data.query.mysql_or")
        if token.token_type == TokenType.STRING and sql[token.start] == '"' and token.text.casefold() in names:
            return Pitfall("data.query.mysql_quotes", token.text)
    return None
