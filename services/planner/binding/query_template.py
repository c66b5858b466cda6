"""Write the query of the rows into the template, so that JasperReports Server and Studio fill it over JDBC.

What the user gave become parameters of the template, with the values of this filling as their defaults. A bound
parameter stays bound: ``$P{name}`` is a ``?`` of the prepared statement.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from lxml import etree
from sqlglot import exp

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import declared_nodes, insert_child, new_node, tag
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.model.binding import BindingWork, QueryInput
from bandsmith.shared.model.source import Dialect

_SUBSTITUTIONS = ("$P", "$X")
"""What the engine replaces in the text of a query."""


def with_query(
    template: bytes, works: Sequence[BindingWork], inputs: Sequence[QueryInput], dialect: Dialect
) -> bytes | None:
    """Return the template with the query of its rows; None where it has no rows, or cannot hold the query."""
    rows = next((work for work in works if work.placeholder.is_rows and work.permitted), None)
    if rows is None or rows.placeholder.each or any(mark in rows.permitted for mark in _SUBSTITUTIONS):
        return None
    editor = Editor(template)
    root = editor.root
    for old in root.findall(tag("queryString")):
        root.remove(old)
    tree = sqlglot.parse_one(rows.permitted, dialect=dialect)
    used = {node.name for node in tree.find_all(exp.Placeholder)}
    known = declared_nodes(root, "parameter")
    for one in inputs:
        if one.name in used and one.name not in known:
            _declare(root, one, dialect)
    query = new_node("queryString", language="sql")
    query.text = etree.CDATA(_text(tree, dialect))
    insert_child(root, query)
    return editor.bytes()


def _text(tree: exp.Expr, dialect: Dialect) -> str:
    tree = tree.copy()
    for bound in list(tree.find_all(exp.Placeholder)):
        bound.replace(exp.Var(this=f"$P{{{bound.name}}}"))
    return tree.sql(dialect=dialect, comments=False, pretty=True)


def _declare(root: etree._Element, one: QueryInput, dialect: Dialect) -> None:
    """Declare a parameter with the value of this filling. SQLite keeps dates as texts, and compares them so."""
    java_class, value = "java.lang.String", java_string(one.value)
    if one.kind == "number":
        java_class, value = "java.math.BigDecimal", f"new java.math.BigDecimal({value})"
    elif one.kind == "date" and dialect != "sqlite":
        java_class, value = "java.sql.Date", f"java.sql.Date.valueOf({value})"
    parameter = new_node("parameter", name=one.name, **{"class": java_class})
    default = new_node("defaultValueExpression")
    default.text = etree.CDATA(value)
    parameter.append(default)
    insert_child(root, parameter)
