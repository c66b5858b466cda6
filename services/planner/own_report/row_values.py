"""Questions about single rows and their values: “how much are the gloves?”, “哪几行没有备注？”"""

from __future__ import annotations

from ..language.fuzzy_match import holds, normal, singular
from ..language.numbers import number_of
from ..language.questions import PRINTED
from ..language.sentence_templates import Slots, matches
from ..language.view_elements import TableColumn
from .report import OwnReport
from .row_conditions import chosen_each, names_rows, splits
from .row_questions import SUBJECT, measured, rows_said, values_said, with_note
from .row_table import MAX_NAMED_ROWS, RowTable


def row_value(report: OwnReport, slots: Slots) -> str | None:
    """“What is the price of the gloves?”, “手套买了几双？”"""
    table = RowTable(report)
    rows = table.holding(slots["row"] or slots["priced"] or slots["counted_row"])
    if slots["counted_row"]:
        rows = [row for row in rows if _is_head(table, row, slots["counted_row"])]
    columns = _asked_columns(table, slots)
    if slots["of_it"] and not all(_is_measured_in(table, row, slots["of_it"]) for row in rows):
        return None
    if not columns or not 0 < len(rows) <= MAX_NAMED_ROWS:
        return None
    return with_note(report, "\n".join(cells_of(table, row, columns) for row in rows))


def _is_head(table: RowTable, row: int, words: str) -> bool:
    """Whether words name a row by what stands before its first comma: “Labour, two gardeners” counts no gardeners."""
    shown = table.shown(table.naming, row) if table.naming else ""
    _, comma, rest = shown.replace("，", ",").partition(",")
    return not comma or not holds(singular(normal(rest)), singular(normal(words)))


def _is_measured_in(table: RowTable, row: int, words: str) -> bool:
    """Whether a row says that it is counted in these units: “Topsoil, per cubic metre” in cubic metres."""
    shown = " ".join(table.shown(column, row) for column in table.columns)
    return all(holds(singular(normal(shown)), word) for word in singular(normal(words)).split())


def _asked_columns(table: RowTable, slots: Slots) -> list[TableColumn]:
    if slots["priced"]:
        return [*table.measures("price"), *table.measures("amount")]
    if slots["counted_row"]:
        return table.measures("quantity")
    named = table.column(slots["name"])
    return [named] if named is not None else measured(table, slots["name"])


def cells_of(table: RowTable, row: int, columns: list[TableColumn]) -> str:
    """Return what a row prints in some columns."""
    say = table.report.say
    values = [say("cell", column=column.label, value=table.shown(column, row) or say("no_value")) for column in columns]
    return say("cells", row=table.name(row), values=say("comma").join(values))


def row_list(report: OwnReport, slots: Slots) -> str | None:
    """“Which items cost more than 100?”, “都买了什么？”"""
    table = RowTable(report)
    choices = chosen_each(table, slots["condition"]) if slots["condition"] else [table.all]
    if not choices or not table.rows:
        return None
    if not slots["listed"]:
        return with_note(report, "\n".join(rows_said(table, rows) for rows in choices))
    for words, found in splits(table, slots["listed"]):
        if names_rows(table, words):
            return with_note(report, "\n".join(rows_said(table, rows) for rows in found))
        if (column := table.column(words)) is not None:
            return with_note(report, "\n".join(values_said(table, column, rows) for rows in found))
    return None


def row_number(report: OwnReport, slots: Slots) -> str | None:
    """“What is in row 3?”"""
    table = RowTable(report)
    number = int(number_of(slots["ordinal"] or slots["number"]) or 0)
    row = len(table.rows) - 1 if number == -1 else number - 1
    if not table.columns or not 0 <= row < len(table.rows):
        return None
    return with_note(report, cells_of(table, row, [one for one in table.columns if table.shown(one, row)]))


def unknown_row(report: OwnReport, question: str) -> str | None:
    """Return that no row holds what a question names, where the rest of it was understood."""
    table = RowTable(report)
    for slots in (*matches(SUBJECT, "altogether", question), *matches(PRINTED, "altogether", question)):
        if table.measures("amount") and not table.holding(slots["except"]):
            return report.say("no_such_row", words=slots["except"])
    for slots in (*matches(SUBJECT, "row_value", question), *matches(PRINTED, "row_value", question)):
        words = slots["row"]
        if words and _asked_columns(table, slots) and not table.holding(words):
            return report.say("no_such_row", words=words)
    return None


RULES = (row_value, row_list, row_number)
