"""What a report contains: columns, fields, totals, pages and rows."""

from __future__ import annotations

from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.further_pages import further_pages
from bandsmith.shared.replies import listed

from .. import report_summary
from ..language.reference_resolver import ReferenceResolver
from ..language.sentence_templates import Slots
from ..language.view_elements import ViewElement
from .report import OwnReport, written

MAX_FINDINGS = 8
MAX_NAMES = 12
"""Names of single values that are listed."""


def contents(report: OwnReport, slots: Slots) -> str | None:
    return report_summary.contents(report.template, report.language)


def columns(report: OwnReport, slots: Slots) -> str | None:
    return report.summary.columns()


def fields(report: OwnReport, slots: Slots) -> str | None:
    return "\n".join(report.summary.declared())


def totals(report: OwnReport, slots: Slots) -> str | None:
    return report.summary.totals() or report.say("no_totals")


def order(report: OwnReport, slots: Slots) -> str | None:
    return "\n".join(report.summary.order()) or report.say("no_order")


def paper(report: OwnReport, slots: Slots) -> str | None:
    root = Draft(report.template).root
    margins = {side: root.get(f"{side}Margin", "0") for side in ("left", "right", "top", "bottom")}
    return "\n".join([report.summary.page(), report.say("margins", **margins)])


def pages(report: OwnReport, slots: Slots) -> str | None:
    if not report.pages:
        return report.say("pages_unknown")
    if further_pages(Draft(report.template).root):
        return report.say("pages_of_form", count=report.pages)
    return report.say("pages", count=report.pages, rows=len(report.data.rows))


def passed(report: OwnReport, slots: Slots) -> str | None:
    """“Why did it not pass?”: what the last check of the report found."""
    if report.verdict is None:
        return None
    messages = [
        one.message_zh or one.message if report.language == "zh" else one.message for one in report.verdict.findings
    ]
    head = report.say("passed" if report.verdict.passed else "not_passed")
    found = [f"- {message}" for message in dict.fromkeys(messages)][:MAX_FINDINGS]
    return "\n".join([head, *found])


def varies(report: OwnReport, slots: Slots) -> str | None:
    """“Which parts change?”: the columns and the single values that come with the data, and the rest that is fixed."""
    view = report.view
    columns = [column.label for column in view.columns if any(cell.references for cell in column.cells)]
    cells = {cell.key for column in view.columns for cell in column.cells}
    values = [
        piece for piece in view.texts if piece.key not in cells and any(scope == "P" for scope, _ in piece.references)
    ]
    resolver = ReferenceResolver(view)
    named = [view.label_beside(piece) for piece in values]
    labels = [
        label.words.strip().rstrip(":：") if label else resolver.name_of(piece)
        for piece, label in zip(values, named, strict=True)
    ]
    computed = [piece for piece in view.texts if any(scope == "V" for scope, _ in piece.references)]
    parts = [report.say("vary_columns", columns=listed(columns, report.language))] if columns else []
    if values:
        names = listed(list(dict.fromkeys(filter(None, labels)))[:MAX_NAMES], report.language)
        parts.append(report.say("vary_values", count=len(values), names=names or "-"))
    if computed:
        parts.append(report.say("vary_computed"))
    return "\n".join([*parts, report.say("vary_rest")]) if parts else None


def more_rows(report: OwnReport, slots: Slots) -> str | None:
    """“Does it go on to a second page with 40 lines?”"""
    view = report.view
    if not view.columns:
        return None
    parts = [report.say("more_rows", rows=len(report.data.rows))]
    if any(_is_on_every_page(piece) for piece in view.in_sections("columnHeader")):
        parts.append(report.say("headings_again"))
    if view.in_sections("summary"):
        parts.append(report.say("totals_at_end"))
    parts.append(report.say("page_numbers" if view.page_numbers else "no_page_numbers"))
    return " ".join(parts) if report.language == "en" else "".join(parts)


def _is_on_every_page(piece: ViewElement) -> bool:
    """Whether no condition of its band keeps an element off some pages."""
    return next(piece.node.iterancestors("{*}band")).find("{*}printWhenExpression") is None


def rows(report: OwnReport, slots: Slots) -> str | None:
    return report.say("rows", count=len(report.data.rows))


def extreme(report: OwnReport, slots: Slots) -> str | None:
    """“Which row has the largest amount?”"""
    target = report.target(slots["name"])
    if target is None or target.column is None:
        return None
    field = target.column.field
    values = report.values(field)
    if not values:
        printed = [name for cell in target.column.cells for scope, name in cell.references if scope == "V"]
        values = report.values(printed[0]) if printed else []
    if not values or len(values) != len(report.data.rows):
        return None
    wanted = max(values) if slots["superlative"] == "highest" else min(values)
    row = report.data.rows[values.index(wanted)]
    known = {name: value for name, value in row.items() if ("F", name) not in report.sensitive}
    words = [str(value) for name, value in known.items() if isinstance(value, str) and name != field and len(value) > 2]
    return report.say(
        f"extreme_{slots['superlative']}", column=target.column.label, value=written(wanted),
        number=values.index(wanted) + 1, row=report.say("comma").join(words[:2]),
    )  # fmt: skip
