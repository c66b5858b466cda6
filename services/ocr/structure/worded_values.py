"""Tell words from the value that they name where no colon parts them.

``DATE November 4, 2025``, ``Fax (040) 555-0170`` and ``CLIENT NO 204417`` are each printed as one text. The words are a
label if forms print them, and what follows is a date, a telephone number or a number of many digits.
"""

from __future__ import annotations

import re
from itertools import islice

from .text_classifier import LABEL_WORDS, LINK_WORDS, is_label, is_total, text_kind

MAX_WORDS = 3
"""Words that name a value; more are a sentence with a value in it."""
_DAY = re.compile(r"(?!\d{1,2}:)(?=.*\d{4}|(?:\d{1,2}[./-]){2}\d\d)", re.DOTALL)
"""A date with its year, rather than a time of day."""
MIN_PHONE_DIGITS = 7
_AMOUNT_BEHIND = re.compile(r"((?:[^\W\d_]+\s+){1,4})([-+]?(?:[$€£¥￥₹]|[A-Z]{3}) ?[-+]?\d[\d.,' ]*[.,]\d{2,3})")
"""The amount of a total with its currency behind up to four words: ``Balance Due $ 1,844.80``"""
_PHONE = re.compile(r"\+?[\d(][\d\s()./-]{6,}\d")
_LONG_NUMBER = re.compile(r"(?=(?:\S*\d){5})[A-Za-z\d][\w/.-]*")
"""A number of five digits or more, perhaps with the parts of its series: ``PK/IN/00031``"""
_PHONE_WORDS = frozenset(
    (
        "ph",
        "phone",
        "tel",
        "telephone",
        "telefon",
        "telefone",
        "téléphone",
        "telefono",
        "teléfono",
        "fax",
        "mob",
        "mobile",
    )
)
_NUMBER_WORDS = frozenset(("no", "nr", "number", "num", "nº", "n°", "#", "№"))
_DATE_WORDS = frozenset(("date", "datum", "fecha", "data", "dated", "le", "am", "du", "vom", "del", "den"))


def split_words(text: str) -> tuple[str, str]:
    """Return the words that name a value, with the space behind them, and the value; the words may be empty."""
    if text_kind(text) != "text" or "\n" in text:
        return "", text
    if (amount := _AMOUNT_BEHIND.fullmatch(text)) and (is_total(amount[1]) or is_label(amount[1])):
        return amount[1], amount[2]
    if is_total(text):
        return "", text
    for space in islice(re.finditer(r"(?<=\S)\s+(?=\S)", text), MAX_WORDS):
        if _names(text[: space.start()].split(), text[space.end() :].rstrip()):
            return text[: space.end()], text[space.end() :]
    return "", text


def _names(words: list[str], value: str) -> bool:
    """Whether words name a value of such a kind."""
    plain = [word.lower().rstrip(".:#") or word for word in words]
    if not all(map(_is_word, plain)):
        return False
    last = plain[-1]
    if text_kind(value) == "date":
        return bool(_DAY.match(value)) and (last in _DATE_WORDS or all(map(_is_known, plain)))
    if _PHONE.fullmatch(value) and sum(map(str.isdigit, value)) >= MIN_PHONE_DIGITS:
        return last in _PHONE_WORDS
    if _LONG_NUMBER.fullmatch(value):
        return last in _NUMBER_WORDS or words[-1].endswith("#")
    return False


def _is_word(word: str) -> bool:
    return word.replace(".", "").isalpha() or word in _NUMBER_WORDS


def _is_known(word: str) -> bool:
    return word in LABEL_WORDS or word in LINK_WORDS
