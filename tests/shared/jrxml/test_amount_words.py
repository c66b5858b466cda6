"""Amounts in words: what the engine prints is what an independent reading of the amount says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

import pytest

from bandsmith.services.validator.checks.expressions import rejected
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.jrxml.amount_words import amount_in_words, chinese_words
from bandsmith.shared.language import Language
from bandsmith.shared.model.plan import Data

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ROWS_OF_PAGE = 100
_TEMPLATE = """<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="words" pageWidth="1200"
 pageHeight="1500" columnWidth="1160" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
 <field name="amount" class="java.math.BigDecimal"/><detail><band height="14"><textField isBlankWhenNull="true">
 <reportElement key="words" x="0" y="0" width="1160" height="14"/>
 <textFieldExpression><![CDATA[{}]]></textFieldExpression></textField></band></detail></jasperReport>"""


def chinese_group(number: int) -> str:
    """A number below 10,000."""
    words, skipped = "", False
    for unit, name in ((1000, "仟"), (100, "佰"), (10, "拾"), (1, "")):
        digit = number // unit % 10
        if digit:
            words += ("零" if skipped and words else "") + _DIGITS[digit] + name
        skipped = not digit
    return words


def chinese(amount: Decimal) -> str:
    cents = int(abs(amount) * 100)
    whole, tenths, hundredths = cents // 100, cents // 10 % 10, cents % 10
    groups = [whole // 10_000**place % 10_000 for place in range(4)]
    words, skipped = "", False
    for place in (3, 2, 1, 0):
        group = groups[place]
        if group:
            words += "零" if words and (skipped or group < 1000) else ""
            words += chinese_group(group) + ("", "万", "亿", "万")[place]
        elif place == 2 and groups[3]:
            words += "亿"
        skipped = not group
    words += "元" if words else ""
    if not cents % 100:
        return ("负" if amount < 0 else "") + (words or "零元") + "整"
    words += f"{_DIGITS[tenths]}角" if tenths else "零" if words else ""
    words += f"{_DIGITS[hundredths]}分" if hundredths else "整"
    return ("负" if amount < 0 else "") + words


def english_group(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    return f"{_ONES[number // 100]} hundred" + (f" {english_group(number % 100)}" if number % 100 else "")


def english(amount: Decimal) -> str:
    cents = int(abs(amount) * 100)
    names = ((12, " trillion"), (9, " billion"), (6, " million"), (3, " thousand"), (0, ""))
    groups = [(cents // 100 // 10**power % 1000, name) for power, name in names]
    words = " ".join(english_group(group) + name for group, name in groups if group) or "zero"
    words = ("minus " if amount < 0 else "") + words
    return f"{words[0].upper()}{words[1:]} and {cents % 100:02}/100"


def amounts() -> list[Decimal]:
    chosen = [Decimal(cents) / 100 for cents in (0, 1, 10, 99, 100, 101, 110, 1000, 1005, 1010, 140950, 10700053)]
    chosen += [Decimal(10) ** power + extra for power in range(14) for extra in (0, Decimal("0.07"), 1, 10_000)]
    chosen += [Decimal("-12.30"), Decimal("123456789012345.67")]
    chooser = random.Random(5)
    for _ in range(400):
        digits = "".join(chooser.choice("0000123456789") for _ in range(chooser.randint(1, 16)))
        chosen.append(Decimal(digits) / 100)
    return chosen


def printed(engine: ReportEngine, language: Language, values: Sequence[str | None], currency: str = "") -> list[str]:
    template = _TEMPLATE.format(amount_in_words("$F{amount}", language, currency))
    found: list[str] = []
    for first in range(0, len(values), ROWS_OF_PAGE):
        data = Data(rows=[{"amount": value} for value in values[first : first + ROWS_OF_PAGE]])
        found += [one.text or "" for one in engine.print(template.encode(), data, pages=0).elements]
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_an_amount_are_those_of_its_digits(engine: ReportEngine, language: Language) -> None:
    values = amounts()
    wanted = [chinese(one) if language == "zh" else english(one) for one in values]
    assert printed(engine, language, [str(one) for one in values]) == wanted


@pytest.mark.parametrize(
    ("language", "value", "words"),
    [
        ("zh", "1409.50", "壹仟肆佰零玖元伍角整"),
        ("zh", "6007.14", "陆仟零柒元壹角肆分"),
        ("zh", "325.04", "叁佰贰拾伍元零肆分"),
        ("zh", "100000000", "壹亿元整"),
        ("zh", "0.995", "壹元整"),
        ("zh", "12345678901234567.89", "12345678901234567.89"),
        ("zh", None, ""),
        ("en", "1234.56", "One thousand two hundred thirty-four and 56/100"),
        ("en", "0", "Zero and 00/100"),
        ("en", "1234567890123456", "1234567890123456"),
        ("en", None, ""),
    ],
)
def test_amounts_are_written_as_on_a_cheque(
    engine: ReportEngine, language: Language, value: str | None, words: str
) -> None:
    assert printed(engine, language, [value]) == [words]


def test_a_currency_is_said_after_the_amount(engine: ReportEngine) -> None:
    assert printed(engine, "en", ["5"], 'euro"; $1') == ["Five and 00/100 euro"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_expression_passes_the_check_of_expressions(language: Language) -> None:
    name = "$V{a_rather_long_name_of_a_column_with_tax}"
    assert rejected(amount_in_words(name, language, "US dollars", "In words: ")) is None


def test_chinese_words_are_what_the_expression_prints():
    amounts = [
        Decimal(random.Random(seed).randrange(-(10 ** (seed % 17)), 10 ** (seed % 17))) / 100 for seed in range(2000)
    ]
    assert [chinese_words(amount) for amount in amounts] == [chinese(amount) for amount in amounts]
