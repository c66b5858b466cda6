"""What the form's numbers prove to be computed is computed; anything else stays a value."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bandsmith.services.generator.mapping.detect_totals import replace_totals
from bandsmith.services.generator.mapping.field_mapping import name_and_type_fields
from bandsmith.services.generator.mapping.proven_formulas import compute_what_is_proven, products
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import Slot
from bandsmith.shared.model.plan import Data

from .forms import Form, blank

HEADINGS = ("No", "Item", "Quantity", "Price", "Amount")
ROWS = [
    ("1", "Lamp", "4", "12.50", "50.00"),
    ("2", "Board", "3", "20.00", "60.00"),
    ("3", "Paper", "10", "1.99", "19.90"),
]
EDGES = (40, 120, 200, 280, 360)


def made(rows: Sequence[tuple[str, ...]], *below: tuple[str, str]) -> tuple[bytes, Data]:
    """A form with these rows and, below them, pairs of (label, value), as template and data. An empty text is none."""
    form = Form()
    header = [form.text(words, x, 90, align="Right") for words, x in zip(HEADINGS, EDGES, strict=True)]
    tops = [100.0 + 20 * number for number in range(len(rows))]
    columns = zip(HEADINGS, EDGES, zip(*rows, strict=True), strict=True)
    slots = [
        Slot(
            label=label,
            blocks=[
                form.text(text, x, top + 13, value=True, align="Right") if text else None
                for text, top in zip(texts, tops, strict=True)
            ],
        )
        for label, x, texts in columns
    ]
    form.repeats(tops, 20, slots, header)
    for n, (label, value) in enumerate(below):
        y = tops[-1] + 40 + 16 * n
        form.text(label, 240, y, align="Right")
        form.text(value, 360, y, value=True, label=label, align="Right")
    layout = form.layout()
    report, data = plan(layout, blank(), "form")
    editor, data, labels, unlabelled = name_and_type_fields(build_jrxml(report), data, layout)
    data = replace_totals(editor, data, unlabelled=unlabelled)
    data = compute_what_is_proven(editor, data, labels)
    return editor.bytes(), data


def printed(engine: ReportEngine, template: bytes, data: Data) -> list[str]:
    return [element.text for element in engine.print(template, data, pages=0).elements if element.text]


def test_a_total_in_words_follows_new_rows(engine: ReportEngine) -> None:
    template, data = made(ROWS, ("合计", "129.90"), ("合计（大写）", "壹佰贰拾玖元玖角整"))
    assert "壹佰贰拾玖元玖角整" in printed(engine, template, data)

    more = data.model_copy(update={"rows": [*data.rows, {**data.rows[0], "quantity": 2, "price": 50, "amount": 100}]})

    assert "贰佰贰拾玖元玖角整" in printed(engine, template, more)


def test_a_total_in_words_behind_its_label_follows_new_rows(engine: ReportEngine) -> None:
    template, data = made(ROWS, ("合计", "129.90"), ("金额大写", "金额大写：壹佰贰拾玖元玖角整"))
    assert "金额大写：壹佰贰拾玖元玖角整" in printed(engine, template, data)

    more = data.model_copy(update={"rows": [*data.rows, {**data.rows[0], "quantity": 2, "price": 50, "amount": 100}]})

    assert "金额大写：贰佰贰拾玖元玖角整" in printed(engine, template, more)


def test_words_that_say_another_amount_stay_as_they_are(engine: ReportEngine) -> None:
    _, data = made(ROWS, ("合计", "129.90"), ("合计（大写）", "壹佰元整"))

    assert "壹佰元整" in data.parameters.values()


def test_row_numbers_and_products_follow_new_rows(engine: ReportEngine) -> None:
    template, data = made(ROWS)
    assert list(data.rows[0]) == ["product", "quantity", "price"]
    more = data.model_copy(update={"rows": [*data.rows, {"product": "Ink", "quantity": 7, "price": 3.0}]})
    texts = printed(engine, template, more)
    assert {"50.00", "60.00", "19.90", "21.00", "4"} <= set(texts)


def test_rows_left_empty_on_the_form_print_nothing_and_disprove_nothing(engine: ReportEngine) -> None:
    empty = ("", "", "", "", "")
    template, data = made([*ROWS, empty, empty], ("Subtotal", "129.90"), ("VAT 20 %", "25.98"), ("Total due", "155.88"))
    assert len(data.rows) == 5 and len(data.filled_rows) == 3
    assert "amount" not in data.rows[0], "the amount is computed"
    full, of_filled = made(ROWS, ("Subtotal", "129.90"), ("VAT 20 %", "25.98"), ("Total due", "155.88"))
    assert printed(engine, template, data) == printed(engine, full, of_filled)


def test_products_rounded_on_the_form_print_and_add_up_as_on_the_form(engine: ReportEngine) -> None:
    rows = [
        ("1", "Cloth", "7", "53.335", "373.35"),
        ("2", "Cord", "3", "41.115", "123.35"),
        ("3", "Felt", "5", "132.885", "664.43"),
    ]
    template, data = made(rows, ("Subtotal", "1,161.13"), ("VAT 10 %", "116.11"), ("Total due", "1,277.24"))
    assert "amount" not in data.rows[0], "the amount is computed"
    form = {"373.35", "123.35", "664.43", "1,161.13", "116.11", "1,277.24"}

    texts = printed(engine, template, data)

    assert form <= set(texts), f"missing: {form - set(texts)}"


def test_products_in_whole_numbers_print_no_decimals(engine: ReportEngine) -> None:
    rows = [("1", "Lamp", "4", "312.50", "1250"), ("2", "Board", "3", "20.00", "60")]
    template, data = made(rows, ("Subtotal", "1310"), ("VAT 20 %", "262"), ("Total due", "1572"))
    assert "amount" not in data.rows[0], "the amount is computed"
    assert {"1250", "60", "1310", "262", "1572"} <= set(printed(engine, template, data))

    more = data.model_copy(update={"rows": [*data.rows, {"product": "Ink", "quantity": 1, "price": 3.25}]})

    assert {"1250", "60", "3.25"} <= set(printed(engine, template, more))


def test_tax_and_grand_total_follow_the_sum(engine: ReportEngine) -> None:
    template, data = made(ROWS, ("Subtotal", "129.90"), ("VAT 20 %", "25.98"), ("Total due", "155.88"))
    assert {"129.90", "25.98", "155.88"} <= set(printed(engine, template, data))
    doubled = data.model_copy(update={"rows": data.rows * 2})
    assert {"259.80", "51.96", "311.76"} <= set(printed(engine, template, doubled))


def test_a_tax_whose_grand_total_stands_elsewhere_adds_no_line_to_the_form(engine: ReportEngine) -> None:
    below = (("Subtotal", "129.90"), ("Sales Tax 10%", "12.99"), ("TO BE PAID", "142.89"))
    template, data = made(ROWS, *below)

    texts = printed(engine, template, data)

    assert "Grand total" not in texts
    assert texts.count("142.89") == 1


def test_a_tax_that_does_not_add_up_stays_a_value(engine: ReportEngine) -> None:
    template, data = made(ROWS, ("Subtotal", "129.90"), ("VAT 20 %", "20.00"), ("Total due", "149.90"))
    doubled = data.model_copy(update={"rows": data.rows * 2})
    assert {"20.00", "149.90"} <= set(printed(engine, template, doubled))


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": 2, "b": 1, "c": 2}, {"a": 3, "b": 1, "c": 3}],
        [{"a": 2, "b": 3, "c": 6}],
        [{"a": 2, "b": 3, "c": 6}, {"a": 2, "b": 3, "c": 7}],
        [{"a": 2, "b": 3, "c": 6}, {"a": 2, "b": 3, "c": 6}],
        [{"a": 2, "b": 3, "c": 6}, {"a": 4, "b": None, "c": None}],
    ],
    ids=["all-times-one", "one-row", "one-row-off", "the-same-row-twice", "a-value-is-missing"],
)
def test_a_coincidence_is_no_product(rows: list[dict[str, int | None]]) -> None:
    assert products(Data(rows=[dict(row) for row in rows])) == []
