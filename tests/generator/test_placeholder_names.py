"""A field of a document that is a template itself is called what its placeholder is called."""

from __future__ import annotations

from bandsmith.services.generator.mapping.field_mapping import map_fields
from bandsmith.services.generator.mapping.placeholder_names import own_name
from bandsmith.services.generator.planning import plan
from bandsmith.shared.jrxml.writer import build_jrxml
from tests.each_case import each

from .forms import Form, blank


@each(
    "text, name",
    [
        ("{{i.desc}}", "desc"),
        ("{申请人}", "applicant"),
        ("${shipFee}", "shipFee"),
        ("<<[due_date]>>", "due_date"),
        ("{{ item.price | round }}", "price"),
        ("12 {{unit}}", ""),
        ("Paid", ""),
    ],
)
def test_a_placeholder_gives_its_own_name(text: str, name: str) -> None:
    assert own_name([text]) == name


def test_placeholders_of_one_sentence_have_names_of_their_own_and_not_that_of_its_label() -> None:
    form = Form()
    form.text("{client}", 40, 40, value=True, label="Name")
    form.text("Total: {net} plus {vat}, in all {gross}", 40, 80, value=True, label="Total")
    layout = form.layout()
    report, data = plan(layout, blank(), "form")

    _, data = map_fields(build_jrxml(report), data, layout)

    assert data.parameters == {"client": "{client}", "net": "{net}", "vat": "{vat}", "gross": "{gross}"}
