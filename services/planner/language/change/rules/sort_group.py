"""The order of the rows, and their groups. What users say is in ``templates/*/sort_group.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_group import DeleteGroup
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.replies import Text

from ...references import Missing
from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, refused, templated
from .totals import summable

_PRICES = ("unit price", "单价", "price", "价格")
_AMOUNTS = ("amount", "金额", "value", "total")
"""What the columns are called that goods are cheap or valuable by."""


def sort(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _sorted(clause, slots, then=False)


def sort_first(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Biggest amounts first”: only where one column is meant, for nothing else says that rows are to be sorted."""
    column = clause.column(slots["columns"])
    return _sorted(clause, slots, then=False) if isinstance(column, TableColumn) else None


def by_price(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The cheapest item first”: by the price of one; “the most valuable”: by the amount of all."""
    names = _AMOUNTS if slots["worth"] else _PRICES
    found = (column for name in names if isinstance(column := clause.column(name), TableColumn) and column.numeric)
    column = next(found, None)
    descending = "descending" in (slots["dear"], slots["worth"])
    return ClauseReading([SortBy(field=column.field, descending=descending)]) if column is not None else None


def then_sort(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A clause after one that sorts: "then by date", "再按日期"."""
    follows = clause.before and clause.before.edits and isinstance(clause.before.edits[-1], SortBy)
    return _sorted(clause, slots, then=True) if follows else None


def _sorted(clause: Clause, slots: Slots, then: bool) -> ClauseReading | None:
    columns = clause.known(clause.columns(slots["columns"]))
    if not isinstance(columns, list):
        return columns
    descending = "descending" in (slots["direction"], slots["first"], slots["shown_first"])
    return ClauseReading(
        [SortBy(field=column.field, descending=descending, then=then or n > 0) for n, column in enumerate(columns)]
    )


def group(clause: Clause, slots: Slots) -> ClauseReading | None:
    columns = clause.known(clause.columns(slots["columns"]))
    if not isinstance(columns, list):
        return columns
    return ClauseReading([AddGroup(field=column.field) for column in columns], group=columns[-1].field)


def group_with_subtotals(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Groups with a subtotal of the columns that are named, else of every column that can be added up."""
    reading = group(clause, slots)
    if reading is None or not reading.edits:
        return reading
    summed = clause.known(clause.columns(slots["summed"]) if slots["summed"] else _addable(clause))
    if not isinstance(summed, list):
        return summed
    groups = [edit.field for edit in reading.edits if isinstance(edit, AddGroup)]
    reading.edits += [AddTotal(field=column.field, group=field) for field in groups for column in summed]
    if not summed:
        reading.refusals = [Text.of("language.nothing_to_add_up")]
    return reading


def _addable(clause: Clause) -> list[TableColumn]:
    return summable(clause.view) or [column for column in clause.view.columns if column.numeric]


def ungroup(clause: Clause, slots: Slots) -> ClauseReading | None:
    grouped = clause.view.groups
    if not slots["column"]:
        edits: list[AnyEdit] = [DeleteGroup(field=field) for field in grouped]
        return ClauseReading(edits) if edits else refused("language.rows_not_grouped")
    column, label = clause.column(slots["column"]), clause.words(slots["column"])
    field = column.field if isinstance(column, TableColumn) else next((one for one in grouped if one == label), None)
    if field is None:
        return clause.absent(column) if isinstance(column, Missing) else None
    if field not in grouped:
        return refused("language.rows_not_grouped_by", column=label)
    return ClauseReading([DeleteGroup(field=field)])


RULES = (
    templated("sort_group", ungroup),
    templated("sort_group", group_with_subtotals),
    templated("sort_group", group),
    templated("sort_group", then_sort),
    templated("sort_group", sort),
    templated("sort_group", sort_first),
    templated("sort_group", by_price),
)
