"""Amounts in words, in English and in Chinese, as one Java expression each.

Theory of operation
===================

The words are computed by the template itself, with methods of ``String`` and ``BigDecimal`` only. A helper class would
read better, but a template that calls it fills only where its jar is; as it is, an exported template works in any
JasperReports, and the check of expressions has no new class to allow.

An expression has no statements, so the amount is rewritten step by step: it becomes a string of digits of a fixed
length, the places get their units by position, and replacements remove what is not said (``零仟零佰`` is no more than
``零``). ``tests/shared/jrxml/test_amount_words.py`` compares what the engine prints with an independent reading of
thousands of amounts.

Amounts are rounded half up to hundredths. One of more digits than words are known for is printed in digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

from ..language import Language
from .expressions import rounded, unless_null
from .java_literals import java_string

_CHINESE_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_CHINESE_PLACES = "仟佰拾万仟佰拾亿仟佰拾万仟佰拾元角分"
"""The units of the places of an amount, from the highest. They stand for 16 digits and two decimals."""
_CHINESE_RULES = (
    ("零[仟佰拾]", "零"),
    ("零+", "零"),
    ("万零亿", "万亿零"),
    ("零+", "零"),
    ("零([万亿元])", "$1"),
    ("^万?亿", "亿"),
    ("亿万", "亿零"),
    ("^[零万亿]+", ""),
    ("零角零分$", "整"),
    ("零分$", "整"),
    ("^元零角", "元"),
    ("零角", "零"),
    ("零+", "零"),
    ("^元整$", "零元整"),
    ("^元零?", ""),
    ("亿零元", "亿元"),
)

_ENGLISH_GROUPS = ("T", "B", "M", "K", "")
_ENGLISH_SCALES = (("T", " trillion "), ("B", " billion "), ("M", " million "), ("K", " thousand "), ("H", " hundred "))
_ENGLISH_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ENGLISH_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ENGLISH_INITIALS = "efmnostz"
"""Of every word that an amount may begin with: eight, five, minus and so on."""
_MAX_CHINESE_AMOUNT, _MAX_ENGLISH_AMOUNT = "1E16", "1E15"


def amount_in_words(value: str, language: Language, currency: str = "", label: str = "") -> str:
    """Return a Java expression of the words of an amount, after a label; null where there is no amount.

    `value` is a reference to a number of any class. `currency` is said after an English amount.
    """
    amount = f"new BigDecimal({value}.toString())"
    words = _chinese(amount) if language == "zh" else _english(amount, currency)
    limit = _MAX_CHINESE_AMOUNT if language == "zh" else _MAX_ENGLISH_AMOUNT
    too_large = f'{_cents(amount)}.abs().compareTo(new BigDecimal("{limit}")) >= 0'
    spoken = f"{too_large} ? {amount}.toPlainString() : {words}"
    labelled = f"{java_string(label)} + ({spoken})" if label else spoken
    return unless_null(value, labelled)


def chinese_words(amount: Decimal) -> str:
    """Return what the Chinese expression prints for an amount."""
    cents = int(abs(amount).quantize(Decimal("0.01"), ROUND_HALF_UP) * 100)
    words = "".join(map("".join, zip(f"{cents:0{len(_CHINESE_PLACES)}}", _CHINESE_PLACES, strict=True)))
    words = words.translate(str.maketrans("0123456789", _CHINESE_DIGITS))
    for pattern, replacement in _CHINESE_RULES:
        words = re.sub(pattern, replacement.replace("$", "\\"), words)
    return ("负" if amount < 0 else "") + words


def spells_amount(expression: str) -> bool:
    """Whether an expression computes the words of an amount."""
    return all(f'"{word}"' in expression for word in _CHINESE_DIGITS[1:]) or all(
        f'"{word}"' in expression for _, word in _ENGLISH_SCALES
    )


def _cents(value: str) -> str:
    return rounded(value)


def _digits(value: str, count: int) -> str:
    """Return an expression of the digits of an amount in hundredths, with zeros before them."""
    return f'("{"0" * count}" + {_cents(value)}.abs().unscaledValue()).replaceAll("^0+(?=\\\\d{{{count}}}$)", "")'


def _chinese(value: str) -> str:
    places = len(_CHINESE_PLACES)
    pattern = "(.)" * places
    spelled = "".join(f"${number}{unit}" for number, unit in enumerate(_CHINESE_PLACES, 1))
    java = _digits(value, places) + _replaced_all([(pattern, spelled)])
    java += "".join(f'.replace("{digit}", "{word}")' for digit, word in enumerate(_CHINESE_DIGITS))
    java += _replaced_all(_CHINESE_RULES)
    return f'({_cents(value)}.signum() < 0 ? "负" : "") + {java}'


def _english(value: str, currency: str) -> str:
    words = _english_words(value)
    sign = f'({_cents(value)}.signum() < 0 ? "minus " : "")'
    capitalised = f"({sign} + {words})" + _replaced_all((f"^{one}", one.upper()) for one in _ENGLISH_INITIALS)
    cents = f'{_digits(value, 2)}.replaceAll("^.*(..)$", " and $1/100{_escaped(currency)}")'
    return f"{capitalised} + {cents}"


def _escaped(currency: str) -> str:
    """Return the name of a currency as part of a replacement; only letters and blanks are kept."""
    kept = "".join(char for char in currency if char.isalpha() or char == " ").strip()
    return f" {kept}" if kept else ""


def _english_words(value: str) -> str:
    groups = "(...)" * len(_ENGLISH_GROUPS) + ".."
    marked = "".join(f"${number}{mark}" for number, mark in enumerate(_ENGLISH_GROUPS, 1))
    rules: list[tuple[str, str]] = [
        (groups, marked),
        ("000[TBMK]?", ""),
        ("(\\\\d)(\\\\d\\\\d)", "$1H$2"),
        ("0H|(?<=H)00|(?<!\\\\d)0(?=\\\\d)", ""),
        ("(?<=H)0", ""),
        ("^$", "zero"),
    ]
    rules += [(f"1{digit}", word) for digit, word in enumerate(_ENGLISH_TEENS)]
    rules += [(f"{digit}0", word) for digit, word in enumerate(_ENGLISH_TENS, 2)]
    rules += [(f"{digit}(?=\\\\d)", f"{word}-") for digit, word in enumerate(_ENGLISH_TENS, 2)]
    rules += [(str(digit), word) for digit, word in enumerate(_ENGLISH_ONES, 1)]
    rules += _ENGLISH_SCALES
    return _digits(value, 17) + _replaced_all(rules) + '.replaceAll(" +", " ").trim()'


def _replaced_all(rules: Iterable[Sequence[str]]) -> str:
    return "".join(f'.replaceAll("{pattern}", "{replacement}")' for pattern, replacement in rules)
