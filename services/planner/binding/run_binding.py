"""Run the checked query of a placeholder: first for a few rows, to see whether they fit, then for all rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlglot

from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.language import Language
from bandsmith.shared.markdown_text import cell_text
from bandsmith.shared.model.binding import BindingTrial, BindingWork, ErrorClass, QueryInput
from bandsmith.shared.model.filling import MAX_TABLE_ROWS, Cell, TableHead
from bandsmith.shared.model.source import Dialect
from bandsmith.shared.replies import Text
from bandsmith.shared.sources import Source

from ..data.error_class import error_class
from ..data.source_process import Lines, QueryFailed, lost_connection, run_lines
from ..filling.values import FormatEvidence, Unreadable, kind_of, read, style_of

MAX_TRIED_ROWS, MAX_SHOWN_ROWS, MAX_SHOWN_CHARS = 50, 5, 40


async def try_binding(
    work: BindingWork, source: Source, inputs: Sequence[QueryInput], seconds: float, language: Language
) -> BindingTrial:
    """Return the first rows of a query, or why it does not give what the placeholder needs."""
    try:
        lines = await _run(work, source, inputs, seconds, MAX_TRIED_ROWS)
    except BadInput as error:  # a variable with a password is missing
        return _failed(Text(error.message, error.message_zh or error.message), "connection", language)
    except QueryFailed as failed:
        return _failed(Text.of("data.query.failed", reason=str(failed)), error_class(str(failed)), language)
    rows = list(lines.rows())
    wrong = _wrong(work, lines.columns, rows)
    if wrong is not None:
        return _failed(wrong, "shape", language)
    preview = _preview(lines.columns, rows)
    return BindingTrial(preview=preview, row_count=len(rows), time=datetime.now(UTC).replace(microsecond=0))


async def fetch_rows(
    works: Sequence[BindingWork], source: Source, inputs: Sequence[QueryInput], seconds: float
) -> tuple[bytes, list[Text]]:
    """Return what the queries give as a table, and the notes on it. Raises ``TerminalError``."""
    parameters: dict[str, Cell] = {}
    rows, notes = Lines(columns=[], content=b"", row_count=0, is_cut=False), list[Text]()
    for work in works:
        try:
            lines = await _run(work, source, inputs, seconds, MAX_TABLE_ROWS if work.placeholder.is_rows else 2)
        except QueryFailed as failed:
            raise lost_connection(source.name, failed) or TerminalError.of(
                "data.query.failed", code="source", reason=str(failed)
            ) from None
        if work.placeholder.is_rows:
            rows = lines
        else:
            parameters |= _values(work, lines, notes)
    if rows.is_cut:
        notes.append(Text.of("data.binding.cut", count=rows.row_count))
    head = TableHead(columns=rows.columns, parameters=parameters).model_dump_json().encode()
    return b"\n".join([head, rows.content]) if rows.row_count else head, notes


def _values(work: BindingWork, lines: Lines, notes: list[Text]) -> dict[str, Cell]:
    """Return the values of one row; none, with a note, where the query gave none or several."""
    found = list(lines.rows())
    if len(found) == 1:
        return dict(zip(lines.columns, found[0], strict=True))
    names = ", ".join(field.label or field.name for field in work.placeholder.fields)
    notes.append(Text.of("data.binding.no_value" if not found else "data.binding.several_values", name=names))
    return {}


async def _run(work: BindingWork, source: Source, inputs: Sequence[QueryInput], seconds: float, max_rows: int) -> Lines:
    values = {one.name: one for one in inputs}
    sql, used = executable(work.permitted, source.dialect)
    parameters = {name: _typed(values[name]) for name in used}
    return await run_lines(source, sql, parameters, seconds=seconds, max_rows=max_rows)


def executable(sql: str, dialect: Dialect) -> tuple[str, list[str]]:
    """Return a query with bound parameters as its driver writes them, and their names."""
    tree = sqlglot.parse_one(sql, dialect=dialect)
    names = list(dict.fromkeys(node.name for node in tree.find_all(sqlglot.exp.Placeholder)))
    return (tree.sql(dialect=dialect) if dialect == "duckdb" else sql), names


def _typed(one: QueryInput) -> str | int | float:
    if one.kind != "number":
        return one.value
    number = float(one.value)
    return int(number) if number.is_integer() else number


def _wrong(work: BindingWork, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Text | None:
    """Return what the placeholder needs and a result lacks; None if nothing is missing."""
    if not work.placeholder.is_rows and len(rows) > 1:
        return Text.of("data.binding.not_one_row", count=len(rows))
    for field in work.placeholder.fields:
        if field.name not in columns:
            return Text.of("data.binding.columns", wanted=field.name, given=", ".join(columns))
        cell = _unreadable([row[columns.index(field.name)] for row in rows], field.java_class)
        if cell is not None:
            kind = Text.of(f"planner.filling.kinds.{kind_of(field.java_class) or 'other'}")
            return Text.of("data.binding.wrong_type", name=field.name, kind=kind)
    return None


def _unreadable(cells: Sequence[Cell], java_class: str) -> Cell:
    """Return the first value that a field of the class cannot hold; None if it can hold all."""
    evidence = FormatEvidence()
    for cell in cells:
        evidence.add(cell, kind_of(java_class) or "text")
    style = style_of(evidence, [], semicolons=False, pattern="")
    for cell in cells:
        try:
            read(cell, java_class, style, "")
        except Unreadable:
            return cell
    return None


def _failed(said: Text, kind: ErrorClass, language: Language) -> BindingTrial:
    return BindingTrial(problem=said.in_language(language), reason=said.en, error_class=kind)


def _preview(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return the first rows as a Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(
        [
            *lines,
            *(
                "| " + " | ".join(cell_text(cell, MAX_SHOWN_CHARS) for cell in row) + " |"
                for row in rows[:MAX_SHOWN_ROWS]
            ),
        ]
    )
