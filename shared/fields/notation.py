"""Notation: how a page writes its numbers and dates, by the evidence of all that is printed on it.

``1,234`` alone is a thousand on one page and little more than one on another, and ``03/04/2026`` is in March or in
April. Other numbers and dates of the page tell: ``12,50`` has a decimal comma, ``25/04/2026`` begins with the day.
Where they do not, the language of the page does. A date that stays undecided stays a text.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bandsmith.shared.fonts import is_cjk

Group = Literal[",", ".", " ", "'"]
SPACES = " \u00a0\u202f"
APOSTROPHES = "'’"
MIN_LANGUAGE_WORDS = 2
"""Number of different words of a language that tell a page's language."""


@dataclass(frozen=True)
class Notation:
    """How a page writes its numbers and dates."""

    locale: str = "en_US"
    """The Java locale that writes numbers in this way."""
    group: Group = ","
    """What separates thousands."""
    decimal: Literal[".", ","] = "."
    day_first: bool | None = None
    """Whether ``03/04/2026`` is in April; None if nothing on the page tells."""

    @property
    def group_characters(self) -> str:
        """The characters that are read as a separator of thousands."""
        return {" ": SPACES, "'": APOSTROPHES}.get(self.group, self.group)


ENGLISH, CHINESE = Notation(), Notation("zh_CN")

_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in tomllib.loads((Path(__file__).parent / "languages.toml").read_text(encoding="utf-8")).items()
}
"""Words that forms print and that other languages do not have, by language."""

_LOCALES: dict[Group, dict[str, str]] = {
    ".": {"de": "de_DE", "es": "es_ES", "it": "it_IT", "nl": "nl_NL", "pt": "pt_BR", "": "de_DE"},
    # The engine's French locale writes a narrow space, for which common typefaces have no character.
    " ": {"fr": "fr_CA", "pl": "pl_PL", "cs": "cs_CZ", "pt": "pt_PT", "": "fr_CA"},
}
"""The locales that write a decimal comma, by what separates thousands and by language."""

_SPACES_AND_POINT = "xh_ZA"
"""One of the few Java locales that write ``1 234.50``; all are of African languages."""
_UNIT = r"(?:[A-Z]{3}|[$€£¥￥₹₩₽₺₱]|zł|Kč|kr)?"
_AMOUNT = re.compile(rf"{_UNIT}[{SPACES}]?-?(\d{{1,3}}(?:[{SPACES}]\d{{3}})+\.\d\d|\d+\.\d\d)[{SPACES}]?{_UNIT}")
"""A text that is nothing but an amount with a decimal point, perhaps with its currency."""
MIN_SPACED_AMOUNTS = 2
"""Amounts with a space in them that show that a page separates thousands so; one alone may be two numbers."""

_NUMBER = re.compile(
    rf"(?<![\w.,/:-])\d{{1,3}}(?:[{SPACES}]\d{{3}}){{1,9}}[.,]\d+(?![\w.,/:-])|(?<![\w.,/:-])\d[\d.,’']*\d(?![\w/:-])"
)
_DATE = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)")
_UNITED_STATES = re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\bUSA\b")
_DAY_FIRST_CURRENCY = re.compile(r"[€£]|\b(?:EUR|GBP)\b")


def notation_of(texts: Iterable[str]) -> Notation:
    """Return how a page with these texts writes its numbers and dates."""
    texts = list(texts)
    language = page_language(texts)
    day_first = _day_first(texts, language)
    tokens = [token for text in texts for token in _NUMBER.findall(text) if not _DATE.fullmatch(token)]
    commas, points = (sum(_weight(token, mark) for token in tokens) for mark in ",.")
    has_comma = commas > points or (commas == points and language in {"de", "es", "fr", "it", "nl", "pl", "pt", "cs"})
    if has_comma:
        group = _group_of(tokens, language)
        locales = _LOCALES[group]
        return Notation(locales.get(language, locales[""]), group, ",", day_first)
    if any(re.search(rf"\d[{APOSTROPHES}]\d{{3}}\b", token) for token in tokens):
        return Notation("de_CH", "'", ".", day_first)
    if _groups_by_spaces(texts, tokens):
        return Notation(_SPACES_AND_POINT, " ", ".", day_first)
    return Notation("zh_CN" if language == "zh" else "en_US", ",", ".", day_first)


def page_language(texts: Sequence[str]) -> str:
    """Return the language of a page as two letters: Chinese, one of ``languages.toml``, else English."""
    joined = " ".join(texts)
    letters = sum(char.isalpha() and char.isascii() for char in joined)
    if sum(is_cjk(char) for char in joined) > letters / 3:
        return "zh"
    words = set(re.findall(r"[^\W\d_]+", joined.casefold()))
    found = Counter({language: len(own & words) for language, own in _WORDS.items()}).most_common()
    return found[0][0] if found[0][1] >= MIN_LANGUAGE_WORDS else "en"


def _weight(token: str, mark: str) -> int:
    """Return how clearly `mark` stands before a number's decimals, from 0 to 3, where other separators prove it."""
    other = "." if mark == "," else ","
    separators = rf"[{re.escape(other)}{SPACES}{APOSTROPHES}]"
    if re.fullmatch(rf"\d{{1,3}}(?:{separators}\d{{3}})+{re.escape(mark)}\d+", token):
        return 3
    if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(other)}\d{{3}}){{2,}}", token):
        return 2
    if re.fullmatch(rf"\d+{re.escape(mark)}\d\d", token):
        return 2
    return int(bool(re.fullmatch(rf"\d+{re.escape(mark)}(?:\d|\d{{4,}})|0{re.escape(mark)}\d+", token)))


def _groups_by_spaces(texts: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the thousands of amounts with a decimal point are separated by spaces, and never by commas.

    Two texts show it that are such amounts, or one that is the sum of two others.
    """
    if any(re.match(r"\d{1,3},\d{3}(?!\d)", token) for token in tokens):
        return False
    amounts = [amount[1] for text in texts if (amount := _AMOUNT.fullmatch(text.strip()))]
    spaced = [amount for amount in amounts if re.search(rf"[{SPACES}]", amount)]
    return len(spaced) >= MIN_SPACED_AMOUNTS or (len(spaced) == 1 and _is_sum(spaced[0], amounts))


def _is_sum(amount: str, amounts: Sequence[str]) -> bool:
    """Whether an amount is the sum of two others."""
    whole = _cents(amount)
    others = Counter(_cents(other) for other in amounts if other != amount)
    return any(others[whole - part] > (whole == 2 * part) for part in list(others))


def _cents(amount: str) -> int:
    return int(re.sub(r"\D", "", amount))


def _group_of(tokens: Sequence[str], language: str) -> Group:
    """Return what separates thousands on a page with decimal commas."""
    points = sum(bool(re.match(r"\d{1,3}\.\d{3}(?!\d)", token)) for token in tokens)
    spaces = sum(bool(re.match(rf"\d{{1,3}}[{SPACES}]\d{{3}}", token)) for token in tokens)
    if points == spaces:
        return " " if language in {"fr", "pl", "cs"} else "."
    return "." if points > spaces else " "


def _day_first(texts: Sequence[str], language: str) -> bool | None:
    """Return whether dates begin with the day; None if nothing tells, or some do and some do not."""
    dates = [(int(date[1]), int(date[3])) for text in texts for date in _DATE.finditer(text) if date[2] != "."]
    if dates:
        days, months = (any(date[at] > 12 for date in dates) for at in (0, 1))
        if days != months:
            return days
    if language not in {"en", "zh"}:
        return True
    if any(_UNITED_STATES.search(text) for text in texts):
        return False
    return True if any(_DAY_FIRST_CURRENCY.search(text) for text in texts) else None
