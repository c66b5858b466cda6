"""Questions about rows in an order, and about the hours of rows that are days: “the second most expensive”."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from ..language.fuzzy_match import normal, singular, term_of
from ..language.numbers import number_of
from ..language.sentence_templates import Slots, matches
from ..language.view_elements import TableColumn
from .printed_values import printed_text
from .report import OwnReport
from .row_conditions import is_about_rows, names_rows
from .row_questions import CENT, aggregate_of, measured, top_of, with_note
from .row_table import RowTable, exactly
from .row_values import cells_of


def ranked(report: OwnReport, slots: Slots) -> str | None:
    """“What are the three most expensive items?”, “单价第二高的是哪个？”: the first rows in that order."""
    table, count = RowTable(report), int(slots["rank"] or 0)
    if slots["extreme"]:
        end, kind = slots["extreme"].split()
        columns = table.measures(kind)
    else:
        end, columns = slots["superlative"] or slots["end"] or "highest", measured(table, slots["name"])
    lines = [line for column in columns if (line := _ranking(table, column, end, count))]
    return with_note(report, "\n".join(lines)) if lines else None


def _ranking(table: RowTable, column: TableColumn, end: str, count: int) -> str:
    """Return the first rows by a column, those with the same value as the last of them included."""
    numbers: list[tuple[Decimal, int]] = [
        (number, row) for row, number in enumerate(table.numbers(column)) if number is not None
    ]
    numbers.sort(key=lambda one: (-one[0] if end == "highest" else one[0], one[1]))
    if not 0 < count <= len(numbers):
        return ""
    shown = [one for n, one in enumerate(numbers) if n < count or one[0] == numbers[count - 1][0]]
    say = table.report.say
    rows = [
        say("ranked", number=n, row=table.name(row), value=exactly(number)) for n, (number, row) in enumerate(shown, 1)
    ]
    return say(f"ranking_{end}", column=column.label, rows=say("semicolon").join(rows))


def ahead(report: OwnReport, slots: Slots) -> str | None:
    """“Which has the highest value, and how far ahead of the second is it?”: the first two, and their difference."""
    table = RowTable(report)
    if slots["several_rows"] and number_of(slots["several_rows"]) != len(table.rows):
        return None
    if slots["extreme"]:
        end, kind = slots["extreme"].split()
        columns = table.measures(kind)
    else:
        end, columns = slots["superlative"], measured(table, slots["name"])
    lines = [line for column in columns if (line := _lead(table, column, end))]
    return with_note(report, "\n".join(lines)) if lines else None


def _lead(table: RowTable, column: TableColumn, end: str) -> str:
    """Return the first and the second row by a column, and by how much they differ."""
    numbers = sorted((number for number in table.numbers(column) if number is not None), reverse=end == "highest")
    ranking = _ranking(table, column, end, 2)
    return ranking + table.report.say("ahead", by=exactly(abs(numbers[0] - numbers[1]))) if ranking else ""


def asked_of_row(report: OwnReport, slots: Slots) -> str | None:
    """“When did she start on Wednesday?”: the value of the column that a verb stands for."""
    if not _is_printed(report, slots["person"]):
        return None
    table, names = RowTable(report), slots["asked"].split()
    columns = [one for one in table.columns if {term_of(one.label), one.field, normal(one.label)} & set(names)]
    return _of_row(table, slots["row"], columns)


def hours_of_row(report: OwnReport, slots: Slots) -> str | None:
    """“How long did she work on Friday?”"""
    if not _is_printed(report, slots["person"]):
        return None
    table = RowTable(report)
    return _of_row(table, slots["row"], table.measures("duration"))


def _of_row(table: RowTable, words: str, columns: list[TableColumn]) -> str | None:
    rows = table.holding(words)
    if len(rows) != 1 or len(columns) != 1:
        return None
    return with_note(table.report, cells_of(table, rows[0], columns))


def average_hours(report: OwnReport, slots: Slots) -> str | None:
    """“她这周平均每天上几个小时？”, of rows that are days."""
    if not _is_printed(report, slots["person"]):
        return None
    table = RowTable(report)
    return aggregate_of(table, table.measures("duration"), "average") if _is_of_days(table) else None


def longest_row(report: OwnReport, slots: Slots) -> str | None:
    """“Which day did she work the longest?”"""
    if not _is_printed(report, slots["person"]):
        return None
    table, noun = RowTable(report), slots["noun"]
    columns = table.measures("duration")
    if len(columns) != 1 or not (not noun or is_about_rows(noun) or table.column(noun)):
        return None
    return with_note(report, top_of(table, columns[0], slots["superlative"]))


def average_per(report: OwnReport, slots: Slots) -> str | None:
    """“Average hours per day?”: the sum of a column by the number of different values in another one."""
    table = RowTable(report)
    key = _key_of(table, slots["per"])
    if slots["aggregate"] != "average" or key is None or not all(table.shown(key, row) for row in table.all.rows):
        return None
    count = len({table.shown(key, row) for row in table.all.rows})
    lines = []
    for column in measured(table, slots["name"]):
        if column is not key and (total := sum(filter(None, table.numbers(column)), Decimal())):
            average = exactly((total / count).quantize(CENT, ROUND_HALF_UP))
            over = {"column": column.label, "key": key.label, "sum": exactly(total), "count": count}
            lines.append(report.say("average_per", average=average, **over))
    return with_note(report, "\n".join(lines)) if lines else None


def _key_of(table: RowTable, words: str) -> TableColumn | None:
    """Return the column whose values are what something is averaged per: of “day”, the one of days or of dates."""
    column = table.column(words)
    if column is not None and not column.numeric and singular(normal(words)) in singular(normal(column.label)):
        return column  # not the day that a week is like
    if not any(True for word in (words, f"{words}s") for _ in matches("row_conditions", "days", word)):
        return None
    found = [one for one in table.columns if {term_of(one.label), one.field} & {"day", "date", "weekday"}]
    return found[0] if len(found) == 1 else None


def _is_printed(report: OwnReport, name: str) -> bool:
    """Whether the report prints each word of a person's name, or none is named."""
    words = name.casefold().split()
    texts = [printed_text(report, piece).casefold() for piece in report.view.texts]
    rows = [str(value).casefold() for row in report.data.rows for value in row.values()]
    return not words or any(all(word in text for word in words) for text in (*texts, *rows))


def _is_of_days(table: RowTable) -> bool:
    return names_rows(table, "days")


RULES = (ahead, ranked, asked_of_row, hours_of_row, average_hours, average_per, longest_row)
