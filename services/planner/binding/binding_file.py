"""The binding file: the queries that fill one report, as YAML that a person reads, edits and keeps in git.

    source: shop
    parameters: {month_start: date, month_end: date}
    periods: [month]
    reviewed: true
    bindings:
    - placeholders: [(rows)]
      query: |-
        SELECT ...
      checked: 2026-11-22T21:40:00Z
    columns:
      orders: {ordered_on: DATE}

The queries are checked again at every use: the file comes from outside. ``columns`` says what
they read when they were checked, so that a source that changed is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import sqlglot
import yaml
from pydantic import ValidationError
from sqlglot import exp

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.binding import ROWS, Binding, BindingFile, BindingWork, QueryInput
from bandsmith.shared.model.source import Dialect, SourceSchema

MAX_FILE_BYTES = 1_000_000
HEAD = """\
# Queries that fill a report. Check them, then set `reviewed: true`; they need no language model to run.
# `:name` is a bound parameter: --param month=2026-10 gives :month_start and :month_end.
"""


class _Dumper(yaml.SafeDumper):
    """Write a text of several lines as a block."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def read_binding_file(content: bytes) -> BindingFile:
    """Return a binding file. Raises ``BadInput`` for one that cannot be read."""
    try:
        if len(content) > MAX_FILE_BYTES:
            raise ValueError
        return BindingFile.model_validate(yaml.safe_load(content.decode()))
    except (ValueError, yaml.YAMLError, ValidationError, RecursionError):
        raise BadInput.of("data.binding.file", code="bindings") from None


def write_binding_file(
    works: Sequence[BindingWork],
    source: str,
    schema: SourceSchema,
    inputs: Sequence[QueryInput],
    *,
    is_reviewed: bool,
) -> bytes:
    """Return the binding file as YAML. Placeholders with the same query become one entry."""
    file = BindingFile(
        source=source,
        parameters={one.name: one.kind for one in inputs},
        periods=list(dict.fromkeys(one.window for one in inputs if one.window)),
        each=next((work.placeholder.each for work in works if work.placeholder.is_rows), ""),
        reviewed=is_reviewed,
        bindings=put_together(works, schema.dialect),
        columns=_columns(works, schema),
    )
    pretty = [one.model_copy(update={"query": _pretty(one.query, schema.dialect)}) for one in file.bindings]
    return yaml_of(file.model_copy(update={"bindings": pretty}))


def yaml_of(file: BindingFile) -> bytes:
    content = file.model_dump(mode="json")
    return (HEAD + yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)).encode()


def put_together(works: Iterable[BindingWork], dialect: Dialect) -> list[Binding]:
    """Return the bindings; values that are read from the same rows by the same conditions share a query."""
    rows, groups = [], dict[str, list[BindingWork]]()
    for work in works:
        if work.state not in ("bound", "written"):
            continue
        if work.name == ROWS:
            rows.append(Binding(placeholders=[ROWS], query=work.query, checked=work.time))
        else:
            groups.setdefault(_without_columns(work.query, dialect), []).append(work)
    return rows + [_joined(group, dialect) for group in groups.values()]


def _without_columns(query: str, dialect: Dialect) -> str:
    """Return what a query reads from and by which conditions; the whole query where columns can change its rows."""
    tree = sqlglot.parse_one(query, dialect=dialect)
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or _uses_own_columns(tree):
        return query
    is_aggregate = bool(tree.find(exp.AggFunc)) or bool(tree.args.get("group"))
    rest = tree.copy()
    rest.set("expressions", [exp.Star()])
    return f"{is_aggregate} {rest.sql(dialect=dialect)}"


def _uses_own_columns(tree: exp.Select) -> bool:
    """Return whether its rows depend on what it selects, by an alias or a position: ``ORDER BY 1``."""
    aliases = {one.alias.casefold() for one in tree.expressions if one.alias}
    clauses = [clause for name in ("group", "having", "order") if (clause := tree.args.get(name))]
    for clause in clauses:
        if any(
            isinstance(one.this if isinstance(one, exp.Ordered) else one, exp.Literal) for one in clause.expressions
        ):
            return True
        if any(not one.table and one.name.casefold() in aliases for one in clause.find_all(exp.Column)):
            return True
    return False


def _joined(group: list[BindingWork], dialect: Dialect) -> Binding:
    """Return one query that selects the values of all."""
    first = group[0]
    checked = min((work.time for work in group if work.time), default=None)
    names = [field.name for work in group for field in work.placeholder.fields]
    if len(group) == 1:
        return Binding(placeholders=names, query=first.query, checked=checked)
    tree = sqlglot.parse_one(first.query, dialect=dialect)
    selected = [one for work in group for one in sqlglot.parse_one(work.query, dialect=dialect).expressions]
    tree.set("expressions", selected)
    return Binding(placeholders=names, query=printed(tree, dialect), checked=checked)


def printed(tree: exp.Expr, dialect: Dialect, *, pretty: bool = False) -> str:
    """Return the text of a tree, with ``:name`` for a bound parameter in every dialect."""
    tree = tree.copy()
    for bound in list(tree.find_all(exp.Placeholder)):
        bound.replace(exp.Var(this=f":{bound.name}"))
    return tree.sql(dialect=dialect, comments=False, pretty=pretty)


def _pretty(query: str, dialect: Dialect) -> str:
    return printed(sqlglot.parse_one(query, dialect=dialect), dialect, pretty=True)


def changed_columns(file: BindingFile, schema: SourceSchema) -> Iterator[str]:
    """Yield the columns that the source lacks or holds in another type since the queries were checked."""
    now = {table.name: {column.name: column.type for column in table.columns} for table in schema.tables}
    for table, columns in file.columns.items():
        for column, kind in columns.items():
            if now.get(table, {}).get(column) != kind:
                yield f"{table}.{column}"


def _columns(works: Sequence[BindingWork], schema: SourceSchema) -> dict[str, dict[str, str]]:
    """Return the columns that the queries name, by table."""
    tables = {name for work in works for name in work.memory.tables}
    names = {
        column.name.casefold()
        for work in works
        if work.query
        for column in sqlglot.parse_one(work.query, dialect=schema.dialect).find_all(exp.Column)
    }
    found = {
        table.name: {column.name: column.type for column in table.columns if column.name.casefold() in names}
        for table in schema.tables
        if table.name in tables
    }
    return {table: columns for table, columns in found.items() if columns}
