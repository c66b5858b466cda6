"""A new line below the total whose label stands for an amount, and the reasons that are given for one."""

from __future__ import annotations

from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_tax import AddTax
from tests.each_case import each

from .test_said_in_chats import read


@each(
    "form, request_, rate",
    [
        ("sales", "below the total show 'of which 20% VAT'", "20"),
        ("sales", "add 'thereof 7% VAT' under the total", "7"),
        ("sales", "under the total put 'of which VAT (19 %)'", "19"),
        ("slip", "在合计下面加上“其中13%增值税”", "13"),
        ("slip", "合计下面加“其中税额（9%）”", "9"),
    ],
)
def test_label_of_the_tax_in_a_total_gets_its_amount(form: str, request_: str, rate: str):
    [edit] = read(form, request_).edits
    assert isinstance(edit, AddTax)
    assert (edit.rate, edit.included) == (rate, True)


@each(
    "form, request_",
    [
        ("sales", "below the title show 'All prices include VAT'"),
        ("sales", "below the title show 'Paid in cash' so that it is clear"),
        ("slip", "在合计下面加上“税额另计”"),
    ],
)
def test_plain_words_below_a_text_are_printed_as_they_are(form: str, request_: str):
    reading = read(form, request_)
    assert any(isinstance(edit, Add) for edit in reading.edits)
    assert not any(isinstance(edit, AddTax) for edit in reading.edits)
    assert not reading.unread


@each(
    "request_",
    [
        "show 'Deposit' below the total, so it's amount * 7",
        "show 'Deposit' below the total so it's total / 6",
        "add 'Rest' under the total, because it's amount * 3",
    ],
)
def test_computation_is_no_reason_that_is_passed_over(request_: str):
    reading = read("sales", request_)
    assert reading.unread or reading.refusals
