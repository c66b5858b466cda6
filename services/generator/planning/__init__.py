"""Planning: a layout becomes a plan and the data that fill it.

The page is divided into regions, one for each band. Words become text elements that take their cell or stand free,
rules become cells' borders or lines, fills backgrounds or rectangles, pictures images. What stands in the rows of the
repeat is planned once, in the detail band.
"""

from __future__ import annotations

from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data, Plan

from .build import Builder


def plan(layout: Layout, form: bytes, name: str) -> tuple[Plan, Data]:
    """The report's plan, and the values read off the form by placeholder names.

    `form` is the page as a PNG, of which pictures are cut.
    """
    return Builder(layout, form, name).build()
