"""Words that name a value of a clear kind without a colon between."""

import pytest

from bandsmith.services.ocr.structure.worded_values import split_words
from bandsmith.shared.fields.amounts_in_words import is_amount_in_words

from .handmade import HandmadeMarks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DATE November 4, 2025", "DATE "),
        ("Émis le 2025-03-14", "Émis le "),
        ("Valid until 12.03.2025", "Valid until "),
        ("CLIENT NO 204417", "CLIENT NO "),
        ("CLIENT NO  204417", "CLIENT NO  "),
        (" CLIENT  NO 204417", " CLIENT  NO "),
        ("Issued on March 14, 2025", "Issued on "),
        ("Meet on November 4, 2025", ""),
        ("Fax (040) 555-0170", "Fax "),
        ("Ph. (040) 555-0170", "Ph. "),
        ("Ref# PK/IN/00031", "Ref# "),
        ("Anna May 12, 2025", ""),
        ("Return of PK/IN/00031", ""),
        ("Opened at 12:48", ""),
        ("Espresso double 5.80", ""),
        ("We moved here on 12.03.2025", ""),
    ],
)
def test_words_before_a_date_a_telephone_number_or_a_long_number_name_it(text: str, words: str):
    assert split_words(text) == (words, text.removeprefix(words))


def test_a_date_behind_its_words_is_a_value_with_their_name():
    marks = HandmadeMarks()
    marks.write(50, 400, "Issue date March 14, 2025")
    (block,) = [one for one in marks.understood().blocks if one.role == "value"]
    assert (block.label, block.prefix) == ("Issue date", "Issue date ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Balance Due $ 1,844.80", "Balance Due "),
        ("Total € 120,50", "Total "),
        ("總金額 新台幣 $ 8,857", "總金額 新台幣 "),
        ("Total 2 pieces", ""),
        ("Water bottle $ 2.50", ""),
    ],
)
def test_a_total_with_its_currency_names_the_amount_behind_it(text: str, words: str):
    assert split_words(text) == (words, text.removeprefix(words))


@pytest.mark.parametrize(
    ("text", "is_amount"),
    [
        ("Forty Thousand Two Hundred", True),
        ("Rupees Sixty one thousand and forty paise only.", True),
        ("叁佰圆叁角整", True),
        ("人民币壹仟元整", True),
        ("人民币：伍元整", True),
        ("人民币", False),
        ("壹佰" * 2000, False),
        ("One", False),
        ("Two hundred guests", False),
    ],
)
def test_an_amount_in_words_is_a_value(text: str, is_amount: bool):
    assert is_amount_in_words(text) is is_amount
