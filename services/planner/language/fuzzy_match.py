"""Score how well words of a request fit words of a report, from 0 to 100."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from bandsmith.shared.fields.vocabulary import COLUMN_TERMS
from bandsmith.shared.language import normalized_characters

from .view_elements import TableColumn

PART_FIT = 88.0
"""How well words fit a longer text that holds them."""
MIN_PART_SHARE = 0.5
"""Words that are less than this share of a text fit it no better than any other part."""
_KIND = re.compile(r"(?:the )?(?:names?|numbers?|no|figures?|values?|lines?|dates?)|名称?|名字|数|值|数字|号|号码|日期")
"""What words may add to a name: the kind of thing that it is."""
MIN_MISSPELLED_CHARS = 5
"""Shorter words are too like each other, as “late” and “date” are."""
MIN_NAME_CHARS = 4
"""Shorter words that a name ends with, such as “no”, do not name it."""
MIN_LONG_WORD_CHARS = 8
"""Words of at least this length may have two errors."""
_HAN = re.compile("[\u3400-\u9fff]")
_USUALLY = {"stock": "quantity"}
"""What a word usually means where no column is called so."""
_DIGITS = re.compile(r"\d+")


def similarity(words: str, text: str) -> float:
    """Return how similar two texts are, from 0 to 100, apart from blanks and punctuation."""
    return fuzz.ratio(normal(words), normal(text))


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Return a text in lower case, without punctuation and without blanks between Chinese characters."""
    text = normalized_characters(text).casefold().replace("_", " ")
    text = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", text)
    return re.sub(r"[\s:;*.,、。_()\[\]“”\"'《》]+", " ", text).strip()


def singular(text: str) -> str:
    text = re.sub(r"ies\b", "y", text)
    return re.sub(r"(?<=[a-z]{3})(?<!s)s\b", "", text)


def term_of(text: str) -> str:
    """Return the business term that a text is a wording of, or an empty string."""
    wording = normal(text)
    return COLUMN_TERMS.get(wording) or COLUMN_TERMS.get(singular(wording), "")


def fit(words: str, text: str) -> float:
    """Return how well words of a request fit a text of a report; both must be normalised."""
    if not words or not text:
        return 0.0
    if words == text or singular(words) == singular(text):
        return 100.0
    if len(words) >= 2 and holds(text, words):
        share = len(words) / len(text)
        return PART_FIT + 4 * share if share >= MIN_PART_SHARE else PART_FIT
    if len(text) >= 2 and holds(words, text) and _KIND.fullmatch(words.replace(text, "", 1).strip()):
        return PART_FIT + 4
    return fuzz.ratio(words, text) * 0.98 if _may_be_misspelled(words, text) else 0.0


def _may_be_misspelled(words: str, text: str) -> bool:
    """Whether words may be a text with typing errors: word for word, with the same first letters and figures.

    A word more, such as “not”, is no typing error.
    """
    if min(len(words), len(text)) < MIN_MISSPELLED_CHARS or _DIGITS.findall(words) != _DIGITS.findall(text):
        return False
    if _HAN.search(words):
        return len(words) == len(text)
    if words.replace(" ", "") == text.replace(" ", ""):
        return True
    said, meant = words.split(), text.split()
    return len(said) == len(meant) and all(
        word == known or (word[0] == known[0] and OSA.distance(word, known) <= errors_in(word))
        for word, known in zip(said, meant, strict=True)
    )


def errors_in(word: str) -> int:
    """Return how many typing errors an English word may have."""
    if len(word) < MIN_MISSPELLED_CHARS:
        return 0
    return 2 if len(word) >= MIN_LONG_WORD_CHARS else 1


def holds(text: str, words: str) -> bool:
    """Whether a text contains words as whole words."""
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", text) is not None


def name_fit(wanted: str, term: str, name: str) -> float:
    """Return how well words fit the name of a value: “address” fits ``shipping_address``, less well."""
    spelled, said = name.replace("_", " "), re.sub(r" number$", " no", wanted)
    if spelled in (said, wanted) or term == name:
        return 96.0
    if (" " in said and spelled.endswith(f" {said}")) or ("_" in term and name.endswith(f"_{term}")):
        return 92.0
    last = name.rpartition("_")[2]
    return 90.0 if last != name and len(last) >= MIN_NAME_CHARS and last in (singular(wanted), term) else 0.0


def column_fit(words: str, column: TableColumn) -> float:
    """Return how well words fit a column's label, field or business term."""
    wanted, label, name = normal(words), normal(column.label), column.field.replace("_", " ").casefold()
    term = term_of(words)
    is_name = name in (wanted, singular(wanted), re.sub(r" number$", " no", wanted))
    fits = [fit(wanted, label), 99.0 if is_name else 0.0]
    own = (column.field, term_of(column.label))
    if term and term in own:
        fits.append(95.0)
    if _USUALLY.get(term) in own:
        fits.append(90.0)
    last = name.split(" ")[-1]
    if last != name and last in (singular(wanted), term):
        fits.append(90.0)
    return max(fits)
