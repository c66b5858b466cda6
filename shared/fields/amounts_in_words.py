"""Amounts that a form has in English or Chinese words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_name("amounts_in_words.toml").read_text(encoding="utf-8"))
_NUMERALS, _MONEY_WORDS = (frozenset(_WORDS[name].split()) for name in ("numerals", "money"))
MIN_NUMERALS = 2
_CHINESE_NUMERALS, _CHINESE_UNITS = "零壹贰叁肆伍陆柒捌玖拾佰仟万亿", "元圆角分整正"
_CHINESE_AMOUNT = re.compile(
    rf"(?:人民币[:：]?|(?=[{_CHINESE_NUMERALS}]{{2}}))[{_CHINESE_NUMERALS}]"
    rf"[{_CHINESE_NUMERALS}{_CHINESE_UNITS}]*(?<=[{_CHINESE_UNITS}])"
)


def is_amount_in_words(text: str) -> bool:
    """Whether a text is an amount in English or Chinese words and nothing else: ``Eighty thousand and five only``."""
    if _CHINESE_AMOUNT.fullmatch("".join(text.split())):
        return True
    words = re.findall(r"[^\W_]+", text.lower())
    numerals = sum(word in _NUMERALS for word in words)
    return numerals >= MIN_NUMERALS and all(word in _NUMERALS or word in _MONEY_WORDS for word in words)
