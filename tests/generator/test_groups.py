"""Groups of rows on a form become groups of the template: headings above, subtotals below that follow the rows."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.mapping.llm_field_mapping import map_form
from bandsmith.services.generator.planning import plan
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, Repeat, RowGroups, Slot
from bandsmith.shared.xml import parse

from .forms import Form, blank, complaints

PITCH = 16
STOCK = {
    "Lamps": [("Desk lamp", "80.00"), ("Wall lamp", "50.00")],
    "Chairs": [("Oak chair", "540.00"), ("Stool", "90.00"), ("Bench", "120.00")],
}


def rows(form: Form, texts: list[tuple[float, tuple[str, ...]]], labels: tuple[str | None, ...]) -> Repeat:
    """Draw text rows at their tops and return them as rows that repeat."""
    blocks = [[form.text(row[n], 30 + 150 * n, top + 12, value=True) for top, row in texts] for n in range(len(labels))]
    shared = [len({row[n] for _, row in texts}) == 1 for n in range(len(labels))]
    slots = [
        Slot(label=label, blocks=list(column), role="fixed" if same else "value")
        for label, column, same in zip(labels, blocks, shared, strict=True)
    ]
    tops = [top for top, _ in texts]
    box = Box.between(30, tops[0], 300, tops[-1] + PITCH)
    return Repeat(box=box, tops=tops, pitch=PITCH, heights=[PITCH] * len(tops), slots=slots)


def stock_list(ending: str = "Subtotal", wrong: bool = False) -> Layout:
    """Goods by kind, with the sum of each kind, of which the first may be wrong, and the grand total."""
    form = Form()
    header = [form.text("Article", 30, 32), form.text("Amount", 180, 32)]
    top, found = 40.0, dict[str, list[tuple[float, tuple[str, ...]]]](headings=[], rows=[], endings=[])
    firsts = []
    for kind, goods in STOCK.items():
        found["headings"].append((top, (kind,)))
        firsts.append(len(found["rows"]))
        found["rows"] += [(top + PITCH * (n + 1), one) for n, one in enumerate(goods)]
        top += PITCH * (len(goods) + 1)
        amount = sum(float(amount) for _, amount in goods) + (1 if wrong and kind == "Lamps" else 0)
        found["endings"].append((top, (ending.format(kind), f"{amount:.2f}")))
        top += PITCH
    main = rows(form, found["rows"], ("Article", "Amount"))
    groups = RowGroups(
        first_rows=firsts,
        headings=rows(form, found["headings"], (None,)),
        endings=rows(form, found["endings"], (None, "Subtotal Amount")),
    )
    form.text("Total", 130, top + 14)
    form.text("880.00", 180, top + 14, value=True, label="Total")
    repeat = main.model_copy(update={"header": header, "groups": groups})
    return form.layout().model_copy(update={"repeat": repeat})


async def built(layout: Layout):
    report, data = plan(layout, blank(), "stock")
    template, data, *_ = await map_form(build_jrxml(report), data, layout, None, Allowance())
    assert complaints(template) == []
    return parse(template), data


def printed(band) -> list[str]:
    return [node.text or "" for tag in ("text", "textFieldExpression") for node in band.iter(f"{J}{tag}")]


async def test_a_title_among_rows_is_the_header_of_a_group_by_a_field():
    root, data = await built(stock_list())

    (group,) = root.findall(f"{J}group")
    assert group.findtext(f"{J}groupExpression") == "$F{section}"
    assert printed(group.find(f"{J}groupHeader")) == ["$F{section}"]
    assert [row["section"] for row in data.rows] == ["Lamps"] * 2 + ["Chairs"] * 3
    assert printed(root.find(f"{J}detail")) == ["$F{product}", "$F{amount}"]


async def test_subtotals_and_the_grand_total_are_sums_of_the_rows():
    root, data = await built(stock_list())

    sums = {node.get("name"): node.get("resetGroup") for node in root.findall(f"{J}variable")}
    assert sums == {"amount_subtotal": "section_group", "amount_total": None}
    assert printed(root.find(f"{J}group/{J}groupFooter")) == ["Subtotal", "$V{amount_subtotal}"]
    assert set(data.rows[0]) == {"section", "product", "amount"}
    assert "total" not in data.parameters


async def test_a_subtotal_that_is_no_sum_of_its_rows_stays_a_value():
    root, data = await built(stock_list(wrong=True))

    assert [node.get("name") for node in root.findall(f"{J}variable")] == ["amount_total"]
    assert [row["subtotal_amount"] for row in data.rows] == [131.0] * 2 + [750.0] * 3


async def test_a_subtotal_that_names_its_group_prints_the_groups_name():
    root, data = await built(stock_list(ending="Total {}"))

    assert '"Total " + $F{section}' in printed(root.find(f"{J}group/{J}groupFooter"))
    assert set(data.rows[0]) == {"section", "product", "amount"}


def test_the_bands_of_rows_and_groups_are_as_high_as_on_the_form():
    report, _ = plan(stock_list(), blank(), "stock")

    (group,) = report.groups
    assert group.header and group.footer
    assert [group.header.height, group.footer.height] == pytest.approx([PITCH, PITCH], abs=1)
    assert next(band for band in report.bands if band.name == "detail").height == PITCH
