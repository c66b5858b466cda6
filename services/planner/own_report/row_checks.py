"""Questions whether what a report prints agrees: amounts with their factors, a total with its words; and its widths."""

from __future__ import annotations

from itertools import combinations

from ..language.sentence_templates import Slots
from ..language.view_elements import TableColumn
from ..spelled_amount import spelled_value
from .appearance import POINTS_PER_MM
from .printed_values import printed_number
from .report import OwnReport
from .row_questions import CENT, with_note
from .row_table import RowTable, exactly


def products_agree(report: OwnReport, slots: Slots) -> str | None:
    """“Does every row come out right?”: each row is multiplied again."""
    table = RowTable(report)
    named = [table.column(slots[name]) for name in ("one", "other", "name") if slots[name]]
    if None in named:
        return None
    columns = [column for column in table.columns if table.is_complete(column)]
    found = _factors(table, columns, [one for one in named if one is not None])
    if found is None:
        return None
    one, other, product = found
    wrong = [row for row in table.all.rows if not _is_product(table, row, one, other, product)]
    labels = {"one": one.label, "other": other.label, "product": product.label}
    if wrong:
        return with_note(report, report.say("products.differ", rows=table.names(wrong), **labels))
    return with_note(report, report.say("products.agree", count=len(table.rows), **labels))


def _factors(
    table: RowTable, columns: list[TableColumn], named: list[TableColumn]
) -> tuple[TableColumn, TableColumn, TableColumn] | None:
    """Return two columns and their product in most rows; only named columns are tried if there are any."""
    best: tuple[int, tuple[TableColumn, TableColumn, TableColumn] | None] = (0, None)
    for product in columns:
        for one, other in combinations([column for column in columns if column is not product], 2):
            if named and {column.field for column in named} != {one.field, other.field, product.field}:
                continue
            count = sum(_is_product(table, row, one, other, product) for row in table.all.rows)
            best = max(best, (count, (one, other, product)), key=lambda found: found[0])
    return best[1] if best[0] * 2 > len(table.rows) else None


def _is_product(table: RowTable, row: int, one: TableColumn, other: TableColumn, product: TableColumn) -> bool:
    first, second, result = (table.numbers(column)[row] for column in (one, other, product))
    if first is None or second is None or result is None:
        return first is second is result
    return abs(first * second - result) < CENT


def words_agree(report: OwnReport, slots: Slots) -> str | None:
    """“Does the amount in words match the total?”"""
    spelled = [
        piece
        for piece in report.view.texts
        if "壹" in piece.expression or spelled_value(report.view.printed(piece)) is not None
    ]
    if len(spelled) != 1:
        return None
    piece = spelled[0]
    numbers = [number for text in report.view.texts if (number := printed_number(report, text)) is not None]
    if "壹" in piece.expression:
        variable = next((name for scope, name in piece.references if scope == "V"), None)
        shown = [text for text in report.view.texts if text.expression == f"$V{{{variable}}}"]
        total = printed_number(report, shown[0]) if shown else None
        return report.say("words.computed", total=exactly(total)) if total is not None else None
    value = spelled_value(report.view.printed(piece))
    if value is None or not numbers:
        return None
    code = "words.agree" if value in numbers else "words.differ"
    return report.say(code, words=report.view.printed(piece), value=exactly(value), total=exactly(max(numbers)))


def widest(report: OwnReport, slots: Slots) -> str | None:
    """“Which column is the widest?”"""
    columns = report.view.columns
    if not columns:
        return None
    wanted = (max if slots["width"] == "highest" else min)(column.width for column in columns)
    return "\n".join(
        report.say("width", column=column.label, points=column.width, millimetres=f"{column.width / POINTS_PER_MM:.0f}")
        for column in columns
        if column.width == wanted
    )


RULES = (products_agree, words_agree, widest)
