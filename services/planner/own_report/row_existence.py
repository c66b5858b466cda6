"""Questions whether some or all rows are of a kind: “is there anything over 1000?”, 每行都有单位吗."""

from __future__ import annotations

from ..language.sentence_templates import Slots
from .report import OwnReport
from .row_conditions import chosen_each, filled_rows, names_rows, splits
from .row_questions import rows_said, with_note
from .row_table import ChosenRows, RowTable


def exists(report: OwnReport, slots: Slots) -> str | None:
    """“Are there any lines over 500?”, “有没有哪一行数量超过100？”"""
    table = RowTable(report)
    left_out = table.holding(slots["except"]) if slots["except"] else []
    choices = chosen_each(table, slots["condition"]) if slots["condition"] else []
    for words, found in splits(table, slots["listed"]) if slots["listed"] else ():
        if names_rows(table, words) and not found[0].is_all:
            choices = found
            break
    if not choices or (slots["except"] and not left_out):
        return None
    count = len(table.rows) - len(left_out)
    kept = [ChosenRows(tuple(row for row in rows.rows if row not in left_out), count, rows.by) for rows in choices]
    answer = "\n".join(rows_said(table, rows) for rows in kept)
    return with_note(report, report.say("besides", rows=table.names(left_out), answer=answer) if left_out else answer)


def every(report: OwnReport, slots: Slots) -> str | None:
    """“Are all days over 6 hours?”: the rows for which it holds, of all."""
    table = RowTable(report)
    choices = chosen_each(table, slots["condition"])
    return with_note(report, "\n".join(rows_said(table, rows) for rows in choices)) if choices else None


def holds(report: OwnReport, slots: Slots) -> str | None:
    """“Is there any topsoil?”, “有没有备注？”: rows with that text, or with something in that column."""
    table, words = RowTable(report), slots["held"]
    if rows := table.holding(words):
        return with_note(report, rows_said(table, ChosenRows(tuple(rows), len(table.rows))))
    if (column := table.column(words)) is not None and column is not table.naming:
        return with_note(report, rows_said(table, ChosenRows(tuple(filled_rows(table, column)), len(table.rows))))
    return None


RULES = (exists, every, holds)
