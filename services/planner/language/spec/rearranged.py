"""What was named with the columns and belongs elsewhere: the head of a document, amounts below the table, totals."""

from __future__ import annotations

from bandsmith.shared.fields.column_kinds import meaning

from ..sentence_templates import matches, phrases
from .catalogue import StandardReport, head_names
from .clauses import SpecClauses
from .column_names import means
from .column_totals import is_price
from .item import Item
from .sections import SUBJECT, Sections
from .summary_lines import is_summary_line, is_total, summed_column

MIN_COLUMNS = 2
"""Names that have to be left for the table of a document."""


def rearrange(request: SpecClauses, sections: Sections, standard: StandardReport | None) -> list[str]:
    """Put what was named with the columns where it belongs, and return the labels that stand above the table now."""
    head_lines = _take_head_lines(request, sections, standard) if standard and standard.is_document else []
    _take_dimension(request, sections)
    _take_summary_lines(sections)
    _take_totals(sections)
    return head_lines


def _take_head_lines(request: SpecClauses, sections: Sections, standard: StandardReport) -> list[str]:
    """Move what no row of a document has above its table: `invoice with number, customer, item, price`.

    Only the first names can be such lines. Where the columns were announced as columns, they are.
    """
    lists = sections.lists
    is_announced = sections.has_table_lead or phrases(SUBJECT, "column_lead", request.description.text)
    if lists["header"] or is_announced:
        return []
    columns, of_rows = lists["columns"], {meaning(column.label).name for column in standard.columns}
    count = next((n for n, item in enumerate(columns) if not _heads(item.label, of_rows)), len(columns))
    count = count if count <= len(columns) - MIN_COLUMNS else 0
    lists["header"], lists["columns"] = columns[:count], columns[count:]
    return [item.label for item in lists["header"]]


def _heads(label: str, of_rows: set[str]) -> bool:
    """Whether a label is what documents have at their head, and no row of this one."""
    meant = meaning(label)
    if meant.name in of_rows:
        return False
    is_company = any(True for _ in matches(SUBJECT, "company_name", label))
    return is_company or meant.kind in ("date", "datetime") or meant.name in head_names()


def _take_dimension(request: SpecClauses, sections: Sections) -> None:
    """Make a column of what a report is "by" where no other says what a row is: `sales by product with revenue`."""
    meant = [meaning(item.label) for item in sections.lists["columns"]]
    is_described = any(each.known and each.kind not in ("money", "number", "integer", "percent") for each in meant)
    if is_described or not any(each.adds_up for each in meant):
        return
    for label in request.loose_groups:
        request.dimensions.append(label)
        request.groups.remove(label)
    request.loose_groups.clear()


def _take_summary_lines(sections: Sections) -> None:
    """Move amounts that are never columns below the table: `total, cash given, change`."""
    columns = sections.lists["columns"]
    totals = [n for n, item in enumerate(columns) if is_total(item.label)]
    known = sections.columns_before_total
    after = min([*totals, *([known] if known is not None else [])], default=len(columns))
    first = next((n for n, item in enumerate(columns) if is_summary_line(item.label, n >= after)), None)
    if first is None:
        return
    while first > 0 and is_total(columns[first - 1].label):
        first -= 1
    sections.lists["below"] = [*columns[first:], *sections.lists["below"]]
    del columns[first:]


def _take_totals(sections: Sections) -> None:
    """Take `电费合计` for the total of a column that was named before it.

    A `total price` beside the price is the amount of a row: prices are not added up.
    """
    columns, kept = sections.lists["columns"], list[Item]()
    for item in columns:
        summed = summed_column(item.label)
        if summed and not is_price(summed) and any(means(summed, earlier.label) for earlier in kept):
            sections.lists["totals"].append(Item(summed, None, item.clause))
        else:
            kept.append(item)
    sections.lists["columns"] = kept
