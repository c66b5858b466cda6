"""Questions about the values in the rows of a report: numbers of rows, sums, averages and what is highest.

Theory of operation
===================

A template of ``row_questions.toml`` says what is asked for. Its slots are resolved against the headings of the columns,
the values of the rows, and kinds of measures: “costs most” is about every column of prices and amounts. A question is
answered only if each of its words was resolved. The answer says which column and which rows it was computed from.
``row_values.py`` has the questions about single rows, ``row_checks.py`` those whether numbers agree.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.replies import listed

from ..language.questions import ROWS
from ..language.references import prints_total
from ..language.sentence_templates import Slots
from ..language.sentence_templates import listed as value_listed
from ..language.view_elements import TableColumn
from .report import OwnReport, written
from .row_conditions import chosen_each, filled_rows, is_about_pieces, is_about_rows, names_rows, splits
from .row_table import MAX_NAMED_ROWS, ChosenRows, RowTable, exactly

SUBJECT = ROWS
CENT = Decimal("0.01")


def count(report: OwnReport, slots: Slots) -> str | None:
    """“How many items cost more than 100?”, “一共买了几种？”"""
    table = RowTable(report)
    choices = chosen_each(table, slots["condition"]) if slots["condition"] else [table.all]
    if slots["filled_name"]:
        column = table.column(slots["filled_name"])
        choices = [ChosenRows(tuple(filled_rows(table, column)), len(table.rows))] if column else []
    if not choices or not table.rows:
        return None
    if not slots["counted"]:
        return with_note(report, "\n".join(_row_count(table, rows) for rows in choices))
    for words, found in splits(table, slots["counted"]):
        answers = [_counted(table, words, rows) for rows in found]
        if None not in answers:
            return with_note(report, "\n".join(answer for answer in answers if answer))
    return None


def count_and_sum(report: OwnReport, slots: Slots) -> str | None:
    """“单价十块钱以下的一共有几种，金额加起来是多少？”: the rows that a condition chooses, and the sum of a column."""
    table = RowTable(report)
    choices, columns = chosen_each(table, slots["condition"]), measured(table, slots["name"])
    if len(choices) != 1:
        return None
    answer = _each(table, columns, slots["aggregate"] or "sum", choices[0])
    return with_note(report, f"{_row_count(table, choices[0])}\n{answer}") if answer else None


def pieces_and_rows(report: OwnReport, slots: Slots) -> str | None:
    """“一共有多少件货？”: the sum of the quantities and, as that may be meant, the number of rows."""
    table = RowTable(report)
    quantities = _each(table, table.measures("quantity"), "sum", table.all)
    return (
        with_note(report, "\n".join(filter(None, [quantities, _row_count(table, table.all)]))) if table.rows else None
    )


def filled_values(report: OwnReport, slots: Slots) -> str | None:
    """“哪一行有备注，写的啥？”: what the rows print in a column that is not filled in everywhere."""
    table = RowTable(report)
    column = table.column(slots["filled_name"])
    rows = filled_rows(table, column) if column else []
    if column is None or not 0 < len(rows) <= MAX_NAMED_ROWS:
        return None
    values = [report.say("row_value", row=table.name(row), value=table.shown(column, row)) for row in rows]
    return report.say("column_values", column=column.label, values=report.say("semicolon").join(values))


def _counted(table: RowTable, words: str, rows: ChosenRows) -> str | None:
    if names_rows(table, words):
        return _row_count(table, rows)
    if is_about_pieces(words):
        return _each(table, table.measures("quantity"), "sum", rows)
    column = table.column(words)
    if column is None:
        return None
    if table.is_complete(column):
        return _each(table, [column], "sum", rows)
    return values_said(table, column, rows)


def values_said(table: RowTable, column: TableColumn, rows: ChosenRows) -> str:
    """Return the different values that rows have in a column; of the one that names them, the rows."""
    if column is table.naming:
        return _row_count(table, rows)
    values = list(dict.fromkeys(filter(None, (table.shown(column, row) for row in rows.rows))))
    return table.report.say(
        "distinct", count=len(values), column=column.label, values=_listed(table, values), rows=table.about(rows)
    )


def _row_count(table: RowTable, rows: ChosenRows) -> str:
    """Return how many rows were chosen, and of how many kinds they are where some are of the same."""
    said = rows_said(table, rows)
    kinds = {table.shown(table.naming, row) for row in rows.rows} if table.naming else set()
    if table.naming and 0 < len(kinds) < len(rows.rows):
        said += table.report.say("kinds", count=len(kinds), column=table.naming.label)
    return said


def rows_said(table: RowTable, rows: ChosenRows) -> str:
    """Return how many rows were chosen, and which."""
    say = table.report.say
    code = "no_rows" if not rows.rows else "all_rows" if rows.is_all else "row_count"
    said = say(code, count=len(rows.rows), total=rows.total, rows=table.names(rows.rows))
    return say("compared_by", column=rows.by, answer=said) if rows.by else said


def _listed(table: RowTable, values: list[str]) -> str:
    """Return a list of values, shortened where there are many."""
    shown = values[:MAX_NAMED_ROWS]
    listing = listed(shown, table.report.language)
    more = len(values) - len(shown)
    return table.report.say("rows_of.and_more", rows=listing, more=more) if more else listing


def aggregate(report: OwnReport, slots: Slots) -> str | None:
    """“What is the average amount per line?”, “数量一共多少？”"""
    table, kind = RowTable(report), slots["aggregate"] or "sum"
    for words, rows in splits(table, slots["name"]):
        if len(rows) == 1 and (answer := _each(table, measured(table, words), kind, rows[0])) is not None:
            return with_note(report, answer)
    return None


def altogether(report: OwnReport, slots: Slots) -> str | None:
    """“What does the total come to without the gloves?”"""
    table = RowTable(report)
    left_out = table.holding(slots["except"])
    if not left_out:
        return None
    rows = ChosenRows(tuple(row for row in table.all.rows if row not in left_out), len(table.rows))
    answer = _each(table, table.measures("amount"), "sum", rows)
    if answer is None:
        return None
    sums = [piece for piece in report.view.in_sections("summary", "columnFooter") if prints_total(piece)]
    others = len({name for piece in sums for scope, name in piece.references if scope == "V"}) > 1
    return with_note(report, answer + (report.say("rows_only") if others else ""))


def measured(table: RowTable, words: str) -> list[TableColumn]:
    """Return the columns of numbers that words name: one by its heading, or those of a kind of measure."""
    column = table.column(words)
    if column is not None:
        return [column] if table.is_complete(column) else []
    kind = value_listed(SUBJECT, "measured", words)
    return table.measures(kind) if kind else []


def _each(table: RowTable, columns: list[TableColumn], kind: str, rows: ChosenRows) -> str | None:
    """Return the sum or the average of each column over the chosen rows."""
    if kind == "sum":
        columns = [column for column in columns if meaning(column.label).adds_up or not meaning(column.label).known]
    lines = [line for column in columns if (line := computed_over(table, column, rows, kind))]
    return "\n".join(lines) or None


def aggregate_of(table: RowTable, columns: list[TableColumn], kind: str) -> str | None:
    """Return the sum or the average of columns over all rows."""
    answer = _each(table, columns, kind, table.all)
    return with_note(table.report, answer) if answer else None


def computed_over(table: RowTable, column: TableColumn, rows: ChosenRows, kind: str = "sum") -> str | None:
    """Return the sum or the average of a column over rows, with these rows."""
    numbers = [number for row in rows.rows if (number := table.numbers(column)[row]) is not None]
    if not numbers:
        return None
    total, say = sum(numbers, Decimal()), table.report.say
    over = {"column": column.label, "rows": table.about(rows), "sum": exactly(total), "count": len(numbers)}
    if kind == "average":
        return say("average", average=written((total / len(numbers)).quantize(CENT, ROUND_HALF_UP)), **over)
    said = say("sum", **over)
    if rows.is_all and not _is_totalled(table.report, column):
        said += say("not_totalled")
    return said


def _is_totalled(report: OwnReport, column: TableColumn) -> bool:
    """Whether the report prints the sum of a column itself."""
    used = {column.field} | {name for cell in column.cells for scope, name in cell.references if scope == "V"}
    printed = {name for text in report.view.texts for scope, name in text.references if scope == "V"}
    for node in report.view.root.iterchildren("{*}variable"):
        found = sole_reference(node.findtext("{*}variableExpression") or "", "FV")
        if found and found[1] in used and node.get("calculation") == "Sum" and node.get("name") in printed:
            return True
    total = sum((number for number in RowTable(report).numbers(column) if number is not None), Decimal())
    texts = [report.view.printed(text).replace(",", "") for text in report.view.texts if text.section != "detail"]
    figures = {Decimal(figure) for text in texts for figure in re.findall(r"\d+(?:\.\d+)?", text)}
    return total in figures


_ALSO = {"price": ("price", "amount"), "quantity": ("quantity", "amount"), "amount": ("amount",)}
"""The measures by which a superlative that names no column is answered: it may mean either."""


def top_row(report: OwnReport, slots: Slots) -> str | None:
    """“Which product costs most?”, “哪个货卖得最多？”"""
    table = RowTable(report)
    end, columns = slots["superlative"] or slots["most"], list[TableColumn]()
    if slots["extreme"]:
        end, kind = slots["extreme"].split()
        columns = [column for one in _ALSO[kind] for column in table.measures(one)]
        if slots["by"]:  # 哪样东西最贵，看单价
            columns = measured(table, slots["by"])
    elif slots["name"]:
        columns = measured(table, slots["name"]) or _only_measure(table, slots["name"])
        if slots["noun"] and not (is_about_rows(slots["noun"]) or table.column(slots["noun"])):
            return None
    elif slots["most"]:
        columns = [column for one in _ALSO["quantity"] for column in table.measures(one)]
    lines = [top_of(table, column, end) for column in dict.fromkeys(columns)]
    return with_note(report, "\n".join(lines)) if lines else None


def _only_measure(table: RowTable, words: str) -> list[TableColumn]:
    """Return the only column of numbers, for “which day is the longest” where a column names the days."""
    named = table.column(words)
    columns = [column for column in table.columns if table.is_complete(column)]
    return columns if named is not None and named is table.naming and len(columns) == 1 else []


def top_of(table: RowTable, column: TableColumn, end: str) -> str:
    """Return the highest or the lowest value of a column, with all rows that have it."""
    numbers = table.numbers(column)
    known = [number for number in numbers if number is not None]
    wanted = max(known) if end == "highest" else min(known)
    rows = [row for row, number in enumerate(numbers) if number == wanted]
    return table.report.say(f"top_{end}", column=column.label, value=exactly(wanted), rows=table.names(rows))


def with_note(report: OwnReport, answer: str) -> str:
    """Return an answer about the rows of the data, and that the report prints only some where a filter hides others."""
    is_filtered = report.view.root.find("{*}filterExpression") is not None
    return "\n".join([answer, report.say("filtered")]) if is_filtered else answer


RULES = (count_and_sum, pieces_and_rows, filled_values, count, aggregate, altogether, top_row)
