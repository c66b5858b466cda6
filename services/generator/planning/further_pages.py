"""Plans of documents with further pages: each page is one band, the first one the title, unless it has rows."""

from __future__ import annotations

from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Band, Data, Margins, Plan

from .build import FIRST_PAGE, LayoutPlanner, OwnPage
from .joined import on_pages
from .page_builder import PAPER, PageBuilder
from .pictures import FormImage


def plan_pages(layout: Layout, form: bytes, name: str) -> tuple[Plan, Data]:
    """Return the plan of a layout with later pages, and the values of all pages by placeholder name.

    `form` shows all pages below each other.
    """
    if layout.whole.repeat is not None:
        return _plan_page_after_rows(layout, form, name)
    layouts = [layout, *layout.later]
    pages: list[PageBuilder] = []
    first_list, has_one_paper = 1, len({one.paper for one in layouts}) == 1
    for number, one in enumerate(layouts, 1):
        own = OwnPage(number, first_list, pages[-1] if pages else None)
        image = FormImage(form, layout.page, number, len(layouts))
        page = LayoutPlanner(one, image, own_page=own).build_page()
        if not has_one_paper:
            page.colour_paper(layout.page, one.paper, f"{PAPER}-{number}")
        elif number == 1:
            page.colour_paper(layout.page, one.paper)
        pages.append(page)
        first_list += len(one.tables)
    margins = _common_margins([page.free_margins(layout.page) for page in pages])
    plans = [page.plan(name, layout.page, margins) for page in pages]
    return _joined(plans), _data_of(pages)


def _plan_page_after_rows(layout: Layout, form: bytes, name: str) -> tuple[Plan, Data]:
    """Return the plan of rows that one page follows, whatever their number."""
    (later,) = layout.later
    image = FormImage(form, layout.page, 1, 2)
    rows = LayoutPlanner(layout.whole, image, layout.joined, page_follows=True).build_page()
    own = OwnPage(layout.pages, len(layout.whole.tables), rows)
    page = LayoutPlanner(later, FormImage(form, layout.page, 2, 2), own_page=own).build_page()
    rows.colour_paper(layout.whole.page, layout.whole.paper)
    if later.paper != layout.whole.paper:
        page.colour_paper(layout.page, later.paper, f"{PAPER}-2", always=True)
    margins = _common_margins([rows.free_margins(layout.whole.page), page.free_margins(layout.page)])
    first, after = rows.plan(name, layout.whole.page, margins), page.plan(name, layout.page, margins)
    first = first.model_copy(update={"bands": [_of_first_page(band) for band in first.bands]})
    if layout.joined:
        first = _with_foot_as_band(on_pages(first, layout.page, layout.joined), margins)
    report = first.model_copy(
        update={
            "parameters": [*first.parameters, *after.parameters],
            "variables": [*first.variables, *after.variables],
            "page_after_rows": _page_band(after).model_copy(update={"name": "summary"}),
        }
    )
    return report, _data_of([rows, page]).model_copy(update={"rows": rows.data.rows})


def _of_first_page(band: Band) -> Band:
    """Return a background whose marks are printed on page 1 only, as nothing tells the page after the rows from others.

    The colour of the paper is behind all pages.
    """
    if band.name != "background":
        return band
    elements = [
        one if one.key == PAPER or one.print_when else one.model_copy(update={"print_when": FIRST_PAGE})
        for one in band.elements
    ]
    return band.model_copy(update={"elements": elements})


def _with_foot_as_band(report: Plan, margins: Margins) -> Plan:
    """Return a plan whose rows leave a foot free by a page footer: a margin would cut the page after them."""
    foot = report.margins.bottom - margins.bottom
    if foot <= 0:
        return report
    bands = [*report.bands, Band(name="pageFooter", height=foot)]
    return report.model_copy(update={"bands": bands, "margins": margins})


def _common_margins(margins: list[Margins]) -> Margins:
    """Return the margins that no page's elements reach."""
    sides = {side: min(getattr(one, side) for one in margins) for side in ("top", "left", "bottom", "right")}
    return Margins(**sides)


def _joined(plans: list[Plan]) -> Plan:
    """Return the plan of the first page, with the other pages as further pages of it."""
    first = plans[0]
    bands = [_page_band(plan) for plan in plans]
    variables = {variable.name: variable for plan in plans for variable in plan.variables}
    return first.model_copy(
        update={
            "bands": [*_paper_of(first), *bands[:1]],
            "parameters": [parameter for plan in plans for parameter in plan.parameters],
            "variables": list(variables.values()),
            "further_pages": [band.model_copy(update={"name": "groupFooter"}) for band in bands[1:]],
        }
    )


def _paper_of(plan: Plan) -> list[Band]:
    """Return the background that has the colour of the paper, if that is the same on all pages.

    In the bands, it would leave their lists no room to grow.
    """
    return [
        band.model_copy(update={"elements": [one for one in band.elements if one.key == PAPER]})
        for band in plan.bands
        if band.name == "background" and any(one.key == PAPER for one in band.elements)
    ]


def _page_band(plan: Plan) -> Band:
    """Return everything on a page as one band, what is in the background behind the rest."""
    bands = sorted(plan.bands, key=lambda band: band.name != "background")
    elements = [
        one.model_copy(update={"print_when": None}) if one.print_when == FIRST_PAGE else one
        for band in bands
        for one in band.elements
        if one.key != PAPER
    ]
    return Band(name="title", height=max([1, *(one.y + one.height for one in elements)]), elements=elements)


def _data_of(pages: list[PageBuilder]) -> Data:
    parameters = {name: value for page in pages for name, value in page.data.parameters.items()}
    lists = {name: rows for page in pages for name, rows in page.data.lists.items()}
    return Data(parameters=parameters, lists=lists)
