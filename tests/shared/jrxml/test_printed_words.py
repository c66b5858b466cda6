"""The words that an expression prints are read without its code."""

import pytest

from bandsmith.shared.jrxml.amount_words import amount_in_words
from bandsmith.shared.jrxml.printed_words import printed_words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ('"Order"', "Order"),
        ('"Say \\"yes\\" \\u00e9"', 'Say "yes" é'),
        ('"Slip no. " + $P{number}', "Slip no. …"),
        ('("Slip no. ") + ($P{number} == null ? "-" : $P{number}.trim())', "Slip no. …"),
        ('"第 " + $V{PAGE_NUMBER} + " 页，共 " + $V{PAGES} + " 页"', "第 … 页，共 … 页"),
        ('$F{a} == null ? "" : "Due: " + $F{a}', "Due: …"),
        ('$F{a} ? $F{b} ? "both" : "one" : "none"', "both"),
        ("$F{a}", ""),
        ('new SimpleDateFormat("yyyy-MM-dd").format($F{a})', ""),
        ('$F{a} + ", " + $F{b}', ""),
        ('$F{a}.replaceAll("x", "y") + $F{b}', ""),
        (amount_in_words("$P{due}", "zh"), ""),
        (amount_in_words("$P{due}", "en", "dollars"), ""),
        (amount_in_words("$P{due}", "zh", label="大写："), "大写：…"),
        ("(" * 5_000, ""),
        ("? :" * 3_000, ""),
        (")" * 50 + '"a', ""),
    ],
)
def test_words_of_an_expression(expression: str, words: str) -> None:
    assert printed_words(expression) == words
