"""Lines, rectangles and backgrounds are seen on the printed page, with the texts on them."""

from __future__ import annotations

import numpy as np
import pytest

from bandsmith.services.validator.engine import Printout, ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_header_background import SetHeaderBackground
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.model.geometry import Box

from .printed import BOTH, boxes, colours, inside, shown, words
from .reports import edited, place, refused, slip

YELLOW = [0, 255, 255]
"""As the pixels of a page hold it: blue, green, red."""


def share(printout: Printout, box: Box, colour: list[int]) -> float:
    """Return the share of a box that is printed in a colour."""
    return float(np.mean((inside(colours(printout), box) == colour).all(axis=2)))


def test_a_rectangle_lies_behind_the_texts_of_its_band(engine: ReportEngine) -> None:
    printout = shown(engine, "slip", AddShape(key="panel", band="title", shape="rectangle", fill="#FFFF00"), pages=1)
    [panel] = boxes(printout, "panel")
    assert (round(panel.width), round(panel.height)) == (500, 60)
    assert 0.8 < share(printout, panel, YELLOW) < 1.0  # the rest is the title
    assert words(printout) == words(shown(engine, "slip"))


def test_a_rectangle_before_the_texts_covers_them(engine: ReportEngine) -> None:
    edit = AddShape(
        key="panel", band="title", shape="rectangle", fill="#FFFF00", behind=False, x=200, y=5, width=155, height=24
    )
    printout = shown(engine, "slip", edit, pages=1)
    assert share(printout, boxes(printout, "panel")[0], YELLOW) == 1.0


@pytest.mark.parametrize("section", ["title", "pageHeader", "summary"])
def test_a_line_is_drawn_in_its_band(engine: ReportEngine, section: str) -> None:
    edit = AddShape(key="rule", band=section, shape="line", colour="#FF0000", line_width=2)
    printout = shown(engine, "slip", edit, pages=1)
    [line] = boxes(printout, "rule")
    around = Box(x=line.x + 4, y=line.y - 4, width=line.width - 8, height=9)
    assert (inside(colours(printout), around) == [0, 0, 255]).all(axis=2).any(axis=0).all()


def test_a_line_has_the_place_that_is_asked_for(engine: ReportEngine) -> None:
    edit = AddShape(key="rule", band="title", shape="line", x=100, y=70, width=1, height=30)
    [line] = boxes(shown(engine, "slip", edit), "rule")
    assert (round(line.x - 20), round(line.y - 20), round(line.width), round(line.height)) == (100, 70, 1, 30)


@BOTH
def test_the_whole_heading_row_gets_a_background(engine: ReportEngine, name: str) -> None:
    printout = shown(engine, name, SetHeaderBackground(colour="#FFFF00"), pages=1)
    heads = [one.box for one in printout.elements if one.text in ("Item", "Qty", "Customer", "Amount", "Ordered")]
    left, right = min(box.x for box in heads), max(box.right for box in heads)
    strip = Box(x=left, y=heads[0].y, width=right - left, height=8)
    pixels = inside(colours(printout), strip)
    assert (pixels == YELLOW).all(axis=2).any(axis=0).mean() > 0.98  # but for the lines between the cells


@pytest.mark.parametrize(
    "background",
    [SetHeaderBackground(colour="#FFFF00"), SetProperty(element="h1", name="mode", value="Opaque")],
    ids=["header", "text"],
)
def test_a_line_between_headings_is_seen_on_their_background(background: AnyEdit) -> None:
    x, y, _, height = place(Editor(slip()), "h1")
    ruled = edited(slip(), AddShape(key="between", band="columnHeader", shape="line", x=x, y=y, width=1, height=height))
    line = ruled.element("between")
    assert line is not None
    line.getparent().insert(0, line)
    keys = [one.get("key") for one in Draft(edited(ruled.bytes(), background).bytes()).root.iter("{*}reportElement")]
    assert keys.index("between") > keys.index("h1")


def test_a_column_without_a_heading_has_the_background_too(engine: ReportEngine) -> None:
    edits: list[AnyEdit] = [Delete(element="h2"), SetHeaderBackground(colour="#FFFF00")]
    printout = shown(engine, "slip", *edits, pages=1)
    gap = Box(x=20 + 310, y=20 + 60, width=100, height=20)
    assert share(printout, gap, YELLOW) == 1.0
    again = edited(slip(), *edits, SetHeaderBackground(colour="#00FF00")).bytes()
    assert again.count(b'key="header_background"') == 1 and b"#FFFF00" not in again


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (AddShape(key="a", band="title", shape="line", colour="red"), "value"),
        (AddShape(key="a", band="title", shape="line", line_width=0), "value"),
        (AddShape(key="a", band="title", shape="rectangle", width=0), "value"),
        (AddShape(key="a", band="title", shape="rectangle", y=0, height=2000), "room"),
        (AddShape(key="a", band="cellar", shape="line"), "band"),
        (SetHeaderBackground(colour="red"), "value"),
    ],
)
def test_what_cannot_be_drawn_is_refused(edit: AnyEdit, code: str) -> None:
    assert refused(slip(), edit).code == code
