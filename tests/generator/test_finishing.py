"""A finished template prints its form as before, and other data well."""

from __future__ import annotations

import math

import pytest
from lxml import etree

from bandsmith.services.generator.mapping.field_mapping import map_fields
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared import xml
from bandsmith.shared.fonts import measure
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.finishing import finish
from bandsmith.shared.jrxml.finishing.alignment_grid import align_edges
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.plan import Data

from .forms import blank, invoice


@pytest.fixture(scope="module")
def form() -> tuple[bytes, bytes, Data]:
    """The invoice's template before and after it was finished, and its data."""
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    before, data = map_fields(build_jrxml(report), data, layout)
    root = xml.parse(before)
    finish(root)
    return before, bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)), data


def texts(engine: ReportEngine, template: bytes, data: Data) -> list[str]:
    return [element.text for element in engine.print(template, data, pages=0).elements if element.text]


def test_the_form_prints_as_before(engine: ReportEngine, form: tuple[bytes, bytes, Data]) -> None:
    before, after, data = form
    assert texts(engine, after, data) == texts(engine, before, data)


def test_a_longer_value_is_printed_whole_and_its_row_grows(
    engine: ReportEngine, form: tuple[bytes, bytes, Data]
) -> None:
    before, after, data = form
    name = "Wall lamp in brushed steel with a long swivel arm, three sockets and a dimmer"
    longer = data.model_copy(update={"rows": [{**data.rows[0], "product": name}, *data.rows[1:]]})
    assert name not in " ".join(texts(engine, before, longer))
    printed = " ".join(" ".join(texts(engine, after, longer)).split())
    assert name in printed


def test_missing_values_print_nothing(engine: ReportEngine, form: tuple[bytes, bytes, Data]) -> None:
    _, after, data = form
    empty = Data(parameters={}, rows=[dict.fromkeys(data.rows[0])])
    assert not any("null" in text for text in texts(engine, after, empty))


def test_every_page_tells_its_number_and_how_many_there_are(
    engine: ReportEngine, form: tuple[bytes, bytes, Data]
) -> None:
    _, after, data = form
    many = data.model_copy(update={"rows": data.rows * 40})
    printout = engine.print(after, many, pages=0)
    numbers = [element.text for element in printout.elements if (element.text or "").startswith("Page ")]
    assert printout.pages > 1
    assert numbers[0] == f"Page 1 of {printout.pages}"


def test_texts_share_named_styles_instead_of_fonts(form: tuple[bytes, bytes, Data]) -> None:
    root = xml.parse(form[1])
    names = {style.get("name") for style in root.findall(f"{J}style")}
    assert {"Cell", "TableHeader", "Label"} <= names
    assert not list(root.iter(f"{J}font"))


def test_fields_are_declared_from_left_to_right(form: tuple[bytes, bytes, Data]) -> None:
    root = xml.parse(form[1])
    assert [field.get("name") for field in root.findall(f"{J}field")] == ["product", "quantity", "amount"]


def test_a_longer_number_keeps_its_digits(engine: ReportEngine, form: tuple[bytes, bytes, Data]) -> None:
    _, after, data = form
    large = data.model_copy(update={"rows": [{**row, "amount": 98_765_432_109.87} for row in data.rows]})
    assert texts(engine, after, large).count("98,765,432,109.87") == len(data.rows)


def keys(template: bytes) -> list[str]:
    return [node.get("key") or "" for node in xml.parse(template).iter(f"{J}reportElement")]


def test_elements_are_called_after_what_they_print(form: tuple[bytes, bytes, Data]) -> None:
    assert {"product", "product_header", "quantity_header", "amount"} <= set(keys(form[1]))
    assert len(keys(form[1])) == len(set(keys(form[1])))


def test_nothing_is_left_of_the_marks_that_elements_were_made_from(form: tuple[bytes, bytes, Data]) -> None:
    assert b"bandsmith.source" in form[0]
    assert b"bandsmith.source" not in form[1]


def test_a_form_with_remarks_keeps_its_marks_until_these_are_read(form: tuple[bytes, bytes, Data]) -> None:
    assert b"bandsmith.source" in finish(xml.parse(form[0]), keep_sources=True)


def test_attributes_have_one_order_and_expressions_are_easy_to_read(form: tuple[bytes, bytes, Data]) -> None:
    written = finish(xml.parse(form[0])).decode()
    assert "<![CDATA[$F{product}]]>" in written
    assert 'key="product" style="Cell" x=' in written


def test_no_label_is_broken_for_a_common_edge() -> None:
    """A point less, and the second word of the first label would stand on a line that is not printed."""
    need = math.ceil(measure("Deal ID/Version", "Liberation Sans", 10).advance + 0.5)
    texts = "".join(
        f'<staticText><reportElement x="{x}" y="{y}" width="{width}" height="12"/><text>{text}</text></staticText>'
        for x, y, width, text in ((10, 0, need, "Deal ID/Version"), (11, 20, 60, "Ship to"), (11, 40, 60, "Note"))
    )
    written = f'<jasperReport xmlns="{J[1:-1]}"><title><band height="60">{texts}</band></title></jasperReport>'
    root = xml.parse(written.encode())
    align_edges(root)
    assert [node.get("width") for node in root.iter(f"{J}reportElement")] == [str(need), "60", "60"]


def test_a_text_ends_where_the_one_beside_it_begins() -> None:
    texts = "".join(
        f'<staticText><reportElement x="{x}" y="{y}" width="{width}" height="12"/><text>{text}</text></staticText>'
        for x, y, width, text in ((10, 0, 52, "DrCr"), (60, 0, 40, "Amount"), (60, 20, 40, "Db"), (10, 20, 50, "1"))
    )
    written = f'<jasperReport xmlns="{J[1:-1]}"><title><band height="40">{texts}</band></title></jasperReport>'
    root = xml.parse(written.encode())
    align_edges(root)
    assert [int(node.get("width") or 0) for node in root.iter(f"{J}reportElement")] == [50, 40, 40, 50]
