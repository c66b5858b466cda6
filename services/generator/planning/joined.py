"""Plans of joined pages: give a plan the height of the form's pages."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import JoinedPages
from bandsmith.shared.model.plan import Band, Plan


def on_pages(report: Plan, page: Size, joined: JoinedPages) -> Plan:
    """Return a plan of a joined page for pages of the size of `page`.

    The rows end on each page where they end on the form: above the page footer, or else above a bottom margin that is
    as high.
    """
    height = round(page.height)
    has_footer = any(band.name == "pageFooter" for band in report.bands)
    foot = report.page_height - round(joined.footer_top)
    margins = report.margins if has_footer else report.margins.model_copy(update={"bottom": max(0, foot)})
    available = height - margins.top - margins.bottom
    bands = [_lowered(band, available) if band.name == "background" else band for band in report.bands]
    return report.model_copy(update={"page_height": height, "margins": margins, "bands": bands})


def _lowered(background: Band, height: int) -> Band:
    """Return a background that is at most as high as a page between its margins."""
    elements = [
        element.model_copy(update={"height": max(1, min(element.height, height - element.y))})
        for element in background.elements
        if element.y < height
    ]
    return background.model_copy(update={"height": min(background.height, height), "elements": elements})
