"""Which band draws each rule, fill and picture of a form, and under which condition."""

import base64
import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Picture, Slot
from bandsmith.shared.model.plan import Plan, StaticText, TextField

from .forms import Form, blank, invoice
from .planned import bands, texts


def test_a_ruled_cell_becomes_borders_without_extra_lines() -> None:
    form = Form()
    cells = form.grid([30, 130, 230], [50, 70, 90])
    for row in cells:
        for n, cell in enumerate(row):
            form.text(f"Cell {n}", cell.x + 5, cell.y + 14, room=cell)
    report, _ = plan(form.layout(), blank(), "table")
    (title,) = report.bands
    assert [element.kind for element in title.elements] == ["staticText"] * 4
    margins = report.margins
    for element, cell in zip(title.elements, [cell for row in cells for cell in row], strict=True):
        assert isinstance(element, StaticText)
        at = (element.x + margins.left, element.y + margins.top, element.width, element.height)
        assert at == (cell.x, cell.y, cell.width, cell.height)
        assert all(getattr(element.borders, side).width for side in ("top", "left", "bottom", "right"))


def test_rows_with_space_between_them_draw_each_rule_once() -> None:
    form = Form()
    tops = [20 + 14.6 * n for n in range(15)]
    cells = [cell for (cell,) in form.grid([30, 130], [*tops, tops[-1] + 14.6])]
    names = [form.text(f"Item {n}", 35, cell.y + 11, room=cell, value=True) for n, cell in enumerate(cells)]
    form.repeats(tops, 14.6, [Slot(label="Item", blocks=names)], [])
    report, _ = plan(form.layout(), blank(), "table")
    (cell,) = [e for e in bands(report)["detail"].elements if isinstance(e, TextField)]
    assert (cell.borders.top.width > 0, cell.borders.bottom.width > 0) == (False, True)
    # The rule above the first row is drawn once, above all rows.
    assert [element.kind for band in report.bands if band.name != "detail" for element in band.elements] == ["line"]


def test_rows_below_a_coloured_header_have_no_rule_above_the_first_where_the_form_has_none() -> None:
    form = Form()
    tops = [40.0, 60.0, 80.0]
    form.fill(Box.between(30, 20, 130, 40), "#4B5D80")
    cells = [Box.between(30, 40, 130, 60), *(cell for (cell,) in form.grid([30, 130], [60, 80, 100]))]
    names = [form.text(f"Item {n}", 35, cell.y + 14, room=cell, value=True) for n, cell in enumerate(cells)]
    form.repeats(tops, 20, [Slot(label="Item", blocks=names)], [])
    report, _ = plan(form.layout(), blank(), "table")
    (cell,) = [e for e in bands(report)["detail"].elements if isinstance(e, TextField)]
    assert (cell.borders.top.width > 0, cell.borders.bottom.width > 0) == (False, True)


def test_rules_that_drift_from_their_rows_still_close_them() -> None:
    form = Form()
    tops = [120 + 35 * n for n in range(5)]
    names = [form.text(f"Item {n}", 30, top + 20, value=True) for n, top in enumerate(tops)]
    for row, top in enumerate(tops):
        form.rule(25, top + 36 + 0.4 * row, 300, top + 36 + 0.4 * row)
    form.repeats(tops, 35, [Slot(label="Item", blocks=names)], [])
    report, _ = plan(form.layout(), blank(), "list")
    lines = {name: [e for e in band.elements if e.kind == "line"] for name, band in bands(report).items()}
    assert {name: len(found) for name, found in lines.items() if found} == {"detail": 1}


def test_hairlines_that_a_scan_shows_in_several_shades_belong_to_every_row() -> None:
    form = Form()
    tops = [120 + 35 * n for n in range(5)]
    names = [form.text(f"Item {n}", 30, top + 20, value=True) for n, top in enumerate(tops)]
    for top, colour in zip(tops, ("#82909E", "#546779", "#949EAB", "#546779", "#82909E"), strict=True):
        form.rule(25, top + 35, 300, top + 35, thickness=0.5, colour=colour)
    form.repeats(tops, 35, [Slot(label="Item", blocks=names)], [])
    report, _ = plan(form.layout(), blank(), "list")
    assert [name for name, band in bands(report).items() if any(e.kind == "line" for e in band.elements)] == ["detail"]


def test_an_empty_cell_keeps_its_borders() -> None:
    form = Form()
    cells = form.grid([30, 130, 230], [50, 70])
    form.text("Signature", 35, 64, room=cells[0][0])
    report, _ = plan(form.layout(), blank(), "table")
    assert texts(report.bands[0]) == ["", "Signature"] or texts(report.bands[0]) == ["Signature", ""]


def test_a_cell_that_is_empty_in_some_rows_is_drawn_once() -> None:
    form = Form()
    tops = [50 + 20 * n for n in range(4)]
    cells = form.grid([30, 130, 230], [*tops, 130])
    names = [form.text(f"Item {n}", 35, row[0].y + 14, room=row[0], value=True) for n, row in enumerate(cells)]
    note = form.text("Late", 135, cells[2][1].y + 14, room=cells[2][1], value=True)
    slots = [Slot(label="Item", blocks=list(names)), Slot(label="Note", blocks=[None, None, note, None])]
    form.repeats([float(top) for top in tops], 20, slots, [])
    report, _ = plan(form.layout(), blank(), "table")
    assert [e.kind for band in report.bands for e in band.elements] == ["textField", "textField"]


def test_a_rule_below_the_last_row_opens_the_summary() -> None:
    form = invoice()
    form.rule(25, 160, 300, 160)
    report, _ = plan(form.layout(), blank(), "invoice")
    lines = {name: [e for e in band.elements if e.kind == "line"] for name, band in bands(report).items()}
    assert {name: [line.y for line in found] for name, found in lines.items() if found} == {"summary": [0]}


def test_a_rule_that_opens_the_page_footer_belongs_to_it() -> None:
    form = invoice()
    form.rule(25, 270, 300, 270)
    report, _ = plan(form.layout(), blank(), "invoice")
    found = bands(report)
    assert [e.kind for e in found["pageFooter"].elements].count("line") == 1
    assert found["summary"].height < 40


def test_a_rule_that_crosses_bands_is_drawn_by_each_of_them() -> None:
    form = invoice()
    form.rule(150, 80, 150, 160)
    report, _ = plan(form.layout(), blank(), "invoice")
    lines = {name: [e for e in band.elements if e.kind == "line"] for name, band in bands(report).items()}
    assert len(lines["columnHeader"]) == len(lines["detail"]) == 1
    assert lines["detail"][0].height == bands(report)["detail"].height


def test_a_fill_behind_every_second_row_is_conditional() -> None:
    form = invoice()
    form.fill(Box(x=25, y=120, width=300, height=20))
    report, _ = plan(form.layout(), blank(), "invoice")
    (zebra,) = [e for e in bands(report)["detail"].elements if e.kind == "rectangle"]
    assert zebra.print_when == "$V{REPORT_COUNT} % 2 == 0"
    assert (zebra.y, zebra.height) == (0, 20)


def test_a_seal_is_printed_without_the_text_below_it():
    form = Form()
    form.text("Mill", 40, 36)
    page = Image.open(io.BytesIO(blank()))
    pen = ImageDraw.Draw(page)
    pen.text((80, 60), "Mill", fill=(20, 20, 20))
    pen.ellipse((65, 45, 180, 120), outline=(200, 40, 40), width=5)
    content = io.BytesIO()
    page.save(content, "PNG")
    form.pictures.append(Picture(id="seal", box=Box(x=30, y=20, width=60, height=40), kind="seal"))

    _, data = plan(form.layout(), content.getvalue(), "form")

    seal = Image.open(io.BytesIO(base64.b64decode(str(data.parameters["picture_1"]))))
    opaque = np.asarray(seal)[np.asarray(seal)[:, :, 3] == 255]
    assert len(opaque) > 100
    assert (opaque[:, 0] > 150).all(), "only the red ink shows"


def test_a_picture_becomes_a_parameter(engine: ReportEngine) -> None:
    form = Form()
    form.text("Acme", 120, 40)
    form.picture(Box(x=30, y=20, width=60, height=40))
    report, data = plan(form.layout(), blank(), "logo")
    (image,) = [e for e in report.bands[0].elements if e.kind == "image"]
    assert "$P{picture_1}" in image.expression
    assert str(data.parameters["picture_1"]).startswith("iVBOR")
    assert engine.print(build_jrxml(report), data, pages=0).pages == 1


def test_a_picture_along_most_rows_is_printed_once() -> None:
    form = Form()
    names = [form.text(f"Item {n}", 30, 43 + 20 * n, value=True) for n in range(3)]
    form.picture(Box(x=200, y=32, width=50, height=56))
    form.repeats([30, 50, 70], 20, [Slot(label="Name", blocks=list(names))], [])
    _, data = plan(form.layout(), blank(), "rows")
    assert list(data.parameters) == ["picture_1"] and all(list(row) == ["column_1"] for row in data.rows)


def stages(shaded: str) -> Plan:
    """Four rows, of which the ones with a stage or the ones with a task are shaded across the page."""
    form, tops = Form(), [100, 120, 140, 160, 180]
    stage = [form.text(words, 30, top + 14, value=True) for words, top in (("Design", 100), ("Building", 160))]
    tasks = [form.text(words, 120, top + 14, value=True) for words, top in (("Plans", 120), ("Models", 140))]
    tasks.append(form.text("Walls", 120, 194, value=True))
    hours = [form.text("4", 250, top + 14, value=True) for top in (100, 160)]
    rows = {
        "stage": [stage[0], None, None, stage[1], None],
        "task": [None, *tasks[:2], None, tasks[2]],
        "hours": [hours[0], None, None, hours[1], None],
    }
    form.repeats(tops, 20, [Slot(label=name, blocks=found) for name, found in rows.items()], [])
    marked = [top for top, found in zip(tops, rows[shaded], strict=True) if found]
    for top in marked:
        form.fill(Box(x=25, y=top, width=300, height=20))
    return plan(form.layout(), blank(), "stages")[0]


@pytest.mark.parametrize(("shaded", "condition"), [("stage", "$F{column_1} != null"), ("task", "$F{column_2} != null")])
def test_a_fill_behind_the_rows_with_a_value_follows_the_value(shaded: str, condition: str) -> None:
    found = bands(stages(shaded))
    (fill,) = [e for e in found["detail"].elements if e.kind == "rectangle"]
    assert fill.print_when == condition
    assert "background" not in found
