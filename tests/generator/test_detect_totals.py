"""A total that the form's numbers prove becomes a sum of its column, and prints the same."""

import pytest

from bandsmith.services.generator.mapping.field_mapping import map_fields
from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import Slot
from bandsmith.shared.model.plan import Data

from .forms import Form, blank

ROWS = [("Wall lamp", "4", "1,250.00"), ("Elm board", "12", "80.50"), ("Paper", "120", "9.90")]


def made(*totals: tuple[str, str], rows: list[tuple[str, str, str]] = ROWS) -> tuple[bytes, Data]:
    """A form with rows and, below the amounts, pairs of (label, value), as template and data."""
    form = Form()
    header = [form.text(words, x, 90, align="Right") for words, x in (("Item", 80), ("Quantity", 200), ("Amount", 300))]
    tops = [100.0 + n * 20 for n in range(len(rows))]
    blocks: list[list[str | None]] = [
        [form.text(row[n], x, top + 13, value=True, align="Right") for row, top in zip(rows, tops, strict=True)]
        for n, x in enumerate((80, 200, 300))
    ]
    slots = [Slot(label=label, blocks=each) for label, each in zip(("Item", "Quantity", "Amount"), blocks, strict=True)]
    form.repeats(tops, 20, slots, header)
    for n, (label, value) in enumerate(totals):
        y = tops[-1] + 40 + 16 * n
        form.text(label, 200, y, align="Right")
        form.text(value, 300, y, value=True, label=label, align="Right")
    layout = form.layout()
    report, data = plan(layout, blank(), "form")
    return map_fields(build_jrxml(report), data, layout)


def test_a_proven_total_becomes_a_sum_that_prints_the_same(engine: ReportEngine) -> None:
    template, data = made(("Total", "1,340.40"))
    assert b'<variable name="amount_total"' in template and b'calculation="Sum"' in template
    assert "total" not in data.parameters and b'<parameter name="total"' not in template
    assert "1,340.40" in [element.text for element in engine.print(template, data, pages=0).elements]
    more = data.model_copy(update={"rows": [*data.rows, {"item": "Ink", "quantity": 1, "amount": 9.6}]})
    assert "1,350.00" in [element.text for element in engine.print(template, more, pages=0).elements]


@pytest.mark.parametrize(
    "totals",
    [
        [("Total", "1,340.41")],
        [("Discount", "1,340.40")],
        [("Total", "one thousand")],
        [("Total", "SEE NOTE 1340.40")],
    ],
    ids=["other-number", "no-total-word", "words", "in-a-sentence"],
)
def test_an_unproven_total_stays_a_value(totals: list[tuple[str, str]]) -> None:
    template, data = made(*totals)
    assert b"<variable" not in template
    assert len([name for name in data.parameters if name != "REPORT_LOCALE"]) == 1


@pytest.mark.parametrize(
    "label",
    ["Totals", "Gross pay", "Amount due", "Balance due", "Net amount", "Netto", "Gesamtbetrag", "Importe", "合计"],
)
def test_a_proven_total_may_be_called_what_forms_call_it(label: str) -> None:
    template, _ = made((label, "1,340.40"))
    assert b'<variable name="amount_total"' in template


def test_a_sum_that_has_the_label_of_its_column_is_proven_by_both() -> None:
    template, data = made(("Quantity", "136"))
    assert b'<variable name="quantity_total"' in template
    assert [name for name in data.parameters if name != "REPORT_LOCALE"] == []


def test_a_number_with_the_label_of_a_column_that_has_one_value_only_stays_a_value() -> None:
    rows = [("Wall lamp", "4", "1,250.00"), ("Elm board", "0", "80.50")]
    template, _ = made(("Quantity", "4"), rows=rows)
    assert b"<variable" not in template


def test_a_total_that_is_printed_twice_under_one_name_is_computed_twice() -> None:
    template, data = made(("Total", "1,340.40"), ("Total", "1,340.40"))
    assert template.count(b"<variable ") == 1 and template.count(b"$V{amount_total}") == 2
    assert [name for name in data.parameters if name != "REPORT_LOCALE"] == []


def test_of_two_columns_with_one_sum_the_total_is_that_of_the_column_called_like_it() -> None:
    rows = [("Wall lamp", "4", "4.00"), ("Elm board", "12", "12.00")]
    template, _ = made(("Amount", "16.00"), rows=rows)
    assert b'<variable name="amount_total"' in template and b"quantity_total" not in template


def test_one_row_proves_nothing() -> None:
    template, _ = made(("Total", "1,250.00"), rows=ROWS[:1])
    assert b"<variable" not in template


def test_of_two_equal_totals_the_subtotal_is_the_sum() -> None:
    template, data = made(("Subtotal", "1,340.40"), ("Total", "1,340.40"))
    assert template.count(b"<variable ") == 1
    assert data.parameters["total"] == 1340.4 and "subtotal" not in data.parameters
