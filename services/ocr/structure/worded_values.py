"""Tell words from the value that they name where no colon parts them.

``DATE November 4, 2025``, ``Fax (040) 555-0170`` and ``CLIENT NO 204417`` are each printed as one text. The words are a
label if forms print them, and what follows is a date, a telephone number or a number of many digits.
"""

from __future__ import annotations

import re

from .text_classifier import LABEL_WORDS, LINK_WORDS, is_label, is_total, text_kind

MAX_WORDS = 3
"""Words that name a value; more are a sentence with a value in it."""
_DAY = re.compile(r"(?!\d{1,2}:)(?=.*\d{4}|(?:\d{1,2}[./-]){2}\d\d)", re.DOTALL)
"""A date with its year, rather than a time of day."""
MIN_PHONE_DIGITS = 7
_AMOUNT_BEHIND = re.compile(r"((?:[^\W\d_]+\s+){1,4})([-+]?(?:[$€£¥￥₹]|[A-Z]{3}) ?[-+]?\d[\d.,' ]*[.,]\d\d)")
"""The amount of a total with its currency behind up to four words: ``Balance Due $ 1,844.80``"""
_PHONE = re.compile(r"\+?[\d(][\d\s()./-]{6,}\d")
_LONG_NUMBER = re.compile(r"(?=(?:\S*\d){5})[A-Za-z\d][\w/.-]*")
_PATH = re.compile(r"[A-Z]{1,6}(?:/[A-Z\d]{1,8})*/\d[\w/-]*")
"""The number of a document with the parts of its series: ``PK/IN/00031``"""
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
_DATE_WORDS = frozenset(("date", "datum", "fecha", "data", "dated", "le", "am", "du", "vom", "on", "del", "den"))


def split_words(text: str) -> tuple[str, str]:
    """Return the words that name a value, with the space behind them, and the value; the words may be empty."""
    words = text.strip().split(" ")
    if text_kind(text) != "text" or "\n" in text:
        return "", text
    if (amount := _AMOUNT_BEHIND.fullmatch(text)) and (is_total(amount[1]) or is_label(amount[1])):
        return amount[1], amount[2]
    if is_total(text):
        return "", text
    for count in range(1, min(MAX_WORDS, len(words) - 1) + 1):
        head, value = words[:count], " ".join(words[count:])
        if _names(head, value):
            return " ".join(head) + " ", value
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
    if _LONG_NUMBER.fullmatch(value) or _PATH.fullmatch(value):
        is_marked = last in _NUMBER_WORDS or words[-1].endswith("#")
        return is_marked and len(plain) <= MAX_WORDS
    return False


def _is_word(word: str) -> bool:
    return word.replace(".", "").isalpha() or word in _NUMBER_WORDS


def _is_known(word: str) -> bool:
    return word in LABEL_WORDS or word in LINK_WORDS
