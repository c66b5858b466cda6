"""Recursive queries that nothing ends. They would run until their time is up."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

_ENDS = (exp.Where, exp.Having, exp.Join, exp.Limit, exp.Fetch, exp.With)
"""What may end a recursion: a condition, rows that are used up, a number of rows; or a name with another meaning."""


def endless_recursion(tree: exp.Expr) -> str | None:
    """Return the name of a CTE that repeats its own rows without any condition, or None.

    One that removes duplicates may end by itself, and one whose result is cut by a LIMIT runs no further than that.
    """
    if tree.find(exp.Limit, exp.Fetch):
        return None
    return next((common.alias for common in tree.find_all(exp.CTE) if _is_endless(common)), None)


def _is_endless(common: exp.CTE) -> bool:
    parts = list(_parts(common.this))
    return not any(part.args.get("distinct") for part in parts) and any(_repeats(part, common.alias) for part in parts)


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the unions that a query is made of, or else the query."""
    yield node
    if isinstance(node, exp.SetOperation):
        yield from _parts(node.left)
        yield from _parts(node.right)


def _repeats(part: exp.Expr, name: str) -> bool:
    """Whether a part reads the rows of its own CTE, all of them."""
    if isinstance(part, exp.SetOperation):
        return False
    reads = (table.name.lower() == name.lower() for table in part.find_all(exp.Table) if not table.db)
    return any(reads) and not part.find(*_ENDS)
