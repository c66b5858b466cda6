"""The report of an answer about data: its columns and sample rows are those of the answer."""

from __future__ import annotations

import asyncio
import csv
import io
import re

import pyarrow

from bandsmith.shared import result_tables
from bandsmith.shared.actor import Store
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.language import Language
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.model.spec import MAX_COLUMNS, Column, HeaderField, ReportSpec
from bandsmith.shared.question_values import tokens
from bandsmith.shared.replies import text
from bandsmith.shared.sensitive_queries import sensitive_outputs
from bandsmith.shared.turns.request import ReportRequest

from ..data.verified import depends_on_day
from ..language.periods import Period
from ..language.spec.bounds import bounded
from ..language.spec.column_builder import printed_label
from .answer_query import file_of_answer, query_of_answer
from .binding_file import yaml_of
from .inputs import PERIOD

MAX_TITLE_CHARS = 80
_END_MARKS = " \n?？.。!！,，"
_DATE_KINDS = ("date", "month", "year")
_PREPOSITION = r"(?:\b(?:in|for|of|during|on)\s+(?:the\s+(?:month|year)\s+(?:of\s+)?)?|在)?"
_PART_OF_YEAR = re.compile(r"\bq[1-4]\b|quarter|week|季|周", re.IGNORECASE)
MAX_ROWS = 200
"""Sample rows of a report."""
_NUMERIC = ("number", "integer", "money", "percent")
_IS_A_NAME = re.compile(r"(?:^|[_\s])(?:id|no|nr|number|code|year)$|(?:编号|号|年份?|代码)$", re.IGNORECASE)
"""Columns whose whole numbers are names, which are printed without marks between thousands."""


async def answer_as_report(command: ClassifyIntent, store: Store) -> IntentClassified | None:
    """Return the report of the rows that the turn before answered with, and its binding file; None without columns."""
    rows = await store.get(command.answered_rows) if command.answered_rows else b""
    schema = await store.get(command.answered_database) if command.answered_database else None
    found = await asyncio.to_thread(_report_of_answer, rows, schema, command)
    if found is None:
        return None
    request, query = found
    bindings = await store.put(query, "application/yaml") if query else None
    spec = await store.put(request.model_dump_json().encode(), "application/json")
    return IntentClassified(intent="initial_generation", spec=spec, answer_bindings=bindings)


def _report_of_answer(
    content: bytes, schema: bytes | None, command: ClassifyIntent
) -> tuple[ReportRequest, bytes | None] | None:
    """Return the report of rows, an Arrow stream, and the query that gave them as a binding file; None without columns.

    Where there are more rows or columns than a report takes, its notes say so. A report whose query has a period prints
    the period below its title, and not in it: it may be filled for another.
    """
    table = result_tables.from_bytes(content)
    if not table.num_columns:
        return None
    shown = table.slice(0, MAX_ROWS).select(range(min(table.num_columns, MAX_COLUMNS)))
    columns = [_column(name, table.schema.field(name).type, command.language) for name in shown.column_names]
    _, *rows = csv.reader(io.StringIO(result_tables.as_csv(result_tables.rounded(shown)).decode()))
    asked = command.answered_query
    source = SourceSchema.model_validate_json(schema) if schema else None
    # a report is filled from one source
    answer = query_of_answer(asked.query, source) if asked and source and not source.members else None
    period = answer.period if answer else None
    spec = ReportSpec(
        title=_title(command, has_period=period is not None),
        header_fields=[_period_field(period, command.language)] if period else [],
        columns=columns,
        rows=rows,
        language=command.language,
    )
    sizes = {"rows": (shown.num_rows, table.num_rows), "columns": (shown.num_columns, table.num_columns)}
    notes = [
        text(f"planner.reply.answer_{what}", command.language, kept=kept, all=whole)
        for what, (kept, whole) in sizes.items()
        if kept < whole
    ]
    if period:
        notes.append(text("planner.reply.answer_period", command.language, period=period.name))
    bindings = yaml_of(file_of_answer(answer, asked.source)) if answer and asked else None
    kept = bounded(spec)
    hidden = sensitive_outputs(asked.query, table.column_names, source) if asked and source else []
    sensitive = [column.label for column, is_hidden in zip(kept.columns, hidden, strict=False) if is_hidden]
    return ReportRequest(spec=kept, sensitive=sensitive, notes=notes), bindings


def _title(command: ClassifyIntent, *, has_period: bool) -> str:
    """Return the question as a title, without its period where the query has one."""
    title = command.answered_question.strip(_END_MARKS)
    if has_period:
        for token in tokens(title):
            if token.kind in _DATE_KINDS:
                title = re.sub(rf"{_PREPOSITION}{re.escape(token.text)}\s*的?", " ", title, flags=re.IGNORECASE)
        title = " ".join(title.split()).strip(_END_MARKS)
        if (
            depends_on_day(title)
            or _PART_OF_YEAR.search(title)
            or any(one.kind in _DATE_KINDS for one in tokens(title))
        ):
            title = ""  # its period is in words that cannot be taken out
    return title[:MAX_TITLE_CHARS] or text("planner.reply.answer_title", command.language)


def _period_field(period: Period, language: Language) -> HeaderField:
    label = text("planner.reply.answer_period_label", language)
    return HeaderField(label=label, name=PERIOD, value=period.name)


def _column(name: str, kind: pyarrow.DataType, language: Language) -> Column:
    """Return a column of the type that its values have; numbers and texts may be more by their name, such as money."""
    named = meaning(name).kind
    pattern = None
    if pyarrow.types.is_date(kind) or pyarrow.types.is_timestamp(kind):
        named = "date" if pyarrow.types.is_date(kind) else "datetime"
    elif pyarrow.types.is_integer(kind):
        named = named if named in _NUMERIC else "integer"
        pattern = "0" if _IS_A_NAME.search(name) else None
    elif pyarrow.types.is_floating(kind) or pyarrow.types.is_decimal(kind):
        named = named if named in _NUMERIC else "number"
    return Column(label=printed_label(name.replace("_", " "), language), type=named, pattern=pattern)
